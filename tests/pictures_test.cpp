// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Drawings have the right colours at known places, and animations show the search they were given.

#include "pictures/pictures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gif_player.hpp"

namespace octile::pictures {

// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, Color c) {
  return out << int{c.r} << "," << int{c.g} << "," << int{c.b};
}

namespace {

constexpr Color kWhite{255, 255, 255};

bool is_dark(Color c) {
  return c.r < 90 && c.g < 90 && c.b < 110;
}

// ---------------------------------------------------------------------------------------------
// Drawings

struct World {
  Engine engine;
  ProfileId profile = 0;
  View view;
  Searcher searcher;
  Path path;
  Trace trace;

  World(int width, int height, const std::string& cells, Cell first = {}) {
    MapDef definition;
    definition.width = width;
    definition.height = height;
    definition.first_cell = first;
    EXPECT_FALSE(engine.reset(definition));
    EXPECT_FALSE(engine.map().stamp({first.x, first.y, width, height},
                                    reinterpret_cast<const uint8_t*>(cells.data()),
                                    static_cast<size_t>(width)));
    EXPECT_FALSE(engine.add_profile(Profile(), &profile));
    EXPECT_FALSE(engine.commit());
    view = engine.view(profile);
  }
  void build_wall(Rect wall) {
    EXPECT_FALSE(engine.map().fill(wall, '@'));
    EXPECT_FALSE(engine.commit());
    view = engine.view(profile);
  }
  void ask(Cell start, Cell goal, const char* solver) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.solver = solver_id(solver);
    query.trace = &trace;
    trace.clear();
    find(searcher, view, query, path);
  }
};

const std::string kCells =
    "......"
    "..@..."
    "..@..."
    "......";

// The pixel in the middle of a cell, 24 pixels each.
Color middle(const Image& image, int x, int y) {
  return image.at(x * 24 + 12, y * 24 + 12);
}
// A pixel of the cell that no line through its middle reaches.
Color corner(const Image& image, int x, int y) {
  return image.at(x * 24 + 4, y * 24 + 20);
}

TEST(Draw, cells_have_their_colours) {
  World world(6, 4, kCells);
  Drawing drawing;
  drawing.view = world.view;
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  EXPECT_EQ(image.width, 6 * 24);
  EXPECT_EQ(image.height, 4 * 24);
  EXPECT_EQ(middle(image, 0, 0), kWhite);
  EXPECT_EQ(middle(image, 5, 3), kWhite);
  EXPECT_TRUE(is_dark(middle(image, 2, 1)));
  EXPECT_TRUE(is_dark(image.at(2 * 24, 24)));  // walls are whole blocks
  EXPECT_TRUE(is_dark(image.at(3 * 24 - 1, 3 * 24 - 1)));
  EXPECT_NE(image.at(24, 12), kWhite);  // a grid line
  EXPECT_EQ(image.at(25, 12), kWhite);
}

TEST(Draw, size_of_cells_follows_the_map) {
  const auto size = [](int width, int height, DrawOptions options) {
    World world(width, height, std::string(static_cast<size_t>(width * height), '.'));
    Drawing drawing;
    drawing.view = world.view;
    Image image;
    EXPECT_EQ(draw(drawing, options, image), "");
    return std::pair(image.width, image.height);
  };
  EXPECT_EQ(size(100, 50, {}), std::pair(1000, 500));
  EXPECT_EQ(size(2, 3, {}), std::pair(48, 72));
  EXPECT_EQ(size(1500, 2, {}), std::pair(1500, 2));  // never less than a pixel
  DrawOptions options;
  options.cell = 3;
  EXPECT_EQ(size(10, 20, options), std::pair(30, 60));
}

TEST(Draw, path_ends_and_search) {
  World world(6, 4, kCells);
  world.ask({0, 1}, {5, 1}, "astar");
  ASSERT_EQ(world.path.status, Status::found);
  Drawing drawing;
  drawing.view = world.view;
  drawing.trace = &world.trace;
  drawing.routes.emplace_back(world.path);
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  // Every inner cell of the path has the line in its middle.
  for (size_t i = 1; i + 1 < world.path.size(); ++i) {
    const Cell cell = world.path.cells()[i];
    EXPECT_EQ(middle(image, cell.x, cell.y), kOrange.path) << cell.x << " " << cell.y;
  }
  // The ends are neither line nor floor: green and red.
  const Color start = middle(image, 0, 1);
  EXPECT_GT(start.g, start.r + 50);
  const Color goal = middle(image, 5, 1);
  EXPECT_GT(goal.r, goal.g + 50);
  EXPECT_TRUE(is_dark(middle(image, 2, 1)));
  // Each cell shows the last thing that happened to it.
  std::vector<Color> last(24, kWhite);
  for (size_t i = 0; i < world.trace.size(); ++i) {
    const Trace::Event& event = world.trace.events()[i];
    last[static_cast<size_t>(event.cell.y * 6 + event.cell.x)] =
        event.kind == Trace::Kind::closed ? kOrange.closed : kOrange.opened;
  }
  int closed = 0;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 6; ++x) {
      const Cell cell{x, y};
      const auto* end = world.path.cells() + world.path.size();
      if (std::find(world.path.cells(), end, cell) != end || !world.view.passable(cell)) continue;
      EXPECT_EQ(middle(image, x, y), last[static_cast<size_t>(y * 6 + x)]) << x << " " << y;
    }
  }
  for (const Color color : last) closed += color == kOrange.closed;
  EXPECT_GE(closed, 5);
}

