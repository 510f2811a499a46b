// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/portal_index.hpp"

#include <new>

#include "base/platform.hpp"

namespace octile {

namespace {

constexpr const char* kPortalNonsense = "the index file makes no sense: its portals";

size_t offset(const IndexHeader& h, Section s) noexcept {
  return size_t{h.offset[static_cast<uint32_t>(s)]} * kFileAlignment;
}

PortalShape shape_of(const IndexHeader& h) noexcept {
  TileGrid grid;
  grid.width = static_cast<int32_t>(h.width);
  grid.height = static_cast<int32_t>(h.height);
  PortalShape shape;
  shape.set(grid, static_cast<IndexKind>(h.kind), h.most_vias != 0, {h.straight, h.diagonal});
  return shape;
}

const uint32_t* directory_of(const Index::Impl& index, const IndexHeader& h) noexcept {
  return reinterpret_cast<const uint32_t*>(index.data + offset(h, Section::directory));
}

const uint32_t* gate_list_of(const Index::Impl& index, const IndexHeader& h) noexcept {
  return reinterpret_cast<const uint32_t*>(index.data + offset(h, Section::row_first));
}

// A block as files must have it.
bool sensible(const PortalBlock& p, const PortalShape& shape, uint32_t block) noexcept {
  const uint32_t count = p.count();
  const uint32_t pairs = p.free || count == 0 ? 0 : count * (count - 1) / 2;
  if (p.first[0] != 0 || count > kMostPortals || p.free > 1 ||
      p.bytes != ((sizeof p + count * sizeof(Portal) + 3 * pairs + 3) & ~size_t{3}))
    return false;
  for (uint32_t side = 0; side < 4; ++side) {
    if (p.first[side] > p.first[side + 1]) return false;
    if (p.first[side + 1] > p.first[side] + kMostPortals / 2) return false;
    if (p.first[side] < p.first[side + 1] && !shape.has_beside(block, side)) return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const Portal& portal = p.portals()[i];
    if (portal.low > portal.at || portal.at > portal.high || portal.high >= shape.side() ||
        portal.gap > i || p.side_of(portal.gap) != p.side_of(i))
      return false;
  }
  return true;
}

// Gates as files must have them: of portals that are there.
template <class BlockAt>
bool sensible(const PortalGates& g, const PortalShape& shape, uint32_t region,
              BlockAt block_at) noexcept {
  const uint32_t count = g.count();
  if (g.first[0] != 0 || count > kMostGates || g.bytes != PortalGates::size_of(count)) return false;
  for (uint32_t side = 0; side < 4; ++side)
    if (g.first[side] > g.first[side + 1]) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t place = g.gates()[i].block, p = g.gates()[i].portal;
    if (place >> 2 * (PortalShape::kRegionBits - shape.side_bits)) return false;
    const uint32_t b = shape.block_in(region, place);
    if (shape.column(b) >= shape.across || shape.row(b) >= shape.down) return false;
    const PortalBlock& at = block_at(b);
    if (p >= at.count() || at.side_of(p) != g.side_of(i) ||
        g.gates()[i].at >> PortalShape::kRegionBits ||
        shape.region_of(shape.beside(b, g.side_of(i))) == region)
      return false;
  }
  return true;
}

// Builds all blocks of `map`, then all gates, by several threads.
struct Builder {
  const PortalMap& map;
  const Layer& layer;
  const IndexOptions& options;
  std::atomic<uint32_t> next{0};
  std::atomic<bool> failed{false}, cancelled{false};

  void operator()(unsigned part) noexcept {
    PortalRoom room;
    const PortalShape& shape = map.shape();
    // A thread that is through with the blocks makes those that it misses.
    const uint32_t rows = shape.down, steps = rows + shape.regions();
    for (;;) {
      const uint32_t row = next.fetch_add(1, std::memory_order_relaxed);
      if (row >= steps || failed.load(std::memory_order_relaxed)) return;
      if (options.cancel && options.cancel->load(std::memory_order_relaxed)) {
        cancelled.store(true, std::memory_order_relaxed);
        return;
      }
      if (part == 0 && options.progress) options.progress(options.user, double(row) / steps);
      if (row >= rows) {
        if (!map.gates(layer, row - rows, room)) failed.store(true, std::memory_order_relaxed);
        continue;
      }
      for (uint32_t x = 0; x < shape.across; ++x)
        if (!map.block(layer, shape.block_at(x, row), room))
          failed.store(true, std::memory_order_relaxed);
    }
  }
};

}  // namespace

