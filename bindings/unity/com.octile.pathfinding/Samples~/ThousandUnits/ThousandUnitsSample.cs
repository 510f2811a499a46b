// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using Octile;
using UnityEngine;

/// <summary>A thousand units on one flow field: one search and one call a step for all of them. A
/// click moves the goal. Add this to an empty object of an empty scene and press play.</summary>
public sealed class ThousandUnitsSample : MonoBehaviour {
    public int size = 100, units = 1000;
    [Tooltip("Steps a second.")] public float stepsPerSecond = 6;

    /// <summary>Where they are.</summary>
    public Cell[] Cells { get { return cells; } }

    private GridMap map;
    private FlowGoal goal;
    private Cell[] cells, next;
    private Transform[] bodies;
    private float part;

    private void Start() {
        var ground = new GameObject("map");
        ground.SetActive(false);
        map = ground.AddComponent<GridMap>();
        map.width = map.height = size;
        map.source = GridMap.Source.Empty;
        ground.SetActive(true);
        for (int i = 0; i < size / 2; ++i)
            map.World.Fill(new CellRect(Random.Range(1, size - 9), Random.Range(1, size - 9), Random.Range(1, 8), Random.Range(1, 8)), GridWorld.Wall);
        map.Commit();
        var target = new GameObject("goal");
        target.transform.position = map.CellToWorld(new Cell(size - 1, size - 1));
        goal = target.AddComponent<FlowGoal>();
        goal.map = map;
        goal.Refresh();

        cells = new Cell[units];
        next = new Cell[units];
        bodies = new Transform[units];
        for (int i = 0; i < units; ++i) {
            do cells[i] = new Cell(Random.Range(0, size), Random.Range(0, size));
            while (!map.View.IsPassable(cells[i]));
            bodies[i] = GameObject.CreatePrimitive(PrimitiveType.Cube).transform;
            bodies[i].localScale = Vector3.one * 0.4f;
        }
        goal.Field.Next(cells, units, next);
    }

    private void Update() {
        if (Input.GetMouseButtonDown(0) && Camera.main != null) {
            Ray ray = Camera.main.ScreenPointToRay(Input.mousePosition);
            float distance;
            if (new UnityEngine.Plane(Vector3.up, Vector3.zero).Raycast(ray, out distance)) goal.transform.position = ray.GetPoint(distance);
        }
        part += Time.deltaTime * stepsPerSecond;
        while (part >= 1) {
            part -= 1;
            Cell[] old = cells;
            cells = next;
            next = old;
            if (goal.IsReady) goal.Field.Next(cells, units, next);
            else System.Array.Copy(cells, next, units);
        }
        for (int i = 0; i < units; ++i) bodies[i].position = Vector3.Lerp(map.CellToWorld(cells[i]), map.CellToWorld(next[i]), part);
    }
}
