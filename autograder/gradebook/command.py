"""`python -m autograder grade` for a class: shows a progress bar and a table, and writes grades.csv."""

import contextlib
import importlib.util
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from rich.console import Console
from rich.progress import Progress

from autograder.cluster import QUEUED_PER_WORKER
from autograder.refused import NotAgreed, Refused

from .change import Changes, confirmed
from .class_run import grade_class
from .class_table import show_class, write_class
from .course import explain, seed_of, settings, shown_url
from .penalties import hints
from .threads import cores

SUMMARY = """
{new} graded in {seconds:.0f} s, {unchanged} unchanged. The scores are in {gradebook} and grades.csv.
The hidden cases are drawn from seed {seed}; for others: `grade --regrade --seed NUMBER`."""
NOT_INSTALLED = (
    "--scheduler needs Dask, which is not installed here: "
    ".venv/bin/pip install -c constraints.txt -e '.[grading,scale]'."
)
STOPPED = "Stopped. What is in the gradebook stays there: run it again to continue."
NO_SANDBOX = "--scheduler grades in sandboxes only: leave out --no-sandbox."
REGRADES = "Write the new results? Points set by hand stay."
NO_CHANGES = ["No score changes."]


def run(root, jobs=None, scheduler=None, warm_parent=None, yes=False, **choices):
    """Grade a class and return the exit code, 0 when each submission is graded or listed for a person."""
    root, begun = Path(root).resolve(), time.monotonic()
    errors = sys.stderr  # saved now, because grading redirects sys.stderr for a moment
    before = signal.signal(signal.SIGINT, stop)
    try:
        coursedir = CourseDirectory(config=settings(root))
        outcomes = grade_with_bar(coursedir, jobs or cores(), scheduler, warm_parent, yes, choices)
        write_class(root / "grades.csv", outcomes)
        show_class([outcome for outcome in outcomes if is_selected(outcome, **choices)])
        print("".join(f"\n{sentence}" for sentence in hints(root)), end="")
        states = [outcome.state for outcome in outcomes]
        counts = {"new": states.count("new"), "unchanged": states.count("unchanged")}
        gradebook, seconds = shown_url(coursedir.db_url), time.monotonic() - begun
        print(SUMMARY.format(**counts, seconds=seconds, gradebook=gradebook, seed=seed_of(root)))
        return 0
    except NotAgreed:
        return 1
    except (Refused, OSError) as error:
        print(error if isinstance(error, Refused) else explain("", error), file=errors)
        return 1
    finally:
        signal.signal(signal.SIGINT, before)


def stop(*_):
    """Exit at once on Ctrl-C, as if killed: the interrupted code could swallow a KeyboardInterrupt."""
    Console(file=sys.__stderr__).show_cursor()
    print(STOPPED, file=sys.__stderr__, flush=True)
    os._exit(1)


def is_selected(outcome, students=(), lessons=(), **_):
    """Does the outcome belong to these students and lessons, or was it graded because of a group?"""
    matches = (not students or outcome.student in students) and (not lessons or outcome.lesson in lessons)
    return matches or outcome.state == "new"


def grade_with_bar(coursedir, jobs, scheduler, warm_parent, yes, choices):
    """Grade the class with a progress bar on stderr, where it does not get into a pipe."""
    if scheduler and choices.get("no_sandbox"):
        raise Refused(NO_SANDBOX)
    console = Console(file=sys.stderr)  # as it is now: see run
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    with graders(jobs, scheduler, warm_parent) as (executor, room), bar:
        task = bar.add_task("Grading")

        def step(done, total):
            bar.update(task, completed=done, total=total)

        def ask(rows):
            bar.stop()
            changes = Changes(rows, [] if rows else NO_CHANGES, needed=True)
            return confirmed(coursedir, "regrade", changes, yes, REGRADES)

        return grade_class(coursedir.root, executor, room=room, step=step, consent=ask, **choices)


@contextlib.contextmanager
def graders(jobs, scheduler, warm_parent):
    """Yield (executor, room): threads of this process or a Dask cluster, and a function that returns how many
    submissions may be in progress at a time."""
    if scheduler:
        if importlib.util.find_spec("distributed") is None:
            raise Refused(NOT_INSTALLED)
        from autograder.cluster.client import Cluster  # slow, and installed only with the extra "scale"

        with Cluster(scheduler) as cluster:
            yield cluster, cluster.room
        return
    if warm_parent:
        from autograder.sandbox.host.supervisor import sandbox  # it imports torch

        sandbox().offered = warm_parent
    threads = ThreadPoolExecutor(jobs)
    try:
        yield threads, lambda: QUEUED_PER_WORKER * jobs
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
