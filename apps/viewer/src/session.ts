// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What the user can do, as plain functions: the only place that talks to the worker about the map.
// Buttons, keys, pointers and links all end here.

import { batch, effect, untracked } from '@preact/signals';
import * as Comlink from 'comlink';
import type { IndexKind } from 'octile';
import { messageOf } from './common';
import type { Cell, Door, EngineApi, Rules } from './engine/api';
import * as s from './state';
import { say } from './state';

// --- The worker -------------------------------------------------------------------------------

function spawn(): { worker: Worker; api: Comlink.Remote<EngineApi> } {
  const worker = new Worker(new URL('./engine/engine_worker.ts', import.meta.url), { type: 'module' });
  return { worker, api: Comlink.wrap<EngineApi>(worker) };
}

const main = spawn();
/** The engine behind the page. Other tabs make their calls here as well. */
export const engine = main.api;

export async function begin(): Promise<void> {
  main.worker.addEventListener('error', (event) => {
    s.fatal.value = event.message || 'the engine could not be loaded';
  });
  try {
    s.about.value = await engine.about();
  } catch (error) {
    s.fatal.value = messageOf(error);
    return;
  }
  try {
    const reply = await fetch('scenes/index.json');
    if (reply.ok) s.scenes.value = await reply.json();
  } catch {
    // Without bundled scenes there are still files and the empty map.
  }
}

// --- Loading ----------------------------------------------------------------------------------

/** Two free cells far apart: near the upper left and the lower right corner. */
function guessEnds(width: number, height: number, terrain: Uint8Array): [Cell, Cell] {
  const costs = s.about.value!.costs;
  const free = (index: number) => costs[terrain[index]!]! < Infinity;
  let a = 0;
  let b = width * height - 1;
  let bestA = Infinity;
  let bestB = Infinity;
  for (let i = 0; i < terrain.length; ++i) {
    if (!free(i)) continue;
    const x = i % width;
    const y = (i - x) / width;
    const near = x + y;
    const far = width + height - near;
    // A little inside, where the path can be seen.
    const insetA = Math.abs(near - (width + height) * 0.08);
    const insetB = Math.abs(far - (width + height) * 0.08);
    if (insetA + Math.abs(x - y) * 0.5 < bestA) {
      bestA = insetA + Math.abs(x - y) * 0.5;
      a = i;
    }
    const skew = Math.abs(width - x - (height - y)) * 0.5;
    if (insetB + skew < bestB) {
      bestB = insetB + skew;
      b = i;
    }
  }
  const cell = (i: number) => ({ x: i % width, y: Math.floor(i / width) });
  return [cell(a), cell(b)];
}

function show(name: string, scene: string, width: number, height: number, terrain: Uint8Array): void {
  const [start, goal] = guessEnds(width, height, terrain);
  history.past.length = 0;
  history.future.length = 0;
  batch(() => {
    s.map.value = { name, scene, width, height, terrain };
    s.doors.value = new Map();
    s.start.value = start;
    s.goal.value = goal;
    s.answers.value = [null, null];
    s.traces.value = [null, null];
    s.field.value = null;
    s.scen.value = null;
    s.cursor.value = null;
    s.canUndo.value = s.canRedo.value = false;
    dropIndex();
    s.edits.value++;
    s.camera.setMap(width, height);
  });
}

async function whileLoading(what: string, work: () => Promise<void>): Promise<boolean> {
  s.loading.value = what;
  try {
    await work();
    return true;
  } catch (error) {
    say('error', messageOf(error));
    return false;
  } finally {
    s.loading.value = '';
  }
}

let newestScene = '';

export function openScene(id: string): Promise<boolean> {
  const scene = s.scenes.value.find((candidate) => candidate.id === id);
  newestScene = id;
  return whileLoading(scene?.title ?? id, async () => {
    const reply = await fetch(`scenes/${encodeURIComponent(id)}.map`);
    if (!scene || !reply.ok) throw new Error(`there is no scene named '${id}'`);
    const bytes = await reply.arrayBuffer();
    // Another one was chosen meanwhile; it may have come before.
    if (newestScene !== id) return;
    const data = await engine.parse(bytes);
    show(scene.title, id, data.width, data.height, data.terrain);
  });
}

export function newMap(width: number, height: number): Promise<boolean> {
  return assignMap('New map', '', width, height, new Uint8Array(width * height).fill(46));
}

export function assignMap(
  name: string,
  scene: string,
  width: number,
  height: number,
  terrain: Uint8Array,
): Promise<boolean> {
  return whileLoading(name, async () => {
    await engine.assign(width, height, terrain);
    show(name, scene, width, height, terrain);
  });
}

