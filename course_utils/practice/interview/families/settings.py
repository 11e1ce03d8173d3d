"""Tests the settings of a generation loop, such as temperature or top_k, with a model that always gives the
same logits: (mistake, sentence) for a setting that does not do what its name says."""

import re

import numpy as np

from ..calls import functions_of, names_used
from .story import Story, story_of

OFF = {"temperature": 1.0, "top_k": 10, "top_p": 1.0, "min_p": 0.0, "penalty": 1.0, "sampled": True}
OFF |= {"greedy": False}
DRAWS_OF_A_ROW = 80
FLAT = (2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0)  # logits, whatever the text is
BELOW_ZERO = -4.0  # added to all of them, so that a 0 in place of -inf is likely
ORDER = (4, 0, 7, 2, 9, 5, 1, 8, 3, 6, 10)  # the token with each of these logits
SETTINGS = {
    "temperature": (0.25, 3.0),
    "top_k": (3, 5),
    "top_p": (0.5, 0.8),
    "min_p": (0.3, 0.1),
}
FAR = 0.17
WRONG_DRAWS = "With `{}` tokens are not drawn as they should be: {}"
SHOULD = {
    "temperature": "the logits are to be divided by it, before the softmax.",
    "top_k": "only the k likeliest tokens are to be left, each as likely beside the others as before.",
    "top_p": "the likeliest tokens are to be left, up to the one with which their sum reaches p.",
    "min_p": "tokens are to be left whose probability is at least p times the largest.",
}
SUBTRACTED = re.compile("presence|frequency")
WINDOW = "`{}` is how much of the text the model may read: give it the newest tokens, just as many."
MODE = (
    '`{}="{}"` chooses another token than the one that the model is sure of: is it a place in a sorted list?'
)
PENALTY = (
    "`{}` does not make tokens that were there less likely: a repetition penalty divides a positive logit "
    "and multiplies a negative one; the others are subtracted."
)
CUT = "The text itself is cut to what the model may read: cut only what the model is given."
FLAG = "`{}` works the other way round: it draws where it should not."
SEED = "The same seed gives another text the second time: draw with what is seeded."
SEEDED = "Each step draws with the same random numbers: seed once, before the loop."
DRAWN = "Tokens are not drawn by softmax(logits), where no setting changes that."


class Loop:
    """A way to run a loop, whose settings do nothing where no value is given. names: {role: its parameter}.
    rows: the text of (way, prompt, n, ends, model, settings)."""

    def __init__(self, way, taken, rows):
        self.way, self.rows = way, rows
        self.names = {role: parameter.name for role, parameter in taken.items()}
        self.subtracts = bool(SUBTRACTED.search(self.names.get("penalty", "")))
        self.off = {role: value for role, value in OFF.items() if role in self.names}
        self.off |= {"penalty": 0.0} if self.subtracts else {}

    def text(self, prompt, n, story=None, **settings):
        """The text; None where it ends with an error: a setting of another kind is not judged."""
        try:
            return self.rows(self.way, np.array([prompt]), n, None, story, **self.off | settings)
        except Exception:  # noqa: BLE001
            return None

    def drawn_text(self, prompt=(1, 2, 3), n=DRAWS_OF_A_ROW, shift=0.0, **settings):
        """The text of a model whose logits are always the same."""
        flat = [0.0] * Story.VOCAB
        for place, token in enumerate(ORDER):
            flat[token] = FLAT[place] + shift
        return self.text(prompt, n, Story(self.way.choice["kind"], flat=flat), **settings)

    def drawn(self, **settings):
        """How often each token came, the likeliest first; None where that cannot be said."""
        texts = [self.drawn_text(shift=BELOW_ZERO, **settings) for _ in range(3)]
        if any(text is None for text in texts):
            return None
        counts = sum(np.bincount(text[:, 3:].reshape(-1), minlength=Story.VOCAB) for text in texts)
        return counts[list(ORDER)] / counts.sum()


def look(loop, obj):
    """(mistake, sentence), or None."""
    checks = {"window": wrong_window, "mode": wrong_mode, "sampled": wrong_flag, "greedy": wrong_flag}
    checks |= {"seed": wrong_seed, "model": wrong_draws, "penalty": wrong_penalty}
    results = (check(loop, role, obj) for role, check in checks.items() if role in loop.names)
    return next(filter(None, results), None)


