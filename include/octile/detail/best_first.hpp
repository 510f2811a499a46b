// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The best-first loop: A* and all that is built like it. The engine's grid searches, jump point
// search among them, and graph.hpp run this one function with other parts.
//
//   Moves   what the graph is
//             Cost estimate(Id)                    lower bound of the way to a goal
//             bool finish(Id, Cost g, State&)      the rest of the way from here is known: notes it
//                                                  with State::reach() and needs no expansion
//             void expand(Id, Cost g, relax)       relax(Id to, Cost step) for every successor
//             bool admits(Cost step)               false: a step no search may take (negative, NaN)
//             bool dead(Id)                        optional; true: no cheapest way leads through it
//   Nodes   what the search knows of each node
//             Node* reach(Id)                      its record {g, parent}, or something like a
//                                                  pointer to it; null: memory is short
//             bool fresh(const Node&)              not reached yet in this search
//             bool closed(const Node&)
//             void open(Node&, Cost g, Id parent)  reached, by a cheaper way than before
//             void close(Node&)
//   Open    what to look at next
//             bool push(Cost f, Cost g, Id)        false: memory is short
//             bool pop(Cost bound, Id*)            false: nothing is left below the bound
//             Ticket                               optional type: what it keeps in the place of an
//                                                  Id, which it converts to; Moves then has
//                                                  ticket(to), and its expand() takes one and may
//                                                  hand more than Ids to relax
//   Watch   who looks on (trace, profiling, partial answers)
//             void on_open(Id, Cost g)
//             void on_close(Id, Cost g)
//
// Exact for every admissible estimate and for open lists that only roughly sort: a node whose way
// gets cheaper after it was closed is opened again, stale entries are dropped when they come up,
// and the loop ends only when nothing below the bound is left. Cost is an unsigned integer or a
// floating-point type. (Hart, Nilsson and Raphael 1968; bucketed open lists: Dial 1969.)

#include <cstdint>
#include <limits>
#include <type_traits>

namespace octile::detail {

enum class Progress : uint8_t {
  paused,         // the budget is used up; call again
  ended,          // State::found says how
  out_of_memory,  // the search cannot go on
};

template <class Cost, class Id>
struct SearchState {
  // Nothing that costs this or more is worth a look: at first just above the caller's limit, later
  // the cost of the best way found.
  Cost bound = std::numeric_limits<Cost>::max();
  Cost cost{};        // of the best way found
  Id last{};          // the node it was found from
  uint32_t goal = 0;  // which goal it reaches
  bool found = false;
  bool cut = false;       // something was left out because of the caller's limit
  bool overflow = false;  // a sum did not fit
  bool refused = false;   // Moves did not admit a step
  uint64_t expanded = 0;
  uint64_t generated = 0;

  void begin(Cost limit) noexcept {
    *this = SearchState();
    bound = limit;
  }
  // A way of this cost is known. `keep_ties`: go on looking among ways of the same cost.
  void reach(Id from, Cost total, uint32_t which, bool keep_ties) noexcept {
    found = true;
    cost = total;
    last = from;
    goal = which;
    bound = keep_ties ? static_cast<Cost>(total + 1) : total;
  }
};

template <class Open, class Id>
struct TicketOf {
  using Type = Id;
};
template <class Open, class Id>
requires requires {
  typename Open::Ticket;
}
struct TicketOf<Open, Id> {
  using Type = typename Open::Ticket;
};

template <class Moves, class Nodes, class Open, class Watch>
Progress best_first(Moves& moves, Nodes& nodes, Open& open, Watch& watch,
                    SearchState<typename Moves::Cost, typename Moves::Id>& state,
                    uint64_t budget) noexcept {
  using Cost = typename Moves::Cost;
  using Id = typename Moves::Id;
  constexpr Cost kMost = std::is_integral_v<Cost> ? std::numeric_limits<Cost>::max() / 2
                                                  : std::numeric_limits<Cost>::max();
  while (budget > 0) {
    // 1. Take the most promising node. When none is left below the bound, the answer stands.
    typename TicketOf<Open, Id>::Type ticket;
    if (!open.pop(state.bound, &ticket)) return Progress::ended;
    const Id id = ticket;

    // 2. Drop an entry that a better one has overtaken.
    auto node = nodes.reach(id);
    if (!node) return Progress::out_of_memory;
    if (nodes.closed(*node)) continue;
    nodes.close(*node);
    const Cost g = node->g;

    // 3. Once a way is known, only what can beat it is worth expanding.
    if (state.found && g + moves.estimate(id) >= state.bound) continue;
    --budget;
    ++state.expanded;
    watch.on_close(id, g);

    // 4. Is the rest of the way known from here?
    if (moves.finish(id, g, state)) continue;

    // 5. Look at every successor; keep those that are reached for the first time or cheaper.
    bool short_of_memory = false;
    moves.expand(ticket, g, [&](auto to, Cost step) {
      if (!moves.admits(step)) {
        state.refused = true;
        return;
      }
      if (step > kMost - g) {
        state.overflow = true;
        return;
      }
      const Cost to_g = g + step;
      auto to_node = nodes.reach(to);
      if (!to_node) {
        short_of_memory = true;
        return;
      }
      const bool fresh = nodes.fresh(*to_node);
      if (!fresh && !(to_g < to_node->g)) return;
      if (fresh) {
        // What is dead is never reached again: nothing is cheaper than 0.
        if constexpr (requires { moves.dead(to); }) {
          if (moves.dead(to)) return nodes.open(*to_node, Cost{0}, id);
        }
      }
      const Cost f = to_g + moves.estimate(to);
      if (f >= state.bound) {
        if (!state.found) state.cut = true;
        return;
      }
      nodes.open(*to_node, to_g, id);
      ++state.generated;
      watch.on_open(to, to_g);
      bool pushed;
      if constexpr (requires { typename Open::Ticket; })
        pushed = open.push(f, to_g, moves.ticket(to));
      else
        pushed = open.push(f, to_g, to);
      if (!pushed) short_of_memory = true;
    });
    if (short_of_memory) return Progress::out_of_memory;
  }
  return Progress::paused;
}

}  // namespace octile::detail
