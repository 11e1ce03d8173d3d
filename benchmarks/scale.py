"""Grade a large class on a Dask cluster on this machine, with PostgreSQL; docs/scale.md reports the results.

python -m benchmarks.scale --students 10000
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Annotated

import psutil
import typer
from distributed import Client

from tests.tools.cluster import cluster
from tests.tools.postgres import postgres

from .classes import ROOT, make_class
from .killed import ASK, command, megabytes, wanted

EVERY = 1.0  # seconds between two measurements of the run
PAUSE = 5  # seconds without PostgreSQL


def main(
    students: Annotated[int, typer.Option(help="Submissions in the run with restarts; 0 skips it.")] = 1000,
    sample: Annotated[int, typer.Option(help="Submissions for each number of workers.")] = 200,
    workers: Annotated[list[int] | None, typer.Option(help="By default 1, 2 and 4.")] = None,
    bad: float = 0.03,
    lesson: str = "00_start_here",
):
    """Print submissions per second by number of workers, then the outcome of a run with three restarts."""
    with tempfile.TemporaryDirectory() as place:
        for number in (workers or [1, 2, 4]) if sample else []:
            speed(Path(place, f"with {number}"), lesson, sample, bad, number)
        if sample:
            speed(Path(place, "pool"), lesson, sample, bad, None)
        if students:
            with_restarts(Path(place, "restarts"), lesson, students, bad)


def speed(place, lesson, students, bad, workers):
    """Grade a class with so many workers (None: with the processes of `make grade`, without a scheduler). A
    few submissions are graded first, so that every worker has loaded what it needs."""
    course, few = place / "course", place / "few"
    make_class(few, lesson, 2 * (workers or os.cpu_count()))
    make_class(course, lesson, students, bad)
    place.joinpath("cluster").mkdir()
    with cluster(place / "cluster", workers) if workers else contextlib.nullcontext() as servers:
        scheduler = ["--scheduler", servers.address] if workers else []
        if workers:
            servers.wait_for_workers(workers)
        seconds_to_grade(few, scheduler)
        seconds = seconds_to_grade(course, scheduler)
    title = f"{workers} workers" if workers else f"the pool of {os.cpu_count()} processes"
    print(
        f"{title:24}{students / seconds:8.2f} submissions a second ({students} in {seconds:.0f} s)",
        flush=True,
    )


def seconds_to_grade(course, more):
    start = time.monotonic()
    subprocess.run(command(course, *more), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def with_restarts(place, lesson, students, bad):
    """Kill a worker after a quarter of the class, the scheduler after half, and stop PostgreSQL after three
    quarters."""
    course = place / "course"
    kinds = make_class(course, lesson, students, bad)
    (place / "cluster").mkdir()
    with postgres() as server, cluster(place / "cluster", os.cpu_count()) as servers:
        with open(course / "nbgrader_config.py", "a", encoding="utf-8") as settings:
            settings.write(f'\nc.CourseDirectory.db_url = "{server.make("gradebook")}"\n')
        servers.wait_for_workers(os.cpu_count())
        events = [
            (0.25, "a worker killed", lambda: kill_worker(servers)),
            (0.5, "the scheduler killed and started again", servers.restart_scheduler),
            (0.75, f"PostgreSQL stopped for {PAUSE} s", lambda: pause(server)),
        ]
        code, output, memory, seconds = run_with_events(course, servers, students, events)
        if code:  # the run stopped because PostgreSQL was down: the same command continues it
            print(f"stopped: {output.strip().splitlines()[-1]}", flush=True)
            time.sleep(2 * PAUSE)
            code, output, more, again = run_with_events(course, servers, students, [])
            memory, seconds = memory + more, seconds + again
        rows = [row.split("|") for row in server.sql(ASK, "gradebook")]
    print_outcome(kinds, rows, code, output, memory, seconds)


def run_with_events(course, servers, students, events):
    """Run the grader, and each event once its share is graded: (exit code, output, [(graded, MB)],
    seconds)."""
    start, memory = time.monotonic(), []
    with open(course / "said.txt", "w+") as file:
        line = command(course, "--scheduler", servers.address)
        grader = subprocess.Popen(line, cwd=ROOT, stdout=file, stderr=file)
        process = psutil.Process(grader.pid)
        while grader.poll() is None:
            count = len(os.listdir(course / "autograded")) if (course / "autograded").is_dir() else 0
            memory.append((count, megabytes(process)))
            if events and count >= events[0][0] * students:
                _, event, action = events.pop(0)
                action()
                print(f"{event} after {count} submissions, {time.monotonic() - start:.0f} s", flush=True)
            time.sleep(EVERY)
        file.seek(0)
        return grader.returncode, file.read(), memory, time.monotonic() - start


def print_outcome(kinds, rows, code, output, memory, seconds):
    by_student = {student: (int(scored), int(waiting)) for student, scored, waiting in rows}
    wrong = [student for student, kind in kinds.items() if by_student.get(student) != wanted(kind)]
    print(f"exit code {code}; {output.strip().splitlines()[-2:]}")
    print(f"{len(rows)} rows of {len(by_student)} students in the gradebook, {len(kinds)} handed in")
    print(f"{len(wrong)} not as they should be: {wrong[:5]}; {len(kinds) / seconds:.2f} submissions a second")
    steps = memory[:: max(1, len(memory) // 12)]
    print("graded: MB of the main process  " + "  ".join(f"{done}: {size}" for done, size in steps))


def kill_worker(servers):
    with Client(servers.address) as client:
        os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)


def pause(server):
    server.stop("immediate")
    threading.Timer(PAUSE, server.start).start()


if __name__ == "__main__":
    typer.run(main)
