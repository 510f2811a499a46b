// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A progress bar on stderr, drawn only when that is a terminal, at most ten times a second, and
// wiped out at the end. One thread at a time.

#include <chrono>
#include <string>

namespace octile::cli {

class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double done);  // 0 to 1
  void clear();            // call before printing anything else

 private:
  std::string label_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace octile::cli
