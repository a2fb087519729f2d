# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Several ranks of pvbatch: the union of their surfaces is the surface of one process, and their histogram is that of one
process, byte for byte.

usage: pvpython TestRanks.py MPIEXEC PVBATCH
"""
import os
import subprocess
import sys
import tempfile

import histogram_cases
import histograms
import numpy
import plugin_test
import rank_sources
from server import environment_of_ranks, on_ranks
from surfaces import Surface, SurfaceTest, arrays_of, union_of

MPIEXEC, PVBATCH = sys.argv[1:]


class Ranks(SurfaceTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        histogram_cases.write_sources(cls.folder.name)
        cls.surfaces = {case: Surface(arrays_of(plugin_test.surface(rank_sources.contour_of(cls.folder.name, case))))
                        for case in rank_sources.CASES}
        cls.histograms = {case: histograms.result_of(histogram_cases.histogram_of(cls.folder.name, case))
                          for case in histogram_cases.CASES}
        cls.devices = plugin_test.device_names()

    def test_the_surface_of_one_process_is_that_of_flying_edges(self):
        expected = plugin_test.flying_edges(plugin_test.density(), rank_sources.ISOVALUE)
        for case, surface in self.surfaces.items():
            if "Open" in case:
                self.assertEqual((len(surface.points), len(surface.triangles)), expected, case)

    def test_one_process_counts_all_samples(self):
        for case, arrays in self.histograms.items():
            self.assertEqual(arrays["Samples"].sum(), histogram_cases.expected_samples(case), case)
            self.assertEqual(arrays["CutCells"].sum() > 0, not case.startswith("few-Open"), case)  # a row of cells

    def test_the_boundary_modes_differ(self):
        for source in ("pvti", "raw"):
            for device in rank_sources.DEVICES:
                open_, extend, close = (len(self.surfaces[f"{source}-{mode}-normals-{device}"].triangles)
                                        for mode in rank_sources.BOUNDARIES)
                self.assertLess(open_, close)
                self.assertEqual(open_ < extend, source == "pvti")  # points lie on the border already
                open_, extend, close = (self.histograms[f"{source}-{mode}-{device}"]["CutCells"].sum()
                                        for mode in rank_sources.BOUNDARIES)
                self.assertLess(open_, close)
                self.assertEqual(open_ < extend, source == "pvti")

    def test_three_ranks(self):
        self.check_ranks(3)

    def test_four_ranks(self):
        self.check_ranks(4)

    def check_ranks(self, ranks):
        worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rank_results.py")
        run = subprocess.run(on_ranks(MPIEXEC, ranks, PVBATCH, "--sym", worker, self.folder.name), text=True,
                             env=environment_of_ranks(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=240)  # a rank that waits for others waits for ever
        self.assertEqual(run.returncode, 0, run.stdout)
        print(run.stdout)  # CTest searches it for messages of the validation layer
        for case in (*rank_sources.CASES, *histogram_cases.CASES):
            with self.subTest(case=case, ranks=ranks):
                results = [self.load(case, rank) for rank in range(ranks)]
                if case in rank_sources.CASES:
                    self.check_pieces(results, case)
                elif case == histogram_cases.FAILS_ON_OTHER_RANKS:
                    self.check_failure(results)
                else:
                    self.check_tables(results, case)

    def load(self, case, rank):
        path = os.path.join(self.folder.name, f"{case}.{rank}.npz")
        with numpy.load(path) as arrays:
            result = dict(arrays)
        os.remove(path)
        return result

    def check_pieces(self, pieces, case):
        for piece in pieces:
            device = str(piece["usedDevice"])
            self.assertTrue(plugin_test.is_cpu(device) if case.endswith("CPU") else device in self.devices, device)
            self.assertGreater(piece["ghostCells"], 0)
            self.assertGreater(len(piece["triangles"]), 0)
        surface = self.surfaces[case]
        self.assertEqual(sum(len(piece["triangles"]) for piece in pieces), len(surface.triangles))
        self.assert_union_is_serial(union_of(pieces), surface, case)

    def check_tables(self, tables, case):
        names = [str(table.pop("name")) for table in tables]
        self.assertEqual(names, ["density"] + [""] * (len(tables) - 1))
        messages = [(int(table.pop("errors")), int(table.pop("warnings"))) for table in tables]
        self.assertEqual(messages, [(0, 0)] * len(tables))
        self.assertEqual(histograms.bytes_of(tables[0]), histograms.bytes_of(self.histograms[case]))
        self.assertEqual(tables[1:], [{}] * (len(tables) - 1))

    def check_failure(self, tables):
        """Each rank has one error, rank 0 that of another rank, and no rank has a table."""
        self.assertEqual([int(table.pop("errors")) for table in tables], [1] * len(tables))
        for table in tables:
            self.assertEqual(sorted(table), ["name", "warnings"])


if not os.path.exists(MPIEXEC):
    plugin_test.skip("no mpiexec.")
if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
