// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Dead pockets: cells that no cheapest path between two given cells can use.
//
//     #############     Cut the free cells of every row into maximal runs (intervals); runs of
//     #...#.......#     neighbouring rows that touch are joined. When taking away one interval G
//     #.........#.#     leaves a part P with neither start nor goal in it, a path into P comes
//     #...#...GGG.#     back over G, from a cell a of G to a cell b of G; but the straight way
//     #####.#######     from a to b inside G is free, and nothing else is as cheap.
//
// So all such parts are dead, for every solver. The same holds for columns. Which intervals cut off
// what is told by the block-cut tree of each of the two graphs: blocks are pieces that no single
// interval cuts, and a block hangs on the interval (its gate) that joins it to the rest. What lies
// off the way from the start's block to the goal's is dead.
//
//   tree     blocks are numbered so that the ones below block b are [first, b): whether b lies
//            above another takes two comparisons, and no query needs memory for this. Small blocks
//            are lumped with the one they hang on
//   lookup   interval of a cell = base of its line of a tile + number of runs up to it there
//   core     the largest block of each graph is on most ways, and most cells that are asked for are
//            in both: a bit each
//
// 1/2 byte a cell, 4 bytes an interval and 20 bytes a block, 24 once edits join some; the tree
// keeps the lines of its map, so that edits may write into the tiles. Exact for every rule of moves
// on uniform maps, unless a diagonal step costs no more than a straight one. Where diagonal steps
// lead between walls (always), runs touch at their corners too.
//
// Edits: the tree stays as it was, shared by versions, and blocks that edits may have joined become
// one: no gate between them cuts any more, and all others do. A way into what hangs on a gate still
// comes back over it, and along it the straight way is free.
//
//   closed  the cell's intervals cut no longer: what hangs on them is joined with what they hang on
//   opened  cells that are walls in the tree are free now, and those that touch form a patch: all
//           intervals that touch the patch, and all between them in the tree, become one block
//
// Where many cells of a rectangle change, all of it is taken for both. Joined blocks are alive
// together, and share one span: the numbers of what lies below the highest of them. The core stays,
// too: its bits call no cell alive but those that the tree would. A patch too large to be walked
// over turns the pockets off until the next tree.
//
// When commits since the last tree have cost twice as much as that, it is worn out: the View has
// none, and the first query that asks for pockets makes the tree of its map (TreeToCome), for all
// Views that share it. Queries that need none, and commits, do not wait for trees. What is made
// follows from the map alone; two queries may make it side by side, and one tree is kept. The next
// commit goes on with it where it was made by then.

#include <atomic>

#include "base/shared_array.hpp"
#include "world/bits.hpp"
#include "world/layer.hpp"

namespace octile {

constexpr uint32_t kNoInterval = 0xffffffff;
constexpr uint32_t kNoBlock = 0xffffffff;

struct PocketBlock {
  uint32_t gate;    // the interval it hangs on, or kNoInterval
  uint32_t parent;  // the block that it hangs on; the last one's is itself
};
// Of a block and those that are joined with it: the highest of them, and the least block below it.
struct PocketSpan {
  uint32_t first, last;
};

// A row or column of a tile, and the interval before its first run. In 12 bytes.
struct PocketLine {
  uint32_t half[2];  // bits of the free cells
  uint32_t base;

  uint64_t bits() const noexcept { return uint64_t{half[1]} << 32 | half[0]; }
  // The interval of a free cell.
  uint32_t interval(uint32_t bit) const noexcept {
    const uint64_t all = bits();
    const uint64_t starts = all & ~(all << 1) & (~uint64_t{0} >> (63 - bit));
    return base + count_bits(starts);
  }
  bool free(uint32_t bit) const noexcept { return bits() >> bit & 1; }
};

// The block-cut tree of the rows, or of the columns.
struct PocketSide {
  Buffer<PocketLine> line;    // 64 of each slot
  Buffer<uint32_t> home;      // per interval: the block on its way to the root
  Buffer<PocketBlock> block;  // the last one lies above all others
  Buffer<uint32_t> hanging;   // blocks, by the interval they hang on
  Buffer<uint64_t> gates;     // per interval a bit: some block hangs on it
  uint32_t core = 0;          // the block with the most intervals
};

struct PocketTree : Counted {
  NeighbourSteps steps;
  Buffer<uint32_t> slot;  // per tile; all walls: 0
  PocketSide side[2];     // rows, columns
  Buffer<uint64_t> core;  // per row of each slot: cells whose both intervals are in the cores

