// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Whether the tiles and trees of an index of tile labels make sense, see index_check.cpp: the check
// that takes the time, since it looks at every entry.

#include <algorithm>
#include <atomic>
#include <optional>

#include "index/tree_check.hpp"

namespace octile {

namespace {

constexpr const char* kWrongTile = "the index file makes no sense: a tile";

// The directory: there are tiles just where cells are passable, in order, and behind them the end
// of all.
bool directory_right(const LabelTables& labels, const IndexHeader& head) noexcept {
  const SightMaps& sight = labels.sight;
  const uint32_t* place = labels.directory;
  uint32_t last = 0;
  for (uint32_t y = 0; y < head.height; y += 8) {
    const uint64_t* const rows = sight.rows + size_t{y} * sight.row_words;
    const uint32_t high = std::min(8u, head.height - y);
    for (uint32_t word = 0, x = 0; x < head.width; ++word) {
      // A byte for each tile of the word; what is beyond the map does not count.
      uint64_t passable = 0;
      for (uint32_t row = 0; row < high; ++row)
        passable |= rows[size_t{row} * sight.row_words + word];
      if (head.width - x < 64) passable &= (uint64_t{1} << (head.width - x)) - 1;
      for (; x < std::min(64 * (word + 1), head.width); x += 8, ++place, passable >>= 8) {
        if ((*place != 0) != ((passable & 255) != 0) || (*place != 0 && *place <= last))
          return false;
        last = std::max(*place, last);
      }
    }
  }
  const uint32_t end = *place;
  return last == 0 || (end > last && end * size_t{16} <= section_room(head, Section::tiles));
}

// Tiles that begin in some bytes of the file. Each way is as long as its entry says, and all ways
// of a hub end at one cell. The last way to a hub is remembered: most tiles have the same one as
// their neighbour.
class TileCheck {
 public:
  TileCheck(const LabelTables& labels, const IndexHeader& head, const TreeCheck& trees) noexcept
      : labels_(labels), head_(head), trees_(trees) {}

  // False: memory is short.
  bool begin(Arena* arena) noexcept {
    const size_t lanes = size_t{head_.blocks} * kLanes, vias = head_.most_vias + size_t{64};
    hub_place_ = arena->take<uint32_t>(lanes);
    via_place_ = arena->take<uint32_t>(vias);
    seen_ = arena->take<SeenEntries>(head_.blocks);
    arena_ = arena;
    if (!hub_place_ || !via_place_ || !seen_ || !make_room(kOddRoom)) return false;
    std::fill_n(hub_place_, lanes, kNoPlace);
    std::fill_n(via_place_, vias, 0);
    std::memset(seen_, 0xff, head_.blocks * sizeof *seen_);  // as long as no entry may be
    return true;
  }
  // From one call to the next, bytes only further on.
  const char* run(IndexStream* stream, size_t begin, size_t end) noexcept {
    const size_t section = head_.offset[static_cast<uint32_t>(Section::tiles)] * kFileAlignment;
    for (; next_.y < head_.height; next_ = {0, next_.y + 8}) {
      for (; next_.x < head_.width; next_.x += 8, ++number_) {
        const uint32_t* place = labels_.directory + number_;
        const size_t at = section + *place * size_t{16};
        if (*place == 0 || at < begin) continue;
        if (at >= end) return odd_ways_fit() ? nullptr : kWrongTile;
        while (*++place == 0) {
        }
        const size_t bytes = section + *place * size_t{16} - at;
        if (!tile(next_, stream->at(at, bytes), bytes))
          return odd_.hub ? kWrongTile : kNoMemoryToCheck;
      }
    }
    return odd_ways_fit() ? nullptr : kWrongTile;
  }
  uint64_t entries() const noexcept { return entries_; }
  // By block and lane, kNoPlace where no way has led to.
  uint32_t* hub_places() const noexcept { return hub_place_; }

