// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using System.Collections.Generic;
using UnityEngine;

namespace Octile {

/// <summary>One order for many seekers of one map: each gets a place of its own, and they arrive
/// together.</summary>
[AddComponentMenu("Octile/Unit Group")]
public sealed class UnitGroup : MonoBehaviour {
    [Tooltip("Who belongs to it.")] public List<Seeker> units = new List<Seeker>();
    [Tooltip("How they stand at the goal.")] public Formation formation = Formation.Compact;
    [Tooltip("Cells between two units at least.")] [Range(0, 32)] public int spacing;
    [Tooltip("Units abreast in a box or column; 0: chosen.")] [Min(0)] public int files;
    [Tooltip("Slow the near ones down, so that all arrive together.")] public bool together = true;

    private readonly GroupOrder order = new GroupOrder();
    private GroupUnit[] places = new GroupUnit[16];
    private GroupSlot[] slots = new GroupSlot[16];

    /// <summary>Sends everybody; returns how many got a place. Units that are gone are skipped.</summary>
    public int MoveTo(GridMap map, Vector3 goal) {
        units.RemoveAll(unit => unit == null);
        int count = units.Count;
        if (map == null || map.World == null || count == 0) return 0;
        if (places.Length < count) {
            places = new GroupUnit[count * 2];
            slots = new GroupSlot[count * 2];
        }
        for (int i = 0; i < count; ++i) places[i] = new GroupUnit(map.WorldToCell(units[i].transform.position));
        order.Formation = formation;
        order.Spacing = spacing;
        order.Files = files;
        try {
            order.Order(map.Searcher, map.View, places, count, map.WorldToCell(goal), slots);
        } catch (OctileException error) {
            Debug.LogWarning("Octile: " + error.Message, this);
            return 0;
        }
        int sent = 0;
        for (int i = 0; i < count; ++i) {
            if (slots[i].Status != Status.Found && slots[i].Status != Status.Partial) continue;
            var follower = units[i].GetComponent<PathFollower>();
            if (follower != null) follower.pace = together ? Mathf.Max(0.1f, (float)slots[i].pace) : 1;
            units[i].map = map;
            units[i].MoveTo(slots[i].cell);
            ++sent;
        }
        return sent;
    }
}

}  // namespace Octile
