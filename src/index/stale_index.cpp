// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_index.hpp"

#include <algorithm>
#include <bit>

#include "index/label_common.hpp"

namespace octile {

// A row of cells that have new moves, as long as it gets; by x and y of points.
struct FreshRun {
  uint32_t y, first, last;
  uint32_t group;  // a run of the same patch, or itself
  uint32_t next;   // of the same patch; 0: none
};

// What one patch after another is made with.
struct PatchRoom {
  StaleRoom stale;
  Buffer<CellId> all;           // the cells of a small patch
  Buffer<uint32_t> old, over;   // by pair of cells of the rim: then, over the patch
  Buffer<uint32_t> made;        // by cell of the rim
  Buffer<uint8_t> needed;       // the same
  Buffer<FreeSteps> sight;      // then, the same
  Buffer<StaleArc> legs, arcs;  // of a small patch, by pair of cells of the rim; what is needed
};

namespace {

// More cells beside openings than these, and one for so many on the map's sides, take as long as
// searches.
constexpr size_t kFewRim = 128, kSideToRim = 16;
// Ways over patches that are not larger are kept.
constexpr uint32_t kMostLegRim = 16, kMostLegCells = 64;
constexpr uint64_t kFirstLook = 8;  // edited cells
// Questions are asked until the answers save so many times what they cost, or the other way round.
constexpr uint32_t kLeastQuestions = 6, kMostQuestions = 16, kClear = 3;
// Where more than one cell of so many is not what it was, and more than a few, searches are as
// fast.
constexpr uint64_t kWorthAsking = 64, kFewEdited = 256;

Point stale_point(const TileGrid& grid, CellId id) noexcept {
  return {grid.px(id) - 64, grid.py(id) - 64};
}

void widen(StaleBox* box, Point p) noexcept {
  box->left = std::min(box->left, p.x);
  box->right = std::max(box->right, p.x);
  box->top = std::min(box->top, p.y);
  box->bottom = std::max(box->bottom, p.y);
}

uint32_t group_of(Buffer<FreshRun>& runs, uint32_t i) noexcept {
  while (runs[i].group != i) i = runs[i].group = runs[runs[i].group].group;
  return i;
}

// Runs that touch, with corners, become one group; it is named by its first one, and the others
// follow that one in order. They are ordered by y, then by x.
void group_runs(Buffer<FreshRun>& runs) noexcept {
  const auto count = static_cast<uint32_t>(runs.size());
  uint32_t above = 0;  // the first that may touch the next one
  for (uint32_t i = 0; i < count; ++i) {
    const FreshRun& run = runs[i];
    while (runs[above].y + 1 < run.y ||
           (runs[above].y + 1 == run.y && runs[above].last + 1 < run.first))
      ++above;
    for (uint32_t k = above; runs[k].y + 1 == run.y && runs[k].first <= run.last + 1; ++k) {
      const uint32_t a = group_of(runs, k), b = group_of(runs, i);
      runs[std::max(a, b)].group = std::min(a, b);
    }
  }
  for (uint32_t i = count; i-- > 0;) {
    const uint32_t group = group_of(runs, i);
    if (group == i) continue;
    runs[i].next = runs[group].next;
    runs[group].next = i;
  }
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

StaleArc line_of(IndexSteps steps, Point a, Point b) noexcept {
  const uint32_t dx = a.x < b.x ? b.x - a.x : a.x - b.x;
  const uint32_t dy = a.y < b.y ? b.y - a.y : a.y - b.y;
  StaleArc arc{};
  arc.length = steps.line(a, b);
  arc.moves = StaleArc::kLine;
  arc.steps = static_cast<uint16_t>(std::max(dx, dy));
  arc.diagonal = static_cast<uint16_t>(std::min(dx, dy));
  return arc;
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

bool PortalLengths::begin() noexcept {
  const size_t words = tables_.block_words;
  return room_.blocks.assign(2 * words, 0) && room_.lanes.resize(words * 64 * kLanes) &&
         room_.reach.reserve(tables_.room());
}

void PortalLengths::from(Point p) noexcept {
  const size_t words = tables_.block_words;
  uint64_t* const there = room_.blocks.data() + words;
  std::fill(there, there + words, 0);
  label_kernel().reach(tables_, p, room_.reach.data(), room_.blocks.data(), there,
                       room_.lanes.data());
}

bool PortalLengths::measure(const StalePatch& patch, uint32_t* lengths) noexcept {
  const auto blocks = static_cast<uint32_t>(patch.blocks.size());
  if (!room_.common.reserve(blocks)) return false;
  room_.common.clear();
  for (uint32_t i = 0; i < blocks; ++i) {
    const uint32_t b = patch.blocks[i];
    if (there(b >> 6) >> (b & 63) & 1 && !room_.common.push({b, i})) return false;
  }
  label_kernel().nearest(room_.lanes.data(), room_.common.data(),
                         static_cast<uint32_t>(room_.common.size()), patch.rows.data(), blocks,
                         patch.count(), lengths);
  return true;
}

bool PortalLengths::measure_rim(const StalePatch& patch, uint32_t from,
                                uint32_t* lengths) noexcept {
  const auto blocks = static_cast<uint32_t>(patch.blocks.size());
  if (!room_.common.resize(blocks)) return false;
  for (uint32_t i = 0; i < blocks; ++i) room_.common[i] = {i, i};
  const uint32_t* const rows = patch.rows.data();
  label_kernel().nearest(rows + size_t{kLanes} * blocks * from, room_.common.data(), blocks, rows,
                         blocks, static_cast<uint32_t>(patch.rim.size()), lengths);
  return true;
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
    if (adopted->info.kind != IndexKind::tile_labels) return true;
    index = adopted;
    index->take();
    then.share(before.tiles);
    look_at = kFirstLook;
    if (!lost.shape(now.map.grid)) return false;
  } else if (!share(other)) {
    return false;
  }
  if (!index) return true;
  PatchRoom room;
  if (!find_patches(before, now.layer, dirty, &room)) return false;
  if (worn_out(now.map.grid, 0)) {
    forget();
    return true;
  }
  const bool same = !adopted && patches.size() == other.patches.size() &&
                    std::equal(patches.begin(), patches.end(), other.patches.begin());
  if (!same && !join(&room.stale)) return false;
  if (edited < look_at || !now.costs.uniform) return true;
  look_at = 2 * edited;
  return look(now, &room.stale);
}

bool StaleIndex::worn_out(const TileGrid& grid, size_t more_rim) const noexcept {
  const auto width = static_cast<size_t>(grid.width), height = static_cast<size_t>(grid.height);
  return (edited * kWorthAsking > uint64_t{width} * height && edited > kFewEdited) ||
         rim + more_rim > kFewRim + (width + height) / kSideToRim;
}

bool StaleIndex::find_patches(const Layer& before, const Layer& now, const Buffer<DirtyTile>& dirty,
                              PatchRoom* room) noexcept {
  // 1. The tiles whose moves may have changed.
  const TileGrid& grid = now.grid;
  const int32_t across = 1 << grid.row_shift;
  Buffer<uint32_t> tiles, again;
  for (const DirtyTile& d : dirty) {
    const LayerTile &was = *before.tiles.at(d.tile), &is = *now.tiles.at(d.tile);
    if (&was == &is) continue;
    for (uint32_t y = d.y0; y <= d.y1; ++y) edited += count_bits(was.row[y] ^ is.row[y]);
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
  for (bool more = true; more;) {
    size_t kept = 0;
    for (const StalePatch* patch : patches) {
      if (each_tile(patch->cells, [&](uint32_t tile) {
            return !std::binary_search(tiles.begin(), tiles.end(), tile);
          })) {
        patches[kept++] = patch;
        continue;
      }
      if (!each_tile(patch->cells, [&](uint32_t tile) { return again.push(tile); })) return false;
      rim -= patch->rim.size();
      portals -= patch->count();
      drop(patch);
    }
    more = kept < patches.size();
    patches.resize(kept);
    for (const uint32_t tile : again)
      if (!tiles.push(tile)) return false;
    again.clear();
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
        const uint8_t *const old_moves = was.moves + (y << 6), *const new_moves =
                                                                   is.moves + (y << 6);
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
  for (uint32_t i = 0; i < runs.size(); ++i)
    if (runs[i].group == i && !add_patch(now, runs.data(), i, room)) return false;
  return true;
}

// The moves of a cell that it did not have then.
uint32_t StaleIndex::is_new(const Layer& now, CellId id) const noexcept {
  return now.moves(id) & ~then.at(id >> 12)->moves[id & (kTileCells - 1)];
}

// Of the runs from this one on, along `next`.
bool StaleIndex::add_patch(const Layer& now, const FreshRun* runs, uint32_t first,
                           PatchRoom* room) noexcept {
  StalePatch* const patch = new (std::nothrow) StalePatch;
  if (!patch) return false;
  if (!patches.push(patch)) {
    drop(patch);
    return false;
  }
  Buffer<CellId>& all = room->all;
  all.clear();
  size_t cells = 0;
  patch->cells = {runs[first].first, runs[first].y, runs[first].last, runs[first].y};
  for (uint32_t i = first; cells == 0 || i != 0; i = runs[i].next) {
    const FreshRun& run = runs[i];
    widen(&patch->cells, {run.first, run.y});
    widen(&patch->cells, {run.last, run.y});
    cells += run.last - run.first + 1;
    for (uint32_t x = run.first; x <= run.last; ++x) {
      const Point p{x, run.y};
      if (index->labels.sight.passable(p) && !patch->rim.push(p)) return false;
      if (cells <= kMostLegCells && !all.push(now.grid.id(p.x + 64, p.y + 64))) return false;
    }
  }
  if (cells > kMostLegCells) all.clear();
  if (patch->rim.size() < 2) {  // nobody goes over it
    drop(patch);
    patches.pop();
    return true;
  }
  if (!find_rows(patch, &room->stale) || !find_arcs(now, all, patch, room)) return false;
  rim += patch->rim.size();
  portals += patch->count();
  if (patch->count() == 0) return true;
  const Point at = patch->portals[0];
  patch->box = {at.x, at.y, at.x, at.y};
  for (const Point p : patch->portals) widen(&patch->box, p);
  return true;
}

// The hubs of the rim: which blocks have any, then the rows.
bool StaleIndex::find_rows(StalePatch* patch, StaleRoom* room) const noexcept {
  const LabelTables& tables = index->labels;
  PortalLengths lengths(tables, room);
  Buffer<uint64_t> used;
  if (!lengths.begin() || !used.assign(tables.block_words, 0)) return false;
  lengths.want_all();
  for (const Point p : patch->rim) {
    lengths.from(p);
    for (uint32_t w = 0; w < tables.block_words; ++w) {
      for (uint64_t bits = lengths.there(w) & ~used[w]; bits; bits &= bits - 1) {
        const auto bit = static_cast<uint32_t>(__builtin_ctzll(bits));
        const uint32_t* const lane = lengths.lanes(w << 6 | bit);
        if (*std::min_element(lane, lane + kLanes) != kFar) used[w] |= uint64_t{1} << bit;
      }
    }
  }
  for (uint32_t w = 0; w < tables.block_words; ++w)
    for (uint64_t bits = used[w]; bits; bits &= bits - 1)
      if (!patch->blocks.push(w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits)))) return false;
  if (!patch->rows.assign(patch->rim.size() * patch->blocks.size() * kLanes, kFar)) return false;
  uint32_t* row = patch->rows.data();
  for (const Point p : patch->rim) {
    lengths.from(p);
    for (const uint32_t b : patch->blocks) {
      if (lengths.there(b >> 6) >> (b & 63) & 1)
        std::copy(lengths.lanes(b), lengths.lanes(b) + kLanes, row);
      row += kLanes;
    }
  }
  return true;
}

// What is left of a patch whose rim has rows: portals, their arcs and rows.
bool StaleIndex::find_arcs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                           PatchRoom* room) const noexcept {
  const LabelTables& tables = index->labels;
  const Buffer<Point>& cells = patch->rim;
  const auto count = static_cast<uint32_t>(cells.size());
  const size_t wide_rim = (count + kLanes - 1) / kLanes * kLanes;
  // 1. From cell to cell of the rim: ways of then, and those over the patch that are shorter.
  Buffer<uint32_t>&old = room->old, &over = room->over, &made = room->made;
  if (!old.assign(wide_rim * count, kFar) || !over.assign(wide_rim * count, kFar) ||
      !made.resize(wide_rim) || !room->needed.assign(count, 0))
    return false;
  Buffer<FreeSteps>& sight = room->sight;
  if (!sight.resize(count)) return false;
  for (uint32_t p = 0; p < count; ++p) sight[p] = FreeSteps(tables.sight, cells[p]);
  PortalLengths lengths(tables, &room->stale);
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t* const row = old.data() + wide_rim * p;
    if (!lengths.measure_rim(*patch, p, row)) return false;
    for (uint32_t q = 0; q < count; ++q) {
      const uint32_t line = tables.steps.line(cells[p], cells[q]);
      if (row[q] > line && FreeSteps::line(cells[p], sight[p], cells[q], sight[q])) row[q] = line;
    }
  }
  const bool small = !all.empty() && count <= kMostLegRim;
  if (small && !find_legs(now, all, patch, room)) return false;
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t *const to = over.data() + wide_rim * p, *const before = old.data() + wide_rim * p;
    for (uint32_t q = 0; q < count; ++q) {
      const uint32_t length =
          small ? room->legs[p * count + q].length : tables.steps.line(cells[p], cells[q]);
      to[q] = length < before[q] ? length : kFar;
    }
    before[p] = to[p] = kFar;
  }
  // 2. Of these the ones that no shorter ones make up, with ways of then before or after them.
  const LabelKernel& kernel = label_kernel();
  Buffer<StaleArc>& arcs = room->arcs;
  arcs.clear();
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t *const to = over.data() + wide_rim * p, *const before =
                                                               old.data() + wide_rim * p;
    uint32_t longest = 0;
    for (uint32_t q = 0; q < count; ++q)
      if (to[q] != kFar) longest = std::max(longest, to[q]);
    if (longest == 0) continue;
    std::fill(made.begin(), made.end(), kFar);
    for (uint32_t m = 0; m < count; ++m) {
      const uint32_t least = std::min(to[m], before[m]);
      if (least < longest) kernel.lower(made.data(), over.data() + wide_rim * m, least, wide_rim);
      if (to[m] < longest) kernel.lower(made.data(), old.data() + wide_rim * m, to[m], wide_rim);
    }
    for (uint32_t q = 0; q < count; ++q) {
      if (to[q] == kFar || made[q] <= to[q]) continue;
      StaleArc arc = small ? room->legs[p * count + q] : line_of(tables.steps, cells[p], cells[q]);
      arc.from = p;
      arc.to = q;
      room->needed[p] = room->needed[q] = 1;
      if (!arcs.push(arc)) return false;
    }
  }
  // 3. What is left.
  const size_t row = kLanes * patch->blocks.size();
  uint32_t* const rows = patch->rows.data();
  for (uint32_t p = 0; p < count; ++p) {
    made[p] = patch->count();  // its number among portals
    if (!room->needed[p]) continue;
    std::copy(rows + row * p, rows + row * (p + 1), rows + row * patch->count());
    if (!patch->portals.push(cells[p]) || !patch->sight.push(sight[p])) return false;
  }
  for (StaleArc& arc : arcs) {
    arc.from = made[arc.from];
    arc.to = made[arc.to];
  }
  return copy_all(arcs, &patch->arcs) && patch->rows.resize(row * patch->count());
}

