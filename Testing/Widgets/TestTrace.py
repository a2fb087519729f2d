# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A Python trace of the client, replayed by pvpython, shows what the client has shown.

usage: TestTrace.py CLIENT PVPYTHON
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLIENT, PVPYTHON = sys.argv[1:3]
# Prints the part of the pixels that differ clearly from the client's picture.
REPLAY = """
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader
exec(open("trace.py", encoding="utf-8").read())

def picture(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    width, height, _ = reader.GetOutput().GetDimensions()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    return pixels.reshape(height, width, -1)[:, :, :3].astype(int)

client = picture("client.png")
SaveScreenshot("replay.png", GetActiveView(), ImageResolution=list(client.shape[1::-1]))
print("DIFFERENT", (abs(picture("replay.png") - client).max(axis=2) > 16).mean())
"""


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_client(self, test):
        environment = {**os.environ, "VMC_CLIENT_TEST": test, "VMC_CLIENT_TEST_CLASS": "SurfaceTest",
                       "VMC_TRACE_FOLDER": str(self.folder)}
        subprocess.run([CLIENT, "--dr"], env=environment, check=True)

    def replay(self):
        (self.folder / "replay.py").write_text(REPLAY, encoding="utf-8")
        run = subprocess.run([PVPYTHON, "replay.py"], cwd=self.folder, capture_output=True, text=True, check=False)
        lines = [line for line in run.stdout.splitlines() if line.startswith("DIFFERENT")]
        self.assertEqual(len(lines), 1, run.stdout + run.stderr)
        return float(lines[0].split()[1])

    def test_extraction(self):
        self.run_client("traceOfExtraction")
        self.assertIn("Hide(wavelet1", (self.folder / "trace.py").read_text(encoding="utf-8"))
        self.assertLess(self.replay(), 0.001)  # silhouettes and the letters of the axes


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
