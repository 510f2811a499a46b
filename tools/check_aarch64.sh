#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# check_aarch64.sh [FOLDER]
#
# Builds the engine and a part of its tests for ARM of 64 bits in FOLDER (build/aarch64), with Debian's
# cross compiler, and runs a sample of them under qemu-aarch64: all versions of the kernels, NEON's
# among them, against their plain twins; solvers against the judge; the bundled scenes with their costs
# on file; indexes; and the queries that every face answers to the last cell. The last line is
# "N passed, N failed, N skipped".
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
mkdir -p "${1:-$root/build/aarch64}"
work=$(cd "${1:-$root/build/aarch64}" && pwd -P)
python=/usr/bin/python3
[ -x $python ] || python=python3
tests=(
  label_kernel_test distance_test index_file_test index_build_test portals_test
  query_test differential_test exhaustive_test output_test
  scenes_test faces_test edit_test thread_test c_face_test
)

compile=(cmake -G Ninja --toolchain "$root/tools/aarch64.cmake" -DCMAKE_BUILD_TYPE=Release)
# GoogleTest as well, from its sources.
"${compile[@]}" -S /usr/src/googletest -B "$work/googletest" -DBUILD_GMOCK=OFF \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" -DCMAKE_INSTALL_PREFIX="$work/installed"
ninja -C "$work/googletest" install
"${compile[@]}" -S "$root" -B "$work" -DGTest_DIR="$work/installed/lib/cmake/GTest" \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS_RELEASE='-O3 -DNDEBUG' \
  -DOCTILE_TOOLS=OFF -DOCTILE_SCENES=ON -DOCTILE_INSTALL=OFF
ninja -C "$work" "${tests[@]}"
export OCTILE_SAMPLE=1
"$python" "$root/tools/run_tests.py" "$work" --only "$(IFS='|' && echo "${tests[*]}")" \
  --jobs "$(nproc)" --timeout 7200
