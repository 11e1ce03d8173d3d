"""Isolate a process: namespaces of its own, no capabilities, resource limits and the system-call filter.

The keeper calls `enter_namespaces`; the student's process calls `lock_in` before it reads any student code.
Both raise OSError if a step fails, and then no student code runs. The first half are the Linux calls that
Python does not offer, through libc, with the kernel's names without the prefixes CLONE_, MS_, PR_ and MADV_.
"""

import ctypes
import os
import resource
import signal
import struct

from autograder.sandbox.shared.job import HOME

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


NAMESPACES = NEWPID | NEWNS | NEWIPC | NEWNET | NEWUTS | NEWCGROUP
MB = 1 << 20


def enter_namespaces(job):
    """Create namespaces for this process and its children, with a user namespace unless we are root."""
    if job["uid"] is not None:
        return unshare(NAMESPACES)
    uid, gid = os.getuid(), os.getgid()
    prctl(SET_DUMPABLE, 1)  # otherwise /proc/self and our uid_map belong to root
    unshare(NAMESPACES | NEWUSER)
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")
    prctl(SET_DUMPABLE, 0)
    return write("/proc/sys/user/max_user_namespaces", "0")  # none inside this one


def lock_in(job, program):
    """Isolate this process, process 1 of the new pid namespace. program: the system-call filter."""
    prctl(SET_PDEATHSIG, signal.SIGKILL)
    prctl(SET_THP_DISABLE, 1)
    os.setsid()
    prctl(SET_DUMPABLE, 1)  # until give_up_rights; see enter_namespaces
    write("/proc/self/oom_score_adj", "1000")  # out of memory: the kernel kills this process first
    mount_own_files(job)
    give_up_rights(job)
    os.chdir(HOME)
    os.umask(0o77)
    set_limits(job)
    load_filter(program)


def mount_own_files(job):
    """Mount an empty home and an empty /dev/shm in memory, of a fixed size, and hide /proc."""
    mount(None, "/", None, PRIVATE_BELOW)
    owner = "" if job["uid"] is None else f",uid={job['uid']},gid={job['uid']}"
    for folder, files in ((HOME, 4096), ("/dev/shm", 256)):
        options = f"size={job['disk_mb']}m,nr_inodes={files},mode=700{owner}"
        mount("tmpfs", folder, "tmpfs", NOSUID | NODEV, options)
    flags = NOSUID | NODEV | NOEXEC | RDONLY
    mount("tmpfs", "/proc", "tmpfs", flags, "size=4k,mode=555")


def give_up_rights(job):
    """Drop all capabilities. The bounding set can stay: it affects only execve, which the filter forbids."""
    if job["uid"] is not None:  # we are root: become a user of this job alone
        become(job["uid"])
        prctl(SET_PDEATHSIG, signal.SIGKILL)  # changing the uid reset it
    drop_capabilities()
    prctl(SET_NO_NEW_PRIVS, 1)
    prctl(SET_DUMPABLE, 0)


def become(uid):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def set_limits(job):
    """Set the kernel's limits for each single process; the keeper limits time and memory of all together."""
    hard = {
        resource.RLIMIT_AS: job["image_bytes"] + 2 * job["memory_mb"] * MB,
        resource.RLIMIT_CPU: int(job["all_seconds"]) + 1,
        resource.RLIMIT_NPROC: job["processes"],
        resource.RLIMIT_FSIZE: job["file_mb"] * MB,
        resource.RLIMIT_NOFILE: job["open_files"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: 256,
    }
    for kind, value in hard.items():
        resource.setrlimit(kind, (value, value))
