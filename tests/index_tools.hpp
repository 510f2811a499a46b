// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the tests of indexes share: building, bytes and their checksum.

#include <cstring>
#include <fstream>
#include <iterator>

#include "folder.hpp"
#include "index/path_index.hpp"
#include "kernel_walk.hpp"
#include "support.hpp"

namespace octile::test {

constexpr IndexKind kExactKinds[] = {IndexKind::subgoal_graph, IndexKind::subgoal_labels,
                                     IndexKind::tile_labels};
constexpr IndexKind kAllKinds[] = {IndexKind::subgoal_graph, IndexKind::subgoal_labels,
                                   IndexKind::tile_labels, IndexKind::portals, IndexKind::quadtree};

inline Index build(const View& view, IndexKind most = IndexKind::tile_labels, unsigned threads = 1,
                   bool high = false) {
  IndexOptions options;
  options.most = most;
  options.threads = threads;
  options.high_quality = high;
  Index index;
  const Fault f = build_index(view, options, &index);
  EXPECT_FALSE(f) << f.text;
  return index;
}

inline View with(const View& view, const Index& index) {
  View out;
  const Fault f = view.with_index(index, &out);
  EXPECT_FALSE(f) << f.text;
  return out;
}

inline Rect some_rect(Random& random, const Board& board, int most) {
  const int w = 1 + random.below(most), h = 1 + random.below(most);
  const Cell first = board.def.first_cell;
  return {first.x + random.below(board.width() - w + 1),
          first.y + random.below(board.height() - h + 1), w, h};
}

inline std::string bytes_of(const Index& index) {
  return {static_cast<const char*>(index.data()), index.info().bytes};
}

inline IndexHeader header_of(const std::string& bytes) {
  IndexHeader h;
  std::memcpy(&h, bytes.data(), sizeof h);
  return h;
}
inline void set_header(const IndexHeader& h, std::string* bytes) {
  std::memcpy(bytes->data(), &h, sizeof h);
}

// Makes the checksum right again.
inline void reseal(std::string* bytes) {
  if (bytes->size() < kIndexHeadBytes) return;
  IndexHeader h = header_of(*bytes);
  h.checksum = index_checksum(reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size());
  set_header(h, bytes);
}

inline Index read(const std::string& bytes) {
  Index index;
  const Fault f = read_index(bytes.data(), bytes.size(), &index);
  EXPECT_FALSE(f) << f.text;
  return index;
}

inline std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline void spill(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Answers in one number.
inline uint64_t answers(const View& view, uint64_t seed, int pairs, const char* solver = "auto") {
  Random random(seed);
  Searcher searcher;
  Path path;
  uint64_t h = 0;
  const Cell first = view.first_cell();
  const auto any = [&] {
    return Cell{first.x + random.below(view.width()), first.y + random.below(view.height())};
  };
  for (int i = 0; i < pairs; ++i) {
    Query q = query_of(any(), any(), solver);
    q.output = i % 3 ? Output::cells : Output::waypoints;
    find(searcher, view, q, path);
    h = h * 0x100000001b3 + hash_of(path);
  }
  return h;
}

}  // namespace octile::test
