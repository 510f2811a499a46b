#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# consumers_test.sh BUILD [CXX]: installs what BUILD holds under a prefix, moves that, and builds
# and runs the programs of tests/consumers/ against it: by find_package, by pkg-config; and by
# add_subdirectory, for which the engine is compiled once more.
set -euo pipefail
build=$(readlink -f "$1")
compiler=${2:-c++}
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd -P)
work=$build/consumers
rm -rf "$work/installed" "$work/moved" "$work/package" "$work/pkgconfig"
mkdir -p "$work/pkgconfig"

echo "== install"
cmake --install "$build" --component octile --prefix "$work/installed" >"$work/install.log"
mv "$work/installed" "$work/moved"  # nothing may know where it was
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name octile.pc)")

echo "== find_package"
cmake -S "$here/consumers/package" -B "$work/package" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$work/moved" >"$work/package.log"
cmake --build "$work/package"
"$work/package/consumer"

echo "== find_package, C and the shared library"
if [ -n "$(find "$work/moved" -name liboctile.so)" ]; then
  rm -rf "$work/shared"
  cmake -S "$here/consumers/shared" -B "$work/shared" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved" \
    >"$work/shared.log"
  cmake --build "$work/shared"
  "$work/shared/consumer"
else
  echo "there is no shared library: skipped"
fi

echo "== pkg-config"
if command -v pkg-config >/dev/null; then
  make -C "$here/consumers/pkgconfig" CXX="$compiler" BUILD="$work/pkgconfig"
  "$work/pkgconfig/consumer"
else
  echo "there is no pkg-config: skipped"
fi

echo "== add_subdirectory"
cmake --fresh -S "$here/consumers/subproject" -B "$work/subproject" -G Ninja \
  -DCMAKE_CXX_COMPILER="$compiler" -DOCTILE_SOURCE="$here/.." -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
  >"$work/subproject.log"
cmake --build "$work/subproject"
"$work/subproject/consumer"
echo "all consumers found their way"
