// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// parse_map, write_map and parse_scen through the public face, and the real files of $OCTILE_MAPS.
// One named test for each rule of docs/file_formats.md; map_io_test.cpp has the rules of each map
// format.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "octile/octile.hpp"
#include "public_maps.hpp"

namespace octile {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using test::moving_ai;

// ---------------------------------------------------------------------------------------------
// parse_map: into an Engine

std::string cells_of(const Engine& engine) {
  const Map& map = engine.map();
  std::string out;
  for (int y = 0; y < map.height(); ++y) {
    if (y) out += '/';
    for (int x = 0; x < map.width(); ++x) {
      out += char(map.terrain({map.first_cell().x + x, map.first_cell().y + y}));
    }
  }
  return out;
}

Fault parse(const std::string& bytes, Engine& engine, const MapDef& base = {}) {
  return parse_map(bytes.data(), bytes.size(), base, engine);
}

TEST(ParseMap, GivesANewMapOfTheSizeOfTheFile) {
  Engine engine;
  const Fault fault = parse(moving_ai(3, 2, ".@.\n..T\n"), engine);
  ASSERT_FALSE(fault) << fault.text;
  EXPECT_EQ(engine.map().width(), 3);
  EXPECT_EQ(engine.map().height(), 2);
  EXPECT_EQ(cells_of(engine), ".@./..T");
}

TEST(ParseMap, TakesTheRestOfTheDefinitionFromTheBase) {
  MapDef base;
  base.width = 99;
  base.height = 77;
  base.first_cell = {-5, 40};
  base.origin = {1.5, -2};
  base.cell_size = 0.25;
  base.weights = true;
  base.weight_scale = 0.5;
  Engine engine;
  const Fault fault = parse("12\n.#\n..\n", engine, base);
  ASSERT_FALSE(fault) << fault.text;
  const MapDef& made = engine.map().definition();
  EXPECT_EQ(made.width, 2);
  EXPECT_EQ(made.height, 3);
  EXPECT_EQ(made.first_cell, base.first_cell);
  EXPECT_EQ(made.origin.x, 1.5);
  EXPECT_EQ(made.origin.y, -2);
  EXPECT_EQ(made.cell_size, 0.25);
  EXPECT_TRUE(made.weights);
  EXPECT_EQ(made.weight_scale, 0.5);
  EXPECT_EQ(engine.map().terrain({-5, 40}), '1');
  EXPECT_EQ(engine.map().terrain({-4, 41}), '#');
  EXPECT_EQ(engine.map().terrain({-4, 43}), 0);  // outside
}

TEST(ParseMap, ABadFileLeavesTheEngineAlone) {
  Engine engine;
  ASSERT_FALSE(parse("..#\n#..\n", engine));
  ASSERT_FALSE(engine.commit());
  const uint64_t version = engine.map().version();
  for (const char* bad : {"", "...\n..\n", "P5\n9 9\n255\n", "type octile\nheight 1\n"}) {
    EXPECT_TRUE(parse(bad, engine)) << bad;
    EXPECT_EQ(cells_of(engine), "..#/#..");
    EXPECT_EQ(engine.map().version(), version);
  }
}

TEST(ParseMap, ABadBaseLeavesTheEngineAlone) {
  Engine engine;
  ASSERT_FALSE(parse("..#\n#..\n", engine));
  MapDef base;
  base.cell_size = -1;
  const Fault fault = parse("....\n", engine, base);
  EXPECT_EQ(fault.status, Status::bad_argument);
  EXPECT_EQ(cells_of(engine), "..#/#..");
  base = {};
  base.first_cell = {std::numeric_limits<int32_t>::max() - 2, 0};  // the fourth cell does not fit
  EXPECT_TRUE(parse("....\n", engine, base));
  EXPECT_EQ(cells_of(engine), "..#/#..");
}

TEST(ParseMap, NullData) {
  Engine engine;
  EXPECT_EQ(parse_map(nullptr, 0, {}, engine).status, Status::bad_argument);
  EXPECT_EQ(parse_map(nullptr, 5, {}, engine).status, Status::bad_argument);
}

TEST(ParseMap, SizesAroundATile) {
  for (int width : {63, 64, 65, 127, 128, 129}) {
    std::string rows;
    for (int y = 0; y < 66; ++y) {
      for (int x = 0; x < width; ++x) rows += char('!' + (x * 7 + y * 13) % 94);
      rows += '\n';
    }
    Engine engine;
    const Fault fault = parse(moving_ai(width, 66, rows), engine);
    ASSERT_FALSE(fault) << fault.text;
    std::string expected = rows;
    expected.pop_back();
    std::replace(expected.begin(), expected.end(), '\n', '/');
    // '/' is a terrain as well; the positions of the separators are the same in both.
    EXPECT_EQ(cells_of(engine), expected);
  }
}

// ---------------------------------------------------------------------------------------------
// write_map

std::string write(const Map& map, MapFormat format) {
  size_t length = 0;
  Fault fault = write_map(map, format, nullptr, 0, &length);
  if (fault) return "! "s + fault.text;
  std::string bytes(length, '?');
  size_t again = 0;
  fault = write_map(map, format, bytes.data(), bytes.size(), &again);
  EXPECT_FALSE(fault) << fault.text;
  EXPECT_EQ(again, length);
  return bytes;
}

TEST(WriteMap, MovingAi) {
  Engine engine;
  ASSERT_FALSE(parse(".@.\n..T\n", engine));
  EXPECT_EQ(write(engine.map(), MapFormat::moving_ai), moving_ai(3, 2, ".@.\n..T\n"));
}

TEST(WriteMap, Text) {
  Engine engine;
  ASSERT_FALSE(parse(".@.\r\n12T\r\n\r\n", engine));
  EXPECT_EQ(write(engine.map(), MapFormat::text), ".@.\n12T\n");
}

TEST(WriteMap, PgmIsBlackForWallLettersAndWhiteElse) {
  Engine engine;
  ASSERT_FALSE(parse("@OTW#\n.GS1x\n", engine));
  EXPECT_EQ(write(engine.map(), MapFormat::pgm),
            "P5\n5 2\n255\n\x00\x00\x00\x00\x00\xFF\xFF\xFF\xFF\xFF"s);
}

TEST(WriteMap, RoundTrips) {
  const std::string rows = ".@.G\nOT1S\nW~!9\n";
  MapDef base;
  base.first_cell = {-7, 3};
  for (MapFormat format : {MapFormat::moving_ai, MapFormat::text}) {
    Engine engine, copy;
    ASSERT_FALSE(parse(rows, engine, base));
    const Fault fault = parse(write(engine.map(), format), copy, base);
    ASSERT_FALSE(fault) << fault.text;
    EXPECT_EQ(cells_of(copy), cells_of(engine));
  }
  Engine engine, copy;
  ASSERT_FALSE(parse(rows, engine));
  ASSERT_FALSE(parse(write(engine.map(), MapFormat::pgm), copy));
  EXPECT_EQ(cells_of(copy), ".@../@@../@...");
  EXPECT_EQ(write(copy.map(), MapFormat::pgm), write(engine.map(), MapFormat::pgm));
}

TEST(WriteMap, FillsOnlyWhenTheCapacitySuffices) {
  Engine engine;
  ASSERT_FALSE(parse(".@.\n..T\n", engine));
  char data[9];
  std::fill(std::begin(data), std::end(data), '?');
  size_t length = 0;
  EXPECT_FALSE(write_map(engine.map(), MapFormat::text, data, 7, &length));
  EXPECT_EQ(length, 8u);
  EXPECT_EQ(std::string(data, 9), "?????????");
  length = 0;
  EXPECT_FALSE(write_map(engine.map(), MapFormat::text, data, 8, &length));
  EXPECT_EQ(length, 8u);
  EXPECT_EQ(std::string(data, 9), ".@.\n..T\n?");
}

TEST(WriteMap, ShowsEditsThatAreNotCommitted) {
  Engine engine;
  ASSERT_FALSE(parse("...\n", engine));
  ASSERT_FALSE(engine.commit());
  ASSERT_FALSE(engine.map().set_terrain({1, 0}, '@'));
  EXPECT_EQ(write(engine.map(), MapFormat::text), ".@.\n");
}

TEST(WriteMap, ATerrainWithoutALetterIsRefusedInText) {
  for (uint8_t terrain : {0, 10, 32, 127, 128, 255}) {
    MapDef base;
    base.first_cell = {-1, 0};
    Engine engine;
    ASSERT_FALSE(parse("...\n...\n", engine, base));
    ASSERT_FALSE(engine.map().set_terrain({0, 1}, terrain));
    const std::string message = "! cell (0, 1) has terrain " + std::to_string(terrain) +
                                ", which has no letter in a text file";
    EXPECT_EQ(write(engine.map(), MapFormat::text), message);
    EXPECT_EQ(write(engine.map(), MapFormat::moving_ai), message);
    EXPECT_EQ(write(engine.map(), MapFormat::pgm).size(), 11u + 6);
  }
}

TEST(WriteMap, ATextThatWouldReadAsAPictureIsRefused) {
  Engine engine;
  ASSERT_FALSE(parse(moving_ai(3, 1, "P5.\n"), engine));
  EXPECT_EQ(write(engine.map(), MapFormat::text),
            "! a text file that begins with P5 would be read as a picture");
  EXPECT_EQ(write(engine.map(), MapFormat::moving_ai), moving_ai(3, 1, "P5.\n"));
}

TEST(WriteMap, NoMapYet) {
  Engine engine;
  EXPECT_EQ(write(engine.map(), MapFormat::text), "! there is no map yet");
}

TEST(WriteMap, BadArguments) {
  Engine engine;
  ASSERT_FALSE(parse("...\n", engine));
  char data[64];
  size_t length = 7;
  EXPECT_EQ(write_map(engine.map(), MapFormat::text, data, sizeof data, nullptr).status,
            Status::bad_argument);
  EXPECT_EQ(write_map(engine.map(), MapFormat::text, nullptr, 64, &length).status,
            Status::bad_argument);
  EXPECT_EQ(write_map(engine.map(), static_cast<MapFormat>(9), data, sizeof data, &length).status,
            Status::bad_argument);
  EXPECT_EQ(length, 7u);
}

// ---------------------------------------------------------------------------------------------
// parse_scen

constexpr const char* kTwoLines =
    "version 1\n"
    "0\tmaps/a.map\t49\t50\t1\t11\t2\t12\t1.41421356\n"
    "3\tmaps/a.map\t49\t50\t7\t8\t9\t10\t244.95\n";

std::string scen_line(const std::string& line) {
  return "version 1\n" + line + "\n";
}

std::vector<ScenQuery> scen(const std::string& bytes) {
  size_t count = 0;
  Fault fault = parse_scen(bytes.data(), bytes.size(), nullptr, 0, &count);
  EXPECT_FALSE(fault) << fault.text;
  std::vector<ScenQuery> out(count);
  size_t again = 0;
  fault = parse_scen(bytes.data(), bytes.size(), out.data(), out.size(), &again);
  EXPECT_FALSE(fault) << fault.text;
  EXPECT_EQ(again, count);
  return out;
}

std::string scen_error(const std::string& bytes) {
  size_t count = 4711;
  ScenQuery query;
  query.bucket = 4711;
  const Fault fault = parse_scen(bytes.data(), bytes.size(), &query, 1, &count);
  if (fault) {
    EXPECT_EQ(fault.status, Status::bad_argument);
    EXPECT_EQ(count, 4711u);
    EXPECT_EQ(query.bucket, 4711) << "a bad file must change nothing";
  }
  return fault.text;
}

void expect_two_lines(const std::vector<ScenQuery>& queries) {
  ASSERT_EQ(queries.size(), 2u);
  EXPECT_EQ(queries[0].bucket, 0);
  EXPECT_EQ(queries[0].map_width, 49);
  EXPECT_EQ(queries[0].map_height, 50);
  EXPECT_EQ(queries[0].start, (Cell{1, 11}));
  EXPECT_EQ(queries[0].goal, (Cell{2, 12}));
  EXPECT_EQ(queries[0].optimum, 1.41421356);
  EXPECT_EQ(queries[1].bucket, 3);
  EXPECT_EQ(queries[1].start, (Cell{7, 8}));
  EXPECT_EQ(queries[1].goal, (Cell{9, 10}));
  EXPECT_EQ(queries[1].optimum, 244.95);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(ParseScen, Tabs) {
  expect_two_lines(scen(kTwoLines));
}

TEST(ParseScen, Spaces) {
  expect_two_lines(scen(replaced(kTwoLines, "\t", "  ")));
}

TEST(ParseScen, CrLf) {
  expect_two_lines(scen(replaced(kTwoLines, "\n", "\r\n")));
}

TEST(ParseScen, Version1AndVersion1Point0) {
  expect_two_lines(scen(replaced(kTwoLines, "version 1", "version 1.0")));
  expect_two_lines(scen(replaced(kTwoLines, "version 1", "version\t1.0  ")));
}

TEST(ParseScen, BlankLinesAndTrailingBlanks) {
  expect_two_lines(scen("\n\n" + replaced(kTwoLines, "\n", " \t\n\n \n")));
}

TEST(ParseScen, TheLastLineEndMayBeMissing) {
  std::string bytes = kTwoLines;
  bytes.pop_back();
  expect_two_lines(scen(bytes));
}

TEST(ParseScen, ByteOrderMark) {
  expect_two_lines(scen("\xEF\xBB\xBF"s + kTwoLines));
}

TEST(ParseScen, MapNamesWithSpaces) {
  expect_two_lines(scen(replaced(kTwoLines, "maps/a.map", "my maps/a 2 b.map")));
  expect_two_lines(scen(replaced(replaced(kTwoLines, "\t", " "), "a.map", "a 2 b.map")));
}

TEST(ParseScen, NoEntries) {
  EXPECT_TRUE(scen("version 1\n").empty());
  EXPECT_TRUE(scen("version 1").empty());
}

TEST(ParseScen, CountsBeyondTheCapacity) {
  const std::string bytes = kTwoLines;
  ScenQuery out[2];
  out[1].bucket = 4711;
  size_t count = 0;
  ASSERT_FALSE(parse_scen(bytes.data(), bytes.size(), out, 1, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(out[0].goal, (Cell{2, 12}));
  EXPECT_EQ(out[1].bucket, 4711);
}

TEST(ParseScen, OptimaAreReadToTheLastDigit) {
  for (const char* text : {"0", "0.1", "4", "2.00000000", "1e3", "3.4142135623730951", "123456.789",
                           "0.30000000000000004", "9007199254740993"}) {
    const std::vector<ScenQuery> read = scen(scen_line("0 a 9 9 1 1 2 2 "s + text));
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].optimum, std::strtod(text, nullptr)) << text;
  }
}

TEST(ParseScen, NegativeCoordinatesAreForTheQueryToJudge) {
  const std::vector<ScenQuery> read = scen(scen_line("0 a 9 9 -1 1 2 70000 3"));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].start, (Cell{-1, 1}));
  EXPECT_EQ(read[0].goal, (Cell{2, 70000}));
}

