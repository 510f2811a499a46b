// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// node tests/viewer_test.mjs [part of a name]: the built viewer in real Chromium, all of its tests.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import {
  assert, at, cameraOf, choose, clickWhen, clockOf, controlsHaveNames, drawn, drop, dropMap, equal, main, measuringTest, octile, read, root,
  settled, shots, test, text, unitsReady,
} from './harness.mjs';
import './benchmark_test.mjs';
import './keyboard_test.mjs';
import './touch_test.mjs';
import './units_test.mjs';

// --- What tests do to the page --------------------------------------------------------------

const answers = (page) =>
  page.evaluate(() =>
    window.octileViewer.state.answers.value.map(
      (a) => a && { status: a.status, cost: a.cost, expanded: a.expanded, cells: a.path.length / 2, solver: a.solver, micros: a.micros },
    ),
  );
const ends = (page) => read(page, '({start: v.state.start.value, goal: v.state.goal.value})');
const tiny = 'type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n';

/** A grey PNG, row by row. */
function png(width, height, value) {
  const table = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
  });
  const crc = (data) => {
    let c = 0xffffffff;
    for (const byte of data) c = table[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  };
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = value(x, y);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** How many pixels of a layer are not clear. */
const painted = (page, layer) =>
  page.evaluate((which) => {
    const canvas = document.querySelector(`canvas[data-layer=${which}]`);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i]) ++count;
    return count;
  }, layer);

/** What the dialog Export saves. */
async function exported(page, name) {
  await page.getByRole('button', { name: 'Export (E)' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name }).click(),
  ]);
  return readFileSync(await file.path());
}

// --- Tests ------------------------------------------------------------------------------------

test('opens with a scene, a path and its numbers', async ({ open }) => {
  const page = await open();
  await settled(page);
  equal(await read(page, 'v.state.map.value.scene'), 'tutorial_120_00', 'scene');
  const [a] = await answers(page);
  equal(a.status, 'found', 'status');
  equal(await page.locator('[data-number=cost]').first().textContent(), a.cost.toFixed(2), 'cost shown');
  assert((await page.getByLabel('Scene').locator('option').count()) >= 10, 'fewer than 10 scenes');
});

test('every bundled scene opens and has a way between its ends', async ({ open }) => {
  const page = await open();
  await settled(page);
  await page.getByLabel('Solver A').selectOption('auto');
  await page.getByRole('radio', { name: 'Path only' }).check();
  for (const { id, size } of await read(page, 'v.state.scenes.value')) {
    await choose(page, id);
    await settled(page);
    equal(await read(page, 'v.state.map.value.width'), size, `${id}: width`);
    equal((await answers(page))[0].status, 'found', `${id}: status`);
  }
});

measuringTest('a 1024 x 1024 map takes less than 2 s of the processor', async ({ open, tell }) => {
  const page = await open();
  await settled(page);
  await page.getByLabel('Solver A').selectOption('jps');
  const clock = await clockOf(page);
  let least = Infinity;
  for (let round = 0; round < 3; ++round) {
    await choose(page, 'spiral_64');
    await settled(page);
    const from = await clock();
    await choose(page, 'caves_1024');
    await page.waitForFunction(() => window.octileViewer.state.answers.value[0]);
    await drawn(page);
    least = Math.min(least, (await clock()).all - from.all);
  }
  tell(`1024 x 1024: ${least.toFixed(2)} s of the processor until the path is shown`);
  assert(least < 2, `took ${least} s`);
});

