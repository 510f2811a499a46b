// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/live_labels.hpp"

#include <bit>
#include <functional>
#include <new>
#include <utility>

#include "search/open_list.hpp"

namespace octile {

namespace {

// Where more than one cell of so many changed, everything is labelled anew.
constexpr size_t kWorthRepair = 20;
// Work is counted in entries looked at one after another. As many of these take as long as what
// else is done at a vertex of a tree, and as finding an entry in a list.
constexpr uint64_t kVisit = 12, kSearch = 6;

uint32_t code(const LayerTile& tile, uint32_t cell) noexcept {
  if (!(tile.row[cell >> 6] >> (cell & 63) & 1)) return 0;
  return is_corner(tile.moves[cell]) ? 2 : 1;
}

}  // namespace

size_t LiveState::bytes() const noexcept {
  size_t sum = corners.bits.bytes() + row.bytes() + column.bytes() + vertex.bytes() + page.bytes() +
               made.bytes() + known.bytes() + nodes.bytes() + nodes.size() * sizeof(NodePage);
  for (const LabelPage* p : page) sum += p->bytes();
  return sum;
}

bool LiveLabels::begin(const Index::Impl& index, const Layer& layer) noexcept {
  const uint32_t n = index.info.subgoals;
  given_up_ = n > kMostVertices;
  if (given_up_) return true;
  steps_ = index.steps;
  grid_ = layer.grid;
  if (!corners_.build(layer)) return false;
  stride_ = size_t{corners_.width} + 2;
  const size_t cells = stride_ * (size_t{corners_.height} + 2);
  if (!number_.assign(cells, 0) || !place_.resize(n) || !rank_.resize(n) || !vertex_of_.resize(n) ||
      !before_.resize(n) || !edges_.begin(n) || !labels_.begin(n) || !is_dirty_.assign(n, 0) ||
      !todo_.assign(n, {}) || !to_hub_.assign(n, kFar) || !touch_.assign(n, Touch{}) ||
      !tile_changed_.assign(size_t{(corners_.width + 63) / 64} * ((corners_.height + 63) / 64), 0))
    return false;
  uint32_t rank = 0;
  for (uint32_t i = 0; i < index.info.entries; ++i) {
    const HubLabels::TreeNode& node = index.label_tree[i];
    if (node.parent != i) continue;
    rank_[node.vertex] = rank;
    before_[rank] = 2 * kVisit * i;  // until it is known
    vertex_of_[rank++] = node.vertex;
  }
  Buffer<LiveEntry> list;
  for (uint32_t v = 0; v < n; ++v) {
    place_[v] = index.place(v);
    number_[cell(place_[v])] = v + 1;
    const uint32_t first = index.edge_first[v];
    if (!edges_.assign(v, index.edge_target + first, index.edge_first[v + 1] - first)) return false;
    list.clear();
    for (uint32_t e = index.label_first[v]; e < index.label_first[v + 1]; ++e) {
      const HubLabels::Entry& entry = index.label_entries[e];
      const uint32_t parent = index.label_tree[index.label_tree[entry.node].parent].vertex;
      if (!list.push({entry.hub, entry.distance, parent, entry.node}) ||
          !set_node(entry.node, {index.label_tree[entry.node].parent, id_of(v)}))
        return false;
      longest_ = std::max(longest_, entry.distance);
    }
    if (!labels_.assign(v, list.data(), static_cast<uint32_t>(list.size()))) return false;
  }
  entries_ = built_ = index.info.entries;
  node_count_ = static_cast<uint32_t>(entries_);  // entries are told by 32 bits
  anew_ = 2 * kVisit * entries_;
  return true;
}

// ---------------------------------------------------------------------------------------------
// The graph

bool LiveLabels::update(const Layer& now, const Buffer<DirtyTile>& dirty, bool may_wait) noexcept {
  work_ = 0;
  from_ = kNone;
  if (given_up_) return true;
  if (!find_changes(now, dirty)) return false;
  if (changed_.empty()) return true;
  given_up_ = vertices() + changed_.size() > kMostVertices;
  if (given_up_) return true;
  dirty_.clear();
  const bool all = changed_.size() > size_t{corners_.width} * corners_.height / kWorthRepair;
  if (all)
    for (uint64_t& tiles : tile_changed_) tiles = UINT64_MAX;
  if (!all && !mark_seen()) return false;
  if (!apply_changes(now)) return false;
  if (all) {
    for (uint32_t v = 0; v < vertices(); ++v)
      if (!add_dirty(place_[v])) return false;
  } else if (!mark_seen()) {
    return false;
  }
  removed_.clear();
  added_.clear();
  if (!renew_edges()) return false;
  return all ? give_up(0, may_wait) : repair(may_wait);
}

// The cells that are not what they were; a cell that was edited can make its neighbours subgoals.
bool LiveLabels::find_changes(const Layer& now, const Buffer<DirtyTile>& dirty) noexcept {
  changed_.clear();
  const TileGrid& grid = now.grid;
  for (const DirtyTile& d : dirty) {
    const uint32_t left = grid.px(d.tile << 12) - 64, top = grid.py(d.tile << 12) - 64;
    for (uint32_t y = top + d.y0 - 1; y != top + d.y1 + 2; ++y) {
      if (y >= corners_.height) continue;
      for (uint32_t x = left + d.x0 - 1; x != left + d.x1 + 2; ++x) {
        if (x >= corners_.width) continue;
        const Point p{x, y};
        const CellId id = grid.id(x + 64, y + 64);
        const uint32_t is = code(*now.tiles.at(id >> 12), id & 4095);
        const uint32_t had = corners_.corner(p) ? 2 : corners_.passable(p) ? 1 : 0;
        if (is != had && !changed_.push(p)) return false;
      }
    }
  }
  return true;
}

bool LiveLabels::apply_changes(const Layer& now) noexcept {
  for (const Point p : changed_) {
    tile_changed(p);
    const CellId id = now.grid.id(p.x + 64, p.y + 64);
    const uint32_t is = code(*now.tiles.at(id >> 12), id & 4095);
    corners_.set(p, is != 1, is == 2);
    if (is != 2 || number_[cell(p)] != 0) {
      // A subgoal that is gone, or one that came back: its edges are looked at.
      if (number_[cell(p)] != 0 && !add_dirty(p)) return false;
      continue;
    }
    const uint32_t v = vertices(), rank = v;
    uint32_t node;
    if (!new_node(&node) || !place_.push(p) || !rank_.push(rank) || !vertex_of_.push(v) ||
        !edges_.add_list() || !labels_.add_list() || !is_dirty_.push(0) || !todo_.push({}) ||
        !to_hub_.push(kFar) || !touch_.push({}) || !labels_.insert(v, 0, {rank, 0, v, node}) ||
        !set_node(node, {node, id_of(v)}))
      return false;
    ++entries_;
    number_[cell(p)] = v + 1;
    if (!add_dirty(p) || !label_changed(v)) return false;
  }
  return true;
}

bool LiveLabels::add_dirty(Point p) noexcept {
  const uint32_t v = number_[cell(p)] - 1;
  if (is_dirty_[v]) return true;
  is_dirty_[v] = 1;
  return dirty_.push(v);
}

// The subgoals whose scans (direct_reach) come by a changed cell, as the map is now, and the tiles
// of all cells whose scans do.
bool LiveLabels::mark_seen() noexcept {
  if (!look_back_.find(corners_, changed_)) return false;
  const CellLines& seen = look_back_.seen();
  for (uint32_t line = seen.top(); line < seen.end(); ++line) {
    const CellLines::Span span = seen.span(line);
    for (uint32_t w = span.first; w < span.end; ++w) {
      // Bit x + 1 of line y + 1: the lowest one may be of the tile before.
      const uint64_t cells = seen.word(line, w);
      for (uint64_t eight = cells >> 1, x = 64 * uint64_t{w}; eight; eight >>= 8, x += 8)
        if (eight & 255) tile_changed({static_cast<uint32_t>(x), line - 1});
      if (cells & 1) tile_changed({64 * w - 1, line - 1});
      const size_t at = size_t{line} * corners_.row_words + w;
      for (uint64_t rest = cells & corners_.row_corner[at]; rest; rest &= rest - 1)
        if (!add_dirty({64 * w + static_cast<uint32_t>(__builtin_ctzll(rest)) - 1, line - 1}))
          return false;
    }
  }
  return true;
}

bool LiveLabels::renew_edges() noexcept {
  bool fits = true;
  for (const uint32_t v : dirty_) {
    is_dirty_[v] = 0;
    reach_.clear();
    if (corners_.corner(place_[v])) {
      direct_reach(corners_, place_[v], kAllDirections,
                   [&](Point p) { fits = fits && reach_.push(number_[cell(p)] - 1); });
      std::sort(reach_.begin(), reach_.end());
    }
    const uint32_t* old = edges_.begin_of(v);
    const uint32_t* const old_end = edges_.end_of(v);
    for (const uint32_t u : reach_) {
      for (; old != old_end && *old < u; ++old) fits = fits && removed_.push({v, *old});
      if (old != old_end && *old == u)
        ++old;
      else
        fits = fits && added_.push({v, u});
    }
    for (; old != old_end; ++old) fits = fits && removed_.push({v, *old});
    if (!fits || !edges_.assign(v, reach_.data(), static_cast<uint32_t>(reach_.size())))
      return false;
  }
  return true;
}

// ---------------------------------------------------------------------------------------------
// The labels

bool LiveLabels::enqueue(uint32_t hub) noexcept {
  if (todo_[hub].queued) return true;
  todo_[hub].queued = true;
  if (!queue_.push(hub)) return false;
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  return true;
}

bool LiveLabels::note(uint32_t* head, uint32_t hub, uint32_t vertex, uint32_t via) noexcept {
  const auto at = static_cast<uint32_t>(notes_.size());
  if (!notes_.push({vertex, via, *head})) return false;
  *head = at;
  return enqueue(hub);
}

bool LiveLabels::label_changed(uint32_t vertex) noexcept {
  const uint32_t page = vertex / LabelPage::kVertices;
  while (stale_page_.size() <= page)
    if (!stale_page_.push(1)) return false;
  stale_page_[page] = 1;
  return true;
}

bool LiveLabels::new_node(uint32_t* node) noexcept {
  if (free_nodes_.empty()) {
    *node = node_count_;
    return ++node_count_ != 0;
  }
  *node = free_nodes_.back();
  free_nodes_.pop();
  return true;
}

// Lists of neighbours are much alike: the parent's entry stands where this one does, or close by.
uint32_t LiveLabels::parent_node(const LiveEntry* entry, uint32_t vertex) const noexcept {
  const auto place = entry - labels_.begin_of(vertex);
  const LiveEntry* e =
      labels_.begin_of(entry->parent) + std::min<ptrdiff_t>(place, labels_.size(entry->parent) - 1);
  while (e->hub > entry->hub) --e;
  while (e->hub < entry->hub) ++e;
  return e->node;
}

// Pages of published states stay what they are.
bool LiveLabels::set_node(uint32_t node, LiveNode to) noexcept {
  const uint32_t i = node / NodePage::kNodes, at = node % NodePage::kNodes;
  while (nodes_.size() <= i)
    if (!nodes_made_.push(0) || !nodes_.push(nullptr)) return false;
  NodePage* const old = nodes_[i];
  if (old && old->node[at].parent == to.parent && old->node[at].cell == to.cell) return true;
  if (nodes_made_[i] != state_ + 1) {
    auto* page = old ? new (std::nothrow) NodePage(*old) : new (std::nothrow) NodePage;
    if (!page) return false;
    drop(old);
    nodes_[i] = page;
    nodes_made_[i] = state_ + 1;
  }
  nodes_[i]->node[at] = to;
  return true;
}

// `at`: where in its list the entry of a touched vertex stands, or should. The node is found for
// it: what comes back takes its own again, so that trees lie where they did.
bool LiveLabels::set_entry(uint32_t vertex, uint32_t at, const LiveEntry& entry) noexcept {
  longest_ = std::max(longest_, entry.distance);
  if (!label_changed(vertex)) return false;
  if (at < labels_.size(vertex) && labels_.begin_of(vertex)[at].hub == entry.hub) {
    LiveEntry& own = labels_.begin_of(vertex)[at];
    own.distance = entry.distance;
    own.parent = entry.parent;
  } else {
    ++entries_;
    uint32_t node = std::exchange(touch_[vertex].node, kNone);
    if ((node == kNone && !new_node(&node)) ||
        !labels_.insert(vertex, at, {entry.hub, entry.distance, entry.parent, node}))
      return false;
  }
  // The entry of the parent keeps its node as long as this one may stay.
  const LiveEntry* const own = labels_.begin_of(vertex) + at;
  return set_node(own->node, {parent_node(own, vertex), id_of(vertex)});
}

void LiveLabels::drop_entry(uint32_t vertex, uint32_t hub) noexcept {
  const LiveEntry* e = entry_of(vertex, hub);
  touch_[vertex].node = e->node;
  labels_.erase(vertex, static_cast<uint32_t>(e - labels_.begin_of(vertex)));
  --entries_;
}

// Nodes of entries that did not come back.
bool LiveLabels::free_nodes_of_gone() noexcept {
  for (const uint32_t v : touched_) {
    const uint32_t node = std::exchange(touch_[v].node, kNone);
    if (node != kNone && !free_nodes_.push(node)) return false;
  }
  return true;
}

// True when the labels from `hub` on upwards give a way from it to `vertex` that is not longer.
bool LiveLabels::shorter(uint32_t hub, uint32_t vertex, uint32_t distance) noexcept {
  const uint32_t root = vertex_of_[hub];
  const LiveEntry *a = labels_.begin_of(root), *a_end = labels_.end_of(root);
  const LiveEntry *b = labels_.begin_of(vertex), *b_end = labels_.end_of(vertex);
  const LiveEntry *const a_begin = a, *const b_begin = b;
  bool found = false;
  while (!found && a != a_end && b != b_end && a->hub <= hub) {
    if (a->hub == b->hub) {
      found = a->distance + b->distance <= distance;
      ++a, ++b;
    } else if (a->hub < b->hub) {
      ++a;
    } else {
      ++b;
    }
  }
  work_ += kSearch + static_cast<uint64_t>(a - a_begin + (b - b_begin)) / 4;
  return found;
}

// The most that a repair may take when `hub` is next. What is given up there is work and the hubs
// that are left, together hardly more than half as much again as labelling everything anew.
uint64_t LiveLabels::patience(uint32_t hub, bool may_wait) const noexcept {
  const uint64_t left = hub < before_.size() ? anew_ - before_[hub] : 0;
  return (12 * anew_ - 7 * left) / (may_wait ? 40 : 20);
}

// Labels hub by hub from this one on: those before it are as they should be.
bool LiveLabels::give_up(uint32_t hub, bool may_wait) noexcept {
  for (const uint32_t h : queue_) todo_[h] = {};
  from_ = hub;
  waits_ = may_wait;
  return waits_ || label_from(hub);
}

bool LiveLabels::repair(bool may_wait) noexcept {
  notes_.clear();
  queue_.clear();
  most_ = patience(0, may_wait);
  // 1. Entries that came over edges that are gone; who may gain by those that are new.
  for (const Link edge : removed_) {
    const LiveEntry* const end = labels_.end_of(edge.to);
    for (const LiveEntry* e = labels_.begin_of(edge.to); e != end; ++e)
      if (e->parent == edge.from && e->distance != 0 &&
          !note(&todo_[e->hub].broken, e->hub, edge.to, edge.from))
        return false;
  }
  for (const Link edge : added_) {
    if (dear()) return give_up(0, may_wait);
    const uint32_t length = weight(edge.from, edge.to);
    const LiveEntry* const end = labels_.end_of(edge.from);
    for (const LiveEntry* e = labels_.begin_of(edge.from); e != end; ++e)
      if (e->hub < rank_[edge.to] && !shorter(e->hub, edge.to, e->distance + length) &&
          !note(&todo_[e->hub].seeds, e->hub, edge.to, edge.from))
        return false;
  }
  // 2. Hub by hub; what one changes concerns later ones only.
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const uint32_t hub = queue_.back();
    queue_.pop();
    most_ = patience(hub, may_wait);
    bool grown = false;
    if (stopped() || (!dear() && !repair_hub(hub, &grown))) return false;
    if (!free_nodes_of_gone()) return false;
    todo_[hub] = {};
    if (dear()) return give_up(grown ? hub + 1 : hub, may_wait);
  }
  given_up_ = given_up_ || too_many();
  return true;
}

