"""Makes Documentation/Performance.md of what the benchmark programs measured.

Usage: performance.py summarize FOLDER MEASURED.json...   one machine's medians into FOLDER/DEVICE.json; prints its path
       performance.py write FOLDER PERFORMANCE.md         the document, of all machines in FOLDER

MEASURED.json is what vmcCoreBenchmarks or vmcFilterBenchmarks wrote with --benchmark_out; both programs are needed, and
each may have measured its rows in several runs. Only Python's standard library is needed.
"""
import json
import pathlib
import re
import sys
import textwrap

BIN = "build/benchmark/bin"
SIZES = (128, 256, 512, 768, 1024, 1536)

INTRODUCTION = """Made by `Utilities/benchmark.sh`. Each surface is compared before it is timed, with a count of all edges
and cells on the host or with `vtkFlyingEdges3D`; a wrong one ends the command. Times are medians in milliseconds, of {runs}
runs or more, after at least 3 and at least a second that do not count; *new filter* of up to 5, peers that take long of 3 or more.
*Host* is the host's clock around the call, waiting for the device included; *GPU* and the stages are the device's own time
stamps. Points and shared triangles alone are made, no normals. The commands take the folder of raw volumes from
`VMC_VOLUMES` and that of `.vti` and `.vtk` files from `VMC_VOLUME_FILES`.

A gyroid is `sin(kx)cos(ky) + sin(ky)cos(kz) + sin(kz)cos(kx)`, k = 2 pi / P, at the sample numbers x, y, z, cut at 0.001
or at the value in its name; of integer types it is stretched over the range. *Active* is the part of the dual cells that
make triangles.

*Limit* is the least time that this machine could take, from the rates measured on it: 8 bytes of range a brick and the
samples of active bricks are read, 12 bytes a point and 12 a triangle written; towards the host these cross the link,
and so do all samples the first time (where host and device share memory, they are read). *x limit* is how many times as
long it took."""

FILTER_WORDS = """*again*: `vtkVulkanMarchingCubes::Update` with a new isovalue; *first*: of an array that was modified,
upload included; *new filter*: likewise, by a filter that has not run yet, the device being open. *FE*: `vtkFlyingEdges3D`
of the same samples, on 1 thread and on {threads}. *averaged*: `vtkCellDataToPointData`, then `vtkFlyingEdges3D`, on all
threads, which is another surface. Ratios to *FE* above 1: the filter is faster; without a GPU they are medians of ratios
taken in turns."""

MEMORY_WORDS = """Beside the samples and the mesh: for each brick of the volume, and for each active one. Where a volume
passes in several slabs, all bricks share what one slab needs, and nothing can be told of the active ones."""


