"""The cards of a bug hunt, as (HTML, text): a program, what is said of a try, a fix, a hint, and the end."""

import html

from ....show.card import STATUS, box, bright
from ....show.tables import tag
from ..cards import BLUE, QUIET, paragraphs
from ..clock import clock_html, until
from .hunter import COUNTS, FIX_DRAWS
from .results import both_results

HOW = "It has one bug, or none. Name the line of the bug, and an input on which the result is wrong: {}."
RANDOM = "Where floats are wanted, a tuple of sizes such as `(2, 3)` stands for random ones of that shape."
OR_CLEAN = "If there is none: `bug_hunt.clean()`."
OTHER = (
    "`bug_hunt.hint()` says where to look, `bug_hunt.skip()` shows the answer, `bug_hunt()` this card again."
)
HOW_TO_FIX = (
    'Now mend it: `bug_hunt.fix("the right line")`, or `bug_hunt.fix({0})` with a whole `{0}` of your own, '
    "which is called in the same way. `bug_hunt.skip()` shows ours."
)
NEXT = "`bug_hunt()` shows the next one."
OFFER = "`bug_hunt.hint()` says where to look."
LATE = "The time is over, so it does not count as found. Go on if you like."
SAID = {
    "line": "There is no bug in line {0}. The input is good: on it the result is wrong. "
    "Follow its numbers: after which line are they wrong?",
    "both": "There is no bug in line {0}, and on this input the result is right.",
    "same": "On this input both versions give the same, so it does not show the bug: {reason}",
    "found": "Line {0} it is, and this input shows it.",
    "clean": "There is no bug in it.",
    "not_clean": "There is a bug in it: some input gives a wrong result.",
    "fixed": "It gives what is right, on your input and on {draws} random ones.",
    "not_fixed": "Not on all inputs yet. On this one the result is another:",
}
NO_REASON = "its numbers happen to hide it. Take other numbers."
PLAIN = "margin:0;border:0;padding:0;background:none;color:inherit;font:13px/1.5 monospace;white-space:pre"


# ---- a program


def program_card(hunt):
    program = hunt.program
    head = f"Bug hunt: {program.title}"
    level = f"level {program.level} of 3"
    page = tag("div", "", f"{bright(BLUE, html.escape(head), 'b')} {tag('span', 'opacity:.75', level)}")
    lines = [f"{head}  ({level})"]
    if hunt.minutes is not None:
        page += clock_html(hunt)
        lines.append(until(hunt))
    how = next_step(hunt)
    page += paragraphs([program.story]) + code_html(program) + inputs_html(program) + paragraphs(how, QUIET)
    return box(BLUE, page), "\n".join(
        [*lines, program.story, "", *code_text(program), "", *inputs_text(program), *how]
    )


def next_step(hunt):
    if hunt.found and not hunt.over:
        return [HOW_TO_FIX.format(hunt.program.main)]
    if hunt.over:
        return [hunt.then or NEXT]
    return [
        f"{HOW.format(example_call(hunt.program))} {random_sizes(hunt.program)}".strip(),
        OR_CLEAN,
        OTHER,
    ]


def random_sizes(program):
    """The sentence on tuples of sizes, where the program takes floats."""
    return RANDOM if any(kind.what == "float" and kind.axes for kind in program.inputs.values()) else ""


def code_html(program):
    """Numbers and code side by side, so that a copy of the code has no numbers. Long lines scroll."""
    numbers = "\n".join(str(n) for n, _ in enumerate(program.lines, 1))
    left = tag("pre", f"{PLAIN};text-align:right;opacity:.65;padding-right:1em;user-select:none", numbers)
    right = tag("pre", f"{PLAIN};overflow-x:auto;flex:1", html.escape("\n".join(program.lines)))
    return tag("div", "display:flex;margin:.5em 0;padding:.5em .6em;background:#8882", left + right)


def code_text(program):
    width = len(str(len(program.lines)))
    return [f"{n:>{width}}  {line}".rstrip() for n, line in enumerate(program.lines, 1)]


def inputs_text(program):
    return [f"  {name}: {words(name, kind)}" for name, kind in program.inputs.items()] + [called(program)]


def inputs_html(program):
    cell = "border:0;background:none;text-align:left;vertical-align:top;padding:0 1em 0 0"
    rows = "".join(
        tag(
            "tr",
            "background:none",
            tag("td", f"{cell};font-family:monospace", name) + tag("td", cell, words(name, kind)),
        )
        for name, kind in program.inputs.items()
    )
    return tag("table", "border-collapse:collapse;margin:.2em 0;font-size:inherit", rows) + paragraphs(
        [called(program)]
    )


