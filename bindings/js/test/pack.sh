#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# pack.sh TARBALL: a fresh folder takes the package and runs its example; the types are checked by a
# program that uses them. Prints "N passed, N failed".
set -u
tarball=$(readlink -f "$1")
package=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0
check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); echo "ok $name"; else failed=$((failed + 1)); echo "not ok $name"; fi
}
cd "$folder" || exit 1
echo '{ "name": "user", "private": true, "type": "module" }' >package.json
check 'npm takes the tarball' npm install --offline --no-audit --no-fund --silent "$tarball"
cp node_modules/octile/examples/path.mjs . 2>/dev/null
runs() { node path.mjs | tee said.txt && grep -q 'before: found, cost 14.000' said.txt && grep -q 'after: found, cost 17.414' said.txt; }
check 'the example runs' runs
cat >user.ts <<'T'
import { Octile, OctileError, PathWorker, type Answer } from 'octile';
import { loadPathFinding } from 'octile/pathfinding';
const octile = await Octile.load();
using world = octile.world('...\n');
using view = world.view();
using searcher = octile.searcher();
const answer: Answer = searcher.find(view, 0, 0, 2, 0, { solver: 'jps', goals: [[2, 0]] });
const path: Int32Array = answer.path;
const pairs: [number, number][] = new (await loadPathFinding()).AStarFinder().findPath(0, 0, 1, 0, new (await loadPathFinding()).Grid([[0, 0]]));
// @ts-expect-error there is no such option
searcher.find(view, 0, 0, 2, 0, { speed: 9 });
export { OctileError, PathWorker, path, pairs };
T
check 'its types hold' "$package/node_modules/.bin/tsc" --noEmit --strict --target es2022 --module nodenext \
  --moduleResolution nodenext --lib es2022,dom user.ts
echo "$passed passed, $failed failed"
((failed == 0))