test('side by side, cost and expansions equal those of the command line', async ({ open }) => {
  const page = await open();
  for (const [scene, a, b] of [
    ['tutorial_120_00', 'astar', 'jps'],
    ['hills_256', 'dijkstra', 'astar'],
    ['rooms_128', 'textbook_heap', 'auto'],
  ]) {
    await settled(page);
    await choose(page, scene);
    await page.getByRole('radio', { name: 'Side by side' }).check();
    await page.getByLabel('Solver A').selectOption(a);
    await page.getByLabel('Solver B').selectOption(b);
    await page.waitForFunction(() => window.octileViewer.state.answers.value[1]);
    await settled(page);
    const { start, goal } = await ends(page);
    const shown = await answers(page);
    equal(await page.locator('.stage').count(), 2, 'stages');
    for (const [at, solver] of [a, b].entries()) {
      const { stdout } = await promisify(execFile)(octile, [
        'find', join(root, `public/scenes/${scene}.map`), '--from', `${start.x},${start.y}`, '--to', `${goal.x},${goal.y}`,
        '--solver', solver, '--json',
      ]);
      const wanted = JSON.parse(stdout);
      equal(shown[at].cost, wanted.cost, `${scene}, ${solver}: cost`);
      equal(shown[at].expanded, wanted.expanded, `${scene}, ${solver}: expanded`);
      const dd = await page.locator('.card').nth(at).locator('[data-number=expanded]').textContent();
      equal(dd, wanted.expanded.toLocaleString('en'), `${scene}, ${solver}: expanded as shown`);
    }
  }
});

measuringTest('a drag of the goal: the path follows each move, 60 times a second on 512 x 512', async ({ open, tell }) => {
  const page = await open();
  await settled(page);
  await choose(page, 'rooms_512');
  await page.getByLabel('Solver A').selectOption('jps');
  await settled(page);
  const clock = await clockOf(page);
  const { goal } = await ends(page);
  const [x, y] = await at(page, goal.x, goal.y);
  await page.mouse.move(x, y);
  await page.mouse.down();
  // The pointer's own events, without the wire between: there and back again.
  const drag = () =>
    page.evaluate(async ([px, py]) => {
      const { state } = window.octileViewer;
      const stage = document.querySelector('[data-stage]');
      const frame = () => new Promise(requestAnimationFrame);
      let moves = 0;
      for (let i = 0; i < 120; ++i) {
        const [way, goal, answer] = [Math.min(i, 119 - i), state.goal.value, state.answers.value[0]];
        stage.dispatchEvent(
          new PointerEvent('pointermove', { pointerId: 1, pointerType: 'mouse', clientX: px - 2.2 * way, clientY: py - 120 * Math.sin(way / 20), bubbles: true }),
        );
        await frame();
        if (state.goal.value === goal) continue;
        ++moves;
        while (state.answers.value[0] === answer) await frame();
      }
      await frame(); // the last one is painted
      return moves;
    }, [x, y]);
  let [all, main] = [Infinity, Infinity];
  for (let round = 0; round < 3; ++round) {
    const from = await clock();
    const moves = await drag();
    assert(moves > 100, `only ${moves} moves`);
    const to = await clock();
    all = Math.min(all, (1000 * (to.all - from.all)) / moves);
    main = Math.min(main, (1000 * (to.main - from.main)) / moves);
  }
  await page.mouse.up();
  await settled(page);
  tell(`512 x 512: ${all.toFixed(1)} ms of the processor a path, ${main.toFixed(1)} of it on the main thread`);
  // The main thread leaves room in a picture; the path is found and painted beside it.
  assert(main < 1000 / 60 && all < 2000 / 60, `a path takes ${all} ms, ${main} of it on the main thread`);
});

test('the mouse drags either end: the path follows, its search comes at rest', async ({ open }) => {
  const page = await open();
  await settled(page);
  await dropMap(page, 'tiny.map', tiny, { x: 0, y: 0 }, { x: 4, y: 0 });
  const shown = '((a) => `${a.path.slice(0, 2)} to ${a.path.slice(-2)}: ${a.cost.toFixed(2)}`)(v.state.answers.value[0])';
  for (const [from, to, half, whole] of [
    [[4, 0], [2, 2], '0,0 to 0,2: 2.00', '0,0 to 2,2: 3.41'],
    [[0, 0], [4, 2], '0,2 to 2,2: 2.00', '4,2 to 2,2: 2.00'],
  ]) {
    await page.mouse.move(...(await at(page, ...from)));
    await page.mouse.down();
    await page.mouse.move(...(await at(page, 0, 2)), { steps: 5 });
    await page.waitForFunction(([text, wanted]) => new Function('v', `return ${text}`)(window.octileViewer) === wanted, [shown, half]);
    assert(await read(page, 'v.state.traces.value[0] === null'), 'a search that is not that of the path');
    await page.mouse.move(...(await at(page, ...to)), { steps: 5 });
    await page.mouse.up();
    await settled(page);
    equal(await read(page, shown), whole, `the path, ${from} dragged to ${to}`);
    assert(await read(page, 'v.state.traces.value[0].kind.length > 0'), 'no search at rest');
  }
  await page.mouse.click(...(await at(page, 4, 0)));
  await page.keyboard.down('Shift');
  await page.mouse.click(...(await at(page, 0, 1)));
  await page.keyboard.up('Shift');
  equal(JSON.stringify(await ends(page)), '{"start":{"x":0,"y":1},"goal":{"x":4,"y":0}}', 'clicks');
});

