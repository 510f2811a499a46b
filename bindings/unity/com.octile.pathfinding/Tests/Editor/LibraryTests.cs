// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// For Unity's Test Runner: is the native library where this editor finds it? All else is tested
// outside Unity, by Tests~/Headless.

using NUnit.Framework;

namespace Octile.Tests {

public static class LibraryTests {
    [Test]
    public static void TheLibraryIsThereAndFindsAPath() {
        Library.Check();
        using (var world = new GridWorld(8, 8)) {
            uint walker = world.AddProfile(new MoveProfile());
            world.Commit();
            using (View view = world.View(walker))
            using (var searcher = new PathSearcher())
                Assert.AreEqual(7.0, searcher.Distance(view, new Cell(0, 0), new Cell(7, 0)), 1e-9);
        }
    }
}

}  // namespace Octile.Tests
