// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using UnityEngine;

namespace Octile {

/// <summary>Asks a <see cref="GridMap"/> for paths from where it stands. <see cref="PathFollower"/>
/// walks them; or read <see cref="Points"/>.</summary>
[DisallowMultipleComponent]
[AddComponentMenu("Octile/Seeker")]
public sealed class Seeker : MonoBehaviour {
    [Tooltip("The map; found in the scene when empty.")] public GridMap map;
    [Tooltip("Without a path go to the nearest place that can be reached.")] public bool allowPartial = true;
    [Tooltip("Take the nearest free cell for a goal in a wall.")] public bool snapGoal = true;
    [Tooltip("Ask again whenever the map changes on the way.")] public bool askAgain = true;
    [Tooltip("Colour of the path in the scene view.")] public Color color = Color.green;

    /// <summary>A path was asked for, from where it stands now.</summary>
    public event Action Asked;
    /// <summary>There is an answer: look at <see cref="Status"/>.</summary>
    public event Action Answered;

    private PathRequest request;
    private GridMap watched;
    private Cell goal;
    private bool hasGoal;

    public bool IsPending { get { return request != null && request.IsPending; } }
    public Status Status { get { return request == null ? Status.NoPath : request.Answer.Status; } }
    public PathAnswer Answer { get { return request == null ? default(PathAnswer) : request.Answer; } }
    /// <summary>The path in the map's plane: the first <see cref="Count"/> elements.</summary>
    public WorldPoint[] Points { get { return request == null ? new WorldPoint[0] : request.Points; } }
    public int Count { get { return request == null ? 0 : request.Count; } }

    /// <summary>Asks for the way to a place; the answer comes within this frame or a later one.</summary>
    public void MoveTo(Vector3 position) {
        if (FindMap()) MoveTo(map.WorldToCell(position));
    }

    public void MoveTo(Cell cell) {
        if (!FindMap()) return;
        goal = cell;
        hasGoal = true;
        Ask();
    }

    /// <summary>Goes to any place within this cost; false when it stands where it cannot.</summary>
    public bool Wander(double cost) {
        Cell place;
        if (!FindMap() || !map.Places.TryRandom(map.View, map.WorldToCell(transform.position), cost, out place)) return false;
        MoveTo(place);
        return true;
    }

    /// <summary>Goes to the place within this cost that is farthest to walk from a threat.</summary>
    public bool Flee(Vector3 threat, double cost) {
        Cell place;
        if (!FindMap() || !map.Places.TryFlee(map.View, map.WorldToCell(transform.position), map.WorldToCell(threat), cost, out place)) return false;
        MoveTo(place);
        return true;
    }

    /// <summary>Forgets the goal and the path.</summary>
    public void Stop() {
        hasGoal = false;
        if (request == null) return;
        if (watched != null) watched.Cancel(request);
        request.Clear();
        Tell(Answered);
    }

    private bool FindMap() {
        if (map == null) map = FindObjectOfType<GridMap>();
        if (map == null || map.World == null) {
            Debug.LogError("Octile: there is no enabled GridMap for this seeker", this);
            return false;
        }
        if (watched != map) {
            Unwatch();
            watched = map;
            map.Changed += OnMapChanged;
        }
        return true;
    }

    private void Ask() {
        if (request == null) {
            request = new PathRequest();
            request.Done = OnDone;
        }
        PathQuery q = request.Query;
        q.Start = map.WorldToCell(transform.position);
        q.Goal = goal;
        q.AllowPartial = allowPartial;
        q.SnapGoal = snapGoal;
        q.SnapStart = true;
        map.Submit(request);
        Tell(Asked);
    }

    private void OnDone(PathRequest done) { Tell(Answered); }

    private void OnMapChanged() {
        if (askAgain && hasGoal && isActiveAndEnabled && map != null && map.World != null) Ask();
    }

    // The follower calls it at the end of the way: a later change of the map is no business then.
    internal void Arrive() { hasGoal = false; }

    private void OnDisable() {
        hasGoal = false;
        Unwatch();
    }

    private void Unwatch() {
        // What waits in the queue of one map cannot be asked of another.
        if (watched != null && request != null) watched.Cancel(request);
        if (watched != null) watched.Changed -= OnMapChanged;
        watched = null;
    }

    private static void Tell(Action action) {
        if (action != null) action();
    }

    private void OnDrawGizmos() {
        if (map == null || Count == 0) return;
        Gizmos.matrix = Matrix4x4.identity;
        Gizmos.color = color;
        for (int i = 0; i + 1 < Count; ++i) Gizmos.DrawLine(map.FromPlane(Points[i]), map.FromPlane(Points[i + 1]));
    }
}

}  // namespace Octile
