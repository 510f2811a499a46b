// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// A Drawing laid out: which colour each cell has, how large it is and where it lies. PNG, GIF and
// SVG are made from the same sheet.
//
//   +--------------------------+
//   | title                    |   strip: only with a title or a legend, and then there is a
//   | [] wall  [] opened ...   |   margin around everything and a frame around the map
//   | +----------------------+ |
//   | | map                  | |   width() x height() cells of cell() pixels
//   | +----------------------+ |
//   +--------------------------+
//
// Keeps a reference to the Drawing.

#include <string>
#include <vector>

#include "pictures/raster.hpp"

namespace octile::pictures {

constexpr Color kPage{246, 247, 249};
constexpr Color kInk{52, 58, 66};
constexpr Color kFrame{196, 202, 210};
constexpr Color kStart{20, 140, 76};
constexpr Color kGoal{190, 24, 93};
constexpr Color kWhite{255, 255, 255};
constexpr Color kDark{24, 22, 40};

// 0: dark violet, 1: yellow; evenly lighter in between.
Color heat_color(double share);
// 0: nearly white green, 1: brown; light enough to be read back as free.
Color weight_color(double share);

// One sample of the legend, and what it stands for. A ramp goes from `first` to `last`.
struct LegendItem {
  enum class Kind { chip, line, weights, heat } kind;
  Color color;
  std::string text;
};

class Sheet {
 public:
  Sheet(const Drawing& drawing, const DrawOptions& options);

  const std::string& error() const { return error_; }
  int cell() const { return cell_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  bool has_strip() const { return strip_ > 0; }
  int strip() const { return strip_; }
  int width() const { return content_width_ + 2 * margin_; }
  int height() const { return strip_ + rows_ * cell_ + 2 * margin_; }
  int map_left() const { return left_ + margin_; }
  int map_top() const { return margin_ + strip_; }
  // For a sheet beside others: where it begins, and how high the strip of all of them is.
  void place(int left, int strip) {
    left_ = left;
    if (has_strip()) strip_ = strip;
  }

  bool contains(Cell cell) const { return drawing_.view.contains(cell); }
  // By column and row, not by cell coordinates.
  Color ground(int column, int row) const;
  bool has_grid_lines() const { return grid_lines_; }
  bool is_wall(int column, int row) const;
  Color searched(const Trace::Event& event) const;
  bool shows_search() const { return drawing_.trace && !drawing_.only_path; }
  // The colour of each cell after all events, row by row.
  std::vector<Color> final_colors() const;

  // The centre of a cell in the picture.
  Point center(Cell cell) const;
  double line_width(size_t route) const;
  bool has_casing() const { return cell_ >= 4 || shows_costs(); }
  Color casing_color() const { return shows_costs() ? kDark : kWhite; }
  Color line_color(const Route& route) const;
  double marker_radius() const;
  const Cell* start() const;
  const Cell* goal() const;
  // A route without the cells that lie on a straight line between their neighbours.
  static std::vector<Cell> corners(const std::vector<Cell>& cells, size_t count);

  void paint_base(Image& image) const;
  void paint_search(Image& image, size_t from, size_t to) const;
  // The first `share` (0 .. 1) of every route.
  void paint_routes(Image& image, double share) const;
  void paint_ends(Image& image) const;

  // The strip, broken into lines.
  int text_scale() const { return text_scale_; }
  const std::vector<std::string>& title_lines() const { return title_lines_; }
  const std::vector<std::vector<LegendItem>>& legend_lines() const { return legend_lines_; }
  int line_height() const { return (kGlyphRows + 3) * text_scale_; }
  int sample_width(const LegendItem& item) const;
  int item_width(const LegendItem& item) const;

 private:
  bool shows_costs() const { return shows_search() && drawing_.shown == Shown::costs; }
  void lay_out_strip();
  void measure_weights();
  void paint_cell(Image& image, int column, int row, Color color) const;
  void paint_strip(Image& image) const;

  const Drawing& drawing_;
  std::string error_;
  int columns_ = 0;
  int rows_ = 0;
  int cell_ = 1;
  bool grid_lines_ = false;
  int left_ = 0;
  int margin_ = 0;
  int strip_ = 0;
  int content_width_ = 0;
  int text_scale_ = 1;
  std::vector<std::string> title_lines_;
  std::vector<std::vector<LegendItem>> legend_lines_;
  double least_cost_ = 1;
  double largest_cost_ = 1;
  double largest_g_ = 0;
};

// Lays out several Drawings side by side, with strips of one height.
std::string lay_out_row(const std::vector<Drawing>& drawings, const DrawOptions& options,
                        std::vector<Sheet>& sheets, int& width, int& height);

// Pixels a cell of a Mosaic; a line when there is nothing to draw, or too much.
std::string mosaic_cell(const Mosaic& mosaic, const DrawOptions& options, int* cell);
constexpr int kArrowCell = 8;  // the smallest cell with an arrow
constexpr int kAcross[8] = {1, 1, 0, -1, -1, -1, 0, 1}, kDown[8] = {0, 1, 1, 1, 0, -1, -1, -1};

}  // namespace octile::pictures
