"""What the sandbox costs, beside a plain process for each submission and a bare fork: run it as python -m
benchmarks.worker.

The ways take turns, and medians and ratios are printed: nothing here is a test, for these machines are shared
and noisy."""

import os
import statistics
import time

import torch

from autograder.exercises import load
from autograder.grading.looks import first_job
from autograder.grading.notebook import grade_notebook
from autograder.sandbox.host.supervisor import SandboxWorker
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.shared.job import Job, RunCell
from autograder.submission.read import submission_from
from tests.corpus.notebooks import LESSON, as_bytes, notebook

ROUNDS = 9
EMPTY = Job([RunCell("pass")])


def seconds(action):
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def side_by_side(ways, rounds=ROUNDS):
    """{name: median seconds}, the ways taking turns."""
    seconds_of = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            seconds_of[name].append(seconds(way))
    return {name: statistics.median(times) for name, times in seconds_of.items()}


def bare_fork():
    """A child of this process, which has imported torch too, that says one word and ends."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(into, b"x")
        os._exit(0)
    os.close(into)
    os.read(out, 1)
    os.close(out)
    os.waitpid(child, 0)


def job_of(data):
    """The whole job of one submission, hidden inputs and all."""
    submission = submission_from(data)
    return first_job(submission, {name: load(name) for name in submission.lesson.exercises}, 1)


def show(title, times, base):
    print(f"\n{title}")
    for name, measured in times.items():
        print(f"  {name:42} {measured * 1e3:9.1f} ms   {measured / times[base]:6.2f} times")


def main():
    torch.set_num_threads(1)
    warm, plain, data = SandboxWorker(), PlainWorker(), as_bytes(notebook())
    job = job_of(data)
    first = seconds(warm.ready)
    cold = side_by_side(
        {"plain process": lambda: list(plain.messages(EMPTY)), "sandbox, started again": start_anew}, 3
    )
    print(
        f"The first start of the sandbox took {first:.2f} s, its probe included; it serves "
        "all submissions of a run."
    )
    show("An empty submission, cold", cold, "plain process")
    start = side_by_side({"bare fork": bare_fork, "sandbox, warm": lambda: list(warm.messages(EMPTY))})
    show(
        "An empty submission, warm: fork, isolation, shell, and until every process is dead",
        start,
        "bare fork",
    )
    run = side_by_side(
        {
            "plain process": lambda: list(plain.messages(job)),
            "sandbox, warm": lambda: list(warm.messages(job)),
        },
        5,
    )
    show(f"The worker's part of a solved {LESSON}", run, "plain process")
    whole = side_by_side(
        {
            "plain process": lambda: grade_notebook(data, worker=plain).as_dict(),
            "sandbox, warm": lambda: grade_notebook(data, worker=warm).as_dict(),
        },
        5,
    )
    show("The whole of it: intake, worker, judge", whole, "plain process")
    used = time.process_time()
    for _ in range(ROUNDS):
        grade_notebook(data, worker=warm).as_dict()
    print(
        "\n"
        f"The grader's own part takes {(time.process_time() - used) / ROUNDS * 1e3:.0f} ms of "
        "CPU time for each submission."
    )
    print(
        f"Isolation and start are {start['sandbox, warm'] / run['sandbox, warm']:.0%} of the worker's part."
    )
    warm.close()


def start_anew():
    worker = SandboxWorker()
    list(worker.messages(EMPTY))
    worker.close()


if __name__ == "__main__":
    main()
