"""The generation loop: a model that knows how every text goes on comes in, with a prompt and a number of new
tokens, in any form; the prompt and the new tokens come back."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from itertools import islice, product

import numpy as np
import torch

from course_utils.compare.tolerance import sketch_of
from course_utils.model.case import Call, Case, Contract, Fact
from course_utils.model.sheet import Mistake, Sheet, Wanted

from ..calls import methods_of, names_used
from ..hints import role_of
from ..parameters import call, parameters
from ..values import Unread, parts_of, undress
from .story import Story, next_token

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
KINDS = ("logits", "pair", "record", "numpy", "list", "last", "last numpy", "last list", "last pair")
KINDS += ("last record",)
PROMPTS = ("batch", "one row", "array", "list", "vector", "lists")
OFF = {
    "temperature": 1.0,
    "top_k": 10,
    "top_p": 1.0,
    "min_p": 0.0,
    "penalty": 1.0,
    "sampled": True,
    "greedy": False,
}
DRAWS_OF_A_ROW = 80
FORM = ("model", "prompt", "n")


def sizes(request):
    return request


def ways(obj, request, step):
    """Iterator of (name, way), the likely first."""
    rows = []
    for first, entry in enumerate(entries(obj)):
        for places in product(range(len(KINDS)), range(len(PROMPTS))):
            kind, prompt = KINDS[places[0]], PROMPTS[places[1]]
            if step.is_cached and not {"pair", "record"} & {*kind.split()}:
                continue
            rows.append(
                (first + sum(places), f"{entry.name} {kind} {prompt}", Loop(entry, kind, prompt, step))
            )
    for _, name, way in sorted(rows, key=lambda row: row[0]):
        yield name, way


def entries(obj):
    if not isinstance(obj, type):
        return [Entry(obj)]
    return [Entry(getattr(obj, name), obj) for name in methods_of(obj)]


class Entry:
    """A function, or a class with the method that makes the text."""

    def __init__(self, function, cls=None):
        self.function, self.cls = function, cls
        self.name = f"{cls.__name__}.{function.__name__}" if cls else getattr(function, "__name__", "it")

    def roles(self):
        """The roles of all that it takes, fields of records included."""
        roles = roles_in(self.function, 1 if self.cls else 0, ())
        return roles | (roles_in(self.cls, 0, ()) if self.cls else {})

    def run(self, values):
        if self.cls is None:
            return call(self.function, arguments(self.function, values, 0))
        for_class = arguments(self.cls, values, 0)
        thing = call(self.cls, for_class)
        inner = {
            role: value
            for role, value in values.items()
            if role != "model" or "model" not in self.made_roles()
        }
        later = arguments(self.function, inner, 1)
        return call(getattr(thing, self.function.__name__), later)

    def made_roles(self):
        return set(roles_in(self.cls, 0, ()).values())


def role_in(parameter, used):
    role = role_of(parameter.name, HINTS)
    return role if role not in used else None


def record_of(parameter, function):
    """The learner's dataclass or named tuple that is annotated or the default; dict for a default dict."""
    plain = inspect.unwrap(
        getattr(function, "__init__", function) if isinstance(function, type) else function
    )
    space = getattr(plain, "__globals__", {"__name__": getattr(function, "__module__", "")})
    annotation = parameter.annotation
    annotation = space.get(annotation) if isinstance(annotation, str) else annotation
    options = [*getattr(annotation, "__args__", ()), annotation, type(parameter.default)]
    for cls in options:
        own = isinstance(cls, type) and cls.__module__ == space.get("__name__")
        if own and (is_dataclass(cls) or hasattr(cls, "_fields")):
            return cls
    return dict if isinstance(parameter.default, dict) else None


