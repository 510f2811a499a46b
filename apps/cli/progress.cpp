// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace octile::cli {
namespace {

constexpr int kWidth = 32;
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

Progress::Progress(std::string label)
    : label_(std::move(label)),
      terminal_(isatty(STDERR_FILENO) != 0),
      last_(std::chrono::steady_clock::now()) {}

void Progress::show(double done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  drawn_ = true;
  const int full = static_cast<int>(std::clamp(done, 0.0, 1.0) * kWidth);
  const std::string bar = std::string(full, '#') + std::string(kWidth - full, '.');
  std::fputs(fmt::format("\r{} [{}] {:3.0f} %", label_, bar, done * 100).c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace octile::cli
