"""The Linux calls that Python does not offer, through libc; every failure is an OSError that names the call."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
Word = ctypes.c_ulong

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NET, NEW_UTS, NEW_CGROUP = (
    0x20000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x04000000, 0x02000000,
)  # fmt: skip
NO_SUID, NO_DEV, NO_EXEC, READ_ONLY, RECURSIVE_PRIVATE = 2, 4, 8, 1, 0x44000
DEATH_SIGNAL, DUMPABLE, SECCOMP, DROP_BOUND, SECURE_BITS, NO_NEW_PRIVILEGES, NO_HUGE_PAGES, AMBIENT = (
    1,
    4,
    22,
    24,
    28,
    38,
    41,
    47,
)
SECCOMP_FILTER, AMBIENT_CLEAR = 2, 4
NO_ROOT_NO_FIXUP_LOCKED = (
    0x2F  # uid 0 means nothing, changing the uid gives nothing, and neither can be taken back
)
CAPABILITIES_V3 = 0x20080522


def checked(result, what):
    """The result of a call, or the error that it left behind."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option, *values):
    padded = [Word(v) for v in (*values, 0, 0, 0, 0)[:4]]
    return checked(libc.prctl(option, *padded), f"prctl {option}")


def unshare(kinds):
    checked(libc.unshare(kinds), "unshare")


def mount(source, target, kind, flags, options=None):
    arguments = [None if text is None else text.encode() for text in (source, target, kind)]
    done = libc.mount(*arguments, Word(flags), None if options is None else options.encode())
    checked(done, f"mount {target}")


def drop_bounding_set():
    """No program that is started later can get a capability back, and changing the uid keeps those there are."""
    for number in range(64):
        if libc.prctl(DROP_BOUND, Word(number), Word(0), Word(0), Word(0)) == -1:
            break
    prctl(AMBIENT, AMBIENT_CLEAR)
    prctl(SECURE_BITS, NO_ROOT_NO_FIXUP_LOCKED)


def drop_capabilities():
    """All of this process's own."""
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_V3, 0)
    checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def write(path, text):
    """Write to a file of /proc: in one piece."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
