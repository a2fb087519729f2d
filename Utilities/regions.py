# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Regions of a surface: parses which ones to keep, and writes their table."""
import argparse
import csv
import math

from report import Problem, say

FORMS = "largest, largest:N, triangles:N, area:X, volume:X, border, inner or nearest:X,Y,Z"
SIZES = {"triangles": "At Least Triangles", "area": "At Least Area", "volume": "At Least Volume"}
BORDERS = {"border": "Touching Border", "inner": "Not Touching Border"}
LARGEST_COUNT = 2 ** 31 - 1


def keep(text):
    """The properties of the filter that keep the regions of --keep."""
    kind, colon, value = text.strip().partition(":")
    try:
        if kind in BORDERS and not colon:
            return {"Keep": BORDERS[kind]}
        if kind == "largest":
            return {"Keep": "Largest", "NumberOfKeptRegions": count(value) if colon else 1}
        if kind in SIZES:
            return {"Keep": SIZES[kind], "LeastSize": count(value) if kind == "triangles" else size(value)}
        if kind == "nearest":
            return {"Keep": "Nearest To Point", "NearestTo": point(value)}
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text.strip()}' is not one of {FORMS}")


def count(text):
    value = int(text)
    if not 0 < value <= LARGEST_COUNT:
        raise ValueError(text)
    return value


def size(text):
    value = number(text)
    if value < 0:
        raise ValueError(text)
    return value


def point(text):
    x, y, z = map(number, text.split(","))
    return [x, y, z]


def number(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def write_regions(table, path):
    """Writes a table to a .csv file. A column of several components has a column per component, with its number."""
    columns = [table.GetColumn(i) for i in range(table.GetNumberOfColumns())]
    places = [(column, component) for column in columns for component in range(column.GetNumberOfComponents())]
    try:
        with open(path, "w", newline="", encoding="ascii") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([title(*place) for place in places])
            for row in range(table.GetNumberOfRows()):
                writer.writerow([cell(column, row, component) for column, component in places])
    except OSError as error:
        raise Problem(f"cannot write '{path}': {error.strerror}")
    say(f"wrote {path}")


def title(column, component):
    return f"{column.GetName()}:{component}" if column.GetNumberOfComponents() > 1 else column.GetName()


def cell(column, row, component):
    value = column.GetComponent(row, component)
    return int(value) if value.is_integer() else value
