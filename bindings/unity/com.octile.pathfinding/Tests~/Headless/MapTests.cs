// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// Maps and who walks on them: edits, costs, move rules, what a View reads, files, maps made by rule.

using System;
using System.IO;
using System.Text;
using Octile;

public static class MapTests {
    public static void EditsObstaclesDoors() {
        using (var world = Make.World(Make.Rooms)) {
            Check.Equal((byte)'@', world.TerrainAt(new Cell(4, 1)), "terrain");
            Check.Equal((byte)0, world.TerrainAt(new Cell(-1, 1)), "outside");
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            ulong version = world.Version;
            using (var searcher = new PathSearcher())
            using (View before = world.View(walker)) {
                double closedDistance, distance = searcher.Distance(before, new Cell(0, 0), new Cell(9, 0));
                uint door = world.AddObstacle(new CellRect(4, 0, 1, 1), GridWorld.Wall, false, "door");
                Check.Equal(door, world.FindObstacle("door"), "by name");
                Check.Equal(0u, world.FindObstacle("gate"), "no such name");
                world.SetObstacle(door, true);
                Check.True(world.IsObstaclePresent(door), "closed");
                world.Commit();
                Check.True(world.Version > version, "version");
                using (View closed = world.View(walker)) {
                    closedDistance = searcher.Distance(closed, new Cell(0, 0), new Cell(9, 0));
                    Check.True(double.IsInfinity(closedDistance), "closed");
                    Check.True(closed.TileVersion(new Cell(0, 0)) > before.TileVersion(new Cell(0, 0)), "tile version");
                    var cells = new Cell[4];
                    Check.Equal(1, closed.Differences(before, cells), "one cell");
                    Check.Equal(new Cell(4, 0), cells[0], "which");
                }
                Check.Near(distance, searcher.Distance(before, new Cell(0, 0), new Cell(9, 0)), "the old view stays");
                world.RemoveObstacle(door);
                uint rocks = world.AddObstacle(new[] { new Cell(0, 1), new Cell(1, 1) }, 2);
                world.Commit();
                using (View open = world.View(walker)) Check.True(!open.IsPassable(new Cell(1, 1)) && open.IsPassable(new Cell(4, 0)), "rocks");
                Check.True(rocks > door, "ids are not used again");
                Check.Throws<OctileException>(() => world.RemoveObstacle(door), "twice");
                world.Stamp(new CellRect(0, 0, 2, 1), new[] { GridWorld.Wall, GridWorld.Wall });
                world.SetTerrain(new Cell(2, 0), GridWorld.Wall);
                world.Commit();
                using (View walls = world.View(walker)) Check.True(!walls.IsPassable(new Cell(0, 0)) && !walls.IsPassable(new Cell(2, 0)), "stamped");
                Check.Throws<OctileException>(() => world.SetTerrain(new Cell(10, 0), GridWorld.Free), "outside");
                Check.Throws<OctileException>(() => world.Fill(new CellRect(5, 0, 6, 1), GridWorld.Free), "outside");
                Check.Throws<OctileException>(() => world.SetWeight(new Cell(0, 0), 2), "no weights");
                Check.Throws<ArgumentException>(() => world.Stamp(new CellRect(0, 0, 3, 1), new byte[2]), "too short");
                Check.Throws<ArgumentException>(() => world.AddObstacle(new CellRect(0, 0, 1, 1), 0, true, new string('n', 32)), "long name");
            }
        }
    }

