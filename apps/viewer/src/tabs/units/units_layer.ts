// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The units, their goals, and the two ends. A colour is one path, whatever the number of units.

import { css, hex, type Palette, type Rgb } from '../../render/palette';
import type { Frame, Layer } from '../../render/stage';
import * as s from '../../state';
import { PathLayer } from '../map/path_layer';
import { kArrived, kBuried, kCutOff, kWaits, kWalks } from './units_engine';
import * as u from './units_state';

export const colorOf = (state: number, palette: Palette): Rgb =>
  state === kArrived
    ? palette.start
    : state === kBuried
      ? palette.frame
      : state === kCutOff
        ? palette.portal
        : state === kWaits
          ? palette.orange.path
          : palette.blue.path;

export class UnitsLayer implements Layer {
  private readonly ends = new PathLayer([]);

  watch(): void {
    u.frame.value;
    this.ends.watch();
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const report = u.report.peek();
    if (report) this.units(context, frame, report.state, report.goals);
    this.ends.draw(context, frame);
  }

  private units(context: CanvasRenderingContext2D, frame: Frame, state: Uint8Array, goals: Int32Array): void {
    const { camera, palette } = frame;
    const flow = u.mode.peek() === 'flow';
    const { width, height } = s.rules.peek();
    const at = u.place();
    const radius = Math.max(1.8, camera.scale * 0.4 * Math.min(width, height));
    if (!flow) {
      const side = Math.max(2.5, camera.scale * 0.62);
      context.beginPath();
      for (let i = 0; i < state.length; ++i) {
        if (state[i] === kArrived || state[i] === kBuried) continue;
        const [x, y] = camera.toScreen(goals[2 * i]! + 0.5, goals[2 * i + 1]! + 0.5);
        context.rect(x - side / 2, y - side / 2, side, side);
      }
      context.strokeStyle = css(palette.goal, 0.65);
      context.lineWidth = Math.min(2, Math.max(1, camera.scale * 0.1));
      context.stroke();
    }
    for (const kind of [kBuried, kArrived, kCutOff, kWaits, kWalks]) {
      context.beginPath();
      for (let i = 0; i < state.length; ++i) {
        // Who has come to the goal of a field has left the map.
        if (state[i] !== kind || (flow && kind === kArrived && u.walk.phase >= 1)) continue;
        const [x, y] = camera.toScreen(at[2 * i]! + width / 2, at[2 * i + 1]! + height / 2);
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, Math.PI * 2);
      }
      context.fillStyle = css(colorOf(kind, palette));
      context.fill();
      if (radius >= 3) {
        context.strokeStyle = css(palette.orange.halo, 0.8);
        context.lineWidth = Math.min(1.5, radius * 0.2);
        context.stroke();
      }
    }
  }
}

/** The units and their goals as SVG. */
export function unitShapes(palette: Palette): string[] {
  const report = u.report.peek();
  if (!report) return [];
  const { width, height } = s.rules.peek();
  const flow = u.mode.peek() === 'flow';
  const goals: string[] = [];
  const units: string[] = [];
  report.state.forEach((state, i) => {
    if (flow && state === kArrived) return;
    const [x, y] = [report.cells[2 * i]! + width / 2, report.cells[2 * i + 1]! + height / 2];
    units.push(`<circle cx="${x}" cy="${y}" r="${0.4 * Math.min(width, height)}" fill="${hex(colorOf(state, palette))}"/>`);
    if (flow || state === kArrived || state === kBuried) return;
    goals.push(`M${report.goals[2 * i]! + 0.2} ${report.goals[2 * i + 1]! + 0.2}h.6v.6h-.6z`);
  });
  return [`<path fill="none" stroke="${hex(palette.goal)}" stroke-width="0.1" d="${goals.join('')}"/>`, ...units];
}
