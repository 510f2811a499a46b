// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile mapf: a plan without collisions for the agents of a scenario. octile mapf-check: is a plan
// one?

#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "pictures/units.hpp"
#include "plan_file.hpp"
#include "progress.hpp"

namespace octile::cli {
namespace {

struct MapfOptions {
  std::string map;
  std::string scen;
  std::string agents = "0";
  std::string seed = "0";
  std::string limit = "0";
  std::string improve = "0";
  std::string budget = "0";
  std::string seconds = "0";
  std::string objective = "sum_of_loss";
  std::string out;
  bool any_goal = false;
  ProfileOptions profile;
};

struct PlanCheckOptions {
  std::string map;
  std::string scen;
  std::string plan;
  bool any_goal = false;
  ProfileOptions profile;
};

uint64_t count_of(const char* what, const std::string& text) {
  return static_cast<uint64_t>(whole_number(what, text, 0, INT64_MAX));
}

double ratio(uint64_t cost, uint64_t bound) {
  return bound == 0 ? 1.0 : static_cast<double>(cost) / static_cast<double>(bound);
}

void print_costs(const PlanCosts& c) {
  fmt::print("makespan      {}, at least {}, ratio {:.4f}\n", c.makespan, c.makespan_bound,
             ratio(c.makespan, c.makespan_bound));
  fmt::print("sum of costs  {}, at least {}, ratio {:.4f}\n", c.sum_of_costs, c.sum_bound,
             ratio(c.sum_of_costs, c.sum_bound));
  fmt::print("sum of loss   {}, at least {}, ratio {:.4f}\n", c.sum_of_loss, c.sum_bound,
             ratio(c.sum_of_loss, c.sum_bound));
}

std::string drawn(const View& view, const Plan& plan, const std::string& kind) {
  pictures::UnitsOptions options;
  std::string bytes, wrong;
  if (kind == "svg") {
    wrong = pictures::animate_units_svg(view, plan, options, bytes);
  } else {
    std::vector<uint8_t> gif;
    wrong = pictures::animate_units(view, plan, options, gif);
    bytes.assign(gif.begin(), gif.end());
  }
  if (!wrong.empty()) refuse("cannot draw the plan: {}", wrong);
  return bytes;
}

int run_mapf(const MapfOptions& options) {
  PlanOptions rules;
  rules.seed = seed_number("--seed", options.seed);
  rules.max_configurations = count_of("--limit", options.limit);
  rules.improve = count_of("--improve", options.improve);
  rules.refine = count_of("--budget", options.budget);
  rules.any_goal = options.any_goal;
  rules.seconds = real_number("--seconds", options.seconds, 0, false);
  if (options.objective == "makespan") {
    rules.objective = PlanObjective::makespan;
  } else if (options.objective != "sum_of_loss") {
    refuse("--objective must be sum_of_loss or makespan, not '{}'", options.objective);
  }
  if (rules.objective == PlanObjective::makespan && rules.improve == 0)
    refuse("--objective makespan is of --improve N: without it there is one plan");
  const std::string kind = extension(options.out);
  if (!options.out.empty() && kind != "txt" && kind != "gif" && kind != "svg") {
    refuse("--out must end in .txt, .gif or .svg, not '{}'", options.out);
  }
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  const std::vector<AgentTask> tasks =
      load_tasks(options.scen, engine.map(), count_of("--agents", options.agents));
  const View view = publish(engine, profile);

  Progress progress("planning");
  rules.progress = [](void* user, double done) { static_cast<Progress*>(user)->show(done); };
  rules.user = &progress;
  Plan plan;
  PlanAnswer answer;
  const std::clock_t begin = std::clock();
  const Fault fault = make_plan(view, tasks.data(), tasks.size(), rules, &plan, &answer);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  progress.clear();
  if (fault) {
    throw Failure{fault.status == Status::out_of_memory ? kFailed : kBadInput, fault.text};
  }
  if (answer.status != PlanStatus::feasible && answer.status != PlanStatus::optimal) {
    throw Failure{kFailed, fmt::format("no plan for {} agents: {}, after {} configurations",
                                       tasks.size(), name(answer.status), answer.configurations)};
  }
  fmt::print("status        {}\n", name(answer.status));
  fmt::print("agents        {}\n", tasks.size());
  print_costs(answer.costs);
  fmt::print("generated     {} configurations, {} until the first plan\n", answer.configurations,
             answer.first_configurations);
  fmt::print("memory        {:.1f} MB, {:.1f} MB of it distances\n",
             static_cast<double>(answer.peak_bytes) / 1e6,
             static_cast<double>(answer.table_bytes) / 1e6);
  fmt::print("CPU time      {:.3f} s\n", seconds);
  if (!options.out.empty()) {
    const std::string bytes = kind == "txt"
                                  ? plan_text(plan, answer, options.map, options.scen, rules.seed)
                                  : drawn(view, plan, kind);
    write_file(options.out, bytes);
  }
  return kDone;
}

int run_mapf_check(const PlanCheckOptions& options) {
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  Plan plan;
  load_plan(options.plan, plan);
  const std::vector<AgentTask> tasks = load_tasks(options.scen, engine.map(), plan.agents());
  const View view = publish(engine, profile);
  PlanReport report;
  if (const Fault fault =
          check_plan(view, tasks.data(), tasks.size(), plan, &report, options.any_goal))
    throw Failure{fault.status == Status::out_of_memory ? kFailed : kBadInput, fault.text};
  if (report.defect != PlanDefect::none) {
    fmt::print("invalid       {}: {}\n", name(report.defect), report.text);
    return kFailed;
  }
  fmt::print("valid         {} agents, {} ticks\n", plan.agents(), plan.ticks());
  print_costs(report.costs);
  return kDone;
}

}  // namespace

void add_mapf(CLI::App& app, Action& action) {
  const auto options = std::make_shared<MapfOptions>();
  options->profile.moves = "four";
  CLI::App& command = *app.add_subcommand("mapf", "plan for many agents without collisions");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("SCEN", options->scen, "a Moving AI scenario: starts and goals")->required();
  command.add_option("--agents", options->agents, "the first N of the scenario; 0: all")
      ->capture_default_str();
  command.add_option("--seed", options->seed, "same seed, same plan")->capture_default_str();
  command
      .add_option("--limit", options->limit,
                  "give up after N configurations without a plan; 0: never")
      ->capture_default_str();
  command
      .add_option("--improve", options->improve,
                  "look at N configurations more for a better plan (LaCAM*)")
      ->capture_default_str();
  command
      .add_option("--budget", options->budget,
                  "plan some of the agents anew, N times, to lower the sum of costs (LNS)")
      ->capture_default_str();
  command
      .add_option("--seconds", options->seconds,
                  "stop after S seconds; the plan then depends on the machine; 0: no limit")
      ->capture_default_str();
  command.add_option("--objective", options->objective, "sum_of_loss or makespan, of --improve")
      ->capture_default_str();
  command.add_flag("--any-goal", options->any_goal, "anybody may take any of the goals (TSWAP)");
  command.add_option("--out", options->out,
                     "write the plan to F.txt, or the units that follow it to F.gif or F.svg");
  options->profile.add_to(command);
  set_action(command, action, options, run_mapf);
}

void add_mapf_check(CLI::App& app, Action& action) {
  const auto options = std::make_shared<PlanCheckOptions>();
  options->profile.moves = "four";
  CLI::App& command = *app.add_subcommand("mapf-check", "check a plan for many agents");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("SCEN", options->scen, "a Moving AI scenario: starts and goals")->required();
  command.add_option("PLAN", options->plan, "a plan, as octile mapf --out writes it")->required();
  command.add_flag("--any-goal", options->any_goal, "anybody may take any of the goals");
  options->profile.add_to(command);
  set_action(command, action, options, run_mapf_check);
}

}  // namespace octile::cli