Fault make_portals(const WorldView& world, const Index::Impl* present, const IndexOptions& options,
                   Index* index) noexcept {
  if (const char* text = refuses_index(world)) return fault(Status::bad_argument, text);
  // Ways inside a block are short: the first pair of lengths is exact for them.
  const IndexSteps steps = kIndexMetrics[static_cast<uint32_t>(world.profile.metric)][0].steps;
  PortalShape shape;
  shape.set(world.map.grid, options.most, options.high_quality, steps);

  // 1. The blocks, from those that are there already.
  PortalMap map;
  const PortalMap* there = nullptr;
  if (present && present->info.kind == options.most) {
    there = portals_of(*present, world.layer);
    if (!there) return no_memory_for("the index");
  }
  const bool reuse = there && there->shape().high == shape.high;
  if (reuse ? !map.update(*there, world.layer, {}) : !map.begin(shape, &world.layer))
    return no_memory_for("the index");
  Builder builder{map, world.layer, options};
  run_parallel(options.threads < 16 ? options.threads : 16, builder);
  if (builder.cancelled) return fault(Status::cancelled, "the build was cancelled");
  if (builder.failed) return no_memory_for("the index");

  // 2. The bytes.
  IndexHeader h{};
  std::memcpy(h.magic, kIndexMagic, sizeof kIndexMagic);
  h.version = kIndexVersion;
  h.kind = static_cast<uint32_t>(options.most);
  h.fingerprint = fingerprint(world);
  h.width = shape.width;
  h.height = shape.height;
  h.straight = steps.straight;
  h.diagonal = steps.diagonal;
  h.most_vias = shape.high;
  h.block_words = shape.blocks();
  const size_t directory_at = file_aligned(kIndexHeadBytes);
  const size_t leaves_at = file_aligned(directory_at + 4 * (size_t{shape.blocks()} + 1));
  const size_t blocks_at = file_aligned(leaves_at + (shape.tree ? shape.blocks() : 0));
  const size_t gates_at = file_aligned(blocks_at + map.block_bytes());
  const size_t list_at = file_aligned(gates_at + map.gate_bytes());
  const size_t size = file_aligned(list_at + 4 * (size_t{shape.regions()} + 1)) + kReadBeyond;
  if (size > options.budget_bytes)
    return fault(Status::out_of_memory, "the portals exceed the budget");
  h.offset[static_cast<uint32_t>(Section::directory)] =
      static_cast<uint32_t>(directory_at / kFileAlignment);
  h.offset[static_cast<uint32_t>(Section::tree_base)] =
      static_cast<uint32_t>(leaves_at / kFileAlignment);
  h.offset[static_cast<uint32_t>(Section::tiles)] =
      static_cast<uint32_t>(blocks_at / kFileAlignment);
  h.offset[static_cast<uint32_t>(Section::trees)] =
      static_cast<uint32_t>(gates_at / kFileAlignment);
  h.offset[static_cast<uint32_t>(Section::row_first)] =
      static_cast<uint32_t>(list_at / kFileAlignment);
  Index::Impl* made = new (std::nothrow) Index::Impl;
  if (!made) return no_memory_for("the index");
  const Index holder(made);
  if (!reserve_large(&made->own, size / 8) || !made->own.assign(size / 8, 0))
    return no_memory_for("the index");
  auto* data = reinterpret_cast<uint8_t*>(made->own.data());
  auto* directory = reinterpret_cast<uint32_t*>(data + directory_at);
  size_t at = blocks_at, k = 0;
  shape.each([&](uint32_t b) {
    const PortalBlock* block = map.peek(b);
    directory[k] = static_cast<uint32_t>((at - blocks_at) / 4);
    std::memcpy(data + at, block, block->bytes);
    at += block->bytes;
    h.blocks += block->count();
    if (shape.tree) data[leaves_at + k] = static_cast<uint8_t>(map.leaf_bits(b));
    ++k;
  });
  directory[k] = static_cast<uint32_t>((at - blocks_at) / 4);
  auto* list = reinterpret_cast<uint32_t*>(data + list_at);
  at = gates_at;
  for (uint32_t r = 0; r < shape.regions(); ++r) {
    const PortalGates* gates = map.peek_gates(r);
    list[r] = static_cast<uint32_t>((at - gates_at) / 4);
    std::memcpy(data + at, gates, gates->bytes);
    at += gates->bytes;
  }
  list[shape.regions()] = static_cast<uint32_t>((at - gates_at) / 4);
  h.bytes = size;
  std::memcpy(data, &h, sizeof h);
  h.checksum = index_checksum(data, size);
  std::memcpy(data, &h, sizeof h);
  made->data = data;
  made->size = size;
  made->attach();
  if (!attach_portals(made)) return no_memory_for("the index");
  if (options.progress) options.progress(options.user, 1);
  *index = holder;
  return {};
}

