"""Where the time of one submission goes: `python -m benchmarks.split COURSE LESSON` grades some, one after the other."""

import json
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from autograder.gradebook.grade import grade_submitted
from autograder.gradebook.submitted import find_all, read_submitted
from autograder.gradebook.writer import Writer
from autograder.grading import looks as scoring
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.shared.job import RunCell
from autograder.submission.notebook_file import Rejected
from autograder.submission.read import read_submission

SEED = 1  # one for all, as when a class is graded


class Split:
    """Wall and own CPU seconds by part."""

    def __init__(self):
        self.wall, self.cpu = {}, {}

    @contextmanager
    def part(self, name):
        begun = time.monotonic(), time.process_time()
        yield
        self.wall[name] = self.wall.get(name, 0) + time.monotonic() - begun[0]
        self.cpu[name] = self.cpu.get(name, 0) + time.process_time() - begun[1]


def main(course, lesson):
    """Prints one line of JSON: {part: [wall, CPU]} for a submission, "floor" among them."""
    split, found = Split(), find_all(Path(course, "submitted"), [lesson])[0]
    real = scoring.observe_steps

    def observed(*job, **options):
        with split.part("sandbox"):
            return real(*job, **options)

    scoring.observe_steps = observed
    sandbox().ready()
    with Writer(course) as writer:
        for number, place in enumerate(found):
            submitted = read_submitted(*place)
            if number == 0:
                grade_submitted(submitted, SEED)  # loads the exercises
                split = Split()
                first(writer, submitted)
            with split.part("grade"):
                graded = grade_submitted(submitted, SEED)
            with split.part("gradebook"):
                writer.write(submitted, graded)
            plain(split, submitted)
    parts = {name: [split.wall[name] / len(found), split.cpu[name] / len(found)] for name in split.wall}
    print(json.dumps(parts))


def first(writer, submitted):
    """Enters the lesson in the gradebook."""
    writer.enter(submitted.lesson)
    writer.write(submitted, grade_submitted(submitted, SEED))


def plain(split, submitted):
    """Intake alone; and the floor: the same cells, run plainly, with no wall around them and nobody who looks."""
    with split.part("intake"):
        try:
            steps = read_submission(submitted.data or b"").first_look()
        except Rejected:
            return
    space = {}
    with split.part("floor"):
        for source in (step.source for step in steps if isinstance(step, RunCell)):
            try:
                exec(compile(source, "<cell>", "exec"), space)
            except Exception:  # as in a notebook, the next cell runs
                continue


if __name__ == "__main__":
    main(*sys.argv[1:])
