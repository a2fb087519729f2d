"""What VTK has to say, caught before it reaches the terminal."""
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
        """The different ones of kind 'ERROR' or 'Warning', in their order."""
        found = (" ".join(text.split()) for what, text in self.PATTERN.findall(self.text) if what == kind)
        return list(dict.fromkeys(found))


@contextlib.contextmanager
def listening():
    """Collects what VTK has to say, instead of letting it onto the terminal. Nothing may be printed meanwhile."""
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
        messages.text = listener.GetOutput()


@contextlib.contextmanager
def without_stderr():
    """For libraries that write to file descriptor 2 themselves, such as MetaIO."""
    saved, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
