// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/pockets.hpp"

#include <algorithm>
#include <bit>

namespace octile {

namespace {

// Larger maps are not worth the time at loading.
constexpr uint32_t kMostTiles = 1u << 14;
// Where less than this is dead on average, asking costs more than the dead cells do.
constexpr uint32_t kLeastPercent = 30;
constexpr uint32_t kSamples = 64;
// Blocks are lumped up to so many intervals: corridors else are a block for each of their rows.
constexpr uint32_t kLump = 8;
// So many intervals take as long to build as an edited tile, and each of its edited cells beyond
// the first, takes in commit(). A tree that did not pay is not worth much.
constexpr uint64_t kIntervalsATile = 32, kIntervalsACell = 1;
constexpr uint64_t kTimesCost = 2, kTimesCostInVain = 16;
// A rectangle of a tile in which so many cells change, and one of so many of its cells, is joined
// as a whole.
constexpr uint32_t kManyCells = 64, kDense = 4;
// Words of 64 cells of a patch that are walked over.
constexpr size_t kMostPatchWords = 2048;
// Tiles that are worth a thread.
constexpr uint32_t kManySlots = 1024;
// Instead of an interval, of cells that none of the tree holds; and the next number.
constexpr uint32_t kOpened = kNoInterval - 2;

// Whether paths may pass between two walls that touch at their corners only. Then intervals that
// touch so are joined as well.
bool squeezes(const Profile& profile) noexcept {
  return profile.diagonal == Diagonal::always && !four_way(profile.moves, profile.diagonal);
}

// The block-cut tree of the intervals of all rows, or of all columns.
class SideBuilder {
 public:
  // `reach`: how many cells apart two intervals may lie that touch.
  SideBuilder(const Layer& layer, const PocketTree& tree, uint32_t side, uint32_t reach) noexcept
      : grid_(layer.grid), layer_(layer), tree_(tree), columns_(side == 1), reach_(reach) {}

  // False: memory is short.
  bool build(PocketSide* out) noexcept { return cut(out) && meet() && grow(out) && lump(out); }
  // How many percent of the intervals are off the way between two of them, on average.
  uint32_t percent_dead(const PocketSide& side) const noexcept {
    const auto last = static_cast<uint32_t>(side.block.size() - 1);
    uint64_t random = 1, alive = 0, pairs = 0;
    const auto some = [&] {
      random = random * 6364136223846793005 + 1442695040888963407;
      return side.home[(random >> 32) * count_ >> 32];
    };
    for (uint32_t i = 0; count_ != 0 && i < kSamples; ++i) {
      uint32_t a = some(), b = some();
      uint64_t way = order_[a] + (a == b ? 0 : order_[b]);
      while (a != b) {
        uint32_t& low = a < b ? a : b;
        low = side.block[low].parent;
        way += a == b ? 0 : order_[low];
      }
      if (a == last) continue;  // not connected
      alive += way;
      ++pairs;
    }
    return pairs == 0 ? 0 : static_cast<uint32_t>(100 - alive * 100 / (pairs * count_));
  }

 private:
  struct Interval {
    uint32_t first, last;
  };
  // Those of the line before and after that it touches: ranges of indices.
  struct Touching {
    uint32_t before, before_end, after, after_end;
    uint32_t count() const noexcept { return before_end - before + after_end - after; }
    uint32_t at(uint32_t i) const noexcept {
      return i < before_end - before ? before + i : after + (i - (before_end - before));
    }
  };

