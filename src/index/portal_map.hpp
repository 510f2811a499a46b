// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Portals: a map cut into square blocks, and the ways between the places where one can pass from
// block to block. The index of the solvers `portals` and `quadtree`.
//
//   gap      a longest run of cells along a border that are free on both sides
//   portal   a cell of a gap; each cell of the gap belongs to its nearest portal, `low` to `high`
//   block    portals of its north, west, east and south side, ascending; between all pairs of them
//            the shortest way inside the block, 3 bytes each (12 bits of straight, 12 of diagonal
//            steps). Free blocks need no ways: the empty-grid way is free.
//
//   +------p---------+----        kind portals    blocks of 64 x 64, which are the tiles
//   |                |            kind quadtree   blocks of 32 x 32; free ones are merged, aligned
//   p      block     p            squares of up to 512 x 512, and have portals on their outside
//   |                |            only
//   +---p------p-----+----
//
// Two blocks list the same portals of the border between them, so the k-th of one side faces the
// k-th of the other. A block follows from its own bits and the lines of cells around it alone:
// whether it was built with the map, or after an edit by the first query that came along, the same
// bytes come out.
//
// Blocks lie in chunks of 512 x 512 cells, counted and shared between versions; an edit costs a
// copy of the chunk's pointers and forgets the blocks it touched. A block is published once by
// compare-and-swap. Memory: about 0.1 to 0.9 bytes a cell, 8 bytes a block and 256 bytes a chunk.
// Source: Botea, Mueller and Schaeffer 2004 (HPA*); docs/portals.md.

#include <atomic>

#include "index/tile_graph.hpp"
#include "world/world_view.hpp"

namespace octile {

enum BlockSide : uint32_t { kSideNorth, kSideWest, kSideEast, kSideSouth };
constexpr uint32_t opposite(uint32_t side) noexcept {
  return 3 - side;
}

struct Portal {
  uint8_t at, low, high;  // along its side
  uint8_t gap;            // the number, within the block, of the first portal of its gap
};

// The bytes of a block, in memory as in a file; followed by portals and ways.
struct PortalBlock {
  uint32_t bytes;    // all of it, a multiple of 4
  uint8_t first[5];  // by side: the number of its first portal; then how many there are
  uint8_t free;      // 1: every cell is passable, there are no ways
  uint16_t unused;

  uint32_t count() const noexcept { return first[4]; }
  const Portal* portals() const noexcept { return reinterpret_cast<const Portal*>(this + 1); }
  uint32_t side_of(uint32_t portal) const noexcept {
    return (portal >= first[1]) + (portal >= first[2]) + (portal >= first[3]);
  }
  // Not for free blocks; of two different portals.
  BlockWay way(uint32_t a, uint32_t b) const noexcept {
    const uint32_t high = a > b ? a : b, low = a > b ? b : a;
    const uint8_t* at =
        reinterpret_cast<const uint8_t*>(portals() + count()) + 3 * (high * (high - 1) / 2 + low);
    return {static_cast<uint16_t>(at[0] | (at[1] & 15) << 8),
            static_cast<uint16_t>(at[1] >> 4 | at[2] << 4)};
  }
};
static_assert(sizeof(PortalBlock) == 12 && sizeof(Portal) == 4);

// A portal as a number: its block, and which of the block's it is.
using PortalId = uint32_t;
constexpr uint32_t kPortalBits = 7;  // a side of n cells has at most n / 2 gaps
constexpr uint32_t kMostPortals = 1u << kPortalBits;

// How blocks lie on a map, and by which rule gaps get portals.
struct PortalShape {
  uint32_t width = 0, height = 0;  // cells
  uint32_t side_bits = 6;          // a block has 1 << side_bits cells a side
  bool tree = false;               // free blocks are merged
  bool high = false;               // a portal for every 8 cells of a gap
  IndexSteps steps;
  uint32_t across = 0, down = 0;  // blocks
  uint32_t row_bits = 0;

  static constexpr uint32_t kChunkBits = 9;
  static constexpr uint32_t kMostBlocks = 256;  // of a chunk

