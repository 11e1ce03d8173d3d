"""Fixtures for the tests of checks and of figures."""

import sys

import matplotlib.pyplot as plt
import pytest
import torch

from tests.tools.masks import causal


@pytest.fixture(autouse=True)
def _closed(monkeypatch):
    """No figure may call show, and all are closed afterwards."""
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("a figure called show"))
    yield
    plt.close("all")


@pytest.fixture
def in_main(monkeypatch):
    """in_main(name, value) defines a name in `__main__`, as a notebook's cells do."""
    return lambda name, value: monkeypatch.setitem(vars(sys.modules["__main__"]), name, value)


def causal_weights(*shape, seed=0):
    """Random causal weights (..., T_q, T_k) whose rows sum to 1."""
    scores = 2 * torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    return scores.masked_fill(causal(*shape[-2:]), -torch.inf).softmax(-1)
