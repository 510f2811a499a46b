// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "indexes.hpp"

#include <chrono>
#include <filesystem>
#include <utility>

#include "failure.hpp"
#include "files.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace octile::cli {

void IndexSettings::add_to(CLI::App& command, bool with_budget) {
  CLI::Option* index =
      command.add_option("--index", file, "an index file made by 'octile index build'");
  command
      .add_option("--index-mode", mode,
                  "copy: read into memory, so that it may change meanwhile; map: used where it "
                  "lies; trusted: the same, without the check of all of it")
      ->needs(index)
      ->capture_default_str();
  if (with_budget)
    command.add_option("--budget-mb", budget_mb, "the most an index built on the way may take")
        ->capture_default_str();
}

size_t IndexSettings::budget_bytes() const {
  return static_cast<size_t>(whole_number("--budget-mb", budget_mb, 1, 1 << 20)) << 20;
}

Index IndexSettings::load() const {
  if (mode != "copy" && mode != "map" && mode != "trusted")
    refuse("--index-mode must be copy, map or trusted, not '{}'", mode);
  return cli::load(file, mode == "copy"  ? IndexLoad::copied
                         : mode == "map" ? IndexLoad::mapped
                                         : IndexLoad::trusted);
}

Index build(const View& view, const IndexOptions& options) {
  Progress progress("index");
  IndexOptions how = options;
  how.user = &progress;
  how.progress = [](void* user, double done) { static_cast<Progress*>(user)->show(done); };
  Index index;
  const Fault fault = build_index(view, how, &index);
  progress.clear();
  if (fault) refuse("no index: {}", fault.text);
  return index;
}

Index load(const std::string& file, IndexLoad how) {
  refuse_no_file(file);
  // What comes through a pipe cannot be mapped.
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) how = IndexLoad::copied;
  Index index;
  if (const Fault fault = load_index(file.c_str(), how, &index))
    refuse("'{}': {}", file, fault.text);
  return index;
}

View with_index(const View& plain, const Index& index, const std::string& file) {
  View with;
  const Fault fault = plain.with_index(index, &with);
  if (fault.status == Status::stale_index)
    refuse("'{}': {}, or is for other moves, weights or sizes", file, fault.text);
  if (fault) refuse("'{}': {}", file, fault.text);
  return with;
}

Indexes::Indexes(View plain, const IndexSettings& settings) : settings_(settings) {
  plain_.view = std::move(plain);
  if (settings.file.empty()) return;
  loaded_ = settings.load();
  const View with = with_index(plain_.view, loaded_, settings.file);
  made_.push_back({loaded_.info().kind, {with, 0, loaded_.info().bytes}});
}

const IndexedView& Indexes::of_kind(IndexKind kind) {
  for (const auto& [made, view] : made_)
    if (made == kind || !loaded_.empty()) return view;
  // Maps and rules that no index serves are answered by the solvers that stand in.
  IndexOptions options;
  options.most = kind;
  options.budget_bytes = settings_.budget_bytes();
  options.threads = 2;
  const auto begin = std::chrono::steady_clock::now();
  IndexedView made = plain_;
  const Profile& profile = plain_.view.profile();
  if (plain_.view.uniform() && profile.moves == Moves::eight &&
      profile.diagonal == Diagonal::no_obstacles) {
    const Index index = build(plain_.view, options);
    made.build_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    made.index_bytes = index.info().bytes;
    if (const Fault fault = plain_.view.with_index(index, &made.view)) refuse("{}", fault.text);
  }
  made_.push_back({kind, made});
  return made_.back().second;
}

IndexedView Indexes::view_for(SolverId solver) {
  const std::string name = solver_info(solver).name;
  if (name == "portals") return of_kind(IndexKind::portals);
  if (name == "quadtree") return of_kind(IndexKind::quadtree);
  if (name == "labels") return of_kind(IndexKind::tile_labels);
  if (name == "subgoal") return of_kind(IndexKind::subgoal_labels);
  if (name == "auto" && !loaded_.empty()) return made_.front().second;
  return plain_;
}

}  // namespace octile::cli
