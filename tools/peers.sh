#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# The path finders that a game developer would pick instead, side by side with Octile: the same
# maps and queries, in one run.
#
#   tools/peers.sh [--every N] [--maps DIR|MAP...] [--rounds N] [--kernels K,K] [--only P,P] [--out F.tsv]
#   tools/peers.sh --table F.tsv [--against SOLVER]
#
# Installs what is missing (Debian packages; npm packages into build/peers/npm), builds into
# build/peers, and runs every peer and `octile bench` on each map, twice in turns: a slow minute of
# the machine then hits all of them, and the smaller mean counts. Who takes more than 10 s for a turn
# gets one. Indexes are made once a map, into build/peers/indexes. The TSV (build/peers/peers.tsv)
# has the columns of `octile bench --format tsv`. Then prints the Markdown table that --table makes
# of it.
#
#   --every N   every N-th query of each scenario; else so many that about 100 remain
#   --maps      folders are searched for maps with a scenario; ends at the next option. Else six
#               named ones from $OCTILE_MAPS or ../shared/maps
#   --rounds N  turns (2)
#   --kernels K labels once more with these inner loops and no better: avx2, simd128, scalar
#   --only P,P  these alone: octile boost libtcod detour detour_simplified pathfinding_astar
#               pathfinding_jps pathfinding_jps_octile easystar ngraph
#   --against   the solver of Octile that the table compares with; labels when it is in all maps,
#               else jps
#
# Exit codes: 0 done; 1 a peer or a map is missing (named with the reason, the rest goes on), or
# Octile was wrong; 2 bad usage; 3 Octile itself could not be built. docs/measuring.md tells more.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
# shellcheck source=tools/setup.sh
. "$root/tools/setup.sh"

named_maps=(Berlin_0_256 AR0711SR brc202d 32room_000 maze512-8-0 random512-30-0)
npm_peers=(pathfinding_astar pathfinding_jps pathfinding_jps_octile easystar ngraph)
cpp_peers=(boost libtcod detour detour_simplified)
patience=10                       # seconds, after which a peer gets fewer passes
one_turn=10                       # seconds, after which it gets no second turn

build_folder=$root/build/peers
node_folder=$build_folder/npm
report=(python3 "$root/tools/peers_report.py")
failures=()

usage() {
  say "$1"
  sed -n '8,9s/^# *//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

fail() {
  say "$*"
  failures+=("$*")
}

is_count() { [[ $1 =~ ^[1-9][0-9]{0,5}$ ]]; }

# --- Set-up ---------------------------------------------------------------------------------

# The command of a peer, without the map.
set_command() {
  case $1 in
    octile) command=("$build_folder/octile" bench --format tsv --solver "labels,jps,astar") ;;
    octile_*) command=("$build_folder/octile" bench --format tsv --solver labels
      --kernels "${1#octile_}") ;;
    boost) command=("$build_folder/peer_boost") ;;
    libtcod) command=("$build_folder/peer_tcod") ;;
    detour) command=("$build_folder/peer_detour") ;;
    detour_simplified) command=("$build_folder/peer_detour" --simplify) ;;
    # Graphs of half a million links need more than V8 allows itself.
    *) command=(node --max-old-space-size=8192 "$root/bench/peers/peer_npm.mjs" "$1"
      --packages "$node_folder") ;;
  esac
  if [[ $1 != octile* ]]; then command+=(--patience "$patience"); fi
}

asked() { [ -z "$only" ] || [[ ,$only, == *",$1,"* ]]; }

install_npm_packages() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    install_packages nodejs npm || return 1
  fi
  local source=$root/bench/peers/package-lock.json
  if cmp -s "$source" "$node_folder/package-lock.json" && [ -e "$node_folder/complete" ]; then
    return 0
  fi
  say "installing with npm into ${node_folder#"$root"/}"
  mkdir -p "$node_folder" && rm -f "$node_folder/complete" &&
    cp "$source" "${source%-lock.json}.json" "$node_folder/" &&
    (cd "$node_folder" && npm ci --ignore-scripts --no-audit --no-fund >&2) &&
    touch "$node_folder/complete"
}

