// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Whether the tiles and trees of an index of tile labels make sense, see index_check.cpp: the check
// that takes the time, since it looks at every entry.

#include <algorithm>

#include "index/path_index.hpp"
#include "world/bits.hpp"

namespace octile {

namespace {

// Follows the way of every entry to its hub, and no step of a tree twice:
//
//   1. Trees, one after another: which nibbles ways may begin at, and from every fourth one how far
//      it is to the hub, and in which direction. The three nibbles before it, or fewer, are looked
//      up.
//   2. Tiles: each way is as long as its entry says, and all ways of a hub end at one cell. The
//      last way to a hub is remembered: most tiles have the same one as their neighbour.
//   3. Every cell of every tree, seen from where its hub stands, lies on the map.
class TileCheck {
 public:
  TileCheck(const Index::Impl& index, const IndexHeader& head) noexcept
      : labels_(index.labels), head_(head) {}

  const char* run() noexcept {
    for (const auto& pair : kIndexMetrics)
      for (const IndexMetric& m : pair)
        if (m.steps.straight == head_.straight && m.steps.diagonal == head_.diagonal)
          limit_ = m.limit;
    for (uint32_t byte = 0; byte < 256; ++byte) {
      Pair& pair = pair_[byte];
      for (const uint32_t move : {byte & 15, byte >> 4}) {
        if (move >= kPathEnd) continue;
        const Span before = pair.span;
        pair.way.add(steps(move, 1));
        pair.span = Span(kDx[move], kDy[move]);
        for (uint32_t i = 0; i < 4; ++i) {
          pair.turns = pair.turns || (before.to[i] > 0 && pair.span.to[i] < 0);
          pair.span.to[i] += before.to[i];
        }
      }
    }
    if (const char* wrong = find_trees()) return wrong;
    for (Tree& tree : tree_)
      if (const char* wrong = follow(&tree)) return wrong;
    if (const char* wrong = tiles()) return wrong;
    return all_inside() ? nullptr : "the index file makes no sense: a way leaves the map";
  }

 private:
  static constexpr const char* kWrongTree = "the index file makes no sense: a tree";
  static constexpr const char* kWrongTile = "the index file makes no sense: a tile";

  // Places and displacements are x + 65536 * y modulo 2^32: adding them tells where a way ends.
  // That is enough. Let a way from via v by its true displacement d lead to the packed place h of
  // the hub; all_inside() finds h - d on the map, where no two cells have the same packed place, so
  // h - d is v.
  static constexpr uint32_t packed(uint32_t x, uint32_t y) noexcept { return x + (y << 16); }
  static constexpr uint32_t kNowhere = UINT32_MAX;
  static_assert(kMostIndexSide <= 65535);

  // 32 nibbles, some of which are marked: where trees begin, later where ways may.
  struct Group {
    uint32_t bits;
    uint32_t first;  // the number of the first mark
  };
  // From a nibble to the hub: the length, and above it the displacement. No length reaches 2^32.
  struct Way {
    uint64_t both;

    Way(uint32_t length = 0, uint32_t displacement = 0) noexcept
        : both(length | uint64_t{displacement} << 32) {}
    uint32_t length() const noexcept { return static_cast<uint32_t>(both); }
    uint32_t displacement() const noexcept { return static_cast<uint32_t>(both >> 32); }
    void add(Way other) noexcept { both += other.both; }
  };
  // How far it is from a cell to the hub: to the east, the south, the west, the north. Two numbers
  // would do; of four the largest are found at once.
  struct Span {
    int32_t to[4];

    Span(int32_t x = 0, int32_t y = 0) noexcept : to{x, y, -x, -y} {}
  };
  struct Tree {
    size_t begin, end;  // nibbles
    Span extent;        // the hub's place minus these
  };
  // Two moves, each a nibble; what is no move counts nothing.
  struct Pair {
    Span span;
    Way way;
    bool turns = false;  // the cell between lies outside of what the others span
  };
  struct Hub {
    size_t base;       // of its tree, in nibbles
    uint32_t nibbles;  // of its tree
    uint32_t tree;
    uint32_t place;  // kNowhere: no way has led there
  };

