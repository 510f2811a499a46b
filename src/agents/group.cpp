// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// An order for a group, in four steps: which units can reach the goal at all; places for them, no
// two of which overlap; how far it is from each unit to each place; who takes which.

#include "octile/groups.hpp"

#include <algorithm>
#include <cmath>

#include "agents/agent_kinds.hpp"
#include "agents/assignment.hpp"
#include "agents/spread.hpp"
#include "fields/field_search.hpp"
#include "octile/fields.hpp"
#include "search/nearest.hpp"

namespace octile {

namespace {

constexpr int32_t kMostSpacing = 32;
constexpr size_t kMostAssigned = 512;        // units of one View whose choice is the best one
constexpr int32_t kWidestPassage = 255;      // wider ones count as this, in cells
constexpr uint64_t kMostCells = 128u << 20;  // of the fields that tell distances without an index

const char* refuse_views(const View* views, size_t view_count, const GroupUnit* units, size_t count,
                         const GroupOptions& o, const GroupSlot* slots) noexcept {
  if (const char* wrong = refuse_kinds(views, view_count)) return wrong;
  if (count > 0 && (!units || !slots)) return "units and slots must not be null";
  if (count > UINT32_MAX / 2) return "too many units";
  for (size_t i = 0; i < count; ++i)
    if (units[i].view >= view_count) return "a unit names a view that is not there";
  if (o.formation > Formation::keep_shape) return "formation has no such value";
  if (o.spacing < 0 || o.spacing > kMostSpacing) return "spacing must be from 0 to 32";
  if (o.files < GroupOptions::kFilesByPassage) return "files must be 0 or more, or kFilesByPassage";
  if (o.friend_count > 0 && !o.friends) return "friend_count is set, but friends is null";
  return nullptr;
}

// Units of one View and one component of it.
struct Troop {
  uint32_t view;
  uint32_t component;
  size_t first, count;  // in the list of members
  CellId origin;        // its slots lie round this place
  Status status;        // of those who get one
};

class Order {
 public:
  Order(Searcher& searcher, const View* views, const GroupUnit* units, size_t count, Cell goal,
        const GroupOptions& options, GroupSlot* slots, GroupAnswer* answer) noexcept
      : searcher_(searcher),
        views_(views),
        units_(units),
        count_(count),
        goal_(goal),
        options_(options),
        slots_(slots),
        answer_(*answer) {}

  // False: wrong() tells why, or memory is short.
  bool run() noexcept {
    answer_ = {};
    if (!muster()) return false;
    face();
    if (!meet_friends()) return false;
    if (options_.formation != Formation::compact && !lay_out()) return false;
    for (const Troop& troop : troops_) {
      if (!find_places(troop) || !measure(troop)) return false;
      if (options_.formation == Formation::keep_shape ? !keep(troop) : !assign(troop)) return false;
    }
    for (size_t i = 0; i < count_; ++i) {
      const GroupSlot& slot = slots_[i];
      if (slot.status != Status::found && slot.status != Status::partial) {
        ++answer_.left;
        continue;
      }
      ++(slot.status == Status::found ? answer_.placed : answer_.partial);
      answer_.longest = std::max(answer_.longest, slot.distance);
      answer_.total += slot.distance;
    }
    int64_t front = INT64_MIN;
    for (size_t i = 0; i < count_; ++i)
      if (slots_[i].distance != kWall) front = std::max(front, forward(slots_[i].cell));
    for (size_t i = 0; i < count_; ++i) {
      GroupSlot& slot = slots_[i];
      if (slot.distance == kWall) continue;
      slot.rank = static_cast<uint32_t>(std::min<int64_t>(front - forward(slot.cell), UINT32_MAX));
      if (answer_.longest > 0) slot.pace = slot.distance / answer_.longest;
    }
    return true;
  }
  const Fault& wrong() const noexcept { return wrong_; }

