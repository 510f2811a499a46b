// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_index.hpp"

#include <algorithm>
#include <bit>

#include "index/label_common.hpp"

namespace octile {

namespace {

// More cells beside openings than these, and one for so many on the map's sides, take as long as
// searches.
constexpr size_t kFewRim = 128, kSideToRim = 16;
constexpr uint64_t kFirstLook = 8;  // edited cells
// Questions are asked until the answers save so many times what they cost, or the other way round.
constexpr uint32_t kLeastQuestions = 6, kMostQuestions = 16, kClear = 3;
// Where more than one cell of so many is not what it was, and more than a few, searches are as
// fast.
constexpr uint64_t kWorthAsking = 64, kFewEdited = 256;

Point stale_point(const TileGrid& grid, CellId id) noexcept {
  return {grid.px(id) - 64, grid.py(id) - 64};
}

// Bytes that are not 0, a bit each.
uint64_t set_bytes(uint64_t bytes) noexcept {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  const uint64_t flags = (((bytes & kLow) + kLow) | bytes) >> 7 & 0x0101010101010101;
  return flags * 0x0102040810204080 >> 56;
}

// Those of a row of 64 cells; the first of them may go on with the last one that is there.
bool add_runs(Point first, uint64_t cells, Buffer<FreshRun>* runs) noexcept {
  while (cells) {
    const auto from = static_cast<uint32_t>(std::countr_zero(cells));
    const auto length = static_cast<uint32_t>(std::countr_one(cells >> from));
    const uint32_t x = first.x + from, last = x + length - 1;
    if (!runs->empty() && runs->back().y == first.y && runs->back().last + 1 == x)
      runs->back().last = last;
    else if (!runs->push({first.y, x, last, static_cast<uint32_t>(runs->size()), 0}))
      return false;
    cells &= from + length == 64 ? 0 : ~uint64_t{0} << (from + length);
  }
  return true;
}

template <class T>
bool copy_all(const Buffer<T>& from, Buffer<T>* to) noexcept {
  if (!to->resize(from.size())) return false;
  std::copy(from.begin(), from.end(), to->begin());
  return true;
}

}  // namespace

bool LostMoves::shape(const TileGrid& grid) noexcept {
  words = (4 * grid.tile_cols + 63) / 64;
  rows = 4 * grid.tile_rows;
  const size_t size = size_t{words} * rows;
  return lost.assign(size, 0) && near.assign(size, 0);
}

bool LostMoves::copy(const LostMoves& other) noexcept {
  words = other.words;
  rows = other.rows;
  return copy_all(other.lost, &lost) && copy_all(other.near, &near);
}

void LostMoves::clear() noexcept {
  words = rows = 0;
  lost.clear();
  near.clear();
}

void LostMoves::add_row(Point first, uint64_t cells) noexcept {
  // Four blocks lie side by side; with its first row a block begins anew.
  uint64_t& word = lost[size_t{first.y >> kShift} * words + (first.x >> (kShift + 6))];
  const uint32_t shift = first.x >> kShift & 63;
  if (first.y % kSide == 0) word &= ~(uint64_t{15} << shift);
  for (uint32_t i = 0; i < 4; ++i)
    word |= uint64_t{(cells >> (i << kShift) & 0xffff) != 0} << (shift + i);
}

void LostMoves::spread() noexcept {
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t x = 0; x < words; ++x) {
      uint64_t sum = 0;
      for (uint32_t row = y == 0 ? 0 : y - 1; row < rows && row <= y + 1; ++row) {
        const uint64_t* const w = lost.data() + size_t{row} * words + x;
        sum |= *w | *w << 1 | *w >> 1;
        if (x > 0) sum |= w[-1] >> 63;
        if (x + 1 < words) sum |= w[1] << 63;
      }
      near[size_t{y} * words + x] = sum;
    }
  }
}

void StaleIndex::drop_patches() noexcept {
  for (const StalePatch* patch : patches) drop(patch);
  patches.clear();
  joined.clear();
  rim = portals = wide = 0;
}

void StaleIndex::forget() noexcept {
  drop(index);
  index = nullptr;
  then.release();
  drop_patches();
  lost.clear();
  edited = look_at = 0;
}

