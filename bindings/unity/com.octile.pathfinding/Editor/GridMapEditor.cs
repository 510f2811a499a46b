// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

using UnityEditor;
using UnityEngine;

namespace Octile {

/// <summary>The inspector of a grid map: its fields, a button to bake, and what it holds.</summary>
[CustomEditor(typeof(GridMap))]
public sealed class GridMapEditor : Editor {
    public override void OnInspectorGUI() {
        DrawDefaultInspector();
        var map = (GridMap)target;
        if (GUILayout.Button("Bake")) {
            map.Bake();
            SceneView.RepaintAll();
        }
        if (map.View == null) {
            EditorGUILayout.HelpBox("Not baked. In play mode it is baked when it is enabled.", MessageType.Info);
            return;
        }
        EditorGUILayout.HelpBox(map.width + " x " + map.height + " cells, version " + map.View.Version + ", " + map.View.Bytes / 1024
            + " KB, index: " + map.View.IndexKind + ", requests: " + map.Pending, MessageType.None);
    }
}

}  // namespace Octile
