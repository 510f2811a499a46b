// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Components after edits: one edited tile after the other, so that every step leads from one right
// state to the next. While tile t is worked on, tiles below t have the new bits and all others the
// old ones.

#include <algorithm>

#include "world/bits.hpp"
#include "world/components.hpp"
#include "world/contacts.hpp"
#include "world/piece_labels.hpp"
#include "world/tile_region.hpp"

namespace octile {

namespace {

constexpr uint32_t kNone = 0xffffffff;
// Tiles with more edited cells are labelled anew without looking at each cell.
constexpr uint32_t kFewCells = 128;

// Bit d: the neighbour in direction d. Into how many groups do the free ones around a cell fall,
// counting only ways from neighbour to neighbour? 0 may stand for 1.
uint32_t groups(uint32_t free, bool eight) noexcept {
  const auto turn = [](uint32_t bits, uint32_t by) {
    return (bits >> by | bits << (8 - by)) & 0xff;
  };
  const uint32_t straight = free & kStraightMoves;
  if (!eight) {
    const uint32_t links = straight & turn(free, 1) & turn(straight, 2);
    return count_bits(straight) - count_bits(links);
  }
  const uint32_t beside = free & turn(free, 1);
  const uint32_t across = straight & ~turn(free, 1) & turn(straight, 2);
  return count_bits(free) - count_bits(beside) - count_bits(across);
}

}  // namespace

// Pieces that were met, each with a number.
class MetPieces {
 public:
  void clear() noexcept {
    for (uint64_t& slot : slot_) slot = 0;
    count_ = 0;
  }
  // The number of a piece, which becomes `number` where it had none; kNone: memory is short.
  uint32_t find_or_add(uint32_t piece, uint32_t number) noexcept {
    if (2 * (count_ + 1) > slot_.size() && !grow()) return kNone;
    uint64_t& slot = *place(piece);
    if (slot == 0) {
      slot = (uint64_t{piece} + 1) << 32 | number;
      ++count_;
    }
    return static_cast<uint32_t>(slot);
  }
  template <class Visit>
  void each(Visit visit) const noexcept {
    for (const uint64_t slot : slot_)
      if (slot) visit(static_cast<uint32_t>(slot >> 32) - 1, static_cast<uint32_t>(slot));
  }

 private:
  uint64_t* place(uint32_t piece) noexcept {
    size_t at = piece * 0x9e3779b9u & (slot_.size() - 1);
    while (slot_[at] && slot_[at] >> 32 != uint64_t{piece} + 1) at = (at + 1) & (slot_.size() - 1);
    return &slot_[at];
  }
  bool grow() noexcept {
    Buffer<uint64_t> old;
    old.swap(slot_);
    if (!slot_.assign(old.empty() ? 64 : 2 * old.size(), 0)) {
      slot_.swap(old);
      return false;
    }
    for (const uint64_t slot : old)
      if (slot) *place(static_cast<uint32_t>(slot >> 32) - 1) = slot;
    return true;
  }

  Buffer<uint64_t> slot_;  // piece + 1 and number; a power of two of them
  uint32_t count_ = 0;
};

class ComponentUpdate {
 public:
  ComponentUpdate(const EarlierLayer& before, const Layer& after, bool eight, bool alone,
                  Components::Spare* spare, Components* components) noexcept
      : before_(before),
        after_(after),
        eight_(eight),
        alone_(alone),
        spare_(*spare),
        c_(*components),
        edited_(spare->edited) {
    edited_.clear();
  }

  // False: memory is short.
  bool run(const Buffer<DirtyTile>& dirty) noexcept {
    for (const DirtyTile& d : dirty) {
      if (before_.differs(after_, d.tile) && !edited_.push(d)) return false;
    }
    if (edited_.empty()) return true;
    struct Settle {
      ComponentUpdate& update;
      ~Settle() { update.c_.labels_.settle(&update.spare_.labels); }
    } const settle{*this};
    std::sort(edited_.begin(), edited_.end(),
              [](const DirtyTile& a, const DirtyTile& b) { return a.tile < b.tile; });
    // Searches that take as long as joining all anew are given up for that, and so is a table with
    // more holes than pieces.
    for (size_t i = 0; i < edited_.size(); ++i) {
      tile_ = edited_[i].tile;
      if (cell_by_cell(edited_[i])) {
        if (plain(tile_) && c_.labels_.at(tile_)->label(0) == 0 &&
            !share_labels(tile_, after_.tiles.at(tile_) == after_.open))
          return false;
      } else if (short_ || !anew()) {
        return false;
      }
      if (work_ > c_.joined_ || c_.component_.size() > 2 * size_t{c_.joined_} + 1024 ||
          c_.next_ > kNone / 2)
        return all_anew(i + 1);
    }
    return true;
  }

