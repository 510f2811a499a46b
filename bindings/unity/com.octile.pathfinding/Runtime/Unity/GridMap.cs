// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Tilemaps;

namespace Octile {

/// <summary>What a terrain costs.</summary>
[Serializable]
public struct TerrainCost {
    [Tooltip("Terrain id, as GridArea writes it; 46 is free ground, 64 is wall.")]
    public byte terrain;
    [Tooltip("Cost factor of entering such a cell: 0 and more, at most three decimals. Below zero: a wall.")]
    public float cost;
}

/// <summary>The grid on which everybody walks: baked from the scene, edited by the components
/// beside it, asked by the <see cref="Seeker"/>s. Lies in the local space of its transform: cell
/// (0, 0) has its corner in the origin; x is the local x, y the local z or y.
/// Edits of a frame are committed together in its LateUpdate; paths are found within a budget of
/// search work a frame.</summary>
[ExecuteAlways]
[DefaultExecutionOrder(-100)]
[DisallowMultipleComponent]
[AddComponentMenu("Octile/Grid Map")]
public sealed class GridMap : MonoBehaviour {
    public enum Plane { XZ, XY }
    public enum Source { Empty, Physics, Physics2D, Tilemap, Texture }
    public enum Overlay { OnlyPaths, Walkability, Costs, Components, LastSearch, HeatMap, SearchTree }

    [Header("Grid")]
    [Tooltip("Cells to the right.")] [Min(1)] public int width = 64;
    [Tooltip("Cells along the second axis.")] [Min(1)] public int height = 64;
    [Tooltip("Side of a cell in local units.")] [Min(0.0001f)] public float cellSize = 1;
    [Tooltip("Ground plane of 3D games (XZ), or that of 2D games (XY).")] public Plane plane = Plane.XZ;

    [Header("What is a wall")]
    [Tooltip("Where walls are taken from when the map is baked.")] public Source source = Source.Physics;
    [Tooltip("Physics: colliders on these layers are walls.")] public LayerMask wallLayers = ~0;
    [Tooltip("Physics: share of the cell that is probed. Below 1 a wall may reach into a cell a little.")] [Range(0.05f, 1)] public float probe = 0.9f;
    [Tooltip("3D physics: height of the probe above the plane, local units.")] [Min(0.001f)] public float probeHeight = 1;
    [Tooltip("Tilemap whose tiles are read.")] public Tilemap tilemap;
    [Tooltip("Are tiles walls, or is everything else a wall?")] public bool tilesAreWalls = true;
    [Tooltip("Texture that is stretched over the map; needs Read/Write. Dark or transparent pixels are walls.")] public Texture2D texture;
    [Tooltip("Pixels darker than this are walls.")] [Range(0, 1)] public float darkness = 0.5f;

    [Header("Who walks")]
    [Tooltip("Four moves, or diagonals as well.")] public Moves moves = Moves.Eight;
    [Tooltip("May a diagonal step pass walls beside it?")] public Diagonal diagonal = Diagonal.NoObstacles;
    [Tooltip("Length of a diagonal step: root of 2, 1.4 (10 and 14), or 1.")] public Metric metric = Metric.Octile;
    [Tooltip("Cells that a unit covers, each way.")] [Range(1, 64)] public int unitSize = 1;
    [Tooltip("Terrains that cost more, or less. Free ground costs 1.")] public TerrainCost[] terrainCosts = new TerrainCost[0];

    [Header("Work")]
    [Tooltip("Search nodes that all requests together may take in a frame.")] [Min(1)] public int nodesPerFrame = 20000;
    [Tooltip("Build an index in the background: paths in a microsecond, until the map is edited.")] public bool buildIndex;

    [Header("Gizmos")]
    [Tooltip("What is drawn of the map. 'Only paths' leaves the map away. The last three show what A* did for the last request.")] public Overlay overlay = Overlay.Walkability;
    [Tooltip("Draw only so many cells each way, from the first on: drawing is slow.")] [Range(1, 512)] public int drawnCells = 128;

    /// <summary>The map; null while the component is disabled. Edit it, then <see cref="MarkDirty"/>.</summary>
    public GridWorld World { get; private set; }
    /// <summary>The committed state. Replaced, and the old one disposed of, by each commit.</summary>
    public View View { get; private set; }
    /// <summary>For calls in the main thread: <c>map.Searcher.Distance(map.View, a, b)</c>. Not the
    /// one of the requests, which may be in the middle of a query.</summary>
    public PathSearcher Searcher { get; private set; }
    /// <summary>Random and flee points.</summary>
    public Places Places { get; private set; }
    /// <summary>After each commit.</summary>
    public event Action Changed;
    /// <summary>The requests, worked on in LateUpdate; null while the component is disabled.</summary>
    public PathQueue Queue { get; private set; }
    /// <summary>Requests that wait, the one in work included.</summary>
    public int Pending { get { return Queue == null ? 0 : Queue.Pending; } }
    /// <summary>Edges of the search tree that is drawn.</summary>
    public int TreeSize { get { return tree.Count; } }

