// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Units that follow a Plan, as an animated GIF or SVG: a disc for each agent, a small square of the
// same colour on its goal. Discs glide from cell to cell where cells are large enough to see it.

#include <string>
#include <vector>

#include "octile/agents.hpp"
#include "pictures/pictures.hpp"

namespace octile::pictures {

struct UnitsOptions {
  DrawOptions draw{640, 24, 0, true};
  std::string title;      // ASCII
  int most_frames = 240;  // longer plans leave ticks out
  int tick_ms = 160;
  int hold_ms = 2500;  // the last frame stays
};

std::string animate_units(const View& view, const Plan& plan, const UnitsOptions& options,
                          std::vector<uint8_t>& gif);
std::string animate_units_svg(const View& view, const Plan& plan, const UnitsOptions& options,
                              std::string& svg);

}  // namespace octile::pictures
