#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""The Unity package: its .meta files, its rules, and its assembly with native libraries.

    unity_package.py metas                     writes every .meta file of bindings/unity/
    unity_package.py check [--library FILE]    prints each broken rule; exit code 1 when there is one
    unity_package.py assemble [--tarball FILE] OUT PLACE=FILE...
                                               the package as users get it: native files in their places,
                                               as Linux/x86_64=build/release/liboctile.so, and
                                               docs/unity.md as Documentation~/index.md; and all of it
                                               as a .tgz for "Add package from tarball"

Unity knows a file by the GUID in the .meta beside it, and cannot make one in a package that came
from a registry. A GUID here is the hash of the package's name and the path, so that it is the same
for ever and needs no memory. Folders that end in ~ are invisible to Unity and have none.

The rules: metas complete and as this program writes them, manifest and asmdefs sound, every
DllImport of Runtime/Core/Native.cs is a function of the C face (tests/octile_abi.txt) with the same
arguments, made of numbers and pointers alone, and is shown by each shared library."""

import argparse
import ctypes
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = "com.octile.pathfinding"
PACKAGE = os.path.join(ROOT, "bindings", "unity", NAME)

# Where a native file lies below Runtime/Plugins: its names, and on which platforms it is loaded:
# (group, platform, settings).
PLACES = {
    "Linux/x86_64": (["liboctile.so"], [
        ("Editor", "Editor", {"CPU": "x86_64", "DefaultValueInitialized": "true", "OS": "Linux"}),
        ("Standalone", "Linux64", {"CPU": "x86_64"})]),
    "Windows/x86_64": (["octile.dll"], [
        ("Editor", "Editor", {"CPU": "x86_64", "DefaultValueInitialized": "true", "OS": "Windows"}),
        ("Standalone", "Win64", {"CPU": "x86_64"})]),
    "macOS": (["liboctile.dylib"], [
        ("Editor", "Editor", {"CPU": "AnyCPU", "DefaultValueInitialized": "true", "OS": "OSX"}),
        ("Standalone", "OSXUniversal", {"CPU": "AnyCPU"})]),
    "Android/arm64-v8a": (["liboctile.so"], [("Android", "Android", {"CPU": "ARM64"})]),
    "Android/armeabi-v7a": (["liboctile.so"], [("Android", "Android", {"CPU": "ARMv7"})]),
    "Android/x86_64": (["liboctile.so"], [("Android", "Android", {"CPU": "X86_64"})]),
    # Called through __Internal: a static library made with the platform's compiler, or the engine as
    # one file (tools/amalgamate), where Unity is told to compile it as C++20.
    "iOS": (["liboctile.a", "octile.cpp"], [("iPhone", "iOS", {"AddToEmbeddedBinaries": "false"})]),
    "WebGL": (["liboctile.a", "octile.cpp"], [("WebGL", "WebGL", {})]),
}

TAIL = ["  userData: ", "  assetBundleName: ", "  assetBundleVariant: "]
MONO = ["  serializedVersion: 2", "  defaultReferences: []", "  executionOrder: 0",
        "  icon: {instanceID: 0}"]


def guid(path):
    return hashlib.md5(f"{NAME}:{path}".encode()).hexdigest()


def native_importer(platforms):
    lines = ["  serializedVersion: 2", "  iconMap: {}", "  executionOrder: {}",
             "  defineConstraints: []", "  isPreloaded: 0", "  isOverridable: 1",
             "  isExplicitlyReferenced: 0", "  validateReferences: 1", "  platformData:",
             "  - first:", "      Any: ", "    second:", "      enabled: 0", "      settings: {}"]
    if not any(group == "Editor" for group, _, _ in platforms):
        platforms = [("Editor", "Editor", None)] + platforms
    for group, platform, settings in platforms:
        lines += ["  - first:", f"      {group}: {platform}", "    second:",
                  f"      enabled: {0 if settings is None else 1}"]
        if settings:
            lines += ["      settings:"] + [f"        {key}: {settings[key]}" for key in sorted(settings)]
        else:
            lines += ["      settings: {}"]
    return lines


def meta(path, folder):
    """The text of the .meta file for a path inside the package."""
    lines = ["fileFormatVersion: 2", f"guid: {guid(path)}"]
    base = os.path.basename(path)
    place = os.path.dirname(path)[len("Runtime/Plugins/"):] if path.startswith("Runtime/Plugins/") else None
    if folder:
        lines += ["folderAsset: yes", "DefaultImporter:", "  externalObjects: {}"]
    elif place in PLACES and base in PLACES[place][0]:
        lines += ["PluginImporter:", "  externalObjects: {}"] + native_importer(PLACES[place][1])
    elif base.endswith(".cs"):
        lines += ["MonoImporter:", "  externalObjects: {}"] + MONO
    elif base.endswith(".asmdef"):
        lines += ["AssemblyDefinitionImporter:", "  externalObjects: {}"]
    elif path == "package.json":
        lines += ["PackageManifestImporter:", "  externalObjects: {}"]
    elif base.endswith((".md", ".txt", ".json")):
        lines += ["TextScriptImporter:", "  externalObjects: {}"]
    else:
        lines += ["DefaultImporter:", "  externalObjects: {}"]
    return "\n".join(lines + TAIL) + "\n"


def visible(package):
    """Every path that Unity looks at, without the metas: (path, is it a folder)."""
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(f for f in folders if not f.endswith("~") and not f.startswith("."))
        inside = os.path.relpath(folder, package)
        for name in folders + sorted(files):
            if name.endswith(("~", ".meta")) or name.startswith("."):
                continue
            yield os.path.normpath(os.path.join(inside, name)).replace(os.sep, "/"), name in folders


def metas_of(package):
    for folder, folders, files in os.walk(package):
        folders[:] = [f for f in folders if not f.endswith("~") and not f.startswith(".")]
        for name in files:
            if name.endswith(".meta"):
                yield os.path.relpath(os.path.join(folder, name), package).replace(os.sep, "/")


def write_metas(package):
    wanted = set()
    for path, folder in visible(package):
        wanted.add(path + ".meta")
        with open(os.path.join(package, path + ".meta"), "w", encoding="utf-8", newline="\n") as file:
            file.write(meta(path, folder))
    for path in list(metas_of(package)):
        if path not in wanted:
            os.remove(os.path.join(package, path))


def check_metas(package):
    seen = {}
    for path, folder in visible(package):
        full = os.path.join(package, path + ".meta")
        if not os.path.exists(full):
            yield f"{path} has no .meta; run tools/unity_package.py metas"
            continue
        with open(full, encoding="utf-8") as file:
            if file.read() != meta(path, folder):
                yield f"{path}.meta is not what tools/unity_package.py writes"
        if guid(path) in seen:
            yield f"{path} has the GUID of {seen[guid(path)]}"
        seen[guid(path)] = path
    for path in metas_of(package):
        if not os.path.exists(os.path.join(package, path[:-5])):
            yield f"{path} belongs to nothing"


def read_json(package, path, errors):
    try:
        with open(os.path.join(package, path), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        errors.append(f"{path}: {error}")
        return None


def check_manifest(package):
    errors = []
    manifest = read_json(package, "package.json", errors)
    if manifest is not None:
        for key in ("name", "version", "displayName", "description", "unity", "license", "author"):
            if not manifest.get(key):
                errors.append(f"package.json has no {key}")
        if manifest.get("name") != NAME:
            errors.append(f"package.json is of {manifest.get('name')}")
        if not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", str(manifest.get("version"))):
            errors.append("the version in package.json is not semantic")
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
            engine = re.search(r"project\(octile[^)]*VERSION (\d+\.\d+\.\d+)", file.read(), re.S | re.I)
        if engine and str(manifest.get("version")).split("-")[0] != engine.group(1):
            errors.append(f"package.json has version {manifest.get('version')}, the engine {engine.group(1)}")
        for sample in manifest.get("samples", []):
            if not os.path.isdir(os.path.join(package, sample.get("path", "?"))):
                errors.append(f"package.json: there is no sample {sample.get('path')}")
    for name in ("README.md", "CHANGELOG.md", "LICENSE.md"):
        if not os.path.isfile(os.path.join(package, name)):
            errors.append(f"there is no {name}")
    return errors


def check_asmdefs(package):
    errors, names = [], {}
    for path, folder in visible(package):
        if folder or not path.endswith(".asmdef"):
            continue
        asmdef = read_json(package, path, errors)
        if asmdef is None:
            continue
        name = asmdef.get("name")
        if os.path.basename(path) != f"{name}.asmdef":
            errors.append(f"{path} is of the assembly {name}")
        names[name] = (path, asmdef)
    for name, (path, asmdef) in names.items():
        for other in asmdef.get("references", []):
            if other.startswith("Octile") and other not in names:
                errors.append(f"{path}: there is no assembly {other}")
        if path.startswith("Editor/") and asmdef.get("includePlatforms") != ["Editor"]:
            errors.append(f"{path} is not of the editor alone")
        if path.startswith("Tests/") and "UNITY_INCLUDE_TESTS" not in asmdef.get("defineConstraints", []):
            errors.append(f"{path} lacks UNITY_INCLUDE_TESTS")
        if path.startswith("Runtime/Core/"):
            if asmdef.get("noEngineReferences") is not True or asmdef.get("allowUnsafeCode") is not True:
                errors.append(f"{path} must be unsafe code without UnityEngine")
    for path, folder in visible(package):
        if not folder and path.endswith(".cs"):
            if not any(path.startswith(os.path.dirname(p) + "/") for p, _ in names.values()):
                errors.append(f"{path} belongs to no asmdef")
            with open(os.path.join(package, path), encoding="utf-8") as file:
                text = file.read()
            if path.startswith("Runtime/Core/") and re.search(r"^\s*using Unity", text, re.M):
                errors.append(f"{path} uses Unity")
            if "DllImport(" in text and path != "Runtime/Core/Native.cs":
                errors.append(f"{path} has a DllImport of its own")
    return errors


# C -> C#. Structs are listed by their names in Native.cs, or those of the public ones.
SCALARS = {"int32_t": "int", "uint32_t": "uint", "uint64_t": "ulong", "size_t": "UIntPtr",
           "double": "double", "uint8_t": "byte", "uint16_t": "ushort", "char": "byte", "void": "void"}
PUBLIC = {"octile_cell": "Cell", "octile_rect": "CellRect", "octile_point": "WorldPoint",
          "octile_pair": "CellPair", "octile_answer": "PathAnswer"}


def sharp(c_type, handles):
    """The C# type that a C type must have."""
    c_type = c_type.replace("const ", "").strip()
    stars = c_type.count("*")
    base = c_type.rstrip("* ")
    if base in SCALARS:
        name = SCALARS[base]
    elif base in handles:
        name = "ulong"
    elif base in PUBLIC:
        name = PUBLIC[base]
    else:
        name = "".join(part.capitalize() for part in base[len("octile_"):].split("_"))
    return name + "*" * stars


