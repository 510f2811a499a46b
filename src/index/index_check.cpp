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

class TileCheck {
 public:
  TileCheck(const Index::Impl& index, const IndexHeader& head) noexcept
      : index_(index), labels_(index.labels), head_(head) {}

  const char* run() noexcept {
    const IndexMetric* metric = nullptr;
    for (const auto& pair : kIndexMetrics)
      for (const IndexMetric& m : pair)
        if (m.steps.straight == head_.straight && m.steps.diagonal == head_.diagonal) metric = &m;
    limit_ = metric->limit;
    if (const char* wrong = trees()) return wrong;
    hubs_ = size_t{head_.blocks} * kLanes;
    if (!hub_.assign(hubs_, kNowhere)) return kNoMemoryToCheck;
    if (const char* wrong = tiles()) return wrong;
    return all_inside() ? nullptr : "the index file makes no sense: a way leaves the map";
  }

 private:
  static constexpr uint64_t kNowhere = UINT64_MAX;

  // What is known of a nibble of a tree: how far it is from the hub, and in which direction.
  struct Way {
    uint32_t length = kFar;  // kFar: no way begins here
    uint32_t base = 0;       // of its tree: ways go on at nibbles that are counted from there
    int32_t dx = 0, dy = 0;
  };

  uint32_t nibble(size_t i) const noexcept {
    return uint32_t{labels_.trees[i >> 1]} >> (4 * (i & 1)) & 15;
  }

  // Follows every path of every tree once, from its end to its leaf.
  const char* trees() noexcept {
    constexpr const char* kWrong = "the index file makes no sense: a tree";
    const size_t bytes = room(head_, Section::trees);
    Buffer<uint32_t>& base = base_;
    const size_t lanes = size_t{head_.blocks} * kLanes;
    if (!ways_.resize(2 * bytes) || !base.resize(lanes) || !reach_.resize(lanes))
      return kNoMemoryToCheck;
    for (size_t i = 0; i < 2 * bytes; ++i) ways_[i] = Way();
    for (size_t i = 0; i < lanes; ++i) {
      base[i] = labels_.tree_base[i];
      if (base[i] >= bytes) return kWrong;
    }
    std::sort(base.begin(), base.end());
    Buffer<uint32_t> token;
    for (size_t i = 0; i < lanes; ++i) {
      if (i != 0 && base[i] == base[i - 1]) continue;
      size_t next = i + 1;
      while (next < lanes && base[next] == base[i]) ++next;
      const size_t from = 2 * size_t{base[i]};
      Reach reach{0, 0, 0, 0};
      const size_t end = next < lanes ? 2 * size_t{base[next]} : 2 * bytes;
      for (size_t at = from; at < end;) {
        // One path: its tokens, then where it goes on.
        const size_t begin = at;
        token.clear();
        while (at < end && nibble(at) != kPathEnd) {
          if (!token.push(static_cast<uint32_t>(at - from))) return kNoMemoryToCheck;
          if (nibble(at) == kRun) {
            if (end - at < 5 || nibble(at + 1) > 7) return kWrong;
            at += 5;
          } else if (nibble(at) > 7) {
            return kWrong;
          } else {
            ++at;
          }
        }
        if (at >= end) {
          // Zeros up to the next multiple of 64 bytes are padding.
          if (next < lanes || end - begin >= 2 * kSectionAlignment) return kWrong;
          for (size_t z = begin; z < end; ++z)
            if (nibble(z) != 0) return kWrong;
          break;
        }
        const size_t jump = (at >> 1) + 1;
        if (jump + 4 > end / 2) return kWrong;
        const uint32_t on = read32(labels_.trees + jump);
        Way way;
        if (on == kTreeEnd) {
          if (begin != from) return kWrong;  // one hub a tree
          way.length = 0;
          way.base = base[i];
        } else {
          if (on >= begin - from) return kWrong;  // only to what was checked: no circles
          way = ways_[from + on];
          if (way.length == kFar) return kWrong;
        }
        ways_[at] = way;
        for (size_t k = token.size(); k-- > 0;) {
          const size_t place = from + token[k];
          const bool run = nibble(place) == kRun;
          const uint32_t direction = run ? nibble(place + 1) : nibble(place);
          const uint32_t steps =
              run ? nibble(place + 2) | nibble(place + 3) << 4 | nibble(place + 4) << 8 : 1;
          const uint64_t length =
              way.length + uint64_t{steps} * (direction & 1 ? head_.diagonal : head_.straight);
          if (steps == 0 || length >= limit_) return kWrong;
          way.length = static_cast<uint32_t>(length);
          way.dx += kDx[direction] * static_cast<int32_t>(steps);
          way.dy += kDy[direction] * static_cast<int32_t>(steps);
          ways_[place] = way;
          reach.left = std::max(reach.left, way.dx);
          reach.right = std::min(reach.right, way.dx);
          reach.up = std::max(reach.up, way.dy);
          reach.down = std::min(reach.down, way.dy);
        }
        at = 2 * (jump + 4);
      }
      reach_[i] = reach;
    }
    return nullptr;
  }

