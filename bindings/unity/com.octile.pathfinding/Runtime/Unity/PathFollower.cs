// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System;
using UnityEngine;

namespace Octile {

/// <summary>Moves its transform along the paths of the <see cref="Seeker"/> beside it. A new path is
/// joined where it stands: it never turns back to a point that lies behind (see
/// <see cref="PathWalker"/>).</summary>
[RequireComponent(typeof(Seeker))]
[DisallowMultipleComponent]
[AddComponentMenu("Octile/Path Follower")]
public sealed class PathFollower : MonoBehaviour {
    [Tooltip("Local units of the map a second.")] [Min(0)] public float speed = 4;
    [Tooltip("Turn to where it walks.")] public bool turn = true;

    /// <summary>A factor on the speed, until it arrives: the pace of a group.</summary>
    [NonSerialized] public float pace = 1;
    /// <summary>It came to the end of its path.</summary>
    public event Action Arrived;

    private readonly PathWalker walker = new PathWalker();
    private Seeker seeker;
    private double walked;

    public bool IsWalking { get { return walker.IsWalking; } }
    /// <summary>Local units to the end of the path.</summary>
    public double Remaining { get { return seeker == null || seeker.map == null ? 0 : walker.Remaining(seeker.map.ToPlane(transform.position)); } }

    private void OnEnable() {
        seeker = GetComponent<Seeker>();
        seeker.Asked += OnAsked;
        seeker.Answered += OnAnswered;
    }

    private void OnDisable() {
        walker.Clear();
        if (seeker == null) return;
        seeker.Asked -= OnAsked;
        seeker.Answered -= OnAnswered;
    }

    private void OnAsked() { walked = 0; }

    private void OnAnswered() {
        if (seeker.Count == 0) walker.Clear();
        else walker.SetPath(seeker.Points, seeker.Count, seeker.map.ToPlane(transform.position), walked);
    }

    private void Update() { Walk(Time.deltaTime); }

    /// <summary>Called by Update.</summary>
    public void Walk(float seconds) {
        if (!walker.IsWalking || seeker.map == null) return;
        GridMap map = seeker.map;
        WorldPoint position = map.ToPlane(transform.position);
        float above = map.Above(transform.position);
        double step = Math.Max(0, speed * pace * seconds);
        walked += step;
        bool more = walker.Move(ref position, step);
        Vector3 to = map.FromPlane(position, above), way = to - transform.position;
        transform.position = to;
        if (turn && way.sqrMagnitude > 1e-10f)
            transform.rotation = map.plane == GridMap.Plane.XZ ? Quaternion.LookRotation(way, map.transform.up) : Quaternion.LookRotation(map.transform.forward, way);
        if (more) return;
        pace = 1;
        seeker.Arrive();
        if (Arrived != null) Arrived();
    }
}

}  // namespace Octile
