"""What an influence map says: examples or tokens that depend on what they must not, or do not on what they should."""

from .finding import Finding


def leaks(sheet, influence):
    """A Finding from the map of the stages' case; None when it is as wanted, or was not seen."""
    if influence is None or not sheet.stages:
        return None
    wanted = sheet.stages["influence"].bool()
    if influence.shape != wanted.shape:
        return None
    extra, missing = influence & ~wanted, wanted & ~influence
    said = across_examples(extra) or [
        *about(extra, "depends on {0}, which it must not"),
        *about(missing, "does not depend on {0}, though it should"),
    ]
    return Finding("; ".join(said), None, sheet.stages["case"]) if said else None


def across_examples(extra):
    """Only for maps (B, T, B, T)."""
    if extra.dim() != 4:
        return []
    pairs = extra.any(3).any(1)
    return [
        f"example {b} of the result depends on example {other} of x: each example is on its own"
        for b, other in pairs.nonzero().tolist()
        if b != other
    ][:1]


def about(flags, sentence):
    """The first token pair of a map, and how many there are."""
    if flags.dim() == 4:
        flags = flags.diagonal(dim1=0, dim2=2).any(-1)  # (T, T'), examples on their own
    if flags.any():
        token, other = flags.nonzero()[0].tolist()
        yield f"token {token} of the result {sentence.format(f'token {other} of x')} ({int(flags.sum())} such pairs)"
