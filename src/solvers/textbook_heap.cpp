// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The tutorials' optimised role (system A with a heap, system E after its optimisations), made
// correct: a binary heap in an array (parent (n - 1) / 2, children 2 n + 1 and 2 n + 2) whose items
// know their place, so that a node whose cost was lowered is sifted up where it stands; open and
// closed flags instead of searching lists; neighbours precomputed.

#include <utility>

#include "search/textbook.hpp"
#include "solvers/solver.hpp"

namespace octile {

namespace {

class HeapOpen {
 public:
  explicit HeapOpen(Workspace& w) noexcept : nodes_(w.textbook.data()), heap_(w.textbook_open) {
    heap_.clear();
  }
  bool empty() const noexcept { return heap_.empty(); }
  bool add(uint32_t cell) noexcept {
    if (!heap_.push(cell)) return false;
    nodes_[cell].heap_index = static_cast<uint32_t>(heap_.size() - 1);
    sift_up(nodes_[cell].heap_index);
    return true;
  }
  void lowered(uint32_t cell) noexcept { sift_up(nodes_[cell].heap_index); }
  uint32_t take() noexcept {
    const uint32_t cell = heap_[0];
    const uint32_t last = heap_.back();
    heap_.pop();
    if (!heap_.empty()) {
      place(0, last);
      sift_down(0);
    }
    return cell;
  }

 private:
  void place(uint32_t at, uint32_t cell) noexcept {
    heap_[at] = cell;
    nodes_[cell].heap_index = at;
  }
  void sift_up(uint32_t at) noexcept {
    const uint32_t cell = heap_[at];
    while (at > 0) {
      const uint32_t parent = (at - 1) / 2;
      if (!before(nodes_[cell], nodes_[heap_[parent]])) break;
      place(at, heap_[parent]);
      at = parent;
    }
    place(at, cell);
  }
  void sift_down(uint32_t at) noexcept {
    const uint32_t cell = heap_[at];
    const auto size = static_cast<uint32_t>(heap_.size());
    for (;;) {
      uint32_t child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(nodes_[heap_[child + 1]], nodes_[heap_[child]])) ++child;
      if (!before(nodes_[heap_[child]], nodes_[cell])) break;
      place(at, heap_[child]);
      at = child;
    }
    place(at, cell);
  }

  TextbookNode* nodes_;
  Buffer<uint32_t>& heap_;
};

class TextbookHeap final : public Solver {
 public:
  const SolverInfo& info() const noexcept override {
    static constexpr SolverInfo kInfo{"textbook_heap",
                                      "the tutorials' A* with a binary heap, made correct",
                                      "every rule, metric and weight; one goal", "astar", true};
    return kInfo;
  }
  bool serves(const Task& task) const noexcept override { return task.one_goal(); }
  Progress run(Workspace& w, const Task& task, bool, uint64_t) const noexcept override {
    return textbook_search<HeapOpen>(w, task);
  }
  bool settle(Workspace&, const Task&) const noexcept override { return true; }  // by run()
};

constinit const TextbookHeap kTextbookHeap;

}  // namespace

constinit const Solver& textbook_heap_solver = kTextbookHeap;

}  // namespace octile
