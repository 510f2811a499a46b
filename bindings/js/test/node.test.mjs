// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  diagonalNames, indexKinds, metricNames, Octile, OctileError, PathQueue, PathWorker, statusNames,
} from 'octile';
import { loadPathFinding } from 'octile/pathfinding';
import { cli, generated, hasMaps, maps, randomFree, randomOf, root } from './tools.mjs';

const octile = await Octile.load();
const refused = (status, pattern) => (error) =>
  error instanceof OctileError && error.status === status && (!pattern || pattern.test(error.message));

function withWorld(map, profile, use) {
  const world = octile.world(map, profile);
  const view = world.view();
  const searcher = octile.searcher();
  try {
    return use({ world, view, searcher });
  } finally {
    for (const thing of [searcher, view, world]) thing.dispose();
  }
}

test('the example of the README', () => {
  withWorld('....\n.##.\n....\n', undefined, ({ view, searcher }) => {
    const answer = searcher.find(view, 0, 0, 3, 2);
    assert.equal(answer.status, 'found');
    assert.equal(answer.cost, 5);
    assert.equal(answer.path.length, 12);
    assert.deepEqual([...answer.path.slice(0, 2), ...answer.path.slice(-2)], [0, 0, 3, 2]);
    assert.equal(searcher.find(view, 1, 1, 3, 2).status, 'start_blocked');
    assert.equal(searcher.find(view, 0, 0, 9, 9).status, 'goal_out_of_bounds');
  });
});

for (const [name, options, profile, flags] of [
  ['random', ['--size', '96x80', '--seed', '3', '--density', '0.3'], {}, []],
  ['caves', ['--size', '128x96', '--seed', '4'], { diagonal: 'always' }, ['--diagonal', 'always']],
  ['rooms', ['--size', '96x96', '--seed', '5'], { diagonal: 'at_most_one_obstacle', metric: 'ten_fourteen' },
    ['--diagonal', 'at_most_one_obstacle', '--metric', '10-14']],
  ['city', ['--size', '128x128', '--seed', '6'], { width: 2, height: 2 }, ['--size', '2x2']],
  ['hills', ['--size', '64x64', '--seed', '7'], { moves: 4 }, ['--moves', 'four']],
]) {
  test(`cost and path are the program's: ${name}`, () => {
    const map = generated(name, ...options);
    withWorld(map.bytes, profile, ({ view, searcher }) => {
      const random = randomOf(options.length + name.length);
      for (let i = 0; i < 12; ++i) {
        const [a, b, c, d] = [...randomFree(view, random), ...randomFree(view, random)];
        const told = JSON.parse(cli('find', map.path, '--from', `${a},${b}`, '--to', `${c},${d}`, ...flags, '--json'));
        const answer = searcher.find(view, a, b, c, d);
        assert.equal(answer.status, told.status);
        if (answer.status === 'found') assert.equal(answer.cost, told.cost);
        assert.deepEqual([...answer.path], told.cells.flat());
        assert.equal(answer.solver, told.solver);
        const judge = searcher.find(view, a, b, c, d, { solver: 'dijkstra' });
        assert.equal(judge.costUnits, answer.costUnits);
      }
    });
  });
}

test('published optima of real maps, by labels and jps', { skip: !hasMaps() }, () => {
  for (const name of ['dao/brc202d.map', 'rooms/32room_000.map']) {
    const bytes = readFileSync(join(maps, name));
    const queries = octile.parseScen(readFileSync(join(maps, `${name}.scen`))).filter((_, i) => i % 10 === 0);
    assert.ok(queries.length > 100);
    withWorld(bytes, undefined, ({ view, searcher }) => {
      const index = view.buildIndex();
      const indexed = view.withIndex(index);
      for (const q of queries) {
        const ends = [q.startX, q.startY, q.goalX, q.goalY];
        const labels = searcher.find(indexed, ...ends, { solver: 'labels' });
        const jps = searcher.find(view, ...ends, { solver: 'jps' });
        assert.equal(labels.solver, 'labels');
        assert.equal(jps.solver, 'jps');
        assert.equal(labels.costUnits, jps.costUnits);
        assert.ok(Math.abs(jps.cost - q.optimum) < 0.01 + 1e-5 * q.optimum, `${jps.cost} is not ${q.optimum}`);
      }
      indexed.dispose();
      index.dispose();
    });
  }
});

test('arrays in: passable, terrain, weights, strides', () => {
  const passable = Uint8Array.from([1, 1, 1, 1, 0, 1, 1, 1, 1]);
  withWorld({ width: 3, height: 3, passable }, undefined, ({ world, view }) => {
    assert.deepEqual([...view.passable()], [...passable]);
    assert.equal(world.write('text'), '...\n.@.\n...\n');
    assert.deepEqual(world.info().firstCell, { x: 0, y: 0 });
  });
  withWorld({ width: 2, height: 2, terrain: [46, 46, 0, 46, 71, 0], stride: 3, firstCell: { x: -5, y: 7 } }, { costs: { G: 2.5 } },
    ({ view }) => {
      assert.deepEqual([...view.cost()], [1, 1, 1, 2.5]);
      assert.deepEqual(view.bounds, { x: -5, y: 7, width: 2, height: 2 });
    });
  withWorld({ width: 3, height: 1, weights: [1, 5, 2] }, undefined, ({ world, view, searcher }) => {
    assert.deepEqual([...world.weight()], [1, 5, 2]);
    assert.equal(searcher.find(view, 0, 0, 2, 0).cost, 7);
  });
  withWorld({ width: 3, height: 1, terrain: [0, 1, 2] }, { costs: [1, Infinity, 3] }, ({ view }) => {
    assert.deepEqual([...view.cost()], [1, Infinity, 3]);
  });
});

