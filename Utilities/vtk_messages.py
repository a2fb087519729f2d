# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Captures VTK's messages before they are printed."""
import contextlib
import os
import re

from vtkmodules.vtkCommonCore import vtkLogger, vtkOutputWindow, vtkStringOutputWindow


class Messages:
    """The sentences of VTK's errors and warnings, without file, line and address."""

    PATTERN = re.compile(r"(ERROR|Warning): In [^\n]*\n(?:[^\n(]*\(0x[0-9a-f]+\): )?(.*?)(?:\n\n|\Z)", re.DOTALL)

    def __init__(self):
        self.text = ""

    def of(self, kind):
        """The distinct messages of kind 'ERROR' or 'Warning', in order."""
        found = (" ".join(text.split()) for what, text in self.PATTERN.findall(self.text) if what == kind)
        return list(dict.fromkeys(found))


@contextlib.contextmanager
def listening():
    """Collects VTK's messages instead of printing them. Print nothing inside the `with` block."""
    messages = Messages()
    window, verbosity = vtkOutputWindow.GetInstance(), vtkLogger.GetCurrentVerbosityCutoff()
    listener = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(listener)
    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)
    try:
        yield messages
    finally:
        vtkOutputWindow.SetInstance(window)
        vtkLogger.SetStderrVerbosity(verbosity)
        text = listener.GetOutput()
        messages.text = text if isinstance(text, str) else text.decode(errors="replace")  # bytes if it is not UTF-8


@contextlib.contextmanager
def without_stderr():
    """Discards the output of libraries that write to file descriptor 2 directly, such as MetaIO."""
    saved, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
