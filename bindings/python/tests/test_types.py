# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""The type hints, by mypy where it is installed."""

import os
import shutil
import subprocess
import sys

import pytest

import octile

PROGRAM = '''
import numpy as np
import octile

engine = octile.Engine(np.ones((50, 80), bool))
profile: int = engine.add_profile(octile.Profile(moves="four", costs={"~": 4}))
view: octile.View = engine.view(profile)
answer = view.find((5, 20), (70, 25), solver="jps", extra_blocked=[(3, 3)])
cost: float = answer.cost
index = octile.Index.build(view, progress=lambda done: None)
fast: octile.View = view.with_index(index)
with octile.Batch() as batch:
    print(batch.run(fast, np.array([[(5, 20), (70, 25)]])).cost.sum())
octile.Engine(octile.generate("city", 64, 64, seed=3)).close()
print(octile.FieldMaker().build(view, [(1, 1)]).read().shape)
'''
WRONG = '''
import octile

engine = octile.Engine((8, 8))
view: octile.Index = engine.view()
engine.view("first")
engine.view().find(3, (4, 4))
octile.Profile(size=4)
octile.generate(7, 4, 4)
'''


def mypy(folder, text):
    program = folder / "program.py"
    program.write_text(text, "utf-8")
    # What is installed mypy takes as it is; a copy it looks into.
    shutil.copytree(os.path.dirname(octile.__file__), folder / "octile", dirs_exist_ok=True)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "-p", "octile",
                           "-m", "program"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_hints_are_right_and_wrong_programs_are_told(tmp_path):
    pytest.importorskip("mypy")
    assert mypy(tmp_path, PROGRAM).startswith("Success")
    told = mypy(tmp_path, WRONG)
    assert [int(line.split(":")[1]) for line in told.splitlines() if ": error:" in line] == [5, 6, 7, 8, 9], told
