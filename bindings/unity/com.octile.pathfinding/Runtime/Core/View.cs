// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;

namespace Octile {

/// <summary>One committed state of a map as one profile sees it. Immutable, read by any number of
/// threads, and alive on its own: the world may be edited and disposed of.</summary>
public sealed unsafe class View : NativeObject {
    internal View(ulong value) {
        Own(value);
        Native.ViewInfo info;
        info.size = (uint)sizeof(Native.ViewInfo);
        Native.Must(Native.octile_view_describe(value, &info));
        Bounds = new CellRect(info.first_cell.x, info.first_cell.y, info.width, info.height);
        Version = info.version;
        AbsentTiles = (int)info.absent_tiles;
        IsUniform = info.uniform != 0;
        IndexKind = (IndexKind)info.index;
        Bytes = (long)(info.map_bytes + info.layer_bytes);
    }

    /// <summary>All cells of the map.</summary>
    public CellRect Bounds { get; private set; }
    /// <summary>Of the map at its commit.</summary>
    public ulong Version { get; private set; }
    /// <summary>Of streamed maps.</summary>
    public int AbsentTiles { get; private set; }
    /// <summary>Do all passable cells cost the same? Then the fast solvers and the indexes apply.</summary>
    public bool IsUniform { get; private set; }
    /// <summary>What was adopted.</summary>
    public IndexKind IndexKind { get; private set; }
    /// <summary>Memory of map and layer.</summary>
    public long Bytes { get; private set; }

