// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Streamed worlds, logs of edits, repaired labels, search trees, ends that race; requests.

using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Octile;

public static class WorldTests {
    // A wall with a gap, in any tile.
    private static byte[] Tile(Cell first) {
        var terrain = new byte[64 * 64];
        for (int i = 0; i < terrain.Length; ++i) terrain[i] = i % 64 == 32 && i / 64 != first.y / 64 % 50 ? GridWorld.Wall : GridWorld.Free;
        return terrain;
    }

    public static void StreamedWorlds() {
        const int Wide = 64 * 5, High = 64 * 3;
        var definition = new GridWorld.Definition { Width = Wide, Height = High, FirstCell = new Cell(-70, 5) };
        var whole = new byte[Wide * High];
        for (int y = 0; y < High; ++y)
            for (int x = 0; x < Wide; ++x) whole[y * Wide + x] = Tile(new Cell(-70 + x / 64 * 64, 5 + y / 64 * 64))[y % 64 * 64 + x % 64];
        Cell from = new Cell(-60, 100), to = new Cell(240, 20);
        double want;
        using (var world = new GridWorld(definition, whole))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) want = searcher.Distance(view, from, to);
        definition.Streamed = true;
        using (var world = new GridWorld(definition))
        using (var searcher = new PathSearcher()) {
            Check.True(world.Describe().Streamed && world.AbsentTiles == 15, "all absent");
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            var stream = new TileStream(world);
            View view = world.View(walker);
            Check.Equal(15, view.AbsentTiles, "absent");
            int loads = 0, rounds = 0;
            var query = new PathQuery(from, to);
            PathAnswer answer;
            while (searcher.FindPath(view, query, (Cell[])null, out answer) == Status.NotLoaded) {
                Check.True(++rounds < 50, "it does not end");
                stream.Want(searcher);
                Check.True(stream.Pending > 0, "what is wanted?");
                Cell tile;
                while (stream.TryNext(out tile)) {
                    Check.Equal(tile, stream.TileOf(tile), "named by its first cell");
                    stream.Provide(tile, Tile(tile));
                    ++loads;
                }
                Check.True(stream.Commit(), "something new");
                view.Dispose();
                view = world.View(walker);
            }
            Check.Equal(Status.Found, answer.Status, "found");
            Check.Near(want, answer.Cost, "as in the whole map");
            Check.True(loads <= 15 && stream.Present == loads && stream.Pending == 0, "loads: " + loads);
            Check.True(view.IsLoaded(from) && !view.IsLoaded(new Cell(-71, 5)), "loaded");
            Check.True(!stream.Commit(), "nothing new");
            // Those that were wanted last stay.
            stream.Limit = 2;
            stream.Want(from);
            stream.Want(to);
            stream.Want(new Cell(9999, 0));
            Check.True(stream.Commit() && stream.Present == 2 && world.AbsentTiles == 13, "released");
            view.Dispose();
            view = world.View(walker);
            Check.True(view.IsLoaded(from) && view.IsLoaded(to), "the right ones stay");
            stream.Want(new Cell(100, 100));
            stream.Want(new Cell(101, 100));
            Check.Equal(1, stream.Pending, "once");
            stream.Fail(new Cell(100, 100));
            Check.Equal(0, stream.Pending, "given up");
            Check.Throws<ArgumentException>(() => stream.Provide(from, new byte[100]), "too short");
            view.Dispose();
        }
        using (var world = new GridWorld(4, 4)) Check.Throws<ArgumentException>(() => new TileStream(world), "not streamed");
    }

    public static void EditLogs() {
        byte[] bytes;
        var want = new byte[60];
        ulong version;
        using (var world = new GridWorld(10, 6))
        using (var log = new EditLog()) {
            world.Commit();
            world.Record(log);
            Check.Throws<OctileException>(() => log.ToBytes(), "being written");
            world.Fill(new CellRect(2, 0, 1, 5), GridWorld.Wall);
            world.Commit();
            uint door = world.AddObstacle(new CellRect(2, 5, 1, 1), GridWorld.Wall, true, "door");
            world.Commit();
            world.SetObstacle(door, false);
            world.SetTerrain(new Cell(9, 5), (byte)'~');
            world.Commit();
            world.Record(null);
            world.SetTerrain(new Cell(0, 0), GridWorld.Wall);
            bytes = log.ToBytes();
            world.SetTerrain(new Cell(0, 0), GridWorld.Free);
            world.ReadTerrain(world.Bounds, want);
            version = world.Version;
        }
        using (var world = new GridWorld(10, 6))
        using (var log = new EditLog(bytes)) {
            world.Commit();
            world.Replay(log);
            var is_ = new byte[60];
            world.ReadTerrain(world.Bounds, is_);
            for (int i = 0; i < 60; ++i) Check.Equal(want[i], is_[i], "cell " + i);
            Check.Equal(version, world.Version, "as many versions");
            Check.True(world.FindObstacle("door") != 0, "the door as well");
            Check.Throws<OctileException>(() => world.Replay(log), "another state");
        }
        using (var world = new GridWorld(10, 6)) {
            world.Commit();
            bytes[bytes.Length / 2] ^= 0x55;
            using (var log = new EditLog(bytes)) Check.Throws<OctileException>(() => world.Replay(log), "damaged");
            using (var log = new EditLog(new byte[3])) Check.Throws<OctileException>(() => world.Replay(log), "truncated");
        }
    }

    public static void LabelsFollowEdits() {
        using (var world = Make.Noise(80, 60, 25, 3))
        using (var searcher = new PathSearcher()) {
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            using (View first = world.View(walker))
            using (PathIndex labels = PathIndex.Build(first, new PathIndex.Options { Most = IndexKind.SubgoalLabels })) {
                Check.Equal(IndexKind.SubgoalLabels, labels.Kind, "kind");
                world.Adopt(walker, labels);
                world.RepairLabels(walker, labels);
                int judge = Library.SolverId("dijkstra");
                var random = new Lcg(21);
                for (int edit = 0; edit < 25; ++edit) {
                    var cell = new Cell(random.Below(80), random.Below(60));
                    world.SetTerrain(cell, world.TerrainAt(cell) == GridWorld.Free ? GridWorld.Wall : GridWorld.Free);
                    world.Commit();
                    using (View view = world.View(walker)) {
                        Check.Equal(IndexKind.SubgoalLabels, view.IndexKind, "still there");
                        for (int i = 0; i < 20; ++i) {
                            var query = new PathQuery(new Cell(random.Below(80), random.Below(60)), new Cell(random.Below(80), random.Below(60)));
                            PathAnswer is_, want;
                            Status status = searcher.FindPath(view, query, (Cell[])null, out is_);
                            query.Solver = judge;
                            Check.Equal(searcher.FindPath(view, query, (Cell[])null, out want), status, "status");
                            Check.Equal(want.CostUnits, is_.CostUnits, "cost");
                        }
                    }
                }
                world.RepairLabels(walker, null);
                world.SetTerrain(new Cell(0, 0), world.TerrainAt(new Cell(0, 0)) == GridWorld.Free ? GridWorld.Wall : GridWorld.Free);
                world.Commit();
                using (View view = world.View(walker)) Check.Equal(IndexKind.None, view.IndexKind, "no longer");
                Check.Throws<OctileException>(() => world.RepairLabels(walker, labels), "of another state");
            }
        }
    }

    public static void SearchTrees() {
        foreach (Metric metric in new[] { Metric.Octile, Metric.TenFourteen, Metric.Chebyshev })
        foreach (Moves moves in new[] { Moves.Four, Moves.Eight })
            using (var world = Make.Noise(40, 40, 25, 8)) {
                world.Fill(new CellRect(0, 0, 2, 2), GridWorld.Free);
                world.Fill(new CellRect(39, 0, 1, 40), GridWorld.Free);
                world.Fill(new CellRect(0, 0, 40, 1), GridWorld.Free);
                world.Fill(new CellRect(5, 5, 10, 10), (byte)'3');
                using (var view = Make.ViewOf(world, new MoveProfile { Metric = metric, Moves = moves }))
                using (var searcher = new PathSearcher())
                using (var trace = new SearchTrace()) {
                    PathAnswer answer;
                    searcher.FindPath(view, new PathQuery(new Cell(0, 0), new Cell(39, 39)) { Trace = trace, Solver = Library.SolverId("astar") }, (Cell[])null, out answer);
                    var edges = new List<CellPair>();
                    trace.ReadTree(view, edges);
                    var events = new TraceEvent[trace.Read(0, null)];
                    trace.Read(0, events);
                    var g = new Dictionary<Cell, double>();
                    foreach (TraceEvent one in events) if (one.kind == TraceKind.Closed && !(g.ContainsKey(one.cell) && g[one.cell] <= one.g)) g[one.cell] = one.g;
                    Check.Equal(g.Count - 1, edges.Count, "a tree: each but the start has one");
                    Check.True(edges.Count > 100, "edges: " + edges.Count);
                    foreach (CellPair edge in edges) Check.Near(g[edge.b], g[edge.a] + searcher.Distance(view, edge.a, edge.b), "as cheap");
                }
            }
    }

    // Dispose while calls go on, from both sides, with the collector at work: no crash, no leak, and
    // calls either succeed or are told.
    public static void EndsThatRace() {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        long before = Library.LiveObjects;
        Exception wrong = null;
        using (var world = Make.Noise(64, 64, 20, 5)) {
            world.Fill(new CellRect(0, 0, 2, 2), GridWorld.Free);
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            for (int round = 0; round < 60; ++round) {
                View view = world.View(walker);
                var searcher = new PathSearcher();
                var field = new FlowField();
                var stop = new CancelToken();
                var threads = new Thread[3];
                int part = round;
                threads[0] = new Thread(() => Try(() => { for (int i = 0; i < 200; ++i) searcher.Distance(view, new Cell(0, 0), new Cell(i % 64, i / 4)); }, ref wrong));
                threads[1] = new Thread(() => Try(() => { for (int i = 0; i < 200; ++i) field.Build(view, new Cell(1, 1)); }, ref wrong));
                threads[2] = new Thread(() => Try(() => {
                    for (int i = 0; i < part; ++i) Thread.SpinWait(2000);
                    if (part % 2 == 0) view.Dispose();
                    searcher.Dispose();
                    field.Dispose();
                    stop.Dispose();
                    view.Dispose();
                }, ref wrong));
                foreach (Thread one in threads) one.Start();
                // The collector ends what was forgotten, beside the Dispose of others.
                for (int i = 0; i < 3; ++i) new PathSearcher();
                if (round % 8 == 0) GC.Collect();
                foreach (Thread one in threads) one.Join();
                stop.Dispose();
                field.Dispose();
            }
        }
        // The first build of a field makes something native, while the field is disposed of.
        using (var world = new GridWorld(700, 700))
        using (View view = Make.ViewOf(world)) {
            var fields = new FlowField[24];
            for (int i = 0; i < fields.Length; ++i) fields[i] = new FlowField();
            int at = -1;
            var builder = new Thread(() => {
                for (int i = 0; i < fields.Length; ++i) {
                    FlowField field = fields[i];
                    Volatile.Write(ref at, i);
                    Try(() => field.Build(view, new Cell(1, 1)), ref wrong);
                }
            });
            builder.Start();
            for (int i = 0; i < fields.Length; ++i) {
                while (Volatile.Read(ref at) < i) Thread.Yield();
                if (i % 3 != 0) Thread.Sleep(1);
                fields[i].Dispose();
            }
            builder.Join();
            foreach (FlowField field in fields) Check.True(field.IsDisposed && !field.IsBuilt, "a field was left behind");
        }
        for (int i = 0; i < 4; ++i) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check.True(wrong == null, "" + wrong);
        // Of the 180 forgotten searchers Mono's conservative collector may keep a few.
        Check.True(Library.LiveObjects - before < 12, "left behind: " + (Library.LiveObjects - before));
    }

    private static void Try(Action action, ref Exception wrong) {
        try {
            action();
        } catch (ObjectDisposedException) {
        } catch (OctileException) {
        } catch (Exception error) {
            wrong = error;
        }
    }
}

