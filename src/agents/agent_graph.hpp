// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The passable cells of a View as a small graph, for many agents: vertices are numbered without
// gaps, so that tables by vertex hold no walls.
//
//   order     tile by tile, in each by blocks of 8 x 8 cells: a cell and its neighbours lie mostly
//             in one or two cache lines of a table of bytes
//   near      kNear entries for each vertex, the neighbours first, itself in the unused places: a
//             search may look at all of them without asking for the degree
//   crossing  for eight moves: which 2 x 2 cells a diagonal move crosses, three bits for each
//             neighbour that say which vertex their upper left cell is; see across()
//   roomy     a vertex with at least three neighbours that are no dead ends: a swap of two agents
//             never needs to look beyond it
//
// Moves are symmetric, so distances to a goal are distances from it. Memory: about 27 (four) or 51
// (eight) bytes a vertex and 4 a cell of tiles that are not all wall.

#include "world/world_view.hpp"

namespace octile {

using Vertex = uint32_t;
constexpr Vertex kNoVertex = 0xffffffff;

struct AgentGraph {
  uint32_t size = 0;
  uint32_t stride = 4;  // entries of `near` for each vertex: 4 or 8
  Buffer<Vertex> near;
  Buffer<uint32_t> crossing;
  Buffer<uint8_t> degree;
  Buffer<uint8_t> moves;  // a bit for each direction in which there is a neighbour
  Buffer<uint8_t> roomy;
  Buffer<CellId> cells;         // by vertex
  Buffer<uint32_t> tile_start;  // by tile: where its cells begin in `vertices`
  Buffer<Vertex> vertices;
  TileGrid grid;

  // False: memory is short.
  bool build(const WorldView& world) noexcept;

  Vertex vertex(CellId id) const noexcept {
    const uint32_t start = tile_start[id >> 12];
    return start == kNoVertex ? kNoVertex : vertices[start + (id & (kTileCells - 1))];
  }
  Vertex vertex(Cell cell) const noexcept {
    return grid.contains(cell) ? vertex(grid.id(cell)) : kNoVertex;
  }
  // Which 2 x 2 cells the move to a neighbour crosses, of eight moves, as the vertex of their upper
  // left cell; kNoVertex for straight moves, and where a wall is among them, so that no other
  // diagonal move can cross there.
  Vertex across(Vertex v, uint32_t k) const noexcept {
    const uint32_t corner = crossing[v] >> 3 * k & 7;
    if (corner == kNoCorner) return kNoVertex;
    const Vertex other = near[size_t{v} * 8 + k + corner - kNeighbour];  // to be guessed by nobody
    return corner == kItself ? v : other;
  }
  // Of crossing: the vertex itself, or the neighbour before, at or behind the one that is entered.
  static constexpr uint32_t kNoCorner = 0, kItself = 7, kNeighbour = 3;
  Cell cell(Vertex v) const noexcept { return grid.cell(cells[v]); }
  size_t bytes() const noexcept {
    return near.bytes() + crossing.bytes() + degree.bytes() + moves.bytes() + roomy.bytes() +
           cells.bytes() + tile_start.bytes() + vertices.bytes();
  }
};

}  // namespace octile
