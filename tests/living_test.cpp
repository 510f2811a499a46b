// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Worlds that change: obstacles and doors, stamps of bits, logs of edits, what differs between two
// Views, and long mixes of edits and queries in which every answer, from stale labels too, is held
// against the judge's.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "folder.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

// ---------------------------------------------------------------------------------------------
// Obstacles

// The ground and what lies on it, as plain as can be.
struct Ground {
  Board board;
  struct Thing {
    std::set<std::pair<int, int>> cells;
    uint8_t terrain;
    bool present;
  };
  std::map<ObstacleId, Thing> things;

  uint8_t shown(Cell c) const {
    uint8_t t = board.at(c);
    for (const auto& [id, thing] : things)  // by id: the last one wins
      if (thing.present && thing.cells.count({c.y, c.x})) t = thing.terrain;
    return t;
  }
};

void expect_same(const Map& map, const Ground& ground) {
  for (size_t i = 0; i < ground.board.size(); ++i) {
    const Cell c = ground.board.cell(i);
    ASSERT_EQ(map.terrain(c), ground.shown(c)) << shown(c);
    ASSERT_EQ(map.ground(c), ground.board.at(c)) << shown(c);
  }
}

TEST(Obstacles, random_histories_equal_a_plain_model) {
  Random random(301);
  for (int round = 0; round < effort(8); ++round) {
    Ground ground{random_board(random, random.between(1, 100), random.between(1, 100), 20), {}};
    ground.board.def.first_cell = {random.between(-50, 50), random.between(-50, 50)};
    const Cell first = ground.board.def.first_cell;
    Engine engine;
    ASSERT_FALSE(load(ground.board, engine));
    Map& map = engine.map();
    for (int step = 0; step < effort(300); ++step) {
      const Cell a = ground.board.random_cell(random);
      const Rect r{a.x, a.y, std::min(random.between(0, 12), first.x + ground.board.width() - a.x),
                   std::min(random.between(0, 12), first.y + ground.board.height() - a.y)};
      const auto terrain = uint8_t("@.T5"[random.below(4)]);
      auto some = ground.things.begin();
      if (!ground.things.empty()) std::advance(some, random.below(int(ground.things.size())));
      switch (random.below(6)) {
        case 0: {  // cells, some twice
          std::vector<Cell> cells;
          Ground::Thing thing{{}, terrain, random.percent(70)};
          for (int i = random.below(20); i >= 0; --i) {
            cells.push_back({std::min(a.x + random.below(6), first.x + ground.board.width() - 1),
                             std::min(a.y + random.below(6), first.y + ground.board.height() - 1)});
            thing.cells.insert({cells.back().y, cells.back().x});
          }
          ObstacleDef def;
          def.cells = cells.data();
          def.count = cells.size();
          def.terrain = terrain;
          def.present = thing.present;
          ObstacleId id = 0;
          ASSERT_FALSE(map.add_obstacle(def, &id));
          ASSERT_TRUE(ground.things.emplace(id, thing).second);
          break;
        }
        case 1: {  // a rectangle
          Ground::Thing thing{{}, terrain, true};
          for (int y = 0; y < r.height; ++y)
            for (int x = 0; x < r.width; ++x) thing.cells.insert({r.y + y, r.x + x});
          ObstacleDef def;
          def.rect = r;
          def.terrain = terrain;
          ObstacleId id = 0;
          ASSERT_FALSE(map.add_obstacle(def, &id));
          ASSERT_TRUE(ground.things.emplace(id, thing).second);
          break;
        }
        case 2:
        case 3:
          if (ground.things.empty()) break;
          some->second.present = random.percent(50);
          ASSERT_FALSE(map.set_obstacle(some->first, some->second.present));
          ASSERT_EQ(map.obstacle_present(some->first), some->second.present);
          break;
        case 4:
          if (ground.things.empty()) break;
          ASSERT_FALSE(map.remove_obstacle(some->first));
          ASSERT_FALSE(map.obstacle_present(some->first));
          ground.things.erase(some);
          break;
        default:  // the ground, below obstacles too
          ASSERT_FALSE(map.fill(r, terrain));
          for (int y = 0; y < r.height; ++y)
            for (int x = 0; x < r.width; ++x) ground.board.at({r.x + x, r.y + y}) = terrain;
      }
      if (step % 5 == 0) expect_same(map, ground);
      if (HasFatalFailure()) FAIL() << "round " << round << " step " << step;
    }
    while (!ground.things.empty()) {
      ASSERT_FALSE(map.remove_obstacle(ground.things.begin()->first));
      ground.things.erase(ground.things.begin());
    }
    expect_same(map, ground);
  }
}

// What a stamp of bits keeps is the ground that an obstacle hides, too.
TEST(Obstacles, stamps_of_bits_keep_the_ground_below) {
  World world(Board(3, 1), Profile());
  Map& map = world.engine.map();
  ObstacleDef wall;
  wall.rect = {0, 0, 3, 1};
  ObstacleId id;
  ASSERT_FALSE(map.add_obstacle(wall, &id));
  const uint8_t bits = 0b010;
  ASSERT_FALSE(map.stamp_bits({0, 0, 3, 1}, &bits, 1, 'G'));
  ASSERT_FALSE(map.set_obstacle(id, false));
  EXPECT_EQ(map.terrain({0, 0}), '.');
  EXPECT_EQ(map.terrain({1, 0}), 'G');
  EXPECT_EQ(map.terrain({2, 0}), '.');
}

TEST(Obstacles, doors_have_names) {
  World world(Rows{".....", "@@.@@", "....."});
  Map& map = world.engine.map();
  const Cell gap[] = {{2, 1}};
  ObstacleDef def;
  def.cells = gap;
  def.count = 1;
  def.name = "gate";
  def.present = false;
  ObstacleId gate = 0, other = 0;
  ASSERT_FALSE(map.add_obstacle(def, &gate));
  EXPECT_EQ(map.find_obstacle("gate"), gate);
  EXPECT_EQ(map.find_obstacle("door"), 0u);
  EXPECT_EQ(map.find_obstacle(""), 0u);
  EXPECT_EQ(map.add_obstacle(def, &other).status, Status::bad_argument) << "the name is taken";
  world.commit();
  EXPECT_EQ(ask(world.view, query_of({0, 0}, {0, 2})).status, Status::found);
  ASSERT_FALSE(map.set_obstacle(gate, true));
  world.commit();
  EXPECT_EQ(ask(world.view, query_of({0, 0}, {0, 2})).status, Status::no_path);
  ASSERT_FALSE(map.set_obstacle(gate, false));
  world.commit();
  EXPECT_EQ(ask(world.view, query_of({0, 0}, {0, 2})).status, Status::found);
  ASSERT_FALSE(map.remove_obstacle(gate));
  EXPECT_EQ(map.find_obstacle("gate"), 0u);
  ASSERT_FALSE(map.add_obstacle(def, &other));
  EXPECT_GT(other, gate) << "ids are not used again";
}

