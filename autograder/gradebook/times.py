"""A date as a person writes it -> the time in UTC, as nbgrader keeps it: without a time zone."""

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

EXAMPLE = "2026-03-05 12:00 Europe/Berlin"
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d?:\d\d(?::\d\d)?) ?(\S+)")
OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?")


def utc_of(text):
    """None unless it is a day, a time and a time zone: Europe/Berlin, UTC, Z or +01:00."""
    match = TIME.fullmatch(text.strip())
    if not match:
        return None
    day, time, zone = match.groups()
    try:
        local = datetime.fromisoformat(f"{day} {time.zfill(5)}")
        return local.replace(tzinfo=zone_of(zone)).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OSError, KeyError, OverflowError):  # zoneinfo raises each of them for some name
        return None


def zone_of(text):
    """A zone by its name or its offset; nbgrader itself would take +01 for one second."""
    offset = OFFSET.fullmatch(text)
    if not offset:
        return ZoneInfo("UTC" if text.upper() in ("Z", "UTC", "GMT") else text)
    sign, hours, minutes = offset.groups()
    from_utc = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(from_utc if sign == "+" else -from_utc)


def shown_time(time):
    """As the tables show it."""
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "-"
