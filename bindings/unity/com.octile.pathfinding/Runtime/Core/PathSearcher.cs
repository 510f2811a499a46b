// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Octile {

/// <summary>What a query found, beside the cells of its path. Plain data.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct PathAnswer {
    internal uint size;
    internal int status;
    internal double cost;
    internal ulong cost_units;
    internal double bound;
    internal ulong version, expanded, generated;
    internal UIntPtr goal_index, first, length;
    internal int solver, reserved;
    internal byte* message;

    internal static PathAnswer Empty() {
        PathAnswer answer = default(PathAnswer);
        answer.size = (uint)sizeof(PathAnswer);
        return answer;
    }

    internal static PathAnswer Of(Status status) {
        PathAnswer answer = Empty();
        answer.status = (int)status;
        return answer;
    }

    public Status Status { get { return (Status)status; } }
    /// <summary>Found or partial: there are cells.</summary>
    public bool HasPath { get { return status == 0 || status == (int)Status.Partial; } }
    /// <summary>In straight steps (in tens under <see cref="Metric.TenFourteen"/> with eight moves), times weights.</summary>
    public double Cost { get { return cost; } }
    /// <summary>The same, exact: compares without rounding within one view.</summary>
    public ulong CostUnits { get { return cost_units; } }
    /// <summary>The cost is at most this many times the cheapest; 1: exact.</summary>
    public double Bound { get { return bound; } }
    /// <summary>Of the view that was asked.</summary>
    public ulong Version { get { return version; } }
    /// <summary>Nodes taken from the open list, and put into it.</summary>
    public long Expanded { get { return (long)expanded; } }
    public long Generated { get { return (long)generated; } }
    /// <summary>Which goal of the set was reached.</summary>
    public int GoalIndex { get { return (int)goal_index; } }
    /// <summary>Of batches: where its cells begin in the list of all.</summary>
    public int First { get { return (int)first; } }
    /// <summary>Cells of the path, also when the array was too small for them.</summary>
    public int Length { get { return (int)length; } }
    /// <summary>Who answered; see <see cref="Library.SolverName"/>.</summary>
    public int Solver { get { return solver; } }
    /// <summary>"" when found, else one line. Makes a new string.</summary>
    public string Message { get { return Native.Text(message); } }
}

public enum TraceKind { Opened, Closed }

/// <summary>One thing that a search did; <c>g</c> is the cost from the start.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct TraceEvent {
    public Cell cell;
    public double g;
    public TraceKind kind;
    internal int reserved;
}

/// <summary>Records what a search does, for pictures. Belongs to one thread; empty it between
/// uses.</summary>
public sealed unsafe class SearchTrace : NativeObject {
    public SearchTrace() {
        ulong value;
        Native.Must(Native.octile_trace_create(&value));
        Own(value);
    }
    public void Clear() { Native.Must(Native.octile_trace_clear(Handle)); }
    /// <summary>Events from number <paramref name="first"/> on. Returns how many there are in all.</summary>
    public int Read(int first, TraceEvent[] events) {
        if (first < 0) throw new ArgumentOutOfRangeException("first");
        UIntPtr length;
        fixed (TraceEvent* list = events)
            Native.Must(Native.octile_trace_read(Handle, Native.N(first), list, Native.N(events == null ? 0 : events.Length), &length, null));
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>The tree of a search by steps from cell to cell (the solvers astar and dijkstra):
    /// from each closed cell (b) but the start to one over which it was reached as cheaply (a). For
    /// pictures: makes garbage.</summary>
    public void ReadTree(View view, List<CellPair> edges) {
        Arguments.NotNull(view, "view");
        Arguments.NotNull(edges, "edges");
        edges.Clear();
        var events = new TraceEvent[Read(0, null)];
        int count = Math.Min(Read(0, events), events.Length);
        var closed = new Dictionary<Cell, double>();
        for (int i = 0; i < count; ++i) {
            double g;
            if (events[i].kind != TraceKind.Closed || closed.TryGetValue(events[i].cell, out g) && g <= events[i].g) continue;
            closed[events[i].cell] = events[i].g;
        }
        // E, SE, S, SW, W, NW, N, NE.
        int[] stepX = { 1, 1, 0, -1, -1, -1, 0, 1 }, stepY = { 0, 1, 1, 1, 0, -1, -1, -1 };
        double straight, slanted;
        view.StepLengths(out straight, out slanted);
        foreach (KeyValuePair<Cell, double> one in closed) {
            double factor = view.CostAt(one.Key), best = double.PositiveInfinity;
            var from = one.Key;
            for (int i = 0; i < 8; ++i) {
                // The move i leads from `near` to this cell.
                var near = new Cell(one.Key.x - stepX[i], one.Key.y - stepY[i]);
                double g;
                if (!closed.TryGetValue(near, out g) || g >= one.Value && factor > 0 || (view.MovesAt(near) >> i & 1) == 0) continue;
                double cost = g + factor * (i % 2 == 0 ? straight : slanted);
                if (cost >= best) continue;
                best = cost;
                from = near;
            }
            // The engine counts the root of 2 to eight digits.
            if (best <= one.Value * (1 + 1e-6) + 1e-6) edges.Add(new CellPair(from, one.Key));
        }
    }

    internal override int Destroy(ulong value) { return Native.octile_trace_destroy(value); }
}

/// <summary>A query with all its options. Make one and use it again and again; one thread at a
/// time. The arrays stay yours and are read by the calls alone.</summary>
public sealed unsafe class PathQuery {
    internal Native.Query native;

