# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The function of skimage.measure with this name."""
from __future__ import annotations

import typing

import numpy as np

from ._surface import Surface
from ._volume import Point, Volume, triple


def marching_cubes(volume, level: typing.Optional[float] = None, *, spacing: Point = (1.0, 1.0, 1.0),
                   gradient_direction: str = "descent", step_size: int = 1, allow_degenerate: bool = True,
                   method: str = "lewiner", mask=None, origin: Point = (0.0, 0.0, 0.0), boundary: str = "open",
                   component: typing.Optional[int] = None, device: typing.Optional[str] = None
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Returns vertices, faces, normals and values of the isosurface, as skimage.measure.marching_cubes does; see Surface.

    volume, mask, spacing, origin, boundary, component, device: see Volume. level: None: Otsu's threshold.
    gradient_direction: "descent": faces are clockwise seen from the side of lower values; "ascent": counterclockwise.
    step_size: every so many elements along each axis are used.
    allow_degenerate: False: faces without area, and vertices of no face, are left out.
    method: "lewiner" or "lorensen", for compatibility: both give the same surface.

    Raises ValueError if the level is outside the range of the volume, RuntimeError if there is no surface, and as
    Volume.
    """
    if gradient_direction not in ("descent", "ascent"):
        raise ValueError(f"gradient_direction is {gradient_direction!r}; 'descent' and 'ascent' are allowed.")
    if method not in ("lewiner", "lorensen"):
        raise ValueError(f"method is {method!r}; 'lewiner' and 'lorensen' are allowed.")
    step = int(step_size)
    if step < 1:
        raise ValueError(f"step_size is {step_size!r}; 1 or more is allowed.")
    spacing = triple(spacing, "spacing")
    if step > 1:
        volume = np.asanyarray(volume)[::step, ::step, ::step]
        mask = None if mask is None else np.asarray(mask)[::step, ::step, ::step]
        spacing = tuple(step * size for size in spacing)
    held = Volume(volume, spacing=spacing, origin=origin, mask=mask, boundary=boundary, component=component,
                  device=device)
    surface = held.surface(level, right_handed=gradient_direction == "ascent")
    if len(surface.faces) == 0:
        _explain_nothing(held, level)
    if not allow_degenerate:
        surface = _without_degenerate(surface)
    return surface[:4]


def _explain_nothing(volume: Volume, level) -> None:
    """Raises the exception of skimage for a surface without faces."""
    bounds = volume.range()
    if bounds is None or level is not None and not np.any((bounds[0] <= np.asarray(level)) & (bounds[1] >= np.asarray(level))):
        raise ValueError(f"The level is {level!r}; the volume has values in {bounds!r}.")
    raise RuntimeError(f"There is no surface at the level {level!r}.")


def _without_degenerate(surface: Surface) -> Surface:
    corners = surface.vertices[surface.faces]
    same = [(corners[:, i] == corners[:, (i + 1) % 3]).all(axis=1) for i in range(3)]
    faces = surface.faces[~(same[0] | same[1] | same[2])]
    used, index = np.unique(faces, return_inverse=True)
    return surface._replace(vertices=surface.vertices[used], faces=index.reshape(-1, 3).astype(faces.dtype),
                            normals=surface.normals[used], values=surface.values[used])
