"""The generation loop: the program gets a model with known continuations (story.py), a prompt and a number of
new tokens, in any form; it returns the prompt and the new tokens."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import torch

from course_utils.compare.tolerance import sketch_of
from course_utils.model.case import Call, Case, Contract, Fact
from course_utils.model.sheet import Mistake, Sheet, Wanted

from ..hints import Words
from ..parameters import LEFT_OUT, is_needed
from ..questions import named_mistake, text
from ..roles import Recipe
from ..values import Unread, parts_of, to_array
from . import settings
from .story import END, Story, smallest_token, story_of

WORDS = Words("generation")

REST = {
    "temperature": 1.0, "top_k": 3, "top_p": 0.9, "min_p": 0.05, "penalty": 1.0, "window": 64, "seed": 0,
    "pad": 0, "eos": END, "sampled": True, "greedy": True,
}  # fmt: skip
CONSTRUCTOR = WORDS.hints
PROMPTS = {
    "batch": torch.tensor,
    "one row": torch.tensor,
    "array": lambda prompt: np.array(prompt[0]),
    "list": lambda prompt: prompt[0].tolist(),
    "vector": lambda prompt: torch.tensor(prompt[0]),
}


def sizes(request):
    return request | {"model": Story({"kind": "logits", "lib": "torch"})}


def parameters_of(listed, roles):
    """Iterate over (role, parameter) for all parameters with a role, also those of configuration classes."""
    for parameter in listed:
        role = roles.get(parameter.name)
        if isinstance(role, Recipe):
            yield from parameters_of(role.parameters, role.roles)
        elif role:
            yield role, parameter


def parameter_map(way):
    """{role: parameter} for everything that the constructor and the loop take."""
    recipe = way.target.recipe
    of_constructor = parameters_of(recipe.parameters, recipe.roles) if recipe else ()
    return {**dict(of_constructor), **dict(parameters_of(way.target.parameters, way.plan))}


def options(way):
    is_loop = {"model", "prompt", "n"} <= {*parameter_map(way)}
    kinds = ("pair", "last pair") if way.step.is_cached else ("logits", "pair", "last", "last pair")
    return {"kind": kinds if is_loop else (), "prompt": PROMPTS}


def value(role, request, way):
    """An argument. A required setting that is not tested gets a value that does as little as possible."""
    if role in request["values"]:
        return request["values"][role]
    if not is_needed(parameter_map(way)[role]):
        return LEFT_OUT
    fresh = {"generator": torch.Generator().manual_seed(0), "rng": np.random.default_rng(0)}
    return (REST | fresh)[role]


def run(way, request):
    """The prompt and the new tokens, (B, T + n)."""
    prompt, n, ends = request["prompt"], int(request["n"]), request.get("ends")
    if way.choice["prompt"] == "batch":
        return cut_at_end(text_of(way, prompt, n, ends), prompt, ends)
    ends_of = [None] * len(prompt) if ends is None else ends[:, None]
    texts = [text_of(way, row[None], n, end) for row, end in zip(prompt, ends_of, strict=True)]
    width = max(text.shape[1] for text in texts)
    if ends is None and len({text.shape for text in texts}) > 1:
        raise Unread(texts)
    texts = [np.pad(t, ((0, 0), (0, width - t.shape[1])), constant_values=END) for t in texts]
    return cut_at_end(np.concatenate(texts), prompt, ends)


def text_of(way, prompt, n, ends=None, story=None, **values):
    """The text that the loop makes of some rows of a prompt. values: {role: value} of settings."""
    ends_of = None if ends is None else dict(zip(prompt[:, 0].tolist(), ends, strict=True))
    story = story or Story(way.choice, ends_of)
    values |= {"model": story, "prompt": PROMPTS[way.choice["prompt"]](prompt), "n": n}
    values |= {} if ends is None else {"eos": END}
    result = way.once({"values": values})
    result = list(islice(result, 1000)) if isinstance(result, Iterator) else result
    if way.step.is_cached and story.longest_later > 1:
        raise ValueError(
            "after the prompt the model was given more than the newest token: its cache holds the rest"
        )
    return read(result, prompt)


def read(value, prompt):
    for _, part in parts_of(value):
        array = None if isinstance(part, (str, int)) else to_array(part)
        if array is None or array.dtype == bool:
            continue
        if array.size == 0:
            return np.zeros((len(prompt), 0), int)
        if array.ndim in (1, 2) and array.size >= len(prompt):
            return np.atleast_2d(array).astype(int)
    raise Unread(value)


def cut_at_end(text, prompt, ends):
    """The text with END in place of all that follows a row's end."""
    if ends is None:
        return text
    is_end = (text == END) & (np.arange(text.shape[1]) >= prompt.shape[1])
    return np.where(np.cumsum(is_end, 1) > 0, END, text)


