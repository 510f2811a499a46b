// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using Octile;
using UnityEngine;

/// <summary>Click to move; right click puts a wall there or takes it away. Add this to an empty
/// object of an empty scene and press play: it makes the rest.</summary>
public sealed class ClickToMoveSample : MonoBehaviour {
    public int size = 40;

    private GridMap map;
    private Seeker unit;

    private void Start() {
        // Walls are cubes with colliders; the map is baked from them by physics probes.
        for (int i = 0; i < size; ++i) {
            var place = new Vector3(Random.Range(2, size) + 0.5f, 0.5f, Random.Range(2, size) + 0.5f);
            Cube("wall", place, Vector3.one).transform.SetParent(transform);
        }
        Physics.SyncTransforms();
        var ground = new GameObject("map");
        ground.SetActive(false);
        map = ground.AddComponent<GridMap>();
        map.width = map.height = size;
        map.source = GridMap.Source.Physics;
        ground.SetActive(true);

        GameObject body = Cube("unit", new Vector3(0.5f, 0.5f, 0.5f), Vector3.one * 0.6f);
        // The unit itself is no wall: it has a collider only after the bake.
        unit = body.AddComponent<Seeker>();
        unit.map = map;
        body.AddComponent<PathFollower>();
        Camera camera = Camera.main;
        if (camera == null) return;
        camera.transform.position = new Vector3(size * 0.5f, size, size * 0.2f);
        camera.transform.LookAt(new Vector3(size * 0.5f, 0, size * 0.5f));
    }

    private void Update() {
        Vector3 place;
        if (Input.GetMouseButtonDown(0) && Pointed(out place)) unit.MoveTo(place);
        if (Input.GetMouseButtonDown(1) && Pointed(out place)) {
            Cell cell = map.WorldToCell(place);
            if (!map.World.Bounds.Contains(cell)) return;
            bool free = map.View.IsPassable(cell);
            map.World.SetTerrain(cell, free ? GridWorld.Wall : GridWorld.Free);
            map.MarkDirty();
        }
    }

    private static GameObject Cube(string name, Vector3 place, Vector3 scale) {
        GameObject cube = GameObject.CreatePrimitive(PrimitiveType.Cube);
        cube.name = name;
        cube.transform.position = place;
        cube.transform.localScale = scale;
        return cube;
    }

    private static bool Pointed(out Vector3 place) {
        place = Vector3.zero;
        if (Camera.main == null) return false;
        Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
        float distance;
        if (!new UnityEngine.Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance)) return false;
        place = ray.GetPoint(distance);
        return true;
    }
}
