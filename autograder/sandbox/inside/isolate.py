"""The inner wall: one process, alone in namespaces of its own, with nothing to gain and limits on all that it uses.

`leave` is for the keeper, `lock_in` for the process that will run the student's code, before any of it is read.
"""

import os
import resource
import signal

from autograder.sandbox.shared.limits import HOME

from . import kernel, seccomp

OWN = (
    kernel.NEW_PIDS | kernel.NEW_MOUNTS | kernel.NEW_IPC | kernel.NEW_NET | kernel.NEW_UTS | kernel.NEW_CGROUP
)
NEW_SESSION_KEYS = 250, 1  # x86-64: keyctl(KEYCTL_JOIN_SESSION_KEYRING)
MB = 1 << 20


def leave(job):
    """Keeper: own namespaces, for it and its children to come. As root, first a uid that nobody else has."""
    if not job["user_namespace"]:
        return kernel.unshare(OWN)
    if job["uid"] is not None:
        become(job["uid"])
    uid, gid = os.getuid(), os.getgid()
    kernel.prctl(kernel.DUMPABLE, 1)  # only so does /proc/self belong to us, and with it our uid_map
    kernel.unshare(OWN | kernel.NEW_USER)
    kernel.write("/proc/self/setgroups", "deny")
    kernel.write("/proc/self/uid_map", f"{uid} {uid} 1")
    kernel.write("/proc/self/gid_map", f"{gid} {gid} 1")
    kernel.prctl(kernel.DUMPABLE, 0)
    return kernel.write("/proc/sys/user/max_user_namespaces", "0")  # none below this one, for ever


def lock_in(job):
    """Process 1 of the new pid namespace: own files, no rights, no way back. Raises OSError when any of it fails."""
    kernel.prctl(kernel.DEATH_SIGNAL, signal.SIGKILL)
    kernel.prctl(kernel.NO_HUGE_PAGES, 1)
    os.setsid()
    kernel.prctl(kernel.DUMPABLE, 1)  # until give_up_rights; see leave
    kernel.write("/proc/self/oom_score_adj", "1000")  # when memory runs out, the kernel takes this one first
    own_files(job)
    if seccomp.works_here():
        kernel.checked(kernel.libc.syscall(*NEW_SESSION_KEYS, None), "keyctl")
    give_up_rights(job)
    os.chdir(HOME)
    os.umask(0o77)
    set_limits(job)
    seccomp.refuse_calls()


def own_files(job):
    """An empty home and an empty /dev/shm in memory, of a fixed size; no /proc."""
    kernel.mount(None, "/", None, kernel.RECURSIVE_PRIVATE)
    owner = "" if job["user_namespace"] else f",uid={job['uid']},gid={job['uid']}"
    for folder, files in ((HOME, 4096), ("/dev/shm", 256)):
        options = f"size={job['disk_mb']}m,nr_inodes={files},mode=700{owner}"
        kernel.mount("tmpfs", folder, "tmpfs", kernel.NO_SUID | kernel.NO_DEV, options)
    nothing = kernel.NO_SUID | kernel.NO_DEV | kernel.NO_EXEC | kernel.READ_ONLY
    kernel.mount("tmpfs", "/proc", "tmpfs", nothing, "size=4k,mode=555")


def give_up_rights(job):
    kernel.drop_bounding_set()
    if not job["user_namespace"]:
        become(job["uid"])
        kernel.prctl(kernel.DEATH_SIGNAL, signal.SIGKILL)  # changing the uid took it
    kernel.drop_capabilities()
    kernel.prctl(kernel.NO_NEW_PRIVILEGES, 1)
    kernel.prctl(kernel.DUMPABLE, 0)


def become(uid):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def set_limits(job):
    """The keeper counts memory and time of all processes together; these hold for each one, at once."""
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
