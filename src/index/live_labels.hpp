// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Hub labels of the subgoal graph that follow the edits of a map.
//
// Edits add and remove subgoals and edges. A vertex stays where it is: one whose cell is no subgoal
// any more has no edges, and comes back as the same vertex; new ones take the last ranks. The order
// of the hubs is kept, so most entries stay what they are. What changes is found hub by hub, from
// the highest rank on:
//
//   broken   entries that came over an edge that is gone, and all that came over them
//   seeds    vertices that may get an entry, or a better one, over an edge that is new, or over a
//            neighbour now that the hubs before cover them no longer
//
// A pruned Dijkstra from the seeds repairs the tree of the hub. Seeds are worked out only when
// their hub's turn comes: before, their parents may still have entries that are broken. A vertex
// whose entry changed may itself be a hub further on, whose tree is grown anew; it may be covered
// less than before, which makes seeds, or better, which makes entries of later hubs useless: their
// trees are grown anew, since entries that are too long would not be found by the next edit.
//
// Work is counted; a repair that takes too long against labelling everything in the same order is
// given up for that, from the hub at hand on: what hubs before it need is done. An order of hubs
// that has become bad makes labels of any length, and takes any time: labels with more entries than
// kMostGrowth times as many as were built, and kMostEntries a vertex, are given up altogether.
// (Akiba, Iwata and Yoshida 2014 repair labels for insertions; removals, order and caps are our
// own.)

#include "base/counted.hpp"
#include "index/list_pool.hpp"
#include "index/live_tiles.hpp"
#include "index/look_back.hpp"
#include "index/path_index.hpp"
#include "world/map.hpp"
#include "world/world_view.hpp"

namespace octile {

struct LiveEntry {
  uint32_t hub;  // rank
  uint32_t distance;
  uint32_t parent;  // the next vertex towards the hub; itself at the hub
  uint32_t node;    // of the tree of the hub, see LiveNode; kept as long as there is the entry
};

// The first entry for `hub` or one after it, in a list in the order of hubs.
inline const LiveEntry* entry_from(uint32_t hub, const LiveEntry* begin,
                                   const LiveEntry* end) noexcept {
  return std::lower_bound(begin, end, hub,
                          [](const LiveEntry& entry, uint32_t h) { return entry.hub < h; });
}

// The entry for `hub` in such a list; null when there is none.
inline const LiveEntry* find_entry(const LiveEntry* begin, const LiveEntry* end,
                                   uint32_t hub) noexcept {
  const LiveEntry* e = entry_from(hub, begin, end);
  return e != end && e->hub == hub ? e : nullptr;
}

// What readers have of it.
struct LiveLabel {
  uint32_t hub, distance, node;
};

// The labels of some vertices, shared by all states in which these are the same. The entries follow
// the page.
struct LabelPage : Counted {
  static constexpr uint32_t kVertices = 4;
  uint32_t count = 0;  // of entries

  LiveLabel* entries() noexcept { return reinterpret_cast<LiveLabel*>(this + 1); }
  const LiveLabel* entries() const noexcept { return reinterpret_cast<const LiveLabel*>(this + 1); }
  size_t bytes() const noexcept { return sizeof *this + count * sizeof(LiveLabel); }

  static void* operator new(size_t size, uint32_t count) noexcept {
    return ::operator new(size + count * sizeof(LiveLabel), std::nothrow);
  }
  static void operator delete(void* page) noexcept { ::operator delete(page); }
  static void operator delete(void* page, uint32_t) noexcept { ::operator delete(page); }
};

// An entry as a place in the tree of its hub: ways climb from node to node, and need nothing else.
// An index has them tree by tree, and they keep their numbers here, so ways find them side by side.
struct alignas(8) LiveNode {
  uint32_t parent;  // itself at the hub
  CellId cell;
};

// Some of these, shared by all states in which they are the same.
struct NodePage : Counted {
  static constexpr uint32_t kNodes = 512;
  LiveNode node[kNodes] = {};
};

struct LiveVertex {
  const LiveLabel* first;
  uint32_t count;
  CellId cell;
};

// One state, for readers: nothing of it changes.
struct LiveState {
  CornerBits corners;
  Buffer<uint32_t> row, column;  // the subgoals row by row, see subgoal_number()
  Buffer<uint32_t> vertex;       // of each of these
  Buffer<const LabelPage*> page;
  Buffer<const NodePage*> nodes;
  Buffer<LiveVertex> known;  // by vertex
  Buffer<uint32_t> made;     // by page: the state that made it
  uint32_t number_of_state = 0;
  IndexSteps steps;
  TileGrid grid;
  const LiveTiles* tiles = nullptr;  // readers fill it