test('edits are seen after commit; old views stay', () => {
  withWorld('.....\n.....\n.....\n', undefined, ({ world, view, searcher }) => {
    world.fill({ x: 2, y: 0, width: 1, height: 2 }, '#');
    assert.equal(searcher.find(view, 0, 0, 4, 0).cost, 4);
    world.commit();
    const now = world.view();
    assert.equal(searcher.find(view, 0, 0, 4, 0).cost, 4);
    assert.ok(searcher.find(now, 0, 0, 4, 0).cost > 6);
    assert.deepEqual([...view.differences(now)], [2, 0, 2, 1]);
    const door = world.addObstacle({ rect: { x: 2, y: 2, width: 1, height: 1 }, name: 'door' });
    world.commit();
    const closed = world.view();
    assert.equal(searcher.find(closed, 0, 0, 4, 0).status, 'no_path');
    assert.equal(world.findObstacle('door'), door);
    world.setObstacle(door, false);
    world.commit();
    const open = world.view();
    assert.equal(searcher.find(open, 0, 0, 4, 0).status, 'found');
    assert.deepEqual(searcher.wouldDisconnect(open, [[2, 2]]), { disconnects: true, first: 0 });
    assert.equal(searcher.wouldDisconnect(open, [[0, 0]], [[4, 0], [4, 2]]).disconnects, false);
    for (const it of [now, closed, open]) it.dispose();
  });
});

test('logs replay edits', () => {
  const log = octile.editLog();
  const [a, b, copy] = [octile.world('...\n'), octile.world('...\n'), octile.editLog()];
  a.record(log);
  a.setTerrain(1, 0, '#');
  a.commit();
  a.record(null);
  copy.assign(log.read());
  b.replay(copy);
  assert.equal(b.write('text'), '.#.\n');
  for (const it of [log, copy, a, b]) it.dispose();
});

test('options of a query', () => {
  withWorld('.....\n.....\n.....\n', undefined, ({ view, searcher }) => {
    assert.equal(searcher.find(view, 0, 0, 4, 0, { waypoints: true }).length, 2);
    assert.ok(searcher.find(view, 0, 1, 4, 1, { blocked: [[2, 1]] }).cost > 4);
    assert.ok(searcher.find(view, 0, 1, 4, 1, { extraCosts: [{ x: 2, y: 1, cost: 9 }] }).cost < 5);
    assert.equal(searcher.find(view, 0, 0, 0, 0, { goals: [4, 2, 1, 0] }).goalIndex, 1);
    assert.equal(searcher.find(view, 0, 0, 4, 2, { maxCost: 1 }).status, 'limit_reached');
    const quiet = searcher.find(view, 0, 0, 4, 0, { path: false });
    assert.equal(quiet.path.length, 0);
    assert.equal(quiet.length, 5);
    assert.equal(searcher.distance(view, 0, 0, 4, 0), 4);
    assert.deepEqual(searcher.firstMove(view, 0, 0, 4, 0), { x: 1, y: 0 });
    assert.deepEqual([...searcher.distances(view, [[0, 0], [1, 0]], [[4, 0], [0, 0]])], [4, 0, 3, 1]);
    assert.equal(view.lineOfSight(0, 0, 4, 2), true);
    assert.equal(view.estimate(0, 0, 4, 0), 4);
    assert.deepEqual([...view.cellsAt([0.5, 0.5, 3.9, 2.1])], [0, 0, 3, 2]);
    assert.deepEqual([...view.centers([[1, 2]])], [1.5, 2.5]);
    assert.equal(new Set(view.components()).size, 1);
  });
});

test('traces tell the order of a search', () => {
  withWorld(generated('caves', '--size', '64x64', '--seed', '9').bytes, undefined, ({ view, searcher }) => {
    const trace = octile.trace();
    const random = randomOf(1);
    const [a, b] = [randomFree(view, random), randomFree(view, random)];
    const answer = searcher.find(view, ...a, ...b, { solver: 'astar', trace });
    const events = trace.read();
    assert.ok(events.length > 10);
    assert.equal(events.length, events.g.length);
    assert.equal(events.complete, true);
    assert.equal(events.closed.reduce((sum, one) => sum + one, 0), answer.expanded);
    const closed = [...events.closed.keys()].filter((i) => events.closed[i]);
    assert.deepEqual([...events.cells.slice(2 * closed[0], 2 * closed[0] + 2)], a);
    for (const i of closed.slice(0, 30)) {
      const cheapest = searcher.distance(view, ...a, events.cells[2 * i], events.cells[2 * i + 1]);
      assert.ok(Math.abs(cheapest - events.g[i]) < 1e-9);
    }
    assert.deepEqual([...trace.read(2, 3).g], [...events.g.slice(2, 5)]);
    trace.clear();
    assert.equal(trace.read().length, 0);
    trace.dispose();
  });
});

test('indexes: kinds, bytes, progress, cancel', () => {
  withWorld(generated('rooms', '--size', '200x200', '--seed', '2').bytes, undefined, ({ world, view, searcher }) => {
    const seen = [];
    const index = view.buildIndex({ progress: (done) => void seen.push(done) });
    assert.ok(seen.length > 0 && seen.every((done) => done >= 0 && done <= 1));
    assert.equal(index.info.kind, 'tile_labels');
    const again = octile.readIndex(index.write());
    assert.equal(again.belongsTo(view), true);
    assert.deepEqual(again.write(), index.write());
    world.adopt(again);
    const indexed = world.view();
    assert.equal(indexed.info.index, 'tile_labels');
    assert.throws(() => view.buildIndex({ progress: () => false }), refused('cancelled'));
    assert.throws(() => view.buildIndex({ progress() { throw new RangeError('mine'); } }), RangeError);
    const graph = view.buildIndex({ kind: 'subgoal_labels' });
    const corners = view.withIndex(graph);
    assert.ok(graph.info.subgoals > 0);
    assert.equal(corners.indexSubgoals().length, 2 * graph.info.subgoals);
    assert.deepEqual([...corners.indexHubRanks()].sort((a, b) => a - b), Array.from({ length: graph.info.hubs }, (_, i) => i));
    const quadtree = view.buildIndex({ kind: 'quadtree' });
    const split = view.withIndex(quadtree);
    assert.ok(split.indexLeaves().length > 4);
    assert.ok(split.indexPortals().length > 4);
    const bytes = index.write();
    bytes[bytes.length >> 1] ^= 1;
    assert.throws(() => octile.readIndex(bytes), OctileError);
    assert.throws(() => octile.readIndex(bytes.slice(0, 100)), OctileError);
    assert.throws(() => octile.readIndex(new Uint8Array(0)), OctileError);
    const random = randomOf(8);
    for (let i = 0; i < 50; ++i) {
      const ends = [...randomFree(view, random), ...randomFree(view, random)];
      assert.equal(searcher.find(indexed, ...ends).costUnits, searcher.find(view, ...ends, { solver: 'dijkstra' }).costUnits);
    }
    for (const it of [index, again, indexed, quadtree, split, graph, corners]) it.dispose();
  });
});