  void mark(size_t nibble) noexcept { group_[nibble >> 5].bits |= 1u << (nibble & 31); }
  bool marked(size_t nibble) const noexcept {
    return group_[nibble >> 5].bits >> (nibble & 31) & 1;
  }
  // Those from `from` to `to`, both included.
  void mark_all(size_t from, size_t to) noexcept {
    const uint32_t low = UINT32_MAX << (from & 31), high = UINT32_MAX >> (31 - (to & 31));
    if (from >> 5 == to >> 5) {
      group_[from >> 5].bits |= low & high;
      return;
    }
    group_[from >> 5].bits |= low;
    for (size_t g = (from >> 5) + 1; g < to >> 5; ++g) group_[g].bits = UINT32_MAX;
    group_[to >> 5].bits |= high;
  }
  uint32_t nibble(size_t i) const noexcept {
    return uint32_t{labels_.trees[i >> 1]} >> (4 * (i & 1)) & 15;
  }
  Way steps(uint32_t direction, uint32_t count) const noexcept {
    return {count * (direction & 1 ? head_.diagonal : head_.straight),
            count * packed(static_cast<uint32_t>(kDx[direction]),
                           static_cast<uint32_t>(kDy[direction]))};
  }

  // Each tree reaches to the next one.
  const char* find_trees() noexcept {
    const size_t bytes = section_room(head_, Section::trees);
    const size_t lanes = size_t{head_.blocks} * kLanes;
    if (bytes > size_t{UINT32_MAX} + 1) return kWrongTree;
    const size_t groups = (2 * bytes + 31) / 32, ways = (2 * bytes + 3) / 4 + 1;
    if (!hub_.resize(lanes) || !reserve_large(&group_, groups) || !group_.assign(groups, {0, 0}) ||
        !reserve_large(&way_, ways) || !way_.resize(ways))
      return kNoMemoryToCheck;
    for (size_t i = 0; i < lanes; ++i) {
      if (labels_.tree_base[i] >= bytes) return kWrongTree;
      mark(2 * size_t{labels_.tree_base[i]});
    }
    uint32_t trees = 0;
    for (Group& group : group_) {
      group.first = trees;
      trees += count_bits(group.bits);
    }
    if (!tree_.reserve(trees)) return kNoMemoryToCheck;
    for (size_t g = 0; g < groups; ++g) {
      for (uint32_t bits = group_[g].bits; bits; bits &= bits - 1) {
        const size_t begin = 32 * g + static_cast<uint32_t>(__builtin_ctz(bits));
        if (!tree_.empty()) tree_.back().end = begin;
        tree_.push({begin, 2 * bytes, {}});
      }
    }
    for (size_t i = 0; i < lanes; ++i) {
      const size_t base = 2 * size_t{labels_.tree_base[i]};
      const Group& group = group_[base >> 5];
      const uint32_t tree = group.first + count_bits(group.bits & ((1u << (base & 31)) - 1));
      const size_t nibbles = tree_[tree].end - tree_[tree].begin;
      hub_[i] = {base, static_cast<uint32_t>(std::min<size_t>(nibbles, UINT32_MAX)), tree,
                 kNowhere};
    }
    for (Group& group : group_) group.bits = 0;
    return nullptr;
  }

  // --- Trees -----------------------------------------------------------------------------------

  // Of four nibbles those that lead from one of them to the next stop, which is no move, or to the
  // end of the four: what is not among them becomes a stop as well.
  static uint32_t moves_from(uint32_t four, uint32_t first) noexcept {
    const uint32_t below = (1u << (4 * first)) - 1;
    const uint32_t odd = (four & 0x8888 & ~below) | 0x80000;
    const uint32_t kept = (((odd & (0 - odd)) >> 3) - 1) & ~below;
    return four | (0x8888 & ~kept);
  }
  // The moves among the four from `nibble` on; nibbles of a four go from 4 * n to 4 * n + 3.
  uint32_t moves_among(size_t nibble) const noexcept {
    return moves_from(read16(labels_.trees + 2 * (nibble >> 2)), static_cast<uint32_t>(nibble & 3));
  }
  // From a marked nibble. way_ has the way from the stop, or from the end of the four; behind a
  // stop no more ways begin among the four, since what belongs to it takes at least as many.
  Way way_from(size_t nibble) const noexcept {
    Way way = way_[nibble >> 2];
    const uint32_t moves = moves_among(nibble);
    way.add(pair_[moves & 255].way);
    way.add(pair_[moves >> 8].way);
    return way;
  }

