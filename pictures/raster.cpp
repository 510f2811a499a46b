// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "pictures/raster.hpp"

#include <algorithm>
#include <cmath>

namespace octile::pictures {
namespace {

// How much of a pixel lies within `radius` of a segment, by the distance of its centre.
double coverage(Point pixel, Point a, Point b, double radius) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = dx * dx + dy * dy;
  double t = length > 0 ? ((pixel.x - a.x) * dx + (pixel.y - a.y) * dy) / length : 0;
  t = std::clamp(t, 0.0, 1.0);
  const double distance = std::hypot(pixel.x - a.x - t * dx, pixel.y - a.y - t * dy);
  return std::clamp(radius + 0.5 - distance, 0.0, 1.0);
}

}  // namespace

Color mix(Color under, Color over, double share) {
  const auto part = [share](uint8_t u, uint8_t o) {
    return static_cast<uint8_t>(std::lround(u + (o - u) * share));
  };
  return {part(under.r, over.r), part(under.g, over.g), part(under.b, over.b)};
}

void fill_rect(Image& image, int x, int y, int width, int height, Color color) {
  const int right = std::min(x + width, image.width);
  const int bottom = std::min(y + height, image.height);
  for (int row = std::max(y, 0); row < bottom; ++row) {
    for (int column = std::max(x, 0); column < right; ++column) image.set(column, row, color);
  }
}

void frame_rect(Image& image, int x, int y, int width, int height, Color color) {
  fill_rect(image, x, y, width, 1, color);
  fill_rect(image, x, y + height - 1, width, 1, color);
  fill_rect(image, x, y, 1, height, color);
  fill_rect(image, x + width - 1, y, 1, height, color);
}

void stroke(Image& image, const std::vector<Point>& points, double width, Color color,
            double opacity) {
  if (points.empty()) return;
  const double radius = width / 2;
  const auto clip = [](double value, int size) {
    return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(size)));
  };
  double low_x = points[0].x, high_x = points[0].x, low_y = points[0].y, high_y = points[0].y;
  for (const Point& p : points) {
    low_x = std::min(low_x, p.x);
    high_x = std::max(high_x, p.x);
    low_y = std::min(low_y, p.y);
    high_y = std::max(high_y, p.y);
  }
  const int left = clip(low_x - radius - 1, image.width);
  const int right = clip(high_x + radius + 2, image.width);
  const int top = clip(low_y - radius - 1, image.height);
  const int bottom = clip(high_y + radius + 2, image.height);
  if (left >= right || top >= bottom) return;
  const size_t mask_width = static_cast<size_t>(right - left);
  std::vector<float> mask(mask_width * static_cast<size_t>(bottom - top), 0);

  for (size_t i = 0; i < std::max<size_t>(points.size() - 1, 1); ++i) {
    const Point a = points[i];
    const Point b = points[std::min(i + 1, points.size() - 1)];
    const int y0 = clip(std::min(a.y, b.y) - radius - 1, image.height);
    const int y1 = clip(std::max(a.y, b.y) + radius + 2, image.height);
    for (int y = y0; y < y1; ++y) {
      // Of a slanting line only the stretch near this row: a long diagonal stays cheap.
      double x_low = std::min(a.x, b.x);
      double x_high = std::max(a.x, b.x);
      if (std::abs(b.y - a.y) > 1e-9) {
        const double slope = (b.x - a.x) / (b.y - a.y);
        const double reach = (radius + 2) * std::hypot(1, slope) + std::abs(slope);
        const double middle = a.x + (y + 0.5 - a.y) * slope;
        x_low = std::max(x_low, middle - reach);
        x_high = std::min(x_high, middle + reach);
      }
      const int x0 = clip(x_low - radius - 1, image.width);
      const int x1 = clip(x_high + radius + 2, image.width);
      for (int x = x0; x < x1; ++x) {
        float& there =
            mask[static_cast<size_t>(y - top) * mask_width + static_cast<size_t>(x - left)];
        there = std::max(there, static_cast<float>(coverage({x + 0.5, y + 0.5}, a, b, radius)));
      }
    }
  }
  size_t i = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x, ++i) {
      if (mask[i] > 0) {
        image.set(x, y, mix(image.at(x, y), color, static_cast<double>(mask[i]) * opacity));
      }
    }
  }
}

void disc(Image& image, Point center, double radius, Color color) {
  stroke(image, {center}, radius * 2, color);
}

}  // namespace octile::pictures
