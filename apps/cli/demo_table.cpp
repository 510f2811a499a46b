// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bench/timing.hpp"
#include "contestant.hpp"
#include "demo.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"
#include "progress.hpp"
#include "scenes/scenes.hpp"

namespace octile::cli {
namespace {

namespace fs = std::filesystem;

// textbook_list sits out on larger maps: its time grows with the square of the search.
constexpr int kListSide = 128;

struct SceneQuestion {
  View view;
  View indexed;  // empty where no index serves, or it would take long to build
  Query query;
  int64_t cost_on_file = -1;
};

// One solver on the queries of several scenes.
class SceneContestant final : public timing::Contestant {
 public:
  SceneContestant(const std::vector<SceneQuestion>& questions, SolverId solver)
      : questions_(questions),
        solver_(solver),
        by_labels_(std::string(solver_info(solver).name) == "labels") {}
  std::string name() const override { return solver_info(solver_).name; }
  timing::Answer answer(size_t i) override {
    const SceneQuestion& question = questions_[i];
    Query query = question.query;
    query.solver = solver_;
    find(searcher_, by_labels_ ? question.indexed : question.view, query, path_);
    return {path_.status == Status::found, path_.cost, path_.expanded, path_.size()};
  }
  const Path& path() const { return path_; }

 private:
  const std::vector<SceneQuestion>& questions_;
  SolverId solver_;
  bool by_labels_;
  Searcher searcher_;
  Path path_;
};

struct Group {
  std::string label;
  std::vector<std::string> scenes;
};

std::vector<Group> groups() {
  std::vector<Group> all;
  for (const int side : {20, 40, 70, 100, 120}) {
    Group group{fmt::format("{0} x {0}, 30 %", side), {}};
    for (const scenes::SceneInfo& info : scenes::all()) {
      if (info.family == "tutorial" && info.width == side) group.scenes.push_back(info.name);
    }
    all.push_back(group);
  }
  for (const char* name : {"random_512_25", "rooms_512", "maze_512_4", "hills_256"}) {
    all.push_back({name, {name}});
  }
  return all;
}

View with_labels(const View& view) {
  IndexOptions options;
  options.threads = 2;
  options.budget_work = 1 << 20;
  Index index;
  View indexed;
  if (build_index(view, options, &index) || index.info().kind != IndexKind::tile_labels ||
      view.with_index(index, &indexed))
    return View();
  return indexed;
}

// The queries that have a path: how soon the others are refused is another matter.
std::vector<SceneQuestion> questions(const Group& group, int* longest) {
  std::vector<SceneQuestion> all;
  *longest = 0;
  for (const std::string& scene_name : group.scenes) {
    const std::optional<scenes::Scene> scene = scenes::build(scene_name);
    if (!scene) refuse("the scene '{}' cannot be built", scene_name);
    Engine engine;
    ProfileId profile = 0;
    if (const Fault fault = scenes::load(*scene, engine, profile)) {
      refuse("the scene '{}': {}", scene_name, fault.text);
    }
    *longest = std::max({*longest, scene->grid.width, scene->grid.height});
    const View indexed = with_labels(engine.view(profile));
    for (const scenes::SceneQuery& query : scene->queries) {
      if (query.status != Status::found) continue;
      SceneQuestion question;
      question.view = engine.view(profile);
      question.indexed = indexed;
      question.query.start = query.start;
      question.query.goal = query.goal;
      question.cost_on_file = query.cost_units;
      all.push_back(question);
    }
  }
  return all;
}

size_t differing_costs(std::vector<SceneContestant>& contestants,
                       const std::vector<SceneQuestion>& all) {
  size_t different = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    bool equal = true;
    contestants[0].answer(i);
    const uint64_t units = contestants[0].path().cost_units;
    for (SceneContestant& contestant : contestants) {
      contestant.answer(i);
      equal = equal && contestant.path().status == Status::found &&
              contestant.path().cost_units == units;
    }
    if (all[i].cost_on_file >= 0) {
      equal = equal && units == static_cast<uint64_t>(all[i].cost_on_file);
    }
    different += equal ? 0 : 1;
  }
  return different;
}

std::string cell_text(double us, double baseline_us) {
  if (us <= 0) return "-";
  const double speed = baseline_us / us;
  return fmt::format("{:.2f} ({:.{}f}x)", us, speed, speed < 10 ? 1 : 0);
}

std::vector<std::string> map_places() {
  std::vector<std::string> places;
  if (const char* named = std::getenv("OCTILE_MAPS")) places.push_back(named);
  places.push_back("../shared/maps");
  return places;
}

// The three most telling ones if they are there, else the first three.
std::vector<std::string> real_maps() {
  for (const std::string& place : map_places()) {
    std::vector<std::string> chosen, others;
    std::error_code error;
    for (fs::recursive_directory_iterator it(place, error), end; !error && it != end;
         it.increment(error)) {
      const std::string path = it->path().string();
      std::error_code ignored;
      if (extension(path) != "map" || !fs::exists(path + ".scen", ignored)) continue;
      const std::string base = base_name(path);
      const bool telling =
          base == "brc202d.map" || base == "32room_000.map" || base == "maze512-8-0.map";
      (telling ? chosen : others).push_back(path);
    }
    std::sort(chosen.begin(), chosen.end());
    std::sort(others.begin(), others.end());
    chosen.insert(chosen.end(), others.begin(), others.end());
    if (chosen.size() > 3) chosen.resize(3);
    if (!chosen.empty()) return chosen;
  }
  return {};
}

}  // namespace

