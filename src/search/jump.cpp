// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "search/jump.hpp"

namespace octile {

// Of bits that are not all clear: the standard's countr_zero also tests for that.
static inline uint32_t lowest(uint64_t bits) {
  return static_cast<uint32_t>(__builtin_ctzll(bits));
}
static inline uint32_t highest(uint64_t bits) {
  return static_cast<uint32_t>(__builtin_clzll(bits)) ^ 63;
}

// A scan looks at stop-bits only. `ahead` holds those beyond the starting cell, at the low end
// going up and at the high end going down; the hit is kept when its stop cell is passable. Writing
// first and deciding by the bit keeps the most frequent branch out of the loop.
template <int kX>
inline JumpHit* JumpMoves::scan_row(uint32_t tile, uint32_t x, uint32_t y, Cost cost,
                                    JumpHit* out) const noexcept {
  constexpr uint32_t kStop = kX > 0 ? kStopEast : kStopWest;
  const LayerTile* t = tiles_[tile];
  uint64_t ahead = kX > 0 ? t->stop[kStop][y] >> x >> 1 : t->stop[kStop][y] << 1 << (63 - x);
  uint32_t run = 0, at = x;
  if (!ahead) {
    run = kX > 0 ? 63 - x : x;
    for (;;) {
      tile = kX > 0 ? tile + 1 : tile - 1;
      t = tiles_[tile];
      ahead = t->stop[kStop][y];
      if (ahead) break;
      run += 64;
    }
    at = kX > 0 ? uint32_t(-1) : 64;
  }
  const uint32_t step = (kX > 0 ? lowest(ahead) : 63 - highest(ahead)) + 1;
  at = kX > 0 ? at + step : at - step;
  if (!(t->row[y] >> at & 1)) return out;
  *out = {tile << 12 | y << 6 | at, cost + straight_ * (run + step)};
  return out + 1;
}

template <int kY>
inline JumpHit* JumpMoves::scan_column(uint32_t tile, uint32_t x, uint32_t y, Cost cost,
                                       JumpHit* out) const noexcept {
  constexpr uint32_t kStop = kY > 0 ? kStopSouth : kStopNorth;
  const uint32_t across = 1u << layer_.grid.row_shift;
  const LayerTile* t = tiles_[tile];
  uint64_t ahead = kY > 0 ? t->stop[kStop][x] >> y >> 1 : t->stop[kStop][x] << 1 << (63 - y);
  uint32_t run = 0, at = y;
  if (!ahead) {
    run = kY > 0 ? 63 - y : y;
    for (;;) {
      tile = kY > 0 ? tile + across : tile - across;
      t = tiles_[tile];
      ahead = t->stop[kStop][x];
      if (ahead) break;
      run += 64;
    }
    at = kY > 0 ? uint32_t(-1) : 64;
  }
  const uint32_t step = (kY > 0 ? lowest(ahead) : 63 - highest(ahead)) + 1;
  at = kY > 0 ? at + step : at - step;
  if (!(t->col[x] >> at & 1)) return out;
  *out = {tile << 12 | at << 6 | x, cost + straight_ * (run + step)};
  return out + 1;
}

template <int kX, int kY>
JumpHit* JumpMoves::quadrant(CellId id, bool scan_x, bool scan_y, JumpHit* out) const noexcept {
  constexpr uint32_t kMove =
      kX > 0 ? (kY > 0 ? kSouthEast : kNorthEast) : (kY > 0 ? kSouthWest : kNorthWest);
  const uint32_t across = 1u << layer_.grid.row_shift;
  uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
  Cost cost = 0;
  if (scan_x) out = scan_row<kX>(tile, x, y, cost, out);
  if (scan_y) out = scan_column<kY>(tile, x, y, cost, out);
  while (tiles_[tile]->moves[y << 6 | x] >> kMove & 1) {
    x += static_cast<uint32_t>(kX);
    y += static_cast<uint32_t>(kY);
    if ((x | y) > 63) {  // left the tile on one side or both; below 0 wraps
      if (x > 63) tile = kX > 0 ? tile + 1 : tile - 1;
      if (y > 63) tile = kY > 0 ? tile + across : tile - across;
      x &= 63;
      y &= 63;
    }
    cost += diagonal_;
    out = scan_row<kX>(tile, x, y, cost, out);
    out = scan_column<kY>(tile, x, y, cost, out);
  }
  return out;
}

JumpHit* JumpMoves::scan(CellId id) const noexcept {
  const CellId parent = nodes_.known(id).parent;
  uint32_t quadrants = kAllQuadrants;
  if (parent != kNoCell) {
    // The last leg was diagonal first, then straight: its longer side tells the arrival.
    const int32_t dx =
        static_cast<int32_t>(layer_.grid.px(id)) - static_cast<int32_t>(layer_.grid.px(parent));
    const int32_t dy =
        static_cast<int32_t>(layer_.grid.py(id)) - static_cast<int32_t>(layer_.grid.py(parent));
    const uint32_t arrival =
        (dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy) ? (dx > 0 ? 0 : 2) : (dy > 0 ? 1 : 3);
    quadrants = kQuadrants.of[arrival][layer_.moves(id)];
  }
  // Two quadrants that share a straight scan leave it to the first.
  JumpHit* out = hits_;
  if (quadrants & kQuadrantSE) out = quadrant<1, 1>(id, true, true, out);
  if (quadrants & kQuadrantNE) out = quadrant<1, -1>(id, !(quadrants & kQuadrantSE), true, out);
  if (quadrants & kQuadrantSW) out = quadrant<-1, 1>(id, true, !(quadrants & kQuadrantSE), out);
  if (quadrants & kQuadrantNW)
    out = quadrant<-1, -1>(id, !(quadrants & kQuadrantSW), !(quadrants & kQuadrantNE), out);
  return out;
}

}  // namespace octile
