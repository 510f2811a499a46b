// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the label kernels share: one side of a query evaluated plainly, and the choice of the best
// meeting.

#include "index/label_tables.hpp"

namespace octile {

// The octile line from one cell to another, diagonal first.
struct Leg {
  uint32_t diagonal, straight;            // steps
  uint32_t diagonal_move, straight_move;  // directions
};
OCTILE_INLINE Leg leg_between(Point a, Point b) noexcept {
  const bool east = b.x > a.x, south = b.y > a.y;
  const uint32_t dx = east ? b.x - a.x : a.x - b.x;
  const uint32_t dy = south ? b.y - a.y : a.y - b.y;
  const uint32_t low = dx < dy ? dx : dy;
  const uint32_t straight = dx > dy ? (east ? kEast : kWest) : (south ? kSouth : kNorth);
  const uint32_t diagonal =
      east ? (south ? kSouthEast : kNorthEast) : (south ? kSouthWest : kNorthWest);
  return {low, (dx > dy ? dx : dy) - low, diagonal, straight};
}

// What builds do with the cells of a tile, see LabelKernel. Plain loops: each kernel that has
// nothing better gets them in the vectors of its machine.
OCTILE_INLINE uint64_t plain_column(const TileSight& tile, Point via, const uint32_t* free,
                                    IndexSteps steps, uint32_t* length) noexcept {
  const auto straight = static_cast<int32_t>(steps.straight);
  const auto extra = static_cast<int32_t>(steps.diagonal - steps.straight);
  const auto x0 = static_cast<int32_t>(tile.corner.x) - static_cast<int32_t>(via.x);
  const auto y0 = static_cast<int32_t>(tile.corner.y) - static_cast<int32_t>(via.y);
  const auto west = static_cast<int32_t>(free[kWest / 2]);
  const auto east = static_cast<int32_t>(free[kEast / 2]);
  uint64_t seen = 0;
  for (int32_t y = 0; y < 8; ++y) {
    // A cell north of the via goes south.
    const int32_t dy = y0 + y, ay = dy < 0 ? -dy : dy;
    const int32_t* eastwards = tile.diagonal[(dy < 0 ? kSouthEast : kNorthEast) / 2] + 8 * y;
    const int32_t* westwards = tile.diagonal[(dy < 0 ? kSouthWest : kNorthWest) / 2] + 8 * y;
    const auto column = static_cast<int32_t>(free[(dy < 0 ? kNorth : kSouth) / 2]);
    uint8_t flag[8];
    for (int32_t x = 0; x < 8; ++x) {
      const int32_t dx = x0 + x, ax = dx < 0 ? -dx : dx;
      const int32_t low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
      const int32_t diagonal = dx < 0 ? eastwards[x] : westwards[x];
      const int32_t row = dx < 0 ? west : east, line = ax < ay ? column : row;
      const bool sees = (low <= diagonal) & (high - low <= line);
      flag[x] = sees;
      length[8 * y + x] =
          sees ? static_cast<uint32_t>(straight * high + extra * low) : uint32_t{kFar};
    }
    seen |= (read64(flag) * 0x0102040810204080 >> 56) << (8 * y);
  }
  return seen;
}

OCTILE_INLINE void plain_lower(uint32_t* least, const uint32_t* from, uint32_t add,
                               size_t n) noexcept {
  for (size_t i = 0; i < n; ++i) {
    const uint32_t sum = from[i] + add;
    least[i] = sum < least[i] ? sum : least[i];
  }
}
OCTILE_INLINE uint64_t plain_finite(const uint32_t* length, uint32_t* largest) noexcept {
  uint64_t bits = 0;
  *largest = 0;
  for (uint32_t i = 0; i < 64; ++i) {
    if (length[i] == kFar) continue;
    bits |= uint64_t{1} << i;
    *largest = length[i] > *largest ? length[i] : *largest;
  }
  return bits;
}
OCTILE_INLINE uint64_t plain_within(const uint32_t* length, const uint32_t* from, uint32_t add,
                                    uint64_t of, uint32_t* count) noexcept {
  uint8_t flag[64];
  for (uint32_t i = 0; i < 64; ++i) flag[i] = from[i] + add <= length[i];
  uint64_t bits = 0;
  for (uint32_t i = 0; i < 64; i += 8) bits |= (read64(flag + i) * 0x0102040810204080 >> 56) << i;
  bits &= of;
  *count = static_cast<uint32_t>(__builtin_popcountll(bits));
  return bits;
}

// See LabelKernel::sift. Numbers of two or three bytes are read as four, and the rest is left out:
// nothing branches on how many they are.
OCTILE_INLINE bool plain_sift(const SiftedTile& tile, const BlockView& block, uint32_t number,
                              SeenEntries* seen, OddEntries* odd, bool* far) noexcept {
  const SiftedTile t = tile;  // nobody else writes to this one
  const OddEntries to = *odd;
  const uint32_t via_bytes = t.wide ? 2 : 1, via_bits = t.wide ? 0xffff : 0xff;
  const uint32_t distance_bits = UINT32_MAX >> (32 - 8 * t.distance_bytes);
  const uint32_t link_bits = UINT32_MAX >> (32 - 8 * t.link_bytes);
  const uint8_t *via_at = block.vias, *distance_at = block.distances, *link_at = block.links;
  const uint32_t entries = block.entries, rounds = block.rounds;
  const uint8_t* const lanes = block.lanes;
  uint32_t e = 0, count = to.count, beyond = 0;
  for (uint32_t r = 0; r < rounds; ++r) {
    uint32_t mask = read16(lanes + 2 * size_t{r});
    e += static_cast<uint32_t>(__builtin_popcount(mask));
    if (e > entries) return false;
    for (; mask; mask &= mask - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
      const uint32_t via = read16(via_at) & via_bits;
      const uint32_t distance = read32(distance_at) & distance_bits;
      const uint32_t link = read32(link_at) & link_bits;
      const uint32_t length = t.distance_base + distance;
      via_at += via_bytes;
      distance_at += t.distance_bytes;
      link_at += t.link_bytes;
      if (via >= t.vias) return false;
      const uint32_t place = t.place[via];
      // The sum may have gone round.
      beyond |= uint32_t{length >= t.nearest} | uint32_t{distance >= t.nearest};
      to.hub[count] = number * kLanes + lane;
      to.place[count] = place;
      to.link[count] = link;
      to.length[count] = length;
      count += ((seen->place[lane] ^ place) | (seen->link[lane] ^ link) |
                (seen->length[lane] ^ length)) != 0;
      seen->place[lane] = place;
      seen->link[lane] = link;
      seen->length[lane] = length;
    }
  }
  odd->count = count;
  *far = *far || beyond != 0;
  return e == entries;
}

// The move by which the goal's side comes to the hub.
inline uint32_t last_direction(const Meeting& meeting, Point t) noexcept {
  const Leg leg = leg_between(t, meeting.via[1]);
  uint32_t last = leg.straight ? leg.straight_move : leg.diagonal_move;
  const auto read = [&](uint32_t i) {
    return uint32_t{meeting.tree[i >> 1]} >> (4 * (i & 1)) & 15;
  };
  for (uint32_t nibble = meeting.link[1];;) {
    const uint32_t token = read(nibble);
    if (token < kPathEnd) {
      last = token;
      ++nibble;
    } else if (token == kRun) {
      last = read(nibble + 1);
      nibble += 5;
    } else if (!go_on(meeting.tree, token, &nibble)) {
      return last;
    }
  }
}

// The first step of the way over a hub.
inline uint32_t first_direction(const Meeting& meeting, Point s, Point t) noexcept {
  const Leg leg = leg_between(s, meeting.via[0]);
  if (leg.diagonal) return leg.diagonal_move;
  if (leg.straight) return leg.straight_move;
  const auto read = [&](uint32_t i) {
    return uint32_t{meeting.tree[i >> 1]} >> (4 * (i & 1)) & 15;
  };
  for (uint32_t nibble = meeting.link[0];;) {
    const uint32_t token = read(nibble);
    if (token < kPathEnd) return token;
    if (token == kRun) return read(nibble + 1);
    if (!go_on(meeting.tree, token, &nibble)) break;
  }
  // The start is the hub: the way comes from the goal's side. Its last move, turned round.
  return last_direction(meeting, t) ^ 4;
}

// Which of the eight vias from `i` on a cell sees whose row this is; before the partial ones and
// behind them, all cells see all.
OCTILE_INLINE uint32_t seen_from(const TileHead& head, const uint8_t* row, uint32_t i) noexcept {
  if (i + 8 <= head.first_partial || i >= head.first_partial + uint32_t{head.partial}) return 0xff;
  const int32_t first = static_cast<int32_t>(i) - static_cast<int32_t>(head.first_partial);
  const int32_t left = static_cast<int32_t>(head.partial) - first;
  uint32_t seen =
      first < 0 ? uint32_t{row[0]} << -first : read16(row + (first >> 3)) >> (first & 7);
  if (first < 0) seen |= (1u << -first) - 1;
  if (left < 8) seen |= 0xffu << left;
  return seen;
}

// The start's or the goal's side of a query.
struct Side {
  TileView tile;
  Point cell;
  uint32_t* reach;  // by via: length of the way to it + distance_base, kFar when it is not seen

