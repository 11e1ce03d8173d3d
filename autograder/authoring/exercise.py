"""Exercise: four nouns in one file: a reference, cases, mistakes, hints."""

import numpy as np
import torch

from course_utils.compare.tolerance import is_close, sketch_of, tolerance_of
from course_utils.model.case import RAISED, Case, Contract
from course_utils.model.sheet import Mistake, Sheet, Wanted
from course_utils.observe.probe import observe

from .seeds import VISIBLE
from .stages import stages_of


class Exercise:
    """signature: as the student writes it; a class has its methods' signatures too. returns: result -> axis names.

    Other keywords are those of course_utils.model.case.Contract.
    """

    def __init__(
        self, signature, returns, *, kind="function", methods=(), points=2, hints=(), uses=(), **contract
    ):
        self.name = signature.split("(")[0]
        signatures = {"": signature, **{method.split("(")[0]: method for method in methods}}
        self.contract = Contract(self.name, kind, signatures, returns, **contract)
        self.points, self.hints, self.uses = float(points), list(hints), list(uses)
        self.implementation, self.makers, self.mistakes, self.weights_of = None, [], [], None

    def reference(self, implementation):
        """Decorator: the independent oracle."""
        self.implementation = implementation
        return implementation

    def case(self, maker):
        """Decorator: a core case, drawn from a NumPy Generator."""
        self.makers.append((maker, False))
        return maker

    def edge(self, maker):
        """Decorator: an edge case; it pays its share only when all core cases are right."""
        self.makers.append((maker, True))
        return maker

    def recoverable(self, weights_of):
        """Decorator: weights_of(number, case) gives (number, x, {"Q", "K", "V", "O"}, num_heads) of a causal case with
        T <= d_head, from which the attention tables can be recovered; None for other cases."""
        self.weights_of = weights_of
        return weights_of

    def mistake(self, name, sentence, *implementations):
        """A known mistake: the sentence the student reads, and wrong implementations that show it."""
        self.mistakes.append((name, sentence, implementations))

    def switches(self, make, *groups):
        """Known mistakes as switches: make(**switches) gives an implementation, in two harmless styles of masking."""
        for group in groups:
            for name, sentence, switches in group:
                self.mistake(name, sentence, make(**switches), make(**switches, fill="finite"))

    def cases(self, seed):
        """All cases, drawn for this seed."""
        drawn = []
        for place, (maker, edge) in enumerate(self.makers):
            case = maker(np.random.default_rng([seed, place]))
            drawn.append(case.but(name=maker.__name__, edge=edge))
        return drawn

    def sheet(self, seed=VISIBLE, with_mistakes=True):
        """The cases of this seed with what is wanted of them, and what each known mistake gives on them."""
        cases = self.cases(seed)
        wanted = [self.wanted(case) for case in cases]

        def sketches(implementation):
            return [
                self.difference(implementation, case, right)
                for case, right in zip(cases, wanted, strict=True)
            ]

        mistakes = (
            [m for entry in self.mistakes for m in self.sketched(entry, sketches)] if with_mistakes else []
        )
        stages = stages_of(self, cases) if with_mistakes else {}
        return Sheet(self.contract, self.points, cases, wanted, mistakes, self.hints, self.uses, stages)

    def wanted(self, case):
        """What the reference gives in this case."""
        seen = observe(self.implementation, case, self.contract)
        if seen.raised or seen.problem:
            why = seen.raised or seen.problem
            raise AssertionError(f"the reference of {self.name} fails its own case {case.name}: {why}")
        if isinstance(seen.gradients, str):
            why = f"has no gradients in the case {case.name}: {seen.gradients}"
            raise AssertionError(f"the reference of {self.name} {why}")
        values = {fact: rounded(value) for fact, value in seen.values.items()}
        gradients = {fact: None if g is None else sketch_of(g) for fact, g in (seen.gradients or {}).items()}
        where = {fact: device for fact, device in seen.where.items() if device != "cpu"}
        return Wanted(values, gradients or None, where)

    def sketched(self, entry, sketches):
        """One Mistake for each implementation whose results differ from those of the ones before it.

        sketches: implementation -> for each case what it gives where that is not the wanted result.
        """
        name, sentence, implementations = entry
        kept = []
        for implementation in implementations:
            found = sketches(implementation)
            if found not in kept:
                kept.append(found)
        return [Mistake(name, sentence, found) for found in kept]

    def difference(self, implementation, case, right):
        """What the implementation gives where it is not the wanted result."""
        seen = observe(implementation, case, self.contract, probes=False)
        if seen.problem or seen.raised:
            return {RAISED: seen.problem or seen.raised}
        tolerance, values = tolerance_of(case, self.contract), right.values
        return {f: sketch_of(v) for f, v in seen.values.items() if not is_close(v, values.get(f), tolerance)}


