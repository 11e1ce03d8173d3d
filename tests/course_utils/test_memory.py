"""Where memory is the point of an exercise, right values in the wrong memory earn nothing."""

import math
import threading
from collections import deque

import numpy as np
import pytest
import torch

from autograder.exercises import load
from autograder.grading.grade_object import grade
from course_utils.observe.watches import CallWatch, entries_held
from tests.tools.assessed import assess_answer

RING, STATIC, ONLINE = "RingKVCache", "StaticKVCache", "online_softmax_attention"


class KeepsAll:
    """A ring that keeps every token, in one tensor."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.start(torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device))
        self.seen, self.window, self.sinks = 0, window, sinks

    def start(self, empty):
        self.k = self.v = empty

    def join(self, k, v):
        self.k, self.v = torch.cat([self.k, k.to(self.k)], 2), torch.cat([self.v, v.to(self.v)], 2)

    def read(self, positions):
        return self.k[:, :, positions], self.v[:, :, positions]

    @torch.no_grad()
    def update(self, k, v):
        self.join(k, v)
        self.seen += k.shape[2]
        positions = [n for n in range(self.seen) if n < self.sinks or n >= self.seen - self.window]
        return *self.read(positions), torch.tensor(positions, device=k.device)


class KeepsAllInLists(KeepsAll):
    """The same, one small tensor for each token."""

    def start(self, empty):
        self.empty, self.tokens = empty, []

    def join(self, k, v):
        self.tokens += [
            torch.stack(pair).to(self.empty) for pair in zip(k.unbind(2), v.unbind(2), strict=True)
        ]

    def read(self, positions):
        return torch.stack([self.tokens[n] for n in positions], 3).unbind()


class Grows:
    """A static cache that joins instead of writing."""

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = self.v = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.max_len = max_len

    @torch.no_grad()
    def update(self, k, v):
        if self.k.shape[2] + k.shape[2] > self.max_len:
            raise ValueError("full")
        self.k, self.v = torch.cat([self.k, k.to(self.k)], 2), torch.cat([self.v, v.to(self.v)], 2)
        return self.k, self.v


class ReturnsCopies(load(STATIC).implementation):
    """It writes in place, but its results are copies."""

    def update(self, k, v):
        return tuple(t.clone() for t in super().update(k, v))


def attention(Q, K, V):
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V


def in_numpy(Q, K, V, block_size):
    return torch.from_numpy(attention(*(t.detach().double().numpy() for t in (Q, K, V)))).to(Q.dtype)


def in_a_thread(Q, K, V, block_size):
    results = []

    def run():
        weights = (Q.double() @ K.double().mT / math.sqrt(Q.shape[-1])).softmax(-1)
        results.append((weights @ V.double()).to(Q.dtype))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results[0]


def without_maximum(Q, K, V, block_size):
    output = total = 0
    for start in range(0, K.shape[-2], block_size):
        k, v = (t[..., start : start + block_size, :].float() for t in (K, V))
        weights = (Q.float() @ k.mT / math.sqrt(Q.shape[-1])).exp()
        output, total = output + weights @ v, total + weights.sum(-1, keepdim=True)
    return (output / total).to(Q.dtype)


def two_passes(Q, K, V, block_size):
    q, blocks = Q.double() / math.sqrt(Q.shape[-1]), range(0, K.shape[-2], block_size)
    parts = [(K[..., i : i + block_size, :].double(), V[..., i : i + block_size, :].double()) for i in blocks]
    largest = torch.stack([(q @ k.mT).amax(-1, keepdim=True) for k, _ in parts]).amax(0)
    weights = lambda k: (q @ k.mT - largest).exp()  # noqa: E731
    output = sum(weights(k) @ v for k, v in parts)
    return (output / sum(weights(k).sum(-1, keepdim=True) for k, _ in parts)).to(Q.dtype)


def ready_made(x, dim=-1):
    return torch.nn.Softmax(dim)(x)


NOTHING = [
    ("softmax", ready_made, "ready_made", "torch's own `softmax` gives them: here you write it by hand"),
    ("softmax", torch.nn.functional.softmax, ..., ""),
    ("softmax", lambda x, dim=-1: x.log_softmax(dim).exp(), "ready_made", "torch's own `log_softmax`"),
    (RING, KeepsAll, "too_large", "in memory that does not grow"),
    (RING, KeepsAllInLists, "memory_grows", "the object holds 104 numbers after the last call"),
    (STATIC, Grows, "not_views", "write into memory that is allocated once"),
    (ONLINE, in_numpy, ..., "it computes in NumPy, where memory is not watched"),
    (ONLINE, in_a_thread, "escape", "it computes in another thread, where memory is not watched"),
    (ONLINE, without_maximum, ..., ""),
]


@pytest.mark.parametrize(("name", "answer", "mistake", "words"), NOTHING)
def test_right_values_without_the_point_of_the_exercise_earn_nothing(name, answer, mistake, words):
    for result in (grade(name, answer, seed=3), assess_answer(answer, load(name).sheet(with_mistakes=False))):
        assert (result.accepted, result.points) == (False, 0), result.message
        assert mistake in (..., result.mistake), result.message
        assert words in result.message


def test_a_cache_written_in_place_that_returns_copies_loses_only_the_probes():
    result = grade(STATIC, ReturnsCopies, seed=3)
    assert (result.passed, result.mistake) == (False, "not_views")
    assert 0.9 * result.max_points < result.points < result.max_points


def test_the_maximum_may_be_found_in_a_first_pass_over_the_blocks():
    assert grade(ONLINE, two_passes, seed=3).passed


@pytest.mark.parametrize("name", [RING, STATIC, ONLINE])
def test_the_reference_keeps_to_the_memory_that_it_asks_for(name):
    assert grade(name, load(name).implementation, seed=3).passed


NUMBERS = torch.rand(3, 4)


@pytest.mark.parametrize(
    ("action", "place"),
    [
        (lambda: NUMBERS.numpy(), "NumPy"),
        (lambda: np.exp(NUMBERS), "NumPy"),
        (lambda: np.from_dlpack(NUMBERS), "NumPy"),
        (lambda: NUMBERS.tolist(), "a Python list"),
        (lambda: torch.arange(5).tolist(), ""),
        (lambda: NUMBERS.sum().item(), ""),
        (lambda: NUMBERS.exp(), ""),
    ],
)
def test_a_watch_says_where_numbers_go_that_cannot_be_watched(action, place):
    with CallWatch() as watch:
        action()
    assert watch.escape == place


def test_the_entries_that_an_object_holds_count_each_memory_once():
    cache = Grows(1, 2, 9, 4)
    assert entries_held(cache) == 0
    cache.update(torch.ones(1, 2, 5, 4), torch.ones(1, 2, 5, 4))
    assert entries_held(cache) == 80
    cache.also, cache.chunks = cache.k[:, :, :2], deque([torch.ones(3)])
    assert entries_held(cache) == 83
