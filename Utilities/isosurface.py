#!/usr/bin/env pvpython
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Extracts isosurfaces of a volume file with the ParaView plugin VulkanMarchingCubes.

Run it with pvpython. Rendering (--image) needs an X display, which xvfb-run provides:

  pvpython isosurface.py bonsai_256x256x256_uint8.raw --isovalue 80 --output bonsai.vtp
  xvfb-run -a pvpython isosurface.py bonsai_256x256x256_uint8.raw --isovalue 80 --image bonsai.png
  pvpython isosurface.py bonsai_256x256x256_uint8.raw --sweep 30:110:10 --isovalue 127.5
  pvpython isosurface.py bonsai_256x256x256_uint8.raw --isovalue 80 --measure --keep largest --output bonsai.stl

A run prints a table of the extracted meshes with the milliseconds of each timed stage on the device. The rest of the
total time was spent on the host. The first extraction of a process includes the upload of the volume and the driver's
compilation of the kernels. For errors of the user (a wrong name, a damaged file, a missing array, an output that cannot
be written), the tool prints one sentence on stderr and exits with status 2. A sweep that fails still prints its
finished rows. If an isovalue has no surface, the tool says so and exits with status 1; it writes no file without
triangles.
"""
import argparse
import ctypes
import json
import math
import os
import re
import sys
import tempfile

try:
    from paraview import simple
except ImportError as missing:
    sys.stderr.write(f"isosurface.py: run it with pvpython, which provides ParaView's modules ({missing})\n")
    sys.exit(2)

from contour_proxy import PLUGIN, extract, load_plugin, make_filter, measure
from mesh_output import WRITERS, make_view, write_image, write_mesh
from regions import keep, write_regions
from report import Problem, Unusable, clear_progress, label, say, show_progress, table
from volume_file import MAGNITUDE, TYPES, choose_array, choose_component, read_volume

LARGEST_SWEEP = 10000


class Parser(argparse.ArgumentParser):
    """A parser that reports errors as one sentence, without the usage."""

    def error(self, message):
        raise Problem(message)


def finite(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not a finite number")
    return value


def spacing(text):
    value = finite(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text.strip()}' is not above 0")
    return value


def sweep(text):
    """The isovalues of START:STOP:STEP, including STOP."""
    text = text.strip()
    try:
        start, stop, step = (finite(part) for part in text.split(":"))
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(f"'{text}' is not START:STOP:STEP, three numbers such as 30:110:10")
    if step == 0 or (stop - start) * step < 0:
        raise argparse.ArgumentTypeError(f"'{text}' does not lead from {start:g} to {stop:g} in steps of {step:g}")
    steps = (stop - start) / step
    if steps >= LARGEST_SWEEP:
        raise argparse.ArgumentTypeError(f"'{text}' has more than {LARGEST_SWEEP} isovalues")
    return [start + i * step for i in range(int(steps + 1e-9) + 1)]


def parse(arguments):
    parser = Parser(prog="isosurface.py", allow_abbrev=False, description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("volume", metavar="VOLUME",
                        help=f"NAME_XxYxZ_TYPE.raw (x fastest, little-endian, no header; TYPE is one of {TYPES}), "
                             "or an image in a .vti, .vtk, .nrrd, .mhd or .mha file")
    parser.add_argument("--isovalue", type=finite, action="append", metavar="VALUE",
                        help="isovalue; may be given several times. Without --sweep, all surfaces are in one mesh and "
                             "one row of the table")
    parser.add_argument("--sweep", type=sweep, metavar="START:STOP:STEP",
                        help="extract the isovalues one after the other, including STOP, with one upload of the "
                             "volume; each has its own mesh and row. The values of --isovalue follow, one by one")
    parser.add_argument("--output", metavar="MESH", help="write the mesh to a .vtp, .ply, .stl or .obj file; a sweep "
                                                         "writes one file per isovalue, such as mesh_30.vtp for "
                                                         "mesh.vtp")
    parser.add_argument("--image", metavar="PNG", help="render the mesh to a PNG file; a sweep writes one file per "
                                                       "isovalue")
    parser.add_argument("--measure", action="store_true",
                        help="measure the surface: area, enclosed volume, open edges and number of regions, in the "
                             "units of the coordinates. The volume is meaningful if there are no open edges. Also "
                             "volume of the samples above the isovalue, and its share of the domain")
    parser.add_argument("--keep", type=keep, metavar="REGIONS",
                        help="keep a part of the regions, the connected pieces of the surface: largest or largest:N "
                             "(with the most triangles, per isovalue), triangles:N, area:X or volume:X (at least so "
                             "large), border or inner (those that touch the border of the domain, or do not), "
                             "nearest:X,Y,Z (the one nearest to a point, per isovalue)")
    parser.add_argument("--regions", metavar="CSV",
                        help="write the table of the regions to a .csv file; a sweep writes one file per isovalue")
    parser.add_argument("--device", metavar="NAME",
                        help="name of the Vulkan device, or a part of its name, or CPU; default: the one of the "
                             "environment variable VMC_DEVICE (number, UUID or name), or a GPU, or else the CPU")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--cells", dest="association", action="store_const", const="CELLS",
                       help="the samples are cell data (default for .raw files, and for images with cell data)")
    where.add_argument("--points", dest="association", action="store_const", const="POINTS",
                       help="the samples are point data")
    parser.add_argument("--timings", choices=["table", "json"], default="table",
                        help="json: print JSON on stdout instead of the table")
    parser.add_argument("--array", metavar="NAME", help="array to contour; default: the active scalars")
    parser.add_argument("--component", metavar="COMPONENT",
                        help="for an array of several components: the component to contour, by its name in ParaView "
                             "(X, Y, Z for unnamed ones of three), its number, counted from 0, or magnitude")
    parser.add_argument("--boundary", choices=["open", "extend", "close"], default="open",
                        help="open: the surface ends at the outermost samples (default); extend: it continues to the "
                             "border of the domain; close: a cap along the border closes it")
    parser.add_argument("--spacing", type=spacing, nargs=3, metavar=("X", "Y", "Z"),
                        help="distances of the samples, in place of the file's; a raw file states none and has 1 1 1")
    parser.add_argument("--origin", type=finite, nargs=3, metavar=("X", "Y", "Z"),
                        help="the corner of the domain, or with point data the first sample, in place of the file's; "
                             "a raw file states none and has 0 0 0. A direction matrix of the file stays")
    parser.add_argument("--plugin", metavar="PATH", help=f"{PLUGIN}.so; default: the one that ParaView has loaded, for "
                                                         "example from PV_PLUGIN_PATH, or else the one that is "
                                                         "installed with this script, or the newest build in its "
                                                         "checkout")
    options = parser.parse_args(with_negative_values(arguments))
    if not options.isovalue and not options.sweep:
        parser.error("--isovalue or --sweep is needed")
    return options


def with_negative_values(arguments):
    """Puts a space before the values '-30:0:5' and '-1e3', which argparse would parse as options."""
    spaced, option = [], None
    for argument in arguments:
        if option in ("--isovalue", "--sweep", "--spacing", "--origin") and re.match(r"-[\d.]", argument):
            argument = " " + argument
        elif argument.startswith("--"):
            option = argument
        spaced.append(argument)
    return spaced


def together(options):
    """The isovalues of each mesh."""
    if not options.sweep:
        return [options.isovalue]
    swept = set(map(label, options.sweep))
    return [[value] for value in options.sweep + [v for v in options.isovalue or [] if label(v) not in swept]]


def named_after(path, isovalues, options):
    """The file of a mesh: in a sweep, mesh_30.vtp for mesh.vtp."""
    stem, end = os.path.splitext(path)
    return f"{stem}_{label(isovalues[0])}{end}" if options.sweep else path


def check_outputs(options):
    """Raises Problem before the extraction if an output cannot be written."""
    for path, extensions in ((options.output, list(WRITERS)), (options.image, [".png"]), (options.regions, [".csv"])):
        if path is None:
            continue
        if os.path.splitext(path)[1].lower() not in extensions:
            raise Problem(f"cannot write '{path}': its extension must be one of {' '.join(extensions)}")
        for isovalues in together(options):
            check_writable(named_after(path, isovalues, options))
    if options.image and not has_display():
        raise Problem("--image needs an X display, and DISPLAY does not name an available one: "
                      "put 'xvfb-run -a' before the command")


def check_writable(path):
    if os.path.isdir(path):
        raise Problem(f"cannot write '{path}': it is a folder")
    try:
        if os.path.exists(path):
            open(path, "ab").close()
        else:
            tempfile.TemporaryFile(dir=os.path.dirname(path) or ".").close()
    except OSError as error:
        raise Problem(f"cannot write '{path}': {error.strerror}")


def has_display():
    """Whether an X server is available. Without one, pvpython would crash."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return x11.XOpenDisplay(None) is not None  # never closed: an X server may reset when its last client leaves