 private:
  const WorldView& world(uint32_t view) const noexcept { return views_[view].impl()->world; }

  // 1. Troops, the largest units first, then in the order of their first units.
  bool muster() noexcept {
    for (size_t i = 0; i < count_; ++i) {
      const View& view = views_[units_[i].view];
      GroupSlot& slot = slots_[i];
      slot = {Status::no_path, units_[i].cell, kWall, 0, 0};
      if (!view.contains(units_[i].cell)) {
        slot.status = Status::start_out_of_bounds;
        continue;
      }
      if (!view.passable(units_[i].cell)) {
        slot.status = Status::start_blocked;
        continue;
      }
      const uint32_t component = view.component(units_[i].cell);
      Troop* known = nullptr;
      for (Troop& t : troops_)
        if (t.view == units_[i].view && t.component == component) known = &t;
      if (!known) {
        if (!troops_.push({units_[i].view, component, i, 0, kNoCell, Status::found})) return false;
        known = &troops_.back();
      }
      ++known->count;
    }
    std::sort(troops_.begin(), troops_.end(), [&](const Troop& a, const Troop& b) {
      const Profile &p = views_[a.view].profile(), &q = views_[b.view].profile();
      const int32_t one = p.width * p.height, other = q.width * q.height;
      return one != other ? one > other : a.first < b.first;
    });
    if (!members_.reserve(count_)) return false;
    for (Troop& troop : troops_) {
      const size_t first = members_.size();
      for (size_t i = troop.first; i < count_; ++i) {
        if (units_[i].view == troop.view && slots_[i].status == Status::no_path &&
            views_[troop.view].component(units_[i].cell) == troop.component)
          members_.push(static_cast<uint32_t>(i));
      }
      troop.first = first;
      if (!aim(&troop)) return false;
    }
    return true;
  }

  // Where the slots of a troop begin: the goal, or the place nearest to it.
  bool aim(Troop* troop) noexcept {
    const WorldView& w = world(troop->view);
    const CellId goal = w.map.grid.id(goal_);
    if (w.layer.passable(goal) && w.components.of(goal) == troop->component) {
      troop->origin = goal;
      return true;
    }
    Cost least = UINT64_MAX, own = UINT64_MAX;
    if (!nearest_free(w, w.layer, goal, UINT32_MAX, kAnyComponent, &least, &ties_) ||
        !nearest_free(w, w.layer, goal, UINT32_MAX, troop->component, &own, &ties_))
      return false;
    troop->status = own == least ? Status::found : Status::partial;
    if (troop->status == Status::found || options_.allow_partial) troop->origin = ties_[0];
    return true;
  }

  // 2. The middle of the units, and which of eight directions the formation looks to.
  void face() noexcept {
    double x = 0, y = 0;
    for (const uint32_t i : members_) {
      x += units_[i].cell.x;
      y += units_[i].cell.y;
    }
    const auto n = static_cast<double>(std::max<size_t>(members_.size(), 1));
    middle_x_ = std::floor(x / n + 0.5);
    middle_y_ = std::floor(y / n + 0.5);
    double fx = options_.facing.x, fy = options_.facing.y;
    if (fx == 0 && fy == 0) fx = goal_.x - middle_x_, fy = goal_.y - middle_y_;
    // The nearest of eight: a component below tan(22.5 degrees) of the other one does not count.
    const double ax = std::fabs(fx), ay = std::fabs(fy);
    const double kFlat = 0.41421356237309503;
    forward_x_ = ax <= kFlat * ay ? 0 : fx > 0 ? 1 : -1;
    forward_y_ = ay <= kFlat * ax ? (ax == 0 ? -1 : 0) : fy > 0 ? 1 : -1;
  }
  int64_t forward(Cell cell) const noexcept {
    return int64_t{cell.x} * forward_x_ + int64_t{cell.y} * forward_y_;
  }

