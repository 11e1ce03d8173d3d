"""The answers in tests/answers/interview, tried: `python -m tests.tools.interviews` says how many of the
wrong ones are named, topic by topic; with a topic's name, also which name each one gets."""

import ast
import sys
from collections import namedtuple
from pathlib import Path
from types import FunctionType

from course_utils.practice.interview.judge import judge
from course_utils.practice.interview.topics import TOPICS
from tests.tools.cells import read_cells

FOLDER = Path(__file__).resolve().parents[1] / "answers" / "interview"
Answer = namedtuple("Answer", "topic name said source")


def answers(side):
    """[Answer] of right/ or wrong/. said: what its author answers when asked, after a | behind the name."""
    found = []
    for topic in TOPICS:
        for name, about, source in read_cells(FOLDER / side / f"{topic}.py"):
            said = dict([one.split("=") for one in about.partition("|")[2].split()])
            found.append(Answer(topic, name, {k: ast.literal_eval(v) for k, v in said.items()}, source))
    return found


def last_of(source, where="answer"):
    """The last function or class that a cell defines: what a learner would hand in."""
    space = {"__name__": where}
    exec(compile(source, f"<{where}>", "exec"), space)
    own = [
        value
        for value in space.values()
        if isinstance(value, (FunctionType, type)) and value.__module__ == where
    ]
    return own[-1]


def tried(answer, said=None, stage=0):
    """The Judgement of an answer."""
    return judge(TOPICS[answer.topic].stages[stage].problem(), last_of(answer.source), said or {})


def is_named(judgement):
    """Does the card say which mistake it is? An exception's own name does not count."""
    return bool(judgement.mistake) and not judgement.mistake.startswith("raises_")


def main(chosen):
    totals = [0, 0, 0]
    for topic in TOPICS:
        wrong = [(one, tried(one)) for one in answers("wrong") if one.topic == topic]
        right = [(one, tried(one, one.said)) for one in answers("right") if one.topic == topic]
        named = sum(is_named(judgement) for _, judgement in wrong)
        asked = sum(bool(one.said) for one, _ in right)
        passed = sum(judgement.right for _, judgement in right)
        refused = sum(not judgement.right for _, judgement in wrong)
        print(
            f"{topic}: {passed} of {len(right)} right ones pass, {asked} after a question; "
            f"{refused} of {len(wrong)} wrong ones are refused, {named} named"
        )
        if topic in chosen:
            for one, judgement in wrong:
                print(f"    {one.name}: {judgement.mistake or judgement.sentences[0]}")
        totals = [a + b for a, b in zip(totals, (len(right), len(wrong), named), strict=True)]
    print(f"all: {totals[0]} right, {totals[1]} wrong, {totals[2]} named ({totals[2] / totals[1]:.0%})")


if __name__ == "__main__":
    main(sys.argv[1:])
