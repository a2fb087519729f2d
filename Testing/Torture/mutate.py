#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Mutation tests: changes one piece of a kernel or of the core at a time, and runs the tests until one fails.

usage: mutate.py BUILD [--mutants=N] [--seed=S] [--only=GLOB ...] [--stages=N] [--list]

BUILD is a folder for a copy of the project and for the build of its core; both are made at the first call and used
again by later ones. The project itself is never changed. The output is a table in Markdown: where each mutant is, what
it is, and which test has killed it. A mutant that does not compile, whose programs have the same bytes as without it,
or that equivalent-mutants.txt lists, does not count. The exit status is 1 if a mutant has survived.
"""
import argparse
import filecmp
import fnmatch
import hashlib
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent / "Lint")]

import lint  # noqa: E402
import mutations  # noqa: E402
import suites  # noqa: E402

OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", "-DVMC_BUILD_PLUGIN=OFF", "-DVMC_BUILD_PYTHON=OFF")
EQUIVALENT = HERE / "equivalent-mutants.txt"


class Copy:
    """A copy of the project, and the build of its core."""

    def __init__(self, folder):
        self.tree = folder / "tree"
        self.build = self.tree / "build" / "core"
        self.paths = [path.relative_to(PROJECT).as_posix() for path in lint.files_of(PROJECT)]

    def update(self):
        """Copies the files that differ, among them one that an earlier call has left mutated."""
        for path in self.paths:
            to = self.tree / path
            if not to.exists() or not filecmp.cmp(PROJECT / path, to, shallow=False):
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(PROJECT / path, to)
        known = set(self.paths)
        for path in [] if not self.build.exists() else lint.files_of(self.tree):
            if path.relative_to(self.tree).as_posix() not in known:
                path.unlink()

    def configure(self):
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *OPTIONS], check=True,
                           stdout=sys.stderr)

    def write(self, path, text):
        (self.tree / path).write_text(text, encoding="utf-8")

    def compile(self, program):
        """Builds a test program. Returns whether this was possible."""
        run = subprocess.run(["cmake", "--build", self.build, "--target", program], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True)
        return run.returncode == 0

    def program(self, name):
        return self.build / "bin" / name

    def digest(self, name):
        return hashlib.sha256(self.program(name).read_bytes()).hexdigest()


class Baseline:
    """The programs without a mutant."""

    def __init__(self, copy):
        self.digests, self.tests = {}, {}
        for name in suites.PROGRAMS:
            if not copy.compile(name):
                sys.exit(f"{name} does not compile without a mutant.")
            self.digests[name] = copy.digest(name)
            sound = copy.program(name).with_suffix(".sound")
            shutil.copy2(copy.program(name), sound)
            self.tests[name] = suites.Tests(sound)


def equivalents():
    """Returns the mutants that the list names: (file, line, mutated line)."""
    text = re.sub(r"^#.*\n", "", EQUIVALENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = set()
    for entry in filter(None, (part.strip() for part in text.split("\n\n"))):
        fields = dict(line.split(": ", 1) for line in entry.splitlines())
        assert set(fields) == {"file", "line", "mutant", "reason"}, entry
        found.add((fields["file"], fields["line"], fields["mutant"]))
    return found


def is_selected(mutation, globs):
    return any(fnmatch.fnmatchcase(place, glob) for glob in globs
               for place in (mutation.path, f"{mutation.path}:{mutation.line}"))


def chosen(copy, options):
    """Yields mutations at random, in turn of the kernels and of the core."""
    generator = random.Random(options.seed)
    groups = {True: [], False: []}
    for path in filter(mutations.is_mutated, copy.paths):
        found = mutations.mutations_of(path, (PROJECT / path).read_text(encoding="utf-8"))
        groups[mutations.is_kernel(path)] += [mutation for mutation in found if is_selected(mutation, options.only)]
    for group in groups.values():
        generator.shuffle(group)
    for pair in itertools.zip_longest(*groups.values()):
        yield from filter(None, pair)


def verdict(copy, baseline, mutation, stages):
    """Returns ("killed" | "survived" | a reason not to count it, test) of the mutant that is written in the copy."""
    if not all(copy.compile(name) for name in suites.PROGRAMS):
        return "does not compile", ""
    if all(copy.digest(name) == baseline.digests[name] for name in suites.PROGRAMS):
        return "same program", ""
    for stage in range(stages):
        for name, tests in baseline.tests.items():
            killer = tests.first_failure(copy.program(name), tests.of_stage(stage, mutation.path, copy.tree))
            if killer:
                return "killed", killer
    return "survived", ""


def cell(text):
    """Returns code for a cell of a table."""
    escaped = text.replace("|", "\\|")
    return f"`{escaped}`"


def row(mutation, result, killer, seconds):
    change = f"{cell(mutation.old)} → {cell(mutation.new)}" if mutation.new else f"without {cell(mutation.old)}"
    end = {"killed": f"{killer}, {seconds:.0f} s", "survived": f"SURVIVED, {seconds:.0f} s"}.get(result, f"({result})")
    return f"| {mutation.path}:{mutation.line} | {cell(mutation.text)}: {change} | {end} |"


def try_one(copy, baseline, mutation, stages):
    """Returns the result, the test that has failed, and the seconds. The file of the copy is as it was afterwards."""
    text = (copy.tree / mutation.path).read_text(encoding="utf-8")
    begin = time.monotonic()
    try:
        copy.write(mutation.path, mutation.apply(text))
        result, killer = verdict(copy, baseline, mutation, stages)
        return result, killer, time.monotonic() - begin
    finally:
        copy.write(mutation.path, text)


def run(copy, options):
    """Tries the mutants and prints the table. Returns the number of survivors."""
    copy.update()
    copy.configure()
    baseline = Baseline(copy)
    known = equivalents()
    counts = {"killed": 0, "survived": 0}
    print("| mutant | mutation | killed by |\n| --- | --- | --- |", flush=True)
    for mutation in chosen(copy, options):
        if sum(counts.values()) >= options.mutants:
            break
        if (mutation.path, mutation.text, mutation.mutated) in known:
            result, killer, seconds = "equivalent", "", 0
        else:
            result, killer, seconds = try_one(copy, baseline, mutation, options.stages)
        print(row(mutation, result, killer, seconds), flush=True)
        if result in counts:
            counts[result] += 1
    total = sum(counts.values())
    print(f"\n{counts['killed']} of {total} mutants are killed"
          + (f" ({100 * counts['killed'] / total:.0f} %)." if total else "."))
    return counts["survived"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--mutants", type=int, default=20, help="the number of mutants that count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", metavar="GLOB",
                        help="files, from the folder of the project, or FILE:LINE; several are allowed")
    parser.add_argument("--stages", type=int, default=suites.STAGES, choices=range(1, suites.STAGES + 1),
                        help="1: the tests of the mutated file; 2: and of its room; 3: and whole extractions; 4: all")
    parser.add_argument("--list", action="store_true", help="lists the mutants; builds and runs nothing")
    options = parser.parse_args()
    options.only = options.only or ["*"]
    return options


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the tests, too
    os.environ.update(suites.ENVIRONMENT)
    copy = Copy(options.build.resolve())
    if options.list:
        for mutation in itertools.islice(chosen(copy, options), options.mutants):
            print(f"{mutation.path}:{mutation.line}: {mutation.text}\n    {mutation.mutated or '(nothing)'}")
        return 0
    return 1 if run(copy, options) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