 private:
  // A piece of another tile that was met: a cell of it, and the member it belongs to.
  struct Found {
    uint32_t piece, component, tile, cell, member;
    uint32_t next;  // in the queue of a search
  };
  struct Queue {
    uint32_t head = kNone, tail = kNone;
  };
  // An old component and the set of members that goes on bearing its number.
  struct Kept {
    uint32_t component, set;
  };

  // Is it one of those that all tiles of open ground, or of walls, share?
  bool plain(uint32_t tile) const noexcept {
    const LayerTile* now = after_.tiles.at(tile);
    return now == after_.open || now == after_.tiles.at(0);
  }
  const LayerTile& bits(uint32_t tile) const noexcept {
    return tile < tile_ ? *after_.tiles.at(tile) : before_.tile(tile);
  }
  bool free(CellId id) const noexcept {
    const uint32_t y = id >> 6 & 63;
    return ((id >> 12 == tile_ ? row_[y] : bits(id >> 12).row[y]) >> (id & 63)) & 1;
  }
  uint32_t piece(uint32_t tile, uint32_t cell) const noexcept {
    return c_.first_[tile] + c_.labels_.at(tile)->label(cell);
  }

  // 1. By the eight neighbours of each edited cell. False: that does not tell; row_ is then the
  // state up to which labels are right.
  bool cell_by_cell(const DirtyTile& d) noexcept {
    const uint64_t* const was = before_.rows(tile_);
    const LayerTile& is = *after_.tiles.at(tile_);
    // Cells look at their neighbours alone: the lines beside are enough as long as that tells.
    const uint32_t first = d.y0 > 0 ? d.y0 - 1u : 0, last = d.y1 < 63 ? d.y1 + 1u : 63;
    std::memcpy(row_ + first, is.row + first, (last - first + 1) * sizeof *row_);
    first_row_ = first;
    last_row_ = last;
    uint32_t count = 0;
    for (uint32_t y = d.y0; y <= d.y1; ++y) count += count_bits((row_[y] = was[y]) ^ is.row[y]);
    if (count <= kFewCells && by_neighbours(d, was, is.row)) return true;
    all_rows();
    return false;
  }
  // The rows that no edit has touched are wanted as well.
  void all_rows() noexcept {
    const LayerTile& is = *after_.tiles.at(tile_);
    std::memcpy(row_, is.row, first_row_ * sizeof *row_);
    std::memcpy(row_ + last_row_ + 1, is.row + last_row_ + 1, (63 - last_row_) * sizeof *row_);
    first_row_ = 0;
    last_row_ = 63;
  }
  bool by_neighbours(const DirtyTile& d, const uint64_t* was, const uint64_t* is) noexcept {
    for (const bool opens : {false, true}) {
      for (uint32_t y = d.y0; y <= d.y1; ++y) {
        const uint64_t now = opens ? is[y] : was[y], then = opens ? was[y] : is[y];
        for (uint64_t rest = now & ~then; rest; rest &= rest - 1) {
          const auto x = static_cast<uint32_t>(std::countr_zero(rest));
          if (!(opens ? open_cell(x, y) : close_cell(x, y))) return false;
          row_[y] ^= uint64_t{1} << x;
        }
      }
    }
    return true;
  }