test('every choice of solver, moves, diagonals, metric and size', async ({ open }) => {
  const page = await open();
  await settled(page);
  await choose(page, 'tutorial_70_00');
  const names = await page.getByLabel('Solver A').locator('option').allTextContents();
  assert(names.length >= 8, 'fewer than 8 solvers');
  await settled(page);
  const cost = (await answers(page))[0].cost;
  const exact = await read(page, 'v.state.about.value.solvers.filter((x) => x.exact).map((x) => x.name)');
  for (const name of names) {
    await page.getByLabel('Solver A').selectOption(name);
    await settled(page);
    const [a] = await answers(page);
    equal(a.status, 'found', name);
    if (exact.includes(name)) assert(Math.abs(a.cost - cost) < 1e-9, `${name}: ${a.cost} instead of ${cost}`);
  }
  await page.getByLabel('Solver A').selectOption('astar');
  const change = async (label, value) => {
    await page.getByLabel(label).selectOption(value);
    await settled(page);
    return (await answers(page))[0].cost;
  };
  assert((await change('Diagonals', 'always')) <= cost, 'cutting corners is not longer');
  await change('Diagonals', 'no_obstacles');
  assert(Math.abs((await change('Metric', 'ten_fourteen')) / 10 - cost) < 0.02 * cost, '10 and 14 come in tens');
  assert((await change('Metric', 'chebyshev')) < cost, 'chebyshev is shorter');
  await change('Metric', 'octile');
  assert((await change('Directions', 'four')) > cost, 'four ways are longer');
  assert(await page.getByLabel('Diagonals').isDisabled(), 'four ways have no diagonals');
  await change('Directions', 'eight');
  await page.getByLabel('Width of the unit in cells').fill('40');
  await page.getByLabel('Width of the unit in cells').press('Tab');
  await settled(page);
  equal(await read(page, 'v.state.rules.value.width'), 16, 'size is bounded');
  assert((await answers(page))[0].status !== 'found', 'so large a unit fits nowhere');
});

test('walls, weights, doors, erase, undo and redo change the path', async ({ open }) => {
  const page = await open();
  await settled(page);
  await dropMap(page, 'tiny.map', tiny, { x: 0, y: 0 }, { x: 4, y: 0 });
  const status = async () => {
    await settled(page);
    return (await answers(page))[0];
  };
  const open0 = (await status()).cost;
  const click = async (x, y) => page.mouse.click(...(await at(page, x, y)));
  await page.getByRole('button', { name: 'Wall (W)' }).click();
  await click(2, 2);
  equal((await status()).status, 'no_path', 'closed by a wall');
  await page.getByText('No way leads there').waitFor();
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  equal((await status()).cost, open0, 'after undo');
  await page.keyboard.press('Control+Shift+Z');
  equal((await status()).status, 'no_path', 'after redo');
  await page.getByRole('radio', { name: 'Overlay' }).check();
  await page.waitForFunction(() => window.octileViewer.state.answers.value.every((answer) => answer?.status === 'no_path'));
  await page.getByRole('radio', { name: 'One', exact: true }).check();
  await page.getByRole('button', { name: 'Erase (X)' }).click();
  await click(2, 2);
  equal((await status()).cost, open0, 'after erase');
  await page.getByRole('button', { name: 'Weight (T)' }).click();
  await click(2, 2);
  equal((await status()).cost, open0 + 4, 'a weight of 5 costs 4 more');
  await page.keyboard.press('Control+z');
  await page.getByRole('button', { name: 'Door (D)' }).click();
  await click(2, 2);
  equal((await status()).status, 'no_path', 'a door that is closed');
  await click(2, 2);
  equal((await status()).cost, open0, 'the door opened');
  // A stroke paints every cell on its way.
  await page.getByRole('button', { name: 'Wall (W)' }).click();
  await page.mouse.move(...(await at(page, 0, 1)));
  await page.mouse.down();
  await page.mouse.move(...(await at(page, 4, 1)));
  await page.mouse.up();
  equal(await read(page, 'String.fromCharCode(...v.state.map.value.terrain.slice(5, 10))'), '@@@@@', 'the row painted');
  await page.keyboard.press('Control+z');
  equal(await read(page, 'String.fromCharCode(...v.state.map.value.terrain.slice(5, 10))'), '..@..', 'one undo a stroke');
});

