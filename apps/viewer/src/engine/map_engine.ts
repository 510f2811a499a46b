// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The calls of EngineApi, on the package `octile`: one world, one profile, its newest view.

import * as Comlink from 'comlink';
import { Units } from '../tabs/units/units_engine';
import type { IndexInfo, IndexKind, Octile, Profile, Searcher, Trace, View, World } from 'octile';
import type {
  About,
  Answer,
  BenchOptions,
  BenchRow,
  Cell,
  Door,
  EngineApi,
  FieldData,
  IndexShapes,
  MapData,
  Question,
  Rules,
  ScenLine,
  TraceData,
  UnitsOrder,
  UnitsReport,
} from './api';
import { Bench, randomQueries } from './bench';

/** Rounds of a measurement, and milliseconds of each: clocks of browsers tell 0.1 ms apart at worst. */
const kRounds = 4;
const kRound = 2;
/** Milliseconds that a solver runs before it is measured first: browsers translate anew what runs often. */
const kWarmUp = 120;

export class MapEngine implements EngineApi {
  readonly octile: Octile;
  readonly world: World;
  readonly searcher: Searcher;
  private readonly recorder: Trace;
  private readonly warm = new Set<string>();
  private readonly units: Units;
  private profile: number;
  private rules: Rules | undefined;
  private present: View | undefined;
  private meter: Bench | undefined;
  private width = 0;
  /** The page's keys of doors, and the engine's numbers of them. */
  private readonly doors = new Map<number, number>();

  constructor(octile: Octile) {
    this.octile = octile;
    this.world = octile.world();
    this.searcher = octile.searcher();
    this.recorder = octile.trace();
    this.profile = this.world.addProfile();
    this.units = new Units(octile, this.searcher, () => this.view);
  }

  /** The newest state of the map as its walker sees it. */
  get view(): View {
    if (!this.present) throw new Error('there is no map');
    return this.present;
  }

  private renew(): void {
    this.present?.dispose();
    this.present = this.world.view(this.profile);
  }

  private loaded(width: number): void {
    this.width = width;
    this.doors.clear();
    this.world.commit();
    this.renew();
  }

  about(): About {
    const terrain = Uint8Array.from({ length: 256 }, (_, id) => id);
    const all = this.octile.world({ width: 256, height: 1, terrain });
    const view = all.view();
    const costs = view.cost();
    view.dispose();
    all.dispose();
    return { version: this.octile.version, solvers: [...this.octile.solvers], costs };
  }

  parse(bytes: ArrayBuffer): MapData {
    this.world.parse(bytes);
    const { width, height } = this.world.bounds;
    this.loaded(width);
    return { width, height, terrain: this.world.ground() };
  }

  parseOnly(bytes: ArrayBuffer): MapData {
    const world = this.octile.world();
    try {
      world.parse(bytes);
      const { width, height } = world.bounds;
      return { width, height, terrain: world.ground() };
    } finally {
      world.dispose();
    }
  }

  assign(width: number, height: number, terrain: Uint8Array): void {
    this.world.reset({ width, height, terrain });
    this.loaded(width);
  }

  write(): string {
    return this.world.write('moving_ai');
  }

  parseScen(bytes: ArrayBuffer): ScenLine[] {
    return this.octile.parseScen(new Uint8Array(bytes)).map((line) => ({
      start: { x: line.startX, y: line.startY },
      goal: { x: line.goalX, y: line.goalY },
      optimum: line.optimum,
    }));
  }

  setRules(rules: Rules): void {
    const profile: Profile = { ...rules, moves: rules.moves === 'four' ? 4 : 8 };
    const next = this.world.addProfile(profile);
    this.world.removeProfile(this.profile);
    this.profile = next;
    this.rules = rules;
    if (this.present) this.renew();
  }

  edit(cells: Uint32Array, terrain: Uint8Array, doors: Door[], removedDoors: number[]): void {
    const { world, width } = this;
    cells.forEach((index, i) => world.setTerrain(index % width, Math.floor(index / width), terrain[i]!));
    const forget = (key: number) => {
      const id = this.doors.get(key);
      if (id === undefined) return;
      world.removeObstacle(id);
      this.doors.delete(key);
    };
    removedDoors.forEach(forget);
    for (const door of doors) {
      forget(door.key);
      if (!door.cells.length) continue;
      const places = door.cells.map((index) => ({ x: index % width, y: Math.floor(index / width) }));
      this.doors.set(door.key, world.addObstacle({ cells: places, present: door.closed }));
    }
    world.commit();
    this.renew();
  }

