// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// StepPlanner: one PIBT step for each tick, and the order of the agents kept from tick to tick.
//
//   order_   on their way: by priority, then the longer on the way the earlier
//            larger units: then those on their way back, pushed off their goals
//            then those at their goals, and those without one
//
// After each tick the order is parted anew by counting, which keeps the order inside each part: an
// agent that arrives falls behind all that are on their way, and is the last of them when it gets
// another goal. A larger unit goes round others slowly. Were one that stands at its goal as early
// as before once it is pushed, it would drive away whoever comes past, again and again.

#include <algorithm>
#include <new>
#include <type_traits>

#include "agents/wide_pibt.hpp"
#include "octile/agents.hpp"
#include "world/file_text.hpp"

namespace octile {

const char* name(StepOutcome outcome) noexcept {
  switch (outcome) {
    case StepOutcome::moved:
      return "moved";
    case StepOutcome::waited:
      return "waited";
    case StepOutcome::pushed:
      return "pushed";
    case StepOutcome::blocked:
      return "blocked";
    case StepOutcome::pinned:
      return "pinned";
  }
  return "unknown";
}

namespace {

Fault about_agent(Status status, size_t agent, const char* what, Cell cell) noexcept {
  return world::fault_of(status, "agent ", agent, what, '(', cell.x, ',', cell.y, ')');
}

// What is known of the agents, whatever the number of moves.
struct Agents {
  Buffer<StepAgent> all;  // `cell` is that of the last reset or change of view
  Buffer<uint8_t> pinned;
  Buffer<uint8_t> unpushable;
  Buffer<uint8_t> priority;
  Buffer<uint8_t> reachable;
  Buffer<uint8_t> there;  // at the present goal: 2; 1: it was, and was pushed off
  Buffer<StepOutcome> outcomes;
  Buffer<uint64_t> left;  // steps to the goal
  Buffer<uint32_t> order;
  Buffer<uint32_t> parted;
  Buffer<uint16_t> part;
  uint64_t ticks = 0;
  uint64_t arrivals = 0;
  size_t on_the_way = 0;
  uint64_t least = UINT64_MAX;  // sum of distances
  uint64_t without_progress = 0;
};

}  // namespace

// One of three: units of one cell by four or eight moves, and all others; a virtual call for each
// call from outside.
struct StepPlanner::Impl {
  AgentKinds kinds;
  StepOptions options;
  Agents agents;

  AgentKind& kind(size_t agent) noexcept { return kinds[agents.all[agent].view]; }

  virtual ~Impl() = default;
  // Places all agents; false: memory is short.
  virtual bool begin() noexcept = 0;
  virtual bool set_goal(uint32_t agent, Vertex goal) noexcept = 0;
  virtual void step() noexcept = 0;
  virtual Vertex vertex(uint32_t agent) const noexcept = 0;
  virtual Vertex goal(uint32_t agent) const noexcept = 0;  // kNoVertex: none
  virtual size_t bytes() const noexcept = 0;
};

namespace {

template <class Moves>
struct Steps final : StepPlanner::Impl {
  bool begin() noexcept override {
    const auto count = static_cast<uint32_t>(agents.all.size());
    for (AgentKind& k : kinds) {
      k.tables.most_bytes = options.table_bytes / kinds.size();
      k.tables.whole = true;
    }
    Buffer<uint32_t> kind_of;
    if (!kind_of.resize(count)) return false;
    for (uint32_t i = 0; i < count; ++i) kind_of[i] = agents.all[i].view;
    if (!begin_moves(pibt, kinds, kind_of, options.seed) || !agents.pinned.resize(count) ||
        !agents.unpushable.resize(count) || !agents.priority.resize(count) ||
        !agents.part.resize(count) || !agents.reachable.assign(count, 0) ||
        !agents.there.assign(count, 0) || !agents.outcomes.assign(count, StepOutcome::waited) ||
        !agents.left.assign(count, 0) || !agents.order.resize(count) ||
        !agents.parted.resize(count))
      return false;
    for (uint32_t i = 0; i < count; ++i) {
      const StepAgent& a = agents.all[i];
      pibt.put(i, kind(i).graph.vertex(a.cell));
      agents.pinned[i] = a.pinned;
      agents.unpushable[i] = !a.pushable || a.pinned;
      agents.priority[i] = a.priority;
      agents.order[i] = i;
    }
    pibt.unpushable = agents.unpushable.data();
    pibt.place();
    for (uint32_t i = 0; i < count; ++i)
      if (agents.all[i].has_goal && !set_goal(i, kind(i).graph.vertex(agents.all[i].goal)))
        return false;
    // Farther ones first, once.
    std::sort(agents.order.begin(), agents.order.end(), [&](uint32_t a, uint32_t b) {
      return agents.left[a] != agents.left[b] ? agents.left[a] > agents.left[b] : a < b;
    });
    part();
    return true;
  }

