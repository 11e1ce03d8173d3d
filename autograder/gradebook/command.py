"""What `python -m autograder grade-class` does: one bar, one table, one file, and sentences for all that goes wrong."""

import sys
import time
from pathlib import Path

from .class_csv import write_csv
from .class_run import grade_class
from .database import Refused, trouble
from .executors import cores, local_processes
from .show_class import progress, show_class


def run(root, jobs=None, **choices):
    """The exit code: 0 when everything that lies there is in the gradebook or in the list for a person."""
    root, begun = Path(root).resolve(), time.monotonic()
    try:
        outcomes = with_a_bar(root, jobs or cores(), choices)
        show_class(outcomes)
        write_csv(root / "grades.csv", outcomes)
    except Refused as reason:
        return say(str(reason))
    except OSError as error:
        return say(trouble("", error))
    except KeyboardInterrupt:
        return say("Stopped. What was graded is in the gradebook: run it again to go on.")
    new = sum(outcome.state == "new" for outcome in outcomes)
    print(
        f"\n{new} graded in {time.monotonic() - begun:.0f} s, {sum(o.state == 'unchanged' for o in outcomes)} unchanged. The scores are in gradebook.db and grades.csv."
    )
    return 0


def with_a_bar(root, jobs, choices):
    with local_processes(jobs) as executor, progress() as bar:
        task = bar.add_task("")
        try:
            return grade_class(
                root,
                executor,
                ahead=jobs,
                step=lambda done, total: bar.update(task, completed=done, total=total),
                **choices,
            )
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def say(sentence):
    print(sentence, file=sys.stderr)
    return 1
