// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>

#include "index/label_common.hpp"
#include "index/label_way.hpp"
#include "index/stale_index.hpp"

namespace octile {

namespace {

// With more portals nearby than these it takes as long as a search: so many, and one for each step.
constexpr uint32_t kFewPortals = 64;

uint32_t gap(uint32_t a_low, uint32_t a_high, uint32_t b_low, uint32_t b_high) noexcept {
  return a_high < b_low ? b_low - a_high : b_high < a_low ? a_low - b_high : 0;
}

class StaleQuestion {
 public:
  StaleQuestion(const StaleIndex& stale, const WorldView& now, Point s, Point t, StaleRoom* room,
                StaleWay* way) noexcept
      : stale_(stale),
        tables_(stale.index->labels),
        grid_(now.map.grid),
        layer_(now.layer),
        end_{s, t},
        room_(*room),
        way_(*way) {}

  StaleAnswer ask() noexcept;

 private:
  struct Near {  // a patch
    const StalePatch* patch;
    uint32_t first;  // of its portals' places in StaleRoom::lengths
    bool gains[2];   // it brings some of its portals nearer to the start, to the goal
  };
  struct Sum {
    uint32_t length;
    const StalePatch* patch;
    uint32_t in, out;  // portals
  };

  uint32_t to_box(Point p, const StaleBox& box) const noexcept {
    return tables_.steps.line(
        {0, 0}, {gap(p.x, p.x, box.left, box.right), gap(p.y, p.y, box.top, box.bottom)});
  }
  Point place(const Near& near, uint32_t portal) const noexcept {
    return near.patch->portals[portal];
  }
  // By portal: the length of the way from an end then; that of a way over its own patch, if that is
  // shorter.
  uint32_t& then(uint32_t which, const Near& near, uint32_t portal) noexcept {
    return room_.lengths[which][near.first + portal];
  }
  uint32_t& over(uint32_t which, const Near& near, uint32_t portal) noexcept {
    return room_.lengths[which][portals_ + near.first + portal];
  }
  // A bound for what lies between two portals of a patch.
  uint32_t middle(const Near& near, uint32_t from, uint32_t to) const noexcept {
    return near.patch->legs.empty() ? tables_.steps.line(place(near, from), place(near, to))
                                    : near.patch->leg(from, to).length;
  }
  bool find_near(uint32_t limit, uint32_t most) noexcept;
  bool measure(uint32_t which, uint32_t limit) noexcept;
  void over_one(Sum* one) noexcept;
  bool over_more(uint32_t limit) noexcept;
  uint32_t between(uint32_t i, uint32_t m, uint32_t k, uint32_t n) const noexcept;
  bool gains(uint32_t which, uint32_t limit) noexcept;
  bool over_patch(const Sum& sum, bool* there) noexcept;
  bool still_there(const Cell* cells, size_t count) const noexcept;
  bool legal(const Cell* cells, size_t count) const noexcept;

  static constexpr uint32_t kMostNear = 32;

