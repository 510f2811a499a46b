// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Where the public maps are, for tests that are skipped where there are none: $OCTILE_MAPS, else
// ../shared/maps beside the project; and a map in their format.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace octile::test {

inline std::filesystem::path maps_folder() {
  const char* wish = std::getenv("OCTILE_MAPS");
  if (wish && *wish) return wish;
  // tests/ lies in the project's root.
  return std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "shared" /
         "maps";
}

// All with that ending, sorted.
inline std::vector<std::filesystem::path> public_files(const std::string& extension) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           maps_folder(), std::filesystem::directory_options::follow_directory_symlink, none))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string moving_ai(int width, int height, const std::string& rows) {
  return "type octile\nheight " + std::to_string(height) + "\nwidth " + std::to_string(width) +
         "\nmap\n" + rows;
}

}  // namespace octile::test
