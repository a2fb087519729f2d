# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Several ranks: the union of their surfaces is the surface of one process.

usage: pvpython TestRanks.py MPIEXEC PVBATCH PVSERVER
"""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy
import plugin_test
import rank_sources
from paraview import simple
from server import Server, environment_of_ranks

MPIEXEC, PVBATCH, PVSERVER = sys.argv[1:]


def on_ranks(ranks, *command):
    return [MPIEXEC, "--oversubscribe", "-n", str(ranks), *command]


class Surface:
    """A surface whose triangles refer to the coincident points of the serial surface."""

    # Ranks compute from the same origin in double, and points are float: 1 ulp of the largest coordinate, 18.
    TOLERANCE = 2.0**-19

    def __init__(self, arrays, serial=None):
        self.points = arrays["points"].astype(float)
        self.normals = arrays.get("normals")
        self.serial = serial or self
        distances = abs(self.points[:, None, :] - self.serial.points[None, :, :]).max(axis=2)
        self.counterpart = (distances <= 2 * self.TOLERANCE).argmax(axis=1)  # the first of coincident points
        self.distance = distances[numpy.arange(len(distances)), self.counterpart].max(initial=0)
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


def union_of(pieces):
    arrays = {"points": numpy.concatenate([piece["points"] for piece in pieces])}
    offsets = numpy.cumsum([0] + [len(piece["points"]) for piece in pieces])
    arrays["triangles"] = numpy.concatenate([piece["triangles"] + offset for piece, offset in zip(pieces, offsets)])
    if all("normals" in piece for piece in pieces if len(piece["points"]) > 0):
        arrays["normals"] = numpy.concatenate([piece["normals"] for piece in pieces if len(piece["points"]) > 0])
    return arrays


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        rank_sources.write_sources(cls.folder.name)
        cls.serial = {case: Surface(rank_sources.arrays_of(cls.fetched(case))) for case in rank_sources.CASES}
        cls.devices = plugin_test.device_names()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def fetched(cls, case):
        return plugin_test.surface(rank_sources.contour_of(cls.folder.name, case))

    def assert_union_is_serial(self, arrays, case):
        serial, union = self.serial[case], Surface(arrays, self.serial[case])
        self.assertLessEqual(union.distance, 2 * Surface.TOLERANCE)
        numpy.testing.assert_array_equal(union.sorted_triangles(), serial.sorted_triangles())
        if "Close" not in case:  # caps meet at the domain's edges, where points of different normals coincide
            self.assertLessEqual(max(union.edge_uses().values()), 2)
            self.assertEqual(union.edge_uses(), serial.edge_uses())
        if case.endswith("1") and "Close" not in case:
            # The samples are the same, but fractions along the edge may differ by float rounding.
            self.assertLess(union.largest_difference_of_normals(), 1e-5)

    def test_the_serial_surface_is_that_of_flying_edges(self):
        expected = plugin_test.flying_edges(plugin_test.density(), rank_sources.ISOVALUE)
        for case in rank_sources.CASES:
            if "Open" in case:
                serial = self.serial[case]
                self.assertEqual((len(serial.points), len(serial.triangles)), expected, case)

    def test_the_boundary_modes_differ_in_the_serial_surface(self):
        for source in ("pvti", "raw"):
            triangles = {mode: len(self.serial[f"{source}-{mode}-1"].triangles) for mode in ("Open", "Extend", "Close")}
            print(source, triangles, flush=True)
            self.assertLess(triangles["Open"], triangles["Close"])
            if source == "pvti":  # points lie on the border already
                self.assertLess(triangles["Open"], triangles["Extend"])

    def test_one_rank(self):
        self.check_ranks(1)

    def test_two_ranks(self):
        self.check_ranks(2)

    def test_three_ranks(self):
        self.check_ranks(3)

    def test_four_ranks(self):
        self.check_ranks(4)

    def check_ranks(self, ranks):
        worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contour_ranks.py")
        run = subprocess.run(on_ranks(ranks, PVBATCH, "--sym", worker, self.folder.name), text=True,
                             env=environment_of_ranks(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        self.assertEqual(run.returncode, 0, run.stdout)
        print(run.stdout)  # CTest searches it for messages of the validation layer
        for case in rank_sources.CASES:
            with self.subTest(case=case, ranks=ranks):
                self.check_pieces([self.load(case, rank) for rank in range(ranks)], case)

    def load(self, case, rank):
        path = os.path.join(self.folder.name, f"{case}.{rank}.npz")
        with numpy.load(path) as arrays:
            piece = dict(arrays)
        os.remove(path)
        return piece

    def check_device(self, name):
        self.assertTrue(plugin_test.is_cpu(name) if plugin_test.ON_CPU else name in self.devices, name)

    def check_pieces(self, pieces, case):
        for piece in pieces:
            self.check_device(str(piece["usedDevice"]))
            self.assertEqual(piece["ghostCells"] > 0, len(pieces) > 1)
            self.assertGreater(len(piece["triangles"]), 0)
        self.assertEqual(sum(len(piece["triangles"]) for piece in pieces), len(self.serial[case].triangles))
        self.assert_union_is_serial(union_of(pieces), case)

    def test_a_server_of_two_ranks(self):
        with Server(on_ranks(2, PVSERVER)) as server:
            simple.Connect("localhost", server.port)
            try:
                for case in rank_sources.CASES:
                    with self.subTest(case=case):
                        self.check_on_server(case)
            finally:
                simple.Disconnect()

    def check_on_server(self, case):
        contour = rank_sources.contour_of(self.folder.name, case)
        self.assertIsNone(contour.GetClientSideObject())
        arrays = rank_sources.arrays_of(plugin_test.surface(contour))
        # Two pieces: points on the seam are duplicated.
        self.assertGreater(len(arrays["points"]), len(self.serial[case].points))
        self.assertEqual(contour.GetDataInformation().GetNumberOfCells(), len(self.serial[case].triangles))
        self.assert_union_is_serial(arrays, case)
        contour.UpdatePropertyInformation()
        self.check_device(contour.UsedDevice)


if not os.path.exists(MPIEXEC):
    plugin_test.skip("no mpiexec.")
if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
