// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// node scripts/make_scenes.mjs OCTILE: writes the bundled scenes to public/scenes by the command
// line's generators, with the names, rules and seeds of scenes/ where a scene is listed there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const octile = process.argv[2] ?? process.env.OCTILE;
if (!octile) {
  console.error('usage: node scripts/make_scenes.mjs path/to/octile');
  process.exit(2);
}
const out = join(dirname(fileURLToPath(import.meta.url)), '../public/scenes');

// id, title, group, kind, side, options; the ends are free cells of the map, checked by the tests.
const scenes = [
  ['tutorial_120_00', 'Tutorial E, 30 % walls', 'Tutorials', 'random', 120, ['--seed', '120000', '--density', '0.3']],
  ['tutorial_70_00', 'Tutorial E, 30 % walls, small', 'Tutorials', 'random', 70, ['--seed', '70000', '--density', '0.3']],
  ['caves_128', 'Caves', 'Worlds', 'caves', 128, ['--seed', '4']],
  ['city_192', 'City', 'Worlds', 'city', 192, ['--seed', '2']],
  ['hills_256', 'Hills, weights 1 to 9', 'Worlds', 'hills', 256, ['--seed', '3', '--density', '0.05']],
  ['rooms_128', 'Rooms', 'Worlds', 'rooms', 128, ['--seed', '5', '--room', '12']],
  ['maze_81', 'Maze', 'Shapes', 'maze', 81, ['--seed', '9', '--corridor', '3']],
  ['spiral_64', 'Spiral', 'Shapes', 'spiral', 64, ['--corridor', '3']],
  ['diagonal_comb_64', 'Diagonal comb', 'Shapes', 'diagonal_comb', 64, ['--corridor', '2']],
  ['open_64', 'Open field', 'Shapes', 'open', 64, []],
  ['rooms_512', 'Rooms, large', 'Large', 'rooms', 512, ['--seed', '5', '--room', '15']],
  ['random_512_25', '25 % walls, large', 'Large', 'random', 512, ['--seed', '537', '--density', '0.25']],
  ['maze_512_4', 'Maze, large', 'Large', 'maze', 512, ['--seed', '9', '--corridor', '4']],
  ['caves_1024', 'Caves, huge', 'Large', 'caves', 1024, ['--seed', '7']],
];

mkdirSync(out, { recursive: true });
const list = [];
for (const [id, title, group, kind, side, options] of scenes) {
  const file = join(out, `${id}.map`);
  if (!existsSync(file)) {
    execFileSync(octile, ['generate', kind, '--size', `${side}x${side}`, ...options, '-o', file]);
  }
  list.push({ id, title, group, size: side });
}
writeFileSync(join(out, 'index.json'), JSON.stringify(list));
console.log(`${list.length} scenes in ${out}`);
