// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// SVG by hand: cells of one colour become one path of horizontal runs, so that the text stays small
// and viewers fast.

#include <algorithm>
#include <cmath>
#include <map>

#include "pictures/palette.hpp"
#include "pictures/sheet.hpp"

namespace octile::pictures {
namespace {

// At most two decimals, a point whatever the locale.
std::string number(double value) {
  const long long hundredths = static_cast<long long>(value * 100 + (value < 0 ? -0.5 : 0.5));
  std::string text = std::to_string(hundredths / 100);
  if (hundredths < 0 && hundredths > -100) text = "-" + text;
  const int rest = static_cast<int>(hundredths % 100 < 0 ? -(hundredths % 100) : hundredths % 100);
  if (rest == 0) return text;
  text += '.';
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ') safe += c;  // XML has no control characters
    }
  }
  return safe;
}

std::string rectangle(double x, double y, double width, double height, Color fill,
                      const std::string& more = "") {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) +
         "\" height=\"" + number(height) + "\" fill=\"" + hex(fill) + "\"" + more + "/>\n";
}

std::string circle(Point center, double radius, Color fill) {
  return "<circle cx=\"" + number(center.x) + "\" cy=\"" + number(center.y) + "\" r=\"" +
         number(radius) + "\" fill=\"" + hex(fill) + "\"/>\n";
}

std::string line(const std::vector<Point>& points, double width, Color color, double opacity) {
  if (points.empty()) return "";
  std::string text = "<polyline fill=\"none\" stroke=\"" + hex(color) + "\" stroke-width=\"" +
                     number(width) + "\" stroke-linejoin=\"round\" stroke-linecap=\"round\"";
  if (opacity < 1) text += " stroke-opacity=\"" + number(opacity) + "\"";
  text += " points=\"";
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) text += ' ';
    text += number(points[i].x) + "," + number(points[i].y);
  }
  return text + "\"/>\n";
}

std::string words(double x, double y, double size, const std::string& text) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" + number(size) +
         "\" font-family=\"Helvetica,Arial,sans-serif\" fill=\"" + hex(kInk) + "\">" +
         escaped(text) + "</text>\n";
}

std::string gradient(const char* id, Color (*color)(double)) {
  std::string text = std::string("<linearGradient id=\"") + id + "\">";
  for (int i = 0; i <= 8; ++i) {
    text += "<stop offset=\"" + number(i / 8.0) + "\" stop-color=\"" + hex(color(i / 8.0)) + "\"/>";
  }
  return text + "</linearGradient>\n";
}

// All cells, one <path> a colour; the most frequent colour is the ground and needs none.
std::string runs_of_cells(const std::vector<Color>& colors, int columns, int rows, Point at,
                          int cell, bool grid_lines) {
  std::map<uint32_t, std::string> runs;
  std::map<uint32_t, size_t> counts;
  const auto key = [&colors](size_t i) {
    const uint8_t rgb[3] = {colors[i].r, colors[i].g, colors[i].b};
    return packed(rgb);
  };
  for (size_t i = 0; i < colors.size(); ++i) ++counts[key(i)];
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  for (int row = 0; row < rows; ++row) {
    const size_t base = static_cast<size_t>(row) * static_cast<size_t>(columns);
    for (int column = 0; column < columns;) {
      const uint32_t color = key(base + static_cast<size_t>(column));
      int end = column + 1;
      while (end < columns && key(base + static_cast<size_t>(end)) == color) ++end;
      if (color != most->first) {
        const std::string length = std::to_string(end - column);
        runs[color] += "M" + std::to_string(column) + " " + std::to_string(row) + "h" + length +
                       "v1h-" + length + "z";
      }
      column = end;
    }
  }
  const auto unpacked = [](uint32_t c) {
    return Color{static_cast<uint8_t>(c >> 16), static_cast<uint8_t>(c >> 8),
                 static_cast<uint8_t>(c)};
  };
  std::string text = rectangle(at.x, at.y, columns * cell, rows * cell, unpacked(most->first));
  // Crisp edges: without them neighbouring cells of one colour show seams.
  text += "<g shape-rendering=\"crispEdges\" transform=\"translate(" + number(at.x) + " " +
          number(at.y) + ") scale(" + number(cell) + ")\">\n";
  for (const auto& [color, path] : runs) {
    text += "<path fill=\"" + hex(unpacked(color)) + "\" d=\"" + path + "\"/>\n";
  }
  if (grid_lines) {
    std::string d;
    for (int column = 1; column < columns; ++column) {
      d += "M" + std::to_string(column) + " 0v" + std::to_string(rows);
    }
    for (int row = 1; row < rows; ++row) {
      d += "M0 " + std::to_string(row) + "h" + std::to_string(columns);
    }
    text +=
        "<path fill=\"none\" stroke=\"" + hex(kInk) +
        "\" stroke-opacity=\"0.12\" stroke-width=\"1\" vector-effect=\"non-scaling-stroke\" d=\"" +
        d + "\"/>\n";
  }
  return text + "</g>\n";
}

std::string opening(int width, int height) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h + "\">\n";
}