/** Pictures become maps by brightness: what is darker than the threshold is wall. */
export interface PictureDraft {
  name: string;
  width: number;
  height: number;
  brightness: Uint8Array;
}

const kMostCells = 1 << 24;

async function readPicture(file: File): Promise<PictureDraft> {
  let image: ImageBitmap;
  try {
    image = await createImageBitmap(file);
  } catch {
    throw new Error(`'${file.name}' is not a picture that this browser can read`);
  }
  if (image.width * image.height > kMostCells) {
    throw new Error(`'${file.name}' has ${image.width} × ${image.height} pixels; at most 2²⁴ become cells`);
  }
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff'; // what is transparent is free
  context.fillRect(0, 0, image.width, image.height);
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const brightness = new Uint8Array(image.width * image.height);
  for (let i = 0; i < brightness.length; ++i) {
    brightness[i] = (data[4 * i]! * 299 + data[4 * i + 1]! * 587 + data[4 * i + 2]! * 114) / 1000;
  }
  return { name: file.name, width: image.width, height: image.height, brightness };
}

export const pictureTerrain = (draft: PictureDraft, threshold: number): Uint8Array =>
  draft.brightness.map((value) => (value < threshold ? 64 : 46));

/** Opens what was chosen or dropped. Returns a draft when a picture waits for its threshold. */
export async function openFile(file: File): Promise<PictureDraft | null> {
  let draft: PictureDraft | null = null;
  await whileLoading(file.name, async () => {
    if (file.type.startsWith('image/') && !/pgm|anymap/.test(file.type)) {
      draft = await readPicture(file);
      return;
    }
    if (file.size > 2 * kMostCells) throw new Error(`'${file.name}' is larger than 32 MB`);
    const bytes = await file.arrayBuffer();
    if (/\.scen$/i.test(file.name)) {
      await openScen(file.name, bytes);
      return;
    }
    try {
      const data = await engine.parse(bytes);
      show(file.name, '', data.width, data.height, data.terrain);
    } catch (error) {
      throw new Error(`'${file.name}': ${messageOf(error)}`);
    }
  });
  return draft;
}

async function openScen(name: string, bytes: ArrayBuffer): Promise<void> {
  const map = s.map.value;
  const lines = await engine.parseScen(bytes).catch((error) => {
    throw new Error(`'${name}': ${messageOf(error)}`);
  });
  const inside = (cell: Cell) => map && cell.x < map.width && cell.y < map.height;
  if (!lines.length) throw new Error(`'${name}' holds no queries`);
  if (!lines.every((line) => inside(line.start) && inside(line.goal))) {
    throw new Error(`'${name}' belongs to a larger map; open its map first`);
  }
  s.scen.value = { name, lines };
  chooseScen(lines.length - 1);
  say('info', `${lines.length} queries from ${name}`);
}

export function chooseScen(number: number): void {
  const lines = s.scen.value?.lines;
  if (!lines) return;
  const at = Math.min(Math.max(number, 0), lines.length - 1);
  batch(() => {
    s.scenAt.value = at;
    s.start.value = lines[at]!.start;
    s.goal.value = lines[at]!.goal;
  });
}

// --- Edits ------------------------------------------------------------------------------------

interface Step {
  cells: Map<number, { before: number; after: number }>;
  doorsBefore: ReadonlyMap<number, Door>;
  doorsAfter: ReadonlyMap<number, Door>;
}
const history: { past: Step[]; future: Step[] } = { past: [], future: [] };
let stroke: Step | null = null;
let strokeDoor: Door | null = null;
let nextDoor = 1;

const kWall = 64; // '@'
const kFloor = 46; // '.'

/** With the tool for doors, `on` names a cell whose door, if there is one, is drawn on. */
export function beginStroke(on?: Cell): void {
  stroke = { cells: new Map(), doorsBefore: s.doors.value, doorsAfter: s.doors.value };
  strokeDoor = (on && s.tool.value === 'door' && doorAt(on.y * s.map.value!.width + on.x)) || null;
}

function doorAt(index: number): Door | undefined {
  for (const door of s.doors.value.values()) if (door.cells.includes(index)) return door;
  return undefined;
}

