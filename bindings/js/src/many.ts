// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Fields, groups, the step planner and plans: the rest of octile.h.

import {
  AgentAt, AgentStateAt, C, ExtraCostAt, FieldQueryAt, GroupAnswerAt, GroupFriendAt, GroupOptionsAt, GroupSlotAt, GroupUnitAt, PlanAnswerAt,
  PlanCostsAt, PlannerInfoAt, PlannerOptionsAt, PlanOptionsAt, PlanReportAt,
} from './face.js';
import { array, bad, choice, count, handleOf, int, numbers, Owned, real, record, show, statusNames, type Cells, type Point, type Rect, type Status, type Wasm } from './wasm.js';
import { View, watched, type Progress } from './view.js';

// --- Fields: distances and directions of all cells to a set of goals

export interface FieldOptions {
  /** What is still to be paid at each goal, 0 or more. */
  offsets?: ArrayLike<number>;
  /** Cells farther away are not reached. */
  maxCost?: number;
  /** The search ends when all of these are reached. */
  stops?: Cells;
}

export const fieldUpdates = ['kept', 'repaired', 'rebuilt'] as const;
export type FieldUpdate = (typeof fieldUpdates)[number];

export class Field extends Owned {
  readonly #maker: bigint;
  #bounds: Rect;

  /** @internal */
  constructor(wasm: Wasm, view: View, goals: Cells, options: FieldOptions) {
    const { face } = wasm;
    const maker = wasm.created((out) => face.octile_field_maker_create(out));
    let handle: bigint;
    try {
      handle = wasm.frame(() => {
        const query = wasm.alloc(FieldQueryAt.sizeof);
        wasm.check(face.octile_field_query_init(query));
        record(options, 'options');
        const list = wasm.cells(goals);
        wasm.u32[(query + FieldQueryAt.goals) >> 2] = list.at;
        wasm.u32[(query + FieldQueryAt.goal_count) >> 2] = list.count;
        if (options.offsets) {
          if (numbers(options.offsets, 'offsets').length !== list.count) throw bad('there is one offset for each goal');
          wasm.u32[(query + FieldQueryAt.offsets) >> 2] = wasm.doubles(options.offsets, 'offsets');
        }
        if (options.maxCost !== undefined) wasm.f64[(query + FieldQueryAt.max_cost) >> 3] = real(options.maxCost, 'maxCost');
        if (options.stops) {
          const stops = wasm.cells(options.stops);
          wasm.u32[(query + FieldQueryAt.stops) >> 2] = stops.at;
          wasm.u32[(query + FieldQueryAt.stop_count) >> 2] = stops.count;
        }
        const out = wasm.alloc(8);
        wasm.u64[out >> 3] = 0n;
        wasm.check(face.octile_field_build(maker, handleOf(view, wasm, 'the view'), query, out));
        return wasm.u64[out >> 3]!;
      });
    } catch (error) {
      face.octile_field_maker_destroy(maker);
      throw error;
    }
    super(wasm, handle, () => {
      face.octile_field_destroy(handle);
      face.octile_field_maker_destroy(maker);
    });
    this.#maker = maker;
    this.#bounds = view.bounds;
  }

  /** Brings it to another view of the same map and profile: what edits left alone is kept. */
  update(view: View): FieldUpdate {
    const { wasm } = this;
    if (this.disposed) throw bad('the field was disposed');
    const how = wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_field_update(this.#maker, handleOf(view, wasm, 'the view'), this.handle, out));
      return fieldUpdates[wasm.i32[out >> 2]!]!;
    });
    this.#bounds = view.bounds;
    return how;
  }

  /** The view that it holds for. */
  view(): View {
    return new View(this.wasm, this.wasm.created((out) => this.wasm.face.octile_field_view(this.handle, out, 0)));
  }

  /** Costs of the cheapest ways from all cells of a rectangle (default: the map), row by row; Infinity: not reached. */
  distances(rect: Rect = this.#bounds): Float64Array {
    return this.wasm.rectangle('f64', rect, (at, out, stride) => this.wasm.face.octile_field_read(this.handle, at, out, stride));
  }

  /** First moves: 0 to 7 for E, SE, S, SW, W, NW, N, NE; 8 at a goal, 255 where none is reached. */
  directions(rect: Rect = this.#bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_field_flow(this.handle, at, out, stride));
  }

  /** The same of any cells. */
  distancesOf(cells: Cells): Float64Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.cells(cells);
      const out = wasm.alloc(8 * n);
      wasm.check(wasm.face.octile_field_distances(this.handle, at, n, out));
      return wasm.f64.slice(out >> 3, (out >> 3) + n);
    });
  }

  directionsOf(cells: Cells): Uint8Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.cells(cells);
      const out = wasm.alloc(n);
      wasm.check(wasm.face.octile_field_directions(this.handle, at, n, out));
      return wasm.u8.slice(out, out + n);
    });
  }

  /** Each cell moved by a step towards its goal; itself at a goal and where none is reached. */
  next(cells: Cells): Int32Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.cells(cells);
      wasm.check(wasm.face.octile_field_next(this.handle, at, n, at));
      return wasm.i32.slice(at >> 2, (at >> 2) + 2 * n);
    });
  }

  /** The cells within a cost of a goal, by y, then x: where a unit can go in a turn. */
  within(cost: number): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_field_within(this.handle, real(cost, 'cost'), out, capacity, length));
  }
}

