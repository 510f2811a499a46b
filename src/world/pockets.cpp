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
// A shorter log is no reason to build the tree anew, save on maps this small.
constexpr size_t kShortLog = 32;
constexpr uint32_t kFewTiles = 6;
// So many intervals take as long to build as an edited tile, and each of its edited cells beyond
// the first, takes in commit().
constexpr uint64_t kIntervalsATile = 128, kIntervalsACell = 8;

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
        const bool goes_on = open && (rest & 1);
        open = rest >> 63;
        out->base[tree_.slot[at] << 6 | (line & 63)] =
            static_cast<uint32_t>(interval_.size()) - 1 - goes_on;
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
      return out->block.push({gate, block, 0});
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
    return out->block.push({kNoInterval, last, last});
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
      block[count] = {block[b].gate, count, 0};
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
      uint32_t& first = block[block[b].parent].first;
      first = std::min(first, block[b].first);
    }
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

// Puts a value into a sorted buffer where it is missing.
bool insert(Buffer<uint32_t>* sorted, uint32_t value) noexcept {
  const uint32_t* place = std::lower_bound(sorted->begin(), sorted->end(), value);
  const auto at = static_cast<size_t>(place - sorted->begin());
  if (at < sorted->size() && *place == value) return true;
  if (!sorted->push(value)) return false;
  for (size_t i = sorted->size() - 1; i > at; --i) (*sorted)[i] = (*sorted)[i - 1];
  (*sorted)[at] = value;
  return true;
}

bool copy(const Buffer<uint32_t>& from, Buffer<uint32_t>* to) noexcept {
  if (!to->resize(from.size())) return false;
  std::copy(from.begin(), from.end(), to->begin());
  return true;
}

}  // namespace

size_t PocketTree::bytes() const noexcept {
  size_t sum = sizeof(PocketTree) + tiles.table_bytes() + slot.bytes() + core.bytes();
  for (const PocketSide& s : side) sum += s.base.bytes() + s.home.bytes() + s.block.bytes();
  return sum;
}

