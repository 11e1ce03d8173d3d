"""The commands of a term, for the command line of autograder/__main__.py."""

from pathlib import Path
from typing import Annotated

import typer

Course = Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; otherwise what would change is shown, and undone.")]


def add_to(app):
    for command in (penalties, change_points):
        app.command(command.__name__.replace("_", "-"))(command)


def penalties(course: Course = Path("."), yes: Yes = False):
    """Work out late penalties anew, after a date, an extension or a setting changed; nothing is run."""
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
