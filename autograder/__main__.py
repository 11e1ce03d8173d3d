"""The command line: python -m autograder COMMAND."""
import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="Build the course and grade notebooks.")
ROOT = Path(__file__).resolve().parent.parent


@app.command()
def grade(
    paths: Annotated[list[Path], typer.Argument(help="Notebooks, or folders that are searched for notebooks.")],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the results here as a JSON list.")] = None,
    seed: Annotated[int | None, typer.Option(help="Draw the same hidden cases again.")] = None,
):
    """Grade loose notebooks or folders, without any gradebook."""
    from .loose import grade_paths, show_table

    entries = grade_paths(paths, seed)
    show_table(entries)
    if json_file:
        json_file.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


@app.command()
def build(check: Annotated[bool, typer.Option("--check", help="Change nothing; fail when a generated file is stale.")] = False):
    """Make notebooks/ and course_utils/answers/ anew."""
    from .build import build as build_all
    from .build import stale
    from .lesson import LessonError

    try:
        if check:
            old = stale(ROOT)
            for path in old:
                typer.echo(f"{path} is stale: run make notebooks and commit it.")
            raise typer.Exit(bool(old))
        for path in build_all(ROOT):
            typer.echo(path.relative_to(ROOT))
    except LessonError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


if __name__ == "__main__":
    app(prog_name="python -m autograder")
