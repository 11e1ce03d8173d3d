"""Messages between grader and worker: plain data as JSON, tensors as safetensors; never pickle.

A frame is two lengths (little-endian uint32), the JSON and the tensors. What comes from a worker is hostile.
"""

import contextlib
import json
import math
import os
import select
import struct
import time

import safetensors.torch
import torch

from course_utils.model.codec import decode, encode

from .report import CLOSED, NO_MESSAGE, OUT_OF_TIME, TOO_LARGE

JOB, ANSWER = (32 << 20, 64 << 20), (1 << 20, 8 << 20)  # most bytes of JSON and of tensors in one message
GRACE = 3  # seconds past the deadline in which what has arrived is still read: perhaps the reader is late
HEADER_LIMIT, ENTRY_LIMIT, AXES_LIMIT = 1 << 20, 1 << 18, 8  # of the blob, and of one tensor
NAMES = "bool int64 int32 int16 int8 uint8 float64 float32 float16 bfloat16"
NAME_OF = {getattr(torch, name): name for name in NAMES.split()}


class WireError(Exception):
    """The other side is gone, too slow, or sends what is no message."""


def pack(value):
    """Plain data with tensors -> one frame. The numbers of all tensors of one dtype stand in one row, in the
    order in which the JSON names their shapes: most tensors are small, and each row costs as much as a large
    one."""
    parts = {}

    def put(tensor):
        tensor = plain(tensor)
        name = NAME_OF[tensor.dtype]
        parts.setdefault(name, []).append(tensor.reshape(-1))
        return [name, *tensor.shape]

    text = json.dumps(encode(value, put)).encode()
    blob = safetensors.torch.save({name: torch.cat(numbers) for name, numbers in parts.items()})
    return struct.pack("<II", len(text), len(blob)) + text + blob


def plain(tensor):
    """The same numbers as an ordinary dense tensor of a common dtype."""
    tensor = tensor.detach().cpu()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    elif tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    return tensor if tensor.dtype in NAME_OF else tensor.to(torch.float64)


def unpack(text, blob):
    """The two parts of a frame -> plain data with tensors; anything else is a WireError."""
    try:
        if struct.unpack("<Q", blob[:8])[0] > HEADER_LIMIT:
            raise WireError(TOO_LARGE)
        return decode(json.loads(bytes(text).decode()), taker(safetensors.torch.load(bytes(blob))))
    except WireError:
        raise
    except Exception:  # any malformed frame, whatever the parsers make of it
        raise WireError(NO_MESSAGE) from None


def taker(rows):
    """-> take([dtype, *shape]), the next tensor from the row of that dtype: each number is used once."""
    if not all(row.dim() == 1 and NAME_OF.get(row.dtype) == name for name, row in rows.items()):
        raise WireError(NO_MESSAGE)
    counts = dict.fromkeys(rows, 0)

    def take(encoded):
        name, *shape = encoded
        if len(shape) > AXES_LIMIT or not all(type(size) is int and size >= 0 for size in shape):
            raise WireError(NO_MESSAGE)
        entries = math.prod(shape)
        if entries > ENTRY_LIMIT:
            raise WireError(TOO_LARGE)
        begin, counts[name] = counts[name], counts[name] + entries
        return rows[name][begin : counts[name]].reshape(shape).clone()

    return take


def read(fd, deadline, most=ANSWER):
    """The next message from the file descriptor, before time.monotonic() passes the deadline."""
    n_text, n_blob = struct.unpack("<II", read_exactly(fd, 8, deadline))
    if n_text > most[0] or n_blob > most[1]:
        raise WireError(TOO_LARGE)
    return unpack(read_exactly(fd, n_text, deadline), read_exactly(fd, n_blob, deadline))


def read_exactly(fd, size, deadline):
    data, late_since = bytearray(), None
    while len(data) < size:
        wait(fd, select.POLLIN, deadline)
        if (now := time.monotonic()) > deadline:
            late_since = late_since or now
            if now > late_since + GRACE:
                raise WireError(OUT_OF_TIME)
        part = os.read(fd, min(size - len(data), 1 << 20))
        if not part:
            raise WireError(CLOSED)
        data += part
    return data


def write(fd, value, deadline=None):
    """Send one message, whole."""
    data = memoryview(pack(value))
    while data:
        wait(fd, select.POLLOUT, deadline)
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(fd, data[: 1 << 16]) :]


def wait(fd, event, deadline):
    """Until the descriptor is ready; WireError when that takes too long."""
    poll = select.poll()
    poll.register(fd, event)
    left = None if deadline is None else max(0, deadline - time.monotonic()) * 1000
    if not poll.poll(left):
        raise WireError(OUT_OF_TIME)
