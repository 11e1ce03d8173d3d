"""What runs on a clock: interviews, mock interviews and bug hunts.

A Session is read from the events of one file of the log: a "start", and what followed under the same key.
So it goes on in a new kernel. A Desk is what a learner calls: it finds the session that is open, and says
in one way that none is, that its time is over, and that a name or a number of minutes is none.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from difflib import get_close_matches

from . import log
from .card import say
from .typed import quoted

MOST_MINUTES = 600
OVER = "The time is over."
BAD_MINUTES = "`minutes` is a number above 0 and at most {}, and {} came: nothing was started."
UNKNOWN = "There is no {} called {}.{} {}"


@dataclass
class Session:
    """key: its own name. about: the event that started it. events: the others, in the order of time."""

    log_name: str
    key: str
    about: dict
    events: list = field(default_factory=list)

    @property
    def start(self):
        return self.about["when"]

    @property
    def minutes(self):
        """How long it may take; None without a clock."""
        return self.about.get("minutes")

    @property
    def end(self):
        return self.start + timedelta(minutes=self.minutes)

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
        same = (entry for entry in self.events if entry["event"] == event)
        return [entry for entry in same if all(entry.get(name) == value for name, value in fields.items())]

    def keep(self, event, **more):
        """Add an event; the sentence that says why it could not be kept, else None."""
        self.events.append({"event": event, **more, "when": log.now()})
        return log.write_event(self.log_name, {"key": self.key, "event": event, **more})


# what the fields of events have to be


def is_text(value):
    return isinstance(value, str)


def is_flag(value):
    return isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_minutes(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MOST_MINUTES


class Desk:
    """log_name: the file of its events. fields: {event: {field: what it has to be}}. none: the sentence that
    says how a session is started."""

    log_name, fields, none, Session = "", {}, "", Session

    def parse(self, line):
        """The event of a line; log.Newer, or one of log.UNSOUND."""
        event = log.read_line(line)
        wanted = {"key": is_text, **self.fields[event["event"]]}
        if not all(fits(event[name]) for name, fits in wanted.items()):
            raise ValueError(line)
        return event

    def sessions(self):
        """([Session] in the order of their starts, [sentence]); an event without a start does not count."""
        events, notes = log.read(self.log_name, self.parse)
        events = {repr(event): event for event in events}.values()  # files of two machines may share lines
        started = {}
        for event in sorted(events, key=lambda event: (event["when"], event["event"] != "start")):
            if event["event"] == "start" and event["key"] not in started:
                started[event["key"]] = self.Session(self.log_name, event["key"], event)
        for event in sorted(events, key=lambda event: event["when"]):
            if event["event"] != "start" and event["key"] in started:
                started[event["key"]].events.append(event)
        return list(started.values()), notes

    def current(self):
        """(the newest session that was not ended, or None, [sentence])."""
        sessions, notes = self.sessions()
        return next((session for session in reversed(sessions) if not session.closed), None), notes

    def running(self):
        """The session that runs; None, after a card that says so, where none does or its time is over."""
        session, notes = self.current()
        if session is None:
            say(self.none, *notes)
        elif session.time_over:
            self.finish(session, OVER, notes)
        else:
            return session

    def begin(self, **about):
        """(a new Session, the sentence that says why it could not be kept, or None)."""
        session = self.Session(self.log_name, secrets.token_hex(6), {**about, "when": log.now()})
        return session, log.write_event(self.log_name, {"key": session.key, "event": "start", **about})

    def finish(self, session, sentence, notes=()):
        raise NotImplementedError


def unknown(what, typed, names, then=""):
    """The sentence on a name that is none. then: what is said instead of all names."""
    names = [*map(str, names)]
    near = get_close_matches(typed.strip().lower(), names, n=2, cutoff=0.7) if isinstance(typed, str) else []
    suggestion = f" Did you mean {' or '.join(near)}?" if near else ""
    return UNKNOWN.format(what, quoted(typed), suggestion, then or f"There are: {', '.join(names)}.")


def bad_minutes(minutes):
    """The sentence on what is no number of minutes, else None."""
    return None if is_minutes(minutes) else BAD_MINUTES.format(MOST_MINUTES, quoted(minutes))
