// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

/**
 * For those who come from PathFinding.js: its grids, names of diagonal movement and finders, its paths.
 *
 *     const PF = await loadPathFinding();
 *     const grid = new PF.Grid([[0, 0, 1], [0, 0, 0]]);
 *     const path = new PF.AStarFinder({ diagonalMovement: PF.DiagonalMovement.Always }).findPath(0, 0, 2, 1, grid);
 *
 * All paths are cheapest ones, whatever the finder's name: by 1 and sqrt(2), on maps without diagonal
 * movement by 1. Heuristics and weights of finders are not looked at. A grid need not be cloned for
 * each search; it may.
 */

import { Octile } from './octile.js';
import type { Searcher } from './search.js';
import { array, bad, int, numbers, record, show, type WasmSource } from './wasm.js';
import type { View } from './view.js';
import type { Diagonal, World } from './world.js';

export const DiagonalMovement = { Always: 1, Never: 2, IfAtMostOneObstacle: 3, OnlyWhenNoObstacles: 4 } as const;
export type DiagonalMovement = (typeof DiagonalMovement)[keyof typeof DiagonalMovement];

const rules: Record<DiagonalMovement, Diagonal> = {
  1: 'always', 2: 'never', 3: 'at_most_one_obstacle', 4: 'no_obstacles',
};

export interface FinderOptions {
  diagonalMovement?: DiagonalMovement;
  /** The older names. */
  allowDiagonal?: boolean;
  dontCrossCorners?: boolean;
}

function ruleOf(options: FinderOptions): DiagonalMovement {
  const { diagonalMovement, allowDiagonal, dontCrossCorners } = record(options, 'options');
  if (diagonalMovement !== undefined) {
    if (typeof diagonalMovement !== 'number' || !(diagonalMovement in rules)) throw bad(`diagonalMovement has no value ${show(diagonalMovement)}`);
    return diagonalMovement;
  }
  if (!allowDiagonal) return DiagonalMovement.Never;
  return dontCrossCorners ? DiagonalMovement.OnlyWhenNoObstacles : DiagonalMovement.IfAtMostOneObstacle;
}

export async function loadPathFinding(source?: WasmSource) {
  const octile = await Octile.load(source);
  const searcher: Searcher = octile.searcher();

  /** A matrix has rows of 0 (free) and anything else (a wall). */
  class Grid {
    readonly width: number;
    readonly height: number;
    #world: World | undefined;
    #edited = false;
    readonly #profiles = new Map<DiagonalMovement, number>();
    readonly #views = new Map<DiagonalMovement, View>();
    readonly #walkable: Uint8Array;

    constructor(matrix: readonly ArrayLike<number | boolean>[]);
    constructor(width: number, height: number, matrix?: readonly ArrayLike<number | boolean>[]);
    constructor(first: number | readonly ArrayLike<number | boolean>[], height?: number, rows?: readonly ArrayLike<number | boolean>[]) {
      const matrix = typeof first === 'number' ? rows : array(first, 'matrix');
      if (matrix !== undefined) array(matrix, 'matrix').forEach((row, y) => numbers(row as ArrayLike<number>, `matrix[${y}]`));
      this.width = typeof first === 'number' ? int(first, 'width') : (first[0]?.length ?? 0);
      this.height = typeof first === 'number' ? int(height!, 'height') : first.length;
      if (this.width < 1 || this.height < 1) throw bad('a grid has at least one cell');
      if (this.width * this.height > 2 ** 30) throw bad('a grid has at most 2^30 cells');
      this.#walkable = new Uint8Array(this.width * this.height).fill(1);
      if (!matrix) return;
      if (matrix.length !== this.height) throw bad('Matrix size does not fit');
      matrix.forEach((row, y) => {
        if (row.length !== this.width) throw bad('Matrix size does not fit');
        for (let x = 0; x < this.width; ++x) if (row[x]) this.#walkable[y * this.width + x] = 0;
      });
    }

    isInside(x: number, y: number): boolean {
      return x >= 0 && y >= 0 && x < this.width && y < this.height;
    }

    isWalkableAt(x: number, y: number): boolean {
      return this.isInside(x, y) && this.#walkable[y * this.width + x] === 1;
    }

    setWalkableAt(x: number, y: number, walkable: boolean): void {
      if (!this.isInside(int(x, 'x'), int(y, 'y'))) throw bad(`(${x}, ${y}) is outside the grid`);
      this.#walkable[y * this.width + x] = walkable ? 1 : 0;
      this.#world?.setTerrain(x, y, walkable ? '.' : '@');
      this.#edited = true;
    }

    clone(): Grid {
      const copy = new Grid(this.width, this.height);
      copy.#walkable.set(this.#walkable);
      return copy;
    }

    /** The grid as the engine sees it; stays the grid's. */
    view(rule: DiagonalMovement): View {
      this.#world ??= octile.world().reset({ width: this.width, height: this.height, passable: this.#walkable }).commit();
      if (this.#edited) {
        this.#world.commit();
        this.#edited = false;
        for (const view of this.#views.values()) view.dispose();
        this.#views.clear();
      }
      let view = this.#views.get(rule);
      if (!view) {
        let profile = this.#profiles.get(rule);
        if (profile === undefined) {
          profile = this.#world.addProfile({ diagonal: rules[rule], moves: rule === DiagonalMovement.Never ? 4 : 8 });
          this.#profiles.set(rule, profile);
        }
        view = this.#world.view(profile);
        this.#views.set(rule, view);
      }
      return view;
    }

    dispose(): void {
      for (const view of this.#views.values()) view.dispose();
      this.#views.clear();
      this.#profiles.clear();
      this.#world?.dispose();
      this.#world = undefined;
    }
  }

  class Finder {
    readonly #rule: DiagonalMovement;

    constructor(options: FinderOptions = {}) {
      this.#rule = ruleOf(options);
    }

    /**
     * [[x, y], ...], both ends included; [] when there is no path, and when an end lies outside the grid. As
     * there, a start in a wall may be left, and a start that is the end is a path.
     */
    findPath(startX: number, startY: number, endX: number, endY: number, grid: Grid): [number, number][] {
      if (!(grid instanceof Grid)) throw bad('grid must be a Grid of this library');
      const view = grid.view(this.#rule);
      let { path, status } = searcher.find(view, startX, startY, endX, endY);
      if (status === 'start_blocked') {
        if (startX === endX && startY === endY) return [[startX, startY]];
        ({ path, status } = searcher.find(view, startX, startY, endX, endY, { escapeStart: true }));
      }
      if (status !== 'found') return [];
      return Array.from({ length: path.length / 2 }, (_, i) => [path[2 * i]!, path[2 * i + 1]!]);
    }
  }

  /** Alone among the finders it moves diagonally when nothing is said. */
  class JumpPointFinder extends Finder {
    constructor(options: FinderOptions = {}) {
      super({ diagonalMovement: DiagonalMovement.IfAtMostOneObstacle, ...record(options, 'options') });
    }
  }

  return {
    octile,
    DiagonalMovement,
    Grid,
    AStarFinder: Finder,
    BestFirstFinder: Finder,
    BreadthFirstFinder: Finder,
    DijkstraFinder: Finder,
    BiAStarFinder: Finder,
    BiBestFirstFinder: Finder,
    BiBreadthFirstFinder: Finder,
    BiDijkstraFinder: Finder,
    IDAStarFinder: Finder,
    JumpPointFinder,
  };
}

export type PathFinding = Awaited<ReturnType<typeof loadPathFinding>>;
