// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// For many units: flow fields, batches of queries, orders for groups, steps without collisions.

using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Octile {

/// <summary>What <see cref="FlowField.Update"/> did.</summary>
public enum FieldUpdate { Kept, Repaired, Rebuilt }

/// <summary>Distances and directions of all cells to one or many goals: one search serves any
/// number of units. Reading is for any number of threads; <see cref="Build(View, Cell[], int, double)"/>
/// and <see cref="Update"/> are for one, while nobody reads.</summary>
public sealed unsafe class FlowField : NativeObject {
    /// <summary>Directions: 0 to 7 are E, SE, S, SW, W, NW, N, NE (south is +y).</summary>
    public const byte AtGoal = 8, Unreached = 255;

    private long field;

    public FlowField() {
        ulong value;
        Native.Must(Native.octile_field_maker_create(&value));
        Own(value);
    }

    /// <summary>Of one goal.</summary>
    public void Build(View view, Cell goal, double maxCost = double.PositiveInfinity) {
        Build(view, &goal, 1, null, maxCost);
    }

    /// <summary>Of the first <paramref name="count"/> goals; blocked ones do not count while
    /// another one is free. Cells farther away than <paramref name="maxCost"/> are not reached.
    /// Errors: a goal outside the map, all goals blocked.</summary>
    public void Build(View view, Cell[] goals, int count, double maxCost = double.PositiveInfinity) {
        Arguments.Fits(goals, count, "goals");
        fixed (Cell* list = goals) Build(view, list, count, null, maxCost);
    }

    private void Build(View view, Cell* goals, int count, double* offsets, double maxCost) {
        Arguments.NotNull(view, "view");
        Native.FieldQuery query;
        Native.Must(Native.octile_field_query_init(&query));
        query.goals = goals;
        query.goal_count = Native.N(count);
        query.offsets = offsets;
        query.max_cost = maxCost;
        ulong value = (ulong)field;
        Native.Must(Native.octile_field_build(Handle, view.Handle, &query, &value));
        field = (long)value;
        // Disposed of meanwhile, by another thread: nobody would give the new field back.
        if (IsDisposed) GiveBack();
        GC.KeepAlive(view);
        GC.KeepAlive(this);
    }

    private void GiveBack() {
        long value = Interlocked.Exchange(ref field, 0);
        if (value != 0) Native.octile_field_destroy((ulong)value);
    }

    /// <summary>After edits: brings it to another view of the same map and profile; the distances
    /// are those of a new field.</summary>
    public FieldUpdate Update(View view) {
        Arguments.NotNull(view, "view");
        int how;
        Native.Must(Native.octile_field_update(Handle, view.Handle, Field, &how));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        return (FieldUpdate)how;
    }

    /// <summary>Was it built?</summary>
    public bool IsBuilt { get { return field != 0; } }

    internal ulong Field {
        get {
            if (IsDisposed) throw new ObjectDisposedException("FlowField");
            if (field == 0) throw new InvalidOperationException("the flow field was not built yet");
            return (ulong)field;
        }
    }

    /// <summary>Cost of the cheapest way from the cell to a goal; infinite when not reached.</summary>
    public double Distance(Cell cell) {
        double value;
        Native.Must(Native.octile_field_distances(Field, &cell, (UIntPtr)1, &value));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>0 to 7, <see cref="AtGoal"/> or <see cref="Unreached"/>.</summary>
    public byte Direction(Cell cell) {
        byte value;
        Native.Must(Native.octile_field_directions(Field, &cell, (UIntPtr)1, &value));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>The cell that follows on the way; the cell itself at a goal and where none is
    /// reached.</summary>
    public Cell Next(Cell cell) {
        Cell value;
        Native.Must(Native.octile_field_next(Field, &cell, (UIntPtr)1, &value));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>The same of many units in one call; <paramref name="next"/> may be
    /// <paramref name="cells"/>.</summary>
    public void Next(Cell[] cells, int count, Cell[] next) {
        Arguments.Fits(cells, count, "cells");
        Arguments.Fits(next, count, "next");
        fixed (Cell* from = cells)
        fixed (Cell* to = next) Next(from, count, to);
    }

    /// <summary>The same in memory of any kind, as of a NativeArray.</summary>
    public void Next(Cell* cells, int count, Cell* next) {
        if (count < 0) throw new ArgumentOutOfRangeException("count");
        Native.Must(Native.octile_field_next(Field, cells, Native.N(count), next));
        GC.KeepAlive(this);
    }

    public void Distances(Cell[] cells, int count, double[] distances) {
        Arguments.Fits(cells, count, "cells");
        Arguments.Fits(distances, count, "distances");
        fixed (Cell* from = cells)
        fixed (double* to = distances) Native.Must(Native.octile_field_distances(Field, from, Native.N(count), to));
        GC.KeepAlive(this);
    }

    public void Directions(Cell[] cells, int count, byte[] directions) {
        Arguments.Fits(cells, count, "cells");
        Arguments.Fits(directions, count, "directions");
        fixed (Cell* from = cells)
        fixed (byte* to = directions) Native.Must(Native.octile_field_directions(Field, from, Native.N(count), to));
        GC.KeepAlive(this);
    }

    /// <summary>Distances of a rectangle, row by row, which may reach outside the map.</summary>
    public void ReadDistances(CellRect rect, double[] distances) {
        Arguments.FitsRect(distances, rect, "distances");
        fixed (double* values = distances)
            Native.Must(Native.octile_field_read(Field, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    /// <summary>Directions of a rectangle, row by row.</summary>
    public void ReadDirections(CellRect rect, byte[] directions) {
        Arguments.FitsRect(directions, rect, "directions");
        fixed (byte* values = directions)
            Native.Must(Native.octile_field_flow(Field, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    /// <summary>The cells within a cost of a goal, by y, then x. Build the field round a unit, and
    /// this is where it can go in a turn (where entering and leaving a cell cost the same: else the
    /// costs are those of the way back). Returns how many there are, which may be more than the
    /// array takes.</summary>
    public int Within(double cost, Cell[] cells) {
        UIntPtr length;
        fixed (Cell* list = cells)
            Native.Must(Native.octile_field_within(Field, cost, list, Native.N(cells == null ? 0 : cells.Length), &length));
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>Follows the directions from a cell. The searcher keeps the path, for
    /// <see cref="PathSearcher.ReadPath"/>.</summary>
    public Status Path(PathSearcher searcher, Cell start, Cell[] path, out PathAnswer answer) {
        Arguments.NotNull(searcher, "searcher");
        PathAnswer result = PathAnswer.Empty();
        int status;
        fixed (Cell* cells = path)
            status = Native.octile_field_path(searcher.Handle, Field, start.x, start.y, cells, Native.N(path == null ? 0 : path.Length), &result);
        GC.KeepAlive(searcher);
        GC.KeepAlive(this);
        if (status == (int)Status.BadArgument) Native.Throw(Status.BadArgument);
        answer = result;
        return (Status)status;
    }

    /// <summary>Native memory of the distances.</summary>
    public long Bytes {
        get {
            UIntPtr bytes;
            Native.Must(Native.octile_field_view(Field, null, &bytes));
            GC.KeepAlive(this);
            return (long)(ulong)bytes;
        }
    }

    internal override int Destroy(ulong value) {
        GiveBack();
        return Native.octile_field_maker_destroy(value);
    }
}

/// <summary>Many queries in one call, over threads. Queries that share a goal, or on uniform maps a
/// start, are answered from one field. The answers depend on the view and the list alone. Belongs
/// to one thread at a time.</summary>
public sealed unsafe class PathBatch : NativeObject {
    private int threads = 1;
    private long cacheBytes;

    public PathBatch() {
        ulong value;
        Native.Must(Native.octile_batch_create(&value));
        Own(value);
    }

    /// <summary>1 to 64; the answers are the same.</summary>
    public int Threads {
        get { return threads; }
        set {
            if (value < 1 || value > 64) throw new ArgumentOutOfRangeException("value");
            threads = value;
        }
    }

    /// <summary>Fields of so many bytes are kept for the next call; 0 by default.</summary>
    public long CacheBytes {
        get { return cacheBytes; }
        set {
            if (value < 0) throw new ArgumentOutOfRangeException("value");
            cacheBytes = value;
        }
    }

    /// <summary>Of all queries; or null.</summary>
    public CancelToken Cancel;

    /// <summary>Answers pairs of start (a) and goal (b); all else as in <paramref name="like"/>,
    /// or the defaults. The paths follow each other in <paramref name="cells"/>: that of answers[i]
    /// begins at its <see cref="PathAnswer.First"/>. Both arrays may be null. Returns the cells of
    /// all paths, which may be more than the array takes: then call <see cref="ReadCells"/>.</summary>
    public int Run(View view, CellPair[] pairs, int count, PathAnswer[] answers, Cell[] cells, PathQuery like = null) {
        Arguments.Fits(pairs, count, "pairs");
        if (answers != null) Arguments.Fits(answers, count, "answers");
        fixed (CellPair* list = pairs)
        fixed (PathAnswer* told = answers)
        fixed (Cell* result = cells)
            return Run(view, list, count, told, result, cells == null ? 0 : cells.Length, like);
    }

    /// <summary>The same in memory of any kind, as of a NativeArray; <paramref name="answers"/> and
    /// <paramref name="cells"/> may be null.</summary>
    public int Run(View view, CellPair* pairs, int count, PathAnswer* answers, Cell* cells, int capacity, PathQuery like = null) {
        Arguments.NotNull(view, "view");
        if (count < 0) throw new ArgumentOutOfRangeException("count");
        if (capacity < 0) throw new ArgumentOutOfRangeException("capacity");
        Native.BatchOptions options;
        Native.Must(Native.octile_batch_options_init(&options));
        options.threads = (uint)threads;
        options.cache_bytes = (ulong)cacheBytes;
        options.cancel = Cancel == null ? 0 : Cancel.Handle;
        if (answers != null)
            for (int i = 0; i < count; ++i) answers[i].size = (uint)sizeof(PathAnswer);
        UIntPtr length;
        int status;
        fixed (Cell* blocked = like == null ? null : like.ExtraBlocked)
        fixed (ExtraCost* costs = like == null ? null : like.ExtraCosts) {
            Native.Query query;
            if (like != null) {
                if (like.Goals != null || like.Trace != null || like.Cancel != null)
                    throw new ArgumentException("queries of a batch have no goal sets, no trace and no token of their own", "like");
                like.Fill(&query, null, blocked, costs);
            }
            status = Native.octile_batch_pairs(Handle, view.Handle, like == null ? null : &query, pairs, Native.N(count), &options, answers,
                cells, Native.N(capacity), &length, null);
        }
        GC.KeepAlive(like);
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        Native.Must(status);
        return (int)length;
    }

    /// <summary>The cells of the last run once more, from number <paramref name="first"/> on.</summary>
    public int ReadCells(int first, Cell[] cells) {
        if (first < 0) throw new ArgumentOutOfRangeException("first");
        UIntPtr length;
        fixed (Cell* list = cells)
            Native.Must(Native.octile_batch_cells(Handle, Native.N(first), list, Native.N(cells == null ? 0 : cells.Length), &length));
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>Forgets all fields and answers.</summary>
    public void Clear() {
        Native.Must(Native.octile_batch_clear(Handle));
        GC.KeepAlive(this);
    }

    /// <summary>Native bytes that it holds.</summary>
    public long Bytes {
        get {
            UIntPtr bytes;
            Native.Must(Native.octile_batch_memory(Handle, &bytes));
            GC.KeepAlive(this);
            return (long)(ulong)bytes;
        }
    }

    internal override int Destroy(ulong value) { return Native.octile_batch_destroy(value); }
}

public enum Formation { Compact, Box, Column, Wedge, KeepShape }

/// <summary>A unit of a group: where it stands, and which of the views it walks by.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct GroupUnit {
    public Cell cell;
    public uint view;
    public GroupUnit(Cell cell, uint view = 0) {
        this.cell = cell;
        this.view = view;
    }
}

/// <summary>Another unit on the map: a cell that it covers, where it is going (a direction; (0, 0): it
/// rests), and its share of the speed of the units, 0 to 1.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct GroupFriend {
    public Cell cell;
    public Cell heading;
    public double speed;
    public GroupFriend(Cell cell, Cell heading = default(Cell), double speed = 1) {
        this.cell = cell;
        this.heading = heading;
        this.speed = speed;
    }
}

/// <summary>Where a unit of a group shall go.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct GroupSlot {
    internal int status;
    /// <summary>The slot; without one the unit's own cell.</summary>
    public Cell cell;
    /// <summary>How far behind the foremost slot it lies, in cells.</summary>
    public uint rank;
    /// <summary>Cost of the way to it; infinite without a slot.</summary>
    public double distance;
    /// <summary>Share of full speed at which all arrive together, 0 to 1.</summary>
    public double pace;
    /// <summary>Found, Partial, NoPath, StartBlocked or StartOutOfBounds.</summary>
    public Status Status { get { return (Status)status; } }
}

/// <summary>One order for many units: a slot for each, and the best choice of who takes
/// which.</summary>
public sealed unsafe class GroupOrder {
    public Formation Formation = Formation.Compact;
    /// <summary>Where the formation looks to, a direction; (0, 0): from the units to the goal.</summary>
    public Cell Facing;
    /// <summary>Cells between two units at least, 0 to 32.</summary>
    public int Spacing;
    /// <summary>Units abreast in a box (0: about as many as ranks) or column (0: one).</summary>
    public int Files;
    /// <summary>Does who cannot reach the goal go as near as can be?</summary>
    public bool AllowPartial = true;
    /// <summary>Other units on the map: ways past them cost more, and nobody gets a slot where one
    /// rests.</summary>
    public GroupFriend[] Friends;
    /// <summary>How many of them count; -1: all.</summary>
    public int FriendCount = -1;
    /// <summary>What a friend costs that moves, and one that rests, in straight steps.</summary>
    public double FriendMoving = 1, FriendResting = 4;

    /// <summary>Units that were placed, and that were left without a slot, by the last order.</summary>
    public int Placed { get; private set; }
    public int Left { get; private set; }

    private readonly ulong[] handles = new ulong[16];

    /// <summary>Fills slots[0 .. count). All views are of one map, at most 16, one for each kind of
    /// unit. Errors: values out of range, a goal outside the map.</summary>
    public void Order(PathSearcher searcher, View[] views, GroupUnit[] units, int count, Cell goal, GroupSlot[] slots) {
        Arguments.NotNull(searcher, "searcher");
        Arguments.NotNull(views, "views");
        if (views.Length > handles.Length) throw new ArgumentException("at most " + handles.Length + " views", "views");
        for (int i = 0; i < views.Length; ++i) {
            Arguments.NotNull(views[i], "views");
            handles[i] = views[i].Handle;
        }
        Order(searcher, views.Length, units, count, goal, slots);
        GC.KeepAlive(views);
    }

    /// <summary>The same for units of one kind.</summary>
    public void Order(PathSearcher searcher, View view, GroupUnit[] units, int count, Cell goal, GroupSlot[] slots) {
        Arguments.NotNull(searcher, "searcher");
        Arguments.NotNull(view, "view");
        handles[0] = view.Handle;
        Order(searcher, 1, units, count, goal, slots);
        GC.KeepAlive(view);
    }

    private void Order(PathSearcher searcher, int viewCount, GroupUnit[] units, int count, Cell goal, GroupSlot[] slots) {
        Arguments.Fits(units, count, "units");
        Arguments.Fits(slots, count, "slots");
        Native.GroupOptions options;
        Native.Must(Native.octile_group_options_init(&options));
        options.formation = (int)Formation;
        options.facing = Facing;
        options.spacing = Spacing;
        options.files = Files;
        options.allow_partial = AllowPartial ? (byte)1 : (byte)0;
        int friendCount = FriendCount >= 0 ? FriendCount : Friends == null ? 0 : Friends.Length;
        if (friendCount > 0) Arguments.Fits(Friends, friendCount, "FriendCount");
        options.friend_count = Native.N(friendCount);
        options.friend_moving = FriendMoving;
        options.friend_resting = FriendResting;
        Native.GroupAnswer answer;
        answer.size = (uint)sizeof(Native.GroupAnswer);
        fixed (ulong* views = handles)
        fixed (GroupUnit* list = units)
        fixed (GroupSlot* result = slots)
        fixed (GroupFriend* friends = Friends) {
            options.friends = friends;
            Native.Must(Native.octile_group_order(searcher.Handle, views, Native.N(viewCount), list, Native.N(count), &goal, &options, result, &answer));
        }
        GC.KeepAlive(searcher);
        Placed = (int)answer.placed;
        Left = (int)answer.left;
    }
}

/// <summary>An agent of a <see cref="StepPlanner"/> at its start.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Agent {
    public Cell cell;
    public Cell goal;
    internal byte hasGoal, pinned, pushable;
    /// <summary>Higher ones go first; 128 is usual.</summary>
    public byte priority;
    /// <summary>One that wants to go somewhere.</summary>
    public Agent(Cell cell, Cell goal) : this() {
        this.cell = cell;
        this.goal = goal;
        hasGoal = 1;
        pushable = 1;
        priority = 128;
    }
    /// <summary>One that stays where it is, unless it is pushed.</summary>
    public Agent(Cell cell) : this(cell, cell) { hasGoal = 0; }
    /// <summary>Never moves?</summary>
    public bool Pinned { get { return pinned != 0; } set { pinned = value ? (byte)1 : (byte)0; } }
    /// <summary>May it be moved by the need of others?</summary>
    public bool Pushable { get { return pushable != 0; } set { pushable = value ? (byte)1 : (byte)0; } }
}

public enum StepOutcome : byte { Moved, Waited, Pushed, Blocked, Pinned }

/// <summary>How an agent is after a step.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct AgentState {
    public Cell cell;
    /// <summary>Its own cell when it has none.</summary>
    public Cell goal;
    /// <summary>Of a shortest way; 0 when it cannot be reached.</summary>
    public ulong stepsLeft;
    public StepOutcome outcome;
    internal byte arrived, reachable;
    internal fixed byte reserved[5];
    public bool Arrived { get { return arrived != 0; } }
    public bool Reachable { get { return reachable != 0; } }
}

/// <summary>The next cell of each of many units, tick by tick, without collisions. Units of one
/// kind, of any size. Belongs to one thread at a time; <see cref="Step"/> allocates nothing.</summary>
public sealed unsafe class StepPlanner : NativeObject {
    public StepPlanner() {
        ulong value;
        Native.Must(Native.octile_planner_create(&value));
        Own(value);
    }

    /// <summary>Starts anew. Agents are known by their place in the list. Errors: two agents
    /// on one cell, an agent in a wall or outside.</summary>
    public void Reset(View view, Agent[] agents, int count, ulong seed = 0) {
        Arguments.NotNull(view, "view");
        Arguments.Fits(agents, count, "agents");
        Native.PlannerOptions options;
        Native.Must(Native.octile_planner_options_init(&options));
        options.seed = seed;
        fixed (Agent* list = agents)
            Native.Must(Native.octile_planner_reset(Handle, view.Handle, list, Native.N(count), &options));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
    }

    /// <summary>After edits: from now on this view.</summary>
    public void ChangeView(View view) {
        Arguments.NotNull(view, "view");
        Native.Must(Native.octile_planner_change_view(Handle, view.Handle));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
    }

    // All take effect with the next step. Error: no such agent.
    public void SetGoal(int agent, Cell goal) { Must(Native.octile_planner_set_goal(Handle, Number(agent), goal.x, goal.y)); }
    public void ClearGoal(int agent) { Must(Native.octile_planner_clear_goal(Handle, Number(agent))); }
    public void SetPinned(int agent, bool pinned) { Must(Native.octile_planner_set_pinned(Handle, Number(agent), pinned ? 1 : 0)); }
    public void SetPushable(int agent, bool pushable) { Must(Native.octile_planner_set_pushable(Handle, Number(agent), pushable ? 1 : 0)); }
    public void SetPriority(int agent, byte priority) { Must(Native.octile_planner_set_priority(Handle, Number(agent), priority)); }

    /// <summary>One tick. Error: before the first <see cref="Reset"/>.</summary>
    public void Step() { Must(Native.octile_planner_step(Handle)); }

    /// <summary>Where all agents are, from number <paramref name="first"/> on. Returns how many
    /// there are from there on.</summary>
    public int ReadCells(int first, Cell[] cells) {
        UIntPtr length;
        fixed (Cell* list = cells)
            Must(Native.octile_planner_cells(Handle, Number(first), list, Native.N(cells == null ? 0 : cells.Length), &length));
        return (int)length;
    }

    /// <summary>How it goes with them.</summary>
    public int ReadStates(int first, AgentState[] states) {
        UIntPtr length;
        fixed (AgentState* list = states)
            Must(Native.octile_planner_states(Handle, Number(first), list, Native.N(states == null ? 0 : states.Length), &length));
        return (int)length;
    }

    /// <summary>Agents with a goal that they can reach and have not.</summary>
    public int OnTheWay { get { return (int)Describe().on_the_way; } }
    public long Ticks { get { return (long)Describe().ticks; } }
    /// <summary>No progress for many ticks?</summary>
    public bool IsStalled { get { return Describe().stalled != 0; } }

    private Native.PlannerInfo Describe() {
        Native.PlannerInfo info;
        info.size = (uint)sizeof(Native.PlannerInfo);
        Must(Native.octile_planner_describe(Handle, &info));
        return info;
    }

    private static UIntPtr Number(int agent) {
        if (agent < 0) throw new ArgumentOutOfRangeException("agent");
        return Native.N(agent);
    }

    private void Must(int status) {
        GC.KeepAlive(this);
        Native.Must(status);
    }

    internal override int Destroy(ulong value) { return Native.octile_planner_destroy(value); }
}

}  // namespace Octile
