# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Writes Documentation/Performance.md from the output of the benchmark programs.

Usage: performance.py summarize FOLDER MEASURED.json...   one machine's medians to FOLDER/DEVICE.json; prints its path
       performance.py write FOLDER PERFORMANCE.md         the document about all machines in FOLDER

MEASURED.json of vmcCpuBenchmarks is summarized alone, to FOLDER/cpu-PROCESSOR.json.

MEASURED.json is what vmcCoreBenchmarks, vmcFilterBenchmarks, vmcRenderBenchmarks, vmcSlabBenchmarks,
vmcLevelBenchmarks, vmcMeasureBenchmarks or vmcFirstSurfaceBenchmarks wrote with --benchmark_out. Each may have measured
its rows in several runs.
The summary keeps its earlier values of rows that are not measured again.
Rows "/histogram..." and "/rays..." of vmcCoreBenchmarks may come alone in an output. Rows "/again CPU" and "/first CPU"
of the first two are columns or rows of the tables, if there are any. Only Python's standard library is needed.
"""
import json
import pathlib
import re
import sys
import textwrap

BIN = "build/benchmark/bin"
SPDX = ("<!-- SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers -->\n"
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n")
SIZES = (128, 256, 512, 768, 1024, 1536)

INTRODUCTION = """`Utilities/benchmark.sh` writes this document. Before a surface is timed, it is compared with a count
of all edges and cells on the host, or with `vtkFlyingEdges3D`. If a surface is wrong, the command fails.

On a Vulkan device, times are medians in milliseconds of at least {runs} runs. They follow warm-up runs: at least 3, and at least one
second. Exceptions are *new filter* with up to 5 runs and slow peers with at least 3. *Host* is the time of the call by
the host's clock; it includes the wait for the device. *GPU* and the stages are timed with the device's timestamps. The
mesh has points and shared triangles, and no normals. The commands read raw volumes from the folder `VMC_VOLUMES`, and
`.vti` and `.vtk` files from the folder `VMC_VOLUME_FILES`.

A gyroid is `sin(kx)cos(ky) + sin(ky)cos(kz) + sin(kz)cos(kx)`, k = 2 pi / P, at the sample indices x, y, z. Its
isovalue is 0.001, or the value in its name. For integer types, values are scaled to the range of the type. *Active* is
the share of dual cells that make triangles.

*Limit* is the least possible time at the rates measured on this machine. The device reads 8 bytes of range per brick
and the samples of the active bricks. It writes 12 bytes per point and 12 bytes per triangle. If the mesh goes to the
host, these bytes cross the link, and so do all samples in a first extraction. If host and device share memory, nothing
crosses a link, and a first extraction reads all samples. *x limit* is the measured time divided by the limit."""

FILTER_WORDS = """*again*: `vtkVulkanMarchingCubes::Update` with a new isovalue. *first*: `Update` with a modified
array, upload included. *new filter*: `Update` of a filter that has not run before, on a device that is open and, on a GPU,
holds the array for another filter. *FE*:
`vtkFlyingEdges3D` of the same samples, on 1 thread and on {threads}. *averaged*: `vtkCellDataToPointData`, then
`vtkFlyingEdges3D`, on all threads; this is a different surface. If a ratio of *FE* is above 1, the filter is faster.
Without a GPU, ratios are medians of the ratios of alternating runs. Ids have 32 bits."""

STAGE_WORDS = """These are the times of a first extraction through the core, with the mesh on the host. The device's
clock measures the stages, the host's clock measures *Upload*, and both measure *Download*."""

SLAB_WORDS = """The core, with the mesh and its normals on the host, on machines with so many *processors*. *again*: another
isovalue; *first*: the first surface, upload included. *In slabs*: with bindings in which the samples of one slab just
fit. *In windows*: with a memory limit of a third of the samples. Other rows without a number of devices: as a whole on
one. *Ratio*: the time of the whole volume on one device, divided by this one. *Its upload* and *its download*: those of
the first surface of the whole volume."""

