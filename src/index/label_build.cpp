// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "index/label_build.hpp"

#include <algorithm>
#include <new>

#include "base/platform.hpp"
#include "index/hub_blocks.hpp"
#include "index/hub_trees.hpp"

namespace octile {

namespace {

// What an entry takes at least: distance, via, link.
constexpr size_t kLeastEntryBytes = 6;

// Appends plain values to a tile.
class Writer {
 public:
  explicit Writer(Buffer<uint8_t>* out) noexcept : out_(out) {}
  // Room for what follows; false: memory is short.
  bool ensure(size_t bytes) noexcept {
    const size_t need = out_->size() + bytes;
    return need <= out_->capacity() || out_->reserve(need + need / 2 + 4096);
  }
  void put(uint64_t value, uint32_t bytes) noexcept {
    for (; bytes > 0; --bytes, value >>= 8) out_->push(static_cast<uint8_t>(value));
  }
  void align(size_t to) noexcept {
    while (out_->size() % to) out_->push(0);
  }
  void take_back(size_t bytes) noexcept { out_->resize(out_->size() - bytes); }
  size_t at() const noexcept { return out_->size(); }
  uint8_t* data(size_t at) noexcept { return out_->data() + at; }

 private:
  Buffer<uint8_t>* out_;
};

// An entry with its final place.
struct Placed {
  uint32_t block, lane, distance, via, link;
  bool operator<(const Placed& o) const noexcept {
    if (block != o.block) return block < o.block;
    if (lane != o.lane) return lane < o.lane;
    return via < o.via;
  }
};

// The entries of one block in rounds: round r has the r-th entry of each lane.
struct Rounds {
  Buffer<uint32_t> first;  // of each lane, in `entry`
  Buffer<uint32_t> order;  // entries, round by round
  Buffer<uint16_t> lanes;  // of each round

