# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The tests of the core, for mutation tests: in which order they are run, and which of them fails first."""
import functools
import json
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
ENVIRONMENT = {"VMC_VALIDATION": "1", "VMC_DEVICE": os.environ.get("VMC_DEVICE", "0"), "VMC_PIPELINE_CACHE": "0",
               "VMC_LEVEL_SEEDS": "64"}
# The sources of tests of whole extractions, counts, pictures and measures: the second stage.
GENERAL = ("Boundary", "CastRays", "Coordinates", "Engines", "ExtractLevels", "ExtractOnCpu", "Extraction", "Ghosts",
           "Histograms", "LevelKernels", "MarchingCubes", "Measures", "Regions", "SurfaceLists", "SurfacesOnDevice")
HANG = 60, 20  # seconds, and times as long as without a mutant: after the longer one of both, a test counts as hanging
MOST_MEMORY = 8 << 30  # bytes of address space: a mutant may ask for any size


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def lines_of(process, seconds):
    """Yields the lines of the output. seconds(): the longest time without a line; after it, ends the process."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line.rstrip())
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=seconds())
        except queue.Empty:
            return
        if line is None:
            return
        yield line


def run(program, selected, times):
    """Yields (test, passed, seconds) of each test that ends, until one fails, hangs or ends the program."""
    current = None
    with subprocess.Popen([program, f"--gtest_filter={':'.join(selected)}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", start_new_session=True,
                          preexec_fn=limit_memory, cwd=program.parent) as process:
        try:
            for line in lines_of(process, lambda: max(HANG[0], HANG[1] * times.get(current, 0))):
                if line.startswith("[ RUN      ] "):
                    current = line[13:]
                elif match := re.match(r"\[ +(OK|SKIPPED|FAILED) +\] ([^ ,]+).* \((\d+) ms\)$", line):
                    yield match[2], match[1] != "FAILED", int(match[3]) / 1000
                    current = None
            if current or process.poll() != 0 and process.wait(HANG[0]) != 0:
                yield current or "the end of the program", False, 0.0
        except subprocess.TimeoutExpired:
            yield "the end of the program", False, 0.0
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def listed(program):
    """Returns the names of all tests, by suite."""
    text = subprocess.run([program, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found, suite = {}, None
    for line in re.sub(" +#.*", "", text).splitlines():
        if line.startswith("  "):
            found[suite].append(suite + line.strip())
        elif line.endswith("."):
            suite = line
            found[suite] = []
    return found


def known_tests(program, digest):
    """Returns {test: (passed, seconds)} of the program without a mutant. They are kept beside it for later calls."""
    kept = pathlib.Path(f"{program}.json")
    if kept.exists():
        found = json.loads(kept.read_text(encoding="utf-8"))
        if found["digest"] == digest:
            return found["tests"]
    tests = {}
    left = list(sum(listed(program).values(), []))
    while left:  # a test that ends the program does not keep the others from running
        for test, passed, seconds in run(program, left, {}):
            tests[test] = (passed, seconds)
        if not set(left) & set(tests):
            raise RuntimeError(f"{program} runs no test.")
        left = [test for test in left if test not in tests]
    kept.write_text(json.dumps({"digest": digest, "tests": tests}), encoding="utf-8")
    return tests


def first_failure(program, selected):
    """Returns the test that fails first, or None. selected: {test: seconds without a mutant}."""
    for test, passed, _ in run(program, list(selected), selected):
        if not passed:
            return test
    return None


@functools.lru_cache(maxsize=None)
def sources(tree):
    """Returns (name, text) of each source of tests, and the suites in it: {suite: (name, text)}."""
    found = {}
    for folder in ("Unit", "Kernel"):
        for path in sorted((tree / "Testing" / folder).glob("Test*.cxx")):
            text = path.read_text(encoding="utf-8")
            for suite in re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),", text, re.MULTILINE):
                found.setdefault(suite, (path.stem[4:], text))
    return found


@functools.lru_cache(maxsize=None)
def names_for(path, tree):
    """Returns the names by which tests know a file: its own, and those of the kernels that include it."""
    names = {pathlib.Path(path).stem}
    if path.startswith("Shaders/"):
        files = {file.relative_to(tree / "Shaders").as_posix(): file.read_text(encoding="utf-8")
                 for file in (tree / "Shaders").rglob("*") if file.suffix in (".comp", ".glsl", ".h")}
        reached, before = {path[len("Shaders/"):]}, set()
        while reached != before:
            before = set(reached)
            reached |= {file for file, text in files.items() if any(f'#include "{one}"' in text for one in before)}
        names |= {pathlib.Path(file).stem for file in reached if file.endswith(".comp")}
    return frozenset(names)


def stage_of(test, path, tree):
    """Returns the stage of a test for a mutant in this file: 0: it is about this file; 1: it is general; 2: any other."""
    known = sources(tree)
    name, text = next((known[part] for part in test.split(".")[0].split("/") if part in known), ("", ""))
    names = names_for(path, tree)
    if name in names or len(names) == 1 and re.search(rf"\b{re.escape(next(iter(names)))}\b", text):
        return 0
    return 1 if name in GENERAL else 2


def of_stage(stage, path, tests, tree):
    """Returns {test: seconds} of the tests of a stage that pass without a mutant."""
    return {test: seconds for test, (passed, seconds) in tests.items()
            if passed and stage_of(test, path, tree) == stage}
