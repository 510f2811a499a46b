// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

import { ScenQueryAt } from './face.js';
import { costsOfFriends, Field, Plan, Planner, type FieldOptions, type Friend } from './many.js';
import { Batch, readSolvers, Searcher, Trace, type SolverInfo } from './search.js';
import { CancelToken, Index, type View } from './view.js';
import { compile, fileBytes, record, Wasm, type Cells, type WasmSource } from './wasm.js';
import {
  EditLog, generate, readKinds, World, type GenerateOptions, type MapBase, type MapKind, type MapSource, type Profile,
} from './world.js';

/** One line of a Moving AI .scen file. */
export interface ScenQuery {
  bucket: number;
  mapWidth: number;
  mapHeight: number;
  startX: number;
  startY: number;
  goalX: number;
  goalY: number;
  /** Octile distance, no corner cutting. */
  optimum: number;
}

/** One instance of the engine, with a memory of its own. */
export class Octile {
  readonly #wasm: Wasm;
  /** "0.2.0" */
  readonly version: string;
  /** Everyone who can answer, `auto` first. */
  readonly solvers: readonly SolverInfo[];
  /** What generate() can make. */
  readonly mapKinds: readonly MapKind[];

  private constructor(wasm: Wasm) {
    this.#wasm = wasm;
    const version = wasm.face.octile_version();
    this.version = `${version >> 16}.${(version >> 8) & 255}.${version & 255}`;
    this.solvers = Object.freeze(readSolvers(wasm));
    this.mapKinds = Object.freeze(readKinds(wasm));
  }

  /**
   * Loads octile.wasm, from beside this file or from `source`: where it lies, its bytes, a Response,
   * or a compiled module (which can be posted to workers). Each call makes an instance of its own.
   */
  static async load(source?: WasmSource): Promise<Octile> {
    return new Octile(await Wasm.start(await compile(source)));
  }

  /**
   * A world: empty, to be filled by reset() or parse(); or, with a map (the text or bytes of a file, or
   * arrays), committed and ready for view(). `profile` is its first profile.
   */
  world(map?: string | Uint8Array | ArrayBuffer | MapSource, profile?: Profile, base?: MapBase): World {
    const world = new World(this.#wasm);
    try {
      if (map !== undefined) {
        if (typeof map === 'string' || map instanceof Uint8Array || map instanceof ArrayBuffer) world.parse(map, base);
        else world.reset({ ...base, ...record(map, 'the map') });
      }
      if (map !== undefined || profile) world.addProfile(profile);
      if (map !== undefined) world.commit();
    } catch (error) {
      world.dispose();
      throw error;
    }
    return world;
  }

  /**
   * A map made by rule, which world() and World.reset() take: the same values give the same map everywhere.
   * `kind`: a name of `mapKinds`. '@' is wall, '.' floor, '1' to '9' floor that costs its digit.
   */
  generate(kind: string, width: number, height: number, options: GenerateOptions = {}): MapSource & { terrain: Uint8Array } {
    return generate(this.#wasm, kind, width, height, options);
  }

  searcher(): Searcher { return new Searcher(this.#wasm, this.solvers); }
  batch(): Batch { return new Batch(this.#wasm, this.solvers); }
  trace(): Trace { return new Trace(this.#wasm); }
  cancelToken(): CancelToken { return new CancelToken(this.#wasm); }
  planner(): Planner { return new Planner(this.#wasm); }
  plan(): Plan { return new Plan(this.#wasm); }
  /** Distances and directions of all cells to a set of goals. Throws `goal_blocked` when all of them are. */
  field(view: View, goals: Cells, options: FieldOptions = {}): Field { return new Field(this.#wasm, view, goals, options); }
  /**
   * What friends add for a unit on its way, for `extraCosts`. `moving`: of one that goes across or comes
   * towards it; `resting`: of one that has to be pushed aside; in straight steps.
   */
  friendCosts(
    startX: number, startY: number, goalX: number, goalY: number, friends: readonly Friend[], moving = 1, resting = 4,
  ): { x: number; y: number; cost: number }[] {
    return costsOfFriends(this.#wasm, [startX, startY, goalX, goalY], friends, moving, resting);
  }
  editLog(): EditLog { return new EditLog(this.#wasm); }

  /** An index from the bytes that Index.write() or `octile index build` gave; they are checked. */
  readIndex(bytes: Uint8Array): Index {
    const wasm = this.#wasm;
    return wasm.frame(() => {
      const at = wasm.bytes(bytes);
      return new Index(wasm, wasm.created((out) => wasm.face.octile_index_read(at, bytes.length, out)));
    });
  }

  /** The queries of a Moving AI .scen file. */
  parseScen(data: string | Uint8Array): ScenQuery[] {
    const wasm = this.#wasm;
    const bytes = fileBytes(data);
    return wasm.frame(() => {
      const text = wasm.bytes(bytes);
      const { at, count } = wasm.list(ScenQueryAt.sizeof, (out, capacity, length) =>
        wasm.face.octile_scen_parse(text, bytes.length, out, capacity, length));
      const { i32, f64 } = wasm;
      return Array.from({ length: count }, (_, i) => {
        const one = (at + i * ScenQueryAt.sizeof) >> 2;
        return {
          bucket: i32[one]!,
          mapWidth: i32[one + 1]!,
          mapHeight: i32[one + 2]!,
          startX: i32[one + 3]!,
          startY: i32[one + 4]!,
          goalX: i32[one + 5]!,
          goalY: i32[one + 6]!,
          optimum: f64[(at + i * ScenQueryAt.sizeof + ScenQueryAt.optimum) >> 3]!,
        };
      });
    });
  }

  /** How many things are alive that dispose() would give back. */
  get handleCount(): number {
    return Number(this.#wasm.face.octile_handle_count());
  }

  /** Bytes of WebAssembly's memory; it grows and never shrinks. */
  get memoryBytes(): number {
    return this.#wasm.u8.length;
  }
}

