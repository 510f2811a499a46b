// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Plays the search: event by event, at 1 to 10⁶ events a second.

import { ChevronLeft, ChevronRight, Pause, Play, SkipBack } from 'lucide-preact';
import * as s from '../../state';
import { IconButton, number, Slider } from '../../shell/ui';

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

/** About six seconds, and a rest at the end. */
export const film = {
  about: () => (s.playLength.value > 0 ? 'The search as an animation' : ''),
  async run(picture: (last?: boolean) => Promise<void>): Promise<void> {
    const length = s.playLength.peek();
    const count = Math.min(72, length);
    const before = s.playhead.peek();
    pause();
    try {
      for (let i = 1; i <= count; ++i) {
        s.playhead.value = Math.floor((length * i) / (count + 1));
        await picture();
      }
      s.playhead.value = Infinity;
      await picture(true);
    } finally {
      s.playhead.value = before;
    }
  },
};

function Speed() {
  const rate = 10 ** s.speed.value;
  return (
    <label class="speed" title="Events a second (< and >)">
      <Slider
        label="Speed"
        value={s.speed}
        from={0}
        to={6}
        step={0.25}
        shown={`${s.speed.value < 3 ? Math.round(rate) : `${number(rate / 1000)}k`}/s`}
        says={`${Math.round(rate)} events a second`}
      />
    </label>
  );
}

export function Playback() {
  const length = s.playLength.value;
  const head = Math.floor(Math.min(s.playhead.value, length));
  const off = length === 0;
  return (
    <div class="playback" role="group" aria-label="Search animation" data-off={off}>
      <IconButton label="From the beginning (R)" Icon={SkipBack} size={17} disabled={off} onClick={restart} />
      <IconButton label="A step back (,)" Icon={ChevronLeft} disabled={off} onClick={() => step(-1)} />
      <IconButton
        label={s.playing.value ? 'Pause (P)' : 'Play (P)'}
        Icon={s.playing.value ? Pause : Play}
        disabled={off}
        onClick={() => (s.playing.value ? pause() : play())}
      />
      <IconButton label="A step on (.)" Icon={ChevronRight} disabled={off} onClick={() => step(1)} />
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
