// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/look_back.hpp"

#include <algorithm>

namespace octile {

namespace {

struct LineOfMap {
  const uint64_t *stop, *corner;
  LineOfMap(const CornerMaps& maps, uint32_t line) noexcept
      : stop(maps.row_stop + size_t{line} * maps.row_words),
        corner(maps.row_corner + size_t{line} * maps.row_words) {}
  uint64_t passable(uint32_t word) const noexcept { return ~stop[word] | corner[word]; }
  uint64_t open(uint32_t word) const noexcept { return ~stop[word]; }  // not subgoals
};

CellLines::Span both(CellLines::Span a, CellLines::Span b) noexcept {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.first, b.first), std::max(a.end, b.end)};
}

// The word of a line whose cells moved one to the east, or else to the west.
template <class Word>
uint64_t moved(uint32_t w, uint32_t words, bool east, Word word) noexcept {
  if (east) return word(w) << 1 | (w > 0 ? word(w - 1) >> 63 : 0);
  return word(w) >> 1 | (w + 1 < words ? word(w + 1) << 63 : 0);
}

}  // namespace

bool CellLines::begin(const CornerMaps& maps) noexcept {
  const uint32_t lines = maps.height + 2;
  if (words_ != maps.row_words || span_.size() != lines) {
    words_ = maps.row_words;
    top_ = end_ = 0;
    if (!bits_.resize(size_t{lines} * words_) || !span_.assign(lines, {})) return false;
  }
  for (uint32_t line = top_; line < end_; ++line) span_[line] = {};
  top_ = end_ = 0;
  return true;
}

void CellLines::add(uint32_t line, uint32_t word, uint64_t bits) noexcept {
  if (bits == 0) return;
  uint64_t* const of_line = bits_.data() + size_t{line} * words_;
  Span& s = span_[line];
  if (top_ == end_) {
    top_ = line;
    end_ = line + 1;
  }
  top_ = std::min(top_, line);
  end_ = std::max(end_, line + 1);
  if (s.empty()) s = {word, word};
  while (s.first > word) of_line[--s.first] = 0;
  while (s.end <= word) of_line[s.end++] = 0;
  of_line[word] |= bits;
}

bool LookBack::find(const CornerMaps& maps, const Buffer<Point>& cells) noexcept {
  if (!cells_.begin(maps) || !seen_.begin(maps)) return false;
  for (const Point p : cells) cells_.add(p.y + 1, (p.x + 1) >> 6, uint64_t{1} << ((p.x + 1) & 63));
  for (uint32_t d = 0; d < 8; d += 2) {
    CellLines* const out = &straight_[d / 2];
    if (!(kDy[d] == 0 ? across(maps, d, out) : down(maps, d, out))) return false;
  }
  for (uint32_t d = 1; d < 8; d += 2)
    if (!aslant(maps, d)) return false;
  return true;
}

bool LookBack::across(const CornerMaps& maps, uint32_t direction, CellLines* out) noexcept {
  if (!out->begin(maps)) return false;
  const uint32_t words = maps.row_words;
  const bool east = kDx[direction] < 0;  // that is where it looks
  for (uint32_t line = cells_.top(); line < cells_.end(); ++line) {
    const LineOfMap map(maps, line);
    const CellLines::Span span = cells_.span(line);
    if (span.empty()) continue;
    const auto cells = [&](uint32_t w) { return cells_.word(line, w); };
    uint64_t carry = 0;
    for (uint32_t w = east ? span.first : span.end - 1; w < words; w += east ? 1 : UINT32_MAX) {
      const uint64_t passable = map.passable(w), open = map.open(w);
      uint64_t seen = passable & (moved(w, words, east, cells) | carry);
      // From one cell to the next, from two to the next two, and so on.
      uint64_t way = passable & (east ? open << 1 : open >> 1);
      for (uint32_t n = 1; n < 64; n *= 2) {
        seen |= way & (east ? seen << n : seen >> n);
        way &= east ? way << n : way >> n;
      }
      out->add(line, w, seen);
      seen_.add(line, w, seen);
      carry = east ? (seen & open) >> 63 : (seen & open) << 63;
      const bool more =
          east ? w + 1 < span.end || (cells(w) >> 63) != 0 : w > span.first || (cells(w) & 1) != 0;
      if (carry == 0 && !more) break;
    }
  }
  return true;
}

bool LookBack::down(const CornerMaps& maps, uint32_t direction, CellLines* out) noexcept {
  if (!out->begin(maps)) return false;
  const bool south = kDy[direction] < 0;
  const uint32_t by = south ? 1 : UINT32_MAX;
  const uint32_t last = south ? cells_.end() : cells_.top() - 1;  // that cells lie beside
  for (uint32_t line = south ? cells_.top() + 1 : cells_.end() - 2; line > 0 && line <= maps.height;
       line += by) {
    const uint32_t from = line - by;
    const LineOfMap map(maps, line), before(maps, from);
    const CellLines::Span span = both(cells_.span(from), out->span(from));
    if (span.empty() && (south ? line > last : line < last)) break;
    for (uint32_t w = span.first; w < span.end; ++w) {
      const uint64_t seen =
          map.passable(w) & (cells_.word(from, w) | (out->word(from, w) & before.open(w)));
      out->add(line, w, seen);
      seen_.add(line, w, seen);
    }
  }
  return true;
}

bool LookBack::aslant(const CornerMaps& maps, uint32_t direction) noexcept {
  if (!slant_.begin(maps)) return false;
  const uint32_t words = maps.row_words;
  const bool east = kDx[direction] < 0, south = kDy[direction] < 0;
  const CellLines& a = straight_[(direction - 1) / 2];
  const CellLines& b = straight_[(direction + 1) / 2 & 3];
  uint32_t top = cells_.top(), end = cells_.end();
  for (const CellLines* side : {&a, &b}) {
    if (side->top() == side->end()) continue;
    top = std::min(top, side->top());
    end = std::max(end, side->end());
  }
  const uint32_t by = south ? 1 : UINT32_MAX;
  for (uint32_t line = south ? top : end - 1; line > 0 && line <= maps.height; line += by) {
    const uint32_t from = line - by;
    CellLines::Span span = both(both(cells_.span(line), cells_.span(from)), slant_.span(from));
    if (!span.empty()) span = {span.first > 0 ? span.first - 1 : 0, std::min(span.end + 1, words)};
    span = both(span, both(a.span(line), b.span(line)));
    if (span.empty()) {
      if (south ? line > end : line < top) break;
      continue;
    }
    const LineOfMap map(maps, line), before(maps, from);
    const auto near = [&](uint32_t w) { return cells_.word(line, w) | cells_.word(from, w); };
    const auto steps = [&](uint32_t w) {
      return slant_.word(from, w) & before.open(w) & map.passable(w);
    };
    for (uint32_t w = span.first; w < span.end; ++w) {
      const uint64_t seen =
          map.passable(w) & (moved(w, words, east, near) | cells_.word(from, w) | a.word(line, w) |
                             b.word(line, w) | (moved(w, words, east, steps) & before.passable(w)));
      slant_.add(line, w, seen);
      seen_.add(line, w, seen);
    }
  }
  return true;
}

}  // namespace octile
