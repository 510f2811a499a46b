// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Paths, the two ends, and the cursor: what moves while an end is dragged.

import { css, hex, type Palette, type SearchTheme } from '../../render/palette';
import type { Frame, Layer } from '../../render/stage';
import * as s from '../../state';

function pathTo(
  context: CanvasRenderingContext2D,
  path: Int32Array,
  place: (x: number, y: number) => [number, number],
): void {
  // Only where the direction changes: thousands of cells are often a dozen lines.
  let [dx, dy] = [0, 0];
  for (let i = 0; i < path.length; i += 2) {
    const [x, y] = [path[i]!, path[i + 1]!];
    const last = i + 2 >= path.length;
    const [nx, ny] = last ? [9, 9] : [path[i + 2]! - x, path[i + 3]! - y];
    if (i > 0 && nx === dx && ny === dy) continue;
    const [sx, sy] = place(x + 0.5, y + 0.5);
    if (i === 0) context.moveTo(sx, sy);
    else context.lineTo(sx, sy);
    [dx, dy] = [nx, ny];
  }
}

export class PathLayer implements Layer {
  /** Which paths: the first, the second, or both, orange above. */
  constructor(private readonly which: readonly (0 | 1)[]) {}

  watch(): void {
    s.start.value;
    s.goal.value;
    s.rules.value;
    s.tool.value;
    s.brush.value;
    s.cursor.value;
    s.cursorByKeys.value;
    if (!this.which.length) return;
    s.answers.value;
    s.playhead.value;
    s.traces.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const { camera, palette } = frame;
    const place = (x: number, y: number) => camera.toScreen(x, y);
    context.lineJoin = context.lineCap = 'round';
    const width = Math.min(6, Math.max(2.5, camera.scale * 0.28));
    const both = this.which.length > 1;
    for (const which of [...this.which].reverse()) {
      const answer = s.answers.peek()[which];
      if (!answer || answer.path.length < 2) continue;
      // While the search plays, its path waits for the end.
      const length = s.traces.peek()[which]?.kind.length ?? 0;
      if (s.playhead.peek() < length) continue;
      const theme: SearchTheme = which === 0 ? palette.orange : palette.blue;
      // Over each other the blue line shows on both sides of the orange one.
      const wide = both && which === 1 ? width * 2 + 1 : width;
      context.beginPath();
      pathTo(context, answer.path, place);
      context.strokeStyle = css(theme.halo, 0.85);
      context.lineWidth = wide + 2.5;
      context.stroke();
      context.strokeStyle = css(theme.path);
      context.lineWidth = wide;
      context.stroke();
    }
    this.unit(context, frame);
    const start = s.start.peek();
    const goal = s.goal.peek();
    const radius = Math.max(6.5, Math.min(camera.scale * 0.42, 14));
    let [x, y] = place(goal.x + 0.5, goal.y + 0.5);
    this.disc(context, x, y, radius, css(palette.goal));
    context.strokeStyle = 'white';
    context.lineWidth = Math.max(1.5, radius * 0.2);
    context.beginPath();
    context.arc(x, y, radius * 0.48, 0, Math.PI * 2);
    context.stroke();
    [x, y] = place(start.x + 0.5, start.y + 0.5);
    this.disc(context, x, y, radius, css(palette.start));
    this.cursor(context, frame);
  }

  private disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, color: string): void {
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fillStyle = color;
    context.shadowColor = 'rgb(0 0 0 / 0.35)';
    context.shadowBlur = 5;
    context.fill();
    context.shadowColor = 'transparent';
    context.strokeStyle = 'white';
    context.lineWidth = 2;
    context.stroke();
  }

  /** The cells that a large unit covers at both ends. */
  private unit(context: CanvasRenderingContext2D, frame: Frame): void {
    const { width, height } = s.rules.peek();
    if (width * height === 1) return;
    for (const [cell, color] of [
      [s.start.peek(), frame.palette.start],
      [s.goal.peek(), frame.palette.goal],
    ] as const) {
      const [x, y] = frame.camera.toScreen(cell.x, cell.y);
      context.fillStyle = css(color, 0.25);
      context.strokeStyle = css(color);
      context.lineWidth = 1.5;
      context.beginPath();
      context.rect(x, y, width * frame.camera.scale, height * frame.camera.scale);
      context.fill();
      context.stroke();
    }
  }

  private cursor(context: CanvasRenderingContext2D, frame: Frame): void {
    const cell = s.cursor.peek();
    const tool = s.tool.peek();
    const byKeys = s.cursorByKeys.peek();
    if (!cell || (!byKeys && (tool === 'ends' || tool === 'pan'))) return;
    const reach = tool === 'wall' || tool === 'weight' || tool === 'erase' ? s.brush.peek() : 1;
    const low = Math.floor((reach - 1) / 2);
    const [x, y] = frame.camera.toScreen(cell.x - low, cell.y - low);
    const side = reach * frame.camera.scale;
    const grow = Math.max(0, (9 - side) / 2);
    context.lineWidth = byKeys ? 4 : 3;
    context.strokeStyle = css(frame.palette.page, 0.9);
    context.strokeRect(x - grow, y - grow, side + 2 * grow, side + 2 * grow);
    context.lineWidth = byKeys ? 2 : 1.5;
    context.strokeStyle = css(frame.palette.ink);
    context.strokeRect(x - grow, y - grow, side + 2 * grow, side + 2 * grow);
  }
}

/** The paths as SVG, orange above. */
export function pathShapes(palette: Palette): string[] {
  const parts: string[] = [];
  const both = s.compare.peek() !== 'single';
  for (const which of both ? [1, 0] : [0]) {
    const answer = s.answers.peek()[which];
    if (!answer || answer.path.length < 4) continue;
    const points: string[] = [];
    for (let i = 0; i < answer.path.length; i += 2) points.push(`${answer.path[i]! + 0.5},${answer.path[i + 1]! + 0.5}`);
    const theme = which === 0 ? palette.orange : palette.blue;
    parts.push(
      `<polyline fill="none" stroke="${hex(theme.path)}" stroke-width="${which === 1 ? 0.7 : 0.35}" stroke-linejoin="round" stroke-linecap="round" points="${points.join(' ')}"><title>${answer.solver}: cost ${answer.cost}</title></polyline>`,
    );
  }
  return parts;
}
