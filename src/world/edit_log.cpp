// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/edit_log.hpp"

#include <algorithm>
#include <cstring>

#include "base/platform.hpp"

namespace octile {

namespace {

constexpr uint8_t kMagic[8] = {'o', 'c', 't', 'i', 'l', 'e', 'e', 2};
constexpr size_t kChecksum = sizeof kMagic, kHead = kChecksum + 8;
constexpr uint64_t kNoBytes = 0xcbf29ce484222325;

constexpr uint64_t checksum_with(uint64_t checksum, uint8_t byte) noexcept {
  return (checksum ^ byte) * 0x100000001b3;
}

Fault damaged() noexcept {
  return fault(Status::bad_argument, "the log of edits is damaged or cut short");
}

}  // namespace

void EditLog::Impl::stop() noexcept {
  if (map) map->log = nullptr;
  map = nullptr;
}

bool EditLog::Impl::begin(const MapDef& d) noexcept {
  const int32_t shape[] = {d.width, d.height, d.first_cell.x, d.first_cell.y, int32_t{d.weights}};
  if (!bytes.reserve(kHead + sizeof shape)) return false;
  stop();
  bytes.clear();
  for (const uint8_t c : kMagic) bytes.push(c);
  for (size_t i = kChecksum; i < kHead; ++i) bytes.push(0);
  checksum = kNoBytes;
  for (const int32_t v : shape) number(static_cast<uint32_t>(v));
  seal();
  return true;
}

void EditLog::Impl::byte(uint8_t value) noexcept {
  bytes.push(value);
  checksum = checksum_with(checksum, value);
}

void EditLog::Impl::seal() noexcept {
  for (uint32_t i = 0; i < 8; ++i) bytes[kChecksum + i] = static_cast<uint8_t>(checksum >> 8 * i);
}

Fault read_log_head(EditReader& log, const MapDef& d) noexcept {
  const Fault none = fault(Status::bad_argument, "this is no log of edits of such a map");
  const uint8_t* magic;
  if (!log.bytes(sizeof kMagic, &magic) || std::memcmp(magic, kMagic, sizeof kMagic) != 0)
    return none;
  uint32_t low, high;
  if (!log.number(&low) || !log.number(&high)) return damaged();
  uint64_t checksum = kNoBytes;
  for (const uint8_t* at = log.at(); at != log.end(); ++at) checksum = checksum_with(checksum, *at);
  if (checksum != (low | uint64_t{high} << 32)) return damaged();
  for (const int32_t v : {d.width, d.height, d.first_cell.x, d.first_cell.y, int32_t{d.weights}}) {
    uint32_t read;
    if (!log.number(&read) || read != static_cast<uint32_t>(v)) return none;
  }
  return {};
}

bool EditReader::rect(Rect* out) noexcept {
  uint32_t v[4];
  for (uint32_t& value : v)
    if (!number(&value)) return false;
  *out = {static_cast<int32_t>(v[0]), static_cast<int32_t>(v[1]), static_cast<int32_t>(v[2]),
          static_cast<int32_t>(v[3])};
  return true;
}

static Fault replay_obstacle(EditReader& log, Map& map) noexcept {
  uint32_t id, count;
  uint8_t terrain, present, length;
  const uint8_t* text;
  const uint8_t* place;
  if (!log.number(&id) || !log.byte(&terrain) || !log.byte(&present) || !log.byte(&length) ||
      length > Obstacle::kMostName || !log.bytes(length, &text) || !log.number(&count) ||
      !log.bytes(size_t{count} * 8, &place))
    return damaged();
  char name[Obstacle::kMostName + 1] = {};
  std::memcpy(name, text, length);
  Buffer<Cell> cells;
  if (!cells.resize(size_t{count} + 1)) return no_memory_for("the log of edits");
  EditReader coordinates(place, size_t{count} * 8);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t x = 0, y = 0;
    coordinates.number(&x);
    coordinates.number(&y);
    cells[i] = {static_cast<int32_t>(x), static_cast<int32_t>(y)};
  }
  ObstacleDef definition;
  definition.cells = cells.data();
  definition.count = count;
  definition.terrain = terrain;
  definition.name = name;
  definition.present = present != 0;
  ObstacleId made = 0;
  if (Fault f = map.add_obstacle(definition, &made)) return f;
  if (made == id) return {};
  (void)map.remove_obstacle(made);
  return fault(Status::bad_argument, "the map has other obstacles than where the log began");
}

// True for the rectangles of tiles, as far as they lie inside the map.
static bool is_tile(const Map& map, const Rect& r) noexcept {
  const Cell first = map.first_cell();
  const int64_t x = int64_t{r.x} - first.x, y = int64_t{r.y} - first.y;
  return map.contains({r.x, r.y}) && x % 64 == 0 && y % 64 == 0 &&
         r.width == std::min<int64_t>(64, map.width() - x) &&
         r.height == std::min<int64_t>(64, map.height() - y);
}

