// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile find: one path on one map.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "pictures/pictures.hpp"

namespace octile::cli {
namespace {

struct FindOptions {
  std::string map;
  std::string from;
  std::string to;
  std::string solver = "auto";
  ProfileOptions profile;
  bool partial = false;
  bool smooth = false;
  std::string max_expansions = "0";
  std::string max_cost = "inf";
  bool cover = false;
  bool escape = false;
  std::vector<std::string> block;
  std::vector<std::string> cost;
  bool json = false;
  std::string out;
  IndexSettings index;
};

// Wall-clock time of a query once the searcher is warm; a long one is timed as it was.
double query_us(Searcher& searcher, const View& view, const Query& query, Path& path) {
  using Clock = std::chrono::steady_clock;
  const auto once = [&] {
    const auto begin = Clock::now();
    find(searcher, view, query, path);
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  };
  double best = once();
  for (double spent = best; spent < 2e4;) {
    const double again = once();
    best = std::min(best, again);
    spent += again + 1;
  }
  return best;
}

// The cells where the direction changes, and both ends.
std::vector<Cell> turning_points(const Path& path) {
  std::vector<Cell> points;
  const Cell* cells = path.cells();
  for (size_t i = 0; i < path.size(); ++i) {
    const bool inner = i > 0 && i + 1 < path.size();
    if (inner && cells[i].x - cells[i - 1].x == cells[i + 1].x - cells[i].x &&
        cells[i].y - cells[i - 1].y == cells[i + 1].y - cells[i].y) {
      continue;
    }
    points.push_back(cells[i]);
  }
  return points;
}

std::string in_words(const std::vector<Cell>& points) {
  constexpr size_t kShown = 24;
  std::string text;
  for (size_t i = 0; i < points.size(); ++i) {
    if (points.size() > kShown && i == kShown / 2) {
      text += fmt::format(" ... {} more ...", points.size() - kShown);
      i = points.size() - kShown / 2;
    }
    text += fmt::format("{}({},{})", i == 0 ? "" : " ", points[i].x, points[i].y);
  }
  return text;
}

std::string to_json(const FindOptions& options, const Query& query, const Path& path,
                    double time_us) {
  nlohmann::ordered_json answer;
  answer["map"] = options.map;
  answer["from"] = {query.start.x, query.start.y};
  answer["to"] = {query.goal.x, query.goal.y};
  answer["status"] = name(path.status);
  answer["message"] = path.message;
  const bool has_path = path.status == Status::found || path.status == Status::partial;
  if (has_path) {
    answer["cost"] = path.cost;
    answer["cost_units"] = path.cost_units;
    if (path.bound > 1) answer["bound"] = path.bound;
  } else {
    answer["cost"] = nullptr;
    answer["cost_units"] = nullptr;
  }
  answer["expanded"] = path.expanded;
  answer["generated"] = path.generated;
  answer["time_us"] = time_us;
  answer["solver"] = solver_info(path.solver).name;
  answer[query.smooth ? "waypoints" : "cells"] = nlohmann::ordered_json::array();
  auto& cells = answer[query.smooth ? "waypoints" : "cells"];
  for (size_t i = 0; i < path.size(); ++i) {
    cells.push_back({path.cells()[i].x, path.cells()[i].y});
  }
  return answer.dump() + "\n";
}

std::string to_text(const Query& query, const Path& path, double time_us) {
  std::string text;
  text += fmt::format("status    {}\n", name(path.status));
  text += fmt::format("cost      {:.6f}\n", path.cost);
  if (path.bound > 1)
    text += fmt::format("bound     at most {:.4f} times the cheapest\n", path.bound);
  text += fmt::format("{:<9} {}\n", query.smooth ? "waypoints" : "cells", path.size());
  text += fmt::format("expanded  {}\n", path.expanded);
  text += fmt::format("time      {:.2f} us\n", time_us);
  text += fmt::format("solver    {}\n", solver_info(path.solver).name);
  text += fmt::format("path      {}\n", in_words(turning_points(path)));
  return text;
}

// The file of --out, by its extension.
std::string draw_answer(const View& view, const Path& path, const Trace& trace,
                        const std::string& kind) {
  pictures::Drawing drawing;
  drawing.view = view;
  drawing.routes.emplace_back(path);
  drawing.trace = &trace;
  drawing.title = fmt::format("{}: cost {:.3f}, {} expanded", solver_info(path.solver).name,
                              path.cost, path.expanded);
  std::string wrong;
  std::string bytes;
  if (kind == "svg") {
    wrong = pictures::draw_svg(drawing, pictures::DrawOptions(), bytes);
  } else if (kind == "png") {
    pictures::Image image;
    std::vector<uint8_t> png;
    wrong = pictures::draw(drawing, pictures::DrawOptions(), image);
    if (wrong.empty()) wrong = pictures::encode_png(image, png);
    bytes.assign(png.begin(), png.end());
  } else {
    std::vector<uint8_t> gif;
    wrong = pictures::animate({drawing}, pictures::AnimationOptions(), gif);
    bytes.assign(gif.begin(), gif.end());
  }
  if (!wrong.empty()) refuse("cannot draw the picture: {}", wrong);
  return bytes;
}

[[noreturn]] void no_path(const Query& query, const Path& path) {
  const bool bad_input = path.status == Status::start_out_of_bounds ||
                         path.status == Status::goal_out_of_bounds ||
                         path.status == Status::bad_argument;
  throw Failure{bad_input ? kBadInput : kFailed,
                fmt::format("no path from ({},{}) to ({},{}): {}: {}", query.start.x, query.start.y,
                            query.goal.x, query.goal.y, name(path.status), path.message)};
}

int run_find(const FindOptions& options) {
  // 1. Everything that can be wrong about the arguments, before any work.
  Query query;
  query.start = cell("--from", options.from);
  query.goal = cell("--to", options.to);
  query.solver = solver(options.solver);
  query.allow_partial = options.partial;
  query.max_expansions =
      static_cast<uint64_t>(whole_number("--max-expansions", options.max_expansions, 0, INT64_MAX));
  query.max_cost = real_number("--max-cost", options.max_cost, 0, true);
  query.goal_cover = options.cover;
  query.escape_start = options.escape;
  std::vector<Cell> blocked;
  for (const std::string& text : options.block) blocked.push_back(cell("--block", text));
  query.extra_blocked = blocked.data();
  query.extra_blocked_count = blocked.size();
  std::vector<ExtraCost> dearer;
  for (const std::string& text : options.cost) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) refuse("--cost must be X,Y=C, not '{}'", text);
    dearer.push_back({cell("--cost", text.substr(0, equals)),
                      real_number("--cost", text.substr(equals + 1), 0, false)});
  }
  query.extra_costs = dearer.data();
  query.extra_cost_count = dearer.size();
  if (options.smooth) {
    query.smooth = true;
    query.output = Output::waypoints;
  }
  const Profile profile = options.profile.profile();
  const std::string kind = extension(options.out);
  if (!options.out.empty() && kind != "png" && kind != "svg" && kind != "gif") {
    refuse("--out must end in .png, .svg or .gif, not '{}'", options.out);
  }
  Engine engine;
  load_map(options.map, engine);
  Indexes indexes(publish(engine, profile), options.index);
  const View view = indexes.view_for(query.solver).view;

