"""Memory is counted wherever it is held."""

import pytest

from autograder.sandbox.shared.losses import MEMORY

from .cells import cells_of, errors

HIDING_PLACES = cells_of("hides_memory")


@pytest.mark.system
@pytest.mark.parametrize("place", HIDING_PLACES)
def test_memory_is_counted_wherever_it_hides(place, worker, bwrap):
    assert errors(worker, HIDING_PLACES[place]) == [MEMORY]
