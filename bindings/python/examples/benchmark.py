#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""A numpy batch against the same queries in one `octile batch` of the command line, which is C++:
benchmark.py PROGRAM [MAP SCEN]. Without a map: generated rooms, 10^4 pairs.

Whole paths in both, on one thread, in turns, the best of as many runs of each; the native time is
that of the call alone. Both use one batch again and again, with nothing in its cache, and the memory
of the answers before. Both stay on one core, where the system can be asked for that: the cores of a
shared machine differ by a third while a neighbour is busy. Exit code 1 when numpy takes more than 1.2
times as long.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import octile


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit("usage: benchmark.py PROGRAM [MAP SCEN]")
    program, *files = sys.argv[1:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        if files:
            path = files[0]
            view = octile.Engine.read(path).view()
            with open(files[1], "rb") as file:
                pairs = np.ascontiguousarray(octile.parse_scen(file.read())["pair"])
            pairs = np.resize(pairs, (10000, 2, 2))
        else:
            path = f"{folder}/rooms.map"
            subprocess.run([program, "generate", "rooms", "--size", "160x160", "--seed", "4", "-o", path], check=True)
            view = octile.Engine.read(path).view()
            free = np.argwhere(view.passable())[:, ::-1].astype(np.int32)
            pairs = free[np.random.default_rng(1).integers(0, len(free), 20000)].reshape(10000, 2, 2)
        queries = f"{folder}/queries.txt"
        np.savetxt(queries, pairs.reshape(-1, 4), "%d,%d %d,%d")
        native, numpy_time, batch, answers = [], [], octile.Batch(), None
        for _ in range(5):
            text = subprocess.run([program, "batch", path, queries, "--threads", "1"], check=True,
                                  capture_output=True, text=True).stdout
            native.append(native_seconds(text))
            for _ in range(5):  # as many as the program makes
                start = time.perf_counter()
                answers = batch.run(view, pairs, out=answers)
                numpy_time.append(time.perf_counter() - start)
    ratio = min(numpy_time) / min(native)
    print(f"{len(pairs)} queries, {len(answers.cells)} cells: C++ {min(native) * 1e3:.1f} ms, "
          f"numpy {min(numpy_time) * 1e3:.1f} ms, ratio {ratio:.2f}")
    return ratio > 1.2


def native_seconds(text):
    """Of what `octile batch` prints: the time with nothing in the cache."""
    return float(re.search(r"([0-9.]+) ms", text).group(1)) / 1e3


if __name__ == "__main__":
    sys.exit(main())
