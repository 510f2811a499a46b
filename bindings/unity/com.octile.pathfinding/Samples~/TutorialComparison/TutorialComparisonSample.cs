// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using System.Collections.Generic;
using System.Diagnostics;
using Octile;
using UnityEngine;

/// <summary>The searches of five well-known Unity write-ups, each in its own way, beside Octile on
/// the same map and under the same moves: what the path costs, how many nodes were taken from the open
/// list, and how long it took. Costs are in tens (10 straight, 14 diagonal). Add this to an empty
/// object of an empty scene and press play: it prints to the console.</summary>
public sealed class TutorialComparisonSample : MonoBehaviour {
    [Tooltip("Cells each way.")] public int size = 120;
    [Tooltip("Share of walls, strewn at random.")] [Range(0, 0.5f)] public float walls = 0.3f;
    [Tooltip("Another one gives another map.")] public int seed = 1;

    /// <summary>What one of them did.</summary>
    public struct Row {
        public string Name;
        public bool Found;
        public double Cost, Milliseconds;
        public long Expanded;
        /// <summary>Octile on the same question: the cheapest path there is.</summary>
        public double Best, OctileMilliseconds;
        public long OctileExpanded;
    }

    public readonly List<Row> Rows = new List<Row>();

    private GridMap map;

    private void Start() {
        var ground = new GameObject("map");
        ground.SetActive(false);
        map = ground.AddComponent<GridMap>();
        map.width = map.height = size;
        map.source = GridMap.Source.Empty;
        ground.SetActive(true);
        var corner = new Cell(size - 1, size - 1);
        var four = new MoveProfile { Moves = Moves.Four, Metric = Metric.TenFourteen };
        uint id = map.World.AddProfile(four);
        for (;; ++seed) {
            var random = new System.Random(seed);
            var terrain = new byte[size * size];
            for (int i = 0; i < terrain.Length; ++i) terrain[i] = random.NextDouble() < walls && i != 0 && i != terrain.Length - 1 ? GridWorld.Wall : GridWorld.Free;
            map.World.Stamp(map.World.Bounds, terrain);
            map.Commit();
            // Until even four moves lead across.
            using (View view = map.World.View(id)) if (view.Connected(new Cell(0, 0), corner)) break;
        }
        Compare(new Cell(0, 0), corner);
        foreach (Row row in Rows)
            UnityEngine.Debug.Log(string.Format("{0}: cost {1:0} (cheapest {2:0}), {3} expanded, {4:0.000} ms; Octile: {5} expanded, {6:0.000} ms",
                row.Name, row.Cost, row.Best, row.Expanded, row.Milliseconds, row.OctileExpanded, row.OctileMilliseconds));
    }

    /// <summary>Runs them all between two cells of the map.</summary>
    public void Compare(Cell start, Cell goal) {
        Rows.Clear();
        var free = new byte[size * size];
        map.View.ReadPassable(map.World.Bounds, free);
        var grid = new TutorialGrid(free, size);
        var all = new MoveProfile { Diagonal = Diagonal.Always, Metric = Metric.TenFourteen };
        var strict = new MoveProfile { Diagonal = Diagonal.NoObstacles, Metric = Metric.TenFourteen };
        var four = new MoveProfile { Moves = Moves.Four, Metric = Metric.TenFourteen };
        Add("A: binary heap, corners cut", all, start, goal, s => grid.Search(s, start, goal, TutorialGrid.Open.Heap, true, true, 1, 1));
        Add("B: sorted set, four moves", four, start, goal, s => grid.Search(s, start, goal, TutorialGrid.Open.Sorted, false, false, 1, 1));
        Add("C: Dijkstra backward from the goal, for all units", all, start, goal, s => grid.Search(s, goal, start, TutorialGrid.Open.Heap, true, true, 1, 0));
        Add("D: quadtree, from centre to centre", strict, start, goal, s => grid.SearchLeaves(s, start, goal));
        Add("E simple: list, greedy", strict, start, goal, s => grid.Search(s, start, goal, TutorialGrid.Open.List, true, false, 0, 1));
        Add("E optimised: heap, an estimate ten times too small", strict, start, goal, s => grid.Search(s, start, goal, TutorialGrid.Open.Heap, true, false, 1, 0.1));
    }

    private void Add(string name, MoveProfile profile, Cell start, Cell goal, Action<TutorialGrid.Result> run) {
        var row = new Row { Name = name };
        uint id = map.World.AddProfile(profile);
        using (View view = map.World.View(id)) {
            var query = new PathQuery(start, goal);
            PathAnswer answer = default(PathAnswer);
            row.OctileMilliseconds = Least(() => map.Searcher.FindPath(view, query, (Cell[])null, out answer));
            // Four moves are counted in steps under every metric.
            double unit = profile.Moves == Moves.Four ? 10 : 1;
            row.Best = answer.HasPath ? unit * answer.Cost : double.PositiveInfinity;
            row.OctileExpanded = answer.Expanded;
        }
        map.World.RemoveProfile(id);
        var result = new TutorialGrid.Result();
        row.Milliseconds = Least(() => run(result));
        row.Found = result.Found;
        row.Cost = result.Cost;
        row.Expanded = result.Expanded;
        Rows.Add(row);
    }