bool StaleIndex::share(const StaleIndex& other) noexcept {
  forget();
  if (!other.index) return true;
  if (!patches.reserve(other.patches.size()) || !lost.copy(other.lost) ||
      !copy_all(other.joined, &joined))
    return false;
  for (const StalePatch* patch : other.patches) {
    patch->take();
    if (!patches.push(patch)) return false;
  }
  rim = other.rim;
  portals = other.portals;
  wide = other.wide;
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
    index = adopted;
    index->take();
    then.share(before.tiles);
    look_at = kFirstLook;
    if (!lost.shape(now.map.grid)) return false;
  } else if (!share(other)) {
    return false;
  }
  if (!index) return true;
  if (!find_patches(before, now.layer, dirty)) return false;
  if (worn_out(now.map.grid, 0)) {
    forget();
    return true;
  }
  StaleRoom room;
  const bool same = !adopted && patches.size() == other.patches.size() &&
                    std::equal(patches.begin(), patches.end(), other.patches.begin());
  if (!same && !join(&room)) return false;
  if (edited < look_at || !now.costs.uniform) return true;
  look_at = 2 * edited;
  return look(now, &room);
}

bool StaleIndex::worn_out(const TileGrid& grid, size_t more_rim) const noexcept {
  const auto width = static_cast<size_t>(grid.width), height = static_cast<size_t>(grid.height);
  return (edited * kWorthAsking > uint64_t{width} * height && edited > kFewEdited) ||
         rim + more_rim > kFewRim + (width + height) / kSideToRim;
}

bool StaleIndex::find_patches(const Layer& before, const Layer& now,
                              const Buffer<DirtyTile>& dirty) noexcept {
  // 1. The tiles whose moves may have changed.
  const TileGrid& grid = now.grid;
  const int32_t across = 1 << grid.row_shift;
  Buffer<uint32_t> tiles, again;
  for (const DirtyTile& d : dirty) {
    const LayerTile &was = *before.tiles.at(d.tile), &is = *now.tiles.at(d.tile);
    if (&was == &is) continue;
    const LayerTile& first = *then.at(d.tile);
    for (uint32_t y = d.y0; y <= d.y1; ++y) {
      edited -= count_bits(first.row[y] ^ was.row[y]);
      edited += count_bits(first.row[y] ^ is.row[y]);
    }
    for (int32_t dy = -1; dy <= 1; ++dy) {
      for (int32_t dx = -1; dx <= 1; ++dx) {
        const uint32_t t = d.tile + static_cast<uint32_t>(dx + dy * across);
        if (before.tiles.at(t) != now.tiles.at(t) && !tiles.push(t)) return false;
      }
    }
  }
  if (tiles.empty() || worn_out(grid, 0)) return true;
  const auto sort_tiles = [&] {
    std::sort(tiles.begin(), tiles.end());
    tiles.resize(static_cast<size_t>(std::unique(tiles.begin(), tiles.end()) - tiles.begin()));
  };
  sort_tiles();
  // 2. Patches that touch one of them are found anew, in all their tiles, and so are those that
  // touch these.
  const auto each_tile = [&](const StaleBox& box, auto visit) {
    for (uint32_t y = box.top >> 6; y <= box.bottom >> 6; ++y)
      for (uint32_t x = box.left >> 6; x <= box.right >> 6; ++x)
        if (!visit(grid.tile_index(x, y))) return false;
    return true;
  };
  const auto stays = [&](const StalePatch& patch) {
    return each_tile(patch.cells, [&](uint32_t tile) {
      return !std::binary_search(tiles.begin(), tiles.end(), tile);
    });
  };
  for (bool more = true; more;) {
    // Memory may be short: not after the first of them was dropped.
    again.clear();
    for (const StalePatch* patch : patches)
      if (!stays(*patch) &&
          !each_tile(patch->cells, [&](uint32_t tile) { return again.push(tile); }))
        return false;
    if (!tiles.reserve(tiles.size() + again.size())) return false;
    size_t kept = 0;
    for (const StalePatch* patch : patches) {
      if (stays(*patch)) {
        patches[kept++] = patch;
        continue;
      }
      rim -= patch->rim.size();
      portals -= patch->count();
      drop(patch);
    }
    more = kept < patches.size();
    patches.resize(kept);
    for (const uint32_t tile : again) tiles.push(tile);  // reserved
    sort_tiles();
  }
  // 3. Cells with new moves in runs, row by row, and blocks that lost some.
  Buffer<FreshRun> runs;
  size_t rim_here = 0;
  for (size_t from = 0, to = 0; from < tiles.size(); from = to) {
    const uint32_t tile_row = tiles[from] >> grid.row_shift;
    while (to < tiles.size() && tiles[to] >> grid.row_shift == tile_row) ++to;
    for (uint32_t y = 0; y < 64; ++y) {
      for (size_t i = from; i < to; ++i) {
        const uint32_t tile = tiles[i];
        const LayerTile &was = *then.at(tile), &is = *now.tiles.at(tile);
        const Point first = stale_point(grid, tile << 12 | y << 6);
        if (first.x >= static_cast<uint32_t>(grid.width) ||
            first.y >= static_cast<uint32_t>(grid.height))
          continue;  // outside of the map
        const uint8_t* const old_moves = was.moves + (y << 6);
        const uint8_t* const new_moves = is.moves + (y << 6);
        uint64_t fresh = 0, gone = 0;
        if (&was != &is && std::memcmp(old_moves, new_moves, 64) != 0) {
          for (uint32_t x = 0; x < 64; x += 8) {
            uint64_t o, n;
            std::memcpy(&o, old_moves + x, 8);
            std::memcpy(&n, new_moves + x, 8);
            fresh |= set_bytes(n & ~o) << x;
            gone |= set_bytes(o & ~n) << x;
          }
        }
        lost.add_row(first, gone);
        if (!fresh) continue;
        rim_here += count_bits(fresh & was.row[y]);
        if (!add_runs(first, fresh, &runs)) return false;
      }
    }
  }
  lost.spread();
  // Labels with so many are dropped anyway.
  if (worn_out(grid, rim_here)) {
    rim += rim_here;
    return true;
  }
  // 4. The patches that these make up.
  group_runs(runs);
  PatchMaker maker(index->labels, then, now);
  for (uint32_t i = 0; i < runs.size(); ++i) {
    if (runs[i].group != i) continue;
    const StalePatch* const patch = maker.make(runs.data(), i);
    if (!patch) return false;
    if (!patches.push(patch)) {
      drop(patch);
      return false;
    }
    rim += patch->rim.size();
    portals += patch->count();
  }
  return true;
}

