// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
//
// A field of one goal, over the whole map. The package has no class for fields yet: this calls
// octile_field_* by what lies below its classes, and goes when there is one.

import type { View } from 'octile';
import type { Cell, FieldData } from './api';

interface Below {
  handle: bigint;
  wasm: {
    face: Record<string, (...values: (number | bigint)[]) => number>;
    i32: Int32Array;
    u32: Uint32Array;
    f64: Float64Array;
    u8: Uint8Array;
    u64: BigUint64Array;
    frame<T>(body: () => T): T;
    alloc(bytes: number): number;
    check(status: number): void;
    created(create: (out: number) => number): bigint;
  };
}

// octile_field_query in wasm32.
const kGoals = 8;
const kGoalCount = 12;
const kSizeof = 40;

export function readField(view: View, goal: Cell): FieldData {
  const { wasm, handle } = view as unknown as Below;
  const { x, y, width, height } = view.bounds;
  const { face } = wasm;
  const count = width * height;
  return wasm.frame(() => {
    const maker = wasm.created((out) => face.octile_field_maker_create!(out));
    const field = wasm.alloc(8);
    wasm.u64[field >> 3] = 0n;
    try {
      const query = wasm.alloc(kSizeof);
      wasm.check(face.octile_field_query_init!(query));
      const rect = wasm.alloc(16);
      wasm.i32.set([goal.x, goal.y], rect >> 2);
      wasm.u32[(query + kGoals) >> 2] = rect;
      wasm.u32[(query + kGoalCount) >> 2] = 1;
      wasm.check(face.octile_field_build!(maker, handle, query, field));
      wasm.i32.set([x, y, width, height], rect >> 2);
      const out = wasm.alloc(count * 8);
      const built = wasm.u64[field >> 3]!;
      wasm.check(face.octile_field_read!(built, rect, out, width));
      const distance = wasm.f64.slice(out >> 3, (out >> 3) + count);
      wasm.check(face.octile_field_flow!(built, rect, out, width));
      return { distance, flow: wasm.u8.slice(out, out + count) };
    } finally {
      if (wasm.u64[field >> 3]) face.octile_field_destroy!(wasm.u64[field >> 3]!);
      face.octile_field_maker_destroy!(maker);
    }
  });
}
