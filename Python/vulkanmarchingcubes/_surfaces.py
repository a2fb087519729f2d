# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Isosurfaces of numpy arrays."""
import pathlib
import typing

import numpy as np

from . import _core

BOUNDARIES = ("open", "close")
KEPT = ("all", "largest", "triangles", "area", "volume", "touching border", "not touching border", "nearest")


class Surface(typing.NamedTuple):
    """The isosurfaces of one or more levels, one after the other.

    vertices: float32 (V, 3), positions in the order of the array's axes: origin + spacing * index.
    faces: int32 or int64 (F, 3), indices of vertices.
    normals: float32 (V, 3), unit length, towards lower values; None if not requested.
    values: float32 (V,), the larger of the two elements between which the vertex lies, or that element from which it is
    less than 1e-4 steps away.
    first_vertex, first_face: int64 (levels + 1,): level i has the vertices first_vertex[i] to first_vertex[i + 1].
    vertex_regions, face_regions: int32 (V,) and (F,), the numbers of the regions, the largest one first; None if not
    requested.
    """
    vertices: np.ndarray
    faces: np.ndarray
    normals: typing.Optional[np.ndarray]
    values: np.ndarray
    first_vertex: np.ndarray
    first_face: np.ndarray
    vertex_regions: typing.Optional[np.ndarray] = None
    face_regions: typing.Optional[np.ndarray] = None

    def save(self, path):
        """Writes the faces to a binary file, .stl or .ply. Only PLY has shared vertices and normals."""
        suffix = pathlib.Path(path).suffix.lower()
        if suffix not in (".stl", ".ply"):
            raise ValueError(f"The file is {str(path)!r}; .stl and .ply are allowed.")
        with open(path, "wb") as file:
            (self._write_stl if suffix == ".stl" else self._write_ply)(file)

    def _write_stl(self, file):
        corners = self.vertices[self.faces]
        rows = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        rows["normal"] = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths != 0)
        rows["corners"] = corners
        file.write(b"isosurface".ljust(80) + np.uint32(len(rows)).newbyteorder("<").tobytes())
        file.write(rows.tobytes())

    def _write_ply(self, file):
        names = ["x", "y", "z"] + ([] if self.normals is None else ["nx", "ny", "nz"])
        header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(self.vertices)}",
                  *(f"property float {name}" for name in names), f"element face {len(self.faces)}",
                  "property list uchar int vertex_indices", "end_header", ""]
        file.write("\n".join(header).encode("ascii"))
        columns = [self.vertices] if self.normals is None else [self.vertices, self.normals]
        file.write(np.hstack(columns).astype("<f4").tobytes())
        rows = np.zeros(len(self.faces), [("count", "u1"), ("ids", "<i4", 3)])
        rows["count"] = 3
        rows["ids"] = self.faces
        file.write(rows.tobytes())


