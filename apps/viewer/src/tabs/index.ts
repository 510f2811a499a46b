// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { computed } from '@preact/signals';
import type { TabModule } from '../shell/tab';
import * as s from '../state';
import { benchmarkTab } from './benchmark/benchmark_tab';
import { mapTab } from './map/map_tab';
import { unitsTab } from './units/units_tab';

export const tabs: TabModule[] = [mapTab, unitsTab, benchmarkTab];

export const activeTab = computed(() => tabs.find((tab) => tab.id === s.tab.value) ?? tabs[0]!);

export function openTab(id: string): void {
  if (s.tab.peek() === id || !tabs.some((tab) => tab.id === id)) return;
  activeTab.peek().deactivate?.();
  s.tab.value = id;
  activeTab.peek().activate?.();
}
