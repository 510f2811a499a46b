// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// A stack of canvases over one map, each drawn only when its own content or the camera has changed:
// dragging an end redraws a path of some hundred cells, never the map.
//
//   Stage ── layers, bottom first ──> Layer { draw(context, frame) }
//   pictures of the map (a pixel a cell) lie in a CellImage and are scaled by the browser.

import { effect } from '@preact/signals';
import type { Camera } from './camera';
import type { Palette } from './palette';

export interface Frame {
  camera: Camera;
  palette: Palette;
  /** CSS pixels. */
  width: number;
  height: number;
  /** Cells of the map. */
  mapWidth: number;
  mapHeight: number;
}

export interface Layer {
  /** In CSS pixels; the canvas is cleared before. */
  draw(context: CanvasRenderingContext2D, frame: Frame): void;
  /** Reads the signals that it draws: it is drawn again when one of them changes. */
  watch(): void;
}

export class Stage {
  readonly root: HTMLElement;
  readonly camera: Camera;
  /** For tests: milliseconds of the main thread spent drawing, of the last frames. */
  readonly draws: number[] = [];
  private readonly layers: {
    canvas: HTMLCanvasElement;
    context: CanvasRenderingContext2D;
    layer: Layer;
    dirty: boolean;
  }[] = [];
  private readonly observer: ResizeObserver;
  private readonly stop: () => void;
  private readonly palette: () => Palette;
  private readonly mapSize: () => { width: number; height: number };
  private width = 1;
  private height = 1;
  private requested = 0;

  constructor(
    root: HTMLElement,
    camera: Camera,
    palette: () => Palette,
    mapSize: () => { width: number; height: number },
  ) {
    this.root = root;
    this.camera = camera;
    this.palette = palette;
    this.mapSize = mapSize;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(root);
    this.stop = effect(() => {
      camera.changed.value;
      palette();
      mapSize();
      this.invalidateAll();
    });
    this.resize();
  }

  /** Puts a layer on top of the others. What it returns has it drawn again. */
  add(layer: Layer, name: string): () => void {
    const canvas = document.createElement('canvas');
    canvas.dataset.layer = name;
    canvas.setAttribute('aria-hidden', 'true');
    this.root.append(canvas);
    const context = canvas.getContext('2d')!;
    const entry = { canvas, context, layer, dirty: true };
    this.layers.push(entry);
    this.fitCanvas(canvas);
    this.request();
    return () => {
      entry.dirty = true;
      this.request();
    };
  }

  invalidateAll(): void {
    for (const entry of this.layers) entry.dirty = true;
    this.request();
  }

  destroy(): void {
    this.observer.disconnect();
    this.stop();
    cancelAnimationFrame(this.requested);
    for (const entry of this.layers) entry.canvas.remove();
    this.layers.length = 0;
  }

  private resize(): void {
    const box = this.root.getBoundingClientRect();
    this.width = Math.max(1, Math.round(box.width));
    this.height = Math.max(1, Math.round(box.height));
    for (const entry of this.layers) this.fitCanvas(entry.canvas);
    this.camera.setView(this.width, this.height);
    // Resizing has cleared the canvases: draw before the browser shows them.
    this.invalidateAll();
    this.render();
  }

  private fitCanvas(canvas: HTMLCanvasElement): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
  }

  private request(): void {
    if (this.requested) return;
    this.requested = requestAnimationFrame(() => this.render());
  }

  private render(): void {
    cancelAnimationFrame(this.requested);
    this.requested = 0;
    const begin = performance.now();
    const size = this.mapSize();
    const frame: Frame = {
      camera: this.camera,
      palette: this.palette(),
      width: this.width,
      height: this.height,
      mapWidth: size.width,
      mapHeight: size.height,
    };
    for (const entry of this.layers) {
      if (!entry.dirty) continue;
      entry.dirty = false;
      const ratio = entry.canvas.width / this.width;
      entry.context.setTransform(1, 0, 0, 1, 0, 0);
      entry.context.clearRect(0, 0, entry.canvas.width, entry.canvas.height);
      entry.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (size.width > 0) entry.layer.draw(entry.context, frame);
    }
    this.draws.push(performance.now() - begin);
    if (this.draws.length > 600) this.draws.splice(0, 300);
  }
}

/** A picture with a pixel for each cell. */
export class CellImage {
  readonly width: number;
  readonly height: number;
  /** 0xAABBGGRR, row by row; say flush() after a change. */
  readonly pixels: Uint32Array;
  private readonly image: ImageData;
  private readonly canvas: OffscreenCanvas;
  private readonly context: OffscreenCanvasRenderingContext2D;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.canvas = new OffscreenCanvas(width, height);
    this.context = this.canvas.getContext('2d')!;
  }

  flush(x = 0, y = 0, width = this.width, height = this.height): void {
    this.context.putImageData(this.image, 0, 0, x, y, width, height);
  }

  /** Only what can be seen is scaled. */
  paint(context: CanvasRenderingContext2D, frame: Frame): void {
    const [left, top] = frame.camera.toMap(0, 0);
    const [right, bottom] = frame.camera.toMap(frame.width, frame.height);
    const x0 = Math.max(0, Math.floor(left));
    const y0 = Math.max(0, Math.floor(top));
    const x1 = Math.min(this.width, Math.ceil(right));
    const y1 = Math.min(this.height, Math.ceil(bottom));
    if (x1 <= x0 || y1 <= y0) return;
    const [sx, sy] = frame.camera.toScreen(x0, y0);
    const scale = frame.camera.scale;
    // Below a pixel a cell, blending keeps one-wide walls to be seen.
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(this.canvas, x0, y0, x1 - x0, y1 - y0, sx, sy, (x1 - x0) * scale, (y1 - y0) * scale);
  }
}
