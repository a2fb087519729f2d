# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a chart of time against size for the filter and its peers, from a summary that performance.py wrote.

Usage: pvpython performance_chart.py SUMMARY.json PICTURE.png    (needs a display: xvfb-run)
"""
import json
import math
import sys

import performance
from vtkmodules.vtkChartsCore import vtkAxis, vtkChart, vtkChartLegend, vtkChartXY
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkFloatArray, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkTable
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkRenderingCore import vtkWindowToImageFilter
from vtkmodules.vtkViewsContext2D import vtkContextView
import vtkmodules.vtkRenderingContextOpenGL2  # noqa: F401 (the implementation of drawing)
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401

# Program, kind of row, legend, colour, whether it is this project's.
LINES = (
    ("filter", "averaged", "CellDataToPointData + FlyingEdges", (130, 130, 130), False),
    ("filter", "FlyingEdges 1 thread", "FlyingEdges, 1 thread", (230, 159, 0), False),
    ("filter", "FlyingEdges all threads", "FlyingEdges, {threads} threads", (204, 80, 0), False),
    ("filter", "first", "filter, first extraction, host to host", (86, 180, 233), True),
    ("filter", "again", "filter, new isovalue, host to host", (0, 114, 178), True),
    ("core", "again", "core, new isovalue, mesh on the device", (0, 158, 115), True),
)


MARGIN = 1.15  # factor by which the axes extend beyond the outermost ticks


def points_of(summary, program, way):
    rows = ((size, summary[program].get(f"{performance.growth_case(size)}/{way}")) for size in performance.SIZES)
    return [(size, row["ms"]) for size, row in rows if row]


def add_line(chart, name, points, colour, is_ours):
    x, y = vtkFloatArray(), vtkFloatArray()
    x.SetName("size")
    y.SetName(name)
    for size, milliseconds in points:
        x.InsertNextValue(size)
        y.InsertNextValue(milliseconds)
    data = vtkTable()
    data.AddColumn(x)
    data.AddColumn(y)
    line = chart.AddPlot(vtkChart.LINE)
    line.SetInputData(data, 0, 1)
    line.SetColor(*colour, 255)
    line.SetWidth(4 if is_ours else 2.5)
    line.SetMarkerStyle(4 if is_ours else 3)  # circle, square
    line.SetMarkerSize(10)


def set_axis(axis, title, ticks):
    positions, labels = vtkDoubleArray(), vtkStringArray()
    for tick in ticks:
        positions.InsertNextValue(math.log10(tick))  # positions on a logarithmic axis are logarithms
        labels.InsertNextValue(performance.number(tick, 4))
    axis.SetTitle(title)
    axis.LogScaleOn()
    axis.SetBehavior(vtkAxis.FIXED)
    axis.SetRange(ticks[0] / MARGIN, ticks[-1] * MARGIN)
    axis.SetCustomTickPositions(positions, labels)
    axis.GetTitleProperties().SetFontSize(20)
    axis.GetLabelProperties().SetFontSize(17)


def decades_around(values):
    """From the power of ten below all values to the second one above them, which leaves space for the legend."""
    ticks = [10.0 ** power for power in range(-3, 7)]
    low = max(i for i, tick in enumerate(ticks) if tick <= min(values))
    high = min(i for i, tick in enumerate(ticks) if tick >= max(values))
    return ticks[low:high + 2]


def draw(summary, path):
    chart = vtkChartXY()
    lines = [(line, points_of(summary, *line[:2])) for line in LINES]
    for (_, _, words, colour, is_ours), points in lines:
        if len(points) > 1:
            add_line(chart, words.format(threads=summary["processors"]), points, colour, is_ours)
    sizes = [size for _, points in lines for size, _ in points]
    set_axis(chart.GetAxis(vtkAxis.BOTTOM), "samples along each axis",
             [size for size in performance.SIZES if size <= max(sizes)])
    times = [milliseconds for _, points in lines for _, milliseconds in points]
    set_axis(chart.GetAxis(vtkAxis.LEFT), "milliseconds", decades_around(times))
    chart.SetTitle(f"Gyroid of float32, 1 % active, on {summary['device'].split(' (')[0]}")
    chart.GetTitleProperties().SetFontSize(22)
    chart.SetShowLegend(True)
    chart.GetLegend().SetHorizontalAlignment(vtkChartLegend.RIGHT)
    chart.GetLegend().SetVerticalAlignment(vtkChartLegend.TOP)
    chart.GetLegend().SetLabelSize(16)

    view = vtkContextView()
    view.GetRenderer().SetBackground(1, 1, 1)
    view.GetRenderWindow().SetSize(1000, 750)
    view.GetRenderWindow().SetOffScreenRendering(1)
    view.GetRenderWindow().SetMultiSamples(4)
    view.GetScene().AddItem(chart)
    view.Render()
    picture = vtkWindowToImageFilter()
    picture.SetInput(view.GetRenderWindow())
    picture.ReadFrontBufferOff()
    writer = vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputConnection(picture.GetOutputPort())
    writer.Write()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        draw(json.load(file), sys.argv[2])
