// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// An allocator that counts, and that fails when it is told to. Linked into a program it replaces
// every operator new and delete; realloc and free, which Path and Trace use, are caught by the
// linker (-Wl,--wrap=realloc -Wl,--wrap=free).
//
//   Failure failure(3, false);              the third allocation fails, and no other
//   failure.during([&] { engine.commit(); });
//   failure.happened()                      false: fewer than three were made
//
// Only the thread that is inside during() is counted and fails; alive() counts all threads.

#include <gtest/gtest.h>

#include <cstdint>

namespace octile::test {

// Blocks that were allocated and not freed.
int64_t alive();

class Failure {
 public:
  // `lasting`: all later allocations fail as well. n = 0: none fails.
  Failure(uint64_t n, bool lasting) : n_(n), lasting_(lasting) {}

  template <class Run>
  void during(Run run) {
    begin(*this);
    run();
    end();
  }
  bool happened() const { return happened_; }
  uint64_t allocations() const { return made_; }

  // For the allocator: counts, and tells whether to refuse.
  bool refuses() {
    ++made_;
    const bool refuse = n_ != 0 && (made_ == n_ || (lasting_ && made_ > n_));
    happened_ = happened_ || refuse;
    return refuse;
  }

 private:
  static void begin(Failure& failure);
  static void end();

  uint64_t n_;
  uint64_t made_ = 0;
  bool lasting_;
  bool happened_ = false;
};

// How many allocations `run` makes.
template <class Run>
uint64_t allocations_of(Run run) {
  Failure none(0, false);
  none.during(run);
  return none.allocations();
}

// Runs `run(failure)` with the first, the second, ... allocation failing, until one run needs no
// more; once with that one failing alone and once with all after it failing too. Returns how many
// failures there were.
template <class Run>
int every_failure(Run run) {
  int failures = 0;
  for (const bool lasting : {false, true}) {
    for (uint64_t n = 1;; ++n) {
      Failure failure(n, lasting);
      const int64_t before = alive();
      run(failure);
      if (testing::Test::HasFatalFailure()) return failures;
      EXPECT_EQ(alive(), before) << "leak, or a block freed twice, after failure " << n;
      if (!failure.happened() || testing::Test::HasFailure()) break;
      ++failures;
    }
  }
  return failures;
}

}  // namespace octile::test
