"""The command line: python -m autograder COMMAND."""

import errno
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .gradebook.term.commands import add_to

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build the course and grade notebooks.",
)
ROOT = Path(__file__).resolve().parents[1]
WITHOUT = (
    "WITHOUT the sandbox: the submissions' code runs with all your rights, "
    "and can read, change and send whatever you can."
)

Paths = Annotated[list[Path], typer.Argument(help="Notebooks, or folders that are searched for notebooks.")]
Course = Annotated[Path, typer.Option(help="The folder with nbgrader_config.py and submitted/.")]
Seed = Annotated[int | None, typer.Option(min=1, help="Draw the hidden cases of this seed again.")]
NoSandbox = Annotated[bool, typer.Option("--no-sandbox", help=WITHOUT)]
JOBS = "How many submissions to run at the same time"


class Lms(StrEnum):
    """What reads the grades that are exported."""

    canvas = "canvas"
    moodle = "moodle"
    csv = "csv"


class Absent(StrEnum):
    """What those get in an export who handed nothing in."""

    empty = "empty"
    zero = "zero"


@app.command()
def grade(
    paths: Paths,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results as a JSON list.")
    ] = None,
    feedback: Annotated[Path | None, typer.Option(help="Write a page for each submission here.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the scores as a table.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help=f"{JOBS}.")] = 2,
    seed: Seed = None,
    no_sandbox: NoSandbox = False,
):
    """Grade loose notebooks or folders, without a gradebook."""
    from .report.command import run

    warn(no_sandbox)
    raise typer.Exit(run(paths, seed, jobs, no_sandbox, json_file, csv_file, feedback))


@app.command("grade-class")
def grade_class(
    lessons: Annotated[
        list[str] | None,
        typer.Argument(help="Lessons, such as 01_masks; by default all that were submitted."),
    ] = None,
    course: Course = Path("."),
    students: Annotated[
        list[str] | None, typer.Option("--student", help="Grade only this student; may be given repeatedly.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, help=f"{JOBS}; by default one for each core.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Grade also what was graded before and has not changed.")
    ] = False,
    seed: Seed = None,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Grade on the workers of this Dask scheduler, tcp://HOST:8786 (docs/scale.md)."),
    ] = None,
    no_sandbox: NoSandbox = False,
):
    """Grade submitted/STUDENT/LESSON/LESSON.ipynb into nbgrader's gradebook, and write grades.csv."""
    from .gradebook.executors import start_early

    warm_parent = None if scheduler else start_early(no_sandbox)
    from .gradebook.command import run

    warn(no_sandbox and not scheduler)
    choices = {"lessons": lessons or (), "students": students or (), "again": again, "seed": seed}
    raise typer.Exit(run(course, jobs, scheduler, warm_parent, no_sandbox=no_sandbox, **choices))


@app.command()
def report(
    course: Course = Path("."),
    names: Annotated[
        bool, typer.Option("--names", help="Name students; written into a folder of its own.")
    ] = False,
):
    """Write pages on what a class misunderstood, from the gradebook; nothing is run again."""
    from .report.class_report.command import run

    raise typer.Exit(run(course, names))


@app.command()
def written(course: Course = Path(".")):
    """Write a page on which a person grades the written answers."""
    from .report.written.command import run

    raise typer.Exit(run(course))


@app.command()
def scores(
    file: Annotated[Path, typer.Argument(help="The file that the page of written answers saved.")],
    course: Course = Path("."),
):
    """Enter the points of written answers into nbgrader's gradebook."""
    from .gradebook.enter_scores import run

    raise typer.Exit(run(course, file))


@app.command()
def collect(
    places: Annotated[
        list[Path],
        typer.Argument(help="Zips of Canvas or Moodle, nbgrader's inbound folder, or folders of notebooks."),
    ],
    course: Course = Path("."),
    lesson: Annotated[
        str | None, typer.Option(help="All of it is this lesson, such as 01_masks; others are doubtful.")
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(help="A CSV file of the class: id, first_name, last_name, email, or an LMS's export."),
    ] = None,
    decided: Annotated[
        Path | None, typer.Option(help="The collect.csv of an earlier run, in which you filled in students.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Copy what is sure without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the table and change nothing.")] = False,
):
    """Copy submissions from Canvas, Moodle or any folder into submitted/STUDENT/LESSON/."""
    from .lms.collect import run

    raise typer.Exit(run(course, places, lesson, roster, decided, yes, dry_run))


@app.command()
def export(
    to: Annotated[Lms, typer.Option(help="What is to read the grades.")],
    course: Course = Path("."),
    template: Annotated[
        Path | None, typer.Option(help="Canvas' gradebook or Moodle's grading worksheet, as exported.")
    ] = None,
    lesson: Annotated[str | None, typer.Option(help="The lesson whose grades these are.")] = None,
    column: Annotated[
        str | None, typer.Option(help="The heading of the column to fill, if its name says no lesson.")
    ] = None,
    absent: Annotated[
        Absent, typer.Option(help="Who handed nothing in: the cell stays as it is, or gets 0 if empty.")
    ] = Absent.empty,
    digits: Annotated[int, typer.Option(min=0, max=6, help="Decimals, rounded half up.")] = 2,
    scale: Annotated[
        bool | None, typer.Option("--scale/--no-scale", help="Convert to the points of the LMS's column.")
    ] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also scores whose written answers wait for a person.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The file to write; by default in export/.")] = None,
):
    """Fill the gradebook's scores into the file that Canvas or Moodle exported, or write grades.csv again."""
    from .lms.export import run
    from .lms.grades import Rules

    rules = Rules(digits, absent.value, scale, unfinished)
    raise typer.Exit(run(course, to.value, template, lesson, column, out, rules))


@app.command()
def similar(
    lesson: Annotated[
        str | None, typer.Argument(help="A lesson, such as 01_masks; by default all that were submitted.")
    ] = None,
    course: Course = Path("."),
):
    """Write a page of answers that are nearly the same, in pairs, for a person to read; nothing is run."""
    from .similarity.command import run

    raise typer.Exit(run(course, lesson))


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the submissions and their results.")] = Path(
        "demo"
    ),
):
    """Grade a small sample class: its scores, the recognised mistakes, feedback pages and grades.csv."""
    from .setup.demo import run

    run(folder)


