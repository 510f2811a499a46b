// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "failure.hpp"

namespace octile::cli {
namespace {

// True when all of `text` is a whole number that fits its type.
template <class Number>
bool parse(std::string_view text, Number& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool parse_pair(std::string_view text, char separator, Cell& pair) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return false;
  int64_t x = 0, y = 0;
  if (!parse(text.substr(0, at), x) || !parse(text.substr(at + 1), y)) return false;
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();
  if (x < kLow || x > kHigh || y < kLow || y > kHigh) return false;
  pair = {static_cast<int32_t>(x), static_cast<int32_t>(y)};
  return true;
}

}  // namespace

int64_t whole_number(std::string_view what, const std::string& text, int64_t lowest,
                     int64_t highest) {
  int64_t value = 0;
  if (!parse(text, value)) refuse("{} must be a whole number, not '{}'", what, text);
  if (value < lowest || value > highest) {
    refuse("{} must lie between {} and {}, not be {}", what, lowest, highest, text);
  }
  return value;
}

uint64_t seed_number(std::string_view what, const std::string& text) {
  uint64_t value = 0;
  if (!parse(text, value)) {
    refuse("{} must be a whole number from 0 to {}, not '{}'", what, UINT64_MAX, text);
  }
  return value;
}

double real_number(std::string_view what, const std::string& text, double lowest,
                   bool infinite_too) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  if (!whole || std::isnan(value)) refuse("{} must be a number, not '{}'", what, text);
  if (value < lowest || (std::isinf(value) && !infinite_too)) {
    refuse("{} must be {} or more{}, not {}", what, lowest, infinite_too ? "" : " and finite",
           text);
  }
  return value;
}

Cell cell(std::string_view what, const std::string& text) {
  Cell result;
  if (!parse_pair(text, ',', result)) {
    refuse("{} must be X,Y with two whole numbers, not '{}'", what, text);
  }
  return result;
}

Cell extent(std::string_view what, const std::string& text) {
  Cell result;
  if (!parse_pair(text, 'x', result) || result.x < 1 || result.y < 1) {
    refuse("{} must be WxH with two whole numbers of at least 1, not '{}'", what, text);
  }
  return result;
}

}  // namespace octile::cli
