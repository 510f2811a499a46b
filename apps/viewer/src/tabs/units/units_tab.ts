// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The tab "Units": hundreds of units on their way, led by a field, by the step planner or by a plan.

import { batch } from '@preact/signals';
import { Users } from 'lucide-preact';
import { next } from '../../common';
import type { TabModule } from '../../shell/tab';
import * as s from '../../state';
import { FieldLayer } from '../map/field_layer';
import { UnitsLayer, unitShapes } from './units_layer';
import { kFormations, kModes, UnitsBar, UnitsPanel } from './units_panel';
import * as u from './units_state';

const group = 'Units';

export const unitsTab: TabModule = {
  id: 'units',
  label: 'Units',
  Icon: Users,
  Panel: UnitsPanel,
  Footer: UnitsBar,

  layers: () => [
    { name: 'field', layer: new FieldLayer() },
    { name: 'units', layer: new UnitsLayer() },
  ],

  shapes: unitShapes,
  film: u.film,

  keys: [
    { keys: ['p'], group, does: 'Play or pause', run: () => (u.playing.peek() ? u.pause() : u.play()) },
    { keys: ['.'], group, does: 'A tick on', run: () => void u.step() },
    { keys: ['r'], group, does: 'From the beginning', run: u.restart },
    {
      keys: ['<', '>'],
      group,
      does: 'Slower, faster',
      run: (key) => {
        u.rate.value = Math.min(Math.max(Math.round(u.rate.peek() * (key === '>' ? 1.5 : 1 / 1.5)), 1), 60);
      },
    },
    {
      keys: ['c'],
      group,
      does: 'Flow field, steps, plan',
      run: () => {
        u.mode.value = next(kModes.map(({ value }) => value), u.mode.peek());
      },
    },
    {
      keys: ['l'],
      group,
      does: 'The next formation',
      run: () => {
        u.formation.value = next(kFormations, u.formation.peek());
      },
    },
    {
      keys: ['b'],
      group,
      does: 'As a group, or each its own goal',
      run: () => {
        u.goals.value = u.goals.peek() === 'own' ? 'formation' : 'own';
      },
    },
    { keys: ['q'], group, does: 'Another seed', run: () => void u.seed.value++ },
    {
      keys: ['pageup', 'pagedown'],
      group,
      does: 'Twice, half as many units',
      run: (key) => {
        u.count.value = Math.min(Math.max(Math.round(u.count.peek() * (key === 'pageup' ? 2 : 0.5)), 1), u.kMost);
      },
    },
    { keys: ['m'], group, does: 'Distances to the goal as colours', run: () => void (s.showHeat.value = !s.showHeat.peek()) },
    { keys: ['f'], group, does: 'Arrows to the goal', run: () => void (s.showFlow.value = !s.showFlow.peek()) },
  ],

  activate: u.activate,
  deactivate: u.deactivate,

  save: () => ({
    units: [u.mode.peek(), u.count.peek(), u.seed.peek(), u.goals.peek(), u.formation.peek(), u.spacing.peek()].join(','),
  }),
  restore(values) {
    const [mode, count, seed, goals, formation, spacing] = (values.get('units') ?? '').split(',');
    const within = (text: string | undefined, low: number, high: number): number | undefined =>
      text && /^\d{1,6}$/.test(text) ? Math.min(Math.max(Number(text), low), high) : undefined;
    batch(() => {
      u.mode.value = kModes.find(({ value }) => value === mode)?.value ?? u.mode.peek();
      u.count.value = within(count, 1, u.kMost) ?? u.count.peek();
      u.seed.value = within(seed, 0, 999999) ?? u.seed.peek();
      if (goals === 'own' || goals === 'formation') u.goals.value = goals;
      u.formation.value = kFormations.find((name) => name === formation) ?? u.formation.peek();
      u.spacing.value = within(spacing, 0, 8) ?? u.spacing.peek();
    });
  },
};
