"""Class -> Found: pairs of students whose answers are nearly the same, and what became of all answers."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from rapidfuzz.distance import Indel

from .pieces import FEW, common, pieces_of, shared
from .released import given_pieces, right_answers

ALIKE = 0.92  # share of the words, in the same order; independent right answers reach 0.90
ENOUGH = 12  # unusual pieces of a pair, in all exercises that are alike
LEAST = 4  # unusual pieces in one exercise
PARTLY, HALF = 40, 0.5  # so many unusual pieces, half of all that one of the two has: a part is alike
SHORT, COMMON, LESSONS, COMPARED = "short", "common", "lessons", "compared"  # what became of an answer


@dataclass
class Read:
    """An Answer, its pieces without the lesson's own and the common ones, and what became of it."""

    answer: object
    pieces: set
    fate: str = COMPARED


@dataclass
class Match:
    """One exercise of a pair. alike: share of the words. unusual: how many pieces both have, and few others.
    marked: [{numbers of lines}, {numbers of lines}] of the two texts that hold these."""

    first: object
    second: object
    alike: float
    unusual: int
    marked: list

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


@dataclass
class Found:
    """fates: {exercise: Counter of what became of its answers}. in_groups: pairs that hand in together."""

    lesson: str
    students: int
    unread: int
    pairs: list = field(default_factory=list)
    fates: dict = field(default_factory=dict)
    in_groups: int = 0


def compare(whole, together=lambda first, second: False):
    """Found; together: whether two students may hand in the same."""
    result, pairs, by_name = Found(whole.lesson, whole.students, whole.unread), {}, defaultdict(list)
    for answer in whole.answers:
        by_name[answer.name].append(answer)
    for name, answers in by_name.items():
        read = sorted_out(whole.lesson, name, answers)
        result.fates[name] = Counter(each.fate for each in read)
        for match in matches([each for each in read if each.fate == COMPARED]):
            students = match.first.student, match.second.student
            pairs.setdefault(students, Pair(students)).matches.append(match)
    for pair in pairs.values():
        pair.matches.sort(key=lambda match: -match.unusual)
    shown = [pair for pair in pairs.values() if pair.unusual >= ENOUGH]
    result.pairs = [pair for pair in shown if not together(*pair.students)]
    result.in_groups = len(shown) - len(result.pairs)
    result.pairs.sort(key=lambda pair: (-pair.unusual, pair.students))
    return result


def sorted_out(lesson, name, answers):
    """[Read]: each answer with its pieces, and what becomes of it."""
    right, forms = right_answers(lesson, name), Counter(form_of(answer.lines) for answer in answers)
    read = [Read(answer, pieces_of(answer.lines) - given_pieces()) for answer in answers]
    usual = common(text.pieces for text in read)
    for text in read:
        if any(alike(text.answer.lines, lines) >= ALIKE for lines in right):
            text.fate = LESSONS
        elif len(text.pieces) < LEAST:
            text.fate = SHORT
        elif forms[form_of(text.answer.lines)] > FEW or len(text.pieces - usual) < LEAST:
            text.fate = COMMON
        text.pieces -= usual
    return read


def matches(compared):
    """The Matches among the Reads of one exercise."""
    for (i, j), count in shared([text.pieces for text in compared]).items():
        if count >= LEAST:
            text, other = compared[i], compared[j]
            share = alike(text.answer.lines, other.answer.lines)
            if share >= ALIKE or (
                count >= PARTLY and count >= HALF * min(len(text.pieces), len(other.pieces))
            ):
                both = text.pieces & other.pieces
                marked = [lines_with(each.answer.lines, both) for each in (text, other)]
                yield Match(text.answer, other.answer, share, count, marked)


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


def lines_with(lines, pieces):
    """The numbers of the lines of a text whose statement holds one of the pieces."""
    holding = (line for line in lines if not pieces.isdisjoint(pieces_of([line])))
    return {number for line in holding for number in range(line.first, line.last + 1)}
