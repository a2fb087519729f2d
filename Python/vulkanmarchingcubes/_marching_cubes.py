# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The function of skimage.measure with this name."""
from __future__ import annotations

import typing

import numpy as np

from ._arguments import Point, choice, integer, reals
from ._layout import chosen_component, valid_mask
from ._surface import Surface
from ._volume import Volume


def marching_cubes(volume, level: typing.Optional[float] = None, *, spacing: Point = (1.0, 1.0, 1.0),
                   gradient_direction: str = "descent", step_size: int = 1, allow_degenerate: bool = True,
                   method: str = "lewiner", mask=None, origin: Point = (0.0, 0.0, 0.0), boundary: str = "open",
                   component: typing.Optional[int] = None, device: typing.Optional[str] = None
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Returns vertices, faces, normals and values of the isosurface, as skimage.measure.marching_cubes does; see Surface.

    volume, mask, spacing, origin, boundary, component, device: see Volume. level: None: Otsu's threshold.
    gradient_direction: "descent": faces are clockwise seen from the side of lower values; "ascent": counterclockwise.
    step_size: only each element whose indices are multiples of it is used.
    allow_degenerate: False: vertices with equal positions become one; faces without area, and vertices of no face, are
    left out.
    method: "lewiner" or "lorensen", for compatibility: both give the same surface.

    Raises ValueError if the level is outside the range of the volume, or an axis has one element; RuntimeError if there
    is no surface; and as Volume.
    """
    choice(gradient_direction, "gradient_direction", ("descent", "ascent"))
    choice(method, "method", ("lewiner", "lorensen"))
    step = integer(step_size, "step_size", 1, 2**31 - 1)
    volume = chosen_component(volume, component)
    mask = None if mask is None else valid_mask(mask, volume.shape)
    if step > 1:
        volume = volume[::step, ::step, ::step]
        mask = None if mask is None else mask[::step, ::step, ::step]
        spacing = tuple(step * size for size in reals(spacing, "spacing", 3))
    if min(volume.shape) < 2:
        raise ValueError(f"The volume has the shape {volume.shape} in steps of {step}; 2 elements or more along each axis "
                         "are allowed.")
    held = Volume(volume, spacing=spacing, origin=origin, mask=mask, boundary=boundary, device=device)
    if level is None and (level := held.threshold()) is None:
        raise RuntimeError("There is no surface, because no two elements differ.")
    surface = held.surface(level, right_handed=gradient_direction == "ascent")
    if len(surface.faces) == 0:
        _explain_nothing(held, level)
    if not allow_degenerate:
        surface = _without_degenerate(surface)
    return surface[:4]


def _explain_nothing(volume: Volume, level) -> None:
    """Raises the exception of skimage for a surface without faces."""
    bounds = volume.range()
    if bounds is not None and not np.any((bounds[0] <= np.asarray(level)) & (np.asarray(level) <= bounds[1])):
        raise ValueError(f"The level is {level!r}; the volume has values in {bounds!r}.")
    raise RuntimeError(f"There is no surface at the level {level!r}.")


def _without_degenerate(surface: Surface) -> Surface:
    rows = np.ascontiguousarray(surface.vertices + np.float32(0)).view("V12").ravel()  # 0 and -0 are equal
    kept, same = np.unique(rows, return_index=True, return_inverse=True)[1:]
    faces = kept.astype(surface.faces.dtype)[same.reshape(-1)[surface.faces]]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    used, index = np.unique(faces, return_inverse=True)
    return surface._replace(vertices=surface.vertices[used], faces=index.reshape(-1, 3).astype(faces.dtype),
                            normals=surface.normals[used], values=surface.values[used])
