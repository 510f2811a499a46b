// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What a tab is. A new one is a folder in src/tabs and a line in src/tabs/index.ts; it shares the
// map, the tools that edit it, the stage, the worker (`engine` of session.ts) and the page's look.

import type { ComponentType } from 'preact';
import type { LucideIcon } from 'lucide-preact';
import type { Layer } from '../render/stage';
import type { KeyBinding } from './keys';

export interface TabLayer {
  name: string;
  layer: Layer;
}

export interface TabModule {
  id: string;
  label: string;
  Icon: LucideIcon;
  /** The column beside the map. */
  Panel: ComponentType;
  /** Instead of the map (and its tools), as a page of its own. */
  Main?: ComponentType;
  /** A bar that floats at the lower edge of the map. */
  Footer?: ComponentType;
  /** How many stages lie side by side, and what each is called. Reads signals. */
  panes?(): string[];
  /** Above the map, bottom first, the grid below the last; made once for each pane that is shown. */
  layers?(pane: number): TabLayer[];
  /** Keys that work while the tab is open. */
  keys?: KeyBinding[];
  /** When it is opened, and when another one is. */
  activate?(): void;
  deactivate?(): void;
  /** What a link keeps of it: names (unique in the page) and values. */
  save?(): Record<string, string>;
  restore?(values: URLSearchParams): void;
}
