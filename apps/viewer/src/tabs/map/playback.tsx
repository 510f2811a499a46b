// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Plays the search: event by event, at 1 to 10⁶ events a second.

import { ChevronLeft, ChevronRight, Pause, Play, SkipBack } from 'lucide-preact';
import * as s from '../../state';
import { number } from '../../shell/ui';

let before = 0;

function tick(now: number): void {
  if (!s.playing.peek()) return;
  const seconds = Math.min(0.1, (now - before) / 1000);
  before = now;
  const head = s.playhead.peek() + seconds * 10 ** s.speed.peek();
  if (head >= s.playLength.peek()) {
    s.playhead.value = Infinity;
    s.playing.value = false;
    return;
  }
  s.playhead.value = head;
  requestAnimationFrame(tick);
}

export function play(): void {
  if (s.playLength.peek() === 0) return;
  if (s.playhead.peek() >= s.playLength.peek()) s.playhead.value = 0;
  s.playing.value = true;
  before = performance.now();
  requestAnimationFrame(tick);
}

export function pause(): void {
  s.playing.value = false;
}

export function restart(): void {
  pause();
  s.playhead.value = 0;
}

export function step(by: number): void {
  pause();
  const length = s.playLength.peek();
  const to = Math.floor(Math.min(s.playhead.peek(), length)) + by;
  s.playhead.value = to >= length ? Infinity : Math.max(0, to);
}

function Speed() {
  const label = s.speed.value < 3 ? Math.round(10 ** s.speed.value) : `${number(10 ** s.speed.value / 1000)}k`;
  return (
    <label class="speed" title="Events a second (< and >)">
      <input
        type="range"
        min={0}
        max={6}
        step={0.25}
        value={s.speed.value}
        aria-label="Speed"
        aria-valuetext={`${Math.round(10 ** s.speed.value)} events a second`}
        onInput={(event) => void (s.speed.value = event.currentTarget.valueAsNumber)}
      />
      <output>{label}/s</output>
    </label>
  );
}

export function Playback() {
  const length = s.playLength.value;
  const head = Math.floor(Math.min(s.playhead.value, length));
  const off = length === 0;
  return (
    <div class="playback" role="group" aria-label="Search animation" data-off={off}>
      <button class="icon" aria-label="From the beginning (R)" title="From the beginning (R)" disabled={off} onClick={restart}>
        <SkipBack size={17} />
      </button>
      <button class="icon" aria-label="A step back (,)" title="A step back (,)" disabled={off} onClick={() => step(-1)}>
        <ChevronLeft size={18} />
      </button>
      <button
        class="icon play"
        aria-label={s.playing.value ? 'Pause (P)' : 'Play (P)'}
        title={s.playing.value ? 'Pause (P)' : 'Play (P)'}
        disabled={off}
        onClick={() => (s.playing.value ? pause() : play())}
      >
        {s.playing.value ? <Pause size={18} /> : <Play size={18} />}
      </button>
      <button class="icon" aria-label="A step on (.)" title="A step on (.)" disabled={off} onClick={() => step(1)}>
        <ChevronRight size={18} />
      </button>
      <input
        class="timeline"
        type="range"
        min={0}
        max={Math.max(1, length)}
        value={head}
        disabled={off}
        aria-label="Place in the search"
        onInput={(event) => {
          pause();
          const to = event.currentTarget.valueAsNumber;
          s.playhead.value = to >= length ? Infinity : to;
        }}
      />
      <span class="count">
        {number(head)} <small>/ {number(length)}</small>
      </span>
      <Speed />
    </div>
  );
}
