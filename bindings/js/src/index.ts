// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

/**
 * Exact, deterministic path finding on grids, in WebAssembly. README.md begins in three minutes.
 *
 * Cells are whole numbers, x to the right, y downwards. Lists of cells come back as Int32Array
 * `[x0, y0, x1, y1, ...]`. Everything that is returned is a copy that stays valid. What has a
 * dispose() lives in WebAssembly's memory: give it back, or let `using` do so; what is forgotten is
 * given back when its object is collected. Failures throw an OctileError.
 */

export { Octile } from './octile.js';
export type { ScenQuery } from './octile.js';
export { OctileError, statusNames, flatCells, Owned } from './wasm.js';
export type { Cells, Point, Rect, Status, WasmSource } from './wasm.js';
export { diagonalNames, EditLog, metricNames, World } from './world.js';
export type {
  Diagonal, GenerateOptions, MapBase, MapFormat, MapInfo, MapKind, MapSource, Metric, Obstacle, Profile, Terrain,
} from './world.js';
export { CancelToken, Index, indexKinds, View } from './view.js';
export type { IndexInfo, IndexKind, IndexOptions, Progress, ViewInfo } from './view.js';
export { defects, Field, fieldUpdates, formations, outcomes, Plan, Planner, planStatuses } from './many.js';
export type {
  Agent, AgentState, Defect, FieldOptions, FieldUpdate, Formation, Friend, GroupOptions, GroupOrder, GroupSlot, Outcome,
  PlanAnswer, PlanCosts, PlannerOptions, PlanOptions, PlanReport, PlanStatus,
} from './many.js';
export { Batch, Searcher, Trace } from './search.js';
export type { Answer, BatchAnswers, BatchOptions, FindOptions, SolverInfo, TraceEvents } from './search.js';
export { PathQueue, PathRequest } from './queue.js';
export type { RequestOptions } from './queue.js';
export { PathWorker } from './client.js';
export type { WorkerOptions } from './client.js';
