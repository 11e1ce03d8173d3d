"""A PlainWorker whose processes are forked from a warm parent: for tests about what is graded."""

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from autograder.sandbox.host.unsandboxed import PlainWorker

ROOT = Path(__file__).resolve().parents[2]
ONE_REQUEST = threading.Lock()  # else two threads could take each other's answer


class ForkingWorker(PlainWorker):
    """Runs each job in its own process, as PlainWorker does."""

    def start(self, home):
        """The id of a new process, which leads its own process group, and our end of its socket."""
        our_end, their_end = socket.socketpair()
        our_end.setblocking(False)
        with their_end, ONE_REQUEST:
            socket.send_fds(control(), [home.encode()], [their_end.fileno()])
            pid = int(control().recv(100))
        # its parent, the forking process, waits for it
        return SimpleNamespace(pid=pid, wait=lambda: None), our_end


@cache
def control():
    """The socket to the forking process, which ends when the socket is closed."""
    our_end, their_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = os.environ | {"TORCHDYNAMO_DISABLE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    with their_end:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.tools.forking_worker", str(their_end.fileno())],
            pass_fds=[their_end.fileno()], env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    atexit.register(lambda: (our_end.close(), process.wait()))
    return our_end


def serve(control):
    """Fork a process for each request; never returns."""
    import torch
    import torch._dynamo  # torch imports it, in two seconds, at its first use of the device "meta"

    from autograder.sandbox.inside.runner import run_job
    from autograder.sandbox.inside.shell import make_shell, run_cell

    torch.set_num_threads(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    run_cell(shell := make_shell(), "1 + 1")
    while True:
        home, descriptors, _, _ = socket.recv_fds(control, 4096, 1)
        if not home:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            control.close()
            os.setpgid(0, 0)
            os.chdir(home)
            os.environ["HOME"] = home.decode()
            run_job(*descriptors, shell)
            os._exit(0)
        with contextlib.suppress(OSError):  # the child did it first, or has ended
            os.setpgid(pid, pid)
        os.close(*descriptors)
        control.send(str(pid).encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
