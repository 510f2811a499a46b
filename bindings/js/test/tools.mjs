// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const program = process.env.OCTILE_PROGRAM ?? join(root, 'build/release/octile');
export const maps = process.env.OCTILE_MAPS ?? join(root, '../shared/maps');

export function hasMaps() {
  return existsSync(join(maps, 'dao/brc202d.map'));
}

// Exit code 1 tells that there is no path.
export function cli(...words) {
  try {
    return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw error;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'octile-js-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// The path of a generated map, and its bytes.
export function generated(kind, ...options) {
  const path = join(folder, `${kind}${options.join('')}.map`);
  cli('generate', kind, ...options, '--out', path);
  return { path, bytes: readFileSync(path) };
}

// Numerical Recipes' generator.
export function randomOf(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

export function randomFree(view, random) {
  const { x, y, width, height } = view.bounds;
  const passable = view.passable();
  for (;;) {
    const at = random(width * height);
    if (passable[at]) return [x + (at % width), y + Math.floor(at / width)];
  }
}