def check_imports(package, library):
    errors = []
    with open(os.path.join(ROOT, "tests", "octile_abi.txt"), encoding="utf-8") as file:
        abi = file.read()
    functions, handles = {}, set()
    for line in abi.splitlines():
        found = re.fullmatch(r"function (.+?)(octile_\w+)\((.*)\)", line)
        if found:
            functions[found.group(2)] = (found.group(1).strip(), found.group(3))
    # A handle is a struct of one field: value.
    for found in re.finditer(r"^struct (octile_\w+) 8\n  value 0\n(?!  )", abi, re.M):
        handles.add(found.group(1))
    with open(os.path.join(package, "Runtime", "Core", "Native.cs"), encoding="utf-8") as file:
        text = file.read()
    imports = re.findall(r"\[DllImport\(Lib\)\] public static extern (\S+) (\w+)\((.*?)\);", text)
    if len(imports) != len(re.findall(r"^\s*\[DllImport", text, re.M)) or not imports:
        errors.append("Native.cs has a DllImport that this program cannot read")
    shown = ctypes.CDLL(os.path.abspath(library)) if library else None
    for result, name, arguments in imports:
        if name not in functions:
            errors.append(f"Native.cs: {name} is no function of the C face")
            continue
        if shown is not None and not hasattr(shown, name):
            errors.append(f"{library} does not show {name}")
        c_result, c_arguments = functions[name]
        want = [] if c_arguments == "void" else [
            sharp(re.sub(r"\w+$", "", argument.strip()), handles) for argument in c_arguments.split(", ")]
        have = [argument.rsplit(" ", 1)[0] for argument in arguments.split(", ")] if arguments else []
        if [sharp(c_result, handles)] + want != [result] + have:
            errors.append(f"Native.cs: {name} is ({', '.join(have)}) -> {result}, in C it is "
                          f"({', '.join(want)}) -> {sharp(c_result, handles)}")
    return errors, len(imports)


