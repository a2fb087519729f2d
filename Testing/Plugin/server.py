"""A pvserver of a test's own; for pvpython."""
import os
import signal
import socket
import subprocess
import sys


def environment_of_ranks():
    """For mpiexec: pvpython has begun a run of MPI of its own, which its children are not to join."""
    own = ("OMPI_", "PMIX_", "PMI_", "ORTE_", "HYDRA_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return {**environment, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class Server:
    """A pvserver that waits for one client, with the plugin of PV_PLUGIN_PATH. Ends with the `with` block.

    command: the program, after mpiexec and its arguments where it shall have several ranks.
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
        # By itself it ends with the client's process, which keeps the connection after Disconnect(). mpiexec is asked to
        # end, since its ranks would outlive it.
        self.process.send_signal(signal.SIGKILL if self.is_alone else signal.SIGTERM)
        self.output += self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()
        sys.stdout.write(self.output)  # for the eyes of CTest: messages of the validation layer