 private:
  // Where a tile's block of this rank begins, from the head on.
  static size_t place_of(const TileView& view, uint32_t rank) noexcept {
    return view.head.wide ? read32(view.block_at + 4 * size_t{rank})
                          : size_t{read16(view.block_at + 2 * size_t{rank})};
  }
  bool tile(Point corner, const uint8_t* at, size_t size) noexcept {
    const bool sparse = TileView::sparse(head_.block_words);
    const size_t shape = sizeof(TileHead) + TileView::has_word_bytes(head_.block_words);
    if (size < shape) return false;
    const TileView view(labels_, at);
    const TileHead& h = view.head;
    const auto words = static_cast<size_t>(view.ranks - view.words) / 8;
    const size_t fixed = shape + (h.wide ? 10 : 9) * words;
    if (size < fixed) return false;
    const auto rank_of = [&](size_t word) {
      return h.wide ? read16(view.ranks + 2 * word) : uint32_t{view.ranks[word]};
    };
    const uint32_t blocks =
        words == 0
            ? 0
            : rank_of(words - 1) +
                  static_cast<uint32_t>(__builtin_popcountll(read64(view.words + 8 * (words - 1))));
    if (h.near > h.vias || h.first_partial + h.partial > h.vias || h.vias > head_.most_vias ||
        h.wide > 1 || h.distance_bytes < 3 || h.distance_bytes > 4 || h.link_bytes < 2 ||
        h.link_bytes > 4 || (!h.wide && h.vias > kNarrowVias) ||
        h.sight_halves > (sparse ? 1 : 0) || h.distance_base >= limit_)
      return false;
    const size_t table = (h.wide ? 4 : 2) * size_t{blocks};
    if (fixed + table > size || h.sight_at < fixed + table || h.sight_at > size ||
        h.via_at < fixed + table || h.via_at > size ||
        4 * size_t{h.vias} - 2 * size_t{h.near} > size - h.via_at)
      return false;
    if (h.partial != 0) {
      const uint8_t* const rows = view.at + h.sight_at;
      const size_t numbers = h.sight_halves ? 32 : 64;
      if (size - h.sight_at < numbers) return false;
      uint32_t last_row = 0;
      for (size_t i = 0; i < numbers; ++i)
        last_row = std::max(
            last_row, h.sight_halves ? std::max<uint32_t>(rows[i] & 15, rows[i] >> 4) : rows[i]);
      if ((last_row + size_t{1}) * h.sight_bytes() > size - h.sight_at - numbers) return false;
    }
    // The places of the vias, and how far they lie around the corner.
    const auto x0 = static_cast<int32_t>(corner.x), y0 = static_cast<int32_t>(corner.y);
    int32_t west = x0, east = x0, north = y0, south = y0;
    const auto put = [&](uint32_t via, int32_t x, int32_t y) {
      via_place_[via] = static_cast<uint32_t>(x) + (static_cast<uint32_t>(y) << 16);
      west = x < west ? x : west;
      east = x > east ? x : east;
      north = y < north ? y : north;
      south = y > south ? y : south;
    };
    const uint8_t *const near = view.at + h.via_at, *const far_vias = view.far_vias();
    for (uint32_t v = 0; v < h.near; ++v)
      put(v, x0 + static_cast<int8_t>(near[2 * size_t{v}]),
          y0 + static_cast<int8_t>(near[2 * size_t{v} + 1]));
    for (uint32_t v = h.near; v < h.vias; ++v)
      put(v, static_cast<int32_t>(read16(far_vias + 4 * size_t{v})),
          static_cast<int32_t>(read16(far_vias + 4 * size_t{v} + 2)));
    if (west < 0 || north < 0 || east >= static_cast<int32_t>(head_.width) ||
        south >= static_cast<int32_t>(head_.height))
      return false;
    const uint32_t leg =
        labels_.steps.line({0, 0}, {static_cast<uint32_t>(std::max(x0 + 7 - west, east - x0)),
                                    static_cast<uint32_t>(std::max(y0 + 7 - north, south - y0))});
    const uint32_t half = (limit_ + 1) / 2;
    const SiftedTile sifted{via_place_,      h.vias,           half > leg ? half - leg : 0,
                            h.distance_base, h.distance_bytes, h.link_bytes,
                            h.wide != 0};
    // Kernels look at whole bytes of those bits.
    if (sparse && head_.block_words % 8 != 0 &&
        view.has_word[head_.block_words / 8] >> (head_.block_words % 8))
      return false;
    uint32_t rank = 0, w = 0;
    for (size_t word = 0; word < words; ++word, ++w) {
      if (sparse)
        while (!(view.has_word[w / 8] >> (w % 8) & 1)) ++w;
      if (rank_of(word) != rank) return false;
      uint64_t bits = read64(view.words + 8 * word);
      if (w == head_.blocks / 64 && bits >> (head_.blocks % 64)) return false;
      for (; bits; bits &= bits - 1, ++rank) {
        if (rank >= blocks) return false;
        const uint32_t b = w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits));
        const size_t place = place_of(view, rank);
        if (place < fixed + table || place > size || size - place < 4) return false;
        const BlockView block(h, view.at + place);
        const size_t need =
            (h.wide ? 4 : 2) + 2 * size_t{block.rounds} +
            size_t{block.entries} * (h.distance_bytes + (h.wide ? 2u : 1u) + h.link_bytes);
        if (odd_.count + block.entries > odd_room_ && !room_for(block.entries)) return false;
        bool far = false;
        if (need > size - place || !kernel_.sift(sifted, block, b, &seen_[b], &odd_, &far) ||
            (far && !sums_fit(view, corner, block)))
          return false;
        entries_ += block.entries;
      }
    }
    return rank == blocks;
  }

