// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Answers on maps of which tiles are absent (MapDef::streamed). Absent cells are taken for the
// cheapest ground, so a View is that of a map on which nothing costs more than it does in truth. A
// cheapest path there that keeps to loaded tiles is one whatever the others hold; what cannot be
// reached there cannot be reached at all. So searches, indexes and components need not know which
// tiles are absent: answers are looked at once, here.

#include "engine/searcher.hpp"

namespace octile {

// What a query is to begin with, on a map with absent tiles. True when it has ended: its start is
// absent, or absent cells are not the cheapest.
bool want_start(const WorldView& world, Searcher::Impl& s, Path* path) noexcept;

// A goal as the query gives it, before it is snapped. False: memory is short.
bool note_goal(const WorldView& world, CellId goal, Searcher::Impl& s) noexcept;

// What the query has come to: an answer that depends on absent tiles becomes not_loaded.
void want_tiles(const WorldView& world, Searcher::Impl& s, Path* path) noexcept;

// True when a way depends on no absent tile. Uses the Searcher's list of them.
bool all_loaded(const WorldView& world, const Path& path, Searcher::Impl& s) noexcept;

}  // namespace octile
