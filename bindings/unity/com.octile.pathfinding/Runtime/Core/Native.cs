// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The C face of the engine (include/octile/octile.h) as C# sees it: the structs, field by field,
// and every function that the classes beside this file call. Nothing here is public.
//
// Rules that keep it fit for Mono, IL2CPP and Burst: handles are ulong (a struct of one u64 is
// passed as that number everywhere Unity runs), structs go by pointer only, flags are byte or int,
// text is UTF-8 bytes, no delegates are handed over. tools/unity_package.py checks the signatures,
// and that the library exports each name; Library.Check() compares the sizes at the first use.

using System;
using System.Runtime.InteropServices;

namespace Octile {

internal static unsafe class Native {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
    private const string Lib = "__Internal";
#else
    private const string Lib = "octile";
#endif

    public const uint AbiVersion = 1;

    // ---- Plain values and structs, named as in C without "octile_" -------------------------

    [StructLayout(LayoutKind.Sequential)]
    public struct MapDef {
        public uint size;
        public int width, height;
        public Cell first_cell;
        public byte terrain, weights, streamed, reserved;
        public WorldPoint origin;
        public double cell_size, weight_scale;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct MapInfo {
        public uint size, absent_tiles;
        public ulong version;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ObstacleDef {
        public uint size;
        public byte terrain, present;
        public fixed byte reserved[2];
        public CellRect rect;
        public Cell* cells;
        public UIntPtr count;
        public fixed byte name[32];
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct GenerateOptions {
        public uint size;
        public int width, height, density, room, corridor;
        public ulong seed;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct MapKind {
        public uint size;
        public int seeded;
        public byte* name;
        public byte* summary;
        public int density, room, corridor, reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Profile {
        public uint size;
        public byte moves, diagonal, metric, reserved;
        public int width, height;
        public Cell anchor;
        public fixed double terrain_cost[256];
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ViewInfo {
        public uint size;
        public int width, height;
        public Cell first_cell;
        public uint absent_tiles;
        public ulong version;
        public byte uniform, index, stale;
        public fixed byte reserved[5];
        public ulong map_bytes, layer_bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct IndexOptions {
        public uint size;
        public byte most, high_quality;
        public fixed byte reserved[2];
        public ulong budget_bytes, budget_work;
        public uint threads, reserved_too;
        public ulong cancel;
        public IntPtr progress;
        public void* user;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct IndexInfo {
        public uint size, kind;
        public ulong bytes;
        public int width, height;
        public ulong fingerprint, entries;
        public uint subgoals, hubs, blocks, portals;
        public fixed byte reason[96];
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct SolverInfo {
        public uint size;
        public int exact;
        public byte* name;
        public byte* summary;
        public byte* serves;
        public byte* otherwise;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Query {
        public uint size;
        public int solver;
        public Cell start, goal;
        public Cell* goals;
        public UIntPtr goal_count;
        public Cell* extra_blocked;
        public UIntPtr extra_blocked_count;
        public ExtraCost* extra_costs;
        public UIntPtr extra_cost_count;
        public ulong max_expansions;
        public double max_cost;
        public ulong cancel, trace;
        public int snap_radius;
        public byte output, smooth, snap_start, snap_goal;
        public byte goal_cover, escape_start, allow_partial, reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BatchOptions {
        public uint size, threads;
        public ulong cache_bytes, cancel;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct BatchCounts {
        public uint size, reserved;
        public ulong by_field, fields_built, fields_kept, by_search;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct FieldQuery {
        public uint size, reserved;
        public Cell* goals;
        public UIntPtr goal_count;
        public double* offsets;
        public double max_cost;
        public Cell* stops;
        public UIntPtr stop_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct GroupOptions {
        public uint size;
        public int formation;
        public Cell facing;
        public int spacing, files;
        public byte allow_partial;
        public fixed byte reserved[7];
        public GroupFriend* friends;
        public UIntPtr friend_count;
        public double friend_moving, friend_resting;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct GroupAnswer {
        public uint size, optimal;
        public ulong placed, partial, left;
        public double longest, total;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlannerOptions {
        public uint size, patience;
        public ulong seed, table_bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlannerInfo {
        public uint size, stalled;
        public ulong agents, ticks, arrivals, on_the_way, bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlanOptions {
        public uint size;
        public byte objective, any_goal;
        public fixed byte reserved[2];
        public ulong seed, max_configurations, improve, refine, max_bytes;
        public double seconds;
        public ulong cancel;
        public IntPtr progress;
        public void* user;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlanAnswer {
        public uint size;
        public int status;
        public PlanCosts costs;
        public ulong configurations, first_configurations, first_sum_of_costs, rounds, improved, table_bytes, peak_bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct PlanReport {
        public uint size;
        public int defect;
        public ulong tick, agent, other;
        public PlanCosts costs;
        public fixed byte text[160];
    }

    // ---- Functions -------------------------------------------------------------------------

    [DllImport(Lib)] public static extern uint octile_abi_version();
    [DllImport(Lib)] public static extern uint octile_version();
    [DllImport(Lib)] public static extern uint octile_sizeof(byte* struct_name);
    [DllImport(Lib)] public static extern byte* octile_status_name(int status);
    [DllImport(Lib)] public static extern UIntPtr octile_message(byte* text, UIntPtr capacity);
    [DllImport(Lib)] public static extern ulong octile_handle_count();

    [DllImport(Lib)] public static extern int octile_cancel_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_cancel_raise(ulong cancel);
    [DllImport(Lib)] public static extern int octile_cancel_reset(ulong cancel);
    [DllImport(Lib)] public static extern int octile_cancel_destroy(ulong cancel);

    [DllImport(Lib)] public static extern int octile_map_def_init(MapDef* definition);
    [DllImport(Lib)] public static extern int octile_engine_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_engine_destroy(ulong engine);
    [DllImport(Lib)] public static extern int octile_engine_reset(ulong engine, MapDef* definition, byte* terrain, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_engine_parse(ulong engine, void* data, UIntPtr size, MapDef* basis);
    [DllImport(Lib)] public static extern int octile_engine_load(ulong engine, byte* path);
    [DllImport(Lib)] public static extern int octile_map_save(ulong engine, byte* path);
    [DllImport(Lib)] public static extern int octile_map_write(ulong engine, int format, byte* text, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_engine_commit(ulong engine);
    [DllImport(Lib)] public static extern int octile_map_describe(ulong engine, MapDef* definition, MapInfo* info);
    [DllImport(Lib)] public static extern int octile_map_terrain(ulong engine, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_map_set_terrain(ulong engine, int x, int y, byte terrain);
    [DllImport(Lib)] public static extern int octile_map_set_weight(ulong engine, int x, int y, ushort weight);
    [DllImport(Lib)] public static extern int octile_map_fill(ulong engine, CellRect* rect, byte terrain);
    [DllImport(Lib)] public static extern int octile_map_fill_weight(ulong engine, CellRect* rect, ushort weight);
    [DllImport(Lib)] public static extern int octile_map_stamp(ulong engine, CellRect* rect, byte* terrain, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_map_stamp_weight(ulong engine, CellRect* rect, ushort* weight, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_map_provide_tile(ulong engine, int x, int y, byte* terrain, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_map_release_tile(ulong engine, int x, int y);
    [DllImport(Lib)] public static extern int octile_obstacle_def_init(ObstacleDef* definition);
    [DllImport(Lib)] public static extern int octile_map_add_obstacle(ulong engine, ObstacleDef* definition, uint* id);
    [DllImport(Lib)] public static extern int octile_map_set_obstacle(ulong engine, uint id, int present);
    [DllImport(Lib)] public static extern int octile_map_remove_obstacle(ulong engine, uint id);
    [DllImport(Lib)] public static extern int octile_map_obstacle_present(ulong engine, uint id, int* present);
    [DllImport(Lib)] public static extern int octile_map_find_obstacle(ulong engine, byte* name, uint* id);

    [DllImport(Lib)] public static extern int octile_edit_log_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_edit_log_destroy(ulong log);
    [DllImport(Lib)] public static extern int octile_map_record(ulong engine, ulong log);
    [DllImport(Lib)] public static extern int octile_edit_log_read(ulong log, byte* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_edit_log_assign(ulong log, void* data, UIntPtr size);
    [DllImport(Lib)] public static extern int octile_engine_replay(ulong engine, ulong log);

    [DllImport(Lib)] public static extern int octile_generate_options_init(GenerateOptions* options);
    [DllImport(Lib)] public static extern int octile_generate(byte* kind, GenerateOptions* options, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_map_kind_count();
    [DllImport(Lib)] public static extern int octile_map_kind_describe(int kind, MapKind* info);

    [DllImport(Lib)] public static extern int octile_profile_init(Profile* profile);
    [DllImport(Lib)] public static extern int octile_profile_quantise(Profile* profile, double* change);
    [DllImport(Lib)] public static extern int octile_engine_add_profile(ulong engine, Profile* profile, uint* id);
    [DllImport(Lib)] public static extern int octile_engine_remove_profile(ulong engine, uint id);

    [DllImport(Lib)] public static extern int octile_engine_view(ulong engine, uint profile, ulong* result);
    [DllImport(Lib)] public static extern int octile_view_destroy(ulong view);
    [DllImport(Lib)] public static extern int octile_view_describe(ulong view, ViewInfo* info);
    [DllImport(Lib)] public static extern int octile_view_definition(ulong view, MapDef* definition, Profile* profile);
    [DllImport(Lib)] public static extern int octile_view_terrain(ulong view, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_passable(ulong view, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_cost(ulong view, CellRect* rect, double* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_component(ulong view, CellRect* rect, uint* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_moves(ulong view, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_loaded(ulong view, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_view_tile_version(ulong view, int x, int y, ulong* version);
    [DllImport(Lib)] public static extern int octile_view_line_of_sight(ulong view, CellPair* ends, int* clear);
    [DllImport(Lib)] public static extern int octile_view_estimate(ulong view, CellPair* ends, double* cost);
    [DllImport(Lib)] public static extern int octile_view_cells_at(ulong view, WorldPoint* points, UIntPtr count, Cell* result);
    [DllImport(Lib)] public static extern int octile_view_centers(ulong view, Cell* cells, UIntPtr count, WorldPoint* result);
    [DllImport(Lib)] public static extern int octile_view_differences(ulong a, ulong b, Cell* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_view_with_index(ulong view, ulong index, ulong* result);

    [DllImport(Lib)] public static extern int octile_index_options_init(IndexOptions* options);
    [DllImport(Lib)] public static extern int octile_index_build(ulong view, IndexOptions* options, ulong* result);
    [DllImport(Lib)] public static extern int octile_index_destroy(ulong index);
    [DllImport(Lib)] public static extern int octile_index_describe(ulong index, IndexInfo* info);
    [DllImport(Lib)] public static extern int octile_index_belongs_to(ulong index, ulong view, int* belongs);
    [DllImport(Lib)] public static extern int octile_index_save(ulong index, byte* path);
    [DllImport(Lib)] public static extern int octile_index_load(byte* path, int how, ulong* result);
    [DllImport(Lib)] public static extern int octile_index_write(ulong index, void* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_index_read(void* data, UIntPtr size, ulong* result);
    [DllImport(Lib)] public static extern int octile_engine_adopt(ulong engine, uint profile, ulong index);
    [DllImport(Lib)] public static extern int octile_engine_repair_labels(ulong engine, uint profile, ulong index, int renew);
    [DllImport(Lib)] public static extern int octile_engine_start_build(ulong engine, uint profile, IndexOptions* options);
    [DllImport(Lib)] public static extern int octile_engine_building(ulong engine, int* running, double* done);
    [DllImport(Lib)] public static extern int octile_engine_adopt_finished(ulong engine, int* adopted);
    [DllImport(Lib)] public static extern int octile_engine_stop_build(ulong engine);

    [DllImport(Lib)] public static extern int octile_solver_count();
    [DllImport(Lib)] public static extern int octile_solver_describe(int solver, SolverInfo* info);
    [DllImport(Lib)] public static extern int octile_solver_id(byte* name);

    [DllImport(Lib)] public static extern int octile_trace_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_trace_destroy(ulong trace);
    [DllImport(Lib)] public static extern int octile_trace_clear(ulong trace);
    [DllImport(Lib)] public static extern int octile_trace_read(ulong trace, UIntPtr first, TraceEvent* result, UIntPtr capacity, UIntPtr* length, int* complete);

    [DllImport(Lib)] public static extern int octile_query_init(Query* query);
    [DllImport(Lib)] public static extern int octile_searcher_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_searcher_destroy(ulong searcher);
    [DllImport(Lib)] public static extern int octile_searcher_memory(ulong searcher, UIntPtr* bytes);
    [DllImport(Lib)] public static extern int octile_searcher_release(ulong searcher);
    [DllImport(Lib)] public static extern int octile_find(ulong searcher, ulong view, Query* query, Cell* cells, UIntPtr capacity, PathAnswer* answer);
    [DllImport(Lib)] public static extern int octile_searcher_path(ulong searcher, UIntPtr first, Cell* cells, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_searcher_points(ulong searcher, UIntPtr first, WorldPoint* points, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_searcher_begin(ulong searcher, ulong view, Query* query);
    [DllImport(Lib)] public static extern int octile_searcher_step(ulong searcher, ulong expansions, Cell* cells, UIntPtr capacity, PathAnswer* answer, int* done);
    [DllImport(Lib)] public static extern int octile_distance(ulong searcher, ulong view, CellPair* ends, double* cost);
    [DllImport(Lib)] public static extern int octile_first_move(ulong searcher, ulong view, CellPair* ends, Cell* cell);
    [DllImport(Lib)] public static extern int octile_distances(ulong searcher, ulong view, Cell* sources, UIntPtr source_count, Cell* targets, UIntPtr target_count, double* result);
    [DllImport(Lib)] public static extern int octile_would_disconnect(ulong searcher, ulong view, Cell* cells, UIntPtr cell_count, CellPair* pairs, UIntPtr pair_count, int* answer, UIntPtr* first);

    [DllImport(Lib)] public static extern int octile_batch_options_init(BatchOptions* options);
    [DllImport(Lib)] public static extern int octile_batch_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_batch_destroy(ulong batch);
    [DllImport(Lib)] public static extern int octile_batch_clear(ulong batch);
    [DllImport(Lib)] public static extern int octile_batch_memory(ulong batch, UIntPtr* bytes);
    [DllImport(Lib)] public static extern int octile_batch_pairs(ulong batch, ulong view, Query* like, CellPair* pairs, UIntPtr count, BatchOptions* options, PathAnswer* answers, Cell* cells, UIntPtr capacity, UIntPtr* length, BatchCounts* counts);
    [DllImport(Lib)] public static extern int octile_batch_cells(ulong batch, UIntPtr first, Cell* cells, UIntPtr capacity, UIntPtr* length);

    [DllImport(Lib)] public static extern int octile_field_query_init(FieldQuery* query);
    [DllImport(Lib)] public static extern int octile_field_maker_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_field_maker_destroy(ulong maker);
    [DllImport(Lib)] public static extern int octile_field_build(ulong maker, ulong view, FieldQuery* query, ulong* field);
    [DllImport(Lib)] public static extern int octile_field_update(ulong maker, ulong view, ulong field, int* how);
    [DllImport(Lib)] public static extern int octile_field_destroy(ulong field);
    [DllImport(Lib)] public static extern int octile_field_view(ulong field, ulong* view, UIntPtr* bytes);
    [DllImport(Lib)] public static extern int octile_field_distances(ulong field, Cell* cells, UIntPtr count, double* result);
    [DllImport(Lib)] public static extern int octile_field_directions(ulong field, Cell* cells, UIntPtr count, byte* result);
    [DllImport(Lib)] public static extern int octile_field_next(ulong field, Cell* cells, UIntPtr count, Cell* result);
    [DllImport(Lib)] public static extern int octile_field_read(ulong field, CellRect* rect, double* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_field_flow(ulong field, CellRect* rect, byte* result, UIntPtr stride);
    [DllImport(Lib)] public static extern int octile_field_within(ulong field, double cost, Cell* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_field_path(ulong searcher, ulong field, int x, int y, Cell* cells, UIntPtr capacity, PathAnswer* answer);

    [DllImport(Lib)] public static extern int octile_group_options_init(GroupOptions* options);
    [DllImport(Lib)] public static extern int octile_group_order(ulong searcher, ulong* views, UIntPtr view_count, GroupUnit* units, UIntPtr count, Cell* goal, GroupOptions* options, GroupSlot* slots, GroupAnswer* answer);

    [DllImport(Lib)] public static extern int octile_planner_options_init(PlannerOptions* options);
    [DllImport(Lib)] public static extern int octile_planner_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_planner_destroy(ulong planner);
    [DllImport(Lib)] public static extern int octile_planner_reset(ulong planner, ulong view, Agent* agents, UIntPtr count, PlannerOptions* options);
    [DllImport(Lib)] public static extern int octile_planner_change_view(ulong planner, ulong view);
    [DllImport(Lib)] public static extern int octile_planner_set_goal(ulong planner, UIntPtr agent, int x, int y);
    [DllImport(Lib)] public static extern int octile_planner_clear_goal(ulong planner, UIntPtr agent);
    [DllImport(Lib)] public static extern int octile_planner_set_pinned(ulong planner, UIntPtr agent, int pinned);
    [DllImport(Lib)] public static extern int octile_planner_set_pushable(ulong planner, UIntPtr agent, int pushable);
    [DllImport(Lib)] public static extern int octile_planner_set_priority(ulong planner, UIntPtr agent, byte priority);
    [DllImport(Lib)] public static extern int octile_planner_step(ulong planner);
    [DllImport(Lib)] public static extern int octile_planner_cells(ulong planner, UIntPtr first, Cell* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_planner_states(ulong planner, UIntPtr first, AgentState* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_planner_describe(ulong planner, PlannerInfo* info);

    [DllImport(Lib)] public static extern int octile_plan_options_init(PlanOptions* options);
    [DllImport(Lib)] public static extern int octile_plan_create(ulong* result);
    [DllImport(Lib)] public static extern int octile_plan_destroy(ulong plan);
    [DllImport(Lib)] public static extern int octile_plan_make(ulong view, CellPair* tasks, UIntPtr count, PlanOptions* options, ulong plan, PlanAnswer* answer);
    [DllImport(Lib)] public static extern int octile_plan_size(ulong plan, UIntPtr* rows, UIntPtr* agents);
    [DllImport(Lib)] public static extern int octile_plan_read(ulong plan, UIntPtr first, Cell* result, UIntPtr capacity, UIntPtr* length);
    [DllImport(Lib)] public static extern int octile_plan_assign(ulong plan, Cell* cells, UIntPtr rows, UIntPtr agents);
    [DllImport(Lib)] public static extern int octile_plan_check(ulong view, CellPair* tasks, UIntPtr count, ulong plan, int any_goal, PlanReport* report);

    // ---- Small helpers ---------------------------------------------------------------------

    public static UIntPtr N(int count) { return (UIntPtr)(uint)count; }

    // Zero-ended UTF-8.
    public static byte[] Utf8(string text) {
        var bytes = new byte[System.Text.Encoding.UTF8.GetByteCount(text) + 1];
        System.Text.Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
        return bytes;
    }

    public static string Text(byte* text) {
        if (text == null) return "";
        int length = 0;
        while (text[length] != 0) ++length;
        return length == 0 ? "" : System.Text.Encoding.UTF8.GetString(text, length);
    }

    public static string Message() {
        byte* text = stackalloc byte[256];
        octile_message(text, (UIntPtr)256);
        return Text(text);
    }

    // For calls whose failure means that the call itself was wrong.
    public static void Must(int status) {
        if (status != 0) Throw((Status)status);
    }

    public static void Throw(Status status) {
        string message = Message();
        throw new OctileException(status, message.Length > 0 ? message : Library.NameOf(status));
    }
}

}  // namespace Octile