LEVEL_WORDS = """Hierarchies with about as many leaves as an image of 256^3 samples of float, with normals, and with
the mesh on the host. *Stitched*: bricks with coarser leaves in reach. *Again*: another isovalue. *First*: the first
surface, for which the host makes bricks of the patches. *Again / image*: the time per triangle, divided by that of the
image in the same turn; *first / image*: the time per leaf. Measured on {date}."""

MEASURE_WORDS = """Samples of float, whose surface stays on the device, without normals. *Measures* and *regions*:
the times that they add on the device; *regions* includes the extraction of the surface of the largest one. *With
measures*, *regions, host*: times by the host's clock, of an extraction with measures and of the regions alone. Measured
on {date}."""

START_WORDS = """From the start of a process to its first surface of 64^3 samples of float on the host, with normals,
without VTK. Kernels are kept by earlier processes, in the plugin's file and by the driver (*warm*), in the file alone,
or nowhere. *At once*: without a start in the background. *Plain*: the time of another process, before each of these,
that only opens the device by Vulkan and copies as many bytes to it and back; the ratio is the median of the turns.
*Wait*: the part from the samples to the surface. Measured on {date}."""

STAGE_WORDS_CPU = """ The host's clock measures the stages of these rows."""

PIXEL_WORDS = """The window has {window} pixels; OpenGL is {opengl}. *New isovalue* is the time from the change of the
isovalue to the finished frame, *extraction* is the part of it that `GetTotalTime` reports, and *frame* is another frame
of the same surface, after the camera has turned by 3 degrees. Times are medians of at least 3 runs after the same
warm-up. The samples are on the device. Surfaces have normals and one colour. *filter*: the output of
`vtkVulkanMarchingCubes`, drawn by `vtkPolyDataMapper` or by the composite mapper of ParaView's *Surface*. *isosurface
mapper*: `vtkVulkanIsosurfaceMapper`, which draws from the device's memory, or from a copy in host memory, or by rays.
The meshes of the largest volumes are not drawn. *Ratio* is
(new isovalue - extraction) / frame: 1 means that a new surface is drawn as fast as a known one. *Rays* are cast anew in
each frame, so both frames take the time of a picture, and the ratio is that of the rest. Last measured on {date}."""

HISTOGRAM_WORDS = """Histogram of a volume that is on the device: 256 bins for 8-bit samples, 1024 for others, with
the number of dual cells that each bin's centre cuts. The device finds the range once, in *BuildBrickRanges*, so
the rows time the counts: *CountValues* is the time of the kernel. The counts are compared with those of the host
first. Measured on {date}."""

HISTOGRAM_WORDS_CPU = """ *CPU*: the time of the counts on all processors by the host's clock, without the range, which
the CPU finds anew in each run; they are compared with those of the device first."""

RAY_WORDS = """The first crossings of 1920 x 1080 rays, one isovalue, volume on the device. The volume fills the picture.
The device's clock measures the stages; the picture stays on the device when the mapper draws it (*Time to pixel*).
Last measured on {date}."""

RAY_WORDS_PACKETS = """ *by packets*: the time of all stages of a published method, for comparison. Squares of 8 x 8
rays walk through a tree of marked bricks together, with one stack of nodes in the memory of their workgroup (J. Günther
et al., "Realtime ray tracing on GPU with BVH-based packet traversal", 2007); volumes of one slab only."""

RAY_WORDS_CPU = """ *CPU*: the same on all processors by the host's clock."""

CPU_WORDS = """`vtkVulkanMarchingCubes` on the CPU and `vtkFlyingEdges3D` (*FE*) on the same number of threads, in turns,
host to host, with normals. *again*: `Update` with another isovalue. *first*: `Update` with a modified array. *again /
FE* and *first / FE* are medians of the ratios of the turns; below 1, the filter is faster. *Speed-up* is that of *again* over one thread. Ids
have 32 bits unless said otherwise. Last measured on {date}."""

ID_WORDS = """Ids of 64 bits are the default of *Output Ids*. The table compares the times of *again* with 64 and with 32
bits on all processors, measured in turns; the ratio is the median of the turns."""

MEMORY_WORDS = """The table lists the device memory other than samples and mesh, per brick of the volume and per active
brick. The samples of a volume of several slabs are in several buffers, which repeat layers of samples: the repeated
layers count as bytes per brick, and bytes per active brick are left out."""


