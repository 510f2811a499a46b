// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/agent_graph.hpp"

#include <bit>

namespace octile {

bool AgentGraph::build(const WorldView& world) noexcept {
  grid = world.map.grid;
  const Layer& layer = world.layer;
  const bool four = world.profile.moves == Moves::four || world.profile.diagonal == Diagonal::never;
  stride = four ? 4 : 8;

  // 1. Numbers.
  if (!tile_start.assign(grid.tiles, kNoVertex)) return false;
  vertices.clear();
  cells.clear();
  for (uint32_t row = 0; row < grid.tile_rows; ++row) {
    for (uint32_t column = 0; column < grid.tile_cols; ++column) {
      const uint32_t tile = grid.tile_index(column, row);
      const LayerTile& bits = *layer.flat[tile];
      uint64_t any = 0;
      for (const uint64_t r : bits.row) any |= r;
      if (any == 0) continue;
      const size_t start = vertices.size();
      tile_start[tile] = static_cast<uint32_t>(start);
      if (!vertices.reserve(start + kTileCells) || !vertices.resize(start + kTileCells) ||
          !cells.reserve(cells.size() + kTileCells))
        return false;
      Vertex* number = vertices.data() + start;
      for (uint32_t i = 0; i < kTileCells; ++i) number[i] = kNoVertex;
      for (uint32_t y = 0; y < 64; y += 8) {
        for (uint32_t x = 0; x < 64; x += 8) {
          for (uint32_t line = y; line < y + 8; ++line) {
            for (uint32_t rest = bits.row[line] >> x & 0xff; rest; rest &= rest - 1) {
              const uint32_t at = line << 6 | (x + static_cast<uint32_t>(std::countr_zero(rest)));
              number[at] = static_cast<Vertex>(cells.size());
              cells.push(tile << 12 | at);
            }
          }
        }
      }
    }
  }
  size = static_cast<uint32_t>(cells.size());

  // 2. Neighbours.
  if (!near.resize(size_t{size} * stride) || !degree.resize(size) || !moves.resize(size) ||
      !roomy.resize(size) || !crossing.assign(four ? 0 : size, 0))
    return false;
  for (Vertex v = 0; v < size; ++v) {
    const CellId id = cells[v];
    const int32_t* step = layer.steps.of(id);
    uint32_t left = layer.moves(id);
    if (four) left &= kStraightMoves;
    moves[v] = static_cast<uint8_t>(left);
    uint32_t count = 0;
    for (; left; left &= left - 1) {
      const auto d = static_cast<uint32_t>(std::countr_zero(left));
      const size_t at = size_t{v} * stride + count++;
      near[at] = vertex(id + static_cast<uint32_t>(step[d]));
      if (four || d % 2 == 0) continue;
      // The corners beside the move; both must be free for another move to cross it, and are
      // neighbours then, before and behind.
      const Vertex beside = vertex(id + static_cast<uint32_t>(step[d - 1]));
      const Vertex other = vertex(id + static_cast<uint32_t>(step[(d + 1) % 8]));
      if (beside == kNoVertex || other == kNoVertex) continue;
      crossing[v] |= (d == kSouthEast   ? kItself
                      : d == kNorthWest ? kNeighbour
                      : d == kSouthWest ? kNeighbour + 1   // west
                                        : kNeighbour - 1)  // north, of north-east
                     << 3 * (count - 1);
    }
    degree[v] = static_cast<uint8_t>(count);
    for (; count < stride; ++count) near[size_t{v} * stride + count] = v;
  }
  for (Vertex v = 0; v < size; ++v) {
    uint32_t through = 0;
    for (uint32_t k = 0; k < degree[v]; ++k) through += degree[near[size_t{v} * stride + k]] >= 2;
    roomy[v] = through >= 3;
  }
  return true;
}

}  // namespace octile
