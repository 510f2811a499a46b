// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Fingers and small screens: a phone of 360 pixels as Chromium emulates it, touched through the
// debugger's wire, which makes the same events as a real screen; and colours that can be read.
// viewer_test.mjs runs these.
import { assert, at, becomes, cameraOf, drop, dropMap, equal, fits, read, readable, settled, test, text, unitsReady } from './harness.mjs';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const field = `type octile\nheight 20\nwidth 20\nmap\n${`${'.'.repeat(20)}\n`.repeat(20)}`;

/** The page and the browser tell touches apart by their length: all of a gesture is sent at once, but for a wait that it asks for. */
class Fingers {
  static async on(page) {
    const fingers = new Fingers();
    fingers.page = page;
    await page.evaluate(() => {
      window.lifted = 0;
      for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => void ++window.lifted);
    });
    fingers.wire = await page.context().newCDPSession(page);
    return fingers;
  }
  send = (touches) =>
    Promise.all(
      touches.map(([type, ...points], i) =>
        this.wire.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: points.map(([x, y], id) => ({ x, y, id })),
          // At rest before the end: the browser takes no tap while it thinks that something glides.
          timestamp: Date.now() / 1000 - (type === 'touchEnd' ? 0 : 0.2 + 0.02 * (touches.length - i)),
        }),
      ),
    );
  lifted = 0;
  /** To the end of a gesture, until the page has seen each finger go. */
  async finish(touches, fingers = 1) {
    await this.send([...touches, ['touchEnd']]);
    this.lifted += fingers;
    await this.page.waitForFunction((count) => window.lifted === count, this.lifted);
  }
  /** One finger through the points; with `long` it rests on the first until the page has seen that. */
  async drag(points, { long = false } = {}) {
    const touches = [['touchStart', points[0]]];
    if (long) {
      await this.send(touches.splice(0));
      await this.page.waitForFunction(() => document.querySelector('[data-stage="0"]').dataset.doing === 'start');
    }
    for (const [i, to] of points.slice(1).entries()) {
      const from = points[i];
      for (let k = 1; k <= 4; ++k) {
        touches.push(['touchMove', [from[0] + ((to[0] - from[0]) * k) / 4, from[1] + ((to[1] - from[1]) * k) / 4]]);
      }
    }
    await this.finish(touches);
  }
  tap = (point, options) => this.drag([point], options);
  /** A control that is at rest, with nothing over it. */
  async tapOn(control) {
    await control.scrollIntoViewIfNeeded();
    const middle = await control.evaluate(async (node) => {
      for (let before = ''; ; await new Promise(requestAnimationFrame)) {
        const { x, y, width, height } = node.getBoundingClientRect();
        const [middle, now] = [[x + width / 2, y + height / 2], [x, y, width, height].join()];
        if (now === before && node.contains(document.elementFromPoint(...middle))) return middle;
        before = now;
      }
    });
    await this.tap(middle);
  }
  /** Two fingers about a middle, from one distance to another. */
  async pinch([x, y], from, to) {
    const touches = [['touchStart', [x - from / 2, y]]];
    for (let i = 0; i <= 5; ++i) {
      const half = (from + ((to - from) * i) / 5) / 2;
      touches.push([i ? 'touchMove' : 'touchStart', [x - half, y], [x + half, y]]);
    }
    await this.finish(touches, 2);
  }
}

const ends = '`${v.state.start.value.x},${v.state.start.value.y} ${v.state.goal.value.x},${v.state.goal.value.y}`';
const walls = '[...v.state.map.value.terrain].flatMap((t, i) => (t === 64 ? [i] : [])).join()';

test('touch: drags of both ends, taps, long presses, pans and pinches', async ({ open }) => {
  const page = await open('', phone);
  await settled(page);
  await dropMap(page, 'field.map', field, { x: 3, y: 3 }, { x: 16, y: 3 });
  const fingers = await Fingers.on(page);
  const cell = (x, y) => at(page, x, y);
  await fingers.drag([await cell(16, 3), await cell(12, 12), await cell(16, 16)]);
  equal(await read(page, ends), '3,3 16,16', 'the goal was dragged');
  await fingers.drag([await cell(3, 3), await cell(3, 16)]);
  equal(await read(page, ends), '3,16 16,16', 'the start was dragged');
  await settled(page);
  equal(await read(page, 'v.state.answers.value[0].cost'), 13, 'the path followed');
  await fingers.tap(await cell(10, 6));
  equal(await read(page, ends), '3,16 10,6', 'a tap puts the goal');
  await fingers.tap(await cell(5, 10), { long: true });
  equal(await read(page, ends), '5,10 10,6', 'a long press puts the start');
  await fingers.drag([await cell(15, 17), await cell(2, 18)], { long: true });
  equal(await read(page, ends), '2,18 10,6', 'a long press drags it on');
  await settled(page);
  // A finger that moves at once moves the map; nothing else changes.
  const before = await cameraOf(page);
  await fingers.drag([await cell(15, 15), await cell(12, 12)]);
  const after = await cameraOf(page);
  assert(after.x > before.x + 2 && after.y > before.y + 2, 'panned by three cells');
  // Two fingers: what is between them stays there.
  const box = await page.locator('[data-stage="0"]').boundingBox();
  const middle = [180, 260];
  const between = () => page.evaluate(([x, y]) => window.octileViewer.state.camera.toMap(x, y), [middle[0] - box.x, middle[1] - box.y]);
  const [x, y] = await between();
  await fingers.pinch(middle, 60, 180);
  const near = await cameraOf(page);
  assert(Math.abs(near.scale / after.scale - 3) < 0.3, `pinched out to ${near.scale / after.scale}`);
  const [x2, y2] = await between();
  assert(Math.hypot(x - x2, y - y2) < 0.7, `the middle went from ${x}, ${y} to ${x2}, ${y2}`);
  await fingers.pinch(middle, 180, 90);
  assert((await cameraOf(page)).scale < near.scale * 0.6, 'pinched in');
  equal(await read(page, ends), '2,18 10,6', 'the ends stay meanwhile');
});