bool attach_portals(Index::Impl* index) noexcept {
  const IndexHeader h = read_head(index->data);
  PortalMap* map = new (std::nothrow) PortalMap;
  if (!map || !map->begin(shape_of(h), nullptr)) {
    drop(map);
    return false;
  }
  PortalMap::File file;
  file.begin = index->data;
  file.size = index->size;
  file.blocks = index->data + offset(h, Section::tiles);
  file.block_at = directory_of(*index, h);
  file.leaves = index->data + offset(h, Section::tree_base);
  file.gates = index->data + offset(h, Section::trees);
  file.gates_at = gate_list_of(*index, h);
  map->adopt(file);
  index->portals = map;
  return true;
}

const char* check_portal_head(const IndexHeader& h) noexcept {
  const uint64_t blocks = shape_of(h).blocks();
  const bool tree = static_cast<IndexKind>(h.kind) == IndexKind::quadtree;
  const uint64_t directory = offset(h, Section::directory), leaves = offset(h, Section::tree_base);
  const uint64_t tiles = offset(h, Section::tiles), gates = offset(h, Section::trees);
  const uint64_t list = offset(h, Section::row_first), regions = shape_of(h).regions();
  if (h.block_words != blocks || directory < kIndexHeadBytes ||
      directory + 4 * (blocks + 1) > leaves || leaves + (tree ? blocks : 0) > tiles ||
      tiles > gates || gates > list || list + 4 * (regions + 1) + kReadBeyond > h.bytes)
    return "the index file makes no sense: the sizes of its parts";
  return nullptr;
}

const char* check_portal_body(const Index::Impl& index) noexcept {
  const IndexHeader h = read_head(index.data);
  const PortalShape shape = shape_of(h);
  const uint32_t* directory = directory_of(index, h);
  const uint8_t* bytes = index.data + offset(h, Section::tiles);
  const size_t room = offset(h, Section::trees) - offset(h, Section::tiles);
  // 1. Each block by itself.
  uint64_t portals = 0;
  if (directory[0] != 0) return kPortalNonsense;
  bool right = true;
  shape.each([&, k = size_t{0}](uint32_t b) mutable {
    const uint64_t begin = 4 * uint64_t{directory[k]}, end = 4 * uint64_t{directory[k + 1]};
    ++k;
    right = right && end <= room && begin + sizeof(PortalBlock) <= end;
    if (!right) return;
    const PortalBlock& p = *reinterpret_cast<const PortalBlock*>(bytes + begin);
    right = p.bytes == end - begin && sensible(p, shape, b);
    portals += p.count();
  });
  if (!right) return kPortalNonsense;
  if (portals != h.blocks) return kPortalNonsense;
  // 2. Gates.
  const uint32_t* list = gate_list_of(index, h);
  const uint8_t* gates = index.data + offset(h, Section::trees);
  const size_t gate_room = offset(h, Section::row_first) - offset(h, Section::trees);
  const auto block_at = [&](uint32_t b) -> const PortalBlock& {
    const size_t k = size_t{shape.row(b)} * shape.across + shape.column(b);
    return *reinterpret_cast<const PortalBlock*>(bytes + 4 * size_t{directory[k]});
  };
  if (list[0] != 0) return kPortalNonsense;
  for (uint32_t r = 0; r < shape.regions(); ++r) {
    const uint64_t begin = 4 * uint64_t{list[r]}, end = 4 * uint64_t{list[r + 1]};
    if (end > gate_room || begin + sizeof(PortalGates) > end) return kPortalNonsense;
    const PortalGates& g = *reinterpret_cast<const PortalGates*>(gates + begin);
    if (g.bytes != end - begin || !sensible(g, shape, r, block_at)) return kPortalNonsense;
  }
  // 3. Leaves are whole squares inside the map.
  if (!shape.tree) return nullptr;
  const uint8_t* leaves = index.data + offset(h, Section::tree_base);
  const auto leaf = [&](uint32_t x, uint32_t y) { return leaves[size_t{y} * shape.across + x]; };
  shape.each([&](uint32_t b) {
    const uint32_t bits = leaf(shape.column(b), shape.row(b));
    if (bits == 0 || !right) return;
    right = bits <= PortalShape::kRegionBits - shape.side_bits;
    if (!right) return;
    const uint32_t span = 1u << bits;
    const uint32_t x = shape.column(b) >> bits << bits, y = shape.row(b) >> bits << bits;
    right = x + span <= shape.across && y + span <= shape.down && leaf(x, y) == bits;
    if (x != shape.column(b) || y != shape.row(b)) return;
    for (uint32_t i = 0; right && i < span * span; ++i)
      right = leaf(x + (i & (span - 1)), y + (i >> bits)) == bits;
  });
  return right ? nullptr : kPortalNonsense;
}

