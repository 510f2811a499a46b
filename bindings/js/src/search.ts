// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Queries: octile.h from "Solvers" to "Batches".

import {
  AnswerAt, BatchCountsAt, BatchOptionsAt, C, ExtraCostAt, PairAt, QueryAt, SolverInfoAt, TraceEventAt,
} from './face.js';
import {
  array, bad, count, handleOf, int, Owned, real, record, show, statusNames, type Cells, type Point, type Status, type Wasm,
} from './wasm.js';
import { orderGroup, type Field, type GroupOptions, type GroupOrder } from './many.js';
import type { CancelToken, View } from './view.js';

export interface SolverInfo {
  id: number;
  name: string;
  /** Always a cheapest path. */
  exact: boolean;
  summary: string;
  /** Which profiles and queries it takes itself. */
  serves: string;
  /** The solver that answers in its place else; "" when it takes all. */
  otherwise: string;
}

export function readSolvers(wasm: Wasm): SolverInfo[] {
  return Array.from({ length: wasm.face.octile_solver_count() }, (_, id) => wasm.frame(() => {
    const at = wasm.struct(SolverInfoAt.sizeof);
    wasm.check(wasm.face.octile_solver_describe(id, at));
    const text = (field: number): string => wasm.string(wasm.u32[(at + field) >> 2]!);
    return {
      id,
      name: text(SolverInfoAt.name),
      exact: wasm.i32[(at + SolverInfoAt.exact) >> 2] !== 0,
      summary: text(SolverInfoAt.summary),
      serves: text(SolverInfoAt.serves),
      otherwise: text(SolverInfoAt.otherwise),
    };
  }));
}

/** What a query may ask for beyond its two ends. */
export interface FindOptions {
  /** Who answers, by name; default `auto`: the fastest exact solver for the map and the query. */
  solver?: string;
  /** A set instead of the goal: the cheapest to reach wins, among equals the first of the list. */
  goals?: Cells;
  /** For this query alone: cells that are walls ... */
  blocked?: Cells;
  /** ... and cells that cost more: the cost is added to the cost factor, at most three decimals. */
  extraCosts?: readonly { x: number; y: number; cost: number }[];
  /** 0 (default): no limit. */
  maxExpansions?: number;
  /** Paths above it end with `limit_reached`. */
  maxCost?: number;
  /** Only the cells where the direction changes. */
  waypoints?: boolean;
  /** Waypoints pulled tight (uniform maps). */
  smooth?: boolean;
  /** Take the nearest free cell for an end that is a wall, at most snapRadius (default 64) cells away. */
  snapStart?: boolean;
  snapGoal?: boolean;
  snapRadius?: number;
  /** A goal is reached where the unit covers it. */
  goalCover?: boolean;
  /** A unit that stands where it cannot may leave. */
  escapeStart?: boolean;
  /** Without a path go to the nearest reached cell. */
  allowPartial?: boolean;
  /** False: tell the cost and the length, and leave the path out. */
  path?: boolean;
  cancel?: CancelToken;
  /** Records what the search does, for pictures; a search is then made even where an index could tell. */
  trace?: Trace;
}

export interface Answer {
  /** `found`; `partial`, `no_path`, `start_blocked` and so on tell why there is no path to the goal. */
  status: Status;
  /** In straight steps (of the metric `ten_fourteen`: in tens), of the path's own steps; 0 without a path. */
  cost: number;
  /** The same, exact: compares without rounding within one view. */
  costUnits: bigint;
  /** The cost is at most this many times the cheapest; 1: exact. */
  bound: number;
  /** Of the view that was asked. */
  version: number;
  /** Nodes taken from the open list, and put into it. */
  expanded: number;
  generated: number;
  /** Which goal of the set was reached. */
  goalIndex: number;
  /** Cells of the path. */
  length: number;
  /** `[x0, y0, x1, y1, ...]`, both ends included. Of `not_loaded`: the first cells of the tiles that are wanted. */
  path: Int32Array;
  /** Who answered. */
  solver: string;
  /** "" when found, else one line. */
  message: string;
}

const noPath = new Int32Array(0);

