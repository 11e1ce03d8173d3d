"""What the course publishes: the sentences of the known mistakes, and the text of the lessons."""

import json
from functools import cache

from autograder.releases.store import ANSWERS, lessons
from course_utils.compare.verdict import WHY


@cache
def mistakes_in(exercise):
    """{mistake: [sentence, ...]} of an exercise; {} where there is no such exercise any more."""
    if exercise not in all_exercises():
        return {}
    data, found = json.loads((ANSWERS / f"{exercise}.json").read_text(encoding="utf-8")), {}
    for name, sentence, *_ in data["mistakes"]:
        if sentence not in found.setdefault(name, []):
            found[name].append(sentence)
    return found


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


def released_text(lesson):
    """All that stands in a lesson as students get it."""
    return "\n".join(lessons()[lesson].given) if lesson in lessons() else ""


def sentence_of(mistake, exercise, messages):
    """How a mistake reads. messages: {what students read of it: how many did}.

    It is the course's own sentence. Where a mistake has several, the one that most of them read. Where it has
    none (it is one of those that are seen in every exercise), it is what two or more students read in the
    same words, else its name.
    """
    own = mistakes_in(exercise).get(mistake, [])
    for message, count in sorted(messages.items(), key=lambda one: (-one[1], one[0])):
        found = next((sentence for sentence in own if sentence[1:] in message), None)
        if found or (not own and count > 1):
            return as_sentence(found or message)
    named = as_sentence(own[0] if own else mistake.replace("_", " "))
    return named if own else " ".join(filter(None, (named, WHY.get(mistake))))


def as_sentence(text):
    """With a capital, unless it begins with a piece of code, and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
