// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What the tab Benchmark holds and does: settings, a run in slices, and the sums of its results.

import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { messageOf, randomNumbers } from '../../common';
import type { BenchAnswer, BenchRow, ScenLine } from '../../engine/api';
import { engine } from '../../session';
import * as s from '../../state';

export type Source = 'scenario' | 'random';

/** A slice is over after so many milliseconds, or with the query that is running then. */
const kSlice = 60;
const kWarmUp = 150;
export const kMostQueries = 5000;

// --- Settings ---------------------------------------------------------------------------------
export const chosen = signal<string[]>(['astar', 'jps', 'auto']);
const wanted = signal<Source>('scenario');
export const source = computed<Source>(() => (s.scen.value ? wanted.value : 'random'));
export const setSource = (value: Source): void => void (wanted.value = value);
export const most = signal(200);
export const seed = signal(1);
export const rounds = signal(3);
export const judge = signal(true);

/** Published optima are those of the whole map, as it was published, under these rules. */
export const published = computed(() => {
  const { moves, diagonal, metric, width, height } = s.rules.value;
  const standard =
    moves === 'eight' && diagonal === 'no_obstacles' && metric === 'octile' && width === 1 && height === 1;
  return source.value === 'scenario' && standard && !s.canUndo.value && s.doors.value.size === 0;
});

