// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "octile/octile.hpp"

namespace octile {

const char* name(Status status) noexcept {
  switch (status) {
    case Status::found:
      return "found";
    case Status::partial:
      return "partial";
    case Status::no_path:
      return "no_path";
    case Status::start_blocked:
      return "start_blocked";
    case Status::goal_blocked:
      return "goal_blocked";
    case Status::start_out_of_bounds:
      return "start_out_of_bounds";
    case Status::goal_out_of_bounds:
      return "goal_out_of_bounds";
    case Status::limit_reached:
      return "limit_reached";
    case Status::cancelled:
      return "cancelled";
    case Status::not_loaded:
      return "not_loaded";
    case Status::cost_overflow:
      return "cost_overflow";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::stale_index:
      return "stale_index";
    case Status::bad_argument:
      return "bad_argument";
  }
  return "unknown";
}

}  // namespace octile
