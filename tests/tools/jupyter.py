"""Starts a JupyterLab for tests: on a free port, with its own home, without a token."""

import contextlib
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--no-browser", "--ServerApp.port_retries=0", "--IdentityProvider.token="]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def served(command, folder):
    """Start the command with JupyterLab's flags, home and log in `folder`, and yield its address once up."""
    environment = os.environ | {"HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    port, log = free_port(), folder / "jupyterlab.log"
    with log.open("w") as file:
        command = list(map(str, [*command, *FLAGS, f"--ServerApp.port={port}"]))
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
    try:
        wait_for(f"http://127.0.0.1:{port}/api", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def wait_for(address, server, log):
    for _ in range(480):
        with contextlib.suppress(urllib.error.URLError):
            urllib.request.urlopen(address, timeout=20).close()
            return
        assert server.poll() is None, log.read_text()
        time.sleep(0.25)
    raise AssertionError(f"JupyterLab does not answer: {log.read_text()}")


def read(address):
    """Return the text of a page."""
    return urllib.request.urlopen(address, timeout=20).read().decode()
