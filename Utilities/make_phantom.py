#!/usr/bin/env pvpython
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a procedural volume that looks like a CT scan of a chest: phantom_256x256x256_uint8.raw.

usage: pvpython make_phantom.py FOLDER

Outer air is 0, lungs 20, soft tissue 70, blood with contrast agent 170, bone 200. Every boundary is a smooth ramp a few
samples wide, as the partial volume effect of a scanner produces it. An isovalue of 40 shows skin and lungs, 120 bones,
heart and vessels. Every run writes the same bytes.

Coordinates are samples from the centre of the volume: x to the body's left, y up, z to the front.
"""
import math
import os
import random
import sys

import numpy

from tissue import SIZE, Ellipsoid, Rod, Tissue

LUNG = ((44, 8, -4), (34, 84, 44))  # centre and radii of the left lung; the right lung is its mirror image


def half_width(y):
    """Half the width of the rib cage, which is a barrel. The spine is at its back."""
    return 92 * math.sqrt(max(0.05, 1 - ((y + 30) / 155) ** 2))


def half_depth(y):
    return 0.66 * half_width(y)


def back(y):
    return -56 - 8 * math.cos(y / 60)


def front(y):
    return back(y) + 2 * half_depth(y)


def on_cage(y, angle, side):
    """A point of the barrel; angle 0 is the spine, pi the breastbone."""
    return (side * half_width(y) * math.sin(angle), y, back(y) + half_depth(y) * (1 - math.cos(angle)))


def skin():
    tissue = Tissue()
    tissue.add(Ellipsoid((0, -40, 0), (116, 260, 86)))
    return tissue


def lungs():
    tissue = Tissue()
    for side in (-1, 1):
        (x, y, z), radii = LUNG
        tissue.add(Ellipsoid((side * x, y, z), radii))
    return tissue


def blood():
    tissue = Tissue()
    tissue.add(Ellipsoid((12, 4, 14), (30, 32, 26)))
    tissue.add(Ellipsoid((26, -14, 24), (24, 26, 20)), 12)
    tissue.add(Ellipsoid((-8, 16, 8), (20, 24, 20)), 10)
    tissue.add_path([(2, 26, 12), (-2, 54, 10), (4, 70, 0), (12, 72, -14), (15, 60, -30), (14, 10, -36), (10, -60, -38),
                     (6, -140, -34)], [10, 10, 9.5, 9, 8.5, 8, 8, 7.5])
    for start, end in (((0, 68, 4), (-26, 128, -6)), ((6, 70, -6), (12, 128, -10)), ((12, 70, -14), (32, 128, -16))):
        tissue.add_path([start, end], [5, 4])
    chance = random.Random(1)
    for side in (-1, 1):
        tissue.add_path([(side * 4, 34, 4), (side * 24, 28, -6)], [9, 7])
        for direction in ((0.6, 0.8, 0.1), (0.9, 0.3, 0.4), (0.9, 0.0, -0.5), (0.6, -0.8, 0.3), (0.5, -0.8, -0.4)):
            branch(tissue, chance, (side * 24, 28, -6), (side * direction[0], *direction[1:]), 4.6)
    return tissue


def branch(tissue, chance, start, direction, radius):
    """A vessel of the lung that branches in two until it is thin."""
    if radius < 1.1:
        return
    for _ in range(8):  # attempts to stay in the lung
        turned = [d + chance.uniform(-0.7, 0.7) for d in direction]
        length = radius * chance.uniform(4.5, 6.5) / math.sqrt(sum(d * d for d in turned))
        end = [a + length * d for a, d in zip(start, turned)]
        if in_lung(end):
            tissue.add(Rod(start, end, radius, 0.8 * radius), 2)
            for _ in range(2):
                branch(tissue, chance, end, turned, 0.8 * radius)
            return


def in_lung(point):
    return sum(((abs(p) - c if i == 0 else p - c) / r) ** 2
               for i, (p, c, r) in enumerate(zip(point, *LUNG))) < 1


def bone():
    tissue = Tissue()
    for i in range(14):
        vertebra(tissue, 104 - 17 * i)
    for side in (-1, 1):
        ends = [rib(tissue, i, side) for i in range(12)]
        arch = [ends[6], *ends[7:10]]  # of cartilage
        tissue.add_path(arch, [4, 4, 3.8, 3.5], 4)
        shoulder(tissue, side)
    breastbone(tissue)
    return tissue


def vertebra(tissue, y):
    z = back(y) + 4
    tissue.add(Rod((0, y - 3, z), (0, y + 3, z), 12), 2)
    for side in (-1, 1):
        tissue.add_path([(side * 6, y, z - 10), (side * 22, y + 4, z - 14)], [4.5, 4], 4)
    tissue.add(Rod((0, y, z - 12), (0, y - 14, z - 30), 5, 3.5), 4)


def rib(tissue, i, side):
    """Rib i, from the spine around and down. Ribs 0 to 6 reach the breastbone. Returns the end of the rib."""
    top, drop = 104 - 17 * i, 24 + 4 * i
    end = math.radians(150 if i < 7 else 142 - 12 * (i - 7))
    angles = [0.12 + (end - 0.12) * t / 8 for t in range(9)]
    points = [on_cage(top - drop * (1 - math.cos(a)) / 2, a, side) for a in angles]
    if i < 7:
        y = 78 - 15.5 * i
        points.append((side * 7, y, front(y) - 1))
    tissue.add_path(points, [4.6 - 0.1 * t for t in range(len(points))], 4)
    return points[-1]


def breastbone(tissue):
    heights = [86, 70, 50, 20, -10, -22]
    for side in (-1, 1):
        tissue.add_path([(side * x, y, front(y)) for x, y in zip((12, 6, 5, 7, 7, 3), heights)], [6, 5, 5, 5, 5, 4], 8)
    tissue.add_path([(0, -22, front(-22)), (0, -40, front(-40) - 2)], [4, 2.5], 4)


def shoulder(tissue, side):
    tissue.add_path([(side * 13, 90, front(84)), (side * 40, 98, front(84) + 2), (side * 74, 104, -6),
                     (side * 98, 104, -24)], [6, 4.5, 4.5, 5.5])
    for t in range(9):  # the blade
        tissue.add(Rod((side * (42 + 1.6 * t), 86 - 9 * t, -70 - 0.8 * t), (side * 90, 84, -42), 2.6, 4.5), 5)
    tissue.add_path([(side * 44, 76, -74), (side * 72, 92, -74), (side * 102, 102, -34)], [3.5, 4.5, 6])
    tissue.add(Ellipsoid((side * 101, 84, -36), (11, 13, 12)), 2)
    tissue.add_path([(side * 104, 84, -36), (side * 113, 104, -40), (side * 119, 140, -44)], [9, 6.5, 6])


def phantom():
    """uint8 samples [z][y][x]."""
    values = numpy.zeros((SIZE, SIZE, SIZE), numpy.float32)
    for make, value in ((skin, 70), (lungs, 20), (blood, 170), (bone, 200)):
        make().replace(values, value)
    return numpy.rint(values).astype(numpy.uint8)


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        sys.stderr.write("make_phantom.py: one argument is needed, an existing folder to write to\n")
        return 2
    path = os.path.join(arguments[0], f"phantom_{SIZE}x{SIZE}x{SIZE}_uint8.raw")
    phantom().tofile(path + ".partial")
    os.replace(path + ".partial", path)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
