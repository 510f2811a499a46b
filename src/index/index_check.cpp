// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Whether the bytes of an index make sense: after these checks no query reads or writes where it
// must not, whoever made the file. Every path that the labels unpack to is as long as they say,
// since that is how much room a query makes for it.

#include <algorithm>
#include <cstddef>

#include "index/path_index.hpp"
#include "index/portal_index.hpp"

namespace octile {

namespace {

constexpr const char* kTruncated = "the index file is truncated";
constexpr const char* kNonsense = "the index file makes no sense: ";

// The sections that a kind of index has, in the order of the file.
struct SectionList {
  Section section[12];
  uint32_t count;
};
constexpr SectionList kTileSections{
    {Section::rows, Section::columns, Section::south_east, Section::north_east, Section::directory,
     Section::tiles, Section::tree_base, Section::trees},
    8};
constexpr SectionList kGraphSections{
    {Section::row_stop, Section::column_stop, Section::row_corner, Section::column_corner,
     Section::places, Section::row_first, Section::edge_first, Section::edge_target,
     Section::label_first, Section::label_entries, Section::label_tree},
    11};

IndexHeader head_of(const uint8_t* data) noexcept {
  IndexHeader h;
  std::memcpy(&h, data, sizeof h);
  return h;
}

// Bytes from the begin of a section to that of the next one, padding included.
size_t room(const IndexHeader& h, Section section) noexcept {
  const SectionList& list =
      static_cast<IndexKind>(h.kind) == IndexKind::tile_labels ? kTileSections : kGraphSections;
  for (uint32_t i = 0; i < list.count; ++i) {
    if (list.section[i] != section) continue;
    const uint64_t begin = uint64_t{h.offset[static_cast<uint32_t>(section)]} * kSectionAlignment;
    const uint64_t end =
        i + 1 < list.count
            ? uint64_t{h.offset[static_cast<uint32_t>(list.section[i + 1])]} * kSectionAlignment
            : h.bytes - kReadBeyond;
    return end - begin;
  }
  return 0;
}

}  // namespace

const char* check_head(const uint8_t* data, size_t size) noexcept {
  if (size < sizeof(IndexHeader::magic)) return kTruncated;
  if (std::memcmp(data, kIndexMagic, sizeof kIndexMagic) != 0)
    return "this is not an index file of Octile";
  if (size < kIndexHeadBytes + kReadBeyond) return kTruncated;
  const IndexHeader h = head_of(data);
  if (h.version < kIndexVersion) return "the index file is of an older version: build it anew";
  if (h.version > kIndexVersion) return "the index file is of a newer version of Octile";
  if (h.bytes > size) return kTruncated;
  if (h.bytes < size) return "the index file is longer than it should be";
  if (size % kSectionAlignment != 0) return kNonsense;
  if (h.kind < static_cast<uint32_t>(IndexKind::subgoal_graph) ||
      h.kind > static_cast<uint32_t>(IndexKind::quadtree))
    return "the index file makes no sense: its kind";
  if (h.width < 1 || h.height < 1 || h.width > uint32_t{kMostIndexSide} ||
      h.height > uint32_t{kMostIndexSide})
    return "the index file makes no sense: the size of its map";
  if (!std::memchr(h.reason, 0, sizeof h.reason)) return kNonsense;
  bool known = false;
  for (const auto& pair : kIndexMetrics)
    for (const IndexMetric& m : pair)
      known = known || (m.steps.straight == h.straight && m.steps.diagonal == h.diagonal);
  if (!known) return "the index file makes no sense: its step lengths";
  if (h.kind >= static_cast<uint32_t>(IndexKind::portals)) return check_portal_head(h);
  if (h.kind != static_cast<uint32_t>(IndexKind::subgoal_graph) &&
      uint64_t{std::max(h.width, h.height)} * h.diagonal >= kFar)
    return "the index file makes no sense: its map is too wide for its sums";
  // Sections in order, each with room for what it must hold.
  const bool tiles = static_cast<IndexKind>(h.kind) == IndexKind::tile_labels;
  const SectionList& list = tiles ? kTileSections : kGraphSections;
  uint64_t last = kIndexHeadBytes;
  for (uint32_t i = 0; i < list.count; ++i) {
    const uint64_t begin =
        uint64_t{h.offset[static_cast<uint32_t>(list.section[i])]} * kSectionAlignment;
    if (begin < last || begin > size - kReadBeyond)
      return "the index file makes no sense: sections";
    last = begin;
  }
  const uint64_t w = h.width, v = h.height;
  const auto fits = [&](Section section, uint64_t bytes) { return bytes <= room(h, section); };
  if (tiles) {
    const uint64_t rows = v * ((w + 63) / 64) * 8, columns = w * ((v + 63) / 64) * 8;
    if (!fits(Section::rows, rows) || !fits(Section::columns, columns) ||
        !fits(Section::south_east, columns) || !fits(Section::north_east, columns) ||
        !fits(Section::directory, ((w + 7) / 8 * ((v + 7) / 8) + 1) * 4) ||
        !fits(Section::tree_base, uint64_t{h.blocks} * kLanes * 4) ||
        h.block_words != (uint64_t{h.blocks} + 63) / 64 || h.most_vias > UINT16_MAX)
      return "the index file makes no sense: the sizes of its parts";
  } else {
    const uint64_t rows = (v + 2) * ((w + 65) / 64) * 8, columns = (w + 2) * ((v + 65) / 64) * 8;
    const bool labels = static_cast<IndexKind>(h.kind) == IndexKind::subgoal_labels;
    const uint64_t n = h.subgoals, entries = labels ? h.entries : 0;
    if (n > w * v || entries >= UINT32_MAX || !fits(Section::row_stop, rows) ||
        !fits(Section::column_stop, columns) || !fits(Section::row_corner, rows) ||
        !fits(Section::column_corner, columns) || !fits(Section::places, 4 * n) ||
        !fits(Section::row_first, 4 * (v + 1)) || !fits(Section::edge_first, 4 * (n + 1)) ||
        (labels && (!fits(Section::label_first, 4 * (n + 1)) || h.hubs > n ||
                    !fits(Section::label_entries, entries * sizeof(HubLabels::Entry)) ||
                    !fits(Section::label_tree, entries * sizeof(HubLabels::TreeNode)))))
      return "the index file makes no sense: the sizes of its parts";
  }
  return nullptr;
}

namespace {

// ---------------------------------------------------------------------------------------------
// Tile labels

// The lanes of a byte, each a byte of a word.
struct LaneList {
  uint64_t lanes[256];
  uint8_t count[256];
};
constexpr LaneList kLaneList = [] {
  LaneList list{};
  for (uint32_t mask = 0; mask < 256; ++mask)
    for (uint64_t lane = 0; lane < 8; ++lane)
      if (mask >> lane & 1) list.lanes[mask] |= lane << (8 * list.count[mask]++);
  return list;
}();

// Follows the way of every entry to its hub, and no step of a tree twice:
//
//   1. Tiles: all but their ways; and which nibbles of the trees ways begin at.
//   2. Trees, one after another: how far each nibble is from the hub, and in which direction. What
//      ways begin at is kept.
//   3. Tiles again: each way is as long as its entry says, and all ways of a hub end at one cell.
//   4. Every cell of every tree, seen from where its hub stands, lies on the map.
//
// What every entry looks up somewhere stays small: 8 bytes for each 32 nibbles, and 8 for each
// nibble that is kept.
class TileCheck {
 public:
  TileCheck(const Index::Impl& index, const IndexHeader& head) noexcept
      : labels_(index.labels), head_(head) {}

