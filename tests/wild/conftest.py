"""The other libraries that lesson 6 compares with must be there: `make test-all` installs them."""

import importlib

import pytest
import torch


@pytest.fixture
def library():
    """library("flax.linen") imports it. Missing is a failure, no reason to skip, as for a missing program."""

    def find(name):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            pytest.fail(f"{missing.name} is missing: `make test-all` installs the extra wild", pytrace=False)

    return find


@pytest.fixture(autouse=True)
def same_numbers():
    torch.manual_seed(6)
