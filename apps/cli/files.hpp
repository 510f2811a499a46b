// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Whole files, in and out. A file takes its place when it is complete
// (octile/detail/write_file.hpp): whoever looks sees the old file or the new one, never half of it,
// and a failure leaves nothing behind.

#include <string>
#include <string_view>

namespace octile::cli {

std::string read_file(const std::string& path);
// Before a file is read: refuses a directory, and a device, which may have no end. What is read is
// never written over by the same command.
void refuse_no_file(const std::string& path);
// Before long work, when all is read: refuses to write where no file can be, or over what was read.
void refuse_to_replace(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);
void make_directory(const std::string& path);
// "png" of "a/b.PNG"; "" when there is none.
std::string extension(const std::string& path);
// "b.map" of "a/b.map".
std::string base_name(const std::string& path);

}  // namespace octile::cli
