// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// The classes of Runtime/Core against the real library, called rightly and wrongly.

using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Threading;
using Octile;

public static class Make {
    public static readonly string[] Rooms = {
        "..........", //
        "....#.....", //
        "....#.....", //
        "....#.....", //
        "....######", //
        "..........",
    };

    // '#' is a wall, all else free; rows of one length.
    public static GridWorld World(params string[] rows) {
        var terrain = new byte[rows.Length * rows[0].Length];
        for (int y = 0; y < rows.Length; ++y)
            for (int x = 0; x < rows[y].Length; ++x)
                terrain[y * rows[0].Length + x] = rows[y][x] == '#' ? GridWorld.Wall : (byte)rows[y][x];
        return new GridWorld(new GridWorld.Definition { Width = rows[0].Length, Height = rows.Length }, terrain);
    }

    public static View ViewOf(GridWorld world, MoveProfile profile = null) {
        uint id = world.AddProfile(profile ?? new MoveProfile());
        world.Commit();
        return world.View(id);
    }

    public static GridWorld Noise(int width, int height, int wallPercent, int seed) {
        var terrain = new byte[width * height];
        var random = new Lcg((uint)seed);
        for (int i = 0; i < terrain.Length; ++i) terrain[i] = random.Below(100) < wallPercent ? GridWorld.Wall : GridWorld.Free;
        return new GridWorld(new GridWorld.Definition { Width = width, Height = height }, terrain);
    }

    public static string TempFile(string name) {
        return Path.Combine(Path.GetTempPath(), "octile_unity_" + System.Diagnostics.Process.GetCurrentProcess().Id + "_" + name);
    }
}

// The same numbers in C# and in unity_overhead_twin.cpp.
public struct Lcg {
    private uint state;
    public Lcg(uint seed) { state = seed * 2654435761u + 1; }
    public int Below(int n) {
        state = state * 1664525u + 1013904223u;
        return (int)((state >> 8) % (uint)n);
    }
}

public static class CoreTests {
    // The plainest reading of the rules, sharing nothing with the engine: is this a path, and what
    // does it cost?
    private static double Walk(byte[] terrain, int width, int height, Cell[] path, int length, Diagonal rule, double diagonal) {
        double cost = 0;
        for (int i = 0; i < length; ++i) {
            Cell c = path[i];
            Check.True(c.x >= 0 && c.y >= 0 && c.x < width && c.y < height && terrain[c.y * width + c.x] == GridWorld.Free, "a cell of the path is no free one: " + c);
            if (i == 0) continue;
            Cell step = c - path[i - 1];
            Check.True(Math.Abs(step.x) <= 1 && Math.Abs(step.y) <= 1 && step != new Cell(0, 0), "no step: " + step);
            if (step.x != 0 && step.y != 0) {
                int walls = (terrain[path[i - 1].y * width + c.x] != GridWorld.Free ? 1 : 0) + (terrain[c.y * width + path[i - 1].x] != GridWorld.Free ? 1 : 0);
                Check.True(rule == Diagonal.Always || rule == Diagonal.AtMostOneObstacle && walls < 2 || rule == Diagonal.NoObstacles && walls == 0, "a corner is cut");
                cost += diagonal;
            } else {
                cost += 1;
            }
        }
        return cost;
    }

    public static void LibraryAndSizes() {
        Library.Check();
        Check.True(Library.Version.Minor >= 2 || Library.Version.Major > 0, "version");
        Check.Equal("found", Library.NameOf(Status.Found), "name");
        Check.Equal("bad_argument", Library.NameOf(Status.BadArgument), "name");
        Check.Equal("auto", Library.SolverName(0), "solver 0");
        Check.True(Library.SolverId("dijkstra") > 0, "the judge is there");
        Check.Equal(-1, Library.SolverId("no such"), "no such solver");
        Check.Equal("", Library.SolverName(Library.SolverCount), "no such id");
    }

