// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Jump point search where jump points lie close together: the loop best_first
// (detail/best_first.hpp), but for several of them at a time. Each step of an expansion waits for
// the one before (the entry, its record, its scans, the records of the hits), and where one ends
// cannot be guessed; steps of different jump points do not wait for each other.
//
// So a whole bucket is taken at once: a round. Jump points of a round are expanded in its order, up
// to kWidth of them scanned before their hits are looked at. Hits in the same bucket make up the
// next round of it. Exact like best_first, which allows any order inside a bucket: a jump point
// that gets cheaper is opened again.
//
// The path must not depend on jump points that no cheapest path leads through, for dead pockets
// take some of them away, as far as they are known. It does not: the round of a jump point on a
// cheapest path, and its place among others of that kind, follow from those before it alone. Nor
// does it depend on kWidth, on slices, or on the kernel. A slice may take some more expansions than
// it was given, to the end of those that were scanned together.

#include "search/jump.hpp"

namespace octile {

inline Progress jump_search(JumpMoves& moves, JumpNodes& nodes, JumpQueue& open, Watch& watch,
                            State& state, uint64_t budget) noexcept {
  constexpr uint32_t kWidth = 8;
  // A search that must end after an exact number of expansions takes one at a time.
  const uint32_t width = moves.capped() ? 1 : kWidth;
  CellId from[kWidth] = {};
  JumpRound& round = open.round;
  while (budget > 0) {
    // 1. The most promising jump points. When none is left below the bound, the answer stands.
    if (round.empty()) {
      JumpTicket ticket;
      if (!open.pop(state.bound, &ticket)) return Progress::ended;
      round.clear();
      do {
        // Drop an entry that a better one has overtaken.
        auto node = nodes.reach(ticket.id);
        if (!node) return Progress::out_of_memory;
        if (nodes.closed(*node)) continue;
        nodes.close(*node);
        if (!round.push({ticket.id, ticket.quadrants, node->g})) return Progress::out_of_memory;
      } while (open.pop_same(&ticket));
    }

    JumpHits& hits = moves.clear_hits();
    uint32_t count = 0;
    while (count < width && hits.count <= JumpHits::kMore && !round.empty()) {
      const JumpRound::Place at = round.take();
      // 2. Once a way is known, only what can beat it is worth expanding. And what has become
      // cheaper since will come again.
      if (state.found && at.g + moves.estimate(at.id) >= state.bound) continue;
      if (nodes.known(at.id).g != at.g) continue;
      budget -= budget > 0;
      ++state.expanded;
      watch.on_close(at.id, at.g);
      const uint32_t number = count++;
      from[number] = at.id;

      // 3. Is the rest of the way known from here? If not, scan.
      if (moves.finish(at.id, at.g, state)) continue;
      moves.scan({at.id, at.quadrants, number, at.g});
    }

    // 4. Look at every hit; keep those that are reached for the first time or cheaper.
    for (uint32_t k = 0; k < hits.count; ++k) {
      nodes.hint(JumpHit(hits.id[k]));
      moves.hint(JumpHit(hits.id[k]));
    }
    for (uint32_t k = 0; k < hits.count; ++k) {
      const JumpHit to(hits.id[k]);
      const Cost g = hits.cost[k];
      auto node = nodes.reach(to);
      if (!node) return Progress::out_of_memory;
      const bool fresh = nodes.fresh(*node);
      if (!fresh && !(g < node->g)) continue;
      // What is dead is never reached again: nothing is cheaper than 0.
      if (fresh && moves.dead(to)) {
        nodes.open(*node, Cost{0}, from[to.number]);
        continue;
      }
      const Cost f = g + moves.estimate(to);
      if (f >= state.bound) {
        if (!state.found) state.cut = true;
        continue;
      }
      nodes.open(*node, g, from[to.number]);
      ++state.generated;
      watch.on_open(to, g);
      if (!open.push(f, g, moves.ticket(to))) return Progress::out_of_memory;
    }
  }
  return Progress::paused;
}

}  // namespace octile
