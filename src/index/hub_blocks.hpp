// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#pragma once

// Puts hubs that often occur in the same tiles into blocks of 16, so that two tiles have few blocks
// in common and each of them is full.

#include "index/hub_labels.hpp"
#include "octile/detail/buffer.hpp"

namespace octile {

struct HubBlocks {
  detail::Buffer<uint32_t> place;  // by hub: block * 16 + lane
  uint32_t blocks = 0;

  // tile_of[first[h] .. first[h + 1]) are the tiles where hub h occurs, each once.
  Built build(uint32_t hubs, uint32_t tiles, const detail::Buffer<uint32_t>& first,
              const detail::Buffer<uint32_t>& tile_of, const BuildLimits& limits) noexcept;
};

}  // namespace octile