// Of a vertex whose entry for the hub at hand, `e` or none, is about to change.
LiveLabels::Touch& LiveLabels::touch(uint32_t vertex, const LiveEntry* e, bool* fits) noexcept {
  Touch& t = touch_[vertex];
  if (t.stamp != stamp_) {
    t.stamp = stamp_;
    t.old = e ? e->distance : kFar;
    t.gone = false;
    *fits = touched_.push(vertex) && *fits;
  }
  return t;
}

// A way to a vertex, unless there was one that is not longer.
bool LiveLabels::push(const Reach& reach) noexcept {
  Touch& t = touch_[reach.vertex];
  if (t.round == round_ && t.best <= reach.distance) return true;
  t.round = round_;
  t.best = reach.distance;
  labels_.prefetch(reach.vertex);
  if (!open_.push(reach)) return false;
  std::push_heap(open_.begin(), open_.end());
  return true;
}

// Erases the entry of a vertex for the hub, and all that came over it.
bool LiveLabels::collect(uint32_t hub, uint32_t vertex, const LiveEntry* entry) noexcept {
  bool fits = true;
  Touch& first = touch(vertex, entry, &fits);
  if (first.gone || !stack_.push(vertex)) return fits && first.gone;
  first.gone = true;
  while (!stack_.empty()) {
    const uint32_t v = stack_.back();
    stack_.pop();
    const uint32_t* const end = edges_.end_of(v);
    for (const uint32_t* u = edges_.begin_of(v); u != end; ++u) {
      if (rank_[*u] <= hub) continue;
      work_ += kSearch;
      const LiveEntry* e = entry_of(*u, hub);
      if (!e || e->parent != v) continue;
      Touch& t = touch(*u, e, &fits);
      if (t.gone) continue;
      t.gone = true;
      if (!stack_.push(*u)) return false;
    }
    drop_entry(v, hub);
    work_ += 2 * kVisit;
    if (!label_changed(v)) return false;
    if (dear()) stack_.clear();
  }
  return fits;
}

