// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_index.hpp"

#include <algorithm>
#include <bit>

#include "index/label_way.hpp"

namespace octile {

namespace {

constexpr size_t kMostStalePortals = 512;
// More label distances than this to tell whether a way over portals is shorter take as long as a
// search.
constexpr uint32_t kMostAsked = 8;
constexpr uint64_t kFirstLook = 8;  // edited cells
constexpr uint32_t kQuestions = 32;
constexpr uint32_t kLeastAnswers = kQuestions / 4;

Point point(const TileGrid& grid, CellId id) noexcept {
  return {grid.px(id) - 64, grid.py(id) - 64};
}

bool legal_now(const WorldView& now, const Cell* cells, size_t count) noexcept {
  constexpr uint8_t kMove[3][3] = {{1 << kNorthWest, 1 << kNorth, 1 << kNorthEast},
                                   {1 << kWest, 0, 1 << kEast},
                                   {1 << kSouthWest, 1 << kSouth, 1 << kSouthEast}};
  const TileGrid& grid = now.map.grid;
  for (size_t i = 1; i < count; ++i) {
    const Cell from = cells[i - 1], to = cells[i];
    if (!(now.layer.moves(grid.id(from)) & kMove[to.y - from.y + 1][to.x - from.x + 1]))
      return false;
  }
  return true;
}

}  // namespace

void StaleIndex::forget() noexcept {
  drop(index);
  index = nullptr;
  then.release();
  portals.clear();
  edited = look_at = 0;
}

bool StaleIndex::share(const StaleIndex& other) noexcept {
  forget();
  if (!other.index) return true;
  if (!portals.resize(other.portals.size())) return false;
  std::copy(other.portals.begin(), other.portals.end(), portals.begin());
  index = other.index;
  index->take();
  then.share(other.then);
  edited = other.edited;
  look_at = other.look_at;
  return true;
}

bool StaleIndex::update(const Index::Impl* adopted, const StaleIndex& other, const Layer& before,
                        const WorldView& now, const Buffer<DirtyTile>& dirty) noexcept {
  if (adopted) {
    forget();
    if (adopted->info.kind != IndexKind::tile_labels) return true;
    index = adopted;
    index->take();
    then.share(before.tiles);
    look_at = kFirstLook;
  } else if (!share(other)) {
    return false;
  }
  if (!index) return true;
  if (!find_portals(before, now.layer, dirty)) return false;
  if (portals.size() > kMostStalePortals) {
    forget();
    return true;
  }
  if (edited < look_at || !now.costs.uniform) return true;
  look_at = 2 * edited;
  return look(now);
}

bool StaleIndex::find_portals(const Layer& before, const Layer& now,
                              const Buffer<DirtyTile>& dirty) noexcept {
  // 1. The tiles whose moves may have changed.
  const int32_t across = 1 << now.grid.row_shift;
  Buffer<uint32_t> changed;
  for (const DirtyTile& d : dirty) {
    const LayerTile &was = *before.tiles.at(d.tile), &is = *now.tiles.at(d.tile);
    if (&was == &is) continue;
    for (uint32_t y = d.y0; y <= d.y1; ++y) edited += count_bits(was.row[y] ^ is.row[y]);
    for (int32_t dy = -1; dy <= 1; ++dy) {
      for (int32_t dx = -1; dx <= 1; ++dx) {
        const uint32_t t = d.tile + static_cast<uint32_t>(dx + dy * across);
        if (before.tiles.at(t) != now.tiles.at(t) && !changed.push(t)) return false;
      }
    }
  }
  if (changed.empty()) return true;
  std::sort(changed.begin(), changed.end());
  const auto count =
      static_cast<size_t>(std::unique(changed.begin(), changed.end()) - changed.begin());
  changed.resize(count);
  // 2. Their portals anew.
  size_t kept = 0;
  for (const CellId portal : portals)
    if (!std::binary_search(changed.begin(), changed.end(), portal >> 12)) portals[kept++] = portal;
  portals.resize(kept);
  for (const uint32_t t : changed) {
    const LayerTile &was = *then.at(t), &is = *now.tiles.at(t);
    if (&was == &is) continue;
    for (uint32_t cell = 0; cell < kTileCells; cell += 8) {
      uint64_t old_moves, new_moves;
      std::memcpy(&old_moves, was.moves + cell, 8);
      std::memcpy(&new_moves, is.moves + cell, 8);
      if (!(new_moves & ~old_moves)) continue;
      for (uint32_t i = cell; i < cell + 8; ++i) {
        if (!(is.moves[i] & ~was.moves[i]) || !(was.row[i >> 6] >> (i & 63) & 1)) continue;
        if (portals.size() > kMostStalePortals) return true;
        if (!portals.push(t << 12 | i)) return false;
      }
    }
  }
  return true;
}

// Fixed questions, between cells that were free then.
bool StaleIndex::look(const WorldView& now) noexcept {
  const TileGrid& grid = now.map.grid;
  Buffer<uint32_t> room;
  Buffer<Cell> cells;
  uint64_t random = edited;
  const auto some = [&](uint32_t below) {
    random = random * 6364136223846793005 + 1442695040888963407;
    return static_cast<uint32_t>((random >> 32) * below >> 32);
  };
  const auto cell = [&] {
    for (int i = 0; i < 64; ++i) {
      const CellId id = grid.id(64 + some(static_cast<uint32_t>(grid.width)),
                                64 + some(static_cast<uint32_t>(grid.height)));
      if (now.layer.passable(id)) return id;
    }
    return kNoCell;
  };
  uint32_t answers = 0, asked = 0;
  for (uint32_t i = 0; i < kQuestions; ++i) {
    const CellId start = cell(), goal = cell();
    if (start == kNoCell || goal == kNoCell) break;
    if (now.components.of(start) != now.components.of(goal)) continue;
    ++asked;
    uint32_t steps, diagonal;
    const StaleAnswer answer = ask_stale(*this, now, start, goal, &room, &cells, &steps, &diagonal);
    if (answer == StaleAnswer::out_of_memory) return false;
    answers += answer != StaleAnswer::unknown;
  }
  if (answers * kQuestions < asked * kLeastAnswers) forget();
  return true;
}

StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      Buffer<uint32_t>* room, Buffer<Cell>* cells, uint32_t* steps,
                      uint32_t* diagonal) noexcept {
  const LabelTables& tables = stale.index->labels;
  const TileGrid& grid = now.map.grid;
  const Point s = point(grid, start), t = point(grid, goal);
  if (!tables.sight.passable(s) || !tables.sight.passable(t)) return StaleAnswer::unknown;
  // 1. The way then.
  LabelWay way(tables);
  switch (way.find(s, t, room)) {
    case Status::found:
      break;
    case Status::out_of_memory:
      return StaleAnswer::out_of_memory;
    default:
      return stale.portals.empty() ? StaleAnswer::no_path : StaleAnswer::unknown;
  }
  const uint32_t length = way.length();
  *steps = way.steps;
  *diagonal = way.diagonal;
  // 2. The portals that lie near enough to matter.
  uint32_t asked = 0;
  Point ask[kMostAsked];
  for (const CellId portal : stale.portals) {
    const Point p = point(grid, portal);
    if (tables.steps.line(s, p) + tables.steps.line(p, t) >= length) continue;
    if (asked == kMostAsked) return StaleAnswer::unknown;
    ask[asked++] = p;
  }
  // 3. Is the way still there?
  const size_t count = size_t{way.steps} + 1;
  if (!cells->resize(count + 2 * kSpareCells)) return StaleAnswer::out_of_memory;
  way.write(grid.first, cells->data() + kSpareCells);
  if (!legal_now(now, cells->data() + kSpareCells, count)) return StaleAnswer::unknown;
  // 4. Is a way over portals shorter? Each of the two bounds may tell that none is.
  const auto none_shorter = [&](Point from, Point to) {
    for (uint32_t i = 0; i < asked; ++i) {
      LabelWay first(tables);
      const Status status = first.find(from, ask[i], room);
      if (status == Status::no_path) continue;
      if (status != Status::found || first.length() + tables.steps.line(ask[i], to) < length)
        return false;
    }
    return true;
  };
  return none_shorter(s, t) || none_shorter(t, s) ? StaleAnswer::path : StaleAnswer::unknown;
}

}  // namespace octile
