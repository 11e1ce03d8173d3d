"""A countdown in the page: HTML and a script, no network, no widgets. The end time is shown as text."""

import secrets
import time
from datetime import UTC
from pathlib import Path

from ...show.tables import tag

SCRIPT = Path(__file__).with_name("clock.js")
BAR = "height:4px;border-radius:2px;background:#8884;margin:.35em 0 .5em;overflow:hidden"
FULL = "height:100%;width:100%;background:#3568a8"
HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


def add_clock(card, session):
    """Add a session's countdown to a card, which stops the clocks on its older cards; if the session has
    ended, only stop those. The clock's text gives the end in this computer's time and in UTC."""
    name = f"clock-{secrets.token_hex(4)}"
    script = SCRIPT.read_text(encoding="utf-8").replace("NAME", name)
    script = script.replace("SESSION", session.key.encode().hex())
    script = script.replace("DRAWN", f"{time.time_ns() / 1e6:.4f}")  # no two cards have the same
    script = script.replace("END", f"{session.end.timestamp() * 1000:.0f}")
    script = script.replace("WHOLE", f"{session.minutes * 60_000:.0f}")
    if session.closed:
        return card.add(f"<script>{script}</script>")
    end = session.end.astimezone()
    end = f"until {end:%H:%M:%S} ({end.astimezone(UTC):%H:%M} UTC)"
    text = tag("span", "font-variant-numeric:tabular-nums", end).replace("<span", '<span data-part="time"', 1)
    bar = f'<div style="{BAR}"><div data-part="bar" style="{FULL}"></div></div>'
    voice = f'<span data-part="voice" aria-live="polite" style="{HIDDEN}"></span>'
    page = f'<div id="{name}" role="timer" style="position:relative"><b>{text}</b>{voice}{bar}</div>'
    return card.add(f"{page}<script>{script}</script>", f"{minutes(session.minutes_left)} left, {end}")


def minutes(number):
    """'12 minutes', '1 minute', 'less than a minute'."""
    whole = round(number)
    return "less than a minute" if number < 1 else "1 minute" if whole == 1 else f"{whole} minutes"