def wrong_window(loop, role, obj):
    """A text that is longer than what the model may read: its newest tokens count."""
    prompt = np.array([[1, 5, 2, 7, 3, 8]])
    text, sentence = loop.text(prompt[0], 3, window=4), WINDOW.format(loop.names[role])
    if text is None or np.array_equal(text, story_of(prompt, 3, lambda text, step: text[-4:])):
        return None
    if np.array_equal(text, story_of(prompt, 3, lambda text, step: text[:4])):
        return "oldest_kept", sentence
    if np.array_equal(text, story_of(prompt, 3, lambda text, step: text[-3:])):
        return "context_one_less", sentence
    return ("text_cut", CUT) if text.shape[1] < 9 else ("context_otherwise", sentence)


def wrong_mode(loop, role, obj):
    """Each way to choose that the code names: with a sure model all give the same text."""
    prompt = np.array([[1, 2, 3]])
    for mode in sorted(strings_in(obj)):
        text = loop.text(prompt[0], 4, mode=mode, top_k=3)
        if text is not None and not np.array_equal(text, story_of(prompt, 4)):
            return "mode_otherwise", MODE.format(loop.names[role], mode)
    return None


def strings_in(obj):
    """The short words among the constants of the code."""
    constants = [const for function in functions_of(obj) for const in function.__code__.co_consts]
    return {c for c in constants if isinstance(c, str) and c.isidentifier() and len(c) < 16}


def wrong_flag(loop, role, obj):
    on = role == "sampled"
    with_it, without = loop.drawn(**{role: on}), loop.drawn(**{role: not on})
    if with_it is not None and without is not None and max(with_it) > 0.95 > 0.8 > max(without):
        return "flag_inverted", FLAG.format(loop.names[role])
    return None


def wrong_seed(loop, role, obj):
    texts = [loop.drawn_text(seed=3) for _ in range(2)]
    is_same = any(text is None for text in texts) or np.array_equal(*texts)
    return None if is_same else ("seed_ignored", SEED)


def wrong_draws(loop, role, obj):
    names, sampled = loop.names, loop.drawn()
    if sampled is None:
        return None
    filters = [role for role in ("top_k", "top_p", "min_p") if role in names]
    by_chance = names_used(obj) & {"multinomial", "choice", "Categorical", "gumbel", "random"}
    texts = [loop.drawn_text(**{"seed": seed} if "seed" in names else {}) for seed in range(4)]
    steady = all(text is not None and len(set(text[0, 3:].tolist())) == 1 for text in texts)
    if by_chance and steady and len({int(text[0, 3]) for text in texts}) > 1 or steady and sampled[0] < 0.05:
        return "seeded_each_step", SEEDED
    if max(sampled) > 0.95:  # nothing is drawn; or a filter leaves only one
        if not filters or not by_chance or "mode" in names:
            return None
        return f"{filters[0]}_otherwise", WRONG_DRAWS.format(names[filters[0]], SHOULD[filters[0]])
    if far(sampled, expected("temperature", 1.0)):
        return "drawn_otherwise", DRAWN
    for role, value in (
        (role, value) for role, values in SETTINGS.items() if role in names for value in values
    ):
        drawn, wanted = loop.drawn(**{role: value}), expected(role, value)
        if drawn is None or not far(drawn, wanted):
            continue
        is_ignored = apart(drawn, expected("temperature", 1.0)) < apart(drawn, wanted)
        if not is_ignored or role == "temperature":  # another one may be taken, and left for later
            mistake = "temperature_ignored" if is_ignored else f"{role}_otherwise"
            return mistake, WRONG_DRAWS.format(names[role], SHOULD[role])
    return None


def wrong_penalty(loop, role, obj):
    """The likeliest token comes first; then the next one, as the first is less likely now."""
    settings = {"penalty": 1.0 if loop.subtracts else 2.0}
    settings |= {"temperature": 0.02} if "temperature" in loop.names else {}
    for shift in (0.0, -4.0):
        text = loop.drawn_text((ORDER[8], ORDER[9]), 2, shift, **settings)
        if text is not None and text[0, 2] == ORDER[0] != ORDER[1] != text[0, 3]:
            return "penalty_otherwise", PENALTY.format(loop.names[role])
    return None


def expected(role, value):
    """The probabilities of the tokens under one setting."""
    logits = np.array(FLAT)
    p = softmax(logits / value if role == "temperature" else logits)
    before = np.cumsum(p) - p
    keep = {"top_k": np.arange(11) < value, "top_p": before < value, "min_p": p >= value * p[0]}
    p = p * keep.get(role, np.ones(11))
    return p / p.sum()


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def apart(drawn, wanted):
    return np.abs(drawn - wanted).sum() / 2


def far(drawn, wanted):
    return apart(drawn, wanted) > FAR or drawn[wanted == 0].sum() > FAR / 5
