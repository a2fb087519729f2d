# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""All C++ is formatted by clang-format with .clang-format. Skipped where its version of Debian 12 is not installed.

usage: TestFormat.py PROJECT
"""
import pathlib
import subprocess
import sys
import unittest

import lint

PROJECT = pathlib.Path(sys.argv[1])
FORMAT = lint.program_or_skip("clang-format")


class Format(unittest.TestCase):
    def test_every_file_is_formatted(self):
        files = [path for path in lint.files_of(PROJECT) if path.suffix in (".h", ".cxx")]
        self.assertGreater(len(files), 300)
        run = subprocess.run([FORMAT, "--dry-run", "--Werror", *files], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, f"{run.stderr}\nclang-format -i mends this.")

    def test_other_formats_are_seen(self):
        run = subprocess.run([FORMAT, "--dry-run", "--Werror", f"--assume-filename={PROJECT}/a.cxx"],
                             capture_output=True, text=True, input="int  a ;\n")
        self.assertNotEqual(run.returncode, 0)


unittest.main(argv=sys.argv[:1], verbosity=2)
