// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The parts of `octile demo`: the comparison table on the bundled scenes, the same on real maps
// where there are some, and the pictures.

#include <string>
#include <vector>

namespace octile::cli {

// Prints a table of mean times for each group of scenes. Gives the number of queries on which the
// solvers' costs differ, from each other or from the costs on file; it must be 0.
size_t demo_scenes();

// Prints what the published optima of up to three real maps say, when a directory of them is there.
// Gives the number of wrong answers.
size_t demo_real_maps();

// Draws all pictures into a directory that exists; gives their names.
std::vector<std::string> demo_pictures(const std::string& directory);

}  // namespace octile::cli
