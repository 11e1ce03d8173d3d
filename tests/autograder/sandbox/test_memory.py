"""Memory is counted wherever it is held."""

import pytest

from autograder.sandbox.inside import memory

from .cells import errors

HIDING_PLACES = {
    "a thread whose process has ended": """
import ctypes, os, threading, time
def hold():
    time.sleep(0.5)
    held = b"x" * (450 << 20)
    time.sleep(9)
if os.fork() == 0:
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).syscall(60, 0)
time.sleep(9)
""",
    "page tables": """
import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_ulong] * 6
for n in range(1, 60_000):
    if libc.mmap(n << 30, 4096, 1, 0x100022, 2**64 - 1, 0) == n << 30:
        ctypes.string_at(n << 30, 1)
time.sleep(9)
""",
    "copies of shared pages": """
import ctypes, gc, os, time
for n in range(9):
    if os.fork() == 0:
        gc.unfreeze()
        for page in {id(kept) & ~4095 for kept in gc.get_objects()}:
            ctypes.memmove(page, page, 1)
        time.sleep(9)
time.sleep(9)
""",
    "a process with a name of two lines": """
import ctypes, time
ctypes.CDLL(None).prctl(15, b"\\rRssAnon: x")
held = b"x" * (450 << 20)
time.sleep(9)
""",
    "a process with the name of another state": """
import ctypes, time
ctypes.CDLL(None).prctl(15, b"\\xff) R 1 (\\xfe\\n")
held = b"x" * (450 << 20)
time.sleep(9)
""",
    "connections that nobody accepts": """
import ctypes, socket, threading, time
def send():
    time.sleep(0.5)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\\0x")
    listener.listen(4096)
    for _ in range(2000):
        with socket.socket(socket.AF_UNIX) as one:
            one.connect("\\0x")
    time.sleep(9)
threading.Thread(target=send).start()
ctypes.CDLL(None).syscall(60, 0)
""",
}


@pytest.mark.system
@pytest.mark.parametrize("place", HIDING_PLACES)
def test_memory_is_counted_wherever_it_hides(place, worker, bwrap):
    assert errors(worker, HIDING_PLACES[place]) == ["memory"]


def test_orphans_belong_to_the_first_process():
    assert memory.descendants(1, {1: 0, 5: 1, 6: 5, 7: 9, 8: 6}) == {1, 5, 6, 8}
    assert memory.address_space() > 0
