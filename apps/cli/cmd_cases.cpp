// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile cases: regression cases from a file, one JSON object a line. Runs what Octile serves, says
// for every other line which setting is missing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

#include "case_asker.hpp"
#include "case_tutorial.hpp"
#include "case_world.hpp"
#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"

namespace octile::cli {
namespace {

struct CasesOptions {
  std::string file;
  std::string only;
  bool verbose = false;
};

struct Outcome {
  std::string skipped;  // the missing setting
  std::string failed;
  std::string note;  // what was run, for --verbose
};

// Graph A* takes a plain case too, unless the world is large: it is the slow way.
constexpr int64_t kGraphCells = 20000;

const Json& field(const Json& object, const char* name) {
  if (!object.contains(name)) throw MalformedCase{fmt::format("{} is missing", name)};
  return object[name];
}

std::string field_text(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_string()) throw MalformedCase{fmt::format("{} must be a text", name)};
  return value.get<std::string>();
}

// An expectation that nothing here looks at would pass unseen.
std::string unknown_expectation(const Json& expected, std::initializer_list<const char*> known) {
  if (!expected.is_object()) throw MalformedCase{"expected must be an object"};
  for (const auto& [name, value] : expected.items()) {
    const bool found = std::any_of(known.begin(), known.end(),
                                   [&name = name](const char* k) { return name == k; });
    if (!found) return fmt::format("expected \"{}\"", name);
  }
  return "";
}

std::string unknown_answer(const Json& expected) {
  // How many cheapest paths there are, and prose, say something about the case, not the answer.
  return unknown_expectation(expected, {"status", "cost", "path", "path_unique", "end",
                                        "chosen_goal", "optimal_paths", "property"});
}

CaseQuestion read_question(const Json& object) {
  CaseQuestion question;
  question.start = read_cell(field(object, "start"), "start");
  if (object.contains("goals") && !object["goals"].is_null()) {
    if (!object["goals"].is_array() || object["goals"].empty()) {
      throw MalformedCase{"goals must be a list of cells"};
    }
    for (const Json& goal : object["goals"]) question.goals.push_back(read_cell(goal, "a goal"));
  } else {
    question.goals = {read_cell(field(object, "goal"), "goal")};
  }
  return question;
}

// Puts one question to all who can answer it.
void put_question(EngineAsker* asker, const CaseWorld& world, const CaseQuestion& question,
                  const Json& expected, Outcome& outcome) {
  const CaseSettings& settings = world.settings();
  std::vector<CaseReply> replies;
  if (asker != nullptr) replies = asker->ask(question);
  const bool plain = !settings.snap_start && !settings.snap_goal && !settings.smooth;
  const int64_t cells = int64_t{world.width()} * world.height();
  const bool refused = asker != nullptr && asker->view().empty();
  if (asker == nullptr || (plain && cells <= kGraphCells && !refused)) {
    replies.push_back(ask_graph(world, question));
  }
  for (const CaseReply& reply : replies) {
    // The cheapest path that keeps within max_steps is the answer; one that does not says nothing.
    if (settings.max_steps >= 0 && reply.status == "found" &&
        static_cast<int64_t>(reply.cells.size()) - 1 > settings.max_steps) {
      outcome.skipped = fmt::format("max_steps {}", settings.max_steps);
      return;
    }
    outcome.failed = judge(world, question, expected, reply);
    if (!outcome.failed.empty()) return;
  }
  outcome.note += fmt::format("{}{} answers", outcome.note.empty() ? "" : ", ", replies.size());
}

// The world of a case and who answers for it; false: skipped.
struct Stage {
  CaseWorld world;
  std::unique_ptr<EngineAsker> asker;  // none: only Graph A* can

