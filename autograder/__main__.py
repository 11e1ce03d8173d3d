"""The command line: python -m autograder COMMAND."""

import contextlib
import io
import os
import signal
import sys

if __name__ == "__main__":  # Ctrl-C during the imports below leaves no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer.core import TyperGroup

from .refused import Refused

ROOT = Path(__file__).resolve().parents[1]
WITHOUT = (
    "WITHOUT the sandbox: the submissions' code runs with all your rights, "
    "and can read, change and send whatever you can."
)
ON_FILES = "Check the path, its permissions and the free space on the disk."
HAND_OUT, COLLECT, GRADE, LOOK, CHANGE, WRITE = (
    "Hand out", "Collect and export", "Grade", "Look", "Change", "Write lessons",
)  # fmt: skip

Course = Annotated[
    Path,
    typer.Option(envvar="COURSE_FOLDER", help="The class's folder, with nbgrader_config.py and submitted/."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]


class Commands(TyperGroup):
    def invoke(self, context):
        """Run the command. If it is refused or a file cannot be used, print one sentence and exit with 1."""
        try:
            return super().invoke(context)
        except Refused as reason:
            typer.echo(str(reason), err=True)
        except OSError as error:
            prefix = f"{error.filename}: " if error.filename else ""
            typer.echo(f"{prefix}{error.strerror or error}. {ON_FILES}", err=True)
        raise typer.Exit(1)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Each command has an example: python -m autograder COMMAND --help",
)


def command(group, name, help, example, **settings):
    """Register a command in a group of the list of commands, with a one-sentence help and an example."""
    example = f"Example: python -m autograder {example}"
    return app.command(name, help=help, epilog=example, rich_help_panel=group, **settings)


@command(
    HAND_OUT,
    "new-class",
    "Make a folder for a class and all that belongs to it.",
    "new-class ../term",
)
def new_class(folder: Path):
    from .setup.class_folder import make_class_folder

    typer.echo(make_class_folder(folder))


@command(HAND_OUT, "bundle", "Make the zip to hand out, without answers.", "bundle --lesson 01_masks")
def bundle(
    file: Annotated[Path, typer.Argument(help="The zip file to write.")] = Path("dist/attention-course.zip"),
    lesson: Annotated[
        list[str] | None, typer.Option(help="Only this lesson; repeat the option for more.")
    ] = None,
    even_before: Annotated[
        bool,
        typer.Option("--even-before", help="Include lessons whose date in schedule.csv is still ahead."),
    ] = False,
    hints: Annotated[
        int,
        typer.Option(
            min=0,
            max=4,
            help="How many hints of each exercise it holds. 3 name the calls; 4 show the answer.",
        ),
    ] = 2,
):
    from .gradebook.class_files import refuse_early
    from .publish.bundle import hand_out
    from .releases.store import lessons

    if not even_before:
        refuse_early(ROOT, lesson or lessons())
    count = hand_out(ROOT, file, lesson or (), hints)
    typer.echo(f"{file}   {count} files, without answers")


@command(
    COLLECT,
    "collect",
    "Copy submissions from an LMS or a folder into submitted/.",
    "collect submissions.zip --roster canvas.csv",
)
def collect(
    places: Annotated[
        list[Path],
        typer.Argument(
            help="Zips from Canvas or Moodle, nbgrader's inbound folder, or folders of notebooks."
        ),
    ],
    course: Course = Path("."),
    lesson: Annotated[
        str | None, typer.Option(help="Expect only this lesson, such as 01_masks; others are doubtful.")
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(help="A CSV file of the class: id, first_name, last_name, email, or an LMS's export."),
    ] = None,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the table and change nothing.")] = False,
):
    from .exchange.collect import run

    raise typer.Exit(run(course, places, lesson, roster, yes, dry_run))


