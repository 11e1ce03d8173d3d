"""The system-call filter, built by libseccomp from system_calls.py: the BPF program that the inside loads."""

import ctypes
import errno
import os
from functools import cache

from .system_calls import ALLOWED, MISSING, PRETENDED, RULES, UNIX, UNKNOWN_CALLS

ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
BAD_ARCHITECTURE, OPTIMIZE, BINARY_TREE = 2, 8, 2  # SCMP_FLTATR_ACT_BADARCH, SCMP_FLTATR_CTL_OPTIMIZE
NOT_EQUAL, MASKED_EQUAL = 1, 7  # SCMP_CMP_NE, SCMP_CMP_MASKED_EQ
NOT_INSTALLED = "libseccomp.so.2 is not there"


class Comparison(ctypes.Structure):
    """struct scmp_arg_cmp."""

    _fields_ = (
        ("place", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def fail_with(number):
    """SCMP_ACT_ERRNO: the call returns this error; with 0, success."""
    return 0x50000 | number


@cache
def program():
    """The filter's instructions. OSError: libseccomp is missing, or refuses a rule."""
    lib = library()
    context = lib.seccomp_init(fail_with(errno.EPERM))
    if not context:
        raise OSError("libseccomp does not work on this machine")
    try:
        lib.seccomp_attr_set(context, BAD_ARCHITECTURE, KILL_PROCESS)  # calls of 32 bits and of the x32 kind
        lib.seccomp_attr_set(
            context, OPTIMIZE, BINARY_TREE
        )  # older versions cannot: theirs is a longer chain
        for names, action, comparisons in rules():
            for name in names:
                add(lib, context, name, action, comparisons)
        return exported(lib, context)
    finally:
        lib.seccomp_release(context)


def library():
    try:
        lib = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        raise OSError(NOT_INSTALLED) from None
    context, word = ctypes.c_void_p, ctypes.c_uint32
    lib.seccomp_init.restype, lib.seccomp_init.argtypes = context, [word]
    lib.seccomp_attr_set.argtypes = [context, ctypes.c_int, word]
    lib.seccomp_rule_add_array.argtypes = [
        context,
        word,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(Comparison),
    ]
    lib.seccomp_export_bpf.argtypes = [context, ctypes.c_int]
    lib.seccomp_release.argtypes = [context]
    return lib


def rules():
    """(names or numbers of calls, action, comparisons), all of them."""
    for table, action in ((ALLOWED, ALLOW), (PRETENDED, fail_with(0)), (MISSING, fail_with(errno.ENOSYS))):
        for names in table.values():
            yield names.split(), action, ()
    yield UNKNOWN_CALLS, fail_with(errno.ENOSYS), ()
    yield ("socket", "socketpair"), fail_with(errno.EAFNOSUPPORT), (Comparison(0, NOT_EQUAL, UNIX),)
    for names, conditions, pretended in RULES:
        comparisons = [Comparison(place, MASKED_EQUAL, mask, value) for place, value, mask in conditions]
        yield names.split(), fail_with(0) if pretended else ALLOW, comparisons


def add(lib, context, call, action, comparisons):
    """One rule; a name that this architecture, or an older libseccomp, does not have is left out."""
    number = call if isinstance(call, int) else lib.seccomp_syscall_resolve_name(call.encode())
    if number >= 0:
        array = (Comparison * len(comparisons))(*comparisons)
        failed = lib.seccomp_rule_add_array(context, action, number, len(comparisons), array)
        if failed:
            raise OSError(-failed, f"libseccomp refuses the rule for {call}: {os.strerror(-failed)}")


def exported(lib, context):
    file = os.memfd_create("filter")
    try:
        failed = lib.seccomp_export_bpf(context, file)
        if failed:
            raise OSError(-failed, f"libseccomp cannot export the filter: {os.strerror(-failed)}")
        return os.pread(file, os.lseek(file, 0, os.SEEK_END), 0)
    finally:
        os.close(file)
