// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>
#include <utility>

#include "index/label_common.hpp"
#include "index/label_way.hpp"
#include "index/stale_index.hpp"

namespace octile {

namespace {

// With more portals nearby than these it takes as long as a search: so many, and one for each step.
constexpr uint32_t kFewPortals = 64;

uint32_t to_range(uint32_t a, uint32_t low, uint32_t high) noexcept {
  return a < low ? low - a : a > high ? a - high : 0;
}

// Whether a step to a neighbour is legal.
bool is_move(const TileGrid& grid, const Layer& layer, Cell from, Cell to) noexcept {
  constexpr uint8_t kMove[3][3] = {{1 << kNorthWest, 1 << kNorth, 1 << kNorthEast},
                                   {1 << kWest, 0, 1 << kEast},
                                   {1 << kSouthWest, 1 << kSouth, 1 << kSouthEast}};
  return layer.moves(grid.id(from)) & kMove[to.y - from.y + 1][to.x - from.x + 1];
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
  // A part of a way: over a patch, through the zone of a gate, or else as then.
  struct Part {
    Point from, to;
    const StalePatch* patch = nullptr;
    const StaleArc* arc = nullptr;
    const StaleGate* gate = nullptr;
    uint32_t x = 0, y = 0;  // of the cells of its lines
    bool back = false;      // from the first line to the second one
  };

  uint32_t to_box(Point p, const StaleBox& box) const noexcept {
    return tables_.steps.line(
        {0, 0}, {to_range(p.x, box.left, box.right), to_range(p.y, box.top, box.bottom)});
  }
  static Point place(Portal p) noexcept { return p.near->patch->portals[p.k]; }
  uint32_t& then(uint32_t which, Portal p) noexcept {
    return room_.then[which][p.near->first + p.k];
  }
  static size_t number(Portal p) noexcept { return p.near->number + p.k; }
  uint32_t joined(uint32_t which, Portal p) const noexcept {
    return room_.joined[which][number(p)];
  }
  // visit(portal) for those nearby until one gives true: whether one did.
  template <class Visit>
  bool any(Visit visit) const noexcept {
    for (const Near* near = near_; near < near_ + patches_; ++near)
      for (uint32_t k = 0; k < near->patch->count(); ++k)
        if (visit(Portal{near, k})) return true;
    return false;
  }
  bool find_near(uint32_t limit, uint32_t most) noexcept;
  // These: false when memory is short.
  bool measure(uint32_t which, uint32_t limit) noexcept;
  bool join(uint32_t which, uint32_t limit) noexcept;
  bool over_patches(uint32_t* least, Portal* last) noexcept;
  // These two: false: the parts are not told.
  bool take_apart(uint32_t which, Portal last) noexcept;
  bool step_back(uint32_t which, Portal* at) noexcept;
  StaleAnswer write(const LabelWay& way) noexcept;
  // A gate between the ends: the start is on the side `near` of it, the goal on the side `far`.
  struct Between {
    const StaleGate* gate;
    uint32_t number, near, far;

    const PortalSet& end(uint32_t side) const noexcept { return gate->ends[side]; }
  };
  StaleAnswer over_gates(uint32_t most) noexcept;
  StaleAnswer through(const Between* gates, uint32_t count, uint32_t most) noexcept;
  bool measure_gates(const Between* gates, uint32_t count) noexcept;
  void lower_gate(uint32_t which, const Between& b, uint32_t side, uint32_t limit,
                  Buffer<uint32_t>* lengths) noexcept;
  uint32_t cross(const Between* gates, uint32_t count, uint32_t* cell) noexcept;
  bool add_gates(const Between* gates, uint32_t count, uint32_t cell) noexcept;
  bool add_zone(const Between& b, uint32_t near, uint32_t far) noexcept;
  bool add_way(uint32_t which, const Between& b, uint32_t side, uint32_t cell,
               uint32_t length) noexcept;
  StaleAnswer write_parts() noexcept;
  bool write_arc(const Part& part, Cell* cells) const noexcept;
  bool write_zone(const Part& part, uint32_t count, Cell* cells) const noexcept;
  bool still_there(const Cell* cells, size_t count) const noexcept;
  bool legal(const Cell* cells, size_t count) const noexcept;

  static constexpr uint32_t kMostNear = 32, kMostParts = 24;

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
  for (size_t i = 1; i < count; ++i)
    if (!is_move(grid_, layer_, cells[i - 1], cells[i])) return false;
  return true;
}

// The patches that a way shorter than `limit` may go over. False: too many of them, or of portals.
bool StaleQuestion::find_near(uint32_t limit, uint32_t most) noexcept {
  patches_ = portals_ = 0;
  uint32_t number = 0;
  for (const StalePatch* patch : stale_.patches) {
    const uint32_t first = number, count = patch->count();
    number += count;
    if (!count) continue;
    const uint32_t there = to_box(end_[0], patch->box);
    if (there >= limit || there + to_box(end_[1], patch->box) >= limit) continue;
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

// From one end to all portals, over those of patches nearby.
bool StaleQuestion::join(uint32_t which, uint32_t limit) noexcept {
  Buffer<uint32_t>& joined = room_.joined[which];
  if (!measure(which, limit) || !joined.assign(stale_.wide, kFar)) return false;
  any([&](Portal p) {
    const uint32_t length = then(which, p);
    if (length < limit)
      label_kernel().lower(joined.data(), stale_.from(number(p)), length, stale_.wide);
    return false;
  });
  return true;
}

// The shortest way over patches nearby, if it is shorter than *least, and its last portal.
bool StaleQuestion::over_patches(uint32_t* least, Portal* last) noexcept {
  if (!lengths_.begin()) return false;
  for (uint32_t i = 0; i < patches_; ++i) lengths_.want(*near_[i].patch);
  if (!join(0, *least)) return false;
  // It leaves the last patch by a portal that is nearer to the start than it was: mostly there is
  // none.
  const auto shorter = [&](Portal p, uint32_t rest) {
    return joined(0, p) < then(0, p) && joined(0, p) + rest < *least;
  };
  if (!any([&](Portal p) { return shorter(p, tables_.steps.line(place(p), end_[1])); }))
    return true;
  if (!measure(1, *least)) return false;
  any([&](Portal p) {
    if (shorter(p, then(1, p))) {
      *least = joined(0, p) + then(1, p);
      *last = p;
    }
    return false;
  });
  return true;
}

// The parts of the way between an end and a portal.
bool StaleQuestion::take_apart(uint32_t which, Portal last) noexcept {
  const uint32_t first = parts_;
  for (Portal at = last;;) {
    if (parts_ == kMostParts) return false;
    if (joined(which, at) == then(which, at)) {
      part_[parts_++] = which ? Part{place(at), end_[1]} : Part{end_[0], place(at)};
      break;
    }
    if (!step_back(which, &at)) return false;
  }
  if (which) std::reverse(part_ + first, part_ + parts_);
  return true;
}

// To the portal that is next on the way to an end.
bool StaleQuestion::step_back(uint32_t which, Portal* at) noexcept {
  const Portal here = *at;
  const auto part = [&](Portal next, const StalePatch* patch, const StaleArc* arc) {
    const Point a = place(here), b = place(next);
    part_[parts_++] = which ? Part{a, b, patch, arc} : Part{b, a, patch, arc};
    *at = next;
    return true;
  };
  const StalePatch& patch = *here.near->patch;
  for (const StaleArc& arc : patch.arcs) {
    const Portal next{here.near, which ? arc.to : arc.from};
    if ((which ? arc.from : arc.to) == here.k &&
        joined(which, next) + arc.length == joined(which, here))
      return part(next, &patch, &arc);
  }
  return any([&](Portal next) {
    const uint32_t length = stale_.from(number(next))[number(here)];
    if (length == 0 || joined(which, next) + length != joined(which, here)) return false;
    LabelWay way(tables_);
    return way.find(place(next), place(here), &room_.reach) == Status::found &&
           way.length() == length && part(next, nullptr, nullptr);
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
    if (part.gate) {
      if (!room_.moves.resize(part.gate->most_moves())) return StaleAnswer::out_of_memory;
      way.steps = part.gate->moves(tables_.steps, part.x, part.y, room_.moves.data());
      for (uint32_t k = 0; k < way.steps; ++k) way.diagonal += room_.moves[k] & 1;
    } else if (part.arc) {
      way.steps = part.arc->steps;
      way.diagonal = part.arc->diagonal;
    } else if (way.find(part.from, part.to, &room_.reach) != Status::found) {
      return StaleAnswer::out_of_memory;
    }
    // Kernels may write beside their ways, so each part gets a place of its own first.
    const size_t count = size_t{way.steps} + 1, aside = way_.steps + count + 2 * kSpareCells;
    if (!way_.cells->resize(aside + count + kSpareCells)) return StaleAnswer::out_of_memory;
    Cell* const cells = way_.cells->data() + aside;
    const bool then = !part.arc && !part.gate;
    if (then) way.write(grid_.first, cells);
    if (!(then        ? still_there(cells, count)
          : part.gate ? write_zone(part, way.steps, cells)
                      : write_arc(part, cells)))
      return StaleAnswer::unknown;
    std::memcpy(static_cast<void*>(way_.cells->data() + kSpareCells + way_.steps), cells,
                count * sizeof(Cell));
    way_.steps += way.steps;
    way_.diagonal += way.diagonal;
  }
  return StaleAnswer::path;
}

// The way through a zone, by the moves from its second line to its first one.
bool StaleQuestion::write_zone(const Part& part, uint32_t count, Cell* cells) const noexcept {
  Cell at{static_cast<int32_t>(part.from.x) + grid_.first.x,
          static_cast<int32_t>(part.from.y) + grid_.first.y};
  cells[0] = at;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t d = part.back ? room_.moves[count - 1 - i] ^ 4 : room_.moves[i];
    at.x += kDx[d];
    at.y += kDy[d];
    cells[i + 1] = at;
  }
  return legal(cells, size_t{count} + 1);
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

// Numbers in StaleRoom::gate: from the start to the cells before the first gate, from the goal to
// those behind the first one and behind the second one; from the goal through the second one to
// those before it, and so to those behind the first one; from the start through that to them.
enum GateLengths : uint32_t { kFromStart, kFromGoal, kFromGoalToSecond, kToSecond, kRest, kOver };

bool StaleQuestion::measure_gates(const Between* gates, uint32_t count) noexcept {
  if (!lengths_.begin()) return false;
  const auto measure = [&](uint32_t which, const Between& b, uint32_t side, uint32_t to) {
    way_.asked += b.end(side).count();
    return room_.gate[to].resize(b.gate->apart[side]) &&
           lengths_.measure(b.end(side), end_[which], FreeSteps(tables_.sight, end_[which]),
                            room_.gate[to].data());
  };
  lengths_.want(gates[0].end(gates[0].near));
  for (uint32_t i = 0; i < count; ++i) lengths_.want(gates[i].end(gates[i].far));
  lengths_.from(end_[0]);
  if (!measure(0, gates[0], gates[0].near, kFromStart)) return false;
  lengths_.from(end_[1]);
  for (uint32_t i = 0; i < count; ++i)
    if (!measure(1, gates[i], gates[i].far, kFromGoal + i)) return false;
  const size_t apart = gates[0].gate->apart[gates[0].far];
  return room_.gate[kOver].resize(apart) && room_.gate[kRest].resize(apart) &&
         room_.gate[kToSecond].resize(gates[count - 1].gate->apart[gates[count - 1].near]);
}

// What ways over patches make shorter.
void StaleQuestion::lower_gate(uint32_t which, const Between& b, uint32_t side, uint32_t limit,
                               Buffer<uint32_t>* lengths) noexcept {
  any([&](Portal p) {
    const uint32_t length = joined(which, p);
    if (length < limit)
      label_kernel().lower(lengths->data(), b.gate->from_portal(side, number(p)), length,
                           b.gate->apart[side]);
    return false;
  });
}

// The length of the shortest way, and the cell behind the first gate where it goes.
uint32_t StaleQuestion::cross(const Between* gates, uint32_t count, uint32_t* cell) noexcept {
  const Between& first = gates[0];
  const PortalSet& behind = first.end(first.far);
  const size_t apart = first.gate->apart[first.far];
  uint32_t* const over = room_.gate[kOver].data();
  uint32_t* const rest = room_.gate[kRest].data();
  const uint32_t* const goal = room_.gate[kFromGoal].data();
  first.gate->through(first.far, room_.gate[kFromStart].data(), over);
  std::copy(goal, goal + behind.count(), rest);
  if (count == 2) {
    // From cells that have the second gate before them a way goes through that.
    const Between& second = gates[1];
    uint32_t* const next = room_.gate[kToSecond].data();
    second.gate->through(second.near, room_.gate[kFromGoalToSecond].data(), next);
    std::fill(rest, rest + apart, kFar);
    const uint32_t* row = second.gate->to_gate[first.number][second.near][first.far].data();
    for (uint32_t i = 0; i < second.end(second.near).count(); ++i, row += apart)
      label_kernel().lower(rest, row, next[i], apart);
    for (uint32_t i = 0; i < behind.count(); ++i)
      if (!second.gate->has(second.near, behind.portals[i])) rest[i] = goal[i];
  }
  uint32_t least = kFar;
  for (uint32_t i = 0; i < behind.count(); ++i) {
    if (over[i] >= kFar || over[i] + rest[i] >= least) continue;
    least = over[i] + rest[i];
    *cell = i;
  }
  return least;
}

// The parts of that way, from the goal to the start. False: they are not told.
bool StaleQuestion::add_gates(const Between* gates, uint32_t count, uint32_t cell) noexcept {
  const Between &first = gates[0], &last = gates[count - 1];
  const Point behind = first.end(first.far).portals[cell];
  const auto lengths = [&](uint32_t k) { return room_.gate[k].data(); };
  parts_ = 0;
  if (count == 2 && last.gate->has(last.near, behind)) {
    const size_t apart = first.gate->apart[first.far];
    const uint32_t* row = last.gate->to_gate[first.number][last.near][first.far].data();
    uint32_t near = 0;
    while (row[apart * near + cell] + lengths(kToSecond)[near] != lengths(kRest)[cell]) ++near;
    const uint32_t far =
        last.gate->before(last.near, near, lengths(kFromGoalToSecond), lengths(kToSecond)[near]);
    const Point to = last.end(last.near).portals[near];
    LabelWay way(tables_);
    if (way.find(behind, to, &room_.reach) != Status::found ||
        way.length() != row[apart * near + cell] ||
        !add_way(1, last, last.far, far, lengths(kFromGoalToSecond)[far]) ||
        !add_zone(last, near, far) || parts_ == kMostParts)
      return false;
    if (behind != to) part_[parts_++] = {behind, to};
  } else if (!add_way(1, first, first.far, cell, lengths(kRest)[cell])) {
    return false;
  }
  const uint32_t near =
      first.gate->before(first.far, cell, lengths(kFromStart), lengths(kOver)[cell]);
  return add_zone(first, near, cell) &&
         add_way(0, first, first.near, near, lengths(kFromStart)[near]);
}

bool StaleQuestion::add_zone(const Between& b, uint32_t near, uint32_t far) noexcept {
  if (near >= b.gate->line[b.near]) return true;  // beside it
  if (parts_ == kMostParts) return false;
  Part& part = part_[parts_++];
  part = {b.end(b.near).portals[near], b.end(b.far).portals[far]};
  part.gate = b.gate;
  part.x = b.near ? far : near;
  part.y = b.near ? near : far;
  part.back = b.near == 0;
  return true;
}

// The part or parts between an end and a cell of a gate on its side.
bool StaleQuestion::add_way(uint32_t which, const Between& b, uint32_t side, uint32_t cell,
                            uint32_t length) noexcept {
  const Point at = b.end(side).portals[cell];
  const auto part = [&](Point to) {
    if (parts_ == kMostParts) return false;
    if (at != to) part_[parts_++] = which ? Part{at, to} : Part{to, at};
    return true;
  };
  LabelWay way(tables_);
  if (way.find(end_[which], at, &room_.reach) == Status::found && way.length() == length)
    return part(end_[which]);
  // Over patches; the first way that can be told.
  const uint32_t first = parts_;
  return any([&](Portal p) {
    if (joined(which, p) + b.gate->from_portal(side, number(p))[cell] != length) return false;
    parts_ = first;
    return which ? take_apart(1, p) && part(place(p)) : part(place(p)) && take_apart(0, p);
  });
}

// The way through one gate, or through two: with all that patches nearby may do for it no way is
// shorter.
StaleAnswer StaleQuestion::through(const Between* gates, uint32_t count, uint32_t most) noexcept {
  if (!measure_gates(gates, count)) return StaleAnswer::out_of_memory;
  uint32_t cell = 0;
  const uint32_t limit = cross(gates, count, &cell);
  // Longer sums need not be in the order of the ways.
  if (limit >= sum_limit(tables_.steps) || !find_near(limit, most)) return StaleAnswer::unknown;
  if (patches_) {
    if (!lengths_.begin()) return StaleAnswer::out_of_memory;
    for (uint32_t i = 0; i < patches_; ++i) lengths_.want(*near_[i].patch);
    if (!join(0, limit) || !join(1, limit)) return StaleAnswer::out_of_memory;
    lower_gate(0, gates[0], gates[0].near, limit, &room_.gate[kFromStart]);
    for (uint32_t i = 0; i < count; ++i)
      lower_gate(1, gates[i], gates[i].far, limit, &room_.gate[kFromGoal + i]);
    cross(gates, count, &cell);
  }
  return add_gates(gates, count, cell) ? write_parts() : StaleAnswer::unknown;
}

StaleAnswer StaleQuestion::over_gates(uint32_t most) noexcept {
  Between between[StaleGate::kMost];
  uint32_t count = 0;
  for (uint32_t i = 0; i < stale_.gates.size(); ++i) {
    const StaleGate* const gate = stale_.gates[i];
    const uint32_t near = gate->has(0, end_[0]) ? 0 : 1;
    if (gate->has(near, end_[0]) && gate->has(1 - near, end_[1]))
      between[count++] = {gate, i, near, 1 - near};
  }
  for (uint32_t i = 0; i < count; ++i) {
    StaleAnswer answer = through(between + i, 1, most);
    // Where it is cut by what another gate is for: through both, in the order of the way.
    for (uint32_t k = i + 1; k < count; ++k) {
      for (const auto& [a, b] : {std::pair{i, k}, std::pair{k, i}}) {
        const Between two[] = {between[a], between[b]};
        const PortalSet& behind = two[0].end(two[0].far);
        if (answer == StaleAnswer::unknown && behind.count() > 0 &&
            two[1].gate->has(two[1].near, behind.portals[0]))
          answer = through(two, 2, most);
      }
    }
    if (answer != StaleAnswer::unknown) return answer;
  }
  return StaleAnswer::unknown;
}

StaleAnswer StaleQuestion::ask() noexcept {
  // 1. The way then.
  LabelWay way(tables_);
  const Status status = way.find(end_[0], end_[1], &room_.reach);
  if (status == Status::out_of_memory) return StaleAnswer::out_of_memory;
  const uint32_t before = status == Status::found ? way.length() : kFar;
  way_.steps = status == Status::found ? way.steps : 0;
  const uint32_t most = kFewPortals + way_.steps;
  if (status == Status::found) {
    const StaleAnswer answer = write(way);
    way_.cut = answer == StaleAnswer::unknown;
    if (way_.cut) return over_gates(most);
    if (answer != StaleAnswer::path) return answer;
  }
  // 2. Whether one over patches is shorter.
  if (!find_near(before, most)) return StaleAnswer::unknown;
  uint32_t least = before;
  Portal last{};
  if (patches_ && !over_patches(&least, &last)) return StaleAnswer::out_of_memory;
  // No sum of labels is so long, but one of many stretches may be.
  if (before == kFar && least >= sum_limit(tables_.steps)) return StaleAnswer::unknown;
  if (least == before) return StaleAnswer::path;
  parts_ = 0;
  part_[parts_++] = {place(last), end_[1]};
  return take_apart(0, last) ? write_parts() : StaleAnswer::unknown;
}

}  // namespace

uint32_t find_cuts(const WorldView& now, const StaleWay& way, StaleCut* cuts) noexcept {
  // Cuts that are nearer to each other are one.
  constexpr uint32_t kApart = 32;
  const Cell* const cells = way.cells->data() + kSpareCells;
  const Cell first = now.map.grid.first;
  const auto point = [&](uint32_t i) {
    return Point{static_cast<uint32_t>(cells[i].x - first.x),
                 static_cast<uint32_t>(cells[i].y - first.y)};
  };
  const auto there = [&](uint32_t i) {
    return is_move(now.map.grid, now.layer, cells[i], cells[i + 1]);
  };
  uint32_t count = 0;
  for (uint32_t i = 0; i < way.steps; ++i) {
    if (there(i)) continue;
    uint32_t last = i;
    for (uint32_t k = i + 1; k < way.steps && k <= last + kApart; ++k)
      if (!there(k)) last = k;
    if (count < 2) cuts[count] = {point(i), point(last + 1)};
    ++count;
    i = last;
  }
  return count;
}

StaleAnswer ask_stale(const StaleIndex& stale, const WorldView& now, CellId start, CellId goal,
                      StaleRoom* room, StaleWay* way) noexcept {
  way->asked = way->steps = 0;
  way->cut = false;
  const TileGrid& grid = now.map.grid;
  const Point s{grid.px(start) - 64, grid.py(start) - 64};
  const Point t{grid.px(goal) - 64, grid.py(goal) - 64};
  const SightMaps& then = stale.index->labels.sight;
  if (!then.passable(s) || !then.passable(t)) return StaleAnswer::unknown;
  return StaleQuestion(stale, now, s, t, room, way).ask();
}

}  // namespace octile
