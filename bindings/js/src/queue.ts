// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Requests that are answered a slice at a time: in a frame's budget, or in a worker.

import type { Octile } from './octile.js';
import type { Answer, FindOptions, Searcher } from './search.js';
import { bad, count, flatCells, int, OctileError, real, record } from './wasm.js';
import type { View } from './view.js';
import type { World } from './world.js';

/** What can be asked of a queue or a worker: everything but what lives in this thread's memory. */
export type RequestOptions = Omit<FindOptions, 'cancel' | 'trace'>;

/** An answer to come: await it, or take it in a callback; cancel() makes it `cancelled`. */
export class PathRequest implements PromiseLike<Answer> {
  readonly promise: Promise<Answer>;
  /** @internal */
  resolve!: (answer: Answer) => void;
  /** @internal */
  reject!: (error: unknown) => void;
  #cancel: () => void;

  /** @internal */
  constructor(cancel: (request: PathRequest) => void, callback?: (answer: Answer) => void) {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.#cancel = () => cancel(this);
    if (callback) this.promise.then(callback, () => undefined);
  }

  /** Ends it; nothing happens when it has its answer already. */
  cancel(): void {
    this.#cancel();
  }

  then<A = Answer, B = never>(
    done?: ((answer: Answer) => A | PromiseLike<A>) | null, failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.promise.then(done, failed);
  }
}

export function cancelledAnswer(): Answer {
  return {
    status: 'cancelled', cost: 0, costUnits: 0n, bound: 1, version: 0, expanded: 0, generated: 0, goalIndex: 0,
    length: 0, path: new Int32Array(0), solver: '', message: 'the request was cancelled',
  };
}

function key(x: number, y: number): string {
  return `${int(x, 'x')},${int(y, 'y')}`;
}

interface Waiting {
  request: PathRequest;
  ends: readonly [number, number, number, number];
  options: RequestOptions;
  view: View;
}

/**
 * Answers requests in the order in which they came, on this thread: call update() once a frame. Each
 * is answered on the map as it was committed when it was made.
 */
export class PathQueue {
  /** About so many nodes are expanded by each update(). */
  expansionsPerUpdate: number;
  readonly #world: World;
  readonly #profile: number | undefined;
  readonly #searcher: Searcher;
  readonly #waiting: Waiting[] = [];
  readonly #avoided = new Map<string, [number, number]>();
  readonly #costs = new Map<string, { x: number; y: number; cost: number }>();
  #current: Waiting | undefined;

  constructor(octile: Octile, world: World, options: { expansionsPerUpdate?: number; profile?: number } = {}) {
    this.#world = world;
    this.#profile = options.profile;
    this.#searcher = octile.searcher();
    this.expansionsPerUpdate = options.expansionsPerUpdate ?? 2000;
  }

  /** Requests that have no answer yet. */
  get length(): number {
    return this.#waiting.length + (this.#current ? 1 : 0);
  }

  find(
    startX: number, startY: number, goalX: number, goalY: number, options: RequestOptions = {}, callback?: (answer: Answer) => void,
  ): PathRequest {
    const ends = [int(startX, 'startX'), int(startY, 'startY'), int(goalX, 'goalX'), int(goalY, 'goalY')] as const;
    const request = new PathRequest((it) => this.#cancel(it), callback);
    this.#waiting.push({ request, ends, options: this.#everywhere(options), view: this.#world.view(this.#profile) });
    return request;
  }

  /** Requests made from now on treat the cell as a wall ... */
  avoid(x: number, y: number): void { this.#avoided.set(key(x, y), [x, y]); }
  stopAvoiding(x: number, y: number): void { this.#avoided.delete(key(x, y)); }
  stopAvoidingAll(): void { this.#avoided.clear(); }

  /** ... or pay this much more to enter it. */
  setExtraCost(x: number, y: number, cost: number): void {
    if (!(real(cost, 'cost') >= 0)) throw bad(`an extra cost must not be negative, not ${cost}`);
    this.#costs.set(key(x, y), { x, y, cost });
  }
  removeExtraCost(x: number, y: number): void { this.#costs.delete(key(x, y)); }
  removeAllExtraCosts(): void { this.#costs.clear(); }

  #everywhere(options: RequestOptions): RequestOptions {
    const own = { ...record(options, 'options') };
    if (this.#avoided.size) own.blocked = [...[...this.#avoided.values()].flat(), ...flatCells(options.blocked ?? [])];
    if (this.#costs.size) own.extraCosts = [...this.#costs.values(), ...(options.extraCosts ?? [])];
    return own;
  }

  /** Works for about so many expanded nodes; returns how many requests got their answer. */
  update(expansions = this.expansionsPerUpdate): number {
    let left = count(expansions, 'expansions');
    let answered = 0;
    while (left > 0 && (this.#current || this.#waiting.length)) {
      try {
        if (!this.#current) {
          this.#current = this.#waiting.shift()!;
          const { view, ends, options } = this.#current;
          this.#searcher.begin(view, ...ends, options);
        }
        // The engine looks up between slices; how much of one was used it does not tell.
        const slice = Math.min(left, 1024);
        const answer = this.#searcher.step(slice);
        left -= answer ? Math.min(slice, Math.max(answer.expanded % 1024, 16)) : slice;
        if (!answer) continue;
        ++answered;
        this.#done().resolve(answer);
      } catch (error) {
        ++answered;
        this.#done().reject(error);
      }
    }
    return answered;
  }

  #done(): PathRequest {
    const { request, view } = this.#current!;
    this.#current = undefined;
    view.dispose();
    return request;
  }

  #cancel(request: PathRequest): void {
    if (this.#current?.request === request) {
      this.#done().resolve(cancelledAnswer()); // the next begin() drops the search
      return;
    }
    const at = this.#waiting.findIndex((waiting) => waiting.request === request);
    if (at < 0) return;
    this.#waiting.splice(at, 1)[0]!.view.dispose();
    request.resolve(cancelledAnswer());
  }

  cancelAll(): void {
    if (this.#current) this.#cancel(this.#current.request);
    while (this.#waiting.length) this.#cancel(this.#waiting[0]!.request);
  }

  dispose(): void {
    this.cancelAll();
    this.#searcher.dispose();
  }
}

/** Errors lose their class on the way between threads. */
export interface SentError { status?: string; message: string }
export function sendError(error: unknown): SentError {
  return error instanceof OctileError ? { status: error.status, message: error.message } : { message: String(error) };
}
export function receiveError({ status, message }: SentError): Error {
  return status ? new OctileError(status as OctileError['status'], message) : new Error(message);
}
