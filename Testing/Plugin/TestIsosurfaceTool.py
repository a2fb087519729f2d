# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs Utilities/isosurface.py as a user does.

usage: python3 TestIsosurfaceTool.py PVPYTHON ISOSURFACE_PY PLUGIN [unittest arguments]    (needs a display)

The expected counts are counted by hand: the surface around a single high sample among 3x3x3 is an octahedron, which has
6 points and 8 triangles.
"""
import gzip
import json
import random
import os
import pickle
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zlib

PVPYTHON, TOOL, PLUGIN = sys.argv[1:4]
sys.path.insert(0, os.path.dirname(os.path.abspath(TOOL)))
import child_process  # noqa: E402
import header_checks  # noqa: E402
from report import Unusable  # noqa: E402

SKIPPED = 125  # CTest shows this exit code as "Skipped"
EXTENSIONS = ("vtp", "ply", "stl", "obj")
SIDE = 3
PEAK = 100
RAW_TYPES = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f",
             "int64": "q", "uint64": "Q", "float64": "d"}
META_HEADER = f"ObjectType = Image\nNDims = 3\nDimSize = {SIDE} {SIDE} {SIDE}\nElementType = MET_UCHAR\n"


def peak(count):
    """Samples that are all 0 except the middle one."""
    return [PEAK if i == count // 2 else 0 for i in range(count)]


def cube(code):
    return struct.pack(f"<{SIDE ** 3}{code}", *peak(SIDE ** 3))


def text():
    return " ".join(map(str, peak(SIDE ** 3)))


def environment(**variables):
    """A user's environment without a display and without the plugin."""
    return {**{k: v for k, v in os.environ.items() if k not in ("DISPLAY", "PV_PLUGIN_PATH")}, **variables}


class Result:
    def __init__(self, status, stdout, stderr):
        self.status, self.stdout, self.stderr = status, stdout, stderr

    def head_and_rows(self):
        """The words of the table's head, and the words of its rows. The device's name may be several words."""
        lines = [line.split() for line in self.stdout.splitlines()]
        first = next((i + 1 for i, line in enumerate(lines) if line[0] == "isovalue"), 0)
        return sum(lines[:first], []), lines[first:]

    def rows(self):
        return self.head_and_rows()[1]

    def extractions(self):
        return json.loads(self.stdout)["extractions"]


