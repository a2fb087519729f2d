# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""No function is longer than the limit, from its name to its last brace.

usage: TestFunctions.py PROJECT
"""
import pathlib
import re
import sys
import unittest

import lint

PROJECT = pathlib.Path(sys.argv[1])
LIMIT = 50
NO_FUNCTION = re.compile(r"(template <.*> |inline )*(namespace|class|struct|enum|union|extern)\b")


def functions_of(text):
    """First line and number of lines of each function in formatted C++ or GLSL: its braces have lines of their own."""
    lines = text.splitlines()
    for brace in (number for number, line in enumerate(lines) if line.strip() == "{"):
        start = brace
        while start > 0 and not re.search(r"[;{}]$|^ *(//|\*|/\*|#)|^$|:$", lines[start - 1]):
            start -= 1
        if start < brace and not NO_FUNCTION.match(" ".join(line.strip() for line in lines[start:brace])):
            end = lines[brace][:-1] + "}"
            yield start + 1, next(at for at in range(brace, len(lines)) if lines[at].startswith(end)) - start + 1


class Functions(unittest.TestCase):
    def test_none_is_longer_than_the_limit(self):
        count, long = 0, []
        for path in lint.files_of(PROJECT):
            if path.suffix in (".h", ".cxx", ".comp", ".glsl"):
                functions = list(functions_of(path.read_text(encoding="utf-8")))
                count += len(functions)
                long += [f"{path.relative_to(PROJECT)}:{line}: {size} lines"
                         for line, size in functions if size > LIMIT]
        self.assertGreater(count, 1000)
        self.assertEqual(long, [])

    def test_lines_are_counted(self):
        self.assertEqual(list(functions_of("// a\nvoid a(int b,\n  int c)\n{\n  b;\n}\n")), [(2, 5)])
        self.assertEqual(list(functions_of("class A\n{\n  int a()\n  {\n    return 1;\n  }\n};\n")), [(3, 4)])
        self.assertEqual(list(functions_of("namespace a\n{\ntemplate <class T>\nstruct B\n{\n};\n}\n")), [])


unittest.main(argv=sys.argv[:1], verbosity=2)
