// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A plan for corridors with dead ends, where a search among configurations finds none: one agent
// after the other goes to its goal and pushes the others aside, as in Push and Swap (Luna and
// Bekris 2011) and the solver for trees of Khorshid, Holte and Sturtevant (2011). Here nobody who
// has arrived is ever moved again:
//
//   the order    In each connected part of the map a root is chosen far from all goals, at a place
//                where agents can pass each other. The farther a goal is from the root, by steps,
//                the earlier it is taken, and is a wall from then on. All vertices nearer to the
//                root stay connected.
//   the others   leave the vertices that the goal cuts off from the root, the nearest to it first:
//                everybody on the way to the nearest free vertex outside moves on by one. What was
//                cut off is closed.
//   the agent    walks to its goal. Who stands in its way is pushed to the nearest free vertex that
//                is not on the way: on the agent's far side, or, where there is none, past the
//                agent's place, which then backs out with it to where there is room for both.
//   ticks        Each move happens as early as it can: after the agent's last one, not before its
//                vertex is left, and after the last diagonal move through its 2 x 2 cells. Who
//                comes to each vertex after whom remains as it was, so there are no conflicts.
//
// It finds no plan where there is too little room, which proves nothing. Time: a search of the map
// for each agent and each time that others are pushed, and the moves. Memory: 16 bytes a move, 41 a
// vertex (45 with eight moves), and the plan.

#include <algorithm>

#include "agents/lacam.hpp"

namespace octile {

class Settler {
 public:
  // False: memory is short.
  bool begin(const AgentGraph& graph, const Buffer<Vertex>& starts,
             const Buffer<Vertex>& goals) noexcept {
    graph_ = &graph;
    starts_ = &starts;
    goals_ = &goals;
    const size_t n = graph.size;
    return at_.assign(n, kNoAgent) && now_.resize(starts.size()) && order_.resize(starts.size()) &&
           tick_.assign(starts.size(), 0) && left_at_.assign(n, 0) &&
           crossed_at_.assign(graph.stride == 8 ? n : 0, 0) && closed_.assign(n, 0) &&
           region_.assign(n, 0) && on_way_.assign(n, 0) && level_.assign(n, kFar) &&
           distance_.resize(n) && seen_.assign(n, 0) && from_.resize(n) && queue_.reserve(n) &&
           beyond_.reserve(n);
  }

  // `solved`, or `limit`: there was too little room, or it takes more than max_bytes or the time;
  // or with `trees_only`, a part of the map where agents are to go has a ring. limits.work does not
  // count here.
  SearchEnd run(const Limits& limits, bool trees_only) noexcept {
    limits_ = &limits;
    const auto agents = static_cast<uint32_t>(starts_->size());
    for (uint32_t i = 0; i < agents; ++i) at_[now_[i] = (*starts_)[i]] = i;
    if (!choose_order()) return SearchEnd::no_memory;
    if (trees_only && !trees_) return SearchEnd::limit;
    for (uint32_t k = 0; k < agents; ++k) {
      SearchEnd end = check();
      if (end == SearchEnd::solved) end = settle(order_[k]);
      if (end != SearchEnd::solved) return end;
    }
    return SearchEnd::solved;
  }
  // After run(): no part of the map where agents are to go has a ring.
  bool trees() const noexcept { return trees_; }