  // 1. Lines into intervals.
  bool cut(PocketSide* out) noexcept {
    lines_ = 64 * (columns_ ? grid_.tile_cols : grid_.tile_rows);
    const uint32_t words = columns_ ? grid_.tile_rows : grid_.tile_cols;
    const LayerTile* ring = layer_.tiles.at(0);
    if (!line_.resize(lines_ + 1)) return false;
    for (uint32_t line = 0; line < lines_; ++line) {
      line_[line] = static_cast<uint32_t>(interval_.size());
      bool open = false;
      for (uint32_t w = 0; w < words; ++w) {
        const uint32_t at =
            columns_ ? grid_.tile_index(line >> 6, w) : grid_.tile_index(w, line >> 6);
        const LayerTile* tile = layer_.tiles.at(at);
        if (tile == ring) {
          open = false;
          continue;
        }
        uint64_t rest = columns_ ? tile->col[line & 63] : tile->row[line & 63];
        PocketLine& known = out->line[tree_.slot[at] << 6 | (line & 63)];
        known.half[0] = static_cast<uint32_t>(rest);
        known.half[1] = static_cast<uint32_t>(rest >> 32);
        const bool goes_on = open && (rest & 1);
        open = rest >> 63;
        known.base = static_cast<uint32_t>(interval_.size()) - 1 - goes_on;
        if (goes_on) {
          const auto length = static_cast<uint32_t>(std::countr_one(rest));
          interval_.back().last = w * 64 + length - 1;
          rest = length == 64 ? 0 : rest & (~uint64_t{0} << length);
        }
        while (rest) {
          const auto first = static_cast<uint32_t>(std::countr_zero(rest));
          const auto length = static_cast<uint32_t>(std::countr_one(rest >> first));
          if (!interval_.push({w * 64 + first, w * 64 + first + length - 1})) return false;
          rest = first + length == 64 ? 0 : rest & (~uint64_t{0} << (first + length));
        }
      }
    }
    count_ = line_[lines_] = static_cast<uint32_t>(interval_.size());
    return true;
  }

  // 2. Which touch.
  bool meet() noexcept {
    if (!touching_.resize(count_)) return false;
    for (uint32_t line = 0; line < lines_; ++line) {
      const uint32_t begin = line_[line], end = line_[line + 1];
      const auto range = [&](uint32_t i, uint32_t& at, uint32_t stop, uint32_t* from,
                             uint32_t* to) {
        while (at < stop && interval_[at].last + reach_ < interval_[i].first) ++at;
        uint32_t last = at;
        while (last < stop && interval_[last].first <= interval_[i].last + reach_) ++last;
        *from = at;
        *to = last;
        if (last > at) at = last - 1;  // it may touch the next one too
      };
      uint32_t before = line > 0 ? line_[line - 1] : 0, after = end;
      const uint32_t after_stop = line + 1 < lines_ ? line_[line + 2] : end;
      for (uint32_t i = begin; i < end; ++i) {
        range(i, before, begin, &touching_[i].before, &touching_[i].before_end);
        range(i, after, after_stop, &touching_[i].after, &touching_[i].after_end);
      }
    }
    return true;
  }

  // 3. Blocks, by depth-first search (Hopcroft and Tarjan 1973), without recursion. A block is
  // complete when the search returns to its gate, and so are all blocks below it: numbered in this
  // order, they stand before it without a gap.
  bool grow(PocketSide* out) noexcept {
    if (!order_.assign(count_, 0) || !low_.resize(count_) || !next_.assign(count_, 0) ||
        !path_.reserve(count_) || !waiting_.reserve(count_) || !out->home.resize(count_))
      return false;
    uint32_t clock = 0;
    const auto discover = [&](uint32_t v) {
      order_[v] = low_[v] = ++clock;
      path_.push(v);
      waiting_.push(v);
    };
    const auto close = [&](uint32_t top, uint32_t gate) {
      const auto block = static_cast<uint32_t>(out->block.size());
      uint32_t v;
      do {
        v = waiting_.back();
        waiting_.pop();
        out->home[v] = block;
      } while (v != top);
      return out->block.push({gate, 0});
    };
    for (uint32_t root = 0; root < count_; ++root) {
      if (order_[root]) continue;
      if (touching_[root].count() == 0) {
        out->home[root] = kNoBlock;
        continue;
      }
      discover(root);
      while (!path_.empty()) {
        const uint32_t v = path_.back();
        if (next_[v] < touching_[v].count()) {
          const uint32_t u = touching_[v].at(next_[v]++);
          if (order_[u])
            low_[v] = std::min(low_[v], order_[u]);
          else
            discover(u);
          continue;
        }
        path_.pop();
        if (path_.empty()) {
          if (!close(v, kNoInterval)) return false;
          continue;
        }
        const uint32_t up = path_.back();
        low_[up] = std::min(low_[up], low_[v]);
        if (low_[v] >= order_[up] && !close(v, up)) return false;
      }
    }
    // The last block holds what touches nothing, and lies above all others.
    const auto last = static_cast<uint32_t>(out->block.size());
    for (uint32_t& home : out->home) home = home == kNoBlock ? last : home;
    return out->block.push({kNoInterval, last});
  }

