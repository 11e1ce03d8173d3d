"""The topic causal_mask: T -> who may attend to whom; then after a cache, then with padding."""

import numpy as np
import torch

from .parameters import parameters
from .simple import ways
from .values import dress, parts_of, same, undress
from .ways import Outcome, Problem, Reading, Way, Wrong

KEPT, HIDDEN, ZERO, OTHER = 1.0, 0.0, 2.0, 3.0  # what became of a cell
LOW = -1e4
HINTS = {
    "T": r".*",
    "q": r".*q.*|.*new.*|t|n|.*query.*|chunk.*|seq.*|.*len.*",
    "k": r".*k.*|.*total.*|.*key.*",
    "past": r".*(past|cache|prev|offset|start|old|before|pos).*",
    "scores": r".*scores?.*|.*logits.*|.*att.*|sim.*|s|x|a|w.*|dots?|qk",
    "lengths": r".*len.*|lens|.*valid.*|n_real|sizes",
    "pad": r".*pad.*|.*mask.*|m|real|.*keep.*|.*ids?|.*tok.*|seqs?|tgt|trg|src|x|inputs?",
    "pad_id": r"pad(ding)?(_?(id|idx|token|index|value))?|.*_idx|.*pad.*id.*",
}


def draw(seed, B, T, past=0, lengths=None):
    rng = np.random.default_rng(seed)
    T_k = T + past
    sizes = {"max_len": T_k, "batch": B, "d_model": T_k, "heads": 3, "head_dim": 4}
    return {
        "B": B,
        "H": 3,
        "T": T,
        "past": past,
        "T_k": T_k,
        "sizes": sizes,
        "lengths": np.array(lengths or [T] * B),
        "scores": rng.standard_normal((B, 3, T, T_k)) + 0.1,
        "x": rng.standard_normal((B, T, 12)),
    }


def real_tokens(given):
    """(B, T), True for a token and False for padding, which is at the end or, in one input, at the start."""
    place = np.arange(given["T"])[None, :]
    if given.get("left"):
        return place >= given["T"] - given["lengths"][:, None]
    return place < given["lengths"][:, None]


def token_ids(given):
    """(B, T) whole numbers; 0 is padding."""
    ids = 1 + (np.arange(given["B"] * given["T"]) * 7 % 11).reshape(given["B"], given["T"])
    return np.where(real_tokens(given), ids, 0)


def value(role, given, dialect):
    library, what = dialect
    B, T = given["B"], given["T"]
    sizes = {"q": T, "k": given["T_k"], "past": given["past"], "H": 3, "B": B}
    if role in sizes:
        return sizes[role]
    if role == "scores":
        return dress(given["scores"] if what != "(T, T)" else given["scores"][0, 0], library)
    if role == "lengths":
        return dress(given["lengths"], library)
    if role == "pad":
        return dress(table(given, what), library)
    if role == "pad_id":
        return 0
    if what in ("ids", "ones"):
        return dress(table(given, what), library)
    if what == "x":
        return dress(given["x"], library)
    return (
        T if what == "T" else dress(given["scores"] if what != "(T, T)" else given["scores"][0, 0], library)
    )


def table(given, what):
    real = real_tokens(given)
    makers = {"padded": lambda: ~real, "ones": lambda: real.astype(np.int64), "ids": lambda: token_ids(given)}
    return makers.get(what, lambda: real)()


def readings(outcome, given):
    """The cells' fate as (B or 1, T_q, T_k), for each polarity that the result may have."""
    _, what = outcome.notes["dialect"]
    took = outcome.notes["plan"].values()
    got_scores = "scores" in took or ("T" in took and what in ("(B, H, T, T)", "(T, T)"))
    for place, part in parts_of(outcome.value):
        array = undress(part)
        if array is None or array.ndim < 2 or array.shape[-2:] != (given["T"], given["T_k"]):
            continue
        scores = given["scores"] if array.ndim > 2 else given["scores"][0, 0]
        for polarity, cells in fates(array, scores if got_scores else None):
            cells = cells.reshape(-1, *cells.shape[-2:])
            if cells.shape[0] not in (1, given["B"], 3, 3 * given["B"]):
                continue
            if cells.shape[0] not in (1, given["B"]):  # an axis of heads
                if array.ndim != 4:
                    continue
                cells = cells.reshape(array.shape)[:, 0]
            cells = np.broadcast_to(cells, (given["B"], *cells.shape[1:]))
            yield Reading((place, polarity), cells, given, "same")