test('a damaged index is refused, or right, never a crash', () => {
  withWorld('........\n..##....\n..##..#.\n........\n', undefined, ({ view }) => {
    const index = view.buildIndex();
    const bytes = index.write();
    const random = randomOf(11);
    for (let i = 0; i < 400; ++i) {
      const damaged = bytes.slice(0, i % 4 ? bytes.length : random(bytes.length));
      if (damaged.length) damaged[random(damaged.length)] ^= 1 << random(8);
      try {
        octile.readIndex(damaged).dispose();
      } catch (error) {
        assert.ok(error instanceof OctileError, String(error));
      }
    }
    index.dispose();
  });
});

// tests/faces/queries.txt: the same costs and the same paths through every face.
test('answers are those of the file of all faces', (t) => {
  const steps = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
  const lines = readFileSync(join(root, 'tests/faces/queries.txt'), 'ascii').trimEnd().split('\n');
  const searcher = octile.searcher();
  let world, plain, view;
  let asked = 0;
  let paths = 0;
  while (lines.length) {
    const line = lines.shift();
    const [word, ...rest] = line.split(' ');
    const numbers = rest.map(Number);
    if (word === 'map') {
      world?.dispose();
      world = octile.world({ width: numbers[1], height: numbers[2], terrain: Buffer.from(lines.splice(0, numbers[2]).join('')) });
    } else if (word === 'profile') {
      const [moves, diagonal, metric, width, height] = numbers;
      plain = world.view(world.addProfile({
        moves: moves ? 8 : 4, diagonal: diagonalNames[diagonal], metric: metricNames[metric], width, height,
      }));
    } else if (word === 'index') {
      const kind = indexKinds[numbers[0]];
      view = kind === 'none' ? plain : plain.withIndex(plain.buildIndex({ kind }));
      assert.equal(view.info.index, kind, line);
    } else if (word === 'query') {
      let [, x, y, goalX, goalY, status] = numbers;
      const answer = searcher.find(view, x, y, goalX, goalY, { solver: rest[0] });
      assert.equal(answer.status, statusNames[status], line);
      if (answer.status === 'found') {
        const path = [x, y];
        for (const move of rest[8] === '-' ? '' : rest[8]) path.push(x += steps[move][0], y += steps[move][1]);
        assert.equal(answer.costUnits, BigInt(rest[6]), line);
        assert.equal(answer.cost, numbers[7], line);
        assert.deepEqual([...answer.path], path, line);
        ++paths;
      }
      ++asked;
    }
  }
  for (const thing of [searcher, world]) thing.dispose();
  assert.ok(asked > 1000);
  t.diagnostic(`${asked} queries asked, ${paths} with a path, all equal`);
});

test('fields: distances, directions, within, update', () => {
  withWorld(generated('caves', '--size', '48x48', '--seed', '5').bytes, undefined, ({ world, view, searcher }) => {
    const random = randomOf(4);
    const goal = randomFree(view, random);
    const field = octile.field(view, [goal]);
    const all = field.distances();
    for (let i = 0; i < 40; ++i) {
      const [x, y] = randomFree(view, random);
      assert.equal(all[y * 48 + x], searcher.distance(view, x, y, ...goal));
      assert.equal(field.distancesOf([[x, y]])[0], all[y * 48 + x]);
      assert.equal(field.directionsOf([[x, y]])[0], field.directions()[y * 48 + x]);
      const way = searcher.fieldPath(field, x, y);
      if (way.status === 'found') {
        assert.equal(way.cost, all[y * 48 + x]);
        if (way.length > 1) assert.deepEqual([...field.next([[x, y]])], [...way.path.slice(2, 4)]);
      }
    }
    assert.equal(field.directionsOf([goal])[0], 8);
    const near = field.within(3);
    assert.equal(near.length / 2, all.filter((cost) => cost <= 3).length);
    world.fill({ x: 0, y: 0, width: 3, height: 3 }, '#');
    world.commit();
    const now = world.view();
    assert.ok(['kept', 'repaired', 'rebuilt'].includes(field.update(now)));
    const anew = octile.field(now, [goal]);
    assert.deepEqual(field.distances(), anew.distances());
    assert.throws(() => octile.field(view, []), refused('bad_argument'));
    assert.throws(() => octile.field(view, [[-1, 0]]), refused('goal_out_of_bounds'));
    for (const it of [field, anew, now]) it.dispose();
  });
});

test('batches equal single queries', () => {
  withWorld(generated('random', '--size', '64x64', '--seed', '12', '--density', '0.2').bytes, undefined, ({ view, searcher }) => {
    const random = randomOf(6);
    const pairs = Array.from({ length: 60 }, (_, i) => [randomFree(view, random), i % 3 ? randomFree(view, random) : [3, 3]]).flat();
    const batch = octile.batch();
    const { answers, byField, bySearch } = batch.run(view, pairs);
    assert.equal(answers.length, 60);
    assert.equal(byField + bySearch, 60);
    answers.forEach((answer, i) => {
      const single = searcher.find(view, ...pairs[2 * i], ...pairs[2 * i + 1]);
      assert.equal(answer.status, single.status);
      assert.equal(answer.costUnits, single.costUnits);
      assert.equal(answer.path.length / 2, answer.length);
    });
    assert.equal(batch.run(view, []).answers.length, 0);
    batch.dispose();
  });
});