TEST(Draw, only_the_path) {
  World world(6, 4, kCells);
  world.ask({0, 1}, {5, 1}, "astar");
  Drawing drawing;
  drawing.view = world.view;
  drawing.trace = &world.trace;
  drawing.routes.emplace_back(world.path);
  drawing.only_path = true;
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  const Color wall = middle(image, 2, 2);
  EXPECT_FALSE(is_dark(wall));
  EXPECT_EQ(wall, middle(image, 5, 3));  // walls and floor alike
  EXPECT_EQ(middle(image, world.path.cells()[1].x, world.path.cells()[1].y), kOrange.path);
}

TEST(Draw, costs_from_dark_to_light) {
  World world(30, 1, std::string(30, '.'));
  for (int x = 0; x < 30; ++x) world.trace.add({{x, 0}, x * 1.5, Trace::Kind::closed});
  Drawing drawing;
  drawing.view = world.view;
  drawing.trace = &world.trace;
  drawing.shown = Shown::costs;
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  const auto light = [](Color c) { return 299 * c.r + 587 * c.g + 114 * c.b; };
  for (int x = 1; x < 30; ++x)
    EXPECT_GT(light(corner(image, x, 0)), light(corner(image, x - 1, 0)));
}

TEST(Draw, weights_get_darker) {
  World world(9, 1, "123456789");
  Drawing drawing;
  drawing.view = world.view;
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  for (int x = 1; x < 9; ++x) {
    const Color a = middle(image, x - 1, 0);
    const Color b = middle(image, x, 0);
    EXPECT_LT(b.r + b.g + b.b, a.r + a.g + a.b) << x;
  }
}

TEST(Draw, two_routes_on_one_another_both_show) {
  World world(6, 4, kCells);
  world.ask({0, 3}, {5, 3}, "astar");
  Drawing drawing;
  drawing.view = world.view;
  drawing.routes.emplace_back(world.path, kBlue.path, "one");
  drawing.routes.emplace_back(world.path, kOrange.path, "other");
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  bool blue = false;
  bool orange = false;
  for (int y = 3 * 24; y < 4 * 24; ++y) {
    blue = blue || image.at(60, y) == kBlue.path;
    orange = orange || image.at(60, y) == kOrange.path;
  }
  EXPECT_TRUE(blue);
  EXPECT_TRUE(orange);
}

TEST(Draw, coordinates_start_at_the_first_cell) {
  World world(6, 4, kCells, {-10, 100});
  Drawing drawing;
  drawing.view = world.view;
  Route route;
  route.cells = {{-10, 100}, {-5, 100}};
  drawing.routes = {route};
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  EXPECT_TRUE(is_dark(middle(image, 2, 1)));
  EXPECT_EQ(middle(image, 3, 0), kOrange.path);
}

// Cells far outside, ends outside, events outside: drawn where they would be, or not at all.
TEST(Draw, what_lies_outside_is_harmless) {
  World world(6, 4, kCells);
  Drawing drawing;
  drawing.view = world.view;
  Route route;
  route.cells = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}, {-1, 2}, {9, 2}};
  drawing.routes = {route};
  drawing.start = Cell{-5, -5};
  drawing.goal = Cell{INT32_MAX, 0};
  world.trace.add({{77, 77}, 3, Trace::Kind::closed});
  drawing.trace = &world.trace;
  Image image;
  ASSERT_EQ(draw(drawing, DrawOptions(), image), "");
  EXPECT_EQ(middle(image, 4, 2), kOrange.path);
  std::string svg;
  EXPECT_EQ(draw_svg(drawing, DrawOptions(), svg), "");
}

TEST(Draw, no_map_and_too_large_maps_get_a_line) {
  Image image(1, 1, kWhite);
  EXPECT_EQ(draw(Drawing(), DrawOptions(), image), "there is no map to draw");
  EXPECT_EQ(draw_row({}, DrawOptions(), image), "there is no map to draw");
  World world(2000, 3, std::string(6000, '.'));
  Drawing drawing;
  drawing.view = world.view;
  DrawOptions options;
  options.cell = 100;
  EXPECT_EQ(draw(drawing, options, image),
            "the map is too large to draw: 2000 x 3 cells of 100 pixels");
  EXPECT_EQ(image.width, 1);
}

