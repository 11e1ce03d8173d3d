"""The files of lines in .progress, whatever they are about: files come in, {name: [lines]} goes out, and
back.

The name of `interviews.jsonl`, and of a synced folder's copies of it, is "interviews". Only lines that are
JSON objects are taken along, those of newer versions too.
"""

import json
import re

from ..own.saved import FOLDER
from .memory import add_lines, files, from_line, not_kept

PREDICTIONS = "predictions"
NAME = re.compile("[a-z]{1,40}")


def all_lines():
    """{name: [lines]} of all files here and beside other lessons, and what this kernel could not keep."""
    found = {PREDICTIONS: not_kept()}
    for path in files(""):
        name = NAME.match(path.name)
        try:
            text = path.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if name:
            found[name[0]] = united(found.get(name[0], []), text.split("\n"))
    return found


def united(lines, others):
    """Lines, and those of the others that say something else, in order."""
    known = {key(line): line for line in lines}
    for line in map(str.strip, others):
        if is_object(line):
            known.setdefault(key(line), line)
    return list(known.values())


def united_all(ours, theirs):
    """The same of {name: [lines]}."""
    return {name: united(ours.get(name, []), theirs.get(name, [])) for name in {**ours, **theirs}}


def keep_lines(lines):
    """Add {name: [lines]} to the files of this folder; how many were new, by name. May raise OSError."""
    here, added = all_lines(), {}
    for name, some in lines.items():
        ours = here.get(name, [])
        new = united(ours, some)[len(ours) :]
        if new:
            add_lines(FOLDER / f"{name}.jsonl", new)
        added[name] = len(new)
    return added


def key(line):
    """Equal for lines that say the same: of a fact the fact, else the line itself."""
    try:
        return from_line(line)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return line


def is_object(line):
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
