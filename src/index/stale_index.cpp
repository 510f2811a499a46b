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
constexpr uint32_t kLeastQuestions = 12, kMostQuestions = 24, kClear = 3;
// A gate is looked for where so many questions are cut, so many cells apart at most.
constexpr uint32_t kFewCuts = 2, kSamePlace = 24;
// It may take what it saves within so many queries; all of them, one part in so many of what is
// saved without them.
constexpr uint64_t kFewQueries = 100, kSpare = 4;
// A search for a way takes as long as so many of its steps for each of its turns at most: where
// ground is wide, jump points lie far from each other.
constexpr uint32_t kStepsATurn = 12;
// What each portal takes when a gate is linked with it, in steps.
constexpr uint64_t kLinkSteps = 20;
// Where more than one cell of so many is not what it was, and more than a few, searches are as
// fast.
constexpr uint64_t kWorthAsking = 64, kFewEdited = 256;
// On maps whose sides are together below this, searches are as fast anyway.
constexpr size_t kSmall = 180;

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

// Questions that follow from the map, between cells that are free now, and gates where many of
// their ways are cut at the same place.
class StaleLook {
 public:
  StaleLook(StaleIndex* stale, const WorldView& now, StaleRoom* room) noexcept
      : stale_(*stale), now_(now), room_(*room), random_(stale->edited) {}

  // These two: false when memory is short.
  bool ask_all() noexcept;
  bool find_gates() noexcept;
  bool pays() const noexcept { return saved_ >= spent_; }

 private:
  struct Question {
    CellId start, goal;
    uint32_t steps, cuts;  // of the way then: what a search would take, and how often it is cut
    bool answered;
  };
  // Where a way is cut.
  struct Place {
    StaleCut cut;
    uint32_t question;
    bool done;
  };

  CellId cell() noexcept;
  StaleAnswer ask(const Question& q) noexcept;
  uint32_t search_steps() const noexcept;
  static bool together(const StaleCut& a, const StaleCut& b) noexcept;
  const Place* best_place(uint64_t* steps) const noexcept;
  bool link(StaleGate* gate) noexcept;
  bool link(const StaleGate& to, uint32_t number, StaleGate* from) noexcept;
  bool add(StaleGate* gate) noexcept;
  bool ask_again(const StaleCut& at, bool found, bool* useful) noexcept;

  StaleIndex& stale_;
  const WorldView& now_;
  StaleRoom& room_;
  uint64_t random_;
  Buffer<Cell> cells_;
  StaleWay way_{&cells_};
  uint64_t spent_ = 0, saved_ = 0;
  Question cut_[kMostQuestions];
  Place place_[2 * kMostQuestions];
  uint32_t asked_ = 0, cuts_ = 0, places_ = 0;
  StaleGate* made_[StaleGate::kMost];
};

// One that is free now, or kNoCell.
CellId StaleLook::cell() noexcept {
  const TileGrid& grid = now_.map.grid;
  const auto some = [&](int32_t below) {
    random_ = random_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<uint32_t>((random_ >> 32) * static_cast<uint32_t>(below) >> 32);
  };
  for (int i = 0; i < 64; ++i) {
    const uint32_t x = 64 + some(grid.width), y = 64 + some(grid.height);
    if (now_.layer.passable(grid.id(x, y))) return grid.id(x, y);
  }
  return kNoCell;
}

StaleAnswer StaleLook::ask(const Question& q) noexcept {
  const StaleAnswer answer = ask_stale(stale_, now_, q.start, q.goal, &room_, &way_);
  spent_ += way_.cost();
  if (answer == StaleAnswer::path) saved_ += way_.steps;
  return answer;
}

// What a search for a way like the one that is told would take, in steps.
uint32_t StaleLook::search_steps() const noexcept {
  const Cell* const cells = way_.cells->data() + kSpareCells;
  uint32_t turns = 1;
  for (uint32_t i = 2; i <= way_.steps; ++i) {
    const Cell a = cells[i - 2], b = cells[i - 1], c = cells[i];
    turns += (b.x - a.x != c.x - b.x) | (b.y - a.y != c.y - b.y);
  }
  return std::min(way_.steps, kStepsATurn * turns);
}

bool StaleLook::ask_all() noexcept {
  for (uint32_t i = 0; i < kMostQuestions; ++i) {
    const CellId start = cell(), goal = cell();
    Question q{start, goal, 0, 0, false};
    if (q.start == kNoCell || q.goal == kNoCell) break;
    if (now_.components.of(q.start) != now_.components.of(q.goal)) continue;
    const StaleAnswer answer = ask(q);
    ++asked_;
    if (answer == StaleAnswer::out_of_memory) return false;
    if (way_.cut) {
      StaleCut where[2];
      q.cuts = find_cuts(now_, way_, where);
      q.steps = search_steps();
      for (uint32_t k = 0; k < std::min(q.cuts, 2u); ++k)
        place_[places_++] = {where[k], cuts_, false};
      cut_[cuts_++] = q;
    }
    if (i + 1 >= kLeastQuestions && cuts_ == 0 &&
        (saved_ > kClear * spent_ || spent_ > kClear * saved_))
      break;
  }
  return true;
}