// --- Groups: one order for many units

export const formations = ['compact', 'box', 'column', 'wedge', 'keep_shape'] as const;
export type Formation = (typeof formations)[number];

export interface GroupOptions {
  formation?: Formation;
  /** Where the formation looks to, a direction; default: from the units to the goal. */
  facing?: Point;
  /** Cells between two units at least, 0 to 32. */
  spacing?: number;
  /** Units abreast in a box or column. */
  files?: number;
  /** Who cannot reach the goal goes as near as can be; default true. */
  allowPartial?: boolean;
  /** Other units on the map: ways past them cost more, and nobody gets a slot where one rests. */
  friends?: readonly Friend[];
  /** What they cost, in straight steps; default 1 and 4. */
  friendCosts?: { moving?: number; resting?: number };
}

/** A friend in the way: a cell that it covers, where it is going (a direction; none: it rests), its speed. */
export interface Friend {
  x: number;
  y: number;
  heading?: Point;
  /** A share of that of the unit that plans, 0 to 1; default 1. */
  speed?: number;
}

export interface GroupSlot {
  status: Status;
  x: number;
  y: number;
  /** How far behind the foremost slot it lies, in cells. */
  rank: number;
  /** Cost of the way to it; Infinity without a slot. */
  distance: number;
  /** Share of full speed at which all arrive together, 0 to 1. */
  pace: number;
}

export interface GroupOrder {
  slots: GroupSlot[];
  /** Is the choice of who takes which slot the best there is? */
  optimal: boolean;
  placed: number;
  partial: number;
  left: number;
  longest: number;
  total: number;
}

