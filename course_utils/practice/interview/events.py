"""Files of events in .progress, one line of JSON each.

In: an event to keep. Out: all events, and sentences on what could not be read. Lines are only ever added, so
files of two machines may be put together in any order, and a broken line costs nothing but itself.
"""

import json
from datetime import UTC, datetime

from ...own.saved import FOLDER
from ..memory import Newer, add_lines, files, now, place

UNREADABLE = "{} of {} cannot be read; nothing is changed there, and all others count."
NEWER = "{} of {} from a newer version of the course; nothing is changed there, and all others count."
CLOSED = "{} cannot be read: what is in it does not count now."


def keep_event(file, version, event, not_kept):
    """Add an event's line to a file; False, with the line in `not_kept`, where that cannot be written to."""
    when = now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = json.dumps({"v": version, **event, "when": when})
    try:
        add_lines(FOLDER / file, [line])
    except OSError:
        not_kept.append(line)
        return False
    return True


def read_events(file, from_line, not_kept):
    """([event], [sentence]) of a file, of its copies in a synced folder, and of `not_kept`, each event once.

    from_line: a line -> its event; Newer, or another error for what is none.
    """
    found, said = read_lines(not_kept, from_line)[0], []
    for path in files(file):
        try:
            lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        except OSError:
            said.append(CLOSED.format(place(path)))
            continue
        events, broken, newer = read_lines(lines, from_line)
        found += events
        for n, text in ((broken, UNREADABLE), (newer, NEWER)):
            said += [text.format("1 line" if n == 1 else f"{n} lines", place(path))] if n else []
    return list({repr(event): event for event in found}.values()), said


def read_lines(lines, from_line):
    """([event], how many are broken, how many are newer)."""
    events, broken, newer = [], 0, 0
    for line in filter(None, map(str.strip, lines)):
        try:
            events.append(from_line(line))
        except Newer:
            newer += 1
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            broken += 1
    return events, broken, newer


def event_in(line, version):
    """The event of a line, its time in UTC; Newer, or another error for what is none."""
    event = json.loads(line)
    if event["v"] > version:
        raise Newer
    event["when"] = datetime.fromisoformat(event["when"]).astimezone(UTC)
    return event


def by_key(events, first):
    """{key: object}: first(event) makes one of the earliest "start" of a key; its other events follow in its
    `events`, by time. An event without a start does not count."""
    started = {}
    for event in sorted(events, key=lambda one: one["when"]):
        if event["event"] == "start" and event["key"] not in started:
            started[event["key"]] = first(event)
    for event in sorted(events, key=lambda one: one["when"]):
        if event["event"] != "start" and event["key"] in started:
            started[event["key"]].events.append(event)
    return started
