#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# check_windows.sh [FOLDER]
#
# Makes octile.dll for Windows x86-64 in FOLDER (build/windows): the engine's one file by mingw-w64,
# which needs nothing but Windows' own libraries. Then runs the test of the C face against it under
# wine, where that is installed. Last line: what the test said, or that there is no wine.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
mkdir -p "${1:-$root/build/windows}"
work=$(cd "${1:-$root/build/windows}" && pwd -P)
python=/usr/bin/python3
[ -x $python ] || python=python3
cached=()
if command -v ccache >/dev/null; then cached=(ccache); fi

"$python" "$root/tools/amalgamate" "$work"
cd "$work"
"${cached[@]}" x86_64-w64-mingw32-g++-posix -std=c++20 -O3 -fno-exceptions -fno-rtti -DOCTILE_EXPORT \
  -c octile_amalgamated.cpp -o octile.o
x86_64-w64-mingw32-g++-posix -shared -static -s octile.o -o octile.dll -Wl,--out-implib,liboctile.dll.a
foreign=$(x86_64-w64-mingw32-objdump -p octile.dll | sed -n 's/.*DLL Name: //p' |
  grep -viE '^(KERNEL32|msvcrt|USER32|ADVAPI32|api-ms-win-.*)\.dll$' || true)
if [ -n "$foreign" ]; then
  echo "octile.dll needs $foreign"
  exit 1
fi

wine=$(command -v wine64 || true)
[ -n "$wine" ] || { [ ! -x /usr/lib/wine/wine64 ] || wine=/usr/lib/wine/wine64; }
if [ -z "$wine" ]; then
  echo "octile.dll was made; there is no wine to run the test"
  exit 0
fi
mkdir -p octile
cp octile.h octile/octile.h
x86_64-w64-mingw32-gcc-posix -std=c11 -Wall -Wextra -Wpedantic -Werror -I. "$root/tests/c_face_test.c" \
  -L. -loctile -o c_face_test.exe
export WINEPREFIX=$work/wine WINEDEBUG=-all
timeout 300 "$wine" ./c_face_test.exe