def _triple(value, name):
    """Returns three finite floats."""
    try:
        numbers = tuple(float(number) for number in value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; three numbers are allowed.") from None
    if len(numbers) != 3 or not all(np.isfinite(numbers)):
        raise ValueError(f"{name} is {value!r}; three finite numbers are allowed.")
    return numbers


class Volume:
    """An array whose isosurfaces are extracted, on a GPU or on the threads of the CPU.

    array: 3 axes of integers, floats or bool, in any order in memory. It is not copied unless its elements have gaps
    between them, the other order of bytes, or a type that is neither an integer nor a float of 32 or 64 bits. Do not
    change it while the Volume is in use. A masked array is masked where its mask is set.
    spacing, origin: of the elements, in the order of the axes.
    mask: bool, of the shape of the array: no face touches an element where it is False.
    boundary: "open": the surface ends at the border of the array. "close": it is closed there, as if all elements
    outside were below every level.
    device: a name of devices(); None: the preferred GPU, or the CPU if there is none.

    Raises TypeError and ValueError for arguments that are not allowed, MemoryError, and RuntimeError if a device fails.
    """

    def __init__(self, array, *, spacing=(1.0, 1.0, 1.0), origin=(0.0, 0.0, 0.0), mask=None, boundary="open", device=None):
        if boundary not in BOUNDARIES:
            raise ValueError(f"boundary is {boundary!r}; {' and '.join(map(repr, BOUNDARIES))} are allowed.")
        spacing = _triple(spacing, "spacing")
        if min(spacing) <= 0:
            raise ValueError(f"spacing is {spacing!r}; positive numbers are allowed.")
        if isinstance(array, np.ma.MaskedArray):
            valid = ~np.ma.getmaskarray(array)
            mask = valid if mask is None else valid & np.asarray(mask, bool)
            array = array.data
        self._core = _core.Volume(np.asarray(array), spacing, _triple(origin, "origin"), mask, boundary == "close",
                                  device or "")

    @property
    def device(self):
        """The name of the device that is used."""
        return self._core.device

    def range(self):
        """Returns the smallest and the largest element, without NaN and masked ones; None if there is none."""
        return self._core.range()

    def threshold(self):
        """Returns Otsu's threshold: of all levels, it separates the elements into the two most different classes. None
        if there is none, as for equal elements."""
        return self._core.otsu()

    def measure(self, level=None):
        """Returns the measures of the isosurface of a level, or a list of those of several levels: dictionaries.

        faces, open_edges: numbers; area, volume: of the faces and of what they enclose, if open_edges is 0; centroid,
        low, high: three floats each, of the faces and of their bounds; volume_above, share_above: of the elements that
        are not below the level, each with the volume of its spacing, and as a share of all.
        """
        measures = self._core.measure(self._levels(level))
        return measures if np.ndim(level) > 0 else measures[0]

    def surface(self, level=None, *, normals=True, wide_ids=False, right_handed=True, regions=False, keep="all",
                count=1, least=0.0, point=(0.0, 0.0, 0.0), threads=0):
        """Returns the Surface of a level, or of several.

        level: None: threshold(). right_handed: faces are counterclockwise seen from the side of lower values.
        regions: number the regions, that is, the connected pieces.
        keep: which regions of each level remain: "all"; "largest": the `count` regions with most faces; "triangles",
        "area", "volume": those with at least so much, `least`; "touching border", "not touching border": those that
        reach the border of the array or an element without value, and the others; "nearest": the one nearest to `point`.
        threads: of the CPU; 0: all.
        """
        if keep not in KEPT:
            raise ValueError(f"keep is {keep!r}; {', '.join(map(repr, KEPT))} are allowed.")
        if count < 1:
            raise ValueError(f"count is {count!r}; 1 or more is allowed.")
        choice = _core.Keep(KEPT.index(keep), count, least, _triple(point, "point"))
        arrays = self._core.surface(_core.Options(self._levels(level), normals, wide_ids, right_handed, regions, threads,
                                                  choice))
        for name in ("first_vertex", "first_face"):
            arrays[name] = np.array(arrays[name])
        return Surface(**{"normals": None, **arrays})

    def _levels(self, level):
        """Returns a list of floats."""
        if level is None:
            level = self.threshold()
            if level is None:
                raise ValueError("The volume has no threshold, because all its elements are equal; give a level.")
        levels = np.atleast_1d(np.asarray(level, np.float64))
        if levels.ndim != 1 or np.isnan(levels).any():
            raise ValueError(f"level is {level!r}; a number, or a list of numbers, is allowed.")
        return levels.tolist()


def devices():
    """Returns the names of the devices: of the GPUs that can be used, and last "CPU"."""
    return _core.devices()


def marching_cubes(volume, level=None, *, spacing=(1.0, 1.0, 1.0), gradient_direction="descent", step_size=1,
                   allow_degenerate=True, method="lewiner", mask=None, origin=(0.0, 0.0, 0.0), boundary="open",
                   device=None):
    """Returns vertices, faces, normals and values of the isosurface, as skimage.measure.marching_cubes does.

    volume: see Volume. level: None: Otsu's threshold.
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
    spacing = _triple(spacing, "spacing")
    if step > 1:
        volume = np.asanyarray(volume)[::step, ::step, ::step]
        mask = None if mask is None else np.asarray(mask)[::step, ::step, ::step]
        spacing = tuple(step * size for size in spacing)
    held = Volume(volume, spacing=spacing, origin=origin, mask=mask, boundary=boundary, device=device)
    surface = held.surface(level, right_handed=gradient_direction == "ascent")
    if len(surface.faces) == 0:
        _explain_nothing(held, level)
    if not allow_degenerate:
        surface = _without_degenerate(surface)
    return surface[:4]


def _explain_nothing(volume, level):
    """Raises the exception of skimage for a surface without faces."""
    bounds = volume.range()
    if bounds is None or level is not None and not bounds[0] <= level <= bounds[1]:
        raise ValueError(f"The level is {level!r}; the volume has values in {bounds!r}.")
    raise RuntimeError(f"There is no surface at the level {level!r}.")


def _without_degenerate(surface):
    corners = surface.vertices[surface.faces]
    same = [(corners[:, i] == corners[:, (i + 1) % 3]).all(axis=1) for i in range(3)]
    faces = surface.faces[~(same[0] | same[1] | same[2])]
    used, index = np.unique(faces, return_inverse=True)
    return surface._replace(vertices=surface.vertices[used], faces=index.reshape(-1, 3).astype(faces.dtype),
                            normals=surface.normals[used], values=surface.values[used])
