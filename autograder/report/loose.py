"""`python -m autograder grade PATH...`: grades loose notebooks, prints a table, writes files."""

import json
from pathlib import Path

from autograder.grading.feedback import write_feedback
from autograder.grading.graded import happened, labels, summary
from autograder.grading.notebook import entries, grade_paths
from autograder.notes import texts_of
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.submission.files import notebooks_in
from autograder.tables import as_csv, print_table, replace_file

COLUMNS = "submission", "lesson", "status", "score"
SEEDS = "\nseed         {}   of the hidden cases; --seed draws the same again"


def run(paths, seed=None, jobs=1, no_sandbox=False, json_file=None, csv_file=None, feedback=None):
    """Grade the paths, show and write the results, and return exit_code(paths)."""
    worker = PlainWorker() if no_sandbox else sandbox()
    worker.ready()
    try_to_write([json_file, csv_file], feedback)
    graded = grade_paths(paths, seed, worker, jobs)
    if json_file:
        json_file.write_text(json.dumps(entries(graded), indent=1) + "\n", encoding="utf-8")
    if csv_file:
        write_loose(graded, csv_file)
    if feedback:
        write_feedback(graded, feedback)
    show_table(graded)
    if csv_file:
        print(f"grades       {csv_file}")
    if feedback:
        print(f"feedback     {feedback}   a page for each submission")
    return exit_code(paths)


def exit_code(paths):
    """1 if a path does not exist or contains no notebook, else 0; a rejected notebook counts as a
    notebook."""
    return int(any(all(reason for _, reason in notebooks_in(Path(path))) for path in paths))


def try_to_write(files, folder):
    """Open the output files before the long work, so that a bad path is reported before any work is lost."""
    for file in filter(None, files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("a").close()
    if folder:
        folder.mkdir(parents=True, exist_ok=True)


def show_table(graded):
    """Print a row for each (path, GradedSubmission), and the seed of the hidden cases."""
    names = labels([path for path, _ in graded])
    rows = [table_row(name, submission) for name, (_, submission) in zip(names, graded, strict=True)]
    print_table((*COLUMNS, "what to know"), rows)
    seeds = {submission.seed for _, submission in graded if submission.seed}
    if seeds:
        print(SEEDS.format(", ".join(map(str, seeds))))


def table_row(name, graded):
    score = "-" if graded.score is None else f"{round(graded.score, 2):g} of {graded.max_score:g}"
    know = summary(happened(graded)) or "".join(texts_of(graded.notes)[:1])
    return name, graded.lesson or "-", graded.status, score, know


def write_loose(graded, path):
    """Write a CSV row for each (path, GradedSubmission): score, points per exercise, what happened, notes."""
    names = list(dict.fromkeys(name for _, submission in graded for name in submission.exercises))
    columns = [*COLUMNS, "max_score", *names, "what_happened", "notes"]
    replace_file(path, as_csv(columns, [csv_row(name, submission, names) for name, submission in graded]))


def csv_row(name, graded, names):
    points = [graded.exercises[n].points if n in graded.exercises else None for n in names]
    notes = " ".join(texts_of(graded.notes))
    about = [name, graded.lesson, graded.status, graded.score, graded.max_score]
    return [*about, *points, summary(happened(graded)), notes]
