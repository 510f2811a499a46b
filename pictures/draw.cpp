// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>
#include <cmath>
#include <utility>

#include "pictures/sheet.hpp"

namespace octile::pictures {

// Grid lines are the top and left edge of each cell that is no wall: walls stay whole blocks.
void Sheet::paint_cell(Image& image, int column, int row, Color color) const {
  const int x = map_left() + column * cell_;
  const int y = map_top() + row * cell_;
  fill_rect(image, x, y, cell_, cell_, color);
  if (!grid_lines_ || is_wall(column, row)) return;
  const Color line = mix(color, kInk, 0.12);
  fill_rect(image, x, y, cell_, 1, line);
  fill_rect(image, x, y, 1, cell_, line);
}

void Sheet::paint_base(Image& image) const {
  if (margin_ > 0) {
    fill_rect(image, left_, 0, width(), image.height, kPage);
    frame_rect(image, map_left() - 1, map_top() - 1, columns_ * cell_ + 2, rows_ * cell_ + 2,
               kFrame);
    paint_strip(image);
  }
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < columns_; ++column) {
      paint_cell(image, column, row, ground(column, row));
    }
  }
  if (drawing_.only_path) {
    frame_rect(image, map_left(), map_top(), columns_ * cell_, rows_ * cell_, kFrame);
  }
}

void Sheet::paint_strip(Image& image) const {
  int y = margin_;
  for (const std::string& line : title_lines_) {
    draw_text(image, map_left(), y, line, text_scale_, kInk);
    y += line_height();
  }
  const int height = 7 * text_scale_;
  for (const std::vector<LegendItem>& line : legend_lines_) {
    int x = map_left();
    for (const LegendItem& item : line) {
      const int w = sample_width(item);
      switch (item.kind) {
        case LegendItem::Kind::chip:
          fill_rect(image, x, y, w, height, item.color);
          frame_rect(image, x, y, w, height, mix(item.color, kInk, 0.35));
          break;
        case LegendItem::Kind::line:
          for (const auto& [width, color] :
               {std::pair(4.0, casing_color()), std::pair(2.0, item.color)}) {
            stroke(image, {{x + 2.0, y + height / 2.0}, {x + w - 2.0, y + height / 2.0}},
                   width * text_scale_, color);
          }
          break;
        case LegendItem::Kind::weights:
        case LegendItem::Kind::heat:
          for (int i = 0; i < w; ++i) {
            const double share = i / (w - 1.0);
            const bool heat = item.kind == LegendItem::Kind::heat;
            fill_rect(image, x + i, y, 1, height, heat ? heat_color(share) : weight_color(share));
          }
          break;
      }
      draw_text(image, x + w + 4 * text_scale_, y, item.text, text_scale_, kInk);
      x += item_width(item) + 10 * text_scale_;
    }
    y += line_height();
  }
}

void Sheet::paint_search(Image& image, size_t from, size_t to) const {
  if (!shows_search()) return;
  const Cell first = drawing_.view.first_cell();
  for (size_t i = from; i < std::min(to, drawing_.trace->size()); ++i) {
    const Trace::Event& event = drawing_.trace->events()[i];
    if (!contains(event.cell)) continue;
    paint_cell(image, event.cell.x - first.x, event.cell.y - first.y, searched(event));
  }
}

void Sheet::paint_routes(Image& image, double share) const {
  std::vector<std::vector<Point>> lines;
  for (const Route& route : drawing_.routes) {
    const size_t count =
        static_cast<size_t>(std::ceil(static_cast<double>(route.cells.size()) * share));
    std::vector<Point> line;
    for (const Cell cell : corners(route.cells, std::min(count, route.cells.size()))) {
      line.push_back(center(cell));
    }
    lines.push_back(std::move(line));
  }
  if (has_casing()) {
    for (size_t i = 0; i < lines.size(); ++i) {
      stroke(image, lines[i], line_width(i) + (cell_ >= 8 ? 3 : 2), casing_color(), 0.85);
    }
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    stroke(image, lines[i], line_width(i), line_color(drawing_.routes[i]));
  }
}

