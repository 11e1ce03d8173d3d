"""Submissions that do harm. Each is a separate cell in a solved notebook, whose exercises must still count.

An attack that gets anything raises `Leak`, so the result shows its text. The test fills in the ports, process
ids and paths of the canaries."""

from pathlib import Path

from tests.tools.cells import plain_cells

START = """
import ctypes, os, pathlib, signal, socket, subprocess, sys, threading, time
import torch
class Leak(Exception): pass
libc = ctypes.CDLL(None, use_errno=True)
def quietly(action, *args):
    try:
        return action(*args)
    except Exception:
        return None
def leak(found):
    if found:
        raise Leak(f"LEAK {found!r}"[:150])
"""

CELLS_OF = Path(__file__).parent / "cells"


def cells(group):
    return {name: source for name, _, source in plain_cells(CELLS_OF / f"hostile_{group}.py")}


# They harm nothing when they succeed, and do succeed outside the sandbox: a test proves it.
READING = cells("reading")
CELLS = READING | cells("rights") | cells("processes") | cells("floods") | cells("fresh")