// A pruned Dijkstra from what is open. `*useless` when an entry is longer than the ways over hubs
// before.
bool LiveLabels::flood(uint32_t hub, bool* useless) noexcept {
  bool fits = true;
  *useless = false;
  while (fits && !open_.empty() && !dear()) {
    std::pop_heap(open_.begin(), open_.end());
    const Reach r = open_.back();
    open_.pop();
    // What comes next is fetched while this one is worked at.
    if (!open_.empty()) __builtin_prefetch(labels_.begin_of(open_[0].vertex));
    if (touch_[r.vertex].best != r.distance) continue;
    const LiveEntry* const begin = labels_.begin_of(r.vertex);
    const LiveEntry* const end = labels_.end_of(r.vertex);
    const LiveEntry* const place = entry_from(hub, begin, end);
    const LiveEntry* const own = place != end && place->hub == hub ? place : nullptr;
    work_ += kSearch;
    if (own && own->distance <= r.distance) continue;
    const LiveEntry* e = begin;
    while (e != place && to_hub_[e->hub] + e->distance > r.distance) ++e;
    work_ += kVisit + static_cast<uint64_t>(e - begin);
    if (e != place) {
      *useless = *useless || own;
      continue;
    }
    touch(r.vertex, own, &fits);
    fits =
        set_entry(r.vertex, static_cast<uint32_t>(place - begin), {hub, r.distance, r.parent, 0}) &&
        fits;
    const uint32_t* const last = edges_.end_of(r.vertex);
    for (const uint32_t* u = edges_.begin_of(r.vertex); u != last; ++u) {
      if (rank_[*u] <= hub) continue;
      ++work_;
      fits = push({r.distance + weight(r.vertex, *u), *u, r.vertex}) && fits;
    }
  }
  return fits;
}

