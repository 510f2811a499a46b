// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of an Index: one run of bytes, in memory as in its file, and the tables that point
// into it.
//
//   header     IndexHeader, kIndexHeadBytes
//   sections   each at a multiple of 64 bytes; what a kind of index does not need is empty
//   padding    kReadBeyond bytes, so that vector loads stay inside

#include "base/counted.hpp"
#include "base/file_layout.hpp"
#include "base/platform.hpp"
#include "index/label_tables.hpp"
#include "world/world_view.hpp"

namespace octile {

enum class Section : uint32_t {
  rows,  // SightMaps
  columns,
  south_east,
  north_east,
  directory,  // LabelTables
  tiles,
  tree_base,
  trees,
  row_stop,  // CornerMaps
  column_stop,
  row_corner,
  column_corner,
  places,      // SubgoalGraph: x | y << 16 of each subgoal
  row_first,   // by row
  edge_first,  // by subgoal
  edge_target,
  label_first,    // by subgoal: its first entry
  label_entries,  // HubLabels::Entry
  label_tree,     // HubLabels::TreeNode
  count,
};
constexpr size_t kIndexHeadBytes = 320;
constexpr uint32_t kSections = static_cast<uint32_t>(Section::count);

struct IndexHeader {
  char magic[8];
  uint32_t version;
  uint32_t kind;
  uint64_t bytes;     // of the file
  uint64_t checksum;  // of the whole file with this field 0
  uint64_t fingerprint;
  uint32_t width, height;
  uint32_t straight, diagonal;  // IndexSteps
  uint32_t subgoals, hubs, block_words, most_vias;
  uint32_t blocks, unused;
  uint64_t entries;
  uint32_t offset[kSections];  // / 64
  char reason[96];
};
static_assert(sizeof(IndexHeader) <= kIndexHeadBytes && kReadBeyond >= 64);

class PortalMap;
struct LiveState;

struct Index::Impl : Counted {
  ~Impl();
  Buffer<uint64_t> own;  // or
  FileMapping file;
  const uint8_t* data = nullptr;
  size_t size = 0;
  IndexInfo info;
  IndexSteps steps;
  LabelTables labels;  // tile_labels
  // subgoal_graph and subgoal_labels
  CornerMaps corners;
  const uint32_t* places = nullptr;
  const uint32_t* row_first = nullptr;
  const uint32_t* edge_first = nullptr;
  const uint32_t* edge_target = nullptr;
  const uint32_t* label_first = nullptr;  // null without labels
  const HubLabels::Entry* label_entries = nullptr;
  const HubLabels::TreeNode* label_tree = nullptr;

  Point place(uint32_t subgoal) const noexcept {
    return {places[subgoal] & 0xffff, places[subgoal] >> 16};
  }
  uint32_t number(Point p) const noexcept {
    return subgoal_number(p, row_first, [&](uint32_t s) { return places[s] & 0xffff; });
  }
  // portals and quadtree, see portal_index.hpp
  mutable std::atomic<const PortalMap*> portals{nullptr};  // null after edits: portals_of()
  const PortalMap* earlier = nullptr;  // then: that of an earlier state of the map,
  Buffer<DirtyTile> edited;            // the tiles edited since, each once,
  const Impl* base = nullptr;          // and in whose bytes blocks lie
  // subgoal_labels that followed edits have no bytes, but this: see live_labels.hpp
  const LiveState* live = nullptr;

