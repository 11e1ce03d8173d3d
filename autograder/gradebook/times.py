"""Parses a written date into the time in UTC, without a time zone, as nbgrader stores it."""

import re
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

EXAMPLE = "2026-03-05 12:00 Europe/Berlin"
DATE = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d?\d)(:\d\d(?::\d\d(?:\.\d+)?)?) ?(\S*)")
OFFSET = re.compile(r"[+-]\d\d(?::?\d\d)?")


def utc_of(text, default="", home=""):
    """Parse a date, time and time zone (Europe/Berlin, CEST, UTC, Z, +01:00); None if that is not one certain
    time. default: the zone of a date without one. home: the zone that writes short names such as PST, if
    known."""
    match = DATE.fullmatch(text.strip())
    if match is None:
        return None
    day, hour, clock, zone = match.groups()
    try:
        local = datetime.fromisoformat(f"{day} {int(hour):02}{clock}")
        (offset,) = offsets(local, zone or default, home)
        return local - offset
    except (ValueError, OSError, KeyError, OverflowError):  # zoneinfo raises each of them for some name
        return None


def offsets(local, zone, home):
    """All offsets from UTC that the zone may mean at this local time. A short name is certain if all time
    zones that use it in that year agree: so CEST is, and PST, also in Manila, is not."""
    if zone in ("UTC", "GMT", "Z"):
        return {timedelta(0)}
    if OFFSET.fullmatch(zone):
        return {offset_of(datetime.fromisoformat(f"{local.isoformat()}{zone}"))}
    own = short_names(local.year, home).get(zone) if home else None
    if own or zone in short_names(local.year):
        return own or short_names(local.year)[zone]
    clocks = [local.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1)]  # two, in an hour of autumn
    return {offset_of(clock) for clock in clocks}


def offset_of(clock):
    return clock.replace(tzinfo=UTC) - clock


@cache
def short_names(year, zone=""):
    """{name such as CEST: offsets from UTC} in a year, of one time zone or of all."""
    names = {}
    for key in [zone] if zone else available_timezones():
        for month in (1, 7):
            moment = datetime(year, month, 1, tzinfo=ZoneInfo(key))
            names.setdefault(moment.tzname(), set()).add(offset_of(moment))
    return names


def shown_time(time):
    """Format a time for the tables."""
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else "-"
