// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// PNG and GIF files come back as they went; hostile PNGs are refused.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "gif_player.hpp"

namespace octile::pictures {
namespace {

constexpr Color kWhite{255, 255, 255};

Image noise(int width, int height, uint32_t colors) {
  Image image(width, height, kWhite);
  uint32_t state = 12345;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      state = state * 1664525 + 1013904223;
      const uint32_t c = (state >> 8) % colors * 2654435761u;
      image.set(x, y,
                {static_cast<uint8_t>(c >> 24), static_cast<uint8_t>(c >> 16),
                 static_cast<uint8_t>(c >> 8)});
    }
  }
  return image;
}

// ---------------------------------------------------------------------------------------------
// PNG

TEST(Png, comes_back_as_it_went) {
  for (const uint32_t colors : {1u, 2u, 200u, 256u, 257u, 60000u}) {
    const Image image = noise(61, 47, colors);
    std::vector<uint8_t> png;
    ASSERT_EQ(encode_png(image, png), "");
    ASSERT_TRUE(looks_like_png(png.data(), png.size()));
    Image again;
    ASSERT_EQ(decode_png(png.data(), png.size(), again), "");
    EXPECT_EQ(again.width, 61);
    EXPECT_EQ(again.height, 47);
    EXPECT_EQ(again.rgb, image.rgb) << colors;
  }
}

TEST(Png, files_come_back_and_failures_leave_none) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("octile_pictures_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "a.png").string();
  const Image image = noise(20, 10, 900);
  ASSERT_EQ(write_png(file, image), "");
  Image again;
  ASSERT_EQ(read_png(file, again), "");
  EXPECT_EQ(again.rgb, image.rgb);

  const std::string missing = (folder / "no" / "b.png").string();
  EXPECT_EQ(write_png(missing, image).substr(0, 13), "cannot write ");
  EXPECT_FALSE(std::filesystem::exists(missing));
  EXPECT_EQ(read_png(missing, again).substr(0, 12), "cannot read ");
  const std::string empty = (folder / "empty.png").string();
  EXPECT_EQ(write_png(empty, Image()), "the picture is empty");
  EXPECT_FALSE(std::filesystem::exists(empty));
  EXPECT_EQ(again.rgb, image.rgb);  // unchanged by the failures
  std::filesystem::remove_all(folder);
}

std::string decode_error(const std::vector<uint8_t>& bytes) {
  Image image(1, 1, kWhite);
  const std::string error = decode_png(bytes.data(), bytes.size(), image);
  if (!error.empty()) {
    EXPECT_EQ(image.width, 1);
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  return error;
}

TEST(Png, every_cut_is_refused) {
  std::vector<uint8_t> png;
  ASSERT_EQ(encode_png(noise(17, 9, 60000), png), "");
  for (size_t length = 0; length < png.size(); ++length) {
    const std::vector<uint8_t> cut(png.begin(), png.begin() + static_cast<ptrdiff_t>(length));
    const std::string error = decode_error(cut);
    // The last 12 bytes only say that the file ends; all pixels are there by then.
    if (length < png.size() - 12) {
      EXPECT_NE(error, "") << length << " of " << png.size();
    }
  }
}

TEST(Png, every_broken_byte_is_survived) {
  std::vector<uint8_t> png;
  ASSERT_EQ(encode_png(noise(17, 9, 200), png), "");
  size_t refused = 0;
  for (size_t i = 0; i < png.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::vector<uint8_t> broken = png;
      broken[i] = static_cast<uint8_t>(broken[i] ^ flip);
      refused += !decode_error(broken).empty();
    }
  }
  EXPECT_GT(refused, png.size());
}

uint32_t crc32_of(const uint8_t* data, size_t size) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

TEST(Png, huge_and_empty_sizes_are_refused_at_once) {
  std::vector<uint8_t> png;
  ASSERT_EQ(encode_png(noise(4, 4, 3), png), "");
  const auto with_size = [&png](uint32_t width, uint32_t height) {
    std::vector<uint8_t> bytes = png;  // IHDR: 8 bytes in, length and name before the two sizes
    for (int i = 0; i < 4; ++i) {
      bytes[16 + static_cast<size_t>(i)] = static_cast<uint8_t>(width >> (24 - 8 * i));
      bytes[20 + static_cast<size_t>(i)] = static_cast<uint8_t>(height >> (24 - 8 * i));
    }
    const uint32_t crc = crc32_of(bytes.data() + 12, 17);
    for (int i = 0; i < 4; ++i) {
      bytes[29 + static_cast<size_t>(i)] = static_cast<uint8_t>(crc >> (24 - 8 * i));
    }
    return bytes;
  };
  EXPECT_EQ(decode_error(with_size(4, 4)), "");
  EXPECT_NE(decode_error(with_size(0, 4)), "");
  EXPECT_NE(decode_error(with_size(4, 0)), "");
  EXPECT_NE(decode_error(with_size(0x7fffffff, 0x7fffffff)), "");
  EXPECT_NE(decode_error(with_size(60000, 60000)), "");
  EXPECT_NE(decode_error(with_size(70000, 1)), "");
  EXPECT_EQ(decode_error(with_size(16000, 16000)), "not a valid PNG: too few bytes for its size");
  EXPECT_NE(decode_error(with_size(5, 4)), "");  // more pixels than there are
}

