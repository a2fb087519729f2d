# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the proxy in scripts: results, properties by name, information properties, errors, state files.

usage: pvpython TestProxy.py, or pvbatch
"""
import os

import numpy
import plugin_test
from paraview import servermanager, simple

ISOVALUE = 0.5
OTHER_ISOVALUE = 0.25
MIDDLE_HEIGHT = (plugin_test.CELLS[2] - 1) / 2


class Proxy(plugin_test.VolumeTest):
    def contour(self, isovalues=(ISOVALUE,), **properties):
        return simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "density"], Isosurfaces=list(isovalues),
                                          **properties)

    def information(self, contour):
        contour.UpdatePipeline()
        contour.UpdatePropertyInformation()
        return contour

    # ---- results

    def test_counts_are_those_of_flying_edges_and_numpy(self):
        contour = self.contour()
        messages = plugin_test.Messages(contour)
        points, triangles = plugin_test.counts(contour)
        self.assertEqual((points, triangles), plugin_test.flying_edges(self.density, ISOVALUE))
        self.assertEqual(points, plugin_test.expected_points(self.density, ISOVALUE))
        self.assertGreater(triangles, 0)
        self.assertEqual((messages.warnings, messages.errors), (0, 0))

    def test_two_isovalues_add_up_and_name_their_points(self):
        mesh = plugin_test.surface(self.contour([OTHER_ISOVALUE, ISOVALUE]))
        first = plugin_test.flying_edges(self.density, OTHER_ISOVALUE)
        second = plugin_test.flying_edges(self.density, ISOVALUE)
        self.assertEqual(mesh.GetNumberOfPoints(), first[0] + second[0])
        self.assertEqual(mesh.GetNumberOfPolys(), first[1] + second[1])
        expected = [OTHER_ISOVALUE] * first[0] + [ISOVALUE] * second[0]
        numpy.testing.assert_array_equal(plugin_test.point_array(mesh, "density"), expected)

    def test_points_lie_among_the_cell_centres(self):
        mesh = plugin_test.surface(self.contour())
        points = plugin_test.vtk_to_numpy(mesh.GetPoints().GetData())
        self.assertTrue((points >= 0.5).all())
        self.assertTrue((points <= numpy.array(plugin_test.CELLS) - 0.5).all())

    def test_isovalue_outside_the_range_gives_nothing_in_silence(self):
        contour = self.contour([100.0])
        messages = plugin_test.Messages(contour)
        self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual((messages.warnings, messages.errors), (0, 0))

    def test_point_data_is_contoured_on_the_points(self):
        points = simple.CellDatatoPointData(Input=self.volume)
        contour = simple.VulkanMarchingCubes(Input=points, ContourBy=["POINTS", "density"], Isosurfaces=[ISOVALUE])
        averaged = plugin_test.vtk_to_numpy(plugin_test.surface(points).GetPointData().GetArray("density"))
        averaged = averaged.reshape([n + 1 for n in plugin_test.CELLS[::-1]])
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(averaged, ISOVALUE))

    # ---- properties

    def test_array_and_isovalue_have_defaults(self):
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        self.assertEqual(list(contour.ContourBy), ["CELLS", "density"])
        self.assertEqual(len(contour.Isosurfaces), 1)
        self.assertGreater(plugin_test.counts(contour)[1], 0)

    def test_normals_have_unit_length_and_can_be_left_out(self):
        normals = plugin_test.point_array(plugin_test.surface(self.contour()), "Normals")
        # each float32 component is rounded by at most half an ulp of 1
        numpy.testing.assert_allclose(numpy.linalg.norm(normals, axis=1), 1, atol=1e-6)
        self.assertIsNone(plugin_test.point_array(plugin_test.surface(self.contour(ComputeNormals=0)), "Normals"))

    def test_scalars_can_be_left_out(self):
        self.assertIsNone(plugin_test.point_array(plugin_test.surface(self.contour(ComputeScalars=0)), "density"))

    def test_attributes_are_interpolated_where_asked(self):
        self.assertIsNone(plugin_test.point_array(plugin_test.surface(self.contour()), "height"))
        mesh = plugin_test.surface(self.contour(InterpolateAttributes=1))
        z = plugin_test.vtk_to_numpy(mesh.GetPoints().GetData())[:, 2]
        # The array is the index along z, centres lie at index + 0.5; adjacent floats near 14 differ by 2^-20.
        numpy.testing.assert_allclose(plugin_test.point_array(mesh, "height"), z - 0.5, atol=4e-6)

    def test_unmerged_triangles_own_their_points(self):
        triangles = plugin_test.flying_edges(self.density, ISOVALUE)[1]
        self.assertEqual(plugin_test.counts(self.contour(MergePoints=0)), (3 * triangles, triangles))

    def test_ids_have_64_bits_unless_32_are_requested(self):
        for settings, is_wide in (({}, True), ({"OutputIds": "64 bit"}, True), ({"OutputIds": "32 bit"}, False)):
            triangles = plugin_test.surface(self.contour(**settings)).GetPolys()
            self.assertEqual(triangles.GetConnectivityArray().GetDataTypeSize(), 8 if is_wide else 4, settings)
            self.assertGreater(triangles.GetNumberOfCells(), 0)

    def test_a_device_is_chosen_by_a_part_of_its_name(self):
        name = plugin_test.device_names()[0]
        contour = self.information(self.contour(Device=name[: len(name) // 2]))
        self.assertEqual(contour.UsedDevice, name)

    def test_an_unknown_device_is_one_error_that_lists_the_devices(self):
        contour = self.contour(Device="abacus")
        with plugin_test.Errors() as errors:
            self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual(len(errors.texts), 1, errors.texts)
        self.assertIn('There is no device "abacus". The devices are: ' + self.labels()[0], errors.texts[0])
        self.assertEqual(contour.UsedDevice, "")

    def labels(self):
        """The devices as the panel's drop-down lists them."""
        contour = self.contour()
        return [f"{name} ({kind})" for name, kind in zip(contour.DeviceNames, contour.DeviceKinds)]

    def test_the_panel_lists_the_devices_with_their_kinds(self):
        contour = self.contour()
        self.assertEqual(list(contour.GetProperty("Device").Available), ["Automatic", *self.labels()])
        self.assertEqual(contour.Device, "Automatic")
        for label in self.labels():
            contour.Device = label
            contour.UpdatePipeline()
            if label == "CPU (threads)":
                self.assertTrue(plugin_test.is_cpu(contour.UsedDevice), contour.UsedDevice)
            else:
                self.assertEqual(contour.UsedDevice, label[:label.rindex(" (")])
        self.assertEqual(self.labels()[-1], "CPU (threads)")

    def test_a_part_of_a_name_is_listed_too(self):
        contour = self.contour()
        for name in ("automatic", "llvm", "Automatic"):
            contour.Device = name
            available = list(contour.GetProperty("Device").Available)
            self.assertIn(name, available)
            self.assertEqual(len(set(map(str.lower, available))), len(available))  # "automatic" once
            self.assertEqual(contour.Device, name)

    def test_the_list_has_a_value_when_the_panel_sees_it(self):
        """The panel selects the first device of its list if the value is not part of it."""
        contour = self.contour()
        device, seen = contour.GetProperty("Device"), []

        def on_modified(*_):
            seen.append((device.SMProperty.GetElement(0), device.SMProperty.GetElement(0) in list(device.Available)))

        device.SMProperty.AddObserver("ModifiedEvent", on_modified)
        for name in ("llvm", "abacus", "automatic"):
            contour.Device = name
        self.assertEqual(seen, [("llvm", True), ("abacus", True), ("automatic", True)])

    def test_too_little_device_memory_falls_back_with_the_reason(self):
        contour = self.contour(MemoryLimit=1e-6)
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, ISOVALUE))
        self.assertTrue(plugin_test.is_cpu(contour.UsedDevice), contour.UsedDevice)
        self.assertIn("bytes of device memory", contour.FallbackReason)
        self.assertAlmostEqual(sum(contour.StageTimes), contour.TotalTime, delta=1e-9 * contour.TotalTime)  # rounding
        contour.MemoryLimit = 0
        contour.UpdatePipeline()
        self.assertEqual((contour.UsedDevice, contour.FallbackReason), (contour.DeviceNames[0], ""))

    def test_a_memory_limit_does_not_change_the_result(self):
        self.assertEqual(plugin_test.counts(self.contour(MemoryLimit=1)),
                         plugin_test.flying_edges(self.density, ISOVALUE))

    def test_every_property_is_documented(self):
        contour = self.contour()
        self.assertTrue(contour.SMProxy.GetDocumentation().GetDescription().strip())
        for name in contour.ListProperties():
            documentation = contour.GetProperty(name).SMProperty.GetDocumentation()
            self.assertTrue(documentation and documentation.GetDescription().strip(), name)

    # ---- the default isovalue. Unchecked values are those of a panel that was not applied.

    def new_contour(self):
        return simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "density"])

    def select_in_panel(self, contour, array):
        contour.GetProperty("SelectInputScalars").SMProperty.SetUncheckedElement(4, array)

    def suggest(self, contour, *isovalues):
        contour.SMProxy.GetProperty("SuggestedIsovalue").SetUncheckedElements(isovalues, len(isovalues))

    def in_panel(self, contour):
        isovalues = contour.GetProperty("ContourValues").SMProperty
        return [isovalues.GetUncheckedElement(i) for i in range(isovalues.GetNumberOfUncheckedElements())]

    def test_the_default_isovalue_follows_the_array_in_the_panel(self):
        contour = self.new_contour()
        default = list(contour.Isosurfaces)
        self.select_in_panel(contour, "height")
        self.assertEqual(self.in_panel(contour), [MIDDLE_HEIGHT])
        self.assertEqual(list(contour.Isosurfaces), default)
        self.select_in_panel(contour, "density")
        self.assertEqual(self.in_panel(contour), default)

    def test_a_suggestion_is_the_default_isovalue_of_its_array(self):
        contour = self.new_contour()
        default = list(contour.Isosurfaces)
        self.suggest(contour, OTHER_ISOVALUE)
        self.assertEqual(self.in_panel(contour), [OTHER_ISOVALUE])
        self.assertEqual(list(contour.Isosurfaces), default)
        self.select_in_panel(contour, "height")
        self.assertEqual(self.in_panel(contour), [MIDDLE_HEIGHT])
        self.suggest(contour, OTHER_ISOVALUE)  # the same value for another array
        self.assertEqual(self.in_panel(contour), [OTHER_ISOVALUE])
        self.suggest(contour)
        self.assertEqual(self.in_panel(contour), [MIDDLE_HEIGHT])

    def test_a_suggestion_after_the_first_run_changes_nothing(self):
        contour = self.new_contour()
        contour.UpdatePipeline()
        self.suggest(contour, OTHER_ISOVALUE)
        self.assertEqual(self.in_panel(contour), list(contour.Isosurfaces))
        self.select_in_panel(contour, "height")
        self.suggest(contour, OTHER_ISOVALUE)
        self.assertEqual(self.in_panel(contour), [OTHER_ISOVALUE])

    def test_isovalues_of_a_script_are_not_replaced(self):
        contours = [self.contour([OTHER_ISOVALUE]), self.new_contour(), self.new_contour()]
        contours[1].Isosurfaces = [OTHER_ISOVALUE]
        default = list(contours[2].Isosurfaces)
        contours[2].Isosurfaces = [OTHER_ISOVALUE]
        contours[2].Isosurfaces = default
        for contour in contours:
            isovalues = list(contour.Isosurfaces)
            self.select_in_panel(contour, "height")
            self.suggest(contour, ISOVALUE)
            self.assertEqual(self.in_panel(contour), isovalues)
            self.assertEqual(list(contour.Isosurfaces), isovalues)

    def test_an_array_that_a_script_selects_keeps_the_isovalue(self):
        contour = self.new_contour()
        default = list(contour.Isosurfaces)
        contour.ContourBy = ["CELLS", "height"]
        self.assertEqual(self.in_panel(contour), default)
        self.assertEqual(list(contour.Isosurfaces), default)

    def test_a_panel_that_applies_the_array_alone_applies_its_default_too(self):
        contour = self.new_contour()
        self.select_in_panel(contour, "height")
        contour.ContourBy = ["CELLS", "height"]
        self.assertEqual(list(contour.Isosurfaces), [MIDDLE_HEIGHT])

    # ---- information

    def test_information_describes_the_last_run(self):
        contour = self.information(self.contour())
        self.assertIn(contour.UsedDevice, plugin_test.device_names())
        for name in ("UploadTime", "IndexTime", "ExtractTime", "ReadbackTime"):
            self.assertGreaterEqual(getattr(contour, name), 0, name)
        self.assertGreater(contour.ExtractTime, 0)
        self.assertGreaterEqual(contour.TotalTime, contour.ExtractTime)
        self.assertGreater(contour.DeviceMemory, self.density.nbytes)
        self.assertEqual(contour.NumberOfBricks, 3 * 3 * 2)
        self.assertTrue(0 < contour.NumberOfActiveBricks <= contour.NumberOfBricks)

    def test_stages_have_a_time_each(self):
        contour = self.information(self.contour())
        stages = dict(zip(contour.StageNames, contour.StageTimes))
        self.assertEqual(len(stages), len(contour.StageTimes))
        for stage in ("Upload", "SelectBricks", "CountBricks", "EmitSurface", "Download"):
            self.assertGreaterEqual(stages[stage], 0, stage)

    def test_another_isovalue_uploads_nothing(self):
        contour = self.information(self.contour())
        self.assertGreater(contour.UploadTime + contour.IndexTime, 0)
        contour.Isosurfaces = [OTHER_ISOVALUE]
        self.information(contour)
        self.assertEqual((contour.UploadTime, contour.IndexTime), (0, 0))
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, OTHER_ISOVALUE))

    # ---- measures and regions

    RADIUS = 12

    def balls(self, *radii, **properties):
        """The closed surfaces of balls in a row along x, at the isovalue 0."""
        side = 2 * self.RADIUS + 8
        z, y, x = numpy.meshgrid(*(numpy.arange(n) + 0.5 for n in (side, side, side * len(radii))), indexing="ij")
        centres = [side * (i + 0.5) for i in range(len(radii))]
        heights = [r - numpy.sqrt((x - c) ** 2 + (y - side / 2) ** 2 + (z - side / 2) ** 2)
                   for r, c in zip(radii, centres)]
        source = plugin_test.producer_of(plugin_test.image_of(numpy.max(heights, axis=0).astype(numpy.float32)))
        return simple.VulkanMarchingCubes(Input=source, ContourBy=["CELLS", "density"], Isosurfaces=[0],
                                          Boundary="Close", **properties)

    def test_nothing_is_measured_by_default(self):
        contour = self.information(self.contour())
        self.assertEqual((contour.ComputeMeasures, contour.ComputeRegions, contour.Keep), (0, 0, "All"))
        self.assertEqual((contour.NumberOfKeptRegions, contour.LeastSize, list(contour.NearestTo)), (1, 100, [0, 0, 0]))
        for name in ("SurfaceArea", "EnclosedVolume", "OpenEdges", "SurfaceCentroid", "SurfaceBounds",
                     "VolumeAbove", "ShareOfDomain", "NumberOfRegions"):
            self.assertEqual(len(getattr(contour, name)), 0, name)
        mesh = plugin_test.surface(contour)
        self.assertFalse(mesh.GetPointData().HasArray("RegionId") or mesh.GetCellData().HasArray("RegionId"))
        self.assertEqual(servermanager.Fetch(contour, idx=1).GetNumberOfColumns(), 0)

    def test_a_ball_has_the_area_and_the_volume_of_mathematics(self):
        ball = self.information(self.balls(self.RADIUS, ComputeMeasures=1))
        area, volume = 4 * numpy.pi * self.RADIUS ** 2, 4 / 3 * numpy.pi * self.RADIUS ** 3
        numpy.testing.assert_allclose(list(ball.SurfaceArea), [area], rtol=0.02)
        numpy.testing.assert_allclose(list(ball.EnclosedVolume), [volume], rtol=0.02)
        self.assertEqual(list(ball.OpenEdges), [0])
        numpy.testing.assert_allclose(list(ball.VolumeAbove), [volume], rtol=0.02)
        self.assertEqual(list(ball.ShareOfDomain), [ball.VolumeAbove[0] / (2 * self.RADIUS + 8) ** 3])
        middle = self.RADIUS + 4
        numpy.testing.assert_allclose(list(ball.SurfaceCentroid), [middle] * 3, rtol=1e-3)
        numpy.testing.assert_allclose(list(ball.SurfaceBounds), [4, 2 * middle - 4] * 3, atol=0.1)

    def test_regions_are_numbered_and_listed_in_the_second_output(self):
        balls = self.information(self.balls(5, self.RADIUS, ComputeRegions=1))
        self.assertEqual(list(balls.NumberOfRegions), [2])
        self.assertEqual([balls.GetOutputPort(name).Port for name in ("Surface", "Regions")], [0, 1])
        mesh = plugin_test.surface(balls)
        for data in (mesh.GetPointData(), mesh.GetCellData()):
            self.assertEqual(set(plugin_test.vtk_to_numpy(data.GetArray("RegionId"))), {0, 1})
        table = servermanager.Fetch(balls, idx=1)
        self.assertEqual(table.GetNumberOfRows(), 2)
        self.assertEqual(sum(table.GetColumnByName("Triangles").GetValue(i) for i in range(2)), mesh.GetNumberOfPolys())
        numpy.testing.assert_allclose([table.GetColumnByName("EnclosedVolume").GetValue(i) for i in range(2)],
                                      [4 / 3 * numpy.pi * r ** 3 for r in (self.RADIUS, 5)], rtol=0.05)

    def test_regions_are_kept(self):
        least = 4 * numpy.pi * 8 ** 2
        for keep, count in (("All", 2), ("Largest", 1), ("At Least Area", 1), ("Touching Border", 0),
                            ("Not Touching Border", 2), ("Nearest To Point", 1)):
            with self.subTest(keep):
                balls = self.information(self.balls(5, self.RADIUS, ComputeRegions=1, Keep=keep, LeastSize=least))
                self.assertEqual(list(balls.NumberOfRegions), [count])

    # ---- errors

    def test_a_missing_array_is_an_error_and_leaves_nothing(self):
        contour = self.contour()
        contour.UpdatePipeline()
        contour.ContourBy = ["CELLS", "pressure"]
        with plugin_test.Errors() as errors:
            self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual(len(errors.texts), 1, errors.texts)
        contour.ContourBy = ["CELLS", "density"]
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, ISOVALUE))

    def test_a_ghost_array_of_a_wrong_length_is_an_error_and_leaves_nothing(self):
        image = self.volume.GetClientSideObject().GetOutputDataObject(0).NewInstance()
        image.ShallowCopy(self.volume.GetClientSideObject().GetOutputDataObject(0))
        plugin_test.add_cell_array(image, "vtkGhostType", plugin_test.flat(numpy.zeros(7, numpy.uint8)))
        self.volume = plugin_test.producer_of(image)
        contour = self.contour()
        with plugin_test.Errors() as errors:
            self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual(len(errors.texts), 1, errors.texts)

    # ---- sources that were not updated

    def test_the_only_array_of_a_source_that_was_not_updated_is_taken(self):
        whole = plugin_test.flying_edges(self.density, ISOVALUE)
        only = simple.PassArrays(Input=simple.XMLImageDataReader(FileName=[self.path]), CellDataArrays=["density"])
        contour = simple.VulkanMarchingCubes(Input=only, Isosurfaces=[ISOVALUE])
        self.assertEqual(plugin_test.counts(contour), whole)

    def test_a_source_of_several_arrays_that_was_not_updated_needs_contour_by(self):
        reader = simple.XMLImageDataReader(FileName=[self.path])
        contour = simple.VulkanMarchingCubes(Input=reader, Isosurfaces=[ISOVALUE])
        with plugin_test.Errors() as errors:
            self.assertEqual(plugin_test.counts(contour), (0, 0))
        self.assertEqual(len(errors.texts), 1, errors.texts)
        self.assertIn("set Contour By (in Python ContourBy", errors.texts[0])
        contour.ContourBy = ["CELLS", "density"]
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, ISOVALUE))

    # ---- state

    def test_a_state_file_brings_the_filter_back(self):
        contour = self.contour([OTHER_ISOVALUE, ISOVALUE], InterpolateAttributes=1, MemoryLimit=512)
        before = plugin_test.counts(contour)
        simple.RenameSource("surface", contour)
        path = os.path.join(self.folder.name, "state.pvsm")
        servermanager.SaveState(path)
        self.tearDown()
        self.assertIsNone(simple.FindSource("surface"))
        simple.LoadState(path)
        contour = simple.FindSource("surface")
        self.assertEqual(list(contour.ContourBy), ["CELLS", "density"])
        self.assertEqual(list(contour.Isosurfaces), [OTHER_ISOVALUE, ISOVALUE])
        self.assertEqual((contour.InterpolateAttributes, contour.MemoryLimit), (1, 512))
        self.assertEqual(plugin_test.counts(contour), before)

    def test_the_isovalue_of_a_state_file_is_not_replaced(self):
        contour = self.new_contour()
        default = list(contour.Isosurfaces)
        simple.RenameSource("surface", contour)
        path = os.path.join(self.folder.name, "state.pvsm")
        servermanager.SaveState(path)
        self.tearDown()
        simple.LoadState(path)
        contour = simple.FindSource("surface")
        self.select_in_panel(contour, "height")
        self.suggest(contour, OTHER_ISOVALUE)
        self.assertEqual(self.in_panel(contour), default)


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
