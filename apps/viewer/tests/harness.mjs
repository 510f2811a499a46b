// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// Serves dist/, opens it in one Chromium and runs tests, some side by side, each in a context of its
// own. Any message of the console that is a warning or an error fails the test in which it came.
//
// A machine may be slow and busy: tests wait for conditions, never for a time; what must happen within
// a time of the page is done in the page, or sent to it at once; what may be slow is held against the
// time of the processor that the page itself has taken.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tests = [];
export const test = (name, run) => tests.push({ name, run });
/** One that measures: nothing else runs meanwhile. */
export const measuringTest = (name, run) => tests.push({ name, run, alone: true });

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}
export function equal(is, wanted, what) {
  if (is !== wanted) throw new Error(`${what}: ${is} instead of ${wanted}`);
}

/** Milliseconds after which something hangs. */
const kPatience = 180_000;

/** The command line program that numbers are compared with, and a folder for screenshots. */
export const octile = process.env.OCTILE ?? join(root, '../../build/release/octile');
export const shots = process.env.OCTILE_SHOTS;

// --- What tests do to the page --------------------------------------------------------------

/** The map is there and the newest question answered. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const { state, session } = window.octileViewer;
    return state.map.value && !state.loading.value && state.answers.value[0] && session.idle();
  });
}
/** What has changed is painted: draws are asked for at once and made in the next frame. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const read = (page, expression) => page.evaluate((text) => new Function('v', `return ${text}`)(window.octileViewer), expression);
/** The expression comes to have this value: what a gesture does may be done after the gesture. */
export async function becomes(page, expression, wanted, what) {
  await page
    .waitForFunction(([text, value]) => new Function('v', `return ${text}`)(window.octileViewer) === value, [expression, wanted])
    .catch(() => {});
  equal(await read(page, expression), wanted, what);
}
/** Clicks a button as soon as the expression holds, in the page: nothing goes on in between. */
export const clickWhen = (page, expression, name) =>
  page.evaluate(([text, label]) => {
    const holds = new Function('v', `return ${text}`);
    return new Promise((done) => {
      const look = () => {
        if (!holds(window.octileViewer)) return requestAnimationFrame(look);
        document.querySelector(`button[aria-label="${label}"]`).click();
        return done();
      };
      look();
    });
  }, [expression, name]);
/** Where a cell's middle lies on the screen. */
export async function at(page, x, y, pane = 0) {
  const box = await page.locator(`[data-stage="${pane}"]`).boundingBox();
  const [dx, dy] = await page.evaluate(([cx, cy]) => window.octileViewer.state.camera.toScreen(cx + 0.5, cy + 0.5), [x, y]);
  return [box.x + dx, box.y + dy];
}
export async function drop(page, files) {
  const data = await page.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, type, bytes } of list) transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return transfer;
  }, files.map((file) => ({ ...file, bytes: [...Buffer.from(file.bytes)] })));
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('.page', type, { dataTransfer: data });
}
export const text = (name, bytes) => ({ name, type: '', bytes });
/** Drops a map and waits until it is there; then puts the ends, if there are any, and waits for the path. */
export async function dropMap(page, name, map, start, goal) {
  await drop(page, [text(name, map)]);
  await page.waitForFunction((wanted) => window.octileViewer.state.map.value.name === wanted, name);
  if (!start) return;
  await page.evaluate(([from, to]) => {
    window.octileViewer.state.start.value = from;
    window.octileViewer.state.goal.value = to;
  }, [start, goal]);
  await settled(page);
}
/** Opens a bundled scene. */
export async function choose(page, scene) {
  await page.waitForFunction(() => window.octileViewer.state.map.value);
  await page.getByLabel('Scene').selectOption(scene);
  await page.waitForFunction((name) => window.octileViewer.state.map.value.scene === name, scene);
}
export const unitsReady = (page) =>
  page.waitForFunction(() => window.octileViewer.units.report.value && !window.octileViewer.units.busy.value);
/** Seconds of the processor that the page has taken until now: its main thread, and all threads with its workers. */
export async function clockOf(page) {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Performance.enable');
  return async () => {
    const { metrics } = await wire.send('Performance.getMetrics');
    const metric = (which) => metrics.find(({ name }) => name === which).value;
    return { main: metric('ThreadTime'), all: metric('ProcessTime') };
  };
}
export const cameraOf = (page) => read(page, '({scale: v.state.camera.scale, x: v.state.camera.x, y: v.state.camera.y})');
export async function controlsHaveNames(page) {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input')]
      .filter((node) => !node.getAttribute('aria-label') && !node.textContent.trim() && !node.labels?.[0]?.textContent.trim())
      .map((node) => node.outerHTML.slice(0, 80)),
  );
  equal(nameless.length, 0, `controls without a name (${nameless[0]})`);
}

