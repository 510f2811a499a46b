#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Kills `octile index build` at many moments: tests/kill_test.py PATH/TO/octile

Whenever it dies, the file that it should write is as it was before, absent or old, or it is whole.
Nothing else is left, but by SIGKILL perhaps a file with a temporary name, which does not hinder the
next build. Half of the kills are spread over the whole build, half come while the file is written; on a
machine that is busy that may be over, and more builds are killed until one was writing. With
OCTILE_LONG set there are more of them. Prints "N passed, N failed".
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

OCTILE = os.path.abspath(sys.argv[1])
ROUNDS = 400 if "OCTILE_LONG" in os.environ else 8
TEMPORARY = re.compile(r"built\.index\.[0-9]+\.[0-9]+\.part")
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def run(*args):
    subprocess.run([OCTILE, *args], check=True, stdout=subprocess.DEVNULL)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def writes(child, folder):
    """Whether the build has a file open in this folder, with a name or, on Linux, without."""
    if any(name.endswith(".part") for name in os.listdir(folder)):
        return True
    descriptors = f"/proc/{child.pid}/fd"
    try:
        for number in os.listdir(descriptors):
            if os.readlink(os.path.join(descriptors, number)).startswith(folder + "/"):
                return True
    except OSError:
        pass  # it has ended, or the file is closed again
    return False


def killed_build(folder, moment, how):
    """A build that is sent a signal `moment` seconds after its start, or (None) as soon as it writes.

    Tells whether it died of that, and whether it was writing.
    """
    target = os.path.join(folder, "built.index")
    child = subprocess.Popen([OCTILE, "index", "build", "../maze.map", "-o", target], cwd=folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if moment is not None:
        time.sleep(moment)
    else:
        while child.poll() is None and not writes(child, folder):
            pass
    writing = writes(child, folder)
    child.send_signal(how)
    return child.wait() < 0, writing


def main():
    passed = failed = alive = writing = 0
    with tempfile.TemporaryDirectory(prefix="octile_") as work:
        work = os.path.realpath(work)
        os.chdir(work)
        run("generate", "maze", "--size", "256x256", "--corridor", "3", "--seed", "5",
            "-o", "maze.map")
        run("generate", "rooms", "--size", "64x64", "--seed", "6", "-o", "old.map")
        run("index", "build", "old.map", "-o", "old.index")
        begin = time.monotonic()
        run("index", "build", "maze.map", "-o", "new.index")
        whole = time.monotonic() - begin
        old, new = read("old.index"), read("new.index")
        kills = 0
        while kills < 2 * ROUNDS or (writing == 0 and kills < 20 * ROUNDS):
            i, kills = kills, kills + 1
            folder = os.path.join(work, f"kill{i}")
            target = os.path.join(folder, "built.index")
            os.mkdir(folder)
            before = old if i % 4 < 2 else None
            if before is not None:
                with open(target, "wb") as file:
                    file.write(before)
            how = SIGNALS[i // 2 % 3]
            moment = None if i % 2 else whole * (i % (2 * ROUNDS) + 1) / (2 * ROUNDS)
            hit, wrote = killed_build(folder, moment, how)
            alive += hit
            after = read(target) if os.path.exists(target) else None
            rest = [name for name in os.listdir(folder) if name != "built.index"]
            writing += hit and wrote
            wrong = ""
            if after != before and after != new:
                wrong = f"a target of {len(after or b'')} bytes"
            elif rest and (how != signal.SIGKILL or len(rest) > 1 or not TEMPORARY.fullmatch(rest[0])):
                wrong = f"it left {rest}"
            elif i % 8 == 1:
                run("index", "build", "maze.map", "-o", target)
                if read(target) != new:
                    wrong = "the next build gives another file"
            elif after == new:
                run("index", "info", target)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED: kill {i}, {how.name}, {'old file' if before else 'no file'}: {wrong}")
    print(f"{kills} builds of {whole:.2f} s: {alive} were killed, {writing} of them writing")
    # Else nothing was tested.
    if alive < ROUNDS // 2 or writing == 0:
        print("FAILED: too few of the builds were killed in time")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