public static class QueueTests {
    private static GridWorld Open(out View view) {
        var world = new GridWorld(new GridWorld.Definition { Width = 200, Height = 200, CellSize = 2, Origin = new WorldPoint(10, 0) });
        view = Make.ViewOf(world);
        return world;
    }

    private static async Task<int> Walk(PathRequest request, List<string> told) {
        told.Add("asked");
        bool found = await request;
        told.Add(found ? "found" : "none");
        return request.Count;
    }

    public static void AwaitedRequests() {
        View view;
        using (GridWorld world = Open(out view))
        using (view)
        using (var queue = new PathQueue { View = view }) {
            var told = new List<string>();
            var request = new PathRequest { Done = r => told.Add("done") };
            request.Query.Start = new Cell(0, 0);
            request.Query.Goal = new Cell(199, 100);
            request.Query.Solver = Library.SolverId("astar");
            queue.Work(1000);
            queue.Submit(request);
            Task<int> walk = Walk(request, told);
            int frames = 0;
            while (!walk.IsCompleted) {
                queue.Work(16);
                Check.True(++frames < 100000, "it does not end");
            }
            Check.True(frames > 5, "in slices: " + frames);
            Check.Equal("asked, done, found", string.Join(", ", told), "order");
            Check.Equal(200, walk.Result, "cells");
            Check.True(request.Cells[199] == new Cell(199, 100) && request.Points[0].x == 11 && request.Points[0].y == 1, "cells and points");
            // Two that wait for one request.
            told.Clear();
            queue.Submit(request);
            Task<int> one = Walk(request, told), two = Walk(request, told);
            Check.True(!one.IsCompleted && !two.IsCompleted, "they wait");
            queue.Work(long.MaxValue);
            Check.True(one.Result == 200 && two.Result == 200, "both");
        }
    }