def fates(array, scores):
    """(polarity, codes) of a mask, or of masked scores."""
    if array.dtype == bool or set(np.unique(array)) <= {0.0, 1.0}:
        cells = array.astype(float)
        yield "true is open", cells
        yield "true is masked", 1.0 - cells
        if array.dtype == bool:
            return
    if scores is not None and array.shape == scores.shape:
        kept = np.isclose(array, scores, atol=1e-5)
        yield "masked scores", np.select([kept, array <= LOW, array == 0], [KEPT, HIDDEN, ZERO], OTHER)
    yield "additive", np.select([array == 0, array <= LOW], [KEPT, HIDDEN], OTHER)


def cells(rule, hidden=HIDDEN, top_left=False, pad="keys", kept=KEPT):
    """A reference: rule(j - i) says whether a cell is open; i and j count from the first key of all."""

    def made(given):
        i = np.arange(given["T"])[:, None] + (0 if top_left else given["past"])
        open_ = rule(np.arange(given["T_k"])[None, :] - i)
        real = real_tokens(given)
        hides = {"keys": ~real[:, None, :], "inverted": real[:, None, :], "none": np.zeros((1, 1, 1), bool)}
        hides["one_off"] = ~(np.arange(given["T"])[None, None, :] <= given["lengths"][:, None, None])
        hides["queries"] = ~real[:, :, None]
        hides["both"] = ~real[:, :, None] | ~real[:, None, :]
        if (given["lengths"] < given["T"]).any():
            open_ = open_[None] & ~hides[pad]
        return np.where(np.broadcast_to(open_, (given["B"], given["T"], given["T_k"])), kept, hidden)

    return made


RIGHT = cells(lambda ahead: ahead <= 0)
WRONGS = {
    "own_key_masked": Wrong(
        "The diagonal is on the wrong side: a token may attend to itself, so its own cell stays open.",
        [cells(lambda ahead: ahead < 0)],
    ),
    "one_ahead": Wrong(
        "One key too many is open: the cell right of the diagonal is the next token, which is the future.",
        [cells(lambda ahead: ahead <= 1)],
    ),
    "inverted": Wrong(
        "It is the wrong way round: the past is hidden, and the future is open. Rows are queries.",
        [cells(lambda ahead: ahead >= 0), cells(lambda ahead: ahead > 0)],
    ),
    "filled_with_zero": Wrong(
        "Masked scores become 0, and exp(0) is 1: they keep weight. Make them -inf.",
        [cells(lambda ahead: ahead <= 0, hidden=ZERO), cells(lambda ahead: ahead < 0, hidden=ZERO)],
    ),
    "too_small": Wrong(
        "Masked cells get a number that is not far below the scores: make it -inf.",
        [cells(lambda ahead: ahead <= 0, hidden=OTHER)],
    ),
    "zero_times_infinity": Wrong(
        "Open cells are no numbers: 0 times -inf is NaN. Choose between 0 and -inf, and do not multiply.",
        [cells(lambda ahead: ahead <= 0, kept=OTHER)],
    ),
    "no_mask": Wrong("No cell is masked: every query sees all keys.", [cells(lambda ahead: ahead == ahead)]),
    "all_masked": Wrong("Every cell is masked.", [cells(lambda ahead: ahead != ahead)]),
    "only_itself": Wrong("Only the diagonal is open: the past is to be seen too.", [cells(lambda a: a == 0)]),
    "only_future": Wrong("The diagonal alone is masked.", [cells(lambda ahead: ahead != 0)]),
    "window": Wrong(
        "Only a few keys back are open: all of the past is.", [cells(lambda a: (a <= 0) & (a >= -1))]
    ),
}
TOP_LEFT = {
    "top_left": Wrong(
        "The mask begins at the top left: with a cache the first new query comes after all cached keys, so "
        "its row starts further to the right.",
        [cells(lambda ahead: ahead <= 0, top_left=True)],
    )
}
PADDING = {
    "padding_ignored": Wrong("Padding is not masked.", [cells(lambda a: a <= 0, pad="none")]),
    "padding_inverted": Wrong(
        "The padding is the wrong way round: real keys are hidden.", [cells(lambda a: a <= 0, pad="inverted")]
    ),
    "padding_one_off": Wrong(
        "A sentence of length n has the places 0 to n - 1: one key too many is open.",
        [cells(lambda a: a <= 0, pad="one_off")],
    ),
    "padding_masks_queries": Wrong(
        "Padding masks queries, the rows: mask the keys, the columns.",
        [cells(lambda a: a <= 0, pad="queries")],
    ),
    "padding_alone": Wrong("The future is open: mask it too.", [cells(lambda ahead: ahead == ahead)]),
}


