// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile bench: times solvers on a scenario, or computes the signature.

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "bench/timing.hpp"
#include "command.hpp"
#include "contestant.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "kernel_option.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "signature.hpp"

namespace octile::cli {
namespace {

constexpr double kSlowSeconds = 60;

struct BenchOptions {
  std::string map;
  std::string scen;
  std::string solver;
  std::string every = "1";
  std::string format = "table";
  std::string passes = "3";
  bool no_cold = false;
  bool distance = false;
  bool signature = false;
  bool each = false;
  ProfileOptions profile;
  IndexSettings index;
  KernelOption kernels;
};

int run_signature(const BenchOptions& options) {
  Progress progress("signature");
  const Signature signature = compute_signature([&](double done) { progress.show(done); });
  progress.clear();
  if (options.each) {
    fmt::print("scene\tsolver\tqueries\texpanded\tcost_units\n");
    for (const SignatureLine& line : signature.lines) {
      fmt::print("{}\t{}\t{}\t{}\t{}\n", line.scene, line.solver, line.queries, line.expanded,
                 line.cost_units);
    }
  }
  fmt::print("{}\n", signature.number);
  return kDone;
}

int run_bench(const BenchOptions& options) {
  options.kernels.apply();
  if (options.signature) {
    if (!options.map.empty()) refuse("bench --signature takes no map");
    return run_signature(options);
  }
  if (options.each) refuse("--each goes with --signature");
  if (options.map.empty()) refuse("bench needs a MAP, or --signature");
  if (options.format != "table" && options.format != "tsv" && options.format != "json") {
    refuse("--format must be table, tsv or json, not '{}'", options.format);
  }
  const size_t every = static_cast<size_t>(whole_number("--every", options.every, 1, INT32_MAX));
  timing::Options how;
  how.min_passes = static_cast<int>(whole_number("--passes", options.passes, 3, 1000));
  how.max_passes = std::max(how.max_passes, how.min_passes);
  how.cold = !options.no_cold;
  how.map = base_name(options.map);
  const std::vector<SolverId> ids = solvers(options.solver, working_solvers());
  const Profile profile = options.profile.profile();

  Engine engine;
  load_map(options.map, engine);
  const std::string scen = options.scen.empty() ? options.map + ".scen" : options.scen;
  const std::vector<ScenQuery> all = load_scen(scen);
  require_same_size(all, engine.map(), scen);
  const View view = publish(engine, profile);

  std::vector<Query> queries;
  std::vector<double> optima;
  Searcher searcher;
  Path path;
  for (size_t i = 0; i < all.size(); i += every) {
    Query query;
    query.start = all[i].start;
    query.goal = all[i].goal;
    double optimum = all[i].optimum;
    if (!options.profile.standard()) {
      // The scenario's optima are not those of this profile, and it may not get everywhere.
      query.solver = solver("astar");
      find(searcher, view, query, path);
      if (path.status != Status::found) continue;
      optimum = path.cost;
    }
    queries.push_back(query);
    optima.push_back(optimum);
  }
  if (queries.empty()) refuse("no query of '{}' has a path for this profile", scen);
  std::vector<SolverContestant> contestants;
  contestants.reserve(ids.size());
  Indexes indexes(view, options.index);
  for (SolverId id : ids) contestants.emplace_back(indexes.view_for(id), id, queries);
  if (options.solver == "all") leave_out_slow(contestants, queries.size(), how, kSlowSeconds);

  Progress progress("bench " + how.map);
  how.progress = [&](double done) { progress.show(done); };
  std::vector<timing::Contestant*> pointers;
  for (SolverContestant& contestant : contestants) pointers.push_back(&contestant);
  std::optional<DistanceContestant> distances;
  if (options.distance) {
    distances.emplace(indexes.view_for(solver("labels")), queries);
    pointers.push_back(&*distances);
  }
  const std::vector<timing::Row> rows = timing::measure(pointers, optima, how);
  progress.clear();

  if (options.format == "json") {
    std::fputs(timing::json(rows).c_str(), stdout);
  } else if (options.format == "tsv") {
    fmt::print("{}\n", timing::tsv_header());
    for (const timing::Row& row : rows) fmt::print("{}\n", timing::tsv_line(row));
  } else {
    std::fputs(timing::table(rows).c_str(), stdout);
    fmt::print("kernels: {}\n", kernels_shown());
  }
  for (const timing::Row& row : rows) {
    if (row.wrong != 0) return kFailed;
  }
  return kDone;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command = *app.add_subcommand("bench", "time solvers on a map and its scenario");
  command.add_option("MAP", options->map, "a map file");
  command.add_option("SCEN", options->scen, "a Moving AI scenario (MAP.scen)");
  command.add_option("--solver", options->solver,
                     "S,S or all; without it, those that are neither judge nor textbook");
  command.add_option("--every", options->every, "take only every N-th query")
      ->capture_default_str();
  command.add_option("--format", options->format, "table, tsv or json")->capture_default_str();
  command.add_option("--passes", options->passes, "passes at least; the best counts")
      ->capture_default_str();
  command.add_flag("--no-cold", options->no_cold, "leave the cold-cache columns at 0");
  command.add_flag("--distance", options->distance,
                   "a row more: the costs alone, by labels, without a path");
  command.add_flag("--signature", options->signature,
                   "one number for all that the solvers do on the scenes");
  command.add_flag("--each", options->each, "with --signature: also what it is made of");
  options->profile.add_to(command);
  options->index.add_to(command);
  options->kernels.add_to(command);
  set_action(command, action, options, run_bench);
}

}  // namespace octile::cli
