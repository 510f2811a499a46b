// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Whether the bytes of an index make sense: after these checks no query reads or writes where it
// must not, whoever made the file. Every path that the labels unpack to is as long as they say,
// since that is how much room a query makes for it.

#include <algorithm>

#include "index/path_index.hpp"
#include "index/portal_index.hpp"

namespace octile {

namespace {

constexpr const char* kTruncated = "the index file is truncated";

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

}  // namespace

size_t section_room(const IndexHeader& h, Section section) noexcept {
  const SectionList& list =
      static_cast<IndexKind>(h.kind) == IndexKind::tile_labels ? kTileSections : kGraphSections;
  for (uint32_t i = 0; i < list.count; ++i) {
    if (list.section[i] != section) continue;
    const uint64_t begin = uint64_t{h.offset[static_cast<uint32_t>(section)]} * kFileAlignment;
    const uint64_t end =
        i + 1 < list.count
            ? uint64_t{h.offset[static_cast<uint32_t>(list.section[i + 1])]} * kFileAlignment
            : h.bytes - kReadBeyond;
    return end - begin;
  }
  return 0;
}

const char* check_head(const uint8_t* data, size_t size) noexcept {
  if (size < sizeof(IndexHeader::magic)) return kTruncated;
  if (std::memcmp(data, kIndexMagic, sizeof kIndexMagic) != 0)
    return "this is not an index file of Octile";
  if (size < kIndexHeadBytes + kReadBeyond) return kTruncated;
  const IndexHeader h = read_head(data);
  if (h.version < kIndexVersion) return "the index file is of an older version: build it anew";
  if (h.version > kIndexVersion) return "the index file is of a newer version of Octile";
  if (h.bytes > size) return kTruncated;
  if (h.bytes < size) return "the index file is longer than it should be";
  if (size % kFileAlignment != 0) return "the index file makes no sense: its size";
  if (h.kind < static_cast<uint32_t>(IndexKind::subgoal_graph) ||
      h.kind > static_cast<uint32_t>(IndexKind::quadtree))
    return "the index file makes no sense: its kind";
  if (h.width < 1 || h.height < 1 || h.width > uint32_t{kMostIndexSide} ||
      h.height > uint32_t{kMostIndexSide})
    return "the index file makes no sense: the size of its map";
  if (!std::memchr(h.reason, 0, sizeof h.reason))
    return "the index file makes no sense: the reason it tells";
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
        uint64_t{h.offset[static_cast<uint32_t>(list.section[i])]} * kFileAlignment;
    if (begin < last || begin > size - kReadBeyond)
      return "the index file makes no sense: sections";
    last = begin;
  }
  const uint64_t w = h.width, v = h.height;
  const auto fits = [&](Section section, uint64_t bytes) {
    return bytes <= section_room(h, section);
  };
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
  const uint64_t edges = section_room(h, Section::edge_target) / 4;
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

const uint8_t* IndexStream::at(size_t at, size_t bytes) noexcept {
  const size_t to = at + bytes;
  if (room_ && to > read_) {
    // What is still wanted goes to the front.
    const size_t kept = at < read_ ? read_ - at : 0;
    std::memmove(room_, room_ + (read_ - kept - begin_), kept);
    begin_ = read_ - kept;
  }
  while (read_ < to) {
    // Beyond the end no more than is wanted: others will read it again.
    const size_t piece = std::min(read_ < end_ ? kPiece : to - read_, index_.size - read_);
    if (at >= read_) begin_ = read_;
    const uint8_t* data = index_.data + read_;
    if (room_) {
      if (bytes > kPiece) break;  // looked at where it lies; later calls will read it
      if (file_.read(read_, piece, room_ + (read_ - begin_)))
        data = room_ + (read_ - begin_);
      else
        room_ = nullptr;
    }
    if (read_ < end_) sum_ += piece_checksum(data, piece, read_);
    read_ += piece;
  }
  return room_ && bytes <= kPiece ? room_ + (at - begin_) : index_.data + at;
}

const char* check_body(const Index::Impl& index, const FileReader& file,
                       unsigned threads) noexcept {
  const IndexHeader h = read_head(index.data);
  const bool tiles = index.info.kind == IndexKind::tile_labels;
  const char* wrong = nullptr;
  uint64_t sum = 0;
  if (tiles)
    wrong = check_tiles(index, h, file, threads, &sum);
  else
    sum = index_checksum(index.data, index.size);
  if (h.checksum != sum) return "the index file is damaged: its checksum is wrong";
  if (tiles) return wrong;
  if (index.of_portals()) return check_portal_body(index);
  return check_graph(index, h);
}

}  // namespace octile
