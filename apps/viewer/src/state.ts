// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Everything the page shows, as signals. session.ts changes it; components and layers follow.

import { computed, signal } from '@preact/signals';
import type { IndexInfo } from 'octile';
import type {
  About,
  Answer,
  Cell,
  Door,
  FieldData,
  IndexShapes,
  Rules,
  ScenLine,
  TraceData,
} from './engine/api';
import { Camera } from './render/camera';
import { dark, light } from './render/palette';

export interface MapState {
  name: string;
  /** The bundled scene that it came from, '' when it was opened or drawn. */
  scene: string;
  width: number;
  height: number;
  /** The page's own copy, for drawing: changed in place, `edits` counts. */
  terrain: Uint8Array;
}

export interface Scene {
  id: string;
  title: string;
  group: string;
  size: number;
}

export type Tool = 'ends' | 'wall' | 'weight' | 'door' | 'erase' | 'pan';
export type Compare = 'single' | 'overlay' | 'side';
export type SearchView = 'off' | 'sets' | 'costs';
export type ThemeChoice = 'system' | 'light' | 'dark';

export interface Toast {
  id: number;
  kind: 'info' | 'error';
  text: string;
}

// --- What the engine is ---------------------------------------------------------------------
export const about = signal<About | null>(null);
export const fatal = signal('');

// --- The map ----------------------------------------------------------------------------------
export const scenes = signal<Scene[]>([]);
export const map = signal<MapState | null>(null);
/** Counts edits of the map, and doors. */
export const edits = signal(0);
export const doors = signal<ReadonlyMap<number, Door>>(new Map());
export const loading = signal('');
export const scen = signal<{ name: string; lines: ScenLine[] } | null>(null);
export const scenAt = signal(0);
export const canUndo = signal(false);
export const canRedo = signal(false);

// --- Queries ----------------------------------------------------------------------------------
export const rules = signal<Rules>({
  moves: 'eight',
  diagonal: 'no_obstacles',
  metric: 'octile',
  width: 1,
  height: 1,
});
export const start = signal<Cell>({ x: 0, y: 0 });
export const goal = signal<Cell>({ x: 0, y: 0 });
export const solvers = signal<[string, string]>(['astar', 'jps']);
export const compare = signal<Compare>('single');
export const answers = signal<[Answer | null, Answer | null]>([null, null]);
export const traces = signal<[TraceData | null, TraceData | null]>([null, null]);

// --- The index --------------------------------------------------------------------------------
export const indexReport = signal<IndexInfo | null>(null);
export const indexMillis = signal(0);
export const indexBuilding = signal(false);
export const shapes = signal<IndexShapes | null>(null);

// --- What is shown ----------------------------------------------------------------------------
export const searchView = signal<SearchView>('sets');
export const showHeat = signal(false);
export const showFlow = signal(false);
export const showIndex = signal(true);
export const showGrid = signal(true);
export const field = signal<FieldData | null>(null);

// --- Playback: events shown of each trace; Infinity: all --------------------------------------
export const playhead = signal(Infinity);
export const playing = signal(false);
/** Events a second, as a power of ten. */
export const speed = signal(3);
export const playLength = computed(() =>
  Math.max(traces.value[0]?.kind.length ?? 0, compare.value === 'single' ? 0 : (traces.value[1]?.kind.length ?? 0)),
);

// --- The page ---------------------------------------------------------------------------------
export const tab = signal('map');
export const tool = signal<Tool>('ends');
export const brush = signal(1);
export const weight = signal(5);
/** The cell under the pointer, or of the keyboard's cursor. */
export const cursor = signal<Cell | null>(null);
export const cursorByKeys = signal(false);
export const helpOpen = signal(false);
export const toasts = signal<Toast[]>([]);
export const themeChoice = signal<ThemeChoice>('system');
const systemDark = signal(matchMedia('(prefers-color-scheme: dark)').matches);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
  systemDark.value = event.matches;
});
export const isDark = computed(() =>
  themeChoice.value === 'system' ? systemDark.value : themeChoice.value === 'dark',
);
export const palette = computed(() => (isDark.value ? dark : light));
export const camera = new Camera();

export const mapSize = computed(() => ({
  width: map.value?.width ?? 0,
  height: map.value?.height ?? 0,
}));

let nextToast = 1;
export function say(kind: Toast['kind'], text: string): void {
  const toast = { id: nextToast++, kind, text };
  toasts.value = [...toasts.value.filter((other) => other.text !== text), toast].slice(-3);
  // What went wrong stays until it has been read.
  if (kind === 'info') setTimeout(() => dismiss(toast.id), 4000);
}
export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
