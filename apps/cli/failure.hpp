// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// How a command gives up: it throws a Failure, and main() prints its one line on stderr and leaves
// with its exit code. Whoever throws has written nothing yet.
//
// Exit codes of the whole program: 0 done; 1 a check failed or there is no path; 2 bad usage or
// bad input.

#include <fmt/format.h>

#include <string>
#include <utility>

namespace octile::cli {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadInput = 2;

struct Failure {
  int exit_code = kBadInput;
  std::string message;
};

// Bad usage or bad input.
template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Failure{kBadInput, fmt::format(format, std::forward<Arguments>(arguments)...)};
}

}  // namespace octile::cli
