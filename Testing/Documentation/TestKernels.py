# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The tables in Shaders/README.md list the kernels of the build, in their order, with the buffers that each declares,
and the files that they include.

usage: TestKernels.py PROJECT LIST_KERNELS
"""
import pathlib
import re
import subprocess
import sys
import unittest

PROJECT = pathlib.Path(sys.argv[1])
LIST_KERNELS = sys.argv[2]


def names_of(text):
    """Names such as BRICK_RANGE in the form of the document: brickRange."""
    words = [[word.capitalize() for word in name.split("_")] for name in text.split(",") if name]
    return ["".join([first.lower(), *rest]) for first, *rest in words]


def kernels_of_build():
    """Kernel, buffers that it reads and buffers that it writes, of each kernel."""
    lines = subprocess.run([LIST_KERNELS], capture_output=True, text=True, check=True).stdout.splitlines()
    return [(kernel, names_of(reads), names_of(writes))
            for kernel, reads, writes in (line.split("|") for line in lines)]


def kernels_of_document(text):
    """The same of each row of the table."""
    rows = re.findall(r"^\| \[`(\w+)`\]\(\w+/\1\.comp\) \| ([\w, ]*) \| ([\w, ]*) \|", text, re.MULTILINE)
    return [(kernel, reads.split(", "), writes.split(", ")) for kernel, reads, writes in rows]


class Kernels(unittest.TestCase):
    maxDiff = None

    def test_the_table_is_that_of_the_build(self):
        kernels = kernels_of_build()
        self.assertGreater(len(kernels), 5)
        self.assertEqual(kernels_of_document((PROJECT / "Shaders" / "README.md").read_text(encoding="utf-8")), kernels)

    def test_every_file_of_a_kernel_is_built(self):
        files = {path.stem for path in (PROJECT / "Shaders").rglob("*.comp")}
        self.assertEqual({kernel for kernel, _, _ in kernels_of_build()}, files)

    def test_every_shared_file_is_listed(self):
        folder = PROJECT / "Shaders"
        text = (folder / "README.md").read_text(encoding="utf-8")
        for path in [*folder.rglob("*.glsl"), *folder.rglob("*.h")]:
            self.assertIn(f"[`{path.name}`]({path.relative_to(folder).as_posix()})", text)


unittest.main(argv=sys.argv[:1], verbosity=2)
