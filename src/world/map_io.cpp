// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "world/map_io.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "world/file_text.hpp"

namespace octile {
namespace world {
namespace {

constexpr int32_t kMaxSide = std::numeric_limits<int32_t>::max();

// ---------------------------------------------------------------------------------------------
// Numbers and sizes

bool whole_number(string_view word, int64_t low, int64_t high, int64_t& value) noexcept {
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && stop == end && value >= low && value <= high;
}

Fault no_whole_number(size_t line, const char* what, string_view word, int64_t low,
                      int64_t high) noexcept {
  return refuse_line(line, what, " must be a whole number from ", low, " to ", high, ", not ",
                     Quoted{word});
}

// The limit of MapDef: as many tiles of 64 x 64 as the tables of a map can hold.
Fault check_size(size_t line, int64_t width, int64_t height) noexcept {
  if ((width / 64 + 2) * (height / 64 + 2) <= int64_t{1} << 20) return {};
  return refuse_line(line, "a map of ", width, " x ", height, " cells is too large");
}

Fault no_memory(int32_t width, int32_t height) noexcept {
  return fault_of(Status::out_of_memory, "no memory to read a map of ", width, " x ", height,
                  " cells");
}

// ---------------------------------------------------------------------------------------------
// Moving AI and plain text: rows of letters

// Reads the rows that follow `lines`. Height 0: plain text, where the first row gives the width and
// the end of the file the height.
Fault read_rows(Lines lines, int32_t width, int32_t height, Grid& grid) noexcept {
  const bool measured = height > 0;
  const char* const measure = measured ? "the header says" : "the first row has";
  const Lines first = lines;
  string_view row;
  int64_t rows = 0;

  // 1. Look at every row before a byte is allocated.
  while (lines.next(row)) {
    const bool all_here = measured && rows == height;
    if (row.empty() && all_here) continue;
    if (row.empty() && lines.only_blank_left()) break;
    if (all_here) {
      return refuse_line(lines.number(), "one row too many, the header says ", height);
    }
    for (size_t x = 0; x < row.size(); ++x) {
      if (is_letter(row[x])) continue;
      return refuse_line(lines.number(), "byte ", Hex{static_cast<unsigned char>(row[x])},
                         " in column ", x + 1, " is no terrain letter");
    }
    if (!measured && rows == 0) {
      if (row.size() > static_cast<size_t>(kMaxSide)) {
        return refuse_line(lines.number(), "a row of ", row.size(), " cells is too long");
      }
      width = static_cast<int32_t>(row.size());
    }
    if (row.size() != static_cast<size_t>(width)) {
      return refuse_line(lines.number(), "row has ", row.size(), " cells, ", measure, " ", width);
    }
    ++rows;
  }
  if (measured && rows < height) {
    return refuse_line(lines.number(), "the map ends after ", rows, " rows, the header says ",
                       height);
  }
  if (Fault wrong = check_size(lines.number(), width, rows)) return wrong;

  // 2. All is there: copy.
  Grid fresh;
  fresh.width = width;
  fresh.height = static_cast<int32_t>(rows);
  if (!fresh.terrain.resize(static_cast<size_t>(width) * static_cast<size_t>(rows))) {
    return no_memory(fresh.width, fresh.height);
  }
  lines = first;
  for (uint8_t* out = fresh.terrain.begin(); out != fresh.terrain.end(); out += width) {
    lines.next(row);
    std::memcpy(out, row.data(), row.size());
  }
  grid = std::move(fresh);
  return {};
}

Fault parse_text(string_view bytes, Grid& grid) noexcept {
  Lines lines(bytes);
  Lines from = lines;
  string_view row;
  for (;;) {
    if (!lines.next(row)) return refuse("the file has no rows");
    if (!row.empty()) break;
    from = lines;
  }
  return read_rows(from, 0, 0, grid);
}

Fault parse_moving_ai(string_view bytes, Grid& grid) noexcept {
  Lines lines(bytes);
  string_view line;
  int64_t width = 0, height = 0;
  size_t width_line = 0, height_line = 0;

  if (!lines.next_filled(line) || take_word(line) != "type") {
    return refuse_line(lines.number(), "the first line must be \"type octile\"");
  }
  if (const string_view type = without_blanks(line); type != "octile") {
    return refuse_line(lines.number(), "only maps of type \"octile\" are read, not ", Quoted{type});
  }

  while (lines.next_filled(line)) {
    const string_view whole = line;
    const string_view key = take_word(line);
    if (key == "map" && take_word(line).empty()) {
      if (!width_line || !height_line) {
        return refuse_line(lines.number(), "\"map\" comes before ",
                           Quoted{width_line ? "height" : "width"});
      }
      if (Fault wrong = check_size(lines.number(), width, height)) return wrong;
      return read_rows(lines, static_cast<int32_t>(width), static_cast<int32_t>(height), grid);
    }
    if (key != "width" && key != "height") {
      return refuse_line(lines.number(), "expected \"height\", \"width\" or \"map\", not ",
                         Quoted{whole});
    }
    const bool is_width = key == "width";
    const char* const what = is_width ? "width" : "height";
    size_t& given = is_width ? width_line : height_line;
    if (given) {
      return refuse_line(lines.number(), what, " is given twice, first on line ", given);
    }
    line = without_blanks(line);
    if (!whole_number(line, 1, kMaxSide, is_width ? width : height)) {
      return no_whole_number(lines.number(), what, line, 1, kMaxSide);
    }
    given = lines.number();
  }
  return refuse_line(lines.number(), "the file ends before \"map\"");
}

// ---------------------------------------------------------------------------------------------
// PGM

// Reads the blank-separated numbers of a PGM. A '#' begins a comment up to the end of the line.
class Numbers {
 public:
  explicit Numbers(string_view bytes) noexcept : rest_(bytes) {}