  // Twice the longest half, from a corner of the tile, must be a sum that can be taken apart: gives
  // what is left for the distance from the via to its hubs.
  uint32_t half_less(Point corner, Point via) const noexcept {
    const Point far{via.x < corner.x + 4 ? corner.x + 7 : corner.x,
                    via.y < corner.y + 4 ? corner.y + 7 : corner.y};
    const uint32_t leg = labels_.steps.line(far, via), half = (limit_ + 1) / 2;
    return half > leg ? half - leg : 0;
  }
  bool sums_fit(const TileView& view, Point corner, const BlockView& b) const noexcept {
    const TileHead& h = view.head;
    for (uint32_t e = 0; e < b.entries; ++e) {
      const uint32_t via = h.wide ? read16(b.vias + 2 * size_t{e}) : b.vias[e];
      const uint32_t distance =
          read_bytes(b.distances + size_t{h.distance_bytes} * e, h.distance_bytes);
      if (uint64_t{h.distance_base} + distance >= half_less(corner, view.via(corner, via)))
        return false;
    }
    return true;
  }

  // False: memory is short, and there are no lists any more.
  bool make_room(uint32_t entries) noexcept {
    const size_t list = entries + size_t{kLanes};
    auto* const odd = arena_->take<uint32_t>(4 * list);
    odd_ = {};
    odd_room_ = 0;
    if (!odd) return false;
    odd_ = {0, odd, odd + list, odd + 2 * list, odd + 3 * list};
    odd_room_ = entries;
    return true;
  }
  // For a block; those that wait are looked at first.
  bool room_for(uint32_t entries) noexcept {
    return odd_ways_fit() && (entries <= odd_room_ || make_room(entries));
  }
  bool odd_ways_fit() noexcept {
    const bool fit = trees_.ways_fit(odd_, hub_place_);
    odd_.count = 0;
    return fit;
  }

  const LabelTables& labels_;
  const IndexHeader& head_;
  const TreeCheck& trees_;
  const LabelKernel& kernel_ = label_kernel();
  const uint32_t limit_ = sum_limit({head_.straight, head_.diagonal});
  Point next_{0, 0};
  uint32_t number_ = 0;  // of that tile
  uint64_t entries_ = 0;
  uint32_t* hub_place_ = nullptr;  // by block and lane
  uint32_t* via_place_ = nullptr;  // of the tile at hand
  SeenEntries* seen_ = nullptr;    // by block
  static constexpr uint32_t kOddRoom = 1024;
  Arena* arena_ = nullptr;
  OddEntries odd_{};       // ways to be followed
  uint32_t odd_room_ = 0;  // for so many
};

}  // namespace