/** `views`: one for each kind of unit; `kinds[i]` tells which of them unit i walks by (default: the first). */
export function orderGroup(
  wasm: Wasm, searcher: bigint, views: readonly View[], units: Cells, goal: Point, options: GroupOptions, kinds?: ArrayLike<number>,
): GroupOrder {
  return wasm.frame(() => {
    const handles = wasm.alloc(8 * views.length);
    views.forEach((view, i) => { wasm.u64[(handles >> 3) + i] = handleOf(view, wasm, 'a view'); });
    const { at: cells, count: n } = wasm.cells(units);
    const list = wasm.alloc(n * GroupUnitAt.sizeof);
    for (let i = 0; i < n; ++i) {
      const one = (list + i * GroupUnitAt.sizeof) >> 2;
      wasm.i32[one] = wasm.i32[(cells >> 2) + 2 * i]!;
      wasm.i32[one + 1] = wasm.i32[(cells >> 2) + 2 * i + 1]!;
      wasm.u32[one + 2] = count(kinds?.[i] ?? 0, 'a kind');
    }
    const at = wasm.alloc(GroupOptionsAt.sizeof);
    wasm.check(wasm.face.octile_group_options_init(at));
    record(options, 'options');
    if (options.formation !== undefined) {
      wasm.i32[(at + GroupOptionsAt.formation) >> 2] = choice(options.formation, formations, 'formation');
    }
    if (options.facing !== undefined) {
      record(options.facing, 'facing');
      wasm.i32[(at + GroupOptionsAt.facing) >> 2] = int(options.facing.x, 'facing.x');
      wasm.i32[((at + GroupOptionsAt.facing) >> 2) + 1] = int(options.facing.y, 'facing.y');
    }
    if (options.spacing !== undefined) wasm.i32[(at + GroupOptionsAt.spacing) >> 2] = int(options.spacing, 'spacing');
    if (options.files !== undefined) wasm.i32[(at + GroupOptionsAt.files) >> 2] = int(options.files, 'files');
    if (options.allowPartial !== undefined) wasm.u8[at + GroupOptionsAt.allow_partial] = options.allowPartial ? 1 : 0;
    if (options.friends !== undefined) {
      const list = friendList(wasm, options.friends);
      wasm.u32[(at + GroupOptionsAt.friends) >> 2] = list;
      wasm.u32[(at + GroupOptionsAt.friend_count) >> 2] = options.friends.length;
    }
    if (options.friendCosts !== undefined) {
      const { moving, resting } = record(options.friendCosts, 'friendCosts');
      if (moving !== undefined) wasm.f64[(at + GroupOptionsAt.friend_moving) >> 3] = real(moving, 'friendCosts.moving');
      if (resting !== undefined) wasm.f64[(at + GroupOptionsAt.friend_resting) >> 3] = real(resting, 'friendCosts.resting');
    }
    const slots = wasm.alloc(n * GroupSlotAt.sizeof);
    const answer = wasm.struct(GroupAnswerAt.sizeof);
    const { at: to } = wasm.cells([record(goal, 'goal')]);
    wasm.check(wasm.face.octile_group_order(searcher, handles, views.length, list, n, to, at, slots, answer));
    const { i32, u32, f64 } = wasm;
    return {
      slots: Array.from({ length: n }, (_, i) => {
        const one = slots + i * GroupSlotAt.sizeof;
        return {
          status: statusNames[i32[(one + GroupSlotAt.status) >> 2]!]!,
          x: i32[(one + GroupSlotAt.cell) >> 2]!,
          y: i32[((one + GroupSlotAt.cell) >> 2) + 1]!,
          rank: u32[(one + GroupSlotAt.rank) >> 2]!,
          distance: f64[(one + GroupSlotAt.distance) >> 3]!,
          pace: f64[(one + GroupSlotAt.pace) >> 3]!,
        };
      }),
      optimal: u32[(answer + GroupAnswerAt.optimal) >> 2] !== 0,
      placed: wasm.number64(answer + GroupAnswerAt.placed),
      partial: wasm.number64(answer + GroupAnswerAt.partial),
      left: wasm.number64(answer + GroupAnswerAt.left),
      longest: f64[(answer + GroupAnswerAt.longest) >> 3]!,
      total: f64[(answer + GroupAnswerAt.total) >> 3]!,
    };
  });
}

/** Within a frame: octile_group_friend for each. */
function friendList(wasm: Wasm, friends: readonly Friend[]): number {
  const list = wasm.alloc(array(friends, 'friends').length * GroupFriendAt.sizeof);
  friends.forEach((friend, i) => {
    record(friend, `friends[${i}]`);
    const one = list + i * GroupFriendAt.sizeof;
    wasm.i32[one >> 2] = int(friend.x, 'x');
    wasm.i32[(one >> 2) + 1] = int(friend.y, 'y');
    wasm.i32[(one + GroupFriendAt.heading) >> 2] = int(friend.heading?.x ?? 0, 'heading.x');
    wasm.i32[((one + GroupFriendAt.heading) >> 2) + 1] = int(friend.heading?.y ?? 0, 'heading.y');
    wasm.f64[(one + GroupFriendAt.speed) >> 3] = real(friend.speed ?? 1, 'speed');
  });
  return list;
}

/** What friends add for a unit on its way from (startX, startY) to (goalX, goalY), for `extraCosts`. */
export function costsOfFriends(
  wasm: Wasm, ends: readonly number[], friends: readonly Friend[], moving: number, resting: number,
): { x: number; y: number; cost: number }[] {
  return wasm.frame(() => {
    const { at: way } = wasm.cells(ends);
    const list = friendList(wasm, friends);
    const out = wasm.alloc(friends.length * ExtraCostAt.sizeof);
    wasm.check(wasm.face.octile_friend_costs(way, list, friends.length, real(moving, 'moving'), real(resting, 'resting'), out));
    return friends.map((_, i) => {
      const one = out + i * ExtraCostAt.sizeof;
      return { x: wasm.i32[one >> 2]!, y: wasm.i32[(one >> 2) + 1]!, cost: wasm.f64[(one + ExtraCostAt.cost) >> 3]! };
    });
  });
}

// --- Step planner

