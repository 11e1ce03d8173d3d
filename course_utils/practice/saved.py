"""save_progress() and load_progress(): all progress in one file, for places that keep none, such as Colab.

The file is JSON: {"version", "predictions": [lines of Facts], "answers": {exercise: source}, "lines": {name:
[lines]}}. "lines" holds the other files of the log, such as interviews; older files do not have it.
"""

import json
import re
from importlib import import_module
from pathlib import Path

from ..own.saved import FOLDER, lesson_folders, write_whole
from . import log
from .card import Refusal, for_learners, say
from .from_memory import ENDING

FILE = "course-progress.json"
VERSION = 1
ANSWER = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
NOTHING_READ = "nothing was read, and nothing has changed"
NOTHING_SAVED = 'nothing was saved. Give another name, as in `save_progress("other.json")`'


@for_learners
def save_progress(path=FILE):
    """Save all progress in one file, together with what the file already contains; in Colab, download it."""
    path, folders = Path(path), current_progress()
    try:
        older = read_saved(path.read_bytes(), path, NOTHING_SAVED) if path.is_file() else ({}, {})
        lines, answers = merge(older, folders)
        facts = lines.pop(log.FACTS)
        plain = {"version": VERSION, "predictions": facts, "answers": answers, "lines": lines}
        write_whole(path, json.dumps(plain, indent=1) + "\n")
    except OSError as error:
        raise Refusal(f"Nothing was saved: {path} cannot be written ({type(error).__name__}).") from None
    sentence = f"is written: {path.resolve()}"
    if files := colab_files():
        files.download(str(path))
        sentence = "is downloaded; keep it"
    content = describe(facts, answers)
    say(f"{path.name} {sentence}. It holds {content}; load_progress() reads it back.")
    log.recall()  # notes unreadable lines


@for_learners
def load_progress(path_or_bytes=None):
    """Restore progress from such a file: add missing lines and answers, keep existing ones."""
    data, source = content_of(path_or_bytes)
    at_hand, saved = current_progress(), read_saved(data, source, NOTHING_READ)
    lines = {name: own[len(at_hand[0].get(name, [])) :] for name, own in merge(at_hand, saved)[0].items()}
    answers = {name: text for name, text in saved[1].items() if name not in at_hand[1]}
    try:
        for name, added in lines.items():
            if added:
                log.add_lines(FOLDER / f"{name}.jsonl", added)
        for name, text in answers.items():
            write_whole(FOLDER / f"{name}.py", text)
    except OSError as error:
        cause = type(error).__name__
        raise Refusal(f"{FOLDER} cannot be written to ({cause}): {source} is as it was.") from None
    content = describe(lines[log.FACTS], answers)
    say(f"{source}: {content} restored; what was already here is unchanged.")
    log.recall()  # notes unreadable lines


def describe(facts, answers):
    """'3 answers and 2 exercises'; versions from memory are not counted as exercises."""
    exercises = [name for name in answers if not name.endswith(ENDING)]
    return f"{log.amount(len(facts), 'answer')} and {log.amount(len(exercises), 'exercise')}"


def content_of(path_or_bytes):
    """(the bytes of a saved file, a name for it in messages)."""
    if isinstance(path_or_bytes, (bytes, bytearray)):
        return bytes(path_or_bytes), "What was given"
    if path_or_bytes is None and (files := colab_files()):
        for name, data in files.upload().items():
            return data, name
        raise Refusal("Nothing was uploaded: nothing has changed.")
    path = FILE if path_or_bytes is None else path_or_bytes
    try:
        return Path(path).read_bytes(), Path(path).name
    except (OSError, TypeError):
        how = f'load_progress() reads {FILE} in this folder; load_progress("path/to/{FILE}") another one.'
        raise Refusal(f"There is no file {path} to read. {how}") from None


def colab_files():
    """Colab's module for files; None outside Colab."""
    try:
        return import_module("google.colab.files")
    except ImportError:
        return None


def read_saved(data, source, consequence):
    """Parse a saved file: ({name: [lines]}, {exercise: source}); for any other, a Refusal and the
    consequence."""
    try:
        plain = json.loads(data)
        if plain["version"] > VERSION:
            raise Refusal(f"{source} was written by a newer version of the course: {consequence}.")
        records = {**plain.get("lines", {}), log.FACTS: plain["predictions"]}
        lines = {name: merge_lines("\n".join([] + own).split("\n")) for name, own in records.items()}
        answers = {name: str(text) for name, text in plain["answers"].items() if ANSWER.fullmatch(name)}
    except Refusal:
        raise
    except log.UNSOUND:
        raise Refusal(f"{source} is not a file that save_progress() wrote: {consequence}.") from None
    return {name: own for name, own in lines.items() if log.NAME.fullmatch(name)}, answers


def current_progress():
    """Current progress, ({name: [lines]}, {exercise: source}): this folder's, the other lessons', and what
    this kernel could not write. This folder's answers take precedence."""
    lines, answers = {log.FACTS: []}, {}
    for path, own in log.lines_of_files():
        if name := log.NAME.match(path.name):
            lines[name[0]] = merge_lines(lines.get(name[0], []), own)
    for folder in reversed(lesson_folders()):
        for path in (folder / FOLDER).glob("*.py"):
            if ANSWER.fullmatch(path.stem):
                answers[path.stem] = path.read_text(encoding="utf-8", errors="replace")
    return lines, answers


def merge(first, second):
    """Merge two pairs (lines, answers). If both have an answer, the second one's is used."""
    (lines, answers), (other_lines, newer) = first, second
    lines = {
        name: merge_lines(lines.get(name, []), other_lines.get(name, [])) for name in {**lines, **other_lines}
    }
    return lines, {**answers, **newer}


def merge_lines(*parts):
    """The lines of all parts in order, each once; only lines that may be a JSON object."""
    lines = (line.strip() for part in parts for line in part)
    return list(dict.fromkeys(line for line in lines if line[:1] == "{" and line[-1] == "}"))
