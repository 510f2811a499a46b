// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The map formats, rule by rule: one named test for each thing that docs/file_formats.md says of
// reading maps. Here the pure reader, world::parse_grid; map_scen_test.cpp has the public face.

#include "world/map_io.hpp"

#include <gtest/gtest.h>

#include <string>

#include "public_maps.hpp"

namespace octile {
namespace {

using namespace std::string_literals;
using test::moving_ai;

// The message of a file that is refused; "" when it is read.
std::string error_of(const std::string& bytes) {
  world::Grid grid;
  const Fault fault = world::parse_grid(bytes.data(), bytes.size(), grid);
  if (fault) {
    EXPECT_EQ(fault.status, Status::bad_argument);
    EXPECT_NE(fault.text[0], 0) << "a fault without a text";
    EXPECT_EQ(grid.width, 0);
    EXPECT_EQ(grid.height, 0);
    EXPECT_TRUE(grid.terrain.empty());
  }
  return fault.text;
}

// The grid as text, rows joined with '/'; or "! message".
std::string read(const std::string& bytes) {
  world::Grid grid;
  const Fault fault = world::parse_grid(bytes.data(), bytes.size(), grid);
  if (fault) return "! "s + fault.text;
  std::string out;
  for (int y = 0; y < grid.height; ++y) {
    if (y) out += '/';
    const uint8_t* row = grid.terrain.data() + size_t(y) * size_t(grid.width);
    out.append(reinterpret_cast<const char*>(row), size_t(grid.width));
  }
  return out;
}

MapFormat guess(const std::string& bytes) {
  return world::guess_format(bytes.data(), bytes.size());
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

// ---------------------------------------------------------------------------------------------
// Which format is it?

TEST(GuessFormat, LooksAtTheContent) {
  EXPECT_EQ(guess("P2\n1 1 1 0"), MapFormat::pgm);
  EXPECT_EQ(guess("P5 1 1 1 x"), MapFormat::pgm);
  EXPECT_EQ(guess("type octile\n"), MapFormat::moving_ai);
  EXPECT_EQ(guess("\n \r\ntype octile\n"), MapFormat::moving_ai);
  EXPECT_EQ(guess("..#\n"), MapFormat::text);
  EXPECT_EQ(guess(""), MapFormat::text);
}

TEST(GuessFormat, SeesThroughAByteOrderMark) {
  EXPECT_EQ(guess("\xEF\xBB\xBFP2 1 1 1 0"), MapFormat::pgm);
  EXPECT_EQ(guess("\xEF\xBB\xBFtype octile\n"), MapFormat::moving_ai);
}

TEST(GuessFormat, ARowOfTextMayBeginLikeAHeader) {
  EXPECT_EQ(read("typeo\nwidth\n"), "typeo/width");
  EXPECT_EQ(read("map\n...\n"), "map/...");
}

// ---------------------------------------------------------------------------------------------
// Moving AI

TEST(MovingAi, Reads) {
  EXPECT_EQ(read(moving_ai(3, 2, ".@.\n..T\n")), ".@./..T");
}

TEST(MovingAi, WidthMayComeBeforeHeight) {
  EXPECT_EQ(read("type octile\nwidth 3\nheight 2\nmap\n.@.\n..T\n"), ".@./..T");
}

TEST(MovingAi, CrLf) {
  EXPECT_EQ(read(with_crlf(moving_ai(3, 2, ".@.\n..T\n"))), ".@./..T");
}

TEST(MovingAi, MixedLineEnds) {
  EXPECT_EQ(read("type octile\r\nheight 2\nwidth 3\r\nmap\n.@.\r\n..T\n"), ".@./..T");
  EXPECT_EQ(read("type octile\rheight 2\rwidth 3\rmap\r.@.\r..T\r"), ".@./..T");
  EXPECT_EQ(read("type octile\rheight 2\rwidth 3\rmap\r.@.\r..T"), ".@./..T");
}

TEST(MovingAi, TheLastLineEndMayBeMissing) {
  EXPECT_EQ(read(moving_ai(3, 2, ".@.\n..T")), ".@./..T");
}

TEST(MovingAi, ByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF" + moving_ai(3, 2, ".@.\n..T\n")), ".@./..T");
}

TEST(MovingAi, TrailingBlanksOnHeaderLines) {
  EXPECT_EQ(read("type octile  \nheight 2\t\nwidth 3 \nmap   \n.@.\n..T\n"), ".@./..T");
}

TEST(MovingAi, SeveralBlanksBetweenKeyAndNumber) {
  EXPECT_EQ(read("type   octile\nheight\t2\nwidth    3\nmap\n.@.\n..T\n"), ".@./..T");
}

TEST(MovingAi, TrailingBlanksOnRows) {
  EXPECT_EQ(read(moving_ai(3, 2, ".@.  \n..T\t\r\n")), ".@./..T");
}

TEST(MovingAi, BlankLinesAtTheEnd) {
  EXPECT_EQ(read(moving_ai(3, 2, ".@.\n..T\n\n \r\n\t\n")), ".@./..T");
}

TEST(MovingAi, BlankLinesInTheHeader) {
  EXPECT_EQ(read("\ntype octile\n\nheight 2\n \nwidth 3\n\nmap\n.@.\n..T\n"), ".@./..T");
}

TEST(MovingAi, AllTerrainLettersAreKept) {
  EXPECT_EQ(read(moving_ai(7, 1, ".G@OTSW\n")), ".G@OTSW");
}

TEST(MovingAi, AnyPrintableLetterIsATerrain) {
  std::string row;
  for (char c = '!'; c <= '~'; ++c) row += c;
  EXPECT_EQ(read(moving_ai(int(row.size()), 1, row + "\n")), row);
}

TEST(MovingAi, ShortRow) {
  EXPECT_EQ(error_of(moving_ai(3, 2, ".@.\n..\n")), "line 6: row has 2 cells, the header says 3");
}

TEST(MovingAi, ShortRowOfARealSize) {
  std::string rows;
  for (int y = 0; y < 512; ++y) rows += std::string(y == 12 ? 511 : 512, '.') + "\n";
  EXPECT_EQ(error_of(moving_ai(512, 512, rows)), "line 17: row has 511 cells, the header says 512");
}

TEST(MovingAi, LongRow) {
  EXPECT_EQ(error_of(moving_ai(3, 2, "....\n...\n")), "line 5: row has 4 cells, the header says 3");
}

TEST(MovingAi, BlankRowBetweenRows) {
  EXPECT_EQ(error_of(moving_ai(3, 3, "...\n\n...\n...\n")),
            "line 6: row has 0 cells, the header says 3");
}

TEST(MovingAi, MissingRows) {
  EXPECT_EQ(error_of(moving_ai(3, 4, "...\n...\n")),
            "line 6: the map ends after 2 rows, the header says 4");
}

TEST(MovingAi, MissingRowsBeforeBlankLines) {
  EXPECT_EQ(error_of(moving_ai(3, 4, "...\n...\n\n\n")),
            "line 7: the map ends after 2 rows, the header says 4");
}

TEST(MovingAi, NoRowsAtAll) {
  EXPECT_EQ(error_of(moving_ai(3, 4, "")), "line 4: the map ends after 0 rows, the header says 4");
}

TEST(MovingAi, OneRowTooMany) {
  EXPECT_EQ(error_of(moving_ai(3, 1, "...\n...\n")), "line 6: one row too many, the header says 1");
}

TEST(MovingAi, OneRowTooManyAfterBlankLines) {
  EXPECT_EQ(error_of(moving_ai(3, 1, "...\n\n\n...\n")),
            "line 8: one row too many, the header says 1");
}

TEST(MovingAi, SizeZero) {
  EXPECT_EQ(error_of(moving_ai(3, 0, "")),
            "line 2: height must be a whole number from 1 to 2147483647, not \"0\"");
  EXPECT_EQ(error_of(moving_ai(0, 3, "")),
            "line 3: width must be a whole number from 1 to 2147483647, not \"0\"");
}

TEST(MovingAi, SizeNegative) {
  EXPECT_EQ(error_of(moving_ai(3, -5, "...\n")),
            "line 2: height must be a whole number from 1 to 2147483647, not \"-5\"");
}

TEST(MovingAi, SizeBeyond32Bits) {
  EXPECT_EQ(error_of("type octile\nheight 2147483648\nwidth 1\nmap\n.\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not \"2147483648\"");
}

TEST(MovingAi, SizeBeyond64Bits) {
  EXPECT_EQ(error_of("type octile\nheight 99999999999999999999999999999\nwidth 1\nmap\n.\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not "
            "\"999999999999999999999999...\"");
}

TEST(MovingAi, SizeNotANumber) {
  EXPECT_EQ(error_of("type octile\nheight tall\nwidth 1\nmap\n.\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not \"tall\"");
  for (const char* bad : {"3x", "3.0", "0x3", "+3", "3 3", "1e1", "nan", "-"}) {
    const std::string bytes = "type octile\nheight "s + bad + "\nwidth 1\nmap\n.\n.\n.\n";
    EXPECT_EQ(error_of(bytes),
              "line 2: height must be a whole number from 1 to 2147483647, not \""s + bad + "\"");
  }
}

TEST(MovingAi, SizeWithoutANumber) {
  EXPECT_EQ(error_of("type octile\nheight\nwidth 1\nmap\n.\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not \"\"");
}

TEST(MovingAi, SizeGivenTwice) {
  EXPECT_EQ(error_of("type octile\nheight 2\nheight 3\nwidth 1\nmap\n.\n"),
            "line 3: height is given twice, first on line 2");
  EXPECT_EQ(error_of("type octile\nheight 2\nwidth 1\n\nwidth 1\nmap\n.\n"),
            "line 5: width is given twice, first on line 3");
}

TEST(MovingAi, AMapOfTwoToThe31CellsInTwentyBytes) {
  EXPECT_EQ(error_of("type octile\nheight 32768\nwidth 65536\nmap\n...................."),
            "line 5: row has 20 cells, the header says 65536");
}

TEST(MovingAi, LargerThanAMapMayBe) {
  EXPECT_EQ(error_of("type octile\nheight 2147483647\nwidth 2147483647\nmap\n."),
            "line 4: a map of 2147483647 x 2147483647 cells is too large");
}

TEST(MovingAi, MissingHeight) {
  EXPECT_EQ(error_of("type octile\nwidth 3\nmap\n...\n"),
            "line 3: \"map\" comes before \"height\"");
}

TEST(MovingAi, MissingWidth) {
  EXPECT_EQ(error_of("type octile\nheight 1\nmap\n...\n"),
            "line 3: \"map\" comes before \"width\"");
}

TEST(MovingAi, MissingMapLine) {
  EXPECT_EQ(error_of("type octile\nheight 1\nwidth 3\n...\n"),
            "line 4: expected \"height\", \"width\" or \"map\", not \"...\"");
}

TEST(MovingAi, MissingTypeLine) {
  EXPECT_EQ(error_of("height 1\nwidth 3\nmap\n...\n"),
            "line 1: the first line must be \"type octile\"");
}

TEST(MovingAi, UnknownHeaderLine) {
  EXPECT_EQ(error_of("type octile\ndepth 5\nheight 1\nwidth 3\nmap\n...\n"),
            "line 2: expected \"height\", \"width\" or \"map\", not \"depth 5\"");
}

TEST(MovingAi, OtherTypes) {
  EXPECT_EQ(error_of("type tile\nheight 1\nwidth 3\nmap\n...\n"),
            "line 1: only maps of type \"octile\" are read, not \"tile\"");
  EXPECT_EQ(error_of("type octile twice\nheight 1\nwidth 3\nmap\n...\n"),
            "line 1: only maps of type \"octile\" are read, not \"octile twice\"");
}

TEST(MovingAi, EveryTruncationOfTheHeaderIsRefused) {
  const std::string whole = moving_ai(3, 2, ".@.\n..T\n");
  // "type" alone is a row of text, and the last line end may be missing.
  for (size_t n = 6; n + 1 < whole.size(); ++n) {
    EXPECT_NE(error_of(whole.substr(0, n)), "") << n << " bytes";
  }
  EXPECT_EQ(error_of("type octile\nheight 2"), "line 2: the file ends before \"map\"");
}

TEST(MovingAi, NulByte) {
  EXPECT_EQ(error_of(moving_ai(3, 1, ".\0.\n"s)),
            "line 5: byte 0x00 in column 2 is no terrain letter");
  EXPECT_EQ(error_of("type octile\nheight 1\nwidth 3\0\nmap\n...\n"s),
            "line 3: width must be a whole number from 1 to 2147483647, not \"3?\"");
}

TEST(MovingAi, BlankWithinARow) {
  EXPECT_EQ(error_of(moving_ai(3, 1, ". .\n")),
            "line 5: byte 0x20 in column 2 is no terrain letter");
  EXPECT_EQ(error_of(moving_ai(3, 1, "  .\n")),
            "line 5: byte 0x20 in column 1 is no terrain letter");
}

TEST(MovingAi, BytesBeyondAscii) {
  EXPECT_EQ(error_of(moving_ai(3, 1, ".\xC3\xA9\n")),
            "line 5: byte 0xc3 in column 2 is no terrain letter");
}

// Many blank lines must not make the reader look at the rest of the file again and again.
TEST(MovingAi, AMillionBlankLinesAreReadQuickly) {
  const std::string many(1000000, '\n');
  EXPECT_EQ(read(moving_ai(3, 1, "...\n" + many)), "...");
  EXPECT_EQ(error_of(moving_ai(3, 1, "...\n" + many + "...\n")),
            "line 1000006: one row too many, the header says 1");
}

// ---------------------------------------------------------------------------------------------
// Plain text

TEST(TextMap, Reads) {
  EXPECT_EQ(read(".#@\n129\n"), ".#@/129");
}

TEST(TextMap, CrLfTrailingBlanksAndBlankLinesAround) {
  EXPECT_EQ(read("\r\n\n.#.  \r\n...\t\r\n\r\n\n"), ".#./...");
  EXPECT_EQ(read("\r.#.  \r...\t\r\r"), ".#./...");
}

TEST(TextMap, ByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF.#.\n...\n"), ".#./...");
}

TEST(TextMap, OneCell) {
  EXPECT_EQ(read("."), ".");
}

TEST(TextMap, OtherLettersAreKept) {
  EXPECT_EQ(read("aZ~\n!G%\n"), "aZ~/!G%");
}

TEST(TextMap, RowsOfUnequalLength) {
  EXPECT_EQ(error_of("...\n..\n"), "line 2: row has 2 cells, the first row has 3");
  EXPECT_EQ(error_of("\n...\n....\n"), "line 3: row has 4 cells, the first row has 3");
}

TEST(TextMap, BlankRowBetweenRows) {
  EXPECT_EQ(error_of("...\n\n...\n"), "line 2: row has 0 cells, the first row has 3");
}

TEST(TextMap, BlankWithinARow) {
  EXPECT_EQ(error_of(". .\n"), "line 1: byte 0x20 in column 2 is no terrain letter");
}

TEST(TextMap, BinaryRubbish) {
  EXPECT_EQ(error_of("\x89PNG\r\n\x1A\n"), "line 1: byte 0x89 in column 1 is no terrain letter");
}

TEST(TextMap, Empty) {
  EXPECT_EQ(error_of(""), "the file is empty");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "the file has no rows");
  EXPECT_EQ(error_of("\n \n\t\r\n"), "the file has no rows");
}

TEST(TextMap, TooLong) {
  std::string row(size_t(64) * ((1 << 19) - 2), '.');  // the widest map that fits
  EXPECT_EQ(error_of(row), "");
  row += std::string(64, '.');
  EXPECT_EQ(error_of(row), "line 1: a map of 33554368 x 1 cells is too large");
}

// ---------------------------------------------------------------------------------------------
// PGM

TEST(Pgm, P2) {
  EXPECT_EQ(read("P2\n3 2\n255\n0 127 128\n255 10 200\n"), "@@./.@.");
}

TEST(Pgm, P5) {
  EXPECT_EQ(read("P5\n3 2\n255\n\x00\x7F\x80\xFF\x0A\xC8"s), "@@./.@.");
}

TEST(Pgm, P5SixteenBitBigEndian) {
  EXPECT_EQ(read("P5\n3 1\n65535\n\x7F\xFF\x80\x00\x00\xFF"s), "@.@");
  EXPECT_EQ(read("P5\n2 1\n256\n\x00\x7F\x00\x80"s), "@.");
}

TEST(Pgm, DarkIsBelowHalfOfTheLargestSample) {
  EXPECT_EQ(read("P2 2 1 1 0 1"), "@.");
  EXPECT_EQ(read("P2 3 1 2 0 1 2"), "@..");
  EXPECT_EQ(read("P2 4 1 3 0 1 2 3"), "@@..");
  EXPECT_EQ(read("P2 2 1 65535 32767 32768"), "@.");
}

TEST(Pgm, CommentsInTheHeader) {
  EXPECT_EQ(read("P2\n# made by hand\n2 1 # size\n#\n3\n0 3\n"), "@.");
  EXPECT_EQ(read("P5 # made by hand\n2#two\n1\n255\n\x00\xFF"s), "@.");
  EXPECT_EQ(read("P5\n2 1\n255# ends with the line\n\x00\xFF"s), "@.");
}

TEST(Pgm, CommentsBetweenSamples) {
  EXPECT_EQ(read("P2\n2 1\n3\n0 # dark\n3"), "@.");
}

TEST(Pgm, RasterThatLooksLikeBlanksAndComments) {
  EXPECT_EQ(read("P5\n4 1\n255\n# \n\r"), "@@@@");
}

TEST(Pgm, CrLfHeader) {
  EXPECT_EQ(read("P2\r\n2 1\r\n3\r\n0 3\r\n"), "@.");
  EXPECT_EQ(read("P5\r\n2 1\r\n255\r\n\x00\xFF"s), "@.");
}

TEST(Pgm, BlanksAfterTheRaster) {
  EXPECT_EQ(read("P5\n2 1\n255\n\x00\xFF\n"s), "@.");
}

TEST(Pgm, ByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBFP2\n2 1\n3\n0 3\n"), "@.");
}

TEST(Pgm, LargestSampleOutOfRange) {
  EXPECT_EQ(error_of("P2\n2 1\n0\n0 0\n"),
            "line 3: largest sample must be a whole number from 1 to 65535, not \"0\"");
  EXPECT_EQ(error_of("P2\n2 1\n65536\n0 0\n"),
            "line 3: largest sample must be a whole number from 1 to 65535, not \"65536\"");
}

TEST(Pgm, SizeZeroNegativeHugeOrNoNumber) {
  EXPECT_EQ(error_of("P2\n0 1\n1\n"),
            "line 2: width must be a whole number from 1 to 2147483647, not \"0\"");
  EXPECT_EQ(error_of("P2\n1 -1\n1\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not \"-1\"");
  EXPECT_EQ(error_of("P5\n1 4294967297\n1\n"),
            "line 2: height must be a whole number from 1 to 2147483647, not \"4294967297\"");
  EXPECT_EQ(error_of("P5\nwide\n"),
            "line 2: width must be a whole number from 1 to 2147483647, not \"wide\"");
}

TEST(Pgm, HeaderEndsEarly) {
  EXPECT_EQ(error_of("P2"), "line 1: the file ends before the width");
  EXPECT_EQ(error_of("P5\n3"), "line 2: the file ends before the height");
  EXPECT_EQ(error_of("P5\n3 1\n# no more"), "line 3: the file ends before the largest sample");
}

TEST(Pgm, AMapOfTwoToThe31CellsInTwentyBytes) {
  EXPECT_EQ(error_of("P5\n65536 32768\n255\n...................."),
            "line 4: 65536 x 32768 samples need at least 2147483648 bytes, and 20 follow");
  EXPECT_EQ(error_of("P2\n65536 32768\n255\n0 0 0 0 0 0 0 0 0 0 "),
            "line 3: 65536 x 32768 samples need at least 4294967295 bytes, and 21 follow");
}

TEST(Pgm, LargerThanAMapMayBe) {
  EXPECT_EQ(error_of("P5\n2147483647 2147483647\n255\n."),
            "line 3: a map of 2147483647 x 2147483647 cells is too large");
}

TEST(Pgm, RasterTooShort) {
  EXPECT_EQ(error_of("P5\n2 2\n255\n..."),
            "line 4: 2 x 2 samples need at least 4 bytes, and 3 follow");
  EXPECT_EQ(error_of("P5\n2 2\n256\n\0.\0.\0.\0"s),
            "line 4: 2 x 2 samples need at least 8 bytes, and 7 follow");
  EXPECT_EQ(error_of("P2\n2 2\n255\n100 100\n100\n"), "line 6: the file ends after 3 samples of 4");
}

TEST(Pgm, RasterTooLong) {
  EXPECT_EQ(error_of("P5\n2 1\n255\n..."), "1 bytes too many after the last row");
  EXPECT_EQ(error_of("P2\n2 1\n255\n1 2\n3\n"),
            "line 5: more samples than the 2 x 1 of the header");
}

TEST(Pgm, SampleAboveTheLargest) {
  EXPECT_EQ(error_of("P2\n2 1\n255\n0 256\n"),
            "line 4: a sample must be a whole number from 0 to 255, not \"256\"");
  EXPECT_EQ(error_of("P5\n2 2\n100\n\x00\x01\x02\x65"s),
            "row 2, column 2: sample 101 is above the maximum of 100");
  EXPECT_EQ(error_of("P5\n1 1\n256\n\x01\x01"s),
            "row 1, column 1: sample 257 is above the maximum of 256");
}

TEST(Pgm, SampleNegativeOrNoNumber) {
  EXPECT_EQ(error_of("P2\n2 1\n255\n0 -1\n"),
            "line 4: a sample must be a whole number from 0 to 255, not \"-1\"");
  EXPECT_EQ(error_of("P2\n2 1\n255\n0 x\n"),
            "line 4: a sample must be a whole number from 0 to 255, not \"x\"");
}

TEST(Pgm, TheMagicNumberNeedsABlankAfterIt) {
  EXPECT_EQ(error_of("P23 1 255 0 0 0"), "line 1: P2 must be followed by a blank");
}

TEST(Pgm, OtherPnmPicturesAreNamed) {
  EXPECT_EQ(error_of("P6\n1 1\n255\nabc"), "line 1: of the PNM pictures only P2 and P5 are read");
  EXPECT_EQ(error_of("P1\n2 1\n0 1"), "line 1: of the PNM pictures only P2 and P5 are read");
  EXPECT_EQ(read("P6\n..\n"), "P6/..");  // a text map all the same
}

}  // namespace
}  // namespace octile