    // Of the last request that was answered while its search is drawn.
    private readonly List<CellPair> tree = new List<CellPair>();
    private SearchTrace trace;
    private TraceEvent[] events;
    private int eventCount;
    private Cell[] lastPath = new Cell[0];
    private int lastLength;
    private Cell lastStart, lastGoal;
    private uint profile;
    private bool dirty;

    // ---- Life ----------------------------------------------------------------------------------

    private void OnEnable() {
        if (Application.isPlaying) Bake();
    }

    private void OnDisable() { Free(); }

    private void Free() {
        Dispose(Queue);
        Dispose(trace);
        Dispose(Searcher);
        Dispose(Places);
        Dispose(View);
        Dispose(World);
        Queue = null;
        Searcher = null;
        trace = null;
        Places = null;
        View = null;
        World = null;
        eventCount = lastLength = 0;
        tree.Clear();
    }

    private static void Dispose(IDisposable thing) {
        if (thing != null) thing.Dispose();
    }

    /// <summary>Makes the map anew from its source. Obstacles, doors and areas must add themselves
    /// again: they do so when they see another <see cref="World"/>.</summary>
    public void Bake() {
        Free();
        try {
            var terrain = new byte[checked(width * height)];
            Scan(terrain);
            World = new GridWorld(new GridWorld.Definition { Width = width, Height = height, CellSize = cellSize }, terrain);
            var who = new MoveProfile { Moves = moves, Diagonal = diagonal, Metric = metric, Width = unitSize, Height = unitSize };
            foreach (TerrainCost t in terrainCosts) who[t.terrain] = t.cost < 0 ? MoveProfile.Impassable : Math.Round(t.cost, 3);
            profile = World.AddProfile(who);
            Queue = new PathQueue { Ended = OnEnded };
            Searcher = new PathSearcher();
            Places = new Places();
            Commit();
        } catch (Exception error) {
            Free();
            Debug.LogError("Octile: the map could not be made: " + error.Message, this);
        }
    }

    private void Scan(byte[] terrain) {
        Color32[] pixels = null;
        if (source == Source.Texture && texture != null) pixels = texture.GetPixels32();
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                terrain[y * width + x] = IsWall(new Cell(x, y), pixels) ? GridWorld.Wall : GridWorld.Free;
    }

    private bool IsWall(Cell cell, Color32[] pixels) {
        Vector3 center = CellToWorld(cell);
        Vector3 scale = transform.lossyScale;
        switch (source) {
            case Source.Physics:
                float side = cellSize * probe * 0.5f, up = probeHeight * 0.5f;
                Vector3 half = plane == Plane.XZ ? new Vector3(side * scale.x, up * scale.y, side * scale.z) : new Vector3(side * scale.x, side * scale.y, up * scale.z);
                Vector3 middle = plane == Plane.XZ ? center + transform.up * half.y : center;
                return Physics.CheckBox(middle, half, transform.rotation, wallLayers);
            case Source.Physics2D:
                var box = new Vector2(cellSize * probe * scale.x, cellSize * probe * scale.y);
                return Physics2D.OverlapBox(new Vector2(center.x, center.y), box, transform.eulerAngles.z, wallLayers) != null;
            case Source.Tilemap:
                return tilemap != null && tilemap.HasTile(tilemap.WorldToCell(center)) == tilesAreWalls;
            case Source.Texture:
                if (pixels == null) return false;
                int u = Math.Min(texture.width - 1, (int)((cell.x + 0.5f) / width * texture.width));
                int v = Math.Min(texture.height - 1, (int)((cell.y + 0.5f) / height * texture.height));
                Color32 c = pixels[v * texture.width + u];
                return c.a < 128 || c.r * 0.299f + c.g * 0.587f + c.b * 0.114f < darkness * 255;
            default:
                return false;
        }
    }

    // ---- Places in the world -------------------------------------------------------------------

    /// <summary>A world position in the plane of the map, in local units.</summary>
    public WorldPoint ToPlane(Vector3 position) {
        Vector3 local = transform.InverseTransformPoint(position);
        return new WorldPoint(local.x, plane == Plane.XZ ? local.z : local.y);
    }