/** Lists of a query are to be read here; the frame keeps them. */
function writeQuery(wasm: Wasm, at: number, options: FindOptions, solvers: readonly SolverInfo[]): void {
  const { goals, blocked, extraCosts } = record(options, 'options');
  if (options.solver !== undefined) {
    const id = solvers.findIndex(({ name }) => name === options.solver);
    if (id < 0) throw bad(`there is no solver ${show(options.solver)}`);
    wasm.i32[(at + QueryAt.solver) >> 2] = id;
  }
  if (goals) {
    const list = wasm.cells(goals);
    if (list.count === 0) throw bad('the set of goals is empty');
    wasm.u32[(at + QueryAt.goals) >> 2] = list.at;
    wasm.u32[(at + QueryAt.goal_count) >> 2] = list.count;
  }
  if (blocked) {
    const list = wasm.cells(blocked);
    wasm.u32[(at + QueryAt.extra_blocked) >> 2] = list.at;
    wasm.u32[(at + QueryAt.extra_blocked_count) >> 2] = list.count;
  }
  if (extraCosts) {
    const list = wasm.alloc(array(extraCosts, 'extraCosts').length * ExtraCostAt.sizeof);
    extraCosts.forEach((extra, i) => {
      const { x, y, cost } = record(extra, `extraCosts[${i}]`);
      const one = list + i * ExtraCostAt.sizeof;
      wasm.i32[one >> 2] = int(x, 'x');
      wasm.i32[(one >> 2) + 1] = int(y, 'y');
      wasm.f64[(one + ExtraCostAt.cost) >> 3] = real(cost, 'cost');
    });
    wasm.u32[(at + QueryAt.extra_costs) >> 2] = list;
    wasm.u32[(at + QueryAt.extra_cost_count) >> 2] = extraCosts.length;
  }
  if (options.maxExpansions !== undefined) {
    wasm.set64(at + QueryAt.max_expansions, count(options.maxExpansions, 'maxExpansions'));
  }
  if (options.maxCost !== undefined) wasm.f64[(at + QueryAt.max_cost) >> 3] = real(options.maxCost, 'maxCost');
  if (options.cancel) wasm.u64[(at + QueryAt.cancel) >> 3] = handleOf(options.cancel, wasm, 'cancel');
  if (options.trace) wasm.u64[(at + QueryAt.trace) >> 3] = handleOf(options.trace, wasm, 'trace');
  if (options.snapRadius !== undefined) wasm.i32[(at + QueryAt.snap_radius) >> 2] = int(options.snapRadius, 'snapRadius');
  const { u8 } = wasm;
  u8[at + QueryAt.output] = options.waypoints || options.smooth ? C.OUTPUT_WAYPOINTS : C.OUTPUT_CELLS;
  u8[at + QueryAt.smooth] = options.smooth ? 1 : 0;
  u8[at + QueryAt.snap_start] = options.snapStart ? 1 : 0;
  u8[at + QueryAt.snap_goal] = options.snapGoal ? 1 : 0;
  u8[at + QueryAt.goal_cover] = options.goalCover ? 1 : 0;
  u8[at + QueryAt.escape_start] = options.escapeStart ? 1 : 0;
  u8[at + QueryAt.allow_partial] = options.allowPartial ? 1 : 0;
}

/** Every answer of a query is made here and without constants, so that all have one shape: a second one would make both slow. */
function newAnswer(
  status: Status, cost: number, costUnits: bigint, bound: number, version: number, expanded: number, generated: number,
  goalIndex: number, length: number, path: Int32Array, solver: string, message: string,
): Answer {
  return { status, cost, costUnits, bound, version, expanded, generated, goalIndex, length, path, solver, message };
}

