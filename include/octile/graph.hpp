// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Graph A*: cheapest paths over any graph that you can describe, header-only. For grids use
// octile.hpp, which is far faster there; this is for rail networks, tech trees, way points, puzzles
// and whatever else has nodes and edges. It needs no part of the library to be linked; name(Status)
// alone is in there.
//
//   your graph ── const ──> GraphSearcher ── find() ──> GraphPath
//   (says what the edges are)  (workspace, reused)         (answer, reused)
//
// A graph is a class with
//
//   using Node = ...;   how nodes are named: a number, an enum, a struct, a string; copied freely,
//                       compared by ==
//   using Cost = ...;   any arithmetic type but bool
//   template <class Visit>
//   void for_each_neighbour(const Node& from, Visit&& visit) const;
//                       calls visit(to, cost) for every edge out of `from`; costs are 0 or more
//
// and, when it wants,
//
//   Cost estimate(const Node& from, const Node& goal) const;
//                       at most what the cheapest way costs; without it the search is Dijkstra's
//   Cost estimate(const Node& from) const;
//                       the same for a graph that knows its goal by itself
//   bool passable(const Node&) const;
//                       false: no path may enter the node, start or end there
//   size_t node_count() const;
//   size_t index(const Node&) const;
//                       a dense graph: every node has a number of its own below node_count(). For
//                       Nodes that are integers or enums index() may be left out: they are their
//                       own number. Nodes of a dense graph are trivially destructible.
//   size_t hash(const Node&) const;
//                       for the table of a graph that is not dense; without it std::hash, or the
//                       bytes of a Node without padding
//
// Guarantees
// - The graph is only read, through const functions: nothing of a search is left in it.
// - Exact for every estimate that never exceeds the truth, consistent or not: a node that turns
//   out to have a cheaper way after it was expanded is opened again. An estimate below 0 counts as
//   0; an infinite one says that no goal can be reached from there. An infinite edge is no edge.
//   Integer costs are exact; floating-point ones up to the rounding of their sums.
// - Always a status (GraphPath::status): found, partial, no_path, start_blocked, goal_blocked,
//   start_out_of_bounds and goal_out_of_bounds (dense graphs: not below node_count()),
//   limit_reached, cancelled, cost_overflow (the only ways cost more than Cost can hold, or 63
//   bits), out_of_memory, bad_argument (an edge of negative or NaN cost was met, a NaN estimate, an
//   edge to a node outside, a negative or NaN max_cost). An edge that the search never meets is not
//   checked.
// - start == goal is found, cost 0, one node.
// - Deterministic: lowest f first, then highest g, then first in. The order of the edges is the
//   only thing that decides among equally cheap paths; hash values do not.
// - Cost: each query touches what it visits and nothing else, in O(log n) for each edge visited.
//   The first query on a dense graph sets up 16 bytes a node (24 for costs of 8 bytes, and the Node
//   itself where it is not its own number). A warmed-up searcher allocates nothing.
// - Nothing here throws, prints or aborts. Your functions must not throw either: an exception that
//   leaves one of them ends the program.
//
// Threads: one graph may be searched by any number of threads, each with a searcher and a path of
// its own, as long as nobody changes it.

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "octile/detail/best_first.hpp"
#include "octile/detail/graph_nodes.hpp"
#include "octile/octile.hpp"

namespace octile {

template <class G>
concept Graph =
    std::copy_constructible<typename G::Node> && std::equality_comparable<typename G::Node> &&
    std::is_arithmetic_v<typename G::Cost> && !std::same_as<typename G::Cost, bool> &&
    requires(const G& graph, const typename G::Node& node,
             detail::AnyVisit<typename G::Node>& visit) {
  graph.for_each_neighbour(node, visit);
};

// Limits of one query. The defaults set none.
template <class Cost>
struct GraphOptions {
  uint64_t max_expansions = 0;                       // 0: no limit
  Cost max_cost = std::numeric_limits<Cost>::max();  // a search that finds only dearer ways ends
                                                     // with limit_reached
  const std::atomic<bool>* cancel = nullptr;         // looked at every 1,024 expansions
  // When there is no path: the way to the reached node with the smallest estimate, then the
  // cheapest to reach, then the first expanded; status partial. Without an estimate: the start.
  bool allow_partial = false;
};

// The answer. Reused by the caller; each query replaces all of it.
template <class G>
class GraphPath {
 public:
  // As the graph names them.
  using Node = typename G::Node;
  using Cost = typename G::Cost;

