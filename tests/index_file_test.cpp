// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Index files: what is saved comes back byte for byte, and a file that is not whole and right is
// refused with one clear line.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "index_tools.hpp"

namespace octile::test {
namespace {

constexpr IndexLoad kWays[] = {IndexLoad::mapped, IndexLoad::copied, IndexLoad::trusted};

Board small_board() {
  Board board(Rows{"..@......", "....@@...", ".@.......", "....@..@.", "........."});
  board.def.first_cell = {-4, 7};
  return board;
}

void expect_refused(const std::string& bytes, const std::string& what) {
  Index index;
  const Fault f = read_index(bytes.data(), bytes.size(), &index);
  ASSERT_TRUE(f) << what;
  EXPECT_EQ(f.status, Status::bad_argument) << what;
  EXPECT_GT(std::strlen(f.text), 10u) << what;
  EXPECT_TRUE(index.empty()) << what;
}

// ---------------------------------------------------------------------------------------------
// There and back

TEST(IndexFile, comes_back_byte_for_byte) {
  Random random(301);
  const Folder folder;
  const Board boards[] = {small_board(), Board(1, 1), Board(3, 2, '@'),
                          random_board(random, 70, 130, 25)};
  for (const Board& board : boards) {
    const World world(board, Profile());
    for (const IndexKind kind : kAllKinds) {
      const Index index = build(world.view, kind);
      ASSERT_EQ(index.info().kind, kind) << index.info().reason;
      const std::string bytes = bytes_of(index), path = folder.file("index");
      const uint64_t right = answers(with(world.view, index), 1, 60);
      ASSERT_FALSE(save_index(index, path.c_str()));
      EXPECT_EQ(folder.entries(), 1u) << "a temporary file is left";
      EXPECT_EQ(slurp(path), bytes);
      for (const IndexLoad way : kWays) {
        Index loaded;
        const Fault f = load_index(path.c_str(), way, &loaded);
        ASSERT_FALSE(f) << f.text;
        EXPECT_EQ(bytes_of(loaded), bytes);
        EXPECT_TRUE(loaded.belongs_to(world.view));
        EXPECT_EQ(loaded.info().kind, kind);
        EXPECT_EQ(loaded.info().entries, index.info().entries);
        EXPECT_EQ(loaded.info().hubs, index.info().hubs);
        EXPECT_EQ(loaded.info().fingerprint, index.info().fingerprint);
        EXPECT_STREQ(loaded.info().reason, index.info().reason);
        EXPECT_EQ(answers(with(world.view, loaded), 1, 60), right);
        // Saved again, over the file that it is mapped from.
        ASSERT_FALSE(save_index(loaded, path.c_str()));
        EXPECT_EQ(slurp(path), bytes);
        EXPECT_EQ(answers(with(world.view, loaded), 1, 60), right);
      }
      EXPECT_EQ(bytes_of(read(bytes)), bytes);
    }
  }
}

TEST(IndexFile, any_number_of_threads_gives_the_same_bytes) {
  Random random(302);
  const Board boards[] = {random_board(random, 90, 150, 30), rooms_board(random, 100, 60, 7),
                          Board(200, 9)};
  for (const Board& board : boards) {
    const World world(board, Profile());
    for (const IndexKind kind : kAllKinds) {
      const std::string right = bytes_of(build(world.view, kind));
      for (const unsigned threads : {2u, 3u, 7u, 64u})
        EXPECT_EQ(bytes_of(build(world.view, kind, threads)), right) << threads;
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Damage

TEST(IndexFile, cut_anywhere_is_refused) {
  Random random(303);
  const Folder folder;
  const World small(small_board(), Profile());
  const World large(random_board(random, 60, 60, 30), Profile());
  for (const IndexKind kind : kAllKinds) {
    for (const World* world : {&small, &large}) {
      const std::string bytes = bytes_of(build(world->view, kind));
      const size_t step = world == &small ? 1 : 1 + bytes.size() / size_t(effort(300));
      for (size_t n = 0; n < bytes.size(); n += step) {
        expect_refused(bytes.substr(0, n), "cut at " + std::to_string(n));
        std::string sealed = bytes.substr(0, n);
        if (n >= kIndexHeadBytes) {
          IndexHeader h = header_of(sealed);
          h.bytes = n;
          set_header(h, &sealed);
        }
        reseal(&sealed);
        Index index;
        read_index(sealed.data(), sealed.size(), &index);
        if (HasFatalFailure()) return;
      }
      for (size_t n = 0; n < bytes.size(); n += 1 + bytes.size() / 40) {
        spill(folder.file("cut"), bytes.substr(0, n));
        for (const IndexLoad way : kWays) {
          Index index;
          EXPECT_EQ(load_index(folder.file("cut").c_str(), way, &index).status,
                    Status::bad_argument);
          EXPECT_TRUE(index.empty());
        }
      }
    }
  }
}

TEST(IndexFile, every_flipped_byte_is_refused) {
  Random random(304);
  const World small(small_board(), Profile());
  const World large(random_board(random, 60, 60, 30), Profile());
  for (const IndexKind kind : kAllKinds) {
    for (const World* world : {&small, &large}) {
      const std::string bytes = bytes_of(build(world->view, kind));
      const size_t step = world == &small ? 1 : 1 + bytes.size() / size_t(effort(400));
      for (size_t n = 0; n < bytes.size(); n += step) {
        for (const int pattern : {1, 0x80, 0xff, 0x5a}) {
          std::string damaged = bytes;
          damaged[n] = static_cast<char>(damaged[n] ^ pattern);
          expect_refused(damaged, "byte " + std::to_string(n) + " ^ " + std::to_string(pattern));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(IndexFile, foreign_and_odd_files_are_refused_with_the_reason) {
  const Folder folder;
  const World world(small_board(), Profile());
  const std::string good = bytes_of(build(world.view));
  const auto changed = [&](auto change) {
    std::string bytes = good;
    IndexHeader h = header_of(bytes);
    change(h);
    set_header(h, &bytes);
    reseal(&bytes);
    return bytes;
  };
  const struct {
    std::string bytes;
    const char* says;
  } kCases[] = {
      {"", "truncated"},
      {"type octile\nheight 2\nwidth 2\nmap\n..\n..\n", "not an index file"},
      {std::string(4096, '\0'), "not an index file"},
      {good.substr(0, 8), "truncated"},
      {changed([](IndexHeader& h) { h.version = 0; }), "older"},
      {changed([](IndexHeader& h) { ++h.version; }), "newer"},
      {good + std::string(64, '\0'), "longer"},
      {good + "x", "longer"},
      {changed([](IndexHeader& h) { h.kind = 0; }), "its kind"},
      {changed([](IndexHeader& h) { h.kind = 6; }), "its kind"},
      {changed([](IndexHeader& h) { h.width = 0; }), "the size of its map"},
      {changed([](IndexHeader& h) { h.height = 65536; }), "the size of its map"},
      {changed([](IndexHeader& h) { h.straight = 1; }), "step lengths"},
      {changed([](IndexHeader& h) { h.offset[3] = 0; }), "sections"},
      {changed([](IndexHeader& h) { h.offset[5] = UINT32_MAX; }), "sections"},
      {changed([](IndexHeader& h) { h.width = 60000; }), "sizes of its parts"},
      {changed([](IndexHeader& h) { h.blocks += 64; }), "sizes of its parts"},
      {changed([](IndexHeader& h) { h.most_vias = 1 << 16; }), "sizes of its parts"},
      {changed([](IndexHeader& h) { std::memset(h.reason, 'x', sizeof h.reason); }), "sense"},
      {changed([](IndexHeader& h) { ++h.entries; }), "its entries"},
  };
  for (const auto& c : kCases) {
    spill(folder.file("f"), c.bytes);
    for (const IndexLoad way : {IndexLoad::mapped, IndexLoad::copied}) {
      Index index;
      const Fault f = load_index(folder.file("f").c_str(), way, &index);
      EXPECT_EQ(f.status, Status::bad_argument);
      EXPECT_NE(std::strstr(f.text, c.says), nullptr) << f.text << ", not " << c.says;
    }
    Index index;
    EXPECT_NE(std::strstr(read_index(c.bytes.data(), c.bytes.size(), &index).text, c.says),
              nullptr);
  }
}

TEST(IndexFile, what_is_no_file_is_refused) {
  const Folder folder;
  for (const IndexLoad way : kWays) {
    Index index;
    for (const std::string& path :
         {folder.path(), folder.file("missing"), std::string(), std::string("/dev/zero")}) {
      const Fault f = load_index(path.c_str(), way, &index);
      EXPECT_EQ(f.status, Status::bad_argument) << path;
      EXPECT_GT(std::strlen(f.text), 10u);
    }
    EXPECT_EQ(load_index(nullptr, way, &index).status, Status::bad_argument);
    EXPECT_EQ(load_index(folder.path().c_str(), way, nullptr).status, Status::bad_argument);
  }
  Index index;
  EXPECT_EQ(load_index("x", IndexLoad(3), &index).status, Status::bad_argument);
  EXPECT_EQ(read_index(nullptr, 5, &index).status, Status::bad_argument);
  EXPECT_EQ(read_index(nullptr, 0, &index).status, Status::bad_argument);
  EXPECT_EQ(read_index("octilei", 7, nullptr).status, Status::bad_argument);
}

TEST(IndexFile, a_pipe_is_refused_at_once) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  Index index;
  EXPECT_TRUE(load_index(folder.file("pipe").c_str(), IndexLoad::mapped, &index));
}

TEST(IndexFile, a_failed_save_leaves_nothing_behind) {
  const Folder folder;
  const World world(small_board(), Profile());
  const Index index = build(world.view);
  EXPECT_EQ(save_index(Index(), folder.file("a").c_str()).status, Status::bad_argument);
  EXPECT_EQ(save_index(index, nullptr).status, Status::bad_argument);
  EXPECT_EQ(save_index(index, "").status, Status::bad_argument);
  EXPECT_EQ(save_index(index, folder.file("no/such/folder").c_str()).status, Status::bad_argument);
  EXPECT_EQ(save_index(index, folder.path().c_str()).status, Status::bad_argument)
      << "over a folder";
  EXPECT_EQ(folder.entries(), 0u);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(folder.path()).parent_path()))
    EXPECT_FALSE(entry.path().string().rfind(folder.path() + ".", 0) == 0) << entry.path();
  ASSERT_EQ(chmod(folder.path().c_str(), 0500), 0);
  if (geteuid() != 0) {
    EXPECT_TRUE(save_index(index, folder.file("a").c_str()));
    EXPECT_EQ(folder.entries(), 0u);
  }
  chmod(folder.path().c_str(), 0700);
  // What is no file stays what it is.
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_STREQ(save_index(index, pipe.c_str()).text,
               "what has that name is no file, and is not replaced");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  // An older file stays when the new one cannot be written: a full disk.
  if (FILE* full = std::fopen("/dev/full", "wb")) {
    std::fclose(full);
    EXPECT_TRUE(save_index(index, "/dev/full/x"));
  }
}

TEST(IndexFile, a_link_and_a_mode_stay) {
  namespace fs = std::filesystem;
  const Folder folder;
  const World world(small_board(), Profile());
  const Index index = build(world.view);
  const std::string bytes = bytes_of(index), path = folder.file("index"),
                    link = folder.file("link");
  // A link to a link, written from where it stands; to nothing yet, then to a file.
  fs::create_directory(folder.file("links"));
  fs::create_symlink("../index", folder.file("links/first"));
  fs::create_symlink("links/first", link);
  for (int turn = 0; turn < 2; ++turn) {
    ASSERT_FALSE(save_index(index, link.c_str()));
    EXPECT_TRUE(fs::is_symlink(link) && fs::is_symlink(folder.file("links/first")));
    EXPECT_FALSE(fs::is_symlink(path));
    EXPECT_EQ(slurp(path), bytes);
    if (turn == 0) {
      ASSERT_EQ(chmod(path.c_str(), 0640), 0);
    }
  }
  struct stat about;
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
  EXPECT_EQ(folder.entries(), 3u);
  // Rights of the old owner do not go to whoever writes.
  ASSERT_EQ(chmod(path.c_str(), 04755), 0);
  ASSERT_FALSE(save_index(index, path.c_str()));
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0755u);
  fs::create_symlink("round", folder.file("round"));
  EXPECT_TRUE(save_index(index, folder.file("round").c_str()));
  // The longest name there is.
  const std::string longest = folder.file(std::string(255, 'n').c_str());
  for (int turn = 0; turn < 2; ++turn) EXPECT_FALSE(save_index(index, longest.c_str()));
  EXPECT_EQ(slurp(longest), bytes);
  EXPECT_EQ(folder.entries(), 5u);
  // A link of /proc to a file without a name.
  const std::string gone = folder.file("gone");
  const int open_file = open(gone.c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_GE(open_file, 0);
  ASSERT_EQ(unlink(gone.c_str()), 0);
  EXPECT_TRUE(save_index(index, ("/proc/self/fd/" + std::to_string(open_file)).c_str()));
  EXPECT_EQ(close(open_file), 0);
  EXPECT_EQ(folder.entries(), 5u);
}

TEST(IndexFile, two_threads_may_save_under_one_name) {
  Random random(306);
  const Folder folder;
  const World world(random_board(random, 200, 200, 20), Profile());
  const Index index = build(world.view, IndexKind::subgoal_graph);
  const std::string bytes = bytes_of(index), path = folder.file("index");
  std::atomic<int> wrong{0};
  const auto save = [&] {
    for (int i = 0; i < effort(60); ++i) {
      wrong += bool(save_index(index, path.c_str()));
      wrong += slurp(path) != bytes;
    }
  };
  std::thread one(save), two(save);
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(folder.entries(), 1u);
}

// ---------------------------------------------------------------------------------------------
// Files that change

TEST(IndexFile, copied_does_not_look_at_the_file_again) {
  const Folder folder;
  const World world(small_board(), Profile());
  for (const IndexKind kind : kAllKinds) {
    const Index index = build(world.view, kind);
    const std::string bytes = bytes_of(index), path = folder.file("index");
    const uint64_t right = answers(with(world.view, index), 2, 60);
    ASSERT_FALSE(save_index(index, path.c_str()));
    Index copied;
    ASSERT_FALSE(load_index(path.c_str(), IndexLoad::copied, &copied));
    spill(path, std::string(bytes.size(), 'x'));
    EXPECT_EQ(bytes_of(copied), bytes);
    spill(path, "");
    EXPECT_EQ(bytes_of(copied), bytes);
    std::filesystem::remove(path);
    EXPECT_EQ(bytes_of(copied), bytes);
    EXPECT_EQ(answers(with(world.view, copied), 2, 60), right);
  }
}

TEST(IndexFile, a_mapped_file_may_be_replaced_and_removed) {
  Random random(305);
  const Folder folder;
  const World world(small_board(), Profile());
  const World other(random_board(random, 40, 40, 20), Profile());
  for (const IndexKind kind : kAllKinds) {
    const Index index = build(world.view, kind);
    const std::string bytes = bytes_of(index), path = folder.file("index");
    const uint64_t right = answers(with(world.view, index), 3, 60);
    for (const IndexLoad way : {IndexLoad::mapped, IndexLoad::trusted}) {
      ASSERT_FALSE(save_index(index, path.c_str()));
      Index mapped;
      ASSERT_FALSE(load_index(path.c_str(), way, &mapped));
      ASSERT_FALSE(save_index(build(other.view, kind), path.c_str()));
      EXPECT_EQ(bytes_of(mapped), bytes);
      EXPECT_EQ(answers(with(world.view, mapped), 3, 60), right);
      std::filesystem::remove(path);
      EXPECT_EQ(bytes_of(mapped), bytes);
    }
  }
}

TEST(IndexFile, trusted_looks_at_the_head_alone) {
  const Folder folder;
  const World world(small_board(), Profile());
  std::string bytes = bytes_of(build(world.view));
  IndexHeader h = header_of(bytes);
  h.checksum ^= 1;
  set_header(h, &bytes);
  spill(folder.file("f"), bytes);
  Index index;
  EXPECT_TRUE(load_index(folder.file("f").c_str(), IndexLoad::mapped, &index));
  EXPECT_FALSE(load_index(folder.file("f").c_str(), IndexLoad::trusted, &index));
  EXPECT_TRUE(index.belongs_to(world.view));
  h.magic[0] ^= 1;
  set_header(h, &bytes);
  spill(folder.file("g"), bytes);
  EXPECT_TRUE(load_index(folder.file("g").c_str(), IndexLoad::trusted, &index));
}

// ---------------------------------------------------------------------------------------------
// Whose it is

TEST(IndexFile, serves_its_own_map_and_profile_alone) {
  World world(small_board(), Profile());
  Board other = small_board();
  other.at({0, 9}) = other.at({0, 9}) == '@' ? '.' : '@';
  const World elsewhere(other, Profile());
  const World shorter(Board(9, 4), Profile()), open(Board(9, 5), Profile());
  for (const IndexKind kind : kAllKinds) {
    const Index index = build(world.view, kind);
    const auto refused = [&](const View& view) {
      View out;
      const Fault f = view.with_index(index, &out);
      EXPECT_FALSE(index.belongs_to(view));
      EXPECT_TRUE(out.empty());
      EXPECT_GT(std::strlen(f.text), 10u);
      return f.status;
    };
    EXPECT_EQ(refused(elsewhere.view), Status::stale_index);
    EXPECT_EQ(refused(shorter.view), Status::stale_index);
    EXPECT_EQ(refused(open.view), Status::stale_index);
    for (const Profile& profile : all_profiles()) {
      const World as(small_board(), profile);
      const bool same = profile.moves == Moves::eight &&
                        profile.diagonal == Diagonal::no_obstacles &&
                        profile.metric == Metric::octile;
      EXPECT_EQ(index.belongs_to(as.view), same);
      if (same) continue;
      EXPECT_EQ(refused(as.view), Status::stale_index) << name_of(profile);
    }
    Board heavy = small_board();
    heavy.at({-4, 7}) = '3';
    EXPECT_EQ(refused(World(heavy, Profile()).view), Status::stale_index) << "not uniform";
    EXPECT_EQ(refused(View()), Status::bad_argument);
    View out;
    EXPECT_EQ(world.view.with_index(Index(), &out).status, Status::bad_argument);
    EXPECT_EQ(world.view.with_index(index, nullptr).status, Status::bad_argument);
    EXPECT_FALSE(Index().belongs_to(world.view));
    // Where the map lies does not matter.
    Board moved = small_board();
    moved.def.first_cell = {1000, -1000};
    EXPECT_TRUE(index.belongs_to(World(moved, Profile()).view));
  }
}

}  // namespace
}  // namespace octile::test
