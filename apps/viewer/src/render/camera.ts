// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Where the map lies on the screen. One Camera may serve several stages (side by side).
// Screen positions are CSS pixels from the stage's corner; `scale` is pixels a cell.

import { signal } from '@preact/signals';

export class Camera {
  x = 0; // map position, in cells, of the stage's centre
  y = 0;
  scale = 8;
  /** Counts changes, so that stages and readouts follow. */
  readonly changed = signal(0);

  private width = 1;
  private height = 1;
  private viewWidth = 1;
  private viewHeight = 1;
  private fitted = true;
  /** Pixels at each edge that a fitted map leaves free: there float the tools. */
  private edges = { left: 0, top: 0, right: 0, bottom: 0 };

  /** Sizes of the map, in cells. Fits it when it is a new one. */
  setMap(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.fit();
  }

  setView(width: number, height: number): void {
    if (width === this.viewWidth && height === this.viewHeight) return;
    this.viewWidth = width;
    this.viewHeight = height;
    if (this.fitted) this.fit();
    else this.touch();
  }

  setEdges(left: number, top: number, right: number, bottom: number): void {
    this.edges = { left, top, right, bottom };
    if (this.fitted) this.fit();
  }

  fitScale(): number {
    const { left, top, right, bottom } = this.edges;
    const width = Math.max(this.viewWidth - left - right, 40);
    const height = Math.max(this.viewHeight - top - bottom, 40);
    return Math.max(0.02, Math.min(width / this.width, height / this.height, 48));
  }

  fit(): void {
    const { left, top, right, bottom } = this.edges;
    this.scale = this.fitScale();
    this.x = this.width / 2 + (right - left) / 2 / this.scale;
    this.y = this.height / 2 + (bottom - top) / 2 / this.scale;
    this.fitted = true;
    this.touch();
  }

  toMap(px: number, py: number): [number, number] {
    return [
      (px - this.viewWidth / 2) / this.scale + this.x,
      (py - this.viewHeight / 2) / this.scale + this.y,
    ];
  }

  toScreen(mx: number, my: number): [number, number] {
    return [
      (mx - this.x) * this.scale + this.viewWidth / 2,
      (my - this.y) * this.scale + this.viewHeight / 2,
    ];
  }

  pan(dx: number, dy: number): void {
    this.x = clamp(this.x - dx / this.scale, 0, this.width);
    this.y = clamp(this.y - dy / this.scale, 0, this.height);
    this.fitted = false;
    this.touch();
  }

  /** The place under (px, py) stays there. */
  zoom(factor: number, px = this.viewWidth / 2, py = this.viewHeight / 2): void {
    const [mx, my] = this.toMap(px, py);
    this.scale = clamp(this.scale * factor, Math.min(this.fitScale() / 2, 1), 96);
    const [nx, ny] = this.toMap(px, py);
    this.x = clamp(this.x + mx - nx, 0, this.width);
    this.y = clamp(this.y + my - ny, 0, this.height);
    this.fitted = false;
    this.touch();
  }

  /** Moves as little as is needed to show the cell. */
  reveal(cx: number, cy: number): void {
    const margin = 24;
    const [sx, sy] = this.toScreen(cx + 0.5, cy + 0.5);
    const dx = sx < margin ? margin - sx : sx > this.viewWidth - margin ? this.viewWidth - margin - sx : 0;
    const dy = sy < margin ? margin - sy : sy > this.viewHeight - margin ? this.viewHeight - margin - sy : 0;
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  private touch(): void {
    this.changed.value++;
  }
}

const clamp = (v: number, low: number, high: number): number => Math.min(Math.max(v, low), high);
