// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The script that PathWorker runs: a world and a queue, between messages.

import type { FromWorker, ToWorker } from './client.js';
import { Octile } from './octile.js';
import { PathQueue, sendError, type PathRequest } from './queue.js';
import { bad } from './wasm.js';
import type { World } from './world.js';

interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  listen(hear: (message: ToWorker) => void): void;
}

async function port(): Promise<Port> {
  const scope = globalThis as unknown as {
    postMessage?: Port['postMessage'];
    addEventListener?(kind: 'message', hear: (event: { data: ToWorker }) => void): void;
    WorkerGlobalScope?: unknown;
  };
  if (scope.WorkerGlobalScope && scope.postMessage) {
    return {
      postMessage: (message, transfer = []) => scope.postMessage!(message, transfer),
      listen: (hear) => scope.addEventListener!('message', ({ data }) => hear(data)),
    };
  }
  const name = 'node:worker_threads';
  const { parentPort } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    parentPort: { postMessage: Port['postMessage']; on(kind: 'message', hear: (message: ToWorker) => void): void };
  };
  return {
    postMessage: (message, transfer) => parentPort.postMessage(message, transfer),
    listen: (hear) => parentPort.on('message', hear),
  };
}

let world: World;
let queue: PathQueue;
let budget = 20000;
let out: Port;
let running = false;
const requests = new Map<number, PathRequest>();

function say(message: FromWorker, transfer?: Transferable[]): void {
  out.postMessage(message, transfer);
}

// A slice, then a turn for the messages that came in the meantime.
function run(): void {
  queue.update(budget);
  running = queue.length > 0;
  if (running) setTimeout(run);
}

async function start(message: Extract<ToWorker, { kind: 'start' }>): Promise<void> {
  const octile = await Octile.load(message.wasm);
  world = octile.world(message.map, message.profile, message.base);
  if (message.index) {
    const view = world.view();
    const index = view.buildIndex(message.index);
    world.adopt(index);
    index.dispose();
    view.dispose();
  }
  budget = message.expansionsPerSlice ?? budget;
  if (!(Number.isSafeInteger(budget) && budget > 0)) throw bad(`expansionsPerSlice must be a positive count, not ${budget}`);
  queue = new PathQueue(octile, world);
}

function find({ id, ends, options }: Extract<ToWorker, { kind: 'find' }>): void {
  const request = queue.find(...ends, options);
  requests.set(id, request);
  request.promise.then(
    (answer) => say({ id, answer }, answer.path.length ? [answer.path.buffer as ArrayBuffer] : []),
    (error: unknown) => say({ id, error: sendError(error) }),
  ).finally(() => requests.delete(id));
  if (!running) {
    running = true;
    setTimeout(run);
  }
}

function hear(message: ToWorker): Promise<void> | void {
  switch (message.kind) {
    case 'start': return start(message);
    case 'find': return find(message);
    case 'cancel': return requests.get(message.request)?.cancel();
    case 'edit':
      for (const { rect, terrain } of message.fills) {
        if (typeof terrain === 'object') world.stamp(rect, terrain);
        else world.fill(rect, terrain);
      }
      world.commit();
      return undefined;
    case 'avoid':
      if (message.cost === undefined) queue.avoid(message.x, message.y);
      else queue.setExtraCost(message.x, message.y, message.cost);
      return undefined;
    case 'clear':
      queue.stopAvoidingAll();
      queue.removeAllExtraCosts();
      return undefined;
  }
}

out = await port();
out.listen((message) => {
  void (async () => {
    try {
      await hear(message);
      if (message.kind !== 'find') say({ id: message.id });
    } catch (error) {
      say({ id: message.id, error: sendError(error) });
    }
  })();
});
say({ id: 0 });
