// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Many units at once, without collisions: plans, their checker, and one tick at a time.
//
//   make_plan(view, tasks, count, options, &plan, &answer)
//                                            every step of every unit, from the starts to the goals
//   check_plan(view, tasks, count, plan, &report)
//                                            recomputes everything and names the first conflict
//   StepPlanner                              the next cell of each unit, tick by tick, for games
//                                            and for tasks that keep coming
//
// The model. Time goes in ticks. In a tick each agent stays, or makes one legal move of the View's
// Profile (four or eight neighbours, its diagonal policy); every move takes one tick whatever the
// terrain costs. An agent stays at its goal when it has arrived. At no time are there
//   - a vertex conflict: two agents on one cell;
//   - a swap conflict: two agents that change places;
//   - a crossing conflict: two diagonal moves through the middle of the same 2 x 2 cells.
// An agent may enter a cell in the tick in which another one leaves it.
//
// Larger agents cover the cells of their Profile's rectangle, and several kinds are several Views
// of one map: StepPlanner, make_plan() and check_plan() take them all, each agent saying which is
// its own. Then a vertex conflict is that two cover one cell, and a swap or crossing that half way
// through a tick two overlap by a whole cell in both directions (Li et al. 2019, of agents with
// shapes): for agents of one cell that is the same as above.
//
// Everything is a pure function of its arguments and the seed, on every machine; but for a limit in
// seconds, which says so. Errors, units and threads are those of octile.hpp. Plans and planners
// belong to one thread at a time; the View may be shared.

#include "octile/octile.hpp"

namespace octile {

// ---------------------------------------------------------------------------------------------
// Plans

// What one agent has to do: an entry of the list that make_plan() takes.
struct AgentTask {
  Cell start;         // where it is before the first tick; no two agents cover one cell
  Cell goal;          // where it ends; no two cover one cell either, or there is no plan
  uint32_t view = 0;  // which of the Views it walks by
};

// Where every agent is at every tick. A table of `ticks() + 1` rows of `agents()` cells; before the
// first tick all are at their starts. Reused by the caller. Memory: 8 bytes for each agent and row.
class OCTILE_API Plan {
 public:
  Plan() noexcept = default;
  ~Plan();
  Plan(Plan&& other) noexcept;
  Plan& operator=(Plan&& other) noexcept;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  size_t agents() const noexcept { return agents_; }                    // cells in a row
  size_t rows() const noexcept { return rows_; }                        // 0: there is no plan
  size_t ticks() const noexcept { return rows_ == 0 ? 0 : rows_ - 1; }  // steps from row to row
  // The cells of all agents after `tick` ticks, below rows(); not checked.
  const Cell* row(size_t tick) const noexcept { return cells_ + tick * agents_; }
  // One of them; not checked.
  Cell at(size_t tick, size_t agent) const noexcept { return cells_[tick * agents_ + agent]; }

  void clear() noexcept { rows_ = agents_ = 0; }  // keeps the memory
  // For those who fill a Plan, row by row: room for rows x agents cells, not initialised; null when
  // memory is short, and the Plan is then unchanged.
  Cell* resize(size_t rows, size_t agents) noexcept;

