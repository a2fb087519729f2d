# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Checks of arguments. Each function returns the value, or raises TypeError or ValueError with its name."""
from __future__ import annotations

import math
import operator
import typing

import numpy as np

Point = typing.Tuple[float, float, float]
Levels = typing.Union[None, float, typing.Sequence[float], np.ndarray]


def integer(value, name: str, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; an integer is allowed.") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {value!r}; {least} to {most} are allowed.")
    return number


def real(value, name: str) -> float:
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {value!r}; a number is allowed.") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} is {value!r}; finite numbers are allowed.")
    return number


def reals(value, name: str, count: int) -> tuple[float, ...]:
    try:
        numbers = tuple(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; {count} numbers are allowed.") from None
    if len(numbers) != count:
        raise ValueError(f"{name} is {value!r}; {count} numbers are allowed.")
    return tuple(real(number, name) for number in numbers)


def choice(value, name: str, allowed: typing.Iterable[str]) -> str:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; {', '.join(map(repr, allowed))} are allowed.")
    return value


def levels_of(value) -> list[float]:
    """One number, or a list of numbers, as a list."""
    array = np.atleast_1d(np.asarray(value))
    if array.dtype.kind not in "biuf":
        raise TypeError(f"level is {value!r}; a number, or a list of numbers, is allowed.")
    levels = array.ravel().tolist()
    if array.ndim != 1 or any(map(math.isnan, levels)):
        raise ValueError(f"level is {value!r}; a number, or a list of numbers, is allowed.")
    return levels