  LiveState() noexcept = default;
  LiveState(const LiveState&) = delete;
  LiveState& operator=(const LiveState&) = delete;
  ~LiveState() {
    for (const LabelPage* p : page) drop(p);
    for (const NodePage* p : nodes) drop(p);
    drop(tiles);
  }
  uint32_t number(Point p) const noexcept {
    return vertex[subgoal_number(p, row.data(), [&](uint32_t s) { return column[s]; })];
  }
  Point place(uint32_t v) const noexcept {
    return {grid.px(known[v].cell) - 64, grid.py(known[v].cell) - 64};
  }
  const LiveLabel* begin_of(uint32_t v) const noexcept { return known[v].first; }
  const LiveLabel* end_of(uint32_t v) const noexcept { return known[v].first + known[v].count; }
  size_t bytes() const noexcept;
};

// The writer's side.
class LiveLabels {
 public:
  ~LiveLabels() {
    for (const LabelPage* p : page_) drop(p);
    for (const NodePage* p : nodes_) drop(p);
    octile::drop(tiles_);
  }
  LiveLabels() noexcept = default;
  LiveLabels(const LiveLabels&) = delete;
  LiveLabels& operator=(const LiveLabels&) = delete;

  // Takes over subgoal labels that were built for `layer`. False, here and below: memory is short,
  // and the object of no use any more.
  bool begin(const Index::Impl& index, const Layer& layer) noexcept;
  // Follows edits within `dirty` that led to this layer. `may_wait`: a repair that takes long is
  // left to rebuild(), which then must come before anything else.
  bool update(const Layer& now, const Buffer<DirtyTile>& dirty, bool may_wait = false) noexcept;
  bool waits() const noexcept { return waits_; }
  // The present state, as an index for readers; it shares what did not change with the last one.
  // Null in *out when the sums may not do for the paths of this world any more, and when the labels
  // were given up: the object is then of no use.
  bool publish(const WorldView& world, const Index::Impl** out) noexcept;
  // Labels all vertices anew, in the same order; what is left of that after an update that waits.
  // This and update() may be done on any thread while nobody else has the object.
  bool rebuild() noexcept;
  // A raised flag ends them as if memory were short.
  void stop_by(const std::atomic<bool>* flag) noexcept { stop_ = flag; }

  uint32_t vertices() const noexcept { return static_cast<uint32_t>(place_.size()); }
  uint64_t entries() const noexcept { return entries_; }
  uint32_t longest() const noexcept { return longest_; }  // distance of any entry so far
  IndexSteps steps() const noexcept { return steps_; }
  // For tests.
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t given_up_at() const noexcept { return from_; }  // a hub of the last update(), or kNone
  const ListPool<uint32_t>& edges() const noexcept { return edges_; }
  const ListPool<LiveEntry>& labels() const noexcept { return labels_; }
  Point place(uint32_t vertex) const noexcept { return place_[vertex]; }

 private:
  static constexpr uint64_t kMostGrowth = 4, kMostEntries = 64;
  static constexpr uint32_t kMostVertices = 1u << 24;
  struct Note {  // of a hub: a broken entry, or a seed
    uint32_t vertex, via, next;
  };
  struct Todo {
    uint32_t broken = kNone, seeds = kNone;  // notes
    bool queued = false, whole = false;
  };
  struct Reach {
    uint32_t distance, vertex, parent;
    bool operator<(const Reach& o) const noexcept {
      return distance != o.distance ? distance > o.distance : vertex > o.vertex;
    }
  };
  struct Touch {                   // by vertex
    uint32_t stamp = 0, old = 0;   // of the hub whose tree changed here; the distance before
    uint32_t round = 0, best = 0;  // of the flood that came here; the shortest way so far
    uint32_t node = kNone;         // of the entry that was erased
    bool gone = false;
  };
  struct Link {
    uint32_t from, to;
  };
  struct Arc {
    uint32_t to, length;
  };

