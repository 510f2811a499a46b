# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Edits, obstacles, logs, indexes, groups, steps and plans."""

import gc
import pickle
import time

import numpy as np
import pytest
from conftest import free_cells, generated

import octile


def test_edits_are_seen_after_a_commit(tmp_path):
    engine = octile.Engine(np.ones((40, 60), bool), first_cell=(-10, -5), cell_size=2.0, weights=True)
    before = engine.view()
    assert engine.map.info.first_cell == (-10, -5) and engine.map.shape == (40, 60)
    log = octile.EditLog()
    engine.map.record(log)
    engine.map.set(0, 0, "@")
    engine.map.fill((5, 5, 3, 2), "#")
    engine.map.stamp(10, 10, np.full((4, 4), ord("T"), np.uint8)[:, ::2])
    engine.map.stamp(20, 20, np.eye(11, dtype=bool), "@")
    engine.map.stamp(0, 10, np.full((2, 3), 7, np.uint16))
    engine.map.set_weight(0, 13, 9)
    engine.map.fill_weight((1, 13, 2, 1), 5)
    assert before.passable().all()
    engine.commit()
    engine.map.record(None)
    after = engine.view()
    assert (~after.passable()).sum() == 1 + 6 + 8 + 11
    assert after.passable((20, 20, 11, 11)).sum() == 110
    assert engine.map.weights((0, 10, 3, 4)).tolist() == [[7] * 3, [7] * 3, [1] * 3, [9, 5, 5]]
    assert after.cost((0, 13, 3, 1)).tolist() == [[9, 5, 5]]
    changed = after.differences(before)
    assert len(changed) == 26 + 6 + 3 and after.info.version == before.info.version + 1
    assert after.tile_version(0, 0) == after.info.version

    twin = octile.Engine(np.ones((40, 60), bool), first_cell=(-10, -5), cell_size=2.0, weights=True)
    twin.view()
    twin.replay(octile.EditLog(log.read()))
    assert np.array_equal(twin.view().terrain(), after.terrain()) and len(log.read()) > 20
    with pytest.raises(octile.BadArgument):
        twin.replay(octile.EditLog(b"nonsense"))

    assert after.cells_at([(0.0, 0.0), (2.5, -0.1), (np.nan, 1)])[:2].tolist() == [[0, 0], [1, -1]]
    assert after.centers([(0, 0)]).tolist() == [[1.0, 1.0]]
    engine.map.save(tmp_path / "m.tiles")
    assert np.array_equal(octile.Engine.load(tmp_path / "m.tiles").view().terrain(), after.terrain())
    assert np.array_equal(octile.Engine.parse(engine.map.write()).view().terrain(), after.terrain())
    assert engine.map.write("pgm")[:2] == b"P5" and engine.map.write("text")


def test_doors_and_obstacles(open_view):
    engine = octile.Engine((30, 20))
    wall = engine.map.add_obstacle((15, 0, 1, 20))
    door = engine.map.add_obstacle(cells=[(15, 19)], terrain=".", name="door")
    engine.commit()
    assert engine.view().find((2, 2), (28, 2)).cost > 26 and engine.map.find_obstacle("door") == door
    engine.map.set_obstacle(door, False)
    engine.commit()
    assert engine.view().find((2, 2), (28, 2)).status is octile.Status.NO_PATH
    assert not engine.map.obstacle_present(door) and engine.map.find_obstacle("window") is None
    engine.map.remove_obstacle(wall)
    engine.commit()
    assert engine.view().find((2, 2), (28, 2)).cost == 26
    assert (engine.map.ground() == ord(".")).all()
    searcher = octile.Searcher()
    assert searcher.would_disconnect(open_view, [(10, y) for y in range(20)])
    assert not searcher.would_disconnect(open_view, [(10, y) for y in range(19)])
    pairs = [[(0, 0), (5, 5)]]
    assert not searcher.would_disconnect(open_view, [(10, y) for y in range(20)], pairs)


def test_streamed_maps():
    engine = octile.Engine((128, 64), streamed=True)
    assert engine.view().info.absent_tiles == 2
    answer = engine.view().find((1, 1), (100, 1))
    assert answer.status is octile.Status.NOT_LOADED and len(answer.path) >= 1
    engine.map.provide_tile(0, 0, np.full((64, 64), ord("."), np.uint8))
    engine.map.provide_tile(64, 0, np.full((64, 64), ord("."), np.uint8))
    engine.commit()
    assert engine.view().find((1, 1), (100, 1)).cost == 99
    assert engine.view().loaded().all()
    engine.map.release_tile(64, 0)
    engine.commit()
    assert not engine.view().loaded((64, 0, 1, 1)).any()


def test_views_tell_of_their_cells(room_view):
    assert room_view.line_of_sight((0, 0), (29, 40)) and not room_view.line_of_sight((20, 20), (40, 20))
    assert room_view.estimate((0, 0), (3, 4)) == pytest.approx(1 + 3 * 2**0.5)
    assert room_view.moves((0, 0, 1, 1))[0, 0] == 0b111 and room_view.passable((-1, -1, 1, 1)).sum() == 0
    assert np.isinf(room_view.cost((30, 10, 1, 1))[0, 0])
    labels = room_view.component()
    assert len(np.unique(labels)) == 2 and labels[10, 30] == 2**32 - 1


