// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "signature.hpp"

#include <algorithm>

#include "failure.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "octile/octile.hpp"
#include "scenes/scenes.hpp"

namespace octile::cli {
namespace {

// Cells of a scene up to which the solver takes part.
constexpr int64_t kAllSolvers = 128 * 128;   // textbook_list: time grows with the open list
constexpr int64_t kLabelled = 96 * 96;       // labels, subgoal: the time goes into building
constexpr int64_t kPlainSearch = 256 * 256;  // dijkstra: floods the map each time
// On larger scenes only so many queries count.
constexpr size_t kFewQueries = 8;

class Hash {
 public:
  void add(uint64_t value) {
    for (int i = 0; i < 8; ++i) {
      state_ ^= (value >> (8 * i)) & 0xff;
      state_ *= 0x100000001b3ull;
    }
  }
  void add(const std::string& text) {
    for (char c : text) add(static_cast<uint64_t>(static_cast<unsigned char>(c)));
    add(text.size());
  }
  uint32_t folded() const { return static_cast<uint32_t>(state_ ^ (state_ >> 32)); }

 private:
  uint64_t state_ = 0xcbf29ce484222325ull;
};

bool takes_part(SolverId solver, int64_t cells) {
  const std::string name = solver_info(solver).name;
  if (name == "textbook_list") return cells <= kAllSolvers;
  if (name == "dijkstra") return cells <= kPlainSearch;
  if (name == "labels" || name == "subgoal") return cells <= kLabelled;
  return true;
}

}  // namespace

Signature compute_signature(const std::function<void(double)>& progress) {
  Signature signature;
  Hash hash;
  Searcher searcher;
  Path path;
  const auto& scenes = scenes::all();
  for (size_t i = 0; i < scenes.size(); ++i) {
    const std::optional<scenes::Scene> scene = scenes::build(scenes[i].name);
    if (!scene) refuse("the scene '{}' cannot be built", scenes[i].name);
    Engine engine;
    ProfileId profile = 0;
    if (const Fault fault = scenes::load(*scene, engine, profile)) {
      refuse("the scene '{}': {}", scene->name, fault.text);
    }
    const View view = engine.view(profile);
    const int64_t cells = int64_t{view.width()} * view.height();
    const size_t queries =
        cells > kPlainSearch ? std::min(kFewQueries, scene->queries.size()) : scene->queries.size();
    Indexes indexes(view, IndexSettings());
    for (SolverId solver = 0; solver < solver_count(); ++solver) {
      if (!takes_part(solver, cells)) continue;
      const View with = indexes.view_for(solver).view;
      SignatureLine line{scene->name, solver_info(solver).name, queries, 0, 0};
      hash.add(line.scene);
      hash.add(line.solver);
      for (size_t q = 0; q < queries; ++q) {
        Query query;
        query.start = scene->queries[q].start;
        query.goal = scene->queries[q].goal;
        query.solver = solver;
        find(searcher, with, query, path);
        hash.add(std::string(name(path.status)));
        hash.add(path.expanded);
        hash.add(path.cost_units);
        for (size_t c = 0; c < path.size(); ++c) {
          hash.add(static_cast<uint64_t>(static_cast<uint32_t>(path.cells()[c].x)) << 32 |
                   static_cast<uint32_t>(path.cells()[c].y));
        }
        line.expanded += path.expanded;
        line.cost_units += path.cost_units;
      }
      signature.lines.push_back(std::move(line));
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(scenes.size()));
  }
  signature.number = hash.folded();
  return signature;
}

}  // namespace octile::cli
