#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""What tools/peers.sh makes of its figures. Standard library only.

    peers_report.py merge TURNS.tsv                  one line per solver and map: its fastest turn
    peers_report.py table F.tsv [--against SOLVER]   the table of the README, in Markdown

The columns are those of `octile bench --format tsv`, which print themselves as the first line.
"""

import argparse
import sys

COLUMNS = ("solver map queries build_ms index_bytes mean_us median_us p99_us max_us "
           "cold_query_us cold_pass_us expanded_mean cells_mean wrong").split()

# Who is who, in the order of the table.
OCTILE = ["labels", "labels_avx2", "labels_simd128", "labels_scalar", "jps", "astar"]
TITLES = {
    "detour_simplified": "Recast/Detour, usual tolerance",
    "detour": "Recast/Detour, exact mesh",
    "boost": "Boost.Graph A*",
    "libtcod": "libtcod A*",
    "pathfinding_jps": "PathFinding.js JPS",
    "pathfinding_jps_octile": "PathFinding.js JPS, octile estimate",
    "pathfinding_astar": "PathFinding.js A*",
    "easystar": "EasyStar.js",
    "ngraph": "ngraph.path A*",
}


def fail(text):
    print(f"peers_report: {text}", file=sys.stderr)
    sys.exit(2)


def read(path):
    """The rows of a TSV as dictionaries, with or without its header line."""
    rows = []
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        fail(f"cannot read {path}: {error.strerror}")
    for number, line in enumerate(lines, 1):
        words = line.split("\t")
        if words == COLUMNS or not line:
            continue
        if len(words) != len(COLUMNS):
            fail(f"{path}:{number}: not the columns of octile bench")
        rows.append(dict(zip(COLUMNS, words)))
    return rows


def merge(rows):
    """One row for each solver and map, that with the smallest mean; the order of their first."""
    best = {}
    for row in rows:
        key = row["solver"], row["map"]
        if key not in best or float(row["mean_us"]) < float(best[key]["mean_us"]):
            best[key] = row
    return list(best.values())


def in_order(rows):
    """The solvers of some rows: Octile's, then the peers by TITLES, then strangers."""
    seen = list(dict.fromkeys(row["solver"] for row in rows))
    known = OCTILE + list(TITLES)
    return sorted(seen, key=lambda s: known.index(s) if s in known else len(known))


def title(solver):
    name, _, kernels = solver.partition("_")
    ours = f"Octile `{name}`" + (f", {kernels} kernels" if kernels else "")
    return TITLES.get(solver, ours if solver in OCTILE else solver)


def short(map_name):
    return map_name[:-4] if map_name.endswith(".map") else map_name


def figure(value):
    """Three digits that count, with commas: 0.153, 15.3, 1,530."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def times(ratio):
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def table(rows, against):
    maps = list(dict.fromkeys(row["map"] for row in rows))
    by_key = {(row["solver"], row["map"]): row for row in rows}
    solvers = in_order(rows)
    if not against:
        everywhere = [s for s in ("labels", "jps") if all((s, m) in by_key for m in maps)]
        against = everywhere[0] if everywhere else ""
    if against and against not in solvers:
        fail(f"there is no solver '{against}' to compare with")
    lines = ["| µs a query (wrong answers) | " + " | ".join(short(m) for m in maps) + " |",
             "|---|" + "---|" * len(maps)]
    for solver in solvers:
        cells = []
        for map_name in maps:
            row = by_key.get((solver, map_name))
            base = by_key.get((against, map_name))
            if not row:
                cells.append("–")
                continue
            mean = float(row["mean_us"])
            cell = figure(mean)
            if int(row["wrong"]):
                cell += f" ({row['wrong']})"
            if base and solver not in OCTILE:
                cell += f" {times(mean / float(base['mean_us']))}"
            cells.append(f"**{cell}**" if solver == against else cell)
        lines.append(f"| {title(solver)} | " + " | ".join(cells) + " |")
    counts = ", ".join(f"{short(m)} {next(r['queries'] for r in rows if r['map'] == m)}"
                       for m in maps)
    faster = f"×: how many times faster Octile's `{against}` is. " if against else ""
    lines += ["", f"{faster}Queries: {counts}."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="peers_report.py")
    parser.add_argument("what", choices=["merge", "table"])
    parser.add_argument("file")
    parser.add_argument("--against", default="")
    asked = parser.parse_args()
    rows = merge(read(asked.file))
    if not rows:
        fail(f"{asked.file} holds no figures")
    if asked.what == "merge":
        print("\n".join("\t".join(line) for line in
                        [COLUMNS] + [[row[c] for c in COLUMNS] for row in rows]))
    else:
        print(table(rows, asked.against))


if __name__ == "__main__":
    main()
