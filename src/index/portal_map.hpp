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
// Blocks lie in regions of 512 x 512 cells, counted and shared between versions as tiles are; an
// edit costs a copy of the region's pointers and forgets the blocks it touched. A block is
// published once by compare-and-swap. Memory: about 0.1 to 0.9 bytes a cell and 2.6 KB a region.
//
// Long ways are searched over regions first. Of the portals in which a path leaves a region, those
// of a stretch of kGateSpan cells that lead from one connected part of the region to one connected
// part of the region beside it have one `gate` among them, the middle one; between any two gates of
// a region stands the length of the shortest way over portals inside the region, 4 bytes each.
// Gates follow from the blocks of their region and from what those of the four beside it connect.
// An edit sets them aside, with what its blocks were: where these come out as before, as most do,
// the gates are taken back; and those of a region beside it where they are still the same ones.
// Source: Botea, Mueller and Schaeffer 2004 (HPA*); docs/portals.md.

#include <atomic>

#include "index/tile_graph.hpp"
#include "search/open_list.hpp"
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
  // Calls visit(b, way) for all portals b but `a`, ascending. Not for free blocks.
  template <class Visit>
  void each_way(uint32_t a, Visit visit) const noexcept {
    // Three bytes, and the one before them, which is there: the portals'.
    const auto* at = reinterpret_cast<const uint8_t*>(portals() + count()) - 1;
    const auto way_at = [](const uint8_t* from) noexcept {
      uint32_t x;
      std::memcpy(&x, from, 4);
      return BlockWay{static_cast<uint16_t>(x >> 8 & 0xfff), static_cast<uint16_t>(x >> 20)};
    };
    at += 3 * (a * (a - 1) / 2);
    for (uint32_t b = 0; b < a; ++b, at += 3) visit(b, way_at(at));
    for (uint32_t b = a + 1; b < count(); at += 3 * b++) visit(b, way_at(at + 3 * a));
  }
};
static_assert(sizeof(PortalBlock) == 12 && sizeof(Portal) == 4);

// One of the portals in which paths leave a region.
struct PortalGate {
  uint8_t block;   // within the region
  uint8_t portal;  // of the block
  uint16_t at;     // along the region's side
};

// The bytes of a region's gates; followed by them, in the order of the sides and along these, and
// by the ways. Two regions list the same gates of the side between them.
struct PortalGates {
  uint32_t bytes;     // all of it, a multiple of 4
  uint16_t first[5];  // by side: the number of its first gate; then how many there are
  uint16_t crowded;   // 1: there would be more than kMostGates, so there are none

  uint32_t count() const noexcept { return first[4]; }
  const PortalGate* gates() const noexcept { return reinterpret_cast<const PortalGate*>(this + 1); }
  uint32_t side_of(uint32_t gate) const noexcept {
    return (gate >= first[1]) + (gate >= first[2]) + (gate >= first[3]);
  }
  // From a gate to all: in PortalShape::gate_steps(), kFar where there is none, and to itself.
  const uint32_t* ways(uint32_t gate) const noexcept {
    return reinterpret_cast<const uint32_t*>(gates() + count()) + size_t{gate} * count();
  }
  static constexpr uint32_t kFar = UINT32_MAX;
  static constexpr size_t size_of(uint32_t gates) noexcept {
    return sizeof(PortalGates) + gates * (sizeof(PortalGate) + 4 * size_t{gates});
  }
};
static_assert(sizeof(PortalGates) == 16 && sizeof(PortalGate) == 4);
// A gate as a number: its region, and which of the region's it is.
using GateId = uint32_t;
constexpr uint32_t kGateBits = 8;
constexpr uint32_t kMostGates = 1u << kGateBits;
// Portals of a region's side share a gate when they lie in one stretch of so many cells, a sixth of
// it. Of longer stretches there are fewer gates, which draw ways farther aside.
constexpr uint32_t kGateSpan = 86;

// A portal as a number: its block, and which of the block's it is.
using PortalId = uint32_t;
constexpr uint32_t kPortalBits = 7;  // a side of n cells has at most n / 2 gaps
constexpr uint32_t kMostPortals = 1u << kPortalBits;
constexpr PortalId kNoPortal = 0xffffffff;

