"""What tests ask of an answer: its Result, and what an action prints."""

import contextlib
import io

from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.model.observation import Observation
from course_utils.observe.probe import observe


def assessed(answer, sheet):
    """The Result of an answer for a Sheet, of observations as a sandbox sends them."""
    observations = [observe(answer, case, sheet.contract).as_plain() for case in sheet.cases]
    return assess(compare(sheet, [Observation.from_plain(plain) for plain in observations]))


def written(action):
    """What the action printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        action()
    return out.getvalue()
