// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_index.hpp"

#include <algorithm>

#include "index/label_common.hpp"

namespace octile {

namespace {

constexpr size_t kMostStalePortals = 512;
// Ways over patches that are not larger are kept.
constexpr uint32_t kMostLegPortals = 16, kMostLegCells = 64;
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

void StaleIndex::drop_patches() noexcept {
  for (const StalePatch* patch : patches) drop(patch);
  patches.clear();
  portals = 0;
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
  if (!patches.reserve(other.patches.size()) || !lost.copy(other.lost)) return false;
  for (const StalePatch* patch : other.patches) {
    patch->take();
    if (!patches.push(patch)) return false;
  }
  portals = other.portals;
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
  if (portals > kMostStalePortals || too_old(now.map.grid)) {
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
  Buffer<CellId> seeds;
  for (const StalePatch* patch : patches) {
    if (!touched(patch->cells)) continue;
    for (const Point p : patch->portals)
      if (!seeds.push(grid.id(p.x + 64, p.y + 64))) return false;
  }
  size_t kept = 0;
  for (const StalePatch* patch : patches) {
    if (!touched(patch->cells)) {
      patches[kept++] = patch;
    } else {
      portals -= patch->count();
      drop(patch);
    }
  }
  patches.resize(kept);
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
  if (portals + portals_here > kMostStalePortals) {
    portals += portals_here;
    return true;
  }

  // 3. Along new moves from these.
  CellSet seen;
  Buffer<CellId> stack;
  Buffer<CellId> all;
  StaleRoom room;
  for (const CellId seed : seeds) {
    bool fresh = false;
    if (!is_new(now, seed)) continue;
    if (!seen.add(seed, &fresh)) return false;
    if (!fresh) continue;
    all.clear();
    if (!stack.push(seed)) return false;
    const Point first = stale_point(grid, seed);
    StaleBox box{first.x, first.y, first.x, first.y};
    while (!stack.empty()) {
      const CellId id = stack.back();
      stack.pop();
      widen(&box, stale_point(grid, id));
      if (!all.push(id)) return false;
      const int32_t* const step = now.steps.of(id);
      for (uint32_t moves = is_new(now, id); moves; moves &= moves - 1) {
        const CellId next = id + static_cast<uint32_t>(step[__builtin_ctz(moves)]);
        if (!seen.add(next, &fresh) || (fresh && !stack.push(next))) return false;
      }
    }
    if (!add_patch(now, box, all, &room)) return false;
  }
  return true;
}

// The moves of a cell that it did not have then.
uint32_t StaleIndex::is_new(const Layer& now, CellId id) const noexcept {
  return now.moves(id) & ~then.at(id >> 12)->moves[id & (kTileCells - 1)];
}

bool StaleIndex::add_patch(const Layer& now, const StaleBox& cells, const Buffer<CellId>& all,
                           StaleRoom* room) noexcept {
  StalePatch* const patch = new (std::nothrow) StalePatch;
  if (!patch) return false;
  if (!patches.push(patch)) {
    drop(patch);
    return false;
  }
  // 1. The portals, in an order that the map alone tells.
  for (const CellId id : all)
    if (then.at(id >> 12)->row[id >> 6 & 63] >> (id & 63) & 1 &&
        !patch->portals.push(stale_point(now.grid, id)))
      return false;
  const uint32_t count = patch->count();
  if (count < 2) {  // nobody goes over it
    drop(patch);
    patches.pop();
    return true;
  }
  std::sort(patch->portals.begin(), patch->portals.end(),
            [](Point a, Point b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  portals += count;
  patch->cells = cells;
  const Point first = patch->portals[0];
  patch->box = {first.x, first.y, first.x, first.y};
  // 2. Their hubs: which blocks have any, then the rows.
  const LabelTables& tables = index->labels;
  PortalLengths lengths(tables, room);
  Buffer<uint64_t> used;
  if (!lengths.begin() || !used.assign(tables.block_words, 0)) return false;
  lengths.want_all();
  for (const Point p : patch->portals) {
    widen(&patch->box, p);
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
  if (!patch->rows.assign(size_t{count} * patch->blocks.size() * kLanes, kFar)) return false;
  uint32_t* row = patch->rows.data();
  for (const Point p : patch->portals) {
    lengths.from(p);
    for (const uint32_t b : patch->blocks) {
      if (lengths.there(b >> 6) >> (b & 63) & 1)
        std::copy(lengths.lanes(b), lengths.lanes(b) + kLanes, row);
      row += kLanes;
    }
  }
  return add_legs(now, all, patch, room);
}

// The ways between the portals of a small patch.
bool StaleIndex::add_legs(const Layer& now, const Buffer<CellId>& all, StalePatch* patch,
                          StaleRoom* room) const noexcept {
  const auto cells = static_cast<uint32_t>(all.size());
  const uint32_t count = patch->count();
  if (count > kMostLegPortals || cells > kMostLegCells) return true;
  const LabelTables& tables = index->labels;
  // 1. The cells, and where new moves lead from each.
  constexpr uint8_t kNowhere = 0xff;
  static_assert(kMostLegCells < kNowhere);
  uint8_t next[kMostLegCells][8], portal[kMostLegPortals];
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
      if (patch->portals[k] == p) portal[k] = static_cast<uint8_t>(i);
  }
  // 2. Along new moves alone, from each portal.
  if (!patch->legs.resize(size_t{count} * count)) return false;
  uint32_t length[kMostLegCells];
  uint8_t by[kMostLegCells];  // the last move to it
  uint8_t from[kMostLegCells];
  for (uint32_t p = 0; p < count; ++p) {
    uint64_t open = uint64_t{1} << portal[p], done = 0;
    std::fill(length, length + cells, kFar);
    length[portal[p]] = 0;
    while (open & ~done) {
      uint32_t at = kMostLegCells;
      for (uint64_t bits = open & ~done; bits; bits &= bits - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctzll(bits));
        if (at == kMostLegCells || length[i] < length[at]) at = i;
      }
      done |= uint64_t{1} << at;
      for (uint32_t d = 0; d < 8; ++d) {
        const uint32_t to = next[at][d];
        const uint32_t sum = length[at] + (d & 1 ? tables.steps.diagonal : tables.steps.straight);
        if (to == kNowhere || sum >= length[to]) continue;
        length[to] = sum;
        by[to] = static_cast<uint8_t>(d);
        from[to] = static_cast<uint8_t>(at);
        open |= uint64_t{1} << to;
      }
    }
    for (uint32_t q = 0; q < count; ++q) {
      StaleLeg leg{length[portal[q]], StaleLeg::kMixed, 0, 0};
      if (leg.length != kFar) {
        leg.first = static_cast<uint32_t>(patch->moves.size());
        for (uint32_t i = portal[q]; i != portal[p]; i = from[i]) {
          if (!patch->moves.push(by[i])) return false;
          ++leg.steps;
          leg.diagonal = static_cast<uint16_t>(leg.diagonal + (by[i] & 1));
        }
        std::reverse(patch->moves.begin() + leg.first, patch->moves.end());
      }
      patch->legs[size_t{p} * count + q] = leg;
    }
  }
  // 3. With old moves between the new ones: bounds, since some of these may be gone.
  PortalLengths lengths(tables, room);
  Buffer<uint32_t>& old = room->lengths[0];
  if (!lengths.begin() || !old.resize(count)) return false;
  lengths.want(*patch);
  const auto shorten = [&](uint32_t p, uint32_t q, uint32_t sum) {
    StaleLeg& leg = patch->legs[size_t{p} * count + q];
    if (sum < leg.length) leg = {sum, StaleLeg::kMixed, 0, 0};
  };
  for (uint32_t p = 0; p < count; ++p) {
    lengths.from(patch->portals[p]);
    if (!lengths.measure(*patch, old.data())) return false;
    for (uint32_t q = 0; q < count; ++q) {
      const Point a = patch->portals[p], b = patch->portals[q];
      const uint32_t line = tables.steps.line(a, b);
      shorten(p, q, old[q] > line && tables.sight.line_free(a, b) ? line : old[q]);
    }
  }
  for (uint32_t k = 0; k < count; ++k)
    for (uint32_t p = 0; p < count; ++p)
      for (uint32_t q = 0; q < count; ++q) {
        const uint32_t in = patch->leg(p, k).length, out = patch->leg(k, q).length;
        if (in != kFar && out != kFar) shorten(p, q, in + out);
      }
  return true;
}

// Fixed questions, between cells that are free now: do the answers save more than the questions
// cost?
bool StaleIndex::look(const WorldView& now) noexcept {
  const TileGrid& grid = now.map.grid;
  StaleRoom room;
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
    const StaleAnswer answer = ask_stale(*this, now, start, goal, &room, &way);
    if (answer == StaleAnswer::out_of_memory) return false;
    spent += way.cost();
    if (answer == StaleAnswer::path) saved += way.steps;
    if (i + 1 >= kLeastQuestions && (saved > kClear * spent || spent > kClear * saved)) break;
  }
  if (spent > saved) forget();
  return true;
}

}  // namespace octile
