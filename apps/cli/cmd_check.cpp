// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile check: are the answers right? Every query goes to every solver named; statuses and costs
// are compared with the scenario's optima and with another solver's, and every path is walked by
// the rules of walk.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "command.hpp"
#include "contestant.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "kernel_option.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "scenes/generators.hpp"
#include "walk.hpp"

namespace octile::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kSlowCheckSeconds = 120;
constexpr size_t kMostShown = 5;  // differences that are told in full, per map and solver

struct CheckOptions {
  std::string map;
  std::string scen;
  std::string solver;
  std::string every = "1";
  std::string random;
  std::string seed = "1";
  std::string against;
  std::string threads = "2";
  ProfileOptions profile;
  IndexSettings index;
  KernelOption kernels;
};

// The same, understood.
struct CheckPlan {
  Profile profile;
  bool published = false;  // the scenario's optima hold for this profile
  size_t every = 1;
  size_t random = 0;  // 0: the scenario's queries
  uint64_t seed = 1;
  SolverId against = -1;
  std::vector<SolverId> solvers;
  bool all = false;
  unsigned threads = 2;
  IndexSettings index;
};

// One query and what is known about its answer.
struct Question {
  Query query;
  double optimum = -1;  // published; negative: none
  Status status = Status::found;
  double cost = 0;  // the other solver's
  uint64_t cost_units = 0;
};

// A few walls among the ends, so that statuses are compared as well; most queries have two free
// ones.
Cell draw_end(scenes::Random& random, const View& view) {
  const Cell first = view.first_cell();
  const int tries = random.below(16) == 0 ? 1 : 256;
  Cell cell;
  for (int i = 0; i < tries; ++i) {
    cell = {first.x + static_cast<int32_t>(random.below(static_cast<uint32_t>(view.width()))),
            first.y + static_cast<int32_t>(random.below(static_cast<uint32_t>(view.height())))};
    if (view.passable(cell)) break;
  }
  return cell;
}

std::vector<Question> questions(const View& view, const CheckPlan& plan,
                                const std::vector<ScenQuery>& scen) {
  std::vector<Question> all;
  if (plan.random > 0) {
    scenes::Random random(plan.seed);
    for (size_t i = 0; i < plan.random; ++i) {
      Question question;
      question.query.start = draw_end(random, view);
      question.query.goal = draw_end(random, view);
      all.push_back(question);
    }
    return all;
  }
  for (size_t i = 0; i < scen.size(); i += plan.every) {
    Question question;
    question.query.start = scen[i].start;
    question.query.goal = scen[i].goal;
    if (plan.published) question.optimum = scen[i].optimum;
    all.push_back(question);
  }
  return all;
}

// Runs work(i, searcher, path) for 0 .. n - 1 on several threads.
template <class Work>
void share(size_t n, unsigned threads, Progress& progress, const Work& work) {
  std::atomic<size_t> next{0};
  const auto worker = [&](bool draws) {
    Searcher searcher;
    Path path;
    for (size_t i = next++; i < n; i = next++) {
      work(i, searcher, path);
      if (draws) progress.show(static_cast<double>(i) / static_cast<double>(n));
    }
  };
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(worker, false);
  worker(true);
  for (std::thread& thread : others) thread.join();
}

// How far the answers of a bounded solver were from the optimum.
struct Excess {
  size_t answers = 0, optimal = 0;
  double sum = 0, worst = 0;
  double bounds = 0, widest = 0;

  // `rounding` of the optimum.
  void add(double cost, double optimum, double bound, double rounding) {
    const double excess = cost > optimum + rounding ? cost / optimum - 1 : 0;
    ++answers;
    optimal += excess == 0;
    sum += excess;
    worst = std::max(worst, excess);
    bounds += bound - 1;
    widest = std::max(widest, bound - 1);
  }
};

// "" when a bounded answer keeps its bound. Published lengths are rounded to as little as two
// decimals.
std::string outside_bound(const Path& path, double optimum, double rounding) {
  if (path.cost >= optimum - rounding && path.cost <= path.bound * optimum + rounding) return "";
  return fmt::format("cost {:.6f}, not between the optimum {:.6f} and {:.6f} times that", path.cost,
                     optimum, path.bound);
}

