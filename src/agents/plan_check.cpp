// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// check_plan(): the plainest code that tells whether a plan is one. It knows the public face only,
// and asks it cell by cell; nothing here is shared with the planners. Conflicts of a tick are found
// by the tables of who stands where, before and after it: an agent that passes through another one
// moves over cells where that one stood.

#include "agents/agent_kinds.hpp"
#include "octile/agents.hpp"
#include "octile/detail/buffer.hpp"
#include "world/file_text.hpp"

namespace octile {

const char* name(PlanDefect defect) noexcept {
  switch (defect) {
    case PlanDefect::none:
      return "none";
    case PlanDefect::wrong_size:
      return "wrong_size";
    case PlanDefect::wrong_start:
      return "wrong_start";
    case PlanDefect::blocked:
      return "blocked";
    case PlanDefect::jump:
      return "jump";
    case PlanDefect::corner_cut:
      return "corner_cut";
    case PlanDefect::vertex:
      return "vertex";
    case PlanDefect::swap:
      return "swap";
    case PlanDefect::crossing:
      return "crossing";
    case PlanDefect::left_goal:
      return "left_goal";
    case PlanDefect::wrong_goal:
      return "wrong_goal";
  }
  return "unknown";
}

namespace {

using detail::Buffer;
using world::Message;

constexpr uint32_t kNobody = 0xffffffff;

class Checker {
 public:
  Checker(const View* views, size_t view_count, const AgentTask* tasks, const Plan& plan,
          bool any_goal, PlanReport* report) noexcept
      : views_(views),
        view_count_(view_count),
        tasks_(tasks),
        plan_(plan),
        any_goal_(any_goal),
        report_(*report),
        first_(views->first_cell()),
        width_(static_cast<size_t>(views->width())),
        count_(width_ * static_cast<size_t>(views->height())) {}

  // False: memory is short.
  bool run() noexcept {
    if (!free_.resize(view_count_ * count_) || !before_.assign(count_, kNobody) ||
        !after_.assign(count_, kNobody) || (any_goal_ && !is_goal_.assign(count_, 0)))
      return false;
    for (size_t k = 0; k < view_count_; ++k)
      for (size_t i = 0; i < count_; ++i) free_[k * count_ + i] = views_[k].passable(cell(i));
    for (size_t t = 0; t < plan_.rows(); ++t) {
      if (!check_places(t) || (t > 0 && !check_moves(t))) return true;
      for (size_t i = 0; t > 0 && i < plan_.agents(); ++i)
        each_cell(box(t - 1, i), [&](size_t at) { before_[at] = kNobody; });
      before_.swap(after_);
    }
    return !check_goals() || measure();
  }

 private:
  size_t index(Cell c) const noexcept {
    return static_cast<size_t>(c.y - first_.y) * width_ + static_cast<size_t>(c.x - first_.x);
  }
  Cell cell(size_t index) const noexcept {
    return {first_.x + static_cast<int32_t>(index % width_),
            first_.y + static_cast<int32_t>(index / width_)};
  }
  bool is_free(size_t agent, Cell c) const noexcept {
    return views_[0].contains(c) && free_[tasks_[agent].view * count_ + index(c)];
  }
  const Profile& profile(size_t agent) const noexcept {
    return views_[tasks_[agent].view].profile();
  }
  bool four(size_t agent) const noexcept {
    return profile(agent).moves == Moves::four || profile(agent).diagonal == Diagonal::never;
  }
  // The cells that an agent covers; its place is free.
  Rect box(size_t t, size_t agent) const noexcept {
    const Profile& p = profile(agent);
    const Cell at = plan_.at(t, agent);
    return {at.x - p.anchor.x, at.y - p.anchor.y, p.width, p.height};
  }
  template <class Visit>
  void each_cell(const Rect& r, Visit visit) const noexcept {
    for (int32_t y = r.y; y < r.y + r.height; ++y)
      for (int32_t x = r.x; x < r.x + r.width; ++x) visit(index({x, y}));
  }

  // False, for those who return it.
  bool report(PlanDefect defect, size_t tick, size_t agent, size_t other,
              const char* what) noexcept {
    report_.defect = defect;
    report_.tick = tick;
    report_.agent = agent;
    report_.other = other;
    Message text;
    text.add_all("tick ", tick, ": agent ", agent, what);
    if (other != agent) text.add_all(" agent ", other);
    const Cell at = plan_.at(tick, agent);
    text.add_all(", at (", at.x, ',', at.y, ')');
    std::memcpy(report_.text, text.done().text, sizeof report_.text);
    return false;
  }

