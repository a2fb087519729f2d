# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Starts a pvserver for a test, from pvpython."""
import os
import signal
import socket
import subprocess
import sys


def environment_of_ranks():
    """The environment for mpiexec. pvpython has initialized MPI, and its child processes must not join that run."""
    own = ("OMPI_", "PMIX_", "PMI_", "ORTE_", "HYDRA_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return {**environment, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def on_ranks(mpiexec, ranks, *command):
    return [mpiexec, "--oversubscribe", "-n", str(ranks), *command]


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class Server:
    """A pvserver that waits for one client, with the plugin of PV_PLUGIN_PATH. Ends with the `with` block.

    command: the program, preceded by mpiexec and its arguments for several ranks.
    """

    def __init__(self, command):
        self.is_alone = len(command) == 1
        self.port = free_port()
        self.process = subprocess.Popen([*command, f"--server-port={self.port}"], stdin=subprocess.DEVNULL,
                                        env=None if self.is_alone else environment_of_ranks(),
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output = ""
        for line in self.process.stdout:
            self.output += line
            if "Accepting connection" in line:
                return
        raise RuntimeError(f"pvserver ended:\n{self.output}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # The client keeps the connection after Disconnect(), so pvserver would run until the client exits. mpiexec gets
        # SIGTERM, because its ranks would keep running after SIGKILL.
        self.process.send_signal(signal.SIGKILL if self.is_alone else signal.SIGTERM)
        self.output += self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()
        sys.stdout.write(self.output)  # CTest searches it for messages of the validation layer
