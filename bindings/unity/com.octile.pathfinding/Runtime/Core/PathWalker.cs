// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;

namespace Octile {

/// <summary>Moves a point along a path, also when the path is replaced on the way. A new path is
/// joined where the walker is, not at its first point: it never turns back to a point that lies
/// behind it. Plain C#, no garbage once warm; one thread at a time.
/// <code>
///        new path   A ─────foot──join──────── B ───       The walker W heads for `join`, as far
///                           │    /                        ahead of the foot as W is beside the
///                           W                             path, and then along the path.
/// </code></summary>
public sealed class PathWalker {
    private WorldPoint[] points = new WorldPoint[64];
    private int count, next;
    private bool joining;
    private WorldPoint join;

    /// <summary>Is there a path with something left of it?</summary>
    public bool IsWalking { get { return next < count; } }

    /// <summary>Where it heads now; only while walking.</summary>
    public WorldPoint Target { get { return joining ? join : points[Math.Min(next, Math.Max(count - 1, 0))]; } }

    /// <summary>Number of the point of the path that comes next; the count of points at the end.</summary>
    public int Next { get { return next; } }

    /// <summary>Stops where it is.</summary>
    public void Clear() {
        count = next = 0;
        joining = false;
    }

    /// <summary>Goes on along the first <paramref name="length"/> of these points, which are copied.
    /// <paramref name="travelled"/>: how far it has walked since the path was asked for (from the
    /// first point, then); only so much of the path, and a little more, is taken for passed, so that
    /// a later bend that comes near, behind a wall say, is not jumped to. Negative: not known, twice
    /// the distance from the first point.</summary>
    public void SetPath(WorldPoint[] path, int length, WorldPoint position, double travelled = -1) {
        Arguments.Fits(path, length, "path");
        if (points.Length < length) points = new WorldPoint[length + length / 2];
        Array.Copy(path, points, length);
        count = length;
        next = 0;
        joining = false;
        if (length == 0) return;
        double away = Distance(position, points[0]);
        double window = (travelled < 0 ? 2 * away : travelled + away) * (1 + 1e-9) + 1e-9;
        double best = away, arc = 0;
        WorldPoint foot = points[0];
        int segment = 0;  // the foot lies between this point and the next
        for (int i = 0; i + 1 < length && arc <= window; ++i) {
            WorldPoint on = Foot(points[i], points[i + 1], position);
            double distance = Distance(on, position);
            // Of equals the later: where two segments meet, the first one is behind.
            if (distance <= best + 1e-9 && arc + Distance(points[i], on) <= window) {
                best = Math.Min(best, distance);
                foot = on;
                segment = i;
            }
            arc += Distance(points[i], points[i + 1]);
        }
        next = Math.Min(segment + 1, length - 1);
        if (best > 1e-9) {
            joining = true;
            join = Towards(foot, points[next], best);
        }
        Skip(position);
    }

    /// <summary>Moves the position by at most so much along the path. True while there is more to
    /// walk; false when it stands at the end, or has no path.</summary>
    public bool Move(ref WorldPoint position, double distance) {
        if (!(distance >= 0)) throw new ArgumentOutOfRangeException("distance");
        while (next < count) {
            WorldPoint target = Target;
            double left = Distance(position, target);
            if (left > distance) {
                position = Towards(position, target, distance);
                return true;
            }
            position = target;
            distance -= left;
            if (joining) joining = false;
            else ++next;
            Skip(position);
        }
        return false;
    }

    /// <summary>What is left of the way.</summary>
    public double Remaining(WorldPoint position) {
        if (next >= count) return 0;
        double sum = Distance(position, Target);
        if (joining) sum += Distance(join, points[next]);
        for (int i = next; i + 1 < count; ++i) sum += Distance(points[i], points[i + 1]);
        return sum;
    }

    // Points on which it stands already.
    private void Skip(WorldPoint position) {
        if (joining) return;
        while (next < count && Distance(position, points[next]) <= 1e-9) ++next;
    }

    private static double Distance(WorldPoint a, WorldPoint b) {
        double x = a.x - b.x, y = a.y - b.y;
        return Math.Sqrt(x * x + y * y);
    }

    private static WorldPoint Towards(WorldPoint from, WorldPoint to, double distance) {
        double whole = Distance(from, to);
        if (whole <= distance) return to;
        double share = distance / whole;
        return new WorldPoint(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    }

    private static WorldPoint Foot(WorldPoint a, WorldPoint b, WorldPoint p) {
        double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
        if (square <= 0) return a;
        double share = ((p.x - a.x) * x + (p.y - a.y) * y) / square;
        if (share <= 0) return a;
        if (share >= 1) return b;
        return new WorldPoint(a.x + x * share, a.y + y * share);
    }
}

}  // namespace Octile