  // What friends cost on the way from the middle to the goal; those that rest keep their cells.
  bool meet_friends() noexcept {
    const size_t n = options_.friend_count;
    if (!waits_.resize(n)) return false;
    wrong_ = friend_costs({static_cast<int32_t>(middle_x_), static_cast<int32_t>(middle_y_)}, goal_,
                          options_.friends, n, options_.friend_costs, waits_.data());
    if (wrong_) return false;
    const TileGrid& grid = world(0).map.grid;
    for (size_t i = 0; i < n; ++i) {
      const GroupFriend& f = options_.friends[i];
      if ((f.heading.x != 0 || f.heading.y != 0) && f.speed > 0) continue;
      if (!grid.contains(f.cell)) continue;
      const int32_t s = options_.spacing;
      for (int32_t y = -s; y <= s; ++y)
        for (int32_t x = -s; x <= s; ++x) {
          const Cell cell{f.cell.x + x, f.cell.y + y};
          if (!grid.contains(cell) || claimed_.find(grid.id(cell))) continue;
          if (!claimed_.add(grid.id(cell), 0)) return false;
        }
    }
    return true;
  }

  // How many units stand side by side in the narrowest place of the way to the goal: of the squares
  // of free places that cover a cell of the way, the largest counts, and of all cells the least. At
  // most *files.
  bool pass_abreast(size_t pitch, size_t* files) noexcept {
    const Troop* troop = nullptr;
    for (const Troop& t : troops_)
      if (!troop && t.origin != kNoCell) troop = &t;
    if (!troop) return true;
    // 1. The way of the unit next to the middle, of the largest ones.
    const View& view = views_[troop->view];
    const auto far = [&](size_t i) {
      const double x = unit(*troop, i).cell.x - middle_x_, y = unit(*troop, i).cell.y - middle_y_;
      return x * x + y * y;
    };
    size_t first = 0;
    for (size_t i = 1; i < troop->count; ++i)
      if (far(i) < far(first)) first = i;
    Query query;
    query.start = unit(*troop, first).cell;
    query.goal = world(troop->view).map.grid.cell(troop->origin);
    find(searcher_, view, query, way_);
    if (way_.status == Status::out_of_memory) return false;
    if (way_.status != Status::found) return true;
    // 2. Its narrowest place. The square of the last cell mostly does for the next one as well.
    auto most = static_cast<int32_t>(std::min<size_t>((*files - 1) * pitch + 1, kWidestPassage));
    Cell corner{};  // of the last square, whose sides are `side`
    int32_t side = 0;
    for (size_t i = 0; i < way_.size() && most > 1; ++i) {
      const Cell c = way_.cells()[i];
      if (side >= most && c.x >= corner.x && c.y >= corner.y && c.x < corner.x + side &&
          c.y < corner.y + side)
        continue;
      if (!largest_square(view, c, most, &corner, &side)) return false;
      most = std::min(most, side);
    }
    *files = std::min(*files, static_cast<size_t>(most - 1) / pitch + 1);
    return true;
  }
  // The largest square of passable places with sides up to `most` that covers a cell, of equal ones
  // that with the cell nearest to its middle.
  bool largest_square(const View& view, Cell c, int32_t most, Cell* corner,
                      int32_t* side) noexcept {
    const int32_t n = 2 * most - 1;
    if (!squares_.assign(static_cast<size_t>(n) + 1, 0)) return false;
    int32_t best = 0, aside = INT32_MAX;
    for (int32_t y = 0; y < n; ++y) {
      int32_t before = 0;  // that of the row above, a column to the left
      for (int32_t x = 0; x < n; ++x) {
        int32_t& here = squares_[static_cast<size_t>(x) + 1];
        const int32_t above = here;
        const Cell cell{c.x - most + 1 + x, c.y - most + 1 + y};
        here = !view.passable(cell)
                   ? 0
                   : 1 + std::min({above, before, squares_[static_cast<size_t>(x)]});
        before = above;
        const int32_t dx = cell.x - c.x, dy = cell.y - c.y, size = std::min(here, most);
        if (dx < 0 || dy < 0 || size <= std::max(dx, dy) || size < best) continue;
        const int32_t off = std::abs(2 * dx - size + 1) + std::abs(2 * dy - size + 1);
        if (size == best && off >= aside) continue;
        best = size;
        aside = off;
        *corner = {cell.x - size + 1, cell.y - size + 1};
      }
    }
    *side = best;
    return true;
  }

