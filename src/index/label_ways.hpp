// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// For the check of a file: how far it is from a nibble of a tree to the hub. See WayTables. Plain
// code, which each kernel gets in the instructions of its machine; `Ones` counts bits.

#include "index/label_tables.hpp"
#include "world/bits.hpp"

namespace octile {

// By the instruction, where there is one for sure.
struct CountedAtOnce {
  OCTILE_INLINE static uint32_t of(uint64_t bits) noexcept {
    return static_cast<uint32_t>(__builtin_popcountll(bits));
  }
};
struct CountedPlainly {
  OCTILE_INLINE static uint32_t of(uint64_t bits) noexcept { return count_bits(bits); }
};

constexpr uint64_t kEachNibble = 0x1111111111111111, kNoMove = 8 * kEachNibble;

// Where the moves of a word lead.
struct WordMoves {
  uint64_t way;
  int32_t x, y;
  uint64_t west, north;  // a one for each move
  bool turn;  // to and fro, so that a cell between may lie outside of what both ends span
};

// The nibbles for which `all` has a one are moves: what they add up to. Each bit of a direction is
// looked at for all of them at once: which go diagonally, along x, of these to the west, along y,
// of these to the north.
template <class Ones>
OCTILE_INLINE WordMoves add_up(const WayTables& t, uint64_t nibbles, uint64_t all) {
  const uint64_t diagonal = nibbles & all, one = nibbles >> 1 & all, two = nibbles >> 2 & all;
  const uint64_t x = all ^ (one & ~diagonal), west = x & (two ^ (diagonal & one));
  const uint64_t y = diagonal | one, north = y & two;
  const auto to_x = static_cast<int32_t>(Ones::of(x) - 2 * Ones::of(west));
  const auto to_y = static_cast<int32_t>(Ones::of(y) - 2 * Ones::of(north));
  const uint32_t length = Ones::of(all) * t.straight + Ones::of(diagonal) * t.extra;
  const auto displacement = static_cast<uint32_t>(to_x) + (static_cast<uint32_t>(to_y) << 16);
  return {length | uint64_t{displacement} << 32,
          to_x,
          to_y,
          west,
          north,
          ((west != 0) & (west != x)) != 0 || ((north != 0) & (north != y)) != 0};
}

// From this nibble of its word.
template <class Ones>
OCTILE_INLINE uint64_t plain_way_at(const WayTables& t, const WayWord& word, uint32_t nibble) {
  const uint64_t from = ~uint64_t{0} << (4 * (nibble & 15)), stops = word.nibbles & kNoMove & from;
  // Up to the first stop, or to the end of the word.
  const uint64_t moves = kEachNibble & from & (((stops & (0 - stops)) >> 3) - 1);
  const auto slot = static_cast<uint32_t>(__builtin_ctzll(stops | uint64_t{1} << 63)) >> 4;
  return word.way[slot] + add_up<Ones>(t, word.nibbles, moves).way;
}

// LabelKernel::way_from.
template <class Ones>
OCTILE_INLINE uint64_t plain_way_from(const WayTables& t, const HubTree& tree, uint32_t nibble) {
  return plain_way_at<Ones>(t, t.word[tree.word + (nibble >> 4)], nibble);
}

// LabelKernel::climb.
template <class Ones>
OCTILE_INLINE void plain_climb(const WayTables& t, const HubTree& tree, uint32_t first,
                               uint32_t stop, uint64_t* way, TreeExtent* extent) {
  TreeExtent e = *extent;
  const auto go = [&](int32_t x, int32_t y) {
    const int32_t to[4] = {x, y, -x, -y};
    for (uint32_t i = 0; i < 4; ++i) {
      e.at[i] += to[i];
      e.most[i] = e.at[i] > e.most[i] ? e.at[i] : e.most[i];
    }
  };
  uint64_t sum = *way;
  WayWord* word = t.word + tree.word + (stop >> 4);
  word->way[stop >> 2 & 3] = sum;
  // Up to the stop, which is not moved to.
  uint64_t below = (uint64_t{1} << (4 * (stop & 15))) - 1, starts = below << 4 | 15;
  for (uint32_t w = stop >> 4;; --w) {
    const bool last = w == first >> 4;
    const uint32_t skip = last ? first & 15 : 0;
    const uint64_t nibbles = read64(t.trees + tree.begin + 8 * size_t{w});
    const uint64_t from = ~uint64_t{0} << 4 * skip, all = kEachNibble & below & from;
    word->nibbles &= nibbles | ~(starts & from);
    const WordMoves moves = add_up<Ones>(t, nibbles, all);
    sum += moves.way;
    bool plain = !moves.turn;
    if (!plain) {
      // No cell between is new, in whatever order the moves come?
      const auto west = static_cast<int32_t>(Ones::of(moves.west));
      const auto north = static_cast<int32_t>(Ones::of(moves.north));
      plain = e.at[0] + moves.x + west <= e.most[0] && e.at[1] + moves.y + north <= e.most[1] &&
              e.at[2] + west <= e.most[2] && e.at[3] + north <= e.most[3];
    }
    if (plain) {
      go(moves.x, moves.y);
    } else {
      for (uint32_t i = 16; i-- > skip;)
        if (all >> (4 * i) & 1) go(kDx[nibbles >> (4 * i) & 7], kDy[nibbles >> (4 * i) & 7]);
    }
    if (last) break;
    --word;
    word->way[3] = sum;
    below = starts = ~uint64_t{0};
  }
  *way = sum;
  *extent = e;
}

// LabelKernel::ways_fit.
template <class Ones>
OCTILE_INLINE bool plain_ways_fit(const WayTables& t, const HubTree* tree_of, uint32_t* place,
                                  const OddEntries& odd) {
  // Each is asked for before it is read.
  constexpr uint32_t kAhead = 24, kRing = 32;
  const WayWord* words[kRing];
  const OddEntries list = odd;  // nobody else writes to this one
  for (uint32_t i = 0; i < list.count + kAhead; ++i) {
    if (i < list.count) {
      const HubTree& tree = tree_of[list.hub[i]];
      if (list.link[i] >= tree.nibbles) return false;
      const WayWord* word = t.word + tree.word + (list.link[i] >> 4);
      __builtin_prefetch(word);
      __builtin_prefetch(&word->way[3]);
      words[i % kRing] = word;
    }
    if (i < kAhead) continue;
    const uint32_t k = i - kAhead, link = list.link[k];
    const WayWord& word = *words[k % kRing];
    const uint64_t way = plain_way_at<Ones>(t, word, link);
    const uint32_t hub = list.place[k] + static_cast<uint32_t>(way >> 32);
    uint32_t& known = place[list.hub[k]];
    if ((word.nibbles >> (4 * (link & 15)) & 15) == kNoStart ||
        static_cast<uint32_t>(way) != list.length[k] || hub == kNoPlace ||
        (known != hub && known != kNoPlace))
      return false;
    known = hub;
  }
  return true;
}

}  // namespace octile
