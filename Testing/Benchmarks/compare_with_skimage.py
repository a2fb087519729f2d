#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times of marching_cubes of vulkanmarchingcubes and of skimage.measure, with the same arguments.

usage: compare_with_skimage.py [--device NAME] [--runs N] VOLUME LEVEL [VOLUME LEVEL ...]

VOLUME is a raw file whose name ends with size and type, such as bonsai_256x256x256_uint8.raw, or "noise": 128^3 random
floats in [0, 1). PYTHONPATH must name the folder of the package. Both run alternately in one process. Prints medians in
ms by the host's clock, and in parentheses how many times as long skimage takes:
  call: marching_cubes;  held: another surface of a Volume;  first: the first call of a process, in N processes.
Then in microseconds, for 16^3 floats, what marching_cubes takes beyond the compiled part of the package, and in ms the
import of marching_cubes after that of numpy.
"""
import argparse
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

import numpy as np
import skimage


def volume_of(name):
    if name == "noise":
        return np.random.default_rng(1).random((128, 128, 128), "f4")
    *size, kind = re.search(r"_(\d+)x(\d+)x(\d+)_(\w+)\.raw$", name).groups()
    return np.fromfile(name, kind).reshape([int(count) for count in reversed(size)])


def medians_in_turns(runs, *actions):
    """Returns the median of each action in ms. The first run, which touches memory, is not counted."""
    times = [[] for _ in actions]
    for _ in range(runs + 1):
        for action, taken in zip(actions, times):
            start = time.perf_counter()
            action()
            taken.append(1000 * (time.perf_counter() - start))
    return [statistics.median(taken[1:]) for taken in times]


def first_call(name, level, device):
    """Prints the time of the first call of this process."""
    from vulkanmarchingcubes import marching_cubes
    volume = volume_of(name)
    start = time.perf_counter()
    marching_cubes(volume, level, device=device)
    print(1000 * (time.perf_counter() - start))


def in_processes(runs, *arguments):
    """Returns the median of what so many Python processes print."""
    return statistics.median(float(subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.PIPE).stdout)
                             for _ in range(runs))


def compare(name, level, device, runs):
    from skimage.measure import marching_cubes as skimage_marching_cubes
    from vulkanmarchingcubes import Volume, marching_cubes
    array = volume_of(name)
    volume = Volume(array, device=device)
    if len(volume.surface(level).vertices) > len(skimage_marching_cubes(array, level)[0]):
        sys.exit("compare_with_skimage.py: skimage has fewer vertices, though it has the same and some within cells")
    theirs, call, held = medians_in_turns(runs, lambda: skimage_marching_cubes(array, level),
                                          lambda: marching_cubes(array, level, device=device),
                                          lambda: volume.surface(level))
    first = in_processes(runs, __file__, "--first", f"--device={device}", name, str(level))
    print(f"{pathlib.Path(name).stem} {level:g}: skimage {theirs:.0f}", *(
        f"{label} {time:.1f} ({theirs / time:.1f})" for label, time in (("call", call), ("held", held), ("first", first))),
        sep=", ", flush=True)


def small_costs(runs):
    from vulkanmarchingcubes import _core, marching_cubes
    array = np.arange(16.0**3).reshape(16, 16, 16)  # whose surface is a plane
    options = _core.Options([2048.0], True, False, False, False, 0, _core.Choice(_core.Keep.all, 1, 0, (0, 0, 0)))
    arguments = array, None, (0, 0, 0), [(0, 0, 1), (0, 1, 0), (1, 0, 0)], False, "CPU"
    whole, core = medians_in_turns(2000, lambda: marching_cubes(array, 2048, device="CPU"),
                                   lambda: _core.Volume(*arguments).surface(options))
    imported = in_processes(runs, "-c", "import numpy, time; start = time.perf_counter(); from vulkanmarchingcubes import "
                            "marching_cubes; print(1000 * (time.perf_counter() - start))")
    print(f"16^3: {1000 * whole:.0f} us, {1000 * (whole - core):.0f} us of them not in the compiled part; "
          f"import {imported:.1f} ms")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--device", default="CPU")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--first", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("cases", nargs="+")
    options = parser.parse_args()
    if len(options.cases) % 2 != 0:
        parser.error("each VOLUME needs a LEVEL")
    cases = [(name, float(level)) for name, level in zip(options.cases[::2], options.cases[1::2])]
    if not options.first:
        print(f"{options.device}, {os.cpu_count()} processors, Python {platform.python_version()}, numpy {np.__version__}, "
              f"skimage {skimage.__version__}; medians of {options.runs} runs")
    for name, level in cases:
        if options.first:
            first_call(name, level, options.device)
        else:
            compare(name, level, options.device, options.runs)
    if not options.first:
        small_costs(options.runs)


if __name__ == "__main__":
    main()