def with_prompt(way):
    """An expression that puts the prompt in front of a result, with {} for the call."""
    prompt = next((name for name, role in way.plan.items() if role == "prompt"), "prompt")
    is_tensor = way.choice["prompt"] in ("batch", "one row")
    return f"torch.cat([{prompt}, {{}}], 1)" if is_tensor else f"[*{prompt}, *{{}}]"


def look(topic, step, obj, attempts):
    """(mistake, sentence) if a batch or a setting is handled wrongly; else None."""
    return wrong_batch(attempts.way) or settings.look(attempts.way, parameter_map(attempts.way), text_of, obj)


def wrong_batch(way):
    """(mistake, sentence) if a loop accepts a batch but treats it as one row; else None."""
    if way.choice["prompt"] != "one row":
        return None
    prompt, ends = np.array([[1, 2, 3], [4, 1, 7]]), np.array([4, 99])
    ends = ends if "eos" in way.step.signature else None
    try:
        text = cut_at_end(text_of(way.with_choice(prompt="batch"), prompt, 4, ends), prompt, ends)
    except Exception:  # noqa: BLE001  (it takes no batch, which is fine)
        return None
    if len(text) != 2 or np.array_equal(text, story_of(prompt, 4, ends=ends)):
        return None
    return named_mistake("one_row_for_all" if ends is None else "one_end_for_all")


# ---- the sheet: the story is its answer key

MISTAKES = {
    "prompt_not_returned": lambda p, n, _: story_of(p, n)[:, p.shape[1] :],
    "one_too_few": lambda p, n, _: story_of(p, max(n - 1, 0)),
    "one_too_many": lambda p, n, _: story_of(p, n + 1),
    "prompt_counted": lambda p, n, _: story_of(p, max(n - p.shape[1], 0)),
    "one_for_none": lambda p, n, _: story_of(p, max(n, 1)),
    "context_lost": lambda p, n, _: story_of(p, n, view=lambda text, step: text if step == 0 else text[-1:]),
    "prompt_again": lambda p, n, _: story_of(p, n, view=lambda text, step: text[: len(text) - step]),
    "first_place": lambda p, n, _: story_of(p, n, view=lambda text, step: text[:1]),
    "one_place_early": lambda p, n, _: story_of(p, n, view=lambda text, step: text[:-1]),
    "first_row_for_all": lambda p, n, _: story_of(p, n, row=0),
    "smallest": lambda p, n, _: story_of(p, n, pick=smallest_token),
    "end_ignored": lambda p, n, ends: story_of(p, n, ends=ends),
    "end_left_out": lambda p, n, ends: story_of(p, n, ends=ends)[:, : end_of(ends, 0)],
    "one_end_for_all": lambda p, n, ends: story_of(p, n, ends=ends)[:, : end_of(ends, 1)],
}
SIZES = [(2, 3, 4), (1, 1, 6), (3, 5, 1), (2, 2, 0), (2, 6, 3)]  # (rows, tokens of the prompt, new tokens)


def end_of(ends, more):
    """The length of the text that ends first, plus `more`; None if no text has an end."""
    return None if ends is None else ends.min() + more


def sheets(step):
    """[Sheet] of a part: for the loop, or for the loop that stops at an end."""
    cases, wanted, mistakes = [], [], {name: [] for name in MISTAKES}
    for B, T, n in SIZES:
        prompt = 1 + (np.arange(B * T).reshape(B, T) * 7 + 3 * T) % 9
        ends = np.array([T + 1, T + 99, T + 2][:B]) if "eos" in step.signature else None
        arguments = {"prompt": torch.tensor(prompt), "n": n}
        arguments |= {} if ends is None else {"ends": torch.tensor(ends)}
        whole = story_of(prompt, n, ends=ends)
        whole = whole if ends is None else whole[:, : (whole != END).sum(1).max() + 1]
        cases.append(Case(f"{B} rows, {T} tokens, {n} new ones", [Call(arguments)]))
        wanted.append(Wanted({Fact("text"): torch.tensor(whole)}, None, {}))
        for name, make in MISTAKES.items():
            other = make(prompt, n, ends)
            is_same = np.array_equal(other, whole)
            mistakes[name].append({} if is_same else {Fact("text"): sketch_of(torch.tensor(other))})
    rows = [Mistake(name, text(name), sketches) for name, sketches in mistakes.items()]
    contract = Contract(
        "generate",
        "function",
        {"": "generate(prompt=None, n=None, ends=None)"},
        {"text": "B T"},
        gradients=False,
        probes=False,
    )
    return [Sheet(contract, 1.0, cases, wanted, rows)]