test('touch: strokes paint, two fingers do not, buttons and sliders', async ({ open }) => {
  const page = await open('', phone);
  await settled(page);
  await dropMap(page, 'field.map', field);
  const fingers = await Fingers.on(page);
  const cell = (x, y) => at(page, x, y);
  const button = (name) => page.getByRole('button', { name });
  const tool = async (name) => {
    await fingers.tapOn(button(name));
    await page.getByRole('button', { name, pressed: true }).waitFor();
  };
  await tool('Wall (W)');
  await fingers.tap(await cell(4, 9));
  equal(await read(page, walls), '184', 'a tap');
  await fingers.pinch([180, 260], 60, 150);
  equal(await read(page, walls), '184', 'after a pinch with the tool for walls');
  await fingers.tapOn(button('Undo (Ctrl+Z)'));
  await becomes(page, 'v.state.canRedo.value', true, 'undo by a tap');
  equal(await read(page, walls), '', 'undone: the pinch was no stroke');
  await page.keyboard.press('0');
  await fingers.drag([await cell(2, 12), await cell(17, 12)]);
  equal(await read(page, walls), Array.from({ length: 16 }, (_, i) => 12 * 20 + 2 + i).join(), 'a stroke has no gaps');
  await tool('Weight (T)');
  await fingers.drag([await cell(2, 14), await cell(5, 14)]);
  equal(await read(page, 'String.fromCharCode(...v.state.map.value.terrain.slice(282, 286))'), '5555', 'weights');
  await tool('Door (D)');
  await fingers.drag([await cell(0, 12), await cell(1, 12)]);
  equal(await read(page, '[...v.state.doors.value.values()].map((d) => d.closed + " " + d.cells).join()'), 'true 240,241', 'a door');
  await fingers.tap(await cell(0, 12));
  equal(await read(page, '[...v.state.doors.value.values()][0].closed'), false, 'opened by a tap');
  await tool('Erase (X)');
  await fingers.drag([await cell(5, 12), await cell(8, 12)]);
  assert((await read(page, walls)).startsWith('242,243,244,249'), 'erased');
  // The search, by its slider.
  await settled(page);
  const slider = await page.getByLabel('Place in the search').boundingBox();
  await fingers.tap([slider.x + slider.width / 2, slider.y + slider.height / 2]);
  await page.waitForFunction(() => {
    const { playhead, playLength } = window.octileViewer.state;
    return Math.abs(playhead.value - playLength.value / 2) < playLength.value * 0.1;
  });
  await fingers.tapOn(page.getByRole('tab', { name: 'Units' }));
  await becomes(page, 'v.state.tab.value', 'units', 'the tab');
  await unitsReady(page);
  await fingers.tapOn(button('Play (P)'));
  await page.waitForFunction(() => window.octileViewer.units.report.value.tick > 0);
});

for (const colorScheme of ['light', 'dark']) {
  test(`a screen of 360 pixels, ${colorScheme}: nothing is cut off or covered, all can be read`, async ({ open }) => {
    const page = await open('', { ...phone, colorScheme });
    await settled(page);
    const good = async (where) => {
      await fits(page, where);
      await readable(page, where);
    };
    await good('map');
    await page.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    await page.getByLabel('Distance to the goal').check();
    await page.getByRole('button', { name: 'Weight (T)' }).click();
    await page.waitForFunction(() => window.octileViewer.state.answers.value[1] && window.octileViewer.state.field.value);
    await settled(page);
    await good('side by side');
    await page.getByLabel('Kind of index').selectOption('portals');
    await page.getByRole('button', { name: 'Build' }).click();
    await page.waitForFunction(() => window.octileViewer.state.indexReport.value);
    await good('an index');
    for (const key of ['?', 'n', 'e']) {
      await page.keyboard.press(key);
      await page.locator('dialog[open]').waitFor();
      await good(`dialog of ${key}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await drop(page, [text('bad.map', 'no map')]);
    await page.locator('.toast.error').waitFor();
    await good('a message');
    await page.keyboard.press('Escape');
    await page.locator('.toast').waitFor({ state: 'detached' });
    equal(await read(page, 'v.state.tool.value'), 'ends', 'the tool is put away by Escape');
    await page.getByRole('tab', { name: 'Units' }).click();
    await unitsReady(page);
    await good('units');
    await page.getByRole('tab', { name: 'Benchmark' }).click();
    await good('benchmark, nothing measured');
    await page.getByLabel('Number of queries', { exact: true }).fill('20');
    await page.keyboard.press('Tab');
    await page.locator('.panel').getByRole('button', { name: 'Run' }).click();
    await page.getByText('20 of 20 queries').waitFor();
    await good('benchmark');
    const chart = await page.locator('.bench-chart').boundingBox();
    assert(chart.width <= 360 && chart.height >= 150, `the chart has ${chart.width} x ${chart.height} pixels`);
    // The same on a large screen.
    await page.setViewportSize({ width: 1280, height: 800 });
    await good('benchmark, wide');
    await page.keyboard.press('Alt+2');
    await good('units, wide');
    await page.keyboard.press('Alt+1');
    await good('map, wide');
  });
}
