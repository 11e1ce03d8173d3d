"""mock_interview, the object that a learner calls: a level comes in; an interview of 45 minutes and a page
with its results go out. `plan.py` chooses the tasks, `pages.py` makes cards, TOML files hold the texts."""

from dataclasses import astuple
from itertools import pairwise

from .. import log
from ..bugs import bug_hunt
from ..card import Refusal, for_learners, say
from ..flashcards import flashcards
from ..flashcards.deck import decks
from ..interview import interview
from ..saved import colab_files
from ..schedule import AFTER
from ..session import OVER, Desk, Session, find_name
from . import pages
from .plan import SPOKEN, Part, compose, levels, text


class Mock(Session):
    """One mock interview. Its events: "asked", "hint", "reveal", "mark", "done" (with a part), "end". Results
    of programs, bug hunts and flashcards are recorded by their own desks. Log files of November 2026 also
    have a seed, and how many people took part."""

    LOG, SUBJECT = "mocks", "level"

    def __post_init__(self):
        self.parts = [Part(kind, minutes, tuple(names)) for kind, minutes, names in self.about["parts"]]
        self.about = {**self.about, "minutes": sum(part.minutes for part in self.parts)}
        super().__post_init__()
        self.title = levels()[self.subject]["title"]

    @property
    def index(self):
        """The index of the current part; the number of parts when all are done."""
        return 1 + max((event["part"] for event in self.events_of("done")), default=-1)

    @property
    def part(self):
        return self.parts[self.index]

    @property
    def spans(self):
        """[(when it began, when it ended)] of the parts that were reached; the last may be going on."""
        over = min([event["when"] for event in self.events_of("end")] + [self.end])
        turns = [self.start, *(event["when"] for event in self.events_of("done")), over]
        return list(pairwise(turns))[: len(self.parts)]

    def marks(self, number):
        """{criterion: 0, 1 or 2} of a part; for each criterion, the last mark counts."""
        events = self.events_of("mark", part=number)
        return {name: mark for event in events for name, mark in event["marks"].items()}

    def n_asked(self, number):
        """How many tasks of a part were asked; its first is asked as soon as the part begins."""
        if number > self.index:
            return 0
        return min(1 + len(self.events_of("asked", part=number)), len(self.parts[number].names))

    def interview(self, number):
        """The interview in which a part's program was written; None before it, and for other parts."""
        if number >= len(self.spans) or self.parts[number].kind != "program":
            return None
        began, name = self.spans[number][0], self.parts[number].names[0]
        during = (session for session in interview.sessions() if began <= session.start <= self.end)
        return next((session for session in during if session.subject == name), None)

    def answers(self, number):
        """{name: right?} of a part's bugs or flashcards, as first answered; only before the part was rated,
        as a rating records facts, too."""
        ratings = [event["when"] for event in self.events_of("mark", part=number)]
        facts = [fact for fact in log.recall() if self.start <= fact.when <= self.end]
        first = {fact.name: fact.right for fact in reversed(facts) if not ratings or fact.when < ratings[0]}
        return {name: first[fact] for name, fact in self.parts[number].facts.items() if fact in first}


