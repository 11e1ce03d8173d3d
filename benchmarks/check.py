"""How long an import and a check take, compared with torch's own import and with one bare call.

python -m benchmarks.check prints ratios; with --against COMMIT, those of a check now to the same check in
that commit. Nothing here is a test: these machines are shared and noisy.
"""

import statistics
import subprocess
import sys
import time
from typing import Annotated

import torch
import typer

from autograder.exercises import load, names
from course_utils.diagnose.visible import assess_visible
from course_utils.model.case import DTYPES
from course_utils.observe.trial import Trial

from .paired import compare_with

RUNS = 9


def seconds(action, runs=RUNS):
    """The median of several runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


IMPORTS = """
import time
begun = time.perf_counter()
import torch
between = time.perf_counter()
import course_utils
print(between - begun, time.perf_counter() - between)
"""


def import_seconds():
    """[torch, then course_utils]: the median of each over fresh processes."""
    lines = [
        subprocess.run([sys.executable, "-c", IMPORTS], check=True, capture_output=True, text=True).stdout
        for _ in range(5)
    ]
    return [statistics.median(float(line.split()[n]) for line in lines) for n in (0, 1)]


def bare_seconds(exercise):
    """One run of the reference on the first case, without observing it."""
    case = exercise.cases(0)[0]
    return seconds(lambda: Trial(exercise.contract, case, DTYPES[case.dtype]).run(exercise.implementation))


def main(against: Annotated[str, typer.Option(help="A commit to compare with.")] = ""):
    """Print how long an import and a check take."""
    if against:
        compare_with(against)
        return
    torch.set_num_threads(1)
    alone, course = import_seconds()
    print(f"import torch {alone:.2f} s, then course_utils {course:.3f} s: {course / alone:.3f} times")
    print(f"{'exercise':34} {'bare call':>9} {'right':>9} {'ratio':>6} {'wrong':>9} {'ratio':>6}")
    rights, wrongs = [], []
    for name in names():
        exercise = load(name)
        bare = bare_seconds(exercise)
        assess_visible(name, exercise.implementation)  # loads the sheet
        right = seconds(lambda: assess_visible(name, exercise.implementation))  # noqa: B023
        answers = [implementation for _, _, objects in exercise.mistakes for implementation in objects]
        wrong = statistics.median(seconds(lambda: assess_visible(name, w), 1) for w in answers)  # noqa: B023
        rights.append(right)
        wrongs.append(wrong)
        print(
            f"{name:34} {bare * 1e3:6.2f} ms {right * 1e3:6.1f} ms {right / bare:6.0f} "
            f"{wrong * 1e3:6.1f} ms {wrong / bare:6.0f}"
        )
    print(
        f"median over the exercises: right {statistics.median(rights) * 1e3:.1f} ms, wrong "
        f"{statistics.median(wrongs) * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    typer.run(main)
