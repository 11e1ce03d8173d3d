"""An exercise written once more from memory, as a kind of practice (kinds.py): facts `memory:EXERCISE`.

Any object called EXERCISE_from_memory that is given to the check of EXERCISE counts. The text is kept in
.progress/EXERCISE_from_memory.py: the same text again, as when a notebook runs from the top, is no practice.
"""

from contextlib import suppress
from types import FunctionType

from ..model.sheet import load_sheet, published_names
from ..own.saved import FOLDER, lesson_folders, notebook_cells, write_whole
from ..source import statements
from . import log
from .card import say

PREFIX = "memory:"
ENDING = "_from_memory"
AT_THE_END = {  # of lessons: estimated minutes, for somebody who has written it before
    "masked_softmax": 5,
    "multi_head_attention_core": 7,
    "CausalMultiHeadSelfAttention": 10,
    "MultiHeadAttentionWithCache": 12,
    "induction_score": 6,
    "DecoderBlock": 8,
    "online_softmax_attention": 8,
}
OTHERS = 6
COUNTED = "passed", "one_left", "wrong", "error"
TASK = "Write `{0}` from memory, in a new cell, without hints: {1}."
HOW = 'Call it `{0}_from_memory`; then `check("{0}", {0}_from_memory)` tries it.'
_asked = set()  # in this kernel: then the same text counts, as it was written anew


def items():
    return {name: AT_THE_END.get(name, OTHERS) for name in published_names()}


def title(name):
    return f"From memory: {name}"


def ask(name):
    _asked.add(name)
    signatures = load_sheet(name).contract.signatures.values()
    say(TASK.format(name, ", ".join(f"`{signature}`" for signature in signatures)), HOW.format(name))


def new(facts):
    """Those at the end of lessons, once the exercise itself passes."""
    return [name for name in AT_THE_END if name in published_names() and saved_texts(f"{name}.py")]


def remember_check(name, obj, result):
    """Remember what a check found, if it was a check of a version from memory; a sentence if it could not be
    kept, else None."""
    own_name = obj.__name__ if isinstance(obj, (type, FunctionType)) else ""
    if own_name != f"{name}{ENDING}" or result.status not in COUNTED:
        return None
    text = text_of(f"{name}{ENDING}")
    if text and text in saved_texts(f"{name}{ENDING}.py") and name not in _asked:
        return None
    _asked.discard(name)
    keep_text(name, text)
    return log.remember(log.Fact(PREFIX + name, log.now(), result.accepted))


def text_of(target):
    """The newest definition of this name in the notebook's cells; "" outside a notebook."""
    every = (statement for cell in notebook_cells() for statement in statements(cell))
    texts = [statement.text for statement in every if target in statement.bound]
    return texts[-1] if texts else ""


def saved_texts(file):
    """The texts of the files of this name that can be read, here and beside other lessons."""
    texts = []
    for folder in lesson_folders():
        with suppress(OSError):
            texts.append((folder / FOLDER / file).read_text(encoding="utf-8", errors="replace"))
    return texts


def keep_text(name, text):
    if text:
        with suppress(OSError):  # a read-only folder: that the fact is not kept is said
            write_whole(FOLDER / f"{name}{ENDING}.py", text)