bool StaleLook::together(const StaleCut& a, const StaleCut& b) noexcept {
  const auto near = [](Point p, Point q) {
    return gap(p.x, q.x) <= kSamePlace && gap(p.y, q.y) <= kSamePlace;
  };
  return (near(a.before, b.before) && near(a.behind, b.behind)) ||
         (near(a.before, b.behind) && near(a.behind, b.before));
}

// Where most ways are cut that nothing answers, if they are not few, and what is to be saved.
const StaleLook::Place* StaleLook::best_place(uint64_t* steps) const noexcept {
  const Place* best = nullptr;
  uint32_t most = kFewCuts - 1;
  for (uint32_t i = 0; i < places_; ++i) {
    uint32_t count = 0;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < places_; ++k) {
      const Question& q = cut_[place_[k].question];
      if (place_[k].done || q.answered || !together(place_[i].cut, place_[k].cut)) continue;
      ++count;
      sum += q.steps / q.cuts;
    }
    if (place_[i].done || count <= most) continue;
    most = count;
    *steps = sum;
    best = place_ + i;
  }
  return best;
}

// How far it is then from all portals to the cells of a gate.
bool StaleLook::link(StaleGate* gate) noexcept {
  PortalLengths lengths(stale_.index->labels, &room_);
  if (!lengths.begin()) return false;
  for (uint32_t k = 0; k < 2; ++k) {
    lengths.want(gate->ends[k]);
    if (!gate->ways[k].assign(gate->apart[k] * stale_.portals, kFar)) return false;
  }
  size_t row = 0;
  for (const StalePatch* patch : stale_.patches) {
    for (uint32_t i = 0; i < patch->count(); ++i, ++row) {
      lengths.from(patch->portals[i]);
      for (uint32_t k = 0; k < 2; ++k)
        if (!lengths.measure(gate->ends[k], patch->portals[i], patch->sight[i],
                             gate->ways[k].data() + gate->apart[k] * row))
          return false;
    }
  }
  return true;
}

// How far it is from the cells of one gate to those of another one, over old moves and new ones.
bool StaleLook::link(const StaleGate& to, uint32_t number, StaleGate* from) noexcept {
  PortalLengths lengths(stale_.index->labels, &room_);
  Buffer<uint32_t> over;  // by portal
  if (!lengths.begin()) return false;
  for (const PortalSet& end : to.ends) lengths.want(end);
  const LabelKernel& kernel = label_kernel();
  for (uint32_t k = 0; k < 2; ++k) {
    const PortalSet& end = from->ends[k];
    for (uint32_t m = 0; m < 2; ++m)
      if (!from->to_gate[number][k][m].assign(to.apart[m] * end.count(), kFar)) return false;
    for (uint32_t i = 0; i < end.count(); ++i) {
      lengths.from(end.portals[i]);
      if (!over.assign(stale_.wide, kFar)) return false;
      for (size_t p = 0; p < stale_.portals; ++p)
        kernel.lower(over.data(), stale_.from(p), from->from_portal(k, p)[i], stale_.wide);
      for (uint32_t m = 0; m < 2; ++m) {
        uint32_t* const row = from->to_gate[number][k][m].data() + to.apart[m] * i;
        if (!lengths.measure(to.ends[m], end.portals[i], end.sight[i], row)) return false;
        for (size_t p = 0; p < stale_.portals; ++p)
          kernel.lower(row, to.from_portal(m, p), over[p], to.apart[m]);
      }
    }
  }
  return true;
}

// It belongs to the index from now on, or is gone.
bool StaleLook::add(StaleGate* gate) noexcept {
  const auto number = static_cast<uint32_t>(stale_.gates.size());
  bool enough = link(gate);
  for (uint32_t i = 0; enough && i < number; ++i)
    enough = link(*made_[i], i, gate) && link(*gate, number, made_[i]);
  if (!enough || !stale_.gates.push(gate)) {
    drop(gate);
    return false;
  }
  made_[number] = gate;
  return true;
}

