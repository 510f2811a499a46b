# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""octile.h for ctypes. Written by generate_abi.py, not by hand."""

from ctypes import (Structure, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint8, c_uint16, c_uint32,
                    c_uint64, c_void_p)
from enum import IntEnum

ABI_VERSION = 1
DIRECTION_AT_GOAL = 8
DIRECTION_UNREACHED = 255


class Status(IntEnum):
    FOUND = 0
    PARTIAL = 1
    NO_PATH = 2
    START_BLOCKED = 3
    GOAL_BLOCKED = 4
    START_OUT_OF_BOUNDS = 5
    GOAL_OUT_OF_BOUNDS = 6
    LIMIT_REACHED = 7
    CANCELLED = 8
    NOT_LOADED = 9
    COST_OVERFLOW = 10
    OUT_OF_MEMORY = 11
    STALE_INDEX = 12
    BAD_ARGUMENT = 13


class Format(IntEnum):
    MOVING_AI = 0
    TEXT = 1
    PGM = 2


class Moves(IntEnum):
    FOUR = 0
    EIGHT = 1


class Diagonal(IntEnum):
    ALWAYS = 0
    AT_MOST_ONE_OBSTACLE = 1
    NO_OBSTACLES = 2
    NEVER = 3


class Metric(IntEnum):
    OCTILE = 0
    TEN_FOURTEEN = 1
    CHEBYSHEV = 2


class IndexKind(IntEnum):
    NONE = 0
    SUBGOAL_GRAPH = 1
    SUBGOAL_LABELS = 2
    TILE_LABELS = 3
    PORTALS = 4
    QUADTREE = 5


class LoadMode(IntEnum):
    MAPPED = 0
    COPIED = 1
    TRUSTED = 2


class TraceKind(IntEnum):
    OPENED = 0
    CLOSED = 1


class Output(IntEnum):
    CELLS = 0
    WAYPOINTS = 1


class FieldChange(IntEnum):
    KEPT = 0
    REPAIRED = 1
    REBUILT = 2


class Formation(IntEnum):
    COMPACT = 0
    BOX = 1
    COLUMN = 2
    WEDGE = 3
    KEEP_SHAPE = 4


class Outcome(IntEnum):
    MOVED = 0
    WAITED = 1
    PUSHED = 2
    BLOCKED = 3
    PINNED = 4


class Objective(IntEnum):
    SUM_OF_LOSS = 0
    MAKESPAN = 1


class PlanStatus(IntEnum):
    NONE = 0
    FEASIBLE = 1
    OPTIMAL = 2
    INFEASIBLE = 3
    LIMIT_REACHED = 4
    CANCELLED = 5


class Defect(IntEnum):
    NONE = 0
    WRONG_SIZE = 1
    WRONG_START = 2
    BLOCKED = 3
    JUMP = 4
    CORNER_CUT = 5
    VERTEX = 6
    SWAP = 7
    CROSSING = 8
    LEFT_GOAL = 9
    WRONG_GOAL = 10


class octile_cell(Structure):
    _fields_ = [
        ("x", c_int32),
        ("y", c_int32),
    ]


class octile_rect(Structure):
    _fields_ = [
        ("x", c_int32),
        ("y", c_int32),
        ("width", c_int32),
        ("height", c_int32),
    ]


class octile_point(Structure):
    _fields_ = [
        ("x", c_double),
        ("y", c_double),
    ]


class octile_pair(Structure):
    _fields_ = [
        ("a", octile_cell),
        ("b", octile_cell),
    ]


class octile_map_def(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("width", c_int32),
        ("height", c_int32),
        ("first_cell", octile_cell),
        ("terrain", c_uint8),
        ("weights", c_uint8),
        ("streamed", c_uint8),
        ("reserved", c_uint8),
        ("origin", octile_point),
        ("cell_size", c_double),
        ("weight_scale", c_double),
    ]


class octile_map_info(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("absent_tiles", c_uint32),
        ("version", c_uint64),
    ]


class octile_obstacle_def(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("terrain", c_uint8),
        ("present", c_uint8),
        ("reserved", c_uint8 * 2),
        ("rect", octile_rect),
        ("cells", c_void_p),
        ("count", c_size_t),
        ("name", c_char * 32),
    ]


class octile_profile(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("moves", c_uint8),
        ("diagonal", c_uint8),
        ("metric", c_uint8),
        ("reserved", c_uint8),
        ("width", c_int32),
        ("height", c_int32),
        ("anchor", octile_cell),
        ("terrain_cost", c_double * 256),
    ]