const char* check_tiles(const Index::Impl& index, const IndexHeader& head, const FileReader& file,
                        unsigned threads, uint64_t* sum) noexcept {
  const LabelTables& labels = index.labels;
  // Steps that whoever is free takes, each thread in ascending order: where trees begin, the
  // directory, pieces of trees, pieces of the file. So nobody waits for a thread to start, and
  // hardly for one that the machine has no time for.
  constexpr unsigned kMostWorkers = 8;
  const unsigned workers = std::min(threads, kMostWorkers);
  const size_t pieces = (index.size + IndexStream::kPiece - 1) / IndexStream::kPiece;
  const size_t grain = workers == 1 ? pieces : std::clamp(pieces / 32, size_t{1}, size_t{4});
  constexpr size_t kFirstTree = 2;
  const size_t tree_steps = workers == 1 ? 1 : 16, file_steps = (pieces + grain - 1) / grain;
  struct Worker {
    Arena arena{kLargePage};
    uint8_t* room = nullptr;
    std::optional<TileCheck> tiles;
    const char* wrong = nullptr;
    uint64_t sum = 0;
  };
  Worker worker[kMostWorkers];
  TreeCheck trees(labels, head);
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> right{true};  // as far as trees and directory are known
  auto work = [&](unsigned w) {
    Worker& own = worker[w];
    const auto refuse = [&](const char* wrong) {
      own.wrong = wrong;
      right.store(false, std::memory_order_relaxed);
    };
    for (size_t step; (step = next.fetch_add(1, std::memory_order_relaxed)) <
                      kFirstTree + tree_steps + file_steps;) {
      const size_t before = step < kFirstTree                ? 0
                            : step < kFirstTree + tree_steps ? kFirstTree
                                                             : kFirstTree + tree_steps;
      while (done.load(std::memory_order_acquire) < before) yield_thread();
      const bool go_on = right.load(std::memory_order_relaxed);
      if (step == 0) {
        if (const char* wrong = trees.find(&own.arena)) refuse(wrong);
      } else if (step == 1) {
        if (!directory_right(labels, head)) refuse(kWrongTile);
      } else if (step < kFirstTree + tree_steps) {
        const size_t i = step - kFirstTree;
        const char* wrong =
            go_on ? trees.follow(trees.tree_at(i, tree_steps), trees.tree_at(i + 1, tree_steps))
                  : nullptr;
        if (wrong) refuse(wrong);
      } else {
        const size_t begin = (step - kFirstTree - tree_steps) * grain * IndexStream::kPiece;
        const size_t end = std::min(begin + grain * IndexStream::kPiece, index.size);
        if (!own.room) own.room = own.arena.take<uint8_t>(IndexStream::kRoom);
        IndexStream stream(index, file, begin, end, own.room);
        if (go_on && !own.tiles && !own.tiles.emplace(labels, head, trees).begin(&own.arena))
          refuse(kNoMemoryToCheck);
        else if (go_on)
          if (const char* wrong = own.tiles->run(&stream, begin, end)) refuse(wrong);
        stream.finish();
        own.sum += stream.sum();
      }
      done.fetch_add(1, std::memory_order_release);
    }
  };
  run_parallel(workers, work);
  *sum = 0;
  for (const Worker& w : worker) *sum += w.sum;
  for (const Worker& w : worker)
    if (w.wrong) return w.wrong;
  // All ways of a hub end at one cell, whoever followed them.
  uint64_t entries = 0;
  uint32_t* place = nullptr;
  for (const Worker& w : worker) {
    if (!w.tiles) continue;
    entries += w.tiles->entries();
    uint32_t* const other = w.tiles->hub_places();
    if (!place) place = other;
    for (size_t i = 0; place != other && i < size_t{head.blocks} * kLanes; ++i) {
      if (place[i] == kNoPlace) place[i] = other[i];
      if (other[i] != kNoPlace && other[i] != place[i]) return kWrongTile;
    }
  }
  if (entries != head.entries) return "the index file makes no sense: its entries";
  return trees.inside(place) ? nullptr : "the index file makes no sense: a way leaves the map";
}

}  // namespace octile