TEST(Obstacles, bad_calls_change_nothing) {
  World world(Rows{"...", "..."});
  Map& map = world.engine.map();
  ObstacleId id = 4711;
  ObstacleDef def;
  def.rect = {1, 1, 3, 1};
  EXPECT_EQ(map.add_obstacle(def, &id).status, Status::bad_argument);
  def.rect = {0, 0, 1, 1};
  EXPECT_EQ(map.add_obstacle(def, nullptr).status, Status::bad_argument);
  def.name = "a name that is much too long for an obstacle";
  EXPECT_EQ(map.add_obstacle(def, &id).status, Status::bad_argument);
  def.name = "";
  const Cell outside[] = {{0, 0}, {3, 0}};
  def.cells = outside;
  def.count = 2;
  EXPECT_EQ(map.add_obstacle(def, &id).status, Status::bad_argument);
  def.cells = nullptr;
  EXPECT_EQ(map.add_obstacle(def, &id).status, Status::bad_argument) << "a count without cells";
  EXPECT_EQ(map.set_obstacle(1, true).status, Status::bad_argument);
  EXPECT_EQ(map.remove_obstacle(0).status, Status::bad_argument);
  EXPECT_EQ(id, 4711u);
  ASSERT_FALSE(world.engine.commit());
  EXPECT_EQ(map.version(), 1u);
}

// ---------------------------------------------------------------------------------------------
// Stamps of bits, versions of tiles, differences, logs

TEST(Living, stamps_of_bits) {
  Random random(302);
  for (int round = 0; round < effort(60); ++round) {
    World world(random_board(random, random.between(1, 150), random.between(1, 90), 30), Profile());
    Board& board = world.board;
    const Cell a = board.random_cell(random);
    const Rect r{a.x, a.y, random.between(0, board.width() - a.x),
                 random.between(0, board.height() - a.y)};
    const size_t stride = size_t(r.width + 7) / 8 + size_t(random.below(3));
    std::vector<uint8_t> bits(stride * size_t(r.height) + 1);
    for (uint8_t& b : bits) b = uint8_t(random.next());
    ASSERT_FALSE(world.engine.map().stamp_bits(r, bits.data(), stride, 'T'));
    for (int y = 0; y < r.height; ++y)
      for (int x = 0; x < r.width; ++x)
        if (bits[size_t(y) * stride + size_t(x / 8)] >> (x % 8) & 1)
          board.at({r.x + x, r.y + y}) = 'T';
    for (size_t i = 0; i < board.size(); ++i)
      ASSERT_EQ(world.engine.map().terrain(board.cell(i)), board.at(board.cell(i)));
  }
  World world(Rows{"..."});
  EXPECT_EQ(world.engine.map().stamp_bits({0, 0, 1, 1}, nullptr, 1, '@').status,
            Status::bad_argument);
  EXPECT_EQ(world.engine.map()
                .stamp_bits({0, 0, 4, 1}, reinterpret_cast<const uint8_t*>("a"), 1, '@')
                .status,
            Status::bad_argument);
}

TEST(Living, tiles_know_the_version_that_changed_them) {
  World world(Board(200, 130), Profile());
  EXPECT_EQ(world.view.tile_version({199, 129}), 1u);
  EXPECT_EQ(world.view.tile_version({200, 129}), 0u);
  const View before = world.view;
  ASSERT_FALSE(world.engine.map().fill({60, 60, 10, 1}, '@'));
  world.commit();
  ASSERT_FALSE(world.engine.map().set_terrain({199, 129}, '@'));
  world.commit();
  for (int y = 0; y < 130; y += 13) {
    for (int x = 0; x < 200; x += 7) {
      const uint64_t right = y / 64 == 0 && x / 64 <= 1 ? 2 : y / 64 == 2 && x / 64 == 3 ? 3 : 1;
      ASSERT_EQ(world.view.tile_version({x, y}), right) << x << "," << y;
      ASSERT_EQ(before.tile_version({x, y}), 1u);
    }
  }
}

TEST(Living, differences_are_the_cells_that_differ) {
  Random random(303);
  for (int round = 0; round < effort(30); ++round) {
    Board board = random_board(random, random.between(1, 200), random.between(1, 150), 30);
    if (round % 2) board.add_weights(1);
    World world(board, Profile());
    const View before = world.view;
    for (int i = random.below(6); i > 0; --i) {
      const Cell a = board.random_cell(random);
      ASSERT_FALSE(world.engine.map().set_terrain(a, random.percent(50) ? '@' : '.'));
      if (round % 2) {
        ASSERT_FALSE(world.engine.map().set_weight(board.random_cell(random), 7));
      }
    }
    const Map& map = world.engine.map();
    std::vector<Cell> right;
    for (size_t i = 0; i < board.size(); ++i)
      if (map.terrain(board.cell(i)) != board.at(board.cell(i)) ||
          (round % 2 && map.weight(board.cell(i)) != 1))
        right.push_back(board.cell(i));
    world.commit();
    std::vector<Cell> cells(right.size() + 3, Cell{-7, -7});
    size_t count = 99;
    ASSERT_FALSE(differences(before, world.view, cells.data(), cells.size(), &count));
    ASSERT_EQ(count, right.size());
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(cells[i], right[i]);
    ASSERT_FALSE(differences(world.view, before, nullptr, 0, &count));
    ASSERT_EQ(count, right.size());
  }
  size_t count = 0;
  World a(Rows{"..."}), b(Rows{"...."});
  EXPECT_EQ(differences(a.view, b.view, nullptr, 0, &count).status, Status::bad_argument);
  EXPECT_EQ(differences(a.view, View(), nullptr, 0, &count).status, Status::bad_argument);
  EXPECT_EQ(differences(a.view, a.view, nullptr, 1, &count).status, Status::bad_argument);
}