@command(
    COLLECT,
    "export",
    "Fill a lesson's scores into Canvas' or Moodle's file; zip feedback pages.",
    "export --to canvas --template canvas.csv --lesson 01_masks",
)
def export(
    to: Annotated[
        Literal["canvas", "moodle", "csv"],
        typer.Option(help="The system that reads the grades; csv rewrites grades.csv."),
    ],
    course: Course = Path("."),
    template: Annotated[
        Path | None, typer.Option(help="Canvas' gradebook or Moodle's grading worksheet, as exported.")
    ] = None,
    lesson: Annotated[str | None, typer.Option(help="The lesson whose grades these are.")] = None,
    column: Annotated[
        str | None, typer.Option(help="The heading of the column to fill, if it names no lesson.")
    ] = None,
    scale: Annotated[
        bool | None, typer.Option("--scale/--no-scale", help="Convert to the points of the LMS's column.")
    ] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Include scores whose written answers wait for a person.")
    ] = False,
):
    from .exchange.export import run

    run(course, to, template, lesson, column, scale, unfinished)


@command(GRADE, "grade", "Grade what is new in submitted/, or loose notebooks.", "grade --student ben")
def grade(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Loose notebooks or folders, graded without a gradebook.")
    ] = None,
    course: Course = Path("."),
    lessons: Annotated[list[str] | None, typer.Option("--lesson", help="Class: only this lesson.")] = None,
    students: Annotated[list[str] | None, typer.Option("--student", help="Class: only this student.")] = None,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Class: also regrade what has not changed.")
    ] = False,
    yes: Yes = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, help="How many to grade at once: one per core, 2 if loose.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=1, help="Draw the hidden cases from this seed.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Class: grade on this Dask scheduler's workers, tcp://HOST:8786.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Loose: write the results here.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Loose: write the scores here.")] = None,
    feedback: Annotated[
        Path | None, typer.Option(help="Loose: write a page for each submission here.")
    ] = None,
    no_sandbox: Annotated[bool, typer.Option("--no-sandbox", help=WITHOUT)] = False,
):
    if no_sandbox and not scheduler:
        typer.echo(WITHOUT, err=True)
    if paths:
        if lessons or students or regrade or scheduler:
            raise typer.BadParameter("Loose notebooks are graded whole, without a gradebook.")
        from .report.loose import run as run_loose

        raise typer.Exit(run_loose(paths, seed, jobs or 2, no_sandbox, json_file, csv_file, feedback))
    if json_file or csv_file or feedback:
        raise typer.BadParameter("--json, --csv and --feedback are for loose notebooks: give their paths.")
    from .gradebook.threads import start_early

    warm_parent = None if scheduler or no_sandbox else start_early()
    from .gradebook.command import run

    choices = {"lessons": lessons or (), "students": students or (), "regrade": regrade, "seed": seed}
    choices |= {"no_sandbox": no_sandbox}
    raise typer.Exit(run(course, jobs, scheduler, warm_parent, yes, **choices))


@command(
    GRADE,
    "formgrader",
    "Open formgrader: due dates, points by hand, feedback.",
    "formgrader --course ../term",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def formgrader(options: typer.Context, course: Course = Path(".")):
    from .setup.class_folder import open_formgrader

    open_formgrader(course, options.args)


@command(GRADE, "written", "Make the page for written answers, or enter its points.", "written points.json")
def written(
    file: Annotated[
        Path | None, typer.Argument(help="The file that the page saved, with the points to enter.")
    ] = None,
    course: Course = Path("."),
    yes: Yes = False,
):
    if file:
        from .gradebook.written_points import run as enter

        raise typer.Exit(enter(course, file, yes))
    from .report.written.page import run

    run(course)


@command(LOOK, "report", "Write pages on what the class misunderstood.", "report --names")
def report(
    course: Course = Path("."),
    names: Annotated[
        bool, typer.Option("--names", help="Name students; written to a separate folder.")
    ] = False,
):
    from .report.class_report.pages import run

    run(course, names)


@command(LOOK, "similar", "Write a page of near-identical answers, in pairs.", "similar 01_masks")
def similar(
    lesson: Annotated[str | None, typer.Argument(help="A lesson; by default all.")] = None,
    course: Course = Path("."),
):
    from .similarity.command import run

    run(course, lesson)


@command(LOOK, "doctor", "Show how this machine grades, or how it reads notebooks.", "doctor odd.ipynb")
def doctor(
    paths: Annotated[list[Path] | None, typer.Argument(help="Notebooks, or folders of them.")] = None,
):
    from .setup.doctor import examine, show_machine

    if not paths:
        raise typer.Exit(show_machine())
    examine(paths)


@command(LOOK, "demo", "Grade a small sample class.", "demo")
def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the submissions and their results.")] = Path(
        "demo"
    ),
):
    from .setup.demo import run

    run(folder)


