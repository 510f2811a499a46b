// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The map on the screen: one stage, or two side by side that share a camera, with the pointers,
// wheel and pinches that belong to it.

import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Cell } from '../engine/api';
import { Stage } from '../render/stage';
import * as session from '../session';
import * as s from '../state';
import { activeTab, layersOf } from '../tabs';

/** For tests and the frame readout: the stages that are shown. */
export const stages: Stage[] = [];

export function StageView() {
  const tab = activeTab.value;
  const panes = tab.panes?.() ?? [''];
  useEffect(() => {
    const edges = () => {
      const bottom = tab.Footer ? 78 : 20;
      if (innerWidth <= 860) s.camera.setEdges(10, panes.length > 1 ? 96 : 62, 10, bottom - 8);
      else if (panes.length > 1) s.camera.setEdges(64, 56, 64, bottom);
      else s.camera.setEdges(76, 20, 76, bottom);
    };
    edges();
    addEventListener('resize', edges);
    return () => removeEventListener('resize', edges);
  }, [tab, panes.length]);
  return (
    <div class="stages" data-panes={panes.length}>
      {panes.map((label, pane) => (
        <Pane key={`${tab.id} ${panes.length} ${pane}`} pane={pane} label={label} />
      ))}
    </div>
  );
}

function Pane({ pane, label }: { pane: number; label: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = ref.current!;
    const stage = new Stage(root, s.camera, () => s.palette.value, () => s.mapSize.value);
    stages.push(stage);
    const stops = layersOf(pane).map(({ name, layer }) => {
      const invalidate = stage.add(layer, name);
      return effect(() => {
        layer.watch();
        invalidate();
      });
    });
    const release = listen(root);
    return () => {
      release();
      for (const stop of stops) stop();
      stage.destroy();
      stages.splice(stages.indexOf(stage), 1);
    };
  }, []);

  const map = s.map.value;
  return (
    <div class="pane">
      <div
        ref={ref}
        class="stage"
        data-stage={pane}
        data-tool={s.tool.value}
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label={`Map ${map?.name ?? ''}${label ? `, ${label}` : ''}. Arrow keys move a cursor, S and G put start and goal, question mark shows all keys.`}
      />
      {label && <div class={`pane-label ${pane === 0 ? 'orange' : 'blue'}`}>{label}</div>}
    </div>
  );
}

// --- Pointers ---------------------------------------------------------------------------------

type Doing = 'nothing' | 'pan' | 'start' | 'goal' | 'paint' | 'maybe';
const kLongPress = 500; // milliseconds

