// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels for vectors of 128 bits, in one source for ARM with NEON, WebAssembly with SIMD
// and x86-64 with SSE4.1: four vias at once, 16 moves a step. Written in the vectors of the
// compiler, which become the instructions of each machine.

#include "index/label_common.hpp"
#include "index/label_twins.hpp"

#if OCTILE_LABELS_128

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

void look(const LabelTables& tables, const Side& side) {
  const TileHead& head = side.tile.head;
  if (head.wide) {
    side.look(tables);
    return;
  }
  const uint8_t* row = side.tile.sight_row(side.cell);
  const uint8_t* near = side.tile.at + head.via_at;
  const uint8_t* far_vias = side.tile.far_vias();
  const auto near_x = (Whole)all(side.cell.x & 7), near_y = (Whole)all(side.cell.y & 7);
  const auto far_x = (Whole)all(side.cell.x), far_y = (Whole)all(side.cell.y);
  const Lanes straight = all(tables.steps.straight);
  const Lanes extra = all(tables.steps.diagonal - tables.steps.straight);
  const Lanes base = all(head.distance_base);
  const Lanes bit{1, 2, 4, 8}, count{0, 1, 2, 3};
  const auto four = [&](uint32_t i, uint32_t seen) {
    Whole dx{}, dy{};
    if (i < head.near) {
      const auto pairs = (Halves)(Pair{read64(near + 2 * size_t{i}), 0});
      const auto upper = (Whole)__builtin_shufflevector(Halves{}, pairs, 0, 8, 1, 9, 2, 10, 3, 11);
      dx = ((Whole)((Lanes)upper << 8) >> 24) - near_x;
      dy = (upper >> 24) - near_y;
    }
    if (i + 4 > head.near) {
      const auto pairs = load<Lanes>(far_vias + 4 * size_t{i});
      const auto is_near = (Lanes)(count + all(i) < all(head.near));
      dx = (Whole)(((Lanes)dx & is_near) | ((Lanes)((Whole)(pairs & 0xffff) - far_x) & ~is_near));
      dy = (Whole)(((Lanes)dy & is_near) | ((Lanes)((Whole)(pairs >> 16) - far_y) & ~is_near));
    }
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    const auto high = (Lanes)(dx < dy ? dy : dx), low = (Lanes)(dx < dy ? dx : dy);
    const Lanes length = base + high * straight + low * extra;
    store(side.reach + i, (all(seen) & bit) == bit ? length : all(kFar));
  };
  for (uint32_t i = 0; i < head.vias; i += 8) {
    const uint32_t seen = seen_from(head, row, i);
    four(i, seen);
    four(i + 4, seen >> 4);
  }
}

// The distance to each of a block's hubs, and the first entry that gives it.
void evaluate(const Side& side, const uint8_t* place, uint32_t* lanes, uint32_t* entries) {
  const TileHead& head = side.tile.head;
  if (head.wide) {
    side.evaluate(place, lanes, entries);
    return;
  }
  const BlockView block(head, place);
  for (uint32_t i = 0; i < kLanes; i += 4) {
    store(lanes + i, all(kFar));
    store(entries + i, Lanes{});
  }
  const uint32_t bytes = head.distance_bytes, bits = bytes == 3 ? 0xffffff : ~0u;
  const uint8_t* distance = block.distances;
  uint32_t e = 0;
  for (uint32_t r = 0; r < block.rounds; ++r) {
    for (uint32_t mask = read16(block.lanes + 2 * size_t{r}); mask; mask &= mask - 1, ++e) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
      const uint32_t length = side.reach[block.vias[e]] + (read32(distance) & bits);
      distance += bytes;
      const bool nearer = length < lanes[lane];
      lanes[lane] = nearer ? length : lanes[lane];
      entries[lane] = nearer ? e : entries[lane];
    }
  }
}

// In which lanes the sum is below a length.
OCTILE_INLINE uint32_t below(const uint32_t* near, const uint32_t* far, uint32_t length) {
  const Lanes bound = all(length);
  Lanes set{}, bit{1, 2, 4, 8};
  for (uint32_t i = 0; i < kLanes; i += 4) {
    const Lanes sum = load<Lanes>(near + i) + load<Lanes>(far + i);
    set |= (Lanes)(sum < bound) & bit;
    bit <<= 4;
  }
  const auto two = (Pair)set;
  const uint64_t both = two[0] | two[1];
  return static_cast<uint32_t>(both | both >> 32);
}

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  meet_by_blocks(tables, s, t, room, meeting, look, evaluate, below);
}

void reach(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
           uint64_t* there, uint32_t* lanes) {
  reach_by_blocks(tables, p, room, wanted, there, lanes, look, evaluate);
}

void nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count, const uint32_t* rows,
             uint32_t blocks, uint32_t n, uint32_t* least) {
  plain_nearest(lanes, common, count, rows, blocks, n, least);
}