    // The first run finds cold memory and code that was not compiled yet.
    private static double Least(Action action) {
        double least = double.PositiveInfinity;
        for (int i = 0; i < 3; ++i) {
            var watch = Stopwatch.StartNew();
            action();
            least = Math.Min(least, watch.Elapsed.TotalMilliseconds);
        }
        return least;
    }
}

/// <summary>A grid and textbook searches on it, written plainly.</summary>
public sealed class TutorialGrid {
    public enum Open { List, Heap, Sorted }

    public sealed class Result {
        public bool Found;
        public double Cost;
        public long Expanded;
    }

    private readonly byte[] free;
    private readonly int size;
    private double[] g, f, h;
    private int[] state;  // 0: new, 1: open, 2: closed

    public TutorialGrid(byte[] free, int size) {
        this.free = free;
        this.size = size;
    }

    /// <summary>Best first by gFactor * g + hFactor * estimate, ties to the lower estimate.</summary>
    public void Search(Result result, Cell start, Cell goal, Open kind, bool diagonals, bool cutCorners, double gFactor, double hFactor) {
        int cells = size * size, first = start.y * size + start.x, last = goal.y * size + goal.x;
        Forget(cells);
        result.Found = false;
        result.Expanded = 0;
        result.Cost = double.PositiveInfinity;
        OpenNodes open = kind == Open.List ? new ListNodes(this) : kind == Open.Heap ? (OpenNodes)new HeapNodes(this, cells) : new SortedNodes(this);
        if (free[first] == 0 || free[last] == 0) return;
        state[first] = 1;
        open.Add(first);
        while (open.Count > 0) {
            int node = open.Take();
            state[node] = 2;
            ++result.Expanded;
            if (node == last) {
                result.Found = true;
                result.Cost = g[node];
                return;
            }
            int x = node % size, y = node / size;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    bool slanted = dx != 0 && dy != 0;
                    if (dx == 0 && dy == 0 || slanted && !diagonals || !Free(x + dx, y + dy)) continue;
                    if (slanted && !cutCorners && !(Free(x + dx, y) && Free(x, y + dy))) continue;
                    int to = (y + dy) * size + x + dx;
                    double cost = g[node] + (slanted ? 14 : 10);
                    if (state[to] == 2 || state[to] == 1 && cost >= g[to]) continue;
                    int straight = Math.Abs(goal.x - x - dx), down = Math.Abs(goal.y - y - dy);
                    double estimate = diagonals ? 10 * Math.Max(straight, down) + 4 * Math.Min(straight, down) : 10 * (straight + down);
                    if (state[to] == 1) open.Remove(to);
                    g[to] = cost;
                    h[to] = hFactor * estimate;
                    f[to] = gFactor * cost + h[to];
                    state[to] = 1;
                    open.Add(to);
                }
        }
    }

    private bool Free(int x, int y) { return x >= 0 && y >= 0 && x < size && y < size && free[y * size + x] != 0; }

    private void Forget(int nodes) {
        g = new double[nodes];
        f = new double[nodes];
        h = new double[nodes];
        state = new int[nodes];
    }

    // ---- A quadtree: squares that are free as a whole, and the ways between their centres ----------

    private struct Leaf {
        public int x, y, side;
        public double CenterX { get { return x + side * 0.5; } }
        public double CenterY { get { return y + side * 0.5; } }
    }

    private List<Leaf> leaves;
    private List<int>[] beside;
    private int[] leafOf;

    private void Divide(int x, int y, int side) {
        if (x >= size || y >= size) return;
        bool inside = x + side <= size && y + side <= size;
        int walls = 0;
        if (inside)
            for (int i = 0; i < side * side && walls == 0; ++i) walls += free[(y + i / side) * size + x + i % side] == 0 ? 1 : 0;
        if (inside && walls == 0) {
            for (int i = 0; i < side * side; ++i) leafOf[(y + i / side) * size + x + i % side] = leaves.Count;
            leaves.Add(new Leaf { x = x, y = y, side = side });
        } else if (side > 1) {
            int half = side / 2;
            Divide(x, y, half);
            Divide(x + half, y, half);
            Divide(x, y + half, half);
            Divide(x + half, y + half, half);
        }
    }

    private void MakeLeaves() {
        leaves = new List<Leaf>();
        leafOf = new int[size * size];
        for (int i = 0; i < leafOf.Length; ++i) leafOf[i] = -1;
        int side = 1;
        while (side < size) side *= 2;
        Divide(0, 0, side);
        beside = new List<int>[leaves.Count];
        for (int i = 0; i < beside.Length; ++i) beside[i] = new List<int>();
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (x + 1 < size) Join(leafOf[y * size + x], leafOf[y * size + x + 1]);
                if (y + 1 < size) Join(leafOf[y * size + x], leafOf[y * size + size + x]);
            }
    }

    private void Join(int a, int b) {
        if (a < 0 || b < 0 || a == b || beside[a].Contains(b)) return;
        beside[a].Add(b);
        beside[b].Add(a);
    }

    private static double Way(double x, double y) { return 10 * Math.Max(Math.Abs(x), Math.Abs(y)) + 4 * Math.Min(Math.Abs(x), Math.Abs(y)); }

    /// <summary>The tree is made once, and not counted.</summary>
    public void SearchLeaves(Result result, Cell start, Cell goal) {
        if (leaves == null) MakeLeaves();
        Forget(leaves.Count);
        result.Found = false;
        result.Expanded = 0;
        result.Cost = double.PositiveInfinity;
        int first = leafOf[start.y * size + start.x], last = leafOf[goal.y * size + goal.x];
        if (first < 0 || last < 0) return;
        double ends = Way(start.x + 0.5 - leaves[first].CenterX, start.y + 0.5 - leaves[first].CenterY)
            + Way(goal.x + 0.5 - leaves[last].CenterX, goal.y + 0.5 - leaves[last].CenterY);
        var open = new HeapNodes(this, leaves.Count);
        state[first] = 1;
        open.Add(first);
        while (open.Count > 0) {
            int node = open.Take();
            state[node] = 2;
            ++result.Expanded;
            if (node == last) {
                result.Found = true;
                result.Cost = g[node] + ends;
                return;
            }
            foreach (int to in beside[node]) {
                double cost = g[node] + Way(leaves[to].CenterX - leaves[node].CenterX, leaves[to].CenterY - leaves[node].CenterY);
                if (state[to] == 2 || state[to] == 1 && cost >= g[to]) continue;
                if (state[to] == 1) open.Remove(to);
                g[to] = cost;
                h[to] = Way(leaves[to].CenterX - leaves[last].CenterX, leaves[to].CenterY - leaves[last].CenterY);
                f[to] = cost + h[to];
                state[to] = 1;
                open.Add(to);
            }
        }
    }

    // ---- Open lists ------------------------------------------------------------------------------

    private int Compare(int a, int b) {
        int order = f[a].CompareTo(f[b]);
        if (order == 0) order = h[a].CompareTo(h[b]);
        return order == 0 ? a.CompareTo(b) : order;
    }

    // A node is removed before its values change.
    private abstract class OpenNodes {
        public abstract int Count { get; }
        public abstract void Add(int node);
        public abstract void Remove(int node);
        public abstract int Take();
    }

    private sealed class ListNodes : OpenNodes {
        private readonly TutorialGrid grid;
        private readonly List<int> nodes = new List<int>();
        public ListNodes(TutorialGrid grid) { this.grid = grid; }
        public override int Count { get { return nodes.Count; } }
        public override void Add(int node) { nodes.Add(node); }
        public override void Remove(int node) { nodes.Remove(node); }
        public override int Take() {
            int best = 0;
            for (int i = 1; i < nodes.Count; ++i) if (grid.Compare(nodes[i], nodes[best]) < 0) best = i;
            int node = nodes[best];
            nodes.RemoveAt(best);
            return node;
        }
    }

    private sealed class SortedNodes : OpenNodes {
        private readonly SortedSet<int> nodes;
        public SortedNodes(TutorialGrid grid) { nodes = new SortedSet<int>(Comparer<int>.Create(grid.Compare)); }
        public override int Count { get { return nodes.Count; } }
        public override void Add(int node) { nodes.Add(node); }
        public override void Remove(int node) { nodes.Remove(node); }
        public override int Take() {
            int node = nodes.Min;
            nodes.Remove(node);
            return node;
        }
    }

    // Nodes know where they are: parent (n - 1) / 2, children 2n + 1 and 2n + 2.
    private sealed class HeapNodes : OpenNodes {
        private readonly TutorialGrid grid;
        private readonly List<int> nodes = new List<int>();
        private readonly int[] place;
        public HeapNodes(TutorialGrid grid, int most) {
            this.grid = grid;
            place = new int[most];
        }
        public override int Count { get { return nodes.Count; } }
        public override void Add(int node) {
            nodes.Add(node);
            Up(nodes.Count - 1, node);
        }
        public override int Take() {
            int node = nodes[0];
            Remove(node);
            return node;
        }
        public override void Remove(int node) {
            int at = place[node], moved = nodes[nodes.Count - 1];
            nodes.RemoveAt(nodes.Count - 1);
            if (moved == node) return;
            Down(at, moved);
            Up(place[moved], moved);
        }
        private void Put(int at, int node) {
            nodes[at] = node;
            place[node] = at;
        }
        private void Up(int at, int node) {
            while (at > 0 && grid.Compare(node, nodes[(at - 1) / 2]) < 0) {
                Put(at, nodes[(at - 1) / 2]);
                at = (at - 1) / 2;
            }
            Put(at, node);
        }
        private void Down(int at, int node) {
            for (;;) {
                int child = 2 * at + 1;
                if (child >= nodes.Count) break;
                if (child + 1 < nodes.Count && grid.Compare(nodes[child + 1], nodes[child]) < 0) ++child;
                if (grid.Compare(nodes[child], node) >= 0) break;
                Put(at, nodes[child]);
                at = child;
            }
            Put(at, node);
        }
    }
}
