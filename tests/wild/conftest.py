"""Seeds torch before each test."""

import pytest
import torch


@pytest.fixture(autouse=True)
def same_numbers():
    torch.manual_seed(6)
