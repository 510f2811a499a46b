// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/tree_check.hpp"

#include <algorithm>

#include "world/bits.hpp"

namespace octile {

namespace {

constexpr const char* kWrongTree = "the index file makes no sense: a tree";

uint32_t length_of(uint64_t way) noexcept {
  return static_cast<uint32_t>(way);
}

}  // namespace

// A place or displacement modulo 2^32 tells where a way ends, and that is enough. Let a way from
// via v by its true displacement d lead to the packed place h of the hub; inside() finds h - d on
// the map, where no two cells have the same packed place, so h - d is v.
static_assert(kMostIndexSide <= 65535);

TreeCheck::TreeCheck(const LabelTables& labels, const IndexHeader& head) noexcept
    : labels_(labels), head_(head), limit_(sum_limit(head)) {
  ways_.trees = labels.trees;
  ways_.straight = head.straight;
  ways_.extra = head.diagonal - head.straight;
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
  uint32_t words = 0;
  const auto end_last = [&](size_t end) {
    if (tree_.empty()) return true;
    HubTree& last = tree_.back().at;
    const size_t nibbles = 2 * (end - last.begin);
    last.nibbles = static_cast<uint32_t>(nibbles);
    words += static_cast<uint32_t>((nibbles + 15) / 16);
    return nibbles <= UINT32_MAX;
  };
  for (size_t g = 0; g < groups; ++g) {
    for (uint32_t bits = group[g].bits; bits; bits &= bits - 1) {
      const size_t begin = 32 * g + static_cast<uint32_t>(__builtin_ctz(bits));
      if (!end_last(begin)) return kWrongTree;
      tree_.push({{0, words, static_cast<uint32_t>(begin)}, {}});
    }
  }
  if (!end_last(bytes)) return kWrongTree;
  ways_.word = arena->take<WayWord>(words);
  if (!ways_.word) return kNoMemoryToCheck;
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
  Buffer<uint32_t> run;
  for (size_t i = first; i < end; ++i)
    if (const char* wrong = follow(&tree_[i], i + 1 == tree_.size(), &run)) return wrong;
  return nullptr;
}

// Follows each path of a tree once, from its end to its leaf.
const char* TreeCheck::follow(Tree* tree, bool last, Buffer<uint32_t>* run) noexcept {
  const HubTree& own = tree->at;
  const uint8_t* const bytes = labels_.trees + own.begin;
  const size_t end = own.nibbles;
  for (size_t w = 0; w < (end + 15) / 16; ++w) ways_.word[own.word + w].nibbles = UINT64_MAX;
  TreeExtent extent;
  for (size_t at = 0; at < end;) {
    // 1. Where it ends; up to 16 moves at once, since what is not a move has the highest bit set.
    const size_t leaf = at;
    run->clear();
    while (at < end) {
      const uint64_t odd = read64(bytes + (at >> 1)) >> (4 * (at & 1)) & 0x8888888888888888;
      if (!odd) {
        at += 16 - (at & 1);
        continue;
      }
      at += static_cast<uint32_t>(__builtin_ctzll(odd)) >> 2;
      if (at >= end || nibble(own, at) == kPathEnd || nibble(own, at) == kNearPathEnd) break;
      if (nibble(own, at) != kRun || end - at < 5 || nibble(own, at + 1) > 7) return kWrongTree;
      if (!run->push(static_cast<uint32_t>(at))) return kNoMemoryToCheck;
      at += 5;
    }
    if (at >= end) {
      // Zeros up to the next multiple of 64 bytes are padding.
      if (!last || end - leaf >= 2 * kFileAlignment) return kWrongTree;
      for (size_t z = leaf; z < end; ++z)
        if (nibble(own, z) != 0) return kWrongTree;
      break;
    }
    // 2. Where it goes on.
    const size_t jump = (at >> 1) + 1;
    const bool near = nibble(own, at) == kNearPathEnd;
    const uint32_t size = near ? 2 : 4, on = read_bytes(bytes + jump, size);
    if (jump + size > end / 2) return kWrongTree;
    uint64_t way = 0;
    if (on == (near ? kNearTreeEnd : kTreeEnd)) {
      if (leaf != 0) return kWrongTree;  // one hub a tree
    } else {
      // Only to what was checked: no circles.
      if (on >= leaf ||
          (ways_.word[own.word + (on >> 4)].nibbles >> (4 * (on & 15)) & 15) == kNoStart)
        return kWrongTree;
      way = kernel_.way_from(ways_, own, on);
    }
    // A cell that was there before, when they are all less than 65536 wide and high.
    const auto displacement = static_cast<uint32_t>(way >> 32);
    const int32_t west = -extent.most[2], north = -extent.most[3];
    const int32_t x = west + static_cast<uint16_t>(displacement - static_cast<uint32_t>(west));
    const uint32_t rows = (displacement - static_cast<uint32_t>(x)) >> 16;
    const int32_t y = north + static_cast<uint16_t>(rows - static_cast<uint32_t>(north));
    extent.at[0] = x;
    extent.at[1] = y;
    extent.at[2] = -x;
    extent.at[3] = -y;
    // 3. From there to the leaf.
    size_t stop = at;
    for (size_t r = run->size();; --r) {
      const size_t first = r == 0 ? leaf : (*run)[r - 1] + size_t{5};
      // Longer than any way may be.
      if (length_of(way) >= limit_ ||
          (stop - first) * uint64_t{head_.straight} >= limit_ - length_of(way))
        return kWrongTree;
      kernel_.climb(ways_, own, static_cast<uint32_t>(first), static_cast<uint32_t>(stop), &way,
                    &extent);
      if (length_of(way) >= limit_) return kWrongTree;
      if (r == 0) break;
      stop = (*run)[r - 1];
      const uint32_t count =
          nibble(own, stop + 2) | nibble(own, stop + 3) << 4 | nibble(own, stop + 4) << 8;
      if (count == 0) return kWrongTree;
      const uint32_t move = nibble(own, stop + 1);
      const int32_t dx = kDx[move] * static_cast<int32_t>(count);
      const int32_t dy = kDy[move] * static_cast<int32_t>(count);
      way += count * (move & 1 ? head_.diagonal : head_.straight) |
             uint64_t{static_cast<uint32_t>(dx) + (static_cast<uint32_t>(dy) << 16)} << 32;
      const int32_t to[4] = {dx, dy, -dx, -dy};
      for (uint32_t i = 0; i < 4; ++i) {
        extent.at[i] += to[i];
        extent.most[i] = std::max(extent.most[i], extent.at[i]);
      }
    }
    if (extent.most[0] + extent.most[2] >= static_cast<int32_t>(head_.width) ||
        extent.most[1] + extent.most[3] >= static_cast<int32_t>(head_.height))
      return kWrongTree;
    at = 2 * (jump + size);
  }
  tree->extent = extent;
  return nullptr;
}

bool TreeCheck::inside(const uint32_t* place) const noexcept {
  const size_t lanes = size_t{head_.blocks} * kLanes;
  for (size_t i = 0; i < lanes; ++i) {
    if (place[i] == kNoPlace) continue;
    const int64_t x = place[i] & 0xffff, y = place[i] >> 16;
    const int32_t* to = tree_[tree_of_[i]].extent.most;
    if (x < to[0] || y < to[1] || x + to[2] >= head_.width || y + to[3] >= head_.height)
      return false;
  }
  return true;
}

}  // namespace octile