// "" when the answer is right.
std::string difference(const View& view, const Question& question, const CheckPlan& plan,
                       const Path& path) {
  const bool bounded = !solver_info(path.solver).exact;
  if (question.optimum >= 0) {
    if (path.status != Status::found) {
      return fmt::format("status {}, the scenario has a path of {:.6f}", name(path.status),
                         question.optimum);
    }
    // Published lengths are rounded to as little as two decimals.
    if (bounded) {
      std::string text = outside_bound(path, question.optimum, 0.01);
      if (!text.empty()) return text;
    } else if (!timing::same_as_published(path.cost, question.optimum)) {
      return fmt::format("cost {:.6f}, the scenario says {:.6f}", path.cost, question.optimum);
    }
  }
  if (plan.against >= 0) {
    const char* other = solver_info(plan.against).name;
    if (path.status != question.status) {
      return fmt::format("status {}, {} says {}", name(path.status), other, name(question.status));
    }
    if (path.status == Status::found && bounded) {
      std::string text = outside_bound(path, question.cost, 1e-9 * question.cost);
      if (!text.empty()) return text;
    } else if (path.status == Status::found && path.cost_units != question.cost_units) {
      return fmt::format("cost {:.9f} ({} units), {} says {:.9f} ({} units)", path.cost,
                         path.cost_units, other, question.cost, question.cost_units);
    }
  }
  if (path.status == Status::found) {
    return walk_fault(view, question.query.start, &question.query.goal, path);
  }
  return path.size() == 0 ? "" : "a path although its status is " + std::string(name(path.status));
}

struct Tally {
  size_t passed = 0;
  size_t failed = 0;
  size_t maps = 0;
  size_t without_scen = 0;
};

void check_solver(const View& view, const std::string& map_name, SolverId solver,
                  const std::vector<Question>& all, const CheckPlan& plan, Tally& tally) {
  Progress progress(fmt::format("{} {}", map_name, solver_info(solver).name));
  std::mutex mutex;
  std::vector<std::pair<size_t, std::string>> wrong;
  Excess excess;
  const bool bounded = !solver_info(solver).exact;
  share(all.size(), plan.threads, progress, [&](size_t i, Searcher& searcher, Path& path) {
    Query query = all[i].query;
    query.solver = solver;
    find(searcher, view, query, path);
    std::string text = difference(view, all[i], plan, path);
    if (text.empty() && !bounded) return;
    const std::lock_guard<std::mutex> lock(mutex);
    if (bounded && path.status == Status::found)
      excess.add(path.cost, plan.against >= 0 ? all[i].cost : all[i].optimum, path.bound,
                 plan.against >= 0 ? 1e-9 * path.cost : 0.01);
    if (text.empty()) return;
    wrong.emplace_back(i, std::move(text));
  });
  progress.clear();
  std::sort(wrong.begin(), wrong.end());
  fmt::print("{:<28} {:<14} {:>8} queries {:>6} differences\n", map_name, solver_info(solver).name,
             all.size(), wrong.size());
  for (size_t i = 0; i < wrong.size() && i < kMostShown; ++i) {
    const Query& query = all[wrong[i].first].query;
    fmt::print("  query {} ({},{}) to ({},{}): {}\n", wrong[i].first, query.start.x, query.start.y,
               query.goal.x, query.goal.y, wrong[i].second);
  }
  if (wrong.size() > kMostShown) fmt::print("  and {} more\n", wrong.size() - kMostShown);
  if (excess.answers) {
    const double n = static_cast<double>(excess.answers);
    fmt::print(
        "  {:.2f} % optimal, excess mean {:.5f} % worst {:.3f} %, stated mean {:.2f} % worst "
        "{:.2f} %\n",
        100 * static_cast<double>(excess.optimal) / n, 100 * excess.sum / n, 100 * excess.worst,
        100 * excess.bounds / n, 100 * excess.widest);
  }
  std::fflush(stdout);
  tally.passed += all.size() - wrong.size();
  tally.failed += wrong.size();
}

// `all` without those that would take minutes here.
std::vector<SolverId> chosen_solvers(const View& view, const std::string& map_name,
                                     const std::vector<Question>& all, const CheckPlan& plan) {
  if (!plan.all) return plan.solvers;
  std::vector<Query> queries;
  for (const Question& question : all) queries.push_back(question.query);
  std::vector<SolverContestant> contestants;
  contestants.reserve(plan.solvers.size());
  for (SolverId id : plan.solvers) contestants.emplace_back(IndexedView{view}, id, queries);
  timing::Options how;
  how.map = map_name;
  how.min_passes = 1;
  how.cold = false;
  leave_out_slow(contestants, queries.size(), how, kSlowCheckSeconds);
  std::vector<SolverId> ids;
  for (const SolverContestant& contestant : contestants) ids.push_back(contestant.solver());
  return ids;
}

