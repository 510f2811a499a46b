// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/path_index.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/platform.hpp"
#include "index/label_build.hpp"
#include "index/live_labels.hpp"
#include "index/portal_index.hpp"

namespace octile {

// The bytes are used as they lie.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "index files are little endian");

// ---------------------------------------------------------------------------------------------
// What an index belongs to

uint64_t fingerprint(const WorldView& world) noexcept {
  const TileGrid& grid = world.layer.grid;
  uint64_t hash = mix(static_cast<uint64_t>(grid.width) << 32 | static_cast<uint32_t>(grid.height),
                      static_cast<uint64_t>(world.profile.metric));
  for (uint32_t row = 0; row < grid.tile_rows; ++row)
    for (uint32_t column = 0; column < grid.tile_cols; ++column)
      for (const uint64_t word : world.layer.tiles.at(grid.tile_index(column, row))->row)
        hash = mix(hash, word + 0x9e3779b97f4a7c15);
  return hash;
}

Index::Impl::~Impl() {
  octile::drop(portals.load(std::memory_order_relaxed));
  octile::drop(earlier);
  octile::drop(base);
  delete live;
}

bool exact_up_to(const WorldView& world, IndexSteps steps, uint32_t longest) noexcept {
  const uint64_t way =
      uint64_t{longest} + steps.line({0, 0}, {static_cast<uint32_t>(world.layer.grid.width),
                                              static_cast<uint32_t>(world.layer.grid.height)});
  for (const IndexMetric& m : kIndexMetrics[static_cast<uint32_t>(world.profile.metric)])
    if (m.steps.straight == steps.straight && m.steps.diagonal == steps.diagonal)
      return 2 * way < m.safe;
  return false;
}

bool serves(const Index::Impl& index, const WorldView& world) noexcept {
  const TileGrid& grid = world.layer.grid;
  if (!index.data || refuses_index(world) || grid.width != index.info.width ||
      grid.height != index.info.height || fingerprint(world) != index.info.fingerprint)
    return false;
  bool metric = false;
  for (const IndexMetric& m : kIndexMetrics[static_cast<uint32_t>(world.profile.metric)])
    metric = metric ||
             (m.steps.straight == index.steps.straight && m.steps.diagonal == index.steps.diagonal);
  if (!metric) return false;
  // What a foreign file says of the cells of its blocks may cost length, never legality.
  if (index.of_portals()) return true;
  const bool tiles = index.info.kind == IndexKind::tile_labels;
  const uint32_t words = SightMaps::words(static_cast<uint32_t>(grid.width));
  for (uint32_t y = 0; y < static_cast<uint32_t>(grid.height); ++y) {
    for (uint32_t c = 0; c < words; ++c) {
      const uint64_t cells = world.layer.tiles.at(grid.tile_index(c, y >> 6))->row[y & 63];
      const uint64_t says = tiles ? index.labels.sight.rows[size_t{y} * words + c]
                                  : index.corners.passable_word(c, y);
      if (cells != says) return false;
    }
  }
  return true;
}

uint64_t piece_checksum(const uint8_t* data, size_t bytes, size_t at) noexcept {
  return mix(file_checksum(data, bytes, offsetof(IndexHeader, checksum) - at), at);
}

uint64_t index_checksum(const uint8_t* data, size_t size) noexcept {
  uint64_t sum = 0;
  for (size_t at = 0; at < size; at += IndexStream::kPiece)
    sum += piece_checksum(data + at, std::min(IndexStream::kPiece, size - at), at);
  return sum;
}

void Index::Impl::attach() noexcept {
  const IndexHeader h = read_head(data);
  info.kind = static_cast<IndexKind>(h.kind);
  info.bytes = size;
  info.width = static_cast<int32_t>(h.width);
  info.height = static_cast<int32_t>(h.height);
  info.fingerprint = h.fingerprint;
  info.subgoals = h.subgoals;
  info.hubs = h.hubs;
  info.entries = h.entries;
  std::memcpy(info.reason, h.reason, sizeof info.reason);
  steps = {h.straight, h.diagonal};
  if (of_portals()) return;  // see attach_portals()
  const auto at = [&](Section s) {
    return data + size_t{h.offset[static_cast<uint32_t>(s)]} * kFileAlignment;
  };
  const auto bits = [&](Section s) { return reinterpret_cast<const uint64_t*>(at(s)); };
  const auto numbers = [&](Section s) { return reinterpret_cast<const uint32_t*>(at(s)); };
  if (info.kind == IndexKind::tile_labels) {
    labels.sight.width = h.width;
    labels.sight.height = h.height;
    labels.sight.row_words = SightMaps::words(h.width);
    labels.sight.column_words = SightMaps::words(h.height);
    labels.sight.rows = bits(Section::rows);
    labels.sight.columns = bits(Section::columns);
    labels.sight.south_east = bits(Section::south_east);
    labels.sight.north_east = bits(Section::north_east);
    labels.steps = steps;
    // Extended Euclid: what times (diagonal - straight) is 1 modulo straight.
    int64_t a = h.straight, b = h.diagonal - h.straight, u = 0, v = 1;
    while (b != 0) {
      const int64_t q = a / b;
      a = std::exchange(b, a - q * b);
      u = std::exchange(v, u - q * v);
    }
    labels.inverse = static_cast<uint32_t>(u < 0 ? u + h.straight : u);
    labels.reciprocal = UINT64_MAX / h.straight + 1;
    labels.tiles_across = (h.width + 7) / 8;
    labels.tiles_down = (h.height + 7) / 8;
    labels.block_words = h.block_words;
    labels.most_vias = h.most_vias;
    labels.directory = numbers(Section::directory);
    labels.tiles = at(Section::tiles);
    labels.tree_base = numbers(Section::tree_base);
    labels.trees = at(Section::trees);
    return;
  }
  corners.width = h.width;
  corners.height = h.height;
  corners.row_words = SightMaps::words(h.width + 2);
  corners.column_words = SightMaps::words(h.height + 2);
  corners.row_stop = bits(Section::row_stop);
  corners.column_stop = bits(Section::column_stop);
  corners.row_corner = bits(Section::row_corner);
  corners.column_corner = bits(Section::column_corner);
  places = numbers(Section::places);
  row_first = numbers(Section::row_first);
  edge_first = numbers(Section::edge_first);
  edge_target = numbers(Section::edge_target);
  if (info.kind != IndexKind::subgoal_labels) return;
  label_first = numbers(Section::label_first);
  label_entries = reinterpret_cast<const HubLabels::Entry*>(at(Section::label_entries));
  label_tree = reinterpret_cast<const HubLabels::TreeNode*>(at(Section::label_tree));
}

// ---------------------------------------------------------------------------------------------
// Building

namespace {

constexpr size_t kCopied = size_t{1} << 20;  // between two looks at the cancel flag

struct Part {
  Section section;
  const void* data;
  size_t bytes;
};

// Lays out header and sections. Parts of one section follow each other.
Built assemble(IndexHeader* h, const Part* parts, size_t count, const BuildLimits& limits,
               Index::Impl* index) noexcept {
  size_t size = kIndexHeadBytes;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || parts[i].section != parts[i - 1].section) {
      size = file_aligned(size);
      h->offset[static_cast<uint32_t>(parts[i].section)] =
          static_cast<uint32_t>(size / kFileAlignment);
    }
    size += parts[i].bytes;
  }
  size = file_aligned(size) + kReadBeyond;
  if (!reserve_large(&index->own, size / 8) || !index->own.resize(size / 8))
    return Built::out_of_memory;
  auto* data = reinterpret_cast<uint8_t*>(index->own.data());
  size_t at = kIndexHeadBytes;
  std::memset(data, 0, at);
  const auto pad = [&](size_t to) {
    std::memset(data + at, 0, to - at);
    at = to;
  };
  for (size_t i = 0; i < count; ++i) {
    if (i != 0 && parts[i].section != parts[i - 1].section) pad(file_aligned(at));
    const auto* from = static_cast<const uint8_t*>(parts[i].data);
    // In pieces, so that a cancelled build need not touch all of the new memory.
    for (size_t left = parts[i].bytes, n; left > 0; left -= n, from += n, at += n) {
      if (limits.cancelled()) return Built::cancelled;
      n = std::min(left, kCopied);
      std::memcpy(data + at, from, n);
    }
  }
  pad(size);
  h->bytes = size;
  h->checksum = 0;
  std::memcpy(data, h, sizeof *h);
  for (size_t piece = 0; piece < size; piece += IndexStream::kPiece) {
    if (limits.cancelled()) return Built::cancelled;
    h->checksum += piece_checksum(data + piece, std::min(IndexStream::kPiece, size - piece), piece);
  }
  std::memcpy(data, h, sizeof *h);
  index->data = data;
  index->size = size;
  index->attach();
  return Built::done;
}

