#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
"""Runs the ctest tests of one label, or some by name, and counts every GoogleTest test in them.

    run_tests.py BUILD --label quick [--without thorough] [--jobs N] [--timeout SECONDS] [--report FILE]
    run_tests.py BUILD --only 'one_test|other_test' [...]
    run_tests.py BUILD --label thread --names

ctest counts programs; a GoogleTest program holds many tests and writes a JSON report of each. A
program without a report (it crashed, ran too long, or uses no GoogleTest) counts as one test.
The last line is "N passed, N failed, N skipped"; the report file names the failed (-) and the
skipped (~) ones. A test that is disabled, since something it needs is not installed, has failed:
./check has installed it all. --names prints the names of the tests instead, which are those of their
targets.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml


def registered(chosen):
    """The tests that ctest knows: name -> path of the program, which an emulator may run."""
    answer = subprocess.run(
        [*chosen, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = {}
    for test in json.loads(answer.stdout)["tests"]:
        command = test.get("command", [""])
        own = [word for word in command if os.path.basename(word).split(".")[0] == test["name"]]
        tests[test["name"]] = (own or command)[0]
    return tests


def read_report(path):
    """One GoogleTest report: lists of the names that passed, failed and were skipped."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    passed, failed, skipped = [], [], []
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            if test["status"] != "RUN":
                continue
            name = f"{suite['name']}.{test['name']}"
            if test.get("failures"):
                failed.append(name)
            elif test["result"] == "SKIPPED":
                skipped.append(name)
            else:
                passed.append(name)
    return passed, failed, skipped


def read_ctest(path):
    """ctest's own verdicts: name -> passed, failed or skipped."""
    verdicts = {}
    for case in xml.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        skip = case.find("skipped")
        if status == "run":
            verdict = "passed"
        elif skip is not None and "SKIP_" in skip.get("message", ""):
            verdict = "skipped"
        else:
            verdict = "failed"
        verdicts[case.get("name")] = verdict
    return verdicts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--label", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--timeout", default="900")
    parser.add_argument("--report")
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args()
    build = os.path.abspath(options.build)

    chosen = ["ctest", "--test-dir", build]
    if options.label:
        chosen += ["--label-regex", f"^{options.label}$"]
    if options.without:
        chosen += ["--label-exclude", f"^{options.without}$"]
    if options.only:
        chosen += ["--tests-regex", f"^({options.only})$"]
    tests = registered(chosen)
    if options.names:
        print("\n".join(tests))
        return 0

    folder = os.path.join(build, "reports", options.label or "only")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    summary = os.path.join(folder, "ctest.xml")
    environment = dict(os.environ, GTEST_OUTPUT=f"json:{folder}/")
    subprocess.run(
        [*chosen, "--output-on-failure", "--output-junit", summary,
         "--parallel", options.jobs, "--timeout", options.timeout],
        env=environment, check=False)
    verdicts = read_ctest(summary) if os.path.exists(summary) else {}

    passed, failed, skipped = [], [], []
    programs = list(tests.values())
    for name, program in tests.items():
        verdict = verdicts.get(name, "failed")
        report = os.path.join(folder, os.path.basename(program) + ".json")
        # A program that is registered several times overwrites its report; ctest's verdicts count.
        if programs.count(program) == 1 and os.path.exists(report):
            some_passed, some_failed, some_skipped = read_report(report)
            passed += some_passed
            failed += some_failed
            skipped += some_skipped
            # All tests passed and the program failed: a sanitizer's report at the end, say.
            if verdict == "failed" and not some_failed:
                failed.append(name)
        else:
            {"passed": passed, "failed": failed, "skipped": skipped}[verdict].append(name)

    if options.report:
        with open(options.report, "w", encoding="utf-8") as file:
            file.writelines(f"- {name}\n" for name in failed)
            file.writelines(f"~ {name}\n" for name in skipped)
    print(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
