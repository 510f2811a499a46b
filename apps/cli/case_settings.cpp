// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "case_world.hpp"

namespace octile::cli {
namespace {

const Json& element(const Json& array, size_t i, size_t size, const char* what) {
  if (!array.is_array() || array.size() != size) {
    throw MalformedCase{fmt::format("{} must be a list of {}", what, size)};
  }
  return array[i];
}

bool read_flag(const Json& value, const char* what) {
  if (!value.is_boolean()) throw MalformedCase{fmt::format("{} must be true or false", what)};
  return value.get<bool>();
}

std::string read_text(const Json& value, const char* what) {
  if (!value.is_string()) throw MalformedCase{fmt::format("{} must be a text", what)};
  return value.get<std::string>();
}

int read_int(const Json& value, const char* what) {
  const double number = read_number(value, what);
  if (number != std::floor(number) || std::fabs(number) > std::numeric_limits<int>::max()) {
    throw MalformedCase{fmt::format("{} must be a whole number", what)};
  }
  return static_cast<int>(number);
}

// Weights and limits: a number, or "inf" and "nan" as texts.
double read_weight(const Json& value, const char* what) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (text == "inf") return kWall;
    if (text == "nan") return std::nan("");
    throw MalformedCase{fmt::format("{} must be a number, \"inf\" or \"nan\"", what)};
  }
  return read_number(value, what);
}

std::string read_diagonal(const std::string& text, Diagonal& out) {
  if (text == "always")
    out = Diagonal::always;
  else if (text == "at_most_one_obstacle")
    out = Diagonal::at_most_one_obstacle;
  else if (text == "no_obstacles")
    out = Diagonal::no_obstacles;
  else if (text == "never")
    out = Diagonal::never;
  else
    return fmt::format("diagonal \"{}\"", text);
  return "";
}

std::string read_topology(const std::string& text, Topology& out) {
  if (text == "square")
    out = Topology::square;
  else if (text == "hex-odd-r")
    out = Topology::hex_odd_r;
  else if (text == "hex-even-r")
    out = Topology::hex_even_r;
  else if (text == "hex-odd-q")
    out = Topology::hex_odd_q;
  else if (text == "hex-even-q")
    out = Topology::hex_even_q;
  else
    return fmt::format("topology \"{}\"", text);
  return "";
}

void read_weights(const Json& value, CaseSettings& out) {
  if (!value.is_object()) throw MalformedCase{"weights must be an object"};
  for (const auto& [letter, weight] : value.items()) {
    if (letter.size() != 1) throw MalformedCase{"weights must be named by single letters"};
    out.weights[letter[0]] = read_weight(weight, "a weight");
  }
}

void read_links(const Json& value, CaseSettings& out) {
  if (!value.is_array()) throw MalformedCase{"links must be a list"};
  for (const Json& link : value) {
    out.links.push_back({read_cell(element(link, 0, 3, "a link"), "the end of a link"),
                         read_cell(element(link, 1, 3, "a link"), "the end of a link"),
                         read_number(element(link, 2, 3, "a link"), "the cost of a link")});
  }
}

void read_gates(const Json& value, CaseSettings& out) {
  constexpr const char* kWhat = "an entry of enter_only_from";
  if (!value.is_array()) throw MalformedCase{"enter_only_from must be a list"};
  for (const Json& gate : value) {
    const Cell cell = read_cell(element(gate, 0, 2, kWhat), kWhat);
    const Json& sides = element(gate, 1, 2, kWhat);
    if (!sides.is_array()) throw MalformedCase{"enter_only_from must list its sides"};
    std::string letters;
    for (const Json& side : sides) letters += read_text(side, "a side of enter_only_from");
    out.enter_only_from[{cell.x, cell.y}] = letters;
  }
}

void read_table(const Json& value, CaseSettings& out) {
  if (!value.is_array()) throw MalformedCase{"heuristic_table must be a list of rows"};
  for (const Json& row : value) {
    if (!row.is_array()) throw MalformedCase{"heuristic_table must be a list of rows"};
    std::vector<double> numbers;
    for (const Json& number : row) numbers.push_back(read_number(number, "an estimate"));
    out.heuristic_table.push_back(std::move(numbers));
  }
}

