// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile edit-bench: edits and queries in turns, and what each of them takes.
//
// An epoch begins with the map as it was loaded, with a fresh index where a tier has one. Then each
// commit publishes one edit and is followed by queries; at the end everything is undone. Every tier
// goes through the same edits and the same queries.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "scenes/generators.hpp"
#include "walk.hpp"

namespace octile::cli {
namespace {

constexpr uint8_t kFree = '.', kBlocked = '@';
constexpr size_t kMostWrong = 5;
constexpr size_t kTick = 16;  // queries after which a finished build is looked for
constexpr int kInARow = 64;   // edits of one place

struct EditBenchOptions {
  std::string map;
  std::string pattern = "all";
  std::string tier = "all";
  std::string commits = "200";
  std::string epoch = "10";
  std::string queries = "20";
  std::string seed = "1";
  std::string format = "table";
  bool check = false;
  bool last = false;
  bool parts = false;
  IndexSettings index;
};

// How queries are answered. Later ways to live with edits get their line here.
struct Tier {
  const char* name;
  const char* solver;
  IndexKind index;          // adopted at the beginning of each epoch
  bool repaired;            // labels of subgoals that commits repair
  bool rebuilt;             // asked on another map, loaded for that and edited in one go
  uint64_t capped;          // a number of expansions that nobody reaches turns dead pockets off
  bool background = false;  // repairs that take long go on beside the queries
};
constexpr Tier kTiers[] = {
    {"jps_plain", "jps", IndexKind::none, false, false, UINT64_MAX},
    {"jps", "jps", IndexKind::none, false, false, 0},
    {"jps_rebuilt", "jps", IndexKind::none, false, true, 0},
    {"stale_labels", "auto", IndexKind::tile_labels, false, false, 0},
    {"repaired", "subgoal", IndexKind::none, true, false, 0},
    {"both", "auto", IndexKind::tile_labels, true, false, 0},
    {"background", "auto", IndexKind::tile_labels, true, false, 0, true},
    {"portals", "portals", IndexKind::portals, false, false, 0},
    {"quadtree", "quadtree", IndexKind::quadtree, false, false, 0},
};

constexpr const char* kPatterns[] = {
    "door_closed", "door_opened", "building_3", "building_8", "razed_3", "wall",    "patch_50",
    "rectangle",   "mixed",       "cell",       "elsewhere",  "place",   "track_1", "track_5"};

std::string pattern_names() {
  return fmt::format("{}", fmt::join(kPatterns, ", "));
}
std::string tier_names() {
  std::string all;
  for (const Tier& tier : kTiers) all += (all.empty() ? "" : ", ") + std::string(tier.name);
  return all;
}

// One edit: a rectangle of one terrain, or of noise.
struct Patch {
  Rect rect;
  std::vector<uint8_t> terrain;
  std::vector<uint8_t> was{};  // what it replaces, if that is known
};

class Drawer {
 public:
  Drawer(const Map& map, uint64_t seed) : map_(map), random_(seed) {}

