// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Eight cells of a diagonal, or of a row, at once, for any vectors. Lane i is the i-th cell: its
// row (or column) is one word of a vector that is loaded from neighbouring words of its tile,
// turned round where the cells go against their order. A batch ends at the edge of the tile.
//
// Written once: the file of each kernel first says what its vectors do, then includes this one.
//
//   OCTILE_JUMPS_NAME                   the namespace of what it says, and of all here: files may
//   be
//                                       compiled as one (tools/amalgamate)
//   OCTILE_JUMPS, OCTILE_JUMPS_INLINE   attributes of functions for its processors. On each
//                                       function, not for the file: what headers define must run
//                                       on every processor
//   kLanes, Lanes                       so many words of 64 bits; 8 / kLanes vectors make a batch
//   Set, Mask                           of lanes: a bit each; what compares and picks. bits(Mask)
//   all, ladder, load, backwards, add, sub, times, shift_left, shift_right, both, lowest_bit,
//   leading_zeros                       what they say; shifts by 64 and more leave nothing
//   is_empty, meets, tops               of each lane: is it 0; has it bits of another; its top bit
//   pick, add_where, sub_where          by a Mask
//   leaves, enters                      see legal_steps()
//   keep                                stores the lanes of a set of bits one after the other

#include <immintrin.h>

#include <type_traits>

#include "search/jump_search.hpp"

namespace octile {

namespace {

namespace OCTILE_JUMPS_NAME {

constexpr uint32_t kParts = 8 / kLanes;

// Words from place `at` on, upwards or downwards: lane i gets word at + i or at - i. Past the ends
// of its array of 64 there are other fields of the tile, in lanes that nobody asks for.
template <int kUp>
OCTILE_JUMPS_INLINE Lanes window(const uint64_t* words, uint32_t at) noexcept {
  const auto first = static_cast<int32_t>(at);  // below 0 in parts of dead lanes
  return kUp > 0 ? load(words + first) : backwards(load(words + first - (int32_t{kLanes} - 1)));
}
// One line of 64 bytes before the words of the rows, and after the last stops more than that.
static_assert(!std::is_empty_v<Counted> && alignof(LayerTile) == 64);
static_assert(sizeof(LayerTile) > 64 + (6 * 64 + 7) * sizeof(uint64_t));

template <int kUp>
OCTILE_JUMPS_INLINE Lanes places(uint32_t at) noexcept {
  return add(all(at), ladder<kUp>());
}
// Where the lanes of a part begin.
template <int kUp>
constexpr uint32_t first_of(uint32_t at, uint32_t part) noexcept {
  return kUp > 0 ? at + part * kLanes : at - part * kLanes;
}

// How many cells from (x, y) on lie in the same tile, at most eight.
template <int kX, int kY>
OCTILE_JUMPS_INLINE uint32_t inside(uint32_t x, uint32_t y) noexcept {
  uint32_t n = kX > 0 ? 64 - x : x + 1;
  const uint32_t ny = kY > 0 ? 64 - y : kY < 0 ? y + 1 : 8;
  n = n < ny ? n : ny;
  return n < 8 ? n : 8;
}

// Where corners may be cut: the moves of each of eight cells, in the top byte of 32 bits. The three
// bytes before the first moves belong to the stops.
template <int kX, int kY>
OCTILE_JUMPS_INLINE __m256i lane_moves(const LayerTile& t, uint32_t x, uint32_t y,
                                       uint32_t n) noexcept {
  constexpr int kStep = kY * 64 + kX;
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_mask_i32gather_epi32(
      _mm256_setzero_si256(), reinterpret_cast<const int*>(t.moves + (y << 6 | x) - 3),
      _mm256_mullo_epi32(lane, _mm256_set1_epi32(kStep)),
      _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), lane), 1);
}
template <uint32_t kMove>
OCTILE_JUMPS_INLINE uint32_t have(__m256i moves) noexcept {
  return static_cast<uint32_t>(
      _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(moves, 7 - (kMove & 7)))));
}

// Bit i: the step from cell i to cell i + 1 of a diagonal is legal without corner cutting, both
// being inside the tile. That takes the cell beside cell i, and in the next row the cell it goes to
// and the one before that.
template <int kX, int kY>
OCTILE_JUMPS_INLINE uint32_t legal_steps(const LayerTile& t, uint32_t x, uint32_t y) noexcept {
  uint32_t leave = 0, enter = 0;
  for (uint32_t part = 0; part < kParts; ++part) {
    const Lanes rows = window<kY>(t.row, first_of<kY>(y, part));
    const Lanes xs = places<kX>(first_of<kX>(x, part));
    leave |= leaves<kX>(rows, xs) << part * kLanes;
    enter |= enters<kX>(rows, xs) << part * kLanes;
  }
  return leave & enter >> 1;
}