  bool set_goal(uint32_t i, Vertex goal) noexcept override {
    GoalTables& tables = kind(i).tables;
    uint32_t table = GoalTables::kNone;
    uint64_t left = 0;
    if (goal != kNoVertex) {
      if ((table = tables.take(goal)) == GoalTables::kNone) return false;
      left = tables.way(table, pibt.vertex(i));
      if (left == GoalTables::kNoWay) {
        tables.give(table);
        table = GoalTables::kNone;
        left = 0;
      }
    }
    agents.reachable[i] = table != GoalTables::kNone;
    agents.left[i] = left;
    if (pibt.table(i) != GoalTables::kNone) tables.give(pibt.table(i));
    pibt.set_table(i, table);
    agents.there[i] = 0;
    agents.least = UINT64_MAX;
    agents.without_progress = 0;
    return true;
  }

  void step() noexcept override {
    const auto count = static_cast<uint32_t>(agents.all.size());
    // 1. Who may not move, first.
    for (uint32_t i = 0; i < count; ++i) {
      pibt.by_need[i] = 0;
      if (agents.pinned[i]) pibt.fix(i, pibt.vertex(i));
    }
    pibt.plan(agents.order.data());
    // 2. What became of it, without a guess: whether it was pinned, moved, asked, is at its goal.
    using enum StepOutcome;
    constexpr StepOutcome kOutcomes[16] = {blocked, waited, blocked, waited, moved,  moved,
                                           pushed,  pushed, pinned,  pinned, pinned, pinned,
                                           pinned,  pinned, pinned,  pinned};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t moves = pibt.next[i] != pibt.now[i];
      agents.outcomes[i] = kOutcomes[uint32_t{agents.pinned[i]} << 3 | moves << 2 |
                                     uint32_t{pibt.by_need[i]} << 1 | uint32_t{pibt.at_goal(i)}];
      const bool nearer = moves && pibt.has_goal(i);
      agents.left[i] += static_cast<uint64_t>(nearer ? int64_t{pibt.planned_step(i)} : 0);
      sum += agents.left[i];
    }
    pibt.advance();
    ++agents.ticks;
    if (sum < agents.least) {
      agents.least = sum;
      agents.without_progress = 0;
    } else {
      ++agents.without_progress;
    }
    part();
  }

  // The order of the next tick.
  void part() noexcept {
    const auto count = static_cast<uint32_t>(agents.all.size());
    // 256 priorities on their way, the high ones first; on their way back; arrived.
    constexpr uint32_t kParts = 258, kBack = 256, kContent = 257;
    constexpr bool kLarge = std::is_same_v<Moves, WidePibt>;
    uint32_t start[kParts + 1] = {};
    agents.on_the_way = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const bool content = pibt.at_goal(i), there = content && pibt.has_goal(i);
      agents.arrivals += there && agents.there[i] != 2;
      agents.there[i] = there ? 2 : agents.there[i] > 0;
      agents.on_the_way += !content;
      agents.part[i] =
          static_cast<uint16_t>(content                         ? kContent
                                : kLarge && agents.there[i] > 0 ? kBack
                                                                : 255u - agents.priority[i]);
      ++start[agents.part[i] + 1];
    }
    for (uint32_t p = 0; p < kParts; ++p) start[p + 1] += start[p];
    for (const uint32_t i : agents.order) agents.parted[start[agents.part[i]]++] = i;
    agents.order.swap(agents.parted);
  }

  Vertex vertex(uint32_t i) const noexcept override { return pibt.vertex(i); }
  Vertex goal(uint32_t i) const noexcept override { return pibt.goal(i); }
  size_t bytes() const noexcept override { return pibt.bytes(); }

  Moves pibt;
};