  bool of_portals() const noexcept { return info.kind >= IndexKind::portals; }
  // Points everything into data; the header must have been checked.
  void attach() noexcept;
};

constexpr int32_t kMostIndexSide = 65535;
constexpr char kIndexMagic[8] = {'o', 'c', 't', 'i', 'l', 'e', 'i', '\n'};
constexpr uint32_t kIndexVersion = 4;

// Integer lengths in 32 bits. Sums below `limit` order paths as the metric does, and can be taken
// apart into straight and diagonal steps; an index is built when twice its longest part stays below
// `safe`. See docs/labels.md.
struct IndexMetric {
  IndexSteps steps;
  uint32_t safe, limit;
};
constexpr IndexMetric kIndexMetrics[3][2] = {
    {{{5741, 8119}, 46'000'000, 46'611'178}, {{33461, 47321}, 1'570'000'000, 1'583'407'980}},
    // Equal lengths are told apart by the number of diagonal steps, which changes no order.
    {{{163840, 229377}, 2'100'000'000, 2'147'000'000}, {{163840, 229377}, 0, 2'147'000'000}},
    {{{16384, 16385}, 267'000'000, 268'435'455}, {{16384, 16385}, 0, 268'435'455}},
};

// Of these step lengths, which must be known ones.
inline uint32_t sum_limit(IndexSteps steps) noexcept {
  uint32_t limit = 0;
  for (const auto& pair : kIndexMetrics)
    for (const IndexMetric& m : pair)
      if (m.steps.straight == steps.straight && m.steps.diagonal == steps.diagonal) limit = m.limit;
  return limit;
}

// Why no index can serve this world; null when one can.
const char* refuses_index(const WorldView& world) noexcept;
Fault make_index(const WorldView& world, const IndexOptions& options, Index* index) noexcept;

// True when sums of labels of subgoals order paths as the metric does, where no entry is longer.
bool exact_up_to(const WorldView& world, IndexSteps steps, uint32_t longest) noexcept;
// Of the map as the profile sees it: size, passability, metric.
uint64_t fingerprint(const WorldView& world) noexcept;
// True when the index was built for just these cells and this metric. Files may bear a fingerprint
// that is not theirs, so the cells themselves are compared as well.
bool serves(const Index::Impl& index, const WorldView& world) noexcept;

// Null when the bytes are an index that makes sense; else what is wrong with it, or
// kNoMemoryToCheck.
inline constexpr const char kNoMemoryToCheck[] = "no memory to check the index file";
const char* check_head(const uint8_t* data, size_t size) noexcept;
// The bytes of an index from one place to another, in order, piece by piece: each is read and
// summed up once, and looked at while the cache has it.
class IndexStream {
 public:
  // `begin` at a multiple of kPiece, `end` too or at the end of the file. `file` has the same
  // bytes, if it is open. The room, for kRoom bytes, may be null.
  static constexpr size_t kPiece = size_t{1} << 16, kRoom = 2 * kPiece + kReadBeyond;
  IndexStream(const Index::Impl& index, const FileReader& file, size_t begin, size_t end,
              uint8_t* room) noexcept
      : index_(index), file_(file), room_(room), begin_(begin), read_(begin), end_(end) {}
  // `bytes` from `at` on, which never goes back, and may begin nowhere else but in these bytes;
  // kept until the next call, with kReadBeyond more that may be read.
  const uint8_t* at(size_t at, size_t bytes) noexcept;
  // After it has gone to the end: the share of index_checksum().
  uint64_t sum() const noexcept { return sum_; }
  void finish() noexcept { at(end_, 0); }

 private:
  const Index::Impl& index_;
  const FileReader& file_;
  uint8_t* room_;
  size_t begin_, read_;  // what lies in the room; all before is summed up
  const size_t end_;
  uint64_t sum_ = 0;
};

// After check_head and attach. `file` has the same bytes, if it is open.
const char* check_body(const Index::Impl& index, const FileReader& file, unsigned threads) noexcept;
// The part of check_body() that is about tile labels; sums up the file as well.
const char* check_tiles(const Index::Impl& index, const IndexHeader& head, const FileReader& file,
                        unsigned threads, uint64_t* sum) noexcept;

inline IndexHeader read_head(const uint8_t* data) noexcept {
  IndexHeader h;
  std::memcpy(&h, data, sizeof h);
  return h;
}
// Bytes from the begin of a section to that of the next one, padding included; not of portals.
size_t section_room(const IndexHeader& head, Section section) noexcept;
// Of a whole file: the sum of those of its pieces, so that they can be looked at in any order.
uint64_t index_checksum(const uint8_t* data, size_t size) noexcept;
// Of the piece that begins at `at`.
uint64_t piece_checksum(const uint8_t* data, size_t bytes, size_t at) noexcept;

}  // namespace octile
