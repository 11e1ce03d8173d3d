"""The cards of a bug hunt: a program, the verdict on a try or a fix, and the end."""

import html

import torch

from ...model.result import Picture
from ...show.tables import both_html, both_text, tag
from ..card import Card, verdict
from ..clock import add_clock
from .run import difference

HOW = "It has one bug, or none. Name the line of the bug, and an input on which the result is wrong: {}."
RANDOM = "For floats, a tuple of sizes such as `(2, 3)` stands for random ones of that shape."
OR_CLEAN = "If there is none: `bug_hunt.clean()`."
OTHER = (
    "`bug_hunt.hint()` says where to look, `bug_hunt.skip()` shows the answer, `bug_hunt()` this card again."
)
HOW_TO_FIX = (
    'Now fix it: `bug_hunt.fix("the right line")`, or `bug_hunt.fix({0})` with a whole `{0}` of your own, '
    "which is called in the same way. `bug_hunt.skip()` shows ours."
)
NEXT = {"": "`bug_hunt()` shows the next one.", "mock": "`mock_interview.next()` goes on."}
OFFER = "`bug_hunt.hint()` says where to look."
LATE = "The time is over, so it does not count as found. Go on if you like."
NO_REASON = "its numbers happen to hide it. Try other numbers."
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
MOST_NUMBERS = 12


def program_card(hunt):
    program = hunt.program
    card = Card(f"Bug hunt: {program.title}", f"level {program.level} of 3")
    if hunt.minutes is not None:
        add_clock(card, hunt)
    add_code(card.say(program.story), program.lines)
    card.say(*(f"`{name}`: {text}" for name, text in argument_texts(program).items()), style="")
    call = program.tried.__doc__ if program.tried else f"{program.main}({', '.join(program.inputs)})"
    return card.say(f"Called like this: `{call}`").quiet(*next_step(hunt))


def next_step(hunt):
    if hunt.closed:
        return [next_line(hunt)]
    if hunt.found:
        return [HOW_TO_FIX.format(hunt.program.main)]
    return [f"{HOW.format(example_call(hunt.program))} {random_sizes(hunt.program)}", OR_CLEAN, OTHER]


def next_line(hunt):
    """What comes after this program."""
    return NEXT[hunt.about.get("of", "")]


def random_sizes(program):
    """The sentence on tuples of sizes, where the program takes floats."""
    return RANDOM if any(kind.what == "float" and kind.axes for kind in program.inputs.values()) else ""


def add_code(card, lines):
    """Numbers and code side by side, so that a copy of the code has no numbers. Long lines scroll."""
    numbers = "\n".join(str(n) for n, _ in enumerate(lines, 1))
    left = tag("pre", f"{PLAIN};text-align:right;opacity:.65;padding-right:1em;user-select:none", numbers)
    right = tag("pre", f"{PLAIN};overflow-x:auto;flex:1", html.escape("\n".join(lines)))
    width = len(str(len(lines)))
    text = [f"{n:>{width}}  {line}".rstrip() for n, line in enumerate(lines, 1)]
    page = tag("div", "display:flex;margin:.5em 0;padding:.5em .6em;background:#8882", left + right)
    return card.add(page, "", *text, "")


def argument_texts(program):
    """{argument: what it is}; with the letter of a size, where that is not its name."""
    letters = {n: f"{k.letter}, " if k.letter not in ("", n) else "" for n, k in program.inputs.items()}
    return {name: letters[name] + kind.says() for name, kind in program.inputs.items()}


def example_call(program, line=None):
    """`bug_hunt.found(7, x=..., n_heads=...)`"""
    return f"`bug_hunt.found({line or 'LINE'}, {', '.join(f'{name}=...' for name in program.inputs)})`"


# ---- what is said of a try


def verdict_card(hunt, judged, line, note=None):
    program = hunt.program
    card = verdict(judged.kind in ("found", "clean", "fixed"), program.title)
    text = SAID[judged.kind].format(line=line, reason=judged.reason or NO_REASON, tried=judged.tried)
    card.say(text, OTHER_PLACE.format(line) if judged.kind in ("line", "both") else "")
    if judged.kind == "not_fixed":
        card.say(f"The input: {input_text(program, judged.values)}.")
    if judged.kind in ("found", "not_fixed"):
        add_results(card, judged, "this program" if judged.kind == "found" else "yours")
    return card.quiet(*below(hunt, judged), note)


def below(hunt, judged):
    """The lines on what comes next."""
    late = LATE if hunt.time_over else None
    if judged.kind == "found":
        return [late, HOW_TO_FIX.format(hunt.program.main)]
    if judged.kind in ("fixed", "clean"):
        return [hunt.program.why if judged.kind == "fixed" else late, next_line(hunt)]
    return [OFFER] if hunt.tries >= 2 and not hunt.hints and judged.kind != "not_fixed" else []


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


# ---- results


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
    return card.say(f"{who}{where}: {as_text(mine)}", f"right{where}: {as_text(right)}")


def as_text(value):
    """A result that is no tensor of both versions, rounded and short."""
    if isinstance(value, torch.Tensor):
        value = value.tolist() if value.numel() <= MOST_NUMBERS else f"numbers of shape {tuple(value.shape)}"
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 300 else text[:297] + "..."