// The tree of a hub, unless that is too dear.
bool LiveLabels::repair_hub(uint32_t hub, bool* grown) noexcept {
  const uint32_t root = vertex_of_[hub];
  stamp_ += 2;
  if (stamp_ == 0) {
    for (Touch& t : touch_) t.stamp = t.round = 0;
    stamp_ = 2;
  }
  touched_.clear();
  open_.clear();
  bool useless = true;
  for (bool whole = todo_[hub].whole; useless; whole = true) {
    round_ = stamp_ | whole;
    // 1. What is broken goes; or everything.
    for (uint32_t i = todo_[hub].broken; i != kNone && !dear(); i = notes_[i].next) {
      const LiveEntry* e = entry_of(notes_[i].vertex, hub);
      if (e && e->parent == notes_[i].via && !collect(hub, notes_[i].vertex, e)) return false;
    }
    if (whole) {
      const uint32_t* const end = edges_.end_of(root);
      for (const uint32_t* u = edges_.begin_of(root); u != end; ++u) {
        const LiveEntry* e = entry_of(*u, hub);
        if (e && rank_[*u] > hub && e->parent == root && !collect(hub, *u, e)) return false;
      }
    }
    if (dear()) return true;
    // 2. Where the flood begins.
    const auto offer = [&](uint32_t vertex, uint32_t via) {
      work_ += kSearch;
      const LiveEntry* e = entry_of(via, hub);
      if (!e || rank_[vertex] <= hub) return true;
      return push({e->distance + weight(via, vertex), vertex, via});
    };
    if (whole) {
      const uint32_t* const end = edges_.end_of(root);
      for (const uint32_t* u = edges_.begin_of(root); u != end; ++u)
        if (!offer(*u, root)) return false;
    } else {
      const size_t gone = touched_.size();
      for (size_t i = 0; i < gone; ++i) {
        const uint32_t v = touched_[i];
        const uint32_t* const end = edges_.end_of(v);
        for (const uint32_t* u = edges_.begin_of(v); u != end; ++u)
          if (!offer(v, *u)) return false;
      }
      for (uint32_t i = todo_[hub].seeds; i != kNone; i = notes_[i].next) {
        const auto [v, via, next] = notes_[i];
        const uint32_t *edge = edges_.begin_of(v), *const end = edges_.end_of(v);
        if (std::binary_search(edge, end, via) && !offer(v, via)) return false;
      }
    }
    // 3. The tree.
    for (const LiveEntry* e = labels_.begin_of(root); e->hub != hub; ++e)
      to_hub_[e->hub] = e->distance;
    const bool fits = flood(hub, &useless);
    for (const LiveEntry* e = labels_.begin_of(root); e->hub != hub; ++e) to_hub_[e->hub] = kFar;
    if (!fits || dear()) return fits;
    if (useless)
      for (const uint32_t v : touched_) touch_[v].gone = false;
  }
  *grown = true;
  return spread(hub);
}

