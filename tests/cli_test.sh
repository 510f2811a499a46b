#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# The command line from outside: tests/cli_test.sh PATH/TO/octile
#
# Exit codes, output, and for everything that fails: exactly one line on stderr, and no file made or
# changed. Prints "N passed, N failed".
set -u

octile=$(readlink -f "${1:?the path of octile is missing}")
work=$(mktemp -d)
trap 'rm -rf "$work" "$work".*' EXIT
cd "$work" || exit 2
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }

# slurp NAME FILE: the variable is what the file holds, without a process.
slurp() { IFS= read -r -d '' "$1" <"$2"; }

# Everything in the folder, with sizes and times.
contents() {
  find . -printf '%p %s %T@\n' >"$work.files"
  slurp "$1" "$work.files"
}

# refuses CODE WORDS ARGS...: exit code CODE, one line on stderr that holds WORDS, nothing on stdout,
# nothing written.
refuses() {
  local code=$1 words=$2
  shift 2
  local before after got said
  contents before
  "$octile" "$@" >"$work.out" 2>"$work.err"
  got=$?
  contents after
  slurp said "$work.err"
  if [ "$got" -ne "$code" ]; then
    fail "octile $*: exit code $got, expected $code"
  elif [[ $said != *$'\n' || ${said%$'\n'} == *$'\n'* ]]; then
    fail "octile $*: not one line on stderr: '$said'"
  elif [[ $said != *"$words"* ]]; then
    fail "octile $*: '$said' does not say '$words'"
  elif [ -s "$work.out" ]; then
    fail "octile $*: wrote to stdout"
  elif [ "$before" != "$after" ]; then
    fail "octile $*: left files behind"
  else
    pass
  fi
}

# says CODE WORDS ARGS...: exit code CODE, WORDS (a pattern; "" for anything) somewhere in the
# output, nothing on stderr.
says() {
  local code=$1 words=$2
  shift 2
  local got
  "$octile" "$@" >"$work.out" 2>"$work.err"
  got=$?
  if [ "$got" -ne "$code" ]; then
    fail "octile $*: exit code $got, expected $code: $(cat "$work.err")"
  elif [ -s "$work.err" ]; then
    fail "octile $*: '$(cat "$work.err")' on stderr"
  elif [ -n "$words" ] && ! grep -qE -e "$words" "$work.out"; then
    fail "octile $*: no '$words' in the output"
  else
    pass
  fi
}

# begins FILE BYTES: the file begins with these bytes.
begins() {
  if [ "$(head -c ${#2} "$1" 2>/dev/null | tr -d '\0')" = "$2" ]; then pass; else fail "$1 is no such file"; fi
}

same() {
  if cmp -s "$1" "$2"; then pass; else fail "$1 and $2 differ"; fi
}

# 1. A small map: a wall with one gap, and a closed chamber.
cat >small.map <<'MAP'
type octile
height 5
width 7
map
...@...
...@.@@
.....@.
...@.@@
...@...
MAP
cat >small.map.scen <<'SCEN'
version 1
0	small.map	7	5	0	0	6	0	8.82842712
0	small.map	7	5	0	0	0	4	4
0	small.map	7	5	2	0	2	0	0
SCEN
printf '...\n.9.\n...\n' >weights.txt

# 2. Bad usage.
refuses 2 "a command is missing"
refuses 2 "no command 'bogus'" bogus
refuses 2 "index needs a command: build, info" index
for wanted in --help --version "solvers"; do
  "$octile" $wanted >/dev/full 2>"$work.err"
  got=$?
  if [ $got -eq 2 ] && grep -q "cannot write the output" "$work.err"; then pass; else
    fail "octile $wanted >/dev/full: exit code $got, $(cat "$work.err")"
  fi
