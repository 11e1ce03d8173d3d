"""`python -m autograder grade-class`: one bar, one table, one file, a sentence for all that goes wrong."""

import contextlib
import importlib.util
import os
import sys
import time
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from .class_csv import write_csv
from .class_run import grade_class
from .class_table import progress, show_class
from .course import seed_of, settings
from .database import Refused, explain, shown_url
from .executors import cores, local_processes
from .term.backup import back_up
from .term.penalties import hints

SUMMARY = """
{new} graded in {seconds:.0f} s, {unchanged} unchanged. The scores are in {gradebook} and grades.csv.
The hidden cases are drawn from seed {seed}; another one: GRADE_FLAGS='--again --seed NUMBER'."""


NOT_INSTALLED = (
    "--scheduler needs Dask, which is not installed here: "
    ".venv/bin/pip install -c constraints.txt -e '.[grading,scale]'."
)
NO_SANDBOX = "--scheduler grades in sandboxes alone: leave --no-sandbox away."


def run(root, jobs=None, scheduler=None, warm_parent=None, **choices):
    """The exit code: 0 when each submission is in the gradebook or listed for a person to look at."""
    root, begun = Path(root).resolve(), time.monotonic()
    try:
        if choices.get("again"):
            back_up(CourseDirectory(config=settings(root)), "again")
        outcomes = with_a_bar(root, jobs or cores(), scheduler, warm_parent, choices)
        asked = set(choices.get("students") or (outcome.student for outcome in outcomes))
        show_class([outcome for outcome in outcomes if outcome.student in asked or outcome.state == "new"])
        write_csv(root / "grades.csv", outcomes)
        print("".join(f"\n{sentence}" for sentence in hints(root)), end="")
        print(summary_of(root, outcomes, time.monotonic() - begun))
    except Refused as reason:
        return say(str(reason))
    except OSError as error:
        return say(explain("", error))
    except KeyboardInterrupt:
        return say("Stopped. What was graded is in the gradebook: run it again to go on.")
    return 0


def with_a_bar(root, jobs, scheduler, warm_parent, choices):
    if scheduler and choices.get("no_sandbox"):
        raise Refused(NO_SANDBOX)
    with graders(jobs, scheduler, warm_parent) as executor, progress() as bar:
        task = bar.add_task("")
        return grade_class(
            root,
            executor,
            ahead=jobs,
            step=lambda done, total: bar.update(task, completed=done, total=total),
            **choices,
        )


@contextlib.contextmanager
def graders(jobs, scheduler, warm_parent):
    """The processes of this machine, or the workers of a Dask scheduler."""
    if scheduler:
        with cluster_at(scheduler) as cluster:
            yield cluster
        return
    with local_processes(jobs, warm_parent) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def cluster_at(address):
    if importlib.util.find_spec("distributed") is None:
        raise Refused(NOT_INSTALLED)
    from autograder.cluster.client import Cluster  # slow, and installed by the extra "scale" alone

    return Cluster(address)


def summary_of(root, outcomes, seconds):
    states = [outcome.state for outcome in outcomes]
    counts = {"new": states.count("new"), "unchanged": states.count("unchanged")}
    where = shown_url(CourseDirectory(config=settings(root)).db_url)
    inside = os.path.relpath(where, root) if os.path.dirname(where) == str(root) else where
    return SUMMARY.format(**counts, seconds=seconds, gradebook=inside, seed=seed_of(root))


def say(sentence):
    print(sentence, file=sys.stderr)
    return 1