def unseen(library):
    """Imports that a shared library of any system does not show, by its table of names."""
    with open(library, "rb") as file:
        data = file.read()
    with open(os.path.join(PACKAGE, "Runtime", "Core", "Native.cs"), encoding="utf-8") as file:
        names = re.findall(r"static extern \S+ (\w+)\(", file.read())
    return [name for name in names
            if not any(b"\0" + start + name.encode() + b"\0" in data for start in (b"", b"_"))]


def documentation():
    """docs/unity.md as the package's page: links to pages that are not in it become words."""
    with open(os.path.join(ROOT, "docs", "unity.md"), encoding="utf-8") as file:
        text = file.read()
    text = text.replace(f"](../bindings/unity/{NAME}/", "](../")
    return re.sub(r"\[([^\]]+)\]\((?!\.\./|https?://)[^)]*\)", r"\1", text)


def check_documentation(package):
    """Of an assembled package: the links of its page lead somewhere."""
    folder = os.path.join(package, "Documentation~")
    with open(os.path.join(folder, "index.md"), encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)#]+)", file.read())
    return [f"Documentation~/index.md: there is no {link}" for link in links
            if not link.startswith("http") and not os.path.exists(os.path.join(folder, link))]


def write_tarball(package, path):
    """As npm packs: everything below package/. The same bytes for the same files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for folder, folders, files in os.walk(package):
            folders.sort()
            for name in sorted(files):
                full = os.path.join(folder, name)
                member = tarfile.TarInfo("package/" + os.path.relpath(full, package).replace(os.sep, "/"))
                member.size = os.path.getsize(full)
                with open(full, "rb") as file:
                    tar.addfile(member, file)
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as zipped:
        zipped.write(packed.getvalue())


def check(package, library):
    errors = list(check_metas(package)) + check_manifest(package) + check_asmdefs(package)
    more, imports = check_imports(package, library)
    errors += more
    if package != PACKAGE:
        errors += check_documentation(package)
    for error in errors:
        print(error)
    paths = list(visible(package))
    print(f"{len(paths)} files and folders, {imports} imports: {len(errors)} errors")
    return 1 if errors else 0


def place_native(source, to):
    """Copies it; the engine as one file takes its header along, for there is no room beside it."""
    if not to.endswith(".cpp"):
        shutil.copyfile(source, to)
        return
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(os.path.dirname(source), "octile.h"), encoding="utf-8") as file:
        header = file.read()
    with open(to, "w", encoding="utf-8", newline="\n") as file:
        file.write(text.replace('#include "octile.h"\n', header))


def assemble(out, natives, tarball):
    out = os.path.abspath(out)
    if os.path.exists(out) and not os.path.isfile(os.path.join(out, "package.json")):
        print(f"{out} is there and is no package", file=sys.stderr)
        return 2
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(PACKAGE, out)
    for native in natives:
        place, _, source = native.partition("=")
        if place not in PLACES or not os.path.isfile(source):
            print(f"{native}: no such file, or none of the places {', '.join(PLACES)}", file=sys.stderr)
            return 2
        # By the kind of file: liboctile.so.0.2 is a .so as well.
        names = [name for name in PLACES[place][0]
                 if os.path.splitext(name)[1] in os.path.basename(source)]
        if not names:
            print(f"{native}: {place} takes {' or '.join(PLACES[place][0])}", file=sys.stderr)
            return 2
        missing = unseen(source) if os.path.splitext(names[0])[1] not in (".a", ".cpp") else []
        if missing:
            print(f"{source} does not show {', '.join(missing)}", file=sys.stderr)
            return 1
        folder = os.path.join(out, "Runtime", "Plugins", *place.split("/"))
        os.makedirs(folder, exist_ok=True)
        place_native(source, os.path.join(folder, names[0]))
    os.makedirs(os.path.join(out, "Documentation~"), exist_ok=True)
    with open(os.path.join(out, "Documentation~", "index.md"), "w", encoding="utf-8", newline="\n") as file:
        file.write(documentation())
    write_metas(out)
    result = check(out, None)
    if tarball and result == 0:
        write_tarball(out, tarball)
        print(f"{tarball}: {os.path.getsize(tarball)} bytes")
    return result


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("metas")
    checks = commands.add_parser("check")
    checks.add_argument("--library")
    assembles = commands.add_parser("assemble")
    assembles.add_argument("out")
    assembles.add_argument("natives", nargs="*")
    assembles.add_argument("--tarball")
    options = parser.parse_args()
    if options.command == "metas":
        write_metas(PACKAGE)
        return 0
    if options.command == "check":
        return check(PACKAGE, options.library)
    return assemble(options.out, options.natives, options.tarball)


if __name__ == "__main__":
    sys.exit(main())