  size_t rows() const noexcept { return last_tick_ + 1; }
  // All rows of the plan, one after the other, as visit(row); when that is false, no more. False:
  // that, or memory is short.
  template <class Visit>
  bool each_row(Visit visit) const noexcept {
    const size_t agents = starts_->size();
    // The moves tick by tick: where those of each begin, and then their numbers.
    Buffer<uint32_t> begin, moves;
    Buffer<Vertex> row;
    if (moves_.size() > UINT32_MAX || !row.resize(agents) || !begin.assign(rows() + 1, 0) ||
        !moves.resize(moves_.size()))
      return false;
    for (const Move& move : moves_) ++begin[move.tick];
    for (size_t t = 0, sum = 0; t <= rows(); ++t) {
      const uint32_t count = begin[t];
      begin[t] = static_cast<uint32_t>(sum);
      sum += count;
    }
    for (uint32_t m = 0; m < moves_.size(); ++m) moves[begin[moves_[m].tick]++] = m;
    // Now begin[t] is where those of tick t end.
    std::copy(starts_->begin(), starts_->end(), row.begin());
    for (size_t t = 0; t < rows(); ++t) {
      for (uint32_t k = t > 0 ? begin[t - 1] : 0; t > 0 && k < begin[t]; ++k)
        row[moves_[moves[k]].agent] = moves_[moves[k]].to;
      if (!visit(row.data())) return false;
    }
    return true;
  }
  // With what each_row() takes.
  size_t bytes() const noexcept {
    return at_.bytes() + now_.bytes() + order_.bytes() + moves_.bytes() + tick_.bytes() +
           left_at_.bytes() + crossed_at_.bytes() + closed_.bytes() + level_.bytes() +
           region_.bytes() + beyond_.bytes() + on_way_.bytes() + distance_.bytes() + seen_.bytes() +
           from_.bytes() + queue_.bytes() + way_.bytes() +
           (moves_.size() + rows()) * sizeof(uint32_t) + starts_->size() * sizeof(Vertex);
  }

 private:
  static constexpr uint32_t kFar = 0xffffffff;

  struct Move {
    uint32_t agent;
    Vertex to;
    uint32_t tick;
  };

  template <class Visit>
  void each_near(Vertex v, Visit visit) const noexcept {
    const Vertex* near = graph_->near.data() + size_t{v} * graph_->stride;
    for (uint32_t k = 0; k < graph_->degree[v]; ++k) visit(near[k]);
  }

  // Plans too long to be held are none.
  SearchEnd check() const noexcept {
    return limits_->check(0, bytes() + rows() * starts_->size() * sizeof(Vertex));
  }