// What the changes of one tree mean for hubs after it.
bool LiveLabels::spread(uint32_t hub) noexcept {
  const uint32_t root = vertex_of_[hub];
  for (const uint32_t v : touched_) {
    if (dear()) return true;
    const LiveEntry* e = entry_of(v, hub);
    const uint32_t old = touch_[v].old, now = e ? e->distance : kFar;
    if (now == old || v == root) continue;
    todo_[rank_[v]].whole = true;
    if (!enqueue(rank_[v])) return false;
    if (now > old) {
      const uint32_t* const end = edges_.end_of(v);
      for (const uint32_t* u = edges_.begin_of(v); u != end; ++u) {
        const uint32_t length = weight(*u, v);
        const LiveEntry* const last = labels_.end_of(*u);
        work_ += labels_.size(*u) / 4;
        for (const LiveEntry* f = labels_.begin_of(*u); f != last; ++f) {
          if (f->hub <= hub || todo_[f->hub].whole || f->hub >= rank_[v]) continue;
          if (!shorter(f->hub, v, f->distance + length) &&
              !note(&todo_[f->hub].seeds, f->hub, v, *u))
            return false;
        }
      }
    } else {
      const LiveEntry* const last = labels_.end_of(v);
      for (const LiveEntry* f = labels_.begin_of(v); f != last; ++f) {
        if (f->hub <= hub || todo_[f->hub].whole) continue;
        work_ += kSearch;
        const LiveEntry* g = entry_of(vertex_of_[f->hub], hub);
        if (!g || g->distance + now >= f->distance) continue;
        todo_[f->hub].whole = true;
        if (!enqueue(f->hub)) return false;
      }
    }
  }
  return true;
}

