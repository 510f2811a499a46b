// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Files of tiles: what is saved comes back, edits leave the file alone, and whatever is wrong with
// a file is told.

#include "world/tile_file.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/file_layout.hpp"
#include "folder.hpp"
#include "support.hpp"

namespace octile::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}
void put(const std::string& path, const Bytes& bytes) {
  std::remove(path.c_str());  // what is mapped must stay
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

// Open ground, rock, noise and a strip of many terrains; tiles that are cut by the edge.
Board some_world(Random& random, bool weights) {
  Board board(random.between(200, 330), random.between(130, 270));
  for (size_t i = 0; i < board.size(); ++i) {
    const Cell c = board.cell(i);
    if (c.x < 64) board.at(c) = '@';
    if (c.x >= 128 && random.percent(40)) board.at(c) = '@';
    if (c.y >= 70 && c.y < 90) board.at(c) = uint8_t(random.below(256));
  }
  if (weights) {
    board.add_weights(0.5);
    for (size_t i = 0; i < board.size(); ++i)
      board.weight[i] = uint16_t(board.cell(i).x < 70 ? 300 : random.between(0, 65535));
  }
  board.def.first_cell = {-70, 12};
  board.def.origin = {3.5, -2};
  board.def.cell_size = 0.25;
  return board;
}

void expect_same(const Map& map, const Board& board) {
  ASSERT_EQ(map.width(), board.width());
  ASSERT_EQ(map.height(), board.height());
  const MapDef& d = map.definition();
  EXPECT_EQ(d.first_cell, board.def.first_cell);
  EXPECT_EQ(d.origin.x, board.def.origin.x);
  EXPECT_EQ(d.origin.y, board.def.origin.y);
  EXPECT_EQ(d.cell_size, board.def.cell_size);
  EXPECT_EQ(d.weights, board.def.weights);
  EXPECT_EQ(d.weight_scale, board.def.weight_scale);
  for (size_t i = 0; i < board.size(); ++i) {
    ASSERT_EQ(map.terrain(board.cell(i)), board.terrain[i]) << shown(board.cell(i));
    if (d.weights) {
      ASSERT_EQ(map.weight(board.cell(i)), board.weight[i]) << shown(board.cell(i));
    }
  }
}

TEST(TileFile, what_is_saved_comes_back) {
  Random random(411);
  const Folder folder;
  const std::string path = folder.file("world.tiles");
  for (const bool weights : {false, true}) {
    for (int i = 0; i < effort(4); ++i) {
      const Board board = some_world(random, weights);
      const World world(board, Profile());
      ASSERT_FALSE(world.engine.map().save(path.c_str()));
      Engine engine;
      ProfileId id = 0;
      if (Fault f = engine.load(path.c_str())) FAIL() << f.text;
      expect_same(engine.map(), board);
      ASSERT_FALSE(engine.add_profile(Profile(), &id));
      ASSERT_FALSE(engine.commit());
      const View view = engine.view(id);
      EXPECT_EQ(view.uniform(), world.view.uniform());
      for (int k = 0; k < 8; ++k) {
        Query q = query_of(board.random_cell(random), board.random_cell(random), "astar");
        q.snap_start = q.snap_goal = true;
        EXPECT_EQ(hash_of(ask(view, q)), hash_of(ask(world.view, q)));
      }
      // The same bytes again.
      const Bytes bytes = bytes_of(path);
      ASSERT_FALSE(engine.map().save(path.c_str()));
      EXPECT_EQ(bytes_of(path), bytes);
    }
  }
}

// The counts of terrains and weights were made anew, so edits keep the summary right.
TEST(TileFile, edits_leave_the_file_alone_and_the_view_right) {
  Random random(412);
  const Folder folder;
  const std::string path = folder.file("world.tiles");
  Board board = some_world(random, true);
  {
    const World world(board, Profile());
    ASSERT_FALSE(world.engine.map().save(path.c_str()));
  }
  const Bytes before = bytes_of(path);
  View kept;
  Query q = query_of({board.def.first_cell.x + 100, board.def.first_cell.y + 10},
                     {board.def.first_cell.x + 90, board.def.first_cell.y + 60}, "astar");
  uint64_t kept_answer = 0;
  {
    Engine engine;
    ProfileId id = 0;
    ASSERT_FALSE(engine.load(path.c_str()));
    ASSERT_FALSE(engine.add_profile(Profile(), &id));
    ASSERT_FALSE(engine.commit());
    kept = engine.view(id);
    kept_answer = hash_of(ask(kept, q));
    for (int i = 0; i < 60; ++i) {
      const Cell cell = board.random_cell(random);
      board.at(cell) = uint8_t(random.percent(50) ? '.' : '@');
      board.weight[board.index(cell)] = uint16_t(random.between(1, 9));
      ASSERT_FALSE(engine.map().set_terrain(cell, board.at(cell)));
      ASSERT_FALSE(engine.map().set_weight(cell, board.weight[board.index(cell)]));
    }
    ASSERT_FALSE(engine.commit());
    expect_same(engine.map(), board);
    const World fresh(board, Profile());
    EXPECT_EQ(hash_of(ask(engine.view(id), q)), hash_of(ask(fresh.view, q)));
    // All of it one terrain and one weight: uniform, which follows from the counts.
    const Rect all{board.def.first_cell.x, board.def.first_cell.y, board.width(), board.height()};
    ASSERT_FALSE(engine.map().fill(all, '.'));
    ASSERT_FALSE(engine.map().fill_weight(all, 2));
    ASSERT_FALSE(engine.commit());
    EXPECT_TRUE(engine.view(id).uniform());
    EXPECT_FALSE(kept.uniform());
  }
  // The engine is gone, its last view but one is not.
  EXPECT_EQ(hash_of(ask(kept, q)), kept_answer);
  EXPECT_EQ(bytes_of(path), before);
}

TEST(TileFile, what_is_damaged_is_refused) {
  Random random(413);
  const Folder folder;
  const std::string path = folder.file("world.tiles");
  const Board board = some_world(random, true);
  const World world(board, Profile());
  ASSERT_FALSE(world.engine.map().save(path.c_str()));
  const Bytes good = bytes_of(path);
  Engine engine;
  const MapDef small = Board(3, 3).def;
  ASSERT_FALSE(engine.reset(small));
  const auto refused = [&](const Bytes& bytes, const char* with) {
    put(path, bytes);
    const Fault f = engine.load(path.c_str());
    EXPECT_EQ(f.status, Status::bad_argument) << with;
    EXPECT_NE(std::strstr(f.text, with), nullptr) << f.text << ", not " << with;
    EXPECT_EQ(engine.map().width(), 3) << "the old map is gone";
  };
  EXPECT_EQ(engine.load("no/such/file.tiles").status, Status::bad_argument);
  EXPECT_EQ(engine.load(nullptr).status, Status::bad_argument);
  EXPECT_EQ(world.engine.map().save("no/such/folder/x.tiles").status, Status::bad_argument);

  // Cut anywhere, or too long.
  refused({}, "not a tile file");
  for (const size_t n : {size_t{1}, size_t{7}, size_t{8}, size_t{100}, size_t{128}, size_t{1000},
                         good.size() / 2, good.size() - 64, good.size() - 1})
    refused(Bytes(good.begin(), good.begin() + std::ptrdiff_t(n)),
            n < 8 ? "not a tile file" : "truncated");
  Bytes longer = good;
  longer.resize(good.size() + 64);
  refused(longer, "longer");

  // One bit flipped.
  const auto head_of = [](Bytes& bytes) { return reinterpret_cast<TileFileHead*>(bytes.data()); };
  for (int i = 0; i < effort(60); ++i) {
    Bytes bad = good;
    const size_t at =
        i < 20 ? size_t(random.between(24, 127)) : size_t(random.below(int(good.size())));
    if (at < 24) continue;  // magic, version and size have messages of their own
    bad[at] = uint8_t(bad[at] ^ 1 << random.below(8));
    refused(bad, "checksum");
  }
  Bytes foreign = good;
  foreign[3] = 'X';
  refused(foreign, "not a tile file");
  Bytes version = good;
  head_of(version)->version = 2;
  refused(version, "newer");
  head_of(version)->version = 0;
  refused(version, "older");

  // Lies under a right checksum.
  const auto lie = [&](const char* with, auto change) {
    Bytes bad = good;
    change(bad, head_of(bad));
    head_of(bad)->checksum =
        file_checksum(bad.data(), bad.size(), offsetof(TileFileHead, checksum));
    refused(bad, with);
  };
  lie("its head", [](Bytes&, TileFileHead* h) { h->width = 0; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->height = INT32_MAX; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->cell_size = -1; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->weight_scale = 0; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->terrain = 256; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->weights = 2; });
  lie("its head", [](Bytes&, TileFileHead* h) { h->zero[8] = 1; });
  lie("number of its tiles", [](Bytes&, TileFileHead* h) { h->weights = 0; });
  lie("number of its tiles", [](Bytes&, TileFileHead* h) { h->terrain_tiles = UINT32_MAX; });
  lie("number of its tiles", [](Bytes&, TileFileHead* h) { --h->terrain_tiles; });
  lie("number of its tiles", [](Bytes&, TileFileHead* h) { h->width += 6400; });
  const auto entry = [](Bytes& bytes, size_t i) {
    return reinterpret_cast<uint32_t*>(bytes.data() + sizeof(TileFileHead)) + i;
  };
  lie("its directory", [&](Bytes& b, TileFileHead*) { *entry(b, 0) = UINT32_MAX; });
  lie("its directory", [&](Bytes& b, TileFileHead*) { *entry(b, 2) += 1; });
  lie("its directory", [&](Bytes& b, TileFileHead*) { *entry(b, 2) = '.'; });
  lie("a tile", [&](Bytes& b, TileFileHead* h) { b[b.size() - 8256 * h->weight_tiles] = 1; });
  put(path, good);
  EXPECT_FALSE(engine.load(path.c_str()));
}

}  // namespace
}  // namespace octile::test