  bool open(const Json& line, Outcome& outcome) {
    CaseSettings settings;
    outcome.skipped = read_settings(line.value("settings", Json::object()), settings);
    if (!outcome.skipped.empty()) return false;
    std::vector<std::string> rows;
    outcome.skipped = read_rows(line, rows);
    if (!outcome.skipped.empty()) return false;
    world = CaseWorld(settings, rows);
    if (const char letter = world.unknown_letter()) {
      outcome.skipped = fmt::format("grid letter '{}' without a weight", letter);
      return false;
    }
    if (!settings.beyond_grid()) {
      asker = std::make_unique<EngineAsker>(world);
    } else if (settings.smooth || settings.snap_start || settings.snap_goal) {
      outcome.skipped = "smooth or snap beyond a plain grid";
      return false;
    }
    return true;
  }
};

void run_query(const Json& line, const Json& expected, Outcome& outcome) {
  outcome.skipped = unknown_answer(expected);
  Stage stage;
  if (!outcome.skipped.empty() || !stage.open(line, outcome)) return;
  put_question(stage.asker.get(), stage.world, read_question(line), expected, outcome);
}

std::vector<Cell> read_cells(const Json& op) {
  if (!field(op, "cells").is_array()) throw MalformedCase{"cells must be a list"};
  std::vector<Cell> cells;
  for (const Json& at : op["cells"]) cells.push_back(read_cell(at, "a cell"));
  return cells;
}

// Changes the world, and the engine's with it. Gives "" or what is wrong.
std::string edit(Stage& stage, const std::vector<Cell>& cells, char letter) {
  for (Cell at : cells) {
    if (!stage.world.contains(at)) return fmt::format("an edit outside the map at {}", to_text(at));
    stage.world.set(at, letter);
    if (!stage.asker) continue;
    const std::string refused = stage.asker->set(at, letter);
    if (!refused.empty()) return refused;
  }
  return "";
}

// Asks; then builds, asks, and takes it back.
std::string would_block(Stage& stage, const Json& op, bool expected, Outcome& outcome) {
  const std::vector<Cell> cells = read_cells(op);
  const CaseQuestion question = read_question(op);
  std::vector<std::pair<Cell, char>> undo;
  for (Cell at : cells) {
    if (!stage.world.contains(at)) return fmt::format("an edit outside the map at {}", to_text(at));
    const Cell origin = stage.world.settings().origin;
    undo.emplace_back(at, stage.world.rows()[at.y - origin.y][at.x - origin.x]);
  }
  std::string wrong;
  if (stage.asker) wrong = stage.asker->would_block(cells, question, expected);
  const std::string refused_edit = edit(stage, cells, '#');
  if (wrong.empty()) wrong = refused_edit;
  std::vector<CaseReply> replies;
  if (stage.asker) replies = stage.asker->ask(question);
  replies.push_back(ask_graph(stage.world, question));
  for (const CaseReply& reply : replies) {
    if ((reply.status != "found") != expected && wrong.empty()) {
      wrong = fmt::format("{}: status {} with the cells blocked", reply.who, reply.status);
    }
  }
  std::reverse(undo.begin(), undo.end());
  for (const auto& [at, letter] : undo) {
    const std::string refused = edit(stage, {at}, letter);
    if (!refused.empty()) wrong = refused;
  }
  outcome.note += fmt::format("{}would_block", outcome.note.empty() ? "" : ", ");
  return wrong;
}

void run_sequence(const Json& line, Outcome& outcome) {
  Stage stage;
  const Json& ops = field(line, "ops");
  if (!ops.is_array()) throw MalformedCase{"ops must be a list"};
  for (const Json& op : ops) {
    const std::string kind = field_text(op, "op");
    if (kind != "set" && kind != "query" && kind != "would_block") {
      outcome.skipped = fmt::format("op \"{}\"", kind);
    } else if (kind == "query") {
      outcome.skipped = unknown_answer(field(op, "expected"));
    }
    if (!outcome.skipped.empty()) return;
  }
  if (!stage.open(line, outcome)) return;
  for (size_t i = 0; i < ops.size() && outcome.failed.empty() && outcome.skipped.empty(); ++i) {
    const Json& op = ops[i];
    const std::string kind = field_text(op, "op");
    if (kind == "set") {
      const std::string letter = field_text(op, "to");
      if (letter.size() != 1) throw MalformedCase{"to must be one letter"};
      if (!stage.world.known(letter[0])) {
        outcome.skipped = fmt::format("grid letter '{}' without a weight", letter[0]);
        return;
      }
      outcome.failed = edit(stage, read_cells(op), letter[0]);
    } else if (kind == "query") {
      put_question(stage.asker.get(), stage.world, read_question(op), op["expected"], outcome);
    } else {
      const Json& expected = field(op, "expected");
      if (!expected.is_boolean()) throw MalformedCase{"would_block expects true or false"};
      outcome.failed = would_block(stage, op, expected.get<bool>(), outcome);
    }
    if (!outcome.failed.empty()) outcome.failed = fmt::format("op {}: {}", i, outcome.failed);
  }
}

void run_world(const Json& line, const Json& expected, Outcome& outcome) {
  outcome.skipped = unknown_expectation(expected, {"world_to_cell", "property"});
  if (!outcome.skipped.empty()) return;
  CaseSettings settings;
  outcome.skipped = read_settings(line.value("settings", Json::object()), settings);
  if (!outcome.skipped.empty()) return;
  if (settings.cell_width != settings.cell_height) {
    outcome.skipped = fmt::format("cell_size [{}, {}] in the world: cells are square",
                                  settings.cell_width, settings.cell_height);
    return;
  }
  MapDef definition;
  definition.width = 64;
  definition.height = 64;
  definition.first_cell = settings.origin;
  definition.origin = settings.world_offset;
  definition.cell_size = settings.cell_width;
  Engine engine;
  ProfileId profile = 0;
  Fault fault = engine.reset(definition);
  if (!fault) fault = engine.add_profile(Profile(), &profile);
  if (!fault) fault = engine.commit();
  if (fault) {
    outcome.failed = fault.text;
    return;
  }
  const View view = engine.view(profile);
  const Json& pairs = field(expected, "world_to_cell");
  for (const Json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_array() || pair[0].size() != 2) {
      throw MalformedCase{"world_to_cell must list pairs of a point and a cell"};
    }
    const WorldPoint point{read_number(pair[0][0], "a point"), read_number(pair[0][1], "a point")};
    const Cell want = read_cell(pair[1], "a cell");
    for (const Cell got : {engine.map().cell_at(point), view.cell_at(point)}) {
      if (got == want) continue;
      outcome.failed = fmt::format("({}, {}) lies in {}, expected {}", point.x, point.y,
                                   to_text(got), to_text(want));
      return;
    }
  }
  outcome.note = fmt::format("{} points", pairs.size());
}

