// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// make_plan(): checks, tables, the first plan by LaCAM or TSWAP, refinement; and the Plan itself.

#include <algorithm>

#include "agents/lacam.hpp"
#include "agents/refine.hpp"
#include "agents/settle.hpp"
#include "agents/target_swap.hpp"
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

// What make_plan() works on, for any moves.
struct Problem {
  AgentKinds kinds;
  Buffer<uint32_t> kind_of;  // by agent
  Buffer<Vertex> starts;
  Buffer<Vertex> goals;
};

Fault read_tasks(const AgentTask* tasks, size_t agents, Problem* problem,
                 bool* one_goal_each) noexcept {
  CoveredCells starts_at, goals_at;
  if (!problem->starts.resize(agents) || !problem->goals.resize(agents) ||
      !problem->kind_of.resize(agents) || !starts_at.begin(problem->kinds[0].view) ||
      !goals_at.begin(problem->kinds[0].view))
    return kNoMemory;
  *one_goal_each = true;
  for (size_t i = 0; i < agents; ++i) {
    const auto [start, goal, k] = tasks[i];
    if (k >= problem->kinds.size())
      return about_agent(Status::bad_argument, i, start, " names a view that is not there, on ");
    const AgentKind& kind = problem->kinds[k];
    if (!kind.view.contains(start))
      return about_agent(Status::start_out_of_bounds, i, start, " starts outside the map, on ");
    if (!kind.view.contains(goal))
      return about_agent(Status::goal_out_of_bounds, i, goal, " has a goal outside the map, ");
    problem->kind_of[i] = k;
    const Vertex s = problem->starts[i] = kind.graph.vertex(start);
    const Vertex g = problem->goals[i] = kind.graph.vertex(goal);
    if (s == kNoVertex)
      return about_agent(Status::start_blocked, i, start, " starts in a wall, on ");
    if (g == kNoVertex) return about_agent(Status::goal_blocked, i, goal, " has a wall as goal, ");
    if (!starts_at.add(kind.view.profile(), start))
      return about_agent(Status::bad_argument, i, start, " starts where another one does, on ");
    if (!goals_at.add(kind.view.profile(), goal)) *one_goal_each = false;
  }
  return {};
}

// The work of make_plan(), for four or eight moves of agents of one cell, or for all others, whose
// plans are those of the search alone.
template <class Moves>
class Planner {
 public:
  Planner(Problem& problem, const PlanOptions& options, PlanAnswer* answer) noexcept
      : problem_(problem),
        options_(options),
        answer_(*answer),
        agents_(static_cast<uint32_t>(problem.starts.size())) {
    limits_.cancel = options.cancel;
    limits_.progress = options.progress;
    limits_.user = options.user;
    if (options.seconds > 0) limits_.deadline = steady_seconds() + options.seconds;
  }

  // Without a plan the answer says why.
  Fault run(Plan* plan) noexcept {
    if (!table_.resize(agents_) || !shortest_.resize(agents_)) return kNoMemory;
    if constexpr (kPlain) {
      if (const Fault f = options_.any_goal ? first_by_swaps() : first_by_lacam()) return f;
    } else {
      if (const Fault f = first_by_lacam()) return f;
    }
    if (answer_.status != PlanStatus::feasible && answer_.status != PlanStatus::optimal) {
      plan->clear();
      return {};
    }
    Refiner refiner;
    const bool refined =
        kPlain && options_.refine > 0 && answer_.status == PlanStatus::feasible && !cancelled_;
    if (refined)
      if (const Fault f = refine(refiner)) return f;

    // The plan itself. The tables are given back first: together they would be the peak.
    for (AgentKind& k : problem_.kinds) k.tables.release();
    if (refined) rows_ = refiner.rows();
    if (!begin_writing()) return kNoMemory;
    if (refined) {
      Buffer<Vertex> row;
      if (!row.resize(agents_)) return kNoMemory;
      for (uint32_t i = 0; i < agents_; ++i) goal_[i] = refiner.at(i, rows_ - 1);
      for (size_t t = 0; t < rows_; ++t) {
        for (uint32_t i = 0; i < agents_; ++i) row[i] = refiner.at(i, t);
        if (!write(plan, row.data())) return kNoMemory;
      }
    } else {
      if (!settled_)
        for (uint32_t i = 0; i < agents_; ++i) goal_[i] = steps_[(rows_ - 1) * agents_ + i];
      if (!each_row([&](const Vertex* row) { return write(plan, row); })) return kNoMemory;
    }
    for (const uint64_t tick : last_) {
      answer_.costs.sum_of_costs += tick;
      answer_.costs.makespan = std::max(answer_.costs.makespan, tick);
    }
    if (!refined) answer_.first_sum_of_costs = answer_.costs.sum_of_costs;
    // A plan in which nobody loses a tick cannot be bettered, whatever the objective.
    if (answer_.costs.sum_of_loss == answer_.costs.sum_bound) answer_.status = PlanStatus::optimal;
    return {};
  }

