// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;

namespace Octile {

public enum Moves : byte { Four, Eight }

/// <summary>May a diagonal step pass the two cells beside it?</summary>
public enum Diagonal : byte { Always, AtMostOneObstacle, NoObstacles, Never }

/// <summary>Length of a diagonal step: the square root of 2 exactly; 1.4 (costs come in tens: 10
/// and 14); or 1. Straight steps are 1.</summary>
public enum Metric : byte { Octile, TenFourteen, Chebyshev }

/// <summary>Who walks: the moves, the size, and what each terrain costs. Give it to
/// <see cref="GridWorld.AddProfile"/>, which copies and checks it; one thread at a time.</summary>
public sealed unsafe class MoveProfile {
    /// <summary>The cost of what cannot be entered.</summary>
    public const double Impassable = double.PositiveInfinity;

    internal Native.Profile native;

    /// <summary>Eight moves, no corner cutting, exact diagonals, one cell; '.', 'G', 'S' cost 1,
    /// digits their value, all else is wall.</summary>
    public MoveProfile() {
        Library.Check();
        fixed (Native.Profile* p = &native) Native.Must(Native.octile_profile_init(p));
    }

    public Moves Moves {
        get { return (Moves)native.moves; }
        set { native.moves = (byte)value; }
    }
    public Diagonal Diagonal {
        get { return (Diagonal)native.diagonal; }
        set { native.diagonal = (byte)value; }
    }
    public Metric Metric {
        get { return (Metric)native.metric; }
        set { native.metric = (byte)value; }
    }
    /// <summary>Cells that the unit covers, 1 to 64 a side.</summary>
    public int Width {
        get { return native.width; }
        set { native.width = value; }
    }
    public int Height {
        get { return native.height; }
        set { native.height = value; }
    }
    /// <summary>The cell of its rectangle that tells where the unit is.</summary>
    public Cell Anchor {
        get { return native.anchor; }
        set { native.anchor = value; }
    }

    /// <summary>Cost factor of a terrain: 0 to 4,294,967,295 with at most three decimals, or
    /// <see cref="Impassable"/>.</summary>
    public double this[byte terrain] {
        get { fixed (double* costs = native.terrain_cost) return costs[terrain]; }
        set { fixed (double* costs = native.terrain_cost) costs[terrain] = value; }
    }

    /// <summary>Gives every terrain the same cost.</summary>
    public void SetAll(double cost) {
        fixed (double* costs = native.terrain_cost)
            for (int i = 0; i < 256; ++i) costs[i] = cost;
    }

    /// <summary>Rounds every cost to three decimals, as is needed for costs that were computed.
    /// Returns the largest change.</summary>
    public double Quantise() {
        double change;
        fixed (Native.Profile* p = &native) Native.Must(Native.octile_profile_quantise(p, &change));
        return change;
    }
}

}  // namespace Octile