TEST(ParseScen, OptimumMustBeAFiniteNumberOfAtLeastZero) {
  for (const char* bad : {"nan", "inf", "-1", "-0.5", "1e999", "1.5x", "--1", "0x10", "one", "."}) {
    EXPECT_EQ(scen_error("version 1\n0 a 9 9 1 1 2 2 1\n0 a 9 9 1 1 2 2 "s + bad + "\n"),
              "line 3: optimal length must be a number of at least 0, not \""s + bad + "\"");
  }
}

TEST(ParseScen, NumbersMustFit) {
  const std::string range = " must be a whole number from -2147483648 to 2147483647, not ";
  EXPECT_EQ(scen_error(scen_line("0 a 9 9 2147483648 1 2 2 1")),
            "line 2: start x" + range + "\"2147483648\"");
  EXPECT_EQ(scen_error(scen_line("0 a 9 9 1 -2147483649 2 2 1")),
            "line 2: start y" + range + "\"-2147483649\"");
  EXPECT_EQ(scen_error(scen_line("0 a 9 9 1 1 1.5 2 1")), "line 2: goal x" + range + "\"1.5\"");
  EXPECT_EQ(scen_error(scen_line("0 a 9 9 1 1 2 two 1")), "line 2: goal y" + range + "\"two\"");
}