  // The places that a formation asks for, by cell: of units in the order of their slots.
  bool lay_out() noexcept {
    int32_t side = 1;
    const size_t n = members_.size();
    for (const uint32_t i : members_) {
      const Profile& p = views_[units_[i].view].profile();
      side = std::max(side, std::max(p.width, p.height));
    }
    if (!wanted_.resize(n)) return false;
    if (n == 0) return true;
    if (options_.formation == Formation::keep_shape) {
      for (size_t k = 0; k < n; ++k) {
        const Cell at = units_[members_[k]].cell;
        wanted_[k] = near(at.x - middle_x_, at.y - middle_y_);
      }
      return true;
    }
    const auto pitch = static_cast<double>(side + options_.spacing);
    // Rank counts backwards, file to the right.
    const auto at = [&](double rank, double file) {
      return near(std::floor(pitch * (-rank * forward_x_ - file * forward_y_) + 0.5),
                  std::floor(pitch * (-rank * forward_y_ + file * forward_x_) + 0.5));
    };
    if (options_.formation == Formation::wedge) {
      for (size_t k = 0; k < n; ++k) {
        const auto rank = static_cast<double>((k + 1) / 2);
        wanted_[k] = at(rank, k % 2 == 1 ? -rank : rank);
      }
      return true;
    }
    const bool box = options_.formation == Formation::box;
    const auto square = static_cast<size_t>(std::ceil(std::sqrt(double(n))));
    auto files = static_cast<size_t>(options_.files);
    if (options_.files == GroupOptions::kFilesByPassage) {
      files = square;
      if (!pass_abreast(static_cast<size_t>(pitch), &files)) return false;
    } else if (files == 0) {
      files = box ? square : 1;
    }
    files = std::min(files, n);
    const size_t ranks = (n + files - 1) / files;
    const double middle = box ? static_cast<double>(ranks - 1) / 2 : 0;
    for (size_t k = 0; k < n; ++k) {
      // The last rank stands in the middle as well.
      const size_t rank = k / files, abreast = std::min(files, n - rank * files);
      wanted_[k] = at(static_cast<double>(rank) - middle,
                      static_cast<double>(k % files) - static_cast<double>(abreast - 1) / 2);
    }
    // From the middle outwards, so that larger units, which choose first, stand there.
    std::sort(wanted_.begin(), wanted_.end(), [&](Cell a, Cell b) {
      const auto far = [&](Cell c) { return std::max(std::abs(c.x), std::abs(c.y)); };
      if (far(a) != far(b)) return far(a) < far(b);
      return a.y != b.y ? a.y < b.y : a.x < b.x;
    });
    return true;
  }
  // An offset from the goal, where far ones may be anywhere outside the map.
  static Cell near(double x, double y) noexcept {
    const auto clip = [](double v) {
      return static_cast<int32_t>(v > 1e9 ? 1e9 : v < -1e9 ? -1e9 : v);
    };
    return {clip(x), clip(y)};
  }

  // 3. The slots of a troop. places_ gets no more than it has units.
  bool find_places(const Troop& troop) noexcept {
    places_.clear();
    of_member_.clear();
    if (troop.origin == kNoCell) return true;
    if (!reached_.begin(world(troop.view), troop.origin)) return false;
    return options_.formation == Formation::compact ? nearest_places(troop) : wanted_places(troop);
  }

