// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/lacam.hpp"

namespace octile {

template <class Moves>
bool Lacam<Moves>::begin(uint32_t vertices, Moves& pibt, const Vertex* starts, const Vertex* goals,
                         const uint32_t* order, size_t agents, PlanObjective objective,
                         uint64_t distance, uint64_t longest, bool improve,
                         uint64_t seed) noexcept {
  first_order_ = order;
  pibt_ = &pibt;
  goals_ = goals;
  agents_ = agents;
  objective_ = objective;
  random_ = AgentRandom(seed ^ 0x6c6163616d);
  wide_vertex_ = vertices > 65536;
  wide_index_ = agents > 65536;
  order_at_ = agents * (wide_vertex_ ? 4 : 2);
  order_at_ = (order_at_ + 3) / 4 * 4;
  node_bytes_ = order_at_ + agents * (wide_index_ ? 4 : 2);
  if (!factor_.resize(agents) || !config_.resize(agents) || !known_.assign(1024, kNone))
    return false;
  AgentRandom factors(0x6f6374696c65);
  for (uint64_t& f : factor_) f = factors.next() | 1;
  const uint32_t root = add(hash_of(starts), starts, kNone);
  if (root == kNone || !open_.push(root)) return false;
  nodes_[root].g = 0;
  bounded_ = improve;
  nodes_[root].h = objective == PlanObjective::makespan ? 0 : distance;
  current_ = kNone;
  patience_ = kJam * (longest + 1);
  return true;
}

template <class Moves>
uint32_t Lacam<Moves>::find(uint64_t hash, const Vertex* config) const noexcept {
  const size_t mask = known_.size() - 1;
  for (size_t at = hash & mask; known_[at] != kNone; at = (at + 1) & mask) {
    const Node& node = nodes_[known_[at]];
    if (node.hash == hash && same(node, config)) return known_[at];
  }
  return kNone;
}

template <class Moves>
bool Lacam<Moves>::grow_known() noexcept {
  Buffer<uint32_t> wider;
  if (!wider.assign(known_.size() * 2, kNone)) return false;
  const size_t mask = wider.size() - 1;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    size_t at = nodes_[n].hash & mask;
    while (wider[at] != kNone) at = (at + 1) & mask;
    wider[at] = n;
  }
  known_.swap(wider);
  return true;
}

template <class Moves>
uint32_t Lacam<Moves>::add(uint64_t hash, const Vertex* config, uint32_t parent) noexcept {
  if (nodes_.size() * 2 >= known_.size() && !grow_known()) return kNone;
  uint8_t* data = arena_.take<uint8_t>(node_bytes_);
  if (!data) return kNone;
  const auto n = static_cast<uint32_t>(nodes_.size());
  if (!nodes_.push({data, hash, 0, 0, parent, kNone, kRoot, kRoot, kNone})) return kNone;
  size_t at = hash & (known_.size() - 1);
  while (known_[at] != kNone) at = (at + 1) & (known_.size() - 1);
  known_[at] = n;

  if (wide_vertex_) {
    std::memcpy(data, config, agents_ * sizeof(Vertex));
  } else {
    auto* to = reinterpret_cast<uint16_t*>(data);
    for (size_t i = 0; i < agents_; ++i) to[i] = static_cast<uint16_t>(config[i]);
  }
  // The order: those on their way, then those at their goals.
  const auto fill = [&](auto* order, auto before) {
    size_t away = 0;
    for (size_t k = 0; k < agents_; ++k) away += config[k] != goals_[k];
    size_t arrived = away, next = 0;
    for (size_t k = 0; k < agents_; ++k) {
      const uint32_t i = before(k);
      const bool there = config[i] == goals_[i];
      order[there ? arrived : next] = static_cast<std::remove_reference_t<decltype(*order)>>(i);
      arrived += there;
      next += !there;
    }
  };
  const auto before = [&](auto* order) {
    if (parent != kNone) {
      const auto* old = reinterpret_cast<decltype(order)>(nodes_[parent].data + order_at_);
      fill(order, [&](size_t k) { return static_cast<uint32_t>(old[k]); });
      return;
    }
    fill(order, [&](size_t k) { return first_order_[k]; });
  };
  if (wide_index_) {
    before(reinterpret_cast<uint32_t*>(data + order_at_));
  } else {
    before(reinterpret_cast<uint16_t*>(data + order_at_));
  }
  return n;
}

template <class Moves>
bool Lacam<Moves>::open_children(uint32_t n) noexcept {
  const uint32_t pending = nodes_[n].pending;
  nodes_[n].pending = kNone;
  if (pending == kNone) return true;
  const uint32_t depth = pending == kRoot ? 0 : leaves_[pending].depth;
  if (depth >= agents_) return true;
  const uint32_t who = order_of(nodes_[n], depth);
  const Vertex v = vertex_of(nodes_[n], who);
  Vertex to[Moves::kMostMoves];
  const uint32_t degree = pibt_->around(who, v, to) - 1;
  for (uint32_t k = degree; k > 0; --k) std::swap(to[k], to[random_.below(k + 1)]);
  for (uint32_t k = 0; k <= degree; ++k) {
    const auto leaf = static_cast<uint32_t>(leaves_.size());
    if (!leaves_.push({pending, depth + 1, who, to[k], kNone})) return false;
    Node& node = nodes_[n];
    if (node.head == kNone) {
      node.head = leaf;
    } else {
      leaves_[node.tail].next = leaf;
    }
    node.tail = leaf;
  }
  return true;
}

