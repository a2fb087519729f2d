# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces as numpy arrays, and the comparison of the pieces of several ranks with the surface of one process."""
import unittest

import numpy
import plugin_test

# Ranks compute from the same origin in double, and points are float: 2 ulp of the largest coordinate, 18.
TOLERANCE = 2.0**-18


def arrays_of(mesh):
    """points [point, axis], triangles [triangle, corner] and, where the mesh has them, normals [point, axis]."""
    arrays = {"points": numpy.empty((0, 3)), "triangles": numpy.empty((0, 3), int)}
    if mesh.GetNumberOfPolys() > 0:
        arrays["points"] = plugin_test.vtk_to_numpy(mesh.GetPoints().GetData())
        arrays["triangles"] = plugin_test.vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        normals = plugin_test.point_array(mesh, "Normals")
        if normals is not None:
            arrays["normals"] = normals
    return arrays


def union_of(pieces):
    offsets = numpy.cumsum([0] + [len(piece["points"]) for piece in pieces])
    arrays = {"points": numpy.concatenate([piece["points"] for piece in pieces]),
              "triangles": numpy.concatenate([piece["triangles"] + at for piece, at in zip(pieces, offsets)])}
    if all("normals" in piece for piece in pieces if len(piece["points"]) > 0):
        arrays["normals"] = numpy.concatenate([piece["normals"] for piece in pieces if len(piece["points"]) > 0])
    return arrays


class Surface:
    """A surface whose triangles refer to the coincident points of the serial surface."""

    def __init__(self, arrays, serial=None):
        self.points = arrays["points"]
        self.normals = arrays.get("normals")
        self.serial = serial or self
        are_close = numpy.ones((len(self.points), len(self.serial.points)), bool)
        for one, other in zip(self.points.T, self.serial.points.T):
            are_close &= abs(one[:, None] - other) <= TOLERANCE
        self.counterpart = are_close.argmax(axis=1)  # the first of coincident points
        self.has_counterparts = are_close.any(axis=1).all()
        self.triangles = self.counterpart[arrays["triangles"]]

    def sorted_triangles(self):
        """The triangles in a canonical order. Each starts at its smallest point id and keeps its orientation."""
        first = self.triangles.argmin(axis=1)[:, None]
        turned = numpy.take_along_axis(self.triangles, (first + numpy.arange(3)) % 3, axis=1)
        return turned[numpy.lexsort(turned.T)]

    def edge_uses(self):
        """The number of triangles at each edge, keyed by the edge's ends."""
        edges = numpy.sort(numpy.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]],
                                              self.triangles[:, [2, 0]]]), axis=1)
        keys, uses = numpy.unique(edges, axis=0, return_counts=True)
        return {tuple(key): use for key, use in zip(keys.tolist(), uses.tolist())}

    def largest_difference_of_normals(self):
        return abs(self.normals - self.serial.normals[self.counterpart]).max(initial=0)


class SurfaceTest(unittest.TestCase):
    def assert_union_is_serial(self, arrays, serial, case):
        """arrays: those of the union. serial: a Surface. case: of rank_sources."""
        union = Surface(arrays, serial)
        self.assertTrue(union.has_counterparts)
        numpy.testing.assert_array_equal(union.sorted_triangles(), serial.sorted_triangles())
        if "Close" in case:  # caps meet at the domain's edges, where points of different normals coincide
            return
        self.assertLessEqual(max(union.edge_uses().values()), 2)
        self.assertEqual(union.edge_uses(), serial.edge_uses())
        if serial.normals is not None:
            # The samples are the same, but fractions along the edge may differ by float rounding.
            self.assertLess(union.largest_difference_of_normals(), 1e-5)
