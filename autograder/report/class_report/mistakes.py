"""The sentence and the picture that present a known mistake."""

import json
import tomllib
from functools import cache
from pathlib import Path

from autograder.exercises import load
from autograder.releases.store import ANSWERS, lessons
from course_utils.diagnose.visible import find_sheet, observe_and_assess
from course_utils.show.tables import both_html

# sentences for mistakes that are not specific to one exercise
GENERAL = tomllib.loads(Path(__file__).with_name("general.toml").read_text(encoding="utf-8"))


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


@cache
def sentences_of(exercise):
    """{mistake: [sentence, ...]} of an exercise; {} if the exercise no longer exists."""
    sentences = {}
    if exercise in all_exercises():
        sheet = json.loads((ANSWERS / f"{exercise}.json").read_text(encoding="utf-8"))
        for name, sentence, *_ in sheet["mistakes"]:
            sentences.setdefault(name, []).append(sentence)
    return sentences


def sentence_of(mistake, exercise, messages):
    """The course's own sentence on a mistake; for a mistake without one, its name.

    messages: Counter of what students read, which decides between several sentences.
    """
    own = sentences_of(exercise).get(mistake) or [GENERAL.get(mistake, mistake.replace("_", " "))]
    by_count = sorted(messages, key=lambda message: (-messages[message], message))
    text = next((own_text for message in by_count for own_text in own if own_text[1:] in message), own[0])
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@cache
def tables_of(exercise, mistake):
    """(HTML of the wrong table next to the expected one, where to look), as a check's card shows them.

    The tables come from the mistake's first implementation that a check recognises; None if there is none.
    """
    mistakes = load(exercise).mistakes if exercise in all_exercises() else []
    for wrong in [each for entry in mistakes if entry.name == mistake for each in entry.implementations]:
        result = observe_and_assess(find_sheet(exercise), wrong)
        if result.mistake == mistake and result.picture:
            return both_html(result.picture), result.look_at
    return None
