// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/portal_map.hpp"

#include <bit>
#include <utility>

namespace octile {

uint8_t* PortalMap::allot(size_t bytes) noexcept {
  void* memory = ::operator new(kHead + bytes, std::nothrow);
  if (!memory) return nullptr;
  new (memory) Counted;
  uint8_t* at = static_cast<uint8_t*>(memory) + kHead;
  std::memset(at, 0, bytes);
  return at;
}

void PortalMap::give_back(const void* bytes) noexcept {
  if (head(bytes)->drop()) ::operator delete(const_cast<Counted*>(head(bytes)));
}

namespace {

constexpr uint64_t low_bits(uint32_t count) noexcept {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// The bits of a block as the tile that holds it has them. Columns and rows may lie one block
// outside the map: that is wall.
struct BlockBits {
  const LayerTile* tile;
  uint32_t x, y, side;

  BlockBits(const Layer& layer, const PortalShape& shape, int64_t column, int64_t row) noexcept
      : side(shape.side()) {
    const auto px = static_cast<uint32_t>((column << shape.side_bits) + 64);
    const auto py = static_cast<uint32_t>((row << shape.side_bits) + 64);
    tile = layer.tiles.at(layer.grid.id(px, py) >> 12);
    x = px & 63;
    y = py & 63;
  }
  uint64_t row(uint32_t i) const noexcept { return tile->row[y + i] >> x & low_bits(side); }
  uint64_t column(uint32_t i) const noexcept { return tile->col[x + i] >> y & low_bits(side); }
  uint64_t line(uint32_t at) const noexcept {
    switch (at) {
      case kSideNorth:
        return row(0);
      case kSideWest:
        return column(0);
      case kSideEast:
        return column(side - 1);
      default:
        return row(side - 1);
    }
  }
  void all(uint64_t* rows) const noexcept {
    for (uint32_t i = 0; i < 64; ++i) rows[i] = i < side ? row(i) : 0;
  }
  bool all_free() const noexcept {
    for (uint32_t i = 0; i < side; ++i)
      if (row(i) != low_bits(side)) return false;
    return true;
  }
};

// A gap from cell `a` to cell `b` gets its portals, which share its cells among them.
void place_portals(uint32_t a, uint32_t b, bool high, uint8_t gap, Portal* out,
                   uint32_t* count) noexcept {
  const uint32_t length = b - a + 1;
  const auto add = [&](uint32_t at, uint32_t low, uint32_t up) {
    out[(*count)++] = {static_cast<uint8_t>(at), static_cast<uint8_t>(low),
                       static_cast<uint8_t>(up), gap};
  };
  if (high || length <= 8) {
    // One in the middle of each of equal parts of at most 8 cells.
    const uint32_t parts = (length + 7) / 8;
    for (uint32_t i = 0; i < parts; ++i) {
      const uint32_t low = a + i * length / parts, up = a + (i + 1) * length / parts - 1;
      add((low + up + 1) / 2, low, up);
    }
    return;
  }
  // Both ends, and between them at most 16 cells apart.
  const uint32_t parts = (length - 1 + 15) / 16;
  for (uint32_t i = 0; i <= parts; ++i) {
    const auto spot = [&](uint32_t k) { return a + (k * (length - 1) + parts / 2) / parts; };
    const uint32_t low = i == 0 ? a : (spot(i - 1) + spot(i)) / 2 + 1;
    const uint32_t up = i == parts ? b : (spot(i) + spot(i + 1)) / 2;
    add(spot(i), low, up);
  }
}

}  // namespace

void PortalShape::set(const TileGrid& grid, IndexKind kind, bool high_quality,
                      IndexSteps lengths) noexcept {
  width = static_cast<uint32_t>(grid.width);
  height = static_cast<uint32_t>(grid.height);
  tree = kind == IndexKind::quadtree;
  side_bits = tree ? 5 : 6;
  high = tree || high_quality;
  steps = lengths;
  across = (width + side() - 1) >> side_bits;
  down = (height + side() - 1) >> side_bits;
  row_bits = static_cast<uint32_t>(std::bit_width(across - 1));
}

PortalMap::Region::Region(const Region& other) noexcept : Sharer(other) {
  std::memcpy(leaf, other.leaf, sizeof leaf);
  for (uint32_t i = 0; i < PortalShape::kMostBlocks; ++i)
    block[i].store(shared(other.block[i].load(std::memory_order_acquire)),
                   std::memory_order_relaxed);
}

PortalMap::Region::~Region() {
  for (const std::atomic<const PortalBlock*>& slot : block)
    let_go(slot.load(std::memory_order_relaxed));
}

PortalMap::GateHolder::GateHolder(const GateHolder& other) noexcept : Sharer(other) {
  const PortalGates* g = shared(other.gates.load(std::memory_order_acquire));
  gates.store(g, std::memory_order_relaxed);
  if (g || !other.old_gates) return;
  old_gates = shared(other.old_gates);
  for (; was_count < other.was_count; ++was_count)
    was[was_count] = {other.was[was_count].block, shared(other.was[was_count].bytes)};
}

PortalMap::GateHolder::~GateHolder() {
  let_go(gates.load(std::memory_order_relaxed));
  forget_old_gates();
}

void PortalMap::GateHolder::forget_old_gates() noexcept {
  let_go(old_gates);
  old_gates = nullptr;
  for (; was_count > 0; --was_count) let_go(was[was_count - 1].bytes);
}

void PortalMap::GateHolder::set_gates_aside(uint32_t at, const PortalBlock* before) noexcept {
  if (const PortalGates* g = gates.exchange(nullptr, std::memory_order_relaxed)) {
    forget_old_gates();
    old_gates = g;
  }
  if (!old_gates) return;
  for (uint32_t i = 0; i < was_count; ++i)
    if (was[i].block == at) return;
  if (!before || was_count == kMostWas) return forget_old_gates();
  was[was_count++] = {at, shared(before)};
}

bool PortalMap::begin(const PortalShape& shape, const Layer* layer) noexcept {
  shape_ = shape;
  if (!region_.reset(shape.regions(), nullptr) || !gates_.reset(shape.regions(), nullptr))
    return false;
  for (uint32_t c = 0; c < shape.regions(); ++c) {
    Region* region = new (std::nothrow) Region;
    if (!region) return false;
    if (shape_.tree && layer) find_leaves(*layer, c, region->leaf);
    GateHolder* gates = region_.set(c, region) ? new (std::nothrow) GateHolder : nullptr;
    if (!gates || !gates_.set(c, gates)) return false;
  }
  return true;
}

void PortalMap::adopt(const File& file) noexcept {
  // Nobody else has seen them yet.
  const auto lies_in = [&](const Sharer* sharer) {
    const_cast<Sharer*>(sharer)->file = file.begin;
    const_cast<Sharer*>(sharer)->file_bytes = file.size;
  };
  for (uint32_t r = 0; r < shape_.regions(); ++r) {
    lies_in(region_.at(r));
    lies_in(gates_.at(r));
    const uint8_t* gates = file.gates + 4 * size_t{file.gates_at[r]};
    gates_.at(r)->gates.store(reinterpret_cast<const PortalGates*>(gates),
                              std::memory_order_relaxed);
  }
  shape_.each([&, k = size_t{0}](uint32_t b) mutable {
    const uint8_t* block = file.blocks + 4 * size_t{file.block_at[k]};
    slot(b).store(reinterpret_cast<const PortalBlock*>(block), std::memory_order_relaxed);
    if (shape_.tree) {
      auto* region = const_cast<Region*>(region_.at(shape_.region_of(b)));
      region->leaf[shape_.in_region(b)] = file.leaves[k];
    }
    ++k;
  });
}

// The leaf each block of a region belongs to: bits of the largest aligned free square of blocks.
void PortalMap::find_leaves(const Layer& layer, uint32_t region, uint8_t* leaf) const noexcept {
  const uint32_t bits = PortalShape::kRegionBits - shape_.side_bits, side = 1u << bits;
  const uint32_t first_column = region % shape_.regions_across() << bits;
  const uint32_t first_row = region / shape_.regions_across() << bits;
  uint64_t free[4] = {};  // a bit for each block
  const auto bit = [&](uint32_t x, uint32_t y) { return y << bits | x; };
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      leaf[bit(x, y)] = 0;
      const uint32_t column = first_column + x, row = first_row + y;
      if (column < shape_.across && row < shape_.down &&
          BlockBits(layer, shape_, column, row).all_free())
        free[bit(x, y) >> 6] |= uint64_t{1} << (bit(x, y) & 63);
    }
  }
  const auto is_free = [&](uint32_t x, uint32_t y) {
    return (free[bit(x, y) >> 6] >> (bit(x, y) & 63) & 1) != 0;
  };
  for (uint32_t level = 1; level <= bits; ++level) {
    const uint32_t span = 1u << level;
    for (uint32_t y = 0; y < side; y += span) {
      for (uint32_t x = 0; x < side; x += span) {
        bool whole = true;
        for (uint32_t i = 0; whole && i < span * span; ++i)
          whole = is_free(x + (i & (span - 1)), y + (i >> level));
        for (uint32_t i = 0; whole && i < span * span; ++i)
          leaf[bit(x + (i & (span - 1)), y + (i >> level))] = static_cast<uint8_t>(level);
      }
    }
  }
}

