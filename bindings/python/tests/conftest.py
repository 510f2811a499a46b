# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""What the tests share; the report that tools/run_tests.py counts; the closing line."""

import json
import os
import subprocess

import numpy as np
import pytest

import octile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PROGRAM = os.environ.get("OCTILE_PROGRAM") or os.path.join(ROOT, "build", "release", "octile")


def run_program(*arguments):
    """The command line: its exit code and what it printed."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def generated(folder, kind, *options):
    """The path of a generated map."""
    path = folder / f"{kind}.map"
    assert run_program("generate", kind, *options, "-o", path)[0] == 0
    return path


def free_cells(view, count, seed):
    """(count, 2) cells, drawn from those that are free."""
    where = np.argwhere(view.passable())[:, ::-1]
    return where[np.random.default_rng(seed).integers(0, len(where), count)].astype(np.int32)


@pytest.fixture
def open_view():
    return octile.Engine(np.ones((20, 30), bool)).view()


@pytest.fixture
def room_view():
    grid = np.ones((50, 80), bool)
    grid[10:40, 30] = False
    return octile.Engine(grid).view()


_rows = []


def pytest_runtest_logreport(report):
    if report.when == "call" or (report.when == "setup" and not report.passed):
        row = {"name": report.nodeid.split("::", 1)[-1], "status": "RUN",
               "result": "SKIPPED" if report.skipped else "COMPLETED"}
        if report.failed:
            row["failures"] = [{"failure": report.longreprtext[-2000:]}]
        _rows.append(row)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    folder, name = os.environ.get("GTEST_OUTPUT", ""), os.environ.get("OCTILE_REPORT")
    if name and folder.startswith("json:") and folder.endswith("/"):
        with open(os.path.join(folder[5:], name), "w", encoding="utf-8") as file:
            json.dump({"testsuites": [{"name": "python", "testsuite": _rows}]}, file)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    failed = sum("failures" in row for row in _rows)
    skipped = sum(row["result"] == "SKIPPED" for row in _rows)
    if skipped:
        print(f"{skipped} skipped")
    print(f"{len(_rows) - failed - skipped} passed, {failed} failed")
