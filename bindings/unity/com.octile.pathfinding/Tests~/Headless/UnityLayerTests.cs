// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The components against the stub: their own logic, not Unity.

using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Octile;
using Unity.Collections;
using Unity.Jobs;
using UnityEngine;
using UnityEngine.Tilemaps;

public static class UnityLayerTests {
    private static GridMap Map(Action<GridMap> set = null) {
        Scene.Clear();
        var map = new GameObject().AddComponent<GridMap>(m => {
            m.width = 20;
            m.height = 10;
            m.source = GridMap.Source.Empty;
            if (set != null) set(m);
        });
        Check.Equal("", string.Join("; ", UnityEngine.Debug.Lines), "errors");
        return map;
    }

    private static PathFollower Unit(GridMap map, float x, float z) {
        var thing = new GameObject();
        thing.transform.position = new Vector3(x, 0.5f, z);
        thing.AddComponent<Seeker>(s => s.map = map);
        return thing.AddComponent<PathFollower>();
    }

    public static void EveryKindOfBake() {
        Physics.Wall = p => p.x > 5 && p.x < 6;
        Check.True(!Map(m => m.source = GridMap.Source.Physics).View.IsPassable(new Cell(5, 3)), "physics");
        Physics2D.Wall = p => p.x > 2 && p.x < 3;
        Check.True(!Map(m => { m.source = GridMap.Source.Physics2D; m.plane = GridMap.Plane.XY; }).View.IsPassable(new Cell(2, 3)), "physics 2D");
        var tiles = new Tilemap { Tile = p => p.y == 4 };
        GridMap map = Map(m => { m.source = GridMap.Source.Tilemap; m.plane = GridMap.Plane.XY; m.tilemap = tiles; });
        Check.True(!map.View.IsPassable(new Cell(7, 4)) && map.View.IsPassable(new Cell(7, 5)), "tilemap");
        map.tilesAreWalls = false;
        map.Bake();
        Check.True(map.View.IsPassable(new Cell(7, 4)) && !map.View.IsPassable(new Cell(7, 5)), "floor tiles");
        var picture = new Texture2D { width = 2, height = 1, Pixels = new[] { new Color32(0, 0, 0, 255), new Color32(255, 255, 255, 255) } };
        map = Map(m => { m.source = GridMap.Source.Texture; m.texture = picture; });
        Check.True(!map.View.IsPassable(new Cell(9, 0)) && map.View.IsPassable(new Cell(10, 0)), "texture");
        Scene.Clear();
        Check.True(map.View == null && map.World == null, "freed");
    }

    public static void PlacesOfTheWorld() {
        GridMap map = Map(m => m.cellSize = 2);
        map.transform.position = new Vector3(100, 5, -10);
        Check.Equal(new Cell(1, 2), map.WorldToCell(new Vector3(103.9f, 0, -5)), "cell");
        Vector3 center = map.CellToWorld(new Cell(1, 2));
        Check.Near(103, center.x, "x");
        Check.Near(5, center.y, "y");
        Check.Near(-5, center.z, "z");
        Check.Equal(new Cell(-1, -1), map.WorldToCell(new Vector3(float.NaN, 0, 0)), "NaN");
        CellRect rect = map.CellsOf(new Bounds(new Vector3(102, 5, -8), new Vector3(4, 1, 2)));
        Check.Equal("(0, 0, 2 x 2)", rect.ToString(), "cells of a box");
        Check.Equal(0L, map.CellsOf(new Bounds(new Vector3(0, 0, 0), new Vector3(1, 1, 1))).Area, "outside");
        Scene.Clear();
    }

