"""Lines and answers to the text of one small file, and back.

The file is JSON: {"version", "predictions": [lines of memory.py], "answers": {exercise: source}, "lines":
{name: [lines]}}. "lines" holds the other files of lines in .progress, such as interviews.jsonl; it is missing
in older files.
"""

import json
import re

from .lines import PREDICTIONS, united
from .memory import Newer

VERSION = 1
ANSWER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
NEWER = "{} was written by a newer version of the course: {}."
NOT_OURS = "{} is not a file that save_progress() wrote: {}."


def read_saved(data, where, so):
    """({name: [lines]}, {exercise: source}, "") of a saved file; where it is none, the sentence that says it,
    and `so` what comes of that."""
    try:
        return *unpacked(data), ""
    except Newer:
        problem = NEWER
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        problem = NOT_OURS
    return {}, {}, problem.format(where, so)


def packed(lines, answers):
    """The text of such a file."""
    others = {name: some for name, some in lines.items() if name != PREDICTIONS}
    plain = {"version": VERSION, "predictions": lines[PREDICTIONS], "answers": answers, "lines": others}
    return json.dumps(plain, indent=1) + "\n"


def unpacked(data):
    """({name: [lines]}, {exercise: source}) of a saved file; Newer, or another error for what is none."""
    plain = json.loads(data)
    if plain["version"] > VERSION:
        raise Newer
    lines = {**plain.get("lines", {}), PREDICTIONS: plain["predictions"]}
    answers = plain["answers"].items()
    return (
        {name: united([], "\n".join([] + some).split("\n")) for name, some in lines.items()},
        {name: text for name, text in answers if ANSWER.fullmatch(name) and isinstance(text, str)},
    )
