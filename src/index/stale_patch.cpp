// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_patch.hpp"

#include <algorithm>
#include <bit>

#include "index/label_common.hpp"

namespace octile {

namespace {

// Ways over patches that are not larger are kept.
constexpr uint32_t kMostLegRim = 16, kMostLegCells = 64;

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

}  // namespace

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

bool PortalLengths::measure(const PortalSet& set, uint32_t* lengths) noexcept {
  const auto blocks = static_cast<uint32_t>(set.blocks.size());
  if (!room_.common.reserve(blocks)) return false;
  room_.common.clear();
  for (uint32_t i = 0; i < blocks; ++i) {
    const uint32_t b = set.blocks[i];
    if (there(b >> 6) >> (b & 63) & 1 && !room_.common.push({b, i})) return false;
  }
  label_kernel().nearest(room_.lanes.data(), room_.common.data(),
                         static_cast<uint32_t>(room_.common.size()), set.rows.data(), blocks,
                         set.count(), lengths);
  return true;
}

bool PortalLengths::measure(const PortalSet& set, Point p, const FreeSteps& sight,
                            uint32_t* lengths) noexcept {
  if (!measure(set, lengths)) return false;
  for (uint32_t k = 0; k < set.count(); ++k) {
    const Point q = set.portals[k];
    const uint32_t line = tables_.steps.line(p, q);
    if (lengths[k] > line && FreeSteps::line(p, sight, q, set.sight[k])) lengths[k] = line;
  }
  return true;
}

bool PortalLengths::measure_rows(const PortalSet& set, uint32_t count, uint32_t from,
                                 uint32_t* lengths) noexcept {
  const auto blocks = static_cast<uint32_t>(set.blocks.size());
  if (!room_.common.resize(blocks)) return false;
  for (uint32_t i = 0; i < blocks; ++i) room_.common[i] = {i, i};
  const uint32_t* const rows = set.rows.data();
  label_kernel().nearest(rows + size_t{kLanes} * blocks * from, room_.common.data(), blocks, rows,
                         blocks, count, lengths);
  return true;
}

// Which blocks have any, then the rows.
bool PortalLengths::find_rows(const Buffer<Point>& portals, PortalSet* set) noexcept {
  Buffer<uint64_t> used;
  if (!begin() || !used.assign(tables_.block_words, 0)) return false;
  want_all();
  for (const Point p : portals) {
    from(p);
    for (uint32_t w = 0; w < tables_.block_words; ++w) {
      for (uint64_t bits = there(w) & ~used[w]; bits; bits &= bits - 1) {
        const auto bit = static_cast<uint32_t>(__builtin_ctzll(bits));
        const uint32_t* const lane = lanes(w << 6 | bit);
        if (*std::min_element(lane, lane + kLanes) != kFar) used[w] |= uint64_t{1} << bit;
      }
    }
  }
  for (uint32_t w = 0; w < tables_.block_words; ++w)
    for (uint64_t bits = used[w]; bits; bits &= bits - 1)
      if (!set->blocks.push(w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits)))) return false;
  if (!set->rows.assign(portals.size() * set->blocks.size() * kLanes, kFar)) return false;
  uint32_t* row = set->rows.data();
  for (const Point p : portals) {
    from(p);
    for (const uint32_t b : set->blocks) {
      if (there(b >> 6) >> (b & 63) & 1) std::copy(lanes(b), lanes(b) + kLanes, row);
      row += kLanes;
    }
  }
  return true;
}

bool PatchMaker::fill(const FreshRun* runs, uint32_t first, StalePatch* patch) noexcept {
  // 1. The cells.
  all_.clear();
  size_t cells = 0;
  patch->cells = {runs[first].first, runs[first].y, runs[first].last, runs[first].y};
  for (uint32_t i = first; cells == 0 || i != 0; i = runs[i].next) {
    const FreshRun& run = runs[i];
    widen(&patch->cells, {run.first, run.y});
    widen(&patch->cells, {run.last, run.y});
    cells += run.last - run.first + 1;
    for (uint32_t x = run.first; x <= run.last; ++x) {
      const Point p{x, run.y};
      if (tables_.sight.passable(p) && !patch->rim.push(p)) return false;
      if (cells <= kMostLegCells && !all_.push(now_.grid.id(p.x + 64, p.y + 64))) return false;
    }
  }
  if (cells > kMostLegCells) all_.clear();
  // Nobody goes over it yet. It is kept, since a later edit may go on from it beyond its tiles.
  if (patch->rim.size() < 2) return true;
  // 2. Its portals.
  if (!PortalLengths(tables_, &room_).find_rows(patch->rim, patch) || !find_arcs(patch))
    return false;
  if (patch->count() == 0) return true;
  const Point at = patch->portals[0];
  patch->box = {at.x, at.y, at.x, at.y};
  for (const Point p : patch->portals) widen(&patch->box, p);
  return true;
}

const StalePatch* PatchMaker::make(const FreshRun* runs, uint32_t first) noexcept {
  StalePatch* const patch = new (std::nothrow) StalePatch;
  if (!patch || fill(runs, first, patch)) return patch;
  drop(patch);
  return nullptr;
}