  // The free neighbours of a cell, by direction; *inside: those in its tile.
  uint32_t around(uint32_t x, uint32_t y, uint32_t* inside) const noexcept {
    if (x - 1 < 62 && y - 1 < 62) {
      const auto n = static_cast<uint32_t>(row_[y - 1] >> (x - 1)) & 7;
      const auto m = static_cast<uint32_t>(row_[y] >> (x - 1)) & 7;
      const auto s = static_cast<uint32_t>(row_[y + 1] >> (x - 1)) & 7;
      return *inside = m >> 2 | (s >> 2) << 1 | (s >> 1 & 1) << 2 | (s & 1) << 3 | (m & 1) << 4 |
                       (n & 1) << 5 | (n >> 1 & 1) << 6 | (n >> 2) << 7;
    }
    const CellId id = tile_ << 12 | y << 6 | x;
    uint32_t all = 0;
    *inside = 0;
    for (uint32_t d = 0; d < 8; ++d) {
      const CellId next = id + static_cast<uint32_t>(after_.steps.of(id)[d]);
      if (!free(next)) continue;
      all |= 1u << d;
      if (next >> 12 == tile_) *inside |= 1u << d;
    }
    return all;
  }

  bool close_cell(uint32_t x, uint32_t y) noexcept {
    uint32_t inside;
    const uint32_t all = around(x, y, &inside);
    const bool one = groups(inside, eight_) <= 1;
    if (one && groups(all, eight_) <= 1) return true;
    if (one || ((all ^ inside) & ways())) return false;
    all_rows();
    row_[y] ^= uint64_t{1} << x;
    const bool told = part(x, y, inside & ways());
    row_[y] ^= uint64_t{1} << x;
    return told;
  }
  // What a closed cell parts in its tile: mostly nothing. Else what has no way out of the tile is a
  // piece, and a component, of its own; of what has, only one part goes on with both numbers.
  bool part(uint32_t x, uint32_t y, uint32_t neighbours) noexcept {
    TileRegion* const region = region_;
    uint32_t cut = 0;
    bool open = false;
    for (uint32_t rest = neighbours; rest;) {
      const auto d = static_cast<uint32_t>(std::countr_zero(rest));
      NearCells wanted;
      for (uint32_t r = rest; r; r &= r - 1) {
        const int32_t e = std::countr_zero(r);
        wanted.row[1 + kDy[e]] |= uint64_t{1} << (x + static_cast<uint32_t>(kDx[e]));
      }
      TileRegion& here = region[cut];
      const auto end = here.flood(row_, eight_, x + static_cast<uint32_t>(kDx[d]),
                                  y + static_cast<uint32_t>(kDy[d]), y, open ? nullptr : &wanted);
      if (end == TileRegion::End::given_up) return false;
      if (end == TileRegion::End::met) {
        open = true;
        break;
      }
      for (uint32_t r = rest; r; r &= r - 1) {
        const int32_t e = std::countr_zero(r);
        if (here.has(x + static_cast<uint32_t>(kDx[e]), y + static_cast<uint32_t>(kDy[e])))
          rest &= ~(1u << e);
      }
      if (!leads_out(here)) {
        ++cut;
      } else if (open) {
        return false;
      } else {
        open = true;
      }
    }
    if (!open) --cut;  // one goes on
    if (cut == 0) return true;
    const LabelTile* labels = c_.labels_.at(tile_);
    if (labels->high || labels->used + cut > labels->pieces || labels->used + cut > 256)
      return false;
    LabelTile* own = edit_labels(region, cut);
    short_ = !own || !c_.component_.own(&spare_.component);
    if (short_) return false;
    for (uint32_t i = 0; i < cut; ++i) {
      c_.component_.set(c_.first_[tile_] + own->used, c_.next_++);
      write(region[i], own->used++, own);
    }
    return true;
  }

