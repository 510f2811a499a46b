// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile group: one order for many units, a slot for each.

#include "octile/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "octile/agents.hpp"
#include "pictures/units.hpp"

namespace octile::cli {
namespace {

struct GroupCommand {
  std::string map;
  std::vector<std::string> unit;
  std::string random = "0";
  std::string seed;
  std::string goal;
  std::string formation = "compact";
  std::string facing = "0,0";
  std::string spacing = "0";
  std::string files = "0";
  std::vector<std::string> friends;
  std::string friend_costs;
  IndexSettings index;
  bool only_reachable = false;
  bool json = false;
  std::string out;
  ProfileOptions profile;
};

Formation formation_of(const std::string& text) {
  std::string known;
  for (int i = 0; i <= static_cast<int>(Formation::keep_shape); ++i) {
    const auto formation = static_cast<Formation>(i);
    if (text == name(formation)) return formation;
    known += fmt::format("{}{}", i == 0 ? "" : ", ", name(formation));
  }
  refuse("--formation must be one of {}; not '{}'", known, text);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}
// X,Y: it rests; X,Y,DX,DY or X,Y,DX,DY,SPEED.
GroupFriend friend_of(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() != 2 && parts.size() != 4 && parts.size() != 5)
    refuse("--friend must be X,Y or X,Y,DX,DY or X,Y,DX,DY,SPEED, not '{}'", text);
  GroupFriend f;
  f.cell = cell("--friend", parts[0] + ',' + parts[1]);
  if (parts.size() > 2) f.heading = cell("--friend", parts[2] + ',' + parts[3]);
  if (parts.size() > 4) f.speed = real_number("--friend", parts[4], 0, false);
  if (parts.size() > 4 && f.heading == Cell{})
    refuse("--friend {}: who goes nowhere (0,0) rests and has no SPEED", text);
  return f;
}
FriendCosts friend_costs_of(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() != 2) refuse("--friend-costs must be MOVING,RESTING, not '{}'", text);
  return {real_number("--friend-costs", parts[0], 0, false),
          real_number("--friend-costs", parts[1], 0, false)};
}

// So many distinct places where the unit can stand.
std::vector<GroupUnit> random_units(const View& view, size_t count, uint64_t seed) {
  std::vector<GroupUnit> places;
  const Cell first = view.first_cell();
  for (int32_t y = 0; y < view.height(); ++y)
    for (int32_t x = 0; x < view.width(); ++x)
      if (view.passable({first.x + x, first.y + y}))
        places.push_back({{first.x + x, first.y + y}, 0});
  if (places.size() < count)
    refuse("--random {}: the map has only {} free places", count, places.size());
  std::mt19937_64 random(seed);
  for (size_t i = 0; i < count; ++i)
    std::swap(places[i], places[i + random() % (places.size() - i)]);
  places.resize(count);
  return places;
}

std::string to_json(const std::vector<GroupUnit>& units, const std::vector<GroupSlot>& slots,
                    const GroupAnswer& answer, double ms) {
  nlohmann::ordered_json all;
  all["placed"] = answer.placed;
  all["partial"] = answer.partial;
  all["left"] = answer.left;
  all["longest"] = answer.longest;
  all["total"] = answer.total;
  all["optimal"] = answer.optimal;
  all["time_ms"] = ms;
  all["units"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < units.size(); ++i) {
    nlohmann::ordered_json one;
    one["from"] = {units[i].cell.x, units[i].cell.y};
    one["status"] = name(slots[i].status);
    one["slot"] = {slots[i].cell.x, slots[i].cell.y};
    one["rank"] = slots[i].rank;
    if (slots[i].distance == kWall)
      one["distance"] = nullptr;
    else
      one["distance"] = slots[i].distance;
    all["units"].push_back(one);
  }
  return all.dump() + "\n";
}

