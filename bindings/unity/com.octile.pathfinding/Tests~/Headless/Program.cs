// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

public static class Program {
    // An argument runs only the tests whose name contains it.
    public static int Main(string[] arguments) {
        return Check.Run(arguments.Length > 0 ? arguments[0] : null, typeof(CoreTests), typeof(MapTests), typeof(ManyTests), typeof(WorldTests), typeof(QueueTests), typeof(WalkTests), typeof(UnityLayerTests), typeof(CostTests), typeof(FacesTests));
    }
}
