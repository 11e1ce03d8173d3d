"""The prose that Python brings: its manual's pages for `help()` to a training text and a held-out text."""

import importlib
import re
from importlib.util import find_spec
from zlib import crc32

SHARED = 30
HELD_OUT_EVERY = 10  # of so many paragraphs, about one is held out
NO_PROSE = re.compile(r"::=|>>>|\*\*\*|===|---")  # grammar, sessions, headings, tables
MARKS = re.compile(r"[*\"“”`]|\B['‘’]|['‘’]\B")  # an apostrophe within a word stays
LABELS = re.compile(
    r"^(New in version|Changed in version|Deprecated since version) [^:]*: |^CPython implementation detail: "
)
LIBRARY = ["argparse", "asyncio", "collections", "datetime", "decimal", "email.message", "logging", "pathlib"]
LIBRARY += ["shutil", "socket", "statistics", "string", "subprocess", "threading", "typing", "unittest"]


def prose():
    """(training text, held-out text), a paragraph a line. No two share SHARED characters in a row."""
    sides = [], []
    for paragraph in all_different(plain(piece) for piece in pieces() if is_prose(piece)):
        sides[is_held_out(paragraph)].append(f"{paragraph}\n")
    training, held_out = map("".join, sides)
    return training, held_out


def is_held_out(paragraph):
    """Decided by how it begins, so that a manual of another Python version, where paragraphs come and go or
    are edited, holds out the same ones: a model that was trained elsewhere has not read them."""
    return crc32(paragraph[:20].encode()) % HELD_OUT_EVERY == 0


def all_different(paragraphs):
    """Those that share no run of SHARED characters with one before them: manuals say many things twice."""
    seen = set()
    for paragraph in paragraphs:
        runs = {paragraph[i : i + SHARED] for i in range(max(1, len(paragraph) - SHARED + 1))}
        if not runs & seen:
            seen |= runs
            yield paragraph


def pieces():
    """Everything between two empty lines."""
    texts = topics() if has_topics() else docstrings()
    return [piece for text in texts for piece in re.split(r"\n\s*\n", text)]


def has_topics():
    return bool(find_spec("pydoc_data") and find_spec("pydoc_data.topics"))


def topics():
    """The pages that `help("slicing")` and its like show."""
    return importlib.import_module("pydoc_data.topics").topics.values()


def docstrings():
    """What `help` says of the modules in LIBRARY and of what they hold: for a Python without topics."""
    for name in LIBRARY:
        module = importlib.import_module(name)
        things = [module, *(thing for thing in vars(module).values() if callable(thing))]
        methods = [method for thing in things if isinstance(thing, type) for method in vars(thing).values()]
        found = (getattr(thing, "__doc__", None) for thing in [*things, *methods])
        yield from (text for text in found if isinstance(text, str))


def plain(piece):
    """The paragraph as one line, without quotation marks, signs of emphasis and what hundreds begin with."""
    return LABELS.sub("", " ".join(MARKS.sub("", piece).split()))


def is_prose(piece):
    """Six words or more that end like a sentence, and hardly anything but letters."""
    words = piece.split()
    letters = sum(letter.isalpha() or letter.isspace() for letter in piece)
    ends = piece.rstrip().endswith((".", ":", ";", "!", "?", ")"))
    return len(words) >= 6 and ends and letters > 0.8 * len(piece) and not NO_PROSE.search(piece)
