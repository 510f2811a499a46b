// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "engine/wanted.hpp"

#include <algorithm>
#include <cstdlib>

namespace octile {

namespace {

// The absent tiles among those that are looked at, each once, in that order.
class Wanted {
 public:
  Wanted(const WorldView& world, Buffer<uint32_t>* tiles) noexcept
      : map_(world.map), unit_(world.profile), tiles_(*tiles) {}

  bool fits() const noexcept { return fits_; }
  void tile(uint32_t at) noexcept {
    if (at == last_) return;
    last_ = at;
    if (map_.absent(at) && std::find(tiles_.begin(), tiles_.end(), at) == tiles_.end())
      fits_ = fits_ && tiles_.push(at);
  }
  // What a unit covers; it has at most 64 cells a side, so its corners lie in all of its tiles.
  void place(Cell c) noexcept {
    const int32_t left = c.x - unit_.anchor.x, top = c.y - unit_.anchor.y;
    cell({left, top});
    if (unit_.one_cell()) return;
    cell({left + unit_.width - 1, top});
    cell({left, top + unit_.height - 1});
    cell({left + unit_.width - 1, top + unit_.height - 1});
  }
  // From one cell or waypoint to the next. Diagonal steps pass the places beside them; other lines,
  // of smoothed ways, all that they touch.
  void leg(Cell from, Cell to) noexcept {
    const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;
    const int64_t n = std::max<int64_t>({std::abs(dx), std::abs(dy), 1});
    const auto down = [n](int64_t a) { return a >= 0 ? a / n : -((-a + n - 1) / n); };
    const auto at = [&](int64_t x, int64_t y) {
      place({static_cast<int32_t>(from.x + x), static_cast<int32_t>(from.y + y)});
    };
    const bool diagonal = dx == dy || dx == -dy;
    for (int64_t k = 0; k <= n; ++k) {
      const int64_t x = down(dx * k), y = down(dy * k);
      at(x, y);
      if (diagonal && k < n) {
        at(down(dx * (k + 1)), y);
        at(x, down(dy * (k + 1)));
      } else if (!diagonal) {
        at(-down(-dx * k), -down(-dy * k));
      }
    }
  }

 private:
  void cell(Cell c) noexcept {
    if (map_.grid.contains(c)) tile(map_.grid.id(c) >> 12);
  }

  const Snapshot& map_;
  const Footprint unit_;
  Buffer<uint32_t>& tiles_;
  uint32_t last_ = 0;  // a tile of the ring
  bool fits_ = true;
};

void look_along(const Path& path, Wanted* wanted) noexcept {
  for (size_t i = 0; i < path.size(); ++i) {
    if (i + 1 < path.size()) {
      wanted->leg(path.cells()[i], path.cells()[i + 1]);
    } else {
      wanted->place(path.cells()[i]);
    }
  }
}

// True, since the query has ended.
bool end_empty(Path* path, Status status, const char* message) noexcept {
  path->clear();
  path->status = status;
  path->message = message;
  path->cost = 0;
  path->cost_units = 0;
  path->bound = 1;
  path->goal_index = 0;
  return true;
}

bool end_wanted(const WorldView& world, const Searcher::Impl& s, bool fits, Path* path) noexcept {
  end_empty(path, Status::not_loaded, "the answer depends on tiles that are absent");
  Cell* out = fits ? path->resize(s.wanted.size()) : nullptr;
  if (!out) return end_empty(path, Status::out_of_memory, "memory is short");
  for (const uint32_t tile : s.wanted) *out++ = world.map.grid.cell(tile << 12);
  return true;
}

}  // namespace

bool want_start(const WorldView& world, Searcher::Impl& s, Path* path) noexcept {
  s.wanted.clear();
  if (!world.costs.ground_cheapest) {
    return end_empty(path, Status::bad_argument,
                     "tiles are absent, and MapDef::terrain is not the cheapest for this profile");
  }
  Wanted wanted(world, &s.wanted);
  wanted.place(world.map.grid.cell(s.task.start));
  return s.wanted.empty() && wanted.fits() ? false : end_wanted(world, s, wanted.fits(), path);
}

bool note_goal(const WorldView& world, CellId goal, Searcher::Impl& s) noexcept {
  Wanted wanted(world, &s.wanted);
  wanted.place(world.map.grid.cell(goal));
  return wanted.fits();
}

void want_tiles(const WorldView& world, Searcher::Impl& s, Path* path) noexcept {
  const Status status = path->status;
  const bool reached = status == Status::found || status == Status::limit_reached;
  if (!reached && status != Status::partial && status != Status::no_path &&
      status != Status::goal_blocked)
    return;
  Wanted wanted(world, &s.wanted);
  if (reached) {
    // Goals that are farther away than the one that was reached, or than the limit, do not matter.
    s.wanted.clear();
  } else {
    // Where snapping led to may be a wall.
    wanted.place(world.map.grid.cell(s.task.start));
    for (const CellId aim : s.aims) wanted.place(world.map.grid.cell(aim));
  }
  look_along(*path, &wanted);
  if (!s.wanted.empty() || !wanted.fits()) end_wanted(world, s, wanted.fits(), path);
}

bool all_loaded(const WorldView& world, const Path& path, Searcher::Impl& s) noexcept {
  s.wanted.clear();
  Wanted wanted(world, &s.wanted);
  look_along(path, &wanted);
  return s.wanted.empty() && wanted.fits();
}

}  // namespace octile