  // Who stands where after tick t; vertex conflicts, walls, starts.
  bool check_places(size_t t) noexcept {
    for (size_t i = 0; i < plan_.agents(); ++i) {
      const Cell at = plan_.at(t, i);
      if (!is_free(i, at))
        return report(PlanDefect::blocked, t, i, i, " stands in a wall or outside");
      if (t == 0 && at != tasks_[i].start)
        return report(PlanDefect::wrong_start, t, i, i, " does not begin at its start");
      uint32_t other = kNobody;
      each_cell(box(t, i), [&](size_t cell) {
        if (after_[cell] != kNobody) other = after_[cell];
        after_[cell] = static_cast<uint32_t>(i);
      });
      if (other != kNobody)
        return report(PlanDefect::vertex, t, i, other, " stands on the cell of");
    }
    return true;
  }

  // May an agent that stands on `from` step by (dx, dy)? Both ends are free.
  bool corner_allows(size_t agent, Cell from, int32_t dx, int32_t dy) const noexcept {
    if (dx == 0 || dy == 0) return true;
    const int sides = is_free(agent, {from.x + dx, from.y}) + is_free(agent, {from.x, from.y + dy});
    switch (profile(agent).diagonal) {
      case Diagonal::always:
        return true;
      case Diagonal::at_most_one_obstacle:
        return sides >= 1;
      case Diagonal::no_obstacles:
        return sides == 2;
      case Diagonal::never:
        return false;
    }
    return false;
  }

  // Half way from row t - 1 to row t: do the two overlap by a cell or more in both directions?
  // Twice the coordinates, so that they are whole numbers.
  bool pass_through(size_t t, size_t one, size_t other) const noexcept {
    const Rect a = box(t - 1, one), b = box(t, one);
    const Rect c = box(t - 1, other), d = box(t, other);
    const int32_t left = a.x + b.x, left2 = c.x + d.x, top = a.y + b.y, top2 = c.y + d.y;
    return left + 2 * a.width >= left2 + 2 && left2 + 2 * c.width >= left + 2 &&
           top + 2 * a.height >= top2 + 2 && top2 + 2 * c.height >= top + 2;
  }

  bool check_moves(size_t t) noexcept {
    for (size_t i = 0; i < plan_.agents(); ++i) {
      const Cell from = plan_.at(t - 1, i), to = plan_.at(t, i);
      const int64_t dx = int64_t{to.x} - from.x, dy = int64_t{to.y} - from.y;
      if (dx == 0 && dy == 0) continue;
      const bool near = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1;
      if (!near || (four(i) && dx != 0 && dy != 0))
        return report(PlanDefect::jump, t, i, i, " comes to a cell that is no neighbour");
      if (!corner_allows(i, from, static_cast<int32_t>(dx), static_cast<int32_t>(dy)))
        return report(PlanDefect::corner_cut, t, i, i, " cuts a corner");
      // Who stood on the cells that the move spans? The first by row, as everything here.
      const Rect a = box(t - 1, i), b = box(t, i);
      const int32_t x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
      uint32_t other = kNobody;
      each_cell({x, y, a.width + (dx != 0), a.height + (dy != 0)}, [&](size_t cell) {
        const uint32_t who = before_[cell];
        if (other == kNobody && who != kNobody && who != i && pass_through(t, i, who)) other = who;
      });
      if (other == kNobody) continue;
      const Cell from2 = plan_.at(t - 1, other), to2 = plan_.at(t, other);
      if (to2.x - from2.x == -dx && to2.y - from2.y == -dy)
        return report(PlanDefect::swap, t, i, other, " changes places with");
      return report(PlanDefect::crossing, t, i, other, " crosses the way of");
    }
    return true;
  }

  // Where the agent has to be at last.
  Cell goal_of(size_t agent) const noexcept {
    return any_goal_ ? plan_.at(plan_.ticks(), agent) : tasks_[agent].goal;
  }

  bool check_goals() noexcept {
    const size_t last = plan_.ticks();
    if (any_goal_) {
      // Nobody shares a cell: when each agent stands on a goal, all are taken.
      for (size_t i = 0; i < plan_.agents(); ++i)
        if (is_free(i, tasks_[i].goal)) is_goal_[index(tasks_[i].goal)] = 1;
      for (size_t i = 0; i < plan_.agents(); ++i)
        if (!is_goal_[index(plan_.at(last, i))])
          return report(PlanDefect::wrong_goal, last, i, i, " does not end on a goal");
      return true;
    }
    for (size_t i = 0; i < plan_.agents(); ++i) {
      const Cell goal = tasks_[i].goal;
      if (plan_.at(last, i) == goal) continue;
      for (size_t t = 0; t < last; ++t)
        if (plan_.at(t, i) == goal)
          return report(PlanDefect::left_goal, last, i, i, " has left its goal for good");
      return report(PlanDefect::wrong_goal, last, i, i, " never comes to its goal");
    }
    return true;
  }

