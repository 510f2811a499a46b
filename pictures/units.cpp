// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "pictures/units.hpp"

#include <algorithm>
#include <cstdio>

#include "pictures/palette.hpp"
#include "pictures/sheet.hpp"

namespace octile::pictures {
namespace {

// Few colours: GIF frames stay small, and neighbours in the list are told apart.
constexpr Color kUnits[] = {{214, 69, 65},  {38, 110, 190}, {46, 140, 87},  {230, 140, 30},
                            {125, 80, 180}, {20, 150, 160}, {200, 80, 150}, {120, 100, 60}};
Color color_of(size_t agent) {
  return kUnits[agent % std::size(kUnits)];
}

std::string wrong(const View& view, const Plan& plan) {
  if (view.empty()) return "there is no map to draw";
  if (plan.rows() == 0 || plan.agents() == 0) return "there are no units to draw";
  return "";
}

Drawing drawing_of(const View& view, const UnitsOptions& options) {
  Drawing drawing;
  drawing.view = view;
  drawing.title = options.title;
  return drawing;
}

// The ticks that are shown: every n-th, and the last.
std::vector<size_t> shown_ticks(const Plan& plan, size_t most) {
  const size_t pace = (plan.rows() + most - 1) / most;
  std::vector<size_t> ticks;
  for (size_t t = 0; t < plan.rows(); t += pace) ticks.push_back(t);
  if (ticks.back() != plan.ticks()) ticks.push_back(plan.ticks());
  return ticks;
}

// The map, and a square on each goal.
void paint_goals(const Sheet& sheet, const Plan& plan, Image& canvas) {
  sheet.paint_base(canvas);
  if (sheet.cell() < 4) return;
  const Cell* goals = plan.row(plan.ticks());
  for (size_t i = 0; i < plan.agents(); ++i) {
    const Point at = sheet.center(goals[i]);
    const int side = std::max(2, sheet.cell() / 3);
    frame_rect(canvas, static_cast<int>(at.x) - side / 2, static_cast<int>(at.y) - side / 2, side,
               side, mix(kWhite, color_of(i), 0.7));
  }
}

// The units on their way from one tick to the other.
void paint_units(const Sheet& sheet, const Plan& plan, size_t from, size_t to, double share,
                 Image& canvas) {
  const int cell = sheet.cell();
  for (size_t i = 0; i < plan.agents(); ++i) {
    const Point a = sheet.center(plan.at(from, i)), b = sheet.center(plan.at(to, i));
    const Point at{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    if (cell >= 4) {
      disc(canvas, at, cell * 0.4, color_of(i));
    } else {
      fill_rect(canvas, static_cast<int>(at.x - cell / 2.0), static_cast<int>(at.y - cell / 2.0),
                cell, cell, color_of(i));
    }
  }
}

std::string tenths(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

}  // namespace

std::string draw_units(const View& view, const Plan& plan, size_t tick, const UnitsOptions& options,
                       Image& image) {
  if (std::string error = wrong(view, plan); !error.empty()) return error;
  if (tick >= plan.rows()) return "the plan has no such tick";
  const Drawing drawing = drawing_of(view, options);
  const Sheet sheet(drawing, options.draw);
  if (!sheet.error().empty()) return sheet.error();
  Image canvas(sheet.width(), sheet.height(), kPage);
  paint_goals(sheet, plan, canvas);
  paint_units(sheet, plan, tick, tick, 0, canvas);
  image = std::move(canvas);
  return "";
}

std::string animate_units(const View& view, const Plan& plan, const UnitsOptions& options,
                          std::vector<uint8_t>& gif) {
  if (std::string error = wrong(view, plan); !error.empty()) return error;
  const Drawing drawing = drawing_of(view, options);
  const Sheet sheet(drawing, options.draw);
  if (!sheet.error().empty()) return sheet.error();

  Image canvas(sheet.width(), sheet.height(), kPage);
  paint_goals(sheet, plan, canvas);

  GifWriter writer;
  if (std::string error = writer.begin(canvas.width, canvas.height); !error.empty()) return error;
  const std::vector<size_t> ticks =
      shown_ticks(plan, static_cast<size_t>(std::max(2, options.most_frames)));
  const bool glides = sheet.cell() >= 8 &&
                      ticks.size() * 2 <= static_cast<size_t>(options.most_frames) &&
                      ticks.size() == plan.rows();
  const int parts = glides ? 2 : 1;
  for (size_t f = 0; f < ticks.size(); ++f) {
    const bool last = f + 1 == ticks.size();
    for (int part = 0; part < (last ? 1 : parts); ++part) {
      Image frame = canvas;
      const double share = static_cast<double>(part) / parts;
      paint_units(sheet, plan, ticks[f], ticks[last ? f : f + 1], share, frame);
      const int time = last ? options.hold_ms : options.tick_ms / parts;
      if (std::string error = writer.add(frame, time); !error.empty()) return error;
    }
  }
  return writer.finish(gif);
}

std::string animate_units_svg(const View& view, const Plan& plan, const UnitsOptions& options,
                              std::string& svg) {
  if (std::string error = wrong(view, plan); !error.empty()) return error;
  const Drawing drawing = drawing_of(view, options);
  const Sheet sheet(drawing, options.draw);
  if (!sheet.error().empty()) return sheet.error();
  std::string text;
  if (std::string error = draw_svg(drawing, options.draw, text); !error.empty()) return error;
  text.resize(text.rfind("</svg>"));

  // Each coordinate changes evenly over the ticks; then all stand still for a while.
  const double moving = static_cast<double>(plan.ticks()) * options.tick_ms / 1000;
  const double whole = moving + options.hold_ms / 1000.0;
  const auto animation = [&](const char* what, size_t agent, bool x) {
    std::string values, times;
    for (size_t t = 0; t < plan.rows(); ++t) {
      const Point at = sheet.center(plan.at(t, agent));
      values += tenths(x ? at.x : at.y) + ";";
      char time[32];
      std::snprintf(time, sizeof time, "%.5f;",
                    static_cast<double>(t) * options.tick_ms / 1000 / whole);
      times += time;
    }
    const Point end = sheet.center(plan.at(plan.ticks(), agent));
    values += tenths(x ? end.x : end.y);
    return "<animate attributeName=\"" + std::string(what) + "\" dur=\"" + tenths(whole) +
           "s\" repeatCount=\"indefinite\" values=\"" + values + "\" keyTimes=\"" + times + "1\"/>";
  };
  const double radius = sheet.cell() * 0.4, side = sheet.cell() * 0.3;
  for (size_t i = 0; i < plan.agents(); ++i) {
    const Point goal = sheet.center(plan.at(plan.ticks(), i));
    text += "<rect x=\"" + tenths(goal.x - side / 2) + "\" y=\"" + tenths(goal.y - side / 2) +
            "\" width=\"" + tenths(side) + "\" height=\"" + tenths(side) +
            "\" fill=\"none\" stroke=\"" + hex(color_of(i)) + "\"/>\n";
  }
  for (size_t i = 0; i < plan.agents(); ++i) {
    const Point at = sheet.center(plan.at(0, i));
    text += "<circle cx=\"" + tenths(at.x) + "\" cy=\"" + tenths(at.y) + "\" r=\"" +
            tenths(radius) + "\" fill=\"" + hex(color_of(i)) + "\">" + animation("cx", i, true) +
            animation("cy", i, false) + "</circle>\n";
  }
  svg = text + "</svg>\n";
  return "";
}

}  // namespace octile::pictures
