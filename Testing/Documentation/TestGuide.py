# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands and scripts of README.md and Documentation/UserGuide.md, and provokes the messages of its chapter
Troubleshooting.

usage: TestGuide.py PROJECT BUILD PVPYTHON MPIEXEC PYTHON_PACKAGES PREFIX [unittest arguments]

MPIEXEC is empty if there is none, PYTHON_PACKAGES if this build has no package vulkanmarchingcubes. PREFIX is a folder
in which CMake finds the package VulkanMarchingCubes; if it is empty, this build is installed. Needs a display.

The blocks run in a scratch folder that looks like a checkout whose build/release is this build. The Python blocks of a
chapter run in one pvpython, one after the other. Each `sh` block runs in a shell of its own. A comment before a block
says more about it:
  <!-- file: NAME -->                    a file that the reader saves; other blocks use it
  <!-- prints -->                        what the block before it prints, on lines of its own; ... matches anything
  <!-- needs: vulkanmarchingcubes -->    it is compiled only if the package is not built; with another name, always
  <!-- message: NAME -->                 what the script of MESSAGES for NAME prints
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

PROJECT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
PVPYTHON, MPIEXEC, PACKAGES, PREFIX = sys.argv[3:7]
GUIDE = PROJECT / "Documentation" / "UserGuide.md"
DOCUMENTS = [PROJECT / "README.md", GUIDE]
PLUGIN = next(BUILD.glob("lib/paraview-*/plugins/VulkanMarchingCubes"))
LARGEST_PICTURE = 200_000  # bytes
NO_VULKAN = {"VK_ICD_FILENAMES": "no-driver.json", "VK_DRIVER_FILES": "no-driver.json"}

# Lines of `sh` blocks that no test can run, as patterns, and why. Each must occur. What can be checked is in Commands.
NOT_RUN = {
    r"Utilities/install-packages\.sh": "installs packages, as root",
    r"apt install (\S+\.deb ?)+": "installs packages, as root",
    r"apt install g\+\+ .*": "installs packages, as root",
    r"pip install --no-build-isolation --break-system-packages \.": "builds and installs the package, as root",
    r"cmake --preset \w+ && cmake --build --preset \w+": "builds the project for minutes; this build stands in",
    r"cmake --install build/release --prefix \S+": "writes to the home folder; GuideCpp runs it with another folder",
    r"cmake -S \. -B build -DCMAKE_PREFIX_PATH=\S+ && cmake --build build": "GuideCpp runs it",
    r"paraview": "opens a window and waits for the user; the tests Plugin.Client* and Widgets.* do",
    r"mpiexec -n 2 pvserver": "waits for a client; Plugin.Servers starts it",
    r"Utilities/(demo|test)\.sh +#.*": "install packages and build the project, which takes minutes",
    r"pvpython Testing/Benchmarks/compare_with_contour\.py \S+ 80": "measures a volume that is not in the project",
    r"pvpython Utilities/isosurface\.py \$bonsai .*": "reads a volume that is not in the project",
}

Block = collections.namedtuple("Block", "document line chapter language code marks")
Block.place = property(lambda self: f"{self.document.name}:{self.line}")
FENCE = re.compile(r"((?:^<!-- [^\n]* -->\n)*)^( *)```(\w*)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (\w+)(?:: (\S+))? -->")


def blocks_of(document, text):
    for match in FENCE.finditer(text):
        chapter = re.findall(r"^## (.*)$", text[:match.start()], re.MULTILINE)
        yield Block(document, text.count("\n", 0, match.start(4)) + 1, chapter[-1] if chapter else "", match.group(3),
                    textwrap.dedent(match.group(4)), dict(MARK.findall(match.group(1))))


def all_blocks():
    return [block for document in DOCUMENTS for block in blocks_of(document, document.read_text(encoding="utf-8"))]


def runnable(code):
    """The lines of an `sh` block, without those of NOT_RUN."""
    lines = code.replace("\\\n", " ").splitlines()
    return [line for line in lines if not any(re.fullmatch(pattern, line.strip()) for pattern in NOT_RUN)]


def pattern_of(lines):
    """Matches text that contains these lines in this order; ... matches anything in a line."""
    parts = [".*".join(map(re.escape, line.split("..."))) for line in lines.strip().splitlines()]
    return re.compile(r".*\n(?:.*\n)*?.*?".join(parts))