  bool stopped() const noexcept { return stop_ && stop_->load(std::memory_order_relaxed); }
  bool too_many() const noexcept {
    return entries_ > kMostGrowth * built_ && entries_ > kMostEntries * vertices();
  }
  size_t cell(Point p) const noexcept { return size_t{p.y + 1} * stride_ + (p.x + 1); }
  CellId id_of(uint32_t vertex) const noexcept {
    return grid_.id(place_[vertex].x + 64, place_[vertex].y + 64);
  }
  uint32_t weight(uint32_t a, uint32_t b) const noexcept {
    return steps_.line(place_[a], place_[b]);
  }
  const LiveEntry* entry_of(uint32_t vertex, uint32_t hub) const noexcept {
    return find_entry(labels_.begin_of(vertex), labels_.end_of(vertex), hub);
  }
  bool fill(LiveState* out) noexcept;
  uint64_t patience(uint32_t hub, bool may_wait) const noexcept;
  bool dear() const noexcept { return work_ > most_; }
  bool give_up(uint32_t hub, bool may_wait) noexcept;
  bool label_from(uint32_t hub) noexcept;
  template <class Queue>
  bool label_rest(uint32_t from, const Buffer<uint32_t>& first, const Buffer<Arc>& arcs,
                  uint32_t shift, Queue& open) noexcept;
  bool find_changes(const Layer& now, const Buffer<DirtyTile>& dirty) noexcept;
  bool apply_changes(const Layer& now) noexcept;
  bool mark_seen() noexcept;
  void tile_changed(Point p) noexcept {
    tile_changed_[LiveTiles::group_of(p, (corners_.width + 63) / 64)] |= uint64_t{1}
                                                                         << LiveTiles::tile_of(p);
  }
  bool add_dirty(Point p) noexcept;
  bool renew_edges() noexcept;
  bool repair(bool may_wait) noexcept;
  bool renew_pages() noexcept;
  bool repair_hub(uint32_t hub, bool* grown) noexcept;
  bool collect(uint32_t hub, uint32_t vertex, const LiveEntry* entry) noexcept;
  bool flood(uint32_t hub, bool* useless) noexcept;
  bool spread(uint32_t hub) noexcept;
  bool shorter(uint32_t hub, uint32_t vertex, uint32_t distance) noexcept;
  bool set_entry(uint32_t vertex, uint32_t at, const LiveEntry& entry) noexcept;
  void drop_entry(uint32_t vertex, uint32_t hub) noexcept;
  bool free_nodes_of_gone() noexcept;
  bool new_node(uint32_t* node) noexcept;
  bool set_node(uint32_t node, LiveNode to) noexcept;
  uint32_t parent_node(const LiveEntry* entry, uint32_t vertex) const noexcept;
  bool note(uint32_t* head, uint32_t hub, uint32_t vertex, uint32_t via) noexcept;
  bool enqueue(uint32_t hub) noexcept;
  bool push(const Reach& reach) noexcept;
  Touch& touch(uint32_t vertex, const LiveEntry* e, bool* fits) noexcept;
  bool label_changed(uint32_t vertex) noexcept;

  IndexSteps steps_;
  TileGrid grid_;
  CornerBits corners_;
  size_t stride_ = 0;
  Buffer<uint32_t> number_;  // by cell, with a ring: its vertex + 1, also of one that is gone
  Buffer<Point> place_;      // by vertex
  Buffer<uint32_t> rank_, vertex_of_;
  ListPool<uint32_t> edges_;
  ListPool<LiveEntry> labels_;
  uint32_t node_count_ = 0;  // numbers in use, and those that are free
  Buffer<uint32_t> free_nodes_;
  uint64_t entries_ = 0, work_ = 0;
  Buffer<uint64_t> before_;  // by rank: work of labelling all before it anew
  uint64_t anew_ = 0;        // all of that work
  uint64_t most_ = 0;        // a repair with more is given up
  uint32_t from_ = kNone;    // where it was: the first hub that is labelled anew
  uint64_t built_ = 0;       // entries of the index that they began with
  bool given_up_ = false, waits_ = false;
  const std::atomic<bool>* stop_ = nullptr;
  uint32_t longest_ = 0;

  // Of the update at hand.
  Buffer<Point> changed_;  // cells that became passable, wall, subgoal, or no subgoal
  LookBack look_back_;
  Buffer<uint32_t> dirty_;  // vertices whose edges may have changed
  Buffer<uint8_t> is_dirty_;
  Buffer<uint32_t> reach_, gone_reach_;
  Buffer<Link> removed_, added_;
  Buffer<Todo> todo_;  // by rank
  Buffer<Note> notes_;
  Buffer<uint32_t> queue_;  // a heap of ranks
  // Of the hub at hand.
  Buffer<uint32_t> to_hub_;  // by rank
  Buffer<Touch> touch_;
  uint32_t stamp_ = 0, round_ = 0;
  Buffer<uint32_t> touched_, stack_;
  Buffer<Reach> open_;

  // Of the last state that was published.
  Buffer<const LabelPage*> page_;
  Buffer<LiveVertex> known_;
  Buffer<uint32_t> made_;
  Buffer<NodePage*> nodes_;
  Buffer<uint32_t> nodes_made_;  // by page of them: the state that made it
  const LiveTiles* tiles_ = nullptr;
  uint32_t state_ = 0;
  // What changed since.
  Buffer<uint8_t> stale_page_;
  Buffer<uint64_t> tile_changed_;  // by group of tiles, see live_tiles.hpp
};

}  // namespace octile