    public PathQuery() {
        Library.Check();
        fixed (Native.Query* q = &native) Native.Must(Native.octile_query_init(q));
    }

    public PathQuery(Cell start, Cell goal) : this() {
        Start = start;
        Goal = goal;
    }

    public Cell Start { get { return native.start; } set { native.start = value; } }
    public Cell Goal { get { return native.goal; } set { native.goal = value; } }
    /// <summary>A set instead of <see cref="Goal"/>: the cheapest to reach wins, among equals the
    /// first. Null: the one goal.</summary>
    public Cell[] Goals;
    /// <summary>For this query alone: cells that are walls.</summary>
    public Cell[] ExtraBlocked;
    /// <summary>For this query alone: cells that cost more.</summary>
    public ExtraCost[] ExtraCosts;
    /// <summary>Of the three arrays only so many are used; -1 (the default): all.</summary>
    public int GoalCount = -1, ExtraBlockedCount = -1, ExtraCostCount = -1;
    public CancelToken Cancel;
    public SearchTrace Trace;

    /// <summary>0 (the default): the engine picks the fastest exact one.</summary>
    public int Solver { get { return native.solver; } set { native.solver = value; } }
    /// <summary>0: no limit.</summary>
    public long MaxExpansions {
        get { return (long)native.max_expansions; }
        set {
            if (value < 0) throw new ArgumentOutOfRangeException("value");
            native.max_expansions = (ulong)value;
        }
    }
    /// <summary>Paths above it end with <see cref="Status.LimitReached"/>.</summary>
    public double MaxCost { get { return native.max_cost; } set { native.max_cost = value; } }
    /// <summary>Take the nearest free cell for a start, or goal, that is a wall?</summary>
    public bool SnapStart { get { return native.snap_start != 0; } set { native.snap_start = B(value); } }
    public bool SnapGoal { get { return native.snap_goal != 0; } set { native.snap_goal = B(value); } }
    /// <summary>At most so many cells away in x and in y; default 64.</summary>
    public int SnapRadius { get { return native.snap_radius; } set { native.snap_radius = value; } }
    /// <summary>Without a path go to the nearest reached cell?</summary>
    public bool AllowPartial { get { return native.allow_partial != 0; } set { native.allow_partial = B(value); } }
    /// <summary>May a unit that stands where it cannot leave?</summary>
    public bool EscapeStart { get { return native.escape_start != 0; } set { native.escape_start = B(value); } }
    /// <summary>Is a goal reached where the unit covers it?</summary>
    public bool GoalCover { get { return native.goal_cover != 0; } set { native.goal_cover = B(value); } }
    /// <summary>Give the cells where the direction changes, not every cell?</summary>
    public bool Waypoints { get { return native.output != 0; } set { native.output = B(value); } }
    /// <summary>Pull the waypoints tight (uniform maps); needs <see cref="Waypoints"/>.</summary>
    public bool Smooth { get { return native.smooth != 0; } set { native.smooth = B(value); } }

    private static byte B(bool value) { return value ? (byte)1 : (byte)0; }