test('drops of a map, a scenario, a picture and PGM', async ({ open }) => {
  const page = await open();
  await settled(page);
  await drop(page, [
    text('s.scen', 'version 1\n0\ttiny.map\t5\t3\t0\t0\t4\t0\t5.65685425\n0\ttiny.map\t5\t3\t0\t2\t4\t2\t4.0\n'),
    text('tiny.map', tiny),
  ]);
  await page.getByText('2 queries from s.scen').waitFor();
  await settled(page);
  await page.getByText('Published optimum 4.00 · met').waitFor();
  await page.getByRole('button', { name: 'Query before' }).click();
  await settled(page);
  equal((await ends(page)).goal.y, 0, 'goal of the first query');
  await drop(page, [text('p.pgm', 'P2\n3 2\n255\n0 255 255\n255 255 0\n')]);
  await page.waitForFunction(() => window.octileViewer.state.map.value.name === 'p.pgm');
  await drop(page, [{ name: 'grey.png', type: 'image/png', bytes: png(8, 6, (x) => x * 30) }]);
  await page.getByRole('dialog', { name: 'Picture: grey.png' }).waitFor();
  await page.getByLabel('Threshold').fill('100');
  await page.getByRole('button', { name: 'Use this map' }).click();
  await page.waitForFunction(() => window.octileViewer.state.map.value.name === 'grey.png');
  equal(await read(page, 'String.fromCharCode(...v.state.map.value.terrain.slice(0, 8))'), '@@@@....', 'by brightness');
});

test('a bad file gets a clear line, and the map stays', async ({ open }) => {
  const page = await open();
  await settled(page);
  const before = await read(page, 'v.state.map.value.name');
  for (const [file, line] of [
    [text('broken.map', 'type octile\nheight 9\nwidth 5\nmap\n.....\n'), 'broken.map'],
    [text('nothing.map', ''), 'nothing.map'],
    [{ name: 'fake.png', type: 'image/png', bytes: 'no picture' }, 'is not a picture'],
    [text('big.scen', 'version 1\n0\tm\t9000\t9000\t8000\t8000\t8500\t8500\t1\n'), 'belongs to a larger map'],
    [text('bad.scen', 'version 1\nnonsense\n'), 'bad.scen'],
  ]) {
    await drop(page, [file]);
    await page.locator('.toast.error', { hasText: line }).waitFor();
    await page.locator('.toast.error', { hasText: line }).getByRole('button', { name: 'Dismiss' }).click();
  }
  equal(await read(page, 'v.state.map.value.name'), before, 'the map');
  await settled(page);
  equal((await answers(page))[0].status, 'found', 'it still answers');
});

test('play, pause, step, speed, timeline', async ({ open }) => {
  const page = await open();
  await settled(page);
  const head = () => read(page, 'v.state.playhead.value');
  await page.getByLabel('Speed', { exact: true }).fill('2');
  await page.getByRole('button', { name: 'From the beginning (R)' }).click();
  equal(await head(), 0, 'from the beginning');
  await page.getByRole('button', { name: 'A step on (.)' }).click();
  await page.getByRole('button', { name: 'A step on (.)' }).click();
  await page.getByRole('button', { name: 'A step back (,)' }).click();
  equal(await head(), 1, 'two on, one back');
  await page.getByRole('button', { name: 'Play (P)' }).click();
  await clickWhen(page, 'v.state.playhead.value > 5', 'Pause (P)');
  const stopped = await head();
  await drawn(page);
  await drawn(page);
  equal(await head(), stopped, 'paused');
  // What is shown grows with the playhead.
  const few = await painted(page, 'search');
  await page.getByLabel('Speed', { exact: true }).fill('6');
  await page.keyboard.press('p');
  await page.waitForFunction(() => window.octileViewer.state.playhead.value === Infinity);
  await drawn(page);
  assert((await painted(page, 'search')) > few, 'more is shown at the end');
  await page.getByLabel('Place in the search').fill('40');
  equal(await head(), 40, 'by the timeline');
});

