"""mock_interview(level): what a learner calls."""

from datetime import timedelta

from .. import log
from ..bugs import bug_hunt
from ..card import Refusal, for_learners, say
from ..due import AFTER
from ..flashcards import flashcards
from ..interview import interview
from ..session import OVER, Desk, check_name
from . import pages, report, sheet
from .plan import compose, fresh, levels
from .record import Mock

NONE = (
    f'No mock interview is running: `mock_interview("intern")` starts one. There are: {", ".join(levels())}.'
)
OF_TWO = "Your interviewer has the hints and the answers. They are shown here when the interview is over."
AT_ONCE = timedelta(seconds=3)
TWICE = "This ran twice within three seconds, so nothing is skipped. To go on: `mock_interview.next()`."
NEXT = "`mock_interview.next()` goes on."


@for_learners
class MockInterview(Desk):
    """`mock_interview("intern")` starts; its other calls are `next`, `hint`, `reveal`, `rate`, `stop`, `page`
    and `interviewer`."""

    log_name, none, Session = "mocks", NONE, Mock

    def __call__(self, level=None, seed=None, people=1):
        """Start a mock interview, or show the one that is running."""
        mock, notes = self.current()
        if level is None:
            self._show(self.running(), notes)
            return
        level = level_of(level)
        if mock is not None and mock.time_over:
            self.finish(mock, OVER)
        elif mock is not None and mock.level != level:
            running = (
                f"A mock interview is running ({levels()[mock.level]['title']}): `mock_interview()` shows it"
            )
            raise Refusal(f"{running}, `mock_interview.stop()` ends it, and then another one can start.")
        elif mock is not None:
            self._show(mock, notes)
            return
        if people == 2 and seed is None:
            raise Refusal(
                f'For two people your interviewer runs `mock_interview.interviewer("{level}")` first: it '
                "writes their sheet and says with which seed you start."
            )
        if seed is None:
            seed, parts = fresh(level, shown_today(self.sessions()[0]))
        else:
            parts = compose(level, seed)
        plain = [[part.kind, part.minutes, list(part.names)] for part in parts]
        mock, note = self.begin(level=level, seed=seed, people=people, parts=plain)
        self._show(mock, [note, *notes])

    def next(self):
        """Go on: to the next bug or flashcard, to the next part, or to the end."""
        mock = self.running()
        number, steps = mock.at, mock.of("asked") + mock.of("done")
        if any(abs(log.now() - step["when"]) < AT_ONCE for step in steps):
            self._show(mock, [TWICE])
            return
        if mock.asked(number) < mock.shows(number):
            note = mock.keep("asked", part=number, nth=mock.asked(number))
        else:
            leave(mock)
            note = mock.keep("done", part=number)
        if mock.at < len(mock.parts):
            self._show(mock, [note])
        else:
            self.finish(mock, "That was all of it.", [note])

    def hint(self):
        """Show the next hint of this part."""
        mock = self.running()
        hints, count = mock.part.notes.get("hints", []), len(mock.of("hint", part=mock.at))
        if not mock.alone:
            raise Refusal(OF_TWO)
        if count >= len(hints):
            raise Refusal(f"There {'is no further hint' if hints else 'are no hints'} for this part.")
        mock.keep("hint", part=mock.at, nth=count + 1)
        say(f"Hint {count + 1} of {len(hints)}: {hints[count][1]}")

    def reveal(self, part=None):
        """Show a model answer to this part, or to part number `part`, and how to rate it."""
        mock = self.newest()
        number = number_of(mock, part, "reveal(part=1)")
        if not mock.alone and not mock.over:
            raise Refusal(OF_TWO)
        mock.keep("reveal", part=number)
        pages.reveal_card(mock, number).show()
        if mock.parts[number].kind == "program":
            interview.show_solutions(mock.parts[number].names[0], mock.interview_key(number))

    def rate(self, *marks, part=None):
        """Rate what was said in this part, or in part number `part`: 0, 1 or 2 for each criterion. Or in all
        parts, as one text: "21 20 2121 1 2"."""
        mock = self.newest()
        if len(marks) == 1 and isinstance(marks[0], str):
            groups = marks[0].split()
            groups = dict(enumerate(groups if len(groups) == len(mock.parts) else [""]))
        else:
            number = number_of(mock, part, f"rate({pages.example(mock.parts[0])}, part=1)")
            groups = {number: "".join(map(str, marks))}
        rows = {number: marks_in(mock, number, group) for number, group in groups.items()}
        notes = [mock.keep("mark", part=number, marks=row) for number, row in rows.items() if row]
        say(*pages.comments(mock, rows), *notes[:1])

    def stop(self):
        """End the mock interview."""
        self.finish(self.running(), "It was ended.")

    def page(self):
        """Write the page of the last mock interview beside the notebook, to print it, and show a link."""
        mock = self.newest()
        if not mock.over:
            raise Refusal("Its page is written when it is over: `mock_interview.stop()` ends it.")
        if not mock.closed:
            self.finish(mock, OVER)
        report.write_page(mock)

    def interviewer(self, level=None, seed=None):
        """Write the interviewer's sheet: questions, what to listen for, hints and when to give them."""
        level = level_of(level)
        seed = fresh(level, set())[0] if seed is None else seed
        sheet.write_sheet(level, seed, compose(level, seed))

    def finish(self, mock, sentence, notes=()):
        leave(mock)
        pages.end_card(mock, sentence, [*notes, mock.keep("end")]).show()

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


