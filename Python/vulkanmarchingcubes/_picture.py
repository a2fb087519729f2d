# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of isosurfaces by rays: cameras, light and PNG files."""
from __future__ import annotations

import itertools
import os
import struct
import typing
import zlib

import numpy as np

LARGEST_SIZE = 16384
COLORS = ((0.90, 0.82, 0.70), (0.55, 0.72, 0.90), (0.60, 0.85, 0.60), (0.92, 0.60, 0.55))
_HIT = np.dtype([("t", "f4"), ("depth", "f4"), ("normal", "i2", 2), ("level", "i4")])  # RayHit of the core

Point = typing.Tuple[float, float, float]


class Camera(typing.NamedTuple):
    """A perspective view. Positions and directions are in the order of the array's axes, as vertices are.

    position: of the eye. target: the position in the middle of the picture. up: a direction that points upwards in the
    picture. angle: in degrees, across the shorter side of the picture, more than 0 and less than 180.
    """
    position: Point
    target: Point
    up: Point = (1.0, 0.0, 0.0)
    angle: float = 30.0

    @classmethod
    def around(cls, low: Point, high: Point) -> Camera:
        """Returns a camera that sees the whole box from `low` to `high`, as near as possible."""
        target, back = np.add(low, high) / 2, np.array((0.4, -1.0, -0.5))
        camera = cls(tuple(target + back), tuple(target))
        axes = _axes_of(camera)
        corners = np.array(list(itertools.product(*zip(low, high)))) - target
        right, up, nearer = axes @ corners.T
        slope = np.tan(np.radians(camera.angle / 2))
        distance = (np.maximum(abs(right), abs(up)) / slope + nearer).max() or 1.0
        return camera._replace(position=tuple(target + axes[2] * distance))


class Picture(typing.NamedTuple):
    """image: uint8 (height, width, 4), red, green, blue and alpha, which is 0 where no ray meets a surface; the first row
    is the uppermost one. level: int32 (height, width), the number of the level that the ray meets first, or -1.

    A notebook shows it.
    """
    image: np.ndarray
    level: np.ndarray

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the image to a PNG file."""
        with open(path, "wb") as file:
            file.write(self._repr_png_())

    def _repr_png_(self) -> bytes:
        height, width = self.image.shape[:2]
        rows = np.zeros((height, 1 + 4 * width), np.uint8)  # each begins with its filter, 0
        rows[:, 1:] = self.image.reshape(height, -1)

        def chunk(name: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(rows.data)) + chunk(b"IEND", b""))


def _axes_of(camera: Camera) -> np.ndarray:
    """Returns the directions to the right, upwards and to the eye, as rows."""
    back = np.subtract(camera.position, camera.target)
    right = np.cross(camera.up, back)
    if not np.isfinite([*camera.position, *camera.target]).all() or not np.linalg.norm(right) > 0:
        raise ValueError(f"The camera is {camera!r}; it must look in a direction other than up.")
    axes = np.array((right, np.cross(back, right), back))
    return axes / np.linalg.norm(axes, axis=1, keepdims=True)


def world_to_clip(camera: Camera, low: Point, high: Point, width: int, height: int) -> list[list[float]]:
    """Returns a matrix by rows. The near and the far plane enclose the box from `low` to `high`."""
    if not 0 < camera.angle < 180:
        raise ValueError(f"The camera has the angle {camera.angle!r}; more than 0 and less than 180 is allowed.")
    axes = _axes_of(camera)
    view = np.eye(4)
    view[:3, :3] = axes
    view[:3, 3] = -axes @ np.asarray(camera.position, float)
    radius = np.linalg.norm(np.subtract(high, low)) / 2 or 1.0
    middle = -(view @ (*np.add(low, high) / 2, 1))[2]  # its distance from the eye
    far = max(middle + radius, radius)
    near = max(middle - radius, far / 1000)
    scale = min(width, height) / np.tan(np.radians(camera.angle / 2))
    clip = np.zeros((4, 4))
    clip[0, 0], clip[1, 1] = scale / width, scale / height
    clip[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
    clip[3, 2] = -1
    return (clip @ view).tolist()


def picture_of(hits: np.ndarray, camera: Camera, width: int, height: int, colors) -> Picture:
    """Lights the hits from the eye. hits: the bytes of a RayHit per pixel, from the lowest row on."""
    hits = hits.view(_HIT).reshape(height, width)[::-1]
    level = np.where(np.isinf(hits["t"]), -1, hits["level"]).astype(np.int32)
    image = np.zeros((height, width, 4), np.uint8)
    seen = level >= 0
    light = 0.2 + 0.8 * np.abs(_normals_of(hits["normal"][seen]) @ _axes_of(camera)[2])
    palette = np.resize(np.asarray(colors, float), (level.max(initial=0) + 1, 3))
    image[seen, :3] = np.rint(255 * palette[level[seen]] * light[:, None])
    image[seen, 3] = 255
    return Picture(image, level)


def _normals_of(packed: np.ndarray) -> np.ndarray:
    """Returns the unit vectors (N, 3) that RayHit has packed, as points on an octahedron."""
    normals = np.empty((len(packed), 3))
    normals[:, :2] = packed / 32767
    normals[:, 2] = 1 - np.abs(normals[:, :2]).sum(axis=1)
    below = np.minimum(normals[:, 2], 0)[:, None]  # such points are folded outwards
    normals[:, :2] += np.where(normals[:, :2] >= 0, below, -below)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)