    public static void WeightsAndTerrainCosts() {
        using (var world = new GridWorld(new GridWorld.Definition { Width = 5, Height = 1, Weights = true, WeightScale = 0.5, Origin = new WorldPoint(10, 20), CellSize = 2 })) {
            world.SetWeight(new Cell(2, 0), 6);
            world.StampWeight(new CellRect(3, 0, 1, 1), new ushort[] { 2 });
            world.FillWeight(new CellRect(4, 0, 1, 1), 2);
            world.FillWeight(new CellRect(0, 0, 2, 1), 2);
            using (var view = Make.ViewOf(world))
            using (var searcher = new PathSearcher()) {
                Check.Near(1 + 3 + 1 + 1, searcher.Distance(view, new Cell(0, 0), new Cell(4, 0)), "weights");
                Check.True(!view.IsUniform, "not uniform");
                Check.Near(3, view.CostAt(new Cell(2, 0)), "cost");
                Check.True(double.IsInfinity(view.CostAt(new Cell(-1, 0))), "outside");
                Check.Equal(new Cell(2, 0), view.CellAt(new WorldPoint(14.5, 21)), "cell");
                Check.Near(15, view.Center(new Cell(2, 0)).x, "centre");
                Check.True(!view.Bounds.Contains(view.CellAt(new WorldPoint(double.NaN, 0))), "NaN");
            }
        }
        var profile = new MoveProfile();
        profile.SetAll(MoveProfile.Impassable);
        profile[(byte)'.'] = 1;
        profile[(byte)'~'] = 2.5;
        profile[(byte)'w'] = 1.0 / 3;
        Check.True(profile.Quantise() < 0.001, "quantised");
        Check.Near(0.333, profile[(byte)'w'], "quantised");
        using (var world = Make.World(".~.w."))
        using (var view = Make.ViewOf(world, profile))
        using (var searcher = new PathSearcher()) Check.Near(2.5 + 1 + 0.333 + 1, searcher.Distance(view, new Cell(0, 0), new Cell(4, 0)), "terrain");
        using (var world = new GridWorld(2, 2)) {
            Check.Throws<OctileException>(() => world.AddProfile(new MoveProfile { Width = 0 }), "no size");
            var bad = new MoveProfile();
            bad[46] = double.NaN;
            Check.Throws<OctileException>(() => world.AddProfile(bad), "NaN");
        }
    }

    public static void MovesAndMetricsAndSizes() {
        using (var world = new GridWorld(10, 10))
        using (var searcher = new PathSearcher()) {
            using (var view = Make.ViewOf(world, new MoveProfile { Moves = Moves.Four })) Check.Near(18, searcher.Distance(view, new Cell(0, 0), new Cell(9, 9)), "four");
            using (var view = Make.ViewOf(world, new MoveProfile { Metric = Metric.TenFourteen })) Check.Near(126, searcher.Distance(view, new Cell(0, 0), new Cell(9, 9)), "10/14");
            using (var view = Make.ViewOf(world, new MoveProfile { Metric = Metric.Chebyshev })) Check.Near(9, searcher.Distance(view, new Cell(0, 0), new Cell(9, 9)), "chebyshev");
            using (var view = Make.ViewOf(world, new MoveProfile { Width = 2, Height = 2 })) {
                Check.True(!view.IsPassable(new Cell(9, 9)) && view.IsPassable(new Cell(8, 8)), "two by two");
                Check.True(view.Connected(new Cell(0, 0), new Cell(8, 8)) && !view.Connected(new Cell(0, 0), new Cell(9, 9)), "connected");
            }
        }
    }

    public static void ViewReads() {
        using (var world = Make.World(Make.Rooms))
        using (var view = Make.ViewOf(world)) {
            var passable = new byte[60];
            view.ReadPassable(view.Bounds, passable);
            var terrain = new byte[60];
            view.ReadTerrain(view.Bounds, terrain);
            var costs = new double[60];
            view.ReadCosts(view.Bounds, costs);
            var components = new uint[60];
            view.ReadComponents(view.Bounds, components);
            for (int i = 0; i < 60; ++i) {
                bool free = Make.Rooms[i / 10][i % 10] == '.';
                Check.True(passable[i] == (free ? 1 : 0) && terrain[i] == (free ? GridWorld.Free : GridWorld.Wall), "passable");
                Check.True(free ? costs[i] == 1 : double.IsInfinity(costs[i]), "costs");
                Check.True(free ? components[i] == components[0] : components[i] == uint.MaxValue, "components");
            }
            view.ReadPassable(new CellRect(-5, -5, 2, 2), passable);
            Check.Equal((byte)0, passable[3], "outside");
            Check.True(view.LineOfSight(new Cell(0, 0), new Cell(3, 3)) && !view.LineOfSight(new Cell(3, 3), new Cell(5, 3)), "sight");
            Check.Near(2, view.Estimate(new Cell(3, 3), new Cell(5, 3)), "estimate");
            var points = new WorldPoint[2];
            view.Centers(new[] { new Cell(0, 0), new Cell(1, 2) }, 2, points);
            Check.Near(2.5, points[1].y, "centres");
            Check.Throws<ArgumentException>(() => view.ReadPassable(view.Bounds, new byte[59]), "too short");
            Check.Throws<OctileException>(() => view.ReadPassable(new CellRect(0, 0, -1, 1), passable), "negative");
        }
    }