test('heat map, flow arrows, costs, index with portals, subgoals, hubs', async ({ open }) => {
  const page = await open();
  await settled(page);
  await choose(page, 'caves_128');
  await settled(page);
  equal(await painted(page, 'field'), 0, 'no field at first');
  await page.getByLabel('Distance to the goal').check();
  await page.waitForFunction(() => window.octileViewer.state.field.value);
  await drawn(page);
  const heat = await painted(page, 'field');
  assert(heat > 10_000, 'heat map is drawn');
  const { start } = await ends(page);
  const [cost, distance] = await read(
    page,
    `[v.state.answers.value[0].cost, v.state.field.value.distance[${start.y} * 128 + ${start.x}]]`,
  );
  assert(Math.abs(cost - distance) < 1e-9, `distance ${distance} of the start is the cost ${cost}`);
  await page.getByLabel('Distance to the goal').uncheck();
  await page.getByLabel('Flow arrows').check();
  await page.waitForFunction(() => window.octileViewer.state.field.value);
  await drawn(page);
  const arrows = await painted(page, 'field');
  assert(arrows > 200 && arrows < heat, 'arrows are drawn');
  await page.getByRole('radio', { name: 'Costs' }).check();
  await settled(page);
  for (const kind of ['portals', 'quadtree', 'subgoal_graph', 'subgoal_labels', 'tile_labels']) {
    await page.getByLabel('Kind of index').selectOption(kind);
    await page.getByRole('button', { name: 'Build' }).click();
    await page.waitForFunction((wanted) => window.octileViewer.state.indexReport.value?.kind === wanted && !window.octileViewer.state.indexBuilding.value, kind);
    await drawn(page);
    const shown = await painted(page, 'index');
    if (kind === 'tile_labels') {
      equal(shown, 0, `${kind}: nothing to draw`);
      assert(await page.getByLabel('Inside of the index').isDisabled(), `${kind}: nothing to switch on`);
      continue;
    }
    assert(shown > 500, `${kind}: ${shown} pixels are drawn`);
    await page.getByLabel('Inside of the index').uncheck();
    await drawn(page);
    equal(await painted(page, 'index'), 0, `${kind}: hidden`);
    await page.getByLabel('Inside of the index').check();
    await drawn(page);
    if (!kind.startsWith('subgoal')) continue;
    // Each corner is drawn where it is, the first hub in the colour of hubs.
    const found = await page.evaluate(() => {
      const { camera, map, palette, shapes: { value: { subgoals, ranks } } } = window.octileViewer.state;
      const canvas = document.querySelector('canvas[data-layer=index]');
      const context = canvas.getContext('2d');
      const ratio = canvas.width / canvas.clientWidth;
      const pixel = (i) => {
        const [x, y] = camera.toScreen(subgoals[2 * i] + 0.5, subgoals[2 * i + 1] + 0.5);
        return [...context.getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1).data];
      };
      const all = Array.from({ length: subgoals.length / 2 }, (_, i) => i);
      const { terrain, width } = map.value;
      const wall = (x, y) => terrain[y * width + x] === 64 || terrain[y * width + x] === undefined;
      return {
        subgoals: all.length,
        drawn: all.filter((i) => pixel(i)[3] > 200).length,
        // Beside a wall that touches it by a corner.
        corners: all.filter((i) => [-1, 1].some((dy) => [-1, 1].some((dx) => {
          const [x, y] = [subgoals[2 * i], subgoals[2 * i + 1]];
          return !wall(x, y) && wall(x + dx, y + dy) && !wall(x + dx, y) && !wall(x, y + dy);
        }))).length,
        ranks: [...ranks].sort((a, b) => a - b).every((rank, i) => rank === i) ? ranks.length : -1,
        first: ranks.length ? pixel(ranks.indexOf(0)).slice(0, 3).join() : '',
        hub: palette.value.hub.join(),
        told: window.octileViewer.state.indexReport.value.subgoals,
      };
    });
    assert(found.subgoals > 100, `${kind}: only ${found.subgoals} subgoals`);
    equal(found.subgoals, found.told, `${kind}: as many as the index tells`);
    equal(found.drawn, found.subgoals, `${kind}: all are drawn`);
    equal(found.corners, found.subgoals, `${kind}: at corners`);
    equal(found.ranks, kind === 'subgoal_labels' ? found.subgoals : 0, `${kind}: ranks`);
    if (found.ranks) equal(found.first, found.hub, `${kind}: the first hub`);
  }
  await page.getByRole('radio', { name: 'Path only' }).check();
  await page.getByLabel('Solver A').selectOption('labels');
  await settled(page);
  const [a] = await answers(page);
  equal(a.solver, 'labels', 'answered from the index');
  assert(Math.abs(a.cost - cost) < 1e-9, 'at the same cost');
  await page.getByRole('button', { name: 'Remove the index' }).click();
  await settled(page);
  assert((await answers(page))[0].solver !== 'labels', 'without it somebody else answers');
});