  // Every cell of every tree, seen from where its hub stands, lies on the map.
  bool all_inside() const noexcept {
    for (size_t hub = 0; hub < hubs_; ++hub) {
      if (hub_[hub] == kNowhere) continue;
      const auto* at = std::lower_bound(base_.begin(), base_.end(), labels_.tree_base[hub]);
      const Reach& reach = reach_[static_cast<size_t>(at - base_.begin())];
      const auto x = static_cast<int64_t>(hub_[hub] & 0xffffffff);
      const auto y = static_cast<int64_t>(hub_[hub] >> 32);
      if (x - reach.left < 0 || x - reach.right >= head_.width || y - reach.up < 0 ||
          y - reach.down >= head_.height)
        return false;
    }
    return true;
  }

  const char* tiles() noexcept {
    const uint32_t count = labels_.tiles_across * labels_.tiles_down;
    const size_t end = room(head_, Section::tiles);
    uint64_t entries = 0;
    for (uint32_t t = 0; t < count; ++t) {
      const Point corner{t % labels_.tiles_across * 8, t / labels_.tiles_across * 8};
      uint64_t passable = 0;
      for (uint32_t i = 0; i < 64; ++i) {
        const Point p{corner.x + (i & 7), corner.y + (i >> 3)};
        if (p.x < head_.width && p.y < head_.height && labels_.sight.passable(p))
          passable |= uint64_t{1} << i;
      }
      const size_t at = size_t{labels_.directory[t]} * 16;
      if (!passable) continue;
      if (at == 0 || at >= end || !tile(corner, passable, at, end - at, &entries))
        return "the index file makes no sense: a tile";
    }
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
    }
    uint32_t rank = 0;
    for (uint32_t w = 0; w < head_.block_words; ++w) {
      if (read16(view.ranks + 2 * size_t{w}) != rank) return false;
      uint64_t bits = read64(view.words + 8 * size_t{w});
      if (w == head_.blocks / 64 && bits >> (head_.blocks % 64)) return false;
      for (; bits; bits &= bits - 1, ++rank) {
        if (rank >= h.blocks) return false;
        const uint32_t b = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
        const size_t place = h.wide ? read32(view.block_at + 4 * size_t{rank})
                                    : 2 * size_t{read16(view.block_at + 2 * size_t{rank})};
        if (place < fixed + table || place > size ||
            !block(view, corner, b, place, size - place, entries))
          return false;
      }
    }
    return rank == h.blocks;
  }

  bool block(const TileView& view, Point corner, uint32_t number, size_t at, size_t size,
             uint64_t* entries) noexcept {
    const TileHead& h = view.head;
    if (size < 4) return false;
    const BlockView b(h, view.at + at);
    const size_t need = (h.wide ? 4 : 2) + 2 * size_t{b.rounds} +
                        size_t{b.entries} * (h.distance_bytes + (h.wide ? 2u : 1u) + h.link_bytes);
    if (need > size) return false;
    uint32_t e = 0;
    for (uint32_t r = 0; r < b.rounds; ++r) {
      uint32_t mask = read16(b.lanes + 2 * size_t{r});
      for (; mask; mask &= mask - 1, ++e) {
        if (e >= b.entries) return false;
        const size_t hub = size_t{number} * kLanes + static_cast<uint32_t>(__builtin_ctz(mask));
        const uint32_t via = h.wide ? read16(b.vias + 2 * size_t{e}) : b.vias[e];
        const uint64_t length =
            uint64_t{h.distance_base} +
            read_bytes(b.distances + size_t{h.distance_bytes} * e, h.distance_bytes);
        const uint32_t link = read_bytes(b.links + size_t{h.link_bytes} * e, h.link_bytes);
        const uint64_t start = 2 * uint64_t{labels_.tree_base[hub]} + link;
        if (via >= h.vias || start >= ways_.size()) return false;
        const Way& way = ways_[start];
        if (way.length != length || way.base != labels_.tree_base[hub]) return false;
        // All ways of a hub meet at one cell.
        const Point p = view.via(corner, via);
        const int64_t x = int64_t{p.x} + way.dx, y = int64_t{p.y} + way.dy;
        if (x < 0 || y < 0 || x >= head_.width || y >= head_.height) return false;
        const uint64_t place = static_cast<uint64_t>(y) << 32 | static_cast<uint64_t>(x);
        if (hub_[hub] != kNowhere && hub_[hub] != place) return false;
        hub_[hub] = place;
        // Twice the longest half must be a sum that can be taken apart.
        uint64_t leg = 0;
        for (uint32_t i = 0; i < 4; ++i)
          leg = std::max<uint64_t>(
              leg, index_.steps.line({corner.x + (i & 1) * 7, corner.y + (i >> 1) * 7}, p));
        if (2 * (length + leg) >= limit_) return false;
      }
    }
    *entries += e;
    return e == b.entries;
  }

  const Index::Impl& index_;
  const LabelTables& labels_;
  const IndexHeader& head_;
  uint64_t limit_ = 0;
  size_t hubs_ = 0;
  // How far a tree extends from its hub: the hub's place minus these.
  struct Reach {
    int32_t left, right, up, down;
  };
  Buffer<Way> ways_;
  Buffer<uint32_t> base_;  // of all trees, sorted
  Buffer<Reach> reach_;    // of the tree that begins at the first of equal bases
  Buffer<uint64_t> hub_;
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
