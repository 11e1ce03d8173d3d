import pytest

from tests.tools.page import chromium


@pytest.fixture(scope="session")
def opened_browser():
    with chromium() as opened:
        yield opened
