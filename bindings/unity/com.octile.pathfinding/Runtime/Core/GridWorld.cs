// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using System.Runtime.InteropServices;

namespace Octile {

/// <summary>The map that one writer edits, and those who walk on it.
/// <code>
/// var world = new GridWorld(64, 64);
/// world.Fill(new CellRect(10, 0, 1, 63), (byte)'@');   // a wall
/// uint walker = world.AddProfile(new MoveProfile());
/// world.Commit();
/// View view = world.View(walker);                       // immutable, for any thread
/// </code>
/// Edits are seen by the views that are made after the next <see cref="Commit"/>; older views stay
/// as they are. A world belongs to one thread at a time; a call that meets another one throws.</summary>
public sealed unsafe class GridWorld : NativeObject {
    /// <summary>Terrain ids of Moving AI maps, which the default profile knows.</summary>
    public const byte Free = (byte)'.', Wall = (byte)'@';

    /// <summary>What a map starts with. Sizes in cells, at least 1 by 1, about 4.29e9 cells at
    /// most; <c>CellSize</c> and the origin (the corner of cell (0, 0)) in world units.</summary>
    public struct Definition {
        public int Width, Height;
        /// <summary>Coordinates of the first cell of the first row.</summary>
        public Cell FirstCell;
        /// <summary>Terrain of every cell; 0 stands for <see cref="Free"/>.</summary>
        public byte Terrain;
        /// <summary>Keep a 16-bit weight for each cell as well?</summary>
        public bool Weights;
        /// <summary>A weight w multiplies the terrain's cost by w * WeightScale; 0 stands for 1.</summary>
        public double WeightScale;
        public WorldPoint Origin;
        /// <summary>World units, 0 stands for 1.</summary>
        public double CellSize;
        /// <summary>All tiles are absent until <see cref="ProvideTile"/>; see <see cref="TileStream"/>.</summary>
        public bool Streamed;
    }

    /// <summary>A map of free cells, not yet committed. Errors: sizes out of range.</summary>
    public GridWorld(int width, int height) : this(new Definition { Width = width, Height = height }, null) { }

    /// <summary>A map with a terrain id for each cell, row by row (null: all the same).</summary>
    public GridWorld(Definition definition, byte[] terrain = null) {
        Create();
        try {
            Reset(definition, terrain);
        } catch {
            Dispose();
            throw;
        }
    }

    /// <summary>From the bytes of a Moving AI .map, a PGM or a text map ('#' and '@' are walls), by
    /// content; origin and cell size are taken from <paramref name="like"/>. What makes no sense
    /// throws, with the line in the message.</summary>
    public GridWorld(byte[] mapFile, Definition like = default(Definition)) {
        Arguments.NotNull(mapFile, "mapFile");
        Create();
        Native.MapDef def = ToNative(like);
        if (def.width <= 0) def.width = 1;
        if (def.height <= 0) def.height = 1;
        int status;
        fixed (byte* data = mapFile) status = Native.octile_engine_parse(Handle, data, Native.N(mapFile.Length), &def);
        if (status != 0) {
            string message = Native.Message();
            Dispose();
            throw new OctileException((Status)status, message);
        }
    }

    /// <summary>The names of the kinds of map that <see cref="Generate"/> makes.</summary>
    public static string[] MapKinds() {
        Library.Check();
        var names = new string[Native.octile_map_kind_count()];
        for (int i = 0; i < names.Length; ++i) {
            Native.MapKind info;
            info.size = (uint)sizeof(Native.MapKind);
            Native.Must(Native.octile_map_kind_describe(i, &info));
            names[i] = Native.Text(info.name);
        }
        return names;
    }