    private static int Count(Array array, int count, string name) {
        if (array == null) return 0;
        if (count < 0) return array.Length;
        if (count > array.Length) throw new ArgumentOutOfRangeException(name);
        return count;
    }

    // A copy whose pointers the caller fills in, inside `fixed`.
    internal void Fill(Native.Query* q, Cell* goals, Cell* blocked, ExtraCost* costs) {
        *q = native;
        // An empty array of goals is pinned as null; it must not mean "the one goal".
        q->goals = Goals != null && goals == null ? (Cell*)q : goals;
        q->goal_count = Native.N(Count(Goals, GoalCount, "GoalCount"));
        q->extra_blocked = blocked;
        q->extra_blocked_count = Native.N(Count(ExtraBlocked, ExtraBlockedCount, "ExtraBlockedCount"));
        q->extra_costs = costs;
        q->extra_cost_count = Native.N(Count(ExtraCosts, ExtraCostCount, "ExtraCostCount"));
        q->cancel = Cancel == null ? 0 : Cancel.Handle;
        q->trace = Trace == null ? 0 : Trace.Handle;
    }
}

/// <summary>The workspace of a thread, in which queries are answered. It grows with what searches
/// touch and is kept for the next one: once warm, a query allocates nothing, neither native nor
/// managed memory. Make one for each thread; calls that meet on one searcher throw.
/// <code>
/// var searcher = new PathSearcher();
/// var path = new Cell[1024];
/// int length;
/// if (searcher.TryFindPath(view, start, goal, path, out length)) ...
/// </code></summary>
public sealed unsafe class PathSearcher : NativeObject {
    private Native.Query simple;
    private Cell[] spare;

    public PathSearcher() {
        ulong value;
        Native.Must(Native.octile_searcher_create(&value));
        Own(value);
        fixed (Native.Query* q = &simple) Native.Must(Native.octile_query_init(q));
    }

    // ---- Paths -------------------------------------------------------------------------------

    /// <summary>A cheapest path, both ends included. False: there is none, and
    /// <see cref="LastAnswer"/> says why. <paramref name="length"/> may be more than the array
    /// takes: then read the rest by <see cref="ReadPath(int, Cell[])"/>.</summary>
    public bool TryFindPath(View view, Cell start, Cell goal, Cell[] path, out int length) {
        Status status;
        fixed (Cell* cells = path) status = Find(view, start, goal, cells, path == null ? 0 : path.Length);
        length = status == Status.Found ? last.Length : 0;
        return status == Status.Found;
    }

    /// <summary>The same into a list, which is emptied first and grows as it must.</summary>
    public bool TryFindPath(View view, Cell start, Cell goal, List<Cell> path) {
        Arguments.NotNull(path, "path");
        path.Clear();
        if (Find(view, start, goal, null, 0) != Status.Found) return false;
        AppendPath(path, last.Length);
        return true;
    }

    /// <summary>The same into memory of any kind; <paramref name="cells"/> may be null with
    /// capacity 0.</summary>
    public Status FindPath(View view, Cell start, Cell goal, Cell* cells, int capacity, out PathAnswer answer) {
        Status status = Find(view, start, goal, cells, capacity);
        answer = last;
        return status;
    }

    // The answer is written where it stays: copies of it would be a good part of a call's cost.
    private Status Find(View view, Cell start, Cell goal, Cell* cells, int capacity) {
        if (view == null) throw new ArgumentNullException("view");
        if (capacity < 0) throw new ArgumentOutOfRangeException("capacity");
        int status;
        fixed (Native.Query* q = &simple)
        fixed (PathAnswer* answer = &last) {
            q->start = start;
            q->goal = goal;
            status = Native.octile_find(Handle, view.Handle, q, cells, (UIntPtr)(uint)capacity, answer);
        }
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        if (status == (int)Status.BadArgument) Native.Throw(Status.BadArgument);
        return (Status)status;
    }

    /// <summary>The same into a span.</summary>
    public Status FindPath(View view, Cell start, Cell goal, Span<Cell> path, out PathAnswer answer) {
        fixed (Cell* cells = &MemoryMarshal.GetReference(path))
            return FindPath(view, start, goal, cells, path.Length, out answer);
    }