    /// <summary>Can the unit stand there? Outside: no.</summary>
    public bool IsPassable(Cell cell) {
        byte value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_view_passable(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value != 0;
    }

    /// <summary>Cost factor of entering the cell; infinite for walls and outside.</summary>
    public double CostAt(Cell cell) {
        double value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_view_cost(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>The legal moves out of a cell, a bit each: E, SE, S, SW, W, NW, N, NE from bit 0 on.</summary>
    public byte MovesAt(Cell cell) {
        byte value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_view_moves(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>False in absent tiles of streamed maps, and outside.</summary>
    public bool IsLoaded(Cell cell) {
        byte value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_view_loaded(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value != 0;
    }

    /// <summary>Two cells are connected when these are equal, and not uint.MaxValue (walls,
    /// outside).</summary>
    public uint ComponentAt(Cell cell) {
        uint value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_view_component(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>Is there a way from one to the other?</summary>
    public bool Connected(Cell a, Cell b) {
        uint component = ComponentAt(a);
        return component != uint.MaxValue && component == ComponentAt(b);
    }

    /// <summary>Of a rectangle, which may reach outside the map, row by row: 1 or 0.</summary>
    public void ReadPassable(CellRect rect, byte[] passable) {
        Arguments.FitsRect(passable, rect, "passable");
        fixed (byte* values = passable)
            Native.Must(Native.octile_view_passable(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    public void ReadTerrain(CellRect rect, byte[] terrain) {
        Arguments.FitsRect(terrain, rect, "terrain");
        fixed (byte* values = terrain)
            Native.Must(Native.octile_view_terrain(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    public void ReadCosts(CellRect rect, double[] costs) {
        Arguments.FitsRect(costs, rect, "costs");
        fixed (double* values = costs)
            Native.Must(Native.octile_view_cost(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    public void ReadComponents(CellRect rect, uint[] components) {
        Arguments.FitsRect(components, rect, "components");
        fixed (uint* values = components)
            Native.Must(Native.octile_view_component(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    /// <summary>Does the straight line between the two centres cross no wall and cut no corner?</summary>
    public bool LineOfSight(Cell a, Cell b) {
        int clear;
        var ends = new CellPair(a, b);
        Native.Must(Native.octile_view_line_of_sight(Handle, &ends, &clear));
        GC.KeepAlive(this);
        return clear != 0;
    }

    /// <summary>The cost between two cells on an empty map of the cheapest terrain present.</summary>
    public double Estimate(Cell a, Cell b) {
        double cost;
        var ends = new CellPair(a, b);
        Native.Must(Native.octile_view_estimate(Handle, &ends, &cost));
        GC.KeepAlive(this);
        return cost;
    }

    /// <summary>The cell in which a world point lies; NaN and what is too far away give a cell
    /// outside every map.</summary>
    public Cell CellAt(WorldPoint point) {
        Cell cell;
        Native.Must(Native.octile_view_cells_at(Handle, &point, (UIntPtr)1, &cell));
        GC.KeepAlive(this);
        return cell;
    }

    /// <summary>The centre of a cell in world units.</summary>
    public WorldPoint Center(Cell cell) {
        WorldPoint point;
        Native.Must(Native.octile_view_centers(Handle, &cell, (UIntPtr)1, &point));
        GC.KeepAlive(this);
        return point;
    }

    /// <summary>Centres of many cells in one call.</summary>
    public void Centers(Cell[] cells, int count, WorldPoint[] points) {
        Arguments.Fits(cells, count, "cells");
        Arguments.Fits(points, count, "points");
        fixed (Cell* from = cells)
        fixed (WorldPoint* to = points) Native.Must(Native.octile_view_centers(Handle, from, Native.N(count), to));
        GC.KeepAlive(this);
    }

    /// <summary>The version that changed the tile of 64 x 64 cells last in which the cell lies: a
    /// path need not be asked for anew while those of its cells stay the same. Outside: 0.</summary>
    public ulong TileVersion(Cell cell) {
        ulong version;
        Native.Must(Native.octile_view_tile_version(Handle, cell.x, cell.y, &version));
        GC.KeepAlive(this);
        return version;
    }

    /// <summary>The cells whose terrain or weight is not the same in the other view of this map,
    /// by y, then x. Returns how many there are, which may be more than the array takes.</summary>
    public int Differences(View other, Cell[] cells) {
        Arguments.NotNull(other, "other");
        UIntPtr length;
        fixed (Cell* list = cells)
            Native.Must(Native.octile_view_differences(Handle, other.Handle, list, Native.N(cells == null ? 0 : cells.Length), &length));
        GC.KeepAlive(other);
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>What steps cost on ground of cost 1, in the units of <see cref="PathAnswer.Cost"/>.</summary>
    internal void StepLengths(out double straight, out double slanted) {
        Native.Profile profile;
        profile.size = (uint)sizeof(Native.Profile);
        Native.Must(Native.octile_view_definition(Handle, null, &profile));
        GC.KeepAlive(this);
        var metric = (Metric)profile.metric;
        // Of four moves a step costs 1 under every metric.
        bool four = profile.moves == (byte)Moves.Four || profile.diagonal == (byte)Diagonal.Never;
        straight = metric == Metric.TenFourteen && !four ? 10 : 1;
        slanted = metric == Metric.TenFourteen ? 14 : metric == Metric.Chebyshev ? 1 : Math.Sqrt(2);
    }

    /// <summary>The same state with another index; <see cref="OctileException"/> with
    /// <see cref="Status.StaleIndex"/> when it belongs to another map.</summary>
    public View With(PathIndex index) {
        Arguments.NotNull(index, "index");
        ulong value;
        Native.Must(Native.octile_view_with_index(Handle, index.Handle, &value));
        GC.KeepAlive(index);
        GC.KeepAlive(this);
        return new View(value);
    }

    internal override int Destroy(ulong value) { return Native.octile_view_destroy(value); }
}

/// <summary>What an index holds.</summary>
public enum IndexKind : byte { None, SubgoalGraph, SubgoalLabels, TileLabels, Portals, Quadtree }

/// <summary>Computed once, for queries in less than a microsecond. Immutable, for any thread; only
/// for uniform maps up to 65,535 cells a side.</summary>
public sealed unsafe class PathIndex : NativeObject {
    /// <summary>How to build one; the defaults are good.</summary>
    public sealed class Options {
        /// <summary>Build this, or less when the budget asks.</summary>
        public IndexKind Most = IndexKind.TileLabels;
        /// <summary>Of the finished labels, or portals; the graph comes on top.</summary>
        public long BudgetBytes = 512L << 20;
        /// <summary>Label entries that may be made; 0: no limit.</summary>
        public long BudgetWork;
        /// <summary>1 to 64; the same result for all.</summary>
        public int Threads = 1;
        public CancelToken Cancel;

        internal static void Fill(Options options, Native.IndexOptions* native) {
            Native.Must(Native.octile_index_options_init(native));
            if (options == null) return;
            native->most = (byte)options.Most;
            native->budget_bytes = (ulong)Math.Max(options.BudgetBytes, 0);
            native->budget_work = (ulong)Math.Max(options.BudgetWork, 0);
            native->threads = (uint)Math.Max(options.Threads, 0);
            native->cancel = options.Cancel == null ? 0 : options.Cancel.Handle;
        }
    }

    private PathIndex(ulong value) {
        Own(value);
        Native.IndexInfo info;
        info.size = (uint)sizeof(Native.IndexInfo);
        Native.Must(Native.octile_index_describe(value, &info));
        Kind = (IndexKind)info.kind;
        Bytes = (long)info.bytes;
        Reason = Native.Text(info.reason);
    }

    public IndexKind Kind { get; private set; }
    /// <summary>All that a query needs, and the length of its file.</summary>
    public long Bytes { get; private set; }
    /// <summary>Why it holds less than was asked for, or "".</summary>
    public string Reason { get; private set; }

    /// <summary>Builds in the calling thread. Errors: no index serves the view (weights, other move
    /// rules, too large), cancelled.</summary>
    public static PathIndex Build(View view, Options options = null) {
        Arguments.NotNull(view, "view");
        Native.IndexOptions native;
        Options.Fill(options, &native);
        ulong value;
        Native.Must(Native.octile_index_build(view.Handle, &native, &value));
        GC.KeepAlive(options);
        GC.KeepAlive(view);
        return new PathIndex(value);
    }

    /// <summary>From a file, which is read into memory and checked; what is truncated, damaged,
    /// foreign or of another version throws.</summary>
    public static PathIndex Load(string path) {
        Arguments.NotNull(path, "path");
        Library.Check();
        ulong value;
        fixed (byte* text = Native.Utf8(path)) Native.Must(Native.octile_index_load(text, 1, &value));
        return new PathIndex(value);
    }

    /// <summary>From the bytes of such a file, as of a TextAsset; copied and checked.</summary>
    public static PathIndex FromBytes(byte[] bytes) {
        Arguments.NotNull(bytes, "bytes");
        Library.Check();
        ulong value;
        fixed (byte* data = bytes) Native.Must(Native.octile_index_read(data, Native.N(bytes.Length), &value));
        return new PathIndex(value);
    }

    public void Save(string path) {
        Arguments.NotNull(path, "path");
        fixed (byte* text = Native.Utf8(path)) Native.Must(Native.octile_index_save(Handle, text));
        GC.KeepAlive(this);
    }

    public byte[] ToBytes() {
        UIntPtr length;
        Native.Must(Native.octile_index_write(Handle, null, UIntPtr.Zero, &length));
        var bytes = new byte[(int)length];
        fixed (byte* data = bytes) Native.Must(Native.octile_index_write(Handle, data, length, &length));
        GC.KeepAlive(this);
        return bytes;
    }

    /// <summary>Was it built for just this map as this view's profile sees it?</summary>
    public bool BelongsTo(View view) {
        Arguments.NotNull(view, "view");
        int belongs;
        Native.Must(Native.octile_index_belongs_to(Handle, view.Handle, &belongs));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        return belongs != 0;
    }

    internal override int Destroy(ulong value) { return Native.octile_index_destroy(value); }
}

}  // namespace Octile