class MockInterview(Desk):
    """`mock_interview("intern")` starts; its other calls are `next`, `hint`, `reveal`, `rate`, `stop` and
    `page`."""

    how_to_start, Session = text("none", ", ".join(levels())), Mock

    @for_learners
    def __call__(self, level=None):
        """Start a mock interview, or show the one that is running."""
        if level is None:
            self.show_part(self.running())
            return
        name = find_name("level", level, levels())

        def about():
            return {"parts": [astuple(part) for part in compose(name, self._shown_today())]}

        self.start(name, about, text("running", "{}"))

    @for_learners
    def next(self):
        """Go on: to the next bug or flashcard, to the next part, or to the end."""
        mock = self.running()
        count = mock.n_asked(mock.index)
        if count < len(mock.part.names):
            mock.keep("asked", part=mock.index, nth=count)
        else:
            stop_program(mock)
            mock.keep("done", part=mock.index)
        if mock.index < len(mock.parts):
            self.show_part(mock)
        else:
            self.finish(mock, text("through"))

    @for_learners
    def hint(self):
        """Show the next hint of this part."""
        mock = self.running()
        hints, count = mock.part.notes["hints"], len(mock.events_of("hint", part=mock.index))
        if count >= len(hints):
            raise Refusal(text("no_hints"))
        mock.keep("hint", part=mock.index, nth=count + 1)
        say(f"Hint {count + 1} of {len(hints)}: {hints[count]}")

    @for_learners
    def reveal(self, part=None):
        """Show a model answer to this part, or to part number `part`, and how to rate it."""
        mock, number = self._part(part, "reveal(part=1)")
        mock.keep("reveal", part=number)
        pages.reveal_card(mock, number).show()
        pages.solutions_card(mock, number).show()

    @for_learners
    def rate(self, *marks, part=None):
        """Save the marks for this part, or for part number `part`: 0, 1 or 2 for each criterion."""
        mock, number = self._part(part, "rate(2, 2, part=1)")
        criteria = mock.parts[number].criteria
        if len(marks) != len(criteria) or not all(type(mark) is int and 0 <= mark <= 2 for mark in marks):
            number_of_marks = log.amount(len(criteria), "mark")
            order = ", ".join(criteria).replace("_", " ")
            raise Refusal(text("bad_marks", number + 1, number_of_marks, order))
        row = dict(zip(criteria, marks, strict=True))
        mock.keep("mark", part=number, marks=row)
        remember(mock, number, right=min(marks) == 2)
        better = [criterion for name, criterion in criteria.items() if row[name] < 2]
        lines = [f'{criterion["title"]}: 2 is "{criterion["looks"][2]}".' for criterion in better]
        again = text("again") if better else ""
        say(f"Saved for part {number + 1}: {pages.format_marks(row)}.", *lines, again)

    @for_learners
    def stop(self):
        """End the mock interview, or say where the page of the last one is."""
        if self.current() is None:
            pages.link_card(self.newest(), text("over")).show()
        else:
            self.finish(self.running(), text("stopped"))

    @for_learners
    def page(self):
        """Write the result of the last mock interview and the answers as a page, and show a link."""
        mock = self.newest()
        if mock.closed:
            pages.write_page(mock)
            pages.link_card(mock).show()
        elif mock.time_over:
            self.finish(mock, OVER)
        else:
            raise Refusal(text("not_over"))
        if files := colab_files():
            files.download(pages.path_of(mock).name)

    def finish(self, mock, sentence, notes=()):
        """End it: show the result of each part, write the page, and say where it is."""
        mock.keep("end")
        stop_program(mock)
        pages.end_card(mock, sentence, *notes).show()
        pages.write_page(mock)
        pages.link_card(mock).show()

    def _part(self, part, call):
        """(the newest mock interview, the index of a part). part: its number, from 1; default: the current
        one."""
        mock = self.newest()
        if part is None and not mock.closed and not mock.time_over:
            return mock, mock.index
        if type(part) is not int or not 1 <= part <= len(mock.parts):
            raise Refusal(text("which_part", len(mock.parts), call))
        return mock, part - 1

    def show_part(self, mock):
        """Show the current part and what belongs to it: the program's task, the bug hunt or the flashcard."""
        pages.part_card(mock).show()
        name = mock.part.names[mock.n_asked(mock.index) - 1]
        if mock.part.kind == "program":
            show_program(mock)
        elif mock.part.kind == "hunt":
            bug_hunt.ask(name, mock.key)
        elif mock.part.kind == "cards":
            flashcards.ask([decks()[name]], text("next"))

    def _shown_today(self):
        """The names of everything that was started, asked or answered within a day."""
        since = log.now() - AFTER
        names = {fact.name.partition(":")[2] for fact in log.recall() if fact.when >= since}
        sessions = [session for desk in (self, bug_hunt, interview) for session in desk.sessions()]
        for session in sessions:
            if session.start >= since:
                names.add(session.subject)
                names.update(name for _, _, part in session.about.get("parts", []) for name in part)
        return names


def show_program(mock):
    """Start the interview for the current part's program, with the minutes of the part, or show it."""
    session = mock.interview(mock.index)
    if session is None:
        interview(mock.part.names[0], minutes=max(min(mock.part.minutes, mock.minutes_left), 0.1))
    elif session.closed:
        say(text("program_done"))
    else:
        interview()


def stop_program(mock):
    """End the interview for the current part's program, if it is running."""
    session = mock.interview(mock.index)
    if session and not session.closed:
        interview.stop()


def remember(mock, number, right):
    """Record a rating for the schedule: what got a mark below 2 comes back. A right answer is recorded here
    only if it was spoken: the other desks record theirs."""
    part = mock.parts[number]
    if part.is_spoken or not right:
        for name in part.names[: mock.n_asked(number)]:
            log.remember(log.Fact(part.facts[name], log.now(), right))


mock_interview, KIND = MockInterview(), SPOKEN
