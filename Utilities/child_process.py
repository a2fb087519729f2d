# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a function in a child process, whose crash or endless loop this process survives."""
import mmap
import os
import pickle
import resource
import signal

ALIGNMENT = 64  # bytes
TOO_LARGE = "needs more memory than there is"


class Ended(Exception):
    """Why a child process ended before its function returned, as a part of a sentence."""


def in_child(function, seconds, memory):
    """What the function returns. Raises what it raises, and Ended if the child process crashes, uses more than
    `seconds` of processor time, or needs more than `memory` bytes in addition to those of this process, or more than
    the machine has. pickle must support the result; arrays of numpy in it are not copied by this process."""
    file = os.memfd_create("result")
    child = os.fork()
    if child == 0:
        answer(function, seconds, memory, file)
    _, status = os.waitpid(child, 0)
    with open(file, "rb") as content:
        if os.WIFSIGNALED(status):
            ended = os.WTERMSIG(status)
            raise Ended(f"did not end in {seconds:.0f} s" if ended == signal.SIGPROF else
                        f"ended with {signal.Signals(ended).name}")
        if status != 0:
            raise Ended("ended without a result")
        value = received(content)
    if isinstance(value, Exception):
        raise value
    return value


def answer(function, seconds, memory, file):
    """Ends this process after it has written what the function returns or raises. Neither Python nor ParaView are
    finalized: the process that started this one shares their connections, such as those of MPI."""
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would be as large as the volume
        limit_memory(memory)
        try:
            value = function()
        except MemoryError:
            value = Ended(TOO_LARGE)
        except Exception as error:
            value = error
        with open(file, "wb") as content:
            send(value, content)
        os._exit(0)
    finally:
        os._exit(1)


def limit_memory(further):
    """Makes allocations fail that would exceed `further` bytes, or drive other processes out of memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * mmap.PAGESIZE
    _, largest = resource.getrlimit(resource.RLIMIT_AS)
    limit = used + min(int(further), available_memory())
    resource.setrlimit(resource.RLIMIT_AS, (limit if largest < 0 else min(limit, largest), largest))


def available_memory():
    """The bytes that processes can allocate before the machine has no more memory."""
    with open("/proc/meminfo", encoding="ascii") as file:
        kibibytes = {name: int(value.split()[0]) for name, value in (line.split(":") for line in file)}
    return 1024 * (kibibytes["MemAvailable"] + kibibytes["SwapFree"])


def send(value, content):
    """Writes the arrays of a value, each from a multiple of ALIGNMENT, then the rest of it, then where that starts.
    The file is in memory, but RLIMIT_AS does not count it. If the arrays do not fit, this writes Ended instead."""
    arrays = []
    head = pickle.dumps(value, protocol=5, buffer_callback=lambda buffer: arrays.append(buffer.raw()))
    if sum(array.nbytes for array in arrays) > available_memory():
        send(Ended(TOO_LARGE), content)
        return
    for array in arrays:
        content.write(array)
        content.seek(-content.tell() % ALIGNMENT, os.SEEK_CUR)
    start = content.tell()
    pickle.dump(([array.nbytes for array in arrays], head), content)
    content.write(start.to_bytes(8, "little"))


def received(content):
    """The value that send() wrote. Its arrays lie in the memory of the file."""
    size = os.fstat(content.fileno()).st_size
    if size == 0:
        raise Ended("ended without a result")
    shared = memoryview(mmap.mmap(content.fileno(), size, access=mmap.ACCESS_COPY))
    sizes, head = pickle.loads(shared[int.from_bytes(shared[-8:], "little"):])
    arrays, start = [], 0
    for length in sizes:
        arrays.append(shared[start:start + length])
        start += -(-length // ALIGNMENT) * ALIGNMENT
    return pickle.loads(head, buffers=arrays)
