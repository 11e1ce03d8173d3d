"""A worker as a plain process with a time limit: for --no-sandbox, where an instructor trusts the class."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile

from autograder.sandbox.shared.limits import Limits

from .conversation import messages_of

START_SECONDS = 60


class PlainWorker:
    """One process for one job; `messages` yields what it sends until it is done, dead or out of time."""

    def __init__(self, limits=None):
        self.limits = limits or Limits()

    def ready(self):
        """Nothing has to be there."""

    def messages(self, job):
        """See messages_of."""
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
        """A process in this empty folder, leader of a group of its own, and our end of the socket to it."""
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
                [sys.executable, "-m", "autograder.sandbox.inside.child", str(child_end.fileno())],
                pass_fds=[child_end.fileno()], cwd=home, env=environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        return process, parent_end
