"""save_progress() and load_progress(): all that is kept, as one small file, for places that forget files.

The file is JSON: {"version", "predictions": [lines of memory.py], "answers": {exercise: source}, "lines":
{name: [lines]}}. "lines" holds the other files of lines in .progress, such as interviews.jsonl; it is missing
in older files.
"""

import json
import re
from importlib import import_module
from pathlib import Path

from ..saved import FOLDER, lesson_folders, write_whole
from ..show.card import show_text
from .lines import NAME as LINES_NAME
from .lines import PREDICTIONS, all_lines, keep_lines, united, united_all
from .memory import Newer, recall
from .schedule.from_memory import ENDING
from .typed import kind_of

NAME = "course-progress.json"
VERSION = 1
ANSWER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
NEWER = "{} was written by a newer version of the course: {}."
NOT_OURS = "{} is not a file that save_progress() wrote: {}."
NOTHING_READ = "nothing was read, and nothing has changed"
NOTHING_SAVED = 'nothing was saved. Give another name, as in `save_progress("other.json")`'
HOW = 'load_progress() reads {0} in this folder; load_progress("path/to/{0}") another one.'


def save_progress(path=NAME):
    """Put all that is kept into one file, beside what it holds already; in Colab, download it."""
    lines, answers, said = all_lines(), kept_answers(), recall()[1]
    try:
        if Path(path).is_file():
            old_lines, old_answers, problem = read_saved(Path(path).read_bytes(), path, NOTHING_SAVED)
            if problem:
                show_text(problem)
                return
            lines, answers = united_all(old_lines, lines), {**old_answers, **answers}
        write_whole(path, packed(lines, answers))
    except (OSError, TypeError, ValueError) as error:
        show_text(f"Nothing was saved: {path} cannot be written ({type(error).__name__}).")
        return
    say_saved(Path(path), held(len(lines[PREDICTIONS]), answers), said)


def say_saved(path, holds, said):
    colab = colab_files()
    if colab is not None:
        colab.download(str(path))
    where = "is downloaded; keep it" if colab is not None else f"is written: {path.resolve()}"
    show_text(f"{path.name} {where}. It holds {holds}; load_progress() reads it back.", *said)


def load_progress(path_or_bytes=None):
    """Read such a file back: lines are added, an answer is written where there is none; nothing is lost."""
    data, where = content(path_or_bytes)
    if data is None:
        show_text(where)
        return
    lines, answers, problem = read_saved(data, where, NOTHING_READ)
    if problem:
        show_text(problem)
    else:
        put_back(lines, answers, where)


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


def put_back(lines, answers, where):
    """Add what is new, and say how much that was."""
    missing = {name: text for name, text in answers.items() if name not in kept_answers()}
    try:
        added = keep_lines({name: some for name, some in lines.items() if LINES_NAME.fullmatch(name)})
        for name, text in missing.items():
            write_whole(FOLDER / f"{name}.py", text)
    except OSError as error:
        show_text(f"{FOLDER} cannot be written to ({type(error).__name__}): {where} is as it was.")
        return
    brought = held(added[PREDICTIONS], missing)
    show_text(f"{where}: {brought} brought back, what was here already is kept.", *recall()[1])


def held(number, answers):
    """In words; a text from memory is no exercise of its own."""
    exercises = [name for name in answers if not name.endswith(ENDING)]
    return f"{counted(number, 'answer')} to questions and {counted(len(exercises), 'exercise')}"


def content(path_or_bytes):
    """(bytes, what to call them), or (None, the sentence that says why there are none)."""
    if isinstance(path_or_bytes, (bytes, bytearray)):
        return bytes(path_or_bytes), "What was given"
    colab = colab_files() if path_or_bytes is None else None
    if colab is not None:
        uploaded = colab.upload()
        name = next(iter(uploaded), None)
        return (uploaded[name], name) if name else (None, "Nothing was uploaded: nothing has changed.")
    path = path_or_bytes if path_or_bytes is not None else NAME
    try:
        return Path(path).read_bytes(), Path(path).name
    except TypeError:
        return (
            None,
            f"load_progress takes a file's name, and {kind_of(path)} came: nothing has changed.",
        )
    except (OSError, ValueError):
        return None, f"There is no file {path} to be read. {HOW.format(NAME)}"


def kept_answers():
    """{exercise: source} of the kept answers, this folder's before its neighbours'."""
    files = [path for folder in reversed(lesson_folders()) for path in sorted((folder / FOLDER).glob("*.py"))]
    return {
        path.stem: path.read_text(encoding="utf-8", errors="replace")
        for path in files
        if ANSWER.fullmatch(path.stem) and path.is_file()
    }


def colab_files():
    """Colab's own module for files; None elsewhere."""
    try:
        return import_module("google.colab.files")
    except ImportError:
        return None


def counted(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
