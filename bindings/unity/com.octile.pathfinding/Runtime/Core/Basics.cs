// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The plain values of the API, its statuses and its error, and what all classes with something
// native behind them have in common.

using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Octile {

/// <summary>What became of a query. Only <see cref="Found"/> and <see cref="Partial"/> have a path.</summary>
public enum Status {
    /// <summary>A cheapest path.</summary>
    Found = 0,
    /// <summary>No path; the way to the nearest reached cell, when partial paths were allowed.</summary>
    Partial,
    /// <summary>Both ends are free, but nothing connects them.</summary>
    NoPath,
    /// <summary>The start is a wall, or the unit does not fit there.</summary>
    StartBlocked,
    /// <summary>So is every goal.</summary>
    GoalBlocked,
    /// <summary>The start lies outside the map.</summary>
    StartOutOfBounds,
    /// <summary>A goal lies outside the map.</summary>
    GoalOutOfBounds,
    /// <summary>A limit of expansions or cost ended the search.</summary>
    LimitReached,
    /// <summary>The cancel token was raised.</summary>
    Cancelled,
    /// <summary>The answer depends on tiles of a streamed map that are absent.</summary>
    NotLoaded,
    /// <summary>The sum of costs does not fit 63 bits.</summary>
    CostOverflow,
    /// <summary>An allocation failed; nothing was changed.</summary>
    OutOfMemory,
    /// <summary>An index does not belong to this view.</summary>
    StaleIndex,
    /// <summary>The call makes no sense. Thrown as <see cref="OctileException"/>, never returned.</summary>
    BadArgument
}

/// <summary>A call that makes no sense or could not be done. What a query may meet on its way
/// (no path, a blocked goal, ...) is a <see cref="Status"/> and never thrown.</summary>
public sealed class OctileException : Exception {
    public OctileException(Status status, string message) : base(message) { Status = status; }
    /// <summary>The engine's status.</summary>
    public Status Status { get; private set; }
}

/// <summary>A cell of the grid: x to the right, y downwards (or wherever your plane's second axis
/// points to). Plain data, 8 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Cell : IEquatable<Cell> {
    public int x;
    public int y;
    public Cell(int x, int y) { this.x = x; this.y = y; }
    public bool Equals(Cell other) { return x == other.x && y == other.y; }
    public override bool Equals(object other) { return other is Cell && Equals((Cell)other); }
    public override int GetHashCode() { unchecked { return x * 73856093 ^ y * 19349663; } }
    public override string ToString() { return "(" + x + ", " + y + ")"; }
    public static bool operator ==(Cell a, Cell b) { return a.x == b.x && a.y == b.y; }
    public static bool operator !=(Cell a, Cell b) { return a.x != b.x || a.y != b.y; }
    public static Cell operator +(Cell a, Cell b) { return new Cell(a.x + b.x, a.y + b.y); }
    public static Cell operator -(Cell a, Cell b) { return new Cell(a.x - b.x, a.y - b.y); }
}

/// <summary>The cells [x, x + width) by [y, y + height).</summary>
[StructLayout(LayoutKind.Sequential)]
public struct CellRect {
    public int x;
    public int y;
    public int width;
    public int height;
    public CellRect(int x, int y, int width, int height) {
        this.x = x;
        this.y = y;
        this.width = width;
        this.height = height;
    }
    /// <summary>How many cells; 0 when a side is not positive.</summary>
    public long Area { get { return width > 0 && height > 0 ? (long)width * height : 0; } }
    public bool Contains(Cell cell) {
        return cell.x >= x && cell.y >= y && (long)cell.x - x < width && (long)cell.y - y < height;
    }
    public override string ToString() { return "(" + x + ", " + y + ", " + width + " x " + height + ")"; }
}

/// <summary>A point of the plane in world units.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct WorldPoint {
    public double x;
    public double y;
    public WorldPoint(double x, double y) { this.x = x; this.y = y; }
    public override string ToString() { return "(" + x + ", " + y + ")"; }
}

