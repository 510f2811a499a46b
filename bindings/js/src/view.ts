// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Views and indexes, which never change, and what watches and ends long work.

import { IndexInfoAt, IndexOptionsAt, ViewInfoAt } from './face.js';
import { bad, called, choice, count, handleOf, int, numbers, Owned, record, type Cells, type Point, type Rect, type Wasm } from './wasm.js';

export const indexKinds = ['none', 'subgoal_graph', 'subgoal_labels', 'tile_labels', 'portals', 'quadtree'] as const;
export type IndexKind = (typeof indexKinds)[number];

export interface ViewInfo {
  width: number;
  height: number;
  firstCell: Point;
  absentTiles: number;
  /** Of the map at its commit. */
  version: number;
  /** All passable cells cost the same, so that the fast solvers apply. */
  uniform: boolean;
  /** What was adopted. */
  index: IndexKind;
  /** The kind of an index of an earlier state that is still of use. */
  stale: IndexKind;
  mapBytes: number;
  layerBytes: number;
}

/** One committed state of the map as one profile sees it. Immutable: it stays as it is after edits. */
export class View extends Owned {
  #info: ViewInfo | undefined;

  /** @internal */
  constructor(wasm: Wasm, handle: bigint) {
    super(wasm, handle, () => wasm.face.octile_view_destroy(handle));
  }