// The rest of each lane's word in its own tile, and where no stop is left in it, all of its word in
// the next tile.
struct Ahead {
  Lanes steps;  // to the first stop
  Lanes to;     // its id
  Mask open;    // no stop in either
  Set hit;
};

template <int kUp, int kShift>
OCTILE_JUMPS_INLINE Ahead look(Lanes stops, Lanes far_stops, Lanes cells, Lanes far_cells, Lanes at,
                               Lanes ids, uint64_t wrap, Set live) noexcept {
  Ahead r;
  if (kUp > 0) {
    const Lanes by = add(at, all(1));
    Lanes ahead = shift_right(stops, by);
    const Mask over = is_empty(ahead);
    ahead = pick(over, ahead, far_stops);
    const Lanes free = pick(over, shift_right(cells, by), far_cells);
    const Lanes first = lowest_bit(ahead);
    r.open = is_empty(ahead);
    r.hit = meets(live, first, free);
    // 64 - lead, and 63 - at where it is in the next tile.
    r.steps = sub(pick(over, all(64), sub(all(127), at)), leading_zeros(first));
    r.to = add_where(over, add(ids, shift_left<kShift>(r.steps)), all(wrap));
  } else {
    const Lanes by = sub(all(64), at);
    Lanes ahead = shift_left(stops, by);
    const Mask over = is_empty(ahead);
    ahead = pick(over, ahead, far_stops);
    const Lanes free = pick(over, shift_left(cells, by), far_cells);
    const Lanes lead = leading_zeros(ahead);
    r.open = is_empty(ahead);
    r.hit = static_cast<Set>(live & tops(shift_left(free, lead)));
    r.steps = add(lead, add_where(over, all(1), at));
    r.to = sub_where(over, sub(ids, shift_left<kShift>(r.steps)), all(wrap));
  }
  return r;
}

// What lanes scan from, and how much more each of that is for the lane kLanes further on.
struct Origins {
  Lanes at;  // places in their words
  Lanes ids;
  Lanes costs;
  uint64_t at_step, id_step, cost_step;
};

// The scans of the lanes in `live` along their rows or columns. Writes the hits, their costs `gap`
// further on, and returns where the next ones go.
template <int kUp, int kAcross, bool kColumns>
OCTILE_JUMPS_INLINE uint64_t* scan_lines(const JumpGround& g, uint32_t tile, uint32_t line,
                                         Origins from, uint32_t live, uint64_t* out,
                                         ptrdiff_t gap) noexcept {
  constexpr uint32_t kStop =
      kColumns ? (kUp > 0 ? kStopSouth : kStopNorth) : (kUp > 0 ? kStopEast : kStopWest);
  constexpr uint32_t kShift = kColumns ? 6 : 0;
  constexpr uint64_t kArrival = kColumns ? (kUp > 0 ? kSouth : kNorth) : (kUp > 0 ? kEast : kWest);
  const uint32_t step = kColumns ? g.across : 1;
  const uint64_t hop = uint64_t{step} << 12, wrap = hop - (uint64_t{64} << kShift);
  const auto lines = [](const LayerTile* t) { return kColumns ? t->col : t->row; };
  const LayerTile* here = g.tiles[tile];
  const LayerTile* next = g.tiles[kUp > 0 ? tile + step : tile - step];
  from.ids = add(from.ids, all(kArrival << 32));
  for (uint32_t part = 0; part < kParts; ++part) {
    if (kParts > 1 && !live) break;
    // 1. As far as nearly all scans go. Looking into the next tile at once is cheaper than guessing
    //    whether that is needed.
    Lanes stops = window<kAcross>(here->stop[kStop], line);
    Lanes cells = window<kAcross>(lines(here), line);
    Ahead ahead = look<kUp, kShift>(stops, window<kAcross>(next->stop[kStop], line), cells,
                                    window<kAcross>(lines(next), line), from.at, from.ids, wrap,
                                    static_cast<Set>(live));
    // 2. On from tile to tile, until all lanes have met a stop.
    if (__builtin_expect(bits(ahead.open) & live, 0)) {
      uint32_t far = kUp > 0 ? tile + step : tile - step;
      // Each lane as if it stood just before the tile.
      Lanes run = kUp > 0 ? sub(all(63), from.at) : from.at;
      Lanes edge = kUp > 0 ? add(from.ids, add(shift_left<kShift>(run), all(wrap)))
                           : sub(from.ids, add(shift_left<kShift>(run), all(wrap)));
      do {
        far = kUp > 0 ? far + step : far - step;
        stops = window<kAcross>(g.tiles[far]->stop[kStop], line);
        edge = kUp > 0 ? add(edge, all(hop)) : sub(edge, all(hop));
        run = add(run, all(64));
        cells = window<kAcross>(lines(g.tiles[far]), line);
        const Mask none = is_empty(stops), met = without(ahead.open, none);
        if (kUp > 0) stops = lowest_bit(stops);
        const Lanes lead = leading_zeros(stops);
        const Lanes steps = kUp > 0 ? sub(all(64), lead) : add(lead, all(1));
        const Lanes way = shift_left<kShift>(steps);
        ahead.steps = pick(met, ahead.steps, add(steps, run));
        ahead.to = pick(met, ahead.to, kUp > 0 ? add(edge, way) : sub(edge, way));
        ahead.hit =
            static_cast<Set>(ahead.hit | (bits(met) & live & tops(shift_left(cells, lead))));
        ahead.open = without(ahead.open, met);
      } while (bits(ahead.open) & live);
    }
    // 3. Keep the hits.
    keep(ahead.hit, ahead.to, out);
    keep(ahead.hit, add(from.costs, times(ahead.steps, g.straight)), out + gap);
    out += __builtin_popcount(ahead.hit);
    if (kParts > 1) {
      live >>= kLanes;
      line = first_of<kAcross>(line, 1);
      from.at = add(from.at, all(from.at_step));
      from.ids = add(from.ids, all(from.id_step));
      from.costs = add(from.costs, all(from.cost_step));
    }
  }
  return out;
}

