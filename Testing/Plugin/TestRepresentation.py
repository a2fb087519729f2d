# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the representation "Vulkan Isosurface" in scripts. The filter, shown as Surface with the same settings and the
same camera, is the reference of the pictures.

usage: pvpython TestRepresentation.py
"""
import os

import numpy
import pictures
import plugin_test
from paraview import servermanager, simple, smstate
from pictures import TYPE, covered, differing, picture, strange
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersGeneral import vtkImageDataToPointSet

ISOVALUE = 0.5
OTHER_ISOVALUE = 0.25
# Pixels, 0.1 % of the view: positions are rounded in another way, which adds or removes pixels at silhouettes. Two
# translucent surfaces in front of each other differ in 31.
SILHOUETTE = 90
# ParaView 5.13 gave the property another name.
POSITION = "Translation" if plugin_test.PARAVIEW >= (5, 13) else "Position"


def enumeration(proxy, name):
    """The entries of a property, as (text, value)."""
    domain = proxy.SMProxy.GetProperty(name).FindDomain("vtkSMEnumerationDomain")
    return [(domain.GetEntryText(i), domain.GetEntryValue(i)) for i in range(domain.GetNumberOfEntries())]


class Representation(plugin_test.VolumeTest):
    def setUp(self):
        super().setUp()
        self.view = pictures.create_view()

    def tearDown(self):
        pictures.delete_all()

    def triangles(self, *isovalues):
        return sum(plugin_test.flying_edges(self.density, isovalue)[1] for isovalue in isovalues)

    def show(self, view=None, isovalues=(ISOVALUE,), **properties):
        display = pictures.show_isosurface(self.volume, view or self.view,
                                           **{"ContourBy": ["CELLS", "density"], "Isosurfaces": list(isovalues),
                                              **properties})
        simple.Render(view or self.view)
        return display

    def show_filter(self, isovalues=(ISOVALUE,), settings=None, **properties):
        """The reference in a view of its own."""
        view = pictures.create_view()
        contour = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "density"],
                                             Isosurfaces=list(isovalues), **(settings or {}))
        return view, pictures.show_surface(contour, view, **properties)

    def assert_same_picture(self, view, reference):
        shown, expected = picture(view), picture(reference)
        self.assertGreater(covered(expected), 5000)
        self.assertLessEqual(differing(shown, expected), SILHOUETTE)

    # ---- the type, its properties and their defaults

    def test_images_have_the_type_and_other_data_has_not(self):
        display = simple.Show(self.volume, self.view)
        self.assertIn(TYPE, list(display.GetProperty("Representation").Available))
        sphere = simple.Show(simple.Sphere(), self.view)
        self.assertNotIn(TYPE, list(sphere.GetProperty("Representation").Available))

    def test_defaults_are_those_of_the_filter(self):
        display = simple.Show(self.volume, self.view)
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        self.assertEqual(list(display.ContourBy), list(contour.ContourBy))
        self.assertEqual(list(display.Isosurfaces), list(contour.Isosurfaces))
        for name in ("ArrayComponent", "Boundary", "ComputeNormals", "Device", "MemoryLimit", "Fallback"):
            self.assertEqual(getattr(display, name), getattr(contour, name), name)
        self.assertEqual((display.Surface, display.EdgeVisibility), ("Triangles", 0))

    def test_the_surface_has_three_modes(self):
        display = simple.Show(self.volume, self.view)
        self.assertEqual(enumeration(display, "Surface"), [("Triangles", 0), ("Rays", 1), ("Rays While Moving", 2)])

    def test_every_property_is_documented_and_labels_are_those_of_the_filter(self):
        names = {"SelectInputScalars": "ContourBy", "ContourValues": "Isosurfaces"}
        prototype = servermanager.ProxyManager().GetPrototypeProxy("filters", "VulkanMarchingCubes")
        display = simple.Show(self.volume, self.view).SMProxy
        for name in ("SelectInputScalars", "ArrayComponent", "ContourValues", "Boundary", "ComputeNormals", "Device",
                     "MemoryLimit", "Fallback"):
            self.assertEqual(display.GetProperty(names.get(name, name)).GetXMLLabel(),
                             prototype.GetProperty(name).GetXMLLabel())
        for name in ("ContourBy", "ArrayComponent", "Isosurfaces", "Boundary", "ComputeNormals", "Device",
                     "MemoryLimit", "Fallback", "Surface", "EdgeVisibility", "DrawnBy", "NumberOfTriangles"):
            documentation = display.GetProperty(name).GetDocumentation()
            self.assertTrue(documentation and documentation.GetDescription().strip(), name)

    def test_enumerations_are_those_of_the_filter(self):
        display = simple.Show(self.volume, self.view)
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        for name, count in (("Boundary", 3), ("Fallback", 2)):
            entries = [enumeration(proxy, name) for proxy in (display, contour)]
            self.assertEqual(len(entries[0]), count)
            self.assertEqual(*entries)
            self.assertEqual(list(display.GetProperty(name).Available), list(contour.GetProperty(name).Available))

    # ---- the display of the filter

    def show_new_filter(self, **properties):
        contour = simple.VulkanMarchingCubes(Input=self.volume, **properties)
        return contour, simple.Show(contour, self.view)

    def test_a_surface_of_one_isovalue_has_one_colour(self):
        display = self.show_new_filter()[1]
        self.assertEqual(display.ColorArrayName[1], "")
        self.assertEqual(list(display.DiffuseColor), [1, 1, 1])

    def test_surfaces_of_several_isovalues_have_colours_and_a_legend(self):
        contour, display = self.show_new_filter(ContourBy=["CELLS", "density"], Isosurfaces=[0.25, 0.5])
        self.assertEqual(list(display.ColorArrayName), ["POINTS", "density"])
        display.SetScalarBarVisibility(self.view, True)
        legend = simple.GetScalarBar(display.LookupTable, self.view)
        self.assertEqual((legend.UseCustomLabels, legend.AddRangeLabels, list(legend.CustomLabels)), (1, 0, [0.25, 0.5]))
        contour.Isosurfaces = [0.25, 0.375, 0.5]
        simple.Render(self.view)
        self.assertEqual(list(legend.CustomLabels), [0.25, 0.375, 0.5])
        legend.CustomLabels = [0.3]  # chosen by the user
        contour.Isosurfaces = [0.25]
        simple.Render(self.view)
        self.assertEqual(list(legend.CustomLabels), [0.3])

    def test_a_legend_that_others_share_keeps_its_labels(self):
        image = simple.Show(self.volume, self.view)
        image.Representation = "Surface"
        simple.ColorBy(image, ("CELLS", "density"))
        display = self.show_new_filter(ContourBy=["CELLS", "density"], Isosurfaces=[0.25, 0.5])[1]
        display.SetScalarBarVisibility(self.view, True)
        self.assertEqual(simple.GetScalarBar(display.LookupTable, self.view).UseCustomLabels, 0)

    def test_a_legend_that_others_come_to_share_gets_its_labels_back(self):
        contour, display = self.show_new_filter(ContourBy=["CELLS", "density"], Isosurfaces=[0.25, 0.5])
        display.SetScalarBarVisibility(self.view, True)
        legend = simple.GetScalarBar(display.LookupTable, self.view)
        self.assertEqual(legend.UseCustomLabels, 1)
        image = simple.Show(self.volume, self.view)
        image.Representation = "Surface"
        simple.ColorBy(image, ("CELLS", "density"))
        contour.Isosurfaces = [0.25, 0.375]
        simple.Render(self.view)
        self.assertEqual((legend.UseCustomLabels, legend.AddRangeLabels), (0, 1))

    def test_a_legend_that_was_there_is_labelled_with_the_second_isovalue(self):
        contour, display = self.show_new_filter(ContourBy=["CELLS", "density"], Isosurfaces=[0.25])
        simple.ColorBy(display, ("POINTS", "density"))
        display.SetScalarBarVisibility(self.view, True)
        legend = simple.GetScalarBar(display.LookupTable, self.view)
        self.assertEqual(legend.UseCustomLabels, 0)
        contour.Isosurfaces = [0.25, 0.5]
        simple.Render(self.view)
        self.assertEqual((legend.UseCustomLabels, list(legend.CustomLabels)), (1, [0.25, 0.5]))
        legend.UseCustomLabels = 0  # chosen by the user
        contour.Isosurfaces = [0.25, 0.375]
        simple.Render(self.view)
        self.assertEqual(legend.UseCustomLabels, 0)

    def test_a_state_file_keeps_the_labels_of_the_user(self):
        contour, display = self.show_new_filter(ContourBy=["CELLS", "density"], Isosurfaces=[0.25, 0.5])
        display.SetScalarBarVisibility(self.view, True)
        legend = simple.GetScalarBar(display.LookupTable, self.view)
        legend.CustomLabels, legend.AddRangeLabels = [], 0
        simple.Render(self.view)
        simple.RenameSource("surface", contour)
        path = os.path.join(self.folder.name, "state.pvsm")
        servermanager.SaveState(path)
        pictures.delete_all()
        simple.LoadState(path)
        self.view = simple.GetActiveView()
        simple.Render(self.view)
        display = simple.GetDisplayProperties(simple.FindSource("surface"), self.view)
        legend = simple.GetScalarBar(display.LookupTable, self.view)
        self.assertEqual((legend.UseCustomLabels, legend.AddRangeLabels, list(legend.CustomLabels)), (1, 0, []))

    def test_surface_of_a_seen_image_looks_as_it_did(self):
        styles = ({"DiffuseColor": [1, 0, 0], "Specular": 1.0, POSITION: [5.0, 0.0, 0.0]}, {"Opacity": 0.5},
                  {"array": "density"}, {"array": "height"}, {"array": "density", "isovalues": [0.25, 0.5]})
        for style in styles:
            with self.subTest(style=style):
                style = dict(style)
                array, isovalues = style.pop("array", None), style.pop("isovalues", [ISOVALUE])
                image = self.show(isovalues=isovalues, **style)
                simple.ColorBy(image, ("CELLS", array) if array else None)
                seen = picture(self.view)
                display = self.show_new_filter()[1]
                isovalue_alone = len(isovalues) == 1 and array == "density"
                self.assertEqual(display.ColorArrayName[1], "" if isovalue_alone else array or "")
                simple.Hide(self.volume, self.view)
                self.assertGreater(covered(seen), 3000)
                self.assertLessEqual(differing(picture(self.view), seen), SILHOUETTE)
                self.tearDown()
                self.setUp()

    # ---- pictures

    def test_the_picture_is_that_of_the_filter(self):
        self.show()
        self.assert_same_picture(self.view, self.show_filter()[0])

    def test_another_isovalue_is_another_picture(self):
        self.show()
        self.assertGreater(differing(picture(self.view), picture(self.show_filter([OTHER_ISOVALUE])[0])), 5000)

    def test_boundary_and_normals_are_those_of_the_filter(self):
        for boundary, normals in (("Extend", 0), ("Close", 1)):
            with self.subTest(boundary=boundary, normals=normals):
                display = self.show(isovalues=[0.05], Boundary=boundary, ComputeNormals=normals)
                reference, _ = self.show_filter([0.05], {"Boundary": boundary, "ComputeNormals": normals})
                self.assert_same_picture(self.view, reference)
                simple.Delete(display)

    def test_the_surface_of_the_cpu_is_drawn_from_host_memory(self):
        display = self.show(Device="CPU")
        self.assertTrue(plugin_test.is_cpu(display.UsedDevice), display.UsedDevice)
        self.assertEqual(display.DrawnBy, "OpenGL from host memory: The CPU computes the surface.")
        self.assert_same_picture(self.view, self.show_filter()[0])

    def test_style_is_that_of_a_surface(self):
        styles = ({"Specular": 1.0, "SpecularPower": 20.0, "SpecularColor": [0, 1, 0]},
                  {"Opacity": 0.5, "Ambient": 0.5, "Diffuse": 0.25, "Interpolation": "Flat"},
                  {"Interpolation": "PBR", "Metallic": 0.5},
                  {POSITION: [5.0, 0.0, 0.0], "Orientation": [0.0, 30.0, 0.0], "Scale": [1.0, 1.0, 1.5]})
        for style in styles:
            with self.subTest(style=style):
                plain = self.show()
                before = picture(self.view)
                for name, value in style.items():
                    setattr(plain, name, value)
                self.assert_same_picture(self.view, self.show_filter(**style)[0])
                self.assertGreater(differing(picture(self.view), before), 500)
                self.tearDown()
                self.setUp()

    def test_edges_are_those_of_a_surface_with_edges(self):
        display = self.show()
        before = picture(self.view)
        display.EdgeVisibility = 1
        display.EdgeColor = [0, 0, 1]
        display.LineWidth = 2
        reference, surface = self.show_filter(EdgeColor=[0, 0, 1], LineWidth=2)
        surface.Representation = "Surface With Edges"
        self.assert_same_picture(self.view, reference)
        self.assertGreater(differing(picture(self.view), before), 1000)

    def test_each_isovalue_has_its_colour(self):
        display = self.show(isovalues=[OTHER_ISOVALUE, ISOVALUE], Opacity=0.6)
        simple.ColorBy(display, ("CELLS", "density"))
        display.SetScalarBarVisibility(self.view, True)
        reference, surface = self.show_filter([OTHER_ISOVALUE, ISOVALUE], Opacity=0.6)
        simple.ColorBy(surface, ("POINTS", "density"))
        surface.SetScalarBarVisibility(reference, True)
        simple.GetColorTransferFunction("density").RescaleTransferFunction(0, 1)
        self.assert_same_picture(self.view, reference)
        display.SetScalarBarVisibility(self.view, False)
        self.assertGreater(differing(picture(self.view), picture(reference)), 100)

    def test_another_array_is_interpolated(self):
        display = self.show()
        simple.ColorBy(display, ("CELLS", "height"))
        reference, surface = self.show_filter(settings={"InterpolateAttributes": 1})
        simple.ColorBy(surface, ("POINTS", "height"))
        simple.GetColorTransferFunction("height").RescaleTransferFunction(0, plugin_test.CELLS[2])
        self.assert_same_picture(self.view, reference)

    def test_the_scale_of_colours_is_the_range_of_the_image(self):
        display = self.show()
        simple.ColorBy(display, ("CELLS", "height"))
        display.RescaleTransferFunctionToDataRange()
        points = list(simple.GetColorTransferFunction("height").RGBPoints)
        self.assertEqual((points[0], points[-4]), (0, plugin_test.CELLS[2] - 1))

    def test_colours_of_the_other_association_are_refused_with_a_sentence(self):
        self.volume = simple.CellDatatoPointData(Input=self.volume, PassCellData=1)
        self.volume.UpdatePipeline()
        display = self.show()
        messages = plugin_test.Messages(self.representation())
        display.Representation = "Surface"
        simple.ColorBy(display, ("POINTS", "density"))
        simple.Render(self.view)
        self.assertEqual(messages.warnings, 0)
        display.Representation = TYPE
        shown = picture(self.view)
        simple.Render(self.view)
        self.assertEqual((messages.warnings, messages.errors), (1, 0))
        display.ColorArrayName = [None, ""]
        self.assertEqual(differing(shown, picture(self.view)), 0)

    def representation(self):
        """The proxy of this type of representation in the view."""
        composite = self.view.Representations[0].SMProxy.GetClientSideObject()

        class Holder:
            @staticmethod
            def GetClientSideObject():
                return composite.GetActiveRepresentation()

        return Holder

    # ---- levels, blocks and rectilinear grids

    def other_grids(self):
        """The volume as levels, as two blocks of one lattice, as two blocks of two lattices, and at other distances."""
        east, west = ([0, 9, 0, 18, 0, 14], [9, 20, 0, 18, 0, 14])
        halves = [simple.ExtractSubset(Input=self.volume, VOI=extent) for extent in (east, west)]
        moved = plugin_test.image_of(self.density[:, :, 9:], origin=(9.25, 0, 0))
        plugin_test.add_cell_array(moved, "height", plugin_test.flat(plugin_test.height()[:, :, 9:]))
        grid = plugin_test.grid_of(self.density, [numpy.arange(n + 1) ** 1.1 for n in plugin_test.CELLS])
        plugin_test.add_cell_array(grid, "height", plugin_test.flat(plugin_test.height()))
        yield "levels", simple.ImageDataToAMR(Input=self.volume)
        yield "one lattice", simple.GroupDatasets(Input=halves)
        yield "two lattices", simple.GroupDatasets(Input=[halves[0], plugin_test.producer_of(moved)])
        yield "rectilinear", plugin_test.producer_of(grid)

    def test_the_pictures_of_other_grids_are_those_of_the_filter(self):
        for name, source in self.other_grids():
            with self.subTest(name=name), plugin_test.Errors() as errors:
                source.UpdatePipeline()
                self.volume, self.view = source, pictures.create_view()
                display = simple.Show(source, self.view)
                self.assertIn(TYPE, list(display.GetProperty("Representation").Available))
                self.assertEqual(list(display.ContourBy), ["CELLS", "density"])
                self.assertEqual(len(display.Isosurfaces), 1)
                display = self.show(Surface="Rays")
                reference, surface = self.show_filter(settings={"InterpolateAttributes": 1})
                self.assert_same_picture(self.view, reference)
                triangles = surface.Input.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPolys()
                self.assertEqual(display.NumberOfTriangles, triangles)
                self.assertIn("Blocks and rectilinear grids are drawn with triangles." if name != "two lattices" else
                              "vtkPolyDataMapper", display.DrawnBy)
                simple.ColorBy(display, ("CELLS", "height"))
                simple.ColorBy(surface, ("POINTS", "height"))
                simple.GetColorTransferFunction("height").RescaleTransferFunction(0, plugin_test.CELLS[2])
                self.assert_same_picture(self.view, reference)
                self.assertEqual(errors.texts, [])

    def test_a_missing_array_of_blocks_shows_the_outline(self):
        self.volume = simple.GroupDatasets(Input=[self.volume])
        self.volume.UpdatePipeline()
        with plugin_test.Errors() as errors:
            self.check_outline(self.show(ContourBy=["CELLS", "pressure"]), 'There is no numeric cell array "pressure". '
                               "Cell arrays: density, height. Point arrays: none.", errors)

    # ---- rays

    def assert_same_areas(self, shown, expected):
        """One pixel at silhouettes may differ. Where a ray grazes the surface, it meets the interpolated surface and
        passes the triangles, or the other way round."""
        self.assertGreater(covered(expected), 5000)  # so that the silhouette is a small part
        self.assertLessEqual(max(strange(shown, expected), strange(expected, shown)), SILHOUETTE)

    def test_rays_show_the_surface_of_triangles(self):
        flat = {"Ambient": 1, "Diffuse": 0}  # each area has one colour
        self.view.UseFXAA = 0  # it smooths silhouettes
        display = self.show(isovalues=[OTHER_ISOVALUE, ISOVALUE], Opacity=1, **flat)
        simple.ColorBy(display, ("CELLS", "density"))
        simple.GetColorTransferFunction("density").RescaleTransferFunction(0, 1)
        for isovalues in ([OTHER_ISOVALUE, ISOVALUE], [0.7, 0.6], [ISOVALUE]):
            with self.subTest(isovalues=isovalues):
                display.Isosurfaces = isovalues
                display.Surface = "Triangles"
                expected = picture(self.view)
                self.assertEqual(display.NumberOfTriangles, self.triangles(*isovalues))
                display.Surface = "Rays"
                self.assert_same_areas(picture(self.view), expected)
                self.assertEqual((display.DrawnBy, display.NumberOfTriangles), ("rays", 0))
                display.Isosurfaces = [0.1]
                self.assertGreater(strange(picture(self.view), expected), 5000)

    def drawn_while_moving(self, display):
        """How an interactive frame is drawn. Information is updated after still frames only."""
        self.view.SMProxy.InteractiveRender()
        display.UpdatePropertyInformation()
        return display.DrawnBy

    def test_rays_are_drawn_while_something_moves(self):
        display = self.show(Surface="Rays While Moving")
        still = picture(self.view)
        for _ in range(2):
            simple.Render(self.view)
            triangles = display.DrawnBy
            self.assertTrue(triangles.startswith("OpenGL"), triangles)
            self.assertEqual(display.NumberOfTriangles, self.triangles(ISOVALUE))
            self.assertEqual(self.drawn_while_moving(display), "rays")
            self.assertEqual(display.NumberOfTriangles, 0)
            self.assertEqual(differing(picture(self.view), still, 0), 0)
        display.Surface = "Triangles"
        simple.Render(self.view)
        self.assertEqual(self.drawn_while_moving(display), triangles)

    def test_edges_are_drawn_with_triangles(self):
        display = self.show(Surface="Rays", EdgeVisibility=1)
        self.assertIn("Edges are drawn with triangles.", display.DrawnBy)
        self.assertEqual(display.NumberOfTriangles, self.triangles(ISOVALUE))
        display.EdgeVisibility = 0
        simple.Render(self.view)
        self.assertEqual(display.DrawnBy, "rays")

    def test_a_missing_array_shows_the_outline_in_place_of_rays(self):
        display = self.show(Surface="Rays")
        before = picture(self.view)
        display.ContourBy = ["CELLS", "pressure"]
        with plugin_test.Errors() as errors:
            simple.Render(self.view)
            self.view.CameraViewAngle = 20
            simple.Render(self.view)
        self.assertTrue(display.DrawnBy.startswith("outline: There is no numeric"), display.DrawnBy)
        self.assertEqual(len(errors.texts), 1, errors.texts)
        self.view.CameraViewAngle = 30
        display.ContourBy = ["CELLS", "density"]
        self.assertEqual(differing(picture(self.view), before, 0), 0)

    def test_states_keep_the_mode(self):
        self.show(Surface="Rays")
        before = picture(self.view)
        simple.RenameSource("image", self.volume)
        self.assertRegex(smstate.get_state(), r"\bSurface ?= ?'Rays'")
        path = os.path.join(self.folder.name, "rays.pvsm")
        servermanager.SaveState(path)
        pictures.delete_all()
        simple.LoadState(path)
        self.volume, self.view = simple.FindSource("image"), simple.GetActiveView()
        display = simple.GetDisplayProperties(self.volume, self.view)
        self.assertEqual(display.Surface, "Rays")
        self.assertEqual(differing(picture(self.view), before, 0), 0)
        self.assertEqual(display.DrawnBy, "rays")

    # ---- behaviour

    def test_a_setting_acts_at_once(self):
        display = self.show()
        executed = self.volume.GetClientSideObject().GetMTime()
        self.assertEqual(display.NumberOfTriangles, self.triangles(ISOVALUE))
        display.Isosurfaces = [OTHER_ISOVALUE, ISOVALUE]
        simple.Render(self.view)
        self.assertEqual(display.NumberOfTriangles, self.triangles(OTHER_ISOVALUE, ISOVALUE))
        self.assertEqual(self.volume.GetClientSideObject().GetMTime(), executed)
        self.assertTrue(display.DrawnBy)
        self.assertNotIn("outline", display.DrawnBy)

    def test_hidden_it_is_gone_and_shown_it_is_back(self):
        display = self.show()
        before = picture(self.view)
        simple.Hide(self.volume, self.view)
        self.assertEqual(covered(picture(self.view)), 0)
        self.assertEqual((display.DrawnBy, display.NumberOfTriangles), ("nothing: The representation is hidden.", 0))
        simple.Show(self.volume, self.view)
        self.assertEqual(differing(picture(self.view), before, 0), 0)
        display.Representation = "Outline"
        self.assertLess(covered(picture(self.view)), 5000)
        self.assertEqual(display.NumberOfTriangles, 0)
        display.Representation = TYPE
        self.assertEqual(differing(picture(self.view), before, 0), 0)

    def test_another_type_keeps_the_common_properties(self):
        display = self.show(Opacity=0.5)
        display.Representation = "Surface"
        self.assertEqual((display.Opacity, list(display.DiffuseColor)), (0.5, [1, 0.5, 0.25]))
        display.Opacity = 0.75
        display.Representation = TYPE
        self.assert_same_picture(self.view, self.show_filter(Opacity=0.75)[0])

    def test_a_surface_with_edges_becomes_an_isosurface_without(self):
        display = self.show()
        before = picture(self.view)
        display.Representation = "Surface With Edges"
        simple.Render(self.view)
        display.Representation = TYPE
        self.assertEqual(differing(picture(self.view), before, 0), 0)

    def test_each_view_has_its_isosurface(self):
        second = pictures.create_view()
        self.show()
        self.show(second, [OTHER_ISOVALUE])
        self.assert_same_picture(self.view, self.show_filter()[0])
        self.assert_same_picture(second, self.show_filter([OTHER_ISOVALUE])[0])

    def test_a_closed_view_leaves_the_other_as_it_is(self):
        layout = simple.CreateLayout()
        second = pictures.create_view()
        simple.AssignViewToLayout(self.view, layout, hint=0)
        simple.AssignViewToLayout(second, layout, hint=0)
        display = self.show()
        self.show(second, [OTHER_ISOVALUE])
        simple.RenderAllViews()
        simple.Delete(second)
        for isovalue in (ISOVALUE, OTHER_ISOVALUE, ISOVALUE):
            with self.subTest(isovalue=isovalue):
                display.Isosurfaces = [isovalue]
                simple.Render(self.view)
                self.assertEqual(display.NumberOfTriangles, self.triangles(isovalue))
                self.assert_same_picture(self.view, self.show_filter([isovalue])[0])
        simple.Delete(layout)

    def test_linked_cameras_show_the_same(self):
        second = pictures.create_view()
        second.CameraPosition = [100, 0, 0]
        self.show()
        self.show(second)
        before = picture(self.view)
        self.assertGreater(differing(before, picture(second)), 5000)
        simple.AddCameraLink(self.view, second, "cameras")
        self.addCleanup(simple.RemoveCameraLink, "cameras")
        for view, position in ((self.view, [40, 0, 20]), (second, [0, -40, 10])):
            view.CameraPosition = position
            shown = picture(self.view)
            self.assertGreater(differing(shown, before), 5000)
            self.assertEqual(differing(shown, picture(second), 0), 0)

    def test_a_second_frame_changes_nothing(self):
        display = self.show(EdgeVisibility=1)
        simple.ColorBy(display, ("CELLS", "density"))
        simple.Render(self.view)
        actor = self.representation().GetClientSideObject().GetActor()
        before = actor.GetMapper().GetMTime(), actor.GetProperty().GetMTime()
        self.view.CameraViewAngle = 20
        simple.Render(self.view)
        self.assertEqual((actor.GetMapper().GetMTime(), actor.GetProperty().GetMTime()), before)

    def test_a_new_image_is_seen(self):
        whole = self.show().NumberOfTriangles
        self.volume = simple.ExtractSubset(Input=self.volume, VOI=[0, 10, 0, 18, 0, 14])
        half = self.show()
        simple.Hide(self.volume.Input, self.view)
        simple.Render(self.view)
        self.assertGreater(half.NumberOfTriangles, 0)
        self.assertLess(half.NumberOfTriangles, whole)
        self.volume.VOI = [0, 20, 0, 18, 0, 14]
        simple.Render(self.view)
        self.assertEqual(half.NumberOfTriangles, self.triangles(ISOVALUE))

    def test_the_isovalue_can_be_animated(self):
        display = self.show()
        track = simple.GetAnimationTrack("Isosurfaces", 0, display)
        track.KeyFrames = [simple.CompositeKeyFrame(KeyTime=0, KeyValues=[OTHER_ISOVALUE]),
                           simple.CompositeKeyFrame(KeyTime=1, KeyValues=[ISOVALUE])]
        scene = simple.GetAnimationScene()
        scene.NumberOfFrames = 3
        seen = []
        for isovalue in (OTHER_ISOVALUE, 0.5 * (OTHER_ISOVALUE + ISOVALUE), ISOVALUE):
            if seen:
                scene.GoToNext()
            else:
                scene.GoToFirst()
            simple.Render(self.view)
            seen.append(display.NumberOfTriangles)
            self.assertEqual(seen[-1], self.triangles(isovalue))

    def test_it_cannot_be_selected(self):
        self.show()
        before = picture(self.view)
        for select in (simple.SelectSurfacePoints, simple.SelectSurfaceCells):
            select(Rectangle=[0, 0, pictures.SIZE, pictures.SIZE], View=self.view)
            self.assertEqual(differing(picture(self.view), before, 0), 0)

    def test_a_state_file_brings_it_back(self):
        self.show(isovalues=[OTHER_ISOVALUE], Boundary="Close", Opacity=0.5, EdgeVisibility=1, MemoryLimit=512)
        before = picture(self.view)
        simple.RenameSource("image", self.volume)
        path = os.path.join(self.folder.name, "state.pvsm")
        servermanager.SaveState(path)
        pictures.delete_all()
        simple.LoadState(path)
        self.volume, self.view = simple.FindSource("image"), simple.GetActiveView()
        display = simple.GetDisplayProperties(self.volume, self.view)
        self.assertEqual(str(display.Representation).strip("'"), TYPE)
        self.assertEqual((list(display.Isosurfaces), display.Boundary, display.EdgeVisibility, display.MemoryLimit),
                         ([OTHER_ISOVALUE], "Close", 1, 512))
        self.assertEqual(differing(picture(self.view), before, 0), 0)

    # ---- what cannot be shown

    def check_outline(self, display, sentence, errors):
        """One error per new state, and the outline of the input."""
        simple.Render(self.view)
        shown = picture(self.view)
        self.assertEqual(display.DrawnBy, f"outline: {sentence}")
        self.assertEqual(len(errors.texts), 1, errors.texts)
        outline = pictures.create_view()
        pictures.decorate(simple.Show(self.volume, outline), {"Representation": "Outline"})
        expected = picture(outline)
        self.assertGreater(covered(expected), 500)
        # Lines are one pixel wide: rounding moves some of their pixels.
        self.assertLessEqual(numpy.count_nonzero((shown.max(axis=2) > 0) != (expected.max(axis=2) > 0)), 100)

    def test_a_missing_array_shows_the_outline_until_it_is_there(self):
        display = self.show()
        before = picture(self.view)
        display.ContourBy = ["CELLS", "pressure"]
        with plugin_test.Errors() as errors:
            self.check_outline(display, 'There is no numeric cell array "pressure". Cell arrays: density, height. '
                                        "Point arrays: none.", errors)
        display.ContourBy = ["CELLS", "density"]
        self.assertEqual(differing(picture(self.view), before, 0), 0)

    def test_a_flat_image_shows_the_outline(self):
        self.volume = simple.ExtractSubset(Input=self.volume, VOI=[0, 20, 0, 18, 5, 5])
        with plugin_test.Errors() as errors:
            self.check_outline(self.show(), "The image has 21 x 19 x 1 points; an isosurface needs at least 2 points "
                                            "along each axis.", errors)

    def test_an_unknown_device_shows_the_outline_and_lists_the_devices(self):
        with plugin_test.Errors() as errors:
            display = self.show(Device="abacus")
            labels = [f"{name} ({kind})" for name, kind in zip(display.DeviceNames, display.DeviceKinds)]
            self.check_outline(display, f'There is no device "abacus". The devices are: {", ".join(labels)}.',
                               errors)

    def test_other_data_of_the_same_display_shows_the_outline(self):
        image = self.volume.GetClientSideObject().GetOutputDataObject(0)
        self.volume = plugin_test.producer_of(image)
        display = self.show()
        points = vtkImageDataToPointSet()
        points.SetInputData(image)
        points.Update()
        self.volume.GetClientSideObject().SetOutput(points.GetOutput())
        self.volume.MarkModified(self.volume)
        with plugin_test.Errors() as errors:
            self.check_outline(display, "Vulkan Isosurface shows images, rectilinear grids and blocks, but the input is "
                                        "vtkStructuredGrid.", errors)

    def test_an_oblique_image_has_an_oblique_outline(self):
        image = vtkImageData()
        image.ShallowCopy(self.volume.GetClientSideObject().GetOutputDataObject(0))
        image.SetDirectionMatrix(0, -1, 0, 1, 0, 0, 0, 0, 1)  # a turn about z
        self.volume = plugin_test.producer_of(image)
        self.view.CameraFocalPoint = [-9, 10, 7]
        self.view.CameraPosition = [16, 45, 37]
        display = self.show(ContourBy=["CELLS", "pressure"])
        self.assertGreater(covered(picture(self.view)), 500)
        bounds = self.representation().GetClientSideObject().GetActor().GetBounds()
        self.assertEqual(tuple(bounds), (-18, 0, 0, 20, 0, 14))
        self.assertIn("outline", display.DrawnBy)

    # ---- from what is seen to data

    def test_a_new_filter_extracts_what_is_seen(self):
        self.show(isovalues=[OTHER_ISOVALUE, ISOVALUE], Boundary="Close", Device="llvm", ArrayComponent=0)
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        self.assertEqual(list(contour.ContourBy), ["CELLS", "density"])
        self.assertEqual(list(contour.Isosurfaces), [OTHER_ISOVALUE, ISOVALUE])
        self.assertEqual((contour.Boundary, contour.Device, contour.ArrayComponent), ("Close", "llvm", 0))

    def test_a_new_filter_shares_the_volume(self):
        self.show()
        contour = simple.VulkanMarchingCubes(Input=self.volume)
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(self.density, ISOVALUE))
        contour.UpdatePropertyInformation()
        self.assertEqual((contour.UploadTime, contour.IndexTime), (0, 0))

    def test_what_the_caller_sets_is_kept(self):
        self.show(Boundary="Close")
        contour = simple.VulkanMarchingCubes(Input=self.volume, Isosurfaces=[0.75])
        self.assertEqual((list(contour.Isosurfaces), contour.Boundary), ([0.75], "Close"))
        contour = simple.VulkanMarchingCubes(Input=self.volume, Boundary="Extend")
        self.assertEqual((list(contour.Isosurfaces), contour.Boundary), ([ISOVALUE], "Extend"))

    def test_isovalues_of_another_array_are_not_taken(self):
        self.show()
        contour = simple.VulkanMarchingCubes(Input=self.volume, ContourBy=["CELLS", "height"])
        self.assertEqual(list(contour.ContourBy), ["CELLS", "height"])
        self.assertEqual(list(contour.Isosurfaces), [0.5 * (plugin_test.CELLS[2] - 1)])

    def test_the_active_view_counts_first(self):
        second = pictures.create_view()
        self.show()
        self.show(second, [OTHER_ISOVALUE])
        for view, isovalue in ((self.view, ISOVALUE), (second, OTHER_ISOVALUE)):
            simple.SetActiveView(view)
            self.assertEqual(list(simple.VulkanMarchingCubes(Input=self.volume).Isosurfaces), [isovalue])
        simple.SetActiveView(second)
        simple.Hide(self.volume, second)
        self.assertEqual(list(simple.VulkanMarchingCubes(Input=self.volume).Isosurfaces), [ISOVALUE])

    def test_without_an_isosurface_the_defaults_hold(self):
        default = list(simple.VulkanMarchingCubes(Input=self.volume).Isosurfaces)
        display = self.show(isovalues=[OTHER_ISOVALUE])
        display.Representation = "Outline"
        self.assertEqual(list(simple.VulkanMarchingCubes(Input=self.volume).Isosurfaces), default)


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