  Status status = Status::bad_argument;  // how the query ended; look at it first
  const char* message = "";  // "" when found; otherwise one clear line with static lifetime
  Cost cost{};               // of the whole path
  size_t goal_index = 0;     // which goal of a set was reached
  uint64_t expanded = 0;     // nodes taken from the open list
  uint64_t generated = 0;    // nodes put into it

  // From the start to the goal, both included; empty unless found or partial.
  const Node* nodes() const noexcept { return nodes_.data(); }
  size_t size() const noexcept { return nodes_.size(); }
  bool empty() const noexcept { return nodes_.size() == 0; }
  const Node* begin() const noexcept { return nodes_.data(); }
  const Node* end() const noexcept { return nodes_.data() + nodes_.size(); }
  const Node& operator[](size_t i) const noexcept { return nodes_.data()[i]; }

 private:
  template <Graph>
  friend class GraphSearcher;
  detail::NodeList<Node> nodes_;
};

// Looks on without a word: the default observer. An observer is any object that has some of
//   void on_begin(const Node& start)
//   void on_open(const Node& node, Cost g, Cost f)   put into the open list, first or again
//   void on_close(const Node& node, Cost g)          taken out to be expanded
//   void on_end(const GraphPath<G>& path)            the answer is complete
// What it lacks costs nothing: the calls are not compiled in.
struct NoObserver {};

// The workspace of one thread. Memory grows with what searches touch and is kept for the next one.
template <Graph G>
class GraphSearcher {
 public:
  // As the graph names them, and what belongs to that graph.
  using Node = typename G::Node;
  using Cost = typename G::Cost;
  using Path = GraphPath<G>;
  using Options = GraphOptions<Cost>;

  GraphSearcher() noexcept = default;
  GraphSearcher(GraphSearcher&& other) noexcept { *this = std::move(other); }
  GraphSearcher& operator=(GraphSearcher&& other) noexcept {
    nodes_ = std::move(other.nodes_);
    open_ = std::move(other.open_);
    goals_ = std::move(other.goals_);
    run_ = std::exchange(other.run_, Run());
    return *this;
  }

  // The cheapest path from start to goal.
  template <class Observer = NoObserver>
  void find(const G& graph, const Node& start, const Node& goal, Path& path,
            const Options& options = {}, Observer&& observer = Observer{}) noexcept {
    find_any(graph, start, &goal, 1, path, options, observer);
  }

  // The cheapest path to one of `count` goals; among equally cheap ones the first of the list.
  // Blocked goals are left out. Each node's estimate is the least over all goals, which takes time
  // for each of them; whether a node is a goal is known at once, however many there are.
  template <class Observer = NoObserver>
  void find_any(const G& graph, const Node& start, const Node* goals, size_t count, Path& path,
                const Options& options = {}, Observer&& observer = Observer{}) noexcept {
    begin(graph, start, goals, count, path, options, observer);
    step(graph, std::numeric_limits<uint64_t>::max(), path, observer);
  }

  // The cheapest path to any node for which reached(node) is true. estimate(node) must not exceed
  // the cost of the way to the nearest of them.
  template <class Reached, class Estimate, class Observer = NoObserver>
  requires std::predicate<const Reached&, const Node&> &&
      std::is_arithmetic_v<std::invoke_result_t<const Estimate&, const Node&>>
  void find_if(const G& graph, const Node& start, const Reached& reached, const Estimate& estimate,
               Path& path, const Options& options = {}, Observer&& observer = Observer{}) noexcept {
    const auto goal = [&](uint32_t slot, size_t* which) {
      *which = 0;
      return static_cast<bool>(reached(nodes_.node(slot)));
    };
    if (!set_up(graph, start, path, options, observer)) return;
    set_off(estimate, observer);
    run(graph, goal, estimate, std::numeric_limits<uint64_t>::max(), path, observer);
  }
  // The same with graph.estimate(node), or without an estimate where the graph has no such thing.
  template <class Reached, class Observer = NoObserver>
  requires std::predicate<const Reached&, const Node&>
  void find_if(const G& graph, const Node& start, const Reached& reached, Path& path,
               const Options& options = {}, Observer&& observer = Observer{}) noexcept {
    const auto estimate = [&](const Node& from) noexcept {
      if constexpr (requires { graph.estimate(from); }) {
        return graph.estimate(from);
      } else {
        return Cost{};
      }
    };
    find_if(graph, start, reached, estimate, path, options, observer);
  }

