// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Distances without paths: one pair, and a matrix of many. With tile labels a matrix is filled hub
// by hub: the distances of all targets to a hub lie side by side, so a row takes one addition and
// one comparison for each hub of the source and each target that knows it. Whether the line between
// source and target is free nobody looks up: how far one can go from either end is known.

#include "engine/searcher.hpp"
#include "engine/view.hpp"
#include "index/label_common.hpp"

namespace octile {

namespace {

// Tile labels of the View, if they answer for it.
const LabelTables* tile_labels(const View& view) noexcept {
  const View::Impl* impl = view.impl();
  return impl && impl->index && !impl->world.map.absent_tiles &&
                 impl->index->info.kind == IndexKind::tile_labels
             ? &impl->index->labels
             : nullptr;
}

// Both cells, if they are passable; their tiles are on their way into the cache.
bool ends(const View& view, const LabelTables& tables, Cell start, Cell goal, Point* s,
          Point* t) noexcept {
  const TileGrid& grid = view.impl()->world.map.grid;
  if (!grid.contains(start) || !grid.contains(goal)) return false;
  *s = point_of(grid, start);
  *t = point_of(grid, goal);
  tables.prefetch(*s);
  tables.prefetch(*t);
  return tables.sight.passable(*s) && tables.sight.passable(*t);
}

// Lengths in the sums of an index, as real costs.
class RealLength {
 public:
  RealLength(const View& view, const LabelTables& tables) noexcept : tables_(tables) {
    const CellCosts& costs = view.impl()->world.costs;
    straight_ = costs.real.straight;
    diagonal_ = costs.real.diagonal;
    unit_ = costs.unit;
  }
  double operator()(uint32_t length) const noexcept {
    if (length >= kFar) return kWall;
    uint32_t steps, diagonal;
    tables_.steps_of(length, &steps, &diagonal);
    return (static_cast<int32_t>(steps - diagonal) * straight_ +
            static_cast<int32_t>(diagonal) * diagonal_) *
           unit_;
  }

 private:
  const LabelTables& tables_;
  double straight_, diagonal_, unit_;
};

Query plain(Cell start, Cell goal) noexcept {
  Query query;
  query.start = start;
  query.goal = goal;
  query.output = Output::waypoints;
  return query;
}

// The label distances of many cells, hub by hub.
class Targets {
 public:
  bool build(const View& view, const LabelTables& tables, size_t hubs, const Cell* cell,
             size_t count, Buffer<uint32_t>* room) noexcept {
    tables_ = &tables;
    count_ = count;
    if (!x_.assign(count, 0) || !y_.assign(count, 0) || !first_.assign(hubs + 1, 0)) return false;
    for (Buffer<int32_t>& steps : straight_)
      if (!steps.assign(count, -1)) return false;
    // The labels in the order of the targets, then sorted by hub.
    struct Entry {
      uint32_t hub, target, length;
    };
    Buffer<Entry> entries;
    for (size_t i = 0; i < count; ++i) {
      if (!view.passable(cell[i])) continue;
      const Point p = point_of(view.impl()->world.map.grid, cell[i]);
      x_[i] = static_cast<int32_t>(p.x);
      y_[i] = static_cast<int32_t>(p.y);
      for (uint32_t d = 0; d < 4; ++d)
        straight_[d][i] = static_cast<int32_t>(tables.sight.free_steps(p, 2 * d));
      bool room_left = true;
      each_hub(tables, p, room->data(), [&](uint32_t hub, uint32_t length) {
        ++first_[hub + 1];
        room_left = room_left && entries.push({hub, static_cast<uint32_t>(i), length});
      });
      if (!room_left) return false;
    }
    for (size_t h = 0; h < hubs; ++h) first_[h + 1] += first_[h];
    Buffer<size_t> at;
    if (!at.resize(hubs) || !target_.resize(first_[hubs]) || !length_.resize(first_[hubs]))
      return false;
    for (size_t h = 0; h < hubs; ++h) at[h] = first_[h];
    for (const Entry& e : entries) {
      target_[at[e.hub]] = e.target;
      length_[at[e.hub]++] = e.length;
    }
    // Hubs that most targets know get a full row.
    size_t rows = 0;
    if (!row_.assign(hubs, SIZE_MAX)) return false;
    for (size_t h = 0; h < hubs; ++h)
      if (4 * (first_[h + 1] - first_[h]) > count) row_[h] = rows++ * count;
    if (!full_.assign(rows * count, kFar)) return false;
    for (size_t h = 0; h < hubs; ++h)
      if (row_[h] != SIZE_MAX)
        for (size_t k = first_[h]; k < first_[h + 1]; ++k) full_[row_[h] + target_[k]] = length_[k];
    return true;
  }

