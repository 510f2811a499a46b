// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case_asker.hpp"

namespace octile::cli {
namespace {

// Of a straight step in Path::cost. Four-way steps cost 1 under every metric.
double cost_scale(const Profile& profile) {
  const bool four = profile.moves == Moves::four || profile.diagonal == Diagonal::never;
  return profile.metric == Metric::ten_fourteen && !four ? 10 : 1;
}

Metric metric_of(const CaseSettings& settings) {
  if (settings.diagonal_length() == 1) return Metric::chebyshev;
  if (settings.diagonal_length() == 1.4) return Metric::ten_fourteen;
  return Metric::octile;
}

Profile profile_of(const CaseWorld& world) {
  const CaseSettings& settings = world.settings();
  Profile profile;
  for (int letter = 0; letter < 256; ++letter) {
    profile.terrain_cost[letter] = world.letter_weight(static_cast<char>(letter));
  }
  profile.moves = settings.moves == 4 ? Moves::four : Moves::eight;
  profile.diagonal = settings.diagonal;
  profile.metric = metric_of(settings);
  profile.width = profile.height = settings.agent_size;
  return profile;
}

std::vector<Cell> cells_of(const Path& path) {
  return std::vector<Cell>(path.cells(), path.cells() + path.size());
}

}  // namespace

struct EngineAsker::Impl {
  CaseSettings settings;
  Engine engine;
  ProfileId profile = 0;
  Fault refused;  // the engine takes no such world
  bool edited = false;
  Searcher searcher;  // one for all questions: nothing may be left over from the last
  Path path;

