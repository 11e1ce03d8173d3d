"""One sandbox per test module."""

import pytest

from autograder.sandbox.host.supervisor import SandboxWorker

from .cells import LIMITS


@pytest.fixture(scope="module")
def worker():
    new = SandboxWorker(LIMITS)
    yield new
    new.close()