    /// <summary>A map made by rule, row by row, which <see cref="Reset"/> takes: the same values give
    /// the same map everywhere. <paramref name="kind"/> is one of <see cref="MapKinds"/>, "caves" for
    /// one; <paramref name="density"/> is in 1000 cells, the others in cells, and -1 stands for the
    /// kind's own. '@' is wall, '.' floor, '1' to '9' floor that costs its digit. Errors: no such kind,
    /// values out of range or not taken by the kind.</summary>
    public static byte[] Generate(string kind, int width, int height, ulong seed = 1, int density = -1, int room = -1, int corridor = -1) {
        Arguments.NotNull(kind, "kind");
        Library.Check();
        Native.GenerateOptions options;
        Native.Must(Native.octile_generate_options_init(&options));
        options.width = width;
        options.height = height;
        options.seed = seed;
        options.density = density;
        options.room = room;
        options.corridor = corridor;
        // What is too large is refused before there is room for it.
        long cells = width > 0 && height > 0 ? (long)width * height : 1;
        var terrain = new byte[cells <= 1 << 30 ? cells : 1];
        fixed (byte* name = Native.Utf8(kind))
        fixed (byte* rows = terrain) Native.Must(Native.octile_generate(name, &options, rows, Native.N(Math.Max(width, 0))));
        return terrain;
    }

    private void Create() {
        ulong value;
        Native.Must(Native.octile_engine_create(&value));
        Own(value);
    }

    /// <summary>Starts a new map; views of the old one stay valid, profiles are kept.</summary>
    public void Reset(Definition definition, byte[] terrain = null) {
        Native.MapDef def = ToNative(definition);
        if (terrain != null && definition.Width > 0 && definition.Height > 0
            && (long)definition.Width * definition.Height != terrain.LongLength)
            throw new ArgumentException("the map has " + (long)definition.Width * definition.Height
                + " cells, the array " + terrain.LongLength, "terrain");
        fixed (byte* cells = terrain)
            Native.Must(Native.octile_engine_reset(Handle, &def, cells, Native.N(Math.Max(definition.Width, 0))));
        GC.KeepAlive(this);
    }

    private static Native.MapDef ToNative(Definition d) {
        Native.MapDef def;
        Native.Must(Native.octile_map_def_init(&def));
        def.width = d.Width;
        def.height = d.Height;
        def.first_cell = d.FirstCell;
        if (d.Terrain != 0) def.terrain = d.Terrain;
        def.weights = d.Weights ? (byte)1 : (byte)0;
        def.streamed = d.Streamed ? (byte)1 : (byte)0;
        if (d.WeightScale != 0) def.weight_scale = d.WeightScale;
        def.origin = d.Origin;
        if (d.CellSize != 0) def.cell_size = d.CellSize;
        return def;
    }

    /// <summary>How the map was defined.</summary>
    public Definition Describe() {
        Native.MapDef def;
        def.size = (uint)sizeof(Native.MapDef);
        Native.Must(Native.octile_map_describe(Handle, &def, null));
        GC.KeepAlive(this);
        return new Definition {
            Width = def.width, Height = def.height, FirstCell = def.first_cell, Terrain = def.terrain,
            Weights = def.weights != 0, WeightScale = def.weight_scale, Origin = def.origin, CellSize = def.cell_size, Streamed = def.streamed != 0
        };
    }

    /// <summary>All cells.</summary>
    public CellRect Bounds {
        get {
            Definition d = Describe();
            return new CellRect(d.FirstCell.x, d.FirstCell.y, d.Width, d.Height);
        }
    }

    /// <summary>Counts the commits that changed something.</summary>
    public ulong Version { get { return Info().version; } }

    /// <summary>Of streamed maps.</summary>
    public int AbsentTiles { get { return (int)Info().absent_tiles; } }

    private Native.MapInfo Info() {
        Native.MapInfo info;
        info.size = (uint)sizeof(Native.MapInfo);
        Native.Must(Native.octile_map_describe(Handle, null, &info));
        GC.KeepAlive(this);
        return info;
    }

    // ---- Edits: each costs what it touches; errors: outside the map -------------------------

    public void SetTerrain(Cell cell, byte terrain) {
        Native.Must(Native.octile_map_set_terrain(Handle, cell.x, cell.y, terrain));
        GC.KeepAlive(this);
    }

    /// <summary>Error: the map keeps no weights.</summary>
    public void SetWeight(Cell cell, ushort weight) {
        Native.Must(Native.octile_map_set_weight(Handle, cell.x, cell.y, weight));
        GC.KeepAlive(this);
    }

