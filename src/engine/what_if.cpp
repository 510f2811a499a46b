// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Would walls on these cells cut off what is connected? A way through the places that they take
// away enters them from one neighbour and leaves by another, so all that matters is whether the
// neighbours still reach each other. They are the sides of a search that grows from all of them in
// turn, a place each: sides that meet become one, a side with nothing left to look at is closed,
// and where only one is left that can grow, the answer is known. Round a single wall in the open
// that takes some ten places; a closed pocket takes about twice its size.

#include "engine/searcher.hpp"
#include "world/map.hpp"

namespace octile {

namespace {

constexpr uint32_t kNothing = 0xffffffff;

class Parting {
 public:
  Parting(Searcher::Impl& s, const WorldView& world) noexcept
      : world_(world),
        layer_(s.overlay.layer()),
        patch_(s.overlay.patch()),
        nodes_(s.work.nodes),
        room_(s.what_if) {
    // Without corner cutting, and with one free side, a diagonal step connects nothing that
    // straight steps do not.
    const Profile& p = world.profile;
    const bool eight = p.diagonal == Diagonal::always && !four_way(p.moves, p.diagonal);
    moves_ = eight ? 0xff : kStraightMoves;
  }

  // `cares(component)` tells whose parting is of interest; with `any`, it ends as soon as something
  // is parted. False: memory is short.
  template <class Cares>
  bool run(Cares cares, bool any) noexcept {
    room_.sides.clear();
    room_.waiting.clear();
    room_.live.clear();
    if (!nodes_.begin(layer_.grid.tiles)) return false;
    bool fits = true;
    uint32_t last = View::kNoComponent;
    bool wanted = false;
    patch_.each_taken([&](CellId id) {
      const uint32_t component = world_.components.of(id);
      if (component != last) wanted = cares(last = component);
      fits = fits && (!wanted || add_neighbours(id, component));
    });
    if (!fits || !count_live()) return false;
    while (!room_.live.empty()) {
      for (size_t i = 0; i < room_.live.size();) {
        const uint32_t side = room_.live[i];
        if (root(side) != side || room_.sides[side].closed || alone(side)) {
          room_.live[i] = room_.live.back();
          room_.live.pop();
          continue;
        }
        if (!grow_one(side)) return false;
        if (any && parted_) return true;
        ++i;
      }
    }
    return true;
  }
  // Some side was closed before it met the others of its component.
  bool parted() const noexcept { return parted_; }

  // After run(): whether two places that are connected in the View still are.
  bool connected(CellId a, CellId b) noexcept {
    return layer_.passable(a) && layer_.passable(b) && closed_side(a) == closed_side(b);
  }

 private:
  using Side = WhatIfRoom::Side;

  uint32_t root(uint32_t i) noexcept {
    Buffer<Side>& sides = room_.sides;
    while (sides[i].parent != i) i = sides[i].parent = sides[sides[i].parent].parent;
    return i;
  }

  bool add_neighbours(CellId id, uint32_t component) noexcept {
    for (uint32_t moves = world_.layer.moves(id) & moves_; moves; moves &= moves - 1) {
      const CellId to = id + static_cast<uint32_t>(layer_.steps.of(id)[__builtin_ctz(moves)]);
      if (!layer_.passable(to)) continue;
      Node* node = nodes_.reach(to);
      if (!node) return false;
      if (!nodes_.fresh(*node)) continue;
      const auto side = static_cast<uint32_t>(room_.sides.size());
      const auto at = static_cast<uint32_t>(room_.waiting.size());
      nodes_.open(*node, 0, side);
      if (!room_.sides.push({side, at, at, component, false}) ||
          !room_.waiting.push({to, kNothing}))
        return false;
    }
    return true;
  }
  bool count_live() noexcept {
    for (uint32_t i = 0; i < room_.sides.size(); ++i)
      if (!room_.live.push(i)) return false;
    return true;
  }

  // No other side of its component can still grow or be met.
  bool alone(uint32_t side) noexcept {
    for (const uint32_t other : room_.live)
      if (other != side && root(other) != side && !room_.sides[root(other)].closed &&
          room_.sides[other].component == room_.sides[side].component)
        return false;
    return true;
  }

