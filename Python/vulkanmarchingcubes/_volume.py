# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Numpy arrays whose isosurfaces are extracted, and the devices that do it."""
from __future__ import annotations

import math
import typing

import numpy as np

from . import _core, _picture
from ._picture import Camera, Picture, Point
from ._surface import Surface

BOUNDARIES = ("open", "close")
KEPT = ("all", "largest", "triangles", "area", "volume", "touching border", "not touching border", "nearest")

Levels = typing.Union[None, float, typing.Sequence[float], np.ndarray]


class Histogram(typing.NamedTuple):
    """counts: int64 (bins,), the elements of each bin, without NaN and masked ones. edges: float64 (bins + 1,), as those
    of numpy.histogram. cut_cells: int64 (bins,), the cells that a surface at the middle of the bin cuts."""
    counts: np.ndarray
    edges: np.ndarray
    cut_cells: np.ndarray


class Suggestions(typing.NamedTuple):
    """Levels at which to look first. threshold: Otsu's threshold. valleys: between the peaks of the histogram, ascending.
    most_cut_cells: where the surface is largest. None and () where there is nothing to separate."""
    threshold: typing.Optional[float]
    valleys: typing.Tuple[float, ...]
    most_cut_cells: typing.Optional[float]


def triple(value, name: str) -> Point:
    """Returns three finite floats."""
    try:
        numbers = tuple(float(number) for number in value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; three numbers are allowed.") from None
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} is {value!r}; three finite numbers are allowed.")
    return numbers


def _array_and_mask(array, component: typing.Optional[int], mask):
    """Returns the array of a component, and which of its elements have a value; None: all."""
    array = np.asanyarray(array)
    if component is not None:
        if array.ndim != 4 or not -array.shape[3] <= component < array.shape[3]:
            raise ValueError(f"The volume has the shape {array.shape}; it has no component {component!r} along axis 3.")
        array = array[..., component]
    if isinstance(array, np.ma.MaskedArray):
        valid = ~np.ma.getmaskarray(array)
        mask = valid if mask is None else valid & np.asarray(mask, bool)
    return np.asarray(array), mask


class _Closed:
    """The core of a volume that is closed."""

    def __getattr__(self, name):
        raise ValueError("The volume is closed.")