test('groups, steps and plans', () => {
  withWorld('..........\n....#.....\n....#.....\n..........\n', undefined, ({ view, searcher }) => {
    const order = searcher.orderGroup(view, [[0, 0], [0, 1], [0, 2]], { x: 8, y: 1 }, { formation: 'box' });
    assert.equal(order.placed, 3);
    assert.equal(new Set(order.slots.map(({ x, y }) => `${x},${y}`)).size, 3);
    assert.throws(() => searcher.orderGroup(view, [[0, 0]], { x: 1, y: 1 }, { formation: 'circle' }), refused('bad_argument'));
    const crowd = [0, 1, 2, 3].map((y) => ({ x: 2, y }));
    const past = (friends, friendCosts) => searcher.orderGroup(view, [[0, 0], [0, 1], [0, 2]], { x: 8, y: 1 }, { friends, friendCosts });
    const alone = past([]).total;
    assert.ok(Math.abs(past(crowd.map((one) => ({ ...one, heading: { x: 1, y: 0 } }))).total - alone) < 0.3);
    assert.ok(Math.abs(past(crowd).total - alone - 12) < 1e-5);
    assert.ok(Math.abs(past(crowd, { resting: 9 }).total - alone - 27) < 1e-5);
    assert.ok(past([{ x: 8, y: 1 }]).slots.every(({ x, y }) => x !== 8 || y !== 1));
    assert.throws(() => past([{ x: 1, y: 1, heading: { x: 1, y: 0 }, speed: 2 }]), refused('bad_argument', /speed/));
    assert.throws(() => past(crowd, { moving: -1 }), refused('bad_argument', /friends/));

    const costs = octile.friendCosts(0, 0, 9, 0, [{ x: 3, y: 0 }, { x: 5, y: 0, heading: { x: -1, y: 0 }, speed: 1 }]);
    assert.ok(costs.every(({ y, cost }) => y === 0 && cost > 0));
    assert.ok(costs[0].cost > costs[1].cost);
    const planner = octile.planner().reset(view, [
      { x: 0, y: 0, goal: { x: 9, y: 0 } }, { x: 9, y: 0, goal: { x: 0, y: 0 } }, { x: 5, y: 1, pinned: true },
    ]);
    for (let i = 0; i < 60 && planner.info.onTheWay; ++i) {
      planner.step();
      const cells = planner.cells();
      assert.equal(new Set([0, 1, 2].map((k) => `${cells[2 * k]},${cells[2 * k + 1]}`)).size, 3);
    }
    assert.equal(planner.info.onTheWay, 0);
    assert.equal(planner.states()[0].arrived, true);
    assert.equal(planner.states()[2].outcome, 'pinned');
    planner.dispose();

    const plan = octile.plan();
    const tasks = [0, 0, 9, 3, 9, 3, 0, 0, 0, 3, 9, 0];
    const made = plan.make(view, tasks, { improve: 100 });
    assert.ok(['feasible', 'optimal'].includes(made.status));
    assert.deepEqual(plan.check(view, tasks).defect, 'none');
    const { rows, agents } = plan.size;
    assert.equal(agents, 3);
    assert.equal(rows, made.costs.makespan + 1);
    const cells = plan.cells();
    assert.equal(cells.length, 2 * rows * agents);
    cells[2 * agents] = 7; // agent 0 jumps
    plan.assign(cells, agents);
    const report = plan.check(view, tasks);
    assert.equal(report.defect, 'jump');
    assert.ok(report.text.length > 5);
    plan.dispose();
  });
});

test('slices end with the answer of find()', () => {
  withWorld(generated('maze', '--size', '129x129', '--seed', '3').bytes, undefined, ({ view, searcher }) => {
    const random = randomOf(2);
    const ends = [...randomFree(view, random), ...randomFree(view, random)];
    const whole = searcher.find(view, ...ends, { solver: 'astar' });
    searcher.begin(view, ...ends, { solver: 'astar' });
    let slices = 1;
    let answer;
    while (!(answer = searcher.step(100))) ++slices;
    assert.ok(slices > 2);
    assert.deepEqual(answer, whole);
    assert.throws(() => searcher.step(1), refused('bad_argument'));
    const cancel = octile.cancelToken();
    cancel.raise();
    assert.equal(searcher.find(view, ...ends, { solver: 'dijkstra', cancel }).status, 'cancelled');
    cancel.reset();
    assert.equal(searcher.find(view, ...ends, { cancel }).status, 'found');
    cancel.dispose();
  });
});

test('hostile input is refused with a reason', () => {
  withWorld('...\n', undefined, ({ world, view, searcher }) => {
    // Neither cut nor rounded.
    assert.throws(() => octile.world({ width: 2, height: 1, terrain: [46.5, 46] }), refused('bad_argument'));
    assert.throws(() => octile.world({ width: 2, height: 1, terrain: [300, 46] }), refused('bad_argument'));
    assert.throws(() => octile.world({ width: 2, height: 1, weights: [1, NaN] }), refused('bad_argument'));
    assert.throws(() => octile.world({ width: 2, height: 1, weights: [1, 1e9] }), refused('bad_argument'));
    assert.throws(() => octile.world('type octile\nheight 99999999\nwidth 99999999\nmap\n'), OctileError);
    assert.throws(() => octile.world(''), OctileError);
    assert.throws(() => octile.world(new Uint8Array([0, 255, 1])), OctileError);
    assert.throws(() => octile.world({ width: 0, height: 5 }), OctileError);
    assert.throws(() => octile.world({ width: 3, height: 3, passable: [1, 1] }), refused('bad_argument', /9/));
    assert.throws(() => octile.world({ width: 2 ** 31, height: 3 }), OctileError);
    assert.throws(() => octile.world('...\n', { costs: { '.': -1 } }), OctileError);
    assert.throws(() => octile.world('...\n', { costs: { '.': NaN } }), OctileError);
    assert.throws(() => octile.world('...\n', { width: 65 }), OctileError);
    assert.throws(() => octile.world('...\n', { diagonal: 'sometimes' }), refused('bad_argument', /sometimes/));
    for (const value of [NaN, Infinity, 0.5, 2 ** 40, '1', undefined, null, {}]) {
      assert.throws(() => searcher.find(view, value, 0, 2, 0), refused('bad_argument'));
    }
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { solver: 'magic' }), refused('bad_argument', /magic/));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { goals: [1] }), refused('bad_argument'));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { goals: [] }), refused('bad_argument'));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { goals: [[0, 'a']] }), refused('bad_argument'));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { goals: 7 }), refused('bad_argument'));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { maxExpansions: -1 }), refused('bad_argument'));
    assert.throws(() => searcher.find(view, 0, 0, 2, 0, { maxCost: NaN }), refused('bad_argument'));
    assert.throws(() => world.setTerrain(9, 9, '.'), OctileError);
    assert.throws(() => world.setTerrain(0, 0, 'ab'), OctileError);
    assert.throws(() => world.setWeight(0, 0, 1), OctileError);
    assert.throws(() => world.fill({ x: 0, y: 0, width: 9, height: 9 }, '.'), OctileError);
    assert.throws(() => world.stamp({ x: 0, y: 0, width: 3, height: 1 }, [46]), refused('bad_argument'));
    assert.throws(() => world.addObstacle({}), OctileError);
    assert.throws(() => world.view(77), OctileError);
    assert.throws(() => view.passable({ x: 0, y: 0, width: 1e6, height: 1e6 }), OctileError);
    assert.throws(() => octile.parseScen('no scenario'), OctileError);
    assert.equal(view.passable({ x: -1, y: -1, width: 2, height: 2 }).length, 4);
    assert.equal(searcher.find(view, 0, 0, 2, 0).cost, 2);
  });
});