function readAnswer(wasm: Wasm, at: number, path: Int32Array, solvers: readonly SolverInfo[]): Answer {
  // Each array is fetched once.
  const { u32, f64, u64 } = wasm;
  const status = u32[(at + AnswerAt.status) >> 2]!;
  const word = at >> 2;
  return newAnswer(
    statusNames[status]!,
    f64[(at + AnswerAt.cost) >> 3]!,
    u64[(at + AnswerAt.cost_units) >> 3]!,
    f64[(at + AnswerAt.bound) >> 3]!,
    u32[word + (AnswerAt.version >> 2)]! + u32[word + (AnswerAt.version >> 2) + 1]! * 4294967296,
    u32[word + (AnswerAt.expanded >> 2)]! + u32[word + (AnswerAt.expanded >> 2) + 1]! * 4294967296,
    u32[word + (AnswerAt.generated >> 2)]! + u32[word + (AnswerAt.generated >> 2) + 1]! * 4294967296,
    u32[(at + AnswerAt.goal_index) >> 2]!,
    u32[(at + AnswerAt.length) >> 2]!,
    path,
    solvers[u32[word + (AnswerAt.solver >> 2)]!]?.name ?? '',
    status === 0 ? '' : wasm.string(u32[(at + AnswerAt.message) >> 2]!),
  );
}

/** What an answer cannot say: thrown instead. */
function isFailure(status: number): boolean {
  return status >= C.OUT_OF_MEMORY && status < kPlain;
}

/** The one of a searcher with `reuseAnswer`. */
class ReusedAnswer implements Answer {
  status: Status = 'found';
  cost = 0.5; // fields that hold fractions from the beginning are written in place
  bound = 1;
  version = 0;
  expanded = 0;
  generated = 0;
  goalIndex = 0;
  length = 0;
  path: Int32Array = noPath;
  solver = '';
  message = '';
  /** @internal */
  low = 0;
  /** @internal */
  high = 0;
  get costUnits(): bigint {
    return (BigInt(this.high) << 32n) | BigInt.asUintN(32, BigInt(this.low));
  }
}

/**
 * In WebAssembly's memory, for as long as its searcher: octile_js_call of wasm/host.c, and then a pair of
 * cells and a double.
 */
const enum CallAt { searcher = 0, view = 8, path = 16, answer = 24 }
const kQuery = CallAt.answer + AnswerAt.sizeof;
const kScratch = kQuery + QueryAt.sizeof;
const kPlain = 256;
const kWindows = 2048;
const kBlock = kScratch + PairAt.sizeof + 8;

/** The workspace of one who asks. It grows with what searches touch and is kept for the next one. */
export class Searcher extends Owned {
  readonly #solvers: readonly SolverInfo[];
  readonly #names: readonly string[];
  readonly #block: number;
  // Looked up once: the module's exports are a dictionary.
  readonly #call: Wasm['face']['octile_js_find'];
  readonly #reused = new ReusedAnswer();
  // Whose handle is in the block.
  #view: View | undefined;
  // By length: windows on the path, which begins there in that memory.
  #windows: (Int32Array | undefined)[] = [];
  #first = 0;
  #memory: Int32Array | undefined;

  /** @internal */
  constructor(wasm: Wasm, solvers: readonly SolverInfo[]) {
    const { face } = wasm;
    const handle = wasm.created((out) => face.octile_searcher_create(out));
    const block = wasm.malloc(kBlock);
    super(wasm, handle, () => {
      face.octile_searcher_destroy(handle);
      face.free(block);
    });
    this.#solvers = solvers;
    this.#names = solvers.map(({ name }) => name);
    this.#block = block;
    this.#call = face.octile_js_find;
    wasm.u64[(block + CallAt.searcher) >> 3] = handle;
    face.octile_query_init(block + kQuery);
    face.octile_answer_init(block + CallAt.answer);
  }

  /**
   * True: `answer.path` is a window on the searcher's own memory instead of a copy, right until the
   * next call of anything: the fastest way for those who read it at once, or copy it to where it is
   * wanted (`mine.set(answer.path)`).
   */
  borrowPaths = false;

  /**
   * True: find() without options gives one object of this searcher again and again, with the new answer in
   * it, right until the next call: with `borrowPaths` nothing is allocated for what labels answer. Its
   * `costUnits` is worked out when it is read, and left out by `{ ...answer }`: copy it by name.
   */
  reuseAnswer = false;

