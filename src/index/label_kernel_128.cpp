// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for vectors of 128 bits, in one source for ARM with NEON, WebAssembly with SIMD
// and x86-64 with SSE4.1: eight vias at once, the entries of four lanes, 16 moves a step. Written
// in the vectors of the compiler, which become the instructions of each machine, but for one.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_128

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif OCTILE_LABELS_X86
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

namespace octile {

bool has_128_labels() noexcept {
#if OCTILE_LABELS_X86
  return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt");
#else
  return true;
#endif
}

}  // namespace octile

#if OCTILE_LABELS_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse4.1,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("sse4.1,popcnt")
#endif
#endif

namespace octile {

namespace {

namespace labels_128 {

using Bytes = uint8_t __attribute__((vector_size(16)));
using Words = uint16_t __attribute__((vector_size(16)));
using Halves = int16_t __attribute__((vector_size(16)));
using Whole = int32_t __attribute__((vector_size(16)));
using Lanes = uint32_t __attribute__((vector_size(16)));
using Pair = uint64_t __attribute__((vector_size(16)));

template <class Vector>
OCTILE_INLINE Vector load(const void* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class Vector>
OCTILE_INLINE void store(void* to, Vector v) {
  std::memcpy(to, &v, sizeof v);
}
OCTILE_INLINE Lanes all(uint32_t number) {
  return Lanes{number, number, number, number};
}
OCTILE_INLINE Words everywhere(uint32_t number) {
  const auto half = static_cast<uint16_t>(number);
  return Words{half, half, half, half, half, half, half, half};
}
// The bytes of a vector that `which` names, 0 where it says 255.
OCTILE_INLINE Bytes pick(Bytes from, Bytes which) {
#if defined(__wasm_simd128__)
  return (Bytes)wasm_i8x16_swizzle((v128_t)from, (v128_t)which);
#elif OCTILE_LABELS_X86
  return (Bytes)_mm_shuffle_epi8((__m128i)from, (__m128i)which);
#else
  return (Bytes)vqtbl1q_u8((uint8x16_t)from, (uint8x16_t)which);
#endif
}
OCTILE_INLINE Whole larger(Whole a, Whole b) {
  return a < b ? b : a;
}

// Lengths are turned into how near a thing is: kFar less its length, and 0 where there is no way.
// So what pick() leaves where a lane has no entry is farther than everything.

// How near the vias are, eight at once. In wide tiles: plain lengths.
[[gnu::noinline]] void look(const LabelTables& tables, const Side& side) {
  // A copy, which nothing written here can change.
  const TileHead head = side.tile.head;
  if (head.wide) {
    side.look(tables);
    return;
  }
  uint32_t* const reach = side.reach;
  const uint8_t* row = side.tile.sight_row(side.cell);
  const uint8_t* near = side.tile.at + head.via_at;
  const uint8_t* far_vias = side.tile.far_vias();
  const auto near_x = (Halves)everywhere(side.cell.x & 7);
  const auto near_y = (Halves)everywhere(side.cell.y & 7);
  const Lanes straight = all(tables.steps.straight);
  const Lanes extra = all(tables.steps.diagonal - tables.steps.straight);
  const Lanes most = all(kFar - head.distance_base);
  const Lanes low_bits{1, 2, 4, 8}, high_bits{16, 32, 64, 128};
  const auto tell = [&](uint32_t i, Halves dx, Halves dy, uint32_t hides) {
    const auto ax = (Words)dx, ay = (Words)dy;
    const Words high = ax < ay ? ay : ax, low = ax < ay ? ax : ay;
    const auto nearness = [&](Words longer, Words shorter, Lanes bit) {
      const Lanes way = (Lanes)longer * straight + (Lanes)shorter * extra;
      return (most - way) & (Lanes)((all(hides) & bit) == 0);
    };
    const Words none{};
    store(reach + i,
          nearness(__builtin_shufflevector(high, none, 0, 8, 1, 9, 2, 10, 3, 11),
                   __builtin_shufflevector(low, none, 0, 8, 1, 9, 2, 10, 3, 11), low_bits));
    store(reach + i + 4,
          nearness(__builtin_shufflevector(high, none, 4, 12, 5, 13, 6, 14, 7, 15),
                   __builtin_shufflevector(low, none, 4, 12, 5, 13, 6, 14, 7, 15), high_bits));
  };
  const auto from_corner = [&](uint32_t i, Halves* dx, Halves* dy) {
    const auto pairs = load<Halves>(near + 2 * size_t{i});
    *dx = ((Halves)((Words)pairs << 8) >> 8) - near_x, *dy = (pairs >> 8) - near_y;
    *dx = *dx < 0 ? -*dx : *dx;
    *dy = *dy < 0 ? -*dy : *dy;
  };
  Halves dx, dy;
  const uint32_t vias = head.vias;
  // Of up to 64 vias, which are hidden.
  const uint64_t partial = head.partial ? ~uint64_t{0} >> ((64 - head.partial) & 63) : 0;
  uint64_t hidden = (~read64(row) & partial) << (head.first_partial & 63);
  // Nearly all tiles: up to 64 vias, all of them near. What lies beyond the last is never asked
  // for.
  if (vias <= 64 && head.near == vias) {
    for (uint32_t i = 0; i < vias; i += 8, hidden >>= 8) {
      from_corner(i, &dx, &dy);
      tell(i, dx, dy, static_cast<uint32_t>(hidden));
    }
    return;
  }
  const Words count{0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 0; i < vias; i += 8) {
    from_corner(i, &dx, &dy);
    if (i + 8 > head.near) {
      const auto some = load<Words>(far_vias + 4 * size_t{i});
      const auto more = load<Words>(far_vias + 4 * size_t{i} + 16);
      const Words x = __builtin_shufflevector(some, more, 0, 2, 4, 6, 8, 10, 12, 14);
      const Words y = __builtin_shufflevector(some, more, 1, 3, 5, 7, 9, 11, 13, 15);
      const Words far_x = everywhere(side.cell.x), far_y = everywhere(side.cell.y);
      const auto is_near = (Halves)(count + everywhere(i) < everywhere(head.near));
      dx = (dx & is_near) | ((Halves)(x < far_x ? far_x - x : x - far_x) & ~is_near);
      dy = (dy & is_near) | ((Halves)(y < far_y ? far_y - y : y - far_y) & ~is_near);
    }
    tell(i, dx, dy, vias <= 64 ? static_cast<uint32_t>(hidden >> i) : ~seen_from(head, row, i));
  }
}

// By a set of four lanes: the bytes of their entries, of four numbers that follow each other.
struct SpreadTable {
  alignas(16) uint8_t of[16][16];

  constexpr SpreadTable() : of{} {
    for (uint32_t set = 0; set < 16; ++set) {
      uint32_t at = 0;
      for (uint32_t byte = 0; byte < 16; ++byte)
        of[set][byte] = set >> (byte / 4) & 1 ? static_cast<uint8_t>(at++) : uint8_t{255};
    }
  }
};
constexpr SpreadTable kSpread;

// How near the hubs of a block are.
struct Near16 {
  Whole lane[4];
};

// The entries of a block: how near the hub of each is over its via. In wide tiles: of each lane,
// and the entry that gives it.
struct Entries {
  BlockView block;
  bool wide;
  uint32_t near[256 + 4];
};

// Distances of three bytes, or of four. Always of 16 entries, which few blocks have more of: no
// branch hangs on how many there are. Beyond the last one stands something else, but a byte all
// the same.
template <uint32_t kBytes>
OCTILE_INLINE void read_entries(const BlockView& block, const uint32_t* reach, uint32_t* near) {
  const Bytes three{0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255};
  uint32_t i = 0;
  for (; i < block.entries; i += 16) {
    const uint8_t* vias = block.vias + i;
    const uint8_t* distances = block.distances + size_t{kBytes} * i;
    for (uint32_t k = 0; k < 16; k += 4) {
      const uint32_t via = read32(vias + k);
      const Lanes way{reach[via & 255], reach[via >> 8 & 255], reach[via >> 16 & 255],
                      reach[via >> 24]};
      auto distance = load<Bytes>(distances + kBytes * k);
      if constexpr (kBytes == 3) distance = pick(distance, three);
      store(near + i + k, way - (Lanes)distance);
    }
  }
  store(near + i, Lanes{});  // four are read at once, from any one on
}
// One for both sides: twice as much code would not stay in the caches of some machines.
[[gnu::noinline]] void read_entries(const Side& side, const uint8_t* place, Entries* to) {
  const TileHead& head = side.tile.head;
  to->block = BlockView(head, place);
  to->wide = head.wide;
  if (head.wide) {
    side.evaluate(place, to->near, to->near + kLanes);
    for (uint32_t i = 0; i < kLanes; ++i) to->near[i] = kFar - to->near[i];
  } else if (head.distance_bytes == 3) {
    read_entries<3>(BlockView(head, place, false), side.reach, to->near);
  } else {
    read_entries<4>(BlockView(head, place, false), side.reach, to->near);
  }
}

// Each to its lane: those of four lanes at once, so that no branch hangs on which have an entry.
[[gnu::noinline]] Near16 spread(const Entries& entries) {
  const uint32_t* near = entries.near;
  Near16 best{};
  if (entries.wide) {
    for (uint32_t i = 0; i < 4; ++i) best.lane[i] = load<Whole>(near + 4 * i);
    return best;
  }
  const uint8_t* lanes = entries.block.lanes;
  for (uint32_t rounds = entries.block.rounds; rounds > 0; --rounds, lanes += 2) {
    const uint32_t mask = read16(lanes);
    for (uint32_t i = 0; i < 4; ++i) {
      const auto before = static_cast<uint32_t>(__builtin_popcount(mask & ((1u << 4 * i) - 1)));
      const auto some =
          (Whole)pick(load<Bytes>(near + before), load<Bytes>(kSpread.of[mask >> 4 * i & 15]));
      best.lane[i] = larger(best.lane[i], some);
    }
    near += __builtin_popcount(mask);
  }
  return best;
}

// The first entry that gives the distance of a lane.
OCTILE_INLINE uint32_t first_entry(const Entries& entries, uint32_t lane) {
  if (entries.wide) return entries.near[kLanes + lane];
  const uint8_t* lanes = entries.block.lanes;
  uint32_t before = 0, first = 0;
  int32_t best = 0;
  for (uint32_t rounds = entries.block.rounds; rounds > 0; --rounds, lanes += 2) {
    const uint32_t mask = read16(lanes), below = (1u << lane) - 1;
    const uint32_t e = before + static_cast<uint32_t>(__builtin_popcount(mask & below));
    const auto near = static_cast<int32_t>(entries.near[e]);
    const bool nearer = (mask >> lane & 1) && near > best;
    best = nearer ? near : best;
    first = nearer ? e : first;
    before += static_cast<uint32_t>(__builtin_popcount(mask));
  }
  return first;
}

// A bit for each lane in which all bits are set.
OCTILE_INLINE uint32_t lanes_of(const Whole* set) {
#if defined(__wasm_simd128__)
  const auto bits = [&](uint32_t i) {
    return static_cast<uint32_t>(wasm_i32x4_bitmask((v128_t)set[i])) << 4 * i;
  };
  return bits(0) | bits(1) | bits(2) | bits(3);
#else
  Lanes found{}, bit{1, 2, 4, 8};
  for (uint32_t i = 0; i < 4; ++i) {
    found |= (Lanes)set[i] & bit;
    bit <<= 4;
  }
  const auto two = (Pair)found;
  const uint64_t both = two[0] | two[1];
  return static_cast<uint32_t>(both | both >> 32);
#endif
}

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  const Side from(tables, s, room), to(tables, t, room + tables.room());
  look(tables, from);
  look(tables, to);
  Best best;
  int32_t most = 0;  // kFar less the best length
  Entries entries[2];
  from.tile.each_common(to.tile, [&](uint32_t block) {
    // Both are read before the first is spread, which would wait for what was written just now.
    read_entries(from, from.tile.block(block), &entries[0]);
    read_entries(to, to.tile.block(block), &entries[1]);
    const Near16 near = spread(entries[0]), far = spread(entries[1]);
    Whole sum[4], better{};
    for (uint32_t i = 0; i < 4; ++i) {
      sum[i] = (Whole)((Lanes)near.lane[i] + (Lanes)far.lane[i] - all(kFar));
      better |= sum[i] > (Whole)all(static_cast<uint32_t>(most));
    }
    const auto two = (Pair)better;
    if (!(two[0] | two[1])) return;
    Whole top = larger(larger(sum[0], sum[1]), larger(sum[2], sum[3]));
    top = larger(top, __builtin_shufflevector(top, top, 2, 3, 0, 1));
    top = larger(top, __builtin_shufflevector(top, top, 1, 0, 3, 2));
    for (Whole& lane : sum) lane = lane == top;
    most = top[0];
    best.block = block;
    best.lane = static_cast<uint32_t>(__builtin_ctz(lanes_of(sum)));
    for (uint32_t i = 0; i < 2; ++i) best.entry[i] = first_entry(entries[i], best.lane);
  });
  if (most > 0) best.length = kFar - static_cast<uint32_t>(most);
  best.tell(tables, from, to, meeting);
}

void reach(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
           uint64_t* there, uint32_t* lanes) {
  const Side side(tables, p, room);
  look(tables, side);
  reach_blocks(side, wanted, there, lanes, [&](const uint8_t* place, uint32_t* to) {
    Entries entries;
    read_entries(side, place, &entries);
    const Near16 near = spread(entries);
    for (uint32_t i = 0; i < 4; ++i) store(to + 4 * i, all(kFar) - (Lanes)near.lane[i]);
  });
}

void nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count, const uint32_t* rows,
             uint32_t blocks, uint32_t n, uint32_t* least) {
  plain_nearest(lanes, common, count, rows, blocks, n, least);
}

// Cells are written two at once, upwards (kStep 1) or downwards (-1). Nobody counts what is written
// beyond the end: it is written over, or put back, or lies in the room on both sides.
//
// Who writes a row of pairs begins at the lowest of them: what is added to its address is a part of
// the store then. The compiler would rather go on from address to address, and in WebAssembly no
// store holds a number below 0.
template <int kStep>
OCTILE_INLINE void put(Whole cells, Cell* out) {
  store(kStep > 0 ? out : out - 1, cells);
}
template <int kStep, int32_t kPairs>
class Row {
 public:
  OCTILE_INLINE explicit Row(Cell* out) : low_(kStep > 0 ? out : out - (2 * kPairs - 1)) {
    __asm__("" : "+r"(low_));
  }
  OCTILE_INLINE void put(int32_t pair, Whole cells) const {
    store(low_ + 2 * (kStep > 0 ? pair : kPairs - 1 - pair), cells);
  }

