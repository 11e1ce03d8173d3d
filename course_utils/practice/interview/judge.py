"""A Problem and an object come in, a Judgement goes out: right, or which mistake, or what was seen.

All conventions are tried on the first small input. One under which the numbers agree is then tried on all
others: the answer is right only if it holds for all of them.
"""

import re
import time
import warnings
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from ...observe.crash import crash_of
from ...observe.limit import SECONDS, TimeUp, interruptible, time_limit
from ...observe.trial import first_line, quiet, seeded
from .attention.calls import libraries
from .blocked import SENTENCE, ReadyMade, blocked
from .values import same

MOST_WAYS = 8000  # the time limit ends a search before
MOST_KEPT = 40  # outcomes that known mistakes are looked for in
TO_TRY, TO_NAME = 0.6, 0.9  # of the time limit: when no further way, and no further mistake, is tried
BROKE = "The check ended with {}: {}. If that is not from your own code, it is our fault: please report it."
TOO_LONG = "It did not come to an end within {:g} seconds: is there a loop that never stops?"


@dataclass
class Judgement:
    """right: is it? variant: the reference that it equals. mistake: the name of a known one. sentences: what
    is said. question: (word, sentence) of the one thing to ask. printed: what the answer printed. crash:
    where it raised. read: was there a result that could be compared? rest_right, beside: where a ready-made
    function is called, whether all else is right, and the name of a mistake in it."""

    right: bool
    sentences: list
    variant: str = ""
    mistake: str = ""
    question: tuple | None = None
    printed: str = ""
    crash: object = None
    way: str = ""
    read: bool = False
    beside: str = ""
    rest_right: bool = False


@dataclass
class Seen:
    """What the search has met: results that could be read, results that could not, and errors."""

    kept: list = field(default_factory=list)
    unread: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    half: list = field(default_factory=list)
    vague: tuple | None = None
    memo: dict = field(default_factory=dict)
    first: dict = field(default_factory=dict)
    asked: bool = False
    said: dict = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    seconds: float = SECONDS

    def late(self, share):
        """Is this share of the time over? A search that is long is no loop of the learner's that never
        stops."""
        return time.monotonic() - self.began > share * self.seconds


def judge(problem, obj, said=None, seconds=None, asked=False):
    """The Judgement. Never raises for what the object does; a keyboard interrupt passes through.
    asked: has the one question been asked already? Then what is seen is said instead."""
    said, seconds = said or {}, seconds or SECONDS
    with quiet() as out, seeded(0), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with blocked(problem.ready_made, obj) as called:
            found = searched(problem, obj, said, seconds, asked)
        if called and not found.right and found.mistake in ("", "ready_made"):
            found = beside_ready_made(sorted(called)[0], problem, obj, said, seconds)
    found.printed = out.kept
    return found


def searched(problem, obj, said, seconds, asked):
    """The Judgement of a search that ends in time."""
    try:
        with time_limit(seconds):
            return interruptible(lambda: search(problem, obj, said, asked, seconds))
    except TimeUp:
        return Judgement(False, [TOO_LONG.format(seconds)], mistake="too_long")
    except ReadyMade as ready:
        return Judgement(False, [SENTENCE.format(ready)], mistake="ready_made")
    except Exception as error:  # from an attribute that raises, say; or from a slip of ours
        return Judgement(False, [BROKE.format(type(error).__name__, first_line(error))], mistake="")


def beside_ready_made(name, problem, obj, said, seconds):
    """What is said where a ready-made function is called: that, and what is known of the rest. A softmax that
    is ready-made leaves no rest."""
    found = Judgement(False, [SENTENCE.format(name)], mistake="ready_made")
    if "softmax" in problem.ready_made:
        return found
    rest = searched(problem, obj, said, seconds, True)
    if rest.right:
        found.sentences[0] += " All else is right."
    elif rest.read and rest.mistake:
        found.sentences[0] += f" Besides: {rest.sentences[0]}"
        found.beside = rest.mistake
    found.rest_right = rest.right
    return found


def search(problem, obj, said, asked, seconds=SECONDS):
    seen = Seen(first=problem.draws[0], asked=asked, said=said, seconds=seconds)
    for way in islice(problem.ways(obj, said), MOST_WAYS):
        if seen.late(TO_TRY):
            break
        outcome = attempt(way, problem.draws[0], seen)
        if outcome is None:
            continue
        read = list(islice(problem.readings(outcome, problem.draws[0]), 400))
        if not read:
            seen.unread.append((way, outcome))
            continue
        found = try_rights(problem, obj, said, way, outcome, read, seen)
        if found is not None:
            return found
        if len(seen.kept) < MOST_KEPT and not outcome.notes.get("only right"):
            seen.kept.append((way, outcome, read))
    found = not_right(problem, obj, said, seen)
    found.read = bool(seen.kept)
    return found


