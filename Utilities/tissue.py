# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tissues of a procedural volume: unions of shapes with smooth joints and boundaries.

A shape is a signed distance function, negative inside. Distances and coordinates are in samples; the origin is the
centre of the volume. Each shape is evaluated inside its bounding box only.
"""
import math

import numpy

SIZE = 256  # samples of the volume along each axis
FAR = 1e3  # distance outside all bounding boxes
RAMP = 2.0  # half the width of a boundary, in samples
MARGIN = 10  # of bounding boxes, in samples; larger than any joint or ramp


class Tissue:
    """A union of shapes with rounded joints."""

    def __init__(self):
        self.distance = numpy.full((SIZE, SIZE, SIZE), FAR, numpy.float32)

    def add(self, shape, joint=6.0):
        box, points = shape.inside()
        self.distance[box] = smooth_minimum(self.distance[box], shape.distance(points), joint)

    def add_path(self, points, radii, joint=6.0):
        self.add(Path(points, radii), joint)

    def replace(self, values, value):
        """Sets `values` to `value` inside, blended by one half on the boundary."""
        t = numpy.clip(0.5 - self.distance / (2 * RAMP), 0, 1)
        values += (value - values) * t * t * (3 - 2 * t)


class Shape:
    """A shape with a distance function and a bounding box (low corner, high corner)."""

    def inside(self):
        """The indices of the samples in the bounding box, and their coordinates along each axis for broadcasting."""
        low, high = self.bounds()
        first = [max(0, math.floor(a - MARGIN + SIZE / 2)) for a in low]
        last = [min(SIZE, math.ceil(b + MARGIN + SIZE / 2)) for b in high]
        x, y, z = (numpy.arange(a, b, dtype=numpy.float32) - (SIZE - 1) / 2 for a, b in zip(first, last))
        box = tuple(slice(a, b) for a, b in zip(reversed(first), reversed(last)))
        return box, (x[None, None, :], y[None, :, None], z[:, None, None])


class Ellipsoid(Shape):
    def __init__(self, center, radii):
        self.center, self.radii = center, radii

    def bounds(self):
        return ([c - r for c, r in zip(self.center, self.radii)], [c + r for c, r in zip(self.center, self.radii)])

    def distance(self, points):
        scaled = [(p - c) / r for p, c, r in zip(points, self.center, self.radii)]
        length = numpy.sqrt(sum(s * s for s in scaled))
        slope = numpy.sqrt(sum((s / r) ** 2 for s, r in zip(scaled, self.radii)))
        return length * (length - 1) / numpy.maximum(slope, 1e-6)


class Rod(Shape):
    """A rod between two points with a radius that changes linearly."""

    def __init__(self, start, end, radius, end_radius=None):
        self.start, self.end = start, end
        self.radius, self.end_radius = radius, radius if end_radius is None else end_radius

    def bounds(self):
        largest = max(self.radius, self.end_radius)
        return ([min(a, b) - largest for a, b in zip(self.start, self.end)],
                [max(a, b) + largest for a, b in zip(self.start, self.end)])

    def distance(self, points):
        axis = [b - a for a, b in zip(self.start, self.end)]
        offset = [p - a for p, a in zip(points, self.start)]
        along = numpy.clip(sum(o * d for o, d in zip(offset, axis)) / sum(d * d for d in axis), 0, 1)
        away = numpy.sqrt(sum((o - along * d) ** 2 for o, d in zip(offset, axis)))
        return away - (self.radius + along * (self.end_radius - self.radius))


class Path(Shape):
    """A smooth curve through points (Catmull-Rom spline), with a radius at each point."""

    STEPS = 5  # straight rods between two points

    def __init__(self, points, radii):
        nodes = list(self.curve(numpy.column_stack([numpy.array(points, float), radii])))
        self.rods = [Rod(a[:3], b[:3], a[3], b[3]) for a, b in zip(nodes[:-1], nodes[1:])]

    def curve(self, nodes):
        nodes = numpy.vstack([2 * nodes[0] - nodes[1], nodes, 2 * nodes[-1] - nodes[-2]])
        for a, b, c, d in zip(nodes[:-3], nodes[1:-2], nodes[2:-1], nodes[3:]):
            for t in numpy.arange(self.STEPS) / self.STEPS:
                yield b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
        yield nodes[-2]

    def bounds(self):
        lows, highs = zip(*(rod.bounds() for rod in self.rods))
        return numpy.min(lows, axis=0), numpy.max(highs, axis=0)

    def distance(self, points):
        axes = [p.ravel() for p in points]
        nearest = numpy.full([len(axis) for axis in reversed(axes)], FAR, numpy.float32)
        for rod in self.rods:
            x, y, z = (slice(*numpy.searchsorted(axis, (low - MARGIN, high + MARGIN)))
                       for axis, low, high in zip(axes, *rod.bounds()))
            part = (points[0][:, :, x], points[1][:, y], points[2][z])
            nearest[z, y, x] = numpy.minimum(nearest[z, y, x], rod.distance(part))
        return nearest


def smooth_minimum(a, b, width):
    closeness = numpy.maximum(width - numpy.abs(a - b), 0) / width
    return numpy.minimum(a, b) - closeness * closeness * width / 4
