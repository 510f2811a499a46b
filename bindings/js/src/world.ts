// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What changes: maps, their edits, and the profiles that walk on them.

import { C, GenerateOptionsAt, MapDefAt, MapInfoAt, MapKindAt, ObstacleDefAt, ProfileAt } from './face.js';
import { type Index, View } from './view.js';
import {
  bad, choice, count, fileBytes, handleOf, int, numbers, Owned, real, record, show, whole, type Cells, type Point, type Rect, type Wasm,
} from './wasm.js';

// --- Profiles: who walks

export const diagonalNames = ['always', 'at_most_one_obstacle', 'no_obstacles', 'never'] as const;
export type Diagonal = (typeof diagonalNames)[number];
export const metricNames = ['octile', 'ten_fourteen', 'chebyshev'] as const;
export type Metric = (typeof metricNames)[number];

/** Who walks, and what terrain costs it. What is left out has the default. */
export interface Profile {
  /** 8 (default) or 4 directions. */
  moves?: 4 | 8;
  /** May a diagonal step pass walls beside it? Default `no_obstacles`: corners are not cut. */
  diagonal?: Diagonal;
  /** Length of a diagonal step: sqrt(2) (default), 1.4 (all costs then come in tens), or 1. */
  metric?: Metric;
  /** The cells that the unit covers, 1 to 64 a side; default 1 by 1. */
  width?: number;
  height?: number;
  /** The cell of its rectangle that tells where the unit is; default (0, 0). */
  anchor?: Point;
  /**
   * Cost factors of terrains by letter, as in `{ S: 1.5, W: Infinity }`, or of the terrains 0, 1, 2, ...
   * as a list: 0 to 4,294,967,295 with at most three decimals, or Infinity for a wall. Terrains that are
   * not named keep their default: '.', 'G' and 'S' cost 1, digits their value, all else is wall.
   */
  costs?: Readonly<Record<string, number>> | ArrayLike<number>;
  /** Round the costs to three decimals instead of refusing them. */
  quantise?: boolean;
}

// --- Maps

/** A terrain: one letter, or its number from 0 to 255. */
export type Terrain = string | number;

function terrainId(terrain: Terrain): number {
  const id = typeof terrain === 'string' && terrain.length === 1 ? terrain.charCodeAt(0) : terrain;
  if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > 255) {
    throw bad(`a terrain is one letter or a number from 0 to 255, not ${show(terrain)}`);
  }
  return id;
}

/** Where a map lies, and what it keeps. */
export interface MapBase {
  /** Coordinates of the first cell of the first row; default (0, 0). */
  firstCell?: Point;
  /** World position of the corner of cell (0, 0); default (0, 0). */
  origin?: Point;
  /** World units a cell; default 1. */
  cellSize?: number;
  /** A weight w multiplies the terrain's cost by w * weightScale; default 1. */
  weightScale?: number;
}

export interface MapSource extends MapBase {
  width: number;
  height: number;
  /** Row by row, `stride` values from row to row (default: width): terrain numbers ... */
  terrain?: ArrayLike<number>;
  /** ... or 0 for walls ('@') and anything else for free cells ('.'). */
  passable?: ArrayLike<number>;
  stride?: number;
  /** The terrain of all cells when neither is given; default '.'. */
  fill?: Terrain;
  /** Keep a 16-bit weight for each cell: true (all 1), or the weights row by row. */
  weights?: boolean | ArrayLike<number>;
  /** All tiles of 64 x 64 are absent until provideTile(). */
  streamed?: boolean;
}

export interface MapInfo {
  width: number;
  height: number;
  firstCell: Point;
  origin: Point;
  cellSize: number;
  weights: boolean;
  weightScale: number;
  streamed: boolean;
  absentTiles: number;
  /** Counts the commits that changed something. */
  version: number;
}

const mapFormats = ['moving_ai', 'text', 'pgm'] as const;
export type MapFormat = (typeof mapFormats)[number];

export interface Obstacle {
  /** Its cells: a rectangle, or a list. */
  rect?: Rect;
  cells?: Cells;
  /** What lies there while it is present; default '@'. */
  terrain?: Terrain;
  /** Default true. */
  present?: boolean;
  /** To find it by; at most 31 bytes; no two the same. */
  name?: string;
}

