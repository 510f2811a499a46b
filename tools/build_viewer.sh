#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# Builds the viewer into apps/viewer/dist, static files for any web server: the npm package by
# tools/build_wasm.sh, the bundled scenes by build/release/octile (to be built before), the rest
# by Vite. Installs what is missing.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
viewer=$root/apps/viewer

"$root/tools/build_wasm.sh"
install_node_modules "$viewer"
cd "$viewer"
node scripts/make_scenes.mjs "$root/build/release/octile" >&2
npm run --silent build >&2
