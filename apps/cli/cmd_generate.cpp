// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile generate: maps made by rule, and scenarios for many agents. The kinds of maps come from
// scenes/generators.hpp.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "plan_file.hpp"
#include "scenes/generators.hpp"

namespace octile::cli {
namespace {

struct GenerateOptions {
  std::string kind;
  std::string map;  // of the kind mapf only, as is `agents`
  std::string agents;
  std::string size;
  std::string seed;
  std::string density;
  std::string room;
  std::string corridor;
  std::string out;
};

// "0.3", "30" and "30%" are all 300 permille: up to 1 a share, above per cent.
int permille(const std::string& text) {
  std::string number = text;
  const bool percent = !number.empty() && number.back() == '%';
  if (percent) number.pop_back();
  double value = real_number("--density", number, 0, false);
  if (percent || value > 1) value /= 100;
  if (value > 1) refuse("--density must lie between 0 and 100 %, not be {}", text);
  return static_cast<int>(std::lround(value * 1000));
}

const MapKind* find_kind(const std::string& name) {
  for (int i = 0; i < map_kind_count(); ++i) {
    if (name == map_kind(i).name) return &map_kind(i);
  }
  return nullptr;
}

// nullptr: the kind takes none of that name.
const MapParameter* find_parameter(const MapKind& kind, const std::string& name) {
  for (const MapParameter& parameter : kind.parameters) {
    if (parameter.name && name == parameter.name) return &parameter;
  }
  return nullptr;
}

// Of a parameter that the kind takes, within its limits.
int number_of(const MapKind& kind, const std::string& name, const std::string& text) {
  const MapParameter& parameter = *find_parameter(kind, name);
  return static_cast<int>(whole_number("--" + name, text, parameter.lowest, parameter.highest));
}

// Starts and goals on a map that is there.
int run_generate_tasks(const GenerateOptions& options) {
  if (options.map.empty()) refuse("generate mapf needs a MAP");
  if (options.agents.empty()) refuse("generate mapf needs --agents");
  for (const auto& [name, value] :
       {std::pair<const char*, const std::string&>{"size", options.size},
        {"density", options.density},
        {"room", options.room},
        {"corridor", options.corridor}}) {
    if (!value.empty()) refuse("generate mapf takes no --{}", name);
  }
  if (extension(options.out) != "scen") refuse("'{}' must end in .scen", options.out);
  const auto agents = static_cast<size_t>(whole_number("--agents", options.agents, 1, INT32_MAX));
  const uint64_t seed = options.seed.empty() ? 0 : seed_number("--seed", options.seed);
  Engine engine;
  load_map(options.map, engine);
  write_file(options.out, draw_tasks(engine, options.map, agents, seed));
  return kDone;
}

int run_generate(const GenerateOptions& options) {
  if (options.kind == "mapf") return run_generate_tasks(options);
  if (!options.map.empty()) refuse("unexpected argument: {}", options.map);
  if (!options.agents.empty()) refuse("the generator '{}' takes no --agents", options.kind);
  const MapKind* generator = find_kind(options.kind);
  if (generator == nullptr) {
    std::string names;
    for (int i = 0; i < map_kind_count(); ++i) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", map_kind(i).name);
    }
    refuse("there is no generator '{}'; there are {}", options.kind, names);
  }
  // Named here and not by the generator: only the command line knows what was typed.
  for (const auto& [name, value] :
       {std::pair<const char*, const std::string&>{"seed", options.seed},
        {"density", options.density},
        {"room", options.room},
        {"corridor", options.corridor}}) {
    if (!value.empty() && !find_parameter(*generator, name)) {
      refuse("the generator '{}' takes no --{}", options.kind, name);
    }
  }
  scenes::GeneratorOptions rule;
  const Cell size = extent("--size", options.size.empty() ? "64x64" : options.size);
  rule.width = size.x;
  rule.height = size.y;
  if (!options.seed.empty()) rule.seed = seed_number("--seed", options.seed);
  if (!options.density.empty()) rule.density = permille(options.density);
  if (!options.room.empty()) rule.room = number_of(*generator, "room", options.room);
  if (!options.corridor.empty())
    rule.corridor = number_of(*generator, "corridor", options.corridor);
  const std::string kind = extension(options.out);
  if (kind != "map" && kind != "tiles" && kind != "txt" && kind != "pgm" && kind != "png") {
    refuse("'{}' must end in .map, .tiles, .txt, .pgm or .png", options.out);
  }
  // Before anything is allocated for it.
  MapDef definition;
  definition.width = size.x;
  definition.height = size.y;
  Engine engine;
  if (const Fault fault = engine.reset(definition)) refuse("{}", fault.text);
  scenes::Grid grid;
  const std::string wrong = scenes::generate(options.kind, rule, grid);
  if (!wrong.empty()) refuse("{}", wrong);
  const Rect all{0, 0, grid.width, grid.height};
  if (const Fault fault =
          engine.map().stamp(all, grid.cells.data(), static_cast<size_t>(grid.width))) {
    refuse("{}", fault.text);
  }
  save_map(engine.map(), options.out);
  return kDone;
}

std::string kinds() {
  std::string text = "Kinds:\n";
  for (int i = 0; i < map_kind_count(); ++i) {
    const MapKind& kind = map_kind(i);
    std::string parameters;
    for (const MapParameter& p : kind.parameters) {
      if (!p.name) continue;
      parameters += fmt::format("{}--{}", parameters.empty() ? " (" : ", ", p.name);
    }
    if (!parameters.empty()) parameters += ")";
    text += fmt::format("  {:<14} {}{}\n", kind.name, kind.summary, parameters);
  }
  text += "  mapf           starts and goals for many agents on MAP (--agents, --seed)\n";
  return text;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App& command = *app.add_subcommand("generate", "make a map by rule");
  command.footer(kinds());
  command.add_option("KIND", options->kind, "which rule")->required();
  command.add_option("MAP", options->map, "of the kind mapf: where the agents are");
  command.add_option("--agents", options->agents, "of the kind mapf: how many");
  command.add_option("--size", options->size, "WxH in cells")->default_str("64x64");
  command.add_option("--seed", options->seed, "same seed, same map");
  command.add_option("--density", options->density, "share of walls: 0.3, 30 or 30%");
  command.add_option("--room", options->room, "size of rooms in cells");
  command.add_option("--corridor", options->corridor, "width of corridors in cells");
  command
      .add_option("-o,--out", options->out,
                  "F.map, F.tiles, F.txt, F.pgm or F.png; F.scen of the kind mapf")
      ->required();
  set_action(command, action, options, run_generate);
}

}  // namespace octile::cli