def roles_in(function, skip, used):
    """{name: role} of parameters, and of the fields of records among them."""
    roles = {}
    for parameter in parameters(function)[skip:]:
        record = record_of(parameter, function)
        if record is dict:
            roles |= {name: role_of(name, HINTS) for name in parameter.default}
        elif record:
            roles |= roles_in(record, 0, used)
        else:
            roles[parameter.name] = role_of(parameter.name, HINTS)
    return roles


def arguments(function, by_role, skip):
    """{parameter: value}: what is given by its role; what is needed besides by place, or at rest."""
    values, free = {}, []
    rest = dict(by_role)
    for parameter in parameters(function)[skip:]:
        record, role = record_of(parameter, function), role_in(parameter, ())
        if record:
            values[parameter.name] = made_record(record, parameter, rest)
        elif role in rest and (role in FORM or role in by_role):
            values[parameter.name] = rest.pop(role)
        elif parameter.needed:
            free.append((parameter.name, role))
    left = [role for role in FORM if role in rest]
    for name, role in free:
        if len(free) > len(left) and role in REST or role in ("generator", "rng"):
            values[name] = at_rest(role)
        elif left and role not in FORM:
            values[name] = rest.pop(left.pop(0))
        else:
            values[name] = rest.pop(left.pop(0)) if left else REST["eos"]
    return values


def at_rest(role):
    if role == "generator":
        return torch.Generator().manual_seed(0)
    return np.random.default_rng(0) if role == "rng" else REST[role]


def made_record(record, parameter, values):
    """A record of settings, with what is given."""
    if record is dict:
        roles = {name: role_of(name, HINTS) for name in parameter.default}
        return parameter.default | {name: values[role] for name, role in roles.items() if role in values}
    fields = {field.name: role_of(field.name, HINTS) for field in parameters(record)}
    own = {
        name: values[role]
        for name, role in fields.items()
        if role in values and role not in ("model", "prompt")
    }
    if not parameter.needed and parameter.default is not None:
        return (
            replace(parameter.default, **own) if is_dataclass(record) else parameter.default._replace(**own)
        )
    needed = {
        field.name: at_rest(fields[field.name])
        for field in parameters(record)
        if field.needed and field.name not in own
    }
    return record(**needed, **own)


