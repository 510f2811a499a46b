// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEngine;

namespace Octile {

/// <summary>What lies over the ground of a <see cref="GridMap"/>: the cells that its collider,
/// renderer or box touches get a terrain for as long as it is enabled.</summary>
[DisallowMultipleComponent]
public abstract class GridShape : MonoBehaviour {
    [Tooltip("The map; found in the scene when empty.")] public GridMap map;
    [Tooltip("Size of the box when there is neither collider nor renderer, or always (below).")] public Vector3 size = Vector3.one;
    [Tooltip("Use the box also when there is a collider or a renderer.")] public bool useBox;
    [Tooltip("Look every frame whether it has moved.")] public bool moves;

    private GridWorld world;
    private uint id;
    private CellRect cells;

    /// <summary>The terrain that it writes.</summary>
    protected abstract byte Terrain { get; }
    /// <summary>Does it lie there now?</summary>
    protected virtual bool Present { get { return true; } }

    /// <summary>The cells that it covers.</summary>
    public CellRect Cells { get { return cells; } }

    private Bounds Box {
        get {
            if (!useBox) {
                var collider = GetComponent<Collider>();
                if (collider != null) return collider.bounds;
                var flat = GetComponent<Collider2D>();
                if (flat != null) return flat.bounds;
                var picture = GetComponent<Renderer>();
                if (picture != null) return picture.bounds;
            }
            return new Bounds(transform.position, size);
        }
    }

    protected virtual void OnEnable() { Put(); }

    protected virtual void OnDisable() { Take(); }

    protected virtual void LateUpdate() {
        // The map was disabled or baked anew; or this has moved.
        if (map != null && map.World != world) Put();
        else if (moves && map != null && world != null && !Same(map.CellsOf(Box), cells)) Put();
    }

    /// <summary>Looks again where it lies, and whether.</summary>
    public void Put() {
        Take();
        if (map == null) map = FindObjectOfType<GridMap>();
        if (map == null || map.World == null) return;
        cells = map.CellsOf(Box);
        world = map.World;
        if (cells.Area == 0) return;
        id = world.AddObstacle(cells, Terrain, Present);
        map.MarkDirty();
    }

    /// <summary>After <see cref="Present"/> has changed.</summary>
    protected void Show() {
        if (id == 0 || map == null || map.World != world || world == null) return;
        world.SetObstacle(id, Present);
        map.MarkDirty();
    }

    private void Take() {
        if (id != 0 && map != null && world != null && map.World == world) {
            world.RemoveObstacle(id);
            map.MarkDirty();
        }
        id = 0;
        world = null;
    }

    private static bool Same(CellRect a, CellRect b) { return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height; }

    private void OnDrawGizmosSelected() {
        Gizmos.matrix = Matrix4x4.identity;
        Gizmos.color = Present ? Color.red : Color.green;
        Bounds box = Box;
        Gizmos.DrawWireCube(box.center, box.size);
    }
}

}  // namespace Octile
