"""merge_partials: merge attention over two sets of keys into attention over all of them, by log-sum-exps."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Back

ex = Exercise(
    {"out": "B H T_q d_head", "lse": "B H T_q"},
    container="tuple",
    points=3,
    hints="""
    Half 1 says: the sum of my exponentials is exp(lse_1), and out_1 is already divided by it. What is the sum of the
    exponentials of both halves? And what share of it belongs to half 1?

    The merged lse is log(exp(lse_1) + exp(lse_2)), and out is the average of out_1 and out_2, weighted by exp(lse_1)
    and exp(lse_2). An lse may be in the thousands, so subtract the larger one of the two first. What is left to
    subtract where both are -inf?

    Where both halves are fully masked, subtract 0 instead of -inf: then both weights are exp(-inf) = 0 and nothing is
    NaN. The sum of the weights is 0 there and at least 1 everywhere else, so you can divide by total.clamp(min=1), and
    its logarithm is safe in the backward pass too.

    largest = torch.maximum(lse_1, lse_2); largest = largest.masked_fill(largest == -torch.inf, 0); weights
    (lse_1 - largest).exp() and (lse_2 - largest).exp(), each with [..., None] to meet out (B, H, T_q, d_head)
    """,
)


@ex.reference
def merge_partials(out_1, lse_1, out_2, lse_2):
    """Computes the two shares in float64: the sigmoid of the difference of the lse, and 0 for a fully masked
    half."""
    masked_1, masked_2 = lse_1 == -torch.inf, lse_2 == -torch.inf
    first, second = (lse.double().masked_fill(lse == -torch.inf, 0) for lse in (lse_1, lse_2))
    share = torch.sigmoid(first - second).masked_fill(masked_2, 1).masked_fill(masked_1, 0)  # (B, H, T_q)
    other = torch.sigmoid(second - first).masked_fill(masked_1, 1).masked_fill(masked_2, 0)
    out = share[..., None] * out_1.double() + other[..., None] * out_2.double()
    both = second + torch.nn.functional.softplus(first - second, threshold=50)
    lse = torch.where(masked_1, second, torch.where(masked_2, first, both))
    return out.to(out_1.dtype), lse.masked_fill(masked_1 & masked_2, -torch.inf).to(lse_1.dtype)


def numbers(g, *shape, around=0):
    """Random multiples of 1/8 near `around`; exact in bfloat16 if that is 0."""
    return around + torch.from_numpy(g.integers(-24, 25, shape)).double() / 8


def halves(g, *shape, around=(0, 0)):
    """A case with two halves; shape (B, H, T_q, d_head). No two lse are equal: at a tie the gradient of a
    maximum is not unique."""
    first, second = (
        numbers(g, *shape[:-1], around=around[0]),
        numbers(g, *shape[:-1], around=around[1] + 1 / 16),
    )
    return call(out_1=normal(g, *shape), lse_1=first, out_2=normal(g, *shape), lse_2=second)


def mask_queries(g, case, *which):
    """The case with half of the queries seeing no key in these halves; there the output is 0."""
    args, shape = case.calls[0].args, case.calls[0].args["lse_1"].shape
    rows = torch.zeros(shape, dtype=torch.bool).view(-1)
    rows[g.permutation(len(rows))[: len(rows) // 2].tolist()] = True
    for half in which:
        args[f"lse_{half}"][rows.view(shape)] = -torch.inf
        args[f"out_{half}"][rows.view(shape)] = 0
    return case


def allow_large_lse(case):
    """The case with a wider tolerance: weights computed in float32 must pass."""
    return case.but(narrow=False, gradients=False, tolerance=2e-3)


ex.case(
    two_halves=lambda g: halves(g, 2, 3, 5, 4),
    one_head=lambda g: halves(g, 3, 1, 4, 6, around=(2, -1)),
    one_example=lambda g: halves(g, 1, 4, 2, 5),
)


@ex.edge
def three_parts(g):
    """The merged result of two parts is merged with a third."""
    case, third = halves(g, 2, 1, 3, 4), halves(g, 2, 1, 3, 4).calls[0].args
    merged = {"out_1": Back(0, "out"), "lse_1": Back(0, "lse")}
    return case.call(**merged, out_2=third["out_2"], lse_2=third["lse_2"]).but(gradients=False)


ex.edge(
    no_key_in_the_first_half=lambda g: mask_queries(g, halves(g, 2, 3, 4, 5), 1),
    no_key_in_the_second_half=lambda g: mask_queries(g, halves(g, 1, 2, 5, 3), 2),
    no_key_at_all=lambda g: mask_queries(g, halves(g, 2, 2, 3, 4), 1, 2),
    lse_in_the_thousands=lambda g: allow_large_lse(halves(g, 2, 3, 4, 5, around=(3000, 3000))),
    lse_far_below_zero=lambda g: allow_large_lse(halves(g, 2, 3, 4, 5, around=(-2500, -2500))),
    one_half_counts_alone=lambda g: allow_large_lse(halves(g, 1, 2, 3, 4, around=(-1500, 1500))),
    one_query=lambda g: halves(g, 2, 3, 1, 4),
    one_feature=lambda g: halves(g, 2, 3, 4, 1),
    not_contiguous=lambda g: halves(g, 2, 4, 3, 5).but(strided=True),
)


# ---- mistakes


def shifted_weights(lse_1, lse_2):
    """The right weights before the division, and the number that was subtracted."""
    largest = torch.maximum(lse_1, lse_2)
    largest = largest.masked_fill(largest == -torch.inf, 0)
    return (lse_1 - largest).exp(), (lse_2 - largest).exp(), largest


def merge(weights=shifted_weights, lse=torch.logaddexp, divide=lambda total: total.clamp(min=1)):
    """An implementation with these steps: weights(lse_1, lse_2), the merged lse, and the divisor from the sum
    of the weights."""

    def implementation(out_1, lse_1, out_2, lse_2):
        first, second, *_ = weights(lse_1, lse_2)
        total = divide(first + second)
        out = (first / total)[..., None] * out_1 + (second / total)[..., None] * out_2  # (B, H, T_q, d_head)
        return out, lse(lse_1, lse_2)

    return implementation


def as_they_are(lse_1, lse_2):
    return lse_1.exp(), lse_2.exp()


def of_maximum(lse_1, lse_2):
    largest = torch.maximum(lse_1, lse_2)
    return (lse_1 - largest).exp(), (lse_2 - largest).exp()


def filled(lse_1, lse_2):
    return shifted_weights(*(lse.masked_fill(lse == -torch.inf, 0) for lse in (lse_1, lse_2)))


ex.wrong(
    "averaged: the two outputs are averaged or added: weight each by its share of the exponentials, exp(lse_1) and exp(lse_2)",
    merge(lambda first, second: (torch.ones_like(first), torch.ones_like(second))),
    "weighted_by_lse: the outputs are weighted by lse_1 and lse_2 themselves: they are logarithms, so take exp first",
    merge(lambda first, second: (first, second), divide=lambda total: total),
    "weights_swapped: each output gets the other half's weight: exp(lse_1) belongs to out_1",
    merge(lambda first, second: shifted_weights(second, first)),
    "not_divided: the weighted outputs are added, but not divided by the sum of the weights",
    merge(divide=lambda total: 1),
    "shift_not_added_back: what was subtracted before exp is missing from the result's lse: add it back, largest + log(total)",
    merge(lse=lambda first, second: torch.stack(shifted_weights(first, second)[:2]).sum(0).log()),
    "maximum_for_lse: the larger lse is returned: it leaves out the other half, so the result is log(exp(lse_1) + exp(lse_2))",
    merge(lse=torch.maximum),
    "lse_added: the two lse are added: they are logarithms, and what adds up is exp of each, so the result is log(exp(lse_1) + exp(lse_2))",
    merge(lse=torch.add),
    "sum_for_its_logarithm: the lse is returned without a logarithm: it is log(exp(lse_1) + exp(lse_2))",
    merge(lse=lambda first, second: first.exp() + second.exp()),
    "unstable: exp(lse) overflows for an lse in the thousands, or underflows to 0 for both halves: subtract the larger of the two first",
    merge(as_they_are, lambda first, second: (first.exp() + second.exp()).log(), lambda total: total),
    merge(
        as_they_are,
        lambda first, second: (first.exp() + second.exp()).log(),
        lambda total: total.clamp(min=1e-30),
    ),
    "nan_where_both_are_masked: where both halves are fully masked the result is NaN: -inf - (-inf) is NaN, so subtract 0 there. The output is then 0 and the lse -inf",
    merge(of_maximum, divide=lambda total: total),
    "masked_counts_as_zero: an lse of -inf is replaced by 0, so a fully masked half counts like a key with score 0: its weight must be exp(-inf) = 0",
    merge(
        filled,
        lambda first, second: torch.logaddexp(
            *(lse.masked_fill(lse == -torch.inf, 0) for lse in (first, second))
        ),
    ),
)
