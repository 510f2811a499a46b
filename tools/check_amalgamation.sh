#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# check_amalgamation.sh CXX CC|- [CXX CC|-]...
#
# Makes the engine's one file (tools/amalgamate), compiles it alone as its users do, without exceptions
# and RTTI, by each pair of compilers at once, and runs the test of the C face linked with it. With -
# for a C compiler nothing is linked or run: that is for another system.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
work=$root/build/amalgamation
python=/usr/bin/python3
[ -x $python ] || python=python3
"$python" "$root/tools/amalgamate" "$work"

check() {
  local cxx=$1 cc=$2 here=$work/$1 cached=() optimise=-O1
  # Only g++ warns of more when it optimises, and once is enough.
  if [ "$cxx" != g++ ]; then optimise=-O0; fi
  mkdir -p "$here/octile"
  cp "$work/octile.h" "$here/octile/octile.h"
  if command -v ccache >/dev/null; then cached=(ccache); fi
  (cd "$work" && "${cached[@]}" "$cxx" -std=c++20 $optimise -fno-exceptions -fno-rtti \
    -Wall -Wextra -pedantic -Werror \
    -Wno-unused-const-variable -c octile_amalgamated.cpp -o "$here/octile.o")
  if [ "$cc" = - ]; then return; fi
  "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$here" "$root/tests/c_face_test.c" "$here/octile.o" \
    -lstdc++ -lm -pthread -o "$here/c_face_test"
  (cd "$here" && echo "$cxx: $(./c_face_test)")
}

running=()
while (($# >= 2)); do
  check "$1" "$2" &
  running+=($!)
  shift 2
done
for job in "${running[@]}"; do wait "$job"; done
