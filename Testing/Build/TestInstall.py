# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The installed project works from a folder to which it was moved: a C++ program finds and links it, Python imports it,
ParaView loads its plugins, and the batch tool runs. All but the tool contour the same image.

usage: TestInstall.py PROJECT BUILD FOLDER CMAKE PVPYTHON PLUGINS PACKAGES [OPTION...]

FOLDER is made anew. PLUGINS and PACKAGES are the folders of plugins and of Python packages, relative to the prefix.
OPTIONs are those of cmake when it configures the program.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROJECT, BUILD, FOLDER = (pathlib.Path(path) for path in sys.argv[1:4])
CMAKE, PVPYTHON, PLUGINS, PACKAGES, *OPTIONS = sys.argv[4:]
PREFIX = FOLDER / "moved here"

WITH_CLASS = """
from vtkmodules.vtkImagingCore import vtkRTAnalyticSource
from vulkanmarchingcubes import vtkVulkanMarchingCubes
wavelet = vtkRTAnalyticSource()
contour = vtkVulkanMarchingCubes()
contour.SetInputConnection(wavelet.GetOutputPort())
contour.SetValue(0, 130)
contour.Update()
print(contour.GetOutput().GetNumberOfPolys())
"""
WITH_PROXY = """
from paraview.simple import *
import vulkanmarchingcubes
surface = VulkanMarchingCubes(Input=Wavelet(), ContourBy=["POINTS", "RTData"], Isosurfaces=[150])
surface.UpdatePipeline()
surface.GetClientSideObject().SetValue(0, 130)
surface.GetClientSideObject().Update()
print(surface.GetClientSideObject().GetOutput().GetNumberOfPolys())
"""
ARRAYS = """
import numpy, vulkanmarchingcubes
vertices, faces, normals, values = vulkanmarchingcubes.marching_cubes(numpy.arange(3).repeat(9).reshape(3, 3, 3), 0.5)
print(len(faces))
"""
HELP = """
import vulkanmarchingcubes
help(vulkanmarchingcubes.vtkVulkanMarchingCubes.SetComputeNormals)
print(vulkanmarchingcubes.vtkVulkanIsosurfaceMapper.__name__)
"""


def run(*command, **environment):
    """What the command prints; its failure fails the test with that."""
    process = subprocess.run([str(part) for part in command], env={**os.environ, **environment},
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if process.returncode != 0:
        raise AssertionError(f"{command} returned {process.returncode}:\n{process.stdout}")
    return process.stdout


def with_python(program, script, prefix=PREFIX):
    return run(program, "-c", script, PYTHONPATH=str(prefix / PACKAGES))


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        for component in ("python", "runtime", "development"):
            run(CMAKE, "--install", BUILD, "--prefix", FOLDER / "installed", "--component", component)
        (FOLDER / "installed").rename(PREFIX)

    def libraries(self):
        libraries = [path for path in PREFIX.rglob("*.so") if not path.is_symlink()]
        self.assertGreaterEqual(len(libraries), 6)
        return libraries

    def test_a_program_links_the_modules(self):
        build = FOLDER / "consumer"
        run(CMAKE, "-S", PROJECT / "Testing" / "Build" / "Consumer", "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}", *OPTIONS)
        run(CMAKE, "--build", build)
        program = build / "countTriangles"
        libraries = [line for line in run("ldd", program).splitlines() if "VulkanMarchingCubes" in line]
        self.assertEqual(len(libraries), 2)
        for library in libraries:
            self.assertIn(str(PREFIX), library)
        self.assertEqual(int(run(program)), int(with_python(sys.executable, WITH_CLASS)))

    def test_python_and_pvpython_agree(self):
        triangles = int(with_python(sys.executable, WITH_CLASS))
        self.assertGreater(triangles, 1000)
        self.assertEqual(int(with_python(PVPYTHON, WITH_CLASS)), triangles)

    @unittest.skipUnless([*(BUILD / PACKAGES).glob("*/_core.*")], "this build has no module for numpy arrays")
    def test_numpy_arrays_need_the_component_python_alone(self):
        alone = FOLDER / "python"
        run(CMAKE, "--install", BUILD, "--prefix", alone, "--component", "python")
        self.assertEqual([path for path in alone.rglob("*") if "vtk" in path.name], [])
        self.assertEqual(int(with_python(sys.executable, ARRAYS, alone)), 8)  # a plane across 2 x 2 cells

    def test_the_client_side_object_of_the_proxy_has_the_methods_of_the_class(self):
        script = FOLDER / "proxy.py"
        script.write_text(WITH_PROXY, encoding="utf-8")
        printed = run(PVPYTHON, script, PYTHONPATH=str(PREFIX / PACKAGES),
                      PV_PLUGIN_PATH=str(PREFIX / PLUGINS / "VulkanMarchingCubes"))
        self.assertEqual(int(printed), int(with_python(sys.executable, WITH_CLASS)))

    def test_all_libraries_are_found(self):
        for library in self.libraries():
            self.assertNotIn("not found", run("ldd", library), library)

    def test_the_batch_tool_runs(self):
        volume = FOLDER / "peak_3x3x3_uint8.raw"
        volume.write_bytes(bytes(100 if i == 13 else 0 for i in range(27)))
        tool, = PREFIX.rglob("isosurface.py")
        printed = run(PVPYTHON, tool, volume, "--isovalue", "50", "--output", FOLDER / "peak.obj")
        self.assertRegex(printed, r"\n +50 +8 +6 ")  # the octahedron around the high sample
        self.assertEqual((FOLDER / "peak.obj").read_text(encoding="utf-8").count("\nf "), 8)

    def test_help_has_the_text_of_the_header(self):
        text = re.sub(r"\W+", " ", with_python(sys.executable, HELP))
        self.assertIn("of unit vectors that point towards lower values", text)
        self.assertIn("vtkVulkanIsosurfaceMapper", text)

    def test_editors_find_the_types(self):
        stubs = (PREFIX / PACKAGES / "vulkanmarchingcubes" / "vtkVulkanMarchingCubesFilters.pyi").read_text(encoding="utf-8")
        self.assertIn("def SetComputeNormals(self, _arg:int) -> None", stubs)

    def test_no_library_names_a_folder_of_this_machine(self):
        for library in self.libraries():
            runPath = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", run("readelf", "--dynamic", library))
            folders = ":".join(runPath).split(":") if runPath else []  # the module for numpy arrays needs none
            self.assertTrue(all(folder.startswith("$ORIGIN") for folder in folders), (library, runPath))
            # In names of source files, as messages have them. Debug information has the folder of the build.
            self.assertNotIn(bytes(PROJECT / "Filters"), library.read_bytes(), library)


unittest.main(argv=sys.argv[:1], verbosity=2)
