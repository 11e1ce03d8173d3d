"""save_progress() and load_progress(): all that is kept, as one small file, for places that forget files.

The file is JSON: {"version", "predictions": [lines of memory.py], "answers": {exercise: source}}.
"""

import json
import re
from importlib import import_module
from pathlib import Path

from ..saved import FOLDER, lesson_folders
from ..show.card import show_text
from .memory import FILE, Newer, add_lines, read_text, recall
from .typed import kind_of

NAME = "course-progress.json"
VERSION = 1
ANSWER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
NEWER = "{} was written by a newer version of the course: nothing was read, and nothing has changed."
NOT_OURS = "{} is not a file that save_progress() wrote: nothing was read, and nothing has changed."
HOW = 'load_progress() reads {0} in this folder; load_progress("path/to/{0}") another one.'


def save_progress(path=NAME):
    """Put all that is kept, answered questions and passing answers, into one file; in Colab, download it."""
    facts, said = recall()
    answers = kept_answers()
    plain = {"version": VERSION, "predictions": [fact.to_line() for fact in facts], "answers": answers}
    try:
        Path(path).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    except (OSError, TypeError) as error:
        show_text(f"Nothing was saved: {path} cannot be written ({type(error).__name__}).")
        return
    held = f"{counted(len(facts), 'answer')} to questions and {counted(len(answers), 'exercise')}"
    colab = colab_files()
    if colab is not None:
        colab.download(str(path))
    where = "is downloaded; keep it" if colab is not None else f"is written: {Path(path).resolve()}"
    show_text(f"{Path(path).name} {where}. It holds {held}; load_progress() reads it back.", *said)


def load_progress(path_or_bytes=None):
    """Read such a file back: facts are added, an answer is written where there is none; nothing is lost."""
    data, where = content(path_or_bytes)
    if data is None:
        show_text(where)
        return
    try:
        facts, answers, said = unpacked(data, where)
    except Newer:
        show_text(NEWER.format(where))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        show_text(NOT_OURS.format(where))
    else:
        put_back(facts, answers, said, where)


def unpacked(data, where):
    """([Fact], {exercise: source}, [sentence]) of a saved file; Newer, or another error for what is none."""
    plain = json.loads(data)
    if plain["version"] > VERSION:
        raise Newer
    facts, said = read_text("\n".join([] + plain["predictions"]), where)
    answers = plain["answers"].items()
    return facts, {n: text for n, text in answers if ANSWER.fullmatch(n) and isinstance(text, str)}, said


def put_back(facts, answers, said, where):
    """Add what is new, and say how much that was."""
    known = set(recall()[0])
    new = [fact for fact in dict.fromkeys(facts) if fact not in known]
    missing = {name: text for name, text in answers.items() if name not in kept_answers()}
    try:
        if new:
            add_lines(FOLDER / FILE, [fact.to_line() for fact in new])
        for name, text in missing.items():
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.py").write_text(text, encoding="utf-8")
    except OSError as error:
        show_text(f"{FOLDER} cannot be written to ({type(error).__name__}): {where} is as it was.")
        return
    brought = f"{counted(len(new), 'answer')} to questions and {counted(len(missing), 'exercise')}"
    show_text(f"{where}: {brought} brought back, what was here already is kept.", *said)


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
    return {path.stem: path.read_text(encoding="utf-8", errors="replace") for path in files}


def colab_files():
    """Colab's own module for files; None elsewhere."""
    try:
        return import_module("google.colab.files")
    except ImportError:
        return None


def counted(number, word):
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
