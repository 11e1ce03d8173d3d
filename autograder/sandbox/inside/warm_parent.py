"""The warm parent imports everything once, then forks a keeper for every job. It never sees a submission.

It is started as `python -c` with the descriptor of its control socket. The first message on the socket is the
system-call filter; each further one brings a job's limits as JSON, and two descriptors: one for the job and
its messages, one for the report.
"""

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket

import torch

from autograder.sandbox.shared.job import NO_SETUP

from . import isolate, keeper
from .runner import run_job
from .shell import make_shell, run_cell

MODULES = """
    asyncio collections course_utils course_utils.observe.probe dataclasses functools itertools
    math matplotlib.pyplot numpy numpy.ctypeslib random safetensors.torch time torch.nn
    torch.nn.attention.bias torch.nn.functional torch.nn.utils.rnn torch.optim torch.utils.data typing"""


def main(control):
    """Serve jobs until the grader closes the control socket."""
    isolate.prctl(isolate.SET_DUMPABLE, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=control)
    program = control.recv(1 << 16)
    torch.set_num_threads(1)
    import_all(MODULES.split())
    train_once()
    shell = make_shell()
    run_cell(shell, "1 + 1")
    freeze()
    control.send(b"ready")
    serve(control, program, shell, [draw_once, freeze, use_large_pages])


def serve(control, program, shell, later):
    """Fork a keeper for each job. later: functions that make jobs faster, called while no job is waiting."""
    while True:
        while later and not select.select([control], [], [], 0)[0]:
            later.pop(0)()
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not message:
            os._exit(0)
        job_socket, report_socket = descriptors
        if os.fork() == 0:
            control.close()
            be_keeper(json.loads(message), program, job_socket, report_socket, shell)
        os.close(job_socket)
        os.close(report_socket)


def be_keeper(job, program, job_socket, report_socket, shell):
    """Become the keeper of a job, and send its report, or the error that it ended with. Never returns."""
    try:
        report = keeper.keep(job, program, job_socket, report_socket, lambda fd: run_job(fd, shell))
    except BaseException as error:
        report = f"{NO_SETUP}: {type(error).__name__}: {error}"[:500]
    try:
        os.write(report_socket, report.encode())
    finally:
        os._exit(0)


def freeze():
    """Exclude all objects that exist now from garbage collection, here and in every child."""
    must_be_safe_to_fork()
    gc.collect()
    gc.freeze()


def must_be_safe_to_fork():
    """Raise RuntimeError if there are other threads, which forks lack, or writable memory that all share."""
    threads = len(os.listdir("/proc/self/task"))
    with open("/proc/self/maps") as maps:
        shared = [line for line in maps if line.split()[1][1] == "w" and line.split()[1][3] == "s"]
    if threads != 1 or shared:
        raise RuntimeError(
            f"the warm parent cannot be forked safely: {threads} threads, {len(shared)} shared mappings"
        )


def use_large_pages():
    """Back the heap with pages of 2 MB. Each job forks twice, and each fork copies the page table and clears
    it at its end: with pages of 4 KB, that would be most of the cost of an empty job."""
    with open("/proc/self/maps") as maps:
        fields = [line.split() for line in maps]
    for addresses, rights, *_, name in (words if len(words) > 5 else [*words, ""] for words in fields):
        if "w" in rights and name in ("", "[heap]"):
            isolate.collapse_into_large_pages(*(int(address, 16) for address in addresses.split("-")))


def import_all(names):
    for name in names:
        with contextlib.suppress(ImportError):  # optional: a submission that needs it gets the error
            importlib.import_module(name)


def train_once():
    """Run one optimizer step, as the first one spends a second or two on imports."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3))
    optimizer = torch.optim.Adam(model.parameters())
    torch.nn.functional.cross_entropy(model(torch.ones(3, 4)), torch.tensor([0, 1, 2])).backward()
    optimizer.step()


def draw_once():
    """Import the drawing modules and draw a figure, as the first one has to find the fonts."""
    import course_utils.figures as figures
    import course_utils.touch as touch

    for room in (figures, touch):
        import_all(f"{room.__name__}.{module.name}" for module in pkgutil.iter_modules(room.__path__))
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure = plt.figure()
    figure.subplots().plot([0, 1])
    figure.canvas.draw()
    plt.close(figure)