class octile_view_info(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("width", c_int32),
        ("height", c_int32),
        ("first_cell", octile_cell),
        ("absent_tiles", c_uint32),
        ("version", c_uint64),
        ("uniform", c_uint8),
        ("index", c_uint8),
        ("stale", c_uint8),
        ("reserved", c_uint8 * 5),
        ("map_bytes", c_uint64),
        ("layer_bytes", c_uint64),
    ]


class octile_index_options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("most", c_uint8),
        ("high_quality", c_uint8),
        ("reserved", c_uint8 * 2),
        ("budget_bytes", c_uint64),
        ("budget_work", c_uint64),
        ("threads", c_uint32),
        ("reserved_too", c_uint32),
        ("cancel", c_uint64),
        ("progress", c_void_p),
        ("user", c_void_p),
    ]


class octile_index_info(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("kind", c_uint32),
        ("bytes", c_uint64),
        ("width", c_int32),
        ("height", c_int32),
        ("fingerprint", c_uint64),
        ("entries", c_uint64),
        ("subgoals", c_uint32),
        ("hubs", c_uint32),
        ("blocks", c_uint32),
        ("portals", c_uint32),
        ("reason", c_char * 96),
    ]


class octile_solver_info(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("exact", c_int32),
        ("name", c_void_p),
        ("summary", c_void_p),
        ("serves", c_void_p),
        ("otherwise", c_void_p),
    ]


class octile_trace_event(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("g", c_double),
        ("kind", c_int32),
        ("reserved", c_int32),
    ]


class octile_extra_cost(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("cost", c_double),
    ]


class octile_query(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("solver", c_int32),
        ("start", octile_cell),
        ("goal", octile_cell),
        ("goals", c_void_p),
        ("goal_count", c_size_t),
        ("extra_blocked", c_void_p),
        ("extra_blocked_count", c_size_t),
        ("extra_costs", c_void_p),
        ("extra_cost_count", c_size_t),
        ("max_expansions", c_uint64),
        ("max_cost", c_double),
        ("cancel", c_uint64),
        ("trace", c_uint64),
        ("snap_radius", c_int32),
        ("output", c_uint8),
        ("smooth", c_uint8),
        ("snap_start", c_uint8),
        ("snap_goal", c_uint8),
        ("goal_cover", c_uint8),
        ("escape_start", c_uint8),
        ("allow_partial", c_uint8),
        ("reserved", c_uint8),
    ]


class octile_answer(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("cost", c_double),
        ("cost_units", c_uint64),
        ("bound", c_double),
        ("version", c_uint64),
        ("expanded", c_uint64),
        ("generated", c_uint64),
        ("goal_index", c_size_t),
        ("first", c_size_t),
        ("length", c_size_t),
        ("solver", c_int32),
        ("reserved", c_int32),
        ("message", c_void_p),
    ]


class octile_scen_query(Structure):
    _fields_ = [
        ("bucket", c_int32),
        ("map_width", c_int32),
        ("map_height", c_int32),
        ("start", octile_cell),
        ("goal", octile_cell),
        ("optimum", c_double),
    ]


class octile_batch_options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("threads", c_uint32),
        ("cache_bytes", c_uint64),
        ("cancel", c_uint64),
    ]


class octile_batch_counts(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("by_field", c_uint64),
        ("fields_built", c_uint64),
        ("fields_kept", c_uint64),
        ("by_search", c_uint64),
    ]


class octile_field_query(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("goals", c_void_p),
        ("goal_count", c_size_t),
        ("offsets", c_void_p),
        ("max_cost", c_double),
        ("stops", c_void_p),
        ("stop_count", c_size_t),
    ]


class octile_group_unit(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("view", c_uint32),
    ]


class octile_group_options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("formation", c_int32),
        ("facing", octile_cell),
        ("spacing", c_int32),
        ("files", c_int32),
        ("allow_partial", c_uint8),
        ("reserved", c_uint8 * 7),
    ]


class octile_group_slot(Structure):
    _fields_ = [
        ("status", c_int32),
        ("cell", octile_cell),
        ("rank", c_uint32),
        ("distance", c_double),
        ("pace", c_double),
    ]


class octile_group_answer(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("optimal", c_uint32),
        ("placed", c_uint64),
        ("partial", c_uint64),
        ("left", c_uint64),
        ("longest", c_double),
        ("total", c_double),
    ]


class octile_group_friend(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("heading", octile_cell),
        ("speed", c_double),
    ]


