// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "failure.hpp"
#include "files.hpp"
#include "maps.hpp"

namespace octile::cli {
namespace {

// Reads one number and the character after it.
class Reader {
 public:
  Reader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  // Goes behind the line `solution=`.
  void find_solution() {
    const std::string mark = "solution=";
    size_t begin = text_.compare(0, mark.size(), mark) == 0 ? 0 : text_.find("\n" + mark);
    if (begin == std::string::npos) refuse("{}: there is no line 'solution='", path_);
    at_ = text_.find('\n', begin + (begin > 0 ? 1 : 0));
    if (at_ == std::string::npos) at_ = text_.size();
  }
  bool skip_blank() {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == ' '))
      ++at_;
    return at_ < text_.size();
  }
  bool line_ends() {
    while (at_ < text_.size() && (text_[at_] == '\r' || text_[at_] == ' ')) ++at_;
    return at_ == text_.size() || text_[at_] == '\n';
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse("{}: line {}: '{}' is missing", path_, line(), c);
  }
  int32_t number() {
    int32_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      refuse("{}: line {}: {} is too large a number", path_, line(),
             std::string_view(begin, static_cast<size_t>(end - begin)));
    if (error != std::errc()) refuse("{}: line {}: a number is missing", path_, line());
    at_ += static_cast<size_t>(end - begin);
    return value;
  }
  size_t line() const {
    size_t count = 1;
    for (size_t i = 0; i < at_; ++i) count += text_[i] == '\n';
    return count;
  }

 private:
  const std::string& path_;
  const std::string& text_;
  size_t at_ = 0;
};

// Rows of a plan as text. Most units stand where they stood in the row before, so the text of each
// is kept.
class RowWriter {
 public:
  explicit RowWriter(const Plan& plan) : plan_(plan), last_(plan.agents()) {}

  void add(std::string& text, size_t row) {
    const Cell* cells = plan_.row(row);
    const size_t begin = text.size();
    text.resize(begin + last_.size() * Known::kMost);
    char* out = text.data() + begin;
    for (size_t i = 0; i < last_.size(); ++i) {
      if (last_[i].size == 0 || last_[i].cell != cells[i]) last_[i].set(cells[i]);
      std::memcpy(out, last_[i].text, last_[i].size);
      out += last_[i].size;
    }
    text.resize(static_cast<size_t>(out - text.data()));
  }

 private:
  struct Known {
    static constexpr size_t kMost = 27;  // "(-2147483648,-2147483648),"
    Cell cell;
    uint8_t size = 0;
    char text[kMost];

    void set(Cell c) {
      cell = c;
      char* out = text;
      *out++ = '(';
      out = std::to_chars(out, text + kMost, c.x).ptr;
      *out++ = ',';
      out = std::to_chars(out, text + kMost, c.y).ptr;
      *out++ = ')';
      *out++ = ',';
      size = static_cast<uint8_t>(out - text);
    }
  };
  const Plan& plan_;
  std::vector<Known> last_;
};

}  // namespace

std::vector<AgentTask> load_tasks(const std::string& scen_path, const Map& map, size_t agents) {
  const std::vector<ScenQuery> queries = load_scen(scen_path);
  require_same_size(queries, map, scen_path);
  if (agents == 0) agents = queries.size();
  if (agents > queries.size())
    refuse("{} has {} agents, not {}", scen_path, queries.size(), agents);
  std::vector<AgentTask> tasks;
  for (size_t i = 0; i < agents; ++i) tasks.push_back({queries[i].start, queries[i].goal});
  return tasks;
}

