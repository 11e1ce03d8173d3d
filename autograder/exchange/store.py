"""Rows -> submitted/STUDENT/LESSON/, each in one piece; what was there is kept in submitted_before/."""

import hashlib
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from autograder.gradebook.submitted import IS_LINK, TIMESTAMP, small_files

from .places import Unreadable

BEFORE, NEW, LOG = "submitted_before", ".collecting", ".collected.jsonl"
CHANGED = "The file changed while it was being collected: collect again."


class Store:
    """submitted/ of a course, open for collecting."""

    def __init__(self, root, submitted):
        self.root, self.submitted = Path(root), Path(submitted)

    def collected(self):
        """[dict] of what was collected before, the latest last; a line that was cut off does not count."""
        entries, file = [], self.root / LOG
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                entries.append(json.loads(line))
            except ValueError:
                continue
        return entries

    def orders(self):
        """{(student, lesson): {sha: its order}} of all that was collected before, the latest last."""
        places = {}
        for entry in self.collected():
            orders = places.setdefault((entry["student"], entry["lesson"]), {})
            orders.pop(entry["sha"], None)
            orders[entry["sha"]] = entry["order"]
        return places

    def put(self, row, data):
        """Put one notebook into its place.

        A run that is killed leaves the old folder, the new one, or (between two renames) none, and the old
        one in submitted_before/: the next run puts the new one there.
        """
        if hashlib.sha256(data).hexdigest() != row.sha:
            raise Unreadable(CHANGED)
        place, new = self.submitted / row.student / row.lesson, self.submitted / NEW
        for part in (place.parent, place):
            if part.is_symlink():
                raise Unreadable(f"{part.name}: {IS_LINK}")
        shutil.rmtree(new, ignore_errors=True)
        try:
            new.mkdir(parents=True)
            for name, content in files_of(row, data, place).items():
                (new / name).write_bytes(content)
            self.note(row)
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists():
                self.set_aside(place, row)
            os.replace(new, place)
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def set_aside(self, place, row):
        folder = self.root / BEFORE / row.student / row.lesson
        folder.mkdir(parents=True, exist_ok=True)
        os.replace(place, folder / f"{datetime.now(UTC):%Y-%m-%d %H.%M.%S.%f} UTC")

    def note(self, row):
        """Before the notebook gets into its place: a line too many does no harm, a missing one could."""
        about = {"student": row.student, "lesson": row.lesson, "sha": row.sha, "order": row.order}
        entry = about | {"file": row.file.label, "at": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"}
        with open(self.root / LOG, "a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(entry, ensure_ascii=False))


def files_of(row, data, place):
    """{name: bytes} of the folder: the notebook, and nbgrader's small files where they are known. Where it is
    late, or follows one with a time, and its own time is not known, the grader asks a person."""
    before = small_files(place).get(TIMESTAMP, b"").decode().strip()
    words = [("LATE", row.claim.late), (f"unknown; an earlier file: {before}", before)]
    time = f"{row.time:%Y-%m-%d %H:%M:%S.%f} UTC" if row.time else "; ".join(w for w, is_so in words if is_so)
    return {f"{row.lesson}.ipynb": data} | ({TIMESTAMP: time.encode()} if time else {}) | row.small