  // 4. Small blocks into the ones they hang on, and what then lies below what.
  bool lump(PocketSide* out) noexcept {
    Buffer<PocketBlock>& block = out->block;
    const auto last = static_cast<uint32_t>(block.size() - 1);
    Buffer<uint32_t>&size = order_, &into = low_, &number = next_;
    if (!size.assign(last + 1, 0) || !into.resize(last + 1) || !number.resize(last + 1))
      return false;
    for (const uint32_t home : out->home) ++size[home];
    into[last] = last;
    for (uint32_t b = last; b-- > 0;) {
      const uint32_t parent = block[b].gate == kNoInterval ? last : out->home[block[b].gate];
      const uint32_t whole = into[parent];
      const bool small = whole != last && size[whole] + size[b] <= kLump;
      into[b] = small ? whole : b;
      if (small) size[whole] += size[b];
    }
    // Those that are left keep their order, so no gaps appear between the blocks below one.
    uint32_t count = 0;
    for (uint32_t b = 0; b <= last; ++b) {
      if (into[b] != b) continue;
      number[b] = count;
      size[count] = size[b];
      block[count] = {block[b].gate, 0};
      ++count;
    }
    for (uint32_t& home : out->home) home = number[into[home]];
    block.resize(count);
    out->core =
        static_cast<uint32_t>(std::max_element(size.begin(), size.begin() + count) - size.begin());
    block[count - 1].parent = count - 1;
    for (uint32_t b = 0; b + 1 < count; ++b) {
      const uint32_t gate = block[b].gate;
      block[b].parent = gate == kNoInterval ? count - 1 : out->home[gate];
    }
    if (!out->hanging.resize(count) || !out->gates.assign((count_ + 63) / 64, 0)) return false;
    for (uint32_t b = 0; b < count; ++b) {
      out->hanging[b] = b;
      if (const uint32_t gate = block[b].gate; gate != kNoInterval)
        out->gates[gate >> 6] |= uint64_t{1} << (gate & 63);
    }
    std::sort(out->hanging.begin(), out->hanging.end(), [&](uint32_t a, uint32_t b) {
      return block[a].gate != block[b].gate ? block[a].gate < block[b].gate : a < b;
    });
    return true;
  }

  const TileGrid& grid_;
  const Layer& layer_;
  const PocketTree& tree_;
  const bool columns_;
  const uint32_t reach_;
  uint32_t lines_ = 0, count_ = 0;
  Buffer<uint32_t> line_;  // the first interval of each line
  Buffer<Interval> interval_;
  Buffer<Touching> touching_;
  Buffer<uint32_t> order_, low_, next_, path_, waiting_;
};

// A buffer without its slack; false: memory is short.
template <class T>
bool shrink(Buffer<T>* buffer) noexcept {
  Buffer<T> tight;
  if (!tight.resize(buffer->size())) return false;
  if (!buffer->empty()) std::memcpy(tight.data(), buffer->data(), buffer->size() * sizeof(T));
  buffer->swap(tight);
  return true;
}

}  // namespace

size_t PocketTree::bytes() const noexcept {
  size_t sum = sizeof(PocketTree) + slot.bytes() + core.bytes();
  for (const PocketSide& s : side)
    sum += s.line.bytes() + s.home.bytes() + s.block.bytes() + s.hanging.bytes() + s.gates.bytes();
  return sum;
}

bool PocketTree::mark_core() noexcept {
  if (!core.assign(side[0].line.size(), 0)) return false;
  // The cells of those runs of a line that lie in the core, or that do not.
  const auto cells = [](const PocketSide& s, const PocketLine& line, bool in) {
    uint64_t found = 0;
    for (uint64_t rest = line.bits(); rest;) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
      // Adding to a run's lowest bit clears it.
      const uint64_t run = rest & ~(rest + (rest & (0 - rest)));
      if ((s.home[line.interval(bit)] == s.core) == in) found |= run;
      rest &= ~run;
    }
    return found;
  };
  for (uint32_t tile = 0; tile < slot.size(); ++tile) {
    if (slot[tile] == 0) continue;
    uint64_t* const own = core.data() + (slot[tile] << 6);
    for (uint32_t y = 0; y < 64; ++y) own[y] = cells(side[0], row(tile, y), true);
    for (uint32_t x = 0; x < 64; ++x)
      for (uint64_t out = cells(side[1], column(tile, x), false); out; out &= out - 1)
        own[std::countr_zero(out)] &= ~(uint64_t{1} << x);
  }
  return true;
}

