"""What the course publishes: the sentences of the known mistakes."""

import json
import tomllib
from functools import cache
from pathlib import Path

from autograder.releases.store import ANSWERS, lessons

from .entries import group

# for mistakes that are seen in every exercise alike
GENERAL = tomllib.loads(Path(__file__).with_name("general.toml").read_text(encoding="utf-8"))


@cache
def mistakes_in(exercise):
    """{mistake: [sentence, ...]} of an exercise; {} where there is no such exercise any more."""
    if exercise not in all_exercises():
        return {}
    data = json.loads((ANSWERS / f"{exercise}.json").read_text(encoding="utf-8"))
    named = dict.fromkeys((name, sentence) for name, sentence, *_ in data["mistakes"])
    return group(named)


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


def sentence_of(mistake, exercise, messages):
    """How a mistake reads: the course's own sentence on it; for a name that it does not know, the name.

    messages: {what students read: how many did}; of several sentences, the one that most of them read counts.
    """
    own = mistakes_in(exercise).get(mistake) or [GENERAL.get(mistake, mistake.replace("_", " "))]
    for message, _ in sorted(messages.items(), key=lambda item: (-item[1], item[0])):
        if match := next((sentence for sentence in own if sentence[1:] in message), None):
            return as_sentence(match)
    return as_sentence(own[0])


def as_sentence(text):
    """With a capital, unless it begins with a piece of code, and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