  // The cells of a tree, seen from its hub.
  struct Extent {
    Span at;    // the one at hand
    Span most;  // of all

    // To a cell that was there before, when they are all less than 65536 wide and high.
    void return_to(uint32_t displacement) noexcept {
      const int32_t west = -most.to[2], north = -most.to[3];
      const int32_t x = west + static_cast<uint16_t>(displacement - static_cast<uint32_t>(west));
      const uint32_t y = (displacement - static_cast<uint32_t>(x)) >> 16;
      at = Span(x, north + static_cast<uint16_t>(y - static_cast<uint32_t>(north)));
    }
    void go(const Span& moves) noexcept {
      for (uint32_t i = 0; i < 4; ++i) {
        at.to[i] += moves.to[i];
        most.to[i] = at.to[i] > most.to[i] ? at.to[i] : most.to[i];
      }
    }
  };

  // From the stop of a path, or of moves before a run, back to the first move of those that lead to
  // it; `way` is that from the stop. False: longer than any way may be.
  bool go_back(size_t first, size_t stop, Way* way, Extent* extent) noexcept {
    way_[stop >> 2] = *way;
    mark_all(first, stop);
    if (way->length() >= limit_ ||
        (stop - first) * uint64_t{head_.straight} >= limit_ - way->length())
      return false;
    for (size_t at = stop; at > first;) {
      const size_t four = (at - 1) >> 2, from = std::max(first, 4 * four);
      if (at % 4 == 0) way_[four] = *way;
      const uint32_t moves = moves_among(from);
      const Pair &near = pair_[moves >> 8], &far = pair_[moves & 255];
      way->add(near.way);
      way->add(far.way);
      if (near.turns | far.turns) {
        while (at > from) {
          const uint32_t move = nibble(--at);
          extent->go(Span(kDx[move], kDy[move]));
        }
      } else {
        extent->go(near.span);
        extent->go(far.span);
        at = from;
      }
    }
    return way->length() < limit_;
  }

