# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A process that shows an image in another way than as isosurface does not load Vulkan: that takes up to a second.

usage: pvpython TestLoading.py
"""
import os

import pictures
import plugin_test
from paraview import simple

MAPS = "/proc/self/maps"


def is_vulkan_loaded():
    with open(MAPS) as maps:
        return "libvulkan.so" in maps.read()


class Loading(plugin_test.VolumeTest):
    def tearDown(self):
        pictures.delete_all()

    def test_vulkan_is_loaded_by_the_first_isosurface(self):
        view = pictures.create_view()
        display = simple.Show(self.volume, view)
        for kind in ("Outline", "Surface", "Points"):
            display.Representation = kind
            simple.Render(view)
            display.UpdatePropertyInformation()
            self.assertFalse(is_vulkan_loaded(), kind)
            self.assertEqual(len([name for name in display.DeviceNames if name]), 0)
        display.Representation = pictures.TYPE
        simple.Render(view)
        self.assertTrue(is_vulkan_loaded())


if not os.path.exists(MAPS):
    plugin_test.skip(f"{MAPS} does not exist.")
plugin_test.run()