template <JumpRule kRule, int kX, int kY>
OCTILE_JUMPS void quadrant(const JumpGround& g, const JumpOrigin& from, bool scan_x, bool scan_y,
                           JumpHits* out) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  constexpr int64_t kStep = kY * 64 + kX;
  constexpr uint64_t kNext = kLanes;
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63, y = from.id >> 6 & 63;
  Cost cost = from.g;
  const Lanes cost_steps = times(ladder<1>(), g.diagonal);
  uint32_t skip_x = !scan_x, skip_y = !scan_y, skip = 1;  // the first lane
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    const LayerTile* t = g.tiles[tile];
    const uint32_t n = inside<kX, kY>(x, y);
    __m256i moves;
    uint32_t legal;
    if constexpr (kRule == JumpRule::cutting) {
      moves = lane_moves<kX, kY>(*t, x, y, n);
      legal = have<kMove>(moves);
    } else {
      legal = legal_steps<kX, kY>(*t, x, y);
    }
    const uint32_t steps = static_cast<uint32_t>(__builtin_ctz(~legal | 1u << (n - 1)));
    const uint32_t live = (2u << steps) - 1;
    const uint64_t id = number | uint64_t{tile} << 12 | y << 6 | x;
    Origins lanes{places<kX>(x),
                  add(all(id), ladder<kStep>()),
                  add(all(cost), cost_steps),
                  static_cast<uint64_t>(kX) * kNext,
                  static_cast<uint64_t>(kStep) * kNext,
                  g.diagonal * kNext};
    hits = scan_lines<kX, kY, false>(g, tile, y, lanes, live & ~skip_x, hits, gap);
    lanes.at = places<kY>(y);
    lanes.at_step = static_cast<uint64_t>(kY) * kNext;
    hits = scan_lines<kY, kX, true>(g, tile, x, lanes, live & ~skip_y, hits, gap);
    if constexpr (kRule == JumpRule::cutting) {
      const uint32_t forced = (have<kMove + 2>(moves) & ~have<kMove + 3>(moves)) |
                              (have<kMove - 2>(moves) & ~have<kMove - 3>(moves));
      for (uint32_t rest = live & ~skip & forced; rest; rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        *hits = (uint64_t{kMove} << 32 | id) + static_cast<uint64_t>(kStep) * i;
        hits[gap] = cost + g.diagonal * i;
        ++hits;
      }
    }
    if (steps + 1 < n) break;
    // By n - 1, not by steps, which is the same here but known much later.
    x += static_cast<uint32_t>(kX) * (n - 1);
    y += static_cast<uint32_t>(kY) * (n - 1);
    if (!(t->moves[y << 6 | x] >> kMove & 1)) break;
    x += static_cast<uint32_t>(kX);
    y += static_cast<uint32_t>(kY);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    if (y > 63) tile = kY > 0 ? tile + g.across : tile - g.across;
    x &= 63;
    y &= 63;
    cost += g.diagonal * n;
    skip_x = skip_y = skip = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <JumpRule kRule>