@app.command()
def doctor(
    paths: Annotated[list[Path] | None, typer.Argument(help="Notebooks, or folders of them.")] = None,
):
    """Show what the grader reads in notebooks, and why one is rejected; nothing is graded. Without notebooks:
    what this machine grades with, and whether its sandbox works."""
    if not paths:
        from .setup.machine import show_machine

        raise typer.Exit(show_machine())
    from .setup.doctor import examine, show

    show(examine(paths))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def formgrader(options: typer.Context, course: Course = Path(".")):
    """Open JupyterLab with formgrader on the course; further options go to JupyterLab."""
    from .gradebook.database import Refused
    from .setup.formgrader import open_formgrader

    in_one_sentence(Refused, open_formgrader, course, options.args)


@app.command()
def bundle(
    file: Annotated[Path, typer.Argument(help="The zip file to write.")] = Path("dist/attention-course.zip"),
    lesson: Annotated[
        list[str] | None, typer.Option(help="Only this lesson; may be given repeatedly.")
    ] = None,
    even_before: Annotated[
        bool, typer.Option("--even-before", help="Also lessons whose date in schedule.csv lies ahead.")
    ] = False,
):
    """Make the zip that a class gets: the lessons and what they need, without answers."""
    from .gradebook.database import Refused
    from .gradebook.term.schedule import refuse_early
    from .publish.bundle import hand_out
    from .publish.lesson import LessonError
    from .releases.store import lessons

    if not even_before:
        in_one_sentence(Refused, refuse_early, ROOT, lesson or lessons())
    count = in_one_sentence(LessonError, hand_out, ROOT, file, lesson or ())
    typer.echo(f"{file}   {count} files, without answers")


@app.command()
def anki(file: Annotated[Path, typer.Argument(help="The deck to write.")] = Path("attention.apkg")):
    """Make a deck of the flashcards for Anki; importing a newer one keeps a learner's schedule."""
    from .publish.anki import write_deck

    typer.echo(f"{file}   {write_deck(file)} cards: import it in Anki, File, Import")


@app.command()
def site(folder: Annotated[Path, typer.Argument(help="The folder to write.")] = Path("site")):
    """Make the site: lessons with their pictures, and all pages of docs/, to be read without a network."""
    from .publish.lesson import LessonError
    from .publish.site.build import SiteError, build_site

    pages = in_one_sentence((LessonError, SiteError), build_site, ROOT, folder)
    typer.echo(f"{folder / 'index.html'}   {pages} pages, without answers: open it in a browser")


@app.command()
def build(
    lesson: Annotated[
        str | None, typer.Argument(help="Only this one, while you write it; its number does.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if a file is stale.")] = False,
):
    """Write notebooks/ and course_utils/answers/ again, if every lesson's own answers earn full marks."""
    from .authoring.slips import AuthorError
    from .publish.build import build, stale
    from .publish.lesson import find_lesson

    if check:
        old = in_one_sentence(AuthorError, stale, ROOT)
        for path in old:
            typer.echo(f"{path} is stale: run make notebooks and commit it.")
        raise typer.Exit(bool(old))
    lesson = lesson and in_one_sentence(AuthorError, find_lesson, ROOT, lesson)
    for path in in_one_sentence(AuthorError, build, ROOT, lesson):
        typer.echo(path.relative_to(ROOT))


@app.command("new-exercise")
def new_exercise(
    name: Annotated[str, typer.Argument(help="The function that students write, such as mean_over_tokens.")],
    part: Annotated[str, typer.Option(help="The lesson that it belongs to, such as 01_masks.")],
):
    """Write an exercise that builds, tests and grades as it is, to be changed into your own."""
    from .authoring.new.exercise import new_exercise
    from .authoring.slips import AuthorError

    typer.echo(in_one_sentence(AuthorError, new_exercise, ROOT, name, part))


@app.command("new-lesson")
def new_lesson(
    name: Annotated[str, typer.Argument(help="Two digits and a name, such as 09_mine.")],
):
    """Write a lesson that builds, tests and grades as it is, to be changed into your own."""
    from .authoring.new.lesson import new_lesson
    from .authoring.slips import AuthorError

    typer.echo(in_one_sentence(AuthorError, new_lesson, ROOT, name))


add_to(app)


def warn(no_sandbox):
    if no_sandbox:
        typer.echo(WITHOUT, err=True)


def in_one_sentence(expected, function, *args):
    """What the function returns; an error of an expected kind is printed, and ends the command."""
    try:
        return function(*args)
    except expected as reason:
        typer.echo(str(reason), err=True)
        raise typer.Exit(1) from None


def main():
    """Run the command; a file that cannot be written is one sentence."""
    try:
        app(prog_name="python -m autograder")
    except OSError as error:
        if error.filename is None and error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        what = f"{error.filename}: " if error.filename else ""
        advice = "Look at the path, who may write there, and the space on the disk."
        typer.echo(f"{what}{error.strerror}. {advice}", err=True)
        sys.exit(1)
    except ValueError as error:
        from .authoring.slips import AuthorError

        if not isinstance(error, AuthorError):
            raise
        typer.echo(str(error), err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