// ---------------------------------------------------------------------------------------------

bool Pockets::serve(const Profile& profile) noexcept {
  return four_way(profile.moves, profile.diagonal) || profile.metric != Metric::chebyshev;
}

struct Pockets::TreeToCome : Counted {
  mutable std::atomic<const Pockets*> made{nullptr};
  ~TreeToCome() { delete made.load(std::memory_order_relaxed); }
};

const Pockets& Pockets::complete(const Layer& layer, const Profile& profile) const noexcept {
  if (!to_come_) return *this;
  const Pockets* there = to_come_->made.load(std::memory_order_acquire);
  if (there) return *there;
  auto* made = new (std::nothrow) Pockets;
  if (!made || !made->build(layer, profile)) {
    delete made;
    return *this;
  }
  if (to_come_->made.compare_exchange_strong(there, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *there;
}

const PocketTree* Pockets::tree_for_edits() const noexcept {
  if (!to_come_) return tree();
  const Pockets* made = to_come_->made.load(std::memory_order_acquire);
  return made ? made->tree() : nullptr;
}

size_t Pockets::bytes() const noexcept {
  if (to_come_) {
    const Pockets* made = to_come_->made.load(std::memory_order_acquire);
    return sizeof(TreeToCome) + (made ? sizeof(Pockets) + made->bytes() : 0);
  }
  size_t sum = tree_ ? tree_->bytes() : 0;
  for (uint32_t side = 0; side < 2; ++side) sum += span_[side].bytes() + ring_[side].bytes();
  return sum;
}

void Pockets::Spare::forget() noexcept {
  for (uint32_t side = 0; side < 2; ++side) {
    span[side].forget();
    ring[side].forget();
  }
}

void Pockets::forget() noexcept {
  for (uint32_t side = 0; side < 2; ++side) {
    span_[side].release();
    ring_[side].release();
  }
  drop(tree_);
  tree_ = nullptr;
  drop(to_come_);
  to_come_ = nullptr;
  work_ = cost_ = 0;
  edited_ = overflow_ = false;
}

// At first each block is alone.
static bool make_spans(const PocketSide& side, SharedArray<PocketSpan>* span) noexcept {
  Buffer<PocketSpan> spans;
  const auto count = static_cast<uint32_t>(side.block.size());
  if (!spans.resize(count)) return false;
  for (uint32_t b = 0; b < count; ++b) spans[b] = {b, b};
  for (uint32_t b = 0; b + 1 < count; ++b) {
    uint32_t& first = spans[side.block[b].parent].first;
    first = std::min(first, spans[b].first);
  }
  return span->adopt(&spans);
}
static bool make_ring(size_t blocks, SharedArray<uint32_t>* ring) noexcept {
  Buffer<uint32_t> rings;
  if (!rings.resize(blocks)) return false;
  for (uint32_t b = 0; b < blocks; ++b) rings[b] = b;
  return ring->adopt(&rings);
}

bool Pockets::build(const Layer& layer, const Profile& profile) noexcept {
  forget();
  built_ = true;
  const TileGrid& grid = layer.grid;
  if (grid.tile_cols * grid.tile_rows > kMostTiles) return true;
  PocketTree* tree = new (std::nothrow) PocketTree;
  if (!tree) return false;
  // Tiles of walls have no intervals, but share the first slot so that looking there is harmless.
  bool ok = tree->slot.assign(grid.tiles, 0);
  uint32_t slots = 1;
  for (uint32_t t = 0; ok && t < grid.tiles; ++t)
    if (layer.tiles.at(t) != layer.tiles.at(0)) tree->slot[t] = slots++;
  bool well[2] = {}, pays[2] = {};
  if (ok) {
    // One thread for the rows and one for the columns, where that is worth it.
    auto sides = [&](unsigned part) {
      for (uint32_t side = part; side < 2; side += slots < kManySlots ? 1 : 2) {
        PocketSide& out = tree->side[side];
        SideBuilder builder(layer, *tree, side, squeezes(profile));
        well[side] = out.line.assign(slots * 64, PocketLine{}) && builder.build(&out) &&
                     shrink(&out.block) && make_spans(out, &span_[side]);
        pays[side] = well[side] && builder.percent_dead(out) >= kLeastPercent;
      }
    };
    run_parallel(slots < kManySlots ? 1 : 2, sides);
    ok = well[0] && well[1];
    cost_ = tree->side[0].home.size() + tree->side[1].home.size();
  }
  if (ok && (pays[0] || pays[1])) {
    tree->steps = layer.steps;
    ok = tree->mark_core();
  }
  tree_ = tree;
  if (!ok || !(pays[0] || pays[1])) {
    const uint64_t cost = cost_;
    forget();
    cost_ = cost;
  }
  return ok;
}

void Pockets::share(const Pockets& other) noexcept {
  forget();
  tree_ = other.tree_;
  if (tree_) tree_->take();
  to_come_ = other.to_come_;
  if (to_come_) to_come_->take();
  for (uint32_t side = 0; side < 2; ++side) {
    span_[side].share(other.span_[side]);
    ring_[side].share(other.ring_[side]);
  }
  work_ = other.work_;
  cost_ = other.cost_;
  built_ = other.built_;
  edited_ = other.edited_;
  overflow_ = other.overflow_;
}

// ---------------------------------------------------------------------------------------------
// What edits join. All of these: false when memory is short.

class PocketUpdate {
 public:
  PocketUpdate(Pockets* pockets, const Layer& now, const Profile& profile,
               Pockets::Spare* spare) noexcept
      : p_(*pockets),
        tree_(pockets->tree_),
        now_(now),
        across_(1u << now.grid.row_shift),
        squeezes_(octile::squeezes(profile)),
        spare_(*spare) {
    for (auto& side : memo_)
      for (uint32_t& i : side) i = kNoInterval;
  }

  // Cells of a line of a tile that were free, and are not now.
  bool close(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    for (uint64_t rest = cells & tree_->row(tile, y).bits(); rest; rest &= rest - 1) {
      const auto x = static_cast<uint32_t>(std::countr_zero(rest));
      for (uint32_t side = 0; side < 2; ++side)
        if (!cut_no_longer(side, interval(side, tile, x, y))) return false;
    }
    return true;
  }
  // Cells that are free now, and were not.
  bool open(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    for (uint64_t rest = cells & ~tree_->row(tile, y).bits(); rest && !p_.overflow_;) {
      const uint64_t cell = rest & (0 - rest);
      rest &= rest - 1;
      patch_[0] = patch_[1] = kNoBlock;
      if (!visit(tile, y, cell) || !walk_on()) return false;
    }
    return true;
  }
  // All cells of a part of a tile: as if each were opened, and had been closed.
  bool join_all(const DirtyTile& d) noexcept {
    const auto line = [](uint32_t first, uint32_t last) {
      return (~uint64_t{0} << first) & (~uint64_t{0} >> (63 - last));
    };
    const uint64_t columns = line(d.x0, d.x1), rows = line(d.y0, d.y1);
    patch_[0] = patch_[1] = kNoBlock;
    // 1. What lies in it. It is not walked over again.
    for (uint32_t y = d.y0; y <= d.y1; ++y) {
      const PocketLine& row = tree_->row(d.tile, y);
      if (!join_runs(0, row.bits() & columns, row)) return false;
      const uint64_t opened = now_.tiles.at(d.tile)->row[y] & ~row.bits() & columns;
      uint64_t fresh;
      if (opened && !see(d.tile << 6 | y, opened, &fresh)) return false;
    }
    for (uint32_t x = d.x0; x <= d.x1; ++x) {
      const PocketLine& column = tree_->column(d.tile, x);
      if (!join_runs(1, column.bits() & rows, column)) return false;
    }
    // 2. What lies round it.
    if (!above(d.tile, d.y0, columns) || !below(d.tile, d.y1, columns)) return false;
    for (uint32_t y = d.y0; y <= d.y1; ++y)
      if (!aside(d.tile, y, columns)) return false;
    return walk_on();
  }

 private:
  // Some cells of a line of a tile.
  struct Word {
    uint32_t line;  // tile << 6 | y
    uint64_t cells;
  };
  static constexpr uint32_t kNoLine = 0xffffffff;

  uint32_t interval(uint32_t side, uint32_t tile, uint32_t x, uint32_t y) const noexcept {
    return side == 0 ? tree_->row(tile, y).interval(x) : tree_->column(tile, x).interval(y);
  }

  bool cut_no_longer(uint32_t side, uint32_t interval) noexcept {
    if (!(tree_->side[side].gates[interval >> 6] >> (interval & 63) & 1)) return true;
    uint32_t& last = memo_[side][interval & 63];
    if (last == interval) return true;
    last = interval;
    const PocketSide& tree = tree_->side[side];
    const uint32_t* at =
        std::lower_bound(tree.hanging.begin(), tree.hanging.end(), interval,
                         [&](uint32_t b, uint32_t gate) { return tree.block[b].gate < gate; });
    for (; at != tree.hanging.end() && tree.block[*at].gate == interval; ++at)
      if (!join(side, *at, tree.home[interval])) return false;
    return true;
  }

  // Both blocks, and all that lie between them.
  bool join(uint32_t side, uint32_t a, uint32_t b) noexcept {
    const SharedArray<PocketSpan>& span = p_.span_[side];
    const Buffer<PocketBlock>& block = tree_->side[side].block;
    a = span[a].last;
    b = span[b].last;
    if (a == b) return true;
    const auto above = [&](uint32_t i) { return span[block[i].parent].last; };
    uint32_t top = a, other = b;
    while (top != other) (top < other ? top : other) = above(top < other ? top : other);
    SharedArray<uint32_t>& ring = p_.ring_[side];
    if (!p_.span_[side].own(&spare_.span[side]) ||
        !(ring.size() ? ring.own(&spare_.ring[side]) : make_ring(block.size(), &ring)))
      return false;
    for (uint32_t low : {a, b}) {
      while (low != top) {
        const uint32_t next = above(low);
        merge(side, low, top);
        low = next;
      }
    }
    return true;
  }
  void merge(uint32_t side, uint32_t low, uint32_t top) noexcept {
    SharedArray<PocketSpan>& span = p_.span_[side];
    SharedArray<uint32_t>& ring = p_.ring_[side];
    const PocketSpan whole = span[top];
    uint32_t member = low;
    do {
      span.set(member, whole);
      member = ring[member];
    } while (member != low);
    const uint32_t next = ring[low];
    ring.set(low, ring[top]);
    ring.set(top, next);
  }

  bool join_patch(uint32_t side, uint32_t block) noexcept {
    if (patch_[side] == kNoBlock) patch_[side] = block;
    return join(side, patch_[side], block);
  }
  // The intervals of some cells of a line, and all that hangs on them, with the patch.
  bool join_runs(uint32_t side, uint64_t cells, const PocketLine& line) noexcept {
    const PocketSide& tree = tree_->side[side];
    while (cells) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(cells));
      const uint32_t i = line.interval(bit);
      if (!join_patch(side, tree.home[i]) || !cut_no_longer(side, i)) return false;
      cells &= cells + (uint64_t{1} << bit);  // clears the lowest run
    }
    return true;
  }

  // Cells beside the patch: those of the tree are joined with it, those that were opened belong to
  // it.
  bool visit(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    const uint64_t known = tree_->row(tile, y).bits();
    for (uint64_t rest = cells & known; rest; rest &= rest - 1) {
      const auto x = static_cast<uint32_t>(std::countr_zero(rest));
      for (uint32_t side = 0; side < 2; ++side)
        if (!join_patch(side, tree_->side[side].home[interval(side, tile, x, y)])) return false;
    }
    const uint64_t opened = now_.tiles.at(tile)->row[y] & ~known;
    if (!(cells & opened)) return true;
    uint64_t fresh = 0;
    if (!see(tile << 6 | y, cells & opened, &fresh)) return false;
    if (!fresh) return true;
    for (uint64_t wider = fresh; (wider |= (wider << 1 | wider >> 1) & opened) != fresh;)
      fresh = wider;
    uint64_t more;
    return see(tile << 6 | y, fresh, &more) &&
           (p_.overflow_ || queue_.push({tile << 6 | y, fresh}));
  }
  // Notes opened cells of a line; *fresh: those that were not noted before.
  bool see(uint32_t line, uint64_t cells, uint64_t* fresh) noexcept {
    if (2 * (lines_ + 1) > seen_.size() && !grow()) return false;
    Word& seen = *place(line);
    if (seen.line == kNoLine && ++lines_ > kMostPatchWords) {
      p_.overflow_ = true;
      queue_.clear();
    }
    *fresh = cells & ~seen.cells;
    seen.line = line;
    seen.cells |= cells;
    return true;
  }
  // What lies round some cells of the patch, on the line itself and on those beside it.
  bool aside(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    return visit(tile, y, (cells << 1 | cells >> 1) & ~cells) && ends(tile, y, cells);
  }
  bool above(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    return along(y > 0 ? tile : tile - across_, (y - 1) & 63, cells);
  }
  bool below(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    return along(y < 63 ? tile : tile + across_, (y + 1) & 63, cells);
  }
  bool along(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    if (!squeezes_) return visit(tile, y, cells);
    return visit(tile, y, cells | cells << 1 | cells >> 1) && ends(tile, y, cells);
  }
  // In the tiles to the left and to the right.
  bool ends(uint32_t tile, uint32_t y, uint64_t cells) noexcept {
    return (!(cells & 1) || visit(tile - 1, y, kLast)) && (!(cells >> 63) || visit(tile + 1, y, 1));
  }
  bool walk_on() noexcept {
    while (!queue_.empty()) {
      const uint32_t tile = queue_.back().line >> 6, y = queue_.back().line & 63;
      const uint64_t cells = queue_.back().cells;
      queue_.pop();
      if (!aside(tile, y, cells) || !above(tile, y, cells) || !below(tile, y, cells)) return false;
    }
    return true;
  }

  Word* place(uint32_t line) noexcept {
    size_t at = line * 0x9e3779b9u & (seen_.size() - 1);
    while (seen_[at].line != kNoLine && seen_[at].line != line) at = (at + 1) & (seen_.size() - 1);
    return &seen_[at];
  }
  bool grow() noexcept {
    Buffer<Word> old;
    old.swap(seen_);
    if (!seen_.assign(old.empty() ? 64 : 2 * old.size(), Word{kNoLine, 0})) return false;
    for (const Word& w : old)
      if (w.line != kNoLine) *place(w.line) = w;
    return true;
  }

  static constexpr uint64_t kLast = uint64_t{1} << 63;
  Pockets& p_;
  const PocketTree* const tree_;
  const Layer& now_;
  const uint32_t across_;
  const bool squeezes_;
  Pockets::Spare& spare_;
  uint32_t patch_[2] = {kNoBlock, kNoBlock};  // a block that the present patch touches
  Buffer<Word> queue_;
  Buffer<Word> seen_;  // cells of patches: a hash table
  size_t lines_ = 0;   // in it
  // The intervals that were closed last: neighbouring cells close the same ones again.
  uint32_t memo_[2][64];
};

