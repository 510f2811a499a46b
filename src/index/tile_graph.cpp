// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/tile_graph.hpp"

#include <algorithm>
#include <bit>

#include "world/bits.hpp"

namespace octile {

uint32_t TileGraph::Maps::steps(Point p, uint32_t d) const noexcept {
  const bool across = d == kEast || d == kWest;
  const uint64_t stop = across ? stop_row[p.y] : stop_col[p.x];
  const uint32_t at = across ? p.x : p.y;
  if (d == kEast || d == kSouth) {
    const uint64_t ahead = stop >> at >> 1;
    return ahead ? static_cast<uint32_t>(std::countr_zero(ahead)) + 1 : 64 - at;
  }
  const uint64_t ahead = stop << (63 - at) << 1;
  return ahead ? static_cast<uint32_t>(std::countl_zero(ahead)) + 1 : at + 1;
}

uint32_t TileGraph::Maps::diagonal_steps(Point p, uint32_t d) const noexcept {
  uint32_t count = 0;
  for (;;) {
    const Point to = CornerMaps::step(p, d, 1);
    if (!passable(to) || !passable({to.x, p.y}) || !passable({p.x, to.y})) return count;
    p = to;
    ++count;
    if (corner(p)) return count;
  }
}

bool TileGraph::begin(const uint64_t* rows, const uint16_t* cells, uint32_t count,
                      IndexSteps steps) noexcept {
  steps_ = steps;
  std::memcpy(maps_.row, rows, sizeof maps_.row);
  std::memcpy(maps_.col, rows, sizeof maps_.col);
  transpose(maps_.col);
  std::memset(number_, 0, sizeof number_);
  maps_.number = number_;
  // 1. Nodes: the cells asked about, then the corners, row by row.
  node_.clear();
  uint64_t nodes[64] = {};
  if (!node_of_.resize(count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint16_t cell = cells[i];
    if (!number_[cell]) {
      if (!node_.push(cell)) return false;
      number_[cell] = static_cast<uint16_t>(node_.size());
      nodes[cell >> 6] |= uint64_t{1} << (cell & 63);
    }
    node_of_[i] = static_cast<uint16_t>(number_[cell] - 1);
  }
  for (uint32_t y = 0; y < 64; ++y) {
    const uint64_t here = rows[y], east = here >> 1, west = here << 1;
    uint64_t corners = 0;
    const auto look = [&](uint64_t beside) {
      corners |= beside & ((east & ~(beside >> 1)) | (west & ~(beside << 1)));
    };
    if (y > 0) look(rows[y - 1]);
    if (y < 63) look(rows[y + 1]);
    // What lies outside is wall and its neighbours are too, so no corner stands against it.
    for (corners &= here & ~nodes[y]; corners; corners &= corners - 1) {
      const auto x = static_cast<uint32_t>(std::countr_zero(corners));
      if (!node_.push(static_cast<uint16_t>(y << 6 | x))) return false;
      number_[y << 6 | x] = static_cast<uint16_t>(node_.size());
      nodes[y] |= uint64_t{1} << x;
    }
  }
  for (uint32_t y = 0; y < 64; ++y) maps_.stop_row[y] = ~rows[y] | nodes[y];
  std::memcpy(maps_.stop_col, maps_.stop_row, sizeof maps_.stop_col);
  transpose(maps_.stop_col);
  // 2. Edges.
  if (!first_.resize(node_.size() + 1) || !best_.resize(node_.size())) return false;
  edge_.clear();
  bool fits = true;
  for (uint32_t n = 0; n < node_.size(); ++n) {
    first_[n] = static_cast<uint32_t>(edge_.size());
    const Point p{node_[n] & 63u, static_cast<uint32_t>(node_[n]) >> 6};
    direct_reach(maps_, p, kAllDirections, [&](Point to) {
      const uint32_t dx = p.x < to.x ? to.x - p.x : p.x - to.x;
      const uint32_t dy = p.y < to.y ? to.y - p.y : p.y - to.y;
      const Length length = Length{steps.line(p, to)} << kDiagonalBits | (dx < dy ? dx : dy);
      fits = edge_.push({length, number_[to.y << 6 | to.x] - 1u}) && fits;
    });
    if (!fits) return false;
  }
  first_[node_.size()] = static_cast<uint32_t>(edge_.size());
  return true;
}

bool TileGraph::ways(uint32_t from, uint32_t upto, BlockWay* out) noexcept {
  for (Length& length : best_) length = kUnreached;
  entry_.clear();
  constexpr uint32_t kNone = 0xffffffff;
  // Buckets are as wide as the largest power of two below a straight step.
  const auto shift = static_cast<uint32_t>(std::bit_width(steps_.straight)) - 1;
  // Nodes are numbered as the cells come, so those asked for are the first ones.
  uint32_t asked = 0;
  for (uint32_t i = 0; i < upto; ++i) asked = std::max<uint32_t>(asked, node_of_[i] + 1);
  uint32_t missing = asked;
  uint32_t ring[kRing];
  for (uint32_t& head : ring) head = kNone;
  uint32_t waiting = 0;
  const auto push = [&](uint32_t node, Length length) {
    const auto b = static_cast<uint32_t>(length >> (kDiagonalBits + shift)) % kRing;
    best_[node] = length;
    ++waiting;
    const auto slot = static_cast<uint32_t>(entry_.size());
    const uint32_t next = ring[b];
    ring[b] = slot;
    return entry_.push({node, next, length});
  };
  if (!push(node_of_[from], 0)) return false;
  // No edge is shorter than a bucket is wide, so whatever stands in the present one is settled.
  for (uint32_t b = 0; waiting > 0 && missing > 0; b = (b + 1) % kRing) {
    while (ring[b] != kNone) {
      const Entry e = entry_[ring[b]];
      ring[b] = e.next;
      --waiting;
      if (best_[e.node] != e.length) continue;
      missing -= e.node < asked;
      for (uint32_t i = first_[e.node]; i < first_[e.node + 1]; ++i) {
        const Length length = e.length + edge_[i].length;
        if (length < best_[edge_[i].target] && !push(edge_[i].target, length)) return false;
      }
    }
  }
  for (uint32_t i = 0; i < upto; ++i) {
    const Length length = best_[node_of_[i]];
    if (length == kUnreached) {
      out[i] = kNoWay;
      continue;
    }
    const auto diagonal = static_cast<uint32_t>(length & ((1u << kDiagonalBits) - 1));
    const auto cost = static_cast<uint32_t>(length >> kDiagonalBits);
    out[i] = {static_cast<uint16_t>((cost - diagonal * steps_.diagonal) / steps_.straight),
              static_cast<uint16_t>(diagonal)};
  }
  return true;
}

}  // namespace octile
