// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_index.hpp"

#include <algorithm>

#include "index/label_common.hpp"

namespace octile {

namespace {

constexpr size_t kMostStalePortals = 512;
constexpr uint64_t kFirstLook = 8;  // edited cells
// Questions are asked until the answers save so many times what they cost, or the other way round.
constexpr uint32_t kLeastQuestions = 6, kMostQuestions = 32, kClear = 3;
// Where more than one cell of so many is not what it was, and more than a few, searches are as
// fast.
constexpr uint64_t kWorthAsking = 64, kFewEdited = 1024;

Point stale_point(const TileGrid& grid, CellId id) noexcept {
  return {grid.px(id) - 64, grid.py(id) - 64};
}

void widen(StaleBox* box, Point p) noexcept {
  box->left = std::min(box->left, p.x);
  box->right = std::max(box->right, p.x);
  box->top = std::min(box->top, p.y);
  box->bottom = std::max(box->bottom, p.y);
}

// Cells, each once.
class CellSet {
 public:
  // True in *fresh when it is new. False: memory is short.
  bool add(CellId id, bool* fresh) noexcept {
    if (2 * (count_ + 1) > slot_.size() && !grow()) return false;
    CellId* slot = find(id);
    *fresh = *slot == kNoCell;
    count_ += *fresh;
    *slot = id;
    return true;
  }

