"""What students read of mistakes that are found in several ways: each under a name that says when.

{what}: the arguments; {error}: what was raised.
"""

RANDOM_OR_KEPT = "something is random (dropout, layers made anew in each call) or remembered between calls"

UNSTEADY = {  # the same calls a second time
    "other results": f"two equal calls give two different answers: {RANDOM_OR_KEPT}",
    "exception": f"a second, equal call raises {{error}}: {RANDOM_OR_KEPT}",
}

CHANGES_INPUT = {
    "values right": "it changes {what} in place: the caller still needs it. Make a new tensor (no "
    "`masked_fill_`, no `+=`, no `x[...] = ...`)",
    "values wrong": "it changes {what} in place, so that later steps see other numbers: make a new tensor",
    "exception": "it changes a tensor in place: make a new one ({error})",
    "exception in the backward pass": "it changes a tensor in place that the gradient needs: make a new "
    "tensor ({error})",
}
