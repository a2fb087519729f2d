#!/usr/bin/env pvpython
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Makes those pictures of Documentation/UserGuide.md that show surfaces side by side.

usage: pvpython guide_pictures.py FOLDER, with a display and with the plugin in PV_PLUGIN_PATH

Writes border.png, boundary.png, attributes.png, levels.png and direction.png to the folder.
"""
import math
import os
import sys

import numpy
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData

PANEL = 400  # pixels
WHITE, BLACK = [1, 1, 1], [0, 0, 0]
SURFACE, BACK, LINE = [0.80, 0.77, 0.72], [0.85, 0.45, 0.30], [0.80, 0.15, 0.10]
LEVELS = [0.80, 0.77, 0.72], [0.62, 0.74, 0.88]


def image_of(direction=None, spacing=(1, 1, 1), **arrays):
    """A source with an image of these cell arrays [z, y, x]."""
    image = vtkImageData()
    image.SetSpacing(spacing)
    for name, values in arrays.items():
        image.SetDimensions(*(n + 1 for n in values.shape[::-1]))
        array = numpy_to_vtk(values.ravel(), deep=True)
        array.SetName(name)
        image.GetCellData().AddArray(array)
    if direction:
        image.SetDirectionMatrix(direction)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(image)
    source.UpdatePipeline()
    return source


def cells(size):
    """The coordinates z, y, x of the cell centres."""
    return numpy.meshgrid(*(numpy.arange(n) + 0.5 for n in size[::-1]), indexing="ij")


class Panels:
    """Views side by side, each with a title."""

    def __init__(self, count):
        self.views = []
        self.layout = simple.CreateLayout()
        for _ in range(count):
            view = simple.CreateRenderView()
            view.UseColorPaletteForBackground = 0
            view.Background = WHITE
            view.OrientationAxesVisibility = 0
            self.views.append(view)
        place = 0
        for i, view in enumerate(self.views):
            if i + 1 < count:
                first = self.layout.SplitHorizontal(place, 1 / (count - i))
                self.layout.AssignView(first, view)
                place = first + 1
            else:
                self.layout.AssignView(place, view)

    def look(self, position, focus, up, height):
        """Looks from a position to a focus without perspective; the view is as high as `height`."""
        for view in self.views:
            view.CameraParallelProjection = 1
            view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = position, focus, up
            view.CameraParallelScale = height / 2

    def title(self, texts):
        for view, text in zip(self.views, texts):
            shown = simple.Show(simple.Text(Text=text), view)
            shown.Color, shown.FontSize = BLACK, 15
            shown.WindowLocation = "Upper Center"

    def save(self, path):
        size = [PANEL * len(self.views), PANEL]
        self.layout.SetSize(*size)
        simple.SaveScreenshot(path, self.layout, ImageResolution=size, CompressionLevel="9")
        simple.RemoveLayout(self.layout)
        for view in self.views:
            simple.Delete(view)  # an open window at exit is an X error


def show(source, view, color, **properties):
    display = simple.Show(source, view)
    display.ColorArrayName = [None, ""]
    display.AmbientColor = display.DiffuseColor = color
    for name, value in properties.items():
        setattr(display, name, value)
    return display


def border(path):
    """A half disc at the border of the domain and one bright cell, as Contour and as this filter shows them."""
    size = (10, 8, 2)
    _, y, x = cells(size)
    values = numpy.clip(0.5 + 3.2 - numpy.hypot(x, y - 3.5), 0, 1)
    values[:, 5, 7] = 1
    image = image_of(value=values)
    averaged = simple.CellDatatoPointData(Input=image, CellDataArraytoprocess=["value"])
    surfaces = [simple.Contour(Input=averaged, ContourBy=["POINTS", "value"], Isosurfaces=[0.5])]
    for mode in ("Open", "Extend"):
        surfaces.append(simple.VulkanMarchingCubes(Input=image, ContourBy=["CELLS", "value"], Isosurfaces=[0.5],
                                                   Boundary=mode))
    panels = Panels(3)
    for view, surface in zip(panels.views, surfaces):
        display = simple.Show(image, view)
        display.SetRepresentationType("Surface With Edges")
        display.EdgeColor = [0.75, 0.75, 0.75]
        simple.ColorBy(display, ("CELLS", "value"))
        colors = simple.GetColorTransferFunction("value")
        colors.RGBPoints = [0, 1, 1, 1, 1, 0.62, 0.74, 0.88]
        display.SetScalarBarVisibility(view, False)
        display.Ambient, display.Diffuse = 1, 0
        line = simple.Slice(Input=surface)
        line.SliceType.Origin = [0, 0, 1]
        line.SliceType.Normal = [0, 0, 1]
        lifted = simple.Transform(Input=line)
        lifted.Transform.Translate = [0, 0, 2]
        show(lifted, view, LINE, LineWidth=5, Ambient=1, Diffuse=0)
    panels.look([5, 4.4, 30], [5, 4.4, 0], [0, 1, 0], 10.8)
    panels.title(["Cell Data to Point Data, Contour", "Vulkan Marching Cubes, Open", "Vulkan Marching Cubes, Extend"])
    panels.save(path)


def boundary(path):
    """The ends of a surface at the border of the domain. Its inside has another colour."""
    size = (24, 24, 24)
    z, y, x = cells(size)
    image = image_of(value=15 - numpy.sqrt((x - 7) ** 2 + (y - 15) ** 2 + (z - 16) ** 2))
    panels = Panels(3)
    modes = ["Open", "Extend", "Close"]
    for view, mode in zip(panels.views, modes):
        surface = simple.VulkanMarchingCubes(Input=image, ContourBy=["CELLS", "value"], Isosurfaces=[1], Boundary=mode)
        shown = show(surface, view, SURFACE)
        shown.BackfaceRepresentation = "Surface"
        shown.BackfaceAmbientColor = shown.BackfaceDiffuseColor = BACK
        show(image, view, BLACK, Representation="Outline")
    panels.look([45, 39, 66], [12, 12.6, 12], [0, 1, 0], 45)
    panels.title(modes)
    panels.save(path)


def attributes(path):
    """One surface, coloured by another array and by the length of the gradient."""
    size = (48, 48, 48)
    z, y, x = (2 * math.pi * c / 24 for c in cells(size))
    gyroid = numpy.sin(x) * numpy.cos(y) + numpy.sin(y) * numpy.cos(z) + numpy.sin(z) * numpy.cos(x)
    image = image_of(density=gyroid, temperature=300 + 40 * numpy.exp(-((x - 6) ** 2 + (y - 6) ** 2) / 20) + z)
    surface = simple.VulkanMarchingCubes(Input=image, ContourBy=["CELLS", "density"], Isosurfaces=[0.3],
                                         InterpolateAttributes=1, ComputeGradients=1)
    panels = Panels(2)
    for view, array in zip(panels.views, ("temperature", "Gradients")):
        display = simple.Show(surface, view)
        simple.ColorBy(display, ("POINTS", array))
        display.SetScalarBarVisibility(view, False)
    panels.look([100, 90, 130], [24, 25, 24], [0, 1, 0], 90)
    panels.title(["interpolated attribute \"temperature\"", "length of \"Gradients\""])
    panels.save(path)


def levels(path):
    """One surface over the levels of an AMR, by Contour and by this filter, which tells the levels of the triangles."""
    pulse = simple.AMRGaussianPulseSource(RefinementRatio=3, XPulseWidth=1, YPulseWidth=1, ZPulseWidth=1,
                                          XPulseOrigin=-0.75, YPulseOrigin=-0.75, ZPulseOrigin=1.25)
    averaged = simple.CellDatatoPointData(Input=pulse, CellDataArraytoprocess=["Gaussian-Pulse"])
    isovalue = 0.25
    surfaces = [simple.Contour(Input=averaged, ContourBy=["POINTS", "Gaussian-Pulse"], Isosurfaces=[isovalue]),
                simple.VulkanMarchingCubes(Input=pulse, ContourBy=["CELLS", "Gaussian-Pulse"], Isosurfaces=[isovalue],
                                           ComputeSampleIds=1)]
    panels = Panels(2)
    for view, surface in zip(panels.views, surfaces):
        shown = show(surface, view, SURFACE, Representation="Surface With Edges", EdgeColor=[0.35, 0.35, 0.35])
        shown.BackfaceRepresentation = "Surface"
        shown.BackfaceAmbientColor = shown.BackfaceDiffuseColor = BACK
    simple.ColorBy(shown, ("CELLS", "SampleLevels"))
    simple.GetColorTransferFunction("SampleLevels").RGBPoints = [0, *LEVELS[0], 1, *LEVELS[1]]
    shown.SetScalarBarVisibility(panels.views[-1], False)
    panels.look([1.5, 1.2, 5.5], [-0.75, -0.75, 1.25], [0, 1, 0], 2.2)
    panels.title(["Cell Data to Point Data, Contour", "Vulkan Marching Cubes, coloured by level"])
    panels.save(path)


def direction(path):
    """The outline of an image with a direction matrix, by ParaView and of its points."""
    size = (24, 16, 12)
    z, y, x = cells(size)
    turn = math.radians(30)
    matrix = (math.cos(turn), -math.sin(turn), 0, math.sin(turn), math.cos(turn), 0, 0, 0, 1)
    hill = numpy.exp(-((x - 12) / 8) ** 2 - ((y - 8) / 5) ** 2 - ((z - 6) / 4) ** 2)
    image = image_of(direction=matrix, value=hill)
    surface = simple.VulkanMarchingCubes(Input=image, ContourBy=["CELLS", "value"], Isosurfaces=[0.5])
    panels = Panels(2)
    boxes = [image, simple.Transform(Input=image)]
    for view, box in zip(panels.views, boxes):
        show(surface, view, SURFACE)
        show(box, view, LINE, Representation="Outline", LineWidth=2, Ambient=1, Diffuse=0)
    panels.look([-4, -20, 70], [6, 11, 6], [0, 1, 0], 40)
    panels.title(["Outline of the image", "Outline of the filter Transform"])
    panels.save(path)


def main(arguments):
    if len(arguments) != 1 or not os.path.isdir(arguments[0]):
        sys.stderr.write("guide_pictures.py: one argument is needed, an existing folder to write to\n")
        return 2
    for picture in (border, boundary, attributes, levels, direction):
        picture(os.path.join(arguments[0], picture.__name__ + ".png"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