  // A query in slices. begin() checks and starts it; step() goes on for about `expansions` nodes
  // and is true when the query has ended and `path` holds the answer. In between the graph must not
  // change. begin() drops a query that has not ended; step() without a query is true at once.
  template <class Observer = NoObserver>
  void begin(const G& graph, const Node& start, const Node* goals, size_t count, Path& path,
             const Options& options = {}, Observer&& observer = Observer{}) noexcept {
    if (!set_up(graph, start, path, options, observer)) return;
    if (!set_goals(graph, goals, count)) {
      conclude(path, observer);
      return;
    }
    set_off(nearest_goal(graph), observer);
  }
  // See begin().
  template <class Observer = NoObserver>
  bool step(const G& graph, uint64_t expansions, Path& path,
            Observer&& observer = Observer{}) noexcept {
    if (!run_.active || run_.busy) return true;
    const auto goal = [this](uint32_t slot, size_t* which) {
      return nodes_.is_goal(slot) && goal_number(slot, which);
    };
    return run(graph, goal, nearest_goal(graph), expansions, path, observer);
  }

  size_t memory_bytes() const noexcept { return nodes_.bytes() + open_.bytes() + goals_.bytes(); }
  // Gives all memory back. A query that has not ended is dropped.
  void release() noexcept {
    if (run_.busy) return;
    run_ = Run();
    nodes_.release();
    open_.release();
    goals_.release();
  }

 private:
  using Sum = detail::GraphSum<Cost>;  // what costs are summed up in
  using State = detail::SearchState<Sum, uint32_t>;
  static constexpr Sum kMost = detail::kMostSum<Sum>;
  static constexpr uint64_t kSlice = 1024;

  struct Run {  // what is known of one query beside its nodes
    State state;
    Options options;
    Sum limit{};                    // max_cost
    uint32_t start = 0;             // slot
    uint32_t nearest = 0;           // slot of the best node for a partial answer
    Status status = Status::found;  // why it has to end before its time
    const char* message = "";
    bool active = false;  // begun and not ended
    bool busy = false;    // one of the user's functions is being called
  };

  // The moves of the shared loop: turns Nodes into slots and back, and checks what the graph says.
  template <class Goal, class Estimate>
  struct Moves {
    using Cost = Sum;
    using Id = uint32_t;
    const G& graph;
    GraphSearcher& searcher;
    const Goal& goal;
    const Estimate& estimate_of;

    Sum estimate(uint32_t slot) const noexcept { return searcher.nodes_.record(slot).h; }
    static constexpr bool admits(Sum) noexcept { return true; }  // Visit has looked already

    bool finish(uint32_t slot, Sum g, State& state) const noexcept {
      size_t which = 0;
      if (!goal(slot, &which)) return false;
      if (g > searcher.run_.limit) {  // a floating-point bound leaves room for rounding
        if (!state.found) state.cut = true;
        return true;
      }
      if (!state.found || g < state.cost || (!(state.cost < g) && which < state.goal)) {
        state.reach(slot, g, static_cast<uint32_t>(which), false);
      }
      if (searcher.goals_.size() <= 1) return true;
      // In a goal set an equally cheap goal may come earlier in the list, even behind this one.
      state.bound = detail::just_above(state.cost);
      return false;
    }