  bool nearest_places(const Troop& troop) noexcept {
    CellId place;
    Cost cost;
    while (places_.size() < troop.count && reached_.next(&place, &cost)) {
      bool free = false;
      if (!claim(troop.view, place, &free)) return false;
      if (free && !places_.push(place)) return false;
    }
    return !reached_.failed();
  }

  // For each place of the formation the free one nearest to it that is connected with the goal
  // nearby, ring by ring.
  bool wanted_places(const Troop& troop) noexcept {
    const WorldView& w = world(troop.view);
    const TileGrid& grid = w.map.grid;
    const Profile& p = w.profile;
    // 1. The surroundings.
    int64_t extent = 0;
    for (const Cell c : wanted_) extent = std::max<int64_t>({extent, std::abs(c.x), std::abs(c.y)});
    const int64_t pitch = std::max(p.width, p.height) + options_.spacing;
    const int64_t reach = std::min<int64_t>(2 * extent + 8 * pitch + 8, 1 << 20);
    const Cost far =
        static_cast<Cost>(reach) * w.costs.steps.diagonal * std::max<Cost>(w.costs.least_weight, 1);
    CellId place;
    Cost cost = 0;
    size_t order = 0;
    near_.clear();
    while (cost <= far && reached_.next(&place, &cost)) {
      if (!near_.push(place)) return false;
    }
    if (reached_.failed()) return false;
    inside_.clear();
    for (const CellId id : near_)
      if (!inside_.add(id, 0)) return false;
    // 2. Ring by ring.
    const Cell origin = grid.cell(troop.origin);
    const auto take = [&](Cell cell, bool* taken) {
      if (!grid.contains(cell) || !inside_.find(grid.id(cell))) return true;
      if (!claim(troop.view, grid.id(cell), taken)) return false;
      return !*taken || places_.push(grid.id(cell));
    };
    for (size_t k = 0; k < troop.count; ++k) {
      const size_t which = options_.formation == Formation::keep_shape ? troop.first + k : next_++;
      const int64_t cx = int64_t{origin.x} + wanted_[which].x + p.anchor.x - (p.width - 1) / 2;
      const int64_t cy = int64_t{origin.y} + wanted_[which].y + p.anchor.y - (p.height - 1) / 2;
      bool taken = false;
      for (int64_t r = 0; !taken && r <= 8 * pitch; ++r) {
        for (int64_t y = cy - r; !taken && y <= cy + r; ++y) {
          const bool edge = y == cy - r || y == cy + r;
          for (int64_t x = cx - r; !taken && x <= cx + r; x += edge || r == 0 ? 1 : 2 * r) {
            if (x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) continue;
            if (!take({static_cast<int32_t>(x), static_cast<int32_t>(y)}, &taken)) return false;
          }
        }
      }
      // None near it: the first one by the way from the goal.
      for (; !taken && order < near_.size(); ++order)
        if (!take(grid.cell(near_[order]), &taken)) return false;
      if (taken && !of_member_.push(static_cast<uint32_t>(k))) return false;
    }
    return true;
  }

  // Takes the cells under a unit of the View at `place`, if no other unit comes near them. False:
  // memory is short.
  bool claim(uint32_t view, CellId place, bool* taken) noexcept {
    const WorldView& w = world(view);
    const Footprint unit(w.profile);
    const Cell at = w.map.grid.cell(place);
    const Cell first{at.x - unit.anchor.x, at.y - unit.anchor.y};
    const auto each = [&](int32_t more, auto visit) {
      for (int32_t y = -more; y < unit.height + more; ++y) {
        for (int32_t x = -more; x < unit.width + more; ++x) {
          const Cell cell{first.x + x, first.y + y};
          if (w.map.grid.contains(cell) && !visit(w.map.grid.id(cell))) return false;
        }
      }
      return true;
    };
    *taken = each(0, [&](CellId cell) { return !claimed_.find(cell); });
    if (!*taken) return true;
    return each(options_.spacing,
                [&](CellId cell) { return claimed_.find(cell) || claimed_.add(cell, 0); });
  }