  get info(): Readonly<ViewInfo> {
    if (this.#info && !this.disposed) return this.#info;
    const { wasm } = this;
    return (this.#info = wasm.frame(() => {
      const at = wasm.struct(ViewInfoAt.sizeof);
      wasm.check(wasm.face.octile_view_describe(this.handle, at));
      const { i32, u32, u8 } = wasm;
      const cell = (at + ViewInfoAt.first_cell) >> 2;
      return {
        width: i32[(at + ViewInfoAt.width) >> 2]!,
        height: i32[(at + ViewInfoAt.height) >> 2]!,
        firstCell: { x: i32[cell]!, y: i32[cell + 1]! },
        absentTiles: u32[(at + ViewInfoAt.absent_tiles) >> 2]!,
        version: wasm.number64(at + ViewInfoAt.version),
        uniform: u8[at + ViewInfoAt.uniform] !== 0,
        index: indexKinds[u8[at + ViewInfoAt.index]!]!,
        stale: indexKinds[u8[at + ViewInfoAt.stale]!]!,
        mapBytes: wasm.number64(at + ViewInfoAt.map_bytes),
        layerBytes: wasm.number64(at + ViewInfoAt.layer_bytes),
      };
    }));
  }

  /** All cells of the map. */
  get bounds(): Rect {
    const { width, height, firstCell } = this.info;
    return { ...firstCell, width, height };
  }

  // --- Of each cell of a rectangle, which may reach outside the map; row by row. Default: all.

  terrain(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_view_terrain(this.handle, at, out, stride));
  }

  /** 1 or 0; outside: 0. */
  passable(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_view_passable(this.handle, at, out, stride));
  }

  /** The cost factor of entering the cell; Infinity for walls and outside. */
  cost(rect: Rect = this.bounds): Float64Array {
    return this.wasm.rectangle('f64', rect, (at, out, stride) => this.wasm.face.octile_view_cost(this.handle, at, out, stride));
  }

  /** The legal moves out of a cell, a bit each: E, SE, S, SW, W, NW, N, NE from bit 0 on. */
  moves(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_view_moves(this.handle, at, out, stride));
  }

  /** Two cells are connected when these are equal, and not 4294967295 (walls, outside). */
  components(rect: Rect = this.bounds): Uint32Array {
    return this.wasm.rectangle('u32', rect, (at, out, stride) => this.wasm.face.octile_view_component(this.handle, at, out, stride));
  }

  /** 1, or 0 in tiles that are absent and outside. */
  loaded(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_view_loaded(this.handle, at, out, stride));
  }

  /** The version that changed the tile of 64 x 64 cells last in which the cell lies; outside: 0. */
  tileVersion(x: number, y: number): number {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_view_tile_version(this.handle, int(x, 'x'), int(y, 'y'), out));
      return wasm.number64(out);
    });
  }

  /** Does the straight line between the two centres cross no wall and cut no corner? */
  lineOfSight(x0: number, y0: number, x1: number, y1: number): boolean {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at } = wasm.cells([x0, y0, x1, y1]);
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_view_line_of_sight(this.handle, at, out));
      return wasm.i32[out >> 2] !== 0;
    });
  }

  /** The cost of the path between two cells on an empty map of the cheapest terrain present. */
  estimate(x0: number, y0: number, x1: number, y1: number): number {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at } = wasm.cells([x0, y0, x1, y1]);
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_view_estimate(this.handle, at, out));
      return wasm.f64[out >> 3]!;
    });
  }

  /** World positions [x0, y0, ...] to cells; NaN and what is too far away give a cell outside every map. */
  cellsAt(points: ArrayLike<number>): Int32Array {
    const { wasm } = this;
    if (numbers(points, 'points').length % 2) throw bad('a list of points has two numbers for each');
    return wasm.frame(() => {
      const from = wasm.doubles(points, 'points');
      const to = wasm.alloc(points.length * 4);
      wasm.check(wasm.face.octile_view_cells_at(this.handle, from, points.length / 2, to));
      return wasm.i32.slice(to >> 2, (to >> 2) + points.length);
    });
  }

  /** The world positions of the cells' centres. */
  centers(cells: Cells): Float64Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.cells(cells);
      const to = wasm.alloc(n * 16);
      wasm.check(wasm.face.octile_view_centers(this.handle, at, n, to));
      return wasm.f64.slice(to >> 3, (to >> 3) + 2 * n);
    });
  }

  /** The cells whose terrain or weight is not the same in another view of the map. */
  differences(other: View): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_view_differences(this.handle, handleOf(other, this.wasm, 'the view'), out, capacity, length));
  }

  // --- Indexes

  /** The index that the view has. Throws when there is none. */
  index(): Index {
    return new Index(this.wasm, this.wasm.created((out) => this.wasm.face.octile_view_index(this.handle, out)));
  }

  /** That of an earlier state which still answers some queries. */
  staleIndex(): Index {
    return new Index(this.wasm, this.wasm.created((out) => this.wasm.face.octile_view_stale_index(this.handle, out)));
  }

  /** The same state with another index. */
  withIndex(index: Index): View {
    return new View(this.wasm, this.wasm.created((out) =>
      this.wasm.face.octile_view_with_index(this.handle, handleOf(index, this.wasm, 'the index'), out)));
  }

  /** Builds an index for this view in one go. What the budget does not allow is left out: `info.reason` tells. */
  buildIndex(options: IndexOptions = {}): Index {
    const { wasm } = this;
    const { face } = wasm;
    return wasm.frame(() => {
      record(options, 'options');
      const at = wasm.alloc(IndexOptionsAt.sizeof);
      wasm.check(face.octile_index_options_init(at));
      if (options.kind !== undefined) wasm.u8[at + IndexOptionsAt.most] = choice(options.kind, indexKinds, 'kind');
      wasm.u8[at + IndexOptionsAt.high_quality] = options.highQuality ? 1 : 0;
      if (options.budgetBytes !== undefined) {
        wasm.set64(at + IndexOptionsAt.budget_bytes, count(options.budgetBytes, 'budgetBytes'));
      }
      if (options.budgetWork !== undefined) {
        wasm.set64(at + IndexOptionsAt.budget_work, count(options.budgetWork, 'budgetWork'));
      }
      const places = { cancel: at + IndexOptionsAt.cancel, progress: at + IndexOptionsAt.progress, user: at + IndexOptionsAt.user };
      return watched(wasm, options.progress, places,
        () => new Index(wasm, wasm.created((out) => face.octile_index_build(this.handle, at, out))));
    });
  }

  /** Of an index of portals or a quadtree: its blocks, as [x, y, width, height, ...]. */
  indexLeaves(): Int32Array {
    const { wasm } = this;
    return wasm.frame(() => {
      const { at, count: n } = wasm.list(16, (out, capacity, length) =>
        wasm.face.octile_view_index_leaves(this.handle, out, capacity, length));
      return wasm.i32.slice(at >> 2, (at >> 2) + 4 * n);
    });
  }

  /** Of a subgoal graph and its labels, repaired ones too: its corners. */
  indexSubgoals(): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_view_index_subgoals(this.handle, out, capacity, length));
  }

  /** Of labels of subgoals: in the same order each corner's rank as a hub, 0 the most important one. */
  indexHubRanks(): Uint32Array {
    return this.wasm.frame(() => {
      const { at, count } = this.wasm.list(4, (out, capacity, length) =>
        this.wasm.face.octile_view_index_hub_ranks(this.handle, out, capacity, length));
      return this.wasm.u32.slice(at >> 2, (at >> 2) + count);
    });
  }

  /** Of an index of portals or a quadtree: the cells of its portals. */
  indexPortals(): Int32Array {
    return this.wasm.cellList((out, capacity, length) =>
      this.wasm.face.octile_view_index_portals(this.handle, out, capacity, length));
  }
}

