// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// What is for many units at once: Runtime/Core/Many.cs and Plans.cs.

using System;
using System.Collections.Generic;
using Octile;

public static class ManyTests {
    public static void FlowFields() {
        using (var world = Make.World(Make.Rooms)) {
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            using (View view = world.View(walker))
            using (var field = new FlowField())
            using (var searcher = new PathSearcher()) {
                var goal = new Cell(9, 0);
                Check.Throws<InvalidOperationException>(() => field.Distance(goal), "not built");
                field.Build(view, goal);
                var cells = new Cell[60];
                var distances = new double[60];
                var directions = new byte[60];
                for (int i = 0; i < 60; ++i) cells[i] = new Cell(i % 10, i / 10);
                field.Distances(cells, 60, distances);
                field.Directions(cells, 60, directions);
                for (int i = 0; i < 60; ++i) {
                    double want = view.IsPassable(cells[i]) ? searcher.Distance(view, cells[i], goal) : double.PositiveInfinity;
                    Check.True(want == distances[i] || Math.Abs(want - distances[i]) < 1e-9, "distance");
                    Check.Equal(distances[i], field.Distance(cells[i]), "one");
                    Check.Equal(directions[i], field.Direction(cells[i]), "one");
                }
                Check.Equal(FlowField.AtGoal, field.Direction(goal), "at the goal");
                Check.Equal(FlowField.Unreached, field.Direction(new Cell(4, 2)), "a wall");
                var table = new double[60];
                field.ReadDistances(view.Bounds, table);
                var flow = new byte[60];
                field.ReadDirections(view.Bounds, flow);
                for (int i = 0; i < 60; ++i) Check.True(table[i] == distances[i] && flow[i] == directions[i], "rectangle");
                // All walk at once; in place.
                var units = new[] { new Cell(0, 0), new Cell(3, 3), new Cell(9, 3) };
                int steps = 0;
                while (units[0] != goal || units[1] != goal || units[2] != goal) {
                    Cell first = field.Next(units[0]);
                    field.Next(units, 3, units);
                    Check.Equal(first, units[0], "next");
                    Check.True(++steps < 50, "they do not arrive");
                }
                PathAnswer answer;
                var path = new Cell[64];
                Check.Equal(Status.Found, field.Path(searcher, new Cell(3, 3), path, out answer), "path");
                Check.Near(field.Distance(new Cell(3, 3)), answer.Cost, "path");
                Check.True(field.Bytes > 0, "bytes");
                // The reachable range of a turn.
                field.Build(view, new Cell(0, 0), 3);
                int count = field.Within(2, cells);
                Check.Equal(6, count, "range: (0,0) (1,0) (2,0) (0,1) (1,1) (0,2)");
                field.Build(view, new[] { new Cell(0, 0), new Cell(9, 0) }, 2);
                Check.Near(1, field.Distance(new Cell(8, 0)), "the nearer goal");
                world.Fill(new CellRect(4, 0, 1, 1), GridWorld.Wall);
                world.Commit();
                using (View closed = world.View(walker)) {
                    field.Build(view, goal);
                    field.Update(closed);
                    Check.True(double.IsInfinity(field.Distance(new Cell(0, 0))), "updated");
                    Check.Throws<OctileException>(() => field.Build(closed, new Cell(4, 0)), "blocked");
                    Check.Throws<OctileException>(() => field.Build(closed, new Cell(40, 0)), "outside");
                }
                Check.Throws<ArgumentOutOfRangeException>(() => field.Next(units, 4, units), "too short");
                field.Dispose();
                Check.Throws<ObjectDisposedException>(() => field.Distance(goal), "disposed");
            }
        }
    }

