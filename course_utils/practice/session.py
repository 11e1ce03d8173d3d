"""What a learner calls, and what runs on a clock: interviews, mock interviews and bug hunts.

A Session is read from the events of one file of the log: a "start", and what followed under the same key.
So it goes on in a new kernel. A Desk finds the session that is open, and says in one way that none is, and
that its time is over.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from . import log
from .card import Refusal
from .typed import kind_of

MOST_MINUTES = 600
OVER = "Time is up."


@dataclass
class Session:
    """key: its own name. about: the event that started it. events: the others, in the order of time. subject:
    the topic, the program or the level, in the field of `about` that a subclass calls SUBJECT. minutes: how
    long it may take; None without a clock."""

    SUBJECT = ""
    log_name: str
    key: str
    about: dict
    events: list = field(default_factory=list)

    def __post_init__(self):
        self.subject, self.start = self.about[self.SUBJECT], self.about["when"]
        self.minutes = self.about.get("minutes")
        self.end = self.start + timedelta(minutes=self.minutes or 0)

    @property
    def closed(self):
        return bool(self.of("end"))

    @property
    def time_over(self):
        return self.minutes is not None and log.now() >= self.end

    @property
    def left(self):
        """Minutes; never more than there were, if the computer's clock was set back."""
        return min(max((self.end - log.now()).total_seconds() / 60, 0.0), self.minutes)

    def of(self, event, **fields):
        """Its events of one kind that have these fields."""
        wanted = {"event": event, **fields}.items()
        return [entry for entry in self.events if all(entry.get(name) == value for name, value in wanted)]

    def keep(self, event, **more):
        """Add an event; the sentence that says why it could not be kept, else None."""
        self.events.append({"event": event, **more, "when": log.now()})
        return log.write_event(self.log_name, {"key": self.key, "event": event, **more})


class Desk:
    """log_name: the file of its events. none: the sentence that says how a session is started.
    finish(session, sentence, notes) ends one."""

    log_name, none, Session = "", "", Session

    def parse(self, line):
        """The event of a line; one of log.UNSOUND for what is none."""
        event = log.read_line(line)
        if event["event"] == "start":
            self.Session(self.log_name, event["key"], event)  # raises where it is none
        return event

    def sessions(self):
        """([Session] in the order of their starts, [sentence]); an event without a start does not count."""
        events, notes = log.read(self.log_name, self.parse)
        events = {repr(event): event for event in events}.values()  # files of two machines may share lines
        sessions = {}
        for event in sorted(events, key=lambda event: (event["event"] != "start", event["when"])):
            key = event["key"]
            if event["event"] == "start":
                sessions.setdefault(key, self.Session(self.log_name, key, event))
            elif key in sessions:
                sessions[key].events.append(event)
        return list(sessions.values()), notes

    def current(self):
        """(the newest session that was not ended, or None, [sentence])."""
        sessions, notes = self.sessions()
        return next((session for session in reversed(sessions) if not session.closed), None), notes

    def running(self):
        """The session that runs; a Refusal where none does, or its time is over."""
        session, notes = self.current()
        if session is None:
            raise Refusal(self.none, *notes)
        if session.time_over:
            self.finish(session, OVER, notes)
            raise Refusal
        return session

    def newest(self):
        """The session that was started last, over or not; a Refusal where there is none."""
        sessions, notes = self.sessions()
        if not sessions:
            raise Refusal(self.none, *notes)
        return sessions[-1]

    def begin(self, **about):
        """(a new Session, the sentence that says why it could not be kept, or None)."""
        session = self.Session(self.log_name, secrets.token_hex(6), {**about, "when": log.now()})
        return session, log.write_event(self.log_name, {"key": session.key, "event": "start", **about})


def is_minutes(value):
    return type(value) in (int, float) and 0 < value <= MOST_MINUTES


def check_minutes(minutes):
    """A Refusal if this is no number of minutes."""
    if not is_minutes(minutes):
        wanted = f"`minutes` must be a number above 0 and at most {MOST_MINUTES}"
        raise Refusal(f"{wanted}, but got {kind_of(minutes)}: nothing was started.")


def check_name(kind, typed, names, then=""):
    """Raise a Refusal if `typed` is not one of the names. then: the last sentence, by default a list of all
    names."""
    if not any(type(typed) is type(name) and typed == name for name in names):
        then = then or names and f"Choose from: {', '.join(map(str, names))}."
        raise Refusal(f"There is no {kind} called {kind_of(typed)}. {then or 'There are none here.'}")
