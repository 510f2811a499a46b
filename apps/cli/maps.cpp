// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "maps.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "failure.hpp"
#include "files.hpp"
#include "numbers.hpp"
#include "pictures/pictures.hpp"

namespace octile::cli {
namespace {

void load_picture(const std::string& path, const std::string& bytes, Engine& engine) {
  pictures::PictureMap picture;
  const std::string wrong = pictures::map_from_png(bytes.data(), bytes.size(), picture);
  if (!wrong.empty()) refuse("'{}': {}", path, wrong);
  MapDef definition;
  definition.width = picture.width;
  definition.height = picture.height;
  if (const Fault fault = engine.reset(definition)) refuse("'{}': {}", path, fault.text);
  const Rect all{0, 0, picture.width, picture.height};
  if (const Fault fault =
          engine.map().stamp(all, picture.terrain.data(), static_cast<size_t>(picture.width))) {
    refuse("'{}': {}", path, fault.text);
  }
}

constexpr std::string_view kTileMagic = "octilem\n";

// A file of tiles is mapped, not read. What comes through a pipe can be read only once.
bool is_tile_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  char start[kTileMagic.size()] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(start, sizeof start) && std::string_view(start, sizeof start) == kTileMagic;
}

// What parse_map took the bytes for, by the same signs.
const char* format_name(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  if (bytes.substr(0, 2) == "P2" || bytes.substr(0, 2) == "P5") return "PGM";
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "text";
  bytes.remove_prefix(begin);
  for (const char* key : {"type", "height", "width"}) {
    const size_t length = std::strlen(key);
    if (bytes.substr(0, length) != key || bytes.size() == length) continue;
    if (bytes[length] == ' ' || bytes[length] == '\t') return "Moving AI";
  }
  return "text";
}

template <class Value>
Value choice(const char* option, const std::string& text,
             std::initializer_list<std::pair<const char*, Value>> values) {
  std::string names;
  for (const auto& [name, value] : values) {
    if (text == name) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  refuse("{} must be one of {}, not '{}'", option, names, text);
}

// "G=2,S=1.5,W=inf": the cost of terrains by their letter.
void read_weights(const std::string& text, Profile& profile) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find(',', at + 1);
    if (end == std::string::npos) end = text.size();
    const std::string item = text.substr(at, end - at);
    if (item.size() < 3 || item[1] != '=') {
      refuse("--weights must be a list like G=2,S=1.5,W=inf; '{}' is not of that form", item);
    }
    profile.terrain_cost[static_cast<uint8_t>(item[0])] =
        real_number("the weight in --weights", item.substr(2), 0, true);
    at = end + 1;
    if (at == text.size()) refuse("--weights ends with a comma");
  }
}

}  // namespace

std::string load_map(const std::string& path, Engine& engine) {
  if (is_tile_file(path)) {
    refuse_no_file(path);
    if (const Fault fault = engine.load(path.c_str())) refuse("'{}': {}", path, fault.text);
    return "tiles";
  }
  const std::string bytes = read_file(path);
  if (bytes.compare(0, kTileMagic.size(), kTileMagic) == 0)
    refuse("'{}': tiles are not read through a pipe: name their file", path);
  if (pictures::looks_like_png(bytes.data(), bytes.size())) {
    load_picture(path, bytes, engine);
    return "PNG";
  }
  if (const Fault fault = parse_map(bytes.data(), bytes.size(), MapDef(), engine)) {
    refuse("'{}': {}", path, fault.text);
  }
  return format_name(bytes);
}

std::string encode_map(const Map& map, const std::string& path) {
  const std::string kind = extension(path);
  if (kind == "png") {
    pictures::Image image(map.width(), map.height(), {255, 255, 255});
    const Profile profile;
    const Cell first = map.first_cell();
    for (int y = 0; y < map.height(); ++y) {
      for (int x = 0; x < map.width(); ++x) {
        const uint8_t terrain = map.terrain({first.x + x, first.y + y});
        if (profile.terrain_cost[terrain] == kWall) image.set(x, y, {0, 0, 0});
      }
    }
    std::vector<uint8_t> png;
    const std::string wrong = pictures::encode_png(image, png);
    if (!wrong.empty()) refuse("'{}': {}", path, wrong);
    return std::string(png.begin(), png.end());
  }
  MapFormat format;
  if (kind == "map")
    format = MapFormat::moving_ai;
  else if (kind == "txt")
    format = MapFormat::text;
  else if (kind == "pgm")
    format = MapFormat::pgm;
  else
    refuse("'{}' must end in .map, .tiles, .txt, .pgm or .png", path);
  size_t length = 0;
  if (const Fault fault = write_map(map, format, nullptr, 0, &length)) {
    refuse("'{}': {}", path, fault.text);
  }
  std::string bytes(length, '\0');
  if (const Fault fault = write_map(map, format, bytes.data(), bytes.size(), &length)) {
    refuse("'{}': {}", path, fault.text);
  }
  return bytes;
}

void save_map(const Map& map, const std::string& path) {
  if (extension(path) != "tiles") return write_file(path, encode_map(map, path));
  if (const Fault fault = map.save(path.c_str())) refuse("'{}': {}", path, fault.text);
}

