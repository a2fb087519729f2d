# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A pvserver, alone and of two ranks: surfaces, histograms and the pictures of the representation "Vulkan Isosurface" are
those of one process.

usage: pvpython TestServers.py MPIEXEC PVSERVER
"""
import math
import os
import sys
import tempfile

import histogram_cases
import histograms
import numpy
import pictures
import plugin_test
import rank_sources
from paraview import simple
from pictures import covered, differing, picture
from server import Server, on_ranks
from surfaces import Surface, SurfaceTest, arrays_of

MPIEXEC, PVSERVER = sys.argv[1:]
ISOVALUES = [0.25, 0.5]  # of the surface with attributes
ISOVALUE = 0.3  # of the pictures
CENTRE = (8, 1.75, 9)  # of the volume of rank_sources
CLOSED = {"Boundary": "Close", "Isosurfaces": [rank_sources.ISOVALUE], "Opacity": 0.5}  # caps inside would be seen
NESTED = {**CLOSED, "Isosurfaces": [rank_sources.ISOVALUE, 0.5]}  # one colour per isovalue, so the order is seen
RAYS = {"Surface": "Rays"}
PICTURES = {"cells": {}, "points": {}, "closed cells": CLOSED, "closed points": CLOSED,
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
    properties = {"ContourBy": [association, "density"], "Isosurfaces": [ISOVALUE], **PICTURES[case]}
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


class Servers(SurfaceTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        histogram_cases.write_sources(cls.folder)
        plugin_test.write_volume(cls.volume())
        cls.with_attributes = plugin_test.surface(cls.contour_with_attributes())
        cls.surfaces = {case: arrays_of(plugin_test.surface(rank_sources.contour_of(cls.folder, case)))
                        for case in rank_sources.CASES}
        cls.histograms = {case: histograms.bytes_of(histograms.result_of(histogram_cases.histogram_of(cls.folder, case)))
                          for case in histogram_cases.CASES if not case.startswith(histogram_cases.MADE_BY_THE_SCRIPT)}
        cls.devices = plugin_test.device_names()
        cls.pictures, cls.triangles = {}, {}
        for case in PICTURES:
            view, display = show(cls.folder, case)
            cls.pictures[case] = picture(view)
            cls.triangles[case] = display.NumberOfTriangles

    @classmethod
    def volume(cls):
        return os.path.join(cls.folder, "volume.vti")

    @classmethod
    def contour_with_attributes(cls):
        return simple.VulkanMarchingCubes(Input=plugin_test.read_volume(cls.volume()), ContourBy=["CELLS", "density"],
                                          Isosurfaces=ISOVALUES, InterpolateAttributes=1)

    def test_one_server(self):
        self.check_server([PVSERVER], ranks=1)

    def test_two_ranks(self):
        if not os.path.exists(MPIEXEC):
            self.skipTest("no mpiexec.")
        self.check_server(on_ranks(MPIEXEC, 2, PVSERVER), ranks=2)

    def check_server(self, command, ranks):
        with Server(command) as server:
            simple.Connect("localhost", server.port)
            try:
                self.check_cases(ranks)
            finally:
                simple.Disconnect()

    def check_cases(self, ranks):
        if ranks == 1:
            self.check_surface_with_attributes()
        for case in rank_sources.CASES:
            with self.subTest(case=case):
                self.check_surface(case, ranks)
        for case in self.histograms:
            with self.subTest(case=case):
                self.check_histogram(case)
        for case in PICTURES:
            with self.subTest(case=case):
                self.check_picture(case, ranks)

    def check_surface_with_attributes(self):
        contour, expected = self.contour_with_attributes(), self.with_attributes
        self.assertGreater(expected.GetNumberOfPolys(), 0)
        mesh = plugin_test.surface(contour)
        self.assertEqual(*(histograms.bytes_of(arrays_of(of_one)) for of_one in (mesh, expected)))
        for name in ("density", "height"):
            self.assertEqual(*(plugin_test.point_array(of_one, name).tobytes() for of_one in (mesh, expected)), name)
        self.assertEqual((contour.NumberOfPoints, contour.NumberOfTriangles),
                         (expected.GetNumberOfPoints(), expected.GetNumberOfPolys()))
        self.assertAlmostEqual(sum(contour.StageTimes), contour.TotalTime, delta=1e-9 * contour.TotalTime)  # rounding
        self.assertIn(f"{contour.UsedDevice} (", str(contour.GetProperty("Device").Available))

    def check_surface(self, case, ranks):
        contour = rank_sources.contour_of(self.folder, case)
        self.assertIsNone(contour.GetClientSideObject())
        arrays, serial = arrays_of(plugin_test.surface(contour)), self.surfaces[case]
        if ranks == 1:
            self.assertEqual(histograms.bytes_of(arrays), histograms.bytes_of(serial))
        else:
            # Points on the seam of the pieces are duplicated.
            self.assertGreater(len(arrays["points"]), len(serial["points"]))
            self.assert_union_is_serial(arrays, Surface(serial), case)
        self.assertEqual(contour.GetDataInformation().GetNumberOfCells(), len(serial["triangles"]))
        device = contour.UsedDevice
        self.assertTrue(plugin_test.is_cpu(device) if case.endswith("CPU") else device in self.devices, device)

    def check_histogram(self, case):
        histogram = histogram_cases.histogram_of(self.folder, case)
        self.assertIsNone(histogram.GetClientSideObject())
        self.assertEqual(histograms.bytes_of(histograms.result_of(histogram)), self.histograms[case])
        histogram.UpdatePropertyInformation()
        self.assertNotEqual(histogram.UsedDevice, "")

    def check_picture(self, case, ranks):
        # Each rank's picture is rounded to 8 bits (0.5 in colour and opacity), and so is their composite.
        tolerance, pixels = (0, 0) if ranks == 1 else (2, FOLDS)
        expected = self.pictures[case]
        view, display = show(self.folder, case)
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
        self.assertAlmostEqual(sum(display.StageTimes), display.TotalTime, delta=1e-9 * display.TotalTime)  # rounding
        # The client has neither image nor surface.
        self.assertIsNone(simple.GetActiveSource().GetClientSideObject())
        self.check_triangles_of_first_rank(display.NumberOfTriangles, case, ranks)

    def check_triangles_of_first_rank(self, triangles, case, ranks):
        if ranks == 1 or is_by_rays(case):
            self.assertEqual(triangles, self.triangles[case])
        else:
            self.assertGreater(triangles, 0)
            self.assertLess(triangles, self.triangles[case])

    def check_seam(self, shown, expected, association, tolerance):
        """Where the rays pass from one rank to the other, the surface of the nearer rank covers the other one."""
        columns = columns_of_seam(association)
        seam, expected_seam = shown[:, columns], expected[:, columns]
        print("seam pixels:", covered(expected_seam), "that differ by more:",
              differing(seam, expected_seam, tolerance), flush=True)
        self.assertGreater(covered(expected_seam), 5000)
        self.assertLessEqual(differing(seam, expected_seam, tolerance), FOLDS)


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
