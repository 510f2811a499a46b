#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Compares the binary face of octile.h with what tests/octile_abi.txt says: the symbols of the shared
library, the version, every constant, and size and offsets of every struct (64-bit). The library may
export nothing else.

    abi_test.py LIBRARY COMPILER           exit code 1 on a difference, which is printed
    abi_test.py LIBRARY COMPILER --write   writes the file anew, after a change that was meant

A change that is not just something new at the end asks for another OCTILE_ABI_VERSION.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
EXPECTED = os.path.join(HERE, "octile_abi.txt")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def structs(text):
    """(name, [field, ...]) of each typedef struct."""
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.DOTALL):
        fields = []
        for declaration in body.split(";"):
            found = re.search(r"(\w+)(?:\[\w+\])?\s*$", declaration.strip())
            if found:
                fields.append(found.group(1))
        yield name, fields


def constants(text):
    for body in re.findall(r"enum \{(.*?)\}", text, re.DOTALL):
        for item in body.split(","):
            name = item.split("=")[0].strip()
            if name:
                yield name
    yield from re.findall(r"#define (OCTILE_(?:ABI_VERSION|DIRECTION_\w+))", text)


def dump_program(text):
    lines = ['#include <stdio.h>', '#include "octile/octile.h"', "int main(void) {"]
    for name in constants(text):
        lines.append(f'  printf("constant {name} %d\\n", (int)({name}));')
    for name, fields in structs(text):
        lines.append(f'  printf("struct {name} %d\\n", (int)sizeof({name}));')
        for field in fields:
            lines.append(f'  printf("  {field} %d\\n", (int)offsetof({name}, {field}));')
        lines.append(f'  if (octile_sizeof("{name}") && octile_sizeof("{name}") != sizeof({name}))'
                     f' printf("the library has another {name}\\n");')
    lines += ["  return 0;", "}"]
    return "\n".join(lines) + "\n"


def functions(text):
    """name -> the declaration in one line."""
    found = {}
    for whole, name in re.findall(r"OCTILE_C_API ([^;]*?\b(octile_\w+)\([^;]*\));", text):
        found[name] = re.sub(r"\s+", " ", whole).replace("( ", "(")
    return found


def main():
    library, compiler = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(ROOT, "include/octile/octile.h"), encoding="utf-8") as file:
        text = without_comments(file.read())

    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                             capture_output=True, text=True).stdout
    exported = sorted(line.split()[-1].split("@")[0] for line in symbols.splitlines())
    declared = functions(text)
    failed = False
    for name in exported:
        if name not in declared:
            print(f"exported, but not in octile.h: {name}")
            failed = True
    for name in declared:
        if name not in exported:
            print(f"in octile.h, but not exported: {name}")
            failed = True

    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "dump.c"), os.path.join(folder, "dump")
        with open(source, "w", encoding="utf-8") as file:
            file.write(dump_program(text))
        subprocess.run([compiler, "-std=c11", "-I", os.path.join(ROOT, "include"), source, library,
                        f"-Wl,-rpath,{os.path.dirname(library)}", "-o", program], check=True)
        layout = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    is_now = [f"function {declared[name]}" for name in exported if name in declared]
    is_now += layout.splitlines()

    if sys.argv[3:] == ["--write"]:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write("\n".join(is_now) + "\n")
    with open(EXPECTED, encoding="utf-8") as file:
        expected = file.read().splitlines()
    difference = list(difflib.unified_diff(expected, is_now, "tests/octile_abi.txt", "now",
                                           lineterm=""))
    if difference:
        print("\n".join(difference))
        print("if this was meant: abi_test.py LIBRARY COMPILER --write, and think of "
              "OCTILE_ABI_VERSION")
    print(f"{len(exported)} functions, {len(list(structs(text)))} structs, "
          f"{len(list(constants(text)))} constants")
    return 1 if failed or difference else 0


if __name__ == "__main__":
    sys.exit(main())