# Rows of vmcCoreBenchmarks that may be measured alone, by the first word of the way.
PARTS = ("histogram", "rays")
# Programs with a table of their own.
PROGRAMS = ("slab", "level", "measure", "firstsurface")
RAY_STAGES = ("MarkBricks", "BoundRays", "CastRays")


def summarize(folder, *outputs):
    """Writes what the document needs from these outputs of Google Benchmark."""
    measured = [json.loads(pathlib.Path(output).read_text(encoding="utf-8")) for output in outputs]
    devices = {output["context"]["device"] for output in measured}
    if len(devices) > 1:
        sys.exit(f"measured on several devices: {', '.join(sorted(devices))}")
    if program_of(measured[0]) == "cpu":
        path = pathlib.Path(folder, f"cpu-{slug(measured[0]['context']['processor'])}.json")
        earlier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return write_summary(path, summary_of_cpu(measured, earlier))
    path = pathlib.Path(folder, slug(*devices) + ".json")
    summary = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    extractions = [output for output in measured
                   if program_of(output) not in ("render", *PROGRAMS) and not has_only_parts(output)]
    drawings = [output for output in measured if program_of(output) == "render"]
    for part in PARTS:
        outputs_of_part = [output for output in measured if rows_of_part(output, part)]
        if outputs_of_part:
            summary[part] = summary_of_part(outputs_of_part, part, summary.get(part, {}))
    if extractions:
        summary.update(summary_of_extractions(extractions, summary))
    for program in PROGRAMS:
        outputs_of_program = [output for output in measured if program_of(output) == program]
        if outputs_of_program:
            summary[program] = summary_of_program(outputs_of_program, summary.get(program, {}))
    if drawings:
        summary["drawing"] = summary_of_drawings(drawings, summary.get("drawing", {}))
    return write_summary(path, summary)


def write_summary(path, summary):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return path


def program_of(output):
    name = pathlib.PurePath(output["context"]["executable"]).name
    return name.removeprefix("vmc").removesuffix("Benchmarks").lower()


def rows_of_part(output, part):
    return {name: row for name, row in rows_of(output["benchmarks"]).items()
            if name.startswith(part, name.rfind("/") + 1)}


def is_of_part(name):
    return name.startswith(PARTS, name.rfind("/") + 1)


def has_only_parts(output):
    return all(map(is_of_part, rows_of(output["benchmarks"])))


def summary_of_part(outputs, part, earlier):
    """Rows that are not measured again keep their earlier values."""
    summary = {"rows": {**earlier.get("rows", {})}}
    for output in outputs:
        summary.update(values_of(output["context"]))
        summary["rows"].update(rows_of_part(output, part))
    return summary


def summary_of_extractions(outputs, earlier):
    """Rows that are not measured again keep their earlier values."""
    summary = {program: {**earlier.get(program, {})} for program in ("core", "filter")}
    for output in outputs:
        summary.update(values_of(output["context"], "device", "driver", "processor", "processors", "unified_memory"))
        rows = rows_of(output["benchmarks"])
        summary[program_of(output)].update({name: row for name, row in rows.items()
                                            if not is_of_part(name)})
    return {**summary, "left_out": left_out(outputs, {**summary["core"], **summary["filter"]})}


def summary_of_cpu(outputs, earlier):
    """Rows that are not measured again keep their earlier values."""
    summary = {"cpu": {**earlier.get("cpu", {})}}
    for output in outputs:
        summary.update(values_of(output["context"], "processor", "processors"))
        summary["cpu"].update(rows_of(output["benchmarks"]))
    return {**summary, "left_out": left_out(outputs, summary["cpu"])}


def summary_of_drawings(outputs, earlier):
    """Rows that are not measured again keep their earlier values."""
    summary, rows = {**earlier}, {**earlier.get("rows", {})}
    for output in outputs:
        summary.update(values_of(output["context"], "opengl", "window"))
        rows.update(rows_of(output["benchmarks"]))
    return {**summary, "rows": rows, "left_out": left_out(outputs, rows)}


