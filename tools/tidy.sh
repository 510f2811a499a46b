#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# tidy.sh [FILE...]: clang-tidy by .clang-tidy over the given files, else over all that the release
# build compiles, the tests excepted. Too slow for ./check; run it before a larger change.
set -u
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"
install_packages "${run_packages[@]}" clang-tidy || exit $setup_failed
configure release || exit $setup_failed

files=("$@")
if ((${#files[@]} == 0)); then
  cd "$root" || exit 1
  mapfile -t files < <(find src pictures scenes apps -name '*.cpp' | sort)
fi
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy --quiet --warnings-as-errors='*' -p "$root/build/release"
