// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Indexes as the command line deals with them: read from a file, or built on the way for the
// solvers that need one.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "octile/octile.hpp"

namespace octile::cli {

// --index, --index-mode, --budget-mb.
struct IndexSettings {
  std::string file;
  std::string mode = "copy";
  std::string budget_mb = "512";

  void add_to(CLI::App& command, bool with_budget = true);
  size_t budget_bytes() const;
  // The named file. Copied it is whole, whatever happens to the file while the command runs.
  Index load() const;
};

struct IndexedView {
  View view;
  double build_ms = 0;
  size_t index_bytes = 0;
};

// Gives each solver the View that it needs: `labels` one with tile labels, `subgoal` one with
// subgoal labels, `auto` the first that is there, the others the plain one. Indexes are read from
// the file that was named, or built once, in two threads.
class Indexes {
 public:
  Indexes(View plain, const IndexSettings& settings);
  IndexedView view_for(SolverId solver);

 private:
  const IndexedView& of_kind(IndexKind kind);
  IndexedView plain_;
  IndexSettings settings_;
  Index loaded_;
  std::vector<std::pair<IndexKind, IndexedView>> made_;
};

// Builds with a progress bar.
Index build(const View& view, const IndexOptions& options);
Index load(const std::string& file, IndexLoad how = IndexLoad::copied);
// The view with the index that was read from `file`.
View with_index(const View& plain, const Index& index, const std::string& file);

}  // namespace octile::cli
