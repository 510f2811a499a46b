# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Answers are those of the judge, of the command line, and of a Dijkstra written here."""

import heapq
import json
import math
import os
import pathlib

import numpy as np
import pytest
from conftest import free_cells, generated, run_program

import octile

MAPS = [("random", "--size", "90x70", "--density", "0.3", "--seed", "3"),
        ("rooms", "--size", "100x80", "--seed", "5"),
        ("maze", "--size", "81x81", "--seed", "7"),
        ("caves", "--size", "120x90", "--seed", "9"),
        ("hills", "--size", "60x60", "--seed", "11")]


@pytest.mark.parametrize("kind", MAPS, ids=lambda kind: kind[0])
def test_every_exact_solver_has_the_costs_of_the_judge_and_of_the_program(kind, tmp_path):
    path = generated(tmp_path, *kind)
    view = octile.Engine.read(path).view()
    plain, searcher = view, octile.Searcher()
    if view.info.uniform:
        view = view.with_index(octile.Index.build(view))
    ends = free_cells(view, 60, 1).reshape(30, 2, 2)
    found = 0
    for number, (start, goal) in enumerate(ends):
        judge = searcher.find(plain, start, goal, solver="dijkstra")
        for solver in octile.SOLVERS:
            answer = searcher.find(view, start, goal, solver=solver.name)
            assert answer.status == judge.status
            if solver.exact:
                assert answer.cost_units == judge.cost_units, solver.name
            if answer:
                assert tuple(answer.path[0]) == tuple(start) and tuple(answer.path[-1]) == tuple(goal)
                assert (np.abs(np.diff(answer.path, axis=0)).max(axis=1, initial=0) <= 1).all()
        found += bool(judge)
        if number % 6 == 0:
            code, text = run_program("find", path, "--from", f"{start[0]},{start[1]}", "--to", f"{goal[0]},{goal[1]}",
                                     "--solver", "astar", "--json")
            said = json.loads(text)
            mine = searcher.find(plain, start, goal, solver="astar")
            assert said["status"] == mine.status.name.lower() and code == (not mine)
            if mine:
                assert said["cost_units"] == mine.cost_units
                assert said["cells"] == mine.path.tolist()
    assert found > 5


def dijkstra(cost, start, goal, diagonal):
    """Four or eight moves, no corner cutting; straight steps 1, diagonal ones the root of 2."""
    height, width = cost.shape
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        g, (x, y) = heapq.heappop(queue)
        if (x, y) == goal:
            return g
        if g > best[x, y]:
            continue
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)):
            to = x + dx, y + dy
            if not (0 <= to[0] < width and 0 <= to[1] < height) or math.isinf(cost[to[1], to[0]]):
                continue
            if dx and dy and (not diagonal or math.isinf(cost[y, x + dx]) or math.isinf(cost[y + dy, x])):
                continue
            step = g + cost[to[1], to[0]] * (math.sqrt(2) if dx and dy else 1)
            if step < best.get(to, math.inf):
                best[to] = step
                heapq.heappush(queue, (step, to))
    return math.inf


