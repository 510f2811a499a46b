// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "fields/field_search.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "search/canonical.hpp"

namespace octile {

namespace {

// Which moves go straight on from a cell that was entered by them, and need nothing else: a bit
// each. How many of the straight moves that lead there turn aside.
struct RunMoves {
  uint8_t on[256], turns[256];
};
constexpr RunMoves make_run_moves() noexcept {
  RunMoves table{};
  for (uint32_t m = 0; m < 256; ++m)
    for (uint32_t d = 0; d < 8; d += 2) {
      const uint32_t next = kCanonical.of[d][m], ahead = 1u << d;
      if (next == ahead) table.on[m] = static_cast<uint8_t>(table.on[m] | ahead);
      if ((next & ~ahead) && (m >> ((d + 4) & 7) & 1)) ++table.turns[m];
    }
  return table;
}
constexpr RunMoves kRunMoves = make_run_moves();

// Among scattered walls runs are short, and many cells are reached on longer ways first. With more
// than a turn for every two cells, as every seventh row tells, going on cell by cell is faster.
// Chosen on generated caves, cities, rooms, mazes and random maps, as was the width of a bucket.
constexpr uint64_t kCellsATurn = 2;
constexpr Cost kRunSteps = 32;

}  // namespace

Cost field_limit(double max_cost, const CellCosts& costs, StepCosts steps) noexcept {
  if (max_cost == kWall) return kMaxCost;
  const double units =
      max_cost / (costs.real.straight * costs.unit) * static_cast<double>(steps.straight);
  if (!(units < 9.2e18)) return kMaxCost;
  // A cell whose cost is given must be within it, whatever was rounded: as in find().
  const double slack = steps.straight >= 1000 ? 0.5 : 1e-6;
  return static_cast<Cost>(std::floor(units * (1 + 1e-12) + slack));
}

bool FieldSearch::read_moves(const WorldView& world, const FieldTable& table) noexcept {
  const TileGrid& grid = world.map.grid;
  if (!moves_.resize(table.places())) return false;
  const uint32_t stride = table.stride();
  std::memset(moves_.data(), 0, stride);
  std::memset(moves_.data() + table.places() - stride, 0, stride);
  const auto width = static_cast<uint32_t>(grid.width), height = static_cast<uint32_t>(grid.height);
  uint64_t turns = 0, cells = 0;
  for (uint32_t y = 0; y < height; ++y) {
    uint8_t* row = moves_.data() + size_t{y + 1} * stride;
    row[0] = row[width + 1] = 0;
    for (uint32_t x = 0; x < width; x += 64) {
      const CellId id = grid.id(x + 64, y + 64);
      std::memcpy(row + 1 + x, world.layer.tile(id).moves + (id & (kTileCells - 1)),
                  width - x < 64 ? width - x : 64);
    }
    for (uint32_t x = 1; x <= width && y % 7 == 3 % height; ++x) {
      turns += kRunMoves.turns[row[x]];
      cells += row[x] != 0;
    }
  }
  long_runs_ = turns * kCellsATurn <= cells;
  return true;
}

bool FieldSearch::make_successors() noexcept {
  if (!successors_.empty()) return true;
  if (!successors_.resize(65536)) return false;
  for (uint32_t arrivals = 0; arrivals < 256; ++arrivals)
    for (uint32_t m = 0; m < 256; ++m) {
      uint32_t on = 0;
      for (uint32_t d = 0; d < 8; ++d)
        if (arrivals >> d & 1) on |= kCanonical.of[d][m];
      successors_[arrivals << 8 | m] = static_cast<uint8_t>(on);
    }
  return true;
}

// Forgets the stops that are nearer than `low`; false: that was the last.
template <class State>
bool FieldSearch::stops_beyond(const State* state, Cost low) noexcept {
  size_t left = 0;
  for (const uint32_t place : stops_)
    if (state[place] >> 8 >= low) stops_[left++] = place;
  stops_.resize(left);
  return left > 0;
}

// The distances of the states, none larger than `farthest`; `all`: none is.
template <class State>
FieldSearch::Outcome FieldSearch::keep(const State* state, Cost farthest, bool all,
                                       FieldTable* table) noexcept {
  constexpr State kMost = (~State{0} >> 8) - 1;
  const State last = all || farthest > kMost ? kMost : static_cast<State>(farthest);
  // Cut off, what is not reached is all ones in 16 bits as well.
  const bool fits = all && farthest < 0xffff
                        ? table->fill(farthest, [state](uint32_t i) { return state[i] >> 8; })
                        : table->fill(farthest, [state, last](uint32_t i) {
                            const State distance = state[i] >> 8;
                            return distance | (State{0} - State{distance > last});
                          });
  return fits ? Outcome::done : Outcome::out_of_memory;
}

template <class State>
FieldSearch::Outcome FieldSearch::by_runs(const FieldRequest& request, FieldTable* table,
                                          Buffer<State>* states) noexcept {
  constexpr State kUnset = ~State{0};
  constexpr Cost kMost = kUnset >> 8;
  const StepCosts steps = table->steps;
  const Cost width = steps.straight * kRunSteps;
  const Cost limit = field_limit(request.max_cost, request.world->costs, steps);
  if (!states->resize(table->places())) return Outcome::out_of_memory;
  State* const state = states->data();
  std::memset(state, 0xff, table->places() * sizeof(State));
  const uint8_t* const moves = moves_.data();
  uint32_t ahead[8];
  for (uint32_t d = 0; d < 8; ++d) ahead[d] = static_cast<uint32_t>(table->step(d));
  const State straight = static_cast<State>(steps.straight << 8);
  const State diagonal = static_cast<State>(steps.diagonal << 8);
  for (Buffer<Run>& list : runs_) list.clear();
  stops_.clear();
  for (size_t i = 0; i < request.stop_count; ++i)
    if (!stops_.push(request.stops[i])) return Outcome::out_of_memory;

  Cost low = 0, ended = limit;  // of the bucket; where the field ends
  size_t seed = 0;
  for (uint32_t turn = 0;; ++turn) {
    Buffer<Run>&here = runs_[turn & 1], &later = runs_[~turn & 1];
    if (here.empty()) {
      if (seed == seeds_.size()) break;
      if (seeds_[seed].offset >= low + width) low = seeds_[seed].offset / width * width;
    }
    if (low > limit) break;
    if (low + 3 * width >= kMost) return Outcome::too_far;
    for (; seed < seeds_.size() && seeds_[seed].offset < low + width; ++seed) {
      State& to = state[seeds_[seed].place];
      const State from = static_cast<State>(seeds_[seed].offset << 8 | 0xff);
      if (to <= from) continue;
      to = from;
      if (!here.push({seeds_[seed].place, 8})) return Outcome::out_of_memory;
    }
    const Cost beyond = low + width <= limit ? low + width : limit + 1;
    const State begin = static_cast<State>(low << 8), end = static_cast<State>(beyond << 8);
    bool enough = true;
    // Reaches `place` at a distance and by a direction; true: as nobody has before.
    const auto reach = [&](uint32_t place, State reached) {
      const State old = state[place];
      if ((reached | 255) < old) {
        state[place] = reached;
        return true;
      }
      if ((reached ^ old) >= 256 || (reached & old & 255)) return false;
      state[place] = old | reached;
      return true;
    };
    const auto run = [&](uint32_t place, uint32_t d, State distance) {
      const uint32_t bit = 1u << d, step = ahead[d];
      State reached = distance | bit;
      for (;;) {
        place += step;
        reached += straight;
        if (!reach(place, reached)) return;
        const uint8_t m = moves[place];
        if (!(kRunMoves.on[m] & bit)) {
          if (kCanonical.of[d][m])
            enough = (reached < end ? here : later).push({place, d}) && enough;
          return;
        }
        if (reached >= end) {
          enough = later.push({place, d}) && enough;
          return;
        }
      }
    };
    const auto slant = [&](uint32_t place, uint32_t d, State distance) {
      State reached = distance | 1u << d;
      const uint32_t right = (d + 1) & 7, left = d - 1;
      for (;;) {
        place += ahead[d];
        reached += diagonal;
        if (!reach(place, reached)) return;
        if (reached >= end) {
          enough = later.push({place, d}) && enough;
          return;
        }
        const uint32_t m = moves[place];
        const State from = reached & ~State{255};
        if (m >> left & 1) run(place, left, from);
        if (m >> right & 1) run(place, right, from);
        if (!(m >> d & 1)) return;
      }
    };
    for (size_t i = 0; i < here.size(); ++i) {
      const Run entry = here[i];
      const State own = state[entry.place];
      if (own < begin) continue;  // was reached on a shorter way
      const uint32_t m = moves[entry.place];
      const State from = own & ~State{255};
      uint32_t on = m;
      if (entry.direction < 8) {
        if (!(own >> entry.direction & 1)) continue;
        on = kCanonical.of[entry.direction][m];
      }
      for (; on; on &= on - 1) {
        const auto d = static_cast<uint32_t>(__builtin_ctz(on));
        if (d & 1) {
          slant(entry.place, d, from);
        } else {
          run(entry.place, d, from);
        }
      }
      if (!enough) return Outcome::out_of_memory;
    }
    here.clear();
    low += width;
    if (request.stop_count && !stops_beyond(state, low)) {
      ended = low - 1 < limit ? low - 1 : limit;
      break;
    }
  }
  table->limit = ended;
  // The last runs may have come as far as one step beyond the bucket.
  const Cost most = low + steps.diagonal;
  return keep(state, most < ended ? most : ended, most <= ended, table);
}

template <class State, bool kCanonical>
FieldSearch::Outcome FieldSearch::uniform(const FieldRequest& request, FieldTable* table,
                                          Buffer<State>* states) noexcept {
  constexpr State kUnset = ~State{0};
  constexpr Cost kMost = kUnset >> 8;
  const StepCosts steps = table->steps;
  const State straight = static_cast<State>(steps.straight);
  const Cost limit = field_limit(request.max_cost, request.world->costs, steps);
  if (!states->resize(table->places())) return Outcome::out_of_memory;
  State* const state = states->data();
  std::memset(state, 0xff, table->places() * sizeof(State));
  const uint8_t* const moves = moves_.data();
  const uint8_t* const successors = successors_.data();
  int32_t ahead[8];
  State length[8];
  for (uint32_t d = 0; d < 8; ++d) {
    ahead[d] = table->step(d);
    length[d] = static_cast<State>(((d & 1 ? steps.diagonal : steps.straight) << 8) | 1u << d);
  }
  for (Buffer<uint32_t>& list : list_) list.clear();
  stops_.clear();
  for (size_t i = 0; i < request.stop_count; ++i)
    if (!stops_.push(request.stops[i])) return Outcome::out_of_memory;

  Cost low = 0, ended = limit;  // of the bucket; where the field ends
  size_t seed = 0;
  for (uint32_t turn = 0;;) {
    Buffer<uint32_t>& here = list_[turn % 3];
    Buffer<uint32_t>* const later[2] = {&list_[(turn + 1) % 3], &list_[(turn + 2) % 3]};
    if (here.empty() && later[0]->empty() && later[1]->empty()) {
      if (seed == seeds_.size()) break;
      low = seeds_[seed].offset / straight * straight;  // leaps over what is empty
    }
    if (low > limit) break;
    if (low + 4 * steps.straight >= kMost) return Outcome::too_far;
    for (; seed < seeds_.size() && seeds_[seed].offset < low + straight; ++seed) {
      State& to = state[seeds_[seed].place];
      const State from = static_cast<State>(seeds_[seed].offset << 8 | 0xff);
      if (to <= from) continue;
      // One that stands in this bucket already is in its list.
      const bool listed = (to >> 8) < low + straight;
      to = from;
      if (!listed && !here.push(seeds_[seed].place)) return Outcome::out_of_memory;
    }
    // Room for all that can come, so that the loop below need not ask.
    const size_t count = here.size();
    for (Buffer<uint32_t>* list : later) {
      const size_t need = list->size() + 8 * count;
      if (need > list->capacity() && !list->reserve(need + need / 2)) return Outcome::out_of_memory;
    }
    uint32_t* out[2] = {later[0]->end(), later[1]->end()};
    const State begin = static_cast<State>(low << 8);
    const State end[2] = {static_cast<State>((low + 2 * straight) << 8),
                          static_cast<State>((low + 3 * straight) << 8)};
    const uint32_t* const list = here.data();
    for (size_t i = 0; i < count; ++i) {
      const uint32_t place = list[i];
      // Far goals: the states of the front no longer lie in the cache.
      __builtin_prefetch(&state[list[i + 6 < count ? i + 6 : i]], 1);
      const State own = state[place];
      if (own < begin) continue;  // was reached on a shorter way
      uint32_t on = kCanonical ? successors[(own & 255) << 8 | moves[place]] : moves[place];
      const State base = own & ~State{255};
      for (; on; on &= on - 1) {
        const auto d = static_cast<uint32_t>(__builtin_ctz(on));
        const uint32_t to = place + static_cast<uint32_t>(ahead[d]);
        const State reached = base + length[d];
        const State old = state[to];
        if ((reached | 255) < old) {
          state[to] = reached;
          const uint32_t bucket = reached >= end[0];
          if (old >= end[bucket]) *out[bucket]++ = to;  // else it stands there already
        } else if ((reached ^ old) < 256) {
          state[to] = old | reached;
        }
      }
    }
    later[0]->resize(static_cast<size_t>(out[0] - later[0]->data()));
    later[1]->resize(static_cast<size_t>(out[1] - later[1]->data()));
    here.clear();
    low += straight;
    ++turn;
    if (request.stop_count && !stops_beyond(state, low)) {
      ended = low - 1 < limit ? low - 1 : limit;
      break;
    }
  }
  table->limit = ended;
  return keep(state, low < ended ? low : ended, low <= ended, table);
}

Status FieldSearch::run_uniform(const FieldRequest& request, FieldTable* table) noexcept {
  const StepCosts exact = request.world->costs.steps;
  const bool octile = exact.straight == kExactOctile.straight;
  if (!seeds_.resize(request.seed_count)) return Status::out_of_memory;
  bool offsets = false;
  for (size_t i = 0; i < request.seed_count; ++i) {
    seeds_[i] = request.seeds[i];
    offsets = offsets || seeds_[i].offset > 0;
  }
  if (offsets)
    std::sort(seeds_.begin(), seeds_.end(), [](const FieldSeed& a, const FieldSeed& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.place < b.place;
    });
  const bool canonical = canonical_order(request.world->profile), runs = canonical && long_runs_;
  if (canonical && !runs && !make_successors()) return Status::out_of_memory;
  // Ways of fewer steps than fit 24 bits compare in the smaller pair as they do in the exact one.
  Outcome outcome = Outcome::too_far;
  if (!octile || !offsets) {
    table->steps = octile ? kWeightedOctile : exact;
    outcome = runs        ? by_runs<uint32_t>(request, table, &narrow_)
              : canonical ? uniform<uint32_t, true>(request, table, &narrow_)
                          : uniform<uint32_t, false>(request, table, &narrow_);
  }
  if (outcome == Outcome::too_far) {
    table->steps = exact;
    outcome = runs        ? by_runs<uint64_t>(request, table, &wide_)
              : canonical ? uniform<uint64_t, true>(request, table, &wide_)
                          : uniform<uint64_t, false>(request, table, &wide_);
  }
  return outcome == Outcome::done      ? Status::found
         : outcome == Outcome::too_far ? Status::cost_overflow
                                       : Status::out_of_memory;
}

Status FieldSearch::finish(Cost farthest, Cost limit, FieldTable* table) noexcept {
  table->limit = limit;
  if (farthest > limit) farthest = limit;
  const bool fits = table->fill(
      farthest, [&](uint32_t place) { return wide_[place] <= farthest ? wide_[place] : kFarAway; });
  return fits ? Status::found : Status::out_of_memory;
}

namespace {

constexpr uint8_t kSettled = 1, kStop = 2;

bool begin_queue(Buckets<uint32_t, 8192>& queue, uint32_t shift) noexcept {
  return queue.begin(shift);
}
bool begin_queue(RadixHeap& queue, uint32_t) noexcept {
  return queue.begin();
}
bool lost_entries(const Buckets<uint32_t, 8192>&) noexcept {
  return false;
}
bool lost_entries(const RadixHeap& queue) noexcept {
  return queue.failed();
}

}  // namespace

bool FieldSearch::prepare_distances(const FieldRequest& request, const FieldTable& table,
                                    size_t* stops) noexcept {
  if (!wide_.assign(table.places(), kFarAway) || !settled_.assign(table.places(), 0)) return false;
  *stops = 0;
  for (size_t i = 0; i < request.stop_count; ++i) {
    uint8_t& settled = settled_[request.stops[i]];
    *stops += settled == 0;
    settled = kStop;
  }
  return true;
}

template <class Queue>
Status FieldSearch::weighted(const FieldRequest& request, uint32_t shift, FieldTable* table,
                             Queue& queue) noexcept {
  const TileGrid& grid = request.world->map.grid;
  const Cost limit = field_limit(request.max_cost, request.costs(), table->steps);
  size_t left;
  if (!prepare_distances(request, *table, &left) || !begin_queue(queue, shift))
    return Status::out_of_memory;
  const bool stopping = left > 0;
  for (size_t i = 0; i < request.seed_count; ++i) {
    const FieldSeed seed = request.seeds[i];
    if (seed.offset > limit) continue;
    wide_[seed.place] = seed.offset;
    if (!queue.push(seed.offset, 0, seed.place)) return Status::out_of_memory;
  }
  Cost farthest = 0;
  uint32_t place;
  while (queue.pop(UINT64_MAX, &place)) {
    if (settled_[place] & kSettled) continue;
    const Cost distance = wide_[place];
    farthest = distance > farthest ? distance : farthest;
    if (stopping && (settled_[place] & kStop) && --left == 0) {
      // All that lies no farther, or in the same bucket, is final.
      const Cost last = distance | ((Cost{1} << shift) - 1);
      return finish(last, last < limit ? last : limit, table);
    }
    settled_[place] |= kSettled;
    const Cost weight = request.weight(table->id(grid, place));
    const Cost length[2] = {table->steps.straight * weight, table->steps.diagonal * weight};
    for (uint32_t on = moves_[place]; on; on &= on - 1) {
      const auto d = static_cast<uint32_t>(__builtin_ctz(on));
      const uint32_t to = place + static_cast<uint32_t>(table->step(d));
      const Cost step = length[d & 1];
      if (step > limit || distance > limit - step) {
        if (limit == kMaxCost) return Status::cost_overflow;
        continue;
      }
      if (distance + step >= wide_[to]) continue;
      wide_[to] = distance + step;
      if (!queue.push(distance + step, 0, to)) return Status::out_of_memory;
    }
  }
  if (lost_entries(queue)) return Status::out_of_memory;
  return finish(farthest, limit, table);
}

Status FieldSearch::free_steps(const FieldRequest& request, FieldTable* table) noexcept {
  const TileGrid& grid = request.world->map.grid;
  const Cost limit = field_limit(request.max_cost, request.costs(), table->steps);
  Buffer<uint32_t>& hops = table->hops_buffer();
  size_t left;
  if (!prepare_distances(request, *table, &left) || !hops.assign(table->places(), UINT32_MAX))
    return Status::out_of_memory;
  heap_.clear();
  const bool stopping = left > 0;
  for (size_t i = 0; i < request.seed_count; ++i) {
    const FieldSeed seed = request.seeds[i];
    if (seed.offset > limit) continue;
    wide_[seed.place] = seed.offset;
    hops[seed.place] = 0;
    if (!heap_.push({seed.offset, 0}, seed.place)) return Status::out_of_memory;
  }
  Cost farthest = 0, last = limit;
  while (!heap_.empty()) {
    const auto [rank, place] = heap_.pop();
    if (rank.distance > last) break;
    if (settled_[place] & kSettled) continue;
    farthest = rank.distance;
    // What costs no more is gone through to the end: a free step may still shorten its steps.
    if (stopping && (settled_[place] & kStop) && --left == 0) last = rank.distance;
    settled_[place] |= kSettled;
    const Cost weight = request.weight(table->id(grid, place));
    const Cost length[2] = {table->steps.straight * weight, table->steps.diagonal * weight};
    for (uint32_t on = moves_[place]; on; on &= on - 1) {
      const auto d = static_cast<uint32_t>(__builtin_ctz(on));
      const uint32_t to = place + static_cast<uint32_t>(table->step(d));
      const Cost step = length[d & 1];
      if (step > limit || rank.distance > limit - step) {
        if (limit == kMaxCost) return Status::cost_overflow;
        continue;
      }
      const Rank reached{rank.distance + step, rank.hops + 1};
      if (!(reached < Rank{wide_[to], hops[to]})) continue;
      wide_[to] = reached.distance;
      hops[to] = reached.hops;
      if (!heap_.push(reached, to)) return Status::out_of_memory;
    }
  }
  return finish(farthest, last, table);
}

Status FieldSearch::run(const FieldRequest& request, FieldTable* table) noexcept {
  const CellCosts& costs = request.costs();
  table->hops_buffer().clear();
  if (costs.uniform && !request.plain) return run_uniform(request, table);
  Cost offset = 0;
  for (size_t i = 0; i < request.seed_count; ++i)
    offset = request.seeds[i].offset > offset ? request.seeds[i].offset : offset;
  if (request.plain && costs.uniform) {
    table->steps = costs.steps.straight == kExactOctile.straight && offset == 0 ? kWeightedOctile
                                                                                : costs.steps;
    return table->steps.straight == kExactOctile.straight ? weighted(request, 0, table, radix_)
                                                          : weighted(request, 0, table, dial_);
  }
  table->steps = costs.steps;
  if (costs.least_weight == 0) return free_steps(request, table);
  const Cost least = costs.steps.straight * costs.least_weight;
  const auto shift = static_cast<uint32_t>(std::bit_width(least)) - 1;
  if ((costs.dearest_step >> shift) + 2 > dial_.kReach || (offset >> shift) + 2 > dial_.kReach)
    return weighted(request, 0, table, radix_);
  return weighted(request, shift, table, dial_);
}

}  // namespace octile
