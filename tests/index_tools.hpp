// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the tests of indexes share: building, bytes and their checksum, a folder for files, and
// walks by every label kernel into memory that is watched on both sides.

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "index/label_common.hpp"
#include "index/path_index.hpp"
#include "support.hpp"

namespace octile::test {

constexpr IndexKind kExactKinds[] = {IndexKind::subgoal_graph, IndexKind::subgoal_labels,
                                     IndexKind::tile_labels};
constexpr IndexKind kAllKinds[] = {IndexKind::subgoal_graph, IndexKind::subgoal_labels,
                                   IndexKind::tile_labels, IndexKind::portals, IndexKind::quadtree};

inline Index build(const View& view, IndexKind most = IndexKind::tile_labels,
                   unsigned threads = 1) {
  IndexOptions options;
  options.most = most;
  options.threads = threads;
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

// A folder of its own for one test, removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "octile_XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  size_t entries() const {
    size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) n += !entry.path().empty();
    return n;
  }

 private:
  std::string path_;
};

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

// ---------------------------------------------------------------------------------------------
// Kernels

constexpr Cell kUntouched{INT32_MIN, INT32_MAX};
constexpr size_t kGuard = kSpareCells + 8;  // cells on both sides: more than may be written

// True when the cells so far outside that no kernel may touch them are what they were.
inline bool guards_untouched(const std::vector<Cell>& guarded) {
  for (size_t i = 0; i < kGuard - kSpareCells; ++i)
    if (guarded[i] != kUntouched || guarded[guarded.size() - 1 - i] != kUntouched) return false;
  return true;
}

// The cells of a way over a hub, or of a line, by one kernel; a complaint when more or fewer cells
// are written than the way is long and both sides have to spare.
inline std::string walk_by(const LabelKernel& kernel, const LabelTables& tables, Point s, Point t,
                           Cell offset, Meeting* meeting, std::vector<Cell>* cells) {
  const bool line = tables.sight.line_free(s, t);
  *meeting = Meeting();
  uint32_t steps, diagonal;
  if (line) {
    tables.steps_of(tables.steps.line(s, t), &steps, &diagonal);
  } else {
    std::vector<uint32_t> room(2 * size_t{tables.room()});
    kernel.meet(tables, s, t, room.data(), meeting);
    cells->clear();
    if (meeting->length == kFar) return "";
    tables.steps_of(meeting->length, &steps, &diagonal);
  }
  std::vector<Cell> guarded(steps + 1 + 2 * kGuard, kUntouched);
  Cell* out = guarded.data() + kGuard;
  std::string wrong;
  if (line) {
    kernel.line(s, t, offset, out);
  } else {
    kernel.way(*meeting, s, t, offset, out, steps);
  }
  if (!guards_untouched(guarded)) wrong = "written outside";
  cells->assign(out, out + steps + 1);
  for (const Cell c : *cells)
    if (c == kUntouched) wrong = "a cell is left out";
  for (size_t i = 1; i < cells->size() && wrong.empty(); ++i) {
    const Cell a = (*cells)[i - 1], b = (*cells)[i];
    if (std::abs(a.x - b.x) > 1 || std::abs(a.y - b.y) > 1 || a == b)
      wrong = "the two sides do not meet";
  }
  if (cells->front() != Cell{int32_t(s.x) + offset.x, int32_t(s.y) + offset.y} ||
      cells->back() != Cell{int32_t(t.x) + offset.x, int32_t(t.y) + offset.y})
    wrong = "the ends are wrong";
  return wrong;
}

// Every kernel on one pair; they must agree with the first kernel.
inline std::string kernels_agree(const LabelTables& tables, Point s, Point t, Cell offset) {
  uint32_t count;
  const LabelKernel* const* kernels = label_kernels(&count);
  Meeting right;
  std::vector<Cell> right_cells, cells;
  std::string wrong = walk_by(kScalarLabels, tables, s, t, offset, &right, &right_cells);
  for (uint32_t k = 0; k < count && wrong.empty(); ++k) {
    Meeting m;
    wrong = walk_by(*kernels[k], tables, s, t, offset, &m, &cells);
    if (wrong.empty() && m.length != right.length) wrong = "another length";
    if (wrong.empty() && m.length != kFar &&
        (m.tree != right.tree || !(m.via[0] == right.via[0]) || !(m.via[1] == right.via[1]) ||
         m.link[0] != right.link[0] || m.link[1] != right.link[1]))
      wrong = "another meeting";
    if (wrong.empty() && cells != right_cells) wrong = "other cells";
    if (!wrong.empty()) wrong = std::string(kernels[k]->name) + ": " + wrong;
  }
  return wrong;
}

}  // namespace octile::test
