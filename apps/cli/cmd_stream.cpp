// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile stream: queries on a world that is made where they ask for it, tile by tile, and forgotten
// again where nobody has been for long, so that it keeps to a budget of memory.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <unordered_map>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "maps.hpp"
#include "numbers.hpp"
#include "scenes/generators.hpp"
#include "scenes/tile_worlds.hpp"

namespace octile::cli {
namespace {

struct StreamOptions {
  std::string kind;
  std::string size = "20000x20000";
  std::string seed = "1";
  std::string queries = "100";
  std::string reach = "300";
  std::string ahead = "1";
  std::string budget_mb = "256";
  std::string solver = "auto";
  bool check = false;
};

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Stream {
 public:
  Stream(const scenes::TileWorld& world, uint64_t seed, Cell size) : world_(world), seed_(seed) {
    MapDef def;
    def.width = size.x;
    def.height = size.y;
    def.streamed = true;
    if (const Fault f = engine_.reset(def)) refuse("{}", f.text);
    if (const Fault f = engine_.add_profile(Profile(), &profile_)) refuse("{}", f.text);
    commit();
  }

  View view() const { return engine_.view(profile_); }
  const Map& map() const { return engine_.map(); }

  // Makes the tile of a cell if it is absent, and those at most `ahead` tiles away.
  void make(Cell cell, int ahead) {
    const int x = cell.x / scenes::kWorldTile, y = cell.y / scenes::kWorldTile;
    for (int ty = y - ahead; ty <= y + ahead; ++ty)
      for (int tx = x - ahead; tx <= x + ahead; ++tx) make_tile(tx, ty);
  }
  // From now on this is the last one that was of use.
  void touch(Cell cell) {
    const auto found = used_.find(tile(cell));
    if (found != used_.end()) found->second = ++time_;
  }
  // Releases the tiles of least use until so many are left.
  void forget(size_t most) {
    if (used_.size() <= most) return;
    std::vector<std::pair<uint64_t, uint64_t>> by_use;
    for (const auto& [at, when] : used_) by_use.emplace_back(when, at);
    std::sort(by_use.begin(), by_use.end());
    by_use.resize(used_.size() - most);
    for (const auto& [when, at] : by_use) {
      const Cell cell{static_cast<int32_t>(at & 0xffffffff) * scenes::kWorldTile,
                      static_cast<int32_t>(at >> 32) * scenes::kWorldTile};
      if (const Fault f = engine_.map().release_tile(cell)) refuse("{}", f.text);
      used_.erase(at);
    }
    released += by_use.size();
    commit();
  }
  void commit() {
    if (const Fault f = engine_.commit()) refuse("{}", f.text);
  }

  uint64_t made = 0, released = 0;
  double make_ms = 0;

 private:
  static uint64_t tile(Cell c) {
    return static_cast<uint64_t>(c.y / scenes::kWorldTile) << 32 |
           static_cast<uint64_t>(c.x / scenes::kWorldTile);
  }
  void make_tile(int x, int y) {
    const Cell cell{x * scenes::kWorldTile, y * scenes::kWorldTile};
    if (!map().contains(cell) || map().loaded(cell)) return;
    const auto begin = Clock::now();
    uint8_t cells[scenes::kWorldTile * scenes::kWorldTile];
    world_.make(seed_, x, y, cells);
    make_ms += ms_since(begin);
    if (const Fault f = engine_.map().provide_tile(cell, cells, scenes::kWorldTile))
      refuse("{}", f.text);
    used_[tile(cell)] = ++time_;
    ++made;
  }

  const scenes::TileWorld& world_;
  uint64_t seed_;
  Engine engine_;
  ProfileId profile_ = 0;
  std::unordered_map<uint64_t, uint64_t> used_;  // when each loaded tile was of use last
  uint64_t time_ = 0;
};

int run_stream(const StreamOptions& options) {
  const scenes::TileWorld* world = scenes::find_tile_world(options.kind);
  if (!world) refuse("there is no endless world '{}': caves or city", options.kind);
  const Cell size = extent("--size", options.size);
  const uint64_t seed = seed_number("--seed", options.seed);
  const int64_t queries = whole_number("--queries", options.queries, 1, 1000000);
  const int64_t reach = whole_number("--reach", options.reach, 1, INT32_MAX);
  const auto ahead = static_cast<int>(whole_number("--ahead", options.ahead, 0, 16));
  const int64_t budget_mb = whole_number("--budget-mb", options.budget_mb, 1, 1 << 20);
  // Of a loaded tile: terrain, layer and labels.
  constexpr size_t kTileBytes = 15500;
  const size_t most_tiles = static_cast<size_t>(budget_mb) * 1000000 / kTileBytes;

  const auto begin = Clock::now();
  Stream stream(*world, seed, size);
  const double empty_ms = ms_since(begin);
  const LayerMemory empty = stream.view().memory();
  std::unique_ptr<Stream> whole;
  if (options.check) {
    whole = std::make_unique<Stream>(*world, seed, size);
    for (int y = 0; y < size.y; y += scenes::kWorldTile)
      for (int x = 0; x < size.x; x += scenes::kWorldTile) whole->make({x, y}, 0);
    whole->commit();
  }

  scenes::Random random(seed + 1);
  Searcher searcher;
  Path path;
  Query query;
  query.solver = solver(options.solver);
  query.snap_start = query.snap_goal = true;
  std::vector<double> took;
  uint64_t rounds = 0, worst_rounds = 0, found = 0, wrong = 0;
  double find_ms = 0, commit_ms = 0;
  size_t most_bytes = 0, most_loaded = 0;
  Cell at{size.x / 2, size.y / 2};  // each way begins somewhere near the end of the last one
  for (int64_t i = 0; i < queries; ++i) {
    const auto near = [&](int32_t c, int32_t cells) {
      const int64_t to = int64_t{c} - reach + random.below(static_cast<uint32_t>(2 * reach + 1));
      return static_cast<int32_t>(std::clamp<int64_t>(to, 0, cells - 1));
    };
    query.start = at;
    query.goal = {near(at.x, size.x), near(at.y, size.y)};
    // One way in eight begins somewhere else.
    if (random.below(8) == 0) {
      at = {static_cast<int32_t>(random.below(static_cast<uint32_t>(size.x))),
            static_cast<int32_t>(random.below(static_cast<uint32_t>(size.y)))};
    } else {
      at = query.goal;
    }
    const auto started = Clock::now();
    uint64_t round = 0;
    for (;; ++round) {
      const auto asked = Clock::now();
      find(searcher, stream.view(), query, path);
      find_ms += ms_since(asked);
      if (path.status != Status::not_loaded) break;
      for (size_t k = 0; k < path.size(); ++k) stream.make(path.cells()[k], ahead);
      const auto published = Clock::now();
      stream.commit();
      commit_ms += ms_since(published);
    }
    took.push_back(ms_since(started));
    rounds += round;
    worst_rounds = std::max(worst_rounds, round);
    found += path.status == Status::found;
    if (whole) {
      Path right;
      find(searcher, whole->view(), query, right);
      wrong += right.status != path.status || right.cost_units != path.cost_units;
    }
    for (size_t k = 0; k < path.size(); ++k) stream.touch(path.cells()[k]);
    const LayerMemory memory = stream.view().memory();
    most_bytes =
        std::max(most_bytes, memory.map_bytes + memory.layer_bytes + searcher.memory_bytes());
    most_loaded = std::max(most_loaded, static_cast<size_t>(stream.made - stream.released));
    stream.forget(most_tiles);
  }
  std::sort(took.begin(), took.end());
  const double n = static_cast<double>(queries);
  fmt::print("world     {} {}x{}, empty: {:.1f} MB in {:.0f} ms\n", world->name, size.x, size.y,
             static_cast<double>(empty.map_bytes + empty.layer_bytes) / 1e6, empty_ms);
  fmt::print("queries   {}, {} found, {:.1f} rounds each, at most {}\n", queries, found,
             static_cast<double>(rounds) / n, worst_rounds);
  fmt::print("tiles     {} made, {} released, at most {} of {} at once\n", stream.made,
             stream.released, most_loaded,
             ((size.x + 63) / 64) * static_cast<int64_t>((size.y + 63) / 64));
  fmt::print("a query   median {:.2f} ms, 99 of 100 within {:.1f} ms, worst {:.1f} ms\n",
             took[took.size() / 2], took[took.size() * 99 / 100], took.back());
  fmt::print(
      "          of it searches {:.2f} ms, making tiles {:.2f} ms, commits {:.2f} ms (mean)\n",
      find_ms / n, stream.make_ms / n, commit_ms / n);
  fmt::print("memory    at most {:.1f} MB (map, layer, searcher)\n",
             static_cast<double>(most_bytes) / 1e6);
  if (options.check) fmt::print("check     {} of {} answers differ\n", wrong, queries);
  return wrong ? kFailed : kDone;
}

}  // namespace

void add_stream(CLI::App& app, Action& action) {
  const auto options = std::make_shared<StreamOptions>();
  CLI::App& command =
      *app.add_subcommand("stream", "queries on a world that is made where they ask for it");
  command.add_option("KIND", options->kind, "caves or city")->required();
  command.add_option("--size", options->size, "WxH in cells (default 20000x20000)");
  command.add_option("--seed", options->seed, "another number, another world (default 1)");
  command.add_option("--queries", options->queries, "how many (default 100)");
  command.add_option("--reach", options->reach,
                     "how far apart the ends are at most, in x and in y (default 300)");
  command.add_option(
      "--ahead", options->ahead,
      "make the tiles that lie so many tiles round a wanted one as well (default 1)");
  command.add_option(
      "--budget-mb", options->budget_mb,
      "release tiles beyond so many megabytes of them, between queries (default 256)");
  command.add_option("--solver", options->solver, "who answers (default auto)");
  command.add_flag("--check", options->check, "compare with a map that has all tiles");
  set_action(command, action, options, run_stream);
}

}  // namespace octile::cli
