// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The keyboard alone: Tab comes to every control of every tab and dialog, each has a name and shows
// that it has the focus, nothing holds it, and each does what it is for. Nothing here touches the
// mouse; viewer_test.mjs runs these.
import { readFileSync } from 'node:fs';
import { assert, equal, read, settled, test } from './harness.mjs';

// --- What the tests know of a control -----------------------------------------------------------

/** In the page: what Tab should come to, and what a control is called. */
function setUp() {
  const nameOf = (node) => {
    if (node.type === 'radio') return node.closest('fieldset').querySelector('legend').textContent;
    const label = node.labels?.[0];
    const text = node.getAttribute('aria-label') ?? label?.querySelector('span')?.textContent ?? node.textContent;
    if (node.hasAttribute('data-stage')) return `stage ${node.dataset.stage}`;
    if (node.getAttribute('role') === 'tab') return 'tabs';
    // What does not fit is scrolled by the arrow keys.
    if (node.matches('dialog')) return 'dialog';
    return text.trim().replace(/^(PNG|SVG|GIF|\.map)[A-Z].*/, '$1').replace(/^Time of each query.*/, 'chart');
  };
  const shown = (node) => {
    if (!node.matches(':focus-visible')) return false;
    const ring = (element) => {
      const style = element && getComputedStyle(element);
      return !!style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1.5;
    };
    return ring(node) || ring(node.nextElementSibling);
  };
  window.keyboard = {
    nameOf,
    wanted() {
      const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
      return [...within.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')].filter(
        (node) =>
          !node.disabled && node.tabIndex >= 0 && node.checkVisibility({ visibilityProperty: true }) && !(node.type === 'radio' && !node.checked),
      );
    },
    focus() {
      const node = document.activeElement;
      if (!node || node === document.body) return null;
      node.dataset.seen = '1';
      return { name: nameOf(node), shown: shown(node), inDialog: !!node.closest('dialog') };
    },
    /** Steps to a control, backwards when that is shorter; 0: it is not known. */
    way(name) {
      const list = window.keyboard.wanted();
      const to = list.findIndex((node) => nameOf(node) === name);
      const from = list.indexOf(document.activeElement);
      const steps = to - from;
      if (to < 0) return 0;
      return Math.abs(steps) <= list.length / 2 || from < 0 ? steps : steps - Math.sign(steps) * (list.length + 1);
    },
    /** Each control that got the focus since the last call. */
    log: [],
    names: () => window.keyboard.wanted().map(nameOf),
    missed: () => window.keyboard.wanted().filter((node) => !node.dataset.seen).map(nameOf),
    begin() {
      window.keyboard.log = [];
      document.querySelectorAll('[data-seen]').forEach((node) => delete node.dataset.seen);
    },
  };
  document.addEventListener('focusin', () => window.keyboard.log.push(window.keyboard.focus()));
}

/** One page, and which of its controls were met and used. */
class Keyboard {
  met = new Set();
  used = new Set();