  // The lengths of the shortest paths from one cell; `least` has a place for each target.
  void shortest(Point source, uint32_t* room, uint32_t* least) const noexcept {
    for (size_t i = 0; i < count_; ++i) least[i] = kFar;
    each_hub(*tables_, source, room, [&](uint32_t hub, uint32_t length) {
      if (row_[hub] != SIZE_MAX) {
        kernel_.lower(least, full_.data() + row_[hub], length, count_);
        return;
      }
      for (size_t k = first_[hub]; k < first_[hub + 1]; ++k) {
        const uint32_t sum = length_[k] + length;
        if (sum < least[target_[k]]) least[target_[k]] = sum;
      }
    });
    lines(source, least);
  }

 private:
  // A free line is shorter than any way over hubs, or as short. Its diagonal part is within the
  // free steps of the source, its straight part within those of the target. Nothing branches, and
  // all loads are done anyway: this becomes vectors.
  void lines(Point source, uint32_t* least) const noexcept {
    const auto diagonal = [&](uint32_t direction) {
      return static_cast<int32_t>(tables_->sight.free_steps(source, direction));
    };
    const int32_t north_east = diagonal(kNorthEast), south_east = diagonal(kSouthEast),
                  south_west = diagonal(kSouthWest), north_west = diagonal(kNorthWest);
    const auto x = static_cast<int32_t>(source.x), y = static_cast<int32_t>(source.y);
    const uint32_t straight = tables_->steps.straight, extra = tables_->steps.diagonal - straight;
    const int32_t* const xs = x_.data();
    const int32_t* const ys = y_.data();
    const int32_t* const north = straight_[kNorth / 2].data();
    const int32_t* const east = straight_[kEast / 2].data();
    const int32_t* const south = straight_[kSouth / 2].data();
    const int32_t* const west = straight_[kWest / 2].data();
    // By masks: the compiler would make branches of choices.
    const auto pick = [](int32_t mask, int32_t yes, int32_t no) {
      return no ^ ((yes ^ no) & mask);
    };
    for (size_t i = 0; i < count_; ++i) {
      const int32_t dx = xs[i] - x, dy = ys[i] - y;
      const int32_t to_west = dx >> 31, to_north = dy >> 31;
      const int32_t ax = (dx ^ to_west) - to_west, ay = (dy ^ to_north) - to_north;
      const int32_t steep = (ax - ay) >> 31;
      const int32_t low = pick(steep, ax, ay), high = ax ^ ay ^ low;
      const int32_t from_source = pick(to_north, pick(to_west, north_west, north_east),
                                       pick(to_west, south_west, south_east));
      // Backwards.
      const int32_t from_target =
          pick(steep, pick(to_north, south[i], north[i]), pick(to_west, east[i], west[i]));
      const uint32_t line =
          static_cast<uint32_t>(high) * straight + static_cast<uint32_t>(low) * extra;
      const int32_t blocked = (from_source - low) | (from_target - (high - low));
      least[i] = static_cast<uint32_t>(
          pick(blocked >> 31, static_cast<int32_t>(least[i]), static_cast<int32_t>(line)));
    }
  }