test('what was disposed is refused; nothing stays alive', () => {
  const before = octile.handleCount;
  const world = octile.world('...\n');
  const view = world.view();
  const searcher = octile.searcher();
  world.dispose();
  world.dispose();
  assert.equal(world.disposed, true);
  assert.throws(() => world.commit(), refused('bad_argument'));
  assert.throws(() => world.view(), refused('bad_argument'));
  assert.equal(searcher.find(view, 0, 0, 2, 0).status, 'found');
  view.dispose();
  assert.throws(() => searcher.find(view, 0, 0, 2, 0), refused('bad_argument'));
  assert.throws(() => view.passable(), refused('bad_argument'));
  searcher.dispose();
  const other = octile.searcher(); // takes the same place in memory
  assert.throws(() => searcher.find(view, 0, 0, 2, 0), refused('bad_argument'));
  assert.throws(() => searcher.distance(view, 0, 0, 2, 0), refused('bad_argument'));
  assert.throws(() => searcher.step(1), refused('bad_argument'));
  other.dispose();
  assert.equal(octile.handleCount, before);
});

test('maps made by rule are the same everywhere', () => {
  const city = octile.generate('city', 131, 90, { seed: 4, room: 24 });
  // FNV-1a of the sides and the cells; tests/generators_test.cpp has the same number.
  let print = 0xcbf29ce484222325n;
  for (const byte of [131, 0, 0, 0, 90, 0, 0, 0, ...city.terrain]) print = BigInt.asUintN(64, (print ^ BigInt(byte)) * 0x100000001b3n);
  assert.equal(print, 0xf1822927bd39a6b4n);
  const world = octile.world(city);
  assert.deepEqual(world.terrain(), city.terrain);
  world.dispose();
  assert.deepEqual(octile.mapKinds.find(({ name }) => name === 'city'), {
    name: 'city', summary: 'houses and courtyards in blocks between streets', seeded: true, density: undefined, room: 42, corridor: undefined,
  });
  for (const { name } of octile.mapKinds) assert.equal(octile.generate(name, 4, 3).terrain.length, 12);
  for (const [kind, width, height, options] of [['labyrinth', 4, 3], ['caves', 0, 3], ['caves', 4, -1], ['caves', 2 ** 20, 2 ** 20],
    ['caves', 4, 3, { room: 3 }], ['caves', 4, 3, { density: 1001 }], ['maze', 4, 3, { corridor: 0 }]]) {
    assert.throws(() => octile.generate(kind, width, height, options), refused('bad_argument'));
  }
});

test('what belongs to another Octile is refused, whatever its number; so is a log or an index that was disposed', async () => {
  // Made in the same order: the numbers of one are those of the other.
  const things = async () => {
    const octile = await Octile.load();
    const world = octile.world('...\n');
    const view = world.view();
    const index = view.buildIndex();
    const field = octile.field(view, [[2, 0]]);
    const [searcher, trace, cancel, log] = [octile.searcher(), octile.trace(), octile.cancelToken(), octile.editLog()];
    const [batch, planner, plan] = [octile.batch(), octile.planner(), octile.plan()];
    planner.reset(view, [{ x: 0, y: 0 }]);
    plan.make(view, [0, 0, 2, 0]);
    world.record(log);
    world.setTerrain(1, 0, 'G');
    world.commit().record(null);
    return { octile, world, view, index, field, searcher, trace, cancel, log, batch, planner, plan };
  };
  const own = await things();
  const other = await things();
  const calls = {
    find: ({ view }) => own.searcher.find(view, 0, 0, 2, 0),
    'find with options': ({ view }) => own.searcher.find(view, 0, 0, 2, 0, {}),
    'find, traced': ({ trace }) => own.searcher.find(own.view, 0, 0, 2, 0, { trace }),
    'find, with a token': ({ cancel }) => own.searcher.find(own.view, 0, 0, 2, 0, { cancel }),
    begin: ({ view }) => own.searcher.begin(view, 0, 0, 2, 0),
    distance: ({ view }) => own.searcher.distance(view, 0, 0, 2, 0),
    firstMove: ({ view }) => own.searcher.firstMove(view, 0, 0, 2, 0),
    distances: ({ view }) => own.searcher.distances(view, [0, 0], [2, 0]),
    wouldDisconnect: ({ view }) => own.searcher.wouldDisconnect(view, [1, 0]),
    fieldPath: ({ field }) => own.searcher.fieldPath(field, 0, 0),
    orderGroup: ({ view }) => own.searcher.orderGroup([own.view, view], [0, 0], { x: 2, y: 0 }),
    batch: ({ view }) => own.batch.run(view, [0, 0, 2, 0]),
    'batch, with a token': ({ cancel }) => own.batch.run(own.view, [0, 0, 2, 0], { cancel }),
    field: ({ view }) => own.octile.field(view, [2, 0]).dispose(),
    'field.update': ({ view }) => own.field.update(view),
    'planner.reset': ({ view }) => own.planner.reset(view, [{ x: 0, y: 0 }]),
    'planner.changeView': ({ view }) => own.planner.changeView(view),
    'plan.make': ({ view }) => own.plan.make(view, [0, 0, 2, 0]),
    'plan.check': ({ view }) => own.plan.check(view, [0, 0, 2, 0]),
    differences: ({ view }) => own.view.differences(view),
    withIndex: ({ index }) => own.view.withIndex(index).dispose(),
    belongsTo: ({ view }) => own.index.belongsTo(view),
    adopt: ({ index }) => own.world.adopt(index),
    replay: ({ log }) => own.world.replay(log),
    record: ({ log }) => own.world.record(log),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.doesNotThrow(() => call(own), undefined, name);
    assert.throws(() => call(other), refused('bad_argument', /another Octile/), name);
  }
  assert.throws(() => own.world.repairLabels(other.index), refused('bad_argument', /another Octile/));
  // Without a thing these two end what was begun: one that was disposed is not none.
  own.log.dispose();
  own.index.dispose();
  assert.throws(() => own.world.record(own.log), refused('bad_argument', /disposed/));
  assert.throws(() => own.world.repairLabels(own.index), refused('bad_argument', /disposed/));
});