// How blocks lie on a map, and by which rule gaps get portals.
struct PortalShape {
  uint32_t width = 0, height = 0;  // cells
  uint32_t side_bits = 6;          // a block has 1 << side_bits cells a side
  bool tree = false;               // free blocks are merged
  bool high = false;               // a portal for every 8 cells of a gap
  IndexSteps steps;
  uint32_t across = 0, down = 0;  // blocks
  uint32_t row_bits = 0;

  static constexpr uint32_t kRegionBits = 9;
  static constexpr uint32_t kMostBlocks = 256;  // of a region

  void set(const TileGrid& grid, IndexKind kind, bool high_quality, IndexSteps lengths) noexcept;
  // Lengths of the ways between gates: sums over a region fit 32 bits.
  IndexSteps gate_steps() const noexcept {
    const uint32_t shift = steps.straight > 1u << 14 ? 14 : 0;
    return {steps.straight >> shift, steps.diagonal >> shift};
  }
  uint32_t side() const noexcept { return 1u << side_bits; }
  uint32_t blocks_a_region() const noexcept { return 1u << 2 * (kRegionBits - side_bits); }
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
  uint32_t regions_across() const noexcept {
    return (width + (1u << kRegionBits) - 1) >> kRegionBits;
  }
  uint32_t regions() const noexcept {
    return regions_across() * ((height + (1u << kRegionBits) - 1) >> kRegionBits);
  }
  uint32_t region_of(uint32_t block) const noexcept {
    const uint32_t bits = kRegionBits - side_bits;
    return (row(block) >> bits) * regions_across() + (column(block) >> bits);
  }
  uint32_t in_region(uint32_t block) const noexcept {
    const uint32_t bits = kRegionBits - side_bits, mask = (1u << bits) - 1;
    return (row(block) & mask) << bits | (column(block) & mask);
  }
  // The block at a place of a region.
  uint32_t block_in(uint32_t region, uint32_t place) const noexcept {
    const uint32_t bits = kRegionBits - side_bits, mask = (1u << bits) - 1;
    return block_at((region % regions_across() << bits) | (place & mask),
                    (region / regions_across() << bits) | place >> bits);
  }
  // The cell `at` along a side of the square of 1 << bits cells a side at `corner`, inside it.
  static Point on_side(Point corner, uint32_t side_at, uint32_t at, uint32_t bits) noexcept {
    const uint32_t last = (1u << bits) - 1;
    switch (side_at) {
      case kSideNorth:
        return {corner.x + at, corner.y};
      case kSideWest:
        return {corner.x, corner.y + at};
      case kSideEast:
        return {corner.x + last, corner.y + at};
      default:
        return {corner.x + at, corner.y + last};
    }
  }
  // The region on the other side; there is one where a gate is.
  uint32_t region_beside(uint32_t region, uint32_t towards) const noexcept {
    const uint32_t step = towards == kSideNorth || towards == kSideSouth ? regions_across() : 1;
    return towards < kSideEast ? region - step : region + step;
  }
  // Calls visit(block) for each of a region, row by row.
  template <class Visit>
  void each_in(uint32_t region, Visit visit) const noexcept {
    const uint32_t bits = kRegionBits - side_bits;
    const uint32_t x0 = region % regions_across() << bits, y0 = region / regions_across() << bits;
    const uint32_t x1 = x0 + (1u << bits), y1 = y0 + (1u << bits);
    for (uint32_t y = y0; y < y1 && y < down; ++y)
      for (uint32_t x = x0; x < x1 && x < across; ++x) visit(block_at(x, y));
  }
  // The cell of a portal.
  Point place(uint32_t block, uint32_t side_at, uint32_t at) const noexcept {
    return on_side(corner(block), side_at, at, side_bits);
  }
  Point place(const PortalBlock& b, uint32_t block, uint32_t portal) const noexcept {
    return place(block, b.side_of(portal), b.portals()[portal].at);
  }
};