done
refuses 2 "index has no command 'foo'; it has build, info" index foo
refuses 2 "unexpected argument: --foo" --foo
refuses 2 "unexpected argument: --foo" --foo bar
refuses 2 "unexpected argument: --foo" index --foo
refuses 2 "unexpected argument: --budget-mb" find small.map --from 0,0 --to 1,1 --budget-mb 5
refuses 2 "MAP is required" index build
refuses 2 "out is required" index build small.map
refuses 2 "that is the file that is read" index build small.map -o small.map
cp small.map own.map
printf '0,0 2,2\n' >own.txt
"$octile" convert small.map own.tiles
refuses 2 "that is the file that is read" index build own.tiles -o own.tiles
rm own.tiles
refuses 2 "that is the file that is read" convert own.map own.map
refuses 2 "that is the file that is read" batch own.map own.txt --out own.map
refuses 2 "that is the file that is read" batch own.map own.txt --out own.txt
cmp -s small.map own.map && [ "$(cat own.txt)" = '0,0 2,2' ] && pass || fail "an input was written over"
chmod 0600 own.txt
"$octile" generate rooms --size 8x8 -o own.txt >/dev/null 2>&1
[ "$(stat -c %a own.txt)" = 600 ] && pass || fail "a file has lost its mode"
rm own.map own.txt
mkfifo pipe.fifo
refuses 2 "it is not a file" index build small.map -o pipe.fifo
rm pipe.fifo
refuses 2 "it is a device" info /dev/zero
refuses 2 "it is a device" index info /dev/zero
refuses 2 "it is a directory" index info .
refuses 2 "cannot be opened" index info missing.oct
refuses 2 "not an index file" index info small.map
refuses 2 "cannot be created: No such file" index build small.map -o no_such_folder/a.oct
limit=$(ulimit -S -f)
ulimit -S -f 1
refuses 2 "cannot be written: File too large" index build small.map -o a.oct
refuses 2 "cannot write 'a.map': File too large" generate maze --size 99x99 -o a.map
ulimit -S -f "$limit"
refuses 2 "cost the same" index build weights.txt --weights "9=9" -o w.oct
refuses 2 "eight moves" index build small.map --moves four -o w.oct
refuses 2 "--kind must be" index build small.map --kind big -o w.oct
refuses 2 "--quality must be" index build small.map --quality low -o w.oct
for kind in tile_labels subgoal_graph quadtree; do
  refuses 2 "$kind has one quality" index build small.map --kind "$kind" --quality high -o w.oct
done
refuses 2 "--threads" index build small.map --threads 0 -o w.oct
refuses 2 "--budget-mb" index build small.map --budget-mb 0 -o w.oct
says 0 "^kind         tile_labels$" index build small.map -o small.oct
says 0 "^kind         tile_labels$" index info small.oct
says 0 "^solver    labels$" find small.map --from 0,0 --to 2,0 --index small.oct
says 0 "0 failed$" check small.map --solver labels,auto --index small.oct
refuses 2 "belongs to another map" find weights.txt --from 0,0 --to 2,0 --index small.oct
refuses 2 "for other moves, weights or sizes" find small.map --from 0,0 --to 2,0 --size 2x2 --index small.oct
refuses 2 "for other moves, weights or sizes" group small.map --goal 0,0 --unit 1,0 --size 2x2 --index small.oct
# Links keep their places, whoever writes; what they lead to is replaced, or made.
mkdir place
ln -s place/linked.oct link.oct
ln -s place/linked.map link.map
for turn in made replaced; do
  says 0 "" index build small.map -o link.oct
  says 0 "" convert small.map link.map