// One edit of any kind.
void any_edit(Random& random, Map& map, std::vector<ObstacleId>& obstacles, bool weights) {
  const Cell first = map.first_cell();
  const Cell a{first.x + random.below(map.width()), first.y + random.below(map.height())};
  const Rect r{a.x, a.y, std::min(random.between(1, 9), first.x + map.width() - a.x),
               std::min(random.between(1, 9), first.y + map.height() - a.y)};
  std::vector<uint8_t> values(81 * 2);
  for (uint8_t& v : values) v = random.percent(50) ? '@' : '.';
  std::vector<uint16_t> heavy(81, uint16_t(random.between(1, 500)));
  switch (random.below(weights ? 9 : 7)) {
    case 0:
      ASSERT_FALSE(map.set_terrain(a, values[0]));
      break;
    case 1:
      ASSERT_FALSE(map.fill(r, values[0]));
      break;
    case 2:
      ASSERT_FALSE(map.stamp(r, values.data(), 9));
      break;
    case 3:
      ASSERT_FALSE(map.stamp_bits(r, values.data(), 3, values[0]));
      break;
    case 4: {
      ObstacleDef def;
      def.rect = r;
      def.present = random.percent(70);
      const std::string name = random.percent(50) ? "door " + std::to_string(random.next()) : "";
      def.name = name.c_str();
      obstacles.push_back(0);
      ASSERT_FALSE(map.add_obstacle(def, &obstacles.back()));
      break;
    }
    case 5:
      if (obstacles.empty()) break;
      ASSERT_FALSE(map.set_obstacle(obstacles[size_t(random.below(int(obstacles.size())))],
                                    random.percent(50)));
      break;
    case 6:
      if (obstacles.empty()) break;
      ASSERT_FALSE(map.remove_obstacle(obstacles.back()));
      obstacles.pop_back();
      break;
    case 7:
      ASSERT_FALSE(map.fill_weight(r, heavy[0]));
      break;
    default:
      ASSERT_FALSE(map.stamp_weight(r, heavy.data(), 9));
  }
}

TEST(EditLog, replays_to_the_same_map) {
  Random random(304);
  for (int round = 0; round < effort(20); ++round) {
    Board board = random_board(random, random.between(1, 90), random.between(1, 90), 30);
    if (round % 2) board.add_weights(1);
    board.def.first_cell = {-3, 5};
    World world(board, Profile()), again(board, Profile());
    EditLog log;
    ASSERT_FALSE(world.engine.map().record(&log));
    std::vector<ObstacleId> obstacles;
    for (int i = 0; i < effort(60); ++i) {
      any_edit(random, world.engine.map(), obstacles, round % 2);
      if (HasFatalFailure()) return;
      if (random.percent(40)) {
        ASSERT_FALSE(world.engine.commit());
      }
    }
    world.commit();
    EXPECT_EQ(world.engine.replay(log).status, Status::bad_argument) << "it is being recorded";
    ASSERT_FALSE(world.engine.map().record(nullptr));
    const size_t size = log.size();
    ASSERT_FALSE(world.engine.map().set_terrain({-3, 5}, 'x'));
    EXPECT_EQ(log.size(), size) << "recording has ended";
    // Through a file.
    const Folder folder;
    const std::string path = folder.file("edits");
    ASSERT_FALSE(log.save(path.c_str()));
    EditLog read;
    ASSERT_FALSE(read.load(path.c_str()));
    ASSERT_EQ(read.size(), size);
    ASSERT_EQ(std::memcmp(read.data(), log.data(), size), 0);
    ASSERT_FALSE(again.engine.replay(read));
    again.view = again.engine.view(again.id);
    size_t count = 1;
    ASSERT_FALSE(differences(world.view, again.view, nullptr, 0, &count));
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(again.view.version(), world.view.version());
    for (const ObstacleId id : obstacles)
      EXPECT_EQ(again.engine.map().obstacle_present(id), world.engine.map().obstacle_present(id));
  }
}

TEST(EditLog, damaged_logs_are_refused) {
  Random random(305);
  const Board board = random_board(random, 20, 20, 30);
  World world(board, Profile());
  EditLog log;
  ASSERT_FALSE(world.engine.map().record(&log));
  std::vector<ObstacleId> obstacles;
  for (int i = 0; i < 30; ++i) {
    any_edit(random, world.engine.map(), obstacles, false);
    if (i % 4 == 3) {
      ASSERT_FALSE(world.engine.commit());
    }
  }
  const std::vector<uint8_t> bytes(log.data(), log.data() + log.size());
  const auto replay = [&](const std::vector<uint8_t>& b) {
    World other(board, Profile());
    EditLog damaged;
    EXPECT_FALSE(damaged.assign(b.data(), b.size()));
    const Fault f = other.engine.replay(damaged);
    EXPECT_EQ(f.status == Status::found, f.text[0] == 0);
    EXPECT_FALSE(other.engine.commit());
    return f.status;
  };
  EXPECT_EQ(EditLog().load("/dev/zero").status, Status::bad_argument) << "it has no end";
  EXPECT_EQ(replay(bytes), Status::found);
  EXPECT_EQ(replay({}), Status::bad_argument);
  // Whatever is damaged is refused before anything is done.
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_EQ(replay({bytes.begin(), bytes.begin() + long(n)}), Status::bad_argument) << n;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::vector<uint8_t> b = bytes;
    b[i] = static_cast<uint8_t>(b[i] ^ 1u << random.below(8));
    EXPECT_EQ(replay(b), Status::bad_argument) << i;
  }
  // Lies whose checksum is right do no harm.
  for (int i = 0; i < effort(3000); ++i) {
    std::vector<uint8_t> b = bytes;
    for (int k = random.between(1, 4); k > 0; --k)
      b[size_t(random.between(16, int(b.size()) - 1))] = uint8_t(random.next());
    if (random.percent(20)) b.resize(size_t(random.between(36, int(b.size()))));
    uint64_t checksum = 0xcbf29ce484222325;
    for (size_t at = 16; at < b.size(); ++at) checksum = (checksum ^ b[at]) * 0x100000001b3;
    for (size_t at = 0; at < 8; ++at) b[8 + at] = static_cast<uint8_t>(checksum >> 8 * at);
    replay(b);
  }
  World other(Rows{"..."});
  EXPECT_EQ(other.engine.replay(log).status, Status::bad_argument) << "of another map";
}