// Where a search over portals begins or ends: a cell, or a portal, and its ways to the portals of
// its block where these are not free lines.
struct PortalEnd {
  Point at;
  uint32_t block;
  bool open;        // in a free block
  uint32_t portal;  // of the block; kNoPortal for a cell
  BlockWay way[kMostPortals + 1];
};

// Which portals of a region are connected inside it: those with one root in `parent`, by
// first[block in the region] + portal.
struct PortalParts {
  uint32_t first[PortalShape::kMostBlocks];
  Buffer<uint32_t> parent;
};

// The memory that blocks and gates are built in, one per thread.
struct PortalRoom {
  TileGraph graph;
  BlockWay ways[kMostPortals];
  // Of a flood over the portals of one region, by first_[block in the region] + portal.
  Buffer<uint32_t> entered;  // length of the way that comes in there from the block beside it
  Buffer<uint32_t> spread;   // what that was when its block was looked at
  Buffer<uint32_t> left;     // length of the way to there, where it leads out of the region
  uint32_t first[PortalShape::kMostBlocks];
  BucketQueue queue;
  PortalEnd end;
  PortalParts parts[2];  // of a region and one beside it
  size_t bytes() const noexcept {
    return parts[0].parent.bytes() + parts[1].parent.bytes() + graph.bytes() + entered.bytes() +
           spread.bytes() + left.bytes() + queue.bytes();
  }
};

class PortalMap : public Counted {
 public:
  PortalMap() noexcept = default;
  PortalMap(const PortalMap&) = delete;

  const PortalShape& shape() const noexcept { return shape_; }

  // A map without blocks; false: memory is short. The leaves of a quadtree are found in `layer`, or
  // come from adopt().
  bool begin(const PortalShape& shape, const Layer* layer) noexcept;
  // Takes the blocks and gates of a file, which must outlive this map and all that share with it.
  struct File {
    const uint8_t* begin;
    size_t size;
    const uint8_t* blocks;  // the k-th begins at blocks + 4 * block_at[k]
    const uint32_t* block_at;
    const uint8_t* leaves;  // by block, for a quadtree
    const uint8_t* gates;
    const uint32_t* gates_at;
  };
  void adopt(const File& file) noexcept;

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
  // The gates of a region, likewise.
  const PortalGates* gates(const Layer& layer, uint32_t region, PortalRoom& room) const noexcept {
    const PortalGates* g = gates_.at(region)->gates.load(std::memory_order_acquire);
    return g ? g : make_gates(layer, region, room);
  }
  const PortalGates* peek_gates(uint32_t region) const noexcept {
    return gates_.at(region)->gates.load(std::memory_order_acquire);
  }
  // Makes a portal an end.
  void end_at(uint32_t b, const PortalBlock& at, uint32_t portal, PortalEnd* end) const noexcept;
  // Finds the shortest ways over portals from an end to wherever such ways leave its region:
  // afterwards left_at() gives their lengths. False: memory is short.
  bool flood(const Layer& layer, const PortalEnd& from, PortalRoom& room) const noexcept;
  uint32_t left_at(const PortalRoom& room, PortalGate gate) const noexcept {
    return room.left[room.first[gate.block] + gate.portal];
  }

