"""The topic generate_loop: a model, a prompt, a number -> prompt and continuation; then a cache, an end."""

import inspect
from types import SimpleNamespace

import numpy as np
import torch

from .attention.calls import class_of, is_class, methods_of
from .build import own_class
from .parameters import parameters
from .simple import ways
from .values import dress, parts_of, same, undress
from .ways import Problem, Reading, Wrong

VOCAB = 11
HINTS = {
    "model": r".*model.*|step(_?fn)?|next.*|predict.*|net.*"
    r"|lm|f|fn|gpt|decoder|.*transformer|m|forward.*|.*logits.*|llm|nn",
    "tokens": r".*tok.*|.*prompt.*|idx|.*ids?|x|inp.*|.*context|seq.*|start.*|prefix|inputs?|s",
    "total": r"(max_?)?(len|length)|total.*|max_total.*",
    "n": r"n|n_.*|limit|.*budget.*|.*max.*|num.*|.*steps?|.*len.*|.*new.*|k|count|t",
    "temperature": r"temp.*|tau",
    "block": r".*block.*|.*ctx.*|.*context_(size|length|len)|.*window.*|max_seq.*|.*context_?size",
    "choose": r"choose.*|sampl.*|pick.*|select.*",
    "end": r".*eos.*|.*end.*|stop.*",
    "top_k": r"top_?k",
    "top_p": r"top_?p|nucleus",
    "pad": r".*pad.*|.*fill.*",
}


def draw(seed, B, T, n, ends=None):
    """ends: after how many new tokens each row's text ends."""
    rng = np.random.default_rng(seed)
    tokens = rng.integers(0, VOCAB - 1, (B, T))
    tokens[:, 0] = (tokens[0, 0] + np.arange(B)) % (VOCAB - 1)
    return {"tokens": tokens, "n": n, "B": B, "T": T, "sizes": {}, "ends": ends}


def next_token(prefix):
    """What the fake model says after a whole prefix; the last token is never the one of the end."""
    return int((sum((i + 2) * (t + 1) * (t + 3) for i, t in enumerate(prefix)) + len(prefix)) % (VOCAB - 1))


class FakeModel(torch.nn.Module):
    """A model that knows the rest of every text. kind: what it returns. ends: {first token: length of the
    text
    after which the token of the end comes}. read: how many tokens it got."""

    def __init__(self, kind, ends=None):
        torch.nn.Module.__init__(self)
        self.kind, self.ends, self.read, self.calls = kind, ends or {}, 0, 0
        self.dummy = torch.nn.Parameter(torch.zeros(1))
        self.block_size = self.context_length = self.max_len = self.max_seq_len = 64
        self.config = SimpleNamespace(
            block_size=64, n_ctx=64, vocab_size=VOCAB, max_seq_len=64, context_length=64
        )

    def forward(self, tokens, *more, **named):
        rows = tokens.tolist() if isinstance(tokens, (torch.Tensor, np.ndarray)) else [list(tokens)]
        single = not isinstance(rows[0], list)
        rows = [rows] if single else rows
        old = next((one for one in (*more, *named.values()) if isinstance(one, Cache)), None)
        before = old.rows if old is not None else [[] for _ in rows]
        whole = [a + b for a, b in zip(before, rows, strict=True)]
        self.read += len(rows[0])
        self.calls += 1
        logits = torch.stack([self.rows_of(b, len(r)) for b, r in zip(whole, rows, strict=True)])
        return self.said(logits, Cache(whole), single, tokens)

    def rows_of(self, whole, number):
        logits = torch.full((number, VOCAB), -30.0)
        for row, end in enumerate(range(len(whole) - number + 1, len(whole) + 1)):
            ended = self.ends.get(whole[0] if whole else None) == end
            logits[row, VOCAB - 1 if ended else next_token(whole[:end])] = 30.0
        return logits + torch.linspace(0, 0.1, VOCAB)

    def said(self, logits, cache, single, tokens):
        if isinstance(tokens, list) and not isinstance(tokens[0], list) or single:
            logits = logits[0]
        if self.kind == "token":
            found = logits[..., -1, :].argmax(-1)
            return found if isinstance(tokens, torch.Tensor) and found.ndim else int(found)
        if self.kind.startswith("last"):
            logits = logits[..., -1, :]
        if "NumPy" in self.kind:
            logits = logits.numpy()
        if "list" in self.kind:
            logits = logits.tolist()
        if "pair" in self.kind:
            return logits, cache
        if "record" in self.kind:
            return Record(logits=logits, past_key_values=cache, cache=cache)
        return logits


