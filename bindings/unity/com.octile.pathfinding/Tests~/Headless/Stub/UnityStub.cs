// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// As much of UnityEngine as the components of Runtime/Unity name, so that they can be compiled and
// walked through without Unity. It proves that they compile against these signatures and that their
// own logic works; it proves nothing about Unity. Transforms have a position and no rotation.

using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine {

[AttributeUsage(AttributeTargets.All)] public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
[AttributeUsage(AttributeTargets.All)] public class HeaderAttribute : Attribute { public HeaderAttribute(string text) { } }
[AttributeUsage(AttributeTargets.All)] public class MinAttribute : Attribute { public MinAttribute(float least) { } }
[AttributeUsage(AttributeTargets.All)] public class RangeAttribute : Attribute { public RangeAttribute(float least, float most) { } }
[AttributeUsage(AttributeTargets.All)] public class SerializeFieldAttribute : Attribute { }
[AttributeUsage(AttributeTargets.All)] public class ExecuteAlwaysAttribute : Attribute { }
[AttributeUsage(AttributeTargets.All)] public class DisallowMultipleComponentAttribute : Attribute { }
[AttributeUsage(AttributeTargets.All)] public class AddComponentMenuAttribute : Attribute { public AddComponentMenuAttribute(string path) { } }
[AttributeUsage(AttributeTargets.All)] public class DefaultExecutionOrderAttribute : Attribute { public DefaultExecutionOrderAttribute(int order) { } }
[AttributeUsage(AttributeTargets.All)] public class RequireComponentAttribute : Attribute { public RequireComponentAttribute(Type type) { } }

public struct Vector2 {
    public float x, y;
    public Vector2(float x, float y) { this.x = x; this.y = y; }
}

public struct Vector3 {
    public float x, y, z;
    public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
    public static Vector3 one { get { return new Vector3(1, 1, 1); } }
    public static Vector3 zero { get { return new Vector3(0, 0, 0); } }
    public static Vector3 up { get { return new Vector3(0, 1, 0); } }
    public float sqrMagnitude { get { return x * x + y * y + z * z; } }
    public static Vector3 Scale(Vector3 a, Vector3 b) { return new Vector3(a.x * b.x, a.y * b.y, a.z * b.z); }
    public static Vector3 MoveTowards(Vector3 a, Vector3 b, float most) {
        float length = (float)Math.Sqrt((b - a).sqrMagnitude);
        return length <= most ? b : a + (b - a) * (most / length);
    }
    public static Vector3 Lerp(Vector3 a, Vector3 b, float t) { return a + (b - a) * t; }
    public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
    public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
    public static Vector3 operator *(Vector3 a, float f) { return new Vector3(a.x * f, a.y * f, a.z * f); }
}

public struct Vector3Int {
    public int x, y, z;
    public Vector3Int(int x, int y, int z) { this.x = x; this.y = y; this.z = z; }
}

public struct Quaternion {
    public static Quaternion identity { get { return new Quaternion(); } }
    public static Quaternion Euler(float x, float y, float z) { return new Quaternion(); }
    public static Quaternion LookRotation(Vector3 forward, Vector3 upwards) { return new Quaternion(); }
}

public struct Matrix4x4 {
    public static Matrix4x4 identity { get { return new Matrix4x4(); } }
}

public struct Color {
    public float r, g, b, a;
    public Color(float r, float g, float b, float a) { this.r = r; this.g = g; this.b = b; this.a = a; }
    public static Color white { get { return new Color(1, 1, 1, 1); } }
    public static Color red { get { return new Color(1, 0, 0, 1); } }
    public static Color green { get { return new Color(0, 1, 0, 1); } }
    public static Color cyan { get { return new Color(0, 1, 1, 1); } }
    public static Color HSVToRGB(float h, float s, float v) { return new Color(h, s, v, 1); }
}

public struct Color32 {
    public byte r, g, b, a;
    public Color32(byte r, byte g, byte b, byte a) { this.r = r; this.g = g; this.b = b; this.a = a; }
}

public struct Bounds {
    public Vector3 center, size;
    public Bounds(Vector3 center, Vector3 size) { this.center = center; this.size = size; }
    public Vector3 extents { get { return size * 0.5f; } }
}

public struct LayerMask {
    public int value;
    public static implicit operator int(LayerMask mask) { return mask.value; }
    public static implicit operator LayerMask(int value) { return new LayerMask { value = value }; }
}

public static class Mathf {
    public static float Max(float a, float b) { return Math.Max(a, b); }
    public static int Min(int a, int b) { return Math.Min(a, b); }
}

public static class Application { public static bool isPlaying = true; }
public static class Time { public static float deltaTime = 0.02f; }

public static class Debug {
    public static readonly List<string> Lines = new List<string>();
    public static readonly List<string> Told = new List<string>();
    public static void Log(object message) { Told.Add("" + message); }
    public static void LogError(object message, Object context) { Lines.Add("" + message); }
    public static void LogWarning(object message, Object context) { Lines.Add("" + message); }
}

public static class Gizmos {
    public static Matrix4x4 matrix;
    public static Color color;
    public static int Drawn, Lines;
    public static void Forget() { Drawn = Lines = 0; }
    public static void DrawCube(Vector3 center, Vector3 size) { ++Drawn; }
    public static void DrawWireCube(Vector3 center, Vector3 size) { ++Drawn; }
    public static void DrawLine(Vector3 from, Vector3 to) {
        ++Drawn;
        ++Lines;
    }
}

public class Object {
    public static T FindObjectOfType<T>() where T : Object {
        foreach (MonoBehaviour one in Scene.All) {
            var found = one as T;
            if (found != null) return found;
        }
        return null;
    }
    public string name;
    public static void Destroy(Object thing) { DestroyImmediate(thing); }
    public static void DestroyImmediate(Object thing) {
        var one = thing as MonoBehaviour;
        if (one == null) return;
        Scene.Call(one, "OnDisable");
        Scene.All.Remove(one);
    }
}

public class Component : Object {
    public GameObject gameObject;
    public Transform transform { get { return gameObject.transform; } }
    public T GetComponent<T>() where T : class { return gameObject.GetComponent<T>(); }
}

public class Behaviour : Component { public bool isActiveAndEnabled { get { return Scene.All.Contains(this as MonoBehaviour); } } }
public class MonoBehaviour : Behaviour { }

public class Transform : Component {
    public Vector3 position;
    public Vector3 localScale;
    public Quaternion rotation;
    public void SetParent(Transform parent) { }
    public void LookAt(Vector3 place) { }
    public Vector3 lossyScale { get { return Vector3.one; } }
    public Vector3 eulerAngles { get { return Vector3.zero; } }
    public Vector3 up { get { return Vector3.up; } }
    public Vector3 forward { get { return new Vector3(0, 0, 1); } }
    public Matrix4x4 localToWorldMatrix { get { return Matrix4x4.identity; } }
    public Vector3 InverseTransformPoint(Vector3 point) { return point - position; }
    public Vector3 TransformPoint(Vector3 point) { return point + position; }
}

public enum PrimitiveType { Sphere, Cube, Quad }

public class GameObject : Object {
    public readonly Transform transform = new Transform();
    private bool active = true;
    private readonly List<Component> components = new List<Component>();
    public GameObject() : this("") { }
    public GameObject(string name) {
        this.name = name;
        transform.gameObject = this;
    }
    public static GameObject CreatePrimitive(PrimitiveType type) { return new GameObject(); }
    // Only for the first activation, as after AddComponent on an inactive object.
    public void SetActive(bool value) {
        if (value && !active)
            foreach (Component one in components) Begin(one);
        active = value;
    }
    public T GetComponent<T>() where T : class {
        foreach (Component one in components) {
            var found = one as T;
            if (found != null) return found;
        }
        return null;
    }
    public T AddComponent<T>(Action<T> set = null) where T : Component, new() {
        var made = new T { gameObject = this };
        components.Add(made);
        if (set != null) set(made);
        if (active) Begin(made);
        return made;
    }
    private static void Begin(Component made) {
        var script = made as MonoBehaviour;
        if (script == null) return;
        Scene.All.Add(script);
        Scene.Call(script, "OnEnable");
    }
}

public class Collider : Component { public Bounds bounds { get; set; } }
public class Collider2D : Component { public Bounds bounds { get; set; } }
public class Renderer : Component { public Bounds bounds { get; set; } }

public class Texture2D : Object {
    public int width, height;
    public Color32[] Pixels;
    public Color32[] GetPixels32() { return Pixels; }
}

// Walls are where these say so.
public static class Physics {
    public static Func<Vector3, bool> Wall = p => false;
    public static void SyncTransforms() { }
    public static bool CheckBox(Vector3 center, Vector3 halfExtents, Quaternion orientation, int layers) { return Wall(center); }
}

public static class Physics2D {
    public static Func<Vector2, bool> Wall = p => false;
    public static Collider2D OverlapBox(Vector2 point, Vector2 size, float angle, int layers) { return Wall(point) ? new Collider2D() : null; }
}

// The stub's own: Unity's loop.
public static class Scene {
    public static readonly List<MonoBehaviour> All = new List<MonoBehaviour>();

    private static readonly Dictionary<KeyValuePair<Type, string>, MethodInfo> methods = new Dictionary<KeyValuePair<Type, string>, MethodInfo>();

    public static void Call(MonoBehaviour on, string name) {
        var key = new KeyValuePair<Type, string>(on.GetType(), name);
        MethodInfo method;
        if (!methods.TryGetValue(key, out method)) {
            for (Type type = on.GetType(); type != null && method == null; type = type.BaseType)
                method = type.GetMethod(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly);
            methods.Add(key, method);
        }
        if (method != null) method.Invoke(on, null);
    }

    public static void Frame() {
        foreach (string name in new[] { "Update", "LateUpdate", "OnDrawGizmos", "OnDrawGizmosSelected" })
            foreach (MonoBehaviour one in All.ToArray()) Call(one, name);
    }

    public static void Clear() {
        for (int i = All.Count - 1; i >= 0; --i) Object.DestroyImmediate(All[i]);
        Debug.Lines.Clear();
    }
}

}  // namespace UnityEngine

