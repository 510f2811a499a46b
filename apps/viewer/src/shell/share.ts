// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// A link that holds the whole state, behind the # where no server sees it: the scene's name and
// what was changed of it, or the whole map packed; ends, solvers, rules and what is shown.

import { batch } from '@preact/signals';
import { messageOf } from '../common';
import type { Door, Rules } from '../engine/api';
import * as session from '../session';
import * as s from '../state';
import { say } from '../state';
import { openTab, tabs } from '../tabs';

const kLongest = 60_000; // characters that browsers and messengers still take

async function pipe(data: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([data as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(reader).arrayBuffer());
}

async function pack(data: Uint8Array): Promise<string> {
  const small = await pipe(data, new CompressionStream('deflate-raw'));
  let text = '';
  for (let i = 0; i < small.length; i += 8192) text += String.fromCharCode(...small.subarray(i, i + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

async function unpack(text: string): Promise<Uint8Array> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return pipe(
    Uint8Array.from(binary, (letter) => letter.charCodeAt(0)),
    new DecompressionStream('deflate-raw'),
  );
}

/** The terrain of each scene as it was loaded, to tell what was changed. */
async function original(scene: string): Promise<Uint8Array> {
  const reply = await fetch(`scenes/${encodeURIComponent(scene)}.map`);
  return (await session.engine.parseOnly(await reply.arrayBuffer())).terrain;
}

const cell = (value: { x: number; y: number }) => `${value.x},${value.y}`;

async function makeLink(): Promise<string> {
  const map = s.map.peek();
  const values = new URLSearchParams();
  if (map) {
    if (map.scene) {
      values.set('scene', map.scene);
      const before = await original(map.scene);
      const changed: number[] = [];
      let last = 0;
      map.terrain.forEach((terrain, index) => {
        if (terrain === before[index]) return;
        changed.push((index - last) & 255, ((index - last) >> 8) & 255, (index - last) >> 16, terrain);
        last = index;
      });
      if (changed.length) values.set('edits', await pack(Uint8Array.from(changed)));
    } else {
      values.set('size', `${map.width}x${map.height}`);
      values.set('name', map.name);
      values.set('map', await pack(map.terrain));
    }
    if (s.doors.peek().size) {
      values.set(
        'doors',
        [...s.doors.peek().values()].map((d) => `${d.closed ? 'c' : 'o'}${d.cells.join('.')}`).join('_'),
      );
    }
    values.set('from', cell(s.start.peek()));
    values.set('to', cell(s.goal.peek()));
  }
  const rules = s.rules.peek();
  values.set('solvers', s.solvers.peek().join(','));
  values.set('compare', s.compare.peek());
  values.set('rules', [rules.moves, rules.diagonal, rules.metric, `${rules.width}x${rules.height}`].join(','));
  values.set('search', s.searchView.peek());
  const shown = [s.showHeat, s.showFlow, s.showGrid].map((flag) => (flag.peek() ? '1' : '0')).join('');
  values.set('show', shown);
  if (s.tab.peek() !== 'map') values.set('tab', s.tab.peek());
  for (const tab of tabs) for (const [name, value] of Object.entries(tab.save?.() ?? {})) values.set(name, value);
  const link = `${location.origin}${location.pathname}#${values}`;
  if (link.length > kLongest) {
    throw new Error(
      `this map does not fit a link (${Math.round(link.length / 1000)} kB); export it as a .map file instead`,
    );
  }
  return link;
}

export async function copyLink(): Promise<void> {
  try {
    const link = await makeLink();
    history.replaceState(null, '', link);
    try {
      await navigator.clipboard.writeText(link);
      say('info', 'The link is in the clipboard');
    } catch {
      say('info', 'The link is in the address bar');
    }
  } catch (error) {
    say('error', messageOf(error));
  }
}

/** False when the address holds no state. A damaged one is told, and what can be read is used. */
export async function restore(hash: string): Promise<boolean> {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  if (!values.has('scene') && !values.has('map')) return false;
  try {
    const rules = (values.get('rules') ?? '').split(',');
    const size = /^(\d{1,2})x(\d{1,2})$/.exec(rules[3] ?? '');
    const change: Partial<Rules> = {};
    const pick = <T extends string>(text: string | null | undefined, allowed: readonly T[]): T | undefined =>
      allowed.find((name) => name === text);
    const moves = pick(rules[0], ['four', 'eight'] as const);
    const diagonal = pick(rules[1], ['always', 'at_most_one_obstacle', 'no_obstacles'] as const);
    const metric = pick(rules[2], ['octile', 'ten_fourteen', 'chebyshev'] as const);
    if (moves) change.moves = moves;
    if (diagonal) change.diagonal = diagonal;
    if (metric) change.metric = metric;
    if (size) [change.width, change.height] = [clampSize(size[1]!), clampSize(size[2]!)];
    session.setRules(change);

    if (values.has('scene')) {
      if (!(await session.openScene(values.get('scene')!))) return false;
    } else {
      const [width, height] = (values.get('size') ?? '').split('x').map(Number);
      const terrain = await unpack(values.get('map')!);
      if (!width || !height || width * height !== terrain.length) throw new Error('its map is damaged');
      if (!(await session.assignMap(values.get('name') ?? 'Shared map', '', width, height, terrain))) return false;
    }
    const edits: [number, number][] = [];
    if (values.has('edits')) {
      const data = await unpack(values.get('edits')!);
      let index = 0;
      for (let i = 0; i + 3 < data.length; i += 4) {
        index += data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16);
        edits.push([index, data[i + 3]!]);
      }
    }
    const area = s.map.peek()!.terrain.length;
    const doors: Door[] = (values.get('doors') ?? '')
      .split('_')
      .filter((text) => /^[co]\d+(\.\d+)*$/.test(text))
      .map((text, at) => ({
        key: at + 1,
        closed: text[0] === 'c',
        cells: text.slice(1).split('.').map(Number).filter((index) => index < area),
      }));
    session.restoreEdits(edits, doors);
    batch(() => {
      const map = s.map.peek()!;
      for (const [name, target] of [['from', s.start], ['to', s.goal]] as const) {
        const match = /^(\d+),(\d+)$/.exec(values.get(name) ?? '');
        if (match && Number(match[1]) < map.width && Number(match[2]) < map.height) {
          target.value = { x: Number(match[1]), y: Number(match[2]) };
        }
      }
      const known = new Set(s.about.peek()!.solvers.map((solver) => solver.name));
      const [a, b] = (values.get('solvers') ?? '').split(',');
      if (a && b && known.has(a) && known.has(b)) s.solvers.value = [a, b];
      s.compare.value = pick(values.get('compare'), ['single', 'overlay', 'side'] as const) ?? 'single';
      s.searchView.value = pick(values.get('search'), ['off', 'sets', 'costs'] as const) ?? 'sets';
      const shown = values.get('show') ?? '001';
      [s.showHeat, s.showFlow, s.showGrid].forEach((flag, at) => {
        flag.value = shown[at] === '1';
      });
    });
    for (const tab of tabs) tab.restore?.(values);
    if (values.has('tab')) openTab(values.get('tab')!);
    return true;
  } catch (error) {
    say('error', `The link cannot be read: ${messageOf(error)}`);
    return s.map.peek() !== null;
  }
}

const clampSize = (text: string): number => Math.min(Math.max(Number(text), 1), 16);
