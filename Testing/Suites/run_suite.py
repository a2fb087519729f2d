# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs some tests of a program with GoogleTest in one process.

usage: run_suite.py PROGRAM FILTER

The exit status is 1 if a test fails, no test runs, or the program prints a validation message; else 77 if a test is
skipped; else 0.
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
if "Vulkan validation:" in output or not re.search(r"^\[=+\] [1-9]\d* tests? from .* ran\.", output, re.MULTILINE):
    sys.exit(1)
sys.exit(77 if re.search(r"^\[  SKIPPED \]", output, re.MULTILINE) else 0)