class Record(SimpleNamespace):
    """What transformers returns: attributes, and places too."""

    def __getitem__(self, place):
        return (self.logits, self.cache)[place] if isinstance(place, int) else getattr(self, place)


class Cache:
    """What a model has read so far; nothing can be done with it but to hand it back."""

    def __init__(self, rows):
        self.rows = rows


def lengths_at_end(given):
    """{a row's first token: how long its text is when the token of the end comes}."""
    ends = given["ends"] or []
    return {int(row[0]): given["T"] + end for row, end in zip(given["tokens"], ends, strict=False)}


def value(role, given, dialect):
    kind, prompt = dialect
    if role == "model":
        return FakeModel(kind, lengths_at_end(given))
    if role == "tokens":
        tokens = given["tokens"]
        return {
            "(B, T)": lambda: dress(tokens, "torch"),
            "NumPy": lambda: dress(tokens, "numpy"),
            "list": lambda: tokens[0].tolist(),
            "(T,)": lambda: dress(tokens[0], "torch"),
            "(1, T)": lambda: dress(tokens[:1], "torch"),
            "NumPy (T,)": lambda: dress(tokens[0], "numpy"),
            "lists": lambda: tokens.tolist(),
        }[prompt]()
    if role == "choose":
        return lambda logits, *_, **__: logits.argmax(-1)
    return {
        "n": given["n"],
        "temperature": given.get("temperature", 1.0),
        "block": given.get("block", 64),
        "end": VOCAB - 1,
        "top_k": VOCAB,
        "top_p": 1.0,
        "pad": 0,
        "total": given["T"] + given["n"],
    }[role]


def readings(outcome, given):
    """The result as prompt and new tokens; also where it may be the new tokens alone."""
    one = outcome.notes["dialect"][1] in ("list", "(T,)", "NumPy (T,)", "(1, T)")
    meant = {**given, "tokens": given["tokens"][:1]} if one else given
    total = "total" in outcome.notes["plan"].values()
    meant |= {"yields": outcome.notes["yields"], "new": False, "total": total}
    B = len(meant["tokens"])
    for place, part in parts_of(outcome.value):
        rows = as_rows(part, B, outcome.notes["yields"])
        if rows is None:
            continue
        memo = (one, outcome.notes["yields"], total)
        yield Reading((place,), until_the_end(rows, meant), meant, memo)
        prompt = meant["tokens"].tolist()
        longer = [[*a, *b] for a, b in zip(prompt, rows, strict=True)]
        yield Reading((place, "new"), until_the_end(longer, meant), {**meant, "new": True}, (*memo, "new"))


def as_rows(part, B, yields):
    """[[token]] for each text of the batch; None for what is none."""
    if isinstance(part, (list, tuple)) and len(part) == B and all(isinstance(row, list) for row in part):
        return part if all(isinstance(token, int) for row in part for token in row) else None
    array = undress(part)
    if array is None or array.dtype == bool or array.ndim not in (1, 2, 3):
        return None
    if array.ndim == 3 and 1 in array.shape[1:]:
        array = array.reshape(array.shape[0], -1)
    if yields and array.ndim == 2 and array.shape[1] == B:  # one column after the other
        array = array.T
    if array.ndim == 1 and B == 1:
        array = array[None]
    fits = array.ndim == 2 and len(array) == B and array.shape[1] < 200
    return array.astype(int).tolist() if fits else None