test('a link holds the whole state', async ({ open }) => {
  const page = await open();
  await settled(page);
  await page.getByRole('radio', { name: 'Overlay' }).check();
  await page.getByLabel('Solver B').selectOption('dijkstra');
  await page.getByLabel('Metric').selectOption('ten_fourteen');
  await page.getByRole('button', { name: 'Wall (W)' }).click();
  await page.mouse.click(...(await at(page, 60, 60)));
  await page.getByRole('button', { name: 'Door (D)' }).click();
  const free = await read(page, 'v.state.map.value.terrain.indexOf(46, 120 * 40)');
  await page.mouse.click(...(await at(page, free % 120, Math.floor(free / 120))));
  await settled(page);
  const wanted = await answers(page);
  await page.keyboard.press('u');
  await page.waitForFunction(() => location.hash.length > 20);
  const hash = new URL(page.url()).hash;
  const second = await open(hash);
  await settled(second);
  await second.waitForFunction(() => window.octileViewer.state.answers.value[1]);
  const is = await answers(second);
  for (const at of [0, 1]) equal(is[at].cost, wanted[at].cost, `cost ${at}`);
  equal(is[1].solver, 'dijkstra', 'solver B');
  equal(await read(second, 'v.state.doors.value.size'), 1, 'doors');
  equal(await read(second, 'v.state.map.value.terrain[60 * 120 + 60]'), 64, 'the wall');
  // A map of one's own travels whole.
  await dropMap(second, 'tiny.map', tiny);
  await second.keyboard.press('u');
  await second.waitForFunction(() => location.hash.includes('map='));
  const third = await open(new URL(second.url()).hash);
  await settled(third);
  equal(await read(third, 'String.fromCharCode(...v.state.map.value.terrain)'), '..@....@.......', 'the map');
  // A damaged link is told, and something is shown.
  const fourth = await open('#map=%25%25&size=9x9');
  await fourth.locator('.toast.error', { hasText: 'link' }).waitFor();
  await settled(fourth);
});

test('exports are real files', async ({ open }) => {
  const page = await open();
  await settled(page);
  await choose(page, 'spiral_64');
  await page.getByRole('radio', { name: 'Side by side' }).check();
  await page.waitForFunction(() => window.octileViewer.state.traces.value[1]);
  await settled(page);
  const picture = await exported(page, 'PNG');
  equal(picture.subarray(1, 4).toString(), 'PNG', 'PNG');
  assert(picture.readUInt32BE(16) > 2 * picture.readUInt32BE(20) * 0.9, 'two panes side by side');
  const svg = (await exported(page, 'SVG')).toString();
  equal((svg.match(/<polyline/g) ?? []).length, 2, 'paths in the SVG');
  const map = (await exported(page, '.map')).toString();
  // A small one: it is drawn 73 times.
  await dropMap(page, 'tiny.map', tiny, { x: 0, y: 0 }, { x: 4, y: 0 });
  const gif = await exported(page, 'GIF');
  equal(gif.subarray(0, 6).toString(), 'GIF89a', 'GIF');
  equal(map.replace(/\r/g, ''), readFileSync(join(root, 'public/scenes/spiral_64.map'), 'utf8').replace(/\r/g, ''), 'the map');
});

