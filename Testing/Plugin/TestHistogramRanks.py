# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The histogram of several ranks and of a server is that of one process, byte for byte.

usage: pvpython TestHistogramRanks.py MPIEXEC PVBATCH PVSERVER
"""
import os
import subprocess
import sys
import tempfile
import unittest

import histogram_cases
import histograms
import numpy
import plugin_test
from paraview import simple
from server import Server, environment_of_ranks

MPIEXEC, PVBATCH, PVSERVER = sys.argv[1:]


def on_ranks(ranks, *command):
    return [MPIEXEC, "--oversubscribe", "-n", str(ranks), *command]


class HistogramRanks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        histogram_cases.write_sources(cls.folder.name)
        cls.serial = {case: histograms.result_of(histogram_cases.histogram_of(cls.folder.name, case))
                      for case in histogram_cases.CASES}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_one_process_counts_all_samples(self):
        for case, arrays in self.serial.items():
            self.assertEqual(arrays["Samples"].sum(), histogram_cases.expected_samples(case), case)
            self.assertEqual(arrays["CutCells"].sum() > 0, not case.startswith("few-Open"), case)  # a row of cells

    def test_the_boundary_modes_differ(self):
        for source in ("pvti", "raw"):
            cells = {mode: self.serial[f"{source}-{mode}-CPU"]["CutCells"].sum() for mode in ("Open", "Extend", "Close")}
            self.assertLess(cells["Open"], cells["Close"])
            self.assertEqual(cells["Open"] < cells["Extend"], source == "pvti")  # points lie on the border already

    def test_two_ranks(self):
        self.check_ranks(2)

    def test_three_ranks(self):
        self.check_ranks(3)

    def test_four_ranks(self):
        self.check_ranks(4)

    def check_ranks(self, ranks):
        worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "histogram_ranks.py")
        run = subprocess.run(on_ranks(ranks, PVBATCH, "--sym", worker, self.folder.name), text=True,
                             env=environment_of_ranks(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=120)  # a rank that waits for others waits for ever
        self.assertEqual(run.returncode, 0, run.stdout)
        print(run.stdout)  # CTest searches it for messages of the validation layer
        for case in histogram_cases.CASES:
            with self.subTest(case=case, ranks=ranks):
                tables = [self.load(case, rank) for rank in range(ranks)]
                if case == histogram_cases.FAILS_ON_OTHER_RANKS:
                    self.check_failure(tables)
                else:
                    self.check_tables(tables, case)

    def load(self, case, rank):
        path = os.path.join(self.folder.name, f"{case}.{rank}.npz")
        with numpy.load(path) as arrays:
            table = dict(arrays)
        os.remove(path)
        return table

    def check_tables(self, tables, case):
        names = [str(table.pop("name")) for table in tables]
        self.assertEqual(names, ["density"] + [""] * (len(tables) - 1))
        messages = [(int(table.pop("errors")), int(table.pop("warnings"))) for table in tables]
        self.assertEqual(messages, [(0, 0)] * len(tables))
        self.assertEqual(histograms.bytes_of(tables[0]), histograms.bytes_of(self.serial[case]))
        self.assertEqual(tables[1:], [{}] * (len(tables) - 1))

    def check_failure(self, tables):
        """Each rank has one error, rank 0 that of another rank, and no rank has a table."""
        self.assertEqual([int(table.pop("errors")) for table in tables], [1] * len(tables))
        for table in tables:
            self.assertEqual(sorted(table), ["name", "warnings"])

    def test_a_server(self):
        self.check_server([PVSERVER])

    def test_a_server_of_two_ranks(self):
        self.check_server(on_ranks(2, PVSERVER))

    def check_server(self, command):
        with Server(command) as server:
            simple.Connect("localhost", server.port)
            try:
                for case in histogram_cases.CASES:
                    if case.startswith(histogram_cases.MADE_BY_THE_SCRIPT):
                        continue
                    with self.subTest(case=case):
                        histogram = histogram_cases.histogram_of(self.folder.name, case)
                        self.assertIsNone(histogram.GetClientSideObject())
                        arrays = histograms.result_of(histogram)
                        self.assertEqual(histograms.bytes_of(arrays), histograms.bytes_of(self.serial[case]))
                        histogram.UpdatePropertyInformation()
                        self.assertNotEqual(histogram.UsedDevice, "")
            finally:
                simple.Disconnect()


if not os.path.exists(MPIEXEC):
    plugin_test.skip("no mpiexec.")
plugin_test.run()
