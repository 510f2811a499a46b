// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/refine.hpp"

#include <algorithm>
#include <new>

namespace octile {

Refiner::~Refiner() {
  for (const Visits& visits : visits_) ::operator delete(visits.data);
  delete[] ways_;
}

bool Refiner::begin(const AgentGraph& graph, GoalTables& tables, const uint32_t* table,
                    const uint64_t* shortest, size_t agents, uint64_t seed) noexcept {
  graph_ = &graph;
  tables_ = &tables;
  table_ = table;
  shortest_ = shortest;
  agents_ = agents;
  random_ = AgentRandom(seed ^ 0x6c6e73);
  ways_ = new (std::nothrow) Buffer<Vertex>[agents];
  return ways_ && visits_.assign(graph.size, Visits{}) && seen_.assign(1024, Seen{}) &&
         chosen_stamp_.assign(agents, 0) && late_.resize(agents);
}

bool Refiner::add_row(const Vertex* row) noexcept {
  for (size_t i = 0; i < agents_; ++i)
    if (!ways_[i].push(row[i])) return false;
  return true;
}

bool Refiner::finish_rows() noexcept {
  sum_ = 0;
  for (uint32_t i = 0; i < agents_; ++i) {
    Buffer<Vertex>& way = ways_[i];
    while (way.size() > 1 && way[way.size() - 2] == way.back()) way.pop();
    sum_ += cost(i);
    if (!add_way(i)) return false;
    late_[i] = i;
  }
  std::sort(late_.begin(), late_.end(), [&](uint32_t a, uint32_t b) {
    return delay(a) != delay(b) ? delay(a) > delay(b) : a < b;
  });
  return true;
}

size_t Refiner::rows() const noexcept {
  size_t most = 1;
  for (size_t i = 0; i < agents_; ++i) most = std::max(most, ways_[i].size());
  return most;
}

size_t Refiner::bytes() const noexcept {
  size_t sum = visits_.bytes() + visit_bytes_ + nodes_.bytes() + buckets_.bytes() + seen_.bytes();
  for (size_t i = 0; i < agents_; ++i) sum += ways_[i].bytes();
  return sum;
}

// --- Visits -----------------------------------------------------------------------------------

// The end of the stay that begins at a tick of a way.
static size_t stay_end(const Buffer<Vertex>& way, size_t tick) noexcept {
  while (tick + 1 < way.size() && way[tick + 1] == way[tick]) ++tick;
  return tick;
}

bool Refiner::add_way(uint32_t agent) noexcept {
  const Buffer<Vertex>& way = ways_[agent];
  for (size_t t = 0; t < way.size();) {
    const size_t end = stay_end(way, t);
    Visits& visits = visits_[way[t]];
    if (visits.size == visits.capacity) {
      const uint32_t room = visits.capacity + visits.capacity / 2 + 4;
      auto* fresh = static_cast<Visit*>(::operator new(room * sizeof(Visit), std::nothrow));
      if (!fresh) return false;
      std::copy(visits.data, visits.data + visits.size, fresh);
      ::operator delete(visits.data);
      visit_bytes_ += (room - visits.capacity) * sizeof(Visit);
      visits.data = fresh;
      visits.capacity = room;
    }
    Visit* at = visits.data + visits.after(static_cast<uint32_t>(t));
    std::copy_backward(at, visits.data + visits.size, visits.data + visits.size + 1);
    ++visits.size;
    const bool last = end + 1 == way.size();
    *at = {static_cast<uint32_t>(t), last ? kForever : static_cast<uint32_t>(end), agent};
    t = end + 1;
  }
  return true;
}

void Refiner::remove_way(uint32_t agent) noexcept {
  const Buffer<Vertex>& way = ways_[agent];
  for (size_t t = 0; t < way.size(); t = stay_end(way, t) + 1) {
    Visits& visits = visits_[way[t]];
    Visit* at = visits.data + visits.after(static_cast<uint32_t>(t));
    std::copy(at + 1, visits.data + visits.size, at);
    --visits.size;
  }
}

uint32_t Refiner::occupant(Vertex v, uint32_t tick) const noexcept {
  const Visits& visits = visits_[v];
  const uint32_t i = visits.after(tick);
  return i < visits.size && visits.data[i].begin <= tick ? visits.data[i].agent : kNoAgent;
}

// --- One agent --------------------------------------------------------------------------------

int Refiner::reach(const Node& node, uint64_t most) noexcept {
  // Nobody is done before the goal is free for good.
  const uint64_t f = std::max(uint64_t{node.tick} + node.left, goal_free_);
  if (f > most) return 0;
  // The earliest arrival in this interval counts.
  const auto slot = [&](Vertex v, uint32_t first) {
    const uint64_t h = (uint64_t{v} << 32 | first) * 0x9e3779b97f4a7c15;
    return static_cast<size_t>(h >> 32) & (seen_.size() - 1);
  };
  if (seen_count_ * 2 >= seen_.size()) {
    Buffer<Seen> wider;
    if (!wider.assign(seen_.size() * 2, Seen{})) return -1;
    wider.swap(seen_);
    for (const Seen& s : wider) {
      if (s.stamp != stamp_) continue;
      size_t at = slot(s.vertex, s.first);
      while (seen_[at].stamp == stamp_) at = (at + 1) & (seen_.size() - 1);
      seen_[at] = s;
    }
  }
  size_t at = slot(node.vertex, node.first);
  while (seen_[at].stamp == stamp_ &&
         (seen_[at].vertex != node.vertex || seen_[at].first != node.first))
    at = (at + 1) & (seen_.size() - 1);
  if (seen_[at].stamp == stamp_) {
    if (seen_[at].tick <= node.tick) return 0;
  } else {
    ++seen_count_;
  }
  seen_[at] = {node.vertex, node.first, stamp_, node.tick};
  const size_t bucket = f - least_ + node.left * greed_ / 8;
  lowest_ = std::min(lowest_, bucket);
  while (buckets_.size() <= bucket)
    if (!buckets_.push(kNone)) return -1;
  Node fresh = node;
  fresh.next = buckets_[bucket];
  buckets_[bucket] = static_cast<uint32_t>(nodes_.size());
  return nodes_.push(fresh) ? 1 : -1;
}

bool Refiner::crosses(Vertex from, Vertex to, uint32_t k, uint32_t arrival) const noexcept {
  if (graph_->stride == 4) return false;
  const Vertex block = graph_->across(from, k);
  if (block == kNoVertex) return false;
  // The two other cells of the four: both are neighbours of both ends.
  const Vertex* near = graph_->near.data();
  for (uint32_t a = 0; a < graph_->degree[from]; ++a) {
    const Vertex beside = near[size_t{from} * 8 + a];
    const uint32_t who = occupant(beside, arrival - 1);
    if (who == kNoAgent || at(who, arrival) == beside) continue;
    const Vertex other = at(who, arrival);
    for (uint32_t b = 0; b < graph_->degree[beside]; ++b)
      if (near[size_t{beside} * 8 + b] == other && graph_->across(beside, b) == block &&
          beside != from && beside != to)
        return true;
  }
  return false;
}

int Refiner::expand(uint32_t agent, uint32_t n, uint64_t most) noexcept {
  const Node from = nodes_[n];
  const Vertex* near = graph_->near.data() + size_t{from.vertex} * graph_->stride;
  // Of equal f the last one is taken first: so the nearest to the goal come last.
  const uint32_t degree = graph_->degree[from.vertex];
  const GoalSides sides = tables_->sides(table_[agent], from.vertex);
  uint8_t order[8];
  int steps[8];
  uint32_t count = 0;
  for (uint32_t k = 0; k < degree; ++k)
    steps[k] = static_cast<int>(sides.farther >> k & 1) - static_cast<int>(sides.nearer >> k & 1);
  for (int step = 1; step >= -1; --step)
    for (uint32_t k = 0; k < degree; ++k)
      if (steps[k] == step) order[count++] = static_cast<uint8_t>(k);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t k = order[i];
    const Vertex u = near[k];
    const int step = steps[k];
    const auto left = static_cast<uint32_t>(static_cast<int>(from.left) + step);
    if (uint64_t{from.tick} + 1 + left > most) continue;
    const Visits& visits = visits_[u];
    for (uint32_t v = visits.after(from.tick);; ++v) {
      // The interval before this visit, or after the last one; who leaves when it begins.
      const bool open = v == visits.size;
      const uint32_t first = v == 0 ? 0 : visits.data[v - 1].end + 1;
      const uint32_t before = v == 0 ? kNoAgent : visits.data[v - 1].agent;
      if (v > 0 && (visits.data[v - 1].end == kForever || first - 1 > from.last)) break;
      const uint32_t last = open ? kForever : visits.data[v].begin - 1;
      const bool some = open || visits.data[v].begin > first;
      if (some && last > from.tick) {
        uint32_t arrival = std::max(from.tick + 1, first);
        // It must be safe to wait until the step.
        if (arrival - 1 > from.last) break;
        const bool swap = arrival == first && before != kNoAgent && arrival - 1 == from.last &&
                          from.closer == before;
        bool possible = !swap;
        while (possible && crosses(from.vertex, u, k, arrival)) {
          ++arrival;
          possible =
              arrival <= last && arrival - 1 <= from.last && uint64_t{arrival} + left <= most;
        }
        if (possible) {
          const uint32_t closer = open ? kNoAgent : visits.data[v].agent;
          if (reach({u, arrival, first, last, closer, left, n, kNone}, most) < 0) return -1;
        }
      }
      if (open) break;
    }
  }
  return 1;
}

