"""The system-call filter is well-formed and allows honest work."""

import ctypes
from collections import Counter

import pytest

from autograder.sandbox.host import seccomp
from autograder.sandbox.host.system_calls import ALLOWED, MISSING, ONE_OF, PRETENDED, WHERE

from .cells import cells_of, errors

NAMES, ALLOWED_NAMES = (
    [name for table in tables for names in table.values() for name in names.split()]
    for tables in ((ALLOWED, PRETENDED, MISSING), (ALLOWED,))
)
RESTRICTED = {name for names, _ in WHERE for name in names.split()} | {name for name, _ in ONE_OF}
NEVER = """
    ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd execve execveat mount umount2
    pivot_root chroot unshare setns bpf perf_event_open userfaultfd io_uring_setup personality
    memfd_create shmget msgget mq_open setxattr splice sendfile mbind set_mempolicy fadvise64 readahead
    mincore preadv2 keyctl add_key io_setup inotify_init1 epoll_create1 sync syncfs syslog reboot
    sethostname init_module settimeofday seccomp setuid setgid setresuid chown mknod mknodat memfd_secret
    landlock_create_ruleset cachestat clone3 sendmmsg process_madvise"""


def test_each_system_call_is_in_one_list_and_no_dangerous_one_is_allowed():
    assert [name for name, count in Counter(NAMES).items() if count > 1] == []
    assert RESTRICTED & set(NAMES) == set()
    assert {*ALLOWED_NAMES, *RESTRICTED} & set(NEVER.split()) == set()


def test_libseccomp_knows_every_listed_system_call():
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name
    assert [name for name in (*NAMES, *RESTRICTED) if resolve(name.encode()) == -1] == []


def test_the_filter_has_a_size_that_the_kernel_accepts():
    assert len(seccomp.program()) % 8 == 0
    assert 100 < len(seccomp.program()) // 8 < 4096


@pytest.mark.system
def test_honest_work_is_not_refused(worker, bwrap):
    ends = {name: errors(worker, cell) for name, cell in cells_of("honest").items()}
    assert len(ends) == 12
    assert ends == dict.fromkeys(ends, [None])