  const char* run() noexcept {
    for (const auto& pair : kIndexMetrics)
      for (const IndexMetric& m : pair)
        if (m.steps.straight == head_.straight && m.steps.diagonal == head_.diagonal)
          limit_ = m.limit;
    if (const char* wrong = find_trees()) return wrong;
    if (const char* wrong = tiles()) return wrong;
    if (const char* wrong = trees()) return wrong;
    if (!ways_fit()) return kWrongTile;
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

  struct Tree {
    size_t begin, end;  // nibbles
    // How far it extends from its hub: the hub's place minus these.
    int32_t left = 0, right = 0, up = 0, down = 0;
  };
  struct Hub {
    uint32_t base;     // of its tree, in bytes
    uint32_t nibbles;  // of its tree
    uint32_t tree;
    uint32_t place;  // kNowhere: no way has led there
  };
  // 32 nibbles, some of which are marked: where trees begin, later where ways do.
  struct Group {
    uint32_t bits;
    uint32_t first;  // the number of the first mark
  };
  // Of a nibble of the tree at hand: how far it is from the hub, and in which direction.
  struct Step {
    uint32_t length;  // kFar: no way begins here
    int32_t dx, dy;
  };
  // Of a nibble that is kept.
  struct Way {
    uint32_t length;
    uint32_t displacement;
  };
  // Of the tile at hand.
  struct Via {
    uint32_t place;
    uint32_t below;  // this is the distance to its hubs
  };

  // Not the instruction: not every machine has it.
  static uint32_t bits_of(uint32_t word) noexcept {
    word -= word >> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >> 2 & 0x33333333);
    return ((word + (word >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
  }
  void mark(size_t nibble) noexcept { group_[nibble >> 5].bits |= 1u << (nibble & 31); }
  // Gives how many there are.
  uint64_t number_marks() noexcept {
    uint64_t marks = 0;
    for (Group& group : group_) {
      group.first = static_cast<uint32_t>(marks);
      marks += bits_of(group.bits);
    }
    return marks;
  }
  uint32_t mark_number(size_t nibble) const noexcept {
    const Group& group = group_[nibble >> 5];
    return group.first + bits_of(group.bits & ((1u << (nibble & 31)) - 1));
  }
  // Bytes beyond the number belong to what follows in the file.
  static uint32_t number(const uint8_t* p, uint32_t bytes) noexcept {
    return read32(p) & UINT32_MAX >> (32 - 8 * bytes);
  }
  uint32_t nibble(size_t i) const noexcept {
    return uint32_t{labels_.trees[i >> 1]} >> (4 * (i & 1)) & 15;
  }

  // Each tree reaches to the next one.
  const char* find_trees() noexcept {
    const size_t bytes = room(head_, Section::trees);
    const size_t lanes = size_t{head_.blocks} * kLanes;
    if (bytes > size_t{UINT32_MAX} + 1) return kWrongTree;
    const size_t groups = (2 * bytes + 31) / 32;
    if (!hub_.resize(lanes) || !reserve_large(&group_, groups) || !group_.assign(groups, {0, 0}))
      return kNoMemoryToCheck;
    for (size_t i = 0; i < lanes; ++i) {
      if (labels_.tree_base[i] >= bytes) return kWrongTree;
      mark(2 * size_t{labels_.tree_base[i]});
    }
    const uint64_t trees = number_marks();
    if (!tree_.reserve(trees)) return kNoMemoryToCheck;
    for (size_t g = 0; g < groups; ++g) {
      for (uint32_t bits = group_[g].bits; bits; bits &= bits - 1) {
        const size_t begin = 32 * g + static_cast<uint32_t>(__builtin_ctz(bits));
        if (!tree_.empty()) tree_.back().end = begin;
        tree_.push({begin, 2 * bytes});
      }
    }
    for (size_t i = 0; i < lanes; ++i) {
      const uint32_t base = labels_.tree_base[i], tree = mark_number(2 * size_t{base});
      const size_t nibbles = tree_[tree].end - tree_[tree].begin;
      hub_[i] = {base, static_cast<uint32_t>(std::min<size_t>(nibbles, UINT32_MAX)), tree,
                 kNowhere};
    }
    for (Group& group : group_) group.bits = 0;
    return nullptr;
  }

  // --- Tiles -----------------------------------------------------------------------------------

  // Calls visit(corner, passable cells, tile's place in its section) for each tile that has any,
  // until one says no.
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
            passable |= (row & ((1u << columns) - 1)) << (8 * i);
          }
          const uint32_t place = labels_.directory[size_t{y / 8} * labels_.tiles_across + x / 8];
          if (passable && !visit(Point{x, y}, passable, size_t{place} * 16)) return false;
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
  // The lane of each entry of a block; false: there are not as many as it says.
  bool read_lanes(const BlockView& b) noexcept {
    uint32_t n = 0;
    uint8_t* lane = lane_.data();
    for (uint32_t r = 0; r < b.rounds; ++r) {
      // Eight at a time, and what is too much is overwritten: loops over bits would end when nobody
      // expects it.
      for (uint32_t half = 0; half < 2; ++half) {
        const uint32_t mask = b.lanes[2 * size_t{r} + half];
        const uint64_t lanes = kLaneList.lanes[mask] + 0x0808080808080808 * half;
        std::memcpy(lane + n, &lanes, 8);
        n += kLaneList.count[mask];
      }
      if (n > b.entries) return false;
    }
    return n == b.entries;
  }

  const char* tiles() noexcept {
    const size_t end = room(head_, Section::tiles);
    if (!via_.resize(head_.most_vias) || !lane_.resize(UINT16_MAX + kLanes) ||
        !start_.resize(UINT16_MAX))
      return kNoMemoryToCheck;
    uint64_t entries = 0;
    if (!each_tile([&](Point corner, uint64_t passable, size_t at) {
          return at != 0 && at < end && tile(corner, passable, at, end - at, &entries);
        }))
      return kWrongTile;
    return entries == head_.entries ? nullptr : "the index file makes no sense: its entries";
  }

  bool tile(Point corner, uint64_t passable, size_t at, size_t size, uint64_t* entries) noexcept {
    const size_t fixed = sizeof(TileHead) + 10 * size_t{head_.block_words};
    if (size < fixed) return false;
    const TileView view(labels_, labels_.tiles + at);
    const TileHead& h = view.head;
    const auto cells = static_cast<size_t>(__builtin_popcountll(passable));
    if (h.passable != passable || h.partial > h.vias || h.vias > head_.most_vias || h.wide > 1 ||
        h.far_vias > 1 || h.distance_bytes < 3 || h.distance_bytes > 4 || h.link_bytes < 2 ||
        h.link_bytes > 4 || h.sight_bytes() != (h.partial + 7u) / 8 ||
        (!h.wide && h.vias > kNarrowVias) || h.distance_base >= limit_)
      return false;
    const size_t table = (h.wide ? 4 : 2) * size_t{h.blocks};
    if (fixed + table > size || h.sight_at < fixed + table || h.sight_at > size ||
        cells * h.sight_bytes() > size - h.sight_at || h.via_at < fixed + table ||
        h.via_at > size || (h.far_vias ? 4 : 2) * size_t{h.vias} > size - h.via_at)
      return false;
    for (uint32_t v = 0; v < h.vias; ++v) {
      const Point p = view.via(corner, v);
      if (p.x >= head_.width || p.y >= head_.height) return false;
      // Twice the longest half, from a corner of the tile, must be a sum that can be taken apart.
      const Point far{p.x < corner.x + 4 ? corner.x + 7 : corner.x,
                      p.y < corner.y + 4 ? corner.y + 7 : corner.y};
      const uint32_t leg = labels_.steps.line(far, p), half = (limit_ + 1) / 2;
      via_[v].below = half > leg ? half - leg : 0;
    }
    uint32_t rank = 0;
    for (uint32_t w = 0; w < head_.block_words; ++w) {
      if (read16(view.ranks + 2 * size_t{w}) != rank) return false;
      uint64_t bits = read64(view.words + 8 * size_t{w});
      if (w == head_.blocks / 64 && bits >> (head_.blocks % 64)) return false;
      for (; bits; bits &= bits - 1, ++rank) {
        if (rank >= h.blocks) return false;
        const uint32_t b = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
        const size_t place = place_of(view, rank);
        if (place < fixed + table || place > size || !block(view, b, place, size - place, entries))
          return false;
      }
    }
    return rank == h.blocks;
  }

  bool block(const TileView& view, uint32_t number_of_block, size_t at, size_t size,
             uint64_t* entries) noexcept {
    const TileHead h = view.head;
    if (size < 4) return false;
    const BlockView b(h, view.at + at);
    const size_t need = (h.wide ? 4 : 2) + 2 * size_t{b.rounds} +
                        size_t{b.entries} * (h.distance_bytes + (h.wide ? 2u : 1u) + h.link_bytes);
    if (need > size || !read_lanes(b)) return false;
    const Hub* const hubs = hub_.data() + size_t{number_of_block} * kLanes;
    for (uint32_t e = 0; e < b.entries; ++e) {
      const Hub& hub = hubs[lane_[e]];
      const uint32_t via = h.wide ? read16(b.vias + 2 * size_t{e}) : b.vias[e];
      const uint64_t length = uint64_t{h.distance_base} +
                              number(b.distances + size_t{h.distance_bytes} * e, h.distance_bytes);
      const uint32_t link = number(b.links + size_t{h.link_bytes} * e, h.link_bytes);
      if (via >= h.vias || length >= via_[via].below || link >= hub.nibbles) return false;
      mark(2 * size_t{hub.base} + link);
    }
    *entries += b.entries;
    return true;
  }

  // --- Trees -----------------------------------------------------------------------------------

  const char* trees() noexcept {
    const uint64_t ways = number_marks();
    size_t longest = 0;
    for (const Tree& tree : tree_) longest = std::max(longest, tree.end - tree.begin);
    if (ways > UINT32_MAX) return kWrongTree;
    if (!reserve_large(&way_, ways) || !reserve_large(&step_, longest) || !step_.resize(longest))
      return kNoMemoryToCheck;
    for (Tree& tree : tree_) {
      if (const char* wrong = follow(&tree)) return wrong;
      // In the order of their numbers, since trees follow each other; what is before the first one
      // is nobody's.
      for (size_t i = tree.begin & ~size_t{31}; i < tree.end; i += 32) {
        uint32_t kept = group_[i >> 5].bits;
        if (i < tree.begin) kept &= UINT32_MAX << (tree.begin & 31);
        if (tree.end - i < 32) kept &= (1u << (tree.end - i)) - 1;
        for (; kept; kept &= kept - 1) {
          const Step& s = step_[i + static_cast<uint32_t>(__builtin_ctz(kept)) - tree.begin];
          way_.push({s.length, packed(static_cast<uint32_t>(s.dx), static_cast<uint32_t>(s.dy))});
        }
      }
    }
    return nullptr;
  }

  // Follows each path of a tree once, from its end to its leaf.
  const char* follow(Tree* tree) noexcept {
    const size_t begin = tree->begin, end = tree->end;
    const uint32_t step_length[2] = {head_.straight, head_.diagonal};
    Step* const step = step_.data();
    constexpr Step kNone{kFar, 0, 0};
    int32_t left = 0, right = 0, up = 0, down = 0;
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
        if (at >= end || nibble(at) == kPathEnd) break;
        if (nibble(at) != kRun || end - at < 5 || nibble(at + 1) > 7) return kWrongTree;
        if (!run_.push(at)) return kNoMemoryToCheck;
        at += 5;
      }
      if (at >= end) {
        // Zeros up to the next multiple of 64 bytes are padding.
        if (tree != &tree_.back() || end - leaf >= 2 * kSectionAlignment) return kWrongTree;
        for (size_t z = leaf; z < end; ++z) {
          if (nibble(z) != 0) return kWrongTree;
          step[z - begin] = kNone;
        }
        break;
      }
      // 2. Where it goes on.
      const size_t jump = (at >> 1) + 1;
      if (jump + 4 > end / 2) return kWrongTree;
      const uint32_t on = read32(labels_.trees + jump);
      Step& last = step[at - begin];
      if (on == kTreeEnd) {
        if (leaf != begin) return kWrongTree;  // one hub a tree
        last = {0, 0, 0};
      } else {
        // Only to what was checked: no circles.
        if (on >= leaf - begin || step[on].length == kFar) return kWrongTree;
        last = step[on];
      }
      // 3. From there to the leaf.
      const size_t next = 2 * (jump + 4);
      for (size_t i = at + 1; i < next; ++i) step[i - begin] = kNone;
      if ((at - leaf) / 5 * head_.straight >= limit_) return kWrongTree;  // before sums overflow
      uint64_t length = last.length;
      int32_t dx = last.dx, dy = last.dy;
      const auto go = [&](size_t place, uint32_t direction, uint32_t steps) {
        length += uint64_t{steps} * step_length[direction & 1];
        dx += kDx[direction] * static_cast<int32_t>(steps);
        dy += kDy[direction] * static_cast<int32_t>(steps);
        left = dx > left ? dx : left;
        right = dx < right ? dx : right;
        up = dy > up ? dy : up;
        down = dy < down ? dy : down;
        step[place - begin] = {static_cast<uint32_t>(length), dx, dy};
      };
      size_t place = at;
      for (size_t r = run_.size();; --r) {
        for (const size_t stop = r == 0 ? leaf : run_[r - 1] + 5; place > stop;) {
          --place;
          go(place, nibble(place), 1);
        }
        if (r == 0) break;
        place = run_[r - 1];
        const uint32_t steps = nibble(place + 2) | nibble(place + 3) << 4 | nibble(place + 4) << 8;
        if (steps == 0) return kWrongTree;
        go(place, nibble(place + 1), steps);
        for (size_t i = 1; i < 5; ++i) step[place + i - begin] = kNone;
        if (length >= limit_) return kWrongTree;
      }
      if (length >= limit_) return kWrongTree;
      at = next;
    }
    *tree = {begin, end, left, right, up, down};
    return nullptr;
  }

