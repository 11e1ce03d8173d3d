"""A class graded by stock nbgrader and by us, on this machine, in one run: `python -m benchmarks.grading --students 20`."""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from nbgrader.api import Gradebook

from tests.tools.school import enter_all

from .classes import ROOT, make_class
from .measure import spent

STOCK = """
c = get_config()
c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.ignore.extend(["*.py", "*.toml"])
"""
NBGRADER = Path(sys.executable).with_name("nbgrader")


def main(
    students: Annotated[int, typer.Option(help="How many honest submissions.")] = 20,
    sample: Annotated[
        int, typer.Option(help="How many of them stock nbgrader grades; the rest is scaled from these.")
    ] = 20,
    limits: Annotated[int, typer.Option(help="Submissions that run into limits, timed apart.")] = 0,
    lesson: str = "01_masks",
    seed: int = 0,
):
    """Compare; everything is made anew in a temporary folder."""
    with tempfile.TemporaryDirectory() as place:
        ours, stock = Path(place, "ours"), Path(place, "stock")
        kinds = make_class(ours, lesson, students, seed=seed)
        enter_all(ours, lesson)
        theirs, few = (
            stock_course(ours, stock, list(kinds)[:sample]),
            stock_course(ours, Path(place, "few"), list(kinds)[:2]),
        )
        print(f"{students} submissions of {lesson}; each figure is wall / CPU seconds\n")
        start, scaled = (
            spent([NBGRADER, "autograde", lesson], few),
            spent([NBGRADER, "autograde", lesson], theirs),
        )
        stock_each = scaled.minus(start).per(max(1, len(list(kinds)[:sample]) - 2))
        their_scores = scores_in(
            theirs, lesson
        )  # now: without running cells, all that is handed in gets full marks
        stock_bare = spent([NBGRADER, "autograde", lesson, "--no-execute", "--force"], theirs)
        half = our_course(ours, Path(place, "half"), list(kinds)[: students // 2])
        ours_half, ours_all = spent(grade(half, lesson), ROOT), spent(grade(ours, lesson), ROOT)
        ours_each = ours_all.minus(ours_half).per(students - students // 2)
        report(students, sample, scaled, stock_each, ours_all, ours_each)
        split(
            our_course(ours, Path(place, "split"), list(kinds)[:8]),
            lesson,
            stock_bare.per(min(sample, students)),
        )
        compare(their_scores, scores_in(ours, lesson), list(kinds)[:sample])
        if limits:
            apart(Path(place, "limits"), lesson, limits)


def grade(course, lesson):
    return [sys.executable, "-m", "autograder", "grade-class", lesson, "--course", str(course)]


def our_course(course, copy, students):
    """The same course with fewer students, ungraded."""
    shutil.copytree(
        course,
        copy,
        symlinks=True,
        ignore=lambda path, names: names if Path(path).name == "submitted" else ["autograded"],
    )
    for student in students:
        shutil.copytree(course / "submitted" / student, copy / "submitted" / student)
    return copy


def stock_course(course, copy, students):
    our_course(course, copy, students)
    shutil.copytree(ROOT / "solutions", copy / "solutions", ignore=shutil.ignore_patterns("*.ipynb"))
    (copy / "nbgrader_config.py").write_text(STOCK)
    return copy


def report(students, sample, stock, stock_each, ours, ours_each):
    least = min(students, sample)
    whole = stock if least == students else stock_scaled(stock, stock_each, students - least)
    note = "" if least == students else f"  (measured on {least}, scaled)"
    line("stock nbgrader, the class", whole, note)
    line("ours, the class", ours, "" if ours.whole else "  (CPU without what ran in the sandbox: no cgroup)")
    print(f"{'':32}ratio {whole.wall / ours.wall:.1f} / {whole.cpu / ours.cpu:.1f}\n")
    line("stock, one more submission", stock_each)
    line("ours, one more submission", ours_each)
    print(f"{'':32}ratio {stock_each.wall / ours_each.wall:.1f} / {stock_each.cpu / ours_each.cpu:.1f}\n")


def stock_scaled(stock, each, more):
    return type(stock)(stock.wall + more * each.wall, stock.cpu + more * each.cpu, stock.whole, "")


def line(what, figures, note=""):
    print(f"{what:32}{figures.wall:8.3f} / {figures.cpu:.3f}{note}")


def split(course, lesson, stock_bare):
    """One after the other, in one process: where a submission's time goes."""
    done = spent([sys.executable, "-m", "benchmarks.split", str(course), lesson], ROOT, OMP_NUM_THREADS="1")
    parts = json.loads(done.said.strip().splitlines()[-1])
    parts["judge and diagnosis"] = [
        parts["grade"][n] - parts["sandbox"][n] - parts["intake"][n] for n in (0, 1)
    ]
    print("one submission, one after the other (CPU: of the grader's own process)")
    for name in ("intake", "sandbox", "judge and diagnosis", "gradebook", "floor"):
        print(f"  {name:30}{parts[name][0]:8.3f} / {parts[name][1]:.3f}")
    print("  (floor: the cells that a score needs, run plainly in one process)")
    print(
        f"  {'stock, without running cells':30}{stock_bare.wall:8.3f} / {stock_bare.cpu:.3f}  (with its start, shared out)\n"
    )


def compare(stock, ours, students):
    """Honest work must get the same score from both."""
    other = [student for student in students if abs(stock.get(student, -1) - ours.get(student, -2)) > 1e-6]
    print(f"{len(students) - len(other)} of {len(students)} scores equal")
    for student in other:
        print(f"  {student}: stock {stock.get(student)}, ours {ours.get(student)}")


def scores_in(course, lesson):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        return {row["student"]: row["score"] for row in book.submission_dicts(lesson)}


def apart(folder, lesson, limits):
    """Submissions that never end, die or hoard memory wait for limits, not for the processor."""
    make_class(folder, lesson, limits, limits=limits)
    enter_all(folder, lesson)
    line(f"ours, {limits} that run into limits", spent(grade(folder, lesson), ROOT))


if __name__ == "__main__":
    typer.run(main)
