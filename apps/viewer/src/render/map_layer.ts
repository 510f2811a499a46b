// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The map itself: a pixel a cell, kept up to date cell by cell; the frame, doors and grid lines.

import { changedCells } from '../session';
import * as s from '../state';
import type { Palette } from './palette';
import { css, packed, ramp } from './palette';
import { CellImage, type Frame, type Layer } from './stage';

/** Of each terrain its colour: free ones from green to brown by cost, walls dark. */
export function terrainColors(palette: Palette, costs: Float64Array): Uint32Array {
  const colors = new Uint32Array(256);
  for (let terrain = 0; terrain < 256; ++terrain) {
    const cost = costs[terrain]!;
    let color = palette.wall;
    if (terrain === 84) color = palette.trees; // T
    else if (terrain === 87) color = palette.water; // W
    else if (cost < Infinity) color = cost === 1 ? palette.floor : ramp(palette.weights, (cost - 1) / 8);
    colors[terrain] = packed(color);
  }
  return colors;
}

/** One picture for all stages that show the map. */
class MapPicture {
  private image: CellImage | null = null;
  private terrain: Uint8Array | null = null;
  private palette: Palette | null = null;
  private colors: Uint32Array = new Uint32Array(256);

  current(palette: Palette): CellImage | null {
    const map = s.map.peek();
    const about = s.about.peek();
    if (!map || !about) return null;
    if (this.terrain !== map.terrain || this.palette !== palette) {
      if (this.image?.width !== map.width || this.image.height !== map.height) {
        this.image = new CellImage(map.width, map.height);
      }
      this.colors = terrainColors(palette, about.costs);
      this.terrain = map.terrain;
      this.palette = palette;
      const { pixels } = this.image;
      for (let i = 0; i < pixels.length; ++i) pixels[i] = this.colors[map.terrain[i]!]!;
      this.image.flush();
      changedCells.length = 0;
    } else if (changedCells.length) {
      let [x0, y0, x1, y1] = [map.width, map.height, 0, 0];
      for (const index of changedCells) {
        this.image!.pixels[index] = this.colors[map.terrain[index]!]!;
        const x = index % map.width;
        const y = (index - x) / map.width;
        x0 = Math.min(x0, x);
        y0 = Math.min(y0, y);
        x1 = Math.max(x1, x + 1);
        y1 = Math.max(y1, y + 1);
      }
      this.image!.flush(x0, y0, x1 - x0, y1 - y0);
      changedCells.length = 0;
    }
    return this.image;
  }
}
const picture = new MapPicture();

export class MapLayer implements Layer {
  watch(): void {
    s.map.value;
    s.edits.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const image = picture.current(frame.palette);
    const { camera, palette } = frame;
    const [x, y] = camera.toScreen(0, 0);
    const width = frame.mapWidth * camera.scale;
    const height = frame.mapHeight * camera.scale;
    context.shadowColor = 'rgb(0 0 0 / 0.18)';
    context.shadowBlur = 18;
    context.shadowOffsetY = 4;
    context.fillStyle = css(palette.floor);
    context.fillRect(x, y, width, height);
    context.shadowColor = 'transparent';
    image?.paint(context, frame);
  }
}

/** Grid lines and doors, above the search. */
export class GridLayer implements Layer {
  watch(): void {
    s.showGrid.value;
    s.doors.value;
    s.map.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const { camera, palette } = frame;
    const scale = camera.scale;
    const [left, top] = camera.toMap(0, 0);
    const [right, bottom] = camera.toMap(frame.width, frame.height);
    const x0 = Math.max(0, Math.floor(left));
    const y0 = Math.max(0, Math.floor(top));
    const x1 = Math.min(frame.mapWidth, Math.ceil(right));
    const y1 = Math.min(frame.mapHeight, Math.ceil(bottom));
    if (s.showGrid.peek() && scale >= 7) {
      context.globalAlpha = Math.min(1, (scale - 6) / 6) * 0.6;
      context.strokeStyle = css(palette.frame, 0.55);
      context.lineWidth = 1;
      context.beginPath();
      for (let x = x0; x <= x1; ++x) {
        const [sx, sy] = camera.toScreen(x, y0);
        context.moveTo(Math.round(sx) + 0.5, sy);
        context.lineTo(Math.round(sx) + 0.5, sy + (y1 - y0) * scale);
      }
      for (let y = y0; y <= y1; ++y) {
        const [sx, sy] = camera.toScreen(x0, y);
        context.moveTo(sx, Math.round(sy) + 0.5);
        context.lineTo(sx + (x1 - x0) * scale, Math.round(sy) + 0.5);
      }
      context.stroke();
      context.globalAlpha = 1;
    }
    for (const door of s.doors.peek().values()) {
      for (const index of door.cells) {
        const x = index % frame.mapWidth;
        const [sx, sy] = camera.toScreen(x, (index - x) / frame.mapWidth);
        const inset = scale > 6 ? scale * 0.1 : 0;
        context.fillStyle = css(door.closed ? palette.door : palette.doorOpen);
        context.fillRect(sx + inset, sy + inset, scale - 2 * inset, scale - 2 * inset);
        if (!door.closed && scale > 6) {
          context.strokeStyle = css(palette.door);
          context.lineWidth = Math.max(1, scale * 0.1);
          context.strokeRect(sx + inset, sy + inset, scale - 2 * inset, scale - 2 * inset);
        }
      }
    }
    const [fx, fy] = camera.toScreen(0, 0);
    context.strokeStyle = css(palette.frame);
    context.lineWidth = 1;
    context.strokeRect(fx - 0.5, fy - 0.5, frame.mapWidth * scale + 1, frame.mapHeight * scale + 1);
  }
}
