"""Writing an exercise again from memory, as a kind of practice: facts `memory:EXERCISE`.

A check of EXERCISE counts if its object is called EXERCISE_from_memory. Its source is saved in
.progress/EXERCISE_from_memory.py: the same source again, as when a whole notebook runs, does not count.
"""

from contextlib import suppress
from types import FunctionType

from ..model.sheet import load_sheet, published_names
from ..own.saved import FOLDER, lesson_folders, notebook_cells, write_whole
from ..source import statements
from . import log
from .card import say
from .schedule import Kind

PREFIX = "memory:"
ENDING = "_from_memory"
LESSON_END_MINUTES = {  # {exercise at the end of a lesson: estimated minutes when written again}
    "masked_softmax": 5, "multi_head_attention_core": 7, "CausalMultiHeadSelfAttention": 10,
    "MultiHeadAttentionWithCache": 12, "induction_score": 6, "DecoderBlock": 8, "online_softmax_attention": 8,
}  # fmt: skip
COUNTED = "passed", "one_left", "wrong", "error"
_asked_names = set()  # asked in this kernel: the next answer counts even if its source is an old one


def ask(names):
    for name in names:
        _asked_names.add(name)
        signatures = ", ".join(f"`{text}`" for text in load_sheet(name).contract.signatures.values())
        say(
            f"Write `{name}` from memory, in a new cell, without hints: {signatures}.",
            f'Call it `{name}{ENDING}`; then `check("{name}", {name}{ENDING})` tries it.',
        )


def remember_check(name, obj, result):
    """Record a check of a version from memory, and show a sentence if that could not be saved."""
    own_name = f"{name}{ENDING}"
    is_own = isinstance(obj, (type, FunctionType)) and obj.__name__ == own_name
    if not is_own or result.status not in COUNTED:
        return
    written_statements = (statement for cell in notebook_cells() for statement in statements(cell))
    texts = [statement.text for statement in written_statements if own_name in statement.bound]
    if texts and texts[-1] in saved_texts(own_name) and name not in _asked_names:
        return
    _asked_names.discard(name)
    if texts:
        with suppress(OSError):  # in a read-only folder log.remember() notes it
            write_whole(FOLDER / f"{own_name}.py", texts[-1])
    log.remember(log.Fact(PREFIX + name, log.now(), result.accepted))
    say(*log.take_notes())


def saved_texts(name):
    """The contents of the saved files with this name, in this lesson's folder and the other lessons'."""
    paths = [folder / FOLDER / f"{name}.py" for folder in lesson_folders()]
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths if path.is_file()]


KIND = Kind(
    prefix=PREFIX,
    minutes=lambda: {name: LESSON_END_MINUTES.get(name, 6) for name in published_names()},
    title=lambda name: f"From memory: {name}",
    ask=ask,
    # the exercises from the end of each lesson that have been passed
    new=lambda _: [name for name in LESSON_END_MINUTES if name in published_names() and saved_texts(name)],
)
