// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEngine;

namespace Octile {

/// <summary>A wall while it is closed.</summary>
[AddComponentMenu("Octile/Grid Door")]
public sealed class GridDoor : GridShape {
    [Tooltip("Is it closed?")] [SerializeField] private bool closed = true;

    public bool Closed {
        get { return closed; }
        set {
            if (closed == value) return;
            closed = value;
            Show();
        }
    }

    protected override byte Terrain { get { return GridWorld.Wall; } }
    protected override bool Present { get { return closed; } }
}

}  // namespace Octile
