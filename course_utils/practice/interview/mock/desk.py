"""mock_interview(level): what a learner calls. Each call shows a card and returns nothing; none raises."""

import secrets
from datetime import timedelta

from ....show.card import display_both
from ...memory import now
from . import parts
from .cards import end_card, hint_card, part_card, reveal_card
from .compose import compose, fresh_seed, names_of
from .kinds import hints
from .levels import LEVELS, find_level
from .marks import read_marks
from .page import write_page
from .record import keep, mocks
from .say import say
from .sheet import write_sheet

NONE = 'No mock interview is running: `mock_interview("intern")` starts one. There are: {}.'
NONE_YET = 'There is no mock interview yet: `mock_interview("intern")` starts one. There are: {}.'
RUNNING = (
    "A mock interview is running ({}): `mock_interview()` shows it, `mock_interview.stop()` ends it, and "
    "then another one can start."
)
BAD_SEED = "`seed` is a whole number, or left out, and {} came: nothing was started."
BAD_PEOPLE = "`people` is 1 or 2, and {} came: nothing was started."
NEEDS_SEED = (
    'For two people your interviewer runs `mock_interview.interviewer("{}")` first: it writes their sheet '
    "and says with which seed you start."
)
OVER = "The time is over."
DONE = "That was all of it."
STOPPED = "It was ended."
OF_TWO = "Your interviewer has the hints and the answers. They are shown here when the interview is over."
NO_HINTS = "There are no hints for this part."
ALL_HINTS = "There is no further hint for this part."
AT_ONCE = timedelta(seconds=3)
TWICE = "It ran twice within three seconds, so nothing is passed over. To go on: `mock_interview.next()`."
WHICH = "Say which part: `mock_interview.reveal(part=1)`. There are {}."
STILL = "The mock interview is running: its page is written when it is over. `mock_interview.stop()` ends it."


class MockInterview:
    """`mock_interview("intern")` starts; its other calls are `next`, `hint`, `reveal`, `rate`, `stop`, `page`
    and `interviewer`."""

    def __call__(self, level=None, seed=None, people=1):
        """Start a mock interview, or show the one that is running."""
        running, notes = current()
        if running is not None and time_over(running):
            finish(running, OVER, notes)
            if level is None:
                return
            running = None
        if level is None:
            say(NONE.format(", ".join(LEVELS)), *notes) if running is None else show(running, notes)
            return
        found, problem = find_level(level)
        if found and running is not None:
            same = running.level == found.name
            show(running, notes) if same else say(RUNNING.format(LEVELS[running.level].title))
            return
        problem = problem or bad_start(found, seed, people)
        say(problem) if problem else start(found, seed, people, notes)

    def next(self):
        """Go on: to the next bug or flashcard, to the next part, or to the end."""
        running = open_one()
        if running is None:
            return
        number = running.part()
        if running.just_went_on(now(), AT_ONCE):
            show(running, [TWICE])
            return
        if running.asked(number) < parts.shown(running, number):
            told = keep(running.key, "asked", part=number, nth=running.asked(number))
        else:
            parts.leave(running, number)
            told = keep(running.key, "done", part=number)
        running = find(running.key)
        if running.part() >= len(running.parts):
            finish(running, DONE, [told])
        else:
            show(running, [told])

    def hint(self):
        """Show the next hint of this part."""
        running = open_one()
        if running is None:
            return
        number = running.part()
        some, given = hints(running.parts[number]), len(running.of("hint", number))
        if running.people == 2:
            say(OF_TWO)
        elif given >= len(some):
            say(ALL_HINTS if some else NO_HINTS)
        else:
            keep(running.key, "hint", part=number, nth=given + 1)
            display_both(*hint_card(some[given][1], given + 1, len(some)))

    def reveal(self, part=None):
        """Show a model answer to this part, or to part number `part`, and how to rate it."""
        mock, _ = last()
        if mock is None:
            say(NONE_YET.format(", ".join(LEVELS)))
            return
        number = (
            mock.part() if part is None and not is_over(mock) else (part or 0) - 1 if is_int(part) else -1
        )
        if not 0 <= number < len(mock.parts):
            say(WHICH.format(len(mock.parts)))
        elif mock.people == 2 and not is_over(mock):
            say(OF_TWO)
        else:
            keep(mock.key, "reveal", part=number)
            display_both(*reveal_card(mock.parts[number], number))

    def rate(self, *marks, part=None, **named):
        """Rate what was said in this part, or in part number `part`: 0, 1 or 2 for each criterion."""
        mock, _ = last()
        if mock is None:
            say(NONE_YET.format(", ".join(LEVELS)))
            return
        at = None if is_over(mock) else mock.part()
        found, problem = read_marks(mock.parts, marks, named, part, at)
        if problem:
            say(problem)
            return
        told = [keep(mock.key, "mark", part=number, marks=given) for number, given in found.items() if given]
        say(*parts.said_of_marks(find(mock.key), found), *told[:1])

    def stop(self):
        """End the mock interview."""
        running = open_one()
        if running is not None:
            parts.leave(running, running.part())
            finish(running, STOPPED)

    def page(self):
        """Write the page of the last mock interview beside the notebook, to print it, and show a link."""
        mock, notes = last()
        if mock is None:
            say(NONE_YET.format(", ".join(LEVELS)), *notes)
        elif not is_over(mock):
            say(STILL)
        else:
            if not mock.closed:
                parts.leave(mock, mock.part())
                keep(mock.key, "end")
            write_page(find(mock.key), notes)

    def interviewer(self, level=None, seed=None):
        """Write the interviewer's sheet: questions, what to listen for, hints and when to give them."""
        found, problem = find_level(level)
        problem = problem or bad_start(found, seed, 1)
        if problem:
            say(problem.replace("nothing was started", "nothing was written"))
            return
        seed = fresh_seed(found, set()) if seed is None else seed
        write_sheet(found, seed, *compose(found, seed))

    def __repr__(self):
        return 'mock_interview("intern") starts a mock interview; the levels: ' + ", ".join(LEVELS)


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def bad_start(level, seed, people):
    """The sentence that says why it cannot start so, else None."""
    if seed is not None and not is_int(seed):
        return BAD_SEED.format(f"{seed!r:.40}")
    if people not in (1, 2):
        return BAD_PEOPLE.format(f"{people!r:.40}")
    return NEEDS_SEED.format(level.name) if people == 2 and seed is None else None


