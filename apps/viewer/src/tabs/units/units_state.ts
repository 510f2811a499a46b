// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What the tab "Units" shows and how it goes on: orders to the worker, one at a time and always the
// newest; ticks asked for one ahead, so that pictures in between need not wait for it.

import { batch, effect, signal, untracked } from '@preact/signals';
import type { Formation } from 'octile';
import { messageOf } from '../../common';
import type { UnitsGoals, UnitsMode, UnitsReport } from '../../engine/api';
import { engine } from '../../session';
import * as s from '../../state';

export const kMost = 2000;

export const mode = signal<UnitsMode>('steps');
export const count = signal(300);
export const seed = signal(1);
export const goals = signal<UnitsGoals>('formation');
export const formation = signal<Formation>('box');
export const spacing = signal(0);
export const playing = signal(false);
/** Ticks a second. */
export const rate = signal(8);
/** Of the tick that is shown. */
export const report = signal<UnitsReport | null>(null);
export const error = signal('');
/** The worker carries out an order. */
export const busy = signal(false);
/** Counts pictures. */
export const frame = signal(0);

/** The units walk from `from` to `to` while `phase` goes from 0 to 1. */
export const walk: { from: Float32Array; to: Float32Array; phase: number } = {
  from: new Float32Array(),
  to: new Float32Array(),
  phase: 1,
};

const still = matchMedia('(prefers-reduced-motion: reduce)');

let open = false;
let ahead: UnitsReport | null = null;
let asking = false;
let looping = false;
let before = 0;
/** Counts orders: ticks that were asked for before the newest one are of no use. */
let orders = 0;
let wanted: { anew: boolean } | null = null;
let lookLater = false;

function show(next: UnitsReport, jump: boolean): void {
  const to = Float32Array.from(next.cells);
  // From where they are seen: an order may come in the middle of a step.
  const from = jump || walk.to.length !== to.length ? to : place();
  walk.from = from;
  walk.to = to;
  walk.phase = jump ? 1 : 0;
  batch(() => {
    report.value = next;
    frame.value++;
  });
}

/** Where the units are in this moment. */
export function place(): Float32Array {
  const phase = still.matches ? 1 : Math.min(walk.phase, 1);
  return walk.to.map((to, i) => walk.from[i]! + (to - walk.from[i]!) * phase);
}

/** An order with all settings as they are now; `anew` places the units as well. */
export function order(anew: boolean): void {
  if (!open || !s.map.peek()) return;
  wanted = { anew: anew || (wanted?.anew ?? false) || !report.peek() };
  ++orders;
  if (!busy.peek()) void carryOut();
}

async function carryOut(): Promise<void> {
  busy.value = true;
  while (wanted) {
    const { anew }: { anew: boolean } = wanted;
    wanted = null;
    ahead = null;
    try {
      const next = await engine.unitsOrder({
        mode: mode.peek(),
        count: count.peek(),
        seed: seed.peek(),
        goals: goals.peek(),
        formation: formation.peek(),
        spacing: spacing.peek(),
        start: s.start.peek(),
        goal: s.goal.peek(),
        large: s.rules.peek().width > 1 || s.rules.peek().height > 1,
        anew,
      });
      if (wanted) {
        // What the newer order will not place again must not be lost.
        if (anew) (wanted as { anew: boolean }).anew = true;
        continue;
      }
      error.value = '';
      show(next, anew);
    } catch (reason) {
      if (wanted) continue;
      fail(reason);
    }
  }
  busy.value = false;
  run();
}

function fail(reason: unknown): void {
  batch(() => {
    error.value = messageOf(reason);
    report.value = null;
    playing.value = false;
    frame.value++;
  });
  walk.from = walk.to = new Float32Array();
}

/** The next tick, or (`look`) what an edit has changed; null when it is out of date. */
async function ask(look = false): Promise<UnitsReport | null> {
  const now = orders;
  asking = true;
  try {
    const next = await (look ? engine.unitsLook() : engine.unitsStep());
    return now === orders ? next : null;
  } catch (reason) {
    if (now === orders) fail(reason);
    return null;
  } finally {
    asking = false;
    if (lookLater) void lookRound();
  }
}

