"""The generation loop: a model that knows how every text goes on comes in, with a prompt and a number of new
tokens, in any form; the prompt and the new tokens come back."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import torch

from course_utils.compare.tolerance import sketch_of
from course_utils.model.case import Call, Case, Contract, Fact
from course_utils.model.sheet import Mistake, Sheet, Wanted

from ..objects import Recipe
from ..parameters import LEFT_OUT, parameters
from ..values import Unread, parts_of, undress
from . import plain, settings
from .story import Story, least, story_of

HINTS = {
    "model": r"(lm|net|gpt|decoder|modele)|.*model.*|.*forward.*|.*logits.*|f|fn",
    "prompt": r"prompt.*|idx|.*ids|tokens?|x|start.*|inputs?|context|seq.*|text|ids|invites?|prefix",
    "eos": r".*eos.*|.*end.*|.*stop.*|.*fin",
    "pad": r".*pad.*|.*vide.*",
    "temperature": r".*temp.*|t|tau",
    "top_k": r"(top_?)?k",
    "top_p": r"(top_?)?p|nucleus.*",
    "min_p": r"min_p",
    "penalty": r".*penalty.*",
    "window": r".*(block|context|ctx|window).*",
    "sampled": r"(do_)?sampl.*",
    "greedy": r".*greedy.*",
    "mode": r".*(strategy|mode|method|decoding).*",
    "seed": r"seed|.*_seed",
    "generator": r"gen|generator",
    "rng": r"rng|rand.*",
    "n": r".*(new|max|num|steps?|limit|length|n_tok|count|extra|more).*|n|k|n_.*|nb.*",
}
REST = {"temperature": 1.0, "top_k": 3, "top_p": 0.9, "min_p": 0.05, "penalty": 1.0, "window": 64, "seed": 0}
REST |= {"pad": 0, "eos": 10, "sampled": True, "greedy": True}
CONSTRUCTOR = HINTS
KINDS = ("logits", "pair", "record", "numpy", "list", "last", "last numpy", "last list", "last pair")
KINDS += ("last record",)
PROMPTS = {
    "batch": torch.tensor,
    "one row": torch.tensor,
    "array": lambda prompt: np.array(prompt[0]),
    "list": lambda prompt: prompt[0].tolist(),
    "vector": lambda prompt: torch.tensor(prompt[0]),
    "lists": lambda prompt: prompt.tolist(),
}
FORMS = [("model", "prompt", "n"), ("model", "prompt", "n", "eos"), ("prompt", "n"), ("prompt", "n", "eos")]
OPTIONAL = tuple(HINTS)


def sizes(request):
    return request | {"model": Story("logits")}


def constructor_argument(request, role):
    """An argument of a constructor, to see whether an object can be made."""
    return request[role] if role in request else at_rest(role)


def at_rest(role):
    """A value of a setting that is needed, and that is not asked for."""
    if role == "generator":
        return torch.Generator().manual_seed(0)
    return np.random.default_rng(0) if role == "rng" else REST[role]


def takes(way):
    """{role: Parameter} of all that a loop takes, the fields of its records included."""
    taken, todo = {}, [(way.target.signed, way.plan)]
    todo += [(way.target.recipe.cls, way.target.recipe.roles)] if way.target.recipe else []
    while todo:
        function, roles = todo.pop()
        for parameter in parameters(function):
            role = roles.get(parameter.name)
            if isinstance(role, Recipe):
                todo.append((role.cls, role.roles))
            elif role:
                taken[role] = parameter
    return taken


def options(way):
    is_loop = {"model", "prompt", "n"} <= {*takes(way)}
    kinds = [kind for kind in KINDS if not way.step.is_cached or "pair" in kind or "record" in kind]
    return {"kind": kinds if is_loop else (), "prompt": PROMPTS, "lib": ("numpy",)}


def value(role, request, way):
    if role in request["values"]:
        return request["values"][role]
    return at_rest(role) if takes(way)[role].needed else LEFT_OUT


def run(way, request):
    """The whole text, (B, T + n)."""
    prompt, n, ends = request["prompt"], int(request["n"]), request.get("ends")
    if way.choice["prompt"] in ("batch", "lists"):
        return ended(rows(way, prompt, n, ends), prompt, ends)
    ends_of = [None] * len(prompt) if ends is None else ends[:, None]
    texts = [rows(way, row[None], n, end) for row, end in zip(prompt, ends_of, strict=True)]
    width = max(text.shape[1] for text in texts)
    if ends is None and len({text.shape for text in texts}) > 1:
        raise Unread(texts)
    texts = [np.pad(t, ((0, 0), (0, width - t.shape[1])), constant_values=Story.END) for t in texts]
    return ended(np.concatenate(texts), prompt, ends)


def rows(way, prompt, n, ends, story=None, **values):
    """The text of some rows. values: of settings, by their roles."""
    ends_of = None if ends is None else dict(zip(prompt[:, 0].tolist(), ends, strict=True))
    story = story or Story(way.choice["kind"], ends_of)
    values |= {"model": story, "prompt": PROMPTS[way.choice["prompt"]](prompt), "n": n}
    values |= {} if ends is None else {"eos": Story.END}
    request = {"values": values}
    result = way.once(request, way.target.make({}, lambda role: value(role, request, way)))
    result = list(islice(result, 1000)) if isinstance(result, Iterator) else result
    if way.step.is_cached and story.longest_later > 1:
        raise Reread
    return read(result, prompt)


def read(value, prompt):
    for _, part in parts_of(value):
        array = None if isinstance(part, (str, int)) else undress(part)
        if array is None or array.dtype == bool:
            continue
        if array.size == 0:
            return np.zeros((len(prompt), 0), int)
        if array.ndim in (1, 2) and array.size >= len(prompt):
            return np.atleast_2d(array).astype(int)
    raise Unread(value)


def ended(text, prompt, ends):
    """The text, in which all that comes after a row's end counts as its end."""
    if ends is None:
        return text
    new = text[:, prompt.shape[1] :]
    is_over = np.maximum.accumulate(new == Story.END, 1) if new.size else new == Story.END
    return np.concatenate([text[:, : prompt.shape[1]], np.where(is_over, Story.END, new)], 1)


