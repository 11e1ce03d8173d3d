"""A date as a person writes it -> the time in UTC, as nbgrader keeps it: without a time zone."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

EXAMPLE = "2026-03-05 12:00 Europe/Berlin"


def utc_of(text, zone=""):
    """None unless it is a day, a time and a time zone: Europe/Berlin, UTC, Z or +01:00. zone: of a text that
    names none."""
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
    """As the tables show it."""
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "-"