def words(name, kind):
    """What an argument is; with the letter of a size, where that is not its name."""
    letter = f"{kind.letter}, " if kind.letter and kind.letter != name else ""
    return letter + kind.says()


def called(program):
    """How the program is called with its inputs."""
    said = (
        program.tried.__doc__ if program.tried else None
    ) or f"{program.main}({', '.join(program.inputs)})"
    return f"Called so: `{said}`"


def example_call(program, line=None):
    """`bug_hunt.found(7, x=..., n_heads=...)`"""
    given = ", ".join(f"{name}=..." for name in program.inputs)
    return f"`bug_hunt.found({line or 'LINE'}, {given})`"


# ---- what is said of a try


def verdict_card(hunt, verdict, line, notes=()):
    program = hunt.program
    right = verdict.kind in ("found", "clean", "fixed")
    word, colour = STATUS["passed" if right else "wrong"]
    page = tag("div", "", f"{bright(colour, word, 'b')} <b>{html.escape(program.title)}</b>")
    said = [sentence_of(hunt, verdict, line)]
    below = [*after(hunt, verdict), *filter(None, notes)]
    tables_html, tables_text = "", []
    if verdict.kind in ("found", "not_fixed"):
        who = "this program" if verdict.kind == "found" else "yours"
        tables_html, tables_text = both_results(verdict, who)
    if verdict.kind == "not_fixed":
        said.append(f"The input: {input_text(program, verdict.given)}.")
    page += paragraphs(said) + tables_html + paragraphs(below, QUIET)
    return box(colour, page), "\n".join([f"{word}: {program.title}", *said, *tables_text, *below])


def sentence_of(hunt, verdict, line):
    return SAID[verdict.kind].format(line, reason=verdict.reason or NO_REASON, draws=FIX_DRAWS)


def after(hunt, verdict):
    """The lines below: what comes next."""
    program = hunt.program
    if verdict.kind == "found":
        late = [LATE] if hunt.late() else []
        return [*late, HOW_TO_FIX.format(program.main)]
    if verdict.kind == "fixed":
        return [program.why, hunt.then or NEXT]
    if verdict.kind == "clean":
        return [*([LATE] if hunt.late() else []), hunt.then or NEXT]
    return [OFFER] if hunt.tries >= COUNTS and not hunt.hints and verdict.kind != "not_fixed" else []


def hint_card(hunt):
    program = hunt.program
    if not program.bug:
        said = ["Some programs have no bug. Take a line that you doubt, and work out by hand what it gives."]
    elif hunt.hints == 1 or not program.same:
        said = ["Look at lines {} to {}.".format(*hunt.region())]
    else:
        said = [f"An input on which it does not show: {next(iter(program.same.values()))}"]
    return box(BLUE, paragraphs(said)), "\n".join(said)


def now_fix_card(hunt):
    said = ["The bug is found.", HOW_TO_FIX.format(hunt.program.main)]
    return box(BLUE, paragraphs(said)), "\n".join(said)


def skipped_card(hunt, given, notes=()):
    """The line, what it should be, why, and an input on which it shows."""
    program = hunt.program
    if not program.bug:
        said = [SAID["clean"]]
        code = ""
    else:
        said = [f"Line {program.bug}: {program.why}"]
        code = tag(
            "pre",
            f"{PLAIN};overflow-x:auto;padding:.4em .6em;background:#8882;margin:.4em 0",
            html.escape(fix_lines(program)),
        )
    below = [f"It shows, for instance, with {input_text(program, given)}." if given else ""]
    below += [hunt.then or NEXT, *notes]
    below = [line for line in below if line]
    page = tag("div", "", bright(BLUE, html.escape(program.title), "b")) + paragraphs(said) + code
    lines = [program.title, *said, *(fix_lines(program).splitlines() if program.bug else []), *below]
    return box(BLUE, page + paragraphs(below, QUIET)), "\n".join(lines)


def fix_lines(program):
    old = program.lines[program.bug - 1].strip()
    return "\n".join([f"- {old}", *(f"+ {line}" for line in program.fixed.splitlines())])


# ---- inputs and results


def input_text(program, given):
    """'`T` = 3, `D` = 4, `n_heads` = 2': sizes and single numbers."""
    parts = []
    for name, kind in program.inputs.items():
        value = given[name]
        if not kind.axes:
            parts.append(f"`{name}={value if not isinstance(value, float) else round(value, 3)}`")
        elif kind.what == "float":
            parts.append(f"`{name}` of shape {tuple(value.shape)}")
        else:
            parts.append(f"`{name}={value.tolist()}`")
    return ", ".join(parts)
