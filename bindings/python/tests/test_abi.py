# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""The structs of the module are those of octile.h; a library of another version is refused."""

import ctypes
import os
import re
import shutil
import subprocess
import sys

from conftest import ROOT

import octile
from octile import _abi, _search


def test_structs_constants_and_functions_are_those_of_the_dump():
    with open(os.path.join(ROOT, "tests", "octile_abi.txt"), encoding="utf-8") as file:
        dump = file.read()
    structs = re.findall(r"^struct (\w+) (\d+)\n((?:  \w+ \d+\n)*)", dump, re.MULTILINE)
    seen = 0
    for name, size, fields in structs:
        struct = getattr(_abi, name, None)
        if struct is None:  # handles are numbers
            assert (size, fields) == ("8", "  value 0\n"), name
            continue
        seen += 1
        assert ctypes.sizeof(struct) == int(size), name
        listed = [(key, getattr(struct, key).offset) for key, _ in struct._fields_]
        assert listed == [(key, int(at)) for key, at in re.findall(r"  (\w+) (\d+)", fields)], name
    assert seen == len(_abi.STRUCTS) > 25
    functions = re.findall(r"^function .*?(octile_\w+)\(", dump, re.MULTILINE)
    assert sorted(functions) == sorted(_abi.FUNCTIONS)
    constants = dict(re.findall(r"^constant OCTILE_(\w+) (-?\d+)", dump, re.MULTILINE))
    for name, value in octile.Status.__members__.items():
        assert int(constants[name]) == value
    for member in octile.Outcome:
        assert int(constants[f"OUTCOME_{member.name}"]) == member


def test_numpy_rows_are_those_of_the_structs():
    for dtype, struct in ((octile.Trace.dtype, _abi.octile_trace_event),
                          (octile.SCEN_QUERY, _abi.octile_scen_query),
                          (_search._EXTRA_COST, _abi.octile_extra_cost),
                          (octile.StepPlanner.state, _abi.octile_agent_state),
                          (octile.StepPlanner._agent, _abi.octile_agent),
                          (octile.GroupOrder._slot, _abi.octile_group_slot),
                          (octile.GroupOrder._friend, _abi.octile_group_friend),
                          (octile.GroupOrder._unit, _abi.octile_group_unit)):
        assert dtype.itemsize == ctypes.sizeof(struct), struct
        starts = {getattr(struct, key).offset for key, _ in struct._fields_}
        assert {at for _, at in dtype.fields.values()} <= starts, struct


def imports(folder, library):
    done = subprocess.run([sys.executable, "-c", "import octile"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "OCTILE_LIBRARY": str(library)}, check=False)
    return done.returncode, done.stderr


def test_foreign_libraries_are_refused_at_import(tmp_path):
    code, error = imports(tmp_path, tmp_path / "none.so")
    assert code and "ImportError: octile: the native library cannot be loaded" in error
    code, error = imports(tmp_path, "libm.so.6")
    assert code and "has no octile_" in error
    source = tmp_path / "other.c"
    names = [name for name in _abi.FUNCTIONS if name not in ("octile_abi_version", "octile_sizeof")]
    body = "\n".join(f"int {name}(void) {{ return 0; }}" for name in names)
    compiler = shutil.which("cc") or shutil.which("gcc")
    for version, size, wanted in ((99, 8, "has ABI version 99"), (_abi.ABI_VERSION, 12345, "has 12345 bytes")):
        source.write_text(f"{body}\nunsigned octile_abi_version(void) {{ return {version}; }}\n"
                          f"unsigned octile_sizeof(const char* n) {{ (void)n; return {size}; }}\n")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", str(tmp_path / "other.so"), str(source)], check=True)
        code, error = imports(tmp_path, tmp_path / "other.so")
        assert code and wanted in error, error


def test_the_package_says_that_it_is_typed():
    assert os.path.exists(os.path.join(os.path.dirname(octile.__file__), "py.typed"))
    assert re.fullmatch(r"\d+\.\d+\.\d+", octile.__version__)
    for name in octile.__all__:
        assert hasattr(octile, name), name
