"""A Dask scheduler and workers as if on separate machines: each worker has its own copy of the course."""

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from .jupyter import free_port

ROOT = Path(__file__).resolve().parents[2]
COURSE = "autograder", "course_utils", "notebooks", "solutions", "tests/tools"  # tests/tools holds dies.py
UNWANTED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
DASK = [sys.executable, "-m", "dask"]
TWO_DEATHS = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
# a worker ends when its scheduler does; systemd, Kubernetes, SLURM or this shell loop starts it again
FOR_EVER = 'while :; do "$@"; /bin/sleep 0.5; done'
WORKER = ["--nworkers", "1", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard"]


class LocalCluster:
    """address: the scheduler's. workers: processes, each of which keeps one Dask worker running."""

    def __init__(self, folder):
        self.folder, self.port = Path(folder), free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler, self.workers, self.names = None, [], itertools.count()

    def start_scheduler(self):
        options = ["--host", "127.0.0.1", "--port", self.port, "--no-dashboard"]
        self.scheduler = self.run("scheduler", [*DASK, "scheduler", *options], **TWO_DEATHS)
        end = time.monotonic() + 60
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            assert time.monotonic() < end
            time.sleep(0.1)

    def restart_scheduler(self):
        self.scheduler.kill()
        self.scheduler.wait()
        self.start_scheduler()

    def start_worker(self, **environment):
        """Start a worker with a copy of the course in its folder, and return that folder."""
        name = f"worker{next(self.names)}"
        place = self.folder / name
        for part in COURSE:
            shutil.copytree(ROOT / part, place / part, ignore=UNWANTED)
        (place / "tests" / "__init__.py").touch()
        command = ["/bin/sh", "-c", FOR_EVER, "sh", *DASK, "worker", self.address, *WORKER]
        self.workers.append(self.run(name, command, PYTHONPATH=str(place), **environment))
        return place

    def run(self, name, command, **environment):
        place = self.folder / name
        place.mkdir(exist_ok=True)
        with open(place / "log", "ab") as log:
            surroundings = {"cwd": place, "env": os.environ | environment, "stdin": subprocess.DEVNULL}
            return subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, **surroundings)

    def stop_newest_worker(self):
        end(self.workers.pop())

    def wait_for_workers(self, number):
        from distributed import Client  # only installed with the extra "scale"

        with Client(self.address) as client:
            client.wait_for_workers(number, timeout=60)

    def stop(self):
        for process in filter(None, [*self.workers, self.scheduler]):
            end(process)


def end(popen):
    """Kill a process and all its children. It is suspended first, so that it cannot start any more."""
    with contextlib.suppress(psutil.NoSuchProcess):
        first = psutil.Process(popen.pid)
        first.suspend()
        for process in [*first.children(recursive=True), first]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
    popen.wait()


@contextlib.contextmanager
def cluster(folder, workers=2):
    new = LocalCluster(folder)
    try:
        new.start_scheduler()
        for _ in range(workers):
            new.start_worker()
        yield new
    finally:
        new.stop()