  bool open_cell(uint32_t x, uint32_t y) noexcept {
    uint32_t inside;
    const uint32_t all = around(x, y, &inside) & ways();
    const CellId id = tile_ << 12 | y << 6 | x;
    const LabelTile* labels = c_.labels_.at(tile_);
    uint32_t label = kNone, component = kNone;
    for (uint32_t rest = all & inside; rest; rest &= rest - 1) {
      const CellId next = id + static_cast<uint32_t>(after_.steps.of(id)[std::countr_zero(rest)]);
      const uint32_t l = labels->label(next & (kTileCells - 1));
      if (label != kNone && l != label) return !(all & ~inside) && !labels->high && join(x, y, all);
      label = l;
    }
    const bool alone = label == kNone;
    if (alone) {
      // A piece of its own, of the component of those beside it in other tiles, if there are any.
      if (labels->high || labels->used == labels->pieces || labels->used > 255) return false;
      label = labels->used;
      component = kNone;
      for (uint32_t d = 0; d < 8 && component == kNone; ++d)
        if (all >> d & 1) component = c_.of(id + static_cast<uint32_t>(after_.steps.of(id)[d]));
    } else {
      component = c_.component_[c_.first_[tile_] + label];
    }
    for (uint32_t rest = all & ~inside; rest; rest &= rest - 1) {
      const CellId next = id + static_cast<uint32_t>(after_.steps.of(id)[std::countr_zero(rest)]);
      if (c_.of(next) != component) return false;
    }
    const uint32_t cell = id & (kTileCells - 1);
    if (!alone && labels->label(cell) == label) return true;
    if (labels->high) return false;
    const auto line = [](uint32_t i) { return static_cast<uint8_t>(i); };
    const TileBox box{line(x), line(y), line(x), line(y)};
    // The last version has a wall there, whose label means nothing, and no use for a place more.
    LabelTile* own = nullptr;
    if (alone_ && labels != c_.single_ && labels != c_.labels_.at(0))
      own = c_.labels_.edit_alone(tile_, Components::kTables, &spare_.labels, box);
    if (!own && own_labels()) own = c_.labels_.edit(tile_, &spare_.labels, box);
    short_ = !own;
    if (!own) return false;
    if (alone) {
      short_ = !c_.component_.own(&spare_.component);
      if (short_) return false;
      ++own->used;
      c_.component_.set(c_.first_[tile_] + label, component == kNone ? c_.next_++ : component);
    }
    own->low[cell] = static_cast<uint8_t>(label);
    return true;
  }
  // An opened cell joins pieces of its tile, and touches no other tile: they get the label of one
  // of them. False where components are joined that reach other tiles.
  bool join(uint32_t x, uint32_t y, uint32_t neighbours) noexcept {
    all_rows();
    const LabelTile* labels = c_.labels_.at(tile_);
    TileRegion* const region = region_;
    uint32_t label[4];
    uint32_t count = 0, stays = kNone, component = kNone;
    bool open = false;  // what stays leads out of the tile
    for (uint32_t rest = neighbours; rest; ++count) {
      const int32_t d = std::countr_zero(rest);
      const uint32_t from_x = x + static_cast<uint32_t>(kDx[d]);
      const uint32_t from_y = y + static_cast<uint32_t>(kDy[d]);
      TileRegion& here = region[count];
      if (here.flood(row_, eight_, from_x, from_y, y, nullptr) == TileRegion::End::given_up)
        return false;
      for (uint32_t r = rest; r; r &= r - 1) {
        const int32_t e = std::countr_zero(r);
        if (here.has(x + static_cast<uint32_t>(kDx[e]), y + static_cast<uint32_t>(kDy[e])))
          rest &= ~(1u << e);
      }
      label[count] = labels->label(from_y << 6 | from_x);
      const bool out = leads_out(here);
      if (out) {
        const uint32_t its = c_.component_[c_.first_[tile_] + label[count]];
        if (component != kNone && component != its) return false;
        component = its;
      }
      if (stays == kNone || (out && !open) || (out == open && here.size() > region[stays].size()))
        stays = count;
      open |= out;
    }
    const uint32_t kept = label[stays];
    region[stays] = region[--count];
    LabelTile* own = edit_labels(region, count, y);
    short_ = !own;
    if (short_) return false;
    for (uint32_t i = 0; i < count; ++i) write(region[i], kept, own);
    own->low[y << 6 | x] = static_cast<uint8_t>(kept);
    return true;
  }

