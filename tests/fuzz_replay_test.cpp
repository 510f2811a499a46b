// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Runs the fuzzers' functions without libFuzzer, with every compiler: on each file of the corpus,
// on its beginnings, and on variations of it that are the same in every run. What a fuzzer finds
// goes into tests/fuzz/corpus and is tested here from then on.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/fuzz_index.hpp"
#include "fuzz/fuzz_map.hpp"
#include "fuzz/fuzz_query.hpp"
#include "fuzz/fuzz_scen.hpp"
#include "support.hpp"

namespace octile::fuzz {
namespace {

namespace fs = std::filesystem;
using Input = std::vector<uint8_t>;
using Fuzzer = void (*)(const uint8_t*, size_t);

std::vector<fs::path> corpus(const std::string& name) {
  std::vector<fs::path> files;
  std::error_code none;
  const fs::path folder = fs::path(__FILE__).parent_path() / "fuzz" / "corpus" / name;
  for (const auto& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty()) << "no corpus in " << folder;
  return files;
}

Input bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The bytes as one word of text, to be pasted into a bug report.
std::string shown(const Input& input) {
  std::string out;
  for (uint8_t b : input) {
    const char digits[] = "0123456789abcdef";
    out += {digits[b >> 4], digits[b & 15]};
  }
  return out;
}

void expect_no_problem(Fuzzer fuzzer, const Input& input, const fs::path& file) {
  try {
    fuzzer(input.data(), input.size());
  } catch (const Problem& problem) {
    ADD_FAILURE() << problem.what() << "\n  from " << file.filename() << ", bytes " << shown(input);
  }
}

void replay(const std::string& name, Fuzzer fuzzer, int variations) {
  size_t inputs = 0;
  for (const fs::path& file : corpus(name)) {
    const Input whole = bytes_of(file);
    expect_no_problem(fuzzer, whole, file);
    for (size_t n = 0; n < whole.size(); n += 1 + whole.size() / 64) {
      expect_no_problem(fuzzer, Input(whole.begin(), whole.begin() + ptrdiff_t(n)), file);
      ++inputs;
    }
    uint32_t state = 1;
    const auto random = [&state](size_t n) {
      state = state * 1664525u + 1013904223u;
      return (state >> 8) % n;
    };
    // With the sanitizers the fuzzers themselves vary it, thousands of times.
    for (int i = 0; i < test::effort(variations) && !whole.empty(); ++i) {
      Input varied = whole;
      for (size_t k = 1 + random(4); k > 0; --k) {
        const size_t at = random(varied.size());
        const size_t kind = random(4);
        if (kind == 0) varied[at] ^= uint8_t(1u << random(8));
        if (kind == 1) varied[at] = uint8_t(random(256));
        if (kind == 2) varied.insert(varied.begin() + ptrdiff_t(at), varied[random(varied.size())]);
        if (kind == 3 && varied.size() > 1) varied.erase(varied.begin() + ptrdiff_t(at));
      }
      expect_no_problem(fuzzer, varied, file);
      ++inputs;
    }
    if (testing::Test::HasFailure()) return;  // one report is enough
    ++inputs;
  }
  testing::Test::RecordProperty("inputs", int(inputs));
}

TEST(FuzzReplay, MapFiles) {
  replay("map", fuzz_map, 300);
}
TEST(FuzzReplay, ScenFiles) {
  replay("scen", fuzz_scen, 300);
}
TEST(FuzzReplay, QueriesAndEdits) {
  replay("query", fuzz_query, 150);
}

TEST(FuzzReplay, IndexFiles) {
  replay("index", fuzz_index, 300);
}

// The harness itself: a Problem must come out when something is wrong.
TEST(FuzzReplay, TheModelTellsAWrongPathFromARightOne) {
  MapDef d;
  d.width = d.height = 3;
  Model model(d);
  model.terrain[4] = '@';
  const Profile profile;
  const Walker walker{model, profile};
  EXPECT_NO_THROW(check_steps(walker, {{0, 0}, {1, 0}, {2, 0}, {2, 1}}));
  EXPECT_THROW(check_steps(walker, {{0, 0}, {1, 1}}), Problem);   // into a wall
  EXPECT_THROW(check_steps(walker, {{0, 1}, {1, 0}}), Problem);   // around a corner
  EXPECT_THROW(check_steps(walker, {{0, 0}, {2, 0}}), Problem);   // a jump
  EXPECT_THROW(check_steps(walker, {{0, 0}, {-1, 0}}), Problem);  // out of the map
  EXPECT_THROW(filled_in({{0, 0}, {2, 1}}), Problem);             // bent
  EXPECT_NEAR(walker.distances({0, 0})[8], 4, 1e-12);
}

}  // namespace
}  // namespace octile::fuzz