AFTER, GOES_ON = -1, -2


def until_the_end(rows, given):
    """(B, most tokens): what comes after a row's end is AFTER where it is always the same token."""
    kept, T = [], given["T"]
    for row in rows:
        end = row.index(VOCAB - 1, T) if given["ends"] and VOCAB - 1 in row[T:] else len(row)
        more = [token for token in row[end + 1 :] if token != VOCAB - 1]
        kept.append(row[: end + 1] + ([GOES_ON] if len(set(more)) > 1 else []))
    most = max(map(len, kept), default=0)
    return np.array([row + [AFTER] * (most - len(row)) for row in kept], dtype=float).reshape(len(kept), -1)


def text(
    extra=0,
    prompt=True,
    context="all",
    front=False,
    place=-1,
    until_end=False,
    keep_end=True,
    total=False,
    smallest=False,
    goes_on=False,
    ranked=False,
    all_stop=False,
):
    """A reference with a slip. extra: how many tokens too many. context: what the model is given."""

    def made(given):
        rows = []
        for row in given["tokens"].tolist():
            seen, first = list(row), len(row)
            end = lengths_at_end(given).get(row[0])
            number = given["n"] + extra - (first if total else 0)
            twice = list(seen)
            for _ in range(max(number, 0)):
                known = {
                    "all": seen,
                    "last": seen[-1:],
                    "prompt": row,
                    "new": seen[first:] or row,
                    "first": seen[:1],
                    "oldest 3": seen[:3],
                    "not last": seen[:-1] or seen,
                    "twice": list(twice),
                    "end of prompt twice": [*row, row[-1], *seen[first:]],
                    "prompt and last": row + (seen[-1:] if len(seen) > first else []),
                    "newest": seen[first - 1 :] if len(seen) == first else seen[-1:],
                    "prompt then last": row if len(seen) == first else seen[-1:],
                }[context]
                if end is not None and len(known) == end:
                    new = VOCAB - 1
                else:
                    new = next_token(known[: len(known) + 1 + place] or known[:1])
                if smallest:
                    new = 0 if new else 1
                if ranked:
                    new = 0
                if new == VOCAB - 1 and until_end and not keep_end:
                    break
                seen = [new, *seen] if front else [*seen, new]
                twice += seen
                if new == VOCAB - 1 and until_end:
                    break
            rows.append(seen if prompt else seen[first:])
        if all_stop:
            shortest = min(map(len, rows))
            rows = [row[:shortest] for row in rows]
        if goes_on:
            most = max(map(len, rows))
            rows = [row + [GOES_ON, AFTER] * (len(row) < most - 1) for row in rows]
        return until_the_end(rows, given) if not front else np.array(rows, dtype=float)

    return made


def of_first_row(given):
    """The first row's new tokens, for all rows."""
    rows = given["tokens"].tolist()
    for _ in range(given["n"]):
        new = next_token(rows[0])
        rows = [[*row, new] for row in rows]
    return np.array(rows, dtype=float)


NO = np.full((1, 1), -9.0)  # what no result is


def whole(maker):
    """A reference for a result that holds the prompt; what is yielded need not hold it."""
    return lambda given: maker(given) if not given["total"] and (not given["new"] or given["yields"]) else NO


def new_alone(maker):
    return lambda given: maker(given) if given["new"] and not given["total"] else NO


def in_total(maker):
    """A reference for an answer whose number is that of the whole text."""
    return lambda given: maker(given) if given["total"] and not given["new"] else NO


TOTAL = (
    "total",
    "The number counts the prompt too. Is it meant as the length of the whole text? Then say so: "
    "`interview.check(NAME, total=True)`.",
    ("prompt_counted",),
)