class octile_agent(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("goal", octile_cell),
        ("has_goal", c_uint8),
        ("pinned", c_uint8),
        ("pushable", c_uint8),
        ("priority", c_uint8),
    ]


class octile_planner_options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("patience", c_uint32),
        ("seed", c_uint64),
        ("table_bytes", c_uint64),
    ]


class octile_agent_state(Structure):
    _fields_ = [
        ("cell", octile_cell),
        ("goal", octile_cell),
        ("steps_left", c_uint64),
        ("outcome", c_uint8),
        ("arrived", c_uint8),
        ("reachable", c_uint8),
        ("reserved", c_uint8 * 5),
    ]


class octile_planner_info(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("stalled", c_uint32),
        ("agents", c_uint64),
        ("ticks", c_uint64),
        ("arrivals", c_uint64),
        ("on_the_way", c_uint64),
        ("bytes", c_uint64),
    ]


class octile_plan_options(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("objective", c_uint8),
        ("any_goal", c_uint8),
        ("reserved", c_uint8 * 2),
        ("seed", c_uint64),
        ("max_configurations", c_uint64),
        ("improve", c_uint64),
        ("refine", c_uint64),
        ("max_bytes", c_uint64),
        ("seconds", c_double),
        ("cancel", c_uint64),
        ("progress", c_void_p),
        ("user", c_void_p),
    ]


class octile_plan_costs(Structure):
    _fields_ = [
        ("makespan", c_uint64),
        ("sum_of_costs", c_uint64),
        ("sum_of_loss", c_uint64),
        ("makespan_bound", c_uint64),
        ("sum_bound", c_uint64),
    ]


class octile_plan_answer(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("costs", octile_plan_costs),
        ("configurations", c_uint64),
        ("first_configurations", c_uint64),
        ("first_sum_of_costs", c_uint64),
        ("rounds", c_uint64),
        ("improved", c_uint64),
        ("table_bytes", c_uint64),
        ("peak_bytes", c_uint64),
    ]


class octile_plan_report(Structure):
    _fields_ = [
        ("size", c_uint32),
        ("defect", c_int32),
        ("tick", c_uint64),
        ("agent", c_uint64),
        ("other", c_uint64),
        ("costs", octile_plan_costs),
        ("text", c_char * 160),
    ]


STRUCTS = (
    octile_cell,
    octile_rect,
    octile_point,
    octile_pair,
    octile_map_def,
    octile_map_info,
    octile_obstacle_def,
    octile_profile,
    octile_view_info,
    octile_index_options,
    octile_index_info,
    octile_solver_info,
    octile_trace_event,
    octile_extra_cost,
    octile_query,
    octile_answer,
    octile_scen_query,
    octile_batch_options,
    octile_batch_counts,
    octile_field_query,
    octile_group_unit,
    octile_group_options,
    octile_group_slot,
    octile_group_answer,
    octile_group_friend,
    octile_agent,
    octile_planner_options,
    octile_agent_state,
    octile_planner_info,
    octile_plan_options,
    octile_plan_costs,
    octile_plan_answer,
    octile_plan_report,
)