@pytest.mark.parametrize("moves", ["four", "eight"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_costs_of_float_grids_are_those_of_another_dijkstra(moves, dtype):
    rng = np.random.default_rng(21)
    grid = rng.choice([0.5, 1, 1.25, 3, 0.1, 2.7, np.inf], (24, 31)).astype(dtype)
    grid[0, 0] = grid[-1, -1] = 1
    engine = octile.Engine(grid)
    view = engine.view(engine.add_profile(octile.Profile(moves=moves)))
    exact = np.round(grid.astype(float), 3)
    assert np.array_equal(view.cost(), exact)
    reached = 0
    for start, goal in free_cells(view, 60, 2).reshape(30, 2, 2).tolist():
        mine = view.distance(start, goal)
        assert mine == pytest.approx(dijkstra(exact, tuple(start), tuple(goal), moves == "eight"), rel=1e-12)
        reached += mine < math.inf
    assert reached > 10


def test_kinds_of_grids_mean_the_same_map():
    rng = np.random.default_rng(4)
    free = rng.random((40, 50)) < 0.7
    letters = np.where(free, ord("."), ord("@")).astype(np.uint8)
    text = "\n".join("".join(".@"[not cell] for cell in row) for row in free)
    views = [octile.Engine(free).view(), octile.Engine(letters).view(), octile.Engine(np.where(free, 1.0, np.inf)).view(),
             octile.Engine.parse(text).view()]
    for view in views:
        assert view.info.uniform
        assert np.array_equal(view.passable(), free) and np.array_equal(view.terrain(), letters)
    padded = np.full((60, 90), ord("T"), np.uint8)
    padded[5:45, 7:57] = letters
    for window in (padded[5:45, 7:57], np.asfortranarray(letters), letters[::-1][::-1], letters.T.copy().T):
        assert np.array_equal(octile.Engine(window).view().terrain(), letters)
    flipped = octile.Engine(letters[::-1, ::-1]).view()
    assert np.array_equal(flipped.passable(), free[::-1, ::-1])


def test_sets_of_goals_limits_and_what_holds_for_one_query(room_view):
    answer = room_view.find((5, 20), [(70, 25), (20, 22), (0, 0)])
    assert answer.goal_index == 1 and tuple(answer.path[-1]) == (20, 22)
    assert room_view.find((5, 20), np.array([[70, 25]])).cost == room_view.find((5, 20), (70, 25)).cost
    assert room_view.find((5, 20), (70, 25), max_cost=10).status is octile.Status.LIMIT_REACHED
    assert room_view.find((5, 20), (70, 25), max_expansions=1, solver="astar").status is octile.Status.LIMIT_REACHED
    blocked = room_view.find((5, 20), (70, 25), extra_blocked=[(x, y) for y in range(50) for x in (29,)])
    assert blocked.status is octile.Status.NO_PATH and not blocked and blocked.path.shape == (0, 2)
    assert math.isinf(blocked.cost) and blocked.message
    dear = room_view.find((0, 0), (3, 0), extra_costs=([(1, 0), (2, 0)], [5, 5.5]), solver="astar")
    assert dear.cost == pytest.approx(1 + 2 * math.sqrt(2)) and dear.path[:, 1].max() == 1
    assert room_view.find((30, 20), (70, 25)).status is octile.Status.START_BLOCKED
    assert room_view.find((5, 5), (-1, 5)).status is octile.Status.GOAL_OUT_OF_BOUNDS
    snapped = room_view.find((30, 20), (70, 25), snap_start=True)
    assert snapped and tuple(snapped.path[0]) in ((29, 20), (31, 20))
    partial = room_view.find((5, 20), (30, 20), allow_partial=True)
    assert partial and partial.status is octile.Status.PARTIAL
    points = room_view.find((5, 20), (70, 25), output="waypoints")
    assert len(points.path) < 10 and points.cost == room_view.find((5, 20), (70, 25)).cost
    assert len(room_view.find((5, 20), (70, 25), output="waypoints", smooth=True).path) <= len(points.path)


def test_profiles_rules_and_metrics(room_view):
    engine = octile.Engine(np.ones((10, 10), bool))
    costs = {}
    for metric in ("octile", "ten_fourteen", "chebyshev"):
        costs[metric] = engine.view(engine.add_profile(octile.Profile(metric=metric))).distance((0, 0), (3, 3))
    assert costs == {"octile": pytest.approx(3 * math.sqrt(2)), "ten_fourteen": 42, "chebyshev": 3}
    four = octile.Profile(moves="four", size=(2, 2), anchor=(1, 1), costs={"~": 4, 7: math.inf})
    view = engine.view(engine.add_profile(four))
    assert view.distance((1, 1), (3, 3)) == 4
    assert view.find((0, 0), (3, 3)).status is octile.Status.START_BLOCKED
    said = view.profile
    assert (said.moves, said.size, said.anchor) == (octile.Moves.FOUR, (2, 2), (1, 1))
    assert said.terrain_cost[ord("~")] == 4 and np.array_equal(said.terrain_cost, four.terrain_cost)
    four.terrain_cost[3] = 1.23456
    assert four.quantised().terrain_cost[3] == 1.235
    with pytest.raises(octile.BadArgument):
        engine.add_profile(four)


def test_batches_fields_and_matrices_agree_with_single_queries(tmp_path):
    view = octile.Engine.read(generated(tmp_path, *MAPS[0])).view()
    ends = free_cells(view, 400, 3).reshape(200, 2, 2)
    ends[50:120, 1] = ends[0, 1]  # enough with one goal for a field
    batch, searcher, maker = octile.Batch(), octile.Searcher(), octile.FieldMaker()
    for threads in (1, 2):
        for _ in range(2):  # the second time with room for the cells
            answers = batch.run(view, ends, threads=threads)
            assert len(answers) == 200 and answers.by_field + answers.by_search == 200 and answers.by_field >= 70
            for number, (start, goal) in enumerate(ends):
                one = searcher.find(view, start, goal)
                assert answers.status[number] == one.status and answers.cost_units[number] == one.cost_units
                path = answers.path(number)
                assert len(path) == answers.length[number] == len(one.path)
                if one:
                    assert tuple(path[0]) == tuple(start) and tuple(path[-1]) == tuple(goal)
    assert answers.path(3).base is not None  # a window
    # The memory of an answer that is not wanted any more, also of a smaller or larger one.
    again = batch.run(view, ends, out=answers)
    assert again.table is answers.table and np.shares_memory(again.cells, answers.cells)
    few = batch.run(view, ends[:7], out=again)
    assert len(few) == 7 and np.shares_memory(few.cells, again.cells) and not np.shares_memory(few.table, again.table)
    many = batch.run(view, np.concatenate([ends, ends]), out=few)
    assert len(many) == 400 and (many.cost_units[200:] == many.cost_units[:200]).all()
    blind = batch.run(view, ends, out=many, paths=False)
    assert blind.cells is None and (blind.cost_units == many.cost_units[:200]).all()
    last, fresh = batch.run(view, ends, out=blind), octile.Batch().run(view, ends)
    assert (last.cells == fresh.cells).all() and (last.first == fresh.first).all()
    assert batch.run(view, ends, paths=False).cells is None
    assert batch.memory > 0
    empty = batch.run(view, np.empty((0, 2, 2), np.int32))
    assert len(empty) == 0 and empty.cells.shape == (0, 2)

    goal = ends[0, 1]
    field = maker.build(view, [goal])
    starts = np.ascontiguousarray(ends[:, 0])
    costs = field.distances(starts)
    assert np.array_equal(costs, searcher.distances(view, starts, [goal])[:, 0])
    assert np.array_equal(field.read()[starts[:, 1], starts[:, 0]], costs)
    assert np.array_equal(field.flow()[starts[:, 1], starts[:, 0]], field.directions(starts))
    assert field.units([goal]).tolist() == [0] and field.directions([goal])[0] == octile.DIRECTION_AT_GOAL
    walkers = starts[np.isfinite(costs)]
    for _ in range(10000):
        moved = field.next(walkers)
        if np.array_equal(moved, walkers):
            break
        walkers = moved
    assert (walkers == goal).all()
    followed = searcher.follow(field, starts[np.isfinite(costs)][0])
    assert followed.cost == costs[np.isfinite(costs)][0]
    near = field.within(5.0)
    assert (field.distances(near) <= 5).all() and len(near) == (field.read() <= 5).sum()
    assert field.memory > 0 and maker.memory > 0 and field.view.shape == view.shape
    capped = maker.build(view, [goal], max_cost=5.0, offsets=[1.0])
    assert capped.distances([goal])[0] == 1.0


def test_slices_and_traces(room_view):
    searcher, trace = octile.Searcher(), octile.Trace()
    whole = searcher.find(room_view, (5, 20), (70, 25), solver="astar", trace=trace)
    events = trace.events()
    assert trace.complete and (events["kind"] == octile.TraceKind.CLOSED).sum() == whole.expanded
    assert events["g"].max() <= whole.cost + 1e-9 and events["cell"].shape == (len(events), 2)
    assert len(trace.events(5)) == len(events) - 5 and len(trace.events(10**9)) == 0
    trace.clear()
    assert len(trace.events()) == 0
    searcher.begin(room_view, (5, 20), (70, 25), solver="astar")
    slices, answer = 0, None
    while answer is None:
        answer = searcher.step(50)
        slices += 1
    assert slices > 2 and np.array_equal(answer.path, whole.path) and answer.cost_units == whole.cost_units
    assert searcher.points().shape == whole.path.shape and searcher.points()[0].tolist() == [5.5, 20.5]
    with pytest.raises(octile.BadArgument):
        searcher.step()
    assert searcher.first_move(room_view, (5, 20), (70, 25)) == tuple(whole.path[1])
    assert searcher.memory > 0
    searcher.release()


def test_scenarios_are_read():
    text = "version 1\n0\tm.map\t30\t20\t1\t2\t3\t4\t2.82842712\n"
    rows = octile.parse_scen(text)
    assert rows["pair"].tolist() == [[[1, 2], [3, 4]]] and rows["optimum"][0] == 2.82842712
    assert (rows["map_width"][0], rows["map_height"][0]) == (30, 20)
    with pytest.raises(octile.BadArgument, match="line"):
        octile.parse_scen("version 1\n0 m.map x 20 1 2 3 4 5\n")


@pytest.mark.parametrize("name", ["arena2", "brc202d"])
def test_published_optima(name):
    folder = os.environ.get("OCTILE_MAPS")
    file = next(pathlib.Path(folder).rglob(f"{name}.map"), None) if folder else None
    if file is None:
        pytest.skip("no maps")
    view = octile.Engine.read(str(file)).view()
    rows = octile.parse_scen(file.with_name(f"{name}.map.scen").read_bytes())[::7]
    answers = octile.Batch().run(view, np.ascontiguousarray(rows["pair"]), threads=2)
    assert np.allclose(answers.cost, rows["optimum"], rtol=1e-5, atol=0.01)


def test_maps_made_by_rule_are_the_same_everywhere():
    city = octile.generate("city", 131, 90, seed=4, room=24)
    assert city.shape == (90, 131) and city.dtype == np.uint8
    # FNV-1a of the sides and the cells; tests/generators_test.cpp has the same number.
    fnv = 0xcbf29ce484222325
    for byte in (131).to_bytes(4, "little") + (90).to_bytes(4, "little") + city.tobytes():
        fnv = (fnv ^ byte) * 0x100000001b3 % 2**64
    assert fnv == 0xf1822927bd39a6b4
    assert (octile.Engine(city).map.terrain() == city).all()
    assert octile.MAP_KINDS[3] == octile.MapKind("city", "houses and courtyards in blocks between streets", True,
                                                 None, 42, None)
    for kind in octile.MAP_KINDS:
        assert octile.generate(kind.name, 4, 3).shape == (3, 4)
