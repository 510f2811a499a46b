// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The boards of the tests: drawn, generated, mirrored, printed.

#include <algorithm>

#include "support.hpp"

namespace octile::test {

Board::Board(int width, int height, char fill) {
  def.width = width;
  def.height = height;
  def.terrain = static_cast<uint8_t>(fill);
  terrain.assign(size_t(width) * size_t(height), static_cast<uint8_t>(fill));
}

Board::Board(const Rows& rows) : Board(int(rows[0].size()), int(rows.size())) {
  for (size_t y = 0; y < rows.size(); ++y) {
    EXPECT_EQ(rows[y].size(), rows[0].size()) << "the rows of a drawn map differ in length";
    for (size_t x = 0; x < rows[0].size() && x < rows[y].size(); ++x)
      terrain[y * rows[0].size() + x] = static_cast<uint8_t>(rows[y][x]);
  }
}

void Board::add_weights(double scale) {
  def.weights = true;
  def.weight_scale = scale;
  weight.assign(terrain.size(), 1);
}

bool Board::contains(Cell c) const {
  const int64_t x = int64_t{c.x} - def.first_cell.x, y = int64_t{c.y} - def.first_cell.y;
  return x >= 0 && y >= 0 && x < def.width && y < def.height;
}
size_t Board::index(Cell c) const {
  return size_t(c.y - def.first_cell.y) * size_t(def.width) + size_t(c.x - def.first_cell.x);
}
Cell Board::cell(size_t index) const {
  return {def.first_cell.x + int32_t(index % size_t(def.width)),
          def.first_cell.y + int32_t(index / size_t(def.width))};
}
Cell Board::random_cell(Random& random) const {
  return {def.first_cell.x + random.below(def.width), def.first_cell.y + random.below(def.height)};
}

Board random_board(Random& random, int width, int height, int percent) {
  Board board(width, height);
  for (uint8_t& t : board.terrain)
    if (random.percent(percent)) t = '@';
  return board;
}

Board comb_board(int width, int height) {
  Board board(width, height);
  for (int x = 1; x < width; x += 2)
    for (int y = 0; y < height; ++y)
      if (y != (x % 4 == 1 ? height - 1 : 0)) board.at({x, y}) = '@';
  return board;
}

Board spiral_board(int width, int height) {
  Board board(width, height, '@');
  // Walk inwards and turn right where the cell after the next is taken already.
  Cell at{0, 0};
  int dx = 1, dy = 0;
  board.at(at) = '.';
  const auto open = [&](Cell c) { return board.contains(c) && board.at(c) == '.'; };
  const auto blocked = [&](int sx, int sy) {
    const Cell next{at.x + sx, at.y + sy};
    return !board.contains(next) || open(next) || open({at.x + 2 * sx, at.y + 2 * sy});
  };
  for (;;) {
    if (blocked(dx, dy)) {
      const int turn = dx;
      dx = -dy;
      dy = turn;
      if (blocked(dx, dy)) return board;
    }
    at = {at.x + dx, at.y + dy};
    board.at(at) = '.';
  }
}

Board one_wide_board(Random& random, int width, int height, int holes) {
  Board board(width, height, '@');
  // Depth first from the corner; rooms are the cells of even coordinates.
  std::vector<Cell> stack{{0, 0}};
  board.at({0, 0}) = '.';
  while (!stack.empty()) {
    const Cell at = stack.back();
    Cell ways[4];
    int count = 0;
    for (const Cell step : {Cell{2, 0}, Cell{0, 2}, Cell{-2, 0}, Cell{0, -2}}) {
      const Cell to{at.x + step.x, at.y + step.y};
      if (board.contains(to) && board.at(to) == '@') ways[count++] = to;
    }
    if (count == 0) {
      stack.pop_back();
      continue;
    }
    const Cell to = ways[random.below(count)];
    board.at({(at.x + to.x) / 2, (at.y + to.y) / 2}) = '.';
    board.at(to) = '.';
    stack.push_back(to);
  }
  for (int i = 0; i < holes; ++i) board.at(board.random_cell(random)) = '.';
  return board;
}

Board rooms_board(Random& random, int width, int height, int room) {
  Board board(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (x % room == room - 1 || y % room == room - 1) board.at({x, y}) = '@';
  // A door in most walls.
  for (int y = 0; y < height; y += room) {
    for (int x = 0; x < width; x += room) {
      const Cell right{x + room - 1, y + random.below(room - 1)};
      const Cell below{x + random.below(room - 1), y + room - 1};
      if (board.contains(right) && random.percent(90)) board.at(right) = '.';
      if (board.contains(below) && random.percent(90)) board.at(below) = '.';
    }
  }
  return board;
}

Board checker_board(int width, int height) {
  Board board(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if ((x + y) % 2) board.at({x, y}) = '@';
  return board;
}

void sprinkle(Random& random, Board& board, const char* digits, int percent) {
  const int kinds = int(std::string(digits).size());
  for (uint8_t& t : board.terrain)
    if (t == '.' && random.percent(percent)) t = static_cast<uint8_t>(digits[random.below(kinds)]);
}

void random_weights(Random& random, Board& board, double scale, int most, bool zero) {
  board.add_weights(scale);
  for (uint16_t& w : board.weight) w = static_cast<uint16_t>(random.between(zero ? 0 : 1, most));
}

Cell turned(const Board& board, Cell cell, int symmetry) {
  if (symmetry & 1) cell.x = board.width() - 1 - cell.x;
  if (symmetry & 2) cell.y = board.height() - 1 - cell.y;
  if (symmetry & 4) std::swap(cell.x, cell.y);
  return cell;
}

Board turned(const Board& board, int symmetry) {
  const bool swap = (symmetry & 4) != 0;
  Board out(swap ? board.height() : board.width(), swap ? board.width() : board.height());
  if (!board.weight.empty()) out.add_weights(board.def.weight_scale);
  for (size_t i = 0; i < board.size(); ++i) {
    const size_t to = out.index(turned(board, board.cell(i), symmetry));
    out.terrain[to] = board.terrain[i];
    if (!board.weight.empty()) out.weight[to] = board.weight[i];
  }
  return out;
}

std::string picture(const Board& board, const Path* path) {
  if (board.size() > 200 * 200) return "(a large map)\n";
  std::string text;
  for (int y = 0; y < board.height(); ++y) {
    for (int x = 0; x < board.width(); ++x)
      text += static_cast<char>(board.terrain[size_t(y) * size_t(board.width()) + size_t(x)]);
    text += '\n';
  }
  for (size_t i = 0; path && i < path->size(); ++i) {
    const Cell c = path->cells()[i];
    if (!board.contains(c)) continue;
    const int x = c.x - board.def.first_cell.x, y = c.y - board.def.first_cell.y;
    text[size_t(y) * size_t(board.width() + 1) + size_t(x)] = '*';
  }
  return text;
}

}  // namespace octile::test