NEW_ONLY = (
    "new_only",
    "Only the new tokens come back, without the prompt before them. Is it meant so? Then say so: "
    "`interview.check(NAME, new_only=True)`.",
    ("prompt_not_returned",),
)
WRONGS = {
    "prompt_not_returned": Wrong(
        "Only the new tokens come back: the prompt belongs before them.", [new_alone(text())]
    ),
    "one_too_many": Wrong("It makes one token too many.", [text(extra=1)]),
    "one_too_few": Wrong("It makes one token too few.", [text(extra=-1)]),
    "prompt_counted": Wrong(
        "The number counts the prompt too: it is that of the new tokens.",
        [text(total=True), in_total(text())],
    ),
    "only_the_last_token": Wrong(
        "The model gets only the newest token, without a cache: it has forgotten the rest.",
        [text(context="last"), text(context="new"), text(context="prompt then last")],
    ),
    "always_the_prompt": Wrong(
        "The model is given the prompt each time, and not what was made since.", [text(context="prompt")]
    ),
    "lags": Wrong(
        "The newest token is not read: the next one is chosen from logits one place too early.",
        [text(place=-2), text(context="not last")],
    ),
    "first_place": Wrong(
        "The next token is read from the logits of the first place: the last place speaks of what comes "
        "next.",
        [text(context="first")],
    ),
    "read_twice": Wrong(
        "With the cache only the newest token is handed over: here the model reads the whole text again "
        "behind what it has cached.",
        [text(context="twice")],
    ),
    "cache_not_updated": Wrong(
        "The cache stays that of the prompt: hand over the one that the last call gave back.",
        [text(context="prompt and last")],
    ),
    "prompt_end_twice": Wrong(
        "The prompt's last token is read twice: after the whole prompt the next thing to read is a new "
        "token.",
        [text(context="end of prompt twice")],
    ),
    "one_row_for_all": Wrong(
        "All rows of the batch get the token of the first row: choose one for each.", [of_first_row]
    ),
    "smallest": Wrong(
        "The smallest logit is taken: the largest one is the likeliest token.", [text(smallest=True)]
    ),
    "place_in_the_top_k": Wrong(
        "What is drawn is a place in the list of the likeliest tokens: look up the token that stands there.",
        [text(ranked=True)],
    ),
    "put_in_front": Wrong(
        "New tokens are put before the others: they belong at the end.", [text(front=True)]
    ),
    "nothing_made": Wrong("What comes back is the prompt: nothing is added to it.", [text(extra=-99)]),
}
CACHE = {
    "no_cache": Wrong(
        "The whole text is read again for each token: hand the cache back, and the newest token.", []
    )
}
END = {
    "end_ignored": Wrong("It goes on after the token of the end: stop there.", [text()]),
    "end_left_out": Wrong(
        "The token of the end is left out: it belongs to the text, as its last.",
        [text(until_end=True, keep_end=False)],
    ),
    "one_end_for_all": Wrong(
        "All texts stop as soon as one of them has ended: go on until every row has.",
        [text(until_end=True, all_stop=True)],
    ),
    "goes_on_after_end": Wrong(
        "A row that has ended goes on while others still run: fill it up with one token.",
        [text(until_end=True, goes_on=True)],
    ),
}
KINDS = ("logits", "pair", "record")
DIALECTS = [
    *((kind, prompt) for prompt in ("(B, T)", "list", "(T,)", "NumPy", "NumPy (T,)") for kind in KINDS),
    *((kind, prompt) for prompt in ("(B, T)", "list") for kind in ("last", "last pair")),
    *(
        (kind, prompt)
        for prompt in ("list", "NumPy", "NumPy (T,)")
        for kind in ("logits NumPy", "logits list", "last NumPy", "last list")
    ),
    ("pair NumPy", "NumPy"),
    *(("token", prompt) for prompt in ("list", "(T,)", "(B, T)")),
    *((kind, "(1, T)") for kind in (*KINDS, "last", "last pair")),
]
FORMS = [
    ("model", "tokens", "n"),
    ("tokens", "model", "n"),
    ("model", "n", "tokens"),
    ("model", "tokens", "n", "temperature"),
    ("model", "tokens", "n", "block"),
    ("model", "tokens", "n", "choose"),
    ("model", "tokens", "n", "end"),
    ("model", "tokens", "n", "temperature", "top_k"),
    ("model", "tokens", "n", "pad"),
    ("model", "tokens", "n", "end", "pad"),
    ("model", "tokens", "end", "pad", "n"),
]