// ---------------------------------------------------------------------------------------------
// Edits and queries in turns

struct Mix {
  int commits;
  int queries;  // after each
  int undo;     // commits after which an edit is taken back
};

struct Told {
  uint64_t asked = 0, stale = 0, stale_with_openings = 0, lost = 0;
};

// Every answer against the judge's, on the same View.
void run_mix(Board board, const Mix& mix, uint64_t seed, Told* told,
             const Profile& profile = Profile()) {
  Random random(seed);
  World world(board, profile);
  Map& map = world.engine.map();
  std::vector<std::pair<int, ObstacleId>> standing;  // until which commit
  const SolverId stale = solver_id("stale_labels");
  const char* const kSolvers[] = {"auto", "jps", "astar", "auto"};
  for (int i = 0; i < mix.commits; ++i) {
    // 1. Now and then a fresh index.
    if (i % 12 == 0) {
      Index index;
      ASSERT_FALSE(build_index(world.view, {}, &index));
      ASSERT_FALSE(world.engine.adopt(world.id, index));
    }
    // 2. An edit: a door, a building, a thin wall, a patch of noise or an opening.
    const Cell a = board.random_cell(random);
    const auto fit = [&](int w, int h) {
      return Rect{a.x, a.y, std::min(w, board.width() - a.x), std::min(h, board.height() - a.y)};
    };
    const int kind = random.below(i % 24 < 12 ? 3 : 6);  // some epochs only close
    ObstacleDef def;
    def.rect = kind == 0   ? fit(1, 1)
               : kind == 1 ? fit(random.between(2, 8), random.between(2, 8))
               : kind == 2 ? (random.percent(50) ? fit(random.between(3, 25), 1)
                                                 : fit(1, random.between(3, 25)))
               : kind == 3 ? fit(random.between(1, 3), random.between(1, 3))
                           : fit(random.between(5, 20), random.between(5, 20));
    if (kind == 4) {
      std::vector<uint8_t> noise(400);
      for (uint8_t& t : noise) t = random.percent(35) ? '@' : '.';
      ASSERT_FALSE(map.stamp(def.rect, noise.data(), 20));
    } else {
      def.terrain = kind == 3 || kind == 5 ? '.' : '@';
      if (kind == 5) def.rect = fit(1, 1);
      standing.push_back({i + random.below(mix.undo), 0});
      ASSERT_FALSE(map.add_obstacle(def, &standing.back().second));
    }
    for (size_t k = 0; k < standing.size();) {
      if (standing[k].first > i || random.percent(i % 24 < 12 ? 95 : 30)) {
        ++k;
        continue;
      }
      ASSERT_FALSE(map.remove_obstacle(standing[k].second));
      standing[k] = standing.back();
      standing.pop_back();
    }
    world.commit();
    // 3. Queries.
    for (int k = 0; k < mix.queries; ++k) {
      Query q = query_of(board.random_cell(random), board.random_cell(random), "dijkstra");
      const Path right = ask(world.view, q);
      q.solver = solver_id(kSolvers[k % 4]);
      if (k % 3 == 1) q.output = Output::waypoints;
      const Path path = ask(world.view, q);
      ASSERT_EQ(path.status, right.status) << shown(q) << " seed " << seed << " commit " << i;
      ASSERT_EQ(path.cost_units, right.cost_units)
          << shown(q) << " by " << solver_info(path.solver).name << " seed " << seed << " commit "
          << i;
      if (path.status == Status::found) {
        const std::vector<Cell> cells = filled_in(path);
        ASSERT_FALSE(cells.empty());
        for (size_t n = 1; n < cells.size(); ++n) {
          constexpr int kBit[3][3] = {{5, 6, 7}, {4, -1, 0}, {3, 2, 1}};
          const int bit = kBit[cells[n].y - cells[n - 1].y + 1][cells[n].x - cells[n - 1].x + 1];
          ASSERT_GE(bit, 0);
          ASSERT_TRUE(world.view.moves(cells[n - 1]) >> bit & 1) << shown(q);
        }
      }
      ++told->asked;
      told->stale += path.solver == stale;
      told->stale_with_openings += path.solver == stale && i % 24 >= 12;
      told->lost += world.view.stale_index().empty();
    }
    // 4. The same moves and components as of a fresh engine.
    if (i % 20 != 0) continue;
    Board now = board;
    for (size_t n = 0; n < now.size(); ++n) now.at(now.cell(n)) = map.terrain(now.cell(n));
    const World fresh(now, profile);
    std::map<uint32_t, uint32_t> there, back;
    for (size_t n = 0; n < now.size(); ++n) {
      const Cell c = now.cell(n);
      ASSERT_EQ(world.view.moves(c), fresh.view.moves(c)) << shown(c);
      const uint32_t x = world.view.component(c), y = fresh.view.component(c);
      ASSERT_EQ(there.emplace(x, y).first->second, y) << shown(c) << " seed " << seed;
      ASSERT_EQ(back.emplace(y, x).first->second, x) << shown(c) << " seed " << seed;
    }
  }
}

TEST(Living, every_answer_between_edits_equals_the_judges) {
  Random random(306);
  const int times = long_run() ? 10 : 1;
  const Mix mix{effort(100) * times, 6, 30};
  Told told;
  for (int i = 0; i < 2 && !HasFatalFailure(); ++i) {
    const auto seed = uint64_t(5000 + i);
    run_mix(random_board(random, 110, 90, 5), mix, seed, &told);
    run_mix(random_board(random, 100, 90, 30), mix, seed, &told);
    run_mix(rooms_board(random, 130, 70, 9), mix, seed, &told);
    run_mix(one_wide_board(random, 95, 95, 40), mix, seed, &told);
    run_mix(Board(100, 90), mix, seed, &told);
    Profile wide;
    wide.width = 2;
    wide.height = 3;
    wide.anchor = {1, 0};
    run_mix(random_board(random, 110, 80, 8), mix, seed, &told, wide);
  }
  EXPECT_GT(told.stale, told.asked / 20) << "stale labels answer next to nothing";
  EXPECT_GT(told.stale_with_openings, 0u);
}

