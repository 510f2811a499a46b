// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// The few drawing operations that pictures of maps need. Everything is clipped to the image. Pixel
// (x, y) covers x .. x + 1 by y .. y + 1, so a pixel's centre lies at .5.

#include <string>
#include <vector>

#include "pictures/pictures.hpp"

namespace octile::pictures {

struct Point {
  double x = 0;
  double y = 0;
};

Color mix(Color under, Color over, double share);

void fill_rect(Image& image, int x, int y, int width, int height, Color color);
void frame_rect(Image& image, int x, int y, int width, int height, Color color);

// A line through all points with round ends and joints, its edges smoothed. One coverage mask for
// the whole line, so that it is even where it crosses itself.
void stroke(Image& image, const std::vector<Point>& points, double width, Color color,
            double opacity = 1);
void disc(Image& image, Point center, double radius, Color color);

constexpr int kGlyphRows = 9;  // seven, and two for tails
constexpr int kGlyphAdvance = 6;
int text_width(const std::string& text, int scale);
void draw_text(Image& image, int x, int y, const std::string& text, int scale, Color color);

}  // namespace octile::pictures