def summary_of_program(outputs, earlier):
    """Rows that are not measured again keep their earlier values."""
    summary = {"rows": {**earlier.get("rows", {})}}
    for output in outputs:
        summary.update(values_of(output["context"]))
        processors = {"processors": output["context"]["processors"]}
        summary["rows"].update({name: {**row, **processors} for name, row in rows_of(output["benchmarks"]).items()})
    return summary


def values_of(context, *keys):
    return {**{key: context[key] for key in keys}, "date": context["date"][:10]}


def left_out(outputs, rows):
    """What the programs did not measure, with the reasons, each once. rows: what was measured in some run."""
    cases = {name.partition("/")[0] for name in rows}
    sentences = []
    for output in outputs:
        sentences += output["context"]["left_out"].split("; ")
        sentences += [f"{row_name(run)}: {run['error_message']}" for run in output["benchmarks"]
                      if run.get("error_occurred")]
    return [sentence for sentence in dict.fromkeys(sentences)
            if sentence and sentence.partition(": ")[0] not in cases]


def rows_of(benchmarks):
    """Medians by the name of the row, or the single run of a row."""
    known = {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
             "repetition_index", "threads", "aggregate_name", "aggregate_unit", "iterations", "real_time", "cpu_time",
             "time_unit", "label"}
    rows = {}
    for run in benchmarks:
        if run.get("aggregate_name", "median") != "median" or run.get("error_occurred"):
            continue
        row = {key: rounded(value) for key, value in run.items() if key not in known}
        rows[row_name(run)] = {
            "ms": rounded(run["real_time"]), "runs": run["repetitions"], **row}
    return rows


def row_name(run):
    return re.sub(r"/iterations:.*", "", run["run_name"])


def rounded(value):
    return int(value) if value == int(value) else float(f"{value:.5g}")


def slug(device):
    return re.sub(r"[^a-z0-9]+", "-", device.split("(")[0].lower()).strip("-")


class Machine:
    """The summary of one machine."""

    def __init__(self, summary):
        self.__dict__.update(summary)
        self.drawing = summary.get("drawing", {})
        self.programs = {program: summary.get(program) for program in PROGRAMS}
        self.parts = {part: summary.get(part) for part in PARTS}
        self.is_unified = summary["unified_memory"] == "yes"
        self.slug = slug(summary["device"])

    def rate(self, *probes):
        """Bytes per millisecond of the fastest of these probes."""
        return max(self.core[f"probe/{probe}"]["GB/s"] for probe in probes) * 1e6

    def limit_on_device(self, row):
        """The least milliseconds for reading the active bricks and writing the mesh on the device."""
        samples = min(512 * row["active_bricks"], row["samples"]) * row["sample_bytes"]
        return (8 * row["bricks"] + samples) / self.read_rate() + mesh_bytes(row) / self.write_rate()

    def limit_again(self, row):
        """The same, with the mesh on the host."""
        if self.is_unified:
            return self.limit_on_device(row)
        return max(self.limit_on_device(row), mesh_bytes(row) / self.rate("device to host"))

    def limit_first(self, row):
        """The same, with the upload of the samples."""
        rate = self.read_rate() if self.is_unified else self.rate("host to device")
        return row["samples"] * row["sample_bytes"] / rate + self.limit_again(row)

    # If host and device share memory, copies between them measure its read and write rates, too.
    def read_rate(self):
        return self.rate("read", *(["host to device", "device to host"] if self.is_unified else []))

    def write_rate(self):
        return self.rate("write", *(["host to device", "device to host"] if self.is_unified else []))

    def cases(self, program, way, pattern=""):
        """Pairs of a case's name and its row, in the order of measurement."""
        for name, row in program.items():
            case, _, its_way = name.rpartition("/")
            if its_way == way and case != "probe" and re.search(pattern, case):
                yield case, row


def on_cpu(rows, case, way, key="ms"):
    """Milliseconds of the CPU engine on all processors; None if not measured."""
    return rows.get(f"{case}/{way} CPU", {}).get(key)


def words_if_on_cpu(rows, words):
    return words if any(name.endswith(" CPU") for name in rows) else ""


