// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System.Collections.Generic;
using Octile;
using UnityEngine;

/// <summary>Turn by turn: the cells that the unit can reach with its movement points are marked, and
/// a click on one of them takes the turn. Mud costs twice. Add this to an empty object of an empty
/// scene and press play.</summary>
public sealed class TurnRangeSample : MonoBehaviour {
    public int size = 20;
    public float movementPoints = 5;

    /// <summary>The marked cells.</summary>
    public readonly List<Cell> Range = new List<Cell>();
    public Cell Unit { get; private set; }

    private readonly List<GameObject> marks = new List<GameObject>();
    private GridMap map;

    private void Start() {
        var ground = new GameObject("map");
        ground.SetActive(false);
        map = ground.AddComponent<GridMap>();
        map.width = map.height = size;
        map.source = GridMap.Source.Empty;
        map.terrainCosts = new[] { new TerrainCost { terrain = 1, cost = 2 } };
        ground.SetActive(true);
        map.World.Fill(new CellRect(size / 2, 2, 2, size - 4), 1);
        map.World.Fill(new CellRect(3, size / 2, size / 3, 1), GridWorld.Wall);
        map.Commit();
        Unit = new Cell(size / 2 - 2, size / 2 - 1);
        Mark();
    }

    private void Update() {
        if (!Input.GetMouseButtonDown(0) || Camera.main == null) return;
        Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
        float distance;
        if (new UnityEngine.Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance)) Move(map.WorldToCell(ray.GetPoint(distance)));
    }

    /// <summary>Takes the turn; false when the cell is out of reach.</summary>
    public bool Move(Cell cell) {
        if (!Range.Contains(cell)) return false;
        Unit = cell;
        Mark();
        return true;
    }

    private void Mark() {
        Range.Clear();
        int count;
        // Where entering a cell costs more than leaving it, the way there counts, not the way back.
        Cell[] near = map.Places.InReach(map.View, Unit, movementPoints * 2, out count);
        for (int i = 0; i < count; ++i)
            if (map.Searcher.Distance(map.View, Unit, near[i]) <= movementPoints) Range.Add(near[i]);
        for (int i = 0; i < Range.Count; ++i) {
            if (i == marks.Count) {
                marks.Add(GameObject.CreatePrimitive(PrimitiveType.Quad));
                marks[i].transform.rotation = Quaternion.Euler(90, 0, 0);
                marks[i].transform.localScale = Vector3.one * 0.9f;
            }
            marks[i].SetActive(true);
            marks[i].transform.position = map.CellToWorld(Range[i]);
        }
        for (int i = Range.Count; i < marks.Count; ++i) marks[i].SetActive(false);
    }
}