def functions_of(obj):
    """What somebody wrote as functions of (model, tokens, ...): itself, or the methods of a class that is
    made of a model or is a model itself."""
    if not is_class(obj):
        return [obj]
    cls = class_of(obj)
    names = methods_of(cls, ("generate", "sample", "generate_text", "run"))
    own = [name for name in names if name in vars(cls)]
    made = [made_of(cls, name, getattr(cls, name)) for name in own]
    if issubclass(cls, torch.nn.Module) and "forward" in vars(cls):
        inner = [name for name in own if name != "__call__"]
        return [with_signature(getattr(cls, name), model_itself(cls, name)) for name in inner] + made
    return made


def with_signature(method, function):
    """The function, which takes a model and what the method takes."""
    known = list(inspect.signature(method).parameters.values())[1:]
    model = inspect.Parameter("model", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    function.__signature__ = inspect.Signature([model, *known])
    return function


def made_of(cls, name, method):
    """A function of all that the constructor and the method take, by name."""
    first = {one.name: one for one in some_parameters(cls)}
    later = {one.name: one for one in some_parameters(method)[1:]}

    configs = [(one.name, own_class(one, cls)) for one in parameters(cls)]
    configs = {name: config for name, config in configs if config}
    fields = {one.name: one for config in configs.values() for one in some_parameters(config)}
    given = {name: one for name, one in first.items() if name not in configs}

    def function(**named):
        both = [{one: named[one] for one in known if one in named} for known in (first, later)]
        for place, config in configs.items():
            both[0][place] = config(**{one: named[one] for one in fields if one in named})
        return getattr(cls(**both[0]), name)(**both[1])

    known = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in {**given, **fields, **later}.values()
    ]
    function.__signature__ = inspect.Signature(known)
    return function


def some_parameters(function):
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in inspect.signature(function).parameters.values() if one.kind not in many]


def model_itself(cls, method):
    """The class's loop, with the fake model in the place of its own forward."""

    def function(model, *args, **named):
        model.__class__ = type("Fake" + cls.__name__, (FakeModel, cls), {})
        return getattr(model, method)(*args, **named)

    return function


def reads_little(obj, way, reading):
    """The sentence for an answer that reads the whole text again for each token."""
    given = {**draw(9, 1, 4, 6), "tokens": np.array([[1, 2, 3, 4]])}
    models, before = [], FakeModel.__init__

    def noted(self, *args, **named):
        before(self, *args, **named)
        models.append(self)

    FakeModel.__init__ = noted
    try:
        way.run(given)
    finally:
        FakeModel.__init__ = before
    return ("no_cache", CACHE["no_cache"].sentence) if models[0].read > 4 + 6 else None


def problem(name, draws, wrongs, rights, forms=FORMS, dialects=DIALECTS, look=None):
    # what is called a length counts the prompt too
    forms = [*forms, *(tuple("total" if one == "n" else one for one in form) for form in forms)]

    def found(obj, said):
        plain = {role: name for role, name in said.items() if role != "new_only"}
        for function in functions_of(obj):
            ran = []
            for way in ways(function, plain, draws[0], forms, HINTS, value, dialects, ("generate", "sample")):
                if "'(1, T)'" not in way.name:
                    yield noting(way, ran)
                elif "(B, T)" not in ran:  # a batch of one counts where no other runs
                    yield way

    return Problem(
        name,
        draws,
        found,
        readings,
        {"right": whole(rights), "new only?": new_alone(rights), "total?": in_total(rights)},
        wrongs,
        look=look,
        roles=(*HINTS, "new_only"),
        vague={"new only?": NEW_ONLY, "total?": TOTAL},
    )


