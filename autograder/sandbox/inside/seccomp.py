"""A second wall: system calls that no exercise needs are refused by the kernel (x86-64; elsewhere namespaces stand alone)."""

import ctypes
import os
import struct

from .kernel import DEATH_SIGNAL, DUMPABLE, NO_HUGE_PAGES, SECCOMP, SECCOMP_FILTER, prctl

REFUSED = {
    # other processes
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_open": 434, "pidfd_getfd": 438,
    "pidfd_send_signal": 424,
    "process_madvise": 440, "process_mrelease": 448, "migrate_pages": 256, "move_pages": 279,
    # other programs: there are none to run, and memory is counted against the image that was forked
    "execve": 59, "execveat": 322,
    # mounts and namespaces
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "quotactl": 179, "quotactl_fd": 443, "fanotify_init": 300,
    # parts of the kernel with a record of holes
    "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "vmsplice": 278, "modify_ldt": 154, "personality": 135, "lookup_dcookie": 212,
    # memory that no limit counts
    "memfd_create": 319, "memfd_secret": 447, "shmget": 29, "shmat": 30, "msgget": 68, "semget": 64, "mq_open": 240, "landlock_create_ruleset": 444,
    "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "splice": 275, "tee": 276, "sendfile": 40,
    "mbind": 237, "set_mempolicy": 238, "set_mempolicy_home_node": 450,
    # a word to a later submission, by what of a shared library is in memory
    "fadvise64": 221, "mincore": 27, "preadv2": 327,
    "keyctl": 250, "add_key": 248, "request_key": 249,
    # what one system, or one user, has only so many of
    "io_setup": 206, "inotify_init": 253, "inotify_init1": 294, "epoll_create": 213, "epoll_create1": 291, "sync": 162, "syncfs": 306,
    # the machine
    "syslog": 103, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "init_module": 175, "delete_module": 176, "finit_module": 313, "kexec_load": 246, "kexec_file_load": 320,
    "acct": 163, "swapon": 167, "swapoff": 168, "settimeofday": 164, "clock_settime": 227, "adjtimex": 159,
    "clock_adjtime": 305, "vhangup": 153, "ioprio_set": 251,
    # filters of one's own: kernel memory that nobody counts
    "seccomp": 317,
}  # fmt: skip
PRETENDED = {
    # Linux shares its time out among sessions: one job, one share. Whoever sets a process back keeps what that one gives up in memory
    "setsid": 112, "setpriority": 141, "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203, "sched_setattr": 314,
    # on a library's file it is a word to every submission that looks
    "flock": 73,
    # all that can be written lies in memory: what waits for the disk is another's
    "fsync": 74, "fdatasync": 75, "msync": 26, "sync_file_range": 277,
}  # fmt: skip
OF_DESCRIPTORS = {
    # on a library that is the grader's user's own: whoever reads it next waits
    "F_SETLEASE": 1024,
    # what one user has only so many of: notices, room in pipes
    "F_NOTIFY": 1026, "F_SETPIPE_SZ": 1031,
    # how long what is written will last: kept with a library, for every submission to read
    "F_SET_RW_HINT": 1036, "F_SET_FILE_RW_HINT": 1038,
}  # fmt: skip
CLONE3, NEWER = 435, 451  # NEWER: the first of the calls that this list has never heard of
SOCKET, SOCKETPAIR, CLONE, MMAP, PRCTL, SETSOCKOPT, GETSOCKOPT, FCNTL, MADVISE = (
    41,
    53,
    56,
    9,
    157,
    54,
    55,
    72,
    28,
)
SENDS = (
    (44, 3),
    (45, 3),
    (46, 2),
    (47, 2),
    (307, 3),
    (299, 3),
)  # sendto, recvfrom, ...: where their flags are
NAMESPACE_BITS = (0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
UNIX, SHARED_AND_ANONYMOUS, OUT_OF_BAND, ALL_BITS = 1, 0x21, 1, 0xFFFFFFFF
FUTEX_TABLE, MERGED_PAGES, MERGEABLE, COLLAPSE = 78, 67, 12, 25
REUSE_ADDRESS, PEER_HANDLE = 2, 77
LOCKS = 6, 7, 37, 38  # F_SETLK, F_SETLKW, and the same of open files
DATAGRAM, DATAGRAM_BITS = 2, 0xE  # of a socket's type; type 3 is another word for it
X86_64, X32 = 0xC000003E, 0x40000000
LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, KILL, PRETEND, NOT_PERMITTED, UNKNOWN_CALL, NO_SUCH_FAMILY = (
    0x7FFF0000,
    0x80000000,
    0x50000,
    0x50001,
    0x50026,
    0x50061,
)
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16


def works_here():
    return os.uname().machine == "x86_64"


def refuse_calls():
    """From here on, for this process and all that it starts."""
    if works_here():
        program = b"".join(instructions())
        kept = ctypes.create_string_buffer(program)
        header = ctypes.create_string_buffer(
            struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(kept))
        )
        prctl(SECCOMP, SECCOMP_FILTER, ctypes.addressof(header))


