"""Tests that share something dear run in one process, which makes it once."""

import os

import pytest


@pytest.mark.xdist_group("together")
def test_tests_of_one_group_stay_together(request):
    """pytest-xdist knows a test's group by the end of its id; pytest 9.2 takes no such id from it."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        assert request.node.nodeid.endswith("@together")
    else:
        assert request.node.get_closest_marker("xdist_group").args == ("together",)
