// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile steps: many agents that take a step a tick and get another goal whenever they arrive
// (lifelong): tasks done, time, and every tick held against the rules of the board.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "octile/agents.hpp"
#include "progress.hpp"

namespace octile::cli {
namespace {

struct StepsOptions {
  std::string map;
  std::string agents;
  std::string ticks = "200";
  std::string seed = "0";
  ProfileOptions profile;
};

// The cells of the largest part of the map.
std::vector<Cell> largest_part(const View& view) {
  std::map<uint32_t, std::vector<Cell>> parts;
  const Cell first = view.first_cell();
  for (int32_t y = first.y; y < first.y + view.height(); ++y)
    for (int32_t x = first.x; x < first.x + view.width(); ++x)
      if (view.passable({x, y})) parts[view.component({x, y})].push_back({x, y});
  std::vector<Cell> most;
  for (auto& [part, cells] : parts)
    if (cells.size() > most.size()) most = std::move(cells);
  return most;
}

// Who stands where, and what was wrong with a tick: cells taken twice, agents that changed places
// or crossed with diagonal moves, moves through walls or across more than a cell.
class TickCheck {
 public:
  explicit TickCheck(const View& view) : view_(view), first_(view.first_cell()) {
    now_.assign(static_cast<size_t>(view.width()) * static_cast<size_t>(view.height()), 0);
    next_ = now_;
  }
  void place(const std::vector<Cell>& cells) {
    for (size_t i = 0; i < cells.size(); ++i) at(now_, cells[i]) = i + 1;
  }
  size_t conflicts(const std::vector<Cell>& from, const std::vector<Cell>& to) {
    size_t wrong = 0;
    for (size_t i = 0; i < to.size(); ++i) {
      wrong += !view_.passable(to[i]) || at(next_, to[i]) != 0;
      at(next_, to[i]) = i + 1;
    }
    const bool four =
        view_.profile().moves == Moves::four || view_.profile().diagonal == Diagonal::never;
    for (size_t i = 0; i < to.size(); ++i) {
      const int32_t dx = to[i].x - from[i].x, dy = to[i].y - from[i].y;
      if (dx == 0 && dy == 0) continue;
      wrong += std::abs(dx) > 1 || std::abs(dy) > 1 || (four && dx != 0 && dy != 0);
      const size_t there = at(now_, to[i]);
      wrong += there != 0 && to[there - 1] == from[i];
      if (dx == 0 || dy == 0) continue;
      const Cell a{to[i].x, from[i].y}, b{from[i].x, to[i].y};
      const int32_t free = view_.passable(a) + view_.passable(b);
      const Diagonal rule = view_.profile().diagonal;
      wrong += (rule == Diagonal::no_obstacles && free < 2) ||
               (rule == Diagonal::at_most_one_obstacle && free < 1);
      for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
        if (!view_.passable(p) || !view_.passable(q)) continue;
        const size_t other = at(now_, p);
        wrong += other != 0 && to[other - 1] == q;
      }
    }
    for (const Cell cell : from) at(now_, cell) = 0;
    now_.swap(next_);
    return wrong;
  }