 private:
  static constexpr bool kPlain = !std::is_same_v<Moves, WidePibt>;
  // So many times the longest way in configurations without a plan, and agents settle one by one:
  // such plans are long, but come at once. On maps without rings the search seldom finds any.
  static constexpr uint64_t kTreePatience = 2;
  static constexpr uint64_t kPatience = 32;
  static constexpr uint64_t kLeastPatience = 1000;  // configurations

  AgentKind& kind(size_t agent) noexcept { return problem_.kinds[problem_.kind_of[agent]]; }
  // Of agents of one cell.
  AgentGraph& graph() noexcept { return problem_.kinds[0].graph; }
  GoalTables& tables() noexcept { return problem_.kinds[0].tables; }

  void note_end(SearchEnd end) noexcept {
    cancelled_ = end == SearchEnd::cancelled;
    answer_.status = end == SearchEnd::solved      ? PlanStatus::feasible
                     : end == SearchEnd::exhausted ? PlanStatus::infeasible
                     : end == SearchEnd::cancelled ? PlanStatus::cancelled
                                                   : PlanStatus::limit_reached;
  }
  void note_bytes(size_t more) noexcept {
    answer_.table_bytes = problem_.kinds.table_bytes();
    answer_.peak_bytes = std::max(answer_.peak_bytes, problem_.kinds.bytes() + more);
  }
  // For the first plan, with the tables that it needs at hand.
  void limit() noexcept {
    if (options_.max_configurations) limits_.work = options_.max_configurations;
    limits_.max_bytes =
        options_.max_bytes - std::min(options_.max_bytes, problem_.kinds.table_bytes());
  }

  Fault first_by_lacam() noexcept {
    Moves pibt;
    if (!begin_moves(pibt, problem_.kinds, problem_.kind_of, options_.seed)) return kNoMemory;
    // 1. Distances, bounds and the order of the start: the farther first.
    Buffer<uint64_t> far;
    Buffer<uint32_t> order;
    if (!far.resize(agents_) || !order.resize(agents_)) return kNoMemory;
    for (uint32_t i = 0; i < agents_; ++i) {
      GoalTables& tables = kind(i).tables;
      if ((table_[i] = tables.take(problem_.goals[i])) == GoalTables::kNone) return kNoMemory;
      const uint64_t d = tables.way(table_[i], problem_.starts[i]);
      if (d == GoalTables::kNoWay) {
        answer_.costs = PlanCosts{};
        answer_.status = PlanStatus::infeasible;
        return {};
      }
      pibt.set_table(i, table_[i]);
      answer_.costs.sum_bound += d;
      answer_.costs.makespan_bound = std::max(answer_.costs.makespan_bound, d);
      shortest_[i] = d;
      far[i] = d << 32 | (kNoAgent - i);
    }
    std::sort(far.begin(), far.end());
    for (size_t k = 0; k < agents_; ++k)
      order[k] = kNoAgent - static_cast<uint32_t>(far[agents_ - 1 - k]);
    far.release();

    // 2. The first plan.
    uint32_t vertices = 0;
    for (const AgentKind& k : problem_.kinds) vertices = std::max(vertices, k.graph.size);
    Lacam<Moves> lacam;
    if (!lacam.begin(vertices, pibt, problem_.starts.data(), problem_.goals.data(), order.data(),
                     agents_, options_.objective, answer_.costs.sum_bound,
                     answer_.costs.makespan_bound, options_.improve > 0, options_.seed))
      return kNoMemory;
    limit();
    SearchEnd end = search(pibt, lacam);
    answer_.first_configurations = answer_.configurations = lacam.configurations();
    note_bytes(pibt.bytes() + lacam.bytes());
    if (end == SearchEnd::no_memory) return kNoMemory;
    note_end(lacam.solved() ? SearchEnd::solved : end);
    if (!lacam.solved()) return {};  // also when agents settled

    // 3. LaCAM*: better ones, until nothing is left to look at.
    if (options_.improve > 0 && end == SearchEnd::solved) {
      limits_.work = options_.improve > UINT64_MAX - lacam.configurations()
                         ? UINT64_MAX
                         : lacam.configurations() + options_.improve;
      end = lacam.run(limits_, true);
      answer_.configurations = lacam.configurations();
      answer_.improved = lacam.improved();
      note_bytes(pibt.bytes() + lacam.bytes());
      if (end == SearchEnd::no_memory) return kNoMemory;
    }
    cancelled_ = end == SearchEnd::cancelled;
    const uint64_t bound = options_.objective == PlanObjective::makespan
                               ? answer_.costs.makespan_bound
                               : answer_.costs.sum_bound;
    if (end == SearchEnd::exhausted || lacam.cost() == bound) answer_.status = PlanStatus::optimal;
    rows_ = lacam.rows();
    if (!steps_.resize(rows_ * agents_)) return kNoMemory;
    lacam.each([&](size_t row, size_t i, Vertex v) { steps_[row * agents_ + i] = v; });
    return {};
  }

