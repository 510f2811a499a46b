// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './shell/app';
import { onKey } from './shell/keys';
import { restore } from './shell/share';
import { stages } from './shell/stage_view';
import * as session from './session';
import * as units from './tabs/units/units_state';
import * as s from './state';
import './style.css';

const stored = localStorage.getItem('octile-theme');
if (stored === 'light' || stored === 'dark') s.themeChoice.value = stored;
effect(() => {
  document.documentElement.dataset.theme = s.isDark.value ? 'dark' : 'light';
  localStorage.setItem('octile-theme', s.themeChoice.value);
});

render(<App />, document.getElementById('app')!);
document.addEventListener('keydown', onKey);

async function start(): Promise<void> {
  await session.begin();
  if (s.fatal.value) return;
  if (await restore(location.hash)) return;
  const first = s.scenes.value[0];
  if (!first || !(await session.openScene(first.id))) await session.newMap(64, 64);
}
void start();

window.addEventListener('hashchange', () => void restore(location.hash));

// For tests, and for the curious in the console.
Object.assign(window, { octileViewer: { state: s, session, stages, units } });