def rounded(value):
    """Numbers as they are published, so that visible and hidden grading compare with the same precision."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return (value.double() * 1e8).round() / 1e8
    return value


# ---- what case functions are written with


def call(**args):
    """A case that calls a function."""
    return Case("", []).call(**args)


def build(weights=None, **settings):
    """A case that builds an object, with `weights` for its named layers; add `.call(...)`."""
    return Case("", [], build=settings, weights=weights or {})


def normal(g, *shape, scale=1):
    """Unit-variance numbers, multiples of 1/64 (exact in JSON, and in bfloat16 at scale 1; fine enough that scores do
    not tie), float64."""
    steps = g.integers(-78, 79, (2, *shape)).sum(0) * scale
    return torch.from_numpy(np.asarray(steps, dtype=np.float64)) / 64


def distinct(g, *shape, dim=-1):
    """normal(), again while two numbers along dim are the same: at a tie the gradient of a maximum is not one number."""
    while True:
        x = normal(g, *shape)
        if (x.sort(dim).values.diff(dim=dim) > 0).all():
            return x


def untied(draw):
    """draw(), again while two scores of a row are the same: see `distinct`."""
    while True:
        case = draw()
        args = case.calls[0].args
        Q, K = (
            args[name].unflatten(-1, (args.get("num_heads", 1), -1)).transpose(-3, -2) for name in ("Q", "K")
        )
        scores = (Q @ K.transpose(-2, -1)).sort(-1).values  # (..., H, T_q, T_k)
        if (scores.diff(dim=-1) > 0).all():
            return case


def in_thousands(case):
    """The case with what scores in the thousands need: a softmax taken in float32 is right, though its gradients are not exact."""
    return case.but(narrow=False, gradients=False, tolerance=2e-3)


def surely_large(case):
    """The case with two scores above 800 in a row of every head: exp without a shift overflows, and a limit makes them alike."""
    args = case.calls[0].args
    args["Q"][..., 0, :] = args["K"][..., 0, :] = 30
    args["K"][..., 1, :] = 29
    return in_thousands(case)


def far_below_zero(case, W_q, W_k, num_heads=3):
    """The case with the scores of every row but the last near -1500, and as far apart as before but for the last key,
    which is masked there: shows fills that are not low enough, and one maximum for all rows. In the last row they are
    near +1500, where exp without a shift overflows.

    The first feature of each head becomes +46 in Q (-46 in the last token) and -46 in K (-45.3 in the last token).
    W_q and W_k name layers (out, in) of a module, or weights (in, out) among the arguments.
    """
    args = case.calls[0].args
    x = args["x"] if "x" in args else args["X"]
    x[..., -2:] = 8
    x[..., -1, -2:] = torch.tensor([-8, 7.875])
    d_head = x.shape[-1] // num_heads
    q, k = (case.weights[name] if name in case.weights else args[name].T for name in (W_q, W_k))  # (out, in)
    k[:, -2] = 0  # what differs in the last token must not move its key
    for weight, feature, value in ((q, -2, 5.75), (k, -1, -5.75)):
        rows = weight[::d_head]
        rows[:] = 0
        rows[:, feature] = value
    return in_thousands(case)


def token_of_zeros(case):
    """The case with zeros for token 1 of x (or of Q): its scores are exactly 0, and none of them is masked for that."""
    args = case.calls[0].args
    next(args[name] for name in ("x", "X", "Q") if name in args)[..., 1, :] = 0
    return case.but(gradients=False)


def drawn_lengths(g, count, most):
    """Pairwise different lengths from 1 to most: (count,)."""
    return torch.from_numpy(1 + g.permutation(most)[:count])


def layers(g, names, *shape):
    """Weights for bias-free Linear layers, scaled so that unit-variance inputs give unit-variance outputs (about)."""
    out, inner = shape
    spread = max(1, round((192 / inner) ** 0.5))
    return {
        name: torch.from_numpy(g.integers(-spread, spread + 1, (out, inner)).astype(np.float64)) / 8
        for name in names
    }