std::string draw_tasks(Engine& engine, const std::string& map_path, size_t agents, uint64_t seed) {
  const View eight = publish(engine, Profile());
  Profile profile;
  profile.moves = Moves::four;
  const View view = publish(engine, profile);
  const Cell first = view.first_cell();
  const auto each_cell = [&](auto visit) {
    for (int32_t y = 0; y < view.height(); ++y)
      for (int32_t x = 0; x < view.width(); ++x) {
        const Cell c{first.x + x, first.y + y};
        if (view.passable(c)) visit(c, view.component(c));
      }
  };
  std::map<uint32_t, size_t> sizes;
  each_cell([&](Cell, uint32_t part) { ++sizes[part]; });
  size_t largest = 0;
  for (const auto& part : sizes) largest = std::max(largest, part.second);
  if (agents > largest) refuse("{} has room for {} agents, not {}", map_path, largest, agents);
  std::vector<Cell> cells;
  uint32_t chosen = View::kNoComponent;
  each_cell([&](Cell c, uint32_t part) {
    if (chosen == View::kNoComponent && sizes[part] == largest) chosen = part;
    if (part == chosen) cells.push_back(c);
  });
  // splitmix64: the same draw everywhere.
  uint64_t state = seed;
  const auto below = [&](uint64_t n) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return ((z ^ z >> 31) >> 32) * n >> 32;
  };
  const auto draw = [&] {
    std::vector<Cell> drawn = cells;
    for (size_t i = 0; i < agents; ++i) std::swap(drawn[i], drawn[i + below(drawn.size() - i)]);
    drawn.resize(agents);
    return drawn;
  };
  const std::vector<Cell> starts = draw(), goals = draw();
  Searcher searcher;
  std::string text = "version 1\n";
  for (size_t i = 0; i < agents; ++i) {
    const double length = distance(searcher, eight, starts[i], goals[i]);
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.8f}\n",
                   static_cast<int>(length / 4), base_name(map_path), view.width(), view.height(),
                   starts[i].x, starts[i].y, goals[i].x, goals[i].y, length);
  }
  return text;
}

std::string plan_text(const Plan& plan, const PlanAnswer& answer, const std::string& map,
                      const std::string& scen, uint64_t seed) {
  std::string text = fmt::format("agents={}\nmap_file={}\nscen_file={}\nsolver=octile\n",
                                 plan.agents(), base_name(map), base_name(scen));
  text += fmt::format("solved={}\nsoc={}\nsoc_lb={}\nmakespan={}\nmakespan_lb={}\n",
                      plan.rows() > 0 ? 1 : 0, answer.costs.sum_of_costs, answer.costs.sum_bound,
                      answer.costs.makespan, answer.costs.makespan_bound);
  text +=
      fmt::format("sum_of_loss={}\nsum_of_loss_lb={}\nseed={}\nstarts=", answer.costs.sum_of_loss,
                  answer.costs.sum_bound, seed);
  RowWriter writer(plan);
  if (plan.rows() > 0) writer.add(text, 0);
  text += "\ngoals=";
  const size_t before = text.size();
  if (plan.rows() > 0) writer.add(text, plan.ticks());
  text += "\nsolution=\n";
  text.reserve(text.size() + plan.rows() * (text.size() - before + 8));
  for (size_t t = 0; t < plan.rows(); ++t) {
    fmt::format_to(std::back_inserter(text), "{}:", t);
    writer.add(text, t);
    text += '\n';
  }
  return text;
}

void load_plan(const std::string& path, Plan& plan) {
  const std::string text = read_file(path);
  Reader reader(path, text);
  reader.find_solution();
  std::vector<Cell> cells;
  size_t rows = 0, agents = 0;
  for (; reader.skip_blank(); ++rows) {
    if (static_cast<size_t>(reader.number()) != rows)
      refuse("{}: line {}: this should be tick {}", path, reader.line(), rows);
    reader.expect(':');
    size_t count = 0;
    while (!reader.line_ends()) {
      Cell c;
      reader.expect('(');
      c.x = reader.number();
      reader.expect(',');
      c.y = reader.number();
      reader.expect(')');
      if (!reader.take(',') && !reader.line_ends()) reader.expect(',');
      cells.push_back(c);
      ++count;
    }
    if (rows > 0 && count != agents)
      refuse("{}: line {}: {} agents, and {} before", path, reader.line(), count, agents);
    agents = count;
  }
  Cell* out = plan.resize(rows, agents);
  if (out == nullptr) throw std::bad_alloc();
  std::copy(cells.begin(), cells.end(), out);
}

}  // namespace octile::cli