  constructor(page) {
    this.page = page;
  }
  async begin() {
    // From now on: asked for just before, it may come too late.
    this.page.on('filechooser', () => {});
    this.wire = await this.page.context().newCDPSession(this.page);
    await settled(this.page);
    await this.page.evaluate(setUp);
  }
  /** Tab so often, backwards when less than 0; sent at once, so that the page need not paint each. */
  tab(count) {
    const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers: count < 0 ? 8 : 0 };
    const events = Array.from({ length: 2 * Math.abs(count) }, (_, i) => ({ ...key, type: i % 2 ? 'keyUp' : 'rawKeyDown' }));
    return Promise.all(events.map((event) => this.wire.send('Input.dispatchKeyEvent', event)));
  }
  press = (key) => this.page.keyboard.press(key);
  focus = () => this.page.evaluate(() => window.keyboard.focus());
  until = (expression, message = expression) =>
    this.page
      .waitForFunction((text) => new Function('v', 'b', `return ${text}`)(window.octileViewer, document.activeElement), expression)
      .catch(() => { throw new Error(`never: ${message}`); });

  /** Once round by Tab, and one step back: comes to all that is there, and out of it. */
  async tour(where) {
    const { page } = this;
    let names, last;
    // Once more where controls came or went meanwhile: a chart, when the first results are there.
    for (let round = 0; round < 3; ++round) {
      await page.evaluate(() => window.keyboard.begin());
      names = await page.evaluate(() => window.keyboard.names());
      // The browser's own bar is between the last one and the first, with as many stops as it likes.
      await this.tab(names.length + 3);
      for (let i = 0; i < names.length + 20; ++i) {
        if (!(await page.evaluate(() => window.keyboard.missed().length))) break;
        await this.tab(1);
      }
      for (const now of await page.evaluate(() => window.keyboard.log)) {
        assert(now.name, `${where}: a control without a name`);
        assert(now.shown, `${where}: '${now.name}' does not show the focus`);
        this.met.add(now.name);
      }
      while (!(await this.focus())) await this.tab(1);
      last = (await this.focus()).name;
      if ((await page.evaluate(() => window.keyboard.names())).join() === names.join()) break;
    }
    const missed = await page.evaluate(() => window.keyboard.missed());
    equal(missed.join(', '), '', `${where}: Tab does not come to`);
    await this.tab(-1);
    const back = await this.focus();
    if (names.length > 1) assert(back?.name !== last, `${where}: '${last}' holds the focus`);
  }

  async tabTo(name) {
    // The shorter way round, then step by step, should something have changed on it.
    const way = await this.page.evaluate((text) => window.keyboard.way(text), name);
    await this.tab(way - Math.sign(way));
    for (let i = 0; i < 120; ++i) {
      await this.tab(way >= 0 || i > 1 ? 1 : -1);
      const now = await this.focus();
      if (now?.name !== name) continue;
      assert(now.shown, `'${name}' does not show the focus`);
      this.met.add(name);
      return;
    }
    throw new Error(`Tab never comes to '${name}'`);
  }

  /** Goes to the control by Tab, presses the keys, waits for what they shall do. */
  async use(name, keys, expression) {
    await this.tabTo(name);
    for (const key of [keys].flat()) await this.press(key);
    if (expression) await this.until(expression, `'${name}' by ${[keys].flat().join(' ')} does not do: ${expression}`);
    this.used.add(name);
  }
  async fill(name, text, expression) {
    await this.use(name, ['Control+a', ...text, 'Tab'], expression);
  }
  /** What a control asks the browser for: a file to save, or to open. */
  async useFor(event, name) {
    await this.tabTo(name);
    const [got] = await Promise.all([this.page.waitForEvent(event), this.press('Enter')]);
    this.used.add(name);
    return got;
  }
  /** By O and the browser's own dialog. */
  async openFiles(files) {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.press('o')]);
    await chooser.setFiles(files);
  }
  finish(but = []) {
    const unused = [...this.met].filter((name) => !this.used.has(name) && !but.includes(name));
    equal(unused.join(', '), '', 'controls that the test does not use');
  }
}

const start = async (open, options) => {
  const keyboard = new Keyboard(await open('', options));
  await keyboard.begin();
  return keyboard;
};

/** Of the page's frame, which other tests use. */
const bar = [
  'Octile viewer', 'tabs', 'Scene', 'Open a map, scenario or picture (O)', 'New map (N)', 'Copy a link to this state (U)', 'Export (E)',
  'Dark colours (Y)', 'Light colours (Y)', 'Help and keys (?)', 'Dismiss',
];
const tools = [
  'stage 0', 'Ends (V)', 'Wall (W)', 'Weight (T)', 'Door (D)', 'Erase (X)', 'Hand (H)', 'Undo (Ctrl+Z)', 'Redo (Ctrl+Shift+Z)', 'Zoom in (+)',
  'Zoom out (-)', 'Fit the map (0)',
];
/** Of the map's tab, as it opens. */
const panel = [
  'From the beginning (R)', 'A step back (,)', 'Play (P)', 'A step on (.)', 'Place in the search', 'Speed', 'How many solvers', 'Solver A',
  'Directions', 'Diagonals', 'Metric', 'Width of the unit in cells', 'Height of the unit in cells', 'Swap start and goal',
  'What the search touched', 'Distance to the goal', 'Flow arrows', 'Grid lines', 'Kind of index', 'Build',
];

/** Of the page: a dialog is there; none is. */
const opened = "document.querySelector('dialog')?.open";
const closed = "!document.querySelector('dialog')";

