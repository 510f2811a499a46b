# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""What makes no sense is refused with one line; nothing crashes, hangs or leaks."""

import copy
import gc
import pickle
import re
import resource
import sys
import threading
import time

import numpy as np
import pytest
from conftest import generated

import octile

BAD = (octile.BadArgument, TypeError)


@pytest.mark.parametrize("grid, wanted", [
    (np.ones((3, 3), np.int64), "bool, uint8 or floats"),
    (np.ones((3, 3), complex), "bool, uint8 or floats"),
    (np.array([[object()]]), "bool, uint8 or floats"),
    (np.array([["a"]]), "bool, uint8 or floats"),
    (np.ones(9, bool), "shape"),
    (np.ones((2, 2, 2), bool), "shape"),
    (np.ones((0, 5), bool), ""),
    (np.ones((5, 0), np.uint8), ""),
    (np.empty((0, 0)), ""),
    (np.array([[1.0, np.nan]]), "x 1, y 0"),
    (np.array([[1.0, -2.0]]), "0 or more"),
    (np.array([[1.0, -np.inf]]), "0 or more"),
    (np.array([[1.0, 1 / 3]]), "three decimals"),
    (np.array([[0.001, 1e6]]), "65,535"),
    (np.array([[1e300]]), "at most"),
    (np.broadcast_to(np.uint8(46), (2**31, 2**31)), ""),
    (np.broadcast_to(np.uint8(46), (2**20, 2**20)), ""),
    ((0, 5), ""), ((-1, 5), ""), ((2**31, 5), ""), ((2**30, 2**30), ""),
    ("no array", "shape"), (None, "shape"),
])
def test_bad_grids(grid, wanted):
    gc.collect()
    alive = octile.handle_count()
    with pytest.raises(BAD, match=wanted):
        octile.Engine(grid)
    gc.collect()
    assert octile.handle_count() == alive


WRONG = (None, 5.5, -1, "x", b"x", {}, [], [None], ["x"], True, 10**30, object(), float("nan"), 1j, np.zeros(3),
         np.zeros((2, 2), object), np.array("x"), (1, 2, 3), set())


def test_wrong_kinds_are_named(tmp_path):
    """One argument after the other becomes something else: what is refused names it."""
    engine = octile.Engine(np.full((8, 8), 46, np.uint8))
    profile = engine.add_profile()
    engine.commit()
    view = engine.view()
    index, searcher, batch, maker = octile.Index.build(view), octile.Searcher(), octile.Batch(), octile.FieldMaker()
    field, rect, ends = maker.build(view, [(1, 1)]), (0, 0, 2, 2), [[(4, 4), (5, 5)]]
    calls = [
        (octile.Engine, [np.ones((2, 2), bool)], {"terrain": ".", "first_cell": (0, 0), "origin": (0, 0), "cell_size": 1, "weight_scale": 1}),
        (octile.Engine.parse, ["..\n"], {"origin": (0, 0), "cell_size": 1}), (octile.Engine.load, [tmp_path / "none"], {}),
        (octile.Engine.read, [tmp_path], {}), (octile.Profile, [], {"moves": "four", "diagonal": "never", "size": (1, 1), "anchor": (0, 0), "costs": {".": 1}}),
        (octile.generate, ["caves", 4, 3], {"seed": 1, "density": 420}), (octile.generate, ["rooms", 4, 3], {"room": 3}),
        (octile.generate, ["maze", 4, 3], {"corridor": 1}), (octile.EditLog, [b""], {}), (octile.parse_scen, ["version 1\n"], {}), (octile.Index.read, [index.write()], {}),
        (octile.Index.load, [tmp_path / "none"], {}), (index.save, [tmp_path / "index"], {}), (octile.Index.build, [view, "none"], {"threads": 1}),
        (engine.adopt, [index, profile], {}), (engine.repair_labels, [None, profile], {}), (engine.map.save, [tmp_path / "map"], {}),
        (view.cells_at, [[(0.0, 0.0)]], {}), (view.centers, [[(0, 0)]], {}), (view.passable, [rect], {}), (view.differences, [view], {}),
        (view.distance, [(4, 4), (5, 5)], {}), (view.with_index, [index], {}),
        (searcher.find, [view, (4, 4), (5, 5)], {"solver": "auto", "max_cost": 9, "max_expansions": 9, "extra_blocked": [(1, 1)],
                                                 "extra_costs": ([(1, 1)], [2.0]), "snap_radius": 1, "output": "cells"}),
        (searcher.begin, [view, (4, 4), (5, 5)], {}), (searcher.follow, [field, (4, 4)], {}), (searcher.would_disconnect, [view, [(4, 4)], [[(5, 5), (6, 6)]]], {}),
        (batch.run, [view, ends], {"threads": 1, "cache_bytes": 0, "out": None, "max_cost": 9}),
        (maker.build, [view, [(1, 1)]], {"offsets": [1.0], "max_cost": 9, "stops": [(2, 2)]}), (maker.update, [view, field], {}),
        (field.distances, [[(1, 1)]], {}), (field.within, [3], {}),
        (octile.Plan.make, [view, ends], {"objective": "makespan", "seed": 1, "max_bytes": 1 << 28, "seconds": 0.1}), (octile.Plan, [np.zeros((2, 1, 2), np.int32)], {}),
    ]
    told = 0
    for call, good, named in calls:
        wrong = [(good[:i] + [value] + good[i + 1:], named) for i in range(len(good)) for value in WRONG]
        wrong += [(good, {**named, name: value}) for name in named for value in WRONG]
        for arguments, options in wrong:
            try:
                call(*arguments, **options)
            except octile.Error:
                told += 1
            except TypeError as error:
                told += 1
                assert re.match(r"\w+: ", str(error)), (call, arguments, options, error)
            except OSError as error:
                assert call == octile.Engine.read, error
    assert told > 600
    with pytest.raises(TypeError, match="max_cost: a number is wanted, not 'x'"):
        searcher.find(view, (4, 4), (5, 5), max_cost="x")
    for kind, size, options in (("labyrinth", (4, 3), {}), ("caves", (0, 3), {}), ("caves", (4, -1), {}), ("caves", (2**20, 2**20), {}),
                                ("caves", (4, 3), {"room": 3}), ("caves", (4, 3), {"density": 1001}), ("maze", (4, 3), {"corridor": 0})):
        with pytest.raises(octile.BadArgument):
            octile.generate(kind, *size, **options)
    with pytest.raises(TypeError, match="data: bytes are wanted, not 5"):
        octile.parse_scen(5)


