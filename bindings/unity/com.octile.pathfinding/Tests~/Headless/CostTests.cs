// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What a call costs: no garbage, and next to no time.

using System;
using System.Diagnostics;
using Octile;

public static class CostTests {
    private const int Side = 256, Pairs = 4096, Block = 256;

    // Exactly the map and the queries of unity_overhead_twin.cpp.
    private static GridWorld TwinWorld(out CellPair[] pairs) {
        var world = new GridWorld(Side, Side);
        var random = new Lcg(43);
        for (int i = 0; i < 300; ++i) {
            int x = random.Below(Side - 12), y = random.Below(Side - 12), width = 1 + random.Below(12);
            world.Fill(new CellRect(x, y, width, 1 + random.Below(12)), GridWorld.Wall);
        }
        pairs = new CellPair[Pairs];
        for (int i = 0; i < Pairs; ++i) {
            var a = new Cell(random.Below(Side), random.Below(Side));
            pairs[i] = new CellPair(a, new Cell(random.Below(Side), random.Below(Side)));
        }
        return world;
    }

    public static void AMillionQueriesMakeNoGarbage() {
        CellPair[] pairs;
        using (GridWorld world = TwinWorld(out pairs))
        using (View plain = Make.ViewOf(world))
        using (PathIndex index = PathIndex.Build(plain))
        using (View view = plain.With(index))
        using (var searcher = new PathSearcher()) {
            var path = new Cell[4 * Side];
            var query = new PathQuery { SnapGoal = true, Goals = new Cell[1] };
            for (int i = 0; i < Pairs; ++i) Ask(searcher, view, pairs[i], path, query);
            long empty = GC.GetAllocatedBytesForCurrentThread();
            GC.KeepAlive(new byte[100000]);
            Check.True(GC.GetAllocatedBytesForCurrentThread() - empty >= 100000, "this runtime does not count bytes");
            GC.Collect();
            GC.WaitForPendingFinalizers();
            int collections = GC.CollectionCount(0);
            long allocated = GC.GetAllocatedBytesForCurrentThread(), heap = GC.GetTotalMemory(false);
            long found = 0;
            for (int n = 0; n < 1000000; ++n) found += Ask(searcher, view, pairs[n % Pairs], path, query);
            long bytes = GC.GetAllocatedBytesForCurrentThread() - allocated, grown = GC.GetTotalMemory(false) - heap;
            collections = GC.CollectionCount(0) - collections;
            Console.WriteLine("1,000,000 queries: " + bytes + " managed bytes, heap grown by " + grown + ", " + collections + " collections, " + found + " found");
            Check.Equal(0L, bytes, "managed bytes");
            Check.True(grown <= 0, "the heap grew by " + grown);
            Check.Equal(0, collections, "collections");
            Check.True(found > 500000, "found");
        }
    }

    // Every third query another kind of call.
    private static int Ask(PathSearcher searcher, View view, CellPair pair, Cell[] path, PathQuery query) {
        switch ((pair.a.x + pair.b.y) % 3) {
            case 0:
                int length;
                return searcher.TryFindPath(view, pair.a, pair.b, path, out length) ? 1 : 0;
            case 1:
                PathAnswer answer;
                query.Start = pair.a;
                query.Goals[0] = pair.b;
                return searcher.FindPath(view, query, path, out answer) == Status.Found ? 1 : 0;
            default:
                return double.IsInfinity(searcher.Distance(view, pair.a, pair.b)) ? 0 : 1;
        }
    }

    public static void OverheadAgainstCpp() {
        string twin = Environment.GetEnvironmentVariable("OCTILE_TWIN");
        if (twin == null) throw new Skipped("OCTILE_TWIN names no program");
        CellPair[] pairs;
        using (GridWorld world = TwinWorld(out pairs))
        using (View plain = Make.ViewOf(world))
        using (PathIndex index = PathIndex.Build(plain))
        using (View view = plain.With(index))
        using (var searcher = new PathSearcher()) {
            var path = new Cell[4 * Side];
            // Of each block of queries the least of many passes, so that a busy machine does not count.
            double[] native = { 1e9, 1e9 };
            var least = new long[2, Pairs / Block];
            for (int i = 0; i < least.Length; ++i) least[i % 2, i / 2] = long.MaxValue;
            ulong cells = 0;
            for (int round = 0; round < 3; ++round) {
                string told;
                var info = new ProcessStartInfo(twin) { UseShellExecute = false, RedirectStandardOutput = true };
                using (Process process = Process.Start(info)) {
                    told = process.StandardOutput.ReadToEnd();
                    process.WaitForExit();
                }
                string[] figures = told.Split(new[] { ' ', '\n' }, StringSplitOptions.RemoveEmptyEntries);
                for (int kind = 0; kind < 2; ++kind) native[kind] = Math.Min(native[kind], double.Parse(figures[kind], System.Globalization.CultureInfo.InvariantCulture));
                for (int pass = 0; pass < 40; ++pass) {
                    cells = 0;
                    for (int block = 0; block < Pairs / Block; ++block) {
                        int end = (block + 1) * Block;
                        long start = Stopwatch.GetTimestamp();
                        for (int i = block * Block; i < end; ++i) {
                            int length;
                            searcher.TryFindPath(view, pairs[i].a, pairs[i].b, path, out length);
                            cells += (ulong)length;
                        }
                        long middle = Stopwatch.GetTimestamp();
                        for (int i = block * Block; i < end; ++i) searcher.Distance(view, pairs[i].a, pairs[i].b);
                        least[1, block] = Math.Min(least[1, block], Stopwatch.GetTimestamp() - middle);
                        least[0, block] = Math.Min(least[0, block], middle - start);
                    }
                }
                Check.Equal(figures[2], cells.ToString(), "the twin finds other paths");
            }
            var managed = new double[2];
            for (int i = 0; i < least.Length; ++i) managed[i % 2] += least[i % 2, i / 2] * 1e9 / Stopwatch.Frequency / Pairs;
            for (int kind = 0; kind < 2; ++kind)
                Console.WriteLine((kind == 0 ? "path" : "distance") + ": C++ " + native[kind].ToString("0") + " ns, C# " + managed[kind].ToString("0") + " ns, overhead " + (managed[kind] - native[kind]).ToString("0") + " ns a call");
            Check.True(managed[0] - native[0] <= 500 && managed[1] - native[1] <= 500, "the overhead is above 0.5 µs a call");
        }
    }
}
