"""mock_interview(level): what a learner calls."""

import secrets
from itertools import pairwise

from .. import log
from ..bugs import bug_hunt
from ..card import Refusal, for_learners, say
from ..due import AFTER
from ..flashcards import flashcards
from ..interview import interview
from ..session import OVER, Desk, Session, check_name
from . import pages, paper
from .plan import Part, compose, levels, text

SEEDS = 10_000


class Mock(Session):
    """title, seed, alone, parts: set at the start. over: it was ended, or its time is up. Programs, bugs and
    flashcards are recorded by their own practice; this only says which they were."""

    SUBJECT = "level"
    EVENTS = {"start", "program", "asked", "hint", "reveal", "mark", "done", "end"}

    def __post_init__(self):
        about = self.about
        self.parts = [Part(kind, minutes, tuple(names)) for kind, minutes, names in about["parts"]]
        self.about = {**about, "minutes": sum(part.minutes for part in self.parts)}
        super().__post_init__()
        self.title, self.seed = levels()[self.subject]["title"], about.get("seed")
        self.alone = about["people"] == 1

    @property
    def over(self):
        return self.closed or self.time_over

    @property
    def at(self):
        """The number of the part that it is at; that of the last one plus 1 when all are done."""
        return 1 + max((event["part"] for event in self.of("done")), default=-1)

    @property
    def part(self):
        return self.parts[self.at]

    @property
    def part_start(self):
        return max([event["when"] for event in self.of("done")], default=self.start)

    def marks(self, number):
        """{criterion: 0, 1 or 2} of a part: the last mark counts."""
        events = self.of("mark", part=number)
        return {name: mark for event in events for name, mark in event["marks"].items()}

    def asked(self, number):
        """How many of a part's names were asked already; the first is asked at once."""
        return min(1 + len(self.of("asked", part=number)), len(self.parts[number].names))

    def interview_key(self, number):
        """The key of the interview in which a part's program was written; None before it began."""
        return next((event["interview"] for event in self.of("program", part=number)), None)

    def times(self):
        """[minutes that a part took, None for one that was not reached]."""
        over = min([event["when"] for event in self.of("end")] + [self.end])
        steps = [self.start, *(event["when"] for event in self.of("done")), over]
        spent = [max((until - began).total_seconds() / 60, 0.0) for began, until in pairwise(steps)]
        return [*spent, *([None] * len(self.parts))][: len(self.parts)]