def test_bad_cells(open_view):
    for start in ((1.5, 2), (np.float64(1), 2), ("1", "2"), (1,), (1, 2, 3), 5, None, (2**31, 0), (-2**40, 0), (True, None)):
        with pytest.raises(BAD):
            open_view.find(start, (3, 3))
    for goals in ([(1.0, 2.0)], np.zeros((2, 3), int), np.zeros((1, 2, 2), int), [], np.array([[2**40, 1]]),
                  np.array([["a", "b"]]), [[None, 1]], np.zeros((1, 2), bool)):
        with pytest.raises(BAD):
            open_view.find((1, 1), goals)
        with pytest.raises(BAD):
            octile.FieldMaker().build(open_view, goals)
    assert open_view.find(np.array([1, 1]), (np.int64(3), np.uint8(3)))
    strided = (np.arange(48).reshape(12, 4) % 9)[::3, ::2]
    assert not strided.flags.c_contiguous
    assert open_view.distances(strided, strided.astype(np.uint64)).shape == (4, 4)
    assert open_view.distances(np.empty((0, 2), int), strided).shape == (0, 4)
    assert open_view.distances([], []).shape == (0, 0)


def test_bad_options(open_view):
    for options in ({"solver": "fastest"}, {"solver": 99}, {"solver": -1}, {"output": "picture"}, {"nonsense": 1},
                    {"max_cost": np.nan}, {"max_expansions": -1}, {"max_expansions": 1.5}, {"cancel": 5},
                    {"trace": open_view}, {"snap_radius": 2**40}, {"extra_blocked": [1, 2, 3]},
                    {"extra_costs": ([(1, 1)], [np.nan])}, {"extra_costs": ([(1, 1)], [-1])},
                    {"extra_costs": ([(1, 1)], [1, 2, 3])}):
        with pytest.raises((*BAD, ValueError)):
            open_view.find((1, 1), (5, 5), **options)
    engine = octile.Engine((5, 5))
    for call in (lambda: octile.Profile(moves="six"), lambda: octile.Profile(metric=9),
                 lambda: octile.Profile(costs={"..": 1}), lambda: octile.Profile(costs={300: 1}),
                 lambda: engine.add_profile(octile.Profile(costs={".": -1})),
                 lambda: engine.add_profile(octile.Profile(costs={".": np.nan})),
                 lambda: engine.add_profile(octile.Profile(size=(0, 1))),
                 lambda: engine.add_profile(octile.Profile(size=(65, 1))),
                 lambda: engine.add_profile("walker"), lambda: engine.view(77), lambda: engine.remove_profile(-1),
                 lambda: engine.map.set(5, 0, "@"), lambda: engine.map.set(0, 0, "ab"), lambda: engine.map.set(0, 0, 256),
                 lambda: engine.map.set_weight(0, 0, 1), lambda: engine.map.fill((3, 3, 5, 1), "@"),
                 lambda: engine.map.fill((0, 0, -1, 1), "@"), lambda: engine.map.fill(None, "@"), lambda: engine.map.terrain((0, 0, 2**31, 1)),
                 lambda: engine.map.stamp(0, 0, np.ones((2, 2))), lambda: engine.map.stamp(0, 0, np.ones((2, 2), bool)),
                 lambda: engine.map.stamp(4, 4, np.ones((2, 2), np.uint8)), lambda: engine.map.stamp(0, 0, np.ones(4, np.uint8)),
                 lambda: engine.map.stamp(0, 0, np.ones((2, 2), ">u2")), lambda: engine.map.add_obstacle(),
                 lambda: engine.map.add_obstacle((0, 0, 1, 1), name="x" * 32), lambda: engine.map.add_obstacle(cells=[]),
                 lambda: engine.map.set_obstacle(7, True), lambda: engine.map.provide_tile(0, 0, np.ones((3, 3), np.uint8)),
                 lambda: engine.map.write("bmp"), lambda: octile.Engine.parse(b""), lambda: octile.Engine.parse(b"type octile\nheight 9"),
                 lambda: octile.Index.read(b"junk"), lambda: octile.Index.load("/nowhere"), lambda: octile.Engine.load("/nowhere"),
                 lambda: octile.Index.build(open_view, "best"), lambda: octile.Index.build(open_view, threads=0),
                 lambda: octile.Index.build(open_view, progress=5), lambda: octile.Index.build(None),
                 lambda: octile.Batch().run(open_view, np.zeros((3, 2), int)),
                 lambda: octile.Batch().run(open_view, np.zeros((3, 2, 2))),
                 lambda: octile.Batch().run(open_view, np.zeros((3, 2, 2), int), threads=65),
                 lambda: octile.FieldMaker().build(open_view, [(1, 1)], offsets=[1, 2]),
                 lambda: octile.FieldMaker().build(open_view, [(1, 1)], offsets=[np.nan]),
                 lambda: octile.Plan(np.zeros((2, 2), int)), lambda: octile.Plan(np.zeros((2, 2, 3), int)),
                 lambda: octile.StepPlanner(open_view, [(1, 1)], [(1, 1), (2, 2)]),
                 lambda: octile.StepPlanner(open_view, [(1, 1)], priority=[300])):
        with pytest.raises((*BAD, ValueError, octile.Error)):
            call()


