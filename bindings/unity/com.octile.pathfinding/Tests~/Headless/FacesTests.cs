// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// tests/faces/queries.txt: the same costs and the same paths through every face.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Octile;

public static class FacesTests {
    private static readonly int[] X = { 1, 1, 0, -1, -1, -1, 0, 1 }, Y = { 0, 1, 1, 1, 0, -1, -1, -1 };

    public static void AnswersAreThoseOfTheFileOfAllFaces() {
        string[] lines = File.ReadAllLines(Environment.GetEnvironmentVariable("OCTILE_FACES"));
        GridWorld world = null;
        View plain = null, view = null;
        var searcher = new PathSearcher();
        var path = new List<Cell>();
        int asked = 0;
        for (int n = 0; n < lines.Length; ++n) {
            string[] w = lines[n].Split(' ');
            if (w[0] == "map") {
                int width = int.Parse(w[2]), height = int.Parse(w[3]);
                var terrain = new byte[width * height];
                for (int i = 0; i < terrain.Length; ++i) terrain[i] = (byte)lines[n + 1 + i / width][i % width];
                n += height;
                world = new GridWorld(new GridWorld.Definition { Width = width, Height = height }, terrain);
            } else if (w[0] == "profile") {
                plain = Make.ViewOf(world, new MoveProfile {
                    Moves = (Moves)int.Parse(w[1]), Diagonal = (Diagonal)int.Parse(w[2]), Metric = (Metric)int.Parse(w[3]),
                    Width = int.Parse(w[4]), Height = int.Parse(w[5])
                });
            } else if (w[0] == "index") {
                var kind = (IndexKind)int.Parse(w[1]);
                view = plain;
                if (kind != IndexKind.None)
                    using (PathIndex index = PathIndex.Build(plain, new PathIndex.Options { Most = kind })) view = plain.With(index);
            } else if (w[0] == "query") {
                var at = new Cell(int.Parse(w[2]), int.Parse(w[3]));
                var query = new PathQuery(at, new Cell(int.Parse(w[4]), int.Parse(w[5]))) { Solver = Library.SolverId(w[1]) };
                PathAnswer answer;
                Check.Equal((Status)int.Parse(w[6]), searcher.FindPath(view, query, path, out answer), lines[n]);
                if (answer.Status == Status.Found) {
                    string moves = w[9] == "-" ? "" : w[9];
                    Check.Equal(ulong.Parse(w[7]), answer.CostUnits, lines[n]);
                    Check.Equal(double.Parse(w[8], CultureInfo.InvariantCulture), answer.Cost, lines[n]);
                    Check.Equal(moves.Length + 1, path.Count, lines[n]);
                    for (int i = 0; i <= moves.Length; ++i) {
                        Check.Equal(at, path[i], lines[n]);
                        if (i < moves.Length) at = new Cell(at.x + X[moves[i] - '0'], at.y + Y[moves[i] - '0']);
                    }
                }
                ++asked;
            }
        }
        Check.True(asked > 1000, asked + " queries");
        searcher.Dispose();
    }
}