    /// <summary>The other way round; <paramref name="above"/> the plane, in local units.</summary>
    public Vector3 FromPlane(WorldPoint point, float above = 0) {
        return transform.TransformPoint(plane == Plane.XZ ? new Vector3((float)point.x, above, (float)point.y) : new Vector3((float)point.x, (float)point.y, -above));
    }

    /// <summary>How far a world position lies above the plane, in local units.</summary>
    public float Above(Vector3 position) {
        Vector3 local = transform.InverseTransformPoint(position);
        return plane == Plane.XZ ? local.y : -local.z;
    }

    public Cell WorldToCell(Vector3 position) {
        WorldPoint p = ToPlane(position);
        double x = Math.Floor(p.x / cellSize), y = Math.Floor(p.y / cellSize);
        // What lies beyond every map, NaN included, is outside of this one.
        if (!(Math.Abs(x) < 1e9 && Math.Abs(y) < 1e9)) return new Cell(-1, -1);
        return new Cell((int)x, (int)y);
    }

    /// <summary>The centre of a cell.</summary>
    public Vector3 CellToWorld(Cell cell) {
        return FromPlane(new WorldPoint((cell.x + 0.5) * cellSize, (cell.y + 0.5) * cellSize));
    }

    /// <summary>The cells that a box of the world touches, cut to the map.</summary>
    public CellRect CellsOf(Bounds bounds) {
        double x0 = double.MaxValue, y0 = double.MaxValue, x1 = double.MinValue, y1 = double.MinValue;
        for (int i = 0; i < 8; ++i) {
            Vector3 corner = bounds.center + Vector3.Scale(bounds.extents, new Vector3((i & 1) * 2 - 1, (i & 2) - 1, (i & 4) / 2 - 1));
            WorldPoint p = ToPlane(corner);
            x0 = Math.Min(x0, p.x);
            x1 = Math.Max(x1, p.x);
            y0 = Math.Min(y0, p.y);
            y1 = Math.Max(y1, p.y);
        }
        // A box that ends on the border of a cell does not touch the next one.
        int left = Clamp(Math.Floor(x0 / cellSize + 1e-4), width), right = Clamp(Math.Ceiling(x1 / cellSize - 1e-4), width);
        int low = Clamp(Math.Floor(y0 / cellSize + 1e-4), height), high = Clamp(Math.Ceiling(y1 / cellSize - 1e-4), height);
        return new CellRect(left, low, Math.Max(0, right - left), Math.Max(0, high - low));
    }

    private static int Clamp(double value, int most) { return value >= most ? most : value > 0 ? (int)value : 0; }

    // ---- Edits ---------------------------------------------------------------------------------

    /// <summary>Something in <see cref="World"/> was changed: publish it in the next LateUpdate.</summary>
    public void MarkDirty() { dirty = true; }

    /// <summary>Publishes now what was changed.</summary>
    public void Commit() {
        if (World == null) return;
        dirty = false;
        World.Commit();
        NewView();
        if (buildIndex) World.StartBuild(profile);
    }

    private void NewView() {
        TakeView();
        Action changed = Changed;
        if (changed != null) changed();
    }

    private void TakeView() {
        View old = View;
        View = World.View(profile);
        Queue.View = View;
        Dispose(old);
    }

    private void LateUpdate() {
        if (World == null || !Application.isPlaying) return;
        if (dirty) Commit();
        if (buildIndex && World.AdoptFinished()) TakeView();
        Work(nodesPerFrame);
    }

    // ---- Requests ------------------------------------------------------------------------------

    /// <summary>Asks for a path; see <see cref="PathQueue.Submit"/>.</summary>
    public void Submit(PathRequest request, CancellationToken token = default(CancellationToken)) {
        if (Queue == null) throw new InvalidOperationException("the grid map is disabled");
        Queue.Submit(request, token);
    }

    /// <summary>Ends a request without an answer; it is not told.</summary>
    public void Cancel(PathRequest request) {
        if (Queue != null) Queue.Cancel(request);
    }

    /// <summary>The way between two places of the world as a task, which ends in a later LateUpdate;
    /// cancelled when the map is disabled or baked anew. <see cref="CellToWorld"/> of its cells.</summary>
    public Task<FoundPath> FindAsync(Vector3 start, Vector3 goal, CancellationToken token = default(CancellationToken)) {
        if (Queue == null) throw new InvalidOperationException("the grid map is disabled");
        return Queue.FindAsync(WorldToCell(start), WorldToCell(goal), token);
    }