  const StaleIndex& stale_;
  const LabelTables& tables_;
  const TileGrid& grid_;
  const Layer& layer_;
  const Point end_[2];
  StaleRoom& room_;
  StaleWay& way_;
  PortalLengths lengths_{tables_, &room_};
  Near near_[kMostNear];
  uint32_t patches_ = 0, portals_ = 0;  // that lie near enough to matter
};

// Whether a way of then is there now.
bool StaleQuestion::still_there(const Cell* cells, size_t count) const noexcept {
  for (size_t i = 0; i < count; i += LostMoves::kSide) {
    const Cell c = cells[i];
    const Point p{static_cast<uint32_t>(c.x - grid_.first.x),
                  static_cast<uint32_t>(c.y - grid_.first.y)};
    if (stale_.lost.near_to(p) &&
        !legal(cells + i, std::min<size_t>(count - i, LostMoves::kSide + 1)))
      return false;
  }
  return true;
}

bool StaleQuestion::legal(const Cell* cells, size_t count) const noexcept {
  constexpr uint8_t kMove[3][3] = {{1 << kNorthWest, 1 << kNorth, 1 << kNorthEast},
                                   {1 << kWest, 0, 1 << kEast},
                                   {1 << kSouthWest, 1 << kSouth, 1 << kSouthEast}};
  for (size_t i = 1; i < count; ++i) {
    const Cell from = cells[i - 1], to = cells[i];
    if (!(layer_.moves(grid_.id(from)) & kMove[to.y - from.y + 1][to.x - from.x + 1])) return false;
  }
  return true;
}

// The patches that a way shorter than `limit` may go over. False: too many of them, or of portals.
bool StaleQuestion::find_near(uint32_t limit, uint32_t most) noexcept {
  for (const StalePatch* patch : stale_.patches) {
    if (to_box(end_[0], patch->box) + to_box(end_[1], patch->box) >= limit) continue;
    if (patches_ == kMostNear || portals_ + patch->count() > most) return false;
    near_[patches_++] = {patch, portals_, {false, false}};
    portals_ += patch->count();
  }
  return true;
}

// The ways of then from one end to the portals of these that may matter. False: memory is short.
bool StaleQuestion::measure(uint32_t which, uint32_t limit) noexcept {
  const Point end = end_[which], other = end_[1 - which];
  if (!room_.lengths[which].resize(2 * size_t{portals_})) return false;
  way_.asked += portals_;
  lengths_.from(end);
  for (uint32_t i = 0; i < patches_; ++i) {
    const Near& near = near_[i];
    if (!lengths_.measure(*near.patch, &then(which, near, 0))) return false;
    for (uint32_t k = 0; k < near.patch->count(); ++k) {
      uint32_t& length = then(which, near, k);
      const Point p = place(near, k);
      const uint32_t line = tables_.steps.line(end, p);
      if (line + tables_.steps.line(p, other) >= limit)
        length = kFar;  // nothing that goes by here is shorter
      else if (length > line && tables_.sight.line_free(end, p))
        length = line;
    }
  }
  return true;
}

// The portals that a way over their patch brings nearer to one end: whether there are any that
// matter.
bool StaleQuestion::gains(uint32_t which, uint32_t limit) noexcept {
  const Point other = end_[1 - which];
  bool any = false;
  for (uint32_t i = 0; i < patches_; ++i) {
    Near& near = near_[i];
    near.gains[which] = false;
    uint32_t first = kFar;
    for (uint32_t m = 0; m < near.patch->count(); ++m)
      first = std::min(first, then(which, near, m));
    for (uint32_t n = 0; n < near.patch->count(); ++n) {
      const Point q = place(near, n);
      // The rest of the way may be shorter than it was then.
      const uint32_t rest = tables_.steps.line(q, other);
      uint32_t least = std::min(then(which, near, n), limit - std::min(limit, rest));
      over(which, near, n) = kFar;
      if (first >= least) continue;
      for (uint32_t m = 0; m < near.patch->count(); ++m) {
        const uint32_t in = then(which, near, m);
        if (in >= least) continue;
        const uint32_t sum = in + middle(near, m, n);
        if (sum < least) over(which, near, n) = least = sum;
      }
      near.gains[which] = near.gains[which] || over(which, near, n) != kFar;
    }
    any = any || near.gains[which];
  }
  return any;
}

// The shortest sum over one patch, if it is shorter than `one`: it leaves by a portal that gains.
void StaleQuestion::over_one(Sum* one) noexcept {
  for (uint32_t i = 0; i < patches_; ++i) {
    const Near& near = near_[i];
    for (uint32_t n = 0; near.gains[0] && n < near.patch->count(); ++n) {
      const uint32_t in = over(0, near, n), out = then(1, near, n);
      if (in == kFar || out == kFar || in + out >= one->length) continue;
      for (uint32_t m = 0; m < near.patch->count(); ++m)
        if (then(0, near, m) != kFar && then(0, near, m) + middle(near, m, n) == in)
          *one = {in + out, near.patch, m, n};
    }
  }
}

// Whether a way over several patches may be shorter than `limit`: told by the first and the last of
// them, and where that is the same one, by another one between.
bool StaleQuestion::over_more(uint32_t limit) noexcept {
  if (patches_ < 2 || !gains(1, limit)) return false;
  for (uint32_t i = 0; i < patches_; ++i) {
    const Near& a = near_[i];
    for (uint32_t m = 0; a.gains[0] && m < a.patch->count(); ++m) {
      const uint32_t in = over(0, a, m);
      for (uint32_t k = 0; in != kFar && k < patches_; ++k) {
        const Near& b = near_[k];
        for (uint32_t n = 0; b.gains[1] && n < b.patch->count(); ++n) {
          const uint32_t out = over(1, b, n);
          if (out != kFar && in + between(i, m, k, n) + out < limit) return true;
        }
      }
    }
  }
  return false;
}

// At least so long is a way from a portal of one patch to one of another; or back to the same patch
// by way of another.
uint32_t StaleQuestion::between(uint32_t i, uint32_t m, uint32_t k, uint32_t n) const noexcept {
  const Point from = place(near_[i], m), to = place(near_[k], n);
  if (i != k) return tables_.steps.line(from, to);
  uint32_t least = kFar;
  for (uint32_t other = 0; other < patches_; ++other) {
    if (other == i) continue;
    const StaleBox& box = near_[other].patch->box;
    least = std::min(least, to_box(from, box) + to_box(to, box));
  }
  return least;
}

// The way over a patch, if it is there. False: memory is short.
bool StaleQuestion::over_patch(const Sum& sum, bool* there) noexcept {
  const StalePatch& patch = *sum.patch;
  const Point from = patch.portals[sum.in], to = patch.portals[sum.out];
  const StaleLeg* const leg = patch.legs.empty() ? nullptr : &patch.leg(sum.in, sum.out);
  if (leg && leg->first == StaleLeg::kMixed) return true;
  LabelWay in(tables_), out(tables_);
  if (in.find(end_[0], from, &room_.reach) != Status::found) return false;
  const auto dx = static_cast<int32_t>(to.x - from.x), dy = static_cast<int32_t>(to.y - from.y);
  const uint32_t wide = static_cast<uint32_t>(dx < 0 ? -dx : dx);
  const uint32_t high = static_cast<uint32_t>(dy < 0 ? -dy : dy);
  const uint32_t slant = leg ? leg->diagonal : std::min(wide, high);
  const uint32_t line = leg ? leg->steps : std::max(wide, high);
  // Kernels may write beside their ways, so the last part gets a place of its own first.
  const size_t first = size_t{in.steps} + 1;
  if (!way_.cells->resize(first + line + 3 * kSpareCells)) return false;
  in.write(grid_.first, way_.cells->data() + kSpareCells);
  Cell* const cells = way_.cells->data() + kSpareCells;
  if (!still_there(cells, first)) return true;
  const Cell begin = cells[first - 1];
  if (leg) {
    Cell at = begin;
    for (uint32_t i = 0; i < line; ++i) {
      const uint32_t d = patch.moves[leg->first + i];
      at.x += kDx[d];
      at.y += kDy[d];
      cells[first + i] = at;
    }
  } else {
    // Both orders of its steps.
    bool legal_line = false;
    for (uint32_t straight_first = 0; !legal_line && straight_first < 2; ++straight_first) {
      Cell at = begin;
      for (uint32_t i = 0; i < line; ++i) {
        const bool diagonal = straight_first ? i >= line - slant : i < slant;
        if (diagonal || wide > high) at.x += dx > 0 ? 1 : -1;
        if (diagonal || wide <= high) at.y += dy > 0 ? 1 : -1;
        cells[first + i] = at;
      }
      legal_line = legal(cells + first - 1, size_t{line} + 1);
    }
    if (!legal_line) return true;
  }
  if (out.find(to, end_[1], &room_.reach) != Status::found) return false;
  const size_t last = size_t{out.steps} + 1, so_far = first + line;
  const size_t aside = so_far + 2 * kSpareCells;
  if (!way_.cells->resize(aside + last + kSpareCells)) return false;
  Cell* const all = way_.cells->data();
  out.write(grid_.first, all + aside);
  if (!still_there(all + aside, last)) return true;
  std::memmove(static_cast<void*>(all + kSpareCells + so_far), all + aside + 1,
               out.steps * sizeof(Cell));
  way_.steps = in.steps + line + out.steps;
  way_.diagonal = in.diagonal + slant + out.diagonal;
  *there = true;
  return true;
}

StaleAnswer StaleQuestion::ask() noexcept {
  // 1. The way then, and whether it is there now.
  LabelWay way(tables_);
  const Status status = way.find(end_[0], end_[1], &room_.reach);
  if (status == Status::out_of_memory) return StaleAnswer::out_of_memory;
  Sum shortest{kFar, nullptr, 0, 0};
  uint32_t most = kFewPortals;
  if (status == Status::found) {
    shortest.length = way.length();
    most += way.steps;
    way_.steps = way.steps;
    way_.diagonal = way.diagonal;
    const size_t count = size_t{way.steps} + 1;
    if (!way_.cells->resize(count + 2 * kSpareCells)) return StaleAnswer::out_of_memory;
    way.write(grid_.first, way_.cells->data() + kSpareCells);
    if (!still_there(way_.cells->data() + kSpareCells, count)) return StaleAnswer::unknown;
  }
  // 2. Ways over patches that may be shorter.
  const uint32_t before = shortest.length;
  if (!find_near(before, most)) return StaleAnswer::unknown;
  if (patches_) {
    if (!lengths_.begin()) return StaleAnswer::out_of_memory;
    for (uint32_t i = 0; i < patches_; ++i) lengths_.want(*near_[i].patch);
    if (!measure(0, before)) return StaleAnswer::out_of_memory;
  }
  if (patches_ && gains(0, before)) {
    if (!measure(1, before)) return StaleAnswer::out_of_memory;
    over_one(&shortest);
    if (over_more(shortest.length)) return StaleAnswer::unknown;
  }
  if (shortest.length == kFar) return StaleAnswer::no_path;
  if (shortest.length == before) return StaleAnswer::path;
  bool there = false;
  if (!over_patch(shortest, &there)) return StaleAnswer::out_of_memory;
  return there ? StaleAnswer::path : StaleAnswer::unknown;
}

}  // namespace

StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      StaleRoom* room, StaleWay* way) noexcept {
  way->asked = way->steps = 0;
  const TileGrid& grid = now.map.grid;
  const Point s{grid.px(start) - 64, grid.py(start) - 64};
  const Point t{grid.px(goal) - 64, grid.py(goal) - 64};
  const SightMaps& then = stale.index->labels.sight;
  if (!then.passable(s) || !then.passable(t)) return StaleAnswer::unknown;
  return StaleQuestion(stale, now, s, t, room, way).ask();
}

}  // namespace octile
