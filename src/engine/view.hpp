// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of a View: a counted WorldView, and the index adopted for it.

#include "base/counted.hpp"
#include "index/path_index.hpp"
#include "world/world_view.hpp"

namespace octile {

struct View::Impl : Counted {
  WorldView world;
  const Index::Impl* index = nullptr;

  ~Impl() { octile::drop(index); }
};

}  // namespace octile