class Loop:
    """One way to run a loop. Called with a request, it gives the whole text, (B, T + n)."""

    def __init__(self, entry, kind, prompt, step):
        self.entry, self.kind, self.prompt, self.step = entry, kind, prompt, step

    def __call__(self, request):
        prompt, n = request["prompt"], int(request["n"])
        ends = request.get("ends")
        if self.prompt in ("batch", "lists"):
            return ended(self.rows(prompt, n, ends), prompt, ends)
        texts = [
            self.rows(row[None], n, None if ends is None else ends[b : b + 1]) for b, row in enumerate(prompt)
        ]
        width = max(text.shape[1] for text in texts)
        if ends is None and len({text.shape for text in texts}) > 1:
            raise Unread(texts)
        texts = [
            np.pad(text, ((0, 0), (0, width - text.shape[1])), constant_values=Story.END) for text in texts
        ]
        return ended(np.concatenate(texts), prompt, ends)

    def rows(self, prompt, n, ends, story=None, **settings):
        """The text of some rows."""
        story = story or Story(
            self.kind, None if ends is None else dict(zip(prompt[:, 0].tolist(), ends, strict=True))
        )
        values = {"model": story, "prompt": self.dressed(prompt), "n": n} | settings
        if ends is not None:
            values["eos"] = Story.END
        value = self.entry.run(values)
        if isinstance(value, Iterator):
            value = list(islice(value, 1000))
        if self.step.is_cached and story.longest_later > 1:
            raise Reread
        return self.read(value, prompt)

    def text(self, prompt, n, ends=None, **settings):
        """The text of a sure model under some settings; None where it ends with an error."""
        try:
            return self.rows(prompt, n, ends, **self.at_rest() | settings)
        except Exception:  # noqa: BLE001  (a setting of another kind, which is not judged)
            return None

    def at_rest(self):
        """The settings of the loop, each with the value with which it does nothing."""
        names = {role: name for name, role in self.entry.roles().items()}
        rest = {role: value for role, value in OFF.items() if role in names}
        if "penalty" in rest and SUBTRACTED.search(names["penalty"]):
            rest["penalty"] = 0.0
        return rest

    def flat_text(self, prompt=(1, 2, 3), n=DRAWS_OF_A_ROW, shift=0.0, **settings):
        """The text of a model whose logits are always the same."""
        flat = [0.0] * Story.VOCAB
        for place, token in enumerate(ORDER):
            flat[token] = FLAT[place] + shift
        try:
            return self.rows(
                np.array([prompt]), n, None, Story(self.kind, flat=flat), **self.at_rest() | settings
            )
        except Exception:  # noqa: BLE001  (a setting of another kind, which is not judged)
            return None

    def drawn(self, settings):
        """How often each token came, the likeliest first; None where that cannot be said."""
        return self.counted([self.flat_text(shift=BELOW_ZERO, **settings) for _ in range(3)], 3)

    def counted(self, texts, begin):
        if any(text is None for text in texts):
            return None
        counts = sum(np.bincount(text[:, begin:].reshape(-1), minlength=Story.VOCAB) for text in texts)
        return counts[list(ORDER)] / counts.sum()

    def dressed(self, prompt):
        kinds = {
            "batch": lambda: torch.tensor(prompt),
            "one row": lambda: torch.tensor(prompt),
            "array": lambda: np.array(prompt[0]),
            "list": lambda: prompt[0].tolist(),
            "vector": lambda: torch.tensor(prompt[0]),
            "lists": lambda: prompt.tolist(),
        }
        return kinds[self.prompt]()

    def read(self, value, prompt):
        for _, part in parts_of(value):
            if part is None or isinstance(part, (str, int)):
                continue
            array = undress(part)
            if (
                array is not None
                and array.dtype != bool
                and array.ndim in (1, 2)
                and array.size >= len(prompt)
            ):
                return array.reshape(1, -1).astype(int) if array.ndim == 1 else array.astype(int)
            if array is not None and array.size == 0:
                return np.zeros((len(prompt), 0), int)
        raise Unread(value)


def ended(text, prompt, ends):
    """The text, in which all that comes after a row's end counts as its end."""
    if ends is None:
        return text
    text = text.copy()
    for row in text:
        places = np.flatnonzero(row[prompt.shape[1] :] == Story.END)
        if len(places):
            row[prompt.shape[1] + places[0] :] = Story.END
    return text


class Reread(Exception):
    """The loop gives a model with a cache more than the newest token."""

    def __init__(self):
        super().__init__(
            "after the prompt the model was given more than the newest token, which its cache holds"
        )


# ---- what settings do

FLAT = (2.0, 1.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -2.5, -3.0)  # logits, whatever the text is
BELOW_ZERO = -4.0  # added to all of them, so that a 0 in place of -inf is likely
ORDER = (4, 0, 7, 2, 9, 5, 1, 8, 3, 6, 10)  # which token has which of them
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


def look(topic, step, obj, attempts):
    """(mistake, sentence) of a setting that does something else than it should."""
    way = attempts.adapted.way
    names = {role: name for name, role in way.entry.roles().items()}
    checks = (wrong_batch, wrong_window, wrong_mode, wrong_flag, wrong_seed, wrong_draws, wrong_penalty)
    return next(filter(None, (check_one(way, names, obj) for check_one in checks)), None)


def wrong_batch(way, names, obj):
    """A loop that takes several rows, and treats them as one."""
    if way.prompt != "one row":
        return None
    rows, batch = np.array([[1, 2, 3], [4, 1, 7]]), Loop(way.entry, way.kind, "batch", way.step)
    ends = np.array([4, 99]) if "eos" in way.step.signature else None
    text, wanted = batch.text(rows, 4, ends), story_of(rows, 4)
    if text is None or len(text) != 2:
        return None
    if ends is not None:
        wanted[0, 4:] = Story.END
    if np.array_equal(ended(text, rows, ends), wanted):
        return None
    if ends is not None:
        return "one_end_for_all", ENDS["one_end_for_all"]
    return (
        "one_row_for_all",
        "It takes a batch, and one row decides for all of them: choose a token for each row.",
    )