// Whether every step of a path is a move of its View.
bool is_legal(const View& view, const Path& path) {
  constexpr int kBit[3][3] = {{5, 6, 7}, {4, -1, 0}, {3, 2, 1}};
  for (size_t i = 1; i < path.size(); ++i) {
    const Cell from = path.cells()[i - 1], to = path.cells()[i];
    if (std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)) > 1) return false;
    const int bit = kBit[to.y - from.y + 1][to.x - from.x + 1];
    if (bit < 0 || !(view.moves(from) >> bit & 1)) return false;
  }
  return true;
}

// The smallest maps on which a stale answer would be wrong.
TEST(StaleLabels, what_was_closed_or_opened_on_the_way) {
  World world(Rows{".......",  //
                   ".@@@@@.",  //
                   ".@@@@@.",  //
                   "......."});
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  const SolverId stale = solver_id("stale_labels");
  const auto expect = [&](Cell from, Cell to, bool by_stale) {
    world.commit();
    const Path right = ask(world.view, query_of(from, to, "dijkstra"));
    const Path path = ask(world.view, query_of(from, to));
    EXPECT_EQ(path.status, right.status);
    EXPECT_EQ(path.cost_units, right.cost_units);
    EXPECT_EQ(path.solver == stale, by_stale) << solver_info(path.solver).name;
  };
  Map& map = world.engine.map();
  // Closed far away: still right. Closed on the way: not.
  ASSERT_FALSE(map.set_terrain({6, 2}, '@'));
  expect({0, 3}, {3, 0}, true);
  expect({3, 0}, {5, 3}, false);
  ASSERT_FALSE(map.set_terrain({6, 2}, '.'));
  expect({3, 0}, {5, 3}, true);
  // Opened: a way through the middle is shorter now, but not everywhere.
  ASSERT_FALSE(map.fill({3, 1, 1, 2}, '.'));
  expect({3, 0}, {3, 3}, true);
  expect({0, 0}, {0, 3}, true);
  expect({0, 0}, {6, 0}, true);
  EXPECT_FALSE(world.view.stale_index().empty());
  // Only a diagonal is new: no cell of the path was opened, one beside it was.
  World corner(Rows{"..", ".@"});
  ASSERT_FALSE(build_index(corner.view, {}, &index));
  ASSERT_FALSE(corner.engine.adopt(corner.id, index));
  ASSERT_FALSE(corner.engine.map().set_terrain({1, 1}, '.'));
  corner.commit();
  const Path path = ask(corner.view, query_of({0, 1}, {1, 0}));
  EXPECT_EQ(path.size(), 2u);
}

// Rooms whose walls are opened here and there, over and over: ways over one opening, over several,
// between parts that nothing joined.
TEST(StaleLabels, ways_over_what_was_opened) {
  Random random(311);
  const SolverId stale = solver_id("stale_labels");
  uint64_t asked = 0, by_stale = 0, shorter = 0;
  for (int round = 0; round < effort(24); ++round) {
    const Board board = round % 3 == 0   ? rooms_board(random, 150, 80, 8)
                        : round % 3 == 1 ? random_board(random, 70, 70, 40)
                                         : rooms_board(random, 70, 140, 5);
    World world(board, Profile());
    const View before = world.view;
    Index index;
    ASSERT_FALSE(build_index(world.view, {}, &index));
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    for (int commit = 0; commit < 4; ++commit) {
      for (int i = random.between(1, 4); i > 0; --i) {
        const Cell a = board.random_cell(random);
        const Rect r{a.x, a.y, std::min(random.between(1, 12), board.width() - a.x),
                     std::min(random.between(1, 12), board.height() - a.y)};
        ASSERT_FALSE(world.engine.map().fill(r, random.percent(85) ? '.' : '@'));
      }
      world.commit();
      for (int k = 0; k < 40; ++k) {
        Query q = query_of(board.random_cell(random), board.random_cell(random));
        const Path path = ask(world.view, q);
        q.solver = judge();
        const Path right = ask(world.view, q);
        ASSERT_EQ(path.status, right.status) << shown(q) << " round " << round;
        ASSERT_EQ(path.cost_units, right.cost_units) << shown(q) << " round " << round;
        ASSERT_EQ(path.size(), right.size()) << shown(q) << " round " << round;
        ++asked;
        if (path.solver != stale) continue;
        ++by_stale;
        const Path then = ask(before, q);
        shorter += then.status != Status::found || then.cost_units > path.cost_units;
        ASSERT_TRUE(is_legal(world.view, path)) << shown(q) << " round " << round;
      }
    }
  }
  std::printf("%d questions, %d by stale labels, %d of them shorter than before\n", int(asked),
              int(by_stale), int(shorter));
  EXPECT_GT(by_stale, asked / 10);
  EXPECT_GT(shorter, 0u);
}

