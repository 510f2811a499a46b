// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// make_plan(): checks, tables, LaCAM, refinement; and the Plan itself.

#include <algorithm>

#include "agents/lacam.hpp"
#include "agents/refine.hpp"
#include "engine/view.hpp"
#include "world/file_text.hpp"

namespace octile {

Plan::~Plan() {
  ::operator delete(cells_);
}
Plan::Plan(Plan&& other) noexcept {
  *this = std::move(other);
}
Plan& Plan::operator=(Plan&& other) noexcept {
  std::swap(cells_, other.cells_);
  std::swap(agents_, other.agents_);
  std::swap(rows_, other.rows_);
  std::swap(capacity_, other.capacity_);
  return *this;
}
Cell* Plan::resize(size_t rows, size_t agents) noexcept {
  if (agents > 0 && rows > SIZE_MAX / 2 / sizeof(Cell) / agents) return nullptr;
  const size_t count = rows * agents;
  if (count > capacity_ || !cells_) {
    const size_t room = count > 0 ? count : 1;
    void* fresh = ::operator new(room * sizeof(Cell), std::nothrow);
    if (!fresh) return nullptr;
    ::operator delete(cells_);
    cells_ = static_cast<Cell*>(fresh);
    capacity_ = room;
  }
  rows_ = rows;
  agents_ = agents;
  return cells_;
}

const char* name(PlanStatus status) noexcept {
  switch (status) {
    case PlanStatus::none:
      return "none";
    case PlanStatus::feasible:
      return "feasible";
    case PlanStatus::optimal:
      return "optimal";
    case PlanStatus::infeasible:
      return "infeasible";
    case PlanStatus::limit_reached:
      return "limit_reached";
    case PlanStatus::cancelled:
      return "cancelled";
  }
  return "unknown";
}

namespace {

const Fault kNoMemory = no_memory_for("the plan");

Fault about_agent(Status status, size_t agent, Cell cell, const char* what) noexcept {
  return world::fault_of(status, "agent ", agent, what, '(', cell.x, ',', cell.y, ')');
}

// What make_plan() works on, for any number of moves.
struct Problem {
  AgentGraph graph;
  Buffer<Vertex> starts;
  Buffer<Vertex> goals;
};

Fault read_tasks(const View& view, const AgentTask* tasks, size_t agents, Problem* problem,
                 bool* one_goal_each) noexcept {
  if (!problem->starts.resize(agents) || !problem->goals.resize(agents)) return kNoMemory;
  Buffer<uint32_t> starts_at, goals_at;
  if (!starts_at.assign(problem->graph.size, kNoAgent) ||
      !goals_at.assign(problem->graph.size, kNoAgent))
    return kNoMemory;
  *one_goal_each = true;
  for (size_t i = 0; i < agents; ++i) {
    const auto [start, goal] = tasks[i];
    if (!view.contains(start))
      return about_agent(Status::start_out_of_bounds, i, start, " starts outside the map, on ");
    if (!view.contains(goal))
      return about_agent(Status::goal_out_of_bounds, i, goal, " has a goal outside the map, ");
    const Vertex s = problem->starts[i] = problem->graph.vertex(start);
    const Vertex g = problem->goals[i] = problem->graph.vertex(goal);
    if (s == kNoVertex)
      return about_agent(Status::start_blocked, i, start, " starts in a wall, on ");
    if (g == kNoVertex) return about_agent(Status::goal_blocked, i, goal, " has a wall as goal, ");
    if (starts_at[s] != kNoAgent)
      return about_agent(Status::bad_argument, i, start, " starts where another one does, on ");
    starts_at[s] = static_cast<uint32_t>(i);
    *one_goal_each = *one_goal_each && goals_at[g] == kNoAgent;
    goals_at[g] = static_cast<uint32_t>(i);
  }
  return {};
}

PlanCosts costs_of(const Plan& plan, const PlanCosts& bounds) noexcept {
  PlanCosts costs = bounds;
  costs.makespan = costs.sum_of_costs = costs.sum_of_loss = 0;
  if (plan.rows() == 0) return costs;
  const Cell* goals = plan.row(plan.ticks());
  for (size_t i = 0; i < plan.agents(); ++i) {
    uint64_t last = 0;
    bool there = plan.at(0, i) == goals[i];
    for (size_t t = 1; t < plan.rows(); ++t) {
      const bool was = there;
      there = plan.at(t, i) == goals[i];
      if (was && there) continue;
      last = t;
      ++costs.sum_of_loss;
    }
    costs.sum_of_costs += last;
    costs.makespan = std::max(costs.makespan, last);
  }
  return costs;
}

template <uint32_t kStride>
Fault solve(Problem& problem, size_t agents, const PlanOptions& options, Plan* plan,
            PlanAnswer* answer) noexcept {
  GoalTables tables;
  Pibt<kStride> pibt;
  if (!tables.begin(problem.graph) || !pibt.begin(problem.graph, tables, agents, options.seed))
    return kNoMemory;

  // 1. Distances, bounds and the order of the start: the farther first.
  Buffer<uint64_t> far, shortest;
  Buffer<uint32_t> order;
  if (!far.resize(agents) || !shortest.resize(agents) || !order.resize(agents)) return kNoMemory;
  bool connected = true;
  for (uint32_t i = 0; i < agents; ++i) {
    if ((pibt.table[i] = tables.take(problem.goals[i])) == GoalTables::kNone) return kNoMemory;
    const uint64_t d = tables.way(pibt.table[i], problem.starts[i]);
    if (d == GoalTables::kNoWay) {
      connected = false;
      break;
    }
    answer->costs.sum_bound += d;
    answer->costs.makespan_bound = std::max(answer->costs.makespan_bound, d);
    shortest[i] = d;
    far[i] = d << 32 | (kNoAgent - i);
  }
  if (!connected) {
    plan->clear();
    answer->costs = PlanCosts{};
    answer->status = PlanStatus::infeasible;
    return {};
  }
  std::sort(far.begin(), far.end());
  for (size_t k = 0; k < agents; ++k)
    order[k] = kNoAgent - static_cast<uint32_t>(far[agents - 1 - k]);
  far.release();

  // 2. The first plan.
  Lacam<kStride> lacam;
  if (!lacam.begin(problem.graph, pibt, problem.starts.data(), problem.goals.data(), order.data(),
                   agents, options.objective, answer->costs.sum_bound, options.improve > 0,
                   options.seed))
    return kNoMemory;
  Limits limits;
  limits.cancel = options.cancel;
  limits.progress = options.progress;
  limits.user = options.user;
  if (options.seconds > 0) limits.deadline = steady_seconds() + options.seconds;
  if (options.max_configurations) limits.work = options.max_configurations;
  const auto memory = [&] {
    return options.max_bytes > tables.bytes() ? options.max_bytes - tables.bytes() : 0;
  };
  limits.max_bytes = memory();
  SearchEnd end = lacam.run(limits, false);
  answer->first_configurations = answer->configurations = lacam.configurations();
  answer->table_bytes = tables.bytes();
  answer->peak_bytes = problem.graph.bytes() + tables.bytes() + pibt.bytes() + lacam.bytes();
  if (end == SearchEnd::no_memory) return kNoMemory;
  if (!lacam.solved()) {
    plan->clear();
    answer->status = end == SearchEnd::exhausted   ? PlanStatus::infeasible
                     : end == SearchEnd::cancelled ? PlanStatus::cancelled
                                                   : PlanStatus::limit_reached;
    return {};
  }
  // LaCAM*: better ones, until nothing is left to look at.
  if (options.improve > 0 && end == SearchEnd::solved) {
    limits.work = options.improve > UINT64_MAX - lacam.configurations()
                      ? UINT64_MAX
                      : lacam.configurations() + options.improve;
    end = lacam.run(limits, true);
    answer->configurations = lacam.configurations();
    answer->improved = lacam.improved();
    answer->peak_bytes = problem.graph.bytes() + tables.bytes() + pibt.bytes() + lacam.bytes();
    if (end == SearchEnd::no_memory) return kNoMemory;
  }
  const uint64_t bound = options.objective == PlanObjective::makespan ? answer->costs.makespan_bound
                                                                      : answer->costs.sum_bound;
  const bool optimal = end == SearchEnd::exhausted || lacam.cost() == bound;
  answer->status = optimal ? PlanStatus::optimal : PlanStatus::feasible;

  const size_t rows = lacam.rows();
  Buffer<Vertex> steps;
  if (!steps.resize(rows * agents)) return kNoMemory;
  lacam.each([&](size_t row, size_t i, Vertex v) { steps[row * agents + i] = v; });
  lacam.release();

  // 3. Refinement.
  Refiner refiner;
  const bool refine = options.refine > 0 && !optimal && end != SearchEnd::cancelled;
  if (refine) {
    if (!refiner.begin(problem.graph, tables, pibt.table.data(), shortest.data(), agents,
                       options.seed))
      return kNoMemory;
    for (size_t t = 0; t < rows; ++t)
      if (!refiner.add_row(steps.data() + t * agents)) return kNoMemory;
    if (!refiner.finish_rows()) return kNoMemory;
    steps.release();
    answer->first_sum_of_costs = refiner.sum_of_costs();
    limits.work = options.refine;
    limits.max_bytes = SIZE_MAX;
    if (refiner.run(limits) == SearchEnd::no_memory) return kNoMemory;
    answer->improved += refiner.improved();
    answer->rounds = refiner.rounds();
    answer->peak_bytes = std::max(answer->peak_bytes, problem.graph.bytes() + tables.bytes() +
                                                          pibt.bytes() + refiner.bytes());
  }

  // 4. The plan itself. The tables are given back first: together they would be the peak.
  tables.release();
  const size_t ticks = refine ? refiner.rows() : rows;
  Cell* cells = plan->resize(ticks, agents);
  if (!cells) return kNoMemory;
  for (size_t t = 0; t < ticks; ++t)
    for (uint32_t i = 0; i < agents; ++i)
      cells[t * agents + i] = problem.graph.cell(refine ? refiner.at(i, t) : steps[t * agents + i]);
  answer->costs = costs_of(*plan, answer->costs);
  if (!refine) answer->first_sum_of_costs = answer->costs.sum_of_costs;
  // A plan in which nobody loses a tick cannot be bettered, whatever the objective.
  if (answer->costs.sum_of_loss == answer->costs.sum_bound) answer->status = PlanStatus::optimal;
  return {};
}

}  // namespace

Fault make_plan(const View& view, const AgentTask* tasks, size_t agents, const PlanOptions& options,
                Plan* plan, PlanAnswer* answer) noexcept {
  if (!plan || !answer || (agents > 0 && !tasks))
    return fault(Status::bad_argument, "make_plan needs tasks, a plan and an answer");
  *answer = PlanAnswer{};
  if (view.empty()) return fault(Status::bad_argument, "the view is empty: commit first");
  if (view.profile().width > 1 || view.profile().height > 1)
    return fault(Status::bad_argument, "plans are for units of one cell");
  if (agents >= kNoAgent / 4) return fault(Status::bad_argument, "too many agents");
  if (!(options.seconds >= 0)) return fault(Status::bad_argument, "seconds must not be negative");
  Problem problem;
  if (!problem.graph.build(view.impl()->world)) return kNoMemory;
  bool one_goal_each = true;
  if (const Fault f = read_tasks(view, tasks, agents, &problem, &one_goal_each)) return f;
  if (!one_goal_each) {
    plan->clear();
    answer->status = PlanStatus::infeasible;
    return {};
  }
  return problem.graph.stride == 4 ? solve<4>(problem, agents, options, plan, answer)
                                   : solve<8>(problem, agents, options, plan, answer);
}

}  // namespace octile
