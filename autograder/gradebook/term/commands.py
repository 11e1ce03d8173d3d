"""The commands of a term, for the command line of autograder/__main__.py."""

from pathlib import Path
from typing import Annotated

import typer

Course = Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it; otherwise what would change is shown, and undone.")]


def add_to(app):
    for command in (penalties,):
        app.command()(command)


def penalties(course: Course = Path("."), yes: Yes = False):
    """Work out late penalties anew, after a date, an extension or a setting changed; nothing is run."""
    from .penalties import run

    raise typer.Exit(run(course, yes))
