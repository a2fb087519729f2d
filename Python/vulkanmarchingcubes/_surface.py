# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The surfaces of a volume, and the files that they are written to."""
from __future__ import annotations

import os
import pathlib
import typing

import numpy as np


class Surface(typing.NamedTuple):
    """The isosurfaces of one or more levels, one after the other.

    vertices: float32 (V, 3), positions in the order of the array's axes: origin + spacing * index.
    faces: int32 or int64 (F, 3), indices of vertices.
    normals: float32 (V, 3), unit length, towards lower values; None if not requested.
    values: float32 (V,), the larger of the two elements between which the vertex lies. If an element is nearer to it than
    1e-4 steps, or than float32 rounds the position by, it is this element.
    first_vertex, first_face: int64 (levels + 1,): level i has the vertices first_vertex[i] to first_vertex[i + 1].
    vertex_regions, face_regions: int32 (V,) and (F,), the numbers of the regions, the largest one first; None if not
    requested.
    regions: a structured array (regions,) with the measures of each region: level, faces and open_edges are numbers;
    area, volume, centroid, low and high are those of Volume.measure. None if not requested.
    """
    vertices: np.ndarray
    faces: np.ndarray
    normals: typing.Optional[np.ndarray]
    values: np.ndarray
    first_vertex: np.ndarray
    first_face: np.ndarray
    vertex_regions: typing.Optional[np.ndarray] = None
    face_regions: typing.Optional[np.ndarray] = None
    regions: typing.Optional[np.ndarray] = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the faces to a binary file, .stl or .ply. Only PLY has shared vertices and normals. Raises ValueError
        for another suffix, and for PLY if there are more than 2147483648 vertices."""
        suffix = pathlib.Path(path).suffix.lower()
        if suffix not in (".stl", ".ply"):
            raise ValueError(f"The file is {str(path)!r}; .stl and .ply are allowed.")
        if suffix == ".ply" and len(self.vertices) > 2**31:
            raise ValueError(f"The surface has {len(self.vertices)} vertices; .ply files have at most {2**31} here.")
        with open(path, "wb") as file:
            (self._write_stl if suffix == ".stl" else self._write_ply)(file)

    def _write_stl(self, file: typing.BinaryIO) -> None:
        corners = self.vertices[self.faces]
        rows = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        rows["normal"] = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths != 0)
        rows["corners"] = corners
        file.write(b"isosurface".ljust(80) + len(rows).to_bytes(4, "little"))
        file.write(rows.data)

    def _write_ply(self, file: typing.BinaryIO) -> None:
        names = ["x", "y", "z"] + ([] if self.normals is None else ["nx", "ny", "nz"])
        header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(self.vertices)}",
                  *(f"property float {name}" for name in names), f"element face {len(self.faces)}",
                  "property list uchar int vertex_indices", "end_header", ""]
        file.write("\n".join(header).encode("ascii"))
        columns = [self.vertices] if self.normals is None else [self.vertices, self.normals]
        file.write(np.hstack(columns).astype("<f4", copy=False).data)
        rows = np.zeros(len(self.faces), [("count", "u1"), ("ids", "<i4", 3)])
        rows["count"] = 3
        rows["ids"] = self.faces
        file.write(rows.data)
