// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// A path finder from npm, asked and timed like the C++ peers:
//
//   node peer_npm.mjs PEER MAP [SCEN] [--every N] [--passes N] [--patience SECONDS] [--no-cold]
//        [--packages DIR]
//
// PEER is a name of npm_peers.mjs. DIR holds the node_modules that tools/peers.sh installs from
// package.json; build/peers/npm of this clone unless given. Prints the TSV of peer_timing.mjs.
// Exit codes as in peer_harness.hpp.

import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { makers } from './npm_peers.mjs';
import { costOf, readMap, readScen } from './peer_maps.mjs';
import { defaults, estimateSeconds, measure, tsvHeader, tsvLine } from './peer_timing.mjs';

const kDone = 0;
const kSomeWrong = 1;
const kBadInput = 2;
const kCannotServe = 3;

function readCount(text, option) {
  if (!/^[0-9]{1,7}$/.test(text ?? '') || Number(text) < 1) {
    throw new Error(`${option} must be a count`);
  }
  return Number(text);
}

function readArguments(words) {
  const options = { ...defaults };
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const found = { options, every: 1, patience: 20, packages: join(root, 'build/peers/npm') };
  const names = [];
  for (let i = 0; i < words.length; ++i) {
    const word = words[i];
    if (word === '--every') found.every = readCount(words[++i], word);
    else if (word === '--patience') found.patience = readCount(words[++i], word);
    else if (word === '--passes') {
      options.minPasses = readCount(words[++i], word);
      options.maxPasses = Math.max(options.maxPasses, options.minPasses);
    } else if (word === '--packages' && i + 1 < words.length) found.packages = words[++i];
    else if (word === '--no-cold') options.cold = false;
    else if (!word.startsWith('-') && names.length < 3) names.push(word);
    else throw new Error(`unknown argument '${word}'`);
  }
  [found.peer, found.map, found.scen] = names;
  if (!Object.hasOwn(makers, found.peer ?? '')) {
    throw new Error(`PEER must be one of ${Object.keys(makers).join(' ')}`);
  }
  if (!found.map) throw new Error('a MAP is missing');
  found.scen ??= `${found.map}.scen`;
  options.map = basename(found.map);
  return found;
}

function main() {
  let asked;
  let grid;
  let queries;
  try {
    asked = readArguments(process.argv.slice(2));
    grid = readMap(asked.map);
    queries = readScen(asked.scen, asked.every);
    if (queries.length === 0) throw new Error(`'${asked.scen}' holds no query`);
  } catch (error) {
    console.error(`peer_npm: ${error.message}`);
    return kBadInput;
  }

  let peer;
  try {
    const load = createRequire(resolve(asked.packages, 'package.json'));
    peer = makers[asked.peer](load, grid, queries);
  } catch (error) {
    console.error(`peer_npm: ${asked.peer}: ${String(error.message).split('\n')[0]}`);
    return kCannotServe;
  }
  peer.name = asked.peer;
  peer.indexBytes = 0; // V8 does not tell

  const { options } = asked;
  if (estimateSeconds(peer, queries.length, options, asked.patience) > asked.patience) {
    // A slow peer is asked once where a fast one is asked often.
    options.minPasses = options.maxPasses = 1;
    options.coldQueries = 10;
  }
  const optima = queries.map((query) => query.optimum);
  const judge = (number, path) => costOf(grid, queries[number], path, peer.at);
  const row = measure(peer, optima, judge, options);
  console.log(`${tsvHeader()}\n${tsvLine(row)}`);
  return row.wrong === 0 ? kDone : kSomeWrong;
}

process.exitCode = main();