bool PortalMap::same_leaf(uint32_t a, uint32_t b) const noexcept {
  const uint32_t bits = leaf_bits(a);
  return bits != 0 && bits == leaf_bits(b) &&
         shape_.column(a) >> bits == shape_.column(b) >> bits &&
         shape_.row(a) >> bits == shape_.row(b) >> bits;
}

bool PortalMap::update(const PortalMap& old, const Layer& layer,
                       const Buffer<DirtyTile>& dirty) noexcept {
  shape_ = old.shape_;
  region_.share(old.region_);
  gates_.share(old.gates_);
  Buffer<uint8_t> edited;  // by region of a quadtree
  if (shape_.tree && !edited.assign(shape_.regions(), 0)) return false;
  // 1. Blocks that hold an edited cell or look at one across their border.
  for (const DirtyTile& d : dirty) {
    const uint32_t column = (d.tile & ((1u << layer.grid.row_shift) - 1)) - 1;
    const uint32_t row = (d.tile >> layer.grid.row_shift) - 1;
    const uint32_t x0 = column * 64 + d.x0, x1 = (column * 64 + d.x1 + 1) >> shape_.side_bits;
    const uint32_t y0 = row * 64 + d.y0, y1 = (row * 64 + d.y1 + 1) >> shape_.side_bits;
    for (uint32_t y = (y0 == 0 ? 0 : y0 - 1) >> shape_.side_bits; y <= y1; ++y)
      for (uint32_t x = (x0 == 0 ? 0 : x0 - 1) >> shape_.side_bits; x <= x1; ++x)
        if (x < shape_.across && y < shape_.down && !forget(shape_.block_at(x, y))) return false;
    if (shape_.tree) edited[(row >> 3) * shape_.regions_across() + (column >> 3)] = 1;
  }
  // 2. An edited tile lies in one region, and leaves too.
  for (uint32_t r = 0; r < edited.size(); ++r) {
    if (!edited[r]) continue;
    uint8_t leaf[PortalShape::kMostBlocks];
    find_leaves(layer, r, leaf);
    if (std::memcmp(leaf, region_.at(r)->leaf, sizeof leaf) == 0) continue;
    Region* region = region_.edit(r);
    if (!region || !set_gates_aside(r, kNoPortal, nullptr)) return false;
    std::memcpy(region->leaf, leaf, sizeof leaf);
    for (uint32_t i = 0; i < shape_.blocks_a_region(); ++i)
      region->let_go(region->block[i].exchange(nullptr, std::memory_order_relaxed));
  }
  return true;
}