// A pixel a cell, a drawing without a search is a map again.
TEST(Draw, drawn_maps_can_be_read_back) {
  const std::string cells = "..@TW123@789";
  World world(4, 3, cells);
  Drawing drawing;
  drawing.view = world.view;
  DrawOptions options;
  options.cell = 1;
  Image image;
  ASSERT_EQ(draw(drawing, options, image), "");
  std::vector<uint8_t> png;
  ASSERT_EQ(encode_png(image, png), "");
  PictureMap map;
  ASSERT_EQ(map_from_png(png.data(), png.size(), map), "");
  EXPECT_EQ(std::string(map.terrain.begin(), map.terrain.end()), "..@@@...@...");
  ASSERT_EQ(png_from_map(world.view, png), "");
  ASSERT_EQ(map_from_png(png.data(), png.size(), map), "");
  EXPECT_EQ(std::string(map.terrain.begin(), map.terrain.end()), "..@@@...@...");
  EXPECT_EQ(png_from_map(View(), png), "there is no map");
}

TEST(Draw, strip_and_row) {
  World world(40, 20, std::string(800, '.'));
  world.ask({0, 0}, {39, 19}, "astar");
  Drawing plain;
  plain.view = world.view;
  Drawing titled = plain;
  titled.title = "astar, \xc3\xa9 and a long line that has to be broken to fit above the map " +
                 std::string(200, 'x');
  titled.legend = true;
  titled.trace = &world.trace;
  titled.routes.emplace_back(world.path);
  Image a, b, row;
  ASSERT_EQ(draw(plain, DrawOptions(), a), "");
  ASSERT_EQ(draw(titled, DrawOptions(), b), "");
  EXPECT_GT(b.height, a.height + 20);
  ASSERT_EQ(draw_row({titled, titled}, DrawOptions(), row), "");
  EXPECT_GT(row.width, 2 * a.width);
  EXPECT_EQ(row.height, b.height);
  bool ink = false;  // there is text
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < b.width; ++x) ink = ink || is_dark(b.at(x, y));
  }
  EXPECT_TRUE(ink);
}

TEST(Svg, shows_map_path_and_title) {
  World world(6, 4, kCells);
  Drawing drawing;
  drawing.view = world.view;
  Route route;
  route.cells = {{0, 3}, {1, 3}, {2, 3}, {3, 2}, {4, 1}};
  drawing.routes = {route};
  std::string svg;
  ASSERT_EQ(draw_svg(drawing, DrawOptions(), svg), "");
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"144\" height=\"96\"", 0),
            0u);
  EXPECT_NE(svg.find("points=\"12,84 60,84 108,36\""), std::string::npos);  // turning points only
  EXPECT_NE(svg.find("M2 1h1v1h-1zM2 2h1v1h-1z"), std::string::npos);       // the wall
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  drawing.title = "a < b & \"c\"\n";
  ASSERT_EQ(draw_svg(drawing, DrawOptions(), svg), "");
  EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_EQ(draw_svg(Drawing(), DrawOptions(), svg), "there is no map to draw");
}

// The same mosaic by pixels and as text: each cell its colour, an arrow where one is told.
TEST(Mosaic, png_and_svg_show_the_same_cells) {
  constexpr Color kRed{200, 0, 0}, kGrey{90, 90, 90};
  Mosaic mosaic;
  mosaic.cells = Image(3, 2, kGrey);
  mosaic.cells.set(1, 0, kRed);
  mosaic.cells.set(2, 0, kRed);
  mosaic.arrows = {255, 0, 8, 255, 7, 255};  // as Field::direction(): 8 at a goal, 255 unreached
  DrawOptions options;
  options.cell = 10;
  Image image;
  ASSERT_EQ(draw(mosaic, options, image), "");
  EXPECT_EQ(image.width, 30);
  EXPECT_EQ(image.height, 20);
  EXPECT_EQ(image.at(0, 0), kGrey);
  EXPECT_EQ(image.at(9, 9), kGrey);
  EXPECT_EQ(image.at(10, 0), kRed);
  EXPECT_EQ(image.at(29, 9), kRed);
  EXPECT_EQ(image.at(18, 5), kWhite);  // to the east
  EXPECT_EQ(image.at(12, 5), kRed);
  EXPECT_EQ(image.at(25, 5), kRed);     // a goal has no arrow
  EXPECT_EQ(image.at(18, 12), kWhite);  // to the north-east
  std::string svg;
  ASSERT_EQ(draw_svg(mosaic, options, svg), "");
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"", 0),
            0u);
  EXPECT_NE(svg.find("fill=\"#c80000\" d=\"M1 0h2v1h-2z\""), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#ffffff\" d=\"M15 6.4L19.4 5L15 3.6z"), std::string::npos);
  EXPECT_EQ(std::count(svg.begin(), svg.end(), 'L'), 4);  // two wedges
  options.cell = 7;                                       // too small for arrows
  ASSERT_EQ(draw_svg(mosaic, options, svg), "");
  EXPECT_EQ(svg.find("#ffffff"), std::string::npos);
  ASSERT_EQ(draw(mosaic, options, image), "");
  EXPECT_EQ(image.at(12, 3), kRed);
  mosaic.arrows.pop_back();
  EXPECT_EQ(draw_svg(mosaic, options, svg), "there are other numbers of arrows and of cells");
  EXPECT_EQ(draw(Mosaic(), options, image), "there is no map to draw");
}

