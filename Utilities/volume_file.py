# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Reads volume files: raw samples whose file name states size and type, and the image formats of VTK."""
import ctypes
import hashlib
import math
import os
import re

import numpy
from paraview.modules.vtkPVVTKExtensionsCore import vtkPVPostFilter
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.util.vtkConstants import VTK_BIT
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkMetaImageReader, vtkNrrdReader
from vtkmodules.vtkIOLegacy import vtkGenericDataObjectReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

from child_process import Ended, in_child
from header_checks import check_meta_image, check_nrrd
from report import Unusable
from vtk_messages import listening, without_stderr

READERS = {".vti": vtkXMLImageDataReader, ".vtk": vtkGenericDataObjectReader,
           ".nrrd": vtkNrrdReader, ".mhd": vtkMetaImageReader, ".mha": vtkMetaImageReader}
CHECKS = {".nrrd": check_nrrd, ".mhd": check_meta_image, ".mha": check_meta_image}
TYPES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64"
RAW_NAME = re.compile(rf"(.+)_(\d+)x(\d+)x(\d+)_({TYPES.replace(' ', '|')})\.raw")
MAGNITUDE = -1  # as the filter numbers components

LIBC = ctypes.CDLL(None)
M_PERTURB = -6  # of mallopt
FILLS = (0x5A, 0xA5)
DAMAGED = "the file is damaged, or too large for the memory"


def read_volume(path, association):
    """The vtkImageData in a file. Raw samples become cell data if `association` is 'CELLS' or None, point data if it is
    'POINTS'."""
    try:
        if not os.path.isfile(path):
            raise Unusable("it is not a file" if os.path.exists(path) else "No such file or directory")
        open(path, "rb").close()
        extension = os.path.splitext(path)[1].lower()
        size = CHECKS[extension](path) if extension in CHECKS else 0
    except OSError as error:
        raise Unusable(error.strerror)
    if extension == ".raw":
        return read_raw(path, association or "CELLS")
    if extension not in READERS:
        raise Unusable(f"its extension must be one of .raw {' '.join(READERS)}")
    return read_with(READERS[extension], path, size)


def read_with(make_reader, path, size):
    """Reads with VTK's reader in a child process. The limits of its time and memory depend on `size`, the bytes of the
    samples, 0 if they are not known before."""
    known = size + os.path.getsize(path)
    growth = 2000 if make_reader is vtkXMLImageDataReader else 16  # of compressed data, and of numbers as text
    try:
        extent, origin, spacing, direction, arrays = in_child(
            lambda: complete(make_reader, path), 20 + known / 1e6, (1 << 30) + growth * known)
    except Ended as reason:
        raise Unusable(f"ParaView's reader {reason}; {DAMAGED}")
    image = vtkImageData()
    image.SetExtent(extent)
    image.SetOrigin(origin)
    image.SetSpacing(spacing)
    image.SetDirectionMatrix(direction)
    for values, kind, names, association, is_active in arrays:
        data = attributes(image, association)
        array = named(numpy_to_vtk(values, array_type=kind), *names)
        data.SetScalars(array) if is_active else data.AddArray(array)
    return image


def complete(make_reader, path):
    """The content of a file. VTK's readers leave samples that they could not read uninitialized. Therefore, new memory
    has a known value. If samples have it, the file is read again with another value."""
    content = read_filled(make_reader(), path, FILLS[0])
    if any(may_be_unread(bytes_of(array)) for array in content[-1]):
        first = digests(content)
        del content  # the memory need not hold both
        content = read_filled(make_reader(), path, FILLS[1])
        if digests(content) != first:
            raise Unusable("a part of its samples could not be read")
    return content


def digests(content):
    return [hashlib.blake2b(bytes_of(array)).digest() for array in content[-1]]


def bytes_of(array):
    """The bytes of the samples of an array of read_filled()."""
    return array[0].view("u1").ravel()


def may_be_unread(bytes_):
    """Whether the last byte, or 8 bytes in a row, have the value of new memory."""
    words = bytes_[:bytes_.size // 8 * 8].view("u8")
    return bytes_.size > 0 and bool(bytes_[-1] == FILLS[0] or (words == FILLS[0] * 0x0101010101010101).any())


def read_filled(reader, path, fill):
    """Extent, origin, spacing, direction and arrays of a file. Memory that malloc returns has the value `fill` in each
    byte, if this is the GNU C library. Its per-thread cache is an exception: it returns blocks of up to 1032 bytes as
    they were freed."""
    if hasattr(LIBC, "mallopt"):
        LIBC.mallopt(M_PERTURB, fill ^ 0xFF)
    reader.SetFileName(path)
    with listening() as messages, without_stderr():
        reader.Update()
    for error in messages.of("ERROR") + [text for text in messages.of("Warning") if text.startswith("Error reading")]:
        raise Unusable(f"ParaView's reader failed; {DAMAGED}" if error.startswith("Algorithm ") else error.rstrip("."))
    image = reader.GetOutputDataObject(0)
    if not image.IsA("vtkImageData"):
        raise Unusable(f"it contains a {image.GetClassName()}; an image (vtkImageData) is needed")
    if min(image.GetDimensions()) < 1:
        raise Unusable("its size along the axes is {} x {} x {}".format(*image.GetDimensions()))
    direction = [image.GetDirectionMatrix().GetElement(i, j) for i in range(3) for j in range(3)]
    return (image.GetExtent(), image.GetOrigin(), image.GetSpacing(), direction,
            [array for association in ("CELLS", "POINTS") for array in arrays_on(image, association)])


def arrays_on(image, association):
    """Samples, type, names, association of the arrays of numbers, and whether they are the active scalars."""
    data = attributes(image, association)
    count = image.GetNumberOfCells() if association == "CELLS" else image.GetNumberOfPoints()
    for array in filter(None, map(data.GetArray, range(data.GetNumberOfArrays()))):
        if array.GetNumberOfTuples() != count:
            raise Unusable(f"'{array.GetName()}' has {array.GetNumberOfTuples()} values for {count} "
                           f"{association.lower()}")
        names = array.GetName(), *map(array.GetComponentName, range(array.GetNumberOfComponents()))
        is_active = array is data.GetScalars()
        if array.GetDataType() == VTK_BIT:
            array = with_bytes(array)
        yield vtk_to_numpy(array), array.GetDataType(), names, association, is_active


def with_bytes(bits):
    """An array of bytes with the values of an array of bits, which numpy cannot view."""
    array = vtkUnsignedCharArray()
    array.DeepCopy(bits)
    return array


def named(array, name, *components):
    """The array, with its name and those of its components; None for those without one."""
    if name:
        array.SetName(name)
    for number, component in enumerate(components):
        if component:
            array.SetComponentName(number, component)
    return array


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
    names = component_names(array)
    count = len(names)
    components = ", ".join([*names, "magnitude"] if count > 1 else names)
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


def component_names(array):
    """The names of the components as ParaView shows them."""
    count = array.GetNumberOfComponents()
    return [array.GetComponentName(i) or vtkPVPostFilter.DefaultComponentName(i, count) or str(i) for i in range(count)]


def arrays_of(image):
    """The names of the arrays, as part of a sentence."""
    parts = []
    for where in ("CELLS", "POINTS"):
        data = attributes(image, where)
        names = []
        for array in map(data.GetArray, range(data.GetNumberOfArrays())):
            several = array.GetNumberOfComponents() > 1
            names.append(repr(array.GetName() or "") + (f" ({', '.join(component_names(array))})" if several else ""))
        if names:
            parts.append(f"{', '.join(names)} on its {where.lower()}")
    return " and ".join(parts) or "none"
