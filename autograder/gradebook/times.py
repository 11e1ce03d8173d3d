"""Parses a date that a person wrote into the time in UTC, without a time zone, as nbgrader stores it."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

EXAMPLE = "2026-03-05 12:00 Europe/Berlin"


def utc_of(text, zone=""):
    """Parse a date, time and time zone (Europe/Berlin, UTC, Z, +01:00), or return None. zone: the default."""
    text = re.sub(r"[ T](?=\d:)", " 0", re.sub(r" (?=[+-]|Z$)", "", text.strip()))
    stamp, _, zone_text = text.rpartition(" ")
    if ":" in stamp and ":" not in zone_text:
        text, zone = stamp, zone_text
    try:
        time = datetime.fromisoformat(text)
        time = time if time.tzinfo else time.replace(tzinfo=ZoneInfo(zone))
        return time.astimezone(UTC).replace(tzinfo=None) if ":" in text else None
    except (ValueError, OSError, KeyError, OverflowError):  # zoneinfo raises each of them for some name
        return None


def shown_time(time):
    """Format a time for the tables."""
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "-"