def test_indexes(tmp_path):
    view = octile.Engine.read(generated(tmp_path, "rooms", "--size", "150x120", "--seed", "3")).view()
    told = []
    index = octile.Index.build(view, threads=2, progress=told.append)
    assert told and told == sorted(told) and told[-1] == 1.0
    assert index.info.kind is octile.IndexKind.TILE_LABELS and index.belongs_to(view)
    index.save(tmp_path / "i.index")
    for other in (octile.Index.read(index.write()), octile.Index.load(tmp_path / "i.index"),
                  octile.Index.load(tmp_path / "i.index", "copied"), pickle.loads(pickle.dumps(index))):
        assert other.write() == index.write()
    fast = view.with_index(index)
    assert fast.index.info == index.info and view.index is None and fast.stale_index is None
    for start, goal in free_cells(view, 40, 5).reshape(20, 2, 2):
        answer = fast.find(start, goal)
        assert answer.solver in ("labels", "line") and answer.cost_units == view.find(start, goal, solver="astar").cost_units
    assert octile.Index.build(view, budget_bytes=5000).info.reason
    portals = view.with_index(octile.Index.build(view, "portals"))
    assert portals.index_leaves().shape[1] == 4 and portals.index_portals().shape[1] == 2
    other = octile.Engine(np.ones((120, 150), bool)).view()
    with pytest.raises(octile.Error) as caught:
        other.with_index(index)
    assert caught.value.status is octile.Status.STALE_INDEX and caught.value.message
    (tmp_path / "bad.index").write_bytes(index.write()[:-7] + b"1234567")
    with pytest.raises(octile.Error):
        octile.Index.load(tmp_path / "bad.index")
    with pytest.raises(octile.BadArgument):
        octile.Index.build(octile.Engine(np.arange(1.0, 26).reshape(5, 5)).view())


def test_builds_can_be_cancelled_by_what_progress_says_or_raises(tmp_path):
    view = octile.Engine.read(generated(tmp_path, "random", "--size", "200x200", "--seed", "1")).view()
    gc.collect()
    alive = octile.handle_count()
    with pytest.raises(octile.Cancelled):
        octile.Index.build(view, progress=lambda done: False)

    def broken(done):
        raise ZeroDivisionError("of the caller")

    with pytest.raises(ZeroDivisionError, match="of the caller"):
        octile.Index.build(view, progress=broken)
    with octile.Cancel() as cancel:
        cancel.set()
        with pytest.raises(octile.Cancelled):
            octile.Index.build(view, cancel=cancel)
        assert view.find((0, 0), (199, 199), snap_start=True, snap_goal=True, solver="dijkstra",
                         cancel=cancel).status is octile.Status.CANCELLED
        cancel.reset()
    assert octile.handle_count() == alive


def test_builds_in_the_background_and_repairs(tmp_path):
    engine = octile.Engine.read(generated(tmp_path, "rooms", "--size", "100x100", "--seed", "3"))
    engine.view()
    told = []
    engine.start_build(progress=told.append)
    for _ in range(12000):
        if engine.adopt_finished():
            break
        time.sleep(0.01)
    assert engine.building is None and told and engine.view().info.index is octile.IndexKind.TILE_LABELS
    labels = octile.Index.build(engine.view(), "subgoal_labels")
    engine.repair_labels(labels)
    engine.map.set(*free_cells(engine.view(), 1, 2)[0], "@")
    engine.commit()
    assert engine.view().info.index is octile.IndexKind.SUBGOAL_LABELS
    engine.repair_labels(None)
    engine.adopt(octile.Index.build(engine.view(), "quadtree"))
    assert engine.view().info.index is octile.IndexKind.QUADTREE
    engine.start_build()
    engine.stop_build()
    assert engine.building is None
    engine.start_build(progress=lambda done: None)
    engine.close()


def test_fields_follow_edits():
    engine, maker = octile.Engine(np.ones((30, 30), bool)), octile.FieldMaker()
    field = maker.build(engine.view(), [(3, 3)])
    engine.map.fill((10, 0, 1, 29), "@")
    engine.commit()
    assert maker.update(engine.view(), field) in (octile.FieldChange.REPAIRED, octile.FieldChange.REBUILT)
    assert np.array_equal(field.read(), maker.build(engine.view(), [(3, 3)]).read())
    assert maker.update(engine.view(), field) is octile.FieldChange.KEPT
    assert maker.build(engine.view(), [(5, 5)], into=field) is field and field.distances([(5, 5)])[0] == 0


