// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Measuring many queries, for the tab Benchmark.

import type { Searcher, View } from 'octile';
import { randomNumbers } from '../common';
import type { BenchAnswer, BenchOptions, BenchRow, ScenLine } from './api';

/** A batch lasts so many steps of the clock: it misjudges a time by at most one in twenty. */
const kSteps = 20;
/** But not more milliseconds than that: some browsers make their clock coarse on purpose. */
const kLongestBatch = 40;
const kJudge = 'dijkstra';

/** Milliseconds from one reading of the clock to the next one that differs: the median of some. */
function clockStep(): number {
  const steps: number[] = [];
  let last = performance.now();
  while (steps.length < 9) {
    const now = performance.now();
    if (now === last) continue;
    steps.push(now - last);
    last = now;
  }
  return steps.sort((a, b) => a - b)[4]!;
}

/** Pairs of different cells with a way between them, uniform over the cells where the start may lie. */
export function randomQueries(view: View, count: number, seed: number): ScenLine[] {
  const { width } = view.bounds;
  const component = view.components();
  const members = new Map<number, number[]>();
  component.forEach((id, cell) => {
    if (id === 0xffffffff) return;
    const list = members.get(id);
    if (list) list.push(cell);
    else members.set(id, [cell]);
  });
  const starts = [...members.values()].filter((list) => list.length > 1).flat();
  if (!starts.length) throw new Error('no two cells of this map have a way between them');
  const random = randomNumbers(seed);
  const cell = (index: number) => ({ x: index % width, y: Math.floor(index / width) });
  return Array.from({ length: count }, () => {
    const start = starts[random(starts.length)]!;
    const list = members.get(component[start]!)!;
    let goal = start;
    while (goal === start) goal = list[random(list.length)]!;
    return { start: cell(start), goal: cell(goal), optimum: NaN };
  });
}

export class Bench {
  readonly step = clockStep();
  private readonly least = Math.min(kSteps * this.step, kLongestBatch);
  /** The engine's results are looked at and forgotten: no copy of the path is part of the time. */
  constructor(private readonly searcher: Searcher) {
    searcher.borrowPaths = true;
  }

  /** Runs queries untimed until each solver had `millis`: browsers translate what runs often anew. */
  warmUp(view: View, lines: ScenLine[], solvers: string[], millis: number): void {
    for (const solver of solvers) {
      const until = performance.now() + millis;
      for (let i = 0; i < 10_000 && performance.now() < until; ++i) this.ask(view, solver, lines[i % lines.length]!);
    }
  }

  /** Of the first line, and of as many after it as fit into `options.millis`. */
  run(view: View, lines: ScenLine[], solvers: string[], options: BenchOptions): BenchRow[] {
    const until = performance.now() + options.millis;
    const rows: BenchRow[] = [];
    for (const line of lines) {
      const judge = options.judge ? this.ask(view, kJudge, line) : null;
      rows.push({
        judge: judge && (judge.status === 'found' ? judge.cost : Infinity),
        answers: this.measure(view, line, solvers, options.rounds),
      });
      if (performance.now() >= until) break;
    }
    return rows;
  }

  private ask(view: View, solver: string, { start, goal }: ScenLine) {
    return this.searcher.find(view, start.x, start.y, goal.x, goal.y, { solver });
  }

  /** The solvers take turns, so that what else the machine does meets them alike; the best round counts. */
  private measure(view: View, line: ScenLine, solvers: string[], rounds: number): BenchAnswer[] {
    const answers = solvers.map((asked): BenchAnswer => {
      // Brings map and code into the caches.
      const { status, cost, bound, expanded, solver } = this.ask(view, asked, line);
      return { status, cost, bound, expanded, solver, micros: Infinity };
    });
    const counts = solvers.map(() => 0);
    for (let round = 0; round < rounds; ++round) {
      solvers.forEach((solver, i) => {
        const batch = (count: number) => {
          const from = performance.now();
          for (let k = 0; k < count; ++k) this.ask(view, solver, line);
          return performance.now() - from;
        };
        let count = counts[i] || 1;
        let took = batch(count);
        while (took < this.least) {
          count = Math.ceil(count * Math.min(Math.max((1.2 * this.least) / took, 1.5), 16));
          took = batch(count);
        }
        counts[i] = count;
        const answer = answers[i]!;
        answer.micros = Math.min(answer.micros, (took / count) * 1000);
      });
    }
    return answers;
  }
}