/** Called with the share that is done, 0 to 1. Returning false cancels. Must not use the object at work. */
export type Progress = (done: number) => boolean | void;

/**
 * Does work whose options, at these addresses, take a token, a progress function and its user. What
 * the function throws cancels the work and is thrown.
 */
export function watched<T>(
  wasm: Wasm, progress: Progress | undefined, at: { cancel: number; progress: number; user: number }, work: () => T,
): T {
  if (progress === undefined) return work();
  called(progress, 'progress');
  const cancel = new CancelToken(wasm);
  let user = 1;
  while (wasm.progress.has(user)) ++user;
  let thrown: { error: unknown } | undefined;
  wasm.progress.set(user, (done) => {
    try {
      if (!thrown && progress(done) === false) cancel.raise();
    } catch (error) {
      thrown = { error };
      cancel.raise();
    }
  });
  wasm.u64[at.cancel >> 3] = handleOf(cancel, wasm, 'cancel');
  wasm.u32[at.progress >> 2] = wasm.face.octile_js_progress_pointer();
  wasm.u32[at.user >> 2] = user;
  try {
    return work();
  } finally {
    wasm.progress.delete(user);
    cancel.dispose();
    if (thrown) throw thrown.error;
  }
}

/** Raised, it ends the calls that were given it; they tell `cancelled`. */
export class CancelToken extends Owned {
  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_cancel_create(out));
    super(wasm, handle, () => wasm.face.octile_cancel_destroy(handle));
  }

  raise(): void {
    this.wasm.check(this.wasm.face.octile_cancel_raise(this.handle));
  }

  /** Lowers it again, for the next use. */
  reset(): void {
    this.wasm.check(this.wasm.face.octile_cancel_reset(this.handle));
  }
}

// --- Indexes

export interface IndexOptions {
  /** Build this, or less when the budget asks; default `tile_labels`, the fastest. */
  kind?: IndexKind;
  /** Of `portals`: nearer to the cheapest, slower to build. */
  highQuality?: boolean;
  /** Of the finished labels, or portals; default 512 * 2 ** 20. */
  budgetBytes?: number;
  /** Label entries that may be made; 0: no limit. */
  budgetWork?: number;
  progress?: Progress;
}

export interface IndexInfo {
  kind: IndexKind;
  /** All that a query needs, and the length of its file. */
  bytes: number;
  width: number;
  height: number;
  /** Of the map as the profile sees it. */
  fingerprint: bigint;
  entries: number;
  subgoals: number;
  hubs: number;
  blocks: number;
  /** Each counted on both of its sides. */
  portals: number;
  /** Why it holds less than was asked for, or "". */
  reason: string;
}

/** Computed once, for queries in about a microsecond. Immutable. */
export class Index extends Owned {
  /** @internal */
  constructor(wasm: Wasm, handle: bigint) {
    super(wasm, handle, () => wasm.face.octile_index_destroy(handle));
  }

  get info(): IndexInfo {
    const { wasm } = this;
    return wasm.frame(() => {
      const at = wasm.struct(IndexInfoAt.sizeof);
      wasm.check(wasm.face.octile_index_describe(this.handle, at));
      const u32 = (field: number): number => wasm.u32[(at + field) >> 2]!;
      return {
        kind: indexKinds[u32(IndexInfoAt.kind)]!,
        bytes: wasm.number64(at + IndexInfoAt.bytes),
        width: u32(IndexInfoAt.width),
        height: u32(IndexInfoAt.height),
        fingerprint: wasm.u64[(at + IndexInfoAt.fingerprint) >> 3]!,
        entries: wasm.number64(at + IndexInfoAt.entries),
        subgoals: u32(IndexInfoAt.subgoals),
        hubs: u32(IndexInfoAt.hubs),
        blocks: u32(IndexInfoAt.blocks),
        portals: u32(IndexInfoAt.portals),
        reason: wasm.string(at + IndexInfoAt.reason),
      };
    });
  }

  /** Was it built for just this map as this view's profile sees it? */
  belongsTo(view: View): boolean {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_index_belongs_to(this.handle, handleOf(view, wasm, 'the view'), out));
      return wasm.i32[out >> 2] !== 0;
    });
  }

  /** Its bytes, to be kept: Octile.readIndex() takes them, here and in every other face. */
  write(): Uint8Array {
    return this.wasm.byteList((out, capacity, length) =>
      this.wasm.face.octile_index_write(this.handle, out, capacity, length));
  }
}

