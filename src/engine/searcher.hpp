// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

#include "octile/octile.hpp"

namespace octile {

// Room for n values in the Searcher, kept for the next call; null when memory is short.
uint32_t* label_room(Searcher& searcher, size_t n) noexcept;

}  // namespace octile