  // Calls visit(block number, block, side) for the sides with portals of the blocks of a leaf.
  // False: memory is short.
  template <class Visit>
  bool each_side(const Layer& layer, uint32_t b, PortalRoom& room, Visit visit) const noexcept {
    bool fits = true;
    const auto look = [&](uint32_t at, uint32_t side) {
      const PortalBlock* there = block(layer, at, room);
      if (!there)
        fits = false;
      else if (there->first[side] != there->first[side + 1])
        visit(at, *there, side);
    };
    const uint32_t bits = leaf_bits(b), span = 1u << bits;
    const uint32_t x = shape_.column(b) >> bits << bits, y = shape_.row(b) >> bits << bits;
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + i, y), kSideNorth);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x, y + i), kSideWest);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + span - 1, y + i), kSideEast);
    for (uint32_t i = 0; i < span; ++i) look(shape_.block_at(x + i, y + span - 1), kSideSouth);
    return fits;
  }

  // Merged free squares: their side is 1 << leaf_bits(block) blocks; 0 for a block of its own.
  uint32_t leaf_bits(uint32_t block) const noexcept {
    return shape_.tree ? region_.at(shape_.region_of(block))->leaf[shape_.in_region(block)] : 0;
  }
  bool same_leaf(uint32_t a, uint32_t b) const noexcept;

  size_t block_bytes() const noexcept;  // of those that are there
  size_t gate_bytes() const noexcept;
  size_t bytes() const noexcept;

 private:
  // What lies in a file is not its sharers' to free.
  struct Sharer : Counted {
    const uint8_t* file = nullptr;
    size_t file_bytes = 0;

    bool owns(const void* b) const noexcept {
      const auto* at = static_cast<const uint8_t*>(b);
      return b && !(at >= file && at < file + file_bytes);
    }
    template <class T>
    const T* shared(const T* bytes) const noexcept {
      if (owns(bytes)) head(bytes)->take();
      return bytes;
    }
    void let_go(const void* bytes) const noexcept {
      if (owns(bytes)) give_back(bytes);
    }
  };
  struct Region : Sharer {
    mutable std::atomic<const PortalBlock*> block[PortalShape::kMostBlocks] = {};
    uint8_t leaf[PortalShape::kMostBlocks] = {};

    Region() noexcept = default;
    Region(const Region& other) noexcept;  // with the same blocks
    ~Region();
  };
  // The gates of a region, apart from its blocks: an edit sets aside those of regions beside it
  // too.
  struct GateHolder : Sharer {
    mutable std::atomic<const PortalGates*> gates{nullptr};
    // What edits have set aside: the last gates, and the blocks that they followed from and that
    // were forgotten since. Only update() changes these, before others see the object.
    struct Was {
      uint32_t block;
      const PortalBlock* bytes;
    };
    static constexpr uint32_t kMostWas = 12;
    const PortalGates* old_gates = nullptr;
    Was was[kMostWas];
    uint32_t was_count = 0;

    GateHolder() noexcept = default;
    GateHolder(const GateHolder& other) noexcept;
    ~GateHolder();
    // Sets the gates aside, if that was not done yet, because a block is forgotten which was `was`;
    // null, or too many of them: forgets the gates for good.
    void set_gates_aside(uint32_t block, const PortalBlock* was) noexcept;
    void forget_old_gates() noexcept;
  };

 public:
  // The map after edits: shares what they did not touch, and costs what they did, and 16 bytes a
  // region. `old` may be in use by other threads. False: memory is short.
  bool update(const PortalMap& old, const Layer& layer, const Buffer<DirtyTile>& dirty) noexcept;

 private:
  std::atomic<const PortalBlock*>& slot(uint32_t block) const noexcept {
    return region_.at(shape_.region_of(block))->block[shape_.in_region(block)];
  }
  // Blocks and gates of a map's own making carry a count in front.
  static constexpr size_t kHead = 8;
  static uint8_t* allot(size_t bytes) noexcept;  // cleared, with a count of 1
  static const Counted* head(const void* bytes) noexcept {
    return reinterpret_cast<const Counted*>(static_cast<const uint8_t*>(bytes) - kHead);
  }
  static void give_back(const void* bytes) noexcept;

  const PortalBlock* make(const Layer& layer, uint32_t block, PortalRoom& room) const noexcept;
  // Both are of update(). False: memory is short.
  bool forget(uint32_t block) noexcept;
  bool set_gates_aside(uint32_t region, uint32_t block, const PortalBlock* was) noexcept;
  bool find_parts(const Layer& layer, uint32_t region, PortalRoom& room,
                  PortalParts* parts) const noexcept;
  bool list_gates(const Layer& layer, uint32_t region, PortalRoom& room, PortalGates* head,
                  PortalGate* gate) const noexcept;
  const PortalGates* make_gates(const Layer& layer, uint32_t region,
                                PortalRoom& room) const noexcept;
  void cells_of(const PortalBlock& b, uint32_t block, uint16_t* cells) const noexcept;
  void find_leaves(const Layer& layer, uint32_t region, uint8_t* leaf) const noexcept;

  PortalShape shape_;
  TileTable<Region> region_;
  TileTable<GateHolder> gates_;
};

}  // namespace octile