    private bool DrawsSearch { get { return overlay >= Overlay.LastSearch; } }

    /// <summary>Goes on with the requests for about so many search nodes. Called by LateUpdate; call
    /// it with a large number where all answers are wanted now.</summary>
    public void Work(long nodes) {
        if (Queue == null) return;
        if (DrawsSearch && trace == null) trace = new SearchTrace();
        Queue.Trace = DrawsSearch ? trace : null;
        Queue.Work(nodes);
    }

    private void OnEnded(PathRequest request) {
        if (request.Error != null) Debug.LogError("Octile: " + request.Error.Message, this);
        if (Queue == null || Queue.Trace == null) return;
        int all = trace.Read(0, null);
        if (events == null || events.Length < all) events = new TraceEvent[all + all / 2];
        eventCount = trace.Read(0, events);
        tree.Clear();
        if (overlay == Overlay.SearchTree) trace.ReadTree(View, tree);
        if (lastPath.Length < request.Count) lastPath = new Cell[request.Count * 2];
        Array.Copy(request.Cells, lastPath, request.Count);
        lastLength = request.Count;
        lastStart = request.Query.Start;
        lastGoal = request.Query.Goal;
    }

    // ---- Gizmos --------------------------------------------------------------------------------

    private void OnDrawGizmosSelected() {
        Gizmos.matrix = transform.localToWorldMatrix;
        Gizmos.color = Color.white;
        Vector3 middle = Local(width * 0.5f, height * 0.5f), size = Local(width, height);
        Gizmos.DrawWireCube(middle, size);
        if (View == null || overlay == Overlay.OnlyPaths) return;
        if (DrawsSearch) DrawSearch();
        else DrawCells();
    }

    private void DrawCells() {
        for (int y = 0; y < Math.Min(height, drawnCells); ++y)
            for (int x = 0; x < Math.Min(width, drawnCells); ++x) {
                var cell = new Cell(x, y);
                double cost = View.CostAt(cell);
                if (overlay == Overlay.Components) {
                    uint component = View.ComponentAt(cell);
                    if (component == uint.MaxValue) continue;
                    Gizmos.color = Color.HSVToRGB(component * 0.618034f % 1, 0.6f, 1);
                } else if (double.IsInfinity(cost)) {
                    Gizmos.color = new Color(1, 0.2f, 0.2f, 0.6f);
                } else {
                    float dark = overlay == Overlay.Costs ? (float)(1 / (1 + Math.Max(0, cost - 1) * 0.3)) : 1;
                    Gizmos.color = new Color(dark, dark, dark, 0.25f);
                }
                DrawCell(cell);
            }
    }

    // LastSearch: opened cells, closed ones, both ends and the path. HeatMap: closed cells, from blue
    // near the start to red. SearchTree: how each closed cell was reached.
    private void DrawSearch() {
        if (overlay == Overlay.SearchTree) {
            Gizmos.color = Color.cyan;
            foreach (CellPair edge in tree) Gizmos.DrawLine(Middle(edge.a), Middle(edge.b));
        } else {
            double most = 1;
            for (int i = 0; i < eventCount; ++i) most = Math.Max(most, events[i].g);
            for (int i = 0; i < eventCount; ++i) {
                bool closed = events[i].kind == TraceKind.Closed;
                if (overlay == Overlay.HeatMap) {
                    if (!closed) continue;
                    Gizmos.color = Color.HSVToRGB(0.66f * (1 - (float)(events[i].g / most)), 0.8f, 1);
                } else {
                    Gizmos.color = closed ? new Color(0.3f, 0.5f, 1, 0.5f) : new Color(0.6f, 0.8f, 1, 0.2f);
                }
                DrawCell(events[i].cell);
            }
        }
        if (eventCount == 0) return;
        Gizmos.color = Color.green;
        DrawCell(lastStart);
        for (int i = 0; i + 1 < lastLength; ++i) Gizmos.DrawLine(Middle(lastPath[i]), Middle(lastPath[i + 1]));
        Gizmos.color = Color.red;
        DrawCell(lastGoal);
    }

    private Vector3 Middle(Cell cell) { return Local(cell.x + 0.5f, cell.y + 0.5f); }

    private void DrawCell(Cell cell) { Gizmos.DrawCube(Middle(cell), Local(0.9f, 0.9f)); }

    private Vector3 Local(float x, float y) {
        return plane == Plane.XZ ? new Vector3(x * cellSize, 0, y * cellSize) : new Vector3(x * cellSize, y * cellSize, 0);
    }
}

}  // namespace Octile
