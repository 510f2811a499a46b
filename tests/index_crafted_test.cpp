// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Index files made to deceive: the checksum is right, the content is not. They are refused, or
// every query over them stays inside its memory and gives as many cells as it says.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "engine/view.hpp"
#include "index_tools.hpp"

namespace octile::test {
namespace {

// Asks all that an index can be asked. What the answers are worth nobody can tell.
void interrogate(const Index& index, const View& view, uint64_t seed) {
  Random random(seed);
  if (index.info().kind == IndexKind::tile_labels) {
    const LabelTables& tables = index.impl()->labels;
    const auto any = [&] {
      return Point{uint32_t(random.below(index.info().width)),
                   uint32_t(random.below(index.info().height))};
    };
    for (int i = 0; i < 25; ++i) {
      const Point s = any(), t = any();
      if (!tables.sight.passable(s) || !tables.sight.passable(t)) continue;
      EXPECT_EQ(kernels_agree(tables, s, t, {-9, 4}), "");
    }
  }
  View asked;
  if (view.with_index(index, &asked)) return;
  answers(asked, seed, 12);
  answers(asked, seed, 4, "subgoal");
  Searcher searcher;
  Cell cells[4];
  double out[16];
  for (Cell& c : cells) {
    c = {view.first_cell().x + random.below(view.width()),
         view.first_cell().y + random.below(view.height())};
    first_move(searcher, asked, cells[0], c);
    distance(searcher, asked, c, cells[0]);
  }
  EXPECT_FALSE(distances(searcher, asked, cells, 4, cells, 4, out));
}

// True when the file was taken.
bool try_out(std::string bytes, const View& view, uint64_t seed) {
  reseal(&bytes);
  Index index;
  const Fault f = read_index(bytes.data(), bytes.size(), &index);
  if (f) {
    EXPECT_EQ(f.status, Status::bad_argument) << f.text;
    EXPECT_TRUE(index.empty());
    return false;
  }
  interrogate(index, view, seed);
  return true;
}

Board crafty_board() {
  return Board(Rows{"...@.....", ".......@.", ".@@......", "....@....", ".@....@..", ".........",
                    "..@..@...", "........@", ".@......."});
}

void put(uint64_t value, size_t n, std::string* to, size_t at) {
  for (size_t i = 0; i < n && at + i < to->size(); ++i)
    (*to)[at + i] = static_cast<char>(value >> (8 * i));
}

TEST(CraftedIndex, every_place_with_odd_values) {
  const World world(crafty_board(), Profile());
  for (const IndexKind kind : kAllKinds) {
    const std::string good = bytes_of(build(world.view, kind));
    int taken = 0;
    for (size_t at = 0; at < good.size(); at += sampled() ? 13 : 1) {
      const auto byte = static_cast<uint8_t>(good[at]);
      for (const uint64_t value : {uint64_t{0}, UINT64_MAX, uint64_t{byte} + 1, uint64_t{byte} - 1,
                                   uint64_t{byte} ^ 0x10, uint64_t{0x99999999}}) {
        for (const size_t n : {1u, 2u, 4u}) {
          std::string bytes = good;
          put(value, n, &bytes, at);
          if (bytes != good) taken += try_out(bytes, world.view, at);
          if (HasFailure())
            FAIL() << name(kind) << ", " << n << " bytes at " << at << ": " << value;
        }
      }
    }
    std::printf("%s: %d crafted files were taken\n", name(kind), taken);
  }
}

TEST(CraftedIndex, parts_that_changed_places) {
  Random random(311);
  const World small(crafty_board(), Profile());
  const World large(random_board(random, 50, 40, 30), Profile());
  for (const World* world : {&small, &large}) {
    for (const IndexKind kind : kAllKinds) {
      const std::string good = bytes_of(build(world->view, kind));
      int taken = 0;
      const int rounds = effort(world == &small ? 4000 : 800);
      for (int i = 0; i < rounds; ++i) {
        std::string bytes = good;
        for (int k = random.between(1, 3); k > 0; --k) {
          const auto n = size_t(1 << random.below(5));
          const auto from = size_t(random.below(int(good.size() - n)));
          const auto to = kIndexHeadBytes + size_t(random.below(int(good.size() - n)));
          for (size_t j = 0; j < n && to + j < bytes.size(); ++j) bytes[to + j] = good[from + j];
        }
        taken += try_out(bytes, world->view, uint64_t(i));
        if (HasFailure()) FAIL() << name(kind) << ", round " << i;
      }
      std::printf("%s: %d crafted files were taken\n", name(kind), taken);
    }
  }
}

// Parts of a file are looked at by threads of their own, which find what one finds.
TEST(CraftedIndex, parts_looked_at_by_many_threads) {
  Random random(313);
  const World world(random_board(random, 128, 128, 12), Profile());
  const std::string good = bytes_of(build(world.view, IndexKind::tile_labels));
  ASSERT_GT(good.size(), size_t{1} << 19);
  int taken = 0, refused = 0;
  for (int i = 0; i < effort(40); ++i) {
    std::string bytes = good;
    const auto at = kIndexHeadBytes + size_t(random.below(int(good.size() - kIndexHeadBytes)));
    if (i > 0) bytes[at] = char(bytes[at] + random.between(1, 255));
    reseal(&bytes);
    if (check_head(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size())) continue;
    std::vector<uint64_t> words(bytes.size() / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    Index::Impl impl;
    impl.data = reinterpret_cast<const uint8_t*>(words.data());
    impl.size = bytes.size();
    impl.attach();
    const char* wrong = check_body(impl, FileReader(), 1);
    ++(wrong ? refused : taken);
    for (const unsigned threads : {2u, 5u})
      ASSERT_EQ(!check_body(impl, FileReader(), threads), !wrong) << at << ", " << threads;
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(refused, 0);
}

TEST(CraftedIndex, odd_heads) {
  Random random(312);
  const World world(crafty_board(), Profile());
  for (const IndexKind kind : kAllKinds) {
    const std::string good = bytes_of(build(world.view, kind));
    for (int i = 0; i < effort(20000); ++i) {
      std::string bytes = good;
      IndexHeader h = header_of(bytes);
      for (int k = random.between(1, 2); k > 0; --k) {
        uint32_t* const fields[] = {&h.kind,      &h.width,    &h.height, &h.straight,
                                    &h.diagonal,  &h.subgoals, &h.hubs,   &h.block_words,
                                    &h.most_vias, &h.blocks};
        uint32_t* field =
            random.percent(50) ? fields[random.below(10)] : &h.offset[random.below(int(kSections))];
        const uint32_t values[] = {0,
                                   *field + 1,
                                   *field - 1,
                                   UINT32_MAX,
                                   uint32_t(random.below(70)),
                                   uint32_t(random.next())};
        *field = values[random.below(6)];
        if (random.percent(10)) h.entries = random.next() >> random.below(64);
      }
      set_header(h, &bytes);
      try_out(bytes, world.view, uint64_t(i));
      if (HasFailure()) FAIL() << name(kind) << ", round " << i;
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Files made by hand

// Tile labels of an open map of 8 x 8 whose diagonals are all said to be blocked.
struct HandMade {
  std::vector<Point> vias;
  struct Entry {
    uint32_t lane, distance, via, link;
  };
  std::vector<Entry> entries;  // of one round
  std::string trees;
  uint32_t tree_base[kLanes] = {};
  bool vias_last = false;   // at the very end of the tile
  bool two_rounds = false;  // the second entry comes in a second one

  static void add(std::string* to, uint64_t value, size_t n) {
    const size_t at = to->size();
    to->resize(at + n);
    put(value, n, to, at);
  }
  std::string tile() const {
    std::string t(sizeof(TileHead), '\0');
    add(&t, 1, 8);  // its only block
    add(&t, 0, 1);
    const size_t table = t.size();
    add(&t, 0, 2);
    TileHead head{};
    const auto put_vias = [&] {
      head.via_at = static_cast<uint32_t>(t.size());
      for (const Point p : vias) add(&t, p.x | p.y << 8, 2);
    };
    head.sight_at = static_cast<uint32_t>(t.size());
    if (!vias_last) put_vias();
    put(t.size(), 2, &t, table);
    add(&t, two_rounds ? 2 : 1, 1);
    add(&t, entries.size(), 1);
    uint32_t lanes = 0;
    for (const Entry& e : entries) lanes |= 1u << e.lane;
    for (int i = two_rounds ? 2 : 1; i > 0; --i) add(&t, lanes, 2);
    for (const Entry& e : entries) add(&t, e.distance, 3);
    for (const Entry& e : entries) add(&t, e.via, 1);
    for (const Entry& e : entries) add(&t, e.link, 2);
    for (int i = 0; i < 8; ++i) add(&t, UINT64_MAX, 8);  // what stands behind the last block
    if (vias_last) {
      while ((t.size() + 16 + 2 * vias.size()) % kFileAlignment) add(&t, 0xff, 1);
      put_vias();
    }
    head.vias = head.near = static_cast<uint16_t>(vias.size());
    head.distance_bytes = 3;
    head.link_bytes = 2;
    std::memcpy(t.data(), &head, sizeof head);
    return t;
  }
  std::string file(uint64_t fingerprint = 0) const {
    IndexHeader h{};
    std::memcpy(h.magic, kIndexMagic, sizeof kIndexMagic);
    h.version = kIndexVersion;
    h.kind = static_cast<uint32_t>(IndexKind::tile_labels);
    h.fingerprint = fingerprint;
    h.width = h.height = 8;
    h.straight = 5741;
    h.diagonal = 8119;
    h.blocks = h.block_words = 1;
    h.most_vias = static_cast<uint32_t>(vias.size());
    h.entries = entries.size();
    std::string bytes(kIndexHeadBytes, '\0');
    const auto section = [&](Section s, const std::string& content) {
      bytes.resize((bytes.size() + 63) / 64 * 64);
      h.offset[static_cast<uint32_t>(s)] = static_cast<uint32_t>(bytes.size() / 64);
      bytes += content;
    };
    std::string free;
    for (int y = 0; y < 8; ++y) add(&free, 0xff, 8);
    section(Section::rows, free);
    section(Section::columns, free);
    section(Section::south_east, std::string(64, '\0'));
    section(Section::north_east, std::string(64, '\0'));
    // The tile, and the end of all.
    std::string tiles(16, '\0'), directory;
    tiles += tile();
    add(&directory, 1, 4);
    add(&directory, (tiles.size() + 15) / 16, 4);
    section(Section::directory, directory);
    section(Section::tiles, tiles);
    std::string base;
    for (const uint32_t b : tree_base) add(&base, b, 4);
    section(Section::tree_base, base);
    section(Section::trees, trees);
    bytes.resize((bytes.size() + 63) / 64 * 64 + kReadBeyond);
    h.bytes = bytes.size();
    set_header(h, &bytes);
    reseal(&bytes);
    return bytes;
  }
};

std::string all_pairs_agree(const LabelTables& tables) {
  std::string wrong;
  for (uint32_t i = 0; i < 64 * 64 && wrong.empty(); ++i)
    wrong = kernels_agree(tables, {i & 7, i >> 3 & 7}, {i >> 6 & 7, i >> 9}, {5, -5});
  return wrong;
}

TEST(CraftedIndex, a_way_stays_in_the_tree_of_its_hub) {
  HandMade hand;
  hand.vias = {{2, 2}};
  // The first tree is its hub alone. The second one has ways of one and of two steps to the east.
  hand.trees = std::string("\x08\xff\xff\xff\xff", 5);
  hand.trees += std::string("\x08\xff\xff\xff\xff", 5);
  hand.trees += std::string("\x80\x00\x00\x00\x00", 5);
  hand.trees += std::string("\x80\x0a\x00\x00\x00", 5);
  hand.tree_base[1] = 5;
  hand.entries = {{1, 2 * 5741, 0, 20}};
  EXPECT_EQ(all_pairs_agree(read(hand.file()).impl()->labels), "");
  // The same way, but as one of the first tree, where the nibbles that it goes on at are others.
  hand.entries = {{0, 2 * 5741, 0, 30}};
  const std::string bytes = hand.file();
  Index index;
  EXPECT_TRUE(read_index(bytes.data(), bytes.size(), &index));
}

// No cell of a tree lies outside the map, wherever its hub would have to stand.
TEST(CraftedIndex, a_way_stays_on_the_map) {
  HandMade hand;
  // The hub, ways of one and of two steps to the east.
  hand.trees = std::string("\x08\xff\xff\xff\xff", 5);
  hand.trees += std::string("\x80\x00\x00\x00\x00", 5);
  hand.trees += std::string("\x80\x0a\x00\x00\x00", 5);
  for (const uint32_t steps : {0u, 1u, 2u}) {
    for (uint32_t x = 0; x < 8; ++x) {
      hand.vias = {{x, 2}};
      hand.entries = {{0, steps * 5741, 0, 10 * steps}};
      const std::string bytes = hand.file();
      Index index;
      const Fault f = read_index(bytes.data(), bytes.size(), &index);
      const uint32_t hub = x + steps;
      EXPECT_EQ(!f, hub >= 2 && hub < 8) << x << ", " << steps << ": " << f.text;
      // A length that is not that of the way.
      for (const uint32_t wrong : {steps * 5741 + 1, steps * 5741 + 8119, 3u * 5741}) {
        hand.entries[0].distance = wrong;
        const std::string other = hand.file();
        EXPECT_TRUE(read_index(other.data(), other.size(), &index)) << x << ", " << wrong;
      }
    }
  }
  // No way begins within what is one token, nor behind the trees. The second path is over at nibble
  // 11 and goes on as the first.
  hand.vias = {{4, 2}};
  for (uint32_t link = 0; link < 140; ++link) {
    hand.entries = {{0, 0, 0, link}};
    Index index;
    const std::string bytes = hand.file();
    EXPECT_EQ(!read_index(bytes.data(), bytes.size(), &index), link == 0 || link == 11) << link;
  }
}

TEST(CraftedIndex, all_ways_to_a_hub_meet_at_one_cell) {
  HandMade hand;
  hand.two_rounds = true;
  hand.trees = std::string("\x08\xff\xff\xff\xff", 5);
  hand.trees += std::string("\x80\x00\x00\x00\x00", 5);
  for (uint32_t x = 0; x < 8; ++x) {
    for (uint32_t y = 0; y < 8; ++y) {
      hand.vias = {{3, 3}, {x, y}};
      hand.entries = {{0, 5741, 0, 10}, {0, 0, 1, 0}};
      const std::string bytes = hand.file();
      Index index;
      const Fault f = read_index(bytes.data(), bytes.size(), &index);
      EXPECT_EQ(!f, x == 4 && y == 3) << x << ", " << y;
    }
  }
}

// A page that nobody may read follows the index.
TEST(CraftedIndex, no_kernel_reads_beyond_the_end) {
  HandMade hand;
  hand.trees = std::string("\x08\xff\xff\xff\xff", 5);
  hand.entries = {{0, 0, 0, 0}};
  for (const uint32_t vias : {1u, 16u, 17u, 64u, 65u, 255u}) {
    hand.vias.assign(vias, {3, 3});
    for (const bool last : {false, true}) {
      hand.vias_last = last;
      const std::string bytes = hand.file();
      EXPECT_EQ(all_pairs_agree(read(bytes).impl()->labels), "");
      const size_t pages = (bytes.size() + 4095) / 4096 * 4096;
      void* memory =
          mmap(nullptr, pages + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      ASSERT_NE(memory, MAP_FAILED);
      auto* at = static_cast<uint8_t*>(memory) + pages - bytes.size();
      std::memcpy(at, bytes.data(), bytes.size());
      ASSERT_EQ(mprotect(static_cast<uint8_t*>(memory) + pages, 4096, PROT_NONE), 0);
      {
        Index::Impl impl;
        impl.data = at;
        impl.size = bytes.size();
        impl.attach();
        EXPECT_EQ(all_pairs_agree(impl.labels), "") << vias;
      }
      munmap(memory, pages + 4096);
    }
  }
}

// The fingerprint of another map does not make it that map's index. Portals keep no cells to
// compare; what they say may cost length, see Portals.files_that_lie_do_no_harm.
TEST(CraftedIndex, a_forged_fingerprint_deceives_nobody) {
  Board walls = crafty_board(), open(9, 9);
  const World narrow(walls, Profile()), wide(open, Profile());
  for (const IndexKind kind : kExactKinds) {
    for (const World* of : {&narrow, &wide}) {
      const World* to = of == &narrow ? &wide : &narrow;
      std::string bytes = bytes_of(build(of->view, kind));
      IndexHeader h = header_of(bytes);
      h.fingerprint = fingerprint(to->view.impl()->world);
      set_header(h, &bytes);
      reseal(&bytes);
      Index index;
      if (read_index(bytes.data(), bytes.size(), &index)) continue;
      EXPECT_FALSE(index.belongs_to(to->view));
      EXPECT_FALSE(index.belongs_to(of->view));
      View out;
      EXPECT_EQ(to->view.with_index(index, &out).status, Status::stale_index);
    }
  }
  // The sums of another metric.
  Profile tens;
  tens.metric = Metric::ten_fourteen;
  const World other(walls, tens);
  std::string bytes = bytes_of(build(narrow.view));
  IndexHeader h = header_of(bytes);
  h.fingerprint = fingerprint(other.view.impl()->world);
  set_header(h, &bytes);
  reseal(&bytes);
  EXPECT_FALSE(read(bytes).belongs_to(other.view));
}

}  // namespace
}  // namespace octile::test