def run(options):
    """Does what the options request. Returns whether all isovalues have surfaces."""
    check_outputs(options)
    try:
        image = read_volume(options.volume, options.association)
        association, array = choose_array(image, options.association, options.array)
        component = choose_component(array, options.component)
    except Unusable as reason:
        raise Problem(f"cannot use '{options.volume}': {reason}")
    place(image, options)
    load_plugin(options.plugin)
    contour = make_filter(image, association, array, options.device)
    contour.ArrayComponent = component
    contour.Boundary = options.boundary.capitalize()
    measure(contour, options.measure, options.measure or options.regions is not None, options.keep or {})
    report = {"volume": options.volume, "array": array.GetName(), "association": association,
              "component": "magnitude" if component == MAGNITUDE else component,
              "range": array.GetFiniteRange(component), "extractions": []}
    try:
        for row in extractions(contour, options):
            report["extractions"].append(row)
    finally:
        clear_progress()
        if report["extractions"]:
            print(json.dumps(report, indent=2) if options.timings == "json" else table(report["extractions"]))
    if not options.output and not options.image and not options.regions:
        say("nothing is written: neither --output nor --image is given")
    return not any(row["note"] for row in report["extractions"])


def place(image, options):
    """Replaces the spacing and the origin of the image if the options state them."""
    if options.spacing:
        image.SetSpacing(options.spacing)
    if options.origin:
        image.SetOrigin(options.origin)


def extractions(contour, options):
    """Extracts, writes and renders the meshes that the options request. Yields the rows of the table."""
    meshes = together(options)
    view = None
    try:
        for done, isovalues in enumerate(meshes):
            show_progress(done, len(meshes))
            mesh, row = extract(contour, isovalues)
            is_empty = row["triangles"] == 0
            if row["note"]:
                say(row["note"].rstrip(".") + ("; nothing is written for it" if is_empty else ""))
            if options.output and not is_empty:
                write_mesh(mesh, named_after(options.output, isovalues, options))
            if options.regions and not is_empty:
                write_regions(contour.GetClientSideObject().GetOutputDataObject(1),
                              named_after(options.regions, isovalues, options))
            if options.image and not is_empty:
                view = view or make_view(contour, mesh)
                write_image(view, named_after(options.image, isovalues, options))
            yield row
    finally:
        if view:
            simple.Delete(view)  # an open window at exit is an X error and a wrong exit status


def main(arguments):
    try:
        return 0 if run(parse(arguments)) else 1
    except Problem as problem:
        say(str(problem))
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
