# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A script that ends without deleting its filter, as most scripts do. ParaView then deletes the filter during exit,
after drivers and layers have shut down. The test checks the exit code.

usage: pvpython TestExit.py
"""
import sys

import plugin_test
from paraview import simple

if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
wavelet = simple.PointDatatoCellData(Input=simple.Wavelet())
contour = simple.VulkanMarchingCubes(Input=wavelet, ContourBy=["CELLS", "RTData"], Isosurfaces=[130.0])
if plugin_test.counts(contour)[1] == 0:
    raise RuntimeError("The filter made no triangle.")
sys.exit(0)  # deletes nothing, unlike the end of the script
