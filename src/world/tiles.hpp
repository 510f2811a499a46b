// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where cells live: 64 x 64 tiles, shared between versions and copied when they are changed.
//
//   padded tile grid (one ring of tiles around the map, row length a power of two)
//     tile index  = padded tile row << row_shift | padded tile column
//     CellId      = tile index << 12 | (y & 63) << 6 | (x & 63)        with x, y padded by 64
//
// The ring makes every neighbour of a map cell a valid id, so scans and neighbour rules need no
// bounds checks: what lies outside the map is wall. A CellId has 32 bits, so a map has at most 2^20
// tiles with its ring.
//
// TileTable<T> holds a T for each tile index: a tree of counted nodes of 16, which versions share,
// and a flat array of the same pointers for reading (see shared_array.hpp). What a version costs
// does not grow with the map. Where no reader has the version before the last any more, the next
// one is made from its tree and its array (TileTable::Spare) by bringing in what changed: after a
// few edits both trees have nodes of their own where edits are made, and nothing is copied. Else
// new nodes from the root to each changed tile. The tiles themselves are used again in the same
// way: of each tile that edits changed lately, the one before is kept, and lines that differ are
// brought in. Bodies, nodes and tiles are written only while unique() holds for the one reference
// that the writer has (counted.hpp says why that is enough), each asked for itself: a View that is
// held keeps its array, and by its tree all its nodes and tiles. Of a table that was built at once
// prepare() makes the other tree and array, so that no edit has to. Where nobody else has even the
// last version, a tile need not be exchanged at all: edit_alone(), edit_with_last().

#include <cstdint>
#include <new>

#include "base/counted.hpp"
#include "base/home.hpp"
#include "base/shared_array.hpp"
#include "octile/detail/buffer.hpp"
#include "octile/octile.hpp"

namespace octile {

using detail::Buffer;

// A cell in padded, tile-major order.
using CellId = uint32_t;
constexpr CellId kNoCell = 0xffffffff;

constexpr int32_t kTileSide = 64;
constexpr uint32_t kTileCells = 4096;
constexpr uint32_t kMaxTiles = 1u << 20;

// The eight moves, clockwise from east, y down: bit d of a neighbour mask is move d. Even moves are
// straight.
enum Direction : uint8_t {
  kEast,
  kSouthEast,
  kSouth,
  kSouthWest,
  kWest,
  kNorthWest,
  kNorth,
  kNorthEast
};
constexpr int32_t kDx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr int32_t kDy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr uint8_t kStraightMoves = 0x55;

// The shape of the tile grid of a map: converts between cells, padded coordinates and ids.
struct TileGrid {
  int32_t width = 0;  // cells of the map
  int32_t height = 0;
  Cell first;              // coordinates of the map's first cell
  uint32_t row_shift = 0;  // padded tiles in a row = 1 << row_shift
  uint32_t tiles = 0;      // length of a table
  uint32_t tile_cols = 0;  // tiles of the map itself
  uint32_t tile_rows = 0;

  // Sets everything from the definition; false when the map needs too many tiles.
  bool shape(const MapDef& definition) noexcept {
    width = definition.width;
    height = definition.height;
    first = definition.first_cell;
    const uint64_t cols = (static_cast<uint64_t>(width) + 63) / 64;
    const uint64_t rows = (static_cast<uint64_t>(height) + 63) / 64;
    row_shift = 0;
    while ((uint64_t{1} << row_shift) < cols + 2) ++row_shift;
    const uint64_t count = (rows + 2) << row_shift;
    if (count > kMaxTiles) return false;
    tiles = static_cast<uint32_t>(count);
    tile_cols = static_cast<uint32_t>(cols);
    tile_rows = static_cast<uint32_t>(rows);
    return true;
  }