    public static void AUnitWalksRoundWhatAppears() {
        GridMap map = Map();
        PathFollower unit = Unit(map, 0.5f, 4.5f);
        int arrived = 0;
        unit.Arrived += () => ++arrived;
        unit.GetComponent<Seeker>().MoveTo(new Vector3(18.5f, 0, 4.5f));
        Scene.Frame();
        Check.True(unit.IsWalking, "it has a path");
        for (int i = 0; i < 60; ++i) Scene.Frame();
        float x = unit.transform.position.x;
        Check.True(x > 4 && x < 6, "on its way: " + x);
        var wall = new GameObject();
        wall.transform.position = new Vector3(10.5f, 0, 5);
        wall.AddComponent<GridObstacle>(o => { o.map = map; o.size = new Vector3(1, 1, 8); });
        float back = 0;
        for (int i = 0; i < 600 && arrived == 0; ++i) {
            Scene.Frame();
            if (unit.transform.position.x < 9) {
                back = Math.Max(back, x - unit.transform.position.x);
                x = unit.transform.position.x;
            }
            Check.True(map.View.IsPassable(map.WorldToCell(unit.transform.position)), "in the wall");
        }
        Check.Equal(1, arrived, "arrived");
        Check.True(back < 1e-4, "it turned back by " + back);
        Check.Near(18.5, unit.transform.position.x, "there");
        Check.Near(0.5, unit.transform.position.y, "at its height");
        unit.transform.position = new Vector3(17.5f, 0.5f, 4.5f);
        UnityEngine.Object.DestroyImmediate(wall.GetComponent<GridObstacle>());
        Scene.Frame();
        Scene.Frame();
        Check.True(map.View.IsPassable(new Cell(10, 5)), "the wall is gone");
        Check.True(!unit.IsWalking, "who has arrived stays");
        Scene.Clear();
    }

    public static void DoorsAreasAndBakingAnew() {
        GridMap map = Map(m => m.terrainCosts = new[] { new TerrainCost { terrain = 1, cost = 3 }, new TerrainCost { terrain = 2, cost = -1 } });
        var frame = new GameObject();
        frame.transform.position = new Vector3(10, 0, 5);
        GridDoor door = frame.AddComponent<GridDoor>(d => { d.map = map; d.size = new Vector3(2, 1, 10); });
        Scene.Frame();
        var unit = Unit(map, 0.5f, 0.5f).GetComponent<Seeker>();
        unit.allowPartial = false;
        unit.MoveTo(new Cell(19, 9));
        Scene.Frame();
        Check.Equal(Status.NoPath, unit.Status, "closed");
        door.Closed = false;
        Scene.Frame();
        Scene.Frame();
        Check.Equal(Status.Found, unit.Status, "it asked again by itself");
        var mud = new GameObject();
        mud.transform.position = new Vector3(3, 0, 5);
        mud.AddComponent<GridArea>(a => { a.map = map; a.size = new Vector3(2, 1, 10); });
        Scene.Frame();
        Check.Near(3, map.View.CostAt(new Cell(3, 3)), "mud");
        map.Bake();
        Scene.Frame();
        Scene.Frame();
        Check.Near(3, map.View.CostAt(new Cell(3, 3)), "again, after another bake");
        door.Closed = true;
        Scene.Frame();
        Check.True(!map.View.IsPassable(new Cell(9, 3)), "and the door");
        frame.transform.position = new Vector3(15, 0, 5);
        door.moves = true;
        Scene.Frame();
        Scene.Frame();
        Check.True(map.View.IsPassable(new Cell(9, 3)) && !map.View.IsPassable(new Cell(15, 3)), "it has moved");
        Check.True(GridObstacle.WouldBlock(map, new CellRect(5, 0, 1, 10)) && !GridObstacle.WouldBlock(map, new CellRect(5, 0, 1, 9)), "would block");
        Scene.Clear();
    }

    public static void RequestsKeepTheirBudgetAndOrder() {
        GridMap map = Map(m => { m.width = m.height = 200; m.nodesPerFrame = 16; });
        var done = new List<PathRequest>();
        var requests = new PathRequest[6];
        for (int i = 0; i < 6; ++i) {
            requests[i] = new PathRequest { Done = done.Add };
            requests[i].Query.Start = new Cell(0, 0);
            requests[i].Query.Goal = new Cell(199, 190 - i);
            requests[i].Query.Solver = Library.SolverId("astar");
            map.Submit(requests[i]);
        }
        map.Submit(requests[0]);
        Check.Equal(6, map.Pending, "no one twice");
        map.Cancel(requests[1]);
        Check.Equal(5, map.Pending, "cancelled");
        Scene.Frame();
        Check.True(done.Count <= 1, "one frame is not enough for all");
        map.Submit(requests[2]);
        map.Work(1000000);
        Check.Equal(5, done.Count, "all");
        Check.True(done[0] == requests[0] && done[1] == requests[2] && !requests[1].IsPending, "in order");
        foreach (PathRequest r in done) Check.True(r.Count >= 200 && r.Points[0].x == 0.5 && r.Points[r.Count - 1].x == 199.5, "points");
        requests[0].Query.Solver = 9999;
        map.Submit(requests[0]);
        map.Work(100);
        Check.True(!requests[0].IsPending && UnityEngine.Debug.Lines.Count == 1, "a wrong one is told");
        Scene.Clear();
    }

