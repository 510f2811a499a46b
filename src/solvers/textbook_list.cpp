// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The tutorials' simple role (system A with a list, system E before its optimisations), made
// correct: the open list is a plain list that is searched from end to end for every expansion, ties
// on f go to the lower estimate, that is to the higher g.

#include <algorithm>

#include "search/textbook.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

class ListOpen {
 public:
  explicit ListOpen(Workspace& w) noexcept : nodes_(w.textbook), cells_(w.textbook_open) {
    cells_.clear();
  }
  bool empty() const noexcept { return cells_.empty(); }
  bool add(uint32_t cell) noexcept { return cells_.push(cell); }
  void lowered(uint32_t) noexcept {}  // a list has no order to mend
  uint32_t take() noexcept {
    size_t best = 0;
    for (size_t i = 1; i < cells_.size(); ++i)
      if (before(nodes_[cells_[i]], nodes_[cells_[best]])) best = i;
    const uint32_t cell = cells_[best];
    cells_[best] = cells_.back();
    cells_.pop();
    return cell;
  }

 private:
  Buffer<TextbookNode>& nodes_;
  Buffer<uint32_t>& cells_;
};

class TextbookList final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{"textbook_list",
                                      "the tutorials' A* with an unsorted open list, made correct",
                                      "every rule, metric and weight; one goal", "astar", true};
    return kInfo;
  }
  bool serves(const Task& task) const noexcept override { return task.one_goal(); }
  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    return textbook_search<ListOpen>(w, task);
  }
  bool settle(Workspace&, const Task&) const noexcept override { return true; }  // by run()
};

constinit const TextbookList kTextbookList;

}  // namespace

constinit const Solver& textbook_list_solver = kTextbookList;

}  // namespace octile
