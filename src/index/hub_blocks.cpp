// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/hub_blocks.hpp"

namespace octile {

using detail::Buffer;

namespace {

constexpr uint32_t kRoom = 16;

// Groups of hubs that grow: which tiles each has, and who has most in common with a newcomer.
class Groups {
 public:
  bool begin(uint32_t tiles) noexcept {
    list_.clear();
    size_.clear();
    spread_.clear();
    shared_.clear();
    return head_.assign(tiles, UINT32_MAX);
  }
  uint32_t count() const noexcept { return static_cast<uint32_t>(size_.size()); }
  uint32_t size(uint32_t group) const noexcept { return size_[group]; }

  // The group with room for `hubs` more that shares most of `tile[0 .. n)`, and at least `least` of
  // them; UINT32_MAX when there is none.
  uint32_t closest(const uint32_t* tile, size_t n, uint32_t hubs, uint32_t least) noexcept {
    seen_.clear();
    for (size_t i = 0; i < n; ++i) {
      uint32_t* from = &head_[tile[i]];
      while (*from != UINT32_MAX) {
        Link& link = list_[*from];
        const uint32_t group = link.group;
        if (size_[group] == kRoom) {
          // Full for good: nobody shall pass it again.
          *from = link.next;
          continue;
        }
        from = &link.next;
        if (size_[group] + hubs > kRoom) continue;
        if (shared_[group]++ == 0) seen_.push(group);  // reserved by add_group()
      }
    }
    uint32_t best = UINT32_MAX;
    double best_score = 0;
    for (const uint32_t group : seen_) {
      const uint32_t common = shared_[group];
      shared_[group] = 0;
      if (common < least) continue;
      // Of two that fit as well, the one that is less spread out.
      const double score = common - 0.02 * spread_[group];
      if (best != UINT32_MAX && (score < best_score || (score == best_score && group > best)))
        continue;
      best = group;
      best_score = score;
    }
    return best;
  }
  bool add_group() noexcept {
    return size_.push(0) && spread_.push(0) && shared_.push(0) && seen_.reserve(size_.capacity());
  }
  bool join(uint32_t group, const uint32_t* tile, size_t n, uint32_t hubs) noexcept {
    size_[group] += hubs;
    for (size_t i = 0; i < n; ++i) {
      uint32_t l = head_[tile[i]];
      while (l != UINT32_MAX && list_[l].group != group) l = list_[l].next;
      if (l != UINT32_MAX) continue;
      if (!list_.push({group, head_[tile[i]], tile[i]})) return false;
      head_[tile[i]] = static_cast<uint32_t>(list_.size() - 1);
      ++spread_[group];
    }
    return true;
  }
  // The tiles of every group: tile[first[g] .. first[g + 1]).
  bool tiles(Buffer<uint32_t>* first, Buffer<uint32_t>* tile) noexcept {
    if (!first->assign(count() + 1, 0) || !tile->resize(list_.size())) return false;
    for (const Link& link : list_) ++(*first)[link.group + 1];
    for (uint32_t g = 0; g < count(); ++g) (*first)[g + 1] += (*first)[g];
    Buffer<uint32_t> at;
    if (!at.resize(count())) return false;
    for (uint32_t g = 0; g < count(); ++g) at[g] = (*first)[g];
    for (const Link& link : list_) (*tile)[at[link.group]++] = link.tile;
    return true;
  }

 private:
  struct Link {
    uint32_t group, next, tile;
  };
  Buffer<Link> list_;      // all groups of all tiles
  Buffer<uint32_t> head_;  // by tile: those that are not full, and some that are
  Buffer<uint32_t> size_, spread_, shared_, seen_;
};

}  // namespace

Built HubBlocks::build(uint32_t hubs, uint32_t tiles, const Buffer<uint32_t>& first,
                       const Buffer<uint32_t>& tile_of, const BuildLimits& limits) noexcept {
  // 1. Hub by hub, in the order of rank.
  Groups groups;
  Buffer<uint32_t> group_of;
  if (!groups.begin(tiles) || !group_of.assign(hubs, UINT32_MAX)) return Built::out_of_memory;
  for (uint32_t h = 0; h < hubs; ++h) {
    if (limits.cancelled()) return Built::cancelled;
    const uint32_t* tile = tile_of.data() + first[h];
    const uint32_t n = first[h + 1] - first[h];
    if (n == 0) continue;
    uint32_t group = groups.closest(tile, n, 1, n - n / 4);
    if (group == UINT32_MAX) {
      group = groups.count();
      if (!groups.add_group()) return Built::out_of_memory;
    }
    if (!groups.join(group, tile, n, 1)) return Built::out_of_memory;
    group_of[h] = group;
  }
  // 2. Groups that are not full join each other, the larger first.
  Groups merged;
  Buffer<uint32_t> begin, tile, block_of;
  if (!merged.begin(tiles) || !groups.tiles(&begin, &tile) ||
      !block_of.assign(groups.count(), UINT32_MAX))
    return Built::out_of_memory;
  uint32_t open = 0;  // the first block that may have room
  for (uint32_t size = kRoom; size > 0; --size) {
    for (uint32_t g = 0; g < groups.count(); ++g) {
      if (groups.size(g) != size) continue;
      if (limits.cancelled()) return Built::cancelled;
      const uint32_t* own = tile.data() + begin[g];
      const uint32_t n = begin[g + 1] - begin[g];
      uint32_t block = size == kRoom ? UINT32_MAX : merged.closest(own, n, size, 1);
      if (block == UINT32_MAX && size <= kRoom / 2) {
        // Nobody near has room: a small group rather joins a stranger than opens a block.
        while (open < merged.count() && merged.size(open) == kRoom) ++open;
        for (uint32_t b = open; b < merged.count() && block == UINT32_MAX; ++b)
          if (merged.size(b) + size <= kRoom) block = b;
      }
      if (block == UINT32_MAX) {
        block = merged.count();
        if (!merged.add_group()) return Built::out_of_memory;
      }
      if (!merged.join(block, own, n, size)) return Built::out_of_memory;
      block_of[g] = block;
    }
  }
  // 3. Lanes in the order of rank; hubs of no tile have no place.
  blocks = merged.count();
  Buffer<uint32_t> used;
  if (!place.assign(hubs, UINT32_MAX) || !used.assign(blocks, 0)) return Built::out_of_memory;
  for (uint32_t h = 0; h < hubs; ++h) {
    if (group_of[h] == UINT32_MAX) continue;
    const uint32_t block = block_of[group_of[h]];
    place[h] = block * kRoom + used[block]++;
  }
  return Built::done;
}

}  // namespace octile
