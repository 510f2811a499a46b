// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { computed, effect, untracked } from '@preact/signals';
import { GridLayer, MapLayer } from '../render/map_layer';
import type { TabLayer, TabModule } from '../shell/tab';
import * as s from '../state';
import { benchmarkTab } from './benchmark/benchmark_tab';
import { mapTab } from './map/map_tab';
import { unitsTab } from './units/units_tab';

export const tabs: TabModule[] = [mapTab, unitsTab, benchmarkTab];

export const activeTab = computed(() => tabs.find((tab) => tab.id === s.tab.value) ?? tabs[0]!);

/** Whose drawing files hold: a tab that is a page of its own has the map's. */
export const drawnTab = (): TabModule => (activeTab.value.Main ? mapTab : activeTab.value);

/** Of a pane of the tab that is open, bottom first. */
export function layersOf(pane: number): TabLayer[] {
  const own = drawnTab().layers?.(pane) ?? [];
  // The grid lies above areas, below what the last layer of the tab draws.
  return [
    { name: 'map', layer: new MapLayer() },
    ...own.slice(0, -1),
    { name: 'grid', layer: new GridLayer() },
    ...own.slice(-1),
  ];
}

export function openTab(id: string): void {
  if (tabs.some((tab) => tab.id === id)) s.tab.value = id;
}

// Whoever changes the tab, it is told.
let open: TabModule | undefined;
effect(() => {
  const next = activeTab.value;
  untracked(() => {
    if (open) {
      open.deactivate?.();
      next.activate?.();
    }
    open = next;
  });
});
