# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The representation "Vulkan Isosurface" on a pvserver, alone and with two ranks: the pictures are those of one process.

usage: pvpython TestRepresentationOnServer.py MPIEXEC PVSERVER
"""
import math
import os
import sys
import tempfile
import unittest

import numpy
import pictures
import plugin_test
import rank_sources
from paraview import simple
from pictures import covered, differing, picture
from server import Server

MPIEXEC, PVSERVER = sys.argv[1:]
ISOVALUE = 0.3
CENTRE = (8, 1.75, 9)  # of the volume of rank_sources
CLOSED = {"Boundary": "Close", "Isosurfaces": [rank_sources.ISOVALUE], "Opacity": 0.5}  # caps inside would be seen
NESTED = {**CLOSED, "Isosurfaces": [rank_sources.ISOVALUE, 0.5]}  # one colour per isovalue, so the order is seen
RAYS = {"Surface": "Rays"}
CASES = {"cells": {}, "points": {}, "closed cells": CLOSED, "closed points": CLOSED,
         "flat": {"ComputeNormals": 0}, "translucent": {"Opacity": 0.5}, "translucent points": {"Opacity": 0.5},
         "rays": RAYS, "rays of points": RAYS, "rays of closed cells": {**CLOSED, **RAYS, "Opacity": 1},
         "seam of cells": NESTED, "seam of points": NESTED, "seam of cells, points before": NESTED}

# x of the plane where the surfaces of two ranks meet: between two cell centres, and at a point.
SEAM = {"CELLS": 8.25, "POINTS": 7.5}
# x of a camera beside that plane. A box of the ranks that is half a cell (0.25) off puts it on the other side.
CAMERA_X = {"CELLS": SEAM["CELLS"] - 0.2, "POINTS": SEAM["POINTS"] + 0.2}
CAMERA_Y = -6.5
VIEW_ANGLE = 60

# Pixels. Two layers at nearly the same depth, where the surface is seen edge-on, may change their order.
FOLDS = 4


def columns_of_seam(association):
    """The columns of the picture whose rays cross the seam in the volume."""
    scale = math.tan(math.radians(VIEW_ANGLE / 2)) / (pictures.SIZE / 2)
    slope = scale * (numpy.arange(pictures.SIZE) + 0.5 - pictures.SIZE / 2)
    y = CAMERA_Y + (SEAM[association] - CAMERA_X[association]) / slope
    first = rank_sources.ORIGIN[1]
    return (y > first) & (y < first + plugin_test.CELLS[1] * rank_sources.SPACING[1])


def association_of(case):
    return "POINTS" if case.endswith("points") else "CELLS"


def is_by_rays(case):
    return case.startswith("rays")


def show(folder, case):
    """The case in a new view, and its display. Two ranks cut the volume along x. The camera sees their seam, and one rank
    covers a part of the other. In the cases "seam", the camera is close to the plane between them."""
    association = association_of(case)
    source = rank_sources.read_raw(folder) if association == "POINTS" else rank_sources.read_pieces(folder)
    if "before" in case:
        source = simple.CellDatatoPointData(Input=source, PassCellData=1)
    source.UpdatePipeline()
    view = pictures.create_view(CENTRE)
    view.UseFXAA = 0  # it smooths a pixel or not, and a difference by 1 decides
    view.CameraPosition = [CENTRE[0] + 30, CENTRE[1] + 15, CENTRE[2] + 10]
    properties = {"ContourBy": [association, "density"], "Isosurfaces": [ISOVALUE], **CASES[case]}
    display = pictures.show_isosurface(source, view, **properties)
    if "before" in case:
        display.ContourBy = ["POINTS", "density"]
        simple.Render(view)
        display.ContourBy = [association, "density"]
    if "seam" in case:
        view.CameraFocalPoint = [CAMERA_X[association], CENTRE[1], CENTRE[2]]
        view.CameraPosition = [CAMERA_X[association], CAMERA_Y, CENTRE[2]]
        view.CameraViewAngle = VIEW_ANGLE
        simple.ColorBy(display, (association, "density"))
        simple.GetColorTransferFunction("density").RescaleTransferFunction(0, 1)
    return view, display


class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        rank_sources.write_sources(cls.folder.name)
        cls.expected, cls.triangles = {}, {}
        for case in CASES:
            view, display = show(cls.folder.name, case)
            cls.expected[case] = picture(view)
            cls.triangles[case] = display.NumberOfTriangles

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, server, tolerance, pixels):
        """Yields each case with the number of triangles of the server's first rank. At most this number of pixels may
        differ by more than the tolerance."""
        simple.Connect("localhost", server.port)
        try:
            for case, expected in self.expected.items():
                with self.subTest(case=case):
                    view, display = show(self.folder.name, case)
                    shown = picture(view)
                    print(case, "pixels:", covered(expected), "that differ:", differing(shown, expected, 0), "by more:",
                          differing(shown, expected, tolerance), display.DrawnBy, flush=True)
                    self.assertGreater(covered(expected), 5000)
                    if "seam" in case:
                        self.check_seam(shown, expected, association_of(case), tolerance)
                    self.assertLessEqual(differing(shown, expected, tolerance), pixels)
                    self.assertTrue(display.DrawnBy)
                    self.assertNotIn("outline", display.DrawnBy)
                    self.assertEqual(display.DrawnBy.startswith("rays"), is_by_rays(case))
                    self.assertIn(display.UsedDevice, list(display.DeviceNames))
                    self.assertGreater(display.TotalTime, 0)
                    self.assertAlmostEqual(sum(display.StageTimes), display.TotalTime,
                                           delta=1e-9 * display.TotalTime)  # rounding
                    # The client has neither image nor surface.
                    self.assertIsNone(simple.GetActiveSource().GetClientSideObject())
                    yield case, display.NumberOfTriangles
        finally:
            simple.Disconnect()

    def check_seam(self, shown, expected, association, tolerance):
        """Where the rays pass from one rank to the other, the surface of the nearer rank covers the other one."""
        columns = columns_of_seam(association)
        seam, expected_seam = shown[:, columns], expected[:, columns]
        print("seam pixels:", covered(expected_seam), "that differ by more:",
              differing(seam, expected_seam, tolerance), flush=True)
        self.assertGreater(covered(expected_seam), 5000)
        self.assertLessEqual(differing(seam, expected_seam, tolerance), FOLDS)

    def test_one_server(self):
        with Server([PVSERVER]) as server:
            for case, triangles in self.check(server, tolerance=0, pixels=0):
                self.assertEqual(triangles, self.triangles[case])

    def test_two_ranks(self):
        if not os.path.exists(MPIEXEC):
            self.skipTest("no mpiexec.")
        # Each rank's picture is rounded to 8 bits (0.5 in colour and opacity), and so is their composite.
        with Server([MPIEXEC, "--oversubscribe", "-n", "2", PVSERVER]) as server:
            for case, triangles in self.check(server, tolerance=2, pixels=FOLDS):
                if is_by_rays(case):
                    self.assertEqual(triangles, 0)
                else:
                    self.assertGreater(triangles, 0)
                    self.assertLess(triangles, self.triangles[case])


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