  // Looks at one place of a side.
  bool grow_one(uint32_t side) noexcept {
    const uint32_t at = room_.sides[side].head;
    if (at == kNothing) {
      room_.sides[side].closed = true;
      parted_ = true;
      return true;
    }
    const CellId id = room_.waiting[at].id;
    room_.sides[side].head = room_.waiting[at].next;
    for (uint32_t moves = layer_.moves(id) & moves_; moves; moves &= moves - 1) {
      const CellId to = id + static_cast<uint32_t>(layer_.steps.of(id)[__builtin_ctz(moves)]);
      Node* node = nodes_.reach(to);
      if (!node) return false;
      if (!nodes_.fresh(*node)) {
        side = join(side, root(node->parent));
        continue;
      }
      nodes_.open(*node, 0, side);
      const auto last = static_cast<uint32_t>(room_.waiting.size());
      if (!room_.waiting.push({to, kNothing})) return false;
      append(side, last, last);
    }
    return true;
  }
  void append(uint32_t side, uint32_t head, uint32_t tail) noexcept {
    Side& s = room_.sides[side];
    if (head == kNothing) return;
    if (s.head == kNothing) {
      s.head = head;
    } else {
      room_.waiting[s.tail].next = head;
    }
    s.tail = tail;
  }
  uint32_t join(uint32_t a, uint32_t b) noexcept {
    if (a == b) return a;
    if (b < a) {
      const uint32_t swap = a;
      a = b;
      b = swap;
    }
    room_.sides[b].parent = a;
    append(a, room_.sides[b].head, room_.sides[b].tail);
    return a;
  }

  // The closed side that a place lies in; kNothing: none, so it lies with all the rest.
  uint32_t closed_side(CellId id) noexcept {
    const Node* node = nodes_.reach(id);
    if (!node || nodes_.fresh(*node)) return kNothing;
    const uint32_t side = root(node->parent);
    return room_.sides[side].closed ? side : kNothing;
  }

  const WorldView& world_;
  const Layer& layer_;  // with the walls
  const LayerPatch& patch_;
  NodePages& nodes_;
  WhatIfRoom& room_;
  uint32_t moves_;
  bool parted_ = false;
};

}  // namespace

Fault would_disconnect(Searcher& searcher, const View& view, const Cell* cells, size_t cell_count,
                       const CellPair* pairs, size_t pair_count, bool* answer,
                       size_t* first) noexcept {
  if (!answer) return fault(Status::bad_argument, "would_disconnect needs a place for the answer");
  *answer = false;
  if (first) *first = pair_count;
  if (Fault f = check_whole(view)) return f;
  if ((cell_count && !cells) || (pair_count && !pairs))
    return fault(Status::bad_argument, "would_disconnect needs cells, and pairs if it counts any");
  const Fault no_memory = fault(Status::out_of_memory, "no memory to see what would be cut off");
  Searcher::Impl* s = searcher.workspace();
  if (!s) return no_memory;
  const WorldView& world = view.impl()->world;
  if (s->overlay.begin(world, cells, cell_count, nullptr, 0).status != Status::found)
    return no_memory;
  if (!s->overlay.active()) return {};

  const auto component = [&](const CellPair& pair) {
    const uint32_t a = view.component(pair.a);
    return a == view.component(pair.b) ? a : View::kNoComponent;
  };
  Parting parting(*s, world);
  const auto cares = [&](uint32_t c) {
    for (size_t i = 0; i < pair_count; ++i)
      if (component(pairs[i]) == c) return true;
    return pairs == nullptr;
  };
  if (!parting.run(cares, pairs == nullptr)) return no_memory;
  if (!pairs) {
    *answer = parting.parted();
    return {};
  }
  for (size_t i = 0; i < pair_count; ++i) {
    if (component(pairs[i]) == View::kNoComponent) continue;
    if (parting.connected(world.map.grid.id(pairs[i].a), world.map.grid.id(pairs[i].b))) continue;
    *answer = true;
    if (first) *first = i;
    return {};
  }
  return {};
}

}  // namespace octile
