// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Indexes of the kinds portals and quadtree: built whole, in files, and carried over edits. Their
// file has five sections: `directory`, where in units of 4 bytes each block begins, row by row,
// and one more for the end; `tree_base`, for a quadtree a byte for each block, the size of its
// leaf; `tiles`, the blocks one after the other (PortalBlock); `trees`, the gates of the regions
// (PortalGates); and `row_first`, where these begin.
//
// After edits an index has no file: it keeps alive the index in whose bytes blocks lie. A commit
// notes which tiles it touched, and nothing else: the PortalMap of now, which shares the blocks of
// an earlier one and misses those touched since, is made by the first query that asks for it, and
// published by compare-and-swap, as missing blocks are.

#include "index/path_index.hpp"
#include "index/portal_map.hpp"

namespace octile {

// Builds every block, but takes those that `present` (of the same world, or null) has.
Fault make_portals(const WorldView& world, const Index::Impl* present, const IndexOptions& options,
                   Index* index) noexcept;

// For an index read from a file, whose header has been checked: null, or what is wrong with it.
const char* check_portal_head(const IndexHeader& head) noexcept;
const char* check_portal_body(const Index::Impl& index) noexcept;

// Makes the map of blocks over the bytes of an index. False: memory is short.
bool attach_portals(Index::Impl* index) noexcept;

// The index after edits, for the world they led to; null in *out when it can serve no longer.
// False: memory is short.
bool carry_over(const Index::Impl& old, const WorldView& world, const Buffer<DirtyTile>& dirty,
                const Index::Impl** out) noexcept;

// The map of an index, made when edits have left that to do; null: memory is short. `layer` is that
// of the index's own world. Safe from any thread.
const PortalMap* portals_of(const Index::Impl& index, const Layer& layer) noexcept;

void describe_portals(const Index::Impl& index, IndexInfo* info) noexcept;

}  // namespace octile
