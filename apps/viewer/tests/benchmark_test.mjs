// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Tests of the tab Benchmark; viewer_test.mjs runs them.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert, drawn, drop, equal, octile, root, settled, shots, test, text } from './harness.mjs';

const tab = (page) => page.getByRole('tab', { name: 'Benchmark' }).click();
const set = async (page, label, value) => {
  await page.getByLabel(label, { exact: true }).fill(String(value));
  await page.keyboard.press('Tab');
};
const run = (page) => page.locator('.panel').getByRole('button', { name: 'Run' }).click();
const finished = (page, count) => page.getByText(new RegExp(`^${count} of ${count} queries`)).waitFor();
const column = async (page, solver, number) =>
  (await page.locator(`tr[data-solver=${solver}] td`).nth(number - 1).textContent()).trim();
/** The CSV that the page would save, as objects. */
const saved = async (page) => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const [head, ...lines] = readFileSync(await file.path(), 'utf8').trim().split('\n').map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(line.map((value, i) => [head[i], value])));
};
const ends = (row) => [row.start_x, row.start_y, row.goal_x, row.goal_y].join();

test('benchmark: random queries, costs and expansions of the command line, a table that adds up', async ({ open }) => {
  const page = await open();
  await settled(page);
  await tab(page);
  await page.getByText('Nothing measured yet').waitFor();
  await set(page, 'Number of queries', 40);
  await set(page, 'Seed', 7);
  await run(page);
  await finished(page, 40);
  const rows = await saved(page);
  equal(rows.length, 120, 'lines of the CSV');
  for (const solver of ['astar', 'jps', 'auto']) {
    const own = rows.filter((row) => row.solver === solver);
    equal(own.length, 40, `${solver}: queries`);
    assert(own.every((row) => Number(row.microseconds) > 0.05), `${solver}: times`);
    equal(await column(page, solver, 8), '0', `${solver}: wrong`);
    const sorted = own.map((row) => Number(row.microseconds)).sort((a, b) => a - b);
    const shown = await column(page, solver, 3);
    const micros = parseFloat(shown) * (shown.endsWith('ms') ? 1000 : 1);
    assert(Math.abs(micros - sorted[19]) <= 0.006 * sorted[19], `${solver}: median ${shown}, not ${sorted[19]}`);
  }
  for (const row of rows.filter(({ solver }) => solver !== 'auto').slice(0, 6)) {
    const { stdout } = await promisify(execFile)(octile, [
      'find', join(root, 'public/scenes/tutorial_120_00.map'), '--from', `${row.start_x},${row.start_y}`,
      '--to', `${row.goal_x},${row.goal_y}`, '--solver', row.solver, '--json',
    ]);
    const wanted = JSON.parse(stdout);
    equal(Number(row.cost), wanted.cost, `${row.solver}: cost`);
    equal(Number(row.expanded), wanted.expanded, `${row.solver}: expanded`);
  }
  // The same seed gives the same queries, another one others.
  await run(page);
  await finished(page, 40);
  equal((await saved(page)).map(ends).join(';'), rows.map(ends).join(';'), 'queries of the same seed');
  await set(page, 'Seed', 8);
  await run(page);
  await finished(page, 40);
  assert((await saved(page)).map(ends).join(';') !== rows.map(ends).join(';'), 'queries of another seed');
});

