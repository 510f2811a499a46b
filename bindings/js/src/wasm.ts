// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
/// <reference lib="esnext.disposable" preserve="true" />

// What lies below the classes: the module with its few imports, its memory, and handles.

import { C, structSizes, type Face } from './face.js';

/** Names of the statuses, by their numbers in octile.h. */
export const statusNames = [
  'found', 'partial', 'no_path', 'start_blocked', 'goal_blocked', 'start_out_of_bounds', 'goal_out_of_bounds',
  'limit_reached', 'cancelled', 'not_loaded', 'cost_overflow', 'out_of_memory', 'stale_index', 'bad_argument',
] as const;
export type Status = (typeof statusNames)[number];

/** What every failing call throws: `status` says what kind of failure it is, `message` why, in one line. */
export class OctileError extends Error {
  override name = 'OctileError';
  readonly status: Status;
  constructor(status: Status, message: string) {
    super(message);
    this.status = status;
  }
}

export function bad(message: string): OctileError {
  return new OctileError('bad_argument', message);
}

/** A value of any kind, for messages. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${value.constructor?.name ?? 'object without a class'}`;
}

/** A number that the engine takes as int32; anything else would silently become another cell. */
export function int(value: number, name: string): number {
  if (typeof value !== 'number' || (value | 0) !== value) throw bad(`${name} must be a 32-bit integer, not ${show(value)}`);
  return value;
}

/** A number; the engine looks whether it makes sense. */
export function real(value: number, name: string): number {
  if (typeof value !== 'number') throw bad(`${name} must be a number, not ${show(value)}`);
  return value;
}

/** Options, a rectangle, a point: an object, and no list. */
export function record<T extends object>(value: T, name: string): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(`${name} must be an object, not ${show(value)}`);
  return value;
}

export function array<T>(value: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(value)) throw bad(`${name} must be an array, not ${show(value)}`);
  return value;
}

/** An array or a typed array of numbers. */
export function numbers(value: ArrayLike<number>, name: string): ArrayLike<number> {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && 'length' in value)) {
    throw bad(`${name} must be an array or a typed array, not ${show(value)}`);
  }
  return value;
}

export function called<T extends (...list: never[]) => unknown>(value: T, name: string): T {
  if (typeof value !== 'function') throw bad(`${name} must be a function, not ${show(value)}`);
  return value;
}

/** For a call of `wasm`: what it is the engine looks at. */
export function handleOf(thing: Owned, wasm: Wasm, name: string): bigint {
  if (!(thing instanceof Owned)) throw bad(`${name} is wanted, not ${show(thing)}`);
  return thing.handleFor(wasm, name);
}

export function count(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw bad(`${name} must be a count, not ${show(value)}`);
  return value;
}

/** Refuses what is not a list of whole numbers from 0 to `most`. */
export function whole(list: ArrayLike<number>, most: number, name: string): void {
  for (let i = 0; i < list.length; i++) {
    // Truth values are 0 and 1.
    const given: unknown = list[i];
    const value = typeof given === 'number' ? given : typeof given === 'boolean' ? Number(given) : NaN;
    if (!(Number.isInteger(value) && value >= 0 && value <= most)) {
      throw bad(`${name} must be whole numbers from 0 to ${most}, not ${show(list[i])} (at ${i})`);
    }
  }
}

/** The place of a word in a list of words. */
export function choice(value: string, list: readonly string[], name: string): number {
  const at = list.indexOf(value);
  if (at < 0) throw bad(`${name} must be one of ${list.join(', ')}, not ${show(value)}`);
  return at;
}

export interface Point { x: number; y: number }
export interface Rect { x: number; y: number; width: number; height: number }
/** Cells, in any of the usual forms: flat `[x0, y0, x1, y1, ...]`, pairs, or objects. */
export type Cells = Int32Array | readonly number[] | readonly (readonly [number, number])[] | readonly Point[];

export type WasmSource = WebAssembly.Module | BufferSource | Response | PromiseLike<Response> | URL | string;

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** The bytes of a file, or of a text as one. */
export function fileBytes(data: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof data === 'string') return utf8.encode(data);
  if (data instanceof Uint8Array) return data;
  // Of another realm, too.
  if (Object.prototype.toString.call(data) !== '[object ArrayBuffer]') throw bad(`a text, a Uint8Array or an ArrayBuffer is wanted, not ${show(data)}`);
  return new Uint8Array(data);
}