bool LiveLabels::rebuild() noexcept {
  return label_from(waits_ ? from_ : 0);
}

bool LiveLabels::label_from(uint32_t hub) noexcept {
  waits_ = false;
  notes_.clear();
  queue_.clear();
  const uint32_t n = vertices();
  // The edges with their lengths, side by side.
  Buffer<uint32_t> first;
  Buffer<Arc> arcs;
  if (!first.resize(n + 1)) return false;
  uint32_t longest_edge = 0;
  entries_ = 0;
  // Numbers of nodes that are free, a bit each.
  Buffer<uint64_t> unused;
  const auto set_free = [&](uint32_t node) { unused[node >> 6] |= uint64_t{1} << (node & 63); };
  if (hub == 0) node_count_ = 0;
  if (!unused.assign(node_count_ / 64 + 1, 0)) return false;
  if (hub != 0)
    for (const uint32_t node : free_nodes_) set_free(node);
  free_nodes_.clear();
  if (n > 0 && !label_changed(n - 1)) return false;  // the last page: there is a mark for each
  for (uint32_t v = 0; v < n; ++v) {
    first[v] = static_cast<uint32_t>(arcs.size());
    for (const uint32_t* u = edges_.begin_of(v); u != edges_.end_of(v); ++u) {
      const uint32_t length = weight(v, *u);
      if (!arcs.push({*u, length})) return false;
      longest_edge = std::max(longest_edge, length);
    }
    const LiveEntry *const begin = labels_.begin_of(v), *const end = labels_.end_of(v);
    const LiveEntry* const kept = hub == 0 ? begin : entry_from(hub, begin, end);
    for (const LiveEntry* e = kept; hub != 0 && e != end; ++e) set_free(e->node);
    labels_.cut(v, static_cast<uint32_t>(kept - begin));
    entries_ += labels_.size(v);
    if (kept != end && !label_changed(v)) return false;
  }
  first[n] = static_cast<uint32_t>(arcs.size());
  // The least is taken first: trees lie together again, as far as there is room.
  for (size_t w = unused.size(); w-- > 0;)
    for (uint64_t bits = unused[w]; bits != 0;) {
      const auto bit = static_cast<uint32_t>(63 - std::countl_zero(bits));
      bits &= ~(uint64_t{1} << bit);
      if (!free_nodes_.push(static_cast<uint32_t>(w << 6 | bit))) return false;
    }
  // No bucket is wider than an edge is long, so the distance of what comes out of it is final.
  const uint32_t shift = static_cast<uint32_t>(std::bit_width(steps_.straight)) - 1;
  Buckets<Reach> near;
  if ((longest_edge >> shift) + 1 < near.kReach) return label_rest(hub, first, arcs, shift, near);
  Buckets<Reach, 1u << 18> far;
  return label_rest(hub, first, arcs, shift, far);
}