int Refiner::plan(uint32_t agent, uint64_t most) noexcept {
  const Vertex start = ways_[agent][0];
  const Vertex goal = tables_->goal(table_[agent]);
  nodes_.clear();
  buckets_.clear();
  seen_count_ = 0;
  if (++stamp_ == 0) {
    for (Seen& s : seen_) s.stamp = 0;
    stamp_ = 1;
  }
  const Visits& here = visits_[start];
  const uint32_t last = here.size == 0 ? kForever : here.data[0].begin - 1;
  const uint32_t closer = here.size == 0 ? kNoAgent : here.data[0].agent;
  const auto left = static_cast<uint32_t>(shortest_[agent]);
  const Node root{start, 0, 0, last, closer, left, kNone, kNone};
  const Visits& there = visits_[goal];
  goal_free_ = there.size == 0 ? 0 : uint64_t{there.data[there.size - 1].end} + 1;
  if (goal_free_ > most) return 0;
  least_ = std::max(shortest_[agent], goal_free_);
  if (!nodes_.push(root)) return -1;
  if (!buckets_.push(0)) return -1;
  for (lowest_ = 0; lowest_ < buckets_.size();) {
    const uint32_t n = buckets_[lowest_];
    if (n == kNone) {
      ++lowest_;
      continue;
    }
    const Node& node = nodes_[n];
    buckets_[lowest_] = node.next;
    if (node.vertex == goal && node.last == kForever) {
      // The way, with waiting before each step.
      Buffer<Vertex>& way = ways_[agent];
      if (!way.resize(node.tick + 1)) return -1;
      uint32_t end = node.tick + 1;
      for (uint32_t at = n; at != kNone; at = nodes_[at].parent) {
        for (uint32_t t = nodes_[at].tick; t < end; ++t) way[t] = nodes_[at].vertex;
        end = nodes_[at].tick;
      }
      return 1;
    }
    // A search that goes astray would cost more than it may win.
    if (nodes_.size() > kMostNodes) return 0;
    if (expand(agent, n, most) < 0) return -1;
  }
  return 0;
}

