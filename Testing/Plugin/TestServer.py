# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Client and server: a separate pvserver makes the same surface as the client's built-in server.

usage: pvpython TestServer.py PVSERVER
"""
import os
import sys
import tempfile
import unittest

import plugin_test
from paraview import simple
from server import Server

ISOVALUES = [0.25, 0.5]


class ClientAndServer(unittest.TestCase):
    def test_the_server_makes_the_surface_of_the_built_in_server(self):
        with tempfile.TemporaryDirectory() as folder, Server([sys.argv[1]]) as server:
            path = os.path.join(folder, "volume.vti")
            plugin_test.write_volume(path)
            here = plugin_test.surface(self.contour(path))
            simple.Connect("localhost", server.port)
            try:
                self.check_on_server(path, here)
            finally:
                simple.Disconnect()

    def check_on_server(self, path, expected):
        contour = self.contour(path)
        self.assertIsNone(contour.GetClientSideObject())
        self.assert_equal_meshes(plugin_test.surface(contour), expected)
        self.assertIn(contour.UsedDevice, plugin_test.device_names())
        self.assertEqual((contour.NumberOfPoints, contour.NumberOfTriangles),
                         (expected.GetNumberOfPoints(), expected.GetNumberOfPolys()))
        self.assertAlmostEqual(sum(contour.StageTimes), contour.TotalTime, delta=1e-9 * contour.TotalTime)  # rounding
        self.assertIn(f"{contour.UsedDevice} (", str(contour.GetProperty("Device").Available))

    def contour(self, path):
        return simple.VulkanMarchingCubes(Input=plugin_test.read_volume(path), ContourBy=["CELLS", "density"],
                                          Isosurfaces=ISOVALUES, InterpolateAttributes=1)

    def assert_equal_meshes(self, one, other):
        self.assertGreater(one.GetNumberOfPolys(), 0)
        self.assertEqual(one.GetNumberOfPoints(), other.GetNumberOfPoints())
        self.assertEqual(one.GetNumberOfPolys(), other.GetNumberOfPolys())
        points = [plugin_test.vtk_to_numpy(mesh.GetPoints().GetData()).tobytes() for mesh in (one, other)]
        self.assertEqual(*points)
        for name in ("Normals", "density", "height"):
            self.assertEqual(*(plugin_test.point_array(mesh, name).tobytes() for mesh in (one, other)), name)


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