Fault built_fault(Built built) noexcept {
  return built == Built::cancelled ? fault(Status::cancelled, "the build was cancelled")
                                   : no_memory_for("the index");
}

template <class T>
Part part(Section section, const Buffer<T>& buffer) noexcept {
  return {section, buffer.data(), buffer.size() * sizeof(T)};
}

}  // namespace

const char* refuses_index(const WorldView& world) noexcept {
  const Profile& profile = world.profile;
  if (profile.moves != Moves::eight || profile.diagonal != Diagonal::no_obstacles)
    return "an index serves eight moves without corner cutting (no_obstacles) only";
  if (!world.costs.uniform) return "an index serves maps only where all cells cost the same";
  if (world.map.grid.width > kMostIndexSide || world.map.grid.height > kMostIndexSide)
    return "an index serves maps of up to 65,535 cells a side";
  return nullptr;
}

Fault make_index(const WorldView& world, const IndexOptions& options, Index* index) noexcept {
  // 1. Whether it can be done.
  if (const char* text = refuses_index(world)) return fault(Status::bad_argument, text);
  const Profile& profile = world.profile;
  BuildLimits limits;
  limits.bytes = options.budget_bytes;
  limits.entries = options.budget_work ? options.budget_work : UINT64_MAX;
  limits.cancel = options.cancel;
  limits.progress = options.progress;
  limits.user = options.user;
  limits.threads = options.threads;

  // 2. The graph.
  Index::Impl* made = new (std::nothrow) Index::Impl;
  if (!made) return built_fault(Built::out_of_memory);
  const Index holder(made);
  CornerBits corners;
  ClearMaps clear;
  SubgoalGraph graph;
  const auto step = [&](bool fits) {
    return !fits ? Built::out_of_memory : limits.cancelled() ? Built::cancelled : Built::done;
  };
  Built built = step(corners.build(world.layer));
  if (built == Built::done) built = step(clear.build(corners));
  if (built == Built::done) built = step(graph.build(corners, clear));
  if (built != Built::done) return built_fault(built);
  IndexHeader h{};
  std::memcpy(h.magic, kIndexMagic, sizeof kIndexMagic);
  h.version = kIndexVersion;
  h.fingerprint = fingerprint(world);
  h.width = corners.width;
  h.height = corners.height;
  h.subgoals = graph.size();
  const auto reason = [&](const char* text) {
    std::memset(h.reason, 0, sizeof h.reason);
    std::memcpy(h.reason, text, std::strlen(text));
  };

  // 3. Labels, with the first pair of step lengths that is exact for the longest path.
  HubLabels labels;
  LabelBytes bytes;
  SightBits sight;
  IndexKind kind = options.most;
  const IndexMetric* metrics = kIndexMetrics[static_cast<uint32_t>(profile.metric)];
  // What the finished index takes beside its labels.
  constexpr size_t kFrame = kIndexHeadBytes + kReadBeyond;
  const size_t sight_bytes = kFrame +
                             file_aligned(size_t{h.height} * SightMaps::words(h.width) * 8) +
                             3 * file_aligned(size_t{h.width} * SightMaps::words(h.height) * 8);
  const size_t graph_bytes =
      kFrame + 2 * file_aligned(size_t{corners.height + 2} * corners.row_words * 8) +
      2 * file_aligned(size_t{corners.width + 2} * corners.column_words * 8) +
      file_aligned(graph.place.size() * 4) + file_aligned(graph.row.size() * 4) +
      file_aligned(graph.first.size() * 4) + file_aligned(graph.target.size() * 4);
  for (uint32_t m = 0; m < 2 && metrics[m].safe != 0; ++m) {
    kind = options.most;
    h.straight = metrics[m].steps.straight;
    h.diagonal = metrics[m].steps.diagonal;
    if (kind == IndexKind::subgoal_graph) break;
    // The labels of cells are made of those of the corners, but tiles share them: where there are
    // many corners the result takes less than a third of what it is made of.
    BuildLimits for_corners = limits;
    if (kind == IndexKind::tile_labels)
      for_corners.bytes = limits.bytes < SIZE_MAX / 4 ? 4 * limits.bytes : SIZE_MAX;
    // No line across the map may exceed the sums.
    const uint64_t side = std::max(h.width, h.height);
    const Built labelled = side * h.diagonal >= kFar
                               ? Built::too_long
                               : labels.build(graph, metrics[m].steps, for_corners);
    if (labelled == Built::over_budget) {
      kind = IndexKind::subgoal_graph;
      reason("the labels of the corners exceed the budget");
      break;
    }
    if (labelled == Built::too_long) {
      kind = IndexKind::subgoal_graph;
      reason("paths may be longer than the labels' sums");
      continue;
    }
    if (labelled != Built::done) return built_fault(labelled);
    uint64_t longest = labels.longest();
    if (kind == IndexKind::tile_labels) {
      if (!sight.build(world.layer)) return built_fault(Built::out_of_memory);
      BuildLimits rest = limits;
      rest.bytes = limits.bytes > sight_bytes ? limits.bytes - sight_bytes : 0;
      const Built lifted =
          build_labels(clear, sight, graph, labels, metrics[m].steps, rest, &bytes);
      if (lifted == Built::over_budget) {
        kind = IndexKind::subgoal_labels;
        reason("the labels of the cells exceed the budget");
      } else if (lifted != Built::done) {
        return built_fault(lifted);
      } else {
        longest = bytes.longest;
      }
    }
    if (kind == IndexKind::subgoal_labels) {
      const size_t label_bytes = file_aligned(graph.first.size() * 4) +
                                 file_aligned(labels.entries() * sizeof(HubLabels::Entry)) +
                                 file_aligned(labels.entries() * sizeof(HubLabels::TreeNode));
      if (graph_bytes + label_bytes > limits.bytes) {
        kind = IndexKind::subgoal_graph;
        reason("the labels of the corners exceed the budget");
        break;
      }
      longest += metrics[m].steps.line({0, 0}, {h.width, h.height});
    }
    if (2 * longest < metrics[m].safe) {
      if (kind == options.most) reason("");
      break;
    }
    kind = IndexKind::subgoal_graph;
    reason("paths may be longer than the labels' sums");
  }

  // 4. The bytes.
  h.kind = static_cast<uint32_t>(kind);
  if (kind == IndexKind::tile_labels) {
    h.hubs = bytes.hubs;
    h.blocks = static_cast<uint32_t>(bytes.tree_base.size() / kLanes);
    h.block_words = bytes.block_words;
    h.most_vias = bytes.most_vias;
    h.entries = bytes.entries;
    const size_t rows = size_t{sight.height} * sight.row_words * 8;
    const size_t columns = size_t{sight.width} * sight.column_words * 8;
    constexpr uint8_t kGap[LabelBytes::kTileGap] = {};
    Buffer<Part> parts;
    if (!parts.reserve(8 + bytes.row.size())) return built_fault(Built::out_of_memory);
    parts.push({Section::rows, sight.rows, rows});  // reserved, here and below
    parts.push({Section::columns, sight.columns, columns});
    parts.push({Section::south_east, sight.south_east, columns});
    parts.push({Section::north_east, sight.north_east, columns});
    parts.push(part(Section::directory, bytes.directory));
    parts.push({Section::tiles, kGap, sizeof kGap});
    for (const LabelBytes::Row& row : bytes.row) parts.push({Section::tiles, row.data, row.bytes});
    parts.push(part(Section::tree_base, bytes.tree_base));
    parts.push(part(Section::trees, bytes.trees));
    built = assemble(&h, parts.data(), parts.size(), limits, made);
  } else {
    const size_t rows = size_t{corners.height + 2} * corners.row_words * 8;
    const size_t columns = size_t{corners.width + 2} * corners.column_words * 8;
    Buffer<uint32_t> places, label_first;
    Buffer<HubLabels::Entry> entries;
    Buffer<HubLabels::TreeNode> tree;
    if (!places.resize(graph.size())) return built_fault(Built::out_of_memory);
    for (uint32_t s = 0; s < graph.size(); ++s)
      places[s] = graph.place[s].x | graph.place[s].y << 16;
    if (kind == IndexKind::subgoal_labels) {
      h.hubs = labels.hubs();
      h.entries = labels.entries();
      if (!label_first.resize(graph.size() + size_t{1}) || !entries.resize(h.entries) ||
          !tree.resize(h.entries))
        return built_fault(Built::out_of_memory);
      uint32_t at = 0;
      for (uint32_t s = 0; s < graph.size(); ++s) {
        if (limits.cancelled()) return built_fault(Built::cancelled);
        label_first[s] = at;
        for (const HubLabels::Entry* e = labels.begin_of(s); e != labels.end_of(s); ++e)
          entries[at++] = *e;
      }
      label_first[graph.size()] = at;
      for (uint32_t hub = 0; hub < labels.hubs(); ++hub) {
        if (limits.cancelled()) return built_fault(Built::cancelled);
        std::copy_n(labels.tree_of(hub), labels.tree_begin(hub + 1) - labels.tree_begin(hub),
                    tree.data() + labels.tree_begin(hub));
      }
    }
    const Part parts[] = {
        {Section::row_stop, corners.row_stop, rows},
        {Section::column_stop, corners.column_stop, columns},
        {Section::row_corner, corners.row_corner, rows},
        {Section::column_corner, corners.column_corner, columns},
        part(Section::places, places),
        part(Section::row_first, graph.row),
        part(Section::edge_first, graph.first),
        part(Section::edge_target, graph.target),
        part(Section::label_first, label_first),
        part(Section::label_entries, entries),
        part(Section::label_tree, tree),
    };
    built = assemble(&h, parts, sizeof parts / sizeof *parts, limits, made);
  }
  if (built != Built::done) return built_fault(built);
  if (limits.cancelled()) return built_fault(Built::cancelled);
  limits.report(1);
  *index = holder;
  return {};
}

// ---------------------------------------------------------------------------------------------
// Handles

const char* name(IndexKind kind) noexcept {
  static const char* const kNames[] = {"none",        "subgoal_graph", "subgoal_labels",
                                       "tile_labels", "portals",       "quadtree"};
  return kind <= IndexKind::quadtree ? kNames[static_cast<uint32_t>(kind)] : "";
}

Index::Index(const Index& other) noexcept : impl_(other.impl_) {
  if (impl_) impl_->take();
}
Index::Index(Index&& other) noexcept {
  std::swap(impl_, other.impl_);
}
Index& Index::operator=(const Index& other) noexcept {
  if (other.impl_) other.impl_->take();
  drop(impl_);
  impl_ = other.impl_;
  return *this;
}
Index& Index::operator=(Index&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Index::~Index() {
  drop(impl_);
}
IndexInfo Index::info() const noexcept {
  IndexInfo info = impl_ ? impl_->info : IndexInfo();
  if (impl_ && impl_->of_portals()) describe_portals(*impl_, &info);
  if (impl_ && impl_->live) info.bytes += impl_->live->tiles->bytes();
  return info;
}
const void* Index::data() const noexcept {
  return impl_ ? impl_->data : nullptr;
}
}  // namespace octile