def wrong_window(way, names, obj):
    """A text that is longer than what the model may read: its newest tokens count."""
    if "window" not in names:
        return None
    prompt = np.array([[1, 5, 2, 7, 3, 8]])
    kinds = {
        "right": lambda text, step: text[-4:],
        "oldest_kept": lambda text, step: text[:4],
        "context_one_less": lambda text, step: text[-3:],
    }
    text = way.text(prompt, 3, window=4)
    if text is None:
        return None
    for name, seen in kinds.items():
        if np.array_equal(text, story_of(prompt, 3, seen)):
            return None if name == "right" else (name, WINDOW.format(names["window"]))
    if text.shape[1] < 9:
        return (
            "text_cut",
            "The text itself is cut to what the model may read: cut only what the model is given.",
        )
    return "context_otherwise", WINDOW.format(names["window"])


def wrong_mode(way, names, obj):
    """Each way to choose that the code names: with a sure model all give the same text."""
    if "mode" not in names:
        return None
    prompt = np.array([[1, 2, 3]])
    for mode in sorted(strings_in(obj)):
        text = way.text(prompt, 4, mode=mode, top_k=3)
        if text is not None and not np.array_equal(text, story_of(prompt, 4)):
            return "mode_otherwise", MODE.format(names["mode"], mode)
    return None


def strings_in(obj):
    """The short words among the constants of the code."""
    functions = (
        [member for member in vars(obj).values() if inspect.isfunction(member)]
        if isinstance(obj, type)
        else [obj]
    )
    constants = [const for function in functions for const in inspect.unwrap(function).__code__.co_consts]
    return {
        const for const in constants if isinstance(const, str) and const.isidentifier() and len(const) < 16
    }


def wrong_flag(way, names, obj):
    for role, on in (("sampled", True), ("greedy", False)):
        if role in names:
            with_it, without = way.drawn({role: on}), way.drawn({role: not on})
            if with_it is not None and without is not None and max(with_it) > 0.95 > 0.8 > max(without):
                return (
                    "flag_inverted",
                    f"`{names[role]}` works the other way round: it draws where it should not.",
                )
    return None


def wrong_seed(way, names, obj):
    if "seed" not in names:
        return None
    texts = [way.flat_text(seed=3) for _ in range(2)]
    if any(text is None for text in texts) or np.array_equal(*texts):
        return None
    return "seed_ignored", "The same seed gives another text the second time: draw with what is seeded."


def wrong_draws(way, names, obj):
    sampled = way.drawn({})
    if sampled is None:
        return None
    filters = [role for role in ("top_k", "top_p", "min_p") if role in names]
    by_chance = names_used(obj) & {"multinomial", "choice", "Categorical", "gumbel", "random"}
    texts = [way.flat_text(**{"seed": seed} if "seed" in names else {}) for seed in range(4)]
    steady = all(text is not None and len(set(text[0, 3:].tolist())) == 1 for text in texts)
    if by_chance and steady and len({int(text[0, 3]) for text in texts}) > 1 or steady and sampled[0] < 0.05:
        return "seeded_each_step", "Each step draws with the same random numbers: seed once, before the loop."
    if max(sampled) > 0.95:  # nothing is drawn; or a filter leaves only one
        if not filters or not by_chance or "mode" in names:
            return None
        return f"{filters[0]}_otherwise", WRONG_DRAWS.format(names[filters[0]], SHOULD[filters[0]])
    if far(sampled, expected("temperature", 1.0)):
        return "drawn_otherwise", "Tokens are not drawn by softmax(logits), where no setting changes that."
    for role, values in SETTINGS.items():
        for value in values if role in names else ():
            drawn = way.drawn({role: value})
            if drawn is None or not far(drawn, expected(role, value)):
                continue
            if apart(drawn, expected("temperature", 1.0)) < apart(drawn, expected(role, value)):
                if role != "temperature":
                    continue  # it may be taken, and left for later
                return "temperature_ignored", WRONG_DRAWS.format(names[role], SHOULD[role])
            return f"{role}_otherwise", WRONG_DRAWS.format(names[role], SHOULD[role])
    return None