// The start is a full disc, the goal a ring with a dot, both with a white rim.
void Sheet::paint_ends(Image& image) const {
  const double radius = marker_radius();
  if (const Cell* cell = goal(); cell && contains(*cell)) {
    disc(image, center(*cell), radius + 1.5, kWhite);
    disc(image, center(*cell), radius, kGoal);
    disc(image, center(*cell), radius * 0.62, kWhite);
    disc(image, center(*cell), radius * 0.34, kGoal);
  }
  if (const Cell* cell = start(); cell && contains(*cell)) {
    disc(image, center(*cell), radius + 1.5, kWhite);
    disc(image, center(*cell), radius, kStart);
  }
}

std::string draw(const Drawing& drawing, const DrawOptions& options, Image& image) {
  const Sheet sheet(drawing, options);
  if (!sheet.error().empty()) return sheet.error();
  Image drawn(sheet.width(), sheet.height(), kPage);
  sheet.paint_base(drawn);
  sheet.paint_search(drawn, 0, SIZE_MAX);
  sheet.paint_routes(drawn, 1);
  sheet.paint_ends(drawn);
  image = std::move(drawn);
  return "";
}

std::string draw_row(const std::vector<Drawing>& drawings, const DrawOptions& options,
                     Image& image) {
  std::vector<Sheet> sheets;
  int width = 0;
  int height = 0;
  if (std::string error = lay_out_row(drawings, options, sheets, width, height); !error.empty()) {
    return error;
  }
  Image drawn(width, height, kPage);
  for (const Sheet& sheet : sheets) {
    sheet.paint_base(drawn);
    sheet.paint_search(drawn, 0, SIZE_MAX);
    sheet.paint_routes(drawn, 1);
    sheet.paint_ends(drawn);
  }
  image = std::move(drawn);
  return "";
}

std::string lay_out_row(const std::vector<Drawing>& drawings, const DrawOptions& options,
                        std::vector<Sheet>& sheets, int& width, int& height) {
  if (drawings.empty()) return "there is no map to draw";
  int strip = 0;
  for (const Drawing& drawing : drawings) {
    sheets.emplace_back(drawing, options);
    if (!sheets.back().error().empty()) return sheets.back().error();
    strip = std::max(strip, sheets.back().strip());
  }
  // Sheets with a strip have a margin; those without get a gap between them.
  width = 0;
  height = 0;
  for (Sheet& sheet : sheets) {
    if (width > 0) width += sheet.has_strip() ? -4 : 8;
    sheet.place(width, strip);
    width += sheet.width();
    height = std::max(height, sheet.height());
  }
  if (width > kMaxSide || int64_t{width} * height > kMaxPixels) {
    return "the maps are too large to draw side by side";
  }
  return "";
}

std::string draw(const Mosaic& mosaic, const DrawOptions& options, Image& image) {
  int cell = 0;
  if (std::string error = mosaic_cell(mosaic, options, &cell); !error.empty()) return error;
  const int columns = mosaic.cells.width, rows = mosaic.cells.height;
  Image out(columns * cell, rows * cell, kWhite);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      fill_rect(out, x * cell, y * cell, cell, cell, mosaic.cells.at(x, y));
    }
  }
  if (cell >= kArrowCell) {
    // A line from the middle of the cell, thicker where it begins.
    const int half = cell / 2;
    for (size_t i = 0; i < mosaic.arrows.size(); ++i) {
      if (mosaic.arrows[i] > 7) continue;
      const int dx = kAcross[mosaic.arrows[i]], dy = kDown[mosaic.arrows[i]];
      const int x = static_cast<int>(i % static_cast<size_t>(columns)) * cell + half;
      const int y = static_cast<int>(i / static_cast<size_t>(columns)) * cell + half;
      for (int k = 0; k < half; ++k) {
        const int px = x + dx * k, py = y + dy * k;
        out.set(px, py, kWhite);
        if (k >= half / 2) continue;
        out.set(px + (dy != 0), py + (dx != 0), kWhite);
        out.set(px - (dy != 0), py - (dx != 0), kWhite);
      }
    }
  }
  image = std::move(out);
  return "";
}

}  // namespace octile::pictures
