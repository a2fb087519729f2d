# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The VTK classes of VulkanMarchingCubes.

  from vulkanmarchingcubes import vtkVulkanMarchingCubes

They work with the VTK of ParaView, in its programs and in Python itself. The proxies of paraview.simple need the plugin;
import this package before GetClientSideObject() of a proxy, so that it returns an object with the methods of the class.
"""
import importlib
import typing

from .vtkVulkanMarchingCubesFilters import vtkVulkanImageHistogram, vtkVulkanMarchingCubes

if typing.TYPE_CHECKING:
    from .vtkVulkanMarchingCubesRendering import vtkVulkanIsosurfaceMapper

__all__ = ["vtkVulkanImageHistogram", "vtkVulkanIsosurfaceMapper", "vtkVulkanMarchingCubes"]


def __getattr__(name):
    """Imports the mapper at its first use: its library needs OpenGL, the filters do not."""
    if name == "vtkVulkanIsosurfaceMapper":
        return importlib.import_module(".vtkVulkanMarchingCubesRendering", __name__).vtkVulkanIsosurfaceMapper
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
