"""Runs Utilities/isosurface.py as a user would.

usage: python3 TestIsosurfaceTool.py PVPYTHON ISOSURFACE_PY PLUGIN [unittest arguments]

The expected counts come from counting by hand: a sample that stands out of 3x3x3 is cut off by an octahedron, which has
6 points and 8 triangles.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PVPYTHON, TOOL, PLUGIN = sys.argv[1:4]
SIDE = 3
PEAK = 100
RAW_TYPES = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f",
             "float64": "d"}


def peak(count):
    """Samples that are all 0 but the one in the middle."""
    return [PEAK if i == count // 2 else 0 for i in range(count)]


def cube(code):
    return struct.pack(f"<{SIDE ** 3}{code}", *peak(SIDE ** 3))


def text():
    return " ".join(map(str, peak(SIDE ** 3)))


class IsosurfaceTool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.volume = self.write("peak_3x3x3_uint8.raw", cube("B"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def run_tool(self, *arguments, plugin=PLUGIN, tool=TOOL, display=False, **variables):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "PV_PLUGIN_PATH")}
        command = ["xvfb-run", "-a"] if display else []
        command += [PVPYTHON, tool, *arguments, *(["--plugin", plugin] if plugin else [])]
        return subprocess.run(command, env={**environment, **variables}, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=120)

    def rows(self, *arguments, **options):
        """The cells of the table's rows, up to the device, whose name has blanks."""
        result = self.run_tool(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [line.split() for line in result.stdout.splitlines()[1:]]

    def assert_refused(self, sentence, *arguments, **options):
        """Exit status 2, nothing on stdout, and one sentence on stderr that contains `sentence`."""
        result = self.run_tool(*arguments, **options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("isosurface.py: "), result.stderr)
        self.assertIn(sentence, result.stderr)

    # ---- volumes

    def test_every_raw_type_gives_the_octahedron(self):
        for name, code in RAW_TYPES.items():
            with self.subTest(name):
                volume = self.write(f"peak_3x3x3_{name}.raw", cube(code))
                self.assertEqual(self.rows(volume, "--isovalue", "50")[0][:3], ["50", "8", "6"])

    def test_float64_says_that_it_is_converted(self):
        volume = self.write("peak_3x3x3_float64.raw", cube("d"))
        self.assertIn("converted to float32", self.run_tool(volume, "--isovalue", "50").stderr)

    def test_every_image_format_gives_the_octahedron(self):
        volumes = {
            "cells.vti": '<VTKFile type="ImageData" version="0.1"><ImageData WholeExtent="0 3 0 3 0 3" Origin="0 0 0" '
                         'Spacing="1 1 1"><Piece Extent="0 3 0 3 0 3"><CellData Scalars="density"><DataArray '
                         f'type="Int16" Name="density" format="ascii">{text()}</DataArray></CellData></Piece>'
                         '</ImageData></VTKFile>',
            "points.vtk": "# vtk DataFile Version 3.0\npeak\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 3 3\n"
                          "ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 27\nSCALARS density short 1\nLOOKUP_TABLE default\n"
                          f"{text()}\n",
            "points.nrrd": b"NRRD0004\ntype: int8\ndimension: 3\nsizes: 11 3 3\nencoding: raw\n\n"
                           + bytes(peak(11 * 3 * 3)),  # VTK takes a first axis below 10 for components
            "points.mhd": "ObjectType = Image\nNDims = 3\nDimSize = 3 3 3\nElementType = MET_UCHAR\n"
                          "ElementDataFile = peak_3x3x3_uint8.raw\n",
        }
        for name, content in volumes.items():
            with self.subTest(name):
                self.assertEqual(self.rows(self.write(name, content), "--isovalue", "50")[0][:3], ["50", "8", "6"])

    def test_raw_samples_are_cells_unless_points_are_asked_for(self):
        for option, center in (("--cells", 1.5), ("--points", 1.0)):
            with self.subTest(option):
                self.rows(self.volume, "--isovalue", "50", option, "--output", self.path("mesh.obj"))
                with open(self.path("mesh.obj"), encoding="ascii") as mesh:
                    points = [[float(x) for x in line.split()[1:]] for line in mesh if line.startswith("v ")]
                for axis in zip(*points):
                    self.assertAlmostEqual(sum(axis) / len(points), center, delta=1e-6)  # float32 coordinates

    def test_what_cannot_be_read_is_refused(self):
        self.assert_refused("No such file", self.path("absent_3x3x3_uint8.raw"), "--isovalue", "50")
        self.assert_refused("must end in _XxYxZ_TYPE.raw", self.write("peak.raw", cube("B")), "--isovalue", "50")
        self.assert_refused("it has 26 bytes, and its name says 27",
                            self.write("short_3x3x3_uint8.raw", cube("B")[1:]), "--isovalue", "50")
        self.assert_refused("a dimension is 0", self.write("flat_3x0x3_uint8.raw", b""), "--isovalue", "50")
        self.assert_refused("its extension must be one of .raw .vti", self.write("peak.tif", b""), "--isovalue", "50")
        self.assert_refused("its encoding is ascii, and raw or gzip is needed",
                            self.write("text.nrrd", "NRRD0004\nencoding: ascii\n\n"), "--isovalue", "50")
        for name in ("bad.vti", "bad.vtk", "bad.nrrd", "bad.mhd"):
            with self.subTest(name):
                self.assert_refused(f"cannot use '{self.path(name)}'", self.write(name, "nonsense\n"),
                                    "--isovalue", "50")

    def test_missing_array_lists_those_there_are(self):
        self.assert_refused("no array 'density' on its cells or points, but 'peak' on its cells",
                            self.volume, "--isovalue", "50", "--array", "density")

    # ---- isovalues

    def test_several_isovalues_make_one_mesh(self):
        rows = self.rows(self.volume, "--isovalue", "30", "--isovalue", "70")
        self.assertEqual([row[:4] for row in rows], [["30", "70", "16", "12"]])

    def test_sweep_includes_its_end_and_uploads_once(self):
        rows = self.rows(self.volume, "--sweep", "10:90:40")
        self.assertEqual([row[:3] for row in rows], [["10", "8", "6"], ["50", "8", "6"], ["90", "8", "6"]])
        self.assertEqual([row[4] for row in rows[1:]], ["0.00", "0.00"])

    def test_sweep_may_begin_below_zero(self):
        rows = self.rows(self.volume, "--sweep", "-50:50:50")
        self.assertEqual([row[:2] for row in rows], [["-50", "0"], ["0", "0"], ["50", "8"]])

    def test_sweep_writes_a_file_for_each_isovalue(self):
        self.rows(self.volume, "--sweep", "10:50:40", "--output", self.path("mesh.stl"))
        self.assertTrue(os.path.exists(self.path("mesh_10.stl")) and os.path.exists(self.path("mesh_50.stl")))
        self.assertFalse(os.path.exists(self.path("mesh.stl")))

    def test_bad_isovalues_are_refused(self):
        for bad in ("1:2", "1:2:0", "1:2:-1", "1:2:x", "0:1:1e-9"):
            with self.subTest(bad):
                self.assert_refused(f"'{bad}'", self.volume, "--sweep", bad)
        self.assert_refused("'nan' is not a finite number", self.volume, "--isovalue", "nan")
        self.assert_refused("--isovalue --sweep is required", self.volume)

    def test_isovalue_out_of_range_is_empty_and_says_the_range(self):
        result = self.run_tool(self.volume, "--isovalue", "101")
        self.assertEqual(result.returncode, 0)
        self.assertIn("'peak' ranges from 0 to 100", result.stderr)
        self.assertEqual(result.stdout.splitlines()[1].split()[:3], ["101", "0", "0"])

    # ---- outputs

    def test_every_mesh_format_is_written(self):
        written = {}
        for extension in ("vtp", "ply", "stl", "obj"):
            path = self.path("mesh." + extension)
            self.rows(self.volume, "--isovalue", "50", "--output", path)
            with open(path, "rb") as file:
                written[extension] = file.read()
        self.assertIn(b'NumberOfPoints="6"', written["vtp"])
        self.assertIn(b'NumberOfPolys="8"', written["vtp"])
        self.assertNotIn(b"appended", written["vtp"])
        self.assertIn(b"element vertex 6\n", written["ply"])
        self.assertIn(b"element face 8\n", written["ply"])
        self.assertEqual(len(written["stl"]), 84 + 8 * 50)  # binary: header, count, 50 bytes a triangle
        self.assertEqual(written["obj"].count(b"\nv "), 6)
        self.assertEqual(written["obj"].count(b"\nf "), 8)

    def test_an_empty_mesh_is_written_too(self):
        for extension in ("vtp", "ply", "stl", "obj"):
            with self.subTest(extension):
                self.rows(self.volume, "--isovalue", "101", "--output", self.path("mesh." + extension))
                self.assertTrue(os.path.exists(self.path("mesh." + extension)))

    def test_image_is_rgb_of_1024_pixels(self):
        for isovalue in ("50", "101"):
            with self.subTest(isovalue):
                self.rows(self.volume, "--isovalue", isovalue, "--image", self.path("view.png"), display=True)
                with open(self.path("view.png"), "rb") as file:
                    self.assertEqual(struct.unpack(">16xIIBB", file.read(26)), (1024, 1024, 8, 2))

    def test_image_without_display_is_refused(self):
        arguments = (self.volume, "--isovalue", "50", "--image", self.path("view.png"))
        self.assert_refused("xvfb-run -a", *arguments)
        self.assert_refused("xvfb-run -a", *arguments, DISPLAY=":987")

    def test_what_cannot_be_written_is_refused(self):
        self.assert_refused("No such file", self.volume, "--isovalue", "50", "--output", self.path("absent/mesh.vtp"))
        self.assert_refused("one of .vtp .ply .stl .obj", self.volume, "--isovalue", "50", "--output", "mesh.vtk")
        self.assert_refused("one of .png", self.volume, "--isovalue", "50", "--image", "view.jpg")
        os.mkdir(self.path("folder.vtp"))
        self.assert_refused("it is a folder", self.volume, "--isovalue", "50", "--output", self.path("folder.vtp"))

    def test_json_tells_the_table_and_the_stages(self):
        result = self.run_tool(self.volume, "--isovalue", "50", "--timings", "json")
        report = json.loads(result.stdout)
        self.assertEqual((report["array"], report["association"], report["range"]), ("peak", "CELLS", [0, PEAK]))
        row, = report["extractions"]
        self.assertEqual((row["isovalues"], row["triangles"], row["points"]), ([50], 8, 6))
        self.assertEqual((row["activeBricks"], row["bricks"]), (1, 1))
        self.assertEqual(set(row["milliseconds"]), {"upload", "index", "extract", "readback", "total"})
        self.assertIn("CountBricks", row["stages"])
        self.assertGreater(row["milliseconds"]["total"], 0)

    # ---- device and plugin

    def test_device_by_a_part_of_its_name(self):
        used = json.loads(self.run_tool(self.volume, "--isovalue", "50", "--timings", "json").stdout)
        name = used["extractions"][0]["device"]
        again = self.run_tool(self.volume, "--isovalue", "50", "--timings", "json", "--device", name[:4].upper())
        self.assertEqual(json.loads(again.stdout)["extractions"][0]["device"], name)

    def test_unknown_device_lists_those_there_are(self):
        self.assert_refused("there is no Vulkan device 'abacus'; there is '",
                            self.volume, "--isovalue", "50", "--device", "abacus")

    def test_plugin_that_is_none_is_refused(self):
        self.assert_refused("there is no such file", self.volume, "--isovalue", "50", plugin=self.path("absent.so"))
        self.assert_refused("cannot load the plugin", self.volume, "--isovalue", "50", plugin=self.volume)

    def test_plugin_path_is_searched(self):
        tool = self.path("Utilities/isosurface.py")  # away from any build
        shutil.copytree(os.path.dirname(os.path.abspath(TOOL)), os.path.dirname(tool))
        self.assert_refused("cannot find the plugin", self.volume, "--isovalue", "50", tool=tool, plugin=None)
        rows = self.rows(self.volume, "--isovalue", "50", tool=tool, plugin=None,
                         PV_PLUGIN_PATH=os.path.dirname(os.path.abspath(PLUGIN)))
        self.assertEqual(rows[0][:3], ["50", "8", "6"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
