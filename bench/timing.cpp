// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "timing.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace octile::timing {
namespace {

// Larger than the last-level cache of the machines that figures are published for.
constexpr size_t kFlushBytes = size_t{96} << 20;

// Results go here, so that no compiler drops the work that made them.
volatile uint64_t sink;

// Fixed for all platforms, unlike std::shuffle.
uint64_t split_mix(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::vector<size_t> shuffled(size_t n, uint64_t seed) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = n; i > 1; --i) std::swap(order[i - 1], order[split_mix(seed) % i]);
  return order;
}

class CacheFlusher {
 public:
  void flush() {
    if (buffer_.empty()) buffer_.assign(kFlushBytes / sizeof(uint64_t), 1);
    uint64_t sum = 0;
    constexpr size_t kLine = 64 / sizeof(uint64_t);
    for (size_t i = 0; i < buffer_.size(); i += kLine) sum += ++buffer_[i];
    sink = sink + sum;
  }

 private:
  std::vector<uint64_t> buffer_;
};

double clock_cost_us() {
  double best = 1e9;
  for (int i = 0; i < 200; ++i) {
    const double a = thread_cpu_us();
    const double b = thread_cpu_us();
    best = std::min(best, b - a);
  }
  return best;
}

double pass_us(Contestant& contestant, const std::vector<size_t>& order) {
  uint64_t cells = 0;
  const double begin = thread_cpu_us();
  for (size_t query : order) cells += contestant.answer(query).cells;
  const double end = thread_cpu_us();
  sink = sink + cells;
  return end - begin;
}

// Counts what is right and how much work it was; warms everything up.
void count(Contestant& contestant, const std::vector<size_t>& order,
           const std::vector<double>& optima, Row& row) {
  double expanded = 0, cells = 0;
  for (size_t query : order) {
    const Answer answer = contestant.answer(query);
    expanded += static_cast<double>(answer.expanded);
    cells += static_cast<double>(answer.cells);
    const double optimum = optima[query];
    if (optimum < 0) continue;
    const bool reachable = std::isfinite(optimum);
    if (answer.found != reachable || (reachable && !same_as_published(answer.cost, optimum))) {
      ++row.wrong;
    }
  }
  const double n = static_cast<double>(order.size());
  row.expanded_mean = expanded / n;
  row.cells_mean = cells / n;
}

void percentiles(Contestant& contestant, const std::vector<size_t>& order, const Options& options,
                 Row& row, const std::function<void(double)>& progress) {
  std::vector<double> times;
  times.reserve(order.size());
  uint64_t cells = 0;
  for (size_t query : order) {
    // The smaller of two: what else the machine does must not pass for a slow query.
    double least = 0;
    for (int turn = 0; turn < 2; ++turn) {
      // The number of repeats doubles until the whole takes long enough to be read off the clock.
      uint64_t repeats = 0, batch = 1;
      const double begin = thread_cpu_us();
      double now = begin;
      do {
        for (uint64_t i = 0; i < batch; ++i) cells += contestant.answer(query).cells;
        repeats += batch;
        batch *= 2;
        now = thread_cpu_us();
      } while (now - begin < options.repeat_us);
      const double mean = (now - begin) / static_cast<double>(repeats);
      least = turn == 0 ? mean : std::min(least, mean);
    }
    times.push_back(least);
    progress(static_cast<double>(times.size()) / static_cast<double>(order.size()));
  }
  sink = sink + cells;
  std::sort(times.begin(), times.end());
  const auto rank = [&](double share) {
    const size_t n = times.size();
    const size_t at = static_cast<size_t>(std::ceil(share * static_cast<double>(n)));
    return times[std::min(n - 1, at == 0 ? 0 : at - 1)];
  };
  row.median_us = rank(0.5);
  row.p99_us = rank(0.99);
  row.max_us = times.back();
}

void cold_queries(Contestant& contestant, const std::vector<size_t>& order, const Options& options,
                  CacheFlusher& flusher, Row& row) {
  const double clock = clock_cost_us();
  const size_t n = std::min(options.cold_queries, order.size());
  const size_t step = order.size() / n;
  double total = 0;
  uint64_t cells = 0;
  for (size_t i = 0; i < n; ++i) {
    flusher.flush();
    sink = sink + static_cast<uint64_t>(thread_cpu_us());  // the clock itself shall be warm
    const double begin = thread_cpu_us();
    cells += contestant.answer(order[i * step]).cells;
    const double end = thread_cpu_us();
    total += std::max(0.0, end - begin - clock);
  }
  sink = sink + cells;
  row.cold_query_us = total / static_cast<double>(n);
}

}  // namespace

double thread_cpu_us() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
#else
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
#endif
}

bool same_as_published(double cost, double optimum) {
  return std::fabs(cost - optimum) <= 0.01 + 1e-5 * std::fabs(optimum);
}

