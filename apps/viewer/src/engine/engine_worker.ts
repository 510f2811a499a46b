// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The engine in its own thread. Calls that come while it is loaded wait for it.

import * as Comlink from 'comlink';
import { Octile } from 'octile';
import wasm from 'octile/octile.wasm?url';
import { MapEngine } from './map_engine';

const engine = Octile.load(new URL(wasm, self.location.href)).then((octile) => new MapEngine(octile));
engine.catch(() => {}); // each call tells

const calls: Record<string, (...values: unknown[]) => Promise<unknown>> = {};
for (const name of Object.getOwnPropertyNames(MapEngine.prototype)) {
  const { value } = Object.getOwnPropertyDescriptor(MapEngine.prototype, name)!;
  if (typeof value !== 'function' || name === 'constructor') continue;
  calls[name] = async (...values) => value.apply(await engine, values);
}
Comlink.expose(calls);
