# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Another project adds this one with add_subdirectory, links the core and runs; the folder of both has a space in its
name. A kernel is compiled again when a file that it includes changes, and only then.

usage: TestOtherProject.py PROJECT FOLDER CMAKE [OPTION...]

FOLDER is made anew. OPTIONs are those of cmake when it configures.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROJECT, FOLDER = (pathlib.Path(path) for path in sys.argv[1:3])
CMAKE, *OPTIONS = sys.argv[3:]
PART = FOLDER / "VulkanMarchingCubes"
BUILD = FOLDER / "build"


def run(*command):
    """What the command prints; its failure fails the test with that."""
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if process.returncode != 0:
        raise AssertionError(f"{command} returned {process.returncode}:\n{process.stdout}")
    return process.stdout


def build(target):
    """The names of the kernels that were compiled."""
    return set(re.findall(r"Compiling kernel (\w+)", run(CMAKE, "--build", str(BUILD), "--target", target)))


class OtherProject(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.copytree(PROJECT / "Testing" / "Build" / "OtherProject", FOLDER)
        PART.mkdir()
        shutil.copy(PROJECT / "CMakeLists.txt", PART)
        for folder in ("Filters", "Shaders"):
            shutil.copytree(PROJECT / folder, PART / folder)
        run(CMAKE, "-S", str(FOLDER), "-B", str(BUILD), *OPTIONS)
        cls.kernels = build("vmcKernels")

    def test_every_kernel_is_compiled_once(self):
        self.assertGreater(len(self.kernels), 5)
        self.assertEqual(build("vmcKernels"), set())

    def test_a_changed_include_compiles_the_kernels_that_include_it(self):
        (PART / "Shaders" / "Shared" / "Scan.glsl").touch()
        compiled = build("vmcKernels")
        self.assertIn("ScanBricks", compiled)
        self.assertNotIn("RepeatCorners", compiled)

    def test_a_program_of_the_other_project_runs(self):
        build("printDevices")
        run(str(BUILD / "printDevices"))


unittest.main(argv=sys.argv[:1], verbosity=2)
