#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# unity_headless_test.sh LIBRARY_FOLDER WORK_FOLDER TWIN [TEST]: compiles the package's C# with
# Debian's mcs, as Unity would part it, and runs the tests under Mono. Last line: "N passed, N failed".
set -eu
library=$(realpath "$1") work=$2 twin=$(realpath "$3")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
package=$here/../..
rm -rf "$work"
mkdir -p "$work"

compile() { # compile OUT KIND DEPENDENCIES SOURCE...: warnings are errors
  local out=$1 kind=$2 references=() name
  for name in $3; do references+=("-r:$work/$name.dll"); done
  shift 3
  mcs -langversion:7.2 -unsafe -optimize -warn:4 -warnaserror "-target:$kind" "-out:$work/$out" "${references[@]}" "$@"
}
# UnityEngine is a stub: it proves that the components compile, and their own logic.
compile UnityStub.dll library "" "$here"/Stub/*.cs &
compile Octile.Pathfinding.Core.dll library "" "$package"/Runtime/Core/*.cs
wait $! # the stub
compile Octile.Pathfinding.dll library "UnityStub Octile.Pathfinding.Core" "$package"/Runtime/Unity/*.cs
compile Octile.Pathfinding.Editor.dll library "UnityStub Octile.Pathfinding.Core Octile.Pathfinding" "$package"/Editor/*.cs &
editor=$!
compile Octile.Pathfinding.Tests.dll library "UnityStub Octile.Pathfinding.Core Octile.Pathfinding" "$package"/Tests/Editor/*.cs
# Every piece of C# in the pages is a file of its own.
mkdir "$work/pages"
awk -v to="$work/pages/" '/^```csharp/ { out = to (++n) ".cs"; next } /^```/ { out = ""; next } out { print > out }' \
  "$package/README.md" "$package/../../../docs/unity.md"
compile Pages.dll library "UnityStub Octile.Pathfinding.Core Octile.Pathfinding" "$work"/pages/*.cs &
pages=$!
compile Samples.dll library "UnityStub Octile.Pathfinding.Core Octile.Pathfinding" "$package"/Samples~/*/*.cs
wait $editor
wait $pages
compile tests.exe exe "Octile.Pathfinding.Core Octile.Pathfinding Octile.Pathfinding.Tests UnityStub Pages Samples" "$here"/*.cs

export OCTILE_ABI=$package/../../../tests/octile_abi.txt
ln -s "$twin" "$work/liboctile_twin.so"
export LD_LIBRARY_PATH=$library:$work OCTILE_REPORT=unity_headless_test.sh.json
if [ -z "${OCTILE_MAPS-}" ] && [ -d "$package/../../../../shared/maps" ]; then
  OCTILE_MAPS=$(realpath "$package/../../../../shared/maps")
  export OCTILE_MAPS
fi
exec mono "$work/tests.exe" ${4:+"$4"}
