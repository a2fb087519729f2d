#!/usr/bin/env pvpython
"""Extracts isosurfaces of a volume file with the ParaView plugin VulkanMarchingCubes.

Run it with pvpython (rendering with --image needs an X display: xvfb-run -a pvpython ...):

  pvpython isosurface.py bonsai_256x256x256_uint8.raw --isovalue 80 --output bonsai.vtp --image bonsai.png
  pvpython isosurface.py bonsai_256x256x256_uint8.raw --sweep 30:110:10

A run prints a table of what was made and how long each stage took; the first extraction of a process includes the
upload of the volume and the driver's preparation of its kernels. Anything the user has to mend (a wrong name, a size
that does not match, a missing array, an output that cannot be written) is one sentence on stderr and exit status 2.
"""
import argparse
import ctypes
import glob
import itertools
import json
import math
import os
import re
import sys
import tempfile

try:
    import numpy
    from paraview import simple
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOGeometry import vtkOBJWriter, vtkSTLWriter
    from vtkmodules.vtkIOPLY import vtkPLYWriter
    from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter
except ImportError as missing:
    sys.stderr.write(f"isosurface.py: run it with pvpython, which brings ParaView's modules ({missing})\n")
    sys.exit(2)

from volume_file import TYPES, Unusable, choose_array, read_volume
from vtk_messages import listening

PLUGIN = "VulkanMarchingCubes"
WRITERS = {".vtp": vtkXMLPolyDataWriter, ".ply": vtkPLYWriter, ".stl": vtkSTLWriter, ".obj": vtkOBJWriter}
TIMES = {"upload": "UploadTime", "index": "IndexTime", "extract": "ExtractTime", "readback": "ReadbackTime",
         "total": "TotalTime"}
LARGEST_SWEEP = 10000
IMAGE_SIZE = 1024


class Problem(Exception):
    """Something that the user has to mend, as one sentence."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, without the usage."""

    def error(self, message):
        raise Problem(message)


def say(message):
    sys.stderr.write(f"isosurface.py: {message}\n")


# ---- the command line

def finite(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a finite number")
    return value


def sweep(text):
    """The isovalues of START:STOP:STEP, STOP included."""
    try:
        start, stop, step = (finite(part) for part in text.split(":"))
    except (ValueError, argparse.ArgumentTypeError):
        raise argparse.ArgumentTypeError(f"'{text}' is not START:STOP:STEP, three numbers such as 30:110:10")
    if step == 0 or (stop - start) * step < 0:
        raise argparse.ArgumentTypeError(f"'{text}' never gets from {start:g} to {stop:g} by steps of {step:g}")
    steps = (stop - start) / step
    if steps >= LARGEST_SWEEP:
        raise argparse.ArgumentTypeError(f"'{text}' has more than {LARGEST_SWEEP} isovalues")
    return [start + i * step for i in range(int(steps + 1e-9) + 1)]


def parse(arguments):
    parser = Parser(prog="isosurface.py", allow_abbrev=False, description=__doc__,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("volume", metavar="VOLUME",
                        help=f"NAME_XxYxZ_TYPE.raw (x fastest, little-endian, no header; TYPE is one of {TYPES}; "
                             "float64 is converted to float32), or an image in a .vti, .vtk, .nrrd or .mhd file")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--isovalue", type=finite, action="append", metavar="VALUE",
                      help="may be given several times: all the surfaces make one mesh and one row of the table")
    what.add_argument("--sweep", type=sweep, metavar="START:STOP:STEP",
                      help="one isovalue after the other, STOP included, on the volume uploaded once; one row each")
    parser.add_argument("--output", metavar="MESH", help="write the mesh: .vtp .ply .stl .obj; a sweep writes one file "
                                                         "for each isovalue, mesh.vtp becoming mesh_30.vtp")
    parser.add_argument("--image", metavar="PNG", help="render the mesh into a PNG; a sweep as for --output")
    parser.add_argument("--device", metavar="NAME", help="Vulkan device, by its name or a part of it")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--cells", dest="association", action="store_const", const="CELLS",
                       help="the samples are cell data (default for .raw, and where an image has cell data)")
    where.add_argument("--points", dest="association", action="store_const", const="POINTS",
                       help="the samples are point data")
    parser.add_argument("--timings", choices=["table", "json"], default="table",
                        help="json: print JSON on stdout instead of the table")
    parser.add_argument("--array", metavar="NAME", help="array to contour; default: the active scalars")
    parser.add_argument("--plugin", metavar="PATH", help=f"{PLUGIN}.so; default: the one that PV_PLUGIN_PATH has "
                                                         "loaded, or else the newest build beside this script")
    return parser.parse_args(with_negative_values(arguments))


