"""Read a program of the bug hunt: its name comes in, a Program goes out, read from its file in `programs/`.

A file has two parts. Above the line `# ---- inputs` is the program with its bugs, as it is shown; its
docstring is the title and the task. A line that ends in `# right: CODE` is a bug, and CODE corrects it.
The mark `# also` is on other lines that count as the place of the bug; `# also 2`, of the second one. Below
are INPUTS and, if needed, the other FIELDS, which become fields of the Program, and SAME and WHY, of its bug
(with several bugs, lists). They may use the names of `inputs.py`, torch and np.
"""

import ast
import inspect
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from ..card import Refusal
from . import inputs

FOLDER = Path(__file__).with_name("programs")
CUT = "\n# ---- inputs\n"
RIGHT, ALSO = "  # right: ", "  # also"
FIELDS = ("INPUTS", "HOLDS", "SIZES", "EDGES", "DRAWS", "SAME_DTYPE", "TOO_CLOSE", "MISTAKE", "THEN", "tried")
OBJECTS = ast.FunctionDef, ast.ClassDef
DRAWN = (1, 6)  # the range of drawn sizes


@dataclass
class Bug:
    """line: the number of the buggy line. fixed: the right line. places: line numbers that count as its
    place. same: {reason: condition} for inputs that hide it. why: what is wrong."""

    line: int
    fixed: str
    places: list
    same: dict = field(default_factory=dict)
    why: str = ""


class Program:
    """title, story: what it should do. lines: as they are shown. bugs: a Bug for each. main: the name of the
    function or class. code, right_code: the source with the bugs, and without.

    inputs: {name: Argument}. holds: {sentence: condition} that valid inputs meet. A condition is a function
    of letters and arguments. sizes: {letter: (smallest, largest)} to draw from. edges: inputs on which a fix
    is tried, for instance one that exposes a constant that is only nearly right. draws: how many random ones
    at most. same_dtype: must a result have the right dtype? too_close: why a bug does not show, if no other
    reason is known. mistake: the known mistake, EXERCISE.NAME. then: the name of the program to write once
    all bugs are fixed. tried: calls the main object, if it is not called with the inputs alone.
    """

    inputs: dict[str, inputs.Argument]
    holds, sizes, edges, draws, same_dtype, too_close = {}, {}, (), 1000, False, ""
    mistake, then, tried = "", "", None

    def __init__(self, name):
        """Read the program of this name."""
        top, below = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split(CUT)
        tree, space = ast.parse(top), {**vars(inputs)}
        exec(compile(below, f"{name}.py", "exec"), space)
        vars(self).update({key.lower(): space[key] for key in FIELDS if key in space})
        self.edges = [self.read(**values)[0] for values in self.edges]
        self.name, self.level = name, levels().get(name)
        self.main = [node.name for node in tree.body if isinstance(node, OBJECTS)][-1]
        title, _, story = str(ast.get_docstring(tree)).partition("\n")
        self.title, self.story = title.rstrip("."), " ".join(story.split())
        self.lines, self.bugs, others = [], [], []
        for line in top[top.index('"""', 3) + 3 :].strip("\n").splitlines():
            code, mark, right = line.partition(RIGHT)
            code, also, number = code.partition(ALSO)
            self.lines.append(code.rstrip())
            if mark:
                self.bugs.append(Bug(len(self.lines), right, [len(self.lines)]))
            if also:
                others.append((int(number or 1), len(self.lines)))
        for number, line in others:
            self.bugs[number - 1].places.append(line)
        same, why = space.get("SAME", {}), space.get("WHY", "")
        pairs = zip(same, why, strict=True) if len(self.bugs) > 1 else [(same, why)]
        for bug, (bug.same, bug.why) in zip(self.bugs, pairs, strict=False):
            bug.places.sort()
        self.code, self.right_code = self.code_with({}), self.code_with(right_lines(self.bugs))

    def region(self, bug):
        """(first, last) line number of five lines that include the bug."""
        last = len(self.lines)
        first = max(1, min((bug.line - 1) // 5 * 5 + 1, last - 4))
        return first, min(last, first + 4)

    def lines_with(self, texts):
        """The program's lines, those of {number: text} replaced; a new text gets the old line's indent, and
        may have several lines."""
        lines = list(self.lines)
        for number, text in texts.items():
            old = lines[number - 1]
            lines[number - 1] = indent(dedent(text.strip("\n")), old[: len(old) - len(old.lstrip())])
        return lines

    def code_with(self, texts):
        """The program's source, lines replaced as in `lines_with`."""
        return "\n".join(self.lines_with(texts)) + "\n"

    def object_of(self, code):
        """Run the code and return its main object. Errors of the code are raised."""
        space = {"__name__": f"bug_hunt_{self.name}"}
        exec(compile(code, f"<{self.name}>", "exec"), space)
        return space[self.main]

    def draw(self, g):
        """Draw a valid input, {argument: value}."""
        letters = {axis for kind in self.inputs.values() for axis in (*kind.axes, kind.letter) if axis}
        between = {letter: self.sizes.get(letter, DRAWN) for letter in sorted(letters)}
        between |= {letter: (int(letter), int(letter)) for letter in letters if letter.isdigit()}
        for _ in range(1000):
            sizes = {letter: int(g.integers(*pair, endpoint=True)) for letter, pair in between.items()}
            values = {name: kind.draw(g, sizes) for name, kind in self.inputs.items()}
            if self.violated_condition(values, sizes) is None:
                return values
        raise ValueError(f"{self.name}: no input holds {list(self.holds)}")

    def read(self, *arguments, **keywords):
        """({argument: value} of a learner's input, {letter: size}). A Refusal says what is wrong with it."""
        parameters = [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in self.inputs
        ]
        try:
            values = inspect.Signature(parameters).bind(*arguments, **keywords).arguments
        except TypeError as error:
            listed = ", ".join(f"`{name}`" for name in self.inputs)
            raise Refusal(f"The program takes {listed}: {error}.") from None
        sizes = {}
        # sizes first: they set letters
        for name in sorted(self.inputs, key=lambda name: not self.inputs[name].letter):
            values[name] = self.inputs[name].read(name, values[name], sizes)
        for name, kind in self.inputs.items():
            kind.check_bounds(name, values[name], sizes)
        if sentence := self.violated_condition(values, sizes):
            raise Refusal(sentence)
        return values, sizes

    def violated_condition(self, values, sizes):
        """The sentence of the first condition that an input violates; None if it is valid."""
        return next((text for text, holds in self.holds.items() if not is_true(holds, values, sizes)), None)


def reason(bug, values, sizes):
    """Why this bug does not show on this input; "" if no reason is known."""
    return next((text for text, holds in bug.same.items() if is_true(holds, values, sizes)), "")


def right_lines(bugs):
    """{line number: right line}"""
    return {bug.line: bug.fixed for bug in bugs}


def is_true(condition, values, sizes):
    names = {**sizes, **values}
    return bool(condition(**{name: names[name] for name in inspect.signature(condition).parameters}))


@cache
def levels():
    """{name: level} of all programs, easy ones first."""
    order = tomllib.loads(Path(__file__).with_name("order.toml").read_text(encoding="utf-8"))
    return {name: int(level) for level, names in order.items() for name in names}


load = cache(Program)