 private:
  Cell* cells_ = nullptr;
  size_t agents_ = 0;
  size_t rows_ = 0;
  size_t capacity_ = 0;
};

// What a plan costs, in ticks, and what no plan can beat.
struct PlanCosts {
  uint64_t makespan = 0;      // the tick at which the last agent is at its goal for good
  uint64_t sum_of_costs = 0;  // of the ticks at which the agents are at their goals for good
  uint64_t sum_of_loss = 0;   // ticks that agents spend away from, leaving or entering their goals
  uint64_t makespan_bound = 0;  // the longest of the shortest ways of all agents
  uint64_t sum_bound = 0;       // the sum of the shortest ways
};

// How make_plan() ended.
enum class PlanStatus : uint8_t {
  none,           // nothing was asked, or the call gave a Fault
  feasible,       // a plan
  optimal,        // a plan, and no other one has a smaller PlanOptions::objective
  infeasible,     // proven: there is no plan
  limit_reached,  // no plan within the limits; there may be one
  cancelled,      // no plan before the cancel flag was raised
};
OCTILE_API const char* name(PlanStatus status) noexcept;  // "feasible", ...

// What `optimal` is about, and what the first phase of improvement lowers. Sum of costs has no
// proof of its own: the plan's sum of loss is lowered, and refinement then works on costs.
enum class PlanObjective : uint8_t { sum_of_loss, makespan };

// How much make_plan() may do, and towards what.
struct PlanOptions {
  uint64_t seed = 0;  // of all that is decided by lot; the same seed gives the same plan
  PlanObjective objective = PlanObjective::sum_of_loss;  // what `improve` lowers
  // Unlabelled goals: the goals are places for anybody, and the last row of the plan tells who
  // stands where. `improve` has no effect then, and max_configurations counts ticks.
  bool any_goal = false;
  // Limits count configurations (positions of all agents) that are generated; 0: no limit. A budget
  // in work gives the same plan everywhere.
  uint64_t max_configurations = 0;  // until the first plan is there
  uint64_t improve = 0;             // more of them after the first plan, to lower the objective
  uint64_t refine = 0;              // rounds of re-planning of some agents, to lower sum of costs
  size_t max_bytes = size_t{4} << 30;  // of memory, about
  // Wall-clock seconds for everything, 0: no limit. The answer then depends on the machine.
  double seconds = 0;
  // Raised by any thread it ends the work; the best plan so far is the answer.
  const std::atomic<bool>* cancel = nullptr;
  // Told the share of the budget that is spent, from 0 to 1.
  void (*progress)(void* user, double done) = nullptr;
  void* user = nullptr;
};

// What make_plan() found, and what it took.
struct PlanAnswer {
  PlanStatus status = PlanStatus::none;  // whether there is a plan
  PlanCosts costs;                       // bounds are filled for `infeasible` and limits as well
  uint64_t configurations = 0;           // generated in all
  uint64_t first_configurations = 0;     // until the first plan
  uint64_t first_sum_of_costs = 0;       // of the first plan
  uint64_t rounds = 0;                   // of refinement
  uint64_t improved = 0;                 // plans that replaced a worse one
  size_t table_bytes = 0;                // of the distances to goals
  size_t peak_bytes = 0;                 // of all that was allocated at once, about
};

// Finds a plan: LaCAM (Okumura 2023), a search among configurations that is complete, whose
// successors come from PIBT with the swap rule for corridors. With `improve` the search goes on as
// LaCAM* and, given time to end, its plan is optimal. With `refine`, the ways of some agents are
// planned anew in the company of the others, and kept when the sum of costs falls (LNS: Li et al.
// 2021, SIPPS: Li et al. 2022). Where the search has found nothing for long - on maps without rings
// twice the longest way in configurations, elsewhere 32 times, at least 1,000 - and no `improve` is
// asked for, agents go to their goals one by one and push the others aside (after Push and Swap:
// Luna and Bekris 2011). Such plans are valid and long; where there is too little room for them
// the search goes on.
//
// With `any_goal` the first plan is that of TSWAP (Okumura and Defago 2022): agents begin with the
// choice of goals whose longest way is the least (up to 512 agents; pairs by place beyond that) and
// change goals when they meet. There is a plan whenever each connected part of the map has as many
// goals as starts. Bounds are the ways to the nearest goal.
//
// Which way is nearer comes from one table for each distinct goal, searched as far as it is read:
// two bits for each passable cell, some of them held twice.
//
// `views`: one for each kind of agent, 1 to 256 of one map and version. Plans for agents larger
// than a cell, or of several kinds, come from the search alone: `any_goal` and `refine` are
// refused, and without a swap rule and without settling one by one corridors take far more
// configurations.
//
// Faults: bad_argument (an empty View, Views of different maps, null arrays, two agents with one
// start, what is refused above), start_blocked, goal_blocked, start_out_of_bounds,
// goal_out_of_bounds, each with the agent's number; out_of_memory. On a Fault the Plan is left
// alone; without a plan it is cleared.
OCTILE_API Fault make_plan(const View* views, size_t view_count, const AgentTask* tasks,
                           size_t agents, const PlanOptions& options, Plan* plan,
                           PlanAnswer* answer) noexcept;
// The same of agents of one kind.
inline Fault make_plan(const View& view, const AgentTask* tasks, size_t agents,
                       const PlanOptions& options, Plan* plan, PlanAnswer* answer) noexcept {
  return make_plan(&view, 1, tasks, agents, options, plan, answer);
}

// ---------------------------------------------------------------------------------------------
// The checker

// What is wrong with a plan.
enum class PlanDefect : uint8_t {
  none,
  wrong_size,   // another number of agents than tasks, or no row at all
  wrong_start,  // the first row is not the starts
  blocked,      // an agent in a wall or outside the map
  jump,         // a step to a cell that is no neighbour under the move rule
  corner_cut,   // a diagonal step that the policy forbids for what stands beside it
  vertex,       // two agents on one cell
  swap,         // two agents change places, or pass through each other by opposite moves
  crossing,     // two pass through each other by other moves: diagonal ones in the same 2 x 2 cells
  left_goal,    // at its goal in time, an agent does not stand there in the last row
  wrong_goal,   // an agent is not at its goal in the last row, nor was it ever
};
OCTILE_API const char* name(PlanDefect defect) noexcept;  // "vertex", ...

// What check_plan() found.
struct PlanReport {
  PlanDefect defect = PlanDefect::none;  // the first one by tick, then by agent
  size_t tick = 0;                       // of the row in which it shows
  size_t agent = 0;                      // whose it is, by its place in the list
  size_t other = 0;                      // the second agent of a conflict
  char text[160] = {};                   // one clear line; "" when the plan is valid
  PlanCosts costs;                       // recomputed; of plans without a defect
};

// Checks a plan from any source and recomputes its costs and bounds. Shares no code with those who
// make plans: walls come from the View cell by cell, bounds from searches of its own. Time: a few
// nanoseconds for each agent and tick, and one search of the map for each agent. Faults:
// bad_argument, out_of_memory. With `any_goal` it is enough that all goals are taken in the last
// row.
//
// `views`: one for each kind of agent, of any size, 1 to 256 of one map and version; `any_goal`
// takes one. Each covers cells, so time grows with their number.
OCTILE_API Fault check_plan(const View* views, size_t view_count, const AgentTask* tasks,
                            size_t agents, const Plan& plan, PlanReport* report,
                            bool any_goal = false) noexcept;
// The same of agents of one kind.
inline Fault check_plan(const View& view, const AgentTask* tasks, size_t agents, const Plan& plan,
                        PlanReport* report, bool any_goal = false) noexcept {
  return check_plan(&view, 1, tasks, agents, plan, report, any_goal);
}

// ---------------------------------------------------------------------------------------------
// Steps

// What an agent did in the last step.
enum class StepOutcome : uint8_t {
  moved,    // it stepped on its own account
  waited,   // it is at its goal, has none, or found no better cell
  pushed,   // it stepped because another agent needed its cell or its place in a corridor
  blocked,  // it wanted to step, and others were in the way
  pinned,   // it may not step
};
OCTILE_API const char* name(StepOutcome outcome) noexcept;  // "moved", ...

// An agent as StepPlanner::reset() takes it.
struct StepAgent {
  Cell cell;               // where it stands; no two cover one cell
  Cell goal;               // where it wants to be; may be shared
  bool has_goal = true;    // without one it stays where it is, or where it was pushed
  bool pinned = false;     // never moves: for the others it is a wall that may go away
  bool pushable = true;    // may be moved by the need of agents that go first
  uint8_t priority = 128;  // higher ones go first, among those on their way
  uint32_t view = 0;       // which of the Views it walks by
};

// What a StepPlanner is started with.
struct StepOptions {
  uint64_t seed = 0;  // of ties between equally good cells
  // Ticks without progress until stalled(): the sum of distances to the goals has not fallen below
  // the least so far.
  uint32_t patience = 200;
  // Of tables of distances. Those that no agent needs now are forgotten first when there are more;
  // those in use always stay.
  size_t table_bytes = size_t{1} << 30;
};

// The next cell of each agent, one tick after the other: PIBT (Okumura et al. 2019, 2022), that is
// priority inheritance with backtracking, with the swap rule of LaCAM* for corridors. Agents on
// their way go before those that have arrived, the longer on the way the earlier; whoever stands in
// the way of an earlier one moves for it, and returns when it may.
//
// No tick has a vertex, swap or crossing conflict, or a step into a wall. On maps where every two
// neighbours lie on a cycle, every agent reaches its goal in finite time, pinned ones aside
// (four-way). Elsewhere agents may wait for each other for ever: stalled() tells, and make_plan()
// from the present cells finds the way out if there is one.
//
// Larger agents and several kinds: whoever stands on the cells that an agent needs is asked to go,
// all of them or none. There is no swap rule then, and no promise that everybody arrives.
//
// Time: 50 to 85 ns for each agent and tick with four moves, 60 to 100 with eight; of larger
// agents, and with several kinds, some ns more for each of their cells and moves. Memory: some 200
// bytes an agent, 35 (four-way) to 60 a passable cell of each View, 30 a cell of the map where
// there are passable ones near, and the tables of distances; with larger agents 8 bytes more a cell
// of the map.
class OCTILE_API StepPlanner {
 public:
  StepPlanner() noexcept = default;
  ~StepPlanner();
  StepPlanner(StepPlanner&& other) noexcept;
  StepPlanner& operator=(StepPlanner&& other) noexcept;
  StepPlanner(const StepPlanner&) = delete;
  StepPlanner& operator=(const StepPlanner&) = delete;

