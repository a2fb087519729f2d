# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""SECURITY.md: in a working directory full of libraries, drivers and layers, the core opens none of them, writes only
what it keeps in the user's cache folder, starts no program and opens no connection.

usage: TestHostileFolder.py PROGRAM [MODULES]
PROGRAM is vmcSoak. MODULES is the folder of the Python package, if it is built. The kernel reports what is opened in a
folder (inotify); strace, where it is installed and allowed, reports all else.
"""
import ctypes
import importlib.util
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, MODULES = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
NAMES = (
    "libvulkan.so", "libvulkan.so.1", "libvulkan_lvp.so", "libtbb.so.12", "libstdc++.so.6", "libgcc_s.so.1",
    "libVkLayer_khronos_validation.so", "vk_layer_settings.txt", "vulkan/icd.d/hostile.json",
    "vulkan/implicit_layer.d/hostile.json", "vulkan/explicit_layer.d/hostile.json", ".config/vulkan/icd.d/hostile.json",
    ".local/share/vulkan/icd.d/hostile.json", "VulkanMarchingCubes/kernels", ".drirc", "numpy.py", "struct.py",
    "vulkanmarchingcubes/__init__.py")
OPEN, CREATE, MODIFY, MOVED, DELETE = 0x20, 0x100, 0x2, 0xC0, 0x200  # of inotify
LIBC = ctypes.CDLL(None, use_errno=True)
CACHES = ("VulkanMarchingCubes", "mesa_shader_cache", "nvidia")  # ours, and those of drivers
SCRIPT = """
import numpy, vulkanmarchingcubes
values = numpy.random.default_rng(1).random((20, 21, 22), dtype=numpy.float32)
vulkanmarchingcubes.marching_cubes(values, 0.5)
"""


def is_cached(path):
    """Returns whether a file, from the folder of the test, lies in a cache of ours or of a driver."""
    folder, cache = pathlib.PurePath(path).parts[:2]
    return folder == "cache" and cache.startswith(CACHES)


class Watch:
    """Records what any process opens, makes, changes or removes in a folder and in the folders below it."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.file = LIBC.inotify_init1(os.O_NONBLOCK)
        self.names = {}
        for path in [self.folder, *(path for path in self.folder.rglob("*") if path.is_dir())]:
            number = LIBC.inotify_add_watch(self.file, os.fsencode(path), OPEN | CREATE | MODIFY | MOVED | DELETE)
            if number < 0:
                raise OSError(ctypes.get_errno(), "inotify_add_watch")
            self.names[number] = path
        return self

    def __exit__(self, *_):
        os.close(self.file)

    def touched(self):
        """Returns the paths that were touched, from the folder."""
        try:
            events = os.read(self.file, 1 << 20)
        except BlockingIOError:
            return set()
        found, at = set(), 0
        while at < len(events):
            number, _, _, length = struct.unpack_from("iIII", events, at)
            name = events[at + 16:at + 16 + length].rstrip(b"\0").decode()
            found.add((self.names[number] / name).relative_to(self.folder).as_posix())
            at += 16 + length
        return found


# Kernels that the driver has compiled, outside the folders of the tests: those that need no cache of their own use it.
COMPILED = tempfile.TemporaryDirectory()
unittest.addModuleCleanup(COMPILED.cleanup)


# The settings of software Vulkan's compiler, which Utilities/test.sh sets for some versions of Mesa.
COMPILER = {name: os.environ[name] for name in ("GALLIVM_PERF",) if name in os.environ}


class HostileFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.folder, self.home, self.cache, self.temporary = (
            self.scratch / name for name in ("folder", "home", "cache", "temporary"))
        for path in (self.home, self.cache, self.temporary, *((self.folder / name).parent for name in NAMES)):
            path.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            (self.folder / name).write_text("raise SystemExit('hostile')\n", encoding="ascii")

    def run_in(self, command, **variables):
        """Runs the command in the folder, with an environment that names nothing but the folders of the test."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_CACHE_HOME": str(self.cache),
                       "TMPDIR": str(self.temporary), "VMC_DEVICE": "0", **COMPILER, **variables}
        run = subprocess.run(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace")
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout

    def touched(self, command, **variables):
        with Watch(self.folder) as watch:
            self.run_in(command, **variables)
            return watch.touched()

    def kept(self):
        """Returns the files that were written in the other folders."""
        return {path.relative_to(self.scratch).as_posix()
                for folder in (self.home, self.cache, self.temporary) for path in folder.rglob("*") if path.is_file()}


class Traps(HostileFolder):
    """The test would see it."""

    def test_an_opened_file_is_seen(self):
        self.assertEqual(self.touched(["cat", "vulkan/icd.d/hostile.json"]), {"vulkan/icd.d/hostile.json"})

    def test_a_written_file_is_seen(self):
        self.assertEqual(self.touched(["touch", "made"]), {"made"})

    def test_a_library_that_the_environment_names_is_seen(self):
        with Watch(self.folder) as watch:
            subprocess.run([PROGRAM, "--executions=1"], cwd=self.folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env={**os.environ, "LD_LIBRARY_PATH": str(self.folder)})
            self.assertTrue(watch.touched() & {name for name in NAMES if name.startswith("lib")})


class Core(HostileFolder):
    def test_nothing_in_the_working_directory_is_touched_and_only_caches_are_written(self):
        self.assertEqual(self.touched([PROGRAM, "--executions=6"]), set())
        self.assertEqual({path for path in self.kept() if not is_cached(path)}, set())

    def test_relative_folders_of_the_environment_are_not_used(self):
        for name in ("VMC_PIPELINE_CACHE", "XDG_CACHE_HOME"):
            self.assertEqual(self.touched([PROGRAM, "--executions=1"], **{name: "VulkanMarchingCubes"},
                                          MESA_SHADER_CACHE_DIR=COMPILED.name), set())

    def test_without_caches_nothing_is_written(self):
        self.run_in([PROGRAM, "--executions=1"], VMC_PIPELINE_CACHE="0", MESA_SHADER_CACHE_DIR=COMPILED.name)
        self.assertEqual(self.kept(), set())


@unittest.skipUnless(shutil.which("strace"), "strace is not installed")
class SystemCalls(HostileFolder):
    def calls(self):
        """Returns the system calls of the program that name files, start programs or connect."""
        log = self.scratch / "log"
        if subprocess.run(["strace", "-o", log, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("strace may not trace here")
        self.run_in(["strace", "-f", "-qq", "-o", str(log), "-e", "trace=%file,%network", PROGRAM, "--executions=1"])
        return [re.sub(r"^\d+ +", "", line) for line in log.read_text(errors="replace").splitlines()]

    def test_they_write_caches_only_name_nothing_relative_and_start_and_connect_nothing(self):
        calls = self.calls()
        opened = list(filter(None, (re.match(r'open(?:at)?\(.*?"(.*?)", (\S+?)(?:,|\)).* = \d', call)
                                    for call in calls)))
        self.assertGreater(len(opened), 10)
        written = {match[1] for match in opened if re.search("O_WRONLY|O_RDWR|O_CREAT", match[2])}
        self.assertEqual({path for path in written if not path.startswith((str(self.cache), "/dev/", "/proc/self/"))},
                         set())
        # Neither what is opened nor what is looked for: it might lie in the working directory one day.
        names = {match[1] for match in (re.match(r'(?:open|stat|access|readlink)\w*\((?:AT_FDCWD, )?"(.*?)"', call)
                                        for call in calls) if match}
        self.assertEqual({name for name in names if name and not name.startswith("/")}, set())
        self.assertEqual([call for call in calls if call.startswith("execve")][1:], [])
        self.assertEqual([call for call in calls if re.match(r"socket\(AF_INET|connect\(.*AF_INET", call)], [])


@unittest.skipUnless(MODULES and importlib.util.find_spec("numpy"), "the Python package or numpy is missing")
class Python(HostileFolder):
    def test_nothing_in_the_working_directory_is_touched(self):
        script = self.scratch / "script.py"
        script.write_text(SCRIPT, encoding="ascii")
        self.assertEqual(self.touched([sys.executable, str(script)], PYTHONPATH=MODULES, PYTHONDONTWRITEBYTECODE="1"),
                         set())
        self.assertEqual({path for path in self.kept() if not is_cached(path)}, set())


unittest.main(argv=sys.argv[:1], verbosity=2)