    // Field by field against what the C compiler said (tests/octile_abi.txt): same order, same places.
    public static void LayoutsAreThoseOfC() {
        string file = Environment.GetEnvironmentVariable("OCTILE_ABI");
        if (file == null || !File.Exists(file)) throw new Skipped("OCTILE_ABI names no file");
        var offsets = new Dictionary<string, List<int>>();
        List<int> present = null;
        foreach (string line in File.ReadAllLines(file)) {
            string[] words = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            if (line.StartsWith("struct ")) offsets[words[1]] = present = new List<int>();
            else if (line.StartsWith("  ") && present != null) present.Add(int.Parse(words[1]));
            else present = null;
        }
        int compared = 0;
        foreach (Type type in typeof(Cell).Assembly.GetTypes()) {
            if (!type.IsValueType || type.IsEnum || type.StructLayoutAttribute == null) continue;
            string name = type.Name == "CellRect" ? "Rect" : type.Name == "WorldPoint" ? "Point" : type.Name == "CellPair" ? "Pair" : type == typeof(PathAnswer) ? "Answer" : type.Name;
            string c = "octile";
            foreach (char letter in name) c += char.IsUpper(letter) ? "_" + char.ToLowerInvariant(letter) : letter.ToString();
            if (!offsets.ContainsKey(c)) continue;
            var fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
            Check.Equal(offsets[c].Count, fields.Length, c + " fields");
            for (int i = 0; i < fields.Length; ++i)
                Check.Equal(offsets[c][i], (int)System.Runtime.InteropServices.Marshal.OffsetOf(type, fields[i].Name), c + "." + fields[i].Name);
            ++compared;
        }
        Check.Equal(34, compared, "structs");
    }

