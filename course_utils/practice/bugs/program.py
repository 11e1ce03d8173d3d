"""The name of a program comes in, its Program goes out, read from its file in `programs/`.

A file has two parts. Above the line `# ---- inputs` stands the program, as it is shown, with the bug. Its
docstring is the title and the task. A line that ends in `# right: CODE` is the bug, and CODE is the line
without it; `# also` marks a line that counts as the place of the bug too. Below stand INPUTS, and where they
are needed HOLDS, SIZES, SAME, MISTAKE, WHY and `tried`: the fields of a `Program`, which says what they are.
They are written with the names of `inputs.py`, and with torch and np.
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
DRAWN = (1, 6)  # sizes are drawn between these


class Program:
    """title, story: what it is meant to do. lines: as they are shown. bug: the number of the bug's line, 0
    for a program without one. fixed: the right line. places: numbers that count as the place of the bug.
    main: the name of the function or class. code, right_code: with the bug, and without it.

    inputs: {argument: Kind}. holds: {sentence: condition} of valid inputs. same: {reason: condition} of valid
    inputs on which both versions give the same; a condition is a function of letters and arguments. sizes:
    {letter: (least, most)} to draw sizes from. mistake: the known mistake, EXERCISE.NAME. why: its sentence.
    tried: how the main object is called.
    """

    holds, sizes, same, mistake, why, tried = {}, {}, {}, "", "", None

    def __init__(self, name):
        """Read the program of a name that is in the order."""
        top, below = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split(CUT)
        tree, space = ast.parse(top), {**vars(inputs)}
        exec(compile(below, f"{name}.py", "exec"), space)
        fields = "INPUTS", "HOLDS", "SIZES", "SAME", "MISTAKE", "WHY", "tried"
        vars(self).update({key.lower(): space[key] for key in fields if key in space})
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
        """(first, last) of five lines among which the bug is."""
        last = len(self.lines)
        first = max(1, min((self.bug - 1) // 5 * 5 + 1, last - 4))
        return first, min(last, first + 4)

    def with_line(self, number, text):
        """The program's code with another text in the place of one line, in that line's indent."""
        old = self.lines[number - 1]
        new = indent(dedent(text.strip("\n")), old[: len(old) - len(old.lstrip())])
        return "\n".join([*self.lines[: number - 1], new, *self.lines[number:]]) + "\n"

    def object_of(self, code):
        """The main object that the code defines; whatever error the code raises."""
        space = {"__name__": f"bug_hunt_{self.name}"}
        exec(compile(code, f"<{self.name}>", "exec"), space)
        return space[self.main]

    def draw(self, g):
        """A valid input, {argument: value}."""
        letters = {axis for kind in self.inputs.values() for axis in (*kind.axes, kind.letter) if axis}
        between = {letter: self.sizes.get(letter, DRAWN) for letter in sorted(letters)}
        between |= {letter: (int(letter), int(letter)) for letter in letters if letter.isdigit()}
        for _ in range(1000):
            sizes = {letter: int(g.integers(*pair, endpoint=True)) for letter, pair in between.items()}
            values = {name: kind.draw(g, sizes) for name, kind in self.inputs.items()}
            if self.broken(values, sizes) is None:
                return values
        raise ValueError(f"{self.name}: no input holds {list(self.holds)}")

    def read(self, *arguments, **keywords):
        """{argument: value} of what a learner gave, and the letters' sizes; a Refusal says what is wrong."""
        parameters = [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in self.inputs
        ]
        try:
            values = inspect.Signature(parameters).bind(*arguments, **keywords).arguments
        except TypeError as error:
            listed = ", ".join(f"`{name}`" for name in self.inputs)
            raise Refusal(f"The program takes {listed}: {error}.") from None
        sizes = {}
        for name in sorted(self.inputs, key=lambda name: not self.inputs[name].letter):  # sets letters
            values[name] = self.inputs[name].read(name, values[name], sizes)
        for name, kind in self.inputs.items():
            kind.check_bounds(name, values[name], sizes)
        if sentence := self.broken(values, sizes):
            raise Refusal(sentence)
        return values, sizes

    def broken(self, values, sizes):
        """The first condition of valid inputs that does not hold, as its sentence; None where all hold."""
        return next((text for text, holds in self.holds.items() if not is_true(holds, values, sizes)), None)

    def reason(self, values, sizes):
        """Why both versions give the same on this input; "" where no reason is known."""
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
