#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# build_wheel.sh LIBRARY OUT: makes OUT/octile-VERSION-py3-none-PLATFORM.whl of the package and a
# liboctile.so, with what octile.h declares as octile/_abi.py. Uses setuptools, wheel and pip as they are installed, and no network. Prints its path.
set -eu
library=$(realpath "$1") out=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
python=${PYTHON:-/usr/bin/python3}
mkdir -p "$out"
out=$(realpath "$out")
rm -rf "$out/stage" "$out"/octile-*.whl
mkdir -p "$out/stage/octile"
cp "$here"/pyproject.toml "$here"/setup.py "$here"/README.md "$here"/../../LICENSE "$out/stage"
cp "$here"/octile/*.py "$here"/octile/py.typed "$out/stage/octile"
"$python" "$here/generate_abi.py" >"$out/stage/octile/_abi.py"
cp -L "$library" "$out/stage/octile/liboctile.so"
strip --strip-unneeded "$out/stage/octile/liboctile.so"
"$python" -m pip --disable-pip-version-check wheel --quiet --no-index --no-deps --no-build-isolation \
  --wheel-dir "$out" "$out/stage"
ls "$out"/octile-*.whl
