// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEngine;

namespace Octile {

/// <summary>Ground of another kind: mud, water, a road. What it costs is told by the map's terrain
/// costs. Where some overlap, the one that was enabled last counts.</summary>
[AddComponentMenu("Octile/Grid Area")]
public sealed class GridArea : GridShape {
    [Tooltip("Terrain id, 1 to 255; give it a cost in the GridMap, else it is a wall.")] [Range(1, 255)] public int terrain = 1;

    protected override byte Terrain { get { return (byte)terrain; } }
}

}  // namespace Octile
