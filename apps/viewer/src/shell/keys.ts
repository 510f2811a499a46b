// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The keyboard: one table, which the help dialog prints as well.

import { batch } from '@preact/signals';
import * as session from '../session';
import * as s from '../state';
import { activeTab, openTab, tabs } from '../tabs';
import { copyLink } from './share';
import type { KeyBinding } from './tab';
import { dialogs, pickFile } from './ui';

const tool = (value: s.Tool) => () => {
  s.tool.value = value;
};

function moveCursor(dx: number, dy: number): void {
  const map = s.map.peek();
  if (!map) return;
  const from = s.cursor.peek() ?? s.start.peek();
  const cell = {
    x: Math.min(Math.max(from.x + dx, 0), map.width - 1),
    y: Math.min(Math.max(from.y + dy, 0), map.height - 1),
  };
  batch(() => {
    s.cursor.value = cell;
    s.cursorByKeys.value = true;
  });
  s.camera.reveal(cell.x, cell.y);
}

const paints = (value: s.Tool) => value !== 'ends' && value !== 'pan';

function applyTool(): void {
  const cell = s.cursor.peek();
  if (!cell) return;
  if (paints(s.tool.peek())) {
    session.beginStroke();
    session.paint(cell);
    session.endStroke();
  } else {
    s.goal.value = cell;
  }
}

/** Moves, and paints on the way when the tool does; else moves ten cells. */
function drawTo(dx: number, dy: number): void {
  if (!paints(s.tool.peek())) {
    moveCursor(dx * 10, dy * 10);
    return;
  }
  const from = s.cursor.peek();
  moveCursor(dx, dy);
  if (s.tool.peek() !== 'door' || !from) {
    applyTool();
    return;
  }
  session.beginStroke(from);
  session.paint(from);
  session.paint(s.cursor.peek()!);
  session.endStroke();
}

const kArrows: Record<string, [number, number]> = {
  arrowleft: [-1, 0],
  arrowright: [1, 0],
  arrowup: [0, -1],
  arrowdown: [0, 1],
};
const arrow = (key: string): [number, number] => kArrows[key.slice(key.lastIndexOf('+') + 1)]!;
const arrows = (prefix: string): string[] => Object.keys(kArrows).map((name) => prefix + name);

/** These need the focus on the map: they would be in the way elsewhere. */
export const stageKeys: KeyBinding[] = [
  { keys: arrows(''), group: 'Cursor (map focused)', does: 'Move by a cell', run: (k) => moveCursor(...arrow(k)) },
  {
    keys: arrows('shift+'),
    group: 'Cursor (map focused)',
    does: 'Paint along, draw a door on, or move by ten cells',
    run: (k) => drawTo(...arrow(k)),
  },
  {
    keys: arrows('mod+'),
    group: 'Cursor (map focused)',
    does: 'Pan the view',
    run: (k) => {
      const [dx, dy] = arrow(k);
      s.camera.pan(-dx * 80, -dy * 80);
    },
  },
  {
    keys: ['enter', ' '],
    group: 'Cursor (map focused)',
    does: 'Use the tool here (with Ends: put the goal)',
    run: applyTool,
  },
];

