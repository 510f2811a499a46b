// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors

// A test library of thirty lines: every public static method of the classes that are handed over
// is a test. Writes a report as GoogleTest does when GTEST_OUTPUT asks for it.

using System;
using System.IO;
using System.Reflection;
using System.Text;

public sealed class Skipped : Exception {
    public Skipped(string why) : base(why) { }
}

public static class Check {
    public static void True(bool good, string what) {
        if (!good) throw new Exception(what);
    }

    public static void Equal<T>(T want, T is_, string what) {
        if (!object.Equals(want, is_)) throw new Exception(what + ": wanted " + want + ", got " + is_);
    }

    public static void Near(double want, double is_, string what) {
        if (!(Math.Abs(want - is_) <= 1e-6 * Math.Max(1, Math.Abs(want)))) throw new Exception(what + ": wanted " + want + ", got " + is_);
    }

    public static T Throws<T>(Action action, string what) where T : Exception {
        try {
            action();
        } catch (T error) {
            True(error.Message.Length > 0, what + ": the error has no message");
            return error;
        }
        throw new Exception(what + ": nothing was thrown");
    }

    public static int Run(string only, params Type[] classes) {
        int passed = 0, failed = 0, skipped = 0;
        var report = new StringBuilder();
        foreach (Type type in classes)
            foreach (MethodInfo test in type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)) {
                string name = type.Name + "." + test.Name, verdict = "COMPLETED", failures = "";
                if (only != null && !name.Contains(only)) continue;
                try {
                    test.Invoke(null, null);
                    ++passed;
                } catch (TargetInvocationException error) {
                    if (error.InnerException is Skipped) {
                        ++skipped;
                        verdict = "SKIPPED";
                        Console.WriteLine("skipped " + name + ": " + error.InnerException.Message);
                    } else {
                        ++failed;
                        failures = ", \"failures\": [{}]";
                        Console.WriteLine("FAILED " + name + ": " + error.InnerException);
                    }
                }
                report.Append(report.Length > 0 ? ", " : "").Append("{\"name\": \"").Append(test.Name)
                    .Append("\", \"status\": \"RUN\", \"result\": \"").Append(verdict).Append("\"").Append(failures).Append("}");
            }
        string folder = Environment.GetEnvironmentVariable("GTEST_OUTPUT"), file = Environment.GetEnvironmentVariable("OCTILE_REPORT");
        if (folder != null && file != null && folder.StartsWith("json:") && folder.EndsWith("/"))
            File.WriteAllText(Path.Combine(folder.Substring(5), file), "{\"testsuites\": [{\"name\": \"unity\", \"testsuite\": [" + report + "]}]}");
        if (skipped > 0) Console.WriteLine(skipped + " skipped");
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
