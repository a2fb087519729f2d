# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The output of isosurface.py for its user: errors and warnings as one sentence each, progress, a table."""
import os
import re
import sys


MEASURES = [["area"], ["volume"], ["volume", "above"], ["share of", "domain"], ["open", "edges"], ["regions"]]


class Problem(Exception):
    """An error that the user can correct, as one sentence."""


class Unusable(Exception):
    """The reason why a file or its content cannot be used, as one sentence."""


def say(message):
    clear_progress()
    message = message.encode(errors="backslashreplace").decode()  # names of files need not be UTF-8
    sys.stderr.write(f"isosurface.py: {message}\n")


def show_progress(done, total):
    """Draws a progress bar on the terminal's last line if there is more than one extraction."""
    if total > 1 and os.isatty(2):
        bar = "#" * (40 * done // total)
        sys.stderr.write(f"\r[{bar:40}] {done}/{total}")
        sys.stderr.flush()


def clear_progress():
    if os.isatty(2):
        sys.stderr.write("\r\033[K")


def label(isovalue):
    return f"{isovalue:.10g}"


def table(rows):
    """One line per extraction with the times of all stages. A stage that did not run in an extraction shows "-"."""
    stages = stages_of(rows)
    measures = MEASURES if "area" in rows[0] else []
    head = [["isovalue"], ["triangles"], ["points"], *measures, ["active", "bricks"],
            *([*words(stage), "ms"] for stage in stages), ["total", "ms"], ["device"]]
    body = [[" ".join(map(label, row["isovalues"])), f"{row['triangles']:,}", f"{row['points']:,}",
             *measures_of(row), f"{row['activeBricks']:,}", *(time(row["stages"].get(stage)) for stage in stages),
             time(row["milliseconds"]["total"]), row["device"]] for row in rows]
    height = max(map(len, head))
    lines = [list(line) for line in zip(*([""] * (height - len(column)) + column for column in head))] + body
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join([*(text.rjust(width) for text, width in zip(line[:-1], widths)), line[-1]]).rstrip()
                     for line in lines)


def measures_of(row):
    if "area" not in row:
        return []
    above = " ".join(f"{volume:.6g}" for volume in row["volumeAbove"])
    share = " ".join(f"{share:.2%}" for share in row["shareOfDomain"])
    return [f"{row['area']:.6g}", f"{row['volume']:.6g}", above, share, f"{row['openEdges']:,}",
            f"{row['regions']:,}"]


def stages_of(rows):
    """The stages of all rows, each once, in the order in which they ran."""
    order = []
    for row in rows:
        place = len(order)
        for stage in row["stages"]:
            if stage not in order:
                order.insert(place, stage)
            place = order.index(stage) + 1
    return order


def words(stage):
    """BuildBrickRanges -> Build, Brick, Ranges"""
    return re.findall(r"[A-Z][a-z]*", stage) or [stage]


def time(milliseconds):
    return "-" if milliseconds is None else f"{milliseconds:.2f}"