template <class Moves>
uint64_t Lacam<Moves>::step_cost(const Node& from, const Node& to) const noexcept {
  if (objective_ == PlanObjective::makespan) return 1;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < agents_; ++i)
    sum += vertex_of(from, i) != goals_[i] || vertex_of(to, i) != goals_[i];
  return sum;
}

template <class Moves>
bool Lacam<Moves>::rewire(uint32_t from, uint32_t to) noexcept {
  queue_.clear();
  const auto relax = [&](uint32_t a, uint32_t b) {
    const uint64_t g = nodes_[a].g + step_cost(nodes_[a], nodes_[b]);
    if (g >= nodes_[b].g) return true;
    nodes_[b].g = g;
    nodes_[b].parent = a;
    if (b == goal_) ++improved_;
    // It may lead to a better plan now.
    if (goal_ != kNone && nodes_[b].f() < nodes_[goal_].g && !open_.push(b)) return false;
    return queue_.push(b);
  };
  if (!relax(from, to)) return false;
  for (size_t i = 0; i < queue_.size(); ++i) {
    const uint32_t n = queue_[i];
    for (uint32_t e = nodes_[n].first_edge; e != kNone; e = edges_[e].next)
      if (!relax(n, edges_[e].to)) return false;
  }
  return true;
}

template <class Moves>
void Lacam<Moves>::load(uint32_t n) noexcept {
  if (current_ == n) return;
  pibt_->lift();
  for (uint32_t i = 0; i < agents_; ++i) pibt_->put(i, vertex_of(nodes_[n], i));
  pibt_->place();
  current_ = n;
}

template <class Moves>
SearchEnd Lacam<Moves>::run(Limits& limits, bool improve) noexcept {
  while (!open_.empty()) {
    if (goal_ == kNone && generated_ >= patience_) pibt_->prefer_free = false;
    // 1. The node on top, unless it cannot lead to a better plan.
    const uint32_t n = open_.back();
    if (goal_ == kNone && is_goal(nodes_[n])) {
      goal_ = n;
      if (!improve) return SearchEnd::solved;
    }
    if (goal_ != kNone && nodes_[n].f() >= nodes_[goal_].g) {
      open_.pop();
      continue;
    }
    // 2. Its next constraint.
    if (!open_children(n)) return SearchEnd::no_memory;
    const uint32_t leaf = nodes_[n].head;
    if (leaf == kNone) {
      open_.pop();
      continue;
    }
    if (const SearchEnd end = limits.check(generated_, bytes()); end != SearchEnd::solved)
      return end;
    if (leaf == kRoot) {
      nodes_[n].head = kNone;
    } else {
      nodes_[n].head = leaves_[leaf].next;
    }
    nodes_[n].pending = leaf;
    // 3. A configuration that keeps to it.
    ++generated_;
    load(n);
    bool possible = true;
    for (uint32_t l = leaf; l != kRoot && possible; l = leaves_[l].parent)
      possible = pibt_->fix(leaves_[l].who, leaves_[l].where);
    if (possible) {
      const uint8_t* order = nodes_[n].data + order_at_;
      possible = wide_index_ ? pibt_->plan(reinterpret_cast<const uint32_t*>(order))
                             : pibt_->plan(reinterpret_cast<const uint16_t*>(order));
    }
    if (!possible) {
      pibt_->clear_plan();
      continue;
    }
    // 4. Known or new?
    const Vertex* config = config_.data();
    pibt_->read_plan(config_.data());
    const uint64_t hash = hash_of(config);
    const uint32_t known = find(hash, config);
    if (known != kNone) {
      pibt_->clear_plan();
      if (!link(n, known) || !rewire(n, known)) return SearchEnd::no_memory;
      // Once there is a plan, some restarts spread the search.
      const uint32_t again = goal_ != kNone && random_.below(1000) == 0 ? 0 : known;
      if (goal_ == kNone || nodes_[again].f() < nodes_[goal_].g)
        if (!open_.push(again)) return SearchEnd::no_memory;
      continue;
    }
    const uint32_t child = add(hash, config, n);
    if (child == kNone || !link(n, child)) return SearchEnd::no_memory;
    nodes_[child].g = nodes_[n].g + step_cost(nodes_[n], nodes_[child]);
    if (bounded_ && objective_ != PlanObjective::makespan) {
      nodes_[child].h = nodes_[n].h;
      for (uint32_t i = 0; i < agents_; ++i)
        nodes_[child].h += static_cast<uint64_t>(int64_t{pibt_->planned_step(i)});
    }
    pibt_->advance();
    current_ = child;
    if (goal_ == kNone || nodes_[child].f() < nodes_[goal_].g)
      if (!open_.push(child)) return SearchEnd::no_memory;
  }
  return SearchEnd::exhausted;
}

template <class Moves>
size_t Lacam<Moves>::rows() const noexcept {
  size_t count = 0;
  for (uint32_t n = goal_; n != kNone; n = nodes_[n].parent) ++count;
  return count;
}

template class Lacam<Pibt<4>>;
template class Lacam<Pibt<8>>;
template class Lacam<WidePibt>;

}  // namespace octile