  // 2. The answer.
  Searcher searcher;
  Path path;
  find(searcher, view, query, path);
  if (path.status != Status::found && path.status != Status::partial) {
    if (options.json && path.status != Status::bad_argument &&
        path.status != Status::start_out_of_bounds && path.status != Status::goal_out_of_bounds) {
      std::fputs(to_json(options, query, path, 0).c_str(), stdout);
    }
    no_path(query, path);
  }

  // 3. The picture comes before the report: if it cannot be written, nothing is.
  if (!options.out.empty()) {
    Trace trace;
    Query traced = query;
    traced.trace = &trace;
    Path again;
    find(searcher, view, traced, again);
    write_file(options.out, draw_answer(view, again, trace, kind));
  }
  const double time_us = query_us(searcher, view, query, path);
  std::fputs((options.json ? to_json(options, query, path, time_us) : to_text(query, path, time_us))
                 .c_str(),
             stdout);
  if (!options.out.empty() && !options.json) fmt::print("written   {}\n", options.out);
  return kDone;
}

}  // namespace

void add_find(CLI::App& app, Action& action) {
  const auto options = std::make_shared<FindOptions>();
  CLI::App& command = *app.add_subcommand("find", "find one path");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("--from", options->from, "X,Y of the start")->required();
  command.add_option("--to", options->to, "X,Y of the goal")->required();
  command.add_option("--solver", options->solver, "who answers; octile solvers lists them")
      ->capture_default_str();
  options->profile.add_to(command);
  command.add_flag("--partial", options->partial,
                   "without a path, go to the reached cell nearest to the goal");
  command.add_flag("--smooth", options->smooth, "waypoints pulled tight instead of cells");
  command
      .add_option("--max-expansions", options->max_expansions, "give up after so many (0: never)")
      ->capture_default_str();
  command.add_option("--max-cost", options->max_cost, "no path above this cost")
      ->capture_default_str();
  command.add_flag("--cover", options->cover, "arrive where the unit covers the goal");
  command.add_flag("--escape", options->escape,
                   "a unit that stands where it does not fit may leave");
  command.add_option("--block", options->block, "X,Y of a cell to be a wall for once; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--cost", options->cost, "X,Y=C: a cell that costs C more for once; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--json", options->json, "print the answer as JSON, every cell included");
  command.add_option("--out", options->out,
                     "also draw it: F.png, F.svg, or F.gif with the search animated");
  options->index.add_to(command, false);
  set_action(command, action, options, run_find);
}

}  // namespace octile::cli
