// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Edits and commits: after each commit the layer equals a fresh build bit for bit and the
// components equal it as a partition, old Views stay as they were, versions are counted.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "folder.hpp"
#include "support.hpp"
#include "view_contents.hpp"

namespace octile::test {
namespace {

// A fresh engine with the same cells.
View rebuilt(const Board& board, const Profile& profile) {
  World fresh(board, profile);
  return fresh.view;
}

void expect_same_layer(const View& edited, const View& fresh) {
  const WorldView& a = edited.impl()->world;
  const WorldView& b = fresh.impl()->world;
  ASSERT_EQ(a.layer.tiles.size(), b.layer.tiles.size());
  for (uint32_t t = 0; t < a.layer.tiles.size(); ++t) {
    const LayerTile& x = *a.layer.tiles.at(t);
    const LayerTile& y = *b.layer.tiles.at(t);
    ASSERT_EQ(std::memcmp(x.row, y.row, sizeof x.row), 0) << "rows of tile " << t;
    ASSERT_EQ(std::memcmp(x.col, y.col, sizeof x.col), 0) << "columns of tile " << t;
    ASSERT_EQ(std::memcmp(x.stop, y.stop, sizeof x.stop), 0) << "stop-bits of tile " << t;
    ASSERT_EQ(std::memcmp(x.moves, y.moves, sizeof x.moves), 0) << "moves of tile " << t;
    ASSERT_EQ(std::memcmp(x.falling, y.falling, sizeof x.falling), 0) << "tile " << t;
    ASSERT_EQ(std::memcmp(x.rising, y.rising, sizeof x.rising), 0) << "tile " << t;
  }
  ASSERT_EQ(a.costs.uniform, b.costs.uniform);
  ASSERT_EQ(a.costs.weighted, b.costs.weighted);
  ASSERT_EQ(a.costs.unit, b.costs.unit);
  ASSERT_EQ(a.costs.least_weight, b.costs.least_weight);
  ASSERT_EQ(a.costs.dearest_step, b.costs.dearest_step);
  ASSERT_EQ(a.costs.steps.straight, b.costs.steps.straight);
  ASSERT_EQ(a.costs.steps.diagonal, b.costs.steps.diagonal);
}

void expect_same_components(const Board& board, const View& edited, const View& fresh) {
  std::map<uint32_t, uint32_t> there, back;
  for (size_t i = 0; i < board.size(); ++i) {
    const uint32_t a = edited.component(board.cell(i)), b = fresh.component(board.cell(i));
    ASSERT_EQ(a == View::kNoComponent, b == View::kNoComponent) << shown(board.cell(i));
    ASSERT_EQ(there.emplace(a, b).first->second, b) << shown(board.cell(i));
    ASSERT_EQ(back.emplace(b, a).first->second, a) << shown(board.cell(i));
  }
}

// A View kept with what it answered when it was new.
struct Kept {
  View view;
  std::vector<Query> queries;
  std::vector<uint64_t> hashes;

  Kept(const View& v, const Board& board, Random& random) : view(v) {
    for (int i = 0; i < 6; ++i) {
      queries.push_back(
          query_of(board.random_cell(random), board.random_cell(random), i % 2 ? "auto" : "astar"));
      hashes.push_back(hash_of(ask(view, queries.back())));
    }
  }
  void check() const {
    for (size_t i = 0; i < queries.size(); ++i)
      ASSERT_EQ(hash_of(ask(view, queries[i])), hashes[i]) << shown(queries[i]);
  }
};

// An engine and a board that go through the same edits.
class Edited {
 public:
  Edited(const Board& b, const std::vector<Profile>& p) : board(b), profiles(p), ids(p.size()) {
    EXPECT_FALSE(load(board, engine));
    for (size_t i = 0; i < p.size(); ++i) EXPECT_FALSE(engine.add_profile(p[i], &ids[i]));
    EXPECT_FALSE(engine.commit());
  }

