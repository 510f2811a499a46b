// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Tile labels in memory, and in an index file: little endian, one run of bytes.
//
// Hub labels are lifted from subgoals to cells and shared by the 64 cells of an 8 x 8 tile. A tile
// lists its vias, the subgoals that shortest paths of its cells begin with, and entries (hub, via,
// distance from via to hub). A cell takes part by the vias it sees: its distance to a hub is the
// least (octile line to via + distance) over visible vias. Entries of different hubs are evaluated
// side by side: 16 hubs that often occur together form a block, a hub is a lane of its block, and
// tiles are matched by one bit a block.
//
//   tile   TileHead
//          u8 has_word[(block_words + 7) / 8]  where there are more than eight words of 64 blocks:
//                                          a bit for each that is not 0, and here
//          u64 blocks[words]               of these words: which blocks have entries here
//          u8 or u16 rank[words]           set bits in the words before
//          u16 or u32 block_at[blocks]     where each begins, from the head on
//          sight_row[64], sight rows       none, or which row each cell has: u8, or where there are
//                                          more than eight words perhaps half of it. Bit i is set
//                                          when it sees via first_partial + i, of `partial`; all
//                                          cells see the others
//          via places                      i8 x, y from the tile's corner for the first `near`
//                                          vias; u16 x, y for the others
//   block  rounds, entries                 u8; u16 in wide tiles
//          u16 lanes[rounds]               round r has the r-th entry of each lane that has one
//          distance[entries]               3 or 4 bytes, above distance_base
//          via[entries]                    u8; u16 in wide tiles
//          link[entries]                   2, 3 or 4 bytes: where the via stands in the hub's tree
//
// The tree of a hub is a string of nibbles that leads from each of its vertices to the hub along
// heavy paths, each stored from its leaf towards the hub:
//
//   0 .. 7  a move in this direction
//   8       the end of a path: at the next byte boundary follows, as u32, the nibble where the way
//           goes on, or kTreeEnd: this is the hub
//   9       a run: a nibble for the direction, three for the length
//   10      the end of a path, as u16: kNearTreeEnd is the hub

#include <cstring>

#include "index/hub_labels.hpp"
#include "search/path.hpp"
#include "search/stale_room.hpp"

namespace octile {

constexpr uint32_t kLabelTileSide = 8;
constexpr uint32_t kLanes = 16;
constexpr uint32_t kTreeEnd = UINT32_MAX;
constexpr uint32_t kNearTreeEnd = UINT16_MAX;
constexpr uint32_t kPathEnd = 8, kRun = 9, kNearPathEnd = 10;
constexpr uint32_t kLongestRun = 4095;
// Kernels read whole vectors: that many bytes beyond the last structure are there to be read.
constexpr size_t kReadBeyond = 128;
// More vias than a narrow tile can name.
constexpr uint32_t kNarrowVias = 255;

// May be looked at where it lies among the bytes of an index.
struct [[gnu::may_alias]] TileHead {
  uint32_t distance_base;  // added to every distance
  uint32_t sight_at;       // from the head on
  uint32_t via_at;
  uint16_t vias;
  uint16_t near;
  uint16_t first_partial, partial;
  uint8_t distance_bytes;  // 3 or 4
  uint8_t link_bytes;      // 2, 3 or 4
  uint8_t wide;            // u16 vias, counts and ranks, u32 block_at
  uint8_t sight_halves;    // 1: the numbers of two rows are a byte

  uint32_t sight_bytes() const noexcept { return (partial + 7u) / 8; }  // of a row
};
static_assert(sizeof(TileHead) == 24);

// Where everything lies; a view into memory that somebody else owns.
struct LabelTables {
  SightMaps sight;
  IndexSteps steps;
  uint32_t inverse = 0;     // of (diagonal - straight) modulo straight
  uint64_t reciprocal = 0;  // of straight: 2^64 / straight, rounded up
  uint32_t tiles_across = 0;
  uint32_t tiles_down = 0;
  uint32_t block_words = 0;
  uint32_t most_vias = 0;               // of any tile
  const uint32_t* directory = nullptr;  // by tile: place / 16, or 0; and the end
  const uint8_t* tiles = nullptr;
  const uint32_t* tree_base = nullptr;  // by block and lane: byte offset
  const uint8_t* trees = nullptr;

  // Numbers that a kernel wants for one side of a query: it reads whole registers, and what stands
  // beyond the last via of a block, a byte, may be looked up as one.
  uint32_t room() const noexcept { return (most_vias < 192 ? 192 : most_vias) + 64; }

