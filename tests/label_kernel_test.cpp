// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The label kernels against their plain twin: the same meeting, the same cells, and nothing written
// further outside than allowed; and against strings of moves read by the test itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/kernel_choice.hpp"
#include "engine/view.hpp"
#include "index/tree_check.hpp"
#include "index_tools.hpp"
#include "search/jump_kernel.hpp"

namespace octile::test {
namespace {

struct Kernels {
  uint32_t count = 0;
  const LabelKernel* const* list = label_kernels(&count);
};

TEST(LabelKernels, the_plain_one_is_always_there) {
  const Kernels k{};
  ASSERT_GE(k.count, 1u);
  EXPECT_EQ(k.list[k.count - 1], &kScalarLabels);
  EXPECT_EQ(&label_kernel(), k.list[0]);
  for (uint32_t i = 0; i < k.count; ++i) std::printf("kernel %s\n", k.list[i]->name);
}

// What `octile bench --kernels` does.
TEST(LabelKernels, are_limited_by_name) {
  const Kernels k{};
  const auto rank = [](const char* name) { return kernel_rank(name); };
  const std::string best_jumps = jump_kernel().name;
  for (uint32_t i = 0; i < k.count; ++i) {
    const char* name = k.list[i]->name;
    ASSERT_TRUE(detail::can_run_kernels(name));
    ASSERT_TRUE(detail::use_kernels(name));
    EXPECT_EQ(&label_kernel(), k.list[i]);
    EXPECT_STREQ(detail::kernels_in_use().labels, name);
    EXPECT_STREQ(detail::kernels_in_use().jumps, jump_kernel().name);
    EXPECT_LE(rank(jump_kernel().name), rank(name));
  }
  EXPECT_STREQ(jump_kernel().name, "scalar");
  EXPECT_FALSE(detail::use_kernels("sse"));
  EXPECT_FALSE(detail::use_kernels(""));
  EXPECT_EQ(&label_kernel(), &kScalarLabels);  // nothing changed
  EXPECT_TRUE(detail::use_kernels(nullptr));
  EXPECT_EQ(&label_kernel(), k.list[0]);
  EXPECT_EQ(jump_kernel().name, best_jumps);
}

// ---------------------------------------------------------------------------------------------
// Whole maps

Board some_board(Random& random, int style) {
  const int width = random.between(2, 120), height = random.between(2, 120);
  switch (style) {
    case 0:
      return comb_board(width, height);
    case 1:
      return spiral_board(width, height);
    case 2:
      return one_wide_board(random, width, height, random.below(40));
    case 3:
      return rooms_board(random, width, height, random.between(3, 20));
    case 4:
      return checker_board(width, height);
    case 5:
      return random_board(random, width, height, 2);  // many vias
    case 6:
      return random_board(random, width, height, 45);  // many components
    default:
      return random_board(random, width, height, random.between(5, 40));
  }
}

TEST(LabelKernels, agree_on_maps_of_every_style) {
  Random random(341);
  int over_hubs = 0, lines = 0, long_distances = 0;
  for (int round = 0; round < 48; ++round) {
    const Board board = some_board(random, round % 8);
    const auto metric = Metric(round / 8 % 3);
    const World world(board, profile_of(Moves::eight, Diagonal::no_obstacles, metric));
    const Index index = build(world.view);
    ASSERT_EQ(index.info().kind, IndexKind::tile_labels) << index.info().reason;
    const LabelTables& tables = index.impl()->labels;
    for (int i = 0; i < effort(400); ++i) {
      const Cell a = board.random_cell(random), b = board.random_cell(random);
      const Point s{uint32_t(a.x), uint32_t(a.y)}, t{uint32_t(b.x), uint32_t(b.y)};
      if (!tables.sight.passable(s) || !tables.sight.passable(t)) continue;
      ++(tables.sight.line_free(s, t) ? lines : over_hubs);
      for (const Point p : {s, t}) {
        const TileView tile(tables, tables.tile_of(p));
        long_distances += !tile.head.wide && tile.head.distance_bytes == 4;
      }
      ASSERT_EQ(kernels_agree(tables, s, t, {random.between(-3000, 3000), -7}), "")
          << shown(a) << " -> " << shown(b) << "\n"
          << picture(board);
    }
  }
  EXPECT_GT(over_hubs, sampled() ? 50 : 4000);
  EXPECT_GT(lines, sampled() ? 20 : 500);
  EXPECT_GT(long_distances, 0);
}

// Vias more than 127 cells away are told in other words, and few and many vias looked up in other
// ways.
TEST(LabelKernels, agree_on_open_ground_where_vias_are_far) {
  Random random(343);
  int up_to_32 = 0, more = 0;
  for (int round = 0; round < 6; ++round) {
    Board board(random.between(300, 420), random.between(200, 300));
    for (int i = 12 << round; i > 0; --i) {
      const int w = random.between(1, 12), h = random.between(1, 12);
      const int x = random.below(board.width() - w), y = random.below(board.height() - h);
      for (int cell = 0; cell < w * h; ++cell) board.at({x + cell % w, y + cell / w}) = '@';
    }
    const World world(board, Profile());
    const Index index = build(world.view);
    ASSERT_EQ(index.info().kind, IndexKind::tile_labels) << index.info().reason;
    const LabelTables& tables = index.impl()->labels;
    for (int i = 0; i < effort(2000); ++i) {
      const Cell a = board.random_cell(random), b = board.random_cell(random);
      const Point s{uint32_t(a.x), uint32_t(a.y)}, t{uint32_t(b.x), uint32_t(b.y)};
      if (!tables.sight.passable(s) || !tables.sight.passable(t)) continue;
      const TileView near(tables, tables.tile_of(s)), far(tables, tables.tile_of(t));
      const int vias = std::max(near.head.vias, far.head.vias);
      if (near.head.near < near.head.vias || far.head.near < far.head.vias)
        ++(vias <= 32 ? up_to_32 : more);
      ASSERT_EQ(kernels_agree(tables, s, t, {random.between(-3000, 3000), 5}), "")
          << shown(a) << " -> " << shown(b);
    }
  }
  EXPECT_GT(up_to_32, sampled() ? 20 : 500);
  EXPECT_GT(more, sampled() ? 20 : 500);
}

// A fence with more gaps than a narrow tile can name vias: from a wide tile to a narrow one, and
// back.
TEST(LabelKernels, agree_where_tiles_are_wide) {
  Random random(345);
  Board board(290, 560);
  for (int y = 0; y < board.height(); y += 2) board.at({285, y}) = '@';
  const World world(board, Profile());
  const Index index = build(world.view);
  ASSERT_EQ(index.info().kind, IndexKind::tile_labels) << index.info().reason;
  const LabelTables& tables = index.impl()->labels;
  std::vector<Point> wide;
  for (size_t i = 0; i < board.size(); ++i) {
    const Cell c = board.cell(i);
    const Point p{uint32_t(c.x), uint32_t(c.y)};
    if (c.x < 285 && TileView(tables, tables.tile_of(p)).head.wide) wide.push_back(p);
  }
  ASSERT_FALSE(wide.empty());
  int over_hubs = 0;
  for (int i = 0; i < effort(2000); ++i) {
    const Point s = wide[size_t(random.below(int(wide.size())))];
    const Point t{uint32_t(random.between(286, 289)), uint32_t(random.below(board.height()))};
    if (tables.sight.line_free(s, t)) continue;
    ++over_hubs;
    ASSERT_EQ(kernels_agree(tables, s, t, {3, 5}), "")
        << s.x << ',' << s.y << " -> " << t.x << ',' << t.y;
    ASSERT_EQ(kernels_agree(tables, t, s, {3, 5}), "")
        << t.x << ',' << t.y << " -> " << s.x << ',' << s.y;
  }
  EXPECT_GT(over_hubs, sampled() ? 20 : 500);
}

// With more than 8,192 hubs tiles leave out the words of blocks that they do not have.
TEST(LabelKernels, agree_where_tiles_leave_words_out) {
  Random random(344);
  Board board(320, 240);
  for (int i = 0; i < 2600; ++i) board.at(board.random_cell(random)) = '@';
  const World world(board, Profile());
  const Index index = build(world.view);
  ASSERT_EQ(index.info().kind, IndexKind::tile_labels) << index.info().reason;
  const LabelTables& tables = index.impl()->labels;
  ASSERT_TRUE(TileView::sparse(tables.block_words));
  for (int i = 0; i < effort(3000); ++i) {
    const Cell a = board.random_cell(random), b = board.random_cell(random);
    const Point s{uint32_t(a.x), uint32_t(a.y)}, t{uint32_t(b.x), uint32_t(b.y)};
    if (!tables.sight.passable(s) || !tables.sight.passable(t)) continue;
    ASSERT_EQ(kernels_agree(tables, s, t, {random.between(-3000, 3000), 5}), "")
        << shown(a) << " -> " << shown(b);
  }
}

// From each cell to all others at once, over hubs of some blocks: what meetings say where all are
// wanted, and alike in any case.
TEST(LabelKernels, reach_alike) {
  Random random(343);
  const Kernels k{};
  uint64_t compared = 0;
  for (int round = 0; round < effort(16); ++round) {
    const Board board = some_board(random, round % 8);
    const World world(board, Profile());
    const Index index = build(world.view);
    ASSERT_EQ(index.info().kind, IndexKind::tile_labels) << index.info().reason;
    const LabelTables& tables = index.impl()->labels;
    std::vector<Point> cells;
    for (int i = 0; i < 400 && cells.size() < 24; ++i) {
      const Cell c = board.random_cell(random);
      const Point p{uint32_t(c.x), uint32_t(c.y)};
      if (tables.sight.passable(p)) cells.push_back(p);
    }
    const uint32_t words = tables.block_words, blocks = 64 * words;
    std::vector<uint32_t> room(2 * size_t{tables.room()});
    const bool all = round % 2 == 0;
    std::vector<uint64_t> wanted(words, ~uint64_t{0});
    if (!all)
      for (uint64_t& word : wanted) word = random.next();
    // The rows of all cells, by the plain kernel.
    const auto reach = [&](const LabelKernel& kernel, Point p, std::vector<uint64_t>* there) {
      std::vector<uint32_t> lanes(size_t{blocks} * kLanes, 77);
      there->assign(words, 0);
      kernel.reach(tables, p, room.data(), wanted.data(), there->data(), lanes.data());
      return lanes;
    };
    std::vector<uint32_t> rows;
    std::vector<uint64_t> there, same;
    for (const Point p : cells) {
      std::vector<uint32_t> lanes = reach(kScalarLabels, p, &there);
      for (uint32_t b = 0; b < blocks; ++b)
        if (!(there[b >> 6] >> (b & 63) & 1))
          std::fill_n(lanes.begin() + size_t{b} * kLanes, kLanes, uint32_t{kFar});
      rows.insert(rows.end(), lanes.begin(), lanes.end());
    }
    for (const Point p : cells) {
      const std::vector<uint32_t> right = reach(kScalarLabels, p, &there);
      std::vector<ListedBlock> common;
      for (uint32_t b = 0; b < blocks; ++b)
        if (there[b >> 6] >> (b & 63) & 1) common.push_back({b, b});
      std::vector<uint32_t> least(cells.size()), first;
      for (uint32_t n = 0; n < k.count; ++n) {
        const std::vector<uint32_t> lanes = reach(*k.list[n], p, &same);
        ASSERT_EQ(same, there) << k.list[n]->name;
        ASSERT_EQ(lanes, right) << k.list[n]->name;
        k.list[n]->nearest(lanes.data(), common.data(), uint32_t(common.size()), rows.data(),
                           blocks, uint32_t(cells.size()), least.data());
        if (n == 0) first = least;
        ASSERT_EQ(least, first) << k.list[n]->name;
      }
      for (size_t i = 0; all && i < cells.size(); ++i, ++compared) {
        Meeting m;
        kScalarLabels.meet(tables, p, cells[i], room.data(), &m);
        ASSERT_EQ(least[i], m.length);
      }
    }
  }
  EXPECT_GT(compared, 400u);
}

// A meeting may be asked for where the line is free as well: distances do.
TEST(LabelKernels, meet_alike_for_every_pair) {
  Random random(342);
  const Kernels k{};
  for (int round = 0; round < effort(12); ++round) {
    const Board board = random_board(random, random.between(1, 24), random.between(1, 24), 25);
    const World world(board, Profile());
    const Index index = build(world.view);
    const LabelTables& tables = index.impl()->labels;
    std::vector<uint32_t> room(2 * size_t{tables.room()});
    for (size_t i = 0; i < board.size(); ++i) {
      for (size_t j = 0; j < board.size(); ++j) {
        const Cell a = board.cell(i), b = board.cell(j);
        const Point s{uint32_t(a.x), uint32_t(a.y)}, t{uint32_t(b.x), uint32_t(b.y)};
        if (!tables.sight.passable(s) || !tables.sight.passable(t)) continue;
        Meeting right;
        kScalarLabels.meet(tables, s, t, room.data(), &right);
        for (uint32_t n = 0; n < k.count; ++n) {
          Meeting m;
          k.list[n]->meet(tables, s, t, room.data(), &m);
          ASSERT_EQ(m.length, right.length);
          if (m.length == kFar) continue;
          ASSERT_TRUE(m.tree == right.tree && m.via[0] == right.via[0] &&
                      m.via[1] == right.via[1] && m.link[0] == right.link[0] &&
                      m.link[1] == right.link[1])
              << shown(a) << " -> " << shown(b);
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// The check of a file

// What is left of entries that are seen for the first time, or with other ways than before.
struct Sifted {
  std::vector<std::vector<uint32_t>> list{4, std::vector<uint32_t>(2048)};
  OddEntries odd{0, list[0].data(), list[1].data(), list[2].data(), list[3].data()};
  bool right = false, far = false;

  bool operator==(const Sifted& other) const {
    if (right != other.right || (right && far != other.far)) return false;
    if (!right) return true;
    for (size_t i = 0; i < 4; ++i)
      if (odd.count != other.odd.count ||
          !std::equal(list[i].begin(), list[i].begin() + odd.count, other.list[i].begin()))
        return false;
    return true;
  }
};

TEST(LabelKernels, sift_alike) {
  Random random(343);
  const Kernels k{};
  uint32_t odd = 0, wrong = 0, far = 0;
  std::vector<uint32_t> place(65536);
  for (int round = 0; round < effort(4000); ++round) {
    // A block of a few rounds. Now and then its count is wrong, or a via unknown.
    const bool wide = random.percent(20);
    const uint32_t distance_bytes = uint32_t(random.between(3, 4));
    const uint32_t link_bytes = uint32_t(random.between(2, 4));
    const uint32_t vias = uint32_t(random.between(1, wide ? 600 : 200));
    std::vector<uint32_t> lanes;
    uint32_t entries = 0;
    for (int r = random.between(1, 4); r > 0; --r) {
      lanes.push_back(uint32_t(random.below(65536)));
      entries += uint32_t(std::popcount(lanes.back()));
    }
    if (entries > 60) continue;
    const uint32_t said = random.percent(3) ? entries + uint32_t(random.between(-1, 1)) : entries;
    std::string bytes;
    const auto add = [&](uint32_t value, uint32_t n) {
      for (; n > 0; --n, value >>= 8) bytes += char(value & 255);
    };
    add(uint32_t(lanes.size()), wide ? 2 : 1);
    add(said, wide ? 2 : 1);
    for (const uint32_t mask : lanes) add(mask, 2);
    const uint32_t kinds = random.percent(50) ? 2 : 1000;
    for (uint32_t e = 0; e < said; ++e)
      add(random.percent(1) ? UINT32_MAX : uint32_t(random.below(int(kinds))), distance_bytes);
    for (uint32_t e = 0; e < said; ++e)
      add(random.percent(1) && random.percent(20) ? vias : uint32_t(random.below(int(vias))),
          wide ? 2 : 1);
    for (uint32_t e = 0; e < said; ++e) add(uint32_t(random.below(int(kinds))), link_bytes);
    bytes.resize(bytes.size() + kReadBeyond, '\x5a');
    TileHead head{};
    head.distance_bytes = uint8_t(distance_bytes);
    head.link_bytes = uint8_t(link_bytes);
    head.wide = wide;
    const BlockView block(head, reinterpret_cast<const uint8_t*>(bytes.data()));
    for (uint32_t i = 0; i < vias; ++i) place[i] = uint32_t(random.below(int(kinds)));
    const SiftedTile tile{place.data(), vias,           uint32_t(random.between(1500, 5000)),
                          1000,         distance_bytes, link_bytes,
                          wide};
    SeenEntries first;
    for (uint32_t i = 0; i < kLanes; ++i) {
      first.place[i] = uint32_t(random.below(2));
      first.link[i] = uint32_t(random.below(2));
      first.length[i] = 1000 + uint32_t(random.below(2));
    }
    Sifted right;
    SeenEntries after = first;
    right.right = kScalarLabels.sift(tile, block, 5, &after, &right.odd, &right.far);
    ASSERT_TRUE(right.odd.count <= entries || !right.right);
    odd += right.odd.count;
    wrong += !right.right;
    far += right.far;
    if (said != entries) {
      ASSERT_FALSE(right.right);
    }
    for (uint32_t n = 0; n < k.count; ++n) {
      Sifted own;
      SeenEntries seen = first;
      own.right = k.list[n]->sift(tile, block, 5, &seen, &own.odd, &own.far);
      ASSERT_TRUE(own == right) << k.list[n]->name;
      if (right.right) {
        ASSERT_EQ(std::memcmp(&seen, &after, sizeof seen), 0) << k.list[n]->name;
      }
    }
  }
  EXPECT_GT(odd, 1000u);
  EXPECT_GT(wrong, 20u);
  EXPECT_GT(far, 20u);
}

// ---------------------------------------------------------------------------------------------
// The check of a file, which follows every way of a tree

// A tree that the test itself knows all about.
struct WrittenTree {
  static constexpr uint64_t kNone = UINT64_MAX;
  std::vector<uint32_t> nibbles;
  std::vector<uint64_t> way_of;  // by nibble: the length, and above it where it leads; or kNone
  int32_t west = 0, north = 0, east = 0, south = 0;

  static uint64_t step(uint32_t move) {
    return (move & 1 ? 47321 : 33461) | uint64_t(uint32_t(kDx[move]) + (uint32_t(kDy[move]) << 16))
                                            << 32;
  }
  // A path from its leaf to `on`, a nibble where a way begins, or to the hub.
  void add_path(Random* random, std::optional<uint32_t> on, int turns) {
    const auto leaf = nibbles.size();
    std::vector<std::pair<size_t, uint64_t>> token;  // where, and what it adds to a way
    for (int n = random->percent(60) ? 1 : random->between(1, 4); n > 0; --n) {
      for (int i = random->percent(20) ? random->below(90) : random->below(20); i > 0; --i) {
        const auto move = uint32_t(random->below(turns));
        token.emplace_back(nibbles.size(), step(move));
        nibbles.push_back(move);
      }
      if (n == 1) break;
      const auto move = uint32_t(random->below(turns)), count = uint32_t(random->between(1, 300));
      token.emplace_back(nibbles.size(), count * step(move));
      for (const uint32_t nibble : {kRun, move, count & 15, count >> 4 & 15, count >> 8})
        nibbles.push_back(nibble);
    }
    token.emplace_back(nibbles.size(), 0);
    const bool near = random->percent(80);
    nibbles.push_back(near ? kNearPathEnd : kPathEnd);
    if (nibbles.size() % 2 != 0) nibbles.push_back(uint32_t(random->below(16)));
    const uint32_t place = on ? *on : near ? kNearTreeEnd : kTreeEnd;
    for (uint32_t i = 0; i < (near ? 4u : 8u); ++i) nibbles.push_back(place >> (4 * i) & 15);
    way_of.resize(nibbles.size(), kNone);
    uint64_t way = on ? way_of[*on] : 0;
    for (size_t i = token.size(); i-- > 0;) {
      way += token[i].second;
      way_of[token[i].first] = way;
      const auto to = uint32_t(way >> 32);
      const int32_t x = int16_t(to), y = int16_t((to - uint32_t(x)) >> 16);
      west = std::min(west, x), east = std::max(east, x);
      north = std::min(north, y), south = std::max(south, y);
    }
    ASSERT_EQ(leaf % 2, 0u);
  }
  uint32_t some_start(Random* random) const {
    for (;;) {
      const auto i = uint32_t(random->below(int(nibbles.size())));
      if (way_of[i] != kNone) return i;
    }
  }
};

TEST(LabelTrees, every_way_is_known) {
  Random random(347);
  for (int round = 0; round < effort(600); ++round) {
    const auto before = size_t(random.below(9));
    std::vector<uint8_t> bytes(before, 0x97);
    std::vector<WrittenTree> trees(size_t(random.between(1, 4)));
    std::vector<uint32_t> base(kLanes);
    const int turns = random.between(1, 8);
    int32_t wide = 0, high = 0;
    for (size_t t = 0; t < trees.size(); ++t) {
      base[t] = uint32_t(bytes.size());
      WrittenTree& tree = trees[t];
      tree.add_path(&random, std::nullopt, turns);
      for (int n = random.below(12); n > 0; --n)
        tree.add_path(&random, tree.some_start(&random), turns);
      for (size_t i = 0; i < tree.nibbles.size(); i += 2)
        bytes.push_back(uint8_t(tree.nibbles[i] | tree.nibbles[i + 1] << 4));
      wide = std::max(wide, tree.east - tree.west);
      high = std::max(high, tree.south - tree.north);
    }
    for (size_t lane = trees.size(); lane < kLanes; ++lane) base[lane] = base[0];
    const size_t size = (bytes.size() + 63) / 64 * 64;
    bytes.resize(size + kReadBeyond);
    LabelTables tables;
    tables.trees = bytes.data();
    tables.tree_base = base.data();
    IndexHeader head{};
    head.kind = uint32_t(IndexKind::tile_labels);
    head.bytes = bytes.size();
    head.straight = 33461;
    head.diagonal = 47321;
    head.blocks = 1;
    head.width = uint32_t(wide) + 1;
    head.height = uint32_t(high) + 1;
    Arena arena;
    TreeCheck check(tables, head);
    ASSERT_EQ(check.find(&arena), nullptr);
    ASSERT_EQ(check.trees(), trees.size());
    ASSERT_EQ(check.follow(0, trees.size()), nullptr);

    // One entry, alone or behind others that are right.
    std::vector<uint32_t> place(kLanes), list[4];
    const auto fits = [&](size_t hub, uint32_t at, uint32_t via, uint32_t link, uint32_t length) {
      list[0].push_back(uint32_t(hub));
      list[1].push_back(via);
      list[2].push_back(link);
      list[3].push_back(length);
      std::fill(place.begin(), place.end(), kNoPlace);
      const OddEntries odd{uint32_t(list[0].size()), list[0].data(), list[1].data(), list[2].data(),
                           list[3].data()};
      const bool right = check.ways_fit(odd, place.data());
      EXPECT_TRUE(!right || place[hub] == at);
      if (!right || list[0].size() > 60)
        for (auto& numbers : list) numbers.clear();
      return right;
    };
    for (size_t t = 0; t < trees.size(); ++t) {
      const WrittenTree& tree = trees[t];
      const uint32_t hub = 30000 + 65536 * 30000;
      const auto n = uint32_t(tree.nibbles.size());
      for (uint32_t i = 0; i < n; ++i) {
        uint64_t way = tree.way_of[i];
        const bool starts = way != WrittenTree::kNone;
        // As if it were a move.
        if (!starts)
          way = (i + 1 < n && tree.way_of[i + 1] != WrittenTree::kNone ? tree.way_of[i + 1] : 0) +
                WrittenTree::step(tree.nibbles[i] & 7);
        const uint32_t via = hub - uint32_t(way >> 32), length = uint32_t(way);
        ASSERT_EQ(fits(t, hub, via, i, length), starts) << round << ", " << i;
        if (!random.percent(20)) continue;
        ASSERT_FALSE(fits(t, hub, via, i, length + 1));
        ASSERT_FALSE(fits(t, hub, via, n + uint32_t(random.below(3)), length));
        if (!starts) continue;
        ASSERT_TRUE(fits(t, hub, via, i, length));
        ASSERT_FALSE(fits(t, hub, via + 65536, i, length)) << "the hub is elsewhere";
        ASSERT_FALSE(fits(t, kNoPlace, kNoPlace - uint32_t(way >> 32), i, length));
      }
    }

    // Where hubs may stand.
    for (size_t t = 0; t < trees.size(); ++t) {
      const WrittenTree& tree = trees[t];
      const auto inside = [&](int32_t x, int32_t y) {
        std::fill(place.begin(), place.end(), kNoPlace);
        place[t] = uint32_t(x) | uint32_t(y) << 16;
        return check.inside(place.data());
      };
      const int32_t x = int32_t(head.width) - 1 + tree.west,
                    y = int32_t(head.height) - 1 + tree.north;
      EXPECT_TRUE(inside(tree.east, tree.south));
      EXPECT_TRUE(inside(x, y));
      EXPECT_FALSE(inside(x + 1, y));
      EXPECT_FALSE(inside(x, y + 1));
      EXPECT_FALSE(tree.east > 0 && inside(tree.east - 1, y));
      EXPECT_FALSE(tree.south > 0 && inside(x, tree.south - 1));
    }

    // On a smaller map.
    IndexHeader narrow = head;
    if (wide > 0) --narrow.width;
    if (high > 0 && (wide == 0 || round % 2 == 0)) --narrow.height;
    if (narrow.width < head.width || narrow.height < head.height) {
      TreeCheck other(tables, narrow);
      ASSERT_EQ(other.find(&arena), nullptr);
      EXPECT_NE(other.follow(0, other.trees()), nullptr);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Strings of moves

// A tree's string, and the moves that it stands for from a nibble on.
class Tree {
 public:
  void nibble(uint32_t value) {
    if (count_++ & 1)
      bytes_.back() = static_cast<uint8_t>(bytes_.back() | value << 4);
    else
      bytes_.push_back(static_cast<uint8_t>(value));
  }
  void run(uint32_t direction, uint32_t steps) {
    nibble(kRun);
    nibble(direction);
    for (uint32_t shift = 0; shift < 12; shift += 4) nibble(steps >> shift & 15);
  }
  // In the form of two bytes, which knows no place beyond, or in that of four.
  void end(uint32_t on, bool near) {
    nibble(near ? kNearPathEnd : kPathEnd);
    count_ += count_ & 1;
    for (uint32_t shift = 0; shift < (near ? 16u : 32u); shift += 8)
      bytes_.push_back(static_cast<uint8_t>(on >> shift));
    count_ += near ? 4 : 8;
  }
  uint32_t size() const { return count_; }
  // With what follows a tree in an index, and something that is no padding.
  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> all = bytes_;
    all.resize(all.size() + kReadBeyond, 0x97);
    return all;
  }

 private:
  std::vector<uint8_t> bytes_;
  uint32_t count_ = 0;
};

std::vector<Cell> walked(Cell from, const std::vector<std::pair<uint32_t, uint32_t>>& moves) {
  std::vector<Cell> cells{from};
  for (const auto& [direction, count] : moves)
    for (uint32_t i = 0; i < count; ++i)
      cells.push_back({cells.back().x + kDx[direction], cells.back().y + kDy[direction]});
  return cells;
}

using MoveList = std::vector<std::pair<uint32_t, uint32_t>>;

// One side of a way: from a cell to a via, then by a string to the hub.
struct Half {
  Point from, via;
  uint32_t link;
  MoveList moves;  // of the string

  MoveList all() const {
    const Leg leg = leg_between(from, via);
    MoveList out{{leg.diagonal_move, leg.diagonal}, {leg.straight_move, leg.straight}};
    out.insert(out.end(), moves.begin(), moves.end());
    return out;
  }
  // The same half elsewhere, so that it ends in `hub`.
  void move_to(Cell hub) {
    const Cell end = walked({int32_t(from.x), int32_t(from.y)}, all()).back();
    for (Point* p : {&from, &via})
      *p = {p->x + uint32_t(hub.x - end.x), p->y + uint32_t(hub.y - end.y)};
  }
};

void expect_way(const std::vector<uint8_t>& bytes, Half start, Half goal, Cell offset) {
  const Kernels k{};
  start.move_to({20000, 30000});
  goal.move_to({20000, 30000});
  const auto cells = [&](const Half& half) {
    return walked({int32_t(half.from.x) + offset.x, int32_t(half.from.y) + offset.y}, half.all());
  };
  std::vector<Cell> right = cells(start), back = cells(goal);
  ASSERT_EQ(right.back(), back.back());
  right.insert(right.end(), back.rbegin() + 1, back.rend());
  Meeting m;
  m.tree = bytes.data();
  m.via[0] = start.via;
  m.via[1] = goal.via;
  m.link[0] = start.link;
  m.link[1] = goal.link;
  const size_t n = right.size();
  for (uint32_t i = 0; i < k.count; ++i) {
    std::vector<Cell> out(n + 2 * kGuard, kUntouched);
    k.list[i]->way(m, start.from, goal.from, offset, out.data() + kGuard, uint32_t(n - 1));
    for (size_t j = 0; j < n; ++j)
      ASSERT_EQ(out[kGuard + j], right[j]) << k.list[i]->name << ", cell " << j << " of " << n;
    ASSERT_TRUE(guards_untouched(out)) << k.list[i]->name;
  }
}

TEST(LabelKernels, follow_strings_of_any_kind) {
  Random random(343);
  for (int round = 0; round < effort(4000) && !HasFailure(); ++round) {
    Tree tree;
    // The hub's own path, then some that go on in earlier ones.
    struct Way {
      uint32_t link;
      std::vector<std::pair<uint32_t, uint32_t>> moves;
    };
    std::vector<Way> ways;
    for (int path = random.between(1, 4); path > 0; --path) {
      const bool first = ways.empty();
      const Way on = first ? Way{kTreeEnd, {}} : ways[size_t(random.below(int(ways.size())))];
      std::vector<std::pair<uint32_t, uint32_t>> moves;
      std::vector<uint32_t> links;
      for (int token = random.below(random.percent(30) ? 60 : 6); token > 0; --token) {
        links.push_back(tree.size());
        const auto direction = uint32_t(random.below(8));
        const bool run = random.percent(25);
        const int lengths[] = {1, 7, 8, 9, 15, 16, 17, 32, 255, 256, int(kLongestRun)};
        const auto steps = uint32_t(!run                 ? 1
                                    : random.percent(60) ? lengths[random.below(11)]
                                                         : random.below(100));
        if (run)
          tree.run(direction, steps);
        else
          tree.nibble(direction);
        moves.push_back({direction, steps});
      }
      links.push_back(tree.size());
      tree.end(on.link, random.percent(50));
      for (size_t i = 0; i < links.size(); ++i) {
        Way way{links[i], {moves.begin() + ptrdiff_t(i), moves.end()}};
        way.moves.insert(way.moves.end(), on.moves.begin(), on.moves.end());
        ways.push_back(way);
      }
    }
    const std::vector<uint8_t> bytes = tree.bytes();
    const auto any_half = [&] {
      const Way& way = ways[size_t(random.below(int(ways.size())))];
      const Point from{30000, 30000};
      const int reach = random.percent(50) ? 3 : 40;
      const Point via{uint32_t(30000 + random.between(-reach, reach)),
                      uint32_t(30000 + random.between(-reach, reach))};
      return Half{from, via, way.link, way.moves};
    };
    for (int i = 0; i < 3; ++i)
      expect_way(bytes, any_half(), any_half(),
                 {random.between(-100000, 100000), random.between(-100000, 100000)});
  }
}

TEST(LabelKernels, every_number_of_moves_and_every_run) {
  for (uint32_t before = 0; before < 40 && !HasFailure(); ++before) {
    for (const uint32_t run : {0u, 1u, 3u, 8u, 31u, 32u, 64u, 4095u}) {
      for (const uint32_t after : {0u, 1u, 5u, 11u, 16u, 17u}) {
        Tree tree;
        std::vector<std::pair<uint32_t, uint32_t>> moves;
        for (uint32_t i = 0; i < before; ++i) {
          tree.nibble((i * 5 + 3) & 7);
          moves.push_back({(i * 5 + 3) & 7, 1});
        }
        if (run) {
          tree.run(before & 7, run);
          moves.push_back({before & 7, run});
        }
        for (uint32_t i = 0; i < after; ++i) {
          tree.nibble(i & 7);
          moves.push_back({i & 7, 1});
        }
        tree.end(kTreeEnd, before % 3 == 0);
        const Half whole{{5000, 5000}, {5000, 5000}, 0, moves};
        expect_way(tree.bytes(), whole, whole, {0, 0});
        if (before == 0) continue;
        // From the second move on: from the middle of a byte.
        moves.erase(moves.begin());
        expect_way(tree.bytes(), {{5000, 5000}, {5003, 4990}, 1, moves}, whole, {-7, 9});
        expect_way(tree.bytes(), whole, {{5000, 5000}, {5000, 5000}, 1, moves}, {5, 0});
      }
    }
  }
}

TEST(LabelKernels, lines_of_every_length_and_direction) {
  const Kernels k{};
  const int lengths[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 100, 5000};
  for (const int dx : lengths) {
    for (const int dy : lengths) {
      for (int sign = 0; sign < 4; ++sign) {
        const Point from{30000, 30000};
        const Point to{uint32_t(30000 + (sign & 1 ? -dx : dx)),
                       uint32_t(30000 + (sign & 2 ? -dy : dy))};
        const Leg leg = leg_between(from, to);
        const std::vector<Cell> right = walked(
            {29000, 31000}, {{leg.diagonal_move, leg.diagonal}, {leg.straight_move, leg.straight}});
        ASSERT_EQ(right.back(), (Cell{int32_t(to.x) - 1000, int32_t(to.y) + 1000}));
        for (uint32_t i = 0; i < k.count; ++i) {
          std::vector<Cell> out(right.size() + 2 * kGuard, kUntouched);
          k.list[i]->line(from, to, {-1000, 1000}, out.data() + kGuard);
          for (size_t j = 0; j < right.size(); ++j)
            ASSERT_EQ(out[kGuard + j], right[j]) << k.list[i]->name << " " << dx << ", " << dy;
          ASSERT_TRUE(guards_untouched(out)) << k.list[i]->name << " " << dx << ", " << dy;
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------
// What builds do with the 64 cells of a tile

TEST(LabelKernels, columns_are_lines_that_are_free) {
  Random random(345);
  const Kernels k{};
  int seen = 0, hidden = 0;
  for (int round = 0; round < effort(40); ++round) {
    const Board board = some_board(random, round % 8);
    const World world(board, Profile());
    SightBits sight;
    ASSERT_TRUE(sight.build(world.view.impl()->world.layer));
    const IndexSteps steps{5741, 8119};
    for (int i = 0; i < 20; ++i) {
      const Cell b = board.random_cell(random);
      const Point via{uint32_t(b.x), uint32_t(b.y)};
      if (!sight.passable(via)) continue;
      TileSight tile;
      tile.corner = {uint32_t(random.below(int(sight.width))) & ~7u,
                     uint32_t(random.below(int(sight.height))) & ~7u};
      uint32_t expected[64], free[4];
      uint64_t sees = 0;
      for (uint32_t d = 0; d < 4; ++d) free[d] = sight.free_steps(via, 2 * d);
      for (uint32_t c = 0; c < 64; ++c) {
        const Point cell{tile.corner.x + (c & 7), tile.corner.y + (c >> 3)};
        const bool stands = cell.x < sight.width && cell.y < sight.height && sight.passable(cell);
        for (uint32_t d = 0; d < 4; ++d)
          tile.diagonal[d][c] = stands ? int32_t(sight.free_steps(cell, 2 * d + 1)) : -1;
        const bool free_line = stands && sight.line_free(cell, via);
        expected[c] = free_line ? steps.line(cell, via) : kFar;
        sees |= uint64_t{free_line} << c;
        ++(free_line ? seen : hidden);
      }
      for (uint32_t j = 0; j < k.count; ++j) {
        uint32_t length[64];
        ASSERT_EQ(k.list[j]->column(tile, via, free, steps, length), sees) << k.list[j]->name;
        for (uint32_t c = 0; c < 64; ++c)
          ASSERT_EQ(length[c], expected[c]) << k.list[j]->name << " cell " << c;
      }
    }
  }
  EXPECT_GT(seen, sampled() ? 50 : 1000);
  EXPECT_GT(hidden, sampled() ? 50 : 1000);
}

TEST(LabelKernels, compare_and_lower_64_numbers) {
  Random random(346);
  const Kernels k{};
  for (int round = 0; round < effort(2000); ++round) {
    // Few different numbers, so that some are equal; and some that are as large as can be.
    uint32_t length[64], from[64];
    for (uint32_t i = 0; i < 64; ++i) {
      length[i] = random.percent(20) ? kFar : uint32_t(random.below(40));
      from[i] = random.percent(20) ? kFar : uint32_t(random.below(40));
    }
    const uint32_t add = random.percent(10) ? kFar - 1 : uint32_t(random.below(20));
    const uint64_t of = random.next();
    uint64_t within = 0, finite = 0;
    uint32_t largest = 0, lower[64];
    for (uint32_t i = 0; i < 64; ++i) {
      if (from[i] + add <= length[i] && (of >> i & 1)) within |= uint64_t{1} << i;
      if (length[i] != kFar) finite |= uint64_t{1} << i, largest = std::max(largest, length[i]);
      lower[i] = std::min(length[i], from[i] + add);
    }
    for (uint32_t j = 0; j < k.count; ++j) {
      const LabelKernel& kernel = *k.list[j];
      uint32_t count = 99, most = 99, own[64];
      ASSERT_EQ(kernel.within(length, from, add, of, &count), within) << kernel.name;
      ASSERT_EQ(count, uint32_t(std::popcount(within))) << kernel.name;
      ASSERT_EQ(kernel.finite(length, &most), finite) << kernel.name;
      ASSERT_EQ(most, largest) << kernel.name;
      const size_t n = random.below(65);
      std::copy_n(length, 64, own);
      kernel.lower(own, from, add, n);
      for (uint32_t i = 0; i < 64; ++i)
        ASSERT_EQ(own[i], i < n ? lower[i] : length[i]) << kernel.name << " " << i;
    }
  }
}

}  // namespace
}  // namespace octile::test