def cpu_words(rows):
    return words_if_on_cpu(rows, " *CPU*: the CPU engine on all processors; nothing is uploaded or downloaded.")


def mesh_bytes(row):
    return 12 * (row["points"] + row["triangles"])


def gpu_milliseconds(row):
    return sum(value for key, value in row.items() if key.startswith("ms ") and key[3:] not in ("Upload", "Download"))


def number(value, digits=3):
    """Three significant digits, without an exponent."""
    if value is None:
        return "-"
    text = f"{float(f'{value:.{digits}g}'):.12f}".rstrip("0").rstrip(".")
    return text


def count(value):
    return f"{value:,}"


def ratio(numerator, denominator):
    return "-" if numerator is None or not denominator else number(numerator / denominator, 2)


def table(head, rows):
    """A table without its columns that have no value in any row."""
    kept = [i for i in range(len(head)) if i == 0 or not rows or any(row[i] != "-" for row in rows)]
    head, rows = [head[i] for i in kept], [[row[i] for i in kept] for row in rows]
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def paragraphs(words):
    return "\n".join(textwrap.fill(words, 119, break_long_words=False, break_on_hyphens=False) + "\n"
                     for words in words.split("\n\n"))


def command(program, pattern):
    return f"\n```sh\n{BIN}/{program} --benchmark_filter='{pattern}'\n```\n\n"


def write_probes(machine):
    yield "\n### What the machine can do\n"
    yield command("vmcCoreBenchmarks", "^probe")
    names = {"read": "the device reads its memory", "write": "the device writes its memory",
             "host to device": "copy from the host to the device", "device to host": "copy from the device to the host"}
    yield table(["", "GB/s"], [[words, number(machine.core[f"probe/{name}"]["GB/s"])] for name, words in names.items()])


def write_again(machine):
    yield "\n### A new isovalue of a volume that is on the device\n\n"
    yield paragraphs("The core alone, without the filter; the mesh stays on the device." + cpu_words(machine.core))
    yield command("vmcCoreBenchmarks", "/again")
    rows = []
    for case, row in machine.cases(machine.core, "again"):
        limit = machine.limit_on_device(row)
        rows.append([case, number(row["active_percent"]), count(row["points"]), count(row["triangles"]),
                     number(row["ms"]), number(gpu_milliseconds(row)), number(limit), ratio(row["ms"], limit),
                     number(on_cpu(machine.core, case, "again"))])
    yield table(["", "active, %", "points", "triangles", "host", "GPU", "limit", "x limit", "CPU"], rows)


STAGES = ("Upload", "BuildBrickRanges", "SelectBricks", "CountBricks", "ScanBricks", "EmitSurface", "Download")


def write_stages(machine):
    yield "\n### Timed stages\n\n"
    yield paragraphs(STAGE_WORDS + cpu_words(machine.core) + words_if_on_cpu(machine.core, STAGE_WORDS_CPU))
    yield command("vmcCoreBenchmarks", "/first")
    cases = list(machine.cases(machine.core, "first"))
    rows = []
    for case, row in cases:
        limit = machine.limit_first(row)
        rows.append([case, *(number(row.get(f"ms {stage}")) for stage in STAGES),
                     number(row["ms"]), ratio(row["ms"], limit)])
        own = machine.core.get(f"{case}/first CPU")
        if own:
            rows.append([f"{case}, CPU", *(number(own.get(f"ms {stage}")) for stage in STAGES), number(own["ms"]), "-"])
    yield table(["", *STAGES, "total, host", "x limit"], rows)


def peers(machine, case):
    """Milliseconds of FlyingEdges on one thread and on all threads, and of averaging first; None if left out."""
    return [machine.filter.get(f"{case}/{way}", {}).get("ms")
            for way in ("FlyingEdges 1 thread", "FlyingEdges all threads", "averaged")]


def ratios(machine, case):
    """Time of FlyingEdges on all threads divided by the filter's time, again and first. Medians of alternating runs,
    if there are any."""
    turns = machine.filter.get(f"{case}/in turns")
    if turns:
        return [turns["FlyingEdges / again"], turns["FlyingEdges / first"]]
    return [machine.filter[f"{case}/FlyingEdges all threads"]["ms"] / machine.filter[f"{case}/{way}"]["ms"]
            for way in ("again", "first")]