def all_ways(obj, said, draws, forms, dialects):
    """Iterator of Way; last, what says of one query and one key whether they meet."""
    yield from ways(obj, said, draws[0], forms, HINTS, value, dialects, ("mask",))
    names = [one.name for one in parameters(obj) if one.needed]
    if not isinstance(obj, type) and len(names) in (2, 4):
        yield Way(f"cell by cell {names}", lambda given: cell_by_cell(obj, len(names), given))


def cell_by_cell(obj, number, given):
    """The mask that a rule for one cell makes: f(i, j), or f(b, h, i, j)."""
    rows = [
        [
            bool(obj(*[torch.tensor(0)] * (number - 2), torch.tensor(i + given["past"]), torch.tensor(j)))
            for j in range(given["T_k"])
        ]
        for i in range(given["T"])
    ]
    return Outcome(np.array(rows), notes={"dialect": ("torch", "T"), "plan": {"i": "q", "j": "k"}})


def problem(name, draws, forms, dialects, wrongs, rights=None):
    return Problem(
        name=name,
        draws=draws,
        ways=lambda obj, said: all_ways(obj, said, draws, forms, dialects),
        readings=readings,
        rights=rights or {"right": RIGHT},
        wrongs=wrongs,
        roles=tuple(HINTS),
    )


def base():
    draws = [draw(1, 2, 5), draw(2, 1, 1), draw(3, 2, 7), draw(4, 1, 2)]
    dialects = [
        (library, what)
        for what in ("T", "(B, H, T, T)", "(T, T)", "x", "ones", "ids")
        for library in ("torch", "numpy")
    ]
    return problem(
        "causal_mask",
        draws,
        [("T",), ("T", "pad_id"), (), ("q", "k"), ("scores", "q"), ("B", "q")],
        dialects,
        WRONGS,
    )


def cached():
    draws = [draw(1, 2, 3, 4), draw(2, 1, 1, 5), draw(3, 2, 4, 1), draw(4, 1, 2, 6)]
    forms = [
        ("q", "k"),
        ("q", "past"),
        ("past", "q"),
        ("k", "q"),
        ("k", "past"),
        ("scores",),
        ("scores", "past"),
        ("past", "k"),
        ("q", "q", "past"),
    ]
    dialects = [(library, what) for what in ("T", "(T, T)") for library in ("torch", "numpy")]
    return problem("causal_mask with a cache", draws, forms, dialects, {**TOP_LEFT, **WRONGS})


def padded():
    draws = [draw(1, 2, 5, lengths=[3, 5]), draw(2, 1, 1), draw(3, 3, 4, lengths=[2, 4, 1])]
    rights = {"keys": RIGHT, "keys and queries": cells(lambda ahead: ahead <= 0, pad="both")}
    forms = [
        ("lengths", "q"),
        ("q", "lengths"),
        ("lengths",),
        ("pad",),
        ("pad", "q"),
        ("q", "pad"),
        ("scores", "lengths"),
        ("scores", "pad"),
    ]
    forms += [("pad", "pad_id"), ("pad", "pad_id", "q")]
    tables = ("real", "padded", "ones", "ids")
    dialects = [(lib, what) for lib in ("torch", "numpy", "list") for what in tables]
    found = problem("causal_mask with padding", draws, forms, dialects, {**PADDING, **WRONGS}, rights)
    found.look = masks_rows
    return found


def masks_rows(obj, way, reading):
    """The mistake of an answer that hides rows: with padding at the end and a causal mask it does not show,
    so
    it is looked at with padding at the start."""
    given = {**draw(7, 2, 5, lengths=[3, 4]), "left": True}
    outcome = way.run(given)
    if not {"pad"} & set(outcome.notes["plan"].values()):
        return None
    rows = cells(lambda ahead: ahead <= 0, pad="queries")(given)
    name = "padding_masks_queries"
    wrong = any(one.key == reading.key and same(one.array, rows, 1e-6) for one in readings(outcome, given))
    return (name, PADDING[name].sentence) if wrong else None
