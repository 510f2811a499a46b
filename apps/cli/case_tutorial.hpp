// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The other case format: defects of the tutorials, with a map ('@' is a wall), two ends, and the
// right answer in words. The rule is told by `seed` and `detail`: eight moves without corner
// cutting at 10 and 14, unless they say otherwise.

#include <string>

#include "case_world.hpp"

namespace octile::cli {

// True when the line is of this format.
bool is_tutorial_line(const Json& line);

// Runs one line. Gives "" when Octile answers rightly; *skipped is set instead when the line has
// nothing to run. *understood gets what was asked for, in a few words.
std::string run_tutorial_line(const Json& line, std::string* skipped, std::string* understood);

}  // namespace octile::cli
