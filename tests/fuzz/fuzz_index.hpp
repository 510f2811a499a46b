// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Bytes as an index file, as they are and with a head that fits them: size, checksum, and the
// fingerprint of the map that the file's own bits draw. Whatever they are, read_index answers with
// an index or with a clear Fault; what it took is adopted by a View of that map and asked. Nobody
// can tell whether the answers are right: they must be whole, from the start to the goal.

#include <cstring>

#include "engine/view.hpp"
#include "fuzz_tools.hpp"
#include "index/path_index.hpp"

namespace octile::fuzz {

inline bool read_or_fault(const std::vector<uint8_t>& bytes, Index* index) {
  const Fault f = read_index(bytes.data(), bytes.size(), index);
  require(f ? index->empty() : !index->empty(), "the index and the fault do not fit");
  if (!f) return true;
  require(f.status == Status::bad_argument || f.status == Status::out_of_memory,
          "a fault with status ", name(f.status));
  require(f.text[0] != 0 && std::memchr(f.text, 0, sizeof f.text), "a fault without a text");
  return false;
}

inline void seal(std::vector<uint8_t>* bytes, uint64_t fingerprint) {
  IndexHeader h;
  std::memcpy(&h, bytes->data(), sizeof h);
  std::memcpy(h.magic, kIndexMagic, sizeof kIndexMagic);
  h.version = kIndexVersion;
  h.bytes = bytes->size();
  h.fingerprint = fingerprint;
  std::memcpy(bytes->data(), &h, sizeof h);
  h.checksum = index_checksum(bytes->data(), bytes->size());
  std::memcpy(bytes->data(), &h, sizeof h);
}

inline void ask_all(const View& view, const std::vector<Cell>& cells) {
  Searcher searcher;
  Path path;
  for (size_t i = 0; i < cells.size(); ++i) {
    for (size_t j = 0; j < cells.size(); ++j) {
      Query q;
      q.start = cells[i];
      q.goal = cells[j];
      q.output = (i + j) % 3 ? Output::cells : Output::waypoints;
      q.smooth = (i + j) % 6 == 0;
      find(searcher, view, q, path);
      require(path.status == Status::found || path.status == Status::no_path, "status ",
              name(path.status));
      require((path.status == Status::found) == (path.size() != 0), "size ", path.size());
      if (path.size()) {
        require(path.cells()[0] == q.start, "begins at ", path.cells()[0]);
        require(path.cells()[path.size() - 1] == q.goal, "ends at ", path.cells()[path.size() - 1]);
      }
      distance(searcher, view, q.start, q.goal);
      first_move(searcher, view, q.start, q.goal);
    }
  }
  std::vector<double> out(cells.size() * cells.size());
  if (cells.empty()) return;
  require(!distances(searcher, view, cells.data(), cells.size(), cells.data(), cells.size(),
                     out.data()),
          "no distances");
}

inline void fuzz_index(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  {
    Index index;
    read_or_fault(bytes, &index);
  }
  if (size < kIndexHeadBytes + kReadBeyond) return;
  bytes.resize((size + 63) / 64 * 64);
  seal(&bytes, 0);
  Index index;
  if (!read_or_fault(bytes, &index)) return;
  const Index::Impl& impl = *index.impl();
  MapDef def;
  def.width = impl.info.width;
  def.height = impl.info.height;
  def.first_cell = {-7, 11};
  if (def.width > 64 || def.height > 64) return;

  // The map that it says it is for, and free cells all over it.
  std::vector<uint8_t> terrain;
  std::vector<Cell> free, cells;
  for (int32_t y = 0; y < def.height; ++y) {
    for (int32_t x = 0; x < def.width; ++x) {
      const Point p{uint32_t(x), uint32_t(y)};
      const bool passable = impl.info.kind == IndexKind::tile_labels ? impl.labels.sight.passable(p)
                                                                     : impl.corners.passable(p);
      terrain.push_back(passable ? '.' : '@');
      if (passable) free.push_back({x - 7, y + 11});
    }
  }
  for (size_t i = 0; i < free.size(); i += 1 + free.size() / 12) cells.push_back(free[i]);
  Profile profile;
  for (const Metric metric : {Metric::octile, Metric::ten_fourteen, Metric::chebyshev})
    for (const IndexMetric& m : kIndexMetrics[size_t(metric)])
      if (m.steps.straight == impl.steps.straight && m.steps.diagonal == impl.steps.diagonal)
        profile.metric = metric;
  Engine engine;
  ProfileId id = 0;
  require(!engine.reset(def, terrain.data(), size_t(def.width)) &&
              !engine.add_profile(profile, &id) && !engine.commit(),
          "no view");
  const View view = engine.view(id);
  seal(&bytes, fingerprint(view.impl()->world));
  Index own;
  require(read_or_fault(bytes, &own), "refused because of its fingerprint");
  // Bits beyond the map's edges may be set; then it belongs to no map.
  if (!own.belongs_to(view)) return;
  require(!engine.adopt(id, own), "not adopted");
  ask_all(engine.view(id), cells);
}

}  // namespace octile::fuzz
