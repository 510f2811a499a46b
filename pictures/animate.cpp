// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <algorithm>

#include "pictures/sheet.hpp"

namespace octile::pictures {

// A canvas collects the searched cells of all sheets; a frame is a copy of it with the routes and
// the ends on top.
std::string animate(const std::vector<Drawing>& drawings, const AnimationOptions& options,
                    std::vector<uint8_t>& gif) {
  // 1. Lay out, and choose how many events a frame shows.
  size_t most = 0;
  for (const Drawing& drawing : drawings) {
    if (!drawing.trace) return "an animation needs the trace of a search";
    most = std::max(most, drawing.trace->size());
  }
  std::vector<Sheet> sheets;
  int width = 0;
  int height = 0;
  if (std::string error = lay_out_row(drawings, options.draw, sheets, width, height);
      !error.empty()) {
    return error;
  }
  const size_t wanted = static_cast<size_t>(std::max(1, options.frames));
  const size_t pace = std::max<size_t>(1, (most + wanted - 1) / wanted);
  const size_t search_frames = (most + pace - 1) / pace;
  const size_t path_frames = static_cast<size_t>(std::max(1, options.path_frames));
  // A short search has fewer frames, and longer ones: it should be seen as well.
  const size_t slower = std::clamp<size_t>(wanted / std::max<size_t>(1, search_frames), 1, 4);
  const int frame_ms = options.frame_ms * static_cast<int>(slower);

  // 2. The empty map first.
  Image canvas(width, height, kPage);
  for (const Sheet& sheet : sheets) sheet.paint_base(canvas);
  Image frame = canvas;
  for (const Sheet& sheet : sheets) sheet.paint_ends(frame);
  GifWriter writer;
  if (std::string error = writer.begin(width, height); !error.empty()) return error;
  if (std::string error = writer.add(frame, frame_ms); !error.empty()) return error;

  // 3. One frame after the other; a sheet's path grows as soon as its own search is done.
  const size_t frames = search_frames + path_frames;
  for (size_t f = 1; f <= frames; ++f) {
    for (const Sheet& sheet : sheets) sheet.paint_search(canvas, (f - 1) * pace, f * pace);
    frame = canvas;
    for (size_t i = 0; i < sheets.size(); ++i) {
      const size_t done = (drawings[i].trace->size() + pace - 1) / pace;
      if (f > done) {
        const double share = static_cast<double>(f - done) / static_cast<double>(path_frames);
        sheets[i].paint_routes(frame, std::min(1.0, share));
      }
      sheets[i].paint_ends(frame);
    }
    const int time = f == frames ? options.hold_ms : frame_ms;
    if (std::string error = writer.add(frame, time); !error.empty()) return error;
  }
  return writer.finish(gif);
}

}  // namespace octile::pictures
