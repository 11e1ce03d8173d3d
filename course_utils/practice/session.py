"""Session and Desk: the base classes of interviews, mock interviews and bug hunts.

A Session is rebuilt from the log: its "start" event, and later events with the same key. So it continues in a
new kernel. Learners call a Desk: it finds the current session, and reports if there is none or its time is
up.
"""

import re
import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from . import log
from .card import Refusal, kind_of

MOST_MINUTES, A_CENTURY = 600, 60 * 24 * 365 * 100
OVER = "Time is up."


@dataclass
class Session:
    """key: identifies the session. about: its "start" event. events: the later ones, oldest first. subject:
    its topic, program or level, from the field of `about` that SUBJECT names. minutes: the limit, if any."""

    LOG, SUBJECT = "", ""  # the name of the log file, and of the field
    key: str
    about: dict
    events: list = field(default_factory=list)

    def __post_init__(self):
        self.subject, self.start = self.about[self.SUBJECT], self.about["when"]
        self.minutes = self.about.get("minutes", A_CENTURY)
        self.end = self.start + timedelta(minutes=self.minutes)

    @property
    def closed(self):
        return bool(self.events_of("end"))

    @property
    def time_over(self):
        return log.now() >= self.end

    @property
    def minutes_left(self):
        """Minutes left; never more than the limit, even if the computer's clock was set back."""
        return min(max((self.end - log.now()).total_seconds() / 60, 0.0), self.minutes)

    def events_of(self, event, **fields):
        """The session's events of one kind whose fields have these values."""
        wanted = {"event": event, **fields}.items()
        return [entry for entry in self.events if all(entry.get(name) == value for name, value in wanted)]

    def keep(self, event, **more):
        """Record an event."""
        self.events.append({"event": event, **more, "when": log.now()})
        log.write_line(self.LOG, log.line_of(log.now(), key=self.key, event=event, **more))


class Desk:
    """What a learner calls: each call shows a card and returns nothing; none raises.

    how_to_start: a sentence on how to start a session. A subclass whose sessions have a time limit has
    show_part and finish.
    """

    how_to_start, Session = "", Session

    def __repr__(self):
        return " ".join(str(self.__doc__).split())

    def show_part(self, session):
        """Show where one stands."""
        raise NotImplementedError

    def finish(self, session, sentence, notes=()):
        """End a session; show how, and why: the sentence."""
        raise NotImplementedError

    def parse(self, line):
        """Parse a line into an event; raises one of log.UNSOUND if it is not valid."""
        event = log.read_line(line)
        if event["event"] == "start":
            self.Session(event["key"], event)  # raises if it is not valid
        return event

    def sessions(self):
        """[Session] by start time. An event without a start is ignored."""
        events = {repr(event): event for event in log.read(self.Session.LOG, self.parse)}  # files may overlap
        sessions = {}
        for event in sorted(events.values(), key=lambda event: (event["event"] != "start", event["when"])):
            key = event["key"]
            if event["event"] == "start":
                sessions.setdefault(key, self.Session(key, event))
            elif key in sessions:
                sessions[key].events.append(event)
        return list(sessions.values())

    def newest(self):
        """The session that was started last, whether it has ended or not; a Refusal if there is none."""
        sessions = self.sessions()
        if not sessions:
            raise Refusal(self.how_to_start)
        return sessions[-1]

    def current(self):
        """The newest session that has not ended, or None."""
        return next((session for session in reversed(self.sessions()) if not session.closed), None)

    def running(self, late=lambda session: ()):
        """The running session; a Refusal if there is none, or if its time is up: then it is ended.
        late(session): sentences on what came too late."""
        session = self.current()
        if session is None:
            raise Refusal(self.how_to_start)
        if session.time_over:
            self.finish(session, OVER, late(session))
            raise Refusal
        return session

    def begin(self, **about):
        """Start a Session."""
        session = self.Session(secrets.token_hex(6), {**about, "when": log.now()})
        log.write_line(session.LOG, log.line_of(key=session.key, event="start", **session.about))
        return session

    def start(self, subject, about, busy):
        """Show the running session on this subject, or start one; returns it. about(): the other fields of
        its "start" event. busy: the sentence for a running session on another subject, with {} for that."""
        session = self.current()
        if session is not None and session.time_over:
            self.finish(session, OVER)
        if session is None or session.time_over:
            session = self.begin(**{self.Session.SUBJECT: subject}, **about())
        elif session.subject != subject:
            raise Refusal(busy.format(session.title))
        self.show_part(session)
        return session


def check_minutes(minutes):
    """Raise a Refusal if this is not a valid number of minutes."""
    if type(minutes) not in (int, float) or not 0 < minutes <= MOST_MINUTES:
        wanted = f"`minutes` must be a number above 0 and at most {MOST_MINUTES}"
        raise Refusal(f"{wanted}, but got {kind_of(minutes)}: nothing was started.")


def find_name(kind, typed, names, then=""):
    """The one of these names that was typed, a text in any case, with spaces or hyphens; a Refusal for any
    other. then: its last sentence; default: a list of the names."""
    for name in names:
        if type(typed) is type(name) and as_name(typed) == as_name(name):
            return name
    then = then or names and f"Choose from: {', '.join(map(str, names))}."
    raise Refusal(f"There is no {kind} called {kind_of(typed)}. {then or 'There are none here.'}")


def as_name(typed):
    return re.sub("[ -]", "_", typed.strip().lower()) if isinstance(typed, str) else typed
