"""Inside the sandbox: import everything once, then fork a keeper for every job. It never sees a submission.

Started as `python -c` with the number of its control socket; a message there is one job's limits, as JSON, with two
descriptors: the job's data and the keeper's report.
"""

import gc
import json
import os
import signal
import socket
import time

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import Job

from . import keeper, kernel
from .runner import run
from .shell import make_shell, run_cell
from .warm import warm_up

READ_JOB_SECONDS = 60


def main(control):
    """Serve jobs until the grader closes the control socket."""
    kernel.prctl(kernel.DUMPABLE, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm_up()
    shell = make_shell()
    run_cell(shell, "1 + 1")
    must_be_safe_to_fork()
    gc.collect()
    gc.freeze()
    control = socket.socket(fileno=control)
    control.send(b"ready")
    serve(control, shell)


def serve(control, shell):
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            be_keeper(json.loads(message), *descriptors, shell)
        for descriptor in descriptors:
            os.close(descriptor)


def be_keeper(job, data, status, shell):
    """Never returns; whatever goes wrong is reported."""
    try:
        keeper.keep(job, data, status, lambda fd: run_student(fd, shell))
    except BaseException as error:
        os.write(status, json.dumps({"why": f"setup: {type(error).__name__}: {error}"[:500]}).encode())
    finally:
        os._exit(0)


def run_student(fd, shell):
    """What the locked-in process does: read the job, run it, send what each step showed."""
    job = Job.from_plain(wire.read(fd, time.monotonic() + READ_JOB_SECONDS, wire.JOB))
    run(job, lambda message: wire.write(fd, message), shell)


def must_be_safe_to_fork():
    """A second thread would be missing in every child, and writable shared memory would join all jobs."""
    threads = len(os.listdir("/proc/self/task"))
    with open("/proc/self/maps") as maps:
        shared = [line for line in maps if line.split()[1][1] == "w" and line.split()[1][3] == "s"]
    if threads != 1 or shared:
        raise RuntimeError(
            f"the warm parent has {threads} threads and {len(shared)} shared mappings: it cannot be forked safely"
        )
