// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Fields as the public face has them: cells in, real costs out, and what a query asked for is kept
// so that the field can be brought to another View.

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/field_face.hpp"
#include "search/path.hpp"

namespace octile {

void FieldMaker::Impl::reuse(Field* field) noexcept {
  if (!field->impl_) return;
  field->impl_->view = View();
  std::swap(spare.impl_, field->impl_);
}

const uint8_t* FieldMaker::Impl::moves_of(const View& view, const FieldTable& table) noexcept {
  if (seen.impl() != view.impl()) {
    seen = View();
    if (!search.read_moves(view.impl()->world, table)) return nullptr;
    seen = view;
  }
  return search.moves();
}

uint8_t Field::Impl::direction(uint32_t place, CellId id) const noexcept {
  const uint64_t distance = table.at(place);
  if (distance == kFarAway) return kUnreached;
  const FieldSeed* goal_here = seed(place);
  if (goal_here && goal_here->offset == distance && table.hops(place) == 0) return kAtGoal;
  const WorldView& w = world();
  const uint32_t moves = w.layer.moves(id);
  if (w.costs.uniform && !table.has_hops())
    return static_cast<uint8_t>(__builtin_ctz(table.nearer(place, moves)));
  for (uint32_t on = moves; on; on &= on - 1) {
    const auto d = static_cast<uint32_t>(__builtin_ctz(on));
    const uint32_t to = place + static_cast<uint32_t>(table.step(d));
    const uint64_t there = table.at(to);
    if (there > distance) continue;
    const Cost length = d & 1 ? table.steps.diagonal : table.steps.straight;
    const Cost weight = w.costs.uniform ? 1 : w.weight(table.id(w.map.grid, to));
    if (there + length * weight == distance &&
        (!table.has_hops() || table.hops(to) + 1 == table.hops(place)))
      return static_cast<uint8_t>(d);
  }
  return kUnreached;  // does not come about
}

Field::~Field() {
  delete impl_;
}
Field::Field(Field&& other) noexcept {
  std::swap(impl_, other.impl_);
}
Field& Field::operator=(Field&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

View Field::view() const noexcept {
  return impl_ ? impl_->view : View();
}

uint64_t Field::distance_units(Cell cell) const noexcept {
  if (!impl_) return kFarAway;
  const FieldTable& table = impl_->table;
  return table.units(table.at(impl_->place(cell)), impl_->world().costs.steps);
}
double Field::distance(Cell cell) const noexcept {
  if (!impl_) return kWall;
  return impl_->table.real(impl_->table.at(impl_->place(cell)), impl_->world().costs);
}
bool Field::reached(Cell cell) const noexcept {
  return impl_ && impl_->table.at(impl_->place(cell)) != kFarAway;
}
uint8_t Field::direction(Cell cell) const noexcept {
  if (!impl_) return kUnreached;
  const TileGrid& grid = impl_->world().map.grid;
  if (!grid.contains(cell)) return kUnreached;
  const CellId id = grid.id(cell);
  return impl_->direction(impl_->table.place(grid, id), id);
}
Cell Field::next(Cell cell) const noexcept {
  const uint8_t d = direction(cell);
  return d < 8 ? Cell{cell.x + kDx[d], cell.y + kDy[d]} : cell;
}

void Field::directions(uint8_t* out) const noexcept {
  if (!impl_) return;
  const TileGrid& grid = impl_->world().map.grid;
  const auto width = static_cast<uint32_t>(grid.width), height = static_cast<uint32_t>(grid.height);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      *out++ = impl_->direction((y + 1) * impl_->table.stride() + x + 1, grid.id(x + 64, y + 64));
}

size_t Field::within(double cost, Cell* out, size_t capacity) const noexcept {
  if (!impl_ || !(cost >= 0)) return 0;
  const WorldView& world = impl_->world();
  const TileGrid& grid = world.map.grid;
  const Cost limit = field_limit(cost, world.costs, impl_->table.steps);
  size_t count = 0;
  for (int32_t y = 0; y < grid.height; ++y) {
    for (int32_t x = 0; x < grid.width; ++x) {
      const uint64_t distance = impl_->table.at(
          static_cast<uint32_t>(y + 1) * impl_->table.stride() + static_cast<uint32_t>(x) + 1);
      if (distance == kFarAway || distance > limit) continue;
      if (count < capacity) out[count] = {grid.first.x + x, grid.first.y + y};
      ++count;
    }
  }
  return count;
}

void Field::path(Cell start, Path& path) const noexcept {
  const auto end = [&](Status status, const char* message) {
    path.status = status;
    path.message = message;
    if (status != Status::found) path.clear();
  };
  path.clear();
  path.cost = 0;
  path.cost_units = 0;
  path.bound = 1;
  path.goal_index = 0;
  path.expanded = path.generated = 0;
  path.solver = kAuto;
  path.version = 0;
  if (!impl_) return end(Status::bad_argument, "the field is empty: build it first");
  const WorldView& world = impl_->world();
  const TileGrid& grid = world.map.grid;
  path.version = world.map.version;
  if (!grid.contains(start))
    return end(Status::start_out_of_bounds, "the start lies outside the map");
  if (!world.layer.passable(grid.id(start)))
    return end(Status::start_blocked, "the start is a wall for this profile");
  const uint32_t first = impl_->place(start);
  if (impl_->table.at(first) == kFarAway) {
    return impl_->table.limit == kMaxCost
               ? end(Status::no_path, "nothing connects start and goal")
               : end(Status::limit_reached, "the field ends before the start");
  }
  Cost sum[2] = {0, 0};  // of the weights entered straight and diagonally
  size_t count = 0;
  Cell at = start;
  for (uint32_t place = first;;) {
    Cell* out = path.resize(count + 1);
    if (!out) return end(Status::out_of_memory, "no memory for the path");
    out[count++] = at;
    const uint8_t d = impl_->direction(place, grid.id(at));
    if (d >= 8) {
      path.goal_index = impl_->goal[static_cast<size_t>(impl_->seed(place) - impl_->seeds.data())];
      break;
    }
    place += static_cast<uint32_t>(impl_->table.step(d));
    at = {at.x + kDx[d], at.y + kDy[d]};
    sum[d & 1] += world.costs.uniform ? 1 : world.weight(impl_->table.id(grid, place));
  }
  put_cost(world.costs, sum[0], sum[1], &path);
  end(Status::found, "");
}

size_t Field::memory_bytes() const noexcept {
  return impl_ ? sizeof(Impl) + impl_->table.bytes() + impl_->seeds.bytes() + impl_->goal.bytes() +
                     impl_->asked.goals.bytes() + impl_->asked.stops.bytes() +
                     impl_->asked.offsets.bytes()
               : 0;
}

FieldMaker::~FieldMaker() {
  delete impl_;
}

size_t FieldMaker::memory_bytes() const noexcept {
  return impl_ ? sizeof(Impl) + impl_->search.bytes() + impl_->repair.bytes() +
                     impl_->stops.bytes() + impl_->spare.memory_bytes()
               : 0;
}

Fault FieldMaker::build(const View& view, const FieldQuery& query, Field* field) noexcept {
  if (!field) return fault(Status::bad_argument, "the field is null");
  if (Fault f = check_whole(view)) return f;
  if (!query.goals || query.goal_count == 0)
    return fault(Status::bad_argument, "a field needs a goal");
  if (query.goal_count > UINT32_MAX / 2) return fault(Status::bad_argument, "too many goals");
  if (query.stop_count && !query.stops)
    return fault(Status::bad_argument, "stop_count is set, but stops is null");
  if (!(query.max_cost >= 0)) return fault(Status::bad_argument, "max_cost must be 0 or more");
  if (!impl_) impl_ = new (std::nothrow) Impl;
  if (!impl_) return no_memory_for("the field");
  // The new one is complete before the old one goes.
  Field fresh;
  std::swap(fresh.impl_, impl_->spare.impl_);
  if (!fresh.impl_) fresh.impl_ = new (std::nothrow) Field::Impl;
  if (!fresh.impl_) return no_memory_for("the field");
  Field::Impl& to = *fresh.impl_;
  to.view = view;
  to.seeds.clear();
  to.goal.clear();
  to.asked.goals.clear();
  to.asked.stops.clear();
  to.asked.offsets.clear();
  const WorldView& world = view.impl()->world;
  const TileGrid& grid = world.map.grid;
  if (!to.table.shape(grid)) return fault(Status::bad_argument, "the map is too large for a field");

  struct Goal {
    FieldSeed seed;
    uint32_t index;
  };
  Buffer<Goal> goals;
  to.asked.max_cost = query.max_cost;
  for (size_t i = 0; i < query.goal_count; ++i) {
    const Cell cell = query.goals[i];
    if (!grid.contains(cell))
      return fault(Status::goal_out_of_bounds, "a goal lies outside the map");
    const double offset = query.offsets ? query.offsets[i] : 0;
    if (!(offset >= 0) || offset == kWall)
      return fault(Status::bad_argument, "offsets must be finite and 0 or more");
    if (!to.asked.goals.push(cell) || (query.offsets && !to.asked.offsets.push(offset)))
      return no_memory_for("the field");
    const CellId id = grid.id(cell);
    if (!world.layer.passable(id)) continue;
    const double units = offset / (world.costs.real.straight * world.costs.unit) *
                         static_cast<double>(world.costs.steps.straight);
    if (!(units < 4.6e18)) return fault(Status::cost_overflow, "an offset is too large");
    if (!goals.push(
            {{to.table.place(grid, id), static_cast<Cost>(units + 0.5)}, static_cast<uint32_t>(i)}))
      return no_memory_for("the field");
  }
  if (goals.empty()) return fault(Status::goal_blocked, "every goal is a wall for this profile");
  std::sort(goals.begin(), goals.end(), [](const Goal& a, const Goal& b) {
    if (a.seed.place != b.seed.place) return a.seed.place < b.seed.place;
    return a.seed.offset != b.seed.offset ? a.seed.offset < b.seed.offset : a.index < b.index;
  });
  for (const Goal& goal : goals) {
    if (!to.seeds.empty() && to.seeds.back().place == goal.seed.place) continue;
    if (!to.seeds.push(goal.seed) || !to.goal.push(goal.index)) return no_memory_for("the field");
  }
  impl_->stops.clear();
  for (size_t i = 0; i < query.stop_count; ++i) {
    if (!to.asked.stops.push(query.stops[i])) return no_memory_for("the field");
    if (view.passable(query.stops[i]) &&
        !impl_->stops.push(to.table.place(grid, grid.id(query.stops[i]))))
      return no_memory_for("the field");
  }

  if (!impl_->moves_of(view, to.table)) return no_memory_for("the field");
  FieldRequest request;
  request.world = &world;
  request.seeds = to.seeds.data();
  request.seed_count = to.seeds.size();
  request.max_cost = query.max_cost;
  request.stops = impl_->stops.data();
  request.stop_count = impl_->stops.size();
  request.plain = plain;
  const Status status = impl_->search.run(request, &to.table);
  if (status == Status::out_of_memory) return no_memory_for("the field");
  if (status != Status::found) return fault(status, "distances do not fit 63 bits");
  std::swap(field->impl_, fresh.impl_);
  impl_->reuse(&fresh);
  return {};
}

Fault FieldMaker::update(const View& view, Field* field, FieldUpdate* how) noexcept {
  FieldUpdate unwanted;
  if (!how) how = &unwanted;
  *how = FieldUpdate::rebuilt;
  if (!field || field->empty()) return fault(Status::bad_argument, "the field is empty");
  if (Fault f = check_whole(view)) return f;
  if (!impl_) impl_ = new (std::nothrow) Impl;
  if (!impl_) return no_memory_for("the field");
  Field::Impl& impl = *field->impl_;
  const WorldView &before = impl.world(), &now = view.impl()->world;
  if (!same_ground(before, now))
    return fault(Status::bad_argument, "the view is of another map or profile");
  const CellCosts &c = before.costs, &d = now.costs;
  const bool same_units = c.uniform == d.uniform && c.unit == d.unit &&
                          c.steps.straight == d.steps.straight && c.weighted == d.weighted &&
                          std::equal(c.terrain_units, c.terrain_units + 256, d.terrain_units) &&
                          (c.least_weight == 0) == (d.least_weight == 0);
  // Where a field ends at stops depends on all of it; goals that were blocked may have come free.
  bool whole = impl.asked.stops.empty();
  for (const Cell goal : impl.asked.goals)
    whole = whole && impl.view.passable(goal) == view.passable(goal);
  FieldRepair::End end = FieldRepair::End::given_up;
  if (&before == &now) {
    end = FieldRepair::End::held;
  } else if (same_units && whole) {
    end = impl_->repair.run(before, now, impl.seeds.data(), impl.seeds.size(), &impl.table);
  }
  if (end != FieldRepair::End::given_up) {
    impl.view = view;
    *how = end == FieldRepair::End::held ? FieldUpdate::kept : FieldUpdate::repaired;
    return {};
  }
  FieldQuery query;
  query.goals = impl.asked.goals.data();
  query.goal_count = impl.asked.goals.size();
  query.offsets = impl.asked.offsets.empty() ? nullptr : impl.asked.offsets.data();
  query.stops = impl.asked.stops.empty() ? nullptr : impl.asked.stops.data();
  query.stop_count = impl.asked.stops.size();
  query.max_cost = impl.asked.max_cost;
  return build(view, query, field);
}

}  // namespace octile
