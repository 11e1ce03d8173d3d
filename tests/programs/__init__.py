"""Sample programs of the exercises: one file for each exercise, and beside every program what it gets.

    # %% NAME: cause
    # EXPECTATION
    a whole program in plain Python, in its author's style

EXPECTATION is the outcome of the visible cases and of each seed's hidden cases:

    taken                                   all points
    taken, one left 1.9: changes_input      the values are right; the points, and what is left to do
    refused: global_max                     no points; the mistake that is named
    refused: shown                          no mistake is named
    refused, 1.88: unstable                 some points

Seeds with another outcome than the visible cases come behind it: `refused: shown; seeds 11, 3 refused: bias`.
Programs called strangers_2026_11/... are by people who had seen only the lessons' texts: keep them all.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.exercises import load
from course_utils.observe.trial import quiet
from tests.release.implementations import result_of
from tests.release.record import SEEDS, VISIBLE

FOLDER = Path(__file__).parent
HEAD = re.compile(
    r"^(?P<title># %% (?P<name>[^:\n]+)(?:: (?P<cause>.*))?\n)"
    r"(?:# (?P<expected>(?:taken|refused)(?:, [^:;\n]+)?(?:: \w+)?(?:; seeds? .+)?)\n)?",
    re.M,
)


@dataclass
class Program:
    exercise: str
    name: str
    cause: str
    expected: str  # "" if the program is new
    source: str

    def __str__(self):
        return f"{self.exercise}-{self.name}"

    @property
    def is_right(self):
        return self.expected == "taken"

    @property
    def expected_on_visible_cases(self):
        return self.expected.partition(";")[0]

    def make(self):
        """The object that the program defines."""
        space = {"__name__": "answer"}
        with quiet():
            exec(compile(self.source, f"<{self}>", "exec"), space)
        return space[self.exercise]

    def results(self, seeds=(VISIBLE, *SEEDS)):
        """{VISIBLE or seed: Result} of the program today."""
        obj, exercise = self.make(), load(self.exercise)
        return {seed: result_of(obj, exercise, seed) for seed in seeds}


def read(exercise):
    """The sample programs of an exercise, as they are in its file."""
    text = (FOLDER / f"{exercise}.py").read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Program(exercise, head["name"], head["cause"] or "", head["expected"] or "", text[head.end() : end])
        for head, end in zip(heads, ends, strict=True)
    ]


def exercise_names():
    return sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


@cache
def all_programs():
    return [program for exercise in exercise_names() for program in read(exercise)]


def outcome(result):
    """A Result in the words of an expectation."""
    points, usual = f"{round(result.points, 3):g}", result.status in ("wrong", "error")
    mistake = result.mistake or ("shown" if usual else result.status)
    if result.passed:
        return "taken" if result.points == result.max_points else f"taken, {points}"
    if result.status == "one_left":
        return f"taken, one left {points}: {mistake}"
    return f"refused, {points}: {mistake}" if result.points else f"refused: {mistake}"


def expectation(results):
    """{VISIBLE or seed: Result} as an expectation."""
    outcomes, groups = {seed: outcome(result) for seed, result in results.items()}, {}
    for seed, text in outcomes.items():
        groups.setdefault(text, []).append(str(seed))
    del groups[outcomes[VISIBLE]]
    others = (f"seed{'s' * (len(seeds) > 1)} {', '.join(seeds)} {text}" for text, seeds in groups.items())
    return "; ".join([outcomes[VISIBLE], *others])


def renew(exercise, expectations):
    """Write {name: expectation} into the file of an exercise."""
    path = FOLDER / f"{exercise}.py"
    text = path.read_text(encoding="utf-8")
    text = HEAD.sub(lambda head: f"{head['title']}# {expectations[head['name']]}\n", text)
    path.write_text(text, encoding="utf-8")