const file = (name, contents, mimeType = 'text/plain') => ({ name, mimeType, buffer: Buffer.from(contents) });

// --- Tests --------------------------------------------------------------------------------------

test('keyboard: the bar and its dialogs', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  await k.tour('the page as it opens');
  await k.use('Dark colours (Y)', 'Enter', "document.documentElement.dataset.theme === 'dark'");
  await k.tour('dark');
  await k.use('Light colours (Y)', ' ', "document.documentElement.dataset.theme === 'light'");
  await k.use('Scene', 'ArrowDown', "v.state.map.value.scene === 'tutorial_70_00'");
  await k.use('Copy a link to this state (U)', 'Enter', "location.hash.includes('scene=tutorial_70_00')");
  await k.press('Escape');
  await k.until("!document.querySelector('.toast')");

  await k.use('Help and keys (?)', 'Enter', opened);
  await k.tour('Help');
  await k.press('Home');
  await k.use('dialog', ['ArrowDown', 'ArrowDown'], 'b.scrollTop > 0');
  await k.use('Close', 'Enter', closed);
  equal((await k.focus())?.name, 'Help and keys (?)', 'the focus comes back');

  await k.use('New map (N)', 'Enter', opened);
  await k.tour('New map');
  await k.fill('Width', '21', "document.querySelector('[name=Width]').value === '21'");
  await k.fill('Height', '17', "document.querySelector('[name=Height]').value === '17'");
  await k.use('Make it', 'Enter', 'v.state.map.value.width === 21 && v.state.map.value.height === 17');
  await settled(page);

  await k.use('Export (E)', 'Enter', opened);
  await k.tour('Export');
  await k.press('Escape');
  await k.until(closed);
  for (const [what, begins] of [['PNG', '\x89PNG'], ['SVG', '<svg'], ['GIF', 'GIF89a'], ['.map', 'type octile']]) {
    await k.press('e');
    await k.until(opened);
    const file = await k.useFor('download', what);
    equal(readFileSync(await file.path(), 'latin1').slice(0, begins.length), begins, `${what} begins with`);
    await k.until(closed);
  }

  // A map and its queries, then a picture, by the browser's own dialog.
  const opens = async (files) => (await k.useFor('filechooser', 'Open a map, scenario or picture (O)')).setFiles(files);
  await opens([file('one.map', 'type octile\nheight 1\nwidth 3\nmap\n...\n')]);
  await k.until("v.state.map.value.name === 'one.map'");
  await opens([file('bad.map', 'type octile\nheight 9\n')]);
  await k.until("document.querySelector('.toast.error')");
  await k.tour('with a message');
  await k.use('Dismiss', 'Enter', "!document.querySelector('.toast.error')");
  const picture = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(6, 4);
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 6, 4);
    context.fillStyle = '#888';
    context.fillRect(0, 0, 2, 4);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await opens([file('grey.png', picture, 'image/png')]);
  await k.until(opened);
  await k.tour('Picture');
  await k.use('Threshold', Array(12).fill('ArrowRight'), "document.querySelector('dialog output').textContent === '140'");
  await k.use('Use this map', 'Enter', "v.state.map.value.name === 'grey.png'");
  equal(await read(page, 'String.fromCharCode(...v.state.map.value.terrain.slice(0, 6))'), '@@....', 'what is darker');

  await k.use('tabs', 'ArrowRight', "v.state.tab.value === 'units' && b.id === 'tab-units'");
  await k.press('ArrowRight');
  await k.until("v.state.tab.value === 'benchmark' && b.id === 'tab-benchmark'");
  await k.press('ArrowRight');
  await k.until("v.state.tab.value === 'map'");
  const gone = page.waitForEvent('load');
  await k.use('Octile viewer', 'Enter');
  await gone;
  await settled(page);
  k.finish([...tools, ...panel]);
});