  // The next word; empty at the end of the file.
  string_view next() noexcept {
    while (!rest_.empty()) {
      if (rest_.front() == '#') {
        skip_comment();
      } else if (is_space(rest_.front())) {
        skip_one();
      } else {
        break;
      }
    }
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != '#' && !is_space(rest_[end])) ++end;
    const string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  // The one blank (or the comment with its line end) that parts the header from a binary raster.
  void skip_separator() noexcept {
    if (rest_.empty()) return;
    if (rest_.front() == '#') skip_comment();
    if (!rest_.empty()) skip_one();
  }
  string_view rest() const noexcept { return rest_; }
  size_t line() const noexcept { return line_; }

  Fault read(const char* what, int64_t low, int64_t high, int64_t& value) noexcept {
    const string_view word = next();
    if (word.empty()) {
      return refuse_line(line_, "the file ends before the ", what);
    }
    if (!whole_number(word, low, high, value)) {
      return no_whole_number(line_, what, word, low, high);
    }
    return {};
  }

 private:
  void skip_one() noexcept {
    line_ += rest_.front() == '\n';
    rest_.remove_prefix(1);
  }
  // Up to the line end, which stays.
  void skip_comment() noexcept {
    const size_t end = rest_.find('\n');
    rest_.remove_prefix(end == string_view::npos ? rest_.size() : end);
  }