// Halls with few passages between them, of which some are narrowed or shut: ways through gates,
// that are longer than they were, with openings beside them and without.
TEST(StaleLabels, ways_past_what_was_closed) {
  Random random(312);
  const SolverId stale = solver_id("stale_labels");
  uint64_t asked = 0, cut = 0, longer = 0;
  for (int round = 0; round < effort(10); ++round) {
    const int width = random.between(150, 260), height = random.between(100, 200);
    Board board = random_board(random, width, height, round % 3);
    std::vector<Rect> passages;
    for (int y = random.between(12, 20); y < height - 8; y += random.between(12, 24)) {
      for (int x = 0; x < width; ++x)
        for (int k = 0; k < 3; ++k) board.at({x, y + k}) = '@';
      for (int i = random.between(1, 2); i > 0; --i) {
        const Rect r{random.below(width - 14), y, random.between(5, 14), 3};
        for (int x = r.x; x < r.x + r.width; ++x)
          for (int k = 0; k < 3; ++k) board.at({x, y + k}) = '.';
        passages.push_back(r);
      }
    }
    World world(board, Profile());
    const View before = world.view;
    Index index;
    ASSERT_FALSE(build_index(world.view, {}, &index));
    ASSERT_FALSE(world.engine.adopt(world.id, index));
    Map& map = world.engine.map();
    for (int commit = 0; commit < 6; ++commit) {
      // 1. Narrowed, shut or opened again.
      const Rect p = passages[size_t(random.below(int(passages.size())))];
      const int from = random.below(p.width), columns = random.between(1, p.width - from);
      ASSERT_FALSE(map.fill({p.x + from, p.y - random.below(4), columns, random.between(3, 7)},
                            commit > 2 && random.percent(30) ? '.' : '@'));
      // 2. An opening near it, so that ways may lead past what was closed over what is new, or
      // through the same wall far from it.
      if (commit % 2 == 1) {
        const Rect o =
            random.percent(50)
                ? Rect{p.x + random.between(-8, p.width + 8), p.y + random.between(-3, 5),
                       random.between(1, 6), random.between(1, 6)}
                : Rect{random.below(width), p.y - 1, random.between(1, 4), 5};
        const int x = std::clamp(o.x, 0, width - 1), y = std::clamp(o.y, 0, height - 1);
        ASSERT_FALSE(map.fill({x, y, std::min(o.width, width - x), std::min(o.height, height - y)},
                              random.percent(80) ? '.' : '@'));
      }
      world.commit();
      // 3. Questions.
      for (int k = 0; k < 40; ++k) {
        Query q = query_of(board.random_cell(random), board.random_cell(random));
        const Path path = ask(world.view, q);
        const Path then = ask(before, q);
        q.solver = judge();
        const Path right = ask(world.view, q);
        ASSERT_EQ(path.status, right.status) << shown(q) << " round " << round;
        ASSERT_EQ(path.cost_units, right.cost_units)
            << shown(q) << " by " << solver_info(path.solver).name << " round " << round
            << " commit " << commit;
        ASSERT_EQ(path.size(), right.size()) << shown(q) << " round " << round;
        ++asked;
        if (then.status != Status::found || then.cost_units >= path.cost_units) continue;
        ++cut;
        if (path.solver != stale) continue;
        ++longer;
        ASSERT_TRUE(is_legal(world.view, path)) << shown(q) << " round " << round;
      }
    }
  }
  std::printf("%d questions, %d ways longer than before, %d of them by stale labels\n", int(asked),
              int(cut), int(longer));
  EXPECT_GT(longer, cut / 50);
}

// A tunnel that turns: no octile line leads through it, so the way over it has to be kept.
TEST(StaleLabels, ways_over_a_tunnel_that_turns) {
  World world(Rows{".........",  //
                   ".........",  //
                   ".@@@@@@@@",  //
                   ".@@@@@@@@",  //
                   ".@@@@@@@@",  //
                   ".@@@@@@@@",  //
                   ".........",  //
                   "........."});
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  for (const Cell c : {Cell{6, 2}, Cell{6, 3}, Cell{7, 3}, Cell{8, 3}, Cell{8, 4}, Cell{8, 5}})
    ASSERT_FALSE(world.engine.map().set_terrain(c, '.'));
  world.commit();
  const SolverId stale = solver_id("stale_labels");
  for (int from = 0; from < 9; ++from) {
    for (int to = 0; to < 9; ++to) {
      for (const bool down : {true, false}) {
        const Query q = query_of({from, down ? 0 : 7}, {to, down ? 7 : 0});
        Query same = q;
        same.solver = judge();
        const Path path = ask(world.view, q), right = ask(world.view, same);
        ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
        ASSERT_EQ(path.size(), right.size()) << shown(q);
        EXPECT_EQ(path.solver, stale) << shown(q);
        ASSERT_TRUE(is_legal(world.view, path)) << shown(q);
      }
    }
  }
}

// A deep tunnel leads round from one arm to the other; a door between the rooms at its two ends is
// the shorter way: over the tunnel, the door, and the tunnel again.
TEST(StaleLabels, ways_that_leave_a_tunnel_and_come_back) {
  // Ground enough elsewhere that the labels are of use.
  Random random(312);
  Board board = random_board(random, 120, 120, 15);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 120; ++x) board.at({x, y}) = '@';
  for (int x = 0; x < 15; ++x) {
    board.at({x, 0}) = x == 7 ? '@' : '.';
    board.at({x, 3}) = x < 3 || x > 11 ? '.' : '@';
  }
  World world(board, Profile());
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  Map& map = world.engine.map();
  for (const Rect r : {Rect{3, 1, 1, 9}, Rect{11, 1, 1, 9}, Rect{3, 9, 9, 1}})
    ASSERT_FALSE(map.fill(r, '.'));
  for (const bool door : {false, true}) {
    if (door) {
      ASSERT_FALSE(map.set_terrain({7, 0}, '.'));
    }
    world.commit();
    for (int from = 0; from < 3; ++from) {
      for (int to = 12; to < 15; ++to) {
        Query q = query_of({from, 3}, {to, 3});
        const Path path = ask(world.view, q);
        q.solver = judge();
        const Path right = ask(world.view, q);
        ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
        EXPECT_EQ(path.cost, to - from + 2 * (door ? 3 : 6)) << shown(q);
        EXPECT_EQ(path.solver, solver_id("stale_labels")) << shown(q);
      }
    }
  }
}

// Rooms in a row get doors one after the other: ways over so many openings are made of stretches of
// then between them. A stretch that is closed sends the query to a search.
TEST(StaleLabels, ways_over_one_opening_after_the_other) {
  constexpr int kRooms = 6, kSide = 12;
  Board board(kRooms * kSide, 40);
  for (int room = 1; room < kRooms; ++room)
    for (int y = 0; y < 40; ++y) board.at({room * kSide, y}) = '@';
  World world(board, Profile());
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  const SolverId stale = solver_id("stale_labels");
  const auto door = [](int room) { return Cell{room * kSide, room * 17 % 40}; };
  for (int rooms = 1; rooms < kRooms; ++rooms) {
    ASSERT_FALSE(world.engine.map().set_terrain(door(rooms), '.'));
    world.commit();
    for (int to = 0; to < kRooms; ++to) {
      Query q = query_of({2, 3}, {to * kSide + 5, 31});
      const Path path = ask(world.view, q);
      q.solver = judge();
      const Path right = ask(world.view, q);
      ASSERT_EQ(path.status, right.status) << shown(q);
      ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
      ASSERT_EQ(path.size(), right.size()) << shown(q);
      ASSERT_TRUE(is_legal(world.view, path)) << shown(q);
      if (to <= rooms) {
        EXPECT_EQ(path.solver, stale) << shown(q);
      }
    }
  }
  // Beside the third door, on the only way to the last room.
  const Cell wall = door(3);
  ASSERT_FALSE(world.engine.map().fill({wall.x + 1, wall.y - 2, 1, 5}, '@'));
  world.commit();
  Query q = query_of({2, 3}, {5 * kSide + 5, 31});
  const Path path = ask(world.view, q);
  q.solver = judge();
  const Path right = ask(world.view, q);
  EXPECT_EQ(path.status, right.status);
  EXPECT_EQ(path.cost_units, right.cost_units);
}