async function lookRound(): Promise<void> {
  lookLater = asking || busy.peek();
  if (lookLater || !report.peek()) return;
  const next = await ask(true);
  if (!next) return;
  // A tick that was fetched ahead is behind this one.
  ahead = null;
  show(next, false);
  run();
}

function run(): void {
  if (looping) return;
  looping = true;
  before = performance.now();
  requestAnimationFrame(tick);
}

function tick(now: number): void {
  const on = playing.peek() && open;
  // After a pause of the page (another window in front) nothing is caught up.
  walk.phase += Math.min(0.1, Math.max(0, now - before) / 1000) * rate.peek();
  before = now;
  if (on && walk.phase >= 1 && ahead) {
    const rest = Math.min(walk.phase - 1, 1);
    walk.phase = 1;
    show(ahead, false);
    walk.phase = rest;
    ahead = null;
  }
  const done = report.peek()?.done ?? true;
  if (on && !done && !ahead && !asking && !busy.peek()) {
    void ask().then((next) => {
      ahead = next;
    });
  }
  frame.value++;
  if (on && done && walk.phase >= 1) playing.value = false;
  looping = open && (walk.phase < 1 || (playing.peek() && !done));
  if (looping) requestAnimationFrame(tick);
  else walk.phase = Math.min(walk.phase, 1);
}

export function play(): void {
  const now = report.peek();
  if (!now || error.peek()) return;
  if (now.done) restart();
  playing.value = true;
  run();
}

export function pause(): void {
  playing.value = false;
}

export function restart(): void {
  pause();
  order(true);
}

export async function step(): Promise<void> {
  pause();
  if (asking || busy.peek() || !report.peek()) return;
  const next = ahead ?? (await ask());
  ahead = null;
  if (!next) return;
  walk.phase = 1;
  show(next, false);
  run();
}

const kLongestFilm = 150; // ticks

/** A picture a tick, from where they are until nobody moves any more. */
export const film = {
  about: () => (report.value ? `The units on their way, at most ${kLongestFilm} ticks` : ''),
  async run(picture: (last?: boolean) => Promise<void>): Promise<void> {
    pause();
    if (report.peek()?.done) order(true);
    for (let i = 0; i < kLongestFilm; ++i) {
      while (asking || busy.peek()) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!report.peek() || report.peek()!.done) break;
      await picture();
      const next = ahead ?? (await ask());
      ahead = null;
      if (next) show(next, true);
    }
    await picture(true);
  },
};

export function activate(): void {
  open = true;
  last = undefined;
  follow();
}

export function deactivate(): void {
  pause();
  open = false;
}

// --- What asks for an order: the settings, the ends, the map -----------------------------------

interface Seen {
  /** Changes of these place the units anew, */
  places: unknown[];
  /** of these give another order, */
  orders: unknown[];
  /** of this let them look round. */
  edits: number;
}
let last: Seen | undefined;

function follow(): void {
  const together = mode.value !== 'flow' && goals.value === 'formation';
  const now: Seen = {
    places: [s.map.value, s.rules.value, mode.value, count.value, seed.value, goals.value, together ? s.start.value : null],
    orders: [s.goal.value, together && formation.value, together && spacing.value],
    edits: s.edits.value,
  };
  const differs = (a: unknown[], b: unknown[]) => a.some((value, i) => value !== b[i]);
  const old = last;
  last = now;
  untracked(() => {
    if (!open) return;
    // Rules are with the worker only after their signal was set: what asks for an order waits for that.
    if (!old || differs(old.places, now.places)) queueMicrotask(() => order(true));
    else if (differs(old.orders, now.orders)) queueMicrotask(() => order(false));
    else if (old.edits !== now.edits) void lookRound();
  });
}
effect(follow);