  /** Answers one query. Throws what makes no sense; all else is in the answer's status. */
  find(view: View, startX: number, startY: number, goalX: number, goalY: number, options?: FindOptions): Answer {
    if (!options) {
      if (this.disposed) throw bad('the searcher was disposed');
      this.#look(view);
      const status = this.#call(this.#block, int(startX, 'startX'), int(startY, 'startY'), int(goalX, 'goalX'), int(goalY, 'goalY'));
      if (status === kPlain) return this.reuseAnswer ? this.#plainReused() : this.#plain();
      if (isFailure(status)) throw this.wasm.error(status);
      const answer = this.#answer(true);
      return this.reuseAnswer ? this.#reuse(answer) : answer;
    }
    record(options, 'options');
    return this.wasm.frame(() => {
      const own = this.#query(startX, startY, goalX, goalY, options);
      return this.#find(view, own, options.path !== false);
    });
  }

  #ends(at: number, startX: number, startY: number, goalX: number, goalY: number): void {
    if (this.disposed) throw bad('the searcher was disposed');
    const { i32 } = this.wasm;
    const to = (at + QueryAt.start) >> 2;
    i32[to] = int(startX, 'startX');
    i32[to + 1] = int(startY, 'startY');
    i32[to + 2] = int(goalX, 'goalX');
    i32[to + 3] = int(goalY, 'goalY');
  }

  #query(startX: number, startY: number, goalX: number, goalY: number, options: FindOptions): number {
    const { wasm } = this;
    const at = wasm.alloc(QueryAt.sizeof);
    wasm.face.octile_query_init(at);
    this.#ends(at, startX, startY, goalX, goalY);
    writeQuery(wasm, at, options, this.#solvers);
    return at;
  }

  #look(view: View): void {
    if (view && view === this.#view && !view.disposed) return;
    const { wasm } = this;
    wasm.u64[(this.#block + CallAt.view) >> 3] = handleOf(view, wasm, 'the view');
    this.#view = view;
  }

  #find(view: View, query: number, withPath: boolean): Answer {
    this.#look(view);
    const status = this.wasm.face.octile_js_ask(this.#block, query);
    if (isFailure(status)) throw this.wasm.error(status);
    return this.#answer(withPath);
  }

  #cells(i32: Int32Array): Int32Array {
    const word = (this.#block + CallAt.path) >> 2;
    const length = i32[word + 1]!;
    const first = i32[word]! >>> 0;
    return this.borrowPaths ? this.#window(i32, first, length) : i32.slice(first >> 2, (first >> 2) + 2 * length);
  }

  /** The usual answer: most of it is known, and what is not costs little to read. */
  #plain(): Answer {
    const { i32, f64, u64 } = this.wasm;
    const at = this.#block + CallAt.answer;
    const word = at >> 2;
    return newAnswer(
      'found',
      f64[(at + AnswerAt.cost) >> 3]!,
      u64[(at + AnswerAt.cost_units) >> 3]!,
      1,
      (i32[word + (AnswerAt.version >> 2)]! >>> 0) + i32[word + (AnswerAt.version >> 2) + 1]! * 4294967296,
      0,
      0,
      0,
      i32[word + (AnswerAt.length >> 2)]!,
      this.#cells(i32),
      this.#names[i32[word + (AnswerAt.solver >> 2)]!]!,
      '',
    );
  }

  #plainReused(): Answer {
    const { i32, f64 } = this.wasm;
    const at = this.#block + CallAt.answer;
    const word = at >> 2;
    const to = this.#reused;
    to.status = 'found';
    to.cost = f64[(at + AnswerAt.cost) >> 3]!;
    to.low = i32[word + (AnswerAt.cost_units >> 2)]!;
    to.high = i32[word + (AnswerAt.cost_units >> 2) + 1]!;
    to.bound = 1;
    to.version = (i32[word + (AnswerAt.version >> 2)]! >>> 0) + i32[word + (AnswerAt.version >> 2) + 1]! * 4294967296;
    to.expanded = 0;
    to.generated = 0;
    to.goalIndex = 0;
    to.length = i32[word + (AnswerAt.length >> 2)]!;
    to.path = this.#cells(i32);
    to.solver = this.#names[i32[word + (AnswerAt.solver >> 2)]!]!;
    to.message = '';
    return to;
  }

  #reuse(answer: Answer): Answer {
    const { costUnits, ...rest } = answer;
    return Object.assign(this.#reused, rest, { low: Number(BigInt.asIntN(32, costUnits)), high: Number(costUnits >> 32n) });
  }

  /** After a call that wrote its answer into the block; the path is to be there, too. */
  #answer(withPath: boolean): Answer {
    const { wasm } = this;
    const { i32 } = wasm;
    const length = i32[((this.#block + CallAt.path) >> 2) + 1]!;
    const cells = withPath && length ? this.#cells(i32) : noPath;
    return readAnswer(wasm, this.#block + CallAt.answer, cells, this.#solvers);
  }

  /** Making one takes longer than a short query; paths of one length may share theirs, at the same place. */
  #window(memory: Int32Array, first: number, length: number): Int32Array {
    if (first !== this.#first || memory !== this.#memory) {
      this.#first = first;
      this.#memory = memory;
      this.#windows = new Array<Int32Array | undefined>(kWindows).fill(undefined);
    }
    if (length >= kWindows) return new Int32Array(memory.buffer, first, 2 * length);
    return (this.#windows[length] ??= new Int32Array(memory.buffer, first, 2 * length));
  }

  #answered(status: number): Answer {
    const { wasm } = this;
    if (isFailure(status)) throw wasm.error(status);
    wasm.check(wasm.face.octile_searcher_borrow(this.handle, this.#block + CallAt.path));
    return this.#answer(true);
  }

  /** The path of the last answer as world positions `[x0, y0, ...]` of the cells' centres. */
  points(): Float64Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.list(16, (out, capacity, length) =>
        wasm.face.octile_searcher_points(this.handle, 0, out, capacity, length));
      return wasm.f64.slice(at >> 3, (at >> 3) + 2 * n);
    });
  }

  // --- A query in slices of bounded work

  /** Drops a query that has not ended. Edits and disposed views do not disturb it. */
  begin(view: View, startX: number, startY: number, goalX: number, goalY: number, options: FindOptions = {}): void {
    const { wasm } = this;
    wasm.frame(() => {
      const query = this.#query(startX, startY, goalX, goalY, options);
      wasm.check(wasm.face.octile_searcher_begin(this.handle, handleOf(view, wasm, 'the view'), query));
    });
  }

  /** Goes on for about so many nodes. null: the query has not ended. */
  step(expansions: number): Answer | null {
    const { wasm } = this;
    if (this.disposed) throw bad('the searcher was disposed');
    const done = this.#block + kScratch;
    const status = wasm.face.octile_searcher_step(this.handle, BigInt(count(expansions, 'expansions')),
      0, 0, this.#block + CallAt.answer, done);
    if (isFailure(status)) throw wasm.error(status);
    return wasm.i32[done >> 2] ? this.#answered(status) : null;
  }

  /** How the path of a query that has not ended will begin, as far as that is settled. */
  head(): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_searcher_head(this.handle, out, capacity, length));
  }

  // --- Other questions

  #pair(x0: number, y0: number, x1: number, y1: number): number {
    this.#ends(this.#block + kScratch - QueryAt.start, x0, y0, x1, y1);
    return this.#block + kScratch;
  }

  /** Cost of a cheapest path; Infinity when there is none. */
  distance(view: View, startX: number, startY: number, goalX: number, goalY: number): number {
    const { wasm } = this;
    const pair = this.#pair(startX, startY, goalX, goalY);
    wasm.check(wasm.face.octile_distance(this.handle, handleOf(view, wasm, 'the view'), pair, pair + 16));
    return wasm.f64[(pair + 16) >> 3]!;
  }

  /** The cell after the start on the path; the start itself when it is the goal or there is none. */
  firstMove(view: View, startX: number, startY: number, goalX: number, goalY: number): Point {
    const { wasm } = this;
    const pair = this.#pair(startX, startY, goalX, goalY);
    wasm.check(wasm.face.octile_first_move(this.handle, handleOf(view, wasm, 'the view'), pair, pair + 16));
    return { x: wasm.i32[(pair + 16) >> 2]!, y: wasm.i32[(pair + 20) >> 2]! };
  }

  /** `out[i * targets + j]`: from sources[i] to targets[j]. */
  distances(view: View, sources: Cells, targets: Cells): Float64Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const from = wasm.cells(sources);
      const to = wasm.cells(targets);
      const n = from.count * to.count;
      if (n > 0x1fffffff) throw bad('the table holds more than fits in memory');
      const out = wasm.alloc(n * 8);
      wasm.check(wasm.face.octile_distances(this.handle, handleOf(view, wasm, 'the view'), from.at, from.count, to.at, to.count, out));
      return wasm.f64.slice(out >> 3, (out >> 3) + n);
    });
  }

  /**
   * Would walls on `cells` cut off what is connected now? With pairs `[ax, ay, bx, by, ...]`: whether
   * the ends of one of them would be; `first` is its number, or the number of pairs. Without: whether a
   * region would be split in two.
   */
  wouldDisconnect(view: View, cells: Cells, pairs: Cells = []): { disconnects: boolean; first: number } {
    const { wasm } = this;
    return wasm.frame(() => {
      const walls = wasm.cells(cells);
      const ends = wasm.cells(pairs);
      if (ends.count % 2) throw bad('pairs have two cells each');
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_would_disconnect(this.handle, handleOf(view, wasm, 'the view'), walls.at, walls.count,
        ends.count ? ends.at : 0, ends.count / 2, out, out + 4));
      return { disconnects: wasm.i32[out >> 2] !== 0, first: wasm.u32[(out + 4) >> 2]! };
    });
  }

  /** The way from a cell down a field; `expanded` and `generated` are 0. */
  fieldPath(field: Field, x: number, y: number): Answer {
    if (this.disposed) throw bad('the searcher was disposed');
    return this.#answered(this.wasm.face.octile_field_path(this.handle, handleOf(field, this.wasm, 'the field'), int(x, 'x'), int(y, 'y'),
      0, 0, this.#block + CallAt.answer));
  }

  /**
   * One order for many units: a slot near the goal for each. `views`: one for each kind of unit, all of
   * one map; `kinds[i]` tells by which of them unit i walks (default: the first).
   */
  orderGroup(views: View | readonly View[], units: Cells, goal: Point, options: GroupOptions = {}, kinds?: ArrayLike<number>): GroupOrder {
    return orderGroup(this.wasm, this.handle, Array.isArray(views) ? views : [views as View], units, goal, options, kinds);
  }

  /** Bytes that it holds. */
  get memory(): number {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_searcher_memory(this.handle, out));
      return wasm.u32[out >> 2]!;
    });
  }

  /** Gives all memory back; drops a query that has not ended. */
  release(): void {
    this.#view = this.#memory = undefined;
    this.#windows = [];
    this.wasm.check(this.wasm.face.octile_searcher_release(this.handle));
  }
}

