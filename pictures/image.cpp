// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "octile/detail/write_file.hpp"
#include "pictures/pictures.hpp"

namespace octile::pictures {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string file_error(const char* what, const std::string& file) {
  return std::string(what) + " " + file + ": " + std::strerror(errno);
}

}  // namespace

Image::Image(int w, int h, Color fill) : width(w), height(h) {
  rgb.resize(static_cast<size_t>(w) * static_cast<size_t>(h) * 3);
  for (size_t i = 0; i < rgb.size(); i += 3) {
    rgb[i] = fill.r;
    rgb[i + 1] = fill.g;
    rgb[i + 2] = fill.b;
  }
}

Color Image::at(int x, int y) const {
  const uint8_t* p =
      rgb.data() +
      (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
  return {p[0], p[1], p[2]};
}

void Image::set(int x, int y, Color color) {
  uint8_t* p = rgb.data() +
               (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
  p[0] = color.r;
  p[1] = color.g;
  p[2] = color.b;
}

std::string read_file(const std::string& file, std::vector<uint8_t>& bytes) {
  const File in(std::fopen(file.c_str(), "rb"));
  if (!in) return file_error("cannot read", file);
  std::vector<uint8_t> content;
  uint8_t block[1 << 16];
  for (;;) {
    const size_t n = std::fread(block, 1, sizeof block, in.get());
    content.insert(content.end(), block, block + n);
    if (n < sizeof block) break;
  }
  if (std::ferror(in.get())) return file_error("cannot read", file);
  bytes = std::move(content);
  return "";
}

std::string write_file(const std::string& file, const void* data, size_t size) {
  const detail::FileError error = detail::write_file(file.c_str(), data, size);
  if (error == detail::FileError::no_file) return "cannot write " + file + ": it is not a file";
  return error == detail::FileError::none ? "" : file_error("cannot write", file);
}

std::string write_png(const std::string& file, const Image& image) {
  std::vector<uint8_t> png;
  if (std::string error = encode_png(image, png); !error.empty()) return error;
  return write_file(file, png.data(), png.size());
}

std::string read_png(const std::string& file, Image& image) {
  std::vector<uint8_t> png;
  if (std::string error = read_file(file, png); !error.empty()) return error;
  std::string error = decode_png(png.data(), png.size(), image);
  return error.empty() ? error : file + ": " + error;
}

}  // namespace octile::pictures