test('values of a wrong kind are refused by name', async () => {
  const world = octile.world({ width: 8, height: 8 });
  const weighted = octile.world({ width: 8, height: 8, weights: true });
  const streamed = octile.world();
  streamed.reset({ width: 64, height: 64, streamed: true }).commit();
  const view = world.view();
  const searcher = octile.searcher();
  const index = view.buildIndex();
  const field = octile.field(view, [[1, 1]]);
  const planner = octile.planner().reset(view, [{ x: 0, y: 0 }]);
  const queue = new PathQueue(octile, world);
  const [log, batch, plan, trace] = [octile.editLog(), octile.batch(), octile.plan(), octile.trace()];
  const rect = { x: 0, y: 0, width: 2, height: 2 };
  const door = world.addObstacle({ rect, name: 'd', present: false });
  // Each with good arguments, of which one at a time becomes wrong.
  const calls = [
    [octile, 'world', ['..\n..\n', {}, {}]], [octile, 'world', [{ width: 2, height: 2 }, {}, {}]], [octile, 'field', [view, [[0, 0]], {}]],
    [octile, 'generate', ['caves', 4, 3, {}]], [octile, 'friendCosts', [0, 0, 1, 1, [{ x: 0, y: 0 }], 1, 4]], [octile, 'readIndex', [index.write()]], [octile, 'parseScen', ['version 1\n']],
    [weighted, 'reset', [{ width: 8, height: 8, weights: true }]], [octile.world(), 'parse', ['..\n', {}]], [world, 'write', ['text']],
    [world, 'addProfile', [{}]], [world, 'removeProfile', [9]], [world, 'view', [0]], [world, 'adopt', [index, 0]],
    [world, 'repairLabels', [null, 0, false]], [world, 'terrain', [rect]], [weighted, 'weight', [rect]], [world, 'setTerrain', [7, 7, '.']],
    [weighted, 'setWeight', [0, 0, 1]], [world, 'fill', [rect, '.']], [weighted, 'fillWeight', [rect, 1]], [world, 'stamp', [rect, [46, 46, 46, 46], 2]],
    [weighted, 'stampWeight', [rect, [1, 1, 1, 1], 2]], [world, 'stampBits', [rect, [0, 0], '.', 1]],
    [streamed, 'provideTile', [0, 0, new Uint8Array(4096).fill(46), 64]], [streamed, 'releaseTile', [0, 0]], [world, 'addObstacle', [{ rect, present: false }]],
    [world, 'setObstacle', [door, false]], [world, 'removeObstacle', [99]], [world, 'obstaclePresent', [door]], [world, 'findObstacle', ['d']],
    [world, 'record', [null]], [world, 'replay', [log]], [log, 'assign', [log.read()]], [view, 'terrain', [rect]], [view, 'passable', [rect]],
    [view, 'tileVersion', [0, 0]], [view, 'lineOfSight', [0, 0, 1, 1]], [view, 'estimate', [0, 0, 1, 1]], [view, 'cellsAt', [[0, 0]]],
    [view, 'centers', [[[0, 0]]]], [view, 'differences', [view]], [view, 'withIndex', [index]], [view, 'buildIndex', [{}]], [index, 'belongsTo', [view]],
    [searcher, 'find', [view, 4, 4, 5, 5, {}]], [searcher, 'begin', [view, 4, 4, 5, 5, {}]], [searcher, 'step', [100]],
    [searcher, 'distance', [view, 4, 4, 5, 5]], [searcher, 'firstMove', [view, 4, 4, 5, 5]], [searcher, 'distances', [view, [[4, 4]], [[5, 5]]]],
    [searcher, 'wouldDisconnect', [view, [[4, 4]], [[5, 5], [6, 6]]]], [searcher, 'fieldPath', [field, 4, 4]],
    [searcher, 'orderGroup', [view, [[4, 4]], { x: 5, y: 5 }, {}, [0]]], [trace, 'read', [0, 10]], [batch, 'run', [view, [[4, 4], [5, 5]], {}]],
    [field, 'update', [view]], [field, 'distances', [rect]], [field, 'distancesOf', [[[1, 1]]]], [field, 'next', [[[1, 1]]]], [field, 'within', [3]],
    [planner, 'reset', [view, [{ x: 4, y: 4 }], {}]], [planner, 'changeView', [view]], [planner, 'setGoal', [0, 4, 4]], [planner, 'clearGoal', [0]],
    [planner, 'setPinned', [0, false]], [planner, 'setPriority', [0, 1]], [plan, 'make', [view, [[4, 4], [5, 5]], {}]],
    [plan, 'assign', [[[4, 4]], 1]], [plan, 'check', [view, [[4, 4], [5, 5]], false]], [queue, 'find', [4, 4, 5, 5, {}]], [queue, 'avoid', [0, 0]],
    [queue, 'stopAvoiding', [0, 0]], [queue, 'setExtraCost', [0, 0, 1]], [queue, 'update', [10]],
  ];
  const fields = {
    find: ['solver', 'goals', 'blocked', 'extraCosts', 'maxExpansions', 'maxCost', 'cancel', 'trace', 'snapRadius'],
    run: ['cacheBytes', 'solver', 'cancel', 'goals'], field: ['offsets', 'maxCost', 'stops'], buildIndex: ['kind', 'budgetBytes', 'budgetWork', 'progress'],
    addProfile: ['moves', 'diagonal', 'metric', 'width', 'height', 'anchor', 'costs'], orderGroup: ['formation', 'facing', 'spacing', 'files', 'friends', 'friendCosts'],
    world: ['terrain', 'passable', 'stride', 'fill', 'weights', 'firstCell', 'origin', 'cellSize', 'weightScale'],
    generate: ['seed', 'density', 'room', 'corridor'], addObstacle: ['rect', 'cells', 'terrain', 'name'], reset: ['patience', 'seed', 'tableBytes'],
    make: ['objective', 'seed', 'maxConfigurations', 'improve', 'refine', 'maxBytes', 'seconds', 'progress'],
  };
  const wrong = [null, undefined, 5.5, -1, 'x', {}, [], [null], ['x'], true, 1n, Symbol('s'), () => 0, NaN, new Date(), new Uint8Array(3), [1n], [Symbol('s')]];
  let told = 0;
  for (const [self, name, good] of calls) {
    const places = good.map((_, i) => (list, value) => { list[i] = value; });
    const at = good.findLastIndex((it) => it !== rect && Object.getPrototypeOf(it ?? 0) === Object.prototype);
    if (at >= 0) for (const field of fields[name] ?? []) places.push((list, value) => { list[at] = { ...list[at], [field]: value }; });
    for (const place of places) {
      for (const value of wrong) {
        const list = [...good];
        place(list, value);
        try {
          const got = self[name](...list);
          got?.promise?.catch((error) => assert.ok(error instanceof OctileError, `${name}: ${error.stack}`));
          if (self === octile || name === 'view' || name === 'withIndex' || name === 'buildIndex') got?.dispose?.();
        } catch (error) {
          assert.ok(error instanceof OctileError, `${name}(${list.map((it) => typeof it)}): ${error.stack}`);
          ++told;
        }
      }
    }
  }
  queue.update(1e6);
  await sleep(0);
  assert.ok(told > 2000, String(told));
  assert.throws(() => searcher.find(undefined, 0, 0, 1, 1), refused('bad_argument', /view.*undefined/));
  assert.throws(() => searcher.find(view, 0, 0, 1, 1n), refused('bad_argument', /goalY/));
  assert.throws(() => searcher.find(view, 0, 0, 1, 1, { cancel: 5 }), refused('bad_argument', /cancel.*5/));
  assert.throws(() => searcher.find(index, 0, 0, 1, 1), refused('bad_argument'));
  assert.throws(() => world.fill(null, '.'), refused('bad_argument', /rect.*null/));
  assert.throws(() => world.removeProfile('a'), refused('bad_argument', /profile.*'a'/));
  for (const it of [queue, field, planner, plan, trace, batch, log, index, searcher, view, world, weighted, streamed]) it.dispose();
});

