# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""By suites, ctest runs the tests that it runs one by one, with the same properties, and sees what fails.

usage: TestSuites.py BUILD CTEST
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, CTEST = sys.argv[1:]
RUNNER = pathlib.Path(__file__).with_name("run_suite.py")
PROPERTIES = "ENVIRONMENT", "FAIL_REGULAR_EXPRESSION", "LABELS", "TIMEOUT", "WORKING_DIRECTORY"

SKIPPED = "[  SKIPPED ] A.a (0 ms)"
ONE_TEST = "[==========] 1 test from 1 test suite ran. (0 ms total)"


def listed(**variables):
    environment = {name: value for name, value in os.environ.items() if name != "VMC_TESTS_BY_SUITE"}
    run = subprocess.run([CTEST, "--test-dir", BUILD, "--show-only=json-v1"], env={**environment, **variables},
                         stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)["tests"]


def properties_of(test):
    return json.dumps([p for p in test.get("properties", []) if p["name"] in PROPERTIES], sort_keys=True)


def tests_of(program, tests):
    """The names of the tests that the filter selects."""
    run = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={tests}"], stdout=subprocess.PIPE, text=True,
                         check=True)
    suite = None
    for line in re.sub(" +#.*", "", run.stdout).splitlines():
        if line.startswith("  "):
            yield suite + line.strip()
        else:
            suite = line


def with_google_test(tests):
    """How often each (program, test, properties) is run."""
    found = collections.Counter()
    for test in tests:
        command = test["command"]
        if str(RUNNER) in command:
            found.update((command[-2], name, properties_of(test)) for name in tests_of(*command[-2:]))
        elif "--gtest_also_run_disabled_tests" in command:  # as gtest_discover_tests() does
            found[command[0], command[1].partition("=")[2], properties_of(test)] += 1
    return found


def others(tests):
    return sorted(test["name"] for test in tests
                  if str(RUNNER) not in test["command"] and "--gtest_also_run_disabled_tests" not in test["command"])


class Suites(unittest.TestCase):
    def test_they_are_the_tests_that_run_one_by_one(self):
        one_by_one, by_suite = listed(), listed(VMC_TESTS_BY_SUITE="1")
        self.assertLess(len(by_suite), len(one_by_one) / 2)
        self.assertEqual(others(by_suite), others(one_by_one))
        self.assertEqual(with_google_test(by_suite), with_google_test(one_by_one))


class Runner(unittest.TestCase):
    def status(self, *lines, status=0):
        """What the runner returns after a program that prints the lines."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program")
            text = "\n".join(["#!/bin/sh", "cat <<'END'", *lines, "END", f"exit {status}", ""])
            program.write_text(text, encoding="utf-8")
            program.chmod(0o700)
            return subprocess.run([sys.executable, RUNNER, program, "*"], stdout=subprocess.DEVNULL).returncode

    def test_tests_pass(self):
        self.assertEqual(self.status(ONE_TEST), 0)

    def test_a_skipped_test_is_seen(self):
        self.assertEqual(self.status(SKIPPED, ONE_TEST), 77)

    def test_what_fails_is_no_skipped_test(self):
        self.assertEqual(self.status(SKIPPED, ONE_TEST, status=1), 1)
        self.assertEqual(self.status(SKIPPED, "Vulkan validation: a", ONE_TEST), 0)  # FAIL_REGULAR_EXPRESSION sees it

    def test_a_program_without_tests_fails(self):
        self.assertEqual(self.status("[==========] 0 tests from 0 test suites ran. (0 ms total)"), 1)
        self.assertEqual(self.status(), 1)


unittest.main(argv=sys.argv[:1], verbosity=2)