TEST(ParseScen, MapSizeMustBePositive) {
  EXPECT_EQ(scen_error(scen_line("0 a 0 9 1 1 2 2 1")),
            "line 2: map width must be a whole number from 1 to 2147483647, not \"0\"");
  EXPECT_EQ(scen_error(scen_line("0 a 9 -9 1 1 2 2 1")),
            "line 2: map height must be a whole number from 1 to 2147483647, not \"-9\"");
}

TEST(ParseScen, BucketMustBeANumber) {
  EXPECT_EQ(scen_error(scen_line("b a 9 9 1 1 2 2 1")),
            "line 2: bucket must be a whole number from 0 to 2147483647, not \"b\"");
  EXPECT_EQ(scen_error(scen_line("-1 a 9 9 1 1 2 2 1")),
            "line 2: bucket must be a whole number from 0 to 2147483647, not \"-1\"");
}

TEST(ParseScen, TooFewColumns) {
  const std::string message =
      "line 2: fewer than 9 columns (bucket, map, width, height, start, goal, length)";
  EXPECT_EQ(scen_error(scen_line("0 9 9 1 1 2 2 1")), message);
  EXPECT_EQ(scen_error(scen_line("0")), message);
  EXPECT_EQ(scen_error(scen_line("0\t\t9\t9\t1\t1\t2\t2\t1")), message);  // no name
}