void check_map(const std::string& map_path, const std::string& scen_path, const CheckPlan& plan,
               Tally& tally) {
  const std::string map_name = base_name(map_path);
  Engine engine;
  load_map(map_path, engine);
  std::vector<ScenQuery> scen;
  if (plan.random == 0) {
    scen = load_scen(scen_path);
    require_same_size(scen, engine.map(), scen_path);
  }
  const View view = publish(engine, plan.profile);
  std::vector<Question> all = questions(view, plan, scen);
  if (plan.against >= 0) {
    Progress progress(fmt::format("{} {}", map_name, solver_info(plan.against).name));
    share(all.size(), plan.threads, progress, [&](size_t i, Searcher& searcher, Path& path) {
      Query query = all[i].query;
      query.solver = plan.against;
      find(searcher, view, query, path);
      all[i].status = path.status;
      all[i].cost = path.cost;
      all[i].cost_units = path.cost_units;
    });
  }
  Indexes indexes(view, plan.index);
  for (SolverId solver : chosen_solvers(view, map_name, all, plan)) {
    check_solver(indexes.view_for(solver).view, map_name, solver, all, plan, tally);
  }
  ++tally.maps;
}

// Every map below a directory, in the order of their names.
std::vector<std::string> maps_below(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; it != end && !error;
       it.increment(error)) {
    std::error_code broken;  // a link that leads nowhere is no map
    if (it->is_regular_file(broken) && extension(it->path().string()) == "map") {
      paths.push_back(it->path().string());
    }
  }
  if (error) refuse("cannot read '{}': {}", directory, error.message());
  if (paths.empty()) refuse("'{}' holds no .map files", directory);
  std::sort(paths.begin(), paths.end());
  return paths;
}

int run_check(const CheckOptions& options) {
  options.kernels.apply();
  CheckPlan plan;
  plan.profile = options.profile.profile();
  plan.index = options.index;
  plan.published = options.profile.standard();
  plan.every = static_cast<size_t>(whole_number("--every", options.every, 1, INT32_MAX));
  if (!options.random.empty()) {
    plan.random = static_cast<size_t>(whole_number("--random", options.random, 1, 100000000));
    if (!options.scen.empty()) refuse("--random makes its own queries: leave out SCEN");
  }
  plan.seed = seed_number("--seed", options.seed);
  plan.threads = static_cast<unsigned>(whole_number("--threads", options.threads, 1, 256));
  plan.all = options.solver == "all";
  plan.solvers = solvers(options.solver, working_solvers());
  if (!options.against.empty()) {
    plan.against = solver(options.against);
  } else if (plan.random > 0 || !plan.published) {
    plan.against = solver("dijkstra");  // no published optima to go by
  }

  Tally tally;
  std::error_code error;
  if (fs::is_directory(options.map, error)) {
    if (!options.scen.empty()) refuse("'{}' is a directory: leave out SCEN", options.map);
    for (const std::string& path : maps_below(options.map)) {
      if (plan.random == 0 && !fs::exists(path + ".scen", error)) {
        ++tally.without_scen;
        fmt::print("{:<28} has no scenario, not checked\n", base_name(path));
        continue;
      }
      check_map(path, path + ".scen", plan, tally);
    }
    fmt::print("{} maps\n", tally.maps);
    if (tally.maps == 0) refuse("no map below '{}' has a scenario", options.map);
  } else {
    check_map(options.map, options.scen.empty() ? options.map + ".scen" : options.scen, plan,
              tally);
  }
  fmt::print("{} passed, {} failed\n", tally.passed, tally.failed);
  return tally.failed == 0 ? kDone : kFailed;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *app.add_subcommand("check", "compare answers with known ones");
  command.add_option("MAP", options->map, "a map file, or a directory of .map files")->required();
  command.add_option("SCEN", options->scen, "a Moving AI scenario (MAP.scen)");
  command.add_option("--solver", options->solver,
                     "S,S or all; without it, those that are neither judge nor textbook");
  command.add_option("--every", options->every, "take only every N-th query")
      ->capture_default_str();
  command.add_option("--random", options->random, "N random queries instead of a scenario");
  command.add_option("--seed", options->seed, "of the random queries")->capture_default_str();
  command.add_option("--against", options->against,
                     "compare status and exact cost with this solver (--random: dijkstra)");
  command.add_option("--threads", options->threads, "how many work")->capture_default_str();
  options->profile.add_to(command);
  options->index.add_to(command);
  options->kernels.add_to(command);
  set_action(command, action, options, run_check);
}

}  // namespace octile::cli
