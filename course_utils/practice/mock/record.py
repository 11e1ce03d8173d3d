"""A mock interview as a Session. The programs, bugs and flashcards are kept where they are always kept; here
stands only which they were."""

from itertools import pairwise

from ..session import Session
from .plan import Part


class Mock(Session):
    """level, seed, alone and parts: as it was started. over: ended, or its time is over."""

    SUBJECT = "level"
    EVENTS = {"start", "program", "asked", "hint", "reveal", "mark", "done", "end"}

    def __post_init__(self):
        about = self.about
        self.parts = [Part(kind, minutes, tuple(names)) for kind, minutes, names in about["parts"]]
        self.about = {**about, "minutes": sum(part.minutes for part in self.parts)}
        super().__post_init__()
        self.level, self.seed, self.alone = self.subject, about.get("seed"), about["people"] == 1

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
        steps = [self.start, *(event["when"] for event in self.of("done")), over]
        spent = [max((until - began).total_seconds() / 60, 0.0) for began, until in pairwise(steps)]
        return [*spent, *([None] * len(self.parts))][: len(self.parts)]
