"""Memory is counted wherever it is held."""

import pytest

from autograder.sandbox.inside import memory

from .cells import cells_of, errors

HIDING_PLACES = cells_of("hides_memory")


@pytest.mark.system
@pytest.mark.parametrize("place", HIDING_PLACES)
def test_memory_is_counted_wherever_it_hides(place, worker, bwrap):
    assert errors(worker, HIDING_PLACES[place]) == ["memory"]


def test_orphans_belong_to_the_first_process():
    assert memory.descendants(1, {1: 0, 5: 1, 6: 5, 7: 9, 8: 6}) == {1, 5, 6, 8}
    assert memory.address_space() > 0