  Cell free_cell() {
    Cell cell{};
    for (int i = 0; i < 1000; ++i) {
      cell = some_cell();
      if (free(cell)) break;
    }
    return cell;
  }
  // What one commit publishes.
  std::vector<Patch> edit(const std::string& pattern) {
    if (pattern != "track_1" && pattern != "track_5") return {patch(pattern)};
    // As in the dynamic track of a competition: rectangles all over the map, so many percent of it.
    std::vector<Patch> all;
    const int percent = pattern == "track_1" ? 1 : 5;
    int64_t left = int64_t{map_.width()} * map_.height() * percent / 100;
    do {
      const Cell at = some_cell();
      const int width = 3 + below(17), height = 3 + below(17);
      all.push_back(block_at(at, width, height, below(2) ? kBlocked : kFree));
      left -= static_cast<int64_t>(all.back().terrain.size());
    } while (left > 0);
    return all;
  }
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }
  // One cell of each of so many tiles, closed or opened, no tile twice as long as there are others.
  // Drawn ahead, and put out of the caches, so that nothing of a tile is at hand when it is edited.
  std::vector<Patch> elsewhere(int count) {
    constexpr int kTile = 64;
    const Cell first = map_.first_cell();
    std::vector<Cell> tiles;
    for (int y = 0; y < map_.height(); y += kTile)
      for (int x = 0; x < map_.width(); x += kTile) tiles.push_back({first.x + x, first.y + y});
    for (size_t i = tiles.size(); i-- > 1;)
      std::swap(tiles[i], tiles[static_cast<size_t>(below(static_cast<int>(i) + 1))]);
    std::vector<Patch> all;
    for (int i = 0; i < count; ++i) {
      const Cell tile = tiles[static_cast<size_t>(i) % tiles.size()];
      const Cell at{tile.x + below(std::min(kTile, first.x + map_.width() - tile.x)),
                    tile.y + below(std::min(kTile, first.y + map_.height() - tile.y))};
      Patch p = toggled(at);
      p.was = {map_.terrain(at)};
      all.push_back(std::move(p));
    }
    others_.resize(size_t{64} << 20, 1);
    for (size_t i = 0; i < others_.size(); i += 64) flushed_ = flushed_ + others_[i];
    return all;
  }

 private:
  Patch patch(const std::string& pattern) {
    if (pattern == "door_closed") return door(true);
    if (pattern == "door_opened") return door(false);
    if (pattern == "building_3") return block(3, 3, kBlocked);
    if (pattern == "building_8") return block(8, 8, kBlocked);
    if (pattern == "razed_3") return block(3, 3, kFree);
    if (pattern == "wall") {
      const int length = 4 + below(20);
      return below(2) ? block(length, 1, kBlocked) : block(1, length, kBlocked);
    }
    if (pattern == "patch_50") return noise(50, 50);
    if (pattern == "cell") return toggled(some_cell());
    if (pattern == "place") {
      constexpr int kSide = 8;
      if (in_place_++ % kInARow == 0) place_ = some_cell();
      const Cell last{map_.first_cell().x + map_.width() - 1,
                      map_.first_cell().y + map_.height() - 1};
      return toggled(
          {std::min(place_.x + below(kSide), last.x), std::min(place_.y + below(kSide), last.y)});
    }
    if (pattern == "rectangle")
      return block(3 + below(17), 3 + below(17), below(2) ? kBlocked : kFree);
    static const char* const kMix[] = {"door_closed", "door_opened", "building_3",
                                       "razed_3",     "wall",        "building_8"};
    return patch(kMix[below(6)]);
  }
  Cell some_cell() {
    const Cell first = map_.first_cell();
    return {first.x + below(map_.width()), first.y + below(map_.height())};
  }
  bool free(Cell c) const {
    const uint8_t t = map_.terrain(c);
    return map_.contains(c) && t != '@' && t != 'O' && t != 'T' && t != 'W';
  }
  Patch block(int width, int height, uint8_t terrain) {
    return block_at(free_cell(), width, height, terrain);
  }
  Patch block_at(Cell at, int width, int height, uint8_t terrain) {
    const Cell first = map_.first_cell();
    const Rect r{std::min(at.x, first.x + map_.width() - std::min(width, map_.width())),
                 std::min(at.y, first.y + map_.height() - std::min(height, map_.height())),
                 std::min(width, map_.width()), std::min(height, map_.height())};
    return {r, std::vector<uint8_t>(static_cast<size_t>(r.width) * r.height, terrain)};
  }
  Patch noise(int width, int height) {
    Patch p = block(width, height, kFree);
    for (uint8_t& t : p.terrain) t = random_.chance(300) ? kBlocked : kFree;
    return p;
  }
  // A cell, closed or opened.
  Patch toggled(Cell at) { return {{at.x, at.y, 1, 1}, {free(at) ? kBlocked : kFree}}; }
  // A run of at most 8 cells across a passage, or through a wall of at most 3.
  Patch door(bool close) {
    for (int i = 0; i < 200; ++i) {
      const Cell at = close ? free_cell() : some_cell();
      if (free(at) != close) continue;
      const bool across = below(2) != 0;
      const int dx = across ? 1 : 0, dy = across ? 0 : 1, most = close ? 8 : 3;
      int before = 0, after = 0;
      while (before <= most && free({at.x - dx * (before + 1), at.y - dy * (before + 1)}) == close)
        ++before;
      while (after <= most && free({at.x + dx * (after + 1), at.y + dy * (after + 1)}) == close)
        ++after;
      const int length = before + after + 1;
      if (length > most) continue;
      const Rect r{at.x - dx * before, at.y - dy * before, across ? length : 1,
                   across ? 1 : length};
      const Cell first = map_.first_cell();
      if (r.x < first.x || r.y < first.y || r.x + r.width > first.x + map_.width() ||
          r.y + r.height > first.y + map_.height())
        continue;
      return {r, std::vector<uint8_t>(static_cast<size_t>(length), close ? kBlocked : kFree)};
    }
    return block(1, 1, close ? kBlocked : kFree);
  }