// ---------------------------------------------------------------------------------------------
// Animations

TEST(Animate, a_search_from_the_empty_map_to_the_path) {
  World world(30, 20, std::string(600, '.'));
  world.build_wall({15, 1, 1, 18});
  world.ask({2, 10}, {27, 10}, "astar");
  ASSERT_EQ(world.path.status, Status::found);
  Drawing drawing;
  drawing.view = world.view;
  drawing.trace = &world.trace;
  drawing.routes.emplace_back(world.path);
  AnimationOptions options;
  options.frames = 60;
  std::vector<uint8_t> gif;
  ASSERT_EQ(animate({drawing}, options, gif), "");
  const std::vector<Frame> frames = play(gif);
  // One for the empty map, about sixty for the search, twelve for the path.
  EXPECT_GE(frames.size(), 1u + 30 + 12);
  EXPECT_LE(frames.size(), 1u + 60 + 12);
  EXPECT_EQ(frames.front().hundredths, 5);
  EXPECT_EQ(frames.back().hundredths, 300);

  // The last frame is the picture; the first one shows no search; cells only ever fill up.
  Image last;
  ASSERT_EQ(draw(drawing, options.draw, last), "");
  EXPECT_EQ(frames.back().image.rgb, last.rgb);
  const auto count = [](const Image& image, Color color) {
    int n = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) n += image.at(x, y) == color;
    }
    return n;
  };
  EXPECT_EQ(count(frames.front().image, kOrange.closed), 0);
  EXPECT_EQ(count(frames.front().image, kOrange.path), 0);
  const size_t search_ends = frames.size() - 12 - 1;
  for (size_t i = 1; i <= search_ends; ++i) {
    EXPECT_GE(count(frames[i].image, kOrange.closed), count(frames[i - 1].image, kOrange.closed));
    EXPECT_EQ(count(frames[i].image, kOrange.path), 0);
  }
  for (size_t i = search_ends + 1; i < frames.size(); ++i) {
    EXPECT_GE(count(frames[i].image, kOrange.path), count(frames[i - 1].image, kOrange.path));
  }
  EXPECT_GT(count(frames.back().image, kOrange.path), 100);
  EXPECT_LT(gif.size(), 200000u);
}

TEST(Animate, two_searches_at_one_pace) {
  World few(30, 20, std::string(600, '.'));
  World many(30, 20, std::string(600, '.'));
  for (World* world : {&few, &many}) world->build_wall({15, 1, 1, 18});
  few.ask({2, 10}, {9, 12}, "astar");
  many.ask({2, 10}, {27, 10}, "astar");
  Drawing left, right;
  left.view = few.view;
  left.trace = &few.trace;
  left.title = "few";
  left.routes.emplace_back(few.path);
  right.view = many.view;
  right.trace = &many.trace;
  right.title = "many";
  right.theme = kBlue;
  right.routes.emplace_back(many.path, kBlue.path);
  AnimationOptions options;
  std::vector<uint8_t> gif;
  ASSERT_EQ(animate({left, right}, options, gif), "");
  const std::vector<Frame> frames = play(gif);
  const auto first_with = [&frames](Color color) {
    for (size_t i = 0; i < frames.size(); ++i) {
      const Image& image = frames[i].image;
      for (size_t p = 0; p + 2 < image.rgb.size(); p += 3) {
        if (Color{image.rgb[p], image.rgb[p + 1], image.rgb[p + 2]} == color) return i;
      }
    }
    return frames.size();
  };
  EXPECT_LT(first_with(kOrange.path) + 5, first_with(kBlue.path));
  EXPECT_LT(first_with(kBlue.path), frames.size());

  right.trace = nullptr;
  EXPECT_EQ(animate({left, right}, options, gif), "an animation needs the trace of a search");
  EXPECT_EQ(animate({}, options, gif), "there is no map to draw");
}

}  // namespace
}  // namespace octile::pictures