// The order carried out, tick by tick, until all are in their slots or nobody gets on.
Plan carry_out(const View& view, const std::vector<GroupUnit>& units,
               const std::vector<GroupSlot>& slots, bool steps) {
  const size_t n = units.size();
  if (steps && (view.profile().width > 1 || view.profile().height > 1))
    refuse("an order is carried out for units of one cell: leave out --size, or take --out F.png");
  std::vector<Cell> rows;
  for (const GroupUnit& unit : units) rows.push_back(unit.cell);
  if (steps) {
    std::vector<StepAgent> agents(n);
    for (size_t i = 0; i < n; ++i) {
      agents[i].cell = units[i].cell;
      agents[i].goal = slots[i].cell;
      agents[i].priority = static_cast<uint8_t>(255 - std::min(slots[i].rank, 255u));
      agents[i].has_goal = agents[i].pushable = slots[i].distance != kWall;
    }
    StepPlanner planner;
    if (const Fault fault = planner.reset(view, agents.data(), n, {})) refuse("{}", fault.text);
    while (planner.on_the_way() > 0 && !planner.stalled() && planner.ticks() < 100000) {
      if (const Fault fault = planner.step()) refuse("{}", fault.text);
      for (size_t i = 0; i < n; ++i) rows.push_back(planner.cell(i));
    }
  }
  // The squares of the picture stand on the last row.
  for (const GroupSlot& slot : slots) rows.push_back(slot.cell);
  Plan plan;
  Cell* cells = plan.resize(rows.size() / n, n);
  if (!cells) refuse("memory is short");
  std::copy(rows.begin(), rows.end(), cells);
  return plan;
}

std::string draw_order(const View& view, const std::vector<GroupUnit>& units,
                       const std::vector<GroupSlot>& slots, const std::string& kind,
                       const std::string& title) {
  const Plan plan = carry_out(view, units, slots, kind != "png");
  pictures::UnitsOptions options;
  options.title = title;
  std::string wrong, bytes;
  if (kind == "svg") {
    wrong = pictures::animate_units_svg(view, plan, options, bytes);
  } else if (kind == "gif") {
    std::vector<uint8_t> gif;
    wrong = pictures::animate_units(view, plan, options, gif);
    bytes.assign(gif.begin(), gif.end());
  } else {
    pictures::Image image;
    std::vector<uint8_t> png;
    wrong = pictures::draw_units(view, plan, 0, options, image);
    if (wrong.empty()) wrong = pictures::encode_png(image, png);
    bytes.assign(png.begin(), png.end());
  }
  if (!wrong.empty()) refuse("cannot draw the group: {}", wrong);
  return bytes;
}