  string_view rest_;
  size_t line_ = 1;
};

constexpr uint8_t grey_terrain(int64_t sample, int64_t max) {
  return sample * 2 < max ? '@' : '.';
}

// P2: the samples are numbers in text.
Fault read_samples(Numbers& numbers, int64_t max, Grid& fresh) noexcept {
  for (uint8_t& cell : fresh.terrain) {
    int64_t sample = 0;
    const string_view word = numbers.next();
    if (word.empty()) {
      return refuse_line(numbers.line(), "the file ends after ",
                         static_cast<size_t>(&cell - fresh.terrain.begin()), " samples of ",
                         fresh.terrain.size());
    }
    if (!whole_number(word, 0, max, sample)) {
      return no_whole_number(numbers.line(), "a sample", word, 0, max);
    }
    cell = grey_terrain(sample, max);
  }
  if (!numbers.next().empty()) {
    return refuse_line(numbers.line(), "more samples than the ", fresh.width, " x ", fresh.height,
                       " of the header");
  }
  return {};
}

// P5: a byte each, or two, the high one first, when the largest sample needs them.
Fault read_raster(string_view raster, int64_t max, Grid& fresh) noexcept {
  const size_t width = static_cast<size_t>(fresh.width);
  const unsigned char* at = reinterpret_cast<const unsigned char*>(raster.data());
  for (size_t i = 0; i < fresh.terrain.size(); ++i) {
    int64_t sample = *at++;
    if (max > 255) sample = sample << 8 | *at++;
    if (sample > max) {
      return refuse("row ", i / width + 1, ", column ", i % width + 1, ": sample ",
                    static_cast<int>(sample), " is above the maximum of ", static_cast<int>(max));
    }
    fresh.terrain[i] = grey_terrain(sample, max);
  }
  return {};
}

Fault parse_pgm(string_view bytes, Grid& grid) noexcept {
  const bool binary = bytes[1] == '5';
  Numbers numbers(bytes.substr(2));
  if (const string_view rest = numbers.rest();
      !rest.empty() && !is_space(rest.front()) && rest.front() != '#') {
    return refuse("line 1: ", binary ? "P5" : "P2", " must be followed by a blank");
  }

  // 1. The header.
  int64_t width = 0, height = 0, max = 0;
  if (Fault wrong = numbers.read("width", 1, kMaxSide, width)) return wrong;
  if (Fault wrong = numbers.read("height", 1, kMaxSide, height)) return wrong;
  if (Fault wrong = numbers.read("largest sample", 1, 65535, max)) return wrong;
  if (Fault wrong = check_size(numbers.line(), width, height)) return wrong;

  // 2. Are there bytes enough? check_size keeps the product far below 63 bits.
  if (binary) numbers.skip_separator();
  string_view raster = numbers.rest();
  const uint64_t cells = static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
  const uint64_t needed = binary ? (max > 255 ? cells * 2 : cells) : cells * 2 - 1;
  if (raster.size() < needed) {
    return refuse_line(numbers.line(), width, " x ", height, " samples need at least ", needed,
                       " bytes, and ", raster.size(), " follow");
  }
  if (binary && raster.size() > needed) {
    // A header written with CRLF has one byte more before the raster.
    const bool crlf = raster.data()[-1] == '\r' && raster.front() == '\n';
    if (crlf && raster.size() == needed + 1) {
      raster.remove_prefix(1);
    } else {
      for (char c : raster.substr(static_cast<size_t>(needed))) {
        if (is_space(c)) continue;
        return refuse(raster.size() - needed, " bytes too many after the last row");
      }
    }
  }

  // 3. The samples.
  Grid fresh;
  fresh.width = static_cast<int32_t>(width);
  fresh.height = static_cast<int32_t>(height);
  if (!fresh.terrain.resize(static_cast<size_t>(cells))) {
    return no_memory(fresh.width, fresh.height);
  }
  if (Fault wrong = binary ? read_raster(raster, max, fresh) : read_samples(numbers, max, fresh)) {
    return wrong;
  }
  grid = std::move(fresh);
  return {};
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// All formats

MapFormat guess_format(const char* data, size_t size) noexcept {
  const string_view bytes = without_bom({data, size});
  if (bytes.substr(0, 2) == "P2" || bytes.substr(0, 2) == "P5") return MapFormat::pgm;
  Lines lines(bytes);
  string_view line;
  if (lines.next_filled(line)) {
    // A row of plain text holds no blank, so a header line without "type" is told apart as well and
    // can be answered with the right message.
    const string_view key = take_word(line);
    if (!line.empty() && (key == "type" || key == "height" || key == "width")) {
      return MapFormat::moving_ai;
    }
  }
  return MapFormat::text;
}

Fault parse_grid(const void* data, size_t size, Grid& grid) noexcept {
  if (size == 0) return refuse("the file is empty");
  if (!data) return refuse("no data given");
  const string_view bytes = without_bom({static_cast<const char*>(data), size});
  switch (guess_format(bytes.data(), bytes.size())) {
    case MapFormat::moving_ai:
      return parse_moving_ai(bytes, grid);
    case MapFormat::pgm:
      return parse_pgm(bytes, grid);
    case MapFormat::text:
      break;
  }
  const Fault result = parse_text(bytes, grid);
  if (result && bytes.size() > 2 && bytes[0] == 'P' && std::strchr("13467", bytes[1]) &&
      is_space(bytes[2])) {
    return refuse("line 1: of the PNM pictures only P2 and P5 are read");
  }
  return result;
}

}  // namespace world

using world::fault_of;
using world::Quoted;
using world::refuse;
using world::refuse_line;
using world::string_view;

Fault parse_map(const void* data, size_t size, const MapDef& base, Engine& engine) noexcept {
  world::Grid grid;
  if (Fault wrong = world::parse_grid(data, size, grid)) return wrong;
  MapDef definition = base;
  definition.width = grid.width;
  definition.height = grid.height;
  return engine.reset(definition, grid.terrain.data(), static_cast<size_t>(grid.width));
}

// ---------------------------------------------------------------------------------------------
// Writing

namespace {

// A text file can hold a map when each terrain is a letter and the first row does not look like the
// head of a picture.
Fault check_letters(const Map& map, MapFormat format) noexcept {
  const Cell first = map.first_cell();
  for (int32_t y = 0; y < map.height(); ++y) {
    for (int32_t x = 0; x < map.width(); ++x) {
      const uint8_t terrain = map.terrain({first.x + x, first.y + y});
      if (world::is_letter(static_cast<char>(terrain))) continue;
      return refuse("cell (", first.x + x, ", ", first.y + y, ") has terrain ", terrain,
                    ", which has no letter in a text file");
    }
  }
  if (format == MapFormat::text && map.width() > 1) {
    const uint8_t second = map.terrain({first.x + 1, first.y});
    if (map.terrain(first) == 'P' && (second == '2' || second == '5')) {
      return refuse("a text file that begins with P", static_cast<char>(second),
                    " would be read as a picture");
    }
  }
  return {};
}

char black_or_white(uint8_t terrain) noexcept {
  const bool wall = terrain && std::strchr("@OTW#", terrain);
  return wall ? '\0' : '\xff';
}

}  // namespace

Fault write_map(const Map& map, MapFormat format, char* data, size_t capacity,
                size_t* length) noexcept {
  if (!length) return refuse("no place given for the length");
  if (!data && capacity > 0) return refuse("no place given for the data");
  const int32_t width = map.width();
  const int32_t height = map.height();
  if (width < 1 || height < 1) return refuse("there is no map yet");

  world::Message head;  // shorter than a Fault's text by far
  switch (format) {
    case MapFormat::moving_ai:
      head.add_all("type octile\nheight ", height, "\nwidth ", width, "\nmap\n");
      break;
    case MapFormat::text:
      break;
    case MapFormat::pgm:
      head.add_all("P5\n", width, " ", height, "\n255\n");
      break;
    default:
      return refuse(static_cast<int>(format), " is no map format");
  }
  const bool letters = format != MapFormat::pgm;
  if (letters) {
    if (Fault wrong = check_letters(map, format)) return wrong;
  }

  const uint64_t line_length = static_cast<uint64_t>(width) + (letters ? 1 : 0);
  const uint64_t needed = head.text().size() + line_length * static_cast<uint64_t>(height);
  if (needed > SIZE_MAX) {
    return fault_of(Status::out_of_memory, needed, " bytes do not fit the memory of this machine");
  }
  *length = static_cast<size_t>(needed);
  if (!data || capacity < needed) return {};

  std::memcpy(data, head.text().data(), head.text().size());
  data += head.text().size();
  const Cell first = map.first_cell();
  for (int32_t y = 0; y < height; ++y) {
    for (int32_t x = 0; x < width; ++x) {
      const uint8_t terrain = map.terrain({first.x + x, first.y + y});
      *data++ = letters ? static_cast<char>(terrain) : black_or_white(terrain);
    }
    if (letters) *data++ = '\n';
  }
  return {};
}

// ---------------------------------------------------------------------------------------------
// Scenarios

namespace {

// One line, from both ends: the bucket, then the seven numbers from the right; what is left in the
// middle is the name of the map, blanks and all.
Fault parse_scen_line(string_view line, size_t number, ScenQuery& query) noexcept {
  static constexpr const char* kColumns[] = {"map width", "map height", "start x",       "start y",
                                             "goal x",    "goal y",     "optimal length"};
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();

  const string_view bucket = world::take_word(line);
  string_view words[7];
  for (int i = 6; i >= 0; --i) words[i] = world::take_last_word(line);
  if (world::without_blanks(line).empty()) {
    return refuse_line(number,
                       "fewer than 9 columns (bucket, map, width, height, start, goal, length)");
  }
  // Between tabs a name may hold spaces, but a tab within it is a column too many.
  if (world::without_blanks(line).find('\t') != string_view::npos) {
    return refuse_line(number, "more than 9 columns");
  }

  int64_t value[6] = {};
  int64_t bucket_value = 0;
  if (!world::whole_number(bucket, 0, kHigh, bucket_value)) {
    return world::no_whole_number(number, "bucket", bucket, 0, kHigh);
  }
  for (int i = 0; i < 6; ++i) {
    const int64_t low = i < 2 ? 1 : kLow;  // a size, or a coordinate
    if (!world::whole_number(words[i], low, kHigh, value[i])) {
      return world::no_whole_number(number, kColumns[i], words[i], low, kHigh);
    }
  }
  double optimum = 0;
  const char* end = words[6].data() + words[6].size();
  const auto [stop, error] = std::from_chars(words[6].data(), end, optimum);
  if (error != std::errc() || stop != end || !std::isfinite(optimum) || optimum < 0) {
    return refuse_line(number, kColumns[6], " must be a number of at least 0, not ",
                       Quoted{words[6]});
  }

  query.bucket = static_cast<int32_t>(bucket_value);
  query.map_width = static_cast<int32_t>(value[0]);
  query.map_height = static_cast<int32_t>(value[1]);
  query.start = {static_cast<int32_t>(value[2]), static_cast<int32_t>(value[3])};
  query.goal = {static_cast<int32_t>(value[4]), static_cast<int32_t>(value[5])};
  query.optimum = optimum;
  return {};
}

// Reads all entries, keeps the first `capacity`.
Fault parse_scen_lines(string_view bytes, ScenQuery* out, size_t capacity, size_t& count) noexcept {
  world::Lines lines(bytes);
  string_view line;
  if (!lines.next_filled(line)) return refuse("the file is empty");
  const string_view whole = line;
  const string_view key = world::take_word(line);
  const string_view version = world::take_word(line);
  if (key != "version" || (version != "1" && version != "1.0") || !world::take_word(line).empty()) {
    return refuse_line(lines.number(), "the first line must be \"version 1\", not ", Quoted{whole});
  }
  count = 0;
  while (lines.next_filled(line)) {
    ScenQuery query;
    if (Fault wrong = parse_scen_line(line, lines.number(), query)) return wrong;
    if (count < capacity) out[count] = query;
    ++count;
  }
  return {};
}

}  // namespace

Fault parse_scen(const void* data, size_t size, ScenQuery* out, size_t capacity,
                 size_t* count) noexcept {
  if (!count) return refuse("no place given for the count");
  if (!out && capacity > 0) return refuse("no place given for the entries");
  if (size == 0) return refuse("the file is empty");
  if (!data) return refuse("no data given");
  const string_view bytes = world::without_bom({static_cast<const char*>(data), size});
  // Once to check, once to fill, so that a bad file changes nothing.
  size_t all = 0;
  if (Fault wrong = parse_scen_lines(bytes, nullptr, 0, all)) return wrong;
  *count = all;
  return capacity > 0 ? parse_scen_lines(bytes, out, capacity, all) : Fault{};
}

}  // namespace octile
