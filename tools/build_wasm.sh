#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# Builds the npm package in bindings/js/dist: octile.wasm by clang 22 (preset `wasm`), the rest by
# TypeScript. Installs what is missing. `tools/build_wasm.sh --pack` then packs it into
# build/js/octile-VERSION.tgz and prints its name.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
package=$root/bindings/js

install_packages cmake ninja-build "${wasm_packages[@]}"
need_node
configure wasm
build wasm octile_wasm
install_node_modules "$package"
mkdir -p "$package/dist"
cp "$root/build/wasm/bindings/js/octile.wasm" "$package/dist/"
cd "$package"
npm run --silent build >&2
if [ "${1-}" = --pack ]; then
  mkdir -p "$root/build/js"
  cp "$root/LICENSE" "$package/" # for the tarball alone
  trap 'rm -f "$package/LICENSE"' EXIT
  printf '%s/build/js/%s\n' "$root" "$(npm pack --silent --pack-destination "$root/build/js")"
fi