  bool contains(Cell c) const noexcept {
    return static_cast<uint64_t>(int64_t{c.x} - first.x) < static_cast<uint64_t>(width) &&
           static_cast<uint64_t>(int64_t{c.y} - first.y) < static_cast<uint64_t>(height);
  }
  uint32_t tile_index(uint32_t tile_col, uint32_t tile_row) const noexcept {
    return ((tile_row + 1) << row_shift) + tile_col + 1;
  }
  // From padded coordinates.
  CellId id(uint32_t px, uint32_t py) const noexcept {
    return (((py >> 6) << row_shift) + (px >> 6)) << 12 | (py & 63) << 6 | (px & 63);
  }
  CellId id(Cell c) const noexcept {
    return id(static_cast<uint32_t>(c.x - first.x) + 64, static_cast<uint32_t>(c.y - first.y) + 64);
  }
  uint32_t px(CellId id) const noexcept {
    return ((id >> 12) & ((1u << row_shift) - 1)) << 6 | (id & 63);
  }
  uint32_t py(CellId id) const noexcept { return (id >> (12 + row_shift)) << 6 | ((id >> 6) & 63); }
  Cell cell(CellId id) const noexcept {
    return {static_cast<int32_t>(px(id)) - 64 + first.x,
            static_cast<int32_t>(py(id)) - 64 + first.y};
  }
};

// Cells in a row of ids are not evenly spaced: steps over a tile's edge jump to another tile. The
// distance from an id to its neighbour in each direction, by where in its tile the id lies.
class NeighbourSteps {
 public:
  void shape(const TileGrid& grid) noexcept {
    const int32_t across = 1 << (grid.row_shift + 12);
    for (int32_t i = 0; i < 9; ++i) {
      const int32_t column = i % 3, row = i / 3;  // 0: first of the tile, 1: inside, 2: last
      const int32_t west = column == 0 ? -(4096 - 63) : -1, east = column == 2 ? 4096 - 63 : 1;
      const int32_t north = row == 0 ? -(across - 63 * 64) : -64;
      const int32_t south = row == 2 ? across - 63 * 64 : 64;
      const int32_t steps[8] = {east, east + south, south, west + south,
                                west, west + north, north, east + north};
      for (int32_t d = 0; d < 8; ++d) step_[i][d] = steps[d];
    }
  }
  const int32_t* of(CellId id) const noexcept {
    const uint32_t x = id & 63, y = (id >> 6) & 63;
    return step_[1 + (x == 63) - (x == 0) + 3 * (1 + (y == 63) - (y == 0))];
  }

 private:
  int32_t step_[9][8] = {};
};

// Part of a tile, inclusive.
struct TileBox {
  uint8_t x0 = 0, y0 = 0, x1 = 63, y1 = 63;
  void widen(const TileBox& b) noexcept {
    x0 = b.x0 < x0 ? b.x0 : x0;
    y0 = b.y0 < y0 ? b.y0 : y0;
    x1 = b.x1 > x1 ? b.x1 : x1;
    y1 = b.y1 > y1 ? b.y1 : y1;
  }
};

// One T for each tile; entries may be null. Copies are made by share() and cost nothing.
template <class T>
class TileTable {
  static constexpr uint32_t kNodeBits = 4;
  static constexpr uint32_t kNodeSize = 1u << kNodeBits;
  // A node of the tree that holds the references: nodes, or on level 0 tiles.
  struct Node : Counted {
    const Counted* entry[kNodeSize] = {};
    Node() noexcept = default;
    Node(const Node& other) noexcept : Counted() {
      for (uint32_t i = 0; i < kNodeSize; ++i) {
        entry[i] = other.entry[i];
        if (entry[i]) entry[i]->take();
      }
    }
  };

 public:
  // What a writer keeps from one version to the next, so that publishing costs what changed: the
  // version before the present one, and the tiles before those that were edited last.
  class Spare {
   public:
    Spare() noexcept = default;
    ~Spare() { forget(); }
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    void forget() noexcept {
      forget_twins();
      twins_.release();
      forget_table();
    }
    // What edit() of this tile will probably give; null: nothing that is there already.
    const T* before(const T* present, uint32_t tile) const noexcept {
      if (twins_.empty()) return nullptr;
      const Twin& twin = twins_[place(tile)];
      return twin.is_of(present) ? twin.old : nullptr;
    }

   private:
    friend class TileTable;
    // A tile that no version but old ones has; it differs from `now` in a box at most.
    struct Twin {
      const T* old = nullptr;
      const T* now = nullptr;  // only to be recognised, by address and serial number
      uint32_t serial = 0;
      TileBox box;
      bool is_of(const T* tile) const noexcept {
        return old && now == tile && tile->serial == serial;
      }
    };
    // Each tile of 1024 x 1024 cells has a place of its own.
    static constexpr uint32_t kTwins = 256;

