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
import importlib.util
import sys

_NAMES = {
    "_marching_cubes": ("marching_cubes",),
    "_picture": ("Camera", "Picture"),
    "_surface": ("Surface",),
    "_volume": ("Histogram", "Suggestions", "Volume", "devices"),
    # VTK's classes, which not every build has
    "vtkVulkanMarchingCubesFilters": ("vtkVulkanImageHistogram", "vtkVulkanMarchingCubes"),
    "vtkVulkanMarchingCubesRendering": ("vtkVulkanIsosurfaceMapper",),
}
_MODULES = {name: module for module, names in _NAMES.items() if importlib.util.find_spec(f"{__name__}.{module}")
            for name in names}
__all__ = sorted(_MODULES)


def __dir__():
    return [*globals(), *__all__]


def __getattr__(name):
    """Imports a name at its first use, so that arrays need no VTK, and filters no OpenGL."""
    if name in _MODULES:
        return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


# GetClientSideObject() of VTK returns the Python classes that are known when an object is first seen.
if "vtkmodules" in sys.modules:
    with contextlib.suppress(ImportError):
        importlib.import_module(".vtkVulkanMarchingCubesFilters", __name__)
