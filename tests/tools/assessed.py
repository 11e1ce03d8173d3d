"""Shortcuts for tests: the Result of an answer, and what a function prints."""

import contextlib
import io

from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.model.observation import Observation
from course_utils.observe.probe import observe


def assess_answer(answer, sheet):
    """The Result of an answer on a Sheet, with observations in the form in which a sandbox sends them."""
    observations = [observe(answer, case, sheet.contract).as_plain() for case in sheet.cases]
    return assess(compare(sheet, [Observation.from_plain(plain) for plain in observations]))


def output_of(action):
    """The text that a function prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        action()
    return out.getvalue()