def test_errors_have_a_status_and_one_line(open_view):
    with pytest.raises(octile.Error) as caught:
        octile.FieldMaker().build(open_view, [(99, 99)])
    error = caught.value
    assert error.status is octile.Status.GOAL_OUT_OF_BOUNDS and error.message and "\n" not in error.message
    assert str(error) == f"goal_out_of_bounds: {error.message}"
    for some in (error, octile.BadArgument("why")):
        again = pickle.loads(pickle.dumps(some))
        assert (type(again), again.status, again.message) == (type(some), some.status, some.message)
    assert issubclass(octile.BadArgument, ValueError) and issubclass(octile.OutOfMemory, MemoryError)


def everything():
    engine = octile.Engine((9, 9))
    view = engine.view()
    return {
        "engine": (engine, lambda e: e.commit()), "view": (view, lambda v: v.info),
        "searcher": (octile.Searcher(), lambda s: s.find(engine.view(), (1, 1), (2, 2))),
        "cancel": (octile.Cancel(), lambda c: c.set()), "trace": (octile.Trace(), lambda t: t.events()),
        "log": (octile.EditLog(), lambda log: log.read()), "batch": (octile.Batch(), lambda b: b.run(engine.view(), [[(1, 1), (2, 2)]])),
        "maker": (octile.FieldMaker(), lambda m: m.build(engine.view(), [(1, 1)])),
        "field": (octile.FieldMaker().build(view, [(1, 1)]), lambda f: f.read()),
        "index": (octile.Index.build(view), lambda i: i.info),
        "planner": (octile.StepPlanner(view, [(1, 1)]), lambda p: p.step()),
        "plan": (octile.Plan.make(view, [[(1, 1), (2, 2)]]), lambda p: p.paths),
    }