export interface Agent {
  x: number;
  y: number;
  /** Without one it stays where it is, or was pushed. */
  goal?: Point;
  /** Never moves. */
  pinned?: boolean;
  /** May be moved by the need of others; default true. */
  pushable?: boolean;
  /** Higher ones go first; default 128. */
  priority?: number;
}

export interface PlannerOptions {
  /** Ticks without progress until it is stalled; default 200. */
  patience?: number;
  seed?: number;
  /** Of tables of distances; default 256 MB. */
  tableBytes?: number;
}

export const outcomes = ['moved', 'waited', 'pushed', 'blocked', 'pinned'] as const;
export type Outcome = (typeof outcomes)[number];

export interface AgentState {
  x: number;
  y: number;
  goalX: number;
  goalY: number;
  /** Of a shortest way; 0 when it cannot be reached. */
  stepsLeft: number;
  /** Of the last step. */
  outcome: Outcome;
  arrived: boolean;
  reachable: boolean;
}

/** The next cell of each of many units, tick by tick, without collisions. */
export class Planner extends Owned {
  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_planner_create(out));
    super(wasm, handle, () => wasm.face.octile_planner_destroy(handle));
  }

  /** Starts anew. Agents are known by their place in the list. */
  reset(view: View, agents: readonly Agent[], options: PlannerOptions = {}): this {
    const { wasm } = this;
    wasm.frame(() => {
      const list = wasm.alloc(array(agents, 'agents').length * AgentAt.sizeof);
      record(options, 'options');
      agents.forEach((agent, i) => {
        record(agent, `agents[${i}]`);
        const at = list + i * AgentAt.sizeof;
        const { i32, u8 } = wasm;
        i32[at >> 2] = int(agent.x, 'x');
        i32[(at >> 2) + 1] = int(agent.y, 'y');
        i32[(at + AgentAt.goal) >> 2] = int(agent.goal?.x ?? 0, 'goal.x');
        i32[((at + AgentAt.goal) >> 2) + 1] = int(agent.goal?.y ?? 0, 'goal.y');
        u8[at + AgentAt.has_goal] = agent.goal ? 1 : 0;
        u8[at + AgentAt.pinned] = agent.pinned ? 1 : 0;
        u8[at + AgentAt.pushable] = agent.pushable === false ? 0 : 1;
        u8[at + AgentAt.priority] = priorityOf(agent.priority ?? 128);
      });
      const own = wasm.alloc(PlannerOptionsAt.sizeof);
      wasm.check(wasm.face.octile_planner_options_init(own));
      if (options.patience !== undefined) wasm.u32[(own + PlannerOptionsAt.patience) >> 2] = count(options.patience, 'patience');
      if (options.seed !== undefined) wasm.set64(own + PlannerOptionsAt.seed, count(options.seed, 'seed'));
      wasm.set64(own + PlannerOptionsAt.table_bytes, count(options.tableBytes ?? 256 * 1024 * 1024, 'tableBytes'));
      wasm.check(wasm.face.octile_planner_reset(this.handle, handleOf(view, wasm, 'the view'), list, agents.length, own));
    });
    return this;
  }

  /** After edits: from now on this view. */
  changeView(view: View): void {
    this.wasm.check(this.wasm.face.octile_planner_change_view(this.handle, handleOf(view, this.wasm, 'the view')));
  }

  // All take effect with the next step.

  setGoal(agent: number, x: number, y: number): void {
    this.wasm.check(this.wasm.face.octile_planner_set_goal(this.handle, count(agent, 'agent'), int(x, 'x'), int(y, 'y')));
  }
  clearGoal(agent: number): void {
    this.wasm.check(this.wasm.face.octile_planner_clear_goal(this.handle, count(agent, 'agent')));
  }
  setPinned(agent: number, pinned: boolean): void {
    this.wasm.check(this.wasm.face.octile_planner_set_pinned(this.handle, count(agent, 'agent'), pinned ? 1 : 0));
  }
  setPushable(agent: number, pushable: boolean): void {
    this.wasm.check(this.wasm.face.octile_planner_set_pushable(this.handle, count(agent, 'agent'), pushable ? 1 : 0));
  }
  setPriority(agent: number, priority: number): void {
    this.wasm.check(this.wasm.face.octile_planner_set_priority(this.handle, count(agent, 'agent'), priorityOf(priority)));
  }

  /** One tick. */
  step(): void {
    this.wasm.check(this.wasm.face.octile_planner_step(this.handle));
  }

  /** Where all agents are. */
  cells(): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_planner_cells(this.handle, 0, out, capacity, length));
  }

  states(): AgentState[] {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.list(AgentStateAt.sizeof, (out, capacity, length) =>
        wasm.face.octile_planner_states(this.handle, 0, out, capacity, length));
      const { i32, u8 } = wasm;
      return Array.from({ length: n }, (_, i) => {
        const one = at + i * AgentStateAt.sizeof;
        return {
          x: i32[one >> 2]!,
          y: i32[(one >> 2) + 1]!,
          goalX: i32[(one + AgentStateAt.goal) >> 2]!,
          goalY: i32[((one + AgentStateAt.goal) >> 2) + 1]!,
          stepsLeft: wasm.number64(one + AgentStateAt.steps_left),
          outcome: outcomes[u8[one + AgentStateAt.outcome]!]!,
          arrived: u8[one + AgentStateAt.arrived] !== 0,
          reachable: u8[one + AgentStateAt.reachable] !== 0,
        };
      });
    });
  }

  /** `onTheWay`: agents with a goal that they can reach and have not; `stalled`: no progress for `patience` ticks. */
  get info(): { stalled: boolean; agents: number; ticks: number; arrivals: number; onTheWay: number; bytes: number } {
    const { wasm } = this;
    return wasm.frame(() => {
      const at = wasm.struct(PlannerInfoAt.sizeof);
      wasm.check(wasm.face.octile_planner_describe(this.handle, at));
      return {
        stalled: wasm.u32[(at + PlannerInfoAt.stalled) >> 2] !== 0,
        agents: wasm.number64(at + PlannerInfoAt.agents),
        ticks: wasm.number64(at + PlannerInfoAt.ticks),
        arrivals: wasm.number64(at + PlannerInfoAt.arrivals),
        onTheWay: wasm.number64(at + PlannerInfoAt.on_the_way),
        bytes: wasm.number64(at + PlannerInfoAt.bytes),
      };
    });
  }
}