def with_negative_values(arguments):
    """Joins '--sweep -30:0:5' to '--sweep=-30:0:5': argparse takes '-30:0:5' for an option."""
    joined = []
    for argument in arguments:
        if joined and joined[-1] in ("--isovalue", "--sweep") and re.match(r"-[\d.]", argument):
            joined[-1] += "=" + argument
        else:
            joined.append(argument)
    return joined


def check_outputs(options):
    """Refuses before the work what could not be written after it."""
    for path, extensions in ((options.output, list(WRITERS)), (options.image, [".png"])):
        if path is None:
            continue
        if extension(path) not in extensions:
            raise Problem(f"cannot write '{path}': its extension must be one of {' '.join(extensions)}")
        if os.path.isdir(path):
            raise Problem(f"cannot write '{path}': it is a folder")
        try:
            tempfile.TemporaryFile(dir=os.path.dirname(path) or ".").close()
            if os.path.exists(path):
                open(path, "ab").close()
        except OSError as error:
            raise Problem(f"cannot write '{path}': {error.strerror}")
    if options.image and not has_display():
        raise Problem("--image needs an X display, and DISPLAY names none that answers: "
                      "put 'xvfb-run -a' before the command")


def has_display():
    """Whether an X server answers; pvpython would crash without one."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return False
    x11.XOpenDisplay.restype = ctypes.c_void_p
    return x11.XOpenDisplay(None) is not None  # never closed: an X server may reset when its last client leaves


def extension(path):
    return os.path.splitext(path)[1].lower()


# ---- the filter

def load_plugin(path):
    """Makes simple.VulkanMarchingCubes available."""
    if path is None and hasattr(simple, PLUGIN):
        return
    if path is None:
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
        built = glob.glob(os.path.join(root, "build", "*", "lib*", "**", PLUGIN + ".so"), recursive=True)
        if not built:
            raise Problem(f"cannot find the plugin {PLUGIN}: build the project, set PV_PLUGIN_PATH to the folder of "
                          f"{PLUGIN}.so, or give --plugin")
        path = max(built, key=os.path.getmtime)
    if not os.path.isfile(path):
        raise Problem(f"cannot load the plugin '{path}': there is no such file")
    with listening() as messages:
        try:
            simple.LoadPlugin(os.path.abspath(path))
        except RuntimeError:
            pass
    if not hasattr(simple, PLUGIN):
        raise Problem(f"cannot load the plugin '{path}': {(messages.of('ERROR') or ['it has no such filter'])[0]}")


def make_filter(image, association, array, device):
    """The filter on the image, set up but for its isovalues."""
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(image)
    with listening():
        source.UpdatePipeline()
        contour = simple.VulkanMarchingCubes(Input=source)
        contour.ContourBy = [association, array.GetName()]
        contour.UpdatePropertyInformation()
    if device:
        contour.Device = choose_device(list(contour.GetProperty("DeviceNames")), device)
    return contour


def choose_device(names, wanted):
    matching = [name for name in names if wanted == name] or [name for name in names if wanted.lower() in name.lower()]
    if not matching:
        there = ", ".join(f"'{name}'" for name in names) or "none"
        raise Problem(f"there is no Vulkan device '{wanted}'; there is {there}")
    return matching[0]


def extract(contour, isovalues):
    """Runs the filter; the mesh and its row of the table."""
    contour.Isosurfaces = isovalues
    with listening() as messages:
        contour.UpdatePipeline()
        contour.UpdatePropertyInformation()
    for error in messages.of("ERROR"):
        raise Problem(f"the extraction failed: {error}")
    for warning in messages.of("Warning"):
        say(f"warning: {warning}")
    mesh = contour.GetClientSideObject().GetOutputDataObject(0)
    row = {"isovalues": isovalues, "triangles": mesh.GetNumberOfPolys(), "points": mesh.GetNumberOfPoints(),
           "activeBricks": int(contour.NumberOfActiveBricks), "bricks": int(contour.NumberOfBricks),
           "milliseconds": {stage: float(contour.GetPropertyValue(name)) for stage, name in TIMES.items()},
           "stages": dict(zip(contour.GetProperty("StageNames"), contour.GetProperty("StageTimes"))),
           "deviceMemoryBytes": int(contour.DeviceMemory), "device": str(contour.UsedDevice)}
    return mesh, row


# ---- the results

def write_mesh(mesh, path):
    writer = WRITERS[extension(path)]()
    writer.SetFileName(path)
    writer.SetInputData(mesh)
    if hasattr(writer, "SetDataModeToBinary"):
        writer.SetDataModeToBinary()  # ParaView 5.11 of Debian does not read appended data
    else:
        getattr(writer, "SetFileTypeToBinary", lambda: None)()
    with listening() as messages:
        writer.Write()
    for error in messages.of("ERROR"):
        raise Problem(f"cannot write '{path}': {error}")


def make_view(contour, mesh, image):
    """A view of the filter's output from above its front right corner, with y upwards as in ParaView."""
    view = simple.CreateView("RenderView")
    view.ViewSize = [IMAGE_SIZE, IMAGE_SIZE]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [0.94, 0.94, 0.95]
    display = simple.Show(contour, view)
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.80, 0.77, 0.72]
    display.Specular = 0.15
    frame(view, mesh if mesh.GetNumberOfPoints() else image)
    return view