// The questions whose ways are cut there, where a gate was found. Useful: of those that are cut
// nowhere else half are answered.
bool StaleLook::ask_again(const StaleCut& at, bool found, bool* useful) noexcept {
  uint32_t answered = 0, once = 0;
  for (uint32_t k = 0; k < places_; ++k) {
    Question& q = cut_[place_[k].question];
    if (place_[k].done || !together(at, place_[k].cut)) continue;
    place_[k].done = true;
    if (q.answered || !found) continue;
    const StaleAnswer answer = ask(q);
    if (answer == StaleAnswer::out_of_memory) return false;
    q.answered = answer == StaleAnswer::path;
    answered += q.answered;
    once += q.cuts == 1;
  }
  *useful = 2 * answered >= once;
  return true;
}

bool StaleLook::find_gates() noexcept {
  if (cuts_ < kFewCuts) return true;
  GateMaker maker(stale_.index->labels, stale_.then, now_.layer, &room_);
  const uint64_t cost = maker.cost() + kLinkSteps * stale_.portals;
  uint64_t spare = pays() ? kFewQueries * (saved_ - spent_) / asked_ / kSpare : 0, steps = 0;
  for (bool useful = true; useful && stale_.gates.size() < StaleGate::kMost;) {
    const Place* const place = best_place(&steps);
    const uint64_t gain = kFewQueries * steps / asked_;
    if (!place || cost > gain + spare) break;
    const StaleCut at = place->cut;
    StaleGate* gate;
    if (!maker.make(at.before, at.behind, gain + spare - cost, &gate)) return false;
    const uint64_t took = cost + (gate ? GateMaker::zone_cost(*gate) : 0);
    spare -= took > gain ? took - gain : 0;
    if ((gate && !add(gate)) || !ask_again(at, gate != nullptr, &useful)) return false;
    if (useful) continue;
    // Nor are others, then.
    drop(gate);
    stale_.gates.pop();
  }
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

void StaleIndex::drop_gates() noexcept {
  for (const StaleGate* gate : gates) drop(gate);
  gates.clear();
}

void StaleIndex::forget() noexcept {
  drop(index);
  index = nullptr;
  then.release();
  drop_patches();
  drop_gates();
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
    if (!patches.push(patch)) return false;
    patch->take();
  }
  for (const StaleGate* gate : other.gates) {
    if (!gates.push(gate)) return false;
    gate->take();
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
  if (!same) {
    drop_gates();  // they are linked with other patches
    if (!join(&room)) return false;
  }
  if (edited < look_at || !now.costs.uniform) return true;
  look_at = 2 * edited;
  return look(now, &room);
}

bool StaleIndex::worn_out(const TileGrid& grid, size_t more_rim) const noexcept {
  const auto width = static_cast<size_t>(grid.width), height = static_cast<size_t>(grid.height);
  return (width + height < kSmall && edited >= kFirstLook) ||
         (edited * kWorthAsking > uint64_t{width} * height && edited > kFewEdited) ||
         rim + more_rim > kFewRim + (width + height) / kSideToRim;
}

bool StaleIndex::find_patches(const Layer& before, const Layer& now,
                              const Buffer<DirtyTile>& dirty) noexcept {
  // 1. The tiles whose moves may have changed.
  const TileGrid& grid = now.grid;
  const int32_t across = 1 << grid.row_shift;
  Buffer<uint32_t> tiles, again;
  uint64_t opened = 0;
  for (const DirtyTile& d : dirty) {
    const LayerTile &was = *before.tiles.at(d.tile), &is = *now.tiles.at(d.tile);
    if (&was == &is) continue;
    const LayerTile& first = *then.at(d.tile);
    for (uint32_t y = d.y0; y <= d.y1; ++y) {
      edited -= count_bits(first.row[y] ^ was.row[y]);
      edited += count_bits(first.row[y] ^ is.row[y]);
      opened |= first.row[y] & ~was.row[y] & is.row[y];
    }
    for (int32_t dy = -1; dy <= 1; ++dy) {
      for (int32_t dx = -1; dx <= 1; ++dx) {
        const uint32_t t = d.tile + static_cast<uint32_t>(dx + dy * across);
        if (before.tiles.at(t) != now.tiles.at(t) && !tiles.push(t)) return false;
      }
    }
  }
  // Ways that were not there when they were found.
  if (opened) drop_gates();
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
  wide = whole_lanes(portals);
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
        if (!lengths.measure(other, p, patch.sight[k], row(at) + to)) return false;
        for (uint32_t m = 0; m < other.count(); ++m, ++to) row(to)[at] = row(at)[to];
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

// Do the answers to some questions save more than these cost?
bool StaleIndex::look(const WorldView& now, StaleRoom* room) noexcept {
  drop_gates();
  StaleLook look(this, now, room);
  if (!look.ask_all() || !look.find_gates()) return false;
  if (!look.pays()) forget();
  return true;
}

}  // namespace octile