    template <class Relax>
    void expand(uint32_t slot, Sum g, const Relax& relax) const noexcept {
      const Visit<Moves, Relax> visit{*this, relax, g};
      decltype(auto) from = searcher.nodes_.node(slot);
      graph.for_each_neighbour(from, visit);
    }
  };

  // What for_each_neighbour() calls.
  template <class M, class Relax>
  struct Visit {
    const M& moves;
    const Relax& relax;
    const Sum g;

    template <class C>
    void operator()(const Node& to, C cost) const noexcept {
      static_assert(std::is_arithmetic_v<C>, "an edge cost is a number");
      static_assert(std::is_integral_v<C> || std::is_floating_point_v<Cost>,
                    "a fractional edge cost does not fit the graph's integer Cost");
      GraphSearcher& s = moves.searcher;
      if (s.open_.stopped) return;
      if (!(cost >= C{})) {
        s.stop(Status::bad_argument, "the graph has an edge of negative or NaN cost");
        return;
      }
      // An infinite edge is no edge.
      if (detail::is_infinite(cost) || !detail::graph_passable(moves.graph, to)) return;
      uint32_t slot = 0;
      if (!s.name_node(moves.graph, to, Status::bad_argument,
                       "the graph has an edge to a node outside of it", &slot) ||
          !s.value_node(slot, moves.estimate_of)) {
        return;
      }
      const Sum h = s.nodes_.record(slot).h;
      if (h > kMost) return;  // a dead end, the estimate says
      // The loop would leave these out as well, but it would not know of which node the way is cut.
      const Sum room = kMost - g;
      if (detail::exceeds(cost, room) || !(g + static_cast<Sum>(cost) + h < s.run_.state.bound)) {
        if (!s.run_.state.found) s.nodes_.leave_out(slot);
        return;
      }
      relax(slot, static_cast<Sum>(cost));
    }
  };

  // Hands the loop's events on to the observer and keeps the best node for a partial answer.
  template <class Observer>
  struct Watch {
    GraphSearcher& searcher;
    Observer& observer;

    void on_open(uint32_t slot, Sum g) const noexcept {
      if constexpr (requires(const Node& n, Cost c) { observer.on_open(n, c, c); }) {
        observer.on_open(searcher.nodes_.node(slot), detail::to_cost<Cost>(g),
                         detail::to_cost<Cost>(g + searcher.nodes_.record(slot).h));
      }
    }
    void on_close(uint32_t slot, Sum g) const noexcept {
      if constexpr (requires(const Node& n, Cost c) { observer.on_close(n, c); }) {
        observer.on_close(searcher.nodes_.node(slot), detail::to_cost<Cost>(g));
      }
      if (!searcher.run_.options.allow_partial) return;
      const auto& node = searcher.nodes_.record(slot);
      const auto& best = searcher.nodes_.record(searcher.run_.nearest);
      if (node.h < best.h || (!(best.h < node.h) && g < best.g)) searcher.run_.nearest = slot;
    }
  };

  struct GoalMark {  // a goal that is not blocked, and its place in the caller's list
    uint32_t slot;
    uint32_t number;
  };

  bool goal_number(uint32_t slot, size_t* which) const noexcept {
    for (const GoalMark& goal : goals_) {
      if (goal.slot == slot) {
        *which = goal.number;
        return true;
      }
    }
    return false;
  }

  // The estimate of a goal set: the least over its members; 0 where the graph offers none.
  auto nearest_goal(const G& graph) const noexcept {
    return [&](const Node& from) noexcept {
      if constexpr (requires { graph.estimate(from, from); }) {
        auto least = graph.estimate(from, nodes_.node(goals_[0].slot));
        for (size_t i = 1; i < goals_.size() && !detail::is_nan(least); ++i) {
          const auto h = graph.estimate(from, nodes_.node(goals_[i].slot));
          if (!(h >= least)) least = h;  // a NaN as well
        }
        return least;
      } else if constexpr (requires { graph.estimate(from); }) {
        return graph.estimate(from);
      } else {
        return Cost{};
      }
    };
  }