// One setting. Gives "" or what is not served.
std::string read_setting(const std::string& name, const Json& value, CaseSettings& out) {
  // Hints: any exact solver may answer, and all of them do.
  for (const char* hint : {"algorithm", "hierarchical", "cluster", "path_cache"}) {
    if (name == hint) return "";
  }
  if (name == "moves") {
    out.moves = read_int(value, "moves");
  } else if (name == "diagonal") {
    return read_diagonal(read_text(value, "diagonal"), out.diagonal);
  } else if (name == "topology") {
    return read_topology(read_text(value, "topology"), out.topology);
  } else if (name == "agent_size") {
    out.agent_size = read_int(value, "agent_size");
    if (out.agent_size < 1 || out.agent_size > 64)
      return fmt::format("agent_size {}", out.agent_size);
  } else if (name == "goal_cover") {
    out.goal_cover = read_flag(value, "goal_cover");
  } else if (name == "escape_start") {
    out.escape_start = read_flag(value, "escape_start");
  } else if (name == "wrap_x") {
    out.wrap_x = read_flag(value, "wrap_x");
  } else if (name == "wrap_y") {
    out.wrap_y = read_flag(value, "wrap_y");
  } else if (name == "cell_size") {
    out.cell_width = read_number(element(value, 0, 2, "cell_size"), "cell_size");
    out.cell_height = read_number(element(value, 1, 2, "cell_size"), "cell_size");
  } else if (name == "diagonal_cost") {
    out.diagonal_cost = read_number(value, "diagonal_cost");
  } else if (name == "diagonal_rule") {
    const std::string rule = read_text(value, "diagonal_rule");
    if (rule != "alternating_1_2") return fmt::format("diagonal_rule \"{}\"", rule);
    out.alternating = true;
  } else if (name == "weights") {
    read_weights(value, out);
  } else if (name == "origin") {
    out.origin = read_cell(value, "origin");
  } else if (name == "world_offset") {
    out.world_offset = {read_number(element(value, 0, 2, "world_offset"), "world_offset"),
                        read_number(element(value, 1, 2, "world_offset"), "world_offset")};
  } else if (name == "links") {
    read_links(value, out);
  } else if (name == "enter_only_from") {
    read_gates(value, out);
  } else if (name == "heuristic_table") {
    read_table(value, out);
  } else if (name == "allow_partial") {
    out.allow_partial = read_flag(value, "allow_partial");
  } else if (name == "smooth") {
    out.smooth = read_flag(value, "smooth");
  } else if (name == "start_snap" || name == "snap_start") {
    out.snap_start = read_flag(value, "start_snap");
  } else if (name == "goal_snap" || name == "snap_goal") {
    out.snap_goal = read_flag(value, "goal_snap");
  } else if (name == "max_cost") {
    out.max_cost = read_weight(value, "max_cost");
  } else if (name == "max_steps") {
    out.max_steps = read_int(value, "max_steps");
  } else {
    return name;
  }
  return "";
}

}  // namespace

double read_number(const Json& value, const char* what) {
  if (!value.is_number()) throw MalformedCase{fmt::format("{} must be a number", what)};
  return value.get<double>();
}

Cell read_cell(const Json& value, const char* what) {
  Cell result;
  int32_t* const parts[2] = {&result.x, &result.y};
  for (size_t i = 0; i < 2; ++i) {
    const double number = read_number(element(value, i, 2, what), what);
    if (number != std::floor(number) || number < std::numeric_limits<int32_t>::min() ||
        number > std::numeric_limits<int32_t>::max()) {
      throw MalformedCase{fmt::format("{} must have two whole 32-bit numbers", what)};
    }
    *parts[i] = static_cast<int32_t>(number);
  }
  return result;
}

std::string read_settings(const Json& settings, CaseSettings& out) {
  if (!settings.is_object()) throw MalformedCase{"settings must be an object"};
  for (const auto& [name, value] : settings.items()) {
    const std::string missing = read_setting(name, value, out);
    if (!missing.empty()) return missing;
  }
  const bool moves_known = out.hex() || out.moves == 4 || out.moves == 8;
  if (!moves_known) return fmt::format("moves {}", out.moves);
  const bool unit = out.agent_size > 1 || out.goal_cover || out.escape_start;
  if (unit &&
      (out.hex() || out.wrap_x || out.wrap_y || !out.links.empty() || !out.enter_only_from.empty()))
    return "agent_size, goal_cover or escape_start beyond a plain grid";
  if (!(out.cell_width > 0) || !(out.cell_height > 0)) return "cell_size of 0 or less";
  return "";
}

std::string read_rows(const Json& line, std::vector<std::string>& rows) {
  rows.clear();
  if (line.contains("grid") && !line["grid"].is_null()) {
    const Json& grid = line["grid"];
    if (!grid.is_array() || grid.empty()) throw MalformedCase{"grid must be a list of rows"};
    for (const Json& row : grid) rows.push_back(read_text(row, "a row of the grid"));
  } else if (line.contains("grid_gen")) {
    const Json& rule = line["grid_gen"];
    if (!rule.is_object() || !rule.contains("size") || !rule.contains("type")) {
      throw MalformedCase{"grid_gen must have a type and a size"};
    }
    const Cell size = read_cell(rule["size"], "the size of grid_gen");
    const std::string type = read_text(rule["type"], "the type of grid_gen");
    if (type != "open" && type != "serpentine") return fmt::format("grid_gen \"{}\"", type);
    if (size.x < 1 || size.y < 1 || int64_t{size.x} * size.y > int64_t{1} << 28) {
      return fmt::format("grid_gen of {} x {} cells", size.x, size.y);
    }
    rows.assign(size.y, std::string(size.x, '.'));
    // Walls on the odd rows, with a gap at alternating ends.
    for (int y = 1; type == "serpentine" && y < size.y; y += 2) {
      rows[y].assign(size.x, '#');
      rows[y][(y / 2) % 2 == 0 ? size.x - 1 : 0] = '.';
    }
    if (rule.contains("rects")) {
      if (!rule["rects"].is_array()) throw MalformedCase{"rects must be a list"};
      for (const Json& rect : rule["rects"]) {
        int at[4];
        for (size_t i = 0; i < 4; ++i) at[i] = read_int(element(rect, i, 5, "a rect"), "a rect");
        const std::string letter = read_text(element(rect, 4, 5, "a rect"), "a rect's letter");
        if (letter.size() != 1) throw MalformedCase{"a rect must have one letter"};
        if (at[0] < 0 || at[1] < 0 || at[2] >= size.x || at[3] >= size.y) {
          throw MalformedCase{"a rect lies outside the grid"};
        }
        for (int y = at[1]; y <= at[3]; ++y) {
          for (int x = at[0]; x <= at[2]; ++x) rows[y][x] = letter[0];
        }
      }
    }
  } else {
    throw MalformedCase{"neither grid nor grid_gen"};
  }
  for (const std::string& row : rows) {
    if (row.size() != rows[0].size() || row.empty()) {
      throw MalformedCase{"the rows of the grid must have one length of at least 1"};
    }
  }
  return "";
}

}  // namespace octile::cli
