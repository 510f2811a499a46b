using Octile;

public static class IndexExample {
    // Every frame: true when paths have become faster just now.
    public static bool Tick(GridWorld world, uint walker, ref bool started) {
        if (!started) {
            world.StartBuild(walker, new PathIndex.Options { Threads = 2, BudgetBytes = 64L << 20 });
            started = true;
        }
        return world.AdoptFinished();  // the next world.View(walker) has it
    }
}
