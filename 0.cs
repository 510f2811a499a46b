using Octile;
using UnityEngine;

[RequireComponent(typeof(Seeker))]
public sealed class ClickToMove : MonoBehaviour {
    private void Update() {
        if (!Input.GetMouseButtonDown(0)) return;
        Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
        float distance;
        if (new UnityEngine.Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance))
            GetComponent<Seeker>().MoveTo(ray.GetPoint(distance));
    }
}