namespace UnityEngine.Tilemaps {

public class Tilemap : Behaviour {
    public Func<Vector3Int, bool> Tile = p => false;
    public bool HasTile(Vector3Int position) { return Tile(position); }
    public Vector3Int WorldToCell(Vector3 p) { return new Vector3Int((int)Math.Floor(p.x), (int)Math.Floor(p.y), (int)Math.Floor(p.z)); }
}

}  // namespace UnityEngine.Tilemaps

namespace Unity.Collections {

public enum Allocator { Temp, TempJob, Persistent }
[AttributeUsage(AttributeTargets.Field)] public class ReadOnlyAttribute : Attribute { }

// Pinned memory that copies of the struct share.
public struct NativeArray<T> : IDisposable where T : struct {
    internal sealed class Memory {
        public T[] Values;
        public System.Runtime.InteropServices.GCHandle Pin;
    }
    internal Memory memory;
    public NativeArray(int length, Allocator allocator) : this(new T[length]) { }
    public NativeArray(T[] values, Allocator allocator) : this((T[])values.Clone()) { }
    private NativeArray(T[] values) {
        memory = new Memory { Values = values, Pin = System.Runtime.InteropServices.GCHandle.Alloc(values, System.Runtime.InteropServices.GCHandleType.Pinned) };
    }
    public bool IsCreated { get { return memory != null; } }
    public int Length { get { return memory == null ? 0 : memory.Values.Length; } }
    public T this[int i] { get { return memory.Values[i]; } set { memory.Values[i] = value; } }
    public void Dispose() {
        memory.Pin.Free();
        memory = null;
    }
}

}  // namespace Unity.Collections

