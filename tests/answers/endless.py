"""Answers that take no end, or wait for ever."""

import contextlib
import threading
import time

import torch


def no_end(x, dim=-1):
    while True:
        pass


def catches_all(x, dim=-1):
    while True:
        try:
            pass
        except:  # noqa: E722
            pass


def catches_twice(x, dim=-1):
    while True:
        try:
            try:
                sum(range(100))
            except:  # noqa: E722
                pass
        except BaseException:
            pass


def two_loops(x, dim=-1):
    while True:
        try:
            while True:
                try:
                    sum(range(100))
                except:  # noqa: E722
                    continue
        except:  # noqa: E722
            continue


def naps(x, dim=-1):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.001)


def returns_afterwards(x, dim=-1):
    try:
        no_end(x)
    except:  # noqa: E722
        return (x - x.logsumexp(dim, keepdim=True)).exp()


def long_call(x, dim=-1):
    table = torch.ones(1500, 1500, dtype=torch.float64)
    while True:
        table = table @ table / 1500


ENDLESS = [no_end, catches_all, catches_twice, two_loops, naps, returns_afterwards, long_call]


def sleeps_once(x, dim=-1):
    time.sleep(9)


def waits_for_itself(x, dim=-1):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