def attempt(way, given, seen=None):
    """The Outcome; None where the call raised."""
    try:
        return way.run(given)
    except (KeyboardInterrupt, TimeUp, ReadyMade):
        raise
    except BaseException as error:  # whatever the learner's code raises
        if seen is not None:
            seen.errors.append((way, error))
        return None


def wanted(maker, reading, number, memo):
    """The reference's result, worked out once for readings that mean the same input."""
    key = (id(maker), number, reading.memo if reading.memo is not None else id(reading))
    if key not in memo:
        memo[key] = maker(reading.given() if callable(reading.given) else reading.given)
    return memo[key]


def try_rights(problem, obj, said, way, outcome, read, seen):
    """The Judgement of an answer that is right under this way; None otherwise."""
    allowed = outcome.notes.get("variants") or tuple(problem.rights)
    for reading in read:
        for variant in filter(problem.rights.get, allowed):
            maker = problem.rights[variant]
            if not same(reading.array, wanted(maker, reading, 0, seen.memo), problem.tolerance):
                continue
            failed = first_failure(problem, way, reading.key, maker, seen)
            if failed is not None:
                seen.half.append((way, reading, variant, failed))
                continue
            asked = problem.vague.get(variant)
            if asked and asked[0] not in said:
                seen.vague = seen.vague or asked
                continue
            told = problem.look(obj, way, reading) if problem.look else None
            if told:
                mistake, sentence = told if isinstance(told, tuple) else ("", told)
                return Judgement(False, [sentence], mistake=mistake, read=True)
            return Judgement(True, [], variant=variant, way=way.name)
    return None


def first_failure(problem, way, key, maker, seen):
    """The number of the first other input where the convention does not hold; None where it always does."""
    for number, given in enumerate(problem.draws[1:], 1):
        if not holds(problem, way, key, maker, number, given, seen.memo):
            return number
    return None


def holds(problem, way, key, maker, number, given, memo):
    outcome = attempt(way, given)
    if outcome is None:
        return False
    reading = next((one for one in problem.readings(outcome, given) if one.key == key), None)
    return reading is not None and same(
        reading.array, wanted(maker, reading, number, memo), problem.tolerance
    )


# ---- what is said of an answer that is not right


def not_right(problem, obj, said, seen):
    name, sentence = known_mistake(problem, seen)
    if problem.closer and not seen.vague:
        name, sentence = problem.closer(seen, name) or (name, sentence)
    if seen.vague and name in ("", *seen.vague[2]) and not seen.asked:
        return Judgement(False, [seen.vague[1]], question=seen.vague)
    if seen.vague and not name and len(seen.vague) > 3:
        name, sentence = seen.vague[3]
    if name:
        meant = MEANT_SO.format(seen.vague[0]) if seen.vague else ""
        return Judgement(False, [sentence + meant], mistake=name)
    return evidence(problem, obj, said, seen)


def known_mistake(problem, seen):
    """(name, sentence) of the first known mistake that the answer makes on all inputs. What would be right
    if the answer to the one question is yes is no mistake."""
    unsure = [one for one in seen.kept if set(one[1].notes.get("variants", ())) & set(problem.vague)]
    sure = [one for one in seen.kept if not any(one is other for other in unsure)]
    some = sure if seen.vague and len(seen.kept) > 1 else [*sure, *unsure]
    for way, outcome, read in sorted(some, key=lambda one: one[1].notes.get("last", False)):
        for name, wrong in problem.wrongs.items():
            if seen.late(TO_NAME):
                return "", ""
            if name in outcome.notes.get("left out", ()):
                continue  # it is about something that this call did not get
            if any(makes(problem, way, reading, wrong, seen) for reading in read):
                return name, wrong.sentence
    return "", ""


def makes(problem, way, reading, wrong, seen):
    """Is this the mistake, under this way and reading?"""
    return any(
        same(reading.array, wanted(maker, reading, 0, seen.memo), problem.tolerance)
        and repeats(problem, way, reading, wrong, maker, seen)
        for maker in wrong.makers
    )


def repeats(problem, way, first, wrong, maker, seen):
    """Is the mistake made on all other inputs too, and does it differ from what is right on one of them? An
    input on which it raises, or on which an overflow hides it, does not speak against it."""
    agreed, differs = 0, False
    for number, given in enumerate(problem.draws):
        errors = Seen()
        outcome = attempt(way, given, errors)
        if outcome is None:
            raised = wrong.overflows and isinstance(errors.errors[0][1], ArithmeticError)
            if raised and problem.meant and finite(maker, problem.meant(given, first.memo)):
                return False
            differs = differs or raised
            continue
        reading = next((one for one in problem.readings(outcome, given) if one.key == first.key), None)
        if reading is None:
            return False
        made = wanted(maker, reading, number, seen.memo)
        if given.get("loud") and np.isnan(reading.array).any() and not np.isnan(made).any():
            continue
        if not same(reading.array, made, problem.tolerance):
            return False
        agreed += 1
        sure = [
            right
            for name, right in rights_of(problem, outcome).items()
            if name not in problem.vague or problem.vague[name][0] in seen.said
        ]
        rights = (wanted(right, reading, number, seen.memo) for right in sure)
        differs = differs or not any(same(made, right, problem.tolerance) for right in rights)
    return agreed > 1 and differs


