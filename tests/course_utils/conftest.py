"""What the tests of figures share."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _closed(monkeypatch):
    """No picture calls show, and none stays open."""
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("a figure called show"))
    yield
    plt.close("all")