  bool arrange(const Placed* entry, uint32_t n) noexcept {
    order.clear();
    lanes.clear();
    uint32_t begin[kLanes + 1] = {};
    for (uint32_t e = 0; e < n; ++e) ++begin[entry[e].lane + 1];
    uint32_t most = 0;
    for (uint32_t l = 0; l < kLanes; ++l) {
      most = begin[l + 1] > most ? begin[l + 1] : most;
      begin[l + 1] += begin[l];
    }
    for (uint32_t r = 0; r < most; ++r) {
      uint16_t mask = 0;
      for (uint32_t l = 0; l < kLanes; ++l) {
        if (begin[l] + r >= begin[l + 1]) continue;
        mask = static_cast<uint16_t>(mask | 1u << l);
        if (!order.push(begin[l] + r)) return false;
      }
      if (!lanes.push(mask)) return false;
    }
    return true;
  }
};

// Which of the vias that not all cells see each cell sees; neighbours often see the same ones, and
// share a row.
// True: the number of a row takes half a byte.
bool write_sight(const TileDraft& draft, const TileDraft::Via* via, bool sparse,
                 Writer* w) noexcept {
  const uint32_t bytes = (draft.partial + 7) / 8;
  uint8_t row_of[64] = {};
  const size_t rows_of = w->at();
  constexpr uint32_t kSlots = 128;
  uint8_t slot_of[kSlots] = {};  // by hash: a row's number + 1
  uint32_t rows = 0;
  for (uint64_t rest = draft.passable; rest; rest &= rest - 1) {
    const auto cell = static_cast<uint32_t>(__builtin_ctzll(rest));
    const size_t at = w->at();
    uint32_t hash = 0;
    for (uint32_t b = 0; b < bytes; ++b) {
      uint32_t bits = 0;
      for (uint32_t i = 0; i < 8 && 8 * b + i < draft.partial; ++i)
        bits |= static_cast<uint32_t>(via[8 * b + i].seen >> cell & 1) << i;
      w->put(bits, 1);
      hash = (hash ^ bits) * 0x9e3779b1;
    }
    const auto row_at = [&](uint32_t row) { return w->data(rows_of + size_t{bytes} * row); };
    uint32_t slot = hash >> 25;
    while (slot_of[slot] && std::memcmp(row_at(slot_of[slot] - 1u), w->data(at), bytes) != 0)
      slot = (slot + 1) % kSlots;
    if (slot_of[slot])
      w->take_back(bytes);
    else
      slot_of[slot] = static_cast<uint8_t>(++rows);
    row_of[cell] = static_cast<uint8_t>(slot_of[slot] - 1);
  }
  // The numbers come first.
  const bool halves = sparse && rows <= 16;
  const uint32_t numbers = halves ? 32 : 64;
  const size_t size = w->at() - rows_of;
  for (uint32_t byte = 0; byte < numbers; ++byte) w->put(0, 1);
  uint8_t* const at = w->data(rows_of);
  std::memmove(at + numbers, at, size);
  for (uint32_t i = 0; i < numbers; ++i)
    at[i] = static_cast<uint8_t>(halves ? row_of[2 * i] | row_of[2 * i + 1] << 4 : row_of[i]);
  return halves;
}

Built write_tile(const LabelTables& shape, const TileDraft& draft, const TileDraft::Via* via,
                 Point corner, Buffer<Placed>& entry, Rounds* rounds,
                 Buffer<uint8_t>* out) noexcept {
  std::sort(entry.begin(), entry.end());
  // 1. What fits the narrow form.
  TileHead head{};
  uint32_t low = UINT32_MAX, high = 0, far_link = 0, most = 0, blocks = 0;
  for (size_t i = 0, run = 0; i < entry.size(); ++i) {
    low = std::min(low, entry[i].distance);
    high = std::max(high, entry[i].distance);
    far_link = std::max(far_link, entry[i].link);
    const bool fresh = i == 0 || entry[i].block != entry[i - 1].block;
    blocks += fresh;
    run = fresh ? 1 : run + 1;
    most = std::max(most, static_cast<uint32_t>(run));
  }
  if (entry.empty()) low = 0;
  head.distance_base = low;
  head.distance_bytes = high - low < 1u << 24 || entry.empty() ? 3 : 4;
  head.link_bytes = far_link < 1u << 16 ? 2 : far_link < 1u << 24 ? 3 : 4;
  head.vias = static_cast<uint16_t>(draft.vias);
  head.near = static_cast<uint16_t>(draft.near);
  head.first_partial = static_cast<uint16_t>(draft.first_partial);
  head.partial = static_cast<uint16_t>(draft.partial);
  // No block has more rounds than entries.
  const size_t before = sizeof head + 10 * size_t{shape.block_words} + 64 +
                        64 * size_t{head.sight_bytes()} + 4 * size_t{draft.vias} +
                        8 * size_t{blocks};
  const size_t entry_bytes = 3u + head.distance_bytes + head.link_bytes;
  head.wide = draft.vias > kNarrowVias || most > 255 || blocks > 255 ||
              before + entry_bytes * entry.size() > UINT16_MAX;
  // 2. The parts before the blocks.
  Writer w(out);
  if (!w.ensure(before + 10 * size_t{shape.block_words} + 64)) return Built::out_of_memory;
  const size_t at = w.at();
  w.put(0, sizeof head / 2);
  w.put(0, sizeof head / 2);
  const size_t has_word = w.at();
  for (uint32_t i = TileView::has_word_bytes(shape.block_words); i > 0; --i) w.put(0, 1);
  const size_t words_at = w.at();
  uint32_t words = 0, rank = 0;
  const bool sparse = TileView::sparse(shape.block_words);
  for (uint32_t i = 0, e = 0; i < shape.block_words; ++i) {
    uint64_t word = 0;
    for (; e < entry.size() && entry[e].block >> 6 == i; ++e)
      word |= uint64_t{1} << (entry[e].block & 63);
    if (sparse && word == 0) continue;
    ++words;
    w.put(word, 8);
    uint8_t* const has = w.data(has_word + (i >> 3));
    if (sparse) *has = static_cast<uint8_t>(*has | 1u << (i & 7));
  }
  for (uint32_t i = 0; i < words; ++i) {
    w.put(rank, head.wide ? 2 : 1);
    rank += static_cast<uint32_t>(__builtin_popcountll(read64(w.data(words_at + 8 * size_t{i}))));
  }
  const size_t table_at = w.at();
  for (uint32_t i = 0; i < blocks; ++i) w.put(0, head.wide ? 4 : 2);
  head.sight_at = static_cast<uint32_t>(w.at() - at);
  head.sight_halves =
      draft.partial != 0 && write_sight(draft, via + draft.first_partial, sparse, &w);
  head.via_at = static_cast<uint32_t>(w.at() - at);
  for (uint32_t v = 0; v < draft.vias; ++v) {
    const Point p = via[v].place;
    const bool near = v < draft.near;
    w.put(near ? p.x - corner.x : p.x, near ? 1 : 2);
    w.put(near ? p.y - corner.y : p.y, near ? 1 : 2);
  }
  // 3. The blocks.
  const uint32_t count_bytes = head.wide ? 2 : 1;
  uint32_t slot = 0;
  for (size_t i = 0; i < entry.size();) {
    size_t end = i;
    while (end < entry.size() && entry[end].block == entry[i].block) ++end;
    const auto n = static_cast<uint32_t>(end - i);
    if (!rounds->arrange(entry.data() + i, n)) return Built::out_of_memory;
    if (n > UINT16_MAX) return Built::over_budget;
    if (!w.ensure(16 + 2 * rounds->lanes.size() + 12 * size_t{n})) return Built::out_of_memory;
    const size_t offset = w.at() - at;
    if (head.wide) {
      const auto place = static_cast<uint32_t>(offset);
      std::memcpy(w.data(table_at + 4 * size_t{slot}), &place, 4);
    } else {
      const auto place = static_cast<uint16_t>(offset);
      std::memcpy(w.data(table_at + 2 * size_t{slot}), &place, 2);
    }
    ++slot;
    w.put(rounds->lanes.size(), count_bytes);
    w.put(n, count_bytes);
    const Placed* own = entry.data() + i;
    for (const uint16_t mask : rounds->lanes) w.put(mask, 2);
    for (const uint32_t e : rounds->order) w.put(own[e].distance - low, head.distance_bytes);
    for (const uint32_t e : rounds->order) w.put(own[e].via, count_bytes);
    for (const uint32_t e : rounds->order) w.put(own[e].link, head.link_bytes);
    i = end;
  }
  if (!w.ensure(16)) return Built::out_of_memory;
  w.align(16);
  std::memcpy(w.data(at), &head, sizeof head);
  return Built::done;
}

// What every thread has to itself.
struct Worker {
  Worker(const ClearMaps& clear, const SightMaps& sight, const SubgoalGraph& graph,
         const HubLabels& labels, IndexSteps steps) noexcept
      : lift(clear, sight, graph, labels, steps) {}

