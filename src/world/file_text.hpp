// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the readers of text files share: lines, words, and messages that say which line is wrong.
//
//   bytes ──Lines──> line ──take_word / take_last_word──> words
//
// All of it points into the caller's bytes; nothing is copied or allocated. Line ends are LF or
// CRLF.

#include <charconv>
#include <cstddef>
#include <string_view>

#include "octile/octile.hpp"

namespace octile::world {

using std::string_view;

// ---------------------------------------------------------------------------------------------
// Messages

// A piece of the file, fit for a message: short, printable, on one line.
struct Quoted {
  string_view text;
};
// A byte as 0x1f.
struct Hex {
  unsigned char value;
};

// Puts a message together, cut off where a Fault is full. No printf: what that does with sizes, and
// with locales, differs between platforms.
class Message {
 public:
  explicit Message(Status status = Status::found) noexcept { fault_.status = status; }
  const Fault& done() const noexcept { return fault_; }
  string_view text() const noexcept { return {fault_.text, length_}; }

  template <class... Parts>
  void add_all(const Parts&... parts) noexcept {
    (add(parts), ...);
  }

  void add(char c) noexcept {
    if (length_ + 1 < sizeof fault_.text) fault_.text[length_++] = c;
  }
  void add(string_view more) noexcept {
    for (char c : more) add(c);
  }
  void add(const char* more) noexcept { add(string_view(more)); }
  template <class Integer>
  void add(Integer number) noexcept {
    char digits[24];
    add(string_view(
        digits,
        static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)));
  }
  void add(Hex byte) noexcept {
    add("0x");
    add("0123456789abcdef"[byte.value >> 4]);
    add("0123456789abcdef"[byte.value & 15]);
  }
  void add(Quoted quoted) noexcept {
    constexpr size_t kLongest = 24;
    add('"');
    for (char c : quoted.text.substr(0, kLongest)) add(c >= ' ' && c <= '~' ? c : '?');
    add(quoted.text.size() > kLongest ? "...\"" : "\"");
  }

 private:
  Fault fault_;
  size_t length_ = 0;
};

template <class... Parts>
Fault fault_of(Status status, const Parts&... parts) noexcept {
  Message message(status);
  message.add_all(parts...);
  return message.done();
}

// What most errors are: the input is wrong.
template <class... Parts>
Fault refuse(const Parts&... parts) noexcept {
  return fault_of(Status::bad_argument, parts...);
}

template <class... Parts>
Fault refuse_line(size_t line, const Parts&... parts) noexcept {
  return refuse("line ", line, ": ", parts...);
}

// ---------------------------------------------------------------------------------------------
// Lines and words

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
constexpr bool is_space(char c) {
  return is_blank(c) || c == '\n' || c == '\v' || c == '\f';
}
// What a cell may be in a text file, and what a text file may be written from.
constexpr bool is_letter(char c) {
  return c > ' ' && c <= '~';
}

inline string_view without_bom(string_view bytes) noexcept {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  return bytes;
}

// Goes over the lines of a file; LF and CRLF, in a file without any LF also CR; the last one may
// lack its end. Blanks at the end of a line (the CR of CRLF among them) are not part of it.
class Lines {
 public:
  explicit Lines(string_view bytes) noexcept
      : rest_(bytes), end_(bytes.find('\n') == string_view::npos ? '\r' : '\n') {}

  bool next(string_view& line) noexcept {
    if (rest_.empty()) return false;
    const size_t end = rest_.find(end_);
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == string_view::npos ? rest_.size() : end + 1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    ++number_;
    return true;
  }
  // The next line with something in it.
  bool next_filled(string_view& line) noexcept {
    while (next(line)) {
      if (!line.empty()) return true;
    }
    return false;
  }
  bool only_blank_left() const noexcept {
    for (char c : rest_) {
      if (!is_blank(c) && c != '\n') return false;
    }
    return true;
  }
  // The number of the line last given, from 1 on; 0 before the first.
  size_t number() const noexcept { return number_; }

 private:
  string_view rest_;
  char end_;
  size_t number_ = 0;
};

// Takes the first word off a line; empty when there is none.
inline string_view take_word(string_view& line) noexcept {
  size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

inline string_view without_blanks(string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the last word off a line; empty when there is none.
inline string_view take_last_word(string_view& line) noexcept {
  size_t end = line.size();
  while (end > 0 && is_blank(line[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && !is_blank(line[begin - 1])) --begin;
  const string_view word = line.substr(begin, end - begin);
  line.remove_suffix(line.size() - begin);
  return word;
}

}  // namespace octile::world