function priorityOf(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 255) throw bad(`a priority is 0 to 255, not ${show(value)}`);
  return value;
}

// --- Plans

export const planStatuses = ['none', 'feasible', 'optimal', 'infeasible', 'limit_reached', 'cancelled'] as const;
export type PlanStatus = (typeof planStatuses)[number];
export const defects = [
  'none', 'wrong_size', 'wrong_start', 'blocked', 'jump', 'corner_cut', 'vertex', 'swap', 'crossing', 'left_goal', 'wrong_goal',
] as const;
export type Defect = (typeof defects)[number];

const objectives = ['sum_of_loss', 'makespan'] as const;

export interface PlanOptions {
  objective?: (typeof objectives)[number];
  /** The goals are places for anybody. */
  anyGoal?: boolean;
  seed?: number;
  /** Until the first plan is there; 0: no limit. */
  maxConfigurations?: number;
  /** More of them after the first plan. */
  improve?: number;
  /** Rounds of re-planning of some agents. */
  refine?: number;
  /** Of memory, about; default 1 GB. */
  maxBytes?: number;
  /** Of the wall clock, 0: no limit. */
  seconds?: number;
  progress?: Progress;
}

export interface PlanCosts {
  /** The tick at which the last agent is at its goal for good. */
  makespan: number;
  sumOfCosts: number;
  /** Ticks spent away from, leaving or entering goals. */
  sumOfLoss: number;
  /** What no plan can beat. */
  makespanBound: number;
  sumBound: number;
}

export interface PlanAnswer {
  status: PlanStatus;
  costs: PlanCosts;
  configurations: number;
  rounds: number;
  improved: number;
}

export interface PlanReport {
  /** `none`: the plan is valid; else the first conflict by tick, then agent. */
  defect: Defect;
  tick: number;
  agent: number;
  other: number;
  costs: PlanCosts;
  text: string;
}

function readCosts(wasm: Wasm, at: number): PlanCosts {
  return {
    makespan: wasm.number64(at + PlanCostsAt.makespan),
    sumOfCosts: wasm.number64(at + PlanCostsAt.sum_of_costs),
    sumOfLoss: wasm.number64(at + PlanCostsAt.sum_of_loss),
    makespanBound: wasm.number64(at + PlanCostsAt.makespan_bound),
    sumBound: wasm.number64(at + PlanCostsAt.sum_bound),
  };
}

