// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The worker's part of the tab "Units": places units, gives them goals, moves them a tick at a time,
// and recounts collisions itself, whoever moved them. After an edit the next call carries on with
// the new map: the field is updated, the planner changes its view, the plan is made anew.

import type { Field, Octile, Plan, Planner, Searcher, View } from 'octile';
import { messageOf, randomNumbers } from '../../common';
import type { Cell, UnitsOrder, UnitsReport } from '../../engine/api';

/** What a unit does. */
export const kWalks = 0;
export const kWaits = 1;
export const kArrived = 2;
/** A wall was painted over it. */
export const kBuried = 3;
/** No way leads to its goal. */
export const kCutOff = 4;

/** Seconds that a plan may take. */
const kPatience = 5;
const kNowhere = 0xffffffff;

function shuffle(list: number[], roll: (n: number) => number, first = list.length): number[] {
  for (let i = 0; i < Math.min(first, list.length - 1); ++i) {
    const j = i + roll(list.length - i);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Pairs of units that collide in one tick; both lists hold row-major numbers. */
function collisions(before: readonly number[], after: readonly number[], width: number): number {
  const here = new Map<number, number>();
  before.forEach((cell, unit) => here.set(cell, unit));
  const there = new Map<number, number>();
  let pairs = 0;
  after.forEach((cell, unit) => {
    const others = there.get(cell) ?? 0;
    pairs += others;
    there.set(cell, others + 1);
    const from = before[unit]!;
    if (from === cell) return;
    const swapped = here.get(cell);
    if (swapped !== undefined && swapped > unit && after[swapped] === from) ++pairs;
    const dx = (cell % width) - (from % width);
    const dy = Math.floor(cell / width) - Math.floor(from / width);
    if (!dx || !dy) return;
    const corner = from + dx;
    const opposite = from + dy * width;
    for (const [a, b] of [[corner, opposite], [opposite, corner]] as const) {
      const other = here.get(a);
      if (other !== undefined && other > unit && after[other] === b) ++pairs;
    }
  });
  return pairs;
}

export class Units {
  private order: UnitsOrder | undefined;
  /** The view that all of this holds for. */
  private seen: View | undefined;
  private width = 0;
  /** Row-major. */
  private cells: number[] = [];
  private goals: number[] = [];
  private state = new Uint8Array();
  /** Units that are neither buried nor gone, in the order in which planner and plan know them. */
  private walkers: number[] = [];
  private readonly planner: Planner;
  private readonly plan: Plan;
  private field: Field | undefined;
  private rows: Int32Array = new Int32Array();
  private row = 0;
  private plannerReady = false;
  private tick = 0;
  private ticks = 0;
  private spent = 0;
  private orderMillis = 0;
  private did = '';
  private collided = 0;
  private done = false;
  private few = '';
  private note = '';

  constructor(
    private readonly octile: Octile,
    private readonly searcher: Searcher,
    private readonly view: () => View,
  ) {
    this.planner = octile.planner();
    this.plan = octile.plan();
  }

  give(order: UnitsOrder): UnitsReport {
    const anew = order.anew || !this.order;
    this.order = order;
    this.seen = this.view();
    this.width = this.seen.bounds.width;
    if (anew) this.place();
    this.direct(true);
    return this.report();
  }

  step(): UnitsReport {
    if (!this.order) throw new Error('there are no units');
    this.adapt();
    if (!this.done) this.move();
    return this.report();
  }

  /** After edits, without a tick. */
  look(): UnitsReport {
    if (!this.order) throw new Error('there are no units');
    this.adapt();
    return this.report();
  }

  private adapt(): void {
    const now = this.view();
    if (now === this.seen) return;
    this.seen = now;
    this.direct(false);
  }

  private numberOf(cell: Cell): number {
    return cell.y * this.width + cell.x;
  }

  private pairs(list: readonly number[]): Int32Array {
    const out = new Int32Array(2 * list.length);
    list.forEach((cell, i) => {
      out[2 * i] = cell % this.width;
      out[2 * i + 1] = Math.floor(cell / this.width);
    });
    return out;
  }

  private place(): void {
    const { count, seed, goals, mode, start, goal, large } = this.order!;
    const parts = this.seen!.components();
    const together = mode !== 'flow' && goals === 'formation';
    const from = this.numberOf(mode === 'flow' ? goal : start);
    const part = parts[from]!;
    this.cells = [];
    this.walkers = [];
    this.state = new Uint8Array();
    this.tick = this.collided = 0;
    this.plannerReady = false;
    this.few = '';
    if (large && mode !== 'flow') throw new Error('here steps and plans are shown for units of one cell');
    if (part === kNowhere) throw new Error(`the ${mode === 'flow' ? 'goal' : 'start'} lies in a wall: put it elsewhere`);
    const roll = randomNumbers(seed);
    let free: number[] = [];
    if (together) {
      // The cells nearest to the start, somewhat more than needed, so that the seed has a choice.
      const wanted = Math.ceil(count * 1.5);
      const known = new Set([from]);
      free = [from];
      for (let i = 0; i < free.length && free.length < wanted; ++i) {
        const cell = free[i]!;
        const x = cell % this.width;
        for (const next of [x > 0 ? cell - 1 : -1, x + 1 < this.width ? cell + 1 : -1, cell - this.width, cell + this.width]) {
          if (next < 0 || parts[next] !== part || known.has(next)) continue;
          known.add(next);
          free.push(next);
        }
      }
    } else {
      for (let i = 0; i < parts.length; ++i) if (parts[i] === part) free.push(i);
    }
    this.cells = shuffle(free, roll, count).slice(0, count);
    this.goals = [...this.cells];
    if (!together && mode !== 'flow') this.goals = this.drawn(part, parts, new Set(), this.cells.length);
    this.state = new Uint8Array(this.cells.length);
    if (this.cells.length < count) this.few = `Only ${this.cells.length} units have room here.`;
  }

  /** Cells of a part of the map, by the seed, none of `taken`. */
  private drawn(part: number, parts: Uint32Array, taken: ReadonlySet<number>, count: number): number[] {
    const list: number[] = [];
    for (let i = 0; i < parts.length; ++i) if (parts[i] === part && !taken.has(i)) list.push(i);
    return shuffle(list, randomNumbers(this.order!.seed + 1), count).slice(0, count);
  }

  /** Makes the units' goals, and what leads them there, right for the order and the map as they are. */
  private direct(ordered: boolean): void {
    const { mode } = this.order!;
    const view = this.seen!;
    this.note = '';
    this.done = false;
    if (ordered) this.ticks = this.spent = 0;
    const passable = view.passable();
    const before = this.walkers.join();
    this.walkers = [];
    this.cells.forEach((cell, unit) => {
      if (mode === 'flow' && !ordered && this.state[unit] === kArrived) return;
      if (!passable[cell]) this.state[unit] = kBuried;
      else {
        this.state[unit] = kWalks;
        this.walkers.push(unit);
      }
    });
    const same = before === this.walkers.join();
    if (mode === 'flow') this.directFlow(ordered);
    else {
      const from = performance.now();
      this.aim();
      if (mode === 'steps') this.directSteps(same);
      else this.makePlan();
      this.orderMillis = performance.now() - from;
    }
    this.mark();
  }

  private directFlow(ordered: boolean): void {
    const { goal } = this.order!;
    const from = performance.now();
    this.cells.forEach((_, unit) => { this.goals[unit] = this.numberOf(goal); });
    try {
      if (ordered || !this.field) {
        this.field?.dispose();
        this.field = undefined;
        this.field = this.octile.field(this.seen!, [goal]);
        this.did = 'field built';
      } else {
        this.did = `field ${this.field.update(this.seen!)}`;
      }
      this.orderMillis = performance.now() - from;
    } catch (error) {
      this.field?.dispose();
      this.field = undefined;
      this.note = messageOf(error);
      return;
    }
    const directions = this.field.directionsOf(this.pairs(this.walkers.map((unit) => this.cells[unit]!)));
    this.walkers.forEach((unit, i) => {
      if (directions[i] === 255) this.state[unit] = kCutOff;
    });
  }

  /** Whoever walks gets a goal of its own that it can reach, if there is one. */
  private aim(): void {
    const { goals, formation, spacing, goal } = this.order!;
    const view = this.seen!;
    for (const unit of this.cells.keys()) if (this.state[unit] === kBuried) this.goals[unit] = this.cells[unit]!;
    if (!this.walkers.length) return;
    if (goals === 'formation') {
      const here = this.pairs(this.walkers.map((unit) => this.cells[unit]!));
      const { slots } = this.searcher.orderGroup([view], here, goal, { formation, spacing });
      slots.forEach((slot, i) => {
        this.goals[this.walkers[i]!] = this.numberOf(slot);
      });
      const left = slots.filter(({ status }) => status !== 'found' && status !== 'partial').length;
      if (left) this.note = `${left} units have no slot.`;
      return;
    }
    const parts = view.components();
    const taken = new Set<number>();
    const homeless: number[] = [];
    for (const unit of this.walkers) {
      const goalOf = this.goals[unit]!;
      if (parts[goalOf] !== parts[this.cells[unit]!] || taken.has(goalOf)) homeless.push(unit);
      else taken.add(goalOf);
    }
    for (const unit of homeless) {
      const [cell] = this.drawn(parts[this.cells[unit]!]!, parts, taken, 1);
      this.goals[unit] = cell ?? this.cells[unit]!;
      taken.add(this.goals[unit]!);
    }
  }

  private directSteps(same: boolean): void {
    const places = this.walkers.map((unit) => ({
      from: this.cells[unit]!,
      to: { x: this.goals[unit]! % this.width, y: Math.floor(this.goals[unit]! / this.width) },
    }));
    if (same && this.plannerReady) {
      this.planner.changeView(this.seen!);
      places.forEach(({ to }, i) => this.planner.setGoal(i, to.x, to.y));
      this.did = 'view and goals changed';
      return;
    }
    this.plannerReady = false;
    const agents = places.map(({ from, to }) => ({ x: from % this.width, y: Math.floor(from / this.width), goal: to }));
    this.planner.reset(this.seen!, agents, { seed: this.order!.seed });
    this.plannerReady = true;
    this.did = 'planner started';
  }

  private makePlan(): void {
    this.rows = new Int32Array();
    this.row = 0;
    this.plannerReady = false;
    const tasks = this.pairs(this.walkers.flatMap((unit) => [this.cells[unit]!, this.goals[unit]!]));
    const { status, costs } = this.plan.make(this.seen!, tasks, { seed: this.order!.seed, seconds: kPatience });
    if (status !== 'feasible' && status !== 'optimal') {
      this.did = 'no plan';
      this.note =
        status === 'infeasible'
          ? 'No plan exists: some cannot pass the others.'
          : `No plan was found in ${kPatience} s: fewer units, or more room.`;
      return;
    }
    const report = this.plan.check(this.seen!, tasks);
    if (report.defect !== 'none') throw new Error(`the plan is wrong: ${report.text}`);
    this.rows = this.plan.cells();
    this.did = `plan of ${costs.makespan} ticks (at least ${costs.makespanBound}) made and checked`;
  }

  private move(): void {
    const { mode } = this.order!;
    const before = this.walkers.map((unit) => this.cells[unit]!);
    let after: Int32Array;
    const from = performance.now();
    let to = from;
    if (mode === 'flow') {
      if (!this.field) return;
      after = this.field.next(this.pairs(before));
      to = performance.now();
    } else if (mode === 'steps') {
      this.planner.step();
      to = performance.now();
      after = this.planner.cells();
    } else {
      const size = 2 * this.walkers.length;
      if ((this.row + 2) * size > this.rows.length) return;
      ++this.row;
      after = this.rows.subarray(this.row * size, (this.row + 1) * size);
    }
    this.spent += to - from;
    ++this.ticks;
    ++this.tick;
    const now = before.map((_, i) => after[2 * i]! + after[2 * i + 1]! * this.width);
    const goal = this.numberOf(this.order!.goal);
    // Whoever comes to the goal of a flow field leaves the map there.
    const stays = mode === 'flow' ? [...now.keys()].filter((i) => now[i] !== goal) : [...now.keys()];
    this.collided += collisions(stays.map((i) => before[i]!), stays.map((i) => now[i]!), this.width);
    this.walkers.forEach((unit, i) => {
      this.cells[unit] = now[i]!;
      if (this.state[unit] !== kCutOff) this.state[unit] = now[i] === before[i] ? kWaits : kWalks;
    });
    this.mark();
  }

  /** Who has arrived, and whether that is all. */
  private mark(): void {
    const { mode } = this.order!;
    if (mode === 'steps' && this.plannerReady) {
      this.planner.states().forEach((agent, i) => {
        const unit = this.walkers[i]!;
        if (!agent.reachable && !agent.arrived) this.state[unit] = kCutOff;
      });
      if (this.planner.info.stalled) this.note = 'Nobody has come nearer for 200 ticks.';
    }
    for (const unit of this.walkers) if (this.cells[unit] === this.goals[unit]) this.state[unit] = kArrived;
    if (mode === 'flow') {
      this.walkers = this.walkers.filter((unit) => this.state[unit] !== kArrived);
      this.done = this.walkers.every((unit) => this.state[unit] === kCutOff) || !this.field;
    }
    // Not the planner's own count, which is that of its last step: goals may have changed since.
    if (mode === 'steps') this.done = this.walkers.every((unit) => this.state[unit] === kArrived || this.state[unit] === kCutOff);
    if (mode === 'plan') this.done = (this.row + 2) * 2 * this.walkers.length > this.rows.length;
    if (!this.walkers.length) this.done = true;
  }

  private report(): UnitsReport {
    let [arrived, buried, cutOff] = [0, 0, 0];
    for (const state of this.state) {
      if (state === kArrived) ++arrived;
      else if (state === kBuried) ++buried;
      else if (state === kCutOff) ++cutOff;
    }
    return {
      cells: this.pairs(this.cells),
      goals: this.pairs(this.goals),
      state: this.state.slice(),
      tick: this.tick,
      planned: this.order!.mode === 'plan' && this.walkers.length ? Math.max(0, this.rows.length / (2 * this.walkers.length) - 1 - this.row) : 0,
      micros: this.ticks && this.order!.mode !== 'plan' ? (this.spent / this.ticks) * 1000 : NaN,
      orderMillis: this.orderMillis,
      did: this.did,
      arrived,
      buried,
      cutOff,
      collisions: this.collided,
      done: this.done,
      note: [this.few, this.note].filter(Boolean).join(' '),
    };
  }
}
