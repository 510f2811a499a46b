// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What a call costs: no garbage, and next to no time.

using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Octile;

public static unsafe class CostTests {
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

    // unity_overhead_twin.cpp; the run script links the name to the file.
    private static class Twin {
        [DllImport("octile_twin")] public static extern int octile_twin_begin();
        [DllImport("octile_twin")] public static extern void octile_twin_end();
        [DllImport("octile_twin")] public static extern double octile_twin_block(int kind, int block, ulong* cells);
    }

    // What a call costs more than the same through C++. The two answer each block of queries one
    // right after the other, and of all these pairs of times the median counts, so that it does not
    // matter what else the machine does. The limit is half a microsecond; on a machine so slow
    // that C++ itself takes more than a microsecond, half of what C++ takes.
    public static void OverheadAgainstCpp() {
        CellPair[] pairs;
        try {
            Check.Equal(1, Twin.octile_twin_begin(), "the twin");
        } catch (DllNotFoundException) {
            throw new Skipped("there is no octile_twin");
        }
        using (GridWorld world = TwinWorld(out pairs))
        using (View plain = Make.ViewOf(world))
        using (PathIndex index = PathIndex.Build(plain))
        using (View view = plain.With(index))
        using (var searcher = new PathSearcher()) {
            const int Rounds = 31, Blocks = Pairs / Block;
            var path = new Cell[4 * Side];
            for (int kind = 0; kind < 2; ++kind) {
                var native = new double[Rounds * Blocks];
                var more = new double[Rounds * Blocks];
                var share = new double[Rounds * Blocks];
                for (int round = -3; round < Rounds; ++round)
                    for (int block = 0; block < Blocks; ++block) {
                        ulong theirs = 0, mine = 0;
                        double cpp = 0;
                        // Who begins is changed, so that neither finds the memory warmer.
                        if ((round & 1) == 0) cpp = Twin.octile_twin_block(kind, block, &theirs);
                        double sharp = Answer(searcher, view, pairs, path, kind, block, out mine);
                        if ((round & 1) != 0) cpp = Twin.octile_twin_block(kind, block, &theirs);
                        Check.Equal(theirs, mine, "the twin finds other paths");
                        if (round < 0) continue;
                        native[round * Blocks + block] = cpp / Block;
                        more[round * Blocks + block] = (sharp - cpp) / Block;
                        share[round * Blocks + block] = sharp / cpp;
                    }
                double overhead = Median(more), ratio = Median(share);
                Console.WriteLine((kind == 0 ? "path" : "distance") + ": C++ " + Median(native).ToString("0") + " ns, C# " + overhead.ToString("0") + " ns more a call, " + ratio.ToString("0.00") + " times");
                Check.True(overhead <= 500 || ratio <= 1.5, "the overhead is above 0.5 µs a call");
            }
        }
        Twin.octile_twin_end();
    }

    private static double Answer(PathSearcher searcher, View view, CellPair[] pairs, Cell[] path, int kind, int block, out ulong cells) {
        cells = 0;
        int end = (block + 1) * Block;
        long start = Stopwatch.GetTimestamp();
        for (int i = block * Block; i < end; ++i)
            if (kind == 0) {
                int length;
                searcher.TryFindPath(view, pairs[i].a, pairs[i].b, path, out length);
                cells += (ulong)length;
            } else {
                searcher.Distance(view, pairs[i].a, pairs[i].b);
            }
        return (Stopwatch.GetTimestamp() - start) * 1e9 / Stopwatch.Frequency;
    }

    private static double Median(double[] values) {
        var sorted = (double[])values.Clone();
        Array.Sort(sorted);
        return sorted[sorted.Length / 2];
    }
}