/// <summary>Two cells: the start and the goal of a query, or the ends of a line.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct CellPair {
    public Cell a;
    public Cell b;
    public CellPair(Cell a, Cell b) { this.a = a; this.b = b; }
}

/// <summary>A cell that costs more, for one query: <c>cost</c> is added to its cost factor,
/// 0 to 4,294,967,295 with at most three decimals.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct ExtraCost {
    public Cell cell;
    public double cost;
    public ExtraCost(Cell cell, double cost) { this.cell = cell; this.cost = cost; }
}

/// <summary>Facts about the native library.</summary>
public static unsafe class Library {
    private static bool ok;

    /// <summary>Of the engine: major, minor, patch.</summary>
    public static Version Version {
        get {
            Check();
            uint v = Native.octile_version();
            return new Version((int)(v >> 16), (int)(v >> 8 & 255), (int)(v & 255));
        }
    }

    /// <summary>How many native objects are alive in this process. For tests: 0 when all was
    /// disposed of.</summary>
    public static long LiveObjects { get { return (long)Native.octile_handle_count(); } }

    /// <summary>"found", "no_path", ...</summary>
    public static string NameOf(Status status) { return Native.Text(Native.octile_status_name((int)status)); }

    /// <summary>How many solvers there are; their ids run from 0 (auto).</summary>
    public static int SolverCount { get { return Native.octile_solver_count(); } }

    /// <summary>The name of a solver ("auto", "dijkstra", "jps", ...), or "" for no solver's id.</summary>
    public static string SolverName(int solver) {
        Native.SolverInfo info;
        info.size = (uint)sizeof(Native.SolverInfo);
        return Native.octile_solver_describe(solver, &info) == 0 ? Native.Text(info.name) : "";
    }

    /// <summary>The id of a solver, or -1.</summary>
    public static int SolverId(string name) {
        if (name == null) throw new ArgumentNullException("name");
        fixed (byte* text = Native.Utf8(name)) return Native.octile_solver_id(text);
    }

    /// <summary>Is the native library there, and of the same make as these classes? Called by all
    /// that need it; call it yourself to be told early. Throws DllNotFoundException without the
    /// library, and <see cref="OctileException"/> when versions are mixed.</summary>
    public static void Check() {
        if (ok) return;
        uint version = Native.octile_abi_version();
        if (version != Native.AbiVersion)
            throw new OctileException(Status.BadArgument, "the octile library has ABI " + version
                + ", these classes were written for " + Native.AbiVersion);
        foreach (var pair in Sizes()) {
            uint there;
            fixed (byte* name = Native.Utf8(pair.Key)) there = Native.octile_sizeof(name);
            if (there != pair.Value)
                throw new OctileException(Status.BadArgument, pair.Key + " has " + there
                    + " bytes in the octile library and " + pair.Value + " in C#");
        }
        ok = true;
    }

