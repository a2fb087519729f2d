# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The table of the filter Vulkan Image Histogram in charts and in the spreadsheet. Needs a display.

usage: pvpython TestHistogramViews.py
"""
import csv
import os

import histograms
import numpy
import pictures
import plugin_test
from paraview import simple

COLOR = (230, 40, 200)  # of one series; no other part of a view has it


def series(name):
    return [name, *(str(channel / 255) for channel in COLOR)]


class Views(plugin_test.VolumeTest):
    def setUp(self):
        super().setUp()
        self.histogram = simple.VulkanImageHistogram(Input=self.volume, Array=["CELLS", "density"], NumberOfBins=16)

    def tearDown(self):
        pictures.delete_all()

    def chart(self, kind):
        view = simple.CreateView(kind)
        view.ViewSize = [pictures.SIZE, pictures.SIZE]
        return view, simple.Show(self.histogram, view)

    def test_charts_draw_the_counts_over_the_values(self):
        for kind in ("XYChartView", "XYBarChartView"):
            view, display = self.chart(kind)
            self.assertEqual((display.XArrayName, display.UseIndexForXAxis), ("bin_extents", 0))
            self.assertIn("Samples", list(display.SeriesVisibility))
            self.assertNotIn("bin_extents", list(display.SeriesVisibility))
            display.SeriesColor = series("Samples")
            display.SeriesVisibility = ["Samples"]
            drawn = pictures.picture(view)
            display.SeriesVisibility = []
            hidden = pictures.picture(view)
            count = [int(numpy.count_nonzero((abs(picture[..., :3].astype(int) - COLOR) < 8).all(axis=2)))
                     for picture in (drawn, hidden)]
            self.assertGreater(count[0], 100, kind)
            self.assertEqual(count[1], 0, kind)

    def test_the_spreadsheet_has_a_row_per_bin(self):
        view, _ = self.chart("SpreadSheetView")
        path = os.path.join(self.folder.name, "table.csv")
        simple.ExportView(path, view=view)
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        arrays = histograms.result_of(self.histogram)
        for name in ("Samples", "CutCells"):
            self.assertEqual([int(row[name]) for row in rows], arrays[name].tolist())


plugin_test.run()
