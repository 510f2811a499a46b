// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What the page asks of the worker. Plain data on both sides; positions are cells, x to the right,
// y downwards; lists of cells are [x0, y0, x1, y1, ...]. The worker holds one map and one profile.
// Calls are answered in their order. A call that makes no sense rejects with the engine's line.

import type { Formation, IndexInfo, IndexKind, SolverInfo } from 'octile';

export interface Cell {
  x: number;
  y: number;
}

export interface Rules {
  moves: 'four' | 'eight';
  diagonal: 'always' | 'at_most_one_obstacle' | 'no_obstacles';
  metric: 'octile' | 'ten_fourteen' | 'chebyshev';
  /** Cells that the unit covers. */
  width: number;
  height: number;
}

export interface About {
  version: string;
  solvers: SolverInfo[];
  /** Cost factor of each of the 256 terrains; Infinity: wall. */
  costs: Float64Array;
}

export interface MapData {
  width: number;
  height: number;
  /** Row by row; the ground, doors apart. */
  terrain: Uint8Array;
}

/** Cells that open and close together. */
export interface Door {
  key: number;
  /** Row-major numbers of its cells. */
  cells: number[];
  closed: boolean;
}

export interface Question {
  solver: string;
  start: Cell;
  goal: Cell;
}

export interface Answer {
  /** found, no_path, start_blocked, ... */
  status: string;
  message: string;
  cost: number;
  /** The cost is at most so many times the cheapest. */
  bound: number;
  expanded: number;
  /** Who answered: `auto` picks, and some pass on what they do not serve. */
  solver: string;
  path: Int32Array;
  /** Microseconds of one query, NaN when it was not measured. */
  micros: number;
}

/** What a search did, event by event. */
export interface TraceData {
  cells: Int32Array;
  g: Float64Array;
  /** 0 opened, 1 closed. */
  kind: Uint8Array;
}

export interface FieldData {
  /** Cost to the goal of every cell, Infinity where there is no way. */
  distance: Float64Array;
  /** 0 E, 1 SE, ... 7 NE; 8 at the goal; 255 not reached. */
  flow: Uint8Array;
}

export interface IndexShapes {
  /** x, y, width, height of each block. */
  blocks: Int32Array;
  portals: Int32Array;
  /** Corners of a subgoal graph and of its labels. */
  subgoals: Int32Array;
  /** Of labels, of each of these: its rank as a hub, 0 the most important one. */
  ranks: Uint32Array;
}

export interface ScenLine {
  start: Cell;
  goal: Cell;
  optimum: number;
}

export interface BenchOptions {
  /** Times that each query is measured; the least counts. */
  rounds: number;
  /** Have `dijkstra` answer each query as well, untimed. */
  judge: boolean;
  /** Begin no further query after so many. */
  millis: number;
}

export interface BenchAnswer {
  status: string;
  cost: number;
  bound: number;
  expanded: number;
  /** Who answered. */
  solver: string;
  /** Microseconds of one query, path included. */
  micros: number;
}

/** What the solvers say to one query. */
export interface BenchRow {
  /** The judge's cost, Infinity: there is no path, null: it was not asked. */
  judge: number | null;
  answers: BenchAnswer[];
}

export type UnitsMode = 'flow' | 'steps' | 'plan';
export type UnitsGoals = 'formation' | 'own';

export interface UnitsOrder {
  mode: UnitsMode;
  count: number;
  seed: number;
  goals: UnitsGoals;
  formation: Formation;
  /** Cells between two units in the formation. */
  spacing: number;
  start: Cell;
  goal: Cell;
  /** Place the units anew; else they go on from where they are. */
  anew: boolean;
  /** The rules are for units larger than a cell, which only `flow` takes. */
  large: boolean;
}

export interface UnitsReport {
  /** x, y of each unit. */
  cells: Int32Array;
  /** x, y of each unit's goal; its own cell when it has none. */
  goals: Int32Array;
  state: Uint8Array;
  tick: number;
  /** Ticks of the whole plan from here on; 0 in other modes. */
  planned: number;
  /** The engine's time a tick, the mean since the order; NaN before the first one and for plans. */
  micros: number;
  /** The engine's time to carry out the order or the edit, in ms. */
  orderMillis: number;
  /** What it did then. */
  did: string;
  arrived: number;
  buried: number;
  cutOff: number;
  /** Since the units were placed: two on one cell, two that changed places, two whose ways crossed. */
  collisions: number;
  /** Nobody will move any more. */
  done: boolean;
  /** What the user should know, or ''. */
  note: string;
}

export interface EngineApi {
  about(): About;
  /** A .map, PGM or text map, by content. */
  parse(bytes: ArrayBuffer): MapData;
  /** The same, beside the present map, which stays. */
  parseOnly(bytes: ArrayBuffer): MapData;
  /** A map of terrain ids, row by row. */
  assign(width: number, height: number, terrain: Uint8Array): void;
  /** The map as a Moving AI file, doors that are closed as walls. */
  write(): string;
  parseScen(bytes: ArrayBuffer): ScenLine[];
  setRules(rules: Rules): void;
  /** Gives cells (row-major numbers) terrains, and doors their state; then publishes it all. */
  edit(cells: Uint32Array, terrain: Uint8Array, doors: Door[], removedDoors: number[]): void;
  /** Of each question the answer; `measure` repeats each until its time is known well. */
  find(questions: Question[], measure: boolean): Answer[];
  trace(question: Question): TraceData;
  field(goal: Cell): FieldData;
  /** Builds an index and hands it back as bytes, for adopt() of another worker. */
  buildIndex(kind: IndexKind): ArrayBuffer;
  adopt(index: ArrayBuffer | null): IndexInfo | null;
  shapes(): IndexShapes;
  /** The tab "Units": an order for all of them, a tick, and what edits have changed. */
  unitsOrder(order: UnitsOrder): UnitsReport;
  unitsStep(): UnitsReport;
  unitsLook(): UnitsReport;
  /** Queries that have a path, the same for the same map, count and seed; their optimum is NaN. */
  randomQueries(count: number, seed: number): ScenLine[];
  /** Runs them untimed, `millis` a solver. Returns the milliseconds between two ticks of the clock. */
  warmUp(lines: ScenLine[], solvers: string[], millis: number): number;
  /** Measures the solvers on the first of the lines, at least one; the caller goes on with the rest. */
  bench(lines: ScenLine[], solvers: string[], options: BenchOptions): BenchRow[];
}
