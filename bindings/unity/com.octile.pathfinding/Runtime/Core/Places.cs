// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;

namespace Octile {

/// <summary>Finds places to go to: any that can be reached, or one away from a threat. Keeps its
/// fields and lists: no garbage once warm. One thread at a time.</summary>
public sealed class Places : IDisposable {
    private readonly FlowField around = new FlowField(), threat = new FlowField();
    private Cell[] cells = new Cell[256];
    private double[] distances = new double[256];
    private ulong state;

    /// <summary>The same seed gives the same choices.</summary>
    public Places(ulong seed = 1) { state = seed; }

    /// <summary>The cells that a unit can reach at this cost; element 0 up to the count. The array
    /// is that of this object and holds until the next call. Costs are those of the way back, which
    /// are the same where all cells cost the same.</summary>
    public Cell[] InReach(View view, Cell from, double cost, out int count) {
        around.Build(view, from, cost);
        count = around.Within(cost, cells);
        if (count > cells.Length) {
            cells = new Cell[count + count / 2];
            around.Within(cost, cells);
        }
        return cells;
    }

    /// <summary>Any cell in reach, each as likely as the others; false when the unit stands in a
    /// wall or outside.</summary>
    public bool TryRandom(View view, Cell from, double cost, out Cell place) {
        place = from;
        if (view == null) throw new ArgumentNullException("view");
        if (!view.IsPassable(from)) return false;
        int count;
        InReach(view, from, cost, out count);
        place = cells[(int)(Random() % (ulong)count)];
        return true;
    }

    /// <summary>The cell in reach that is farthest to walk from the threat; of equals the nearest to
    /// the unit, then by y, x. False when the unit or the threat stands where nobody can.</summary>
    public bool TryFlee(View view, Cell from, Cell danger, double cost, out Cell place) {
        place = from;
        if (view == null) throw new ArgumentNullException("view");
        if (!view.IsPassable(from) || !view.IsPassable(danger)) return false;
        threat.Build(view, danger);
        int count;
        InReach(view, from, cost, out count);
        if (distances.Length < count) distances = new double[cells.Length];
        threat.Distances(cells, count, distances);
        double best = -1;
        for (int i = 0; i < count; ++i) {
            if (distances[i] < best) continue;
            if (distances[i] == best && around.Distance(cells[i]) >= around.Distance(place)) continue;
            best = distances[i];
            place = cells[i];
        }
        return true;
    }

    public void Dispose() {
        around.Dispose();
        threat.Dispose();
    }

    // SplitMix64.
    private ulong Random() {
        unchecked {
            ulong z = state += 0x9E3779B97F4A7C15ul;
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
            z = (z ^ z >> 27) * 0x94D049BB133111EBul;
            return z ^ z >> 31;
        }
    }
}

}  // namespace Octile
