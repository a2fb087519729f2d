# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The files of the project, and the programs of LLVM in the version of Debian 12, for the checks of this folder."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "14"
SKIPPED = 77  # the SKIP_RETURN_CODE of the tests


def is_owned(project, folder):
    """Whether files of the project lie in this folder; others are what git, an editor or a build keeps there."""
    if folder.name.startswith("."):
        return folder.name == ".ci"
    return (folder not in (project / "build", project / "demo-output") and folder.name != "__pycache__"
            and not (folder / "CMakeCache.txt").exists())


def files_of(project):
    """Every file of the project."""
    for here, folders, names in os.walk(project):
        folders[:] = sorted(name for name in folders if is_owned(project, pathlib.Path(here, name)))
        yield from (pathlib.Path(here, name) for name in sorted(names))


def program_or_skip(name):
    """The program in the version of Debian 12. Where it is not installed, ends the test as skipped."""
    found = [path for path in (shutil.which(f"{name}-{VERSION}"), shutil.which(name)) if path]
    for path in found:
        text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
        if re.search(rf"version {VERSION}\.", text):
            return path
    print(f"skipped: {name} {VERSION} is not installed" + (f", only another version: {found[0]}" if found else ""))
    sys.exit(SKIPPED)