// --- Traces

/** What a search did, event by event. */
export interface TraceEvents {
  /** How many there are in all. */
  length: number;
  /** False when memory was short and the record ends early. */
  complete: boolean;
  /** Of the events that were read: cells `[x0, y0, ...]`, cost from the start, 1 when closed and 0 when opened. */
  cells: Int32Array;
  g: Float64Array;
  closed: Uint8Array;
}

/** A record of searches: given to find(), read for pictures, cleared between uses. */
export class Trace extends Owned {
  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_trace_create(out));
    super(wasm, handle, () => wasm.face.octile_trace_destroy(handle));
  }

  clear(): void {
    this.wasm.check(this.wasm.face.octile_trace_clear(this.handle));
  }

  /** Events from number `first` on, at most `limit`. */
  read(first = 0, limit = Infinity): TraceEvents {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_trace_read(this.handle, 0, 0, 0, out, out + 4));
      const length = wasm.u32[out >> 2]!;
      const complete = wasm.i32[(out + 4) >> 2] !== 0;
      const n = Math.max(0, Math.min(length - count(first, 'first'), real(limit, 'limit')));
      const at = wasm.alloc(n * TraceEventAt.sizeof);
      if (n) wasm.check(wasm.face.octile_trace_read(this.handle, first, at, n, out, 0));
      const cells = new Int32Array(2 * n);
      const g = new Float64Array(n);
      const closed = new Uint8Array(n);
      const { i32, f64 } = wasm;
      for (let i = 0; i < n; ++i) {
        const one = at + i * TraceEventAt.sizeof;
        cells[2 * i] = i32[one >> 2]!;
        cells[2 * i + 1] = i32[(one >> 2) + 1]!;
        g[i] = f64[(one + TraceEventAt.g) >> 3]!;
        closed[i] = i32[(one + TraceEventAt.kind) >> 2] === C.TRACE_CLOSED ? 1 : 0;
      }
      return { length, complete, cells, g, closed };
    });
  }
}

