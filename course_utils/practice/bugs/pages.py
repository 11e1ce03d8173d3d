"""The cards of a bug hunt: a program, the verdict on a try or a fix, and the end."""

import html

import torch

from ...model.result import Picture
from ...show.tables import both_html, both_text, tag
from ..card import Card, verdict
from ..clock import add_clock
from ..typed import shown
from .run import difference

HOW_TO_FIX = (
    'Now fix it: `bug_hunt.fix("the right line")`, or `bug_hunt.fix({0})` with a whole `{0}` of your own, '
    "which is called in the same way. `bug_hunt.skip()` shows ours."
)
NEXT = {"": "`bug_hunt()` shows the next one.", "mock": "`mock_interview.next()` goes on."}
OFFER = "`bug_hunt.hint()` says where to look"
OTHER_PLACE = (
    "The planted bug is not in line {0}. If a change of it makes all results right, show it: "
    '`bug_hunt.fix("...", line={0})`.'
)
SAID = {
    "line": "The input is good: on it the result is wrong. After which line are its numbers wrong?",
    "both": "On this input the result is right.",
    "same": "On this input both versions give the same, so it does not show the bug: {reason}",
    "found": "It is line {line}, and this input shows it.",
    "clean": "There is no bug in it.",
    "not_clean": "There is a bug in it: some input gives a wrong result.",
    "fixed": "It gives the right result on all {tried} inputs that were tried.",
    "not_fixed": "Not on all inputs yet. On this one the result differs:",
}
PLAIN = "margin:0;border:0;padding:0;background:none;color:inherit;font:13px/1.5 monospace;white-space:pre"


def program_card(hunt):
    program = hunt.program
    card = Card(f"Bug hunt: {program.title}", f"level {program.level} of 3")
    if hunt.minutes is not None:
        add_clock(card, hunt)
    add_code(card.say(program.story), program.lines)
    for name, kind in program.inputs.items():
        letter = f"{kind.letter}, " if kind.letter not in ("", name) else ""
        card.say(f"`{name}`: {letter}{kind.says()}", style="")
    call = program.tried.__doc__ if program.tried else f"{program.main}({', '.join(program.inputs)})"
    card.say(f"Called like this: `{call}`")
    if hunt.closed:
        return card.quiet(next_line(hunt))
    if hunt.found:
        return card.quiet(HOW_TO_FIX.format(program.main))
    return card.quiet(
        f"It has one bug, or none. Name the line of the bug, and {how_to_try(program)}",
        "If there is none: `bug_hunt.clean()`.",
        f"{OFFER}, `bug_hunt.skip()` shows the answer, `bug_hunt()` this card again.",
    )


def next_line(hunt):
    """What comes after this program."""
    return NEXT[hunt.about.get("of", "")]


def how_to_try(program, line=None):
    """How an input is given with a line."""
    of_floats = any(kind.what == "float" and kind.axes for kind in program.inputs.values())
    sizes = " For floats, a tuple of sizes such as `(2, 3)` stands for random ones of that shape."
    call = example_call(program, line)
    return f"an input on which the result is wrong: {call}.{sizes if of_floats else ''}"


def add_code(card, lines):
    """Numbers and code side by side, so that a copy of the code has no numbers. Long lines scroll."""
    numbers = "\n".join(str(n) for n, _ in enumerate(lines, 1))
    left = tag("pre", f"{PLAIN};text-align:right;opacity:.65;padding-right:1em;user-select:none", numbers)
    right = tag("pre", f"{PLAIN};overflow-x:auto;flex:1", html.escape("\n".join(lines)))
    width = len(str(len(lines)))
    text = [f"{n:>{width}}  {line}".rstrip() for n, line in enumerate(lines, 1)]
    page = tag("div", "display:flex;margin:.5em 0;padding:.5em .6em;background:#8882", left + right)
    return card.add(page, "", *text, "")


def example_call(program, line=None):
    """`bug_hunt.found(7, x=..., n_heads=...)`"""
    return f"`bug_hunt.found({line or 'LINE'}, {', '.join(f'{name}=...' for name in program.inputs)})`"


def verdict_card(hunt, judged, line, note=None):
    program = hunt.program
    card = verdict(judged.kind in ("found", "clean", "fixed"), program.title)
    kind, reason = judged.kind, judged.reason or "its numbers happen to hide it. Try other numbers."
    card.say(SAID[kind].format(line=line, reason=reason, tried=judged.tried))
    if kind in ("line", "both"):
        card.say(OTHER_PLACE.format(line))
    if kind == "not_fixed":
        card.say(f"The input: {input_text(program, judged.values)}.")
    if kind in ("found", "not_fixed"):
        add_results(card, judged, "this program" if kind == "found" else "yours")
    if kind in ("found", "clean") and hunt.time_over:
        card.quiet("The time is over, so it does not count as found. Go on if you like.")
    if kind == "found":
        return card.quiet(HOW_TO_FIX.format(program.main), note)
    if kind in ("fixed", "clean"):
        return card.quiet(program.why if kind == "fixed" else "", next_line(hunt), note)
    return card.quiet(f"{OFFER}." if hunt.tries >= 2 and not hunt.hints and kind != "not_fixed" else "")


def skipped_card(hunt, values, note):
    """The line, what it should be, why, and an input on which it shows."""
    program, card = hunt.program, Card(hunt.program.title)
    if not program.bug:
        return card.say(SAID["clean"]).quiet(next_line(hunt), note)
    card.say(f"Line {program.bug}: {program.why}")
    old = f"- {program.lines[program.bug - 1].strip()}"
    card.code("\n".join([old, *(f"+ {line}" for line in program.fixed.splitlines())]))
    shows = f"It shows, for instance, with {input_text(program, values)}." if values else None
    return card.quiet(shows, next_line(hunt), note)


def input_text(program, values):
    """'`x` of shape (3, 4), `n_heads=2`'"""
    parts = []
    for name, kind in program.inputs.items():
        value = values[name]
        if kind.axes and kind.what == "float":
            parts.append(f"`{name}` of shape {tuple(value.shape)}")
        else:
            value = value.tolist() if kind.axes else round(value, 3) if isinstance(value, float) else value
            parts.append(f"`{name}={value}`")
    return ", ".join(parts)


def add_results(card, judged, who):
    """The first place where the two outcomes differ: two tables, or two lines."""
    words, mine, right = difference(judged.shown, judged.right) or ("", "", "")
    mine, right = judged.shown.error or mine, judged.right.error or right
    tensors = isinstance(mine, torch.Tensor) and isinstance(right, torch.Tensor)
    if tensors and (mine.shape != right.shape or mine.dtype == right.dtype):
        picture = Picture(words or "the result", mine, right, [], who)
        return card.add(both_html(picture), *both_text(picture))
    mine, right = (mine.dtype, right.dtype) if tensors else (mine, right)
    where = f", {words}" if words else ""
    return card.say(f"{who}{where}: {shown(mine)}", f"right{where}: {shown(right)}")
