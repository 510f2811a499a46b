// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "pictures/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace octile::pictures {
namespace {

constexpr int kMargin = 12;
constexpr int kLeastStripWidth = 160;
constexpr int64_t kMaxDrawn = int64_t{1} << 26;  // pixels of one map

template <size_t N>
Color ramp(const Color (&stops)[N], double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (N - 1);
  const size_t stop = std::min(static_cast<size_t>(place), N - 2);
  return mix(stops[stop], stops[stop + 1], place - static_cast<double>(stop));
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// How large a cell is drawn; a line when that is too large.
std::string cell_of(int columns, int rows, int64_t most, const DrawOptions& options, int* cell) {
  const int longer = std::max(columns, rows);
  *cell = options.cell > 0
              ? options.cell
              : std::clamp(options.longest / longer, 1, std::max(1, options.largest_cell));
  if (int64_t{longer} * *cell <= kMaxSide &&
      int64_t{columns} * rows <= most / (int64_t{*cell} * *cell)) {
    return "";
  }
  return "the map is too large to draw: " + std::to_string(columns) + " x " + std::to_string(rows) +
         " cells of " + std::to_string(*cell) + " pixels";
}

}  // namespace

std::string mosaic_cell(const Mosaic& mosaic, const DrawOptions& options, int* cell) {
  const Image& cells = mosaic.cells;
  if (cells.width < 1 || cells.height < 1) return "there is no map to draw";
  if (!mosaic.arrows.empty() && mosaic.arrows.size() != static_cast<size_t>(cells.width) *
                                                            static_cast<size_t>(cells.height)) {
    return "there are other numbers of arrows and of cells";
  }
  return cell_of(cells.width, cells.height, kMaxPixels, options, cell);
}

// Both ramps in 64 steps, so that a picture keeps a small palette.
Color heat_color(double share) {
  static constexpr Color kStops[] = {{44, 20, 84},   {66, 60, 140},  {48, 112, 152},
                                     {38, 158, 140}, {106, 196, 96}, {250, 228, 70}};
  return ramp(kStops, std::round(share * 63) / 63);
}

Color weight_color(double share) {
  static constexpr Color kStops[] = {
      {243, 248, 235}, {214, 230, 184}, {214, 210, 156}, {206, 180, 132}, {180, 138, 100}};
  return ramp(kStops, std::round(share * 63) / 63);
}

Sheet::Sheet(const Drawing& drawing, const DrawOptions& options) : drawing_(drawing) {
  if (drawing.view.empty()) {
    error_ = "there is no map to draw";
    return;
  }
  columns_ = drawing.view.width();
  rows_ = drawing.view.height();
  error_ = cell_of(columns_, rows_, kMaxDrawn, options, &cell_);
  if (!error_.empty()) return;
  grid_lines_ = options.grid_lines && cell_ >= 8 && !drawing.only_path;
  measure_weights();
  if (drawing.trace) {
    for (size_t i = 0; i < drawing.trace->size(); ++i) {
      largest_g_ = std::max(largest_g_, drawing.trace->events()[i].g);
    }
  }
  content_width_ = columns_ * cell_;
  if (!drawing.title.empty() || drawing.legend) lay_out_strip();
}

void Sheet::measure_weights() {
  const Cell first = drawing_.view.first_cell();
  double least = HUGE_VAL;
  double largest = 0;
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const double cost = drawing_.view.cost({first.x + column, first.y + row});
      if (cost == kWall) continue;
      least = std::min(least, cost);
      largest = std::max(largest, cost);
    }
  }
  if (least <= largest) {
    least_cost_ = least;
    largest_cost_ = largest;
  }
}

bool Sheet::is_wall(int column, int row) const {
  const Cell first = drawing_.view.first_cell();
  return !drawing_.view.passable({first.x + column, first.y + row});
}

Color Sheet::ground(int column, int row) const {
  if (drawing_.only_path) return {252, 252, 252};
  const Cell first = drawing_.view.first_cell();
  const Cell cell{first.x + column, first.y + row};
  if (!drawing_.view.passable(cell)) {
    switch (drawing_.view.terrain(cell)) {
      case 'T':
        return {44, 74, 58};  // trees
      case 'W':
        return {44, 72, 104};  // water
      default:
        return {47, 52, 60};
    }
  }
  if (least_cost_ == largest_cost_) return kWhite;
  // Far-apart costs by ratio, so that 1, 10 and 100 look equally far from each other; free steps
  // then count as the least.
  const double cost = drawing_.view.cost(cell);
  if (largest_cost_ <= 20 * least_cost_ || largest_cost_ <= 20) {
    return weight_color((cost - least_cost_) / (largest_cost_ - least_cost_));
  }
  const double low = std::max(least_cost_, largest_cost_ / 1000);
  return weight_color(std::log(std::max(cost, low) / low) / std::log(largest_cost_ / low));
}

Color Sheet::searched(const Trace::Event& event) const {
  const Cell first = drawing_.view.first_cell();
  if (drawing_.shown == Shown::costs) {
    return heat_color(largest_g_ > 0 ? event.g / largest_g_ : 0);
  }
  const Color set =
      event.kind == Trace::Kind::closed ? drawing_.theme.closed : drawing_.theme.opened;
  if (least_cost_ == largest_cost_) return set;
  return mix(ground(event.cell.x - first.x, event.cell.y - first.y), set, 0.5);
}

