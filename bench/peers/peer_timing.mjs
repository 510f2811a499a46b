// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// How the JavaScript peers are timed: bench/timing.hpp told again, for one contestant. The same
// shuffle, passes, percentiles, cold figures and columns; what differs is the clock.
//
// Node has no clock of one thread's CPU time. Both the CPU time of the whole process (V8's
// collector and compiler have threads of their own) and the time on the wall are at least that of
// the thread, so the smaller of the two differences is taken. The clock is two system calls of some
// microseconds, subtracted where a single query is timed.
//
// A contestant is an object { name, buildMs, indexBytes, expanded(), answer(query) }: answer()
// gives the path as an array, empty or null when there is none.

const kFlushBytes = 96 * 1024 * 1024;

// Results go here, so that no compiler drops the work that made them.
let sink = 0;

export const defaults = {
  map: '',
  seed: 1,
  minPasses: 3,
  maxPasses: 24,
  passBudgetUs: 4e5,
  repeatUs: 50,
  coldQueries: 50,
  cold: true,
};

// A moment on both clocks, in microseconds.
function now() {
  const cpu = process.cpuUsage();
  return { cpu: cpu.user + cpu.system, wall: Number(process.hrtime.bigint()) * 1e-3 };
}

function since(then) {
  const wall = Number(process.hrtime.bigint()) * 1e-3 - then.wall;
  const cpu = process.cpuUsage();
  return Math.min(cpu.user + cpu.system - then.cpu, wall);
}

export function elapsedMs(then) {
  return since(then) * 1e-3;
}

export const moment = now;

// The order of queries: that of timing.cpp, number for number.
export function shuffled(n, seed) {
  const mask = (1n << 64n) - 1n;
  let state = BigInt(seed);
  const splitMix = () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n; i > 1; --i) {
    const j = Number(splitMix() % BigInt(i));
    [order[i - 1], order[j]] = [order[j], order[i - 1]];
  }
  return order;
}

export function sameAsPublished(cost, optimum) {
  return Math.abs(cost - optimum) <= 0.01 + 1e-5 * Math.abs(optimum);
}

function cellsOf(path) {
  return path ? path.length : 0;
}

function passUs(contestant, order) {
  let cells = 0;
  const begin = now();
  for (const query of order) cells += cellsOf(contestant.answer(query));
  const time = since(begin);
  sink += cells;
  return time;
}

// Counts what is right and how much work it was; warms everything up. `costOf(query, path)` is NaN
// for a path that breaks the rules, null where there is none.
function count(contestant, order, optima, costOf, row) {
  let expanded = 0;
  let cells = 0;
  for (const query of order) {
    const path = contestant.answer(query);
    expanded += contestant.expanded();
    cells += cellsOf(path);
    const cost = costOf(query, path);
    const optimum = optima[query];
    if (optimum < 0) continue;
    const reachable = Number.isFinite(optimum);
    if ((cost !== null) !== reachable || (reachable && !sameAsPublished(cost, optimum))) {
      ++row.wrong;
    }
  }
  row.expanded_mean = expanded / order.length;
  row.cells_mean = cells / order.length;
}

function bestPassUs(contestant, order, options) {
  let best = Infinity;
  let spent = 0;
  for (let pass = 0; pass < options.maxPasses; ++pass) {
    if (pass >= options.minPasses && spent >= options.passBudgetUs) break;
    const time = passUs(contestant, order);
    spent += time;
    best = Math.min(best, time);
  }
  return best;
}

function percentiles(contestant, order, options, clockUs, row) {
  const times = [];
  for (const query of order) {
    // The number of repeats doubles until the whole takes long enough to be read off the clock.
    let repeats = 0;
    let batch = 1;
    let time = 0;
    const begin = now();
    do {
      for (let i = 0; i < batch; ++i) sink += cellsOf(contestant.answer(query));
      repeats += batch;
      batch *= 2;
      time = since(begin);
    } while (time < options.repeatUs);
    times.push(Math.max(0, time - clockUs) / repeats);
  }
  times.sort((a, b) => a - b);
  const rank = (share) => times[Math.max(0, Math.ceil(share * times.length) - 1)];
  row.median_us = rank(0.5);
  row.p99_us = rank(0.99);
  row.max_us = times[times.length - 1];
}

// Larger than the last-level cache; each cache line is written.
function makeFlusher() {
  const buffer = new Float64Array(kFlushBytes / 8).fill(1);
  return () => {
    let sum = 0;
    for (let i = 0; i < buffer.length; i += 8) sum += ++buffer[i];
    sink += sum;
  };
}

function clockCostUs() {
  let best = Infinity;
  for (let i = 0; i < 2000; ++i) best = Math.min(best, Math.max(0, since(now())));
  return best;
}

function coldQueries(contestant, order, options, flush, clockUs, row) {
  const n = Math.min(options.coldQueries, order.length);
  const step = Math.floor(order.length / n);
  let total = 0;
  for (let i = 0; i < n; ++i) {
    flush();
    sink += now().cpu; // the clock itself shall be warm
    const begin = now();
    sink += cellsOf(contestant.answer(order[i * step]));
    total += Math.max(0, since(begin) - clockUs);
  }
  row.cold_query_us = total / n;
}

// A guess of the seconds that measure() takes, from a few queries.
export function estimateSeconds(contestant, queries, options, limit) {
  const passes = options.minPasses + (options.cold ? 3 : 2);
  const order = shuffled(queries, options.seed);
  const sample = Math.min(queries, 32);
  let asked = 0;
  let spent = 0;
  while (asked < sample && spent < 2e6) {
    const begin = now();
    sink += cellsOf(contestant.answer(order[asked++]));
    spent += since(begin);
    if ((spent / sample) * queries * passes * 1e-6 > limit) break;
  }
  return (spent / asked) * queries * passes * 1e-6;
}

export function measure(contestant, optima, costOf, options) {
  const order = shuffled(optima.length, options.seed);
  const row = {
    solver: contestant.name,
    map: options.map,
    queries: order.length,
    build_ms: contestant.buildMs,
    index_bytes: contestant.indexBytes,
    wrong: 0,
  };
  count(contestant, order, optima, costOf, row);
  row.mean_us = bestPassUs(contestant, order, options) / order.length;
  const clockUs = clockCostUs();
  percentiles(contestant, order, options, clockUs, row);
  row.cold_query_us = row.cold_pass_us = 0;
  if (options.cold) {
    const flush = makeFlusher();
    coldQueries(contestant, order, options, flush, clockUs, row);
    flush();
    row.cold_pass_us = passUs(contestant, order) / order.length;
  }
  return row;
}

const kColumns = [
  ['solver'], ['map'], ['queries'], ['build_ms', 3], ['index_bytes'], ['mean_us', 4],
  ['median_us', 4], ['p99_us', 4], ['max_us', 4], ['cold_query_us', 4], ['cold_pass_us', 4],
  ['expanded_mean', 2], ['cells_mean', 2], ['wrong'],
];

export function tsvHeader() {
  return kColumns.map(([name]) => name).join('\t');
}

export function tsvLine(row) {
  const text = ([name, digits]) =>
    digits === undefined ? String(row[name]) : row[name].toFixed(digits);
  return kColumns.map(text).join('\t');
}
