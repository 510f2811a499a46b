// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// PNG through libpng's simplified interface, which reports errors by value: no setjmp here.

#include <png.h>

#include <cstring>
#include <new>

#include "pictures/palette.hpp"

namespace octile::pictures {
namespace {

// Frees what libpng holds for an image, on every way out.
struct PngImage {
  png_image value;
  PngImage() {
    std::memset(&value, 0, sizeof value);
    value.version = PNG_IMAGE_VERSION;
  }
  ~PngImage() { png_image_free(&value); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

std::string check_size(uint64_t width, uint64_t height) {
  if (width == 0 || height == 0) return "the picture is empty";
  if (width > kMaxSide || height > kMaxSide || width * height > uint64_t{kMaxPixels}) {
    return "the picture is too large: " + std::to_string(width) + " x " + std::to_string(height) +
           " pixels";
  }
  return "";
}

// Reads any PNG in the format asked for, over a white ground.
std::string decode(const void* data, size_t size, png_uint_32 format, int& width, int& height,
                   std::vector<uint8_t>& pixels) {
  if (!looks_like_png(data, size)) return "not a PNG file";
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.value, data, size)) {
    return std::string("not a valid PNG: ") + png.value.message;
  }
  if (std::string error = check_size(png.value.width, png.value.height); !error.empty()) {
    return error;
  }
  // A byte of deflate gives at most 1,032, and a pixel takes at least a bit: a header alone gets no
  // memory.
  if (uint64_t{png.value.width} * png.value.height / 8 / 1032 > size) {
    return "not a valid PNG: too few bytes for its size";
  }
  png.value.format = format;
  std::vector<uint8_t> decoded;
  try {
    decoded.resize(PNG_IMAGE_SIZE(png.value));
  } catch (const std::bad_alloc&) {
    return "not enough memory for the picture";
  }
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&png.value, &white, decoded.data(), 0, nullptr)) {
    return std::string("not a valid PNG: ") + png.value.message;
  }
  width = static_cast<int>(png.value.width);
  height = static_cast<int>(png.value.height);
  pixels = std::move(decoded);
  return "";
}

std::string encode(int width, int height, png_uint_32 format, const void* pixels,
                   const std::vector<Color>& palette, std::vector<uint8_t>& bytes) {
  PngImage png;
  png.value.width = static_cast<png_uint_32>(width);
  png.value.height = static_cast<png_uint_32>(height);
  png.value.format = format;
  png.value.colormap_entries = static_cast<png_uint_32>(palette.size());
  std::vector<uint8_t> map;
  for (const Color& color : palette) map.insert(map.end(), {color.r, color.g, color.b});
  png_alloc_size_t length = PNG_IMAGE_PNG_SIZE_MAX(png.value);
  std::vector<uint8_t> encoded(length);
  if (!png_image_write_to_memory(&png.value, encoded.data(), &length, 0, pixels, 0,
                                 palette.empty() ? nullptr : map.data())) {
    return std::string("cannot make the PNG: ") + png.value.message;
  }
  encoded.resize(length);
  bytes = std::move(encoded);
  return "";
}

}  // namespace

bool looks_like_png(const void* data, size_t size) {
  constexpr uint8_t kSignature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  return size >= sizeof kSignature && std::memcmp(data, kSignature, sizeof kSignature) == 0;
}

std::string encode_png(const Image& image, std::vector<uint8_t>& png) {
  if (image.width < 0 || image.height < 0) return "the picture is empty";
  if (std::string error =
          check_size(static_cast<uint64_t>(image.width), static_cast<uint64_t>(image.height));
      !error.empty()) {
    return error;
  }
  const size_t pixel_count = static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
  if (image.rgb.size() != pixel_count * 3) return "the picture's pixels do not fit its size";
  std::vector<uint32_t> pixels(pixel_count);
  for (size_t i = 0; i < pixel_count; ++i) pixels[i] = packed(&image.rgb[i * 3]);
  Indexed indexed;
  if (index_colors(pixels, 256, true, indexed)) {
    return encode(image.width, image.height, PNG_FORMAT_RGB_COLORMAP, indexed.pixels.data(),
                  indexed.palette, png);
  }
  return encode(image.width, image.height, PNG_FORMAT_RGB, image.rgb.data(), {}, png);
}

std::string decode_png(const void* data, size_t size, Image& image) {
  return decode(data, size, PNG_FORMAT_RGB, image.width, image.height, image.rgb);
}

std::string map_from_png(const void* data, size_t size, PictureMap& map) {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> grey;
  std::string error = decode(data, size, PNG_FORMAT_GRAY, width, height, grey);
  if (!error.empty()) return error;
  for (uint8_t& value : grey) value = value < 128 ? '@' : '.';
  map = {width, height, std::move(grey)};
  return "";
}

std::string png_from_map(const View& view, std::vector<uint8_t>& png) {
  if (view.empty()) return "there is no map";
  const Cell first = view.first_cell();
  const int width = view.width();
  const int height = view.height();
  std::string error = check_size(static_cast<uint64_t>(width), static_cast<uint64_t>(height));
  if (!error.empty()) return error;
  std::vector<uint8_t> grey(static_cast<size_t>(width) * static_cast<size_t>(height));
  size_t i = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      grey[i++] = view.passable({first.x + x, first.y + y}) ? 255 : 0;
    }
  }
  return encode(width, height, PNG_FORMAT_GRAY, grey.data(), {}, png);
}

}  // namespace octile::pictures