  // Follows each path of a tree once, from its end to its leaf.
  const char* follow(Tree* tree) noexcept {
    const size_t begin = tree->begin, end = tree->end;
    Extent extent;
    for (size_t at = begin; at < end;) {
      // 1. Where it ends; up to 16 moves at once, since what is not a move has the highest bit set.
      const size_t leaf = at;
      run_.clear();
      while (at < end) {
        const uint64_t odd =
            read64(labels_.trees + (at >> 1)) >> (4 * (at & 1)) & 0x8888888888888888;
        if (!odd) {
          at += 16 - (at & 1);
          continue;
        }
        at += static_cast<uint32_t>(__builtin_ctzll(odd)) >> 2;
        if (at >= end || nibble(at) == kPathEnd || nibble(at) == kNearPathEnd) break;
        if (nibble(at) != kRun || end - at < 5 || nibble(at + 1) > 7) return kWrongTree;
        if (!run_.push(at)) return kNoMemoryToCheck;
        at += 5;
      }
      if (at >= end) {
        // Zeros up to the next multiple of 64 bytes are padding.
        if (tree != &tree_.back() || end - leaf >= 2 * kFileAlignment) return kWrongTree;
        for (size_t z = leaf; z < end; ++z)
          if (nibble(z) != 0) return kWrongTree;
        break;
      }
      // 2. Where it goes on.
      const size_t jump = (at >> 1) + 1;
      const bool near = nibble(at) == kNearPathEnd;
      const uint32_t bytes = near ? 2 : 4, on = read_bytes(labels_.trees + jump, bytes);
      if (jump + bytes > end / 2) return kWrongTree;
      Way way;
      if (on == (near ? kNearTreeEnd : kTreeEnd)) {
        if (leaf != begin) return kWrongTree;  // one hub a tree
      } else {
        // Only to what was checked: no circles.
        if (on >= leaf - begin || !marked(begin + on)) return kWrongTree;
        way = way_from(begin + on);
      }
      extent.return_to(way.displacement());
      // 3. From there to the leaf.
      size_t stop = at;
      for (size_t r = run_.size();; --r) {
        if (!go_back(r == 0 ? leaf : run_[r - 1] + 5, stop, &way, &extent)) return kWrongTree;
        if (r == 0) break;
        stop = run_[r - 1];
        const uint32_t count = nibble(stop + 2) | nibble(stop + 3) << 4 | nibble(stop + 4) << 8;
        if (count == 0) return kWrongTree;
        const uint32_t run = nibble(stop + 1);
        way.add(steps(run, count));
        const auto n = static_cast<int32_t>(count);
        extent.go(Span(kDx[run] * n, kDy[run] * n));
      }
      if (extent.most.to[0] + extent.most.to[2] >= static_cast<int32_t>(head_.width) ||
          extent.most.to[1] + extent.most.to[3] >= static_cast<int32_t>(head_.height))
        return kWrongTree;
      at = 2 * (jump + bytes);
    }
    tree->extent = extent.most;
    return nullptr;
  }

  // --- Tiles -----------------------------------------------------------------------------------

  // Calls visit(corner, tile's place in its section) for each tile with passable cells, until one
  // says no.
  template <class Visit>
  bool each_tile(Visit visit) noexcept {
    // In strips: neighbours have most of their ways in common, which are found in the cache then.
    constexpr uint32_t kStrip = 64;
    const SightMaps& sight = labels_.sight;
    for (uint32_t strip = 0; strip < head_.width; strip += kStrip) {
      const uint32_t end = std::min(strip + kStrip, head_.width);
      for (uint32_t y = 0; y < head_.height; y += 8) {
        for (uint32_t x = strip; x < end; x += 8) {
          const uint32_t columns = std::min(8u, head_.width - x);
          uint64_t passable = 0;
          for (uint32_t i = 0; i < 8 && y + i < head_.height; ++i) {
            const uint64_t row = sight.rows[size_t{y + i} * sight.row_words + x / 64] >> (x % 64);
            passable |= row & ((1u << columns) - 1);
          }
          const uint32_t place = labels_.directory[size_t{y / 8} * labels_.tiles_across + x / 8];
          if (passable && !visit(Point{x, y}, size_t{place} * 16)) return false;
        }
      }
    }
    return true;
  }

  // Where a tile's block of this rank begins, from the head on.
  static size_t place_of(const TileView& view, uint32_t rank) noexcept {
    return view.head.wide ? read32(view.block_at + 4 * size_t{rank})
                          : 2 * size_t{read16(view.block_at + 2 * size_t{rank})};
  }
  const char* tiles() noexcept {
    const size_t end = section_room(head_, Section::tiles);
    if (!place_.assign(UINT16_MAX + 1, 0) || !seen_.resize(head_.blocks)) return kNoMemoryToCheck;
    for (SeenEntries& seen : seen_) std::fill_n(seen.length, kLanes, kNowhere);
    for (Buffer<uint32_t>& list : odd_list_)
      if (!list.resize(kOddBatch + UINT16_MAX + kLanes)) return kNoMemoryToCheck;
    odd_ = {0, odd_list_[0].data(), odd_list_[1].data(), odd_list_[2].data(), odd_list_[3].data()};
    uint64_t entries = 0;
    if (!each_tile([&](Point corner, size_t at) {
          return at != 0 && at < end && tile(corner, at, end - at, &entries);
        }) ||
        !odd_ways_fit())
      return kWrongTile;
    return entries == head_.entries ? nullptr : "the index file makes no sense: its entries";
  }

