"""Interactive tables of the stages of causal attention: click a number to see how it is computed."""

import ast
import inspect
import textwrap

import torch

from ..figures.stages import plot_stages
from ..figures.words import describe_table
from .piece import Piece, still_of

STAGES = ["Q", "K", "V", "scores", "masked_scores", "weights", "heads", "merged", "output"]
TOKENS = FEATURES = 6
COLUMNS, EXAMPLES, HEADS = 12, 2, 8  # how much of a larger story is shown
NEVER = -1e4  # scores this low are masked: a finite fill counts as -inf
DIGITS = 5  # two are shown, but rounding twice must not change the last digit
LONGEST = 160  # characters of a statement that is shown


def trace_number(story, *, W_O=None, made_by=None, head=0):
    """Show all stages of causal attention, from Q to the output; click a number to see how it is computed.

    story: the dict that `trace_causal_attention` returns: Q, K, V and heads (B, H, T, d_head); scores,
        masked_scores and weights (B, H, T, T); merged and output (B, T, H*d_head).
    W_O: (H*d_head, H*d_head), used as merged @ W_O; without it, the output's products are not written out.
    made_by: the learner's function; next to a stage's shape, the page shows the statement that computed it.
    head: the head that is shown first, of example 0.

    A larger story is cut to its first 6 tokens, 6 features of a head, 12 features of the output, 8 heads and
    2 examples. Returns a Piece.
    """
    stages = {name: torch.as_tensor(story[name]).detach().cpu().double() for name in STAGES}
    B, H, T, d_head = stages["Q"].shape
    corners = {name: stages[name][:EXAMPLES, :HEADS, :TOKENS, :FEATURES] for name in STAGES[:7]}
    # split merged into heads again, so that a head and a feature identify each column
    merged = stages["merged"].unflatten(-1, (H, d_head)).transpose(1, 2)  # (B, H, T, d_head)
    corners_shown = corners | {
        "merged": merged[:EXAMPLES, :HEADS, :TOKENS, :FEATURES],
        "output": stages["output"][:EXAMPLES, :TOKENS, :COLUMNS],
    }
    if W_O is not None:
        W_O = (
            torch.as_tensor(W_O).detach().cpu().double().unflatten(0, (H, d_head))
        )  # [head][feature][column]
        W_O = round_nested(W_O[:HEADS, :FEATURES, :COLUMNS].tolist())
    data = {
        "sizes": [B, H, T, d_head],
        "head": head,
        "stages": {name: round_nested(stage.tolist()) for name, stage in corners_shown.items()},
        "W_O": W_O,
        "lines": find_statements(made_by),
    }
    tables = {name: corner[0, head] for name, corner in corners.items()}
    figure = plot_stages(corners, head=head)[0].figure
    figure.text(0.98, 0.02, textwrap.fill(last_number(tables), 70), ha="right", fontsize=9)
    return Piece("trace.js", data, still_of(figure), in_words(tables, head))


def round_nested(values):
    """Round nested lists of numbers to DIGITS decimals, with None for masked scores."""
    if isinstance(values, list):
        return [round_nested(value) for value in values]
    return None if values <= NEVER else round(values, DIGITS) + 0.0


# ---- the statements that computed the stages


def find_statements(function):
    """Return {stage: statement} for the statements in the function's source; {} for a stand-in."""
    if function is None or getattr(function, "is_stand_in", False):
        return {}
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):  # no source, or only a part of a statement
        return {}
    texts = {}  # {variable or dict key: the last statement that set it}
    for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):
        for name, value, text in bindings(node, source):
            texts[name] = texts.get(value.id, "") if isinstance(value, ast.Name) else text
    lines = {stage: texts[stage] for stage in STAGES if texts.get(stage)}
    return {stage: text if len(text) <= LONGEST else f"{text[:LONGEST]}…" for stage, text in lines.items()}


def bindings(node, source):
    """Yield (name, node of the value, source text) of each variable, dict key or keyword that a node sets."""
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
    """Return the source of a node on one line: as written, or unparsed if it spans several lines."""
    text = ast.get_source_segment(source, node) or ""
    return ast.unparse(node) if "\n" in text else text


# ---- the description for screen readers


def in_words(tables, head):
    """Describe the tables of one head, and how its last number is computed."""
    hidden = (tables["masked_scores"] <= NEVER).numpy()
    words = []
    for name, table in tables.items():
        description = describe_table(table.numpy(), hidden if name in STAGES[4:6] else None)
        words.append(f"{name.replace('_', ' ')}: {description}")
    return f"the stages of head {head}, each row a token. {'. '.join(words)}. {last_number(tables)}."


def last_number(tables):
    """Write the last number of the head's output as a sum of products."""
    weights, values = tables["weights"][-1].tolist(), tables["V"][:, -1].tolist()
    pairs = [(as_text(w), as_text(v)) for w, v in zip(weights, values, strict=True)]
    products = " + ".join(f"{w}·({v})" if v.startswith("−") else f"{w}·{v}" for w, v in pairs)
    i, f = (size - 1 for size in tables["heads"].shape)
    return f"heads[{i}, {f}]: {products} = {as_text(tables['heads'][-1, -1])}"


def as_text(value):
    """Format a number as the page does."""
    text = f"{float(value):.2f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")