test('benchmark: a published optimum that is not met is told', async ({ open }) => {
  const page = await open();
  await settled(page);
  await drop(page, [
    text('five.map', 'type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n'),
    // 0,0 to 4,0: 8 at corners that are not cut; of the third line the optimum is false.
    text('five.scen', 'version 1\n0\tfive.map\t5\t3\t0\t0\t4\t0\t6.82842712\n0\tfive.map\t5\t3\t0\t2\t4\t2\t4\n0\tfive.map\t5\t3\t0\t0\t1\t0\t3\n'),
  ]);
  await page.getByText('3 queries from five.scen').waitFor();
  await tab(page);
  await run(page);
  await finished(page, 3);
  await page.getByText('costs against published optimum').waitFor();
  for (const solver of ['astar', 'jps', 'auto']) equal(await column(page, solver, 8), '1', `${solver}: wrong`);
  await page.locator('tr[data-solver=jps] td').last().getByRole('button').click();
  await settled(page);
  const { start, goal } = await page.evaluate(() => ({
    start: window.octileViewer.state.start.value,
    goal: window.octileViewer.state.goal.value,
  }));
  equal(`${start.x},${start.y} ${goal.x},${goal.y}`, '0,0 1,0', 'the query on the map');
  // Optima do not hold under other rules; then nothing is wrong.
  await page.getByLabel('Directions').selectOption('four');
  await tab(page);
  await run(page);
  await finished(page, 3);
  await page.getByText('costs against dijkstra').waitFor();
  equal(await column(page, 'jps', 8), '0', 'wrong');
});

test('benchmark: stop, keys, other colours; an edit drops what was measured', async ({ open }) => {
  const page = await open();
  await settled(page);
  await page.getByLabel('Scene').selectOption('caves_1024');
  await page.waitForFunction(() => window.octileViewer.state.map.value.width === 1024);
  await settled(page);
  await tab(page);
  await set(page, 'Number of queries', 5000);
  await page.getByRole('tab', { name: 'Benchmark' }).focus();
  await page.keyboard.press('p');
  await page.locator('.bench-table').waitFor();
  await page.keyboard.press('p');
  await page.getByText(/^[\d,]+ of 5,000 queries, stopped/).waitFor();
  const now = await page.locator('tr[data-solver=jps] td').first().textContent();
  await page.locator('.bench-chart').focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'On the map' }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await drawn(page);
  equal(await page.locator('tr[data-solver=jps] td').first().textContent(), now, 'queries after the stop');
  equal(await page.locator('.bench-chart canvas').count(), 1, 'charts');
  await page.evaluate(() => window.octileViewer.session.newMap(1, 1));
  await page.getByText('Nothing measured yet').waitFor();
  await page.keyboard.press('Escape');
  await run(page);
  await page.getByText('no two cells of this map have a way between them').waitFor();
});

test('benchmark: a link keeps the settings', async ({ open }) => {
  const page = await open();
  await settled(page);
  await tab(page);
  await page.getByLabel('auto', { exact: true }).uncheck();
  await page.getByLabel('dijkstra', { exact: true }).check();
  await set(page, 'Number of queries', 33);
  await set(page, 'Seed', 9);
  await set(page, 'Rounds', 2);
  await page.getByRole('tab', { name: 'Benchmark' }).focus();
  await page.keyboard.press('u');
  await page.waitForFunction(() => location.hash.includes('bench='));
  const second = await open(new URL(page.url()).hash);
  await second.getByText('Nothing measured yet').waitFor();
  await run(second);
  await finished(second, 33);
  const rows = await second.locator('tr[data-solver]').evaluateAll((list) => list.map((row) => row.dataset.solver).sort().join());
  equal(rows, 'astar,dijkstra,jps', 'solvers');
  for (const [label, value] of [['Seed', '9'], ['Rounds', '2']]) equal(await second.getByLabel(label, { exact: true }).inputValue(), value, label);
});

if (shots) {
  test('benchmark: screenshots', async ({ open }) => {
    const page = await open();
    await settled(page);
    await page.getByRole('button', { name: 'Build' }).click();
    await page.waitForFunction(() => window.octileViewer.state.indexReport.value, null, { timeout: 60_000 });
    await tab(page);
    await page.getByLabel('labels', { exact: true }).check();
    await page.getByLabel('auto', { exact: true }).uncheck();
    await set(page, 'Number of queries', 300);
    await run(page);
    await page.getByText(/^300 of 300 queries/).waitFor({ timeout: 60_000 });
    await page.locator('.bench-chart').focus();
    await page.keyboard.press('PageDown');
    for (let i = 0; i < 20; ++i) await page.keyboard.press('PageDown');
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, 'viewer_benchmark.png') });
    await page.keyboard.press('y');
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(shots, 'viewer_benchmark_dark.png') });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(shots, 'viewer_benchmark_narrow.png') });
  });
}
