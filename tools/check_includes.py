#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Checks who may include whom, and that file names are unique. Prints each violation; exit code 1
when there is one.

    check_includes.py [ROOT]

Inside src/ the direction is

    base <- world <- search <- { index, fields } <- solvers <- engine <- agents <- faces

A file may include its own room and the rooms before it. Everybody may include the public headers,
which themselves include only octile/octile.hpp (and that octile/world.hpp), octile/detail/ and the
standard library. What lies outside the engine sees it through the public headers alone; only tests
may look inside.
"""

import os
import re
import sys

LEVEL = {"base": 0, "world": 1, "search": 2, "index": 3, "fields": 3, "solvers": 4,
         "engine": 5, "agents": 6, "faces": 7}

# Rooms outside the engine, and which of each other they may include.
OUTSIDE = {"scenes": {"pictures"}, "pictures": {"scenes"},
           "bench": {"pictures", "scenes"}, "apps": {"pictures", "scenes", "bench"}}

# What is no business of the face: measures choose among the inner loops, and there is one way to
# write a file.
DETAIL_SEEN = {"apps/cli/kernel_option.cpp": {"include/octile/detail/kernels.hpp"},
               "apps/cli/files.cpp": {"include/octile/detail/write_file.hpp"},
               "pictures/image.cpp": {"include/octile/detail/write_file.hpp"}}

# The judge shares no code with what it judges.
JUDGE = {"src/solvers/dijkstra.cpp", "src/solvers/dijkstra.hpp"}
JUDGE_MAY = {"src/world/map.hpp", "src/world/profile.hpp", "src/world/snapshot.hpp",
             "src/base/cost.hpp", "include/octile/detail/buffer.hpp",
             "src/solvers/solver.hpp", "src/solvers/dijkstra.hpp"}

# Threads, files, clocks and the console.
PLATFORM_ONLY = set("""
    thread mutex shared_mutex condition_variable future semaphore latch barrier stop_token
    fstream iostream cstdio filesystem chrono ctime
    stdio.h time.h threads.h
""".split())

# Their growth cannot report that memory is short; detail/buffer.hpp can.
CONTAINERS = set("""
    vector string deque list forward_list map unordered_map set unordered_set queue stack
    any memory_resource regex sstream valarray
""".split())

STANDARD = PLATFORM_ONLY | CONTAINERS | set("""
    algorithm array atomic bit bitset cassert cctype cerrno cfenv cfloat charconv cinttypes climits
    clocale cmath codecvt compare complex concepts coroutine csetjmp csignal cstdarg cstddef cstdint
    cstdlib cstring cuchar cwchar cwctype exception execution format functional initializer_list
    iomanip ios iosfwd istream iterator limits locale memory new numbers numeric optional ostream
    random ranges ratio scoped_allocator source_location span stdexcept streambuf string_view
    strstream syncstream system_error tuple type_traits typeindex typeinfo utility variant version
    assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stddef.h stdint.h stdlib.h string.h