    public static void ASeekerGoesToAnotherMap() {
        GridMap one = Map();
        var two = new GameObject().AddComponent<GridMap>(m => {
            m.width = m.height = 10;
            m.source = GridMap.Source.Empty;
        });
        Seeker unit = Unit(one, 0.5f, 0.5f).GetComponent<Seeker>();
        unit.MoveTo(new Cell(19, 9));
        unit.map = two;
        unit.MoveTo(new Cell(9, 9));
        Check.True(one.Pending == 0 && two.Pending == 1, "asked of the other one");
        Scene.Frame();
        Check.Equal(10, unit.Count, "answered by the other one");
        unit.MoveTo(new Cell(5, 5));
        unit.map = one;
        unit.Stop();
        Check.True(!unit.IsPending && two.Pending == 0 && unit.Count == 0, "stopped where it waited");
        Scene.Clear();
    }

    public static void AFrameMakesNoGarbage() {
        GridMap map = Map();
        PathFollower unit = Unit(map, 0.5f, 0.5f);
        var seeker = unit.GetComponent<Seeker>();
        long bytes = 0;
        for (int i = 0; i < 2000; ++i) {
            long before = GC.GetAllocatedBytesForCurrentThread();
            seeker.MoveTo(new Cell(i % 20, i / 7 % 10));
            map.Work(1000);
            for (int step = 0; step < 3; ++step) unit.Walk(0.02f);
            // Memory comes with the first ones.
            if (i >= 100) bytes += GC.GetAllocatedBytesForCurrentThread() - before;
        }
        Check.Equal(0L, bytes, "managed bytes");
        Scene.Clear();
    }

    public static void GroupsFlowsAndGizmos() {
        GridMap map = Map(m => m.buildIndex = true);
        var group = new GameObject().AddComponent<UnitGroup>();
        for (int i = 0; i < 6; ++i) group.units.Add(Unit(map, 0.5f + i % 3, 0.5f + i / 3).GetComponent<Seeker>());
        group.units.Add(null);
        Check.Equal(6, group.MoveTo(map, new Vector3(15.5f, 0, 5.5f)), "sent");
        var flow = new GameObject();
        flow.transform.position = new Vector3(19.5f, 0, 9.5f);
        FlowGoal goal = flow.AddComponent<FlowGoal>(f => f.map = map);
        Check.Near(3, goal.Next(new Vector3(3, 0, 0)).x, "not ready: stay");
        foreach (GridMap.Overlay overlay in Enum.GetValues(typeof(GridMap.Overlay))) {
            map.overlay = overlay;
            group.units[0].MoveTo(new Cell(15, 5));
            Scene.Frame();
            Gizmos.Forget();
            Scene.Call(map, "OnDrawGizmosSelected");
            if (overlay == GridMap.Overlay.OnlyPaths) Check.Equal(1, Gizmos.Drawn, "the frame alone");
            else if (overlay == GridMap.Overlay.SearchTree) Check.True(map.TreeSize > 10 && Gizmos.Lines >= map.TreeSize, "tree: " + map.TreeSize);
            else if (overlay < GridMap.Overlay.LastSearch) Check.Equal(1 + 200, Gizmos.Drawn, "every cell of " + overlay);
            else Check.True(Gizmos.Drawn > 20 && Gizmos.Lines > 5, "cells and a path of " + overlay);
        }
        Gizmos.Forget();
        Scene.Call(group.units[0], "OnDrawGizmos");
        Check.Equal(group.units[0].Count - 1, Gizmos.Lines, "the path of a seeker");
        // The map takes another View after the field was made: the arrows stay.
        map.MarkDirty();
        Scene.Frame();
        Gizmos.Forget();
        Scene.Call(goal, "OnDrawGizmosSelected");
        Check.Equal(199, Gizmos.Lines, "an arrow in each cell but the goal");
        Check.True(goal.IsReady, "ready");
        var p = new Vector3(0.5f, 0, 0.5f);
        for (int i = 0; i < 19; ++i) p = goal.Next(p);
        Check.Near(19.5, p.x, "flowed");
        map.World.Fill(new CellRect(18, 0, 1, 10), GridWorld.Wall);
        map.MarkDirty();
        Scene.Frame();
        Scene.Frame();
        Check.True(double.IsInfinity(goal.Field.Distance(new Cell(0, 0))), "cut off");
        Check.Equal(6, group.MoveTo(map, new Vector3(12.5f, 0, 5.5f)), "sent again");
        for (int i = 0; i < 500; ++i) Scene.Frame();
        var taken = new HashSet<Cell>();
        foreach (Seeker unit in group.units) Check.True(taken.Add(map.WorldToCell(unit.transform.position)), "two in one place");
        map.Bake();
        Scene.Frame();
        Check.True(goal.IsReady && !double.IsInfinity(goal.Field.Distance(new Cell(0, 0))), "after another bake");
        Check.True(group.units[0].Wander(5) && group.units[1].Flee(new Vector3(0.5f, 0, 0.5f), 8), "wander and flee");
        Scene.Frame();
        Check.Equal(Status.Found, group.units[0].Status, "wander");
        group.units[0].Stop();
        Check.Equal(0, group.units[0].Count, "stopped");
        Scene.Clear();
    }

