#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Draws the figures of tools/peers.sh: queries a second by solver and map family, on a log scale.

    /usr/bin/python3 tools/plot_peers.py [F.tsv] [OUT.svg]

Needs Debian's python3-matplotlib. The same figures give the same bytes. Without arguments, the
committed figures and the picture that the documentation shows.
"""

import os
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot  # noqa: E402  (the backend comes first)

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
import peers_report as report  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FIGURES = os.path.join(ROOT, "bench", "results", "peers_zen4_2cores.tsv")
PICTURE = os.path.join(ROOT, "docs", "images", "peers.svg")

# What kind of map the published run's are.
FAMILIES = {"Berlin_0_256": "city", "AR0711SR": "Baldur's Gate II", "brc202d": "Dragon Age", "32room_000": "rooms",
            "maze512-8-0": "maze", "random512-30-0": "random noise"}

# One colour and shape a map (Okabe and Ito: told apart by the colour-blind).
MARKS = [("#0072B2", "o"), ("#E69F00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#D55E00", "v"),
         ("#56B4E9", "P"), ("#444444", "X"), ("#B8A900", "*")]


def family(map_name):
    name = report.short(map_name)
    return f"{FAMILIES[name]}: {name}" if name in FAMILIES else name


def draw(rows, path):
    maps = list(dict.fromkeys(row["map"] for row in rows))
    solvers = report.in_order(rows)
    line_of = {solver: len(solvers) - 1 - i for i, solver in enumerate(solvers)}
    figure, axes = plot.subplots(figsize=(8.6, 1.3 + 0.36 * len(solvers)), layout="constrained")

    for solver, line in line_of.items():
        speeds = [1e6 / float(row["mean_us"]) for row in rows if row["solver"] == solver]
        ours = solver in report.OCTILE
        axes.plot([min(speeds), max(speeds)], [line, line], linewidth=5, zorder=1,
                  solid_capstyle="round", color="#cfe3f2" if ours else "#e6e6e6")
    for i, name in enumerate(maps):
        colour, shape = MARKS[i % len(MARKS)]
        here = [row for row in rows if row["map"] == name]
        axes.scatter([1e6 / float(row["mean_us"]) for row in here],
                     [line_of[row["solver"]] for row in here],
                     s=34, color=colour, marker=shape, label=family(name), zorder=2)

    axes.set_xscale("log")
    axes.set_xlabel("queries a second, one thread (log scale; further right is faster)")
    axes.set_yticks(list(line_of.values()),
                    [report.title(solver).replace("`", "") for solver in solvers])
    for label, solver in zip(axes.get_yticklabels(), solvers):
        if solver in report.OCTILE:
            label.set_fontweight("bold")
    axes.grid(axis="x", which="major", color="#d8d8d8", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(3, len(maps)),
                frameon=False, fontsize=9, columnspacing=1.2, handletextpad=0.2)
    # No date and no random names: a picture changes only with its figures.
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    if len(sys.argv) > 3:
        print(__doc__, file=sys.stderr)
        return 2
    source = sys.argv[1] if len(sys.argv) > 1 else FIGURES
    target = sys.argv[2] if len(sys.argv) > 2 else PICTURE
    matplotlib.rcParams.update({"svg.hashsalt": "octile", "svg.fonttype": "path",
                                "font.size": 10})
    rows = report.merge(report.read(source))
    if not rows:
        report.fail(f"{source} holds no figures")
    draw(rows, target)
    # matplotlib leaves blanks at ends of lines.
    with open(target, encoding="utf-8") as file:
        lines = [line.rstrip() for line in file]
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
