// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
using Unity.Jobs;
using Unity.Jobs.LowLevel.Unsafe;

namespace Octile {

/// <summary>A searcher for each of Unity's worker threads. An unused one is a few bytes; a used one
/// grows with its searches. Dispose of it after the jobs have ended.</summary>
public sealed class JobSearchers : IDisposable {
    private NativeArray<SearcherHandle> searchers;

    public JobSearchers() {
        searchers = new NativeArray<SearcherHandle>(JobsUtility.MaxJobThreadCount, Allocator.Persistent);
        for (int i = 0; i < searchers.Length; ++i) searchers[i] = SearcherHandle.Create();
    }

    /// <summary>By the number of the thread (NativeSetThreadIndex).</summary>
    public NativeArray<SearcherHandle> ByThread { get { return searchers; } }

    public void Dispose() {
        if (!searchers.IsCreated) return;
        for (int i = 0; i < searchers.Length; ++i) searchers[i].Destroy();
        searchers.Dispose();
    }
}

/// <summary>Finds many paths, each in a job of its own:
/// <code>
/// var job = new FindPathsJob { View = new ViewHandle(map.View), Searchers = searchers.ByThread, Pairs = pairs,
///                              Cells = cells, Room = 256, Lengths = lengths, Costs = costs };
/// JobHandle handle = job.Schedule(pairs.Length, 16);
/// ...
/// handle.Complete();        // before map.View is replaced: hold the commit back, or a view of your own
/// </code>
/// Where many share a goal, <see cref="PathBatch"/> and <see cref="FlowField"/> do less work.</summary>
public struct FindPathsJob : IJobParallelFor {
    public ViewHandle View;
    [ReadOnly] public NativeArray<SearcherHandle> Searchers;
    /// <summary>Starts (a) and goals (b).</summary>
    [ReadOnly] public NativeArray<CellPair> Pairs;
    /// <summary>Path i begins at i * Room; at most Room cells of it are written. May have length 0 with
    /// Room 0, where costs are enough.</summary>
    [NativeDisableParallelForRestriction] public NativeArray<Cell> Cells;
    public int Room;
    /// <summary>All cells of path i, which may be more than Room; 0: there is none.</summary>
    public NativeArray<int> Lengths;
    /// <summary>Infinite: there is none.</summary>
    public NativeArray<double> Costs;
    [NativeSetThreadIndex] internal int thread;

    public unsafe void Execute(int i) {
        int length;
        double cost;
        SearcherHandle searcher = Searchers[thread];
        Cell* cells = Room > 0 ? (Cell*)Cells.GetUnsafePtr() + (long)i * Room : null;
        CellPair pair = Pairs[i];
        searcher.FindPath(View, pair.a, pair.b, cells, Math.Max(Room, 0), out length, out cost);
        Lengths[i] = length;
        Costs[i] = cost;
    }
}

/// <summary>Moves many units by a step along a flow field, in parallel.</summary>
public struct FlowStepJob : IJobParallelFor {
    public FieldHandle Field;
    /// <summary>Where the units are, and then where they go.</summary>
    public NativeArray<Cell> Cells;

    public void Execute(int i) { Cells[i] = Field.Next(Cells[i]); }
}

}  // namespace Octile
