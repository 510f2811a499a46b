// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Numbers that stand for views, searchers and fields, where no object may be: in jobs. They keep
// nothing alive. One whose object is gone is refused (Status.BadArgument, an infinite distance, the
// cell itself), never followed. Nothing here throws.

using System;

namespace Octile {

/// <summary>A <see cref="View"/> as plain data; dispose of the view after the job has ended.</summary>
public struct ViewHandle {
    internal ulong value;
    public ViewHandle(View view) {
        Arguments.NotNull(view, "view");
        value = view.Handle;
    }
}

/// <summary>A built <see cref="FlowField"/> as plain data.</summary>
public unsafe struct FieldHandle {
    internal ulong value;
    public FieldHandle(FlowField field) {
        Arguments.NotNull(field, "field");
        value = field.Field;
    }

    /// <summary>The cell that follows on the way; the cell itself at a goal and where none is
    /// reached. Any number of threads.</summary>
    public Cell Next(Cell cell) {
        Cell next;
        return Native.octile_field_next(value, &cell, (UIntPtr)1, &next) == 0 ? next : cell;
    }

    /// <summary>Cost of the way to a goal; infinite when not reached.</summary>
    public double Distance(Cell cell) {
        double distance;
        return Native.octile_field_distances(value, &cell, (UIntPtr)1, &distance) == 0 ? distance : double.PositiveInfinity;
    }
}

/// <summary>A searcher as plain data: <see cref="Create"/> and <see cref="Destroy"/> it. One thread at
/// a time; a call that meets another one is refused.</summary>
public unsafe struct SearcherHandle {
    internal ulong value;

    public static SearcherHandle Create() {
        Library.Check();
        ulong value;
        Native.Must(Native.octile_searcher_create(&value));
        return new SearcherHandle { value = value };
    }

    public void Destroy() {
        if (value != 0) Native.octile_searcher_destroy(value);
        value = 0;
    }

    /// <summary>A cheapest path; its <paramref name="length"/> may be more than the memory takes.</summary>
    public Status FindPath(ViewHandle view, Cell start, Cell goal, Cell* cells, int capacity, out int length, out double cost) {
        Native.Query query;
        Native.octile_query_init(&query);
        query.start = start;
        query.goal = goal;
        PathAnswer answer = PathAnswer.Empty();
        int status = Native.octile_find(value, view.value, &query, cells, (UIntPtr)(uint)Math.Max(capacity, 0), &answer);
        bool found = status == 0;
        length = found ? answer.Length : 0;
        cost = found ? answer.Cost : double.PositiveInfinity;
        return (Status)status;
    }

    /// <summary>Cost of a cheapest path; infinite when there is none.</summary>
    public double Distance(ViewHandle view, Cell start, Cell goal) {
        double cost;
        var ends = new CellPair(start, goal);
        return Native.octile_distance(value, view.value, &ends, &cost) == 0 ? cost : double.PositiveInfinity;
    }
}

}  // namespace Octile