  // --- Ways ------------------------------------------------------------------------------------

  // After tiles(): their parts lie where they should.
  bool ways_fit() noexcept {
    return each_tile([&](Point corner, uint64_t, size_t at) {
      const TileView view(labels_, labels_.tiles + at);
      const TileHead h = view.head;
      for (uint32_t v = 0; v < h.vias; ++v) {
        const Point p = view.via(corner, v);
        via_[v].place = packed(p.x, p.y);
      }
      uint32_t rank = 0;
      for (uint32_t w = 0; w < head_.block_words; ++w) {
        uint64_t bits = read64(view.words + 8 * size_t{w});
        for (; bits; bits &= bits - 1, ++rank) {
          const BlockView b(h, view.at + place_of(view, rank));
          const uint32_t block = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
          read_lanes(b);
          Hub* const hubs = hub_.data() + size_t{block} * kLanes;
          // In three steps, each of which asks for what the next one reads.
          for (uint32_t e = 0; e < b.entries; ++e) {
            start_[e] = 2 * size_t{hubs[lane_[e]].base} +
                        number(b.links + size_t{h.link_bytes} * e, h.link_bytes);
            __builtin_prefetch(&group_[start_[e] >> 5]);
          }
          for (uint32_t e = 0; e < b.entries; ++e) {
            start_[e] = mark_number(start_[e]);
            __builtin_prefetch(&way_[start_[e]]);
          }
          for (uint32_t e = 0; e < b.entries; ++e) {
            Hub& hub = hubs[lane_[e]];
            const Way& way = way_[start_[e]];
            const uint32_t via = h.wide ? read16(b.vias + 2 * size_t{e}) : b.vias[e];
            const uint32_t length =
                h.distance_base +
                number(b.distances + size_t{h.distance_bytes} * e, h.distance_bytes);
            const uint32_t place = via_[via].place + way.displacement;
            if (way.length != length || place == kNowhere) return false;
            if (place == hub.place) continue;
            if (hub.place != kNowhere) return false;
            hub.place = place;
          }
        }
      }
      return true;
    });
  }