def test_groups_get_slots_of_their_own(room_view):
    cells = [(x, y) for x in range(4) for y in range(5)]
    order = octile.GroupOrder(room_view, cells, (60, 25), formation="box", spacing=1)
    assert order.placed == 20 and (order.status == 0).all() and len(np.unique(order.cells, axis=0)) == 20
    searcher = octile.Searcher()
    for start, slot, cost in zip(cells, order.cells, order.distance):
        assert searcher.distance(room_view, start, slot) == pytest.approx(cost)
    assert order.total == pytest.approx(order.distance.sum()) and order.longest == order.distance.max()
    assert (order.pace <= 1).all()
    wide = octile.GroupOrder([room_view, room_view], cells, (60, 25), kinds=[0, 1] * 10, searcher=searcher)
    assert wide.placed == 20
    with pytest.raises(octile.BadArgument):
        octile.GroupOrder(room_view, cells, (60, 25), kinds=[0, 1] * 10)
    with pytest.raises(octile.Error):
        octile.GroupOrder(room_view, cells, (600, 25))


def test_groups_count_friends_in_the_way():
    view = octile.Engine(np.ones((3, 30), bool)).view()
    cells = [(0, 0), (0, 1), (0, 2)]
    alone = octile.GroupOrder(view, cells, (20, 1))
    queue = [(10, y) for y in range(3)]
    along = octile.GroupOrder(view, cells, (20, 1), friends=(queue, [(1, 0)] * 3, 1))
    resting = octile.GroupOrder(view, cells, (20, 1), friends=(queue, [(0, 0)] * 3, [1, 1, 1]))
    dear = octile.GroupOrder(view, cells, (20, 1), friends=(queue, [(0, 0)] * 3, 0), friend_costs=(1, 9))
    assert along.total == pytest.approx(alone.total)
    assert resting.total == pytest.approx(alone.total + 12) and dear.total == pytest.approx(alone.total + 27)
    parked = octile.GroupOrder(view, cells, (20, 1), friends=([(20, 1)], [(0, 0)], 0))
    assert parked.placed == 3 and (20, 1) not in map(tuple, parked.cells)
    for wrong in ((queue, [(0, 0)], 1), (queue, [(0, 0)] * 3, [1, 1]), (queue, [(0, 0)] * 3, 2), (queue,), 7):
        with pytest.raises(octile.BadArgument):
            octile.GroupOrder(view, cells, (20, 1), friends=wrong)
    for wrong in ((1,), (1, -1), "ab", 3):
        with pytest.raises(octile.BadArgument):
            octile.GroupOrder(view, cells, (20, 1), friends=(queue, [(0, 0)] * 3, 1), friend_costs=wrong)


def test_planners_step_without_collisions():
    engine = octile.Engine(np.ones((12, 12), bool))
    four = engine.view(engine.add_profile(octile.Profile(moves="four")))
    cells = np.array([(x, y) for x in range(12) for y in (0, 11)], np.int32)
    planner = octile.StepPlanner(four, cells, cells[::-1])
    now = cells
    for _ in range(300):
        planner.step()
        after = planner.cells()
        assert len(np.unique(after, axis=0)) == len(cells) and (np.abs(after - now).sum(axis=1) <= 1).all()
        now = after
        if planner.info.on_the_way == 0:
            break
    assert np.array_equal(now, cells[::-1]) and planner.states()["arrived"].all()
    planner.set_goal(0, None)
    planner.set_pinned(1, True)
    planner.set_pushable(0, False)
    planner.set_priority(0, 255)
    planner.change_view(four)
    planner.set_goal(2, (5, 5))
    planner.step()
    assert planner.states()["outcome"][1] == octile.Outcome.PINNED
    for wrong in ([(0, 0), (0, 0)], [(-1, 0)]):
        with pytest.raises(octile.Error):
            octile.StepPlanner(four, wrong)
    with pytest.raises(octile.BadArgument):
        planner.set_goal(999, (1, 1))


def test_plans_are_made_and_checked():
    engine = octile.Engine(np.ones((8, 8), bool))
    four = engine.view(engine.add_profile(octile.Profile(moves="four")))
    tasks = np.array([[(x, 0), (7 - x, 7)] for x in range(8)], np.int32)
    told = []
    plan = octile.Plan.make(four, tasks, refine=3, progress=told.append)
    assert plan and plan.status in (octile.PlanStatus.FEASIBLE, octile.PlanStatus.OPTIMAL)
    paths = plan.paths
    assert np.array_equal(paths[0], tasks[:, 0]) and np.array_equal(paths[-1], tasks[:, 1])
    report = plan.check(four, tasks)
    assert report.valid and report.costs.sum_of_costs == plan.costs.sum_of_costs
    assert len(paths) == plan.costs.makespan + 1
    paths[1, 0] = paths[1, 1]
    broken = octile.Plan(paths).check(four, tasks)
    assert not broken.valid and broken.text
    locked = octile.Engine(np.ones((1, 2), bool))
    swap = octile.Plan.make(locked.view(), [[(0, 0), (1, 0)], [(1, 0), (0, 0)]])
    assert swap.status is octile.PlanStatus.INFEASIBLE and not swap
    with pytest.raises(octile.Error):
        octile.Plan.make(four, [[(0, 0), (99, 0)]])
    assert octile.Plan(np.empty((0, 0, 2), np.int32)).paths.shape == (0, 0, 2)