    public void Fill(CellRect rect, byte terrain) {
        Native.Must(Native.octile_map_fill(Handle, &rect, terrain));
        GC.KeepAlive(this);
    }

    public void FillWeight(CellRect rect, ushort weight) {
        Native.Must(Native.octile_map_fill_weight(Handle, &rect, weight));
        GC.KeepAlive(this);
    }

    /// <summary>Gives each cell of the rectangle its own terrain, row by row.</summary>
    public void Stamp(CellRect rect, byte[] terrain) {
        Arguments.FitsRect(terrain, rect, "terrain");
        fixed (byte* values = terrain)
            Native.Must(Native.octile_map_stamp(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    public void StampWeight(CellRect rect, ushort[] weight) {
        Arguments.FitsRect(weight, rect, "weight");
        fixed (ushort* values = weight)
            Native.Must(Native.octile_map_stamp_weight(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    /// <summary>What shows now, uncommitted edits and obstacles included; outside the map: 0.</summary>
    public byte TerrainAt(Cell cell) {
        byte value;
        var rect = new CellRect(cell.x, cell.y, 1, 1);
        Native.Must(Native.octile_map_terrain(Handle, &rect, &value, (UIntPtr)1));
        GC.KeepAlive(this);
        return value;
    }

    /// <summary>The same of a rectangle, which may reach outside the map, row by row.</summary>
    public void ReadTerrain(CellRect rect, byte[] terrain) {
        Arguments.FitsRect(terrain, rect, "terrain");
        fixed (byte* values = terrain)
            Native.Must(Native.octile_map_terrain(Handle, &rect, values, Native.N(Math.Max(rect.width, 0))));
        GC.KeepAlive(this);
    }

    /// <summary>Streamed maps: gives the map the tile of 64 x 64 cells (counted from the first cell)
    /// in which the cell lies, row by row; what lies beyond the map's edge is not read.</summary>
    public void ProvideTile(Cell cell, byte[] terrain) {
        Arguments.NotNull(terrain, "terrain");
        if (terrain.Length < 64 * 64) throw new ArgumentException("a tile has 4096 cells, the array " + terrain.Length, "terrain");
        fixed (byte* values = terrain) Native.Must(Native.octile_map_provide_tile(Handle, cell.x, cell.y, values, (UIntPtr)64));
        GC.KeepAlive(this);
    }

    /// <summary>Makes it absent again. Error: an obstacle lies there.</summary>
    public void ReleaseTile(Cell cell) {
        Native.Must(Native.octile_map_release_tile(Handle, cell.x, cell.y));
        GC.KeepAlive(this);
    }

    // ---- Obstacles and doors -----------------------------------------------------------------

    /// <summary>Cells with a terrain that lies over the ground while present (of a door: closed).
    /// Where some overlap, the one that was added last shows. The name may be null, else at most 31
    /// bytes, and no two alike. Returns an id, from 1 on, never used again.</summary>
    public uint AddObstacle(CellRect rect, byte terrain = Wall, bool present = true, string name = null) {
        return AddObstacle(rect, null, 0, terrain, present, name);
    }

    /// <summary>The same of any cells, in any order.</summary>
    public uint AddObstacle(Cell[] cells, int count, byte terrain = Wall, bool present = true, string name = null) {
        Arguments.Fits(cells, count, "cells");
        return AddObstacle(default(CellRect), cells, count, terrain, present, name);
    }

    private uint AddObstacle(CellRect rect, Cell[] cells, int count, byte terrain, bool present, string name) {
        Native.ObstacleDef def;
        Native.Must(Native.octile_obstacle_def_init(&def));
        def.terrain = terrain;
        def.present = present ? (byte)1 : (byte)0;
        def.rect = rect;
        def.count = Native.N(count);
        if (name != null) {
            byte[] text = Native.Utf8(name);
            if (text.Length > 32) throw new ArgumentException("a name has at most 31 bytes", "name");
            for (int i = 0; i < text.Length; ++i) def.name[i] = text[i];
        }
        uint id;
        fixed (Cell* list = cells) {
            def.cells = list;
            Native.Must(Native.octile_map_add_obstacle(Handle, &def, &id));
        }
        GC.KeepAlive(this);
        return id;
    }

    /// <summary>Puts it on the map, or takes it away.</summary>
    public void SetObstacle(uint id, bool present) {
        Native.Must(Native.octile_map_set_obstacle(Handle, id, present ? 1 : 0));
        GC.KeepAlive(this);
    }

    public void RemoveObstacle(uint id) {
        Native.Must(Native.octile_map_remove_obstacle(Handle, id));
        GC.KeepAlive(this);
    }

    public bool IsObstaclePresent(uint id) {
        int present;
        Native.Must(Native.octile_map_obstacle_present(Handle, id, &present));
        GC.KeepAlive(this);
        return present != 0;
    }

    /// <summary>0 when there is none of that name.</summary>
    public uint FindObstacle(string name) {
        Arguments.NotNull(name, "name");
        uint id;
        fixed (byte* text = Native.Utf8(name)) Native.Must(Native.octile_map_find_obstacle(Handle, text, &id));
        GC.KeepAlive(this);
        return id;
    }

    // ---- Logs of edits -----------------------------------------------------------------------

    /// <summary>From now on writes all edits and commits into the log, which is emptied first; null
    /// ends that. Until it ends the log can be neither read nor replayed.</summary>
    public void Record(EditLog log) {
        Native.Must(Native.octile_map_record(Handle, log == null ? 0 : log.Handle));
        GC.KeepAlive(log);
        GC.KeepAlive(this);
    }

    /// <summary>Does all that was recorded, commits included, on a map in the state in which
    /// recording began: the same cells, and as many versions. Error: damaged, or of another map or
    /// state; what came before that place is done then.</summary>
    public void Replay(EditLog log) {
        Arguments.NotNull(log, "log");
        Native.Must(Native.octile_engine_replay(Handle, log.Handle));
        GC.KeepAlive(log);
        GC.KeepAlive(this);
    }

    // ---- Publishing --------------------------------------------------------------------------

    /// <summary>Publishes all edits since the last time, for all profiles, in time that depends on
    /// what changed. On an error the edits stay pending and the old views current.</summary>
    public void Commit() {
        Native.Must(Native.octile_engine_commit(Handle));
        GC.KeepAlive(this);
    }

    /// <summary>Before or after the first commit; later ones are built at once. Errors: values out
    /// of range. Returns the id for <see cref="View"/>.</summary>
    public uint AddProfile(MoveProfile profile) {
        Arguments.NotNull(profile, "profile");
        uint id;
        fixed (Native.Profile* native = &profile.native)
            Native.Must(Native.octile_engine_add_profile(Handle, native, &id));
        GC.KeepAlive(this);
        return id;
    }

    public void RemoveProfile(uint profile) {
        Native.Must(Native.octile_engine_remove_profile(Handle, profile));
        GC.KeepAlive(this);
    }

    /// <summary>The last committed state for a profile; dispose of it. Errors: no such profile,
    /// nothing was committed.</summary>
    public View View(uint profile) {
        ulong value;
        Native.Must(Native.octile_engine_view(Handle, profile, &value));
        GC.KeepAlive(this);
        return new View(value);
    }

    // ---- Files -------------------------------------------------------------------------------

    /// <summary>Replaces the map by a file of tiles, which is mapped into memory and must stay as it
    /// is while the map or a view of it lives.</summary>
    public void Load(string path) {
        Arguments.NotNull(path, "path");
        fixed (byte* text = Native.Utf8(path)) Native.Must(Native.octile_engine_load(Handle, text));
        GC.KeepAlive(this);
    }

    /// <summary>Writes the present map as such a file.</summary>
    public void Save(string path) {
        Arguments.NotNull(path, "path");
        fixed (byte* text = Native.Utf8(path)) Native.Must(Native.octile_map_save(Handle, text));
        GC.KeepAlive(this);
    }

    /// <summary>The bytes of the map as a Moving AI .map file.</summary>
    public byte[] ToMapFile() {
        UIntPtr length;
        Native.Must(Native.octile_map_write(Handle, 0, null, UIntPtr.Zero, &length));
        var bytes = new byte[(int)length];
        fixed (byte* text = bytes) Native.Must(Native.octile_map_write(Handle, 0, text, length, &length));
        GC.KeepAlive(this);
        return bytes;
    }

    // ---- Indexes -----------------------------------------------------------------------------

    /// <summary>Gives the profile's views an index from the next <see cref="View"/> on. Error: it
    /// was built for another map or profile.</summary>
    public void Adopt(uint profile, PathIndex index) {
        Arguments.NotNull(index, "index");
        Native.Must(Native.octile_engine_adopt(Handle, profile, index.Handle));
        GC.KeepAlive(index);
        GC.KeepAlive(this);
    }

    /// <summary>From now on each commit repairs these labels (of the kind
    /// <see cref="IndexKind.SubgoalLabels"/>, built for the present view) in milliseconds and gives
    /// them to the profile's next view; null ends that. With <paramref name="renew"/> new ones are
    /// built in the background when edits have made them three tenths larger.</summary>
    public void RepairLabels(uint profile, PathIndex index, bool renew = false) {
        Native.Must(Native.octile_engine_repair_labels(Handle, profile, index == null ? 0 : index.Handle, renew ? 1 : 0));
        GC.KeepAlive(index);
        GC.KeepAlive(this);
    }

    /// <summary>Builds an index for the profile's present view in a thread of its own, one at a
    /// time; a second call ends the first build. Without threads (WebGL) it is done at once.</summary>
    public void StartBuild(uint profile, PathIndex.Options options = null) {
        Native.IndexOptions native;
        PathIndex.Options.Fill(options, &native);
        Native.Must(Native.octile_engine_start_build(Handle, profile, &native));
        GC.KeepAlive(options);
        GC.KeepAlive(this);
    }

    /// <summary>True from <see cref="StartBuild"/> until <see cref="AdoptFinished"/> took it over or
    /// <see cref="StopBuild"/>; <paramref name="done"/>: the share that is done, 0 to 1.</summary>
    public bool IsBuilding(out double done) {
        int running;
        double share;
        Native.Must(Native.octile_engine_building(Handle, &running, &share));
        GC.KeepAlive(this);
        done = share;
        return running != 0;
    }

    /// <summary>Call it between ticks: true when a finished build was taken over now. False as well
    /// when the map was edited meanwhile, so that nothing of the build is of use; throws the build's
    /// own errors.</summary>
    public bool AdoptFinished() {
        int adopted;
        int status = Native.octile_engine_adopt_finished(Handle, &adopted);
        GC.KeepAlive(this);
        if (status == (int)Status.StaleIndex || status == (int)Status.Cancelled) return false;
        Native.Must(status);
        return adopted != 0;
    }

    public void StopBuild() {
        Native.Must(Native.octile_engine_stop_build(Handle));
        GC.KeepAlive(this);
    }

    internal override int Destroy(ulong value) { return Native.octile_engine_destroy(value); }
}

/// <summary>The bytes of what was done to a map, the same on every machine: for replays, for sending
/// edits to others, for saves. Belongs to one thread at a time.</summary>
public sealed unsafe class EditLog : NativeObject {
    /// <summary>An empty one, for <see cref="GridWorld.Record"/>.</summary>
    public EditLog() {
        ulong value;
        Native.Must(Native.octile_edit_log_create(&value));
        Own(value);
    }

    /// <summary>From bytes, which are checked by <see cref="GridWorld.Replay"/> alone.</summary>
    public EditLog(byte[] bytes) : this() {
        Arguments.NotNull(bytes, "bytes");
        fixed (byte* data = bytes) Native.Must(Native.octile_edit_log_assign(Handle, data, Native.N(bytes.Length)));
    }

    /// <summary>Error: it is being recorded into.</summary>
    public byte[] ToBytes() {
        UIntPtr length;
        Native.Must(Native.octile_edit_log_read(Handle, null, UIntPtr.Zero, &length));
        var bytes = new byte[(int)length];
        fixed (byte* data = bytes) Native.Must(Native.octile_edit_log_read(Handle, data, length, &length));
        GC.KeepAlive(this);
        return bytes;
    }

    internal override int Destroy(ulong value) { return Native.octile_edit_log_destroy(value); }
}

}  // namespace Octile