def is_free_of_errors(output):
    """ParaView's errors and warnings do not end a script."""
    return not re.search(r"\b(ERR|FATL|WARN)\||^(ERROR|(Generic )?Warning): In |^Traceback|: warning: ", output, re.M)


# A script reports where in the document it failed, and ends without the errors of windows that are still open.
RUN_BLOCKS = """
import json, os, sys
# pvpython 5.13 does not flush its own before the end.
sys.stdout, sys.stderr = (open(descriptor, "w", encoding="utf-8", closefd=False) for descriptor in (1, 2))
names = {}
for path, line, code in json.load(open(sys.argv[1])):
    exec(compile("\\n" * (line - 1) + code, path, "exec"), names)
    sys.stdout.flush()
os._exit(0)
"""


class Folder:
    """A scratch folder that looks like a checkout with the build in build/release."""

    def __init__(self, blocks):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        for entry in PROJECT.iterdir():
            if entry.is_dir() and entry.name not in ("build", "demo-output") and not entry.name.startswith("."):
                (self.path / entry.name).symlink_to(entry)
        (self.path / "build").mkdir()
        (self.path / "build" / "release").symlink_to(BUILD)
        for block in blocks:
            if "file" in block.marks:
                (self.path / block.marks["file"]).write_text(block.code, encoding="utf-8")
        (self.path / "run_blocks.py").write_text(RUN_BLOCKS, encoding="utf-8")

    def run(self, *command, timeout=100, **variables):
        """The exit status of a command, and what it printed."""
        environment = {**os.environ, "PV_PLUGIN_PATH": str(PLUGIN), "HOME": self.folder.name,
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", **variables}
        if PACKAGES:
            environment["PYTHONPATH"] = PACKAGES
        environment = {name: value for name, value in environment.items() if value is not None}
        process = subprocess.Popen(command, cwd=self.path, env=environment, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # the ranks of mpiexec, too
            return f"none: it was ended after {timeout} s", process.communicate()[0]
        return process.returncode, re.sub(r"\x1b\[\d*m", "", output)  # without colours


class GuideTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.blocks = all_blocks()
        cls.folder = Folder(cls.blocks)
        cls.addClassCleanup(cls.folder.folder.cleanup)

    def succeed(self, *command, **variables):
        status, output = self.folder.run(*command, **variables)
        self.check(status, output)
        return output

    def check(self, status, output):
        self.assertEqual(status, 0, output)
        self.assertTrue(is_free_of_errors(output), output)

    def run_together(self, commands):
        """The exit status and the output of each (command, variables) by its key."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
            running = {key: workers.submit(self.folder.run, *command, **variables)
                       for key, (command, variables) in commands.items()}
            return {key: run.result() for key, run in running.items()}


class Blocks(GuideTest):
    def test_every_block_has_a_language_that_is_tested(self):
        self.assertGreater(len(self.blocks), 25)
        for block in self.blocks:
            if block.language == "text":
                is_message = block.chapter == "Troubleshooting"
                self.assertTrue(is_message or "prints" in block.marks, block.place)
            elif block.language:
                self.assertIn(block.language, ("sh", "python", "cpp", "cmake"), block.place)

    def test_marks_are_known(self):
        for block in self.blocks:
            for mark, value in block.marks.items():
                self.assertIn(mark, ("file", "prints", "needs", "message"), block.place)
                if mark == "message":
                    self.assertIn(value, sum(MESSAGES, ()), block.place)

    def test_every_file_is_used(self):
        text = "\n".join(block.code for block in self.blocks if block.language in ("sh", "cmake"))
        for block in self.blocks:
            name = block.marks.get("file", "CMakeLists.txt")
            self.assertTrue(name == "CMakeLists.txt" or name in text, f"{block.place}: nothing uses {name}")


class Commands(GuideTest):
    def test_a_volume_is_made_and_commands_run(self):
        commands = {}
        for block in self.blocks:
            lines = runnable(block.code) if block.language == "sh" else []
            if lines and (MPIEXEC or not any(line.startswith("mpiexec") for line in lines)):
                commands[block.place] = ["bash", "-euo", "pipefail", "-c", "\n".join(lines)], {}
        first = next(place for place, (command, _) in commands.items() if "make_phantom" in command[-1])
        self.succeed(*commands.pop(first)[0])  # the others read what it makes
        for place, result in self.run_together(commands).items():
            with self.subTest(place):
                self.check(*result)

    def test_exceptions_occur(self):
        lines = [line.strip() for block in self.blocks if block.language == "sh"
                 for line in block.code.replace("\\\n", " ").splitlines()]
        for pattern in NOT_RUN:
            self.assertTrue(any(re.fullmatch(pattern, line) for line in lines), f"no block has a line {pattern}")

    def test_presets_exist(self):
        presets = json.loads((PROJECT / "CMakePresets.json").read_text(encoding="utf-8"))
        for block in self.blocks:
            for option, name in re.findall(r"cmake (--build --preset|--preset) (\S+)", block.code):
                kind = "buildPresets" if "build" in option else "configurePresets"
                self.assertIn(name, [preset["name"] for preset in presets[kind]], block.place)

    def test_paths_of_plugins_are_folders_of_plugins(self):
        for block in self.blocks:
            if block.language == "sh" and "PV_PLUGIN_PATH=" in block.code:
                status, output = self.folder.run("bash", "-euc", "\n".join(
                    [line for line in runnable(block.code) if "=" in line] + ['printf %s "$PV_PLUGIN_PATH"']))
                self.assertEqual(status, 0, output)
                for folder in map(pathlib.Path, output.split(":")):
                    self.assertTrue((folder / f"{folder.name}.so").is_file(), f"{block.place}: {folder}")

    def test_files_of_commands_that_do_not_run_exist(self):
        for block in self.blocks:
            if block.language == "sh":
                for name in re.findall(r"\b(?:Utilities|Testing)/[\w/.-]+", block.code):
                    self.assertTrue((PROJECT / name).is_file(), f"{block.place}: {name}")


class Scripts(GuideTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder.run(PVPYTHON, "Utilities/make_phantom.py", ".")

    def test_python_blocks_of_each_chapter_run(self):
        chapters = collections.defaultdict(list)
        for block in self.blocks:
            if block.language == "python":
                chapters[f"{block.document.name}, {block.chapter}"].append(block)
        commands = {}
        for number, (chapter, blocks) in enumerate(chapters.items()):
            name = f"blocks{number}.json"
            (self.folder.path / name).write_text(json.dumps(self.code_of(blocks)), encoding="utf-8")
            commands[chapter] = [PVPYTHON, "run_blocks.py", name], {}
        for chapter, result in self.run_together(commands).items():
            with self.subTest(chapter):
                self.check(*result)
                for block in chapters[chapter]:
                    printed = self.blocks[self.blocks.index(block) + 1]
                    if "prints" in printed.marks and self.is_run(block):
                        self.assertRegex(result[1], pattern_of(printed.code))

    @staticmethod
    def is_run(block):
        return "needs" not in block.marks or bool(PACKAGES) and block.marks["needs"] == "vulkanmarchingcubes"

    def code_of(self, blocks):
        """Document, line and code of the blocks that are run; those for several ranks are not."""
        for block in blocks:
            compile(block.code, block.place, "exec")
            if not self.is_run(block):
                print(f"{block.place}: compiled only, because it needs {block.marks['needs']}")
        return [(str(block.document), block.line, block.code) for block in blocks
                if self.is_run(block) and block.marks.get("file") != "ranks.py"]

    @unittest.skipUnless(PACKAGES, "this build has no package vulkanmarchingcubes")
    def test_blocks_of_vtk_run_in_plain_python(self):
        """What needs no ParaView runs in the system's Python."""
        for block in self.blocks:
            if block.language == "python" and "paraview" not in block.code and "vtkmodules" in block.code:
                self.succeed(sys.executable, "-c", block.code)


# Scripts that print messages of the chapter Troubleshooting, and their variables of the environment. The first one
# writes the state file of another one.
CONTOUR = """
from paraview.simple import *
surface = VulkanMarchingCubes(Input=Wavelet(), ContourBy=["POINTS", "RTData"], Isosurfaces=[150])
"""
MESSAGES = {
    ("range", "device", "variable", "memory"): (CONTOUR + """
import os
SaveState("state.pvsm")
surface.UpdatePropertyInformation()
devices = list(surface.DeviceNames)
print(devices)
for device, variable, isovalue, limit in (
        ("Automatic", "", 1500, 0), ("RTX", "", 150, 0), ("Automatic", "RTX", 151, 0), (devices[0], "", 152, 0.01)):
    os.environ["VMC_DEVICE"] = variable
    surface.Device, surface.Isosurfaces, surface.MemoryLimit = device, [isovalue], limit
    surface.UpdatePipeline()
    print(surface.Note)
""", {"VMC_DEVICE": ""}),
    ("state", "missing-plugin"): ("from paraview.simple import *\nLoadState('state.pvsm')\nVulkanMarchingCubes()",
                                  {"PV_PLUGIN_PATH": ""}),
    ("server",): ("""
import os, socket, subprocess
from paraview.simple import *
with socket.socket() as probe:
    probe.bind(("localhost", 0))
    port = probe.getsockname()[1]
plugins = os.environ.pop("PV_PLUGIN_PATH")
server = subprocess.Popen(["pvserver", f"--server-port={port}"], stdout=subprocess.PIPE, text=True)
while "Accepting" not in server.stdout.readline():
    pass
Connect("localhost", port)
LoadPlugin(plugins + "/VulkanMarchingCubes.so", remote=False)
try:
    VulkanMarchingCubes(Input=Wavelet())
finally:
    server.kill()
""", {}),
    ("no-vulkan",): (CONTOUR + "surface.Device = 'NVIDIA'\nsurface.UpdatePipeline()", {**NO_VULKAN, "VMC_DEVICE": ""}),
    ("gap",): ("""
from paraview.simple import *
cells = PointDatatoCellData(Input=Wavelet())
drop = ProgrammableFilter(Input=cells, Script="output.ShallowCopy(inputs[0].VTKObject)")
drop.RequestUpdateExtentScript = '''
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
self.GetInputInformation(0, 0).Set(vtkStreamingDemandDrivenPipeline.UPDATE_NUMBER_OF_GHOST_LEVELS(), 0)
'''
VulkanMarchingCubes(Input=drop, ContourBy=["CELLS", "RTData"], Isosurfaces=[150]).UpdatePipeline()
""", {}),
    ("blocks", "padded", "layer"): ("""
from paraview.simple import *
parts = [[-10, 0, -10, 10, -10, 10], [0, 10, -10, 10, -10, 10], [-10, 10, -10, 10, 0, 1]]
points = [Wavelet(WholeExtent=part) for part in parts]
west, east, layer = [PointDatatoCellData(Input=part) for part in points]
blocks, boxes = GroupDatasets(Input=[west, east]), GroupDatasets(Input=points[:2])
of_cells, of_points = {"ContourBy": ["CELLS", "RTData"]}, {"ContourBy": ["POINTS", "RTData"]}
for data, settings in ((blocks, {**of_cells, "JoinBlocks": 0}), (boxes, {**of_points, "Boundary": "Close"}),
                       (layer, of_cells)):
    surface = VulkanMarchingCubes(Input=data, Isosurfaces=[150], **settings)
    surface.UpdatePipeline()
    print(surface.Note)
""", {}),
    ("tool",): ("""
import runpy, sys
sys.path.insert(0, "Utilities")
sys.argv = ["isosurface.py", "phantom_256x256x256_uint8.raw", "--isovalue", "120", "--image", "bones.png"]
runpy.run_path("Utilities/isosurface.py", run_name="__main__")
""", {"DISPLAY": None}),
    ("display",): ("from paraview.simple import *\nShow(Wavelet())\nRender()", {"DISPLAY": None}),
}
IS_5_11 = "paraview-5.11" in str(PLUGIN)
ONLY_5_11 = ("display",)  # ParaView 5.13 ends without this message
NEEDS_DEVICE = ("device", "variable", "memory")  # without a Vulkan device, other messages appear


class Messages(GuideTest):
    """The messages of the chapter Troubleshooting are those that appear."""

    def message(self, name):
        found = [block.code for block in self.blocks if block.marks.get("message") == name]
        self.assertEqual(len(found), 1, f"{len(found)} blocks are marked as the message {name}")
        return pattern_of(found[0])

    def test_messages_appear(self):
        commands = {}
        for names, (script, variables) in MESSAGES.items():
            commands[names] = [PVPYTHON, "-c", script], variables
        (self.folder.path / "gap.py").write_text(MESSAGES["gap",][0], encoding="utf-8")
        commands["gap",] = [MPIEXEC, "-n", "2", "pvbatch", "--sym", "gap.py"], {}
        first = next(iter(commands))
        outputs = self.run_together({first: commands.pop(first)})
        has_device = "['CPU']" not in outputs[first][1]
        if not MPIEXEC:
            commands.pop(("gap",))
        outputs.update(self.run_together(commands))
        for names, (_, output) in outputs.items():
            for name in names:
                if (name not in NEEDS_DEVICE or has_device) and (name not in ONLY_5_11 or IS_5_11):
                    with self.subTest(name):
                        self.assertRegex(output, self.message(name))


class Programs(GuideTest):
    """The C++ programs, as a project of their own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = PREFIX or str(cls.folder.path / "prefix")
        if not PREFIX:
            cls.folder.run("cmake", "--install", str(BUILD), "--prefix", cls.prefix)

    def test_programs_are_built_and_run(self):
        self.succeed("cmake", "-S", ".", "-B", "programs", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.succeed("cmake", "--build", "programs")
        write = "SaveData('head.vti', proxy=PointDatatoCellData(Input=Wavelet()), DataMode='Ascii')"
        self.succeed(PVPYTHON, "-c", f"from paraview.simple import *\n{write}")
        self.assertRegex(self.succeed("programs/contour", "head.vti", "150"), r"^\d{4} triangles on \w")
        self.assertRegex(self.succeed("programs/draw"), r"^\d{4} triangles, drawn by \w")


class Citation(unittest.TestCase):
    def test_the_version_is_that_of_the_build(self):
        version = re.search(r"project\(VulkanMarchingCubes VERSION (\S+)",
                            (PROJECT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
        self.assertIn(f"\nversion: {version}\n", (PROJECT / "CITATION.cff").read_text(encoding="utf-8"))


class Links(unittest.TestCase):
    """Links of all documents lead somewhere, and the pictures of the guide are small."""

    @staticmethod
    def anchors(text):
        """The names that GitHub gives to headings."""
        headings = re.findall(r"^#+ (.*)$", re.sub(FENCE, "", text), re.MULTILINE)
        return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]

    def test_links_lead_to_files_and_headings(self):
        documents = [*PROJECT.glob("*.md"), *PROJECT.glob("*/*.md")]
        self.assertGreater(len(documents), 10)
        for document in documents:
            text = document.read_text(encoding="utf-8")
            for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(FENCE, "", text)):
                name, _, anchor = link.partition("#")
                if "://" in link:
                    continue
                target = document.parent / name if name else document
                with self.subTest(f"{document.name}: {link}"):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, self.anchors(target.read_text(encoding="utf-8")))

    def test_pictures_are_small(self):
        pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", GUIDE.read_text(encoding="utf-8"))
        self.assertGreater(len(pictures), 5)
        for picture in pictures:
            self.assertLess((GUIDE.parent / picture).stat().st_size, LARGEST_PICTURE, picture)


class OtherGuides(unittest.TestCase):
    """The checks find what is wrong, and only that."""

    def test_blocks_are_read_with_their_marks(self):
        text = "# A\n\n## B\n<!-- file: a.py -->\n<!-- needs: c -->\n```python\nx\ny\n```\n\n  ```\n  z\n  ```\n"
        first, second = blocks_of(GUIDE, text)
        self.assertEqual(first[1:], (7, "B", "python", "x\ny\n", {"file": "a.py", "needs": "c"}))
        self.assertEqual((second.language, second.code, second.marks), ("", "z\n", {}))

    def test_lines_that_cannot_run_are_left_out(self):
        self.assertEqual(runnable("paraview\necho paraview\napt install \\\n  x\n"),
                         ["echo paraview", "apt install    x"])

    def test_expected_lines_are_found_in_order(self):
        self.assertRegex("log: one 1 a\nother\nlog: two\n", pattern_of("one ... a\ntwo\n"))
        self.assertNotRegex("two\none 1 a\n", pattern_of("one ... a\ntwo\n"))

    def test_errors_of_paraview_are_seen(self):
        for line in ("( 1s) [paraview ]x.cxx:1  ERR| a", "x WARN| b", "ERROR: In x.cxx, line 1",
                     "Warning: In x.cxx, line 1", "Traceback (most recent call last):", "isosurface.py: warning: c"):
            self.assertFalse(is_free_of_errors(f"before\n{line}\n"), line)
        self.assertTrue(is_free_of_errors("0 ERRORS\nx INFO| b"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[7:]], verbosity=2)
