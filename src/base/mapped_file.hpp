// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A file whose bytes are shared objects as they lie: kept by all that have pointers into it.

#include "base/counted.hpp"
#include "base/platform.hpp"

namespace octile {

struct MappedFile : Counted {
  FileMapping bytes;
};

}  // namespace octile
