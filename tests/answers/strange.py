"""Answers that are none: whatever is asked of them, they do something else."""

import time

import numpy as np
import pytest
import torch


def endless(T):
    while True:
        pass


def endless_that_catches(T):
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass


def returns_none(T):
    return None


def prints(T):
    print("hello" * 10_000)
    return torch.ones(T, T).triu(1).bool()


def huge(T):
    return torch.zeros(1).expand(10**6, 10**6)


def exits(T):
    raise SystemExit


class Fails:
    def __init__(self, *args):
        raise RuntimeError("no")

    def __call__(self, n):
        return n


class Strange(Exception):
    def __str__(self):
        raise ValueError


def raises_strangely(T):
    raise Strange


class Lying:
    """Its attributes raise."""

    def __getattr__(self, name):
        raise ZeroDivisionError

    def __call__(self, n):
        return self


def recursive(T):
    return recursive(T)


def many(a, b, c, d, e, f, g, h, i, j):
    return a


ANSWERS = [
    *(returns_none, huge, exits, Fails, raises_strangely, Lying, recursive, many, print, len, dict, type),
    *(torch.triu, np.tril, torch.nn.Linear, lambda: 1, lambda *a, **k: a),
    *(pytest.param(Lying(), id="an object that lies"), pytest.param(torch.nn.Linear(3, 3), id="a layer")),
]
