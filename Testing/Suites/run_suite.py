# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs some tests of a program with GoogleTest in one process.

usage: run_suite.py PROGRAM FILTER

The exit status is 1 if a test fails or no test runs; else 77 if a test is skipped and the program prints no validation
message, which ctest does not look for in what is skipped; else 0.
"""
import re
import subprocess
import sys

PROGRAM, FILTER = sys.argv[1:]

with subprocess.Popen([PROGRAM, f"--gtest_filter={FILTER}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      encoding="utf-8", errors="replace") as process:
    lines = []
    for line in process.stdout:
        print(line, end="", flush=True)
        lines.append(line)
output = "".join(lines)
if process.returncode != 0:
    print(f"{PROGRAM} returned {process.returncode}.")
    sys.exit(1)
if not re.search(r"^\[=+\] [1-9]\d* tests? from .* ran\.", output, re.MULTILINE):
    sys.exit(1)
is_skipped = re.search(r"^\[  SKIPPED \]", output, re.MULTILINE) and "Vulkan validation:" not in output
sys.exit(77 if is_skipped else 0)
