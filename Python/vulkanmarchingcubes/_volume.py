# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Numpy arrays whose isosurfaces are extracted, and the devices that do it."""
from __future__ import annotations

import typing

import numpy as np

from . import _core, _picture
from ._arguments import Levels, Point, choice, integer, levels_of, real, reals
from ._layout import chosen_component, layout_of
from ._picture import Camera, Picture
from ._surface import Surface

BOUNDARIES = ("open", "close")
_MOST_THREADS = 2**16


class Histogram(typing.NamedTuple):
    """counts: int64 (bins,), the elements of each bin, without NaN, infinities and masked ones. edges: float64
    (bins + 1,), as those of numpy.histogram. cut_cells: int64 (bins,), the cells that a surface at the middle of the bin
    cuts. There are fewer bins than requested if adjacent edges would be equal in double."""
    counts: np.ndarray
    edges: np.ndarray
    cut_cells: np.ndarray


class Suggestions(typing.NamedTuple):
    """Levels at which to look first. threshold: Otsu's threshold. valleys: between the peaks of the histogram, ascending.
    most_cut_cells: where the surface is largest. None and () where there is nothing to separate."""
    threshold: typing.Optional[float]
    valleys: typing.Tuple[float, ...]
    most_cut_cells: typing.Optional[float]


class _Closed:
    """The core of a volume that is closed."""

    def __getattr__(self, name):
        raise ValueError("The volume is closed.")


class Volume:
    """An array whose isosurfaces are extracted, on a GPU or on the threads of the CPU.

    array: 3 axes of integers, floats or bool, in any order in memory. Arrays with gaps between their elements, with the
    other order of bytes, or of floats that have neither 32 nor 64 bits are copied. Do not change the array while the
    Volume is in use. Masked elements of a masked array have no value.
    spacing, origin: of the elements, in the order of the axes. A spacing is at least 1e-36; no position is beyond 1e36.
    mask: bool, of the shape of the array without a fourth axis: no face touches an element where it is False.
    boundary: "open": the surface ends at the border of the array. "close": it is closed there, as if all elements
    outside were below every level.
    component: the index along a fourth axis of the array; None: there is no such axis.
    device: a name of devices(); None: the preferred GPU, or the CPU if there is none.

    Several threads may use a Volume, one after the other; a process that was forked may not. As a context manager, it
    closes itself. Ctrl-C ends a run.

    All functions raise TypeError and ValueError for arguments that are not allowed, and of a closed Volume ValueError;
    MemoryError; RuntimeError if a device fails; KeyboardInterrupt after Ctrl-C.
    """

    def __init__(self, array, *, spacing: Point = (1.0, 1.0, 1.0), origin: Point = (0.0, 0.0, 0.0), mask=None,
                 boundary: str = "open", component: typing.Optional[int] = None,
                 device: typing.Optional[str] = None) -> None:
        choice(boundary, "boundary", BOUNDARIES)
        if device is not None and not isinstance(device, str):
            raise TypeError(f"device is {device!r}; a name, or None, is allowed.")
        spacing, origin = reals(spacing, "spacing", 3), reals(origin, "origin", 3)
        array = chosen_component(array, component)
        layout = layout_of(array, mask)
        self._core = _core.Volume(layout.samples, layout.flags, *layout.geometry(spacing, origin),
                                  boundary == "close", device or "")
        self._low = origin
        self._high = tuple(at + size * (count - 1) for at, size, count in zip(origin, spacing, array.shape))

    def __reduce__(self):
        raise TypeError("A Volume cannot be copied or sent to another process; send its array.")

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
        """Returns the smallest and the largest element, without NaN, infinities and masked ones; None if there is none."""
        return self._core.range()

    def histogram(self, bins: typing.Optional[int] = None,
                  range: typing.Optional[tuple[float, float]] = None) -> Histogram:
        """Returns the Histogram of the elements.

        bins: the number of bins of equal width, 1 to 1024; None: as many as fit the type of the elements, such as one
        for each value of 8-bit integers. range: the edges of the first and the last bin; None: range().
        """
        if bins is not None:
            bins = integer(bins, "bins", 1, _core.LARGEST_BINS)
        if range is not None:
            range = reals(range, "range", 2)
            if range[0] >= range[1]:
                raise ValueError(f"range is {range!r}; two numbers in ascending order are allowed.")
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

        level: the level. faces, open_edges: numbers. area, volume: of the faces and of what they enclose, if open_edges
        is 0, in units of the spacing; the volume is positive around higher values and negative around lower ones.
        centroid, low, high: three floats each, of the faces and of their bounds, 0 if there is no face. volume_above,
        share_above: of the elements that are not below the level, each with the volume of its spacing, and as a share of
        all that have a value.
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
        "area", "volume": those with at least `least`, as in Volume.measure, the volume without its sign; "touching
        border", "not touching border": those that reach the border of the array or an element without value, and the
        others; "nearest": the one nearest to `point`.
        threads: of the CPU; 0: all.
        """
        choice(keep, "keep", _core.Keep.__members__)
        chosen = _core.Choice(_core.Keep.__members__[keep], integer(count, "count", 1, 2**31 - 1), real(least, "least"),
                              reals(point, "point", 3))
        threads = integer(threads, "threads", 0, _MOST_THREADS)
        options = _core.Options(self._levels(level), bool(normals), bool(wide_ids), bool(right_handed), bool(regions),
                                threads, chosen)
        return Surface(**{"normals": None, **self._core.surface(options)})

    def picture(self, level: Levels = None, camera: typing.Optional[Camera] = None, *, width: int = 512,
                height: int = 512, colors=_picture.COLORS) -> Picture:
        """Returns a Picture of the isosurfaces of one level or of several, which needs no mesh: a ray per pixel.

        level: None: threshold(). camera: None: it sees the whole array. width, height: in pixels, 1 to 16384. colors:
        red, green and blue in [0, 1] for each level, from the first one again if there are more levels.
        """
        width, height = (integer(size, name, 1, _picture.LARGEST_SIZE)
                         for name, size in (("width", width), ("height", height)))
        palette, levels = _picture.palette_of(colors), self._levels(level)
        camera = Camera.around(self._low, self._high) if camera is None else camera
        view = _picture.View(camera, self._low, self._high, width, height)
        return view.picture_of(self._core.cast(levels, view.world_to_clip.tolist(), width, height), palette)

    def _levels(self, level: Levels) -> list[float]:
        if level is None:
            level = self.threshold()
            if level is None:
                raise ValueError("The volume has no threshold, because no two of its elements differ; give a level.")
        return levels_of(level)


def devices() -> list[str]:
    """Returns the names of the devices: of the GPUs that can be used, and last "CPU"."""
    return _core.devices()
