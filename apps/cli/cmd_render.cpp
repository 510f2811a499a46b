// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// octile render: a picture of a map.

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "command.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "indexes.hpp"
#include "maps.hpp"
#include "pictures/pictures.hpp"

namespace octile::cli {
namespace {

struct RenderOptions {
  std::string map;
  std::string out;
  std::string overlay;
  ProfileOptions profile;
};

// Light enough that walls stand out; the golden ratio keeps neighbours in the list apart.
pictures::Color component_color(size_t rank) {
  const double hue =
      6 * (static_cast<double>(rank) * 0.61803398875 -
           static_cast<double>(static_cast<size_t>(static_cast<double>(rank) * 0.61803398875)));
  const auto channel = [hue](double shift) {
    double h = hue + shift;
    while (h >= 6) h -= 6;
    const double v = std::clamp(h < 3 ? 2 - std::abs(h - 1) : 0.0, 0.0, 1.0);
    return static_cast<uint8_t>(110 + 125 * v);
  };
  return {channel(1), channel(5), channel(3)};
}

constexpr pictures::Color kWallColor{40, 40, 48};

// Each component in a colour of its own, the largest in nearly white.
pictures::Image draw_components(const View& view) {
  const Cell first = view.first_cell();
  std::unordered_map<uint32_t, size_t> sizes;
  std::vector<uint32_t> order;  // by first cell, so that the colours do not depend on the ids
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x) {
      const uint32_t id = view.component({first.x + x, first.y + y});
      if (id != View::kNoComponent && sizes[id]++ == 0) order.push_back(id);
    }
  }
  std::unordered_map<uint32_t, size_t> places;
  for (size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : places[a] < places[b];
  });
  std::unordered_map<uint32_t, pictures::Color> colors;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    colors[order[rank]] = rank == 0 ? pictures::Color{245, 245, 245} : component_color(rank);
  }
  pictures::Image image(view.width(), view.height(), kWallColor);
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x) {
      const uint32_t id = view.component({first.x + x, first.y + y});
      if (id == View::kNoComponent) continue;
      image.set(x, y, colors[id]);
    }
  }
  return image;
}

// How large a square unit fits with its first cell there: darker the less room there is.
pictures::Image draw_clearance(const View& view) {
  const Cell first = view.first_cell();
  const int width = view.width(), height = view.height();
  std::vector<int> room(static_cast<size_t>(width) * static_cast<size_t>(height));
  const auto at = [&](int x, int y) -> int& {
    return room[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  };
  for (int y = height; y-- > 0;) {
    for (int x = width; x-- > 0;) {
      const bool edge = x + 1 == width || y + 1 == height;
      at(x, y) = !view.passable({first.x + x, first.y + y}) ? 0
                 : edge                                     ? 1
                        : 1 + std::min({at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)});
    }
  }
  constexpr pictures::Color kRoom[] = {{196, 60, 54},   {226, 133, 69},  {240, 196, 96},
                                       {214, 222, 138}, {160, 208, 158}, {118, 186, 178},
                                       {96, 158, 196},  {178, 204, 226}};
  pictures::Image image(width, height, kWallColor);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (at(x, y) > 0) image.set(x, y, kRoom[std::min(at(x, y), 8) - 1]);
    }
  }
  return image;
}

// Leaves framed and tinted by their size, portals as dots.
pictures::Image draw_portals(const View& plain, IndexKind kind) {
  IndexOptions options;
  options.most = kind;
  View view;
  if (const Fault fault = plain.with_index(build(plain, options), &view)) refuse("{}", fault.text);
  std::vector<Rect> leaves(index_leaves(view, nullptr, 0));
  index_leaves(view, leaves.data(), leaves.size());
  std::vector<Cell> portals(index_portals(view, nullptr, 0));
  index_portals(view, portals.data(), portals.size());
  const Cell first = view.first_cell();
  pictures::Image image(view.width(), view.height(), kWallColor);
  const auto put = [&](Cell cell, pictures::Color color) {
    image.set(cell.x - first.x, cell.y - first.y, color);
  };
  for (const Rect& leaf : leaves) {
    const bool merged = leaf.width > 64 || (kind == IndexKind::quadtree && leaf.width > 32);
    for (int y = leaf.y; y < leaf.y + leaf.height; ++y) {
      for (int x = leaf.x; x < leaf.x + leaf.width; ++x) {
        const bool edge = x == leaf.x || y == leaf.y;
        if (view.passable({x, y}))
          put({x, y}, edge     ? pictures::Color{150, 170, 205}
                      : merged ? pictures::Color{214, 236, 214}
                               : pictures::Color{245, 245, 245});
        else if (edge)
          put({x, y}, {70, 80, 110});
      }
    }
  }
  for (const Cell cell : portals) put(cell, {208, 58, 48});
  return image;
}

int run_render(const RenderOptions& options) {
  const std::string kind = extension(options.out);
  if (kind != "png" && kind != "svg") refuse("'{}' must end in .png or .svg", options.out);
  const bool portals = options.overlay == name(IndexKind::portals);
  const bool quadtree = options.overlay == name(IndexKind::quadtree);
  if (!options.overlay.empty() && options.overlay != "components" &&
      options.overlay != "clearance" && !portals && !quadtree) {
    refuse("--overlay must be components, clearance, portals or quadtree, not '{}'",
           options.overlay);
  }
  Profile profile = options.profile.profile();
  if (options.overlay == "clearance") {
    if (profile.width != 1 || profile.height != 1)
      refuse("--overlay clearance shows all sizes: leave out --size");
  }
  Engine engine;
  load_map(options.map, engine);
  pictures::Drawing drawing;
  drawing.view = publish(engine, profile);
  pictures::Mosaic mosaic;
  if (portals || quadtree) {
    mosaic.cells = draw_portals(drawing.view, portals ? IndexKind::portals : IndexKind::quadtree);
  } else if (options.overlay == "components") {
    mosaic.cells = draw_components(drawing.view);
  } else if (options.overlay == "clearance") {
    mosaic.cells = draw_clearance(drawing.view);
  }
  std::string wrong, bytes;
  const auto draw = [&](const auto& what) {
    if (kind == "svg") {
      wrong = pictures::draw_svg(what, pictures::DrawOptions(), bytes);
      return;
    }
    pictures::Image image;
    std::vector<uint8_t> png;
    wrong = pictures::draw(what, pictures::DrawOptions(), image);
    if (wrong.empty()) wrong = pictures::encode_png(image, png);
    bytes.assign(png.begin(), png.end());
  };
  if (options.overlay.empty()) {
    draw(drawing);
  } else {
    draw(mosaic);
  }
  if (!wrong.empty()) refuse("cannot draw '{}': {}", options.map, wrong);
  write_file(options.out, bytes);
  return kDone;
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App& command = *app.add_subcommand("render", "draw a map");
  command.add_option("MAP", options->map, "a map: Moving AI, PNG, PGM, text or tiles")->required();
  command.add_option("-o,--out", options->out, "F.png or F.svg")->required();
  command.add_option(
      "--overlay", options->overlay,
      "components: a colour for each set of cells that are connected; clearance: how large "
      "a square unit fits; portals or quadtree: the blocks and portals of that index");
  options->profile.add_to(command);
  set_action(command, action, options, run_render);
}

}  // namespace octile::cli