// As HubLabels does: entries come in the order of hubs, so that nothing has to be looked up. What
// the hubs before `from` left is there.
template <class Queue>
bool LiveLabels::label_rest(uint32_t from, const Buffer<uint32_t>& first, const Buffer<Arc>& arcs,
                            uint32_t shift, Queue& open) noexcept {
  const uint32_t n = vertices();
  Buffer<Reach> mark;  // by vertex; of hubs 0, so that nobody comes back to them
  if (!mark.assign(n, {kFar, 0, 0}) || !touched_.reserve(n)) return false;
  for (uint32_t hub = 0; hub < from; ++hub) mark[vertex_of_[hub]].distance = 0;
  while (before_.size() < n)
    if (!before_.push(anew_)) return false;
  work_ = from < n ? before_[from] : anew_;
  for (uint32_t hub = from; hub < n; ++hub) {
    before_[hub] = work_;
    if (too_many()) {
      given_up_ = true;
      return true;
    }
    if (stopped()) return false;
    const uint32_t root = vertex_of_[hub];
    for (const LiveEntry* e = labels_.begin_of(root); e != labels_.end_of(root); ++e)
      to_hub_[e->hub] = e->distance;
    touched_.clear();
    touched_.push(root);  // reserved, here and below
    mark[root] = {0, root, root};
    bool fits = open.begin(shift) && open.push(0, 0, mark[root]);
    Reach top;
    while (fits && open.pop(UINT64_MAX, &top)) {
      // What comes next is fetched while this one is worked at.
      if (const Reach* next = open.peek()) __builtin_prefetch(labels_.begin_of(next->vertex));
      if (top.distance != mark[top.vertex].distance) continue;
      const LiveEntry *const begin = labels_.begin_of(top.vertex), *e = begin;
      const LiveEntry* const end = labels_.end_of(top.vertex);
      while (e != end && to_hub_[e->hub] + e->distance > top.distance) ++e;
      work_ += kVisit + static_cast<uint64_t>(e - begin);
      if (e != end) continue;
      stale_page_[top.vertex / LabelPage::kVertices] = 1;
      uint32_t node;
      fits = new_node(&node) && labels_.push(top.vertex, {hub, top.distance, top.parent, node}) &&
             set_node(node, {labels_.end_of(top.parent)[-1].node, id_of(top.vertex)});
      longest_ = std::max(longest_, top.distance);
      ++entries_;
      for (uint32_t a = first[top.vertex]; a != first[top.vertex + 1]; ++a) {
        const Reach to{top.distance + arcs[a].length, arcs[a].to, top.vertex};
        Reach& best = mark[to.vertex];
        if (to.distance >= best.distance) continue;
        if (best.distance == kFar) touched_.push(to.vertex);
        best = to;
        fits = open.push(to.distance, 0, to) && fits;
        labels_.prefetch(to.vertex);
      }
    }
    for (const uint32_t v : touched_) mark[v].distance = kFar;
    mark[root].distance = 0;
    for (const LiveEntry* e = labels_.begin_of(root); e != labels_.end_of(root); ++e)
      to_hub_[e->hub] = kFar;
    if (!fits) return false;
  }
  anew_ = work_;
  return renew_pages();
}

