// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEngine;

namespace Octile {

/// <summary>A goal to which any number of units flow: one search, made again when the map or the
/// goal's cell changes. Ask <see cref="Next(Vector3)"/>, or <see cref="Field"/> for many at
/// once.</summary>
[AddComponentMenu("Octile/Flow Goal")]
public sealed class FlowGoal : MonoBehaviour {
    [Tooltip("The map; found in the scene when empty.")] public GridMap map;
    [Tooltip("Draw arrows on so many cells each way.")] [Range(0, 256)] public int arrows = 64;

    /// <summary>Null or not built while there is no way to it.</summary>
    public FlowField Field { get; private set; }
    /// <summary>Can it be asked?</summary>
    public bool IsReady { get { return Field != null && ready; } }

    private View view;
    private Cell goal;
    private bool ready;

    private void OnDisable() {
        if (Field != null) Field.Dispose();
        Field = null;
        view = null;
        ready = false;
    }

    private void Update() { Refresh(); }

    /// <summary>Called by Update: builds the field when something has changed.</summary>
    public void Refresh() {
        if (map == null) map = FindObjectOfType<GridMap>();
        if (map == null || map.View == null) {
            ready = false;
            return;
        }
        Cell here = map.WorldToCell(transform.position);
        if (map.View == view && here == goal) return;
        bool moved = here != goal || !ready;
        view = map.View;
        goal = here;
        if (!map.View.IsPassable(here)) {
            ready = false;
            return;
        }
        if (Field == null) Field = new FlowField();
        try {
            if (moved) Field.Build(view, goal);
            else Field.Update(view);
        } catch (OctileException) {
            // Of another map: it was baked anew.
            Field.Build(view, goal);
        }
        ready = true;
    }

    /// <summary>Where a unit goes next: the centre of the next cell; its own at the goal and where
    /// no way leads to it.</summary>
    public Vector3 Next(Vector3 position) {
        return IsReady ? map.CellToWorld(Field.Next(map.WorldToCell(position))) : position;
    }

    private void OnDrawGizmosSelected() {
        if (!IsReady || map == null) return;
        Gizmos.matrix = Matrix4x4.identity;
        Gizmos.color = Color.cyan;
        for (int y = 0; y < Mathf.Min(arrows, map.height); ++y)
            for (int x = 0; x < Mathf.Min(arrows, map.width); ++x) {
                var cell = new Cell(x, y);
                Cell next = Field.Next(cell);
                if (next == cell) continue;
                Vector3 from = map.CellToWorld(cell), to = Vector3.Lerp(from, map.CellToWorld(next), 0.6f);
                Gizmos.DrawLine(from, to);
                Gizmos.DrawCube(to, Vector3.one * map.cellSize * 0.12f);
            }
    }
}

}  // namespace Octile