 private:
  size_t& at(std::vector<size_t>& who, Cell cell) const {
    return who[static_cast<size_t>(cell.y - first_.y) * static_cast<size_t>(view_.width()) +
               static_cast<size_t>(cell.x - first_.x)];
  }
  const View& view_;
  Cell first_;
  std::vector<size_t> now_, next_;  // by cell: number of the agent, and 1
};

double ms_after(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

struct StepsRun {
  double ready = 0;        // ms until the first tick
  double goals = 0;        // ms for new goals
  std::vector<double> ms;  // of each tick
  uint64_t tasks = 0;
  size_t conflicts = 0, waits = 0;  // when it is checked
  size_t bytes = 0;
};

StepsRun run_once(const View& view, const std::vector<Cell>& cells, size_t count, size_t ticks,
                  const StepOptions& rules, TickCheck* check, Progress& progress) {
  std::mt19937_64 random(rules.seed);
  const auto draw = [&] { return cells[random() % cells.size()]; };
  std::vector<Cell> from = cells, to(count);
  std::vector<StepAgent> agents(count);
  for (size_t i = 0; i < count; ++i) {
    std::swap(from[i], from[i + random() % (from.size() - i)]);
    agents[i].cell = from[i];
    agents[i].goal = draw();
  }
  from.resize(count);
  StepsRun run;
  StepPlanner planner;
  auto begin = std::chrono::steady_clock::now();
  if (const Fault fault = planner.reset(view, agents.data(), count, rules))
    refuse("{}", fault.text);
  run.ready = ms_after(begin);
  if (check) check->place(from);
  for (size_t t = 0; t < ticks; ++t) {
    begin = std::chrono::steady_clock::now();
    if (const Fault fault = planner.step()) refuse("{}", fault.text);
    run.ms.push_back(ms_after(begin));
    if (check) {
      for (size_t i = 0; i < count; ++i) {
        to[i] = planner.cell(i);
        run.waits += to[i] == from[i];
      }
      run.conflicts += check->conflicts(from, to);
      from.swap(to);
    }
    begin = std::chrono::steady_clock::now();
    for (size_t i = 0; i < count; ++i)
      if (planner.arrived(i))
        if (const Fault fault = planner.set_goal(i, draw())) refuse("{}", fault.text);
    run.goals += ms_after(begin);
    progress.show((check ? 0.5 : 0) +
                  0.5 * static_cast<double>(t + 1) / static_cast<double>(ticks));
  }
  run.tasks = planner.arrivals();
  run.bytes = planner.memory_bytes();
  return run;
}

int run_steps(const StepsOptions& options) {
  if (options.agents.empty()) refuse("steps needs --agents");
  const auto count = static_cast<size_t>(whole_number("--agents", options.agents, 1, INT32_MAX));
  const auto ticks = static_cast<size_t>(whole_number("--ticks", options.ticks, 1, INT32_MAX));
  StepOptions rules;
  rules.seed = seed_number("--seed", options.seed);
  const Profile profile = options.profile.profile();
  if (profile.width > 1 || profile.height > 1) refuse("steps takes agents of one cell: no --size");
  Engine engine;
  load_map(options.map, engine);
  const View view = publish(engine, profile);
  const std::vector<Cell> cells = largest_part(view);
  if (cells.size() < count) refuse("--agents {}: there is room for {} agents", count, cells.size());
  // Twice the same: timed without a look at the cells in between, which would change what is in the
  // caches, and then checked.
  Progress progress("steps");
  const StepsRun timed = run_once(view, cells, count, ticks, rules, nullptr, progress);
  TickCheck check(view);
  const StepsRun checked = run_once(view, cells, count, ticks, rules, &check, progress);
  progress.clear();
  if (timed.tasks != checked.tasks) throw Failure{kFailed, "two runs were not the same"};
  std::vector<double> times = timed.ms;
  double total = 0;
  for (const double ms : times) total += ms;
  std::sort(times.begin(), times.end());
  const auto n = static_cast<double>(count);
  const double moves = n * static_cast<double>(ticks);
  fmt::print("agents        {}\nticks         {}\n", count, ticks);
  fmt::print("tasks         {}, {:.3f} a tick\n", timed.tasks,
             static_cast<double>(timed.tasks) / static_cast<double>(ticks));
  fmt::print("waiting       {:.1f} % of the steps\n",
             100 * static_cast<double>(checked.waits) / moves);
  fmt::print("conflicts     {}\n", checked.conflicts);
  fmt::print("a step        {:.1f} ns an agent (median of the ticks {:.1f}, least {:.1f})\n",
             total * 1e6 / moves, times[times.size() / 2] * 1e6 / n, times[0] * 1e6 / n);
  fmt::print("distances     {:.0f} ms at first, {:.1f} ms a tick for new goals\n", timed.ready,
             timed.goals / static_cast<double>(ticks));
  fmt::print("memory        {:.1f} MB\n", static_cast<double>(timed.bytes) / 1e6);
  return checked.conflicts == 0 ? kDone : kFailed;
}

}  // namespace

void add_steps(CLI::App& app, Action& action) {
  const auto options = std::make_shared<StepsOptions>();
  options->profile.moves = "four";
  CLI::App& command =
      *app.add_subcommand("steps", "many agents step by step, with new goals as they arrive");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("--agents", options->agents, "how many, at random places of the largest part");
  command.add_option("--ticks", options->ticks, "steps of each")->capture_default_str();
  command.add_option("--seed", options->seed, "of places, goals and ties")->capture_default_str();
  options->profile.add_to(command);
  set_action(command, action, options, run_steps);
}

}  // namespace octile::cli