# name: (result, parameters)
FUNCTIONS = {
    "octile_abi_version": (c_uint32, ()),
    "octile_version": (c_uint32, ()),
    "octile_sizeof": (c_uint32, (c_void_p,)),
    "octile_status_name": (c_char_p, (c_int32,)),
    "octile_message": (c_size_t, (c_void_p, c_size_t)),
    "octile_handle_count": (c_uint64, ()),
    "octile_cancel_create": (c_int32, (c_void_p,)),
    "octile_cancel_raise": (c_int32, (c_uint64,)),
    "octile_cancel_reset": (c_int32, (c_uint64,)),
    "octile_cancel_destroy": (c_int32, (c_uint64,)),
    "octile_map_def_init": (c_int32, (c_void_p,)),
    "octile_engine_create": (c_int32, (c_void_p,)),
    "octile_engine_destroy": (c_int32, (c_uint64,)),
    "octile_engine_reset": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_engine_parse": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_engine_load": (c_int32, (c_uint64, c_void_p)),
    "octile_map_save": (c_int32, (c_uint64, c_void_p)),
    "octile_map_write": (c_int32, (c_uint64, c_int32, c_void_p, c_size_t, c_void_p)),
    "octile_engine_commit": (c_int32, (c_uint64,)),
    "octile_map_describe": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_map_terrain": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_map_ground": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_map_weight": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_map_set_terrain": (c_int32, (c_uint64, c_int32, c_int32, c_uint8)),
    "octile_map_set_weight": (c_int32, (c_uint64, c_int32, c_int32, c_uint16)),
    "octile_map_fill": (c_int32, (c_uint64, c_void_p, c_uint8)),
    "octile_map_fill_weight": (c_int32, (c_uint64, c_void_p, c_uint16)),
    "octile_map_stamp": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_map_stamp_weight": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_map_stamp_bits": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t, c_uint8)),
    "octile_map_provide_tile": (c_int32, (c_uint64, c_int32, c_int32, c_void_p, c_size_t)),
    "octile_map_release_tile": (c_int32, (c_uint64, c_int32, c_int32)),
    "octile_obstacle_def_init": (c_int32, (c_void_p,)),
    "octile_map_add_obstacle": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_map_set_obstacle": (c_int32, (c_uint64, c_uint32, c_int32)),
    "octile_map_remove_obstacle": (c_int32, (c_uint64, c_uint32)),
    "octile_map_obstacle_present": (c_int32, (c_uint64, c_uint32, c_void_p)),
    "octile_map_find_obstacle": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_edit_log_create": (c_int32, (c_void_p,)),
    "octile_edit_log_destroy": (c_int32, (c_uint64,)),
    "octile_map_record": (c_int32, (c_uint64, c_uint64)),
    "octile_edit_log_read": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_edit_log_assign": (c_int32, (c_uint64, c_void_p, c_size_t)),
    "octile_edit_log_save": (c_int32, (c_uint64, c_void_p)),
    "octile_edit_log_load": (c_int32, (c_uint64, c_void_p)),
    "octile_engine_replay": (c_int32, (c_uint64, c_uint64)),
    "octile_profile_init": (c_int32, (c_void_p,)),
    "octile_profile_quantise": (c_int32, (c_void_p, c_void_p)),
    "octile_engine_add_profile": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_engine_remove_profile": (c_int32, (c_uint64, c_uint32)),
    "octile_engine_view": (c_int32, (c_uint64, c_uint32, c_void_p)),
    "octile_view_destroy": (c_int32, (c_uint64,)),
    "octile_view_describe": (c_int32, (c_uint64, c_void_p)),
    "octile_view_definition": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_view_terrain": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_passable": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_cost": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_moves": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_component": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_loaded": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_view_tile_version": (c_int32, (c_uint64, c_int32, c_int32, c_void_p)),
    "octile_view_line_of_sight": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_view_estimate": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_view_cells_at": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_view_centers": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_view_differences": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_index_options_init": (c_int32, (c_void_p,)),
    "octile_index_build": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_index_destroy": (c_int32, (c_uint64,)),
    "octile_index_describe": (c_int32, (c_uint64, c_void_p)),
    "octile_index_belongs_to": (c_int32, (c_uint64, c_uint64, c_void_p)),
    "octile_index_save": (c_int32, (c_uint64, c_void_p)),
    "octile_index_load": (c_int32, (c_void_p, c_int32, c_void_p)),
    "octile_index_write": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_index_read": (c_int32, (c_void_p, c_size_t, c_void_p)),
    "octile_view_index": (c_int32, (c_uint64, c_void_p)),
    "octile_view_stale_index": (c_int32, (c_uint64, c_void_p)),
    "octile_view_with_index": (c_int32, (c_uint64, c_uint64, c_void_p)),
    "octile_view_index_leaves": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_view_index_portals": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_view_index_subgoals": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_engine_adopt": (c_int32, (c_uint64, c_uint32, c_uint64)),
    "octile_engine_repair_labels": (c_int32, (c_uint64, c_uint32, c_uint64, c_int32)),
    "octile_engine_start_build": (c_int32, (c_uint64, c_uint32, c_void_p)),
    "octile_engine_building": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_engine_adopt_finished": (c_int32, (c_uint64, c_void_p)),
    "octile_engine_stop_build": (c_int32, (c_uint64,)),
    "octile_solver_count": (c_int32, ()),
    "octile_solver_describe": (c_int32, (c_int32, c_void_p)),
    "octile_solver_id": (c_int32, (c_void_p,)),
    "octile_trace_create": (c_int32, (c_void_p,)),
    "octile_trace_destroy": (c_int32, (c_uint64,)),
    "octile_trace_clear": (c_int32, (c_uint64,)),
    "octile_trace_read": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p)),
    "octile_query_init": (c_int32, (c_void_p,)),
    "octile_answer_init": (c_int32, (c_void_p,)),
    "octile_searcher_create": (c_int32, (c_void_p,)),
    "octile_searcher_destroy": (c_int32, (c_uint64,)),
    "octile_searcher_memory": (c_int32, (c_uint64, c_void_p)),
    "octile_searcher_release": (c_int32, (c_uint64,)),
    "octile_find": (c_int32, (c_uint64, c_uint64, c_void_p, c_void_p, c_size_t, c_void_p)),
    "octile_searcher_path": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_searcher_points": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_searcher_begin": (c_int32, (c_uint64, c_uint64, c_void_p)),
    "octile_searcher_step": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p, c_void_p)),
    "octile_searcher_head": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_distance": (c_int32, (c_uint64, c_uint64, c_void_p, c_void_p)),
    "octile_first_move": (c_int32, (c_uint64, c_uint64, c_void_p, c_void_p)),
    "octile_distances": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_would_disconnect": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p)),
    "octile_scen_parse": (c_int32, (c_void_p, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_batch_options_init": (c_int32, (c_void_p,)),
    "octile_batch_create": (c_int32, (c_void_p,)),
    "octile_batch_destroy": (c_int32, (c_uint64,)),
    "octile_batch_clear": (c_int32, (c_uint64,)),
    "octile_batch_memory": (c_int32, (c_uint64, c_void_p)),
    "octile_batch_run": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)),
    "octile_batch_pairs": (c_int32, (c_uint64, c_uint64, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)),
    "octile_batch_cells": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_field_query_init": (c_int32, (c_void_p,)),
    "octile_field_maker_create": (c_int32, (c_void_p,)),
    "octile_field_maker_destroy": (c_int32, (c_uint64,)),
    "octile_field_maker_memory": (c_int32, (c_uint64, c_void_p)),
    "octile_field_build": (c_int32, (c_uint64, c_uint64, c_void_p, c_void_p)),
    "octile_field_update": (c_int32, (c_uint64, c_uint64, c_uint64, c_void_p)),
    "octile_field_destroy": (c_int32, (c_uint64,)),
    "octile_field_view": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_field_distances": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_field_units": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_field_directions": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_field_next": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_field_read": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_field_flow": (c_int32, (c_uint64, c_void_p, c_void_p, c_size_t)),
    "octile_field_within": (c_int32, (c_uint64, c_double, c_void_p, c_size_t, c_void_p)),
    "octile_field_path": (c_int32, (c_uint64, c_uint64, c_int32, c_int32, c_void_p, c_size_t, c_void_p)),
    "octile_group_options_init": (c_int32, (c_void_p,)),
    "octile_group_order": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p)),
    "octile_friend_costs": (c_int32, (c_void_p, c_void_p, c_size_t, c_double, c_double, c_void_p)),
    "octile_planner_options_init": (c_int32, (c_void_p,)),
    "octile_planner_create": (c_int32, (c_void_p,)),
    "octile_planner_destroy": (c_int32, (c_uint64,)),
    "octile_planner_reset": (c_int32, (c_uint64, c_uint64, c_void_p, c_size_t, c_void_p)),
    "octile_planner_change_view": (c_int32, (c_uint64, c_uint64)),
    "octile_planner_set_goal": (c_int32, (c_uint64, c_size_t, c_int32, c_int32)),
    "octile_planner_clear_goal": (c_int32, (c_uint64, c_size_t)),
    "octile_planner_set_pinned": (c_int32, (c_uint64, c_size_t, c_int32)),
    "octile_planner_set_pushable": (c_int32, (c_uint64, c_size_t, c_int32)),
    "octile_planner_set_priority": (c_int32, (c_uint64, c_size_t, c_uint8)),
    "octile_planner_step": (c_int32, (c_uint64,)),
    "octile_planner_cells": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_planner_states": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_planner_describe": (c_int32, (c_uint64, c_void_p)),
    "octile_plan_options_init": (c_int32, (c_void_p,)),
    "octile_plan_create": (c_int32, (c_void_p,)),
    "octile_plan_destroy": (c_int32, (c_uint64,)),
    "octile_plan_make": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p, c_uint64, c_void_p)),
    "octile_plan_size": (c_int32, (c_uint64, c_void_p, c_void_p)),
    "octile_plan_read": (c_int32, (c_uint64, c_size_t, c_void_p, c_size_t, c_void_p)),
    "octile_plan_assign": (c_int32, (c_uint64, c_void_p, c_size_t, c_size_t)),
    "octile_plan_check": (c_int32, (c_uint64, c_void_p, c_size_t, c_uint64, c_int32, c_void_p)),
}