export function toggleSolver(name: string): void {
  const names = chosen.peek();
  const order = s.about.peek()?.solvers.map((solver) => solver.name) ?? [];
  const next = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  chosen.value = next.sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

// --- A run ------------------------------------------------------------------------------------
export interface Row extends BenchRow {
  line: ScenLine;
  /** Cost that the answers are held against (Infinity: no path), null: nothing to compare with. */
  reference: number | null;
}

export interface Run {
  solvers: string[];
  title: string;
  /** How many queries it has. */
  total: number;
  against: string;
  rows: Row[];
}

export const run = signal<Run | null>(null);
export const running = signal<'' | 'warming' | 'measuring'>('');
export const failure = signal('');
/** Milliseconds between ticks of the clock. */
export const clock = signal(0);
/** The row that the pointer or the keys are at. */
export const at = signal<number | null>(null);

let present = 0;

export function stop(): void {
  present++;
  running.value = '';
}

/** Files round their costs, and take √2 for fewer digits than it has. */
const same = (a: number, b: number): boolean =>
  a === b || (Number.isFinite(b) && Math.abs(a - b) <= 1e-5 * Math.max(1, b));

const costOf = (answer: BenchAnswer): number => (answer.status === 'found' ? answer.cost : Infinity);

/** Does the answer contradict the reference, within what its solver promises? */
export const isWrong = (answer: BenchAnswer, reference: number | null): boolean => {
  if (reference === null) return false;
  const cost = costOf(answer);
  if (same(cost, reference)) return false;
  return cost < reference || !(cost <= reference * answer.bound * (1 + 1e-5));
};

function referenceOf(row: BenchRow, line: ScenLine, solvers: string[], useOptimum: boolean): number | null {
  if (useOptimum && line.optimum >= 0) return line.optimum;
  if (row.judge !== null) return row.judge;
  const exact = row.answers.filter((_, i) => s.about.peek()!.solvers.find((solver) => solver.name === solvers[i])?.exact);
  return exact.length > 1 ? Math.min(...exact.map(costOf)) : null;
}

/** At most `count` lines, spread evenly, in an order without order: a run that is stopped has seen all lengths. */
function sample(lines: ScenLine[], count: number, seed: number): ScenLine[] {
  const some = Array.from({ length: Math.min(count, lines.length) }, (_, i) =>
    lines[Math.floor((i * lines.length) / Math.min(count, lines.length))]!,
  );
  const random = randomNumbers(seed);
  for (let i = some.length - 1; i > 0; --i) {
    const k = random(i + 1);
    [some[i], some[k]] = [some[k]!, some[i]!];
  }
  return some;
}

export async function start(): Promise<void> {
  const map = s.map.peek();
  const solvers = chosen.peek();
  if (!map || !solvers.length || running.peek()) return;
  const me = ++present;
  const still = () => me === present;
  const scen = source.peek() === 'scenario' ? s.scen.peek() : null;
  const useOptimum = published.peek();
  const useJudge = judge.peek() && !useOptimum;
  batch(() => {
    running.value = 'warming';
    failure.value = '';
    run.value = null;
    at.value = null;
  });
  try {
    const lines = scen
      ? sample(scen.lines, most.peek(), seed.peek())
      : await engine.randomQueries(most.peek(), seed.peek());
    if (!still()) return;
    const made: Run = {
      solvers,
      title: scen ? scen.name : `${map.name}, random queries, seed ${seed.peek()}`,
      total: lines.length,
      against: useOptimum ? 'published optimum' : useJudge ? 'dijkstra' : 'cheapest of the exact solvers',
      rows: [],
    };
    for (const solver of solvers) {
      clock.value = await engine.warmUp(lines.slice(0, 64), [solver], kWarmUp);
      if (!still()) return;
    }
    batch(() => {
      running.value = 'measuring';
      run.value = made;
    });
    while (made.rows.length < lines.length) {
      const rest = lines.slice(made.rows.length, made.rows.length + 256);
      const options = { rounds: rounds.peek(), judge: useJudge, millis: kSlice };
      const rows = await engine.bench(rest, solvers, options);
      if (!still()) return;
      rows.forEach((row, i) => {
        const line = rest[i]!;
        made.rows.push({ ...row, line, reference: referenceOf(row, line, solvers, useOptimum) });
      });
      run.value = { ...made };
    }
  } catch (error) {
    if (still()) failure.value = messageOf(error);
  } finally {
    if (still()) running.value = '';
  }
}

// Results belong to the map, the rules and the index that they were measured with.
let first = true;
effect(() => {
  s.map.value;
  s.edits.value;
  s.rules.value;
  s.indexReport.value;
  untracked(() => {
    if (first) return;
    batch(() => {
      stop();
      run.value = null;
      at.value = null;
      failure.value = '';
    });
  });
  first = false;
});

// --- Sums -------------------------------------------------------------------------------------
export interface Sum {
  solver: string;
  queries: number;
  mean: number;
  median: number;
  p95: number;
  p99: number;
  max: number;
  /** Nodes a query, on average. */
  expanded: number;
  /** null: nothing to compare with. */
  wrong: number | null;
  firstWrong: number;
  /** Who answered in its place, most first. */
  others: [string, number][];
}

/** The least value that the share `p` of the (sorted) list does not exceed. */
const quantile = (sorted: readonly number[], p: number): number =>
  sorted[Math.max(Math.ceil(p * sorted.length) - 1, 0)] ?? NaN;

export function sums({ solvers, rows }: Run): Sum[] {
  return solvers.map((solver, i) => {
    const answers = rows.map((row) => row.answers[i]!);
    const times = answers.map((answer) => answer.micros).sort((a, b) => a - b);
    const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const wrong = rows.map((row, k) => isWrong(answers[k]!, row.reference));
    const others = new Map<string, number>();
    for (const answer of answers) {
      if (answer.solver !== solver) others.set(answer.solver, (others.get(answer.solver) ?? 0) + 1);
    }
    return {
      solver,
      queries: rows.length,
      mean: mean(times),
      median: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      p99: quantile(times, 0.99),
      max: times.at(-1) ?? NaN,
      expanded: mean(answers.map((answer) => answer.expanded)),
      wrong: rows.some((row) => row.reference !== null) ? wrong.filter(Boolean).length : null,
      firstWrong: wrong.indexOf(true),
      others: [...others].sort((a, b) => b[1] - a[1]),
    };
  });
}

/** A line a query and solver. */
export function csv({ solvers, rows }: Run): string {
  const lines = [
    'start_x,start_y,goal_x,goal_y,reference,solver,answered_by,status,cost,bound,expanded,microseconds,wrong',
  ];
  for (const { line, reference, answers } of rows) {
    answers.forEach((answer, i) => {
      const ends = [line.start.x, line.start.y, line.goal.x, line.goal.y];
      const compared = reference === null ? '' : reference === Infinity ? 'no_path' : reference;
      lines.push(
        [
          ...ends, compared, solvers[i], answer.solver, answer.status, answer.cost, answer.bound, answer.expanded,
          answer.micros.toFixed(3), reference === null ? '' : isWrong(answer, reference) ? 1 : 0,
        ].join(','),
      );
    });
  }
  return `${lines.join('\n')}\n`;
}
