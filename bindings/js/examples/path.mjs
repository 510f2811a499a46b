// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// node path.mjs: a path, a wall built across it, and the path round it.
import { Octile } from 'octile';

const map = `
..........
..######..
..#....#..
....##.#..
..######..
..........
`.trim();

const octile = await Octile.load();
const world = octile.world(map);
const searcher = octile.searcher();

function show(title, answer) {
  const rows = world.write('text').trim().split('\n').map((row) => [...row]);
  for (let i = 0; i < answer.path.length; i += 2) rows[answer.path[i + 1]][answer.path[i]] = 'o';
  console.log(`${title}: ${answer.status}, cost ${answer.cost.toFixed(3)}\n${rows.map((row) => row.join('')).join('\n')}`);
}

show('before', searcher.find(world.view(), 3, 2, 9, 0));
world.fill({ x: 0, y: 0, width: 2, height: 1 }, '#');
world.commit();
show('after', searcher.find(world.view(), 3, 2, 9, 0));
