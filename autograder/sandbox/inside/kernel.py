"""Linux calls that Python does not offer, through libc; a failure raises an OSError that names the call."""

import ctypes
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
Word = ctypes.c_ulong

# the kernel's names, without the prefixes CLONE_, MS_, PR_ and MADV_
NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWUTS, NEWCGROUP = (
    0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x04000000, 0x02000000,
)  # fmt: skip
RDONLY, NOSUID, NODEV, NOEXEC, PRIVATE_BELOW = 1, 2, 4, 8, 0x44000
SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP, SET_NO_NEW_PRIVS, SET_THP_DISABLE = 1, 4, 22, 38, 41
MODE_FILTER = 2
CAPABILITY_VERSION_3 = 0x20080522
LARGE_PAGE, COLLAPSE = 2 << 20, 25


def checked(result, call_name):
    """Return the result of a call; raise OSError if it failed."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{call_name}: {os.strerror(number)}")
    return result


def prctl(option, *values):
    padded = [Word(v) for v in (*values, 0, 0, 0, 0)[:4]]
    return checked(libc.prctl(option, *padded), f"prctl {option}")


def unshare(kinds):
    checked(libc.unshare(kinds), "unshare")


def mount(source, target, kind, flags, options=None):
    arguments = [None if text is None else text.encode() for text in (source, target, kind)]
    code = libc.mount(*arguments, Word(flags), None if options is None else options.encode())
    checked(code, f"mount {target}")


def collapse_into_large_pages(start, end):
    """Back these addresses with pages of 2 MB where the kernel can (Linux 6.1 or later)."""
    for address in range(-(-start // LARGE_PAGE) * LARGE_PAGE, end - LARGE_PAGE + 1, LARGE_PAGE):
        libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(LARGE_PAGE), COLLAPSE)


def drop_capabilities():
    """Drop all capabilities of this process."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def load_filter(program):
    """Let the BPF program decide about every further system call of this process and its children."""
    instructions = ctypes.create_string_buffer(program)
    header = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(instructions))
    )
    prctl(SET_SECCOMP, MODE_FILTER, ctypes.addressof(header))


def write(path, text):
    """Write to a file in /proc with a single write call."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