  OCTILE_INLINE Side(const LabelTables& tables, Point p, uint32_t* room) noexcept
      : tile(tables, tables.tile_of(p)), cell(p), reach(room) {}

  OCTILE_INLINE void look(const LabelTables& tables) const noexcept {
    const uint8_t* row = tile.sight_row(cell);
    for (uint32_t i = 0; i < tile.head.vias; ++i) {
      const uint32_t bit = i - tile.head.first_partial;
      const bool seen = bit >= tile.head.partial || (row[bit >> 3] >> (bit & 7) & 1);
      reach[i] = seen ? tables.steps.line(cell, tile.via(cell, i)) + tile.head.distance_base : kFar;
    }
  }
  OCTILE_INLINE uint32_t entry_via(const BlockView& block, uint32_t e) const noexcept {
    return tile.head.wide ? read16(block.vias + 2 * size_t{e}) : block.vias[e];
  }
  OCTILE_INLINE uint32_t entry_length(const BlockView& block, uint32_t e) const noexcept {
    const uint32_t bytes = tile.head.distance_bytes;
    const uint32_t sum =
        reach[entry_via(block, e)] + read_bytes(block.distances + size_t{bytes} * e, bytes);
    return sum < kFar ? sum : kFar;
  }
  // The distance to each of the block's hubs, and the first entry that gives it.
  OCTILE_INLINE void evaluate(const uint8_t* at, uint32_t* lanes,
                              uint32_t* entries) const noexcept {
    const BlockView block(tile.head, at);
    for (uint32_t i = 0; i < kLanes; ++i) lanes[i] = kFar, entries[i] = 0;
    uint32_t e = 0;
    for (uint32_t r = 0; r < block.rounds; ++r) {
      for (uint32_t mask = read16(block.lanes + 2 * size_t{r}); mask; mask &= mask - 1, ++e) {
        const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
        const uint32_t length = entry_length(block, e);
        if (length >= lanes[lane]) continue;
        lanes[lane] = length;
        entries[lane] = e;
      }
    }
  }
  OCTILE_INLINE void locate(const uint8_t* at, uint32_t entry, Point* via,
                            uint32_t* link) const noexcept {
    const BlockView block(tile.head, at);
    *via = tile.via(cell, entry_via(block, entry));
    *link = read_bytes(block.links + size_t{tile.head.link_bytes} * entry, tile.head.link_bytes);
  }
};

// visit(hub, length) for every hub that a cell knows a way to. `room` holds tables.room().
template <class Visit>
inline void each_hub(const LabelTables& tables, Point p, uint32_t* room, Visit visit) noexcept {
  const Side side(tables, p, room);
  side.look(tables);
  side.tile.each_common(side.tile, [&](uint32_t block) {
    uint32_t lane[kLanes], entry[kLanes];
    side.evaluate(side.tile.block(block), lane, entry);
    for (uint32_t i = 0; i < kLanes; ++i)
      if (lane[i] != kFar) visit(block * kLanes + i, lane[i]);
  });
}

// LabelKernel::reach: evaluate(place, lanes) gives a block's distances.
template <class Evaluate>
OCTILE_INLINE void reach_blocks(const Side& side, const uint64_t* wanted, uint64_t* there,
                                uint32_t* lanes, Evaluate evaluate) noexcept {
  const TileView& tile = side.tile;
  for (uint32_t first = 0; first < tile.block_words; first += 64) {
    for (uint64_t words = tile.words_from(first); words; words &= words - 1) {
      const uint32_t w = first + static_cast<uint32_t>(__builtin_ctzll(words));
      if (!wanted[w]) continue;
      there[w] = read64(tile.words + 8 * size_t{tile.words_before(w)}) & wanted[w];
      for (uint64_t bits = there[w]; bits; bits &= bits - 1) {
        const uint32_t block = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
        evaluate(tile.block(block), lanes + size_t{kLanes} * block);
      }
    }
  }
}
// The same where blocks are evaluated with their entries; look(tables, side) comes before.
template <class Look, class Evaluate>
OCTILE_INLINE void reach_by_blocks(const LabelTables& tables, Point p, uint32_t* room,
                                   const uint64_t* wanted, uint64_t* there, uint32_t* lanes,
                                   Look look, Evaluate evaluate) noexcept {
  const Side side(tables, p, room);
  look(tables, side);
  reach_blocks(side, wanted, there, lanes, [&](const uint8_t* place, uint32_t* to) {
    uint32_t entries[kLanes];
    evaluate(side, place, to, entries);
  });
}
// See LabelKernel::nearest.
OCTILE_INLINE void plain_nearest(const uint32_t* lanes, const ListedBlock* common, uint32_t count,
                                 const uint32_t* rows, uint32_t blocks, uint32_t n,
                                 uint32_t* least) noexcept {
  for (uint32_t i = 0; i < n; ++i, rows += size_t{kLanes} * blocks) {
    uint32_t best[kLanes];
    for (uint32_t k = 0; k < kLanes; ++k) best[k] = kFar;
    for (uint32_t b = 0; b < count; ++b) {
      const uint32_t* const here = lanes + size_t{kLanes} * common[b].block;
      const uint32_t* const far = rows + size_t{kLanes} * common[b].place;
      for (uint32_t k = 0; k < kLanes; ++k) {
        const uint32_t sum = here[k] + far[k];
        best[k] = sum < best[k] ? sum : best[k];
      }
    }
    for (uint32_t half = kLanes / 2; half > 0; half /= 2)
      for (uint32_t k = 0; k < half; ++k)
        best[k] = best[k + half] < best[k] ? best[k + half] : best[k];
    least[i] = best[0];
  }
}

// How the ways of two entries meet in the hub of their lane; the length is known.
OCTILE_INLINE void tell(const LabelTables& tables, const Side& from, const uint8_t* near_place,
                        uint32_t near_entry, const Side& to, const uint8_t* far_place,
                        uint32_t far_entry, uint32_t block, uint32_t lane,
                        Meeting* meeting) noexcept {
  meeting->tree = tables.trees + tables.tree_base[size_t{block} * kLanes + lane];
  from.locate(near_place, near_entry, &meeting->via[0], &meeting->link[0]);
  to.locate(far_place, far_entry, &meeting->via[1], &meeting->link[1]);
  // The trees are read next, at places of their own.
  __builtin_prefetch(meeting->tree + (meeting->link[0] >> 1));
  __builtin_prefetch(meeting->tree + (meeting->link[1] >> 1));
}

// The shortest sum; among equals the first block, then the first lane.
struct Best {
  uint32_t length = kFar, block = 0, lane = 0, entry[2] = {0, 0};

