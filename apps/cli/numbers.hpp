// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Text to numbers, strictly: the whole text must be the number, in range, and no NaN. `what` names
// the option in the error line ("--from").

#include <cstdint>
#include <string>
#include <string_view>

#include "octile/octile.hpp"

namespace octile::cli {

int64_t whole_number(std::string_view what, const std::string& text, int64_t lowest,
                     int64_t highest);
uint64_t seed_number(std::string_view what, const std::string& text);  // 0 to 2^64 - 1
// Finite and at least `lowest`, or "inf" where that is allowed.
double real_number(std::string_view what, const std::string& text, double lowest,
                   bool infinite_too);
Cell cell(std::string_view what, const std::string& text);    // "X,Y"
Cell extent(std::string_view what, const std::string& text);  // "WxH", both at least 1

}  // namespace octile::cli