test('keyboard: Help lists each key that a control tells', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  for (const [tab, key] of [['map', '1'], ['units', '2'], ['benchmark', '3']]) {
    await k.press(`Alt+${key}`);
    await k.until(`v.state.tab.value === '${tab}'`);
    const told = await page.evaluate(() => [
      ...[...document.querySelectorAll('button[title], .speed[title]')].flatMap(({ title }) => (/\(([^()]+)\)$/.exec(title)?.[1] ?? '').split(' and ')),
      ...[...document.querySelectorAll('kbd')].map(({ textContent }) => textContent),
    ].filter(Boolean));
    assert(told.length > (tab === 'benchmark' ? 5 : 20), `${tab}: only ${told.length} keys are told`);
    await k.press('?');
    await k.until(opened);
    const listed = await page.evaluate(() => [...document.querySelectorAll('dialog kbd')].map(({ textContent }) => textContent.replaceAll(' ', '+')));
    equal(told.filter((one) => !listed.includes(one)).join(), '', `${tab}: keys that Help does not list`);
    assert(listed.includes('Esc') && listed.includes('Page+Up') === (tab !== 'benchmark'), `${tab}: Help lists ${listed.join()}`);
    await k.press('Escape');
    await k.until(closed);
  }
});

test('keyboard: Escape closes each dialog, puts the tool away, dismisses messages', async ({ open }) => {
  const k = await start(open);
  await k.tabTo('stage 0');
  for (const key of ['?', 'n', 'e']) {
    await k.press(key);
    await k.until(opened);
    await k.press('Escape');
    await k.until(closed);
    equal((await k.focus())?.name, 'stage 0', 'the focus comes back');
  }
  await k.press('w');
  // The message is there for some seconds.
  await Promise.all([k.until("v.state.tool.value === 'wall' && document.querySelector('.toast')"), k.press('u')]);
  await k.press('Escape');
  await k.until("v.state.tool.value === 'ends' && !document.querySelector('.toast')");
});

test('keyboard: the map and its tools', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  await k.press('n');
  await k.fill('Width', '15');
  await k.fill('Height', '9');
  await k.use('Make it', 'Enter', 'v.state.map.value.width === 15');
  await settled(page);
  const terrain = (x, y) => `v.state.map.value.terrain[${y} * 15 + ${x}]`;
  const cursorTo = async (x, y) => {
    const now = (await read(page, 'v.state.cursor.value ?? v.state.start.value'));
    for (let i = now.x; i !== x; i += Math.sign(x - i)) await k.press(x > i ? 'ArrowRight' : 'ArrowLeft');
    for (let i = now.y; i !== y; i += Math.sign(y - i)) await k.press(y > i ? 'ArrowDown' : 'ArrowUp');
    await k.until(`v.state.cursor.value.x === ${x} && v.state.cursor.value.y === ${y}`);
  };
  await k.tabTo('stage 0');
  // The start and the goal.
  await cursorTo(1, 4);
  await k.press('s');
  await k.until('v.state.start.value.x === 1 && v.state.start.value.y === 4');
  await cursorTo(13, 4);
  await k.press('g');
  await k.until('v.state.goal.value.x === 13 && v.state.goal.value.y === 4');
  assert((await page.locator('.status-cursor').textContent()).includes('13, 4 · free'), 'the cursor is told');
  equal(await page.locator('.status-cursor').getAttribute('aria-live'), 'polite', 'to screen readers too');
  await settled(page);
  const cost = async () => { await settled(page); return read(page, 'v.state.answers.value[0].cost'); };
  equal(await cost(), 12, 'cost');
  // Walls, a whole column but its last cell.
  await k.use('Wall (W)', 'Enter', "v.state.tool.value === 'wall' && b.getAttribute('aria-pressed') === 'true'");
  await k.tour('walls');
  await k.use('Brush size in cells', ['ArrowRight', 'ArrowRight'], 'v.state.brush.value === 3');
  await k.press('Home');
  await k.until('v.state.brush.value === 1');
  await k.tabTo('stage 0');
  await cursorTo(7, 0);
  await k.press('Enter');
  for (let i = 0; i < 7; ++i) await k.press('Shift+ArrowDown');
  await k.until(`${terrain(7, 0)} === 64 && ${terrain(7, 7)} === 64 && ${terrain(7, 8)} === 46`);
  k.used.add('stage 0');
  const round = await cost();
  assert(round > 12, 'the way leads round the wall');
  await k.use('Undo (Ctrl+Z)', 'Enter', `${terrain(7, 7)} === 46`);
  await k.use('Redo (Ctrl+Shift+Z)', 'Enter', `${terrain(7, 7)} === 64`);
  // A door of two cells across the wall.
  await k.use('Erase (X)', ' ', "v.state.tool.value === 'erase'");
  await k.tabTo('stage 0');
  await cursorTo(7, 4);
  await k.press(' ');
  await k.press('Shift+ArrowUp');
  await k.until(`${terrain(7, 4)} === 46 && ${terrain(7, 3)} === 46`);
  equal(await cost(), 12, 'straight on');
  await k.use('Door (D)', 'Enter', "v.state.tool.value === 'door'");
  await k.tabTo('stage 0');
  await k.press('Shift+ArrowDown');
  await k.until('v.state.doors.value.size === 1 && [...v.state.doors.value.values()][0].cells.length === 2');
  equal(await cost(), round, 'a closed door');
  await k.press('Enter');
  await k.until('![...v.state.doors.value.values()][0].closed');
  equal(await cost(), 12, 'an open door');
  // A weight.
  await k.use('Weight (T)', 'Enter', "v.state.tool.value === 'weight'");
  await k.tour('weights');
  await k.use('Weight to paint', ['ArrowRight', 'ArrowRight'], 'v.state.weight.value === 7');
  await k.tabTo('stage 0');
  await cursorTo(3, 4);
  await k.press('Enter');
  await k.until(`${terrain(3, 4)} === 55`);
  // The view.
  await k.use('Hand (H)', 'Enter', "v.state.tool.value === 'pan'");
  await k.use('Ends (V)', 'Enter', "v.state.tool.value === 'ends'");
  const scale = await read(page, 'v.state.camera.scale');
  await k.use('Zoom in (+)', 'Enter', `v.state.camera.scale > ${scale}`);
  await k.tabTo('stage 0');
  const x = await read(page, 'v.state.camera.x');
  await k.press('Control+ArrowRight');
  await k.until(`v.state.camera.x > ${x}`);
  await k.use('Zoom out (-)', ['Enter', 'Enter'], `v.state.camera.scale < ${scale}`);
  await k.use('Fit the map (0)', 'Enter', `v.state.camera.scale === ${scale}`);
  k.finish([...bar, ...panel]);
});