Fault replay_edit(EditReader& log, Map& map, EditKind* kind) noexcept {
  uint8_t first, terrain, present;
  uint32_t number;
  Rect r;
  const uint8_t* values;
  if (!log.byte(&first)) return damaged();
  *kind = static_cast<EditKind>(first);
  if (*kind == EditKind::commit) return {};
  if ((*kind >= EditKind::fill && *kind <= EditKind::stamp_bits) ||
      *kind == EditKind::provide_tile) {
    if (!log.rect(&r) || r.width < 0 || r.height < 0) return damaged();
    // A rectangle that the map does not hold makes no sense, and its values could be too many.
    if (r.width > map.width() || r.height > map.height()) return damaged();
  }
  const auto cells = static_cast<size_t>(r.width) * static_cast<size_t>(r.height);
  switch (*kind) {
    case EditKind::commit:
      return {};
    case EditKind::fill:
      return log.byte(&terrain) ? map.fill(r, terrain) : damaged();
    case EditKind::fill_weight:
      if (!log.number(&number) || number > 65535) return damaged();
      return map.fill_weight(r, static_cast<uint16_t>(number));
    case EditKind::stamp:
      return log.bytes(cells, &values) ? map.stamp(r, values, static_cast<size_t>(r.width))
                                       : damaged();
    case EditKind::stamp_weight: {
      if (!log.bytes(2 * cells, &values)) return damaged();
      Buffer<uint16_t> weights;
      if (!weights.resize(cells + 1)) return no_memory_for("the log of edits");
      for (size_t i = 0; i < cells; ++i)
        weights[i] = static_cast<uint16_t>(values[2 * i] | values[2 * i + 1] << 8);
      return map.stamp_weight(r, weights.data(), static_cast<size_t>(r.width));
    }
    case EditKind::stamp_bits: {
      const size_t stride = (static_cast<size_t>(r.width) + 7) / 8;
      if (!log.byte(&terrain) || !log.bytes(stride * static_cast<size_t>(r.height), &values))
        return damaged();
      return map.stamp_bits(r, values, stride, terrain);
    }
    case EditKind::add_obstacle:
      return replay_obstacle(log, map);
    case EditKind::set_obstacle:
      if (!log.number(&number) || !log.byte(&present)) return damaged();
      return map.set_obstacle(number, present != 0);
    case EditKind::remove_obstacle:
      return log.number(&number) ? map.remove_obstacle(number) : damaged();
    case EditKind::provide_tile:
      // As many values as the map will read.
      if (!log.bytes(cells, &values) || !is_tile(map, r)) return damaged();
      return map.provide_tile({r.x, r.y}, values, static_cast<size_t>(r.width));
    case EditKind::release_tile: {
      uint32_t y = 0;
      if (!log.number(&number) || !log.number(&y)) return damaged();
      return map.release_tile({static_cast<int32_t>(number), static_cast<int32_t>(y)});
    }
  }
  return damaged();
}

// ---------------------------------------------------------------------------------------------
// The face

EditLog::~EditLog() {
  delete impl_;
}
const uint8_t* EditLog::data() const noexcept {
  return impl_ ? impl_->bytes.data() : nullptr;
}
size_t EditLog::size() const noexcept {
  return impl_ ? impl_->bytes.size() : 0;
}

Fault EditLog::assign(const void* data, size_t size) noexcept {
  if (!data && size) return fault(Status::bad_argument, "a log of edits needs bytes");
  Buffer<uint8_t> bytes;
  if (!bytes.resize(size)) return no_memory_for("the log of edits");
  if (size) std::memcpy(bytes.data(), data, size);
  if (!impl_) impl_ = new (std::nothrow) Impl;
  if (!impl_) return no_memory_for("the log of edits");
  impl_->stop();
  impl_->bytes.swap(bytes);
  return {};
}

Fault EditLog::save(const char* path) const noexcept {
  if (!path || !*path) return fault(Status::bad_argument, "there is no name to save it under");
  return fault(write_file(path, data(), size()));
}

Fault EditLog::load(const char* path) noexcept {
  if (!path) return fault(Status::bad_argument, "there is no name to load it from");
  Buffer<uint64_t> words;
  size_t size = 0;
  if (const Fault f = fault(read_file(path, &words, &size))) return f;
  return assign(words.data(), size);
}

Fault Map::record(EditLog* log) noexcept {
  if (!impl_) return fault(Status::bad_argument, "there is no map: call Engine::reset first");
  if (log) {
    if (!log->impl_) log->impl_ = new (std::nothrow) EditLog::Impl;
    if (!log->impl_) return no_memory_for("the log of edits");
    if (!log->impl_->begin(impl_->now.definition)) return no_memory_for("the log of edits");
  }
  if (impl_->log) impl_->log->stop();
  if (!log) return {};
  impl_->log = log->impl_;
  impl_->log->map = impl_;
  return {};
}

}  // namespace octile