const unitBytes = { u8: 1, u16: 2, u32: 4, f64: 8 } as const;

export class Wasm {
  readonly face!: Face;
  /** By the `user` of an octile_progress. */
  readonly progress = new Map<number, (done: number) => void>();
  #u8 = new Uint8Array(0);
  #u16 = new Uint16Array(0);
  #i32 = new Int32Array(0);
  #u32 = new Uint32Array(0);
  #f64 = new Float64Array(0);
  #u64 = new BigUint64Array(0);
  #top = 0;
  #end = 0;
  readonly #large: number[] = [];

  static async start(module: WebAssembly.Module): Promise<Wasm> {
    const wasm = new Wasm();
    const { exports } = await WebAssembly.instantiate(module, wasm.imports());
    wasm.begin(exports as unknown as Face);
    return wasm;
  }

  private begin(face: Face): void {
    (this as { face: Face }).face = face;
    face._initialize();
    if (face.octile_abi_version() !== C.ABI_VERSION) throw bad('octile.wasm belongs to another version of this package');
    const stack = 1 << 16;
    this.#top = this.malloc(stack);
    this.#end = this.#top + stack;
    for (const [name, size] of Object.entries(structSizes)) {
      const is = this.frame(() => face.octile_sizeof(this.text(name)));
      if (is !== size) throw bad(`octile.wasm has another ${name}`);
    }
  }

  /** All that the module asks of its host: the clock, and a place for what C's library might print. */
  imports(): WebAssembly.Imports {
    const unable = (): number => 8; // EBADF: there are no files
    return {
      octile: {
        progress: (user: number, done: number): void => this.progress.get(user)?.(done),
      },
      wasi_snapshot_preview1: {
        clock_time_get: (clock: number, _precision: bigint, out: number): number => {
          const ms = clock === 0 ? Date.now() : performance.now();
          this.u64[out >> 3] = BigInt(Math.round(ms * 1e6));
          return 0;
        },
        fd_write: (file: number, list: number, length: number, written: number): number => {
          if (file !== 1 && file !== 2) return unable();
          let text = '';
          let bytes = 0;
          for (let i = 0; i < length; ++i) {
            const at = this.u32[(list >> 2) + 2 * i]!;
            const size = this.u32[(list >> 2) + 2 * i + 1]!;
            text += fromUtf8.decode(this.u8.slice(at, at + size));
            bytes += size;
          }
          if (text.trim()) console[file === 1 ? 'log' : 'error'](text.trimEnd());
          this.u32[written >> 2] = bytes;
          return 0;
        },
        fd_close: unable,
        fd_seek: unable,
      },
    };
  }