TEST(ParseScen, TooManyColumns) {
  EXPECT_EQ(scen_error(scen_line("0\ta\t9\t9\t1\t1\t2\t2\t1\t5")), "line 2: more than 9 columns");
}

TEST(ParseScen, EveryTruncationOfALineIsRefusedOrReadsALength) {
  const std::string line = "0\ta\t9\t9\t1\t1\t2\t2\t1.25";
  for (size_t n = 1; n < line.size(); ++n) {
    const bool length_begun = n > line.rfind('\t') + 1;
    EXPECT_EQ(scen_error(scen_line(line.substr(0, n))).empty(), length_begun) << n;
  }
}

TEST(ParseScen, VersionLine) {
  EXPECT_EQ(scen_error("0 a 9 9 1 1 2 2 1\n"),
            "line 1: the first line must be \"version 1\", not \"0 a 9 9 1 1 2 2 1\"");
  EXPECT_EQ(scen_error("version 2\n"),
            "line 1: the first line must be \"version 1\", not \"version 2\"");
  EXPECT_EQ(scen_error("version 1 0\n"),
            "line 1: the first line must be \"version 1\", not \"version 1 0\"");
}

TEST(ParseScen, Empty) {
  EXPECT_EQ(scen_error(""), "the file is empty");
  EXPECT_EQ(scen_error("\n \r\n"), "the file is empty");
}