  // Costs, and shortest ways by a search from each start. False: memory is short.
  bool measure() noexcept {
    if (!queue_.resize(count_) || !seen_.assign(count_, kNobody)) return false;
    PlanCosts& costs = report_.costs;
    for (size_t i = 0; i < plan_.agents(); ++i) {
      const Cell goal = goal_of(i);
      uint64_t settled = 0;
      for (size_t t = 1; t < plan_.rows(); ++t) {
        if (plan_.at(t - 1, i) == goal && plan_.at(t, i) == goal) continue;
        ++costs.sum_of_loss;
        settled = t;
      }
      costs.sum_of_costs += settled;
      if (settled > costs.makespan) costs.makespan = settled;
      const uint64_t way = shortest_way(static_cast<uint32_t>(i));
      costs.sum_bound += way;
      if (way > costs.makespan_bound) costs.makespan_bound = way;
    }
    return true;
  }
  // In ticks, to its goal or to any; the plan has shown that there is one.
  uint64_t shortest_way(uint32_t agent) noexcept {
    size_t tail = 0;
    if (any_goal_ && is_goal_[index(tasks_[agent].start)]) return 0;
    size_t goal = index(goal_of(agent));
    queue_[tail++] = static_cast<uint32_t>(index(tasks_[agent].start));
    seen_[queue_[0]] = agent;
    uint64_t ticks = 0;
    for (size_t head = 0, end = tail; seen_[goal] != agent; end = tail, ++ticks) {
      for (; head < end; ++head) {
        const Cell from = cell(queue_[head]);
        for (int32_t dy = -1; dy <= 1; ++dy) {
          for (int32_t dx = -1; dx <= 1; ++dx) {
            const Cell to{from.x + dx, from.y + dy};
            if (!is_free(agent, to) || (four(agent) && dx != 0 && dy != 0)) continue;
            const size_t at = index(to);
            if (seen_[at] == agent || !corner_allows(agent, from, dx, dy)) continue;
            seen_[at] = agent;
            queue_[tail++] = static_cast<uint32_t>(at);
            if (any_goal_ && is_goal_[at]) goal = at;
          }
        }
      }
    }
    return ticks;
  }

  const View* const views_;
  const size_t view_count_;
  const AgentTask* tasks_;
  const Plan& plan_;
  const bool any_goal_;
  PlanReport& report_;
  const Cell first_;
  const size_t width_;
  const size_t count_;
  Buffer<uint8_t> free_;  // by view, by cell
  Buffer<uint32_t> before_;
  Buffer<uint32_t> after_;
  Buffer<uint8_t> is_goal_;  // by cell, when goals are for anybody
  Buffer<uint32_t> queue_;   // of shortest_way()
  Buffer<uint32_t> seen_;    // by cell: the agent whose search was here last
};

}  // namespace

Fault check_plan(const View* views, size_t view_count, const AgentTask* tasks, size_t agents,
                 const Plan& plan, PlanReport* report, bool any_goal) noexcept {
  if (!report || (agents > 0 && !tasks))
    return world::fault_of(Status::bad_argument, "check_plan needs tasks and a report");
  *report = PlanReport{};
  if (const char* wrong = refuse_kinds(views, view_count))
    return world::fault_of(Status::bad_argument, wrong);
  if (any_goal && view_count > 1)
    return world::fault_of(Status::bad_argument, "goals for anybody are for agents of one view");
  const View& view = views[0];
  if (view.absent_tiles())
    return world::fault_of(Status::not_loaded, "tiles of the map are absent: plans need it whole");
  for (size_t i = 0; i < agents; ++i)
    if (tasks[i].view >= view_count)
      return world::fault_of(Status::bad_argument, "agent ", i, " names a view that is not there");
  if (agents >= kNobody ||
      static_cast<uint64_t>(view.width()) * static_cast<uint64_t>(view.height()) >= kNobody)
    return world::fault_of(Status::bad_argument, "too many agents or cells");
  if (plan.agents() != agents || plan.rows() == 0) {
    report->defect = PlanDefect::wrong_size;
    Message text;
    text.add_all("the plan has ", plan.rows(), " rows of ", plan.agents(), " agents; there are ",
                 agents, " tasks");
    std::memcpy(report->text, text.done().text, sizeof report->text);
    return {};
  }
  if (!Checker(views, view_count, tasks, plan, any_goal, report).run())
    return world::fault_of(Status::out_of_memory, "no memory to check the plan");
  return {};
}

}  // namespace octile
