// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile convert: one map format into another, by the extensions.

#include <memory>

#include "command.hpp"
#include "failure.hpp"
#include "maps.hpp"

namespace octile::cli {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
};

int run_convert(const ConvertOptions& options) {
  Engine engine;
  load_map(options.in, engine);
  save_map(engine.map(), options.out);
  return kDone;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App& command = *app.add_subcommand("convert", "turn one map format into another");
  command.add_option("IN", options->in, "a map: Moving AI, tiles, PNG, PGM or plain text")
      ->required();
  command.add_option("OUT", options->out, "F.map, F.tiles, F.txt, F.pgm or F.png")->required();
  command.footer(
      ".pgm and .png keep walls alone; .map and .txt keep every terrain letter; .tiles keeps "
      "all, and loads at once.");
  set_action(command, action, options, run_convert);
}

}  // namespace octile::cli