def wrong_penalty(way, names, obj):
    """The likeliest token comes first; then the next one, as the first is less likely now."""
    if "penalty" not in names:
        return None
    settings = {"penalty": 1.0 if SUBTRACTED.search(names["penalty"]) else 2.0}
    settings |= {"temperature": 0.02} if "temperature" in names else {}
    for shift in (0.0, -4.0):
        text = way.flat_text((ORDER[8], ORDER[9]), 2, shift, **settings)
        if text is not None and text[0, 2] == ORDER[0] != ORDER[1] != text[0, 3]:
            return "penalty_otherwise", PENALTY.format(names["penalty"])
    return None


SUBTRACTED = re.compile("presence|frequency")
WINDOW = "`{}` is how much of the text the model may read: give it the newest tokens, just as many."
MODE = (
    '`{}="{}"` chooses another token than the one that the model is sure of: is it a place in a sorted list?'
)
PENALTY = (
    "`{}` does not make tokens that were there less likely: a repetition penalty divides a positive logit "
    "and multiplies a negative one; the others are subtracted."
)


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
        lambda p, n: story_of(p, n, pick=lambda text: least(text)),
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


def story_of(prompt, n, seen=lambda text, step: text, row=None, pick=None):
    """The text of (B, T) with n new tokens. seen: what the model knows of it."""
    texts = prompt.tolist()
    for step in range(n):
        tokens = [(pick or next_of)(seen(text, step)) for text in texts]
        texts = [text + [tokens[b if row is None else row]] for b, text in enumerate(texts)]
    return np.array(texts, int).reshape(len(prompt), -1)


def next_of(text):
    return next_token(text)


def least(text):
    return 1 if next_token(text) == 0 else 0


def twice(text, step, length):
    """What a cache holds where the last token of the prompt was given to it twice."""
    return text if step == 0 else text[:length] + text[length - 1 :]


def sheets(step):
    """[Sheet] of a part: the loop, or the loop with an end."""
    sizes = [(2, 3, 4), (1, 1, 6), (3, 5, 1), (2, 2, 0), (2, 6, 3)]
    prompts = [1 + (np.arange(B * T).reshape(B, T) * 7 + 3 * T) % 9 for B, T, _ in sizes]
    ending = "eos" in step.signature
    cases, wanted, mistakes = [], [], {name: [] for name in MISTAKES}
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
        for name, (_, make) in MISTAKES.items():
            other = torch.tensor(make(prompt, n))
            same = other.shape == text.shape and bool((other == text).all())
            mistakes[name].append({} if same else {Fact("text"): sketch_of(other)})
        endings = ending_mistakes(prompt, n) if ending else {}
        for name in ENDS if ending else ():
            other = endings.get(name, text)  # text: such a mistake does not show here
            same = other.shape == text.shape and bool((other == text).all())
            mistakes.setdefault(name, []).append({} if same else {Fact("text"): sketch_of(other)})
    rows = [Mistake(name, SENTENCES[name], sketches) for name, sketches in mistakes.items() if any(sketches)]
    names = "prompt=None, n=None, ends=None"
    contract = Contract(
        "generate", "function", {"": f"generate({names})"}, {"text": "B T"}, gradients=False, probes=False
    )
    return [Sheet(contract, 1.0, cases, wanted, rows)]
