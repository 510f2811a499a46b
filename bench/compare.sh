#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# Octile against Boost.Graph in one run:
#   bench/compare.sh [--every N] [--solver S,S] [--rounds N] [--csv FILE] MAP...
#
# For each map the peer and octile take turns, twice each, and the smaller mean of each counts: a
# slow minute of the machine then hits both. Whole path as cells, thread CPU time; both programs
# share their timing code. Prints a table of microseconds per query and of ratios to Boost.
#
# The programs are looked for in $OCTILE_BUILD (build/bench beside this script's folder); build
# them with: cmake --preset bench && cmake --build --preset bench
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
build=${OCTILE_BUILD:-$root/build/bench}
every=1
solvers=textbook_heap,astar,jps,auto
rounds=2
csv=/dev/null
maps=()
while [ $# -gt 0 ]; do
  case $1 in
    --every) every=${2:?--every needs a number}; shift 2 ;;
    --solver) solvers=${2:?--solver needs a list}; shift 2 ;;
    --rounds) rounds=${2:?--rounds needs a number}; shift 2 ;;
    --csv) csv=${2:?--csv needs a file}; shift 2 ;;
    -*) echo "compare.sh: unknown option $1" >&2; exit 2 ;;
    *) maps+=("$1"); shift ;;
  esac
done
[ ${#maps[@]} -gt 0 ] || { echo "compare.sh: name at least one map" >&2; exit 2; }
for program in octile peer_boost; do
  [ -x "$build/$program" ] || { echo "compare.sh: $build/$program is missing" >&2; exit 2; }
done

for map in "${maps[@]}"; do
  for _ in $(seq "$rounds"); do
    "$build/peer_boost" "$map" --every "$every" --no-cold || [ $? -eq 1 ]
    "$build/octile" bench "$map" --every "$every" --no-cold --solver "$solvers" --format tsv ||
      [ $? -eq 1 ]
  done
done | awk -F '\t' -v csv="$csv" '
  BEGIN {
    print "map,solver,queries,mean_us,boost_over_it,expanded_mean,ns_per_expansion,wrong" > csv
    printf "%-22s %-14s %8s %12s %10s %12s %8s %6s\n",
                 "map", "solver", "queries", "mean_us", "boost/it", "expanded", "ns/exp", "wrong" }
  $1 == "solver" { next }
  {
    key = $2 SUBSEP $1
    if (!(key in mean)) { order[++n] = key; map[n] = $2; name[n] = $1 }
    if (!(key in mean) || $6 < mean[key]) mean[key] = $6
    queries[key] = $3; expanded[key] = $12
    if ($14 > wrong[key]) wrong[key] = $14
    bad += $14
  }
  END {
    for (i = 1; i <= n; ++i) {
      key = order[i]; base = mean[map[i] SUBSEP "boost"]
      per = expanded[key] > 0 ? mean[key] * 1000 / expanded[key] : 0
      printf "%s,%s,%d,%.3f,%.2f,%.1f,%.1f,%d\n", map[i], name[i], queries[key], mean[key],
             base / mean[key], expanded[key], per, wrong[key] > csv
      printf "%-22s %-14s %8d %12.3f %9.2fx %12.1f %8.1f %6d\n", map[i], name[i], queries[key],
             mean[key], base / mean[key], expanded[key],
             per, wrong[key]
    }
    exit bad > 0
  }'