StepPlanner::Impl* planner_for(const AgentKinds& kinds) noexcept {
  if (!kinds.plain()) return new (std::nothrow) Steps<WidePibt>;
  if (kinds[0].graph.stride == 4) return new (std::nothrow) Steps<Pibt<4>>;
  return new (std::nothrow) Steps<Pibt<8>>;
}

// A planner for these agents on these views.
Fault start(const View* views, size_t view_count, const StepAgent* list, size_t count,
            const StepOptions& options, StepPlanner::Impl** out) noexcept {
  if (count > 0 && !list) return fault(Status::bad_argument, "reset needs agents");
  if (count >= kNoAgent / 4) return fault(Status::bad_argument, "too many agents");
  AgentKinds kinds;
  if (Fault f = kinds.build(views, view_count, "the steps")) return f;
  CoveredCells covered;
  if (!covered.begin(views[0])) return no_memory_for("the steps");
  for (size_t i = 0; i < count; ++i) {
    const StepAgent& a = list[i];
    if (a.view >= view_count)
      return about_agent(Status::bad_argument, i, " names a view that is not there, on ", a.cell);
    const AgentKind& kind = kinds[a.view];
    if (!kind.view.contains(a.cell))
      return about_agent(Status::start_out_of_bounds, i, " stands outside the map, on ", a.cell);
    if (kind.graph.vertex(a.cell) == kNoVertex)
      return about_agent(Status::start_blocked, i, " stands in a wall, on ", a.cell);
    if (!covered.add(kind.view.profile(), a.cell))
      return about_agent(Status::bad_argument, i, " stands where another one does, on ", a.cell);
    if (!a.has_goal) continue;
    if (!kind.view.contains(a.goal))
      return about_agent(Status::goal_out_of_bounds, i, " has a goal outside the map, ", a.goal);
    if (kind.graph.vertex(a.goal) == kNoVertex)
      return about_agent(Status::goal_blocked, i, " has a wall as goal, ", a.goal);
  }
  StepPlanner::Impl* impl = planner_for(kinds);
  if (!impl) return no_memory_for("the steps");
  impl->kinds.swap(kinds);
  impl->options = options;
  if (!impl->agents.all.resize(count)) {
    delete impl;
    return no_memory_for("the steps");
  }
  std::copy(list, list + count, impl->agents.all.begin());
  if (!impl->begin()) {
    delete impl;
    return no_memory_for("the steps");
  }
  *out = impl;
  return {};
}

}  // namespace