bool PortalMap::forget(uint32_t block) noexcept {
  const uint32_t r = shape_.region_of(block);
  Region* region = region_.edit(r);
  if (!region || !set_gates_aside(r, block, peek(block))) return false;
  region->let_go(slot(block).exchange(nullptr, std::memory_order_relaxed));
  return true;
}

// Gates hang on what is connected on both of their sides.
bool PortalMap::set_gates_aside(uint32_t region, uint32_t block, const PortalBlock* was) noexcept {
  const uint32_t across = shape_.regions_across();
  const auto look = [&](uint32_t at) {
    GateHolder* gates = gates_.edit(at);
    if (gates) gates->set_gates_aside(block, was);
    return gates != nullptr;
  };
  return look(region) && (region % across == 0 || look(region - 1)) &&
         (region % across + 1 == across || look(region + 1)) &&
         (region < across || look(region - across)) &&
         (region + across >= shape_.regions() || look(region + across));
}

const PortalBlock* PortalMap::make(const Layer& layer, uint32_t block,
                                   PortalRoom& room) const noexcept {
  // 1. Portals, side by side.
  const BlockBits bits(layer, shape_, shape_.column(block), shape_.row(block));
  PortalBlock fresh{};
  Portal portals[kMostPortals];
  uint32_t count = 0;
  for (uint32_t side = 0; side < 4; ++side) {
    fresh.first[side] = static_cast<uint8_t>(count);
    if (!shape_.has_beside(block, side)) continue;
    const uint32_t other = shape_.beside(block, side);
    if (same_leaf(block, other)) continue;
    uint64_t gaps =
        bits.line(side) &
        BlockBits(layer, shape_, shape_.column(other), shape_.row(other)).line(opposite(side));
    while (gaps) {
      const auto a = static_cast<uint32_t>(std::countr_zero(gaps));
      const uint64_t beyond = ~(gaps >> a);
      const uint32_t b =
          a + (beyond ? static_cast<uint32_t>(std::countr_zero(beyond)) : 64 - a) - 1;
      place_portals(a, b, shape_.high, static_cast<uint8_t>(count), portals, &count);
      gaps &= ~(low_bits(b - a + 1) << a);
    }
  }
  fresh.first[4] = static_cast<uint8_t>(count);
  fresh.free = bits.all_free();
  const uint32_t pairs = fresh.free || count == 0 ? 0 : count * (count - 1) / 2;
  fresh.bytes =
      static_cast<uint32_t>((sizeof fresh + count * sizeof(Portal) + 3 * pairs + 3) & ~3u);
  // 2. Its memory.
  uint8_t* out = allot(fresh.bytes);
  if (!out) return nullptr;
  const auto* made = reinterpret_cast<const PortalBlock*>(out);
  std::memcpy(out, &fresh, sizeof fresh);
  std::memcpy(out + sizeof fresh, portals, count * sizeof(Portal));
  // 3. The ways between them.
  if (pairs) {
    uint64_t rows[64];
    bits.all(rows);
    uint16_t cells[kMostPortals];
    cells_of(*made, block, cells);
    bool fits = room.graph.begin(rows, cells, count, shape_.steps);
    uint8_t* at = out + sizeof fresh + count * sizeof(Portal);
    for (uint32_t p = 1; fits && p < count; ++p) {
      fits = room.graph.ways(p, p, room.ways);
      for (uint32_t q = 0; q < p; ++q, at += 3) {
        const BlockWay w = room.ways[q];
        at[0] = static_cast<uint8_t>(w.straight);
        at[1] = static_cast<uint8_t>(w.straight >> 8 | (w.diagonal & 15) << 4);
        at[2] = static_cast<uint8_t>(w.diagonal >> 4);
      }
    }
    if (!fits) {
      give_back(made);
      return nullptr;
    }
  }
  // 4. Whoever was first has published the same.
  const PortalBlock* there = nullptr;
  if (slot(block).compare_exchange_strong(there, made, std::memory_order_acq_rel)) return made;
  give_back(made);
  return there;
}

