// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Files of what is shown. Pictures are drawn by the stage's own layers, with a camera of theirs.

import { GIFEncoder, applyPalette, quantize } from 'gifenc';
import { Camera } from '../render/camera';
import { terrainColors } from '../render/map_layer';
import { css, hex, type Palette, type Rgb } from '../render/palette';
import type { Frame } from '../render/stage';
import * as session from '../session';
import * as s from '../state';
import { drawnTab, layersOf } from '../tabs';
import { download } from './ui';

const fileName = (extension: string): string =>
  `${(s.map.peek()?.name ?? 'map').replace(/\.\w+$/, '').replace(/[^\w-]+/g, '_')}.${extension}`;

interface Sheet {
  canvas: OffscreenCanvas;
  draw(): void;
}

/** Panes side by side, each with a margin; `longest` pixels for the longer side of a map. */
function sheet(longest: number, largestCell: number): Sheet {
  const map = s.map.peek()!;
  const panes = drawnTab().panes?.() ?? [''];
  const scale = Math.max(1, Math.min(largestCell, Math.floor(longest / Math.max(map.width, map.height))));
  const margin = 14;
  const strip = panes.some((label) => label) ? 26 : 0;
  const width = map.width * scale + 2 * margin;
  const height = map.height * scale + 2 * margin;
  const canvas = new OffscreenCanvas(width * panes.length, height + strip);
  const context = canvas.getContext('2d', { willReadFrequently: true })! as unknown as CanvasRenderingContext2D;
  const camera = new Camera();
  camera.setMap(map.width, map.height);
  camera.setView(width, height);
  camera.scale = scale;
  const frame: Frame = {
    camera,
    palette: s.palette.peek(),
    width,
    height,
    mapWidth: map.width,
    mapHeight: map.height,
  };
  const stacks = panes.map((_, pane) => layersOf(pane));
  return {
    canvas,
    draw() {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = css(frame.palette.page);
      context.fillRect(0, 0, canvas.width, canvas.height);
      stacks.forEach((layers, pane) => {
        context.setTransform(1, 0, 0, 1, pane * width, strip);
        context.save();
        context.beginPath();
        context.rect(0, 0, width, height);
        context.clip();
        for (const { layer } of layers) layer.draw(context, frame);
        context.restore();
        if (!strip) return;
        const answer = s.answers.peek()[pane];
        context.fillStyle = css(pane === 0 ? frame.palette.orange.path : frame.palette.blue.path);
        context.font = '600 14px system-ui, sans-serif';
        const text = answer
          ? `${panes[pane]}: cost ${answer.cost.toFixed(2)}, ${answer.expanded} expanded`
          : panes[pane]!;
        context.fillText(text, margin, -6);
      });
    },
  };
}

export async function exportPng(): Promise<void> {
  const { canvas, draw } = sheet(2048, 24);
  draw();
  download(fileName('png'), await canvas.convertToBlob({ type: 'image/png' }));
}

export async function exportMap(): Promise<void> {
  const text = await session.engine.write();
  download(fileName('map'), new Blob([text], { type: 'text/plain' }));
}

export async function exportGif(): Promise<void> {
  const { canvas, draw } = sheet(480, 12);
  const context = canvas.getContext('2d')!;
  const gif = GIFEncoder();
  await drawnTab().film!.run(async (last = false) => {
    draw();
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colors = quantize(data, 64);
    gif.writeFrame(applyPalette(data, colors), canvas.width, canvas.height, { palette: colors, delay: last ? 2500 : 80 });
    await new Promise((resolve) => setTimeout(resolve));
  });
  gif.finish();
  download(fileName('gif'), new Blob([gif.bytes() as BlobPart], { type: 'image/gif' }));
}

/** The whole drawing, a unit a cell: equal neighbours of a row are one rectangle. */
function svgText(palette: Palette): string {
  const map = s.map.peek()!;
  const { width, height, terrain } = map;
  const colors = terrainColors(palette, s.about.peek()!.costs);
  const floor = hex(palette.floor);
  const shapes = new Map<string, string[]>();
  const colour = (value: number) => hex([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ) {
      const value = colors[terrain[y * width + x]!]!;
      let end = x + 1;
      while (end < width && colors[terrain[y * width + end]!] === value) ++end;
      const fill = colour(value);
      if (fill !== floor) {
        let list = shapes.get(fill);
        if (!list) shapes.set(fill, (list = []));
        list.push(`M${x} ${y}h${end - x}v1h${x - end}z`);
      }
      x = end;
    }
  }
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 ${width + 2} ${height + 2}">`,
    `<rect x="-1" y="-1" width="${width + 2}" height="${height + 2}" fill="${hex(palette.page)}"/>`,
    `<rect width="${width}" height="${height}" fill="${floor}"/>`,
  ];
  for (const [fill, list] of shapes) parts.push(`<path fill="${fill}" d="${list.join('')}"/>`);
  for (const door of s.doors.peek().values()) {
    for (const index of door.cells) {
      const fill = hex(door.closed ? palette.door : palette.doorOpen);
      parts.push(`<rect x="${index % width}" y="${Math.floor(index / width)}" width="1" height="1" fill="${fill}"/>`);
    }
  }
  parts.push(...(drawnTab().shapes?.(palette) ?? []));
  const end = (cell: { x: number; y: number }, c: Rgb) =>
    `<circle cx="${cell.x + 0.5}" cy="${cell.y + 0.5}" r="0.5" fill="${hex(c)}" stroke="#fff" stroke-width="0.12"/>`;
  parts.push(end(s.goal.peek(), palette.goal), end(s.start.peek(), palette.start), '</svg>\n');
  return parts.join('\n');
}

export async function exportSvg(): Promise<void> {
  download(fileName('svg'), new Blob([svgText(s.palette.peek())], { type: 'image/svg+xml' }));
}