/** A kind of map that `Octile.generate` makes. */
export interface MapKind {
  name: string;
  summary: string;
  /** Another seed gives another map. */
  seeded: boolean;
  /** The defaults; undefined where it takes no such value. */
  density: number | undefined;
  room: number | undefined;
  corridor: number | undefined;
}

export interface GenerateOptions {
  /** Picks one map of the kind; default 1. */
  seed?: number;
  /** In 1000: of walls, or as the kind says. */
  density?: number;
  /** Side of rooms or blocks in cells. */
  room?: number;
  /** Width of corridors in cells. */
  corridor?: number;
}

/** @internal */
export function readKinds(wasm: Wasm): MapKind[] {
  const { face } = wasm;
  return Array.from({ length: face.octile_map_kind_count() }, (_, kind) => wasm.frame(() => {
    const at = wasm.struct(MapKindAt.sizeof);
    wasm.check(face.octile_map_kind_describe(kind, at));
    const standard = (offset: number): number | undefined => {
      const value = wasm.i32[(at + offset) >> 2]!;
      return value < 0 ? undefined : value;
    };
    return {
      name: wasm.string(wasm.u32[(at + MapKindAt.name) >> 2]!),
      summary: wasm.string(wasm.u32[(at + MapKindAt.summary) >> 2]!),
      seeded: wasm.i32[(at + MapKindAt.seeded) >> 2] !== 0,
      density: standard(MapKindAt.density),
      room: standard(MapKindAt.room),
      corridor: standard(MapKindAt.corridor),
    };
  }));
}

/** @internal */
export function generate(wasm: Wasm, kind: string, width: number, height: number, options: GenerateOptions): MapSource & { terrain: Uint8Array } {
  const { face } = wasm;
  record(options, 'options');
  return wasm.frame(() => {
    const at = wasm.alloc(GenerateOptionsAt.sizeof);
    wasm.check(face.octile_generate_options_init(at));
    wasm.i32[(at + GenerateOptionsAt.width) >> 2] = int(width, 'width');
    wasm.i32[(at + GenerateOptionsAt.height) >> 2] = int(height, 'height');
    if (options.seed !== undefined) wasm.set64(at + GenerateOptionsAt.seed, count(options.seed, 'seed'));
    const put = (offset: number, value: number | undefined, name: string): void => {
      if (value !== undefined) wasm.i32[(at + offset) >> 2] = int(count(value, name), name);
    };
    put(GenerateOptionsAt.density, options.density, 'density');
    put(GenerateOptionsAt.room, options.room, 'room');
    put(GenerateOptionsAt.corridor, options.corridor, 'corridor');
    // What is too large is refused before there is room for it.
    const cells = width > 0 && height > 0 && width * height <= 2 ** 30 ? width * height : 1;
    const out = wasm.alloc(cells);
    wasm.check(face.octile_generate(wasm.text(kind, 'kind'), at, out, width >>> 0));
    return { width, height, terrain: wasm.u8.slice(out, out + cells) };
  });
}

function setMapDef(wasm: Wasm, at: number, base: MapBase): void {
  const cell = base.firstCell;
  if (cell !== undefined) {
    record(cell, 'firstCell');
    wasm.i32[(at + MapDefAt.first_cell) >> 2] = int(cell.x, 'firstCell.x');
    wasm.i32[((at + MapDefAt.first_cell) >> 2) + 1] = int(cell.y, 'firstCell.y');
  }
  if (base.origin !== undefined) {
    record(base.origin, 'origin');
    wasm.f64[(at + MapDefAt.origin) >> 3] = real(base.origin.x, 'origin.x');
    wasm.f64[((at + MapDefAt.origin) >> 3) + 1] = real(base.origin.y, 'origin.y');
  }
  if (base.cellSize !== undefined) wasm.f64[(at + MapDefAt.cell_size) >> 3] = real(base.cellSize, 'cellSize');
  if (base.weightScale !== undefined) wasm.f64[(at + MapDefAt.weight_scale) >> 3] = real(base.weightScale, 'weightScale');
}

