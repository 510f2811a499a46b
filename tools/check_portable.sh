#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# check_portable.sh gcc|clang|wasm|mingw
#
# Compiles each public header by itself with one of the four compilers; the engine they compile
# elsewhere (check_amalgamation.sh, build_wasm.sh). Any warning is a failure. Nothing is linked or run:
# this finds what is missing or non-standard. Only WebAssembly's kernels, which no other test reaches,
# run against their plain twins.
set -u
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)

case ${1-} in
  gcc) compiler=(g++) ;;
  clang) compiler=(clang++-22) ;;
  # The short name of the target is on its way out, but Debian's libc++ still lives under it.
  wasm) compiler=(clang++-22 --target=wasm32-wasi -stdlib=libc++ -Wno-deprecated -msimd128) ;;
  mingw) compiler=(x86_64-w64-mingw32-g++-posix) ;;
  *)
    echo "usage: check_portable.sh gcc|clang|wasm|mingw" >&2
    exit 2
    ;;
esac
name=$1
if command -v ccache >/dev/null; then compiler=(ccache "${compiler[@]}"); fi
# g++ finds some of what it warns of when it optimises; clang never does.
optimise=-O1
if [ "$name" != gcc ]; then optimise=-O0; fi
compiler+=(-std=c++20 $optimise -fno-exceptions -fno-rtti -Wall -Wextra -pedantic -Werror)

cd "$root" || exit 1
objects=build/portable/$name
mkdir -p "$objects"

# write FILE TEXT: a source, left untouched when it is there already, so that ccache can answer.
sources=()
write() {
  if [ "$(cat "$1" 2>/dev/null)" != "$2" ]; then printf '%s\n' "$2" >"$1"; fi
  sources+=("$1")
}
# A header stands alone when a file that holds nothing but its #include compiles.
while IFS= read -r header; do
  write "$objects/alone_$(basename "$header").cpp" "#include \"${header#include/}\""
done < <(find include -name '*.hpp' | sort)
twins=$objects/label_twins
if [ "$name" = wasm ]; then sources+=(tests/label_twins.cpp); fi

compile() {
  local objects=$1 source=$2
  shift 2
  "$@" -Iinclude -Isrc -c "$source" -o "$objects/$(basename "$source").o"
}
export -f compile
printf '%s\0' "${sources[@]}" |
  xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$@"' compile "$objects" {} "${compiler[@]}"
result=$?
echo "${#sources[@]} files compiled by $name"
((result == 0)) || exit 1

if [ "$name" = wasm ]; then
  # shellcheck source=tools/setup.sh
  . tools/setup.sh
  need_node && configure wasm && build wasm octile || exit 1
  # On one thread: Node 20 may crash when it ends while another one still compiles.
  "${compiler[@]}" "$objects/label_twins.cpp.o" build/wasm/liboctile.a -o "$twins.wasm" &&
    node --single-threaded --no-warnings tools/run_wasi.mjs "$twins.wasm"
fi
