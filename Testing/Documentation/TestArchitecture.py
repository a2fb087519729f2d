# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Documentation/Architecture.md against the sources: the order of the rooms. The user guide's table of timed stages.

usage: TestArchitecture.py PROJECT
"""
import pathlib
import re
import sys
import unittest

PROJECT = pathlib.Path(sys.argv[1])
CORE = PROJECT / "Filters" / "Compute"
DOCUMENT = PROJECT / "Documentation" / "Architecture.md"
SOURCES = (".h", ".cxx")


def rows_of(text, heading):
    """The cells of the first table under the heading, without its head."""
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def rooms_of(text):
    return [row[0].strip("`") for row in rows_of(text, "The rooms of the core")]


def complaints_about_includes(rooms, room, text):
    """Includes of a file of this room that name no room, or one below it in the list."""
    allowed = rooms[:rooms.index(room) + 1]
    for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
        first, *rest = name.split("/")
        if first in ("Shared", "Embedded") and rest:
            continue
        if first != "Compute" or not rest:
            yield f'"{name}" names no room'
        elif pathlib.PurePath(rest[0]).stem not in allowed:
            yield f'"{name}" is not above {room}'


class Stages(unittest.TestCase):
    def test_the_guide_explains_every_stage(self):
        guide = (PROJECT / "Documentation" / "UserGuide.md").read_text(encoding="utf-8")
        header = (CORE / "System" / "Stage.h").read_text(encoding="utf-8")
        enumerators = re.search(r"enum class Stage\n\{(.*?)\};", header, re.DOTALL).group(1)
        stages = re.findall(r"^ *(\w+)", enumerators, re.MULTILINE)
        self.assertGreater(len(stages), 15)
        self.assertEqual([row[0] for row in rows_of(guide, "Where the time went")], stages)


class Rooms(unittest.TestCase):
    def test_every_include_names_a_room_above(self):
        rooms = rooms_of(DOCUMENT.read_text(encoding="utf-8"))
        complaints = []
        for path in sorted(path for path in CORE.rglob("*") if path.suffix in SOURCES):
            inside = path.relative_to(CORE)
            room = pathlib.PurePath(inside.parts[0]).stem
            self.assertIn(room, rooms, f"{inside} lies in no room of the list")
            found = complaints_about_includes(rooms, room, path.read_text(encoding="utf-8"))
            complaints += [f"{inside}: {complaint}" for complaint in found]
        self.assertEqual(complaints, [])

    def test_every_room_of_the_list_exists(self):
        for room in rooms_of(DOCUMENT.read_text(encoding="utf-8")):
            self.assertTrue((CORE / room).is_dir() or (CORE / f"{room}.h").is_file(), room)

    def test_kernels_lie_in_rooms(self):
        rooms = rooms_of(DOCUMENT.read_text(encoding="utf-8"))
        kernels = list((PROJECT / "Shaders").rglob("*.comp"))
        self.assertGreater(len(kernels), 5)
        for kernel in kernels:
            self.assertIn(kernel.parent.name, rooms, kernel.name)

    def test_wrong_includes_are_seen(self):
        rooms = ["System", "Vulkan", "Context"]
        for text in ('#include "Device.h"', '#include "Compute/Context.h"', '#include "Compute/Other/A.h"'):
            self.assertEqual(len(list(complaints_about_includes(rooms, "Vulkan", text))), 1, text)
        for text in ('#include "Compute/System/Error.h"', '#include "Compute/Vulkan/Device.h"', "#include <array>",
                     '#include "Shared/Constants.h"'):
            self.assertEqual(list(complaints_about_includes(rooms, "Vulkan", text)), [], text)


unittest.main(argv=sys.argv[:1], verbosity=2)
