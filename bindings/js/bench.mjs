// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// node bench.mjs MAP [SCEN] [--every N] [--program OCTILE] [--packages DIR]
//
// Mean microseconds a path of `labels` and `jps` through this package (answer used again and path
// borrowed, paths borrowed, borrowed and copied into one array, and each in an array of its own), of
// the native program in turns with it, with every kernel that this machine has and with AVX2, and of
// npm's `pathfinding` (JumpPointFinder with the octile estimate, in this process), on the same queries;
// wrong costs are counted. DIR holds node_modules with pathfinding: build/peers/npm of this clone,
// which tools/peers.sh installs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Octile } from 'octile';
import { makers } from '../../bench/peers/npm_peers.mjs';
import { costOf, readMap, readScen } from '../../bench/peers/peer_maps.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const names = [];
const options = { every: '1', program: join(root, 'build/release/octile'), packages: join(root, 'build/peers/npm') };
for (let i = 2; i < process.argv.length; ++i) {
  const word = process.argv[i];
  if (word.startsWith('--') && Object.hasOwn(options, word.slice(2))) options[word.slice(2)] = process.argv[++i];
  else names.push(word);
}
const [map, scen = `${map}.scen`] = names;
if (!map) {
  console.error('usage: node bench.mjs MAP [SCEN] [--every N] [--program OCTILE] [--packages DIR]');
  process.exit(2);
}

const octile = await Octile.load();
const world = octile.world(readFileSync(map));
const plain = world.view();
const indexed = plain.withIndex(plain.buildIndex());
const searcher = octile.searcher();
const queries = readScen(scen, Number(options.every));

let sink = 0;
function pass(ask, list) {
  const begin = process.hrtime.bigint();
  for (const q of list) sink += ask(q);
  return Number(process.hrtime.bigint() - begin) / 1000 / list.length;
}
const best = { };
function note(name, us) {
  best[name] = Math.min(best[name] ?? Infinity, us);
}

// The last cell of the path is read, so that a path that is not there would be seen. `auto` takes
// labels where there is an index.
const ask = (view, borrow, solver) => (q) => {
  searcher.borrowPaths = borrow;
  const { path } = searcher.find(view, q.startX, q.startY, q.goalX, q.goalY, solver);
  return path.length ? path[path.length - 1] : 0;
};
const again = octile.searcher();
again.borrowPaths = true;
again.reuseAnswer = true;
const reuse = (q) => {
  const { path } = again.find(indexed, q.startX, q.startY, q.goalX, q.goalY);
  return path.length ? path[path.length - 1] : 0;
};
const mine = new Int32Array(1 << 16);
const keep = (view, solver) => (q) => {
  searcher.borrowPaths = true;
  const { path } = searcher.find(view, q.startX, q.startY, q.goalX, q.goalY, solver);
  mine.set(path);
  return path.length ? mine[path.length - 1] : 0;
};
const jps = { solver: 'jps' };
const contestants = {
  'labels reused': reuse,
  'labels borrowed': ask(indexed, true),
  'labels kept': keep(indexed),
  'labels copied': ask(indexed, false),
  'jps borrowed': ask(plain, true, jps),
  'jps kept': keep(plain, jps),
  'jps copied': ask(plain, false, jps),
};

let wrong = 0;
for (const q of queries) {
  const costs = [searcher.find(indexed, q.startX, q.startY, q.goalX, q.goalY).cost, searcher.find(plain, q.startX, q.startY, q.goalX, q.goalY, jps).cost];
  for (const cost of costs) if (Math.abs(cost - q.optimum) > 0.01 + 1e-5 * q.optimum) ++wrong;
}
for (let round = 0; round < 3; ++round) {
  const said = execFileSync(options.program, ['bench', map, scen, '--every', options.every, '--solver', 'labels,jps', '--format', 'tsv'], { encoding: 'utf8' });
  const [head, ...rows] = said.trim().split('\n').map((line) => line.split('\t'));
  for (const row of rows) note(`native ${row[0]}`, Number(row[head.indexOf('mean_us')]));
  try {
    const narrow = execFileSync(options.program, ['bench', map, scen, '--every', options.every, '--solver', 'labels,jps', '--kernels', 'avx2', '--format', 'tsv'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    for (const row of narrow.trim().split('\n').slice(1).map((line) => line.split('\t'))) note(`avx2 ${row[0]}`, Number(row[head.indexOf('mean_us')]));
  } catch { /* another kind of machine */ }
  for (const [name, contestant] of Object.entries(contestants)) {
    // As many passes as the native program makes: 24, but no more after 0.4 seconds.
    const end = performance.now() + 400;
    for (let i = 0; i < 5 || (i < 24 && performance.now() < end); ++i) note(name, pass(contestant, queries));
  }
}

// The other library is asked fewer queries: about a hundred, once to warm up and once for the clock.
let peer;
const few = queries.filter((_, i) => i % Math.ceil(queries.length / 100) === 0);
try {
  const load = createRequire(resolve(options.packages, 'package.json'));
  const grid = readMap(map);
  peer = makers.pathfinding_jps_octile(load, grid, few);
  let theirs = 0;
  few.forEach((q, i) => {
    const cost = costOf(grid, q, peer.answer(i), peer.at);
    if (!(Math.abs(cost - q.optimum) <= 0.01 + 1e-5 * q.optimum)) ++theirs;
  });
  note('pathfinding jps', pass((q) => peer.answer(few.indexOf(q))?.length ?? 0, few));
  for (const solver of ['labels', 'jps']) {
    const own = contestants[`${solver} copied`];
    note(`${solver} on the same`, Math.min(...Array.from({ length: 20 }, () => pass(own, few))));
  }
  console.log(`pathfinding: ${theirs} of ${few.length} wrong`);
} catch (error) {
  console.error(`pathfinding is left out: ${String(error.message).split('\n')[0]}`);
}

for (const [name, us] of Object.entries(best)) console.log(`${name.padEnd(22)} ${us.toFixed(3).padStart(12)} us`);
for (const solver of ['labels', 'jps']) {
  const native = best[`native ${solver}`];
  if (solver === 'labels') {
    const used = best['labels reused'];
    const avx2 = best['avx2 labels'];
    console.log(`labels with the answer used again: ${(used / native).toFixed(2)} of native${avx2 ? `, ${(used / avx2).toFixed(2)} of native with AVX2` : ''}`);
  }
  console.log(`${solver}: ${(best[`${solver} borrowed`] / native).toFixed(2)} of native (paths copied into one array: ${(best[`${solver} kept`] / native).toFixed(2)}, each into its own: ${(best[`${solver} copied`] / native).toFixed(2)})`
    + (peer ? `; ${(best['pathfinding jps'] / best[`${solver} on the same`]).toFixed(0)} times as fast as pathfinding` : ''));
}
console.log(`${queries.length} queries, ${wrong} wrong${sink === 0 ? ', nothing read' : ''}`);
process.exitCode = wrong ? 1 : 0;