TEST(ParseScen, NulBytes) {
  EXPECT_EQ(scen_error("version 1\n0 a 9 9 1 1 2 2 1\0\n"s),
            "line 2: optimal length must be a number of at least 0, not \"1?\"");
}

TEST(ParseScen, BadArguments) {
  const std::string bytes = kTwoLines;
  ScenQuery query;
  size_t count = 0;
  EXPECT_EQ(parse_scen(bytes.data(), bytes.size(), &query, 1, nullptr).status,
            Status::bad_argument);
  EXPECT_EQ(parse_scen(bytes.data(), bytes.size(), nullptr, 1, &count).status,
            Status::bad_argument);
  EXPECT_EQ(parse_scen(nullptr, 9, &query, 1, &count).status, Status::bad_argument);
}

// ---------------------------------------------------------------------------------------------
// The real files

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

// What follows the header, without the bytes that make no cell.
std::string rows_of(const std::string& bytes) {
  std::string rows = replaced(bytes.substr(bytes.find("\nmap")), "\r", "");
  while (rows.back() == '\n') rows.pop_back();
  return rows;
}

TEST(RealFiles, EveryMapIsReadAndWrittenAgain) {
  const std::vector<fs::path> files = test::public_files(".map");
  if (files.empty()) GTEST_SKIP() << "no maps in " << test::maps_folder() << "; set OCTILE_MAPS";
  for (const fs::path& file : files) {
    const std::string bytes = bytes_of(file);
    Engine engine;
    const Fault fault = parse(bytes, engine);
    ASSERT_FALSE(fault) << file << ": " << fault.text;
    EXPECT_EQ(rows_of(write(engine.map(), MapFormat::moving_ai)), rows_of(bytes)) << file;
  }
  RecordProperty("maps", int(files.size()));
}

TEST(RealFiles, EveryScenFitsItsMap) {
  const std::vector<fs::path> files = test::public_files(".scen");
  if (files.empty()) GTEST_SKIP() << "no maps in " << test::maps_folder() << "; set OCTILE_MAPS";
  for (const fs::path& file : files) {
    const std::vector<ScenQuery> queries = scen(bytes_of(file));
    EXPECT_FALSE(queries.empty()) << file;
    Engine engine;
    ASSERT_FALSE(parse(bytes_of(fs::path(file).replace_extension()), engine)) << file;
    for (const ScenQuery& query : queries) {
      EXPECT_EQ(query.map_width, engine.map().width()) << file;
      EXPECT_EQ(query.map_height, engine.map().height()) << file;
      EXPECT_TRUE(engine.map().contains(query.start)) << file;
      EXPECT_TRUE(engine.map().contains(query.goal)) << file;
    }
  }
}

}  // namespace
}  // namespace octile