def write_filter(machine):
    yield "\n### The filter, host to host, and its peers\n\n"
    yield paragraphs(FILTER_WORDS.format(threads=machine.processors) + cpu_words(machine.filter))
    yield command("vmcFilterBenchmarks", ".")
    rows = []
    for case, again in machine.cases(machine.filter, "again"):
        first, new = machine.filter[f"{case}/first"], machine.filter[f"{case}/new filter"]
        rows.append([case, count(again["triangles"]), number(again["ms"]), number(first["ms"]), number(new["ms"]),
                     *map(number, peers(machine, case)), *(number(value, 2) for value in ratios(machine, case)),
                     ratio(again["ms"], machine.limit_again(again)), ratio(first["ms"], machine.limit_first(first)),
                     *(number(on_cpu(machine.filter, case, way)) for way in ("again", "first"))])
    threads = f"FE, {machine.processors} threads"
    yield table(["", "triangles", "again", "first", "new filter", "FE, 1 thread", threads, "averaged",
                 f"{threads} / again", f"{threads} / first", "again, x limit", "first, x limit", "CPU again",
                 "CPU first"], rows)
    yield from write_ids("vmcFilterBenchmarks", machine.filter)


def write_pixels(machine):
    drawing = machine.drawing
    if not drawing:
        return
    yield "\n### Time to pixel\n\n"
    yield paragraphs(PIXEL_WORDS.format(**drawing))
    yield command("vmcRenderBenchmarks", ".")
    rows = []
    for name, new in machine.cases(drawing["rows"], "new isovalue"):
        case, _, way = name.partition("/")
        frame = drawing["rows"].get(f"{name}/plain frame", {}).get("ms")
        extraction = new["ms extraction"]
        rows.append([case, count(new["triangles"]) if new["triangles"] else "-", way, number(new["ms"]),
                     number(extraction), number(frame),
                     ratio(new["ms"] - extraction, frame)])
    yield table(["", "triangles", "drawn by", "new isovalue", "extraction", "frame", "ratio"], rows)


def growth_case(size):
    return f"gyroid {size} float32 P={256 if size == 128 else 512}"


def write_histograms(machine):
    measured = machine.parts["histogram"]
    if not measured:
        return
    yield "\n### Histogram\n\n"
    histograms = measured["rows"]
    yield paragraphs(HISTOGRAM_WORDS.format(date=measured["date"]) +
                     words_if_on_cpu(histograms, HISTOGRAM_WORDS_CPU))
    yield command("vmcCoreBenchmarks", "/histogram")
    rows = [[case, number(row.get("ms CountValues")), number(row["ms"]),
             number(on_cpu(histograms, case, "histogram", "ms CountValues"))]
            for case, row in machine.cases(histograms, "histogram")]
    yield table(["", "CountValues", "total, host", "CPU"], rows)


def write_rays(machine):
    measured = machine.parts["rays"]
    if not measured:
        return
    yield "\n### Pictures by rays\n\n"
    rays = measured["rows"]
    packets = dict(machine.cases(rays, "rays by packets"))
    yield paragraphs(RAY_WORDS.format(date=measured["date"]) + (RAY_WORDS_PACKETS if packets else "") +
                     words_if_on_cpu(rays, RAY_WORDS_CPU))
    yield command("vmcCoreBenchmarks", "/rays")
    rows = [[case, ratio(100 * row["hits"], row["pixels"]), count(row["slabs"]),
             *(number(row.get(f"ms {stage}")) for stage in RAY_STAGES),
             number(gpu_milliseconds(packets[case]) if case in packets else None),
             number(on_cpu(rays, case, "rays", "ms CastRays"))]
            for case, row in machine.cases(rays, "rays")]
    yield table(["", "hits, %", "slabs", *RAY_STAGES, "by packets", "CPU"], rows)