test('what is forgotten is given back', { skip: !globalThis.gc }, async () => {
  const before = octile.handleCount;
  (() => { for (let i = 0; i < 200; ++i) octile.searcher(); })();
  for (let i = 0; i < 2000 && octile.handleCount > before; ++i) {
    globalThis.gc();
    await sleep(5);
  }
  assert.ok(octile.handleCount <= before);
});

test('memory may grow: what was returned stays', async () => {
  const small = await Octile.load();
  const world = small.world({ width: 40, height: 40 });
  const view = world.view();
  const octileWorld = octile.world({ width: 4, height: 4 });
  const octileView = octileWorld.view();
  const searcher = small.searcher();
  const answer = searcher.find(view, 0, 0, 39, 39);
  const copy = [...answer.path];
  const before = small.memoryBytes;
  const large = small.world({ width: 3000, height: 3000 });
  const wide = large.view();
  assert.ok(small.memoryBytes > before);
  assert.deepEqual([...answer.path], copy);
  assert.equal(searcher.find(wide, 0, 0, 2999, 2999).length, 3000);
  searcher.borrowPaths = true;
  assert.deepEqual([...searcher.find(view, 0, 0, 39, 39).path], copy);
  // The searcher remembers whom it asked last.
  assert.equal(searcher.find(wide, 0, 0, 2999, 2999).path.length, 6000);
  assert.deepEqual([...searcher.find(view, 0, 0, 39, 39).path], copy);
  const again = world.view();
  assert.deepEqual([...searcher.find(again, 0, 0, 39, 39).path], copy);
  again.dispose();
  assert.throws(() => searcher.find(again, 0, 0, 39, 39), refused('bad_argument', /disposed/));
  assert.throws(() => searcher.find(octileView, 0, 0, 1, 1), refused('bad_argument', /another Octile/));
  assert.deepEqual([...searcher.find(view, 0, 0, 39, 39).path], copy);
  for (const it of [world, view, searcher, large, wide, octileView, octileWorld]) it.dispose();
  assert.equal(small.handleCount, 0);
  const full = small.memoryBytes;
  for (let i = 0; i < 20; ++i) {
    const one = small.world({ width: 1000, height: 1000 });
    one.view().dispose();
    one.dispose();
  }
  assert.equal(small.memoryBytes, full);
});

test('an answer that is used again says the same as one of its own', () => {
  const world = octile.world(generated('caves', '--size', '120x90', '--seed', '5').bytes);
  const plain = world.view();
  const indexed = plain.withIndex(plain.buildIndex());
  const one = octile.searcher();
  const same = octile.searcher();
  same.reuseAnswer = true;
  const seen = new Set();
  let first;
  for (const view of [indexed, plain]) {
    for (let i = 0; i < 600; ++i) {
      same.borrowPaths = i % 3 === 1;
      one.borrowPaths = i % 3 === 2;
      const ends = [(i * 37) % 121, (i * 59) % 90, (i * 101) % 121, (i * 23) % 91];
      const { path, ...rest } = one.find(view, ...ends);
      const cells = [...path];
      const answer = same.find(view, ...ends);
      first ??= answer;
      assert.equal(answer, first);
      for (const [name, value] of Object.entries(rest)) assert.equal(answer[name], value, `${name} of ${ends}`);
      assert.deepEqual([...answer.path], cells);
      assert.equal(typeof answer.costUnits, 'bigint');
      seen.add(`${answer.status} ${answer.solver}`);
    }
  }
  for (const status of ['found', 'start_blocked', 'goal_blocked', 'start_out_of_bounds', 'goal_out_of_bounds']) {
    assert.ok([...seen].some((it) => it.startsWith(`${status} `)), `${status}: ${[...seen]}`);
  }
  assert.ok(seen.has('found labels'), [...seen].join());
  const apart = octile.world('.#.');
  const cut = apart.view();
  for (const view of [cut, cut.withIndex(cut.buildIndex())]) {
    const { status, costUnits, length, message, solver } = same.find(view, 0, 0, 2, 0);
    assert.deepEqual([status, costUnits, length, message.length > 0, solver], ['no_path', 0n, 0, true, one.find(view, 0, 0, 2, 0).solver]);
  }
  // With options: an answer of its own.
  assert.notEqual(same.find(indexed, 0, 0, 1, 1, {}), first);
});