    // Every struct that crosses the border, by its name in C.
    internal static System.Collections.Generic.Dictionary<string, uint> Sizes() {
        return new System.Collections.Generic.Dictionary<string, uint> {
            { "octile_cell", (uint)sizeof(Cell) },
            { "octile_rect", (uint)sizeof(CellRect) },
            { "octile_point", (uint)sizeof(WorldPoint) },
            { "octile_pair", (uint)sizeof(CellPair) },
            { "octile_map_def", (uint)sizeof(Native.MapDef) },
            { "octile_map_info", (uint)sizeof(Native.MapInfo) },
            { "octile_obstacle_def", (uint)sizeof(Native.ObstacleDef) },
            { "octile_generate_options", (uint)sizeof(Native.GenerateOptions) },
            { "octile_map_kind", (uint)sizeof(Native.MapKind) },
            { "octile_profile", (uint)sizeof(Native.Profile) },
            { "octile_view_info", (uint)sizeof(Native.ViewInfo) },
            { "octile_index_options", (uint)sizeof(Native.IndexOptions) },
            { "octile_index_info", (uint)sizeof(Native.IndexInfo) },
            { "octile_solver_info", (uint)sizeof(Native.SolverInfo) },
            { "octile_trace_event", (uint)sizeof(TraceEvent) },
            { "octile_extra_cost", (uint)sizeof(ExtraCost) },
            { "octile_query", (uint)sizeof(Native.Query) },
            { "octile_answer", (uint)sizeof(PathAnswer) },
            { "octile_batch_options", (uint)sizeof(Native.BatchOptions) },
            { "octile_batch_counts", (uint)sizeof(Native.BatchCounts) },
            { "octile_field_query", (uint)sizeof(Native.FieldQuery) },
            { "octile_group_unit", (uint)sizeof(GroupUnit) },
            { "octile_group_friend", (uint)sizeof(GroupFriend) },
            { "octile_group_options", (uint)sizeof(Native.GroupOptions) },
            { "octile_group_slot", (uint)sizeof(GroupSlot) },
            { "octile_group_answer", (uint)sizeof(Native.GroupAnswer) },
            { "octile_agent", (uint)sizeof(Agent) },
            { "octile_planner_options", (uint)sizeof(Native.PlannerOptions) },
            { "octile_agent_state", (uint)sizeof(AgentState) },
            { "octile_planner_info", (uint)sizeof(Native.PlannerInfo) },
            { "octile_plan_options", (uint)sizeof(Native.PlanOptions) },
            { "octile_plan_costs", (uint)sizeof(PlanCosts) },
            { "octile_plan_answer", (uint)sizeof(Native.PlanAnswer) },
            { "octile_plan_report", (uint)sizeof(Native.PlanReport) },
        };
    }
}

/// <summary>Something native with an end. Dispose() gives it back at once, from any thread, also
/// while calls on it go on; the garbage collector does later what was forgotten. Afterwards every
/// call throws ObjectDisposedException.</summary>
public abstract class NativeObject : IDisposable {
    private long handle;

    internal NativeObject() { Library.Check(); }

    ~NativeObject() { End(); }

    public bool IsDisposed { get { return handle == 0; } }

    public void Dispose() {
        End();
        GC.SuppressFinalize(this);
    }

    internal ulong Handle {
        get {
            long value = handle;
            if (value == 0) ThrowDisposed();
            return (ulong)value;
        }
    }

    internal void Own(ulong value) { handle = (long)value; }

    internal abstract int Destroy(ulong value);

    private void ThrowDisposed() { throw new ObjectDisposedException(GetType().Name); }

    private void End() {
        long value = Interlocked.Exchange(ref handle, 0);
        if (value != 0) Destroy((ulong)value);
    }
}

/// <summary>Ends queries and builds from any thread. One token serves any number of calls; it stays
/// raised until <see cref="Reset"/>.</summary>
public sealed unsafe class CancelToken : NativeObject {
    public CancelToken() {
        ulong value;
        Native.Must(Native.octile_cancel_create(&value));
        Own(value);
    }
    public void Raise() { Native.Must(Native.octile_cancel_raise(Handle)); }
    public void Reset() { Native.Must(Native.octile_cancel_reset(Handle)); }
    internal override int Destroy(ulong value) { return Native.octile_cancel_destroy(value); }
}

internal static class Arguments {
    public static void NotNull(object value, string name) {
        if (value == null) throw new ArgumentNullException(name);
    }

    // [0, count) must lie inside the array.
    public static void Fits(Array array, int count, string name) {
        if (array == null) throw new ArgumentNullException(name);
        if (count < 0 || count > array.Length) throw new ArgumentOutOfRangeException(name, "the count " + count + " does not fit the array of " + array.Length);
    }

    // `rect.height` rows of `rect.width` values, without gaps.
    public static void FitsRect(Array array, CellRect rect, string name) {
        if (array == null) throw new ArgumentNullException(name);
        if (rect.Area > array.Length) throw new ArgumentException("the rectangle has " + rect.Area + " cells, the array " + array.Length, name);
    }
}

}  // namespace Octile