// The ways from cell to cell of the rim of a small patch along new moves alone.
bool StaleIndex::find_legs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                           PatchRoom* room) const noexcept {
  const LabelTables& tables = index->labels;
  const auto cells = static_cast<uint32_t>(all.size());
  const auto count = static_cast<uint32_t>(patch->rim.size());
  // 1. The cells, and where new moves lead from each.
  constexpr uint8_t kNowhere = 0xff;
  static_assert(kMostLegCells < kNowhere);
  uint8_t next[kMostLegCells][8], place[kMostLegRim];
  for (uint32_t i = 0; i < cells; ++i) {
    const int32_t* const step = now.steps.of(all[i]);
    const uint32_t moves = is_new(now, all[i]);
    for (uint32_t d = 0; d < 8; ++d) {
      next[i][d] = kNowhere;
      const CellId to = all[i] + static_cast<uint32_t>(step[d]);
      for (uint32_t k = 0; moves >> d & 1 && k < cells; ++k)
        if (all[k] == to) next[i][d] = static_cast<uint8_t>(k);
    }
    const Point p = stale_point(now.grid, all[i]);
    for (uint32_t k = 0; k < count; ++k)
      if (patch->rim[k] == p) place[k] = static_cast<uint8_t>(i);
  }
  // 2. From each of the rim.
  uint32_t length[kMostLegCells];
  uint8_t by[kMostLegCells];  // the last move to it
  uint8_t from[kMostLegCells];
  room->legs.clear();
  for (uint32_t p = 0; p < count; ++p) {
    uint64_t open = uint64_t{1} << place[p], done = 0;
    std::fill(length, length + cells, kFar);
    length[place[p]] = 0;
    while (open & ~done) {
      uint32_t at = kMostLegCells;
      for (uint64_t bits = open & ~done; bits; bits &= bits - 1) {
        const auto i = static_cast<uint32_t>(std::countr_zero(bits));
        if (at == kMostLegCells || length[i] < length[at]) at = i;
      }
      done |= uint64_t{1} << at;
      for (uint32_t d = 0; d < 8; ++d) {
        const uint32_t to = next[at][d];
        if (to == kNowhere) continue;
        const uint32_t sum = length[at] + (d & 1 ? tables.steps.diagonal : tables.steps.straight);
        if (sum >= length[to]) continue;
        length[to] = sum;
        by[to] = static_cast<uint8_t>(d);
        from[to] = static_cast<uint8_t>(at);
        open |= uint64_t{1} << to;
      }
    }
    for (uint32_t q = 0; q < count; ++q) {
      StaleArc leg{};
      leg.length = length[place[q]];
      leg.moves = static_cast<uint32_t>(patch->moves.size());
      for (uint32_t i = place[q]; leg.length != kFar && i != place[p]; i = from[i]) {
        if (!patch->moves.push(by[i])) return false;
        ++leg.steps;
        leg.diagonal = static_cast<uint16_t>(leg.diagonal + (by[i] & 1));
      }
      std::reverse(patch->moves.begin() + leg.moves, patch->moves.end());
      if (!room->legs.push(leg)) return false;
    }
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

// Fixed questions, between cells that are free now: do the answers save more than the questions
// cost?
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
