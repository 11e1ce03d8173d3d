"""save_progress() and load_progress(): all that is kept, as one small file, for places that forget files."""

from importlib import import_module
from pathlib import Path

from ..own.saved import FOLDER, lesson_folders, write_whole
from ..show.card import show_text
from .lines import NAME as LINES_NAME
from .lines import PREDICTIONS, all_lines, keep_lines, united_all
from .memory import recall
from .one_file import ANSWER, packed, read_saved
from .schedule.from_memory import ENDING
from .typed import kind_of

NAME = "course-progress.json"
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


def put_back(lines, answers, where):
    """Add what is new, and say how much that was."""
    here = kept_answers()
    missing = {name: text for name, text in answers.items() if name not in here}
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
    return f"{counted(number, 'answer')} and {counted(len(exercises), 'exercise')}"


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
