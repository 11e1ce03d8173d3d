"""A mock interview as a Session, and what was shown on the same day. The programs, bugs and flashcards are
kept where they are always kept; here stands only which they were."""

from datetime import timedelta

from .. import log
from ..bugs import bug_hunt
from ..due import AFTER
from ..flashcards import flashcards
from ..interview import interview
from ..session import Session, is_count, is_minutes, is_text
from .plan import TITLES, Part, levels


def are_marks(value):
    return all(is_count(mark) and mark <= 2 for mark in value.values())


def are_parts(value):
    return bool(value) and all(
        kind in TITLES and is_minutes(minutes) and names and all(map(is_text, names))
        for kind, minutes, names in value
    )


FIELDS = {
    "start": {
        "level": lambda value: value in levels(),
        "people": lambda value: value in (1, 2),
        "parts": are_parts,
    },
    "program": {"part": is_count, "interview": is_text},
    "asked": {"part": is_count},
    "hint": {"part": is_count},
    "reveal": {"part": is_count},
    "mark": {"part": is_count, "marks": are_marks},
    "done": {"part": is_count},
    "end": {},
}


class Mock(Session):
    """level, seed, people and parts stand in its start."""

    @property
    def level(self):
        return self.about["level"]

    @property
    def seed(self):
        return self.about.get("seed")

    @property
    def alone(self):
        return self.about["people"] == 1

    @property
    def parts(self):
        return [Part(kind, minutes, tuple(names)) for kind, minutes, names in self.about["parts"]]

    @property
    def minutes(self):
        return sum(part.minutes for part in self.parts)

    @property
    def over(self):
        return self.closed or self.time_over

    @property
    def at(self):
        """The number of the part that it is at; that of the last one plus 1 when all are done."""
        return min(1 + max((event["part"] for event in self.of("done")), default=-1), len(self.parts))

    @property
    def part(self):
        return self.parts[self.at]

    def just_went_on(self, span):
        """Was a step to what comes next the last that was done, less than this span ago? The program that
        such a step begins is part of it."""
        last = next((event for event in reversed(self.events) if event["event"] != "program"), None)
        step = last is not None and last["event"] in ("asked", "done")
        return step and timedelta(0) <= log.now() - last["when"] < span

    @property
    def part_start(self):
        return max([event["when"] for event in self.of("done")], default=self.start)

    @property
    def part_end(self):
        """When the part that it is at should end."""
        return min(self.part_start + timedelta(minutes=self.part.minutes), self.end)

    def marks(self, number):
        """{criterion: 0, 1 or 2} of a part: the last mark counts."""
        marks = {}
        for event in self.of("mark", part=number):
            marks |= event["marks"]
        return marks

    def asked(self, number):
        """How many of a part's names were asked already; one at least, as the first is asked at once."""
        return min(1 + len(self.of("asked", part=number)), len(self.parts[number].names))

    def shows(self, number):
        """How many things a part shows in the notebook: for two people flashcards are read out."""
        part = self.parts[number]
        return 1 if part.kind == "cards" and not self.alone else len(part.names)

    def interview_key(self, number):
        """The key of the interview in which a part's program was written; None before it began."""
        return next((event["interview"] for event in self.of("program", part=number)), None)

    def times(self):
        """[minutes that a part took, None for one that was not reached]."""
        over = min([event["when"] for event in self.of("end")] + [self.end])
        began, minutes = self.start, []
        for number in range(len(self.parts)):
            ends = [event["when"] for event in self.of("done", part=number)]
            until = min([*ends, over])
            reached = ends or (number <= self.at and began < over)
            minutes.append(max((until - began).total_seconds() / 60, 0.0) if reached else None)
            began = max(began, until) if ends else over
        return minutes


def shown_today(mocks):
    """The names of all that was shown or answered within a day, and of what the last mock interview asked;
    flashcards come again sooner where they were not shown today."""
    since = log.now() - AFTER
    names = {fact.name.partition(":")[2] for fact in log.recall()[0] if fact.when >= since}
    names |= {hunt.about["program"] for hunt in bug_hunt.sessions()[0] if hunt.start >= since}
    names |= {session.about["topic"] for session in interview.sessions()[0] if session.start >= since}
    names |= {visit.card.name for visit in flashcards.round.visits} if flashcards.round else set()
    for mock in mocks:
        names |= {name for part in mock.parts for name in part.names if mock.start >= since}
    last = mocks[-1].parts if mocks else []
    return names | {name for part in last for name in part.names if part.kind != "cards"}
