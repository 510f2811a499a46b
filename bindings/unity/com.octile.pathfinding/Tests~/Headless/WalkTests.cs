// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Walking along paths that are replaced on the way, and places to go to.

using System;
using Octile;

public static class WalkTests {
    private static WorldPoint P(double x, double y) { return new WorldPoint(x, y); }

    private static void At(WorldPoint want, WorldPoint is_, string what) {
        Check.Near(want.x, is_.x, what + " x");
        Check.Near(want.y, is_.y, what + " y");
    }

    public static void AlongAPath() {
        var walker = new PathWalker();
        var position = P(0, 0);
        Check.True(!walker.IsWalking && !walker.Move(ref position, 1), "no path");
        walker.SetPath(new[] { P(0, 0), P(3, 0), P(3, 4), P(9, 9) }, 3, position);
        Check.Near(7, walker.Remaining(position), "remaining");
        Check.True(walker.Move(ref position, 2), "on the way");
        At(P(2, 0), position, "straight");
        Check.True(walker.Move(ref position, 2), "on the way");
        At(P(3, 1), position, "round the corner in one move");
        Check.True(walker.Move(ref position, 0), "no distance, no move");
        Check.Near(3, walker.Remaining(position), "remaining");
        Check.True(!walker.Move(ref position, 100), "arrived");
        At(P(3, 4), position, "not beyond the end");
        Check.True(!walker.IsWalking && walker.Remaining(position) == 0, "arrived");
        walker.SetPath(new[] { P(3, 4) }, 1, position);
        Check.True(!walker.IsWalking, "there already");
        walker.SetPath(new WorldPoint[0], 0, position);
        Check.True(!walker.IsWalking, "nowhere to go");
        Check.Throws<ArgumentOutOfRangeException>(() => walker.Move(ref position, -1), "backwards");
        Check.Throws<ArgumentOutOfRangeException>(() => walker.Move(ref position, double.NaN), "NaN");
        Check.Throws<ArgumentOutOfRangeException>(() => walker.SetPath(new WorldPoint[1], 2, position), "too long");
    }

    public static void TheSamePathAnewDoesNotTurnBack() {
        // The path was asked for at (0, 0) and comes when the unit is at (2.4, 0).
        var path = new[] { P(0, 0), P(1, 0), P(2, 0), P(3, 0), P(3, 1) };
        var walker = new PathWalker();
        var position = P(2.4, 0);
        walker.SetPath(path, 5, position, 2.4);
        Check.Equal(3, walker.Next, "the next point");
        double x = position.x;
        while (walker.Move(ref position, 0.1)) {
            Check.True(position.x >= x - 1e-12, "it turned back");
            x = position.x;
        }
        At(P(3, 1), position, "arrived");
        // On a point of the path: that point is behind.
        position = P(2, 0);
        walker.SetPath(path, 5, position, 2);
        Check.Equal(3, walker.Next, "the next point");
    }

    public static void AnotherPathIsJoinedAhead() {
        // On its way east it gets a path to the north, which starts a little behind it.
        var walker = new PathWalker();
        var position = P(0.4, 0);
        walker.SetPath(new[] { P(0, 0), P(0, 10) }, 2, position, 0.4);
        At(P(0, 0.4), walker.Target, "joined as far ahead as it is beside");
        WorldPoint last = position;
        while (walker.Move(ref position, 0.05)) {
            Check.True(position.y >= last.y - 1e-12 && position.x <= last.x + 1e-12, "it turned back");
            last = position;
        }
        At(P(0, 10), position, "arrived");
    }

    public static void OutsideACornerTheCornerIsBehind() {
        var walker = new PathWalker();
        walker.SetPath(new[] { P(0, 0), P(3, 0), P(3, 4) }, 3, P(3.3, -0.4), 3);
        Check.Equal(2, walker.Next, "beyond the corner");
        At(P(3, 0.5), walker.Target, "ahead of the corner");
    }

    public static void ALaterBendIsNotJumpedTo() {
        // Round a thin wall: the way back on the other side passes 0.5 away from where it stands.
        var path = new[] { P(0, 0), P(10, 0), P(10, 0.9), P(0, 0.9) };
        var walker = new PathWalker();
        var position = P(3, 0.5);  // pushed towards the wall
        walker.SetPath(path, 4, position, 3);
        Check.Equal(1, walker.Next, "still on the first side");
        walker.SetPath(path, 4, position);
        Check.Equal(1, walker.Next, "also when nobody counted");
        walker.SetPath(path, 4, position, 1000);
        Check.Equal(3, walker.Next, "after a long way it may be there");
    }

    public static void ManyPathsOnTheWay() {
        // Whatever comes, the distance to the goal shrinks on a straight way.
        var random = new Lcg(3);
        var path = new WorldPoint[21];
        for (int i = 0; i < 21; ++i) path[i] = P(i, 0);
        var walker = new PathWalker();
        var position = P(0, 0);
        double since = 0, left = 20;
        walker.SetPath(path, 21, position);
        var anew = new WorldPoint[21];
        for (int tick = 0; tick < 2000 && walker.IsWalking; ++tick) {
            walker.Move(ref position, 0.05);
            since += 0.05;
            Check.True(walker.Remaining(position) <= left + 1e-9, "it turned back");
            left = walker.Remaining(position);
            if (random.Below(5) != 0) continue;
            // As from a search that started `since` ago, from the cell it was in.
            int first = Math.Max(0, (int)Math.Round(position.x - since));
            Array.Copy(path, first, anew, 0, 21 - first);
            walker.SetPath(anew, 21 - first, position, since);
            since = random.Below(10) * 0.05;
            Check.Near(left, walker.Remaining(position), "the same way");
        }
        At(P(20, 0), position, "arrived");
    }

    public static void PlacesInReach() {
        using (var world = Make.World("..........", "....#.....", "....#.....", "....######", "....#....."))
        using (var view = Make.ViewOf(world))
        using (var places = new Places(7)) {
            Cell place;
            var seen = new System.Collections.Generic.HashSet<Cell>();
            for (int i = 0; i < 200; ++i) {
                Check.True(places.TryRandom(view, new Cell(0, 0), 2, out place), "a place");
                seen.Add(place);
            }
            Check.Equal(6, seen.Count, "all six cells in reach");
            Check.True(!places.TryRandom(view, new Cell(4, 2), 2, out place), "in a wall");
            Check.True(!places.TryRandom(view, new Cell(-4, 2), 2, out place), "outside");
            // Fleeing from the east: not to the dead end behind the wall, which is near by air.
            Check.True(places.TryFlee(view, new Cell(4, 0), new Cell(9, 0), 100, out place), "flee");
            Check.Equal(new Cell(0, 4), place, "the farthest corner");
            int count;
            Cell[] all = places.InReach(view, new Cell(0, 0), 1000, out count);
            Check.True(count > 25 && all.Length >= count, "everything");
        }
        using (var world = new GridWorld(40, 40))
        using (var view = Make.ViewOf(world))
        using (var places = new Places()) {
            int count;
            places.InReach(view, new Cell(0, 0), 1e9, out count);
            Check.Equal(1600, count, "the list grows");
        }
    }
}