 private:
  Cell* low_;
};
// A cell, twice.
template <class From>
OCTILE_INLINE Whole twice(const From& cell) {
  static_assert(sizeof cell == 8);
  const uint64_t both = read64(reinterpret_cast<const uint8_t*>(&cell));
  return (Whole)Pair{both, both};
}
// Which of two cells, in the order of the walk, stands in a place of a vector; for x and y.
template <int kStep>
OCTILE_INLINE Whole turns() {
  return kStep > 0 ? Whole{0, 0, 1, 1} : Whole{1, 1, 0, 0};
}

// The octile line, without its last cell; gives the place of that. Diagonal first: each coordinate
// goes on by one a step until it is there.
template <int kStep>
OCTILE_INLINE Cell* write_line(Point from, Point to, Cell offset, Cell* out) {
  const Whole begin = twice(from), way = twice(to) - begin;
  // -n is ~n + 1.
  const Whole turned = way >> 31, end = (way ^ turned) - turned;
  const Whole origin = begin + twice(offset) - turned;
  const int32_t steps = end[0] > end[1] ? end[0] : end[1];
  Whole turn = turns<kStep>();
  for (int32_t done = 0; done < steps; done += 8) {
    const Row<kStep, 4> row(out + done * kStep);
    for (int32_t pair = 0; pair < 4; ++pair) {
      row.put(pair, origin + ((turn < end ? turn : end) ^ turned));
      turn += 2;
    }
  }
  return out + steps * kStep;
}

// What the two moves of a byte add to a cell, after the first of them and after both, in the order
// of memory. What is no move adds nothing.
template <int kStep>
struct MoveTable {
  alignas(16) int32_t of[256][4];

