"""The warm parent: import everything once, then fork a keeper for every job. It never sees a submission.

Started as `python -c` with the number of its control socket. The first message there is the system-call
filter; each further one is a job's limits, as JSON, with two descriptors: for the job and its messages, and
for the report.
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

from autograder.sandbox.shared.losses import NO_SETUP

from . import keeper, kernel
from .child import run_job
from .shell import make_shell, run_cell

MODULES = """
    asyncio collections course_utils course_utils.observe.probe dataclasses functools itertools
    math matplotlib.pyplot numpy numpy.ctypeslib random safetensors.torch time torch.nn
    torch.nn.attention.bias torch.nn.functional torch.nn.utils.rnn torch.optim torch.utils.data typing"""


def main(control):
    """Serve jobs until the grader closes the control socket."""
    kernel.prctl(kernel.SET_DUMPABLE, 0)
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
    """later: what is done when no job waits, and only makes jobs quicker."""
    while True:
        while later and not select.select([control], [], [], 0)[0]:
            later.pop(0)()
        message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not message:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            be_keeper(json.loads(message), program, *descriptors, shell)
        for descriptor in descriptors:
            os.close(descriptor)


def be_keeper(job, program, job_socket, report_socket, shell):
    """Never returns; whatever goes wrong is reported."""
    try:
        report = keeper.keep(job, program, job_socket, report_socket, lambda fd: run_job(fd, shell))
    except BaseException as error:
        report = f"{NO_SETUP}: {type(error).__name__}: {error}"[:500]
    try:
        os.write(report_socket, report.encode())
    finally:
        os._exit(0)


def freeze():
    """Nothing that is there now is looked through again for garbage, in any child."""
    must_be_safe_to_fork()
    gc.collect()
    gc.freeze()


def must_be_safe_to_fork():
    """A second thread would be missing in every child, and writable shared memory would join all jobs."""
    threads = len(os.listdir("/proc/self/task"))
    with open("/proc/self/maps") as maps:
        shared = [line for line in maps if line.split()[1][1] == "w" and line.split()[1][3] == "s"]
    if threads != 1 or shared:
        raise RuntimeError(
            f"the warm parent cannot be forked safely: {threads} threads, {len(shared)} shared mappings"
        )


def use_large_pages():
    """Back the heap by pages of 2 MB. A fork copies the table of all pages and its end clears it, twice in
    each job: with pages of 4 KB that is most of what an empty job costs."""
    with open("/proc/self/maps") as maps:
        fields = [line.split() for line in maps]
    for addresses, rights, *_, name in (words if len(words) > 5 else [*words, ""] for words in fields):
        if "w" in rights and name in ("", "[heap]"):
            kernel.collapse_into_large_pages(*(int(address, 16) for address in addresses.split("-")))


def import_all(names):
    for name in names:
        with contextlib.suppress(ImportError):  # an optional one: the submission that needs it gets the error
            importlib.import_module(name)


def train_once():
    """The first optimizer step imports for a second or two."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3))
    optimizer = torch.optim.Adam(model.parameters())
    torch.nn.functional.cross_entropy(model(torch.ones(3, 4)), torch.tensor([0, 1, 2])).backward()
    optimizer.step()


def draw_once():
    """Import all that draws; the first figure finds the fonts."""
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
