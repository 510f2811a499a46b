// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The inside of a View: a counted WorldView, and the index adopted for it or for an earlier one.

#include "base/counted.hpp"
#include "index/stale_index.hpp"
#include "world/world_view.hpp"

namespace octile {

struct View::Impl : Counted {
  WorldView world;
  const Index::Impl* index = nullptr;
  StaleIndex stale;  // of use only without an index

  Impl() noexcept = default;
  explicit Impl(const Profile& profile) noexcept : world(profile) {}
  ~Impl() { octile::drop(index); }
};

// A View, and of a map without absent tiles: for all that looks at more than one answer.
Fault check_whole(const View& view) noexcept;

// Another View of the same world, with this index or none.
Fault copy_view(const View::Impl& from, const Index::Impl* index, View::Impl** out) noexcept;

}  // namespace octile
