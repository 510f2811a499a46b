// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "contestant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "maps.hpp"

namespace octile::cli {

void leave_out_slow(std::vector<SolverContestant>& contestants, size_t queries,
                    const timing::Options& options, double limit_seconds) {
  const auto too_slow = [&](SolverContestant& contestant) {
    if (!is_slow(contestant.solver())) return false;
    const double seconds = timing::estimate_seconds(contestant, queries, options, limit_seconds);
    if (seconds <= limit_seconds) return false;
    const std::string text = fmt::format(
        "octile: note: {} is left out of 'all', it would take about {:.0f} s or more "
        "on {}; name it to have it run\n",
        contestant.name(), seconds, options.map);
    std::fputs(text.c_str(), stderr);
    return true;
  };
  contestants.erase(std::remove_if(contestants.begin(), contestants.end(), too_slow),
                    contestants.end());
}

}  // namespace octile::cli
