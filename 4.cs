using Octile;

public static class TowerExample {
    // Would a tower on these cells close the way from the gate to the castle?
    public static bool WouldClose(PathSearcher searcher, View view, Cell[] tower, Cell gate, Cell castle) {
        int first;
        return searcher.WouldDisconnect(view, tower, tower.Length, new[] { new CellPair(gate, castle) }, 1, out first);
    }
}
