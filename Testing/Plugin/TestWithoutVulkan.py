# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The plugin on a machine without a Vulkan driver: it loads, and the CPU computes all surfaces.

usage: pvpython TestWithoutVulkan.py, with VK_DRIVER_FILES and VK_ICD_FILENAMES naming a file that does not exist
"""
import os

import plugin_test
from paraview import simple

ISOVALUE = 0.5


class WithoutVulkan(plugin_test.VolumeTest):
    def contour(self, **properties):
        return simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "density"], Isosurfaces=[ISOVALUE],
                                          **properties)

    def test_only_the_cpu_is_listed(self):
        self.assertEqual(plugin_test.device_names(), [])
        self.assertEqual(list(self.contour().GetProperty("Device").Available), ["Automatic", "CPU (threads)"])

    def test_automatic_is_the_cpu_without_a_warning(self):
        with plugin_test.Printed() as printed:
            for device in ("Automatic", "CPU", "CPU (threads)"):
                contour = self.contour(Device=device)
                self.assertEqual(plugin_test.counts(contour),
                                 plugin_test.flying_edges(self.density, ISOVALUE))
                self.assertTrue(plugin_test.is_cpu(contour.UsedDevice), contour.UsedDevice)
                self.assertEqual(contour.FallbackReason, "")
        self.assertEqual(printed.texts, [])

    def test_the_environment_selects_the_cpu_by_its_number_without_a_warning(self):
        os.environ["VMC_DEVICE"] = "0"
        self.addCleanup(os.environ.__setitem__, "VMC_DEVICE", "")
        with plugin_test.Printed() as printed:
            contour = self.contour()
            self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, ISOVALUE))
        self.assertEqual(contour.DeviceNames[0], "CPU")
        self.assertTrue(plugin_test.is_cpu(contour.UsedDevice), contour.UsedDevice)
        self.assertEqual((contour.FallbackReason, printed.texts), ("", []))

    def test_a_vulkan_device_is_replaced_by_the_cpu_with_one_warning_per_session(self):
        """The warning says what to install or check."""
        with plugin_test.Printed() as printed:
            for isovalue in (0.25, ISOVALUE):
                contour = self.contour(Device="NVIDIA")
                contour.Isosurfaces = [isovalue]
                self.assertEqual(plugin_test.counts(contour),
                                 plugin_test.flying_edges(self.density, isovalue))
                self.assertTrue(plugin_test.is_cpu(contour.UsedDevice), contour.UsedDevice)
                for thing in ("driver", "mesa-vulkan-drivers", "vulkaninfo"):
                    self.assertIn(thing, contour.FallbackReason)
        self.assertEqual(len(printed.texts), 1, printed.texts)
        self.assertIn(contour.FallbackReason, printed.texts[0])

    def test_the_cpu_honours_the_other_properties(self):
        points, triangles = plugin_test.flying_edges(self.density, ISOVALUE)
        mesh = plugin_test.surface(self.contour(InterpolateAttributes=1))
        self.assertEqual(len(plugin_test.point_array(mesh, "Normals")), points)
        self.assertEqual(set(plugin_test.point_array(mesh, "density")), {ISOVALUE})
        z = plugin_test.vtk_to_numpy(mesh.GetPoints().GetData())[:, 2]
        self.assertLess(abs(plugin_test.point_array(mesh, "height") - (z - 0.5)).max(), 4e-6)  # float32 at 14
        self.assertEqual(plugin_test.counts(self.contour(MergePoints=0)), (3 * triangles, triangles))

    def test_fallback_error_is_an_error_and_leaves_nothing(self):
        contour = self.contour(Device="NVIDIA", Fallback="Error")
        with plugin_test.Printed() as printed:
            self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual(len(printed.texts), 1, printed.texts)
        self.assertIn("vulkaninfo", printed.texts[0])


plugin_test.run()