// Cells are written two at once, upwards (kStep 1) or downwards (-1). Nobody counts what is written
// beyond the end: it is written over, or put back, or lies in the room on both sides.
template <int kStep>
OCTILE_INLINE void put(Whole cells, Cell* out) {
  store(kStep > 0 ? out : out - 1, cells);
}
OCTILE_INLINE Whole both(int32_t x, int32_t y) {
  return Whole{x, y, x, y};
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
  const auto dx = static_cast<int32_t>(to.x - from.x), dy = static_cast<int32_t>(to.y - from.y);
  const int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
  const int32_t steps = ax > ay ? ax : ay;
  const Whole first = both(static_cast<int32_t>(from.x) + offset.x,  //
                           static_cast<int32_t>(from.y) + offset.y);
  // -n is ~n + 1.
  const Whole turned = both(dx < 0 ? -1 : 0, dy < 0 ? -1 : 0), end = both(ax, ay);
  const Whole origin = first - turned;
  Whole turn = turns<kStep>();
  for (int32_t done = 0; done < steps; done += 8) {
    for (int32_t part = 0; part < 8; part += 2) {
      put<kStep>(origin + ((turn < end ? turn : end) ^ turned), out + (done + part) * kStep);
      turn += 2;
    }
  }
  return out + steps * kStep;
}

// What the two moves of a byte add to a cell: to two cells {0, the first move}, and {both, both}.
// What is no move adds nothing.
struct TwoMoves {
  alignas(32) int32_t first[4];
  int32_t both[4];
};
struct MoveTable {
  TwoMoves of[256];

  constexpr MoveTable() : of{} {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      TwoMoves& here = of[byte];
      const uint32_t first = byte & 15, second = byte >> 4;
      for (uint32_t cell = 0; cell < 4; cell += 2) {
        const int32_t dx = first < 8 ? kDx[first] : 0, dy = first < 8 ? kDy[first] : 0;
        if (cell > 0) here.first[cell] = dx, here.first[cell + 1] = dy;
        here.both[cell] = dx + (second < 8 ? kDx[second] : 0);
        here.both[cell + 1] = dy + (second < 8 ? kDy[second] : 0);
      }
    }
  }
};
constexpr MoveTable kMoves;

// The cells of moves.
template <int kStep>
struct Walker {
  Whole at;  // the present cell, twice

  // Writes the cells that 16 moves leave, and goes to where they lead.
  OCTILE_INLINE void go(uint64_t word, Cell* out) {
    for (int32_t i = 0; i < 8; ++i, word >>= 8) {
      const TwoMoves& moves = kMoves.of[word & 255];
      const Whole cells = at + load<Whole>(moves.first);
      put<kStep>(kStep > 0 ? cells : __builtin_shufflevector(cells, cells, 2, 3, 0, 1),
                 out + 2 * i * kStep);
      at += load<Whole>(moves.both);
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
  out = write_line<kStep>(from, via, offset, out);
  Walker<kStep> walker{both(static_cast<int32_t>(via.x) + offset.x,  //
                            static_cast<int32_t>(via.y) + offset.y)};
  for (;;) {
    // Of a word that begins within a byte the last move is left for the next one.
    const uint8_t* p = tree + (nibble >> 1);
    const uint64_t odd = nibble & 1;
    uint64_t word = read64(p) >> (4 * odd), stop = word & kStops;
    if (!stop) {
      walker.go(word | odd << 63, out);
      out += (16 - static_cast<int32_t>(odd)) * kStep;
      for (p += 8; (stop = (word = read64(p)) & kStops) == 0; p += 8) {
        walker.go(word, out);
        out += 16 * kStep;
      }
      nibble = static_cast<uint32_t>(p - tree) * 2;
    }
    // From the stop on nobody moves.
    walker.go(word | (~(stop ^ (stop - 1)) & kStops), out);
    const auto n = static_cast<uint32_t>(__builtin_ctzll(stop)) >> 2;
    nibble += n;
    out += static_cast<int32_t>(n) * kStep;
    const auto token = static_cast<uint32_t>(word >> (4 * n) & 15);
    if (token == kRun) {
      const uint64_t run = read64(tree + (nibble >> 1)) >> (4 * (nibble & 1));
      const uint32_t direction = run >> 4 & 7;
      const auto steps = static_cast<int32_t>(run >> 8 & 0xfff);
      const Whole one = both(kDx[direction], kDy[direction]);
      Whole cells = walker.at + turns<kStep>() * one;
      for (int32_t done = 0; done < steps; done += 8) {
        for (int32_t part = 0; part < 8; part += 2) {
          put<kStep>(cells, out + (done + part) * kStep);
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
  // The other side comes from above and writes beyond the hub.
  Cell* const last = follow<1>(meeting, 0, s, offset, out) - 15;
  Whole kept[8];
  std::memcpy(kept, last, sizeof kept);
  follow<-1>(meeting, 1, t, offset, out + steps);
  std::memcpy(last, kept, sizeof kept);
}

void line(Point from, Point to, Cell offset, Cell* out) {
  Cell* end = write_line<1>(from, to, offset, out);
  *end = {static_cast<int32_t>(to.x) + offset.x, static_cast<int32_t>(to.y) + offset.y};
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