class Volume:
    """An array whose isosurfaces are extracted, on a GPU or on the threads of the CPU.

    array: 3 axes of integers, floats or bool, in any order in memory. It is not copied unless its elements have gaps
    between them, the other order of bytes, or a type that is neither an integer nor a float of 32 or 64 bits. Do not
    change it while the Volume is in use. A masked array is masked where its mask is set.
    spacing, origin: of the elements, in the order of the axes.
    mask: bool, of the shape of the array: no face touches an element where it is False.
    boundary: "open": the surface ends at the border of the array. "close": it is closed there, as if all elements
    outside were below every level.
    component: the index along a fourth axis of the array; None: there is no such axis.
    device: a name of devices(); None: the preferred GPU, or the CPU if there is none.

    Several threads may use a Volume. As a context manager, it closes itself. Ctrl-C ends a run.

    Raises TypeError and ValueError for arguments that are not allowed, MemoryError, and RuntimeError if a device fails.
    """

    def __init__(self, array, *, spacing: Point = (1.0, 1.0, 1.0), origin: Point = (0.0, 0.0, 0.0), mask=None,
                 boundary: str = "open", component: typing.Optional[int] = None,
                 device: typing.Optional[str] = None) -> None:
        if boundary not in BOUNDARIES:
            raise ValueError(f"boundary is {boundary!r}; {' and '.join(map(repr, BOUNDARIES))} are allowed.")
        spacing, origin = triple(spacing, "spacing"), triple(origin, "origin")
        if min(spacing) <= 0:
            raise ValueError(f"spacing is {spacing!r}; positive numbers are allowed.")
        array, mask = _array_and_mask(array, component, mask)
        self._core = _core.Volume(array, spacing, origin, mask, boundary == "close", device or "")
        self._low = origin
        self._high = tuple(at + size * (count - 1) for at, size, count in zip(origin, spacing, array.shape))

    def __enter__(self) -> Volume:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        """Releases the array and the memory of the device. Results stay valid."""
        self._core = _Closed()

    @property
    def device(self) -> str:
        """The name of the device that is used."""
        return self._core.device

    def range(self) -> typing.Optional[tuple[float, float]]:
        """Returns the smallest and the largest element, without NaN and masked ones; None if there is none."""
        return self._core.range()

    def histogram(self, bins: typing.Optional[int] = None,
                  range: typing.Optional[tuple[float, float]] = None) -> Histogram:
        """Returns the Histogram of the elements.

        bins: the number of bins of equal width, 1 to 1024; None: as many as fit the type of the elements, such as one
        for each value of 8-bit integers. range: the edges of the first and the last bin; None: range().
        """
        if bins is not None and not 1 <= bins <= _core.LARGEST_BINS:
            raise ValueError(f"bins is {bins!r}; 1 to {_core.LARGEST_BINS} are allowed.")
        if range is not None and not (all(map(math.isfinite, range)) and range[0] < range[1]):
            raise ValueError(f"range is {range!r}; two finite numbers in ascending order are allowed.")
        return Histogram(**self._core.histogram(bins, range))

    def suggest(self) -> Suggestions:
        """Returns levels at which to look first."""
        found = self._core.suggest()
        return Suggestions(**{**found, "valleys": tuple(found["valleys"])})

    def threshold(self) -> typing.Optional[float]:
        """Returns Otsu's threshold: of all levels, it separates the elements into the two most different classes. None
        if there is none, as for equal elements."""
        return self.suggest().threshold

    def measure(self, level: Levels = None) -> dict | list[dict]:
        """Returns the measures of the isosurface of a level, or a list of those of several levels: dictionaries.

        faces, open_edges: numbers; area, volume: of the faces and of what they enclose, if open_edges is 0; centroid,
        low, high: three floats each, of the faces and of their bounds; volume_above, share_above: of the elements that
        are not below the level, each with the volume of its spacing, and as a share of all.
        """
        measures = self._core.measure(self._levels(level))
        return measures if np.ndim(level) > 0 else measures[0]

    def surface(self, level: Levels = None, *, normals: bool = True, wide_ids: bool = False, right_handed: bool = True,
                regions: bool = False, keep: str = "all", count: int = 1, least: float = 0.0,
                point: Point = (0.0, 0.0, 0.0), threads: int = 0) -> Surface:
        """Returns the Surface of a level, or of several.

        level: None: threshold(). wide_ids: faces are int64. right_handed: faces are counterclockwise seen from the side
        of lower values. regions: number and measure the regions, that is, the connected pieces.
        keep: which regions of each level remain: "all"; "largest": the `count` regions with most faces; "triangles",
        "area", "volume": those with at least so much, `least`; "touching border", "not touching border": those that
        reach the border of the array or an element without value, and the others; "nearest": the one nearest to `point`.
        threads: of the CPU; 0: all.
        """
        if keep not in KEPT:
            raise ValueError(f"keep is {keep!r}; {', '.join(map(repr, KEPT))} are allowed.")
        if count < 1:
            raise ValueError(f"count is {count!r}; 1 or more is allowed.")
        choice = _core.Keep(KEPT.index(keep), count, least, triple(point, "point"))
        arrays = self._core.surface(_core.Options(self._levels(level), normals, wide_ids, right_handed, regions, threads,
                                                  choice))
        for name in ("first_vertex", "first_face"):
            arrays[name] = np.array(arrays[name])
        return Surface(**{"normals": None, **arrays})

    def picture(self, level: Levels = None, camera: typing.Optional[Camera] = None, *, width: int = 512,
                height: int = 512, colors=_picture.COLORS) -> Picture:
        """Returns a Picture of the isosurfaces of one level or of several, which needs no mesh: a ray per pixel.

        level: None: threshold(). camera: None: it sees the whole array. width, height: in pixels, 1 to 16384. colors:
        red, green and blue in [0, 1] for each level, from the first one again if there are more levels.
        """
        for name, size in (("width", width), ("height", height)):
            if not 1 <= size <= _picture.LARGEST_SIZE:
                raise ValueError(f"{name} is {size!r}; 1 to {_picture.LARGEST_SIZE} are allowed.")
        camera = camera or Camera.around(self._low, self._high)
        matrix = _picture.world_to_clip(camera, self._low, self._high, width, height)
        return _picture.picture_of(self._core.cast(self._levels(level), matrix, width, height), camera, width, height,
                                   colors)

    def _levels(self, level: Levels) -> list[float]:
        if level is None:
            level = self.threshold()
            if level is None:
                raise ValueError("The volume has no threshold, because all its elements are equal; give a level.")
        levels = np.atleast_1d(np.asarray(level, np.float64))
        if levels.ndim != 1 or any(map(math.isnan, levels.tolist())):
            raise ValueError(f"level is {level!r}; a number, or a list of numbers, is allowed.")
        return levels.tolist()


def devices() -> list[str]:
    """Returns the names of the devices: of the GPUs that can be used, and last "CPU"."""
    return _core.devices()
