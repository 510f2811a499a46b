// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Microseconds against path length, a dot a query and solver, by uPlot.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { css } from '../../render/palette';
import { time } from '../../shell/ui';
import * as s from '../../state';
import { at, running, type Run } from './bench_state';

// Orange and blue as everywhere, then colours of Okabe and Ito's set that stay apart for all eyes.
const light = ['#e06010', '#1c60c8', '#009e73', '#a8447f', '#8a7000', '#4a4f58', '#2f9fd0', '#b3123f'];
const dark = ['#ff9642', '#68acff', '#2fcf9f', '#e58fc0', '#e6cf4a', '#b9c0cc', '#7fdcff', '#ff7f9f'];

/** A solver has its colour for good, whichever others are chosen. */
export function colour(solver: string): string {
  const names = ['astar', 'jps', 'auto', 'dijkstra', 'labels', 'subgoal'];
  const rest = s.about.value?.solvers.map(({ name }) => name).filter((name) => !names.includes(name)) ?? [];
  const colours = s.isDark.value ? dark : light;
  return colours[[...names, ...rest].indexOf(solver) % colours.length]!;
}

/** Rows by length: uPlot wants them in order. Without a length there is no place for them. */
function arrange(run: Run): { order: number[]; data: uPlot.AlignedData } {
  const length = run.rows.map(({ reference, answers }) => {
    const found = answers.find((answer) => answer.status === 'found');
    return reference !== null && reference < Infinity ? reference : (found?.cost ?? 0);
  });
  const order = length.map((_, i) => i).sort((a, b) => length[a]! - length[b]!);
  return {
    order,
    data: [
      order.map((i) => length[i]!),
      ...run.solvers.map((_, k) => order.map((i) => run.rows[i]!.answers[k]!.micros)),
    ],
  };
}

export function Chart({ run, onOpen }: { run: Run; onOpen(row: number): void }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const order = useRef<number[]>([]);
  const solvers = run.solvers.join();
  const isDark = s.isDark.value;

  // Another set of solvers or other colours: another chart.
  useEffect(() => {
    const element = host.current!;
    const { ink, grid } = s.palette.peek();
    const axis: uPlot.Axis = {
      stroke: css(ink),
      grid: { stroke: css(grid, isDark ? 0.7 : 1), width: 1 },
      ticks: { show: false },
      font: '12px Inter, system-ui, sans-serif',
      labelFont: '12px Inter, system-ui, sans-serif',
      labelSize: 18,
    };
    const arranged = arrange(run);
    order.current = arranged.order;
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: element.clientHeight,
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false, points: { size: 9 } },
        scales: { x: { time: false }, y: { distr: 3, log: 10 } },
        axes: [
          { ...axis, label: 'Path length', size: 30 },
          { ...axis, size: 62, values: (_, splits) => splits.map((v) => (v && Number.isInteger(Math.log10(v)) ? time(v).replace(/\.0+ /, ' ') : null)) },
        ],
        series: [
          {},
          ...run.solvers.map((label): uPlot.Series => ({
            label,
            stroke: colour(label),
            paths: () => null,
            points: { show: true, size: 5, width: 0, fill: colour(label), stroke: colour(label) },
          })),
        ],
        hooks: {
          setCursor: [
            (u) => {
              const place = u.cursor.idx;
              if (place != null) at.value = order.current[place] ?? null;
            },
          ],
        },
      },
      arranged.data,
      element,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [solvers, isDark]);

  useEffect(() => {
    const arranged = arrange(run);
    order.current = arranged.order;
    plot.current?.setData(arranged.data);
  }, [run]);

  const onKey = (event: KeyboardEvent) => {
    const u = plot.current;
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!u) return;
    if (event.key === 'Enter' && at.peek() !== null) {
      event.preventDefault();
      onOpen(at.peek()!);
    } else if (step !== undefined || event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      const last = order.current.length - 1;
      const now = at.peek() === null ? -1 : order.current.indexOf(at.peek()!);
      const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : Math.min(Math.max(now + step!, 0), last);
      u.setCursor({ left: u.valToPos(u.data[0][next]!, 'x'), top: u.bbox.height / devicePixelRatio / 2 }, false);
      at.value = order.current[next]!;
    }
  };

  return (
    <div
      class="bench-chart"
      ref={host}
      tabIndex={0}
      role="img"
      aria-label={`Time of each query against the length of its path: ${run.rows.length} queries, ${run.solvers.join(', ')}`}
      aria-busy={running.value !== ''}
      onKeyDown={onKey}
    />
  );
}
