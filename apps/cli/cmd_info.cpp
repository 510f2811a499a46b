// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile info: what a map file holds, and what it becomes.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "command.hpp"
#include "failure.hpp"
#include "maps.hpp"

namespace octile::cli {
namespace {

struct InfoOptions {
  std::string map;
  bool json = false;
  ProfileOptions profile;
};

std::string letter(int terrain) {
  if (terrain > 32 && terrain < 127) return std::string(1, static_cast<char>(terrain));
  return fmt::format("0x{:02x}", terrain);
}

int run_info(const InfoOptions& options) {
  const Profile profile = options.profile.profile();
  Engine engine;
  const std::string format = load_map(options.map, engine);
  const View view = publish(engine, profile);

  size_t terrains[256] = {};
  size_t passable = 0;
  std::unordered_map<uint32_t, size_t> components;
  const Cell first = view.first_cell();
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x) {
      const Cell cell{first.x + x, first.y + y};
      ++terrains[view.terrain(cell)];
      if (!view.passable(cell)) continue;
      ++passable;
      ++components[view.component(cell)];
    }
  }
  size_t largest = 0;
  for (const auto& [id, cells] : components) largest = std::max(largest, cells);
  const size_t cells = static_cast<size_t>(view.width()) * static_cast<size_t>(view.height());
  const LayerMemory memory = view.memory();
  const double n = static_cast<double>(cells);
  const double map_bytes = static_cast<double>(memory.map_bytes) / n;
  const double layer_bytes = static_cast<double>(memory.layer_bytes) / n;

  if (options.json) {
    nlohmann::ordered_json out;
    out["map"] = options.map;
    out["format"] = format;
    out["width"] = view.width();
    out["height"] = view.height();
    out["cells"] = cells;
    for (int t = 0; t < 256; ++t) {
      if (terrains[t] != 0) out["terrains"][letter(t)] = terrains[t];
    }
    out["passable"] = passable;
    out["components"] = components.size();
    out["largest_component"] = largest;
    out["uniform"] = view.uniform();
    out["map_bytes_per_cell"] = map_bytes;
    out["layer_bytes_per_cell"] = layer_bytes;
    fmt::print("{}\n", out.dump(2));
    return kDone;
  }
  fmt::print("format      {}\n", format);
  fmt::print("size        {} x {} = {} cells\n", view.width(), view.height(), cells);
  fmt::print("terrains   ");
  for (int t = 0; t < 256; ++t) {
    if (terrains[t] != 0) fmt::print(" {}:{}", letter(t), terrains[t]);
  }
  fmt::print("\n");
  fmt::print("passable    {} cells, {:.1f} %\n", passable, 100 * static_cast<double>(passable) / n);
  fmt::print("components  {}, the largest has {} cells\n", components.size(), largest);
  fmt::print("costs       {}\n", view.uniform() ? "uniform" : "weighted");
  fmt::print("memory      {:.2f} bytes a cell: map {:.2f}, layer {:.2f}\n", map_bytes + layer_bytes,
             map_bytes, layer_bytes);
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& command = *app.add_subcommand("info", "say what a map file holds");
  command.add_option("MAP", options->map, "a map: Moving AI, tiles, PNG, PGM or plain text")
      ->required();
  command.add_flag("--json", options->json, "as JSON");
  options->profile.add_to(command);
  set_action(command, action, options, run_info);
}

}  // namespace octile::cli
