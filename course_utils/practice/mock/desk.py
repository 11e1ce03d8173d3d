"""mock_interview(level): what a learner calls. Each call shows a card and returns nothing; none raises."""

from datetime import timedelta

from ..bugs import bug_hunt
from ..card import say
from ..flashcards import flashcards
from ..interview import interview
from ..session import OVER, Desk, is_count, unknown
from . import pages, report, sheet
from .marks import comments, read_marks
from .plan import compose, fresh, levels
from .record import FIELDS, Mock, shown_today

LEVELS = ", ".join(levels())
NONE = f'No mock interview is running: `mock_interview("intern")` starts one. There are: {LEVELS}.'
NONE_YET = f'There is no mock interview yet: `mock_interview("intern")` starts one. There are: {LEVELS}.'
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
DONE, STOPPED = "That was all of it.", "It was ended."
OF_TWO = "Your interviewer has the hints and the answers. They are shown here when the interview is over."
NO_HINTS = "There are no hints for this part."
ALL_HINTS = "There is no further hint for this part."
AT_ONCE = timedelta(seconds=3)
TWICE = "This ran twice within three seconds, so nothing is skipped. To go on: `mock_interview.next()`."
WHICH = "Say which part: `mock_interview.reveal(part=1)`. There are {}."
STILL = "The mock interview is running: its page is written when it is over. `mock_interview.stop()` ends it."
OTHER = (
    "An interview on {} is running: `interview.stop()` ends it, and then `mock_interview()` shows this part."
)
WRITTEN = "This program is done, and its sheet was shown: `mock_interview.next()` goes on."
NEXT = "`mock_interview.next()` goes on."