  // LaCAM, with breaks in which agents try to settle.
  SearchEnd search(const Moves& pibt, Lacam<Moves>& lacam) noexcept {
    // LaCAM* goes on from a plan of its own.
    bool tried = !kPlain || options_.improve > 0;
    Limits limits = limits_;
    for (const uint64_t patience : {kTreePatience, kPatience}) {
      if (tried) break;
      limits.pause = std::max(patience * (answer_.costs.makespan_bound + 1), kLeastPatience);
      SearchEnd end = lacam.run(limits, false);
      if (end != SearchEnd::limit || lacam.configurations() < limits.pause ||
          limits.pause >= limits.work)
        return end;
      end = settle(pibt.bytes() + lacam.bytes(), patience == kTreePatience, &tried);
      if (end != SearchEnd::limit) return end;
    }
    return lacam.run(limits_, false);
  }

  // With what others hold in memory; `limit`: too little room, or not tried, as it is no tree.
  SearchEnd settle(size_t others, bool trees_only, bool* tried) noexcept {
    Limits limits = limits_;
    limits.work = UINT64_MAX;
    limits.max_bytes -= std::min(others, limits.max_bytes);
    settler_ = Settler();
    if (!settler_.begin(graph(), problem_.starts, problem_.goals)) return SearchEnd::no_memory;
    const SearchEnd end = settler_.run(limits, trees_only);
    *tried = settler_.trees() || !trees_only;
    note_bytes(others + settler_.bytes());
    settled_ = end == SearchEnd::solved;
    if (settled_) rows_ = settler_.rows();
    return end;
  }

  Fault first_by_swaps() noexcept {
    TargetSwap<Moves::kMostMoves - 1> swaps;
    if (!swaps.begin(graph(), tables(), problem_.starts, problem_.goals)) return kNoMemory;
    if (!swaps.possible) {
      answer_.status = PlanStatus::infeasible;
      return {};
    }
    answer_.costs.sum_bound = swaps.sum_bound;
    answer_.costs.makespan_bound = swaps.makespan_bound;
    limit();
    const SearchEnd end = swaps.run(limits_);
    rows_ = swaps.rows();
    steps_.swap(swaps.steps());
    answer_.first_configurations = answer_.configurations = rows_;
    note_bytes(swaps.bytes() + steps_.bytes());
    if (end == SearchEnd::no_memory) return kNoMemory;
    note_end(end);
    if (end != SearchEnd::solved) return {};
    for (uint32_t i = 0; i < agents_; ++i) {
      table_[i] = swaps.table(i);
      shortest_[i] = tables().way(table_[i], problem_.starts[i]);
    }
    if (options_.objective == PlanObjective::makespan && rows_ == answer_.costs.makespan_bound + 1)
      answer_.status = PlanStatus::optimal;
    return {};
  }

