// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Distances without paths: one pair, and a matrix of many. With tile labels a matrix is filled hub
// by hub: the distances of all targets to a hub lie side by side, so a row takes one addition and
// one comparison for each hub of the source and each target that knows it.

#include "engine/searcher.hpp"
#include "engine/view.hpp"
#include "index/label_common.hpp"

namespace octile {

namespace {

// Tile labels of the View, if they answer for it.
const LabelTables* tile_labels(const View& view) noexcept {
  const View::Impl* impl = view.impl();
  return impl && impl->index && impl->index->info.kind == IndexKind::tile_labels
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
    if (!point_.resize(count) || !known_.resize(count) || !first_.assign(hubs + 1, 0)) return false;
    for (size_t i = 0; i < count; ++i) {
      known_[i] = view.passable(cell[i]);
      if (known_[i]) point_[i] = point_of(view.impl()->world.map.grid, cell[i]);
    }
    // Twice over the labels: how many targets know each hub, then which and how far.
    each(room, [&](size_t, uint32_t hub, uint32_t) { ++first_[hub + 1]; });
    for (size_t h = 0; h < hubs; ++h) first_[h + 1] += first_[h];
    Buffer<size_t> at;
    if (!at.resize(hubs) || !target_.resize(first_[hubs]) || !length_.resize(first_[hubs]))
      return false;
    for (size_t h = 0; h < hubs; ++h) at[h] = first_[h];
    each(room, [&](size_t i, uint32_t hub, uint32_t length) {
      target_[at[hub]] = static_cast<uint32_t>(i);
      length_[at[hub]++] = length;
    });
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

  // The least sums over all hubs from one cell; `least` has a place for each target.
  void shortest(Point source, uint32_t* room, uint32_t* least) const noexcept {
    for (size_t i = 0; i < count_; ++i) least[i] = kFar;
    visit(source, room, [&](uint32_t hub, uint32_t length) {
      if (row_[hub] != SIZE_MAX) {
        kernel_.lower(least, full_.data() + row_[hub], length, count_);
        return;
      }
      for (size_t k = first_[hub]; k < first_[hub + 1]; ++k) {
        const uint32_t sum = length_[k] + length;
        if (sum < least[target_[k]]) least[target_[k]] = sum;
      }
    });
  }
  bool known(size_t i) const noexcept { return known_[i]; }
  Point point(size_t i) const noexcept { return point_[i]; }

 private:
  // visit(hub, length) for every hub of a cell.
  template <class Visit>
  void visit(Point p, uint32_t* room, Visit visit) const noexcept {
    const Side side(*tables_, p, room);
    side.look(*tables_);
    for (uint32_t w = 0; w < tables_->block_words; ++w) {
      for (uint64_t bits = read64(side.tile.words + 8 * size_t{w}); bits; bits &= bits - 1) {
        const auto bit = static_cast<uint32_t>(__builtin_ctzll(bits));
        uint32_t lane[kLanes], entry[kLanes];
        side.evaluate(side.tile.block(w << 6 | bit), lane, entry);
        for (uint32_t i = 0; i < kLanes; ++i)
          if (lane[i] != kFar) visit((w << 6 | bit) * kLanes + i, lane[i]);
      }
    }
  }
  template <class Visit>
  void each(Buffer<uint32_t>* room, Visit add) const noexcept {
    for (size_t i = 0; i < count_; ++i)
      if (known_[i])
        visit(point_[i], room->data(), [&](uint32_t hub, uint32_t length) { add(i, hub, length); });
  }

  const LabelKernel& kernel_ = best_label_kernel();
  const LabelTables* tables_ = nullptr;
  size_t count_ = 0;
  Buffer<Point> point_;
  Buffer<uint8_t> known_;
  Buffer<size_t> first_;  // by hub: its targets
  Buffer<uint32_t> target_, length_;
  Buffer<size_t> row_;  // by hub: its full row, or SIZE_MAX
  Buffer<uint32_t> full_;
};

Fault no_memory() noexcept {
  return fault(Status::out_of_memory, "no memory for the distances");
}

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
  best_label_kernel().meet(*tables, s, t, room, &meeting);
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
    best_label_kernel().meet(*tables, s, t, room, &meeting);
    if (meeting.length == kFar) return start;
    direction = first_direction(meeting, s, t);
  }
  return {start.x + kDx[direction], start.y + kDy[direction]};
}

Fault distances(Searcher& searcher, const View& view, const Cell* sources, size_t source_count,
                const Cell* targets, size_t target_count, double* out) noexcept {
  if (view.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (source_count == 0 || target_count == 0) return {};
  if (!sources || !targets || !out)
    return fault(Status::bad_argument, "distances needs sources, targets and a place for them");
  const LabelTables* tables = tile_labels(view);
  if (!tables) {
    Path path;
    for (size_t i = 0; i < source_count; ++i) {
      for (size_t j = 0; j < target_count; ++j) {
        find(searcher, view, plain(sources[i], targets[j]), path);
        if (path.status == Status::out_of_memory) return no_memory();
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
    return no_memory();
  for (size_t i = 0; i < source_count; ++i) {
    double* row = out + i * target_count;
    const bool free = view.passable(sources[i]);
    const Point s = free ? point_of(view.impl()->world.map.grid, sources[i]) : Point();
    if (free) label.shortest(s, room.data(), least.data());
    if (!free) {
      for (size_t j = 0; j < target_count; ++j) row[j] = kWall;
      continue;
    }
    // A free line is shorter than any way over hubs, or as short. By itself, since nobody can guess
    // where it is.
    for (size_t j = 0; j < target_count; ++j) {
      if (!label.known(j)) continue;
      const uint32_t line = tables->steps.line(s, label.point(j));
      if (line < least[j] && tables->sight.line_free(s, label.point(j))) least[j] = line;
    }
    for (size_t j = 0; j < target_count; ++j) row[j] = real(least[j]);
  }
  return {};
}

}  // namespace octile