def finite(maker, given):
    """Would the mistake give numbers where the answer raised?"""
    return bool(np.isfinite(maker(given)).all())


def rights_of(problem, outcome):
    """{variant: reference} of those that count for this outcome."""
    allowed = outcome.notes.get("variants") or tuple(problem.rights)
    return {variant: problem.rights[variant] for variant in allowed if variant in problem.rights}


def evidence(problem, obj, said, seen):
    """One sentence on what was seen, where no mistake is known for it."""
    told = problem.evidence(seen) if problem.evidence else None
    if told:
        mistake, sentence = told if isinstance(told, tuple) else ("", told)
        return Judgement(False, [sentence], mistake=mistake)
    if seen.half:
        _, reading, _, number = seen.half[0]
        return Judgement(False, [half_right(problem, number)])
    if nearly(problem, seen):
        return Judgement(False, [NEARLY])
    if seen.kept:
        array = seen.kept[0][2][0].array
        return Judgement(False, [numbers_of(array)])
    if seen.unread:
        value = seen.unread[0][1].value
        return Judgement(False, [unread(value)], mistake="returns_none" if value is None else "")
    question = unclear(problem, obj, said, seen)
    if question:
        return Judgement(False, [question[1]], question=question)
    if seen.errors:
        way, error = plausible(seen.errors, obj)
        text = f"It ends with {type(error).__name__}: {first_line(error)}"
        return Judgement(False, [text], crash=crash_of(error, {}), mistake=f"raises_{type(error).__name__}")
    return Judgement(False, ["There is no way to call this with what the task hands in: what does it take?"])


MEANT_SO = " It is right all the same, if this says what you mean: `interview.check(NAME, {}=True)`."
WHICH = (
    'It cannot be seen what `{0}` stands for. Say it once: `interview.check(NAME, heads="{0}")`, with one of '
    "these words in the place of heads: {1}."
)


def unclear(problem, obj, said, seen):
    """(word, the one question to ask), where a parameter's name says nothing; None otherwise."""
    names = [] if said or seen.asked or not problem.unclear else problem.unclear(obj)
    return (names[0], WHICH.format(names[0], ", ".join(problem.roles))) if names else None


OTHER_INPUT = {"torch": "ndarray|numpy", "numpy": r"\bTensor\b|\btorch\b", "list": r"\bTensor\b|\btorch\b"}
LISTS = r"'list'|\blist indices\b|\bof type list\b"


def plausible(errors, obj):
    """The error that came from the learner's own lines, rather than from our call, and that is not one of
    handing in lists, or tensors to a program in NumPy."""
    inside = [one for one in errors if not isinstance(one[1], TypeError) or "argument" not in str(one[1])]
    arrays = [one for one in inside or errors if not re.search(LISTS, str(one[1]))]
    meant = [one for one in arrays if not re.search(OTHER_INPUT[libraries(obj)[0]], str(one[1]))]
    return (meant or arrays or inside or errors)[0]


NEARLY = (
    "The numbers are right within a few percent, and not to the last digits: is something worked out in "
    "a narrow dtype, or masked with a number that is not low enough?"
)


def nearly(problem, seen):
    """Are the numbers off by a few percent only, under some way?"""
    for _, outcome, read in seen.kept:
        for reading in read[:8]:
            for right in rights_of(problem, outcome).values():
                if reading.array.dtype != bool and same(
                    reading.array, wanted(right, reading, 0, seen.memo), 0.03
                ):
                    return True
    return False


SIZE_WORDS = (("T", 1, "one token"), ("H", 1, "one head"), ("B", 1, "a batch of one"))


def half_right(problem, number):
    given = problem.draws[number]
    said = [words for name, size, words in SIZE_WORDS if given.get(name) == size]
    what = given.get("what") or (f"with {' and '.join(said)}" if said else "")
    return f"Right for the first input, and not for another one{' ' + what if what else ''}."


NO_KNOWN = (
    "It runs and the shape is right, but the numbers are those of no mistake that is known here: there may "
    "be two. Take the smallest input whose result you can work out by hand, and compare number by number."
)


def numbers_of(array):
    if np.isnan(array.astype(float)).any():
        return "Some numbers are NaN: is there a row in which everything is masked, 0 / 0, or inf - inf?"
    return NO_KNOWN


def unread(value):
    if value is None:
        return "It returns None: is there a `return`?"
    shape = getattr(value, "shape", None)
    what = f"the shape {tuple(shape)}" if shape is not None else f"a {type(value).__name__}"
    return f"It returns {what}, in which nothing looks like the result that the task asks for."