OCTILE_JUMPS void scan(const JumpGround& g, const JumpOrigin& from, JumpHits* out) noexcept {
  const uint32_t quadrants = from.quadrants;
  // Mostly a single one, else those on both sides of an arrival: one jump instead of four guesses.
  switch (quadrants) {
    case kQuadrantSE:
      return quadrant<kRule, 1, 1>(g, from, true, true, out);
    case kQuadrantNE:
      return quadrant<kRule, 1, -1>(g, from, true, true, out);
    case kQuadrantSW:
      return quadrant<kRule, -1, 1>(g, from, true, true, out);
    case kQuadrantNW:
      return quadrant<kRule, -1, -1>(g, from, true, true, out);
    default:
      break;
  }
  switch (quadrants) {
    case kQuadrantSE | kQuadrantNE:
      quadrant<kRule, 1, 1>(g, from, true, true, out);
      return quadrant<kRule, 1, -1>(g, from, false, true, out);
    case kQuadrantSW | kQuadrantNW:
      quadrant<kRule, -1, 1>(g, from, true, true, out);
      return quadrant<kRule, -1, -1>(g, from, false, true, out);
    case kQuadrantSE | kQuadrantSW:
      quadrant<kRule, 1, 1>(g, from, true, true, out);
      return quadrant<kRule, -1, 1>(g, from, true, false, out);
    case kQuadrantNE | kQuadrantNW:
      quadrant<kRule, 1, -1>(g, from, true, true, out);
      return quadrant<kRule, -1, -1>(g, from, true, false, out);
    default:
      break;
  }
  const bool lines = kRule == JumpRule::no_cutting || !(quadrants & kDiagonalsOnly);
  const bool se = quadrants & kQuadrantSE, ne = quadrants & kQuadrantNE;
  const bool sw = quadrants & kQuadrantSW, nw = quadrants & kQuadrantNW;
  if (se) quadrant<kRule, 1, 1>(g, from, lines, lines, out);
  if (ne) quadrant<kRule, 1, -1>(g, from, lines && !se, lines, out);
  if (sw) quadrant<kRule, -1, 1>(g, from, lines, lines && !se, out);
  if (nw) quadrant<kRule, -1, -1>(g, from, lines && !sw, lines && !ne, out);
}

// How many cells from x on are free in a row of a tile.
template <int kX>
OCTILE_JUMPS_INLINE uint32_t free_cells(uint64_t row, uint32_t x) noexcept {
  return static_cast<uint32_t>(kX > 0 ? _tzcnt_u64(~(row >> x)) : _lzcnt_u64(~(row << (63 - x))));
}

template <int kX>
OCTILE_JUMPS void walk_row(const JumpGround& g, const JumpOrigin& from, bool scan_south,
                           bool scan_north, JumpHits* out) noexcept {
  const uint64_t number = uint64_t{from.number} << 35;
  uint32_t tile = from.id >> 12, x = from.id & 63;
  const uint32_t y = from.id >> 6 & 63;
  Cost cost = from.g;
  const Lanes cost_steps = times(ladder<1>(), g.straight);
  uint32_t skip_south = !scan_south, skip_north = !scan_north;  // the first lane
  uint64_t* hits = out->id + out->count;
  const ptrdiff_t gap = out->cost - out->id;
  for (;;) {
    const LayerTile* t = g.tiles[tile];
    const uint32_t n = inside<kX, 0>(x, y);
    const uint32_t free = free_cells<kX>(t->row[y], x);
    const uint32_t count = free < n ? free : n;
    const uint32_t live = (1u << count) - 1;
    const Origins lanes{all(y),
                        add(all(number | uint64_t{tile} << 12 | y << 6 | x), ladder<kX>()),
                        add(all(cost), cost_steps),
                        0,
                        static_cast<uint64_t>(kX) * kLanes,
                        g.straight * kLanes};
    hits = scan_lines<1, kX, true>(g, tile, x, lanes, live & ~skip_south, hits, gap);
    hits = scan_lines<-1, kX, true>(g, tile, x, lanes, live & ~skip_north, hits, gap);
    if (count < n) break;
    x += static_cast<uint32_t>(kX) * (n - 1);
    if (!(t->moves[y << 6 | x] >> (kX > 0 ? kEast : kWest) & 1)) break;
    x += static_cast<uint32_t>(kX);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    x &= 63;
    cost += g.straight * n;
    skip_south = skip_north = 0;
  }
  out->count = static_cast<uint32_t>(hits - out->id);
}

