// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Edits as bytes, for EditLog: whole numbers of 32 bits, low byte first, and single bytes.
//
//   head      "octilee" 2, then the checksum of all that follows: FNV-1a in 64 bits
//   map       width, height, x and y of the first cell, 1 with weights else 0
//   edits     one byte (EditKind), then what it needs: see write() and read() of each in
//   edit_log.cpp
//
// A log is read with care: its checksum first, then every length is looked at before it is
// believed.

#include "octile/detail/buffer.hpp"
#include "world/map.hpp"

namespace octile {

enum class EditKind : uint8_t {
  commit = 1,       // nothing
  fill,             // rectangle, terrain
  fill_weight,      // rectangle, weight (32 bits)
  stamp,            // rectangle, terrains
  stamp_weight,     // rectangle, weights (two bytes each)
  stamp_bits,       // rectangle, terrain, rows of bits in whole bytes
  add_obstacle,     // its id, terrain, present, length of the name, name, number of cells, cells
  set_obstacle,     // id, present
  remove_obstacle,  // id
  provide_tile,     // rectangle: the tile, as far as it lies inside the map; terrains
  release_tile,     // x and y of a cell of the tile
};

struct EditLog::Impl {
  Buffer<uint8_t> bytes;
  uint64_t checksum = 0;
  Map::Impl* map = nullptr;  // that is recorded

  ~Impl() { stop(); }
  void stop() noexcept;
  // Begins a log of such a map. False: memory is short, nothing has changed.
  bool begin(const MapDef& definition) noexcept;
  // After there is room for it; seal() puts the checksum into the head.
  void byte(uint8_t value) noexcept;
  void number(uint32_t value) noexcept {
    for (int i = 0; i < 32; i += 8) byte(static_cast<uint8_t>(value >> i));
  }
  void seal() noexcept;
};

// Writes one edit: reserves the room before the map is changed, so that neither is done alone.
class EditWriter {
 public:
  explicit EditWriter(const Map::Impl& map) noexcept : log_(map.log) {}
  EditWriter(const EditWriter&) = delete;
  EditWriter& operator=(const EditWriter&) = delete;
  ~EditWriter() {
    if (log_) log_->seal();
  }

  // Nothing is written without a log. False: memory is short.
  bool reserve(size_t bytes) noexcept {
    return !log_ || log_->bytes.reserve(log_->bytes.size() + bytes);
  }
  bool wanted() const noexcept { return log_ != nullptr; }
  // After reserve().
  void byte(uint8_t value) noexcept { log_->byte(value); }
  void kind(EditKind value) noexcept { byte(static_cast<uint8_t>(value)); }
  void number(uint32_t value) noexcept { log_->number(value); }
  void rect(Rect r) noexcept {
    for (const int32_t v : {r.x, r.y, r.width, r.height}) number(static_cast<uint32_t>(v));
  }

 private:
  EditLog::Impl* log_;
};

// Takes a log apart.
class EditReader {
 public:
  EditReader(const uint8_t* data, size_t size) noexcept : at_(data), end_(data + size) {}
  bool done() const noexcept { return at_ == end_; }
  const uint8_t* at() const noexcept { return at_; }
  const uint8_t* end() const noexcept { return end_; }
  // False when the log ends too early.
  bool bytes(size_t count, const uint8_t** out) noexcept {
    if (count > static_cast<size_t>(end_ - at_)) return false;
    *out = at_;
    at_ += count;
    return true;
  }
  bool byte(uint8_t* out) noexcept {
    const uint8_t* p;
    if (!bytes(1, &p)) return false;
    *out = *p;
    return true;
  }
  bool number(uint32_t* out) noexcept {
    const uint8_t* p;
    if (!bytes(4, &p)) return false;
    *out = p[0] | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 | uint32_t{p[3]} << 24;
    return true;
  }
  bool rect(Rect* out) noexcept;

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

// Does the next edit to the map; EditKind::commit is left to the caller. A Fault names what is
// wrong.
Fault replay_edit(EditReader& log, Map& map, EditKind* kind) noexcept;
// Reads the head. A Fault tells that the log is damaged, or none of such a map.
Fault read_log_head(EditReader& log, const MapDef& definition) noexcept;

}  // namespace octile