  Fault refine(Refiner& refiner) noexcept {
    if (!refiner.begin(graph(), tables(), table_.data(), shortest_.data(), agents_, options_.seed))
      return kNoMemory;
    if (!each_row([&](const Vertex* row) { return refiner.add_row(row); })) return kNoMemory;
    if (!refiner.finish_rows()) return kNoMemory;
    steps_.release();
    answer_.first_sum_of_costs = refiner.sum_of_costs();
    limits_.work = options_.refine;
    limits_.max_bytes = SIZE_MAX;
    if (refiner.run(limits_) == SearchEnd::no_memory) return kNoMemory;
    answer_.improved += refiner.improved();
    answer_.rounds = refiner.rounds();
    note_bytes(refiner.bytes());
    return {};
  }

  // The rows of the first plan, as visit(row), as long as that is true. False: it was not, or
  // memory is short.
  template <class Visit>
  bool each_row(Visit visit) noexcept {
    if (settled_) return settler_.each_row(visit);
    for (size_t t = 0; t < rows_; ++t)
      if (!visit(steps_.data() + t * agents_)) return false;
    return true;
  }
  // Long plans are many megabytes: they are written, and their costs counted, in one go.
  // The plan is touched last: where memory is short it stays as it was.
  bool begin_writing() noexcept {
    if (!before_.assign(agents_, kNoVertex) || !last_.assign(agents_, 0) || !goal_.resize(agents_))
      return false;
    std::copy(problem_.goals.begin(), problem_.goals.end(), goal_.begin());
    written_ = 0;
    return true;
  }
  bool write(Plan* plan, const Vertex* row) noexcept {
    if (written_ == 0) {
      if (!(cells_ = plan->resize(rows_, agents_))) return false;
      expect_filled(cells_, rows_ * agents_ * sizeof(Cell));
    }
    uint64_t loss = 0;
    for (uint32_t i = 0; i < agents_; ++i, ++cells_) {
      const Vertex v = row[i];
      const bool same = v == before_[i], rests = same && v == goal_[i];
      *cells_ = same ? *(cells_ - agents_) : kind(i).graph.cell(v);
      before_[i] = v;
      last_[i] = rests ? last_[i] : written_;
      loss += !rests;
    }
    if (written_++ > 0) answer_.costs.sum_of_loss += loss;
    return true;
  }

  Problem& problem_;
  const PlanOptions& options_;
  PlanAnswer& answer_;
  const uint32_t agents_;
  Limits limits_;
  bool cancelled_ = false;
  Buffer<uint32_t> table_;     // by agent: of its goal
  Buffer<uint64_t> shortest_;  // by agent: the way to it without the others
  Buffer<Vertex> steps_;       // of the first plan, row by row, unless agents settled
  Settler settler_;
  bool settled_ = false;
  size_t rows_ = 0;
  // Of the plan that is written.
  Cell* cells_ = nullptr;  // the next one
  uint64_t written_ = 0;   // rows
  Buffer<Vertex> before_;  // by agent: in the last row
  Buffer<Vertex> goal_;    // by agent: in the last row of all
  Buffer<uint64_t> last_;  // by agent: the last tick in which it does not rest at its goal
};

}  // namespace

Fault make_plan(const View* views, size_t view_count, const AgentTask* tasks, size_t agents,
                const PlanOptions& options, Plan* plan, PlanAnswer* answer) noexcept {
  if (!plan || !answer || (agents > 0 && !tasks))
    return fault(Status::bad_argument, "make_plan needs tasks, a plan and an answer");
  *answer = PlanAnswer{};
  if (agents >= kNoAgent / 4) return fault(Status::bad_argument, "too many agents");
  if (!(options.seconds >= 0)) return fault(Status::bad_argument, "seconds must not be negative");
  Problem problem;
  if (Fault f = problem.kinds.build(views, view_count, "the plan")) return f;
  const bool plain = problem.kinds.plain();
  if (!plain && options.any_goal)
    return fault(Status::bad_argument, "goals for anybody are for units of one cell and one view");
  if (!plain && options.refine > 0)
    return fault(Status::bad_argument, "plans are refined for units of one cell and one view");
  bool one_goal_each = true;
  if (const Fault f = read_tasks(tasks, agents, &problem, &one_goal_each)) return f;
  if (!one_goal_each) {
    plan->clear();
    answer->status = PlanStatus::infeasible;
    return {};
  }
  if (!plain) return Planner<WidePibt>(problem, options, answer).run(plan);
  return problem.kinds[0].graph.stride == 4 ? Planner<Pibt<4>>(problem, options, answer).run(plan)
                                            : Planner<Pibt<8>>(problem, options, answer).run(plan);
}

}  // namespace octile
