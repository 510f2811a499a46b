// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "agents/assignment.hpp"

#include <algorithm>
#include <bit>

namespace octile {

namespace {

constexpr uint32_t kUnmatched = 0xffffffff;
constexpr double kNever = __builtin_huge_val();

// Which row has which column, and pairs that may be, as bits, 64 columns to a word.
class Matching {
 public:
  // Nothing is matched. False: memory is short.
  bool begin(size_t rows, size_t columns) noexcept {
    words_ = (columns + 63) / 64;
    return pairs_.resize(rows * words_) && seen_.resize(words_) && free_.assign(words_, ~0ull) &&
           from_.resize(columns) && queue_.resize(rows) && column_of.assign(rows, kUnmatched) &&
           row_of.assign(columns, kUnmatched);
  }
  Buffer<uint32_t> column_of, row_of;

  void take(uint32_t row, uint32_t column) noexcept {
    column_of[row] = column;
    row_of[column] = row;
    free_[column / 64] &= ~(uint64_t{1} << column % 64);
  }
  // The pairs of a row: those of its values that are no more than a limit.
  template <class Value>
  void allow(uint32_t row, double limit, Value value) noexcept {
    const size_t columns = row_of.size();
    for (size_t w = 0; w < words_; ++w) {
      const size_t first = w * 64, n = std::min<size_t>(64, columns - first);
      uint64_t bits = 0;
      for (size_t k = 0; k < n; ++k) bits |= uint64_t{value(first + k) <= limit} << k;
      pairs_[row * words_ + w] = bits;
    }
  }
  // Gives a row a column, for which others may change theirs: an augmenting path, breadth first.
  bool grow(uint32_t root) noexcept {
    for (uint64_t& word : seen_) word = 0;
    size_t head = 0, tail = 0;
    for (uint32_t row = root;; row = queue_[head++]) {
      const uint64_t* pairs = pairs_.data() + row * words_;
      for (uint32_t w = 0; w < words_; ++w) {
        uint64_t fresh = pairs[w] & ~seen_[w];
        if (const uint64_t open = fresh & free_[w]) {
          auto column = w * 64 + static_cast<uint32_t>(std::countr_zero(open));
          for (;;) {
            const uint32_t had = column_of[row];
            take(row, column);
            if (row == root) return true;
            column = had;
            row = from_[had];
          }
        }
        seen_[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) {
          const auto column = w * 64 + static_cast<uint32_t>(std::countr_zero(fresh));
          from_[column] = row;
          queue_[tail++] = row_of[column];
        }
      }
      if (head == tail) return false;
    }
  }

 private:
  size_t words_ = 0;
  Buffer<uint64_t> pairs_;  // by row
  Buffer<uint64_t> seen_, free_;
  Buffer<uint32_t> from_;  // by column: the row from which it was reached
  Buffer<uint32_t> queue_;
};

// The least limit at which every row can have a column of its own for no more than it: bisection
// over the costs. What was matched below a limit that does not do stays for the higher ones.
class Bottleneck {
 public:
  // False: memory is short.
  bool find(const double* cost, size_t rows, size_t columns, double* largest) noexcept {
    cost_ = cost;
    rows_ = rows;
    columns_ = columns;
    if (!kept_.assign(rows, kUnmatched)) return false;
    // 1. No less than each row's own least, and with as many rows as columns than each column's.
    double least = -kNever;
    for (size_t i = 0; i < rows; ++i) {
      double own = kNever;
      for (size_t j = 0; j < columns; ++j) own = std::min(own, cost[i * columns + j]);
      least = std::max(least, own);
    }
    for (size_t j = 0; rows == columns && j < columns; ++j) {
      double own = kNever;
      for (size_t i = 0; i < rows; ++i) own = std::min(own, cost[i * columns + j]);
      least = std::max(least, own);
    }
    *largest = least;
    bool enough = false;
    if (!fits(least, &enough)) return false;
    if (enough) return true;
    // 2. The others; the greatest of them does.
    Buffer<double> others;
    if (!others.reserve(rows * columns)) return false;
    for (size_t k = 0; k < rows * columns; ++k)
      if (cost[k] > least) others.push(cost[k]);
    double *begin = others.begin(), *end = others.end();
    *largest = *std::max_element(begin, end);
    while (begin < end) {
      double* middle = begin + (end - begin) / 2;
      std::nth_element(begin, middle, end);
      const double limit = *middle;
      if (!fits(limit, &enough)) return false;
      if (enough) {
        *largest = limit;
        end = std::partition(begin, middle, [&](double c) { return c < limit; });
      } else {
        begin = std::partition(middle, end, [&](double c) { return c <= limit; });
      }
    }
    return true;
  }

