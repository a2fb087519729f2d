# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Reads volume files: raw samples whose file name states size and type, and the image formats of VTK."""
import math
import os
import re

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkMetaImageReader, vtkNrrdReader
from vtkmodules.vtkIOLegacy import vtkGenericDataObjectReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

from vtk_messages import listening, without_stderr

READERS = {".vti": vtkXMLImageDataReader, ".vtk": vtkGenericDataObjectReader,
           ".nrrd": vtkNrrdReader, ".mhd": vtkMetaImageReader, ".mha": vtkMetaImageReader}
TYPES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64"
RAW_NAME = re.compile(rf"(.+)_(\d+)x(\d+)x(\d+)_({TYPES.replace(' ', '|')})\.raw")
META_BYTES = {"CHAR": 1, "UCHAR": 1, "SHORT": 2, "USHORT": 2, "INT": 4, "UINT": 4, "FLOAT": 4, "DOUBLE": 8}
MAGNITUDE = -1  # as the filter numbers components


class Unusable(Exception):
    """The reason why a file or its content cannot be used, as one sentence."""


def read_volume(path, association):
    """The vtkImageData in a file. Raw samples become cell data if `association` is 'CELLS' or None, point data if it is
    'POINTS'."""
    try:
        open(path, "rb").close()
    except OSError as error:
        raise Unusable(error.strerror)
    extension = os.path.splitext(path)[1].lower()
    if extension == ".raw":
        return read_raw(path, association or "CELLS")
    if extension not in READERS:
        raise Unusable(f"its extension must be one of .raw {' '.join(READERS)}")
    if extension == ".nrrd":
        check_nrrd(path)
    if extension in (".mhd", ".mha"):
        check_meta_image(path)
    return read_with(READERS[extension](), path)


def check_nrrd(path):
    """Rejects text encoding: VTK's reader accepts it, but returns uninitialized memory."""
    with open(path, "rb") as file:
        header = file.read(1 << 16).split(b"\n\n")[0]
    encoding = re.search(rb"^encoding:\s*(\S+)", header, re.MULTILINE | re.IGNORECASE)
    if encoding and encoding.group(1).lower() not in (b"raw", b"gzip", b"gz"):
        raise Unusable(f"its encoding is {encoding.group(1).decode(errors='replace')}; raw or gzip is needed")


def check_meta_image(path):
    """Rejects a header whose raw file is missing, because VTK's error does not name it, or too short, because VTK's
    reader accepts it."""
    header, bytes_after_header = meta_header(path)
    name = header.get("ElementDataFile", "")
    if name.upper() == "LOCAL":
        found, what = bytes_after_header, "its data"
    elif name and "%" not in name and not name.startswith("LIST"):  # one file, not one per slice
        file, what = os.path.join(os.path.dirname(path), name), f"its raw file '{name}'"
        if not os.path.isfile(file):
            if os.path.isfile(file + ".gz"):  # VTK's reader takes it instead
                return
            raise Unusable(f"{what} is missing")
        found = os.path.getsize(file)
    else:
        return
    expected = meta_bytes(header)
    if found < expected:
        raise Unusable(f"{what} has {found} bytes; its header requires {expected}")


def meta_header(path):
    """The fields of a header, and the number of bytes after it."""
    fields = {}
    with open(path, "rb") as file:
        for line in file:
            name, _, value = line.decode(errors="replace").partition("=")
            fields[name.strip()] = value.strip()
            if "ElementDataFile" in fields or len(fields) > 100:
                break
        return fields, os.path.getsize(path) - file.tell()


def meta_bytes(header):
    """The bytes of the samples; 0 if they are compressed or the header does not state them."""
    size = header.get("DimSize", "").split()
    sample = META_BYTES.get(header.get("ElementType", "").replace("MET_", "").replace("_ARRAY", ""), 0)
    channels = header.get("ElementNumberOfChannels", "1")
    if header.get("CompressedData", "").lower() == "true" or not all(text.isdecimal() for text in [*size, channels]):
        return 0
    return math.prod(map(int, size)) * sample * int(channels)


def read_with(reader, path):
    reader.SetFileName(path)
    with listening() as messages, without_stderr():
        reader.Update()
    for error in messages.of("ERROR"):
        raise Unusable(error.rstrip("."))
    data = reader.GetOutputDataObject(0)
    if not data.IsA("vtkImageData"):
        raise Unusable(f"it contains a {data.GetClassName()}; an image (vtkImageData) is needed")
    return data


def read_raw(path, association):
    """An image of the samples as cell data or as point data, with spacing 1 and origin 0."""
    match = RAW_NAME.fullmatch(os.path.basename(path))
    if not match:
        raise Unusable("the name of a raw file must end in _XxYxZ_TYPE.raw, as in bonsai_256x256x256_uint8.raw, "
                       f"with TYPE one of {TYPES}")
    size = [int(text) for text in match.group(2, 3, 4)]
    if 0 in size:
        raise Unusable("by its name, a dimension is 0")
    kind = numpy.dtype(match.group(5)).newbyteorder("<")
    found, expected = os.path.getsize(path), math.prod(size) * kind.itemsize
    if found != expected:
        raise Unusable(f"it has {found} bytes; its name requires {expected}")
    samples = numpy_to_vtk(numpy.fromfile(path, kind).astype(kind.newbyteorder("="), copy=False))
    samples.SetName(match.group(1))
    image = vtkImageData()
    image.SetDimensions(size if association == "POINTS" else [n + 1 for n in size])
    attributes(image, association).SetScalars(samples)
    return image


def attributes(image, association):
    return image.GetPointData() if association == "POINTS" else image.GetCellData()


def choose_array(image, association, name):
    """(association, array) to contour. If `association` is None, cells come before points; if `name` is None, the
    active scalars come before the first array."""
    tried = [association] if association else ["CELLS", "POINTS"]
    for where in tried:
        data = attributes(image, where)
        array = data.GetArray(name) if name else data.GetScalars() or data.GetArray(0)
        if array is None:
            continue
        if not array.GetName():
            array.SetName("values")
        return where, array
    wanted = f"array '{name}'" if name else "array"
    raise Unusable(f"it has no {wanted} on its {' or '.join(tried).lower()}; its arrays: {arrays_of(image)}")


def choose_component(array, wanted):
    """The number of the component that `wanted` states: a number, the name of a component, or 'magnitude'. None is the
    component of an array that has one."""
    count = array.GetNumberOfComponents()
    names = [array.GetComponentName(i) for i in range(count)]
    components = ", ".join(name or str(i) for i, name in enumerate(names)) + (", magnitude" if count > 1 else "")
    if wanted is None:
        if count == 1:
            return 0
        raise Unusable(f"'{array.GetName()}' has {count} components; select one with --component: {components}")
    if wanted in names:
        return names.index(wanted)
    if wanted.isdecimal() and int(wanted) < count:
        return int(wanted)
    if wanted.lower() == "magnitude" and count > 1:
        return MAGNITUDE
    raise Unusable(f"'{array.GetName()}' has no component '{wanted}'; its components: {components}")


def arrays_of(image):
    """The names of the arrays, as part of a sentence."""
    parts = []
    for where in ("CELLS", "POINTS"):
        data = attributes(image, where)
        names = [repr(data.GetArrayName(i) or "") for i in range(data.GetNumberOfArrays())]
        if names:
            parts.append(f"{', '.join(names)} on its {where.lower()}")
    return " and ".join(parts) or "none"
