#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# python_test.sh LIBRARY PROGRAM WORK [PYTEST ARGUMENTS]: builds the wheel, installs it into a venv that
# has nothing else, without network, and runs the tests there. Last line: "N passed, N failed".
set -eu
library=$(realpath "$1") program=$(realpath "$2") work=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
python=${PYTHON:-/usr/bin/python3}
rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
wheel=$(PYTHON=$python "$here/../build_wheel.sh" "$library" "$work/wheel")
case $wheel in *-py3-none-linux_*.whl) ;; *) echo "unexpected name: $wheel"; exit 1 ;; esac
"$python" -m venv --without-pip --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet --no-index "$wheel"

if [ -z "${OCTILE_MAPS-}" ] && [ -d "$here/../../../../shared/maps" ]; then
  OCTILE_MAPS=$(realpath "$here/../../../../shared/maps")
  export OCTILE_MAPS
fi
unset OCTILE_LIBRARY PYTHONPATH
export OCTILE_PROGRAM=$program OCTILE_REPORT=python_test.sh.json PYTHONDONTWRITEBYTECODE=1
cd "$work"  # nothing of the source tree is importable by accident
"$work/venv/bin/python" -c 'import octile; print("octile", octile.__version__, "from", octile.__file__)'
# What a thread raises, or an object that is collected, fails the test too.
exec "$work/venv/bin/python" -m pytest -q -p no:cacheprovider -W error::pytest.PytestUnhandledThreadExceptionWarning \
  -W error::pytest.PytestUnraisableExceptionWarning --rootdir "$here" "$here" "$@"