  // Asks for the first lines of a cell's tile, long before they are read. Inlined always: a call of
  // a function that does nothing else GCC leaves out.
  [[gnu::always_inline]] inline void prefetch(Point p) const noexcept {
    const uint8_t* tile = tile_of(p);
    for (uint32_t at = 0; at < 256; at += 64) __builtin_prefetch(tile + at);
  }
  const uint8_t* tile_of(Point p) const noexcept {
    return tiles + size_t{directory[size_t{p.y >> 3} * tiles_across + (p.x >> 3)]} * 16;
  }
  // The steps of a path from its length: straight + diagonal steps, and the diagonal ones.
  void steps_of(uint32_t length, uint32_t* all, uint32_t* diagonal) const noexcept {
    const uint32_t extra = steps.diagonal - steps.straight;
    *diagonal = rest(uint64_t{rest(length)} * inverse);
    // The division has no remainder.
    *all = high(reciprocal, length - *diagonal * extra);
  }
  // Modulo straight, of at most 18 bits, by its reciprocal: right for numbers of at most 46 bits
  // (Lemire, Kaser and Kurz 2019).
  uint32_t rest(uint64_t number) const noexcept {
    return high(reciprocal * number, steps.straight);
  }
  // The upper half of a product whose second factor is small.
  static uint32_t high(uint64_t a, uint32_t b) noexcept {
#if defined(__x86_64__) || defined(__aarch64__)
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint32_t>(Wide{a} * b >> 64);
#else
    return static_cast<uint32_t>(((a >> 32) * b + ((a & UINT32_MAX) * b >> 32)) >> 32);
#endif
  }
};

// How a query goes: from the start to a via, along the tree to the hub, and the same from the goal.
struct Meeting {
  uint32_t length = kFar;  // kFar: no hub in common
  const uint8_t* tree = nullptr;
  Point via[2];      // of the start, of the goal
  uint32_t link[2];  // nibbles into the tree
};

// What the cells of a tile see along diagonals.
struct TileSight {
  Point corner;
  // By direction / 2 and cell: legal steps in the diagonal direction; -1 where nobody can stand.
  int32_t diagonal[4][64];
};

struct BlockView;

// For the check of a file: the last entry of each lane of a block.
struct SeenEntries {
  alignas(64) uint32_t place[kLanes];  // of the via, packed by the check
  alignas(64) uint32_t link[kLanes];
  alignas(64) uint32_t length[kLanes];
};
// Entries that were not seen before. Each list has room for kLanes numbers beyond the last.
struct OddEntries {
  uint32_t count;
  uint32_t* hub;  // kLanes * block + lane
  uint32_t* place;
  uint32_t* link;
  uint32_t* length;
};
// What is the same for all entries of a tile.
struct SiftedTile {
  const uint32_t* place;  // by via, and 64 numbers more
  uint32_t vias;
  uint32_t nearest;  // a length from which on one has to look at the via
  uint32_t distance_base, distance_bytes, link_bytes;
  bool wide;
};

// The inner loops, one set for each kind of machine; all give the same results, bit for bit.
struct LabelKernel {
  const char* name;
  // The shortest way over hubs from `s` to `t`, both passable. `room` holds 2 * tables.room().
  void (*meet)(const LabelTables& tables, Point s, Point t, uint32_t* room, Meeting* meeting);
  // Writes the way from `s` over the hub to `t`, of so many steps, to out[0 .. steps]; every cell
  // is `offset` + its point. kSpareCells on both sides of it may be written as well.
  void (*way)(const Meeting& meeting, Point s, Point t, Cell offset, Cell* out, uint32_t steps);
  // The octile line from one cell to another, both included; otherwise the same.
  void (*line)(Point from, Point to, Cell offset, Cell* out);

  // For labels of an earlier map. The lengths of the ways from `p`, passable, to the hubs of those
  // of the `wanted` blocks that its tile has, kFar where it knows none, to lanes[kLanes * block].
  // `wanted` and `there`, which tells these blocks and was 0 before, have a bit for each block;
  // `room` holds tables.room().
  void (*reach)(const LabelTables& tables, Point p, uint32_t* room, const uint64_t* wanted,
                uint64_t* there, uint32_t* lanes);
  // For n cells, least[i] becomes the length of the shortest way to it over hubs of the `count`
  // blocks at `common`, or kFar: `lanes` as above, and the cell's own at rows[kLanes * (blocks * i
  // + place)].
  void (*nearest)(const uint32_t* lanes, const ListedBlock* common, uint32_t count,
                  const uint32_t* rows, uint32_t blocks, uint32_t n, uint32_t* least);

