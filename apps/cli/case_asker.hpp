// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Who answers the questions of a regression case: every solver of the grid engine, and Graph A*
// over an explicit graph of the same world. Plain cases are put to both; cases beyond a plain grid
// to Graph A* alone.
//
//   CaseWorld ──> EngineAsker ──ask()──> one CaseReply per solver
//             ──> GraphAsker  ──ask()──> one CaseReply
//
// judge() holds a reply against what the case expects, and walks its path by the rules of the
// CaseWorld.

#include <memory>
#include <string>
#include <vector>

#include "case_world.hpp"
#include "octile/octile.hpp"

namespace octile::cli {

struct CaseQuestion {
  Cell start;
  std::vector<Cell> goals;
};

struct CaseReply {
  std::string who;
  std::string status;
  double cost = 0;
  std::vector<Cell> cells;
  size_t goal_index = 0;
  std::string fault;  // something else that went wrong; one line
};

class EngineAsker {
 public:
  explicit EngineAsker(const CaseWorld& world);
  ~EngineAsker();
  EngineAsker(const EngineAsker&) = delete;
  EngineAsker& operator=(const EngineAsker&) = delete;

  // Edits are seen by the next ask(). Gives "" or why the edit was refused.
  std::string set(Cell cell, char letter);
  // Every solver in turn; each is asked twice and must repeat itself.
  std::vector<CaseReply> ask(const CaseQuestion& question);
  // Whether walls on the cells would close the way, asked without an edit: "" when the engine too
  // says what is expected.
  std::string would_block(const std::vector<Cell>& cells, const CaseQuestion& question,
                          bool expected);
  // The present view; empty when the engine refused the world.
  View view();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

CaseReply ask_graph(const CaseWorld& world, const CaseQuestion& question);

// "" when the reply is what `expected` (an object of the case file) asks for; else one line.
std::string judge(const CaseWorld& world, const CaseQuestion& question, const Json& expected,
                  const CaseReply& reply);

bool near(double a, double b);

}  // namespace octile::cli
