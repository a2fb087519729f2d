# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The surfaces that TestRanks.py and TestServers.py compute: of one volume, as a .pvti file of four pieces and as a raw
file."""
import itertools
import os

import numpy
import plugin_test
from paraview import simple

ISOVALUE = 0.15  # its surface meets every side of the domain; there the boundary modes differ
ORIGIN = (3.0, -5.0, 0.25)
SPACING = (0.5, 0.75, 1.25)

# CASE is SOURCE-BOUNDARY-NORMALS-DEVICE. Without normals, the filter requests fewer ghost layers.
BOUNDARIES = ("Open", "Extend", "Close")
DEVICES = ("automatic", "CPU")
CASES = ["-".join(parts)
         for parts in itertools.product(("pvti", "raw"), BOUNDARIES, ("normals", "plain"), DEVICES)]


def write_sources(folder):
    """Writes volume.pvti with cell data, and volume.raw with the same values as point data. Binary data is inline: see
    plugin_test."""
    density = plugin_test.density()
    z, y, x = density.shape
    pieces = ""
    for i, (first, last) in enumerate(((0, 4), (4, 5), (5, 11), (11, z))):
        write_piece(os.path.join(folder, f"piece{i}.vti"), density[first:last], first)
        pieces += f'<Piece Extent="0 {x} 0 {y} {first} {last}" Source="piece{i}.vti"/>'
    with open(os.path.join(folder, "volume.pvti"), "w", encoding="ascii") as file:
        file.write(f"""<?xml version="1.0"?>
<VTKFile type="PImageData" version="0.1" byte_order="LittleEndian">
<PImageData WholeExtent="0 {x} 0 {y} 0 {z}" GhostLevel="0" Origin="{numbers(ORIGIN)}" Spacing="{numbers(SPACING)}">
<PCellData Scalars="density"><PDataArray type="Float32" Name="density"/></PCellData>
{pieces}
</PImageData>
</VTKFile>
""")
    density.tofile(os.path.join(folder, "volume.raw"))


def numbers(values):
    return " ".join(map(str, values))


def write_piece(path, density, first):
    z, y, x = density.shape
    image = plugin_test.image_of(density, ORIGIN, SPACING)
    image.SetExtent(0, x, 0, y, first, first + z)
    plugin_test.write_image(image, path)


def read_pieces(folder):
    return simple.XMLPartitionedImageDataReader(FileName=[os.path.join(folder, "volume.pvti")])


def read_raw(folder):
    if plugin_test.PARAVIEW >= (6, 1):
        size = {"Dimensions": plugin_test.CELLS}
    else:
        size = {"DataExtent": [bound for n in plugin_test.CELLS for bound in (0, n - 1)]}
    return simple.ImageReader(FileNames=[os.path.join(folder, "volume.raw")], DataScalarType="float",
                              DataByteOrder="LittleEndian", FileDimensionality=3, DataOrigin=ORIGIN,
                              DataSpacing=SPACING, ScalarArrayName="density", **size)


def contour_of(folder, case):
    source, boundary, normals, device = case.split("-")
    reader, association = (read_pieces, "CELLS") if source == "pvti" else (read_raw, "POINTS")
    return simple.VulkanMarchingCubes(Input=reader(folder), ContourBy=[association, "density"], Isosurfaces=[ISOVALUE],
                                      Boundary=boundary, ComputeNormals=int(normals == "normals"), Device=device)
