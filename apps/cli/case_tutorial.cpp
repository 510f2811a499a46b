// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "case_tutorial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "case_asker.hpp"

namespace octile::cli {
namespace {

// What the words of a line ask for.
struct RightAnswer {
  bool no_path = false;
  std::optional<double> cost;  // in straight steps
  std::vector<Cell> path;
};

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::string text_of(const Json& line, const char* field) {
  if (!line.contains(field) || !line[field].is_string()) return "";
  return line[field].get<std::string>();
}

// All that are written "(3,-4)".
std::vector<Cell> cells_in(const std::string& text) {
  std::vector<Cell> cells;
  for (size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    Cell cell;
    char end = 0;
    if (std::sscanf(text.c_str() + at, "(%d,%d%c", &cell.x, &cell.y, &end) == 3 && end == ')')
      cells.push_back(cell);
  }
  return cells;
}

// The whole number after the word and a space.
std::optional<double> number_after(const std::string& word, const std::string& text) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const char* digits = text.c_str() + at + word.size();
    if (*digits == ' ' && std::isdigit(static_cast<unsigned char>(digits[1])))
      return double(std::strtoull(digits, nullptr, 10));
  }
  return std::nullopt;
}

// "cost 44", "10/14 cost 10", "same cost 100"; "length 1" is in steps whatever the metric.
RightAnswer read_answer(const std::string& text, double scale) {
  RightAnswer answer;
  answer.path = cells_in(text);
  if (const auto cost = number_after("cost", text)) {
    answer.cost = *cost / scale;
  } else if (const auto length = number_after("length", text)) {
    answer.cost = *length;
  } else if (answer.path.empty()) {
    answer.no_path = says(text, "unreachable") || says(text, "no path") || says(text, "no-path") ||
                     says(text, "false");
  }
  return answer;
}

CaseWorld read_world(const Json& line, double* scale) {
  const std::string detail = text_of(line, "detail"), seed = text_of(line, "seed");
  CaseSettings settings;
  // Tutorial B has four neighbours and counts steps.
  const bool four = says(seed, "001");
  *scale = four ? 1 : 10;
  settings.moves = four ? 4 : 8;
  if (!four) settings.diagonal_cost = 1.4;
  if (says(detail, "corner cutting allowed")) settings.diagonal = Diagonal::always;
  std::vector<std::string> rows;
  Json grid;
  grid["grid"] = line["map"];
  const std::string missing = read_rows(grid, rows);
  if (!missing.empty()) throw MalformedCase{missing};
  for (std::string& row : rows) std::replace(row.begin(), row.end(), '@', '#');
  CaseWorld world(settings, rows);
  if (world.unknown_letter() != 0) throw MalformedCase{"the map has a letter of unknown weight"};
  return world;
}

std::string check(const CaseWorld& world, const CaseQuestion& question, const RightAnswer& right,
                  const CaseReply& reply) {
  Json expected = Json::object();
  if (right.no_path) {
    if (reply.status == "found" || reply.status == "partial") {
      return fmt::format("{}: {}, expected no path", reply.who, reply.status);
    }
  } else {
    expected["status"] = "found";
    if (right.cost) expected["cost"] = *right.cost;
  }
  const std::string wrong = judge(world, question, expected, reply);
  if (!wrong.empty() || right.path.empty()) return wrong;
  // The words name one path; another of the same cost is as good where costs tie.
  double cost = 0;
  const std::string illegal = world.walk(right.path, &cost);
  if (!illegal.empty()) return "the answer on file: " + illegal;
  if (!near(cost, reply.cost)) {
    return fmt::format("{}: cost {}, the path on file costs {}", reply.who, reply.cost, cost);
  }
  return "";
}

std::string compare(const std::vector<CaseReply>& first, const std::vector<CaseReply>& second) {
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i].status != second[i].status || first[i].cells != second[i].cells ||
        first[i].cost != second[i].cost) {
      return fmt::format("{}: another answer after other queries", first[i].who);
    }
  }
  return "";
}

}  // namespace

bool is_tutorial_line(const Json& line) {
  return line.contains("defect") && line.contains("seed") && !line.contains("kind");
}

std::string run_tutorial_line(const Json& line, std::string* skipped, std::string* understood) {
  if (!line.contains("map") || line["map"].is_null()) {
    *skipped = "prose: it has no map";
    return "";
  }
  double scale = 1;
  const CaseWorld world = read_world(line, &scale);
  CaseQuestion question;
  question.start = read_cell(line.value("start", Json()), "start");
  question.goals = {read_cell(line.value("goal", Json()), "goal")};
  const std::string detail = text_of(line, "detail");
  RightAnswer right = read_answer(text_of(line, "right_answer"), scale);
  // Where leaving a cell costs its weight, the way back costs what the case says: Octile charges
  // the cell entered.
  if (says(detail, "leaving a cell costs its weight")) {
    std::swap(question.start, question.goals[0]);
    std::reverse(right.path.begin(), right.path.end());
  }
  *understood = fmt::format(
      "{} from {} to {}: {}", world.settings().moves == 4 ? "four moves" : "eight moves at 10/14",
      to_text(question.start), to_text(question.goals[0]),
      right.no_path ? "no path"
                    : fmt::format("found{}{}",
                                  right.cost ? fmt::format(", cost {}", *right.cost * scale) : "",
                                  right.path.empty() ? "" : ", the path on file or its equal"));

  // The map begins without its walls and gets them by edits: nothing may be left of the old one,
  // nor of the queries asked before.
  std::vector<std::string> bare = world.rows();
  for (std::string& row : bare) std::replace(row.begin(), row.end(), '#', '.');
  EngineAsker asker(CaseWorld(world.settings(), bare));
  asker.ask(question);
  for (int y = 0; y < world.height(); ++y) {
    for (int x = 0; x < world.width(); ++x) {
      const std::string refused = asker.set({x, y}, world.rows()[y][x]);
      if (!refused.empty()) return refused;
    }
  }
  const std::vector<Cell> before = cells_in(detail);
  if (says(detail, "after query") && before.size() >= 2) asker.ask({before[0], {before[1]}});

  const std::vector<CaseReply> replies = asker.ask(question);
  for (const CaseReply& reply : replies) {
    const std::string wrong = check(world, question, right, reply);
    if (!wrong.empty()) return wrong;
  }
  asker.ask({question.goals[0], {question.start}});
  const std::string changed = compare(replies, asker.ask(question));
  if (!changed.empty()) return changed;
  return check(world, question, right, ask_graph(world, question));
}

}  // namespace octile::cli
