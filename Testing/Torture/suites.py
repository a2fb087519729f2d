# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The tests of the core, for mutation tests: in which order they are run, and which of them fails first."""
import functools
import os
import pathlib
import queue
import re
import resource
import signal
import subprocess
import threading

PROGRAMS = ("vmcUnitTests", "vmcKernelTests")
# Each test runs on a Vulkan device with validation, and reads and writes no kernels of the user.
ENVIRONMENT = {"VMC_VALIDATION": "1", "VMC_DEVICE": os.environ.get("VMC_DEVICE", "0"), "VMC_PIPELINE_CACHE": "0"}
# The sources of the tests of a room, and of its kernels.
ROOMS = {
    "Volume": ("BuildBrickRanges", "ContourPlan", "ExtractLevels", "Geometry", "LevelKernels", "VolumeCache"),
    "Contour": ("EmitPoints", "EmitTriangles", "Engines", "ExtractLevels", "LevelKernels", "MarchingCubes"),
    "Measure": ("Measures", "Regions", "DeviceSurface", "SurfacesOnDevice"),
    "Histogram": ("CountLevels", "CountValues", "DomainShares", "HistogramBins", "Histograms", "Suggestions"),
    "Rays": ("BoundRays", "CastRays", "MarkBricks", "Rays"),
    "Cpu": ("Engines", "ExtractLevels", "ExtractOnCpu", "SumVolumes"),
    "Memory": ("HostBlock", "HostImports", "HostMemoryPool", "MemoryLimit", "UploadRing"),
    "Vulkan": ("CommandRecorder", "DeviceChoice", "DeviceFeatures", "KernelBindings", "KernelCache")}
# Those of whole extractions, counts, pictures and measures.
GENERAL = ("Boundary", "CastRays", "Coordinates", "Engines", "ExtractLevels", "ExtractOnCpu", "Extraction", "Ghosts",
           "Histograms", "LevelKernels", "MarchingCubes", "Measures", "Regions", "SurfaceLists", "SurfacesOnDevice")
STAGES = 4  # the tests of the file, of its room, of GENERAL, all others
HANG = 180  # seconds without a line of output after which a test counts as hanging
AT_EXIT = "the end of the program"
MOST_MEMORY = 8 << 30  # bytes of address space: a mutant may ask for any size


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def lines_of(process):
    """Yields the lines of the output, until it ends or none comes for too long."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (line := lines.get(timeout=HANG)) is not None:
            yield line
    except queue.Empty:
        pass


def run(program, selected):
    """Yields (test, passed) of each test that ends, until one hangs or ends the program."""
    current, has_failed = None, False
    with subprocess.Popen([program, f"--gtest_filter={':'.join(selected)}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", start_new_session=True,
                          preexec_fn=limit_memory, cwd=program.parent) as process:
        try:
            for line in lines_of(process):
                if line.startswith("[ RUN      ] "):
                    current = line[13:]
                elif match := re.match(r"\[ +(OK|SKIPPED|FAILED) +\] ([^ ,]+).* \(\d+ ms\)$", line):
                    yield match[2], match[1] != "FAILED"
                    current, has_failed = None, has_failed or match[1] == "FAILED"
            if current:
                yield current, False
            elif process.wait(HANG) != 0 and not has_failed:
                yield AT_EXIT, False
        except subprocess.TimeoutExpired:
            yield AT_EXIT, False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


class Tests:
    """The tests of a program. sound: the program without a mutant, in which the tests that fail are tried again."""

    def __init__(self, sound):
        self.sound = sound
        text = subprocess.run([sound, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.names, suite = [], None
        for line in re.sub(" +#.*", "", text).splitlines():
            if line.startswith("  "):
                self.names.append(suite + line.strip())
            elif line.endswith("."):
                suite = line
        self.passing, self.failing = {AT_EXIT}, set()  # those that were tried

    def passes_without_mutant(self, test):
        if test not in self.passing | self.failing:
            passed = dict(run(self.sound, [test])).get(test, False)
            (self.passing if passed else self.failing).add(test)
        return test in self.passing

    def first_failure(self, program, selected):
        """Returns the first of these tests that fails because of the mutant in this program, or None."""
        left = [test for test in selected if test not in self.failing]
        while left:
            failed = next((test for test, passed in run(program, left) if not passed), None)
            if failed is None or self.passes_without_mutant(failed):
                return failed
            left = left[left.index(failed) + 1:]
        return None

    def of_stage(self, stage, path, tree):
        return [test for test in self.names if may_see(test, path, tree) and stage_of(test, path, tree) == stage]


@functools.lru_cache(maxsize=None)
def sources(tree):
    """Returns the source of each suite: {suite: (folder, name, text)}."""
    found = {}
    for folder in ("Unit", "Kernel"):
        for path in sorted((tree / "Testing" / folder).glob("Test*.cxx")):
            text = path.read_text(encoding="utf-8")
            for suite in re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),", text, re.MULTILINE):
                found.setdefault(suite, (folder, path.stem[4:], text))
    return found


@functools.lru_cache(maxsize=None)
def users_of(path, tree):
    """Returns the file, and the kernels that include it, as paths without endings."""
    found = {pathlib.PurePath(path).with_suffix("")}
    if path.startswith("Shaders/"):
        files = {file.relative_to(tree / "Shaders").as_posix(): file.read_text(encoding="utf-8")
                 for file in (tree / "Shaders").rglob("*") if file.suffix in (".comp", ".glsl", ".h")}
        reached, before = {path[len("Shaders/"):]}, set()
        while reached != before:
            before = set(reached)
            reached |= {file for file, text in files.items() if any(f'#include "{one}"' in text for one in before)}
        found |= {pathlib.PurePath("Shaders", file).with_suffix("") for file in reached if file.endswith(".comp")}
    return frozenset(found)


def source_of(test, tree):
    """Returns the source of a test of Suite, Instantiation/Suite or Suite/Type."""
    known = sources(tree)
    return next((known[part] for part in reversed(test.split(".")[0].split("/")) if part in known), ("", "", ""))


def may_see(test, path, tree):
    """Returns whether a test can depend on a file: tests of the CPU execute no GLSL."""
    folder, name, _ = source_of(test, tree)
    if not path.endswith((".comp", ".glsl")):
        return True
    return not test.endswith("/Cpu") and (folder != "Unit" or name in ("KernelBindings", "KernelLimits"))


def stage_of(test, path, tree):
    """Returns the number of the stage (see STAGES) in which a test is run for a mutant in this file."""
    _, name, text = source_of(test, tree)
    users = users_of(path, tree)
    if any(name == user.name for user in users) or len(users) == 1 and any(
            re.search(rf"\b{re.escape(user.name)}\b", text) for user in users):
        return 0
    if any(name in ROOMS.get(user.parent.name, ()) for user in users):
        return 1
    return 2 if name in GENERAL else 3