test('keyboard: the panel of the map and its playback', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  // A map, and queries of it.
  const map = `type octile\nheight 12\nwidth 40\nmap\n${`${'.'.repeat(12)}@${'.'.repeat(27)}\n`.repeat(10)}${`${'.'.repeat(40)}\n`.repeat(2)}`;
  const lines = ['version 1', ...[9, 19, 29].map((x) => `0\tm\t40\t12\t3\t3\t${x}\t9\t20`)].join('\n');
  await k.openFiles([file('m.scen', lines), file('m.map', map)]);
  await k.until('v.state.scen.value?.lines.length === 3 && v.state.scenAt.value === 2');
  await k.use('How many solvers', ['ArrowRight', 'ArrowRight'], "v.state.compare.value === 'side' && document.querySelectorAll('.stage').length === 2");
  await settled(page);
  await k.use('Kind of index', Array(3).fill('ArrowDown'), "b.value === 'portals'");
  await k.use('Build', 'Enter', "v.state.indexReport.value?.kind === 'portals'");
  await settled(page);
  await k.tour('the map side by side, with queries and an index');
  await k.use('Query before', 'Enter', 'v.state.scenAt.value === 1 && v.state.goal.value.x === 19');
  await k.use('Query after', 'Enter', 'v.state.scenAt.value === 2');
  await k.fill('Number of the query', '1', 'v.state.scenAt.value === 0 && v.state.goal.value.x === 9');
  await k.tabTo('stage 1');
  await k.press('ArrowRight');
  await k.until('v.state.cursor.value !== null');
  await k.press('PageDown');
  await k.until('v.state.scenAt.value === 1');
  k.used.add('stage 1');
  await k.use('Solver A', 'ArrowDown', "v.state.solvers.value[0] !== 'astar'");
  await k.use('Solver B', 'ArrowUp', "v.state.solvers.value[1] !== 'jps'");
  await k.use('Swap start and goal', 'Enter', 'v.state.start.value.x === 19 && v.state.goal.value.x === 3');
  await settled(page);
  await k.use('Inside of the index', ' ', '!v.state.showIndex.value');
  await k.use('Remove the index', 'Enter', 'v.state.indexReport.value === null');
  await k.use('What the search touched', 'ArrowRight', "v.state.searchView.value === 'costs'");
  await k.use('Distance to the goal', ' ', 'v.state.showHeat.value && v.state.field.value');
  await k.use('Flow arrows', ' ', 'v.state.showFlow.value');
  await k.use('Grid lines', ' ', '!v.state.showGrid.value');
  await settled(page);
  // The search, played.
  await k.use('From the beginning (R)', 'Enter', 'v.state.playhead.value === 0');
  await k.use('A step on (.)', ['Enter', 'Enter', 'Enter'], 'v.state.playhead.value === 3');
  await k.use('A step back (,)', 'Enter', 'v.state.playhead.value === 2');
  await k.use('Speed', Array(4).fill('ArrowLeft'), 'v.state.speed.value === 2');
  // It plays for some seconds.
  await Promise.all([k.until("v.state.playhead.value > 8 && b.getAttribute('aria-label') === 'Pause (P)'"), k.use('Play (P)', 'Enter')]);
  await k.press('Enter');
  await k.until('!v.state.playing.value');
  await k.use('Place in the search', ['Home', 'ArrowRight'], 'v.state.playhead.value === 1');
  // The moves.
  const rule = (name, keys, expression) => k.use(name, keys, `v.state.rules.value.${expression}`);
  await rule('Metric', 'ArrowDown', "metric === 'ten_fourteen'");
  await rule('Diagonals', 'ArrowDown', "diagonal === 'at_most_one_obstacle'");
  await rule('Directions', 'ArrowDown', "moves === 'four'");
  await k.fill('Width of the unit in cells', '2', 'v.state.rules.value.width === 2');
  await k.fill('Height of the unit in cells', '3', 'v.state.rules.value.height === 3');
  // A build that is stopped.
  await k.use('Scene', ['End'], "v.state.map.value.scene === 'caves_1024'");
  await k.use('Directions', 'ArrowUp', "v.state.rules.value.moves === 'eight'");
  await k.use('Diagonals', 'ArrowUp', "v.state.rules.value.diagonal === 'no_obstacles'");
  await k.fill('Width of the unit in cells', '1', 'v.state.rules.value.width === 1');
  await k.fill('Height of the unit in cells', '1', 'v.state.rules.value.height === 1');
  await k.use('Kind of index', 'Home', "b.value === 'tile_labels'");
  await k.use('Build', 'Enter', 'v.state.indexBuilding.value');
  equal((await k.focus())?.name, 'Stop', 'the focus stays where the build is stopped');
  await k.press('Enter');
  await k.until('!v.state.indexBuilding.value && v.state.indexReport.value === null');
  k.finish([...bar, ...tools]);
});

