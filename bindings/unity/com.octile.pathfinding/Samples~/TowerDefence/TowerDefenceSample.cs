// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System.Collections.Generic;
using Octile;
using UnityEngine;

/// <summary>Creeps flow from the gate to the castle; a click builds a tower, unless it would close
/// the way. Add this to an empty object of an empty scene and press play.</summary>
public sealed class TowerDefenceSample : MonoBehaviour {
    public int width = 30, height = 20;
    public float creepSpeed = 3;

    /// <summary>Towers that were refused.</summary>
    public int Refused { get; private set; }
    /// <summary>Creeps that came to the castle.</summary>
    public int Arrived { get; private set; }

    private readonly List<Transform> creeps = new List<Transform>();
    private GridMap map;
    private FlowGoal castle;
    private Cell gate, goal;
    private float wait;

    private void Start() {
        var ground = new GameObject("map");
        ground.SetActive(false);
        map = ground.AddComponent<GridMap>();
        map.width = width;
        map.height = height;
        map.source = GridMap.Source.Empty;
        ground.SetActive(true);
        gate = new Cell(0, height / 2);
        goal = new Cell(width - 1, height / 2);
        var target = new GameObject("castle");
        target.transform.position = map.CellToWorld(goal);
        castle = target.AddComponent<FlowGoal>();
        castle.map = map;
    }

    private void Update() {
        wait -= Time.deltaTime;
        if (wait <= 0) {
            wait = 1;
            Transform creep = GameObject.CreatePrimitive(PrimitiveType.Sphere).transform;
            creep.position = map.CellToWorld(gate);
            creeps.Add(creep);
        }
        for (int i = creeps.Count - 1; i >= 0; --i) {
            Vector3 next = castle.Next(creeps[i].position);
            creeps[i].position = Vector3.MoveTowards(creeps[i].position, next, creepSpeed * Time.deltaTime);
            if (map.WorldToCell(creeps[i].position) != goal) continue;
            ++Arrived;
            Destroy(creeps[i].gameObject);
            creeps.RemoveAt(i);
        }
        if (!Input.GetMouseButtonDown(0) || Camera.main == null) return;
        Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
        float distance;
        if (new UnityEngine.Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance)) Build(map.WorldToCell(ray.GetPoint(distance)));
    }

    /// <summary>A tower on a cell; false when it would close the way, or when a creep or another
    /// tower is there.</summary>
    public bool Build(Cell cell) {
        var ways = new List<CellPair> { new CellPair(gate, goal) };
        foreach (Transform creep in creeps) {
            Cell at = map.WorldToCell(creep.position);
            if (at == cell) return Refuse();
            ways.Add(new CellPair(at, goal));
        }
        if (cell == gate || cell == goal || !map.View.IsPassable(cell)) return Refuse();
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        if (GridObstacle.WouldBlock(map, rect, ways.ToArray())) return Refuse();
        GameObject tower = GameObject.CreatePrimitive(PrimitiveType.Cube);
        tower.transform.position = map.CellToWorld(cell);
        map.World.SetTerrain(cell, GridWorld.Wall);
        // At once: the next tower is judged with this one.
        map.Commit();
        return true;
    }

    private bool Refuse() {
        ++Refused;
        return false;
    }
}