done
same small.oct place/linked.oct
same small.map place/linked.map
[ -L link.oct ] && [ -L link.map ] && pass || fail "a link was replaced"
chmod 0640 place/linked.oct
says 0 "" index build small.map -o link.oct
[ "$(stat -c %a place/linked.oct)" = 640 ] && pass || fail "an index has lost its mode"
[ "$(ls place)" = "linked.map
linked.oct" ] && pass || fail "more was written: $(ls place)"
# An index as it is loaded, and through a pipe.
for mode in copy map trusted; do
  says 0 "^solver    labels$" find small.map --from 0,0 --to 2,0 --index small.oct --index-mode $mode
  cat small.oct | "$octile" find small.map --from 0,0 --to 2,0 --index /dev/stdin --index-mode $mode >piped.txt 2>&1
  if grep -q '^solver    labels$' piped.txt; then pass; else fail "an index through a pipe: $(cat piped.txt)"; fi
done
rm piped.txt
says 0 "^total     1.000$" group small.map --goal 0,0 --unit 1,0 --index small.oct --index-mode map
refuses 2 "--index-mode requires --index" find small.map --from 0,0 --to 2,0 --index-mode map
refuses 2 "--index-mode must be copy, map or trusted, not 'some'" find small.map --from 0,0 --to 2,0 --index small.oct --index-mode some
"$octile" convert small.map own.tiles
# Not behind a pipe itself: its counts would be lost with that shell.
refuses 2 "tiles are not read through a pipe" info /dev/stdin < <(cat own.tiles)
rm own.tiles
head -c 700 small.oct >cut.oct
refuses 2 "truncated" index info cut.oct
refuses 2 "MAP is required" find
refuses 2 "--from is required" find small.map
refuses 2 "--to is required" find small.map --from 0,0
refuses 2 "--from needs a value" find small.map --to 0,0 --from
refuses 2 "more than once" find small.map --from 0,0 --to 1,1 --to 2,2
refuses 2 "unexpected argument" find small.map --from 0,0 --to 1,1 --bogus
refuses 2 "unexpected argument: extra" find small.map --from 0,0 --to 1,1 extra
refuses 2 "unexpected argument" solvers extra
refuses 2 "there is no solver 'bogus'" find small.map --from 0,0 --to 1,1 --solver bogus
refuses 2 "there is no solver ''" check small.map --solver jps,
refuses 2 "--moves" find small.map --from 0,0 --to 1,1 --moves six
refuses 2 "--diagonal" find small.map --from 0,0 --to 1,1 --diagonal sometimes
refuses 2 "--metric" find small.map --from 0,0 --to 1,1 --metric taxi
for size in 0x1 1x0 2 x 2x -1x2 65x1 1x65 2x2x2 99999999999x1; do
  refuses 2 "--size must be" find small.map --from 0,0 --to 1,1 --size "$size"
done
for anchor in 2,0 0,2 -1,0 1; do
  refuses 2 "--anchor must be" find small.map --from 0,0 --to 1,1 --size 2x2 --anchor "$anchor"
done
refuses 2 "--anchor must be" check small.map --anchor 1,0
for cells in 1 , a,b 1.5,2; do
  refuses 2 "--block must be X,Y" find small.map --from 0,0 --to 1,1 --block 0,1 --block "$cells"
  refuses 2 "--block must be X,Y" would-block small.map --block "$cells"
done
for costs in 1,1 =1 1,1= 1,1=-1 1,1=inf 1,1=nan 1=1; do
  refuses 2 "--cost" find small.map --from 0,0 --to 1,1 --cost "$costs"
done
refuses 2 "three decimals" find small.map --from 0,0 --to 1,1 --cost 1,1=0.3333
refuses 2 "name units by --unit" group small.map --goal 0,0
refuses 2 "--unit and --random exclude each other" group small.map --goal 0,0 --unit 1,1 --random 2
refuses 2 "the goal lies outside" group small.map --goal 7,0 --unit 1,1
refuses 2 "--formation must be one of" group small.map --goal 0,0 --unit 1,1 --formation ring
refuses 2 "must end in .png, .svg or .gif" group small.map --goal 0,0 --unit 1,1 --out ways.bmp
refuses 2 "free places" group small.map --goal 0,0 --random 99
refuses 2 "--friend must be" group small.map --goal 0,0 --unit 1,1 --friend 2
refuses 2 "the speed of a friend must be 0 to 1" group small.map --goal 0,0 --unit 1,1 --friend 2,2,1,0,3
refuses 2 "--friend-costs must be" group small.map --goal 0,0 --unit 1,1 --friend 2,2 --friend-costs 3
refuses 2 "--files" group small.map --goal 0,0 --unit 1,1 --files -1
refuses 2 "--files is of a box or column, not of wedge" group small.map --goal 0,0 --unit 1,1 --formation wedge --files 2
refuses 2 "--files is of a box or column, not of compact" group small.map --goal 0,0 --unit 1,1 --files passage
refuses 2 "--seed is of --random" group small.map --goal 0,0 --unit 1,1 --seed 4
refuses 2 "--friend 9,9 stands outside" group small.map --goal 0,0 --unit 1,1 --friend 9,9
refuses 2 "rests and has no SPEED" group small.map --goal 0,0 --unit 1,1 --friend 2,2,0,0,.5
refuses 2 "--friend-costs needs" group small.map --goal 0,0 --unit 1,1 --friend-costs 3,4
refuses 2 "units of one cell" group small.map --goal 0,0 --unit 0,0 --size 2x2 --out ways.gif
refuses 2 "block is required" would-block small.map
refuses 2 "no endless world" stream rooms
refuses 2 "--reach" stream city --reach 0
refuses 2 "too large" stream city --size 99999x99999
refuses 2 "goal is required" field small.map
refuses 2 "--goal must be X,Y" field small.map --goal 1
refuses 2 "outside the map" field small.map --goal 99,1
refuses 2 "every goal is a wall" field small.map --goal 3,0 --out f.png
refuses 2 "--range" field small.map --goal 0,0 --range -1
refuses 2 "must end in .png or .svg" field small.map --goal 0,0 --out f.gif
refuses 2 "belong together" would-block small.map --block 1,1 --from 0,0
refuses 2 "outside the map" would-block small.map --block 7,1
refuses 2 "not connected as it is" would-block small.map --block 1,1 --from 0,0 --to 6,2
refuses 2 "not connected as it is" would-block small.map --block 1,1 --from 3,0 --to 3,0
refuses 2 "cannot be opened" find small.map --from 0,0 --to 1,1 --index f
refuses 2 "cannot be opened" bench small.map --index f
refuses 2 "--budget-mb" bench small.map --budget-mb -4

# 3. Hostile numbers.
for cells in 1 , 1, ,1 a,b 1,2,3 1.5,2 1e9,1 nan,0 NaN,NaN inf,0 0x1,1 "1, 1" \
  99999999999999999999,0 2147483648,0 -2147483649,0; do
  refuses 2 "--from must be X,Y" find small.map --from "$cells" --to 1,1
  refuses 2 "--to must be X,Y" find small.map --from 1,1 --to "$cells"
done
for number in nan NaN -1 -inf x 1x; do
  refuses 2 "--max-cost" find small.map --from 0,0 --to 1,1 --max-cost "$number"
done
for number in -1 1.5 nan 1e3 99999999999999999999; do
  refuses 2 "--max-expansions" find small.map --from 0,0 --to 1,1 --max-expansions "$number"
done
for number in 0 -3 nan x 99999999999; do
  refuses 2 "--every" bench small.map --every "$number"
  refuses 2 "--every" check small.map --every "$number"
done
for weights in G=-1 .=nan .= G GG=1 G=1, ,G=1 .=x; do
  refuses 2 "--weights" find small.map --from 0,0 --to 1,1 --weights "$weights"
done
refuses 2 "three decimals" find small.map --from 0,0 --to 1,1 --weights .=0.3333
refuses 2 "--size must be WxH" generate random --size 0x5 -o new.map
refuses 2 "--size must be WxH" generate random --size -4x5 -o new.map
refuses 2 "--size must be WxH" generate random --size 5 -o new.map
refuses 2 "too large" generate random --size 2000000000x2000000000 -o new.map
refuses 2 "--density" generate random --density 101 -o new.map
refuses 2 "--density" generate random --density nan -o new.map
refuses 2 "--density" generate random --density -1 -o new.map
refuses 2 "--seed" generate random --seed -1 -o new.map
refuses 2 "from 0 to 18446744073709551615" generate random --seed 18446744073709551616 -o new.map
for room in 4097 99999999999; do
  refuses 2 "--room must lie between 1 and 4096" generate rooms --room "$room" -o new.map
done
refuses 2 "takes no --density" generate maze --density 30 -o new.map
refuses 2 "there is no generator 'bogus'" generate bogus -o new.map
refuses 2 "--threads" check small.map --threads 0
refuses 2 "--random" check small.map --random 0
refuses 2 "--passes" bench small.map --passes 2
refuses 2 "--format" bench small.map --format xml
refuses 2 "avx2, simd128, scalar, not 'sse'" bench small.map --kernels sse
# No value: said by name, wherever it stands.
for option in --from --max-cost --max-expansions --block --anchor --weights --index --solver --out; do
  refuses 2 "$option needs a value" find small.map "$option" "" --to 1,1
  refuses 2 "$option needs a value" find small.map --to 1,1 "$option="
done
for option in --density --seed --size -o; do
  refuses 2 "$option needs a value" generate random "$option" "" --room 3
done
refuses 2 "--kernels needs a value" check small.map --kernels ""

# 4. Missing and wrong files.
refuses 2 "cannot read 'none.map'" find none.map --from 0,0 --to 1,1
refuses 2 "cannot read '.'" find . --from 0,0 --to 1,1
: >empty.map
refuses 2 "empty.map" find empty.map --from 0,0 --to 1,1
printf 'type octile\nheight 5\nwidth 7\nmap\n...\n' >short.map
refuses 2 "short.map" find short.map --from 0,0 --to 1,1
printf 'type octile\nheight 99999999\nwidth 99999999\nmap\n' >huge.map
refuses 2 "huge.map" info huge.map
printf '\211PNG\r\n\032\nrubbish' >bad.png
refuses 2 "bad.png" find bad.png --from 0,0 --to 1,1
refuses 2 "cannot read 'weights.txt.scen'" bench weights.txt
refuses 2 "cannot read 'weights.txt.scen'" check weights.txt
refuses 2 "is for a map of 7 x 5" bench weights.txt small.map.scen
refuses 2 "is for a map of 7 x 5" check weights.txt small.map.scen
printf 'version 1\nnonsense\n' >bad.scen
refuses 2 "bad.scen" bench small.map bad.scen
mkdir nothing
refuses 2 "holds no .map files" check nothing
refuses 2 "cannot read 'none.jsonl'" cases none.jsonl

# 5. Blocked, outside, unreachable.
refuses 1 "start_blocked" find small.map --from 3,0 --to 0,0
refuses 1 "goal_blocked" find small.map --from 0,0 --to 3,0
refuses 1 "no_path" find small.map --from 0,0 --to 6,2
refuses 2 "start_out_of_bounds" find small.map --from -1,0 --to 0,0
refuses 2 "start_out_of_bounds" find small.map --from=-1,0 --to 0,0
refuses 2 "goal_out_of_bounds" find small.map --from 0,0 --to 7,0
refuses 2 "goal_out_of_bounds" find small.map --from 0,0 --to 2147483647,2147483647
refuses 1 "limit_reached" find small.map --from 0,0 --to 6,0 --max-cost 3
refuses 1 "no_path" find small.map --from 0,0 --to 6,0 --block 3,2
refuses 1 "goal_blocked" find small.map --from 0,0 --to 2,4 --size 2x2
refuses 1 "goal_blocked" find small.map --from 0,0 --to 6,0 --size 1x2
refuses 1 "no_path" find small.map --from 0,0 --to 6,2 --out picture.png

# 6. Where nothing can be written.
: >file
refuses 2 "must end in .png, .svg or .gif" find small.map --from 0,0 --to 1,1 --out picture.bmp
refuses 2 "cannot write 'none/picture.png'" find small.map --from 0,0 --to 1,1 --out none/picture.png
refuses 2 "cannot write 'file/picture.svg'" find small.map --from 0,0 --to 1,1 --out file/picture.svg
mkdir taken.gif
refuses 2 "is a directory" find small.map --from 0,0 --to 1,1 --out taken.gif
refuses 2 "cannot write 'none/new.map'" generate random -o none/new.map
refuses 2 "must end in" generate random -o new.xyz
refuses 2 "must end in" convert small.map new.xyz
refuses 2 "cannot write 'none/new.txt'" convert small.map none/new.txt
refuses 2 "must end in" render small.map -o new.gif
refuses 2 "--overlay" render small.map -o new.png --overlay stars
refuses 2 "leave out --size" render small.map -o new.png --overlay clearance --size 2x2
refuses 2 "file" demo --out file

# 7. Good answers.
says 0 "^octile [0-9]" --version
says 0 "Subcommands" --help
says 0 "--max-cost" find --help
says 0 "^cost      8.828427$" find small.map --from 0,0 --to 6,0
says 0 "0 distances differ" field small.map --goal 6,0 --compare
says 0 "^way       found, cost 8.828427, 9 cells$" field small.map --goal 6,0 --from 0,0
says 1 "^way       no_path" field small.map --goal 6,0 --from 6,2
says 0 "^\(0,0\)  found  \(1,1\)  1.414$" group small.map --goal 1,1 --unit 0,0
says 0 "^choice    optimal$" group small.map --goal 6,0 --unit 0,0 --unit 0,1 --formation column
says 0 "^total     6.000$" group small.map --goal 4,2 --unit 2,2 --formation box --files passage --friend 3,2
says 0 "^total     2.500$" group small.map --goal 4,2 --unit 2,2 --friend 3,2,2,0,.75 --friend-costs 2,9
says 0 '"placed":3,"partial":0,"left":0' group small.map --goal 6,0 --random 3 --seed 7 --json
says 1 "^left      1$" group small.map --goal 0,0 --unit 3,0
says 0 "" group small.map --goal 6,0 --unit 0,0 --unit 0,1 --out ways.gif
begins ways.gif GIF89a
says 0 "" group small.map --goal 6,0 --unit 0,0 --out ways.svg
says 0 "" group small.map --goal 6,0 --unit 0,0 --out ways.png
begins ways.png $'\211PNG'
says 0 "^reached   3 of" field small.map --goal 0,0 --range 1
says 0 '"status":"found","cost":2' field small.map --goal 6,0 --goal 0,0 --moves four --from 0,2 --json
says 0 "" field small.map --goal 6,0 --out field.png
begins field.png $'\211PNG'
says 0 "" field small.map --goal 6,0 --out field.svg
begins field.svg "<svg"
says 0 "^status    found$" find small.map --from 0,0 --to 0,0
says 0 "^status    partial$" find small.map --from 0,0 --to 6,2 --partial
says 0 "^cost      10.000000$" find small.map --from 0,0 --to 6,0 --moves four
says 0 "^cost      88.000000$" find small.map --from 0,0 --to 6,0 --metric 10-14
says 0 "^cost      2.828427$" find weights.txt --from 0,1 --to 2,1
says 0 "^cost      4.000000$" find weights.txt --from 0,1 --to 2,1 --diagonal never
says 0 "^cost      1.500000$" find weights.txt --from 0,1 --to 2,1 --weights 9=0.5
for solver in $("$octile" solvers --json | grep -o '"name": "[a-z_]*"' | cut -d '"' -f 4); do
  says 0 "^cost      8.828427$" find small.map --from 0,0 --to 6,0 --solver "$solver"
done
says 0 "^cost      3.414214$" find small.map --from 0,0 --to 1,3 --size 2x2
says 0 "^cost      3.414214$" find small.map --from 1,1 --to 2,4 --size 2x2 --anchor 1,1
says 0 "^cost      3.414214$" find small.map --from 0,0 --to 2,4 --size 2x2 --cover
says 0 "^cost      3.000000$" find small.map --from 3,0 --to 0,0 --escape
says 0 "^cost      13.828427$" find small.map --from 0,0 --to 6,0 --cost 3,2=4 --cost 3,2=1
says 0 "^cost      4.000000$" find small.map --from 0,0 --to 2,2 --block 1,1 --index small.oct
says 0 "^check     0 of 30 answers differ$" stream caves --size 900x700 --queries 30 --check
says 0 "^check     0 of 30 answers differ$" stream city --size 900x700 --queries 30 --ahead 0 --budget-mb 1 --check
says 1 "^blocks    yes$" would-block small.map --block 3,2 --from 0,0 --to 6,0
says 0 "^blocks    no$" would-block small.map --block 1,1 --from 0,0 --to 6,0
says 1 "^blocks    yes$" would-block small.map --block 1,1 --block 3,2
says 0 "^blocks    no$" would-block small.map --block 6,2
says 1 "^blocks    yes$" would-block small.map --size 1x2 --block 0,2 --block 1,2 --block 2,2
says 0 '"status":"found".*"cells":\[\[0,0\],\[1,0\]\]' find small.map --from 0,0 --to 1,0 --json
says 0 "^written   way.png$" find small.map --from 0,0 --to 6,0 --out way.png
begins way.png $'\211PNG'
says 0 "written" find small.map --from 0,0 --to 6,0 --out way.svg
if grep -q "<svg" way.svg; then pass; else fail "way.svg is no SVG"; fi
says 0 "written" find small.map --from 0,0 --to 6,0 --out way.gif
begins way.gif GIF89a
says 0 "^components  2, the largest has 25 cells$" info small.map
says 0 '"passable": 26' info small.map --json
says 0 "" render small.map -o map.png --overlay components
begins map.png $'\211PNG'
says 0 "" render small.map -o room.png --overlay clearance
begins room.png $'\211PNG'
for overlay in components clearance portals quadtree; do
  says 0 "" render small.map -o "$overlay.svg" --overlay "$overlay"
  begins "$overlay.svg" "<svg"
done

# 8. Maps there and back.
for kind in txt tiles pgm png; do
  says 0 "" convert small.map "copy.$kind"
  says 0 "" convert "copy.$kind" "back-$kind.map"
  same small.map "back-$kind.map"
done
says 0 "" generate random --size 40x30 --seed 7 --density 0.3 -o one.map
says 0 "" generate random --size 40x30 --seed 7 --density 30% -o two.map
says 0 "" generate random --seed 18446744073709551615 -o last.map
says 0 "placed    1" group small.map --goal 6,0 --random 1 --seed 9223372036854775808
same one.map two.map
says 0 "^size        40 x 30" info two.map

# 9. Checks that pass and checks that fail.
says 0 "^[0-9]+ passed, 0 failed$" check small.map --solver all
says 0 "^[0-9]+ passed, 0 failed$" check one.map --random 60 --size 2x1 --anchor 1,0 --solver all
says 0 "astar" bench small.map --size 1x2 --solver astar,jps --no-cold
mkdir -p maps/below
cp one.map maps/below/
cp small.map small.map.scen maps/
says 0 "^2 maps$" check maps --random 200 --solver all
says 0 "^one.map +has no scenario, not checked$" check maps
says 0 "^[0-9]+ passed, 0 failed$" check one.map --random 200 --seed 3 --against astar --solver jps
says 0 "^[0-9]+ passed, 0 failed$" check one.map --random 200 --diagonal always --weights .=2
sed 's/8.82842712/8.85/' small.map.scen >wrong.scen
says 1 "^2 passed, 1 failed$" check small.map wrong.scen --solver astar
says 0 "^solver	map	queries	build_ms	index_bytes	mean_us	median_us	p99_us	max_us	cold_query_us	cold_pass_us	expanded_mean	cells_mean	wrong$" \
  bench small.map --format tsv --no-cold
says 0 "^jps	small.map	3	.*	0$" bench small.map --format tsv --solver all
# All inner loops that run here, one after the other; those that do not are refused.
for kernels in avx512 avx2 simd128 scalar; do
  if "$octile" bench small.map --solver jps --no-cold --kernels $kernels >/dev/null 2>refusal.txt; then
    says 0 "^kernels: labels $kernels, jps " bench small.map --solver labels --no-cold --kernels $kernels
    says 0 "^9 passed, 0 failed$" check small.map --solver labels,subgoal,jps --kernels $kernels
    says 0 "^600 passed, 0 failed$" check small.map --random 200 --solver labels,subgoal,jps --kernels $kernels
  elif [ $kernels != scalar ]; then
    refuses 2 "cannot run $kernels; it runs " check small.map --kernels $kernels
  else
    fail "bench --kernels scalar: $(cat refusal.txt)"
  fi
done
says 0 "^kernels: labels scalar, jps scalar$" bench small.map --solver labels --no-cold --kernels scalar
rm -f refusal.txt
says 0 "^distance	small.map	3	.*	0$" bench small.map --format tsv --solver jps --distance --no-cold
says 1 "^distance	small.map	3	.*	1$" bench small.map wrong.scen --format tsv --solver jps --distance --no-cold
says 1 "^astar	small.map	3	.*	1$" bench small.map wrong.scen --format tsv --solver astar --no-cold

cat >cases.jsonl <<'CASES'
{"id": "right", "kind": "query", "grid": ["...", ".#.", "..."], "settings": {"moves": 4}, "start": [0, 0], "goal": [2, 2], "expected": {"status": "found", "cost": 4}}
{"id": "later", "kind": "query", "grid": ["..."], "settings": {"moves": 4, "gravity": 2}, "start": [0, 0], "goal": [2, 0], "expected": {"status": "found", "cost": 2}}
CASES
says 0 "^skipped later: gravity$" cases cases.jsonl
says 0 "^1 passed, 0 failed, 1 skipped$" cases cases.jsonl
says 0 "^1 passed, 0 failed, 0 skipped$" cases cases.jsonl --only right
refuses 2 "no case 'none'" cases cases.jsonl --only none
sed 's/"cost": 4/"cost": 5/' cases.jsonl >failing.jsonl
says 1 "^0 passed, 1 failed, 1 skipped$" cases failing.jsonl
{ cat cases.jsonl; echo '{"id": "broken", '; } >broken.jsonl
refuses 2 "line 3: not JSON" cases broken.jsonl
{ cat cases.jsonl; echo '{"id": "broken", "kind": "query", "expected": {}}'; } >broken.jsonl
refuses 2 "line 3 (broken)" cases broken.jsonl
{ cat cases.jsonl; echo '[1, 2]'; } >broken.jsonl
refuses 2 "line 3" cases broken.jsonl

says 0 "^one.map +mixed +stale_labels +20 .* 0$" edit-bench one.map --commits 20 --queries 5 --check
says 0 "^one.map +mixed +quadtree +20 .* 0$" edit-bench one.map --commits 20 --queries 5 --check --tier quadtree
says 0 "^one.map	wall	jps	5	.*	-$" edit-bench one.map --commits 5 --pattern wall --tier jps --format tsv
says 0 "^one.map +track_5 +stale_labels +4 .* 0$" edit-bench one.map --pattern track_5 --commits 4 --queries 5 --check
says 0 "^one.map +elsewhere +jps +masks +30 " edit-bench one.map --pattern elsewhere --tier jps --commits 30 --queries 0 --parts
says 0 "^one.map	place	jps	edit	70	" edit-bench one.map --pattern place --tier jps --commits 70 --queries 1 --parts --format tsv
refuses 2 "place, track_1, track_5 or all, not 'storm'" edit-bench one.map --pattern storm
refuses 2 "portals, quadtree or all, not 'best'" edit-bench one.map --tier best
refuses 2 "--check compares answers" edit-bench one.map --check --parts
refuses 2 "--check compares answers" edit-bench one.map --check --queries 0

refuses 2 "cannot be opened" edit-bench one.map --tier jps --index none.oct

# An index that somebody cuts off while it is in use: the command goes on with its copy, or it has
# come too late and says so.
"$octile" generate rooms --size 300x300 --room 7 --seed 3 -o cut.map
"$octile" index build cut.map -o whole.oct >/dev/null
awk 'BEGIN { for (i = 0; i < 8000; ++i) print int(299 * rand()) ",0 0," int(299 * rand()) }' >queries.txt
for wait in 0.02 0.05 0.1 0.15 0.2; do
  cp whole.oct cut.oct
  "$octile" batch cut.map queries.txt --index cut.oct >cut.txt 2>&1 &
  sleep $wait
  truncate -s 5000 cut.oct
  wait $!
  code=$?
  case $code in
    0) grep -q '^queries   8000$' cut.txt && pass || fail "an index cut off: $(tail -n 1 cut.txt)" ;;
    2) grep -q 'octile: .cut.oct' cut.txt && pass || fail "an index cut off: $(tail -n 1 cut.txt)" ;;
    *) fail "an index cut off: exit code $code" ;;
  esac