std::vector<Color> Sheet::final_colors() const {
  std::vector<Color> colors;
  colors.reserve(static_cast<size_t>(columns_) * static_cast<size_t>(rows_));
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) colors.push_back(ground(column, row));
  }
  if (!shows_search()) return colors;
  const Cell first = drawing_.view.first_cell();
  for (size_t i = 0; i < drawing_.trace->size(); ++i) {
    const Trace::Event& event = drawing_.trace->events()[i];
    if (!contains(event.cell)) continue;
    colors[static_cast<size_t>(event.cell.y - first.y) * static_cast<size_t>(columns_) +
           static_cast<size_t>(event.cell.x - first.x)] = searched(event);
  }
  return colors;
}

Point Sheet::center(Cell cell) const {
  const Cell first = drawing_.view.first_cell();
  return {map_left() + (static_cast<double>(cell.x) - first.x + 0.5) * cell_,
          map_top() + (static_cast<double>(cell.y) - first.y + 0.5) * cell_};
}

// Where several routes lie on one another, the lower ones are wider.
double Sheet::line_width(size_t route) const {
  const double single = cell_ == 1 ? 2 : std::max(3.0, cell_ * 0.22);
  const size_t above = drawing_.routes.size() - 1 - route;
  return single + static_cast<double>(above) * std::max(3.0, cell_ * 0.25);
}

Color Sheet::line_color(const Route& route) const {
  return shows_costs() && drawing_.routes.size() == 1 ? kWhite : route.color;
}

double Sheet::marker_radius() const {
  return std::clamp(cell_ * 0.36, 5.0, 9.0);
}

const Cell* Sheet::start() const {
  if (drawing_.start) return &*drawing_.start;
  if (drawing_.routes.empty() || drawing_.routes[0].cells.empty()) return nullptr;
  return &drawing_.routes[0].cells.front();
}

const Cell* Sheet::goal() const {
  if (drawing_.goal) return &*drawing_.goal;
  if (drawing_.routes.empty() || drawing_.routes[0].cells.empty()) return nullptr;
  return &drawing_.routes[0].cells.back();
}

std::vector<Cell> Sheet::corners(const std::vector<Cell>& cells, size_t count) {
  std::vector<Cell> kept;
  for (size_t i = 0; i < count; ++i) {
    while (kept.size() >= 2) {
      const Cell a = kept[kept.size() - 2];
      const Cell b = kept.back();
      const int64_t ux = int64_t{b.x} - a.x, uy = int64_t{b.y} - a.y;
      const int64_t vx = int64_t{cells[i].x} - b.x, vy = int64_t{cells[i].y} - b.y;
      const bool straight = ux * vy == uy * vx && ux * vx + uy * vy > 0;
      if (!straight) break;
      kept.pop_back();
    }
    kept.push_back(cells[i]);
  }
  return kept;
}

int Sheet::sample_width(const LegendItem& item) const {
  const bool is_ramp =
      item.kind == LegendItem::Kind::weights || item.kind == LegendItem::Kind::heat;
  return (is_ramp ? 48 : 12) * text_scale_;
}

int Sheet::item_width(const LegendItem& item) const {
  return sample_width(item) + 4 * text_scale_ + text_width(item.text, text_scale_);
}

void Sheet::lay_out_strip() {
  margin_ = kMargin;
  content_width_ = std::max(content_width_, kLeastStripWidth);
  text_scale_ = content_width_ >= 400 ? 2 : 1;

  // 1. The title, broken at spaces.
  std::string line;
  std::string rest = drawing_.title;
  while (!rest.empty()) {
    const size_t space = rest.find(' ');
    const std::string word = rest.substr(0, space);
    rest = space == std::string::npos ? "" : rest.substr(space + 1);
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, text_scale_) > content_width_) {
      title_lines_.push_back(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) title_lines_.push_back(line);

  // 2. The legend, as many samples a line as fit.
  if (drawing_.legend) {
    using Kind = LegendItem::Kind;
    std::vector<LegendItem> items;
    if (!drawing_.only_path) {
      items.push_back({Kind::chip, {47, 52, 60}, "wall"});
      if (least_cost_ != largest_cost_) {
        items.push_back(
            {Kind::weights, kWhite,
             "cost " + short_number(least_cost_) + " to " + short_number(largest_cost_)});
      }
    }
    if (shows_costs()) {
      items.push_back({Kind::heat, kWhite, "g 0 to " + short_number(largest_g_)});
      if (least_cost_ == largest_cost_) items.push_back({Kind::chip, kWhite, "not reached"});
    } else if (shows_search()) {
      items.push_back({Kind::chip, drawing_.theme.opened, "opened"});
      items.push_back({Kind::chip, drawing_.theme.closed, "closed"});
    }
    for (const Route& route : drawing_.routes) {
      items.push_back({Kind::line, line_color(route), route.name});
    }
    int used = 0;
    for (const LegendItem& item : items) {
      const int gap = 10 * text_scale_;
      if (legend_lines_.empty() || used + gap + item_width(item) > content_width_) {
        legend_lines_.push_back({});
        used = -gap;
      }
      used += gap + item_width(item);
      legend_lines_.back().push_back(item);
    }
  }
  const int lines = static_cast<int>(title_lines_.size() + legend_lines_.size());
  strip_ = std::max(1, lines * line_height() + 2 * text_scale_);
}

}  // namespace octile::pictures