""".split())

# Vector instructions: only in kernel files.
INTRINSICS = {"immintrin.h", "arm_neon.h", "wasm_simd128.h"}

SOURCE = (".hpp", ".cpp", ".h", ".c", ".inc")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

SKIPPED_FOLDERS = {"build", "dist", "out", ".git", ".cache", "__pycache__", "node_modules"}


def project_files(root):
    """All files, relative to the root, without what is built."""
    found = []
    for folder, folders, names in os.walk(root):
        relative = os.path.relpath(folder, root)
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in sorted(names):
            found.append(os.path.normpath(os.path.join(relative, name)))
    return found


# One of each folder's own kind may bear such a name.
PRESCRIBED_NAMES = {
    "CMakeLists.txt", "README.md", "CHANGELOG.md", "package.json", "package-lock.json",
    "tsconfig.json",
}


def check_names(files):
    """One name, one file: so that a name alone says which file is meant."""
    seen = {}
    for path in files:
        name = os.path.basename(path)
        if name in PRESCRIBED_NAMES:
            continue
        if os.path.splitext(name)[0] == "index" or name.endswith(".meta"):
            continue
        # Names that other programs prescribe (.ci/run, .gitignore), and fuzz seeds.
        if path.startswith((".", os.path.join("tests", "fuzz", "corpus"))) or name.startswith("."):
            continue
        if name in seen:
            yield f"{path}: the name is taken by {seen[name]}"
        else:
            seen[name] = path


class Tree:
    """Finds the file that an #include means."""

    def __init__(self, root, files):
        self.root = root
        self.sources = [f for f in files if f.endswith(SOURCE)]
        self.known = set(self.sources)
        self.by_name = {}
        for path in self.sources:
            self.by_name.setdefault(os.path.basename(path), []).append(path)

    def resolve(self, path, target):
        """The project's file that `target` names when `path` includes it; None: not ours."""
        for folder in (os.path.dirname(path), "src", "include", ""):
            candidate = os.path.normpath(os.path.join(folder, target))
            if candidate in self.known:
                return candidate
        # Reached by an include folder of the build; names are unique.
        for candidate in self.by_name.get(os.path.basename(target), []):
            if candidate.endswith("/" + target):
                return candidate
        return None

    def includes(self, path):
        """(line, target, resolved path or None, written with quotes) of each #include."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            text = file.read()
        text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            target = match.group(2)
            yield line, target, self.resolve(path, target), match.group(1) == '"'


def room_of(path):
    """("src", room), ("public", ""), ("detail", "") or (top folder, "")."""
    parts = path.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return "src", parts[1]
    if parts[0] == "include":
        return ("detail" if "detail" in parts else "public"), ""
    return parts[0], ""


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def library_fault(path, target):
    """What is wrong with engine code including <target>, or None."""
    if path.startswith("src/base/platform."):
        return None
    if target in INTRINSICS:
        return None if "kernel" in stem(path) else "vector instructions belong into a kernel file"
    if target not in STANDARD:
        return "the engine uses the standard library alone"
    if target in PLATFORM_ONLY:
        return "threads, files and clocks belong into src/base/platform"
    if target in CONTAINERS:
        return "memory that grows goes through octile/detail/buffer.hpp"
    return None


def engine_fault(tree, path, included):
    """What is wrong with src/ including one of the project's files, or None."""
    place, room = room_of(path)
    other_place, other_room = room_of(included)
    if path in JUDGE:
        may = JUDGE_MAY | {i[2] for i in tree.includes("src/solvers/solver.hpp") if i[2]} \
            if "src/solvers/solver.hpp" in tree.known else JUDGE_MAY
        if included not in may:
            return "the judge shares no code with the solvers that it judges"
    if other_place in ("public", "detail"):
        return None
    if other_place != "src":
        return "the engine includes nothing outside src/ and include/"
    if room not in LEVEL or other_room not in LEVEL:
        return "no such room in the order of rooms"
    if room == other_room:
        if room == "solvers" and included != "src/solvers/solver.hpp" and \
                stem(included) != stem(path):
            return "a solver never includes another solver"
        return None
    if LEVEL[other_room] >= LEVEL[room]:
        return f"{room} comes before {other_room}" if LEVEL[other_room] > LEVEL[room] else \
            f"{room} and {other_room} stand side by side"
    return None


def outside_fault(path, included):
    """What is wrong with apps, scenes, pictures or bench including `included`, or None."""
    parts, other = path.split("/"), included.split("/")
    place = room_of(included)[0]
    if place == "public" or included in DETAIL_SEEN.get(path, ()):
        return None
    if place in ("src", "detail"):
        return "only the public headers octile/*.hpp are seen from here"
    own_room = parts[:2] == other[:2] if parts[0] == "apps" else parts[0] == other[0]
    if own_room or other[0] in OUTSIDE[parts[0]]:
        return None
    return f"{parts[0]} does not include {other[0]}"


def check_file(tree, path):
    place = room_of(path)[0]
    for line, target, included, quoted in tree.includes(path):
        fault = None
        if included is None:
            if quoted and place != "bindings":
                fault = "there is no such file"
            elif place in ("src", "public", "detail"):
                fault = library_fault(path, target)
        elif place == "src":
            fault = engine_fault(tree, path, included)
        elif place in ("public", "detail"):
            # The other public headers take the plain values, Status above all, from octile.hpp.
            # That is in two parts, the first of which is world.hpp.
            whole = "include/octile/octile.hpp"
            basics = place == "public" and included == (
                "include/octile/world.hpp" if path == whole else whole)
            if room_of(included)[0] != "detail" and not basics:
                fault = "public headers include only octile/detail/ and the standard library"
        elif place in OUTSIDE:
            fault = outside_fault(path, included)
        elif place == "bindings":
            own = included.split("/")[:2] == path.split("/")[:2]
            if included != "include/octile/octile.h" and not own:
                fault = "bindings see octile.h alone"
        elif place == "tests" and included.split("/")[0] == "apps":
            fault = "tests do not include apps"
        if fault:
            yield f"{path}:{line}: {target}: {fault}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..")
    root = os.path.abspath(root)
    files = project_files(root)
    tree = Tree(root, files)
    violations = list(check_names(files))
    for path in tree.sources:
        if path.startswith("src/") and room_of(path)[1] not in LEVEL:
            violations.append(f"{path}: no such room in the order of rooms")
            continue
        violations += check_file(tree, path)
    for violation in violations:
        print(violation)
    print(f"{len(tree.sources)} source files, {len(files)} names, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
