// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using System.Collections.Generic;

namespace Octile {

/// <summary>Which tiles of a streamed world are wanted, have come and may go. Nothing is called
/// back: queries tell what they lack, and the game asks when it has time.
/// <code>
/// if (searcher.FindPath(view, query, path, out answer) == Status.NotLoaded)
///     stream.Want(searcher);                          // then, every frame:
/// Cell tile;
/// while (stream.TryNext(out tile)) load(tile);        // from disk, a generator, the net
/// stream.Provide(tile, terrain);                      // when it is there, in any order
/// if (stream.Commit()) view = world.View(walker);     // and ask again
/// </code>
/// Tiles of 64 x 64 cells, counted from the map's first cell, are named by their first cell. When
/// there are more than <see cref="Limit"/>, those that were wanted or touched longest ago are
/// released. Belongs to the thread of its world.</summary>
public sealed class TileStream {
    /// <summary>Cells of a tile, each way.</summary>
    public const int Side = 64;

    private readonly GridWorld world;
    private readonly CellRect bounds;
    private readonly Queue<Cell> next = new Queue<Cell>();
    private readonly HashSet<Cell> asked = new HashSet<Cell>();
    // The tiles that are there, from the one that was touched longest ago.
    private readonly LinkedList<Cell> age = new LinkedList<Cell>();
    private readonly Dictionary<Cell, LinkedListNode<Cell>> present = new Dictionary<Cell, LinkedListNode<Cell>>();
    private Cell[] cells = new Cell[64];
    private int limit = int.MaxValue;
    private bool changed;

    /// <summary>Of a world with <see cref="GridWorld.Definition.Streamed"/>, all of whose tiles are
    /// absent now.</summary>
    public TileStream(GridWorld world) {
        Arguments.NotNull(world, "world");
        if (!world.Describe().Streamed) throw new ArgumentException("the world is not streamed", "world");
        this.world = world;
        bounds = world.Bounds;
    }

    /// <summary>Tiles that may be there at once, 1 or more.</summary>
    public int Limit {
        get { return limit; }
        set {
            if (value < 1) throw new ArgumentOutOfRangeException("value");
            limit = value;
        }
    }

    /// <summary>Tiles that are there, and those that were asked for and have not come.</summary>
    public int Present { get { return present.Count; } }
    public int Pending { get { return asked.Count; } }

    /// <summary>The first cell of the tile in which a cell of the map lies.</summary>
    public Cell TileOf(Cell cell) {
        return new Cell(bounds.x + (int)(((long)cell.x - bounds.x) / Side * Side), bounds.y + (int)(((long)cell.y - bounds.y) / Side * Side));
    }

    /// <summary>The tiles that the searcher's last query lacked (<see cref="Status.NotLoaded"/>).</summary>
    public void Want(PathSearcher searcher) {
        Arguments.NotNull(searcher, "searcher");
        if (searcher.LastAnswer.Status != Status.NotLoaded) return;
        int count = searcher.ReadPath(0, cells);
        if (count > cells.Length) {
            cells = new Cell[count * 2];
            searcher.ReadPath(0, cells);
        }
        for (int i = 0; i < count; ++i) Want(cells[i]);
    }

    /// <summary>The tile of a cell: asks for it when it is not there, and keeps it longer when it is.
    /// Outside the map: nothing.</summary>
    public void Want(Cell cell) {
        if (!bounds.Contains(cell)) return;
        Cell tile = TileOf(cell);
        LinkedListNode<Cell> node;
        if (present.TryGetValue(tile, out node)) {
            age.Remove(node);
            age.AddLast(node);
        } else if (asked.Add(tile)) {
            next.Enqueue(tile);
        }
    }

    /// <summary>The next tile to load, each once, in the order in which they were wanted.</summary>
    public bool TryNext(out Cell tile) {
        tile = default(Cell);
        if (next.Count == 0) return false;
        tile = next.Dequeue();
        return true;
    }

    /// <summary>Here it is: 64 rows of 64 terrain ids. Also one that nobody asked for.</summary>
    public void Provide(Cell cell, byte[] terrain) {
        world.ProvideTile(cell, terrain);
        changed = true;
        Cell tile = TileOf(cell);
        asked.Remove(tile);
        if (present.ContainsKey(tile)) return;
        present.Add(tile, age.AddLast(tile));
    }

    /// <summary>It cannot be had now; it may be wanted again.</summary>
    public void Fail(Cell cell) { asked.Remove(TileOf(cell)); }

    /// <summary>Releases what is too much and publishes what has changed; true when something
    /// had.</summary>
    public bool Commit() {
        LinkedListNode<Cell> node = age.First;
        while (present.Count > limit && node != null) {
            LinkedListNode<Cell> after = node.Next;
            try {
                world.ReleaseTile(node.Value);
                present.Remove(node.Value);
                age.Remove(node);
                changed = true;
            } catch (OctileException) {
                // An obstacle lies there: it stays.
            }
            node = after;
        }
        if (!changed) return false;
        changed = false;
        world.Commit();
        return true;
    }
}

}  // namespace Octile