  TileLift lift;
  Arena drafts;
  Buffer<Placed> placed;
  Rounds rounds;
  Buffer<uint8_t> bytes;
  uint32_t most_vias = 0;
};

struct Workshop {
  Worker* worker[kMostBuilders] = {};
  unsigned workers = 0;
  Buffer<RowDraft> row;

  ~Workshop() {
    for (Worker* w : worker) delete w;
  }
  // Calls work(number of the worker, y) for every row of tiles, on all threads, until one fails or
  // finds the build cancelled: a row of tiles is long work.
  template <class Work>
  Built each_row(const BuildLimits& limits, double from, double to, Work work) noexcept {
    std::atomic<uint32_t> next{0};
    std::atomic<Built> verdict{Built::done};
    auto share = [&](unsigned part) {
      for (uint32_t y; verdict == Built::done && (y = next.fetch_add(1)) < row.size();) {
        const Built built = work(part, y);
        if (built != Built::done) verdict = built;
        if (part + 1 == workers)
          limits.report(from + (to - from) * y / static_cast<double>(row.size()));
      }
    };
    run_parallel(workers, share);
    return verdict;
  }
};

}  // namespace

Built build_labels(const ClearMaps& clear, const SightMaps& sight, const SubgoalGraph& graph,
                   const HubLabels& labels, IndexSteps steps, const BuildLimits& limits,
                   LabelBytes* out) noexcept {
  const uint32_t across = (sight.width + 7) / 8, down = (sight.height + 7) / 8;
  const uint32_t tiles = across * down;
  Workshop shop;
  shop.workers = std::max(1u, std::min({limits.threads, kMostBuilders, down}));
  if (!shop.row.resize(down)) return Built::out_of_memory;
  for (unsigned i = 0; i < shop.workers; ++i) {
    Worker*& worker = shop.worker[i];
    worker = new (std::nothrow) Worker(clear, sight, graph, labels, steps);
    if (!worker || !worker->lift.begin()) return Built::out_of_memory;
  }
  // 1. What tiles need.
  std::atomic<uint64_t> entries{0};
  Built built = shop.each_row(limits, 0.5, 0.85, [&](unsigned part, uint32_t y) {
    Worker& worker = *shop.worker[part];
    const Built lifted = worker.lift.lift_row(y, limits, &worker.drafts, &shop.row[y]);
    if (lifted != Built::done) return lifted;
    const uint64_t so_far = entries += shop.row[y].entries;
    return so_far > limits.bytes / kLeastEntryBytes || so_far > limits.entries ? Built::over_budget
                                                                               : Built::done;
  });
  if (built != Built::done) return built;
  out->entries = entries;
  out->longest = 0;
  for (unsigned i = 0; i < shop.workers; ++i)
    out->longest = std::max(out->longest, shop.worker[i]->lift.longest());
  out->longest += labels.longest();

  // 2. Which tiles have which hubs; every tile's entries come in the order of hubs.
  const uint32_t hubs = labels.hubs();
  Buffer<uint32_t> first, tile_of, at;
  if (!first.assign(size_t{hubs} + 1, 0) || !at.resize(hubs)) return Built::out_of_memory;
  const auto each_hub = [&](auto visit) {
    for (uint32_t t = 0; t < tiles; ++t) {
      if (limits.cancelled()) return false;
      const RowDraft& row = shop.row[t / across];
      const TileDraft& draft = row.tile[t % across];
      const TileDraft::Entry* e = row.entry + draft.first_entry;
      for (uint32_t i = 0; i < draft.entries; ++i)
        if (i == 0 || e[i].hub != e[i - 1].hub) visit(t, e[i].hub);
    }
    return true;
  };
  if (!each_hub([&](uint32_t, uint32_t hub) { ++first[hub + 1]; })) return Built::cancelled;
  for (uint32_t h = 0; h < hubs; ++h) first[h + 1] += first[h];
  for (uint32_t h = 0; h < hubs; ++h) at[h] = first[h];
  if (!tile_of.resize(first[hubs])) return Built::out_of_memory;
  if (!each_hub([&](uint32_t t, uint32_t hub) { tile_of[at[hub]++] = t; })) return Built::cancelled;

  // 3. The blocks; and beside them the trees, with the vias' ways alone.
  HubBlocks blocks;
  HubTrees trees;
  out->trees.clear();
  const auto write_trees = [&] {
    if (!trees.link.resize(labels.entries())) return Built::out_of_memory;
    // Hub by hub, since the memory is new and much.
    for (uint32_t h = 0; h < hubs; ++h) {
      if (limits.cancelled()) return Built::cancelled;
      std::fill(trees.link.begin() + labels.tree_begin(h),
                trees.link.begin() + labels.tree_begin(h + 1), HubTrees::kUnused);
    }
    for (uint32_t y = 0; y < down; ++y) {
      if (limits.cancelled()) return Built::cancelled;
      for (uint32_t i = 0; i < shop.row[y].entries; ++i) trees.link[shop.row[y].entry[i].node] = 0;
    }
    for (uint32_t h = 0; h < hubs; ++h) {
      if (limits.cancelled()) return Built::cancelled;
      at[h] = static_cast<uint32_t>(out->trees.size());
      if (first[h] != first[h + 1] && !trees.write(graph, labels, h, &out->trees))
        return Built::out_of_memory;
    }
    return Built::done;
  };
  Built part_built[2] = {};
  auto either = [&](unsigned part) {
    part_built[part] =
        part == 0 ? blocks.build(hubs, tiles, first, tile_of, limits) : write_trees();
  };
  if (shop.workers > 1) {
    run_parallel(2, either);
  } else {
    either(0);
    if (part_built[0] == Built::done) either(1);
  }
  for (const Built half : part_built)
    if (half != Built::done) return half;
  if (!out->tree_base.assign(size_t{blocks.blocks} * kLanes, 0)) return Built::out_of_memory;
  out->hubs = 0;
  for (uint32_t h = 0; h < hubs; ++h) {
    if (blocks.place[h] == UINT32_MAX) continue;
    ++out->hubs;
    out->tree_base[blocks.place[h]] = at[h];
  }

  // 4. The tiles. A row writes into its own piece; places within it become places in all.
  LabelTables shape;
  shape.block_words = out->block_words = (blocks.blocks + 63) / 64;
  if (!out->row.resize(down) || !out->directory.assign(size_t{tiles} + 1, 0))
    return Built::out_of_memory;
  std::atomic<uint64_t> written{0};
  built = shop.each_row(limits, 0.9, 1, [&](unsigned part, uint32_t y) {
    Worker& worker = *shop.worker[part];
    const RowDraft& row = shop.row[y];
    worker.bytes.clear();
    for (uint32_t x = 0; x < across; ++x) {
      if (limits.cancelled()) return Built::cancelled;
      const TileDraft& draft = row.tile[x];
      if (!draft.passable) continue;
      if (draft.vias > UINT16_MAX) return Built::over_budget;
      out->directory[y * across + x] = static_cast<uint32_t>(worker.bytes.size() / 16) + 1;
      worker.most_vias = std::max(worker.most_vias, draft.vias);
      worker.placed.clear();
      const TileDraft::Entry* e = row.entry + draft.first_entry;
      for (uint32_t i = 0; i < draft.entries; ++i) {
        const uint32_t place = blocks.place[e[i].hub];
        if (!worker.placed.push(
                {place / kLanes, place % kLanes, e[i].distance, e[i].via, trees.link[e[i].node]}))
          return Built::out_of_memory;
      }
      const Built made = write_tile(shape, draft, row.via + draft.first_via, {x * 8, y * 8},
                                    worker.placed, &worker.rounds, &worker.bytes);
      if (made != Built::done) return made;
    }
    auto* bytes = out->arena[part].take<uint8_t>(worker.bytes.size());
    if (!bytes) return Built::out_of_memory;
    std::copy_n(worker.bytes.data(), worker.bytes.size(), bytes);
    out->row[y] = {bytes, worker.bytes.size()};
    return (written += worker.bytes.size()) > limits.bytes ? Built::over_budget : Built::done;
  });
  if (built != Built::done) return built;
  out->most_vias = 0;
  for (unsigned i = 0; i < shop.workers; ++i)
    out->most_vias = std::max(out->most_vias, shop.worker[i]->most_vias);
  size_t before = LabelBytes::kTileGap;
  for (uint32_t y = 0; y < down; ++y) {
    for (uint32_t x = 0; x < across; ++x) {
      uint32_t& place = out->directory[y * across + x];
      if (place != 0) place += static_cast<uint32_t>(before / 16) - 1;
    }
    before += out->row[y].bytes;
    if (before / 16 > UINT32_MAX / 2) return Built::over_budget;
  }
  out->tile_bytes = before;
  out->directory[tiles] = static_cast<uint32_t>(before / 16);
  return out->bytes() > limits.bytes ? Built::over_budget : Built::done;
}

}  // namespace octile
