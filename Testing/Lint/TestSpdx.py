# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Every file of the project that can hold a comment begins with the SPDX lines of its copyright and licence.

usage: TestSpdx.py PROJECT
"""
import pathlib
import re
import sys
import tempfile
import unittest

import lint

PROJECT = pathlib.Path(sys.argv[1])
SLASHES, HASHES, ANGLES = ("// {}", "# {}", "<!-- {} -->")
COMMENTS = {
    ".h": SLASHES, ".cxx": SLASHES, ".comp": SLASHES, ".glsl": SLASHES,
    ".cmake": HASHES, ".cmake.in": HASHES, ".py": HASHES, ".sh": HASHES, ".txt": HASHES, ".cff": HASHES, "run": HASHES,
    ".module": HASHES, ".plugin": HASHES, "postinst": HASHES, "prerm": HASHES, "lintian-overrides": HASHES,
    ".clang-format": HASHES, ".clang-tidy": HASHES, ".editorconfig": HASHES, ".gitignore": HASHES,
    ".md": ANGLES, ".xml": ANGLES, ".xml.in": ANGLES, ".svg": ANGLES, ".qrc": ANGLES}


def comment_of(path):
    """How comments are written in this file; None for a kind of file that the table does not name."""
    for ending in (path.name, "".join(path.suffixes[-2:]), path.suffix):
        if ending in COMMENTS:
            return COMMENTS[ending]
    return None


def licence_of(path):
    """The catalogues of software take descriptions under a permissive licence only."""
    return "CC0-1.0" if path.name == "metainfo.xml.in" else "BSD-3-Clause"


def sources_of(project):
    """Every file that can hold a comment, with the form of its comments."""
    return [(path, comment_of(path)) for path in lint.files_of(project) if comment_of(path)]


def complaints(project):
    """The names of the files that do not begin with the lines; a line that names an interpreter or XML goes before."""
    licence = (project / "LICENSE").read_text(encoding="utf-8")
    holder = re.search(r"Copyright \(c\) \d{4}, (.+)", licence).group(1)
    for path, comment in sources_of(project):
        lines = path.read_text(encoding="utf-8").splitlines()
        head = lines[1:3] if lines and lines[0].startswith(("#!", "<?xml")) else lines[:2]
        if head != [comment.format(f"SPDX-FileCopyrightText: Copyright (c) {holder}"),
                    comment.format(f"SPDX-License-Identifier: {licence_of(path)}")]:
            yield path.relative_to(project).as_posix()


class Files(unittest.TestCase):
    def test_every_file_begins_with_the_lines(self):
        self.assertGreater(len(sources_of(PROJECT)), 100)
        without = list(complaints(PROJECT))
        if without:
            self.fail("these do not:\n" + "\n".join(without))


class OtherProjects(unittest.TestCase):
    """The check fails where it should, and only there."""

    LINES = "SPDX-FileCopyrightText: Copyright (c) the developers", "SPDX-License-Identifier: BSD-3-Clause"

    def head(self, comment):
        return "".join(comment.format(line) + "\n" for line in self.LINES)

    def complaints_about(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"LICENSE": "Copyright (c) 2026, the developers\n", **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(complaints(pathlib.Path(folder)))

    def test_the_lines_are_accepted_in_every_language(self):
        files = {f"Folder/A{kind}" if kind.startswith(".") else kind: self.head(comment)
                 for kind, comment in COMMENTS.items()}
        files |= {".ci/run": "#!/bin/sh\n" + self.head(HASHES), "B.xml": '<?xml version="1.0"?>\n' + self.head(ANGLES),
                  "CMakeLists.txt": self.head(HASHES) + "project(A)\n", ".gitignore": self.head(HASHES)}
        self.assertEqual(self.complaints_about(files), [])

    def test_files_without_the_lines_are_seen(self):
        slashes, hashes = self.head(SLASHES), self.head(HASHES)
        files = {"A.h": "", "Folder/A.cxx": "\n" + slashes, "B.py": slashes, ".ci/run": "#!/bin/sh\n", "A.md": "# A\n",
                 "C.h": slashes.replace("the developers", "somebody"), "CMakeLists.txt": hashes[3:], ".gitignore": "",
                 "A.cmake.in": "", "prerm": "#!/bin/sh\n"}
        self.assertEqual(sorted(self.complaints_about(files)), sorted(files))

    def test_other_files_are_not_read(self):
        self.assertEqual(self.complaints_about({
            "build/A.h": "", ".git/A.py": "", "elsewhere/CMakeCache.txt": "", "elsewhere/A.h": "", "A.json": ""}), [])


unittest.main(argv=sys.argv[:1], verbosity=2)
