// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// The package in Debian's Chromium: in the page, in a worker, side by side with Node. The last line
// is "N passed, N failed".
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Octile } from 'octile';
import { generated, randomFree, randomOf } from './tools.mjs';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const kinds = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
const emptyPage = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>octile</title>';
const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  if (path === '/') return response.setHeader('content-type', 'text/html').end(emptyPage);
  try {
    // /plain.wasm: from a server that does not know the type.
    const data = await readFile(join(dist, path === '/plain.wasm' ? 'octile.wasm' : path));
    response.setHeader('content-type', path === '/plain.wasm' ? 'application/octet-stream' : kinds[extname(path)] ?? 'text/plain');
    return response.end(data);
  } catch {
    response.statusCode = 404;
    return response.end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const map = generated('caves', '--size', '128x128', '--seed', '21').bytes;
const octile = await Octile.load();
const world = octile.world(map);
const view = world.view();
const searcher = octile.searcher();
const random = randomOf(9);
const queries = Array.from({ length: 40 }, () => [...randomFree(view, random), ...randomFree(view, random)]);
const plain = ({ status, cost, solver, expanded, path }) => ({ status, cost, solver, expanded, path: [...path] });
const expected = queries.map((ends) => plain(searcher.find(view, ...ends)));

// Root may not use Chromium's sandbox.
const browser = await chromium.launch({
  executablePath: process.env.OCTILE_CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
let passed = 0;
let failed = 0;
async function test(name, body) {
  try {
    await body();
    ++passed;
    console.log(`ok ${name}`);
  } catch (error) {
    ++failed;
    console.log(`not ok ${name}\n${error.stack}`);
  }
}
function same(is, wants) {
  if (JSON.stringify(is) !== JSON.stringify(wants)) throw new Error(`differs: ${JSON.stringify(is).slice(0, 300)}`);
}

const page = await browser.newPage();
const said = [];
page.on('console', (message) => { if (message.type() === 'error') said.push(message.text()); });
page.on('pageerror', (error) => said.push(String(error)));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const input = { map: map.toString('latin1'), queries };

await test('in the page: the answers of Node', async () => {
  same(await page.evaluate(async ({ map, queries }) => {
    const { Octile } = await import('/index.js');
    const octile = await Octile.load();
    const view = octile.world(map).view();
    const searcher = octile.searcher();
    return queries.map((ends) => searcher.find(view, ...ends))
      .map(({ status, cost, solver, expanded, path }) => ({ status, cost, solver, expanded, path: [...path] }));
  }, input), expected);
});

await test('in a worker: the answers of Node, a cancel, an error', async () => {
  const got = await page.evaluate(async ({ map, queries }) => {
    const { PathWorker } = await import('/index.js');
    const worker = await PathWorker.start({ map });
    const answers = await Promise.all(queries.map((ends) => worker.find(...ends)));
    const late = worker.find(...queries[0]);
    late.cancel();
    const refused = await worker.find(...queries[0], { solver: 'magic' }).promise.catch((error) => error.status);
    const cancelled = (await late).status;
    worker.dispose();
    return {
      answers: answers.map(({ status, cost, solver, expanded, path }) => ({ status, cost, solver, expanded, path: [...path] })),
      refused,
      cancelled,
    };
  }, input);
  same(got.answers, expected);
  same([got.refused, got.cancelled], ['bad_argument', 'cancelled']);
});

await test('from a server without the type, and a file that is not there', async () => {
  same(await page.evaluate(async () => {
    const { Octile } = await import('/index.js');
    const octile = await Octile.load('/plain.wasm');
    const missing = await Octile.load('/missing.wasm').catch((error) => error.status);
    return [octile.version, missing];
  }), [octile.version, 'bad_argument']);
  said.splice(0, said.length, ...said.filter((text) => !text.includes('404'))); // Chromium tells of it itself
});

await test('PathFinding.js helper in the page', async () => {
  same(await page.evaluate(async () => {
    const { loadPathFinding } = await import('/pathfinding.js');
    const PF = await loadPathFinding();
    return new PF.AStarFinder().findPath(0, 0, 2, 0, new PF.Grid([[0, 0, 0]]));
  }), [[0, 0], [1, 0], [2, 0]]);
});

await test('nothing on the console', () => same(said, []));

await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
