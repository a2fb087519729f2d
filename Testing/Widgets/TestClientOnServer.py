# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The widgets in a client that is connected to a pvserver. The server has no widgets and no Qt.

usage: TestClientOnServer.py CLIENT SERVER_PLUGINS TEST... -- PVSERVER...
PV_PLUGIN_PATH has the plugins of the client, SERVER_PLUGINS those of the server.
"""
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Plugin"))
from server import Server  # pylint: disable=wrong-import-position

CLIENT, SERVER_PLUGINS = sys.argv[1:3]
END = sys.argv.index("--")
TESTS, PVSERVER = sys.argv[3:END], sys.argv[END + 1:]


def libraries_of(process):
    """The files that are mapped into the memory of a process."""
    lines = pathlib.Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8").splitlines()
    return {line.split()[-1] for line in lines if "/" in line}


def run_client(port, plugins, server):
    """Runs the tests. Returns the exit status of the client, and what the server had loaded meanwhile."""
    environment = {**os.environ, "PV_PLUGIN_PATH": plugins, "VMC_CLIENT_TEST": " ".join(TESTS),
                   "VMC_CLIENT_TEST_REMOTE": "1"}
    loaded = set()
    with subprocess.Popen([CLIENT, "--dr", f"--url=cs://localhost:{port}"], env=environment) as client:
        while client.poll() is None and server.poll() is None:
            loaded |= libraries_of(server)
            time.sleep(0.5)
    return client.returncode, loaded


class ClientOnServer(unittest.TestCase):
    def test_widgets_work_with_a_server_that_has_no_qt(self):
        plugins_of_client = os.environ["PV_PLUGIN_PATH"]
        os.environ["PV_PLUGIN_PATH"] = SERVER_PLUGINS
        with Server(PVSERVER) as server:
            status, loaded = run_client(server.port, plugins_of_client, server.process)
        self.assertEqual(status, 0)
        self.assertTrue(any("VulkanMarchingCubes.so" in name for name in loaded))
        self.assertEqual([name for name in loaded if "libQt" in name or "MarchingCubesWidgets" in name], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
