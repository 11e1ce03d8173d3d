"""`python -m autograder report`: pages, JSON and tables on a class, written beside its gradebook."""

import json
import os
import sys
from pathlib import Path

from autograder.gradebook.database import Refused

from .collect import collect
from .pages import page_of
from .reports import report_on
from .tables import files

# never in one place: who shares the first one does not share names by accident
FOLDER, FOLDER_WITH_NAMES = "report", "report_with_names"


def run(root, with_names=False):
    """The exit code: 0 when the pages are written."""
    try:
        course = collect(root)
    except Refused as reason:
        print(reason, file=sys.stderr)
        return 1
    folder = Path(root) / (FOLDER_WITH_NAMES if with_names else FOLDER)
    whole, lessons = report_on(course, with_names)
    write(whole, lessons, folder, with_names)
    handed_in = sum(one["handed_in"] for one in lessons.values())
    print(f"report       {folder / 'index.html'}   submissions: {handed_in}, lessons: {len(lessons)}")
    print("             beside it: a page for each lesson, the same as JSON, and tables as CSV")
    return 0


def write(whole, lessons, folder, with_names):
    """All files of a report; each is replaced in one piece."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(lessons)
    texts = {"index.html": page_of(whole, names, with_names), "course.json": as_json(whole), **files(whole)}
    for lesson, report in lessons.items():
        texts[f"{lesson}.html"] = page_of(report, names, with_names)
        texts[f"{lesson}.json"] = as_json(report)
    for name, text in texts.items():
        new = folder / f".{name}.new"
        new.write_text(text, encoding="utf-8", errors="replace", newline="")
        os.replace(new, folder / name)


def as_json(report):
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