  void random_edit(Random& random, const char* terrains) {
    const int kinds = int(std::strlen(terrains));
    const auto terrain = [&] { return uint8_t(terrains[random.below(kinds)]); };
    const Cell a = random.percent(40) ? border_cell(random) : board.random_cell(random);
    const int across = board.def.first_cell.x + board.width() - a.x;
    const int down = board.def.first_cell.y + board.height() - a.y;
    const bool large = random.percent(10);
    const Rect r{a.x, a.y, std::min(across, random.between(0, large ? 150 : 6)),
                 std::min(down, random.between(0, large ? 150 : 6))};
    switch (random.below(board.weight.empty() ? 3 : 6)) {
      case 0: {
        const uint8_t t = terrain();
        ASSERT_FALSE(engine.map().set_terrain(a, t));
        board.at(a) = t;
        break;
      }
      case 1: {
        const uint8_t t = terrain();
        ASSERT_FALSE(engine.map().fill(r, t));
        each(r, [&](Cell c, size_t) { board.at(c) = t; });
        break;
      }
      case 2: {
        std::vector<uint8_t> values(size_t(r.width + 3) * size_t(r.height + 1));
        for (uint8_t& v : values) v = terrain();
        ASSERT_FALSE(engine.map().stamp(r, values.data(), size_t(r.width + 3)));
        each(
            r, [&](Cell c, size_t i) { board.at(c) = values[i]; }, r.width + 3);
        break;
      }
      case 3: {
        const auto w = uint16_t(random.below(4));
        ASSERT_FALSE(engine.map().set_weight(a, w));
        board.weight[board.index(a)] = w;
        break;
      }
      case 4: {
        const auto w = uint16_t(random.between(1, 3));
        ASSERT_FALSE(engine.map().fill_weight(r, w));
        each(r, [&](Cell c, size_t) { board.weight[board.index(c)] = w; });
        break;
      }
      default: {
        std::vector<uint16_t> values(size_t(r.width + 1) * size_t(r.height + 1));
        for (uint16_t& v : values) v = uint16_t(random.below(5));
        ASSERT_FALSE(engine.map().stamp_weight(r, values.data(), size_t(r.width)));
        each(
            r, [&](Cell c, size_t i) { board.weight[board.index(c)] = values[i]; }, r.width);
      }
    }
  }

