// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Makes tile labels of a subgoal graph and its hub labels.

#include "base/file_layout.hpp"
#include "index/label_tables.hpp"
#include "index/tile_lift.hpp"

namespace octile {

constexpr unsigned kMostBuilders = 16;

// The four arrays of LabelTables, the tiles in pieces: a piece a row of tiles. Tile places count
// from kTileGap bytes before the first piece, so that none is 0; tree bases point into `trees`.
struct LabelBytes {
  static constexpr size_t kTileGap = 16;

  struct Row {
    const uint8_t* data;
    size_t bytes;
  };

  Buffer<uint32_t> directory;
  Buffer<Row> row;
  size_t tile_bytes = 0;  // with the gap
  Buffer<uint32_t> tree_base;
  Buffer<uint8_t> trees;
  uint32_t block_words = 0;
  uint32_t most_vias = 0;
  uint32_t hubs = 0;     // that have entries
  uint32_t longest = 0;  // no cell is further from a hub of its label
  uint64_t entries = 0;
  Arena arena[kMostBuilders];  // of the threads that made the tiles

  // As sections of a file.
  size_t bytes() const noexcept {
    return file_aligned(directory.size() * 4) + file_aligned(tile_bytes) +
           file_aligned(tree_base.size() * 4) + file_aligned(trees.size());
  }
};

Built build_labels(const ClearMaps& clear, const SightMaps& sight, const SubgoalGraph& graph,
                   const HubLabels& labels, IndexSteps steps, const BuildLimits& limits,
                   LabelBytes* out) noexcept;

}  // namespace octile
