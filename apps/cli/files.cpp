// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

#include "files.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "failure.hpp"
#include "octile/detail/write_file.hpp"

namespace octile::cli {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// What this command has read.
std::vector<std::string>& inputs() {
  static std::vector<std::string> paths;
  return paths;
}

void refuse_input(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  for (const std::string& input : inputs()) {
    if (fs::equivalent(path, input, error) && !error)
      refuse("cannot write '{}': that is the file that is read", path);
  }
}

}  // namespace

void refuse_no_file(const std::string& path) {
  inputs().push_back(path);
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  if (fs::is_directory(there)) refuse("cannot read '{}': it is a directory", path);
  if (fs::is_character_file(there) || fs::is_block_file(there))
    refuse("cannot read '{}': it is a device", path);
}

void refuse_to_replace(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    refuse("cannot write '{}': it is not a file", path);
  refuse_input(path);
}

std::string read_file(const std::string& path) {
  refuse_no_file(path);
  errno = 0;
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse("cannot read '{}': {}", path, std::strerror(errno));
  std::string bytes;
  char block[1 << 16];
  while (const size_t n = std::fread(block, 1, sizeof block, file.get())) bytes.append(block, n);
  if (std::ferror(file.get())) refuse("cannot read '{}': {}", path, std::strerror(errno));
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  if (fs::is_directory(there)) refuse("cannot write '{}': it is a directory", path);
  refuse_input(path);
  const bool to_stdout = fs::equivalent(path, "/dev/stdout", error);
  errno = 0;
  bool written = false;
  if (to_stdout) {
    // By whatever name: a file put in its place would get none of what is printed after this.
    written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
              std::fflush(stdout) == 0;
  } else if (!fs::exists(there) || fs::is_regular_file(there)) {
    written =
        detail::write_file(path.c_str(), bytes.data(), bytes.size()) == detail::FileError::none;
  } else if (File file{std::fopen(path.c_str(), "wb")}) {
    // A device or a pipe is written to.
    written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
              std::fflush(file.get()) == 0;
  }
  if (!written) refuse("cannot write '{}': {}", path, std::strerror(errno));
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) refuse("cannot make the directory '{}': {}", path, error.message());
  if (!fs::is_directory(path, error)) refuse("'{}' is not a directory", path);
}

std::string extension(const std::string& path) {
  std::string result = fs::path(path).extension().string();
  if (!result.empty()) result.erase(0, 1);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string base_name(const std::string& path) {
  return fs::path(path).filename().string();
}

}  // namespace octile::cli
