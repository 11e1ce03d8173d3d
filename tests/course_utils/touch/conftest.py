from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    """Those that need the browser run in one process, which opens it once."""
    for item in items:
        if Path(__file__).parent in item.path.parents and item.get_closest_marker("system"):
            item.add_marker(pytest.mark.xdist_group("touch"))
