"""A worker that is a plain process with a time limit: for --no-sandbox, if an instructor trusts the class."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile

from autograder.sandbox.shared.job import Limits

from .supervisor import messages_of

START_SECONDS = 60


class PlainWorker:
    """Runs each job in a new plain process; `messages` yields its messages until it is done or lost."""

    def __init__(self, limits=None):
        self.limits = limits or Limits()

    def ready(self):
        """Do nothing: a plain process needs no preparation."""

    def messages(self, job):
        """Yield the worker's answers, one for each step; see messages_of."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            process, connection = self.start(home)
            try:
                yield from messages_of(job, connection.fileno(), self.limits, START_SECONDS)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                connection.close()

    def start(self, home):
        """Start a process in the empty folder `home`, in a new process group; return it and our socket."""
        parent_end, child_end = socket.socketpair()
        parent_end.setblocking(False)
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "TORCHDYNAMO_DISABLE": "1",
            "HOME": home,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        with child_end:
            process = subprocess.Popen(
                [sys.executable, "-m", "autograder.sandbox.inside.runner", str(child_end.fileno())],
                pass_fds=[child_end.fileno()], cwd=home, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        return process, parent_end