@for_learners
class MockInterview(Desk):
    """`mock_interview("intern")` starts; its other calls are `next`, `hint`, `reveal`, `rate`, `stop`, `page`
    and `interviewer`."""

    log_name, none, Session = "mocks", text("none", ", ".join(levels())), Mock

    def __call__(self, level=None, seed=None, people=1):
        """Start a mock interview, or show the one that is running."""
        mock, notes = self.current()
        if level is None:
            self._show(self.running(), notes)
            return
        level = level_of(level)
        if mock is not None and mock.time_over:
            self.finish(mock, OVER)
        elif mock is not None:
            if mock.subject != level:
                raise Refusal(text("running", mock.title))
            self._show(mock, notes)
            return
        if people == 2 and seed is None:
            raise Refusal(text("two_need_a_seed", level))
        drawn = secrets.randbelow(SEEDS)
        parts = compose(level, seed) if seed is not None else compose(level, drawn, self._shown_today())
        plain = [[part.kind, part.minutes, list(part.names)] for part in parts]
        mock, note = self.begin(level=level, seed=seed, people=people, parts=plain)
        self._show(mock, [note, *notes])

    def next(self):
        """Go on: to the next bug or flashcard, to the next part, or to the end."""
        mock = self.running()
        number = mock.at
        read_out = mock.part.kind == "cards" and not mock.alone  # all at once, by the interviewer
        if not read_out and mock.asked(number) < len(mock.part.names):
            note = mock.keep("asked", part=number, nth=mock.asked(number))
        else:
            stop_program(mock)
            note = mock.keep("done", part=number)
        if mock.at < len(mock.parts):
            self._show(mock, [note])
        else:
            self.finish(mock, text("through"), [note])

    def hint(self):
        """Show the next hint of this part."""
        mock = self.running()
        hints, count = mock.part.notes["hints"], len(mock.of("hint", part=mock.at))
        if not mock.alone:
            raise Refusal(text("for_two"))
        if count >= len(hints):
            raise Refusal(text("no_hints"))
        mock.keep("hint", part=mock.at, nth=count + 1)
        say(f"Hint {count + 1} of {len(hints)}: {hints[count][1]}")

    def reveal(self, part=None):
        """Show a model answer to this part, or to part number `part`, and how to rate it."""
        mock = self.newest()
        number = number_of(mock, part, "reveal(part=1)")
        if not mock.alone and not mock.over:
            raise Refusal(text("for_two"))
        mock.keep("reveal", part=number)
        pages.reveal_card(mock, number).show()
        if mock.parts[number].kind == "program":
            interview.show_solutions(mock.parts[number].names[0], mock.interview_key(number))

    def rate(self, *marks, part=None):
        """Keep the marks for this part, or for part number `part`: 0, 1 or 2 for each criterion. One text,
        such as "21 20 2121 1 2", rates all parts."""
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
        self.finish(self.running(), text("stopped"))

    def page(self):
        """Write the page of the last mock interview beside the notebook, to print it, and show a link."""
        mock = self.newest()
        if not mock.over:
            raise Refusal(text("not_over"))
        if not mock.closed:
            self.finish(mock, OVER)
        paper.write_page(mock)

    def interviewer(self, level=None, seed=None):
        """Write the interviewer's sheet: questions, what to listen for, hints and when to give them."""
        level, seed = level_of(level), secrets.randbelow(SEEDS) if seed is None else seed
        paper.write_sheet(level, seed, compose(level, seed))

    def finish(self, mock, sentence, notes=()):
        stop_program(mock)
        paper.end_card(mock, sentence, [*notes, mock.keep("end")]).show()

    def _show(self, mock, notes=()):
        """The part that it is at, and what belongs to it: the program's task, the bug, the flashcard."""
        pages.part_card(mock, notes).show()
        name = mock.part.names[mock.asked(mock.at) - 1]
        if mock.part.kind == "program":
            show_program(mock)
        elif mock.part.kind == "hunt":
            bug_hunt.ask(name, "mock", mock.part_start)
        elif mock.part.kind == "cards" and mock.alone:
            flashcards.ask([name], text("next"))

    def _shown_today(self):
        """The names of all that was begun, asked or answered within a day."""
        since = log.now() - AFTER
        names = {fact.name.partition(":")[2] for fact in log.recall()[0] if fact.when >= since}
        sessions = [session for desk in (self, bug_hunt, interview) for session in desk.sessions()[0]]
        for session in sessions:
            parts = session.about.get("parts", [])
            asked = {session.subject, *(name for _, _, names_of_part in parts for name in names_of_part)}
            names |= asked if session.start >= since else set()
        return names


def show_program(mock):
    """Start the interview on the part's topic, or show it; it has the minutes of the part."""
    key, running = mock.interview_key(mock.at), interview.current()[0]
    if key is None:
        interview(mock.part.names[0], minutes=max(min(mock.part.minutes, mock.left), 0.1))
        running = interview.current()[0]
        if running is not None and running.subject == mock.part.names[0]:
            mock.keep("program", part=mock.at, interview=running.key)
    elif running is not None and running.key == key:
        interview()
    else:
        say(text("program_done"))


def stop_program(mock):
    """End the interview of the part that it is at."""
    running = interview.current()[0]
    if mock.at < len(mock.parts) and running is not None and running.key == mock.interview_key(mock.at):
        interview.stop()


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
        raise Refusal(text("which_part", len(mock.parts), call))
    return part - 1


def marks_in(mock, number, group):
    """{criterion: mark} of a group of marks such as "21", where - leaves one out."""
    criteria = mock.parts[number].criteria
    if len(group) != len(criteria) or not set(group) <= set("012-"):
        groups = " ".join("2" * len(part.criteria) for part in mock.parts)
        raise Refusal(
            text("bad_marks", number + 1, log.counted(len(criteria), "mark"), ", ".join(criteria), groups)
        )
    return {name: int(sign) for name, sign in zip(criteria, group, strict=True) if sign != "-"}