  OCTILE_INLINE void offer(uint32_t sum, uint32_t at_block, uint32_t at_lane, uint32_t near_entry,
                           uint32_t far_entry) noexcept {
    if (sum >= length) return;
    length = sum;
    block = at_block;
    lane = at_lane;
    entry[0] = near_entry;
    entry[1] = far_entry;
  }
  OCTILE_INLINE void tell(const LabelTables& tables, const Side& from, const Side& to,
                          Meeting* meeting) const noexcept {
    meeting->length = length;
    if (length == kFar) return;
    octile::tell(tables, from, from.tile.block(block), entry[0], to, to.tile.block(block), entry[1],
                 block, lane, meeting);
  }
};

// For meet_by_blocks(), where nothing tells that faster than a look at each.
OCTILE_INLINE uint32_t perhaps_all(const uint32_t*, const uint32_t*, uint32_t) noexcept {
  return (1u << kLanes) - 1;
}

// LabelKernel::meet of the twins that go block by block: look(tables, side) fills a side's reach,
// evaluate(side, place, lanes, entries) gives a block's distances, as Side does, and
// below(near, far, length) tells in which lanes the sum of both is below that, perhaps: a bit each.
template <class Look, class Evaluate, class Below>
OCTILE_INLINE void meet_by_blocks(const LabelTables& tables, Point s, Point t, uint32_t* room,
                                  Meeting* meeting, Look look, Evaluate evaluate,
                                  Below below) noexcept {
  const Side from(tables, s, room), to(tables, t, room + tables.room());
  look(tables, from);
  look(tables, to);
  Best best;
  from.tile.each_common(to.tile, [&](uint32_t block) {
    uint32_t near[kLanes], far[kLanes], near_entry[kLanes], far_entry[kLanes];
    evaluate(from, from.tile.block(block), near, near_entry);
    evaluate(to, to.tile.block(block), far, far_entry);
    for (uint32_t set = below(near, far, best.length); set; set &= set - 1) {
      const auto lane = static_cast<uint32_t>(__builtin_ctz(set));
      best.offer(near[lane] + far[lane], block, lane, near_entry[lane], far_entry[lane]);
    }
  });
  best.tell(tables, from, to, meeting);
}

}  // namespace octile