    /// <summary>A query with options; the array may be null.</summary>
    public Status FindPath(View view, PathQuery query, Cell[] path, out PathAnswer answer) {
        fixed (Cell* cells = path)
            return FindPath(view, query, cells, path == null ? 0 : path.Length, out answer);
    }

    /// <summary>The same into a list.</summary>
    public Status FindPath(View view, PathQuery query, List<Cell> path, out PathAnswer answer) {
        Arguments.NotNull(path, "path");
        path.Clear();
        Status status = FindPath(view, query, null, 0, out answer);
        if (answer.HasPath) AppendPath(path, answer.Length);
        return status;
    }

    /// <summary>The same into memory of any kind.</summary>
    public Status FindPath(View view, PathQuery query, Cell* cells, int capacity, out PathAnswer answer) {
        if (view == null) throw new ArgumentNullException("view");
        if (query == null) throw new ArgumentNullException("query");
        if (capacity < 0) throw new ArgumentOutOfRangeException("capacity");
        int status;
        fixed (PathAnswer* written = &last)
        fixed (Cell* goals = query.Goals)
        fixed (Cell* blocked = query.ExtraBlocked)
        fixed (ExtraCost* costs = query.ExtraCosts) {
            Native.Query q;
            query.Fill(&q, goals, blocked, costs);
            status = Native.octile_find(Handle, view.Handle, &q, cells, (UIntPtr)(uint)capacity, written);
        }
        GC.KeepAlive(query);
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        if (status == (int)Status.BadArgument) Native.Throw(Status.BadArgument);
        answer = last;
        return (Status)status;
    }

    private PathAnswer last = PathAnswer.Empty();

    /// <summary>Of the last query for a path.</summary>
    public PathAnswer LastAnswer { get { return last; } }

