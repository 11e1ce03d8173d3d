"""The source of a stand-in with all that it needs, to be sent to a worker (which has no stand-ins of its own)."""

from functools import cache
from pathlib import Path

import course_utils
from course_utils.saved import collect, parsed

FILE = Path(course_utils.__file__).parent / "standins.py"


@cache
def source_of(name):
    """Source text that defines the stand-in `name`; None when there is none."""
    pieces = []
    found = collect(name, parsed([FILE.read_text(encoding="utf-8")]), pieces, set())
    return "\n\n".join(dict.fromkeys(pieces)).replace("@stand_in\n", "") + "\n" if found else None
