# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the headers of MetaImage and NRRD files with their data before VTK's readers see them. These readers return
uninitialized memory, crash or do not end if a header promises more than there is."""
import math
import os
import re
import zlib

from report import Unusable

META_BYTES = {"CHAR": 1, "UCHAR": 1, "SHORT": 2, "USHORT": 2, "INT": 4, "UINT": 4, "FLOAT": 4, "DOUBLE": 8}
NRRD_BYTES = {**dict.fromkeys(("signed char", "int8", "int8_t", "uchar", "unsigned char", "uint8", "uint8_t"), 1),
              **dict.fromkeys(("short", "short int", "signed short", "signed short int", "int16", "int16_t", "ushort",
                               "unsigned short", "unsigned short int", "uint16", "uint16_t"), 2),
              **dict.fromkeys(("int", "signed int", "int32", "int32_t", "uint", "unsigned int", "uint32", "uint32_t",
                               "float"), 4),
              **dict.fromkeys(("longlong", "long long", "long long int", "signed long long", "signed long long int",
                               "int64", "int64_t", "ulonglong", "unsigned long long", "unsigned long long int",
                               "uint64", "uint64_t", "double"), 8)}
LONGEST_HEADER = 1 << 22  # bytes that VTK's NRRD reader looks at
UNPACKED = 1 << 20  # bytes of samples below which compressed data is unpacked to count them
GZIP_OR_ZLIB = 47  # for zlib
LARGEST_SIZE = 2**31 - 1  # the readers count the samples along an axis in 32 bits


def check_meta_image(path):
    """Raises Unusable if the data of a .mhd or .mha file is missing or too short. Returns the bytes of its samples.
    Of compressed data, only small ones are unpacked; others may still be too short."""
    fields, start, lines = meta_header(path)
    dimensions, = numbers(fields, "NDims", 1, 1, 3)
    size = numbers(fields, "DimSize", dimensions, 1, LARGEST_SIZE)
    kind = fields.get("ElementType", "").replace("MET_", "").replace("_ARRAY", "")
    if kind not in META_BYTES:
        raise Unusable(f"its ElementType is '{fields.get('ElementType', '')}', not one of "
                       f"MET_{' MET_'.join(META_BYTES)}")
    channels, = numbers(fields, "ElementNumberOfChannels", 1, 1, LARGEST_SIZE, "1")
    before, = numbers(fields, "HeaderSize", 1, -1, LARGEST_SIZE, "0")
    samples = math.prod(size) * META_BYTES[kind] * channels
    name = fields.get("ElementDataFile", "")
    if name.upper() == "LOCAL":
        check_meta_data(fields, path, "its data", before if before > 0 else start, samples)
        return samples
    names, count = meta_files(name, size, lines)
    for name in names:
        file = os.path.join(os.path.dirname(path), name)
        if count == 1 and not os.path.exists(file) and os.path.isfile(file + ".gz"):  # VTK's reader takes it instead
            file, fields = file + ".gz", {**fields, "CompressedData": "True"}
        check_meta_data(fields, file, f"its raw file '{name}'", max(before, 0), samples // count)
    return samples


def check_meta_data(fields, path, what, start, samples):
    """Compares a file with the `samples` bytes of samples that a header requires of it."""
    if is_true(fields.get("CompressedData", "")):
        size, = numbers(fields, "CompressedDataSize", 1, 0, 1 << 62, "0")
        check_data(path, what, start if size else 0, size)
        if samples < UNPACKED:
            check_packed(path, what, start if size else 0, samples)
    else:
        check_data(path, what, start, samples if is_true(fields.get("BinaryData", "True")) else 0)


def check_packed(path, what, start, needed):
    try:
        with open(path, "rb") as file:
            file.seek(start)
            found = len(zlib.decompressobj(GZIP_OR_ZLIB).decompress(file.read(), needed))
    except OSError as error:
        raise Unusable(f"{what}: {error.strerror}")
    except zlib.error:
        found = 0
    if found < needed:
        raise Unusable(f"{what} has {found} bytes, unpacked; its header requires {needed}")


def is_true(text):
    return text[:1] in ("T", "t", "1")


def meta_header(path):
    """The fields of a header, the number of bytes before its data, and the lines there if they are a list of files."""
    fields = {}
    with open(path, "rb") as file:
        for line in file:
            name, *value = re.split("[=:]", line.decode(errors="surrogateescape"), 1)
            fields[name.strip()] = "".join(value).strip()
            if "ElementDataFile" in fields or len(fields) > 100:
                break
        start = file.tell()
        is_list = fields.get("ElementDataFile", "").startswith("LIST")
        rest = file.read(LONGEST_HEADER).decode(errors="surrogateescape") if is_list else ""
        return fields, start, rest.split("\n")[:-1]


def meta_files(name, size, lines):
    """The names of the files that ElementDataFile states, and their number."""
    if name.startswith("LIST"):
        word = [*name.split(), "0"][1]
        number = re.match(r"\d{1,9}(?![\d.eExX])", word)  # MetaIO also reads "2D"
        if not number or int(number.group()) == len(size):
            raise Unusable(f"its header has '{name}'; files of one dimension less than the image are needed")
        dimensions = int(number.group())
        count = math.prod(size[dimensions if 0 < dimensions < len(size) else len(size) - 1:])
        if len(lines) < count:
            raise Unusable(f"its list has {len(lines)} lines; its header requires {count}")
        return [line.rstrip() for line in lines[:count]], count
    if "%" in name:
        return numbered(name.split(), size[-1]), size[-1]
    return [name], 1


def numbered(words, count):
    """The names of `count` files: a name with %d, and the first number, the last one and the step."""
    numbers_at = len(words) - 3 if len(words) > 4 else 1  # a name of several words needs all numbers
    name, *rest = " ".join(words[:numbers_at]), *words[numbers_at:]
    if not re.fullmatch(r"[^%]*%\d{0,2}[diu][^%]*", name) or not all(re.fullmatch(r"\d{1,9}", word) for word in rest):
        raise Unusable(f"it names its files '{' '.join(words)}'; one %d for the number is needed")
    first = int(rest[0]) if rest else 1
    last = int(rest[1]) if len(rest) > 1 else first + count - 1
    step = int(rest[2]) if len(rest) > 2 else (last - first) // count if len(rest) > 1 else 1
    if step < 1:
        raise Unusable(f"it names its files '{' '.join(words)}'; a step above 0 is needed after the last number")
    found = len(range(first, last + 1, step))
    if found < count:
        raise Unusable(f"it names {found} files; its header requires {count}")
    return (name % (first + i * step) for i in range(count))


def check_nrrd(path):
    """Raises Unusable if the data of a .nrrd file is missing, too short or of an encoding that VTK's reader does not
    support. Returns the bytes of its samples. Compressed data is not unpacked: it may still be too short."""
    fields, files, start = nrrd_header(path)
    encoding = fields.get("encoding", "raw").lower()
    if encoding not in ("raw", "gzip", "gz"):
        raise Unusable(f"its encoding is {encoding}; raw or gzip is needed")
    if fields.get("type") not in NRRD_BYTES:
        raise Unusable(f"its type is '{fields.get('type', '')}'; an integer, float or double is needed")
    dimensions, = numbers(fields, "dimension", 1, 1, 16)
    size = numbers(fields, "sizes", dimensions, 1, LARGEST_SIZE)
    samples = math.prod(size) * NRRD_BYTES[fields["type"]]
    axes = dimensions - (dimensions > 3 or size[0] < 10)  # VTK's reader takes such a first axis as components
    names, count = nrrd_files(files, size[-1])
    if axes < 1 or (count > 1 and axes != 3):
        raise Unusable(f"its sizes are {fields['sizes']}, of which ParaView's reader takes {axes} as axes of the image")
    packed = encoding != "raw"
    if packed and (count > 1 or math.prod(size[-axes:]) != math.prod(size)):
        raise Unusable("ParaView's reader does not read compressed data of several files or components")
    needed = 1 if packed else samples // count
    if not files:
        check_data(path, "its data", start, needed)
    for name in names:
        check_data(os.path.join(os.path.dirname(path), name), f"its data file '{name}'", 0, needed)
    return samples


def nrrd_files(files, slices):
    """The names of the files that a header names, and their number: 1 if the data follows the header."""
    if len(files) == 1 and len(files[0].split()) >= 4:
        return numbered(files[0].split()[:4], slices), slices
    if len(files) not in (0, 1, slices):
        raise Unusable(f"it names {len(files)} files; its header requires {slices}")
    return files, max(1, len(files))


def nrrd_header(path):
    """The fields of a header, the files that it names, and the number of bytes before its data if it names none.
    'dimension' is the one that VTK's reader knows when it reads the sizes."""
    with open(path, "rb") as file:
        text = file.read(LONGEST_HEADER)
    end = re.search(rb"\n\r?\n", text)
    start = end.end() if end else len(text)
    if text[start - 1:start] != b"\n":
        raise Unusable("its header does not end with an end of line")
    lines = iter(text[:start].decode(errors="surrogateescape").split("\n")[1:])
    fields, files, dimension = {}, [], ""
    for line in lines:
        name, separator, value = line.partition(": ")
        value = value.strip()
        if line.startswith("#") or not separator:
            continue
        if name in ("data file", "datafile"):
            files += [line for line in lines if line] if value.split()[:1] == ["LIST"] else [value]
        elif name == "sizes":
            fields["sizes"], fields["dimension"] = value, dimension
        elif name in ("dimension", "space dimension", "space"):
            dimension = "3" if name == "space" else value
        else:
            fields[name] = value
    return fields, files, start


def numbers(fields, name, count, least, largest, default=""):
    """The numbers of a field."""
    words = fields.get(name, default).split()
    if len(words) != count or not all(re.fullmatch(r"[+-]?\d{1,18}", word) and least <= int(word) <= largest
                                      for word in words):
        raise Unusable(f"its {name} is '{' '.join(words)}'; it must be {count} number{'s'[:count - 1]} "
                       f"from {least} to {largest}")
    return [int(word) for word in words]


def check_data(path, what, start, needed):
    """Raises Unusable if the file has less than `needed` bytes after its first `start` bytes."""
    if not os.path.isfile(path):
        raise Unusable(f"{what} is missing")
    found = os.path.getsize(path) - max(start, 0)
    if found < needed:
        raise Unusable(f"{what} has {max(found, 0)} bytes; its header requires {needed}")
