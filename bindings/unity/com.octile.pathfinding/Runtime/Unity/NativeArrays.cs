// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;

namespace Octile {

/// <summary>The calls of the core on NativeArrays, without copies.</summary>
public static unsafe class NativeArrays {
    /// <summary>A cheapest path into a native array; its length may be more than the array takes.</summary>
    public static Status FindPath(this PathSearcher searcher, View view, Cell start, Cell goal, NativeArray<Cell> path, out PathAnswer answer) {
        return searcher.FindPath(view, start, goal, (Cell*)path.GetUnsafePtr(), path.Length, out answer);
    }

    /// <summary>The next cells of many units; <paramref name="next"/> may be <paramref name="cells"/>.</summary>
    public static void Next(this FlowField field, NativeArray<Cell> cells, NativeArray<Cell> next) {
        if (next.Length < cells.Length) throw new ArgumentException("the array is too short", "next");
        field.Next((Cell*)cells.GetUnsafePtr(), cells.Length, (Cell*)next.GetUnsafePtr());
    }

    /// <summary>Many queries in one call, over the batch's own threads; see <see cref="PathBatch"/>.</summary>
    public static int Run(this PathBatch batch, View view, NativeArray<CellPair> pairs, NativeArray<PathAnswer> answers, NativeArray<Cell> cells, PathQuery like = null) {
        if (answers.Length < pairs.Length) throw new ArgumentException("the array is too short", "answers");
        return batch.Run(view, (CellPair*)pairs.GetUnsafePtr(), pairs.Length, (PathAnswer*)answers.GetUnsafePtr(), (Cell*)cells.GetUnsafePtr(), cells.Length, like);
    }

    /// <summary>result[i * targets.Length + j]: from sources[i] to targets[j].</summary>
    public static void Distances(this PathSearcher searcher, View view, NativeArray<Cell> sources, NativeArray<Cell> targets, NativeArray<double> result) {
        if ((long)sources.Length * targets.Length > result.Length) throw new ArgumentException("the array is too short", "result");
        searcher.Distances(view, (Cell*)sources.GetUnsafePtr(), sources.Length, (Cell*)targets.GetUnsafePtr(), targets.Length, (double*)result.GetUnsafePtr());
    }
}

}  // namespace Octile