size_t demo_scenes() {
  constexpr const char* kSolvers[] = {"textbook_list", "textbook_heap", "astar", "jps", "labels"};
  constexpr size_t kBaseline = 1;
  fmt::print(
      "Mean time of a path in microseconds, every cell written; in brackets how many times\n"
      "faster than textbook_heap. The first five rows are tutorial E's test bed. labels answers "
      "from\n"
      "an index, built beforehand where all cells cost the same and it takes no more than "
      "seconds.\n\n");
  fmt::print("{:<16}", "map");
  for (const char* solver_name : kSolvers) fmt::print("{:>19}", solver_name);
  fmt::print("\n");
  size_t different = 0, compared = 0;
  for (const Group& group : groups()) {
    Progress progress(group.label);
    int longest = 0;
    const std::vector<SceneQuestion> all = questions(group, &longest);
    std::vector<SceneContestant> contestants;
    std::vector<size_t> columns;
    for (size_t i = 0; i < std::size(kSolvers); ++i) {
      const std::string solver_name = kSolvers[i];
      if (solver_name == "textbook_list" && longest > kListSide) continue;
      if (solver_name == "labels" && std::any_of(all.begin(), all.end(), [](const auto& question) {
            return question.indexed.empty();
          }))
        continue;
      contestants.emplace_back(all, solver(kSolvers[i]));
      columns.push_back(i);
    }
    different += differing_costs(contestants, all);
    compared += all.size();
    timing::Options how;
    how.cold = false;
    how.percentiles = false;
    how.pass_budget_us = 1e5;
    how.progress = [&](double done) { progress.show(done); };
    std::vector<timing::Contestant*> pointers;
    for (SceneContestant& contestant : contestants) pointers.push_back(&contestant);
    const std::vector<double> unknown(all.size(), -1.0);
    const std::vector<timing::Row> rows = timing::measure(pointers, unknown, how);
    progress.clear();
    double mean[std::size(kSolvers)] = {};
    for (size_t i = 0; i < rows.size(); ++i) mean[columns[i]] = rows[i].mean_us;
    fmt::print("{:<16}", group.label);
    for (const double us : mean) fmt::print("{:>19}", cell_text(us, mean[kBaseline]));
    fmt::print("\n");
    std::fflush(stdout);
  }
  fmt::print("\nCosts: {} queries, {} differences between the solvers or from the costs on file.\n",
             compared, different);
  return different;
}

size_t demo_real_maps() {
  const std::vector<std::string> maps = real_maps();
  if (maps.empty()) {
    fmt::print(
        "\nNo real maps here: point OCTILE_MAPS to a folder of Moving AI maps and\n"
        "scenarios to see them measured against their published optima.\n");
    return 0;
  }
  fmt::print("\nReal maps, about 50 queries each against their published optima:\n\n");
  std::vector<timing::Row> rows;
  for (const std::string& path : maps) {
    Progress progress(base_name(path));
    Engine engine;
    load_map(path, engine);
    const std::vector<ScenQuery> scen = load_scen(path + ".scen");
    require_same_size(scen, engine.map(), path + ".scen");
    const View view = publish(engine, Profile());
    std::vector<Query> queries;
    std::vector<double> optima;
    for (size_t i = 0; i < scen.size(); i += std::max<size_t>(1, scen.size() / 50)) {
      Query query;
      query.start = scen[i].start;
      query.goal = scen[i].goal;
      queries.push_back(query);
      optima.push_back(scen[i].optimum);
    }
    IndexSettings settings;
    settings.budget_mb = "16";
    Indexes indexes(view, settings);
    std::vector<SolverContestant> contestants;
    for (const char* name : {"textbook_heap", "astar", "jps", "labels"}) {
      contestants.emplace_back(indexes.view_for(solver(name)), solver(name), queries);
    }
    std::vector<timing::Contestant*> pointers;
    for (SolverContestant& contestant : contestants) pointers.push_back(&contestant);
    timing::Options how;
    how.map = base_name(path);
    how.cold = false;
    how.progress = [&](double done) { progress.show(done); };
    for (const timing::Row& row : timing::measure(pointers, optima, how)) rows.push_back(row);
  }
  fmt::print("{:<20}{:<16}{:>10}{:>12}{:>12}{:>12}{:>8}\n", "map", "solver", "queries", "mean_us",
             "p99_us", "expanded", "wrong");
  size_t wrong = 0;
  for (const timing::Row& row : rows) {
    wrong += row.wrong;
    fmt::print("{:<20}{:<16}{:>10}{:>12.2f}{:>12.2f}{:>12.1f}{:>8}\n", row.map, row.solver,
               row.queries, row.mean_us, row.p99_us, row.expanded_mean, row.wrong);
  }
  return wrong;
}

}  // namespace octile::cli