def write_growth(machine):
    yield "\n### Growth with the size\n\n"
    yield (f"![Time against size](images/performance-{machine.slug}.png)\n\n"
           "The same share of the volume is active at every size except 128.\n")
    yield command("vmcCoreBenchmarks", "gyroid .* float32 P=(256|512)/(again|first)")
    rows = []
    for size in SIZES:
        again, first = (machine.core.get(f"{growth_case(size)}/{way}") for way in ("again", "first"))
        if again and first:
            rows.append([f"{size}^3", number(again["active_percent"]), count(again["triangles"]), number(again["ms"]),
                         number(1e6 * again["ms"] / again["triangles"]), number(first["ms"]),
                         number(1e6 * first["ms"] / first["samples"]),
                         *(number(on_cpu(machine.core, growth_case(size), way)) for way in ("again", "first"))])
    yield table(["", "active, %", "triangles", "again", "again, ns per triangle", "first",
                 "first, ns per sample", "CPU again", "CPU first"], rows)


def write_memory(machine):
    rows = [[case, str(row["slabs"]), count(row["bricks"]), count(row["active_bricks"]), number(row["bytes_per_brick"]),
             number(row["bytes_per_active_brick"]) if row["slabs"] == 1 else "-", number(row["device_bytes"] / 2**20),
             number(row["mesh_bytes"] / 2**20)]
            for case, row in machine.cases(machine.core, "memory")]
    if not rows:
        return
    yield "\n### Device memory\n\n"
    yield paragraphs(MEMORY_WORDS)
    yield command("vmcCoreBenchmarks", "/memory")
    yield table(["", "slabs", "bricks", "active bricks", "bytes per brick", "bytes per active brick",
                 "device memory, MiB", "of which mesh, MiB"], rows)


def write_slabs(machine):
    measured = machine.programs["slab"]
    if not measured:
        return
    yield "\n### Slabs, windows and several GPUs\n\n"
    yield paragraphs(SLAB_WORDS)
    yield "\n```sh\n" + BIN + "/vmcSlabBenchmarks --largest=2048\n```\n\n"
    rows = []
    for name, row in measured["rows"].items():
        whole = next((row[other] for other in ("one slab", "whole", "one device") if other in row), None)
        rows.append([name.replace("/", ", "), str(row["processors"]), number(row["ms"]), number(whole),
                     ratio(whole, row["ms"]) if whole else "-", number(row.get("upload")), number(row.get("download"))])
    yield table(["", "processors", "ms", "whole on one device, ms", "ratio", "its upload, ms", "its download, ms"], rows)


def write_levels(machine):
    measured = machine.programs["level"]
    if not measured:
        return
    yield "\n### Levels\n\n"
    yield paragraphs(LEVEL_WORDS.format(date=measured["date"]))
    yield command("vmcLevelBenchmarks", "/device")
    yield table(["", "stitched, %", "triangles", "again", "again / image", "first", "first / image"],
                [[case, number(row["percent stitched"]), count(row["triangles"]), number(row["ms"]),
                  number(row["again / image per triangle"]), number(row["first"]),
                  number(row["first / image per leaf"])]
                 for case, row in machine.cases(measured["rows"], "device")])


def write_measures(machine):
    measured = machine.programs["measure"]
    if not measured:
        return
    yield "\n### Measures and regions\n\n"
    yield paragraphs(MEASURE_WORDS.format(date=measured["date"]))
    yield command("vmcMeasureBenchmarks", "device")
    regions = dict(machine.cases(measured["rows"], "regions device"))
    yield table(["", "triangles", "number of regions", "extraction, host", "measures", "with measures, host", "regions",
                 "regions, host"],
                [[case, count(row["triangles"]), count(regions[case]["regions"]), number(row["extraction"]),
                  number(row["ms MeasureSurface"]), number(row["ms"]),
                  number(regions[case]["ms FindRegions"] + regions[case]["ms KeepRegions"]),
                  number(regions[case]["ms"])]
                 for case, row in machine.cases(measured["rows"], "measures device")])


def write_starts(machine):
    measured = machine.programs["firstsurface"]
    if not measured:
        return
    yield "\n### First surface of a process\n\n"
    yield paragraphs(START_WORDS.format(date=measured["date"]))
    yield "\n```sh\n" + BIN + "/vmcFirstSurfaceBenchmarks --repetitions=15\n```\n\n"
    yield table(["", "ms", "plain, ms", "ratio", "wait, ms"],
                [[name, number(row["ms"]), number(row["plain"]), number(row["first / plain"]), number(row["wait"])]
                 for name, row in measured["rows"].items()])


