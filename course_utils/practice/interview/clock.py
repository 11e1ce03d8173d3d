"""A clock that runs in the page: HTML and a script, no network, no widgets. The end stands there as text."""

import html
import secrets
from datetime import UTC

from ...show.tables import tag

SCRIPT = """<script>(()=>{
const clock = document.getElementById('NAME'), end = END, whole = WHOLE;
if (!clock || clock.dataset.live) return;
clock.dataset.live = 'true';
const [time, bar, voice] = ['time', 'bar', 'voice'].map(part => clock.querySelector(`[data-part=${part}]`));
const two = number => String(number).padStart(2, '0');
let said = '';
const say = text => { if (text !== said) { said = voice.textContent = text; } };
const show = () => {
  if (!clock.isConnected) return;
  const left = Math.min(Math.max(end - Date.now(), 0), whole), seconds = Math.ceil(left / 1000);
  const until = new Date(end);
  time.textContent = left ? `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s left, until `
    + `${two(until.getHours())}:${two(until.getMinutes())}` : 'The time is over';
  bar.style.width = `${100 * left / whole}%`;
  say(!left ? 'The time is over.' : seconds <= 60 ? 'One minute left.'
    : seconds <= 300 ? 'Five minutes left.' : '');
  if (left) setTimeout(show, left % 1000 || 1000);
};
show();
})()</script>"""
BAR = "height:4px;border-radius:2px;background:#8884;margin:.35em 0 .5em;overflow:hidden"
FULL = "height:100%;width:100%;background:#3568a8"
HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


def clock_html(interview):
    """The clock of an interview. Without scripts it says when the time is over, in this computer's time."""
    name = f"clock-{secrets.token_hex(4)}"
    end, whole = int(interview.end.timestamp() * 1000), int(interview.minutes * 60_000)
    text = tag("span", "font-variant-numeric:tabular-nums", html.escape(until(interview)))
    text = text.replace("<span", '<span data-part="time"', 1)
    bar = f'<div style="{BAR}"><div data-part="bar" style="{FULL}"></div></div>'
    voice = f'<span data-part="voice" aria-live="polite" style="{HIDDEN}"></span>'
    script = SCRIPT.replace("NAME", name).replace("END", str(end)).replace("WHOLE", str(whole))
    return f'<div id="{name}" role="timer" style="position:relative"><b>{text}</b>{voice}{bar}</div>{script}'


def until(interview):
    """'until 14:35:10', in the computer's own time; with the UTC time, as a server may be far away."""
    end = interview.end
    return f"until {end.astimezone():%H:%M:%S} ({end.astimezone(UTC):%H:%M} UTC)"
