// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "pictures/palette.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace octile::pictures {
namespace {

struct Entry {
  uint32_t color;
  uint64_t count;
};

int channel(uint32_t color, int shift) {
  return static_cast<int>(color >> shift & 255);
}

// A stretch of the histogram, cut where half of its pixels lie, across its longest side.
struct ColourBox {
  size_t first;
  size_t last;
  int shift = 0;   // of the longest side
  int length = 0;  // of that side

  void measure(const std::vector<Entry>& entries) {
    length = -1;
    for (const int s : {16, 8, 0}) {
      int low = 255;
      int high = 0;
      for (size_t i = first; i < last; ++i) {
        low = std::min(low, channel(entries[i].color, s));
        high = std::max(high, channel(entries[i].color, s));
      }
      if (high - low > length) {
        length = high - low;
        shift = s;
      }
    }
  }
};

std::vector<ColourBox> median_cut(std::vector<Entry>& entries, size_t limit) {
  std::vector<ColourBox> boxes{{0, entries.size()}};
  boxes[0].measure(entries);
  while (boxes.size() < limit) {
    const auto longest = std::max_element(
        boxes.begin(), boxes.end(),
        [](const ColourBox& a, const ColourBox& b) { return a.length < b.length; });
    if (longest->length == 0) break;
    ColourBox& low = *longest;
    const int shift = low.shift;
    std::sort(entries.begin() + static_cast<ptrdiff_t>(low.first),
              entries.begin() + static_cast<ptrdiff_t>(low.last),
              [shift](const Entry& a, const Entry& b) {
                const int ca = channel(a.color, shift);
                const int cb = channel(b.color, shift);
                return ca != cb ? ca < cb : a.color < b.color;
              });
    uint64_t total = 0;
    for (size_t i = low.first; i < low.last; ++i) total += entries[i].count;
    uint64_t seen = 0;
    size_t cut = low.first;
    while (cut + 1 < low.last && (cut == low.first || seen * 2 < total)) {
      seen += entries[cut++].count;
    }
    ColourBox high{cut, low.last};
    low.last = cut;
    low.measure(entries);
    high.measure(entries);
    boxes.push_back(high);
  }
  return boxes;
}

Color mean(const std::vector<Entry>& entries, const ColourBox& box) {
  uint64_t sum[3] = {0, 0, 0};
  uint64_t count = 0;
  for (size_t i = box.first; i < box.last; ++i) {
    count += entries[i].count;
    for (int c = 0; c < 3; ++c) {
      sum[c] += entries[i].count * static_cast<uint64_t>(channel(entries[i].color, 16 - 8 * c));
    }
  }
  const auto rounded = [count](uint64_t s) {
    return static_cast<uint8_t>((s + count / 2) / count);
  };
  return {rounded(sum[0]), rounded(sum[1]), rounded(sum[2])};
}

}  // namespace

bool index_colors(const std::vector<uint32_t>& pixels, size_t limit, bool exact_only,
                  Indexed& indexed) {
  std::unordered_map<uint32_t, uint64_t> counts;
  uint32_t last = 0xffffffff;
  uint64_t* last_count = nullptr;
  for (const uint32_t pixel : pixels) {
    if (pixel != last) {
      last = pixel;
      last_count = &counts[pixel];
      if (exact_only && counts.size() > limit) return false;
    }
    ++*last_count;
  }
  std::vector<Entry> entries;
  entries.reserve(counts.size());
  for (const auto& [color, count] : counts) entries.push_back({color, count});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.color < b.color; });

  std::unordered_map<uint32_t, uint8_t> index_of;
  indexed.palette.clear();
  if (entries.size() <= limit) {
    for (const Entry& entry : entries) {
      index_of[entry.color] = static_cast<uint8_t>(indexed.palette.size());
      indexed.palette.push_back({static_cast<uint8_t>(entry.color >> 16),
                                 static_cast<uint8_t>(entry.color >> 8),
                                 static_cast<uint8_t>(entry.color)});
    }
  } else {
    for (const ColourBox& box : median_cut(entries, limit)) {
      for (size_t i = box.first; i < box.last; ++i) {
        index_of[entries[i].color] = static_cast<uint8_t>(indexed.palette.size());
      }
      indexed.palette.push_back(mean(entries, box));
    }
  }
  indexed.pixels.resize(pixels.size());
  last = 0xffffffff;
  uint8_t last_index = 0;
  for (size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] != last) {
      last = pixels[i];
      last_index = index_of[last];
    }
    indexed.pixels[i] = last_index;
  }
  return true;
}

std::string hex(Color color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color.r, color.g, color.b);
  return text;
}

}  // namespace octile::pictures
