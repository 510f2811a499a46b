using Octile;

public static class FlowExample {
    // `cells` are the units; one call moves them all by a step.
    public static void Step(View view, FlowField field, Cell goal, Cell[] cells) {
        if (!field.IsBuilt) field.Build(view, goal);
        field.Next(cells, cells.Length, cells);
    }
}
