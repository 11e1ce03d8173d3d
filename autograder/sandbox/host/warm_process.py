"""Start the warm parent in bubblewrap, send it jobs from any number of threads, and end it."""

import contextlib
import json
import os
import secrets
import select
import shutil
import socket
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

from . import bubblewrap, seccomp
from .bubblewrap import code_zip
from .reasons import SandboxUnavailable

START_SECONDS, REPORT_SECONDS = 120, 10
FIRST_UID, UIDS = 2_000_000_000, 100_000_000


class WarmProcess:
    """A bubblewrap process with a warm parent inside, which accepts jobs at once and runs them when ready.
    pid: the process that started it; in a fork of that process, it counts as dead."""

    def __init__(self):
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise SandboxUnavailable
        program = seccomp.program()
        self.lock, self.jobs = threading.Lock(), 0
        self.uid_offset = secrets.randbelow(UIDS)  # random start, from which jobs count up
        self.pid, self.errors = os.getpid(), tempfile.TemporaryFile()
        self.control, child_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.send(program)
        self.thread = ThreadPoolExecutor(1)  # bubblewrap ends when the thread that started it ends
        with child_end, tempfile.TemporaryFile(buffering=0) as code:
            code.write(code_zip())
            code.seek(0)
            starting = self.thread.submit(
                subprocess.Popen, bubblewrap.command(bwrap, code.fileno(), child_end.fileno()),
                pass_fds=[code.fileno(), child_end.fileno()], env={"PATH": "/usr/bin:/bin"}, cwd="/",
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors,
            )  # fmt: skip
            try:
                self.process = starting.result()
            except OSError as error:
                raise SandboxUnavailable(str(error)) from None

    def wait_until_ready(self):
        """Wait for the warm parent; if it fails to start, raise SandboxUnavailable with its last line."""
        self.control.settimeout(START_SECONDS)
        try:
            ready = self.control.recv(16) == b"ready"
        except OSError:
            ready = False
        if not ready:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
            self.errors.seek(0)
            lines = self.errors.read(100_000).decode(errors="replace").strip().splitlines()
            raise SandboxUnavailable(lines[-1] if lines else "it did not start")
        self.control.settimeout(None)

    def alive(self):
        return self.pid == os.getpid() and self.process.poll() is None

    def open(self, limits):
        """Start a process for one job; return the RunningJob."""
        parent_end, child_end = socket.socketpair()
        report, keeper = socket.socketpair()
        with child_end, keeper, self.lock:
            self.jobs += 1
            uid = FIRST_UID + (self.uid_offset + self.jobs) % UIDS if os.getuid() == 0 else None
            job = json.dumps({**asdict(limits), "uid": uid}).encode()
            socket.send_fds(self.control, [job], [child_end.fileno(), keeper.fileno()])
        return RunningJob(parent_end, report)

    def close(self):
        """End everything inside; safe to call twice. In a forked process, only close the descriptors."""
        self.control.close()
        if self.pid == os.getpid():
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.2)  # it may still be importing
            self.process.kill()
            self.process.wait()
            self.thread.shutdown()
        self.errors.close()


class RunningJob:
    """The grader's handle on one job's process: messages go through `descriptor`, and `end` ends it."""

    def __init__(self, connection, report):
        self.connection, self.report = connection, report
        connection.setblocking(False)
        self.descriptor = connection.fileno()

    def end(self, grace):
        """Give the job `grace` seconds to finish, end it, and wait until all its processes are dead. Returns
        the keeper's report (inside/keeper.py), or "" if none arrives."""
        self.connection.close()
        poll = select.poll()
        poll.register(self.report, select.POLLIN)
        with self.report, contextlib.suppress(OSError):
            if not poll.poll(grace * 1000):
                self.report.send(b"end")
            if poll.poll(REPORT_SECONDS * 1000):
                return self.report.recv(4096).decode()
        return ""