std::vector<Row> measure(const std::vector<Contestant*>& contestants,
                         const std::vector<double>& optima, const Options& options) {
  const std::vector<size_t> order = shuffled(optima.size(), options.seed);
  std::vector<Row> rows(contestants.size());
  if (order.empty() || contestants.empty()) return rows;
  // Progress by rough shares: counting 1, passes 3, percentiles 1, cold 1, for each contestant.
  const double shares = 6.0 * static_cast<double>(contestants.size());
  double done = 0;
  const auto report = [&](double part) {
    if (options.progress) options.progress((done + part) / shares);
  };
  for (size_t i = 0; i < contestants.size(); ++i) {
    Row& row = rows[i];
    row.solver = contestants[i]->name();
    row.map = options.map;
    row.queries = order.size();
    row.build_ms = contestants[i]->build_ms();
    row.index_bytes = contestants[i]->index_bytes();
    count(*contestants[i], order, optima, row);
    done += 1;
    report(0);
  }
  std::vector<double> best(contestants.size(), 1e300), spent(contestants.size(), 0);
  bool more = true;
  for (int pass = 0; pass < options.max_passes && more; ++pass) {
    more = false;
    for (size_t i = 0; i < contestants.size(); ++i) {
      if (pass >= options.min_passes && spent[i] >= options.pass_budget_us) continue;
      // A short pass right after another contestant's would be a cold one: it gets a second go.
      double time = pass_us(*contestants[i], order);
      spent[i] += time;
      if (time < 5e4) {
        const double again = pass_us(*contestants[i], order);
        spent[i] += again;
        time = std::min(time, again);
      }
      best[i] = std::min(best[i], time);
      more = more || pass + 1 < options.min_passes || spent[i] < options.pass_budget_us;
      if (pass < options.min_passes) {
        done += 3.0 / options.min_passes;
        report(0);
      }
    }
  }
  CacheFlusher flusher;
  for (size_t i = 0; i < contestants.size(); ++i) {
    rows[i].mean_us = best[i] / static_cast<double>(order.size());
    if (options.percentiles) percentiles(*contestants[i], order, options, rows[i], report);
    done += 1;
    if (options.cold) {
      cold_queries(*contestants[i], order, options, flusher, rows[i]);
      flusher.flush();
      rows[i].cold_pass_us = pass_us(*contestants[i], order) / static_cast<double>(order.size());
    }
    done += 1;
    report(0);
  }
  return rows;
}

double estimate_seconds(Contestant& contestant, size_t queries, const Options& options,
                        double limit_seconds) {
  if (queries == 0) return 0;
  // Counting, passes, percentiles and the cold pass.
  const double passes = static_cast<double>(options.min_passes) + (options.cold ? 3 : 2);
  const std::vector<size_t> order = shuffled(queries, options.seed);
  const size_t sample = std::min<size_t>(queries, 32);
  double spent = 0;
  size_t asked = 0;
  while (asked < sample && spent < 2e6) {
    const double begin = thread_cpu_us();
    sink = sink + contestant.answer(order[asked]).cells;
    spent += thread_cpu_us() - begin;
    ++asked;
    // Even if the rest of the sample took no time at all.
    const double least = spent / static_cast<double>(sample);
    if (least * static_cast<double>(queries) * passes * 1e-6 > limit_seconds) break;
  }
  return spent / static_cast<double>(asked) * static_cast<double>(queries) * passes * 1e-6;
}

std::string tsv_header() {
  return "solver\tmap\tqueries\tbuild_ms\tindex_bytes\tmean_us\tmedian_us\tp99_us\tmax_us\t"
         "cold_query_us\tcold_pass_us\texpanded_mean\tcells_mean\twrong";
}

std::string tsv_line(const Row& r) {
  return fmt::format(
      "{}\t{}\t{}\t{:.3f}\t{}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t{:.4f}\t"
      "{:.2f}\t{:.2f}\t{}",
      r.solver, r.map, r.queries, r.build_ms, r.index_bytes, r.mean_us, r.median_us, r.p99_us,
      r.max_us, r.cold_query_us, r.cold_pass_us, r.expanded_mean, r.cells_mean, r.wrong);
}

std::string table(const std::vector<Row>& rows) {
  size_t name_width = 6, map_width = 3;
  for (const Row& row : rows) {
    name_width = std::max(name_width, row.solver.size());
    map_width = std::max(map_width, row.map.size());
  }
  std::string out = fmt::format(
      "{:<{}}  {:<{}} {:>8} {:>9} {:>11} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} "
      "{:>6} {:>6}\n",
      "solver", name_width, "map", map_width, "queries", "build_ms", "index_bytes", "mean_us",
      "median_us", "p99_us", "max_us", "cold_query", "cold_pass", "expanded", "cells", "ns/exp",
      "wrong");
  for (const Row& r : rows) {
    const std::string per_expansion =
        r.expanded_mean > 0 ? fmt::format("{:.1f}", r.mean_us * 1000 / r.expanded_mean) : "-";
    out += fmt::format(
        "{:<{}}  {:<{}} {:>8} {:>9.1f} {:>11} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} "
        "{:>10.3f} {:>10.1f} {:>9.1f} {:>6} {:>6}\n",
        r.solver, name_width, r.map, map_width, r.queries, r.build_ms, r.index_bytes, r.mean_us,
        r.median_us, r.p99_us, r.max_us, r.cold_query_us, r.cold_pass_us, r.expanded_mean,
        r.cells_mean, per_expansion, r.wrong);
  }
  return out;
}

std::string json(const std::vector<Row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Row& r : rows) {
    all.push_back({{"solver", r.solver},
                   {"map", r.map},
                   {"queries", r.queries},
                   {"build_ms", r.build_ms},
                   {"index_bytes", r.index_bytes},
                   {"mean_us", r.mean_us},
                   {"median_us", r.median_us},
                   {"p99_us", r.p99_us},
                   {"max_us", r.max_us},
                   {"cold_query_us", r.cold_query_us},
                   {"cold_pass_us", r.cold_pass_us},
                   {"expanded_mean", r.expanded_mean},
                   {"cells_mean", r.cells_mean},
                   {"wrong", r.wrong}});
  }
  return all.dump(2) + "\n";
}

}  // namespace octile::timing
