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
  constexpr uint32_t kWidth = 8, kTogether = 32;
  // A search that must end after an exact number of expansions takes one at a time.
  const uint32_t width = moves.capped() ? 1 : kWidth;
  CellId from[kWidth] = {};
  JumpNodes::Handle handle[kTogether];
  JumpRound& round = open.round;
  while (budget > 0) {
    // 1. The most promising jump points. When none is left below the bound, the answer stands.
    if (round.empty()) {
      round.clear();
      bool room = true;
      const auto take = [&](JumpTicket ticket) {
        // Drop an entry that a better one has overtaken.
        JumpNode& node = nodes.known(ticket.id);
        if (nodes.closed(node)) return;
        nodes.close(node);
        room = round.push({ticket.id, ticket.quadrants, node.g}) && room;
      };
      if (!open.pop_bucket(state.bound, take)) return Progress::ended;
      if (!room) return Progress::out_of_memory;
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

    // 4. Look at every hit; keep those that are reached for the first time or cheaper. The records
    //    of many are asked for before the first of them is looked at.
    for (uint32_t first = 0; first < hits.count; first += kTogether) {
      const uint32_t end = hits.count < first + kTogether ? hits.count : first + kTogether;
      for (uint32_t k = first; k < end; ++k) {
        const CellId id = JumpHit(hits.id[k]);
        auto node = nodes.reach(id);
        if (!node) return Progress::out_of_memory;
        nodes.hint(*node);
        moves.hint(id);
        handle[k - first] = node;
      }
      for (uint32_t k = first; k < end; ++k) {
        const JumpHit to(hits.id[k]);
        const Cost g = hits.cost[k];
        const JumpNodes::Handle& node = handle[k - first];
        const bool fresh = nodes.fresh(node);
        if (!fresh && !(g < node->g)) continue;
        // What is dead is never reached again: nothing is cheaper than 0.
        if (fresh && moves.dead(to)) {
          nodes.open(node, Cost{0}, from[to.number]);
          continue;
        }
        const Cost f = g + moves.estimate(to);
        if (f >= state.bound) {
          if (!state.found) state.cut = true;
          continue;
        }
        nodes.open(node, g, from[to.number]);
        ++state.generated;
        watch.on_open(to, g);
        if (!open.push(f, g, moves.ticket(to))) return Progress::out_of_memory;
      }
    }
  }
  return Progress::paused;
}

}  // namespace octile
