// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the tests of portals and quadtree share: solvers without the exact search beside them,
// blocks as bytes.

#include "engine/view.hpp"
#include "index/portal_index.hpp"
#include "index_tools.hpp"
#include "solvers/solver.hpp"

namespace octile::test {

constexpr IndexKind kBoth[] = {IndexKind::portals, IndexKind::quadtree};

inline const Solver& without_aid(IndexKind kind) {
  return kind == IndexKind::portals ? portals_unaided : quadtree_unaided;
}

// Engine objects carry no run-time type, which UBSan looks for at virtual calls from here.
#define NO_TYPE_CHECK __attribute__((no_sanitize("vptr")))

// What a solver that is not in the table says.
struct Unaided {
  Workspace work;
  Path path;

  NO_TYPE_CHECK bool ask(const Solver& solver, const View& view, Cell from, Cell to,
                         uint64_t slice = UINT64_MAX) {
    const WorldView& world = view.impl()->world;
    Task task;
    task.world = &world;
    task.layer = &world.layer;
    task.costs = &world.costs;
    task.index = view.impl()->index;
    task.start = world.map.grid.id(from);
    const CellId goal = world.map.grid.id(to);
    task.aims = task.goals = &goal;
    task.aim_count = task.goal_count = 1;
    task.limit = kMaxCost;
    EXPECT_TRUE(solver.serves(task));
    work.chain.clear();
    work.state.begin(task.limit);
    Progress progress = Progress::paused;
    for (bool first = true; progress == Progress::paused; first = false)
      progress = solver.run(work, task, first, slice);
    EXPECT_EQ(progress, Progress::ended);
    if (!work.state.found) return false;
    EXPECT_EQ(write_path(task, work.chain, Output::cells, false, &path), Status::found);
    EXPECT_EQ(path.cost_units, work.state.cost);
    path.bound = work.bound;
    return true;
  }
};

// A View of the world's map as it is now, of an engine that has seen no edit.
inline View from_nothing(const World& world) {
  Board now = world.board;
  for (size_t c = 0; c < now.size(); ++c) now.terrain[c] = world.engine.map().terrain(now.cell(c));
  return World(now, world.profile).view;
}

inline const PortalMap& portal_map(const View& view) {
  return *portals_of(*view.impl()->index, view.impl()->world.layer);
}

// Every block and gate of the index in the view, built where it is missing.
inline std::string blocks_of(const View& view) {
  const PortalMap& map = portal_map(view);
  PortalRoom room;
  std::string bytes;
  map.shape().each([&](uint32_t b) {
    const PortalBlock* block = map.block(view.impl()->world.layer, b, room);
    ASSERT_NE(block, nullptr);
    bytes.append(reinterpret_cast<const char*>(block), block->bytes);
    bytes.push_back(static_cast<char>(map.leaf_bits(b)));
  });
  for (uint32_t r = 0; r < map.shape().regions(); ++r) {
    const PortalGates* gates = map.gates(view.impl()->world.layer, r, room);
    bytes.append(reinterpret_cast<const char*>(gates), gates->bytes);
  }
  return bytes;
}

}  // namespace octile::test