/** Nothing lies beyond the page's sides, and no control over another; lists that scroll are left out. */
export async function fits(page, where) {
  const faults = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const faults = [];
    if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
    const within = document.querySelector('dialog[open]') ?? document;
    const scrolls = (node) => {
      for (let up = node.parentElement; up; up = up.parentElement) {
        if (up.scrollWidth > up.clientWidth && /auto|scroll/.test(getComputedStyle(up).overflowX) && !up.matches('.panel')) return true;
      }
      return false;
    };
    const name = (node) => node.getAttribute('aria-label') ?? node.textContent.trim().slice(0, 30);
    const list = [...within.querySelectorAll('button, select, input, a[href], h1, h2, p, dd, .card')]
      .filter((node) => node.checkVisibility() && !node.closest('.hidden') && !scrolls(node))
      .map((node) => ({ node, box: node.getBoundingClientRect() }));
    for (const { node, box } of list) {
      if (box.left < -0.5 || box.right > width + 0.5) faults.push(`'${name(node)}' from ${box.left} to ${box.right}`);
    }
    // What floats over the map has no part in what scrolls below.
    const floating = list.filter(({ node }) => node.matches('button, select, input') && (node.closest('.map-area, .bar')));
    floating.forEach(({ node, box }, at) => {
      for (const other of floating.slice(at + 1)) {
        const [a, b] = [box, other.box];
        const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
        if (over) faults.push(`'${name(node)}' and '${name(other.node)}' overlap`);
      }
    });
    return faults;
  });
  equal(faults.join('; '), '', where);
}

/** Each text has 4.5 times the contrast to what is behind it (WCAG 2.2, 1.4.3), but where it is switched off. */
export async function readable(page, where) {
  const faults = await page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgba = (colour) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = (rgb) => {
      const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const within = document.querySelector('dialog[open]') ?? document.body;
    const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    const faults = new Set();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const node = text.parentElement;
      if (!text.data.trim() || !node.checkVisibility() || node.closest('.hidden, option, :disabled, [data-disabled=true], [data-off=true], canvas')) continue;
      let behind = node;
      while (behind && rgba(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
      if (!behind) continue;
      const [a, b] = [light(rgba(getComputedStyle(node).color).slice(0, 3)), light(rgba(getComputedStyle(behind).backgroundColor).slice(0, 3))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) faults.add(`'${text.data.trim().slice(0, 30)}' has ${contrast.toFixed(2)}`);
    }
    return [...faults];
  });
  equal(faults.join('; '), '', where);
}

// --- Running them ---------------------------------------------------------------------------

const browserPath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .filter(Boolean)
  .find((path) => existsSync(path));

/** How many tests at once: most of their time is waiting for the page's own clock. */
const jobs = Number(process.env.OCTILE_JOBS) || availableParallelism() + 2;

/** Runs all tests whose name holds the argument, once more alone what failed; prints a line for each run, ends with the sum. */
export async function main() {
  if (!browserPath) {
    console.log('no Chromium; install chromium or set CHROMIUM');
    console.log('0 passed, 1 failed');
    process.exit(1);
  }
  const server = await preview({ root, logLevel: 'error', preview: { port: 0, host: '127.0.0.1', open: false } });
  const url = server.resolvedUrls.local[0];
  // Without a graphics card Chromium's own painter takes less time than an emulated card.
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] });
  const chosen = tests.filter(({ name }) => name.includes(process.argv[2] ?? ''));
  let passed = 0;
  const failed = [];
  const one = async (test) => {
    const { name, run } = test;
    const noise = [];
    const lines = [];
    const contexts = [];
    const from = performance.now();
    const open = async (hash = '', options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(kPatience);
      page.on('console', (message) => {
        // The tests' own reading of canvases.
        if (message.text().includes('willReadFrequently')) return;
        if (['error', 'warning'].includes(message.type())) noise.push(message.text());
      });
      page.on('pageerror', (error) => noise.push(String(error)));
      await page.goto(url + hash);
      return page;
    };
    try {
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it hangs')), 4 * kPatience).unref());
      await Promise.race([run({ open, noise, tell: (line) => lines.push(line) }), late]);
      assert(noise.length === 0, `the console says: ${noise.join('; ')}`);
      ++passed;
      lines.unshift(`ok      ${name} (${Math.round(performance.now() - from)} ms)`);
    } catch (error) {
      failed.push(test);
      const place = /\w+_test\.mjs:\d+/.exec(error.stack)?.[0] ?? '';
      lines.unshift(`FAILED  ${name}: ${error.message.split('\n').slice(0, 3).join(' ')} (${place})`);
      for (const page of contexts.flatMap((context) => context.pages())) {
        await page.screenshot({ path: join(root, 'test-results', `${name.replace(/\W+/g, '_')}.png`) }).catch(() => {});
      }
    }
    console.log(lines.join('\n        '));
    for (const context of contexts) await context.close();
  };
  for (const it of chosen.filter(({ alone }) => alone)) await one(it);
  const rest = chosen.filter(({ alone }) => !alone);
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (let it = rest.shift(); it; it = rest.shift()) await one(it);
    }),
  );
  // What fails where all run at once and passes alone is no defect of the page; both lines stay above.
  for (const it of failed.splice(0)) await one(it);
  await browser.close();
  await server.close();
  console.log(`${passed} passed, ${chosen.length - passed} failed`);
  process.exit(passed === chosen.length && passed > 0 ? 0 : 1);
}
