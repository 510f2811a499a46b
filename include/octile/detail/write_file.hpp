// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// How the engine and the programs around it write whole files: this is no part of the face.

#include <cstddef>
#include <cstdint>

namespace octile::detail {

enum class FileError : uint8_t {
  none,
  cannot_open,
  cannot_read,
  cannot_create,
  cannot_write,
  no_file,
  out_of_memory
};

// Makes the file, or replaces it when the new one is complete: whoever looks sees the old file or
// the new one, never half of it. A link keeps its place and its file is replaced; a replaced file
// keeps its mode. `no_file`: something else has the name. Until it is complete a file has no name
// where the system can do that, else `PATH.PROCESS.NUMBER.part`; only a kill (SIGKILL, a power cut)
// at that moment leaves one behind, for signals that can wait do. errno says more.
FileError write_file(const char* path, const void* data, size_t size) noexcept;

}  // namespace octile::detail