// --- Which agents -----------------------------------------------------------------------------

void Refiner::choose_one(uint32_t agent) noexcept {
  if (chosen_stamp_[agent] == round_stamp_) return;
  chosen_stamp_[agent] = round_stamp_;
  chosen_[chosen_count_++] = agent;
}

// An agent, and those because of whom it cannot stay at its goal from the first.
void Refiner::choose_visitors(uint32_t agent, size_t count) noexcept {
  choose_one(agent);
  const Visits& visits = visits_[tables_->goal(table_[agent])];
  const auto from = static_cast<uint32_t>(shortest_[agent]);
  for (uint32_t v = visits.after(from); v < visits.size && chosen_count_ < count; ++v)
    choose_one(visits.data[v].agent);
}

uint32_t Refiner::late_agent() noexcept {
  uint32_t best = random_.below(static_cast<uint32_t>(agents_));
  for (int i = 0; i < 7; ++i) {
    const uint32_t other = random_.below(static_cast<uint32_t>(agents_));
    if (delay(other) > delay(best)) best = other;
  }
  return best;
}

void Refiner::choose(uint32_t how, size_t count) noexcept {
  chosen_count_ = 0;
  ++round_stamp_;
  if (how == 0) {
    // Those who visit the goal of one that is late, and those in its way if it went straight.
    const uint32_t agent = late_agent();
    choose_visitors(agent, count);
    const uint32_t t = table_[agent];
    for (int tries = 0; tries < 8 && chosen_count_ < count; ++tries) {
      const uint32_t begin = random_.below(static_cast<uint32_t>(ways_[agent].size()));
      Vertex v = ways_[agent][begin];
      for (uint32_t tick = begin; chosen_count_ < count && v != tables_->goal(t); ++tick) {
        const Vertex* near = graph_->near.data() + size_t{v} * graph_->stride;
        const uint32_t turn = random_.below(graph_->degree[v]);
        const uint32_t nearer = tables_->sides(t, v).nearer;
        for (uint32_t i = 0; i < graph_->degree[v]; ++i) {
          const uint32_t k = (i + turn) % graph_->degree[v];
          const Vertex u = near[k];
          if (!(nearer >> k & 1)) continue;
          const uint32_t who = occupant(u, tick + 1);
          if (who != kNoAgent) choose_one(who);
          v = u;
          break;
        }
      }
    }
  } else if (how == 1) {
    // Those near one place: a random walk from a place on a way.
    const uint32_t agent = random_.below(static_cast<uint32_t>(agents_));
    choose_one(agent);
    const uint32_t tick = random_.below(static_cast<uint32_t>(ways_[agent].size()));
    Vertex v = ways_[agent][tick];
    for (int tries = 0; tries < 200 && chosen_count_ < count; ++tries) {
      const Visits& visits = visits_[v];
      const uint32_t early = tick < 8 ? 0 : tick - 8;
      for (uint32_t i = visits.after(early); i < visits.size && chosen_count_ < count; ++i) {
        if (visits.data[i].begin > tick + 8) break;
        choose_one(visits.data[i].agent);
      }
      v = graph_->near[size_t{v} * graph_->stride + random_.below(graph_->degree[v])];
    }
  }
  for (int tries = 0; tries < 100 && chosen_count_ < count; ++tries)
    choose_one(random_.below(static_cast<uint32_t>(agents_)));
}