def write_machine(machine):
    yield f"\n## {machine.device}\n\n"
    yield (f"Driver {machine.driver}; host: {machine.processors} cores of {machine.processor}; last measured on "
           f"{machine.date}.\n")
    for write in (write_probes, write_again, write_stages, write_filter, write_histograms, write_rays, write_pixels,
                  write_levels, write_measures, write_growth, write_slabs, write_starts, write_memory):
        yield from write(machine)
    sentences = dict.fromkeys([*machine.left_out, *machine.drawing.get("left_out", [])])
    yield "\n### Left out\n\n" + "".join(f"- {sentence}\n" for sentence in sentences)


def cpu_rows(summary):
    """Per case and number of threads. Speed-up: the time on one thread divided by this time."""
    for name, row in summary["cpu"].items():
        case, _, way = name.rpartition("/")
        threads = way.removesuffix(" threads")
        if not threads.isdigit():
            continue
        alone = summary["cpu"].get(f"{case}/1 threads", {}).get("ms")
        yield [case, count(row["triangles"]), threads, number(row["ms"]), number(row["first"]),
               number(row["FlyingEdges"]), number(row["again / FlyingEdges"], 2), number(row["first / FlyingEdges"], 2),
               ratio(alone, row["ms"])]


def write_ids(program, rows):
    widths = {name: row for name, row in rows.items() if "64 bits / 32 bits" in row}
    if not widths:
        return
    yield "\n" + paragraphs(ID_WORDS)
    yield command(program, "/ids")
    yield table(["", "triangles", "64 bits", "32 bits", "64 bits / 32 bits"],
                [[name.partition("/")[0], count(row["triangles"]), number(row["ms"]), number(row["32 bits"]),
                  number(row["64 bits / 32 bits"])]
                 for name, row in widths.items()])


def write_cpu(summary):
    yield f"\n## CPU engine: {summary['processors']} cores of {summary['processor']}\n\n"
    yield paragraphs(CPU_WORDS.format(date=summary["date"]))
    yield command("vmcCpuBenchmarks", ".")
    yield table(["", "triangles", "threads", "again", "first", "FE", "again / FE", "first / FE", "speed-up"],
                list(cpu_rows(summary)))
    yield from write_ids("vmcCpuBenchmarks", summary["cpu"])
    for name, row in summary["cpu"].items():
        case, _, way = name.rpartition("/")
        if way.startswith("growing"):
            yield "\n" + paragraphs(
                   f"{case}, a new filter with five isovalues, of which each makes a larger surface than the one "
                   f"before: {number(row['ms'])} ms; FE: {number(row['FlyingEdges'])} ms; ratio "
                   f"{number(row['again / FlyingEdges'], 2)}.")
        elif way == "new process":
            yield "\n" + paragraphs(
                   f"The first surface of a new process, {case}: {number(row['ms'])} ms in `Update`, "
                   f"{number(row['since start'])} ms after the start of the process, which includes the making of the "
                   f"volume; FE in another new process: {number(row['FlyingEdges'])} ms.")
    yield "".join(f"\nLeft out: {sentence}.\n" for sentence in summary["left_out"])


def write_document(folder, output):
    summaries = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    machines = sorted((Machine(summary) for summary in summaries if "core" in summary),
                      key=lambda machine: machine.is_unified)
    runs = min(row["runs"] for machine in machines for rows in (machine.core, machine.filter)
               for _, row in machine.cases(rows, "again"))
    pages = [SPDX + "# How fast it is\n\n", paragraphs(INTRODUCTION.format(runs=runs))]
    for machine in machines:
        pages.extend(write_machine(machine))
    for summary in summaries:
        if "cpu" in summary:
            pages.extend(write_cpu(summary))
    pathlib.Path(output).write_text("".join(pages), encoding="utf-8")


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "summarize":
        print(summarize(*arguments[1:]))
    elif len(arguments) == 3 and arguments[0] == "write":
        write_document(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
