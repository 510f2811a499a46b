// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Maps, scenarios, profiles and solvers as the command line names them.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "octile/octile.hpp"

namespace octile::cli {

// Reads a map file into the engine (not committed): tiles, Moving AI, PGM, PNG or plain text,
// recognised by content. Gives the name of the format.
std::string load_map(const std::string& path, Engine& engine);

// Bytes of the map in the format that the extension of `path` names: map, txt, pgm or png.
std::string encode_map(const Map& map, const std::string& path);
// The same for a file of tiles too; writes it.
void save_map(const Map& map, const std::string& path);

std::vector<ScenQuery> load_scen(const std::string& path);
// Fails when a query was made for a map of another size.
void require_same_size(const std::vector<ScenQuery>& queries, const Map& map,
                       const std::string& scen_path);

// Commits and gives the view of one profile.
View publish(Engine& engine, const Profile& profile);

// --moves, --diagonal, --metric, --weights, --size, --anchor.
struct ProfileOptions {
  std::string moves = "eight";
  std::string diagonal = "no_obstacles";
  std::string metric = "octile";
  std::string weights;
  std::string size = "1x1";
  std::string anchor = "0,0";

  void add_to(CLI::App& command);
  Profile profile() const;
  // Moving AI scenarios are made for the default.
  bool standard() const;
};

// "jps,astar" or "all"; "" gives `standard`. `all_named` tells whether each was named.
std::vector<SolverId> solvers(const std::string& list, const std::vector<SolverId>& standard);
SolverId solver(const std::string& name);
// Those meant for work: all but the judge and the two textbook ones.
std::vector<SolverId> working_solvers();
bool is_slow(SolverId id);  // the judge and textbook_list: minutes on large maps

}  // namespace octile::cli