bool Pockets::put_off() noexcept {
  forget();
  built_ = true;
  to_come_ = new (std::nothrow) TreeToCome;
  return to_come_ != nullptr;
}

bool Pockets::update(const Pockets& other, const EarlierLayer& before, const Layer& layer,
                     const Profile& profile, const Buffer<DirtyTile>& dirty, bool uniform,
                     Spare* spare) noexcept {
  // 1. Nobody has asked for the tree that is to come: that of this map will do.
  const Pockets* last = &other;
  if (other.to_come_) last = other.to_come_->made.load(std::memory_order_acquire);
  const auto anew = [&] {
    spare->forget();
    return put_off();
  };
  if (!last) return anew();
  share(*last);
  // 2. What the edits join, and what they take.
  PocketUpdate change(this, layer, profile, spare);
  for (const DirtyTile& d : dirty) {
    if (!before.differs(layer, d.tile)) continue;
    const uint64_t *const was = before.rows(d.tile), *const is = layer.tiles.at(d.tile)->row;
    uint32_t changed = 0, opened = 0;
    for (uint32_t y = d.y0; y <= d.y1; ++y) {
      changed += count_bits(was[y] ^ is[y]);
      opened += count_bits(is[y] & ~was[y]);
    }
    if (!changed) continue;
    work_ += kIntervalsATile + kIntervalsACell * (changed - 1);
    edited_ = true;
    if (!tree_ || overflow_) continue;
    const uint32_t area = (d.x1 - d.x0 + 1u) * (d.y1 - d.y0 + 1u);
    if (opened >= kManyCells && kDense * changed >= area) {
      if (!change.join_all(d)) return false;
      continue;
    }
    for (uint32_t y = d.y0; y <= d.y1 && !overflow_; ++y)
      if (was[y] != is[y] &&
          !(change.close(d.tile, y, was[y] & ~is[y]) && change.open(d.tile, y, is[y] & ~was[y])))
        return false;
  }
  // 3. Anew, where that is due.
  if (!uniform) return true;
  const bool vain = !tree_ && !overflow_;
  const bool due = work_ >= (vain ? kTimesCostInVain : kTimesCost) * cost_;
  return built_ && !(edited_ && due) ? true : anew();
}

