# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""A process that runs Utilities/isosurface.py many times, because pvpython takes a second to start.

usage: pvpython tool_process.py ISOSURFACE_PY

Each line of stdin is JSON: {"arguments": [...], "variables": {...}}. The environment variables apply to this run only.
Each answer is a line of JSON on stdout: {"status", "stdout", "stderr"}.
"""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
import isosurface  # noqa: E402


def run(arguments):
    try:
        return isosurface.main(arguments)
    except SystemExit as end:  # --help
        return end.code


def captured(arguments):
    """The status and the output of a run. It redirects the file descriptors, so it also captures the output of C++."""
    kept = [os.dup(descriptor) for descriptor in (1, 2)]
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        os.dup2(stdout.fileno(), 1)
        os.dup2(stderr.fileno(), 2)
        try:
            status = run(arguments)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for descriptor, copy in zip((1, 2), kept):
                os.dup2(copy, descriptor)
                os.close(copy)
        stdout.seek(0)
        stderr.seek(0)
        return {"status": status, "stdout": stdout.read(), "stderr": stderr.read()}


def main():
    # pvpython 5.13 does not flush its own streams before it ends.
    sys.stdout, sys.stderr = (open(descriptor, "w", encoding="utf-8", closefd=False) for descriptor in (1, 2))
    usual = dict(os.environ)
    # Not sys.stdin: pvpython replaces it with an object whose lines end at blanks.
    for line in open(0, encoding="utf-8"):
        request = json.loads(line)
        os.environ.update(request["variables"])
        answer = captured(request["arguments"])
        os.environ.clear()
        os.environ.update(usual)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
