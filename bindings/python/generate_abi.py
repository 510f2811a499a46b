#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Prints octile/_abi.py: the structs, constants and functions of octile.h for ctypes."""

import os
import re
import sys

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "octile", "octile.h")

SCALARS = {
    "char": "c_char", "double": "c_double", "float": "c_float", "size_t": "c_size_t",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
# An anonymous enum is known by the prefix of its members; one without has the statuses.
ENUMS = {
    "FORMAT": "Format", "MOVES": "Moves", "DIAGONAL": "Diagonal", "METRIC": "Metric", "INDEX": "IndexKind",
    "LOAD": "LoadMode", "TRACE": "TraceKind", "OUTPUT": "Output", "FIELD": "FieldChange",
    "FORMATION": "Formation", "OUTCOME": "Outcome", "OBJECTIVE": "Objective", "PLAN": "PlanStatus",
    "DEFECT": "Defect",
}


class Header:
    def __init__(self, text):
        self.text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        self.known = set(re.findall(r"typedef struct (\w+)", self.text))
        self.callbacks = set(re.findall(r"typedef void \(\*(\w+)\)", self.text))
        self.structs = [(name, self.fields(body)) for name, body in
                        re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", self.text, re.DOTALL)]
        self.handles = {name for name, fields in self.structs if fields == [("value", "c_uint64")]}

    def ctype(self, text):
        """The ctypes name of a C type as it stands before the name of a field or parameter."""
        words = text.replace("const", " ").split()
        base = "".join(words)
        if "*" in base or base in self.callbacks:
            return "c_void_p"  # addresses of arrays and structs; callbacks are kept by who makes them
        if base in SCALARS:
            return SCALARS[base]
        if base in self.known:
            return base
        raise ValueError(f"octile.h has a type that this script does not know: {text!r}")

    def fields(self, body):
        out = []
        for declaration in filter(None, (part.strip() for part in body.split(";"))):
            kind, name, count = re.fullmatch(r"(.*?)(\w+)(?:\[(\d+)\])?", declaration, re.DOTALL).groups()
            out.append((name, self.ctype(kind) + (f" * {count}" if count else "")))
        return out

    def enums(self):
        for body in re.findall(r"enum \{(.*?)\}", self.text, re.DOTALL):
            value, members = 0, []
            for item in filter(None, (part.strip() for part in body.split(","))):
                name, _, given = (part.strip() for part in item.partition("="))
                value = int(given) if given else value
                members.append((name, value))
                value += 1
            prefix = members[0][0].split("_")[1]
            if prefix in ENUMS:
                yield ENUMS[prefix], [(name.split("_", 2)[2], number) for name, number in members]
            else:
                yield "Status", [(name.split("_", 1)[1], number) for name, number in members]

    def functions(self):
        for result, name, arguments in re.findall(
                r"^OCTILE_C_API\s([\w\s*]+?)(octile_\w+)\(([^)]*)\)\s*;", self.text, re.MULTILINE):
            kinds = []
            for argument in arguments.split(","):
                argument = argument.strip()
                if argument == "void":
                    continue
                kind = self.ctype(re.fullmatch(r"(.*?)(\w+)", argument, re.DOTALL).group(1))
                kinds.append("c_uint64" if kind in self.handles else kind)
            result = "c_char_p" if "*" in result else self.ctype(result)
            yield name, result, kinds


def generated():
    with open(HEADER, encoding="utf-8") as file:
        header = Header(file.read())
    lines = [
        "# SPDX-License-Identifier: MIT",
        "# SPDX-FileCopyrightText: 2026 The Octile authors",
        '"""octile.h for ctypes. Made by generate_abi.py when the wheel is built."""',
        "",
        "from ctypes import (Structure, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint8, c_uint16, c_uint32,",
        "                    c_uint64, c_void_p)",
        "from enum import IntEnum",
        "",
        "ABI_VERSION = " + re.search(r"#define OCTILE_ABI_VERSION (\d+)", header.text).group(1),
    ]
    for name, value in re.findall(r"#define OCTILE_(DIRECTION_\w+) (\d+)", header.text):
        lines.append(f"{name} = {value}")
    for name, members in header.enums():
        lines += ["", "", f"class {name}(IntEnum):"] + [f"    {key} = {value}" for key, value in members]
    for name, fields in header.structs:
        if name in header.handles:
            continue  # by value: a number
        lines += ["", "", f"class {name}(Structure):", "    _fields_ = ["]
        for key, kind in fields:
            kind = "c_uint64" if kind in header.handles else kind
            lines.append(f'        ("{key}", {kind}),')
        lines.append("    ]")
    lines += ["", "", "STRUCTS = ("]
    lines += [f"    {name}," for name, _ in header.structs if name not in header.handles]
    lines += [")", "", "# name: (result, parameters)", "FUNCTIONS = {"]
    for name, result, kinds in header.functions():
        listed = ", ".join(kinds) + ("," if len(kinds) == 1 else "")
        lines.append(f'    "{name}": ({result}, ({listed})),')
    lines += ["}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(generated())