  find(questions: Question[], measure: boolean): Answer[] {
    const answers = questions.map((question) => this.answer(question, measure));
    // All empty paths are one array, which stays.
    const paths = answers.map(({ path }) => path).filter((path) => path.length);
    return Comlink.transfer(answers, paths.map((path) => path.buffer));
  }

  private answer({ solver, start, goal }: Question, measure: boolean): Answer {
    const { searcher, view } = this;
    const options = { solver };
    const ask = () => searcher.find(view, start.x, start.y, goal.x, goal.y, options);
    const answer = ask();
    let micros = NaN;
    if (measure) {
      if (!this.warm.has(solver)) {
        const until = performance.now() + kWarmUp;
        while (performance.now() < until) ask();
        this.warm.add(solver);
      }
      // The best of some rounds: what else the machine does only adds.
      micros = Infinity;
      for (let round = 0; round < kRounds; ++round) {
        let count = 0;
        let now = 0;
        const from = performance.now();
        do {
          ask();
          ++count;
          now = performance.now();
        } while (now - from < kRound);
        micros = Math.min(micros, ((now - from) / count) * 1000);
      }
    }
    const { status, message, cost, bound, expanded, path } = answer;
    return { status, message, cost, bound, expanded, path, solver: answer.solver, micros };
  }

  trace({ solver, start, goal }: Question): TraceData {
    this.recorder.clear();
    this.searcher.find(this.view, start.x, start.y, goal.x, goal.y, { solver, trace: this.recorder, path: false });
    const { cells, g, closed } = this.recorder.read();
    this.recorder.clear();
    return Comlink.transfer({ cells, g, kind: closed }, [cells.buffer, g.buffer, closed.buffer]);
  }

  field(goal: Cell): FieldData {
    const field = this.octile.field(this.view, [goal]);
    const distance = field.distances();
    const flow = field.directions();
    field.dispose();
    return Comlink.transfer({ distance, flow }, [distance.buffer, flow.buffer]);
  }

  buildIndex(kind: IndexKind): ArrayBuffer {
    const index = this.view.buildIndex({ kind });
    const bytes = index.write().buffer as ArrayBuffer;
    index.dispose();
    return Comlink.transfer(bytes, [bytes]);
  }

  adopt(bytes: ArrayBuffer | null): IndexInfo | null {
    if (!bytes) {
      // A profile gets rid of its index with itself.
      this.setRules(this.rules ?? { moves: 'eight', diagonal: 'no_obstacles', metric: 'octile', width: 1, height: 1 });
      return null;
    }
    const index = this.octile.readIndex(new Uint8Array(bytes));
    try {
      this.world.adopt(index, this.profile);
      this.renew();
      return index.info;
    } finally {
      index.dispose();
    }
  }

  shapes(): IndexShapes {
    const { view } = this;
    return {
      blocks: view.indexLeaves(),
      portals: view.indexPortals(),
      subgoals: view.indexSubgoals(),
      ranks: view.indexHubRanks(),
    };
  }

  unitsOrder(order: UnitsOrder): UnitsReport {
    return this.units.give(order);
  }

  unitsStep(): UnitsReport {
    return this.units.step();
  }

  unitsLook(): UnitsReport {
    return this.units.look();
  }

  randomQueries(count: number, seed: number): ScenLine[] {
    return randomQueries(this.view, count, seed);
  }

  warmUp(lines: ScenLine[], solvers: string[], millis: number): number {
    this.meter ??= new Bench(this.octile.searcher());
    this.meter.warmUp(this.view, lines, solvers, millis);
    return this.meter.step;
  }

  bench(lines: ScenLine[], solvers: string[], options: BenchOptions): BenchRow[] {
    this.meter ??= new Bench(this.octile.searcher());
    return this.meter.run(this.view, lines, solvers, options);
  }
}