  bool mark_core() noexcept;  // after all else; false: memory is short
  const PocketLine& row(uint32_t tile, uint32_t y) const noexcept {
    return side[0].line[slot[tile] << 6 | y];
  }
  const PocketLine& column(uint32_t tile, uint32_t x) const noexcept {
    return side[1].line[slot[tile] << 6 | x];
  }
  size_t intervals() const noexcept { return side[0].home.size() + side[1].home.size(); }

  size_t bytes() const noexcept;
};

class Pockets {
 public:
  // What a writer keeps from one version to the next.
  struct Spare {
    SharedArray<PocketSpan>::Spare span[2];
    SharedArray<uint32_t>::Spare ring[2];
    void forget() noexcept;
  };

  Pockets() noexcept = default;
  ~Pockets() { forget(); }
  Pockets(const Pockets&) = delete;
  Pockets& operator=(const Pockets&) = delete;

  // Profiles whose cheapest paths never turn into dead pockets, on uniform maps.
  static bool serve(const Profile& profile) noexcept;

  void share(const Pockets& other) noexcept;
  // Both: false when memory is short; the object is then of no use.
  bool build(const Layer& layer, const Profile& profile) noexcept;
  // What `other` knew of the layer `before`, brought up to date with the edits in `dirty`.
  // `uniform`: may be needed, so a tree that is missing or worn out is to come.
  bool update(const Pockets& other, const EarlierLayer& before, const Layer& layer,
              const Profile& profile, const Buffer<DirtyTile>& dirty, bool uniform,
              Spare* spare) noexcept;

  // Asks for the memory that an edit of few cells will look at: where lines of the tree are told,
  // the lines, and what is known of their intervals. Each to be called when the one before it is
  // there.
  void ask_where(const DirtyTile& edited) const noexcept;
  void ask_for(const DirtyTile& edited) const noexcept;
  void ask_further(const DirtyTile& edited) const noexcept;

  // Null: there are none, or they do not pay, or are to come.
  const PocketTree* tree() const noexcept { return overflow_ ? nullptr : tree_; }
  bool to_come() const noexcept { return to_come_ != nullptr; }
  // With the tree that is to come, which is made now if nobody has; without one where memory is
  // short. For any thread; the map is that of the View.
  const Pockets& complete(const Layer& layer, const Profile& profile) const noexcept;
  bool edited() const noexcept { return edited_; }
  // By block; null: there is no tree.
  const PocketSpan* span(uint32_t side) const noexcept { return span_[side].data(); }
  size_t bytes() const noexcept;

 private:
  friend class PocketUpdate;
  struct TreeToCome;
  const PocketTree* tree_for_edits() const noexcept;
  void forget() noexcept;
  bool put_off() noexcept;