namespace Unity.Collections.LowLevel.Unsafe {

[AttributeUsage(AttributeTargets.Field)] public class NativeDisableParallelForRestrictionAttribute : Attribute { }
[AttributeUsage(AttributeTargets.Field)] public class NativeSetThreadIndexAttribute : Attribute { }

public static unsafe class NativeArrayUnsafeUtility {
    public static void* GetUnsafePtr<T>(this NativeArray<T> array) where T : struct {
        return array.Length == 0 ? null : (void*)System.Runtime.InteropServices.Marshal.UnsafeAddrOfPinnedArrayElement(array.memory.Values, 0);
    }
}

}  // namespace Unity.Collections.LowLevel.Unsafe

namespace Unity.Jobs.LowLevel.Unsafe {

public static class JobsUtility { public const int MaxJobThreadCount = 8; }

}  // namespace Unity.Jobs.LowLevel.Unsafe

namespace Unity.Jobs {

public interface IJobParallelFor { void Execute(int index); }

public struct JobHandle {
    internal System.Threading.Thread[] Threads;
    public void Complete() {
        foreach (System.Threading.Thread one in Threads) one.Join();
        Threads = new System.Threading.Thread[0];
    }
}

public static class IJobParallelForExtensions {
    // Three threads that take pieces as they come, each with a copy of the job that knows its number.
    public static JobHandle Schedule<T>(this T job, int length, int piece) where T : struct, IJobParallelFor {
        int next = 0;
        var threads = new System.Threading.Thread[3];
        for (int t = 0; t < threads.Length; ++t) {
            object mine = job;
            foreach (FieldInfo field in typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
                if (field.IsDefined(typeof(Unity.Collections.LowLevel.Unsafe.NativeSetThreadIndexAttribute), false)) field.SetValue(mine, t + 1);
            threads[t] = new System.Threading.Thread(() => {
                for (;;) {
                    int first = System.Threading.Interlocked.Add(ref next, piece) - piece;
                    if (first >= length) return;
                    for (int i = first; i < Math.Min(length, first + piece); ++i) ((IJobParallelFor)mine).Execute(i);
                }
            });
            threads[t].Start();
        }
        return new JobHandle { Threads = threads };
    }
}

}  // namespace Unity.Jobs

namespace UnityEditor {

[AttributeUsage(AttributeTargets.Class)] public class CustomEditorAttribute : Attribute { public CustomEditorAttribute(Type type) { } }

public class Editor : UnityEngine.Object {
    public UnityEngine.Object target;
    public virtual void OnInspectorGUI() { }
    public bool DrawDefaultInspector() { return false; }
}

public enum MessageType { None, Info }
public static class EditorGUILayout { public static void HelpBox(string text, MessageType type) { } }
public static class SceneView { public static void RepaintAll() { } }

}  // namespace UnityEditor

namespace UnityEngine {

public struct Ray {
    public Vector3 At;
    public Vector3 GetPoint(float distance) { return At; }
}
public struct Plane {
    public Plane(Vector3 normal, Vector3 point) { }
    public bool Raycast(Ray ray, out float distance) { distance = 0; return true; }
}
public class Camera : Behaviour {
    public static Camera main;
    // The mouse is where it points to.
    public Ray ScreenPointToRay(Vector3 position) { return new Ray { At = position }; }
}
public static class Input {
    public static Vector3 mousePosition;
    public static int Down = -1;
    public static bool GetMouseButtonDown(int button) { return button == Down; }
}
public static class Random {
    private static readonly System.Random numbers = new System.Random(1);
    public static int Range(int least, int end) { return numbers.Next(least, end); }
}

}  // namespace UnityEngine

namespace UnityEngine { public static class GUILayout { public static bool Button(string text) { return false; } } }

namespace NUnit.Framework {

[AttributeUsage(AttributeTargets.Method)] public class TestAttribute : Attribute { }
public static class Assert { public static void AreEqual(double want, double is_, double delta) { if (!(Math.Abs(want - is_) <= delta)) throw new Exception(want + " is not " + is_); } }

}  // namespace NUnit.Framework