    // Null: memory is short. Tiles that lie in a home keep it.
    Twin* twin(uint32_t tile, const Home* home) noexcept {
      if (twins_.empty() && !twins_.assign(kTwins, Twin())) return nullptr;
      if (home != twins_home_) {
        forget_twins();
        if (home) home->take();
        twins_home_ = home;
      }
      return &twins_[place(tile)];
    }
    void forget_twins() noexcept {
      for (Twin& twin : twins_) {
        drop_tile(twin.old, twins_home_);
        twin = Twin();
      }
      octile::drop(twins_home_);
      twins_home_ = nullptr;
    }
    static uint32_t place(uint32_t tile) noexcept {
      return (tile ^ tile >> 5 << 4 ^ tile >> 9) & (kTwins - 1);
    }
    void forget_table() noexcept {
      drop_node(root_, levels_, home_);
      root_ = nullptr;
      flat_.forget();
      octile::drop(home_);
      home_ = nullptr;
    }

    const Node* root_ = nullptr;
    uint32_t levels_ = 0;
    const Home* home_ = nullptr;
    typename SharedArray<const T*>::Spare flat_;
    Buffer<Twin> twins_;
    const Home* twins_home_ = nullptr;
    uint32_t serial_ = 0;
  };

  // Memory of the nodes from the root to a tile, for who must not fail.
  class NodeRoom {
   public:
    NodeRoom() noexcept = default;
    NodeRoom(const NodeRoom&) = delete;
    NodeRoom& operator=(const NodeRoom&) = delete;
    ~NodeRoom() {
      for (void* at : at_) ::operator delete(at);
    }
    // False: memory is short.
    bool fill() noexcept {
      for (void*& at : at_)
        if (!at && !(at = ::operator new(sizeof(Node), std::nothrow))) return false;
      return true;
    }

   private:
    friend class TileTable;
    Node* make(const Node& from) noexcept {
      for (void*& at : at_) {
        if (!at) continue;
        Node* node = new (at) Node(from);
        at = nullptr;
        return node;
      }
      return nullptr;
    }
    static constexpr uint32_t kMostNodes = 5;
    static_assert(kMaxTiles <= 1u << kNodeBits * kMostNodes);
    void* at_[kMostNodes] = {};
  };

  TileTable() noexcept = default;
  ~TileTable() { release(); }
  TileTable(TileTable&& other) noexcept { swap(other); }
  TileTable& operator=(TileTable&& other) noexcept {
    swap(other);
    return *this;
  }
  TileTable(const TileTable&) = delete;
  TileTable& operator=(const TileTable&) = delete;

  // All entries become `fill` (which gains references) or null.
  bool reset(uint32_t tiles, const T* fill) noexcept {
    TileTable fresh;
    fresh.live_in(home_);
    if (!fresh.flat_.assign(tiles, fill)) return false;
    // One node of each level, all of whose entries are the one below.
    const Counted* below = fill;
    if (below) below->take();
    for (;;) {
      Node* node = new (std::nothrow) Node;
      if (!node) {
        if (!fresh.root_) octile::drop(fill);
        return false;
      }
      for (const Counted*& entry : node->entry) {
        entry = below;
        if (below && &entry != node->entry) below->take();
      }
      if (fresh.root_) ++fresh.levels_;
      fresh.root_ = node;
      below = node;
      if (uint64_t{tiles} <= uint64_t{1} << kNodeBits * (fresh.levels_ + 1)) break;
    }
    swap(fresh);
    return true;
  }
  // Entries may lie there; the home lives as long as this table and its copies.
  void live_in(const Home* home) noexcept {
    if (home) home->take();
    octile::drop(home_);
    home_ = home;
  }
  // Becomes a copy of `other` that shares everything.
  void share(const TileTable& other) noexcept {
    if (other.root_) other.root_->take();
    drop_node(root_, levels_, home_);
    live_in(other.home_);
    root_ = other.root_;
    levels_ = other.levels_;
    flat_.share(other.flat_);
  }

  uint32_t size() const noexcept { return static_cast<uint32_t>(flat_.size()); }
  const T* at(uint32_t tile) const noexcept { return flat_[tile]; }
  const T* const* flat() const noexcept { return flat_.data(); }
  bool empty() const noexcept { return root_ == nullptr; }

