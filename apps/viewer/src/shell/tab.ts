// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What a tab is. A new one is a folder in src/tabs and a line in src/tabs/index.ts; it shares the
// map, the tools that edit it, the stage, the worker (`engine` of session.ts) and the page's look.

import type { ComponentType } from 'preact';
import type { LucideIcon } from 'lucide-preact';
import type { Palette } from '../render/palette';
import type { Layer } from '../render/stage';

export interface TabLayer {
  name: string;
  layer: Layer;
}

export interface KeyBinding {
  /** As KeyboardEvent.key says it, small letters; "mod+" is Ctrl or Cmd, "shift+" only with it. */
  keys: string[];
  group: string;
  does: string;
  run(key: string): void;
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
  /** The same as SVG, a unit a cell. */
  shapes?(palette: Palette): string[];
  /** What a GIF shows, or '' while there is nothing to move; then one picture after the other. */
  film?: { about(): string; run(picture: (last?: boolean) => Promise<void>): Promise<void> };
  /** Keys that work while the tab is open. */
  keys?: KeyBinding[];
  /** When it is opened, and when another one is. */
  activate?(): void;
  deactivate?(): void;
  /** What a link keeps of it: names (unique in the page) and values. */
  save?(): Record<string, string>;
  restore?(values: URLSearchParams): void;
}