  const Map& map_;
  scenes::Random random_;
  Cell place_{};
  int in_place_ = 0;
  std::vector<uint8_t> others_;
  volatile uint64_t flushed_ = 0;
};

void done(const Fault& fault) {
  if (fault) refuse("{}", fault.text);
}

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Figures {
  std::vector<double> commit_us, edit_us;
  std::vector<CommitTimes> parts;  // of commits, where they are wanted
  double query_us = 0;
  uint64_t queries = 0;
  uint64_t by_tier = 0;  // answered by stale labels
  uint64_t wrong = 0;
};

struct EditPlan {
  int commits, epoch, queries;
  uint64_t seed;
  bool check;
  bool last;   // queries only after the last commit of an epoch
  bool parts;  // of commits are timed
};

std::string judged(Searcher& searcher, const View& view, const Query& query, const Path& path) {
  Query same = query;
  same.solver = solver_id("dijkstra");
  same.max_expansions = 0;
  Path right;
  find(searcher, view, same, right);
  if (path.status != right.status)
    return fmt::format("status {}, the judge says {}", name(path.status), name(right.status));
  if (path.status != Status::found) return "";
  // What is bounded may cost more, but not more than it says.
  const bool bounded = !solver_info(path.solver).exact && path.cost_units > right.cost_units &&
                       path.cost <= path.bound * right.cost * (1 + 1e-9);
  if (path.cost_units != right.cost_units && !bounded)
    return fmt::format("cost {:.6f}, the judge says {:.6f}", path.cost, right.cost);
  return walk_fault(view, query.start, &query.goal, path);
}

using TierIndexes = std::map<IndexKind, Index>;

// The map file with these edits, as if they had always been there.
void rebuild(const std::string& map, const std::vector<Patch>& edits, Engine& engine,
             ProfileId* id) {
  load_map(map, engine);
  for (const Patch& p : edits)
    done(engine.map().stamp(p.rect, p.terrain.data(), static_cast<size_t>(p.rect.width)));
  done(engine.add_profile(Profile(), id));
  done(engine.commit());
}

Figures measure(Engine& engine, ProfileId id, const std::string& map, const TierIndexes& index,
                const Tier& tier, const std::string& pattern, const EditPlan& plan,
                Progress& progress) {
  Figures figures;
  Searcher searcher, other;
  Path path;
  Drawer drawer(engine.map(), plan.seed);
  std::vector<Query> queries(static_cast<size_t>(plan.queries));
  std::vector<Patch> undo, edits, ahead;
  const SolverId stale = solver_id("stale_labels");
  for (int done_commits = 0; done_commits < plan.commits; ++done_commits) {
    if (done_commits % plan.epoch == 0) {
      if (tier.index != IndexKind::none) done(engine.adopt(id, index.at(tier.index)));
      if (tier.repaired)
        done(engine.repair_labels(id, index.at(IndexKind::subgoal_labels), tier.background));
      if (pattern == "elsewhere")
        ahead = drawer.elsewhere(std::min(plan.epoch, plan.commits - done_commits));
    }
    // 1. An edit and its commit.
    std::vector<Patch> drawn;
    if (pattern == "elsewhere")
      drawn.push_back(ahead[static_cast<size_t>(done_commits % plan.epoch)]);
    else
      drawn = drawer.edit(pattern);
    double edit_us = 0;
    for (const Patch& patch : drawn) {
      Patch old = patch;
      if (!patch.was.empty()) {
        old.terrain = patch.was;
      } else {
        for (int i = 0; i < static_cast<int>(old.terrain.size()); ++i)
          old.terrain[static_cast<size_t>(i)] = engine.map().terrain(
              {old.rect.x + i % old.rect.width, old.rect.y + i / old.rect.width});
      }
      undo.push_back(std::move(old));
      edits.push_back(patch);
      const double from = now_us();
      done(engine.map().stamp(patch.rect, patch.terrain.data(),
                              static_cast<size_t>(patch.rect.width)));
      edit_us += now_us() - from;
    }
    figures.edit_us.push_back(edit_us);
    const double before = now_us();
    if (plan.parts) {
      CommitTimes times;
      done(engine.commit(&times));
      figures.parts.push_back(times);
    } else {
      done(engine.commit());
    }
    figures.commit_us.push_back(now_us() - before);
    // 2. Queries.
    const bool ends = (done_commits + 1) % plan.epoch == 0 || done_commits + 1 == plan.commits;
    queries.resize(ends || !plan.last ? static_cast<size_t>(plan.queries) : 0);
    View view = engine.view(id);
    Engine fresh;
    if (tier.rebuilt && !queries.empty()) {
      ProfileId same = 0;
      rebuild(map, edits, fresh, &same);
      view = fresh.view(same);
    }
    for (Query& query : queries) {
      query.start = drawer.free_cell();
      query.goal = drawer.free_cell();
      query.solver = solver_id(tier.solver);
      query.max_expansions = tier.capped;
    }
    const double from = now_us();
    size_t asked = 0;
    for (const Query& query : queries) {
      if (tier.background && asked++ % kTick == 0) {
        bool adopted = false;
        const Fault late = engine.adopt_finished(&adopted);
        if (late.status != Status::stale_index) done(late);  // what came too late is dropped
        if (adopted) view = engine.view(id);
      }
      find(searcher, view, query, path);
      figures.by_tier += path.solver == stale;
    }
    figures.query_us += now_us() - from;
    figures.queries += queries.size();
    for (size_t i = 0; plan.check && i < queries.size(); ++i) {
      find(searcher, view, queries[i], path);
      const std::string fault = judged(other, view, queries[i], path);
      if (fault.empty()) continue;
      if (++figures.wrong > kMostWrong) continue;
      progress.clear();
      fmt::print("{} {}, commit {}, ({},{}) to ({},{}): {}\n", pattern, tier.name, done_commits,
                 queries[i].start.x, queries[i].start.y, queries[i].goal.x, queries[i].goal.y,
                 fault);
    }
    // 3. At the end of the epoch, back.
    if (ends) {
      edits.clear();
      for (; !undo.empty(); undo.pop_back()) {
        const Patch& p = undo.back();
        done(engine.map().stamp(p.rect, p.terrain.data(), static_cast<size_t>(p.rect.width)));
      }
      done(engine.repair_labels(id, Index()));
      done(engine.commit());
    }
    progress.show(static_cast<double>(done_commits) / plan.commits);
  }
  return figures;
}

// A line for each part of an edit and its commit.
void print_parts(const EditBenchOptions& options, const std::string& map,
                 const std::string& pattern, const Tier& tier, const Figures& f) {
  const auto line = [&](const char* part, std::vector<double> us) {
    std::sort(us.begin(), us.end());
    const size_t n = us.size();
    double sum = 0;
    for (const double u : us) sum += u;
    fmt::print(fmt::runtime(options.format == "tsv"
                                ? "{}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.3f}\n"
                                : "{:<20} {:<12} {:<13} {:<10} {:>7} {:>8.2f} {:>8.2f} {:>8.2f} "
                                  "{:>8.1f}\n"),
               map, pattern, tier.name, part, n, us[n / 2], sum / static_cast<double>(n),
               us[n * 99 / 100], us[n - 1]);
  };
  const auto of = [&](double CommitTimes::*part) {
    std::vector<double> us;
    for (const CommitTimes& t : f.parts) us.push_back(t.*part);
    return us;
  };
  line("edit", f.edit_us);
  line("commit", f.commit_us);
  line("masks", of(&CommitTimes::masks_us));
  line("components", of(&CommitTimes::components_us));
  line("pockets", of(&CommitTimes::pockets_us));
  line("rest", of(&CommitTimes::rest_us));
  std::fflush(stdout);
}

void print(const EditBenchOptions& options, const std::string& map, const std::string& pattern,
           const Tier& tier, const EditPlan& plan, Figures& f) {
  std::sort(f.commit_us.begin(), f.commit_us.end());
  const size_t n = f.commit_us.size();
  double sum = 0;
  for (const double us : f.commit_us) sum += us;
  const double share =
      f.queries ? 100.0 * static_cast<double>(f.by_tier) / static_cast<double>(f.queries) : 0;
  const auto a_query = [&](double us) {
    return f.queries ? us / static_cast<double>(f.queries) : 0;
  };
  const std::string wrong = plan.check ? fmt::format("{}", f.wrong) : "-";
  const auto row = [&](auto format) {
    fmt::print(fmt::runtime(format), map, pattern, tier.name, n, f.commit_us[n / 2],
               sum / static_cast<double>(n), f.commit_us[n * 99 / 100], f.commit_us[n - 1],
               f.queries, a_query(f.query_us), a_query(f.query_us + sum), share, wrong);
  };
  if (options.format == "tsv") {
    row("{}\t{}\t{}\t{}\t{:.2f}\t{:.2f}\t{:.2f}\t{:.2f}\t{}\t{:.3f}\t{:.3f}\t{:.1f}\t{}\n");
  } else {
    row("{:<20} {:<12} {:<13} {:>7} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f} {:>8} {:>9.3f} "
        "{:>9.3f} {:>6.1f} {:>6}\n");
  }
  std::fflush(stdout);
}

int run_edit_bench(const EditBenchOptions& options) {
  if (options.format != "table" && options.format != "tsv")
    refuse("--format must be table or tsv, not '{}'", options.format);
  EditPlan plan;
  plan.commits = static_cast<int>(whole_number("--commits", options.commits, 1, 10000000));
  plan.epoch = static_cast<int>(whole_number("--epoch", options.epoch, 1, 10000000));
  plan.queries = static_cast<int>(whole_number("--queries", options.queries, 0, 1000000));
  plan.seed = seed_number("--seed", options.seed);
  plan.check = options.check;
  plan.last = options.last;
  plan.parts = options.parts;
  if (plan.check && (plan.parts || plan.queries == 0))
    refuse("--check compares answers: it needs --queries, and no --parts");
  std::vector<std::string> patterns;
  for (const char* p : kPatterns)
    if (options.pattern == "all" || options.pattern == p) patterns.push_back(p);
  if (patterns.empty())
    refuse("--pattern must be {} or all, not '{}'", pattern_names(), options.pattern);
  std::vector<Tier> tiers;
  for (const Tier& tier : kTiers)
    if (options.tier == "all" || options.tier == tier.name) tiers.push_back(tier);
  if (tiers.empty()) refuse("--tier must be {} or all, not '{}'", tier_names(), options.tier);

  Engine engine;
  load_map(options.map, engine);
  ProfileId id = 0;
  done(engine.add_profile(Profile(), &id));
  done(engine.commit());
  TierIndexes index;
  IndexOptions how;
  how.budget_bytes = options.index.budget_bytes();
  how.threads = 2;
  if (!options.index.file.empty()) {
    const Index tiles = options.index.load();
    if (tiles.info().kind != IndexKind::tile_labels || !tiles.belongs_to(engine.view(id)))
      refuse("'{}': not tile labels of this map", options.index.file);
    index[IndexKind::tile_labels] = tiles;
  }
  for (const Tier& tier : tiers) {
    for (const IndexKind kind : {tier.index, IndexKind::subgoal_labels}) {
      const bool wanted = kind == tier.index ? kind != IndexKind::none : tier.repaired;
      if (!wanted || index.count(kind)) continue;
      how.most = kind;
      index[kind] = build(engine.view(id), how);
    }
  }
  const std::string map = base_name(options.map);
  if (options.parts) {
    fmt::print(fmt::runtime(options.format == "tsv"
                                ? "{}\t{}\t{}\t{}\t{}\t{}_us\t{}_us\t{}_us\t{}_us\n"
                                : "{:<20} {:<12} {:<13} {:<10} {:>7} {:>8} {:>8} {:>8} {:>8} us\n"),
               "map", "pattern", "tier", "part", "commits", "median", "mean", "p99", "max");
  } else if (options.format == "tsv") {
    fmt::print(
        "map\tpattern\ttier\tcommits\tcommit_median_us\tcommit_mean_us\tcommit_p99_us\t"
        "commit_max_us\tqueries\tquery_mean_us\tall_mean_us\tstale_percent\twrong\n");
  } else {
    fmt::print("{:<20} {:<12} {:<13} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>6} {:>6}\n",
               "map", "pattern", "tier", "commits", "median", "mean", "p99", "max us", "queries",
               "mean us", "all us", "stale%", "wrong");
  }
  uint64_t wrong = 0;
  for (const std::string& pattern : patterns) {
    for (const Tier& tier : tiers) {
      Progress progress(fmt::format("{} {}", pattern, tier.name));
      Figures figures = measure(engine, id, options.map, index, tier, pattern, plan, progress);
      progress.clear();
      if (options.parts)
        print_parts(options, map, pattern, tier, figures);
      else
        print(options, map, pattern, tier, plan, figures);
      wrong += figures.wrong;
    }
  }
  return wrong == 0 ? kDone : kFailed;
}

}  // namespace

void add_edit_bench(CLI::App& app, Action& action) {
  const auto options = std::make_shared<EditBenchOptions>();
  CLI::App& command = *app.add_subcommand("edit-bench", "time edits and the queries between them");
  command.add_option("MAP", options->map, "a map file")->required();
  command.add_option("--pattern", options->pattern, pattern_names() + " or all")
      ->capture_default_str();
  command.add_option("--tier", options->tier, tier_names() + " or all")->capture_default_str();
  command.add_option("--commits", options->commits, "of each pattern and tier")
      ->capture_default_str();
  command.add_option("--epoch", options->epoch, "commits until all is undone and begun anew")
      ->capture_default_str();
  command.add_option("--queries", options->queries, "after each commit")->capture_default_str();
  command.add_flag("--last", options->last, "queries after the last commit of an epoch alone");
  command.add_flag("--parts", options->parts, "what edits and the parts of commits take instead");
  command.add_option("--seed", options->seed, "of edits and queries")->capture_default_str();
  command.add_option("--format", options->format, "table or tsv")->capture_default_str();
  command.add_flag("--check", options->check, "compare every answer with the judge's");
  options->index.add_to(command);
  set_action(command, action, options, run_edit_bench);
}

}  // namespace octile::cli