# Sets `peers` to those that are asked for and ready.
set_up() {
  install_packages "${run_packages[@]}" python3 || exit $setup_failed
  install_packages libboost-graph-dev || fail "boost: libboost-graph-dev could not be installed"
  install_packages libtcod-dev || fail "libtcod: libtcod-dev could not be installed"
  install_packages librecast-dev || fail "detour: librecast-dev could not be installed"

  # The second look finds the libraries that came after the first one.
  if ! configure peers || ! cmake "$build_folder" >&2 || ! build peers octile_cli; then
    say "the build failed"
    exit $setup_failed
  fi
  build peers -k 0 bench/all || fail "not all C++ peers could be built"

  peers=()
  local peer command
  if asked octile; then peers+=(octile "${kernel_peers[@]}"); fi
  for peer in "${cpp_peers[@]}"; do
    asked "$peer" || continue
    set_command "$peer"
    if [ -x "${command[0]}" ]; then
      peers+=("$peer")
    else
      fail "$peer: ${command[0]#"$root"/} was not built, left out"
    fi
  done
  local wanted=()
  for peer in "${npm_peers[@]}"; do
    if asked "$peer"; then wanted+=("$peer"); fi
  done
  if ((${#wanted[@]} == 0)) || install_npm_packages; then
    peers+=("${wanted[@]}")
  else
    fail "${wanted[*]}: Node or the npm packages could not be installed, left out"
  fi
}

# --- Maps -----------------------------------------------------------------------------------

# Sets `maps` from the arguments of --maps, or to the named ones.
find_maps() {
  maps=()
  local name found folder
  if (($# == 0)); then
    folder=${OCTILE_MAPS:-$root/../shared/maps}
    [ -d "$folder" ] || usage "there are no maps in $folder: set OCTILE_MAPS or give --maps"
    for name in "${named_maps[@]}"; do
      found=$(find -L "$folder" -name "$name.map" | head -n 1)
      if [ -n "$found" ] && [ -f "$found.scen" ]; then
        maps+=("$found")
      else
        fail "$name.map: not in $folder, left out"
      fi
    done
  fi
  for name in "$@"; do
    if [ -d "$name" ]; then
      while IFS= read -r found; do
        if [ -f "$found.scen" ]; then maps+=("$found"); fi
      done < <(find -L "$name" -name '*.map' | sort)
    elif [ -f "$name" ] && [ -f "$name.scen" ]; then
      maps+=("$name")
    else
      usage "$name: not a folder, nor a map with a scenario $name.scen"
    fi
  done
  ((${#maps[@]} > 0)) || usage "there is no map to run on"
}

# --- The run --------------------------------------------------------------------------------

# index_of MAP: makes its index unless that is there; sets `index` and `index_ms`.
index_of() {
  local said
  index=$build_folder/indexes/$(basename "$1" .map).octi
  if [ ! -f "$index" ] || [ "$build_folder/octile" -nt "$index" ] || [ "$1" -nt "$index" ]; then
    mkdir -p "$build_folder/indexes" &&
      said=$("$build_folder/octile" index build "$1" -o "$index") || return 1
    sed -n 's/^built in *\([0-9.]*\) s$/\1/p' <<<"$said" >"$index.seconds"
  fi
  index_ms=$(awk '{ printf "%.3f", $1 * 1000 }' "$index.seconds")
}

# turn PEER MAP EVERY ROUND: one peer on one map; its lines go to $raw.
turn() {
  local peer=$1 map=$2 name began code=0 output command=()
  name=$(basename "$map")
  if [ -n "${out_of_turn[$peer $name]-}" ]; then return 0; fi
  set_command "$peer"
  if [[ $peer == octile* ]]; then
    index_of "$map" || { fail "$name: no index"; return 0; }
    command+=(--index "$index")
  fi
  began=$SECONDS
  output=$("${command[@]}" "$map" --every "$3") || code=$?
  case $code in
    0 | 1) ;;
    3)
      say "$name: $peer cannot serve it"
      out_of_turn[$peer $name]=1
      return 0
      ;;
    *)
      fail "$name: $peer failed with exit code $code"
      out_of_turn[$peer $name]=1
      return 0
      ;;
  esac
  # Rows of other kernels get names of their own, and labels the time that its index took.
  output=$(awk -F '\t' -v OFS='\t' -v ms="${index_ms-}" -v kernel="${peer#octile}" '
    NR > 1 && $1 == "labels" { $4 = ms }
    NR > 1 && kernel ~ /^_/ { $1 = $1 kernel }
    { print }' <<<"$output")
  sed 1d <<<"$output" >>"$raw"
  if [[ $peer == octile* ]] && ((code == 1)); then fail "$name: Octile gave wrong answers"; fi
  if ((SECONDS - began > one_turn)); then out_of_turn[$peer $name]=1; fi
  sed 1d <<<"$output" | awk -F '\t' -v round="$4" '
    { printf "octile: %s, turn %d: %s %.2f us, %d of %d wrong\n", $2, round, $1, $6, $14, $3 }' >&2
}

run_all() {
  declare -A out_of_turn=()
  local map round peer step queries
  raw=$build_folder/turns.tsv
  : >"$raw"
  for map in "${maps[@]}"; do
    queries=$(($(grep -c . "$map.scen") - 1))
    step=${every:-$(((queries + 99) / 100))}
    for ((round = 1; round <= rounds; ++round)); do
      for peer in "${peers[@]}"; do turn "$peer" "$map" "$step" "$round"; done
    done
  done
  "${report[@]}" merge "$raw" >"$out.part" && mv "$out.part" "$out"
  say "wrote $out"
}

# --- Arguments ------------------------------------------------------------------------------

every='' rounds=2 out=$build_folder/peers.tsv table='' against='' only='' asked_maps=() kernel_peers=()
while (($# > 0)); do
  case $1 in
    --every | --rounds)
      is_count "${2-}" || usage "$1 needs a count"
      if [ "$1" = --every ]; then every=$2; else rounds=$2; fi
      shift 2
      ;;
    --out | --table | --against | --only | --kernels)
      [ -n "${2-}" ] || usage "$1 needs a value"
      case $1 in
        --out) out=$2 ;;
        --table) table=$2 ;;
        --against) against=$2 ;;
        --only) only=$2 ;;
        *) IFS=, read -ra kernel_peers <<<"$2" && kernel_peers=("${kernel_peers[@]/#/octile_}") ;;
      esac
      shift 2
      ;;
    --maps)
      shift
      while (($# > 0)) && [[ $1 != --* ]]; do
        asked_maps+=("$1")
        shift
      done
      ((${#asked_maps[@]} > 0)) || usage "--maps needs a folder or a map"
      ;;
    *) usage "unknown argument '$1'" ;;
  esac
done
if [ -n "$table" ]; then
  exec "${report[@]}" table "$table" ${against:+--against "$against"}
fi

IFS=, read -ra names <<<"$only"
for name in "${names[@]}"; do
  [[ " octile ${cpp_peers[*]} ${npm_peers[*]} " == *" $name "* ]] || usage "there is no peer '$name'"
done
find_maps "${asked_maps[@]}"
set_up
run_all
"${report[@]}" table "$out" ${against:+--against "$against"}
if ((${#failures[@]} > 0)); then
  say "not all went well:"
  printf '  %s\n' "${failures[@]}" >&2
  exit 1
fi
