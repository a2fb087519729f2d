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

from ._arguments import Point, real, reals

LARGEST_SIZE = 16384
COLORS = ((0.90, 0.82, 0.70), (0.55, 0.72, 0.90), (0.60, 0.85, 0.60), (0.92, 0.60, 0.55))
_HIT = np.dtype([("t", "f4"), ("depth", "f4"), ("normal", "i2", 2), ("level", "i4")])  # RayHit of the core


class Camera(typing.NamedTuple):
    """A perspective view. Positions and directions are in the order of the array's axes, as vertices are.

    position: of the eye. target: the position in the middle of the picture. up: a direction that points upwards in the
    picture. angle: in degrees, across the shorter side of the picture, 0.001 to 179.
    """
    position: Point
    target: Point
    up: Point = (1.0, 0.0, 0.0)
    angle: float = 30.0

    @classmethod
    def around(cls, low: Point, high: Point) -> Camera:
        """Returns a camera that sees the whole box from `low` to `high`, as near as possible."""
        target = np.add(low, high) / 2
        axes = _axes_of(np.array((0.4, -1.0, -0.5)), cls._field_defaults["up"])
        corners = np.array(list(itertools.product(*zip(low, high)))) - target
        right, up, nearer = axes @ corners.T
        slope = np.tan(np.radians(cls._field_defaults["angle"] / 2))
        distance = (np.maximum(abs(right), abs(up)) / slope + nearer).max() or 1.0
        return cls(tuple(target + axes[2] * distance), tuple(target))


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


def palette_of(colors) -> np.ndarray:
    """Returns float (N, 3). Raises ValueError for other numbers."""
    try:
        palette = np.asarray(colors, float)
    except (TypeError, ValueError):
        palette = np.empty(0)
    if palette.ndim != 2 or palette.shape[1] != 3 or len(palette) == 0 or not ((palette >= 0) & (palette <= 1)).all():
        raise ValueError(f"colors is {colors!r}; rows of three numbers in [0, 1] are allowed.")
    return palette


def _axes_of(back: np.ndarray, up: Point) -> np.ndarray:
    """Returns the directions to the right, upwards and to the eye, as rows."""
    right = np.cross(up, back)
    axes = np.array((right, np.cross(back, right), back))
    lengths = np.linalg.norm(axes, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise ValueError("The camera looks along its direction up, or nowhere; another position or target is needed.")
    return axes / lengths


class View:
    """A camera before the box from `low` to `high`, and a picture of this size in pixels.

    world_to_clip: float (4, 4). The near and the far plane enclose the box.
    """

    def __init__(self, camera: Camera, low: Point, high: Point, width: int, height: int) -> None:
        position, target, up = (reals(getattr(camera, name, None), f"camera.{name}", 3)
                                for name in ("position", "target", "up"))
        angle = real(getattr(camera, "angle", None), "camera.angle")
        if not 0.001 <= angle <= 179:
            raise ValueError(f"camera.angle is {angle!r}; 0.001 to 179 are allowed.")
        self.size = height, width
        self.axes = _axes_of(np.subtract(position, target), up)
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[:3, 3] = -self.axes @ np.asarray(position)
        radius = np.linalg.norm(np.subtract(high, low)) / 2 or 1.0
        middle = -(view @ (*np.add(low, high) / 2, 1))[2]  # its distance from the eye
        far = max(middle + radius, radius)
        near = max(middle - radius, far / 1000)
        scale = min(width, height) / np.tan(np.radians(angle / 2))
        clip = np.zeros((4, 4))
        clip[0, 0], clip[1, 1] = scale / width, scale / height
        clip[2, 2:] = -(far + near) / (far - near), -2 * far * near / (far - near)
        clip[3, 2] = -1
        self.world_to_clip = clip @ view

    def picture_of(self, hits: np.ndarray, palette: np.ndarray) -> Picture:
        """Lights the hits from the eye. hits: the bytes of a RayHit per pixel, from the lowest row on."""
        hits = hits.view(_HIT).reshape(self.size)[::-1]
        level = np.where(np.isinf(hits["t"]), -1, hits["level"]).astype(np.int32)
        image = np.zeros((*self.size, 4), np.uint8)
        seen = level >= 0
        light = 0.2 + 0.8 * np.abs(_normals_of(hits["normal"][seen]) @ self.axes[2])
        image[seen, :3] = np.rint(255 * palette[level[seen] % len(palette)] * light[:, None])
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