    public static void NativeArraysWithoutCopies() {
        using (var world = new GridWorld(10, 1))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher())
        using (var batch = new PathBatch())
        using (var field = new FlowField())
        using (var cells = new NativeArray<Cell>(16, Allocator.Persistent))
        using (var pairs = new NativeArray<CellPair>(new[] { new CellPair(new Cell(0, 0), new Cell(9, 0)), new CellPair(new Cell(2, 0), new Cell(4, 0)) }, Allocator.Persistent))
        using (var answers = new NativeArray<PathAnswer>(2, Allocator.Persistent))
        using (var ends = new NativeArray<Cell>(new[] { new Cell(0, 0), new Cell(5, 0) }, Allocator.Persistent))
        using (var table = new NativeArray<double>(4, Allocator.Persistent)) {
            PathAnswer answer;
            Check.Equal(Status.Found, searcher.FindPath(view, new Cell(0, 0), new Cell(9, 0), cells, out answer), "found");
            Check.Equal(new Cell(9, 0), cells[9], "path");
            field.Build(view, new Cell(9, 0));
            field.Next(cells, cells);
            Check.Equal(new Cell(1, 0), cells[0], "next");
            Check.Equal(13, batch.Run(view, pairs, answers, cells), "cells of both");
            Check.True(answers[1].Length == 3 && cells[answers[1].First] == new Cell(2, 0), "second");
            searcher.Distances(view, ends, ends, table);
            Check.True(table[0] == 0 && table[1] == 5 && table[2] == 5 && table[3] == 0, "table");
            Check.Throws<ArgumentException>(() => batch.Run(view, pairs, new NativeArray<PathAnswer>(1, Allocator.Temp), cells), "too short");
        }
    }

    public static unsafe void JobsFindTheSamePaths() {
        const int Count = 500, Room = 64;
        using (var world = Make.Noise(60, 60, 25, 11))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher())
        using (var searchers = new JobSearchers())
        using (var field = new FlowField())
        using (var pairs = new NativeArray<CellPair>(Count, Allocator.Persistent))
        using (var cells = new NativeArray<Cell>(Count * Room, Allocator.Persistent))
        using (var lengths = new NativeArray<int>(Count, Allocator.Persistent))
        using (var costs = new NativeArray<double>(Count, Allocator.Persistent))
        using (var units = new NativeArray<Cell>(Count, Allocator.Persistent)) {
            var random = new Lcg(3);
            NativeArray<CellPair> asked = pairs;
            for (int i = 0; i < Count; ++i) asked[i] = new CellPair(new Cell(random.Below(60), random.Below(60)), new Cell(random.Below(60), random.Below(60)));
            new FindPathsJob { View = new ViewHandle(view), Searchers = searchers.ByThread, Pairs = pairs, Cells = cells, Room = Room, Lengths = lengths, Costs = costs }.Schedule(Count, 16).Complete();
            var path = new Cell[Room];
            int found = 0;
            for (int i = 0; i < Count; ++i) {
                int length;
                bool is_ = searcher.TryFindPath(view, pairs[i].a, pairs[i].b, path, out length);
                Check.Equal(length, lengths[i], "length");
                Check.Equal(is_ ? searcher.LastAnswer.Cost : double.PositiveInfinity, costs[i], "cost");
                for (int j = 0; j < Math.Min(length, Room); ++j) Check.Equal(path[j], cells[i * Room + j], "path");
                if (is_) ++found;
            }
            Check.True(found > 100 && found < Count, "found: " + found);
            // A step along a field, all at once.
            int start = 0;
            while (!view.IsPassable(new Cell(start % 60, start / 60))) ++start;
            field.Build(view, new Cell(start % 60, start / 60));
            NativeArray<Cell> moved = units;
            for (int i = 0; i < Count; ++i) moved[i] = pairs[i].a;
            new FlowStepJob { Field = new FieldHandle(field), Cells = units }.Schedule(Count, 16).Complete();
            for (int i = 0; i < Count; ++i) Check.Equal(field.Next(pairs[i].a), units[i], "step");
            // What the numbers stand for is gone: refused, not followed.
            var here = new Cell(start % 60, start / 60);
            var lost = new FieldHandle(field);
            Check.Equal(0.0, lost.Distance(here), "a field");
            field.Dispose();
            Check.True(double.IsInfinity(lost.Distance(here)) && lost.Next(new Cell(1, 1)) == new Cell(1, 1), "no field");
            SearcherHandle mine = SearcherHandle.Create(), copy = mine;
            View brief = Make.ViewOf(world);
            var gone = new ViewHandle(brief);
            Check.Equal(0.0, mine.Distance(gone, here, here), "alive");
            brief.Dispose();
            Check.True(double.IsInfinity(mine.Distance(gone, here, here)), "no view");
            mine.Destroy();
            int none;
            double cost;
            Check.Equal(Status.BadArgument, copy.FindPath(new ViewHandle(view), here, here, null, 0, out none, out cost), "no searcher");
            Check.True(none == 0 && double.IsInfinity(cost), "no path");
        }
    }

    public static void TasksOfAMap() {
        GridMap map = Map(m => { m.width = m.height = 200; m.nodesPerFrame = 64; });
        Task<FoundPath> way = map.FindAsync(new Vector3(0.5f, 0, 0.5f), new Vector3(199.5f, 0, 150.5f));
        Check.True(!way.IsCompleted, "not at once");
        for (int i = 0; i < 1000 && !way.IsCompleted; ++i) Scene.Frame();
        Check.True(way.Result.Answer.HasPath && way.Result.Cells[way.Result.Cells.Length - 1] == new Cell(199, 150), "path");
        var stop = new CancellationTokenSource();
        way = map.FindAsync(new Vector3(0.5f, 0, 0.5f), new Vector3(1.5f, 0, 0.5f), stop.Token);
        stop.Cancel();
        Scene.Frame();
        Check.True(way.IsCanceled, "cancelled");
        way = map.FindAsync(new Vector3(0.5f, 0, 0.5f), new Vector3(1.5f, 0, 0.5f));
        map.Bake();
        Check.True(way.IsCanceled, "another bake");
        Scene.Clear();
    }

    // What the fields of every component say in the inspector.
    public static void EveryFieldHasATooltip() {
        int fields = 0;
        foreach (Type type in typeof(GridMap).Assembly.GetTypes()) {
            bool shown = typeof(MonoBehaviour).IsAssignableFrom(type) || type == typeof(TerrainCost);
            if (!shown) continue;
            foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)) {
                if (field.IsPublic ? field.IsDefined(typeof(NonSerializedAttribute), false) : !field.IsDefined(typeof(SerializeFieldAttribute), false)) continue;
                if (field.IsInitOnly) continue;
                ++fields;
                Check.True(field.IsDefined(typeof(TooltipAttribute), false), type.Name + "." + field.Name + " has no tooltip");
            }
            if (typeof(MonoBehaviour).IsAssignableFrom(type) && !type.IsAbstract)
                Check.True(type.IsDefined(typeof(AddComponentMenuAttribute), false), type.Name + " is in no menu");
        }
        Check.True(fields > 40, "fields: " + fields);
    }

    public static void TheTestForUnityItself() { Octile.Tests.LibraryTests.TheLibraryIsThereAndFindsAPath(); }

    // A sample of the package, played for some frames with the mouse at a place.
    private static T Sample<T>() where T : MonoBehaviour, new() {
        Scene.Clear();
        Input.Down = -1;
        var lens = new GameObject();
        Camera.main = lens.AddComponent<Camera>();
        T sample = new GameObject().AddComponent<T>();
        Scene.Call(sample, "Start");
        return sample;
    }

    private static void Click(int button, float x, float z) {
        Input.mousePosition = new Vector3(x, 0, z);
        Input.Down = button;
        Scene.Frame();
        Input.Down = -1;
        for (int i = 0; i < 20; ++i) Scene.Frame();
        Check.Equal("", string.Join("; ", UnityEngine.Debug.Lines), "errors");
    }

    public static void SampleClickToMove() {
        Physics.Wall = p => p.x > 20 && p.x < 21 && p.z < 39;
        Sample<ClickToMoveSample>();
        Click(0, 30.5f, 0.5f);
        Click(1, 20.5f, 0.5f);
        Click(1, -5, 0.5f);
        GridMap map = UnityEngine.Object.FindObjectOfType<GridMap>();
        Check.True(map.View.IsPassable(new Cell(20, 0)), "the wall was opened");
        for (int i = 0; i < 1000; ++i) Scene.Frame();
        Check.Equal(new Cell(30, 0), map.WorldToCell(UnityEngine.Object.FindObjectOfType<PathFollower>().transform.position), "arrived");
        Scene.Clear();
    }

    public static void SampleTowerDefence() {
        var sample = Sample<TowerDefenceSample>();
        // A wall of towers, of which the last is refused.
        for (int y = 0; y < 20; ++y) Click(0, 15.5f, y + 0.5f);
        Check.True(sample.Refused >= 1, "one way stays open");
        for (int i = 0; i < 2000; ++i) Scene.Frame();
        Check.True(sample.Arrived > 5, "they come");
        Scene.Clear();
    }

    public static void SampleThousandUnits() {
        var sample = Sample<ThousandUnitsSample>();
        Click(0, 50.5f, 0.5f);
        for (int i = 0; i < 2000; ++i) Scene.Call(sample, "Update");
        int there = 0;
        foreach (Cell cell in sample.Cells) there += cell == new Cell(50, 0) ? 1 : 0;
        Check.True(there > 900, "at the goal: " + there);
        Scene.Clear();
    }

    public static void SampleTurnRange() {
        var sample = Sample<TurnRangeSample>();
        Cell start = sample.Unit;
        Check.True(sample.Range.Contains(start) && sample.Range.Contains(start + new Cell(1, 1)), "near");
        // Along the row: one step on free ground, two of mud, one free again; 1 + 2 + 2 is all there is.
        Check.True(sample.Range.Contains(start + new Cell(3, 0)) && !sample.Range.Contains(start + new Cell(4, 0)), "mud");
        Check.True(!sample.Move(start + new Cell(9, 0)), "too far");
        Click(0, start.x + 1.5f, start.y + 0.5f);
        Check.Equal(start + new Cell(1, 0), sample.Unit, "moved");
        Scene.Clear();
    }

    public static void SampleTutorialComparison() {
        UnityEngine.Debug.Told.Clear();
        var sample = Sample<TutorialComparisonSample>();
        Check.Equal(6, sample.Rows.Count, "six searches");
        Check.Equal(6, UnityEngine.Debug.Told.Count, "each is told");
        foreach (TutorialComparisonSample.Row row in sample.Rows) {
            Check.True(row.Found && row.Expanded > 100 && row.Milliseconds > 0 && row.OctileMilliseconds > 0, row.Name);
            bool exact = row.Name[0] == 'A' || row.Name[0] == 'B' || row.Name[0] == 'C' || row.Name.StartsWith("E optimised");
            // The others may be dearer; a way between centres, not bound to cells, a little cheaper.
            if (exact) Check.Equal(row.Best, row.Cost, row.Name);
            else Check.True(row.Cost >= 0.95 * row.Best && row.Cost < 3 * row.Best, row.Name + ": " + row.Cost + " for " + row.Best);
        }
        double dijkstra = sample.Rows[2].Expanded, heap = sample.Rows[0].Expanded;
        Check.True(heap < dijkstra, "an estimate saves work");
        Scene.Clear();
    }

    public static void SampleJobs() {
        var sample = Sample<JobsSample>();
        for (int i = 0; i < 12; ++i) Scene.Frame();
        Check.Equal(3, sample.Rounds, "rounds");
        Check.True(sample.Found > 250 && sample.Found <= 500, "found: " + sample.Found);
        Scene.Clear();
    }

    // The C# of README.md and docs/unity.md.
    public static void TheExamplesOfThePages() {
        Check.Near(67 + 61 * Math.Sqrt(2), Example.Walk(), "down, through the gap, up");
        using (GridWorld world = new GridWorld(12, 3)) {
            uint walker = world.AddProfile(new MoveProfile());
            world.Fill(new CellRect(5, 0, 1, 2), GridWorld.Wall);
            world.Commit();
            using (View view = world.View(walker))
            using (var searcher = new PathSearcher())
            using (var field = new FlowField()) {
                Check.True(TowerExample.WouldClose(searcher, view, new[] { new Cell(5, 2) }, new Cell(0, 0), new Cell(11, 0)), "closed");
                var units = new[] { new Cell(0, 0), new Cell(3, 2) };
                for (int i = 0; i < 20; ++i) FlowExample.Step(view, field, new Cell(11, 0), units);
                Check.True(units[0] == new Cell(11, 0) && units[1] == new Cell(11, 0), "arrived");
            }
            using (View view = world.View(walker))
            using (var queue = new PathQueue()) {
                Task<double> walk = QueueExample.Walk(queue, new PathRequest(), new Cell(0, 2), new Cell(11, 2), CancellationToken.None);
                for (int i = 0; i < 10 && !walk.IsCompleted; ++i) QueueExample.Frame(queue, view);
                Check.Equal(11.0, walk.Result, "awaited");
                Check.Equal(6L, PlanExample.Ticks(view, new[] { new CellPair(new Cell(0, 2), new Cell(6, 2)), new CellPair(new Cell(6, 0), new Cell(7, 0)) }), "plan");
            }
            using (GridWorld other = new GridWorld(12, 3)) {
                other.Fill(new CellRect(5, 0, 1, 2), GridWorld.Wall);
                other.Commit();
                PlanExample.Repeat(world, other, w => w.SetTerrain(new Cell(5, 0), GridWorld.Free));
                Check.Equal(GridWorld.Free, other.TerrainAt(new Cell(5, 0)), "replayed");
            }
            using (var streamed = new GridWorld(new GridWorld.Definition { Width = 300, Height = 100, Streamed = true }))
            using (var searcher = new PathSearcher()) {
                uint id = streamed.AddProfile(new MoveProfile());
                streamed.Commit();
                var stream = new TileStream(streamed);
                var open = new byte[64 * 64];
                for (int i = 0; i < open.Length; ++i) open[i] = GridWorld.Free;
                Check.True(StreamExample.Find(streamed, id, stream, searcher, new Cell(1, 1), new Cell(299, 1), tile => open), "streamed");
                Check.Near(298, searcher.LastAnswer.Cost, "straight");
            }
            bool started = false;
            int rounds = 0;
            while (!IndexExample.Tick(world, walker, ref started)) {
                System.Threading.Thread.Sleep(1);
                Check.True(++rounds < 60000, "no index");
            }
        }
    }

    public static void NothingIsLeftAlive() {
        Scene.Clear();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Check.True(Library.LiveObjects < 60, "left alive: " + Library.LiveObjects);
    }
}
