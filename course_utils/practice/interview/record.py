"""An interview as a Session: the result of each part, and what to revise."""

from dataclasses import dataclass

from ..session import Session
from . import topics


@dataclass
class Row:
    """The result of a part. state: "right", "skipped", "not yet right" or "not reached". tries: their number.
    mistakes: their names."""

    name: str
    state: str
    tries: int
    mistakes: list


class Interview(Session):
    """Its events: "try", "answer" and "skip" of a part, with `done` if that completes the part, and "end"."""

    LOG, SUBJECT = "interviews", "topic"

    @property
    def title(self):
        return self.subject

    @property
    def topic(self):
        return topics.topic(self.subject)

    @property
    def closed(self):
        return super().closed or self.subject not in topics.names()

    @property
    def changed(self):
        """Have the topic's tasks changed since it began?"""
        return self.about.get("forms", "") != topics.mark(self.subject)

    @property
    def stage(self):
        """The index of the current part; the number of parts after the last one."""
        return 1 + max((event["stage"] for event in self.events if event.get("done")), default=-1)

    @property
    def part(self):
        return self.topic.parts[self.stage]

    @property
    def through(self):
        return self.stage >= len(self.topic.parts)

    @property
    def all_right(self):
        right = {event["stage"] for event in self.events if event.get("right")}
        return right.issuperset(range(len(self.topic.parts)))

    @property
    def spent(self):
        """Minutes from the start to the last event."""
        last = self.events[-1]["when"] if self.events else self.start
        return min(max((last - self.start).total_seconds() / 60, 0.0), self.minutes)

    def rows(self):
        """([Row] of all parts, [where in the lessons to revise])."""
        rows, revise = [], []
        for number, part in enumerate(self.topic.parts):
            events = [event for event in self.events if event.get("stage") == number]
            tries = [event for event in events if event["event"] in ("try", "answer")]
            names = list(dict.fromkeys(event["mistake"] for event in tries if event.get("mistake")))
            done = any(event.get("right") for event in events)
            skipped = any(event["event"] == "skip" for event in events)
            state = "right" if done else "skipped" if skipped else "not yet right" if tries else "not reached"
            rows.append(Row(part.name, state, len(tries), [name.replace("_", " ") for name in names]))
            if not done or any(not event.get("right") for event in tries):
                revise += [topics.REVISE.get(name, part.revise) for name in names]
                revise += [] if done and names else [part.revise]
        return rows, [place for place in dict.fromkeys(revise) if place]