  // For builds. The lengths of the octile lines from the 64 cells of a tile to a via that they see,
  // else kFar; tells who sees it. free[d / 2]: legal steps from the via in straight direction d.
  uint64_t (*column)(const TileSight& tile, Point via, const uint32_t* free, IndexSteps steps,
                     uint32_t* length);
  // least[i] becomes the smaller of itself and from[i] + add, for n numbers.
  void (*lower)(uint32_t* least, const uint32_t* from, uint32_t add, size_t n);
  // Of 64 numbers those that are not kFar, and the largest of these (0: there are none).
  uint64_t (*finite)(const uint32_t* length, uint32_t* largest);
  // Of the numbers in `of` those where from[i] + add is not above length[i], and how many they are.
  uint64_t (*within)(const uint32_t* length, const uint32_t* from, uint32_t add, uint64_t of,
                     uint32_t* count);

  // For the check of a file. Adds the entries of a block to `odd` that differ from those seen last,
  // and remembers them as seen. False: one names no via, or there are not as many as the block
  // says. `far` is set when a length is not below `nearest`.
  bool (*sift)(const SiftedTile& tile, const BlockView& block, uint32_t number, SeenEntries* seen,
               OddEntries* odd, bool* far);
};

extern const LabelKernel kScalarLabels;
// Those that this machine can run, the best first; the last one is kScalarLabels.
const LabelKernel* const* label_kernels(uint32_t* count) noexcept;
// The best one, or the best that is not above the limit.
const LabelKernel& label_kernel() noexcept;
// nullptr: no limit. See detail/kernels.hpp.
void limit_label_kernel(const char* name) noexcept;

// ---------------------------------------------------------------------------------------------
// Reading. Always inlined, so that each kernel gets them in the instructions of its machine.

#define OCTILE_INLINE [[gnu::always_inline]] inline

OCTILE_INLINE uint32_t read16(const uint8_t* p) noexcept {
  uint16_t v;
  std::memcpy(&v, p, 2);
  return v;
}
OCTILE_INLINE uint32_t read32(const uint8_t* p) noexcept {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}
OCTILE_INLINE uint64_t read64(const uint8_t* p) noexcept {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}
OCTILE_INLINE uint32_t read_bytes(const uint8_t* p, uint32_t bytes) noexcept {
  return bytes == 2 ? read16(p) : bytes == 3 ? read16(p) | uint32_t{p[2]} << 16 : read32(p);
}

// From the end of a path, which is token `token` at `nibble`, to where the way goes on; false: to
// nowhere, this is the hub.
OCTILE_INLINE bool go_on(const uint8_t* tree, uint32_t token, uint32_t* nibble) noexcept {
  const uint8_t* p = tree + (*nibble >> 1) + 1;
  if (token == kNearPathEnd) {
    *nibble = read16(p);
    return *nibble != kNearTreeEnd;
  }
  *nibble = read32(p);
  return *nibble != kTreeEnd;
}

// A tile, taken apart.
struct TileView {
  const uint8_t* at;
  TileHead head;
  uint32_t block_words;  // of all blocks
  const uint8_t* has_word;
  const uint8_t* words;
  const uint8_t* ranks;
  const uint8_t* block_at;