 private:
  // False: memory is short.
  bool fits(double limit, bool* enough) noexcept {
    if (!matching_.begin(rows_, columns_)) return false;
    for (uint32_t i = 0; i < rows_; ++i) {
      const double* row = cost_ + i * columns_;
      matching_.allow(i, limit, [row](size_t j) { return row[j]; });
      if (kept_[i] != kUnmatched) matching_.take(i, kept_[i]);
    }
    *enough = true;
    for (uint32_t i = 0; i < rows_ && *enough; ++i)
      *enough = matching_.column_of[i] != kUnmatched || matching_.grow(i);
    if (!*enough) std::copy(matching_.column_of.begin(), matching_.column_of.end(), kept_.begin());
    return true;
  }

  const double* cost_ = nullptr;
  size_t rows_ = 0, columns_ = 0;
  Matching matching_;
  Buffer<uint32_t> kept_;  // by row: its column at the highest limit that does not do
};

// The least sum of costs: prices of columns, at which every row has one of the columns that are
// cheapest for it, where `cost - price` counts. No price is above 0, and columns without a row have
// price 0 when there are more columns than rows.
class LeastSum {
 public:
  // False: memory is short. Pairs of kNever are none; `largest` of the others is known.
  bool find(const double* cost, size_t rows, size_t columns, double largest) noexcept {
    cost_ = cost;
    rows_ = rows;
    columns_ = columns;
    // Equal sums of roots come out different in their last digits.
    equal_ = 1e-12 * (1 + std::max(largest, -largest));
    padded_ = (columns + kLanes - 1) / kLanes * kLanes;
    if (!matching_.begin(rows, columns) || !price_.assign(columns, 0) || !open_.resize(padded_) ||
        !key_.resize(padded_) || !from_.resize(columns) || !done_.resize(columns) ||
        !reach_.resize(columns))
      return false;
    // 1. Who comes from far away pays much the same for each column more than others: so prices
    // begin where each column costs the cheapest row nothing.
    if (rows == columns)
      for (size_t j = 0; j < columns; ++j) {
        price_[j] = kNever;
        for (size_t i = 0; i < rows; ++i) price_[j] = std::min(price_[j], cost[i * columns + j]);
      }
    // 2. As many rows as can have one of their cheapest columns; prices for all others at once; and
    // again, as long as that gives columns to many of them.
    size_t left = rows;
    for (;;) {
      const size_t before = left;
      left -= match();
      if (left == 0) return true;
      if (before - left <= left / 16) break;
      begin_search();
      for (uint32_t i = 0; i < rows; ++i)
        if (column_of(i) == kUnmatched) relax(i, -least_of(i));
      search();
    }
    // 3. The others one by one.
    for (uint32_t i = 0; i < rows; ++i) {
      if (column_of(i) != kUnmatched) continue;
      begin_search();
      relax(i, 0);
      augment(search());
    }
    return true;
  }
  uint32_t column_of(uint32_t row) const noexcept { return matching_.column_of[row]; }

 private:
  static constexpr size_t kLanes = 8;

  double least_of(uint32_t row) const noexcept {
    const double* cost = cost_ + row * columns_;
    double least = kNever;
    for (size_t j = 0; j < columns_; ++j) least = std::min(least, cost[j] - price_[j]);
    return least;
  }
  // Rows that get a column, among their cheapest ones.
  size_t match() noexcept {
    for (uint32_t i = 0; i < rows_; ++i) {
      const double* cost = cost_ + i * columns_;
      const uint32_t own = column_of(i);
      const double pays = own == kUnmatched ? least_of(i) : cost[own] - price_[own];
      matching_.allow(i, pays + equal_, [&](size_t j) { return cost[j] - price_[j]; });
    }
    size_t count = 0;
    for (uint32_t i = 0; i < rows_; ++i) count += column_of(i) == kUnmatched && matching_.grow(i);
    return count;
  }

