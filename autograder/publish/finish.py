"""The last step of nbgrader's Generate: no answer may be in a student's notebook; it gets a version."""

import hashlib
import json

from nbgrader.preprocessors import NbGraderPreprocessor

from .embed import is_copy, unpack
from .leaks import first_leak
from .lesson import LessonError


class Finish(NbGraderPreprocessor):
    """Whatever the settings before it, a notebook with a part of an answer is never written."""

    def preprocess(self, nb, resources):
        lesson = resources["nbgrader"]["notebook"]
        refuse_answers(nb, resources.get("secret_regions", []), lesson)
        nb.metadata["course"] = {"lesson": lesson, "version": version(nb)}
        return nb, resources


def refuse_answers(nb, regions, lesson):
    texts = {f"cell {cell.id}": cell.source for cell in nb.cells if not is_copy(cell)}
    texts |= {path: data.decode("utf-8", "replace") for path, data in unpack(nb).items()}
    for where, text in texts.items():
        leak = first_leak(regions, text)
        if leak:
            raise LessonError(f"{lesson}: {where} would give away a part of an answer to students: {leak!r}")


def version(nb):
    """Changes with what a student reads, not with the course_utils that travels along."""
    read = [(cell.cell_type, cell.source) for cell in nb.cells if not is_copy(cell)]
    return hashlib.sha256(json.dumps(read).encode()).hexdigest()[:12]