  void set(const TileGrid& grid, IndexKind kind, bool high_quality, IndexSteps lengths) noexcept;
  uint32_t side() const noexcept { return 1u << side_bits; }
  // Blocks are numbered row by row, with rows of a power of two.
  uint32_t blocks() const noexcept { return across * down; }
  uint32_t block_at(uint32_t column, uint32_t row) const noexcept {
    return row << row_bits | column;
  }
  uint32_t block_of(Point p) const noexcept { return block_at(p.x >> side_bits, p.y >> side_bits); }
  uint32_t column(uint32_t block) const noexcept { return block & ((1u << row_bits) - 1); }
  uint32_t row(uint32_t block) const noexcept { return block >> row_bits; }
  Point corner(uint32_t block) const noexcept {
    return {column(block) << side_bits, row(block) << side_bits};
  }
  // The block on the other side; the caller knows that there is one.
  uint32_t beside(uint32_t block, uint32_t towards) const noexcept {
    const uint32_t step = towards == kSideNorth || towards == kSideSouth ? 1u << row_bits : 1;
    return towards < kSideEast ? block - step : block + step;
  }
  bool has_beside(uint32_t block, uint32_t towards) const noexcept {
    switch (towards) {
      case kSideNorth:
        return row(block) != 0;
      case kSideWest:
        return column(block) != 0;
      case kSideEast:
        return column(block) + 1 != across;
      default:
        return row(block) + 1 != down;
    }
  }
  // Calls visit(block) for each, row by row.
  template <class Visit>
  void each(Visit visit) const noexcept {
    for (uint32_t y = 0; y < down; ++y)
      for (uint32_t x = 0; x < across; ++x) visit(block_at(x, y));
  }
  uint32_t chunks_across() const noexcept { return (width + (1u << kChunkBits) - 1) >> kChunkBits; }
  uint32_t chunks() const noexcept {
    return chunks_across() * ((height + (1u << kChunkBits) - 1) >> kChunkBits);
  }
  uint32_t chunk_of(uint32_t block) const noexcept {
    const uint32_t bits = kChunkBits - side_bits;
    return (row(block) >> bits) * chunks_across() + (column(block) >> bits);
  }
  uint32_t in_chunk(uint32_t block) const noexcept {
    const uint32_t bits = kChunkBits - side_bits, mask = (1u << bits) - 1;
    return (row(block) & mask) << bits | (column(block) & mask);
  }
  // The cell of a portal.
  Point place(uint32_t block, uint32_t side_at, uint32_t at) const noexcept {
    const Point p = corner(block);
    const uint32_t last = side() - 1;
    switch (side_at) {
      case kSideNorth:
        return {p.x + at, p.y};
      case kSideWest:
        return {p.x, p.y + at};
      case kSideEast:
        return {p.x + last, p.y + at};
      default:
        return {p.x + at, p.y + last};
    }
  }
  Point place(const PortalBlock& b, uint32_t block, uint32_t portal) const noexcept {
    return place(block, b.side_of(portal), b.portals()[portal].at);
  }
};

// The memory that blocks are built in, one per thread.
struct PortalRoom {
  TileGraph graph;
  BlockWay ways[kMostPortals];
  size_t bytes() const noexcept { return graph.bytes(); }
};

class PortalMap : public Counted {
 public:
  PortalMap() noexcept = default;
  ~PortalMap();
  PortalMap(const PortalMap&) = delete;

  const PortalShape& shape() const noexcept { return shape_; }

  // A map without blocks; false: memory is short. The leaves of a quadtree are found in `layer`, or
  // come from adopt().
  bool begin(const PortalShape& shape, const Layer* layer) noexcept;
  // Takes the blocks of a file, which must outlive this map and all that share with it: the k-th
  // begins at bytes + 4 * directory[k]. `leaves` are by block, for a quadtree.
  void adopt(const uint32_t* directory, const uint8_t* bytes, size_t size,
             const uint8_t* leaves) noexcept;
  // The map after an edit: shares what it did not touch.
  bool update(const PortalMap& old, const Layer& layer, const Buffer<DirtyTile>& dirty) noexcept;

  // A block, built when it is missing; null: memory is short. `layer` is the View's own. Safe from
  // any thread.
  const PortalBlock* block(const Layer& layer, uint32_t block, PortalRoom& room) const noexcept {
    const PortalBlock* b = slot(block).load(std::memory_order_acquire);
    return b ? b : make(layer, block, room);
  }
  // The ways inside a block from cell `from` to its portals and, after them, to cell `to`, if that
  // is not null: count() or one more of them. Both cells lie in the block. False: memory is short.
  bool connect(const Layer& layer, uint32_t block, const PortalBlock& b, Point from,
               const Point* to, PortalRoom& room, BlockWay* out) const noexcept;
  // The same, null when it is missing.
  const PortalBlock* peek(uint32_t block) const noexcept {
    return slot(block).load(std::memory_order_acquire);
  }

  // Merged free squares: their side is 1 << leaf_bits(block) blocks; 0 for a block of its own.
  uint32_t leaf_bits(uint32_t block) const noexcept {
    return shape_.tree ? chunk_[shape_.chunk_of(block)]->leaf[shape_.in_chunk(block)] : 0;
  }
  bool same_leaf(uint32_t a, uint32_t b) const noexcept;

  size_t block_bytes() const noexcept;  // of those that are there
  size_t bytes() const noexcept;

 private:
  struct Chunk : Counted {
    std::atomic<const PortalBlock*> block[PortalShape::kMostBlocks] = {};
    uint8_t leaf[PortalShape::kMostBlocks] = {};
    // Blocks that lie in a file are not this chunk's to free.
    const uint8_t* file = nullptr;
    size_t file_bytes = 0;

    ~Chunk();
    bool owns(const PortalBlock* b) const noexcept {
      const auto* at = reinterpret_cast<const uint8_t*>(b);
      return b && !(at >= file && at < file + file_bytes);
    }
  };

  std::atomic<const PortalBlock*>& slot(uint32_t block) const noexcept {
    return chunk_[shape_.chunk_of(block)]->block[shape_.in_chunk(block)];
  }
  const PortalBlock* make(const Layer& layer, uint32_t block, PortalRoom& room) const noexcept;
  void cells_of(const PortalBlock& b, uint32_t block, uint16_t* cells) const noexcept;
  void find_leaves(const Layer& layer, uint32_t chunk, uint8_t* leaf) const noexcept;

  PortalShape shape_;
  Buffer<Chunk*> chunk_;
};

}  // namespace octile
