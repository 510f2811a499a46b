using Octile;

public static class Example {
    public static double Walk() {
        using (var world = new GridWorld(64, 64)) {
            world.Fill(new CellRect(32, 0, 1, 63), GridWorld.Wall);
            uint walker = world.AddProfile(new MoveProfile { Diagonal = Diagonal.NoObstacles });
            world.Commit();
            using (View view = world.View(walker))           // immutable: for any thread
            using (var searcher = new PathSearcher()) {      // one for each thread
                var path = new Cell[256];
                int length;
                if (!searcher.TryFindPath(view, new Cell(0, 0), new Cell(63, 0), path, out length))
                    return double.PositiveInfinity;          // searcher.LastAnswer says why
                return searcher.LastAnswer.Cost;
            }
        }
    }
}
