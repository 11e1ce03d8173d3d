"""Read a program of the bug hunt: its name comes in, a Program goes out, read from its file in `programs/`.

A file has two parts. Above the line `# ---- inputs` is the program with its bug, as it is shown; its
docstring is the title and the task. A line that ends in `# right: CODE` is the bug, and CODE corrects it.
The mark `# also` is on other lines that count as the place of the bug. Below are INPUTS and, if needed,
HOLDS, SIZES, EDGES, SAME_DTYPE, SAME, MISTAKE, WHY and `tried`, which become fields of the Program. They
may use the names of `inputs.py`, torch and np.
"""

import ast
import inspect
import tomllib
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from ..card import Refusal
from . import inputs

FOLDER = Path(__file__).with_name("programs")
CUT = "\n# ---- inputs\n"
RIGHT, ALSO = "  # right: ", "  # also"
DRAWN = (1, 6)  # the range of drawn sizes


class Program:
    """title, story: what it should do. lines: as they are shown. bug: the number of the buggy line, 0 if
    there is no bug. fixed: the right line. places: line numbers that count as the place of the bug. main: the
    name of the function or class. code, right_code: the source with and without the bug.

    inputs: {name: Argument}. holds: {sentence: condition} that valid inputs meet. same: {reason: condition}
    for inputs on which both versions give the same; a condition is a function of letters and arguments.
    sizes: {letter: (smallest, largest)} to draw from. edges: inputs that expose a constant that is only nearly
    right. same_dtype: must a result have the right dtype? mistake: the known mistake, EXERCISE.NAME. why:
    what is wrong. tried: calls the main object, if it is not called with the inputs alone.
    """

    holds, sizes, edges, same_dtype, same, mistake, why, tried = {}, {}, (), False, {}, "", "", None

    def __init__(self, name):
        """Read the program of this name, which must be listed in order.toml."""
        top, below = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split(CUT)
        tree, space = ast.parse(top), {**vars(inputs)}
        exec(compile(below, f"{name}.py", "exec"), space)
        fields = "INPUTS", "HOLDS", "SIZES", "EDGES", "SAME_DTYPE", "SAME", "MISTAKE", "WHY", "tried"
        vars(self).update({key.lower(): space[key] for key in fields if key in space})
        self.edges = [self.read(**values)[0] for values in self.edges]
        self.name, self.level, self.main = name, levels()[name], tree.body[-1].name
        title, _, story = ast.get_docstring(tree).partition("\n")
        self.title, self.story = title.rstrip("."), " ".join(story.split())
        self.lines, self.bug, self.fixed, self.places = [], 0, "", []
        for line in top[top.index('"""', 3) + 3 :].strip("\n").splitlines():
            code, mark, right = line.partition(RIGHT)
            self.lines.append(code.removesuffix(ALSO).rstrip())
            if mark:
                self.bug, self.fixed = len(self.lines), right
            if mark or line.endswith(ALSO):
                self.places.append(len(self.lines))
        self.code = "\n".join(self.lines) + "\n"
        self.right_code = self.with_line(self.bug, self.fixed) if self.bug else self.code

    @property
    def region(self):
        """(first, last) line number of five lines that include the bug."""
        last = len(self.lines)
        first = max(1, min((self.bug - 1) // 5 * 5 + 1, last - 4))
        return first, min(last, first + 4)

    def with_line(self, number, text):
        """The program's source with one line replaced; the new text gets that line's indent."""
        old = self.lines[number - 1]
        new = indent(dedent(text.strip("\n")), old[: len(old) - len(old.lstrip())])
        return "\n".join([*self.lines[: number - 1], new, *self.lines[number:]]) + "\n"

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

    def reason(self, values, sizes):
        """Why both versions give the same on this input; "" if no reason is known."""
        return next((text for text, holds in self.same.items() if is_true(holds, values, sizes)), "")


def is_true(condition, values, sizes):
    names = {**sizes, **values}
    return bool(condition(**{name: names[name] for name in inspect.signature(condition).parameters}))


@cache
def levels():
    """{name: level} of all programs, easy ones first."""
    order = tomllib.loads(Path(__file__).with_name("order.toml").read_text(encoding="utf-8"))
    return {name: int(level) for level, names in order.items() for name in names}


load = cache(Program)