// --- Batches

export interface BatchOptions extends FindOptions {
  /** Fields of so many bytes are kept for the next call; default 0. */
  cacheBytes?: number;
}

export interface BatchAnswers {
  /** Of each query. Paths are views of `cells`. */
  answers: Answer[];
  /** All paths, one after the other. */
  cells: Int32Array;
  /** Queries answered from a field, fields built and kept for it, queries answered by a search. */
  byField: number;
  fieldsBuilt: number;
  fieldsKept: number;
  bySearch: number;
}

/** Many queries in one call; those that share a goal are answered from one field. */
export class Batch extends Owned {
  readonly #solvers: readonly SolverInfo[];

  /** @internal */
  constructor(wasm: Wasm, solvers: readonly SolverInfo[]) {
    const handle = wasm.created((out) => wasm.face.octile_batch_create(out));
    super(wasm, handle, () => wasm.face.octile_batch_destroy(handle));
    this.#solvers = solvers;
  }

  /** `pairs`: start and goal of each query, as cells one after the other. Queries have no trace. */
  run(view: View, pairs: Cells, options: BatchOptions = {}): BatchAnswers {
    const { wasm } = this;
    const { face } = wasm;
    return wasm.frame(() => {
      const ends = wasm.cells(pairs);
      if (ends.count % 2) throw bad('each query has a start and a goal');
      const n = ends.count / 2;
      const query = wasm.alloc(QueryAt.sizeof);
      wasm.check(face.octile_query_init(query));
      const { cancel, path = true, ...rest } = record(options, 'options');
      writeQuery(wasm, query, rest, this.#solvers);
      const own = wasm.alloc(BatchOptionsAt.sizeof);
      wasm.check(face.octile_batch_options_init(own));
      if (options.cacheBytes !== undefined) {
        wasm.set64(own + BatchOptionsAt.cache_bytes, count(options.cacheBytes, 'cacheBytes'));
      }
      if (cancel) wasm.u64[(own + BatchOptionsAt.cancel) >> 3] = handleOf(cancel, wasm, 'cancel');
      const counts = wasm.struct(BatchCountsAt.sizeof);
      const length = wasm.alloc(8);
      const answers = wasm.alloc(n * AnswerAt.sizeof);
      for (let i = 0; i < n; ++i) face.octile_answer_init(answers + i * AnswerAt.sizeof);
      wasm.check(face.octile_batch_pairs(this.handle, handleOf(view, wasm, 'the view'), query, ends.at, n, own, answers, 0, 0,
        length, counts));
      const total = path ? wasm.u32[length >> 2]! : 0;
      const at = wasm.alloc(total * 8);
      if (total) wasm.check(face.octile_batch_cells(this.handle, 0, at, total, length));
      const cells = wasm.i32.slice(at >> 2, (at >> 2) + 2 * total);
      const list = Array.from({ length: n }, (_, i) => {
        const one = answers + i * AnswerAt.sizeof;
        const first = wasm.u32[(one + AnswerAt.first) >> 2]!;
        const own = wasm.u32[(one + AnswerAt.length) >> 2]!;
        return readAnswer(wasm, one, path ? cells.subarray(2 * first, 2 * (first + own)) : noPath, this.#solvers);
      });
      return {
        answers: list,
        cells,
        byField: wasm.number64(counts + BatchCountsAt.by_field),
        fieldsBuilt: wasm.number64(counts + BatchCountsAt.fields_built),
        fieldsKept: wasm.number64(counts + BatchCountsAt.fields_kept),
        bySearch: wasm.number64(counts + BatchCountsAt.by_search),
      };
    });
  }

  /** Forgets all fields and answers. */
  clear(): void {
    this.wasm.check(this.wasm.face.octile_batch_clear(this.handle));
  }
}

