"""The stages of causal attention as linked tables: click a number, and see what it is made of."""

import ast
import inspect
import textwrap

import torch

from ..figures.stages import plot_stages
from ..figures.words import entries
from .piece import Piece, still_of

STAGES = ["Q", "K", "V", "scores", "masked_scores", "weights", "heads", "merged", "output"]
TOKENS = FEATURES = 6
COLUMNS, EXAMPLES, HEADS = 12, 2, 8  # as much of a larger story is shown
NEVER = -1e4  # a finite fill is as good as -inf
DIGITS = 5  # two are shown; rounded twice, a number must not end in another digit
LONGEST = 160  # characters of a statement


def trace_number(story, *, W_O=None, made_by=None, head=0):
    """All stages of causal attention, from Q to the output; a number that is clicked shows what it is made
    of.

    story: the dict that `trace_causal_attention` returns: Q, K, V and heads (B, H, T, d_head); scores,
        masked_scores and weights (B, H, T, T); merged and output (B, T, H*d_head).
    W_O: (H*d_head, H*d_head), used as merged @ W_O; without it, the output's products are not written out.
    made_by: the learner's function; beside a stage's shape stands the statement of it that made the stage.
    head: what is shown first, of the first example.
    Of a larger story the first 6 tokens, 6 features of a head, 12 of the output, 8 heads and 2 examples are
    shown. Returns a Piece.
    """
    stages = {name: torch.as_tensor(story[name]).detach().cpu().double() for name in STAGES}
    B, H, T, d_head = stages["Q"].shape
    corners = {name: stages[name][:EXAMPLES, :HEADS, :TOKENS, :FEATURES] for name in STAGES[:7]}
    # merged is cut into heads again, so that each of its columns is known by a head and a feature
    merged = stages["merged"].unflatten(-1, (H, d_head)).transpose(1, 2)  # (B, H, T, d_head)
    corners_shown = corners | {
        "merged": merged[:EXAMPLES, :HEADS, :TOKENS, :FEATURES],
        "output": stages["output"][:EXAMPLES, :TOKENS, :COLUMNS],
    }
    if W_O is not None:
        W_O = (
            torch.as_tensor(W_O).detach().cpu().double().unflatten(0, (H, d_head))
        )  # [head][feature][column]
        W_O = rounded(W_O[:HEADS, :FEATURES, :COLUMNS].tolist())
    data = {
        "sizes": [B, H, T, d_head],
        "head": head,
        "stages": {name: rounded(stage.tolist()) for name, stage in corners_shown.items()},
        "W_O": W_O,
        "lines": lines_of(made_by),
    }
    tables = {name: corner[0, head] for name, corner in corners.items()}
    figure = plot_stages(corners, head=head)[0].figure
    figure.text(0.98, 0.02, textwrap.fill(last_number(tables), 70), ha="right", fontsize=9)
    return Piece("trace.js", data, still_of(figure), in_words(tables, head))


def rounded(values):
    """Nested lists of numbers, shorter, and None where masked."""
    if isinstance(values, list):
        return [rounded(value) for value in values]
    return None if values <= NEVER else round(values, DIGITS) + 0.0


# ---- the statements that made the stages


def lines_of(function):
    """{stage: statement} from a function's source: those that are there; of the course's own, none."""
    if function is None or getattr(function, "is_stand_in", False):
        return {}
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):  # typed into a console, loaded from a file, cut out of a line
        return {}
    texts = {}  # {variable, or key of a dict: the text that set it last}
    for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):
        for name, value, text in bindings(node, source):
            texts[name] = texts.get(value.id, "") if isinstance(value, ast.Name) else text
    lines = {stage: texts[stage] for stage in STAGES if texts.get(stage)}
    return {stage: text if len(text) <= LONGEST else f"{text[:LONGEST]}…" for stage, text in lines.items()}


def bindings(node, source):
    """(name, its value's node, the text) of all that a node binds: variables, and keys of dicts."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield key.value, value, f"{key.value!r}: {text_of(value, source)}"
    elif isinstance(node, ast.keyword) and node.arg in STAGES:
        yield node.arg, node.value, text_of(node, source)
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for element in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(element, ast.Name):
                    yield element.id, node.value, text_of(node, source)
                elif isinstance(element, ast.Subscript) and isinstance(element.slice, ast.Constant):
                    yield element.slice.value, node.value, text_of(node, source)


def text_of(node, source):
    """The text of a node in one line, as it was written where it stands in one line."""
    text = ast.get_source_segment(source, node) or ""
    return ast.unparse(node) if "\n" in text else text


# ---- what a screen reader says


def in_words(tables, head):
    """The tables of one head, read out, and what its last number is made of."""
    hidden = (tables["masked_scores"] <= NEVER).numpy()
    words = [
        f"{name.replace('_', ' ')}: {entries(tables[name].numpy(), hidden if name in STAGES[4:6] else None)}"
        for name in tables
    ]
    return f"the stages of head {head}, each row a token. {'. '.join(words)}. {last_number(tables)}."


def last_number(tables):
    """The last number of the head's output, written out."""
    weights, values = tables["weights"][-1].tolist(), tables["V"][:, -1].tolist()
    pairs = [(as_text(w), as_text(v)) for w, v in zip(weights, values, strict=True)]
    products = " + ".join(f"{w}·({v})" if v.startswith("−") else f"{w}·{v}" for w, v in pairs)
    i, f = (size - 1 for size in tables["heads"].shape)
    return f"heads[{i}, {f}]: {products} = {as_text(tables['heads'][-1, -1])}"


def as_text(value):
    """A number as the page writes it."""
    text = f"{float(value):.2f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")
