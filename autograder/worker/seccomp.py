"""A second wall: system calls that no exercise needs are refused by the kernel (x86-64; elsewhere namespaces stand alone)."""
import ctypes
import os
import struct

from .kernel import SECCOMP, SECCOMP_FILTER, prctl

REFUSED = {
    # other processes
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "pidfd_open": 434, "pidfd_getfd": 438,
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
    "memfd_create": 319, "memfd_secret": 447, "shmget": 29, "shmat": 30, "msgget": 68, "semget": 64, "mq_open": 240,
    "keyctl": 250, "add_key": 248, "request_key": 249,
    # what one system, or one user, has only so many of
    "io_setup": 206, "inotify_init": 253, "inotify_init1": 294,
    # the machine
    "syslog": 103, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "init_module": 175, "delete_module": 176, "finit_module": 313, "kexec_load": 246, "kexec_file_load": 320,
    "acct": 163, "swapon": 167, "swapoff": 168, "settimeofday": 164, "clock_settime": 227, "adjtimex": 159,
    "clock_adjtime": 305, "vhangup": 153, "ioprio_set": 251,
}  # fmt: skip
MMAP, CLONE, CLONE3, SOCKET, SOCKETPAIR, NEWER = 9, 56, 435, 41, 53, 451  # NEWER: calls that this list has never heard of
NEW_NAMESPACES, UNIX, SHARED_AND_ANONYMOUS = 0x7E020080, 1, 0x21
X86_64, X32 = 0xC000003E, 0x40000000
LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, KILL, NOT_PERMITTED, UNKNOWN_CALL, NO_SUCH_FAMILY = 0x7FFF0000, 0x80000000, 0x50001, 0x50026, 0x50061
NUMBER, MACHINE, FIRST_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 40


def works_here():
    return os.uname().machine == "x86_64"


def refuse_calls():
    """From here on, for this process and all that it starts."""
    if works_here():
        program = b"".join(instructions())
        kept = ctypes.create_string_buffer(program)
        header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(kept)))
        prctl(SECCOMP, SECCOMP_FILTER, ctypes.addressof(header))


def instructions():
    """The filter: 32-bit calls die; new namespaces, sockets other than AF_UNIX, memory that is shared without a file
    (nobody counts it once the process that filled it is gone) and the listed calls fail."""
    yield from (op(LOAD, MACHINE), op(EQUAL, X86_64, 1, 0), op(RETURN, KILL), op(LOAD, NUMBER))
    yield from (op(AT_LEAST, X32, 0, 1), op(RETURN, NOT_PERMITTED))
    yield from (op(EQUAL, CLONE3, 0, 1), op(RETURN, UNKNOWN_CALL), op(AT_LEAST, NEWER, 0, 1), op(RETURN, UNKNOWN_CALL))
    yield from (op(EQUAL, CLONE, 0, 4), op(LOAD, FIRST_ARGUMENT), op(ANY_BIT, NEW_NAMESPACES, 0, 1), op(RETURN, NOT_PERMITTED), op(RETURN, ALLOW))
    yield from (op(EQUAL, MMAP, 0, 5), op(LOAD, FOURTH_ARGUMENT), op(AND, SHARED_AND_ANONYMOUS))
    yield from (op(EQUAL, SHARED_AND_ANONYMOUS, 0, 1), op(RETURN, NOT_PERMITTED), op(RETURN, ALLOW))
    yield from (op(EQUAL, SOCKET, 1, 0), op(EQUAL, SOCKETPAIR, 0, 4))
    yield from (op(LOAD, FIRST_ARGUMENT), op(EQUAL, UNIX, 1, 0), op(RETURN, NO_SUCH_FAMILY), op(RETURN, ALLOW))
    for number in REFUSED.values():
        yield from (op(EQUAL, number, 0, 1), op(RETURN, NOT_PERMITTED))
    yield op(RETURN, ALLOW)


def op(code, value, if_true=0, if_false=0):
    """One instruction; the jumps count the instructions to skip."""
    return struct.pack("HBBI", code, if_true, if_false, value)
