# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Functions shared by the tests of the ParaView plugin, for pvpython and pvbatch.

The plugin comes from PV_PLUGIN_PATH, as for a user. Expected counts come from numpy (points) and from vtkFlyingEdges3D
on the dual image (points and triangles).
"""
import os
import re
import sys
import tempfile
import unittest

import numpy
from paraview import servermanager, simple
from vtkmodules.util.misc import calldata_type
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.util.vtkConstants import VTK_STRING
from vtkmodules.vtkCommonCore import vtkOutputWindow
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid
from vtkmodules.vtkFiltersCore import vtkFlyingEdges3D
from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

PARAVIEW = (servermanager.vtkSMProxyManager.GetVersionMajor(), servermanager.vtkSMProxyManager.GetVersionMinor())
SKIPPED = 125  # CTest shows this exit code as "Skipped"
CELLS = (20, 18, 14)  # x, y, z


def density():
    """Cell values [z, y, x]: a smooth hill with noise on it, float32, about 0 to 1."""
    z, y, x = numpy.meshgrid(*(numpy.linspace(-1, 1, n) for n in CELLS[::-1]), indexing="ij")
    noise = numpy.random.default_rng(5).random(x.shape)
    return (0.9 * numpy.exp(-2 * (x * x + y * y + z * z)) + 0.1 * noise).astype(numpy.float32)


def height():
    """Cell values [z, y, x]: the index of the cell along z."""
    return numpy.broadcast_to(numpy.arange(CELLS[2], dtype=numpy.float32)[:, None, None], CELLS[::-1])


def flat(values):
    return numpy_to_vtk(numpy.ascontiguousarray(values).ravel(), deep=True)


def image_of(values, origin=(0, 0, 0), spacing=(1, 1, 1), kind=vtkImageData):
    """A new image with the cell values [z, y, x] as array "density"."""
    image = kind()
    image.SetOrigin(*origin)
    image.SetSpacing(*spacing)
    image.SetDimensions(*(n + 1 for n in values.shape[::-1]))
    add_cell_array(image, "density", flat(values))
    return image


def grid_of(values, sides):
    """A new rectilinear grid with the cell values [z, y, x] as array "density", between these coordinates along x, y
    and z."""
    grid = vtkRectilinearGrid()
    grid.SetDimensions(*(len(side) for side in sides))
    for set_coordinates, side in zip((grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates), sides):
        set_coordinates(flat(side))
    add_cell_array(grid, "density", flat(values))
    return grid


def add_cell_array(image, name, array):
    """Adds a VTK array, or replaces that of this name."""
    array.SetName(name)
    image.GetCellData().AddArray(array)


def producer_of(data):
    """A source with this object as its output."""
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def write_image(image, path):
    """Writes .vti. The binary data is inline: Debian's ParaView 5.11 cannot read appended data."""
    writer = vtkXMLImageDataWriter()
    writer.SetFileName(path)
    writer.SetDataModeToBinary()
    writer.SetInputData(image)
    if not writer.Write():
        raise RuntimeError(f"{path} cannot be written.")


def write_volume(path):
    """Writes the volume as .vti with the cell arrays "density" and "height"."""
    image = image_of(density())
    add_cell_array(image, "height", flat(height()))
    write_image(image, path)


def read_volume(path):
    """The reader. It is updated, so that filters on it find their arrays."""
    reader = simple.XMLImageDataReader(FileName=[path])
    reader.UpdatePipeline()
    return reader


def expected_points(values, isovalue):
    """Number of edges of the dual grid with one end inside."""
    inside = values >= isovalue
    return sum(int(numpy.count_nonzero(numpy.diff(inside, axis=axis))) for axis in range(3))


def flying_edges(values, isovalue):
    """Numbers of points and triangles of vtkFlyingEdges3D on the dual image."""
    dual = vtkImageData()
    dual.SetDimensions(*values.shape[::-1])
    dual.GetPointData().SetScalars(flat(values))
    contour = vtkFlyingEdges3D()
    contour.SetInputData(dual)
    contour.SetValue(0, isovalue)
    contour.Update()
    return contour.GetOutput().GetNumberOfPoints(), contour.GetOutput().GetNumberOfPolys()


def surface(proxy):
    """The output, fetched to the client."""
    proxy.UpdatePipeline()
    return servermanager.Fetch(proxy)


def counts(proxy):
    mesh = surface(proxy)
    return mesh.GetNumberOfPoints(), mesh.GetNumberOfPolys()


def point_array(mesh, name):
    array = mesh.GetPointData().GetArray(name)
    return None if array is None else vtk_to_numpy(array)


class Messages:
    """Counts the warnings and errors of a filter on the built-in server."""

    def __init__(self, proxy):
        self.warnings = 0
        self.errors = 0
        algorithm = proxy.GetClientSideObject()
        algorithm.AddObserver("WarningEvent", self._warning)
        algorithm.AddObserver("ErrorEvent", self._error)

    def _warning(self, *_):
        self.warnings += 1

    def _error(self, *_):
        self.errors += 1


class Errors:
    """Collects the errors of all objects of the built-in server while the `with` block runs."""

    EVENTS = ("ErrorEvent",)

    def __enter__(self):
        self.texts = []
        self.window = vtkOutputWindow.GetInstance()
        self.observers = [self.window.AddObserver(event, self._collect) for event in self.EVENTS]
        return self

    @calldata_type(VTK_STRING)
    def _collect(self, _window, _event, text):
        self.texts.append(text)

    def __exit__(self, *_):
        for observer in self.observers:
            self.window.RemoveObserver(observer)


class Printed(Errors):
    """Collects the warnings too."""

    EVENTS = ("ErrorEvent", "WarningEvent")


class SourcesTest(unittest.TestCase):
    """Tests that leave no source behind."""

    def tearDown(self):
        for proxy in list(simple.GetSources().values()):
            simple.Delete(proxy)


class VolumeTest(SourcesTest):
    """Tests of one volume in a file. Each reads it anew."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = os.path.join(cls.folder.name, "volume.vti")
        write_volume(cls.path)
        cls.density = density()

    def setUp(self):
        self.volume = read_volume(self.path)


def device_names():
    """The Vulkan devices of the server."""
    proxy = servermanager.filters.VulkanMarchingCubes()
    proxy.UpdatePropertyInformation()
    *names, cpu = proxy.GetProperty("DeviceNames")
    assert cpu == "CPU", cpu
    return names


# Whether the automatic device of this test is the CPU, which uploads nothing.
ON_CPU = os.environ.get("VMC_DEVICE") == "CPU"


def is_cpu(used_device):
    """Whether this is what the filters report for threads of the CPU: "CPU, 2 threads"."""
    return re.fullmatch("CPU, (1 thread|[0-9]+ threads)", used_device) is not None


def skip(reason):
    print("Skipped:", reason, flush=True)
    sys.exit(SKIPPED)


def run():
    """Runs the tests of the calling script. Exits with 0 if all pass, else with 1."""
    result = unittest.main(module="__main__", argv=sys.argv[:1], verbosity=2, exit=False).result
    sys.exit(0 if result.wasSuccessful() else 1)
