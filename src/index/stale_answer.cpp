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
    uint32_t first;   // of its portals' places in StaleRoom::then
    uint32_t number;  // of its first portal, among all
  };
  struct Portal {
    const Near* near;
    uint32_t k;
  };
  // A part of a way: over a patch, or else as then.
  struct Part {
    Point from, to;
    const StalePatch* patch;
    const StaleArc* arc;
  };

  uint32_t to_box(Point p, const StaleBox& box) const noexcept {
    return tables_.steps.line(
        {0, 0}, {gap(p.x, p.x, box.left, box.right), gap(p.y, p.y, box.top, box.bottom)});
  }
  static Point place(Portal p) noexcept { return p.near->patch->portals[p.k]; }
  uint32_t& then(uint32_t which, Portal p) noexcept {
    return room_.then[which][p.near->first + p.k];
  }
  uint32_t joined(Portal p) const noexcept { return room_.joined[p.near->number + p.k]; }
  // visit(portal) for those nearby until one gives true: whether one did.
  template <class Visit>
  bool any(Visit visit) const noexcept {
    for (const Near* near = near_; near < near_ + patches_; ++near)
      for (uint32_t k = 0; k < near->patch->count(); ++k)
        if (visit(Portal{near, k})) return true;
    return false;
  }
  bool find_near(uint32_t limit, uint32_t most) noexcept;
  // These two: false when memory is short.
  bool measure(uint32_t which, uint32_t limit) noexcept;
  bool over_patches(uint32_t* least, Portal* last) noexcept;
  bool take_apart(Portal last) noexcept;
  bool step_back(Portal* at) noexcept;
  StaleAnswer write(const LabelWay& way) noexcept;
  StaleAnswer write_parts() noexcept;
  bool write_arc(const Part& part, Cell* cells) const noexcept;
  bool still_there(const Cell* cells, size_t count) const noexcept;
  bool legal(const Cell* cells, size_t count) const noexcept;

  static constexpr uint32_t kMostNear = 32, kMostParts = 16;

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
  Part part_[kMostParts];               // from the goal to the start
  uint32_t parts_ = 0;
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
  uint32_t number = 0;
  for (const StalePatch* patch : stale_.patches) {
    const uint32_t first = number, count = patch->count();
    number += count;
    if (!count || to_box(end_[0], patch->box) + to_box(end_[1], patch->box) >= limit) continue;
    if (patches_ == kMostNear || portals_ + count > most) return false;
    near_[patches_++] = {patch, portals_, first};
    portals_ += count;
  }
  return true;
}

// The ways of then from one end to the portals of these that may matter.
bool StaleQuestion::measure(uint32_t which, uint32_t limit) noexcept {
  const Point end = end_[which], other = end_[1 - which];
  if (!room_.then[which].resize(portals_)) return false;
  way_.asked += portals_;
  lengths_.from(end);
  const FreeSteps sight(tables_.sight, end);
  for (uint32_t i = 0; i < patches_; ++i)
    if (!lengths_.measure(*near_[i].patch, &then(which, {&near_[i], 0}))) return false;
  any([&](Portal p) {
    uint32_t& length = then(which, p);
    const Point at = place(p);
    const uint32_t line = tables_.steps.line(end, at);
    if (line + tables_.steps.line(at, other) >= limit)
      length = kFar;  // nothing that goes by here is shorter
    else if (length > line && FreeSteps::line(end, sight, at, p.near->patch->sight[p.k]))
      length = line;
    return false;
  });
  return true;
}

// The shortest way over patches nearby, if it is shorter than *least, and its last portal.
bool StaleQuestion::over_patches(uint32_t* least, Portal* last) noexcept {
  if (!lengths_.begin()) return false;
  for (uint32_t i = 0; i < patches_; ++i) lengths_.want(*near_[i].patch);
  if (!measure(0, *least) || !room_.joined.assign(stale_.wide, kFar)) return false;
  any([&](Portal p) {
    const uint32_t length = then(0, p);
    if (length < *least)
      label_kernel().lower(room_.joined.data(), stale_.from(p.near->number + p.k), length,
                           stale_.wide);
    return false;
  });
  // It leaves the last patch by a portal that is nearer to the start than it was: mostly there is
  // none.
  const auto shorter = [&](Portal p, uint32_t rest) {
    return joined(p) < then(0, p) && joined(p) + rest < *least;
  };
  if (!any([&](Portal p) { return shorter(p, tables_.steps.line(place(p), end_[1])); }))
    return true;
  if (!measure(1, *least)) return false;
  any([&](Portal p) {
    if (shorter(p, then(1, p))) {
      *least = joined(p) + then(1, p);
      *last = p;
    }
    return false;
  });
  return true;
}

// The parts of this way. False: they are not told.
bool StaleQuestion::take_apart(Portal last) noexcept {
  part_[parts_++] = {place(last), end_[1], nullptr, nullptr};
  for (Portal at = last;;) {
    if (parts_ == kMostParts) return false;
    if (joined(at) == then(0, at)) {
      part_[parts_++] = {end_[0], place(at), nullptr, nullptr};
      return true;
    }
    if (!step_back(&at)) return false;
  }
}