def frame(view, data):
    """Moves the camera as near as it can be with all the points of `data` in the picture."""
    backward = numpy.array([1, 0.7, 1.6]) / numpy.linalg.norm([1, 0.7, 1.6])
    right = numpy.cross([0, 1, 0], backward) / numpy.linalg.norm(numpy.cross([0, 1, 0], backward))
    up = numpy.cross(backward, right)
    low, high = numpy.reshape(data.GetBounds(), (3, 2)).T
    if data.IsA("vtkPolyData"):
        points = vtk_to_numpy(data.GetPoints().GetData())
    else:
        points = numpy.array(list(itertools.product(*zip(low, high))))
    points = points - (low + high) / 2
    sideways, upwards = points @ right, points @ up
    middle = ((sideways.max() + sideways.min()) / 2, (upwards.max() + upwards.min()) / 2)
    outwards = numpy.maximum(abs(sideways - middle[0]), abs(upwards - middle[1]))
    slope = 0.92 * math.tan(math.radians(view.CameraViewAngle / 2))
    distance = (points @ backward + outwards / slope).max()
    focus = (low + high) / 2 + middle[0] * right + middle[1] * up
    view.CameraViewUp = [0, 1, 0]
    view.CameraFocalPoint = list(focus)
    view.CameraPosition = list(focus + distance * backward)


def write_image(view, path):
    with listening() as messages:
        saved = simple.SaveScreenshot(path, view, ImageResolution=[IMAGE_SIZE, IMAGE_SIZE], TransparentBackground=0)
    if not saved or not os.path.exists(path):
        raise Problem(f"cannot write '{path}': {(messages.of('ERROR') or ['rendering failed'])[0]}")


def show_progress(done, total):
    if total > 1 and os.isatty(2):
        bar = "#" * (40 * done // total)
        sys.stderr.write(f"\r[{bar:40}] {done}/{total}" + ("\n" if done == total else ""))


def table(rows):
    head = ["isovalue", "triangles", "points", "active bricks", *(f"{stage} ms" for stage in TIMES), "device"]
    lines = [[" ".join(f"{value:.10g}" for value in row["isovalues"]), f"{row['triangles']:,}", f"{row['points']:,}",
              f"{row['activeBricks']:,}", *(f"{time:.2f}" for time in row["milliseconds"].values()), row["device"]]
             for row in rows]
    widths = [max(len(line[column]) for line in [head, *lines]) for column in range(len(head))]
    return "\n".join("  ".join([*(text.rjust(width) for text, width in zip(line[:-1], widths)), line[-1]])
                     for line in [head, *lines])


def named_after(path, isovalue):
    """mesh.vtp -> mesh_30.vtp"""
    stem, end = os.path.splitext(path)
    return f"{stem}_{isovalue:.10g}{end}"


def run(options):
    check_outputs(options)
    try:
        image = read_volume(options.volume, options.association, say)
        association, array = choose_array(image, options.association, options.array)
    except Unusable as reason:
        raise Problem(f"cannot use '{options.volume}': {reason}")
    load_plugin(options.plugin)
    contour = make_filter(image, association, array, options.device)
    rows = list(extractions(contour, image, array, options))
    report = {"volume": options.volume, "array": array.GetName(), "association": association,
              "range": array.GetFiniteRange(0), "extractions": rows}
    print(json.dumps(report, indent=2) if options.timings == "json" else table(rows))


def extractions(contour, image, array, options):
    """Extracts, writes and renders what the options ask for; yields the rows of the table."""
    together = [[value] for value in options.sweep] if options.sweep else [options.isovalue]
    view = None
    try:
        for done, isovalues in enumerate(together, 1):
            mesh, row = extract(contour, isovalues)
            warn_of_empty(isovalues, array)
            if options.output:
                write_mesh(mesh, named_after(options.output, isovalues[0]) if options.sweep else options.output)
            if options.image:
                view = view or make_view(contour, mesh, image)
                write_image(view, named_after(options.image, isovalues[0]) if options.sweep else options.image)
            show_progress(done, len(together))
            yield row
    finally:
        if view:
            simple.Delete(view)  # an open window at exit is an X error and a wrong exit status


def warn_of_empty(isovalues, array):
    low, high = array.GetFiniteRange(0)
    for value in isovalues:
        if not low < value <= high:
            say(f"warning: nothing at isovalue {value:.10g}: '{array.GetName()}' ranges from {low:g} to {high:g}")


def main():
    try:
        run(parse(sys.argv[1:]))
    except Problem as problem:
        say(str(problem))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
