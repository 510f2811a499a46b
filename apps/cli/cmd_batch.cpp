// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile batch: many queries on one map in one call.

#include "octile/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "numbers.hpp"

namespace octile::cli {
namespace {

struct BatchCliOptions {
  std::string map;
  std::string file;
  std::string threads = "1";
  std::string cache_mb = "64";
  std::string against;
  std::string out;
  ProfileOptions profile;
  IndexSettings index;
};

// A Moving AI .scen, or a line for each query: X,Y X,Y. '#' begins a comment.
std::vector<Query> load_queries(const std::string& path, const Map& map) {
  std::vector<Query> queries;
  if (extension(path) == "scen") {
    const std::vector<ScenQuery> entries = load_scen(path);
    require_same_size(entries, map, path);
    for (const ScenQuery& entry : entries) {
      Query query;
      query.start = entry.start;
      query.goal = entry.goal;
      queries.push_back(query);
    }
    return queries;
  }
  std::istringstream text(read_file(path));
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    std::string from, to, more;
    if (!(words >> from)) continue;
    if (!(words >> to) || (words >> more))
      refuse("{}:{}: a line must be 'X,Y X,Y', the start and the goal", path, number);
    Query query;
    query.start = cell(fmt::format("{}:{}: the start", path, number), from);
    query.goal = cell(fmt::format("{}:{}: the goal", path, number), to);
    queries.push_back(query);
  }
  return queries;
}

template <class Work>
double best_ms(Work work, int times) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count());
  }
  return best;
}

// A line for each query, in their order: from, to, status, cost units, cells.
std::string to_lines(const std::vector<Query>& queries, const std::vector<Path>& paths) {
  std::string text;
  for (size_t i = 0; i < paths.size(); ++i) {
    const Query& q = queries[i];
    text += fmt::format("{},{} {},{} {} {}", q.start.x, q.start.y, q.goal.x, q.goal.y,
                        name(paths[i].status), paths[i].cost_units);
    for (size_t k = 0; k < paths[i].size(); ++k)
      text += fmt::format(" {},{}", paths[i].cells()[k].x, paths[i].cells()[k].y);
    text += '\n';
  }
  return text;
}

int run_batch(const BatchCliOptions& options) {
  BatchOptions how;
  how.threads = static_cast<unsigned>(whole_number("--threads", options.threads, 1, 64));
  how.cache_bytes = static_cast<size_t>(whole_number("--cache-mb", options.cache_mb, 0, 1 << 20))
                    << 20;
  const SolverId other = options.against.empty() ? kAuto : solver(options.against);
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  const std::vector<Query> queries = load_queries(options.file, engine.map());
  if (queries.empty()) refuse("'{}' holds no queries", options.file);
  View view = publish(engine, profile);
  Indexes indexes(view, options.index);
  if (!options.index.file.empty()) view = indexes.view_for(solver_id("labels")).view;

  std::vector<Path> paths(queries.size());
  BatchCounts counts;
  // Cold: a new Batch with nothing in its cache. The first time also warms up the processor.
  const auto call = [&](Batch& batch, const BatchOptions& with, std::vector<Path>& to,
                        BatchCounts* number) {
    if (const Fault fault =
            batch.run(view, queries.data(), queries.size(), with, to.data(), number))
      refuse("{}", fault.text);
  };
  BatchOptions uncached = how;
  uncached.cache_bytes = 0;
  Batch batch;
  const double cold = best_ms([&] { call(batch, uncached, paths, &counts); }, 5);
  call(batch, how, paths, nullptr);
  const double hot = best_ms([&] { call(batch, how, paths, nullptr); }, 5);
  const auto found = std::count_if(paths.begin(), paths.end(),
                                   [](const Path& p) { return p.status == Status::found; });
  if (!options.out.empty()) write_file(options.out, to_lines(queries, paths));
  fmt::print("queries   {}\n", queries.size());
  fmt::print("found     {}\n", found);
  fmt::print("by field  {} from {} fields\n", counts.by_field, counts.fields_built);
  fmt::print("by search {}\n", counts.by_search);
  fmt::print("time      {:.3f} ms, {:.3f} with fields in the cache\n", cold, hot);
  int code = kDone;
  if (!options.against.empty()) {
    const View against = indexes.view_for(other).view;
    Searcher searcher;
    std::vector<Path> single(queries.size());
    const double ms = best_ms(
        [&] {
          for (size_t i = 0; i < queries.size(); ++i) {
            Query query = queries[i];
            query.solver = other;
            find(searcher, against, query, single[i]);
          }
        },
        1);
    size_t wrong = 0;
    for (size_t i = 0; i < paths.size(); ++i)
      wrong += paths[i].status != single[i].status || paths[i].cost_units != single[i].cost_units;
    fmt::print("{:<9} {:.3f} ms one by one: {:.0f} times; {} differ\n", solver_info(other).name, ms,
               ms / cold, wrong);
    if (wrong) code = kFailed;
  }
  return code;
}

}  // namespace

void add_batch(CLI::App& app, Action& action) {
  const auto options = std::make_shared<BatchCliOptions>();
  CLI::App& command = *app.add_subcommand("batch", "many queries in one call");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("FILE", options->file, "the queries: a .scen, or lines of X,Y X,Y")
      ->required();
  command.add_option("--threads", options->threads, "1 to 64");
  command.add_option("--cache-mb", options->cache_mb, "fields kept for the next call");
  command.add_option("--against", options->against,
                     "a solver that answers all of them one by one, to compare with");
  command.add_option("--out", options->out, "a line for each query with its path");
  options->index.add_to(command, false);
  options->profile.add_to(command);
  set_action(command, action, options, run_batch);
}

}  // namespace octile::cli