void PortalMap::cells_of(const PortalBlock& b, uint32_t block, uint16_t* cells) const noexcept {
  const Point zero = shape_.corner(block);
  for (uint32_t p = 0; p < b.count(); ++p) {
    const Point at = shape_.place(b, block, p);
    cells[p] = static_cast<uint16_t>((at.y - zero.y) << 6 | (at.x - zero.x));
  }
}

bool PortalMap::connect(const Layer& layer, uint32_t block, const PortalBlock& b, Point from,
                        const Point* to, PortalRoom& room, BlockWay* out) const noexcept {
  const Point zero = shape_.corner(block);
  uint16_t cells[kMostPortals + 2];
  cells_of(b, block, cells);
  const auto cell = [&](Point p) {
    return static_cast<uint16_t>((p.y - zero.y) << 6 | (p.x - zero.x));
  };
  uint32_t count = b.count();
  if (to) cells[count++] = cell(*to);
  cells[count] = cell(from);
  uint64_t rows[64];
  BlockBits(layer, shape_, shape_.column(block), shape_.row(block)).all(rows);
  return room.graph.begin(rows, cells, count + 1, shape_.steps) &&
         room.graph.ways(count, count, out);
}

size_t PortalMap::block_bytes() const noexcept {
  size_t sum = 0;
  shape_.each([&](uint32_t b) {
    if (const PortalBlock* block = peek(b)) sum += block->bytes;
  });
  return sum;
}

size_t PortalMap::gate_bytes() const noexcept {
  size_t sum = 0;
  for (uint32_t r = 0; r < shape_.regions(); ++r)
    if (const PortalGates* g = peek_gates(r)) sum += g->bytes;
  return sum;
}

size_t PortalMap::bytes() const noexcept {
  return sizeof *this + region_.table_bytes() + gates_.table_bytes() +
         shape_.regions() * (sizeof(Region) + sizeof(GateHolder)) + block_bytes() + gate_bytes();
}

}  // namespace octile