def current():
    """(the mock interview that was not ended yet, or None, [sentences])."""
    found, notes = mocks()
    open_ = [one for one in found if not one.closed]
    return (open_[-1] if open_ else None), notes


def last():
    """(the newest mock interview, or None, [sentences])."""
    found, notes = mocks()
    return (found[-1] if found else None), notes


def find(key):
    return next(one for one in mocks()[0] if one.key == key)


def time_over(mock):
    return now() >= mock.end


def is_over(mock):
    return mock.closed or time_over(mock)


def left(mock):
    """Minutes; never more than there were, if the computer's clock was set back."""
    return min(max((mock.end - now()).total_seconds() / 60, 0.0), mock.minutes)


def open_one():
    """The one that is running; None, after a card that says so, where none is or its time is over."""
    running, notes = current()
    if running is None:
        say(NONE.format(", ".join(LEVELS)), *notes)
    elif time_over(running):
        finish(running, OVER, notes)
    else:
        return running


def start(level, seed, people, notes):
    before = last()[0]
    seed = fresh_seed(level, names_of(before.parts if before else [])) if seed is None else seed
    composed, left_out = compose(level, seed)
    key = secrets.token_hex(6)
    plain = [[part.kind, part.minutes, list(part.names)] for part in composed]
    told = keep(key, "start", level=level.name, seed=seed, people=people, parts=plain)
    show(find(key), [told, *left_out, *notes])


def show(mock, notes=()):
    """The part that it is at, and what belongs to it: the program's task, the bug, the flashcard."""
    display_both(*part_card(mock, left(mock), [one for one in notes if one]))
    parts.enter(mock, left(mock))


def finish(mock, sentence_, notes=()):
    parts.leave(mock, mock.part())
    told = keep(mock.key, "end")
    display_both(*end_card(find(mock.key), sentence_, [one for one in (*notes, told) if one]))