export const globalKeys: KeyBinding[] = [
  {
    keys: ['s'],
    group: 'Cursor',
    does: 'Put the start at the cursor',
    run: () => {
      if (s.cursor.peek()) s.start.value = s.cursor.peek()!;
    },
  },
  {
    keys: ['g'],
    group: 'Cursor',
    does: 'Put the goal at the cursor',
    run: () => {
      if (s.cursor.peek()) s.goal.value = s.cursor.peek()!;
    },
  },
  { keys: ['v'], group: 'Tools', does: 'Ends: drag start and goal', run: tool('ends') },
  { keys: ['w'], group: 'Tools', does: 'Walls', run: tool('wall') },
  { keys: ['t'], group: 'Tools', does: 'Terrain weight', run: tool('weight') },
  { keys: ['d'], group: 'Tools', does: 'Doors: draw one, click to open and close', run: tool('door') },
  { keys: ['x'], group: 'Tools', does: 'Erase', run: tool('erase') },
  { keys: ['h'], group: 'Tools', does: 'Hand: pan', run: tool('pan') },
  {
    keys: ['escape'],
    group: 'Tools',
    does: 'Put the tool away, dismiss messages',
    run: () => {
      batch(() => {
        s.tool.value = 'ends';
        s.toasts.value = [];
      });
    },
  },
  {
    keys: ['[', ']'],
    group: 'Tools',
    does: 'Smaller, larger brush',
    run: (key) => {
      s.brush.value = Math.min(Math.max(s.brush.value + (key === ']' ? 1 : -1), 1), 15);
    },
  },
  {
    keys: ['2', '3', '4', '5', '6', '7', '8', '9'],
    group: 'Tools',
    does: 'Weight to paint',
    run: (key) => {
      batch(() => {
        s.weight.value = Number(key);
        s.tool.value = 'weight';
      });
    },
  },
  { keys: ['mod+z'], group: 'Edit', does: 'Undo', run: session.undo },
  { keys: ['mod+shift+z', 'mod+y'], group: 'Edit', does: 'Redo', run: session.redo },
  { keys: ['o'], group: 'File', does: 'Open a map, scenario or picture', run: () => pickFile() },
  { keys: ['n'], group: 'File', does: 'New map', run: () => void (dialogs.newMap.value = true) },
  { keys: ['e'], group: 'File', does: 'Export', run: () => void (dialogs.exporting.value = true) },
  { keys: ['u'], group: 'File', does: 'Copy a link to this state', run: () => void copyLink() },
  { keys: ['+', '='], group: 'View', does: 'Zoom in', run: () => s.camera.zoom(1.25) },
  { keys: ['-'], group: 'View', does: 'Zoom out', run: () => s.camera.zoom(0.8) },
  { keys: ['0'], group: 'View', does: 'Fit the map', run: () => s.camera.fit() },
  {
    keys: ['k'],
    group: 'View',
    does: 'Grid lines',
    run: () => {
      s.showGrid.value = !s.showGrid.value;
    },
  },
  {
    keys: ['y'],
    group: 'View',
    does: 'Dark or light',
    run: () => {
      s.themeChoice.value = s.isDark.value ? 'light' : 'dark';
    },
  },
  {
    keys: ['?'],
    group: 'View',
    does: 'This help',
    run: () => {
      s.helpOpen.value = true;
    },
  },
  {
    keys: ['alt+1', 'alt+2', 'alt+3'],
    group: 'View',
    does: 'First, second, third tab',
    run: (key) => {
      const tab = tabs[Number(key.at(-1)) - 1];
      if (tab) openTab(tab.id);
    },
  },
];

function nameOf(event: KeyboardEvent): string {
  let key = event.key.toLowerCase();
  if (event.altKey && /^Digit\d$/.test(event.code)) key = event.code.slice(5);
  const shift = event.shiftKey && (key.length > 1 || event.ctrlKey || event.metaKey) ? 'shift+' : '';
  return `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift}${key}`;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.closest('dialog')) return true;
  if (target.matches('textarea, select')) return true;
  return target.matches('input') && !/^(checkbox|radio|range|button)$/.test((target as HTMLInputElement).type);
}

export function onKey(event: KeyboardEvent): void {
  const key = nameOf(event);
  // Alt writes nothing, so it changes tabs from a text or a list too.
  const typing = isTyping(event) && !(key.startsWith('alt+') && !document.querySelector('dialog'));
  if (event.defaultPrevented || typing) return;
  const target = event.target as HTMLElement;
  const onStage = target.closest('[data-stage]') !== null || (target === document.body && !activeTab.peek().Main);
  const lists = [...(onStage ? [stageKeys] : []), activeTab.peek().keys ?? [], globalKeys];
  // Keys that move controls belong to them.
  if (!onStage && /^(enter| |(shift\+)?arrow\w+|page(up|down)|home|end)$/.test(key)) return;
  for (const list of lists) {
    for (const binding of list) {
      if (!binding.keys.includes(key)) continue;
      event.preventDefault();
      binding.run(key);
      return;
    }
  }
}