  uint32_t ways() const noexcept { return eight_ ? 0xff : kStraightMoves; }
  // Do the cells of a whole piece touch free ones of other tiles?
  bool leads_out(const TileRegion& piece) const noexcept {
    TileEdges edges{0, piece.row(63), 0, piece.row(0)};
    for (uint32_t y = piece.first(); y <= piece.last(); ++y) {
      edges.west |= (piece.row(y) & 1) << y;
      edges.east |= (piece.row(y) >> 63) << y;
    }
    if (!(edges.west | edges.east | edges.north | edges.south)) return false;
    bool out = false;
    const auto others = [&](uint32_t tile) -> const LayerTile& { return bits(tile); };
    each_contact(edges, tile_, after_.grid, eight_, kContactsAll, others,
                 [&](uint32_t, uint32_t, uint32_t) { out = true; });
    return out;
  }
  // The labels of the tile as something to write these cells into; null: memory is short.
  LabelTile* edit_labels(const TileRegion* region, uint32_t count, uint32_t row = 64) noexcept {
    uint32_t first = row < 64 ? row : 63, last = row < 64 ? row : 0;
    for (uint32_t i = 0; i < count; ++i) {
      first = std::min(first, region[i].first());
      last = std::max(last, region[i].last());
    }
    if (!own_labels()) return nullptr;
    return c_.labels_.edit(tile_, &spare_.labels,
                           {0, static_cast<uint8_t>(first), 63, static_cast<uint8_t>(last)});
  }
  static void write(const TileRegion& region, uint32_t label, LabelTile* own) noexcept {
    for (uint32_t y = region.first(); y <= region.last(); ++y) {
      for (uint64_t rest = region.row(y); rest;) {
        const auto first = static_cast<uint32_t>(std::countr_zero(rest));
        const auto length = static_cast<uint32_t>(std::countr_one(rest >> first));
        std::memset(own->low + (y << 6 | first), static_cast<int>(label), length);
        rest &= rest + (uint64_t{1} << first);  // clears the lowest run
      }
    }
  }

  // 2. The tile labelled anew. Members are its new pieces and the pieces of other tiles that touch
  // it or did so before; sets of members are connected.
  bool anew() noexcept {
    const LayerTile& is = *after_.tiles.at(tile_);
    const uint32_t pieces = labeller_.count(is.row, eight_);
    // Those that own more memory are not for the home.
    LabelTile* labels = pieces > 256 ? new (std::nothrow) LabelTile : c_.labels_.make();
    if (!labels) return false;
    if (!labeller_.write(labels)) {
      c_.labels_.give_back(labels);
      return false;
    }
    const uint32_t room = c_.labels_.at(tile_)->pieces;
    labels->pieces = room >= pieces ? room : pieces + Components::kSparePlaces;
    if (meet(*labels, pieces) && search() && number(pieces, room)) return set_labels(tile_, labels);
    c_.labels_.give_back(labels);
    return false;
  }

  bool own_labels() noexcept { return c_.labels_.own(&spare_.labels); }
  // Takes over the reference.
  bool set_labels(uint32_t tile, LabelTile* labels) noexcept {
    if (!own_labels()) {
      c_.labels_.give_back(labels);
      return false;
    }
    const uint32_t pieces = labels->used;
    if (pieces > 1) return c_.labels_.set(tile, labels);
    c_.labels_.give_back(labels);
    return share_labels(tile, pieces == 1);
  }
  // Of a tile of one piece, or none, which has the first of its places in the table.
  bool share_labels(uint32_t tile, bool free) noexcept {
    const LabelTile* shared = free ? c_.single_ : c_.labels_.at(0);
    shared->take();
    return own_labels() && c_.labels_.set(tile, shared);
  }

  // Finds the members, and joins those that touch in the tile.
  bool meet(const LabelTile& labels, uint32_t pieces) noexcept {
    met_.clear();
    found_.clear();
    bool ok = parent_.resize(pieces);
    for (uint32_t i = 0; ok && i < pieces; ++i) parent_[i] = i;
    const auto member = [&](uint32_t tile, uint32_t cell) {
      const uint32_t p = piece(tile, cell);
      const auto fresh = static_cast<uint32_t>(found_.size());
      const uint32_t i = ok ? met_.find_or_add(p, fresh) : kNone;
      if (i == fresh)
        ok = found_.push({p, c_.component_[p], tile, cell, pieces + i, kNone}) &&
             parent_.push(pieces + i);
      ok = ok && i != kNone;
      return pieces + i;
    };
    const auto others = [&](uint32_t tile) -> const LayerTile& { return bits(tile); };
    TileEdges was{0, row_[63], 0, row_[0]};
    uint64_t closed = 0;
    const LayerTile& is = *after_.tiles.at(tile_);
    for (uint32_t y = 0; y < 64; ++y) {
      was.west |= (row_[y] & 1) << y;
      was.east |= (row_[y] >> 63) << y;
      closed |= row_[y] & ~is.row[y];
    }
    each_contact(was, tile_, after_.grid, eight_, kContactsAll, others,
                 [&](uint32_t, uint32_t tile, uint32_t cell) { member(tile, cell); });
    each_contact(tile_edges(is), tile_, after_.grid, eight_, kContactsAll, others,
                 [&](uint32_t near, uint32_t tile, uint32_t cell) {
                   const uint32_t m = member(tile, cell);
                   if (ok) unite(parent_.data(), labels.label(near), m);
                 });
    parts_ = closed != 0;
    return ok;
  }

