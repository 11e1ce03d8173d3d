"""Cells that claim marks without the answer; each replaces the solution of `softmax` in an empty notebook."""

from pathlib import Path

from tests.tools.cells import plain_cells

# What a cheat can reach: the file descriptor that leads to the grader, and the frames of the worker.
REACH = """
import gc, inspect, json, os, struct, sys, types
import torch

def frames():
    frame = sys._getframe()
    while frame:
        yield frame
        frame = frame.f_back

def find(name):
    for frame in frames():
        if name in frame.f_locals:
            return frame.f_locals[name]
    return None

def send(message):
    from autograder.sandbox.shared.wire import pack
    send_frame(pack(message))

def send_frame(frame):
    while frame:
        frame = frame[os.write(3, frame):]

def stub(x, dim=-1):
    return x * 0
softmax = stub
"""


def cells(group):
    """The cheats in a file; "reach" in the head of a cell puts REACH in front of it."""
    programs = plain_cells(Path(__file__).parent / "cells" / f"cheats_{group}.py")
    return {name: (REACH if about == "reach" else "") + source for name, about, source in programs}


# Nearly right, in a dtype too coarse to tell: the dtype of a result must not decide the tolerance.
NEARLY = """import torch
def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim, keepdim=True).values)
    return (e / (e.sum(dim, keepdim=True) + 1e-3)).to(torch.{0})
"""
ROUNDED = {f"rounded_to_{name}": NEARLY.format(name) for name in ("bfloat16", "float16", "float32")}

# Right, except that the sizes are never checked.
IN_CHUNKS = """
    outputs, caches = [x[:, :0]], ()
    for chunk in x.split(list(chunk_sizes), 1) if sum(chunk_sizes) == x.shape[1] else [x]:
        output, *caches = attention(chunk, *caches)
        outputs.append(output)
    return torch.cat(outputs, 1)
"""

# Whether the sizes are bad is read from the grader's own list of calls, ...
RAISES_WHERE_IT_MUST = (
    REACH
    + """
def attend_in_chunks(attention, x, chunk_sizes):
    if find("call").raises:
        raise ValueError"""
    + IN_CHUNKS
)

REFUSALS = {
    # ... left to the judge, by reporting both a result and an error for every call, ...
    "says_both": REACH
    + """
runner = sys.modules["autograder.sandbox.inside.runner"]
real = runner.observe
def both(obj, case, contract):
    seen = real(obj, case, contract)
    from course_utils.model.case import error_of
    seen.values = {error_of(number): "ValueError" for number in range(6)} | seen.values
    seen.errors = {}
    return seen
runner.observe = both
def attend_in_chunks(attention, x, chunk_sizes):"""
    + IN_CHUNKS,
    # ... or guessed from how the case is set up.
    "raises_by_setting": REACH
    + """
def attend_in_chunks(attention, x, chunk_sizes):
    if not find("case").narrow:
        raise ValueError"""
    + IN_CHUNKS,
}

CELLS = cells("constant_results") | ROUNDED | cells("lying_objects") | cells("patched_libraries")
CELLS |= cells("notebook_tricks") | cells("forged_messages") | cells("looking_for_answers")
