"""A question's name as it was typed comes in, the Question or one sentence goes out."""

from difflib import get_close_matches

from ..model.sheet import published_names
from .questions import published
from .typed import shown

EXERCISE = '{0} is an exercise and no question: check("{0}", {0}) tries it.'
NOT_A_NAME = 'predict takes the name of a question in quotes, as in predict("{}"); {} came.'


def find(name):
    """(Question, None), or (None, the sentence that says what is wrong with the name)."""
    questions, said = published()
    if isinstance(name, str) and name.strip() in questions:
        return questions[name.strip()], None
    if not isinstance(name, str) or not name.strip():
        came = "nothing" if name is None or name == "" else shown(name)
        return None, NOT_A_NAME.format(next(iter(questions), "name"), came)
    if name in published_names():
        return None, EXERCISE.format(name)
    return None, " ".join(
        [f"There is no question called {shown(name)}.", *nearest(name, list(questions)), *said]
    )


def nearest(name, names):
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return [f"Did you mean {' or '.join(near)}?"]
    return [f"There are: {', '.join(names)}."] if names else []
