# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command on a virtual display of its own. The server chooses a number that no other server has, so several can
start at once; xvfb-run cannot tell.

usage: with_display.py XVFB COMMAND...

The exit status is that of the command.
"""
import os
import subprocess
import sys

XVFB, *COMMAND = sys.argv[1:]

reader, writer = os.pipe()
# -noreset: else the server starts anew when its last window closes, and refuses connections meanwhile.
server = subprocess.Popen([XVFB, "-displayfd", str(writer), "-screen", "0", "1280x1024x24", "-noreset"],
                          pass_fds=[writer], stderr=subprocess.DEVNULL)
os.close(writer)
try:
    with open(reader, encoding="ascii") as numbers:
        number = numbers.readline().strip()
    if not number:
        sys.exit(f"{XVFB} does not start.")
    status = subprocess.run(COMMAND, env={**os.environ, "DISPLAY": f":{number}"}).returncode
finally:
    server.terminate()
    server.wait()
sys.exit(status if status >= 0 else 128 - status)