  const PocketTree* tree_ = nullptr;
  const TreeToCome* to_come_ = nullptr;  // then there is no tree
  SharedArray<PocketSpan> span_[2];      // by block
  // By block: the next one of those that are joined. Empty as long as no edit has joined any.
  SharedArray<uint32_t> ring_[2];
  uint64_t work_ = 0;      // of edits since the last build, in intervals
  uint64_t cost_ = 0;      // intervals of the last build
  bool built_ = false;     // a tree was built, if only to see that it does not pay
  bool edited_ = false;    // since then
  bool overflow_ = false;  // by a patch that is too large
};

// Inlined: calls of functions that do nothing else GCC leaves out.
[[gnu::always_inline]] inline void Pockets::ask_where(const DirtyTile& d) const noexcept {
  if (const PocketTree* tree = tree_for_edits()) __builtin_prefetch(tree->slot.data() + d.tile);
}

[[gnu::always_inline]] inline void Pockets::ask_for(const DirtyTile& d) const noexcept {
  const PocketTree* const tree = tree_for_edits();
  if (!tree) return;
  const auto around = [](uint32_t first, uint32_t last, auto line) {
    __builtin_prefetch(line(first - (first > 0)));
    __builtin_prefetch(line(last + (last < 63)));
  };
  around(d.y0, d.y1, [&](uint32_t y) { return &tree->row(d.tile, y); });
  around(d.x0, d.x1, [&](uint32_t x) { return &tree->column(d.tile, x); });
}

[[gnu::always_inline]] inline void Pockets::ask_further(const DirtyTile& d) const noexcept {
  const PocketTree* const tree = tree_for_edits();
  if (!tree) return;
  // Whatever the cells are; where they are walls, the interval before them will do.
  const auto ask = [](const PocketSide& side, const PocketLine& line, uint32_t bit) {
    const uint32_t i = line.interval(bit);
    if (i >= side.home.size()) return;
    __builtin_prefetch(side.home.data() + i);
    __builtin_prefetch(side.gates.data() + (i >> 6));
  };
  const auto around = [](uint32_t at, auto each) {
    if (at > 0) each(at - 1);
    each(at);
    if (at < 63) each(at + 1);
  };
  around(d.y0, [&](uint32_t y) { ask(tree->side[0], tree->row(d.tile, y), d.x0); });
  around(d.x0, [&](uint32_t x) { ask(tree->side[1], tree->column(d.tile, x), d.y0); });
}

// What is dead between two cells.
class PocketFilter {
 public:
  // What is dead is found out when it is first asked for: a query whose goal is in sight never
  // asks. `patient`: on small maps, where most searches end after a few jump points, not before
  // kQuestions were asked, since it takes as long as two jump points. The map must outlive the
  // query.
  void begin(const Pockets& pockets, const Layer& layer, const Profile& profile, CellId start,
             CellId goal, bool patient = false) noexcept {
    pockets_ = &pockets;
    layer_ = &layer;
    profile_ = &profile;
    start_ = start;
    goal_ = goal;
    const PocketTree* const tree = pockets.tree();
    active_ = tree || pockets.to_come();
    marked_ = false;
    waits_ = patient && tree && tree->intervals() < kFewIntervals ? kQuestions : 0;
  }
  void end() noexcept { active_ = false; }
  bool active() const noexcept { return active_; }

  // While active(): true when no cheapest path leads through the cell, which must be free.
  bool dead(CellId id) noexcept {
    if (__builtin_expect(!marked_, 0)) {
      if (waits_ > 0) {
        --waits_;
        return false;
      }
      if (!mark()) return false;
    }
    const uint32_t tile = id >> 12, x = id & 63, y = id >> 6 & 63;
    const uint32_t lines = slot_[tile] << 6;
    if (core_ && (core_[lines | y] >> x & 1)) return false;
    const PocketLine& row = side_[0].tree->line[lines | y];
    const PocketLine& column = side_[1].tree->line[lines | x];
    if (edited_ && !row.free(x)) return false;  // opened since
    return !(uint32_t{on(0, row.interval(x))} & uint32_t{on(1, column.interval(y))});
  }

 private:
  static constexpr size_t kFewIntervals = 512;
  static constexpr uint32_t kQuestions = 16;

  struct Side {
    const PocketSide* tree;
    const PocketSpan* span;
    uint32_t start, goal;  // their blocks
    uint32_t end;          // blocks from here on lie above both
    uint32_t gate;         // the interval on which all that is alive hangs
  };
  // Branches could not be guessed: all is computed, and no sum is below 0 but where it must be
  // large.
  bool on(uint32_t side, uint32_t interval) const noexcept {
    const Side& s = side_[side];
    return on_way(s, s.tree->home[interval]) | (interval == s.gate);
  }
  static bool on_way(const Side& s, uint32_t b) noexcept {
    const PocketSpan p = s.span[b];
    const uint32_t below = p.last - p.first;
    const bool above = (s.start - p.first <= below) | (s.goal - p.first <= below);
    return above & (p.last < s.end);
  }
  bool mark() noexcept;  // false: nothing is known between these two

  const Pockets* pockets_ = nullptr;
  const Layer* layer_ = nullptr;
  const Profile* profile_ = nullptr;
  bool active_ = false;
  CellId start_ = kNoCell, goal_ = kNoCell;
  bool marked_ = false;
  uint32_t waits_ = 0;  // so many questions more
  const uint32_t* slot_ = nullptr;
  const uint64_t* core_ = nullptr;  // null: not all of it is alive
  Side side_[2] = {};
  bool edited_ = false;
};

}  // namespace octile