  // To be called before the first set() or edit() of a new version; without it they copy the flat
  // array. False: memory is short, nothing has changed.
  bool own(Spare* spare) noexcept {
    if (!spare || flat_.owned()) return flat_.own(nullptr);
    const bool again = flat_.fits(spare->flat_);
    if (again) {
      for (const uint32_t tile : flat_.changed()) {
        const Counted** entry = own_entry(&spare->root_, spare->levels_, tile, home_);
        if (!entry) {
          spare->forget_table();
          return false;
        }
        const T* value = flat_[tile];
        if (*entry == value) continue;
        if (value) value->take();
        drop_tile(static_cast<const T*>(*entry), home_);
        *entry = value;
      }
    }
    if (!flat_.own(&spare->flat_)) return false;
    if (again) {
      std::swap(root_, spare->root_);
      return true;
    }
    root_->take();
    drop_node(spare->root_, spare->levels_, spare->home_);
    spare->root_ = root_;
    spare->levels_ = levels_;
    if (home_) home_->take();
    octile::drop(spare->home_);
    spare->home_ = home_;
    return true;
  }
  // Of a table that nobody has edited yet: what the second version would else make piece by piece,
  // the other tree and the other array, at once. False: memory is short; both are of use.
  bool prepare(Spare* spare) noexcept {
    spare->forget_table();
    Node* twin = copy_node(*root_, levels_, 0, size());
    if (!twin) return false;
    spare->root_ = twin;
    spare->levels_ = levels_;
    if (home_) home_->take();
    spare->home_ = home_;
    return flat_.prepare(&spare->flat_);
  }
  // After the last change of a version: what the next one cannot use is given back.
  void settle(Spare* spare) noexcept {
    if (!flat_.listed()) spare->forget_table();
  }

  // Replaces an entry; takes over the caller's reference to `value`, also when it fails.
  bool set(uint32_t tile, const T* value) noexcept {
    const Counted** entry = flat_.own(nullptr) ? own_entry(&root_, levels_, tile, home_) : nullptr;
    if (!entry) {
      drop_tile(value, home_);
      return false;
    }
    drop_tile(flat_[tile], home_);
    *entry = value;
    flat_.set(tile, value);
    return true;
  }
  // The entry as something only this table has, copied when it is shared; null: memory is short.
  // The entry must not be null.
  T* edit(uint32_t tile) noexcept {
    const Counted** entry = flat_.own(nullptr) ? own_entry(&root_, levels_, tile, home_) : nullptr;
    if (!entry) return nullptr;
    if (!(*entry)->unique()) {
      T* copy = new (std::nothrow) T(*flat_[tile]);
      if (!copy) return nullptr;
      drop_tile(flat_[tile], home_);
      *entry = copy;
      flat_.set(tile, copy);
    }
    return const_cast<T*>(flat_[tile]);
  }
  // The same of a T with a serial number and follow(), of which only what lies in `box` will be
  // changed: it may be made from the tile of an earlier version.
  T* edit(uint32_t tile, Spare* spare, const TileBox& box) noexcept {
    const Counted** entry = flat_.own(nullptr) ? own_entry(&root_, levels_, tile, home_) : nullptr;
    if (!entry) return nullptr;
    const T* present = flat_[tile];
    auto* twin = spare->twin(tile, home_);
    if (!twin) return nullptr;
    const bool known = twin->is_of(present);
    if (present->unique()) {
      if (known) twin->box.widen(box);
      return const_cast<T*>(present);
    }
    T* next;
    if (twin->old && twin->old->unique()) {
      // The tile before this one, or one of another place, for its memory.
      next = const_cast<T*>(twin->old);
      next->follow(*present, known ? twin->box : TileBox());
    } else {
      next = home_ && home_->one_type ? home_->template make_again<T>(*present)
                                      : new (std::nothrow) T(*present);
      if (!next) return nullptr;
      drop_tile(twin->old, home_);
    }
    put(tile, entry, next, spare, twin, box);
    return next;
  }

  // A new entry for set(), where others of this table lie; null: memory is short.
  T* make() const noexcept {
    return home_ && home_->one_type ? home_->template make_again<T>() : new (std::nothrow) T;
  }
  // One that has not come to be an entry.
  void give_back(const T* made) const noexcept { drop_tile(made, home_); }