SearchEnd Refiner::run(Limits& limits) noexcept {
  if (agents_ == 0) return SearchEnd::exhausted;
  uint64_t bound = 0;
  for (size_t i = 0; i < agents_; ++i) bound += shortest_[i];
  while (sum_ > bound) {
    if (const SearchEnd end = limits.check(rounds_, 0); end != SearchEnd::solved) return end;
    // 1. First every agent with those who visit its goal, the latest first; then others.
    uint32_t how = 3;
    if (rounds_ < kSweeps * agents_) {
      chosen_count_ = 0;
      ++round_stamp_;
      choose_visitors(late_[rounds_ % agents_], kMostAgents);
    } else {
      uint64_t draw = random_.next() % (worth_[0] + worth_[1] + worth_[2]);
      for (how = 0; draw >= worth_[how]; ++how) draw -= worth_[how];
      choose(how, std::min<size_t>(agents_, 2 + random_.below(kMostDrawn - 1)));
    }
    greed_ = rounds_ < agents_ ? kFirstGreed : kLaterGreed * random_.below(3);
    ++rounds_;
    // 2. Out, and in again, in any order.
    uint64_t before = 0, rest = 0;
    const size_t fixed = how == 3 || (how == 0 && random_.below(2)) ? 1 : 0;  // the late one first
    for (size_t k = chosen_count_; k > fixed + 1; --k)
      std::swap(chosen_[k - 1], chosen_[fixed + random_.below(static_cast<uint32_t>(k - fixed))]);
    for (size_t k = 0; k < chosen_count_; ++k) {
      const uint32_t i = chosen_[k];
      before += cost(i);
      rest += shortest_[i];
    }
    if (before == rest) continue;  // nothing to win
    for (size_t k = 0; k < chosen_count_; ++k) {
      const uint32_t i = chosen_[k];
      remove_way(i);
      if (!old_[k].resize(ways_[i].size())) return SearchEnd::no_memory;
      std::copy(ways_[i].begin(), ways_[i].end(), old_[k].begin());
    }
    uint64_t after = 0;
    size_t done = 0;
    for (; done < chosen_count_; ++done) {
      const uint32_t i = chosen_[done];
      rest -= shortest_[i];
      const int planned = plan(i, before - after - rest);
      if (planned < 0) return SearchEnd::no_memory;
      if (planned == 0) break;
      if (!add_way(i)) return SearchEnd::no_memory;
      after += cost(i);
    }
    const bool better = done == chosen_count_ && after < before;
    // 3. Keep it or take it back.
    if (done < chosen_count_) {
      for (size_t k = 0; k < done; ++k) remove_way(chosen_[k]);
      for (size_t k = 0; k < chosen_count_; ++k) {
        const uint32_t i = chosen_[k];
        if (!ways_[i].resize(old_[k].size())) return SearchEnd::no_memory;
        std::copy(old_[k].begin(), old_[k].end(), ways_[i].begin());
        if (!add_way(i)) return SearchEnd::no_memory;
      }
    } else {
      sum_ = sum_ - before + after;
      improved_ += better;
    }
    if (how < 3) {
      const uint64_t gain = better ? (before - after) * kWorth : 0;
      worth_[how] = std::max<uint64_t>(kWorth / 20, (worth_[how] * 99 + gain) / 100);
    }
  }
  return SearchEnd::exhausted;
}

}  // namespace octile
