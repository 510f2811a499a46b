# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""tests/faces/queries.txt: the same costs and the same paths through every face."""

import os

import numpy as np
from conftest import ROOT

import octile

STEPS = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)])


def test_answers_are_those_of_the_file_of_all_faces():
    asked = 0
    with open(os.path.join(ROOT, "tests", "faces", "queries.txt"), encoding="ascii") as file:
        for line in file:
            word, *rest = line.split()
            if word == "map":
                rows = [list(file.readline().strip().encode()) for _ in range(int(rest[2]))]
                engine = octile.Engine(np.array(rows, np.uint8))
            elif word == "profile":
                moves, diagonal, metric, width, height = map(int, rest)
                plain = engine.view(engine.add_profile(
                    octile.Profile(moves=moves, diagonal=diagonal, metric=metric, size=(width, height))))
            elif word == "index":
                view = plain if rest[0] == "0" else plain.with_index(octile.Index.build(plain, int(rest[0])))
            elif word == "query":
                x, y, goal_x, goal_y, status = map(int, rest[1:6])
                answer = view.find((x, y), (goal_x, goal_y), solver=rest[0])
                assert answer.status == status, line
                if status == octile.Status.FOUND:
                    moves = [] if rest[8] == "-" else [int(digit) for digit in rest[8]]
                    path = np.vstack([[(x, y)], STEPS[moves]]).cumsum(axis=0)
                    assert answer.cost_units == int(rest[6]) and answer.cost == float(rest[7]), line
                    assert np.array_equal(answer.path, path), line
                asked += 1
    assert asked > 1000