std::vector<ScenQuery> load_scen(const std::string& path) {
  const std::string bytes = read_file(path);
  size_t count = 0;
  if (const Fault fault = parse_scen(bytes.data(), bytes.size(), nullptr, 0, &count)) {
    refuse("'{}': {}", path, fault.text);
  }
  std::vector<ScenQuery> queries(count);
  if (const Fault fault =
          parse_scen(bytes.data(), bytes.size(), queries.data(), queries.size(), &count)) {
    refuse("'{}': {}", path, fault.text);
  }
  if (queries.empty()) refuse("'{}' has no queries", path);
  return queries;
}

void require_same_size(const std::vector<ScenQuery>& queries, const Map& map,
                       const std::string& scen_path) {
  for (const ScenQuery& query : queries) {
    if (query.map_width != map.width() || query.map_height != map.height()) {
      refuse("'{}' is for a map of {} x {} cells; this one has {} x {}", scen_path, query.map_width,
             query.map_height, map.width(), map.height());
    }
  }
}

View publish(Engine& engine, const Profile& profile) {
  ProfileId id = 0;
  if (const Fault fault = engine.add_profile(profile, &id)) refuse("{}", fault.text);
  if (const Fault fault = engine.commit()) refuse("{}", fault.text);
  return engine.view(id);
}

void ProfileOptions::add_to(CLI::App& command) {
  command.add_option("--moves", moves, "four or eight")->capture_default_str();
  command
      .add_option("--diagonal", diagonal,
                  "always, at_most_one_obstacle, no_obstacles or never: may a diagonal step pass "
                  "walls beside it")
      ->capture_default_str();
  command.add_option("--metric", metric, "octile, 10-14 or chebyshev")->capture_default_str();
  command.add_option("--weights", weights, "cost of terrains by letter, as in G=2,S=1.5,W=inf");
  command.add_option("--size", size, "WxH: the cells that the unit covers")->capture_default_str();
  command
      .add_option("--anchor", anchor,
                  "X,Y: the cell of the unit that says where it is, from its first")
      ->capture_default_str();
}

Profile ProfileOptions::profile() const {
  Profile profile;
  profile.moves = choice<Moves>("--moves", moves, {{"four", Moves::four}, {"eight", Moves::eight}});
  profile.diagonal = choice<Diagonal>("--diagonal", diagonal,
                                      {{"always", Diagonal::always},
                                       {"at_most_one_obstacle", Diagonal::at_most_one_obstacle},
                                       {"no_obstacles", Diagonal::no_obstacles},
                                       {"never", Diagonal::never}});
  if (profile.moves == Moves::four && diagonal != "no_obstacles" && diagonal != "never")
    refuse("--diagonal {} needs --moves eight", diagonal);
  profile.metric = choice<Metric>("--metric", metric,
                                  {{"octile", Metric::octile},
                                   {"10-14", Metric::ten_fourteen},
                                   {"chebyshev", Metric::chebyshev}});
  read_weights(weights, profile);
  const Cell sides = extent("--size", size);
  if (sides.x > 64 || sides.y > 64) refuse("--size must be at most 64x64, not '{}'", size);
  profile.width = sides.x;
  profile.height = sides.y;
  profile.anchor = cell("--anchor", anchor);
  if (profile.anchor.x < 0 || profile.anchor.y < 0 || profile.anchor.x >= sides.x ||
      profile.anchor.y >= sides.y) {
    refuse("--anchor must be a cell of the unit, 0,0 to {},{}, not '{}'", sides.x - 1, sides.y - 1,
           anchor);
  }
  return profile;
}

bool ProfileOptions::standard() const {
  return moves == "eight" && diagonal == "no_obstacles" && metric == "octile" && weights.empty() &&
         size == "1x1";
}

SolverId solver(const std::string& name) {
  const SolverId id = solver_id(name.c_str());
  if (id < 0) {
    std::string names;
    for (SolverId i = 0; i < solver_count(); ++i) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", solver_info(i).name);
    }
    refuse("there is no solver '{}'; there are {}", name, names);
  }
  return id;
}

std::vector<SolverId> solvers(const std::string& list, const std::vector<SolverId>& standard) {
  if (list.empty()) return standard;
  std::vector<SolverId> ids;
  if (list == "all") {
    for (SolverId id = 0; id < solver_count(); ++id) ids.push_back(id);
    return ids;
  }
  size_t at = 0;
  while (at <= list.size()) {
    size_t end = list.find(',', at);
    if (end == std::string::npos) end = list.size();
    const SolverId id = solver(list.substr(at, end - at));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    at = end + 1;
  }
  return ids;
}

bool is_slow(SolverId id) {
  const std::string name = solver_info(id).name;
  return name == "dijkstra" || name == "textbook_list";
}

std::vector<SolverId> working_solvers() {
  std::vector<SolverId> ids;
  for (SolverId id = 0; id < solver_count(); ++id) {
    if (!is_slow(id) && std::string(solver_info(id).name) != "textbook_heap") ids.push_back(id);
  }
  return ids;
}

}  // namespace octile::cli
