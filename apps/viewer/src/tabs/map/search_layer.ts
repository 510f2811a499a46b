// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What a search touched, up to the playhead: cells opened and closed, or their costs from the
// start. Kept as a picture that grows with the playhead; only going back draws it anew.

import type { TraceData } from '../../engine/api';
import type { Palette } from '../../render/palette';
import { packed, ramp } from '../../render/palette';
import { CellImage, type Frame, type Layer } from '../../render/stage';
import * as s from '../../state';

export class SearchLayer implements Layer {
  private image: CellImage | null = null;
  private trace: TraceData | null = null;
  private palette: Palette | null = null;
  private view: s.SearchView = 'off';
  private shown = 0;
  private topCost = 1;
  private readonly ramp = new Uint32Array(256);

  constructor(private readonly which: 0 | 1) {}

  watch(): void {
    s.traces.value;
    s.playhead.value;
    s.searchView.value;
    s.compare.value;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const trace = s.traces.peek()[this.which];
    const view = s.searchView.peek();
    if (!trace || view === 'off') {
      this.trace = null;
      return;
    }
    const length = trace.kind.length;
    const until = Math.min(length, Math.max(0, Math.floor(s.playhead.peek())));
    const { mapWidth, mapHeight, palette } = frame;
    if (this.image?.width !== mapWidth || this.image.height !== mapHeight) {
      this.image = new CellImage(mapWidth, mapHeight);
      this.trace = null;
    }
    if (this.trace !== trace || this.palette !== palette || this.view !== view || until < this.shown) {
      if (this.trace !== trace) {
        this.topCost = 1e-9;
        for (const g of trace.g) if (g > this.topCost) this.topCost = g;
      }
      this.trace = trace;
      this.palette = palette;
      this.view = view;
      this.shown = 0;
      this.image.pixels.fill(0);
      for (let i = 0; i < 256; ++i) this.ramp[i] = packed(ramp(palette.heat, i / 255), 215);
    }
    if (this.shown < until || until === 0) {
      const theme = this.which === 0 ? palette.orange : palette.blue;
      // Over each other both must be seen.
      const alpha = s.compare.peek() === 'overlay' && this.which === 1 ? 150 : 255;
      const opened = packed(theme.opened, alpha);
      const closed = packed(theme.closed, alpha);
      const { pixels } = this.image;
      const { cells, kind, g } = trace;
      for (let i = this.shown; i < until; ++i) {
        const at = cells[2 * i + 1]! * mapWidth + cells[2 * i]!;
        if (at < 0 || at >= pixels.length) continue;
        if (view === 'costs') pixels[at] = this.ramp[Math.floor((g[i]! / this.topCost) * 255)]!;
        else if (kind[i] === 1) pixels[at] = closed;
        else if (pixels[at] !== closed) pixels[at] = opened;
      }
      this.shown = until;
      this.image.flush();
    }
    this.image.paint(context, frame);
  }
}
