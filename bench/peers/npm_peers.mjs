// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Each npm path finder as a contestant of peer_timing.mjs. All are told to move in eight directions
// without cutting corners, and are treated as well as their interfaces allow. expanded() is 0 where
// a library does not tell.

import { elapsedMs, moment } from './peer_timing.mjs';

const pair = (path, i) => path[i];
const point = (path, i) => [path[i].x, path[i].y];

// PathFinding.js writes its searches into the nodes of the grid and asks for a fresh copy of the
// grid for each, which takes longer than many a search. That copy is saved here: the nodes that a
// search opens are noted, and reset before the next one. All have their fields from the start, so
// that V8 keeps one layout for them.
class NodeNotes {
  constructor(nodes) {
    for (const row of nodes.nodes) row.forEach(NodeNotes.clear);
    this.opened = new Array(nodes.width * nodes.height).fill(null);
    this.count = 0;
  }

  static clear(node) {
    node.g = node.h = node.f = 0;
    node.parent = undefined;
    node.opened = node.closed = false;
  }

  add(node) {
    this.opened[this.count++] = node;
  }

  reset() {
    for (let i = 0; i < this.count; ++i) NodeNotes.clear(this.opened[i]);
    this.count = 0;
  }
}

function pathfindingAStar(load, grid, queries) {
  const PF = load('pathfinding');
  const begin = moment();
  const nodes = new PF.Grid(grid.matrix());
  const notes = new NodeNotes(nodes);
  let expanded = 0;
  // Asked once for each node expanded; the neighbours that are not open are opened next.
  nodes.getNeighbors = (node, diagonalMovement) => {
    const neighbors = PF.Grid.prototype.getNeighbors.call(nodes, node, diagonalMovement);
    for (let i = 0; i < neighbors.length; ++i) if (!neighbors[i].opened) notes.add(neighbors[i]);
    ++expanded;
    return neighbors;
  };
  const finder = new PF.AStarFinder({
    diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles,
  });
  return {
    buildMs: elapsedMs(begin),
    at: pair,
    expanded: () => expanded,
    answer(number) {
      const q = queries[number];
      expanded = 0;
      notes.reset();
      notes.add(nodes.nodes[q.startY][q.startX]);
      return finder.findPath(q.startX, q.startY, q.goalX, q.goalY, nodes);
    },
  };
}

// The path is that with every cell, which the library fills in itself.
function pathfindingJps(load, grid, queries, heuristic) {
  const PF = load('pathfinding');
  const begin = moment();
  const nodes = new PF.Grid(grid.matrix());
  const notes = new NodeNotes(nodes);
  // A jump point is looked up and, when new, estimated at once: the last node looked up then is the
  // one that is opened.
  let last = null;
  nodes.getNodeAt = (x, y) => (last = nodes.nodes[y][x]);
  const estimate = PF.Heuristic[heuristic];
  const finder = new PF.JumpPointFinder({
    diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles,
    heuristic(dx, dy) {
      if (!last.opened) notes.add(last);
      return estimate(dx, dy);
    },
  });
  return {
    buildMs: elapsedMs(begin),
    at: pair,
    expanded: () => 0,
    answer(number) {
      const q = queries[number];
      notes.reset();
      notes.add(nodes.nodes[q.startY][q.startX]);
      return finder.findPath(q.startX, q.startY, q.goalX, q.goalY, nodes);
    },
  };
}

// Synchronous, and never interrupted. Its diagonal costs 1.4, which prefers other paths than
// sqrt(2) does, and cannot be changed.
function easystar(load, grid, queries) {
  const EasyStar = load('easystarjs');
  const begin = moment();
  const finder = new EasyStar.js();
  finder.setGrid(grid.matrix());
  finder.setAcceptableTiles([0]);
  finder.enableDiagonals();
  finder.disableCornerCutting();
  finder.enableSync();
  let path = null;
  const keep = (found) => {
    path = found;
  };
  return {
    buildMs: elapsedMs(begin),
    at: point,
    expanded: () => 0,
    answer(number) {
      const q = queries[number];
      finder.findPath(q.startX, q.startY, q.goalX, q.goalY, keep);
      finder.calculate();
      // Its answer to start == goal is an empty path.
      const stays = path && path.length === 0 && q.startX === q.goalX && q.startY === q.goalY;
      return stays ? [{ x: q.startX, y: q.startY }] : path;
    },
  };
}

// A graph with a node a free cell and an undirected link a step, named by numbers.
function ngraph(load, grid, queries) {
  const createGraph = load('ngraph.graph');
  const finders = load('ngraph.path');
  const begin = moment();
  const graph = createGraph({ multigraph: false });
  const { width, height } = grid;
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) if (grid.passable(x, y)) graph.addNode(y * width + x, { x, y });
  }
  const link = (x, y, nx, ny, cost) => graph.addLink(y * width + x, ny * width + nx, cost);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      if (!grid.passable(x, y)) continue;
      const east = grid.passable(x + 1, y);
      const south = grid.passable(x, y + 1);
      const west = grid.passable(x - 1, y);
      if (east) link(x, y, x + 1, y, 1);
      if (south) link(x, y, x, y + 1, 1);
      if (east && south && grid.passable(x + 1, y + 1)) link(x, y, x + 1, y + 1, Math.SQRT2);
      if (west && south && grid.passable(x - 1, y + 1)) link(x, y, x - 1, y + 1, Math.SQRT2);
    }
  }
  const finder = finders.aStar(graph, {
    distance: (_a, _b, step) => step.data,
    heuristic(a, b) {
      const dx = Math.abs(a.data.x - b.data.x);
      const dy = Math.abs(a.data.y - b.data.y);
      return Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy);
    },
  });
  return {
    buildMs: elapsedMs(begin),
    // Its paths lead from the goal to the start.
    at(path, i) {
      const { x, y } = path[path.length - 1 - i].data;
      return [x, y];
    },
    expanded: () => 0,
    answer(number) {
      const q = queries[number];
      return finder.find(q.startY * width + q.startX, q.goalY * width + q.goalX);
    },
  };
}

// By name: (load, grid, queries) -> contestant without a name. load() is require() in the folder
// that the packages are installed in.
export const makers = {
  pathfinding_astar: pathfindingAStar,
  pathfinding_jps: (load, grid, queries) => pathfindingJps(load, grid, queries, 'manhattan'),
  pathfinding_jps_octile: (load, grid, queries) => pathfindingJps(load, grid, queries, 'octile'),
  easystar,
  ngraph,
};
