#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""A tour in pictures: tour.py [FOLDER] writes FOLDER/tour.png (build/tour)."""

# %% A map: 30 % walls
import os
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import octile

folder = sys.argv[1] if len(sys.argv) > 1 else "build/tour"
rng = np.random.default_rng(7)
free = rng.random((60, 90)) > 0.3
free[28:32] = free[:, 43:47] = True
engine = octile.Engine(free)
view = engine.view()
start, goal = (2, 29), (88, 30)
figure, axes = plt.subplots(2, 2, figsize=(13, 9), constrained_layout=True)


def walls(axis, title):
    axis.imshow(np.where(view.passable()[..., None], 255, 40).astype(np.uint8).repeat(3, 2), interpolation="nearest")
    axis.set(title=title, xticks=[], yticks=[])


# %% One path, and what the search looked at
trace = octile.Trace()
engine.map.fill((44, 28, 2, 4), "@")  # a wall across the corridor
engine.commit()
view = engine.view()
answer = view.find(start, goal, solver="astar", trace=trace)
events = trace.events()
walls(axes[0, 0], f"astar: cost {answer.cost:.2f}, {answer.expanded} cells expanded")
closed = events[events["kind"] == octile.TraceKind.CLOSED]
axes[0, 0].scatter(*closed["cell"].T, c=closed["g"], s=6, marker="s", cmap="viridis")
axes[0, 0].plot(*answer.path.T, color="orangered", linewidth=2)

# %% A field: the distance of every cell to a goal, and which way to go
field = octile.FieldMaker().build(view, [goal])
walls(axes[0, 1], "a field: distances to the goal, and the flow")
distances = field.read()
axes[0, 1].imshow(np.ma.masked_invalid(distances), cmap="magma_r")
y, x = np.mgrid[0:60:3, 0:90:3]
towards = np.stack([x.ravel(), y.ravel()], 1)
step = field.next(towards) - towards
moving = step.any(axis=1)
axes[0, 1].quiver(*towards[moving].T, *step[moving].T, angles="xy", color="white", width=0.002)

# %% An index, and ten thousand queries at once
fast = view.with_index(octile.Index.build(view))
cells = np.argwhere(view.passable())[:, ::-1]
pairs = rng.choice(cells, (10000, 2))
batch = octile.Batch().run(fast, pairs)
count = np.zeros(free.shape)
np.add.at(count, (batch.cells[:, 1], batch.cells[:, 0]), 1)
found = int((batch.status == octile.Status.FOUND).sum())
walls(axes[1, 0], f"where {found} shortest paths of 10,000 queries go")
axes[1, 0].imshow(np.ma.masked_equal(count, 0), norm="log", cmap="inferno")

# %% One order for forty units
main = view.component()[start[1], start[0]]
reachable = np.argwhere(view.component() == main)[:, ::-1]
units = reachable[(reachable[:, 0] < 20)][::9][:40]
order = octile.GroupOrder(view, units, (70, 30), formation="box")
walls(axes[1, 1], f"forty units, a slot for each: {order.placed} placed, longest way {order.longest:.1f}")
for unit, slot in zip(units, order.cells):
    axes[1, 1].plot(*view.find(unit, slot).path.T, color="steelblue", linewidth=0.7)
axes[1, 1].scatter(*units.T, s=14, color="seagreen", label="units", zorder=3)
axes[1, 1].scatter(*order.cells.T, s=14, color="orangered", label="slots", zorder=3)
axes[1, 1].legend(loc="lower left")

os.makedirs(folder, exist_ok=True)
figure.savefig(os.path.join(folder, "tour.png"), dpi=80)
print(answer, f"{found} of 10000 found", f"{order.placed} of 40 placed")
