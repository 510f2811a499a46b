// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using Octile;
using Unity.Collections;
using Unity.Jobs;
using UnityEngine;

/// <summary>Every so often the ways of all units are found by jobs, each worker thread with a searcher of
/// its own, while the frame goes on. Add this to an empty object of an empty scene and press
/// play.</summary>
public sealed class JobsSample : MonoBehaviour {
    [Tooltip("Cells each way.")] public int size = 128;
    [Tooltip("How many ways are asked for at once.")] public int units = 500;
    [Tooltip("Cells of each path that are kept.")] public int room = 512;

    /// <summary>Rounds that were finished, and the ways that were found by the last one.</summary>
    public int Rounds { get; private set; }
    public int Found { get; private set; }

    private GridWorld world;
    private View view;
    private uint walker;
    private JobSearchers searchers;
    private NativeArray<CellPair> pairs;
    private NativeArray<Cell> cells;
    private NativeArray<int> lengths;
    private NativeArray<double> costs;
    private JobHandle handle;
    private bool running;
    private int frame;

    private void Start() {
        world = new GridWorld(size, size);
        for (int i = 0; i < size; ++i) world.Fill(new CellRect(Random.Range(1, size - 8), Random.Range(1, size - 8), Random.Range(1, 7), Random.Range(1, 7)), GridWorld.Wall);
        walker = world.AddProfile(new MoveProfile());
        world.Commit();
        view = world.View(walker);
        searchers = new JobSearchers();
        pairs = new NativeArray<CellPair>(units, Allocator.Persistent);
        cells = new NativeArray<Cell>(units * room, Allocator.Persistent);
        lengths = new NativeArray<int>(units, Allocator.Persistent);
        costs = new NativeArray<double>(units, Allocator.Persistent);
    }

    private void Update() {
        // Asked in one frame, taken in the next but two: the workers have that long.
        if (++frame % 3 != 0) return;
        Finish();
        for (int i = 0; i < units; ++i)
            pairs[i] = new CellPair(new Cell(Random.Range(0, size), Random.Range(0, size)), new Cell(Random.Range(0, size), Random.Range(0, size)));
        handle = new FindPathsJob {
            View = new ViewHandle(view), Searchers = searchers.ByThread, Pairs = pairs, Cells = cells, Room = room, Lengths = lengths, Costs = costs
        }.Schedule(units, 16);
        running = true;
    }

    private void Finish() {
        if (!running) return;
        handle.Complete();
        running = false;
        ++Rounds;
        Found = 0;
        for (int i = 0; i < units; ++i) Found += lengths[i] > 0 ? 1 : 0;
    }

    private void OnDisable() {
        Finish();
        if (world == null) return;
        // Only now: the jobs have ended.
        searchers.Dispose();
        view.Dispose();
        world.Dispose();
        world = null;
        pairs.Dispose();
        cells.Dispose();
        lengths.Dispose();
        costs.Dispose();
    }
}
