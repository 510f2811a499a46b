// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Small things that the page and its workers share.

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What follows in a list, after the last one the first. */
export const next = <T>(list: readonly T[], value: T): T => list[(list.indexOf(value) + 1) % list.length]!;

/** Whole numbers from 0 to below a bound, by mulberry32 (T. Ettinger, public domain): the same in every browser. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