test('files of the units, and of the map while the benchmark is open', async ({ open }) => {
  const page = await open();
  await settled(page);
  await page.evaluate(() => window.octileViewer.session.newMap(32, 32));
  await page.keyboard.press('Alt+2');
  await unitsReady(page);
  await page.getByLabel('How many').fill('12');
  await page.getByLabel('How many').press('Enter');
  await page.waitForFunction(() => window.octileViewer.units.report.value?.state.length === 12);
  const svg = (await exported(page, 'SVG')).toString();
  equal((svg.match(/<circle/g) ?? []).length, 12 + 2, 'units and ends in the SVG');
  const gif = await exported(page, 'GIF');
  // Each picture begins with a graphic control extension.
  const pictures = gif.toString('latin1').split('\x21\xf9\x04').length - 1;
  const tick = await read(page, 'v.units.report.value.tick');
  equal(pictures, Math.min(tick, 150) + 1, 'pictures, one a tick');
  assert(tick > 15, `the units walked ${tick} ticks`);
  await page.keyboard.press('Alt+3');
  equal(((await exported(page, 'SVG')).toString().match(/<polyline/g) ?? []).length, 1, 'the path of the map');
});

test('the keyboard alone does everything', async ({ open }) => {
  const page = await open();
  await settled(page);
  // Tab reaches the stage; the cursor begins at the start.
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.hasAttribute('data-stage'))) break;
  }
  assert(await page.evaluate(() => document.activeElement.matches(':focus-visible')), 'the focus is shown');
  await page.keyboard.press('n');
  await page.getByRole('dialog').getByLabel('Width').fill('9');
  await page.getByRole('dialog').getByLabel('Height').fill('7');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.octileViewer.state.map.value.width === 9);
  await page.evaluate(() => {
    window.octileViewer.state.cursor.value = { x: 0, y: 0 };
  });
  await page.keyboard.press('s');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('g');
  await settled(page);
  equal(JSON.stringify(await ends(page)), '{"start":{"x":0,"y":0},"goal":{"x":8,"y":0}}', 'ends by keys');
  await page.keyboard.press('w');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  for (let i = 0; i < 5; ++i) await page.keyboard.press('Shift+ArrowDown');
  await settled(page);
  equal(
    await read(page, 'v.state.map.value.terrain.filter((t) => t === 64).length'),
    6,
    'walls painted along',
  );
  assert((await answers(page))[0].cost > 8, 'the way leads round them');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('c');
  await page.waitForFunction(() => window.octileViewer.state.compare.value === 'overlay');
  await page.keyboard.press('m');
  await page.keyboard.press('f');
  await page.keyboard.press('l');
  await page.keyboard.press('k');
  await page.keyboard.press('+');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('0');
  await page.keyboard.press('y');
  equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark', 'theme');
  await page.keyboard.press('7');
  equal(await read(page, 'v.state.weight.value'), 7, 'weight');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  await page.getByText('Put the start at the cursor').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await controlsHaveNames(page);
});

test('wheel and hand move the view', async ({ open }) => {
  const page = await open();
  await settled(page);
  const before = await cameraOf(page);
  await page.mouse.move(...(await at(page, 60, 60)));
  await page.mouse.wheel(0, -300);
  await page.waitForFunction((scale) => window.octileViewer.state.camera.scale > scale, before.scale);
  const near = await cameraOf(page);
  await page.getByRole('button', { name: 'Hand (H)' }).click();
  const [x, y] = await at(page, 60, 60);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 40, { steps: 4 });
  await page.mouse.up();
  assert((await cameraOf(page)).x < near.x, 'panned');
  await page.getByRole('button', { name: 'Fit the map (0)' }).click();
  equal((await cameraOf(page)).scale, before.scale, 'fitted');
});

