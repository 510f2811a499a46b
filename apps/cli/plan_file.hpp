// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Plans as text, as the public MAPF tools write them: settings as `name=value` lines, then
// `solution=` and a line for each tick,
//
//   7:(3,4),(5,5),(0,1),
//
// with the cell of each agent. Only what follows `solution=` is read back.

#include <string>
#include <vector>

#include "octile/agents.hpp"

namespace octile::cli {

// The first `agents` tasks of a scenario for many agents; fails when there are fewer. 0: all.
std::vector<AgentTask> load_tasks(const std::string& scen_path, const Map& map, size_t agents);

// A scenario of `agents` distinct starts and distinct goals, drawn from the largest connected part
// of the map for four moves; as the text of a Moving AI file. Fails when there is less room.
std::string draw_tasks(Engine& engine, const std::string& map_path, size_t agents, uint64_t seed);

std::string plan_text(const Plan& plan, const PlanAnswer& answer, const std::string& map,
                      const std::string& scen, uint64_t seed);
void load_plan(const std::string& path, Plan& plan);

}  // namespace octile::cli
