"""How a process is locked in: namespaces of its own, no rights, limits, and the system-call filter.

`enter_namespaces` is for the keeper, `lock_in` for the student's process, before any student code is read.
Both raise OSError when a step fails; then nothing is run.
"""

import os
import resource
import signal

from autograder.sandbox.shared.limits import HOME

from . import kernel

NAMESPACES = kernel.NEWPID | kernel.NEWNS | kernel.NEWIPC | kernel.NEWNET | kernel.NEWUTS | kernel.NEWCGROUP
MB = 1 << 20


def enter_namespaces(job):
    """New namespaces for this process and its children. Only root needs no user namespace for that."""
    if job["uid"] is not None:
        return kernel.unshare(NAMESPACES)
    uid, gid = os.getuid(), os.getgid()
    kernel.prctl(kernel.SET_DUMPABLE, 1)  # else /proc/self, and our uid_map in it, belong to root
    kernel.unshare(NAMESPACES | kernel.NEWUSER)
    kernel.write("/proc/self/setgroups", "deny")
    kernel.write("/proc/self/uid_map", f"{uid} {uid} 1")
    kernel.write("/proc/self/gid_map", f"{gid} {gid} 1")
    kernel.prctl(kernel.SET_DUMPABLE, 0)
    return kernel.write("/proc/sys/user/max_user_namespaces", "0")  # no further one below this one


def lock_in(job, program):
    """For process 1 of the new pid namespace. `program` is the system-call filter."""
    kernel.prctl(kernel.SET_PDEATHSIG, signal.SIGKILL)
    kernel.prctl(kernel.SET_THP_DISABLE, 1)
    os.setsid()
    kernel.prctl(kernel.SET_DUMPABLE, 1)  # until give_up_rights; see enter_namespaces
    kernel.write("/proc/self/oom_score_adj", "1000")  # when memory runs out, the kernel ends this one first
    mount_own_files(job)
    give_up_rights(job)
    os.chdir(HOME)
    os.umask(0o77)
    set_limits(job)
    kernel.load_filter(program)


def mount_own_files(job):
    """An empty home and an empty /dev/shm in memory, of a fixed size; no /proc."""
    kernel.mount(None, "/", None, kernel.PRIVATE_BELOW)
    owner = "" if job["uid"] is None else f",uid={job['uid']},gid={job['uid']}"
    for folder, files in ((HOME, 4096), ("/dev/shm", 256)):
        options = f"size={job['disk_mb']}m,nr_inodes={files},mode=700{owner}"
        kernel.mount("tmpfs", folder, "tmpfs", kernel.NOSUID | kernel.NODEV, options)
    flags = kernel.NOSUID | kernel.NODEV | kernel.NOEXEC | kernel.RDONLY
    kernel.mount("tmpfs", "/proc", "tmpfs", flags, "size=4k,mode=555")


def give_up_rights(job):
    """Drop all rights. The bounding set stays: no program can be started, so it gives nobody anything."""
    if job["uid"] is not None:  # root's: become a user that nobody else is
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
    """For each process alone, and at once; the keeper counts memory and time of all together."""
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
