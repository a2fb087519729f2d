# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy finds nothing in the sources of the product, with .clang-tidy. Skipped where its version of Debian 12 is not
installed.

usage: TestTidy.py PROJECT BUILD
BUILD contains compile_commands.json and the generated headers.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import lint

PROJECT, BUILD = map(pathlib.Path, sys.argv[1:])
TIDY = lint.program_or_skip("clang-tidy")
FOLDERS = ("Filters", "Rendering", "Plugin", "Python")
PRECOMPILED = r" -Winvalid-pch| -include \S*/cmake_pch\.hxx"  # of another compiler


def product_sources():
    """The first command of each source: some sources are compiled for several targets."""
    sources = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["file"])
        if any((PROJECT / folder) in path.parents for folder in FOLDERS) and BUILD not in path.parents:
            sources.setdefault(path, {**entry, "command": re.sub(PRECOMPILED, "", entry["command"])})
    return sources


def complaints(folder, path):
    """What clang-tidy says about the source, with the commands in the folder; empty if it finds nothing."""
    run = subprocess.run([TIDY, "-p", folder, "--quiet", f"--config-file={PROJECT}/.clang-tidy", path],
                         capture_output=True, text=True)
    return run.stdout + run.stderr if run.returncode != 0 else ""


def complaints_about(sources):
    """The same about all sources, given with their commands. Runs one process per processor."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(list(sources.values())), encoding="utf-8")
        return [text for text in pool.map(lambda path: complaints(folder, path), sources) if text]


class Tidy(unittest.TestCase):
    def test_nothing_is_found(self):
        sources = product_sources()
        self.assertGreater(len(sources), 50)
        found = complaints_about(sources)
        self.assertEqual(len(found), 0, "\n" + "\n".join(found))

    def test_a_fault_is_found(self):
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            path = pathlib.Path(folder, "a.cxx")
            path.write_text("#include <string>\nint a(const std::string b) { return int(b.size()); }\n", encoding="utf-8")
            found = complaints_about({path: {"file": str(path), "directory": folder, "command": "c++ -c a.cxx"}})
            self.assertEqual(len(found), 1)
            self.assertIn("performance-unnecessary-value-param", found[0])


unittest.main(argv=sys.argv[:1], verbosity=2)