  // Which members of one old component are still connected outside the tile.
  bool search() noexcept {
    kept_.clear();
    const auto members = static_cast<uint32_t>(found_.size());
    if (!order_.resize(members)) return false;
    for (uint32_t i = 0; i < members; ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return found_[a].component < found_[b].component; });
    for (uint32_t begin = 0, end; begin < members; begin = end) {
      const uint32_t component = found_[order_[begin]].component, first = order_[begin];
      for (end = begin; end < members && found_[order_[end]].component == component; ++end) {
        // Where nothing was closed, what was connected is.
        if (!parts_) unite(parent_.data(), found_[first].member, found_[order_[end]].member);
      }
      uint32_t set = root(parent_.data(), found_[first].member);
      if (parts_ && !side_by_side(begin, end, &set)) return false;
      if (!kept_.push({component, set})) return false;
    }
    return true;
  }

  // A search from each set of members, over the pieces of their component, a piece each in turn.
  // Those that meet become one; one that has seen all it can reach is cut off. *last is the one
  // that is left.
  bool side_by_side(uint32_t begin, uint32_t end, uint32_t* last) noexcept {
    if (!queue_.assign(parent_.size(), Queue())) return false;
    live_.clear();
    for (uint32_t i = begin; i < end; ++i) {
      const uint32_t set = root(parent_.data(), found_[order_[i]].member);
      if (queue_[set].head == kNone && !live_.push(set)) return false;
      append(set, order_[i]);
    }
    const auto others = [&](uint32_t tile) -> const LayerTile& { return bits(tile); };
    for (size_t turn = 0; live_.size() > 1; ++turn) {
      if (turn >= live_.size()) turn = 0;
      const uint32_t set = live_[turn];
      if (queue_[set].head == kNone) {
        take_out(set);
        continue;
      }
      const Found here = found_[queue_[set].head];
      queue_[set].head = here.next;
      ++work_;
      const uint32_t own = c_.labels_.at(here.tile)->label(here.cell);
      bool ok = true;
      each_contact(tile_edges(bits(here.tile)), here.tile, after_.grid, eight_, kContactsAll,
                   others, [&](uint32_t near, uint32_t tile, uint32_t cell) {
                     if (!ok || tile == tile_ || c_.labels_.at(here.tile)->label(near) != own)
                       return;
                     ok = reach(root(parent_.data(), set), piece(tile, cell), tile, cell);
                   });
      if (!ok) return false;
    }
    *last = live_[0];
    return true;
  }

  void append(uint32_t set, uint32_t found) noexcept {
    Queue& queue = queue_[set];
    found_[found].next = kNone;
    (queue.head == kNone ? queue.head : found_[queue.tail].next) = found;
    queue.tail = found;
  }
  void take_out(uint32_t set) noexcept {
    for (size_t i = 0; i < live_.size(); ++i) {
      if (live_[i] != set) continue;
      live_[i] = live_.back();
      live_.pop();
      return;
    }
  }
  bool reach(uint32_t set, uint32_t piece, uint32_t tile, uint32_t cell) noexcept {
    const auto fresh = static_cast<uint32_t>(found_.size());
    const uint32_t i = met_.find_or_add(piece, fresh);
    if (i == kNone) return false;
    if (i == fresh) {
      if (!found_.push({piece, c_.component_[piece], tile, cell, set, kNone})) return false;
      append(set, i);
      return true;
    }
    const uint32_t other = root(parent_.data(), found_[i].member);
    if (other == set) return true;
    unite(parent_.data(), set, other);
    const uint32_t stays = root(parent_.data(), set), goes = stays == set ? other : set;
    const Queue rest = queue_[goes];
    take_out(goes);
    if (rest.head == kNone) return true;
    Queue& queue = queue_[stays];
    (queue.head == kNone ? queue.head : found_[queue.tail].next) = rest.head;
    queue.tail = rest.tail;
    return true;
  }