template <>
OCTILE_JUMPS void scan<JumpRule::four>(const JumpGround& g, const JumpOrigin& from,
                                       JumpHits* out) noexcept {
  const uint32_t ways = four_ways(g, from);
  const bool south = ways & kWaySouth, north = ways & kWayNorth, east = ways & kWayEast;
  if (east) walk_row<1>(g, from, south, north, out);
  if (ways & kWayWest) walk_row<-1>(g, from, south && !east, north && !east, out);
}

template <JumpRule kRule, int kX, int kY>
OCTILE_JUMPS bool run_along(const JumpGround& g, CellId id, uint32_t count) noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
  while (count > 0) {
    const LayerTile* t = g.tiles[tile];
    const uint32_t n = inside<kX, kY>(x, y);
    const uint32_t least = count < n - 1 ? count : n - 1;
    const uint32_t wrong =
        ~(kRule == JumpRule::cutting ? have<kMove>(lane_moves<kX, kY>(*t, x, y, n))
                                     : legal_steps<kX, kY>(*t, x, y));
    if (wrong & ((1u << least) - 1)) return false;
    if (count < n) return true;
    count -= n;
    x += static_cast<uint32_t>(kX) * (n - 1);
    y += static_cast<uint32_t>(kY) * (n - 1);
    if (!(t->moves[y << 6 | x] >> kMove & 1)) return false;
    x += static_cast<uint32_t>(kX);
    y += static_cast<uint32_t>(kY);
    if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
    if (y > 63) tile = kY > 0 ? tile + g.across : tile - g.across;
    x &= 63;
    y &= 63;
  }
  return true;
}

template <JumpRule kRule>
OCTILE_JUMPS bool walk(const JumpGround& g, CellId id, uint32_t d, uint32_t count) noexcept {
  switch (d) {
    case kSouthEast:
      return run_along<kRule, 1, 1>(g, id, count);
    case kSouthWest:
      return run_along<kRule, -1, 1>(g, id, count);
    case kNorthWest:
      return run_along<kRule, -1, -1>(g, id, count);
    default:
      return run_along<kRule, 1, -1>(g, id, count);
  }
}

template <int kX>
OCTILE_JUMPS bool run_along_row(const JumpGround& g, CellId id, uint32_t count) noexcept {
  const uint32_t y = id >> 6 & 63;
  uint32_t tile = id >> 12, x = id & 63;
  for (;;) {
    const uint32_t n = kX > 0 ? 64 - x : x + 1;  // to the edge of the tile
    const uint32_t free = free_cells<kX>(g.tiles[tile]->row[y], x);
    if (count < n) return count < free;
    if (free < n) return false;
    count -= n;
    tile = kX > 0 ? tile + 1 : tile - 1;
    x = kX > 0 ? 0 : 63;
  }
}

template <>
OCTILE_JUMPS bool walk<JumpRule::four>(const JumpGround& g, CellId id, uint32_t d,
                                       uint32_t count) noexcept {
  return d == kEast ? run_along_row<1>(g, id, count) : run_along_row<-1>(g, id, count);
}

template <class Nodes>
OCTILE_JUMPS [[gnu::flatten]] Progress search(JumpMoves& moves, Nodes& nodes, JumpQueue& open,
                                              Watch& watch, State& state,
                                              uint64_t budget) noexcept {
  return detail::best_first(moves, nodes, open, watch, state, budget);
}

OCTILE_JUMPS [[gnu::flatten]] Progress dense_search(JumpMoves& moves, JumpNodes& nodes,
                                                    JumpQueue& open, Watch& watch, State& state,
                                                    uint64_t budget) noexcept {
  return jump_search(moves, nodes, open, watch, state, budget);
}

constexpr JumpKernel make_kernel(const char* name) noexcept {
  return {name,
          {{scan<JumpRule::no_cutting>, walk<JumpRule::no_cutting>},
           {scan<JumpRule::cutting>, walk<JumpRule::cutting>},
           {scan<JumpRule::four>, walk<JumpRule::four>}},
          search<JumpNodes>,
          dense_search,
          search<SparseNodes>};
}

}  // namespace OCTILE_JUMPS_NAME

}  // namespace

}  // namespace octile