  // Asks for the memory that edit() and edit_alone() of a tile will look at first: where the tile
  // is told, then that. Inlined: calls of functions that do nothing else GCC leaves out.
  [[gnu::always_inline]] inline void ask_where(uint32_t tile) const noexcept {
    __builtin_prefetch(flat() + tile);
  }
  [[gnu::always_inline]] inline void ask_for(uint32_t tile, uint32_t tables,
                                             const Spare& spare) const noexcept {
    if (alone(tables, spare)) return;
    for (const Node* root : {root_, spare.levels_ == levels_ ? spare.root_ : nullptr}) {
      if (!root) continue;
      const Counted* node = root;
      for (uint32_t level = levels_; level > 0; --level)
        node = static_cast<const Node*>(node)->entry[tile >> kNodeBits * level & (kNodeSize - 1)];
      __builtin_prefetch(node);
      __builtin_prefetch(&static_cast<const Node*>(node)->entry[tile & (kNodeSize - 1)]);
    }
    if (const T* present = flat_[tile]) __builtin_prefetch(present);
  }
  // The entry as something that nobody but this writer has: in `tables` tables that are copies of
  // each other, this one among them, and in the spare, which may hold it too. What is written there
  // is seen in all of them at once. Null: others may have it. Not to be asked of tiles that stand
  // in several places.
  T* edit_alone(uint32_t tile, uint32_t tables, Spare* spare, const TileBox& box) noexcept {
    if (!alone(tables, *spare) && !alone_on_the_way(tile, tables, *spare)) return nullptr;
    T* own = const_cast<T*>(flat_[tile]);
    if (!spare->twins_.empty()) {
      auto& twin = spare->twins_[Spare::place(tile)];
      if (twin.is_of(own)) twin.box.widen(box);
    }
    return own;
  }
  // The same of a table of a version that is being made, after own(), which has let the last
  // version go into the spare: `others` tables have that, and nobody else. What is written is seen
  // there too, until go_on_with().
  T* edit_with_last(uint32_t tile, uint32_t others, Spare* spare, const TileBox& box) noexcept {
    if (!flat_.owned() || !spare->root_ || spare->levels_ != levels_) return nullptr;
    auto* twin = spare->twin(tile, home_);
    if (!twin) return nullptr;
    T* own = const_cast<T*>(flat_[tile]);
    if (!alone(others + 1, *spare)) {
      if (!own_entry(&root_, levels_, tile, home_)) return nullptr;
      const Counted* there = spare->root_;
      for (uint32_t level = levels_ + 1, ours = others + 1; level > 0; --level, ours = 1) {
        if (!there->held_by(ours)) return nullptr;
        const uint32_t i = tile >> kNodeBits * (level - 1) & (kNodeSize - 1);
        there = static_cast<const Node*>(there)->entry[i];
      }
      constexpr uint32_t kTrees = 2;
      if (there != own || !there->held_by(kTrees)) return nullptr;
    }
    if (twin->is_of(own)) twin->box.widen(box);
    return own;
  }
  // Takes over `next`, which differs from the present tile in `box`, and leaves that to the last
  // version. Cannot fail.
  void go_on_with(uint32_t tile, T* next, const TileBox& box, NodeRoom* room,
                  Spare* spare) noexcept {
    const Counted** entry = own_entry(&root_, levels_, tile, home_, room);
    auto* twin = spare->twin(tile, home_);
    drop_tile(twin->old, home_);
    put(tile, entry, next, spare, twin, box);
  }

  void swap(TileTable& other) noexcept {
    std::swap(root_, other.root_);
    std::swap(levels_, other.levels_);
    std::swap(home_, other.home_);
    flat_.swap(other.flat_);
  }
  void release() noexcept {
    drop_node(root_, levels_, home_);
    root_ = nullptr;
    levels_ = 0;
    live_in(nullptr);
    flat_.release();
  }
  // At most: versions share what they have in common.
  size_t table_bytes() const noexcept {
    size_t nodes = 0;
    for (uint32_t level = 0; root_ && level <= levels_; ++level)
      nodes += (size() >> kNodeBits * (level + 1)) + 1;
    return flat_.bytes() + nodes * sizeof(Node);
  }

