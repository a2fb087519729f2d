# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Isosurfaces of numpy arrays, and the VTK classes of VulkanMarchingCubes.

  from vulkanmarchingcubes import marching_cubes
  vertices, faces, normals, values = marching_cubes(array, 0.5)

Arrays need numpy alone. The VTK classes work with the VTK of ParaView, in its programs and in Python itself:

  from vulkanmarchingcubes import vtkVulkanMarchingCubes

The proxies of paraview.simple need the plugin; import this package after paraview.simple and before
GetClientSideObject() of a proxy, so that it returns an object with the methods of the class.
"""
import contextlib
import importlib
import sys

_MODULES = {
    "Camera": "_picture",
    "Histogram": "_volume",
    "Picture": "_picture",
    "Suggestions": "_volume",
    "Surface": "_surface",
    "Volume": "_volume",
    "devices": "_volume",
    "marching_cubes": "_marching_cubes",
    "vtkVulkanImageHistogram": "vtkVulkanMarchingCubesFilters",
    "vtkVulkanMarchingCubes": "vtkVulkanMarchingCubesFilters",
    "vtkVulkanIsosurfaceMapper": "vtkVulkanMarchingCubesRendering",
}
__all__ = sorted(_MODULES)


def __getattr__(name):
    """Imports a name at its first use, so that arrays need no VTK, and filters no OpenGL."""
    if name in _MODULES:
        return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


# VTK makes Python objects of the classes that it knows then.
if "vtkmodules" in sys.modules:
    with contextlib.suppress(ImportError):
        importlib.import_module(".vtkVulkanMarchingCubesFilters", __name__)