class MockInterview(Desk):
    """`mock_interview("intern")` starts; its other calls are `next`, `hint`, `reveal`, `rate`, `stop`, `page`
    and `interviewer`."""

    log_name, fields, none, Session = "mocks", FIELDS, NONE, Mock

    def __call__(self, level=None, seed=None, people=1):
        """Start a mock interview, or show the one that is running."""
        mock, notes = self.current()
        if mock is not None and mock.time_over:
            self.finish(mock, OVER, notes)
            if level is None:
                return
            mock = None
        if level is None:
            say(NONE, *notes) if mock is None else self._show(mock, notes)
            return
        name, problem = find_level(level)
        if name and mock is not None:
            self._show(mock, notes) if mock.level == name else say(
                RUNNING.format(levels()[mock.level]["title"])
            )
            return
        problem = problem or bad_start(name, seed, people)
        say(problem) if problem else self._start(name, seed, people, notes)

    def next(self):
        """Go on: to the next bug or flashcard, to the next part, or to the end."""
        mock = self.running()
        if mock is None:
            return
        number = mock.at
        if mock.just_went_on(AT_ONCE):
            self._show(mock, [TWICE])
            return
        if mock.asked(number) < mock.shows(number):
            note = mock.keep("asked", part=number, nth=mock.asked(number))
        else:
            leave(mock)
            note = mock.keep("done", part=number)
        self.finish(mock, DONE, [note]) if mock.at >= len(mock.parts) else self._show(mock, [note])

    def hint(self):
        """Show the next hint of this part."""
        mock = self.running()
        if mock is None:
            return
        hints, count = mock.part.notes.get("hints", []), len(mock.of("hint", part=mock.at))
        if not mock.alone:
            say(OF_TWO)
        elif count >= len(hints):
            say(ALL_HINTS if hints else NO_HINTS)
        else:
            mock.keep("hint", part=mock.at, nth=count + 1)
            say(f"Hint {count + 1} of {len(hints)}: {hints[count][1]}")

    def reveal(self, part=None):
        """Show a model answer to this part, or to part number `part`, and how to rate it."""
        mock = self._last()
        if mock is None:
            return
        number = mock.at if part is None and not mock.over else part - 1 if is_count(part) else -1
        if not 0 <= number < len(mock.parts):
            say(WHICH.format(len(mock.parts)))
        elif not mock.alone and not mock.over:
            say(OF_TWO)
        else:
            mock.keep("reveal", part=number)
            pages.reveal_card(mock, number).show()
            if mock.parts[number].kind == "program":
                interview.show_solutions(mock.parts[number].names[0], mock.interview_key(number))

    def rate(self, *marks, part=None):
        """Rate what was said in this part, or in part number `part`: 0, 1 or 2 for each criterion."""
        mock = self._last()
        if mock is None:
            return
        read, problem = read_marks(mock, marks, part)
        if problem:
            say(problem)
            return
        notes = [mock.keep("mark", part=number, marks=row) for number, row in read.items() if row]
        say(*comments(mock, read), *notes[:1])

    def stop(self):
        """End the mock interview."""
        mock = self.running()
        if mock is not None:
            self.finish(mock, STOPPED)

    def page(self):
        """Write the page of the last mock interview beside the notebook, to print it, and show a link."""
        mock = self._last()
        if mock is None:
            return
        if not mock.over:
            say(STILL)
            return
        if not mock.closed:
            leave(mock)
            mock.keep("end")
        report.write_page(mock)

    def interviewer(self, level=None, seed=None):
        """Write the interviewer's sheet: questions, what to listen for, hints and when to give them."""
        name, problem = find_level(level)
        problem = problem or bad_start(name, seed, 1)
        if problem:
            say(problem.replace("nothing was started", "nothing was written"))
            return
        seed = fresh(name, set())[0] if seed is None else seed
        sheet.write_sheet(name, seed, compose(name, seed))

    def __repr__(self):
        return f'mock_interview("intern") starts a mock interview; the levels: {LEVELS}'

    # ---- helpers of the calls

    def _last(self):
        """The newest mock interview; None, after a card that says so."""
        mocks, notes = self.sessions()
        if not mocks:
            say(NONE_YET, *notes)
        return mocks[-1] if mocks else None

    def _start(self, level, seed, people, notes):
        parts = compose(level, seed) if seed is not None else None
        if parts is None:
            seed, parts = fresh(level, shown_today(self.sessions()[0]))
        plain = [[part.kind, part.minutes, list(part.names)] for part in parts]
        mock, note = self.begin(level=level, seed=seed, people=people, parts=plain)
        self._show(mock, [note, *notes])

    def _show(self, mock, notes=()):
        """The part that it is at, and what belongs to it: the program's task, the bug, the flashcard."""
        pages.part_card(mock, notes).show()
        name = mock.part.names[mock.asked(mock.at) - 1]
        if mock.part.kind == "program":
            enter_program(mock)
        elif mock.part.kind == "hunt":
            bug_hunt.ask(name, "mock", mock.part_start)
        elif mock.part.kind == "cards" and mock.alone:
            flashcards.ask([name], NEXT)

    def finish(self, mock, sentence, notes=()):
        leave(mock)
        pages.end_card(mock, sentence, [*notes, mock.keep("end")]).show()


def enter_program(mock):
    """Start the interview on the part's topic, or show it; it has the minutes of the part."""
    running, mine = interview.current()[0], mock.interview_key(mock.at)
    if running is not None and not running.time_over and running.key != mine:
        say(OTHER.format(running.about["topic"]))
    elif mine is None:
        interview(mock.part.names[0], minutes=max(min(mock.part.minutes, mock.left), 0.1))
        running = interview.current()[0]
        if running is not None:
            mock.keep("program", part=mock.at, interview=running.key)
    elif running is not None and running.key == mine:
        interview()
    else:
        say(WRITTEN)


def leave(mock):
    """End what the part began that it is at."""
    if mock.at < len(mock.parts) and mock.part.kind == "program":
        running = interview.current()[0]
        if running is not None and running.key == mock.interview_key(mock.at):
            interview.stop()


def find_level(typed):
    """(the name of a level, None), or (None, the sentence that says which levels there are)."""
    name = typed.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(typed, str) else ""
    return (name, None) if name in levels() else (None, unknown("level", typed, list(levels())))


def bad_start(level, seed, people):
    """The sentence that says why it cannot start so, else None."""
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        return BAD_SEED.format(f"{seed!r:.40}")
    if people not in (1, 2):
        return BAD_PEOPLE.format(f"{people!r:.40}")
    return NEEDS_SEED.format(level) if people == 2 and seed is None else None
