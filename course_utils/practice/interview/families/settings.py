"""Test a generation loop's settings, such as temperature or top_k: (mistake, sentence) for a setting that
does not do what its name says. Sampling is tested with a model whose logits are always the same."""

import re

import numpy as np

from ..parameters import functions_of, names_used
from ..questions import named_mistake
from .story import VOCAB, Story, story_of

OFF = {
    "temperature": 1.0, "top_k": 10, "top_p": 1.0, "min_p": 0.0, "penalty": 1.0, "sampled": True,
    "greedy": False,
}  # fmt: skip
DRAWS = 80  # tokens drawn for one text
FLAT = np.array([2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0])  # logits for every text
BELOW_ZERO = -4.0  # added to all, so that a 0 in place of -inf becomes the likeliest
ORDER = [4, 0, 7, 2, 9, 5, 1, 8, 3, 6, 10]  # the token with each of these logits
TRIED = {"temperature": (0.25, 3.0), "top_k": (3, 5), "top_p": (0.5, 0.8), "min_p": (0.3, 0.1)}
FAR = 0.17


class Loop:
    """A loop whose settings have no effect by default. names: {role: parameter's name}. text_of: runs the
    loop."""

    def __init__(self, way, parameters, text_of):
        self.way, self.text_of = way, text_of
        self.names = {role: parameter.name for role, parameter in parameters.items()}
        self.subtracts = bool(re.search("presence|frequency", self.names.get("penalty", "")))
        self.off = {role: value for role, value in OFF.items() if role in self.names}
        self.off |= {"penalty": 0.0} if self.subtracts else {}

    def text(self, prompt, n, story=None, **settings):
        """The text; None after an error: a setting that takes another kind of value is not judged."""
        try:
            return self.text_of(self.way, np.array([prompt]), n, None, story, **self.off | settings)
        except Exception:  # noqa: BLE001
            return None

    def drawn_text(self, prompt=(1, 2, 3), n=DRAWS, shift=0.0, **settings):
        """The text that the loop draws from a model whose logits are always the same."""
        flat = np.zeros(VOCAB)
        flat[ORDER] = FLAT + shift
        return self.text(prompt, n, Story(self.way.choice, flat=flat.tolist()), **settings)

    def draw_tokens(self, **settings):
        """The frequency of each token, the likeliest first; None if the loop fails."""
        texts = [self.drawn_text(shift=BELOW_ZERO, **settings) for _ in range(3)]
        if any(text is None for text in texts):
            return None
        return np.bincount(np.concatenate(texts)[:, 3:].reshape(-1), minlength=VOCAB)[ORDER] / (3 * DRAWS)


def look(way, parameters, text_of, obj):
    """(mistake, sentence) for the first wrong setting, or None."""
    loop = Loop(way, parameters, text_of)
    checks = {"window": wrong_window, "mode": wrong_mode, "sampled": wrong_flag, "greedy": wrong_flag}
    checks |= {"seed": wrong_seed, "model": wrong_draws, "penalty": wrong_penalty}
    results = (check(loop, role, obj) for role, check in checks.items() if role in loop.names)
    return next(filter(None, results), None)


def wrong_window(loop, role, obj):
    """If the text is longer than the model's context, does the model get the newest tokens?"""
    prompt = np.array([[1, 5, 2, 7, 3, 8]])
    text, wanted = loop.text(prompt[0], 3, window=4), story_of(prompt, 3, lambda text, step: text[-4:])
    is_right = text is None or np.array_equal(text, wanted)
    return None if is_right else named_mistake("context_otherwise", loop.names[role])


def wrong_mode(loop, role, obj):
    """Do all decoding modes named in the code give the same text, as they must with a confident model?"""
    constants = [const for function in functions_of(obj) for const in function.__code__.co_consts]
    for mode in sorted({c for c in constants if isinstance(c, str) and c.isidentifier() and len(c) < 16}):
        text = loop.text([1, 2, 3], 4, mode=mode, top_k=3)
        if text is not None and not np.array_equal(text, story_of(np.array([[1, 2, 3]]), 4)):
            return named_mistake("mode_otherwise", loop.names[role], mode)
    return None


def wrong_flag(loop, role, obj):
    on = role == "sampled"
    with_it, without = loop.draw_tokens(**{role: on}), loop.draw_tokens(**{role: not on})
    if with_it is not None and without is not None and max(with_it) > 0.95 > 0.8 > max(without):
        return named_mistake("flag_inverted", loop.names[role])
    return None


def wrong_seed(loop, role, obj):
    texts = [loop.drawn_text(seed=3) for _ in range(2)]
    is_same = any(text is None for text in texts) or np.array_equal(*texts)
    return None if is_same else named_mistake("seed_ignored")


def wrong_draws(loop, role, obj):
    names, sampled = loop.names, loop.draw_tokens()
    if sampled is None:
        return None
    filters = [role for role in ("top_k", "top_p", "min_p") if role in names]
    by_chance = names_used(obj) & {"multinomial", "choice", "Categorical", "gumbel", "random"}
    texts = [loop.drawn_text(**{"seed": seed} if "seed" in names else {}) for seed in range(4)]
    steady = all(text is not None and len(set(text[0, 3:].tolist())) == 1 for text in texts)
    if by_chance and steady and len({int(text[0, 3]) for text in texts}) > 1 or steady and sampled[0] < 0.05:
        return named_mistake("seeded_each_step")
    if max(sampled) > 0.95:  # nothing is drawn, or a filter leaves only one token
        if not filters or not by_chance or "mode" in names:
            return None
        return named_mistake(f"{filters[0]}_otherwise", names[filters[0]])
    usual = expected("temperature", 1.0)
    if is_far(sampled, usual):
        return named_mistake("drawn_otherwise")
    for role, value in ((name, value) for name in TRIED if name in names for value in TRIED[name]):
        samples, wanted = loop.draw_tokens(**{role: value}), expected(role, value)
        if samples is None or not is_far(samples, wanted):
            continue
        is_ignored = distance(samples, usual) < distance(samples, wanted)
        if not is_ignored or role == "temperature":  # a filter that is not used yet is no mistake
            mistake, sentence = named_mistake(f"{role}_otherwise", names[role])
            return "temperature_ignored" if is_ignored else mistake, sentence
    return None


def wrong_penalty(loop, role, obj):
    """After the likeliest token, does the penalty make the second likeliest come next?"""
    settings = {"penalty": 1.0 if loop.subtracts else 2.0}
    settings |= {"temperature": 0.02} if "temperature" in loop.names else {}
    for shift in (0.0, BELOW_ZERO):
        text = loop.drawn_text((ORDER[8], ORDER[9]), 2, shift, **settings)
        if text is not None and text[0, 2] == ORDER[0] != ORDER[1] != text[0, 3]:
            return named_mistake("penalty_otherwise", loop.names[role])
    return None


def expected(role, value):
    """The probabilities of the tokens under one setting."""
    p = np.exp(FLAT / value if role == "temperature" else FLAT)
    p = p / p.sum()
    before = np.cumsum(p) - p
    left = {"top_k": np.arange(VOCAB) < value, "top_p": before < value, "min_p": p >= value * p[0]}
    p = p * left.get(role, 1.0)
    return p / p.sum()


def distance(samples, wanted):
    return np.abs(samples - wanted).sum() / 2


def is_far(samples, wanted):
    return distance(samples, wanted) > FAR or samples[wanted == 0].sum() > FAR / 5
