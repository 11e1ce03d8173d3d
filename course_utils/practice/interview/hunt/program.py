"""A program of the bug hunt: what is shown, both versions as Python objects, and its valid inputs."""

import re
from dataclasses import dataclass, field

import numpy as np
import torch

from . import inputs, read_input


@dataclass
class Program:
    """title, story: what it is meant to do. lines: as they are shown. bug: the number of the bug's line, 0
    for a program without one. fixed: the right line. places: numbers that count as the place of the bug.

    inputs: {argument: Kind}. holds: {condition: sentence} of valid inputs. same: {condition: reason} of valid
    inputs on which both versions give the same. ranges: {letter: (least, most)} to draw sizes from. mistake:
    the known mistake, EXERCISE.NAME. why: its sentence. tried: how the main object is called.
    """

    name: str
    level: int
    title: str
    story: str
    lines: list
    bug: int = 0
    fixed: str = ""
    places: tuple = ()
    inputs: dict = field(default_factory=dict)
    holds: dict = field(default_factory=dict)
    same: dict = field(default_factory=dict)
    ranges: dict = field(default_factory=dict)
    mistake: str = ""
    why: str = ""
    tried: object = None
    main: str = ""

    @property
    def code(self):
        return "\n".join(self.lines) + "\n"

    def with_line(self, number, text):
        """The program's code with another text in the place of one line, in that line's indent."""
        old = self.lines[number - 1]
        indent = old[: len(old) - len(old.lstrip())]
        new = [indent + line for line in dedented(text)]
        return "\n".join([*self.lines[: number - 1], *new, *self.lines[number:]]) + "\n"

    def with_change(self, number, text):
        """The same; a text that defines the main object is a whole program of its own."""
        text = "\n".join(dedented(text)) + "\n"
        whole = re.search(rf"^(def|class) {self.main}\b", text, re.M)
        return text if whole and number != self.line_of_main() else self.with_line(number, text)

    def line_of_main(self):
        return next(
            n for n, line in enumerate(self.lines, 1) if re.match(rf"(def|class) {self.main}\b", line)
        )

    def right_code(self):
        return self.with_line(self.bug, self.fixed) if self.bug else self.code

    def object_of(self, code):
        """The main object that the code defines; whatever error the code raises."""
        space = {"__name__": f"bug_hunt_{self.name}"}
        exec(compile(code, f"<{self.name}>", "exec"), space)
        return space[self.main]

    def draw(self, g):
        """A valid input, {argument: value}."""
        letters = sorted({one for kind in self.inputs.values() for one in (*kind.axes, kind.letter) if one})
        for _ in range(1000):
            sizes = {one: self.draw_size(one, g) for one in letters}
            given = {name: inputs.draw(kind, g, sizes) for name, kind in self.inputs.items()}
            if all(holds(condition, given, sizes) for condition in self.holds):
                return given
        raise ValueError(f"{self.name}: no input holds {list(self.holds)}")

    def draw_size(self, letter, g):
        fixed = (int(letter), int(letter)) if letter.isdigit() else None
        return int(g.integers(*(fixed or self.ranges.get(letter, inputs.DRAWN)), endpoint=True))

    def read(self, said):
        """({argument: value}, {letter: size}) of what a learner gave; Unfit says what is wrong with it."""
        check_names(self.inputs, said)
        sizes, given = {}, {}
        ordered = sorted(self.inputs, key=lambda name: self.inputs[name].what != "size")  # they set letters
        for name in ordered:
            given[name] = read_input.read(name, self.inputs[name], said[name], sizes)
        for name, kind in self.inputs.items():
            read_input.check_bounds(name, kind, given[name], sizes)
        for condition, sentence in self.holds.items():
            if not holds(condition, given, sizes):
                raise read_input.Unfit(sentence)
        return {name: given[name] for name in self.inputs}, sizes

    def reason(self, given):
        """Why both versions give the same on this input; "" where no reason is known."""
        sizes = sizes_of(self.inputs, given)
        return next((text for condition, text in self.same.items() if holds(condition, given, sizes)), "")


def check_names(wanted, said):
    unknown = [name for name in said if name not in wanted]
    missing = [name for name in wanted if name not in said]
    takes = ", ".join(f"`{name}`" for name in wanted)
    if unknown:
        raise read_input.Unfit(f"The program takes {takes}, and no `{unknown[0]}`.")
    if missing:
        raise read_input.Unfit(f"`{missing[0]}` is missing: the program takes {takes}.")


def sizes_of(kinds, given):
    sizes = {}
    for name, kind in kinds.items():
        if kind.what == "size":
            sizes[kind.letter] = given[name]
        sizes |= dict(zip(kind.axes, getattr(given[name], "shape", ()), strict=False))
    return sizes


def holds(condition, given, sizes):
    """Is the condition true? It may speak of letters and arguments, of torch and np."""
    return bool(eval(condition, {"torch": torch, "np": np, **sizes, **given}))


def dedented(text):
    """The lines of a text, without the indent of its first one."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()] or [""]
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] if not line[:indent].strip() else line.lstrip() for line in lines]
