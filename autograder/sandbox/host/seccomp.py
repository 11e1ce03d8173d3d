"""Build the system-call filter from system_calls.py with libseccomp: a BPF program that the sandbox loads."""

import ctypes
import errno
import os
from functools import cache

from . import system_calls as calls
from .reasons import NOT_INSTALLED, SandboxUnavailable

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
FAIL = 0x50000  # FAIL | errno: the call fails with that errno; FAIL alone: it succeeds and does nothing
BAD_ARCHITECTURE, OPTIMIZE, BINARY_TREE = 2, 8, 2  # SCMP_FLTATR_ACT_BADARCH, SCMP_FLTATR_CTL_OPTIMIZE
NOT_EQUAL, MASKED_EQUAL = 1, 7  # SCMP_CMP_NE, SCMP_CMP_MASKED_EQ


class Comparison(ctypes.Structure):
    """struct scmp_arg_cmp: the index of an argument, an operation, and its one or two operands."""

    types = {"place": ctypes.c_uint, "operation": ctypes.c_int, "a": ctypes.c_uint64, "b": ctypes.c_uint64}
    _fields_ = list(types.items())


@cache
def program():
    """Return the filter's instructions; raise SandboxUnavailable if libseccomp is missing or fails."""
    try:
        lib = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        raise SandboxUnavailable(NOT_INSTALLED) from None
    lib.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(lib.seccomp_init(FAIL | errno.EPERM))
    try:
        check_result(lib.seccomp_attr_set(context, BAD_ARCHITECTURE, KILL_PROCESS))  # 32-bit and x32 calls
        lib.seccomp_attr_set(context, OPTIMIZE, BINARY_TREE)  # libseccomp before 2.5 cannot: longer program
        for call, action, *comparisons in rules():
            number = call if isinstance(call, int) else lib.seccomp_syscall_resolve_name(call.encode())
            if number >= 0:  # negative: unknown on this architecture or to an older libseccomp
                array = (Comparison * len(comparisons))(*comparisons)
                check_result(lib.seccomp_rule_add_array(context, action, number, len(comparisons), array))
        return export_program(lib, context)
    finally:
        lib.seccomp_release(context)


def rules():
    """Yield all rules as (name or number of a call, action, *comparisons)."""
    missing = FAIL | errno.ENOSYS
    for table, action in ((calls.ALLOWED, ALLOW), (calls.PRETENDED, FAIL), (calls.MISSING, missing)):
        yield from ((name, action) for names in table.values() for name in names.split())
    yield from ((number, missing) for number in calls.UNKNOWN_CALLS)
    for name in ("socket", "socketpair"):
        yield name, FAIL | errno.EAFNOSUPPORT, Comparison(0, NOT_EQUAL, calls.UNIX)
    for names, conditions in calls.WHERE:
        equal = [Comparison(place, MASKED_EQUAL, mask, value) for (place, mask), value in conditions.items()]
        yield from ((name, ALLOW, *equal) for name in names.split())
    for table, action in ((calls.ONE_OF, ALLOW), (calls.PRETENDED_VALUES, FAIL)):
        for (name, place), values in table.items():
            for number in (int(value.partition("=")[2], 0) for value in values.split()):
                yield name, action, Comparison(place, MASKED_EQUAL, calls.ALL, number)


def export_program(lib, context):
    file = os.memfd_create("filter")
    try:
        check_result(lib.seccomp_export_bpf(context, file))
        return os.pread(file, os.lseek(file, 0, os.SEEK_END), 0)
    finally:
        os.close(file)


def check_result(result):
    """Raise SandboxUnavailable if a call to libseccomp failed, that is, returned a negative error number."""
    if result:
        raise SandboxUnavailable(f"libseccomp: {os.strerror(-result)}")