    public static void MapFiles() {
        byte[] file;
        using (var world = Make.World(Make.Rooms)) {
            file = world.ToMapFile();
            string tiles = Make.TempFile("world.tiles");
            world.Commit();
            world.Save(tiles);
            using (var other = new GridWorld(1, 1)) {
                other.Load(tiles);
                Check.Equal(10, other.Bounds.width, "loaded");
            }
            File.Delete(tiles);
        }
        Check.True(Encoding.ASCII.GetString(file).StartsWith("type octile"), "Moving AI");
        using (var world = new GridWorld(file, new GridWorld.Definition { CellSize = 3 })) {
            Check.Equal(10, world.Bounds.width, "width");
            Check.Near(3, world.Describe().CellSize, "cell size");
        }
        using (var world = new GridWorld(Encoding.ASCII.GetBytes("..#\n...\n"))) Check.Equal(2, world.Bounds.height, "text");
        long before = Library.LiveObjects;
        Check.Throws<OctileException>(() => new GridWorld(Encoding.ASCII.GetBytes("type octile\nheight 2\nwidth 9\nmap\n..\n")), "truncated");
        Check.Throws<OctileException>(() => new GridWorld(new byte[0]), "empty");
        Check.Throws<OctileException>(() => new GridWorld(0, 5), "no width");
        Check.Throws<ArgumentException>(() => new GridWorld(new GridWorld.Definition { Width = 2, Height = 2 }, new byte[3]), "too short");
        Check.Equal(before, Library.LiveObjects, "nothing is left behind");
    }

    public static void MapsMadeByRule() {
        byte[] city = GridWorld.Generate("city", 131, 90, 4, room: 24);
        // FNV-1a of the sides and the cells; tests/generators_test.cpp has the same number.
        ulong print = 0xcbf29ce484222325;
        foreach (byte b in new byte[] { 131, 0, 0, 0, 90, 0, 0, 0 }) print = unchecked((print ^ b) * 0x100000001b3);
        foreach (byte b in city) print = unchecked((print ^ b) * 0x100000001b3);
        Check.Equal(0xf1822927bd39a6b4, print, "the same cells as everywhere");
        using (var world = new GridWorld(new GridWorld.Definition { Width = 131, Height = 90 }, city))
            Check.Equal(city[5 * 131 + 7], world.TerrainAt(new Cell(7, 5)), "taken");
        string[] kinds = GridWorld.MapKinds();
        Check.True(kinds.Length > 10 && Array.IndexOf(kinds, "caves") >= 0, "kinds");
        foreach (string kind in kinds) Check.Equal(12, GridWorld.Generate(kind, 4, 3).Length, kind);
        Check.Throws<ArgumentNullException>(() => GridWorld.Generate(null, 4, 3), "no kind");
        Check.Throws<OctileException>(() => GridWorld.Generate("labyrinth", 4, 3), "no such kind");
        Check.Throws<OctileException>(() => GridWorld.Generate("caves", -4, 3), "size");
        Check.Throws<OctileException>(() => GridWorld.Generate("caves", 1 << 20, 1 << 20), "too large");
        Check.Throws<OctileException>(() => GridWorld.Generate("caves", 4, 3, room: 3), "no rooms in caves");
        Check.Throws<OctileException>(() => GridWorld.Generate("caves", 4, 3, density: 1001), "density");
    }
}
