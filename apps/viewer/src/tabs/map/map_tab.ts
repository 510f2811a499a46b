// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The tab "Map": one query, one or two solvers, what they do and what it costs.

import { Map as MapIcon } from 'lucide-preact';
import { next } from '../../common';
import type { TabModule } from '../../shell/tab';
import * as session from '../../session';
import * as s from '../../state';
import { FieldLayer, IndexLayer } from './field_layer';
import { MapPanel } from './map_panel';
import { PathLayer, pathShapes } from './path_layer';
import { film, Playback, pause, play, restart, step } from './playback';
import { SearchLayer } from './search_layer';

export const mapTab: TabModule = {
  id: 'map',
  label: 'Map',
  Icon: MapIcon,
  Panel: MapPanel,
  Footer: Playback,

  panes: () => (s.compare.value === 'side' ? [...s.solvers.value] : ['']),

  layers(pane) {
    const compare = s.compare.peek();
    const own = compare === 'side' ? ([pane as 0 | 1] as const) : ([0, 1] as const);
    return [
      { name: 'field', layer: new FieldLayer() },
      ...own.map((which) => ({ name: which === 0 ? 'search' : 'search-b', layer: new SearchLayer(which) })),
      { name: 'index', layer: new IndexLayer() },
      { name: 'path', layer: new PathLayer(own) },
    ];
  },

  shapes: pathShapes,
  film,

  keys: [
    {
      keys: ['p'],
      group: 'Search',
      does: 'Play or pause the search',
      run: () => (s.playing.peek() ? pause() : play()),
    },
    { keys: ['.'], group: 'Search', does: 'A step on', run: () => step(1) },
    { keys: [','], group: 'Search', does: 'A step back', run: () => step(-1) },
    { keys: ['r'], group: 'Search', does: 'From the beginning', run: restart },
    {
      keys: ['<', '>'],
      group: 'Search',
      does: 'Slower, faster',
      run: (key) => {
        s.speed.value = Math.min(Math.max(s.speed.peek() + (key === '>' ? 0.25 : -0.25), 0), 6);
      },
    },
    {
      keys: ['c'],
      group: 'Search',
      does: 'One solver, two over each other, two side by side',
      run: () => {
        s.compare.value = next(['single', 'overlay', 'side'] as const, s.compare.peek());
      },
    },
    {
      keys: ['l'],
      group: 'Search',
      does: 'What the search touched: sets, costs, nothing',
      run: () => {
        s.searchView.value = next(['sets', 'costs', 'off'] as const, s.searchView.peek());
      },
    },
    {
      keys: ['m'],
      group: 'Search',
      does: 'Distances to the goal as colours',
      run: () => {
        s.showHeat.value = !s.showHeat.peek();
      },
    },
    {
      keys: ['f'],
      group: 'Search',
      does: 'Arrows to the goal',
      run: () => {
        s.showFlow.value = !s.showFlow.peek();
      },
    },
    {
      keys: ['i'],
      group: 'Search',
      does: 'Inside of the index: portals, subgoals, hubs',
      run: () => {
        s.showIndex.value = !s.showIndex.peek();
      },
    },
    {
      keys: ['pageup', 'pagedown'],
      group: 'Search',
      does: 'Query of the scenario before, after',
      run: (key) => session.chooseScen(s.scenAt.peek() + (key === 'pagedown' ? 1 : -1)),
    },
  ],

  deactivate: pause,
};