  // 4. costs_: from each place (rows) to each unit (columns) of the troop.
  bool measure(const Troop& troop) noexcept {
    exact_ = places_.empty();
    if (exact_) return true;
    if (!dearer_cells(troop)) return false;
    if (troop.count > kMostAssigned) return measure_to_goal(troop);
    const View& view = views_[troop.view];
    const WorldView& w = world(troop.view);
    const size_t rows = places_.size(), columns = troop.count;
    if (!costs_.resize(rows * columns)) return false;
    if (!dearer_ && view.index().info().kind == IndexKind::tile_labels) {
      if (!from_.resize(rows) || !to_.resize(columns)) return false;
      for (size_t i = 0; i < rows; ++i) from_[i] = w.map.grid.cell(places_[i]);
      for (size_t i = 0; i < columns; ++i) to_[i] = unit(troop, i).cell;
      const Fault f =
          distances(searcher_, view, from_.data(), rows, to_.data(), columns, costs_.data());
      exact_ = !f;
      return exact_;
    }
    const uint64_t cells =
        static_cast<uint64_t>(view.width()) * static_cast<uint64_t>(view.height());
    if (rows * cells > kMostCells) return measure_to_goal(troop);
    for (size_t i = 0; i < rows; ++i) {
      Status status;
      if (!field_to(troop, places_[i], &status)) return false;
      if (status != Status::found) return measure_to_goal(troop);
      for (size_t k = 0; k < columns; ++k)
        costs_[i * columns + k] = far(troop, unit(troop, k).cell);
    }
    exact_ = true;
    return true;
  }

  // The costs of friends as the troop pays them. The moves of its View are read when they are
  // needed.
  bool dearer_cells(const Troop& troop) noexcept {
    dearer_ = moves_read_ = false;
    if (waits_.empty()) return true;
    const Overlay::Result result =
        overlay_.begin(world(troop.view), nullptr, 0, waits_.data(), waits_.size());
    if (result.status == Status::out_of_memory) return false;
    if (result.status != Status::found) wrong_ = fault(result.status, result.text);
    dearer_ = overlay_.active();
    return !wrong_;
  }

  // field_: the ways from all units and places of the troop to one place. *status may be
  // cost_overflow. False: memory is short.
  bool field_to(const Troop& troop, CellId goal, Status* status) noexcept {
    const TileGrid& grid = world(troop.view).map.grid;
    to_.clear();
    for (size_t i = 0; i < troop.count; ++i)
      if (!to_.push(unit(troop, i).cell)) return false;
    for (const CellId place : places_)
      if (!to_.push(grid.cell(place))) return false;
    if (dearer_) return dearer_field_to(troop, goal, status);
    const Cell cell = grid.cell(goal);
    FieldQuery query;
    query.goals = &cell;
    query.goal_count = 1;
    query.stops = to_.data();
    query.stop_count = to_.size();
    *status = maker_.build(views_[troop.view], query, &field_).status;
    return *status != Status::out_of_memory;
  }
  // The same past friends, in dearer_field_.
  bool dearer_field_to(const Troop& troop, CellId goal, Status* status) noexcept {
    const WorldView& w = world(troop.view);
    const TileGrid& grid = w.map.grid;
    if (!moves_read_) {
      moves_read_ = dearer_field_.shape(grid) && search_.read_moves(w, dearer_field_);
      if (!moves_read_) return false;
    }
    stops_.clear();
    for (const Cell cell : to_)
      if (!stops_.push(dearer_field_.place(grid, grid.id(cell)))) return false;
    const FieldSeed seed{dearer_field_.place(grid, goal), 0};
    FieldRequest request;
    request.world = &w;
    request.seeds = &seed;
    request.seed_count = 1;
    request.stops = stops_.data();
    request.stop_count = stops_.size();
    request.dearer = &overlay_;
    *status = search_.run(request, &dearer_field_);
    return *status != Status::out_of_memory;
  }
  // From a cell to where the field leads.
  double far(const Troop& troop, Cell cell) const noexcept {
    if (!dearer_) return field_.distance(cell);
    const TileGrid& grid = world(troop.view).map.grid;
    return dearer_field_.real(dearer_field_.at(dearer_field_.place(grid, grid.id(cell))),
                              overlay_.costs());
  }