    public static void Batches() {
        using (var world = Make.Noise(60, 60, 25, 11))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher())
        using (var batch = new PathBatch { Threads = 2, CacheBytes = 1 << 20 }) {
            var random = new Lcg(1);
            var pairs = new CellPair[200];
            for (int i = 0; i < pairs.Length; ++i) pairs[i] = new CellPair(new Cell(random.Below(60), random.Below(60)), i % 2 == 0 ? new Cell(30, 30) : new Cell(random.Below(60), random.Below(60)));
            var answers = new PathAnswer[200];
            int need = batch.Run(view, pairs, 200, answers, null);
            var cells = new Cell[need];
            Check.Equal(need, batch.ReadCells(0, cells), "cells");
            int found = 0;
            for (int i = 0; i < 200; ++i) {
                PathAnswer one;
                Check.Equal(searcher.FindPath(view, new PathQuery(pairs[i].a, pairs[i].b), (Cell[])null, out one), answers[i].Status, "status");
                Check.Equal(one.CostUnits, answers[i].CostUnits, "cost");
                if (!answers[i].HasPath) continue;
                ++found;
                Check.Equal(pairs[i].a, cells[answers[i].First], "first cell");
                Check.Equal(pairs[i].b, cells[answers[i].First + answers[i].Length - 1], "last cell");
            }
            Check.True(found > 50, "found: " + found);
            Check.Equal(0, batch.Run(view, pairs, 0, null, null), "none");
            batch.Run(view, pairs, 200, answers, null, new PathQuery { MaxCost = 5 });
            bool limited = false;
            for (int i = 0; i < 200; ++i) limited |= answers[i].Status == Status.LimitReached;
            Check.True(limited, "limits");
            Check.Throws<ArgumentException>(() => batch.Run(view, pairs, 1, null, null, new PathQuery { Goals = new Cell[1] }), "goal sets");
            Check.Throws<ArgumentOutOfRangeException>(() => batch.Run(view, pairs, 201, null, null), "too many");
            Check.Throws<ArgumentOutOfRangeException>(() => batch.Threads = 0, "threads");
            batch.Clear();
            Check.True(batch.Bytes >= 0, "bytes");
        }
    }

    public static void Groups() {
        using (var world = new GridWorld(40, 40))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var units = new GroupUnit[20];
            for (int i = 0; i < 20; ++i) units[i] = new GroupUnit(new Cell(i % 5, i / 5));
            var slots = new GroupSlot[20];
            var order = new GroupOrder { Formation = Formation.Box, Spacing = 1 };
            order.Order(searcher, view, units, 20, new Cell(30, 30), slots);
            var taken = new HashSet<Cell>();
            for (int i = 0; i < 20; ++i) {
                Check.Equal(Status.Found, slots[i].Status, "placed");
                Check.True(taken.Add(slots[i].cell), "two in one slot");
                Check.Near(searcher.Distance(view, units[i].cell, slots[i].cell), slots[i].distance, "distance");
            }
            Check.Equal(20, order.Placed, "placed");
            order.Files = 20;
            order.Facing = new Cell(0, 1);
            order.Spacing = 0;
            order.Order(searcher, view, units, 20, new Cell(20, 30), slots);
            for (int i = 1; i < 20; ++i) Check.Equal(slots[0].cell.y, slots[i].cell.y, "one rank");
            order.Files = 0;
            order.Order(searcher, new[] { view, view }, units, 20, new Cell(3, 3), slots);
            order.Spacing = 99;
            Check.Throws<OctileException>(() => order.Order(searcher, view, units, 20, new Cell(3, 3), slots), "spacing");
            order.Spacing = 0;
            Check.Throws<OctileException>(() => order.Order(searcher, view, units, 20, new Cell(99, 3), slots), "outside");
            Check.Throws<ArgumentOutOfRangeException>(() => order.Order(searcher, view, units, 21, new Cell(3, 3), slots), "too many");
        }
        GroupsPastFriends();
    }

    private static double TotalWay(GroupOrder order, View view, PathSearcher searcher) {
        var units = new[] { new GroupUnit(new Cell(0, 0)), new GroupUnit(new Cell(0, 1)), new GroupUnit(new Cell(0, 2)) };
        var slots = new GroupSlot[3];
        order.Order(searcher, view, units, 3, new Cell(20, 1), slots);
        double total = 0;
        foreach (GroupSlot slot in slots) total += slot.distance;
        return total;
    }

    private static void GroupsPastFriends() {
        using (var world = new GridWorld(30, 3))
        using (var view = Make.ViewOf(world))
        using (var searcher = new PathSearcher()) {
            var order = new GroupOrder();
            double alone = TotalWay(order, view, searcher);
            order.Friends = new GroupFriend[4];
            for (int y = 0; y < 3; ++y) order.Friends[y] = new GroupFriend(new Cell(10, y), new Cell(1, 0));
            order.FriendCount = 3;
            Check.Near(alone, TotalWay(order, view, searcher), "along with them");
            for (int y = 0; y < 3; ++y) order.Friends[y].heading = new Cell(0, 0);
            Check.Near(alone + 12, TotalWay(order, view, searcher), "past those that rest");
            order.FriendResting = 9;
            Check.Near(alone + 27, TotalWay(order, view, searcher), "dear ones");
            order.FriendCount = 5;
            Check.Throws<ArgumentOutOfRangeException>(() => TotalWay(order, view, searcher), "too many friends");
            order.FriendCount = -1;
            order.Friends[3] = new GroupFriend(new Cell(5, 1), new Cell(1, 0), 2);
            Check.Throws<OctileException>(() => TotalWay(order, view, searcher), "speed");
            order.Friends[3].speed = 1;
            order.FriendMoving = -1;
            Check.Throws<OctileException>(() => TotalWay(order, view, searcher), "cost");
        }
    }

    public static void StepPlanners() {
        using (var world = new GridWorld(12, 12)) {
            uint walker = world.AddProfile(new MoveProfile { Moves = Moves.Four });
            world.Commit();
            using (View view = world.View(walker))
            using (var planner = new StepPlanner()) {
                Check.Throws<OctileException>(() => planner.Step(), "before reset");
                var agents = new Agent[24];
                for (int i = 0; i < 12; ++i) {
                    agents[i] = new Agent(new Cell(i, 0), new Cell(11 - i, 11));
                    agents[12 + i] = new Agent(new Cell(i, 11), new Cell(i, 0));
                }
                planner.Reset(view, agents, 24);
                var cells = new Cell[24];
                int ticks = 0;
                while (planner.OnTheWay > 0) {
                    planner.Step();
                    Check.Equal(24, planner.ReadCells(0, cells), "cells");
                    Check.Equal(24, new HashSet<Cell>(cells).Count, "a collision");
                    Check.True(++ticks < 500 && !planner.IsStalled, "they do not arrive");
                }
                Check.Equal((long)ticks, planner.Ticks, "ticks");
                var states = new AgentState[24];
                planner.ReadStates(0, states);
                foreach (AgentState state in states) Check.True(state.Arrived && state.cell == state.goal && state.stepsLeft == 0, "arrived");
                planner.SetGoal(0, new Cell(5, 5));
                planner.SetPinned(1, true);
                planner.SetPushable(2, false);
                planner.SetPriority(3, 200);
                planner.ClearGoal(4);
                planner.Step();
                planner.ReadStates(0, states);
                Check.True(states[1].outcome == StepOutcome.Pinned, "pinned");
                Check.Throws<OctileException>(() => planner.SetGoal(24, new Cell(0, 0)), "no such agent");
                Check.Throws<ArgumentOutOfRangeException>(() => planner.SetGoal(-1, new Cell(0, 0)), "no such agent");
                agents[1].cell = agents[0].cell;
                Check.Throws<OctileException>(() => planner.Reset(view, agents, 24), "two on one cell");
                world.Fill(new CellRect(3, 5, 6, 1), GridWorld.Wall);
                world.Commit();
                using (View edited = world.View(walker)) planner.ChangeView(edited);
                planner.Step();
            }
        }
    }

    public static void Plans() {
        using (var world = Make.World(".....", "##.##"))
        using (var view = Make.ViewOf(world, new MoveProfile { Moves = Moves.Four }))
        using (var plan = new CooperativePlan()) {
            // Two that must pass each other: one waits in the niche.
            var tasks = new[] { new CellPair(new Cell(0, 0), new Cell(4, 0)), new CellPair(new Cell(4, 0), new Cell(0, 0)) };
            Check.Equal(PlanStatus.None, plan.Status, "nothing yet");
            Check.True(plan.Make(view, tasks, 2, new CooperativePlan.Options { Improve = 1000 }), "made");
            Check.True(plan.Agents == 2 && plan.Rows >= 6, "rows: " + plan.Rows);
            Check.Equal(8ul, plan.Costs.sumBound, "bound");
            Check.True(plan.Costs.sumOfCosts >= plan.Costs.sumBound && plan.Costs.makespan == (ulong)plan.Rows - 1, "costs");
            var cells = new Cell[plan.Rows * 2];
            Check.Equal(cells.Length, plan.Read(0, cells), "cells");
            bool niche = false;
            for (int row = 0; row < plan.Rows; ++row) {
                Check.True(cells[2 * row] != cells[2 * row + 1], "a collision");
                niche |= cells[2 * row].y == 1 || cells[2 * row + 1].y == 1;
                for (int agent = 0; row > 0 && agent < 2; ++agent) {
                    Cell step = cells[2 * row + agent] - cells[2 * row - 2 + agent];
                    Check.True(Math.Abs(step.x) + Math.Abs(step.y) <= 1, "a jump");
                }
            }
            Check.True(niche && cells[cells.Length - 2] == tasks[0].b && cells[cells.Length - 1] == tasks[1].b, "there");
            string says;
            Check.Equal(PlanDefect.None, plan.Check(view, tasks, 2, out says), "valid");
            Check.Equal("", says, "nothing to say");
            Check.Equal(2, plan.Read(plan.Rows - 1, new Cell[1]), "the last row; a short array");
            cells[3] = cells[2];
            plan.Assign(cells, plan.Rows, 2);
            PlanDefect defect = plan.Check(view, tasks, 2, out says);
            Check.True(defect != PlanDefect.None && says.Length > 0, "spoiled: " + defect);
            Check.Throws<ArgumentOutOfRangeException>(() => plan.Assign(cells, cells.Length, 2), "too short");
            // Without a niche there is no way to pass.
            world.Fill(new CellRect(2, 1, 1, 1), GridWorld.Wall);
            using (var closed = Make.ViewOf(world, new MoveProfile { Moves = Moves.Four })) {
                Check.True(!plan.Make(closed, tasks, 2) && plan.Status == PlanStatus.Infeasible, "proven: " + plan.Status);
                Check.Throws<OctileException>(() => plan.Make(closed, new[] { tasks[0], tasks[0] }, 2), "one start twice");
                using (var stop = new CancelToken()) {
                    stop.Raise();
                    Check.True(!plan.Make(closed, tasks, 2, new CooperativePlan.Options { Cancel = stop }) && plan.Status != PlanStatus.Feasible, "cancelled or proven");
                }
            }
        }
    }
}