test('a queue works in budgets, can be cancelled, avoids cells', async () => {
  const world = octile.world(generated('maze', '--size', '129x129', '--seed', '3').bytes);
  const view = world.view();
  const queue = new PathQueue(octile, world, { expansionsPerUpdate: 500 });
  const random = randomOf(2);
  const ends = [...randomFree(view, random), ...randomFree(view, random)];
  let called;
  const first = queue.find(...ends, { solver: 'astar' }, (answer) => { called = answer; });
  const second = queue.find(...ends);
  let updates = 0;
  while (queue.length > 1) {
    queue.update();
    ++updates;
  }
  assert.ok(updates > 2, `${updates} updates`);
  second.cancel();
  second.cancel();
  assert.equal((await second).status, 'cancelled');
  const answer = await first;
  assert.equal(called, answer);
  first.cancel();
  const started = queue.find(...ends, { solver: 'astar' });
  queue.update(10);
  started.cancel();
  assert.equal((await started).status, 'cancelled');
  const [x, y] = answer.path.slice(-4, -2);
  queue.avoid(x, y);
  const round = queue.find(...ends);
  while (queue.length) queue.update();
  assert.equal((await round).status, 'no_path'); // of a perfect maze there is one way
  assert.throws(() => queue.find(...ends, { blocked: 7 }), refused('bad_argument'));
  const both = queue.find(...ends, { blocked: [{ x: ends[2], y: ends[3] }] });
  while (queue.length) queue.update();
  assert.equal((await both).status, 'goal_blocked');
  queue.stopAvoidingAll();
  const wrong = queue.find(...ends, { solver: 'magic' });
  queue.update();
  await assert.rejects(wrong.promise, refused('bad_argument'));
  queue.dispose();
  view.dispose();
  world.dispose();
});

test('a worker answers, edits, cancels, ends', async () => {
  const map = generated('random', '--size', '256x256', '--seed', '1', '--density', '0.25').bytes;
  const worker = await PathWorker.start({ map, expansionsPerSlice: 200 });
  const world = octile.world(map);
  const view = world.view();
  const searcher = octile.searcher();
  const random = randomOf(3);
  const queries = Array.from({ length: 20 }, () => [...randomFree(view, random), ...randomFree(view, random)]);
  const answers = await Promise.all(queries.map((ends) => worker.find(...ends)));
  answers.forEach((answer, i) => assert.deepEqual(answer, searcher.find(view, ...queries[i])));
  const slow = worker.find(...queries[0], { solver: 'dijkstra' });
  slow.cancel();
  assert.equal((await slow).status, 'cancelled');
  await assert.rejects(worker.find(...queries[0], { solver: 'magic' }).promise, refused('bad_argument'));
  await worker.edit({ rect: { x: 0, y: 0, width: 256, height: 256 }, terrain: '#' });
  assert.equal((await worker.find(...queries[0])).status, 'start_blocked');
  await assert.rejects(worker.edit({ rect: { x: 0, y: 0, width: 999, height: 1 }, terrain: '.' }), refused('bad_argument'));
  const last = worker.find(...queries[0]);
  worker.dispose();
  assert.equal((await last).status, 'cancelled');
  await assert.rejects(PathWorker.start({ map: 'type octile\n' }), OctileError);
  for (const it of [searcher, view, world]) it.dispose();
});

test('PathFinding.js: its grids, rules and paths', async () => {
  const PF = await loadPathFinding();
  const matrix = [[0, 0, 0], [0, 1, 0], [0, 0, 0]];
  const grid = new PF.Grid(matrix);
  assert.deepEqual(new PF.AStarFinder().findPath(0, 0, 2, 0, grid), [[0, 0], [1, 0], [2, 0]]);
  const cells = (rule) => new PF.JumpPointFinder({ diagonalMovement: rule }).findPath(0, 1, 1, 0, grid).length;
  assert.deepEqual([1, 2, 3, 4].map(cells), [2, 3, 2, 3]);
  grid.setWalkableAt(1, 0, false);
  assert.equal(grid.isWalkableAt(1, 0), false);
  assert.equal(grid.isWalkableAt(-1, 0), false);
  assert.equal(new PF.AStarFinder().findPath(0, 0, 2, 0, grid).length, 7);
  // As there, a start in a wall may be left; an end in one cannot be entered, nor one outside reached.
  assert.deepEqual(new PF.AStarFinder().findPath(1, 1, 2, 0, grid), [[1, 1], [2, 1], [2, 0]]);
  assert.deepEqual(new PF.AStarFinder().findPath(1, 1, 1, 1, grid), [[1, 1]]);
  assert.deepEqual(new PF.AStarFinder().findPath(0, 0, 1, 1, grid), []);
  assert.deepEqual(new PF.AStarFinder().findPath(0, 0, 9, 9, grid), []);
  assert.throws(() => new PF.AStarFinder().findPath(0, 0, 2, 0, matrix), refused('bad_argument', /grid/));
  for (const wrong of [null, undefined, 'abc', {}, [], [null], [[0], null], [[0], 5], ['ab'], NaN, true]) assert.throws(() => new PF.Grid(wrong), refused('bad_argument'));
  assert.throws(() => new PF.Grid(1 << 20, 1 << 20), refused('bad_argument'));
  for (const wrong of [null, 5, 'x', [], { diagonalMovement: 'toString' }, { diagonalMovement: {} }, { diagonalMovement: 5 }]) {
    assert.throws(() => new PF.AStarFinder(wrong), refused('bad_argument'));
    assert.throws(() => new PF.JumpPointFinder(wrong), refused('bad_argument'));
  }
  const copy = grid.clone();
  copy.setWalkableAt(1, 0, true);
  assert.equal(grid.isWalkableAt(1, 0), false);
  assert.throws(() => new PF.Grid(2, 2, [[0]]), OctileError);
  assert.throws(() => grid.setWalkableAt(5, 5, true), OctileError);
  grid.dispose();
  assert.equal(new PF.AStarFinder().findPath(0, 0, 2, 0, copy).length, 3);
});

test('octile.wasm exports nothing that octile.h does not declare', async () => {
  const header = readFileSync(join(root, 'include/octile/octile.h'), 'utf8').replace(/\/\*[^]*?\*\//g, '');
  const module = await WebAssembly.compile(readFileSync(new URL('../dist/octile.wasm', import.meta.url)));
  const extra = new Set(['memory', '_initialize', 'malloc', 'free', 'octile_js_progress_pointer', 'octile_js_find', 'octile_js_ask']);
  for (const { name } of WebAssembly.Module.exports(module)) {
    assert.ok(extra.has(name) || new RegExp(`\\b${name}\\(`).test(header), name);
  }
});