    /// <summary>The path of the last answer once more, from cell <paramref name="first"/> on.
    /// Returns how many cells there are from there to its end, which may be more than the array
    /// takes.</summary>
    public int ReadPath(int first, Cell[] path) {
        if (first < 0) throw new ArgumentOutOfRangeException("first");
        UIntPtr length;
        fixed (Cell* cells = path)
            Native.Must(Native.octile_searcher_path(Handle, Native.N(first), cells, Native.N(path == null ? 0 : path.Length), &length));
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>The same as world positions of the cells' centres.</summary>
    public int ReadPoints(int first, WorldPoint[] points) {
        if (first < 0) throw new ArgumentOutOfRangeException("first");
        UIntPtr length;
        fixed (WorldPoint* list = points)
            Native.Must(Native.octile_searcher_points(Handle, Native.N(first), list, Native.N(points == null ? 0 : points.Length), &length));
        GC.KeepAlive(this);
        return (int)length;
    }

    private void AppendPath(List<Cell> path, int length) {
        if (spare == null || spare.Length < length) spare = new Cell[Math.Max(256, length + length / 2)];
        ReadPath(0, spare);
        if (path.Capacity < length) path.Capacity = length;
        for (int i = 0; i < length; ++i) path.Add(spare[i]);
    }

    // ---- Slices ------------------------------------------------------------------------------

    /// <summary>Begins a query that <see cref="Step"/> answers bit by bit; drops one that has not
    /// ended. The query is copied, edits and disposed views do not disturb it.</summary>
    public void Begin(View view, PathQuery query) {
        if (view == null) throw new ArgumentNullException("view");
        if (query == null) throw new ArgumentNullException("query");
        fixed (Cell* goals = query.Goals)
        fixed (Cell* blocked = query.ExtraBlocked)
        fixed (ExtraCost* costs = query.ExtraCosts) {
            Native.Query q;
            query.Fill(&q, goals, blocked, costs);
            Native.Must(Native.octile_searcher_begin(Handle, view.Handle, &q));
        }
        GC.KeepAlive(query);
        GC.KeepAlive(view);
        GC.KeepAlive(this);
    }

    /// <summary>Goes on for about <paramref name="expansions"/> nodes (1 or more). True when the
    /// query has ended: then the answer and the cells are there. Error: nothing was begun.</summary>
    public bool Step(long expansions, Cell[] path, out PathAnswer answer) {
        if (expansions <= 0) throw new ArgumentOutOfRangeException("expansions");
        PathAnswer result = PathAnswer.Empty();
        int done = 0;
        int status;
        fixed (Cell* cells = path)
            status = Native.octile_searcher_step(Handle, (ulong)expansions, cells, Native.N(path == null ? 0 : path.Length), &result, &done);
        GC.KeepAlive(this);
        if (status == (int)Status.BadArgument) Native.Throw(Status.BadArgument);
        answer = result;
        if (done != 0) last = result;
        return done != 0;
    }

    // ---- Without paths -----------------------------------------------------------------------

    /// <summary>Cost of a cheapest path; infinite when there is none.</summary>
    public double Distance(View view, Cell start, Cell goal) {
        if (view == null) throw new ArgumentNullException("view");
        double cost;
        var ends = new CellPair(start, goal);
        Native.Must(Native.octile_distance(Handle, view.Handle, &ends, &cost));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        return cost;
    }

    /// <summary>result[i * targets.Length + j]: from sources[i] to targets[j].</summary>
    public void Distances(View view, Cell[] sources, Cell[] targets, double[] result) {
        Arguments.NotNull(view, "view");
        Arguments.NotNull(sources, "sources");
        Arguments.NotNull(targets, "targets");
        Arguments.NotNull(result, "result");
        if (sources.LongLength * targets.LongLength > result.LongLength)
            throw new ArgumentException("the table has " + sources.LongLength * targets.LongLength + " distances, the array " + result.Length, "result");
        fixed (Cell* from = sources)
        fixed (Cell* to = targets)
        fixed (double* table = result) Distances(view, from, sources.Length, to, targets.Length, table);
    }

    /// <summary>The same in memory of any kind; <paramref name="result"/> has room for all.</summary>
    public void Distances(View view, Cell* sources, int sourceCount, Cell* targets, int targetCount, double* result) {
        Arguments.NotNull(view, "view");
        if (sourceCount < 0) throw new ArgumentOutOfRangeException("sourceCount");
        if (targetCount < 0) throw new ArgumentOutOfRangeException("targetCount");
        Native.Must(Native.octile_distances(Handle, view.Handle, sources, Native.N(sourceCount), targets, Native.N(targetCount), result));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
    }

    /// <summary>The cell after the start on the path; the start itself when it is the goal or
    /// there is none.</summary>
    public Cell FirstMove(View view, Cell start, Cell goal) {
        if (view == null) throw new ArgumentNullException("view");
        Cell cell;
        var ends = new CellPair(start, goal);
        Native.Must(Native.octile_first_move(Handle, view.Handle, &ends, &cell));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        return cell;
    }

    /// <summary>Would walls on these cells split a region in two? For towers that must not close
    /// the way.</summary>
    public bool WouldDisconnect(View view, Cell[] cells, int count) {
        int first;
        return WouldDisconnect(view, cells, count, null, 0, out first);
    }

    /// <summary>Would they cut off the ends of one of the pairs (of entry and exit, say) that are
    /// connected now? <paramref name="first"/>: the number of that pair, or
    /// <paramref name="pairCount"/>.</summary>
    public bool WouldDisconnect(View view, Cell[] cells, int count, CellPair[] pairs, int pairCount, out int first) {
        Arguments.NotNull(view, "view");
        Arguments.Fits(cells, count, "cells");
        if (pairs != null || pairCount != 0) Arguments.Fits(pairs, pairCount, "pairs");
        int answer;
        UIntPtr number;
        fixed (Cell* walls = cells)
        fixed (CellPair* ends = pairs)
            Native.Must(Native.octile_would_disconnect(Handle, view.Handle, walls, Native.N(count), ends, Native.N(pairCount), &answer, &number));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        first = (int)number;
        return answer != 0;
    }

    // ---- Memory ------------------------------------------------------------------------------

    /// <summary>Native bytes that it holds.</summary>
    public long Bytes {
        get {
            UIntPtr bytes;
            Native.Must(Native.octile_searcher_memory(Handle, &bytes));
            GC.KeepAlive(this);
            return (long)(ulong)bytes;
        }
    }

    /// <summary>Gives all memory back; drops a query that has not ended.</summary>
    public void Release() {
        Native.Must(Native.octile_searcher_release(Handle));
        GC.KeepAlive(this);
    }

    internal override int Destroy(ulong value) { return Native.octile_searcher_destroy(value); }
}

}  // namespace Octile