  // Gives a node its slot; false, after stop(), when there is none.
  bool name_node(const G& graph, const Node& node, Status outside, const char* message,
                 uint32_t* slot) noexcept {
    const detail::Naming naming = nodes_.name(graph, node, slot);
    if (naming == detail::Naming::outside) stop(outside, message);
    if (naming == detail::Naming::out_of_memory) stop(Status::out_of_memory, kNoMemory);
    return naming == detail::Naming::named;
  }

  // Asks for the estimate, once per node and query.
  template <class Estimate>
  bool value_node(uint32_t slot, const Estimate& estimate) noexcept {
    if (nodes_.valued(slot)) return true;
    decltype(auto) node = nodes_.node(slot);
    const auto h = estimate(node);
    if (detail::is_nan(h)) {
      stop(Status::bad_argument, "the graph gives an estimate that is NaN");
      return false;
    }
    nodes_.set_value(slot, detail::to_estimate<Sum>(h));
    return true;
  }

  // Ends the query before its time.
  void stop(Status why, const char* message) noexcept {
    if (open_.stopped) return;
    open_.stopped = true;
    run_.status = why;
    run_.message = message;
  }

  // 1. What is known before the search: limits and the start. False: `path` has the answer.
  template <class Observer>
  bool set_up(const G& graph, const Node& start, Path& path, const Options& options,
              Observer& observer) noexcept {
    if (run_.busy) {
      path = Path();  // with status bad_argument
      path.message = "the searcher is at work; a function that it calls cannot use it";
      return false;
    }
    if constexpr (requires { observer.on_begin(start); }) observer.on_begin(start);
    run_ = Run();
    run_.options = options;
    run_.busy = true;
    open_.clear();
    goals_.clear();
    if (check_start(graph, start)) return true;
    conclude(path, observer);
    return false;
  }

  bool check_start(const G& graph, const Node& start) noexcept {
    const Cost most = run_.options.max_cost;
    if (!(most >= Cost{})) {
      stop(Status::bad_argument, "max_cost is negative or NaN");
      return false;
    }
    run_.limit = detail::exceeds(most, kMost) ? kMost : static_cast<Sum>(most);
    run_.state.begin(detail::just_above_with_room(run_.limit));
    const detail::Naming begun = nodes_.begin(graph);
    if (begun == detail::Naming::outside) {
      stop(Status::bad_argument, "node_count() is above 4,294,967,294");
    } else if (begun == detail::Naming::out_of_memory) {
      stop(Status::out_of_memory, kNoMemory);
    } else if (name_node(graph, start, Status::start_out_of_bounds, "the start is not in the graph",
                         &run_.start) &&
               !detail::graph_passable(graph, start)) {
      stop(Status::start_blocked, "the start is not passable");
    }
    return !open_.stopped;
  }

  bool set_goals(const G& graph, const Node* goals, size_t count) noexcept {
    if (!goals || count == 0 || count > std::numeric_limits<uint32_t>::max()) {
      stop(Status::bad_argument, "the list of goals is empty or too long");
      return false;
    }
    for (size_t i = 0; i < count; ++i) {
      uint32_t slot = 0;
      if (!name_node(graph, goals[i], Status::goal_out_of_bounds, "a goal is not in the graph",
                     &slot)) {
        return false;
      }
      if (!detail::graph_passable(graph, goals[i]) || nodes_.is_goal(slot)) continue;
      if (!goals_.push({slot, static_cast<uint32_t>(i)})) {
        stop(Status::out_of_memory, kNoMemory);
        return false;
      }
      nodes_.mark_goal(slot);
    }
    if (!goals_.empty()) return true;
    stop(Status::goal_blocked,
         count == 1 ? "the goal is not passable" : "none of the goals is passable");
    return false;
  }

  // 2. The start goes into the open list.
  template <class Estimate, class Observer>
  void set_off(const Estimate& estimate, Observer& observer) noexcept {
    run_.nearest = run_.start;
    auto& node = nodes_.record(run_.start);
    nodes_.open(node, Sum{}, kNoSlot);
    if (value_node(run_.start, estimate) && node.h <= kMost) {
      if (!(node.h < run_.state.bound)) {
        run_.state.cut = true;
      } else if (open_.push(node.h, Sum{}, run_.start)) {
        ++run_.state.generated;
        Watch<Observer>{*this, observer}.on_open(run_.start, Sum{});
      } else {
        stop(Status::out_of_memory, kNoMemory);
      }
    }
    run_.busy = false;
    run_.active = true;
  }