  const GroupUnit& unit(const Troop& troop, size_t i) const noexcept {
    return units_[members_[troop.first + i]];
  }
  void give(const Troop& troop, size_t i, size_t place, double distance) noexcept {
    slots_[members_[troop.first + i]] = {
        troop.status, world(troop.view).map.grid.cell(places_[place]), distance, 0, 0};
  }

  // 5. Who takes which.
  bool assign(const Troop& troop) noexcept {
    if (places_.empty()) return true;
    const size_t columns = troop.count;
    if (exact_) {
      if (!assign_columns(costs_.data(), places_.size(), columns, &takes_)) return false;
      for (size_t i = 0; i < places_.size(); ++i)
        give(troop, takes_[i], i, costs_[i * columns + takes_[i]]);
      return true;
    }
    answer_.optimal = false;
    return exchange(troop);
  }

  // The shape is kept: every place is of the unit it was found for.
  bool keep(const Troop& troop) noexcept {
    if (!exact_) answer_.optimal = false;
    for (size_t i = 0; i < places_.size(); ++i) {
      const size_t k = of_member_[i];
      give(troop, k, i, exact_ ? costs_[i * troop.count + k] : bound(troop, k, i));
    }
    return true;
  }

  // No way from the unit to the place costs less: by the empty grid, and by what is known of the
  // ways from both to the goal.
  double bound(const Troop& troop, size_t i, size_t place) const noexcept {
    const View& view = views_[troop.view];
    const Cell cell = world(troop.view).map.grid.cell(places_[place]);
    const double least = view.estimate(unit(troop, i).cell, cell);
    if (to_goal_.empty()) return least;
    // There and back cost the same on uniform maps alone.
    const double detour = to_goal_[i] - to_goal_[troop.count + place];
    return std::max(least, view.uniform() && !dearer_ ? std::fabs(detour) : detour);
  }

  // Too many units, or too far away: the nearest unit takes the place that lies farthest behind,
  // then pairs exchange their places while the longer of their two ways gets shorter, or both.
  bool exchange(const Troop& troop) noexcept {
    const size_t n = troop.count, m = places_.size();
    if (!by_way_.resize(n) || !sum_.resize(std::max(n, m))) return false;
    const Cell origin = world(troop.view).map.grid.cell(troop.origin);
    for (size_t i = 0; i < n; ++i) {
      by_way_[i] = static_cast<uint32_t>(i);
      sum_[i] =
          to_goal_.empty() ? views_[troop.view].estimate(unit(troop, i).cell, origin) : to_goal_[i];
    }
    std::sort(by_way_.begin(), by_way_.end(), [&](uint32_t a, uint32_t b) {
      return sum_[a] != sum_[b] ? sum_[a] < sum_[b] : a < b;
    });
    const uint32_t middle = by_way_[n / 2];
    if (!order_.resize(m)) return false;
    for (size_t i = 0; i < m; ++i) {
      order_[i] = static_cast<uint32_t>(i);
      sum_[i] = bound(troop, middle, i);
    }
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      return sum_[a] != sum_[b] ? sum_[a] > sum_[b] : a < b;
    });
    // by_way_[k] has the place order_[k]; those beyond have none.
    for (int pass = 0; pass < 4; ++pass) {
      for (size_t stride = 1; stride < m; stride *= 2) {
        for (size_t k = 0; k + stride < m; ++k) {
          uint32_t &one = by_way_[k], &other = by_way_[k + stride];
          const uint32_t here = order_[k], there = order_[k + stride];
          const double a = bound(troop, one, here), b = bound(troop, other, there);
          const double c = bound(troop, one, there), d = bound(troop, other, here);
          const double now = std::max(a, b), then = std::max(c, d);
          if (then < now || (then == now && c + d < a + b)) std::swap(one, other);
        }
      }
    }
    for (size_t k = 0; k < m; ++k)
      give(troop, by_way_[k], order_[k], bound(troop, by_way_[k], order_[k]));
    return true;
  }