 private:
  // True when `tables` copies of the last versions and the spare are all there is: then nobody else
  // has a tile, and no tree needs to be looked at. They keep the home where the tiles lie, as all
  // others would. False tells nothing.
  bool alone(uint32_t tables, const Spare& spare) const noexcept {
    if (!home_ || !home_->one_type) return false;
    const uint32_t spares = (spare.home_ == home_) + (spare.twins_home_ == home_);
    return home_->held_by(tables + spares);
  }
  // The same of one tile: down both trees, where all references to each node must be known.
  bool alone_on_the_way(uint32_t tile, uint32_t tables, const Spare& spare) const noexcept {
    const Counted* here = root_;
    const Counted* there = spare.levels_ == levels_ ? spare.root_ : nullptr;
    if (spare.root_ && !there) return false;
    uint32_t ours = tables;
    for (uint32_t level = levels_ + 1;; --level) {
      if (there == here) {
        ++ours;
        there = nullptr;
      }
      if (!here->held_by(ours) || (there && level > 0 && !there->held_by(1))) return false;
      if (level == 0) return true;
      const uint32_t i = tile >> kNodeBits * (level - 1) & (kNodeSize - 1);
      here = static_cast<const Node*>(here)->entry[i];
      if (there) there = static_cast<const Node*>(there)->entry[i];
      ours = 1;
    }
  }

  static void drop_tile(const T* tile, const Home* home) noexcept {
    if (!tile) return;
    const uint32_t left = tile->drop_one();
    if (left == 0) delete tile;
    if (left == Counted::kHoused) home->give_back(const_cast<T*>(tile));
  }
  static void drop_node(const Node* node, uint32_t level, const Home* home) noexcept {
    if (!node || !node->drop()) return;
    for (const Counted* entry : node->entry) {
      if (level == 0) {
        drop_tile(static_cast<const T*>(entry), home);
      } else {
        drop_node(static_cast<const Node*>(entry), level - 1, home);
      }
    }
    delete node;
  }

  // In the place of the present tile, whose reference becomes that of the twin.
  void put(uint32_t tile, const Counted** entry, T* next, Spare* spare, typename Spare::Twin* twin,
           const TileBox& box) noexcept {
    const T* present = flat_[tile];
    next->serial = ++spare->serial_;
    *entry = next;
    flat_.set(tile, next);
    const bool kept = !present->immortal();
    *twin = {kept ? present : nullptr, next, next->serial, box};
  }

  // With all nodes below, as far as they stand for tiles; the first of its own is `tile`. Null:
  // memory is short.
  static Node* copy_node(const Node& node, uint32_t level, uint32_t tile, uint32_t tiles) noexcept {
    Node* copy = new (std::nothrow) Node(node);
    const uint32_t step = 1u << kNodeBits * level;
    for (uint32_t i = 0; copy && level > 0 && i < kNodeSize && tile + i * step < tiles; ++i) {
      const auto* below = static_cast<const Node*>(node.entry[i]);
      const Node* own = copy_node(*below, level - 1, tile + i * step, tiles);
      if (!own) {
        drop_node(copy, level, nullptr);  // has no tile of its own
        return nullptr;
      }
      below->drop();
      copy->entry[i] = own;
    }
    return copy;
  }

  // The place of an entry, on a way from the root that only this tree has; null: memory is short.
  static const Counted** own_entry(const Node** root, uint32_t levels, uint32_t tile,
                                   const Home* home, NodeRoom* room = nullptr) noexcept {
    const Counted* const* top = nullptr;
    Node* node = nullptr;
    for (uint32_t level = levels + 1; level-- > 0;) {
      const Node* here = top ? static_cast<const Node*>(*top) : *root;
      if (here->unique()) {
        node = const_cast<Node*>(here);
      } else {
        node = room ? room->make(*here) : new (std::nothrow) Node(*here);
        if (!node) return nullptr;
        if (top) {
          *const_cast<const Counted**>(top) = node;
        } else {
          *root = node;
        }
        drop_node(here, level, home);
      }
      top = &node->entry[tile >> kNodeBits * level & (kNodeSize - 1)];
    }
    return const_cast<const Counted**>(top);
  }

  const Node* root_ = nullptr;
  uint32_t levels_ = 0;  // of nodes above those that hold tiles
  const Home* home_ = nullptr;
  SharedArray<const T*> flat_;
};

}  // namespace octile