  OCTILE_INLINE TileView(const LabelTables& tables, const uint8_t* tile) noexcept : at(tile) {
    std::memcpy(&head, tile, sizeof head);
    block_words = tables.block_words;
    has_word = tile + sizeof(TileHead);
    words = has_word + has_word_bytes(block_words);
    const uint32_t count = words_before(block_words);
    ranks = words + 8 * size_t{count};
    block_at = ranks + (head.wide ? 2 : 1) * size_t{count};
  }
  // Whether tiles are written as small as they can be. Where there are few blocks that saves
  // little, and takes 2 to 4 % of a query's time.
  OCTILE_INLINE static bool sparse(uint32_t block_words) noexcept { return block_words > 8; }
  static uint32_t has_word_bytes(uint32_t block_words) noexcept {
    return sparse(block_words) ? (block_words + 7) / 8 : 0;
  }
  // Of the words before word `w` those that are there.
  OCTILE_INLINE uint32_t words_before(uint32_t w) const noexcept {
    if (!sparse(block_words)) return w;
    const uint8_t* bits = has_word;
    uint32_t count = 0;
    for (; w >= 64; w -= 64, bits += 8)
      count += static_cast<uint32_t>(__builtin_popcountll(read64(bits)));
    const uint64_t below = read64(bits) & ((uint64_t{1} << w) - 1);
    return count + static_cast<uint32_t>(__builtin_popcountll(below));
  }
  // Which words are there from word `first` on, a multiple of 64.
  OCTILE_INLINE uint64_t words_from(uint32_t first) const noexcept {
    const uint32_t left = block_words - first;
    const uint64_t all = ~uint64_t{0} >> (left < 64 ? 64 - left : 0);
    return sparse(block_words) ? read64(has_word + first / 8) & all : all;
  }
  // Calls visit(block) for each block that two tiles have in common, or one with itself.
  template <class Visit>
  OCTILE_INLINE void each_common(const TileView& other, Visit visit) const noexcept {
    for (uint32_t first = 0; first < block_words; first += 64) {
      for (uint64_t both = words_from(first) & other.words_from(first); both; both &= both - 1) {
        const uint32_t w = first + static_cast<uint32_t>(__builtin_ctzll(both));
        for (uint64_t bits = read64(words + 8 * size_t{words_before(w)}) &
                             read64(other.words + 8 * size_t{other.words_before(w)});
             bits; bits &= bits - 1)
          visit(w << 6 | static_cast<uint32_t>(__builtin_ctzll(bits)));
      }
    }
  }
  // The entries of a block that is there: bit `block` & 63 of word `block` >> 6.
  OCTILE_INLINE const uint8_t* block(uint32_t block) const noexcept {
    const size_t word = words_before(block >> 6);
    const uint64_t below = read64(words + 8 * word) & ((uint64_t{1} << (block & 63)) - 1);
    const uint32_t rank = static_cast<uint32_t>(__builtin_popcountll(below)) +
                          (head.wide ? read16(ranks + 2 * word) : ranks[word]);
    return at +
           (head.wide ? read32(block_at + 4 * size_t{rank}) : read16(block_at + 2 * size_t{rank}));
  }
  OCTILE_INLINE Point via(Point cell, uint32_t i) const noexcept {
    if (i >= head.near) {
      const uint8_t* p = far_vias() + 4 * size_t{i};
      return {read16(p), read16(p + 2)};
    }
    const uint8_t* p = at + head.via_at + 2 * size_t{i};
    return {(cell.x & ~7u) + static_cast<uint32_t>(static_cast<int8_t>(p[0])),
            (cell.y & ~7u) + static_cast<uint32_t>(static_cast<int8_t>(p[1]))};
  }
  // Where the places of all vias would begin, were each as long as those of the far ones.
  OCTILE_INLINE const uint8_t* far_vias() const noexcept {
    return at + head.via_at - 2 * size_t{head.near};
  }
  OCTILE_INLINE const uint8_t* sight_row(Point cell) const noexcept {
    const uint8_t* rows = at + head.sight_at;
    const uint32_t number = (cell.y & 7) << 3 | (cell.x & 7);
    if (!sparse(block_words)) return rows + 64 + size_t{head.sight_bytes()} * rows[number];
    const uint32_t halves = head.sight_halves;
    const uint32_t row = rows[number >> halves] >> (4 * (number & halves)) & (255u >> (4 * halves));
    return rows + (size_t{64} >> halves) + size_t{head.sight_bytes()} * row;
  }
};

struct BlockView {
  uint32_t rounds, entries;
  const uint8_t* lanes;
  const uint8_t* distances;
  const uint8_t* vias;
  const uint8_t* links;

  BlockView() noexcept = default;
  OCTILE_INLINE BlockView(const TileHead& head, const uint8_t* p) noexcept
      : BlockView(head, p, head.wide != 0) {}
  OCTILE_INLINE BlockView(const TileHead& head, const uint8_t* p, bool wide) noexcept {
    if (wide) {
      rounds = read16(p);
      entries = read16(p + 2);
      lanes = p + 4;
    } else {
      rounds = p[0];
      entries = p[1];
      lanes = p + 2;
    }
    distances = lanes + 2 * size_t{rounds};
    vias = distances + size_t{head.distance_bytes} * entries;
    links = vias + size_t{wide ? 2u : 1u} * entries;
  }
};

}  // namespace octile