namespace {

// Notes an edited tile, in one entry with earlier edits of it. False: memory is short.
bool note(const DirtyTile& tile, Buffer<DirtyTile>* edited) noexcept {
  for (DirtyTile& known : *edited) {
    if (known.tile != tile.tile) continue;
    TileBox box = known.box();
    box.widen(tile.box());
    known = {known.tile, box.x0, box.y0, box.x1, box.y1};
    return true;
  }
  return edited->push(tile);
}

}  // namespace

bool carry_over(const Index::Impl& old, const WorldView& world, const Buffer<DirtyTile>& dirty,
                const Index::Impl** out) noexcept {
  // With more tiles than these the map is made at once, so that no list grows for ever.
  constexpr size_t kMostNoted = 64;
  *out = nullptr;
  if (!old.of_portals() || refuses_index(world)) return true;
  Index::Impl* made = new (std::nothrow) Index::Impl;
  if (!made) return false;
  made->info = old.info;
  made->info.fingerprint = 0;
  made->steps = old.steps;
  made->base = old.base ? old.base : &old;
  made->base->take();
  const PortalMap* last = old.portals.load(std::memory_order_acquire);
  made->earlier = last ? last : old.earlier;
  made->earlier->take();
  const size_t before = last ? 0 : old.edited.size();
  bool fits = made->edited.reserve(before + dirty.size());
  for (size_t i = 0; fits && i < before; ++i) made->edited.push(old.edited[i]);
  // More than these would be too many for a look at each other.
  const bool few = dirty.size() <= kMostNoted;
  for (const DirtyTile& d : dirty)
    fits = fits && (few ? note(d, &made->edited) : made->edited.push(d));
  if (!fits || (made->edited.size() > kMostNoted && !portals_of(*made, world.layer))) {
    drop(made);
    return false;
  }
  *out = made;
  return true;
}

const PortalMap* portals_of(const Index::Impl& index, const Layer& layer) noexcept {
  const PortalMap* map = index.portals.load(std::memory_order_acquire);
  if (map) return map;
  PortalMap* made = new (std::nothrow) PortalMap;
  if (!made || !made->update(*index.earlier, layer, index.edited)) {
    drop(made);
    return nullptr;
  }
  // Whoever was first has published the same.
  if (index.portals.compare_exchange_strong(map, made, std::memory_order_acq_rel)) return made;
  drop(made);
  return map;
}

void describe_portals(const Index::Impl& index, IndexInfo* info) noexcept {
  // Of blocks that an edit touched and nobody has asked for yet, those of before are told.
  const PortalMap* made = index.portals.load(std::memory_order_acquire);
  const PortalMap& map = made ? *made : *index.earlier;
  info->blocks = map.shape().blocks();
  info->portals = 0;
  map.shape().each([&](uint32_t b) {
    if (const PortalBlock* block = map.peek(b)) info->portals += block->count();
  });
  if (!index.data) info->bytes = map.bytes();
}

}  // namespace octile
