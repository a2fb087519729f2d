# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Any

from ._marching_cubes import marching_cubes as marching_cubes
from ._picture import Camera as Camera, Picture as Picture
from ._surface import Surface as Surface
from ._volume import Histogram as Histogram, Suggestions as Suggestions, Volume as Volume, devices as devices

# VTK's classes have no types.
vtkVulkanImageHistogram: Any
vtkVulkanIsosurfaceMapper: Any
vtkVulkanMarchingCubes: Any