def summarize(folder, *outputs):
    """Of the outputs of Google Benchmark what the document needs."""
    summary = {"core": {}, "filter": {}, "left_out": []}
    for output in outputs:
        measured = json.loads(pathlib.Path(output).read_text(encoding="utf-8"))
        context = measured["context"]
        if context["device"] != summary.setdefault("device", context["device"]):
            sys.exit(f"{output} was measured on {context['device']}, the others on {summary['device']}")
        for key in ("driver", "processor", "processors", "unified_memory"):
            summary[key] = context[key]
        summary["date"] = context["date"][:10]
        for sentence in context["left_out"].split("; "):
            if sentence and sentence not in summary["left_out"]:
                summary["left_out"].append(sentence)
        program = "core" if context["executable"].endswith("vmcCoreBenchmarks") else "filter"
        summary[program].update(rows_of(measured["benchmarks"]))
    path = pathlib.Path(folder, slug(summary["device"]) + ".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return path


def rows_of(benchmarks):
    """Medians by the name of the row; of a row that ran once, that run."""
    known = {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
             "repetition_index", "threads", "aggregate_name", "aggregate_unit", "iterations", "real_time", "cpu_time",
             "time_unit"}
    rows = {}
    for run in benchmarks:
        if run.get("aggregate_name", "median") != "median":
            continue
        row = {key: rounded(value) for key, value in run.items() if key not in known}
        rows[re.sub(r"/iterations:.*", "", run["run_name"])] = {
            "ms": rounded(run["real_time"]), "runs": run["repetitions"], **row}
    return rows


def rounded(value):
    return int(value) if value == int(value) else float(f"{value:.5g}")


def slug(device):
    return re.sub(r"[^a-z0-9]+", "-", device.split("(")[0].lower()).strip("-")


class Machine:
    """The summary of one machine."""

    def __init__(self, summary):
        self.__dict__.update(summary)
        self.is_unified = summary["unified_memory"] == "yes"
        self.slug = slug(summary["device"])

    def rate(self, *probes):
        """Bytes a millisecond, of the fastest of these probes."""
        return max(self.core[f"probe/{probe}"]["GB/s"] for probe in probes) * 1e6

    def limit_on_device(self, row):
        """Milliseconds that reading active bricks and writing the mesh take at least."""
        samples = min(512 * row["active_bricks"], row["samples"]) * row["sample_bytes"]
        return (8 * row["bricks"] + samples) / self.read_rate() + mesh_bytes(row) / self.write_rate()

    def limit_again(self, row):
        """Likewise, with the mesh on the host."""
        if self.is_unified:
            return self.limit_on_device(row)
        return max(self.limit_on_device(row), mesh_bytes(row) / self.rate("device to host"))

    def limit_first(self, row):
        """Likewise, with the samples there too."""
        rate = self.read_rate() if self.is_unified else self.rate("host to device")
        return row["samples"] * row["sample_bytes"] / rate + self.limit_again(row)

    # Where host and device share memory, copies between them show how fast that can be read and written, too.
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
    yield "\n### A new isovalue of a volume that is on the device\n\nThrough the core; the mesh stays on the device.\n"
    yield command("vmcCoreBenchmarks", "/again")
    rows = []
    for case, row in machine.cases(machine.core, "again"):
        limit = machine.limit_on_device(row)
        rows.append([case, number(row["active_percent"]), count(row["points"]), count(row["triangles"]),
                     number(row["ms"]), number(gpu_milliseconds(row)), number(limit), ratio(row["ms"], limit)])
    yield table(["", "active, %", "points", "triangles", "host", "GPU", "limit", "x limit"], rows)


STAGES = ("Upload", "BuildBrickRanges", "SelectBricks", "CountBricks", "ScanBricks", "EmitPoints", "EmitTriangles",
          "Download")


def write_stages(machine):
    yield "\n### Stages\n\nOf a first extraction through the core, to the host, by the device's clock; *Upload* by the host's, *Download* by\nboth.\n"
    yield command("vmcCoreBenchmarks", "/first")
    cases = list(machine.cases(machine.core, "first"))
    rows = []
    for case, row in cases:
        limit = machine.limit_first(row)
        rows.append([case, *(number(row.get(f"ms {stage}")) for stage in STAGES),
                     number(row["ms"]), ratio(row["ms"], limit)])
    yield table(["", *STAGES, "host, all", "x limit"], rows)


def peers(machine, case):
    """Milliseconds of FlyingEdges on one and on all threads, and of averaging first; None where left out."""
    return [machine.filter.get(f"{case}/{way}", {}).get("ms")
            for way in ("FlyingEdges 1 thread", "FlyingEdges all threads", "averaged")]


def ratios(machine, case):
    """FlyingEdges on all threads to the filter, again and first: medians of turns where they were taken in turns."""
    turns = machine.filter.get(f"{case}/in turns")
    if turns:
        return [turns["FlyingEdges / again"], turns["FlyingEdges / first"]]
    return [machine.filter[f"{case}/FlyingEdges all threads"]["ms"] / machine.filter[f"{case}/{way}"]["ms"]
            for way in ("again", "first")]


def write_filter(machine):
    yield "\n### The filter, host to host, and its peers\n\n"
    yield paragraphs(FILTER_WORDS.format(threads=machine.processors))
    yield command("vmcFilterBenchmarks", ".")
    rows = []
    for case, again in machine.cases(machine.filter, "again"):
        first, new = machine.filter[f"{case}/first"], machine.filter[f"{case}/new filter"]
        rows.append([case, count(again["triangles"]), number(again["ms"]), number(first["ms"]), number(new["ms"]),
                     *map(number, peers(machine, case)), *(number(value, 2) for value in ratios(machine, case)),
                     ratio(again["ms"], machine.limit_again(again)), ratio(first["ms"], machine.limit_first(first))])
    threads = f"FE, {machine.processors} threads"
    yield table(["", "triangles", "again", "first", "new filter", "FE, 1 thread", threads, "averaged",
                 f"{threads} / again", f"{threads} / first", "again, x limit", "first, x limit"], rows)


def growth_case(size):
    return f"gyroid {size} float32 P={256 if size == 128 else 512}"


def write_growth(machine):
    yield "\n### Growth with the size\n\n"
    yield (f"![Time against size](images/performance-{machine.slug}.png)\n\n"
           "The same part of the volume is active at every size but 128.\n")
    yield command("vmcCoreBenchmarks", "gyroid .* float32 P=(256|512)/(again|first)")
    rows = []
    for size in SIZES:
        again, first = (machine.core.get(f"{growth_case(size)}/{way}") for way in ("again", "first"))
        if again and first:
            rows.append([f"{size}^3", number(again["active_percent"]), count(again["triangles"]), number(again["ms"]),
                         number(1e6 * again["ms"] / again["triangles"]), number(first["ms"]),
                         number(1e6 * first["ms"] / first["samples"])])
    yield table(["", "active, %", "triangles", "again", "again, ns a triangle", "first", "first, ns a sample"], rows)


def write_memory(machine):
    yield "\n### Device memory\n\n"
    yield paragraphs(MEMORY_WORDS)
    yield command("vmcCoreBenchmarks", "/memory")
    rows = [[case, str(row["slabs"]), count(row["bricks"]), count(row["active_bricks"]), number(row["bytes_per_brick"]),
             number(row["bytes_per_active_brick"]) if row["slabs"] == 1 else "-", number(row["device_bytes"] / 2**20),
             number(row["mesh_bytes"] / 2**20)]
            for case, row in machine.cases(machine.core, "memory")]
    yield table(["", "slabs", "bricks", "active bricks", "bytes a brick", "bytes an active brick", "device memory, MiB",
                 "of it the mesh, MiB"], rows)


def write_machine(machine):
    yield f"\n## {machine.device}\n\n"
    yield (f"Driver {machine.driver}; host: {machine.processors} cores of {machine.processor}; measured on "
           f"{machine.date}.\n")
    for write in (write_probes, write_again, write_stages, write_filter, write_growth, write_memory):
        yield from write(machine)
    yield "\n### Left out\n\n" + "".join(f"- {sentence}\n" for sentence in machine.left_out)


def write_document(folder, output):
    summaries = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    machines = sorted(map(Machine, summaries), key=lambda machine: machine.is_unified)
    runs = min(row["runs"] for machine in machines for rows in (machine.core, machine.filter)
               for _, row in machine.cases(rows, "again"))
    pages = ["# How fast it is\n\n", paragraphs(INTRODUCTION.format(runs=runs))]
    for machine in machines:
        pages.extend(write_machine(machine))
    pathlib.Path(output).write_text("".join(pages), encoding="utf-8")


def main(arguments):
    if len(arguments) >= 4 and arguments[0] == "summarize":
        print(summarize(*arguments[1:]))
    elif len(arguments) == 3 and arguments[0] == "write":
        write_document(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
