"""The worker as a plain process of its own, without a sandbox: job on one pipe, messages on another."""

import os
import sys
import time


def main():
    """Arguments: the numbers of the two pipes."""
    import torch

    from autograder.sandbox.shared import wire
    from autograder.sandbox.shared.job import Job

    from .runner import run

    jobs, answers = int(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(1)
    job = Job.from_plain(wire.read(jobs, time.monotonic() + 60, wire.JOB))
    run(job, lambda message: wire.write(answers, message))
    os._exit(0)


if __name__ == "__main__":
    main()
