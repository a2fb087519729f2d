"""A script that ends while its filter is alive, as most do: ParaView then deletes the filter while the process leaves, after
drivers and layers ended themselves. The exit code tells.

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