def enter_program(mock):
    """Start the interview on the part's topic, or show it; it has the minutes of the part."""
    running, mine = interview.current()[0], mock.interview_key(mock.at)
    if running is not None and not running.time_over and running.key != mine:
        other = f"An interview on {running.subject} is running: `interview.stop()` ends it"
        say(f"{other}, and then `mock_interview()` shows this part.")
    elif mine is None:
        interview(mock.part.names[0], minutes=max(min(mock.part.minutes, mock.left), 0.1))
        running = interview.current()[0]
        if running is not None:
            mock.keep("program", part=mock.at, interview=running.key)
    elif running is not None and running.key == mine:
        interview()
    else:
        say(f"This program is done, and its sheet was shown: {NEXT}")


def leave(mock):
    """End what the part began that it is at."""
    running = interview.current()[0]
    if mock.at < len(mock.parts) and running is not None and running.key == mock.interview_key(mock.at):
        interview.stop()


def shown_today(mocks):
    """The names of all that was shown or answered within a day, and of what the last mock interview asked;
    flashcards come again sooner where they were not shown today."""
    since = log.now() - AFTER
    names = {fact.name.partition(":")[2] for fact in log.recall()[0] if fact.when >= since}
    sessions = bug_hunt.sessions()[0] + interview.sessions()[0]
    names |= {session.subject for session in sessions if session.start >= since}
    names |= {visit.card.name for visit in flashcards.round.visits} if flashcards.round else set()
    parts = [part for mock in mocks if mock.start >= since for part in mock.parts]
    parts += [part for mock in mocks[-1:] for part in mock.parts if part.kind != "cards"]
    return names | {name for part in parts for name in part.names}


# ---- what is typed


def level_of(typed):
    """The name of a level, which may be typed as it is read."""
    name = typed.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(typed, str) else typed
    check_name("level", name, levels())
    return name


def number_of(mock, part, call):
    """Which part is meant, from 0: the one that it is at, if none is named."""
    if part is None and not mock.over:
        return mock.at
    if part not in range(1, len(mock.parts) + 1):
        raise Refusal(f"Say which part, from 1 to {len(mock.parts)}: `mock_interview.{call}`.")
    return part - 1


def marks_in(mock, number, group):
    """{criterion: mark} of a group of marks such as "21", where - leaves one out."""
    criteria = mock.parts[number].criteria
    if len(group) != len(criteria) or not set(group) <= set("012-"):
        count, order = log.counted(len(criteria), "mark"), ", ".join(criteria)
        groups = " ".join("2" * len(part.criteria) for part in mock.parts)
        raise Refusal(
            f"Part {number + 1} is rated by {count} of 0, 1 or 2, in this order: {order}. For all parts at "
            f'once, one text has a group of marks for each part, such as "{groups}"; - leaves one out. '
            "Nothing is kept."
        )
    return {name: int(sign) for name, sign in zip(criteria, group, strict=True) if sign != "-"}