  // Shortest ways from rows without a column to a free column, over pairs by what they cost more
  // than the row pays now (Dijkstra). Then the columns nearer than that one have lower prices, and
  // all pairs on the way to it cost no more than their row pays. The column.
  void begin_search() noexcept {
    for (size_t j = 0; j < padded_; ++j) {
      open_[j] = j < columns_ ? kNever : -kNever;  // beyond the last one none is ever near
      key_[j] = kNever;
    }
  }
  uint32_t search() noexcept {
    size_t done = 0;
    for (;;) {
      uint32_t at;
      const double length = nearest(&at);
      const uint32_t row = matching_.row_of[at];
      if (row == kUnmatched) {
        for (size_t k = 0; k < done; ++k) price_[done_[k]] += reach_[done_[k]] - length;
        return at;
      }
      reach_[at] = length;
      done_[done++] = at;
      open_[at] = -kNever;
      key_[at] = kNever;
      relax(row, length - (cost_[row * columns_ + at] - price_[at]));
    }
  }
  // Columns that are nearer over this row. Arrays of one width, and no guess: several at once.
  void relax(uint32_t row, double base) noexcept {
    const double *cost = cost_ + row * columns_, *price = price_.data();
    double *open = open_.data(), *key = key_.data();
    uint64_t* from = from_.data();
    const uint64_t own = row;
    for (size_t j = 0; j < columns_; ++j) {
      const double way = base + (cost[j] - price[j]);
      const bool nearer = way < open[j];
      open[j] = nearer ? way : open[j];
      key[j] = nearer ? way : key[j];
      from[j] = nearer ? own : from[j];
    }
  }
  // The nearest column that is not done, of equal ones a free one, which ends the search.
  double nearest(uint32_t* at) const noexcept {
    double least[kLanes];
    for (double& l : least) l = kNever;
    const double* key = key_.data();
    for (size_t j = 0; j < padded_; j += kLanes)
      for (size_t l = 0; l < kLanes; ++l) least[l] = key[j + l] < least[l] ? key[j + l] : least[l];
    double best = least[0];
    for (const double l : least) best = std::min(best, l);
    *at = kUnmatched;
    for (uint32_t j = 0; j < columns_; ++j) {
      if (key[j] > best + equal_) continue;
      if (matching_.row_of[j] == kUnmatched) {
        *at = j;
        return key[j];
      }
      if (*at == kUnmatched) *at = j;
    }
    return key[*at];
  }
  // Along the way to a column every row takes the one it led to.
  void augment(uint32_t column) noexcept {
    while (column != kUnmatched) {
      const auto row = static_cast<uint32_t>(from_[column]);
      const uint32_t had = column_of(row);
      matching_.take(row, column);
      column = had;
    }
  }

  const double* cost_ = nullptr;
  size_t rows_ = 0, columns_ = 0, padded_ = 0;
  double equal_ = 0;
  Matching matching_;
  Buffer<double> price_;
  // By column: length of the way to it, -kNever when it is done; the same, kNever then; the row
  // over which it leads.
  Buffer<double> open_, key_;
  Buffer<uint64_t> from_;
  Buffer<uint32_t> done_;
  Buffer<double> reach_;
};

}  // namespace

bool assign_columns(const double* cost, size_t rows, size_t columns,
                    Buffer<uint32_t>* column) noexcept {
  if (!column->resize(rows)) return false;
  if (rows == 0) return true;
  double largest = 0;
  Buffer<double> allowed;
  if (!Bottleneck().find(cost, rows, columns, &largest) || !allowed.resize(rows * columns))
    return false;
  for (size_t k = 0; k < rows * columns; ++k) allowed[k] = cost[k] > largest ? kNever : cost[k];
  LeastSum least;
  if (!least.find(allowed.data(), rows, columns, largest)) return false;
  for (uint32_t i = 0; i < rows; ++i) (*column)[i] = least.column_of(i);
  return true;
}

}  // namespace octile