/** Gives the cell, and those round it that the brush covers, what the tool paints. */
export function paint(cell: Cell): void {
  const map = s.map.value;
  const tool = s.tool.value;
  if (!map || !stroke) return;
  if (tool === 'door') {
    paintDoor(cell.y * map.width + cell.x);
    return;
  }
  const terrain = tool === 'wall' ? kWall : tool === 'weight' ? 48 + s.weight.value : kFloor;
  const reach = s.brush.value - 1;
  const low = Math.floor(reach / 2);
  const cells: number[] = [];
  for (let y = cell.y - low; y <= cell.y - low + reach; ++y) {
    for (let x = cell.x - low; x <= cell.x - low + reach; ++x) {
      if (x < 0 || y < 0 || x >= map.width || y >= map.height) continue;
      const index = y * map.width + x;
      if (tool === 'erase') {
        const door = doorAt(index);
        if (door) changeDoors((doors) => doors.delete(door.key));
      }
      const before = map.terrain[index]!;
      if (before === terrain) continue;
      const known = stroke.cells.get(index);
      if (known) known.after = terrain;
      else stroke.cells.set(index, { before, after: terrain });
      map.terrain[index] = terrain;
      cells.push(index);
    }
  }
  if (cells.length) publish(cells);
}

function changeDoors(change: (doors: Map<number, Door>) => void): void {
  const before = s.doors.value;
  const after = new Map(before);
  change(after);
  s.doors.value = after;
  if (stroke) stroke.doorsAfter = after;
  publishDoors(before, after);
}

/** A click on a door opens or closes it; a stroke elsewhere makes a closed one. */
function paintDoor(index: number): void {
  const known = doorAt(index);
  if (!strokeDoor) {
    if (known) {
      changeDoors((doors) => doors.set(known.key, { ...known, closed: !known.closed }));
      strokeDoor = { key: 0, cells: [], closed: false }; // the rest of the stroke does nothing
      return;
    }
    strokeDoor = { key: nextDoor++, cells: [], closed: true };
  }
  if (strokeDoor.key === 0 || known) return;
  strokeDoor = { ...strokeDoor, cells: [...strokeDoor.cells, index] };
  const door = strokeDoor;
  changeDoors((doors) => doors.set(door.key, door));
}

export function endStroke(): void {
  const done = stroke;
  stroke = null;
  strokeDoor = null;
  if (!done || (done.cells.size === 0 && done.doorsBefore === done.doorsAfter)) return;
  history.past.push(done);
  if (history.past.length > 500) history.past.shift();
  history.future.length = 0;
  s.canUndo.value = true;
  s.canRedo.value = false;
}

function replay(from: Step[], to: Step[], backwards: boolean): void {
  const map = s.map.value;
  const step = from.pop();
  if (!map || !step) return;
  to.push(step);
  const cells: number[] = [];
  for (const [index, { before, after }] of step.cells) {
    map.terrain[index] = backwards ? before : after;
    cells.push(index);
  }
  const doors = backwards ? step.doorsBefore : step.doorsAfter;
  const present = s.doors.value;
  s.doors.value = doors;
  s.canUndo.value = history.past.length > 0;
  s.canRedo.value = history.future.length > 0;
  if (cells.length) publish(cells);
  if (doors !== present) publishDoors(present, doors);
}
export const undo = (): void => replay(history.past, history.future, true);
export const redo = (): void => replay(history.future, history.past, false);

/** Doors and cells of a link, without a step to undo. */
export function restoreEdits(cells: [number, number][], doors: Door[]): void {
  const map = s.map.value;
  if (!map) return;
  const touched: number[] = [];
  for (const [index, terrain] of cells) {
    if (index >= map.terrain.length) continue;
    map.terrain[index] = terrain;
    touched.push(index);
  }
  const before = s.doors.value;
  const after = new Map(doors.map((door) => [door.key, door] as const));
  nextDoor = Math.max(nextDoor, ...doors.map((door) => door.key + 1));
  s.doors.value = after;
  if (touched.length) publish(touched);
  if (doors.length) publishDoors(before, after);
}

function publish(cells: number[]): void {
  const map = s.map.value!;
  const numbers = Uint32Array.from(cells);
  const terrain = Uint8Array.from(cells, (i) => map.terrain[i]!);
  void engine.edit(numbers, terrain, [], []).catch((error) => say('error', messageOf(error)));
  changedCells.push(...cells);
  afterEdit();
}

function publishDoors(before: ReadonlyMap<number, Door>, after: ReadonlyMap<number, Door>): void {
  const changed = [...after.values()].filter((door) => before.get(door.key) !== door);
  const removed = [...before.keys()].filter((key) => !after.has(key));
  void engine
    .edit(new Uint32Array(), new Uint8Array(), changed, removed)
    .catch((error) => say('error', messageOf(error)));
  afterEdit();
}

/** Cells that the map's picture has not taken over yet. */
export const changedCells: number[] = [];

function afterEdit(): void {
  dropIndex();
  s.edits.value++;
}

// --- Indexes ----------------------------------------------------------------------------------