/** Every step of every unit, without collisions. */
export class Plan extends Owned {
  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_plan_create(out));
    super(wasm, handle, () => wasm.face.octile_plan_destroy(handle));
  }

  /** `tasks`: start and goal of each agent, as cells one after the other. */
  make(view: View, tasks: Cells, options: PlanOptions = {}): PlanAnswer {
    const { wasm } = this;
    const { face } = wasm;
    return wasm.frame(() => {
      const ends = taskList(wasm, tasks);
      const at = wasm.alloc(PlanOptionsAt.sizeof);
      wasm.check(face.octile_plan_options_init(at));
      record(options, 'options');
      if (options.objective !== undefined) choice(options.objective, objectives, 'objective');
      if (options.objective === 'makespan') wasm.u8[at + PlanOptionsAt.objective] = C.OBJECTIVE_MAKESPAN;
      wasm.u8[at + PlanOptionsAt.any_goal] = options.anyGoal ? 1 : 0;
      const set = (field: number, value: number | undefined, name: string): void => {
        if (value !== undefined) wasm.set64(at + field, count(value, name));
      };
      set(PlanOptionsAt.seed, options.seed, 'seed');
      set(PlanOptionsAt.max_configurations, options.maxConfigurations, 'maxConfigurations');
      set(PlanOptionsAt.improve, options.improve, 'improve');
      set(PlanOptionsAt.refine, options.refine, 'refine');
      set(PlanOptionsAt.max_bytes, options.maxBytes ?? 2 ** 30, 'maxBytes');
      if (options.seconds !== undefined) wasm.f64[(at + PlanOptionsAt.seconds) >> 3] = real(options.seconds, 'seconds');
      const places = { cancel: at + PlanOptionsAt.cancel, progress: at + PlanOptionsAt.progress, user: at + PlanOptionsAt.user };
      const answer = wasm.struct(PlanAnswerAt.sizeof);
      watched(wasm, options.progress, places, () => wasm.check(
        face.octile_plan_make(handleOf(view, wasm, 'the view'), ends.at, ends.count, at, this.handle, answer)));
      return {
        status: planStatuses[wasm.i32[(answer + PlanAnswerAt.status) >> 2]!]!,
        costs: readCosts(wasm, answer + PlanAnswerAt.costs),
        configurations: wasm.number64(answer + PlanAnswerAt.configurations),
        rounds: wasm.number64(answer + PlanAnswerAt.rounds),
        improved: wasm.number64(answer + PlanAnswerAt.improved),
      };
    });
  }

  /** Rows (ticks + 1, the first of which are the starts) and agents. */
  get size(): { rows: number; agents: number } {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_plan_size(this.handle, out, out + 4));
      return { rows: wasm.u32[out >> 2]!, agents: wasm.u32[(out >> 2) + 1]! };
    });
  }

  /** Row by row: the cell of agent a at tick t begins at 2 * (t * agents + a). */
  cells(): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_plan_read(this.handle, 0, out, capacity, length));
  }

  /** A plan from any other source. */
  assign(cells: Cells, agents: number): void {
    const { wasm } = this;
    wasm.frame(() => {
      const list = wasm.cells(cells);
      const rows = count(agents, 'agents') > 0 ? list.count / agents : 0;
      if (!Number.isInteger(rows)) throw bad('there is one cell for each agent in each row');
      wasm.check(wasm.face.octile_plan_assign(this.handle, list.at, rows, agents));
    });
  }

  /** Recomputes everything and names the first conflict. */
  check(view: View, tasks: Cells, anyGoal = false): PlanReport {
    const { wasm } = this;
    return wasm.frame(() => {
      const ends = taskList(wasm, tasks);
      const at = wasm.struct(PlanReportAt.sizeof);
      wasm.check(wasm.face.octile_plan_check(handleOf(view, wasm, 'the view'), ends.at, ends.count, this.handle, anyGoal ? 1 : 0, at));
      return {
        defect: defects[wasm.i32[(at + PlanReportAt.defect) >> 2]!]!,
        tick: wasm.number64(at + PlanReportAt.tick),
        agent: wasm.number64(at + PlanReportAt.agent),
        other: wasm.number64(at + PlanReportAt.other),
        costs: readCosts(wasm, at + PlanReportAt.costs),
        text: wasm.string(at + PlanReportAt.text),
      };
    });
  }
}

function taskList(wasm: Wasm, tasks: Cells): { at: number; count: number } {
  const { at, count: n } = wasm.cells(tasks);
  if (n % 2) throw bad('each task has a start and a goal');
  return { at, count: n / 2 };
}