class Reread(Exception):
    """The loop gives a model with a cache more than the newest token."""

    def __init__(self):
        super().__init__(
            "after the prompt the model was given more than the newest token, which its cache holds"
        )


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a setting that does something else than it should."""
    way = attempts.adapted.way
    return wrong_batch(way) or settings.look(settings.Loop(way, takes(way), rows), obj)


def wrong_batch(way):
    """A loop that takes several rows, and treats them as one."""
    if way.choice["prompt"] != "one row":
        return None
    prompt, batch = (
        np.array([[1, 2, 3], [4, 1, 7]]),
        plain.Way(way.family, way.step, way.target, way.plan, way.choice | {"prompt": "batch"}),
    )
    ends = np.array([4, 99]) if "eos" in way.step.signature else None
    wanted = story_of(prompt, 4)
    wanted[0, 4 if ends is not None else 7 :] = Story.END
    try:
        text = rows(batch, prompt, 4, ends)
    except Exception:  # noqa: BLE001  (it takes no batch, which is fine)
        return None
    if len(text) != 2 or np.array_equal(ended(text, prompt, ends), wanted):
        return None
    return ("one_row_for_all", ONE_ROW) if ends is None else ("one_end_for_all", ENDS["one_end_for_all"])


ONE_ROW = "It takes a batch, and one row decides for all of them: choose a token for each row."

# ---- the sheet: the story itself is the answer

MISTAKES = {
    "prompt_not_returned": (
        "Only the new tokens come back: return the prompt with them.",
        lambda p, n: story_of(p, n)[:, p.shape[1] :],
    ),
    "one_too_few": ("There is one new token too few.", lambda p, n: story_of(p, max(n - 1, 0))),
    "one_too_many": ("There is one new token too many.", lambda p, n: story_of(p, n + 1)),
    "prompt_counted": (
        "The prompt counts as new tokens: it is the whole text that is so long.",
        lambda p, n: story_of(p, max(n - p.shape[1], 0)),
    ),
    "one_for_none": (
        "For no new token there comes one: test the number before the first step.",
        lambda p, n: story_of(p, max(n, 1)),
    ),
    "context_lost": (
        "After the first step the model is given the newest token alone, and it has no cache: give it the "
        "whole text.",
        lambda p, n: story_of(p, n, seen=lambda text, step: text if step == 0 else text[-1:]),
    ),
    "prompt_again": (
        "The model reads the prompt in each step, and never the new tokens.",
        lambda p, n: story_of(p, n, seen=lambda text, step: text[: len(text) - step]),
    ),
    "first_place": (
        "The logits are read at the first place: those of the last one say what comes next.",
        lambda p, n: story_of(p, n, seen=lambda text, step: text[:1]),
    ),
    "one_place_early": (
        "The logits are read one place too early: the last place says what comes next.",
        lambda p, n: story_of(p, n, seen=lambda text, step: text[:-1]),
    ),
    "read_twice": (
        "A token is given to the cache a second time: after the prompt it reads only the newest one.",
        lambda p, n: story_of(p, n, seen=lambda text, step: twice(text, step, p.shape[1])),
    ),
    "first_row_for_all": ("All rows get the first row's token.", lambda p, n: story_of(p, n, row=0)),
    "smallest": (
        "The smallest logit is taken: the largest one is the likeliest.",
        lambda p, n: story_of(p, n, pick=least),
    ),
}


ENDS = {
    "end_ignored": "The loop goes on after the token that ends the text.",
    "end_left_out": "The token that ends the text is left out: it is still part of what is returned.",
    "one_end_for_all": "All rows stop as soon as one has ended: the others go on.",
}
SENTENCES = ENDS | {name: sentence for name, (sentence, _) in MISTAKES.items()}


def ending_mistakes(prompt, n):
    """{name: text} of what loops do with an end after T + 1 tokens of the first row."""
    B, T = prompt.shape
    text = torch.tensor(story_of(prompt, n))
    end = torch.cat(
        [text[:, : T + 1], torch.where(torch.arange(B) == 0, Story.END, text[:, T + 1])[:, None]], 1
    )
    texts = {"one_end_for_all": end} if B > 1 else {"end_left_out": text[:, : T + 1]}
    whole = text.clone()
    whole[0, T + 1 :] = Story.END
    return texts | {"end_ignored": whole}


def twice(text, step, length):
    """What a cache holds where the last token of the prompt was given to it twice."""
    return text if step == 0 else text[:length] + text[length - 1 :]


def sheets(step):
    """[Sheet] of a part: the loop, or the loop with an end."""
    sizes = [(2, 3, 4), (1, 1, 6), (3, 5, 1), (2, 2, 0), (2, 6, 3)]
    prompts = [1 + (np.arange(B * T).reshape(B, T) * 7 + 3 * T) % 9 for B, T, _ in sizes]
    ending = "eos" in step.signature
    cases, wanted, mistakes = [], [], {}
    for (B, T, n), prompt in zip(sizes, prompts, strict=True):
        arguments = {"prompt": torch.tensor(prompt), "n": n}
        text = torch.tensor(story_of(prompt, n))
        if ending:
            if n < 3 or B > 2:
                continue
            arguments["ends"] = torch.tensor([T + 1, T + 99][:B])
            text[0, T + 1 :] = Story.END
            text = text if B > 1 else text[:, : T + 2]
        cases.append(Case(f"{B} rows, {T} tokens, {n} new ones", [Call(arguments)]))
        wanted.append(Wanted({Fact("text"): text}, None, {}))
        others = {name: torch.tensor(make(prompt, n)) for name, (_, make) in MISTAKES.items()}
        others |= (dict.fromkeys(ENDS, text) | ending_mistakes(prompt, n)) if ending else {}
        for name, other in others.items():
            facts = {} if torch.equal(other, text) else {Fact("text"): sketch_of(other)}
            mistakes.setdefault(name, []).append(facts)
    rows = [Mistake(name, SENTENCES[name], sketches) for name, sketches in mistakes.items() if any(sketches)]
    names = "prompt=None, n=None, ends=None"
    contract = Contract(
        "generate", "function", {"": f"generate({names})"}, {"text": "B T"}, gradients=False, probes=False
    )
    return [Sheet(contract, 1.0, cases, wanted, rows)]