    public static void KnownCosts() {
        using (var world = Make.World(Make.Rooms))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var path = new Cell[64];
            int length;
            Check.True(searcher.TryFindPath(view, new Cell(0, 0), new Cell(3, 3), path, out length), "found");
            Check.Equal(4, length, "cells");
            Check.Near(3 * Math.Sqrt(2), searcher.LastAnswer.Cost, "cost");
            // Up, round the corner without cutting it, down.
            Check.True(searcher.TryFindPath(view, new Cell(3, 3), new Cell(5, 3), path, out length), "found");
            Check.Near(8, searcher.LastAnswer.Cost, "round the corner");
            Check.Near(8, searcher.Distance(view, new Cell(3, 3), new Cell(5, 3)), "distance is the cost");
            Check.Equal(path[1], searcher.FirstMove(view, new Cell(3, 3), new Cell(5, 3)), "first move");
            Check.True(searcher.TryFindPath(view, new Cell(2, 2), new Cell(2, 2), path, out length) && length == 1, "start is goal");
            Check.Near(0, searcher.LastAnswer.Cost, "no cost");
            var list = new List<Cell>();
            Check.True(searcher.TryFindPath(view, new Cell(3, 3), new Cell(5, 3), list), "list");
            Check.Equal(new Cell(3, 3), list[0], "list starts");
            Check.Equal(new Cell(5, 3), list[list.Count - 1], "list ends");
            PathAnswer answer;
            Check.Equal(Status.Found, searcher.FindPath(view, new Cell(3, 3), new Cell(5, 3), new Span<Cell>(path), out answer), "span");
            Check.Equal(list.Count, answer.Length, "span");
        }
    }

    public static void EveryStatusOfAQuery() {
        using (var world = Make.World(Make.Rooms)) {
            world.Fill(new CellRect(6, 5, 1, 1), GridWorld.Wall);
            using (var view = Make.ViewOf(world))
            using (var searcher = new PathSearcher()) {
                PathAnswer answer;
                var q = new PathQuery(new Cell(0, 0), new Cell(9, 5));
                Check.Equal(Status.NoPath, searcher.FindPath(view, q, (Cell[])null, out answer), "no path");
                Check.True(answer.Message.Length > 0 && !answer.HasPath && answer.Length == 0, "says why");
                q.AllowPartial = true;
                Check.Equal(Status.Partial, searcher.FindPath(view, q, (Cell[])null, out answer), "partial");
                Check.True(answer.HasPath && answer.Length > 1, "partial path");
                q = new PathQuery(new Cell(4, 2), new Cell(0, 0));
                Check.Equal(Status.StartBlocked, searcher.FindPath(view, q, (Cell[])null, out answer), "start");
                q.SnapStart = true;
                Check.Equal(Status.Found, searcher.FindPath(view, q, (Cell[])null, out answer), "snapped");
                q = new PathQuery(new Cell(0, 0), new Cell(4, 2));
                Check.Equal(Status.GoalBlocked, searcher.FindPath(view, q, (Cell[])null, out answer), "goal");
                Check.Equal(Status.StartOutOfBounds, searcher.FindPath(view, new PathQuery(new Cell(-1, 0), new Cell(0, 0)), (Cell[])null, out answer), "outside");
                Check.Equal(Status.GoalOutOfBounds, searcher.FindPath(view, new PathQuery(new Cell(0, 0), new Cell(int.MaxValue, 0)), (Cell[])null, out answer), "outside");
                q = new PathQuery(new Cell(0, 0), new Cell(9, 0)) { MaxCost = 3 };
                Check.Equal(Status.LimitReached, searcher.FindPath(view, q, (Cell[])null, out answer), "limit");
                Check.True(double.IsPositiveInfinity(searcher.Distance(view, new Cell(0, 0), new Cell(9, 5))), "no distance");
                Check.Equal(new Cell(0, 0), searcher.FirstMove(view, new Cell(0, 0), new Cell(9, 5)), "no move");
                int length;
                Check.True(!searcher.TryFindPath(view, new Cell(0, 0), new Cell(9, 5), null, out length) && length == 0, "try");
                Check.Equal(Status.NoPath, searcher.LastAnswer.Status, "and why not");
            }
        }
    }

    public static void CostsAgainstTheJudgeOnEveryRule() {
        int judge = Library.SolverId("dijkstra"), compared = 0;
        var path = new Cell[4096];
        using (var searcher = new PathSearcher())
            for (int map = 0; map < 24; ++map) {
                int width = 20 + map * 3, height = 15 + map * 2;
                using (GridWorld world = Make.Noise(width, height, 10 + map, map)) {
                    var terrain = new byte[width * height];
                    world.ReadTerrain(world.Bounds, terrain);
                    var rule = (Diagonal)(map % 4);
                    using (View view = Make.ViewOf(world, new MoveProfile { Diagonal = rule })) {
                        var random = new Lcg((uint)map + 99);
                        for (int i = 0; i < 40; ++i) {
                            var q = new PathQuery(new Cell(random.Below(width), random.Below(height)), new Cell(random.Below(width), random.Below(height)));
                            PathAnswer is_, want;
                            q.Solver = judge;
                            Status wanted = searcher.FindPath(view, q, path, out want);
                            q.Solver = 0;
                            Check.Equal(wanted, searcher.FindPath(view, q, path, out is_), "status");
                            Check.Equal(want.CostUnits, is_.CostUnits, "cost");
                            if (wanted != Status.Found) continue;
                            Check.Near(is_.Cost, Walk(terrain, width, height, path, is_.Length, rule == Diagonal.Never ? Diagonal.NoObstacles : rule, rule == Diagonal.Never ? 1e9 : Math.Sqrt(2)), "walked");
                            ++compared;
                        }
                    }
                }
            }
        Check.True(compared > 300, "too few paths: " + compared);
    }

    public static void PublishedOptima() {
        string maps = Environment.GetEnvironmentVariable("OCTILE_MAPS");
        string map = maps == null ? "" : Path.Combine(maps, "dao/brc202d.map");
        if (!File.Exists(map) || !File.Exists(map + ".scen")) throw new Skipped("there is no dao/brc202d.map; set OCTILE_MAPS");
        using (var world = new GridWorld(File.ReadAllBytes(map)))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            int n = 0;
            foreach (string line in File.ReadAllLines(map + ".scen")) {
                string[] f = line.Split('\t');
                if (f.Length < 9 || n++ % 20 != 0) continue;
                double cost = searcher.Distance(view, new Cell(int.Parse(f[4]), int.Parse(f[5])), new Cell(int.Parse(f[6]), int.Parse(f[7])));
                double want = double.Parse(f[8], System.Globalization.CultureInfo.InvariantCulture);
                Check.True(Math.Abs(cost - want) < 0.01, "line " + n + ": " + cost + " for " + want);
            }
            Check.True(n > 1000, "queries");
        }
    }

    public static void QueryOptions() {
        using (var world = Make.World(Make.Rooms))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            PathAnswer answer;
            var path = new Cell[64];
            var q = new PathQuery { Start = new Cell(0, 0), Goals = new[] { new Cell(9, 0), new Cell(0, 5), new Cell(0, 2) } };
            searcher.FindPath(view, q, path, out answer);
            Check.Equal(2, answer.GoalIndex, "nearest goal");
            q.GoalCount = 2;
            searcher.FindPath(view, q, path, out answer);
            Check.Equal(1, answer.GoalIndex, "nearest of two");
            q.GoalCount = 4;
            Check.Throws<ArgumentOutOfRangeException>(() => searcher.FindPath(view, q, path, out answer), "too many goals");
            q = new PathQuery(new Cell(0, 0), new Cell(9, 0)) { ExtraBlocked = new[] { new Cell(4, 0) } };
            searcher.FindPath(view, q, path, out answer);
            Check.Equal(Status.NoPath, answer.Status, "the door is shut for this query");
            q = new PathQuery(new Cell(0, 0), new Cell(4, 0)) { ExtraCosts = new[] { new ExtraCost(new Cell(4, 0), 2.5) } };
            searcher.FindPath(view, q, path, out answer);
            Check.Near(6.5, answer.Cost, "a dearer cell");
            q = new PathQuery(new Cell(3, 3), new Cell(5, 3)) { Waypoints = true };
            searcher.FindPath(view, q, path, out answer);
            Check.True(answer.Length < 8 && answer.Length > 2, "waypoints");
            q = new PathQuery(new Cell(0, 0), new Cell(9, 0));
            using (var trace = new SearchTrace()) {
                q.Trace = trace;
                searcher.FindPath(view, q, path, out answer);
                var events = new TraceEvent[10000];
                int count = trace.Read(0, events);
                Check.True(count > 0 && count <= events.Length, "events");
                trace.Clear();
                Check.Equal(0, trace.Read(0, null), "cleared");
            }
            Check.Throws<ObjectDisposedException>(() => searcher.FindPath(view, q, path, out answer), "a disposed trace");
            q.Trace = null;
            using (var cancel = new CancelToken()) {
                cancel.Raise();
                q.Solver = Library.SolverId("astar");
                q.Cancel = cancel;
                Status status = searcher.FindPath(view, q, path, out answer);
                Check.True(status == Status.Cancelled || status == Status.Found, "cancelled early or already found: " + status);
                cancel.Reset();
                Check.Equal(Status.Found, searcher.FindPath(view, q, path, out answer), "lowered");
            }
        }
    }

    public static void ShortBuffersReportTheNeed() {
        using (var world = new GridWorld(100, 1))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var path = new Cell[10];
            int length;
            Check.True(searcher.TryFindPath(view, new Cell(0, 0), new Cell(99, 0), path, out length), "found");
            Check.Equal(100, length, "length");
            Check.Equal(new Cell(9, 0), path[9], "the beginning is there");
            Check.Equal(10, searcher.ReadPath(90, path), "the rest");
            Check.Equal(new Cell(99, 0), path[9], "the end");
            var points = new WorldPoint[100];
            Check.Equal(100, searcher.ReadPoints(0, points), "points");
            Check.Near(99.5, points[99].x, "centre");
            var list = new List<Cell>();
            Check.True(searcher.TryFindPath(view, new Cell(0, 0), new Cell(99, 0), list) && list.Count == 100, "list");
        }
    }

    public static void Slices() {
        using (var world = Make.Noise(200, 200, 30, 5)) {
            world.Fill(new CellRect(0, 0, 1, 200), GridWorld.Free);
            world.Fill(new CellRect(0, 199, 200, 1), GridWorld.Free);
            using (var view = Make.ViewOf(world))
            using (var searcher = new PathSearcher()) {
                var q = new PathQuery(new Cell(0, 0), new Cell(199, 199)) { Solver = Library.SolverId("astar") };
                PathAnswer answer, whole;
                var path = new Cell[2000];
                searcher.FindPath(view, q, path, out whole);
                searcher.Begin(view, q);
                int slices = 1;
                while (!searcher.Step(100, path, out answer)) ++slices;
                Check.True(slices > 3, "slices: " + slices);
                Check.Equal(whole.CostUnits, answer.CostUnits, "cost");
                Check.Equal(whole.Length, answer.Length, "length");
                Check.Equal(new Cell(199, 199), path[answer.Length - 1], "path");
                Check.Throws<OctileException>(() => searcher.Step(1, path, out answer), "nothing was begun");
                using (var cancel = new CancelToken()) {
                    q.Cancel = cancel;
                    searcher.Begin(view, q);
                    searcher.Step(10, path, out answer);
                    cancel.Raise();
                    while (!searcher.Step(2000, path, out answer)) { }
                    Check.Equal(Status.Cancelled, answer.Status, "cancelled");
                }
                q.Cancel = null;
                // A view that is disposed of while the query goes on.
                View other = view.With(PathIndex.Build(view));
                q.Solver = Library.SolverId("astar");
                searcher.Begin(other, q);
                other.Dispose();
                while (!searcher.Step(500, path, out answer)) { }
                Check.Equal(whole.CostUnits, answer.CostUnits, "undisturbed");
            }
        }
    }

    public static void Indexes() {
        using (var world = Make.Noise(80, 60, 25, 3))
        using (var searcher = new PathSearcher()) {
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            using (View plain = world.View(walker))
            using (PathIndex index = PathIndex.Build(plain)) {
                Check.Equal(IndexKind.TileLabels, index.Kind, "kind");
                Check.True(index.BelongsTo(plain) && index.Bytes > 0 && index.Reason == "", "belongs");
                byte[] bytes = index.ToBytes();
                string path = Make.TempFile("index");
                index.Save(path);
                Check.Equal((long)bytes.Length, new FileInfo(path).Length, "file");
                world.Adopt(walker, index);
                using (PathIndex loaded = PathIndex.Load(path))
                using (PathIndex read = PathIndex.FromBytes(bytes))
                using (View a = plain.With(loaded))
                using (View b = plain.With(read))
                using (View c = world.View(walker)) {
                    Check.Equal(IndexKind.TileLabels, c.IndexKind, "adopted");
                    var random = new Lcg(7);
                    for (int i = 0; i < 300; ++i) {
                        var from = new Cell(random.Below(80), random.Below(60));
                        var to = new Cell(random.Below(80), random.Below(60));
                        double want = searcher.Distance(plain, from, to);
                        Check.Equal(want, searcher.Distance(a, from, to), "loaded");
                        Check.Equal(want, searcher.Distance(b, from, to), "read");
                        Check.Equal(want, searcher.Distance(c, from, to), "adopted");
                    }
                }
                File.Delete(path);
                bytes[bytes.Length / 2] ^= 0x40;
                Check.Throws<OctileException>(() => PathIndex.FromBytes(bytes), "damaged");
                Check.Throws<OctileException>(() => PathIndex.FromBytes(new byte[5]), "truncated");
                Check.Throws<OctileException>(() => PathIndex.Load("/no/such/file"), "no file");
                world.SetTerrain(new Cell(5, 5), world.TerrainAt(new Cell(5, 5)) == GridWorld.Free ? GridWorld.Wall : GridWorld.Free);
                world.Commit();
                using (View edited = world.View(walker)) {
                    Check.True(!index.BelongsTo(edited), "stale");
                    OctileException stale = Check.Throws<OctileException>(() => edited.With(index), "stale");
                    Check.Equal(Status.StaleIndex, stale.Status, "stale");
                }
            }
            // In the background.
            double done;
            Check.True(!world.IsBuilding(out done), "nothing runs");
            world.StartBuild(walker, new PathIndex.Options { Threads = 2 });
            Check.True(world.IsBuilding(out done) && done >= 0 && done <= 1, "runs");
            int rounds = 0;
            while (!world.AdoptFinished()) {
                Thread.Sleep(1);
                Check.True(++rounds < 60000, "the build does not end");
            }
            Check.True(!world.IsBuilding(out done), "ended");
            using (View view = world.View(walker)) Check.Equal(IndexKind.TileLabels, view.IndexKind, "adopted");
            world.StartBuild(walker);
            world.StopBuild();
            Check.True(!world.IsBuilding(out done), "stopped");
            world.StartBuild(walker);
            world.SetTerrain(new Cell(6, 5), world.TerrainAt(new Cell(6, 5)) == GridWorld.Free ? GridWorld.Wall : GridWorld.Free);
            world.Commit();
            rounds = 0;
            while (world.IsBuilding(out done) && !world.AdoptFinished() && ++rounds < 60000) Thread.Sleep(1);
            Check.True(rounds < 60000, "a stale build ends as well");
        }
        using (var world = new GridWorld(new GridWorld.Definition { Width = 4, Height = 4, Weights = true })) {
            world.SetWeight(new Cell(1, 1), 3);
            world.SetWeight(new Cell(2, 1), 4);
            using (var view = Make.ViewOf(world)) Check.Throws<OctileException>(() => PathIndex.Build(view), "weights have no index");
        }
    }

    public static void DistanceTables() {
        using (var world = Make.World(Make.Rooms))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var from = new[] { new Cell(0, 0), new Cell(3, 3) };
            var to = new[] { new Cell(9, 0), new Cell(4, 4), new Cell(0, 5) };
            var table = new double[6];
            searcher.Distances(view, from, to, table);
            for (int i = 0; i < 6; ++i) Check.Equal(searcher.Distance(view, from[i / 3], to[i % 3]), table[i], "table");
            Check.Throws<ArgumentException>(() => searcher.Distances(view, from, to, new double[5]), "too short");
        }
    }

    public static void WouldDisconnect() {
        using (var world = Make.World(Make.Rooms))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var tower = new[] { new Cell(4, 0) };
            int first;
            Check.True(searcher.WouldDisconnect(view, tower, 1), "the only door");
            Check.True(!searcher.WouldDisconnect(view, new[] { new Cell(2, 2) }, 1), "open ground");
            var pairs = new[] { new CellPair(new Cell(0, 0), new Cell(0, 5)), new CellPair(new Cell(0, 0), new Cell(9, 0)) };
            Check.True(searcher.WouldDisconnect(view, tower, 1, pairs, 2, out first) && first == 1, "the second pair");
            Check.True(!searcher.WouldDisconnect(view, tower, 1, pairs, 1, out first) && first == 1, "the first alone");
        }
    }

    public static void WrongCalls() {
        PathAnswer answer;
        int length;
        using (var world = new GridWorld(4, 4)) {
            Check.Throws<OctileException>(() => world.View(0), "no profile");
            uint walker = world.AddProfile(new MoveProfile());
            Check.Throws<OctileException>(() => world.View(walker), "nothing committed");
            world.Commit();
            View view = world.View(walker);
            var searcher = new PathSearcher();
            Check.Throws<ArgumentNullException>(() => searcher.TryFindPath(null, new Cell(), new Cell(), null, out length), "no view");
            Check.Throws<ArgumentNullException>(() => searcher.TryFindPath(view, new Cell(), new Cell(), (List<Cell>)null), "no list");
            Check.Throws<ArgumentNullException>(() => searcher.FindPath(view, null, new Cell[1], out answer), "no query");
            Check.Throws<ArgumentNullException>(() => world.AddProfile(null), "no profile");
            Check.Throws<ArgumentNullException>(() => PathIndex.Build(null), "no view");
            Check.Throws<OctileException>(() => searcher.FindPath(view, new PathQuery { Solver = 9999 }, (Cell[])null, out answer), "no solver");
            Check.Throws<OctileException>(() => searcher.FindPath(view, new PathQuery { Goals = new Cell[0] }, (Cell[])null, out answer), "no goals");
            Check.Throws<ArgumentOutOfRangeException>(() => searcher.Step(0, null, out answer), "no step");
            Check.Throws<ArgumentOutOfRangeException>(() => searcher.ReadPath(-1, null), "negative");
            view.Dispose();
            view.Dispose();
            Check.True(view.IsDisposed, "disposed");
            Check.Throws<ObjectDisposedException>(() => searcher.TryFindPath(view, new Cell(), new Cell(), null, out length), "disposed view");
            using (View again = world.View(walker)) {
                searcher.Dispose();
                Check.Throws<ObjectDisposedException>(() => searcher.TryFindPath(again, new Cell(), new Cell(), null, out length), "disposed searcher");
                world.RemoveProfile(walker);
                Check.Throws<OctileException>(() => world.View(walker), "removed");
                world.Dispose();
                Check.Throws<ObjectDisposedException>(() => world.Commit(), "disposed world");
                using (var other = new PathSearcher()) Check.Near(3, other.Distance(again, new Cell(0, 0), new Cell(3, 0)), "a view lives on");
            }
        }
    }

    public static void FinalizersGiveBack() {
        long before = Library.LiveObjects;
        // In another thread, whose stack is gone afterwards.
        var thread = new Thread(() => {
            for (int i = 0; i < 200; ++i) {
                var world = new GridWorld(8, 8);
                View view = Make.ViewOf(world);
                var searcher = new PathSearcher();
                searcher.Distance(view, new Cell(0, 0), new Cell(7, 7));
                new FlowField().Build(view, new Cell(1, 1));
            }
        });
        thread.Start();
        thread.Join();
        for (int i = 0; i < 4; ++i) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        // Mono scans stacks conservatively: a few may hang on.
        Check.True(Library.LiveObjects - before < 40, "left behind: " + (Library.LiveObjects - before) + " of 1000");
    }

    public static void ManyThreadsOneView() {
        using (var world = Make.Noise(100, 100, 25, 17))
        using (var view = Make.ViewOf(world)) {
            var sums = new ulong[4];
            var errors = new List<Exception>();
            var threads = new Thread[4];
            for (int t = 0; t < 4; ++t) {
                int me = t;
                threads[t] = new Thread(() => {
                    try {
                        using (var searcher = new PathSearcher()) {
                            var random = new Lcg(5);
                            var path = new Cell[1000];
                            for (int i = 0; i < 300; ++i) {
                                PathAnswer answer;
                                var q = new PathQuery(new Cell(random.Below(100), random.Below(100)), new Cell(random.Below(100), random.Below(100)));
                                if (searcher.FindPath(view, q, path, out answer) == Status.Found) sums[me] += answer.CostUnits;
                            }
                        }
                    } catch (Exception error) {
                        lock (errors) errors.Add(error);
                    }
                });
                threads[t].Start();
            }
            foreach (Thread thread in threads) thread.Join();
            Check.Equal(0, errors.Count, "errors");
            for (int t = 1; t < 4; ++t) Check.Equal(sums[0], sums[t], "the same answers");
            Check.True(sums[0] > 0, "answers");
        }
    }

    public static void TwoThreadsOnOneSearcherAreTold() {
        using (var world = Make.Noise(200, 200, 25, 19))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            Exception other = null;
            var threads = new Thread[2];
            for (int t = 0; t < 2; ++t) {
                threads[t] = new Thread(() => {
                    try {
                        for (int i = 0; i < 300; ++i) searcher.Distance(view, new Cell(0, 0), new Cell(199, 199 - i % 50));
                    } catch (OctileException) {
                        // Told; nothing else may happen.
                    } catch (Exception error) {
                        other = error;
                    }
                });
                threads[t].Start();
            }
            foreach (Thread thread in threads) thread.Join();
            Check.True(other == null, "" + other);
            searcher.Distance(view, new Cell(0, 0), new Cell(1, 1));
        }
    }
}