// The shortest ways from portal to portal.
bool StaleIndex::join(StaleRoom* room) noexcept {
  const LabelTables& tables = index->labels;
  wide = (portals + kLanes - 1) / kLanes * kLanes;
  if (!joined.assign(wide * portals, kFar)) return false;
  const auto row = [&](size_t portal) { return joined.data() + wide * portal; };
  // 1. Those of then.
  PortalLengths lengths(tables, room);
  if (!lengths.begin()) return false;
  for (const StalePatch* patch : patches) lengths.want(*patch);
  size_t at = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    const StalePatch& patch = *patches[i];
    const size_t first = at;
    for (uint32_t k = 0; k < patch.count(); ++k, ++at) {
      const Point p = patch.portals[k];
      lengths.from(p);
      size_t to = first;
      for (size_t j = i; j < patches.size(); ++j) {
        const StalePatch& other = *patches[j];
        if (!lengths.measure(other, row(at) + to)) return false;
        for (uint32_t m = 0; m < other.count(); ++m, ++to) {
          const Point q = other.portals[m];
          const uint32_t line = tables.steps.line(p, q);
          uint32_t& length = row(at)[to];
          if (length > line && FreeSteps::line(p, patch.sight[k], q, other.sight[m])) length = line;
          row(to)[at] = length;
        }
      }
    }
  }
  // 2. Arc by arc, those that it shortens, from the distances of its ends before.
  const LabelKernel& kernel = label_kernel();
  Buffer<uint32_t> ends;
  if (!ends.resize(2 * wide)) return false;
  uint32_t *const a = ends.data(), *const b = a + wide;
  size_t first = 0;
  for (const StalePatch* patch : patches) {
    for (const StaleArc& arc : patch->arcs) {
      if (arc.from > arc.to || arc.length >= row(first + arc.from)[first + arc.to]) continue;
      std::copy(row(first + arc.from), row(first + arc.from) + wide, a);
      std::copy(row(first + arc.to), row(first + arc.to) + wide, b);
      for (size_t p = 0; p < portals; ++p) {
        if (a[p] + arc.length < b[p]) kernel.lower(row(p), b, a[p] + arc.length, wide);
        if (b[p] + arc.length < a[p]) kernel.lower(row(p), a, b[p] + arc.length, wide);
      }
    }
    first += patch->count();
  }
  return true;
}

// Questions that follow from the map, between cells that are free now: do the answers save more
// than the questions cost?
bool StaleIndex::look(const WorldView& now, StaleRoom* room) noexcept {
  const TileGrid& grid = now.map.grid;
  Buffer<Cell> cells;
  StaleWay way{&cells};
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
  uint64_t spent = 0, saved = 0;
  for (uint32_t i = 0; i < kMostQuestions; ++i) {
    const CellId start = cell(), goal = cell();
    if (start == kNoCell || goal == kNoCell) break;
    if (now.components.of(start) != now.components.of(goal)) continue;
    const StaleAnswer answer = ask_stale(*this, now, start, goal, room, &way);
    if (answer == StaleAnswer::out_of_memory) return false;
    spent += way.cost();
    if (answer == StaleAnswer::path) saved += way.steps;
    if (i + 1 >= kLeastQuestions && (saved > kClear * spent || spent > kClear * saved)) break;
  }
  if (spent > saved) forget();
  return true;
}

}  // namespace octile