  constexpr MoveTable() : of{} {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t first = byte & 15, second = byte >> 4;
      const uint32_t one = kStep > 0 ? 0 : 2, both = 2 - one;
      of[byte][one] = first < 8 ? kDx[first] : 0;
      of[byte][one + 1] = first < 8 ? kDy[first] : 0;
      of[byte][both] = of[byte][one] + (second < 8 ? kDx[second] : 0);
      of[byte][both + 1] = of[byte][one + 1] + (second < 8 ? kDy[second] : 0);
    }
  }
};
template <int kStep>
constexpr MoveTable<kStep> kMoves;

// The cells of moves.
template <int kStep>
struct Walker {
  Whole at;  // the present cell, twice

  // Of the second cell of a pair, twice.
  OCTILE_INLINE static Whole last(Whole pair) {
    return kStep > 0 ? __builtin_shufflevector(pair, pair, 2, 3, 2, 3)
                     : __builtin_shufflevector(pair, pair, 0, 1, 0, 1);
  }
  // Writes the cells that 16 moves lead to, and goes to the last of them. What goes on from pair to
  // pair is the sum of moves alone: an addition is all that the next one waits for.
  OCTILE_INLINE void go(uint64_t word, Cell* out) {
    // Where the bytes are in the table, by way of memory: out of vectors each would take longer.
    using HalfBytes = uint8_t __attribute__((vector_size(8)));
    HalfBytes bytes;
    std::memcpy(&bytes, &word, sizeof bytes);
    Words place = __builtin_convertvector(bytes, Words) << 4;
    __asm__("" : "+m"(place));
    uint16_t of[8];
    std::memcpy(of, &place, sizeof of);
    const Row<kStep, 8> row(out);
    for (int32_t i = 0; i < 8; ++i) {
      const auto* table = reinterpret_cast<const uint8_t*>(kMoves<kStep>.of);
      const auto moves = load<Whole>(table + of[i]);
      row.put(i, at + moves);
      at += last(moves);
    }
  }
};

// From `from` over a via to the hub; gives the place of the hub, which is written as well.
template <int kStep>
Cell* follow(const Meeting& meeting, uint32_t side, Point from, Cell offset, Cell* out) {
  constexpr uint64_t kStops = 0x8888888888888888;
  const Point via = meeting.via[side];
  const uint8_t* tree = meeting.tree;
  uint32_t nibble = meeting.link[side];
  // What `out` points to is the present cell, and written.
  out = write_line<kStep>(from, via, offset, out);
  Walker<kStep> walker{twice(via) + twice(offset)};
  put<kStep>(walker.at, out);
  for (;;) {
    // Of a word that begins within a byte the first nibble is no move: the present cell is written
    // once more.
    const uint8_t* p = tree + (nibble >> 1);
    const uint64_t odd = nibble & 1;
    out -= static_cast<int32_t>(odd) * kStep;
    uint64_t word = read64(p) | odd * 15, stop = word & (kStops - odd * 8);
    for (;;) {
      // From the stop on nobody moves.
      walker.go(word | (~(stop ^ (stop - 1)) & kStops), out + kStep);
      if (stop) break;
      out += 16 * kStep;
      p += 8;
      word = read64(p);
      stop = word & kStops;
    }
    const auto n = static_cast<uint32_t>(__builtin_ctzll(stop)) >> 2;
    nibble = static_cast<uint32_t>(p - tree) * 2 + n;
    out += static_cast<int32_t>(n) * kStep;
    const auto token = static_cast<uint32_t>(word >> (4 * n) & 15);
    if (token == kRun) {
      const uint64_t run = read64(tree + (nibble >> 1)) >> (4 * (nibble & 1));
      const uint32_t direction = run >> 4 & 7;
      const auto steps = static_cast<int32_t>(run >> 8 & 0xfff);
      const auto one = load<Whole>(kMoves<kStep>.of[0xf0 + direction]);
      Whole cells = walker.at + load<Whole>(kMoves<kStep>.of[0x11 * direction]);
      for (int32_t done = 0; done < steps; done += 8) {
        const Row<kStep, 4> row(out + (done + 1) * kStep);
        for (int32_t pair = 0; pair < 4; ++pair) {
          row.put(pair, cells);
          cells += one + one;
        }
      }
      walker.at += one * steps;
      out += steps * kStep;
      nibble += 5;
    } else if (!go_on(tree, token, &nibble)) {
      return out;
    }
  }
}

void way(const Meeting& meeting, Point s, Point t, Cell offset, Cell* out, uint32_t steps) {
  // The other side comes from above and writes beyond the hub. One by one: a copy of so many bytes
  // is a call of the host in WebAssembly.
  Cell* const last = follow<1>(meeting, 0, s, offset, out) - 16;
  const auto kept = [&](int32_t i) { return load<Whole>(last + 2 * i); };
  const Whole a = kept(0), b = kept(1), c = kept(2), d = kept(3);
  const Whole e = kept(4), f = kept(5), g = kept(6), h = kept(7);
  follow<-1>(meeting, 1, t, offset, out + steps);
  store(last, a), store(last + 2, b), store(last + 4, c), store(last + 6, d);
  store(last + 8, e), store(last + 10, f), store(last + 12, g), store(last + 14, h);
}

void line(Point from, Point to, Cell offset, Cell* out) {
  put<1>(twice(to) + twice(offset), write_line<1>(from, to, offset, out));
}

uint64_t column(const TileSight& tile, Point via, const uint32_t* free, IndexSteps steps,
                uint32_t* length) {
  return plain_column(tile, via, free, steps, length);
}
void lower(uint32_t* least, const uint32_t* from, uint32_t add, size_t n) {
  plain_lower(least, from, add, n);
}
uint64_t finite(const uint32_t* length, uint32_t* largest) {
  return plain_finite(length, largest);
}
uint64_t within(const uint32_t* length, const uint32_t* from, uint32_t add, uint64_t of,
                uint32_t* count) {
  return plain_within(length, from, add, of, count);
}
bool sift(const SiftedTile& tile, const BlockView& block, uint32_t number, SeenEntries* seen,
          OddEntries* odd, bool* far) {
  return plain_sift(tile, block, number, seen, odd, far);
}

constexpr LabelKernel kKernel{"simd128", meet,  way,    line,   reach, nearest,
                              column,    lower, finite, within, sift};

}  // namespace labels_128

}  // namespace

constinit const LabelKernel k128Labels = labels_128::kKernel;

}  // namespace octile

#if OCTILE_LABELS_X86
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#endif