  std::vector<CaseReply> ask(const CaseQuestion& question);
  CaseReply ask_solver(const View& view, const CaseQuestion& question, SolverId solver);
  std::string smooth_fault(const View& view, Query query, const CaseReply& reply);
};

EngineAsker::EngineAsker(const CaseWorld& world) : impl_(std::make_unique<Impl>()) {
  Impl& me = *impl_;
  me.settings = world.settings();
  MapDef definition;
  definition.width = world.width();
  definition.height = world.height();
  definition.first_cell = me.settings.origin;
  me.refused = me.engine.reset(definition);
  for (int y = 0; y < world.height() && !me.refused; ++y) {
    const std::string& row = world.rows()[y];
    const Rect rect{me.settings.origin.x, me.settings.origin.y + y, world.width(), 1};
    me.refused =
        me.engine.map().stamp(rect, reinterpret_cast<const uint8_t*>(row.data()), row.size());
  }
  if (!me.refused) me.refused = me.engine.add_profile(profile_of(world), &me.profile);
  if (!me.refused) me.refused = me.engine.commit();
}

EngineAsker::~EngineAsker() = default;

std::string EngineAsker::set(Cell cell, char letter) {
  if (impl_->refused) return impl_->refused.text;
  const Fault fault = impl_->engine.map().set_terrain(cell, static_cast<uint8_t>(letter));
  impl_->edited = true;
  return fault ? fault.text : "";
}

View EngineAsker::view() {
  if (impl_->refused) return View();
  if (impl_->edited) {
    impl_->refused = impl_->engine.commit();
    impl_->edited = false;
  }
  return impl_->refused ? View() : impl_->engine.view(impl_->profile);
}

std::vector<CaseReply> EngineAsker::ask(const CaseQuestion& question) {
  const View asked = view();
  std::vector<CaseReply> replies;
  if (asked.empty()) {
    CaseReply reply;
    reply.who = "engine";
    reply.status = name(impl_->refused.status);
    replies.push_back(reply);
    return replies;
  }
  for (SolverId solver = 0; solver < solver_count(); ++solver) {
    replies.push_back(impl_->ask_solver(asked, question, solver));
  }
  return replies;
}

std::string EngineAsker::would_block(const std::vector<Cell>& cells, const CaseQuestion& question,
                                     bool expected) {
  const View asked = view();
  if (asked.empty()) return impl_->refused.text;
  // 1. As a question of its own. Ends that are apart already cannot be parted.
  const CellPair pair{question.start, question.goals[0]};
  const bool apart = !asked.passable(pair.a) || asked.component(pair.a) != asked.component(pair.b);
  bool answer = false;
  if (const Fault fault =
          would_disconnect(impl_->searcher, asked, cells.data(), cells.size(), &pair, 1, &answer)) {
    return fault.text;
  }
  if (answer != (expected && !apart)) return fmt::format("would_disconnect says {}", answer);
  // 2. As a search with those cells blocked.
  Query query;
  query.start = pair.a;
  query.goal = pair.b;
  query.extra_blocked = cells.data();
  query.extra_blocked_count = cells.size();
  for (query.solver = 0; query.solver < solver_count(); ++query.solver) {
    find(impl_->searcher, asked, query, impl_->path);
    if ((impl_->path.status != Status::found) != expected) {
      return fmt::format("{}: status {} under the cells", solver_info(query.solver).name,
                         name(impl_->path.status));
    }
  }
  return "";
}

CaseReply EngineAsker::Impl::ask_solver(const View& view, const CaseQuestion& question,
                                        SolverId solver) {
  Query query;
  query.start = question.start;
  if (question.goals.size() == 1) {
    query.goal = question.goals[0];
  } else {
    query.goals = question.goals.data();
    query.goal_count = question.goals.size();
  }
  query.solver = solver;
  query.allow_partial = settings.allow_partial;
  query.goal_cover = settings.goal_cover;
  query.escape_start = settings.escape_start;
  query.snap_start = settings.snap_start;
  query.snap_goal = settings.snap_goal;
  // The limit is in the units of Path::cost.
  const double scale = cost_scale(view.profile());
  query.max_cost = settings.max_cost * scale;
  find(searcher, view, query, path);
  CaseReply reply;
  reply.who = solver_info(solver).name;
  reply.status = name(path.status);
  reply.cost = path.cost / scale;
  reply.cells = cells_of(path);
  reply.goal_index = path.goal_index;
  const uint64_t cost_units = path.cost_units;
  find(searcher, view, query, path);
  if (name(path.status) != reply.status || path.cost_units != cost_units ||
      cells_of(path) != reply.cells) {
    reply.fault = "the second answer differs from the first";
  }
  if (settings.smooth && reply.fault.empty()) reply.fault = smooth_fault(view, query, reply);
  return reply;
}

// A smoothed path keeps status, ends and cost; on uniform maps its segments are free lines, else
// the waypoints lie on the path that was found.
std::string EngineAsker::Impl::smooth_fault(const View& view, Query query, const CaseReply& reply) {
  query.smooth = true;
  query.output = Output::waypoints;
  find(searcher, view, query, path);
  const double scale = cost_scale(view.profile());
  if (name(path.status) != reply.status) {
    return fmt::format("smoothed: status {}", name(path.status));
  }
  if (path.size() == 0) return "";
  const std::vector<Cell> points = cells_of(path);
  if (!near(path.cost / scale, reply.cost)) return fmt::format("smoothed: cost {}", path.cost);
  if (points.front() != reply.cells.front() || points.back() != reply.cells.back()) {
    return "smoothed: the ends have moved";
  }
  if (!view.uniform()) {
    size_t at = 0;
    for (Cell point : points) {
      while (at < reply.cells.size() && reply.cells[at] != point) ++at;
      if (at == reply.cells.size()) return "smoothed: left the path on a weighted map";
    }
    return "";
  }
  for (size_t i = 1; i < points.size(); ++i) {
    if (!view.line_of_sight(points[i - 1], points[i])) {
      return fmt::format("smoothed: no free line from {} to {}", to_text(points[i - 1]),
                         to_text(points[i]));
    }
  }
  return "";
}

bool near(double a, double b) {
  return std::fabs(a - b) <= 1e-4 * std::max(1.0, std::max(std::fabs(a), std::fabs(b)));
}

std::string judge(const CaseWorld& world, const CaseQuestion& question, const Json& expected,
                  const CaseReply& reply) {
  const auto wrong = [&](const std::string& text) { return reply.who + ": " + text; };
  if (!reply.fault.empty()) return wrong(reply.fault);
  if (expected.contains("status")) {
    const std::string status = expected["status"].get<std::string>();
    if (reply.status != status) {
      return wrong(fmt::format("status {}, expected {}", reply.status, status));
    }
  }
  const bool found = reply.status == "found", partial = reply.status == "partial";
  if (!found && !partial) {
    return reply.cells.empty() ? "" : wrong("a path with status " + reply.status);
  }
  // 1. The path itself.
  double walked = 0;
  const std::string illegal = world.walk(reply.cells, &walked);
  if (!illegal.empty()) return wrong(illegal);
  if (!near(walked, reply.cost)) {
    return wrong(fmt::format("says cost {}, its steps cost {}", reply.cost, walked));
  }
  if (reply.cells[0] != question.start && !world.settings().snap_start) {
    return wrong("the path starts elsewhere");
  }
  if (found && !world.settings().snap_goal &&
      (reply.goal_index >= question.goals.size() ||
       !(reply.cells.back() == question.goals[reply.goal_index] ||
         (world.settings().goal_cover &&
          world.covers(reply.cells.back(), question.goals[reply.goal_index]))))) {
    return wrong("the path does not end at its goal");
  }
  std::vector<std::pair<int, int>> visited;
  for (Cell cell : reply.cells) visited.emplace_back(cell.x, cell.y);
  std::sort(visited.begin(), visited.end());
  if (std::adjacent_find(visited.begin(), visited.end()) != visited.end()) {
    return wrong("the path visits a cell twice");
  }
  // 2. What the case says about it.
  if (expected.contains("cost") && !expected["cost"].is_null()) {
    const double cost = read_number(expected["cost"], "the expected cost");
    if (!near(reply.cost, cost)) {
      return wrong(fmt::format("cost {}, expected {}", reply.cost, cost));
    }
  }
  if (expected.contains("end")) {
    const Cell end = read_cell(expected["end"], "the expected end");
    if (reply.cells.back() != end) {
      return wrong(
          fmt::format("ends at {}, expected {}", to_text(reply.cells.back()), to_text(end)));
    }
  }
  if (expected.contains("chosen_goal")) {
    const Cell goal = read_cell(expected["chosen_goal"], "the expected goal");
    if (reply.cells.back() != goal) {
      return wrong(
          fmt::format("went to {}, expected {}", to_text(reply.cells.back()), to_text(goal)));
    }
  }
  if (expected.contains("path") && expected.value("path_unique", false)) {
    std::vector<Cell> path;
    for (const Json& at : expected["path"]) path.push_back(read_cell(at, "a cell of the path"));
    if (path != reply.cells) return wrong("another path although only one is cheapest");
  }
  return "";
}

}  // namespace octile::cli
