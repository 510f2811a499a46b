// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "peer_harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

namespace octile::peers {
namespace {

constexpr double kRoot2 = 1.41421356237309504880;

enum ExitCode { kDone = 0, kSomeWrong = 1, kBadInput = 2, kCannotServe = 3 };

struct Arguments {
  std::string map_path;
  std::string scen_path;
  std::string format = "tsv";
  int every = 1;
  int patience_seconds = 20;
  timing::Options how;
  std::vector<std::string> flags;
};

bool read_file(const std::string& path, std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return static_cast<bool>(file);
}

bool read_count(const char* text, int& value) {
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  value = static_cast<int>(number);
  return *text != '\0' && *end == '\0' && number >= 1 && number <= 1000000;
}

// Empty, or what is wrong.
std::string read_arguments(int argc, char** argv, const std::vector<std::string>& flags,
                           Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--every" && has_value) {
      if (!read_count(argv[++i], arguments.every)) return "--every must be a count";
    } else if (argument == "--passes" && has_value) {
      timing::Options& how = arguments.how;
      if (!read_count(argv[++i], how.min_passes)) return "--passes must be a count";
      how.max_passes = std::max(how.max_passes, how.min_passes);
    } else if (argument == "--patience" && has_value) {
      if (!read_count(argv[++i], arguments.patience_seconds)) return "--patience must be a count";
    } else if (argument == "--format" && has_value) {
      arguments.format = argv[++i];
      if (arguments.format != "tsv" && arguments.format != "table" && arguments.format != "json") {
        return "--format must be tsv, table or json";
      }
    } else if (argument == "--no-cold") {
      arguments.how.cold = false;
    } else if (std::find(flags.begin(), flags.end(), argument) != flags.end()) {
      arguments.flags.push_back(argument);
    } else if (!argument.empty() && argument[0] != '-' && arguments.scen_path.empty()) {
      (arguments.map_path.empty() ? arguments.map_path : arguments.scen_path) = argument;
    } else {
      return "unknown argument '" + argument + "'";
    }
  }
  if (arguments.map_path.empty()) return "a MAP is missing";
  if (arguments.scen_path.empty()) arguments.scen_path = arguments.map_path + ".scen";
  const size_t slash = arguments.map_path.find_last_of('/');
  arguments.how.map =
      slash == std::string::npos ? arguments.map_path : arguments.map_path.substr(slash + 1);
  return {};
}

// Empty, or what is wrong.
std::string read_task(const Arguments& arguments, Engine& engine, Task& task) {
  std::string bytes;
  ProfileId profile = 0;
  if (!read_file(arguments.map_path, bytes)) return "cannot read '" + arguments.map_path + "'";
  if (Fault fault = parse_map(bytes.data(), bytes.size(), MapDef(), engine)) return fault.text;
  if (Fault fault = engine.add_profile(Profile(), &profile)) return fault.text;
  if (Fault fault = engine.commit()) return fault.text;
  task.view = engine.view(profile);

  if (!read_file(arguments.scen_path, bytes)) return "cannot read '" + arguments.scen_path + "'";
  size_t count = 0;
  if (Fault fault = parse_scen(bytes.data(), bytes.size(), nullptr, 0, &count)) return fault.text;
  std::vector<ScenQuery> all(count);
  if (Fault fault = parse_scen(bytes.data(), bytes.size(), all.data(), count, &count)) {
    return fault.text;
  }
  for (size_t i = 0; i < all.size(); i += static_cast<size_t>(arguments.every)) {
    task.queries.push_back(all[i]);
  }
  if (task.queries.empty()) return "'" + arguments.scen_path + "' holds no query";
  task.flags = arguments.flags;
  return {};
}

// A slow peer is asked once where a fast one is asked often: its figures are far above the noise.
void be_patient(Peer& peer, const Arguments& arguments, size_t queries, timing::Options& how) {
  const double limit = arguments.patience_seconds;
  if (timing::estimate_seconds(peer, queries, how, limit) <= limit) return;
  how.min_passes = how.max_passes = 1;
  how.cold_queries = 10;
}

}  // namespace

bool Task::has(const char* flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

timing::Answer Peer::answer(size_t query) {
  const ScenQuery& asked = task_.queries[query];
  timing::Answer answer;
  answer.found = search(asked.start, asked.goal, answer.expanded);
  if (!answer.found) return answer;
  answer.cells = cells();
  answer.cost = judged(query, length());
  Verdict& verdict = verdicts_[query];
  if (verdict == Verdict::none) {
    verdict = legal(asked.start, asked.goal) ? Verdict::legal : Verdict::illegal;
  }
  if (verdict == Verdict::illegal) answer.cost = std::numeric_limits<double>::quiet_NaN();
  return answer;
}

double GridPeer::length() const {
  double straight = 0, diagonal = 0;
  for (size_t i = 1; i < path_.size(); ++i) {
    const bool across = path_[i].x != path_[i - 1].x && path_[i].y != path_[i - 1].y;
    (across ? diagonal : straight) += 1;
  }
  return straight + diagonal * kRoot2;
}

bool GridPeer::legal(Cell start, Cell goal) const {
  if (path_.empty() || path_.front() != start || path_.back() != goal) return false;
  const View& view = task().view;
  if (!view.passable(start)) return false;
  for (size_t i = 1; i < path_.size(); ++i) {
    const Cell a = path_[i - 1], b = path_[i];
    if (std::abs(a.x - b.x) > 1 || std::abs(a.y - b.y) > 1 || a == b) return false;
    // For a straight step the two corners are the two cells themselves.
    if (!view.passable(b) || !view.passable({a.x, b.y}) || !view.passable({b.x, a.y})) return false;
  }
  return true;
}

int run_peer(const char* program, int argc, char** argv, const std::vector<std::string>& flags,
             const MakePeer& make) {
  const auto refuse = [&](const std::string& text, ExitCode code) {
    std::fprintf(stderr, "%s: %s\n", program, text.c_str());
    return static_cast<int>(code);
  };
  Arguments arguments;
  Engine engine;
  Task task;
  std::string fault = read_arguments(argc, argv, flags, arguments);
  if (fault.empty()) fault = read_task(arguments, engine, task);
  if (!fault.empty()) return refuse(fault, kBadInput);

  std::string reason;
  const std::unique_ptr<Peer> peer = make(task, reason);
  if (!peer) return refuse(arguments.how.map + ": " + reason, kCannotServe);

  std::vector<double> optima;
  for (const ScenQuery& query : task.queries) optima.push_back(query.optimum);
  timing::Options how = arguments.how;
  be_patient(*peer, arguments, optima.size(), how);
  const std::vector<timing::Row> rows = timing::measure({peer.get()}, optima, how);
  std::string report;
  if (arguments.format == "json") {
    report = timing::json(rows);
  } else if (arguments.format == "table") {
    report = timing::table(rows);
  } else {
    report = timing::tsv_header() + "\n" + timing::tsv_line(rows[0]) + "\n";
  }
  std::fputs(report.c_str(), stdout);
  const std::string remark = peer->remark();
  if (!remark.empty()) {
    std::fprintf(stderr, "%s: %s: %s\n", program, how.map.c_str(), remark.c_str());
  }
  return rows[0].wrong == 0 ? kDone : kSomeWrong;
}

}  // namespace octile::peers