bool PocketTree::mark_core() noexcept {
  if (!core.assign(side[0].base.size(), 0)) return false;
  // The cells of those runs of a line that lie in the core, or that do not.
  const auto cells = [](const PocketSide& s, uint64_t bits, uint32_t line, bool in) {
    uint64_t found = 0;
    for (uint64_t rest = bits; rest;) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
      // Adding to a run's lowest bit clears it.
      const uint64_t run = rest & ~(rest + (rest & (0 - rest)));
      if ((s.home[s.interval(bits, line, bit)] == s.core) == in) found |= run;
      rest &= ~run;
    }
    return found;
  };
  for (uint32_t tile = 0; tile < slot.size(); ++tile) {
    if (slot[tile] == 0) continue;
    const LayerTile& t = *tiles.flat()[tile];
    const uint32_t lines = slot[tile] << 6;
    for (uint32_t y = 0; y < 64; ++y) core[lines | y] = cells(side[0], t.row[y], lines | y, true);
    for (uint32_t x = 0; x < 64; ++x) {
      uint64_t out = cells(side[1], t.col[x], lines | x, false);
      for (; out; out &= out - 1)
        core[lines | static_cast<uint32_t>(std::countr_zero(out))] &= ~(uint64_t{1} << x);
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------

bool Pockets::serve(const Profile& profile) noexcept {
  return four_way(profile.moves, profile.diagonal) || profile.metric != Metric::chebyshev;
}

size_t Pockets::bytes() const noexcept {
  size_t sum = tree_ ? tree_->bytes() : 0;
  for (const PocketLog& log : log_) sum += log.interval.bytes() + log.home.bytes();
  return sum;
}

void Pockets::clear_log() noexcept {
  for (PocketLog& log : log_) {
    log.interval.clear();
    log.home.clear();
    log.top = kNoBlock;
  }
}

void Pockets::forget() noexcept {
  clear_log();
  drop(tree_);
  tree_ = nullptr;
  work_ = cost_ = 0;
  edited_ = overflow_ = false;
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
  bool pays = false;
  for (uint32_t side = 0; ok && side < 2; ++side) {
    PocketSide& out = tree->side[side];
    SideBuilder builder(layer, *tree, side, squeezes(profile));
    ok = out.base.assign(slots * 64, 0) && builder.build(&out) && shrink(&out.block);
    cost_ += out.home.size();
    pays = pays || (ok && builder.percent_dead(out) >= kLeastPercent);
  }
  if (ok && pays) {
    tree->tiles.share(layer.tiles);
    ok = tree->mark_core();
  }
  if (!ok || !pays) {
    drop(tree);
    return ok;
  }
  tree_ = tree;
  return true;
}

bool Pockets::touch(uint32_t side, uint32_t interval) noexcept {
  PocketLog& log = log_[side];
  const PocketSide& tree = tree_->side[side];
  if (!insert(&log.interval, interval) || !insert(&log.home, tree.home[interval])) return false;
  log.top = tree.join(log.top, tree.home[interval]);
  overflow_ = overflow_ || log.interval.size() > PocketLog::kMost;
  return true;
}

// An edited cell touches the intervals of its own and of its neighbours.
bool Pockets::note(CellId id, Memo* memo) noexcept {
  const uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
  const LayerTile& t = *tree_->tiles.at(tile);
  if (!(t.row[y] >> x & 1)) return true;
  const uint32_t lines = tree_->slot[tile] << 6;
  const uint32_t row = tree_->side[0].interval(t.row[y], lines | y, x);
  const uint32_t column = tree_->side[1].interval(t.col[x], lines | x, y);
  return (memo->knows(0, row) || touch(0, row)) && (memo->knows(1, column) || touch(1, column));
}

bool Pockets::share(const Pockets& other) noexcept {
  forget();
  tree_ = other.tree_;
  if (tree_) tree_->take();
  work_ = other.work_;
  cost_ = other.cost_;
  built_ = other.built_;
  edited_ = other.edited_;
  overflow_ = other.overflow_;
  for (uint32_t side = 0; side < 2; ++side) {
    if (!copy(other.log_[side].interval, &log_[side].interval) ||
        !copy(other.log_[side].home, &log_[side].home))
      return false;
    log_[side].top = other.log_[side].top;
  }
  return true;
}

bool Pockets::update(const Pockets& other, const Layer& before, const Layer& layer,
                     const Profile& profile, const Buffer<DirtyTile>& dirty,
                     bool uniform) noexcept {
  // 1. What is known already.
  if (!share(other)) return false;
  // 2. What the edits touched.
  Memo memo;
  for (const DirtyTile& d : dirty) {
    const LayerTile& was = *before.tiles.at(d.tile);
    const LayerTile& is = *layer.tiles.at(d.tile);
    uint32_t changed = 0;
    for (uint32_t y = d.y0; y <= d.y1; ++y) {
      changed += count_bits(was.row[y] ^ is.row[y]);
      for (uint64_t rest = was.row[y] ^ is.row[y]; rest; rest &= rest - 1) {
        if (!tree_ || overflow_) break;
        const CellId id = d.tile << 12 | y << 6 | static_cast<uint32_t>(std::countr_zero(rest));
        if (!note(id, &memo)) return false;
        for (uint32_t move = 0; move < 8; move += squeezes(profile) ? 1 : 2)
          if (!note(id + static_cast<uint32_t>(layer.steps.of(id)[move]), &memo)) return false;
      }
    }
    if (!changed) continue;
    work_ += kIntervalsATile + kIntervalsACell * (changed - 1);
    edited_ = true;
  }
  // A log that is full tells nothing more: nobody copies it.
  if (overflow_) clear_log();
  // 3. Anew, where that is due.
  if (!uniform) return true;
  const uint32_t tiles = layer.grid.tile_cols * layer.grid.tile_rows;
  const bool small = tiles <= kFewTiles;
  const bool long_log =
      !tree_ || overflow_ || small || log_[0].interval.size() + log_[1].interval.size() > kShortLog;
  const bool paid = work_ >= kIntervalsATile * tiles && (small || work_ >= cost_);
  return built_ && !(paid && long_log) ? true : build(layer, profile);
}

// ---------------------------------------------------------------------------------------------

void PocketFilter::mark() noexcept {
  marked_ = true;
  tiles_ = tree_->tiles.flat();
  slot_ = tree_->slot.data();
  edited_ = pockets_->edited();
  for (uint32_t i = 0; i < 2; ++i) {
    Side& s = side_[i];
    s.tree = &tree_->side[i];
    s.log = &pockets_->log(i);
    const PocketSide& tree = *s.tree;
    const auto interval = [&](CellId id) {
      const uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
      const LayerTile& t = *tiles_[tile];
      if (!(t.row[y] >> x & 1)) return kNoInterval;  // opened since
      return i == 0 ? tree.interval(t.row[y], slot_[tile] << 6 | y, x)
                    : tree.interval(t.col[x], slot_[tile] << 6 | x, y);
    };
    uint32_t from = interval(start_), to = interval(goal_);
    s.start = from == kNoInterval ? kNoBlock : tree.home[from];
    s.goal = to == kNoInterval ? kNoBlock : tree.home[to];
    if (edited_) {
      const uint32_t top = tree.join(tree.join(s.start, s.goal), s.log->top);
      s.end = top == kNoBlock ? 0 : top + 1;
      s.gate = top == kNoBlock ? kNoInterval : tree.block[top].gate;
      continue;
    }
    // Up to the block above both, with the intervals through which it is entered. When they are one
    // and the same, the way does not go through that block.
    uint32_t a = s.start, b = s.goal;
    while (a != b) {
      if (a < b) {
        from = tree.block[a].gate;
        a = tree.block[a].parent;
      } else {
        to = tree.block[b].gate;
        b = tree.block[b].parent;
      }
    }
    s.end = from == to ? a : a + 1;
    s.gate = from == to ? from : tree.block[a].gate;
  }
  const auto alive = [](const Side& s) { return on_way(s, s.tree->core); };
  core_ = alive(side_[0]) && alive(side_[1]) ? tree_->core.data() : nullptr;
}

bool PocketFilter::touched(uint32_t side, uint32_t interval) const noexcept {
  if (on(side, interval)) return true;
  const Side& s = side_[side];
  const uint32_t block = s.tree->home[interval];
  const PocketBlock& b = s.tree->block[block];
  const auto has = [](const Buffer<uint32_t>& sorted, uint32_t low, uint32_t high) {
    const uint32_t* place = std::lower_bound(sorted.begin(), sorted.end(), low);
    return place != sorted.end() && *place <= high;
  };
  return (block < s.end && has(s.log->home, b.first, block)) ||
         (b.gate != kNoInterval && has(s.log->interval, b.gate, b.gate));
}

}  // namespace octile
