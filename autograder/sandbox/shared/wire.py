"""Send messages between grader and worker: plain data as JSON, tensors as raw bytes; never pickle.

A frame is two lengths (little-endian uint32), the JSON, and the bytes of all tensors, in the order in which
the JSON lists their dtypes and shapes. Messages from a worker are treated as hostile.
"""

import contextlib
import io
import json
import math
import os
import select
import struct
import time

import torch

from course_utils.model.codec import decode, encode

from .job import DIED, NO_MESSAGE, TOO_LARGE, TOO_SLOW, Lost

JOB, ANSWER = (32 << 20, 64 << 20), (1 << 20, 8 << 20)  # most bytes of JSON and of tensors in one message
GRACE = 3  # seconds past the deadline to read bytes that arrived in time, as the reader may be late
ENTRY_LIMIT, AXES_LIMIT = 1 << 18, 8  # of one tensor
NAMES = "bool int64 int32 int16 int8 uint8 float64 float32 float16 bfloat16"
DTYPES = {name: getattr(torch, name) for name in NAMES.split()}
NAME_OF = {dtype: name for name, dtype in DTYPES.items()}


def pack(value):
    """Encode plain data with tensors as one frame."""
    blob = bytearray()

    def put(tensor):
        tensor = plain(tensor)
        blob.extend(tensor.reshape(-1).contiguous().view(torch.uint8).numpy().tobytes())
        return [NAME_OF[tensor.dtype], *tensor.shape]

    text = json.dumps(encode(value, put)).encode()
    return struct.pack("<II", len(text), len(blob)) + text + blob


def plain(tensor):
    """Return the same numbers as a dense CPU tensor of a common dtype."""
    tensor = tensor.detach().cpu()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    elif tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    return tensor if tensor.dtype in NAME_OF else tensor.to(torch.float64)


def unpack(text, blob):
    """Decode the two parts of a frame into plain data with tensors; raise Lost if they are malformed."""
    try:
        return decode(json.loads(bytes(text).decode()), taker(io.BytesIO(blob)))
    except Lost:
        raise
    except Exception:  # on a malformed frame, the parsers may raise anything
        raise Lost(NO_MESSAGE) from None


def taker(blob):
    """Return take([dtype, *shape]), which reads the next tensor from the blob: each byte is used once."""

    def take(encoded):
        name, *shape = encoded
        if len(shape) > AXES_LIMIT or not all(type(size) is int and size >= 0 for size in shape):
            raise Lost(NO_MESSAGE)
        entries = math.prod(shape)
        if entries > ENTRY_LIMIT:
            raise Lost(TOO_LARGE)
        if entries == 0:
            return torch.empty(shape, dtype=DTYPES[name])
        numbers = bytearray(blob.read(entries * DTYPES[name].itemsize))
        return torch.frombuffer(numbers, dtype=DTYPES[name]).reshape(shape)

    return take


def read(fd, deadline, most=ANSWER):
    """Return the next message; raise Lost if it is too large or later than `deadline` (time.monotonic())."""
    n_text, n_blob = struct.unpack("<II", read_exactly(fd, 8, deadline))
    if n_text > most[0] or n_blob > most[1]:
        raise Lost(TOO_LARGE)
    return unpack(read_exactly(fd, n_text, deadline), read_exactly(fd, n_blob, deadline))


def read_exactly(fd, size, deadline):
    data, late_since = bytearray(), None
    while len(data) < size:
        wait(fd, select.POLLIN, deadline)
        if (now := time.monotonic()) > deadline:
            late_since = late_since or now
            if now > late_since + GRACE:
                raise Lost(TOO_SLOW)
        part = os.read(fd, min(size - len(data), 1 << 20))
        if not part:
            raise Lost(DIED)
        data += part
    return data


def write(fd, value, deadline=None):
    """Send one message completely."""
    data = memoryview(pack(value))
    while data:
        wait(fd, select.POLLOUT, deadline)
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(fd, data[: 1 << 16]) :]


def wait(fd, event, deadline):
    """Wait until the descriptor is ready; raise Lost if the deadline passes first."""
    poll = select.poll()
    poll.register(fd, event)
    left = None if deadline is None else max(0, deadline - time.monotonic()) * 1000
    if not poll.poll(left):
        raise Lost(TOO_SLOW)