std::string strip(const Sheet& sheet) {
  const double size = 8.0 * sheet.text_scale();
  const double height = 7.0 * sheet.text_scale();
  const double gap = 4.0 * sheet.text_scale();
  double y = sheet.map_left();  // the margin is the same on all sides
  std::string text;
  for (const std::string& title : sheet.title_lines()) {
    text += words(sheet.map_left(), y + height, size, title);
    y += sheet.line_height();
  }
  for (const std::vector<LegendItem>& items : sheet.legend_lines()) {
    double x = sheet.map_left();
    for (const LegendItem& item : items) {
      const double w = sheet.sample_width(item);
      if (item.kind == LegendItem::Kind::chip) {
        text += rectangle(x, y, w, height, item.color,
                          " stroke=\"" + hex(mix(item.color, kInk, 0.35)) + "\"");
      } else if (item.kind == LegendItem::Kind::line) {
        const std::vector<Point> sample = {{x + 2, y + height / 2}, {x + w - 2, y + height / 2}};
        text += line(sample, 4.0 * sheet.text_scale(), sheet.casing_color(), 1);
        text += line(sample, 2.0 * sheet.text_scale(), item.color, 1);
      } else {
        const char* id = item.kind == LegendItem::Kind::heat ? "heat" : "weights";
        text += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) +
                "\" height=\"" + number(height) + "\" fill=\"url(#" + id + ")\"/>\n";
      }
      text += words(x + w + gap, y + height, size, item.text);
      x += sheet.item_width(item) + 10 * sheet.text_scale();
    }
    y += sheet.line_height();
  }
  return text;
}

}  // namespace

std::string draw_svg(const Drawing& drawing, const DrawOptions& options, std::string& svg) {
  const Sheet sheet(drawing, options);
  if (!sheet.error().empty()) return sheet.error();
  std::string text = opening(sheet.width(), sheet.height());
  if (sheet.has_strip()) {
    text += "<defs>\n" + gradient("heat", heat_color) + gradient("weights", weight_color) +
            "</defs>\n" + rectangle(0, 0, sheet.width(), sheet.height(), kPage) + strip(sheet);
  }
  text +=
      runs_of_cells(sheet.final_colors(), sheet.columns(), sheet.rows(),
                    {static_cast<double>(sheet.map_left()), static_cast<double>(sheet.map_top())},
                    sheet.cell(), sheet.has_grid_lines());
  std::vector<std::vector<Point>> lines;
  for (const Route& route : drawing.routes) {
    std::vector<Point> points;
    for (const Cell cell : Sheet::corners(route.cells, route.cells.size())) {
      points.push_back(sheet.center(cell));
    }
    lines.push_back(std::move(points));
  }
  if (sheet.has_casing()) {
    for (size_t i = 0; i < lines.size(); ++i) {
      text += line(lines[i], sheet.line_width(i) + 3, sheet.casing_color(), 0.85);
    }
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    text += line(lines[i], sheet.line_width(i), sheet.line_color(drawing.routes[i]), 1);
  }
  const double radius = sheet.marker_radius();
  if (const Cell* cell = sheet.goal(); cell && sheet.contains(*cell)) {
    const Point at = sheet.center(*cell);
    text += circle(at, radius + 1.5, kWhite) + circle(at, radius, kGoal) +
            circle(at, radius * 0.62, kWhite) + circle(at, radius * 0.34, kGoal);
  }
  if (const Cell* cell = sheet.start(); cell && sheet.contains(*cell)) {
    const Point at = sheet.center(*cell);
    text += circle(at, radius + 1.5, kWhite) + circle(at, radius, kStart);
  }
  svg = text + "</svg>\n";
  return "";
}

std::string draw_svg(const Mosaic& mosaic, const DrawOptions& options, std::string& svg) {
  int cell = 0;
  if (std::string error = mosaic_cell(mosaic, options, &cell); !error.empty()) return error;
  const Image& image = mosaic.cells;
  std::vector<Color> colors;
  colors.reserve(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) colors.push_back(image.at(x, y));
  }
  std::string text = opening(image.width * cell, image.height * cell) +
                     runs_of_cells(colors, image.width, image.height, {0, 0}, cell, false);
  if (!mosaic.arrows.empty() && cell >= kArrowCell) {
    // A wedge that begins wide in the middle of the cell and ends at its edge.
    std::string d;
    for (size_t i = 0; i < mosaic.arrows.size(); ++i) {
      if (mosaic.arrows[i] > 7) continue;
      const double dx = kAcross[mosaic.arrows[i]], dy = kDown[mosaic.arrows[i]];
      const double x = (static_cast<double>(i % static_cast<size_t>(image.width)) + 0.5) * cell;
      const double y = (static_cast<double>(i / static_cast<size_t>(image.width)) + 0.5) * cell;
      const double wide = 0.14 * cell / std::hypot(dx, dy), far = 0.44 * cell / std::hypot(dx, dy);
      d += "M" + number(x - dy * wide) + " " + number(y + dx * wide) + "L" + number(x + dx * far) +
           " " + number(y + dy * far) + "L" + number(x + dy * wide) + " " + number(y - dx * wide) +
           "z";
    }
    text += "<path fill=\"" + hex(kWhite) + "\" d=\"" + d + "\"/>\n";
  }
  svg = text + "</svg>\n";
  return "";
}

}  // namespace octile::pictures
