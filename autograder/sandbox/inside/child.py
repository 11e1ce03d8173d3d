"""Run one job in this process: the student's process in the sandbox, or a plain one for --no-sandbox."""

import os
import sys
import time

import torch

from autograder.sandbox.shared import wire
from autograder.sandbox.shared.job import Job

from .runner import run
from .shell import make_shell

READ_JOB_SECONDS = 60


def run_job(fd, shell):
    """Read a job from the socket, run it, and send the answer to each step."""
    job = Job.from_plain(wire.read(fd, time.monotonic() + READ_JOB_SECONDS, wire.JOB))
    run(job, lambda message: wire.write(fd, message), shell)


def main():
    torch.set_num_threads(1)
    run_job(int(sys.argv[1]), make_shell())
    os._exit(0)


if __name__ == "__main__":
    main()
