"""What `python -m autograder grade` does: grade loose notebooks, print a table, write the files asked for."""

import json
import sys
from pathlib import Path

from autograder.grading.files import entries, grade_paths
from autograder.sandbox.host.supervisor import sandbox
from autograder.sandbox.host.unsandboxed import PlainWorker
from autograder.sandbox.host.warm_process import SandboxUnavailable
from autograder.submission.files import notebooks_in

from .feedback import write_feedback
from .loose_table import show_table
from .spreadsheet import write_csv


def run(paths, seed=None, jobs=1, no_sandbox=False, json_file=None, csv_file=None, feedback=None):
    """Grade, print and write; return the exit code: 1 when the sandbox does not work, else see exit_code."""
    worker = PlainWorker() if no_sandbox else sandbox()
    try:
        worker.ready()
    except SandboxUnavailable as reason:
        print(reason, file=sys.stderr)
        return 1
    try_to_write([json_file, csv_file], feedback)
    graded = grade_paths(paths, seed, worker, jobs)
    show_table(graded)
    if json_file:
        json_file.write_text(json.dumps(entries(graded), indent=1) + "\n", encoding="utf-8")
    if csv_file:
        write_csv(graded, csv_file)
        print(f"grades       {csv_file}")
    if feedback:
        write_feedback(graded, feedback)
        print(f"feedback     {feedback}   a page for each submission")
    return exit_code(paths)


def try_to_write(files, folder):
    """Before the long work, so that its results are not lost."""
    for file in filter(None, files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("a").close()
    if folder:
        folder.mkdir(parents=True, exist_ok=True)


def exit_code(paths):
    """1 when one of the paths does not exist or holds no notebook. (A rejected notebook has its entry.)"""
    return int(any(all(reason for _, reason in notebooks_in(Path(path))) for path in paths))