function listen(root: HTMLElement): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let doing: Doing = 'nothing';
  let last: Cell | null = null;
  let from = { x: 0, y: 0 };
  let moved = false;
  let pinch = 0;
  let press = 0;

  const place = (event: { clientX: number; clientY: number }) => {
    const box = root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const cellAt = (p: { x: number; y: number }): Cell => {
    const [x, y] = s.camera.toMap(p.x, p.y);
    return { x: Math.floor(x), y: Math.floor(y) };
  };
  const inside = (cell: Cell): boolean => {
    const map = s.map.peek();
    return !!map && cell.x >= 0 && cell.y >= 0 && cell.x < map.width && cell.y < map.height;
  };
  const clamped = (cell: Cell): Cell => {
    const map = s.map.peek()!;
    return {
      x: Math.min(Math.max(cell.x, 0), map.width - 1),
      y: Math.min(Math.max(cell.y, 0), map.height - 1),
    };
  };
  /** Distance in pixels from an end, taking in the unit's own cells. */
  const near = (p: { x: number; y: number }, cell: Cell): number => {
    const rules = s.rules.peek();
    const [x, y] = s.camera.toScreen(cell.x + rules.width / 2, cell.y + rules.height / 2);
    return Math.hypot(p.x - x, p.y - y) - (Math.max(rules.width, rules.height) * s.camera.scale) / 2;
  };
  const finish = () => {
    clearTimeout(press);
    if (doing === 'paint') session.endStroke();
    if (doing === 'start' || doing === 'goal') session.setDragging(false);
    doing = 'nothing';
    root.dataset.doing = '';
  };
  /** All cells from the last one: fast strokes leave no gaps. */
  const paintTo = (cell: Cell) => {
    const a = last ?? cell;
    const steps = Math.max(Math.abs(cell.x - a.x), Math.abs(cell.y - a.y), 1);
    for (let i = last ? 1 : steps; i <= steps; ++i) {
      const at = {
        x: Math.round(a.x + ((cell.x - a.x) * i) / steps),
        y: Math.round(a.y + ((cell.y - a.y) * i) / steps),
      };
      if (inside(at)) session.paint(at);
    }
    last = cell;
  };

  const takeStart = (cell: Cell) => {
    if (doing !== 'maybe') return;
    doing = 'start';
    root.dataset.doing = doing;
    session.setDragging(true);
    s.start.value = cell;
  };

  const down = (event: PointerEvent) => {
    root.focus({ preventScroll: true });
    const p = place(event);
    pointers.set(event.pointerId, p);
    try {
      root.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already.
    }
    if (pointers.size === 2) {
      finish();
      const [a, b] = [...pointers.values()] as [typeof p, typeof p];
      pinch = Math.hypot(a.x - b.x, a.y - b.y);
      doing = 'pan';
      return;
    }
    if (!s.map.peek() || pointers.size > 2) return;
    from = p;
    moved = false;
    const cell = cellAt(p);
    last = null;
    const tool = s.tool.peek();
    if (event.button === 1 || event.button === 2 || tool === 'pan') doing = 'pan';
    else if (tool === 'ends') {
      const reach = event.pointerType === 'touch' ? 26 : 14;
      const [toStart, toGoal] = [near(p, s.start.peek()), near(p, s.goal.peek())];
      if (Math.min(toStart, toGoal) <= reach) {
        doing = toStart < toGoal ? 'start' : 'goal';
        session.setDragging(true);
      } else {
        doing = 'maybe';
        // Fingers have no Shift: a long press puts the start, and may drag it on.
        if (event.pointerType === 'touch' && inside(cell)) press = window.setTimeout(takeStart, kLongPress, cell);
      }
    } else {
      doing = 'paint';
      session.beginStroke();
      // A finger may be the first of two that pinch: it paints when it moves or goes.
      if (event.pointerType !== 'touch') paintTo(cell);
    }
    root.dataset.doing = doing;
  };

  const move = (event: PointerEvent) => {
    const p = place(event);
    const cell = cellAt(p);
    if (event.pointerType !== 'touch' || pointers.size === 1) {
      s.cursorByKeys.value = false;
      const next = inside(cell) ? cell : null;
      const now = s.cursor.peek();
      if (now?.x !== next?.x || now?.y !== next?.y) s.cursor.value = next;
    }
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (s.tool.peek() === 'ends') {
        const close = Math.min(near(p, s.start.peek()), near(p, s.goal.peek())) <= 14;
        root.dataset.hover = close ? 'end' : '';
      }
      return;
    }
    pointers.set(event.pointerId, p);
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()] as [typeof p, typeof p];
      const apart = Math.hypot(a.x - b.x, a.y - b.y);
      s.camera.pan((p.x - before.x) / 2, (p.y - before.y) / 2);
      if (pinch > 0 && apart > 0) s.camera.zoom(apart / pinch, (a.x + b.x) / 2, (a.y + b.y) / 2);
      pinch = apart;
      return;
    }
    if (Math.hypot(p.x - from.x, p.y - from.y) > 4) moved = true;
    if (doing === 'maybe' && moved) doing = 'pan';
    if (doing === 'pan') s.camera.pan(p.x - before.x, p.y - before.y);
    else if (doing === 'start' || doing === 'goal') {
      const to = clamped(cell);
      const end = doing === 'start' ? s.start : s.goal;
      const now = end.peek();
      if (now.x !== to.x || now.y !== to.y) end.value = to;
    } else if (doing === 'paint' && (moved || last)) {
      if (!last) paintTo(cellAt(from));
      paintTo(cell);
    }
  };

  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    if (!moved && event.type === 'pointerup') {
      const cell = cellAt(place(event));
      if (doing === 'maybe' && inside(cell)) (event.shiftKey ? s.start : s.goal).value = cell;
      if (doing === 'paint' && !last) paintTo(cell);
    }
    if (pointers.size === 0) finish();
    pinch = 0;
  };

  const leave = () => {
    if (!pointers.size && !s.cursorByKeys.peek()) s.cursor.value = null;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const p = place(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    s.camera.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), p.x, p.y);
  };
  const noMenu = (event: Event) => event.preventDefault();

  const stop = new AbortController();
  const { signal } = stop;
  root.addEventListener('pointerdown', down, { signal });
  root.addEventListener('pointermove', move, { signal });
  root.addEventListener('pointerup', up, { signal });
  root.addEventListener('pointercancel', up, { signal });
  root.addEventListener('pointerleave', leave, { signal });
  root.addEventListener('wheel', wheel, { signal, passive: false });
  root.addEventListener('contextmenu', noMenu, { signal });
  return () => {
    clearTimeout(press);
    stop.abort();
  };
}