TEST(Png, other_bytes_are_no_png) {
  EXPECT_EQ(decode_error({}), "not a PNG file");
  EXPECT_EQ(decode_error({'G', 'I', 'F', '8', '9', 'a', 0, 0, 0}), "not a PNG file");
  EXPECT_NE(decode_error({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}), "");
}

TEST(Png, dark_pixels_become_walls) {
  Image image(5, 1, kWhite);
  image.set(0, 0, {0, 0, 0});
  image.set(1, 0, {127, 127, 127});
  image.set(2, 0, {128, 128, 128});
  image.set(3, 0, {0, 0, 255});  // blue is dark, yellow is light
  image.set(4, 0, {255, 255, 0});
  std::vector<uint8_t> png;
  ASSERT_EQ(encode_png(image, png), "");
  PictureMap map;
  ASSERT_EQ(map_from_png(png.data(), png.size(), map), "");
  EXPECT_EQ(map.width, 5);
  EXPECT_EQ(map.height, 1);
  EXPECT_EQ(std::string(map.terrain.begin(), map.terrain.end()), "@@.@.");
  EXPECT_EQ(map_from_png("abc", 3, map), "not a PNG file");
  EXPECT_EQ(map.width, 5);
}

// ---------------------------------------------------------------------------------------------
// GIF

TEST(Gif, frames_come_back_as_they_went) {
  std::vector<Image> images;
  images.push_back(noise(50, 30, 200));
  images.push_back(images[0]);
  images[1].set(49, 29, {1, 2, 3});
  images.push_back(images[1]);  // nothing changed
  images.push_back(noise(50, 30, 255));
  images.push_back(Image(50, 30, {9, 9, 9}));
  GifWriter writer;
  ASSERT_EQ(writer.begin(50, 30), "");
  for (size_t i = 0; i < images.size(); ++i) {
    ASSERT_EQ(writer.add(images[i], static_cast<int>(i) * 40 + 30), "");
  }
  std::vector<uint8_t> gif;
  ASSERT_EQ(writer.finish(gif), "");
  const std::vector<Frame> frames = play(gif);
  ASSERT_EQ(frames.size(), images.size());
  for (size_t i = 0; i < images.size(); ++i) {
    EXPECT_EQ(frames[i].image.rgb, images[i].rgb) << i;
    EXPECT_EQ(frames[i].hundredths, static_cast<int>(i) * 4 + 3);
  }
  const std::string loop = "NETSCAPE2.0";
  EXPECT_NE(std::search(gif.begin(), gif.end(), loop.begin(), loop.end()), gif.end());
}

TEST(Gif, many_colours_come_close) {
  Image image(64, 64, kWhite);  // 4,096 colours, a smooth field
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      image.set(x, y, {static_cast<uint8_t>(x * 4), static_cast<uint8_t>(y * 4), 128});
    }
  }
  GifWriter writer;
  ASSERT_EQ(writer.begin(64, 64), "");
  ASSERT_EQ(writer.add(image, 100), "");
  std::vector<uint8_t> gif;
  ASSERT_EQ(writer.finish(gif), "");
  const std::vector<Frame> frames = play(gif);
  ASSERT_EQ(frames.size(), 1u);
  int worst = 0;
  for (size_t i = 0; i < image.rgb.size(); ++i) {
    worst = std::max(worst, std::abs(int{image.rgb[i]} - int{frames[0].image.rgb[i]}));
  }
  EXPECT_LE(worst, 16);
  EXPECT_GT(worst, 0);
}

TEST(Gif, wrong_use_gets_a_line) {
  GifWriter writer;
  std::vector<uint8_t> gif;
  EXPECT_NE(writer.add(Image(2, 2, kWhite), 10), "");
  EXPECT_NE(writer.finish(gif), "");
  EXPECT_NE(writer.begin(0, 5), "");
  EXPECT_NE(writer.begin(70000, 5), "");
  ASSERT_EQ(writer.begin(2, 2), "");
  EXPECT_NE(writer.begin(2, 2), "");
  EXPECT_NE(writer.finish(gif), "");
  EXPECT_EQ(writer.add(Image(3, 2, kWhite), 10), "a frame of another size than the GIF");
  EXPECT_TRUE(gif.empty());
}

}  // namespace
}  // namespace octile::pictures
