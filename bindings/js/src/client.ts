// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// A path finder in a worker: the page never waits for it.

import { cancelledAnswer, PathRequest, receiveError, type RequestOptions, type SentError } from './queue.js';
import type { Answer } from './search.js';
import { int, type Rect } from './wasm.js';
import type { IndexOptions } from './view.js';
import type { MapBase, MapSource, Profile, Terrain } from './world.js';

export interface WorkerOptions {
  /** The text or bytes of a map file, or arrays. */
  map: string | Uint8Array | ArrayBuffer | MapSource;
  profile?: Profile;
  base?: MapBase;
  /** Build this index first: then paths take no search at all, until the map is edited. */
  index?: Omit<IndexOptions, 'progress'>;
  /** About so many nodes are expanded before the worker looks for messages; default 20,000. */
  expansionsPerSlice?: number;
  /** The compiled module, or where it lies; default: beside this file. */
  wasm?: WebAssembly.Module | string;
}

/** @internal */
export type ToWorker =
  | ({ kind: 'start'; id: number } & WorkerOptions)
  | { kind: 'find'; id: number; ends: readonly [number, number, number, number]; options: RequestOptions }
  | { kind: 'cancel'; id: number; request: number }
  | { kind: 'edit'; id: number; fills: readonly { rect: Rect; terrain: Terrain | Uint8Array }[] }
  | { kind: 'avoid'; id: number; x: number; y: number; cost?: number }
  | { kind: 'clear'; id: number };

/** @internal */
export interface FromWorker { id: number; answer?: Answer; error?: SentError }

type Message = ToWorker extends infer M ? (M extends ToWorker ? Omit<M, 'id'> : never) : never;

interface Thread {
  postMessage(message: unknown): void;
  end(): void;
}

type Hear = (message: FromWorker) => void;

async function startThread(hear: Hear, failed: (error: Error) => void): Promise<Thread> {
  if (typeof Worker === 'function') {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }) => hear(data as FromWorker));
    worker.addEventListener('error', (event) => failed(new Error(event.message || 'the worker could not be started')));
    return { postMessage: (message) => worker.postMessage(message), end: () => worker.terminate() };
  }
  const name = 'node:worker_threads';
  const threads = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
    Worker: new (url: URL) => {
      on(kind: 'message', hear: Hear): void;
      on(kind: 'error', hear: (error: Error) => void): void;
      postMessage(message: unknown): void;
      terminate(): Promise<number>;
    };
  };
  const worker = new threads.Worker(new URL('./worker.js', import.meta.url));
  worker.on('message', hear);
  worker.on('error', failed);
  return { postMessage: (message) => worker.postMessage(message), end: () => void worker.terminate() };
}

export class PathWorker {
  #thread!: Thread;
  #next = 1;
  #ended: Error | undefined;
  readonly #open = new Map<number, { resolve(answer?: Answer): void; reject(error: unknown): void }>();

  private constructor() {}

  /** Starts a worker with a map of its own. */
  static async start(options: WorkerOptions): Promise<PathWorker> {
    const it = new PathWorker();
    try {
      // Messages to a module that is still loading would be lost in Node.
      await new Promise<void>((resolve, reject) => {
        it.#open.set(0, { resolve: () => resolve(), reject });
        startThread((message) => it.#hear(message), (error) => it.#fail(error)).then((thread) => { it.#thread = thread; }, reject);
      });
      await it.#ask({ kind: 'start', ...options });
      return it;
    } catch (error) {
      it.dispose();
      throw error;
    }
  }

  #hear({ id, answer, error }: FromWorker): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (error) open?.reject(receiveError(error));
    else open?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  #ask(message: Message): Promise<void> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: () => resolve(), reject });
      this.#thread.postMessage({ ...message, id });
    });
  }

  /** Requests that have no answer yet. */
  get length(): number {
    return this.#open.size;
  }

  /** Answered on the map as it is after the edits before it; cancel() takes effect at once. */
  find(
    startX: number, startY: number, goalX: number, goalY: number, options: RequestOptions = {}, callback?: (answer: Answer) => void,
  ): PathRequest {
    const ends = [int(startX, 'startX'), int(startY, 'startY'), int(goalX, 'goalX'), int(goalY, 'goalY')] as const;
    const id = this.#next++;
    const request = new PathRequest((it) => {
      if (!this.#open.delete(id)) return;
      it.resolve(cancelledAnswer());
      void this.#ask({ kind: 'cancel', request: id }).catch(() => undefined);
    }, callback);
    if (this.#ended) {
      request.reject(this.#ended);
      return request;
    }
    this.#open.set(id, { resolve: (answer) => request.resolve(answer!), reject: request.reject });
    this.#thread.postMessage({ kind: 'find', id, ends, options } satisfies ToWorker);
    return request;
  }

  /** Fills rectangles with a terrain, or stamps terrain numbers row by row, and commits. */
  edit(...fills: { rect: Rect; terrain: Terrain | Uint8Array }[]): Promise<void> {
    return this.#ask({ kind: 'edit', fills });
  }

  /** Requests made from now on treat the cell as a wall, or pay `cost` more to enter it. */
  avoid(x: number, y: number, cost?: number): Promise<void> {
    return this.#ask(cost === undefined ? { kind: 'avoid', x, y } : { kind: 'avoid', x, y, cost });
  }

  /** Forgets all of them. */
  stopAvoiding(): Promise<void> {
    return this.#ask({ kind: 'clear' });
  }

  /** Ends the worker; requests without an answer are `cancelled`. */
  dispose(): void {
    const error = new Error('the worker was disposed');
    this.#ended ??= error;
    this.#thread?.end();
    for (const { resolve } of this.#open.values()) resolve(cancelledAnswer());
    this.#open.clear();
  }
}
