"""Class -> pairs of students whose answers are nearly the same, and what became of all answers.

They are found by pieces: all runs of five words. What every student was given, or may have found in the
course, is taken out, and so is what many have.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

from rapidfuzz.distance import Indel

from autograder.publish.solutions import answers as lesson_answers
from autograder.releases import store
from course_utils.source import statements

from .answers import COMMON, COMPARED, LESSONS, SHORT
from .normal import code_lines, text_lines

STANDINS = Path(store.ROOT) / "course_utils" / "standins.py"
LENGTH = 5  # words of a piece
FEW = 4  # students: what more have is common
ALIKE = 0.92  # share of the words, in the same order; independent right answers reach 0.90
ENOUGH = 12  # unusual pieces of a pair, in all exercises that are alike
LEAST = 4  # unusual pieces in one exercise
PARTLY, HALF = 40, 0.5  # so many unusual pieces, half of all that one of the two has: a part is alike


@dataclass
class Match:
    """One exercise of a pair, two Answers. alike: share of the words. unusual: how many pieces both have, and
    few others."""

    first: object
    second: object
    alike: float
    unusual: int

    @property
    def name(self):
        return self.first.name


@dataclass
class Pair:
    students: tuple
    matches: list = field(default_factory=list)

    @property
    def unusual(self):
        return sum(match.unusual for match in self.matches)


def compare(whole, together=lambda first, second: False):
    """Fill in the Class; together: whether two students may hand in the same."""
    pairs, by_name = {}, defaultdict(list)
    for answer in whole.answers:
        by_name[answer.name].append(answer)
    for name, answers in by_name.items():
        sort_out(whole.lesson, name, answers)
        whole.fates[name] = Counter(answer.fate for answer in answers)
        for match in matches([answer for answer in answers if answer.fate == COMPARED]):
            students = match.first.student, match.second.student
            pairs.setdefault(students, Pair(students)).matches.append(match)
    for pair in pairs.values():
        pair.matches.sort(key=lambda match: -match.unusual)
    shown = [pair for pair in pairs.values() if pair.unusual >= ENOUGH]
    alone = [pair for pair in shown if not together(*pair.students)]
    whole.pairs = sorted(alone, key=lambda pair: (-pair.unusual, pair.students))
    whole.in_groups = len(shown) - len(alone)
    return whole


def sort_out(lesson, name, answers):
    """Enter into each answer its pieces, and what becomes of it."""
    right, forms = right_answers(lesson, name), Counter(form_of(answer.lines) for answer in answers)
    for answer in answers:
        answer.pieces = pieces_of(answer.lines) - given_pieces()
    counts = Counter(piece for answer in answers for piece in answer.pieces)
    common = {piece for piece, count in counts.items() if count > FEW}
    for answer in answers:
        if any(alike(answer.lines, lines) >= ALIKE for lines in right):
            answer.fate = LESSONS
        elif len(answer.pieces) < LEAST:
            answer.fate = SHORT
        elif forms[form_of(answer.lines)] > FEW or len(answer.pieces - common) < LEAST:
            answer.fate = COMMON
        answer.pieces -= common


def matches(answers):
    """The Matches among the answers to one exercise.

    A piece leads to at most six pairs, so the time grows with the class, and not with its square.
    """
    holders = defaultdict(list)
    for number, answer in enumerate(answers):
        for piece in answer.pieces:
            holders[piece].append(number)
    shared = Counter(pair for numbers in holders.values() for pair in combinations(numbers, 2))
    for (i, j), count in shared.items():
        first, second = answers[i], answers[j]
        if count >= LEAST:
            share = alike(first.lines, second.lines)
            half = HALF * min(len(first.pieces), len(second.pieces))
            if share >= ALIKE or count >= max(PARTLY, half):
                yield Match(first, second, share, count)


def alike(first, second):
    """Share of the words that two lists of Lines have in the same order.

    Where it is more with the statements sorted, that: then their order does not matter.
    """
    as_written = Indel.normalized_similarity(words(first), words(second))
    return max(as_written, Indel.normalized_similarity(words(in_order(first)), words(in_order(second))))


def in_order(lines):
    return sorted(lines, key=lambda line: line.words)


def words(lines):
    return [word for line in lines for word in (*line.words, "\n")]


def form_of(lines):
    return tuple(sorted(line.words for line in lines))


def pieces_of(lines):
    """All runs of five words within a statement or sentence; a shorter one is a piece as a whole."""
    return {
        line.words[start : start + LENGTH]
        for line in lines
        for start in range(max(1, len(line.words) - LENGTH + 1))
    }


def lines_with(lines, pieces):
    """The numbers of the lines of a text whose statement holds one of the pieces."""
    holding = (line for line in lines if not pieces.isdisjoint(pieces_of([line])))
    return {number for line in holding for number in range(line.first, line.last + 1)}


@cache
def given_pieces():
    """The pieces of all lessons as they are given out, of their own answers and of the stand-ins.

    That two students both have these says nothing.
    """
    pieces = set(pieces_of(code_lines(STANDINS.read_text(encoding="utf-8"))))
    for lesson, release in store.lessons().items():
        for cell in release.skeleton().cells:
            read = code_lines if cell.cell_type == "code" else text_lines
            pieces |= pieces_of(read(cell.source))
        for name, text in own_answers(lesson).items():
            pieces |= pieces_of(text_lines(text) if name in release.by_hand else code_lines(text))
    return pieces


def right_answers(lesson, name):
    """[[Line]]: the lesson's own answer to an exercise or a question, and its stand-in."""
    release, own = store.current(lesson), own_answers(lesson).get(name, "")
    if name in release.by_hand:
        return [text_lines(own)]
    texts = [stand_in.python for stand_in in stand_ins() if name in stand_in.bound]
    return [code_lines(text) for text in (own, *texts) if text]


@cache
def own_answers(lesson):
    """{grade id: text}; nothing of a lesson whose source is not here."""
    try:
        return lesson_answers(lesson)
    except OSError:
        return {}


@cache
def stand_ins():
    return statements(STANDINS.read_text(encoding="utf-8"))
