// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The distance of every cell to the goal as colours, the way there as arrows, and what an index is
// made of: blocks and portals, or subgoals and hubs.

import { css, packed, ramp } from '../../render/palette';
import { CellImage, type Frame, type Layer } from '../../render/stage';
import * as s from '../../state';
import type { FieldData } from '../../engine/api';

const kDirections = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

export class FieldLayer implements Layer {
  private image: CellImage | null = null;
  private field: FieldData | null = null;

  watch(): void {
    s.field.value;
    s.showHeat.value;
    s.showFlow.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const field = s.field.peek();
    if (!field || field.distance.length !== frame.mapWidth * frame.mapHeight) return;
    if (s.showHeat.peek()) {
      if (this.image?.width !== frame.mapWidth || this.image.height !== frame.mapHeight) {
        this.image = new CellImage(frame.mapWidth, frame.mapHeight);
        this.field = null;
      }
      if (this.field !== field) {
        this.field = field;
        this.colour(field, frame);
      }
      this.image.paint(context, frame);
    }
    if (s.showFlow.peek()) this.arrows(context, frame, field);
  }

  private colour(field: FieldData, frame: Frame): void {
    let top = 1e-9;
    for (const d of field.distance) if (d < Infinity && d > top) top = d;
    const colors = new Uint32Array(256);
    // Near the goal it is bright.
    for (let i = 0; i < 256; ++i) colors[i] = packed(ramp(frame.palette.heat, 1 - i / 255), 225);
    const { pixels } = this.image!;
    for (let i = 0; i < pixels.length; ++i) {
      const d = field.distance[i]!;
      pixels[i] = d < Infinity ? colors[Math.floor((d / top) * 255)]! : 0;
    }
    this.image!.flush();
  }

  private arrows(context: CanvasRenderingContext2D, frame: Frame, field: FieldData): void {
    const { camera, mapWidth, mapHeight } = frame;
    // One arrow for each cell, or for each n-th where cells are small.
    const stride = Math.max(1, Math.ceil(13 / camera.scale));
    const [left, top] = camera.toMap(0, 0);
    const [right, bottom] = camera.toMap(frame.width, frame.height);
    const x0 = Math.max(0, Math.floor(left / stride) * stride);
    const y0 = Math.max(0, Math.floor(top / stride) * stride);
    const offset = Math.floor(stride / 2);
    const length = camera.scale * stride * 0.32;
    context.strokeStyle = s.showHeat.peek() ? 'rgb(255 255 255 / 0.9)' : css(frame.palette.arrow, 0.8);
    context.lineWidth = Math.min(2, Math.max(1, length / 6));
    context.lineCap = 'round';
    context.beginPath();
    for (let y = y0 + offset; y < Math.min(mapHeight, bottom + stride); y += stride) {
      for (let x = x0 + offset; x < Math.min(mapWidth, right + stride); x += stride) {
        const flow = field.flow[y * mapWidth + x]!;
        if (flow > 7) continue;
        const [dx, dy] = kDirections[flow]!;
        const unit = length / Math.hypot(dx, dy);
        const [sx, sy] = camera.toScreen(x + 0.5, y + 0.5);
        const [ex, ey] = [sx + dx * unit, sy + dy * unit];
        context.moveTo(sx - dx * unit, sy - dy * unit);
        context.lineTo(ex, ey);
        const head = unit * 0.55;
        context.moveTo(ex - (dx + dy) * head, ey - (dy - dx) * head);
        context.lineTo(ex, ey);
        context.lineTo(ex - (dx - dy) * head, ey - (dy + dx) * head);
      }
    }
    context.stroke();
  }
}

export class IndexLayer implements Layer {
  watch(): void {
    s.shapes.value;
    s.showIndex.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const shapes = s.shapes.peek();
    if (!shapes || !s.showIndex.peek()) return;
    const { camera, palette } = frame;
    const { blocks, portals, subgoals, ranks } = shapes;
    context.strokeStyle = css(palette.block, 0.7);
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; i < blocks.length; i += 4) {
      const [x, y] = camera.toScreen(blocks[i]!, blocks[i + 1]!);
      const width = blocks[i + 2]! * camera.scale;
      const height = blocks[i + 3]! * camera.scale;
      if (x > frame.width || y > frame.height || x + width < 0 || y + height < 0) continue;
      context.rect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width), Math.round(height));
    }
    context.stroke();
    context.fillStyle = css(palette.portal);
    const size = Math.max(2, camera.scale * 0.5);
    for (let i = 0; i < portals.length; i += 2) {
      const [x, y] = camera.toScreen(portals[i]! + 0.5, portals[i + 1]! + 0.5);
      if (x < 0 || y < 0 || x > frame.width || y > frame.height) continue;
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
    const count = subgoals.length / 2;
    const smallest = Math.max(1.2, camera.scale * 0.16);
    const discs = (from: number, to: number) => {
      context.beginPath();
      for (let i = 0; i < count; ++i) {
        const weight = importance(ranks[i], count);
        if (weight < from || weight >= to) continue;
        const [x, y] = camera.toScreen(subgoals[2 * i]! + 0.5, subgoals[2 * i + 1]! + 0.5);
        const radius = smallest + weight * (4 + camera.scale * 0.35);
        if (x < -radius || y < -radius || x > frame.width + radius || y > frame.height + radius) continue;
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      context.fill();
    };
    // High hubs last, so that no other lies over them.
    discs(0, kHigh);
    context.fillStyle = css(palette.hub);
    discs(kHigh, Infinity);
  }
}

/** From 0 (a corner of a graph without labels, or the last hub) to 1: each tenfold rank counts as much less. */
function importance(rank: number | undefined, count: number): number {
  return rank === undefined || count < 2 ? 0 : Math.max(0, 1 - Math.log(rank + 1) / Math.log(count)) ** 2;
}
/** The highest hubs, about the square root of all, have a colour of their own. */
const kHigh = 0.25;
