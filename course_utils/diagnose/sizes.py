"""Code that works for few tokens only."""

import re

from .axes import named_sizes
from .finding import Finding

OF_SHAPES = re.compile(  # what torch and NumPy say of sizes that do not fit
    "invalid for input of size|cannot reshape|size mismatch|(must|doesn't|not) match|cannot be multiplied|"
    "could not be broadcast"
)


def long_ones_raise(attempt):
    """It raises about shapes just where there are more tokens than anywhere else."""
    right = [v for v in attempt.verdicts if not (v.seen.raised or v.seen.problem or v.wrong)]
    works, broken = ([named_sizes(v, attempt) for v in verdicts] for verdicts in (right, attempt.raised))
    of_shapes = all(OF_SHAPES.search(verdict.seen.raised[1]) for verdict in attempt.raised)
    if not broken or len(works) < 3 or not of_shapes:
        return None
    for name in (name for name in works[0] if name.startswith("T")):
        good, bad = {sizes.get(name, 1) for sizes in works}, {sizes.get(name, 1) for sizes in broken}
        if min(bad) > 2 * max(good):
            text = (
                f"it works for up to {max(good)} tokens and raises for {min(bad)}: is something, such as the "
                "mask, made for a fixed length? Take the length from the input"
            )
            return Finding(text, "fixed_length")
    return None