// To the portal before this one.
bool StaleQuestion::step_back(Portal* at) noexcept {
  const Portal to = *at;
  const StalePatch& patch = *to.near->patch;
  for (const StaleArc& arc : patch.arcs) {
    const Portal from{to.near, arc.from};
    if (arc.to != to.k || joined(from) + arc.length != joined(to)) continue;
    part_[parts_++] = {place(from), place(to), &patch, &arc};
    *at = from;
    return true;
  }
  return any([&](Portal from) {
    const uint32_t length = stale_.from(from.near->number + from.k)[to.near->number + to.k];
    if (length == 0 || joined(from) + length != joined(to)) return false;
    LabelWay way(tables_);
    if (way.find(place(from), place(to), &room_.reach) != Status::found || way.length() != length)
      return false;
    part_[parts_++] = {place(from), place(to), nullptr, nullptr};
    *at = from;
    return true;
  });
}

// The way of then, if it is there.
StaleAnswer StaleQuestion::write(const LabelWay& way) noexcept {
  const size_t count = size_t{way.steps} + 1;
  if (!way_.cells->resize(count + 2 * kSpareCells)) return StaleAnswer::out_of_memory;
  Cell* const cells = way_.cells->data() + kSpareCells;
  way.write(grid_.first, cells);
  if (!still_there(cells, count)) return StaleAnswer::unknown;
  way_.diagonal = way.diagonal;
  return StaleAnswer::path;
}

// The way over patches, if it is there.
StaleAnswer StaleQuestion::write_parts() noexcept {
  way_.steps = way_.diagonal = 0;
  for (uint32_t i = parts_; i-- > 0;) {
    const Part& part = part_[i];
    LabelWay way(tables_);
    if (part.arc) {
      way.steps = part.arc->steps;
      way.diagonal = part.arc->diagonal;
    } else if (way.find(part.from, part.to, &room_.reach) != Status::found) {
      return StaleAnswer::out_of_memory;
    }
    // Kernels may write beside their ways, so each part gets a place of its own first.
    const size_t count = size_t{way.steps} + 1, aside = way_.steps + count + 2 * kSpareCells;
    if (!way_.cells->resize(aside + count + kSpareCells)) return StaleAnswer::out_of_memory;
    Cell* const cells = way_.cells->data() + aside;
    if (!part.arc) way.write(grid_.first, cells);
    if (!(part.arc ? write_arc(part, cells) : still_there(cells, count)))
      return StaleAnswer::unknown;
    std::memcpy(static_cast<void*>(way_.cells->data() + kSpareCells + way_.steps), cells,
                count * sizeof(Cell));
    way_.steps += way.steps;
    way_.diagonal += way.diagonal;
  }
  return StaleAnswer::path;
}

// The way over a patch from portal to portal. False: a line, and neither order of its steps is
// legal.
bool StaleQuestion::write_arc(const Part& part, Cell* cells) const noexcept {
  const StaleArc& arc = *part.arc;
  const Cell begin{static_cast<int32_t>(part.from.x) + grid_.first.x,
                   static_cast<int32_t>(part.from.y) + grid_.first.y};
  cells[0] = begin;
  if (arc.moves != StaleArc::kLine) {
    Cell at = begin;
    for (uint32_t i = 0; i < arc.steps; ++i) {
      const uint32_t d = part.patch->moves[arc.moves + i];
      at.x += kDx[d];
      at.y += kDy[d];
      cells[i + 1] = at;
    }
    return true;
  }
  const auto dx = static_cast<int32_t>(part.to.x - part.from.x);
  const auto dy = static_cast<int32_t>(part.to.y - part.from.y);
  const bool wide = dx * dx > dy * dy;
  for (uint32_t straight_first = 0; straight_first < 2; ++straight_first) {
    Cell at = begin;
    for (uint32_t i = 0; i < arc.steps; ++i) {
      const bool diagonal = straight_first ? i + arc.diagonal >= arc.steps : i < arc.diagonal;
      if (diagonal || wide) at.x += dx > 0 ? 1 : -1;
      if (diagonal || !wide) at.y += dy > 0 ? 1 : -1;
      cells[i + 1] = at;
    }
    if (legal(cells, size_t{arc.steps} + 1)) return true;
  }
  return false;
}

StaleAnswer StaleQuestion::ask() noexcept {
  // 1. The way then.
  LabelWay way(tables_);
  const Status status = way.find(end_[0], end_[1], &room_.reach);
  if (status == Status::out_of_memory) return StaleAnswer::out_of_memory;
  const uint32_t before = status == Status::found ? way.length() : kFar;
  way_.steps = status == Status::found ? way.steps : 0;
  if (status == Status::found) {
    const StaleAnswer answer = write(way);
    if (answer != StaleAnswer::path) return answer;
  }
  // 2. Whether one over patches is shorter.
  if (!find_near(before, kFewPortals + way_.steps)) return StaleAnswer::unknown;
  uint32_t least = before;
  Portal last{};
  if (patches_ && !over_patches(&least, &last)) return StaleAnswer::out_of_memory;
  // No sum of labels is so long, but one of many stretches may be.
  if (before == kFar && least >= sum_limit(tables_.steps)) return StaleAnswer::unknown;
  if (least == before) return StaleAnswer::path;
  return take_apart(last) ? write_parts() : StaleAnswer::unknown;
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