  // Gives every set its number, and the pieces those of their sets.
  bool number(uint32_t pieces, uint32_t room) noexcept {
    if (!c_.component_.own(&spare_.component)) return false;
    if (!number_.assign(parent_.size(), kNone)) return false;
    renamed_.clear();
    for (const Kept& k : kept_) {
      uint32_t& n = number_[root(parent_.data(), k.set)];
      if (n == kNone) {
        n = k.component;
      } else if (!renamed_.push({k.component, n})) {
        return false;
      }
    }
    const auto number_of = [&](uint32_t member) {
      uint32_t& n = number_[root(parent_.data(), member)];
      if (n == kNone) n = c_.next_++;
      return n;
    };
    const auto put = [&](uint32_t piece, uint32_t component) {
      if (c_.component_[piece] != component) c_.component_.set(piece, component);
    };
    // 1. Components that were joined: all their pieces, wherever they are. Sorted by component, as
    // kept_ is.
    if (!renamed_.empty()) {
      const uint32_t low = renamed_[0].component, high = renamed_.back().component;
      const auto count = static_cast<uint32_t>(c_.component_.size());
      for (uint32_t p = 0; p < count; ++p) {
        const uint32_t n = c_.component_[p];
        if (n < low || n > high) continue;
        const Kept* k = std::lower_bound(
            renamed_.begin(), renamed_.end(), n,
            [](const Kept& a, uint32_t component) { return a.component < component; });
        if (k->component == n) c_.component_.set(p, k->set);
      }
      work_ += count / 64;
    }
    // 2. What was cut off.
    for (const Found& f : found_) put(f.piece, number_of(f.member));
    // 3. The pieces of the tile.
    if (pieces <= room) {
      for (uint32_t i = 0; i < pieces; ++i) put(c_.first_[tile_] + i, number_of(i));
      return true;
    }
    if (!c_.first_.own(&spare_.first)) return false;
    c_.first_.set(tile_, static_cast<uint32_t>(c_.component_.size()));
    for (uint32_t i = 0; i < pieces; ++i)
      if (!c_.component_.push(number_of(i))) return false;
    for (uint32_t i = 0; i < Components::kSparePlaces; ++i)
      if (!c_.component_.push(kNone)) return false;
    return true;
  }

  // 3. From the given edited tile on, and all joints.
  bool all_anew(size_t from) noexcept {
    for (size_t i = from; i < edited_.size(); ++i) {
      LabelTile* labels = new (std::nothrow) LabelTile;
      if (!labels) return false;
      if (!labeller_.label(after_.tiles.at(edited_[i].tile)->row, eight_, labels)) {
        drop(labels);
        return false;
      }
      labels->pieces += Components::kSparePlaces;
      if (!set_labels(edited_[i].tile, labels)) return false;
    }
    return c_.join(after_, eight_);
  }

  const EarlierLayer& before_;
  const Layer& after_;
  const bool eight_, alone_;
  Components::Spare& spare_;
  Components& c_;
  Buffer<DirtyTile>& edited_;
  uint32_t tile_ = 0;
  uint64_t row_[64];                        // of that tile
  uint32_t first_row_ = 0, last_row_ = 63;  // those of them that are known
  bool short_ = false;                      // of memory
  bool parts_ = false;                      // cells of it were closed
  uint64_t work_ = 0;                       // pieces looked at
  TileRegion region_[4];
  Labeller labeller_;
  MetPieces met_;            // by piece: its place in found_
  Buffer<Found> found_;      // first those that touch the tile, then what searches found
  Buffer<uint32_t> parent_;  // of members: pieces of the tile, then found_ as far as it touches it
  Buffer<uint32_t> order_;
  Buffer<Queue> queue_;    // by set
  Buffer<uint32_t> live_;  // sets
  Buffer<Kept> kept_;
  Buffer<Kept> renamed_;     // component and its new number
  Buffer<uint32_t> number_;  // by set
};

bool Components::update(const EarlierLayer& before, const Layer& layer, const Profile& profile,
                        const Buffer<DirtyTile>& dirty, bool alone, Spare* spare) noexcept {
  ComponentUpdate update(before, layer, eight_connected(profile), alone, spare, this);
  return update.run(dirty);
}

}  // namespace octile