done
rm cut.map whole.oct cut.oct cut.txt queries.txt

# A map through a pipe is read once, and whole.
cat small.map | "$octile" info /dev/stdin >piped.txt
"$octile" info small.map >plain.txt
if diff <(sed 1d piped.txt) <(sed 1d plain.txt) >/dev/null; then pass; else fail "a map through a pipe is another one"; fi

# 10. Plans for many agents.
printf 'type octile\nheight 3\nwidth 5\nmap\n.....\n@@.@@\n.....\n' >units.map
printf 'version 1\n0\tunits.map\t5\t3\t0\t0\t4\t0\t4\n0\tunits.map\t5\t3\t4\t0\t0\t0\t4\n' >units.scen
says 0 "^sum of costs  [0-9]+, at least 8" mapf units.map units.scen --out plan.txt
says 0 "^valid         2 agents" mapf-check units.map units.scen plan.txt
says 0 "^status        optimal" mapf units.map units.scen --improve 1000000
says 0 "^agents        1$" mapf units.map units.scen --agents 1 --out plan.gif
begins plan.gif GIF8
says 0 "" mapf units.map units.scen --moves eight --out plan.svg
begins plan.svg "<svg"
sed 's/^1:(./1:(2/' plan.txt >broken.txt
says 1 "^invalid       jump: tick 1" mapf-check units.map units.scen broken.txt
sed '/solution/q' plan.txt >broken.txt
says 1 "^invalid       wrong_size" mapf-check units.map units.scen broken.txt
grep -v solution plan.txt >broken.txt
refuses 2 "no line 'solution='" mapf-check units.map units.scen broken.txt
printf 'solution=\n0:(0,0),(4,0),\n1:(1,0)\n' >broken.txt
refuses 2 "line 3: 1 agents, and 2 before" mapf-check units.map units.scen broken.txt
printf 'solution=\n0:(0,99999999999)\n' >broken.txt
refuses 2 "99999999999 is too large a number" mapf-check units.map units.scen broken.txt
printf 'solution=\n0:(0,x)\n' >broken.txt
refuses 2 "a number is missing" mapf-check units.map units.scen broken.txt
refuses 2 "has 2 agents, not 3" mapf units.map units.scen --agents 3
refuses 2 "--budget" mapf units.map units.scen --budget -1
refuses 2 "must end in" mapf units.map units.scen --out plan.bmp
refuses 2 "--objective makespan is of --improve" mapf units.map units.scen --objective makespan
says 0 "^conflicts     0$" steps units.map --agents 5 --ticks 30 --seed 2
says 0 "^tasks         [1-9]" steps units.map --agents 3 --ticks 200 --moves eight
refuses 2 "needs --agents" steps units.map
refuses 2 "there is room for 11 agents" steps units.map --agents 12
refuses 2 "agents of one cell" steps units.map --agents 1 --size 2x2
refuses 2 "--ticks" steps units.map --agents 1 --ticks 0
refuses 2 "--diagonal always needs --moves eight" steps units.map --agents 1 --diagonal always
refuses 1 "limit_reached" mapf units.map units.scen --limit 1
printf '.....\n' >corridor.txt
sed 's/\t3\t/\t1\t/' units.scen >corridor.scen
refuses 1 "infeasible" mapf corridor.txt corridor.scen
says 0 "^status        optimal" mapf corridor.txt corridor.scen --any-goal --out plan.txt
says 0 "^valid " mapf-check corridor.txt corridor.scen plan.txt --any-goal
says 1 "wrong_goal" mapf-check corridor.txt corridor.scen plan.txt
says 0 "" generate mapf units.map --agents 5 --seed 3 -o five.scen
says 0 "^agents        5$" mapf units.map five.scen
refuses 2 "room for 11 agents" generate mapf units.map --agents 12 -o many.scen
refuses 2 "needs --agents" generate mapf units.map -o many.scen
refuses 2 "needs a MAP" generate mapf --agents 2 -o many.scen
refuses 2 "must end in .scen" generate mapf units.map --agents 2 -o many.txt
refuses 2 "takes no --density" generate mapf units.map --agents 2 --density 30 -o many.scen
refuses 2 "takes no --size" generate mapf units.map --agents 2 --size 9x9 -o many.scen
refuses 2 "takes no --agents" generate maze --agents 2 -o new.map

# Batches.
printf '1,1 5,1 # there\n\n0,0 0,0\n' >queries.txt
printf 'type octile\nheight 3\nwidth 7\nmap\n.......\n.......\n.......\n' >open.map
says 0 "^queries   2$" batch open.map queries.txt --out one.txt --against dijkstra
says 0 "^found     2$" batch open.map queries.txt --out two.txt --threads 8 --cache-mb 0
same one.txt two.txt
# Both what is printed and the paths, where they go to the same file.
says 0 "^queries   2$" batch open.map queries.txt --out /dev/stdout
head -n 2 "$work.out" >both.txt
same one.txt both.txt
refuses 2 "open.map:1: the start must be X,Y" batch open.map open.map
printf '1,1\n' >short.txt
refuses 2 "the start and the goal" batch open.map short.txt
refuses 2 "--threads" batch open.map queries.txt --threads 0

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
