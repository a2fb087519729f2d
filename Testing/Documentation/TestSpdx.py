# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Every source file of the project begins with the SPDX lines of its copyright and licence.

usage: TestSpdx.py PROJECT
"""
import os
import pathlib
import re
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1])
MARKERS = {".h": "//", ".cxx": "//", ".comp": "//", ".glsl": "//", ".cmake": "#", ".py": "#", ".sh": "#"}
SCRIPTS = ("CMakeLists.txt", ".ci/run")  # no suffix tells their language


def is_owned(project, folder):
    """Whether files of the project lie in this folder; others are what git, an editor or a build keeps there."""
    if folder.name.startswith("."):
        return folder.name == ".ci"
    return folder != project / "build" and folder.name != "__pycache__" and not (folder / "CMakeCache.txt").exists()


def sources_of(project):
    """Every source file with the marker of its comments."""
    for here, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if is_owned(project, pathlib.Path(here, name)))
        for path in (pathlib.Path(here, name) for name in sorted(names)):
            is_script = path.relative_to(project).as_posix().endswith(SCRIPTS)
            marker = "#" if is_script else MARKERS.get(path.suffix)
            if marker:
                yield path, marker


def complaints(project):
    """The names of the source files that do not begin with the lines; a line that names an interpreter goes before."""
    licence = (project / "LICENSE").read_text(encoding="utf-8")
    holder = re.search(r"Copyright \(c\) \d{4}, (.+)", licence).group(1)
    for path, marker in sources_of(project):
        lines = path.read_text(encoding="utf-8").splitlines()
        head = lines[1:3] if lines and lines[0].startswith("#!") else lines[:2]
        if head != [f"{marker} SPDX-FileCopyrightText: Copyright (c) {holder}",
                    f"{marker} SPDX-License-Identifier: BSD-3-Clause"]:
            yield path.relative_to(project).as_posix()


class Sources(unittest.TestCase):
    def test_every_source_begins_with_the_lines(self):
        self.assertGreater(len(list(sources_of(PROJECT))), 100)
        without = list(complaints(PROJECT))
        if without:
            self.fail("these do not:\n" + "\n".join(without))


class OtherProjects(unittest.TestCase):
    """The check fails where it should, and only there."""

    LINES = "SPDX-FileCopyrightText: Copyright (c) the developers", "SPDX-License-Identifier: BSD-3-Clause"
    SLASHES = "".join(f"// {line}\n" for line in LINES)
    HASHES = "".join(f"# {line}\n" for line in LINES)

    def complaints_about(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"LICENSE": "Copyright (c) 2026, the developers\n", **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(complaints(pathlib.Path(folder)))

    def test_the_lines_are_accepted_in_every_language(self):
        self.assertEqual(self.complaints_about({
            "A.h": self.SLASHES, "A.cxx": self.SLASHES + "int a;\n", "A.comp": self.SLASHES + "#version 450\n",
            "A.glsl": self.SLASHES, "A.cmake": self.HASHES, "Folder/CMakeLists.txt": self.HASHES, "A.py": self.HASHES,
            "A.sh": "#!/bin/sh\n" + self.HASHES, ".ci/run": "#!/bin/sh\n" + self.HASHES}), [])

    def test_files_without_the_lines_are_seen(self):
        files = {"A.h": "", "Folder/A.cxx": "\n" + self.SLASHES, "B.py": self.SLASHES, ".ci/run": "#!/bin/sh\n",
                 "C.h": self.SLASHES.replace("the developers", "somebody"), "CMakeLists.txt": self.HASHES[3:]}
        self.assertEqual(sorted(self.complaints_about(files)), sorted(files))

    def test_files_that_are_not_the_projects_are_not_read(self):
        self.assertEqual(self.complaints_about({
            "build/A.h": "", ".git/A.py": "", "elsewhere/CMakeCache.txt": "", "elsewhere/A.h": "", "A.md": ""}), [])


unittest.main(argv=sys.argv[:1], verbosity=2)
