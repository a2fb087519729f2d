# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A machine without OpenGL, a display or Qt can load the filter's library: it needs no library of them. The library that
draws needs OpenGL, so the list of libraries can be read.

usage: TestLibraries.py FILTERS RENDERING
"""
import re
import subprocess
import sys
import unittest

FILTERS, RENDERING = sys.argv[1:3]
DRAWING = re.compile(r"lib(E?GL|GLX|OpenGL|X11|Qt|vtkRendering|vtkglew)", re.IGNORECASE)


def libraries_of(path):
    """File names of all libraries that the loader would load, also indirectly."""
    lines = subprocess.run(["ldd", path], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return [line.split()[0] for line in lines.splitlines() if line.strip()]


class Libraries(unittest.TestCase):
    def test_the_filter_needs_none_for_drawing(self):
        self.assertEqual([name for name in libraries_of(FILTERS) if DRAWING.match(name)], [])

    def test_the_mapper_needs_opengl(self):
        self.assertTrue([name for name in libraries_of(RENDERING) if DRAWING.match(name)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
