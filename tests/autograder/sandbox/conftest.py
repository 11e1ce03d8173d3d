"""One sandbox for all tests of a module."""

import pytest

from autograder.sandbox.host.supervisor import SandboxWorker

from .cells import LIMITS


@pytest.fixture(scope="module")
def worker():
    new = SandboxWorker(LIMITS)
    yield new
    new.close()