  // 3. The search, or a slice of it. True when the query has ended and `path` has the answer.
  template <class Goal, class Estimate, class Observer>
  bool run(const G& graph, const Goal& goal, const Estimate& estimate, uint64_t expansions,
           Path& path, Observer& observer) noexcept {
    run_.busy = true;
    Moves<Goal, Estimate> moves{graph, *this, goal, estimate};
    Watch<Observer> watch{*this, observer};
    State& state = run_.state;
    uint64_t left = expansions ? expansions : 1;
    while (left > 0 && !settled()) {
      uint64_t slice = left < kSlice ? left : kSlice;
      if (run_.options.max_expansions) {
        const uint64_t room = run_.options.max_expansions - state.expanded;
        if (room == 0) {
          stop(Status::limit_reached, "max_expansions nodes were expanded without an answer");
          break;
        }
        if (room < slice) slice = room;
      }
      if (run_.options.cancel && run_.options.cancel->load(std::memory_order_relaxed)) {
        stop(Status::cancelled, "the cancel flag was raised");
        break;
      }
      const uint64_t before = state.expanded;
      if (detail::best_first(moves, nodes_, open_, watch, state, slice) ==
          detail::Progress::out_of_memory) {
        stop(Status::out_of_memory, kNoMemory);
      }
      left -= state.expanded - before;
    }
    run_.busy = false;
    if (!settled()) return false;
    conclude(path, observer);
    return true;
  }

  // Is nothing left that could be or improve the answer?
  bool settled() noexcept {
    open_.drop_stale(nodes_);
    return open_.stopped || !open_.below(run_.state.bound);
  }

  // 4. The answer.
  template <class Observer>
  void conclude(Path& path, Observer& observer) noexcept {
    run_.busy = run_.active = false;
    path.nodes_.clear();
    path.status = run_.status;
    path.message = run_.message;
    path.cost = Cost{};
    path.goal_index = 0;
    path.expanded = run_.state.expanded;
    path.generated = run_.state.generated;
    if (!open_.stopped) {
      const bool cut = run_.state.cut || nodes_.left_out() > 0;
      if (run_.state.found) {
        path.goal_index = run_.state.goal;
        unwind(run_.state.last, path);
      } else if (cut && run_.options.max_cost < std::numeric_limits<Cost>::max()) {
        path.status = Status::limit_reached;
        path.message = "there is no path of at most max_cost";
      } else if (cut) {
        path.status = Status::cost_overflow;
        path.message = "the only ways cost more than can be summed up";
      } else if (run_.options.allow_partial) {
        path.status = Status::partial;
        path.message = "no path; the way to the reached node nearest to a goal";
        unwind(run_.nearest, path);
      } else {
        path.status = Status::no_path;
        path.message = "no edges lead from the start to a goal";
      }
    }
    if constexpr (requires { observer.on_end(path); }) observer.on_end(path);
  }

  void unwind(uint32_t last, Path& path) noexcept {
    size_t length = 0;
    for (uint32_t slot = last; slot != kNoSlot; slot = nodes_.record(slot).parent) ++length;
    uint32_t slot = last;
    const auto previous = [&](size_t) -> decltype(auto) {
      const uint32_t here = slot;
      slot = nodes_.record(here).parent;
      return nodes_.node(here);
    };
    if (path.nodes_.fill_backwards(length, previous)) {
      path.cost = static_cast<Cost>(nodes_.record(last).g);
    } else {
      path.status = Status::out_of_memory;
      path.message = kNoMemory;
    }
  }

  static constexpr uint32_t kNoSlot = detail::GraphRecords<Sum>::kNoSlot;
  static constexpr const char* kNoMemory = "an allocation failed";

  detail::GraphNodes<G> nodes_;
  detail::GraphOpen<Sum> open_;
  detail::Buffer<GoalMark> goals_;
  Run run_;
};

}  // namespace octile
