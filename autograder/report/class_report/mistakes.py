"""How a known mistake reads, and how it looks."""

import json
import tomllib
from functools import cache
from pathlib import Path

from autograder.exercises import load
from autograder.releases.store import ANSWERS, lessons
from course_utils.diagnose.visible import find_sheet, observe_and_assess
from course_utils.show.tables import both_html

# for mistakes that are seen in every exercise alike
GENERAL = tomllib.loads(Path(__file__).with_name("general.toml").read_text(encoding="utf-8"))


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


@cache
def sentences_of(exercise):
    """{mistake: [sentence, ...]} of an exercise; {} where there is no such exercise any more."""
    sentences = {}
    if exercise in all_exercises():
        sheet = json.loads((ANSWERS / f"{exercise}.json").read_text(encoding="utf-8"))
        for name, sentence, *_ in sheet["mistakes"]:
            sentences.setdefault(name, []).append(sentence)
    return sentences


def sentence_of(mistake, exercise, messages):
    """The course's own sentence on a mistake; for a name that it does not know, the name.

    messages: Counter of what students read; of several sentences, the one that most of them read counts.
    """
    own = sentences_of(exercise).get(mistake) or [GENERAL.get(mistake, mistake.replace("_", " "))]
    by_count = sorted(messages, key=lambda message: (-messages[message], message))
    text = next((own_text for message in by_count for own_text in own if own_text[1:] in message), own[0])
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@cache
def tables_of(exercise, mistake):
    """(HTML of the wrong table beside the wanted one, where to look), as the card of a check shows them.

    Made with the first implementation of the mistake that a check gives its name; None where there is none.
    """
    mistakes = load(exercise).mistakes if exercise in all_exercises() else []
    for wrong in [each for entry in mistakes if entry.name == mistake for each in entry.implementations]:
        result = observe_and_assess(find_sheet(exercise), wrong)
        if result.mistake == mistake and result.picture:
            return both_html(result.picture), result.look_at
    return None
