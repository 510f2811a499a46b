// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Every step of many units, worked out at once, without collisions.

using System;
using System.Runtime.InteropServices;

namespace Octile {

/// <summary>What became of the making of a plan.</summary>
public enum PlanStatus {
    /// <summary>Nothing was asked yet.</summary>
    None,
    /// <summary>There is a plan.</summary>
    Feasible,
    /// <summary>There is a plan, and none is better by the objective.</summary>
    Optimal,
    /// <summary>Proven: there is none.</summary>
    Infeasible,
    /// <summary>None within the limits; there may be one.</summary>
    LimitReached,
    /// <summary>None before the token was raised.</summary>
    Cancelled
}

/// <summary>What a plan shall make small.</summary>
public enum PlanObjective : byte { SumOfLoss, Makespan }

/// <summary>What is wrong with a plan.</summary>
public enum PlanDefect { None, WrongSize, WrongStart, Blocked, Jump, CornerCut, Vertex, Swap, Crossing, LeftGoal, WrongGoal }

/// <summary>What a plan costs, in ticks, and what no plan can beat.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct PlanCosts {
    /// <summary>The tick at which the last unit is at its goal for good.</summary>
    public ulong makespan;
    /// <summary>Of those ticks of all units.</summary>
    public ulong sumOfCosts;
    /// <summary>Ticks spent away from, leaving or entering goals.</summary>
    public ulong sumOfLoss;
    /// <summary>No plan is shorter than that.</summary>
    public ulong makespanBound, sumBound;
}

/// <summary>Every step of many units from their starts to their goals, without collisions.
/// Belongs to one thread at a time. For units whose goals change on the way take
/// <see cref="StepPlanner"/>.</summary>
public sealed unsafe class CooperativePlan : NativeObject {
    /// <summary>How to make one; the defaults give the first plan that is found.</summary>
    public sealed class Options {
        public PlanObjective Objective;
        /// <summary>Are the goals places for anybody?</summary>
        public bool AnyGoal;
        public ulong Seed;
        /// <summary>Of work until the first plan is there; 0: no limit.</summary>
        public long MaxConfigurations;
        /// <summary>More of them after the first plan, to make it better.</summary>
        public long Improve;
        /// <summary>Rounds of planning some units anew, to make it better.</summary>
        public long Refine;
        /// <summary>Of the wall clock, 0: no limit; the plan then depends on it.</summary>
        public double Seconds;
        /// <summary>May be raised from another thread.</summary>
        public CancelToken Cancel;
    }

    /// <summary>An empty plan.</summary>
    public CooperativePlan() {
        ulong value;
        Native.Must(Native.octile_plan_create(&value));
        Own(value);
    }

    /// <summary>Of the last <see cref="Make"/>.</summary>
    public PlanStatus Status { get; private set; }
    /// <summary>Of the last <see cref="Make"/>; without a plan the bounds alone.</summary>
    public PlanCosts Costs { get; private set; }
    /// <summary>Rows of cells, one for each unit: the starts, then a row for each tick.</summary>
    public int Rows { get; private set; }
    public int Agents { get; private set; }

    /// <summary>Plans the ways from tasks[i].a to tasks[i].b. Returns whether there is a plan;
    /// <see cref="Status"/> says why not. Errors: a start or goal where nobody can stand, two units
    /// with one start; of units larger than a cell <see cref="Options.AnyGoal"/> and
    /// <see cref="Options.Refine"/>.</summary>
    public bool Make(View view, CellPair[] tasks, int count, Options options = null) {
        Arguments.NotNull(view, "view");
        Arguments.Fits(tasks, count, "tasks");
        Native.PlanOptions native;
        Native.Must(Native.octile_plan_options_init(&native));
        if (options != null) {
            native.objective = (byte)options.Objective;
            native.any_goal = options.AnyGoal ? (byte)1 : (byte)0;
            native.seed = options.Seed;
            native.max_configurations = (ulong)Math.Max(options.MaxConfigurations, 0);
            native.improve = (ulong)Math.Max(options.Improve, 0);
            native.refine = (ulong)Math.Max(options.Refine, 0);
            native.seconds = options.Seconds;
            native.cancel = options.Cancel == null ? 0 : options.Cancel.Handle;
        }
        Native.PlanAnswer answer;
        answer.size = (uint)sizeof(Native.PlanAnswer);
        fixed (CellPair* list = tasks)
            Native.Must(Native.octile_plan_make(view.Handle, list, Native.N(count), &native, Handle, &answer));
        GC.KeepAlive(options);
        GC.KeepAlive(view);
        Status = (PlanStatus)answer.status;
        Costs = answer.costs;
        Measure();
        return Status == PlanStatus.Feasible || Status == PlanStatus.Optimal;
    }

    /// <summary>Row by row, from row <paramref name="first"/> on. Returns how many cells there are
    /// from there to the end, which may be more than the array takes.</summary>
    public int Read(int first, Cell[] cells) {
        if (first < 0) throw new ArgumentOutOfRangeException("first");
        UIntPtr length;
        fixed (Cell* list = cells)
            Native.Must(Native.octile_plan_read(Handle, Native.N(first), list, Native.N(cells == null ? 0 : cells.Length), &length));
        GC.KeepAlive(this);
        return (int)length;
    }

    /// <summary>A plan from any other source: rows * agents cells.</summary>
    public void Assign(Cell[] cells, int rows, int agents) {
        Arguments.NotNull(cells, "cells");
        if (rows < 0 || agents < 0 || (long)rows * agents > cells.Length) throw new ArgumentOutOfRangeException("rows");
        fixed (Cell* list = cells) Native.Must(Native.octile_plan_assign(Handle, list, Native.N(rows), Native.N(agents)));
        Status = PlanStatus.None;
        Costs = default(PlanCosts);
        Measure();
    }

    /// <summary>Recomputes everything and names the first conflict; <paramref name="says"/>: one line
    /// about it, or "".</summary>
    public PlanDefect Check(View view, CellPair[] tasks, int count, out string says, bool anyGoal = false) {
        Arguments.NotNull(view, "view");
        Arguments.Fits(tasks, count, "tasks");
        Native.PlanReport report;
        report.size = (uint)sizeof(Native.PlanReport);
        fixed (CellPair* list = tasks)
            Native.Must(Native.octile_plan_check(view.Handle, list, Native.N(count), Handle, anyGoal ? 1 : 0, &report));
        GC.KeepAlive(view);
        GC.KeepAlive(this);
        says = Native.Text(report.text);
        return (PlanDefect)report.defect;
    }

    private void Measure() {
        UIntPtr rows, agents;
        Native.Must(Native.octile_plan_size(Handle, &rows, &agents));
        GC.KeepAlive(this);
        Rows = (int)rows;
        Agents = (int)agents;
    }

    internal override int Destroy(ulong value) { return Native.octile_plan_destroy(value); }
}

}  // namespace Octile
