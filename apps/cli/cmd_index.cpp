// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile index: builds index files, and tells what they hold.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "numbers.hpp"

namespace octile::cli {
namespace {

struct IndexBuildOptions {
  std::string map;
  std::string out;
  std::string budget_mb = "512";
  std::string threads = "2";
  std::string kind = "tile_labels";
  std::string quality = "normal";
  ProfileOptions profile;
};

IndexKind kind_named(const std::string& text) {
  for (const IndexKind kind : {IndexKind::subgoal_graph, IndexKind::subgoal_labels,
                               IndexKind::tile_labels, IndexKind::portals, IndexKind::quadtree})
    if (text == name(kind)) return kind;
  refuse("--kind must be tile_labels, subgoal_labels, subgoal_graph, portals or quadtree, not '{}'",
         text);
}

void print_info(const Index& index) {
  const IndexInfo info = index.info();
  fmt::print("kind         {}\n", name(info.kind));
  fmt::print("map          {} x {}\n", info.width, info.height);
  fmt::print("fingerprint  {:016x}\n", info.fingerprint);
  fmt::print("bytes        {} ({:.2f} MB)\n", info.bytes, static_cast<double>(info.bytes) * 1e-6);
  if (info.blocks) {
    fmt::print("blocks       {}\n", info.blocks);
    fmt::print("portals      {}\n", info.portals);
  } else {
    fmt::print("subgoals     {}\n", info.subgoals);
    fmt::print("hubs         {}\n", info.hubs);
    fmt::print("entries      {}\n", info.entries);
  }
  if (*info.reason) fmt::print("reason       {}\n", info.reason);
}

int run_build(const IndexBuildOptions& options) {
  IndexOptions how;
  how.most = kind_named(options.kind);
  if (options.quality != "normal" && options.quality != "high")
    refuse("--quality must be normal or high, not '{}'", options.quality);
  how.high_quality = options.quality == "high";
  if (how.high_quality && how.most != IndexKind::portals)
    refuse("--quality high is of --kind portals; {} has one quality", name(how.most));
  how.budget_bytes = static_cast<size_t>(whole_number("--budget-mb", options.budget_mb, 1, 1 << 20))
                     << 20;
  how.threads = static_cast<unsigned>(whole_number("--threads", options.threads, 1, 64));
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  refuse_to_replace(options.out);
  const View view = publish(engine, profile);
  const auto begin = std::chrono::steady_clock::now();
  const Index index = build(view, how);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const Fault fault = save_index(index, options.out.c_str()))
    refuse("cannot write '{}': {}", options.out, fault.text);
  print_info(index);
  fmt::print("built in     {:.3f} s\n", seconds);
  fmt::print("written      {}\n", options.out);
  return kDone;
}

struct IndexInfoOptions {
  std::string file;
};

int run_index_info(const IndexInfoOptions& options) {
  print_info(load(options.file));
  return kDone;
}

}  // namespace

void add_index(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("index", "build index files and look at them");
  command.require_subcommand(1);
  const auto options = std::make_shared<IndexBuildOptions>();
  CLI::App& make = *command.add_subcommand("build", "build the index of a map");
  make.add_option("MAP", options->map, "a map file")->required();
  make.add_option("-o,--out", options->out, "the file to write")->required();
  make.add_option("--budget-mb", options->budget_mb,
                  "the most the labels may take, in 2^20 bytes; the index holds less when it must")
      ->capture_default_str();
  make.add_option("--threads", options->threads, "how many build")->capture_default_str();
  make.add_option("--kind", options->kind,
                  "tile_labels, subgoal_labels, subgoal_graph, portals or quadtree")
      ->capture_default_str();
  make.add_option("--quality", options->quality, "of portals: normal or high")
      ->capture_default_str();
  options->profile.add_to(make);
  set_action(make, action, options, run_build);
  const auto about = std::make_shared<IndexInfoOptions>();
  CLI::App& info = *command.add_subcommand("info", "check an index file and tell what it holds");
  info.add_option("FILE", about->file, "an index file")->required();
  set_action(info, action, about, run_index_info);
}

}  // namespace octile::cli
