// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Plays a GIF with giflib's own reader, so that tests see what a viewer shows.

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "pictures/pictures.hpp"

namespace octile::pictures {

struct Frame {
  Image image;  // as a viewer shows it
  int hundredths = 0;
};

inline std::vector<Frame> play(const std::vector<uint8_t>& bytes) {
  struct Reader {
    const std::vector<uint8_t>& bytes;
    size_t at;
  } reader{bytes, 0};
  int error = 0;
  GifFileType* gif = DGifOpen(
      &reader,
      [](GifFileType* file, GifByteType* out, int size) {
        auto& from = *static_cast<Reader*>(file->UserData);
        const size_t n = std::min(static_cast<size_t>(size), from.bytes.size() - from.at);
        std::memcpy(out, from.bytes.data() + from.at, n);
        from.at += n;
        return static_cast<int>(n);
      },
      &error);
  std::vector<Frame> frames;
  EXPECT_NE(gif, nullptr);
  if (!gif) return frames;
  EXPECT_EQ(DGifSlurp(gif), GIF_OK);
  Image screen(gif->SWidth, gif->SHeight, {255, 255, 255});
  for (int i = 0; i < gif->ImageCount; ++i) {
    const SavedImage& saved = gif->SavedImages[i];
    GraphicsControlBlock control{};
    EXPECT_EQ(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
    const GifImageDesc& box = saved.ImageDesc;
    for (int y = 0; y < box.Height; ++y) {
      for (int x = 0; x < box.Width; ++x) {
        const int index = saved.RasterBits[y * box.Width + x];
        if (index == control.TransparentColor) continue;
        const GifColorType& color = box.ColorMap->Colors[index];
        screen.set(box.Left + x, box.Top + y, {color.Red, color.Green, color.Blue});
      }
    }
    frames.push_back({screen, control.DelayTime});
  }
  DGifCloseFile(gif, &error);
  return frames;
}

}  // namespace octile::pictures