@pytest.mark.parametrize("name", list(everything()))
def test_what_was_closed_is_refused(name):
    things = everything()
    thing, use = things[name]
    use(thing)
    if name != "index":  # which pickles as its bytes
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be pickled"):
                attempt(thing)
    with thing as same:
        assert same is thing and not thing.closed
    assert thing.closed
    thing.close()
    with pytest.raises(octile.BadArgument):
        use(thing)
    view = octile.Engine((9, 9)).view()
    wrong = [lambda: view.find((1, 1), (2, 2), cancel=thing), lambda: view.find((1, 1), (2, 2), trace=thing),
             lambda: octile.Searcher().find(thing, (1, 1), (2, 2)), lambda: octile.Index.build(view, cancel=thing),
             lambda: view.with_index(thing), lambda: octile.FieldMaker().build(view, [(1, 1)], into=thing)]
    for call in wrong:  # closed, or of another kind
        with pytest.raises(BAD):
            call()


def test_everything_goes_with_its_last_reference():
    gc.collect()
    alive = octile.handle_count()
    things = everything()
    assert octile.handle_count() >= alive + len(things)
    del things
    gc.collect()
    assert octile.handle_count() == alive
    view = octile.Engine((9, 9)).view()  # whose engine is gone
    assert view.find((0, 0), (8, 8))


def test_profiles_are_plain_values():
    profile = octile.Profile(moves="four", costs={"w": 2.5})
    again = pickle.loads(pickle.dumps(profile))
    assert repr(again) == repr(profile) and np.array_equal(again.terrain_cost, profile.terrain_cost)
    assert again == profile and profile != "four"
    again.terrain_cost[ord("w")] = 3
    assert again != profile
    others = [{}, {"moves": "four"}, {"diagonal": "never"}, {"metric": "chebyshev"}, {"size": (2, 2)},
              {"size": (2, 2), "anchor": (1, 0)}, {"costs": {"w": 2.5}}]
    for i, one in enumerate(others):
        for j, other in enumerate(others):
            assert (octile.Profile(**one) == octile.Profile(**other)) == (i == j)
    with pytest.raises(TypeError):
        hash(profile)
    for one in others:
        assert eval(repr(octile.Profile(**one)), {"Profile": octile.Profile}) == octile.Profile(**one)


def test_a_build_that_was_ended_is_not_adopted():
    engine = octile.Engine((16, 16))

    def fails(_):
        raise KeyError("mine")

    for _ in range(20):
        for progress, error in ((lambda done: False, octile.Cancelled), (fails, KeyError),
                                (lambda done: done < 1, octile.Cancelled)):
            engine.start_build(progress=progress)
            with pytest.raises(error):
                while not engine.adopt_finished():
                    time.sleep(0.0002)
            assert engine.view().index is None and engine.building is None
    engine.start_build(progress=lambda done: None)
    while not engine.adopt_finished():
        time.sleep(0.0002)
    assert engine.view().index is not None


def test_the_gil_is_released(tmp_path):
    """While one thread searches, this one runs: it counts on through a single long call."""
    view = octile.Engine.read(generated(tmp_path, "random", "--size", "700x700", "--density", "0.2", "--seed", "1")).view()
    ends = {"snap_start": True, "snap_goal": True, "solver": "dijkstra"}

    def counts_on():
        state = {}

        def work():
            state["from"] = time.perf_counter()
            state["answer"] = octile.Searcher().find(view, (0, 0), (699, 699), **ends)
            state["to"] = time.perf_counter()

        thread = threading.Thread(target=work)
        thread.start()
        ticks = []
        while thread.is_alive():
            ticks.append(time.perf_counter())
        inside = [tick for tick in ticks if state["from"] < tick < state["to"]]
        assert state["answer"] and state["to"] - state["from"] > 0.05
        middle = (state["from"] + state["to"]) / 2
        quarter = (state["to"] - state["from"]) / 4
        return len(inside) > 1000 and any(abs(tick - middle) < quarter for tick in inside)

    # A call that kept the lock would let none in but at its edges, in every try; on a machine with
    # much else to do, this thread may be kept out of some.
    assert any(counts_on() for _ in range(10))


