// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEngine;

namespace Octile {

/// <summary>A wall that comes and goes with its object.</summary>
[AddComponentMenu("Octile/Grid Obstacle")]
public sealed class GridObstacle : GridShape {
    protected override byte Terrain { get { return GridWorld.Wall; } }

    /// <summary>Would a wall there cut something off that is connected now? Ask before you build;
    /// the cells are those of <see cref="GridMap.CellsOf"/>. With pairs: one of these ways.</summary>
    public static bool WouldBlock(GridMap map, CellRect rect, CellPair[] ways = null) {
        var cells = new Cell[rect.Area];
        for (int i = 0; i < cells.Length; ++i) cells[i] = new Cell(rect.x + i % rect.width, rect.y + i / rect.width);
        int first;
        return map.Searcher.WouldDisconnect(map.View, cells, cells.Length, ways, ways == null ? 0 : ways.Length, out first);
    }
}

}  // namespace Octile
