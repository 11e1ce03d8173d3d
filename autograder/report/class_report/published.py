"""What the course publishes of an exercise: the sentences of its known mistakes, and its first hint."""

import json
from functools import cache

from autograder.releases.store import ANSWERS, lessons


@cache
def sheet(exercise):
    """{"mistakes": {name: [sentence, ...]}, "question"}; empty where there is no such exercise any more."""
    file = ANSWERS / f"{exercise}.json"
    if exercise not in all_exercises() or not file.exists():
        return {"mistakes": {}, "question": ""}
    data, mistakes = json.loads(file.read_text(encoding="utf-8")), {}
    for name, sentence, *_ in data["mistakes"]:
        if sentence not in mistakes.setdefault(name, []):
            mistakes[name].append(sentence)
    return {"mistakes": mistakes, "question": data["hints"][0] if data["hints"] else ""}


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


def released_text(lesson):
    """All that stands in a lesson as students get it."""
    return "\n".join(lessons()[lesson].given) if lesson in lessons() else ""


def sentence_of(mistake, exercise, messages):
    """How a mistake reads. messages: {what students read of it: how many of them}.

    It is the course's own sentence. Where a mistake has several, the one that most of them read; where it has
    none (it is recognised in every exercise alike), what two or more students read in the same words; else
    its name.
    """
    own = sheet(exercise)["mistakes"].get(mistake, [])
    for message, count in sorted(messages.items(), key=lambda one: (-one[1], one[0])):
        found = next((sentence for sentence in own if sentence[1:] in message), None)
        if found or (not own and count > 1):
            return as_sentence(found or message)
    return as_sentence(own[0] if own else mistake.replace("_", " "))


def as_sentence(text):
    """With a capital, unless it begins with a piece of code, and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