def test_threads_share_views_and_not_searchers(tmp_path):
    view = octile.Engine.read(generated(tmp_path, "caves", "--size", "200x200", "--seed", "2")).view()
    where = np.argwhere(view.passable())[:, ::-1]
    pairs = where[np.random.default_rng(1).integers(0, len(where), 400)].reshape(200, 2, 2)
    wanted = [view.distance(*pair) for pair in pairs]
    found = {}

    def work(number):
        found[number] = [view.find(*pair).cost for pair in pairs]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(costs == wanted for costs in found.values()) and len(found) == 4

    # Two at once on one searcher: the answer or a refusal, nothing else.
    shared, answered = octile.Searcher(), []

    def misuse():
        for pair, cost in zip(pairs, wanted):
            try:
                answered.append(shared.find(view, *pair, solver="dijkstra").cost == cost)
            except octile.BadArgument:
                pass

    threads = [threading.Thread(target=misuse) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answered and all(answered)


def test_a_shared_searcher_gives_nobody_the_path_of_another(tmp_path):
    """A call is not over before its cells are copied: the next one must not write over them."""
    view = octile.Engine.read(generated(tmp_path, "random", "--size", "90x90", "--density", "0.2", "--seed", "4")).view()
    where = np.argwhere(view.passable())[:, ::-1]
    pairs = where[np.random.default_rng(1).integers(0, len(where), 400)].reshape(200, 2, 2).astype(np.int32)
    searcher, batch, wrong, done = octile.Searcher(), octile.Batch(), [], [0]

    def search(some):
        for _ in range(15):
            for start, goal in some:
                try:
                    answer = searcher.find(view, start, goal)
                except octile.BadArgument:
                    continue
                done[0] += 1
                if answer and not (np.array_equal(answer.path[0], start) and np.array_equal(answer.path[-1], goal)):
                    wrong.append((start, goal))

    def many(some):
        for _ in range(50):
            try:
                batch._guess = 0  # no room: the cells are read by a second call
                answers = batch.run(view, some)
            except octile.BadArgument:
                continue
            done[0] += 1
            starts = [answers.path(number)[0] if answers.length[number] else some[number][0] for number in range(len(some))]
            if not np.array_equal(starts, some[:, 0]):
                wrong.append("batch")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for work in (search, many):
            done[0] = 0
            threads = [threading.Thread(target=work, args=(some,)) for some in (pairs[:60], pairs[60:])]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert done[0] > 0
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    with searcher._turn, pytest.raises(octile.BadArgument, match="in use"):
        searcher.find(view, *pairs[0])


def test_an_engine_is_not_lost_by_its_own_build():
    """Its progress function may not close it; that is said, and the engine stays whole."""
    engine_grid = np.random.default_rng(1).random((80, 80)) > 0.2
    gc.collect()
    engine, told = octile.Engine(engine_grid), []
    alive = octile.handle_count()

    def progress(_):
        try:
            engine.close()
        except octile.BadArgument as error:
            told.append(error)

    engine.start_build(most="subgoal_labels", progress=progress)
    while engine.building is not None and not told:
        time.sleep(0.001)
    assert told and not engine.closed
    engine.stop_build()
    assert octile.handle_count() <= alive
    engine.close()
    assert engine.closed and octile.handle_count() == alive - 1

    # The same when the garbage collector runs within the function.
    holder, collected, go = {"engine": octile.Engine(engine_grid)}, [], threading.Event()
    holder["itself"] = holder

    def collect(_):
        if go.is_set() and not collected:
            collected.append(gc.collect())

    gc.collect()
    gc.disable()
    try:
        holder["engine"].start_build(most="subgoal_labels", progress=collect)
        del holder
        go.set()
        until = time.monotonic() + 120
        while not collected and time.monotonic() < until:
            time.sleep(0.001)
    finally:
        gc.enable()
    gc.collect()
    while octile.handle_count() > alive - 1 and time.monotonic() < until:
        time.sleep(0.001)
    assert octile.handle_count() == alive - 1


def test_memory_does_not_grow_over_a_hundred_thousand_calls(room_view):
    searcher, batch, maker = octile.Searcher(), octile.Batch(), octile.FieldMaker()
    pairs = np.array([[(5, 20), (70, 25)]] * 10, np.int32)

    def once():
        searcher.find(room_view, (5, 20), (70, 25))
        searcher.distance(room_view, (5, 20), (70, 25))
        try:
            room_view.find((5, 20), (70, 25), solver=77)
        except octile.BadArgument:
            pass

    def rarely():
        batch.run(room_view, pairs)
        maker.build(room_view, [(1, 1)]).read()
        octile.Engine((20, 20)).view().find((0, 0), (19, 19))

    def many(count):
        for number in range(count):
            once()
            if number % 20 == 0:
                rarely()

    many(2000)
    gc.collect()
    alive, before = octile.handle_count(), resident()
    many(34000)  # three calls each, and more
    gc.collect()
    assert octile.handle_count() == alive
    assert resident() - before < 4 << 20


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
