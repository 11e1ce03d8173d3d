"""save_progress() and load_progress(): all that is kept, as one small file, for places that forget files.

The file is JSON: {"version", "predictions": [lines of Facts], "answers": {exercise: source}, "lines": {name:
[lines]}}. "lines" holds the other files of the log, such as interviews; it is missing in older files.
"""

import json
import re
from importlib import import_module
from pathlib import Path

from ..own.saved import FOLDER, lesson_folders, write_whole
from . import log
from .card import say
from .from_memory import ENDING
from .typed import kind_of

FILE = "course-progress.json"
VERSION = 1
ANSWER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
NOTHING_READ = "nothing was read, and nothing has changed"
NOTHING_SAVED = 'nothing was saved. Give another name, as in `save_progress("other.json")`'
NEWER = "{} was written by a newer version of the course: {}."
NOT_OURS = "{} is not a file that save_progress() wrote: {}."
HOW = 'load_progress() reads {0} in this folder; load_progress("path/to/{0}") another one.'


def save_progress(path=FILE):
    """Put all that is kept into one file, beside what it holds already; in Colab, download it."""
    lines, answers = all_lines(), saved_answers()
    try:
        if Path(path).is_file():
            old_lines, old_answers, problem = read_saved(Path(path).read_bytes(), path, NOTHING_SAVED)
            if problem:
                say(problem)
                return
            names = {**old_lines, **lines}
            lines = {name: united(old_lines.get(name, []), lines.get(name, [])) for name in names}
            answers = {**old_answers, **answers}
        write_whole(path, packed(lines, answers))
    except (OSError, TypeError, ValueError) as error:
        say(f"Nothing was saved: {path} cannot be written ({type(error).__name__}).")
        return
    colab, path = colab_files(), Path(path)
    if colab is not None:
        colab.download(str(path))
    where = "is downloaded; keep it" if colab is not None else f"is written: {path.resolve()}"
    content = described(len(lines[log.FACTS]), answers)
    say(f"{path.name} {where}. It holds {content}; load_progress() reads it back.", *log.recall()[1])


def load_progress(path_or_bytes=None):
    """Read such a file back: lines are added, an answer is written where there is none; nothing is lost."""
    data, where = content_of(path_or_bytes)
    if data is None:
        say(where)
        return
    lines, answers, problem = read_saved(data, where, NOTHING_READ)
    if problem:
        say(problem)
        return
    missing = {name: text for name, text in answers.items() if name not in saved_answers()}
    try:
        added = add_missing(lines)
        for name, text in missing.items():
            write_whole(FOLDER / f"{name}.py", text)
    except OSError as error:
        say(f"{FOLDER} cannot be written to ({type(error).__name__}): {where} is as it was.")
        return
    content = described(added[log.FACTS], missing)
    say(f"{where}: {content} restored; what was already here is unchanged.", *log.recall()[1])


def described(number, answers):
    """In words; a text from memory is no exercise of its own."""
    exercises = [name for name in answers if not name.endswith(ENDING)]
    return f"{log.counted(number, 'answer')} and {log.counted(len(exercises), 'exercise')}"


def content_of(path_or_bytes):
    """(bytes, what to call them), or (None, the sentence that says why there are none)."""
    if isinstance(path_or_bytes, (bytes, bytearray)):
        return bytes(path_or_bytes), "What was given"
    colab = colab_files() if path_or_bytes is None else None
    if colab is not None:
        uploaded = colab.upload()
        name = next(iter(uploaded), None)
        return (uploaded[name], name) if name else (None, "Nothing was uploaded: nothing has changed.")
    path = path_or_bytes if path_or_bytes is not None else FILE
    try:
        return Path(path).read_bytes(), Path(path).name
    except TypeError:
        return None, f"load_progress takes a file's name, and {kind_of(path)} came: nothing has changed."
    except (OSError, ValueError):
        return None, f"There is no file {path} to be read. {HOW.format(FILE)}"


def colab_files():
    """Colab's own module for files; None elsewhere."""
    try:
        return import_module("google.colab.files")
    except ImportError:
        return None


# ---- the file


def read_saved(data, where, consequence):
    """({name: [lines]}, {exercise: source}, "") of a saved file; where it is none, the sentence that says it,
    and what comes of that."""
    try:
        plain = json.loads(data)
        if plain["version"] > VERSION:
            return {}, {}, NEWER.format(where, consequence)
        lines = {**plain.get("lines", {}), log.FACTS: plain["predictions"]}
        lines = {name: united([], "\n".join([] + values).split("\n")) for name, values in lines.items()}
        sound = (item for item in plain["answers"].items() if isinstance(item[1], str))
        return lines, {name: text for name, text in sound if ANSWER.fullmatch(name)}, ""
    except log.UNSOUND:
        return {}, {}, NOT_OURS.format(where, consequence)


def packed(lines, answers):
    """The text of such a file."""
    others = {name: values for name, values in lines.items() if name != log.FACTS}
    plain = {"version": VERSION, "predictions": lines[log.FACTS], "answers": answers, "lines": others}
    return json.dumps(plain, indent=1) + "\n"


# ---- what is here


def saved_answers():
    """{exercise: source} of the answers that are kept, this folder's before its neighbours'."""
    folders = reversed(lesson_folders())
    files = [path for folder in folders for path in sorted((folder / FOLDER).glob("*.py")) if path.is_file()]
    sources = {path.stem: path.read_text(encoding="utf-8", errors="replace") for path in files}
    return {name: source for name, source in sources.items() if ANSWER.fullmatch(name)}


def all_lines():
    """{name: [lines]} of all files here and beside other lessons, and what this kernel could not keep."""
    lines = {log.FACTS: log.unwritten(log.FACTS)}
    for path in log.files(""):
        name = log.NAME.match(path.name)
        try:
            text = path.read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if name:
            lines[name[0]] = united(lines.get(name[0], []), text.split("\n"))
    return lines


def united(lines, others):
    """Lines, and those of the others that say something else, in order; only what is a JSON object."""
    by_key = {key(line): line for line in lines}
    for line in filter(is_object, map(str.strip, others)):
        by_key.setdefault(key(line), line)
    return list(by_key.values())


def add_missing(lines):
    """Add {name: [lines]} to the files of this folder; {name: how many were new}. May raise OSError."""
    here, added = all_lines(), {}
    for name, values in lines.items():
        ours = here.get(name, [])
        new = united(ours, values)[len(ours) :] if log.NAME.fullmatch(name) else []
        if new:
            log.add_lines(FOLDER / f"{name}.jsonl", new)
        added[name] = len(new)
    return added


def key(line):
    """Equal for lines that say the same: of a fact the fact, else the line itself."""
    try:
        return log.Fact.from_line(line)
    except log.UNSOUND:
        return line


def is_object(line):
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
