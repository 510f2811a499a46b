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

std::string plan_text(const Plan& plan, const PlanAnswer& answer, const std::string& map,
                      const std::string& scen, uint64_t seed);
void load_plan(const std::string& path, Plan& plan);

}  // namespace octile::cli