// A tunnel is dug in several commits over the border of a tile, from a dead end to another: at
// first each part of it has one cell at most that was there before.
TEST(StaleLabels, tunnels_dug_bit_by_bit_over_the_border_of_a_tile) {
  for (const std::vector<int>& ends :
       {std::vector<int>{60, 66, 70}, {60, 62, 66, 68, 70}, {60, 64, 70}, {60, 63, 65, 70}}) {
    for (const bool backwards : {false, true}) {
      // Beside it there is a longer way.
      Board board(128, 6);
      for (int x = 0; x < 128; ++x)
        for (int y = 0; y < 5; ++y)
          board.at({x, y}) = y == 0 ? (x < 60 || x >= 70 ? '.' : '@') : x % 127 ? '@' : '.';
      World world(board, Profile());
      Index index;
      ASSERT_FALSE(build_index(world.view, {}, &index));
      ASSERT_FALSE(world.engine.adopt(world.id, index));
      for (size_t part = 1; part < ends.size(); ++part) {
        const size_t i = backwards ? ends.size() - part : part;
        ASSERT_FALSE(world.engine.map().fill({ends[i - 1], 0, ends[i] - ends[i - 1], 1}, '.'));
        world.commit();
        for (const Cell to : {Cell{127, 1}, Cell{127, 4}, Cell{80, 0}, Cell{40, 5}}) {
          Query q = query_of({0, 1}, to);
          const Path path = ask(world.view, q);
          q.solver = judge();
          const Path right = ask(world.view, q);
          ASSERT_EQ(path.status, right.status) << shown(q);
          ASSERT_EQ(path.cost_units, right.cost_units) << shown(q) << " part " << i;
        }
      }
    }
  }
}

// Two halves of one corridor that winds through all of a map are joined: the way from end to end is
// longer than any sum of labels may be.
TEST(StaleLabels, ways_longer_than_labels_can_add_up) {
  constexpr int kSide = 401;
  Board board(kSide, kSide);
  for (int y = 1; y < kSide; y += 2)
    for (int x = 0; x < kSide; ++x)
      board.at({x, y}) = x == (y % 4 == 1 ? kSide - 1 : 0) ? '.' : '@';
  const Cell middle{kSide / 2, kSide / 2};
  board.at(middle) = '@';
  World world(board, Profile());
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  ASSERT_FALSE(world.engine.map().set_terrain(middle, '.'));
  world.commit();
  for (const Cell from : {Cell{0, 0}, Cell{5, 100}, Cell{0, middle.y}}) {
    Query q = query_of(from, {kSide - 1, kSide - 1});
    const Path path = ask(world.view, q);
    q.solver = judge();
    const Path right = ask(world.view, q);
    ASSERT_EQ(right.status, Status::found);
    EXPECT_EQ(path.status, right.status) << shown(q);
    EXPECT_EQ(path.cost_units, right.cost_units) << shown(q);
    EXPECT_EQ(path.size(), right.size()) << shown(q);
  }
}

// Two ways from end to end are left, one of 17,555 straight steps and one of 17,554, most of them
// diagonal. Labels add up 16,384 and 16,385 for these: so far up that is no order any more.
TEST(StaleLabels, ways_past_what_was_closed_longer_than_labels_can_add_up) {
  constexpr int kWidth = 720, kDeep = 61, kBay = kDeep + 4, kBus = kBay + 3, kLanes = kBus + 30;
  constexpr int kLane = 249;
  Board board(kWidth, kLanes + kLane + 6);
  std::fill(board.terrain.begin(), board.terrain.end(), uint8_t{'@'});
  const Cell start{3, 1}, goal{kWidth - 2, 1};
  Cell pen = start;
  int steps = 0;
  const auto line = [&](int x, int y) {
    for (;; ++steps) {
      board.at(pen) = '.';
      if (pen == Cell{x, y}) return;
      pen.x += (x > pen.x) - (x < pen.x);
      pen.y += (y > pen.y) - (y < pen.y);
    }
  };
  // 1. The lower way: lanes down and up again, wide enough for diagonal steps.
  int lower[2], lower_steps[2];
  line(start.x, kLanes - 2);
  line(8, kLanes - 2);
  line(8, kLanes);
  for (int part = 0; part < 3; ++part) {
    const int lanes = part == 1 ? 42 : 12;
    for (int i = 0; i < lanes; ++i) {
      // The last one ends in the middle, and is left upwards.
      const bool down = i % 2 == 0, last = i == lanes - 1;
      const int length = last ? kLane - (part == 1 ? 17 : 16) : kLane, side = down ? 1 : -1;
      const Cell end{pen.x + side * length, pen.y + side * length};
      for (int y = std::min(pen.y, end.y); y <= std::max(pen.y, end.y); ++y)
        for (int x = -1; x <= 1; ++x) board.at({pen.x + y - pen.y + x, y}) = '.';
      line(end.x, end.y);
      line(pen.x, last ? kLanes - 2 : pen.y + 2 * side);
      if (last) break;
      line(pen.x + 6, pen.y);
      line(pen.x, pen.y - 2 * side);
    }
    if (part == 2) break;
    lower[part] = pen.x;
    lower_steps[part] = steps;
    const int lane = pen.x + 30 - (part == 1 ? 17 : 16);
    line(lane, pen.y);
    line(lane, kLanes);
  }
  line(goal.x, kLanes - 2);
  line(goal.x, goal.y);
  const int diagonally = steps;
  // 2. The upper one: bays, so deep that it has a step more.
  int upper[2], reached = 0;
  pen = start;
  steps = 0;
  line(start.x, kBay);
  line(5, kBay);
  constexpr int kBays = 177;
  constexpr int kFull = 2 * (kBay - 1) + kWidth - 2 - 3 + kBays * 2 * kDeep;
  int spare = (kFull - diagonally - 1) / 2;
  for (int i = 0; i < kBays; ++i) {
    const int less = spare / (kBays - i), deep = kDeep - less;
    spare -= less;
    line(pen.x, kBay - deep);
    line(pen.x + 2, kBay - deep);
    line(pen.x, kBay);
    if (i < kBays - 1) line(pen.x + 2, kBay);
    // Opposite to where the lower way has come as far.
    if (reached < 2 && steps + deep >= lower_steps[reached] + 14) upper[reached++] = pen.x - 1;
  }
  line(goal.x, kBay);
  line(goal.x, goal.y);
  ASSERT_EQ(steps, diagonally + 1);
  ASSERT_EQ(diagonally, 17554);
  // 3. What makes all ways short: a line from end to end, and one between both ways.
  pen = start;
  line(goal.x, goal.y);
  int low = kWidth, high = 0;
  for (int i = 0; i < 2; ++i) {
    pen = {upper[i], kBay};
    line(upper[i], kBus);
    pen = {lower[i], kLanes - 2};
    line(lower[i], kBus);
    low = std::min({low, upper[i], lower[i]});
    high = std::max({high, upper[i], lower[i]});
  }
  pen = {low, kBus};
  line(high, kBus);

  Profile profile;
  profile.metric = Metric::chebyshev;
  World world(board, profile);
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_EQ(index.info().kind, IndexKind::tile_labels);
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  ASSERT_FALSE(world.engine.map().fill({low, kBus, high - low + 1, 1}, '@'));
  ASSERT_FALSE(world.engine.map().fill({kWidth / 2 - 2, 1, 5, 1}, '@'));
  world.commit();
  ASSERT_FALSE(world.view.stale_index().empty());
  Query q = query_of(start, goal);
  const Path path = ask(world.view, q);
  q.solver = judge();
  EXPECT_EQ(ask(world.view, q).cost, diagonally);
  EXPECT_EQ(path.cost, diagonally);
}