    public static void TasksAndTokens() {
        View view;
        using (GridWorld world = Open(out view))
        using (view) {
            var queue = new PathQueue { View = view };
            var stop = new CancellationTokenSource();
            Task<FoundPath> a = queue.FindAsync(new Cell(0, 0), new Cell(50, 0));
            Task<FoundPath> b = queue.FindAsync(new Cell(0, 0), new Cell(199, 0), stop.Token);
            Task<FoundPath> c = queue.FindAsync(new Cell(0, 0), new Cell(0, 50));
            Check.Equal(3, queue.Pending, "three");
            stop.Cancel();
            queue.Work(long.MaxValue);
            Check.True(a.Result.Answer.Cost == 50 && a.Result.Cells.Length == 51, "the first");
            Check.True(b.IsCanceled, "the second was cancelled");
            Check.True(c.Result.Cells[50] == new Cell(0, 50) && c.Result.Cells[0] == new Cell(0, 0), "the third has a path of its own");
            Check.Throws<OperationCanceledException>(() => b.GetAwaiter().GetResult(), "awaited");
            Task<FoundPath> d = queue.FindAsync(new Cell(0, 0), new Cell(500, 0));
            queue.Work(100);
            Check.True(d.Result.Answer.Status == Status.GoalOutOfBounds && d.Result.Cells.Length == 0, "no path is an answer");
            // In the middle of its search.
            stop = new CancellationTokenSource();
            var request = new PathRequest();
            request.Query.Goal = new Cell(199, 10);
            request.Query.Solver = Library.SolverId("astar");
            queue.Submit(request, stop.Token);
            queue.Work(64);
            Check.True(request.IsPending, "in work");
            stop.Cancel();
            queue.Work(64);
            Check.True(!request.IsPending && request.IsCancelled && request.Answer.Status == Status.Cancelled && request.Count == 0, "cancelled");
            queue.Submit(request);
            queue.Work(long.MaxValue);
            Check.True(!request.IsCancelled && request.Count == 200, "and again, without the token");
            // What makes no sense is told, and the others go on.
            int wrong = 0;
            queue.Ended = r => wrong += r.Error != null ? 1 : 0;
            var bad = new PathRequest();
            bad.Query.Solver = 9999;
            queue.Submit(bad);
            queue.Submit(request);
            queue.Work(long.MaxValue);
            Check.True(wrong == 1 && bad.Error != null && bad.Answer.Status == Status.BadArgument && request.Count == 200, "told");
            Check.Throws<OctileException>(() => bad.GetAwaiter().GetResult(), "awaited");
            using (var other = new PathQueue()) {
                queue.Submit(request);
                Check.Throws<ArgumentException>(() => other.Cancel(request), "of another queue");
                Check.Throws<ArgumentException>(() => other.Submit(request), "of another queue");
                Check.True(other.Pending == 0 && queue.Pending == 1 && request.IsPending, "it keeps its place");
                queue.Cancel(request);
                other.View = view;
                other.Submit(request);
                other.Work(long.MaxValue);
                Check.True(!request.IsCancelled && request.Count == 200, "answered by the other one");
                queue.Submit(request);
            }
            Task<FoundPath> e = queue.FindAsync(new Cell(0, 0), new Cell(9, 9));
            queue.Dispose();
            Check.True(e.IsCanceled && request.IsCancelled, "ends with the queue");
            Check.Throws<ObjectDisposedException>(() => queue.Submit(request), "disposed");
            Check.True(queue.FindAsync(new Cell(0, 0), new Cell(9, 9)).IsFaulted, "disposed");
        }
    }

    public static void NoGarbageOnceWarm() {
        View view;
        using (GridWorld world = Open(out view))
        using (view)
        using (var queue = new PathQueue { View = view }) {
            int done = 0;
            Action<PathRequest> count = r => ++done;
            var requests = new PathRequest[20];
            for (int i = 0; i < 20; ++i) requests[i] = new PathRequest { Done = count };
            var stop = new CancellationTokenSource();
            CancellationToken token = stop.Token;
            long bytes = 0;
            for (int frame = 0; frame < 600; ++frame) {
                long before = GC.GetAllocatedBytesForCurrentThread();
                for (int i = 0; i < 20; ++i) {
                    if (requests[i].IsPending) continue;
                    requests[i].Query.Start = new Cell((frame * 7 + i * 31) % 200, i);
                    requests[i].Query.Goal = new Cell(199 - i, (frame * 13 + i) % 200);
                    queue.Submit(requests[i], i % 2 == 0 ? token : CancellationToken.None);
                }
                queue.Work(400);
                if (frame >= 300) bytes += GC.GetAllocatedBytesForCurrentThread() - before;
            }
            Check.True(done > 1000, "answers: " + done);
            Check.Equal(0L, bytes, "managed bytes");
        }
    }
}
