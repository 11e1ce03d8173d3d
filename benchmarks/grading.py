"""Grade a class with this code, with an older commit and with stock nbgrader, in one run.

python -m benchmarks.grading --against COMMIT
"""

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from nbgrader.api import Gradebook

from tests.tools import school

from .classes import LIMITS, ROOT, make_class
from .measure import Cost, measure

LESSONS = ["01_masks", "03_self_attention", "04_kv_cache"]
MAKE = (
    "import sys; from benchmarks.classes import make_class; make_class(sys.argv[1], "
    "sys.argv[2], int(sys.argv[3]))"
)
NBGRADER = Path(sys.executable).with_name("nbgrader")


def main(
    against: Annotated[
        str | None, typer.Option(help="A commit to compare with, checked out for the run.")
    ] = None,
    lesson: Annotated[list[str] | None, typer.Option(help="By default 01, 03 and 04.")] = None,
    students: Annotated[int, typer.Option(help="Submissions of each lesson, all of them measured.")] = 20,
    sample: Annotated[int, typer.Option(help="How many of them stock nbgrader grades too.")] = 6,
    rounds: Annotated[int, typer.Option(help="How many rounds, taking turns; medians are printed.")] = 1,
    limits: Annotated[
        int, typer.Option(help="Additional submissions that hit limits, timed separately.")
    ] = 0,
):
    """Print wall / CPU seconds of a class and of one more submission; everything is made in a temporary
    folder."""
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f} at the start")
    for name in lesson or LESSONS:
        with tempfile.TemporaryDirectory() as place, checkout(against, Path(place, "older")) as codes:
            one_lesson(Path(place), name, students, min(sample, students), codes, rounds)
            if limits:
                make_class(Path(place, "limits"), name, limits, limits=limits)
                line(
                    f"{limits} that run into limits ({', '.join(LIMITS)})",
                    grade(ROOT, Path(place, "limits"), name),
                )


@contextlib.contextmanager
def checkout(commit, folder):
    """Yield {label: folder of the code to measure}; the commit, if any, has a git worktree of its own."""
    if commit is None:
        yield {"now": ROOT}
        return
    git = ["git", "-C", ROOT, "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", folder, commit], check=True)
    try:
        yield {"before": folder, "now": ROOT}
    finally:
        subprocess.run([*git, "remove", "--force", folder], check=True)


def one_lesson(place, lesson, students, sample, codes, rounds):
    print(f"\n{students} submissions of {lesson}: wall / CPU seconds")
    classes, more, first = ({label: [] for label in codes} for _ in range(3))
    for number in range(rounds):
        in_turn = codes.items() if number % 2 == 0 else reversed(codes.items())
        for label, root in in_turn:
            half, _ = grade_new_class(root, place / f"{number}/{label}-half", lesson, students // 2)
            whole, seconds = grade_new_class(root, place / f"{number}/{label}", lesson, students)
            classes[label].append(whole)
            more[label].append(whole.minus(half).per(students - students // 2))
            first[label].append(seconds)
    for label in codes:
        line(f"{label}, the class", median(classes[label]))
        line(f"{label}, one more submission", median(more[label]))
        print(f"  {f'{label}, until the first page':40}{statistics.median(first[label]):9.3f}")
    course = place / "0" / "now"
    floor = floor_of(course, lesson).per(students)
    line("floor, one more submission", floor)
    ratios("now to floor", median(more["now"]), floor)
    if "before" in codes:
        ratios("now to before, the class", median(classes["now"]), median(classes["before"]))
        ratios("now to before, one more", median(more["now"]), median(more["before"]))
    if sample:
        few = sorted(path.name for path in (course / "submitted").iterdir())[:sample]
        stock = stock_course(course, place / "stock", few, lesson)
        line(f"stock nbgrader, {sample} of them", measure([NBGRADER, "autograde", lesson], stock))
        compare(scores_in(stock, lesson), scores_in(course, lesson), few)


def median(runs):
    """The median wall time, and the median CPU time."""
    middle = (statistics.median(getattr(run, kind) for run in runs) for kind in ("wall", "cpu"))
    return Cost(*middle, all(run.whole for run in runs), "")


def grade_new_class(root, course, lesson, students):
    """What it costs the code in `root` to grade so many students, and the seconds until their first page is
    written; the same seed gives every code the same answers."""
    measure([sys.executable, "-c", MAKE, course, lesson, students], root, PYTHONPATH=root)
    start = time.time()
    cost = grade(root, course, lesson)
    pages = course.glob(f"autograded/*/{lesson}/*.ipynb")
    return cost, min(page.stat().st_mtime for page in pages) - start


def grade(root, course, lesson):
    older = not Path(root, "autograder", "exchange").is_dir()  # from before 2026-11-26
    command = ["grade-class", lesson] if older else ["grade", "--lesson", lesson]
    command = [sys.executable, "-m", "autograder", *command, "--course", course]
    return measure(command, root, PYTHONPATH=root)


def floor_of(course, lesson):
    """The cost of running only the cells: a process that has imported torch forks for each submission."""
    floor = measure([sys.executable, "-m", "benchmarks.floor", course, lesson], ROOT, OMP_NUM_THREADS="1")
    return Cost(*map(float, floor.output.split()[-2:]), True, "")


def stock_course(course, copy, students, lesson):
    """A copy of the course for unmodified nbgrader, with these students, ungraded."""
    school.stock_course(copy, lesson)
    for student in students:
        shutil.copytree(course / "submitted" / student, copy / "submitted" / student)
    measure([NBGRADER, "generate_assignment", lesson], copy)
    return copy


def line(label, figures: Cost):
    note = "" if figures.whole else "  (CPU without what ran in the sandbox: no cgroup)"
    print(f"  {label:40}{figures.wall:9.3f} / {figures.cpu:.3f}{note}", flush=True)


def ratios(label, first, second):
    print(f"  {label:40}{first.wall / second.wall:9.2f} / {first.cpu / second.cpu:.2f}  (ratios)")


def compare(stock, course, students):
    """Print whether stock nbgrader gives the same scores; honest work must get the same from both."""
    other = [student for student in students if abs(stock.get(student, -1) - course.get(student, -2)) > 1e-6]
    print(f"  {len(students) - len(other)} of {len(students)} scores equal stock nbgrader's")
    for student in other:
        print(f"    {student}: stock {stock.get(student)}, now {course.get(student)}")


def scores_in(course, lesson):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        return {row["student"]: row["score"] for row in book.submission_dicts(lesson)}


if __name__ == "__main__":
    typer.run(main)