// ---------------------------------------------------------------------------------------------

bool PocketFilter::mark() noexcept {
  marked_ = true;
  const Pockets& pockets = pockets_->complete(*layer_, *profile_);
  const PocketTree* const tree = pockets.tree();
  active_ = tree != nullptr;
  if (!active_) return false;
  slot_ = tree->slot.data();
  edited_ = pockets.edited();
  // A cell that the tree knows: the given one, or, of one that was opened since, one beside it,
  // which was joined with it.
  const auto known = [&](CellId id) {
    const auto free = [&](CellId c) { return tree->row(c >> 12, c >> 6 & 63).free(c & 63); };
    if (free(id)) return id;
    const int32_t* step = tree->steps.of(id);
    for (uint32_t move = 0; move < 8; move += 2)
      if (const CellId c = id + static_cast<uint32_t>(step[move]); free(c)) return c;
    return kNoCell;
  };
  const CellId start = known(start_), goal = known(goal_);
  if (start == kNoCell || goal == kNoCell) {
    active_ = false;
    return false;
  }
  for (uint32_t i = 0; i < 2; ++i) {
    Side& s = side_[i];
    s.tree = &tree->side[i];
    s.span = pockets.span(i);
    const PocketSide& own = *s.tree;
    const auto interval = [&](CellId id) {
      const uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
      return i == 0 ? tree->row(tile, y).interval(x) : tree->column(tile, x).interval(y);
    };
    uint32_t from = interval(start), to = interval(goal);
    s.start = own.home[from];
    s.goal = own.home[to];
    // Up to the block above both, with the intervals through which it is entered. When they are one
    // and the same, the way does not go through that block: gates are whole. Start and goal may lie
    // on an interval that is not, or beside it.
    uint32_t a = s.span[s.start].last, b = s.span[s.goal].last;
    if (edited_ && a == b) to = kNoInterval;
    if (start != start_) from = kOpened;
    if (goal != goal_) to = kOpened + 1;
    while (a != b) {
      if (a < b) {
        from = own.block[a].gate;
        a = s.span[own.block[a].parent].last;
      } else {
        to = own.block[b].gate;
        b = s.span[own.block[b].parent].last;
      }
    }
    s.end = from == to ? a : a + 1;
    s.gate = from == to ? from : own.block[a].gate;
  }
  const auto alive = [](const Side& s) { return on_way(s, s.tree->core); };
  core_ = alive(side_[0]) && alive(side_[1]) ? tree->core.data() : nullptr;
  return true;
}

}  // namespace octile
