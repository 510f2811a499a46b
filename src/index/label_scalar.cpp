// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The plain twin of the label kernels: what every machine can run, and what the others are held
// against.

#include "index/label_common.hpp"

namespace octile {

namespace {

namespace labels_scalar {

void meet(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting) {
  meet_by_blocks(
      tables, s, t, room, meeting, [](const LabelTables& of, const Side& side) { side.look(of); },
      [](const Side& side, const uint8_t* place, uint32_t* lanes, uint32_t* entries) {
        side.evaluate(place, lanes, entries);
      },
      perhaps_all);
}

void reach(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
           uint64_t* there, uint32_t* lanes) {
  const Side side(tables, p, room);
  side.look(tables);
  reach_blocks(side, wanted, there, lanes, [&](const uint8_t* place, uint32_t* to) {
    uint32_t entries[kLanes];
    side.evaluate(place, to, entries);
  });
}

void nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count, const uint32_t* rows,
             uint32_t blocks, uint32_t n, uint32_t* least) {
  plain_nearest(lanes, common, count, rows, blocks, n, least);
}

// Writes the cells that so many steps leave.
template <int kStep>
Cell* walk(uint32_t direction, uint32_t count, Cell* cell, Cell* out) {
  const int32_t dx = kDx[direction], dy = kDy[direction];
  for (; count > 0; --count) {
    *out = *cell;
    out += kStep;
    cell->x += dx;
    cell->y += dy;
  }
  return out;
}

void line(Point from, Point to, Cell offset, Cell* out) {
  Cell cell{static_cast<int32_t>(from.x) + offset.x, static_cast<int32_t>(from.y) + offset.y};
  const Leg leg = leg_between(from, to);
  out = walk<1>(leg.diagonal_move, leg.diagonal, &cell, out);
  *walk<1>(leg.straight_move, leg.straight, &cell, out) = cell;
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

// The string of a tree, nibble by nibble.
template <int kStep>
void follow(const Meeting& meeting, uint32_t side, Point at, Cell offset, Cell* out) {
  Cell cell{static_cast<int32_t>(at.x) + offset.x, static_cast<int32_t>(at.y) + offset.y};
  const auto go = [&](uint32_t direction, uint32_t count) {
    out = walk<kStep>(direction, count, &cell, out);
  };
  // Every cell is written when it is left, so the hub is not written.
  const Leg leg = leg_between(at, meeting.via[side]);
  go(leg.diagonal_move, leg.diagonal);
  go(leg.straight_move, leg.straight);
  uint32_t nibble = meeting.link[side];
  const auto read = [&](uint32_t i) {
    return uint32_t{meeting.tree[i >> 1]} >> (4 * (i & 1)) & 15;
  };
  for (;;) {
    const uint32_t token = read(nibble);
    if (token < 8) {
      go(token, 1);
      ++nibble;
    } else if (token == kRun) {
      go(read(nibble + 1), read(nibble + 2) | read(nibble + 3) << 4 | read(nibble + 4) << 8);
      nibble += 5;
    } else if (!go_on(meeting.tree, token, &nibble)) {
      break;
    }
  }
  if (kStep > 0) *out = cell;
}

void way(const Meeting& meeting, Point s, Point t, Cell offset, Cell* out, uint32_t steps) {
  follow<1>(meeting, 0, s, offset, out);
  follow<-1>(meeting, 1, t, offset, out + steps);
}

bool sift(const SiftedTile& tile, const BlockView& block, uint32_t number, SeenEntries* seen,
          OddEntries* odd, bool* far) {
  return plain_sift(tile, block, number, seen, odd, far);
}

constexpr LabelKernel kKernel{"scalar", meet,  way,    line,   reach, nearest,
                              column,   lower, finite, within, sift};

}  // namespace labels_scalar

}  // namespace

constinit const LabelKernel kScalarLabels = labels_scalar::kKernel;

}  // namespace octile