def instructions():
    """The filter: 32-bit calls die; then single arguments are looked at; then whole calls are refused."""
    yield from (op(LOAD, MACHINE), op(EQUAL, X86_64, 1, 0), op(RETURN, KILL), op(LOAD, NUMBER))
    yield from (op(AT_LEAST, X32, 0, 1), op(RETURN, NOT_PERMITTED))
    yield from call(CLONE3, UNKNOWN_CALL)
    yield from (op(AT_LEAST, NEWER, 0, 1), op(RETURN, UNKNOWN_CALL))
    for number in (SOCKET, SOCKETPAIR):
        yield from argument(number, 0, ALL_BITS, UNIX, NO_SUCH_FAMILY, refuse_others=True)
        yield from argument(
            number, 1, DATAGRAM_BITS, DATAGRAM
        )  # a letter lies in its box when its sender is gone: nobody counts it
    for bit in NAMESPACE_BITS:
        yield from argument(CLONE, 0, bit, bit)
    yield from argument(
        MMAP, 3, SHARED_AND_ANONYMOUS, SHARED_AND_ANONYMOUS
    )  # nobody counts it when its maker is gone
    yield from argument(PRCTL, 0, ALL_BITS, DEATH_SIGNAL)  # to outlive the keeper
    yield from argument(PRCTL, 0, ALL_BITS, DUMPABLE)  # to hand a core to the machine's crash reporter
    yield from argument(PRCTL, 0, ALL_BITS, SECCOMP)  # see "seccomp" above
    yield from argument(PRCTL, 0, ALL_BITS, FUTEX_TABLE)  # half a gigabyte each, and nobody counts it
    yield from argument(
        PRCTL, 0, ALL_BITS, NO_HUGE_PAGES
    )  # of which one page is counted when the others are given back
    yield from argument(MADVISE, 2, ALL_BITS, COLLAPSE)
    yield from argument(
        PRCTL, 0, ALL_BITS, MERGED_PAGES
    )  # pages shared with whoever holds the same: time tells
    yield from argument(MADVISE, 2, ALL_BITS, MERGEABLE)
    yield from argument(
        SETSOCKOPT, 2, ALL_BITS, REUSE_ADDRESS, refuse_others=True
    )  # buffers and filters: more kernel memory than anybody counts
    yield from argument(GETSOCKOPT, 2, ALL_BITS, PEER_HANDLE)  # a handle on the grader's own process
    for kind in OF_DESCRIPTORS.values():
        yield from argument(FCNTL, 1, ALL_BITS, kind)
    for kind in LOCKS:
        yield from argument(FCNTL, 1, ALL_BITS, kind, PRETEND)
    for number, place in SENDS:
        yield from argument(
            number, place, OUT_OF_BAND, OUT_OF_BAND
        )  # a part of the kernel with a record of holes
    for number in PRETENDED.values():
        yield from call(number, PRETEND)
    for number in REFUSED.values():
        yield from call(number, NOT_PERMITTED)
    yield op(RETURN, ALLOW)


def call(number, answer):
    """Answer the call so, whatever its arguments, in place of carrying it out."""
    yield from (op(EQUAL, number, 0, 1), op(RETURN, answer))


def argument(number, place, mask, value, answer=NOT_PERMITTED, refuse_others=False):
    """Refuse the call when the masked argument is that value (or when it is not); otherwise go on with the call's number."""
    yield from (op(EQUAL, number, 0, 5), op(LOAD, FIRST_ARGUMENT + 8 * place), op(AND, mask))
    yield op(EQUAL, value, *((1, 0) if refuse_others else (0, 1)))
    yield from (op(RETURN, answer), op(LOAD, NUMBER))


def op(code, value, if_true=0, if_false=0):
    """One instruction; the jumps count the instructions to skip."""
    return struct.pack("HBBI", code, if_true, if_false, value)