  // Growing the memory detaches every array on it; the next one who asks gets a new one.
  get u8(): Uint8Array { return this.#u8.length ? this.#u8 : (this.#u8 = new Uint8Array(this.face.memory.buffer)); }
  get u16(): Uint16Array { return this.#u16.length ? this.#u16 : (this.#u16 = new Uint16Array(this.face.memory.buffer)); }
  get i32(): Int32Array { return this.#i32.length ? this.#i32 : (this.#i32 = new Int32Array(this.face.memory.buffer)); }
  get u32(): Uint32Array { return this.#u32.length ? this.#u32 : (this.#u32 = new Uint32Array(this.face.memory.buffer)); }
  get f64(): Float64Array { return this.#f64.length ? this.#f64 : (this.#f64 = new Float64Array(this.face.memory.buffer)); }
  get u64(): BigUint64Array {
    return this.#u64.length ? this.#u64 : (this.#u64 = new BigUint64Array(this.face.memory.buffer));
  }

  // --- Errors

  error(status: number): OctileError {
    const message = this.frame(() => {
      const text = this.alloc(256);
      this.face.octile_message(text, 256);
      return this.string(text);
    });
    return new OctileError(statusNames[status] ?? 'bad_argument', message);
  }

  check(status: number): void {
    if (status !== 0) throw this.error(status);
  }

  // --- Memory

  malloc(bytes: number): number {
    const at = this.face.malloc(bytes || 1) >>> 0;
    if (at === 0) throw new OctileError('out_of_memory', `there are no ${bytes} bytes`);
    return at;
  }

  /** Everything that `body` allocates is given back when it returns. */
  frame<T>(body: () => T): T {
    const top = this.#top;
    const large = this.#large.length;
    try {
      return body();
    } finally {
      this.#top = top;
      while (this.#large.length > large) this.face.free(this.#large.pop()!);
    }
  }

  /** Until the frame ends; on a multiple of 8; not cleared. */
  alloc(bytes: number): number {
    const next = this.#top + ((bytes + 7) & ~7);
    if (bytes < 65536 && next <= this.#end) {
      const at = this.#top;
      this.#top = next;
      return at;
    }
    const at = this.malloc(bytes);
    this.#large.push(at);
    return at;
  }

  /** The same, all zero, as C's `= {0}`; with the size in its first word. */
  struct(bytes: number): number {
    const at = this.alloc(bytes);
    this.u8.fill(0, at, at + bytes);
    this.u32[at >> 2] = bytes;
    return at;
  }

  bytes(data: ArrayLike<number>, name = 'bytes'): number {
    numbers(data, name);
    // Typed arrays would cut what does not fit without a word.
    if (!(data instanceof Uint8Array)) whole(data, 255, name);
    const at = this.alloc(data.length);
    this.u8.set(data, at);
    return at;
  }

  text(text: string, name = 'the text'): number {
    if (typeof text !== 'string') throw bad(`${name} must be a text, not ${show(text)}`);
    return this.bytes(utf8.encode(`${text}\0`));
  }

  doubles(data: ArrayLike<number>, name = 'the list'): number {
    for (let i = 0; i < numbers(data, name).length; ++i) real(data[i]!, `${name}[${i}]`);
    const at = this.alloc(data.length * 8);
    this.f64.set(data, at >> 3);
    return at;
  }

  rect(rect: Rect): number {
    record(rect, 'rect');
    const at = this.alloc(16);
    const to = this.i32;
    to[at >> 2] = int(rect.x, 'x');
    to[(at >> 2) + 1] = int(rect.y, 'y');
    to[(at >> 2) + 2] = int(rect.width, 'width');
    to[(at >> 2) + 3] = int(rect.height, 'height');
    return at;
  }

  cells(list: Cells): { at: number; count: number } {
    const flat = flatCells(list);
    const at = this.alloc(flat.length * 4);
    this.i32.set(flat, at >> 2);
    return { at, count: flat.length / 2 };
  }

  string(at: number): string {
    const { u8 } = this;
    let end = at;
    while (u8[end]) ++end;
    return fromUtf8.decode(u8.slice(at, end));
  }

  /** A 64-bit count; exact to 2^53. */
  number64(at: number): number {
    return this.u32[at >> 2]! + this.u32[(at >> 2) + 1]! * 4294967296;
  }

  set64(at: number, value: number): void {
    this.u32[at >> 2] = value >>> 0;
    this.u32[(at >> 2) + 1] = Math.floor(value / 4294967296);
  }

  /** `read(out, capacity, length)` is asked for the length, then for the values of `unit` bytes. */
  list(unit: number, read: (out: number, capacity: number, length: number) => number): { at: number; count: number } {
    const length = this.alloc(8);
    this.check(read(0, 0, length));
    const n = this.u32[length >> 2]!;
    const at = this.alloc(n * unit);
    if (n) this.check(read(at, n, length));
    return { at, count: n };
  }

  byteList(read: (out: number, capacity: number, length: number) => number): Uint8Array {
    return this.frame(() => {
      const { at, count: n } = this.list(1, read);
      return this.u8.slice(at, at + n);
    });
  }

  cellList(read: (out: number, capacity: number, length: number) => number): Int32Array {
    return this.frame(() => {
      const { at, count: n } = this.list(8, read);
      return this.i32.slice(at >> 2, (at >> 2) + 2 * n);
    });
  }

  /** The values of a rectangle, row by row, read by one of the functions that take (rect, out, stride). */
  rectangle<K extends keyof typeof unitBytes>(
    kind: K, rect: Rect, read: (rect: number, out: number, stride: number) => number,
  ): Wasm[K] {
    return this.frame(() => {
      const at = this.rect(rect);
      const unit = unitBytes[kind];
      const width = Math.max(0, rect.width);
      const size = width * Math.max(0, rect.height);
      if (size * unit > 0xffffffff) throw bad('the rectangle holds more than fits in memory');
      const out = this.alloc(size * unit);
      this.check(read(at, out, width));
      return this[kind].slice(out / unit, out / unit + size) as Wasm[K];
    });
  }

  /** What `create(out)` made. */
  created(create: (out: number) => number): bigint {
    return this.frame(() => {
      const out = this.alloc(8);
      this.check(create(out));
      return this.u64[out >> 3]!;
    });
  }
}

/** `[x0, y0, x1, y1, ...]` of any of the forms of a list of cells. */
export function flatCells(list: Cells): Int32Array {
  if (list instanceof Int32Array) {
    if (list.length % 2) throw bad('a flat list of cells has two numbers for each cell');
    return list;
  }
  if (!Array.isArray(list)) throw bad(`a list of cells is an Int32Array or an array, not ${show(list)}`);
  const first: unknown = list[0];
  if (typeof first === 'number') {
    if (list.length % 2) throw bad('a flat list of cells has two numbers for each cell');
    return Int32Array.from(list as number[], (value) => int(value, 'a coordinate'));
  }
  const flat = new Int32Array(list.length * 2);
  list.forEach((cell: unknown, i) => {
    if (typeof cell !== 'object' || cell === null) throw bad(`a cell is a pair [x, y] or an object { x, y }, not ${show(cell)}`);
    const [x, y] = Array.isArray(cell) ? (cell as number[]) : [(cell as Point).x, (cell as Point).y];
    flat[2 * i] = int(x as number, 'a coordinate');
    flat[2 * i + 1] = int(y as number, 'a coordinate');
  });
  return flat;
}

// What was forgotten is given back some time after its object was collected.
const forgotten = typeof FinalizationRegistry === 'undefined'
  ? undefined
  : new FinalizationRegistry<() => void>((end) => end());

export interface Owned extends Disposable {}

/** Something that lives in WebAssembly's memory, to be given back by dispose(). */
export abstract class Owned {
  /** @internal */
  readonly wasm: Wasm;
  /** @internal 0 once it was disposed: every call is refused then. Others ask handleFor(). */
  protected handle: bigint;
  #end: (() => void) | undefined;

  /** @internal `end` must not hold on to this object. */
  protected constructor(wasm: Wasm, handle: bigint, end: () => void) {
    this.wasm = wasm;
    this.handle = handle;
    this.#end = end;
    forgotten?.register(this, end, this);
  }

  get disposed(): boolean {
    return this.#end === undefined;
  }

  /** @internal For a call of its own module: in another one the number may be some other thing's. */
  handleFor(wasm: Wasm, name: string): bigint {
    if (wasm !== this.wasm) throw bad(`${name} belongs to another Octile`);
    // Zero would mean that there is none.
    if (this.disposed) throw bad(`${name} was disposed`);
    return this.handle;
  }

  /** Gives its memory back; a second call does nothing. Objects made from it live on. */
  dispose(): void {
    if (!this.#end) return;
    forgotten?.unregister(this);
    this.#end();
    this.#end = undefined;
    this.handle = 0n;
  }
}
if (typeof Symbol.dispose === 'symbol') {
  Object.defineProperty(Owned.prototype, Symbol.dispose, {
    value(this: Owned) { this.dispose(); },
    configurable: true,
    writable: true,
  });
}

const isNode = typeof process === 'object' && typeof process.versions?.node === 'string';
declare const process: { versions?: { node?: string } };

/** Fetches or reads, and compiles. */
export async function compile(source?: WasmSource): Promise<WebAssembly.Module> {
  let from = await (source ?? new URL('octile.wasm', import.meta.url));
  if (typeof WebAssembly.Module === 'function' && from instanceof WebAssembly.Module) return from;
  if (typeof from === 'string' || from instanceof URL) {
    const url = String(from);
    if (isNode && !/^(https?|data|blob):/.test(url)) {
      const name = 'node:fs/promises'; // by a variable, so that no bundler looks for it
      const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as {
        readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
      };
      from = await readFile(from);
    } else {
      from = await fetch(from);
    }
  }
  if (typeof Response === 'function' && from instanceof Response) {
    if (!from.ok) throw bad(`octile.wasm could not be loaded: ${from.status} ${from.statusText}`);
    // Some servers do not know the type of the file.
    if (from.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(from);
    from = await from.arrayBuffer();
  }
  return WebAssembly.compile(from as BufferSource);
}