// A wall along the edge of a tile gets a door: what has a new move then lies in both tiles.
TEST(StaleLabels, doors_between_tiles) {
  for (const bool row : {false, true}) {
    for (const int line : {63, 64}) {
      const auto cell = [&](int across, int along) {
        return row ? Cell{along, across} : Cell{across, along};
      };
      Board board(row ? 40 : 128, row ? 128 : 40);
      for (int i = 0; i < 39; ++i) board.at(cell(line, i)) = '@';
      World world(board, Profile());
      Index index;
      ASSERT_FALSE(build_index(world.view, {}, &index));
      ASSERT_FALSE(world.engine.adopt(world.id, index));
      ASSERT_FALSE(world.engine.map().set_terrain(cell(line, 5), '.'));
      world.commit();
      for (const int to : {55, 62, 63, 64, 65, 72}) {
        for (const int from : {55, 62, 63, 64, 65, 72}) {
          for (const int along : {4, 5, 6, 9}) {
            Query q = query_of(cell(from, 5), cell(to, along));
            const Path path = ask(world.view, q);
            q.solver = judge();
            const Path right = ask(world.view, q);
            ASSERT_EQ(path.status, right.status) << shown(q);
            ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
          }
        }
      }
    }
  }
}

// A door that goes open and shut all day is no more than one door; and labels that commits repair
// from now on do not take the place of those that are stale by then.
TEST(StaleLabels, stay_while_a_door_swings_and_when_repairs_begin) {
  Random random(308);
  Board board = random_board(random, 100, 100, 5);
  for (int y = 0; y < 100; ++y) board.at({50, y}) = '@';
  World world(board, Profile());
  Index index, labels;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  for (int i = 0; i < 401; ++i) {
    ASSERT_FALSE(world.engine.map().set_terrain({50, 40}, i % 2 ? '@' : '.'));
    world.commit();
  }
  EXPECT_FALSE(world.view.stale_index().empty());
  IndexOptions options;
  options.most = IndexKind::subgoal_labels;
  ASSERT_FALSE(build_index(world.view, options, &labels));
  ASSERT_FALSE(world.engine.repair_labels(world.id, labels));
  for (int i = 0; i < 20; ++i) {
    const View view = world.engine.view(world.id);
    EXPECT_FALSE(view.stale_index().empty());
    EXPECT_EQ(view.index().info().kind, IndexKind::subgoal_labels);
    Query q = query_of(board.random_cell(random), board.random_cell(random));
    const Path path = ask(view, q);
    q.solver = judge();
    const Path right = ask(view, q);
    ASSERT_EQ(path.status, right.status) << shown(q);
    ASSERT_EQ(path.cost_units, right.cost_units) << shown(q);
    ASSERT_FALSE(world.engine.map().set_terrain(board.random_cell(random), i % 2 ? '@' : '.'));
    world.commit();
  }
}

TEST(StaleLabels, end_with_another_index_and_when_they_are_of_no_use) {
  Random random(307);
  World world(random_board(random, 120, 120, 10), Profile());
  Index index;
  ASSERT_FALSE(build_index(world.view, {}, &index));
  ASSERT_FALSE(world.engine.adopt(world.id, index));
  ASSERT_FALSE(world.engine.map().set_terrain({60, 60}, '@'));
  ASSERT_FALSE(world.engine.map().set_terrain({61, 60}, '.'));
  world.commit();
  EXPECT_TRUE(world.view.index().empty());
  EXPECT_FALSE(world.view.stale_index().empty());
  Index second;
  ASSERT_FALSE(build_index(world.view, {}, &second));
  ASSERT_FALSE(world.engine.adopt(world.id, second));
  EXPECT_TRUE(world.engine.view(world.id).stale_index().empty());
  // A map turned inside out.
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 120; ++x)
      ASSERT_FALSE(world.engine.map().set_terrain({x, y}, random.percent(10) ? '@' : '.'));
  world.commit();
  EXPECT_TRUE(world.view.stale_index().empty());
}

}  // namespace
}  // namespace octile::test
