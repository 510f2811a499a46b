// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile field: distances and directions of all cells to some goals, as figures and as a picture.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "octile/fields.hpp"
#include "pictures/pictures.hpp"

namespace octile::cli {
namespace {

struct FieldOptions {
  std::string map;
  std::vector<std::string> goals;
  std::string from;
  std::string range;
  std::string out;
  bool compare = false;
  bool json = false;
  ProfileOptions profile;
};

constexpr pictures::Color kWallColor{40, 40, 48}, kBeyond{225, 225, 228};

// From dark violet (near) over red to yellow (far).
pictures::Color heat(double share) {
  constexpr double kStops[5][3] = {
      {68, 30, 110}, {140, 40, 120}, {205, 70, 90}, {240, 130, 60}, {250, 220, 110}};
  const double at = std::clamp(share, 0.0, 1.0) * 4;
  const int i = std::min(static_cast<int>(at), 3);
  const auto mix = [&](int c) {
    return static_cast<uint8_t>(kStops[i][c] + (kStops[i + 1][c] - kStops[i][c]) * (at - i));
  };
  return {mix(0), mix(1), mix(2)};
}

pictures::Mosaic draw_field(const View& view, const Field& field, double farthest) {
  pictures::Mosaic mosaic;
  mosaic.arrows.resize(static_cast<size_t>(view.width()) * static_cast<size_t>(view.height()));
  field.directions(mosaic.arrows.data());
  mosaic.cells = pictures::Image(view.width(), view.height(), kWallColor);
  const Cell first = view.first_cell();
  size_t at = 0;
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x, ++at) {
      const Cell cell{first.x + x, first.y + y};
      if (!view.passable(cell)) continue;
      const uint8_t d = mosaic.arrows[at];
      mosaic.cells.set(x, y,
                       d == kUnreached ? kBeyond
                       : d == kAtGoal  ? pictures::Color{90, 230, 140}
                                       : heat(farthest > 0 ? field.distance(cell) / farthest : 0));
    }
  }
  return mosaic;
}

// The best of a few builds, in milliseconds.
double time_build(FieldMaker& maker, const View& view, const FieldQuery& query, Field& field) {
  const auto begin = std::chrono::steady_clock::now();
  if (const Fault fault = maker.build(view, query, &field)) refuse("{}", fault.text);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

int run_field(const FieldOptions& options) {
  const std::string kind = options.out.empty() ? "" : extension(options.out);
  if (!options.out.empty() && kind != "png" && kind != "svg")
    refuse("'{}' must end in .png or .svg", options.out);
  std::vector<Cell> goals;
  for (const std::string& text : options.goals) goals.push_back(cell("--goal", text));
  FieldQuery query;
  if (!options.range.empty()) query.max_cost = real_number("--range", options.range, 0, false);
  const Profile profile = options.profile.profile();
  Engine engine;
  load_map(options.map, engine);
  const View view = publish(engine, profile);
  query.goals = goals.data();
  query.goal_count = goals.size();
  FieldMaker maker, plain_maker;
  plain_maker.plain = true;
  Field field, plain;
  double best = 1e300, plain_best = 1e300, spent = 0;
  for (int round = 0; round < 20 && (round < 2 || spent < 500); ++round) {
    const double ms = time_build(maker, view, query, field);
    best = std::min(best, ms);
    spent += ms;
    if (!options.compare) continue;
    const double plain_ms = time_build(plain_maker, view, query, plain);
    plain_best = std::min(plain_best, plain_ms);
    spent += plain_ms;
  }
  const Cell first = view.first_cell();
  size_t reached = 0, passable = 0, different = 0;
  double farthest = 0;
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x) {
      const Cell c{first.x + x, first.y + y};
      passable += view.passable(c);
      if (options.compare) different += field.distance_units(c) != plain.distance_units(c);
      if (!field.reached(c)) continue;
      ++reached;
      farthest = std::max(farthest, field.distance(c));
    }
  }
  Path path;
  const bool way = !options.from.empty();
  if (way) field.path(cell("--from", options.from), path);
  if (!options.out.empty()) {
    const pictures::Mosaic mosaic = draw_field(view, field, farthest);
    std::string wrong, bytes;
    if (kind == "svg") {
      wrong = pictures::draw_svg(mosaic, pictures::DrawOptions(), bytes);
    } else {
      pictures::Image image;
      std::vector<uint8_t> png;
      wrong = pictures::draw(mosaic, pictures::DrawOptions(), image);
      if (wrong.empty()) wrong = pictures::encode_png(image, png);
      bytes.assign(png.begin(), png.end());
    }
    if (!wrong.empty()) refuse("cannot draw '{}': {}", options.map, wrong);
    write_file(options.out, bytes);
  }
  const double per_cell = best * 1e6 / static_cast<double>(std::max<size_t>(reached, 1));
  if (options.json) {
    nlohmann::ordered_json json;
    json["map"] = base_name(options.map);
    json["passable"] = passable;
    json["reached"] = reached;
    json["farthest"] = farthest;
    json["bytes"] = field.memory_bytes();
    json["time_ms"] = best;
    json["ns_per_cell"] = per_cell;
    if (options.compare) {
      json["plain_ms"] = plain_best;
      json["different"] = different;
    }
    if (way) {
      json["status"] = name(path.status);
      json["cost"] = path.cost;
      json["goal_index"] = path.goal_index;
      for (size_t i = 0; i < path.size(); ++i)
        json["cells"].push_back({path.cells()[i].x, path.cells()[i].y});
    }
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("reached   {} of {} cells\n", reached, passable);
    fmt::print("farthest  {:.6f}\n", farthest);
    fmt::print("memory    {} bytes\n", field.memory_bytes());
    fmt::print("time      {:.3f} ms, {:.2f} ns a cell reached\n", best, per_cell);
    if (options.compare)
      fmt::print("plain     {:.3f} ms, {:.2f} times as long, {} distances differ\n", plain_best,
                 plain_best / best, different);
    if (way)
      fmt::print("way       {}, cost {:.6f}, {} cells\n", name(path.status), path.cost,
                 path.size());
  }
  return different || (way && path.status != Status::found) ? kFailed : kDone;
}

}  // namespace

void add_field(CLI::App& app, Action& action) {
  const auto options = std::make_shared<FieldOptions>();
  CLI::App& command =
      *app.add_subcommand("field", "distances and directions of all cells to some goals");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("--goal", options->goals, "X,Y of a goal; repeatable")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--range", options->range, "only cells within this cost of a goal");
  command.add_option("--from", options->from, "X,Y: follow the directions from here");
  command.add_option("--out", options->out,
                     "F.png or F.svg: the distances as colours, with arrows");
  command.add_flag("--compare", options->compare, "beside the plain algorithm, cell by cell");
  command.add_flag("--json", options->json, "figures as JSON");
  options->profile.add_to(command);
  set_action(command, action, options, run_field);
}

}  // namespace octile::cli