test('keyboard: units', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  const ready = '!v.units.busy.value && v.units.report.value';
  await k.use('Scene', 'o', "v.state.map.value.scene === 'open_64'");
  await k.press('Alt+2');
  await k.use('tabs', [], `v.state.tab.value === 'units' && ${ready}`);
  await k.tour('units');
  await k.fill('How many', '40', `${ready}.state.length === 40`);
  await k.fill('Seed', '5', `v.units.seed.value === 5 && ${ready}`);
  await k.use('Another seed (Q)', 'Enter', `v.units.seed.value === 6 && ${ready}`);
  // A group, in another formation.
  await k.use('Formation', 'ArrowDown', `v.units.formation.value === 'wedge' && ${ready}`);
  await k.fill('Cells between', '1', `v.units.spacing.value === 1 && ${ready}`);
  await k.use('Speed', 'End', 'v.units.rate.value === 60');
  await k.use('A tick on (.)', 'Enter', `${ready}.tick === 1`);
  await k.use('Play (P)', 'Enter', `${ready}.tick > 4`);
  await k.press('Enter');
  await k.until('!v.units.playing.value');
  // Another goal, ordered on the map.
  await k.tabTo('stage 0');
  await k.press('ArrowRight');
  await k.press('Shift+ArrowRight');
  await k.press('Enter');
  await k.until('v.state.goal.value.x === v.state.cursor.value.x && v.state.goal.value.y === v.state.cursor.value.y');
  k.used.add('stage 0');
  await k.use('Where they go', 'ArrowRight', `v.units.goals.value === 'own' && ${ready}`);
  await k.use('Who leads the units', 'ArrowRight', `v.units.mode.value === 'plan' && ${ready}.planned > 5`);
  await k.use('Play (P)', 'Enter', `${ready}.done`);
  equal(await read(page, 'v.units.report.value.arrived'), 40, 'all arrived by the plan');
  await k.use('From the beginning (R)', 'Enter', `${ready}.tick === 0`);
  await k.use('Who leads the units', ['ArrowLeft', 'ArrowLeft'], `v.units.mode.value === 'flow' && ${ready}`);
  await k.tour('units on a field');
  await k.use('Distance to the goal', ' ', 'v.state.showHeat.value');
  await k.use('Flow arrows', ' ', 'v.state.showFlow.value');
  await k.use('Grid lines', ' ', '!v.state.showGrid.value');
  // A wall while they walk.
  await k.use('Play (P)', 'Enter', `${ready}.tick > 2`);
  await k.use('Wall (W)', 'Enter', "v.state.tool.value === 'wall'");
  await k.tabTo('stage 0');
  await k.press('Shift+ArrowUp');
  await k.until('v.state.canUndo.value && v.units.report.value.tick > 3');
  k.finish([...bar, ...tools, 'Brush size in cells']);
});

