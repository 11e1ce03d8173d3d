"""A loop that can be run again with other settings, in the way to call it that was found."""

from time import monotonic

import numpy as np

from ..parameters import call, parameters
from ..simple import drained
from ..ways import Outcome
from .inputs import value
from .readings import readings

ROWS, STEPS, ALONE = 20, 30, 380  # how many tokens are drawn: of a batch, or of one text

SECONDS = 4.0  # for all runs together: then what was not tried stays untried


class Loop:
    """outcome: of a call that gave a text. key: of the reading by which it is one."""

    def __init__(self, outcome, key):
        self.notes, self.key = outcome.notes, key
        self.function, self.plan = outcome.notes["function"], outcome.notes["plan"]
        self.parameters = parameters(self.function)
        self.batch = outcome.notes["dialect"][1] in ("(B, T)", "NumPy", "lists")
        self.until = monotonic() + SECONDS
        self.notes["rows"] = 2 if self.batch else 1

    def text(self, given, settings):
        """(B, T + n) tokens; None where it raises, or gives another number of tokens."""
        found = self.tokens(given, settings)
        return found if found is not None and found.shape[1] == given["T"] + given["n"] else None

    def tokens(self, given, settings):
        """(B, some) tokens; None where it raises."""
        dialect = self.notes["dialect"]
        values = {parameter: value(role, given, dialect) for parameter, role in self.plan.items()}
        try:
            result, yields = drained(call(self.function, {**values, **settings}))
        except Exception:  # this setting is not meant, or not taken
            return None
        outcome = Outcome(result, notes=self.notes | {"yields": yields})
        found = next((one for one in readings(outcome, given) if one.key == self.key), None)
        return None if found is None else found.array.astype(int)

    def drawn(self, says, settings):
        """(B, n) new tokens where the model always says the same; None also where time is over."""
        if monotonic() > self.until:
            return None
        B, n = (ROWS, STEPS) if self.batch else (1, ALONE)
        tokens = np.tile([1, 2, 3, 5], (B, 1))
        given = {"tokens": tokens, "n": n, "B": B, "T": 4, "sizes": {}, "ends": None, "says": says}
        found = self.text(given, settings)
        return None if found is None else found[:, 4:]