def noting(way, ran):
    """The same way, which notes the form of the prompt with which it runs."""
    run = way.run

    def noted(given):
        outcome = run(given)
        ran.append(outcome.notes["dialect"][1])
        return outcome

    way.run = noted
    return way


def base():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    return problem("generate_loop", draws, WRONGS, text(), look=settings_work)


def cached():
    draws = [draw(1, 2, 4, 3), draw(2, 1, 1, 5), draw(3, 3, 5, 1), draw(4, 1, 3, 0)]
    dialects = [
        (kind, prompt)
        for prompt in ("(B, T)", "list", "(T,)", "(1, T)")
        for kind in ("pair", "record", "last pair")
    ]
    return problem("generate_loop with a cache", draws, WRONGS, text(), FORMS, dialects, reads_little)


SETTINGS = {
    "temperature_multiplies": Wrong(
        "The logits are multiplied by the temperature: divide by it, so that a low one makes the "
        "likeliest token "
        "surer.",
        [],
    ),
    "oldest_kept": Wrong(
        "Where the text is longer than the context, its beginning is kept: keep the newest tokens.",
        [text(context="oldest 3")],
    ),
}


def settings_work(obj, way, reading):
    """The mistake of a temperature or a length of context that works the wrong way round; None otherwise."""
    given = draw(6, 1, 4, 6)
    for setting, number in (("temperature", 0.02), ("block", 3)):
        form = ("model", "tokens", "n", setting)
        for function in functions_of(obj):
            for one in ways(function, {}, given, [form], HINTS, value, [reading_dialect(way)]):
                found = result_of(one, {**given, setting: number})
                if found is None:
                    continue
                if setting == "temperature" and not same(found.array, text()(found.given), 1e-6):
                    return "temperature_multiplies", SETTINGS["temperature_multiplies"].sentence
                if setting == "block" and same(found.array, text(context="oldest 3")(found.given), 1e-6):
                    return "oldest_kept", SETTINGS["oldest_kept"].sentence
    return None


def reading_dialect(way):
    return next((one for one in DIALECTS if str(one) in way.name), DIALECTS[0])


def result_of(way, given):
    """The first reading with as many tokens as were asked for; None where there is none."""
    try:
        outcome = way.run(given)
    except Exception:  # this setting is not meant
        return None
    wanted = given["T"] + given["n"]
    return next((one for one in readings(outcome, given) if one.array.shape[-1] == wanted), None)


def ends_of_a_batch(obj, way, reading):
    """The mistake of an answer that is right for one text, and treats several as one; None otherwise."""
    given = draw(5, 3, 4, 9, [6, 1, 3])
    try:
        outcome = way.run(given)
    except Exception:  # it takes one text
        return None
    fills = "pad" in outcome.notes["plan"].values()
    names = ("one_end_for_all", "goes_on_after_end") if fills else ("one_end_for_all",)
    for one in readings(outcome, given):
        if len(one.given["tokens"]) < 2 or same(one.array, text(until_end=True)(one.given), 1e-6):
            continue
        for name in names:
            made = END[name].makers[0](one.given) if one.key == reading.key else NO
            if same(one.array, made, 1e-6):
                return name, END[name].sentence
    return None


def ending():
    draws = [draw(1, 1, 4, 7, [2]), draw(2, 1, 1, 5, [4]), draw(3, 1, 3, 2), draw(4, 1, 2, 6, [0])]
    forms = [
        ("model", "tokens", "n", "end"),
        ("model", "tokens", "end", "n"),
        ("tokens", "model", "n", "end"),
        ("model", "tokens", "n", "temperature", "end"),
        ("model", "tokens", "n", "end", "pad"),
        ("model", "tokens", "end", "pad", "n"),
    ]
    return problem(
        "generate_loop with an end",
        draws,
        {**END, **WRONGS},
        text(until_end=True),
        forms,
        look=ends_of_a_batch,
    )