test('keyboard: the benchmark', async ({ open }) => {
  const k = await start(open);
  const { page } = k;
  const lines = ['version 1', ...[9, 19, 29].map((x) => `0\tm\t120\t120\t3\t3\t${x}\t9\t1`)].join('\n');
  await k.openFiles([file('m.scen', lines)]);
  await k.until('v.state.scen.value');
  await k.press('Alt+3');
  await k.until("v.state.tab.value === 'benchmark'");
  await k.tour('nothing measured yet');
  const solvers = await read(page, 'v.state.about.value.solvers.map((s) => s.name)');
  for (const name of solvers) {
    await k.tabTo(name);
    const before = await page.evaluate(() => document.activeElement.checked);
    await k.press(' ');
    await k.until(`b.checked === ${!before}`);
    if (before !== ['astar', 'jps'].includes(name)) continue;
    await k.press(' ');
    await k.until(`b.checked === ${before}`);
  }
  for (const name of solvers) k.used.add(name);
  await k.fill('Rounds', '1', "[...document.querySelectorAll('input')].some((i) => i.ariaLabel === 'Rounds' && i.value === '1')");
  // The file's optima are of no map like this one: the button shows the first query that is wrong.
  await k.use('Run', 'Enter', "document.querySelector('.bench-table td button') && !document.querySelector('progress[data-running=true]')");
  await k.tour('measured');
  await k.use('chart', ['ArrowRight', 'ArrowRight'], "document.querySelector('.bench-readout button')");
  await k.tour('a query');
  await k.use('Sums of each solver', 'ArrowRight');
  const csv = await k.useFor('download', 'CSV');
  assert(readFileSync(await csv.path(), 'utf8').startsWith('start_x,'), 'the CSV');
  const wrong = [...k.met].find((name) => /^[1-9]$/.test(name));
  await k.use(wrong, 'Enter', "v.state.tab.value === 'map' && v.state.goal.value.y === 9");
  await k.press('Alt+3');
  await k.use('On the map', 'Enter', "v.state.tab.value === 'map'");
  await k.press('Alt+3');
  await k.use('chart', 'Enter', "v.state.tab.value === 'map'");
  await k.press('Alt+3');
  await k.use('Where the queries come from', 'ArrowRight', "[...document.querySelectorAll('input[value=random]')].some((i) => i.checked)");
  await k.fill('Number of queries', '5000');
  await k.fill('Seed', '3');
  // So that it takes far longer than the keys to stop it.
  await k.fill('Rounds', '20', "[...document.querySelectorAll('input')].some((i) => i.ariaLabel === 'Rounds' && i.value === '20')");
  await k.use('Check with dijkstra', ' ', '!b.checked');
  await k.use('Run again', 'Enter', "document.querySelector('.bench-head button')");
  await k.tour('measuring');
  await k.use('Stop', 'Enter');
  await k.until("/, stopped/.test(document.querySelector('.bench-title p')?.textContent ?? '') || !document.querySelector('.bench-title')");
  k.used.add('Stop P');
  k.finish(bar);
});
