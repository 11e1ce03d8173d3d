"""The commands of a term, for the command line of autograder/__main__.py."""

from pathlib import Path
from typing import Annotated

import typer

Course = Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; otherwise what would change is shown, and undone.")]


def add_to(app):
    for command in (penalties, change_points, regrade, regrades):
        app.command(command.__name__.replace("_", "-"))(command)


def penalties(course: Course = Path("."), yes: Yes = False):
    """Compute late penalties again, after a date, an extension or a setting changed; nothing is run."""
    from .penalties import run

    raise typer.Exit(run(course, yes))


def change_points(
    lesson: Annotated[str, typer.Argument(help="The lesson whose points have changed, such as 01_masks.")],
    course: Course = Path("."),
    yes: Yes = False,
):
    """Take a lesson's new points into a gradebook that has grades in the old ones, and rescale these."""
    from .change_points import run

    raise typer.Exit(run(course, lesson, yes))


def regrade(
    student: str,
    lesson: str,
    exercise: Annotated[str, typer.Argument(help="Without it, the decision is on the whole lesson.")] = "",
    reason: Annotated[str, typer.Option(help="What the student reads beside the answer.")] = "",
    points: Annotated[float | None, typer.Option(min=0, help="Points for the exercise from now on.")] = None,
    course: Course = Path("."),
):
    """Decide on a request to look at something again: the reason, and points, get to the student."""
    from .regrade import run_one
    from .regrades import Request

    decided = "" if points is None else f"{points:g}"
    request = Request(student, lesson, exercise, points=decided, reason=reason)
    raise typer.Exit(run_one(course, request))


def regrades(course: Course = Path("."), yes: Yes = False):
    """List the requests of regrades.csv; with --yes, enter what was decided in that file."""
    from .regrade import run_list

    raise typer.Exit(run_list(course, yes))