StepPlanner::~StepPlanner() {
  delete impl_;
}
StepPlanner::StepPlanner(StepPlanner&& other) noexcept {
  std::swap(impl_, other.impl_);
}
StepPlanner& StepPlanner::operator=(StepPlanner&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Fault StepPlanner::reset(const View* views, size_t view_count, const StepAgent* agents,
                         size_t count, const StepOptions& options) noexcept {
  Impl* fresh = nullptr;
  if (const Fault f = start(views, view_count, agents, count, options, &fresh)) return f;
  delete impl_;
  impl_ = fresh;
  return {};
}

Fault StepPlanner::change_view(const View* views, size_t view_count) noexcept {
  if (!impl_) return fault(Status::bad_argument, "reset the planner first");
  if (!views || view_count != impl_->kinds.size())
    return fault(Status::bad_argument, "as many views are needed as at the reset");
  const size_t count = agents();
  Buffer<StepAgent> list;
  if (!list.resize(count)) return no_memory_for("the steps");
  for (size_t i = 0; i < count; ++i) {
    list[i] = impl_->agents.all[i];
    list[i].cell = cell(i);
    // A goal in a new wall waits for better times.
    list[i].has_goal = list[i].has_goal && views[list[i].view].passable(list[i].goal);
  }
  Impl* fresh = nullptr;
  if (const Fault f = start(views, view_count, list.data(), count, impl_->options, &fresh))
    return f;
  for (size_t i = 0; i < count; ++i) {
    fresh->agents.all[i].has_goal = impl_->agents.all[i].has_goal;
    fresh->agents.order[i] = impl_->agents.order[i];
  }
  fresh->agents.ticks = impl_->agents.ticks;
  fresh->agents.arrivals = impl_->agents.arrivals;
  delete impl_;
  impl_ = fresh;
  return {};
}

Fault StepPlanner::set_goal(size_t agent, Cell goal) noexcept {
  if (agent >= agents()) return fault(Status::bad_argument, "there is no such agent");
  const AgentKind& kind = impl_->kind(agent);
  if (!kind.view.contains(goal))
    return about_agent(Status::goal_out_of_bounds, agent, " has a goal outside the map, ", goal);
  const Vertex v = kind.graph.vertex(goal);
  if (v == kNoVertex)
    return about_agent(Status::goal_blocked, agent, " has a wall as goal, ", goal);
  if (!impl_->set_goal(static_cast<uint32_t>(agent), v)) return no_memory_for("the steps");
  impl_->agents.all[agent].goal = goal;
  impl_->agents.all[agent].has_goal = true;
  return {};
}
Fault StepPlanner::clear_goal(size_t agent) noexcept {
  if (agent >= agents()) return fault(Status::bad_argument, "there is no such agent");
  impl_->set_goal(static_cast<uint32_t>(agent), kNoVertex);
  impl_->agents.all[agent].has_goal = false;
  return {};
}
Fault StepPlanner::set_pinned(size_t agent, bool pinned) noexcept {
  if (agent >= agents()) return fault(Status::bad_argument, "there is no such agent");
  StepAgent& a = impl_->agents.all[agent];
  a.pinned = pinned;
  impl_->agents.pinned[agent] = a.pinned;
  impl_->agents.unpushable[agent] = !a.pushable || a.pinned;
  return {};
}
Fault StepPlanner::set_pushable(size_t agent, bool pushable) noexcept {
  if (agent >= agents()) return fault(Status::bad_argument, "there is no such agent");
  StepAgent& a = impl_->agents.all[agent];
  a.pushable = pushable;
  impl_->agents.pinned[agent] = a.pinned;
  impl_->agents.unpushable[agent] = !a.pushable || a.pinned;
  return {};
}
Fault StepPlanner::set_priority(size_t agent, uint8_t priority) noexcept {
  if (agent >= agents()) return fault(Status::bad_argument, "there is no such agent");
  impl_->agents.all[agent].priority = impl_->agents.priority[agent] = priority;
  return {};
}

Fault StepPlanner::step() noexcept {
  if (!impl_) return fault(Status::bad_argument, "reset the planner first");
  impl_->step();
  return {};
}

size_t StepPlanner::agents() const noexcept {
  return impl_ ? impl_->agents.all.size() : 0;
}
Cell StepPlanner::cell(size_t agent) const noexcept {
  return impl_->kind(agent).graph.cell(impl_->vertex(static_cast<uint32_t>(agent)));
}
Cell StepPlanner::goal(size_t agent) const noexcept {
  const Vertex v = impl_->goal(static_cast<uint32_t>(agent));
  return v == kNoVertex ? cell(agent) : impl_->kind(agent).graph.cell(v);
}
StepOutcome StepPlanner::outcome(size_t agent) const noexcept {
  return impl_->agents.outcomes[agent];
}
bool StepPlanner::arrived(size_t agent) const noexcept {
  return impl_->agents.reachable[agent] &&
         impl_->goal(static_cast<uint32_t>(agent)) == impl_->vertex(static_cast<uint32_t>(agent));
}
bool StepPlanner::reachable(size_t agent) const noexcept {
  return impl_->agents.reachable[agent];
}
uint64_t StepPlanner::steps_left(size_t agent) const noexcept {
  return impl_->agents.left[agent];
}
uint64_t StepPlanner::ticks() const noexcept {
  return impl_ ? impl_->agents.ticks : 0;
}
uint64_t StepPlanner::arrivals() const noexcept {
  return impl_ ? impl_->agents.arrivals : 0;
}
size_t StepPlanner::on_the_way() const noexcept {
  return impl_ ? impl_->agents.on_the_way : 0;
}
bool StepPlanner::stalled() const noexcept {
  return impl_ && impl_->agents.on_the_way > 0 &&
         impl_->agents.without_progress >= impl_->options.patience;
}
size_t StepPlanner::memory_bytes() const noexcept {
  if (!impl_) return 0;
  const Agents& a = impl_->agents;
  return impl_->bytes() + impl_->kinds.bytes() + a.all.bytes() + a.pinned.bytes() +
         a.unpushable.bytes() + a.priority.bytes() + a.part.bytes() + a.reachable.bytes() +
         a.there.bytes() + a.outcomes.bytes() + a.left.bytes() + a.order.bytes() + a.parted.bytes();
}

}  // namespace octile