int run_group(const GroupCommand& command) {
  const std::string kind = command.out.empty() ? "" : extension(command.out);
  if (!command.out.empty() && kind != "png" && kind != "svg" && kind != "gif")
    refuse("'{}' must end in .png, .svg or .gif", command.out);
  GroupOptions options;
  options.formation = formation_of(command.formation);
  options.facing = cell("--facing", command.facing);
  options.spacing = static_cast<int32_t>(whole_number("--spacing", command.spacing, 0, 32));
  options.files = command.files == "passage"
                      ? GroupOptions::kFilesByPassage
                      : static_cast<int32_t>(whole_number("--files", command.files, 0, INT32_MAX));
  const bool ranked = options.formation == Formation::box || options.formation == Formation::column;
  if (options.files != 0 && !ranked)
    refuse("--files is of a box or column, not of {}", name(options.formation));
  options.allow_partial = !command.only_reachable;
  std::vector<GroupFriend> friends;
  for (const std::string& text : command.friends) friends.push_back(friend_of(text));
  options.friends = friends.data();
  options.friend_count = friends.size();
  if (!command.friend_costs.empty()) {
    if (friends.empty()) refuse("--friend-costs needs a --friend");
    options.friend_costs = friend_costs_of(command.friend_costs);
  }
  const Cell goal = cell("--goal", command.goal);
  const int64_t random = whole_number("--random", command.random, 0, 1 << 20);
  std::vector<GroupUnit> units;
  for (const std::string& text : command.unit) units.push_back({cell("--unit", text), 0});
  if (units.empty() && random == 0) refuse("name units by --unit X,Y, or take --random N");
  if (!units.empty() && random > 0)
    refuse("--unit and --random exclude each other: units are named or drawn");
  if (random == 0 && !command.seed.empty())
    refuse("--seed is of --random: units by --unit X,Y have none");
  const uint64_t seed = command.seed.empty() ? 1 : seed_number("--seed", command.seed);
  const Profile profile = command.profile.profile();
  Engine engine;
  load_map(command.map, engine);
  View view = publish(engine, profile);
  for (size_t i = 0; i < friends.size(); ++i)
    if (!view.contains(friends[i].cell))
      refuse("--friend {} stands outside the map", command.friends[i]);
  if (!command.index.file.empty())
    view = with_index(view, command.index.load(), command.index.file);
  if (random > 0) units = random_units(view, static_cast<size_t>(random), seed);
  Searcher searcher;
  std::vector<GroupSlot> slots(units.size());
  GroupAnswer answer;
  const auto begin = std::chrono::steady_clock::now();
  const Fault fault = order_group(searcher, &view, 1, units.data(), units.size(), goal, options,
                                  slots.data(), &answer);
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (fault) refuse("{}", fault.text);
  if (!command.out.empty()) {
    const std::string title = fmt::format("{}: {} placed, {} partial, {} left, longest way {:.1f}",
                                          name(options.formation), answer.placed, answer.partial,
                                          answer.left, answer.longest);
    write_file(command.out, draw_order(view, units, slots, kind, title));
  }
  if (command.json) {
    fmt::print("{}", to_json(units, slots, answer, ms));
  } else {
    for (size_t i = 0; i < units.size(); ++i) {
      const GroupSlot& slot = slots[i];
      if (slot.distance == kWall)
        fmt::print("({},{})  {}\n", units[i].cell.x, units[i].cell.y, name(slot.status));
      else
        fmt::print("({},{})  {}  ({},{})  {:.3f}\n", units[i].cell.x, units[i].cell.y,
                   name(slot.status), slot.cell.x, slot.cell.y, slot.distance);
    }
    fmt::print("placed    {}\npartial   {}\nleft      {}\n", answer.placed, answer.partial,
               answer.left);
    fmt::print("longest   {:.3f}\ntotal     {:.3f}\n", answer.longest, answer.total);
    fmt::print("choice    {}\ntime      {:.2f} ms\n",
               answer.optimal ? "optimal" : "improved by exchanges", ms);
  }
  return answer.left == 0 ? kDone : kFailed;
}

}  // namespace

void add_group(CLI::App& app, Action& action) {
  const auto options = std::make_shared<GroupCommand>();
  CLI::App& command = *app.add_subcommand("group", "one order for many units: a slot for each");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("--goal", options->goal, "X,Y")->required();
  command.add_option("--unit", options->unit, "X,Y of a unit; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--random", options->random, "so many units at random places instead");
  command.add_option("--seed", options->seed, "of --random")->default_str("1");
  command
      .add_option("--formation", options->formation, "compact, box, column, wedge or keep_shape")
      ->capture_default_str();
  command
      .add_option("--facing", options->facing,
                  "X,Y: where the formation looks to; 0,0: from the units to the goal")
      ->capture_default_str();
  command.add_option("--spacing", options->spacing, "cells between two units, 0 to 32")
      ->capture_default_str();
  command
      .add_option("--files", options->files,
                  "units abreast in a box or column; 0: chosen; passage: as many as pass "
                  "the narrowest place of the way")
      ->capture_default_str();
  command
      .add_option(
          "--friend", options->friends,
          "X,Y or X,Y,DX,DY or X,Y,DX,DY,SPEED: another unit, which rests, or goes that way "
          "at a share of full speed; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--friend-costs", options->friend_costs,
                  "MOVING,RESTING: what friends cost, in straight steps")
      ->default_str("1,4");
  options->index.add_to(command, false);
  command.add_flag("--only-reachable", options->only_reachable,
                   "units that cannot reach the goal get no slot");
  command.add_flag("--json", options->json, "print JSON");
  command.add_option(
      "--out", options->out,
      "F.png: units and slots; F.gif or F.svg: the order carried out (units of one cell)");
  options->profile.add_to(command);
  set_action(command, action, options, run_group);
}

}  // namespace octile::cli
