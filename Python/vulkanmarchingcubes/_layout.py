# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any layout in memory, as the core reads them."""
from __future__ import annotations

import typing

import numpy as np

from . import _core
from ._arguments import Point, integer

LARGEST = 1e36  # position: sums of a few positions are below the largest float32
_MOST_ELEMENTS = 2**31 - 1  # along an axis


class Layout(typing.NamedTuple):
    """samples: a C-contiguous array of a native type of the core. flags: uint8 of the same shape, or None: all elements
    have a value. order: for each axis of samples, that of the array. is_reversed: for each axis of the array."""
    samples: np.ndarray
    flags: typing.Optional[np.ndarray]
    order: list[int]
    is_reversed: list[bool]

    def geometry(self, spacing: Point, origin: Point) -> tuple[Point, list[Point]]:
        """Returns the position of the first sample, and the steps along the axes of the core, whose first one is the last
        one of samples. Raises ValueError for positions that float32 does not hold."""
        first, steps = list(origin), []
        for axis, count in zip(reversed(self.order), reversed(self.samples.shape)):
            last = origin[axis] + spacing[axis] * (count - 1)
            if not (1 / LARGEST <= spacing[axis] <= LARGEST and max(abs(origin[axis]), abs(last)) <= LARGEST):
                raise ValueError(f"Along axis {axis}, the spacing is {spacing[axis]!r}, and positions are from "
                                 f"{origin[axis]!r} to {last!r}; a spacing from {1 / LARGEST} on, and positions up to "
                                 f"{LARGEST}, are allowed.")
            step = [0.0, 0.0, 0.0]
            step[axis] = -spacing[axis] if self.is_reversed[axis] else spacing[axis]
            if self.is_reversed[axis]:
                first[axis] = last
            steps.append(tuple(step))
        return tuple(first), steps


def _with_known_type(array: np.ndarray) -> np.ndarray:
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        return array.view(np.uint8)
    if kind not in "iuf":
        raise TypeError(f"The volume has elements of type {array.dtype}; integers, floats and bool are allowed.")
    if kind == "f" and size not in (4, 8):
        return array.astype(np.float32 if size < 4 else np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def valid_mask(mask, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the mask as bool. Raises ValueError for another shape, TypeError for another type."""
    mask = np.asarray(mask)
    if mask.shape != shape:
        raise ValueError(f"The mask has the shape {mask.shape}; the volume has {shape}.")
    if mask.dtype.kind not in "biu":
        raise TypeError(f"The mask has elements of type {mask.dtype}; bool is allowed.")
    return mask.astype(bool, copy=False)


def chosen_component(array, component: typing.Optional[int]) -> np.ndarray:
    """Returns the array of 3 axes, which may be masked."""
    array = np.asanyarray(array)
    if component is not None:
        if array.ndim != 4:
            raise ValueError(f"The volume has {array.ndim} axes; a component needs 4.")
        array = array[..., integer(component, "component", -array.shape[3], array.shape[3] - 1)]
    if array.ndim != 3:
        raise ValueError(f"The volume has {array.ndim} axes; 3 are allowed.")
    if array.size == 0 or max(array.shape) > _MOST_ELEMENTS:
        raise ValueError(f"The volume has the shape {array.shape}; 1 to {_MOST_ELEMENTS} elements along each axis are "
                         "allowed.")
    return array


def layout_of(array: np.ndarray, mask) -> Layout:
    """Returns the layout of an array of 3 axes. Copies it only if its elements have gaps between them, or are of no type
    of the core."""
    valid = None if mask is None else valid_mask(mask, array.shape)
    if isinstance(array, np.ma.MaskedArray):
        unmasked = ~np.ma.getmaskarray(array)
        valid = unmasked if valid is None else valid & unmasked
    samples = _with_known_type(np.asarray(array))
    # The strides of axes of one element mean nothing.
    order = sorted(range(3), key=lambda axis: (samples.shape[axis] > 1, -abs(samples.strides[axis])))
    is_reversed = [stride < 0 for stride in samples.strides]

    def in_memory_order(values: np.ndarray) -> np.ndarray:
        directions = tuple(slice(None, None, -1) if is_so else slice(None) for is_so in is_reversed)
        return np.ascontiguousarray(values[directions].transpose(order))

    flags = None if valid is None else np.multiply(in_memory_order(~valid), _core.BLANK, dtype=np.uint8)
    return Layout(in_memory_order(samples), flags, order, is_reversed)