void run_heuristic(const Json& line, const Json& expected, Outcome& outcome) {
  outcome.skipped = unknown_expectation(expected, {"octile", "property"});
  Stage stage;
  if (!outcome.skipped.empty() || !stage.open(line, outcome)) return;
  if (!stage.asker) {
    outcome.skipped = "an estimate beyond a plain grid";
    return;
  }
  const View view = stage.asker->view();
  for (const Json& triple : field(expected, "octile")) {
    if (!triple.is_array() || triple.size() != 3) {
      throw MalformedCase{"octile must list two cells and a distance each"};
    }
    const Cell a = read_cell(triple[0], "a cell"), b = read_cell(triple[1], "a cell");
    const double want = read_number(triple[2], "a distance");
    if (near(view.estimate(a, b), want) && near(view.estimate(b, a), want)) continue;
    outcome.failed = fmt::format("the estimate from {} to {} is {}, expected {}", to_text(a),
                                 to_text(b), view.estimate(a, b), want);
    return;
  }
  outcome.note = "estimates";
}

// The legal moves out of cells, as the engine sees them. Hexagons are no move rule of it yet.
void run_neighbours(const Json& line, const Json& expected, Outcome& outcome) {
  outcome.skipped = unknown_expectation(expected, {"neighbours", "hex_distance", "property"});
  Stage stage;
  if (!outcome.skipped.empty() || !stage.open(line, outcome)) return;
  if (!stage.asker || expected.contains("hex_distance")) {
    outcome.skipped = stage.world.settings().hex() ? "topology (neighbours of hexagons)"
                                                   : "neighbours beyond a plain grid";
    return;
  }
  const View view = stage.asker->view();
  constexpr int kStep[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                               {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  for (const Json& pair : field(expected, "neighbours")) {
    if (!pair.is_array() || pair.size() != 2 || !pair[1].is_array()) {
      throw MalformedCase{"neighbours must list a cell and its neighbours each"};
    }
    const Cell at = read_cell(pair[0], "a cell");
    std::vector<std::pair<int, int>> want, got;
    for (const Json& to : pair[1]) {
      const Cell cell = read_cell(to, "a cell");
      want.emplace_back(cell.x, cell.y);
    }
    for (int i = 0; i < 8; ++i) {
      if (view.moves(at) >> i & 1) got.emplace_back(at.x + kStep[i][0], at.y + kStep[i][1]);
    }
    std::sort(want.begin(), want.end());
    std::sort(got.begin(), got.end());
    if (want == got) continue;
    outcome.failed =
        fmt::format("{} has {} neighbours or others than expected", to_text(at), got.size());
    return;
  }
  outcome.note = "neighbours";
}

Outcome run_line(const Json& line) {
  Outcome outcome;
  if (is_tutorial_line(line)) {
    outcome.failed = run_tutorial_line(line, &outcome.skipped, &outcome.note);
    return outcome;
  }
  const std::string kind = line.contains("kind") ? field_text(line, "kind") : "query";
  const Json& expected = field(line, "expected");
  if (kind == "query") {
    run_query(line, expected, outcome);
  } else if (kind == "sequence") {
    run_sequence(line, outcome);
  } else if (kind == "world") {
    run_world(line, expected, outcome);
  } else if (kind == "heuristic") {
    run_heuristic(line, expected, outcome);
  } else if (kind == "neighbours") {
    run_neighbours(line, expected, outcome);
  } else if (kind == "property" || kind == "api") {
    outcome.skipped = "prose: tested by name in tests/";
  } else {
    outcome.skipped = fmt::format("kind \"{}\"", kind);
  }
  return outcome;
}

struct NumberedLine {
  size_t number = 0;
  std::string id;
  Json json;
};

std::vector<NumberedLine> read_lines(const std::string& path) {
  std::istringstream stream(read_file(path));
  std::vector<NumberedLine> lines;
  std::string text;
  for (size_t number = 1; std::getline(stream, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    NumberedLine line;
    line.number = number;
    line.json = Json::parse(text, nullptr, false);
    if (line.json.is_discarded()) refuse("'{}' line {}: not JSON", path, number);
    if (!line.json.is_object() || !line.json.contains("id") || !line.json["id"].is_string()) {
      refuse("'{}' line {}: not an object with an id", path, number);
    }
    line.id = line.json["id"].get<std::string>();
    lines.push_back(std::move(line));
  }
  if (lines.empty()) refuse("'{}' has no cases", path);
  return lines;
}

int run_cases(const CasesOptions& options) {
  const std::vector<NumberedLine> lines = read_lines(options.file);
  std::string report;  // printed at the end: a malformed line means that nothing was done
  size_t passed = 0, failed = 0, skipped = 0, seen = 0;
  for (const NumberedLine& line : lines) {
    if (!options.only.empty() && line.id != options.only) continue;
    ++seen;
    Outcome outcome;
    try {
      outcome = run_line(line.json);
    } catch (const MalformedCase& malformed) {
      refuse("'{}' line {} ({}): {}", options.file, line.number, line.id, malformed.message);
    } catch (const Json::exception& error) {
      refuse("'{}' line {} ({}): {}", options.file, line.number, line.id, error.what());
    }
    if (!outcome.skipped.empty()) {
      ++skipped;
      report += fmt::format("skipped {}: {}\n", line.id, outcome.skipped);
    } else if (!outcome.failed.empty()) {
      ++failed;
      report += fmt::format("FAILED  {}: {}\n", line.id, outcome.failed);
    } else {
      ++passed;
      if (options.verbose) report += fmt::format("passed  {}: {}\n", line.id, outcome.note);
    }
  }
  if (seen == 0) refuse("'{}' has no case '{}'", options.file, options.only);
  std::fputs(report.c_str(), stdout);
  fmt::print("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
  return failed == 0 ? kDone : kFailed;
}

}  // namespace

void add_cases(CLI::App& app, Action& action) {
  const auto options = std::make_shared<CasesOptions>();
  CLI::App& command = *app.add_subcommand("cases", "run regression cases");
  command.add_option("FILE", options->file, "one JSON object a line")->required();
  command.add_option("--only", options->only, "just the case of this id");
  command.add_flag("--verbose", options->verbose, "name those that pass as well");
  set_action(command, action, options, run_cases);
}

}  // namespace octile::cli
