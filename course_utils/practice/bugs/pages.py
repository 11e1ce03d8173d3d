"""The cards of a bug hunt: a program with its inputs, the place where results differ, the answer."""

import html

import torch

from ...model.case import Fact
from ...model.result import Picture
from ...show.tables import both_html, both_text, tag
from ..card import Card, as_text, verdict
from .program import levels
from .run import number_of_inputs, text

PLAIN = "margin:0;border:0;padding:0;background:none;color:inherit;font:13px/1.5 monospace;white-space:pre"


def program_card(hunt):
    """The program, its arguments, and what to do next."""
    program = hunt.program
    card = Card(f"Bug hunt: {program.title}", f"level {program.level} of {max(levels().values())}")
    add_code(card.say(program.story), program.lines_with(hunt.fixes))
    for name, kind in program.inputs.items():
        letter = f"{kind.letter}, " if kind.letter not in ("", name) else ""
        card.say(f"`{name}`: {letter}{kind.describe()}", style="")
    call = program.tried.__doc__ if program.tried else f"{program.main}({', '.join(program.inputs)})"
    card.say(f"Called like this: `{call}`")
    if hunt.closed:
        return card.quiet(hunt.next_line)
    if follow_up := hunt.follow_up:
        card.say(f"{follow_up.title}. {follow_up.story}", f"Called like this: `{follow_up.tried.__doc__}`")
    if hunt.found or hunt.follow_up:
        return card.quiet(next_step(hunt))
    if len(program.bugs) > 1:
        return card.quiet(text("task_many", len(hunt.bugs), how_to_try(program)), text("ways"))
    return card.quiet(text("task", how_to_try(program)), text("if_clean"), text("ways"))


def next_step(hunt):
    """The sentence that says how to fix what was found."""
    program = hunt.program
    if hunt.follow_up:
        return text("how_to_follow_up", hunt.follow_up.main)
    return text("how_to_fix", program.main) if len(program.bugs) == 1 else text("how_to_fix_one")


def how_to_try(program, line: object = "LINE"):
    """The call to type, `bug_hunt.found(7, x=..., n_heads=...)`, and how to pass shapes for floats."""
    of_floats = any(kind.what == "float" and kind.axes for kind in program.inputs.values())
    call = f"`bug_hunt.found({line}, {', '.join(f'{name}=...' for name in program.inputs)})`."
    return call + (text("sizes") if of_floats else "")


def add_code(card, lines):
    """Add line numbers and code side by side, so that copied code has no numbers. Long lines scroll."""
    numbered = [
        (f"{n:>2}" if k == 0 else "  ", line)
        for n, text in enumerate(lines, 1)
        for k, line in enumerate(text.split("\n"))
    ]
    numbers, lines = zip(*numbered, strict=True)
    left = f"{PLAIN};text-align:right;opacity:.65;padding-right:1em;user-select:none"
    left = tag("pre", left, "\n".join(numbers))
    right = tag("pre", f"{PLAIN};overflow-x:auto;flex:1", html.escape("\n".join(lines)))
    page = tag("div", "display:flex;margin:.5em 0;padding:.5em .6em;background:#8882", left + right)
    return card.add(page, "", *(f"{n}  {line}".rstrip() for n, line in numbered), "")


def add_difference(card, differs, owner):
    """Add the first difference between two outcomes, as two tables or as two lines."""
    place, own, right = differs
    tensors = isinstance(own, torch.Tensor) and isinstance(right, torch.Tensor)
    if tensors and (own.shape != right.shape or own.dtype == right.dtype):
        picture = Picture(Fact(place or "the result"), own, right, [], owner)
        return card.add(both_html(picture), *both_text(picture))
    own, right = (own.dtype, right.dtype) if tensors else (own, right)
    place = f", {place}" if place else ""
    return card.say(f"{owner}{place}: {as_text(own)}", f"right{place}: {as_text(right)}")


def fix_card(program, fault):
    """The verdict on a fix; if it is wrong, with an input and the difference there."""
    card = verdict(fault is None, program.title)
    if fault is None:
        return card.say(text("fixed", number_of_inputs(program)))
    card.say(text("not_fixed"), f"The input: {input_text(program, fault[0])}.")
    return add_difference(card, fault[1], "yours")


def add_answer(card, program, bug, values):
    """Add the buggy line and its correction, the reason, and an input that shows the bug."""
    card.say(f"Line {bug.line}: {bug.why}")
    card.code(f"- {program.lines[bug.line - 1].strip()}\n+ {bug.fixed}")
    return card.quiet(f"It shows, for instance, with {input_text(program, values)}.")


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
