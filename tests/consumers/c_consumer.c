/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The Octile authors */

#include <stdio.h>

#include "octile/octile.h"

int main(void) {
  octile_engine engine;
  printf("octile %u, ABI %u\n", (unsigned)octile_version(), (unsigned)octile_abi_version());
  if (octile_abi_version() != OCTILE_ABI_VERSION || octile_engine_create(&engine)) return 1;
  return octile_engine_destroy(engine);
}
