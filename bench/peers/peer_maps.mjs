// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The Moving AI files as the JavaScript peers need them, and the judge of their paths. Bad input
// throws an Error of one line.

import { readFileSync } from 'node:fs';

const kFree = new Set(['.', 'G', 'S']);

export class Grid {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.free = new Uint8Array(width * height);
  }

  passable(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height &&
      this.free[y * this.width + x] === 1;
  }

  // Rows of 0 (free) and 1 (wall), as several libraries want them.
  matrix() {
    return Array.from({ length: this.height }, (_, y) =>
      Array.from({ length: this.width }, (_unused, x) => (this.passable(x, y) ? 0 : 1)));
  }
}

export function readMap(path) {
  const lines = readFileSync(path, 'latin1').split(/\r?\n/);
  const body = lines.indexOf('map') + 1;
  const number = (word) => {
    const line = lines.slice(0, body).find((l) => l.startsWith(`${word} `));
    return line === undefined ? NaN : Number(line.slice(word.length + 1));
  };
  const width = number('width');
  const height = number('height');
  if (body === 0 || !(width > 0) || !(height > 0)) throw new Error(`'${path}' is no Moving AI map`);
  const grid = new Grid(width, height);
  for (let y = 0; y < height; ++y) {
    const row = lines[body + y] ?? '';
    if (row.length < width) throw new Error(`'${path}': row ${y} is too short`);
    for (let x = 0; x < width; ++x) grid.free[y * width + x] = kFree.has(row[x]) ? 1 : 0;
  }
  return grid;
}

// Every n-th query: { startX, startY, goalX, goalY, optimum }.
export function readScen(path, every) {
  const lines = readFileSync(path, 'latin1').split(/\r?\n/);
  if (!lines[0].startsWith('version')) throw new Error(`'${path}' is no Moving AI scenario`);
  const rows = lines.slice(1).filter((line) => line.trim() !== '');
  return rows.filter((_, i) => i % every === 0).map((line) => {
    const words = line.trim().split(/\s+/);
    const [startX, startY, goalX, goalY, optimum] = words.slice(-5).map(Number);
    if (words.length < 9 || !Number.isFinite(optimum)) {
      throw new Error(`'${path}': not a query: ${line}`);
    }
    return { startX, startY, goalX, goalY, optimum };
  });
}

// The cost of a path, walked step by step without cutting corners; NaN when it breaks that rule or
// leads from or to elsewhere, null when there is none. `at(path, i)` gives [x, y].
export function costOf(grid, query, path, at) {
  if (!path || path.length === 0) return null;
  let [x, y] = at(path, 0);
  if (x !== query.startX || y !== query.startY || !grid.passable(x, y)) return NaN;
  let straight = 0;
  let diagonal = 0;
  for (let i = 1; i < path.length; ++i) {
    const [nx, ny] = at(path, i);
    const dx = Math.abs(nx - x);
    const dy = Math.abs(ny - y);
    if (dx > 1 || dy > 1 || dx + dy === 0) return NaN;
    // For a straight step the two corners are the two cells themselves.
    if (!grid.passable(nx, ny) || !grid.passable(x, ny) || !grid.passable(nx, y)) return NaN;
    if (dx + dy === 2) ++diagonal;
    else ++straight;
    [x, y] = [nx, ny];
  }
  if (x !== query.goalX || y !== query.goalY) return NaN;
  return straight + diagonal * Math.SQRT2;
}
