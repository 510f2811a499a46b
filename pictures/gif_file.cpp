// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <gif_lib.h>

#include <algorithm>
#include <bit>

#include "pictures/palette.hpp"

namespace octile::pictures {

struct GifWriter::Impl {
  GifFileType* gif = nullptr;
  std::vector<uint8_t> bytes;
  Image last;  // the frame before; empty before the first
};

namespace {

int append(GifFileType* gif, const GifByteType* data, int size) {
  auto& bytes = *static_cast<std::vector<uint8_t>*>(gif->UserData);
  bytes.insert(bytes.end(), data, data + size);
  return size;
}

std::string gif_error(const GifFileType* gif) {
  const char* text = gif ? GifErrorString(gif->Error) : nullptr;
  return std::string("cannot make the GIF: ") + (text ? text : "unknown error");
}

struct PixelBox {
  int left, top, right, bottom;  // right and bottom are outside
};

PixelBox changed_box(const Image& before, const Image& now) {
  PixelBox box{now.width, now.height, 0, 0};
  for (int y = 0; y < now.height; ++y) {
    for (int x = 0; x < now.width; ++x) {
      if (before.at(x, y) == now.at(x, y)) continue;
      box.left = std::min(box.left, x);
      box.right = std::max(box.right, x + 1);
      box.top = std::min(box.top, y);
      box.bottom = y + 1;
    }
  }
  if (box.right == 0) return {0, 0, 1, 1};  // nothing changed; a frame has one pixel at least
  return box;
}

}  // namespace

GifWriter::GifWriter() : impl_(new Impl) {}

GifWriter::~GifWriter() {
  if (impl_->gif) EGifCloseFile(impl_->gif, nullptr);
  delete impl_;
}

std::string GifWriter::begin(int width, int height) {
  if (impl_->gif) return "this GIF has begun already";
  if (width < 1 || height < 1) return "the picture is empty";
  if (width > 65535 || height > 65535 || int64_t{width} * height > kMaxPixels) {
    return "the picture is too large for a GIF";
  }
  int error = 0;
  impl_->bytes.clear();
  impl_->gif = EGifOpen(&impl_->bytes, append, &error);
  if (!impl_->gif) return gif_error(nullptr);
  GifFileType* gif = impl_->gif;
  EGifSetGifVersion(gif, true);
  static const char kLoop[] = "NETSCAPE2.0";
  static const uint8_t kForever[3] = {1, 0, 0};
  if (EGifPutScreenDesc(gif, width, height, 8, 0, nullptr) == GIF_ERROR ||
      EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR ||
      EGifPutExtensionBlock(gif, 11, kLoop) == GIF_ERROR ||
      EGifPutExtensionBlock(gif, 3, kForever) == GIF_ERROR ||
      EGifPutExtensionTrailer(gif) == GIF_ERROR) {
    return gif_error(gif);
  }
  impl_->last = Image();
  return "";
}

std::string GifWriter::add(const Image& image, int milliseconds) {
  GifFileType* gif = impl_->gif;
  if (!gif) return "this GIF has not begun";
  if (image.width != gif->SWidth || image.height != gif->SHeight) {
    return "a frame of another size than the GIF";
  }
  // 1. What changed, and its colours. Pixels that stay are transparent, which packs best.
  const bool first = impl_->last.width == 0;
  const PixelBox box =
      first ? PixelBox{0, 0, image.width, image.height} : changed_box(impl_->last, image);
  std::vector<uint32_t> changed;
  std::vector<uint8_t> stays;
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      const Color color = image.at(x, y);
      const bool same = !first && impl_->last.at(x, y) == color;
      stays.push_back(same);
      const uint8_t rgb[3] = {color.r, color.g, color.b};
      if (!same) changed.push_back(packed(rgb));
    }
  }
  Indexed indexed;
  index_colors(changed, 255, false, indexed);

  // 2. The palette: index 0 is the transparent one, after it the colours; a power of two long.
  const int size = std::max(2, static_cast<int>(std::bit_ceil(indexed.palette.size() + 1)));
  std::vector<GifColorType> colors(static_cast<size_t>(size), GifColorType{0, 0, 0});
  for (size_t i = 0; i < indexed.palette.size(); ++i) {
    colors[i + 1] = {indexed.palette[i].r, indexed.palette[i].g, indexed.palette[i].b};
  }
  ColorMapObject* map = GifMakeMapObject(size, colors.data());
  if (!map) return "cannot make the GIF: out of memory";

  // 3. The frame.
  GraphicsControlBlock control;
  control.DisposalMode = DISPOSE_DO_NOT;
  control.UserInputFlag = false;
  control.DelayTime = std::clamp((milliseconds + 5) / 10, 1, 65535);
  control.TransparentColor = first ? NO_TRANSPARENT_COLOR : 0;
  GifByteType extension[4];
  EGifGCBToExtension(&control, extension);
  bool good = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, extension) != GIF_ERROR &&
              EGifPutImageDesc(gif, box.left, box.top, box.right - box.left, box.bottom - box.top,
                               false, map) != GIF_ERROR;
  GifFreeMapObject(map);
  std::vector<GifPixelType> line;
  size_t at = 0;
  size_t next = 0;
  for (int y = box.top; good && y < box.bottom; ++y) {
    line.clear();
    for (int x = box.left; x < box.right; ++x) {
      const bool same = stays[at++] != 0;
      line.push_back(same ? GifPixelType{0}
                          : static_cast<GifPixelType>(indexed.pixels[next++] + 1));
    }
    good = EGifPutLine(gif, line.data(), static_cast<int>(line.size())) != GIF_ERROR;
  }
  if (!good) return gif_error(gif);
  impl_->last = image;
  return "";
}

std::string GifWriter::finish(std::vector<uint8_t>& gif) {
  if (!impl_->gif) return "this GIF has not begun";
  if (impl_->last.width == 0) return "a GIF needs a frame";
  int error = 0;
  GifFileType* file = impl_->gif;
  impl_->gif = nullptr;  // closing frees it, even when it fails
  if (EGifCloseFile(file, &error) == GIF_ERROR) {
    const char* text = GifErrorString(error);
    return std::string("cannot make the GIF: ") + (text ? text : "unknown error");
  }
  gif = std::move(impl_->bytes);
  return "";
}

}  // namespace octile::pictures
