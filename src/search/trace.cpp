// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <cstdlib>
#include <cstring>

#include "search/workspace.hpp"

namespace octile {

Trace::~Trace() {
  std::free(events_);
}

void Trace::clear() noexcept {
  size_ = 0;
  complete_ = true;
}

void Trace::add(const Event& event) noexcept {
  if (size_ == capacity_) {
    const size_t room = capacity_ + capacity_ / 2 + 256;
    void* more = room <= SIZE_MAX / 2 / sizeof(Event)
                     ? std::realloc(static_cast<void*>(events_), room * sizeof(Event))
                     : nullptr;
    if (!more) {
      complete_ = false;
      return;
    }
    events_ = static_cast<Event*>(more);
    capacity_ = room;
  }
  events_[size_++] = event;
}

void Watch::record(CellId id, Cost g, Trace::Kind kind) noexcept {
  const CellCosts& costs = *task_->costs;
  const double straight_steps = static_cast<double>(g) / static_cast<double>(costs.steps.straight);
  task_->trace->add(
      {task_->layer->grid.cell(id), straight_steps * costs.real.straight * costs.unit, kind});
}

Workspace::~Workspace() {
  delete annex;
}

}  // namespace octile
