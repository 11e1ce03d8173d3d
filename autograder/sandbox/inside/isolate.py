"""Isolate a process: namespaces of its own, no capabilities, resource limits and the system-call filter.

The keeper calls `enter_namespaces`; the student's process calls `lock_in` before it reads any student code.
Both raise OSError if a step fails, and then no student code runs.
"""

import os
import resource
import signal

from autograder.sandbox.shared.limits import HOME

from . import kernel

NAMESPACES = kernel.NEWPID | kernel.NEWNS | kernel.NEWIPC | kernel.NEWNET | kernel.NEWUTS | kernel.NEWCGROUP
MB = 1 << 20


def enter_namespaces(job):
    """Create namespaces for this process and its children, with a user namespace unless we are root."""
    if job["uid"] is not None:
        return kernel.unshare(NAMESPACES)
    uid, gid = os.getuid(), os.getgid()
    kernel.prctl(kernel.SET_DUMPABLE, 1)  # otherwise /proc/self and our uid_map belong to root
    kernel.unshare(NAMESPACES | kernel.NEWUSER)
    kernel.write("/proc/self/setgroups", "deny")
    kernel.write("/proc/self/uid_map", f"{uid} {uid} 1")
    kernel.write("/proc/self/gid_map", f"{gid} {gid} 1")
    kernel.prctl(kernel.SET_DUMPABLE, 0)
    return kernel.write("/proc/sys/user/max_user_namespaces", "0")  # none inside this one


def lock_in(job, program):
    """Isolate this process, process 1 of the new pid namespace. program: the system-call filter."""
    kernel.prctl(kernel.SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.SET_THP_DISABLE, 1)
    os.setsid()
    kernel.prctl(kernel.SET_DUMPABLE, 1)  # until give_up_rights; see enter_namespaces
    kernel.write("/proc/self/oom_score_adj", "1000")  # out of memory: the kernel kills this process first
    mount_own_files(job)
    give_up_rights(job)
    os.chdir(HOME)
    os.umask(0o77)
    set_limits(job)
    kernel.load_filter(program)


def mount_own_files(job):
    """Mount an empty home and an empty /dev/shm in memory, of a fixed size, and hide /proc."""
    kernel.mount(None, "/", None, kernel.PRIVATE_BELOW)
    owner = "" if job["uid"] is None else f",uid={job['uid']},gid={job['uid']}"
    for folder, files in ((HOME, 4096), ("/dev/shm", 256)):
        options = f"size={job['disk_mb']}m,nr_inodes={files},mode=700{owner}"
        kernel.mount("tmpfs", folder, "tmpfs", kernel.NOSUID | kernel.NODEV, options)
    flags = kernel.NOSUID | kernel.NODEV | kernel.NOEXEC | kernel.RDONLY
    kernel.mount("tmpfs", "/proc", "tmpfs", flags, "size=4k,mode=555")


def give_up_rights(job):
    """Drop all capabilities. The bounding set can stay: it affects only execve, which the filter forbids."""
    if job["uid"] is not None:  # we are root: become a user of this job alone
        become(job["uid"])
        kernel.prctl(kernel.SET_PDEATHSIG, signal.SIGKILL)  # changing the uid reset it
    kernel.drop_capabilities()
    kernel.prctl(kernel.SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.SET_DUMPABLE, 0)


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
