// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of a View: a counted WorldView.

#include "base/counted.hpp"
#include "world/world_view.hpp"

namespace octile {

struct View::Impl : Counted {
  WorldView world;
};

}  // namespace octile