def started(*arguments, tool=TOOL, **variables):
    """Runs the tool once in its own process, as from a shell."""
    done = subprocess.run([PVPYTHON, tool, *arguments], env=environment(**variables), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    return Result(done.returncode, done.stdout, done.stderr)


class ToolProcess:
    """A process that runs the tool many times."""

    def __init__(self, **variables):
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tool_process.py")
        self.process = subprocess.Popen([PVPYTHON, server, TOOL], env=environment(**variables), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def run(self, *arguments, **variables):
        print(json.dumps({"arguments": [*arguments, "--plugin", PLUGIN], "variables": variables}),
              file=self.process.stdin, flush=True)
        return Result(**json.loads(self.process.stdout.readline()))

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)


class ToolTest(unittest.TestCase):
    VARIABLES = {}

    @classmethod
    def setUpClass(cls):
        cls.tool = ToolProcess(**cls.VARIABLES)
        cls.addClassCleanup(cls.tool.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.volume = self.write("peak_3x3x3_uint8.raw", cube("B"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        if os.path.exists(self.path(name)):
            os.remove(self.path(name))  # ext4 waits for the disk when it closes a file that was truncated
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def succeed(self, *arguments, status=0, **variables):
        result = self.tool.run(*arguments, **variables)
        self.assertEqual(result.status, status, result.stderr)
        return result

    def rows(self, *arguments, **variables):
        return self.succeed(*arguments, **variables).rows()

    def middle_and_size(self, mesh):
        """The middle and the size along each axis of the points in an .obj file."""
        with open(self.path(mesh), encoding="ascii") as file:
            points = [[float(x) for x in line.split()[1:]] for line in file if line.startswith("v ")]
        return [((min(axis) + max(axis)) / 2, max(axis) - min(axis)) for axis in zip(*points)]

    def assert_sentence(self, sentence, result):
        """Asserts exit status 2, nothing on stdout, and one sentence on stderr that contains `sentence`."""
        self.assertEqual(result.status, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("isosurface.py: "), result.stderr)
        self.assertIn(sentence, result.stderr)

    def assert_refused(self, sentence, *arguments, **variables):
        self.assert_sentence(sentence, self.tool.run(*arguments, **variables))


class Volumes(ToolTest):
    def test_every_raw_type_gives_the_octahedron(self):
        for name, code in RAW_TYPES.items():
            with self.subTest(name):
                volume = self.write(f"peak_3x3x3_{name}.raw", cube(code))
                self.assertEqual(self.rows(volume, "--isovalue", "50")[0][:3], ["50", "8", "6"])

    def test_doubles_stay_doubles(self):
        """The largest sample is the float next to 1 plus a part that only double has, and the isovalue lies between."""
        samples = [float(value == PEAK) * (1 + 2**-40) for value in peak(SIDE**3)]
        volume = self.write("peak_3x3x3_float64.raw", struct.pack(f"<{SIDE**3}d", *samples))
        self.assertEqual(self.rows(volume, "--isovalue", repr(1 + 2**-41))[0][1:3], ["8", "6"])

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
                           + bytes(peak(11 * 3 * 3)),  # VTK reads a first axis below 10 as components
            "points.mhd": f"{META_HEADER}ElementDataFile = peak_3x3x3_uint8.raw\n",
            "spaces.mhd": f"{META_HEADER}ElementDataFile = with spaces.raw\n",
            "slices.mhd": f"{META_HEADER}ElementDataFile = slice%d.raw\n",  # from 1
            "packed.mhd": f"{META_HEADER}ElementDataFile = packed.raw\n",
            "points.mha": f"{META_HEADER}ElementDataFile = LOCAL\n".encode() + cube("B"),
            "local.mha": f"{META_HEADER}ElementDataFile = Local\n".encode() + cube("B"),
        }
        self.write("with spaces.raw", cube("B"))
        self.write("packed.raw.gz", gzip.compress(cube("B")))
        for number in range(3):
            self.write(f"slice{number + 1}.raw", cube("B")[9 * number:9 * number + 9])
        for name, content in volumes.items():
            with self.subTest(name):
                self.assertEqual(self.rows(self.write(name, content), "--isovalue", "50")[0][:3], ["50", "8", "6"])

    def test_slices_and_rows_are_read_in_the_order_of_the_header(self):
        samples = bytes(PEAK if i == 3 * SIDE**2 + SIDE**2 // 2 else 0 for i in range(5 * SIDE**2))  # in slice 3
        header = f"ObjectType = Image\nNDims = 3\nDimSize = {SIDE} {SIDE} 5\nElementType = MET_UCHAR\n"
        for number in range(5):
            self.write(f"slice{10 + 2 * number}.raw", samples[9 * number:9 * number + 9])
        for number in range(15):
            self.write(f"row{number}.raw", samples[3 * number:3 * number + 3])
        slices = "".join(f"\nslice{10 + 2 * number}.raw" for number in range(5))
        rows = "".join(f"\nrow{number}.raw" for number in range(15))
        for names in ("LIST" + slices, "LIST 0" + slices, "LIST 2" + slices, "LIST 2D" + slices, "LIST 4" + slices,
                      "LIST 1D" + rows, "slice%d.raw 10 18 2"):
            with self.subTest(names):
                volume = self.write("parts.mhd", f"{header}ElementDataFile = {names}\n")
                self.rows(volume, "--isovalue", "50", "--output", self.path("mesh.obj"))
                for (middle, size), expected in zip(self.middle_and_size("mesh.obj"), (1, 1, 3)):
                    self.assertAlmostEqual(middle, expected, delta=1e-6)  # float32 coordinates
                    self.assertAlmostEqual(size, 1, delta=1e-6)

    def test_data_files_need_no_name_in_utf8(self):
        name = "pe\udce4k.raw"  # a byte of Latin-1
        for number in range(3):
            self.write(f"{number}{name}", cube("B")[9 * number:9 * number + 9])
        self.write(name, cube("B"))
        self.write("11" + name, bytes(peak(11 * SIDE**2)))
        nrrd = "NRRD0004\ntype: int8\ndimension: 3\nsizes: 11 3 3\nencoding: raw\n"
        for volume, removed, header in (
                ("one.mhd", name, f"{META_HEADER}ElementDataFile = {name}\n"),
                ("list.mhd", "2" + name, f"{META_HEADER}ElementDataFile = LIST\n0{name}\n1{name}\n2{name}\n"),
                ("one.nrrd", "11" + name, f"{nrrd}data file: 11{name}\n\n")):
            with self.subTest(volume):
                path = self.write(volume, header.encode(errors="surrogateescape"))
                self.assertEqual(self.rows(path, "--isovalue", "50")[0][:3], ["50", "8", "6"])
                os.remove(self.path(removed))
                self.assert_refused(r"pe\udce4k.raw' is missing", path, "--isovalue", "50")

    def test_raw_samples_are_cells_unless_points_are_asked_for(self):
        for option, center in (("--cells", 1.5), ("--points", 1.0)):
            with self.subTest(option):
                self.rows(self.volume, "--isovalue", "50", option, "--output", self.path("mesh.obj"))
                for middle, _ in self.middle_and_size("mesh.obj"):
                    self.assertAlmostEqual(middle, center, delta=1e-6)  # float32 coordinates

    def test_spacing_and_origin_replace_those_of_the_file(self):
        image = self.write("points.mhd", "ObjectType = Image\nNDims = 3\nDimSize = 3 3 3\nElementSpacing = 5 5 5\n"
                           "Offset = 7 7 7\nElementType = MET_UCHAR\nElementDataFile = peak_3x3x3_uint8.raw\n")
        for volume, first in ((self.volume, 0.5), (image, 0.0)):  # cells have their samples in their middle
            with self.subTest(volume):
                self.rows(volume, "--isovalue", "50", "--output", self.path("mesh.obj"),
                          "--spacing", "1", "2", "0.5", "--origin", "-1e1", "0", ".5")
                for (middle, size), step, start in zip(self.middle_and_size("mesh.obj"), (1, 2, 0.5), (-10, 0, 0.5)):
                    self.assertAlmostEqual(middle, start + (first + 1) * step, delta=1e-6)  # float32 coordinates
                    self.assertAlmostEqual(size, step, delta=1e-6)

    def test_what_is_not_given_stays_as_in_the_file(self):
        image = self.write("points.mhd", "ObjectType = Image\nNDims = 3\nDimSize = 3 3 3\nElementSpacing = 5 5 5\n"
                           "Offset = 7 7 7\nElementType = MET_UCHAR\nElementDataFile = peak_3x3x3_uint8.raw\n")
        self.rows(image, "--isovalue", "50", "--origin", "0", "0", "0", "--output", self.path("mesh.obj"))
        for middle, size in self.middle_and_size("mesh.obj"):
            self.assertAlmostEqual(middle, 5, delta=1e-6)  # float32 coordinates
            self.assertAlmostEqual(size, 5, delta=1e-6)

    def test_bad_spacing_and_origin_are_refused(self):
        self.assert_refused("'0' is not above 0", self.volume, "--isovalue", "50", "--spacing", "1", "0", "1")
        self.assert_refused("'-1' is not above 0", self.volume, "--isovalue", "50", "--spacing", "1", "1", "-1")
        self.assert_refused("'x' is not a finite number", self.volume, "--isovalue", "50", "--origin", "x", "0", "0")
        self.assert_refused("--origin: ", self.volume, "--isovalue", "50", "--origin", "0", "0")  # Python's own words

    def test_what_cannot_be_read_is_refused(self):
        self.assert_refused("No such file", self.path("absent_3x3x3_uint8.raw"), "--isovalue", "50")
        self.assert_refused("must end in _XxYxZ_TYPE.raw", self.write("peak.raw", cube("B")), "--isovalue", "50")
        self.assert_refused("it has 26 bytes; its name requires 27",
                            self.write("short_3x3x3_uint8.raw", cube("B")[1:]), "--isovalue", "50")
        self.assert_refused("a dimension is 0", self.write("flat_3x0x3_uint8.raw", b""), "--isovalue", "50")
        self.assert_refused("its extension must be one of .raw .vti", self.write("peak.tif", b""), "--isovalue", "50")
        header = "ObjectType = Image\nNDims = 3\nDimSize = 3 3 3\nElementType = MET_SHORT\nElementDataFile = "
        self.assert_refused("its raw file 'absent.raw' is missing",
                            self.write("away.mhd", header + "absent.raw\n"), "--isovalue", "50")
        self.assert_refused("its raw file 'not here.raw' is missing",
                            self.write("away.mhd", header + "not here.raw\n"), "--isovalue", "50")
        self.assert_refused("its raw file 'peak_3x3x3_uint8.raw' has 27 bytes; its header requires 54",
                            self.write("short.mhd", header + "peak_3x3x3_uint8.raw\n"), "--isovalue", "50")
        self.assert_refused("its data has 27 bytes; its header requires 54",
                            self.write("short.mha", header.encode() + b"LOCAL\n" + cube("B")), "--isovalue", "50")
        self.assert_refused("its encoding is ascii; raw or gzip is needed",
                            self.write("text.nrrd", "NRRD0004\nencoding: ascii\n\n"), "--isovalue", "50")
        self.assert_refused("it is not a file", self.folder, "--isovalue", "50")
        for name in ("bad.vti", "bad.vtk", "bad.nrrd", "bad.mhd", "bad.mha"):
            with self.subTest(name):
                self.assert_refused(f"cannot use '{self.path(name)}'", self.write(name, "nonsense\n"),
                                    "--isovalue", "50")

    def test_missing_array_lists_those_there_are(self):
        self.assert_refused("no array 'density' on its cells or points; its arrays: 'peak' on its cells",
                            self.volume, "--isovalue", "50", "--array", "density")


class DamagedFiles(ToolTest):
    """Each file promises more than there is, or something that VTK's reader cannot read."""

    LOCAL = "ElementDataFile = LOCAL\n"

    def assert_unusable(self, sentence, name, content):
        with self.subTest(name=name, content=content[:300]):
            path = self.write(name, content)
            result = self.tool.run(path, "--isovalue", "50")
            self.assert_sentence(f"cannot use '{path}'", result)
            self.assertIn(sentence, result.stderr)

    def meta(self, *changes, end=LOCAL, data=cube("B")):
        """A MetaImage with (field, value) in place of its own or in addition."""
        fields = {"ObjectType": "Image", "NDims": "3", **{name: value for name, value in changes if name != "DimSize"},
                  "DimSize": dict(changes).get("DimSize", "3 3 3")}
        fields["ElementType"] = fields.pop("ElementType", "MET_UCHAR")
        return "".join(f"{name} = {value}\n" for name, value in fields.items()).encode() + end.encode() + data

    def nrrd(self, *changes, data=bytes(peak(11 * 3 * 3))):
        fields = {"type": "int8", "dimension": "3", "sizes": "11 3 3", "encoding": "raw", **dict(changes)}
        return b"NRRD0004\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()).encode() + b"\n" + data

    def test_meta_image(self):
        packed = zlib.compress(cube("B"))
        for sentence, *changes in (
                ("ElementType is 'MET_LONG'", ("ElementType", "MET_LONG")),
                ("ElementNumberOfChannels is '0'", ("ElementNumberOfChannels", "0")),
                ("its data has 0 bytes; its header requires 27", ("HeaderSize", "1000000")),
                ("requires 1000000000000000", ("DimSize", "100000 100000 100000")),
                ("its DimSize is '3 -3 3'", ("DimSize", "3 -3 3")),
                ("its DimSize is '3 3'", ("DimSize", "3 3")),
                ("its NDims is '-1'", ("NDims", "-1"), ("DimSize", "3")),
                ("its data has 0 bytes, unpacked", ("CompressedData", "True"), ("CompressedDataSize", "27")),
                ("requires 1000000", ("CompressedData", "True"), ("CompressedDataSize", "1000000"))):
            self.assert_unusable(sentence, "damaged.mha", self.meta(*changes))
        self.assert_unusable("unpacked; its header requires 27", "cut.mha", self.meta(
            ("CompressedData", "True"), ("CompressedDataSize", str(len(packed) - 8)), data=packed[:-8]))
        noise = random.Random(1).randbytes(128**3)  # too large to be unpacked twice
        packed = zlib.compress(noise)[:-1000]
        large = (("DimSize", "128 128 128"), ("CompressedData", "True"), ("CompressedDataSize", str(len(packed))))
        self.assert_unusable("a part of its samples could not be read", "large.mha", self.meta(*large, data=packed))

    def test_slices_of_a_meta_image(self):
        for number in range(3):
            self.write(f"slice{number + 1}.raw", cube("B")[9 * number:9 * number + 9])
        self.write("short1.raw", bytes(9))
        self.write("short2.raw", bytes(8))
        for sentence, end in (
                ("its list has 2 lines; its header requires 3", "LIST\nslice1.raw\nslice2.raw\n"),
                ("its raw file 'slice4.raw' is missing", "LIST\nslice1.raw\nslice2.raw\nslice4.raw\n"),
                ("its raw file 'short2.raw' has 8 bytes", "LIST\nslice1.raw\nshort2.raw\nslice3.raw\n"),
                ("its header has 'LIST 3'", "LIST 3\nslice1.raw\nslice2.raw\nslice3.raw\n"),
                ("its header has 'LIST two'", "LIST two\nslice1.raw\nslice2.raw\nslice3.raw\n"),
                ("its raw file 'slice4.raw' is missing", "slice%d.raw 2\n"),
                ("its raw file 'short2.raw' has 8 bytes", "short%d.raw\n"),
                ("it names 2 files", "slice%d.raw 1 2 1\n"),
                ("a step above 0", "slice%d.raw 1 3\n"),
                ("one %d", "%s%n%s.raw\n"),
                ("one %d", "slice%d%d.raw\n")):
            self.assert_unusable(sentence, "slices.mhd", self.meta(end="ElementDataFile = " + end, data=b""))

    def test_files_with_errors_of_the_disk(self):
        os.symlink("/proc/self/mem", self.path("packed.zraw"))  # can be opened, but not read at 0
        self.assert_unusable("its raw file 'packed.zraw': Input/output error", "packed.mhd", self.meta(
            ("CompressedData", "True"), end="ElementDataFile = packed.zraw\n", data=b""))
        os.symlink("/proc/self/mem", self.path("header.mhd"))
        self.assert_refused("Input/output error", self.path("header.mhd"), "--isovalue", "50")

    def test_nrrd(self):
        for sentence, *changes in (
                ("its data has 99 bytes; its header requires 198", ("type", "int16")),
                ("its sizes is '11 -3 3'", ("sizes", "11 -3 3")),
                ("requires 1000000000000000", ("sizes", "100000 100000 100000")),
                ("its dimension is '-1'", ("dimension", "-1")),
                ("its sizes is '3 11 3 1'", ("dimension", "4\nspace: right-anterior-superior"), ("sizes", "3 11 3 1")),
                ("its type is 'block'", ("type", "block")),
                ("several files or components", ("sizes", "3 11 3"), ("encoding", "gzip")),
                ("its data file 'absent.raw' is missing", ("data file", "absent.raw")),
                ("one %d", ("data file", "%s%n%s.raw 1 3 1")),
                ("it names 2 files", ("data file", "LIST\na.raw\nb.raw"))):
            self.assert_unusable(sentence, "damaged.nrrd", self.nrrd(*changes))
        self.assert_unusable("its data has 98 bytes; its header requires 99", "short.nrrd", self.nrrd()[:-1])
        self.assert_unusable("Couldn't read gzip data", "cut.nrrd",
                             self.nrrd(("encoding", "gzip"), data=gzip.compress(bytes(99))[:-12]))

    def test_legacy_vtk(self):
        header = ("# vtk DataFile Version 3.0\npeak\n{}\nDATASET STRUCTURED_POINTS\nDIMENSIONS {}\nORIGIN 0 0 0\n"
                  "SPACING 1 1 1\nPOINT_DATA {}\nSCALARS density short 1\nLOOKUP_TABLE default\n")
        binary = struct.pack(f">{SIDE**3}h", *peak(SIDE**3))
        self.assert_unusable("Error reading binary data!", "short.vtk",
                             header.format("BINARY", "3 3 3", 27).encode() + binary[:-1])
        self.assert_unusable("Error reading ascii data", "short.vtk", header.format("ASCII", "3 3 3", 27) + text()[:-2])
        for size in (100000, 3000):
            self.assert_unusable("ParaView's reader ", "large.vtk",
                                 header.format("BINARY", f"{size} {size} {size}", size**3).encode() + binary)
        self.assert_unusable("cannot use", "negative.vtk", header.format("BINARY", "3 -3 3", 27).encode() + binary)

    def test_vti(self):
        def image(extent, piece):
            return (f'<VTKFile type="ImageData" version="0.1"><ImageData WholeExtent="{extent}" Origin="0 0 0" '
                    f'Spacing="1 1 1"><Piece Extent="{piece}"><PointData Scalars="density"><DataArray type="Int16" '
                    f'Name="density" format="ascii">{text()}</DataArray></PointData></Piece></ImageData></VTKFile>')
        extent = "0 2 0 2 0 2"
        self.assert_unusable("Error reading extent", "short.vti", image(extent, extent).replace(" 0<", "<"))
        self.assert_unusable("cannot use", "cut.vti", image(extent, extent)[:-60])
        self.assert_unusable("cannot use", "pieces.vti", image("0 8 0 8 0 8", "0 8 0 8 0 -3"))  # see read_filled()
        self.assert_unusable("cannot use", "negative.vti", image("0 2 0 -3 0 2", "0 2 0 -3 0 2"))
        self.assert_unusable("cannot use", "large.vti", image("0 99999 0 99999 0 99999", "0 99999 0 99999 0 99999"))
        self.assert_unusable("cannot use", "latin.vti", image(extent, extent).replace("density", "\udce9").encode(
            errors="surrogateescape"))

    def test_headers_with_errors_are_refused_or_read(self):
        """The checks raise nothing but Unusable."""
        chance = random.Random(3)
        words = [b"-1", b"0", b"99999999999999999999", b"1e9", b"nan", b"", b"%s%n", b"LIST", b"LIST 2",
                 b"x%d.raw 0 9 0", b"."]
        meta = self.meta(("HeaderSize", "0"), ("CompressedData", "False"))
        nrrd = self.nrrd(("space", "x"), ("data file", "a.raw"))
        for check, header in ((header_checks.check_meta_image, meta), (header_checks.check_nrrd, nrrd)):
            refused = 0
            for _ in range(2000):
                first, last = sorted(chance.randrange(len(header)) for _ in range(2))
                word = next((part for part in re.finditer(rb"\S+", header) if part.start() >= first), None)
                content = (header[:first] + bytes([chance.randrange(256)]) + header[first + 1:] if last % 3 == 0 else
                           header[:first] if last % 3 == 1 or not word else
                           header[:word.start()] + chance.choice(words) + header[word.end():])
                try:
                    check(self.write("changed", content))
                except Unusable:
                    refused += 1
            self.assertGreater(refused, 500)


class ChildProcesses(unittest.TestCase):
    def test_the_result_arrives(self):
        self.assertEqual(child_process.in_child(lambda: (1, "two", [b"three"]), 10, 1 << 24), (1, "two", [b"three"]))

    def test_an_exception_arrives(self):
        with self.assertRaisesRegex(Unusable, "why"):
            child_process.in_child(lambda: (_ for _ in ()).throw(Unusable("why")), 10, 1 << 24)

    def test_the_kinds_of_failure_are_told(self):
        for sentence, function in (("ended with SIGABRT", os.abort), ("did not end in 1 s", endless),
                                   ("needs more memory", lambda: bytes(1 << 27)),
                                   ("ended without a result", lambda: os._exit(0)),
                                   ("ended without a result", result_on_a_full_disk),
                                   ("ended without a result", lambda: lambda: "pickle does not support functions")):
            with self.subTest(sentence), self.assertRaisesRegex(child_process.Ended, sentence):
                child_process.in_child(function, 1, 1 << 24)

    def test_a_result_larger_than_the_free_memory_is_not_written(self):
        array = pickle.PickleBuffer(bytes(1 << 22))
        with unittest.mock.patch.object(child_process, "available_memory", lambda: 1 << 21):
            with self.assertRaisesRegex(child_process.Ended, "needs more memory"):
                child_process.in_child(lambda: array, 10, 1 << 24)

    def test_a_crash_leaves_no_core_file(self):
        self.assertEqual(child_process.in_child(lambda: resource.getrlimit(resource.RLIMIT_CORE), 10, 1 << 24), (0, 0))


def result_on_a_full_disk():
    """A result of which only the first part can be written."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    return bytes(1 << 20)


def endless():
    while True:
        pass


class Components(ToolTest):
    """The components "x", "" and "z" of an array are 3, 0 and 4 times the peak."""

    def setUp(self):
        super().setUp()
        values = " ".join(f"{3 * value} 0 {4 * value}" for value in peak(SIDE**3))
        self.vectors = self.write("vectors.vti", (
            '<VTKFile type="ImageData" version="0.1"><ImageData WholeExtent="0 3 0 3 0 3" Origin="0 0 0" '
            'Spacing="1 1 1"><Piece Extent="0 3 0 3 0 3"><CellData><DataArray type="Int16" Name="velocity" '
            'NumberOfComponents="3" ComponentName0="x" ComponentName2="z" format="ascii">'
            f"{values}</DataArray></CellData></Piece></ImageData></VTKFile>"))

    def report(self, *arguments, status):
        return json.loads(self.succeed(self.vectors, "--timings", "json", *arguments, status=status).stdout)

    def test_a_component_is_selected_by_number_and_by_name(self):
        for component, number, largest in (("0", 0, 3 * PEAK), ("1", 1, 0), ("2", 2, 4 * PEAK), ("x", 0, 3 * PEAK),
                                           ("z", 2, 4 * PEAK), ("Y", 1, 0), ("magnitude", "magnitude", 5 * PEAK)):
            with self.subTest(component):
                arguments = ("--component", component, "--isovalue", repr(largest - 0.5))
                report = self.report(*arguments, status=0 if largest else 1)
                self.assertEqual((report["component"], report["range"]), (number, [0, largest]))
                self.assertEqual(report["extractions"][0]["triangles"], 8 if largest else 0)

    def test_an_array_of_several_components_needs_a_choice(self):
        self.assert_refused("'velocity' has 3 components; select one with --component: x, Y, z, magnitude",
                            self.vectors, "--isovalue", "50")

    def test_a_missing_array_lists_the_components_of_those_there_are(self):
        self.assert_refused("its arrays: 'velocity' (x, Y, z) on its cells",
                            self.vectors, "--isovalue", "50", "--array", "density")

    def test_a_component_that_is_not_there_is_refused(self):
        for component in ("3", "-1", "y"):
            with self.subTest(component):
                self.assert_refused(f"'velocity' has no component '{component}'; its components: x, Y, z, magnitude",
                                    self.vectors, "--isovalue", "50", f"--component={component}")
        self.assert_refused("'peak' has no component 'magnitude'; its components: 0",
                            self.volume, "--isovalue", "50", "--component", "magnitude")


class Regions(ToolTest):
    """Two octahedra around single samples of 100 and 60. At the isovalue 50, their sizes differ, not their triangles."""

    SEMIAXES = (1 - 50 / 100, 1 - 50 / 60)

    def setUp(self):
        super().setUp()
        samples = bytearray(7 * 3 * 3)
        samples[7 * 4 + 1], samples[7 * 4 + 5] = 100, 60
        self.pair = self.write("pair_7x3x3_uint8.raw", bytes(samples))

    def volumes(self, *kept):
        row, = self.succeed(self.pair, "--isovalue", "50", "--measure", "--timings", "json", *kept).extractions()
        self.assertEqual(row["openEdges"], 0)
        return row

    def test_measures_are_those_of_mathematics(self):
        row = self.volumes()
        self.assertEqual(row["regions"], 2)
        self.assertAlmostEqual(row["volume"], sum(4 / 3 * a ** 3 for a in self.SEMIAXES), delta=1e-6)  # float32
        self.assertEqual(row["volumeAbove"], [2])
        self.assertEqual(row["shareOfDomain"], [2 / (7 * 3 * 3)])
        self.assertAlmostEqual(row["area"], sum(4 * 3 ** 0.5 * a ** 2 for a in self.SEMIAXES), delta=1e-6)
        head, (cells,) = self.succeed(self.pair, "--isovalue", "50", "--measure").head_and_rows()
        self.assertLessEqual({"area", "volume", "open", "edges", "regions"}, set(head))
        self.assertEqual(cells[5:9], ["2", "3.17%", "0", "2"])

    def test_nothing_is_measured_unless_requested(self):
        row, = self.succeed(self.pair, "--isovalue", "50", "--timings", "json").extractions()
        self.assertFalse({"area", "volume", "volumeAbove", "shareOfDomain", "openEdges", "regions"} & set(row))

    def test_regions_are_kept(self):
        for kept, regions in (("largest", 1), ("largest:2", 2), ("triangles:8", 2), ("area:1", 1), ("volume:0.1", 1),
                              ("inner", 2), ("nearest:5,1,1", 1)):
            with self.subTest(kept):
                self.assertEqual(self.volumes("--keep", kept)["regions"], regions)
        self.assertAlmostEqual(self.volumes("--keep", "nearest:5,1,1")["volume"], 4 / 3 * self.SEMIAXES[1] ** 3,
                               delta=1e-6)  # float32

    def test_the_table_of_regions_is_written(self):
        result = self.succeed(self.pair, "--isovalue", "50", "--regions", self.path("regions.csv"))
        self.assertIn("wrote " + self.path("regions.csv"), result.stderr)
        with open(self.path("regions.csv"), encoding="ascii") as file:
            head, *rows = (line.strip().split(",") for line in file)
        self.assertEqual(head[:4], ["RegionId", "Isovalue", "Triangles", "SurfaceArea"])
        self.assertEqual([row[:3] for row in rows], [["0", "50", "8"], ["1", "50", "8"]])

    def test_wrong_options_are_refused(self):
        for kept in ("most", "largest:0", "largest:x", "area", "area:-1", "volume:nan", "nearest:1,2", "border:1"):
            self.assert_refused(f"'{kept}' is not one of largest", self.pair, "--isovalue", "50", "--keep", kept)
        self.assert_refused("its extension must be one of .csv", self.pair, "--isovalue", "50", "--regions", "a.txt")


class Boundaries(ToolTest):
    """One cell alone: no surface, unless its border counts."""

    def setUp(self):
        super().setUp()
        self.cell = self.write("cell_1x1x1_uint8.raw", bytes([PEAK]))

    def test_a_closed_surface_surrounds_the_cell(self):
        for boundary in ([], ["--boundary", "open"], ["--boundary", "extend"]):
            self.assertEqual(self.rows(self.cell, "--isovalue", "50", *boundary, status=1)[0][1], "0")
        self.rows(self.cell, "--isovalue", "50", "--boundary", "close", "--output", self.path("mesh.obj"))
        for middle, size in self.middle_and_size("mesh.obj"):
            self.assertAlmostEqual(middle, 0.5, delta=1e-6)  # float32 coordinates
            self.assertAlmostEqual(size, 1, delta=1e-6)

    def test_one_layer_of_cells_is_noted(self):
        layer = self.write("layer_3x2x1_uint8.raw", bytes([0, 50, 100] * 2))
        note = "No surface in 3 x 2 x 1 cells: it needs at least 2 along each axis"
        self.assertIn(note, self.succeed(layer, "--isovalue", "60", status=1).stderr)
        self.assertNotIn(note, self.succeed(layer, "--isovalue", "60", "--boundary", "close").stderr)

    def test_an_isovalue_below_all_samples_is_empty_unless_closed(self):
        self.assertNotIn("No surface", self.succeed(self.cell, "--isovalue", "-1", "--boundary", "close").stderr)
        extended = self.succeed(self.cell, "--isovalue", "-1", "--boundary", "extend", status=1)
        self.assertIn("No surface", extended.stderr)

    def test_another_boundary_is_refused(self):
        self.assert_refused("invalid choice: 'shut'", self.cell, "--isovalue", "50", "--boundary", "shut")


class Isovalues(ToolTest):
    def test_several_isovalues_make_one_mesh(self):
        rows = self.rows(self.volume, "--isovalue", "30", "--isovalue", "70")
        self.assertEqual([row[:4] for row in rows], [["30", "70", "16", "12"]])

    def test_sweep_includes_its_end_and_uploads_once(self):
        rows = self.succeed(self.volume, "--sweep", "10:90:40", "--timings", "json").extractions()
        self.assertEqual([(*row["isovalues"], row["triangles"], row["points"]) for row in rows],
                         [(10, 8, 6), (50, 8, 6), (90, 8, 6)])
        self.assertEqual(["Upload" in row["stages"] for row in rows], [True, False, False])

    def test_isovalues_follow_a_sweep_one_by_one(self):
        arguments = (self.volume, "--sweep", "10:90:40", "--isovalue", "20", "--isovalue", "50", "--isovalue", "15")
        rows = self.rows(*arguments, "--output", self.path("mesh.ply"))
        self.assertEqual([row[:3] for row in rows], [[value, "8", "6"] for value in ("10", "50", "90", "20", "15")])
        self.assertTrue(os.path.exists(self.path("mesh_20.ply")))

    def test_sweep_may_begin_below_zero(self):
        rows = self.rows(self.volume, "--sweep", "-50:50:50", status=1)
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
        self.assert_refused("--isovalue or --sweep is needed", self.volume)

    def test_isovalue_out_of_range_is_empty_and_says_the_range(self):
        result = self.succeed(self.volume, "--isovalue", "101", status=1)
        self.assertIn('isosurface.py: No surface at 101: "peak" ranges from 0 to 100', result.stderr)
        self.assertEqual(result.rows()[0][:3], ["101", "0", "0"])

    def test_a_surface_beside_an_isovalue_out_of_range_is_written(self):
        path = self.path("mesh.ply")
        result = self.succeed(self.volume, "--isovalue", "50", "--isovalue", "101", "--output", path, status=1)
        self.assertEqual(result.stderr, f'isosurface.py: No surface at 101: "peak" ranges from 0 to 100\n'
                                        f"isosurface.py: wrote {path}\n")
        self.assertTrue(os.path.exists(path))


class Outputs(ToolTest):
    def test_every_mesh_format_is_written(self):
        written = {}
        for extension in EXTENSIONS:
            path = self.path("mesh." + extension)
            self.rows(self.volume, "--isovalue", "50", "--output", path)
            with open(path, "rb") as file:
                written[extension] = file.read()
        self.assertIn(b'NumberOfPoints="6"', written["vtp"])
        self.assertIn(b'NumberOfPolys="8"', written["vtp"])
        self.assertNotIn(b"appended", written["vtp"])
        self.assertIn(b"element vertex 6\n", written["ply"])
        self.assertIn(b"element face 8\n", written["ply"])
        self.assertEqual(len(written["stl"]), 84 + 8 * 50)  # binary: header, count, 50 bytes per triangle
        self.assertEqual(written["obj"].count(b"\nv "), 6)
        self.assertEqual(written["obj"].count(b"\nf "), 8)

    def test_a_run_that_writes_nothing_says_so(self):
        said = "nothing is written: neither --output nor --image is given"
        self.assertIn(said, self.succeed(self.volume, "--isovalue", "50").stderr)
        written = self.succeed(self.volume, "--isovalue", "50", "--output", self.path("mesh.ply"))
        self.assertNotIn(said, written.stderr)

    def test_an_empty_mesh_is_not_written(self):
        for extension in EXTENSIONS:
            with self.subTest(extension):
                path = self.path("mesh." + extension)
                result = self.succeed(self.volume, "--isovalue", "101", "--output", path, status=1)
                self.assertEqual(result.stderr, 'isosurface.py: No surface at 101: "peak" ranges from 0 to 100; '
                                                "nothing is written for it\n")
                self.assertFalse(os.path.exists(path))

    def test_written_files_are_named(self):
        result = self.succeed(self.volume, "--sweep", "10:50:40", "--output", self.path("mesh.stl"))
        self.assertEqual(result.stderr.splitlines(), [f"isosurface.py: wrote {self.path(name)}"
                                                      for name in ("mesh_10.stl", "mesh_50.stl")])

    def test_image_is_rgb_of_1024_pixels_and_not_of_an_empty_mesh(self):
        result = started(self.volume, "--sweep", "50:101:51", "--image", self.path("view.png"), "--plugin", PLUGIN,
                         DISPLAY=os.environ["DISPLAY"])
        self.assertEqual(result.status, 1, result.stderr)
        self.assertIn(f"wrote {self.path('view_50.png')}\n", result.stderr)
        with open(self.path("view_50.png"), "rb") as file:
            self.assertEqual(struct.unpack(">16xIIBB", file.read(26)), (1024, 1024, 8, 2))
        self.assertFalse(os.path.exists(self.path("view_101.png")))

    def test_image_without_display_is_refused(self):
        arguments = (self.volume, "--isovalue", "50", "--image", self.path("view.png"))
        self.assert_refused("xvfb-run -a", *arguments)
        self.assert_refused("xvfb-run -a", *arguments, DISPLAY=":987")

    def test_help_says_how_to_get_a_display(self):
        examples = [line for line in self.succeed("--help").stdout.splitlines() if "--image b" in line]
        self.assertEqual([line.split()[:3] for line in examples], [["xvfb-run", "-a", "pvpython"]])

    def test_what_cannot_be_written_is_refused(self):
        self.assert_refused("No such file", self.volume, "--isovalue", "50", "--output", self.path("absent/mesh.vtp"))
        self.assert_refused("one of .vtp .ply .stl .obj", self.volume, "--isovalue", "50", "--output", "mesh.vtk")
        self.assert_refused("one of .png", self.volume, "--isovalue", "50", "--image", "view.jpg")
        os.mkdir(self.path("folder.vtp"))
        self.assert_refused("it is a folder", self.volume, "--isovalue", "50", "--output", self.path("folder.vtp"))
        os.mkdir(self.path("mesh_50.vtp"))
        self.assert_refused("it is a folder", self.volume, "--sweep", "10:90:40", "--output", self.path("mesh.vtp"))

    def test_sweep_that_fails_prints_the_rows_it_finished(self):
        os.symlink("/dev/full", self.path("mesh_50.stl"))
        result = self.tool.run(self.volume, "--sweep", "10:90:40", "--output", self.path("mesh.stl"))
        self.assertEqual(result.status, 2)
        self.assertIn("cannot write", result.stderr)
        self.assertEqual([row[:3] for row in result.rows()], [["10", "8", "6"]])

    def test_table_has_the_time_of_every_stage(self):
        arguments = (self.volume, "--isovalue", "50")
        head, (row,) = self.succeed(*arguments).head_and_rows()
        stages = self.succeed(*arguments, "--timings", "json").extractions()[0]["stages"]
        for stage in stages:
            with self.subTest(stage):
                self.assertLessEqual(set(re.findall("[A-Z][a-z]+", stage)), set(head))
        self.assertGreaterEqual(len(row), 4 + len(stages) + 2)
        self.assertEqual(head.count("ms"), len(stages) + 1)  # and the total

    def test_json_tells_the_table_and_the_stages(self):
        report = json.loads(self.succeed(self.volume, "--isovalue", "50", "--timings", "json").stdout)
        self.assertEqual((report["array"], report["association"], report["range"]), ("peak", "CELLS", [0, PEAK]))
        row, = report["extractions"]
        self.assertEqual((row["isovalues"], row["triangles"], row["points"]), ([50], 8, 6))
        self.assertEqual((row["activeBricks"], row["bricks"]), (1, 1))
        self.assertEqual(set(row["milliseconds"]), {"upload", "index", "extract", "readback", "total"})
        self.assertIn("CountBricks", row["stages"])
        self.assertGreater(row["milliseconds"]["total"], 0)


class DeviceAndPlugin(ToolTest):
    def test_device_by_a_part_of_its_name(self):
        arguments = (self.volume, "--isovalue", "50", "--timings", "json")
        name = self.succeed(*arguments).extractions()[0]["device"]
        again = self.succeed(*arguments, "--device", name[:4].upper())
        self.assertEqual(again.extractions()[0]["device"], name)

    def test_unknown_device_lists_those_there_are(self):
        sentence = 'There is no device "abacus". The devices are: '
        self.assert_refused(sentence, self.volume, "--isovalue", "50", "--device", "abacus")
        variable = f'The environment variable VMC_DEVICE is "abacus". {sentence}'
        self.assert_refused(variable, self.volume, "--isovalue", "50", VMC_DEVICE="abacus")

    def test_the_environment_selects_the_device_by_its_number(self):
        arguments = (self.volume, "--isovalue", "50", "--timings", "json")
        device = self.succeed(*arguments, VMC_DEVICE="0").extractions()[0]["device"]
        self.assertEqual(self.succeed(*arguments, "--device", device).extractions()[0]["device"], device)

    def test_plugin_that_is_none_is_refused(self):
        arguments = (self.volume, "--isovalue", "50", "--plugin")
        self.assert_sentence("there is no such file", started(*arguments, self.path("absent.so")))
        self.assert_sentence("cannot load the plugin", started(*arguments, self.volume))

    def test_plugin_path_is_searched(self):
        tool = self.path("Utilities/isosurface.py")  # away from any build
        shutil.copytree(os.path.dirname(os.path.abspath(TOOL)), os.path.dirname(tool))
        arguments = (self.volume, "--isovalue", "50")
        self.assert_sentence("cannot find the plugin", started(*arguments, tool=tool))
        result = started(*arguments, tool=tool, PV_PLUGIN_PATH=os.path.dirname(os.path.abspath(PLUGIN)))
        self.assertEqual((result.status, result.rows()[0][:3]), (0, ["50", "8", "6"]))

    def test_a_plugin_that_is_not_used_is_told(self):
        said = f"--plugin is not used: ParaView has loaded '{PLUGIN}' already"
        self.assertNotIn(said, self.succeed(self.volume, "--isovalue", "50").stderr)
        other = shutil.copy(PLUGIN, self.path("VulkanMarchingCubes.so"))
        result = started(self.volume, "--isovalue", "50", "--plugin", other,
                         PV_PLUGIN_PATH=os.path.dirname(os.path.abspath(PLUGIN)))
        self.assertEqual(result.status, 0, result.stderr)
        self.assertIn(said, result.stderr)


class WithoutVulkan(ToolTest):
    VARIABLES = {"VK_ICD_FILENAMES": "no-driver.json", "VK_DRIVER_FILES": "no-driver.json", "VMC_DEVICE": ""}

    def test_the_cpu_finds_no_surface_either(self):
        result = self.succeed(self.volume, "--isovalue", "101", status=1)
        self.assertRegex(result.stdout.rstrip(), r" CPU, \d+ threads?$")


def skip_without_device():
    tool = ToolProcess()
    with tempfile.TemporaryDirectory() as folder:
        volume = os.path.join(folder, "peak_3x3x3_uint8.raw")
        with open(volume, "wb") as file:
            file.write(cube("B"))
        result = tool.run(volume, "--isovalue", "50", "--timings", "json")
    tool.close()
    if result.status == 0 and result.extractions()[0]["device"].startswith("CPU,"):
        print("Skipped: no usable Vulkan device.")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    skip_without_device()
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