 private:
  CellId* find(CellId id) noexcept {
    const size_t mask = slot_.size() - 1;
    size_t at = id * size_t{0x9e3779b1} >> 7 & mask;
    while (slot_[at] != kNoCell && slot_[at] != id) at = (at + 1) & mask;
    return &slot_[at];
  }
  bool grow() noexcept {
    Buffer<CellId> old;
    old.swap(slot_);
    if (!slot_.assign(std::max<size_t>(256, 4 * old.size()), kNoCell)) return false;
    for (const CellId id : old)
      if (id != kNoCell) *find(id) = id;
    return true;
  }
  Buffer<CellId> slot_;
  size_t count_ = 0;
};

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

void LostMoves::set(Point block, bool is_lost) noexcept {
  uint64_t& word = lost[size_t{block.y} * words + (block.x >> 6)];
  const uint64_t bit = uint64_t{1} << (block.x & 63);
  word = is_lost ? word | bit : word & ~bit;
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

void StaleIndex::forget() noexcept {
  drop(index);
  index = nullptr;
  then.release();
  patches.clear();
  hubs.clear();
  portals.clear();
  lost.clear();
  edited = look_at = 0;
}

bool StaleIndex::share(const StaleIndex& other) noexcept {
  forget();
  if (!other.index) return true;
  if (!copy_all(other.patches, &patches) || !copy_all(other.hubs, &hubs) ||
      !copy_all(other.portals, &portals) || !lost.copy(other.lost))
    return false;
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
  if (!find_patches(before, now.layer, dirty)) return false;
  if (portals.size() > kMostStalePortals || too_old(now.map.grid)) {
    forget();
    return true;
  }
  if (edited < look_at || !now.costs.uniform) return true;
  look_at = 2 * edited;
  return look(now);
}

bool StaleIndex::too_old(const TileGrid& grid) const noexcept {
  return edited * kWorthAsking > uint64_t(grid.width) * uint64_t(grid.height) &&
         edited > kFewEdited;
}

bool StaleIndex::find_patches(const Layer& before, const Layer& now,
                              const Buffer<DirtyTile>& dirty) noexcept {
  // 1. The tiles whose moves may have changed.
  const TileGrid& grid = now.grid;
  const int32_t across = 1 << grid.row_shift;
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
  if (changed.empty() || too_old(grid)) return true;
  std::sort(changed.begin(), changed.end());
  const auto count =
      static_cast<size_t>(std::unique(changed.begin(), changed.end()) - changed.begin());
  changed.resize(count);

  // 2. Patches that touch none of them stay; what is left of the others lies round their portals,
  // and in these tiles.
  const auto touched = [&](const StaleBox& box) {
    for (uint32_t y = box.top >> 6; y <= box.bottom >> 6; ++y)
      for (uint32_t x = box.left >> 6; x <= box.right >> 6; ++x)
        if (std::binary_search(changed.begin(), changed.end(), grid.tile_index(x, y))) return true;
    return false;
  };
  Buffer<StalePatch> old;
  Buffer<StalePortal> old_portals;
  Buffer<StaleHub> old_hubs;
  old.swap(patches);
  old_portals.swap(portals);
  old_hubs.swap(hubs);
  Buffer<CellId> seeds;
  for (StalePatch patch : old) {
    const bool gone = touched(patch.cells);
    const StalePortal* const from = old_portals.data() + patch.first;
    patch.first = static_cast<uint32_t>(portals.size());
    for (uint32_t i = 0; i < patch.count; ++i) {
      StalePortal portal = from[i];
      const StaleHub* const hub = old_hubs.data() + portal.first;
      portal.first = static_cast<uint32_t>(hubs.size());
      if (gone) {
        if (!seeds.push(grid.id(portal.place.x + 64, portal.place.y + 64))) return false;
        continue;
      }
      if (!portals.push(portal)) return false;
      for (uint32_t k = 0; k < portal.count; ++k)
        if (!hubs.push(hub[k])) return false;
    }
    if (!gone && !patches.push(patch)) return false;
  }
  const auto is_new = [&](CellId id) -> uint32_t {
    return now.moves(id) & ~then.at(id >> 12)->moves[id & (kTileCells - 1)];
  };
  size_t portals_here = 0;
  for (const uint32_t t : changed) {
    const LayerTile &was = *then.at(t), &is = *now.tiles.at(t);
    uint32_t blocks = 0;  // that lost moves
    for (uint32_t cell = 0; &was != &is && cell < kTileCells; cell += 8) {
      uint64_t old_moves, new_moves;
      std::memcpy(&old_moves, was.moves + cell, 8);
      std::memcpy(&new_moves, is.moves + cell, 8);
      if (old_moves & ~new_moves) blocks |= 1u << (4 * (cell >> 10) + (cell >> 4 & 3));
      if (!(new_moves & ~old_moves)) continue;
      for (uint32_t i = cell; i < cell + 8; ++i) {
        if (!(is.moves[i] & ~was.moves[i])) continue;
        if (!seeds.push(t << 12 | i)) return false;
        portals_here += was.row[i >> 6] >> (i & 63) & 1;
      }
    }
    const Point first = stale_point(grid, t << 12);
    if (first.x >= static_cast<uint32_t>(grid.width) ||
        first.y >= static_cast<uint32_t>(grid.height))
      continue;  // outside of the map
    for (uint32_t i = 0; i < 16; ++i)
      lost.set(
          {(first.x >> LostMoves::kShift) + (i & 3), (first.y >> LostMoves::kShift) + (i >> 2)},
          blocks >> i & 1);
  }
  lost.spread();
  // Labels with so many are dropped anyway.
  if (portals.size() + portals_here > kMostStalePortals)
    return portals.resize(kMostStalePortals + 1);

  // 3. Along new moves from these.
  CellSet seen;
  Buffer<CellId> stack;
  Buffer<Point> found;
  Buffer<uint32_t> room;
  for (const CellId seed : seeds) {
    bool fresh = false;
    if (!is_new(seed)) continue;
    if (!seen.add(seed, &fresh)) return false;
    if (!fresh) continue;
    found.clear();
    if (!stack.push(seed)) return false;
    const Point first = stale_point(grid, seed);
    StaleBox box{first.x, first.y, first.x, first.y};
    while (!stack.empty()) {
      const CellId id = stack.back();
      stack.pop();
      const Point p = stale_point(grid, id);
      widen(&box, p);
      if (then.at(id >> 12)->row[id >> 6 & 63] >> (id & 63) & 1 && !found.push(p)) return false;
      const int32_t* const step = now.steps.of(id);
      for (uint32_t moves = is_new(id); moves; moves &= moves - 1) {
        const CellId next = id + static_cast<uint32_t>(step[__builtin_ctz(moves)]);
        if (!seen.add(next, &fresh) || (fresh && !stack.push(next))) return false;
      }
    }
    if (!add_patch(box, &found, &room)) return false;
  }
  return true;
}

bool StaleIndex::add_patch(const StaleBox& cells, Buffer<Point>* found,
                           Buffer<uint32_t>* room) noexcept {
  if (found->size() < 2) return true;  // nobody goes over it
  const LabelTables& tables = index->labels;
  if (!room->resize(tables.room())) return false;
  // In an order that the map alone tells.
  std::sort(found->begin(), found->end(),
            [](Point a, Point b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  const Point first = (*found)[0];
  StalePatch patch{cells,
                   {first.x, first.y, first.x, first.y},
                   static_cast<uint32_t>(portals.size()),
                   static_cast<uint32_t>(found->size())};
  bool fits = true;
  for (const Point p : *found) {
    widen(&patch.box, p);
    const auto begin = static_cast<uint32_t>(hubs.size());
    each_hub(tables, p, room->data(), [&](uint32_t hub, uint32_t length) {
      fits = fits && hubs.push({hub, length});
    });
    fits = fits && portals.push({p, begin, static_cast<uint32_t>(hubs.size()) - begin});
  }
  return fits && patches.push(patch);
}

// Fixed questions, between cells that are free now: do the answers save more than the questions
// cost?
bool StaleIndex::look(const WorldView& now) noexcept {
  const TileGrid& grid = now.map.grid;
  Buffer<uint32_t> reach, to_hub, lengths[2];
  Buffer<Cell> cells;
  StaleRoom room{&reach, &to_hub, {&lengths[0], &lengths[1]}, &cells};
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
    const StaleAnswer answer = ask_stale(*this, now, start, goal, &room);
    if (answer == StaleAnswer::out_of_memory) return false;
    spent += room.cost();
    if (answer == StaleAnswer::path) saved += room.steps;
    if (i + 1 >= kLeastQuestions && (saved > kClear * spent || spent > kClear * saved)) break;
  }
  if (spent > saved) forget();
  return true;
}

}  // namespace octile
