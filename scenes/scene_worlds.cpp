// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "scenes/scene_parts.hpp"

namespace octile::scenes {
namespace {

std::string two_digits(int number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

// A scene whose map comes from a generator, with the usual queries.
template <class MakeGrid>
Entry generated(SceneInfo info, Profile profile, MakeGrid make_grid) {
  const int width = info.width;
  const int height = info.height;
  return {std::move(info), [width, height, profile, make_grid](Scene& scene) {
            scene.grid = make_grid(width, height);
            scene.profile = profile;
            add_corner_queries(scene);
          }};
}

Profile with_diagonal(Diagonal diagonal) {
  Profile profile;
  profile.diagonal = diagonal;
  return profile;
}

}  // namespace

void add_tutorial(std::vector<Entry>& entries) {
  Profile profile;  // eight ways, both side cells free, 10 and 14
  profile.metric = Metric::ten_fourteen;
  for (const int side : {20, 40, 70, 100, 120}) {
    for (int number = 0; number < 20; ++number) {
      const uint64_t seed = static_cast<uint64_t>(side) * 1000 + static_cast<uint64_t>(number);
      entries.push_back(generated(
          {"tutorial_" + std::to_string(side) + "_" + two_digits(number), "tutorial",
           "30 % random obstacles, as in tutorial E", side, side},
          profile, [seed](int width, int height) { return random(width, height, seed, 300); }));
    }
  }
}

void add_shapes(std::vector<Entry>& entries) {
  struct Shape {
    const char* name;
    const char* about;
    Profile profile;
    Grid (*make)(int width, int height);
  };
  const Profile plain;
  Profile four;
  four.moves = Moves::four;
  Profile chebyshev = with_diagonal(Diagonal::always);
  chebyshev.metric = Metric::chebyshev;
  const Shape shapes[] = {
      {"spiral", "one way that winds inwards, one cell wide", plain,
       [](int w, int h) { return spiral(w, h, 1); }},
      {"wide_spiral", "one way that winds inwards, three cells wide", plain,
       [](int w, int h) { return spiral(w, h, 3); }},
      {"serpentine", "one way from side to side, two cells wide", plain,
       [](int w, int h) { return serpentine(w, h, 2); }},
      {"comb", "dead ends along one lane", plain, [](int w, int h) { return comb(w, h, 1); }},
      {"one_wide", "corridors one cell wide with loops", plain,
       [](int w, int h) { return one_wide(w, h, 7, 150); }},
      {"one_wide_four", "the same, four ways", four,
       [](int w, int h) { return one_wide(w, h, 7, 150); }},
      {"open", "no walls", plain, [](int w, int h) { return open(w, h); }},
      {"pillars", "a corner at every step", plain, [](int w, int h) { return pillars(w, h); }},
      {"pillars_one", "a corner at every step, one obstacle beside a diagonal allowed",
       with_diagonal(Diagonal::at_most_one_obstacle), [](int w, int h) { return pillars(w, h); }},
      {"checkerboard", "diagonal steps only", with_diagonal(Diagonal::always),
       [](int w, int h) { return checkerboard(w, h); }},
      {"diagonal_comb", "diagonal walls, tight without corner cutting", plain,
       [](int w, int h) { return diagonal_comb(w, h, 2); }},
      {"diagonal_comb_always", "diagonal walls that leak, diagonals cost 1", chebyshev,
       [](int w, int h) { return diagonal_comb(w, h, 2); }},
      {"scatter", "40 % walls", plain, [](int w, int h) { return random(w, h, 11, 400); }},
  };
  // Around the 64-cell word and tile, and never square, so that x and y cannot be confused.
  for (const Shape& shape : shapes) {
    for (const int width : {63, 64, 65, 127, 128}) {
      const int height = width < 100 ? 130 - width : 66;
      entries.push_back(generated({std::string(shape.name) + "_" + std::to_string(width), "shapes",
                                   shape.about, width, height},
                                  shape.profile, shape.make));
    }
  }
  entries.push_back(generated({"row_200", "shapes", "a single row", 200, 1}, plain, open));
  entries.push_back(generated({"column_200", "shapes", "a single column", 1, 200}, plain, open));
}

void add_worlds(std::vector<Entry>& entries) {
  const Profile plain;
  for (const int side : {256, 512}) {
    for (const int percent : {10, 25, 35}) {
      entries.push_back(
          generated({"random_" + std::to_string(side) + "_" + std::to_string(percent), "worlds",
                     std::to_string(percent) + " % walls, scattered", side, side},
                    plain, [percent](int w, int h) {
                      return random(w, h, static_cast<uint64_t>(w + percent), percent * 10);
                    }));
    }
  }
  entries.push_back(
      generated({"hills_256", "worlds", "rolling weights 1 to 9, 5 % walls", 256, 256}, plain,
                [](int w, int h) { return hills(w, h, 3, 50); }));
  entries.push_back(generated({"rooms_512", "worlds", "rooms of 15 cells squared", 512, 512}, plain,
                              [](int w, int h) { return rooms(w, h, 5, 15); }));
  for (const int corridor : {1, 4, 16}) {
    entries.push_back(
        generated({"maze_512_" + std::to_string(corridor), "worlds",
                   "a perfect maze, corridors " + std::to_string(corridor) + " wide", 512, 512},
                  plain, [corridor](int w, int h) { return maze(w, h, 9, corridor); }));
  }
  entries.push_back(generated({"open_1024", "worlds", "no walls", 1024, 1024}, plain, open));
}

}  // namespace octile::scenes