// ---------------------------------------------------------------------------------------------
// For readers

bool LiveLabels::publish(const WorldView& world, const Index::Impl** out) noexcept {
  *out = nullptr;
  if (given_up_ || !exact_up_to(world, steps_, longest_)) return true;
  auto* index = new (std::nothrow) Index::Impl;
  auto* state = new (std::nothrow) LiveState;
  if (index) index->live = state;
  if (!index || !state || !fill(state)) {
    if (!index) delete state;
    drop(index);
    return false;
  }
  index->steps = steps_;
  index->info.kind = IndexKind::subgoal_labels;
  index->info.bytes = state->bytes();
  index->info.width = world.layer.grid.width;
  index->info.height = world.layer.grid.height;
  index->info.fingerprint = fingerprint(world);
  index->info.subgoals = static_cast<uint32_t>(state->vertex.size());
  index->info.hubs = vertices();
  index->info.entries = entries_;
  *out = index;
  return true;
}

// Of vertices whose labels changed.
bool LiveLabels::renew_pages() noexcept {
  const uint32_t n = vertices();
  const uint32_t pages = (n + LabelPage::kVertices - 1) / LabelPage::kVertices;
  while (page_.size() < pages)
    if (!page_.push(nullptr)) return false;
  if (n > 0 && stale_page_.size() < pages && !label_changed(n - 1)) return false;
  if (!made_.resize(pages) || !known_.resize(n)) return false;
  for (uint32_t i = 0; i < pages; ++i) {
    if (page_[i] && !stale_page_[i]) continue;
    const uint32_t from = i * LabelPage::kVertices;
    const uint32_t end = std::min(from + LabelPage::kVertices, n);
    uint32_t count = 0;
    for (uint32_t v = from; v < end; ++v) count += labels_.size(v);
    auto* page = new (count) LabelPage;
    if (!page) return false;
    page->count = count;
    drop(page_[i]);
    page_[i] = page;
    LiveLabel* out = page->entries();
    for (uint32_t v = from; v < end; ++v) {
      known_[v] = {out, labels_.size(v), id_of(v)};
      for (const LiveEntry* e = labels_.begin_of(v); e != labels_.end_of(v); ++e, ++out)
        *out = {e->hub, e->distance, e->node};
    }
    made_[i] = state_ + 1;
    stale_page_[i] = 0;
  }
  for (; nodes_.size() * NodePage::kNodes >= node_count_ + size_t{NodePage::kNodes};
       nodes_.pop(), nodes_made_.pop())
    drop(nodes_.back());
  return true;
}

bool LiveLabels::fill(LiveState* out) noexcept {
  // 1. The labels.
  if (!renew_pages()) return false;
  ++state_;
  const size_t pages = page_.size();
  if (!out->page.reserve(pages) || !out->known.resize(known_.size())) return false;
  std::copy_n(known_.begin(), known_.size(), out->known.begin());
  for (const LabelPage* page : page_) {
    page->take();
    out->page.push(page);  // reserved
  }
  if (!out->nodes.reserve(nodes_.size())) return false;
  for (const NodePage* page : nodes_) {
    if (page) page->take();  // none where all numbers are free
    out->nodes.push(page);   // reserved
  }
  // 2. What is lifted of the last state.
  out->number_of_state = state_;
  out->steps = steps_;
  out->grid = grid_;
  auto* tiles = new (std::nothrow) LiveTiles;
  if (!tiles || !tiles->begin(corners_.width, corners_.height, tiles_, tile_changed_.data()) ||
      !out->made.resize(pages)) {
    drop(tiles);
    return false;
  }
  std::copy_n(made_.begin(), pages, out->made.begin());
  drop(tiles_);
  tiles_ = out->tiles = tiles;
  tiles_->take();
  for (uint64_t& changed : tile_changed_) changed = 0;
  // 3. The subgoals in the order of rows.
  if (!out->corners.copy(corners_) || !out->row.resize(corners_.height + 1)) return false;
  for (uint32_t y = 0; y < corners_.height; ++y) {
    out->row[y] = static_cast<uint32_t>(out->vertex.size());
    bool fits = true;
    corners_.each_corner(y, [&](uint32_t x) {
      fits = fits && out->column.push(x) && out->vertex.push(number_[cell({x, y})] - 1);
    });
    if (!fits) return false;
  }
  out->row[corners_.height] = static_cast<uint32_t>(out->vertex.size());
  return true;
}

}  // namespace octile
