// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The smallest grids that show the defects of the five tutorials, by the number of the report, with
// the right answers as the reports give them: in tens for eight ways, in steps for four.
//
// Of S001-08 the report counts the weight of the cell that is left (24), Octile that of the cell
// that is entered. Over one path the two differ by its ends alone: 24 - 8 + 4 = 20. The way back,
// which enters what the way there leaves, costs the 24 of the report.

#include "scenes/scene_parts.hpp"

namespace octile::scenes {
namespace {

enum Rule { kCutting, kTens, kFour };

struct Defect {
  const char* id;
  const char* about;
  Rule rule;
  std::vector<std::string> rows;
  std::vector<SceneQuery> queries;
};

const std::vector<Defect>& defects() {
  static const std::vector<Defect> table = {
      {"S000-01",
       "decrease-key without moving the item in the heap",
       kCutting,
       {"@..@.", "....."},
       {{{0, 1}, {4, 0}, Status::found, 44}}},
      {"S000-02",
       "the same without corner cutting",
       kTens,
       {".@.....", "......."},
       {{{6, 1}, {0, 0}, Status::found, 70}}},
      {"S000-03",
       "squeezing between two touching walls",
       kTens,
       {".@", "@."},
       {{{0, 0}, {1, 1}, Status::no_path, -1}}},
      {"S000-04",
       "a diagonal that clips a corner",
       kTens,
       {"..", "@."},
       {{{0, 0}, {1, 1}, Status::found, 20}}},
      {"S000-05",
       "costs that drift from query to query",
       kTens,
       {"..."},
       {{{0, 0}, {2, 0}, Status::found, 20},
        {{2, 0}, {0, 0}, Status::found, 20},
        {{0, 0}, {2, 0}, Status::found, 20},
        {{2, 0}, {0, 0}, Status::found, 20},
        {{0, 0}, {2, 0}, Status::found, 20},
        {{2, 0}, {0, 0}, Status::found, 20}}},
      {"S000-09",
       "an old route kept when the goal is unreachable",
       kTens,
       {".@."},
       {{{0, 0}, {2, 0}, Status::no_path, -1}}},
      {"S001-01",
       "nodes of equal f dropped",
       kFour,
       {"..@.", "@..."},
       {{{1, 0}, {3, 0}, Status::found, 4}}},
      {"S001-02",
       "a node that comes back with a worse g",
       kFour,
       {".@..", "...."},
       {{{2, 0}, {0, 0}, Status::found, 4}}},
      {"S001-03", "a path without a way", kFour, {".@."}, {{{0, 0}, {2, 0}, Status::no_path, -1}}},
      {"S001-04",
       "the way back never ends",
       kFour,
       {"..."},
       {{{0, 0}, {2, 0}, Status::found, 2}, {{2, 0}, {0, 0}, Status::found, 2}}},
      {"S001-05",
       "a start on the last path never ends",
       kFour,
       {"...."},
       {{{0, 0}, {3, 0}, Status::found, 3}, {{1, 0}, {3, 0}, Status::found, 2}}},
      {"S001-06", "the path comes backwards", kFour, {"..."}, {{{0, 0}, {2, 0}, Status::found, 2}}},
      {"S001-08",
       "weights that change a sort key make the search endless",
       kFour,
       {"283", "@83", "489", "286"},
       {{{1, 0}, {0, 2}, Status::found, 20}, {{0, 2}, {1, 0}, Status::found, 24}}},
      {"S001-11",
       "a wall as the goal",
       kFour,
       {".@"},
       {{{0, 0}, {1, 0}, Status::goal_blocked, -1}}},
      {"S002-01",
       "a cached path that outlives a new wall",
       kTens,
       {".@."},
       {{{0, 0}, {2, 0}, Status::no_path, -1}}},
      {"S002-02",
       "no path for start == goal",
       kTens,
       {"..."},
       {{{0, 0}, {0, 0}, Status::found, 0}}},
      {"S002-03",
       "no answer for an unreachable goal",
       kTens,
       {".@."},
       {{{0, 0}, {2, 0}, Status::no_path, -1}}},
      {"S003-01",
       "stopping when the goal enters the open list",
       kTens,
       {"@...@.", "..@...", "...@..", ".....@"},
       {{{5, 0}, {0, 1}, Status::found, 80}}},
      {"S003-02",
       "from leaf centre to leaf centre",
       kTens,
       std::vector<std::string>(8, std::string(8, '.')),
       {{{0, 0}, {1, 0}, Status::found, 10}}},
      {"S003-03",
       "mixed blocks taken for walls",
       kTens,
       {".."},
       {{{0, 0}, {1, 0}, Status::found, 10}}},
      {"S003-04",
       "leaf routes longer than the way over cells",
       kTens,
       {"..", ".."},
       {{{0, 0}, {1, 0}, Status::found, 10}}},
      {"S004-01",
       "an estimate that is too large, and an early stop",
       kTens,
       {"......", "......", "...@.@", "......"},
       {{{5, 3}, {0, 0}, Status::found, 68}}},
      {"S004-02",
       "an estimate that is too large",
       kTens,
       {"......", "......", "...@.@", "......"},
       {{{5, 3}, {0, 0}, Status::found, 68}}},
      {"S004-03",
       "start == goal floods the map",
       kTens,
       {"...", "...", "..."},
       {{{1, 1}, {1, 1}, Status::found, 0}}},
      {"S004-04",
       "the way back never ends",
       kTens,
       {"..."},
       {{{0, 0}, {2, 0}, Status::found, 20}, {{2, 0}, {0, 0}, Status::found, 20}}},
      {"S004-05",
       "a start on the last path never ends",
       kTens,
       {"...."},
       {{{0, 0}, {3, 0}, Status::found, 30}, {{1, 0}, {3, 0}, Status::found, 20}}},
      {"S004-06",
       "a wall, or nothing at all, as the start",
       kTens,
       {"@.."},
       {{{0, 0}, {2, 0}, Status::start_blocked, -1},
        {{-1, 0}, {2, 0}, Status::start_out_of_bounds, -1},
        {{1, 0}, {3, 0}, Status::goal_out_of_bounds, -1}}},
      {"S004-07",
       "a wall as the goal floods the map",
       kTens,
       {"....", "....", "...@"},
       {{{0, 0}, {3, 2}, Status::goal_blocked, -1}}},
      {"S004-10",
       "decrease-key without moving the item in the heap",
       kTens,
       {"....", "....", "....", "....", "....", "....", "....", "....", "..@.", "...."},
       {{{0, 0}, {2, 9}, Status::found, 104}}},
      {"S004-11",
       "an estimate seven to ten times too small",
       kTens,
       std::vector<std::string>(21, std::string(21, '.')),
       {{{10, 10}, {20, 10}, Status::found, 100}}},
      {"S004-12",
       "start == goal floods the map",
       kTens,
       {"...", "...", "..."},
       {{{1, 1}, {1, 1}, Status::found, 0}}},
      {"S004-13",
       "a returned path that the next query overwrites",
       kTens,
       {"..."},
       {{{0, 0}, {2, 0}, Status::found, 20}, {{2, 0}, {0, 0}, Status::found, 20}}},
      {"S004-14",
       "neighbour lists that outlive a new wall",
       kTens,
       {".@."},
       {{{0, 0}, {2, 0}, Status::no_path, -1}}},
  };
  return table;
}

}  // namespace

void add_defects(std::vector<Entry>& entries) {
  for (const Defect& defect : defects()) {
    Entry entry;
    entry.info = {defect.id, "defects", defect.about, static_cast<int>(defect.rows[0].size()),
                  static_cast<int>(defect.rows.size())};
    entry.make = [&defect](Scene& scene) {
      scene.grid = grid_of(defect.rows);
      scene.profile.metric = Metric::ten_fourteen;
      if (defect.rule == kCutting) scene.profile.diagonal = Diagonal::always;
      if (defect.rule == kFour) scene.profile.moves = Moves::four;
      scene.queries = defect.queries;
    };
    entries.push_back(std::move(entry));
  }
}

}  // namespace octile::scenes
