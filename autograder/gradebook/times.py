"""A date as a person writes it -> the time in UTC, as nbgrader keeps it: without a time zone."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

EXAMPLE = "2026-03-05 12:00 Europe/Berlin"
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d?)(:\d\d(?::\d\d(?:\.\d+)?)?) ?(\S*)")
OFFSET = re.compile(r"Z|[+-]\d\d(:?\d\d)?")


def utc_of(text, zone=""):
    """None unless it is a day, a time and a time zone: Europe/Berlin, UTC, Z or +01:00. zone: of a text that
    names none."""
    match = TIME.fullmatch(text.strip())
    if not match:
        return None
    day, hour, minutes, named = match.groups()
    local, zone = f"{day} {hour:0>2}{minutes}", named or zone
    try:
        if OFFSET.fullmatch(zone):  # nbgrader itself would take +01 for one second
            time = datetime.fromisoformat(local + zone)
        else:
            time = datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))
        return time.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OSError, KeyError, OverflowError):  # zoneinfo raises each of them for some name
        return None


def shown_time(time):
    """As the tables show it."""
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "-"