/** The map, edited by its owner, and the profiles that walk on it. */
export class World extends Owned {
  #bounds: Rect | undefined;
  #profiles: number[] = [];

  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_engine_create(out));
    super(wasm, handle, () => wasm.face.octile_engine_destroy(handle));
  }

  /** Starts a new map. Views of the old one stay valid, profiles are kept. Call commit() next. */
  reset(source: MapSource): this {
    const { wasm } = this;
    const { face } = wasm;
    const { width, height, terrain, passable, weights } = record(source, 'the map');
    if (terrain && passable) throw bad('a map has terrain or passable, not both');
    const stride = count(source.stride ?? int(width, 'width'), 'stride');
    const need = stride * (int(height, 'height') - 1) + int(width, 'width');
    const enough = (list: ArrayLike<number>, name: string): void => {
      if (numbers(list, name).length < need) throw bad(`${name} has ${list.length} values; ${width} x ${height} cells need ${need}`);
    };
    wasm.frame(() => {
      const def = wasm.alloc(MapDefAt.sizeof);
      wasm.check(face.octile_map_def_init(def));
      wasm.i32[(def + MapDefAt.width) >> 2] = width;
      wasm.i32[(def + MapDefAt.height) >> 2] = height;
      wasm.u8[def + MapDefAt.weights] = weights ? 1 : 0;
      wasm.u8[def + MapDefAt.streamed] = source.streamed ? 1 : 0;
      if (source.fill !== undefined) wasm.u8[def + MapDefAt.terrain] = terrainId(source.fill);
      setMapDef(wasm, def, source);
      let at = 0;
      if (terrain) {
        enough(terrain, 'terrain');
        at = wasm.bytes(terrain, 'terrain');
      } else if (passable) {
        enough(passable, 'passable');
        at = wasm.alloc(passable.length);
        const to = wasm.u8;
        for (let i = 0; i < passable.length; ++i) to[at + i] = passable[i] ? 46 : 64;
      }
      if (weights && weights !== true) enough(weights, 'weights');
      wasm.check(face.octile_engine_reset(this.handle, def, at, stride));
      this.#bounds = undefined;
      if (weights && weights !== true) this.stampWeight({ ...this.bounds }, weights, stride);
    });
    return this;
  }

  /**
   * The same from a Moving AI .map, a PGM or a text map, by content. What makes no sense is refused
   * with its line, and the old map stays.
   */
  parse(data: string | Uint8Array | ArrayBuffer, base: MapBase & { weights?: boolean } = {}): this {
    const { wasm } = this;
    const { face } = wasm;
    const bytes = fileBytes(data);
    record(base, 'base');
    wasm.frame(() => {
      const def = wasm.alloc(MapDefAt.sizeof);
      wasm.check(face.octile_map_def_init(def));
      wasm.u8[def + MapDefAt.weights] = base.weights ? 1 : 0;
      setMapDef(wasm, def, base);
      wasm.check(face.octile_engine_parse(this.handle, wasm.bytes(bytes), bytes.length, def));
    });
    this.#bounds = undefined;
    return this;
  }

  /** The map as text, or of `pgm` as bytes. */
  write(format: 'moving_ai' | 'text'): string;
  write(format: MapFormat): string | Uint8Array;
  write(format: MapFormat): string | Uint8Array {
    const number = choice(format, mapFormats, 'format');
    const bytes = this.wasm.byteList((out, capacity, length) =>
      this.wasm.face.octile_map_write(this.handle, number, out, capacity, length));
    return format === 'pgm' ? bytes : new TextDecoder('latin1').decode(bytes);
  }

  /** Publishes all edits since the last time, for all profiles, in time that depends on what changed. */
  commit(): this {
    this.wasm.check(this.wasm.face.octile_engine_commit(this.handle));
    return this;
  }

  info(): MapInfo {
    const { wasm } = this;
    return wasm.frame(() => {
      const def = wasm.struct(MapDefAt.sizeof);
      const info = wasm.struct(MapInfoAt.sizeof);
      wasm.check(wasm.face.octile_map_describe(this.handle, def, info));
      const { i32, u32, u8, f64 } = wasm;
      const cell = (def + MapDefAt.first_cell) >> 2;
      const origin = (def + MapDefAt.origin) >> 3;
      return {
        width: i32[(def + MapDefAt.width) >> 2]!,
        height: i32[(def + MapDefAt.height) >> 2]!,
        firstCell: { x: i32[cell]!, y: i32[cell + 1]! },
        origin: { x: f64[origin]!, y: f64[origin + 1]! },
        cellSize: f64[(def + MapDefAt.cell_size) >> 3]!,
        weights: u8[def + MapDefAt.weights] !== 0,
        weightScale: f64[(def + MapDefAt.weight_scale) >> 3]!,
        streamed: u8[def + MapDefAt.streamed] !== 0,
        absentTiles: u32[(info + MapInfoAt.absent_tiles) >> 2]!,
        version: wasm.number64(info + MapInfoAt.version),
      };
    });
  }

  /** All cells of the map. */
  get bounds(): Readonly<Rect> {
    if (this.#bounds) return this.#bounds;
    const { width, height, firstCell } = this.info();
    return (this.#bounds = { ...firstCell, width, height });
  }

  // --- Profiles and views

  /** Returns the profile's number. Before or after the first commit. */
  addProfile(profile: Profile = {}): number {
    const { wasm } = this;
    const { face } = wasm;
    const id = wasm.frame(() => {
      const at = wasm.alloc(ProfileAt.sizeof);
      wasm.check(face.octile_profile_init(at));
      const { moves = 8, diagonal = 'no_obstacles', metric = 'octile', width = 1, height = 1, anchor, costs } = record(profile, 'the profile');
      if (moves !== 4 && moves !== 8) throw bad(`moves must be 4 or 8, not ${show(moves)}`);
      wasm.u8[at + ProfileAt.moves] = moves === 8 ? C.MOVES_EIGHT : C.MOVES_FOUR;
      wasm.u8[at + ProfileAt.diagonal] = choice(diagonal, diagonalNames, 'diagonal');
      wasm.u8[at + ProfileAt.metric] = choice(metric, metricNames, 'metric');
      wasm.i32[(at + ProfileAt.width) >> 2] = int(width, 'width');
      wasm.i32[(at + ProfileAt.height) >> 2] = int(height, 'height');
      if (anchor !== undefined) {
        record(anchor, 'anchor');
        wasm.i32[(at + ProfileAt.anchor) >> 2] = int(anchor.x, 'anchor.x');
        wasm.i32[((at + ProfileAt.anchor) >> 2) + 1] = int(anchor.y, 'anchor.y');
      }
      const table = (at + ProfileAt.terrain_cost) >> 3;
      if (Array.isArray(costs) || ArrayBuffer.isView(costs)) {
        if (costs.length > 256) throw bad('there are 256 terrains');
        for (let i = 0; i < costs.length; ++i) wasm.f64[table + i] = real((costs as ArrayLike<number>)[i]!, `costs[${i}]`);
      } else if (costs !== undefined) {
        for (const [name, cost] of Object.entries(record(costs, 'costs'))) wasm.f64[table + terrainId(name)] = real(cost as number, `costs.${name}`);
      }
      if (profile.quantise) wasm.check(face.octile_profile_quantise(at, 0));
      const out = wasm.alloc(8);
      wasm.check(face.octile_engine_add_profile(this.handle, at, out));
      return wasm.u32[out >> 2]!;
    });
    this.#profiles.push(id);
    return id;
  }

  removeProfile(id: number): void {
    this.wasm.check(this.wasm.face.octile_engine_remove_profile(this.handle, int(id, 'the profile')));
    this.#profiles = this.#profiles.filter((other) => other !== id);
  }

  /** The numbers of all profiles. */
  get profiles(): readonly number[] {
    return this.#profiles;
  }

  /**
   * The last committed state as a profile sees it: without a number the first profile, which is made
   * with all defaults when there is none. Throws before the first commit.
   */
  view(profile?: number): View {
    const { wasm } = this;
    const id = profile ?? this.#profiles[0] ?? this.addProfile();
    return new View(wasm, wasm.created((out) => wasm.face.octile_engine_view(this.handle, int(id, 'the profile'), out)));
  }

  /** Gives the profile's views an index, from the next view() on. */
  adopt(index: Index, profile: number = this.#profiles[0] ?? 0): void {
    this.wasm.check(this.wasm.face.octile_engine_adopt(this.handle, int(profile, 'the profile'), handleOf(index, this.wasm, 'the index')));
  }

  /**
   * From now on each commit repairs these labels (of the kind `subgoal_labels`, built for the present
   * view) and gives them to the profile's next view; null ends that.
   */
  repairLabels(index: Index | null, profile: number = this.#profiles[0] ?? 0, renew = false): void {
    this.wasm.check(this.wasm.face.octile_engine_repair_labels(this.handle, int(profile, 'the profile'),
      index === null ? 0n : handleOf(index, this.wasm, 'the index'), renew ? 1 : 0));
  }

  // --- What shows now, uncommitted edits included. Default: the whole map.

  terrain(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_map_terrain(this.handle, at, out, stride));
  }

  /** The terrain below all obstacles. */
  ground(rect: Rect = this.bounds): Uint8Array {
    return this.wasm.rectangle('u8', rect, (at, out, stride) => this.wasm.face.octile_map_ground(this.handle, at, out, stride));
  }

  weight(rect: Rect = this.bounds): Uint16Array {
    return this.wasm.rectangle('u16', rect, (at, out, stride) => this.wasm.face.octile_map_weight(this.handle, at, out, stride));
  }

  // --- Edits, seen by queries after the next commit. Rectangles must lie inside the map.

  setTerrain(x: number, y: number, terrain: Terrain): void {
    this.wasm.check(this.wasm.face.octile_map_set_terrain(this.handle, int(x, 'x'), int(y, 'y'), terrainId(terrain)));
  }

  setWeight(x: number, y: number, weight: number): void {
    this.wasm.check(this.wasm.face.octile_map_set_weight(this.handle, int(x, 'x'), int(y, 'y'), weightOf(weight)));
  }

  fill(rect: Rect, terrain: Terrain): void {
    const { wasm } = this;
    wasm.frame(() => wasm.check(wasm.face.octile_map_fill(this.handle, wasm.rect(rect), terrainId(terrain))));
  }

  fillWeight(rect: Rect, weight: number): void {
    const { wasm } = this;
    wasm.frame(() => wasm.check(wasm.face.octile_map_fill_weight(this.handle, wasm.rect(rect), weightOf(weight))));
  }

  /** Rows of terrain numbers, `stride` values from row to row (default: the rectangle's width). */
  stamp(rect: Rect, terrain: ArrayLike<number>, stride = record(rect, 'rect').width): void {
    const { wasm } = this;
    wasm.frame(() => {
      const at = wasm.rect(rect);
      enough(terrain, 'terrain', rect, count(stride, 'stride'));
      wasm.check(wasm.face.octile_map_stamp(this.handle, at, wasm.bytes(terrain, 'terrain'), stride));
    });
  }

  stampWeight(rect: Rect, weight: ArrayLike<number>, stride = record(rect, 'rect').width): void {
    const { wasm } = this;
    wasm.frame(() => {
      const at = wasm.rect(rect);
      enough(weight, 'weight', rect, count(stride, 'stride'));
      const data = wasm.alloc(weight.length * 2);
      if (!(weight instanceof Uint16Array)) whole(weight, 65535, 'weight');
      wasm.u16.set(weight, data >> 1);
      wasm.check(wasm.face.octile_map_stamp_weight(this.handle, at, data, stride));
    });
  }

  /** Gives a terrain to the cells whose bit is set: bit i % 8 of byte i / 8 of a row of `stride` bytes. */
  stampBits(rect: Rect, bits: ArrayLike<number>, terrain: Terrain, stride = Math.ceil(record(rect, 'rect').width / 8)): void {
    const { wasm } = this;
    wasm.frame(() => {
      const at = wasm.rect(rect);
      enough(bits, 'bits', { ...rect, width: Math.ceil(rect.width / 8) }, count(stride, 'stride'));
      wasm.check(wasm.face.octile_map_stamp_bits(this.handle, at, wasm.bytes(bits, 'bits'), stride, terrainId(terrain)));
    });
  }

  /** Of streamed maps: gives the map the tile of 64 x 64 cells in which the cell lies. */
  provideTile(x: number, y: number, terrain: ArrayLike<number>, stride = 64): void {
    const { wasm } = this;
    wasm.frame(() => {
      enough(terrain, 'terrain', { x: 0, y: 0, width: 64, height: 64 }, count(stride, 'stride'));
      wasm.check(wasm.face.octile_map_provide_tile(this.handle, int(x, 'x'), int(y, 'y'), wasm.bytes(terrain, 'terrain'), stride));
    });
  }

  releaseTile(x: number, y: number): void {
    this.wasm.check(this.wasm.face.octile_map_release_tile(this.handle, int(x, 'x'), int(y, 'y')));
  }

  // --- Obstacles and doors: cells with a terrain that lies over the ground while they are present.

  /** Returns its number, from 1 on. */
  addObstacle(obstacle: Obstacle): number {
    const { wasm } = this;
    return wasm.frame(() => {
      const def = wasm.alloc(ObstacleDefAt.sizeof);
      wasm.check(wasm.face.octile_obstacle_def_init(def));
      if (!record(obstacle, 'the obstacle').rect === !obstacle.cells) throw bad('an obstacle has a rect or cells');
      if (obstacle.rect) {
        const rect = wasm.rect(obstacle.rect);
        wasm.i32.copyWithin((def + ObstacleDefAt.rect) >> 2, rect >> 2, (rect >> 2) + 4);
      }
      if (obstacle.cells) {
        const { at, count: n } = wasm.cells(obstacle.cells);
        if (n === 0) throw bad('an obstacle has at least one cell');
        wasm.u32[(def + ObstacleDefAt.cells) >> 2] = at;
        wasm.u32[(def + ObstacleDefAt.count) >> 2] = n;
      }
      if (obstacle.terrain !== undefined) wasm.u8[def + ObstacleDefAt.terrain] = terrainId(obstacle.terrain);
      wasm.u8[def + ObstacleDefAt.present] = obstacle.present === false ? 0 : 1;
      if (obstacle.name !== undefined && typeof obstacle.name !== 'string') throw bad(`the name must be a text, not ${show(obstacle.name)}`);
      const name = new TextEncoder().encode(obstacle.name ?? '');
      if (name.length > 31 || name.includes(0)) throw bad('the name of an obstacle has at most 31 bytes, none of them zero');
      wasm.u8.set(name, def + ObstacleDefAt.name);
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_map_add_obstacle(this.handle, def, out));
      return wasm.u32[out >> 2]!;
    });
  }

  /** Puts it on the map (of a door: closes it), or takes it away. */
  setObstacle(id: number, present: boolean): void {
    this.wasm.check(this.wasm.face.octile_map_set_obstacle(this.handle, int(id, 'the obstacle'), present ? 1 : 0));
  }

  removeObstacle(id: number): void {
    this.wasm.check(this.wasm.face.octile_map_remove_obstacle(this.handle, int(id, 'the obstacle')));
  }

  obstaclePresent(id: number): boolean {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_map_obstacle_present(this.handle, int(id, 'the obstacle'), out));
      return wasm.i32[out >> 2] !== 0;
    });
  }

  /** 0 when there is none of that name. */
  findObstacle(name: string): number {
    const { wasm } = this;
    return wasm.frame(() => {
      const out = wasm.alloc(8);
      wasm.check(wasm.face.octile_map_find_obstacle(this.handle, wasm.text(name, 'the name'), out));
      return wasm.u32[out >> 2]!;
    });
  }

  /** From now on writes all edits and commits into the log, which is emptied first; null ends that. */
  record(log: EditLog | null): void {
    this.wasm.check(this.wasm.face.octile_map_record(this.handle, log === null ? 0n : handleOf(log, this.wasm, 'the log')));
  }

  replay(log: EditLog): void {
    this.wasm.check(this.wasm.face.octile_engine_replay(this.handle, handleOf(log, this.wasm, 'the log')));
  }
}

function weightOf(weight: number): number {
  if (!Number.isInteger(weight) || weight < 0 || weight > 65535) throw bad(`a weight is 0 to 65535, not ${show(weight)}`);
  return weight;
}

function enough(data: ArrayLike<number>, name: string, rect: Rect, stride: number): void {
  numbers(data, name);
  const need = rect.width > 0 && rect.height > 0 ? stride * (rect.height - 1) + rect.width : 0;
  if (data.length < need) throw bad(`${name} has ${data.length} values; ${need} are needed`);
}

/** The bytes of what was done to a map, the same on every machine. */
export class EditLog extends Owned {
  /** @internal */
  constructor(wasm: Wasm) {
    const handle = wasm.created((out) => wasm.face.octile_edit_log_create(out));
    super(wasm, handle, () => wasm.face.octile_edit_log_destroy(handle));
  }

  read(): Uint8Array {
    return this.wasm.byteList((out, capacity, length) =>
      this.wasm.face.octile_edit_log_read(this.handle, out, capacity, length));
  }

  assign(bytes: Uint8Array): void {
    const { wasm } = this;
    wasm.frame(() => wasm.check(wasm.face.octile_edit_log_assign(this.handle, wasm.bytes(bytes), bytes.length)));
  }
}
