"""The command line: python -m autograder COMMAND."""

import errno
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build the course and grade notebooks.",
)
ROOT = Path(__file__).resolve().parents[1]


Paths = Annotated[list[Path], typer.Argument(help="Notebooks, or folders that are searched for notebooks.")]
NO_SANDBOX = "WITHOUT the sandbox: the submissions' code runs with all your rights, and can read, change and send whatever you can."


@app.command()
def grade(
    paths: Paths,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results here as a JSON list.")
    ] = None,
    feedback: Annotated[
        Path | None, typer.Option(help="Write a page of feedback for each submission into this folder.")
    ] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the scores here as a table.")] = None,
    jobs: Annotated[
        int, typer.Option(min=1, max=64, help="How many submissions to run at the same time.")
    ] = 2,
    seed: Annotated[int | None, typer.Option(min=1, help="Draw the same hidden cases again.")] = None,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help=NO_SANDBOX)] = False,
):
    """Grade loose notebooks or folders, without any gradebook."""
    from .grading.files import entries, grade_paths
    from .report.loose_table import exit_code, show_table
    from .sandbox.host.supervisor import sandbox
    from .sandbox.host.unsandboxed import PlainWorker
    from .sandbox.host.warm_process import SandboxUnavailable

    if no_sandbox:
        typer.echo(NO_SANDBOX, err=True)
    worker = PlainWorker() if no_sandbox else sandbox()
    try:
        worker.ready()
    except SandboxUnavailable as reason:
        typer.echo(str(reason), err=True)
        raise typer.Exit(1) from None
    try_to_write(json_file, csv_file, folder=feedback)
    graded = grade_paths(paths, seed, worker, jobs)
    show_table(graded)
    if json_file:
        json_file.write_text(json.dumps(entries(graded), indent=1) + "\n", encoding="utf-8")
    if csv_file:
        from .report.spreadsheet import write_csv

        write_csv(graded, csv_file)
        typer.echo(f"grades       {csv_file}")
    if feedback:
        from .report.feedback import write_feedback

        write_feedback(graded, feedback)
        typer.echo(f"feedback     {feedback}   a page for each submission")
    raise typer.Exit(exit_code(paths, graded))


def try_to_write(*files, folder):
    """Before the long work, so that its results are not lost."""
    for file in filter(None, files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("a").close()
    if folder:
        folder.mkdir(parents=True, exist_ok=True)


@app.command()
def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where to put the pretended submissions and what comes of them.")
    ] = Path("demo"),
):
    """Grade a small pretended class: its scores, the recognised mistakes, feedback pages and grades.csv."""
    from .setup.demo import demo as whole_afternoon

    whole_afternoon(folder)


@app.command()
def bundle(
    file: Annotated[Path, typer.Argument(help="The zip file to write.")] = Path("dist/attention-course.zip"),
):
    """Make the zip to hand to a class: the lessons and what they need, without answers."""
    from .publish.bundle import hand_out
    from .publish.lesson import LessonError

    try:
        typer.echo(f"{file}   {hand_out(ROOT, file)} files, without answers")
    except LessonError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None


@app.command("grade-class")
def grade_class(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons, such as 01_masks; by default all that were handed in."),
    ] = None,
    course: Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")] = Path(
        "."
    ),
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, help="How many submissions to run at the same time; by default one for each core."
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Grade also what was graded before and has not changed.")
    ] = False,
    seed: Annotated[int | None, typer.Option(min=1, help="Draw the same hidden cases again.")] = None,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help=NO_SANDBOX)] = False,
):
    """Grade submitted/STUDENT/LESSON/LESSON.ipynb into nbgrader's gradebook, and write grades.csv."""
    from .gradebook.command import run

    if no_sandbox:
        typer.echo(NO_SANDBOX, err=True)
    raise typer.Exit(run(course, jobs, lessons=lessons or (), again=again, seed=seed, no_sandbox=no_sandbox))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def formgrader(
    options: typer.Context,
    course: Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")] = Path(
        "."
    ),
):
    """Open JupyterLab with formgrader on the course; further options go to JupyterLab."""
    from .gradebook.database import Refused
    from .setup.formgrader import open_formgrader

    try:
        open_formgrader(course, options.args)
    except Refused as reason:
        typer.echo(str(reason), err=True)
        raise typer.Exit(1) from None


@app.command()
def doctor(paths: Paths):
    """Show what the grader makes of notebooks, without grading them: what was repaired, and why one is rejected."""
    from .setup.doctor import examine, show

    show(examine(paths))


@app.command()
def build(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail when a generated file is stale.")
    ] = False,
):
    """Make notebooks/ and course_utils/answers/ anew."""
    from .publish.build import build as build_all
    from .publish.build import stale
    from .publish.lesson import LessonError

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


def main():
    """Run the command; a file that cannot be written is one sentence."""
    try:
        app(prog_name="python -m autograder")
    except OSError as error:
        if error.filename is None and error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        what = f"{error.filename}: " if error.filename else ""
        typer.echo(
            f"{what}{error.strerror}. Look at the path, who may write there, and the space on the disk.",
            err=True,
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