  bool tile(Point corner, size_t at, size_t size, uint64_t* entries) noexcept {
    const size_t fixed = sizeof(TileHead) + 10 * size_t{head_.block_words};
    if (size < fixed) return false;
    const TileView view(labels_, labels_.tiles + at);
    const TileHead& h = view.head;
    const size_t last_word = head_.block_words - size_t{1};
    const uint32_t blocks =
        head_.block_words == 0
            ? 0
            : read16(view.ranks + 2 * last_word) +
                  static_cast<uint32_t>(__builtin_popcountll(read64(view.words + 8 * last_word)));
    if (h.near > h.vias || h.first_partial + h.partial > h.vias || h.vias > head_.most_vias ||
        h.wide > 1 || h.distance_bytes < 3 || h.distance_bytes > 4 || h.link_bytes < 2 ||
        h.link_bytes > 4 || (!h.wide && h.vias > kNarrowVias) || h.distance_base >= limit_)
      return false;
    const size_t table = (h.wide ? 4 : 2) * size_t{blocks};
    if (fixed + table > size || h.sight_at < fixed + table || h.sight_at > size ||
        h.via_at < fixed + table || h.via_at > size ||
        4 * size_t{h.vias} - 2 * size_t{h.near} > size - h.via_at)
      return false;
    if (h.partial != 0) {
      const uint8_t* const rows = view.at + h.sight_at;
      if (size - h.sight_at < 64) return false;
      const size_t last_row = *std::max_element(rows, rows + 64);
      if ((last_row + 1) * h.sight_bytes() > size - h.sight_at - 64) return false;
    }
    // The places of the vias, and how far they lie around the corner.
    const auto x0 = static_cast<int32_t>(corner.x), y0 = static_cast<int32_t>(corner.y);
    int32_t west = x0, east = x0, north = y0, south = y0;
    const auto put = [&](uint32_t via, int32_t x, int32_t y) {
      place_[via] = packed(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      west = x < west ? x : west;
      east = x > east ? x : east;
      north = y < north ? y : north;
      south = y > south ? y : south;
    };
    const uint8_t *const near = view.at + h.via_at, *const far_vias = view.far_vias();
    for (uint32_t v = 0; v < h.near; ++v)
      put(v, x0 + static_cast<int8_t>(near[2 * size_t{v}]),
          y0 + static_cast<int8_t>(near[2 * size_t{v} + 1]));
    for (uint32_t v = h.near; v < h.vias; ++v)
      put(v, static_cast<int32_t>(read16(far_vias + 4 * size_t{v})),
          static_cast<int32_t>(read16(far_vias + 4 * size_t{v} + 2)));
    if (west < 0 || north < 0 || east >= static_cast<int32_t>(head_.width) ||
        south >= static_cast<int32_t>(head_.height))
      return false;
    const uint32_t leg =
        labels_.steps.line({0, 0}, {static_cast<uint32_t>(std::max(x0 + 7 - west, east - x0)),
                                    static_cast<uint32_t>(std::max(y0 + 7 - north, south - y0))});
    const uint32_t half = (limit_ + 1) / 2;
    const SiftedTile sifted{place_.data(),   h.vias,           half > leg ? half - leg : 0,
                            h.distance_base, h.distance_bytes, h.link_bytes,
                            h.wide != 0};
    uint32_t rank = 0;
    for (uint32_t w = 0; w < head_.block_words; ++w) {
      if (read16(view.ranks + 2 * size_t{w}) != rank) return false;
      uint64_t bits = read64(view.words + 8 * size_t{w});
      if (w == head_.blocks / 64 && bits >> (head_.blocks % 64)) return false;
      for (; bits; bits &= bits - 1, ++rank) {
        if (rank >= blocks) return false;
        const uint32_t b = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
        const size_t place = place_of(view, rank);
        if (place < fixed + table || place > size || size - place < 4) return false;
        const BlockView block(h, view.at + place);
        const size_t need =
            (h.wide ? 4 : 2) + 2 * size_t{block.rounds} +
            size_t{block.entries} * (h.distance_bytes + (h.wide ? 2u : 1u) + h.link_bytes);
        bool far = false;
        if (need > size - place || !kernel_.sift(sifted, block, b, &seen_[b], &odd_, &far) ||
            (far && !sums_fit(view, corner, block)))
          return false;
        *entries += block.entries;
        if (odd_.count >= kOddBatch && !odd_ways_fit()) return false;
      }
    }
    return rank == blocks;
  }

  // Twice the longest half, from a corner of the tile, must be a sum that can be taken apart: gives
  // what is left for the distance from the via to its hubs.
  uint32_t half_less(Point corner, Point via) const noexcept {
    const Point far{via.x < corner.x + 4 ? corner.x + 7 : corner.x,
                    via.y < corner.y + 4 ? corner.y + 7 : corner.y};
    const uint32_t leg = labels_.steps.line(far, via), half = (limit_ + 1) / 2;
    return half > leg ? half - leg : 0;
  }
  bool sums_fit(const TileView& view, Point corner, const BlockView& b) const noexcept {
    const TileHead& h = view.head;
    for (uint32_t e = 0; e < b.entries; ++e) {
      const uint32_t via = h.wide ? read16(b.vias + 2 * size_t{e}) : b.vias[e];
      const uint32_t distance =
          read_bytes(b.distances + size_t{h.distance_bytes} * e, h.distance_bytes);
      if (uint64_t{h.distance_base} + distance >= half_less(corner, view.via(corner, via)))
        return false;
    }
    return true;
  }

  // Follows the ways of the odd entries, each asked for long before it is read.
  bool odd_ways_fit() noexcept {
    const uint32_t n = odd_.count;
    odd_.count = 0;
    for (uint32_t i = 0; i < n; ++i) {
      const Hub& hub = hub_[odd_.hub[i]];
      if (odd_.link[i] >= hub.nibbles) return false;
      const size_t start = hub.base + odd_.link[i];
      __builtin_prefetch(&way_[start >> 2]);
      __builtin_prefetch(&group_[start >> 5]);
      __builtin_prefetch(labels_.trees + (start >> 1));
    }
    for (uint32_t i = 0; i < n; ++i) {
      Hub& hub = hub_[odd_.hub[i]];
      const size_t start = hub.base + odd_.link[i];
      const Way way = way_from(start);
      const uint32_t place = odd_.place[i] + way.displacement();
      if (!marked(start) || way.length() != odd_.length[i] || place == kNowhere) return false;
      if (hub.place != place && hub.place != kNowhere) return false;
      hub.place = place;
    }
    return true;
  }

  // Every cell of every tree, seen from where its hub stands, lies on the map.
  bool all_inside() const noexcept {
    for (const Hub& hub : hub_) {
      if (hub.place == kNowhere) continue;
      const Tree& tree = tree_[hub.tree];
      const int64_t x = hub.place & 0xffff, y = hub.place >> 16;
      const int32_t* to = tree.extent.to;
      if (x < to[0] || y < to[1] || x + to[2] >= head_.width || y + to[3] >= head_.height)
        return false;
    }
    return true;
  }

  const LabelTables& labels_;
  const IndexHeader& head_;
  const LabelKernel& kernel_ = label_kernel();
  uint32_t limit_ = 0;
  Buffer<Hub> hub_;    // by block and lane
  Buffer<Tree> tree_;  // in the order of the file
  Buffer<Group> group_;
  Pair pair_[256];
  Buffer<Way> way_;         // by four nibbles
  Buffer<size_t> run_;      // of the path at hand
  Buffer<uint32_t> place_;  // of the vias of the tile at hand
  static constexpr uint32_t kOddBatch = 512;
  Buffer<SeenEntries> seen_;  // by block
  Buffer<uint32_t> odd_list_[4];
  OddEntries odd_{};
};

}  // namespace

const char* check_tiles(const Index::Impl& index, const IndexHeader& head) noexcept {
  return TileCheck(index, head).run();
}

}  // namespace octile