  // 1. Levels from the roots, and the order of the agents.
  bool choose_order() noexcept {
    // Steps to the nearest goal.
    Buffer<uint32_t> gap;
    if (!gap.assign(graph_->size, kFar)) return false;
    queue_.clear();
    for (const Vertex g : *goals_) {
      gap[g] = 0;
      queue_.push(g);
    }
    spread(gap);
    // Part by part: the root, and levels from it.
    for (const Vertex g : *goals_) {
      if (level_[g] != kFar) continue;
      queue_.clear();
      queue_.push(g);
      level_[g] = 0;
      spread(level_);
      Vertex root = g;
      size_t ends = 0;  // of edges
      const auto worth = [&](Vertex v) { return uint64_t{graph_->degree[v] > 2} << 32 | gap[v]; };
      for (const Vertex v : queue_) {
        level_[v] = kFar;
        ends += graph_->degree[v];
        if (worth(v) > worth(root) || (worth(v) == worth(root) && v < root)) root = v;
      }
      trees_ = trees_ && ends == 2 * (queue_.size() - 1);
      queue_.clear();
      queue_.push(root);
      level_[root] = 0;
      spread(level_);
    }
    for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      const uint32_t x = level_[(*goals_)[a]], y = level_[(*goals_)[b]];
      return x != y ? x > y : a < b;
    });
    return true;
  }
  // Breadth first from what the queue holds, over vertices that are kFar.
  void spread(Buffer<uint32_t>& level) noexcept {
    for (size_t i = 0; i < queue_.size(); ++i)
      each_near(queue_[i], [&](Vertex u) {
        if (level[u] != kFar) return;
        level[u] = level[queue_[i]] + 1;
        queue_.push(u);
      });
  }

  // 2. One agent.
  SearchEnd settle(uint32_t agent) noexcept {
    const Vertex goal = (*goals_)[agent];
    find_beyond(goal);
    if (const SearchEnd end = clear_beyond(agent); end != SearchEnd::solved) return end;
    if (const SearchEnd end = bring(agent, goal); end != SearchEnd::solved) return end;
    for (const Vertex v : beyond_) closed_[v] = 1;
    return SearchEnd::solved;
  }

  // The goal, and what is cut off from the root when it is closed, the nearest first.
  void find_beyond(Vertex goal) noexcept {
    ++regions_;
    beyond_.clear();
    beyond_.push(goal);
    region_[goal] = regions_;
    each_near(goal, [&](Vertex first) {
      if (closed_[first] || region_[first] == regions_ || level_[first] < level_[goal]) return;
      // All that can be reached from there: with a vertex nearer to the root it is not cut off.
      const uint32_t stamp = ++searches_;
      queue_.clear();
      queue_.push(first);
      seen_[first] = stamp;
      bool inside = false;
      for (size_t i = 0; i < queue_.size() && !inside; ++i)
        each_near(queue_[i], [&](Vertex u) {
          if (u == goal || closed_[u] || seen_[u] == stamp) return;
          inside = inside || level_[u] < level_[goal];
          seen_[u] = stamp;
          queue_.push(u);
        });
      if (inside) return;
      for (const Vertex v : queue_) {
        region_[v] = regions_;
        beyond_.push(v);
      }
    });
  }

  // Nobody but the agent stays there.
  SearchEnd clear_beyond(uint32_t agent) noexcept {
    for (size_t i = 0; i < beyond_.size();) {
      const uint32_t other = at_[beyond_[i]];
      if (other == kNoAgent || other == agent) {
        ++i;
        continue;
      }
      const Vertex room = search(beyond_[i], kNoVertex, [&](Vertex v) {
        return at_[v] == kNoAgent && region_[v] != regions_;
      });
      if (room == kNoVertex) return SearchEnd::limit;
      if (const SearchEnd end = shift(room); end != SearchEnd::solved) return end;
      i = 0;  // somebody nearer may stand there now
    }
    return SearchEnd::solved;
  }

  // The agent walks to its goal.
  SearchEnd bring(uint32_t agent, Vertex goal) noexcept {
    if (now_[agent] == goal) return SearchEnd::solved;
    measure(goal);
    mark_way(agent, goal);
    const auto aside = [&](Vertex v) {
      return at_[v] == kNoAgent && on_way_[v] != ways_ && region_[v] != regions_;
    };
    uint32_t patience = graph_->size;  // it may have to back out so often
    for (Vertex v = now_[agent]; v != goal;) {
      v = towards(v);
      if (at_[v] == kNoAgent) continue;
      const Vertex place = now_[agent];
      Vertex room = search(v, place, aside);
      if (room == kNoVertex && patience-- > 0) room = search(v, kNoVertex, aside);
      if (room == kNoVertex) return SearchEnd::limit;
      if (const SearchEnd end = shift(room); end != SearchEnd::solved) return end;
      if (now_[agent] != place) mark_way(agent, goal);
      v = now_[agent];
    }
    while (now_[agent] != goal)
      if (!move(agent, towards(now_[agent]))) return SearchEnd::no_memory;
    return SearchEnd::solved;
  }
  // Steps to the goal, without the closed vertices.
  void measure(Vertex goal) noexcept {
    queue_.clear();
    queue_.push(goal);
    const uint32_t stamp = ++searches_;
    seen_[goal] = stamp;
    distance_[goal] = 0;
    for (size_t i = 0; i < queue_.size(); ++i)
      each_near(queue_[i], [&](Vertex u) {
        if (closed_[u] || seen_[u] == stamp) return;
        seen_[u] = stamp;
        distance_[u] = distance_[queue_[i]] + 1;
        queue_.push(u);
      });
  }
  Vertex towards(Vertex v) const noexcept {
    Vertex to = kNoVertex;
    each_near(v, [&](Vertex u) {
      if (to == kNoVertex && !closed_[u] && distance_[u] < distance_[v]) to = u;
    });
    return to;
  }
  void mark_way(uint32_t agent, Vertex goal) noexcept {
    ++ways_;
    for (Vertex v = now_[agent]; on_way_[v] = ways_, v != goal;) v = towards(v);
  }

  // The nearest vertex that is accepted; kNoVertex: none. Neither closed vertices nor `avoid` are
  // entered. from_ leads back.
  template <class Accept>
  Vertex search(Vertex start, Vertex avoid, Accept accept) noexcept {
    const uint32_t stamp = ++searches_;
    queue_.clear();
    queue_.push(start);
    seen_[start] = stamp;
    from_[start] = kNoVertex;
    Vertex found = kNoVertex;
    for (size_t i = 0; i < queue_.size() && found == kNoVertex; ++i)
      each_near(queue_[i], [&](Vertex u) {
        if (closed_[u] || u == avoid || seen_[u] == stamp || found != kNoVertex) return;
        seen_[u] = stamp;
        from_[u] = queue_[i];
        if (accept(u)) found = u;
        queue_.push(u);
      });
    return found;
  }
  // Of those between the start of the search and `room` each goes to the place of the next one, and
  // the last one to the room.
  SearchEnd shift(Vertex room) noexcept {
    way_.clear();
    for (Vertex v = room; v != kNoVertex; v = from_[v])
      if (!way_.push(v)) return SearchEnd::no_memory;
    size_t place = 0;
    for (size_t k = 1; k < way_.size(); ++k) {
      const uint32_t agent = at_[way_[k]];
      if (agent == kNoAgent) continue;
      for (size_t j = k; j > place; --j)
        if (!move(agent, way_[j - 1])) return SearchEnd::no_memory;
      place = k;
    }
    return check();
  }

  // 3. A step, and its tick. False: memory is short.
  bool move(uint32_t agent, Vertex to) noexcept {
    const Vertex from = now_[agent];
    uint32_t tick = std::max(tick_[agent] + 1, left_at_[to]);
    if (graph_->stride == 8) {
      const size_t first = size_t{from} * 8;
      for (uint32_t k = 0; k < graph_->degree[from]; ++k)
        if (graph_->near[first + k] == to && graph_->across(from, k) != kNoVertex) {
          uint32_t& crossed = crossed_at_[graph_->across(from, k)];
          crossed = tick = std::max(tick, crossed + 1);
        }
    }
    tick_[agent] = left_at_[from] = tick;
    last_tick_ = std::max(last_tick_, tick);
    at_[from] = kNoAgent;
    at_[to] = agent;
    now_[agent] = to;
    return moves_.push({agent, to, tick});
  }

  const AgentGraph* graph_ = nullptr;
  const Limits* limits_ = nullptr;
  const Buffer<Vertex>* starts_ = nullptr;
  const Buffer<Vertex>* goals_ = nullptr;
  Buffer<uint32_t> at_;  // by vertex: who stands there
  Buffer<Vertex> now_;
  Buffer<uint32_t> order_;
  Buffer<Move> moves_;
  Buffer<uint32_t> tick_;        // by agent: of its last move
  Buffer<uint32_t> left_at_;     // by vertex: when it was left last
  Buffer<uint32_t> crossed_at_;  // by 2 x 2 cells, eight moves
  uint32_t last_tick_ = 0;

  bool trees_ = true;
  Buffer<uint8_t> closed_;     // taken by one who has arrived, or cut off
  Buffer<uint32_t> level_;     // steps from the root
  Buffer<uint32_t> region_;    // regions_: in beyond_
  Buffer<Vertex> beyond_;      // the goal and what it cuts off
  Buffer<uint32_t> on_way_;    // ways_: on the agent's way
  Buffer<uint32_t> distance_;  // to the goal
  Buffer<uint32_t> seen_;      // searches_: by the search that is under way
  Buffer<Vertex> from_;
  Buffer<Vertex> queue_;
  Buffer<Vertex> way_;
  uint32_t regions_ = 0, ways_ = 0, searches_ = 0;
};

}  // namespace octile