let builder: Worker | null = null;

function dropIndex(): void {
  builder?.terminate();
  builder = null;
  batch(() => {
    s.indexBuilding.value = false;
    s.indexReport.value = null;
    s.shapes.value = null;
  });
}

/** In a worker of its own, so that paths go on following the pointer, and it can be stopped. */
export async function buildIndex(kind: IndexKind): Promise<void> {
  const map = s.map.value;
  if (!map) return;
  dropIndex();
  const { worker, api } = spawn();
  builder = worker;
  s.indexBuilding.value = true;
  const closed = [...s.doors.value.values()].filter((door) => door.closed);
  const terrain = map.terrain.slice();
  for (const door of closed) for (const index of door.cells) terrain[index] = kWall;
  try {
    await api.assign(map.width, map.height, terrain);
    await api.setRules(s.rules.value);
    const from = performance.now();
    const bytes = await api.buildIndex(kind);
    if (builder !== worker) return;
    const millis = performance.now() - from;
    const report = await engine.adopt(Comlink.transfer(bytes, [bytes]));
    if (builder !== worker) return;
    const found = await engine.shapes();
    batch(() => {
      s.indexReport.value = report;
      s.indexMillis.value = millis;
      // Labels of tiles keep no places.
      s.shapes.value = found.blocks.length + found.subgoals.length > 0 ? found : null;
    });
    ask();
  } catch (error) {
    if (builder === worker) say('error', messageOf(error));
  } finally {
    worker.terminate();
    if (builder === worker) {
      builder = null;
      s.indexBuilding.value = false;
    }
  }
}

export async function removeIndex(): Promise<void> {
  dropIndex();
  const dropped = engine.adopt(null);
  ask(); // answered after it
  await dropped;
}

export function setRules(change: Partial<Rules>): void {
  const rules = { ...s.rules.value, ...change };
  s.rules.value = rules;
  dropIndex();
  void engine.setRules(rules).catch((error) => say('error', messageOf(error)));
  ask(); // answered after it
}

// --- Questions: always the newest, one at a time, in step with the pictures -------------------

let asked = 0;
let running = false;
let dragging = false;

/** While an end is dragged, the path alone follows; the search and the fields come at rest. */
export function setDragging(on: boolean): void {
  dragging = on;
  if (!on) ask();
}

function ask(): void {
  asked++;
  if (!running) void answer();
}

/** Whether all that was asked has been answered, fields and searches included. For tests. */
export const idle = (): boolean => !running && !dragging;

const questions = () => {
  const [a, b] = s.solvers.peek();
  const ends = { start: s.start.peek(), goal: s.goal.peek() };
  const list = [{ solver: a, ...ends }];
  if (s.compare.peek() !== 'single') list.push({ solver: b, ...ends });
  return list;
};

async function answer(): Promise<void> {
  running = true;
  try {
    let done = -1;
    while (done !== asked) {
      const now = asked;
      if (!s.map.peek()) break;
      const list = questions();
      const [a, b] = await engine.find(list, !dragging);
      batch(() => {
        const previous = s.answers.peek();
        const keep = (next: typeof a, old: (typeof previous)[0]) =>
          next && Number.isNaN(next.micros) && old ? { ...next, micros: old.micros } : (next ?? null);
        s.answers.value = [keep(a, previous[0]), keep(b, previous[1])];
        // A search that is no longer that of the path would lie.
        if (dragging) s.traces.value = [null, null];
      });
      if (now === asked && !dragging) {
        await details(list, now);
      }
      done = now;
    }
  } catch (error) {
    say('error', messageOf(error));
  } finally {
    running = false;
  }
}

async function details(list: ReturnType<typeof questions>, now: number): Promise<void> {
  if (s.searchView.peek() !== 'off') {
    const traces = await Promise.all(list.map((question) => engine.trace(question).catch(() => null)));
    if (now !== asked) return;
    batch(() => {
      s.traces.value = [traces[0] ?? null, traces[1] ?? null];
      s.playing.value = false;
      s.playhead.value = Infinity;
    });
  } else {
    s.traces.value = [null, null];
  }
  if (s.showHeat.peek() || s.showFlow.peek()) {
    const field = await engine.field(s.goal.peek()).catch(() => null);
    if (now === asked) s.field.value = field;
  } else {
    s.field.value = null;
  }
}

// Whatever a question depends on asks it anew.
effect(() => {
  s.map.value;
  s.edits.value;
  s.start.value;
  s.goal.value;
  s.solvers.value;
  s.compare.value;
  s.searchView.value;
  s.showHeat.value;
  s.showFlow.value;
  untracked(ask);
});