  const LabelKernel& kernel_ = label_kernel();
  const LabelTables* tables_ = nullptr;
  size_t count_ = 0;
  Buffer<int32_t> x_, y_;
  Buffer<int32_t> straight_[4];  // by direction / 2: free steps; -1 where nobody can stand
  Buffer<size_t> first_;         // by hub: its targets
  Buffer<uint32_t> target_, length_;
  Buffer<size_t> row_;  // by hub: its full row, or SIZE_MAX
  Buffer<uint32_t> full_;
};

}  // namespace

double distance(Searcher& searcher, const View& view, Cell start, Cell goal) noexcept {
  const LabelTables* tables = tile_labels(view);
  if (!tables) {
    Path path;
    find(searcher, view, plain(start, goal), path);
    return path.status == Status::found ? path.cost : kWall;
  }
  Point s, t;
  if (!ends(view, *tables, start, goal, &s, &t)) return kWall;
  if (tables->sight.line_free(s, t)) return RealLength(view, *tables)(tables->steps.line(s, t));
  uint32_t* room = label_room(searcher, 2 * size_t{tables->room()});
  if (!room) return kWall;
  Meeting meeting;
  label_kernel().meet(*tables, s, t, room, &meeting);
  return RealLength(view, *tables)(meeting.length);
}

Cell first_move(Searcher& searcher, const View& view, Cell start, Cell goal) noexcept {
  const LabelTables* tables = tile_labels(view);
  if (start == goal) return start;
  if (!tables) {
    Path path;
    Query query = plain(start, goal);
    query.output = Output::cells;
    find(searcher, view, query, path);
    return path.status == Status::found && path.size() > 1 ? path.cells()[1] : start;
  }
  Point s, t;
  if (!ends(view, *tables, start, goal, &s, &t)) return start;
  uint32_t direction;
  if (tables->sight.line_free(s, t)) {
    const Leg leg = leg_between(s, t);
    direction = leg.diagonal ? leg.diagonal_move : leg.straight_move;
  } else {
    uint32_t* room = label_room(searcher, 2 * size_t{tables->room()});
    Meeting meeting;
    if (!room) return start;
    label_kernel().meet(*tables, s, t, room, &meeting);
    if (meeting.length == kFar) return start;
    direction = first_direction(meeting, s, t);
  }
  return {start.x + kDx[direction], start.y + kDy[direction]};
}

Fault distances(Searcher& searcher, const View& view, const Cell* sources, size_t source_count,
                const Cell* targets, size_t target_count, double* out) noexcept {
  if (Fault f = check_whole(view)) return f;
  if (source_count == 0 || target_count == 0) return {};
  if (!sources || !targets || !out)
    return fault(Status::bad_argument, "distances needs sources, targets and a place for them");
  const LabelTables* tables = tile_labels(view);
  if (!tables) {
    Path path;
    for (size_t i = 0; i < source_count; ++i) {
      for (size_t j = 0; j < target_count; ++j) {
        find(searcher, view, plain(sources[i], targets[j]), path);
        if (path.status == Status::out_of_memory) return no_memory_for("the distances");
        out[i * target_count + j] = path.status == Status::found ? path.cost : kWall;
      }
    }
    return {};
  }
  const RealLength real(view, *tables);
  Buffer<uint32_t> room, least;
  Targets label;
  if (!room.resize(tables->room()) || !least.resize(target_count) ||
      !label.build(view, *tables, size_t{tables->block_words} * 64 * kLanes, targets, target_count,
                   &room))
    return no_memory_for("the distances");
  for (size_t i = 0; i < source_count; ++i) {
    double* row = out + i * target_count;
    const bool free = view.passable(sources[i]);
    const Point s = free ? point_of(view.impl()->world.map.grid, sources[i]) : Point();
    if (free) label.shortest(s, room.data(), least.data());
    if (!free) {
      for (size_t j = 0; j < target_count; ++j) row[j] = kWall;
      continue;
    }
    for (size_t j = 0; j < target_count; ++j) row[j] = real(least[j]);
  }
  return {};
}

}  // namespace octile