test('without scenes there is an empty field, without a map a page that says what to do', async ({ open, noise }) => {
  const page = await open('', { serviceWorkers: 'block' });
  await page.route('**/scenes/**', (route) => route.abort());
  await page.reload();
  await settled(page);
  // The browser itself tells of the request that was blocked.
  noise.length = 0;
  equal(await read(page, '`${v.state.map.value.name}, ${v.state.map.value.width}`'), 'New map, 64', 'what opens');
  equal(await page.getByLabel('Scene').locator('option').allTextContents().then(String), 'New map', 'scenes');
  await page.evaluate(() => {
    window.octileViewer.state.map.value = null;
  });
  await page.getByRole('heading', { name: 'No map yet' }).waitFor();
  await page.getByRole('tab', { name: 'Units' }).click();
  await page.getByText('There is no map: choose a scene, or draw one.').waitFor();
  assert(await page.getByRole('button', { name: 'Play (P)' }).count() === 0, 'nothing to play');
  await page.getByRole('tab', { name: 'Benchmark' }).click();
  await page.getByText('Open a map first.').waitFor();
  assert(await page.locator('.panel').getByRole('button', { name: 'Run' }).isDisabled(), 'nothing to measure');
  await page.getByRole('tab', { name: 'Map' }).click();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open a file' }).click()]);
  await chooser.setFiles([{ name: 'tiny.map', mimeType: 'text/plain', buffer: Buffer.from(tiny) }]);
  await page.waitForFunction(() => window.octileViewer.state.map.value?.name === 'tiny.map');
});

test('without the engine the page says so', async ({ open, noise }) => {
  const page = await open('', { serviceWorkers: 'block' });
  await page.route('**/*.wasm', (route) => route.abort());
  await page.reload();
  await page.getByText('The engine did not start').waitFor();
  // The browser itself tells of the request that was blocked.
  noise.length = 0;
});

test('no module of the sources imports itself by a detour', async () => {
  const imports = new Map();
  const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'));
  for (const name of sources) {
    const said = [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/(?:from|import) '(\.[^']*)'/g)];
    const found = said.map(([, to]) => join(dirname(name), to)).flatMap((to) => [`${to}.ts`, `${to}.tsx`, join(to, 'index.ts')]);
    imports.set(name, found.filter((to) => sources.includes(to)));
  }
  assert(imports.get('main.tsx').length > 3, 'imports are read');
  const done = new Set();
  const visit = (name, way) => {
    assert(!way.includes(name), [...way.slice(way.indexOf(name)), name].join(' -> '));
    if (done.has(name)) return;
    for (const next of imports.get(name)) visit(next, [...way, name]);
    done.add(name);
  };
  for (const name of sources) visit(name, []);
});

if (shots) {
  mkdirSync(shots, { recursive: true });
  test('screenshots', async ({ open }) => {
    const take = (page, name) => page.screenshot({ path: join(shots, `viewer_${name}.png`) });
    const page = await open();
    await settled(page);
    await page.getByRole('radio', { name: 'Side by side' }).check();
    await page.waitForFunction(() => window.octileViewer.state.traces.value[1]);
    await page.mouse.move(640, 790);
    await page.waitForTimeout(200);
    await take(page, 'map');
    await page.keyboard.press('y');
    await page.getByRole('radio', { name: 'Overlay' }).check();
    await choose(page, 'caves_128');
    await page.getByLabel('Distance to the goal').check();
    await page.getByLabel('Flow arrows').check();
    await page.getByRole('radio', { name: 'Path only' }).check();
    await page.waitForFunction(() => window.octileViewer.state.field.value);
    await settled(page);
    await page.waitForTimeout(200);
    await take(page, 'field');
    const narrow = await open('', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
    await settled(narrow);
    await narrow.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    await narrow.waitForFunction(() => window.octileViewer.state.traces.value[1]);
    await settled(narrow);
    await narrow.getByRole('button', { name: 'Weight (T)' }).click();
    await narrow.waitForTimeout(200);
    await take(narrow, 'narrow');
  });
}

await main();