// What is left of a patch whose rim has rows: portals, their arcs and rows.
bool PatchMaker::find_arcs(StalePatch* patch) noexcept {
  const Buffer<Point>& cells = patch->rim;
  const auto count = static_cast<uint32_t>(cells.size());
  const size_t wide_rim = whole_lanes(count);
  // 1. From cell to cell of the rim: ways of then, and those over the patch that are shorter.
  if (!old_.assign(wide_rim * count, kFar) || !over_.assign(wide_rim * count, kFar) ||
      !made_.resize(wide_rim) || !needed_.assign(count, 0))
    return false;
  if (!sight_.resize(count)) return false;
  for (uint32_t p = 0; p < count; ++p) sight_[p] = FreeSteps(tables_.sight, cells[p]);
  PortalLengths lengths(tables_, &room_);
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t* const row = old_.data() + wide_rim * p;
    if (!lengths.measure_rows(*patch, count, p, row)) return false;
    for (uint32_t q = 0; q < count; ++q) {
      const uint32_t line = tables_.steps.line(cells[p], cells[q]);
      if (row[q] > line && FreeSteps::line(cells[p], sight_[p], cells[q], sight_[q])) row[q] = line;
    }
  }
  const bool small = !all_.empty() && count <= kMostLegRim;
  if (small && !find_legs(patch)) return false;
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t *const to = over_.data() + wide_rim * p, *const before = old_.data() + wide_rim * p;
    for (uint32_t q = 0; q < count; ++q) {
      const uint32_t length =
          small ? legs_[p * count + q].length : tables_.steps.line(cells[p], cells[q]);
      to[q] = length < before[q] ? length : kFar;
    }
    before[p] = to[p] = kFar;
  }
  // 2. Of these the ones that no shorter ones make up, with ways of then before or after them.
  const LabelKernel& kernel = label_kernel();
  arcs_.clear();
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t* const to = over_.data() + wide_rim * p;
    const uint32_t* const before = old_.data() + wide_rim * p;
    uint32_t longest = 0;
    for (uint32_t q = 0; q < count; ++q)
      if (to[q] != kFar) longest = std::max(longest, to[q]);
    if (longest == 0) continue;
    std::fill(made_.begin(), made_.end(), kFar);
    for (uint32_t m = 0; m < count; ++m) {
      const uint32_t least = std::min(to[m], before[m]);
      if (least < longest) kernel.lower(made_.data(), over_.data() + wide_rim * m, least, wide_rim);
      if (to[m] < longest) kernel.lower(made_.data(), old_.data() + wide_rim * m, to[m], wide_rim);
    }
    for (uint32_t q = 0; q < count; ++q) {
      if (to[q] == kFar || made_[q] <= to[q]) continue;
      StaleArc arc = small ? legs_[p * count + q] : line_of(tables_.steps, cells[p], cells[q]);
      arc.from = p;
      arc.to = q;
      needed_[p] = needed_[q] = 1;
      if (!arcs_.push(arc)) return false;
    }
  }
  // 3. What is left.
  const size_t row = kLanes * patch->blocks.size();
  uint32_t* const rows = patch->rows.data();
  for (uint32_t p = 0; p < count; ++p) {
    made_[p] = patch->count();  // its number among portals
    if (!needed_[p]) continue;
    std::copy(rows + row * p, rows + row * (p + 1), rows + row * patch->count());
    if (!patch->portals.push(cells[p]) || !patch->sight.push(sight_[p])) return false;
  }
  for (StaleArc& arc : arcs_) {
    arc.from = made_[arc.from];
    arc.to = made_[arc.to];
  }
  if (!patch->arcs.resize(arcs_.size())) return false;
  std::copy(arcs_.begin(), arcs_.end(), patch->arcs.begin());
  return patch->rows.resize(row * patch->count());
}

// The ways from cell to cell of the rim of a small patch along new moves alone.
bool PatchMaker::find_legs(StalePatch* patch) noexcept {
  const auto cells = static_cast<uint32_t>(all_.size());
  const auto count = static_cast<uint32_t>(patch->rim.size());
  // 1. The cells, and where new moves lead from each.
  constexpr uint8_t kNowhere = 0xff;
  static_assert(kMostLegCells < kNowhere);
  uint8_t next[kMostLegCells][8], place[kMostLegRim];
  for (uint32_t i = 0; i < cells; ++i) {
    const int32_t* const step = now_.steps.of(all_[i]);
    const uint32_t moves = is_new(all_[i]);
    for (uint32_t d = 0; d < 8; ++d) {
      next[i][d] = kNowhere;
      const CellId to = all_[i] + static_cast<uint32_t>(step[d]);
      for (uint32_t k = 0; moves >> d & 1 && k < cells; ++k)
        if (all_[k] == to) next[i][d] = static_cast<uint8_t>(k);
    }
    const Point p{now_.grid.px(all_[i]) - 64, now_.grid.py(all_[i]) - 64};
    for (uint32_t k = 0; k < count; ++k)
      if (patch->rim[k] == p) place[k] = static_cast<uint8_t>(i);
  }
  // 2. From each of the rim.
  uint32_t length[kMostLegCells];
  uint8_t by[kMostLegCells];  // the last move to it
  uint8_t from[kMostLegCells];
  legs_.clear();
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
        const uint32_t sum = length[at] + (d & 1 ? tables_.steps.diagonal : tables_.steps.straight);
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
      if (!legs_.push(leg)) return false;
    }
  }
  return true;
}

}  // namespace octile