@command(CHANGE, "penalties", "Recompute late penalties when dates or extensions change.", "penalties --yes")
def penalties(course: Course = Path("."), yes: Yes = False):
    from .gradebook.penalties import run

    raise typer.Exit(run(course, yes))


@command(
    CHANGE, "change-points", "Take a lesson's new points into the gradebook.", "change-points 01_masks --yes"
)
def change_points(
    lesson: Annotated[str, typer.Argument(help="The lesson whose points have changed.")],
    course: Course = Path("."),
    yes: Yes = False,
):
    from .gradebook.change_points import run

    raise typer.Exit(run(course, lesson, yes))


@command(WRITE, "build", "Rebuild notebooks/ and course_utils/answers/.", "build 01")
def build(
    lesson: Annotated[
        str | None, typer.Argument(help="Only this lesson, while you are writing it; its number is enough.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; fail if a file is stale.")] = False,
):
    from .publish.build import build, stale
    from .publish.lesson import find_lesson

    if check:
        old = stale(ROOT)
        for path in old:
            typer.echo(f"{path} is stale: run make notebooks and commit it.")
        raise typer.Exit(bool(old))
    for path in build(ROOT, lesson and find_lesson(ROOT, lesson)):
        typer.echo(path.relative_to(ROOT))


@command(
    WRITE,
    "new-exercise",
    "Write a sample exercise to turn into your own.",
    "new-exercise mean --part 01_masks",
)
def new_exercise(
    name: Annotated[str, typer.Argument(help="The function that students write, such as mean_over_tokens.")],
    part: Annotated[str, typer.Option(help="The lesson that it belongs to, such as 01_masks.")],
):
    from .new import new_exercise

    typer.echo(new_exercise(ROOT, name, part))


@command(WRITE, "author", "Say what an exercise still lacks.", "author softmax --renew")
def author(
    exercises: Annotated[list[str] | None, typer.Argument(help="Exercises; by default all.")] = None,
    renew: Annotated[
        bool,
        typer.Option("--renew", help="First accept what mistakes and programs get now, and the minutes."),
    ] = False,
):
    sys.path.insert(0, str(ROOT))  # the sample programs and the record are in tests/
    from .author import run

    raise typer.Exit(run(exercises or [], renew))


@command(WRITE, "new-lesson", "Write a sample lesson to turn into your own.", "new-lesson 09_mine")
def new_lesson(
    name: Annotated[str, typer.Argument(help="Two digits and a name, such as 09_mine.")],
):
    from .new import new_lesson

    typer.echo(new_lesson(ROOT, name))


@command(WRITE, "anki", "Export the flashcards as a deck for Anki.", "anki attention.apkg")
def anki(file: Annotated[Path, typer.Argument(help="The deck to write.")] = Path("attention.apkg")):
    from .publish.anki import write_deck

    typer.echo(f"{file}   {write_deck(file)} cards: import it in Anki, File, Import")


@command(WRITE, "site", "Build the site with all lessons and pages.", "site")
def site(folder: Annotated[Path, typer.Argument(help="The folder to write.")] = Path("site")):
    from .publish.site.build import build_site

    typer.echo(
        f"{folder / 'index.html'}   {build_site(ROOT, folder)} pages, without answers: open it in a browser"
    )


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows its number
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with contextlib.suppress(KeyboardInterrupt):  # Typer leaves one while it writes its help
        app(prog_name="python -m autograder")
    sys.exit(130)