  // Starts anew. Agents are known by their place in the list. `views`: one for each kind of agent,
  // 1 to 256 of one map and version. Faults as of make_plan(); agents may share goals, and goals
  // that cannot be reached are those of agents without one: see reachable().
  Fault reset(const View* views, size_t view_count, const StepAgent* agents, size_t count,
              const StepOptions& options) noexcept;
  // The same of agents of one kind.
  Fault reset(const View& view, const StepAgent* agents, size_t count,
              const StepOptions& options) noexcept {
    return reset(&view, 1, agents, count, options);
  }
  // The map was edited: from now on these Views, as many as before and in their order. Faults: as
  // of reset(), when an agent stands in a wall now; the planner then goes on with the old ones.
  Fault change_view(const View* views, size_t view_count) noexcept;
  // The same of agents of one kind.
  Fault change_view(const View& view) noexcept { return change_view(&view, 1); }

  // Takes effect with the next step.
  Fault set_goal(size_t agent, Cell goal) noexcept;
  Fault clear_goal(size_t agent) noexcept;
  Fault set_pinned(size_t agent, bool pinned) noexcept;
  Fault set_pushable(size_t agent, bool pushable) noexcept;
  Fault set_priority(size_t agent, uint8_t priority) noexcept;

  // One tick. Allocates nothing. Fault: bad_argument before reset().
  Fault step() noexcept;

  // How many agents there are; the functions below take a number below it, and do not check that.
  size_t agents() const noexcept;
  Cell cell(size_t agent) const noexcept;            // where it stands after the last step
  Cell goal(size_t agent) const noexcept;            // its own cell when it has none
  StepOutcome outcome(size_t agent) const noexcept;  // of the last step
  bool arrived(size_t agent) const noexcept;         // it has a goal, and is there
  bool reachable(size_t agent) const noexcept;       // it has a goal, and a way leads there
  uint64_t steps_left(size_t agent) const noexcept;  // of a shortest way; 0 if not reachable

  uint64_t ticks() const noexcept;     // steps since reset()
  uint64_t arrivals() const noexcept;  // agents that came to their goal, each time anew
  size_t on_the_way() const noexcept;  // agents with a goal they can reach and have not
  bool stalled() const noexcept;       // no progress for StepOptions::patience ticks
  size_t memory_bytes() const noexcept;

  struct Impl;

 private:
  Impl* impl_ = nullptr;
};

}  // namespace octile
