// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/tree_check.hpp"

#include <algorithm>
#include <cstdlib>

#include "world/bits.hpp"

namespace octile {

namespace {

constexpr const char* kWrongTree = "the index file makes no sense: a tree";

constexpr uint64_t kNotMove = 0x8888888888888888;

uint32_t length_of(uint64_t way) noexcept {
  return static_cast<uint32_t>(way);
}
uint32_t nibble_of(const uint8_t* tree, size_t i) noexcept {
  return uint32_t{tree[i >> 1]} >> (4 * (i & 1)) & 15;
}
uint32_t run_length(const uint8_t* tree, size_t i) noexcept {
  return nibble_of(tree, i + 2) | nibble_of(tree, i + 3) << 4 | nibble_of(tree, i + 4) << 8;
}

}  // namespace

// A place or displacement modulo 2^32 tells where a way ends, and that is enough. Let a way from
// via v by its true displacement d lead to the packed place h of the hub; inside() finds h - d on
// the map, where no two cells have the same packed place, so h - d is v.
static_assert(kMostIndexSide <= 65535);

TreeCheck::TreeCheck(const LabelTables& labels, const IndexHeader& head) noexcept
    : labels_(labels), head_(head), half_((sum_limit({head.straight, head.diagonal}) + 1) / 2) {
  for (uint32_t i = 0; i < 16; ++i) {
    const auto x = static_cast<uint32_t>(kDx[i & 7]), y = static_cast<uint32_t>(kDy[i & 7]);
    move_[i] = (i & 1 ? head.diagonal : head.straight) | uint64_t{x + (y << 16)} << 32;
  }
  for (uint32_t i = 0; i < 256; ++i) two_[i] = move_[i & 15] + move_[i >> 4];
}

const char* TreeCheck::find(Arena* arena) noexcept {
  const size_t bytes = section_room(head_, Section::trees);
  const size_t lanes = size_t{head_.blocks} * kLanes;
  if (bytes > size_t{UINT32_MAX}) return kWrongTree;
  // 32 bytes, at some of which trees begin.
  struct Group {
    uint32_t bits;
    uint32_t first;  // the number of its first tree
  };
  const size_t groups = (bytes + 31) / 32;
  hub_ = arena->take<HubTree>(lanes);
  tree_of_ = arena->take<uint32_t>(lanes);
  auto* const group = arena->take<Group>(groups);
  if (!hub_ || !tree_of_ || !group) return kNoMemoryToCheck;
  std::fill_n(group, groups, Group{0, 0});
  for (size_t i = 0; i < lanes; ++i) {
    const uint32_t base = labels_.tree_base[i];
    if (base >= bytes) return kWrongTree;
    group[base >> 5].bits |= 1u << (base & 31);
  }
  uint32_t trees = 0;
  for (size_t g = 0; g < groups; ++g) {
    group[g].first = trees;
    trees += count_bits(group[g].bits);
  }
  if (!tree_.reserve(trees)) return kNoMemoryToCheck;
  uint32_t fours = 0;
  const auto end_last = [&](size_t end) {
    if (tree_.empty()) return true;
    HubTree& last = tree_.back().at;
    const size_t nibbles = 2 * (end - last.begin);
    last.nibbles = static_cast<uint32_t>(nibbles);
    fours += static_cast<uint32_t>((nibbles + 3) / 4);
    return nibbles <= UINT32_MAX;
  };
  for (size_t g = 0; g < groups; ++g) {
    for (uint32_t bits = group[g].bits; bits; bits &= bits - 1) {
      const size_t begin = 32 * g + static_cast<uint32_t>(__builtin_ctz(bits));
      if (!end_last(begin)) return kWrongTree;
      tree_.push({{0, static_cast<uint32_t>(begin), fours}, {}});
    }
  }
  if (!end_last(bytes)) return kWrongTree;
  way_ = arena->take<uint64_t>(fours);
  starts_ = arena->take<uint8_t>(fours);
  if (!way_ || !starts_) return kNoMemoryToCheck;
  std::fill_n(starts_, fours, uint8_t{0});
  for (size_t i = 0; i < lanes; ++i) {
    const uint32_t base = labels_.tree_base[i];
    const Group& own = group[base >> 5];
    tree_of_[i] = own.first + count_bits(own.bits & ((1u << (base & 31)) - 1));
    hub_[i] = tree_[tree_of_[i]].at;
  }
  return nullptr;
}

size_t TreeCheck::tree_at(size_t part, size_t parts) const noexcept {
  const size_t byte = section_room(head_, Section::trees) * part / parts;
  return static_cast<size_t>(
      std::lower_bound(tree_.begin(), tree_.end(), byte,
                       [](const Tree& tree, size_t at) { return tree.at.begin < at; }) -
      tree_.begin());
}

const char* TreeCheck::follow(size_t first, size_t end) noexcept {
  Buffer<uint32_t> runs;
  for (size_t i = first; i < end; ++i)
    if (const char* wrong = follow(&tree_[i], i + 1 == tree_.size(), &runs)) return wrong;
  return nullptr;
}

// Follows each path of a tree once, from its end to its leaf. What branches on single bits of the
// file is guessed wrong half of the time, so nothing does.
const char* TreeCheck::follow(Tree* tree, bool last, Buffer<uint32_t>* runs) noexcept {
  const uint8_t* const bytes = labels_.trees + tree->at.begin;
  uint64_t* const ways = way_ + tree->at.four;
  uint8_t* const starts = starts_ + tree->at.four;
  const size_t end = tree->at.nibbles;
  TreeExtent extent;
  const auto put = [&](int32_t x, int32_t y) {
    extent.west = std::min(extent.west, x);
    extent.north = std::min(extent.north, y);
    extent.east = std::max(extent.east, x);
    extent.south = std::max(extent.south, y);
  };
  for (size_t at = 0; at < end;) {
    // 1. Where it ends; up to 32 moves at once, since what is not a move has the highest bit set.
    const size_t leaf = at;
    runs->clear();
    while (at < end) {
      const uint8_t* const from = bytes + (at >> 1);
      const uint64_t low = read64(from) >> (4 * (at & 1)) & kNotMove;
      const uint64_t high = read64(from + 8) & kNotMove;
      if (!(low | high)) {
        at += 32 - (at & 1);
        continue;
      }
      at += low ? 0 : 16 - (at & 1);
      at += static_cast<uint32_t>(__builtin_ctzll(low ? low : high)) >> 2;
      if (at >= end || nibble_of(bytes, at) != kRun) break;
      if (end - at < 5 || nibble_of(bytes, at + 1) > 7) return kWrongTree;
      if (!runs->push(static_cast<uint32_t>(at))) return kNoMemoryToCheck;
      at += 5;
    }
    if (at >= end) {
      // Zeros up to the next multiple of 64 bytes are padding.
      if (!last || end - leaf >= 2 * kFileAlignment) return kWrongTree;
      for (size_t z = leaf; z < end; ++z)
        if (nibble_of(bytes, z) != 0) return kWrongTree;
      break;
    }
    // 2. Where it goes on.
    const uint32_t token = nibble_of(bytes, at);
    if (token != kPathEnd && token != kNearPathEnd) return kWrongTree;
    const size_t jump = (at >> 1) + 1;
    const bool near = token == kNearPathEnd;
    const uint32_t size = near ? 2 : 4, on = read_bytes(bytes + jump, size);
    if (jump + size > end / 2) return kWrongTree;
    uint64_t way = 0;
    if (on == (near ? kNearTreeEnd : kTreeEnd)) {
      if (leaf != 0) return kWrongTree;  // one hub a tree
    } else {
      // Only to what was checked: no circles.
      if (on >= leaf) return kWrongTree;
      if (!(starts[on >> 2] >> (on & 3) & 1)) return kWrongTree;
      way = ways[on >> 2] - moves_of(bytes + 2 * size_t{on >> 2}, on & 3);
    }
    // 3. From there to the leaf, stop by stop.
    const uint64_t begin = way;
    uint32_t steps = 0;
    size_t stop = at;
    for (size_t r = runs->size();; --r) {
      const size_t first = r == 0 ? leaf : (*runs)[r - 1] + size_t{5};
      // Longer than any way may be.
      if ((stop - first) * uint64_t{head_.straight} >= half_) return kWrongTree;
      steps += static_cast<uint32_t>(stop - first);
      size_t four = stop >> 2;
      const size_t to = first >> 2;
      way += moves_of(bytes + 2 * four, stop & 3);
      uint32_t begins = (2u << (stop & 3)) - 1;
      for (;; --four) {
        ways[four] = way;
        starts[four] = static_cast<uint8_t>(begins);
        if (four == to) break;
        begins = 15;
        way += two_[bytes[2 * four - 2]] + two_[bytes[2 * four - 1]];
      }
      starts[to] = static_cast<uint8_t>(begins & (15u << (first & 3)));
      way -= moves_of(bytes + 2 * to, first & 3);
      if (length_of(way) >= half_) return kWrongTree;
      if (r == 0) break;
      stop = (*runs)[r - 1];
      const uint32_t count = run_length(bytes, stop);
      if (count == 0) return kWrongTree;
      steps += count;
      way += count * move_[nibble_of(bytes, stop + 1)];
      if (length_of(way) >= half_) return kWrongTree;
    }
    // 4. What it spans. A cell that was there before, when they are all less than 65536 wide and
    // high; from there ways are shorter than 32768 steps.
    const auto from = static_cast<uint32_t>(begin >> 32),
               by = static_cast<uint32_t>(way >> 32) - from;
    const int32_t x =
        extent.west + static_cast<uint16_t>(from - static_cast<uint32_t>(extent.west));
    const uint32_t rows = (from - static_cast<uint32_t>(x)) >> 16;
    const int32_t y =
        extent.north + static_cast<uint16_t>(rows - static_cast<uint32_t>(extent.north));
    const int32_t dx = static_cast<int16_t>(by);
    const int32_t dy = static_cast<int16_t>((by - static_cast<uint32_t>(dx)) >> 16);
    put(x + dx, y + dy);
    // Of steps that never go back each diagonal one counts in both directions, and others do in
    // one.
    const uint32_t both = static_cast<uint32_t>(std::abs(dx) + std::abs(dy)) - steps;
    if (length_of(way) - length_of(begin) !=
        steps * head_.straight + both * (head_.diagonal - head_.straight)) {
      // To and fro: all that it turns at.
      int32_t to_x = x + dx, to_y = y + dy;
      for (size_t i = leaf; i < at;) {
        const bool run = nibble_of(bytes, i) == kRun;
        const uint32_t move = nibble_of(bytes, i + run);
        const auto count = static_cast<int32_t>(run ? run_length(bytes, i) : 1);
        to_x -= kDx[move] * count;
        to_y -= kDy[move] * count;
        put(to_x, to_y);
        i += run ? 5 : 1;
      }
    }
    if (extent.east - extent.west >= static_cast<int32_t>(head_.width) ||
        extent.south - extent.north >= static_cast<int32_t>(head_.height))
      return kWrongTree;
    at = 2 * (jump + size);
  }
  tree->extent = extent;
  return nullptr;
}

bool TreeCheck::ways_fit(const OddEntries& odd, uint32_t* place) const noexcept {
  // Each is asked for before it is looked at.
  constexpr uint32_t kAhead = 24, kRing = 32;
  struct {
    uint32_t four;
    uint32_t byte;
  } ring[kRing];
  const OddEntries list = odd;  // nobody else writes to this one
  const uint8_t* const trees = labels_.trees;
  for (uint32_t i = 0; i < list.count + kAhead; ++i) {
    if (i < list.count) {
      const HubTree& tree = hub_[list.hub[i]];
      const uint32_t link = list.link[i], four = tree.four + (link >> 2);
      if (link >= tree.nibbles) return false;
      const uint32_t byte = tree.begin + 2 * (link >> 2);
      ring[i % kRing] = {four, byte};
      __builtin_prefetch(&way_[four]);
      __builtin_prefetch(&starts_[four]);
      __builtin_prefetch(&trees[byte]);
    }
    if (i < kAhead) continue;
    const uint32_t k = i - kAhead, first = list.link[k] & 3;
    const auto [four, byte] = ring[k % kRing];
    const uint64_t way = way_[four] - moves_of(trees + byte, first);
    const uint32_t hub = list.place[k] + static_cast<uint32_t>(way >> 32);
    uint32_t& known = place[list.hub[k]];
    if (!(starts_[four] >> first & 1) || length_of(way) != list.length[k] || hub == kNoPlace ||
        (known != hub && known != kNoPlace))
      return false;
    known = hub;
  }
  return true;
}

bool TreeCheck::inside(const uint32_t* place) const noexcept {
  const size_t lanes = size_t{head_.blocks} * kLanes;
  for (size_t i = 0; i < lanes; ++i) {
    if (place[i] == kNoPlace) continue;
    const int64_t x = place[i] & 0xffff, y = place[i] >> 16;
    const TreeExtent& to = tree_[tree_of_[i]].extent;
    if (x < to.east || y < to.south || x - to.west >= head_.width || y - to.north >= head_.height)
      return false;
  }
  return true;
}

}  // namespace octile
