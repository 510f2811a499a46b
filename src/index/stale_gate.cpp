// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/stale_gate.hpp"

#include <algorithm>
#include <bit>

#include "index/label_common.hpp"

namespace octile {

namespace {

// Larger gates take as long as searches; those for ways that are cut in two places far apart are of
// no use.
constexpr uint32_t kMostWide = 64;
constexpr size_t kMostZone = 1200, kMostLine = 96, kMostBeside = 160;
// Floods that meet within so many steps meet beside what was closed; the zone has so many cells
// more than that.
constexpr uint32_t kSoon = 30, kAside = 2;
constexpr uint32_t kNoRun = UINT32_MAX;
constexpr uint64_t kGateSteps = 4500;

// Three steps of five lead in all eight directions, the others in four: both together about as far
// as octile distances say.
constexpr bool wide_step(uint32_t step) noexcept {
  return step % 5 % 2 == 0;
}

}  // namespace

uint32_t StaleGate::moves(IndexSteps steps, uint32_t x, uint32_t y, uint8_t* moves) const noexcept {
  const size_t row = wide[0];
  uint32_t at = cells + y, count = 0;
  int32_t dx = 0, dy = 0;
  uint32_t left = to_line[row * at + x];
  const auto cost = [&](uint32_t d) { return d & 1 ? steps.diagonal : steps.straight; };
  for (;;) {
    uint32_t d = 0;
    while (d < 8 &&
           (next[at].of[d] == kNoPlace || to_line[row * next[at].of[d] + x] + cost(d) != left))
      ++d;
    if (d == 8) break;
    at = next[at].of[d];
    left -= cost(d);
    dx += kDx[d];
    dy += kDy[d];
    moves[count++] = static_cast<uint8_t>(d);
  }
  // The last move leads to the line.
  const Point to = ends[0].portals[x], from = ends[1].portals[y];
  const auto east = static_cast<int32_t>(to.x - from.x) - dx;
  const auto south = static_cast<int32_t>(to.y - from.y) - dy;
  for (uint32_t d = 0; d < 8; ++d)
    if (kDx[d] == east && kDy[d] == south) moves[count++] = static_cast<uint8_t>(d);
  return count;
}

void StaleGate::through(uint32_t to, const uint32_t* here, uint32_t* there) const noexcept {
  const uint32_t lines = line[1 - to];
  std::fill(there, there + apart[to], kFar);
  for (uint32_t i = 0; i < lines; ++i)
    label_kernel().lower(there, to == 0 ? from_second(i) : from_line(i), here[i], wide[to]);
  std::copy(here + lines, here + ends[1 - to].count(), there + line[to]);
}

uint32_t StaleGate::before(uint32_t to, uint32_t cell, const uint32_t* here,
                           uint32_t length) const noexcept {
  if (cell >= line[to]) return cell - line[to] + line[1 - to];
  uint32_t i = 0;
  while (here[i] + (to == 0 ? from_second(i) : from_line(i))[cell] != length) ++i;
  return i;
}

bool GateMaker::look_up() noexcept {
  if (!free_.empty()) return true;
  const TileGrid& grid = now_.grid;
  words_ = grid.tile_cols + 1;
  size_ = size_t{words_} * (grid.tile_rows * 64 + 2) + 1;
  if (!free_.assign(size_, 0) || !next_.assign(size_, 0) || !zone_.resize(size_) ||
      !seen_.resize(size_) || !first_.assign(size_, 0))
    return false;
  for (uint32_t row = 0; row < grid.tile_rows; ++row) {
    for (uint32_t col = 0; col < grid.tile_cols; ++col) {
      const uint32_t tile = grid.tile_index(col, row);
      const LayerTile& is = *now_.tiles.at(tile);
      for (uint32_t y = 0; y < 64; ++y)
        free_[size_t{row * 64 + y + 1} * words_ + 1 + col] = is.row[y];
    }
  }
  return true;
}

// take(word, cells) for all that is a step from the last cells of a log; a wide one takes two
// straight moves past corners. False: memory is short.
template <class Take>
bool GateMaker::step(const Buffer<Front>& log, size_t from, bool wide, Take take) noexcept {
  const size_t end = log.size();
  const auto put = [&](size_t word, uint64_t cells) {
    if (!cells) return;
    if (!next_[word]) touched_.push(static_cast<uint32_t>(word));  // reserved
    next_[word] |= cells;
  };
  const auto column = [&](size_t word, uint64_t cells) {
    put(word - words_, cells);
    put(word + words_, cells);
  };
  touched_.clear();
  if (!touched_.reserve(9 * (end - from))) return false;
  for (size_t i = from; i < end; ++i) {
    const size_t word = log[i].word;
    const uint64_t c = log[i].cells;
    const uint64_t* const free = free_.data() + word;
    const uint64_t here = (c | c << 1 | c >> 1) & free[0];
    const uint64_t west = c << 63 & free[-1], east = c >> 63 & free[1];
    put(word, here);
    put(word - 1, west);
    put(word + 1, east);
    column(word, wide ? here : c);
    if (!wide) continue;
    column(word - 1, west);
    column(word + 1, east);
  }
  bool enough = true;
  for (const uint32_t w : touched_) {
    enough &= take(w, next_[w] & free_[w]);
    next_[w] = 0;
  }
  return enough;
}

// From both cells by turns, until it is known whether they meet soon, and where.
bool GateMaker::flood_near(Point before, Point behind, uint32_t wide) noexcept {
  met_.clear();
  soon_.clear();
  for (size_t w = 0; w < size_; ++w) seen_[w] = {free_[w], {0, 0}};
  for (uint32_t k = 0; k < 2; ++k) {
    const Point p = k ? behind : before;
    const Front first{static_cast<uint32_t>(word_of(p)), uint64_t{1} << (p.x & 63)};
    log_[k].clear();
    last_[k] = 0;
    if (!log_[k].push(first)) return false;
    seen_[first.word].side[k] = first.cells;
    seen_[first.word].left &= ~first.cells;
  }
  const uint32_t soon = std::max(kSoon, wide);
  uint32_t last = soon;
  for (uint32_t steps = 0; steps < last; ++steps) {
    for (uint32_t k = 0; k < 2; ++k) {
      const size_t end = log_[k].size();
      const auto take = [&](uint32_t w, uint64_t cells) {
        Word& seen = seen_[w];
        const uint64_t there = cells & seen.side[1 - k], fresh = cells & seen.left;
        seen.side[k] |= fresh;
        seen.left &= ~fresh;
        return (!there || (met_.push(w) && soon_.push({w, there}))) &&
               (!fresh || log_[k].push({w, fresh}));
      };
      if (!step(log_[k], last_[k], wide_step(steps), take)) return false;
      last_[k] = end;
    }
    if (last == soon && !soon_.empty()) last = steps + 1 + wide;
  }
  return true;
}

// A flood comes to cells beside one of its runs: all of their runs are reached, if they are
// nobody's.
bool GateMaker::reach(const Run& at, uint32_t distance, uint32_t word, uint64_t cells) noexcept {
  Word& seen = seen_[word];
  if (cells & seen.side[1 - at.flood] && !met_.push(word)) return false;
  const uint64_t left = seen.left;
  cells &= left;
  while (cells) {
    // 1. The run, and where it is come to.
    const auto bit = static_cast<uint32_t>(std::countr_zero(cells));
    const uint32_t first = bit + 1 - static_cast<uint32_t>(std::countl_one(left << (63 - bit)));
    const uint32_t last = bit - 1 + static_cast<uint32_t>(std::countr_one(left >> bit));
    const uint64_t run = ~uint64_t{0} << first & ~uint64_t{0} >> (63 - last);
    uint32_t from = bit, to = 63 - static_cast<uint32_t>(std::countl_zero(cells & run)), steps = 1;
    cells &= ~run;
    seen.side[at.flood] |= run;
    seen.left &= ~run;
    if (word - at.word + 1 <= 2) {
      const bool west = word == at.word ? bit < at.first : word < at.word;
      steps += west ? at.from - at.first : at.last - at.to;
    } else if (to < at.from) {
      steps = std::max(steps, at.from - to);
      from = to;
    } else if (from > at.to) {
      steps = std::max(steps, from - at.to);
      to = from;
    } else {
      const uint32_t aside = wide_step(distance);
      from = std::max(from, at.from - std::min<uint32_t>(at.from, aside));
      to = std::min(to, at.to + aside);
    }
    // 2. Into the bucket.
    uint32_t& bucket = bucket_[(distance + steps) % kBuckets];
    const auto number = static_cast<uint32_t>(runs_.size());
    if (!runs_.push({word, at.flood, static_cast<uint8_t>(first), static_cast<uint8_t>(last),
                     static_cast<uint8_t>(from), static_cast<uint8_t>(to), bucket}))
      return false;
    bucket = number;
  }
  return true;
}

// From the last steps of both on, run by run, about as far from where they began: the rest of what
// they come to.
bool GateMaker::flood_far() noexcept {
  runs_.clear();
  std::fill(bucket_, bucket_ + kBuckets, kNoRun);
  for (uint32_t k = 0; k < 2; ++k) {
    for (size_t i = last_[k]; i < log_[k].size(); ++i) {
      const Front& f = log_[k][i];
      for (uint64_t cells = f.cells; cells;) {
        const auto first = static_cast<uint32_t>(std::countr_zero(cells));
        const uint32_t last = first - 1 + static_cast<uint32_t>(std::countr_one(cells >> first));
        cells &= last == 63 ? 0 : ~uint64_t{0} << (last + 1);
        const auto a = static_cast<uint8_t>(first), b = static_cast<uint8_t>(last);
        if (!runs_.push({f.word, static_cast<uint8_t>(k), a, b, a, b, bucket_[0]})) return false;
        bucket_[0] = static_cast<uint32_t>(runs_.size() - 1);
      }
    }
  }
  uint32_t idle = 0;
  for (uint32_t distance = 0; idle < kBuckets; ++distance, ++idle) {
    uint32_t& bucket = bucket_[distance % kBuckets];
    while (bucket != kNoRun) {
      const Run at = runs_[bucket];
      bucket = at.next;
      idle = 0;
      const uint64_t run = ~uint64_t{0} << at.first & ~uint64_t{0} >> (63 - at.last);
      const uint64_t sides = run << 1 | run >> 1;
      if (!reach(at, distance, at.word - words_, run) ||
          !reach(at, distance, at.word + words_, run) ||
          !reach(at, distance, at.word, sides & ~run) ||
          (at.first == 0 && !reach(at, distance, at.word - 1, uint64_t{1} << 63)) ||
          (at.last == 63 && !reach(at, distance, at.word + 1, 1)))
        return false;
    }
  }
  return true;
}

bool GateMaker::collect(size_t word, uint64_t cells, Buffer<Point>* found) const noexcept {
  for (; cells; cells &= cells - 1)
    if (!found->push(place(word, static_cast<uint32_t>(std::countr_zero(cells))))) return false;
  return true;
}

// The cells that are so many steps from where the floods met soon; how many.
bool GateMaker::find_zone(uint32_t steps, uint32_t* count) noexcept {
  std::fill(zone_.begin(), zone_.end(), 0);
  *count = 0;
  const auto add = [&](const Front& f) {
    const uint64_t fresh = f.cells & ~zone_[f.word];
    zone_[f.word] |= fresh;
    *count += count_bits(fresh);
    return fresh;
  };
  for (const Front& f : soon_) add(f);
  for (size_t from = 0; steps > 0 && *count <= kMostZone; --steps) {
    const size_t end = soon_.size();
    const auto take = [&](uint32_t w, uint64_t cells) {
      const uint64_t fresh = add({w, cells});
      return !fresh || soon_.push({w, fresh});
    };
    if (!step(soon_, from, true, take)) return false;
    from = end;
  }
  return true;
}

// The sides without the zone, and the lines beside it.
bool GateMaker::find_sides(StaleGate* gate) noexcept {
  for (uint32_t k = 0; k < 2; ++k) {
    line_[k].clear();
    if (!gate->side[k].resize(size_)) return false;
    for (size_t w = 0; w < size_; ++w) gate->side[k][w] = seen_[w].side[k] & ~zone_[w];
  }
  return step(soon_, 0, true, [&](uint32_t w, uint64_t cells) {
    bool enough = true;
    for (uint32_t k = 0; k < 2; ++k) enough &= collect(w, cells & gate->side[k][w], &line_[k]);
    return enough;
  });
}

// Cells of the second side that touch the first one.
bool GateMaker::find_beside(const StaleGate& gate) noexcept {
  // Words where straight moves do, and those above and below, where diagonal ones may.
  touched_.clear();
  beside_.clear();
  bool enough = touched_.reserve(3 * met_.size());
  for (const uint32_t met : met_) {
    for (const uint32_t w : {met - words_, met, met + words_}) {
      if (!enough || next_[w]) continue;
      touched_.push(w);  // reserved
      next_[w] = 1;
    }
  }
  for (const uint32_t w : touched_) {
    next_[w] = 0;
    uint64_t near = 0;
    if (!gate.side[1][w]) continue;
    for (const size_t r : {w - words_, w, w + words_}) {
      const uint64_t* const first = gate.side[0].data() + r;
      near |= first[0] | first[0] << 1 | first[0] >> 1 | first[-1] >> 63 | first[1] << 63;
    }
    enough &= collect(w, gate.side[1][w] & near, &beside_);
  }
  return enough;
}

bool GateMaker::find_ends(StaleGate* gate, bool* small) noexcept {
  // 1. The cells.
  if (!find_beside(*gate)) return false;
  for (uint32_t k = 0; k < 2; ++k) {
    gate->line[k] = static_cast<uint32_t>(line_[k].size());
    gate->wide[k] = whole_lanes(line_[k].size());
    gate->apart[k] = whole_lanes(line_[k].size() + beside_.size());
  }
  *small = std::max(line_[0].size(), line_[1].size()) <= kMostLine && beside_.size() <= kMostBeside;
  // 2. What they see, and their hubs.
  for (uint32_t k = 0; *small && k < 2; ++k) {
    PortalSet& end = gate->ends[k];
    const size_t count = line_[k].size() + beside_.size();
    if (!end.portals.resize(count) || !end.sight.resize(count)) return false;
    std::copy(line_[k].begin(), line_[k].end(), end.portals.begin());
    std::copy(beside_.begin(), beside_.end(), end.portals.begin() + line_[k].size());
    // Labels know no ways to cells that are new.
    for (const Point p : end.portals) *small &= tables_.sight.passable(p);
    if (!*small) break;
    for (size_t i = 0; i < count; ++i) end.sight[i] = FreeSteps(tables_.sight, end.portals[i]);
    if (!PortalLengths(tables_, &room_).find_rows(end.portals, &end)) return false;
  }
  return true;
}

uint16_t GateMaker::number(Point p) const noexcept {
  const size_t w = word_of(p);
  const uint64_t bit = uint64_t{1} << (p.x & 63);
  return zone_[w] & bit ? static_cast<uint16_t>(first_[w] + count_bits(zone_[w] & (bit - 1)))
                        : StaleGate::kNoPlace;
}

bool GateMaker::find_next(StaleGate* gate) noexcept {
  uint32_t count = 0;
  for (size_t w = 0; w < size_; ++w) {
    first_[w] = count;
    count += count_bits(zone_[w]);
  }
  if (!gate->next.resize(gate->cells + size_t{gate->line[1]})) return false;
  StaleGate::Neighbours* next = gate->next.data();
  const auto put = [&](Point p) {
    const uint32_t moves = now_.moves(now_.grid.id(p.x + 64, p.y + 64));
    for (uint32_t d = 0; d < 8; ++d)
      next->of[d] =
          moves >> d & 1
              ? number({p.x + static_cast<uint32_t>(kDx[d]), p.y + static_cast<uint32_t>(kDy[d])})
              : StaleGate::kNoPlace;
    ++next;
  };
  for (size_t w = 0; w < size_; ++w)
    for (uint64_t bits = zone_[w]; bits; bits &= bits - 1)
      put(place(w, static_cast<uint32_t>(std::countr_zero(bits))));
  for (const Point p : line_[1]) put(p);
  return true;
}

// By sweeps over the zone, until nothing gets shorter.
bool GateMaker::find_across(StaleGate* gate) noexcept {
  const size_t wide = gate->wide[0], rows = gate->cells + size_t{gate->line[1]};
  if (!gate->to_line.assign(wide * rows, kFar) ||
      !gate->across.assign(gate->wide[1] * gate->line[0], kFar))
    return false;
  const auto row = [&](size_t i) { return gate->to_line.data() + wide * i; };
  const auto cost = [&](uint32_t d) {
    return d & 1 ? tables_.steps.diagonal : tables_.steps.straight;
  };
  for (uint32_t x = 0; x < gate->line[0]; ++x) {
    const Point p = line_[0][x];
    const uint32_t moves = now_.moves(now_.grid.id(p.x + 64, p.y + 64));
    for (uint32_t d = 0; d < 8; ++d) {
      if (!(moves >> d & 1)) continue;
      const uint16_t to =
          number({p.x + static_cast<uint32_t>(kDx[d]), p.y + static_cast<uint32_t>(kDy[d])});
      if (to != StaleGate::kNoPlace) row(to)[x] = cost(d);
    }
  }
  const LabelKernel& kernel = label_kernel();
  const auto pass = [&](size_t i) {
    for (uint32_t d = 0; d < 8; ++d) {
      const uint16_t from = gate->next[i].of[d];
      if (from != StaleGate::kNoPlace) kernel.lower(row(i), row(from), cost(d), wide);
    }
  };
  const auto sum = [&] {
    uint64_t all = 0;
    for (size_t i = 0; i < wide * gate->cells; ++i) all += gate->to_line[i];
    return all;
  };
  for (uint64_t before = 0, after = sum(); before != after;) {
    for (size_t i = 0; i < gate->cells; ++i) pass(i);
    for (size_t i = gate->cells; i-- > 0;) pass(i);
    before = after;
    after = sum();
  }
  for (uint32_t y = 0; y < gate->line[1]; ++y) {
    pass(gate->cells + y);
    for (uint32_t x = 0; x < gate->line[0]; ++x)
      gate->across[gate->wide[1] * x + y] = row(gate->cells + y)[x];
  }
  return true;
}

// How far what was closed between two cells reaches: the larger side of a box round it.
uint32_t GateMaker::width_of_closed(Point before, Point behind) const noexcept {
  StaleBox box{std::min(before.x, behind.x), std::min(before.y, behind.y),
               std::max(before.x, behind.x), std::max(before.y, behind.y)};
  const auto closed = [&](uint32_t x, uint32_t y) {
    const CellId id = now_.grid.id(x + 64, y + 64);
    return !now_.passable(id) && then_.at(id >> 12)->row[id >> 6 & 63] >> (id & 63) & 1;
  };
  const auto right = static_cast<uint32_t>(now_.grid.width) - 1;
  const auto bottom = static_cast<uint32_t>(now_.grid.height) - 1;
  const auto column = [&](uint32_t x) {
    for (uint32_t y = box.top; y <= box.bottom; ++y)
      if (closed(x, y)) return true;
    return false;
  };
  const auto row = [&](uint32_t y) {
    for (uint32_t x = box.left; x <= box.right; ++x)
      if (closed(x, y)) return true;
    return false;
  };
  for (;;) {
    const uint32_t wide = std::max(box.right - box.left, box.bottom - box.top);
    if (wide > kMostWide) return wide;
    if (box.left > 0 && column(box.left - 1))
      --box.left;
    else if (box.right < right && column(box.right + 1))
      ++box.right;
    else if (box.top > 0 && row(box.top - 1))
      --box.top;
    else if (box.bottom < bottom && row(box.bottom + 1))
      ++box.bottom;
    else
      return wide;
  }
}

bool GateMaker::fill(StaleGate* gate, Point before, Point behind, uint64_t most,
                     bool* small) noexcept {
  gate->words = words_;
  const uint32_t wide = width_of_closed(before, behind);
  if (wide > kMostWide) return true;
  // The zone reaches half as far as what was closed is wide, and some cells.
  if (!flood_near(before, behind, wide) || !find_zone(wide / 2 + kAside, &gate->cells))
    return false;
  if (gate->cells > kMostZone) return true;
  if (!flood_far() || !find_sides(gate) || !find_ends(gate, small)) return false;
  *small &= zone_cost(*gate) <= most;
  return !*small || (find_next(gate) && find_across(gate));
}

// The runs that a flood goes along, and what all gates take.
uint64_t GateMaker::cost() const noexcept {
  uint64_t runs = 0;
  for (uint32_t row = 0; row < now_.grid.tile_rows; ++row)
    for (uint32_t col = 0; col < now_.grid.tile_cols; ++col)
      for (const uint64_t free : now_.tiles.at(now_.grid.tile_index(col, row))->row)
        runs += count_bits(free & ~(free << 1));
  return kGateSteps + runs;
}

bool GateMaker::make(Point before, Point behind, uint64_t most, StaleGate** gate) noexcept {
  *gate = nullptr;
  StaleGate* const made = new (std::nothrow) StaleGate;
  bool small = false;
  if (!made) return false;
  const bool enough = look_up() && fill(made, before, behind, most, &small);
  if (enough && small)
    *gate = made;
  else
    drop(made);
  return enough;
}

}  // namespace octile
