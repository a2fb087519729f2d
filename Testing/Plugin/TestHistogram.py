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
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkImageData

SHAPE = (9, 11, 13)  # z, y, x
TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")


def samples_of(dtype, components=1):
    """Random values [z, y, x, component] of about half the range of the type; floats around 0."""
    random = numpy.random.default_rng(11)
    shape = (*SHAPE, components)
    if dtype.startswith("float"):
        return random.normal(size=shape).astype(dtype)
    limits = numpy.iinfo(dtype)
    return random.integers(limits.min // 2, limits.max // 2, shape, dtype=dtype)


def producer_of(values, ghosts=None, of_cells=True):
    """A source with an image of these values [z, y, x, component] as array "samples"."""
    image = vtkImageData()
    image.SetDimensions(*(n + of_cells for n in values.shape[2::-1]))
    image.SetSpacing(0.5, 2, 0.25)
    data = image.GetCellData() if of_cells else image.GetPointData()
    array = plugin_test.numpy_to_vtk(values.reshape(-1, values.shape[3]), deep=True)
    array.SetName("samples")
    data.AddArray(array)
    if ghosts is not None:
        flags = plugin_test.flat(ghosts.astype(numpy.uint8))
        flags.SetName(vtkDataSetAttributes.GhostArrayName())
        data.AddArray(flags)
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(image)
    producer.UpdatePipeline()
    return producer


def histogram_of(source, of_cells=True, **properties):
    return simple.VulkanImageHistogram(Input=source, Array=["CELLS" if of_cells else "POINTS", "samples"], **properties)


def execute_again(histogram):
    """UpdatePipeline() does nothing if no property has changed."""
    algorithm = histogram.GetClientSideObject()
    algorithm.Modified()
    algorithm.Update()


def centres_of(arrays):
    return arrays["Lower"] / 2 + arrays["Upper"] / 2


def count(values, arrays):
    """numpy.histogram with the bins of the table. Values of 64 bits are compared as they are, not as doubles."""
    edges = histograms.edges_of(arrays)
    if values.dtype.kind == "f" or values.dtype.itemsize < 8:
        return numpy.histogram(values.astype(float), edges)[0]
    exact = [int(numpy.ceil(edge)) for edge in edges]
    exact[-1] = int(edges[-1]) + 1
    return numpy.diff([sum(value < edge for value in values.ravel().tolist()) for edge in exact])


class Histogram(unittest.TestCase):
    # Both compute the same table.
    DEVICES = ["CPU"] + (["automatic"] if plugin_test.device_names() else [])

    def tearDown(self):
        for proxy in list(simple.GetSources().values()):
            simple.Delete(proxy)

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

    def check(self, arrays, values, valid=None, boundary="Open", of_cells=True):
        """values, valid: [z, y, x]. Values of 64 bits: see WideIntegers."""
        valid = numpy.ones(values.shape, bool) if valid is None else valid
        is_number = valid & ~numpy.isnan(values)
        numpy.testing.assert_array_equal(arrays["Samples"], count(values[is_number], arrays))
        expected = histograms.cut_cells(values.astype(float), centres_of(arrays), is_number if boundary == "Open" else None,
                                        boundary, of_cells)
        numpy.testing.assert_array_equal(arrays["CutCells"], expected)
        self.assertGreater(expected.sum(), 0)
        above = [numpy.count_nonzero(values[is_number] >= lower) for lower in arrays["Lower"]]
        numpy.testing.assert_array_equal(arrays["VolumeAbove"], numpy.array(above) * 0.25)  # 0.5 * 2 * 0.25
        self.assertEqual(arrays["NaN"][0], numpy.count_nonzero(numpy.isnan(values) & valid))
        self.assertEqual(arrays["Ghosts"][0], numpy.count_nonzero(~valid))

    def test_every_type(self):
        for dtype in TYPES:
            values = samples_of(dtype)
            for of_cells in (True, False):
                with self.subTest(dtype=dtype, of_cells=of_cells):
                    arrays = self.result(producer_of(values, of_cells=of_cells), of_cells=of_cells)
                    if values.dtype.itemsize == 8 and values.dtype.kind != "f":
                        numpy.testing.assert_array_equal(arrays["Samples"], count(values, arrays))
                    else:
                        self.check(arrays, values[..., 0], of_cells=of_cells)
                    self.assertEqual(arrays["Samples"].sum(), values.size)

    def test_bins_of_integers_have_the_same_number_of_integers(self):
        arrays = self.result(producer_of(samples_of("uint8")))
        self.assertTrue((arrays["Upper"] - arrays["Lower"] == 1).all())
        arrays = self.result(producer_of(samples_of("int16")))
        self.assertTrue((arrays["Upper"] - arrays["Lower"] == 32).all())  # 31 makes more than 1024 bins

    def test_a_given_number_of_bins_makes_those_of_numpy(self):
        for dtype in ("uint8", "int32", "float64"):
            values = samples_of(dtype)
            for bins in (1, 10, 100, 1000):
                arrays = self.result(producer_of(values), NumberOfBins=bins)
                samples, edges = numpy.histogram(values.astype(float), bins)
                numpy.testing.assert_array_equal(arrays["Samples"], samples)
                numpy.testing.assert_array_equal(histograms.edges_of(arrays), edges)
                arrays = self.result(producer_of(values), NumberOfBins=bins, UseCustomRange=1, CustomRange=[-0.3, 0.9])
                samples, edges = numpy.histogram(values.astype(float), bins, range=(-0.3, 0.9))
                numpy.testing.assert_array_equal(arrays["Samples"], samples)
                numpy.testing.assert_array_equal(histograms.edges_of(arrays), edges)
                self.assertEqual(arrays["Below"][0], numpy.count_nonzero(values < -0.3))
                self.assertEqual(arrays["Above"][0], numpy.count_nonzero(values > 0.9))

    def test_components_and_magnitude(self):
        values = samples_of("int16", components=3) // 64
        source = producer_of(values)
        for component in range(3):
            self.check(self.result(source, ArrayComponent=component), values[..., component])
        self.check(self.result(source, ArrayComponent=-1), numpy.sqrt((values.astype(float)**2).sum(axis=3)))

    def test_ghosts_are_left_out(self):
        values = samples_of("float32")
        hidden = numpy.random.default_rng(3).random(SHAPE) < 0.02
        arrays = self.result(producer_of(values, hidden * vtkDataSetAttributes.HIDDENCELL))
        self.check(arrays, values[..., 0], ~hidden)
        self.assertGreater(arrays["Ghosts"][0], 0)

    def test_nan_is_left_out(self):
        for dtype in ("float32", "float64"):
            values = samples_of(dtype)
            values[numpy.random.default_rng(3).random(values.shape) < 0.02] = numpy.nan
            arrays = self.result(producer_of(values))
            self.check(arrays, values[..., 0])
            self.assertGreater(arrays["NaN"][0], 0)
            numpy.testing.assert_array_equal(arrays["DataRange"].ravel(), [numpy.nanmin(values), numpy.nanmax(values)])

    def test_boundaries(self):
        values = samples_of("uint8")
        for of_cells in (True, False):
            for boundary in ("Open", "Extend", "Close"):
                with self.subTest(boundary=boundary, of_cells=of_cells):
                    arrays = self.result(producer_of(values, of_cells=of_cells), of_cells=of_cells, Boundary=boundary)
                    self.check(arrays, values[..., 0], boundary=boundary, of_cells=of_cells)

    def test_suggestions_are_isovalues_with_a_surface(self):
        source = producer_of(samples_of("float32"))
        arrays = self.result(source)
        for name in ("OtsuThreshold", "MostCutCells"):
            contour = simple.VulkanMarchingCubes(Input=source, ContourBy=["CELLS", "samples"],
                                                 Isosurfaces=[arrays[name][0]])
            self.assertGreater(plugin_test.counts(contour)[1], 0)
        self.assertEqual(arrays["CutCells"][numpy.searchsorted(arrays["Lower"], arrays["MostCutCells"][0]) - 1],
                         arrays["CutCells"].max())

    def test_two_executions_and_two_filters_give_the_same_bytes(self):
        source = producer_of(samples_of("float32"))
        for device in self.DEVICES:
            first = histogram_of(source, Device=device)
            expected = histograms.bytes_of(histograms.result_of(first))
            for histogram in (first, histogram_of(source, Device=device)):
                histogram.UpdatePipeline()
                execute_again(histogram)
                self.assertEqual(histograms.bytes_of(histograms.result_of(histogram)), expected)

    def test_information_properties(self):
        histogram = histogram_of(producer_of(samples_of("float32")), Device="CPU")
        histogram.UpdatePipeline()
        histogram.UpdatePropertyInformation()
        self.assertTrue(plugin_test.is_cpu(histogram.UsedDevice), histogram.UsedDevice)
        self.assertGreater(histogram.TotalTime, 0)
        self.assertGreater(histogram.TotalTime, histogram.CountTime)

    def test_devices_are_listed_with_the_cpu(self):
        histogram = histogram_of(producer_of(samples_of("float32")))
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
        histogram = histogram_of(producer_of(samples_of("float32")), Device="no such device")
        messages = plugin_test.Messages(histogram)
        self.assertEqual(histograms.result_of(histogram), {})
        self.assertEqual((messages.warnings, messages.errors), (0, 1))

    @unittest.skipIf("automatic" in DEVICES, "There is a Vulkan device.")
    def test_without_a_device_the_cpu_counts(self):
        histogram = histogram_of(producer_of(samples_of("float32")))
        histograms.result_of(histogram)
        histogram.UpdatePropertyInformation()
        self.assertTrue(plugin_test.is_cpu(histogram.UsedDevice), histogram.UsedDevice)
        self.assertEqual(histogram.FallbackReason, "")

    @unittest.skipIf("automatic" in DEVICES, "There is a Vulkan device.")
    def test_without_the_chosen_device_the_cpu_counts_and_says_why(self):
        source = producer_of(samples_of("float32"))
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
        histogram = histogram_of(producer_of(samples_of("float32")), ArrayComponent=1)
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
