// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// What is used of gifenc, which comes without types.
declare module 'gifenc' {
  export type Colors = number[][];
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, colors: number): Colors;
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, colors: Colors): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { palette?: Colors; delay?: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
