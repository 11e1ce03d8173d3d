"""`python -m autograder report`: pages, JSON and tables on a class, written beside its gradebook."""

import json
from pathlib import Path

from autograder.tables import replace_file

from .collect import collect
from .pages import page_of, tables
from .reports import report_on

# never in one place: who shares the first one does not share names by accident
FOLDER, FOLDER_WITH_NAMES = "report", "report_with_names"


def run(root, with_names=False):
    """Write the pages, and say where they lie."""
    course = collect(root)
    folder = Path(root) / (FOLDER_WITH_NAMES if with_names else FOLDER)
    whole, lessons = report_on(course, with_names)
    write(whole, lessons, folder, with_names)
    handed_in = sum(lesson["handed_in"] for lesson in lessons.values())
    print(f"report       {folder / 'index.html'}   submissions: {handed_in}, lessons: {len(lessons)}")
    print("             beside it: a page for each lesson, the same as JSON, and tables as CSV")


def write(whole, lessons, folder, with_names):
    """All files of a report."""
    reports = {"course": whole, **lessons}
    texts = tables(whole)
    for name, report in reports.items():
        page = "index.html" if report is whole else f"{name}.html"
        texts[page] = page_of(report, list(lessons), with_names)
        texts[f"{name}.json"] = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    for name, text in texts.items():
        replace_file(folder / name, text)
