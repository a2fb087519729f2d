# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Information properties of the filter and of the representation: they describe the run that is on screen, and Python
reads what the panel shows.

usage: pvpython TestInformation.py
"""
import numpy
import pictures
import plugin_test
from paraview import simple

ISOVALUE = 0.5
OTHER_ISOVALUE = 0.25
HOST_STAGES = ("PrepareSamples", "Other")


class Information(plugin_test.VolumeTest):
    def setUp(self):
        super().setUp()
        self.view = pictures.create_view()

    def tearDown(self):
        pictures.delete_all()

    def contour(self, isovalues=(ISOVALUE,), **properties):
        return simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "density"], Isosurfaces=list(isovalues),
                                          **properties)

    def apply(self, contour):
        """What the panel's Apply does: it asks for information before the view executes the filter."""
        contour.UpdatePipelineInformation()
        simple.Render(self.view)

    def check_run(self, proxy, isovalue):
        points, triangles = plugin_test.flying_edges(self.density, isovalue)
        self.assertEqual((proxy.NumberOfPoints, proxy.NumberOfTriangles), (points, triangles))
        self.check_stages(proxy)

    def check_stages(self, proxy):
        """The names and times are those of one run, and the times add up to the total."""
        stages = dict(zip(proxy.StageNames, proxy.StageTimes))
        self.assertEqual((len(stages), len(proxy.StageNames)), (len(proxy.StageTimes), len(proxy.StageTimes)))
        for stage in HOST_STAGES:
            self.assertIn(stage, stages)
        self.assertGreater(proxy.TotalTime, 0)
        self.assertAlmostEqual(sum(proxy.StageTimes), proxy.TotalTime, delta=1e-9 * proxy.TotalTime)  # rounding
        return stages

    # ---- the run on screen

    def test_values_of_the_filter_are_those_of_the_run_on_screen(self):
        contour = self.contour()
        simple.Show(contour, self.view)
        self.apply(contour)
        self.check_run(contour, ISOVALUE)
        for isovalue in (OTHER_ISOVALUE, ISOVALUE):
            contour.Isosurfaces = [isovalue]
            self.apply(contour)
            self.check_run(contour, isovalue)

    def test_values_follow_an_update_without_a_view(self):
        contour = self.contour()
        for isovalue in (OTHER_ISOVALUE, ISOVALUE):
            contour.Isosurfaces = [isovalue]
            contour.UpdatePipeline()
            self.check_run(contour, isovalue)

    def test_values_follow_an_update_of_a_filter_downstream(self):
        contour = self.contour()
        smooth = simple.Smooth(Input=contour)
        for isovalue in (OTHER_ISOVALUE, ISOVALUE):
            contour.Isosurfaces = [isovalue]
            smooth.UpdatePipeline()
            self.check_run(contour, isovalue)

    def test_values_follow_an_animation(self):
        contour = self.contour()
        simple.Show(contour, self.view)
        track = simple.GetAnimationTrack("ContourValues", index=0, proxy=contour)
        track.KeyFrames = [simple.CompositeKeyFrame(KeyTime=0, KeyValues=[OTHER_ISOVALUE]),
                           simple.CompositeKeyFrame(KeyTime=1, KeyValues=[ISOVALUE])]
        scene = simple.GetAnimationScene()
        scene.PlayMode = "Sequence"
        scene.NumberOfFrames = 3
        scene.GoToFirst()
        self.check_run(contour, OTHER_ISOVALUE)
        scene.GoToNext()
        self.check_run(contour, 0.5 * (OTHER_ISOVALUE + ISOVALUE))
        scene.GoToNext()
        self.check_run(contour, ISOVALUE)

    def test_values_follow_time_steps(self):
        steps = simple.ProgrammableFilter(Input=self.volume, PythonPath="")
        steps.RequestInformationScript = (
            "executive = self.GetExecutive()\n"
            "info = executive.GetOutputInformation().GetInformationObject(0)\n"
            "info.Set(executive.TIME_STEPS(), [0.0, 1.0], 2)\n"
            "info.Set(executive.TIME_RANGE(), [0.0, 1.0], 2)\n")
        steps.Script = (
            "executive = self.GetExecutive()\n"
            "info = executive.GetOutputInformation().GetInformationObject(0)\n"
            "time = info.Get(executive.UPDATE_TIME_STEP()) if info.Has(executive.UPDATE_TIME_STEP()) else 0\n"
            "output.ShallowCopy(inputs[0].VTKObject)\n"
            "output.CellData.append(inputs[0].CellData['density'] + 0.25 * time, 'density')\n")
        steps.UpdatePipeline()
        contour = simple.VulkanMarchingCubes(Input=steps, ContourBy=["CELLS", "density"], Isosurfaces=[ISOVALUE])
        simple.Show(contour, self.view)
        scene = simple.GetAnimationScene()
        scene.UpdateAnimationUsingDataTimeSteps()
        shown = set()
        for time in (1, 0, 1, 0):
            scene.AnimationTime = time
            shown.add(self.view.ViewTime)
            self.check_run(contour, ISOVALUE - 0.25 * self.view.ViewTime)
        self.assertEqual(shown, {0, 1})

    def test_values_of_the_representation_are_those_of_the_frame(self):
        display = pictures.show_isosurface(self.volume, self.view, ContourBy=["CELLS", "density"])
        for isovalue in (OTHER_ISOVALUE, ISOVALUE):
            display.Isosurfaces = [isovalue]
            simple.Render(self.view)
            self.check_run(display, isovalue)
            self.assertIn(display.UsedDevice, plugin_test.device_names())
            self.assertEqual(display.NumberOfBricks, 3 * 3 * 2)
            self.assertTrue(0 < display.NumberOfActiveBricks <= display.NumberOfBricks)
            self.assertGreater(display.DeviceMemory, self.density.nbytes)

    # ---- stages

    def test_the_first_run_has_the_upload_and_the_next_one_has_not(self):
        contour = self.contour()
        contour.UpdatePipeline()
        self.assertIn("Upload", self.check_stages(contour))
        contour.Isosurfaces = [OTHER_ISOVALUE]
        contour.UpdatePipeline()
        stages = self.check_stages(contour)
        for stage in ("Upload", "BuildBrickRanges", "OpenDevice", "MakeKernels"):
            self.assertNotIn(stage, stages)

    def test_a_run_without_isovalues_has_a_time_and_a_note(self):
        contour = self.contour()
        contour.Isosurfaces = []
        contour.UpdatePipeline()
        self.check_stages(contour)
        self.assertEqual((contour.NumberOfTriangles, contour.Note), (0, "There are no isovalues."))

    # ---- notes

    def test_an_isovalue_outside_the_range_is_noted(self):
        contour = self.contour(isovalues=[ISOVALUE, 100.0, -3.0])
        display = pictures.show_isosurface(self.volume, self.view, ContourBy=["CELLS", "density"],
                                           Isosurfaces=[ISOVALUE, 100.0, -3.0])
        simple.Render(self.view)
        contour.UpdatePipeline()
        low, high = self.density.min(), self.density.max()
        expected = f'No surface at 100, -3: "density" ranges from {low:g} to {high:g}.'
        self.assertEqual((contour.Note, display.Note), (expected, expected))
        contour.Isosurfaces = display.Isosurfaces = [ISOVALUE]
        contour.UpdatePipeline()
        simple.Render(self.view)
        self.assertEqual((contour.Note, display.Note), ("", ""))

    def test_one_layer_of_cells_is_noted(self):
        layer = simple.ExtractSubset(Input=self.volume, VOI=[0, 5, 0, 4, 3, 4])
        layer.UpdatePipeline()
        contour = simple.VulkanMarchingCubes(Input=layer, ContourBy=["CELLS", "density"], Isosurfaces=[ISOVALUE])
        contour.UpdatePipeline()
        display = pictures.show_isosurface(layer, self.view, ContourBy=["CELLS", "density"], Isosurfaces=[ISOVALUE])
        expected = "No surface in 5 x 4 x 1 cells: it needs at least 2 along each axis, unless Boundary is Extend or Close."
        for mode in ("Triangles", "Rays"):
            display.Surface = mode
            simple.Render(self.view)
            self.assertEqual((contour.Note, display.Note), (expected, expected))

    # ---- components

    def vectors(self):
        """The volume with a cell array "velocity" of three components of different ranges."""
        image = self.volume.GetClientSideObject().GetOutputDataObject(0).NewInstance()
        image.ShallowCopy(self.volume.GetClientSideObject().GetOutputDataObject(0))
        values = numpy.random.default_rng(3).random((self.density.size, 3)) * [1, 2, 4] + [0, 10, 20]
        plugin_test.add_cell_array(image, "velocity", plugin_test.numpy_to_vtk(values, deep=True))
        self.volume = plugin_test.producer_of(image)
        return {-1: numpy.linalg.norm(values, axis=1), **{c: values[:, c] for c in range(3)}}

    def test_default_isovalues_are_the_middle_of_the_chosen_component(self):
        for component, values in self.vectors().items():
            with self.subTest(component=component):
                contour = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "velocity"],
                                                     ArrayComponent=component)
                middle = 0.5 * (values.min() + values.max())
                numpy.testing.assert_allclose(contour.Isosurfaces, [middle], rtol=1e-15)  # a root and a sum in double
                contour.UpdatePipeline()
                self.assertGreater(contour.NumberOfTriangles, 0)

    def test_the_range_follows_the_component(self):
        ranges = {c: [values.min(), values.max()] for c, values in self.vectors().items()}
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        display = pictures.show_isosurface(self.volume, self.view)
        for proxy, isovalues in ((contour, "ContourValues"), (display, "Isosurfaces")):
            proxy.ContourBy = ["CELLS", "velocity"]
            domain = proxy.GetProperty(isovalues).SMProperty.GetDomain("scalar_range")
            for component, expected in ranges.items():
                with self.subTest(proxy=proxy, component=component):
                    proxy.ArrayComponent = component
                    numpy.testing.assert_allclose([domain.GetMinimum(0), domain.GetMaximum(0)], expected, rtol=1e-15)
            proxy.ContourBy = ["CELLS", "density"]
            self.assertEqual([domain.GetMinimum(0), domain.GetMaximum(0)], [self.density.min(), self.density.max()])

    def test_the_component_is_set_by_its_number_or_its_name_and_read_as_a_number(self):
        self.vectors()
        contour = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "velocity"])
        histogram = simple.VulkanImageHistogram(Input=self.volume, Array=["CELLS", "velocity"])
        display = pictures.show_isosurface(self.volume, self.view, ContourBy=["CELLS", "velocity"])
        for proxy in (contour, display, histogram):
            for component, number in ((2, 2), (0, 0), (-1, -1), ("X", 0), ("Z", 2), ("Y", 1), ("Magnitude", -1)):
                with self.subTest(proxy=proxy, component=component):
                    proxy.ArrayComponent = component
                    self.assertEqual(proxy.ArrayComponent, number)
                    self.assertIs(type(proxy.ArrayComponent[0]), int)
                    self.assertEqual(proxy.GetProperty("ArrayComponent")[0], number)  # in the panel
            proxy.GetProperty("ArrayComponent").SetElement(0, 1)  # by the panel
            self.assertEqual(proxy.ArrayComponent, 1)
            proxy.ArrayComponent = contour.ArrayComponent
            self.assertEqual(proxy.ArrayComponent, contour.ArrayComponent)
            with self.assertRaises(ValueError):
                proxy.ArrayComponent = "W"
            self.assertEqual(proxy.ArrayComponent, contour.ArrayComponent)

    def test_names_of_components_are_those_of_the_array(self):
        self.vectors()
        image = self.volume.GetClientSideObject().GetOutputDataObject(0)
        image.GetCellData().GetArray("velocity").SetComponentName(1, "up")
        contour = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "velocity"], ArrayComponent="up")
        self.assertEqual(contour.ArrayComponent, 1)
        contour.UpdatePipeline()
        by_number = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "velocity"], ArrayComponent=1)
        by_number.UpdatePipeline()
        self.assertGreater(contour.NumberOfTriangles, 0)
        self.assertEqual(contour.NumberOfTriangles, by_number.NumberOfTriangles)

    def test_the_name_of_a_component_of_a_vector_needs_no_updated_source(self):
        wavelet = simple.Wavelet()
        velocity = simple.Gradient(Input=wavelet)  # not updated
        contour = simple.VulkanMarchingCubes(Input=velocity, ContourBy=["POINTS", "Gradient"], ArrayComponent="Z",
                                             Isosurfaces=[1.0])
        self.assertEqual(contour.ArrayComponent, 2)

    # ---- names in Python

    def test_information_is_an_attribute_with_a_docstring(self):
        contour = self.contour()
        display = pictures.show_isosurface(self.volume, self.view)
        both = ("DeviceNames", "DeviceKinds", "UsedDevice", "FallbackReason", "Note", "StageNames", "StageTimes",
                "TotalTime", "NumberOfTriangles", "NumberOfPoints", "NumberOfActiveBricks", "NumberOfBricks",
                "DeviceMemory")
        for proxy, names in ((contour, both + ("UploadTime", "IndexTime", "ExtractTime", "ReadbackTime", "SurfaceArea",
                                              "EnclosedVolume", "OpenEdges", "SurfaceCentroid", "SurfaceBounds",
                                              "VolumeAbove", "ShareOfDomain", "NumberOfRegions")),
                             (display, both + ("DrawnBy",))):
            for name in names:
                with self.subTest(name=name):
                    attribute = getattr(type(proxy), name)
                    getattr(proxy, name)
                    unit = "in ms" if "Time" in name else "in bytes" if "Memory" in name else ""
                    self.assertIn(unit, " ".join(attribute.__doc__.split()))

    def test_units_are_part_of_the_panel(self):
        contour = self.contour()
        display = pictures.show_isosurface(self.volume, self.view)
        for proxy in (contour, display):
            for name, unit in (("TotalTime", "(ms)"), ("DeviceMemory", "(bytes)"), ("MemoryLimit", "(MiB)")):
                hints = proxy.GetProperty(name).SMProperty.GetHints()
                label = hints.FindNestedElementByName("ShowComponentLabels").FindNestedElementByName("ComponentLabel")
                self.assertEqual(label.GetAttribute("label"), unit)

    def test_devices_have_names_and_kinds(self):
        contour = self.contour()
        display = pictures.show_isosurface(self.volume, self.view)
        simple.Render(self.view)
        for proxy in (contour, display):
            self.assertEqual(list(proxy.DeviceNames), [*plugin_test.device_names(), "CPU"])
            self.assertEqual(len(proxy.DeviceKinds), len(proxy.DeviceNames))
            for kind in proxy.DeviceKinds:
                self.assertIn(kind, ("discrete GPU", "virtual GPU", "integrated GPU", "software", "other", "threads"))
            labels = [f"{name} ({kind})" for name, kind in zip(proxy.DeviceNames, proxy.DeviceKinds)]
            self.assertEqual(list(proxy.GetProperty("Device").Available), ["Automatic", *labels])


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
