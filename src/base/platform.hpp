// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// What the engine asks of the operating system: threads and files. Where there are no threads, or
// no more can be had, the work is done by the calling thread alone.

#include <cstddef>
#include <cstdint>

#include "octile/detail/buffer.hpp"
#include "octile/detail/write_file.hpp"

namespace octile {

// More than this are never started, nor asked for in the face.
constexpr unsigned kMostThreads = 64;

// Calls work(data, i) once for every i below `parts`, on up to `parts` threads; returns when all
// are done.
void run_parallel(unsigned parts, void (*work)(void* data, unsigned part), void* data) noexcept;

// Of a clock that never goes back; from an unknown point.
double steady_seconds() noexcept;

// For a thread that waits for another one: lets others run first.
void yield_thread() noexcept;

template <class Work>
void run_parallel(unsigned parts, Work& work) noexcept {
  run_parallel(
      parts, [](void* data, unsigned part) { (*static_cast<Work*>(data))(part); }, &work);
}

// Tells that this memory will soon be filled: where it is large the system may hand it out in large
// pages, which costs a fraction. No more than a hint.
void expect_filled(void* data, size_t bytes) noexcept;
constexpr size_t kLargePage = size_t{2} << 20;

// Buffer::reserve for many megabytes.
template <class T>
bool reserve_large(detail::Buffer<T>* buffer, size_t n) noexcept {
  if (n <= buffer->capacity()) return true;
  if (!buffer->reserve(n)) return false;
  expect_filled(buffer->data(), buffer->bytes());
  return true;
}

// What a thread is started with; must live until it ends.
struct ThreadPart {
  void (*work)(void* data, unsigned part) = nullptr;
  void* data = nullptr;
  unsigned part = 0;
};

// One piece of work beside the caller's. Not to be moved while it runs.
class BackgroundThread {
 public:
  ~BackgroundThread() { join(); }
  // Calls work(data); where no thread can be had, before it returns.
  void start(void (*work)(void* data), void* data) noexcept;
  void join() noexcept;

 private:
  void (*work_)(void*) = nullptr;
  void* data_ = nullptr;
  bool running_ = false;
  ThreadPart part_;
  alignas(8) unsigned char handle_[8] = {};
};

using detail::FileError;
using detail::write_file;

FileError read_file(const char* path, detail::Buffer<uint64_t>* words, size_t* size) noexcept;

// An open file, for those that look at each of its bytes once: a copy of some bytes at a time takes
// less than the first look at a page that is mapped. Where there is no such thing it stays closed.
class FileReader {
 public:
  ~FileReader();
  FileReader() noexcept = default;
  explicit FileReader(int file) noexcept : file_(file) {}  // takes it over
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  // False, too, where the file is shorter, or closed.
  bool read(size_t at, size_t bytes, uint8_t* into) const noexcept;

 private:
  friend class FileMapping;
  [[maybe_unused]] int file_ = -1;
};

// A file seen as memory, read only. Where that cannot be done its bytes are read.
class FileMapping {
 public:
  // Of smaller files that are read as a whole a copy takes less time than the first look at each
  // page of a mapping.
  static constexpr size_t kWorthMapping = size_t{1} << 20;

  ~FileMapping();
  FileMapping() noexcept = default;
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;
  // `all`: everything will be read at once. `reader` gets the same file, if it can be had.
  FileError open(const char* path, bool all, FileReader* reader = nullptr) noexcept;
  const uint8_t* data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  [[maybe_unused]] bool mapped_ = false;
  detail::Buffer<uint64_t> read_;
};

}  // namespace octile
