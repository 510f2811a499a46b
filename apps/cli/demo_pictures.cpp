// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include <fmt/format.h>

#include <memory>

#include "demo.hpp"
#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"
#include "pictures/pictures.hpp"
#include "scenes/scenes.hpp"

namespace octile::cli {
namespace {

// One recorded search.
struct Recording {
  Path path;
  Trace trace;
};

std::unique_ptr<Recording> record(const View& view, Cell start, Cell goal,
                                  const char* solver_name) {
  auto recording = std::make_unique<Recording>();
  Searcher searcher;
  Query query;
  query.start = start;
  query.goal = goal;
  query.solver = solver(solver_name);
  query.trace = &recording->trace;
  find(searcher, view, query, recording->path);
  if (recording->path.status != Status::found) {
    refuse("the demo's picture: {}", recording->path.message);
  }
  return recording;
}

// The cost of each cell that the start can reach, found one by one.
void trace_costs(const View& view, Cell start, Trace& trace) {
  Searcher searcher;
  Path path;
  Query query;
  query.start = start;
  const Cell first = view.first_cell();
  for (int y = 0; y < view.height(); ++y) {
    for (int x = 0; x < view.width(); ++x) {
      query.goal = {first.x + x, first.y + y};
      find(searcher, view, query, path);
      if (path.status != Status::found) continue;
      trace.add({query.goal, path.cost, Trace::Kind::opened});
      trace.add({query.goal, path.cost, Trace::Kind::closed});
    }
  }
}

pictures::Drawing drawing_of(const View& view, const Recording& recording,
                             const pictures::Theme& theme) {
  pictures::Drawing drawing;
  drawing.view = view;
  drawing.routes.emplace_back(recording.path, theme.path);
  drawing.trace = &recording.trace;
  drawing.theme = theme;
  drawing.title =
      fmt::format("{}: cost {:.1f}, {} expanded", solver_info(recording.path.solver).name,
                  recording.path.cost, recording.path.expanded);
  return drawing;
}

class Album {
 public:
  explicit Album(std::string directory) : directory_(std::move(directory)) {}

  void png(const std::string& name, const std::vector<pictures::Drawing>& drawings) {
    pictures::Image image;
    std::vector<uint8_t> bytes;
    // Pictures stand beside each other in half the size.
    pictures::DrawOptions options;
    if (drawings.size() > 1) options.longest = 640;
    must(drawings.size() == 1 ? pictures::draw(drawings[0], options, image)
                              : pictures::draw_row(drawings, options, image));
    must(pictures::encode_png(image, bytes));
    keep(name, std::string(bytes.begin(), bytes.end()));
  }
  void svg(const std::string& name, const pictures::Drawing& drawing) {
    std::string text;
    must(pictures::draw_svg(drawing, pictures::DrawOptions(), text));
    keep(name, text);
  }
  void gif(const std::string& name, const std::vector<pictures::Drawing>& drawings) {
    std::vector<uint8_t> bytes;
    must(pictures::animate(drawings, pictures::AnimationOptions(), bytes));
    keep(name, std::string(bytes.begin(), bytes.end()));
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void must(const std::string& wrong) {
    if (!wrong.empty()) refuse("cannot draw a picture: {}", wrong);
  }
  void keep(const std::string& name, const std::string& bytes) {
    const std::string path = directory_ + "/" + name;
    write_file(path, bytes);
    names_.push_back(path);
  }

  std::string directory_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> demo_pictures(const std::string& directory) {
  // Tutorial E's own map, corner to corner.
  const std::optional<scenes::Scene> scene = scenes::build("tutorial_70_00");
  if (!scene || scene->queries.empty()) refuse("the scene 'tutorial_70_00' is missing");
  Engine engine;
  ProfileId profile = 0;
  if (const Fault fault = scenes::load(*scene, engine, profile)) refuse("{}", fault.text);
  const View view = engine.view(profile);
  const Cell start = scene->queries[0].start, goal = scene->queries[0].goal;

  const auto astar = record(view, start, goal, "astar");
  const auto jps = record(view, start, goal, "jps");

  Album album(directory);
  pictures::Drawing search = drawing_of(view, *astar, pictures::kOrange);
  search.legend = true;
  album.png("search.png", {search});

  Trace costs;
  trace_costs(view, start, costs);
  pictures::Drawing heat = search;
  heat.trace = &costs;
  heat.shown = pictures::Shown::costs;
  heat.title = fmt::format("cost of each cell from the start ({},{})", start.x, start.y);
  album.png("heat.png", {heat});

  pictures::Drawing only_path = drawing_of(view, *astar, pictures::kOrange);
  only_path.only_path = true;
  album.png("path_only.png", {only_path});

  const std::vector<pictures::Drawing> both = {drawing_of(view, *astar, pictures::kOrange),
                                               drawing_of(view, *jps, pictures::kBlue)};
  album.png("side_by_side.png", both);
  album.gif("search.gif", both);
  album.svg("path.svg", search);
  return album.names();
}

}  // namespace octile::cli
