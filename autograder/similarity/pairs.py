"""Finds the pairs of students in a Class whose answers are nearly the same.

The measure is the share of an answer's pieces that the other answer has too. Pieces that the course itself
contains, or that many students wrote, are no evidence: a pair is shown for its unusual pieces.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from autograder.publish.solutions import answers as own_answers
from autograder.releases import store
from autograder.submission.pieces import code_pieces, text_pieces

from .answers import Answer

STANDINS = Path(store.ROOT) / "course_utils" / "standins.py"
MAX_HOLDERS = 4  # students: a piece that more have is common
MIN_SHARE = 0.75  # share of the pieces of the shorter answer; independent right answers reach 0.72
MIN_UNUSUAL = 12  # unusual pieces that a pair must share, over all its matches


@dataclass
class Match:
    """One exercise of a pair. alike: the share of common pieces. unusual: those that few others have."""

    first: Answer
    second: Answer
    alike: float
    unusual: set


class Pair(NamedTuple):
    """unusual: the number of unusual pieces in all matches together."""

    students: tuple
    matches: list
    unusual: int


def compare(lesson_class, together=None):
    """Fill in the Class's pairs, the most alike first. together: {student: members of the same group}."""
    by_name, alike = defaultdict(list), defaultdict(list)
    for answer in lesson_class.answers:
        by_name[answer.name].append(answer)
    for match in (match for answers in by_name.values() for match in matches(answers)):
        alike[match.first.student, match.second.student].append(match)
    for students, of_pair in alike.items():
        unusual = sum(len(match.unusual) for match in of_pair)
        if unusual >= MIN_UNUSUAL and students[1] not in (together or {}).get(students[0], ()):
            lesson_class.pairs.append(Pair(students, of_pair, unusual))
    lesson_class.pairs.sort(key=lambda pair: (-pair.unusual, pair.students))
    return lesson_class


def matches(answers):
    """Yield the Matches among the answers to one exercise.

    A piece leads to at most six pairs, so the time grows linearly with the class.
    """
    holders, shared = defaultdict(list), defaultdict(set)
    for number, answer in enumerate(answers):
        for piece in answer.pieces.keys() - course_pieces():
            holders[piece].append(number)
    for piece, numbers in holders.items():
        for pair in combinations(numbers, 2) if len(numbers) <= MAX_HOLDERS else ():
            shared[pair].add(piece)
    for (i, j), unusual in shared.items():
        first, second = answers[i], answers[j]
        alike = len(first.pieces.keys() & second.pieces) / min(len(first.pieces), len(second.pieces))
        if alike >= MIN_SHARE:
            yield Match(first, second, alike, unusual)


@cache
def course_pieces():
    """The pieces in all lessons as handed out, in their own answers, and in the stand-ins."""
    pieces = set(code_pieces(STANDINS.read_text(encoding="utf-8")))
    for lesson, release in store.lessons().items():
        for cell in release.skeleton().cells:
            pieces.update((code_pieces if cell.cell_type == "code" else text_pieces)(cell.source))
        for name, text in own_answers(lesson).items():
            pieces.update((text_pieces if name in release.by_hand else code_pieces)(text))
    return frozenset(pieces)