  void check() const {
    for (size_t i = 0; i < ids.size(); ++i) {
      const View view = engine.view(ids[i]), fresh = rebuilt(board, profiles[i]);
      expect_same_layer(view, fresh);
      if (testing::Test::HasFatalFailure()) return;
      expect_same_components(board, view, fresh);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  Board board;
  std::vector<Profile> profiles;
  std::vector<ProfileId> ids;
  Engine engine;

 private:
  // A cell at the edge of a tile or of the map.
  Cell border_cell(Random& random) const {
    const auto along = [&](int size) {
      const int edges[] = {0, 63, 64, 127, 128, size - 1};
      return std::min(edges[random.below(6)], size - 1);
    };
    const Cell c = board.random_cell(random);
    const Cell first = board.def.first_cell;
    return {random.percent(70) ? first.x + along(board.width()) : c.x,
            random.percent(70) ? first.y + along(board.height()) : c.y};
  }
  template <class Set>
  static void each(Rect r, Set set, int stride = 0) {
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x)
        set(Cell{r.x + x, r.y + y}, size_t(y) * size_t(stride) + size_t(x));
  }
};

std::vector<Profile> some_profiles() {
  std::vector<Profile> p = {profile_of(Moves::eight), profile_of(Moves::eight, Diagonal::always),
                            profile_of(Moves::four),
                            profile_of(Moves::eight, Diagonal::at_most_one_obstacle)};
  p[1].terrain_cost['x'] = 1;
  p[2].terrain_cost['.'] = kWall;  // walks where the others do not
  p[2].terrain_cost['@'] = 2;
  return p;
}

void run_history(Board board, const char* terrains, int commits, uint64_t seed) {
  Random random(seed);
  Edited edited(board, some_profiles());
  std::vector<Kept> kept;
  uint64_t version = 1;
  for (int i = 0; i < commits; ++i) {
    for (int k = random.between(1, 4); k > 0; --k) edited.random_edit(random, terrains);
    ASSERT_FALSE(edited.engine.commit());
    // Some edits change nothing; the version tells.
    const uint64_t now = edited.engine.map().version();
    ASSERT_TRUE(now == version || now == version + 1);
    version = now;
    for (const ProfileId id : edited.ids) ASSERT_EQ(edited.engine.view(id).version(), version);
    edited.check();
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " commit " << i;
    if (random.percent(30))
      kept.emplace_back(edited.engine.view(edited.ids[size_t(random.below(4))]), edited.board,
                        random);
    if (kept.size() > 6) kept.erase(kept.begin() + random.below(6));
    for (const Kept& k : kept) k.check();
    if (testing::Test::HasFatalFailure()) FAIL() << "an old view, seed " << seed << " commit " << i;
  }
}

// Commits write again into what no reader has any more. Views that are held while others go, as
// many as there may be, copied, given an index or of a profile that is gone, must not notice.
TEST(Edit, views_of_all_ages_stay_as_they_were) {
  struct Held {
    View view;
    std::shared_ptr<const std::vector<uint8_t>> contents;
  };
  Random random(77);
  int looked = 0;
  for (int history = 0; history < (sampled() ? 2 : 6); ++history) {
    Board board = random_board(random, 150, 140, history % 2 ? 30 : 8);
    if (history % 3 == 0) board.add_weights(1);
    std::vector<Profile> profiles(2);
    if (history % 2) profiles[1].width = profiles[1].height = 2;
    Edited edited(board, profiles);
    std::vector<Held> held;
    const auto drop_some = [&](size_t most) {
      while (held.size() > most) {
        std::swap(held[size_t(random.below(int(held.size())))], held.back());
        held.pop_back();
      }
    };
    Cell near = board.random_cell(random);
    for (int commit = 0; commit < (sampled() ? 200 : 400); ++commit) {
      // Mostly the same tiles again and again: those are the ones of which there are several.
      if (random.percent(90)) {
        if (random.percent(5)) near = board.random_cell(random);
        for (int k = random.between(1, 3); k > 0; --k) {
          const Cell c{std::min(near.x + random.below(5), 149),
                       std::min(near.y + random.below(5), 139)};
          edited.board.at(c) = random.percent(50) ? '@' : '.';
          ASSERT_FALSE(edited.engine.map().set_terrain(c, edited.board.at(c)));
        }
      } else {
        edited.random_edit(random, ".@.5");
      }
      ASSERT_FALSE(edited.engine.commit());
      if (random.percent(2)) {
        ASSERT_FALSE(edited.engine.remove_profile(edited.ids[0]));
        ASSERT_FALSE(edited.engine.add_profile(profiles[0], &edited.ids[0]));
      }
      // For a while each View is kept for 1, 2, ... commits, then some of them at random.
      const bool in_order = commit % 100 < 60;
      if (in_order ? commit % 100 >= 10 : random.percent(30)) {
        View view = edited.engine.view(edited.ids[size_t(random.below(2))]);
        held.insert(held.begin(),
                    {view, std::make_shared<const std::vector<uint8_t>>(contents_of(view))});
      }
      if (in_order) {
        while (held.size() > size_t(commit % 100 / 10)) held.pop_back();
      } else if (!held.empty()) {
        const Held& other = held[size_t(random.below(int(held.size())))];
        if (random.percent(30)) held.push_back(other);
        Index index;
        IndexOptions options;
        options.most = IndexKind::subgoal_graph;
        View with;
        if (random.percent(5) && !build_index(other.view, options, &index) &&
            !other.view.with_index(index, &with))
          held.push_back({with, other.contents});
        drop_some(size_t(random.below(16)));
      }
      for (const Held& h : held) ASSERT_TRUE(contents_of(h.view) == *h.contents) << commit;
      looked += int(held.size());
    }
    edited.check();
    if (HasFatalFailure()) return;
  }
  std::printf("%d times a View was looked at\n", looked);
  EXPECT_GT(looked, sampled() ? 1000 : 6000);
}

// A commit of few cells writes into the layers where they stand, as long as nobody else has a View.
TEST(Edit, commits_that_nobody_watches_equal_a_rebuild) {
  Random random(78);
  int in_place = 0, commits = 0;
  for (int history = 0; history < (sampled() ? 3 : 9); ++history) {
    Edited edited(random_board(random, random.between(60, 200), random.between(60, 140),
                               random.between(0, 60)),
                  some_profiles());
    if (history % 3 == 0) {  // indexes that need no map of before
      IndexOptions options;
      options.most = IndexKind::portals;
      Index index;
      ASSERT_FALSE(build_index(edited.engine.view(edited.ids[0]), options, &index));
      ASSERT_FALSE(edited.engine.adopt(edited.ids[0], index));
    }
    View held;
    std::vector<uint8_t> contents;
    Cell near = edited.board.random_cell(random);
    for (int commit = 0; commit < (sampled() ? 40 : 80); ++commit) {
      const auto tile_of = [&] {
        const View view = edited.engine.view(edited.ids[0]);
        const Layer& layer = view.impl()->world.layer;
        return layer.flat[layer.grid.id(near) >> 12];
      };
      if (random.percent(30)) near = edited.board.random_cell(random);
      if (random.percent(20)) {  // where tiles meet
        near.x = std::min(63 + random.below(2), edited.board.width() - 1);
        near.y = std::min(63 + random.below(2), edited.board.height() - 1);
      }
      const LayerTile* before = tile_of();
      const char was = edited.board.at(near);
      for (int k = random.percent(70) ? 1 : random.between(2, 4); k > 0; --k) {
        const Cell c{std::min(near.x + random.below(k), edited.board.width() - 1),
                     std::min(near.y + random.below(k), edited.board.height() - 1)};
        edited.board.at(c) = edited.board.at(c) == '@' ? '.' : '@';
        ASSERT_FALSE(edited.engine.map().set_terrain(c, edited.board.at(c)));
      }
      ASSERT_FALSE(edited.engine.commit());
      ++commits;
      if (was != edited.board.at(near) && tile_of() == before) ++in_place;
      edited.check();
      if (HasFatalFailure()) FAIL() << "history " << history << " commit " << commit;
      // One that is kept for a while stays as it is.
      if (!held.empty()) {
        ASSERT_TRUE(contents_of(held) == contents) << commit;
      }
      if (random.percent(10)) {
        held = random.percent(70) ? View() : edited.engine.view(edited.ids[0]);
        contents = held.empty() ? std::vector<uint8_t>() : contents_of(held);
      }
    }
  }
  std::printf("%d of %d commits where the tiles stood\n", in_place, commits);
  EXPECT_GT(3 * in_place, commits);
}

// What a map, or a View of it, holds.
struct Held {
  std::vector<uint8_t> terrain;
  std::vector<uint16_t> weight;
  bool operator==(const Held&) const = default;
};

// Edits of few cells are written where the tiles of the last commit stand, as long as nobody else
// has a View: whoever gets one before the next commit sees none of them.
TEST(Edit, what_nobody_watches_is_not_seen_before_its_commit) {
  Random random(79);
  int in_place = 0, looked = 0;
  for (int history = 0; history < (sampled() ? 4 : 12); ++history) {
    const int width = random.between(60, 200), height = random.between(60, 140);
    MapDef definition;
    definition.width = width;
    definition.height = height;
    definition.weights = history % 2 != 0;
    Engine engine;
    ASSERT_FALSE(engine.reset(definition));
    Map& map = engine.map();
    const auto index = [&](Cell c) { return static_cast<size_t>(c.y) * width + c.x; };
    Held now{std::vector<uint8_t>(static_cast<size_t>(width) * height),
             std::vector<uint16_t>(static_cast<size_t>(width) * height, 1)};
    for (uint8_t& t : now.terrain) t = random.percent(30) ? '@' : '.';
    ASSERT_FALSE(map.stamp({0, 0, width, height}, now.terrain.data(), static_cast<size_t>(width)));
    // Or where tiles lie in a file, which no edit may write into; all of its weights are one tile.
    if (history % 4 > 1) {
      const Folder folder;
      const std::string file = folder.file("ground.tiles");
      ASSERT_FALSE(map.save(file.c_str()));
      ASSERT_FALSE(engine.load(file.c_str()));
    }
    // Doors of their own, across the edge of a tile too, that other edits leave alone.
    const std::vector<uint8_t> ground = now.terrain;
    std::vector<ObstacleId> doors;
    for (int i = 0; i < 5; ++i) {
      const Cell cells[2] = {{5, 2 + 12 * i + i / 4 * 11}, {5, 3 + 12 * i + i / 4 * 11}};
      ObstacleDef door;
      door.cells = cells;
      door.count = cells[1].y < height ? 2 : 0;
      door.present = false;
      doors.emplace_back();
      ASSERT_FALSE(map.add_obstacle(door, &doors.back()));
    }
    std::vector<ProfileId> ids(1);
    ASSERT_FALSE(engine.add_profile(Profile(), &ids[0]));
    ASSERT_FALSE(engine.commit());
    Held last = now;
    const auto of = [&](const auto& from) {
      Held h;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          h.terrain.push_back(from.terrain({x, y}));
          if constexpr (std::is_same_v<std::decay_t<decltype(from)>, Map>) {
            h.weight.push_back(definition.weights ? from.weight({x, y}) : uint16_t{1});
          } else {
            const Snapshot& snapshot = from.impl()->world.map;
            h.weight.push_back(snapshot.weight_at(snapshot.grid.id(Cell{x, y})));
          }
        }
      }
      return h;
    };
    const auto tile_of = [&](Cell c) {
      const View view = engine.view(ids[0]);
      const Snapshot& snapshot = view.impl()->world.map;
      return snapshot.terrain.at(snapshot.grid.id(c) >> 12);
    };
    View kept;
    Held in_kept;
    for (int step = 0; step < (sampled() ? 150 : 300); ++step) {
      // 1. Some edits.
      const Cell at{random.percent(20) ? std::min(width - 1, 63 + random.below(2))
                                       : 6 + random.below(width - 6),
                    random.below(height)};
      const TerrainTile* const tile = random.percent(30) ? tile_of(at) : nullptr;
      for (int k = random.between(1, 3); k > 0; --k) {
        const bool large = random.percent(3);
        const int side = large ? 70 : random.percent(70) ? 1 : random.between(2, 8);
        const Rect rect{at.x, at.y, std::min(side, width - at.x), std::min(side, height - at.y)};
        const int kind = random.below(definition.weights ? 3 : 2);
        if (kind == 1 && random.percent(30)) {
          const int i = random.below(5);
          const Cell first{5, 2 + 12 * i + i / 4 * 11};
          if (first.y + 1 >= height) continue;
          const bool closed = random.percent(50);
          ASSERT_FALSE(map.set_obstacle(doors[static_cast<size_t>(i)], closed));
          for (int y = 0; y < 2; ++y) {
            const size_t cell = index({5, first.y + y});
            now.terrain[cell] = closed ? uint8_t{'@'} : ground[cell];
          }
          continue;
        }
        const auto value = static_cast<uint8_t>(random.percent(50) ? '@' : '.');
        const auto weight = static_cast<uint16_t>(random.between(1, 9));
        if (kind == 2) {
          ASSERT_FALSE(map.fill_weight(rect, weight));
        } else {
          ASSERT_FALSE(map.fill(rect, value));
        }
        for (int y = rect.y; y < rect.y + rect.height; ++y) {
          for (int x = rect.x; x < rect.x + rect.width; ++x) {
            if (kind == 2)
              now.weight[index({x, y})] = weight;
            else
              now.terrain[index({x, y})] = value;
          }
        }
      }
      // 2. Somebody may look before they are committed.
      if (random.percent(30)) {
        ++looked;
        const View view =
            engine.view(ids[static_cast<size_t>(random.below(static_cast<int>(ids.size())))]);
        ASSERT_TRUE(of(view) == last) << history << " " << step;
        ASSERT_TRUE(of(map) == now) << history << " " << step;
        if (random.percent(20)) {
          kept = view;
          in_kept = last;
        }
      }
      if (random.percent(2)) {
        ids.emplace_back();
        ASSERT_FALSE(engine.add_profile(Profile(), &ids.back()));
        ASSERT_TRUE(of(engine.view(ids.back())) == last) << history << " " << step;
      }
      if (ids.size() > 2) {
        ASSERT_FALSE(engine.remove_profile(ids.back()));
        ids.pop_back();
      }
      if (!random.percent(70)) continue;
      // 3. All of them at once.
      ASSERT_FALSE(engine.commit());
      const bool changed = last.terrain[index(at)] != now.terrain[index(at)];
      last = now;
      if (tile && changed && tile_of(at) == tile) ++in_place;
      if (random.percent(40)) {
        ASSERT_TRUE(of(engine.view(ids[0])) == last) << history << " " << step;
        ASSERT_TRUE(of(map) == now) << history << " " << step;
      }
      if (!kept.empty()) {
        ASSERT_TRUE(of(kept) == in_kept) << history << " " << step;
      }
      if (random.percent(40)) kept = View();
    }
  }
  std::printf("%d tiles written where they stood, %d looks before a commit\n", in_place, looked);
  EXPECT_GT(in_place, sampled() ? 10 : 50);
  EXPECT_GT(looked, sampled() ? 100 : 500);
}

TEST(Edit, random_histories_equal_a_rebuild) {
  Random random(121);
  for (int i = 0; i < effort(24); ++i) {
    Board board =
        random_board(random, random.between(1, 150), random.between(1, 150), random.between(0, 50));
    board.def.first_cell = {random.between(-99, 99), random.between(-99, 99)};
    run_history(board, i % 2 ? ".@" : ".@5x", effort(40), uint64_t(1000 + i));
    if (HasFatalFailure()) return;
  }
}

TEST(Edit, random_histories_with_weights_equal_a_rebuild) {
  Random random(122);
  for (int i = 0; i < effort(12); ++i) {
    Board board = random_board(random, random.between(1, 140), random.between(1, 140), 25);
    random_weights(random, board, 0.5, 3, true);
    run_history(board, ".@3", effort(30), uint64_t(2000 + i));
    if (HasFatalFailure()) return;
  }
}

TEST(Edit, open_ground_and_solid_rock_equal_a_rebuild) {
  for (const char fill : {'.', '@'}) {
    run_history(Board(200, 200, fill), ".@", effort(40), uint64_t(3000 + fill));
    run_history(Board(64, 64, fill), ".@", effort(40), uint64_t(4000 + fill));
    run_history(Board(129, 65, fill), "..@", effort(40), uint64_t(5000 + fill));
    if (HasFatalFailure()) return;
  }
}

// Every single cell of a small map, and of the meeting of four tiles.
TEST(Edit, every_cell_there_and_back) {
  Random random(123);
  for (const int size : {7, 130}) {
    Edited edited(random_board(random, size, size, 30), {Profile()});
    const int from = size == 7 ? 0 : 60, to = size == 7 ? 6 : 68;
    for (int y = from; y <= to; ++y) {
      for (int x = from; x <= to; ++x) {
        const Cell c{x, y};
        for (int turn = 0; turn < 2; ++turn) {
          edited.board.at(c) = edited.board.at(c) == '.' ? '@' : '.';
          ASSERT_FALSE(edited.engine.map().set_terrain(c, edited.board.at(c)));
          ASSERT_FALSE(edited.engine.commit());
          if (sampled() && (x + y) % 5) continue;
          edited.check();
          if (HasFatalFailure()) FAIL() << shown(c);
        }
      }
    }
  }
}

// What one commit edits in a tile becomes one box: here all rows of a few columns, or the other way
// round, from two cells far apart.
TEST(Edit, narrow_boxes_from_side_to_side_of_a_tile) {
  Edited edited(Board(192, 192), some_profiles());
  for (const int at : {0, 1, 5, 30, 58, 62, 63}) {
    for (const bool upright : {true, false}) {
      for (const uint8_t terrain : {'@', '.'}) {
        for (const int along : {64, 127}) {
          const int across = std::min(64 + at + (along == 127), 127);
          const Cell c = upright ? Cell{across, along} : Cell{along, across};
          edited.board.at(c) = terrain;
          ASSERT_FALSE(edited.engine.map().set_terrain(c, terrain));
        }
        ASSERT_FALSE(edited.engine.commit());
        edited.check();
        if (HasFatalFailure()) FAIL() << at << " " << upright << " " << terrain;
      }
    }
  }
}

// Rooms, yards and passages of a cell that single cells part and join, inside a tile and across the
// edges of tiles: with a View that is held, or one that nobody watches.
TEST(Edit, single_cells_part_and_join_rooms) {
  Random random(1234);
  for (int history = 0; history < effort(9); ++history) {
    Board board = history % 4 == 0   ? one_wide_board(random, 130, 70, random.below(12))
                  : history % 4 == 1 ? spiral_board(100, 80)
                                     : rooms_board(random, 140, 80, random.between(3, 9));
    Edited edited(board, some_profiles());
    View held;
    Cell near = edited.board.random_cell(random);
    for (int commit = 0; commit < 60; ++commit) {
      if (random.percent(20)) near = edited.board.random_cell(random);
      // Some in a row close by: rooms are opened to each other and closed again.
      for (int k = random.percent(80) ? 1 : random.between(2, 6); k > 0; --k) {
        const Cell c{std::min(near.x + random.below(5), edited.board.width() - 1),
                     std::min(near.y + random.below(5), edited.board.height() - 1)};
        edited.board.at(c) = edited.board.at(c) == '@' ? '.' : '@';
        ASSERT_FALSE(edited.engine.map().set_terrain(c, edited.board.at(c)));
      }
      ASSERT_FALSE(edited.engine.commit());
      edited.check();
      if (HasFatalFailure()) FAIL() << "history " << history << " commit " << commit;
      if (random.percent(10))
        held = random.percent(50) ? View() : edited.engine.view(edited.ids[0]);
    }
  }
}

// Tiles that are joined by one cell of their border: opened and closed one at a time, while all the
// rest of both tiles stays as it is.
TEST(Edit, single_joints_between_tiles) {
  for (const bool eight : {false, true}) {
    const Profile profile =
        profile_of(Moves::eight, eight ? Diagonal::always : Diagonal::no_obstacles);
    for (const int line : {63, 64}) {
      for (const bool row : {false, true}) {
        Board board(128, 128);
        const auto cell = [&](int i) { return row ? Cell{i, line} : Cell{line, i}; };
        for (int i = 0; i < 128; ++i) board.at(cell(i)) = '@';
        World world(board, profile);
        const Cell here{0, 0}, there{127, 127};
        ASSERT_NE(world.view.component(here), world.view.component(there));
        for (const int at : {0, 1, 31, 62, 63, 64, 65, 100, 127}) {
          ASSERT_FALSE(world.engine.map().set_terrain(cell(at), '.'));
          world.commit();
          ASSERT_EQ(world.view.component(here), world.view.component(there)) << shown(cell(at));
          ASSERT_EQ(world.view.component(here), world.view.component(cell(at)));
          ASSERT_FALSE(world.engine.map().set_terrain(cell(at), '@'));
          world.commit();
          ASSERT_NE(world.view.component(here), world.view.component(there)) << shown(cell(at));
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------

TEST(Edit, a_commit_without_changes_keeps_the_version) {
  World world(Rows{"...", ".@.", "..."});
  const View before = world.view;
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 1u);
  EXPECT_EQ(world.engine.view(world.id).impl(), before.impl());
  // Setting what is there already is no change.
  ASSERT_FALSE(world.engine.map().set_terrain({1, 1}, '@'));
  ASSERT_FALSE(world.engine.map().fill({0, 0, 3, 1}, '.'));
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 1u);
  ASSERT_FALSE(world.engine.map().set_terrain({1, 1}, '.'));
  EXPECT_EQ(world.engine.map().version(), 1u) << "counted before the commit";
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 2u);
  // Many edits, one version.
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(world.engine.map().set_terrain({i, i}, '@'));
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 3u);
  const View third = world.engine.view(world.id);
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 3u);
  EXPECT_EQ(world.engine.view(world.id).impl(), third.impl());
}

// Whole tiles of one terrain are shared; a tile that is so but for one cell is not one of them.
TEST(Edit, a_stamp_of_one_terrain_but_for_one_cell) {
  for (const Cell odd :
       {Cell{64, 64}, Cell{127, 127}, Cell{127, 64}, Cell{64, 127}, Cell{90, 90}}) {
    World world(Board(192, 192, '@'), Profile());
    std::vector<uint8_t> values(64 * 64, '.');
    values[size_t(odd.y - 64) * 64 + size_t(odd.x - 64)] = 'x';
    ASSERT_FALSE(world.engine.map().stamp({64, 64, 64, 64}, values.data(), 64));
    world.commit();
    for (int y = 0; y < 192; ++y) {
      for (int x = 0; x < 192; ++x) {
        const bool inside = x / 64 == 1 && y / 64 == 1;
        const uint8_t right = Cell{x, y} == odd ? 'x' : inside ? '.' : '@';
        ASSERT_EQ(world.engine.map().terrain({x, y}), right);
        ASSERT_EQ(world.view.passable({x, y}), right == '.');
      }
    }
  }
}

TEST(Edit, an_undone_edit_leaves_the_same_answers) {
  Random random(124);
  World world(random_board(random, 100, 100, 30), Profile());
  const Kept kept(world.view, world.board, random);
  std::vector<uint64_t> before;
  for (const Query& q : kept.queries) before.push_back(hash_of(ask(world.view, q)));
  ASSERT_FALSE(world.engine.map().fill({20, 20, 70, 50}, '@'));
  world.commit();
  for (int y = 20; y < 70; ++y)
    for (int x = 20; x < 90; ++x)
      ASSERT_FALSE(world.engine.map().set_terrain({x, y}, world.board.at({x, y})));
  world.commit();
  EXPECT_EQ(world.view.version(), 3u);
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(hash_of(ask(world.view, kept.queries[i])), before[i]);
  kept.check();
}

TEST(Edit, one_digit_turns_a_uniform_map_into_a_weighted_one_and_back) {
  World world(Rows{".....",  //
                   ".....",  //
                   "....."});
  const Query q = query_of({0, 1}, {4, 1});
  EXPECT_TRUE(world.view.uniform());
  EXPECT_EQ(ask(world.view, q).solver, solver_id("line"));
  ASSERT_FALSE(world.engine.map().fill({2, 0, 1, 3}, '9'));
  world.commit();
  EXPECT_FALSE(world.view.uniform());
  EXPECT_EQ(ask(world.view, q).solver, solver_id("astar"));
  EXPECT_EQ(ask(world.view, q).cost, 12);
  ASSERT_FALSE(world.engine.map().fill({2, 0, 1, 3}, '.'));
  world.commit();
  EXPECT_TRUE(world.view.uniform());
  EXPECT_EQ(ask(world.view, q).solver, solver_id("line"));
  EXPECT_EQ(ask(world.view, q).cost, 4);
  // A terrain that is a wall for this Profile does not count.
  ASSERT_FALSE(world.engine.map().set_terrain({2, 1}, 'x'));
  world.commit();
  EXPECT_TRUE(world.view.uniform());
}

TEST(Edit, profiles_before_and_after_the_commit) {
  Random random(125);
  Board board = random_board(random, 90, 90, 30);
  Engine engine;
  ProfileId early = 0, late = 0;
  ASSERT_FALSE(engine.add_profile(profile_of(Moves::four), &early));
  ASSERT_FALSE(load(board, engine));
  ASSERT_FALSE(engine.commit());
  // Added between an edit and its commit: it sees the committed state.
  ASSERT_FALSE(engine.map().fill({10, 10, 40, 1}, '@'));
  ASSERT_FALSE(engine.add_profile(profile_of(Moves::eight), &late));
  const View view = engine.view(late);
  EXPECT_EQ(view.version(), 1u);
  expect_same_layer(view, rebuilt(board, profile_of(Moves::eight)));
  for (int x = 10; x < 50; ++x) board.at({x, 10}) = '@';
  ASSERT_FALSE(engine.commit());
  expect_same_layer(engine.view(late), rebuilt(board, profile_of(Moves::eight)));
  expect_same_layer(engine.view(early), rebuilt(board, profile_of(Moves::four)));
  // A profile that goes takes its views out of the engine, not out of the hands of readers.
  const View held = engine.view(early);
  const uint64_t hash = hash_of(ask(held, query_of({0, 0}, {80, 80})));
  ASSERT_FALSE(engine.remove_profile(early));
  EXPECT_TRUE(engine.view(early).empty());
  ASSERT_FALSE(engine.map().fill({0, 0, 90, 5}, '@'));
  for (int i = 0; i < 90 * 5; ++i) board.at({i % 90, i / 90}) = '@';
  ASSERT_FALSE(engine.commit());
  expect_same_layer(engine.view(late), rebuilt(board, profile_of(Moves::eight)));
  EXPECT_EQ(hash_of(ask(held, query_of({0, 0}, {80, 80}))), hash);
}

TEST(Edit, a_reset_keeps_old_views_and_profiles) {
  Random random(126);
  World world(random_board(random, 90, 90, 30), Profile());
  const Kept kept(world.view, world.board, random);
  const Board other = random_board(random, 30, 150, 20);
  ASSERT_FALSE(load(other, world.engine));
  EXPECT_TRUE(world.engine.view(world.id).empty()) << "nothing is committed yet";
  kept.check();
  ASSERT_FALSE(world.engine.commit());
  const View view = world.engine.view(world.id);
  EXPECT_EQ(view.version(), 2u) << "versions go on, so that none names two states";
  EXPECT_EQ(view.height(), 150);
  expect_same_layer(view, rebuilt(other, Profile()));
  expect_same_components(other, view, rebuilt(other, Profile()));
  kept.check();
  // A refused reset changes nothing.
  MapDef bad = other.def;
  bad.width = 0;
  ASSERT_TRUE(world.engine.reset(bad));
  EXPECT_EQ(world.engine.view(world.id).impl(), view.impl());
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(world.engine.map().version(), 2u);
}

// Pending edits are thrown away with the map they were made on.
TEST(Edit, a_reset_drops_pending_edits) {
  World world(Rows{"....", "....", "...."});
  ASSERT_FALSE(world.engine.map().fill({0, 0, 4, 3}, '@'));
  ASSERT_FALSE(load(world.board, world.engine));
  world.commit();
  EXPECT_TRUE(world.view.passable({2, 2}));
  expect_same_layer(world.view, rebuilt(world.board, Profile()));
}

}  // namespace
}  // namespace octile::test
