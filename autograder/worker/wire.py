"""Messages between grader and worker: plain data as JSON, tensors as safetensors; never pickle.

A frame is two lengths (little-endian uint32), the JSON and the tensors. What comes from a worker is hostile.
"""
import json
import os
import select
import struct
import time

import safetensors.torch
import torch

from course_utils.observe.codec import decode, encode

JSON_LIMIT, TENSOR_LIMIT = 8 << 20, 64 << 20
DTYPES = {torch.bool, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.float64, torch.float32, torch.float16, torch.bfloat16}


class WireError(Exception):
    """The other side is gone, too slow, or sends what is no message."""


def pack(value):
    """Plain data with tensors -> one frame."""
    tensors = {}

    def put(tensor):
        if tensor.dtype not in DTYPES:
            tensor = tensor.to(torch.float64)
        tensors[str(len(tensors))] = tensor.detach().cpu().contiguous().clone()
        return str(len(tensors) - 1)

    text = json.dumps(encode(value, put)).encode()
    blob = safetensors.torch.save(tensors)
    return struct.pack("<II", len(text), len(blob)) + text + blob


def unpack(text, blob):
    """The two parts of a frame -> plain data with tensors; anything else is a WireError."""
    try:
        tensors = safetensors.torch.load(bytes(blob))
        return decode(json.loads(bytes(text).decode()), lambda key: tensors[key])
    except Exception as error:  # any malformed frame, whatever the parsers make of it
        raise WireError(f"not a message ({type(error).__name__})") from None


def read(fd, deadline):
    """The next message from the file descriptor, before time.monotonic() passes the deadline."""
    n_text, n_blob = struct.unpack("<II", read_exactly(fd, 8, deadline))
    if n_text > JSON_LIMIT or n_blob > TENSOR_LIMIT:
        raise WireError("the message is too large")
    return unpack(read_exactly(fd, n_text, deadline), read_exactly(fd, n_blob, deadline))


def read_exactly(fd, size, deadline):
    data = bytearray()
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    while len(data) < size:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise WireError("out of time")
        part = os.read(fd, min(size - len(data), 1 << 20))
        if not part:
            raise WireError("closed")
        data += part
    return data


def write(fd, value):
    """Send one message, whole."""
    data = memoryview(pack(value))
    while data:
        data = data[os.write(fd, data) :]
