# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The filter Vulkan Image Histogram in scripts: its counts are those of numpy.

usage: pvpython TestHistogram.py; also without Vulkan
"""
import os
import tempfile
import unittest

import histograms
import numpy
import plugin_test
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkNonOverlappingAMR, vtkUniformGrid

SHAPE = (9, 11, 13)  # z, y, x


def source_of(dtype):
    """Random values [z, y, x] of about half the range of the type, floats around 0; and a source that has them."""
    random = numpy.random.default_rng(11)
    if dtype.startswith("float"):
        values = random.normal(size=SHAPE).astype(dtype)
    else:
        limits = numpy.iinfo(dtype)
        values = random.integers(limits.min // 2, limits.max // 2, SHAPE, dtype=dtype)
    return values, plugin_test.producer_of(plugin_test.image_of(values))


def histogram_of(source, **properties):
    return simple.VulkanImageHistogram(Input=source, Array=["CELLS", "density"], **properties)


class Histogram(plugin_test.SourcesTest):
    # Both compute the same table.
    DEVICES = ["CPU"] + (["automatic"] if plugin_test.device_names() else [])

    def result(self, source, **properties):
        """The table of the CPU, which is that of the device."""
        results = []
        for device in self.DEVICES:
            histogram = histogram_of(source, Device=device, **properties)
            messages = plugin_test.Messages(histogram)
            results.append(histograms.result_of(histogram))
            self.assertEqual((messages.warnings, messages.errors), (0, 0))
        for other in results[1:]:
            self.assertEqual(histograms.bytes_of(other), histograms.bytes_of(results[0]))
        return results[0]

    def test_a_given_number_of_bins_makes_those_of_numpy(self):
        for dtype in ("uint8", "int32", "float64"):
            values, source = source_of(dtype)
            for bins in (1, 10, 100, 1000):
                arrays = self.result(source, NumberOfBins=bins)
                samples, edges = numpy.histogram(values.astype(float), bins)
                numpy.testing.assert_array_equal(arrays["Samples"], samples)
                numpy.testing.assert_array_equal(histograms.edges_of(arrays), edges)
                arrays = self.result(source, NumberOfBins=bins, UseCustomRange=1, CustomRange=[-0.3, 0.9])
                samples, edges = numpy.histogram(values.astype(float), bins, range=(-0.3, 0.9))
                numpy.testing.assert_array_equal(arrays["Samples"], samples)
                numpy.testing.assert_array_equal(histograms.edges_of(arrays), edges)
                self.assertEqual(arrays["Below"][0], numpy.count_nonzero(values < -0.3))
                self.assertEqual(arrays["Above"][0], numpy.count_nonzero(values > 0.9))

    def test_the_leaves_of_an_amr_have_the_volumes_of_their_cells(self):
        levels = [plugin_test.image_of(numpy.arange(4 * 4 * 6, dtype=numpy.float32).reshape(4, 4, 6), kind=vtkUniformGrid),
                  plugin_test.image_of(numpy.full((8, 8, 4), 1000, numpy.float32), origin=(2, 0, 0),
                                       spacing=(0.5, 0.5, 0.5), kind=vtkUniformGrid)]
        amr = vtkNonOverlappingAMR()
        amr.Initialize(2, [1, 1])
        for level, image in enumerate(levels):
            amr.SetDataSet(level, 0, image)
        arrays = self.result(plugin_test.producer_of(amr), UseCustomRange=1, CustomRange=[0, 900])
        coarse = numpy.arange(4 * 4 * 6).reshape(4, 4, 6)
        leaves = numpy.delete(coarse, (2, 3), axis=2)
        self.assertEqual(arrays["Samples"].sum(), leaves.size)
        self.assertEqual((arrays["Above"][0], arrays["Ghosts"][0]), (8 * 8 * 4, 0))
        self.assertEqual(arrays["VolumeAbove"][0], 4 * 4 * 6)
        # One dual cell per lattice point inside the two faces where the fine block meets coarse leaves.
        self.assertEqual(arrays["CutCells"][-1], 2 * 7 * 7)
        self.assertEqual(self.result(plugin_test.producer_of(amr), JoinBlocks=0)["Samples"].sum(), 4 * 4 * 6 + 8 * 8 * 4)

    def test_the_samples_of_a_rectilinear_grid_have_the_volumes_of_their_cells(self):
        values, _ = source_of("float32")
        sides = [numpy.cumsum(numpy.random.default_rng(3).uniform(0.1, 2, n + 1)) for n in SHAPE[::-1]]
        arrays = self.result(plugin_test.producer_of(plugin_test.grid_of(values, sides)), NumberOfBins=20)
        x, y, z = (numpy.diff(side) for side in sides)
        volumes = z[:, None, None] * y[None, :, None] * x[None, None, :]
        samples, edges = numpy.histogram(values.astype(float), 20)
        numpy.testing.assert_array_equal(arrays["Samples"], samples)
        above = [volumes[values >= edge].sum() for edge in edges[:-1]]
        numpy.testing.assert_allclose(arrays["VolumeAbove"], above, rtol=1e-13)

    def test_information_properties(self):
        histogram = histogram_of(source_of("float32")[1], Device="CPU")
        histogram.UpdatePipeline()
        histogram.UpdatePropertyInformation()
        self.assertTrue(plugin_test.is_cpu(histogram.UsedDevice), histogram.UsedDevice)
        self.assertGreater(histogram.TotalTime, 0)
        self.assertGreater(histogram.TotalTime, histogram.CountTime)

    def test_devices_are_listed_with_the_cpu(self):
        histogram = histogram_of(source_of("float32")[1])
        histogram.UpdatePropertyInformation()
        self.assertEqual(list(histogram.DeviceNames), [*plugin_test.device_names(), "CPU"])
        self.assertEqual(list(histogram.DeviceKinds)[-1], "threads")
        for device in ["CPU (threads)", *(f"{name} ({kind})" for name, kind in
                                          zip(plugin_test.device_names(), histogram.DeviceKinds))]:
            histogram.Device = device
            histogram.UpdatePipeline()
            histogram.UpdatePropertyInformation()
            is_expected = device.startswith(histogram.UsedDevice + " (") or (
                device == "CPU (threads)" and plugin_test.is_cpu(histogram.UsedDevice))
            self.assertTrue(is_expected, f"{device}: {histogram.UsedDevice}")

    @unittest.skipUnless("automatic" in DEVICES, "There is no Vulkan device.")
    def test_a_device_that_does_not_exist_is_one_error_and_no_table(self):
        histogram = histogram_of(source_of("float32")[1], Device="no such device")
        messages = plugin_test.Messages(histogram)
        self.assertEqual(histograms.result_of(histogram), {})
        self.assertEqual((messages.warnings, messages.errors), (0, 1))

    @unittest.skipIf("automatic" in DEVICES, "There is a Vulkan device.")
    def test_without_a_device_the_cpu_counts(self):
        histogram = histogram_of(source_of("float32")[1])
        histograms.result_of(histogram)
        histogram.UpdatePropertyInformation()
        self.assertTrue(plugin_test.is_cpu(histogram.UsedDevice), histogram.UsedDevice)
        self.assertEqual(histogram.FallbackReason, "")

    @unittest.skipIf("automatic" in DEVICES, "There is a Vulkan device.")
    def test_without_the_chosen_device_the_cpu_counts_and_says_why(self):
        source = source_of("float32")[1]
        histogram = histogram_of(source, Device="NVIDIA")
        messages = plugin_test.Messages(histogram)
        self.assertEqual(histograms.bytes_of(histograms.result_of(histogram)), histograms.bytes_of(self.result(source)))
        histogram.UpdatePropertyInformation()
        self.assertTrue(plugin_test.is_cpu(histogram.UsedDevice), histogram.UsedDevice)
        self.assertNotEqual(histogram.FallbackReason, "")
        self.assertEqual((messages.warnings, messages.errors), (0, 0))
        failing = histogram_of(source, Device="NVIDIA", Fallback="Error")
        messages = plugin_test.Messages(failing)
        self.assertEqual(histograms.result_of(failing), {})
        self.assertEqual((messages.warnings, messages.errors), (0, 1))

    def test_a_wrong_component_is_one_error_and_no_table(self):
        histogram = histogram_of(source_of("float32")[1], ArrayComponent=1)
        messages = plugin_test.Messages(histogram)
        self.assertEqual(histograms.result_of(histogram), {})
        self.assertEqual((messages.warnings, messages.errors), (0, 1))

    def test_state_files_keep_the_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            volume, state = os.path.join(folder, "volume.vti"), os.path.join(folder, "state.pvsm")
            plugin_test.write_volume(volume)
            histogram = simple.VulkanImageHistogram(
                Input=plugin_test.read_volume(volume), Array=["CELLS", "density"], NumberOfBins=12, UseCustomRange=1,
                CustomRange=[0, 0.75], Boundary="Close", Device="CPU")
            expected = histograms.bytes_of(histograms.result_of(histogram))
            simple.SaveState(state)
            self.tearDown()
            simple.LoadState(state)
            histogram = next(proxy for proxy in simple.GetSources().values()
                             if proxy.GetXMLName() == "VulkanImageHistogram")
            self.assertEqual(histograms.bytes_of(histograms.result_of(histogram)), expected)
            self.assertEqual((histogram.NumberOfBins, histogram.Boundary, histogram.Device), (12, "Close", "CPU"))


plugin_test.run()