  // to_goal_: from each unit, then from each place, to where the slots are; empty on maps so large
  // that one field is too much.
  bool measure_to_goal(const Troop& troop) noexcept {
    to_goal_.clear();
    const View& view = views_[troop.view];
    if (static_cast<uint64_t>(view.width()) * static_cast<uint64_t>(view.height()) > kMostCells)
      return true;
    Status status;
    if (!field_to(troop, troop.origin, &status)) return false;
    if (status != Status::found) return true;
    for (const Cell cell : to_)
      if (!to_goal_.push(far(troop, cell))) return false;
    return true;
  }

  Searcher& searcher_;
  const View* views_;
  const GroupUnit* units_;
  size_t count_;
  Cell goal_;
  const GroupOptions& options_;
  GroupSlot* slots_;
  GroupAnswer& answer_;

  Buffer<Troop> troops_;
  Buffer<uint32_t> members_;  // troop by troop
  Buffer<CellId> ties_;
  double middle_x_ = 0, middle_y_ = 0;
  int32_t forward_x_ = 0, forward_y_ = 0;
  Buffer<Cell> wanted_;  // offsets from the goal
  size_t next_ = 0;      // of them
  CellTable<uint8_t> claimed_, inside_;
  Fault wrong_;
  Buffer<ExtraCost> waits_;  // by friend
  Path way_;
  Buffer<int32_t> squares_;  // by column: the largest that ends there
  // Of the present troop.
  Spread reached_;
  Buffer<CellId> near_, places_;
  Buffer<uint32_t> of_member_;  // by place, in formations that keep their shape
  bool exact_ = false;
  Buffer<double> costs_, to_goal_, sum_;
  FieldMaker maker_;
  Field field_;
  bool dearer_ = false;  // friends are in the way
  bool moves_read_ = false;
  Overlay overlay_;
  FieldSearch search_;
  FieldTable dearer_field_;
  Buffer<uint32_t> stops_;
  Buffer<Cell> from_, to_;
  Buffer<uint32_t> takes_, by_way_, order_;
};

}  // namespace

const char* name(Formation formation) noexcept {
  switch (formation) {
    case Formation::compact:
      return "compact";
    case Formation::box:
      return "box";
    case Formation::column:
      return "column";
    case Formation::wedge:
      return "wedge";
    case Formation::keep_shape:
      return "keep_shape";
  }
  return "";
}

Fault order_group(Searcher& searcher, const View* views, size_t view_count, const GroupUnit* units,
                  size_t count, Cell goal, const GroupOptions& options, GroupSlot* slots,
                  GroupAnswer* answer) noexcept {
  GroupAnswer own;
  if (const char* text = refuse_views(views, view_count, units, count, options, slots))
    return fault(Status::bad_argument, text);
  for (size_t i = 0; i < view_count; ++i)
    if (Fault f = check_whole(views[i])) return f;
  if (!views[0].contains(goal))
    return fault(Status::goal_out_of_bounds, "the goal lies outside the map");
  Order order(searcher, views, units, count, goal, options, slots, answer ? answer : &own);
  if (order.run()) return {};
  return order.wrong() ? order.wrong() : no_memory_for("the group");
}

}  // namespace octile
