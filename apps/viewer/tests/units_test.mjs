// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The tab "Units" in real Chromium; viewer_test.mjs runs these.
import { join } from 'node:path';
import { assert, at, choose, clickWhen, controlsHaveNames, equal, shots, test, unitsReady as ready } from './harness.mjs';

const tab = (page) => page.getByRole('tab', { name: 'Units' }).click();
const figure = async (page, name) => Number((await page.locator(`[data-number=${name}]`).textContent()).replaceAll(',', ''));
const report = (page) =>
  page.evaluate(() => {
    const { cells, goals, state, ...rest } = window.octileViewer.units.report.value;
    return { ...rest, cells: [...cells], goals: [...goals], state: [...state] };
  });
const mode = async (page, name) => {
  await page.getByRole('radio', { name, exact: true }).check({ force: true });
  await ready(page);
};
/** Plays at full speed, taking down each report that is shown, until nobody moves any more. */
async function playAll(page) {
  await page.getByLabel('Speed', { exact: true }).fill('60');
  await page.evaluate(() => {
    const { units, state } = window.octileViewer;
    window.seen = [];
    let last = null;
    const look = () => {
      const now = units.report.value;
      if (now && now !== last) window.seen.push({ tick: now.tick, cells: [...now.cells], wall: [...now.cells].some((_, i, c) => i % 2 === 0 && state.map.value.terrain[c[i + 1] * state.map.value.width + c[i]] === 64) });
      last = now;
      if (!window.seenEnd) requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole('button', { name: 'Play (P)' }).click();
  // Hundreds of pictures, at the pace of the machine: it hangs when there is nothing new for long.
  for (let tick = 20, over = false; !over; tick += 20) {
    const told = await page.waitForFunction((wanted) => {
      const { report, playing } = window.octileViewer.units;
      if (report.value?.done && !playing.value) return 'over';
      return report.value?.tick >= wanted && 'on';
    }, tick);
    over = (await told.jsonValue()) === 'over';
  }
  return page.evaluate(() => {
    window.seenEnd = true;
    return window.seen;
  });
}
/** The test's own judge: no two units on one cell, no two that changed places, no step of more than a cell. */
function judge(seen) {
  for (const [at, { tick, cells }] of seen.entries()) {
    const here = new Map();
    for (let i = 0; i < cells.length; i += 2) {
      const key = `${cells[i]},${cells[i + 1]}`;
      assert(!here.has(key), `tick ${tick}: two units on ${key}`);
      here.set(key, i);
    }
    const before = seen[at - 1];
    if (!before || before.tick + 1 !== tick) continue;
    for (let i = 0; i < cells.length; i += 2) {
      const far = Math.max(Math.abs(cells[i] - before.cells[i]), Math.abs(cells[i + 1] - before.cells[i + 1]));
      assert(far <= 1, `tick ${tick}: a step of ${far} cells`);
      const other = here.get(`${before.cells[i]},${before.cells[i + 1]}`);
      if (other === undefined || other === i || far === 0) continue;
      assert(before.cells[other] !== cells[i] || before.cells[other + 1] !== cells[i + 1], `tick ${tick}: two changed places`);
    }
  }
}

test('units: 300 in formation by the step planner arrive without a collision', async ({ open, tell }) => {
  const page = await open();
  await choose(page, 'caves_128');
  await tab(page);
  await ready(page);
  equal(await figure(page, 'units'), 300, 'units');
  const first = await report(page);
  equal(new Set(Array.from({ length: 300 }, (_, i) => `${first.goals[2 * i]},${first.goals[2 * i + 1]}`)).size, 300, 'slots');
  const seen = await playAll(page);
  judge(seen);
  equal(await figure(page, 'arrived'), 300, 'arrived');
  equal(await figure(page, 'collisions'), 0, 'collisions');
  assert(seen.length > 50, `only ${seen.length} ticks seen`);
  // From where they have arrived they go to another goal, and are not set back to the start.
  const last = await report(page);
  await page.mouse.click(...(await at(page, 20, 110)));
  await page.waitForFunction(() => !window.octileViewer.units.report.value.done);
  await page.getByRole('button', { name: 'Play (P)' }).click();
  await clickWhen(page, `v.units.report.value.tick > ${last.tick}`, 'Pause (P)');
  const { tick, micros } = await report(page);
  assert(micros > 0, `a tick takes ${micros} µs`);
  tell(`300 units, caves_128: ${tick} ticks, ${micros.toFixed(0)} µs a tick`);
});

test('units: each its own goal by a plan, valid by the engine and by the test', async ({ open }) => {
  const page = await open();
  await choose(page, 'rooms_128');
  await tab(page);
  await ready(page);
  await mode(page, 'Each its own');
  await mode(page, 'Plan');
  const made = await report(page);
  assert(made.planned > 20 && made.did.includes('made and checked'), `no plan: ${made.did} ${made.note}`);
  judge(await playAll(page));
  equal(await figure(page, 'arrived'), 300, 'arrived');
  equal(await figure(page, 'tick'), made.planned, 'ticks as planned');
  equal(await figure(page, 'collisions'), 0, 'collisions');
});

test('units: a flow field leads all to the goal; it does count who shares a cell', async ({ open }) => {
  const page = await open();
  await choose(page, 'tutorial_70_00');
  await tab(page);
  await ready(page);
  await mode(page, 'Flow field');
  await playAll(page);
  equal(await figure(page, 'arrived'), 300, 'arrived');
  assert((await figure(page, 'collisions')) > 0, 'so many cannot but share cells');
});

test('units: walls while they walk, a click gives another goal, seeds repeat', async ({ open }) => {
  const page = await open();
  await choose(page, 'open_64');
  await tab(page);
  await ready(page);
  const first = (await report(page)).cells.join();
  await page.getByRole('button', { name: 'Another seed (Q)' }).click();
  await page.waitForFunction((old) => window.octileViewer.units.report.value?.cells.join() !== old, first);
  await page.getByLabel('Seed', { exact: true }).fill('1');
  await page.getByLabel('Seed', { exact: true }).press('Enter');
  await page.waitForFunction((old) => window.octileViewer.units.report.value?.cells.join() === old, first);
  for (const name of ['Flow field', 'Plan', 'Steps']) {
    await mode(page, name);
    await page.getByLabel('Speed', { exact: true }).fill('6');
    await page.getByRole('button', { name: 'Play (P)' }).click();
    // In the middle of a step, which they do not end before the wall stands.
    await page.evaluate(() => new Promise((done) => {
      const { report, rate } = window.octileViewer.units;
      const look = () => {
        if (report.value.tick <= 3) return requestAnimationFrame(look);
        rate.value = 1e-3;
        return done();
      };
      look();
    }));
    // A wall across the way, with a gap at its end.
    await page.getByRole('button', { name: 'Wall (W)' }).click();
    await page.mouse.move(...(await at(page, 44, 10)));
    await page.mouse.down();
    await page.mouse.move(...(await at(page, 44, 63)), { steps: 6 });
    await page.mouse.up();
    const crossed = (state) => state.map.value.terrain.filter((terrain) => terrain === 64).length;
    equal(await page.evaluate(`(${crossed})(window.octileViewer.state)`), 54, `${name}: cells of the wall`);
    await page.getByRole('button', { name: 'Ends (V)' }).click();
    const edited = (await report(page)).tick;
    await page.getByLabel('Speed', { exact: true }).fill('6');
    await clickWhen(page, `v.units.report.value.tick > ${edited + 2}`, 'Pause (P)');
    await page.mouse.click(...(await at(page, 58, 5)));
    await page.waitForFunction(() => window.octileViewer.state.goal.value.x === 58);
    await ready(page);
    const seen = await playAll(page);
    const end = await report(page);
    equal(end.arrived + end.buried, 300, `${name}: arrived`);
    if (name !== 'Flow field') {
      judge(seen);
      equal(end.collisions, 0, `${name}: collisions`);
    }
    await page.keyboard.press('Control+z');
    await page.evaluate(() => {
      window.seenEnd = false;
      window.octileViewer.state.goal.value = { x: 59, y: 59 };
    });
    await ready(page);
  }
});

test('units: each formation has slots of its own, and the spacing asked for', async ({ open }) => {
  const page = await open();
  await choose(page, 'open_64');
  await tab(page);
  await page.getByLabel('How many').fill('40');
  await page.getByLabel('How many').press('Enter');
  await page.waitForFunction(() => window.octileViewer.units.report.value?.state.length === 40);
  const names = await page.getByLabel('Formation').locator('option').evaluateAll((list) => list.map(({ value }) => value));
  assert(names.length >= 5, `only ${names.length} formations`);
  const all = new Set();
  const nearest = async () => {
    const { goals } = await report(page);
    const slots = Array.from({ length: 40 }, (_, i) => [goals[2 * i], goals[2 * i + 1]]);
    all.add(slots.map(String).sort().join(' '));
    return Math.min(...slots.flatMap(([x, y], i) => slots.slice(i + 1).map(([x2, y2]) => Math.max(Math.abs(x - x2), Math.abs(y - y2)))));
  };
  for (const name of names) {
    await page.getByLabel('Formation').selectOption(name);
    await ready(page);
    assert((await nearest()) >= 1, `${name}: a slot twice`);
  }
  equal(all.size, names.length, 'different formations');
  await page.getByLabel('Formation').selectOption('box');
  await ready(page);
  equal(await nearest(), 1, 'box: from slot to slot');
  await page.getByLabel('Cells between').fill('2');
  await page.getByLabel('Cells between').press('Enter');
  await page.waitForFunction(() => window.octileViewer.units.spacing.value === 2);
  await ready(page);
  equal(await nearest(), 3, 'box, two cells between: from slot to slot');
});

test('units: errors are told, and the tab goes on after them', async ({ open }) => {
  const page = await open();
  await choose(page, 'open_64');
  await tab(page);
  await ready(page);
  await page.evaluate(() => window.octileViewer.session.setRules({ width: 2, height: 2 }));
  await page.locator('.panel [role=alert]', { hasText: 'units of one cell' }).waitFor();
  assert(await page.getByRole('button', { name: 'Play (P)' }).isDisabled(), 'nothing to play');
  await mode(page, 'Flow field');
  await page.locator('.panel [role=alert]').waitFor({ state: 'detached' });
  await page.evaluate(() => window.octileViewer.session.setRules({ width: 1, height: 1 }));
  await mode(page, 'Steps');
  await page.getByLabel('How many').fill('99999');
  await page.getByLabel('How many').press('Enter');
  await ready(page);
  equal(await figure(page, 'units'), 2000, 'as many as may be');
  // A map with too little room.
  await page.evaluate(() => window.octileViewer.session.newMap(4, 4));
  await page.getByText('Only 16 units have room here.').waitFor();
  await page.evaluate(() => window.octileViewer.session.newMap(64, 64));
  await page.waitForFunction(() => window.octileViewer.units.report.value?.state.length === 2000);
});

test('units: the keyboard alone, links', async ({ open }) => {
  const page = await open();
  await choose(page, 'rooms_128');
  await page.keyboard.press('Escape');
  await page.locator('[data-stage]').focus();
  await page.keyboard.press('Alt+2');
  await ready(page);
  await page.locator('[data-stage]').focus();
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => window.octileViewer.units.report.value?.state.length === 150);
  await page.keyboard.press('l');
  await page.keyboard.press('q');
  await page.keyboard.press('b');
  await page.keyboard.press('c');
  await page.keyboard.press('.');
  await ready(page);
  await page.keyboard.press('.');
  await page.waitForFunction(() => window.octileViewer.units.report.value?.tick > 0);
  await page.keyboard.press('p');
  await page.waitForFunction(() => window.octileViewer.units.report.value.tick > 5);
  await page.keyboard.press('p');
  await page.keyboard.press('r');
  await page.waitForFunction(() => window.octileViewer.units.report.value.tick === 0);
  await page.keyboard.press('u');
  await page.waitForFunction(() => location.hash.includes('units='));
  const { hash } = new URL(page.url());
  const second = await open(hash);
  await ready(second);
  const is = await second.evaluate(() => {
    const { units: u, state } = window.octileViewer;
    return [state.tab.value, u.mode.value, u.count.value, u.seed.value, u.goals.value, u.formation.value].join();
  });
  equal(is, 'units,plan,150,2,own,wedge', 'what the link keeps');
  await controlsHaveNames(second);
});

if (shots) {
  test('units: screenshots', async ({ open }) => {
    const page = await open();
    await choose(page, 'caves_128');
    await tab(page);
    await ready(page);
    await page.getByLabel('Speed', { exact: true }).fill('30');
    await page.keyboard.press('p');
    await page.waitForFunction(() => window.octileViewer.units.report.value.tick >= 55);
    await page.getByRole('button', { name: 'Pause (P)' }).click();
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, 'viewer_units.png') });
    const narrow = await open('', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await choose(narrow, 'rooms_128');
    await tab(narrow);
    await ready(narrow);
    await mode(narrow, 'Flow field');
    await narrow.getByRole('button', { name: 'A tick on (.)' }).click();
    await narrow.waitForTimeout(400);
    await narrow.screenshot({ path: join(shots, 'viewer_units_narrow.png') });
  });
}
