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
    shown.
    Returns a Piece. Raises TypeError or ValueError, in a sentence, for a story that is none.
    """
    stages = checked(story)
    B, H, T, d_head = stages["Q"].shape
    if head not in range(min(H, HEADS)):
        raise ValueError(f"head is {head!r}, but those that are shown are 0 to {min(H, HEADS) - 1}.")
    data = {
        "sizes": [B, H, T, d_head],
        "head": int(head),
        "stages": {name: window(name, stages[name], H, d_head) for name in STAGES},
        "W_O": None if W_O is None else weight_window(W_O, H, d_head),
        "lines": lines_of(made_by),
    }
    corners = {name: stages[name][..., :TOKENS, :FEATURES] for name in STAGES[:7]}
    tables = {name: corner[0, head] for name, corner in corners.items()}
    figure = plot_stages(corners, head=head)[0].figure
    figure.text(0.98, 0.02, textwrap.fill(last_number(tables), 70), ha="right", fontsize=9)
    return Piece("trace.js", data, still_of(figure), in_words(tables, head))


def checked(story):
    """{stage: float64 tensor} of a story, its shapes fitting to each other."""
    if not isinstance(story, dict):
        raise TypeError(
            f"trace_number takes the dict of stages that trace_causal_attention returns; got "
            f"{type(story).__name__}."
        )
    missing = [name for name in STAGES if name not in story]
    if missing:
        raise ValueError(f"The story has no stage called {', '.join(missing)}.")
    stages = {name: torch.as_tensor(story[name]).detach().cpu().double() for name in STAGES}
    if stages["Q"].dim() != 4 or 0 in stages["Q"].shape:
        raise ValueError(f"Q must be (B, H, T, d_head), but its shape is {tuple(stages['Q'].shape)}.")
    B, H, T, d_head = stages["Q"].shape
    for name in STAGES:
        wanted = (B, T, H * d_head) if name in STAGES[-2:] else (B, H, T, d_head)
        wanted = (B, H, T, T) if name in STAGES[3:6] else wanted
        if tuple(stages[name].shape) != wanted:
            raise ValueError(
                f"{name} must be {wanted}, as Q is, but its shape is {tuple(stages[name].shape)}."
            )
        number = ~stages[name].isnan() if name == "masked_scores" else stages[name].isfinite()
        if not number.all() or stages[name].max().isposinf():
            raise ValueError(f"{name} holds NaN or infinity: its numbers cannot be traced.")
    off = (stages["weights"].sum(-1) - 1).abs()
    if off.max() > 0.02:
        b, h, i = (int(index[0]) for index in torch.where(off == off.max()))
        raise ValueError(
            f"Rows of weights sum to 1, but row {i} of head {h} in example {b} sums to "
            f"{stages['weights'][b, h, i].sum():.2f}."
        )
    return stages


def window(name, stage, H, d_head):
    """The numbers that the page gets: lists [example][head][token][...], of the output [example][token][...].

    merged is cut into heads again, so that each of its columns is known by a head and a feature.
    """
    if name == "output":
        return rounded(stage[:EXAMPLES, :TOKENS, :COLUMNS].tolist())
    if name == "merged":
        stage = stage.unflatten(-1, (H, d_head)).transpose(1, 2)  # (B, H, T, d_head)
    return rounded(stage[:EXAMPLES, :HEADS, :TOKENS, :FEATURES].tolist())


def weight_window(W_O, H, d_head):
    """W_O as lists [head][feature][column]; ValueError where its shape does not fit."""
    W_O = torch.as_tensor(W_O).detach().cpu().double()
    wanted = (H * d_head, H * d_head)
    if tuple(W_O.shape) != wanted or not W_O.isfinite().all():
        raise ValueError(f"W_O must be {wanted}, finite, but its shape is {tuple(W_O.shape)}.")
    return rounded(W_O.unflatten(0, (H, d_head))[:HEADS, :FEATURES, :COLUMNS].tolist())


def rounded(values):
    """Nested lists of numbers, shorter, and None where masked."""
    if isinstance(values, list):
        return [rounded(value) for value in values]
    return None if values <= NEVER else round(values, DIGITS) + 0.0


# ---- the statements that made the stages


def lines_of(function):
    """{stage: statement} from a function's source: those that are found; of the course's own, none."""
    if function is None or getattr(function, "is_stand_in", False):
        return {}
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):  # typed into a console, loaded from a file, cut out of a line
        return {}
    entries, variables = found_in(tree, source)
    lines = {}
    for stage in STAGES:
        value, line, text = entries.get(stage, (ast.Name(stage), float("inf"), ""))
        if isinstance(value, ast.Name):
            before = [assignment for number, assignment in variables.get(value.id, []) if number <= line]
            text = before[-1] if before else ""
        if text:
            lines[stage] = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return lines


def found_in(tree, source):
    """(entries of dicts, variables): {key: (value, line, text)}, {name: [(line, text)]} in their order."""
    entries, variables = {}, {}
    for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    entries[key.value] = value, value.lineno, f"{key.value!r}: {text_of(value, source)}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            for keyword in node.keywords:
                entries[keyword.arg] = keyword.value, keyword.lineno, text_of(keyword, source)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for element in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                    if isinstance(element, ast.Name):
                        variables.setdefault(element.id, []).append((node.lineno, text_of(node, source)))
                    elif isinstance(element, ast.Subscript) and isinstance(element.slice, ast.Constant):
                        entries[element.slice.value] = node.value, node.lineno, text_of(node, source)
    return entries, variables


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
    pairs = [(shown(w), shown(v)) for w, v in zip(weights, values, strict=True)]
    products = " + ".join(f"{w}·({v})" if v.startswith("−") else f"{w}·{v}" for w, v in pairs)
    i, f = (size - 1 for size in tables["heads"].shape)
    return f"heads[{i}, {f}]: {products} = {shown(tables['heads'][-1, -1])}"


def shown(value):
    """A number as the page writes it."""
    text = f"{float(value):.2f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")