  // Every cell of every tree, seen from where its hub stands, lies on the map.
  bool all_inside() const noexcept {
    for (const Hub& hub : hub_) {
      if (hub.place == kNowhere) continue;
      const Tree& tree = tree_[hub.tree];
      const int64_t x = hub.place & 0xffff, y = hub.place >> 16;
      if (x < tree.left || x - tree.right >= head_.width || y < tree.up ||
          y - tree.down >= head_.height)
        return false;
    }
    return true;
  }

  const LabelTables& labels_;
  const IndexHeader& head_;
  uint32_t limit_ = 0;
  Buffer<Hub> hub_;    // by block and lane
  Buffer<Tree> tree_;  // in the order of the file
  Buffer<Group> group_;
  Buffer<Way> way_;
  // Of the tree at hand.
  Buffer<Step> step_;
  Buffer<size_t> run_;
  Buffer<Via> via_;  // of the tile at hand
  // Of the entries of the block at hand.
  Buffer<uint8_t> lane_;
  Buffer<size_t> start_;
};

// ---------------------------------------------------------------------------------------------
// The subgoal graph and its labels

bool lines_closed(const uint64_t* stop, const uint64_t* corner, uint32_t lines, uint32_t length,
                  uint32_t words) noexcept {
  for (uint32_t l = 0; l < lines; ++l) {
    const uint64_t* s = stop + size_t{l} * words;
    const uint64_t* c = corner + size_t{l} * words;
    const bool edge = l == 0 || l + 1 == lines;
    for (uint32_t w = 0; w < words; ++w)
      if ((c[w] & ~s[w]) || (edge && (~s[w] || c[w]))) return false;
    // The ring itself is wall.
    const auto ring = [&](uint32_t i) {
      return (s[i >> 6] >> (i & 63) & 1) && !(c[i >> 6] >> (i & 63) & 1);
    };
    for (uint32_t i = length - 1; i < words * 64; ++i)
      if (!ring(i)) return false;
    if (!ring(0)) return false;
  }
  return true;
}

const char* check_graph(const Index::Impl& index, const IndexHeader& h) noexcept {
  const CornerMaps& maps = index.corners;
  if (!lines_closed(maps.row_stop, maps.row_corner, h.height + 2, h.width + 2, maps.row_words) ||
      !lines_closed(maps.column_stop, maps.column_corner, h.width + 2, h.height + 2,
                    maps.column_words))
    return "the index file makes no sense: its bit maps";
  constexpr const char* kWrong = "the index file makes no sense: its subgoals";
  // Both orientations agree, and the subgoals are just those of the bit maps.
  uint32_t s = 0;
  for (uint32_t y = 0; y < h.height; ++y) {
    if (index.row_first[y] != s) return kWrong;
    for (uint32_t x = 0; x < h.width; ++x) {
      const size_t across = size_t{x + 1} * maps.column_words + ((y + 1) >> 6);
      const size_t along = size_t{y + 1} * maps.row_words + ((x + 1) >> 6);
      const bool corner = maps.row_corner[along] >> ((x + 1) & 63) & 1;
      if ((maps.row_stop[along] >> ((x + 1) & 63) & 1) !=
              (maps.column_stop[across] >> ((y + 1) & 63) & 1) ||
          corner != bool(maps.column_corner[across] >> ((y + 1) & 63) & 1))
        return "the index file makes no sense: its bit maps";
      if (!corner) continue;
      if (s >= h.subgoals || index.places[s] != (x | y << 16)) return kWrong;
      ++s;
    }
  }
  if (s != h.subgoals || index.row_first[h.height] != s) return kWrong;
  const uint64_t edges = room(h, Section::edge_target) / 4;
  for (uint32_t i = 0; i < s; ++i)
    if (index.edge_first[i] > index.edge_first[i + 1]) return kWrong;
  if (index.edge_first[0] != 0 || index.edge_first[s] > edges) return kWrong;
  for (uint32_t e = 0; e < index.edge_first[s]; ++e)
    if (index.edge_target[e] >= s) return kWrong;
  if (index.info.kind != IndexKind::subgoal_labels) return nullptr;

  constexpr const char* kLabels = "the index file makes no sense: its labels";
  const auto entries = static_cast<uint32_t>(h.entries);
  Buffer<uint32_t> length, hub;
  if (!length.assign(entries, kFar) || !hub.assign(entries, UINT32_MAX)) return kNoMemoryToCheck;
  if (index.label_first[0] != 0 || index.label_first[s] != entries) return kLabels;
  for (uint32_t i = 0; i < s; ++i) {
    if (index.label_first[i] > index.label_first[i + 1] || index.label_first[i + 1] > entries)
      return kLabels;
    for (uint32_t e = index.label_first[i]; e < index.label_first[i + 1]; ++e) {
      const HubLabels::Entry& entry = index.label_entries[e];
      if (entry.node >= entries || entry.hub >= h.hubs || entry.distance >= kFar / 2 ||
          index.label_tree[entry.node].vertex != i || length[entry.node] != kFar)
        return kLabels;
      length[entry.node] = entry.distance;
      hub[entry.node] = entry.hub;
    }
  }
  // Parents come first and are nearer by just the line between: no circles.
  for (uint32_t i = 0; i < entries; ++i) {
    const HubLabels::TreeNode& node = index.label_tree[i];
    if (node.parent == i) {
      if (length[i] != 0) return kLabels;
      continue;
    }
    if (node.parent > i || hub[node.parent] != hub[i] ||
        uint64_t{length[node.parent]} +
                index.steps.line(index.place(node.vertex),
                                 index.place(index.label_tree[node.parent].vertex)) !=
            length[i])
      return kLabels;
  }
  return nullptr;
}

}  // namespace

const char* check_body(const Index::Impl& index) noexcept {
  const IndexHeader h = head_of(index.data);
  if (h.checksum != index_checksum(index.data, index.size))
    return "the index file is damaged: its checksum is wrong";
  if (index.info.kind == IndexKind::tile_labels) return TileCheck(index, h).run();
  if (index.info.kind >= IndexKind::portals) return check_portal_body(index);
  return check_graph(index, h);
}

}  // namespace octile
