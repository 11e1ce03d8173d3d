"""Drawn numbers are the same each time."""

import pytest
import torch


@pytest.fixture(autouse=True)
def same_numbers():
    torch.manual_seed(6)
